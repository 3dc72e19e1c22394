/* SPDX-License-Identifier: Apache-2.0 */
/* The extended interface of cuFFT: plans with types of data (documentation of cuFFT 13). Functions for
 * callbacks are declared so that programs compile; they return a status that says that they are not there
 * (docs/libraries/cufft.md). */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

#include "cudalibxt.h"
#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cufftXtSubFormat_t {
    CUFFT_XT_FORMAT_INPUT = 0,
    CUFFT_XT_FORMAT_OUTPUT = 1,
    CUFFT_XT_FORMAT_INPLACE = 2,
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
    CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
    CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
    CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
    CUFFT_FORMAT_UNDEFINED = 7
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t {
    CUFFT_COPY_HOST_TO_DEVICE = 0,
    CUFFT_COPY_DEVICE_TO_HOST = 1,
    CUFFT_COPY_DEVICE_TO_DEVICE = 2,
    CUFFT_COPY_UNDEFINED = 3
} cufftXtCopyType;
typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS = 0, CUFFT_QUERY_UNDEFINED = 1 } cufftXtQueryType;
typedef struct cufftXt1dFactors_t {
    long long int size, stringCount, stringLength, substringLength, factor1, factor2;
    long long int stringMask, substringMask, factor1Mask, factor2Mask;
    int stringShift, substringShift, factor1Shift, factor2Shift;
} cufftXt1dFactors;
typedef enum cufftXtWorkAreaPolicy_t {
    CUFFT_WORKAREA_MINIMAL = 0,
    CUFFT_WORKAREA_USER = 1,
    CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX = 0,
    CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
    CUFFT_CB_LD_REAL = 2,
    CUFFT_CB_LD_REAL_DOUBLE = 3,
    CUFFT_CB_ST_COMPLEX = 4,
    CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
    CUFFT_CB_ST_REAL = 6,
    CUFFT_CB_ST_REAL_DOUBLE = 7,
    CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;

/* Callbacks: of what a letter stands for (C, Z, R, D), from an offset of a type. */
#define SW_CUFFT_CALLBACKS_(prefix, offset_type)                                                             \
    typedef cufftComplex (*prefix##LoadC)(void *in, offset_type offset, void *info, void *shared);           \
    typedef cufftDoubleComplex (*prefix##LoadZ)(void *in, offset_type offset, void *info, void *shared);     \
    typedef cufftReal (*prefix##LoadR)(void *in, offset_type offset, void *info, void *shared);              \
    typedef cufftDoubleReal (*prefix##LoadD)(void *in, offset_type offset, void *info, void *shared);        \
    typedef void (*prefix##StoreC)(void *out, offset_type offset, cufftComplex value, void *info,            \
                                   void *shared);                                                            \
    typedef void (*prefix##StoreZ)(void *out, offset_type offset, cufftDoubleComplex value, void *info,      \
                                   void *shared);                                                            \
    typedef void (*prefix##StoreR)(void *out, offset_type offset, cufftReal value, void *info,               \
                                   void *shared);                                                            \
    typedef void (*prefix##StoreD)(void *out, offset_type offset, cufftDoubleReal value, void *info,         \
                                   void *shared);
SW_CUFFT_CALLBACKS_(cufftCallback, size_t)
SW_CUFFT_CALLBACKS_(cufftJITCallback, unsigned long long)
#undef SW_CUFFT_CALLBACKS_

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int *n, long long int *inembed,
                                long long int istride, long long int idist, cudaDataType in_type,
                                long long int *onembed, long long int ostride, long long int odist,
                                cudaDataType out_type, long long int batch, size_t *work,
                                cudaDataType exec_type);
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long int *n, long long int *inembed,
                               long long int istride, long long int idist, cudaDataType in_type,
                               long long int *onembed, long long int ostride, long long int odist,
                               cudaDataType out_type, long long int batch, size_t *work,
                               cudaDataType exec_type);
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t *work);

/* ---- several GPUs */
cufftResult cufftXtSetGPUs(cufftHandle plan, int count, int *gpus);
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **descriptor, cufftXtSubFormat format);
cufftResult cufftXtMemcpy(cufftHandle plan, void *to, void *from, cufftXtCopyType type);
cufftResult cufftXtFree(cudaLibXtDesc *descriptor);
cufftResult cufftXtSetWorkArea(cufftHandle plan, void **work);
cufftResult cufftXtQueryPlan(cufftHandle plan, void *query, cufftXtQueryType type);
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);

/* ---- callbacks */
cufftResult cufftXtSetCallback(cufftHandle plan, void **routines, cufftXtCallbackType type, void **infos);
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type);
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t bytes);
cufftResult cufftXtSetJITCallback(cufftHandle plan, const char *symbol, const void *image, size_t bytes,
                                  cufftXtCallbackType type, void **infos);

#ifdef __cplusplus
}
#endif
#endif

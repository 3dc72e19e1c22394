/* SPDX-License-Identifier: Apache-2.0 */
/* cublaslt: what its files share. Descriptors of ours stand in the opaque structures of the caller. A call is
 * described as a struct lt_call, which is checked, queued, and computed when its turn comes. */
#ifndef CUBLASLT_PRIV_H
#define CUBLASLT_PRIV_H

#include "base/base.h"
#include "blas/blas.h"
#include "event/event_routine.h"
#include "routine/routine.h"

#include <cublasLt.h>
#include <cuda.h>

#include <stdbool.h>
#include <stdint.h>

#define CUBLASLT __attribute__((visibility("default"))) cublasStatus_t CUBLASWINAPI

/* Return a failing status at once. */
#define LT_TRY(expr)                                                                                         \
    do {                                                                                                     \
        cublasStatus_t lt_try_ = (expr);                                                                     \
        if (lt_try_ != CUBLAS_STATUS_SUCCESS) return lt_try_;                                                \
    } while (0)

/* ---- descriptors */

struct lt_layout { /* in a cublasLtMatrixLayoutOpaque_t */
    uint32_t type;
    int32_t order;
    uint64_t rows, cols;
    int64_t ld;
    int32_t batch;
    uint32_t batch_mode;
    int64_t stride, plane;
};
struct lt_desc { /* in a cublasLtMatmulDescOpaque_t */
    int32_t compute, scale_type, pointer_mode, trans_a, trans_b, trans_c, fill;
    uint32_t epilogue;
    const void *a_scale, *b_scale, *c_scale, *d_scale, *aux_scale, *d_out_scale, *emulation;
    void *bias, *aux, *amax, *aux_amax;
    int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
    int32_t sm_target, aux_type, bias_type, a_mode, b_mode, c_mode, d_mode, aux_mode, d_out_mode;
    int8_t fast;
};
struct lt_transform { /* in a cublasLtMatrixTransformDescOpaque_t */
    int32_t scale_type, pointer_mode, trans_a, trans_b;
};
struct lt_preference { /* in a cublasLtMatmulPreferenceOpaque_t */
    uint32_t search, reduction, a, b, c, d;
    uint64_t workspace, implementations;
    float waves;
};
struct lt_algo { /* in a cublasLtMatmulAlgo_t */
    int32_t id;
    uint32_t tile;
    int32_t split;
    uint32_t reduction, swizzle, custom, stages;
    uint16_t inner, cluster;
    int32_t compute, scale;
    uint32_t a, b, c, d;  /* types */
    uint8_t alignment[4]; /* of the addresses of A, B, C and D; 0: any */
};
_Static_assert(sizeof(struct lt_layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "it must fit");
_Static_assert(sizeof(struct lt_desc) <= sizeof(cublasLtMatmulDescOpaque_t), "it must fit");
_Static_assert(sizeof(struct lt_transform) <= sizeof(cublasLtMatrixTransformDescOpaque_t), "it must fit");
_Static_assert(sizeof(struct lt_preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t), "it must fit");
_Static_assert(sizeof(struct lt_algo) <= sizeof(cublasLtMatmulAlgo_t), "it must fit");

/* ---- cublaslt_attributes.c: a descriptor's members by number */
struct lt_attribute {
    uint16_t id, at, bytes;
};
#define LT_ATTRIBUTE(structure, id, member)                                                                  \
    {id, offsetof(structure, member), sizeof(((structure *)NULL)->member)}
cublasStatus_t lt_set(void *object, const struct lt_attribute *list, size_t count, unsigned id,
                      const void *from, size_t bytes);
cublasStatus_t lt_get(const void *object, const struct lt_attribute *list, size_t count, unsigned id,
                      void *to, size_t bytes, size_t *written);

/* ---- cublaslt_handle.c: the handle lives (cuBLAS' own is as good, documented), and a context is current */
cublasStatus_t lt_enter(cublasLtHandle_t handle);
cublasStatus_t lt_status(CUresult result);

/* ---- cublaslt_element.c: elements of all types and orders */
static inline bool lt_is_fp8(uint32_t type)
{
    return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}
struct lt_element { /* what a type of CUDA's is */
    enum blas_element real;
    bool is_complex;
    uint32_t bytes; /* of a whole element; in planes: of its real part */
};
bool lt_element_of(uint32_t type, struct lt_element *out);

struct lt_matrix {
    const void *at; /* or an array of pointers, one an item */
    bool pointers;
    struct lt_element element;
    int32_t order;
    int64_t rows, cols, ld, stride, plane; /* stride: in elements; plane: in bytes, 0: none */
};
const void *lt_item(const struct lt_matrix *x, int64_t item);
uint64_t lt_place(const struct lt_matrix *x, int64_t i, int64_t j); /* in elements, from its item */
/* The lines in which its order stores it, each ld elements from the next, of so many elements. */
void lt_lines(const struct lt_matrix *x, int64_t *count, int64_t *length);
int64_t lt_least_ld(const struct lt_matrix *x);
/* Columns [first, first + count) of an item, side by side, as floats, doubles or complex numbers of `type`.
 */
void lt_load(const struct lt_matrix *x, const void *item, int64_t first, int64_t count, enum blas_type type,
             void *to);
/* One column back, its first `count` rows. */
void lt_store(const struct lt_matrix *x, void *item, int64_t column, int64_t count, enum blas_type type,
              const void *from);
double lt_double_at(const struct lt_element *element, const void *at, uint64_t i);
void lt_double_to(enum blas_element element, double value, char *to);

/* ---- products */

enum lt_way {              /* in which a product is computed */
              LT_DIRECT,   /* by BLAS, where the matrices are */
              LT_FLOATS,   /* through floats, in panels of columns */
              LT_DOUBLES,  /* likewise */
              LT_INTEGERS, /* of 8-bit numbers, with exact sums */
              LT_COMPLEX   /* through matrices of complex numbers */
};
enum { LT_SCALE_BLOCK = 128 }; /* definition: elements of a block that has a float as its factor */
struct lt_scale {              /* factors of a matrix of small floats, in the device's memory; at NULL: 1 */
    const float *at;
    int32_t mode;  /* cublasLtMatmulMatrixScale_t */
    int64_t count; /* of floats */
};
/* D := epilogue(alpha * op(A) * op(B) + beta * C). */
struct lt_call {
    struct lt_matrix a, b, c, d;
    enum blas_op trans_a, trans_b;
    enum lt_way way;
    enum blas_type type; /* DIRECT and COMPLEX */
    int64_t m, n, k, batch;
    unsigned char alpha[16], beta[16]; /* values of the scale's type, where the pointers are NULL */
    const void *alpha_device, *beta_device;
    bool alpha_vector;    /* one a row of D */
    int64_t alpha_stride; /* from item to item */
    struct lt_element scalar;
    /* small floats */
    struct lt_scale a_scale, b_scale;
    const float *c_scale, *d_scale, *aux_scale;
    float *amax, *aux_amax;
    /* the epilogue */
    uint32_t epilogue;
    void *bias, *aux;                            /* in the device's memory; NULL: none */
    struct lt_element bias_element, aux_element; /* aux of bytes 0: a mask of bits */
    int64_t bias_stride, aux_ld, aux_stride;
    enum event_routine_math math;
};

/* What an epilogue's number consists of (cublasLtEpilogue_t). */
enum {
    LT_RELU = 2,
    LT_BIAS = 4,
    LT_DRELU = 8,
    LT_BGRAD = 16,
    LT_GELU = 32,
    LT_DGELU = 64,
    LT_AUX = 128,
    LT_BGRADA = 256,
    LT_BGRADB = 512
};

/* ---- cublaslt_types.c: which types products have */
struct lt_types {
    int32_t compute, scale;
    uint32_t a, b, c, d;
};
cublasStatus_t lt_types_check(const struct lt_types *x); /* as an H200 answers */
enum event_routine_math lt_math_of(const struct lt_types *x);

/* ---- cublaslt_describe.c: checks what is asked for, so that the heuristic and the product agree */
cublasStatus_t lt_describe(const struct lt_desc *desc, const struct lt_layout *a, const struct lt_layout *b,
                           const struct lt_layout *c, const struct lt_layout *d, struct lt_call *out);
bool lt_matrix_of(const struct lt_layout *layout, struct lt_matrix *out);
bool lt_trans_of(int32_t given, enum blas_op *out);

/* ---- cublaslt_run.c, cublaslt_range.c: event_routine_work's functions; args: a struct lt_call */
int lt_run(const void *args);
bool lt_range(const void *args, uint32_t i, struct event_routine_range *out);
void lt_account(const struct lt_call *x, char *text, size_t bytes, struct event_routine *out);
bool lt_reads_c(const struct lt_call *x);
const void *lt_alpha(const struct lt_call *x, int64_t item);
const void *lt_beta(const struct lt_call *x);

/* ---- cublaslt_algo.c: the algorithm that the heuristic offers */
void lt_algo_usual(struct lt_algo *out);

/* ---- cublaslt_real.c: one item of FLOATS, DOUBLES or INTEGERS; most, aux_most: largest values so far */
bool lt_run_real(const struct lt_call *x, int64_t item, float *most, float *aux_most);
#endif

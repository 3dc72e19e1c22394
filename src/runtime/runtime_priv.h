/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the runtime library share. It stands on the public driver API alone. */
#ifndef RUNTIME_PRIV_H
#define RUNTIME_PRIV_H

#include "base/base.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <stdbool.h>

#define RT_MAX_DEVICES 64 /* ordinals above are refused; CUDA itself stops at 64 */

/* runtime_context.c: the first real call brings up the driver and the current device's primary context. */
bool rt_driver(void);       /* cuInit was successful; otherwise false, and why is in rt_failure() */
bool rt_enter(void);        /* rt_driver(), and a context is current in this thread */
CUresult rt_failure(void);  /* why the last rt_driver or rt_enter of this thread returned false */
int rt_device(void);        /* the thread's device: of its current context, or the one it chose */
CUcontext rt_context(void); /* current; call after rt_enter */
CUresult rt_primary(int device, CUcontext *out); /* retained once a process */
bool rt_device_valid(int device);

/* runtime_managed.c: managed variables of softwarp cc, which are variables of the host */
struct rt_managed {
    char **names;
    void **addresses;
    size_t *bytes;
    size_t count, capacity;
    bool read, lost; /* lost: there are some, without their names */
};
void rt_managed_read(const void *wrapper, struct rt_managed *list); /* once */
struct rt_file {
    const uint8_t *bytes;
    size_t size;
    uintptr_t bias; /* where it is loaded, less its own addresses */
};
void rt_managed_symbols(const struct rt_file *file, struct rt_managed *list); /* runtime_symbols.c */
void rt_managed_release(struct rt_managed *list);
/* Load the fat binary; its device variables of these names are the host's. */
CUresult rt_managed_load(const void *wrapper, struct rt_managed *list, CUmodule *module);

/* runtime_error.c: the last error of the thread. */
cudaError_t rt_record(cudaError_t error); /* remembers failures; returns it */
void rt_called_from(const void *address); /* who asks for memory, for messages; NULL: nobody */
#define RT_CALLED() rt_called_from(__builtin_return_address(0)) /* in functions that make memory */
/* Host function of the launch whose error is recorded; NULL: none. */
extern _Thread_local const void *rt_stub;
int rt_refuse(const char *name, int *said); /* says once that the function is not supported */
cudaError_t rt_return(CUresult result);     /* the same for what the driver says */
/* A call of the driver in a context (RT) or without (RT_DRIVER), with the result recorded. */
#define RT(expr)        rt_return(rt_enter() ? (expr) : rt_failure())
#define RT_DRIVER(expr) rt_return(rt_driver() ? (expr) : rt_failure())

/* runtime_registry.c: what static constructors registered. Each call needs rt_enter() before. */
struct rt_kernel;
const void *rt_kernel_host(const void *kernel); /* its host function; itself, where it is none of ours */
cudaError_t rt_kernel_find(const void *host_function, struct rt_kernel **out);
/* The driver's function in the current context; host_function may be a kernel handle too. */
cudaError_t rt_function(const void *host_function, CUfunction *out);
const void *rt_host_function(CUfunction function); /* the way back; the function itself when it is not ours */
void rt_kernel_adopt(CUkernel kernel);             /* a kernel of a library that the program loaded */
cudaError_t rt_variable(const void *host_var, CUdeviceptr *address, size_t *bytes);
void rt_registry_forget(CUcontext context); /* its modules are gone */

/* runtime_abi13.c, runtime_abi12.c: two errors that the majors name differently. */
extern const cudaError_t rt_bad_configuration; /* a launch with a grid, block or shared size that cannot be */
extern const cudaError_t rt_unknown_function;  /* a pointer that is neither host function nor kernel */

/* runtime_launch.c */
CUlaunchConfig rt_launch_config(const cudaLaunchConfig_t *config);

/* runtime_copy.c */
CUresult rt_copy3d(const struct cudaMemcpy3DParms *parms, CUDA_MEMCPY3D *out);
CUmemorytype rt_side(enum cudaMemcpyKind kind, bool destination); /* where one side of a copy is */
cudaError_t rt_symbol_range(const void *symbol, size_t count, size_t offset, void **out);

/* runtime_batch.c: *bad (NULL: nobody asks) is the operation that is wrong. */
cudaError_t rt_copy_batch(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                          struct cudaMemcpyAttributes *attrs, size_t *first, size_t sets, size_t *bad,
                          cudaStream_t stream);
cudaError_t rt_copy3d_batch(size_t count, struct cudaMemcpy3DBatchOp *ops, size_t *bad,
                            unsigned long long flags, cudaStream_t stream);

/* runtime_array.c */
CUresult rt_format(const struct cudaChannelFormatDesc *desc, CUarray_format *format, unsigned *channels);
struct cudaChannelFormatDesc rt_channels(CUarray_format format, unsigned channels);

/* runtime_graph.c, runtime_graph_exec.c: what both majors' forms of a call share. */
cudaError_t rt_kernel_params(const struct cudaKernelNodeParams *params, CUDA_KERNEL_NODE_PARAMS *out);
CUDA_MEMCPY3D rt_copy1d(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
cudaError_t rt_graph_add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                              const cudaGraphEdgeData *edges, size_t dep_count,
                              struct cudaGraphNodeParams *params);
cudaError_t rt_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                            cudaGraph_t *graph, const cudaGraphNode_t **deps, const cudaGraphEdgeData **edges,
                            size_t *dep_count);

static inline CUdeviceptr rt_dev(const void *pointer)
{
    return (CUdeviceptr)(uintptr_t)pointer;
}
static inline cudaStream_t rt_per_thread(cudaStream_t stream) /* of the _ptsz forms */
{
    return stream == NULL ? cudaStreamPerThread : stream;
}
#endif

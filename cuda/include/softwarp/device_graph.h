/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels do to graphs and to the kernels after them: values of conditional handles, changes of kernel
 * nodes, launches of device graphs, programmatic dependent launch. */
#ifndef SOFTWARP_DEVICE_GRAPH_H
#define SOFTWARP_DEVICE_GRAPH_H

#define cudaStreamGraphTailLaunch             ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget          ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

extern "C" {
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
__device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
__device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                                   const void *value, size_t size);
__device__ cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t node, bool enable);
__device__ cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t node, dim3 grid);
__device__ cudaError_t cudaGraphKernelNodeUpdatesApply(const struct cudaGraphKernelNodeUpdate *updates,
                                                       size_t count);
}

template <typename Value>
static inline __device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                                                 const Value &value)
{
    return cudaGraphKernelNodeSetParam(node, offset, &value, sizeof(Value));
}

static inline __device__ cudaGraphExec_t cudaGetCurrentGraphExec(void)
{
    unsigned long long exec;
    asm("mov.u64 %0, %%current_graph_exec;" : "=l"(exec));
    return (cudaGraphExec_t)exec;
}

/* Before compute capability 9.0 there is nothing to wait for, and nobody who does. */
static inline __device__ void cudaGridDependencySynchronize(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

static inline __device__ void cudaTriggerProgrammaticLaunchCompletion(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" :::);
#endif
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's device runtime: what kernels may call to launch kernels, copy, fill and ask (CUDA Programming Guide,
 * "CUDA Dynamic Parallelism"). Clang takes neither <<<>>> nor a kernel's name in device code. Instead:
 *
 *     SOFTWARP_LAUNCH(kernel, grid, block, shared_bytes, stream)(arguments...);
 *     SOFTWARP_KERNEL(kernel)      its address, for functions that take one
 *
 * which for nvcc are <<<>>> and the address: this header needs no other. C++17. A kernel whose name has a
 * comma goes in parentheses. */
#ifndef SOFTWARP_DEVICE_RUNTIME_H
#define SOFTWARP_DEVICE_RUNTIME_H
#ifndef __SOFTWARP__
#define SOFTWARP_KERNEL(kernel)                              ((const void *)(kernel))
#define SOFTWARP_LAUNCH(kernel, grid, block, shared, stream) kernel<<<(grid), (block), (shared), (stream)>>>
#else
#pragma clang system_header

#define cudaStreamTailLaunch    ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

extern "C" {
__device__ cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
__device__ cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
__device__ cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ const char *cudaGetErrorString(cudaError_t error);
__device__ const char *cudaGetErrorName(cudaError_t error);
__device__ cudaError_t cudaGetDeviceCount(int *count);
__device__ cudaError_t cudaGetDevice(int *device);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
__device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t event);
__device__ cudaError_t cudaFree(void *memory);
__device__ cudaError_t cudaMalloc(void **memory, size_t bytes);
__device__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                       cudaStream_t stream);
__device__ cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                         size_t width, size_t height, enum cudaMemcpyKind kind,
                                         cudaStream_t stream);
__device__ cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream);
__device__ cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
                                         cudaStream_t stream);
__device__ cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value, struct cudaExtent extent,
                                         cudaStream_t stream);
__device__ cudaError_t cudaRuntimeGetVersion(int *version);
__device__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
__device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                                     int threads, size_t dynamic_shared);
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid, dim3 block,
                                        unsigned int shared_bytes, cudaStream_t stream);
__device__ void *__cudaCDP2GetParameterBufferV2(void *kernel, dim3 grid, dim3 block, unsigned int shared);
__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void *parameters, cudaStream_t stream);
}

#if __cplusplus >= 201703L
namespace softwarp
{
/* A kernel may not be named in device code, but its address may be a constant. */
template <auto Kernel> struct kernel_address {
    static constexpr auto value = Kernel;
};

template <auto Kernel> class device_launch
{
    dim3 grid, block;
    unsigned int shared;
    cudaStream_t stream;

    template <typename Parameter> __device__ static char *put(char *buffer, size_t *at, Parameter value)
    {
        *at = (*at + alignof(Parameter) - 1) / alignof(Parameter) * alignof(Parameter);
        __builtin_memcpy(buffer + *at, &value, sizeof value);
        *at += sizeof value;
        return buffer;
    }
    template <typename... Parameters, typename... Arguments>
    __device__ cudaError_t start(void (*kernel)(Parameters...), Arguments &&...arguments) const
    {
        char *buffer = (char *)__cudaCDP2GetParameterBufferV2((void *)kernel, grid, block, shared);
        size_t at = 0;
        if (!buffer) return cudaPeekAtLastError();
        (put<Parameters>(buffer, &at, static_cast<Arguments &&>(arguments)), ...);
        return __cudaCDP2LaunchDeviceV2(buffer, stream);
    }

  public:
    __device__ device_launch(dim3 grid_size, dim3 block_size, size_t shared_bytes = 0, cudaStream_t in = 0)
        : grid(grid_size), block(block_size), shared((unsigned int)shared_bytes), stream(in)
    {
    }
    template <typename... Arguments> __device__ cudaError_t operator()(Arguments &&...arguments) const
    {
        return start(kernel_address<Kernel>::value, static_cast<Arguments &&>(arguments)...);
    }
};
} // namespace softwarp
#define SOFTWARP_KERNEL(kernel) ((const void *)::softwarp::kernel_address<(kernel)>::value)
#define SOFTWARP_LAUNCH(kernel, grid, block, shared, stream)                                                 \
    ::softwarp::device_launch<(kernel)>((grid), (block), (shared), (stream))
#endif
#endif
#endif

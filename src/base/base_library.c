/* SPDX-License-Identifier: Apache-2.0 */
/* The one table of NVIDIA's libraries that Softwarp does not run, for the compiler (missing headers, -l), for
 * the command that runs programs (missing files) and for the driver (their calls).
 * Method: the part of a file's name up to the first character that is neither letter nor, past the stem, part
 * of a member's name (_ops, -builtins, _v2) is compared. Limits: libraries of other names are not known. */
#include "base/base_library.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define BLAS                                                                                                 \
    "matrix products in kernels of the program itself (wmma of mma.h runs), or a BLAS library on the host"
#define SPARSE "kernels of the program itself over its arrays; Thrust and CUB, compiled with nvcc, run"
#define SOLVER "kernels of the program itself, or LAPACK on the host"
#define NEURAL "kernels of the program itself, or the CPU backend of the framework"
#define LINK   "cuLinkAddData of PTX, or -rdc=true"
#define IMAGE  "kernels of the program itself"
#define PEERS  "copies between devices (cudaMemcpyPeer) in one process"
#define OURS   "the one that Softwarp has beside its libcuda, if it comes first in the library path"
#define COUNTS "softwarp profile, which needs no change to the program"

static const struct sw_library libraries[] = {
    {"cublas", "cuBLAS", OURS, {"libcublas.so.13", "libcublas.so.12"}},
    {"cublasLt", "cuBLASLt", OURS, {"libcublasLt.so.13", "libcublasLt.so.12"}},
    {"cublasXt", "cuBLAS", OURS, {NULL}},
    {"cublasMp", "cuBLAS", BLAS, {NULL}},
    {"nvblas", "cuBLAS", BLAS, {NULL}},
    {"cutensor", "cuTENSOR", BLAS, {NULL}},
    {"cufft", "cuFFT", OURS, {"libcufft.so.12", "libcufft.so.11"}},
    {"cufftw", "cuFFT", OURS, {"libcufftw.so.12", "libcufftw.so.11"}},
    {"cufftXt", "cuFFT", OURS, {NULL}},
    {"curand", "cuRAND", OURS, {"libcurand.so.10"}},
    {"cusparse", "cuSPARSE", OURS, {"libcusparse.so.12"}},
    {"cusparseLt", "cuSPARSE", SPARSE, {NULL}},
    {"cusolver", "cuSOLVER", OURS, {"libcusolver.so.12", "libcusolver.so.11"}},
    {"cusolverDn", "cuSOLVER", OURS, {NULL}},
    {"cusolverSp", "cuSOLVER", OURS, {NULL}},
    {"cusolverRf", "cuSOLVER", OURS, {NULL}},
    {"cusolverMg", "cuSOLVER", SOLVER, {NULL}},
    {"cudss", "cuDSS", SOLVER, {NULL}},
    {"cudnn", "cuDNN", NEURAL, {NULL}},
    {"nvinfer", "TensorRT", NEURAL, {NULL}},
    {"nvrtc", "NVRTC", OURS, {"libnvrtc.so.13", "libnvrtc.so.12"}},
    {"nvJitLink", "nvJitLink", OURS, {"libnvJitLink.so.13", "libnvJitLink.so.12"}},
    {"nvptxcompiler", "the PTX compiler library", LINK, {NULL}},
    {"nvPTXCompiler", "the PTX compiler library", LINK, {NULL}},
    {"npp", "NPP", IMAGE, {NULL}},
    {"nppc", "NPP", IMAGE, {NULL}},
    {"nppi", "NPP", IMAGE, {NULL}},
    {"nppial", "NPP", IMAGE, {NULL}},
    {"nppicc", "NPP", IMAGE, {NULL}},
    {"nppidei", "NPP", IMAGE, {NULL}},
    {"nppif", "NPP", IMAGE, {NULL}},
    {"nppig", "NPP", IMAGE, {NULL}},
    {"nppim", "NPP", IMAGE, {NULL}},
    {"nppist", "NPP", IMAGE, {NULL}},
    {"nppisu", "NPP", IMAGE, {NULL}},
    {"nppitc", "NPP", IMAGE, {NULL}},
    {"npps", "NPP", IMAGE, {NULL}},
    {"nvjpeg", "nvJPEG", "a decoder on the host", {NULL}},
    {"nvgraph", "nvGRAPH", SPARSE, {NULL}},
    {"nccl", "NCCL", OURS, {"libnccl.so.2"}},
    {"nvshmem", "NVSHMEM", PEERS, {NULL}},
    {"cupti", "CUPTI", COUNTS, {NULL}},
    {"nvperf_host", "CUPTI", COUNTS, {NULL}},
    {"cufile", "cuFile", "files that the host reads and copies to the device", {NULL}},
};

const struct sw_library *sw_library_at(size_t i)
{
    return i < sizeof libraries / sizeof *libraries ? &libraries[i] : NULL;
}

const struct sw_library *sw_library_find(const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    if (strncmp(name, "lib", 3) == 0) name += 3;
    size_t length = 0;
    while (isalpha((unsigned char)name[length]))
        length++;
    if (name[length] && !strchr("._-", name[length])) return NULL;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        const char *stem = libraries[i].stem;
        bool whole = strncmp(name, stem, length) == 0 && strlen(stem) == length;
        bool member = strncmp(name, stem, strlen(stem)) == 0 && name[strlen(stem)] == '_';
        if (whole || member) return &libraries[i];
    }
    return NULL;
}

const struct sw_library *sw_library_of_function(const char *name)
{
    const struct sw_library *best = NULL;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        size_t length = strlen(libraries[i].stem);
        bool ours = strncmp(name, libraries[i].stem, length) == 0 && isupper((unsigned char)name[length]);
        if (ours && (!best || length > strlen(best->stem))) best = &libraries[i];
    }
    return best;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The one table of NVIDIA's libraries that Softwarp does not run, for the compiler (missing headers, -l), for
 * the command that runs programs (missing files) and for the driver (their calls).
 * Method: the part of a file's name up to the first character that is neither letter nor, past the stem, part
 * of a member's name (_ops, -builtins, _v2) is compared. Headers that are named after a
 * part of a library (cusolverDn.h) have a row of their own, and no functions. Limits: libraries of other
 * names are not known. */
#include "base/base_library.h"

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
    {"cublas", "cuBLAS", OURS, {"libcublas.so.13", "libcublas.so.12"}, {"cublas", "cublasXt"}},
    {"cublasLt", "cuBLASLt", OURS, {"libcublasLt.so.13", "libcublasLt.so.12"}, {"cublasLt"}},
    {"cublasXt", "cuBLAS", OURS, {NULL}, {NULL}},
    {"cublasMp", "cuBLAS", BLAS, {NULL}, {"cublasMp"}},
    {"nvblas", "cuBLAS", BLAS, {NULL}, {"nvblas"}},
    {"cutensor", "cuTENSOR", BLAS, {NULL}, {"cutensor"}},
    {"cufft", "cuFFT", OURS, {"libcufft.so.12", "libcufft.so.11"}, {"cufft", "cufftXt"}},
    {"cufftw", "cuFFT", OURS, {"libcufftw.so.12", "libcufftw.so.11"}, {"cufftw"}},
    {"cufftXt", "cuFFT", OURS, {NULL}, {NULL}},
    {"curand", "cuRAND", OURS, {"libcurand.so.10"}, {"curand"}},
    {"cusparse", "cuSPARSE", OURS, {"libcusparse.so.12"}, {"cusparse"}},
    {"cusparseLt", "cuSPARSE", SPARSE, {NULL}, {"cusparseLt"}},
    {"cusolver",
     "cuSOLVER",
     OURS,
     {"libcusolver.so.12", "libcusolver.so.11"},
     {"cusolver", "cusolverDn", "cusolverSp", "cusolverRf"}},
    {"cusolverDn", "cuSOLVER", OURS, {NULL}, {NULL}},
    {"cusolverSp", "cuSOLVER", OURS, {NULL}, {NULL}},
    {"cusolverRf", "cuSOLVER", OURS, {NULL}, {NULL}},
    {"cusolverMg", "cuSOLVER", SOLVER, {NULL}, {"cusolverMg"}},
    {"cudss", "cuDSS", SOLVER, {NULL}, {"cudss"}},
    {"cudnn", "cuDNN", NEURAL, {NULL}, {"cudnn"}},
    {"nvinfer", "TensorRT", NEURAL, {NULL}, {"nvinfer"}},
    {"nvrtc", "NVRTC", OURS, {"libnvrtc.so.13", "libnvrtc.so.12"}, {"nvrtc"}},
    {"nvJitLink", "nvJitLink", OURS, {"libnvJitLink.so.13", "libnvJitLink.so.12"}, {"nvJitLink"}},
    {"nvptxcompiler", "the PTX compiler library", LINK, {NULL}, {"nvptxcompiler"}},
    {"nvPTXCompiler", "the PTX compiler library", LINK, {NULL}, {"nvPTXCompiler"}},
    {"npp", "NPP", IMAGE, {NULL}, {"npp"}},
    {"nppc", "NPP", IMAGE, {NULL}, {"nppc"}},
    {"nppi", "NPP", IMAGE, {NULL}, {"nppi"}},
    {"nppial", "NPP", IMAGE, {NULL}, {"nppial"}},
    {"nppicc", "NPP", IMAGE, {NULL}, {"nppicc"}},
    {"nppidei", "NPP", IMAGE, {NULL}, {"nppidei"}},
    {"nppif", "NPP", IMAGE, {NULL}, {"nppif"}},
    {"nppig", "NPP", IMAGE, {NULL}, {"nppig"}},
    {"nppim", "NPP", IMAGE, {NULL}, {"nppim"}},
    {"nppist", "NPP", IMAGE, {NULL}, {"nppist"}},
    {"nppisu", "NPP", IMAGE, {NULL}, {"nppisu"}},
    {"nppitc", "NPP", IMAGE, {NULL}, {"nppitc"}},
    {"npps", "NPP", IMAGE, {NULL}, {"npps"}},
    {"nvjpeg", "nvJPEG", "a decoder on the host", {NULL}, {"nvjpeg"}},
    {"nvgraph", "nvGRAPH", SPARSE, {NULL}, {"nvgraph"}},
    {"nccl", "NCCL", OURS, {"libnccl.so.2"}, {"nccl", "pnccl"}},
    {"nvshmem", "NVSHMEM", PEERS, {NULL}, {"nvshmem"}},
    {"cupti", "CUPTI", OURS, {"libcupti.so.13", "libcupti.so.12"}, {"cupti"}},
    {"nvperf_host", "CUPTI", COUNTS, {NULL}, {"nvperf_host"}},
    {"cufile", "cuFile", "files that the host reads and copies to the device", {NULL}, {"cufile"}},
};

const struct sw_library *sw_library_at(size_t i)
{
    return i < sizeof libraries / sizeof *libraries ? &libraries[i] : NULL;
}

/* Not <ctype.h>: in an auditor's C library (audit.c) the program's threads have no tables of characters. */
static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z');
}

const struct sw_library *sw_library_find(const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    if (strncmp(name, "lib", 3) == 0) name += 3;
    size_t length = 0;
    while (is_letter(name[length]))
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

/* The length of the prefix of the library's functions with which the name begins; 0: it begins with none. */
static size_t prefix_length(const struct sw_library *library, const char *name)
{
    size_t longest = 0;
    for (size_t i = 0; i < SW_LIBRARY_PREFIXES && library->functions[i]; i++) {
        const char *prefix = library->functions[i];
        size_t length = strlen(prefix);
        bool begins = strncmp(name, prefix, length) == 0 && is_upper(name[length]);
        if (begins && length > longest) longest = length;
    }
    return longest;
}

const struct sw_library *sw_library_of_function(const char *name)
{
    const struct sw_library *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        size_t length = prefix_length(&libraries[i], name);
        if (length > longest) {
            best = &libraries[i];
            longest = length;
        }
    }
    return best;
}

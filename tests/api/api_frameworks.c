/* SPDX-License-Identifier: Apache-2.0 */
/* How frameworks get from source or PTX to kernels, call by call, from their public sources:
 *   Triton, third_party/nvidia/backend/compiler.py (make_cubin) and driver.c (loadBinary, launch)
 *   CuPy, cupy/cuda/compiler.py and cupy/cuda/function.pyx (NVRTC, cubin, lowered name)
 *   Numba, numba/cuda/cudadrv/driver.py (PtxLinker: cuLink) and linkers over nvJitLink
 * usage: api_frameworks SOFTWARP */
#include "api_compile.h"
#include "nvJitLink.h"

#include <unistd.h>

static const char ptx[] =
    ".version 8.4\n.target sm_90a\n.address_size 64\n"
    ".visible .entry scale(.param .u64 .ptr .global .align 1 p)\n.maxntid 128, 1, 1\n{\n"
    ".reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n.local .align 4 .b8 frame[64];\n"
    "ld.param.u64 %rd1, [p];\nld.global.b32 %r1, [%rd1];\nst.local.b32 [frame+4], %r1;\n"
    "ld.local.b32 %r2, [frame+4];\nshl.b32 %r2, %r2, 1;\nst.global.b32 [%rd1], %r2;\nret;\n}\n";

/* Each block adds 1, waits for all, and keeps the sum; the last word of p: what the handle of another scope
 * gives. */
static const char grid_ptx[] =
    ".version 8.4\n.target sm_90a\n.address_size 64\n"
    ".extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 a);\n"
    ".extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 a, .param .b32 b);\n"
    ".visible .entry meet(.param .u64 p)\n{\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n.reg .pred %p<2>;\n"
    "ld.param.u64 %d1, [p];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d2, %d2, %d1;\n"
    "mov.u32 %r2, %tid.x;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 red.global.add.u32 [%d1], 1;\n"
    "{\n.param .b32 a;\n.param .b64 r;\nst.param.b32 [a], 1;\n"
    "call.uni (r), cudaCGGetIntrinsicHandle, (a);\nld.param.b64 %d3, [r];\n}\n"
    "{\n.param .b64 a;\n.param .b32 b;\n.param .b32 r;\nst.param.b64 [a], %d3;\nst.param.b32 [b], 0;\n"
    "call.uni (r), cudaCGSynchronize, (a, b);\nld.param.b32 %r3, [r];\n}\n"
    "ld.global.u32 %r4, [%d1];\nadd.u32 %r4, %r4, %r3;\n@%p1 st.global.u32 [%d2+4], %r4;\n"
    "{\n.param .b64 a;\n.param .b32 b;\n.param .b32 r;\nst.param.b64 [a], 0;\nst.param.b32 [b], 0;\n"
    "call.uni (r), cudaCGSynchronize, (a, b);\nld.param.b32 %r3, [r];\n}\n"
    "st.global.u32 [%d1+36], %r3;\nret;\n}\n";

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    CHECK(file);
    char *bytes = calloc(1, 1 << 20);
    CHECK(fread(bytes, 1, 1 << 20, file) > 0);
    fclose(file);
    return bytes;
}

/* ptxas writes a cubin to a file; the driver says what the kernel needs; it is launched by cuLaunchKernelEx.
 */
static void triton(const char *softwarp)
{
    char folder[] = "/tmp/api_frameworks_XXXXXX", input[64], output[64], log[64], command[768];
    CHECK(mkdtemp(folder));
    snprintf(input, sizeof input, "%s/in.ptx", folder);
    snprintf(output, sizeof output, "%s/out.cubin", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    FILE *file = fopen(input, "w");
    CHECK(file && fputs(ptx, file) >= 0 && fclose(file) == 0);
    snprintf(command, sizeof command, "'%s' ptxas -lineinfo -v --gpu-name=sm_90a %s -o %s 2> %s", softwarp,
             input, output, log);
    IS(system(command), 0);
    char *report = read_file(log), *cubin = read_file(output);
    HAS(report, "Compiling entry function 'scale' for 'sm_90a'");
    HAS(report, "64 bytes stack frame, 0 bytes spill stores");
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr place;
    int registers, local, threads, shared, reported = -1, value = 21;
    IS(cuModuleLoadData(&module, cubin), CUDA_SUCCESS);
    IS(cuModuleGetFunction(&kernel, module, "scale"), CUDA_SUCCESS);
    IS(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel), CUDA_SUCCESS);
    IS(cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel), CUDA_SUCCESS);
    IS(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel), CUDA_SUCCESS);
    IS(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel), CUDA_SUCCESS);
    sscanf(strstr(report, "Used "), "Used %d registers", &reported);
    IS(registers, reported);
    IS(local, 64);
    IS(threads, 128);
    IS(shared, 0);
    IS(cuMemAlloc(&place, sizeof value), CUDA_SUCCESS);
    IS(cuMemcpyHtoD(place, &value, sizeof value), CUDA_SUCCESS);
    void *arguments[] = {&place};
    CUlaunchConfig config = {
        .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1};
    IS(cuLaunchKernelEx(&config, kernel, arguments, NULL), CUDA_SUCCESS);
    IS(cuMemcpyDtoH(&value, place, sizeof value), CUDA_SUCCESS);
    IS(value, 42);
    IS(cuMemFree(place), CUDA_SUCCESS);
    IS(cuModuleUnload(module), CUDA_SUCCESS);
    free(report);
    free(cubin);
    unlink(input);
    unlink(output);
    unlink(log);
    rmdir(folder);
}

/* NVRTC makes a cubin for the device's own capability; the kernel is found by its lowered name. */
static void cupy(void)
{
    static const char source[] =
        "#include <cuda_fp16.h>\ntemplate <typename T> __global__ void twice(T *p) { T x = p[0]; "
        "__half h = __float2half((float)x); p[0] = x + (T)__half2float(h); }\n";
    static const char *const options[] = {"-I/nonexistent/include", "-std=c++17", "-DCUPY_USE_JITIFY=0",
                                          "-arch=sm_90", "--device-as-default-execution-space"};
    nvrtcProgram program;
    const char *name;
    size_t bytes;
    IS(nvrtcCreateProgram(&program, source, "/tmp/kern.cu", 0, NULL, NULL), NVRTC_SUCCESS);
    IS(nvrtcAddNameExpression(program, "twice<int>"), NVRTC_SUCCESS);
    nvrtcResult result = nvrtcCompileProgram(program, 5, options);
    if (result) fprintf(stderr, "%s", api_log(program));
    IS(result, NVRTC_SUCCESS);
    IS(nvrtcGetLoweredName(program, "twice<int>", &name), NVRTC_SUCCESS);
    char *cubin = API_GET(program, CUBIN, &bytes);
    CUlibrary library;
    CUkernel kernel;
    IS(cuLibraryLoadData(&library, cubin, NULL, NULL, 0, NULL, NULL, 0), CUDA_SUCCESS);
    IS(cuLibraryGetKernel(&kernel, library, name), CUDA_SUCCESS);
    IS(cuLibraryUnload(library), CUDA_SUCCESS);
    IS(api_launch(cubin, name, 21), 42);
    free(cubin);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

/* PTX goes through the driver's linker, or through nvJitLink, and what comes out is loaded as a cubin. */
static void numba(void)
{
    CUlinkState state;
    void *image;
    size_t bytes;
    char info[512] = "", errors[512] = "";
    CUjit_option names[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE};
    void *values[] = {info, (void *)sizeof info, errors, (void *)sizeof errors, (void *)1};
    char *text = strdup(ptx);
    IS(cuLinkCreate(5, names, values, &state), CUDA_SUCCESS);
    IS(cuLinkAddData(state, CU_JIT_INPUT_PTX, text, strlen(text), "<cudapy-ptx>", 0, NULL, NULL),
       CUDA_SUCCESS);
    /* cooperative groups: numba/cuda/codegen.py, get_linkerinfo adds the toolkit's cudadevrt */
    char empty[] = "!<arch>\n";
    IS(cuLinkAddData(state, CU_JIT_INPUT_LIBRARY, empty, sizeof empty - 1, "libcudadevrt.a", 0, NULL, NULL),
       CUDA_SUCCESS);
    IS(cuLinkComplete(state, &image, &bytes), CUDA_SUCCESS);
    IS(api_launch(image, "scale", 4), 8);
    IS(cuLinkDestroy(state), CUDA_SUCCESS);
    const char *options[] = {"-arch=sm_90a", "-lineinfo"};
    nvJitLinkHandle link;
    IS(nvJitLinkCreate(&link, 2, options), NVJITLINK_SUCCESS);
    IS(nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, text, strlen(text), "<cudapy-ptx>"), NVJITLINK_SUCCESS);
    IS(nvJitLinkComplete(link), NVJITLINK_SUCCESS);
    IS(nvJitLinkGetLinkedCubinSize(link, &bytes), NVJITLINK_SUCCESS);
    char *cubin = malloc(bytes);
    IS(nvJitLinkGetLinkedCubin(link, cubin), NVJITLINK_SUCCESS);
    IS(nvJitLinkDestroy(&link), NVJITLINK_SUCCESS);
    IS(api_launch(cubin, "scale", 5), 10);
    /* The driver's linker takes such a cubin, too. */
    IS(cuLinkCreate(0, NULL, NULL, &state), CUDA_SUCCESS);
    IS(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, cubin, bytes, "part", 0, NULL, NULL), CUDA_SUCCESS);
    IS(cuLinkComplete(state, &image, &bytes), CUDA_SUCCESS);
    IS(api_launch(image, "scale", 6), 12);
    IS(cuLinkDestroy(state), CUDA_SUCCESS);
    free(cubin);
    free(text);
}

/* grid.sync(): Numba calls the device runtime's functions by name, in a cooperative launch. */
static void grid_group(void)
{
    enum { BLOCKS = 8, WORDS = BLOCKS + 2 };
    CUlinkState state;
    CUmodule module;
    CUfunction meet;
    CUdeviceptr memory;
    void *image;
    size_t bytes;
    uint32_t words[WORDS];
    char empty[] = "!<arch>\n";
    IS(cuLinkCreate(0, NULL, NULL, &state), CUDA_SUCCESS);
    IS(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)grid_ptx, sizeof grid_ptx, "<cudapy-ptx>", 0,
                     NULL, NULL),
       CUDA_SUCCESS);
    IS(cuLinkAddData(state, CU_JIT_INPUT_LIBRARY, empty, sizeof empty - 1, "libcudadevrt.a", 0, NULL, NULL),
       CUDA_SUCCESS);
    IS(cuLinkComplete(state, &image, &bytes), CUDA_SUCCESS);
    IS(cuModuleLoadData(&module, image), CUDA_SUCCESS);
    IS(cuLinkDestroy(state), CUDA_SUCCESS);
    IS(cuModuleGetFunction(&meet, module, "meet"), CUDA_SUCCESS);
    IS(cuMemAlloc(&memory, sizeof words), CUDA_SUCCESS);
    IS(cuMemsetD8(memory, 0, sizeof words), CUDA_SUCCESS);
    void *params[] = {&memory};
    for (unsigned round = 1; round <= 2; round++) {
        IS(cuLaunchCooperativeKernel(meet, BLOCKS, 1, 1, 64, 1, 1, 0, NULL, params), CUDA_SUCCESS);
        IS(cuMemcpyDtoH(words, memory, sizeof words), CUDA_SUCCESS);
        for (unsigned b = 0; b <= BLOCKS; b++)
            IS(words[b], round * BLOCKS);
        IS(words[BLOCKS + 1], 1); /* cudaErrorInvalidValue */
    }
    IS(cuMemFree(memory), CUDA_SUCCESS);
    IS(cuModuleUnload(module), CUDA_SUCCESS);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    api_context();
    triton(argv[1]);
    cupy();
    numba();
    grid_group();
    puts("ok");
    return 0;
}

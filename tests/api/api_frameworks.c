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

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    api_context();
    triton(argv[1]);
    cupy();
    numba();
    puts("ok");
    return 0;
}

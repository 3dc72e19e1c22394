/* SPDX-License-Identifier: Apache-2.0 */
/* NVRTC: programs with headers and names, options, logs, statuses, cubins that the driver loads, threads, and
 * what is left in /tmp. What is expected is what NVRTC 13.0 answers. */
#include "api_compile.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static const char headers_source[] =
    "#include \"part/outer.h\"\n"
    "#include <absolute.h>\n"
    "template <class T> __global__ void scale(T *p) { *p = outer(*p) * FACTOR; }\n"
    "namespace here { __constant__ int table[3]; __device__ float value; }\n"
    "template <int N> __global__ void add(int *p) { *p += N; }\n"
    "static __constant__ int key; namespace here { static __global__ void own(int *p) "
    "{ *p = key; } }\nstatic __global__ void fill(int *p) { *p = 1; }\n";

static void headers_and_names(void)
{
    static const char *const texts[] = {"#pragma once\n#include \"../inner.h\"\n"
                                        "__device__ int outer(int x) { return inner(x) + 1; }\n",
                                        "__device__ int inner(int x) { return 2 * x; }\n",
                                        "#define FACTOR 10\n"};
    static const char *const names[] = {"part/outer.h", "inner.h", "absolute.h"};
    static const char *const expressions[] = {"scale<int>", "&add<3 + 4>", "here::table", "&here::value",
                                              "&key",       "here::own",   "fill"};
    static const char *const lowered[] = {
        "_Z5scaleIiEvPT_", "_Z3addILi7EEvPi", "_ZN4here5tableE", "_ZN4here5valueE", "key",
        "_ZN4here3ownEPi", "_Z4fillPi"};
    enum { EXPRESSIONS = sizeof expressions / sizeof *expressions };
    static const char *const options[] = {"-arch=sm_90", "--std=c++14"};
    nvrtcProgram program;
    const char *name;
    size_t bytes;
    IS(nvrtcCreateProgram(&program, headers_source, "names.cu", 3, texts, names), NVRTC_SUCCESS);
    for (int i = 0; i < EXPRESSIONS; i++)
        IS(nvrtcAddNameExpression(program, expressions[i]), NVRTC_SUCCESS);
    IS(nvrtcGetLoweredName(program, expressions[0], &name), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    nvrtcResult result = nvrtcCompileProgram(program, 2, options);
    if (result) fprintf(stderr, "%s", api_log(program));
    IS(result, NVRTC_SUCCESS);
    for (int i = 0; i < EXPRESSIONS; i++) {
        IS(nvrtcGetLoweredName(program, expressions[i], &name), NVRTC_SUCCESS);
        CHECK(strcmp(name, lowered[i]) == 0);
    }
    IS(nvrtcGetLoweredName(program, "scale<float>", &name), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    IS(nvrtcAddNameExpression(program, "more"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    char *ptx = API_GET(program, PTX, &bytes), *cubin = API_GET(program, CUBIN, &bytes);
    CHECK(!strstr(ptx, "softwarp_nvrtc_name"));
    CHECK(memcmp(cubin, "\177ELF", 4) == 0);
    IS(api_launch(cubin, lowered[0], 4), 90);
    IS(api_launch(ptx, lowered[1], 4), 11);
    free(ptx);
    free(cubin);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    CHECK(!program);
}

/* The text of a failed compilation's log. */
static char *failure(const char *source, nvrtcResult expected, const char *option)
{
    nvrtcProgram program;
    size_t bytes;
    IS(nvrtcCreateProgram(&program, source, NULL, 0, NULL, NULL), NVRTC_SUCCESS);
    IS(nvrtcCompileProgram(program, option != NULL, &option), expected);
    char *log = api_log(program);
    IS(nvrtcGetPTXSize(program, &bytes), NVRTC_SUCCESS);
    if (expected != NVRTC_SUCCESS) IS(bytes, 1);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    return log;
}

static void logs(void)
{
    static const char kernel[] = "extern \"C\" __global__ void k(int *p) { *p = 1; }\n";
    char *log = failure("__global__ void k(int *p)\n{\n    *p = nowhere;\n    p.q();\n}\n",
                        NVRTC_ERROR_COMPILATION, NULL);
    HAS(log, "default_program(3): error: ");
    HAS(log, "default_program(4): error: ");
    HAS(log, "\n2 errors detected in the compilation of \"default_program\".\n");
    free(log);
    log = failure("\n#include \"lacks/it.h\"\n", NVRTC_ERROR_COMPILATION, NULL);
    HAS(log, "default_program(2): catastrophic error: cannot open source file \"lacks/it.h\"\n");
    HAS(log, "Compilation terminated.\n");
    free(log);
    log = failure("#include <stdio.h>\n", NVRTC_ERROR_COMPILATION, NULL); /* no header of the host */
    HAS(log, "catastrophic error");
    free(log);
    log = failure("__global__ void k(int *p) { asm(\"no.such %0;\" : : \"r\"(1)); }", NVRTC_ERROR_COMPILATION,
                  "-arch=sm_90");
    HAS(log, "ptxas application ptx input, line ");
    free(log);
    CHECK(!*failure("__global__ void k(int *p) { asm(\"no.such %0;\" : : \"r\"(1)); }", NVRTC_SUCCESS,
                    "-arch=compute_90"));
    static const struct {
        const char *option, *says;
    } wrong[] = {
        {"--bogus", "nvrtc: error: unrecognized option --bogus found\n"},
        {"-O3", "nvrtc: error: unrecognized option -O3 found\n"},
        {"-arch=sm_13", "nvrtc: error: invalid value for --gpu-architecture (-arch)\n"},
        {"-arch=native", "nvrtc: error: invalid value for --gpu-architecture (-arch)\n"},
        {"-lineinfo=true", "nvrtc: error: --generate-line-info (-lineinfo) does not accept any argument\n"},
        {"-ftz", "nvrtc: error: --ftz (-ftz) expects true or false\n"},
        {"-fmad=1", "nvrtc: error: --fmad (-fmad) expects true or false\n"},
        {"-maxrregcount=abc", "nvrtc: error: --maxrregcount (-maxrregcount) expects an integer value\n"},
        {"--std=c++98", "nvrtc: error: invalid value for --std(-std)\n"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        log = failure(kernel, NVRTC_ERROR_INVALID_OPTION, wrong[i].option);
        CHECK(strcmp(log, wrong[i].says) == 0);
        free(log);
    }
}

/* Options change what is made. */
static void options(void)
{
    static const struct {
        const char *option, *in_ptx;
    } one[] = {
        {"-arch=compute_80", ".target sm_80"},   {"--gpu-architecture=compute_90a", ".target sm_90a"},
        {"-arch=compute_120", ".target sm_120"}, {"-DVALUE=77", ", 77;"},
        {"--define-macro=VALUE=78", ", 78;"},    {"-lineinfo", ".loc"},
        {"-use_fast_math", "sin.approx"},        {"-ftz=true", ".ftz.f32"},
        {"-fmad=false", "add.rn.f32"},           {"-dopt=on", ".entry k"},
        {"-rdc=true", ".visible .func"},         {"--device-debug", ".section"},
    };
    static const char source[] =
        "#ifndef VALUE\n#define VALUE 1\n#endif\n"
        "__device__ float part(float x) { return x * x + 2; }\n"
        "extern \"C\" __global__ void k(int *p, float *f) { *p = VALUE; f[0] = f[1] * f[2] + f[3]; "
        "f[4] = sinf(f[6]); f[7] = part(f[8]); }\n";
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        size_t bytes;
        nvrtcProgram program = api_program(source, 1, &one[i].option);
        char *ptx = API_GET(program, PTX, &bytes);
        HAS(ptx, one[i].in_ptx);
        free(ptx);
        IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    }
    static const char *const limited[] = {"-arch", "sm_90", "-maxrregcount=32", "--ptxas-options=-v",
                                          "-default-device"};
    nvrtcProgram program = api_program("int twice(int x) { return 2 * x; }\n"
                                       "extern \"C\" __global__ void k(int *p) { *p = twice(*p); }\n",
                                       5, limited);
    size_t bytes;
    char *log = api_log(program), *cubin = API_GET(program, CUBIN, &bytes);
    HAS(log, "Compiling entry function 'k' for 'sm_90'");
    CHECK(memmem(cubin, bytes, ".nv.info.k", sizeof ".nv.info.k"));
    IS(api_launch(cubin, "k", 21), 42);
    free(log);
    free(cubin);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

static void statuses(void)
{
    nvrtcProgram program, none = NULL;
    size_t bytes;
    int major, minor, count, archs[32];
    IS(nvrtcCreateProgram(NULL, "", NULL, 0, NULL, NULL), NVRTC_ERROR_INVALID_PROGRAM);
    IS(nvrtcCreateProgram(&program, NULL, NULL, 0, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
    IS(nvrtcCreateProgram(&program, "", NULL, 1, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
    IS(nvrtcDestroyProgram(&none), NVRTC_ERROR_INVALID_PROGRAM);
    IS(nvrtcCompileProgram(NULL, 0, NULL), NVRTC_ERROR_INVALID_PROGRAM);
    IS(nvrtcCreateProgram(&program, "__global__ void k() {}", NULL, 0, NULL, NULL), NVRTC_SUCCESS);
    IS(nvrtcGetPTXSize(program, &bytes), NVRTC_SUCCESS);
    IS(bytes, 1);
    IS(nvrtcGetPTXSize(program, NULL), NVRTC_ERROR_INVALID_INPUT);
    IS(nvrtcCompileProgram(program, 1, NULL), NVRTC_ERROR_INVALID_OPTION);
    IS(nvrtcCompileProgram(program, 0, NULL), NVRTC_SUCCESS);
    IS(nvrtcCompileProgram(program, 0, NULL), NVRTC_SUCCESS);
    IS(nvrtcGetCUBINSize(program, &bytes), NVRTC_SUCCESS);
    IS(bytes, 0); /* PTX was asked for */
    IS(nvrtcGetPCHCreateStatus(program), NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED);
    IS(nvrtcSetFlowCallback(program, NULL, NULL), NVRTC_ERROR_INVALID_INPUT);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    IS(nvrtcVersion(&major, &minor), NVRTC_SUCCESS);
    IS(major * 10 + minor, 130);
    IS(nvrtcGetNumSupportedArchs(&count), NVRTC_SUCCESS);
    IS(nvrtcGetSupportedArchs(archs), NVRTC_SUCCESS);
    IS(count, 12);
    IS(archs[0], 75);
    IS(archs[count - 1], 121);
    CHECK(strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION") == 0);
    CHECK(strcmp(nvrtcGetErrorString((nvrtcResult)99), "NVRTC_ERROR unknown") == 0);
}

static int cancel(void *payload, void *reserved)
{
    (void)reserved;
    return ++*(int *)payload > 0;
}

static void cancelled(void)
{
    nvrtcProgram program;
    int calls = 0;
    IS(nvrtcCreateProgram(&program, "__global__ void k() {}", NULL, 0, NULL, NULL), NVRTC_SUCCESS);
    IS(nvrtcSetFlowCallback(program, cancel, &calls), NVRTC_SUCCESS);
    IS(nvrtcCompileProgram(program, 0, NULL), NVRTC_ERROR_CANCELLED);
    IS(calls, 1);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

/* What NVRTC declares before the first line, and nothing else: programs bring types and a namespace std of
 * their own. */
static void predefined(void)
{
    static const char source[] =
        "typedef unsigned long long uint64_t;\n"
        "namespace std { template <class A, class B> struct is_same { enum { value = 0 }; };\n"
        "__device__ float sin(float x) { return ::sin(x); } }\n"
        "extern \"C\" __global__ void k(int *p)\n{\n"
        "    static_assert(sizeof(uint64_t) == sizeof(size_t), \"\");\n"
        "    float4 v = make_float4(1, 2, 3, 4);\n"
        "    int *q = new int[2]; q[0] = max(*p, 3); q[1] = abs(-5);\n"
        "    assert(q); memset(p, 0, sizeof *p);\n"
        "    for (int x : {q[0], q[1], (int)v.w, (int)std::sin(0.0f), (int)pow(2.0f, 3)}) *p += x;\n"
        "    new (p) int(std::move(*p)); *p += __CUDACC_RTC__ + (__CUDA_ARCH__ == 900); delete[] q;\n}\n";
    static const char *const arch[] = {"-arch=sm_90"};
    size_t bytes;
    nvrtcProgram program = api_program(source, 1, arch);
    char *cubin = API_GET(program, CUBIN, &bytes);
    IS(api_launch(cubin, "k", 1), 3 + 5 + 4 + 0 + 8 + 2);
    free(cubin);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

/* A variable without linkage that nothing in the source writes is the host's to write. */
static void written_by_name(void)
{
    static const char *const arch[] = {"-arch=sm_90"};
    CUmodule module;
    CUdeviceptr table;
    size_t bytes;
    nvrtcProgram program = api_program("static __constant__ int table[4];\n"
                                       "extern \"C\" __global__ void k(int *p) { *p = table[*p]; }\n",
                                       1, arch);
    char *cubin = API_GET(program, CUBIN, &bytes);
    IS(cuModuleLoadData(&module, cubin), CUDA_SUCCESS);
    IS(cuModuleGetGlobal(&table, &bytes, module, "table"), CUDA_SUCCESS);
    IS(bytes, 16);
    IS(cuModuleUnload(module), CUDA_SUCCESS);
    HAS(API_GET(program, PTX, &bytes), "ld.const");
    free(cubin);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

/* A cubin is for one major capability, as machine code is. */
static void other_devices(void)
{
    static const char *const lower[] = {"-arch=sm_80"}, *const ptx_lower[] = {"-arch=compute_80"};
    CUmodule module;
    size_t bytes;
    nvrtcProgram program = api_program("extern \"C\" __global__ void k(int *p) { *p += 1; }", 1, lower);
    char *cubin = API_GET(program, CUBIN, &bytes);
    IS(cuModuleLoadData(&module, cubin), CUDA_ERROR_NO_BINARY_FOR_GPU);
    free(cubin);
    IS(nvrtcCompileProgram(program, 1, ptx_lower), NVRTC_SUCCESS);
    char *ptx = API_GET(program, PTX, &bytes);
    IS(api_launch(ptx, "k", 1), 2);
    free(ptx);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

/* Part of sources, to find the files that hold them. */
static const char *marker(void)
{
    static char text[48];
    if (!*text) snprintf(text, sizeof text, "api_nvrtc of process %ld", (long)getpid());
    return text;
}

static void *compile_some(void *number)
{
    char source[160], expected[32];
    for (int i = 0; i < 3; i++) {
        int value = 1000 * (int)(size_t)number + i;
        size_t bytes;
        snprintf(source, sizeof source, "extern \"C\" __global__ void k(int *p) { *p = %d; } // %s", value,
                 marker());
        snprintf(expected, sizeof expected, ", %d;", value);
        nvrtcProgram program = api_program(source, 0, NULL);
        char *ptx = API_GET(program, PTX, &bytes);
        HAS(ptx, expected);
        free(ptx);
        IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    }
    return NULL;
}

static void threads(void)
{
    enum { THREADS = 4 };
    pthread_t all[THREADS];
    marker();
    for (size_t i = 0; i < THREADS; i++)
        IS(pthread_create(&all[i], NULL, compile_some, (void *)(i + 1)), 0);
    for (size_t i = 0; i < THREADS; i++)
        IS(pthread_join(all[i], NULL), 0);
    signal(SIGCHLD, SIG_IGN); /* the system keeps no exit status */
    compile_some((void *)9);
    char *log = failure("__global__ void k() { nowhere; }", NVRTC_ERROR_COMPILATION, NULL);
    HAS(log, "error");
    free(log);
    signal(SIGCHLD, SIG_DFL);
}

/* Folders in /tmp that hold sources of this process. */
static unsigned folders(void)
{
    unsigned count = 0;
    char path[96], text[4096];
    DIR *list = opendir("/tmp");
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (strncmp(entry->d_name, "softwarp-cc-", 12) != 0) continue;
        snprintf(path, sizeof path, "/tmp/%.40s/source.cu", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        count += strstr(text, marker()) != NULL;
        fclose(file);
    }
    if (list) closedir(list);
    return count;
}

int main(void)
{
    api_context();
    headers_and_names();
    logs();
    options();
    statuses();
    cancelled();
    predefined();
    written_by_name();
    other_devices();
    threads();
    IS(folders(), 0);
    puts("ok");
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* nvJitLink: modules of PTX and of what NVRTC makes become one cubin that the driver loads; options, logs and
 * statuses are those of nvJitLink 13.0. */
#include "api_compile.h"
#include "nvJitLink.h"

static const char main_source[] =
    "extern __device__ int other(int); extern __device__ int shared_value;\n"
    "extern \"C\" __global__ void k(int *p) { *p = other(*p) + shared_value; }\n";
static const char part_source[] =
    "__device__ int shared_value = 5;\n__device__ int other(int x) { return 3 * x; }\n";

struct part {
    char *text;
    size_t bytes;
};

static struct part compile_part(const char *source, const char *how)
{
    const char *options[] = {"-arch=compute_90", how};
    struct part part;
    nvrtcProgram program = api_program(source, 2, options);
    part.text =
        strcmp(how, "-dlto") == 0 ? API_GET(program, LTOIR, &part.bytes) : API_GET(program, PTX, &part.bytes);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    return part;
}

static char *error_log(nvJitLinkHandle link)
{
    size_t bytes;
    IS(nvJitLinkGetErrorLogSize(link, &bytes), NVJITLINK_SUCCESS);
    char *log = calloc(bytes + 1, 1);
    IS(nvJitLinkGetErrorLog(link, log), NVJITLINK_SUCCESS);
    return log;
}

static nvJitLinkHandle new_link(uint32_t count, const char **options)
{
    nvJitLinkHandle link = NULL;
    IS(nvJitLinkCreate(&link, count, options), NVJITLINK_SUCCESS);
    return link;
}

static void linked(struct part first, struct part second, nvJitLinkInputType type)
{
    const char *options[] = {"-arch=sm_90", "-verbose", "-lto"};
    nvJitLinkHandle link = new_link(type == NVJITLINK_INPUT_LTOIR ? 3 : 2, options);
    size_t bytes;
    IS(nvJitLinkGetLinkedCubinSize(link, &bytes), NVJITLINK_ERROR_INTERNAL);
    IS(nvJitLinkAddData(link, type, first.text, first.bytes, "first"), NVJITLINK_SUCCESS);
    IS(nvJitLinkAddData(link, type, second.text, second.bytes, "second"), NVJITLINK_SUCCESS);
    nvJitLinkResult result = nvJitLinkComplete(link);
    if (result) fprintf(stderr, "%s", error_log(link));
    IS(result, NVJITLINK_SUCCESS);
    IS(nvJitLinkGetLinkedCubinSize(link, &bytes), NVJITLINK_SUCCESS);
    char *cubin = malloc(bytes);
    IS(nvJitLinkGetLinkedCubin(link, cubin), NVJITLINK_SUCCESS);
    CHECK(memcmp(cubin, "\177ELF", 4) == 0);
    IS(api_launch(cubin, "k", 4), 17);
    IS(nvJitLinkGetLinkedPtxSize(link, &bytes), NVJITLINK_ERROR_INVALID_INPUT);
    IS(nvJitLinkGetInfoLogSize(link, &bytes), NVJITLINK_SUCCESS);
    char *info = malloc(bytes);
    IS(nvJitLinkGetInfoLog(link, info), NVJITLINK_SUCCESS);
    HAS(info, "Compiling entry function 'k' for 'sm_90'");
    free(info);
    free(cubin);
    IS(nvJitLinkDestroy(&link), NVJITLINK_SUCCESS);
    CHECK(!link);
}

/* A cubin of ours is input, too, and PTX comes out where it is asked for. */
static void cubins_and_ptx(struct part first, struct part second)
{
    const char *options[] = {"-arch=sm_90"}, *to_ptx[] = {"-arch=compute_90", "-lto", "-ptx"};
    const char *real[] = {"-arch=sm_90", "-rdc=true"};
    size_t bytes;
    nvrtcProgram program = api_program(part_source, 2, real);
    char *cubin = API_GET(program, CUBIN, &bytes);
    nvJitLinkHandle link = new_link(1, options);
    IS(nvJitLinkAddData(link, NVJITLINK_INPUT_ANY, first.text, first.bytes, "first"), NVJITLINK_SUCCESS);
    IS(nvJitLinkAddData(link, NVJITLINK_INPUT_CUBIN, cubin, bytes, "part"), NVJITLINK_SUCCESS);
    IS(nvJitLinkComplete(link), NVJITLINK_SUCCESS);
    IS(nvJitLinkDestroy(&link), NVJITLINK_SUCCESS);
    free(cubin);
    IS(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    link = new_link(3, to_ptx);
    IS(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, first.text, first.bytes, "first"), NVJITLINK_SUCCESS);
    IS(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, second.text, second.bytes, "second"), NVJITLINK_SUCCESS);
    IS(nvJitLinkComplete(link), NVJITLINK_SUCCESS);
    IS(nvJitLinkGetLinkedPtxSize(link, &bytes), NVJITLINK_SUCCESS);
    char *ptx = malloc(bytes);
    IS(nvJitLinkGetLinkedPtx(link, ptx), NVJITLINK_SUCCESS);
    CHECK(strlen(ptx) + 1 == bytes);
    IS(api_launch(ptx, "k", 4), 17);
    free(ptx);
    IS(nvJitLinkDestroy(&link), NVJITLINK_SUCCESS);
}

/* The error log of a link of one input. */
static void fails(struct part part, nvJitLinkInputType type, nvJitLinkResult added, nvJitLinkResult completed,
                  const char *says)
{
    const char *options[] = {"-arch=sm_90"};
    nvJitLinkHandle link = new_link(1, options);
    IS(nvJitLinkAddData(link, type, part.text, part.bytes, "x.ptx"), added);
    IS(nvJitLinkComplete(link), completed);
    char *log = error_log(link);
    HAS(log, says);
    free(log);
    IS(nvJitLinkDestroy(&link), NVJITLINK_SUCCESS);
}

static void errors(struct part first)
{
    static char bad[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { add.s32 %r1, %r2; ret; }";
    static char text[] = "hello";
    fails(first, NVJITLINK_INPUT_PTX, NVJITLINK_SUCCESS, NVJITLINK_ERROR_INTERNAL,
          "error   : Undefined reference to '_Z5otheri' in 'x.ptx'\n");
    fails((struct part){bad, sizeof bad}, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_PTX_COMPILE, NVJITLINK_SUCCESS,
          "ptxas application ptx input, line 4; error   : ");
    fails((struct part){text, sizeof text}, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
          NVJITLINK_SUCCESS, "bad input: does not match type NVJITLINK_INPUT_PTX");
    fails(first, NVJITLINK_INPUT_CUBIN, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, NVJITLINK_SUCCESS,
          "NVJITLINK_INPUT_CUBIN");
    fails(first, NVJITLINK_INPUT_NONE, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, NVJITLINK_SUCCESS,
          "unsupported input type: x.ptx\n");
}

static void created(const char *first, const char *second, nvJitLinkResult expected, const char *says)
{
    const char *options[] = {first, second};
    nvJitLinkHandle link = NULL;
    IS(nvJitLinkCreate(&link, second ? 2 : 1, options), expected);
    char *log = error_log(link);
    HAS(log, says);
    free(log);
    IS(nvJitLinkDestroy(&link), NVJITLINK_SUCCESS);
}

static void statuses(void)
{
    nvJitLinkHandle none = NULL;
    const char *options[] = {"-arch=sm_90"};
    unsigned major, minor;
    IS(nvJitLinkCreate(NULL, 1, options), NVJITLINK_ERROR_NULL_INPUT);
    IS(nvJitLinkCreate(&none, 0, NULL), NVJITLINK_ERROR_NULL_INPUT);
    IS(nvJitLinkDestroy(&none), NVJITLINK_ERROR_NULL_INPUT);
    IS(nvJitLinkComplete(NULL), NVJITLINK_ERROR_NULL_INPUT);
    IS(nvJitLinkVersion(&major, &minor), NVJITLINK_SUCCESS);
    IS(major * 10 + minor, 130);
    created("-arch=sm_90", "-bogus", NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "unrecognized option: -bogus\n");
    created("-arch=sm_99", NULL, NVJITLINK_ERROR_UNRECOGNIZED_ARCH,
            "unrecognized architecture (compute_99)\n");
    created("-arch=sm_70", NULL, NVJITLINK_ERROR_UNSUPPORTED_ARCH, "unsupported architecture (compute_70)\n");
    created("-arch=sm_90", "-ptx", NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, "ERROR: -ptx requires -lto\n");
    created("-arch=compute_90", NULL, NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
            "ERROR: virtual arch requires -ptx\n");
    created("-O3", NULL, NVJITLINK_ERROR_MISSING_ARCH, "-arch");
    nvJitLinkHandle link = new_link(1, options);
    IS(nvJitLinkAddFile(link, NVJITLINK_INPUT_PTX, "/nonexistent"), NVJITLINK_ERROR_INVALID_INPUT);
    char *log = error_log(link);
    HAS(log, "no such file: /nonexistent\n");
    free(log);
    IS(nvJitLinkDestroy(&link), NVJITLINK_SUCCESS);
}

int main(void)
{
    api_context();
    struct part first = compile_part(main_source, "-rdc=true"),
                second = compile_part(part_source, "-rdc=true");
    struct part first_lto = compile_part(main_source, "-dlto"),
                second_lto = compile_part(part_source, "-dlto");
    linked(first, second, NVJITLINK_INPUT_PTX);
    linked(first_lto, second_lto, NVJITLINK_INPUT_LTOIR);
    cubins_and_ptx(first_lto, second_lto);
    errors(first);
    statuses();
    free(first.text);
    free(second.text);
    free(first_lto.text);
    free(second_lto.text);
    puts("ok");
    return 0;
}

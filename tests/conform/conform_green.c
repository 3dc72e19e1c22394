/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a device: resources of multiprocessors and how they split, green contexts and their streams,
 * support of atomics on other memory; and the functions of CUDA 2.0, whose pointers and sizes have 32 bits.
 * */
#define _GNU_SOURCE
#include "conform.h"

#include <dlfcn.h>

static char what[160];
#define WHAT(...) (snprintf(what, sizeof(what), __VA_ARGS__), what)
static int one = 1;
static void *params[] = {&one};

static CUresult launch(CUfunction function, CUstream stream)
{
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

/* ---- splitting */
static CUdevResource all;

static void say_resource(const char *name, CUresult result, const CUdevResource *r)
{
    TELL(name, "%s: type %d, %u multiprocessors, at least %u, by %u", conform_error(result), (int)r->type,
         r->sm.smCount, r->sm.minSmPartitionSize, r->sm.smCoscheduledAlignment);
}

static void split(unsigned flags, unsigned least, unsigned wanted)
{
    CUdevResource groups[200], rest;
    unsigned count = wanted;
    memset(groups, 0, sizeof(groups));
    memset(&rest, 0, sizeof(rest));
    CUresult result = cuDevSmResourceSplitByCount(groups, &count, &all, &rest, flags, least);
    TELL(WHAT("%u groups of %u, flags %u", wanted, least, flags),
         "%s: %u groups of %u, the last of %u, rest %d %u", conform_error(result), count,
         groups[0].sm.smCount, count > 0 && count < 200 ? groups[count - 1].sm.smCount : 0, (int)rest.type,
         rest.sm.smCount);
}

static void splits(void)
{
    CUdevResource rest;
    CUcontext context;
    MUST(cuCtxGetCurrent(&context));
    CUresult result = cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM);
    say_resource("of the device", result, &all);
    memset(&rest, 0, sizeof(rest));
    result = cuCtxGetDevResource(context, &rest, CU_DEV_RESOURCE_TYPE_SM);
    say_resource("of a context", result, &rest);
    static const unsigned least[] = {0,  1,  2,  3,  4,  7,  8,   9,   12,  16,  20, 24,
                                     32, 40, 64, 66, 68, 72, 100, 128, 130, 132, 133};
    for (unsigned flags = 0; flags < 4; flags++)
        for (size_t i = 0; i < sizeof(least) / sizeof(*least); i++) {
            unsigned count = 77;
            result = cuDevSmResourceSplitByCount(NULL, &count, &all, NULL, flags, least[i]);
            TELL(WHAT("how many groups of %u, flags %u", least[i], flags), "%s: %u", conform_error(result),
                 count);
            if (least[i] > 0 && least[i] < 100) split(flags, least[i], 2);
        }
    split(0, 8, 1);
    split(0, 8, 5);
    split(0, 8, 0);
    split(0, 8, 16);
    split(0, 8, 17);
    split(0, 0, 1);
    split(0, 132, 1);
    split(0, 130, 1);
    split(1, 1, 132);
    split(1, 1, 70);
    split(1, 2, 66);
    split(2, 16, 8);
}

/* ---- contexts */
static CUgreenCtx made(unsigned count, CUdevResource *resources)
{
    CUdevResourceDesc desc = NULL;
    CUgreenCtx green = NULL;
    if (cuDevResourceGenerateDesc(&desc, resources, count) != CUDA_SUCCESS) return NULL;
    if (cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS) return NULL;
    return green;
}

static const char *which(CUcontext context, CUcontext primary, CUcontext green)
{
    return context == NULL              ? "none"
           : context == primary         ? "primary"
           : context == green           ? "green"
           : context == conform_context ? "first"
                                        : "another";
}

static void combinations(CUdevResource *parts, CUdevResource *rest)
{
    CUdevResourceDesc desc;
    CUdevResource mixed[3] = {parts[0], parts[1], *rest}, same[2] = {parts[0], parts[0]},
                  whole[2] = {all, parts[0]};
    CUdevResource other[2] = {parts[0], parts[0]}, again[2];
    unsigned count = 2;
    CUgreenCtx green;
    CUdevResource of;
    ASK(cuDevResourceGenerateDesc(&desc, mixed, 3));
    ASK(cuDevResourceGenerateDesc(&desc, same, 2));
    ASK(cuDevResourceGenerateDesc(&desc, whole, 2));
    ASK(cuDevResourceGenerateDesc(&desc, &all, 1));
    ASK(cuDevResourceGenerateDesc(&desc, rest, 1));
    ASK(cuDevSmResourceSplitByCount(again, &count, &parts[0], NULL, 0, 8));
    MUST(cuDeviceGetDevResource(1, &other[1], CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuDevResourceGenerateDesc(&desc, other, 2));
    ASK(cuDevResourceGenerateDesc(&desc, &other[1], 1));
    ASK(cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    static const unsigned numbers[] = {1, 2, 3};
    for (size_t i = 0; i < 3; i++) {
        memset(&of, 0, sizeof(of));
        green = made(numbers[i], mixed);
        CUresult result = green == NULL ? CUDA_ERROR_UNKNOWN
                                        : cuGreenCtxGetDevResource(green, &of, CU_DEV_RESOURCE_TYPE_SM);
        say_resource(WHAT("of a green context of %u resources", numbers[i]), result, &of);
        if (green != NULL) cuGreenCtxDestroy(green);
    }
}

static void use(CUgreenCtx green, CUcontext as, CUcontext primary)
{
    CUstream of_green = NULL, of_current = NULL, of_first;
    CUgreenCtx got = NULL;
    CUcontext context = NULL;
    CUevent event, first_event;
    CUdeviceptr p;
    CUfunction function, elsewhere = conform_function("empty");
    CUmodule module = NULL;
    CUdevResource of;
    unsigned flags = 77;
    int priority = 77, blocks = 0;
    unsigned long long ids[3] = {0};
    MUST(cuStreamCreate(&of_first, CU_STREAM_NON_BLOCKING));
    MUST(cuEventCreate(&first_event, 0));
    ASK(cuGreenCtxStreamCreate(&of_green, green, CU_STREAM_NON_BLOCKING, 0));
    MUST(cuStreamGetFlags(of_green, &flags));
    MUST(cuStreamGetPriority(of_green, &priority));
    TELL("flags and priority", "%u %d", flags, priority);
    ASK(cuStreamGetGreenCtx(of_green, &got));
    TELL("the stream's green context", "%s", got == green ? "it" : got == NULL ? "none" : "another");
    MUST(cuStreamGetCtx(of_green, &context));
    TELL("the stream's context", "%s", which(context, primary, as));
    ASK(cuStreamGetCtx_v2(of_green, &context, &got));
    TELL("both", "%s %s", which(context, primary, as),
         got == green  ? "it"
         : got == NULL ? "none"
                       : "another");
    ASK(cuStreamGetCtx_v2(of_first, &context, &got));
    TELL("both of a plain one", "%s %s", which(context, primary, as), got == NULL ? "none" : "another");
    ASK(cuStreamGetGreenCtx(of_first, &got));
    ASK(launch(elsewhere, of_green)); /* a function of another context */
    ASK(cuCtxSetCurrent(as));
    MUST(cuCtxGetCurrent(&context));
    TELL("current", "%s", which(context, primary, as));
    ASK(cuStreamGetGreenCtx(NULL, &got));
    TELL("the null stream's", "%s", got == green ? "it" : got == NULL ? "none" : "another");
    ASK(cuStreamCreate(&of_current, 0));
    ASK(cuStreamGetGreenCtx(of_current, &got));
    TELL("a blocking stream's", "%s", got == green ? "it" : got == NULL ? "none" : "another");
    memset(&of, 0, sizeof(of));
    CUresult result = cuCtxGetDevResource(as, &of, CU_DEV_RESOURCE_TYPE_SM);
    say_resource("of its context", result, &of);
    memset(&of, 0, sizeof(of));
    result = cuCtxGetDevResource(primary, &of, CU_DEV_RESOURCE_TYPE_SM);
    say_resource("of the primary context", result, &of);
    MUST(cuCtxGetId(as, &ids[0]));
    MUST(cuCtxGetId(primary, &ids[1]));
    MUST(cuGreenCtxGetId(green, &ids[2]));
    TELL("numbers", "%s %s", ids[0] == ids[1] ? "the primary's" : "its own",
         ids[0] == ids[2] ? "both the same" : "two");
    ASK(cuMemAlloc(&p, 4096));
    ASK(cuModuleLoadData(&module, conform_ptx));
    MUST(cuModuleGetFunction(&function, module, "empty"));
    ASK(launch(function, NULL));
    ASK(launch(function, of_green));
    ASK(launch(function, of_current));
    ASK(launch(function, of_first));
    MUST(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 1024, 0));
    MUST(cuGreenCtxGetDevResource(green, &of, CU_DEV_RESOURCE_TYPE_SM));
    int fits = blocks * (int)of.sm.smCount;
    ASK(cuLaunchCooperativeKernel(function, fits, 1, 1, 1024, 1, 1, 0, of_green, params));
    ASK(cuLaunchCooperativeKernel(function, fits + 1, 1, 1, 1024, 1, 1, 0, of_green, params));
    ASK(cuLaunchCooperativeKernel(function, fits + 1, 1, 1, 1024, 1, 1, 0, of_current, params));
    ASK(cuLaunchCooperativeKernel(function, fits + 1, 1, 1, 1024, 1, 1, 0, NULL, params));
    int grid = 0, block = 0;
    MUST(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 0));
    TELL("best grid", "%d", grid);
    ASK(cuEventCreate(&event, 0));
    ASK(cuEventRecord(event, of_green));
    ASK(cuEventRecord(event, of_current));
    ASK(cuEventRecord(first_event, of_green));
    ASK(cuStreamWaitEvent(of_green, first_event, 0));
    ASK(cuGreenCtxRecordEvent(green, event));
    ASK(cuGreenCtxRecordEvent(green, first_event));
    ASK(cuGreenCtxWaitEvent(green, event));
    ASK(cuGreenCtxWaitEvent(green, first_event));
    ASK(cuCtxRecordEvent(as, event));
    ASK(cuCtxWaitEvent(as, event));
    ASK(cuCtxSetCurrent(primary));
    ASK(launch(function, of_green));
    ASK(launch(function, NULL));
    ASK(cuMemsetD8Async(p, 1, 16, of_green));
    ASK(cuCtxSynchronize());
    ASK(cuCtxDestroy(as));
    ASK(cuCtxSetCurrent(as));
    ASK(cuGreenCtxDestroy(green));
    MUST(cuCtxGetCurrent(&context));
    TELL("current after its end", "%s", which(context, primary, as));
    ASK(cuCtxSynchronize());
    ASK(cuStreamQuery(of_green));
    ASK(cuStreamDestroy(of_green));
    ASK(cuStreamDestroy(of_current));
    ASK(cuCtxSetCurrent(primary));
    ASK(cuMemFree(p));
    ASK(cuModuleUnload(module));
}

static void capabilities(void)
{
    for (int i = 0; i < 14; i++) {
        CUatomicOperation operation = (CUatomicOperation)i;
        unsigned value = 0x5a5a;
        CUresult result = cuDeviceGetHostAtomicCapabilities(&value, &operation, 1, 0);
        TELL(WHAT("atomic %d to the host", i), "%s %#x", conform_error(result), value);
        value = 0x5a5a;
        result = cuDeviceGetP2PAtomicCapabilities(&value, &operation, 1, 0, 1);
        TELL(WHAT("atomic %d to a peer", i), "%s %#x", conform_error(result), value);
    }
}

void conform_greens(void)
{
    CUcontext primary = NULL, as = NULL;
    CUdevResource parts[2], rest;
    unsigned count = 2, flags;
    int active = 77;
    capabilities();
    splits();
    MUST(cuDevSmResourceSplitByCount(parts, &count, &all, &rest, 0, 16));
    CUgreenCtx green = made(1, parts), second = NULL;
    MUST(cuDevicePrimaryCtxGetState(0, &flags, &active));
    TELL("the primary context", "%s", active ? "active" : "not active");
    second = made(1, &parts[0]);
    TELL("a second of the same part", "%s", second == NULL ? "none" : "made");
    ASK(cuCtxFromGreenCtx(&as, green));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    TELL("converted", "%s",
         as == primary                    ? "the primary"
         : as == (CUcontext)(void *)green ? "the same handle"
                                          : "another");
    CUcontext twice = NULL;
    MUST(cuCtxFromGreenCtx(&twice, green));
    TELL("converted twice", "%s", twice == as ? "the same" : "another");
    if (second != NULL) cuGreenCtxDestroy(second);
    combinations(parts, &rest);
    use(green, as, primary);
}

/* ---- the forms of CUDA 2.0 */
static void *form(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

void conform_first_forms(void)
{
    unsigned a = 0x5a5a5a5a, b = 0x5a5a5a5a;
    CUresult (*total)(unsigned *, CUdevice), (*info)(unsigned *, unsigned *), (*alloc)(unsigned *, unsigned);
    CUresult (*context_new)(CUcontext *, unsigned, CUdevice), (*released)(unsigned);
    void *at = form("cuDeviceTotalMem");
    memcpy(&total, &at, sizeof(at));
    at = form("cuMemGetInfo");
    memcpy(&info, &at, sizeof(at));
    at = form("cuMemAlloc");
    memcpy(&alloc, &at, sizeof(at));
    at = form("cuMemFree");
    memcpy(&released, &at, sizeof(at));
    at = form("cuCtxCreate");
    memcpy(&context_new, &at, sizeof(at));
    CUresult result = total(&a, 0);
    TELL("total memory", "%s %s", conform_error(result),
         a == 0xffffffff   ? "as much as fits"
         : a == 0x5a5a5a5a ? "untouched"
                           : "another");
    a = 0x5a5a5a5a;
    result = info(&a, &b);
    TELL("free memory", "%s %s", conform_error(result),
         a == 0xffffffff   ? "as much as fits"
         : a == 0x5a5a5a5a ? "untouched"
                           : "another");
    a = 0x5a5a5a5a;
    result = alloc(&a, 256);
    TELL("an allocation", "%s %s", conform_error(result),
         a == 0x5a5a5a5a ? "untouched"
         : a == 0        ? "null"
                         : "an address");
    if (result == CUDA_SUCCESS) {
        ASK(cuMemsetD8(a, 1, 256));
        result = released(a);
        TELL("its end", "%s", conform_error(result));
    }
    CUcontext context = NULL;
    unsigned version = 0;
    result = context_new(&context, 0, 0);
    TELL("a context", "%s", conform_error(result));
    if (result != CUDA_SUCCESS) return;
    result = cuCtxGetApiVersion(context, &version);
    TELL("its version", "%s %u", conform_error(result), version);
    result = cuMemAlloc((CUdeviceptr[1]){0}, 256);
    TELL("an allocation of now in it", "%s", conform_error(result));
    result = alloc(&a, 256);
    TELL("an allocation in it", "%s", conform_error(result));
    CUevent event;
    TELL("an event in it", "%s", conform_error(cuEventCreate(&event, 0)));
}

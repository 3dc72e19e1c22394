/* SPDX-License-Identifier: Apache-2.0 */
/* Who may reach which device's memory. A question is what it does, steps with `;` between them, and its
 * answer is theirs. Each runs in a process of its own, since most end a context.
 *
 *   enable 0>1, disable 0>1      contexts 0 and 1 are the primary ones of devices 0 and 1, 2 and 3 others of
 *                                these devices
 *   load 0 a1 ...                a kernel (peers_ptx) in context 0 on memory a1; its answer: what it read
 *   set, read, write 0 a1; copy 0 a1 a0; ...      the functions of the table `verbs`
 *
 * Memory is made when it is first named (make: only that): a letter and a context. a: cuMemAlloc, g: a
 * module's variable, m: managed, h: pinned, p: of the device's pool, v: mapped, with nobody's access, w: the
 * pages of v of that context a second time, with nobody's access either. conform_peers_other.c has more. */
#define _GNU_SOURCE
#include "conform_peers.h"

#include <sys/wait.h>
#include <unistd.h>

enum { CONTEXTS = PEERS_CONTEXTS, MAPPED = 2 << 20, BYTES = PEERS_BYTES, ANSWER = 256 };
static const char peers_ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                                ".visible .global .align 16 .u32 word[4] = {31, 31, 31, 31};\n"
#define KERNEL(name, body)                                                                                   \
    ".visible .entry " name "(.param .u64 p, .param .u64 q)\n{\n"                                            \
    ".reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %x;\n.shared .align 16 .b8 room[16];\n"                    \
    ".shared .align 8 .b64 bar;\nld.param.u64 %d1, [p]; ld.param.u64 %d2, [q];\n" body                       \
    "st.global.u32 [%d2], %r1; ret;\n}\n"
#define LANE "mov.u32 %r2, %tid.x; mul.wide.u32 %d3, %r2, 4; mov.u32 %r1, 5;\n"
    KERNEL("load", "ld.global.u32 %r1, [%d1];\n") KERNEL("generic", "ld.u32 %r1, [%d1];\n") KERNEL(
        "constant", "ld.global.nc.u32 %r1, [%d1];\n") KERNEL("volatile", "ld.volatile.u32 %r1, [%d1];\n")
        KERNEL("vector", "ld.global.v4.u32 {%r4, %r5, %r6, %r1}, [%d1];\n")
            KERNEL("store", "mov.u32 %r1, 41; st.global.u32 [%d1], %r1;\n")
                KERNEL("atom", "atom.global.add.u32 %r1, [%d1], 10;\n") KERNEL(
                    "cas", "atom.sys.global.cas.b32 %r1, [%d1], 31, 50;\n")
                    KERNEL("red", "red.global.add.u32 [%d1], 10; mov.u32 %r1, 1;\n") KERNEL(
                        "async", "mov.u32 %r2, room; cp.async.ca.shared.global [%r2], [%d1], 4;\n"
                                 "cp.async.wait_all; ld.shared.u32 %r1, [%r2];\n")
                        KERNEL("bulk_store", "mov.u32 %r2, room; mov.u32 %r1, 61; st.shared.u32 [%r2], %r1;\n"
                                             "fence.proxy.async.shared::cta;\n"
                                             "cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r2], 16;\n"
                                             "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n")
                            KERNEL("bulk_load",
                                   "mov.u32 %r2, room; mov.u32 %r3, bar; mbarrier.init.shared.b64 [%r3], 1;\n"
                                   "fence.proxy.async.shared::cta;\n"
                                   "mbarrier.arrive.expect_tx.shared.b64 %d4, [%r3], 16;\n"
                                   "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                                   "[%r2], [%d1], 16, [%r3];\n"
                                   "again: mbarrier.try_wait.shared.b64 %x, [%r3], %d4; @!%x bra again;\n"
                                   "ld.shared.u32 %r1, [%r2];\n")
    /* 32 lanes: all beside each other, one of them elsewhere, that one taking no part */
    KERNEL("lanes", LANE "add.s64 %d3, %d1, %d3; ld.global.u32 %r1, [%d3];\n") KERNEL(
        "scatter", LANE "mul.lo.s64 %d3, %d3, 127; and.b64 %d3, %d3, 0xfffc; add.s64 %d3, %d1, %d3;\n"
                        "ld.global.u32 %r1, [%d3];\n")
        KERNEL("one_lane",
               LANE "setp.eq.u32 %x, %r2, 5; selp.b64 %d3, %d1, %d2, %x; ld.global.u32 %r1, [%d3];\n"
                    "mov.u32 %r1, 1;\n") KERNEL("not_that_lane",
                                                LANE "setp.eq.u32 %x, %r2, 5; selp.b64 %d3, %d1, %d2, %x;\n"
                                                     "@!%x ld.global.u32 %r1, [%d3]; mov.u32 %r1, 1;\n")
            KERNEL("nobody", LANE "setp.eq.u32 %x, %r2, 77; @%x ld.global.u32 %r1, [%d1]; mov.u32 %r1, 1;\n")
                KERNEL("prefetch", "prefetch.global.L2 [%d1]; mov.u32 %r1, 1;\n")
                    KERNEL("far_loop",
                           LANE "mov.u32 %r3, 0;\nagain: ld.global.u32 %r4, [%d1]; add.u32 %r1, %r1, %r4;\n"
                                "add.u32 %r3, %r3, 1; setp.lt.u32 %x, %r3, 9; @%x bra again;\n");

struct memory {
    char name[8];
    CUdeviceptr at;
};
static struct world {
    CUcontext contexts[CONTEXTS];
    CUmodule modules[CONTEXTS];
    CUdeviceptr out[CONTEXTS]; /* where kernels of each write what they read */
    CUmemGenericAllocationHandle handles[CONTEXTS];
    struct memory memory[16];
    unsigned memory_count;
} world;
uint32_t peers_got;

int peers_device(unsigned context)
{
    return (int)context % 2;
}

/* Make it current, as its answer says when it is gone. */
CUresult peers_enter(char number)
{
    unsigned context = (unsigned)(number - '0');
    if (!world.contexts[context] && context < 2)
        MUST(cuDevicePrimaryCtxRetain(&world.contexts[context], peers_device(context)));
    if (!world.contexts[context])
        MUST(cuCtxCreate_v4(&world.contexts[context], NULL, 0, peers_device(context)));
    CUresult result = cuCtxSetCurrent(world.contexts[context]);
    if (result != CUDA_SUCCESS || world.modules[context]) return result;
    MUST(cuModuleLoadData(&world.modules[context], peers_ptx));
    MUST(cuMemAlloc(&world.out[context], BYTES));
    MUST(cuMemsetD32(world.out[context], 31, BYTES / 4));
    return result;
}

/* ---- memory */

static CUdeviceptr map(unsigned context, bool again)
{
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, peers_device(context)}};
    CUdeviceptr at;
    if (!again) MUST(cuMemCreate(&world.handles[context], MAPPED, &prop, 0));
    MUST(cuMemAddressReserve(&at, MAPPED, 0, 0, 0));
    MUST(cuMemMap(at, MAPPED, 0, world.handles[context], 0));
    return at;
}

static CUdeviceptr make(char letter, unsigned context)
{
    static uint32_t words[BYTES / 4];
    CUdeviceptr at = 0;
    size_t bytes = letter == 'g' ? 16 : BYTES;
    void *host;
    if (letter == 'v' || letter == 'w') return map(context, letter == 'w');
    if (peers_make_other(letter, context, &at) && strchr("xt", letter)) return at;
    if (letter == 'a') MUST(cuMemAlloc(&at, BYTES));
    if (letter == 'm') MUST(cuMemAllocManaged(&at, BYTES, CU_MEM_ATTACH_GLOBAL));
    if (letter == 'p') MUST(cuMemAllocAsync(&at, BYTES, NULL));
    if (letter == 'g') MUST(cuModuleGetGlobal(&at, NULL, world.modules[context], "word"));
    if (letter == 'h') {
        MUST(cuMemHostAlloc(&host, BYTES, 0));
        MUST(cuMemHostGetDevicePointer(&at, host, 0));
    }
    for (size_t i = 0; i < BYTES / 4; i++)
        words[i] = 31;
    MUST(cuMemcpyHtoD(at, words, bytes));
    MUST(cuCtxSynchronize());
    return at;
}

CUdeviceptr peers_named(const char *name)
{
    CUcontext before;
    for (unsigned i = 0; i < world.memory_count; i++)
        if (strcmp(world.memory[i].name, name) == 0) return world.memory[i].at;
    MUST(cuCtxGetCurrent(&before));
    MUST(peers_enter(name[1]));
    struct memory *new = &world.memory[world.memory_count++];
    snprintf(new->name, sizeof(new->name), "%s", name);
    new->at = make(name[0], (unsigned)(name[1] - '0'));
    MUST(cuCtxSetCurrent(before));
    return new->at;
}

/* ---- steps */

CUresult peers_then_wait(CUresult result)
{
    return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

CUdeviceptr peers_out(unsigned context)
{
    return world.out[context];
}

CUresult peers_run(CUfunction function, unsigned threads, unsigned context, uint64_t argument)
{
    void *params[] = {&argument, &world.out[context]};
    return peers_then_wait(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
}

static CUresult run_kernel(unsigned context, const struct step *s)
{
    static const char *const wide[] = {"lanes", "scatter", "one_lane", "not_that_lane", "nobody"};
    unsigned threads = 1;
    CUfunction function;
    CUdeviceptr p = peers_named(s->b);
    for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
        if (strcmp(wide[i], s->verb) == 0) threads = 32;
    CUresult result = cuModuleGetFunction(&function, world.modules[context], s->verb);
    if (result == CUDA_SUCCESS) result = peers_run(function, threads, context, p);
    return result == CUDA_SUCCESS ? cuMemcpyDtoH(&peers_got, world.out[context], 4) : result;
}

static CUresult do_make(const struct step *s)
{
    (void)peers_named(s->b);
    return CUDA_SUCCESS;
}
static CUresult do_set(const struct step *s)
{
    return peers_then_wait(cuMemsetD32(peers_named(s->b), 71, 4));
}
static CUresult do_set_async(const struct step *s)
{
    return peers_then_wait(cuMemsetD32Async(peers_named(s->b), 71, 4, NULL));
}
static CUresult do_set_2d(const struct step *s)
{
    return peers_then_wait(cuMemsetD2D8(peers_named(s->b), 512, 3, 16, 4));
}
static CUresult do_read(const struct step *s)
{
    return cuMemcpyDtoH(&peers_got, peers_named(s->b), 4);
}
static CUresult do_write(const struct step *s)
{
    static const uint32_t word = 81;
    return peers_then_wait(cuMemcpyHtoD(peers_named(s->b), &word, 4));
}
static CUresult do_copy(const struct step *s)
{
    return peers_then_wait(cuMemcpyDtoD(peers_named(s->c), peers_named(s->b), 16));
}
static CUresult do_copy_any(const struct step *s)
{
    return peers_then_wait(cuMemcpyAsync(peers_named(s->c), peers_named(s->b), 16, NULL));
}
static CUresult do_copy_peer(const struct step *s)
{
    unsigned from = (unsigned)(s->b[1] - '0'), to = (unsigned)(s->c[1] - '0');
    CUdeviceptr source = peers_named(s->b), dest = peers_named(s->c);
    return peers_then_wait(cuMemcpyPeer(dest, world.contexts[to], source, world.contexts[from], 16));
}
static CUresult do_copy_2d(const struct step *s)
{
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = peers_named(s->b),
                          .srcPitch = 512,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = peers_named(s->c),
                          .dstPitch = 512,
                          .WidthInBytes = 16,
                          .Height = 4};
    return peers_then_wait(cuMemcpy2D(&copy));
}
static CUresult do_write_value(const struct step *s)
{
    return peers_then_wait(cuStreamWriteValue32(NULL, peers_named(s->b), 91, 0));
}
static CUresult do_graph_set(const struct step *s)
{
    CUDA_MEMSET_NODE_PARAMS params = {
        .dst = peers_named(s->b), .value = 95, .elementSize = 4, .width = 4, .height = 1};
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUcontext context;
    MUST(cuCtxGetCurrent(&context));
    MUST(cuGraphCreate(&graph, 0));
    CUresult result = cuGraphAddMemsetNode(&node, graph, NULL, 0, &params, context);
    if (result == CUDA_SUCCESS) result = cuGraphInstantiate(&exec, graph, 0);
    if (result == CUDA_SUCCESS) result = cuGraphLaunch(exec, NULL);
    return peers_then_wait(result);
}
static CUresult do_sync(const struct step *s)
{
    (void)s;
    return cuCtxSynchronize();
}
static CUresult do_alloc(const struct step *s)
{
    CUdeviceptr p;
    (void)s;
    return cuMemAlloc(&p, 16);
}
static CUresult do_destroy(const struct step *s)
{
    return cuCtxDestroy(world.contexts[s->a[0] - '0']);
}
static CUresult do_reset(const struct step *s)
{
    return cuDevicePrimaryCtxReset(s->a[0] - '0');
}

CUmemAccessDesc peers_access(const char *device, const char *what)
{
    CUmemAccessDesc desc = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, device[0] - '0'},
                            .flags = strcmp(what, "rw") == 0  ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                     : strcmp(what, "r") == 0 ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                                              : CU_MEM_ACCESS_FLAGS_PROT_NONE};
    if (device[0] == 'h') desc.location = (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0};
    return desc;
}
/* access MEMORY DEVICE rw|r|none; device h: the host */
static CUresult do_access(const struct step *s)
{
    CUmemAccessDesc desc = peers_access(s->b, s->c);
    return cuMemSetAccess(peers_named(s->a), MAPPED, &desc, 1);
}
static CUresult do_get_access(const struct step *s)
{
    CUmemAccessDesc desc = peers_access(s->b, "");
    unsigned long long flags = 99;
    CUresult result = cuMemGetAccess(&flags, &desc.location, peers_named(s->a));
    peers_got = (uint32_t)flags;
    return result;
}
/* pool DEVICE-OF-POOL DEVICE rw|r|none */
static CUresult do_pool(const struct step *s)
{
    CUmemAccessDesc desc = peers_access(s->b, s->c);
    CUmemoryPool pool;
    MUST(cuDeviceGetDefaultMemPool(&pool, s->a[0] - '0'));
    return cuMemPoolSetAccess(pool, &desc, 1);
}
static CUresult do_enable(const struct step *s)
{
    (void)peers_enter(s->a[2]);
    CUresult result = peers_enter(s->a[0]);
    return result != CUDA_SUCCESS ? result : cuCtxEnablePeerAccess(world.contexts[s->a[2] - '0'], 0);
}
static CUresult do_disable(const struct step *s)
{
    (void)peers_enter(s->a[2]);
    CUresult result = peers_enter(s->a[0]);
    return result != CUDA_SUCCESS ? result : cuCtxDisablePeerAccess(world.contexts[s->a[2] - '0']);
}

static CUresult perform(const struct step *s)
{
    static const struct {
        const char *verb;
        CUresult (*run)(const struct step *step);
        bool enters; /* the first word is the current context */
    } verbs[] = {{"make", do_make, true},
                 {"set", do_set, true},
                 {"set_async", do_set_async, true},
                 {"set_2d", do_set_2d, true},
                 {"read", do_read, true},
                 {"write", do_write, true},
                 {"copy", do_copy, true},
                 {"copy_any", do_copy_any, true},
                 {"copy_peer", do_copy_peer, true},
                 {"copy_2d", do_copy_2d, true},
                 {"write_value", do_write_value, true},
                 {"graph_set", do_graph_set, true},
                 {"sync", do_sync, true},
                 {"alloc", do_alloc, true},
                 {"destroy", do_destroy, false},
                 {"reset", do_reset, false},
                 {"access", do_access, false},
                 {"get_access", do_get_access, false},
                 {"pool", do_pool, false},
                 {"enable", do_enable, false},
                 {"disable", do_disable, false}};
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        if (strcmp(verbs[i].verb, s->verb) == 0) {
            CUresult result = verbs[i].enters ? peers_enter(s->a[0]) : CUDA_SUCCESS;
            return result != CUDA_SUCCESS ? result : verbs[i].run(s);
        }
    CUresult result;
    if (peers_do_other(s, &result)) return result;
    result = peers_enter(s->a[0]);
    return result != CUDA_SUCCESS ? result : run_kernel((unsigned)(s->a[0] - '0'), s);
}

static void answer(const char *question, char *out)
{
    char text[ANSWER], *rest = NULL;
    size_t length = 0;
    snprintf(text, sizeof(text), "%s", question);
    MUST(cuInit(0));
    for (char *at = strtok_r(text, ";", &rest); at; at = strtok_r(NULL, ";", &rest)) {
        struct step step = {.verb = ""};
        sscanf(at, "%23s %15s %15s %15s", step.verb, step.a, step.b, step.c);
        peers_got = UINT32_MAX;
        const char *result = conform_error(perform(&step));
        length += (size_t)snprintf(out + length, ANSWER - length, length ? ", %s" : "%s", result);
        if (peers_got != UINT32_MAX)
            length += (size_t)snprintf(out + length, ANSWER - length, " %u", peers_got);
    }
}

static void ask(const char *question)
{
    char text[ANSWER] = "";
    int ends[2], status = 0;
    if (!conform_case(question)) return;
    if (pipe(ends) != 0) abort();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        answer(question, text);
        _exit(write(ends[1], text, sizeof(text)) != (ssize_t)sizeof(text));
    }
    close(ends[1]);
    if (read(ends[0], text, sizeof(text)) != (ssize_t)sizeof(text)) snprintf(text, sizeof(text), "crash");
    close(ends[0]);
    waitpid(child, &status, 0);
    conform_answer(text);
}

void conform_peers(const char *name)
{
    static const struct {
        const char *part, *question;
    } all[] = {
#define ASKED(part, question) {part, question},
#include "conform_peers.def"
#undef ASKED
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(all[i].part, name) == 0) ask(all[i].question);
}

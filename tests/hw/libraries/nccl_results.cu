/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of NCCL between the devices of one process, and what they compute: one line a call, with its status, a hash of all
 * bytes that every rank received, and some elements of the last rank. nccl-results.txt has the lines of two real GPUs; results.py
 * compares those of Softwarp's library with them. With two ranks a sum has one order, so all bytes are compared.
 * Operands are small numbers, the same everywhere. What may not end on a real GPU comes last, and is not waited for. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

enum { RANKS = 2, MOST = 1 << 20 }; /* MOST: bytes of a buffer */
static ncclComm_t comms[RANKS];
static cudaStream_t streams[RANKS];
static unsigned char *sends[RANKS], *receives[RANKS];

static const char *const TYPES[] = {"i8", "u8", "i32", "u32", "i64", "u64", "f16", "f32", "f64", "bf16", "e4m3", "e5m2"};
static const size_t BYTES[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

/* Element i of a rank's operand, as bytes: integers of few bits, and halves of them where there are fractions. */
static void element(ncclDataType_t type, int rank, size_t i, unsigned char *out)
{
    unsigned state = (unsigned)(i * 2654435761u) ^ (unsigned)(rank * 40503u + 7u);
    state = state * 1664525u + 1013904223u;
    int small = (int)(state >> 28) - 8; /* -8 to 7 */
    double real = small == 0 ? 0.75 : small * 0.375;
    int64_t wide = (int64_t)small * 1000003;
    float f = (float)real;
    __half h = __float2half(f);
    __nv_bfloat16 b = __float2bfloat16(f);
    __nv_fp8_e4m3 e4 = __nv_fp8_e4m3(f);
    __nv_fp8_e5m2 e5 = __nv_fp8_e5m2(f);
    int32_t i32 = small * 1003;
    signed char i8 = (signed char)small;
    const void *from[] = {&i8, &i8, &i32, &i32, &wide, &wide, &h, &f, &real, &b, &e4, &e5};
    std::memcpy(out, from[type], BYTES[type]);
}

static double value(ncclDataType_t type, const unsigned char *at)
{
    switch (type) {
    case ncclInt8: return (signed char)*at;
    case ncclUint8: return *at;
    case ncclInt32: return *(const int32_t *)at;
    case ncclUint32: return *(const uint32_t *)at;
    case ncclInt64: return (double)*(const int64_t *)at;
    case ncclUint64: return (double)*(const uint64_t *)at;
    case ncclFloat16: return __half2float(*(const __half *)at);
    case ncclFloat32: return *(const float *)at;
    case ncclFloat64: return *(const double *)at;
    case ncclBfloat16: return __bfloat162float(*(const __nv_bfloat16 *)at);
    case ncclFloat8e4m3: return (float)*(const __nv_fp8_e4m3 *)at;
    default: return (float)*(const __nv_fp8_e5m2 *)at;
    }
}

static void fill(ncclDataType_t type, size_t count)
{
    std::vector<unsigned char> host(count * BYTES[type]);
    for (int r = 0; r < RANKS; r++) {
        for (size_t i = 0; i < count; i++)
            element(type, r, i, &host[i * BYTES[type]]);
        cudaSetDevice(r);
        cudaMemcpy(sends[r], host.data(), host.size(), cudaMemcpyHostToDevice);
        cudaMemset(receives[r], 0x5a, MOST);
    }
}

/* Wait, and print what all ranks have in buffers of so many elements. */
static void tell(const char *name, const char *shape, int status, ncclDataType_t type, size_t count, unsigned char *const *buffers)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    std::vector<unsigned char> host(count * BYTES[type] + 8);
    for (int r = 0; r < RANKS; r++) {
        cudaSetDevice(r);
        cudaError_t error = cudaStreamSynchronize(streams[r]);
        if (error != cudaSuccess) std::printf("cudaError %d of rank %d\n", (int)error, r);
        cudaMemcpy(host.data(), buffers[r], count * BYTES[type], cudaMemcpyDeviceToHost);
        for (size_t i = 0; i < count * BYTES[type]; i++)
            hash = (hash ^ host[i]) * 1099511628211u;
    }
    std::printf("%s [%s %s %zu] %d h%016llx", name, shape, TYPES[type], count, status, (unsigned long long)hash);
    for (size_t i = 0; i < 6 && i < count; i++)
        std::printf(" %.9g", value(type, &host[(i * 131 % count) * BYTES[type]]));
    std::printf("\n");
    std::fflush(stdout);
}

/* A call of every rank, as a group. */
template <typename Call> static int all(Call call)
{
    int first = ncclGroupStart();
    for (int r = 0; r < RANKS; r++) {
        int status = call(r);
        if (status && !first) first = status;
    }
    int end = ncclGroupEnd();
    return first ? first : end;
}

struct Operation {
    const char *name;
    int op;       /* a built-in one, or -1: product with a scalar of the host, -2: of the device */
    double scalar;
};
static const Operation OPERATIONS[] = {{"sum", ncclSum, 0}, {"prod", ncclProd, 0}, {"max", ncclMax, 0}, {"min", ncclMin, 0},
                                       {"avg", ncclAvg, 0}, {"mulh", -1, 3}, {"muld", -2, 3}, {"mulhf", -1, 0.625}};

/* The operation of each rank; status: of its making. */
static int make(const Operation &o, ncclDataType_t type, ncclRedOp_t *ops, void **kept)
{
    unsigned char scalar[8];
    int status = 0;
    for (int r = 0; r < RANKS; r++) {
        kept[r] = nullptr;
        ops[r] = (ncclRedOp_t)o.op;
        if (o.op >= 0) continue;
        float f = (float)o.scalar;
        __half h = __float2half(f);
        __nv_bfloat16 b = __float2bfloat16(f);
        __nv_fp8_e4m3 e4 = __nv_fp8_e4m3(f);
        __nv_fp8_e5m2 e5 = __nv_fp8_e5m2(f);
        int64_t i64 = (int64_t)o.scalar;
        int32_t i32 = (int32_t)o.scalar;
        signed char i8 = (signed char)o.scalar;
        const void *from[] = {&i8, &i8, &i32, &i32, &i64, &i64, &h, &f, &o.scalar, &b, &e4, &e5};
        std::memcpy(scalar, from[type], BYTES[type]);
        cudaSetDevice(r);
        if (o.op == -2) {
            cudaMalloc(&kept[r], 8);
            cudaMemcpy(kept[r], scalar, BYTES[type], cudaMemcpyHostToDevice);
        }
        int s = ncclRedOpCreatePreMulSum(&ops[r], o.op == -2 ? kept[r] : scalar, type,
                                         o.op == -2 ? ncclScalarDevice : ncclScalarHostImmediate, comms[r]);
        if (s) status = s;
    }
    return status;
}

static void reductions(ncclDataType_t type, const Operation &o, size_t count)
{
    ncclRedOp_t ops[RANKS];
    void *kept[RANKS];
    int status = make(o, type, ops, kept);
    if (status) {
        std::printf("PreMulSum [%s %s] %d\n", o.name, TYPES[type], status);
        return;
    }
    fill(type, count * RANKS);
    status = all([&](int r) { return ncclAllReduce(sends[r], receives[r], count, type, ops[r], comms[r], streams[r]); });
    tell("AllReduce", o.name, status, type, count, receives);
    fill(type, count * RANKS);
    status = all([&](int r) { return ncclReduce(sends[r], r == 1 ? receives[r] : nullptr, count, type, ops[r], 1, comms[r], streams[r]); });
    tell("Reduce", o.name, status, type, count, receives);
    fill(type, count * RANKS);
    status = all([&](int r) { return ncclReduceScatter(sends[r], receives[r], count, type, ops[r], comms[r], streams[r]); });
    tell("ReduceScatter", o.name, status, type, count, receives);
    if (count == 1000) {
        fill(type, count);
        status = all([&](int r) { return ncclAllReduce(sends[r], sends[r], count, type, ops[r], comms[r], streams[r]); });
        tell("AllReduce-inplace", o.name, status, type, count, sends);
    }
    for (int r = 0; r < RANKS; r++) {
        cudaSetDevice(r);
        if (o.op < 0) status = ncclRedOpDestroy(ops[r], comms[r]);
        if (o.op < 0 && status) std::printf("RedOpDestroy [%s %s] %d\n", o.name, TYPES[type], status);
        cudaFree(kept[r]);
    }
}

static void moves(ncclDataType_t type, size_t count)
{
    int status;
    fill(type, count);
    status = all([&](int r) { return ncclBroadcast(sends[r], receives[r], count, type, 1, comms[r], streams[r]); });
    tell("Broadcast", "1", status, type, count, receives);
    fill(type, count);
    status = all([&](int r) { return ncclBcast(sends[r], count, type, 0, comms[r], streams[r]); });
    tell("Bcast", "0", status, type, count, sends);
    fill(type, count);
    status = all([&](int r) { return ncclAllGather(sends[r], receives[r], count, type, comms[r], streams[r]); });
    tell("AllGather", "", status, type, count * RANKS, receives);
    fill(type, count * RANKS);
    status = all([&](int r) { return ncclAlltoAll(sends[r], receives[r], count, type, comms[r], streams[r]); });
    tell("AlltoAll", "", status, type, count * RANKS, receives);
    fill(type, count);
    status = all([&](int r) { return ncclGather(sends[r], receives[r], count, type, 1, comms[r], streams[r]); });
    tell("Gather", "1", status, type, count * RANKS, receives);
    fill(type, count * RANKS);
    status = all([&](int r) { return ncclScatter(sends[r], receives[r], count, type, 0, comms[r], streams[r]); });
    tell("Scatter", "0", status, type, count, receives);
    fill(type, count);
    status = all([&](int r) {
        int s = ncclSend(sends[r], count, type, 1 - r, comms[r], streams[r]);
        return s ? s : (int)ncclRecv(receives[r], count, type, 1 - r, comms[r], streams[r]);
    });
    tell("SendRecv", "exchange", status, type, count, receives);
    fill(type, count);
    status = all([&](int r) {
        return r ? ncclRecv(receives[r], count, type, 0, comms[r], streams[r]) : ncclSend(sends[r], count, type, 1, comms[r], streams[r]);
    });
    tell("SendRecv", "one", status, type, count, receives);
    fill(type, count);
    status = all([&](int r) {
        int s = ncclSend(sends[r], count, type, r, comms[r], streams[r]);
        return s ? s : (int)ncclRecv(receives[r], count, type, r, comms[r], streams[r]);
    });
    tell("SendRecv", "self", status, type, count, receives);
}

static void inplace()
{
    ncclDataType_t type = ncclFloat32;
    size_t count = 1000;
    unsigned char *at[RANKS];
    int status;
    fill(type, count * RANKS);
    for (int r = 0; r < RANKS; r++)
        at[r] = sends[r] + (size_t)r * count * 4;
    status = all([&](int r) { return ncclAllGather(at[r], sends[r], count, type, comms[r], streams[r]); });
    tell("AllGather", "inplace", status, type, count * RANKS, sends);
    fill(type, count * RANKS);
    status = all([&](int r) { return ncclReduceScatter(sends[r], at[r], count, type, ncclSum, comms[r], streams[r]); });
    tell("ReduceScatter", "inplace", status, type, count, at);
    fill(type, count);
    status = all([&](int r) { return ncclReduce(sends[r], sends[r], count, type, ncclSum, 0, comms[r], streams[r]); });
    tell("Reduce", "inplace", status, type, count, sends);
}

/* Several calls in a group, a graph, streams of one communicator. */
static void together()
{
    size_t count = 500;
    int status;
    fill(ncclFloat32, count * 4);
    status = all([&](int r) {
        float *s = (float *)sends[r], *d = (float *)receives[r];
        int a = ncclAllReduce(s, d, count, ncclFloat32, ncclSum, comms[r], streams[r]);
        int b = ncclAllReduce(s + count, d + count, count, ncclFloat32, ncclMax, comms[r], streams[r]);
        int c = ncclBroadcast(s, d + 2 * count, count, ncclFloat32, 0, comms[r], streams[r]);
        int e = ncclSend(s, count, ncclFloat32, 1 - r, comms[r], streams[r]);
        int f = ncclRecv(d + 3 * count, count, ncclFloat32, 1 - r, comms[r], streams[r]);
        return a ? a : b ? b : c ? c : e ? e : f;
    });
    tell("Group", "five", status, ncclFloat32, count * 4, receives);
    std::fflush(stdout);
    fill(ncclFloat32, count * 4);
    /* All streams of a group must be captured by one graph. */
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t fork, joined[RANKS];
    cudaSetDevice(0);
    cudaEventCreate(&fork);
    cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal);
    cudaEventRecord(fork, streams[0]);
    for (int r = 1; r < RANKS; r++) {
        cudaSetDevice(r);
        cudaEventCreate(&joined[r]);
        cudaStreamWaitEvent(streams[r], fork, 0);
    }
    status = all([&](int r) { return ncclAllReduce(sends[r], sends[r], count, ncclFloat32, ncclSum, comms[r], streams[r]); });
    for (int r = 1; r < RANKS; r++) {
        cudaSetDevice(r);
        cudaEventRecord(joined[r], streams[r]);
        cudaStreamWaitEvent(streams[0], joined[r], 0);
    }
    cudaSetDevice(0);
    cudaStreamEndCapture(streams[0], &graph);
    if (cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess) std::printf("no graph\n");
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(exec, streams[0]);
    cudaStreamSynchronize(streams[0]);
    tell("Graph", "three", status, ncclFloat32, count, sends);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

static void communicators()
{
    int version = 0, count, device, rank;
    ncclResult_t status = ncclGetVersion(&version), async;
    std::printf("GetVersion [] %d %d\n", status, version);
    for (int i = -1; i < 10; i++)
        std::printf("ErrorString [%d] 0 \"%s\"\n", i, ncclGetErrorString((ncclResult_t)i));
    for (int r = 0; r < RANKS; r++) {
        int s = ncclCommCount(comms[r], &count) | ncclCommCuDevice(comms[r], &device) | ncclCommUserRank(comms[r], &rank);
        std::printf("Comm [%d] %d %d %d %d\n", r, s, count, device, rank);
        s = ncclCommGetAsyncError(comms[r], &async);
        std::printf("AsyncError [%d] %d %d\n", r, s, async);
    }
    for (int kind = 0; kind < 3; kind++) { /* the same order, the reverse, one alone */
        ncclComm_t parts[RANKS] = {};
        int s = all([&](int r) {
            cudaSetDevice(r);
            int color = kind == 2 && r == 0 ? NCCL_SPLIT_NOCOLOR : 5;
            return ncclCommSplit(comms[r], color, kind == 1 ? -r : r, &parts[r], nullptr);
        });
        for (int r = 0; r < RANKS; r++) {
            count = rank = -1;
            if (parts[r]) ncclCommCount(parts[r], &count), ncclCommUserRank(parts[r], &rank);
            std::printf("Split [%d %d] %d %d %d %d\n", kind, r, s, parts[r] != nullptr, count, rank);
        }
        if (kind == 1) {
            fill(ncclFloat32, 100);
            s = all([&](int r) { return ncclBroadcast(sends[r], receives[r], 100, ncclFloat32, 0, parts[r], streams[r]); });
            tell("Split-Broadcast", "", s, ncclFloat32, 100, receives);
        }
        for (int r = 0; r < RANKS; r++)
            if (parts[r]) std::printf("Split-Destroy [%d %d] %d\n", kind, r, ncclCommDestroy(parts[r]));
    }
    ncclComm_t left = nullptr;
    int excluded = 0;
    int s = ncclCommShrink(comms[1], &excluded, 1, &left, nullptr, NCCL_SHRINK_DEFAULT);
    count = rank = -1;
    if (left) ncclCommCount(left, &count), ncclCommUserRank(left, &rank);
    std::printf("Shrink [1] %d %d %d\n", s, count, rank);
    if (left) std::printf("Shrink-Destroy [] %d\n", ncclCommDestroy(left));
}

static void memory()
{
    for (int r = 0; r < RANKS; r++) {
        void *at = nullptr, *handle = nullptr;
        cudaSetDevice(r);
        int s = ncclMemAlloc(&at, 1000);
        cudaError_t error = cudaMemset(at, 0, 1000);
        std::printf("MemAlloc [1000] %d %d\n", s, error);
        s = ncclCommRegister(comms[r], at, 1000, &handle);
        std::printf("Register [%d] %d %d\n", r, s, handle != nullptr);
        s = ncclCommDeregister(comms[r], handle);
        std::printf("Deregister [%d] %d\n", r, s);
        std::printf("MemFree [%d] %d\n", r, ncclMemFree(at));
    }
    void *ats[RANKS] = {};
    ncclWindow_t windows[RANKS] = {};
    int s = 0;
    for (int r = 0; r < RANKS; r++)
        cudaSetDevice(r), ncclMemAlloc(&ats[r], 1 << 20);
    s = all([&](int r) { return ncclCommWindowRegister(comms[r], ats[r], 1 << 20, &windows[r], NCCL_WIN_COLL_SYMMETRIC); });
    std::printf("WindowRegister [] %d %d\n", s, windows[0] != nullptr);
    for (int r = 0; r < RANKS; r++)
        std::printf("WindowDeregister [] %d\n", windows[r] ? ncclCommWindowDeregister(comms[r], windows[r]) : 0);
    std::printf("MemFree [null] %d\n", ncclMemFree(nullptr));
    std::printf("MemAlloc [null] %d\n", ncclMemAlloc(nullptr, 100));
    for (int r = 0; r < RANKS; r++)
        cudaSetDevice(r), ncclMemFree(ats[r]);
}

static void simulated()
{
    for (size_t bytes = 1024; bytes <= (size_t)64 << 20; bytes *= 8) {
        ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
        ncclGroupStart();
        for (int r = 0; r < RANKS; r++)
            ncclAllReduce(sends[r], receives[r], bytes / 4, ncclFloat32, ncclSum, comms[r], streams[r]);
        int s = ncclGroupSimulateEnd(&info);
        std::printf("Simulate [%zu] %d\n", bytes, s);
        std::fprintf(stderr, "simulated %zu %g us\n", bytes, info.estimatedTime);
    }
}

static void wrong(const char *what, int status)
{
    std::printf("Wrong [%s] %d\n", what, status);
    std::fflush(stdout);
}
#define GROUPED(what, expression)                                                                                                \
    do {                                                                                                                         \
        ncclGroupStart();                                                                                                        \
        int inner_ = (expression);                                                                                               \
        int outer_ = ncclGroupEnd();                                                                                             \
        std::printf("Wrong [%s] %d %d\n", what, inner_, outer_);                                                                 \
        std::fflush(stdout);                                                                                                     \
    } while (0)

static void mistakes()
{
    float *a = (float *)sends[0], *b = (float *)receives[0];
    ncclComm_t c = comms[0];
    cudaStream_t s = streams[0];
    int n;
    ncclResult_t async;
    ncclRedOp_t op, stale;
    float one = 1;
    cudaSetDevice(0);
    wrong("version", ncclGetVersion(nullptr));
    wrong("id", ncclGetUniqueId(nullptr));
    wrong("count of null", ncclCommCount(nullptr, &n));
    wrong("count to null", ncclCommCount(c, nullptr));
    wrong("device to null", ncclCommCuDevice(c, nullptr));
    wrong("rank of null", ncclCommUserRank(nullptr, &n));
    wrong("async of null", ncclCommGetAsyncError(nullptr, &async));
    wrong("async to null", ncclCommGetAsyncError(c, nullptr));
    wrong("destroy null", ncclCommDestroy(nullptr));
    wrong("finalize null", ncclCommFinalize(nullptr));
    wrong("abort null", ncclCommAbort(nullptr));
    wrong("end without start", ncclGroupEnd());
    wrong("null comm", ncclAllReduce(a, b, 10, ncclFloat32, ncclSum, nullptr, s));
    wrong("type 12", ncclAllReduce(a, b, 10, (ncclDataType_t)12, ncclSum, c, s));
    wrong("type -1", ncclAllReduce(a, b, 10, (ncclDataType_t)-1, ncclSum, c, s));
    wrong("op -1", ncclAllReduce(a, b, 10, ncclFloat32, (ncclRedOp_t)-1, c, s));
    wrong("op 5", ncclAllReduce(a, b, 10, ncclFloat32, (ncclRedOp_t)5, c, s));
    wrong("op 1000", ncclAllReduce(a, b, 10, ncclFloat32, (ncclRedOp_t)1000, c, s));
    wrong("root 2", ncclBroadcast(a, b, 10, ncclFloat32, 2, c, s));
    wrong("root -1", ncclReduce(a, b, 10, ncclFloat32, ncclSum, -1, c, s));
    wrong("gather root 2", ncclGather(a, b, 10, ncclFloat32, 2, c, s));
    wrong("scatter root 2", ncclScatter(a, b, 10, ncclFloat32, 2, c, s));
    wrong("peer 2", ncclSend(a, 10, ncclFloat32, 2, c, s));
    wrong("peer -1", ncclRecv(b, 10, ncclFloat32, -1, c, s));
    wrong("send type 12", ncclSend(a, 10, (ncclDataType_t)12, 1, c, s));
    GROUPED("grouped type 12", ncclAllReduce(a, b, 10, (ncclDataType_t)12, ncclSum, c, s));
    GROUPED("grouped root 2", ncclBroadcast(a, b, 10, ncclFloat32, 2, c, s));
    GROUPED("empty", 0);
    wrong("premul type", ncclRedOpCreatePreMulSum(&op, &one, (ncclDataType_t)12, ncclScalarHostImmediate, c));
    wrong("premul comm", ncclRedOpCreatePreMulSum(&op, &one, ncclFloat32, ncclScalarHostImmediate, nullptr));
    wrong("premul to null", ncclRedOpCreatePreMulSum(nullptr, &one, ncclFloat32, ncclScalarHostImmediate, c));
    wrong("premul", ncclRedOpCreatePreMulSum(&op, &one, ncclFloat32, ncclScalarHostImmediate, c));
    std::printf("premul op %d\n", (int)op);
    wrong("premul other type", ncclAllReduce(a, b, 10, ncclInt32, op, c, s));
    stale = op;
    wrong("op destroy", ncclRedOpDestroy(op, c));
    wrong("op stale", ncclAllReduce(a, b, 10, ncclFloat32, stale, c, s));
    wrong("op destroy twice", ncclRedOpDestroy(stale, c));
    wrong("op destroy sum", ncclRedOpDestroy(ncclSum, c));
    wrong("op destroy null", ncclRedOpDestroy(ncclSum, nullptr));
    wrong("split null", ncclCommSplit(nullptr, 0, 0, &c, nullptr));
    c = comms[0];
    ncclComm_t made = nullptr;
    ncclUniqueId id;
    wrong("id ok", ncclGetUniqueId(&id));
    wrong("rank 1 of 1", ncclCommInitRank(&made, 1, id, 1));
    wrong("0 ranks", ncclCommInitRank(&made, 0, id, 0));
    wrong("rank -1", ncclCommInitRank(&made, 1, id, -1));
    wrong("init to null", ncclCommInitRank(nullptr, 1, id, 0));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 5;
    wrong("config blocking 5", ncclCommInitRankConfig(&made, 1, id, 0, &config));
    ncclConfig_t broken = NCCL_CONFIG_INITIALIZER;
    broken.magic = 1;
    wrong("config magic", ncclCommInitRankConfig(&made, 1, id, 0, &broken));
    ncclConfig_t ctas = NCCL_CONFIG_INITIALIZER;
    ctas.minCTAs = 8, ctas.maxCTAs = 4;
    wrong("config ctas", ncclCommInitRankConfig(&made, 1, id, 0, &ctas));
    int devices[] = {0, 0};
    ncclComm_t twice[2] = {};
    wrong("all of 0 devices", ncclCommInitAll(twice, 0, devices));
    wrong("all of 100 devices", ncclCommInitAll(twice, 100, nullptr));
    wrong("all same device", ncclCommInitAll(twice, 2, devices));
    int excluded[] = {0, 7};
    wrong("shrink rank 7", ncclCommShrink(comms[0], excluded + 1, 1, &made, nullptr, 0));
    wrong("shrink itself", ncclCommShrink(comms[0], excluded, 1, &made, nullptr, 0));
    wrong("shrink none", ncclCommShrink(comms[0], excluded, 0, &made, nullptr, 0));
    void *handle = nullptr;
    wrong("register null", ncclCommRegister(comms[0], nullptr, 100, &handle));
    wrong("deregister null", ncclCommDeregister(comms[0], nullptr));
    ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
    info.magic = 3;
    ncclGroupStart();
    wrong("simulate magic", ncclGroupSimulateEnd(&info));
    std::printf("LastError [] 0 %d\n", ncclGetLastError(comms[0]) != nullptr);
    int status = ncclCommGetAsyncError(comms[0], &async);
    std::printf("Async [after mistakes] %d %d\n", status, async);
}

/* Of one rank, and of calls with no elements. */
static void small()
{
    for (int i = 0; i < 2; i++) {
        size_t count = i ? 100 : 0;
        fill(ncclFloat32, 100);
        int s = all([&](int r) { return ncclAllReduce(sends[r], receives[r], count, ncclFloat32, ncclSum, comms[r], streams[r]); });
        tell("AllReduce-count", i ? "100" : "0", s, ncclFloat32, 100, receives);
        fill(ncclFloat32, 100);
        s = all([&](int r) {
            int a = ncclSend(sends[r], count, ncclFloat32, 1 - r, comms[r], streams[r]);
            return a ? a : (int)ncclRecv(receives[r], count, ncclFloat32, 1 - r, comms[r], streams[r]);
        });
        tell("SendRecv-count", i ? "100" : "0", s, ncclFloat32, 100, receives);
    }
    ncclComm_t one = nullptr;
    ncclUniqueId id;
    cudaSetDevice(0);
    ncclGetUniqueId(&id);
    std::printf("InitRank [1 0] %d\n", ncclCommInitRank(&one, 1, id, 0));
    static const ncclRedOp_t OPS[] = {ncclSum, ncclAvg, ncclProd};
    for (ncclRedOp_t op : OPS) {
        fill(ncclFloat32, 100);
        int s = ncclAllReduce(sends[0], receives[0], 100, ncclFloat32, op, one, streams[0]);
        tell("One-AllReduce", op == ncclSum ? "sum" : op == ncclAvg ? "avg" : "prod", s, ncclFloat32, 100, receives);
    }
    float three = 3;
    ncclRedOp_t op;
    ncclRedOpCreatePreMulSum(&op, &three, ncclFloat32, ncclScalarHostImmediate, one);
    fill(ncclFloat32, 100);
    int s = ncclAllReduce(sends[0], receives[0], 100, ncclFloat32, op, one, streams[0]);
    tell("One-AllReduce", "mul", s, ncclFloat32, 100, receives);
    std::printf("Finalize [1] %d\n", ncclCommFinalize(one));
    std::printf("Destroy [1] %d\n", ncclCommDestroy(one));
}

int main()
{
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (devices < RANKS) return std::printf("two devices are needed\n"), 1;
    for (int r = 0; r < RANKS; r++) {
        cudaSetDevice(r);
        cudaStreamCreate(&streams[r]);
        cudaMalloc(&sends[r], MOST);
        cudaMalloc(&receives[r], MOST);
    }
    std::printf("InitAll [] %d\n", ncclCommInitAll(comms, RANKS, nullptr));
    communicators();
    for (int t = 0; t < ncclNumTypes; t++)
        for (const Operation &o : OPERATIONS)
            for (size_t count : {size_t(7), size_t(1000)})
                reductions((ncclDataType_t)t, o, count);
    for (int t = 0; t < ncclNumTypes; t++)
        for (size_t count : {size_t(5), size_t(3001)})
            moves((ncclDataType_t)t, count);
    inplace();
    small();
    memory();
    simulated();
    together();
    for (int r = 0; r < RANKS; r++) {
        cudaSetDevice(r);
        cudaDeviceSynchronize();
    }
    mistakes();
    std::fflush(stdout);
    _exit(0);
}

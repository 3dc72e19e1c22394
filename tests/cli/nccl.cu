/* SPDX-License-Identifier: Apache-2.0 */
/* NCCL: its first argument says what. Sums of small integers are exact, whatever their order. */
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

enum { MOST = 16, COUNT = 100003 }; /* COUNT: not a multiple of what is moved at a time */
#define MUST(call)                                                                                                               \
    do {                                                                                                                         \
        int status_ = (int)(call);                                                                                               \
        if (status_) std::printf("line %d: %s: %d\n", __LINE__, #call, status_), std::exit(1);                                   \
    } while (0)
#define TRUE(condition)                                                                                                          \
    do {                                                                                                                         \
        if (!(condition)) std::printf("line %d: not %s\n", __LINE__, #condition), std::exit(1);                                  \
    } while (0)

struct Rank {
    int rank, ranks, device;
    ncclComm_t comm;
    cudaStream_t stream;
    int *send, *recv; /* COUNT * ranks */
};
static Rank ranks[MOST];
static int rank_count;

__global__ void fill(int *to, int first, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = first + i;
}

/* Rank r's element i is 1000 * r + i; in stream order, before a collective. */
static void begin(Rank &r)
{
    MUST(cudaSetDevice(r.device));
    int count = COUNT * r.ranks;
    fill<<<(count + 255) / 256, 256, 0, r.stream>>>(r.send, 1000 * r.rank, count);
    MUST(cudaMemsetAsync(r.recv, 0xff, sizeof(int) * count, r.stream));
}

static std::vector<int> end(Rank &r)
{
    std::vector<int> host((size_t)COUNT * r.ranks);
    MUST(cudaSetDevice(r.device));
    MUST(cudaStreamSynchronize(r.stream));
    MUST(cudaMemcpy(host.data(), r.recv, host.size() * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
}

static int sum_at(int n, int i) { return n * i + 1000 * (n * (n - 1) / 2); }

enum Call { ALL_REDUCE, BROADCAST, REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER, RING, CALLS };
static int call(Rank &r, int which)
{
    int n = r.ranks, root = n - 1, s;
    switch (which) {
    case ALL_REDUCE: return ncclAllReduce(r.send, r.recv, COUNT, ncclInt32, ncclSum, r.comm, r.stream);
    case BROADCAST: return ncclBroadcast(r.send, r.recv, COUNT, ncclInt32, root, r.comm, r.stream);
    case REDUCE: return ncclReduce(r.send, r.recv, COUNT, ncclInt32, ncclSum, root, r.comm, r.stream);
    case ALL_GATHER: return ncclAllGather(r.send, r.recv, COUNT, ncclInt32, r.comm, r.stream);
    case REDUCE_SCATTER: return ncclReduceScatter(r.send, r.recv, COUNT, ncclInt32, ncclSum, r.comm, r.stream);
    case ALL_TO_ALL: return ncclAlltoAll(r.send, r.recv, COUNT, ncclInt32, r.comm, r.stream);
    case GATHER: return ncclGather(r.send, r.recv, COUNT, ncclInt32, root, r.comm, r.stream);
    case SCATTER: return ncclScatter(r.send, r.recv, COUNT, ncclInt32, root, r.comm, r.stream);
    default:
        MUST(ncclGroupStart());
        s = ncclSend(r.send, COUNT, ncclInt32, (r.rank + 1) % n, r.comm, r.stream);
        if (!s) s = ncclRecv(r.recv, COUNT, ncclInt32, (r.rank + n - 1) % n, r.comm, r.stream);
        MUST(ncclGroupEnd());
        return s;
    }
}

/* What element i of rank r must be; -1: as it was. */
static int expected(const Rank &r, int which, int i)
{
    int n = r.ranks, root = n - 1, block = i / COUNT, at = i % COUNT, mine = r.rank * COUNT + at;
    bool first = block == 0, is_root = r.rank == root;
    switch (which) {
    case ALL_REDUCE: return first ? sum_at(n, at) : -1;
    case BROADCAST: return first ? 1000 * root + at : -1;
    case REDUCE: return first && is_root ? sum_at(n, at) : -1;
    case ALL_GATHER: return 1000 * block + at;
    case REDUCE_SCATTER: return first ? sum_at(n, mine) : -1;
    case ALL_TO_ALL: return 1000 * block + mine;
    case GATHER: return is_root ? 1000 * block + at : -1;
    case SCATTER: return first ? 1000 * root + mine : -1;
    default: return first ? 1000 * ((r.rank + n - 1) % n) + at : -1;
    }
}

static void compare(Rank &r, int which)
{
    std::vector<int> host = end(r);
    for (int i = 0; i < COUNT * r.ranks; i++)
        if (host[i] != expected(r, which, i)) {
            std::printf("call %d, rank %d of %d: element %d is %d, not %d\n", which, r.rank, r.ranks, i, host[i], expected(r, which, i));
            std::exit(1);
        }
}

static void open_rank(Rank &r, int rank, int count, int device)
{
    r.rank = rank, r.ranks = count, r.device = device;
    MUST(cudaSetDevice(device));
    MUST(cudaStreamCreate(&r.stream));
    MUST(cudaMalloc(&r.send, sizeof(int) * COUNT * count));
    MUST(cudaMalloc(&r.recv, sizeof(int) * COUNT * count));
}

static void open_all()
{
    ncclComm_t comms[MOST];
    MUST(cudaGetDeviceCount(&rank_count));
    MUST(ncclCommInitAll(comms, rank_count, nullptr));
    for (int r = 0; r < rank_count; r++) {
        open_rank(ranks[r], r, rank_count, r);
        ranks[r].comm = comms[r];
    }
}

/* ---- one thread, all devices */

static void each()
{
    for (int which = 0; which < CALLS; which++) {
        for (int r = 0; r < rank_count; r++)
            begin(ranks[r]);
        MUST(ncclGroupStart());
        for (int r = 0; r < rank_count; r++)
            MUST(call(ranks[r], which));
        MUST(ncclGroupEnd());
        for (int r = 0; r < rank_count; r++)
            compare(ranks[r], which);
    }
}

/* A rank's calls in two streams go in order, and a stream of the group waits for the call. */
static void streams()
{
    cudaStream_t others[MOST];
    for (int r = 0; r < rank_count; r++) {
        begin(ranks[r]);
        MUST(cudaStreamCreateWithFlags(&others[r], cudaStreamNonBlocking));
    }
    MUST(ncclGroupStart());
    for (int r = 0; r < rank_count; r++) {
        Rank &k = ranks[r];
        MUST(ncclAllReduce(k.send, k.recv, COUNT, ncclInt32, ncclSum, k.comm, k.stream));
        MUST(ncclBroadcast(k.send, k.recv + COUNT, COUNT, ncclInt32, 0, k.comm, others[r]));
    }
    MUST(ncclGroupEnd());
    MUST(ncclGroupStart());
    for (int r = 0; r < rank_count; r++) /* reads what the last group wrote, in another stream */
        MUST(ncclAllReduce(ranks[r].recv, ranks[r].recv, COUNT, ncclInt32, ncclMax, ranks[r].comm, others[r]));
    MUST(ncclGroupEnd());
    for (int r = 0; r < rank_count; r++) {
        MUST(cudaSetDevice(r));
        MUST(cudaStreamSynchronize(others[r]));
        std::vector<int> host = end(ranks[r]);
        for (int i = 0; i < COUNT; i++)
            TRUE(host[i] == sum_at(rank_count, i) && host[COUNT + i] == i);
        MUST(cudaStreamDestroy(others[r]));
    }
}

static void graphs()
{
    cudaGraph_t graph;
    cudaGraphExec_t execs[MOST];
    for (int r = 0; r < rank_count; r++) {
        MUST(cudaSetDevice(r));
        MUST(cudaStreamBeginCapture(ranks[r].stream, cudaStreamCaptureModeThreadLocal));
        begin(ranks[r]);
    }
    MUST(ncclGroupStart());
    for (int r = 0; r < rank_count; r++)
        MUST(call(ranks[r], ALL_REDUCE));
    MUST(ncclGroupEnd());
    MUST(ncclGroupStart());
    for (int r = 0; r < rank_count; r++)
        MUST(ncclAllReduce(ranks[r].recv, ranks[r].recv, COUNT, ncclInt32, ncclSum, ranks[r].comm, ranks[r].stream));
    MUST(ncclGroupEnd());
    for (int r = 0; r < rank_count; r++) {
        MUST(cudaSetDevice(r));
        MUST(cudaStreamEndCapture(ranks[r].stream, &graph));
        MUST(cudaGraphInstantiate(&execs[r], graph, 0));
        MUST(cudaGraphDestroy(graph));
    }
    for (int times = 0; times < 3; times++)
        for (int r = 0; r < rank_count; r++)
            MUST(cudaGraphLaunch(execs[r], ranks[r].stream));
    for (int r = 0; r < rank_count; r++) {
        std::vector<int> host = end(ranks[r]);
        for (int i = 0; i < COUNT; i++)
            TRUE(host[i] == rank_count * sum_at(rank_count, i));
        MUST(cudaGraphExecDestroy(execs[r]));
    }
}

/* ---- a thread for each device, no groups */

static void *thread_main(void *of)
{
    Rank &r = *(Rank *)of;
    for (int which = 0; which < CALLS; which++) {
        begin(r);
        for (int times = 0; times < 3; times++)
            MUST(call(r, which));
        compare(r, which);
    }
    return nullptr;
}

static void threads()
{
    pthread_t running[MOST];
    for (int r = 0; r < rank_count; r++)
        pthread_create(&running[r], nullptr, thread_main, &ranks[r]);
    for (int r = 0; r < rank_count; r++)
        pthread_join(running[r], nullptr);
}

/* ---- processes */

static ncclUniqueId id_of(const char *text)
{
    ncclUniqueId id;
    for (size_t i = 0; i < sizeof id; i++)
        std::sscanf(text + 2 * i, "%2hhx", (unsigned char *)&id + i);
    return id;
}


/* The ranks [first, first + here) of count, one a device of this process. */
static void open_part(const char *id, int first, int here, int count)
{
    rank_count = here;
    MUST(ncclGroupStart());
    for (int i = 0; i < here; i++) {
        open_rank(ranks[i], first + i, count, i);
        MUST(ncclCommInitRank(&ranks[i].comm, count, id_of(id), first + i));
    }
    MUST(ncclGroupEnd());
}

static void process_main(const char *id, int first, int here, int count)
{
    open_part(id, first, here, count);
    for (int turn = 0; turn < 2; turn++)
        each();
    /* Of the parity of the rank, the other way round. */
    ncclComm_t parts[MOST];
    MUST(ncclGroupStart());
    for (int i = 0; i < here; i++)
        MUST(ncclCommSplit(ranks[i].comm, ranks[i].rank % 2, -ranks[i].rank, &parts[i], nullptr));
    MUST(ncclGroupEnd());
    for (int i = 0; i < here; i++)
        begin(ranks[i]);
    MUST(ncclGroupStart());
    for (int i = 0; i < here; i++)
        MUST(ncclBroadcast(ranks[i].send, ranks[i].recv, COUNT, ncclInt32, 0, parts[i], ranks[i].stream));
    MUST(ncclGroupEnd());
    for (int i = 0; i < here; i++) {
        int last = (count - 1) % 2 == ranks[i].rank % 2 ? count - 1 : count - 2;
        std::vector<int> host = end(ranks[i]);
        for (int k = 0; k < COUNT; k++)
            TRUE(host[k] == 1000 * last + k);
    }
    for (int i = 0; i < here; i++) {
        MUST(ncclCommDestroy(parts[i]));
        MUST(ncclCommDestroy(ranks[i].comm));
    }
}

/* Rank 1 ends; the others notice, give up, and go on without it. */
static void orphan_main(const char *id, int rank, int count, bool asks)
{
    open_part(id, rank, 1, count);
    Rank &r = ranks[0];
    begin(r);
    MUST(call(r, ALL_REDUCE));
    compare(r, ALL_REDUCE);
    if (rank == 1) _exit(0);
    begin(r);
    MUST(call(r, ALL_REDUCE));
    ncclResult_t async = ncclSuccess;
    if (!asks) {
        cudaError_t error = cudaStreamSynchronize(r.stream);
        std::printf("rank %d: %s\n", rank, cudaGetErrorName(error));
        std::fflush(stdout);
        _exit(0);
    }
    for (int i = 0; i < 500 && async == ncclSuccess; i++) {
        usleep(10000);
        MUST(ncclCommGetAsyncError(r.comm, &async));
    }
    TRUE(async == ncclRemoteError);
    ncclComm_t rest;
    int dead = 1;
    MUST(ncclCommShrink(r.comm, &dead, 1, &rest, nullptr, NCCL_SHRINK_ABORT));
    MUST(ncclCommAbort(r.comm));
    r.comm = rest;
    MUST(ncclCommUserRank(rest, &r.rank));
    r.ranks = count - 1;
    MUST(cudaStreamSynchronize(r.stream));
    begin(r);
    MUST(call(r, ALL_REDUCE));
    compare(r, ALL_REDUCE);
    MUST(ncclCommDestroy(rest));
}

static void spawn(const char *self, const char *mode, int count, int here)
{
    ncclUniqueId id;
    char hex[2 * sizeof id + 1], numbers[3][12];
    MUST(ncclGetUniqueId(&id));
    for (size_t i = 0; i < sizeof id; i++)
        std::snprintf(hex + 2 * i, 3, "%02x", ((unsigned char *)&id)[i]);
    for (int first = 0; first < count; first += here) {
        std::snprintf(numbers[0], 12, "%d", first);
        std::snprintf(numbers[1], 12, "%d", here);
        std::snprintf(numbers[2], 12, "%d", count);
        if (fork() == 0) {
            execl(self, self, mode, hex, numbers[0], numbers[1], numbers[2], (char *)nullptr);
            _exit(9);
        }
    }
    int status, failed = 0;
    while (wait(&status) > 0)
        failed |= status;
    if (failed) std::printf("a process failed: %x\n", failed), std::exit(1);
}

/* ---- what goes wrong */

static void mismatch()
{
    for (int r = 0; r < rank_count; r++)
        begin(ranks[r]);
    MUST(ncclGroupStart());
    for (int r = 0; r < rank_count; r++)
        MUST(ncclAllReduce(ranks[r].send, ranks[r].recv, 100 + r, ncclInt32, ncclSum, ranks[r].comm, ranks[r].stream));
    MUST(ncclGroupEnd());
    ncclResult_t async;
    TRUE(cudaStreamSynchronize(ranks[0].stream) != cudaSuccess);
    MUST(ncclCommGetAsyncError(ranks[0].comm, &async));
    std::printf("async %d\n", async);
}

static void wrong()
{
    int *freed;
    MUST(cudaSetDevice(0));
    MUST(cudaMalloc(&freed, 4096));
    MUST(cudaFree(freed));
    MUST(ncclGroupStart());
    for (int r = 0; r < rank_count; r++)
        MUST(ncclAllReduce(r ? ranks[r].send : freed, ranks[r].recv, 100, ncclInt32, ncclSum, ranks[r].comm, ranks[r].stream));
    MUST(ncclGroupEnd());
    std::printf("wrong %s\n", cudaGetErrorName(cudaStreamSynchronize(ranks[0].stream)));
}

/* Work of the host behind calls that no rank's partner has made yet must not hold anything up. */
static void late()
{
    for (int r = 0; r < rank_count; r++) {
        begin(ranks[r]);
        MUST(ncclGroupStart());
        MUST(call(ranks[r], ALL_REDUCE));
        MUST(ncclGroupEnd());
        fill<<<1, 32, 0, ranks[r].stream>>>(ranks[r].send, 5, 32);
    }
    for (int r = 0; r < rank_count; r++)
        compare(ranks[r], ALL_REDUCE);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "all";
    bool is_part = std::strcmp(mode, "part") == 0, asks = std::strcmp(mode, "orphan") == 0;
    if (is_part) {
        process_main(argv[2], atoi(argv[3]), atoi(argv[4]), atoi(argv[5]));
        return 0;
    }
    if (asks || std::strcmp(mode, "unnoticed") == 0) {
        orphan_main(argv[2], atoi(argv[3]), atoi(argv[5]), asks);
        return 0;
    }
    if (std::strcmp(mode, "processes") == 0) {
        spawn(argv[0], argv[2], atoi(argv[3]), atoi(argv[4]));
        std::printf("processes are done\n");
        return 0;
    }
    open_all();
    if (std::strcmp(mode, "all") == 0) {
        each();
        if (rank_count > 1) streams();
        graphs(), threads(), late();
    }
    if (std::strcmp(mode, "each") == 0) each();
    if (std::strcmp(mode, "one") == 0) {
        for (int r = 0; r < rank_count; r++)
            begin(ranks[r]);
        MUST(ncclGroupStart());
        for (int r = 0; r < rank_count; r++)
            MUST(call(ranks[r], ALL_REDUCE));
        MUST(ncclGroupEnd());
        for (int r = 0; r < rank_count; r++)
            compare(ranks[r], ALL_REDUCE);
    }
    if (std::strcmp(mode, "threads") == 0) threads(), late();
    if (std::strcmp(mode, "mismatch") == 0) return mismatch(), 0;
    if (std::strcmp(mode, "wrong") == 0) return wrong(), 0;
    for (int r = 0; r < rank_count; r++)
        MUST(ncclCommDestroy(ranks[r].comm));
    std::printf("%d ranks are done\n", rank_count);
    return 0;
}

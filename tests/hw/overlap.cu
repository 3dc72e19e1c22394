// SPDX-License-Identifier: Apache-2.0
// What waits for what, and for how long: graphs, launches by kernels, cooperative and dependent launches, priorities, host
// functions, default streams, hardware queues, several devices. One CSV line a case,
//   group,case,n,event_us,event_min_us,expected_us
// event: between two events around the work (median and least of the repetitions). expected: the case as a formula of
// single costs, which the first lines of the same run gave; what it says is beside each case below. Kernels are busy for a
// given time, so that only what lies between them is in question. record_overlap.sh records it on a GPU.
//   nvcc -rdc=true -arch=native -o overlap overlap.cu -lcudadevrt       usage: overlap [PART|all [REPETITIONS]]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <functional>
#include <thread>
#include <vector>

#define CHECK(call) check(call, #call, __LINE__)
static void check(cudaError_t status, const char *call, int line)
{
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "overlap.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
    std::exit(1);
}

static __device__ uint64_t now_ns()
{
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

static __device__ void wait_ns(uint64_t ns)
{
    uint64_t begin = now_ns();
    while (now_ns() - begin < ns) {
    }
}

static __global__ void busy(uint64_t ns)
{
    wait_ns(ns);
}

// Lets the next kernel of its stream begin at once.
static __global__ void early(uint64_t ns)
{
    cudaTriggerProgrammaticLaunchCompletion();
    wait_ns(ns);
}

static __global__ void late(uint64_t ns) // begins early, and works when what it depends on is done
{
    cudaGridDependencySynchronize();
    wait_ns(ns);
}

static __global__ void again(uint64_t ns, cudaGraphConditionalHandle handle, int *left)
{
    wait_ns(ns);
    cudaGraphSetConditional(handle, --*left > 0);
}

static __global__ void parent(uint64_t ns, int children, bool in_a_row)
{
    for (int i = 0; i < children; i++)
        if (in_a_row)
            busy<<<1, 32>>>(ns);
        else
            busy<<<1, 32, 0, cudaStreamFireAndForget>>>(ns);
}

static const uint64_t US = 1000;
static cudaStream_t streams[257]; // 0: that of the events
static cudaEvent_t begin_event, end_event, joined;
static int repetitions = 9;
static double one_us, gap_us, launch_us, record_us, wait_us, busy_us; // single costs

static double median_of(std::vector<double> &v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

static double time_of(const std::function<void()> &work, double *least = nullptr)
{
    std::vector<double> times;
    int warm = repetitions > 1 ? 2 : 0;
    for (int i = 0; i < repetitions + warm; i++) {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventRecord(begin_event, streams[0]));
        work();
        CHECK(cudaEventRecord(end_event, streams[0]));
        CHECK(cudaStreamSynchronize(streams[0]));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin_event, end_event));
        if (i >= warm) times.push_back(1000.0 * ms);
    }
    double median = median_of(times);
    if (least) *least = times[0];
    return median;
}

static double measure(const char *group, const char *name, int n, double expected, const std::function<void()> &work)
{
    double least, median = time_of(work, &least);
    std::printf("%s,%s,%d,%.3f,%.3f,%.3f\n", group, name, n, median, least, expected);
    std::fflush(stdout);
    return median;
}

static void run(uint64_t ns, int stream = 0, unsigned blocks = 1, unsigned threads = 32)
{
    busy<<<blocks, threads, 0, streams[stream]>>>(ns);
}

static void fork(int n) // streams 1 to n wait for stream 0
{
    CHECK(cudaEventRecord(joined, streams[0]));
    for (int i = 1; i <= n; i++)
        CHECK(cudaStreamWaitEvent(streams[i], joined));
}

static void join(int n)
{
    for (int i = 1; i <= n; i++) {
        CHECK(cudaEventRecord(joined, streams[i]));
        CHECK(cudaStreamWaitEvent(streams[0], joined));
    }
}

// Costs of calls are seen by events on a stream that has nothing to do: between them lies what the host did.
static double call_cost(const std::function<void()> &call)
{
    enum { MANY = 20 };
    double none = time_of([] {});
    double many = time_of([&] {
        for (int i = 0; i < MANY; i++)
            call();
    });
    return (many - none) / MANY;
}

static void single_costs()
{
    one_us = measure("single", "one", 1, 0, [] { run(100 * US); });
    busy_us = one_us - time_of([] { run(20 * US); }) + 20;
    gap_us = measure("single", "two in a stream", 2, 0, [] { run(100 * US), run(100 * US); }) - one_us - busy_us;
    launch_us = call_cost([] { run(1, 1); });
    CHECK(cudaEventRecord(joined, streams[0]));
    record_us = call_cost([] { CHECK(cudaEventRecord(joined, streams[1])); });
    wait_us = call_cost([] { CHECK(cudaStreamWaitEvent(streams[1], joined)); });
    std::printf("single,launch,1,%.3f,0,0\nsingle,wait for event,1,%.3f,0,0\nsingle,gap,1,%.3f,0,0\n", launch_us, wait_us, gap_us);
}

// n kernels in a row: the first, and n - 1 times a kernel and the gap before it. Beside each other: the longest of them, which
// begins when the host has asked for all others.
static double in_a_row(int n)
{
    return one_us + (n - 1) * (busy_us + gap_us);
}

static void in_streams()
{
    for (int n : {4, 8})
        measure("streams", "in a row", n, in_a_row(n), [&] {
            for (int i = 0; i < n; i++)
                run(100 * US);
        });
    for (int n : {2, 4, 8})
        measure("streams", "beside each other", n, one_us + record_us + n * wait_us + (n - 1) * launch_us, [&] {
            fork(n);
            for (int i = 1; i <= n; i++)
                run(100 * US, i);
            join(n);
        });
    // Blocks of 1,024 threads, two of which a multiprocessor holds: that many fit at once.
    int sms, per_sm;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, busy, 1024, 0));
    unsigned all = (unsigned)(sms * per_sm);
    for (unsigned blocks : {all / 4, all / 2, all})
        measure("streams", "two grids", (int)blocks, one_us - 80 + record_us + wait_us + (blocks < all ? launch_us : busy_us - 80), [&] {
            fork(1);
            run(20 * US, 0, blocks, 1024);
            run(20 * US, 1, blocks, 1024);
            join(1);
        });
}

// More grids at once than the device has queues for wait for the first to end.
static void in_queues()
{
    double all = time_of([] {
        for (int i = 1; i <= 128; i++)
            run(600 * US, i);
    }); // the host's time alone: stream 0 is not waited for
    CHECK(cudaDeviceSynchronize());
    for (int n : {64, 128, 129, 256}) {
        double asked = all * n / 128;
        double start = one_us - launch_us - busy_us; // what a launch takes that finds the device ready
        double expected = start + (n <= 128 ? 600 + asked : 1200 + asked * (n - 128) / n);
        measure("queues", "grids of one block", n, expected, [&] {
            for (int i = 1; i <= n; i++)
                run(600 * US, i);
            join(n);
        });
    }
}

static void default_streams()
{
    cudaStream_t blocking[2];
    cudaEvent_t ends[2];
    for (auto &stream : blocking)
        CHECK(cudaStreamCreate(&stream));
    for (auto &event : ends)
        CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    auto first = [&] {
        CHECK(cudaEventRecord(joined, streams[0]));
        CHECK(cudaStreamWaitEvent(blocking[0], joined));
    };
    auto last = [&](cudaStream_t stream) {
        CHECK(cudaEventRecord(joined, stream));
        CHECK(cudaStreamWaitEvent(streams[0], joined));
    };
    measure("default", "between two", 3, in_a_row(3) + record_us + wait_us, [&] { // each waits for the one before
        first();
        busy<<<1, 32, 0, blocking[0]>>>(100 * US);
        busy<<<1, 32, 0, cudaStreamLegacy>>>(100 * US);
        busy<<<1, 32, 0, blocking[1]>>>(100 * US);
        last(blocking[1]);
    });
    measure("default", "beside one that does not block", 2, one_us + record_us + wait_us + launch_us, [&] {
        fork(1);
        busy<<<1, 32, 0, cudaStreamLegacy>>>(100 * US);
        run(100 * US, 1);
        join(1);
    });
    measure("default", "per thread", 2, one_us + record_us + wait_us, [&] { // another thread's does not wait for ours
        CHECK(cudaEventRecord(joined, streams[0]));
        auto work = [&](int i) {
            CHECK(cudaStreamWaitEvent(cudaStreamPerThread, joined));
            busy<<<1, 32, 0, cudaStreamPerThread>>>(100 * US);
            CHECK(cudaEventRecord(ends[i], cudaStreamPerThread));
        };
        std::thread(work, 0).join();
        work(1);
        for (auto event : ends)
            CHECK(cudaStreamWaitEvent(streams[0], event));
    });
    measure("default", "per thread and legacy", 2, in_a_row(2) + record_us + wait_us, [&] { // these two do wait
        CHECK(cudaEventRecord(joined, streams[0]));
        CHECK(cudaStreamWaitEvent(cudaStreamPerThread, joined));
        busy<<<1, 32, 0, cudaStreamPerThread>>>(100 * US);
        busy<<<1, 32, 0, cudaStreamLegacy>>>(100 * US);
        last(cudaStreamLegacy);
    });
    for (auto &stream : blocking)
        CHECK(cudaStreamDestroy(stream));
}

static int called, order_right;
static void in_order(void *number)
{
    order_right += called++ == (int)(intptr_t)number;
}

static void host_functions()
{
    double one = time_of([] { CHECK(cudaLaunchHostFunc(streams[0], in_order, (void *)(intptr_t)-1)); });
    std::printf("single,host function,1,%.3f,0,0\n", one);
    for (int n : {1, 2}) { // the second one waits for the device as the first one does
        double us = measure("host", "between kernels", n, n == 1 ? 0 : 2 * one - in_a_row(1), [&] {
            run(100 * US);
            for (int i = 0; i < n; i++) {
                CHECK(cudaLaunchHostFunc(streams[0], in_order, (void *)(intptr_t)-1));
                run(100 * US);
            }
        });
        one = us;
    }
    called = order_right = 0;
    for (int i = 0; i < 100; i++) { // two streams that wait for each other in turn
        CHECK(cudaLaunchHostFunc(streams[i % 2], in_order, (void *)(intptr_t)i));
        CHECK(cudaEventRecord(joined, streams[i % 2]));
        CHECK(cudaStreamWaitEvent(streams[1 - i % 2], joined));
    }
    CHECK(cudaDeviceSynchronize());
    if (called != 100 || order_right != 100) {
        std::fprintf(stderr, "overlap.cu: host functions came in another order\n");
        std::exit(1);
    }
}

// Of kernels that wait for the device, those of the highest priority begin first; one that is already running gives up places
// whose blocks end. Here eight waves of 20 us of low priority are under way, eight more wait, and one wave of high priority
// comes: it waits for the wave that is under way. Without
// priority it comes before the second kernel of the other stream, which begins when the first one has ended.
static void priorities()
{
    int least, greatest, sms, per_sm;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, busy, 1024, 0));
    unsigned wave = (unsigned)(sms * per_sm);
    cudaStream_t high, low;
    CHECK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least));
    for (bool prior : {false, true}) {
        cudaStream_t other = prior ? high : streams[1];
        double waves = prior ? 1 : 8, asked = record_us + 2 * wait_us;
        measure("priority", prior ? "high beside low" : "low beside low", 16, one_us - 100 + 20 * (waves + 1) + asked, [&] {
            CHECK(cudaEventRecord(joined, streams[0]));
            CHECK(cudaStreamWaitEvent(low, joined));
            CHECK(cudaStreamWaitEvent(other, joined));
            busy<<<8 * wave, 1024, 0, low>>>(20 * US);
            busy<<<8 * wave, 1024, 0, low>>>(20 * US);
            busy<<<wave, 1024, 0, other>>>(20 * US);
            CHECK(cudaEventRecord(joined, other));
            CHECK(cudaStreamWaitEvent(streams[0], joined));
        });
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaStreamDestroy(high));
    CHECK(cudaStreamDestroy(low));
}

static void launch_with(void (*kernel)(uint64_t), uint64_t ns, cudaLaunchAttributeID id)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = id;
    if (id == cudaLaunchAttributeCooperative)
        attribute.val.cooperative = 1;
    else
        attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1), config.blockDim = dim3(32), config.stream = streams[0];
    config.attrs = &attribute, config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, kernel, ns));
}

static void special_launches()
{
    measure("launches", "cooperative", 2, in_a_row(2), [] {
        launch_with(busy, 100 * US, cudaLaunchAttributeCooperative);
        launch_with(busy, 100 * US, cudaLaunchAttributeCooperative);
    });
    measure("launches", "dependent: triggered at once", 2, one_us + launch_us, [] { // beside each other
        early<<<1, 32, 0, streams[0]>>>(100 * US);
        launch_with(busy, 100 * US, cudaLaunchAttributeProgrammaticStreamSerialization);
    });
    measure("launches", "dependent: and waits", 2, one_us + 100, [] { // in a row, without what a launch takes
        early<<<1, 32, 0, streams[0]>>>(100 * US);
        launch_with(late, 100 * US, cudaLaunchAttributeProgrammaticStreamSerialization);
    });
    measure("launches", "dependent: never triggered", 2, one_us + 100, [] {
        run(100 * US);
        launch_with(busy, 100 * US, cudaLaunchAttributeProgrammaticStreamSerialization);
    });
    // What the first child costs and the second one more, a third and fourth cost, too.
    double none = measure("nested", "no child", 0, 0, [] { parent<<<1, 1, 0, streams[0]>>>(100 * US, 0, true); }), first = 0, second = 0;
    for (int n : {1, 2, 4}) {
        double us = measure("nested", "children in a row", n, n < 4 ? 0 : first + 3 * (second - first),
                            [&] { parent<<<1, 1, 0, streams[0]>>>(100 * US, n, true); });
        (n == 1 ? first : second) = us;
    }
    std::printf("single,first child,1,%.3f,0,0\n", first - none - busy_us);
    for (int n : {2, 4}) {
        double us = measure("nested", "children beside each other", n, n < 4 ? 0 : first + 3 * (second - first),
                            [&] { parent<<<1, 1, 0, streams[0]>>>(100 * US, n, false); });
        if (n == 2) second = us;
    }
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, const std::vector<cudaGraphNode_t> &needs)
{
    static uint64_t ns = 100 * US;
    void *arguments[] = {&ns};
    cudaKernelNodeParams params = {};
    params.func = (void *)busy;
    params.gridDim = dim3(1), params.blockDim = dim3(32), params.kernelParams = arguments;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddKernelNode(&node, graph, needs.data(), needs.size(), &params));
    return node;
}

static double measure_graph(const char *name, int n, double expected, cudaGraph_t graph, int times = 1)
{
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, streams[0]));
    double us = measure("graph", name, n, expected, [&] {
        for (int i = 0; i < times; i++)
            CHECK(cudaGraphLaunch(exec, streams[0]));
    });
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return us;
}

static void graph_calls() // what a launch keeps the host
{
    for (int n : {1, 8, 64}) {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        CHECK(cudaStreamBeginCapture(streams[1], cudaStreamCaptureModeGlobal));
        for (int i = 0; i < n; i++)
            run(1, 1);
        CHECK(cudaStreamEndCapture(streams[1], &graph));
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        CHECK(cudaGraphUpload(exec, streams[1]));
        double none = time_of([] {}), us = time_of([&] { CHECK(cudaGraphLaunch(exec, streams[1])); }) - none;
        std::printf("single,graph launch,%d,%.3f,0,0\n", n, us);
        measure("graph", "short kernels in a row", n, 0, [&] { CHECK(cudaGraphLaunch(exec, streams[0])); });
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaGraphDestroy(graph));
    }
}

// Of a graph's kernels, n in a row: what one takes, and n - 1 times what a second one takes more.
static double graph_one, graph_next;
static double graph_row(int n)
{
    return graph_one + (n - 1) * graph_next;
}

static double graph_of(int n)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(streams[1], cudaStreamCaptureModeGlobal));
    for (int i = 0; i < n; i++)
        run(100 * US, 1);
    CHECK(cudaStreamEndCapture(streams[1], &graph));
    return measure_graph("one or two in a row", n, 0, graph);
}

static void graphs()
{
    graph_calls();
    graph_one = graph_of(1), graph_next = graph_of(2) - graph_one;
    cudaGraph_t graph;
    for (int times : {1, 3}) {
        CHECK(cudaStreamBeginCapture(streams[1], cudaStreamCaptureModeGlobal));
        for (int i = 0; i < 4; i++)
            run(100 * US, 1);
        CHECK(cudaStreamEndCapture(streams[1], &graph));
        measure_graph(times == 1 ? "captured: in a row" : "replayed", 4 * times, graph_row(4 * times), graph, times);
    }
    CHECK(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < 4; i++)
        add_kernel(graph, {});
    measure_graph("beside each other", 4, graph_one, graph);
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t top = add_kernel(graph, {}), left = add_kernel(graph, {top}), right = add_kernel(graph, {top});
    add_kernel(graph, {left, right});
    measure_graph("diamond", 4, graph_row(3), graph);
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    fork(3);
    for (int i = 1; i <= 3; i++)
        run(100 * US, i), run(100 * US, i);
    join(3);
    CHECK(cudaStreamEndCapture(streams[0], &graph));
    measure_graph("captured: three of two beside each other", 6, graph_row(2), graph);
    for (bool waits : {false, true}) { // an edge of which the kernel behind need not wait for the end
        CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
        early<<<1, 32, 0, streams[0]>>>(100 * US);
        launch_with(waits ? late : busy, 100 * US, cudaLaunchAttributeProgrammaticStreamSerialization);
        CHECK(cudaStreamEndCapture(streams[0], &graph));
        measure_graph(waits ? "dependent: and waits" : "dependent: triggered at once", 2, waits ? graph_row(2) : graph_one, graph);
    }
}

// A loop of n rounds: what two take more than one, each further one takes.
static double loop_of(int rounds, double expected)
{
    int *left;
    CHECK(cudaMalloc(&left, sizeof *left));
    cudaGraph_t graph;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    cudaGraphNode_t node, inner;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    cudaGraph_t body = params.conditional.phGraph_out[0];
    uint64_t ns = 100 * US;
    void *arguments[] = {&ns, &handle, &left};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)again;
    kernel.gridDim = dim3(1), kernel.blockDim = dim3(1), kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&inner, body, nullptr, 0, &kernel));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    std::vector<double> times;
    for (int i = 0; i < repetitions; i++) {
        CHECK(cudaMemcpy(left, &rounds, sizeof rounds, cudaMemcpyHostToDevice));
        CHECK(cudaEventRecord(begin_event, streams[0]));
        CHECK(cudaGraphLaunch(exec, streams[0]));
        CHECK(cudaEventRecord(end_event, streams[0]));
        CHECK(cudaStreamSynchronize(streams[0]));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, begin_event, end_event));
        if (i >= 2 || i + 1 == repetitions) times.push_back(1000.0 * ms);
    }
    double median = median_of(times);
    std::printf("graph,a loop,%d,%.3f,%.3f,%.3f\n", rounds, median, times[0], expected);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(left));
    return median;
}

static void conditional_graph()
{
    double one = loop_of(1, 0), two = loop_of(2, 0);
    loop_of(6, one + 5 * (two - one));
}

// Each device has a clock of its own; work that waits for another device's begins some time after it.
static void devices()
{
    int count;
    CHECK(cudaGetDeviceCount(&count));
    std::vector<cudaStream_t> others;
    std::vector<cudaEvent_t> ends;
    count = std::min(count, 4);
    for (int d = 1; d < count; d++) {
        cudaStream_t stream;
        cudaEvent_t event;
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        busy<<<1, 32, 0, stream>>>(1);
        CHECK(cudaDeviceSynchronize());
        others.push_back(stream), ends.push_back(event);
    }
    auto on = [&](bool in_turn) {
        CHECK(cudaEventRecord(joined, streams[0]));
        for (size_t i = 0; i < others.size(); i++) {
            CHECK(cudaSetDevice((int)i + 1));
            CHECK(cudaStreamWaitEvent(others[i], in_turn && i ? ends[i - 1] : joined));
            busy<<<1, 32, 0, others[i]>>>(100 * US);
            CHECK(cudaEventRecord(ends[i], others[i]));
        }
        CHECK(cudaSetDevice(0));
        for (auto event : ends)
            CHECK(cudaStreamWaitEvent(streams[0], event));
    };
    int n = (int)others.size();
    if (!n) return;
    double peer_us = time_of([&] { // until a device goes on that waited for another one's kernel
        CHECK(cudaEventRecord(joined, streams[0]));
        CHECK(cudaSetDevice(1));
        CHECK(cudaStreamWaitEvent(others[0], joined));
        busy<<<1, 32, 0, others[0]>>>(100 * US);
        CHECK(cudaEventRecord(ends[0], others[0]));
        CHECK(cudaSetDevice(0));
        CHECK(cudaStreamWaitEvent(streams[0], ends[0]));
    }) - one_us - record_us - wait_us;
    std::printf("single,another device goes on,1,%.3f,0,0\n", peer_us);
    measure("devices", "beside each other", n, one_us + record_us * n + wait_us * n + launch_us * (n - 1) + peer_us, [&] { on(false); });
    measure("devices", "in a row", n, in_a_row(n) + record_us + wait_us + peer_us * n, [&] { on(true); });
    CHECK(cudaSetDevice(0));
}

int main(int argc, char **argv)
{
    auto wanted = [&](const char *part) { return argc < 2 || !std::strcmp(argv[1], "all") || !std::strcmp(argv[1], part); };
    if (argc > 2) repetitions = std::atoi(argv[2]);
    for (auto &stream : streams)
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin_event));
    CHECK(cudaEventCreate(&end_event));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    std::puts("group,case,n,event_us,event_min_us,expected_us");
    single_costs();
    if (wanted("streams")) in_streams(), default_streams(), host_functions();
    if (wanted("queues")) in_queues();
    if (wanted("priorities")) priorities();
    if (wanted("launches")) special_launches();
    if (wanted("graphs")) graphs(), conditional_graph();
    if (wanted("devices")) devices();
    return 0;
}

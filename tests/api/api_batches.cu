/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of copies and hints, user objects, graph memory figures, logs and notifications, through the
 * runtime. */
#include "api_check.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

enum { N = 32 };

static void copies(cudaStream_t stream)
{
    int from[2][N], back[2][N], *device;
    OK(cudaMalloc(&device, 8192));
    for (int i = 0; i < N; i++)
        from[0][i] = i, from[1][i] = 100 + i;
    void *to[] = {device, device + 1024};
    const void *sources[] = {from[0], from[1]};
    size_t sizes[] = {sizeof from[0], sizeof from[1]}, first = 0;
    cudaMemcpyAttributes attributes = {};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    OK(cudaMemcpyBatchAsync(to, sources, sizes, 2, &attributes, &first, 1, stream));
    std::memset(from, 0, sizeof from);
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(back[0], device, sizeof back[0], cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(back[1], device + 1024, sizeof back[1], cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(back[0][i] == i && back[1][i] == 100 + i);
    FAILS(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, sources, sizes, 2, &attributes, &first, 1, 0));
    cudaMemcpy3DBatchOp op = {};
    op.src.type = op.dst.type = cudaMemcpyOperandTypePointer;
    op.src.op.ptr.ptr = device;
    op.dst.op.ptr.ptr = back;
    op.dst.op.ptr.rowLength = 16;
    op.extent = make_cudaExtent(8, 3, 1); /* bytes, rows */
    op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    std::memset(back, 0xff, sizeof back);
    OK(cudaMemcpy3DBatchAsync(1, &op, 0, stream));
    OK(cudaStreamSynchronize(stream));
    for (int y = 0; y < 3; y++)
        CHECK(back[0][4 * y] == 2 * y && back[0][4 * y + 1] == 2 * y + 1 && back[0][4 * y + 2] == -1);
    OK(cudaFree(device));
}

static void hints(cudaStream_t stream)
{
    void *managed;
    size_t bytes = 65536, first = 0;
    cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
    OK(cudaMallocManaged(&managed, bytes));
    OK(cudaMemPrefetchBatchAsync(&managed, &bytes, 1, &location, &first, 1, 0, stream));
    OK(cudaMemDiscardBatchAsync(&managed, &bytes, 1, 0, stream));
    OK(cudaMemDiscardAndPrefetchBatchAsync(&managed, &bytes, 1, &location, &first, 1, 0, stream));
    FAILS(cudaErrorInvalidValue, cudaMemDiscardBatchAsync(&managed, &bytes, 1, 5, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaFree(managed));
}

static std::atomic<int> ended{0};

static void user_objects()
{
    cudaUserObject_t object;
    cudaGraph_t graph;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaUserObjectCreate(&object, &ended, [](void *) { ended++; }, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    OK(cudaGraphRetainUserObject(graph, object, 1, 0));
    OK(cudaGraphReleaseUserObject(graph, object, 1));
    CHECK(ended == 0);
    OK(cudaGraphDestroy(graph));
    for (int i = 0; i < 2000 && ended == 0; i++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(ended == 1);
}

static void graph_memory(cudaStream_t stream)
{
    int *p;
    unsigned long long used = 1, reserved = 0;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&p, 1 << 20, stream));
    OK(cudaMemsetAsync(p, 1, 1 << 20, stream));
    OK(cudaFreeAsync(p, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    CHECK(used == 0 && reserved >= 1 << 20);
    OK(cudaDeviceGraphMemTrim(0));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    CHECK(reserved == 0);
    OK(cudaGraphDebugDotPrint(graph, "/dev/null", cudaGraphDebugDotFlagsVerbose));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

static void reports()
{
    cudaLogIterator at;
    char text[256];
    size_t bytes = sizeof text;
    cudaLogsCallbackHandle handle;
    cudaAsyncCallbackHandle_t notification;
    OK(cudaLogsCurrent(&at, 0));
    OK(cudaLogsDumpToMemory(&at, text, &bytes, 0));
    CHECK(bytes == 0);
    OK(cudaLogsRegisterCallback([](void *, cudaLogLevel, char *, size_t) {}, nullptr, &handle));
    OK(cudaLogsUnregisterCallback(handle));
    FAILS(cudaErrorInvalidValue, cudaLogsUnregisterCallback(handle));
    OK(cudaDeviceRegisterAsyncNotification(
        0, [](cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t) {}, nullptr, &notification));
    OK(cudaDeviceUnregisterAsyncNotification(0, notification));
}

int main()
{
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    copies(stream);
    hints(stream);
    user_objects();
    graph_memory(stream);
    reports();
    OK(cudaStreamDestroy(stream));
    std::puts("ok");
    return 0;
}

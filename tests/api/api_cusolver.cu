/* SPDX-License-Identifier: Apache-2.0 */
/* cuSOLVER as device work: order in streams, captures, infos, results of the host, errors, handles, and what NVIDIA's library does
 * against its documentation (sytri). What its functions compute is compared with a GPU's in tests/hw/libraries. Prints "ok". */
#define DISABLE_CUSOLVER_DEPRECATED
#include "api_check.h"

#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusolverRf.h>

#include <cmath>
#include <vector>

#define GOOD(call)                                                                                           \
    do {                                                                                                     \
        cusolverStatus_t status_ = (call);                                                                   \
        if (status_ != CUSOLVER_STATUS_SUCCESS) {                                                            \
            std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)status_);                         \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

enum { N = 32 };
static cusolverDnHandle_t handle;
static const cublasFillMode_t LOWER = CUBLAS_FILL_MODE_LOWER;

/* a diagonal of value, value + 1, ..., and beside it ones below */
__global__ void fill(double *a, int n, double value)
{
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
        int row = i % n, column = i / n;
        a[i] = row == column ? value + row : row == column + 1 || column == row + 1 ? 1 : 0;
    }
}

template <typename T> struct Device {
    T *at;
    explicit Device(size_t n) { OK(cudaMalloc(&at, n * sizeof(T))); }
    ~Device() { cudaFree(at); }
    operator T *() const { return at; }
    T operator[](int i) const
    {
        T value;
        OK(cudaMemcpy(&value, at + i, sizeof value, cudaMemcpyDeviceToHost));
        return value;
    }
};

static void order_in_streams()
{
    Device<double> a(N * N), work(4096);
    Device<int> info(1);
    cudaStream_t stream, back;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    GOOD(cusolverDnSetStream(handle, stream));
    GOOD(cusolverDnGetStream(handle, &back));
    CHECK(back == stream);
    for (int turn = 1; turn <= 10; turn++) { /* kernels and routines see each other's results */
        fill<<<1, 256, 0, stream>>>(a, N, 3 + turn);
        GOOD(cusolverDnDpotrf(handle, LOWER, N, a, N, work, 4096, info));
        OK(cudaStreamSynchronize(stream));
        CHECK(info[0] == 0 && std::fabs(a[0] - std::sqrt(3.0 + turn)) < 1e-14);
    }
    fill<<<1, 256, 0, stream>>>(a, N, -5);
    GOOD(cusolverDnDpotrf(handle, LOWER, N, a, N, work, 4096, info));
    OK(cudaStreamSynchronize(stream));
    CHECK(info[0] == 1);
    GOOD(cusolverDnSetStream(handle, 0));
    OK(cudaStreamDestroy(stream));
}

static void captures()
{
    Device<double> a(N * N), work(4096);
    Device<int> info(1), pivots(N);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    GOOD(cusolverDnSetStream(handle, stream));
    OK(cudaMemset(a, 0, N * N * sizeof(double)));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    fill<<<1, 256, 0, stream>>>(a, N, 7);
    GOOD(cusolverDnDgetrf(handle, N, N, a, N, work, pivots, info));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(a[0] == 0);
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(a[0] == 7 && pivots[N - 1] == N && info[0] == 0);
    GOOD(cusolverDnSetStream(handle, 0));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

static void inverses()
{
    Device<double> a(N * N), b(N * N), work(4096);
    Device<int> info(1), pivots(N);
    fill<<<1, 256>>>(a, N, 4);
    int size = 0;
    GOOD(cusolverDnDsytrf_bufferSize(handle, N, a, N, &size));
    CHECK(size > 0 && size <= 4096);
    GOOD(cusolverDnDsytrf(handle, LOWER, N, a, N, pivots, work, size, info));
    CHECK(info[0] == 0);
    GOOD(cusolverDnDsytri(handle, LOWER, N, a, N, pivots, work, size, info));
    CHECK(info[0] == 0);
    fill<<<1, 256>>>(b, N, 4);
    double sum = 0; /* row 0 of b, column 0 of its inverse */
    for (int i = 0; i < N; i++)
        sum += b[i] * a[i];
    CHECK(std::fabs(sum - 1) < 1e-12);
    CHECK(cusolverDnDsytri(handle, LOWER, N, a, N, NULL, work, size, info) == CUSOLVER_STATUS_INVALID_VALUE);
}

/* Numbers of the host are there when the call has returned. */
static void results_of_the_host()
{
    Device<double> a(N * N), b(N), x(N), w(N), work(4096);
    Device<int> info(1), pivots(N);
    int found = -1, iterations = -1;
    fill<<<1, 256>>>(a, N, 4);
    GOOD(cusolverDnDsyevdx(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_RANGE_I, LOWER, N, a, N, 0, 0, 3, 7, &found, w, work, 4096, info));
    CHECK(found == 5 && w[0] < w[4]);
    fill<<<1, 256>>>(a, N, 4);
    OK(cudaMemset(b, 0, N * sizeof(double)));
    GOOD(cusolverDnDSgesv(handle, N, 1, a, N, pivots, b, N, x, N, work, 4096, &iterations, info));
    CHECK(iterations >= 0 && info[0] == 0 && x[3] == 0);
    CHECK(a[0] == 4); /* as it was */
}

/* Refactorization of a batch: matrices of three rows, all elements there, the second one with a zero pivot. */
static void batches_refactored()
{
    enum { ROWS = 3, ITEMS = 3 };
    int starts[] = {0, 3, 6, 9}, indices[] = {0, 1, 2, 0, 1, 2, 0, 1, 2}, p[] = {1, 2, 0}, q[] = {1, 2, 0}, zeros[ITEMS];
    int l_starts[] = {0, 0, 1, 3}, l_indices[] = {0, 0, 1}, u_starts[] = {0, 3, 5, 6}, u_indices[] = {0, 1, 2, 1, 2, 2};
    double l_values[3] = {}, u_values[6] = {}, values[ITEMS][9], *hosts[ITEMS], *lists[2][ITEMS], **device, **right, *work;
    cusolverRfHandle_t rf;
    for (int item = 0; item < ITEMS; item++) {
        for (int e = 0; e < 9; e++) values[item][e] = e % 4 ? 0.25 * (e + item) : 5 + item + e;
        if (item == 1) values[item][4] = 0; /* row 1 of A is the first that is eliminated with */
        hosts[item] = values[item];
        const double b[ROWS] = {1, 2.0 + item, -3};
        OK(cudaMalloc(&lists[0][item], sizeof values[item]));
        OK(cudaMalloc(&lists[1][item], sizeof b));
        OK(cudaMemcpy(lists[0][item], values[item], sizeof values[item], cudaMemcpyHostToDevice));
        OK(cudaMemcpy(lists[1][item], b, sizeof b, cudaMemcpyHostToDevice));
    }
    OK(cudaMalloc(&device, sizeof lists[0]));
    OK(cudaMalloc(&right, sizeof lists[1]));
    OK(cudaMalloc(&work, 2 * ITEMS * ROWS * sizeof *work));
    OK(cudaMemcpy(device, lists[0], sizeof lists[0], cudaMemcpyHostToDevice));
    OK(cudaMemcpy(right, lists[1], sizeof lists[1], cudaMemcpyHostToDevice));
    GOOD(cusolverRfCreate(&rf));
    GOOD(cusolverRfBatchSetupHost(ITEMS, ROWS, 9, starts, indices, hosts, 3, l_starts, l_indices, l_values, 6, u_starts, u_indices, u_values, p,
                                  q, rf));
    GOOD(cusolverRfBatchAnalyze(rf));
    GOOD(cusolverRfBatchResetValues(ITEMS, ROWS, 9, starts, indices, device, p, q, rf));
    GOOD(cusolverRfBatchRefactor(rf));
    CHECK(cusolverRfBatchZeroPivot(rf, zeros) == CUSOLVER_STATUS_ZERO_PIVOT);
    CHECK(zeros[0] == -1 && zeros[1] == 0 && zeros[2] == -1);
    GOOD(cusolverRfBatchSolve(rf, p, q, 1, work, ROWS, right, ROWS));
    for (int item = 0; item < ITEMS; item += 2) {
        double x[ROWS], wanted[ROWS] = {1, 2.0 + item, -3};
        OK(cudaMemcpy(x, lists[1][item], sizeof x, cudaMemcpyDeviceToHost));
        for (int i = 0; i < ROWS; i++) {
            double sum = -wanted[i];
            for (int j = 0; j < ROWS; j++) sum += values[item][i * ROWS + j] * x[j];
            CHECK(std::fabs(sum) < 1e-13);
        }
    }
    CHECK(cusolverRfBatchResetValues(ITEMS, ROWS, 8, starts, indices, device, p, q, rf) == CUSOLVER_STATUS_INVALID_VALUE);
    GOOD(cusolverRfDestroy(rf));
    CHECK(cusolverRfDestroy(rf) == CUSOLVER_STATUS_NOT_INITIALIZED);
}

static void errors()
{
    Device<double> a(N * N), work(4096);
    Device<int> info(1);
    cusolverDnHandle_t second;
    CHECK(cusolverDnDpotrf(handle, (cublasFillMode_t)9, N, a, N, work, 4096, info) == CUSOLVER_STATUS_INVALID_VALUE);
    CHECK(cusolverDnDpotrf(handle, LOWER, N, a, N - 1, work, 4096, info) == CUSOLVER_STATUS_INVALID_VALUE);
    CHECK(cusolverDnDgesvd(handle, 'N', 'N', 4, 5, a, 4, work, NULL, 4, NULL, 5, work, 4096, NULL, info) == CUSOLVER_STATUS_INVALID_VALUE);
    CHECK(cusolverDnCreate(NULL) == CUSOLVER_STATUS_INVALID_VALUE);
    GOOD(cusolverDnCreate(&second));
    GOOD(cusolverDnDestroy(second));
    CHECK(cusolverDnDestroy(second) == CUSOLVER_STATUS_NOT_INITIALIZED);
    CHECK(cusolverDnSetStream(second, 0) == CUSOLVER_STATUS_NOT_INITIALIZED);
    /* memory that is not the device's ends the context before anything is written */
    GOOD(cusolverDnDpotrf(handle, LOWER, N, a + N * N - 8, N, work, 4096, info));
    FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

int main()
{
    cusolverStatus_t status = cusolverDnCreate(&handle);
    if (status == CUSOLVER_STATUS_NOT_INITIALIZED) { /* no BLAS library on the host */
        std::printf("SKIPPED: cusolverDnCreate failed\n");
        return 77;
    }
    GOOD(status);
    order_in_streams();
    captures();
    inverses();
    results_of_the_host();
    batches_refactored();
    errors();
    std::printf("ok\n");
    return 0;
}

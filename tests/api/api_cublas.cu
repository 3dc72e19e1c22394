/* SPDX-License-Identifier: Apache-2.0 */
/* cuBLAS as device work: order in streams, pointer modes, captures, errors, handles. What its functions compute is compared with a
 * GPU's in tests/hw/libraries. Prints "ok". */
#include "api_check.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cfenv>
#include <string>
#include <vector>

#define BLAS(call)                                                                                           \
    do {                                                                                                     \
        cublasStatus_t status_ = (call);                                                                     \
        if (status_ != CUBLAS_STATUS_SUCCESS) {                                                              \
            std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)status_);                         \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

enum { N = 64 };
static cublasHandle_t handle;
static const float ONE = 1, ZERO = 0, TWO = 2;

__global__ void fill(float *p, int n, float value)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = value;
}

struct Device {
    float *at;
    explicit Device(size_t n) { OK(cudaMalloc(&at, n * sizeof(float))); }
    ~Device() { cudaFree(at); }
    operator float *() const { return at; }
    float operator[](int i) const
    {
        float value;
        OK(cudaMemcpy(&value, at + i, sizeof value, cudaMemcpyDeviceToHost));
        return value;
    }
};

static cublasStatus_t multiply(float *a, float *b, float *c, const float *alpha, const float *beta)
{
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, alpha, a, N, b, N, beta, c, N);
}

static void order_in_streams()
{
    Device a(N * N), b(N * N), c(N * N), d(N * N);
    cudaStream_t stream;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    BLAS(cublasSetStream(handle, stream));
    cudaStream_t back;
    BLAS(cublasGetStream(handle, &back));
    CHECK(back == stream);
    for (int turn = 1; turn <= 20; turn++) { /* kernels and routines see each other's results */
        fill<<<1, 256, 0, stream>>>(a, N * N, (float)turn);
        fill<<<1, 256, 0, stream>>>(b, N * N, 1);
        BLAS(multiply(a, b, c, &ONE, &ZERO));
        OK(cudaMemcpyAsync(d, c, N * N * sizeof(float), cudaMemcpyDeviceToDevice, stream));
        BLAS(cublasSaxpy(handle, N * N, &ONE, d, 1, c, 1));
        fill<<<1, 256, 0, stream>>>(a, N * N, -1);
        OK(cudaStreamSynchronize(stream));
        CHECK(c[N + 3] == 2 * N * turn);
    }
    cudaEvent_t event;
    OK(cudaEventCreate(&event));
    fill<<<1, 256, 0, stream>>>(a, N * N, 3);
    BLAS(multiply(a, b, c, &ONE, &ZERO));
    OK(cudaEventRecord(event, stream));
    OK(cudaStreamWaitEvent(0, event, 0));
    fill<<<1, 256>>>(a, N * N, 0); /* the default stream, after the product */
    OK(cudaDeviceSynchronize());
    CHECK(c[0] == 3 * N);
    BLAS(cublasSetStream(handle, 0));
    OK(cudaStreamDestroy(stream));
    OK(cudaEventDestroy(event));
}

static void pointer_modes()
{
    Device a(N * N), b(N * N), c(N * N), scalars(3);
    float values[] = {2, 0, -1}, dot = -1;
    cublasPointerMode_t mode;
    OK(cudaMemcpy(scalars, values, sizeof values, cudaMemcpyHostToDevice));
    fill<<<1, 256>>>(a, N * N, 1);
    fill<<<1, 256>>>(b, N * N, 3);
    BLAS(cublasGetPointerMode(handle, &mode));
    CHECK(mode == CUBLAS_POINTER_MODE_HOST);
    float alpha = 2; /* taken when the call is made */
    BLAS(multiply(a, b, c, &alpha, &ZERO));
    alpha = 100;
    CHECK(c[5] == 6 * N);
    BLAS(cublasSdot(handle, N, a, 1, b, 1, &dot));
    CHECK(dot == 3 * N);
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(multiply(a, b, c, scalars, scalars + 1));
    CHECK(c[5] == 6 * N);
    BLAS(cublasSdot(handle, N, a, 1, b, 1, scalars + 2));
    CHECK(scalars[2] == 3 * N);
    fill<<<1, 1>>>(scalars, 1, 5); /* read when the call runs, after this */
    BLAS(multiply(a, b, c, scalars, scalars + 1));
    CHECK(c[5] == 15 * N);
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

static void captures()
{
    Device a(N * N), b(N * N), c(N * N);
    cudaStream_t stream;
    cudaGraph_t graph, other;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&stream));
    BLAS(cublasSetStream(handle, stream));
    fill<<<1, 256, 0, stream>>>(b, N * N, 1);
    fill<<<1, 256, 0, stream>>>(c, N * N, 7);
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    fill<<<1, 256, 0, stream>>>(a, N * N, 2);
    BLAS(multiply(a, b, c, &ONE, &ZERO));
    BLAS(cublasSscal(handle, N, &TWO, c, 1));
    OK(cudaStreamEndCapture(stream, &graph));
    CHECK(c[0] == 7); /* nothing has run */
    size_t nodes = 0;
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(nodes == 3);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 5; i++) {
        OK(cudaGraphLaunch(exec, stream));
        OK(cudaStreamSynchronize(stream));
        CHECK(c[0] == 4 * N && c[N] == 2 * N);
    }
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    fill<<<1, 256, 0, stream>>>(a, N * N, 5);
    BLAS(multiply(a, b, c, &TWO, &ZERO));
    BLAS(cublasSscal(handle, N, &ONE, c, 1));
    OK(cudaStreamEndCapture(stream, &other));
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphExecUpdate(exec, other, &info));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(c[0] == 10 * N);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphDestroy(other));
    BLAS(cublasSetStream(handle, 0));
    OK(cudaStreamDestroy(stream));
}

static void wrong_values()
{
    Device a(N * N), b(N * N), c(N * N);
    const cublasStatus_t invalid = CUBLAS_STATUS_INVALID_VALUE;
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, N, N, &ONE, a, N, b, N, &ZERO, c, N) == invalid);
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &ONE, a, N - 1, b, N, &ZERO, c, N) == invalid);
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, NULL, a, N, b, N, &ZERO, c, N) == invalid);
    CHECK(cublasSgemm(handle, (cublasOperation_t)9, CUBLAS_OP_N, N, N, N, &ONE, a, N, b, N, &ZERO, c, N) == invalid);
    CHECK(cublasSgemv(handle, CUBLAS_OP_N, N, N, &ONE, a, N, b, 0, &ZERO, c, 1) == invalid);
    CHECK(cublasSetPointerMode(handle, (cublasPointerMode_t)7) == invalid);
    CHECK(cublasCreate(NULL) == invalid);
    BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, N, N, &ONE, a, N, b, N, &ZERO, c, N));
    fill<<<1, 256>>>(c, N * N, 4); /* k = 0: c := beta * c; and what is not a number goes where beta is 0 */
    BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, 0, &ONE, a, N, b, N, &TWO, c, N));
    CHECK(c[9] == 8);
    fill<<<1, 256>>>(a, N * N, 1);
    fill<<<1, 256>>>(b, N * N, 1);
    fill<<<1, 256>>>(c, N * N, __builtin_nanf(""));
    BLAS(multiply(a, b, c, &ONE, &ZERO));
    CHECK(c[9] == N);
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &ONE, a, CUDA_R_16F, N, b, CUDA_R_64F, N, &ZERO, c, CUDA_R_32F, N,
                       CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
    float result = 5;
    BLAS(cublasSdot(handle, 0, a, 1, b, 1, &result));
    CHECK(result == 0);
}

static void vectors_and_matrices()
{
    std::vector<double> from(40), to(40, -1);
    for (int i = 0; i < 40; i++)
        from[i] = i;
    double *x;
    OK(cudaMalloc(&x, 40 * sizeof(double)));
    BLAS(cublasSetVector(10, sizeof(double), from.data(), 3, x, 2));
    BLAS(cublasGetVector(10, sizeof(double), x, 2, to.data(), 1));
    for (int i = 0; i < 10; i++)
        CHECK(to[i] == 3 * i);
    BLAS(cublasSetMatrix(3, 4, sizeof(double), from.data(), 5, x, 4));
    BLAS(cublasGetMatrix(3, 4, sizeof(double), x, 4, to.data(), 3));
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 3; i++)
            CHECK(to[j * 3 + i] == j * 5 + i);
    CHECK(cublasSetVector(10, 0, from.data(), 1, x, 1) == CUBLAS_STATUS_INVALID_VALUE);
    OK(cudaFree(x));
}

static void handles()
{
    cublasHandle_t second, stale;
    int version = 0;
    BLAS(cublasCreate(&second));
    BLAS(cublasGetVersion(second, &version));
    CHECK(version >= 120000);
    stale = second;
    BLAS(cublasDestroy(second));
    CHECK(cublasDestroy(stale) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasSetStream(stale, 0) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasSaxpy(NULL, 1, &ONE, NULL, 1, NULL, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE)[14] == 'I');
}

/* Items wherever they are: in one allocation, in any order, and in allocations of their own. */
static void batches()
{
    enum { ORDER = 8, EACH = ORDER * ORDER, ITEMS = 6 };
    Device all(3 * EACH * ITEMS), own(EACH), far(EACH);
    float **lists[3], *host[3][ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        host[0][i] = all + (ITEMS - 1 - i) * EACH;
        host[1][i] = all + (ITEMS + i) * EACH;
        host[2][i] = all + (2 * ITEMS + i) * EACH;
    }
    host[0][2] = own, host[2][3] = far;
    for (int i = 0; i < ITEMS; i++) {
        fill<<<1, 64>>>(host[0][i], EACH, (float)(i + 1));
        fill<<<1, 64>>>(host[1][i], EACH, 1);
    }
    for (int k = 0; k < 3; k++) {
        OK(cudaMalloc(&lists[k], sizeof host[k]));
        OK(cudaMemcpy(lists[k], host[k], sizeof host[k], cudaMemcpyHostToDevice));
    }
    BLAS(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, ORDER, ORDER, ORDER, &ONE, lists[0], ORDER, lists[1], ORDER, &ZERO,
                            lists[2], ORDER, ITEMS));
    for (int i = 0; i < ITEMS; i++) {
        float last;
        OK(cudaMemcpy(&last, host[2][i] + EACH - 1, sizeof last, cudaMemcpyDeviceToHost));
        CHECK(last == (float)(ORDER * (i + 1)));
    }
    fill<<<1, 64>>>(all, ITEMS * EACH, 1); /* a backwards, b one for all */
    BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, ORDER, ORDER, ORDER, &TWO, all + (ITEMS - 1) * EACH, ORDER,
                                   -EACH, all + ITEMS * EACH, ORDER, 0, &ZERO, all + 2 * ITEMS * EACH, ORDER, EACH, ITEMS));
    CHECK(all[3 * ITEMS * EACH - 1] == 2 * ORDER);
    for (int k = 0; k < 3; k++)
        OK(cudaFree(lists[k]));
}

/* A thread of the program's may compute them: as exactly as another one, and its rounding stays its own. */
static void small_products()
{
    const float above = 1 + 1.0f / (1 << 23);
    Device a(1), b(1), c(2);
    fill<<<1, 1>>>(a, 1, above);
    fill<<<1, 1>>>(b, 1, above);
    OK(cudaDeviceSynchronize());
    CHECK(std::fesetround(FE_UPWARD) == 0);
    for (int i = 0; i < 2; i++)
        BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &ONE, a, 1, b, 1, &ZERO, c + i, 1));
    CHECK(std::fegetround() == FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    CHECK(c[0] == 1 + 2.0f / (1 << 23) && c[1] == c[0]);
}

/* Operands that are not there end the context, as a kernel's fault does; so these come last, each in a process of its own. */
static void outside()
{
    Device a(N * N), b(N * N), c(N * N);
    BLAS(multiply(a, b, c + 1, &ONE, &ZERO));
    FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    CHECK(multiply(a, b, c, &ONE, &ZERO) == CUBLAS_STATUS_EXECUTION_FAILED);
}

/* One item of several; nothing is written. */
static void item_outside()
{
    Device a(4 * N), c(4 * N), list(4 * 2);
    float *host[4];
    for (int i = 0; i < 4; i++)
        host[i] = i == 2 ? reinterpret_cast<float *>(16) : a + i * N;
    OK(cudaMemcpy(list, host, sizeof host, cudaMemcpyHostToDevice));
    BLAS(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &ONE, (float **)(float *)list, 8, (float **)(float *)list,
                            8, &ZERO, (float **)(float *)list, 8, 4));
    FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

static void stride_outside()
{
    Device a(4 * N), c(4 * N);
    BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &ONE, a, 8, N, a, 8, (long long)1 << 40, &ZERO, c,
                                   8, N, 4));
    FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

int main(int count, char **arguments)
{
    BLAS(cublasCreate(&handle));
    if (count > 1) {
        arguments[1][0] == 'i' ? item_outside() : stride_outside();
        std::printf("ok\n");
        return 0;
    }
    order_in_streams();
    pointer_modes();
    captures();
    wrong_values();
    vectors_and_matrices();
    batches();
    small_products();
    handles();
    for (const char *how : {" item", " stride"})
        CHECK(std::system((std::string(arguments[0]) + how).c_str()) == 0);
    outside();
    std::printf("ok\n");
}

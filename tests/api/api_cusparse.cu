/* SPDX-License-Identifier: Apache-2.0 */
/* cuSPARSE as device work: order in streams, pointer modes, captures, errors, descriptors. What its functions compute is compared with
 * a GPU's in tests/hw/libraries. Prints "ok". */
#include "api_check.h"

#include <cuda_runtime.h>
#include <cusparse.h>

#include <string>
#include <vector>

#define SPARSE(call)                                                                                         \
    do {                                                                                                     \
        cusparseStatus_t status_ = (call);                                                                   \
        if (status_ != CUSPARSE_STATUS_SUCCESS) {                                                            \
            std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cusparseGetErrorName(status_));        \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

enum { N = 64 };
static cusparseHandle_t handle;
static const float ONE = 1, ZERO = 0;

__global__ void fill(float *p, int n, float value)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = value;
}

template <typename T> static T *upload(const std::vector<T> &x)
{
    T *at;
    OK(cudaMalloc(&at, x.size() * sizeof(T)));
    OK(cudaMemcpy(at, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice));
    return at;
}
static float at(const float *p, int i)
{
    float value;
    OK(cudaMemcpy(&value, p + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

/* Two elements a row: row r has columns r and r + 1, modulo N. */
struct Ring {
    int *offsets, *columns;
    float *values, *x, *y;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t in, out;
    Ring()
    {
        std::vector<int> o, c;
        for (int r = 0; r < N; r++) {
            o.push_back(2 * r);
            c.push_back(r == N - 1 ? 0 : r);
            c.push_back(r == N - 1 ? r : r + 1);
        }
        o.push_back(2 * N);
        offsets = upload(o);
        columns = upload(c);
        values = upload(std::vector<float>(2 * N, 1.f));
        x = upload(std::vector<float>(N, 1.f));
        y = upload(std::vector<float>(N, 0.f));
        SPARSE(cusparseCreateCsr(&a, N, N, 2 * N, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
        SPARSE(cusparseCreateDnVec(&in, N, x, CUDA_R_32F));
        SPARSE(cusparseCreateDnVec(&out, N, y, CUDA_R_32F));
    }
    cusparseStatus_t multiply(const float *alpha, const float *beta)
    {
        return cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, in, beta, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL);
    }
};

static void order_in_streams()
{
    Ring ring;
    cudaStream_t stream, back;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    SPARSE(cusparseSetStream(handle, stream));
    SPARSE(cusparseGetStream(handle, &back));
    CHECK(back == stream);
    for (int turn = 1; turn <= 20; turn++) { /* kernels and routines see each other's results */
        fill<<<1, 64, 0, stream>>>(ring.x, N, (float)turn);
        SPARSE(ring.multiply(&ONE, &ZERO));
        fill<<<1, 64, 0, stream>>>(ring.x, N, -1);
        OK(cudaStreamSynchronize(stream));
        CHECK(at(ring.y, 5) == 2 * turn && at(ring.y, N - 1) == 2 * turn);
    }
    SPARSE(cusparseSetStream(handle, 0));
    OK(cudaStreamDestroy(stream));
}

static void pointer_modes()
{
    Ring ring;
    float *scalars = upload(std::vector<float>{3, 0}), alpha = 2; /* taken when the call is made */
    SPARSE(ring.multiply(&alpha, &ZERO));
    alpha = 100;
    CHECK(at(ring.y, 0) == 4);
    SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
    SPARSE(ring.multiply(scalars, scalars + 1));
    CHECK(at(ring.y, 0) == 6);
    fill<<<1, 1>>>(scalars, 1, 5); /* read when the call runs, after this */
    SPARSE(ring.multiply(scalars, scalars + 1));
    CHECK(at(ring.y, 0) == 10);
    SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
}

static void captures()
{
    Ring ring;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&stream));
    SPARSE(cusparseSetStream(handle, stream));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SPARSE(ring.multiply(&ONE, &ONE));
    OK(cudaStreamEndCapture(stream, &graph));
    CHECK(at(ring.y, 0) == 0); /* nothing has run */
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 1; i <= 3; i++) {
        OK(cudaGraphLaunch(exec, stream));
        OK(cudaStreamSynchronize(stream));
        CHECK(at(ring.y, 0) == 2 * i);
    }
    SPARSE(cusparseSetStream(handle, 0));
    OK(cudaStreamDestroy(stream));
}

static void descriptors()
{
    Ring ring;
    int64_t rows, cols, nnz;
    void *o, *c, *v;
    cusparseIndexType_t offsets_type, columns_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill_mode = CUSPARSE_FILL_MODE_UPPER, found = CUSPARSE_FILL_MODE_LOWER;
    int version = 0, major = 0;
    SPARSE(cusparseCsrGet(ring.a, &rows, &cols, &nnz, &o, &c, &v, &offsets_type, &columns_type, &base, &type));
    CHECK(rows == N && cols == N && nnz == 2 * N && o == ring.offsets && c == ring.columns && v == ring.values && type == CUDA_R_32F);
    SPARSE(cusparseSpMatSetAttribute(ring.a, CUSPARSE_SPMAT_FILL_MODE, &fill_mode, sizeof fill_mode));
    SPARSE(cusparseSpMatGetAttribute(ring.a, CUSPARSE_SPMAT_FILL_MODE, &found, sizeof found));
    CHECK(found == fill_mode);
    SPARSE(cusparseGetVersion(handle, &version));
    SPARSE(cusparseGetProperty(MAJOR_VERSION, &major));
    CHECK(version == CUSPARSE_VERSION && major == 12);
    CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &ONE, ring.a, ring.in, &ZERO, ring.out, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL) ==
          CUSPARSE_STATUS_NOT_SUPPORTED);
}

/* Rows of 0 to 8 elements, counted from 1, in memory that both sides reach. */
struct Uneven {
    int rows, nnz = 0, *offsets, *columns;
    float *values, *x, *y;
    cusparseSpMatDescr_t a;
    Uneven(int rows, int width) : rows(rows)
    {
        OK(cudaMallocManaged(&offsets, (rows + 1) * sizeof(int)));
        for (int r = 0; r <= rows; nnz += r++ % 9)
            offsets[r] = nnz + 1;
        nnz = offsets[rows] - 1;
        OK(cudaMallocManaged(&columns, nnz * sizeof(int)));
        OK(cudaMallocManaged(&values, nnz * sizeof(float)));
        OK(cudaMallocManaged(&x, (size_t)rows * width * sizeof(float)));
        OK(cudaMallocManaged(&y, (size_t)rows * width * sizeof(float)));
        for (int k = 0; k < nnz; k++) {
            columns[k] = (int)(k * 7919LL % rows) + 1;
            values[k] = (float)(k % 5 - 2);
        }
        for (size_t i = 0; i < (size_t)rows * width; i++) {
            x[i] = (float)(i % 7);
            y[i] = 1;
        }
        SPARSE(cusparseCreateCsr(&a, rows, rows, nnz, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
    }
    ~Uneven()
    {
        cusparseDestroySpMat(a);
        for (void *p : {(void *)offsets, (void *)columns, (void *)values, (void *)x, (void *)y})
            cudaFree(p);
    }
    /* Whether y := 2 a x + y. */
    bool is_product(int width) const
    {
        for (int r = 0; r < rows; r++)
            for (int j = 0; j < width; j++) {
                float sum = 0;
                for (int k = offsets[r] - 1; k < offsets[r + 1] - 1; k++)
                    sum += values[k] * x[(size_t)(columns[k] - 1) * width + j];
                if (y[(size_t)r * width + j] != 2 * sum + 1) return false;
            }
        return true;
    }
    void multiply()
    {
        const float two = 2;
        cusparseDnVecDescr_t in, out;
        SPARSE(cusparseCreateDnVec(&in, rows, x, CUDA_R_32F));
        SPARSE(cusparseCreateDnVec(&out, rows, y, CUDA_R_32F));
        SPARSE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, a, in, &ONE, out, CUDA_R_32F,
                            CUSPARSE_SPMV_ALG_DEFAULT, NULL));
        SPARSE(cusparseDestroyDnVec(in));
        SPARSE(cusparseDestroyDnVec(out));
    }
};

/* In caches and beyond them, and operands of all widths that loops differ by; sums are exact. */
static void uneven_rows()
{
    const float two = 2;
    for (int rows : {2, 9, 1000, 70000}) {
        Uneven m(rows, 1);
        m.multiply();
        OK(cudaDeviceSynchronize());
        CHECK(m.is_product(1));
    }
    for (int width : {2, 7, 8, 15, 16, 24, 33, 64, 127}) {
        Uneven m(300, width);
        cusparseDnMatDescr_t in, out;
        SPARSE(cusparseCreateDnMat(&in, 300, width, width, m.x, CUDA_R_32F, CUSPARSE_ORDER_ROW));
        SPARSE(cusparseCreateDnMat(&out, 300, width, width, m.y, CUDA_R_32F, CUSPARSE_ORDER_ROW));
        SPARSE(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, m.a, in, &ONE, out,
                            CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, NULL));
        OK(cudaDeviceSynchronize());
        CHECK(m.is_product(width));
        SPARSE(cusparseDestroyDnMat(in));
        SPARSE(cusparseDestroyDnMat(out));
    }
}

/* A column that the matrix has not: the context fails. */
static void bad_index()
{
    Ring ring;
    int wrong = N + 3;
    OK(cudaMemcpy(ring.columns + 7, &wrong, sizeof wrong, cudaMemcpyHostToDevice));
    SPARSE(ring.multiply(&ONE, &ZERO));
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

/* Likewise in a matrix that caches do not hold, in its last element. */
static void bad_far_index()
{
    Uneven m(70000, 1);
    m.columns[m.nnz - 1] = 0;
    m.multiply();
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

int main(int count, char **arguments)
{
    SPARSE(cusparseCreate(&handle));
    if (count > 1) {
        bad_far_index();
        return 0;
    }
    uneven_rows();
    CHECK(std::system((std::string(arguments[0]) + " far").c_str()) == 0);
    order_in_streams();
    pointer_modes();
    captures();
    descriptors();
    bad_index();
    std::printf("ok\n");
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* cuFFT on several GPUs (three devices): transforms and their inverses against those of one GPU; where the parts of arrays stand; copies
 * between orders; errors. Prints "ok". */
#include "api_check.h"

#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#define FFT(call)                                                                                            \
    do {                                                                                                     \
        cufftResult status_ = (call);                                                                        \
        if (status_ != CUFFT_SUCCESS) {                                                                      \
            std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)status_);                         \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

struct Shape {
    int rank, n[3], batch;
    size_t items() const
    {
        size_t all = batch;
        for (int d = 0; d < rank; d++) all *= n[d];
        return all;
    }
};
typedef cufftDoubleComplex Z;
typedef cufftComplex C;
static cufftResult exec(cufftHandle plan, Z *at, int direction) { return cufftExecZ2Z(plan, at, at, direction); }
static cufftResult exec(cufftHandle plan, C *at, int direction) { return cufftExecC2C(plan, at, at, direction); }
static cufftResult exec(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction, Z)
{
    return cufftXtExecDescriptorZ2Z(plan, in, out, direction);
}
static cufftResult exec(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction, C)
{
    return cufftXtExecDescriptorC2C(plan, in, out, direction);
}
static cufftType type_of(Z) { return CUFFT_Z2Z; }
static cufftType type_of(C) { return CUFFT_C2C; }

template <class T> static void same(const std::vector<T> &a, const std::vector<T> &b, double scale, int line)
{
    double worst = 0, limit = sizeof(T) == sizeof(C) ? 1e-4 : 1e-12;
    for (size_t i = 0; i < a.size(); i++)
        worst = std::fmax(worst, std::fmax(std::fabs(a[i].x - b[i].x * scale), std::fabs(a[i].y - b[i].y * scale)));
    if (!(worst <= limit * scale)) {
        std::printf("%s:%d: off by %g\n", __FILE__, line, worst);
        std::exit(1);
    }
}

template <class T> static std::vector<T> numbers(size_t count)
{
    std::vector<T> x(count);
    unsigned state = 3;
    for (T &v : x) {
        state = state * 1664525u + 1013904223u;
        v.x = (int)(state >> 24) / 128.0 - 1;
        v.y = (int)(state >> 16 & 255) / 128.0 - 1;
    }
    return x;
}

template <class T> static std::vector<T> on_one(Shape s, const std::vector<T> &x, int direction)
{
    cufftHandle plan;
    T *at;
    std::vector<T> y(x.size());
    FFT(cufftPlanMany(&plan, s.rank, s.n, NULL, 1, 0, NULL, 1, 0, type_of(T()), s.batch));
    OK(cudaMalloc(&at, x.size() * sizeof(T)));
    OK(cudaMemcpy(at, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice));
    FFT(exec(plan, at, direction));
    OK(cudaMemcpy(y.data(), at, x.size() * sizeof(T), cudaMemcpyDeviceToHost));
    OK(cudaFree(at));
    FFT(cufftDestroy(plan));
    return y;
}

/* Of two dimensions: part g has all rows and its own columns. */
template <class T> static void shuffled(Shape s, const cudaLibXtDesc *d, const std::vector<T> &wanted)
{
    int rows = s.n[0], columns = s.n[1], gpus = d->descriptor->nGPUs, first = 0;
    for (int g = 0; g < gpus; g++) {
        int own = columns / gpus + (g < columns % gpus);
        std::vector<T> part((size_t)rows * own), there;
        OK(cudaMemcpy(part.data(), d->descriptor->data[g], part.size() * sizeof(T), cudaMemcpyDeviceToHost));
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < own; j++) there.push_back(wanted[(size_t)i * columns + first + j]);
        same(part, there, 1, __LINE__);
        first += own;
    }
}

template <class T> static void transform(Shape s, int gpus)
{
    cufftHandle plan;
    cudaLibXtDesc *a, *b;
    size_t work[3];
    int list[] = {2, 0, 1};
    std::vector<T> x = numbers<T>(s.items()), y(x.size()), wanted = on_one(s, x, CUFFT_FORWARD);
    FFT(cufftCreate(&plan));
    FFT(cufftXtSetGPUs(plan, gpus, list));
    FFT(cufftMakePlanMany(plan, s.rank, s.n, NULL, 1, 0, NULL, 1, 0, type_of(T()), s.batch, work));
    FFT(cufftXtMalloc(plan, &a, CUFFT_XT_FORMAT_INPLACE));
    FFT(cufftXtMalloc(plan, &b, CUFFT_XT_FORMAT_INPLACE));
    CHECK(a->descriptor->nGPUs == gpus && a->descriptor->GPUs[0] == 2 && a->library == LIB_FORMAT_CUFFT);
    FFT(cufftXtMemcpy(plan, a, x.data(), CUFFT_COPY_HOST_TO_DEVICE));
    FFT(exec(plan, a, a, CUFFT_FORWARD, T()));
    CHECK(a->subFormat == (s.batch > 1 ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED));
    FFT(cufftXtMemcpy(plan, y.data(), a, CUFFT_COPY_DEVICE_TO_HOST));
    same(wanted, y, 1, __LINE__);
    if (s.rank == 2 && s.batch == 1) shuffled(s, a, wanted);
    FFT(cufftXtMemcpy(plan, b, a, CUFFT_COPY_DEVICE_TO_DEVICE)); /* natural order again */
    FFT(cufftXtMemcpy(plan, y.data(), b, CUFFT_COPY_DEVICE_TO_HOST));
    same(wanted, y, 1, __LINE__);
    FFT(exec(plan, b, b, CUFFT_INVERSE, T()));
    FFT(cufftXtMemcpy(plan, y.data(), b, CUFFT_COPY_DEVICE_TO_HOST));
    double scale = (double)s.items() / s.batch;
    same(y, x, scale, __LINE__);
    FFT(exec(plan, a, b, CUFFT_INVERSE, T())); /* from the shuffled order, to elsewhere */
    CHECK(b->subFormat == CUFFT_XT_FORMAT_INPLACE);
    FFT(cufftXtMemcpy(plan, y.data(), b, CUFFT_COPY_DEVICE_TO_HOST));
    same(y, x, scale, __LINE__);
    FFT(cufftXtFree(a));
    FFT(cufftXtFree(b));
    FFT(cufftDestroy(plan));
}

static void errors()
{
    cufftHandle plan;
    size_t work[3];
    int good[] = {0, 1}, far[] = {0, 7};
    cudaLibXtDesc *d;
    C *null = nullptr;
    cufftXt1dFactors factors;
    FFT(cufftCreate(&plan));
    CHECK(cufftXtMalloc(plan, &d, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_PLAN);
    CHECK(cufftXtSetGPUs(plan, 2, far) == CUFFT_INVALID_DEVICE);
    CHECK(cufftXtSetGPUs(plan, 17, good) == CUFFT_INVALID_VALUE);
    FFT(cufftXtSetGPUs(plan, 2, good));
    CHECK(cufftMakePlan1d(plan, 64, CUFFT_R2C, 1, work) == CUFFT_NOT_SUPPORTED);
    FFT(cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, work));
    CHECK(cufftXtSetGPUs(plan, 2, good) == CUFFT_INVALID_PLAN);
    CHECK(cufftExecC2C(plan, null, null, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
    CHECK(cufftXtQueryPlan(plan, &factors, CUFFT_QUERY_1D_FACTORS) == CUFFT_NOT_SUPPORTED);
    FFT(cufftXtMalloc(plan, &d, CUFFT_XT_FORMAT_INPLACE));
    CHECK(cufftXtExecDescriptorC2C(plan, d, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
    CHECK(cufftXtExecDescriptorC2C(plan, d, d, 5) == CUFFT_INVALID_VALUE);
    CHECK(cufftXtMemcpy(plan, d, nullptr, CUFFT_COPY_HOST_TO_DEVICE) == CUFFT_INVALID_VALUE);
    CHECK(cufftXtFree(nullptr) == CUFFT_INVALID_VALUE);
    FFT(cufftXtFree(d));
    FFT(cufftDestroy(plan));
}

int main()
{
    setenv("SOFTWARP_DEVICE", "h200:3", 1);
    const Shape shapes[] = {{1, {1024}, 1}, {1, {1000}, 1}, {1, {30}, 7},     {2, {64, 64}, 1},   {2, {7, 10}, 1},
                            {2, {8, 6}, 4}, {2, {2, 5}, 1}, {3, {5, 7, 6}, 1}, {3, {8, 2, 16}, 1}};
    for (const Shape &s : shapes)
        for (int gpus = 2; gpus <= 3; gpus++) {
            transform<C>(s, gpus);
            transform<Z>(s, gpus);
        }
    errors();
    std::puts("ok");
    return 0;
}

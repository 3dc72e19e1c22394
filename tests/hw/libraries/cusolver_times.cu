/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuSOLVER to be timed, at orders that are powers of two and between them: square matrices and others, all types, few and many right
 * sides, batches of many sizes. One line a call on standard output.
 * usage: cusolver_times [events|trace|powers]
 * events: on a GPU, each call several times, timed by events; the lines are those of cusolver-times.tsv. One call of many has thousands of
 * kernels, with pauses between them: events see these, as programs do. trace: each once for a profiler, between kernels `mark` and
 * `setup_unmark`, after another that loads its kernels. Else one call each after a kernel `mark`, for softwarp profile; a host computes
 * these, so none of more than LARGEST_HERE rows. powers: of these, orders that are powers of two. */
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

__global__ void mark() {}
__global__ void setup_unmark() {}

/* ---- numbers: symmetric, or Hermitian, where rows and columns are the same many */

__device__ static void put(float *at, double value, double) { *at = (float)value; }
__device__ static void put(double *at, double value, double) { *at = value; }
__device__ static void put(cuComplex *at, double value, double other) { *at = make_cuComplex((float)value, (float)other); }
__device__ static void put(cuDoubleComplex *at, double value, double other) { *at = make_cuDoubleComplex(value, other); }
__device__ static double number(unsigned x)
{
    x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
    return ((int)(x & 255) - 128) / 128.0;
}
template <typename T> __global__ void setup_fill(T *at, int rows, int columns, double diagonal, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (size_t)rows * columns; i += (size_t)gridDim.x * blockDim.x) {
        unsigned row = (unsigned)(i % rows), column = (unsigned)(i / rows), low = min(row, column), high = max(row, column);
        unsigned x = (low * 2654435761u) ^ (high * 40503u + seed);
        put(at + i, number(x) + (row == column ? diagonal : 0), row == column ? 0 : row < column ? number(x + 77) : -number(x + 77));
    }
}

/* ---- calls */

enum { PROFILED, EVENTS, TRACED };
static int how;
static cusolverDnHandle_t handle;
static cudaEvent_t begin_event, end_event;
static void *a, *b, *c, *work, *values, *tau, *tau2, *off;
static int *pivots, *info;
static int rows, columns, right_sides; /* of what is filled */
static double diagonal, diagonal_of_b;
static const size_t WORK = (size_t)512 << 20, OPERAND = (size_t)256 << 20; /* bytes */
static const int LARGEST_HERE = 2000, MOST = 4096;

template <typename T> static void refill()
{
    setup_fill<<<264, 256>>>((T *)a, rows, columns, diagonal, 1);
    setup_fill<<<264, 256>>>((T *)b, rows, right_sides, diagonal_of_b, 7);
}
template <typename T, typename Call> static void timed(const std::string &name, const char *shape, Call call)
{
    int status = 0, runs = how == EVENTS ? 5 : how == TRACED ? 2 : rows > LARGEST_HERE ? 0 : 1;
    std::vector<float> ms;
    for (int i = 0; i < runs; i++) {
        refill<T>();
        cudaDeviceSynchronize();
        if (how != TRACED || i) mark<<<1, 1>>>();
        cudaEventRecord(begin_event);
        status = call();
        cudaEventRecord(end_event);
        if (how != PROFILED) setup_unmark<<<1, 1>>>();
        cudaDeviceSynchronize();
        float took = 0;
        cudaEventElapsedTime(&took, begin_event, end_event);
        ms.push_back(took);
    }
    if (runs == 0) mark<<<1, 1>>>();
    std::sort(ms.begin(), ms.end());
    if (how == EVENTS) std::printf("%s\t%s\t%d\t%.0f\tevents\n", name.c_str(), shape, status, ms[0] * 1e6);
    else std::printf("%s\t%s\t%d\n", name.c_str(), shape, status);
}

#define API(L, T, R, org, orm, sy)                                                                                               \
    struct L {                                                                                                                   \
        typedef T type;                                                                                                          \
        typedef R real;                                                                                                          \
        static const bool IS_COMPLEX = sizeof(T) > sizeof(R);                                                                    \
        static const char *letter() { return #L; }                                                                               \
        static constexpr auto potrf = cusolverDn##L##potrf;                                                                      \
        static constexpr auto potrs = cusolverDn##L##potrs;                                                                      \
        static constexpr auto potri = cusolverDn##L##potri;                                                                      \
        static constexpr auto getrf = cusolverDn##L##getrf;                                                                      \
        static constexpr auto getrs = cusolverDn##L##getrs;                                                                      \
        static constexpr auto geqrf = cusolverDn##L##geqrf;                                                                      \
        static constexpr auto ormqr = cusolverDn##L##orm##qr;                                                                    \
        static constexpr auto orgqr = cusolverDn##L##org##qr;                                                                    \
        static constexpr auto sytrf = cusolverDn##L##sytrf;                                                                      \
        static constexpr auto sytrd = cusolverDn##L##sy##trd;                                                                    \
        static constexpr auto orgtr = cusolverDn##L##org##tr;                                                                    \
        static constexpr auto ormtr = cusolverDn##L##orm##tr;                                                                    \
        static constexpr auto gebrd = cusolverDn##L##gebrd;                                                                      \
        static constexpr auto orgbr = cusolverDn##L##org##br;                                                                    \
        static constexpr auto syevd = cusolverDn##L##sy##evd;                                                                    \
        static constexpr auto sygvd = cusolverDn##L##sy##gvd;                                                                    \
        static constexpr auto syevj = cusolverDn##L##sy##evj;                                                                    \
        static constexpr auto gesvd = cusolverDn##L##gesvd;                                                                      \
        static constexpr auto gesvdj = cusolverDn##L##gesvdj;                                                                    \
        static constexpr auto syevjBatched = cusolverDn##L##sy##evjBatched;                                                      \
        static constexpr auto gesvdjBatched = cusolverDn##L##gesvdjBatched;                                                      \
        static constexpr auto potrfBatched = cusolverDn##L##potrfBatched;                                                        \
        static constexpr auto potrsBatched = cusolverDn##L##potrsBatched;                                                        \
    };
API(S, float, float, org, orm, sy)
API(D, double, double, org, orm, sy)
API(C, cuComplex, float, ung, unm, he)
API(Z, cuDoubleComplex, double, ung, unm, he)

static char text[60];
#define SHAPE(...) (std::snprintf(text, sizeof text, __VA_ARGS__), text)
#define USES(L)                                                                                                                  \
    typedef typename L::type T;                                                                                                  \
    typedef typename L::real R;                                                                                                  \
    T *x = (T *)a, *y = (T *)b, *z = (T *)c, *w = (T *)work, *t = (T *)tau, *t2 = (T *)tau2;                                     \
    R *d = (R *)values, *e = (R *)off;                                                                                           \
    int room = (int)(WORK / sizeof(T));                                                                                          \
    const std::string l = L::letter();                                                                                           \
    (void)x, (void)y, (void)z, (void)w, (void)t, (void)t2, (void)d, (void)e, (void)room
#define SIZED(m, n, k) (rows = (m), columns = (n), right_sides = (k))
static const cublasFillMode_t LOWER = CUBLAS_FILL_MODE_LOWER;
static const cusolverEigMode_t WITH = CUSOLVER_EIG_MODE_VECTOR, WITHOUT = CUSOLVER_EIG_MODE_NOVECTOR;

template <typename L> static void cholesky_solve(int n, int k)
{
    USES(L);
    SIZED(n, n, k);
    diagonal = 2.0 * n;
    timed<T>(l + "potrs", SHAPE("%d %d", n, k), [=] { return L::potrs(handle, LOWER, n, k, x, n, y, n, info); });
}
template <typename L> static void cholesky(int n, int k)
{
    USES(L);
    SIZED(n, n, k);
    diagonal = 2.0 * n;
    timed<T>(l + "potrf", SHAPE("%d", n), [=] { return L::potrf(handle, LOWER, n, x, n, w, room, info); });
    timed<T>(l + "potri", SHAPE("%d", n), [=] { return L::potri(handle, LOWER, n, x, n, w, room, info); });
    cholesky_solve<L>(n, k);
}
template <typename L> static void upper(int n)
{
    USES(L);
    SIZED(n, n, 1);
    diagonal = 2.0 * n;
    timed<T>(l + "potrf", SHAPE("%d U", n), [=] { return L::potrf(handle, CUBLAS_FILL_MODE_UPPER, n, x, n, w, room, info); });
}
template <typename L> static void lu(int m, int n)
{
    USES(L);
    SIZED(m, n, 1);
    diagonal = 0;
    timed<T>(l + "getrf", SHAPE("%d %d", m, n), [=] { return L::getrf(handle, m, n, x, m, w, pivots, info); });
}
template <typename L> static void lu_solve(int n, int k)
{
    USES(L);
    SIZED(n, n, k);
    diagonal = 2.0 * n;
    if (how != PROFILED) refill<T>(), L::getrf(handle, n, n, x, n, w, pivots, info);
    else {
        std::vector<int> at(n);
        for (int i = 0; i < n; i++)
            at[i] = i + 1;
        cudaMemcpy(pivots, at.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    }
    timed<T>(l + "getrs", SHAPE("%d %d", n, k), [=] { return L::getrs(handle, CUBLAS_OP_N, n, k, x, n, pivots, y, n, info); });
}
template <typename L> static void qr(int m, int n)
{
    USES(L);
    SIZED(m, n, 1);
    diagonal = 0;
    timed<T>(l + "geqrf", SHAPE("%d %d", m, n), [=] { return L::geqrf(handle, m, n, x, m, t, w, room, info); });
}
template <typename L> static void reflectors(int m, int k, int sides)
{
    USES(L);
    SIZED(m, k, sides);
    diagonal = 0;
    cublasOperation_t turned = L::IS_COMPLEX ? CUBLAS_OP_C : CUBLAS_OP_T;
    timed<T>(l + "ormqr", SHAPE("%d %d %d", m, sides, k),
             [=] { return L::ormqr(handle, CUBLAS_SIDE_LEFT, turned, m, sides, k, x, m, t, y, m, w, room, info); });
    timed<T>(l + "orgqr", SHAPE("%d %d", m, k), [=] { return L::orgqr(handle, m, k, k, x, m, t, w, room, info); });
}
template <typename L> static void indefinite(int n)
{
    USES(L);
    SIZED(n, n, 1);
    diagonal = 0;
    timed<T>(l + "sytrf", SHAPE("%d", n), [=] { return L::sytrf(handle, LOWER, n, x, n, pivots, w, room, info); });
}
template <typename L> static void reductions(int n)
{
    USES(L);
    SIZED(n, n, 1);
    diagonal = 0;
    timed<T>(l + "sytrd", SHAPE("%d", n), [=] { return L::sytrd(handle, LOWER, n, x, n, d, e, t, w, room, info); });
    timed<T>(l + "gebrd", SHAPE("%d", n), [=] { return L::gebrd(handle, n, n, x, n, d, e, t, t2, w, room, info); });
}
template <typename L> static void of_reductions(int n)
{
    USES(L);
    SIZED(n, n, n);
    diagonal = 0;
    timed<T>(l + "orgtr", SHAPE("%d", n), [=] { return L::orgtr(handle, LOWER, n, x, n, t, w, room, info); });
    timed<T>(l + "ormtr", SHAPE("%d", n),
             [=] { return L::ormtr(handle, CUBLAS_SIDE_LEFT, LOWER, CUBLAS_OP_N, n, n, x, n, t, y, n, w, room, info); });
    timed<T>(l + "orgbr", SHAPE("%d", n), [=] { return L::orgbr(handle, CUBLAS_SIDE_LEFT, n, n, n, x, n, t, w, room, info); });
}
template <typename L> static void tall_reduction(int m, int n)
{
    USES(L);
    SIZED(m, n, 1);
    diagonal = 0;
    timed<T>(l + "gebrd", SHAPE("%d %d", m, n), [=] { return L::gebrd(handle, m, n, x, m, d, e, t, t2, w, room, info); });
}
template <typename L> static void eigenvalues(int n)
{
    USES(L);
    SIZED(n, n, 1);
    diagonal = 0;
    timed<T>(l + "syevd", SHAPE("%d N", n), [=] { return L::syevd(handle, WITHOUT, LOWER, n, x, n, d, w, room, info); });
    timed<T>(l + "syevd", SHAPE("%d V", n), [=] { return L::syevd(handle, WITH, LOWER, n, x, n, d, w, room, info); });
}
template <typename L> static void pairs_of_matrices(int n)
{
    USES(L);
    SIZED(n, n, n);
    diagonal = 0;
    diagonal_of_b = 2.0 * n;
    for (int with = 0; with < 2; with++)
        timed<T>(l + "sygvd", SHAPE("%d %c", n, with ? 'V' : 'N'), [=] {
            return L::sygvd(handle, CUSOLVER_EIG_TYPE_1, with ? WITH : WITHOUT, LOWER, n, x, n, y, n, d, w, room, info);
        });
    diagonal_of_b = 0;
}
template <typename L> static void singular_values(int m, int n, bool with)
{
    USES(L);
    SIZED(m, n, 1);
    diagonal = 0;
    timed<T>(l + "gesvd", SHAPE("%d %d N", m, n),
             [=] { return L::gesvd(handle, 'N', 'N', m, n, x, m, d, NULL, m, NULL, n, w, room, NULL, info); });
    if (with)
        timed<T>(l + "gesvd", SHAPE("%d %d A", m, n),
                 [=] { return L::gesvd(handle, 'A', 'A', m, n, x, m, d, y, m, z, n, w, room, NULL, info); });
}
template <typename L> static void by_jacobi(int n, bool both)
{
    USES(L);
    SIZED(n, n, 1);
    diagonal = 0;
    syevjInfo_t jacobi;
    gesvdjInfo_t pairs;
    cusolverDnCreateSyevjInfo(&jacobi);
    cusolverDnCreateGesvdjInfo(&pairs);
    for (int with = !both; with < 2; with++) {
        cusolverEigMode_t job = with ? WITH : WITHOUT;
        char letter = with ? 'V' : 'N';
        timed<T>(l + "syevj", SHAPE("%d %c", n, letter), [=] { return L::syevj(handle, job, LOWER, n, x, n, d, w, room, info, jacobi); });
        timed<T>(l + "gesvdj", SHAPE("%d %c", n, letter),
                 [=] { return L::gesvdj(handle, job, 0, n, n, x, n, d, y, n, z, n, w, room, info, pairs); });
    }
    cusolverDnDestroySyevjInfo(jacobi);
    cusolverDnDestroyGesvdjInfo(pairs);
}
template <typename T> static T **pointers_to(T *at, int each, int count)
{
    std::vector<T *> host(count);
    T **out;
    for (int i = 0; i < count; i++)
        host[i] = at + (size_t)i * each;
    cudaMalloc(&out, count * sizeof *out);
    cudaMemcpy(out, host.data(), count * sizeof *out, cudaMemcpyHostToDevice);
    return out;
}
template <typename L> static void many_by_jacobi(int n, int count, bool with)
{
    USES(L);
    SIZED(n, n * count, 1);
    diagonal = 0;
    syevjInfo_t jacobi;
    gesvdjInfo_t pairs;
    cusolverDnCreateSyevjInfo(&jacobi);
    cusolverDnCreateGesvdjInfo(&pairs);
    cusolverEigMode_t job = with ? WITH : WITHOUT;
    const char *shape = SHAPE("%d x%d %c", n, count, with ? 'V' : 'N');
    timed<T>(l + "syevjBatched", shape, [=] { return L::syevjBatched(handle, job, LOWER, n, x, n, d, w, room, info, jacobi, count); });
    timed<T>(l + "gesvdjBatched", shape,
             [=] { return L::gesvdjBatched(handle, job, n, n, x, n, d, z, n, z + (size_t)n * n * count, n, w, room, info, pairs, count); });
    cusolverDnDestroySyevjInfo(jacobi);
    cusolverDnDestroyGesvdjInfo(pairs);
}
template <typename L> static void many_factors(int n, int count, bool solves)
{
    USES(L);
    SIZED(n, n * count, count);
    T **matrices = pointers_to(x, n * n, count), **sides = pointers_to(y, n, count);
    /* each its own positive matrix: of the filled one only the first has a diagonal, so that they are made here */
    std::vector<T> host((size_t)n * n * count);
    std::memset(host.data(), 0, host.size() * sizeof(T));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < n; j++) {
            R one = (R)(2 + j % 3);
            std::memcpy(&host[(size_t)i * n * n + (size_t)j * n + j], &one, sizeof one);
        }
    T *positive = (T *)c;
    cudaMemcpy(positive, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    T **good = pointers_to(positive, n * n, count);
    const char *shape = SHAPE("%d x%d", n, count);
    timed<T>(l + "potrfBatched", shape, [=] { return L::potrfBatched(handle, LOWER, n, good, n, info, count); });
    if (solves)
        timed<T>(l + "potrsBatched", shape, [=] { return L::potrsBatched(handle, LOWER, n, 1, good, n, sides, n, info, count); });
    cudaFree(matrices), cudaFree(sides), cudaFree(good);
}
#define REFINED(name, T)                                                                                                         \
    timed<T>(#name "gesv", SHAPE("%d %d", n, k), [=] {                                                                           \
        int steps;                                                                                                               \
        return cusolverDn##name##gesv(handle, n, k, (T *)a, n, pivots, (T *)b, n, (T *)c, n, work, WORK, &steps, info);          \
    })
static void refined(int n, int k)
{
    SIZED(n, n, k);
    diagonal = 2.0 * n;
    REFINED(DD, double);
    REFINED(DS, double);
}
static void refined_to_halves(int n)
{
    const int k = 1;
    SIZED(n, n, k);
    diagonal = 2.0 * n;
    REFINED(DH, double);
}
static void refined_of_others(int n, int k)
{
    SIZED(n, n, k);
    diagonal = 2.0 * n;
    REFINED(SS, float);
    REFINED(SB, float);
    REFINED(ZC, cuDoubleComplex);
}
#define LEAST_SQUARES(name, T)                                                                                                   \
    timed<T>(#name "gels", SHAPE("%d %d", m, n), [=] {                                                                           \
        int steps;                                                                                                               \
        return cusolverDn##name##gels(handle, m, n, 1, (T *)a, m, (T *)b, m, (T *)c, n, work, WORK, &steps, info);               \
    })
static void least_squares(int m, int n)
{
    SIZED(m, n, 1);
    diagonal = 0;
    LEAST_SQUARES(DD, double);
    LEAST_SQUARES(DS, double);
    LEAST_SQUARES(SS, float);
}

template <typename L> static void powers_of_two(int n)
{
    cholesky<L>(n, 1);
    cholesky_solve<L>(n, n);
    lu<L>(n, n);
    lu_solve<L>(n, 1);
    lu_solve<L>(n, n);
    qr<L>(n, n);
    reflectors<L>(n, n, n);
    if (n > 2048) return;
    indefinite<L>(n);
    reductions<L>(n);
    eigenvalues<L>(n);
    singular_values<L>(n, n, n <= 1024);
    if (n <= 512) by_jacobi<L>(n, false);
}
template <typename L> static void other_shapes()
{
    const bool is_complex = L::IS_COMPLEX;
    const int orders[] = {32, 100, 160, 200, 320, 384, 700, 900}, powers[] = {64, 256, 1024}, sides[] = {8, 1, 64, 3, 32, 1, 16, 100};
    for (int i = 0; i < 8; i++) {
        if (is_complex && i % 2) continue;
        cholesky<L>(orders[i], sides[i]);
        lu<L>(orders[i], orders[i]);
        lu_solve<L>(orders[i], sides[7 - i]);
        qr<L>(orders[i], orders[i]);
        indefinite<L>(orders[i]);
    }
    if (is_complex)
        for (int n : powers)
            cholesky<L>(n, n / 4), lu<L>(n, n), lu_solve<L>(n, 1), qr<L>(n, n);
    const int shapes[][2] = {{1000, 60}, {1000, 250}, {200, 800}, {500, 400}, {2000, 128}, {96, 700}};
    for (int i = 0; i < 6; i++) {
        if (is_complex && i > 2) break;
        lu<L>(shapes[i][0], shapes[i][1]);
        qr<L>(shapes[i][0], shapes[i][1]);
    }
    const int reflected[][3] = {{1000, 60, 1}, {1000, 250, 40}, {384, 384, 384}, {640, 320, 640}, {100, 100, 20}, {768, 768, 10}};
    for (int i = 0; i < 6; i++) {
        if (is_complex && i % 2) continue;
        reflectors<L>(reflected[i][0], reflected[i][1], reflected[i][2]);
    }
    upper<L>(200);
    upper<L>(700);
    for (int n : {32, 96, 200, 384, 768}) {
        if (is_complex && (n == 32 || n == 200)) continue;
        reductions<L>(n);
        of_reductions<L>(n);
        eigenvalues<L>(n);
        if (n != 96) pairs_of_matrices<L>(n);
        if (n <= 384) singular_values<L>(n, n, n != 384 || !is_complex);
    }
    if (!is_complex) {
        singular_values<L>(768, 768, false);
        tall_reduction<L>(1000, 200);
        singular_values<L>(1000, 100, true);
        singular_values<L>(800, 300, false);
    }
    for (int n : {32, 100, 200, 384}) {
        if (is_complex && n != 100) continue;
        by_jacobi<L>(n, true);
    }
}
template <typename L> static void batches_of_powers(int n, int count)
{
    many_by_jacobi<L>(n, count, true);
    many_factors<L>(n, count, false);
}
template <typename L> static void other_batches()
{
    const int shapes[][2] = {{4, 100}, {8, 10}, {8, 5000}, {12, 300}, {16, 132}, {20, 2000}, {24, 500}, {32, 20}, {32, 1000}};
    for (int i = 0; i < 9; i++)
        if (!L::IS_COMPLEX || i % 4 == 0) many_by_jacobi<L>(shapes[i][0], shapes[i][1], i % 3 != 1);
    const int factors[][2] = {{4, 1000}, {8, 100}, {16, 5000}, {32, 2000}, {48, 300}, {64, 1000}, {128, 100}, {256, 20}};
    for (int i = 0; i < 8; i++)
        if (!L::IS_COMPLEX || i % 3 == 0) many_factors<L>(factors[i][0], factors[i][1], true);
}

static void others()
{
    other_shapes<S>();
    other_shapes<D>();
    other_shapes<C>();
    other_shapes<Z>();
    for (int n : {100, 300, 700})
        for (int k : {1, 20})
            refined(n, k), refined_of_others(n, k);
    const int tall[][2] = {{500, 200}, {1000, 100}, {700, 700}};
    for (auto &s : tall)
        least_squares(s[0], s[1]);
    other_batches<S>();
    other_batches<D>();
    other_batches<C>();
    other_batches<Z>();
}

int main(int argc, char **argv)
{
    const bool only_powers = argc > 1 && !std::strcmp(argv[1], "powers");
    how = argc < 2 || only_powers ? PROFILED : std::strcmp(argv[1], "events") ? TRACED : EVENTS;
    std::setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    for (void **at : {&a, &b, &c})
        cudaMalloc(at, OPERAND);
    for (void **at : {&values, &off, &tau, &tau2})
        cudaMalloc(at, 4 << 20);
    cudaMemset(tau, 0, 4 << 20);
    cudaMalloc(&work, WORK);
    cudaMalloc(&pivots, 1 << 20);
    cudaMalloc(&info, 1 << 20);
    cudaEventCreate(&begin_event);
    cudaEventCreate(&end_event);
    if (cusolverDnCreate(&handle)) return 1;
    for (int n = 64; n <= MOST; n *= 2) {
        powers_of_two<S>(n);
        powers_of_two<D>(n);
        refined(n, 1);
        refined_to_halves(n);
    }
    for (auto &s : {std::pair<int, int>(8, 1000), {16, 1000}, {32, 500}}) {
        batches_of_powers<S>(s.first, s.second);
        batches_of_powers<D>(s.first, s.second);
    }
    if (!only_powers) others();
    mark<<<1, 1>>>();
    cudaDeviceSynchronize();
    return cusolverDnDestroy(handle);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* FFTW's interface: every form of plan, of doubles and of floats, against sums of a discrete Fourier
 * transform; gaps of the output stay as they are. A C program without a kernel. Prints "ok". */
#include <complex.h>
#include <cufftw.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096, RANK = 3, BATCH = 2 };
static const double PI = 3.14159265358979323846;
static int failures, checks;

/* Element `index` of a complex array, or of a real one. */
struct array {
    double complex at[ROOM];
};
static struct array source, result, wanted;

struct dim {
    int n, is, os;
};
struct shape {
    int rank, batch_rank;
    struct dim dims[RANK], batch[BATCH];
};
enum kind { C2C, R2C, C2R };

static double number(void)
{
    static unsigned state = 5;
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 24) / 128.0 - 1;
}

/* Element (k0, k1, k2) of a spectrum, of the item that starts at `from`; C2R: of the mirrored half. */
static double complex sum_of(const struct shape *s, enum kind kind, int sign, int from, const int *k)
{
    int n[RANK] = {1, 1, 1}, is[RANK] = {0, 0, 0}, j[RANK];
    double complex sum = 0;
    for (int d = 0; d < s->rank; d++)
        n[d] = s->dims[d].n, is[d] = s->dims[d].is;
    for (j[0] = 0; j[0] < n[0]; j[0]++)
        for (j[1] = 0; j[1] < n[1]; j[1]++)
            for (j[2] = 0; j[2] < n[2]; j[2]++) {
                int last = s->rank - 1, i[RANK] = {j[0], j[1], j[2]};
                bool mirrored = kind == C2R && j[last] > n[last] / 2;
                double turn = 0;
                for (int d = 0; d < RANK; d++) {
                    turn += (double)((long long)j[d] * k[d] % n[d]) / n[d];
                    if (mirrored) i[d] = (n[d] - j[d]) % n[d];
                }
                double complex x = source.at[from + i[0] * is[0] + i[1] * is[1] + i[2] * is[2]];
                if (mirrored) x = conj(x);
                sum += x * cexp(sign * 2 * PI * I * turn);
            }
    return sum;
}

/* wanted: what the output has where the transform writes, and -7 elsewhere. */
static void direct(const struct shape *s, enum kind kind, int sign)
{
    int n[RANK] = {1, 1, 1}, os[RANK] = {0, 0, 0}, k[RANK];
    int batch[BATCH] = {1, 1};
    for (int i = 0; i < ROOM; i++)
        wanted.at[i] = -7;
    for (int d = 0; d < s->rank; d++)
        n[d] = s->dims[d].n, os[d] = s->dims[d].os;
    if (kind == R2C) n[s->rank - 1] = n[s->rank - 1] / 2 + 1;
    for (int d = 0; d < s->batch_rank; d++)
        batch[d] = s->batch[d].n;
    for (int b = 0; b < batch[0] * batch[1]; b++) {
        int at[BATCH] = {b / batch[1], b % batch[1]}, from = 0, to = 0;
        for (int d = 0; d < s->batch_rank; d++)
            from += at[d] * s->batch[d].is, to += at[d] * s->batch[d].os;
        for (k[0] = 0; k[0] < n[0]; k[0]++)
            for (k[1] = 0; k[1] < n[1]; k[1]++)
                for (k[2] = 0; k[2] < n[2]; k[2]++) {
                    double complex x = sum_of(s, kind, sign, from, k);
                    wanted.at[to + k[0] * os[0] + k[1] * os[1] + k[2] * os[2]] = kind == C2R ? creal(x) : x;
                }
    }
}

static void compare(const char *name, double tolerance)
{
    double worst = 0;
    for (int i = 0; i < ROOM; i++)
        worst = fmax(worst, cabs(result.at[i] - wanted.at[i]));
    checks++;
    if (worst > tolerance || isnan(worst)) printf("%s: off by %g\n", name, worst), failures++;
}

/* All of one precision: X: fftw or fftwf, R: double or float. */
#define PRECISION(X, R, tolerance)                                                                           \
    static R X##_reals_in[2 * ROOM], X##_reals_out[2 * ROOM];                                                \
    static void X##_fill(enum kind kind)                                                                     \
    {                                                                                                        \
        X##_complex *in = (X##_complex *)X##_reals_in;                                                       \
        for (int i = 0; i < ROOM; i++) {                                                                     \
            double re = number(), im = number();                                                             \
            source.at[i] = kind == R2C ? re : re + im * I;                                                   \
            if (kind == R2C)                                                                                 \
                X##_reals_in[i] = (R)re;                                                                     \
            else                                                                                             \
                in[i] = (R)re + (R)im * I;                                                                   \
        }                                                                                                    \
        for (int i = 0; i < 2 * ROOM; i++)                                                                   \
            X##_reals_out[i] = kind == C2R || i % 2 == 0 ? -7 : 0;                                           \
    }                                                                                                        \
    static void X##_check(const char *name, const struct shape *s, enum kind kind, int sign, X##_plan plan)  \
    {                                                                                                        \
        X##_complex *in = (X##_complex *)X##_reals_in, *out = (X##_complex *)X##_reals_out;                  \
        for (int turn = 0; turn < 2; turn++) { /* the plan's arrays, then given ones */                      \
            X##_fill(kind);                                                                                  \
            direct(s, kind, sign);                                                                           \
            if (turn == 0)                                                                                   \
                X##_execute(plan);                                                                           \
            else if (kind == C2C)                                                                            \
                X##_execute_dft(plan, in, out);                                                              \
            else if (kind == R2C)                                                                            \
                X##_execute_dft_r2c(plan, X##_reals_in, out);                                                \
            else                                                                                             \
                X##_execute_dft_c2r(plan, in, X##_reals_out);                                                \
            for (int i = 0; i < ROOM; i++)                                                                   \
                result.at[i] = kind == C2R ? X##_reals_out[i] : out[i];                                      \
            compare(name, tolerance);                                                                        \
        }                                                                                                    \
        X##_destroy_plan(plan);                                                                              \
    }                                                                                                        \
    static void X##_all(void)                                                                                \
    {                                                                                                        \
        X##_complex *in = (X##_complex *)X##_reals_in, *out = (X##_complex *)X##_reals_out;                  \
        R *rin = X##_reals_in, *rout = X##_reals_out;                                                        \
        const int n[] = {3, 4, 5}, padded[] = {4, 5, 7}, halves[] = {3, 4, 4};                               \
        const struct shape one = {1, 0, {{30, 1, 1}}, {{0}}}, two = {2, 0, {{6, 7, 7}, {7, 1, 1}}, {{0}}};   \
        const struct shape three = {3, 0, {{3, 20, 20}, {4, 5, 5}, {5, 1, 1}}, {{0}}};                       \
        const struct shape r1 = {1, 0, {{30, 1, 1}}, {{0}}}, r2 = {2, 0, {{6, 7, 4}, {7, 1, 1}}, {{0}}};     \
        const struct shape r3 = {3, 0, {{3, 20, 12}, {4, 5, 3}, {5, 1, 1}}, {{0}}};                          \
        const struct shape c2 = {2, 0, {{6, 4, 7}, {7, 1, 1}}, {{0}}};                                       \
        const struct shape c3 = {3, 0, {{3, 12, 20}, {4, 3, 5}, {5, 1, 1}}, {{0}}};                          \
        const struct shape many = {3, 1, {{3, 70, 60}, {4, 14, 15}, {5, 2, 3}}, {{2, 300, 250}}};            \
        const struct shape many_r = {3, 1, {{3, 35, 16}, {4, 7, 4}, {5, 1, 1}}, {{2, 150, 60}}};             \
        const struct shape many_c = {3, 1, {{3, 16, 35}, {4, 4, 7}, {5, 1, 1}}, {{2, 60, 150}}};             \
        const struct shape guru = {1, 2, {{10, 3, 2}}, {{3, 1, 40}, {2, 64, 400}}};                          \
        const struct shape guru_r = {2, 2, {{4, 8, 4}, {6, 1, 1}}, {{3, 32, 16}, {2, 100, 80}}};             \
        const struct shape guru_c = {2, 2, {{4, 4, 8}, {6, 1, 1}}, {{3, 16, 32}, {2, 80, 100}}};             \
        X##_check("1d", &one, C2C, -1, X##_plan_dft_1d(30, in, out, FFTW_FORWARD, FFTW_ESTIMATE));           \
        X##_check("1d back", &one, C2C, 1, X##_plan_dft_1d(30, in, out, FFTW_BACKWARD, FFTW_MEASURE));       \
        X##_check("2d", &two, C2C, 1, X##_plan_dft_2d(6, 7, in, out, FFTW_BACKWARD, 0));                     \
        X##_check("3d", &three, C2C, -1, X##_plan_dft_3d(3, 4, 5, in, out, FFTW_FORWARD, 0));                \
        X##_check("any", &three, C2C, 1, X##_plan_dft(3, n, in, out, FFTW_BACKWARD, 0));                     \
        X##_check("r2c 1d", &r1, R2C, -1, X##_plan_dft_r2c_1d(30, rin, out, 0));                             \
        X##_check("r2c 2d", &r2, R2C, -1, X##_plan_dft_r2c_2d(6, 7, rin, out, 0));                           \
        X##_check("r2c 3d", &r3, R2C, -1, X##_plan_dft_r2c_3d(3, 4, 5, rin, out, 0));                        \
        X##_check("r2c any", &r3, R2C, -1, X##_plan_dft_r2c(3, n, rin, out, 0));                             \
        X##_check("c2r 1d", &r1, C2R, 1, X##_plan_dft_c2r_1d(30, in, rout, 0));                              \
        X##_check("c2r 2d", &c2, C2R, 1, X##_plan_dft_c2r_2d(6, 7, in, rout, 0));                            \
        X##_check("c2r 3d", &c3, C2R, 1, X##_plan_dft_c2r_3d(3, 4, 5, in, rout, 0));                         \
        X##_check("c2r any", &c3, C2R, 1, X##_plan_dft_c2r(3, n, in, rout, 0));                              \
        const int wide[] = {4, 4, 5};                                                                        \
        X##_check("many", &many, C2C, -1,                                                                    \
                  X##_plan_many_dft(3, n, 2, in, padded, 2, 300, out, wide, 3, 250, FFTW_FORWARD, 0));       \
        X##_check("many r2c", &many_r, R2C, -1,                                                              \
                  X##_plan_many_dft_r2c(3, n, 2, rin, padded, 1, 150, out, halves, 1, 60, 0));               \
        X##_check("many c2r", &many_c, C2R, 1,                                                               \
                  X##_plan_many_dft_c2r(3, n, 2, in, halves, 1, 60, rout, padded, 1, 150, 0));               \
        X##_gurus(&guru, &guru_r, &guru_c);                                                                  \
    }
/* guru needs lists of the interface's own types */
#define GURUS(X, R)                                                                                          \
    static void X##_check(const char *name, const struct shape *s, enum kind kind, int sign, X##_plan plan); \
    static R X##_reals_in[2 * ROOM], X##_reals_out[2 * ROOM];                                                \
    static void X##_gurus(const struct shape *c, const struct shape *r, const struct shape *h)               \
    {                                                                                                        \
        X##_complex *in = (X##_complex *)X##_reals_in, *out = (X##_complex *)X##_reals_out;                  \
        const struct shape *const shapes[] = {c, r, h};                                                      \
        for (int kind = C2C; kind <= C2R; kind++) {                                                          \
            X##_iodim lists[2][RANK];                                                                        \
            X##_iodim64 wide[2][RANK];                                                                       \
            const struct shape *s = shapes[kind];                                                            \
            for (int d = 0; d < RANK + BATCH; d++) {                                                         \
                struct dim from = d < RANK ? s->dims[d] : s->batch[d - RANK];                                \
                int list = d >= RANK, at = d % RANK;                                                         \
                lists[list][at].n = from.n, lists[list][at].is = from.is, lists[list][at].os = from.os;      \
                wide[list][at].n = from.n, wide[list][at].is = from.is, wide[list][at].os = from.os;         \
            }                                                                                                \
            int rank = s->rank;                                                                              \
            X##_plan a = kind == C2C ? X##_plan_guru_dft(rank, lists[0], 2, lists[1], in, out, -1, 0)        \
                         : kind == R2C                                                                       \
                             ? X##_plan_guru_dft_r2c(rank, lists[0], 2, lists[1], X##_reals_in, out, 0)      \
                             : X##_plan_guru_dft_c2r(rank, lists[0], 2, lists[1], in, X##_reals_out, 0);     \
            X##_plan b = kind == C2C ? X##_plan_guru64_dft(rank, wide[0], 2, wide[1], in, out, -1, 0)        \
                         : kind == R2C                                                                       \
                             ? X##_plan_guru64_dft_r2c(rank, wide[0], 2, wide[1], X##_reals_in, out, 0)      \
                             : X##_plan_guru64_dft_c2r(rank, wide[0], 2, wide[1], in, X##_reals_out, 0);     \
            X##_check("guru", s, kind, kind == C2R ? 1 : -1, a);                                             \
            X##_check("guru64", s, kind, kind == C2R ? 1 : -1, b);                                           \
        }                                                                                                    \
    }
GURUS(fftw, double)
GURUS(fftwf, float)
PRECISION(fftw, double, 1e-12)
PRECISION(fftwf, float, 2e-4)

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        checks++;                                                                                            \
        if (!(condition)) printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), failures++;                 \
    } while (0)

/* Real rows in place have room for their halves. */
static void in_place(void)
{
    enum { ROWS = 4, COLUMNS = 6, WIDTH = 8 };
    double *data = fftw_malloc(sizeof(double) * ROWS * WIDTH), kept[ROWS][COLUMNS];
    fftw_plan forward = fftw_plan_dft_r2c_2d(ROWS, COLUMNS, data, (fftw_complex *)data, FFTW_ESTIMATE);
    fftw_plan back = fftw_plan_dft_c2r_2d(ROWS, COLUMNS, (fftw_complex *)data, data, FFTW_ESTIMATE);
    double sum = 0, worst = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum += kept[i][j] = data[i * WIDTH + j] = number();
    CHECK(forward && back);
    fftw_execute(forward);
    CHECK(fabs(data[0] - sum) < 1e-12);
    fftw_execute(back);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            worst = fmax(worst, fabs(data[i * WIDTH + j] - ROWS * COLUMNS * kept[i][j]));
    CHECK(worst < 1e-12);
    fftw_destroy_plan(forward);
    fftw_destroy_plan(back);
    fftw_free(data);
}

static void refused(void)
{
    static fftw_complex data[64];
    const int n[] = {2, 2, 2, 2};
    const fftw_iodim dims[] = {{4, 3, 3}, {4, 2, 2}}, good = {4, 1, 1};
    CHECK(!fftw_plan_dft(4, n, data, data, FFTW_FORWARD, 0));
    CHECK(!fftw_plan_dft_1d(0, data, data, FFTW_FORWARD, 0));
    CHECK(!fftw_plan_dft_1d(8, data, data, 3, 0));
    CHECK(!fftw_plan_guru_dft(2, dims, 0, NULL, data, data, FFTW_FORWARD, 0)); /* rows that interleave */
    CHECK(!fftw_plan_guru_dft(-1, &good, 0, NULL, data, data, FFTW_FORWARD, 0));
    fftw_execute(NULL);
    fftw_destroy_plan(NULL);
    fftw_set_timelimit(1);
    CHECK(fftw_import_wisdom_from_file(stdin) == 0);
    fftw_cleanup();
}

int main(void)
{
    fftw_all();
    fftwf_all();
    in_place();
    refused();
    if (failures || checks < 90)
        printf("%d of %d failed\n", failures, checks);
    else
        puts("ok");
    return failures != 0;
}

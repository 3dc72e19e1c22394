/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms against sums of long doubles, with each instruction set that the machine has: lengths of every
 * method, dimensions, batches, layouts with gaps, outputs that overlap inputs, and arrays at the ends of
 * memory. */
#include "fft/fft.h"

#include "fft_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const double ALLOWED[] = {[FFT_F32] = 4e-7, [FFT_F64] = 1.5e-15}; /* of the norm */

/* ---- an array and what is in it */

static bool is_complex(const struct fft_problem *p, bool out)
{
    return p->kind != (out ? FFT_C2R : FFT_R2C);
}

static int64_t size_of(const struct fft_problem *p, unsigned d, bool out)
{
    return is_complex(p, out) && p->kind != FFT_C2C && d == p->rank - 1 ? p->n[d] / 2 + 1 : p->n[d];
}

/* Where element i (the last dimension the fastest, then the batch) stands. */
static int64_t place(const struct fft_problem *p, bool out, int64_t i)
{
    const struct fft_layout *layout = out ? &p->out : &p->in;
    int64_t at = 0;
    for (unsigned d = p->rank; d-- > 0;) {
        at += i % size_of(p, d, out) * layout->stride[d];
        i /= size_of(p, d, out);
    }
    return at + i * layout->dist;
}

static int64_t item_size(const struct fft_problem *p, bool out)
{
    int64_t all = 1;
    for (unsigned d = 0; d < p->rank; d++)
        all *= size_of(p, d, out);
    return all;
}

/* Reals up to behind the last element. */
static int64_t extent(const struct fft_problem *p, bool out)
{
    return (place(p, out, item_size(p, out) * p->batch - 1) + 1) * (is_complex(p, out) ? 2 : 1);
}

static double get(const struct fft_problem *p, const void *array, int64_t i)
{
    return p->type == FFT_F32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static void set(const struct fft_problem *p, void *array, int64_t i, double value)
{
    if (p->type == FFT_F32)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

static void fill(const struct fft_problem *p, void *array, int64_t count)
{
    unsigned state = 1;
    for (int64_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        set(p, array, i, ((int)(state >> 24) - 128) / 128.0);
    }
}

/* ---- the reference: one dimension after the other, by the definition */

typedef long double wide;

static void slow_lines(wide *x, int64_t outer, int64_t n, int64_t inner, int sign)
{
    const wide turn = 2 * acosl(-1) / (wide)n;
    wide *line = malloc((size_t)n * 2 * sizeof *line), *roots = malloc((size_t)n * 2 * sizeof *roots);
    for (int64_t k = 0; k < n; k++)
        roots[2 * k] = cosl(turn * (wide)k), roots[2 * k + 1] = sign * sinl(turn * (wide)k);
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < inner; i++) {
            wide *at = x + 2 * (o * n * inner + i);
            for (int64_t k = 0; k < n; k++) {
                wide re = 0, im = 0;
                for (int64_t j = 0; j < n; j++) {
                    const wide *w = roots + 2 * (j * k % n), *value = at + 2 * j * inner;
                    re += value[0] * w[0] - value[1] * w[1], im += value[0] * w[1] + value[1] * w[0];
                }
                line[2 * k] = re, line[2 * k + 1] = im;
            }
            for (int64_t k = 0; k < n; k++)
                at[2 * k * inner] = line[2 * k], at[2 * k * inner + 1] = line[2 * k + 1];
        }
    free(line);
    free(roots);
}

/* Index of the element whose conjugate an element of a real signal's spectrum is. */
static int64_t mirrored(const struct fft_problem *p, int64_t i)
{
    int64_t out = 0, weight = 1;
    for (unsigned d = p->rank; d-- > 0;) {
        out += (p->n[d] - i % p->n[d]) % p->n[d] * weight;
        i /= p->n[d];
        weight *= p->n[d];
    }
    return out;
}

/* An item as complex numbers of full dimensions. */
static void item_get(const struct fft_problem *p, const void *array, int64_t item, wide *x)
{
    const int64_t last = p->n[p->rank - 1], half = last / 2 + 1;
    int64_t all = 1;
    for (unsigned d = 0; d < p->rank; d++)
        all *= p->n[d];
    for (int64_t i = 0; i < all; i++) {
        int64_t from = i;
        bool turned = p->kind == FFT_C2R && i % last >= half;
        if (turned) from = mirrored(p, i);
        if (p->kind == FFT_C2R) from = from / last * half + from % last;
        int64_t at = place(p, false, item * item_size(p, false) + from);
        x[2 * i] = get(p, array, is_complex(p, false) ? 2 * at : at);
        x[2 * i + 1] = is_complex(p, false) ? get(p, array, 2 * at + 1) : 0;
        if (turned) x[2 * i + 1] = -x[2 * i + 1];
    }
}

static double item_error(const struct fft_problem *p, const void *out, int64_t item, const wide *x)
{
    const int64_t last = p->n[p->rank - 1], shown = size_of(p, p->rank - 1, true), all = item_size(p, true);
    double off = 0, norm = 0;
    for (int64_t i = 0; i < all; i++) {
        const wide *wanted = x + 2 * (i / shown * last + i % shown);
        int64_t at = place(p, true, item * all + i), parts = is_complex(p, true) ? 2 : 1;
        for (int64_t part = 0; part < parts; part++) {
            double d = get(p, out, parts * at + part) - (double)wanted[part];
            off += d * d, norm += (double)(wanted[part] * wanted[part]);
        }
    }
    return sqrt(off / (norm > 0 ? norm : 1));
}

/* ---- one transform */

/* What C2R reads is a real signal's spectrum: made by R2C of the same layout. */
static void spectrum_make(const struct fft_problem *p, void *in)
{
    struct fft_problem back = *p;
    back.kind = FFT_R2C, back.in = p->out, back.out = p->in;
    void *reals = malloc((size_t)extent(&back, false) * fft_real_bytes(p->type));
    fill(&back, reals, extent(&back, false));
    struct fft_plan *plan = fft_plan_new(&back);
    fft_run(plan, reals, in, false);
    fft_plan_free(plan);
    free(reals);
}

static void check(const struct fft_problem *p, const void *in, const void *out, bool inverse)
{
    int64_t all = 1;
    for (unsigned d = 0; d < p->rank; d++)
        all *= p->n[d];
    wide *x = malloc((size_t)all * 2 * sizeof *x);
    for (int64_t item = 0; item < p->batch; item += p->batch > 3 ? p->batch / 3 : 1) {
        int64_t outer = 1;
        item_get(p, in, item, x);
        for (unsigned d = 0; d < p->rank; outer *= p->n[d++])
            slow_lines(x, outer, p->n[d], all / outer / p->n[d], inverse ? 1 : -1);
        double error = item_error(p, out, item, x);
        if (!(error <= ALLOWED[p->type] * (1 + log2((double)all) / 8)))
            fail_msg("kind %d, type %d, %lld x %lld x %lld (rank %u), item %lld of %lld: off by %g", p->kind,
                     p->type, (long long)p->n[0], (long long)p->n[1], (long long)p->n[2], p->rank,
                     (long long)item, (long long)p->batch, error);
    }
    free(x);
}

static void run(const struct fft_problem *p)
{
    bool inverse = p->kind == FFT_C2R || (p->kind == FFT_C2C && p->n[0] % 2);
    const int64_t bytes = fft_real_bytes(p->type), in_count = extent(p, false), out_count = extent(p, true);
    void *in = malloc((size_t)(in_count * bytes)), *out = malloc((size_t)(out_count * bytes));
    void *kept = malloc((size_t)(in_count * bytes));
    fill(p, in, in_count);
    fill(p, out, out_count);
    if (p->kind == FFT_C2R) spectrum_make(p, in);
    memcpy(kept, in, (size_t)(in_count * bytes));
    struct fft_plan *plan = fft_plan_new(p);
    fft_run(plan, in, out, inverse);
    assert_memory_equal(kept, in, (size_t)(in_count * bytes));
    check(p, in, out, inverse);
    /* The output where the input is, and a little behind it. */
    int64_t most = (in_count > out_count ? in_count : out_count) * bytes + 64;
    char *both = malloc((size_t)most);
    for (int64_t shift = 0; shift <= 64; shift += 64) {
        memcpy(both, in, (size_t)(in_count * bytes));
        fft_run(plan, both, both + shift, inverse);
        check(p, in, both + shift, inverse);
    }
    fft_plan_free(plan);
    free(both);
    free(kept);
    free(out);
    free(in);
}

static struct fft_problem dense(enum fft_type type, enum fft_kind kind, unsigned rank, const int64_t *n,
                                int64_t batch)
{
    struct fft_problem p = {.type = type, .kind = kind, .rank = rank, .batch = batch};
    memcpy(p.n, n, rank * sizeof *n);
    p.in.dist = p.out.dist = 1;
    for (unsigned d = rank; d-- > 0;) {
        p.in.stride[d] = p.in.dist, p.out.stride[d] = p.out.dist;
        p.in.dist *= size_of(&p, d, false), p.out.dist *= size_of(&p, d, true);
    }
    return p;
}

static void all_kinds(unsigned rank, const int64_t *n, int64_t batch)
{
    for (int type = 0; type < FFT_TYPES; type++)
        for (int kind = 0; kind <= FFT_C2R; kind++) {
            struct fft_problem p = dense((enum fft_type)type, (enum fft_kind)kind, rank, n, batch);
            run(&p);
        }
}

static void each_set(void (*body)(void))
{
    for (uint32_t bytes = 16; bytes <= FFT_VECTOR_BYTES; bytes *= 2) {
        fft_ops_limit(bytes);
        body();
    }
    fft_ops_limit(0);
}

/* ---- tests */

static void lines(void)
{
    static const int64_t LONG[] = {169, 210, 256, 257, 343, 1009, 1024};
    for (int64_t n = 1; n <= 70; n++)
        for (int64_t batch = 1; batch <= 17; batch += 8)
            all_kinds(1, &n, batch);
    for (int64_t n = 97; n <= 137; n += 8)
        all_kinds(1, &n, 18);
    for (size_t i = 0; i < SW_COUNT_OF(LONG); i++) {
        all_kinds(1, &LONG[i], 1);
        all_kinds(1, &LONG[i], 20);
    }
}

static void lines_of_every_length(void **state)
{
    (void)state;
    each_set(lines);
}

static void planes(void)
{
    static const int64_t SIZES[][3] = {{1, 1},  {2, 3},   {8, 8},    {5, 16},   {31, 37},  {128, 1},  {1, 64},
                                       {67, 6}, {3, 509}, {2, 2, 2}, {4, 5, 6}, {1, 8, 1}, {9, 3, 32}};
    for (size_t i = 0; i < SW_COUNT_OF(SIZES); i++)
        for (int64_t batch = 1; batch <= 19; batch += 6)
            all_kinds(SIZES[i][2] ? 3 : 2, SIZES[i], batch);
}

static void planes_and_cubes(void **state)
{
    (void)state;
    each_set(planes);
}

/* Elements of one line apart, lines side by side, and gaps that stay as they were. */
static void layouts(void)
{
    static const int64_t N[] = {12, 10};
    for (int type = 0; type < FFT_TYPES; type++)
        for (int kind = 0; kind <= FFT_C2R; kind++) {
            struct fft_problem p = dense((enum fft_type)type, (enum fft_kind)kind, 1, N, 21);
            p.in.stride[0] = p.out.stride[0] = 21, p.in.dist = p.out.dist = 1; /* columns */
            run(&p);
            p.in.stride[0] = 2, p.in.dist = 40; /* apart, to columns */
            run(&p);
            p.in.stride[0] = 1, p.in.dist = 13, p.out.stride[0] = 3, p.out.dist = 50;
            run(&p);
            p = dense((enum fft_type)type, (enum fft_kind)kind, 2, N, 5);
            p.in = (struct fft_layout){.stride = {30, 2}, .dist = 400};
            p.out = (struct fft_layout){.stride = {11, 1}, .dist = 133};
            run(&p);
        }
}

static void elements_lie_as_asked_for(void **state)
{
    (void)state;
    each_set(layouts);
}

static void gaps_stay(void **state)
{
    enum { N = 10, APART = 3, BATCH = 4, DIST = 40 };
    const int64_t n = N;
    float in[2 * N * BATCH], out[2 * DIST * BATCH];
    struct fft_problem p = dense(FFT_F32, FFT_C2C, 1, &n, BATCH);
    (void)state;
    p.out.stride[0] = APART, p.out.dist = DIST;
    fill(&p, in, 2 * N * BATCH);
    for (int i = 0; i < 2 * DIST * BATCH; i++)
        out[i] = 77;
    struct fft_plan *plan = fft_plan_new(&p);
    fft_run(plan, in, out, false);
    fft_plan_free(plan);
    for (int i = 0; i < DIST * BATCH; i++) {
        bool gap = i % DIST % APART != 0 || i % DIST >= N * APART;
        assert_int_equal(out[2 * i] == 77 && out[2 * i + 1] == 77, gap);
    }
}

/* Real lines padded to the room of their spectra, as programs have them in place. */
static void in_place_real_lines(void **state)
{
    static const int64_t N[] = {6, 9, 14};
    (void)state;
    for (int type = 0; type < FFT_TYPES; type++)
        for (unsigned rank = 1; rank <= 3; rank++) {
            struct fft_problem p = dense((enum fft_type)type, FFT_R2C, rank, N, 7), back;
            for (unsigned d = 0; d < rank; d++)
                p.in.stride[d] = d == rank - 1 ? 1 : 2 * p.out.stride[d];
            p.in.dist = 2 * p.out.dist;
            p.in_place = true;
            back = p, back.kind = FFT_C2R, back.in = p.out, back.out = p.in;
            int64_t count = extent(&p, true), bytes = fft_real_bytes(p.type);
            char *data = malloc((size_t)(count * bytes)), *kept = malloc((size_t)(count * bytes));
            fill(&p, data, count);
            memcpy(kept, data, (size_t)(count * bytes));
            struct fft_plan *plan = fft_plan_new(&p), *back_plan = fft_plan_new(&back);
            fft_run(plan, data, data, false);
            check(&p, kept, data, false);
            memcpy(kept, data, (size_t)(count * bytes));
            fft_run(back_plan, data, data, true);
            check(&back, kept, data, true);
            fft_plan_free(plan);
            fft_plan_free(back_plan);
            free(data);
            free(kept);
        }
}

/* Nothing beyond the arrays is touched: they end where memory ends, and begin where it begins. */
static void edges(void)
{
    static const int64_t SIZES[] = {1, 3, 16, 17, 64, 100, 127, 1009, 4096};
    enum { REGION = 1 << 20, GUARD = 1 << 16 };
    char *regions[2];
    for (int r = 0; r < 2; r++) {
        regions[r] = mmap(NULL, REGION + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(regions[r] != MAP_FAILED);
        regions[r] += GUARD;
        assert_int_equal(mprotect(regions[r], REGION, PROT_READ | PROT_WRITE), 0);
    }
    for (size_t i = 0; i < SW_COUNT_OF(SIZES); i++)
        for (int kind = 0; kind <= FFT_C2R; kind++)
            for (int64_t batch = 1; batch <= 5; batch += 4)
                for (int end = 0; end < 2; end++) {
                    struct fft_problem p = dense(FFT_F64, (enum fft_kind)kind, 1, &SIZES[i], batch);
                    char *in = regions[0] + (end ? REGION - extent(&p, false) * 8 : 0);
                    char *out = regions[1] + (end ? REGION - extent(&p, true) * 8 : 0);
                    struct fft_plan *plan = fft_plan_new(&p);
                    fft_run(plan, in, out, false);
                    fft_plan_free(plan);
                }
    for (int r = 0; r < 2; r++)
        munmap(regions[r] - GUARD, REGION + 2 * GUARD);
}

static void arrays_end_where_memory_ends(void **state)
{
    (void)state;
    each_set(edges);
}

/* The same numbers, whoever computes them. */
static struct fft_plan *shared_plan;
static float shared_in[2 << 16], shared_out[4][2 << 16];
static void *transform(void *out)
{
    for (int i = 0; i < 20; i++)
        fft_run(shared_plan, shared_in, out, false);
    return NULL;
}

static void threads_share_a_plan(void **state)
{
    enum { THREADS = 4 };
    const int64_t n = 1 << 16;
    pthread_t threads[THREADS];
    struct fft_problem p = dense(FFT_F32, FFT_C2C, 1, &n, 1);
    (void)state;
    setenv("SOFTWARP_THREADS", "3", 1); /* read at the first transform that is spread */
    fill(&p, shared_in, 2 * n);
    shared_plan = fft_plan_new(&p);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, transform, shared_out[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < THREADS; i++)
        assert_memory_equal(shared_out[0], shared_out[i], sizeof shared_out[0]);
    fft_plan_free(shared_plan);
}

/* Long lines: forward and back. */
static void long_lines_come_back(void **state)
{
    static const int64_t SIZES[] = {10007, 65536, 65537, 99225, 1 << 18};
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(SIZES); i++)
        for (int type = 0; type < FFT_TYPES; type++) {
            const int64_t n = SIZES[i];
            struct fft_problem p = dense((enum fft_type)type, FFT_C2C, 1, &n, 1);
            size_t bytes = (size_t)n * 2 * fft_real_bytes(p.type);
            void *in = malloc(bytes), *out = malloc(bytes);
            double off = 0, norm = 0;
            fill(&p, in, 2 * n);
            struct fft_plan *plan = fft_plan_new(&p);
            fft_run(plan, in, out, false);
            fft_run(plan, out, out, true);
            for (int64_t k = 0; k < 2 * n; k++) {
                double d = get(&p, out, k) / (double)n - get(&p, in, k);
                off += d * d, norm += get(&p, in, k) * get(&p, in, k);
            }
            assert_true(sqrt(off / norm) < 4 * ALLOWED[type]);
            fft_plan_free(plan);
            free(in);
            free(out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_plan),
                                       cmocka_unit_test(lines_of_every_length),
                                       cmocka_unit_test(planes_and_cubes),
                                       cmocka_unit_test(elements_lie_as_asked_for),
                                       cmocka_unit_test(gaps_stay),
                                       cmocka_unit_test(in_place_real_lines),
                                       cmocka_unit_test(arrays_end_where_memory_ends),
                                       cmocka_unit_test(long_lines_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a routine of a library, which NVIDIA computes with kernels of its own that nobody runs here.
 *
 * Models: products of matrices as a grid of tiles, of the size and with the split of k that would take the
 * least time; tiles run in waves on the multiprocessors, each at the rate of the units, with a share of it
 * lost to loads that grows as the tile gets smaller. Solves go row after row. The rest reads and writes its
 * operands once; kernels of vectors wait for their loads.
 * Sparse operands: elements and the loads that they choose, at a rate of each.
 * Does not model: which kernel NVIDIA's heuristics really take; operands that a kernel before left in L2;
 * power, which lowers clocks under tensor cores.
 * Sources: rates of units: arch_pipes.def. What is fitted: to the calls of cuBLAS and of
 * cuSPARSE of even place that were recorded on an H200 (tests/hw/libraries), and compared with the others. */
#include "timing_routine_priv.h"

#include "timing_collective.h"
#include "timing_fft_priv.h"
#include "timing_random_priv.h"

#include <math.h>

/* ---- rates of units */

/* Multiply-adds of a multiprocessor in a cycle. 0: it has none of these units. */
static double math_rate(const struct arch_gpu *gpu, const struct arch_pipes *pipes, unsigned math)
{
    unsigned cc = gpu->cc_major * 10 + gpu->cc_minor;
    double tensor = pipes->tensor;
    switch (math) {
    case EVENT_MATH_F64: /* tensor cores of 8.0 and 9.0 double it (documented, white papers) */
        return (cc == 80 || cc == 90 ? 2.0 : 1.0) * pipes->f64;
    case EVENT_MATH_F32: return pipes->f32;
    case EVENT_MATH_TF32: return cc >= 80 ? tensor / 2 : pipes->f32;
    case EVENT_MATH_F16: return tensor > 0 ? tensor : 2.0 * pipes->f16;
    case EVENT_MATH_F8: return cc >= 89 ? 2 * tensor : 0;
    case EVENT_MATH_I8: return cc >= 72 ? 2 * tensor : pipes->integer;
    default: return 0;
    }
}

const char *timing_math_name(enum event_routine_math math)
{
    static const char *const NAMES[] = {
        [EVENT_MATH_F64] = "FP64", [EVENT_MATH_F32] = "FP32", [EVENT_MATH_TF32] = "TF32",
        [EVENT_MATH_F16] = "FP16", [EVENT_MATH_F8] = "FP8",   [EVENT_MATH_I8] = "INT8"};
    return NAMES[math];
}

static bool is_tensor(unsigned math)
{
    return math != EVENT_MATH_F32 && math != EVENT_MATH_F64;
}

/* ---- products of matrices */

struct tile {
    double m, n;
};
/* What a unit's kernels reach: the share of its rate that an endless tile has, the products that each element
 * of a tile's border costs, cycles of a tile before and after its products, and cycles of latency for each
 * element of k. */
struct unit {
    double share, border, tile_cycles, k_cycles;
};
/* fitted */
static const struct unit UNITS[EVENT_MATH_COUNT] = {
    [EVENT_MATH_F32] = {0.664, 11.4, 5570, 18.5},  [EVENT_MATH_F64] = {0.962, 1, 1330, 5.12},
    [EVENT_MATH_TF32] = {0.971, 18.6, 3050, 7.72}, [EVENT_MATH_F16] = {1, 0, 680, 3.56},
    [EVENT_MATH_F8] = {1, 0, 680, 3.56},           [EVENT_MATH_I8] = {1, 0, 680, 3.56}};
/* Fitted: the start of such a kernel and its end; a second one that adds up parts of k; cycles until a
 * multiprocessor begins its next tile. */
enum { GEMM_START_NS = 3870, SPLIT_NS = 1460, NEXT_TILE_CYCLES = 595 };
/* fitted: parts of k, and waves from which the last one counts half */
enum { SPLIT_MOST = 32, SPLIT_LEAST_K = 90, WAVES_WHOLE = 4 };
enum { UNALIGNED = 3 };             /* fitted: columns that do not begin at 16 bytes: so many times as long */
enum { SYMMETRIC_PERCENT = 120 };   /* fitted: of routines that use a triangle */
static const double OVERLAP = 1.74; /* fitted: exponent with which units and DRAM add up */

static bool is_aligned(const struct event_routine *r)
{
    /* definition: so many have 16 bytes */
    static const uint8_t ELEMENTS[EVENT_MATH_COUNT] = {
        [EVENT_MATH_F64] = 1, [EVENT_MATH_F32] = 1, [EVENT_MATH_TF32] = 4,
        [EVENT_MATH_F16] = 8, [EVENT_MATH_F8] = 16, [EVENT_MATH_I8] = 16};
    return r->m % ELEMENTS[r->math] == 0;
}

/* Of the tiles in their waves; the last one may be partly full, which counts where there are few. */
static double tiles_cycles(const struct event_routine *r, const struct tile *tile, double split, double rate,
                           double sms, double *share)
{
    const struct unit *unit = &UNITS[r->math];
    double k = ceil((double)r->k / split), products = tile->m * tile->n;
    double tiles = ceil((double)r->m / tile->m) * ceil((double)r->n / tile->n) * (double)r->batch * split;
    double reached = unit->share * products / (products + unit->border * (tile->m + tile->n));
    double waves = tiles / sms, whole = waves < WAVES_WHOLE ? ceil(waves) : waves + 0.5;
    double each = products * k / (rate * reached) * (is_aligned(r) ? 1 : UNALIGNED);
    *share = waves < 1 ? waves : 1;
    return whole * each + unit->tile_cycles + unit->k_cycles * k +
           (waves > 1 ? (waves - 1) * NEXT_TILE_CYCLES : 0);
}

/* ns of the tile and split that take the least, besides the start; dram_ns: of its operands. */
static double gemm_ns(const struct arch_gpu *gpu, const struct event_routine *r, double rate, double ghz,
                      double dram_ns, double *unit_ns, double *share)
{
    /* documented: in the names of cuBLAS' kernels, as ncu prints them */
    static const struct tile TILES[] = {{256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64},
                                        {64, 32},   {32, 64},   {32, 32},   {64, 16},  {64, 8},   {16, 64}};
    double least = INFINITY, all = 2.0 * (double)r->m * (double)r->n * (double)r->k * (double)r->batch;
    double used = all > 0 ? (double)r->flops / all : 1; /* of a square, or a triangle's half */
    if (used < 0.9) used *= SYMMETRIC_PERCENT / 100.0;
    for (size_t i = 0; i < SW_COUNT_OF(TILES); i++)
        for (double split = 1; split <= SPLIT_MOST; split *= 2) {
            double part, cycles;
            if (split > 1 && (double)r->k / split < SPLIT_LEAST_K) break;
            cycles = tiles_cycles(r, &TILES[i], split, rate, (double)gpu->sm_count, &part);
            double units = cycles / ghz * used;
            double ns =
                pow(pow(units, OVERLAP) + pow(dram_ns, OVERLAP), 1 / OVERLAP) + (split > 1 ? SPLIT_NS : 0);
            if (ns >= least) continue;
            least = ns;
            *unit_ns = units;
            *share = part;
        }
    return least;
}

/* ---- what reads and writes once */

/* Fitted: kernels' starts, and what they reach of DRAM's rate; elements that kernels of vectors go through in
 * a ns on all multiprocessors, whatever they hold (their loops wait for loads). */
enum { STREAM_START_NS = 2610, MATRIX_NS = 1500, REDUCE_NS = 5650 };
/* fitted */
enum { DRAM_PERCENT = 83, STREAM_PERCENT = 88, MATRIX_PERCENT = 68 };
/* fitted */
enum { REDUCE_ELEMENTS = 600, STREAM_ELEMENTS = 357 };
enum { STEP_NS = 60, STEPS_NS = 200 }; /* fitted: a row of a solve, for one right side and for many */

static double at_least(double a, double b)
{
    return a > b ? a : b;
}

static double stream_ns(const struct event_routine *r, double dram_ns)
{
    double elements = (double)r->n * (double)r->batch;
    if (r->kind == EVENT_ROUTINE_REDUCE)
        return REDUCE_NS + at_least(dram_ns * 100 / STREAM_PERCENT, elements / REDUCE_ELEMENTS);
    if (r->m == 0) return at_least(dram_ns * 100 / STREAM_PERCENT, elements / STREAM_ELEMENTS);
    return MATRIX_NS + dram_ns * 100 / MATRIX_PERCENT;
}

/* ---- what is sparse */

/* Fitted: the start of kernels of each kind; for sums of rows that stand together (n above 1) they are
 * another kernel's. */
enum {
    VECTOR_START_NS = 12785,
    ROWS_START_NS = 7214,
    PAIR_START_NS = 4308,
    TRIANGLE_NS = 30000,
    SORT_NS = 1035000
};
/* Fitted, in ps on all multiprocessors: an element and its gathered load, or a row of such loads; each
 * element of that row; a row; an element of a triangle; a key of a sort. */
enum { GATHER_PS = 6, ROW_GATHER_PS = 63, SPARSE_ROW_PS = 3, TRIANGLE_PS = 50, KEY_PS = 542 };
static const double ROW_ELEMENT_PS = 0.151;     /* fitted */
enum { PAIR_PERCENT = 92 };                     /* fitted: of DRAM's rate */
enum { BAND_ONE_NS = 350, BAND_MANY_NS = 950 }; /* fitted: a row of one system, and of many */

/* Does not model how many rows of a triangle wait for each other: only its elements say so. */
static double sparse_ns(const struct event_routine *r, double dram_ns, double *start)
{
    double m = (double)r->m, n = (double)r->n, k = (double)r->k * (double)r->batch;
    switch (r->kind) {
    case EVENT_ROUTINE_SORT: *start = SORT_NS; return k * KEY_PS / 1e3;
    case EVENT_ROUTINE_SPARSE_SOLVE: *start = TRIANGLE_NS; return k * n * TRIANGLE_PS / 1e3;
    case EVENT_ROUTINE_BAND: *start = VECTOR_START_NS; return m * (n > 1 ? BAND_MANY_NS : BAND_ONE_NS);
    default: break;
    }
    *start = m == 0 ? PAIR_START_NS : n > 1 ? ROWS_START_NS : VECTOR_START_NS;
    if (m == 0) return dram_ns * 100 / PAIR_PERCENT;
    if (n > 1) return at_least(dram_ns, k * (ROW_GATHER_PS + n * ROW_ELEMENT_PS) / 1e3);
    return at_least(dram_ns, (k * GATHER_PS + m * SPARSE_ROW_PS) / 1e3);
}

/* ---- the whole */

static bool is_vector_product(const struct event_routine *r)
{
    return r->kind == EVENT_ROUTINE_GEMM && (r->m == 1 || r->n == 1);
}

static void finish(struct event_time *out, const double *ns, double all, double clock_khz, double share)
{
    *out = (struct event_time){.duration_ns = (uint64_t)(all + 0.5),
                               .sm_share = share,
                               .clock_khz = (uint64_t)clock_khz,
                               .cycles = all * clock_khz / 1e6};
    out->limit = EVENT_LIMIT_LAUNCH;
    for (int i = 0; i < EVENT_LIMIT_COUNT; i++) {
        double busy = all > 0 ? ns[i] / all : 0;
        out->busy[i] = busy < 1 ? busy : 1;
        if (ns[i] > ns[out->limit]) out->limit = (uint32_t)i;
    }
}

bool timing_routine(const struct arch_gpu *gpu, const struct event_routine *r, struct event_time *out)
{
    const struct arch_pipes *pipes = arch_pipes_find(gpu->cc_major, gpu->cc_minor);
    double clock_khz = (double)(gpu->kernels.sm_clock_khz ? gpu->kernels.sm_clock_khz : gpu->clock_khz);
    double ns[EVENT_LIMIT_COUNT] = {0}, share = 1, unit_ns = 0, dram = arch_dram_bytes_per_second(gpu) / 1e9;
    double rate = pipes ? math_rate(gpu, pipes, r->math) : 0, ghz = clock_khz / 1e6, work;
    if (rate <= 0 || dram <= 0) return false;
    enum event_limit unit = is_tensor(r->math)          ? EVENT_LIMIT_TENSOR
                            : r->math == EVENT_MATH_F64 ? EVENT_LIMIT_FP64
                                                        : EVENT_LIMIT_FMA;
    double bytes_ns = (double)(r->read_bytes + r->wrote_bytes) / dram;
    ns[EVENT_LIMIT_DRAM] = bytes_ns * 100 / DRAM_PERCENT;
    ns[EVENT_LIMIT_LAUNCH] = STREAM_START_NS;
    if (is_vector_product(r)) {
        work = bytes_ns * 100 / MATRIX_PERCENT;
        ns[EVENT_LIMIT_LAUNCH] = GEMM_START_NS;
    } else if (r->kind == EVENT_ROUTINE_GEMM) {
        work = gemm_ns(gpu, r, rate, ghz, ns[EVENT_LIMIT_DRAM], &unit_ns, &share);
        ns[EVENT_LIMIT_LAUNCH] = GEMM_START_NS;
    } else if (timing_is_lapack(r)) {
        work = timing_lapack_ns(r, (double)gpu->sm_count, rate * (double)gpu->sm_count * ghz, &unit_ns);
        ns[EVENT_LIMIT_LATENCY] = work - unit_ns;
        ns[EVENT_LIMIT_LAUNCH] = 0; /* a part of the whole */
    } else if (r->kind == EVENT_ROUTINE_COLLECTIVE) {
        ns[EVENT_LIMIT_DRAM] = bytes_ns * 100 / DRAM_PERCENT;
        ns[EVENT_LIMIT_LAUNCH] = timing_collective_start_ns(gpu, r);
        ns[EVENT_LIMIT_PEER] = timing_collective_ns(gpu, r) - ns[EVENT_LIMIT_LAUNCH];
        work = at_least(ns[EVENT_LIMIT_PEER], ns[EVENT_LIMIT_DRAM]);
        share = timing_collective_share(gpu);
    } else if (r->kind == EVENT_ROUTINE_SOLVE) {
        ns[EVENT_LIMIT_LATENCY] = (double)r->m * (r->n > 1 ? STEPS_NS : STEP_NS);
        unit_ns = (double)r->flops / 2 / (rate * (double)gpu->sm_count * UNITS[r->math].share) / ghz;
        work = ns[EVENT_LIMIT_LATENCY] + unit_ns;
    } else if (r->kind == EVENT_ROUTINE_FFT) {
        struct timing_fft fft = timing_fft(r, dram, (double)gpu->sm_count * ghz);
        ns[EVENT_LIMIT_LAUNCH] = fft.start_ns;
        ns[EVENT_LIMIT_LATENCY] = fft.latency_ns;
        ns[EVENT_LIMIT_DRAM] = fft.memory_ns;
        unit_ns = fft.unit_ns;
        work = fft.latency_ns + fft.work_ns;
    } else if (r->kind >= EVENT_ROUTINE_SPARSE && r->kind <= EVENT_ROUTINE_SORT) {
        work = sparse_ns(r, bytes_ns, &ns[EVENT_LIMIT_LAUNCH]);
        ns[EVENT_LIMIT_LATENCY] = work;
    } else if (r->kind == EVENT_ROUTINE_RANDOM) {
        struct timing_random random = timing_random(r, dram * DRAM_PERCENT / 100, (double)gpu->sm_count, ghz);
        ns[EVENT_LIMIT_LAUNCH] = random.start_ns;
        work = unit_ns = random.work_ns;
    } else {
        work = stream_ns(r, bytes_ns);
    }
    ns[unit] = unit_ns;
    finish(out, ns, ns[EVENT_LIMIT_LAUNCH] + work, clock_khz, share);
    return true;
}

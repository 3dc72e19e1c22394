/* SPDX-License-Identifier: Apache-2.0 */
/* The time of products of matrices by kernels like cuBLAS'.
 *
 * Models: a grid of tiles, of the size and with the split of k that would take the least time. Tiles run in
 * waves on the multiprocessors, each at the rate of the units, with a share of it lost to loads that grows as
 * the tile gets smaller; parts of k are added up by a second kernel. Columns that do not begin at 16 bytes
 * are loaded by an element or two: kernels of older tensor cores, which their loads bound. Of symmetric and
 * triangular operands, small ones go through kernels that take as long for each step of k however small they
 * are, larger ones through tiles of 64 by 64. Epilogues that read what a forward pass left have kernels of
 * their own. One row or column: a product of a matrix and a vector, which reads at DRAM's rate.
 * Does not model: which kernel NVIDIA's heuristics really take; operands that a kernel before left in L2;
 * power, which lowers clocks under tensor cores.
 * Sources: rates of units: arch_pipes.def. Tiles, and which kernels run where: their names, as ncu prints
 * them. What is fitted: to the fitted halves of the calls of cuBLAS and cuBLASLt that were recorded on an
 * H200 (tests/hw/libraries), and compared with the others. */
#include "timing_routine_priv.h"

#include <math.h>

struct tile {
    double m, n;
};
/* What a unit's kernels reach: the share of its rate that an endless tile has, the products that each element
 * of a tile's border costs, ns of a kernel's start and end, cycles of a tile before and after its products,
 * of latency for each element of k, and for each byte of a tile's result; the shortest side of their tiles.
 */
struct unit {
    double share, border, start_ns, tile_cycles, k_cycles, byte_cycles;
    unsigned least;
};
/* recorded: `least`, in the kernels' names; the others are fitted */
static const struct unit UNITS[EVENT_MATH_COUNT] = {
    [EVENT_MATH_F32] = {0.862, 4.77, 5470, 3790, 19.4, 0.0702, 32},
    [EVENT_MATH_F64] = {0.991, 1.23, 3540, 1820, 1.35, 0.0291, 32},
    [EVENT_MATH_TF32] = {0.992, 1.77, 3330, 1760, 9.96, 0.0578, 32},
    [EVENT_MATH_F16] = {0.892, 0.0515, 3970, 1020, 1.38, 0.013, 8},
    [EVENT_MATH_F8] = {0.997, 13.4, 4080, 940, 0.714, 0.0616, 8},
    [EVENT_MATH_I8] = {0.98, 0.245, 3530, 2.47, 6.23, 0.0286, 8}};
/* fitted: of columns that are not aligned */
static const struct unit UNALIGNED[EVENT_MATH_COUNT] = {
    [EVENT_MATH_TF32] = {0.685, 83.6, 835, 2570, 25, 0.213, 64},
    [EVENT_MATH_F16] = {0.921, 482, 3850, 904, 2.21, 0.102, 64},
    [EVENT_MATH_F8] = {0.9, 600, 4000, 700, 3.5, 0.06, 64},
    [EVENT_MATH_I8] = {0.768, 620, 3680, 700, 2.71, 0.0494, 64}};
/* fitted: of the border's cost, where loads are of two elements */
static const double PAIRS = 0.585;
/* Fitted: a second kernel that adds up parts of k, and bytes of theirs in a ns; cycles until a multiprocessor
 * begins its next tile; the share of a wave that is not full. */
static const double SPLIT_NS = 1420, SPLIT_BYTES = 2040, NEXT_TILE_CYCLES = 318, LAST_WAVE = 0.109;
/* fitted: parts of k, and waves from which the last one counts in part */
enum { SPLIT_MOST = 32, SPLIT_LEAST_K = 90, WAVES_WHOLE = 4 };
static const double OVERLAP = 1.71;       /* fitted: exponent with which units and DRAM add up */
static const double DRAM_SHARE = 1;       /* fitted: of DRAM's rate */
static const double VECTOR_SHARE = 0.558; /* fitted: of DRAM's rate, of products of a vector */
static const double VECTOR_NS = 3920;     /* fitted */
/* fitted: gradients of an epilogue, and of a bias as well */
static const double GRADIENT_TIMES = 1.95, GRADIENT_NS = 2200, BIAS_GRADIENT_TIMES = 1.51,
                    BIAS_GRADIENT_NS = 5050;

/* ---- tiles */

/* documented: in the names of cuBLAS' kernels, as ncu prints them */
static const struct tile TILES[] = {{256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64},
                                    {64, 32},   {32, 64},   {32, 32},   {64, 16},  {64, 8},   {16, 64}};

struct products {
    const struct event_routine *r;
    struct unit unit;
    double rate, sms, ghz, dram_ns; /* rate: multiply-adds of a multiprocessor in a cycle */
    double out_bytes;               /* of an element of the result */
};

/* definition: halves have 2 bytes, and so on */
static unsigned element_bytes(unsigned math)
{
    /* definition */
    static const uint8_t BYTES[EVENT_MATH_COUNT] = {
        [EVENT_MATH_F64] = 8, [EVENT_MATH_F32] = 4, [EVENT_MATH_TF32] = 4,
        [EVENT_MATH_F16] = 2, [EVENT_MATH_F8] = 1,  [EVENT_MATH_I8] = 1};
    return BYTES[math];
}

static struct unit unit_of(const struct event_routine *r)
{
    enum { WHOLE = 16 }; /* documented: bytes of the widest load (PTX ISA, ld.v4) */
    bool is_aligned = r->aligned_bytes == 0 || r->aligned_bytes >= WHOLE;
    struct unit unit = UNITS[r->math];
    if (is_aligned || UNALIGNED[r->math].share <= 0) return unit;
    unit = UNALIGNED[r->math];
    if (r->aligned_bytes >= 2 * element_bytes(r->math)) unit.border *= PAIRS;
    return unit;
}

/* Of the tiles in their waves; the last one may be partly full, which counts where there are few. */
static double tiles_cycles(const struct products *p, const struct tile *tile, double tiles, double k)
{
    const struct unit *unit = &p->unit;
    double products = tile->m * tile->n, border = unit->border * (tile->m + tile->n);
    double waves = tiles / p->sms, whole = waves < WAVES_WHOLE ? ceil(waves) : waves + LAST_WAVE;
    double each =
        (products + border) * k / (p->rate * unit->share) + unit->byte_cycles * products * p->out_bytes;
    return whole * each + unit->tile_cycles + unit->k_cycles * k +
           (waves > 1 ? (waves - 1) * NEXT_TILE_CYCLES : 0);
}

static double overlapped(double units_ns, double dram_ns)
{
    return pow(pow(units_ns, OVERLAP) + pow(dram_ns, OVERLAP), 1 / OVERLAP);
}

/* ns of the tile and split that take the least, besides the start. */
static struct timing_gemm general(const struct products *p)
{
    const struct event_routine *r = p->r;
    struct timing_gemm out = {.work_ns = INFINITY};
    double m = (double)r->m, n = (double)r->n, batch = (double)r->batch;
    for (size_t i = 0; i < SW_COUNT_OF(TILES); i++)
        for (double split = 1; split <= SPLIT_MOST; split *= 2) {
            if (fmin(TILES[i].m, TILES[i].n) < p->unit.least) break;
            if (split > 1 && (double)r->k / split < SPLIT_LEAST_K) break;
            double tiles = ceil(m / TILES[i].m) * ceil(n / TILES[i].n) * batch * split;
            double units = tiles_cycles(p, &TILES[i], tiles, ceil((double)r->k / split)) / p->ghz;
            double ns = overlapped(units, p->dram_ns);
            if (split > 1) ns += SPLIT_NS + m * n * batch * split * (double)sizeof(float) / SPLIT_BYTES;
            if (ns < out.work_ns)
                out = (struct timing_gemm){
                    .work_ns = ns, .unit_ns = units, .share = tiles < p->sms ? tiles / p->sms : 1};
        }
    out.start_ns = p->unit.start_ns;
    return out;
}

/* ---- symmetric and triangular operands */

/* Up to an order (of the result, or of the operand) kernels of another kind: a start, so long a step of k,
 * `at_once` tiles of 64 by 64. Beyond it, so many times as long as a product of the same operations. */
struct triangle {
    unsigned to;
    double start_ns, step_ns, at_once, times;
};
/* recorded: `to`, by the kernels' names; the others are fitted */
static const struct triangle TRIANGLES[EVENT_METHOD_TRIANGULAR + 1][2] = {
    [EVENT_METHOD_RANK_K] = {{1023, 2640, 46.6, 24.2, 0.905}, {511, 3840, 50, 25.9, 0.961}},
    [EVENT_METHOD_RANK_2K] = {{1023, 37700, 110, 299, 1.32}, {511, 36600, 146, 267, 0.949}},
    [EVENT_METHOD_SYMMETRIC] = {{1280, 23400, 235, 256, 1.24}, {0, 0, 0, 1.01, 1.05}},
    [EVENT_METHOD_TRIANGULAR] = {{1791, 31300, 109, 408, 1.25}, {383, 32100, 102, 258, 1.19}}};
enum { SYMMETRIC_CORE = 320 };                           /* measured: up to this order one kernel */
static const double CORE_NS = 2230, CORE_STEP_NS = 89.8; /* fitted */

static struct timing_gemm of_triangle(const struct products *p, double used)
{
    enum { SIDE = 64 }; /* documented, in the kernels' names */
    static const struct tile TILE = {SIDE, SIDE};
    const struct event_routine *r = p->r;
    const struct triangle *t = &TRIANGLES[r->method][r->math == EVENT_MATH_F64];
    bool of_rank = r->method == EVENT_METHOD_RANK_K || r->method == EVENT_METHOD_RANK_2K;
    double m = (double)r->m, n = (double)r->n, k = (double)r->k * (r->method == EVENT_METHOD_RANK_2K ? 2 : 1);
    uint64_t order = of_rank ? r->n : r->k;
    double tiles = ceil(m / SIDE) * ceil(n / SIDE) * (double)r->batch;
    if (of_rank) tiles = (tiles + ceil(n / SIDE)) / 2;
    struct timing_gemm out = {.share = tiles < p->sms ? tiles / p->sms : 1};
    if (order > t->to) {
        if (r->method == EVENT_METHOD_TRIANGULAR) k *= used;
        out.unit_ns = t->times * tiles_cycles(p, &TILE, tiles, k) / p->ghz;
        out.work_ns = overlapped(out.unit_ns, p->dram_ns);
        out.start_ns = p->unit.start_ns;
    } else if (r->method == EVENT_METHOD_SYMMETRIC && order <= SYMMETRIC_CORE) {
        out.start_ns = CORE_NS;
        out.work_ns = CORE_STEP_NS * k;
    } else {
        out.start_ns = t->start_ns;
        out.work_ns = t->step_ns * k * fmax(1, tiles / t->at_once);
    }
    return out;
}

/* ---- the whole */

struct timing_gemm timing_gemm(const struct event_routine *r, double rate, double sms, double ghz,
                               double dram)
{
    double bytes_ns = (double)(r->read_bytes + r->wrote_bytes) / dram;
    double results = (double)r->m * (double)r->n * (double)r->batch, all = 2 * results * (double)r->k;
    struct products p = {r,
                         unit_of(r),
                         rate,
                         sms,
                         ghz,
                         bytes_ns / DRAM_SHARE,
                         results > 0 ? (double)r->wrote_bytes / results : 0};
    if (r->method >= EVENT_METHOD_RANK_K && r->method <= EVENT_METHOD_TRIANGULAR)
        return of_triangle(&p, all > 0 ? (double)r->flops / all : 1);
    if (r->m == 1 || r->n == 1)
        return (struct timing_gemm){.start_ns = VECTOR_NS, .work_ns = bytes_ns / VECTOR_SHARE, .share = 1};
    struct timing_gemm out = general(&p);
    if (r->method == EVENT_METHOD_GRADIENT) {
        out.work_ns *= GRADIENT_TIMES;
        out.start_ns += GRADIENT_NS;
    } else if (r->method == EVENT_METHOD_BIAS_GRADIENT) {
        out.work_ns *= BIAS_GRADIENT_TIMES;
        out.start_ns += BIAS_GRADIENT_NS;
    }
    return out;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The time of Fourier transforms by kernels like cuFFT's.
 *
 * Models: passes over memory. A line of up to 16,384 elements (f32, f64) is one kernel's; a longer one takes
 * two or three, each for a factor of it; a dimension but the last is read in columns; real lines that no
 * kernel does take one more for the halves; primes up to 127 are multiplied out, beyond that a convolution is
 * computed, by one kernel or six to eight. A pass starts, waits for the steps of a line, and moves its data,
 * slower in columns the longer these are; or computes, where elements are many and small.
 * Does not model: which factors cuFFT chooses; strides that a program asks for; data that a pass finds in L2
 * (recorded with caches that were flushed before each kernel).
 * Sources: which kernels run: their names, as ncu printed them of 242 calls on an H200 with cuFFT 12.0
 * (tests/hw/libraries). What is fitted: to those of even place. */
#include "timing_fft_priv.h"

#include <math.h>
#include <stdbool.h>

enum { PASSES = 32 }; /* implementation: three dimensions of nine at most */
enum kind { SMOOTH, PRIME, BLUESTEIN, BLUESTEIN_PASS, HALVES };
struct pass {
    enum kind kind;
    double line, bytes; /* elements of a line, or of a factor of it; bytes read, and as many written */
    bool columns;
};
struct passes {
    struct pass pass[PASSES];
    unsigned count;
};

/* ---- which passes (recorded) */

static uint64_t largest_prime(uint64_t n)
{
    uint64_t largest = 1;
    for (uint64_t p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p)
            largest = p;
    return n > 1 ? n : largest;
}

static bool is_power_of_two(uint64_t n)
{
    return (n & (n - 1)) == 0;
}

/* Kernels of a line of n complex elements of so many bytes. */
static unsigned kernels_of(uint64_t n, unsigned bytes, bool columns, enum kind *kind)
{
    /* published: by the kernels' names */
    enum { ONE = 16384, ONE_HALVES = 8192, ONE_MIXED = 10000, TWO_THREES = 65536, COLUMN_MIXED = 1000 };
    /* published: likewise; definition: bytes */
    enum { BLUESTEIN_ONE = 4096, BLUESTEIN_SIX = 32768, DOUBLE = 16 };
    uint64_t prime = largest_prime(n);
    *kind = prime > 127 ? n <= BLUESTEIN_ONE ? BLUESTEIN : BLUESTEIN_PASS : prime > 31 ? PRIME : SMOOTH;
    if (*kind == BLUESTEIN) return 1;
    if (*kind == BLUESTEIN_PASS) return n < BLUESTEIN_SIX ? 6 : 8;
    if (is_power_of_two(n)) {
        uint64_t two = bytes == 8 ? 1 << 24 : bytes == DOUBLE ? 1 << 22 : 1 << 14; /* the most that two do */
        return n <= (bytes < 8 ? ONE_HALVES : ONE) ? 1 : n <= two ? 2 : 3;
    }
    if (n <= ONE_MIXED) return columns && n >= COLUMN_MIXED + (bytes == 8) ? 2 : 1;
    return n <= TWO_THREES && prime <= 3 ? 2 : 3;
}

static void pass_add(struct passes *passes, enum kind kind, double line, double bytes, bool columns)
{
    if (passes->count < PASSES) passes->pass[passes->count++] = (struct pass){kind, line, bytes, columns};
}

/* Passes of dimension d, 0: the last one. */
static void dimension_add(struct passes *passes, uint64_t n, bool inner, bool real, unsigned bytes,
                          double all_bytes)
{
    /* published: likewise; definition: bytes */
    enum { IN_KERNEL = 16384, IN_KERNEL_DOUBLE = 8192, IN_KERNEL_MIXED = 1000, DOUBLE = 16 };
    enum kind kind;
    uint64_t line = n;
    bool halves = false;
    if (real && inner && n % 2 == 0) {
        line = n / 2;
        halves = n > (bytes == DOUBLE ? IN_KERNEL_DOUBLE : IN_KERNEL) ||
                 (!is_power_of_two(line) && line > IN_KERNEL_MIXED);
    }
    unsigned kernels = kernels_of(real && inner && !halves ? n : line, bytes, !inner, &kind);
    for (unsigned i = 0; i < kernels; i++)
        pass_add(passes, kind, pow((double)line, 1.0 / kernels), all_bytes, kernels > 1 || !inner);
    if (halves) pass_add(passes, HALVES, 1, all_bytes, false);
}

static struct passes passes_of(const struct event_routine *r, unsigned bytes)
{
    struct passes passes = {.count = 0};
    const bool real = r->read_bytes != r->wrote_bytes;
    const uint64_t n[] = {r->m, r->n, r->k};
    double all = (double)r->m * (double)r->n * (double)r->k * (double)r->batch * bytes / (real ? 2 : 1);
    for (unsigned d = 0; d < 3; d++)
        if (d == 0 || n[d] > 1) dimension_add(&passes, n[d], d == 0, real, bytes, all);
    return passes;
}

/* ---- how long one takes */

/* fitted: ns of a kernel that does nothing, and of a step of a line, of which there are log2(n) */
static const double START = 3147, STEP = 155;
/* fitted: ns of a line's KB in one multiprocessor */
static const double LINE = 12.5, LINE_POWER = 1.35;
/* fitted: of DRAM's rate; lost by columns, of a line's 8 KB */
static const double READ = 0.871, WRITE = 0.644, COLUMNS = 0.334, COLUMNS_POWER = 0.78;
/* fitted: elements a cycle of a multiprocessor; lines' ends; of halves, so much of the time */
static const double ELEMENTS = 1.09, SMALL = 0.557, FEW_BITS = 0.72;
/* fitted: ns of the halves of real lines, of a prime; operations of primes a cycle; of doubles, so much
 * longer */
static const double HALVES_NS = 2030, PRIME_STEP = 17, PRIME_RATE = 128, PRIME_DOUBLE = 2;
/* fitted: convolutions in one kernel: so many times the work and the latency; in several: the work */
static const double CONVOLUTION = 4.5, CONVOLUTION_STEP = 3.5, CONVOLUTION_PASS = 2.15;

static void pass_time(const struct pass *pass, unsigned bytes, double dram, double sm_ghz,
                      struct timing_fft *out)
{
    enum { KB = 1024, DOUBLE = 16 }; /* definition */
    double line_kb = pass->line * bytes / KB, memory = pass->bytes / dram * (1 / READ + 1 / WRITE), unit = 0;
    double latency = STEP * log2(fmax(pass->line, 2)) + LINE * pow(line_kb, LINE_POWER);
    if (pass->columns) memory *= 1 + COLUMNS * pow(line_kb / 8, COLUMNS_POWER);
    if (pass->kind != HALVES)
        unit =
            pass->bytes / bytes / (ELEMENTS * sm_ghz) * (1 + SMALL / pass->line) * (bytes < 8 ? FEW_BITS : 1);
    double work = fmax(memory, unit);
    switch (pass->kind) {
    case SMOOTH: break;
    case HALVES: latency = HALVES_NS; break;
    case BLUESTEIN: work *= CONVOLUTION, latency *= CONVOLUTION_STEP; break;
    case BLUESTEIN_PASS: work *= CONVOLUTION_PASS, latency += HALVES_NS; break;
    case PRIME:
        unit = pass->bytes / bytes * pass->line * 8 / (PRIME_RATE * sm_ghz) *
               (bytes == DOUBLE ? PRIME_DOUBLE : 1);
        work = fmax(work, unit), latency += PRIME_STEP * pass->line;
        break;
    }
    out->start_ns += START;
    out->latency_ns += latency;
    out->work_ns += work;
    out->memory_ns += memory;
    out->unit_ns += unit;
}

struct timing_fft timing_fft(const struct event_routine *r, double dram, double sm_ghz)
{
    /* definition: of a complex number */
    const unsigned bytes = r->math == EVENT_MATH_F64 ? 16 : r->math == EVENT_MATH_F32 ? 8 : 4;
    struct passes passes = passes_of(r, bytes);
    struct timing_fft out = {0};
    for (unsigned i = 0; i < passes.count; i++)
        pass_time(&passes.pass[i], bytes, dram, sm_ghz, &out);
    return out;
}

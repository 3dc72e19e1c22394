/* SPDX-License-Identifier: Apache-2.0 */
/* fft: what its files share. A transform of several dimensions is one axis after the other; an axis is many
 * lines of n elements. Two methods compute lines:
 *
 *   lanes:  as many lines as a register has lanes, side by side; each step of the transform is one of whole
 *           registers. For lines that fit the caches.
 *   square: one line of n1 * n2 elements as a matrix: transforms of its n2 columns, again in lanes, factors,
 *           and transforms of its n1 rows (Bailey's four steps). For long lines, or where there are few.
 *
 * Within a lane a line is transformed by Stockham's passes of radix 2 to 127, which need no permutation;
 * where a larger prime divides n, by Bluestein's convolution. Both are in the vector part, which is compiled
 * for each instruction set and for floats and doubles (fft_kernel_priv.h). */
#ifndef FFT_PRIV_H
#define FFT_PRIV_H

#include "fft/fft.h"

enum {
    FFT_PASSES = 64,       /* n has fewer prime factors */
    FFT_RADIX_MOST = 127,  /* beyond it a pass costs more than a convolution */
    FFT_VECTOR_BYTES = 64, /* at most */
    FFT_LANES = 16         /* at most */
};

/* Pass of Stockham's: from x[q + s * (p + j * m)] to y[q + s * (radix * p + k)], p below m, q below s. */
struct fft_pass {
    uint32_t radix;
    uint64_t m, s;
    void *factors; /* of p > 0: exp(-2 pi i p k / (radix m)), k from 1; pairs of the type */
    void *roots;   /* of odd radices: cos and sin of 2 pi k / radix */
};

/* How lines of n elements are transformed in lanes. */
struct fft_line {
    int64_t n, rows; /* rows: registers' pairs that each of its two buffers needs */
    unsigned passes;
    struct fft_pass pass[FFT_PASSES];
    struct fft_line *convolution; /* Bluestein's, of at least 2 n - 1 elements; or NULL */
    void *chirp, *spectrum;       /* exp(-i pi j^2 / n); the transform of its conjugate over the length */
};

/* How one line of n elements, side by side in memory, is transformed. */
struct fft_square {
    int64_t n, n1, n2;
    struct fft_line *column, *row; /* of n1 and of n2 elements */
    void *base, *lane; /* exp(-2 pi i k1 j / n): j the first of a block of columns; j in a block */
    struct fft_square *convolution;
    void *chirp, *spectrum;         /* as above */
    double columns_cost, rows_cost; /* operations of registers */
};

enum { FFT_LOOPS = 3 };
struct fft_axis {
    enum fft_kind kind;
    int64_t n, lines;
    bool is_half;              /* real lines of even length: as complex lines of half the length */
    struct fft_line *line;     /* in lanes */
    struct fft_square *square; /* or one by one */
    void *split;               /* is_half: exp(-2 pi i k / n) */
    /* In real numbers: from element to element; between lines, the fastest first. */
    int64_t in_step, out_step, count[FFT_LOOPS], in_dist[FFT_LOOPS], out_dist[FFT_LOOPS];
    double cost;    /* of all lines, in operations of registers */
    int batch_loop; /* which of these is over the batch; negative: it has one item */
};
static inline int64_t fft_axis_lines(const struct fft_axis *axis)
{
    return axis->count[0] * axis->count[1] * axis->count[2];
}

/* The vector part of an instruction set and a type. */
struct fft_ops {
    unsigned lanes;
    /* Groups of `lanes` lines, from first to before last. */
    void (*run_lanes)(const struct fft_axis *axis, const void *in, void *out, int64_t first, int64_t last,
                      bool inverse, void *scratch);
    /* Of a square: blocks of columns to the middle buffer, blocks of rows from there. */
    void (*run_columns)(const struct fft_square *square, const void *in, void *middle, int64_t first,
                        int64_t last, bool swap, void *scratch);
    void (*run_rows)(const struct fft_square *square, void *middle, void *out, int64_t first, int64_t last,
                     bool swap, void *scratch);
    /* One complex line of n elements: times b, with parts exchanged before or after; and the other step of
     * real transforms. */
    void (*multiply)(const void *a, const void *b, void *out, int64_t n, bool swap_in, bool swap_out);
    void (*split)(const struct fft_axis *axis, const void *half, void *out);
    void (*join)(const struct fft_axis *axis, const void *in, void *half);
};
extern const struct fft_ops fft_ops_sse2[FFT_TYPES], fft_ops_avx2[FFT_TYPES], fft_ops_avx512[FFT_TYPES];
const struct fft_ops *fft_ops_get(enum fft_type type); /* of this machine */
void fft_ops_limit(uint32_t bytes); /* registers of so many at most, for tests; 0: as many as there are */

/* ---- fft_tables.c: tables of the type */
static inline uint32_t fft_real_bytes(enum fft_type type)
{
    return type == FFT_F32 ? 4 : 8;
}
void fft_root(uint64_t k, uint64_t n, double out[2]); /* exp(-2 pi i k / n), k below n, n below 2^60 */
void *fft_table_new(enum fft_type type, uint64_t pairs);
void fft_table_set(enum fft_type type, void *table, uint64_t i, const double pair[2]);

/* ---- fft_line.c */
bool fft_is_smooth(int64_t n);
int64_t fft_convolution_length(int64_t n);
double fft_line_cost(int64_t n); /* of one line, in operations of a register */
struct fft_line *fft_line_new(enum fft_type type, int64_t n);
void fft_line_free(struct fft_line *line);
uint64_t fft_line_scratch(const struct fft_line *line); /* bytes, for any instruction set */

/* ---- fft_square.c */
struct fft_square *fft_square_new(enum fft_type type, int64_t n); /* n: 3 or more */
void fft_square_free(struct fft_square *square);
/* out may be in. Exchanging parts of what comes in and of what goes out makes the transform inverse. */
void fft_square_run(enum fft_type type, const struct fft_square *square, const void *in, void *out,
                    bool swap_in, bool swap_out);
double fft_square_cost(enum fft_type type, int64_t n); /* of one line */
void fft_chirp_new(enum fft_type type, int64_t n, int64_t length, void **chirp, void **spectrum);

/* ---- fft_threads.c */
/* Memory of this thread, one piece a purpose, kept for the next time; not cleared; at a cache line. */
enum fft_scratch {
    FFT_SCRATCH_LANES,
    FFT_SCRATCH_MIDDLE,
    FFT_SCRATCH_CHIRP,
    FFT_SCRATCH_LINE,
    FFT_SCRATCH_WORK,
    FFT_SCRATCH_COPY,
    FFT_SCRATCHES
};
void *fft_scratch_get(enum fft_scratch purpose, uint64_t bytes);
typedef void fft_part_fn(void *user, int64_t first, int64_t last);
/* body for parts of 0 to count, by several threads where each has enough of `cost` to do. */
void fft_parallel(int64_t count, double cost, fft_part_fn *body, void *user);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of one type: how they are read, written, and turned. Included once for each type, by
 * fft_kernel_priv.h, which says what REAL and OF are. No guard: it is meant to be read twice. */
#ifndef REAL /* read alone */
#include "fft_kernel_priv.h"
#else

typedef REAL OF(vec) __attribute__((vector_size(FFT_BYTES), may_alias));
/* As it may stand in a program's memory. */
typedef REAL OF(loose) __attribute__((vector_size(FFT_BYTES), may_alias, aligned(sizeof(REAL))));
struct OF(pair) { /* complex numbers, one a lane */
    OF(vec) re, im;
};

static INLINE OF(vec) OF(get)(const REAL *at)
{
    return *(const OF(loose) *)(const void *)at;
}

static INLINE void OF(put)(REAL *at, OF(vec) value)
{
    *(OF(loose) *)(void *)at = value;
}

static INLINE struct OF(pair) OF(add)(struct OF(pair) a, struct OF(pair) b)
{
    return (struct OF(pair)){a.re + b.re, a.im + b.im};
}

static INLINE struct OF(pair) OF(sub)(struct OF(pair) a, struct OF(pair) b)
{
    return (struct OF(pair)){a.re - b.re, a.im - b.im};
}

/* Times -i. */
static INLINE struct OF(pair) OF(turn)(struct OF(pair) a)
{
    return (struct OF(pair)){a.im, -a.re};
}

/* Times one number. */
static INLINE struct OF(pair) OF(times)(struct OF(pair) a, const REAL *w)
{
    return (struct OF(pair)){a.re * w[0] - a.im * w[1], a.re * w[1] + a.im * w[0]};
}

static INLINE struct OF(pair) OF(product)(struct OF(pair) a, struct OF(pair) b)
{
    return (struct OF(pair)){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* As many complex numbers as a register has lanes, side by side in memory. */
static INLINE struct OF(pair) OF(get_pair)(const REAL *at, bool swap)
{
    OF(vec) a = OF(get)(at), b = OF(get)(at + OF(LANES));
    OF(vec) even = OF(EVEN)(a, b), odd = OF(ODD)(a, b);
    return swap ? (struct OF(pair)){odd, even} : (struct OF(pair)){even, odd};
}

static INLINE void OF(put_pair)(REAL *at, struct OF(pair) value, bool swap)
{
    OF(vec) even = swap ? value.im : value.re, odd = swap ? value.re : value.im;
    OF(put)(at, OF(LOW)(even, odd));
    OF(put)(at + OF(LANES), OF(HIGH)(even, odd));
}

/* Rows become columns: interleaving the upper half of the rows with the lower one, as often as rows can be
 * halved. */
static INLINE void OF(transpose)(OF(vec) rows[OF(LANES)])
{
    OF(vec) next[OF(LANES)];
    for (unsigned step = 1; step < OF(LANES); step *= 2) {
#pragma GCC unroll 16
        for (unsigned i = 0; i < OF(LANES) / 2; i++) {
            next[2 * i] = OF(LOW)(rows[i], rows[i + OF(LANES) / 2]);
            next[2 * i + 1] = OF(HIGH)(rows[i], rows[i + OF(LANES) / 2]);
        }
#pragma GCC unroll 16
        for (unsigned i = 0; i < OF(LANES); i++)
            rows[i] = next[i];
    }
}
#endif

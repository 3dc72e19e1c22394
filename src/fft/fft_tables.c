/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: roots of unity and tables of them. Method: an angle is brought into an eighth of the circle, where
 * sine and cosine of a double are off by less than its last bit; floats are rounded from doubles. */
#include "fft_priv.h"

#include "base/base_reserve.h"

#include <math.h>
#include <stdlib.h>

void fft_root(uint64_t k, uint64_t n, double out[2])
{
    static const double PI = 3.14159265358979323846;
    uint64_t octant = k * 8 / n;
    /* from the nearer multiple of a quarter: of 4 k / n quarters the rest, between -n/2 and n/2 */
    uint64_t quarter = (octant + 1) / 2;
    int64_t rest = (int64_t)(k * 4) - (int64_t)(quarter * n);
    double angle = PI / 2 * ((double)rest / (double)n), c = cos(angle), s = sin(angle);
    const double turned[4][2] = {{c, -s}, {-s, -c}, {-c, s}, {s, c}}; /* times -i once for each quarter */
    out[0] = turned[quarter % 4][0], out[1] = turned[quarter % 4][1];
}

void *fft_table_new(enum fft_type type, uint64_t pairs)
{
    enum { LINE = 64 }; /* of a cache, and the widest register */
    uint64_t bytes = (pairs * 2 * fft_real_bytes(type) + LINE - 1) / LINE * LINE;
    void *table = aligned_alloc(LINE, bytes ? bytes : LINE);
    if (!table) sw_out_of_memory(bytes);
    return table;
}

void fft_table_set(enum fft_type type, void *table, uint64_t i, const double pair[2])
{
    if (type == FFT_F32) {
        float *at = (float *)table + 2 * i;
        at[0] = (float)pair[0], at[1] = (float)pair[1];
    } else {
        double *at = (double *)table + 2 * i;
        at[0] = pair[0], at[1] = pair[1];
    }
}

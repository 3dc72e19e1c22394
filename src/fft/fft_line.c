/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: how a line of n elements is transformed in lanes: passes and their tables, or a convolution.
 * Method: odd primes first, then eights, fours and twos, so that the last pass, which has no factors, is one
 * of the cheap ones. */
#include "fft_priv.h"

#include <stdlib.h>
#include <string.h>

/* Radices of a smooth n, as many as the result says. */
static unsigned radices(int64_t n, uint32_t out[FFT_PASSES])
{
    unsigned count = 0, twos = 0;
    for (; n % 2 == 0; n /= 2)
        twos++;
    for (uint32_t radix = 3; n > 1 && radix <= FFT_RADIX_MOST; radix += 2)
        for (; n % radix == 0; n /= radix)
            out[count++] = radix;
    /* 2 as a radix only where nothing else is left: 8 * 2 is 4 * 4 */
    while (twos > 0) {
        unsigned take = twos == 1 ? 1 : twos % 3 ? 2 : 3;
        out[count++] = 1u << take;
        twos -= take;
    }
    return count;
}

bool fft_is_smooth(int64_t n)
{
    for (int64_t p = 2; p <= FFT_RADIX_MOST; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

int64_t fft_convolution_length(int64_t n)
{
    static const int64_t ODD[] = {1, 3, 5, 9, 15};
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < SW_COUNT_OF(ODD); i++) {
        int64_t length = ODD[i];
        while (length < 2 * n - 1)
            length *= 2;
        if (length < least) least = length;
    }
    return least;
}

double fft_line_cost(int64_t n)
{
    uint32_t radix[FFT_PASSES];
    if (!fft_is_smooth(n)) {
        int64_t length = fft_convolution_length(n);
        return 2 * fft_line_cost(length) + 12 * (double)length;
    }
    double each = 4; /* loads and stores of a line, in operations of an element; passes: and their factors */
    unsigned count = radices(n, radix);
    for (unsigned i = 0; i < count; i++)
        each += radix[i] == 2 ? 8 : radix[i] == 4 ? 10 : radix[i] == 8 ? 14 : 8 + 2 * (double)radix[i];
    return each * (double)n;
}

static void pass_init(enum fft_type type, struct fft_pass *pass, uint32_t radix, uint64_t m, uint64_t s)
{
    double root[2];
    *pass = (struct fft_pass){.radix = radix, .m = m, .s = s};
    pass->factors = fft_table_new(type, (m - 1) * (radix - 1));
    for (uint64_t p = 1; p < m; p++)
        for (uint64_t k = 1; k < radix; k++) {
            fft_root(p * k, m * radix, root);
            fft_table_set(type, pass->factors, (p - 1) * (radix - 1) + k - 1, root);
        }
    if (radix % 2 == 0) return;
    pass->roots = fft_table_new(type, radix);
    for (uint64_t k = 0; k < radix; k++) {
        fft_root(k, radix, root);
        root[1] = -root[1];
        fft_table_set(type, pass->roots, k, root);
    }
}

static void passes_init(enum fft_type type, struct fft_line *line)
{
    uint32_t radix[FFT_PASSES];
    uint64_t m = (uint64_t)line->n, s = 1;
    line->passes = radices(line->n, radix);
    for (unsigned i = 0; i < line->passes; i++) {
        m /= radix[i];
        pass_init(type, &line->pass[i], radix[i], m, s);
        s *= radix[i];
    }
}

struct fft_line *fft_line_new(enum fft_type type, int64_t n)
{
    struct fft_line *line = sw_xcalloc(1, sizeof *line);
    line->n = n;
    line->rows = n + 1; /* real lines have an element more than half their length */
    if (fft_is_smooth(n)) {
        passes_init(type, line);
        return line;
    }
    int64_t length = fft_convolution_length(n);
    line->convolution = fft_line_new(type, length);
    line->rows = length + 1;
    fft_chirp_new(type, n, length, &line->chirp, &line->spectrum);
    return line;
}

void fft_line_free(struct fft_line *line)
{
    if (!line) return;
    for (unsigned i = 0; i < line->passes; i++) {
        free(line->pass[i].factors);
        free(line->pass[i].roots);
    }
    fft_line_free(line->convolution);
    free(line->chirp);
    free(line->spectrum);
    free(line);
}

uint64_t fft_line_scratch(const struct fft_line *line)
{
    return (uint64_t)line->rows * 2 * 2 * FFT_VECTOR_BYTES; /* two buffers of two registers a row */
}

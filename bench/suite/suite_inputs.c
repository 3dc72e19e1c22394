/* SPDX-License-Identifier: Apache-2.0 */
/* The suite's inputs: the same on every machine, from one xorshift64 generator (Marsaglia 2003). */
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const size_t suite_bytes[BUFFERS] = {
#define BUFFER(name, type, count, fill) (size_t)(count) * sizeof(type),
#define ROW(...)
#include "suite.def"
#undef BUFFER
#undef ROW
};
void *suite_host[BUFFERS];

static uint32_t random_word(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static float random_unit(void)
{
    return (float)(random_word() >> 8) / (1 << 24);
}

static void fill_none(void *to, size_t bytes)
{
    memset(to, 0, bytes);
}

static void fill_unit(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++)
        ((float *)to)[i] = random_unit();
}

static void fill_signed(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++)
        ((float *)to)[i] = 2 * random_unit() - 1;
}

static void fill_words(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++)
        ((uint32_t *)to)[i] = random_word();
}

static void fill_halves(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / 2; i++)
        ((_Float16 *)to)[i] = (_Float16)(2 * random_unit() - 1);
}

static void fill_index(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++)
        ((int *)to)[i] = (int)(random_word() % (1 << 20));
}

static void fill_tokens(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++)
        ((int *)to)[i] = (int)(random_word() % 16384);
}

static void fill_permutation(void *to, size_t bytes)
{
    int *p = to, n = (int)(bytes / 4);
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = (int)(random_word() % (uint32_t)(i + 1)), other = p[k];
        p[k] = p[i];
        p[i] = other;
    }
}

/* Where rows of a sparse matrix start: `least` to three times as many entries each. */
static void fill_starts(int *start, size_t rows, int least)
{
    start[0] = 0;
    for (size_t r = 0; r < rows; r++)
        start[r + 1] = start[r] + least + (int)(random_word() % (uint32_t)(2 * least + 1));
}

static void fill_short_rows(void *to, size_t bytes)
{
    fill_starts(to, bytes / 4 - 1, 5);
}

static void fill_long_rows(void *to, size_t bytes)
{
    fill_starts(to, bytes / 4 - 1, 40);
}

static void fill_columns(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++)
        ((int *)to)[i] = (int)(random_word() % 65536);
}

/* One node of four at depth 3, one before it, the others not yet reached. */
static void fill_levels(void *to, size_t bytes)
{
    static const int level[4] = {3, 2, -1, -1};
    for (size_t i = 0; i < bytes / 4; i++)
        ((int *)to)[i] = level[random_word() % 4];
}

/* The roots of unity of order 1024, clockwise. */
static void fill_roots(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes / 8; i++) {
        double angle = -6.283185307179586 * (double)i / 1024;
        ((float *)to)[2 * i] = (float)cos(angle);
        ((float *)to)[2 * i + 1] = (float)sin(angle);
    }
}

void suite_inputs_make(void)
{
    static void (*const fills[BUFFERS])(void *, size_t) = {
#define BUFFER(name, type, count, fill) fill,
#define ROW(...)
#include "suite.def"
#undef BUFFER
#undef ROW
    };
    for (int b = 0; b < BUFFERS; b++) {
        suite_host[b] = aligned_alloc(4096, (suite_bytes[b] + 4095) / 4096 * 4096);
        if (!suite_host[b]) {
            fprintf(stderr, "no memory for the inputs\n");
            exit(1);
        }
        fills[b](suite_host[b], suite_bytes[b]);
    }
}

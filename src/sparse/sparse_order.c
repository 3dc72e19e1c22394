/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: stable sorts of pairs of indices, and colors of graphs. Method: counting sorts by 16 bits at a
 * time; colors: the least one that no neighbour has, vertex after vertex. Limits: NVIDIA's colors are others.
 */
#include "sparse_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- sorting */

enum { BITS = 11, BUCKETS = 1 << BITS };

/* Stable, by BITS bits of the key from `shift` on. */
static void sort_once(const int32_t *key, unsigned shift, int64_t count, const int64_t *from, int64_t *to)
{
    int64_t counts[BUCKETS + 1] = {0};
    for (int64_t i = 0; i < count; i++)
        counts[((uint32_t)key[from[i]] >> shift & (BUCKETS - 1)) + 1]++;
    for (int b = 0; b < BUCKETS; b++)
        counts[b + 1] += counts[b];
    for (int64_t i = 0; i < count; i++)
        to[counts[(uint32_t)key[from[i]] >> shift & (BUCKETS - 1)]++] = from[i];
}

static uint32_t largest(const int32_t *key, int64_t count)
{
    uint32_t most = 0;
    for (int64_t i = 0; i < count; i++)
        most |= (uint32_t)key[i];
    return most;
}

void sparse_sort_pairs(const int32_t *first, const int32_t *second, int64_t count, int64_t *order)
{
    const int32_t *keys[] = {second, first};
    int64_t *other = sw_xmalloc((uint64_t)count * sizeof *other + 1), *from = order, *to = other;
    for (int64_t i = 0; i < count; i++)
        order[i] = i;
    for (int k = 0; k < 2; k++) {
        uint32_t most = largest(keys[k], count);
        for (unsigned shift = 0; shift < 32 && most >> shift; shift += BITS) {
            sort_once(keys[k], shift, count, from, to);
            int64_t *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != order) memcpy(order, from, (uint64_t)count * sizeof *order);
    free(other);
}

/* ---- colors */

int32_t sparse_color(const struct sparse_csr *a, double share, int32_t *colors)
{
    int32_t count = 0;
    int64_t *used = sw_xcalloc((uint64_t)a->rows + 2, sizeof *used),
            wanted = (int64_t)(share * (double)a->rows);
    for (int64_t r = 0; r < a->rows; r++)
        colors[r] = -1;
    for (int64_t r = 0; r < a->rows; r++) {
        int32_t color = 0;
        for (int64_t k = a->offsets[r]; k < a->offsets[r + 1]; k++) {
            int32_t neighbour = a->columns[k] < a->rows ? colors[a->columns[k]] : -1;
            if (neighbour >= 0 && a->columns[k] != r) used[neighbour] = r + 1;
        }
        while (r < wanted && used[color] == r + 1)
            color++;
        colors[r] = r < wanted ? color : count;
        if (colors[r] >= count) count = colors[r] + 1;
    }
    free(used);
    return count;
}

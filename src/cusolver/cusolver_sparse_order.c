/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: an order of rows and columns whose factors have few entries. Method: reverse Cuthill and McKee:
 * breadth first from a row of few neighbours, those of fewer neighbours first; twice for each part of the
 * graph, the second time from where the first one ended. Limits: a band, which minimum degree or nested
 * dissection would beat on large grids. */
#include "cusolver_sparse_priv.h"

#include <stdlib.h>
#include <string.h>

struct graph {
    int n;
    int64_t *starts;
    int *near;
    char *seen;
};

/* Both directions of each entry beside the diagonal. */
static struct graph graph_of(int n, const int *starts, const int *columns, int base)
{
    struct graph g = {.n = n,
                      .starts = sw_xcalloc((size_t)n + 2, sizeof(int64_t)),
                      .near = sw_xcalloc(2 * (size_t)(starts[n] - base) + 1, sizeof(int)),
                      .seen = sw_xcalloc((size_t)n + 1, 1)};
    for (int turn = 0; turn < 2; turn++) { /* count, then fill */
        for (int i = 0; i < n; i++)
            for (int64_t e = starts[i] - base; e < starts[i + 1] - base; e++) {
                int j = columns[e] - base;
                if (i == j) continue;
                if (turn == 0) {
                    g.starts[i + 2]++, g.starts[j + 2]++;
                } else {
                    g.near[g.starts[i + 1]++] = j;
                    g.near[g.starts[j + 1]++] = i;
                }
            }
        for (int i = 0; i <= n && turn == 0; i++)
            g.starts[i + 1] += g.starts[i];
    }
    return g;
}

static int64_t degree(const struct graph *g, int row)
{
    return g->starts[row + 1] - g->starts[row];
}

/* Rows reached from `first`, into order[at...]; how many are then there. */
static int walk(struct graph *g, int first, int *order, int at)
{
    int end = at;
    order[end++] = first;
    g->seen[first] = 1;
    for (int i = at; i < end; i++) {
        int begin = end;
        for (int64_t e = g->starts[order[i]]; e < g->starts[order[i] + 1]; e++)
            if (!g->seen[g->near[e]]) g->seen[g->near[e]] = 1, order[end++] = g->near[e];
        for (int a = begin + 1; a < end; a++) { /* few each time: sorted by insertion */
            int row = order[a], b = a;
            for (; b > begin && degree(g, order[b - 1]) > degree(g, row); b--)
                order[b] = order[b - 1];
            order[b] = row;
        }
    }
    return end;
}

void sparse_order(int n, const int *starts, const int *columns, int base, int *order)
{
    struct graph g = graph_of(n, starts, columns, base);
    int at = 0;
    for (int i = 0; i < n; i++) {
        if (g.seen[i]) continue;
        int end = walk(&g, i, order, at), far = order[end - 1];
        for (int r = at; r < end; r++)
            g.seen[order[r]] = 0;
        at = walk(&g, far, order, at);
    }
    for (int i = 0; i < n / 2; i++) {
        int kept = order[i];
        order[i] = order[n - 1 - i];
        order[n - 1 - i] = kept;
    }
    free(g.starts);
    free(g.near);
    free(g.seen);
}

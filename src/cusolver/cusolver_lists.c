/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: whether lists of numbers that a program gives are a sparse matrix or a permutation. Method: every
 * number is looked at once, before it is followed. Limits: that the lists are as long as the program says
 * cannot be known. */
#include "cusolver_priv.h"

#include <stdlib.h>

bool cusolver_is_csr(int m, int n, int nnz, const int *starts, const int *ends, const int *columns, int base)
{
    if (!starts || !ends || (nnz && !columns)) return false;
    if (ends == starts + 1 && starts[0] != base) return false;
    for (int i = 0; i < m; i++) {
        int64_t first = (int64_t)starts[i] - base, end = (int64_t)ends[i] - base;
        if (first < 0 || end < first || end > nnz) return false;
        for (int64_t e = first; e < end; e++) {
            int64_t column = (int64_t)columns[e] - base;
            if (column < 0 || column >= n) return false;
        }
    }
    return true;
}

bool cusolver_is_permutation(int n, const int *p)
{
    char *seen = sw_xcalloc((size_t)n + 1, 1);
    bool good = true;
    for (int i = 0; i < n && good; i++) {
        good = p[i] >= 0 && p[i] < n && !seen[p[i]];
        if (good) seen[p[i]] = 1;
    }
    free(seen);
    return good;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The parameter sets of MTGP32. */
#ifndef RANDOM_MTGP_H
#define RANDOM_MTGP_H

#include <stdint.h>

enum { RANDOM_MTGP_SETS = 200 };
struct random_mtgp_set {
    uint32_t position, shift1, shift2;
    uint32_t recursion[4], tempering[4]; /* rows of matrices of 4 by 32 bits */
};
const struct random_mtgp_set *random_mtgp_sets(void);
#endif

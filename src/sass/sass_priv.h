/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SASS_PRIV_H
#define SASS_PRIV_H

#include "sass/sass.h"

/* ---- sass_fuse.c: what it makes one of; sass_eliminate.c: what it leaves out */
struct sass_fuser { /* what is known of a kernel while its instructions are made fewer */
    const struct event_kernel *kernel;
    struct sass_lower *lower;
    uint32_t *uses, *defs; /* of each register, in all of the kernel */
    uint32_t *writer;      /* instruction + 1 that last wrote it in this block; 0: none */
    uint32_t *first_use;   /* block + 1 in which it is first read */
    bool *fused;           /* has taken another in */
    uint32_t *only_writer; /* instruction + 1 that alone writes it in all of the kernel; 0: several do */
    bool *beyond_address;  /* register: something else than 64-bit additions reads it */
    bool *beyond_access;   /* register: something else than accesses reads it */
    bool merges;           /* loads of shared memory become one */
    bool *narrow;          /* register: an address within local or constant memory, which has 32 bits */
};

static inline void sass_vanish(struct sass_lower *lower)
{
    *lower = (struct sass_lower){.kind = SASS_FREE};
}
/* merges: are loads of shared memory that stand beside each other one? */
void sass_fuse_kernel(const struct event_kernel *kernel, struct sass_lower *lower, bool merges);
bool sass_tests_for_zero(const struct event_instr *instr); /* a comparison with 0 for equality */
void sass_eliminate_before(struct sass_fuser *fuser);      /* before instructions become one */
void sass_eliminate_after(struct sass_fuser *fuser);       /* and behind it */
void sass_make_tables(struct sass_fuser *fuser);           /* sass_table.c */
void sass_merge_loads(struct sass_fuser *fuser, uint32_t first, uint32_t end);
/* sass_uniform.c: sets `uniform` */
void sass_find_uniform(const struct arch_gpu *gpu, const struct event_kernel *kernel,
                       struct sass_lower *lower);
/* sass_banks.c: sets `held` of a block's instructions. */
void sass_bank_conflicts(struct sass_fuser *fuser, const struct event_block *block);
#endif

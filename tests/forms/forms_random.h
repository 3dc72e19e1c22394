/* SPDX-License-Identifier: Apache-2.0 */
/* forms_program.c: random programs over the table of forms. */
#ifndef FORMS_RANDOM_H
#define FORMS_RANDOM_H

#include "forms.h"

enum { PROGRAM_STATEMENTS = 512 };

struct forms_pool { /* the rows that may be used */
    const struct forms_table *table;
    bool *usable; /* by form */
};

struct forms_program {
    struct forms_text text;
    uint64_t seed;
    bool without[PROGRAM_STATEMENTS]; /* statements to leave out, for shrinking */
    unsigned statements;
    uint32_t blocks, threads, slots; /* results: out[slot * blocks * threads + thread] */
};

/* The program number `seed` without the statements it is told to leave out; the same on every machine. */
void forms_program_emit(struct forms_program *program, const struct forms_pool *pool);
#endif

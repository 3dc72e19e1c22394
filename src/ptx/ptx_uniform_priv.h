/* SPDX-License-Identifier: Apache-2.0 */
/* Private to ptx_uniform*.c: what is known of a value over the lanes of a warp. */
#ifndef PTX_UNIFORM_PRIV_H
#define PTX_UNIFORM_PRIV_H

#include "ptx_priv.h"

struct ptx_value_shape {
    enum { PTX_UNSET, PTX_SAME, PTX_STRIDED, PTX_ANY } form;
    bool known;     /* SAME: the value is `constant` */
    bool wraps;     /* STRIDED, 64 bits: a 32-bit part may wrap between lanes */
    uint8_t align;  /* lane 0's value is a multiple of 2^align */
    int64_t stride; /* STRIDED */
    uint64_t constant;
    uint64_t max; /* no lane's value is larger, unsigned; UINT64_MAX: not known */
};

struct ptx_uniform {
    const struct ptx_cfg *cfg;
    const struct ptx_function *function;
    const struct ptx_launch_facts *facts;
    struct ptx_value_shape *values; /* by register; [reg_count] is the carry */
    bool *forced; /* by register: written while lanes that need the old value wait elsewhere */
};

/* ptx_uniform_eval.c: the shape that an instruction gives its destinations; UNSET while an input is unset. */
struct ptx_value_shape ptx_uniform_eval(const struct ptx_uniform *u, const struct ptx_instr *instr);
struct ptx_value_shape ptx_uniform_operand(const struct ptx_uniform *u, const struct ptx_operand *operand,
                                           enum isa_type type);
bool ptx_uniform_may_wrap(const struct ptx_value_shape *value, enum isa_type type);
/* ptx_uniform_split.c: after a divergent branch at the end of block b: marks partial blocks and forced
 * registers. */
struct ptx_uniform_split;
struct ptx_uniform_split *ptx_uniform_split_new(const struct ptx_uniform *u, bool *partial);
void ptx_uniform_split_free(struct ptx_uniform_split *split);
void ptx_uniform_split_at(struct ptx_uniform_split *split, uint32_t block);
#endif

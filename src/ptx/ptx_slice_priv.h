/* SPDX-License-Identifier: Apache-2.0 */
/* Inside ptx: values of a flat function as a graph without variables (ptx_slice.c), what they are for one
 * thread (ptx_slice_eval.c), and how they are written (ptx_slice_text.c). */
#ifndef PTX_SLICE_PRIV_H
#define PTX_SLICE_PRIV_H

#include "ptx/ptx_analysis.h"
#include "ptx/ptx_slice.h"

enum ptx_value_kind {
    PTX_VALUE_CONST,
    PTX_VALUE_SPECIAL, /* %tid, %ntid, %ctaid, %nctaid, %laneid */
    PTX_VALUE_PARAM,   /* bytes of the kernel's parameters */
    PTX_VALUE_SYMBOL,  /* the address of a variable */
    PTX_VALUE_OP,
    PTX_VALUE_LOAD,
    PTX_VALUE_MERGE, /* where paths with different values meet */
    PTX_VALUE_TURNS, /* of the loop that begins with `block` */
    PTX_VALUE_OTHER  /* of an instruction that is not followed; instr NULL: nobody sets it */
};
enum ptx_value_op {
    PTX_DO_ADD,
    PTX_DO_SUB,
    PTX_DO_MUL,
    PTX_DO_SHL,
    PTX_DO_SHR,
    PTX_DO_AND,
    PTX_DO_OR,
    PTX_DO_XOR,
    PTX_DO_NOT,
    PTX_DO_NEG,
    PTX_DO_DIV,
    PTX_DO_REM,
    PTX_DO_MIN,
    PTX_DO_MAX,
    PTX_DO_EXTEND, /* to more bits, by the sign or by zeros */
    PTX_DO_TRUNCATE,
    PTX_DO_SELECT, /* arg[0] ? arg[1] : arg[2] */
    PTX_DO_EQ,
    PTX_DO_NE,
    PTX_DO_LT,
    PTX_DO_LE,
    PTX_DO_GT,
    PTX_DO_GE
};

struct ptx_value {
    enum ptx_value_kind kind;
    enum ptx_value_op op;
    uint8_t bits; /* 1 to 64 */
    bool is_signed;
    enum isa_sreg sreg;
    uint64_t constant; /* CONST; PARAM: offset of its first byte */
    const struct ptx_var *var;
    struct ptx_value *arg[3];       /* LOAD: [0] the address */
    const struct ptx_instr *instr;  /* that made it; of a MERGE one of those, */
    const struct ptx_instr *instr2; /* and another one */
    uint32_t block;
    /* for the thread that is asked about, if `asked` says so (ptx_slice_eval.c) */
    uint64_t asked, value, visited;
    bool known;
};

struct ptx_slices {
    const struct ptx_function *function;
    struct arena arena;
    struct ptx_cfg cfg;
    uint32_t *defs, *first_def;          /* instructions that write register r: defs[first_def[r] ..] */
    uint32_t *frontier, *first_frontier; /* the same of a block's dominance frontier */
    struct map merges;                   /* by register: the blocks where its values meet, as bits */
    struct map values;                   /* by key: struct ptx_value */
    /* who is asked about */
    const struct ptx_thread *thread;
    uint64_t asked, visit;
    struct ptx_value *solved; /* its value follows from the address; NULL: none */
    uint64_t solved_value;
};

/* Values that reach an operand of instruction i. */
struct ptx_value *ptx_value_of(struct ptx_slices *slices, uint32_t i, const struct ptx_operand *operand,
                               unsigned bits);
static inline uint64_t ptx_low_bits(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}
static inline int64_t ptx_signed(uint64_t value, unsigned bits)
{
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* ---- sums of multiples (ptx_slice_linear.c): what any value of add, sub, mul and shl is, modulo 2^bits */
enum { PTX_LINEAR_MOST = 8 };
struct ptx_linear {
    unsigned bits, count;
    struct ptx_multiple {
        uint64_t factor;
        struct ptx_value *value;
    } terms[PTX_LINEAR_MOST];
    uint64_t constant;
    unsigned steps; /* of the graph that were taken */
    bool too_long;
};
/* slices: whose thread decides selections; NULL: none are. */
void ptx_linear_of(struct ptx_slices *slices, struct ptx_value *value, struct ptx_linear *out);
/* Is it a sum that ptx_linear_of takes apart? */
bool ptx_is_sum(const struct ptx_value *value);

/* ---- for one thread */
void ptx_slices_ask(struct ptx_slices *slices, const struct ptx_thread *thread);
bool ptx_value_known(struct ptx_slices *slices, struct ptx_value *value, uint64_t *out);
/* What a selection with a known predicate selects; any other value itself. */
struct ptx_value *ptx_value_plain(struct ptx_slices *slices, struct ptx_value *value);
/* The one value that would make all of `value` known; NULL: there are several, or none. */
struct ptx_value *ptx_value_unknown(struct ptx_slices *slices, struct ptx_value *value);
/* What `unknown`, the only one of its kind in `value`, must be so that `value` is `result`: modulo 2^*bits.
 * false: does not follow. */
bool ptx_value_solve(struct ptx_slices *slices, struct ptx_value *value, uint64_t result,
                     struct ptx_value *unknown, uint64_t *out, unsigned *bits);
/* The formula of an address, whose terms all have values if there are any. */
bool ptx_formula_write(struct ptx_slices *slices, struct ptx_value *address, uint32_t bytes, unsigned modulo,
                       struct arena *arena, struct ptx_formula *out);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Transfer functions: how a result varies over the lanes when its inputs are known.
 *
 * Models: add, sub, neg, not, mul, mad and shl by constants, moves, address and width conversions; and, or,
 * xor, shr of a strided value whose lanes lie inside one aligned block (tid.x & 31, tid.x >> 5). 32-bit sums
 * are strided modulo 2^32; widening one keeps the stride and notes that it may wrap unless alignment or a
 * bound excludes it. Does not model: 8 and 16 bit strides, floats, min and max of strided values. */
#include "ptx_uniform_priv.h"

#include <string.h>

enum { LAST_LANE = 31 };

static const struct ptx_value_shape any = {.form = PTX_ANY, .max = UINT64_MAX};
static const struct ptx_value_shape same = {.form = PTX_SAME, .max = UINT64_MAX};
static const struct ptx_value_shape unset = {.form = PTX_UNSET, .max = UINT64_MAX};

static uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint8_t trailing_zeros(uint64_t value)
{
    return value ? (uint8_t)__builtin_ctzll(value) : 63;
}

static struct ptx_value_shape constant(uint64_t value, unsigned bits)
{
    value &= mask_of(bits);
    return (struct ptx_value_shape){
        .form = PTX_SAME, .known = true, .align = trailing_zeros(value), .constant = value, .max = value};
}

static struct ptx_value_shape strided(int64_t stride, uint8_t align, uint64_t max)
{
    return (struct ptx_value_shape){
        .form = stride ? PTX_STRIDED : PTX_SAME, .stride = stride, .align = align, .max = max};
}

static struct ptx_value_shape bounded(uint64_t max)
{
    return (struct ptx_value_shape){.form = PTX_SAME, .max = max};
}

/* ---- special registers ---- */

static struct ptx_value_shape thread_index(const struct ptx_launch_facts *facts, unsigned axis)
{
    const uint32_t *n = facts->ntid;
    bool rows = n[0] && n[0] % SW_WARP_LANES == 0, flat = n[1] == 1 && n[2] == 1;
    if (n[axis] == 1) return constant(0, 32);
    if (axis == 0)
        return rows || flat ? strided(1, 5, n[0] ? n[0] - 1 : 1023) : any; /* 1023: most threads of a block */
    if (rows || (axis == 2 && n[0] && n[1] && n[0] * n[1] % SW_WARP_LANES == 0))
        return bounded(n[axis] ? n[axis] - 1 : 1023);
    return any;
}

static struct ptx_value_shape special(const struct ptx_launch_facts *facts, enum isa_sreg sreg)
{
    switch ((unsigned)sreg) {
    case ISA_SREG_TID_X: return thread_index(facts, 0);
    case ISA_SREG_TID_Y: return thread_index(facts, 1);
    case ISA_SREG_TID_Z: return thread_index(facts, 2);
    case ISA_SREG_NTID_X:
    case ISA_SREG_NTID_Y:
    case ISA_SREG_NTID_Z: {
        uint32_t n = facts->ntid[sreg - ISA_SREG_NTID_X];
        return n ? constant(n, 32) : bounded(1024);
    }
    case ISA_SREG_CTAID_X: return bounded(INT32_MAX - 1); /* grid limits of the CUDA C++ guide */
    case ISA_SREG_CTAID_Y:
    case ISA_SREG_CTAID_Z: return bounded(65534);
    case ISA_SREG_LANEID: return strided(1, 63, LAST_LANE);
    case ISA_SREG_LANEMASK_EQ:
    case ISA_SREG_LANEMASK_LE:
    case ISA_SREG_LANEMASK_LT:
    case ISA_SREG_LANEMASK_GE:
    case ISA_SREG_LANEMASK_GT: return any;
    default: return same;
    }
}

/* ---- operands ---- */

static struct ptx_value_shape all_same(const struct ptx_uniform *u, const struct ptx_operand *list,
                                       uint32_t count)
{
    struct ptx_value_shape result = same;
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_value_shape one = ptx_uniform_operand(u, &list[i], ISA_TYPE_NONE);
        if (one.form == PTX_UNSET) return unset;
        if (one.form != PTX_SAME) result = any;
    }
    return result;
}

struct ptx_value_shape ptx_uniform_operand(const struct ptx_uniform *u, const struct ptx_operand *operand,
                                           enum isa_type type)
{
    switch (operand->kind) {
    case ISA_OPD_REG: {
        struct ptx_value_shape value = u->values[operand->reg];
        if (operand->half || operand->selector || operand->negate)
            return value.form == PTX_SAME ? same : value.form == PTX_UNSET ? unset : any;
        return value;
    }
    case ISA_OPD_SREG: return special(u->facts, operand->sreg);
    case ISA_OPD_INT: return constant(operand->bits, type ? isa_type_bits(type) : 64);
    case ISA_OPD_VEC: return all_same(u, operand->elements, operand->count);
    case ISA_OPD_MEM:
        if (operand->count && all_same(u, operand->elements, operand->count).form != PTX_SAME) return any;
        return operand->reg == PTX_NO_REG ? same : u->values[operand->reg];
    case ISA_OPD_PAIR: return any;
    case ISA_OPD_NONE:
    case ISA_OPD_SINK:
    case ISA_OPD_FLOAT:
    case ISA_OPD_VAR:
    case ISA_OPD_FUNC:
    case ISA_OPD_LABEL:
    case ISA_OPD_LIST:
    case ISA_OPD_PROTO: break;
    }
    return same;
}

/* ---- arithmetic ---- */

static uint64_t max_sum(uint64_t a, uint64_t b, unsigned bits)
{
    uint64_t sum;
    if (a == UINT64_MAX || b == UINT64_MAX || __builtin_add_overflow(a, b, &sum) || sum > mask_of(bits))
        return UINT64_MAX;
    return sum;
}

static uint64_t max_product(uint64_t a, uint64_t b, unsigned bits)
{
    uint64_t product;
    if (a == UINT64_MAX || b == UINT64_MAX || __builtin_mul_overflow(a, b, &product) ||
        product > mask_of(bits))
        return UINT64_MAX;
    return product;
}

/* Strides live modulo the width, as a signed number of it. */
static int64_t fold(uint64_t stride, unsigned bits)
{
    return bits == 32 ? (int32_t)(uint32_t)stride : (int64_t)stride;
}

static uint8_t min_align(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static struct ptx_value_shape sum(struct ptx_value_shape a, struct ptx_value_shape b, unsigned bits,
                                  bool minus)
{
    if (a.form == PTX_UNSET || b.form == PTX_UNSET) return unset;
    if (a.form == PTX_ANY || b.form == PTX_ANY) return any;
    if (a.known && b.known) return constant(minus ? a.constant - b.constant : a.constant + b.constant, bits);
    uint64_t stride =
        minus ? (uint64_t)a.stride - (uint64_t)b.stride : (uint64_t)a.stride + (uint64_t)b.stride;
    struct ptx_value_shape result = strided(fold(stride, bits), min_align(a.align, b.align),
                                            minus ? UINT64_MAX : max_sum(a.max, b.max, bits));
    result.wraps = a.wraps || b.wraps;
    if (result.wraps && result.form == PTX_SAME) return any; /* the strides cancel, the wraps may not */
    return result;
}

static struct ptx_value_shape product(struct ptx_value_shape a, struct ptx_value_shape b, unsigned bits)
{
    if (a.form == PTX_UNSET || b.form == PTX_UNSET) return unset;
    if (a.known && b.known) return constant(a.constant * b.constant, bits);
    if (b.form != PTX_SAME || (a.form == PTX_SAME && a.known)) {
        struct ptx_value_shape swap = a;
        a = b;
        b = swap;
    }
    if (a.form == PTX_ANY || b.form != PTX_SAME || (a.form == PTX_STRIDED && !b.known)) return any;
    uint8_t align = a.align + b.align > 63 ? 63 : (uint8_t)(a.align + b.align);
    struct ptx_value_shape result =
        strided(fold((uint64_t)a.stride * b.constant, bits), align, max_product(a.max, b.max, bits));
    if (a.form == PTX_STRIDED && result.form == PTX_SAME && !(b.known && b.constant == 0)) return any;
    result.wraps = a.wraps;
    return result;
}

/* The lanes of v lie in one block of 2^align: they differ in the low align bits only. */
static bool inside_block(const struct ptx_value_shape *v)
{
    return v->form == PTX_STRIDED && v->stride > 0 && v->align < 63 && !v->wraps &&
           (uint64_t)v->stride * LAST_LANE < UINT64_C(1) << v->align;
}

bool ptx_uniform_may_wrap(const struct ptx_value_shape *v, enum isa_type type)
{
    bool is_signed = isa_type_kind(type) == ISA_KIND_SINT;
    if (v->form != PTX_STRIDED || isa_type_bits(type) != 32) return v->wraps;
    if (inside_block(v) && v->align <= 31) return false;
    if (v->stride > 0 && v->stride < INT32_MAX / LAST_LANE && v->align > 31)
        return false; /* lane 0 is 0 or 2^31 k */
    return v->max > (is_signed ? (uint64_t)INT32_MAX : (uint64_t)UINT32_MAX);
}

/* 32 to 64 bits; type: of the source */
static struct ptx_value_shape widen(struct ptx_value_shape v, enum isa_type type)
{
    bool is_signed = isa_type_kind(type) == ISA_KIND_SINT;
    if (v.form == PTX_STRIDED) v.wraps = ptx_uniform_may_wrap(&v, type);
    if (v.known && is_signed) return constant((uint64_t)(int64_t)(int32_t)v.constant, 64);
    if (is_signed && v.max > INT32_MAX) v.max = UINT64_MAX;
    if (!is_signed && v.max > UINT32_MAX) v.max = UINT32_MAX;
    if (!is_signed && v.wraps) v.max = UINT32_MAX;
    if (v.align > 31 && !v.known) v.align = 31;
    return v;
}

static struct ptx_value_shape narrow(struct ptx_value_shape v)
{
    if (v.known) return constant(v.constant, 32);
    if (v.form == PTX_ANY || v.form == PTX_UNSET) return v;
    v.stride = (int32_t)(uint32_t)(uint64_t)v.stride;
    if (v.form == PTX_STRIDED && v.stride == 0) v.form = PTX_SAME;
    v.wraps = false; /* what wrapped did so modulo 2^32 */
    if (v.max > UINT32_MAX) v.max = UINT64_MAX;
    return v;
}

static struct ptx_value_shape bitwise(enum isa_op op, struct ptx_value_shape a, struct ptx_value_shape b,
                                      unsigned bits)
{
    if (a.form == PTX_UNSET || b.form == PTX_UNSET) return unset;
    if (a.form == PTX_SAME && b.form == PTX_SAME) {
        if (a.known && b.known)
            return constant(op == ISA_OP_AND  ? a.constant & b.constant
                            : op == ISA_OP_OR ? a.constant | b.constant
                                              : a.constant ^ b.constant,
                            bits);
        return op == ISA_OP_AND ? bounded(a.max < b.max ? a.max : b.max) : same;
    }
    if (a.form == PTX_SAME) {
        struct ptx_value_shape swap = a;
        a = b;
        b = swap;
    }
    if (!inside_block(&a) || b.form != PTX_SAME) return any;
    uint64_t low = mask_of(a.align);
    if (op == ISA_OP_AND && b.known && (b.constant & low) == low)
        return strided(a.stride, a.align, b.constant < a.max ? b.constant : a.max);
    if (op == ISA_OP_AND && b.align >= a.align) return bounded(b.max);
    if (op != ISA_OP_AND && b.align >= a.align)
        return strided(a.stride, a.align, UINT64_MAX); /* or, xor above the lanes' bits */
    return any;
}

static struct ptx_value_shape shift_right(struct ptx_value_shape a, struct ptx_value_shape by,
                                          enum isa_type type)
{
    unsigned bits = isa_type_bits(type);
    bool is_signed = isa_type_kind(type) == ISA_KIND_SINT;
    if (a.form == PTX_UNSET || by.form == PTX_UNSET) return unset;
    if (a.form == PTX_ANY || by.form != PTX_SAME) return any;
    bool positive = !is_signed || a.max <= mask_of(bits - 1);
    if (by.known && positive && a.max != UINT64_MAX && (by.constant >= 64 || a.max >> by.constant == 0))
        return constant(0, bits);
    if (a.form == PTX_SAME)
        return by.known && positive && a.max != UINT64_MAX ? bounded(a.max >> by.constant) : same;
    if (!by.known || !inside_block(&a) || by.constant < a.align) return any;
    return positive && a.max != UINT64_MAX && by.constant < 64 ? bounded(a.max >> by.constant) : same;
}

/* ---- instructions ---- */

static bool is_strided_type(enum isa_type type)
{
    unsigned bits = isa_type_bits(type);
    enum isa_type_kind class = isa_type_kind(type);
    return (bits == 32 || bits == 64) && class != ISA_KIND_FLOAT;
}

static struct ptx_value_shape source(const struct ptx_uniform *u, const struct ptx_instr *instr, unsigned n)
{
    enum isa_type type = ptx_instr_type(instr, instr->type_count ? instr->type_count - 1u : 0);
    return n < instr->operand_count ? ptx_uniform_operand(u, &instr->operands[n], type) : same;
}

/* Uniform when every input is. */
static struct ptx_value_shape plain(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    unsigned dests = ptx_instr_dest_count(instr);
    return all_same(u, instr->operands + dests, instr->operand_count - dests);
}

static struct ptx_value_shape eval_multiply(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    enum isa_type type = ptx_instr_type(instr, 0);
    unsigned bits = isa_type_bits(type);
    struct ptx_value_shape a = source(u, instr, 1), b = source(u, instr, 2), c = source(u, instr, 3);
    bool wide = ptx_has(instr, ISA_MOD_WIDE);
    if (bits == 16 || ptx_has(instr, ISA_MOD_HI) || !is_strided_type(type)) return plain(u, instr);
    if (wide && instr->operand_count > 3 && instr->operands[3].kind == ISA_OPD_INT)
        c = constant(instr->operands[3].bits, 64);
    if (wide) a = widen(a, type), b = widen(b, type), bits = 64;
    struct ptx_value_shape result = product(a, b, bits);
    return instr->op == ISA_OP_MAD ? sum(result, c, bits, false) : result;
}

static struct ptx_value_shape eval_convert(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    enum isa_type to = ptx_instr_type(instr, 0), from = ptx_instr_type(instr, 1);
    struct ptx_value_shape v = source(u, instr, 1);
    if (!is_strided_type(to) || !is_strided_type(from) || ptx_has(instr, ISA_MOD_SAT)) return plain(u, instr);
    if (instr->operands[1].kind == ISA_OPD_REG &&
        isa_type_bits(u->function->regs[instr->operands[1].reg].type) > isa_type_bits(from))
        v = narrow(v);
    if (isa_type_bits(to) == isa_type_bits(from)) return v;
    return isa_type_bits(to) == 64 ? widen(v, from) : narrow(v);
}

static struct ptx_value_shape eval_select(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    struct ptx_value_shape a = source(u, instr, 1), b = source(u, instr, 2), p = source(u, instr, 3);
    if (a.form == PTX_UNSET || b.form == PTX_UNSET || p.form == PTX_UNSET) return unset;
    if (p.form != PTX_SAME || a.form == PTX_ANY || a.form != b.form || a.stride != b.stride) return any;
    struct ptx_value_shape result =
        strided(a.stride, min_align(a.align, b.align), a.max > b.max ? a.max : b.max);
    result.wraps = a.wraps || b.wraps;
    return result;
}

static struct ptx_value_shape eval_shift_left(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    unsigned bits = isa_type_bits(ptx_instr_type(instr, 0));
    struct ptx_value_shape by = source(u, instr, 2);
    if (!by.known || by.constant >= bits) return plain(u, instr);
    return product(source(u, instr, 1), constant(UINT64_C(1) << by.constant, bits), bits);
}

static struct ptx_value_shape eval_mov(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    if (instr->operand_count < 2 || instr->operands[0].kind != ISA_OPD_REG ||
        instr->operands[1].kind == ISA_OPD_VEC)
        return plain(u, instr);
    return source(u, instr, 1);
}

/* A generic address of a local variable is another one in every lane. */
static struct ptx_value_shape eval_cvta(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    if (ptx_instr_space(instr) == PTX_SPACE_LOCAL) return any;
    if (ptx_instr_space(instr) == PTX_SPACE_PARAM && !u->function->is_entry) return any;
    return source(u, instr, 1);
}

static bool is_kernel_parameter(const struct ptx_uniform *u, const struct ptx_var *var)
{
    return u->function->is_entry &&
           (!var || (var->index < u->function->param_count && u->function->params[var->index] == var));
}

static struct ptx_value_shape eval_load(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    enum ptx_space space = ptx_instr_space(instr);
    if (instr->operand_count < 2 || space == PTX_SPACE_LOCAL) return any;
    if (space == PTX_SPACE_PARAM && !is_kernel_parameter(u, instr->operands[1].var)) return any;
    struct ptx_value_shape address = source(u, instr, 1);
    if (address.form == PTX_UNSET) return unset;
    return address.form == PTX_SAME ? same : any;
}

/* vote, redux, activemask: one result for all who take part, if all take part in the same */
static struct ptx_value_shape eval_warp(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    if (instr->op == ISA_OP_ACTIVEMASK) return same;
    if ((instr->op != ISA_OP_VOTE && instr->op != ISA_OP_REDUX) || instr->operand_count < 3) return any;
    struct ptx_value_shape mask = source(u, instr, 2);
    return mask.form == PTX_STRIDED ? any : mask.form == PTX_SAME ? same : mask;
}

static struct ptx_value_shape eval_integer(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    enum isa_type type = ptx_instr_type(instr, 0);
    unsigned bits = isa_type_bits(type);
    if (!is_strided_type(type) || ptx_has(instr, ISA_MOD_SAT) || ptx_has(instr, ISA_MOD_CC))
        return plain(u, instr);
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD: return sum(source(u, instr, 1), source(u, instr, 2), bits, false);
    case ISA_OP_SUB: return sum(source(u, instr, 1), source(u, instr, 2), bits, true);
    case ISA_OP_NEG: return sum(constant(0, bits), source(u, instr, 1), bits, true);
    case ISA_OP_NOT: return sum(constant(UINT64_MAX, bits), source(u, instr, 1), bits, true);
    case ISA_OP_MUL:
    case ISA_OP_MAD: return eval_multiply(u, instr);
    case ISA_OP_SHL: return eval_shift_left(u, instr);
    case ISA_OP_SHR: return shift_right(source(u, instr, 1), source(u, instr, 2), type);
    default: return bitwise(instr->op, source(u, instr, 1), source(u, instr, 2), bits);
    }
}

static struct ptx_value_shape eval_unguarded(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_NEG:
    case ISA_OP_NOT:
    case ISA_OP_MUL:
    case ISA_OP_MAD:
    case ISA_OP_SHL:
    case ISA_OP_SHR:
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR: return eval_integer(u, instr);
    case ISA_OP_ADDC:
    case ISA_OP_SUBC:
    case ISA_OP_MADC: {
        struct ptx_value_shape carry = u->values[u->function->reg_count];
        return carry.form == PTX_ANY || carry.form == PTX_UNSET ? carry : plain(u, instr);
    }
    case ISA_OP_MOV: return eval_mov(u, instr);
    case ISA_OP_CVTA: return eval_cvta(u, instr);
    case ISA_OP_CVT: return eval_convert(u, instr);
    case ISA_OP_SELP: return eval_select(u, instr);
    case ISA_OP_LD:
    case ISA_OP_LDU: return eval_load(u, instr);
    case ISA_OP_ISTYPEP: /* done lane by lane, as queries of textures are */
    case ISA_OP_ALLOCA:
    case ISA_OP_STACKSAVE: return any;
    default: break;
    }
    if (isa_op_class(instr->op) == ISA_CLASS_WARP) return eval_warp(u, instr);
    return isa_op_class(instr->op) == ISA_CLASS_ALU ? plain(u, instr) : any;
}

struct ptx_value_shape ptx_uniform_eval(const struct ptx_uniform *u, const struct ptx_instr *instr)
{
    if (instr->guard != PTX_NO_REG) {
        if (u->values[instr->guard].form == PTX_UNSET) return unset;
        if (u->values[instr->guard].form != PTX_SAME) return any;
    }
    return eval_unguarded(u, instr);
}

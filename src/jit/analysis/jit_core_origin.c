/* SPDX-License-Identifier: Apache-2.0 */
/* From which variable an address comes: registers that are nothing but a variable's address and an offset,
 * however large. An access through one must stay in that variable (jit_emit_bounds.c).
 *
 * Method: optimistic data flow over all definitions of a register, as in jit_core_align.c. A value is a
 * number, into which no variable's address went; an address in one variable; or anything:
 *
 *   number  +  number, and any other operation on numbers    number
 *   address +- number; mov, cvta and cvt of an address       address in the same variable
 *   address in A, or address in B                            anything
 *   anything else on an address                              anything
 *
 * Of numbers, and of offsets from the begin of a variable, the largest is known where it follows from the
 * block's dimensions and constants: an access that cannot leave its variable is not tested. All such numbers
 * are below 2^31, so that neither signs nor widths matter.
 * What comes from memory is a number: an address that a kernel keeps there is no longer looked at, nor is one
 * that goes through a call. Limits: what a compiler made one variable is one (a frame of local variables); an
 * offset that a program computed from the addresses of two variables and kept in memory would be a false
 * alarm. */
#include "jit/analysis/jit_layout.h"
#include "jit/analysis/jit_origin.h"
#include "jit/core/jit_core.h"

static const struct jit_origin number = {.kind = JIT_ORIGIN_NUMBER, .max = JIT_NO_MAX},
                               anything = {.kind = JIT_ORIGIN_ANY, .max = JIT_NO_MAX};

static uint64_t known(uint64_t max)
{
    return max >> 31 ? JIT_NO_MAX : max;
}

static struct jit_origin number_to(uint64_t max)
{
    return (struct jit_origin){.kind = JIT_ORIGIN_NUMBER, .max = known(max)};
}

static struct jit_origin origin_of_var(const struct ptx_var *var, int64_t offset)
{
    return (struct jit_origin){.kind = JIT_ORIGIN_VAR, .var = var, .max = known((uint64_t)offset)};
}

static struct jit_origin origin_join(struct jit_origin a, struct jit_origin b)
{
    if (a.kind == JIT_ORIGIN_NONE) return b;
    if (b.kind == JIT_ORIGIN_NONE) return a;
    if (a.kind != b.kind || a.var != b.var) return anything;
    if (a.max != b.max) a.max = JIT_NO_MAX; /* or a loop would count up to it */
    return a;
}

/* The largest value, documented: CUDA C Programming Guide, "Compute Capabilities". */
static struct jit_origin of_special(const struct jit *jit, enum isa_sreg sreg)
{
    enum { MOST_XY = 1024, MOST_Z = 64 };
    const uint32_t *n = jit->ntid;
    switch ((unsigned)sreg) {
    case ISA_SREG_TID_X: return number_to((n[0] ? n[0] : MOST_XY) - 1);
    case ISA_SREG_TID_Y: return number_to((n[1] ? n[1] : MOST_XY) - 1);
    case ISA_SREG_TID_Z: return number_to((n[2] ? n[2] : MOST_Z) - 1);
    case ISA_SREG_NTID_X: return number_to(n[0] ? n[0] : MOST_XY);
    case ISA_SREG_NTID_Y: return number_to(n[1] ? n[1] : MOST_XY);
    case ISA_SREG_NTID_Z: return number_to(n[2] ? n[2] : MOST_Z);
    case ISA_SREG_LANEID: return number_to(SW_WARP_LANES - 1);
    default: return number;
    }
}

static struct jit_origin of_operand(const struct jit *jit, const struct ptx_operand *operand)
{
    if (operand->var) return origin_of_var(operand->var, operand->offset);
    if (operand->kind == ISA_OPD_INT) return number_to(operand->bits);
    if (operand->kind == ISA_OPD_SREG) return of_special(jit, operand->sreg);
    if (operand->kind != ISA_OPD_REG) return number;
    struct jit_origin of = jit->origins[operand->reg];
    if (!operand->negate && !operand->half) return of;
    return of.kind == JIT_ORIGIN_NUMBER ? number : of.kind == JIT_ORIGIN_VAR ? anything : of;
}

static struct jit_origin of_all(const struct jit *jit, const struct ptx_operand *operands, unsigned count)
{
    struct jit_origin all = {0};
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_operand *o = &operands[i];
        struct jit_origin one = o->elements ? of_all(jit, o->elements, o->count) : of_operand(jit, o);
        one.max = JIT_NO_MAX;
        all = origin_join(all, one.kind == JIT_ORIGIN_VAR ? anything : one);
    }
    return all;
}

/* Any operation but those below. */
static struct jit_origin of_sources(const struct jit *jit, const struct ptx_instr *instr)
{
    unsigned dests = ptx_instr_dest_count(instr);
    if (instr->operand_count <= dests) return number;
    return of_all(jit, instr->operands + dests, instr->operand_count - dests);
}

/* ---- operations on numbers: what does not stay one is anything */

static uint64_t max_sum(uint64_t a, uint64_t b)
{
    return a == JIT_NO_MAX || b == JIT_NO_MAX ? JIT_NO_MAX : known(a + b);
}

static uint64_t max_product(uint64_t a, uint64_t b)
{
    return a == JIT_NO_MAX || b == JIT_NO_MAX ? JIT_NO_MAX : known(a * b);
}

static uint64_t all_bits(uint64_t max)
{
    if (max == JIT_NO_MAX) return max;
    return max ? (UINT64_C(2) << (63 - __builtin_clzll(max))) - 1 : 0;
}

static uint64_t max_of(const struct ptx_instr *instr, uint64_t a, uint64_t b, bool b_constant)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_MUL: return max_product(a, b);
    case ISA_OP_SHL: return b_constant && b < 31 ? max_product(a, UINT64_C(1) << b) : JIT_NO_MAX;
    case ISA_OP_SHR: return a == JIT_NO_MAX || !b_constant || b > 31 ? a : a >> b;
    case ISA_OP_AND: return a < b ? a : b;
    case ISA_OP_OR:
    case ISA_OP_XOR: return a == JIT_NO_MAX || b == JIT_NO_MAX ? JIT_NO_MAX : all_bits(a > b ? a : b);
    case ISA_OP_DIV: return b_constant && b && b != JIT_NO_MAX ? a : JIT_NO_MAX;
    case ISA_OP_REM:
        if (a == JIT_NO_MAX || b == JIT_NO_MAX || !b_constant || !b) return JIT_NO_MAX;
        return a < b - 1 ? a : b - 1;
    case ISA_OP_MIN: return a == JIT_NO_MAX || b == JIT_NO_MAX ? JIT_NO_MAX : a < b ? a : b;
    default: return JIT_NO_MAX;
    }
}

static struct jit_origin of_numbers(const struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_origin all = of_sources(jit, instr);
    if (all.kind != JIT_ORIGIN_NUMBER || instr->operand_count != 3) return all;
    uint64_t a = of_operand(jit, &instr->operands[1]).max, b = of_operand(jit, &instr->operands[2]).max;
    all.max = max_of(instr, a, b, instr->operands[2].kind == ISA_OPD_INT);
    return all;
}

static struct jit_origin origin_add(struct jit_origin a, struct jit_origin b, bool subtract)
{
    if (a.kind == JIT_ORIGIN_NONE || b.kind == JIT_ORIGIN_NONE) return (struct jit_origin){0};
    uint64_t max = subtract ? JIT_NO_MAX : max_sum(a.max, b.max);
    if (b.kind != JIT_ORIGIN_NUMBER) {
        if (a.kind != JIT_ORIGIN_NUMBER || subtract) return anything;
        a = b;
    }
    a.max = max;
    return a;
}

static struct jit_origin of_load(const struct jit *jit, const struct ptx_instr *instr)
{
    const struct ptx_var *var = instr->operands[instr->operand_count > 1].var;
    return var && jit_is_call_var(jit, var) ? anything : number;
}

/* Integers of the width of an address, or of an offset in shared or local memory. */
static bool keeps_address(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->type_count; i++)
        if (isa_type_kind(ptx_instr_type(instr, i)) == ISA_KIND_FLOAT ||
            isa_type_bits(ptx_instr_type(instr, i)) < 32)
            return false;
    return !ptx_has(instr, ISA_MOD_SAT) && !ptx_has(instr, ISA_MOD_HI) && !ptx_has(instr, ISA_MOD_CC);
}

static struct jit_origin of_mad(const struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_origin product = of_all(jit, instr->operands + 1, 2);
    if (product.kind == JIT_ORIGIN_NUMBER)
        product.max =
            max_product(of_operand(jit, &instr->operands[1]).max, of_operand(jit, &instr->operands[2]).max);
    return origin_add(product, of_operand(jit, &instr->operands[3]), false);
}

static struct jit_origin of_result(const struct jit *jit, const struct ptx_instr *instr)
{
    const struct ptx_operand *operands = instr->operands;
    if (instr->op == ISA_OP_LD) return of_load(jit, instr);
    if (ptx_instr_is_memory(instr)) return number;
    if (instr->op == ISA_OP_CALL) return anything;
    if (operands[0].kind != ISA_OPD_REG || !keeps_address(instr)) return of_sources(jit, instr);
    switch ((unsigned)instr->op) {
    case ISA_OP_MOV:
    case ISA_OP_CVT:
    case ISA_OP_CVTA:
        if (operands[1].elements) return of_sources(jit, instr);
        return of_operand(jit, &operands[1]);
    case ISA_OP_ADD:
    case ISA_OP_SUB:
        return origin_add(of_operand(jit, &operands[1]), of_operand(jit, &operands[2]),
                          instr->op == ISA_OP_SUB);
    case ISA_OP_MAD: return of_mad(jit, instr);
    case ISA_OP_SELP: return origin_join(of_operand(jit, &operands[1]), of_operand(jit, &operands[2]));
    default: return of_numbers(jit, instr);
    }
}

static bool origin_transfer(struct jit *jit, const struct ptx_instr *instr)
{
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_defs(instr, regs, SW_COUNT_OF(regs));
    bool changed = false;
    struct jit_origin value = count ? of_result(jit, instr) : anything;
    for (unsigned i = 0; i < count; i++) {
        struct jit_origin *to = &jit->origins[regs[i]], joined = origin_join(*to, value);
        changed |= joined.kind != to->kind || joined.var != to->var || joined.max != to->max;
        *to = joined;
    }
    return changed;
}

/* Registers that a call or the caller sets have no definition that is seen here. */
static void set_parameters(struct jit *jit)
{
    const struct ptx_function *function = jit->function;
    for (uint32_t i = 0; i < function->param_count && function->param_regs; i++)
        if (function->param_regs[i] != PTX_NO_REG) jit->origins[function->param_regs[i]] = anything;
}

static bool names_reserved(const struct ptx_operand *operands, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (operands[i].elements && names_reserved(operands[i].elements, operands[i].count)) return true;
        if (operands[i].kind == ISA_OPD_SREG && operands[i].sreg >= ISA_SREG_RESERVED_SMEM_OFFSET_BEGIN &&
            operands[i].sreg <= ISA_SREG_RESERVED_SMEM_OFFSET_1)
            return true;
    }
    return false;
}

static bool reads_reserved(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instr_count; i++)
        if (names_reserved(function->instrs[i].operands, function->instrs[i].operand_count)) return true;
    return false;
}

static void find_reserved(struct jit *jit)
{
    jit->info.reads_reserved = reads_reserved(jit->request->entry);
    for (size_t i = 0; i < jit->callees->count; i++)
        jit->info.reads_reserved |= reads_reserved(jit->callees->at[i].flat);
}

void jit_origins_build(struct jit *jit)
{
    if (!(jit->request->probes & EVENT_PROBE_BOUNDS)) return;
    find_reserved(jit);
    jit->info.shared_end = (uint32_t)jit_shared_end(jit);
    jit->origins = ARENA_ARRAY(&jit->arena, struct jit_origin, jit->reg_count);
    set_parameters(jit);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < jit->function->instr_count; i++)
            changed |= origin_transfer(jit, &jit->function->instrs[i]);
    }
}

const struct ptx_var *jit_origin_of(const struct jit *jit, const struct ptx_operand *operand)
{
    if (operand->var) return operand->var;
    if (operand->reg == PTX_NO_REG || !jit->origins) return NULL;
    return jit->origins[operand->reg].kind == JIT_ORIGIN_VAR ? jit->origins[operand->reg].var : NULL;
}

bool jit_origin_holds(const struct jit *jit, const struct ptx_operand *operand, unsigned bytes)
{
    const struct ptx_var *var = jit_origin_of(jit, operand);
    if (!var || operand->var || operand->offset < 0 || jit_is_dynamic(var)) return false;
    uint64_t max = jit->origins[operand->reg].max;
    return max != JIT_NO_MAX && max + (uint64_t)operand->offset + bytes <= var->bytes;
}

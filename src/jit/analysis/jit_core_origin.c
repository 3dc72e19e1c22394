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
 * What comes from memory is a number: an address that a kernel keeps there is no longer looked at, nor is one
 * that goes through a call. Limits: what a compiler made one variable is one (a frame of local variables); an
 * offset that a program computed from the addresses of two variables and kept in memory would be a false
 * alarm. */
#include "jit/analysis/jit_layout.h"
#include "jit/analysis/jit_origin.h"
#include "jit/core/jit_core.h"

static const struct jit_origin number = {.kind = JIT_ORIGIN_NUMBER}, anything = {.kind = JIT_ORIGIN_ANY};

static struct jit_origin origin_of_var(const struct ptx_var *var)
{
    return (struct jit_origin){.kind = JIT_ORIGIN_VAR, .var = var};
}

static struct jit_origin origin_join(struct jit_origin a, struct jit_origin b)
{
    if (a.kind == JIT_ORIGIN_NONE) return b;
    if (b.kind == JIT_ORIGIN_NONE) return a;
    return a.kind == b.kind && a.var == b.var ? a : anything;
}

static struct jit_origin of_operand(const struct jit *jit, const struct ptx_operand *operand)
{
    if (operand->var) return origin_of_var(operand->var);
    if (operand->kind == ISA_OPD_REG)
        return operand->negate && jit->origins[operand->reg].kind == JIT_ORIGIN_VAR
                   ? anything
                   : jit->origins[operand->reg];
    return number;
}

static struct jit_origin of_all(const struct jit *jit, const struct ptx_operand *operands, unsigned count)
{
    struct jit_origin all = {0};
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_operand *o = &operands[i];
        struct jit_origin one = o->elements ? of_all(jit, o->elements, o->count) : of_operand(jit, o);
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

static struct jit_origin origin_add(struct jit_origin a, struct jit_origin b, bool subtract)
{
    if (a.kind == JIT_ORIGIN_NONE || b.kind == JIT_ORIGIN_NONE) return (struct jit_origin){0};
    if (b.kind == JIT_ORIGIN_NUMBER) return a;
    return a.kind == JIT_ORIGIN_NUMBER && !subtract ? b : anything;
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
    return origin_add(product, of_operand(jit, &instr->operands[3]), false);
}

static struct jit_origin of_result(const struct jit *jit, const struct ptx_instr *instr)
{
    const struct ptx_operand *operands = instr->operands;
    if (instr->op == ISA_OP_LD) return of_load(jit, instr);
    if (ptx_instr_is_memory(instr)) return number;
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
    default: return of_sources(jit, instr);
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
        changed |= joined.kind != to->kind || joined.var != to->var;
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

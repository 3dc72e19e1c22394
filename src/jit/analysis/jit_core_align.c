/* SPDX-License-Identifier: Apache-2.0 */
/* Which addresses are surely aligned: where one is not, a test stands before the access (jit_emit_align.c).
 *
 * Method: optimistic data flow over all definitions of a register, as in jit_core_repr.c. For each of 2, 4,
 * 8 and 16 bytes it says whether the value is a multiple, if some of the launch's 64-bit parameters are; and
 * which. What the kernel so relies on goes to jit_info.aligned_params: before a launch the engine looks at
 * those parameters, and takes code with tests everywhere (jit_request.strict) when one is not as wanted. Thus
 * usual kernels (p[i] with a pointer that the host gave) pay nothing.
 * Limits: a parameter past the first 512 bytes, pointers that come from memory, and offsets in bytes are not
 * known: tested. */
#include "jit/analysis/jit_layout.h"
#include "jit/analysis/jit_repr.h"
#include "jit/core/jit_core.h"

#include <string.h>

enum { LEVELS = 5, SLOTS = 64 }; /* multiples of 1, 2, 4, 8, 16 */

struct jit_aligned {
    uint64_t relies[LEVELS]; /* on these parameters, by 8 bytes */
    uint8_t unknown;         /* level k is never reached: bit k */
    bool defined;
    const struct ptx_var *param; /* it is the address of this parameter of the launch; NULL: it is not */
};

static struct jit_aligned known_at(unsigned level)
{
    struct jit_aligned out = {.defined = true};
    for (unsigned k = level + 1; k < LEVELS; k++)
        out.unknown |= (uint8_t)(1u << k);
    return out;
}

static struct jit_aligned of_number(uint64_t value)
{
    unsigned zeros = value ? (unsigned)__builtin_ctzll(value) : LEVELS;
    return known_at(zeros < LEVELS ? zeros : LEVELS - 1);
}

static bool align_reaches(const struct jit_aligned *a, unsigned level)
{
    return !(a->unknown >> level & 1);
}

/* A multiple where both are: sums, choices, or'ed bits. */
static struct jit_aligned align_both(struct jit_aligned a, struct jit_aligned b)
{
    a.unknown |= b.unknown;
    for (unsigned k = 0; k < LEVELS; k++)
        a.relies[k] |= b.relies[k];
    if (a.param != b.param) a.param = NULL;
    return a;
}

/* The level k of a product: multiples of 2^i and 2^(k-i), whichever relies on least. */
static struct jit_aligned align_product(struct jit_aligned a, struct jit_aligned b)
{
    struct jit_aligned out = known_at(LEVELS - 1);
    for (unsigned k = 1; k < LEVELS; k++) {
        int least = SLOTS + 1;
        for (unsigned i = 0; i <= k; i++) {
            uint64_t relies = a.relies[i] | b.relies[k - i];
            int count = __builtin_popcountll(relies);
            if (!align_reaches(&a, i) || !align_reaches(&b, k - i) || count >= least) continue;
            least = count;
            out.relies[k] = relies;
        }
        if (least > SLOTS) out.unknown |= (uint8_t)(1u << k);
    }
    return out;
}

static struct jit_aligned either(struct jit_aligned a, struct jit_aligned b)
{
    struct jit_aligned out = a;
    for (unsigned k = 1; k < LEVELS; k++) {
        if (!align_reaches(&b, k)) continue;
        if (align_reaches(&a, k) && __builtin_popcountll(a.relies[k]) <= __builtin_popcountll(b.relies[k]))
            continue;
        out.relies[k] = b.relies[k];
        out.unknown &= (uint8_t)~(1u << k);
    }
    return out;
}

static struct jit_aligned of_var(const struct jit *jit, const struct ptx_var *var, int64_t offset)
{
    if (var->space == PTX_SPACE_SHARED) return of_number(jit_shared_offset(jit, var) + (uint64_t)offset);
    if (var->space == PTX_SPACE_LOCAL) return of_number(jit_local_offset(jit, var) + (uint64_t)offset);
    return align_both(of_number(var->align ? var->align : 1), of_number((uint64_t)offset));
}

static struct jit_aligned of_operand(const struct jit *jit, const struct ptx_operand *operand)
{
    switch ((unsigned)operand->kind) {
    case ISA_OPD_REG: {
        if (operand->half) return known_at(0);
        struct jit_abstract abstract = jit->regs[operand->reg].abstract;
        if (abstract.repr == JIT_SCALAR && abstract.constant) return of_number(abstract.value);
        return jit->aligns[operand->reg];
    }
    case ISA_OPD_INT: return of_number(operand->bits);
    case ISA_OPD_VAR: return of_var(jit, operand->var, operand->offset);
    default: return known_at(0);
    }
}

/* A 64-bit parameter of the launch, as far as it is assumed. */
static struct jit_aligned of_param(const struct jit *jit, const struct ptx_instr *instr, unsigned element)
{
    const struct ptx_operand *from = &instr->operands[1];
    struct jit_aligned out = known_at(0);
    const struct ptx_var *var = from->var;
    if (!var && from->reg != PTX_NO_REG) var = jit->aligns[from->reg].param;
    if (!var || var->space != PTX_SPACE_PARAM || jit_is_call_var(jit, var)) return out;
    uint64_t at = var->offset + (uint64_t)from->offset + 8ull * element;
    if (jit->request->strict || jit->is_callee || isa_type_bits(ptx_instr_type(instr, 0)) != 64) return out;
    if (at % 8 || at / 8 >= SLOTS) return out;
    out.unknown = 0;
    for (unsigned k = 1; k < LEVELS; k++)
        out.relies[k] = 1ull << (at / 8);
    return out;
}

static struct jit_aligned of_shift(struct jit_aligned a, const struct jit *jit,
                                   const struct ptx_operand *count)
{
    struct jit_abstract abstract = {0};
    if (count->kind == ISA_OPD_REG) abstract = jit->regs[count->reg].abstract;
    if (count->kind == ISA_OPD_INT) abstract = (struct jit_abstract){.constant = true, .value = count->bits};
    if (!abstract.constant) return a;
    return align_product(a,
                         of_number(abstract.value < LEVELS ? 1ull << abstract.value : 1ull << (LEVELS - 1)));
}

static bool align_is_integer(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->type_count; i++)
        if (isa_type_kind(ptx_instr_type(instr, i)) == ISA_KIND_FLOAT) return false;
    return !ptx_has(instr, ISA_MOD_HI) && !ptx_has(instr, ISA_MOD_SAT);
}

static struct jit_aligned of_result(const struct jit *jit, const struct ptx_instr *instr, unsigned element)
{
    struct jit_aligned src[3] = {known_at(0), known_at(0), known_at(0)};
    if (instr->op == ISA_OP_LD) return of_param(jit, instr, element);
    if (element || instr->operands[0].kind != ISA_OPD_REG || !align_is_integer(instr)) return known_at(0);
    for (unsigned i = 0; i < 3 && i + 1 < instr->operand_count; i++)
        src[i] = of_operand(jit, &instr->operands[i + 1]);
    for (unsigned i = 0; i < 3 && instr->op != ISA_OP_MOV; i++)
        src[i].param = NULL;
    switch ((unsigned)instr->op) {
    case ISA_OP_MOV:
        if (instr->operands[1].kind == ISA_OPD_VAR && !instr->operands[1].offset)
            src[0].param = instr->operands[1].var;
        return src[0];
    case ISA_OP_CVT: return src[0];
    case ISA_OP_CVTA: /* shared memory begins at a multiple of 1024, a lane's local memory at one of 16 */
    case ISA_OP_NEG: return src[0];
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_MIN:
    case ISA_OP_MAX:
    case ISA_OP_SELP:
    case ISA_OP_OR:
    case ISA_OP_XOR: return align_both(src[0], src[1]);
    case ISA_OP_MUL: return align_product(src[0], src[1]);
    case ISA_OP_MAD: return align_both(align_product(src[0], src[1]), src[2]);
    case ISA_OP_AND: return either(src[0], src[1]);
    case ISA_OP_SHL: return of_shift(src[0], jit, &instr->operands[2]);
    default: return known_at(0);
    }
}

static bool align_define(struct jit *jit, uint32_t reg, struct jit_aligned value)
{
    struct jit_aligned *to = &jit->aligns[reg], before = *to;
    *to = to->defined ? align_both(*to, value) : value;
    to->defined = true;
    return memcmp(to, &before, sizeof before) != 0;
}

static bool align_transfer(struct jit *jit, const struct ptx_instr *instr)
{
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_defs(instr, regs, SW_COUNT_OF(regs));
    bool changed = false;
    for (unsigned i = 0; i < count; i++)
        changed |= align_define(jit, regs[i], of_result(jit, instr, i));
    return changed;
}

void jit_aligns_build(struct jit *jit)
{
    jit->aligns = ARENA_ARRAY(&jit->arena, struct jit_aligned, jit->reg_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < jit->function->instr_count; i++)
            changed |= align_transfer(jit, &jit->function->instrs[i]);
    }
}

/* Is the address a multiple of `bytes`? Notes what that relies on. */
bool jit_is_aligned(struct jit *jit, const struct ptx_operand *address, unsigned bytes)
{
    unsigned level = (unsigned)__builtin_ctz(bytes);
    struct jit_aligned at = of_number(address->bits);
    if (address->var)
        at = of_var(jit, address->var, address->offset);
    else if (address->reg != PTX_NO_REG)
        at = align_both(of_operand(jit, &(struct ptx_operand){.kind = ISA_OPD_REG, .reg = address->reg}),
                        of_number((uint64_t)address->offset));
    if (level >= LEVELS || !align_reaches(&at, level)) return false;
    if (level) jit->info.aligned_params[level - 1] |= at.relies[level];
    return true;
}

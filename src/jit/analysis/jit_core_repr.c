/* SPDX-License-Identifier: Apache-2.0 */
/* The representation of every register: one scalar for the warp, a scalar and a stride, the same for each row
 * of the block that the warp has lanes of, or a vector.
 *
 * Method: optimistic data flow over all definitions (unset -> scalar or affine -> rows -> vector), with the
 * thread frontiers, until nothing changes: a branch on a vector splits the warp, a split warp has lanes that
 * wait elsewhere, and a register that is written while lanes which still need its old value wait elsewhere
 * must be a vector, so that the write can be merged. The last rule is exactly what storage needs, so it also
 * covers values that are equal in all lanes but not at the same time (a loop's counter after lanes have left
 * the loop), and a counter that is dead outside its divergent loop stays a scalar.
 * Affine strides are compile-time constants. 32-bit sums are affine modulo 2^32; when one is widened, the
 * 64-bit value remembers at which lane it wrapped (see struct jit_value), so that in the usual case, no wrap,
 * an address is contiguous for the price of one uniform test. */
#include "jit_core_abstract_priv.h"

#include "jit/analysis/jit_blocks.h"
#include "jit/analysis/jit_layout.h"
#include "jit/analysis/jit_repr.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/op/jit_ops.h"

#include <string.h>

/* ---- thread indices */

/* How the threads of a block lie along an axis. */
struct axis {
    uint32_t below; /* threads that differ in faster indices alone */
    bool is_last;   /* no slower index but 0 */
};

static struct axis axis_of(const uint32_t *n, unsigned axis)
{
    struct axis out = {.below = 1, .is_last = true};
    for (unsigned i = 0; i < axis; i++)
        out.below *= n[i];
    for (unsigned i = axis + 1; i < 3; i++)
        out.is_last = out.is_last && n[i] == 1;
    return out;
}

/* One number a row: the row's own, one more each row unless slower indices are faster than warps. */
static struct jit_abstract index_of_rows(const struct jit *jit, uint32_t n, struct axis axis)
{
    uint32_t every = axis.below / jit->row_lanes; /* rows with the same index */
    bool whole = jit->even_rows && n % jit->rows == 0;
    if (jit->even_rows && every % jit->rows == 0) return abstract_scalar;
    struct jit_abstract rows = jit_abstract_rows(0, 0);
    rows.max = axis.is_last ? n - 1 + jit->rows : n - 1;
    if (every > 1 || (!whole && !axis.is_last)) return rows;
    rows.regular = true;
    rows.step = 1;
    rows.align = jit->even_rows ? jit->rows : 1;
    return rows;
}

static struct jit_abstract tid_abstract(const struct jit *jit, unsigned number)
{
    uint32_t n = jit->ntid[number];
    struct jit_abstract lane = {.repr = JIT_AFFINE, .stride = 1, .align = 32};
    if (n == 1) return jit_abstract_const(0, 32);
    bool flat = number == 0 && jit->ntid[1] == 1 && jit->ntid[2] == 1;
    lane.max = n ? sw_align_up(n, 32) - 1 : 1023;
    if (flat) return lane;
    if (!jit->ntid[0] || !jit->ntid[1] || !jit->ntid[2]) return abstract_vector;
    struct axis axis = axis_of(jit->ntid, number);
    if (axis.below == 1 && (axis.is_last || n % 32 == 0)) return lane;
    if (axis.below % 32 == 0) return abstract_scalar;
    if (jit->rows == 1) return abstract_vector;
    if (axis.below > 1) return index_of_rows(jit, n, axis);
    struct jit_abstract first = jit_abstract_rows(1, 0);
    first.regular = true;
    first.align = 32;
    first.max = n - 1;
    return first;
}

struct jit_abstract jit_sreg_abstract(const struct jit *jit, enum isa_sreg sreg)
{
    const uint32_t *n = jit->ntid;
    switch ((unsigned)sreg) {
    case ISA_SREG_TID_X:
    case ISA_SREG_TID_Y:
    case ISA_SREG_TID_Z: return tid_abstract(jit, (unsigned)(sreg - ISA_SREG_TID_X));
    case ISA_SREG_NTID_X: return n[0] ? jit_abstract_const(n[0], 32) : abstract_scalar;
    case ISA_SREG_NTID_Y: return n[1] ? jit_abstract_const(n[1], 32) : abstract_scalar;
    case ISA_SREG_NTID_Z: return n[2] ? jit_abstract_const(n[2], 32) : abstract_scalar;
    case ISA_SREG_LANEID:
        return (struct jit_abstract){.repr = JIT_AFFINE, .stride = 1, .align = 32, .max = 31};
    case ISA_SREG_LANEMASK_EQ:
    case ISA_SREG_LANEMASK_LE:
    case ISA_SREG_LANEMASK_LT:
    case ISA_SREG_LANEMASK_GE:
    case ISA_SREG_LANEMASK_GT: return abstract_vector;
    default: return abstract_scalar;
    }
}

/* ---- operands */

static struct jit_abstract var_abstract(const struct jit *jit, const struct ptx_operand *operand)
{
    const struct ptx_var *var = operand->var;
    if (var->space == PTX_SPACE_SHARED)
        return jit_abstract_const(jit_shared_offset(jit, var) + (uint64_t)operand->offset, 64);
    if (var->space == PTX_SPACE_LOCAL)
        return jit_abstract_const(jit_local_offset(jit, var) + (uint64_t)operand->offset, 64);
    if (jit_is_call_var(jit, var)) return abstract_vector;
    return abstract_scalar;
}

/* Rows as an operand: negated, or made wider as unsigned numbers, only what is one number a row. */
static struct jit_abstract rows_operand(struct jit_abstract rows, bool changes)
{
    if (!changes) return rows;
    return rows.stride ? abstract_vector : jit_abstract_rows(0, 0);
}

/* A register as an operand of so many bits, of which it has its own. */
static struct jit_abstract read_abstract(struct jit_abstract abstract, bool negate, unsigned own,
                                         unsigned bits)
{
    bool changes = negate || bits > own;
    if (abstract.repr == JIT_AFFINE && changes) return abstract_vector;
    if (negate && abstract.repr == JIT_SCALAR) return abstract_scalar;
    if (abstract.repr == JIT_ROWS) abstract = rows_operand(abstract, changes);
    if (bits <= 32) abstract.wrap = 0;
    return abstract;
}

static struct jit_abstract operand_abstract(const struct jit *jit, const struct ptx_operand *operand,
                                            unsigned bits)
{
    switch (operand->kind) {
    case ISA_OPD_REG:
        return read_abstract(jit->regs[operand->reg].abstract, operand->negate, jit->regs[operand->reg].bits,
                             bits);
    case ISA_OPD_SREG:
        return read_abstract(jit_sreg_abstract(jit, operand->sreg), false,
                             isa_type_bits(isa_sreg_type(operand->sreg)), bits);
    case ISA_OPD_INT:
    case ISA_OPD_FLOAT: return jit_abstract_const(jit_immediate(operand, bits), bits);
    case ISA_OPD_VAR: return var_abstract(jit, operand);
    case ISA_OPD_VEC: {
        struct jit_abstract all = abstract_scalar;
        for (uint32_t i = 0; i < operand->count; i++) {
            struct jit_abstract one = operand_abstract(jit, &operand->elements[i], bits);
            if (one.repr == JIT_UNSET) return one;
            if (one.repr != JIT_SCALAR) all = abstract_vector;
        }
        return all;
    }
    case ISA_OPD_MEM:
        if (operand->var) return var_abstract(jit, operand);
        if (operand->reg != PTX_NO_REG) return jit->regs[operand->reg].abstract;
        return abstract_scalar;
    case ISA_OPD_NONE:
    case ISA_OPD_SINK:
    case ISA_OPD_PAIR:
    case ISA_OPD_FUNC:
    case ISA_OPD_LABEL:
    case ISA_OPD_LIST:
    case ISA_OPD_PROTO: return abstract_scalar;
    }
    return abstract_scalar;
}

/* ---- results */

static struct jit_abstract abstract_mov(const struct jit *jit, const struct ptx_instr *instr)
{
    const struct ptx_operand *to = &instr->operands[0], *from = &instr->operands[1];
    enum isa_type type = ptx_instr_type(instr, 0);
    struct jit_abstract abstract = operand_abstract(jit, from, isa_type_bits(type));
    bool pieces = to->kind == ISA_OPD_VEC || from->kind == ISA_OPD_VEC;
    if (pieces && (abstract.repr == JIT_AFFINE || abstract.repr == JIT_ROWS)) return abstract_vector;
    if (pieces && abstract.repr == JIT_SCALAR) return abstract_scalar;
    return abstract;
}

static struct jit_abstract abstract_load(const struct jit *jit, const struct ptx_instr *instr)
{
    const struct ptx_operand *address = &instr->operands[1];
    if (ptx_instr_space(instr) == PTX_SPACE_LOCAL) return abstract_vector;
    if (address->var && address->var->space == PTX_SPACE_LOCAL) return abstract_vector;
    struct jit_abstract abstract = operand_abstract(jit, address, 64);
    if (abstract.repr == JIT_UNSET || abstract.repr == JIT_SCALAR) {
        abstract.constant = false;
        abstract.align = 0;
        abstract.max = UINT64_MAX;
        return abstract;
    }
    bool plain = isa_type_bits(ptx_instr_type(instr, 0)) <= 64 && !ptx_mod_of(instr, ISA_CAT_SEM);
    return jit_is_row_wise(abstract) && plain ? jit_abstract_rows(0, 0) : abstract_vector;
}

/* Warp-wide results that are the same in every lane that takes part. */
static struct jit_abstract abstract_warp(const struct jit *jit, const struct ptx_instr *instr)
{
    if (instr->op == ISA_OP_ACTIVEMASK) return abstract_scalar;
    if (instr->op != ISA_OP_VOTE && instr->op != ISA_OP_REDUX) return abstract_vector;
    for (unsigned i = 1; i < instr->operand_count; i++) {
        struct jit_abstract abstract = operand_abstract(jit, &instr->operands[i], 32);
        if (abstract.repr == JIT_UNSET) return abstract;
        bool is_members = i + 1 == instr->operand_count && ptx_has(instr, ISA_MOD_SYNC);
        if (is_members && abstract.repr != JIT_SCALAR) return abstract_vector;
    }
    return abstract_scalar;
}

static struct jit_abstract abstract_elementwise(const struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_abstract src[JIT_MAX_SOURCES + 1];
    unsigned count = 0;
    for (unsigned i = 1; i < instr->operand_count; i++, count++) {
        src[count] = operand_abstract(jit, &instr->operands[i], jit_source_bits(instr, count));
        if (src[count].repr == JIT_UNSET) return src[count];
    }
    if (jit_reads_carry(instr)) src[count++] = jit->regs[JIT_REG_CARRY(jit)].abstract;
    if (jit_reads_carry(instr) && src[count - 1].repr == JIT_UNSET) return src[count - 1];
    return jit_abstract_alu(jit, instr, src, count);
}

static struct jit_abstract abstract_result(const struct jit *jit, const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_MOV: return abstract_mov(jit, instr);
    case ISA_OP_CVTA: {
        struct jit_abstract a = operand_abstract(jit, &instr->operands[1], 64);
        return a.repr == JIT_UNSET ? a : jit_abstract_cvta(jit, instr, a);
    }
    case ISA_OP_LD:
    case ISA_OP_LDU: return abstract_load(jit, instr);
    case ISA_OP_SHFL:
    case ISA_OP_VOTE:
    case ISA_OP_MATCH:
    case ISA_OP_ACTIVEMASK:
    case ISA_OP_REDUX:
    case ISA_OP_ELECT: return abstract_warp(jit, instr);
    case ISA_OP_BAR:
    case ISA_OP_BARRIER: return abstract_scalar; /* a reduction over the block */
    case ISA_OP_ATOM:
    case ISA_OP_CALL:
    case ISA_OP_ALLOCA:
    case ISA_OP_STACKSAVE:
    case ISA_OP_MBARRIER:
    case ISA_OP_MMA:
    case ISA_OP_LDMATRIX:
    case ISA_OP_MOVMATRIX:
    case ISA_OP_WMMA:
    case ISA_OP_TEX:
    case ISA_OP_TLD4:
    case ISA_OP_TXQ:
    case ISA_OP_SUQ:
    case ISA_OP_ISTYPEP:
    case ISA_OP_SULD: return abstract_vector;
    case ISA_OP_CREATEPOLICY:
        return ptx_has(instr, ISA_MOD_CVT) ? operand_abstract(jit, &instr->operands[1], 64) : abstract_scalar;
    case ISA_OP_ISSPACEP: {
        struct jit_abstract a = operand_abstract(jit, &instr->operands[1], 64);
        return a.repr == JIT_AFFINE || a.repr == JIT_ROWS ? abstract_vector
               : a.repr == JIT_SCALAR                     ? abstract_scalar
                                                          : a;
    }
    default: return abstract_elementwise(jit, instr);
    }
}

/* ---- joining */

/* One of them is rows; a scalar has stride 0. */
static struct jit_abstract join_rows(const struct jit *jit, struct jit_abstract a, struct jit_abstract b)
{
    bool affine = a.repr == JIT_AFFINE || b.repr == JIT_AFFINE;
    bool affine_wraps = (a.repr == JIT_AFFINE && a.wrap) || (b.repr == JIT_AFFINE && b.wrap);
    if (a.stride != b.stride || (a.wrap && b.wrap && a.wrap != b.wrap) || affine_wraps)
        return abstract_vector;
    if (affine && !jit->even_rows) return abstract_vector;
    struct jit_abstract out = jit_abstract_rows(a.stride, a.wrap ? a.wrap : b.wrap);
    bool regular = jit_is_regular(a) && jit_is_regular(b);
    out.regular = regular && jit_abstract_step(jit, a) == jit_abstract_step(jit, b);
    out.step = out.regular ? jit_abstract_step(jit, a) : 0;
    return out;
}

static struct jit_abstract abstract_join(const struct jit *jit, struct jit_abstract a, struct jit_abstract b)
{
    if (a.repr == JIT_UNSET) return b;
    if (b.repr == JIT_UNSET) return a;
    if (a.repr == JIT_VECTOR && b.repr == JIT_VECTOR && a.shift == b.shift && a.max == b.max) return a;
    if (a.repr == JIT_VECTOR || b.repr == JIT_VECTOR) return abstract_vector;
    unsigned aligns[] = {jit_abstract_align(a), jit_abstract_align(b)};
    unsigned align = aligns[aligns[1] < aligns[0]];
    uint64_t max = a.max == b.max ? a.max : UINT64_MAX;
    if (a.repr == JIT_ROWS || b.repr == JIT_ROWS) {
        struct jit_abstract rows = join_rows(jit, a, b);
        if (rows.repr != JIT_ROWS) return rows;
        rows.max = max;
        rows.align = rows.regular || (!a.regular && !b.regular) ? align : 1;
        return rows;
    }
    if (a.repr != b.repr) return abstract_vector;
    if (a.repr == JIT_AFFINE && (a.stride != b.stride || (a.wrap && b.wrap && a.wrap != b.wrap)))
        return abstract_vector;
    if (!a.wrap) a.wrap = b.wrap; /* a value that does not wrap is one that wraps at lane 32 */
    if (a.constant && (!b.constant || a.value != b.value)) a.constant = false;
    a.align = align;
    a.max = max;
    return a;
}

static bool abstract_same(struct jit_abstract a, struct jit_abstract b)
{
    return a.repr == b.repr && a.constant == b.constant && a.align == b.align && a.max == b.max &&
           a.stride == b.stride && a.wrap == b.wrap && a.regular == b.regular && a.step == b.step &&
           a.shift == b.shift;
}

static bool repr_define(struct jit *jit, uint32_t reg, struct jit_abstract abstract)
{
    struct jit_reg *to = &jit->regs[reg];
    struct jit_abstract joined = to->forced ? abstract_vector : abstract_join(jit, to->abstract, abstract);
    if (joined.repr == JIT_ROWS && (to->bits > 64 || (joined.stride && to->bits < 32)))
        joined = abstract_vector;
    if (to->bits < 32 && joined.repr == JIT_AFFINE) joined = abstract_vector;
    if (to->bits > 32 && joined.repr == JIT_AFFINE && joined.wrap == 0 && to->bits != 64)
        joined = abstract_vector;
    if (abstract_same(joined, to->abstract)) return false;
    to->abstract = joined;
    return true;
}

static struct jit_abstract guard_abstract(const struct jit *jit, const struct ptx_instr *instr)
{
    return instr->guard == PTX_NO_REG ? abstract_scalar : jit->regs[instr->guard].abstract;
}

static bool repr_transfer(struct jit *jit, const struct ptx_instr *instr)
{
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_defs(instr, regs, SW_COUNT_OF(regs));
    if (count == 0 && !jit_writes_carry(instr)) return false;
    struct jit_abstract abstract = abstract_result(jit, instr);
    struct jit_abstract guard = guard_abstract(jit, instr);
    if (guard.repr == JIT_VECTOR) abstract = abstract_vector;
    if (guard.repr == JIT_ROWS && abstract.repr != JIT_UNSET)
        abstract = jit_is_row_wise(abstract) ? jit_abstract_rows(0, 0) : abstract_vector;
    bool resized = count && jit->regs[regs[0]].bits != jit_dest_bits(instr);
    if (abstract.repr == JIT_AFFINE && resized) abstract = abstract_vector;
    if (abstract.repr == JIT_ROWS && resized)
        abstract = jit_is_row_wise(abstract) ? jit_abstract_rows(0, 0) : abstract_vector;
    if (abstract.repr == JIT_UNSET || guard.repr == JIT_UNSET) return false;
    bool changed = false;
    for (unsigned i = 0; i < count; i++)
        changed |= repr_define(jit, regs[i], abstract);
    if (jit_writes_carry(instr))
        changed |= repr_define(jit, JIT_REG_CARRY(jit),
                               abstract.repr == JIT_SCALAR ? abstract_scalar : abstract_vector);
    return changed;
}

static void flow(struct jit *jit)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < jit->block_count; b++) {
            jit->block = &jit->blocks[b];
            for (uint32_t i = jit->block->first; i < jit->block->last; i++)
                changed |= repr_transfer(jit, &jit->function->instrs[i]);
        }
    }
}

/* A cycle of registers that nothing else defines stays unset: it is never written before it is read. */
static bool settle_unset(struct jit *jit)
{
    bool changed = false;
    for (uint32_t r = 0; r < jit->reg_count; r++) {
        if (jit->regs[r].abstract.repr != JIT_UNSET) continue;
        jit->regs[r].abstract = abstract_scalar;
        changed = true;
    }
    return changed;
}

static bool find_divergence(struct jit *jit)
{
    bool changed = false;
    for (uint32_t b = 0; b < jit->block_count; b++) {
        struct jit_block *block = &jit->blocks[b];
        if (block->end != JIT_END_COND && block->end != JIT_END_TABLE) continue;
        const struct ptx_instr *instr = &jit->function->instrs[block->last - 1];
        enum jit_repr guard = guard_abstract(jit, instr).repr;
        bool divergent = guard == JIT_VECTOR || guard == JIT_ROWS;
        if (block->end == JIT_END_TABLE)
            divergent |= operand_abstract(jit, &instr->operands[0], 32).repr != JIT_SCALAR;
        changed |= divergent && !block->divergent;
        block->divergent |= divergent;
    }
    return changed;
}

static void needed_elsewhere(const struct jit *jit, const struct jit_block *block, uint64_t *needed)
{
    memset(needed, 0, jit->cross_words * sizeof *needed);
    for (uint32_t n = 0; n < jit->block_count; n++)
        if (jit_bit(block->frontier, n) || (jit->apart && jit_bit(jit->resumes, n)))
            for (uint32_t w = 0; w < jit->cross_words; w++)
                needed[w] |= jit->blocks[n].live_in[w];
    for (uint32_t w = 0; w < jit->cross_words && block->end == JIT_END_COLLECTIVE; w++)
        needed[w] |= block->live_in[w]; /* lanes may stay in it */
}

static bool force(struct jit *jit, uint32_t reg)
{
    if (jit->regs[reg].forced) return false;
    jit->regs[reg].forced = true;
    jit->regs[reg].abstract = abstract_vector;
    return true;
}

static bool force_merged(struct jit *jit)
{
    bool changed = false;
    for (uint32_t b = 0; b < jit->block_count; b++) {
        struct jit_block *block = &jit->blocks[b];
        needed_elsewhere(jit, block, block->needed);
        for (uint32_t i = block->first; i < block->last; i++) {
            uint32_t regs[PTX_INSTR_REGS];
            unsigned count = ptx_instr_defs(&jit->function->instrs[i], regs, SW_COUNT_OF(regs));
            for (unsigned k = 0; k < count; k++)
                if (jit_lives(jit, block->needed, regs[k])) changed |= force(jit, regs[k]);
            if (jit_writes_carry(&jit->function->instrs[i]) &&
                jit_lives(jit, block->needed, JIT_REG_CARRY(jit)))
                changed |= force(jit, JIT_REG_CARRY(jit));
        }
    }
    return changed;
}

void jit_repr_build(struct jit *jit)
{
    jit_frontiers_build(jit);
    jit->regs = ARENA_ARRAY(&jit->arena, struct jit_reg, jit->reg_count);
    for (uint32_t r = 0; r < jit->function->reg_count; r++)
        jit->regs[r].bits = isa_type_bits(jit->function->regs[r].type);
    jit->regs[JIT_REG_CARRY(jit)].bits = 1;
    for (uint32_t b = 0; b < jit->block_count; b++)
        if (!jit->blocks[b].needed)
            jit->blocks[b].needed = ARENA_ARRAY(&jit->arena, uint64_t, jit->cross_words);
    for (bool changed = true; changed;) {
        flow(jit);
        changed = settle_unset(jit);
        if (find_divergence(jit)) {
            jit_frontiers_build(jit);
            changed = true;
        }
        changed |= force_merged(jit);
    }
    jit_fetched_build(jit);
}

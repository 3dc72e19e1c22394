/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of elements side by side by several instructions: rows of an unrolled loop, members of a structure.
 *
 *   ld.global.f32 %f1, [%rd1];       each lane reads 16 bytes at %rd1, once; the other two instructions
 *   add.f32 %f9, %f9, %f1;           find their values ready
 *   ld.global.f32 %f2, [%rd1+4];
 *   ...
 *
 * Method: the first one looks ahead in its block for the same instruction with the same address register and
 * guard, up to what writes either, to what may write memory, wait, or order accesses. Those whose offsets
 * lie without a gap around its own become one access of several elements (jit_access.run). Where lanes stand
 * as far apart as the elements reach, as in an array of structures, that is a vector without a gap.
 * Limits: not where accesses are looked at one by one (check, denied memory), nor of vectors, nor what goes
 * in vectors by itself, nor for two warps at a time. A fault of a later one is the first one's. */
#include "jit_memory_priv.h"

#include "jit/core/jit_core.h"

#include "event/event_counter.h"

#include <string.h>

enum {
    LOOK_MOST = 96,      /* instructions ahead; assumed */
    TOGETHER_BYTES = 16, /* what jit_emit_in_line.c reads as one */
    RUN_MOST = 8
};

struct ahead {      /* what was loaded for an instruction */
    uint32_t epoch; /* jit.epoch of the block */
    LLVMValueRef parts[JIT_MAX_PARTS];
};

static const uint32_t CHECKS = EVENT_PROBE_BOUNDS | EVENT_PROBE_SYNC | EVENT_PROBE_INIT |
                               EVENT_PROBE_RACE_SHARED | EVENT_PROBE_RACE_GLOBAL | EVENT_PROBE_ORDER;

static bool is_alike(const struct ptx_instr *a, const struct ptx_instr *b)
{
    const struct ptx_operand *from = &b->operands[1];
    bool same = a->op == b->op && a->word_mask == b->word_mask && a->mod_count == b->mod_count &&
                a->type_count == b->type_count && memcmp(a->mods, b->mods, sizeof a->mods) == 0 &&
                memcmp(a->types, b->types, sizeof a->types) == 0;
    return same && a->guard == b->guard && a->guard_negate == b->guard_negate &&
           b->operands[0].kind == ISA_OPD_REG && from->kind == ISA_OPD_MEM && !from->var &&
           from->reg == a->operands[1].reg;
}

/* Are later loads not to be made before it? */
static bool ends_run(const struct ptx_instr *instr, uint32_t address, uint32_t guard)
{
    uint32_t regs[PTX_INSTR_REGS];
    struct ptx_work work;
    ptx_classify(instr, &work);
    if (work.cls != ISA_CLASS_ALU && work.cls != ISA_CLASS_WARP && work.cls != ISA_CLASS_LOAD) return true;
    if (work.cls == ISA_CLASS_LOAD && ptx_mod_of(instr, ISA_CAT_SEM) != ISA_MOD_NONE) return true;
    unsigned count = ptx_instr_defs(instr, regs, PTX_INSTR_REGS);
    for (unsigned i = 0; i < count; i++)
        if (regs[i] == address || (guard != PTX_NO_REG && regs[i] == guard)) return true;
    return false;
}

/* By element, from `before` elements below the instruction's own on: who loads it. */
enum { AROUND = 2 * RUN_MOST - 1 };
static void look_ahead(const struct jit *jit, const struct ptx_instr *instr, unsigned bytes,
                       const struct ptx_instr *found[AROUND])
{
    const struct ptx_instr *end = &jit->function->instrs[jit->block->last];
    if (end - instr > LOOK_MOST) end = instr + LOOK_MOST;
    found[RUN_MOST - 1] = instr;
    for (const struct ptx_instr *next = instr; next < end; next++) {
        if (next != instr && is_alike(instr, next)) {
            int64_t distance = next->operands[1].offset - instr->operands[1].offset;
            int64_t place = distance / bytes + RUN_MOST - 1;
            bool known = place < 0 || place >= AROUND || found[place];
            if (distance % bytes == 0 && !known) found[place] = next;
        }
        if (ends_run(next, instr->operands[1].reg, instr->guard)) return;
    }
}

/* How many elements one access takes of so many; 0: each is better alone. */
static unsigned count_of(const struct jit *jit, const struct jit_access *access,
                         const struct jit_address *address, unsigned have)
{
    const struct jit_value *value = &address->value;
    int64_t bytes = access->bytes;
    if (value->repr == JIT_AFFINE && value->stride % bytes == 0 && value->stride > bytes &&
        value->stride <= (int64_t)have * bytes)
        return (unsigned)(value->stride / bytes);
    if (jit_stride_is_vector(jit, access, address)) return 0;
    unsigned count = TOGETHER_BYTES / access->bytes;
    if (count > RUN_MOST) count = RUN_MOST;
    while (count > have)
        count /= 2;
    return count > 1 ? count : 0;
}

static bool may_run(const struct jit *jit, const struct ptx_instr *instr, const struct jit_access *access,
                    const struct jit_address *address)
{
    const struct jit_value *value = &address->value;
    const struct ptx_operand *from = &instr->operands[1];
    bool by_rows = value->repr == JIT_ROWS && (value->stride == 0 || value->stride == access->bytes);
    if (value->repr == JIT_SCALAR || by_rows) return false;
    if (value->repr == JIT_AFFINE && value->stride == access->bytes) return false;
    if (jit->request->quick || jit->request->permissions || jit->request->probes & CHECKS) return false;
    if (jit->values_only || access->count != 1 || access->bits > 64 || access->bits < 8) return false;
    if (access->order != LLVMAtomicOrderingNotAtomic || ptx_mod_of(instr, ISA_CAT_SEM) != ISA_MOD_NONE)
        return false;
    return instr->operands[0].kind == ISA_OPD_REG && from->kind == ISA_OPD_MEM && !from->var &&
           from->reg != PTX_NO_REG;
}

bool jit_ahead_find(struct jit *jit, const struct ptx_instr *instr, const struct jit_access *access,
                    const struct jit_address *address, struct jit_run *out)
{
    const struct ptx_instr *found[AROUND] = {NULL};
    unsigned own = RUN_MOST - 1, first = own, last = own;
    if (!may_run(jit, instr, access, address)) return false;
    look_ahead(jit, instr, access->bytes, found);
    while (first > 0 && last - first + 1 < RUN_MOST && found[first - 1])
        first--;
    while (last + 1 < AROUND && last - first + 1 < RUN_MOST && found[last + 1])
        last++;
    unsigned count = count_of(jit, access, address, last - first + 1);
    if (count == 0) return false;
    if (first + count <= own) first = own + 1 - count;
    out->count = count;
    out->before = (int64_t)(own - first) * access->bytes;
    for (unsigned i = 0; i < count; i++)
        out->instr[i] = (uint32_t)(found[first + i] - jit->function->instrs);
    return true;
}

void jit_ahead_keep(struct jit *jit, const struct jit_run *run, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    for (unsigned i = 0; i < run->count; i++) {
        struct ahead *ahead = ARENA_ARRAY(&jit->arena, struct ahead, 1);
        ahead->epoch = jit->epoch;
        memcpy(ahead->parts, parts[i], sizeof ahead->parts);
        map_set_u64(&jit->ahead, run->instr[i] + 1ull, ahead);
    }
}

bool jit_ahead_take(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef *parts)
{
    const struct ahead *ahead = map_get_u64(&jit->ahead, (uint64_t)(instr - jit->function->instrs) + 1);
    if (!ahead || ahead->epoch != jit->epoch) return false;
    memcpy(parts, ahead->parts, sizeof ahead->parts);
    return true;
}

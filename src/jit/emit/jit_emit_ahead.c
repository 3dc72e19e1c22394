/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of elements side by side by several instructions: rows of an unrolled loop, members of a
 * structure.
 *
 *   ld.global.f32 %f1, [%rd1];       each lane reads 16 bytes at %rd1, once; the other instructions
 *   add.f32 %f9, %f9, %f1;           find their values ready
 *   ld.global.f32 %f2, [%rd1+4];
 *   ...
 *
 * Method: the first one looks ahead in its block for the same instruction with the same address register and
 * guard, up to what writes either, to what may write memory, wait, or order accesses. Those whose offsets
 * lie without a gap around its own become one access of several elements (jit_access.run). Where lanes stand
 * as far apart as the elements reach, as in an array of structures, that is a vector without a gap.
 * Stores are made with the last one; between them stands nothing that reads memory, and lanes are known to
 * be at least as far apart as the elements reach, so that no two lanes' stores overlap.
 * Limits: not where accesses are looked at one by one (check, denied memory), nor of vectors, nor what goes
 * in vectors by itself, nor for two warps at a time. A fault of a later load is the first one's, that of an
 * earlier store the last one's. */
#include "jit_memory_priv.h"

#include "jit/core/jit_core.h"

#include "event/event_counter.h"

#include <string.h>

enum {
    LOOK_MOST = 96,      /* instructions ahead; assumed */
    TOGETHER_BYTES = 16, /* what jit_emit_in_line.c takes as one */
    RUN_MOST = 8,
    AROUND = 2 * RUN_MOST - 1 /* elements below and above an instruction's own, and that */
};

static const uint32_t CHECKS = EVENT_PROBE_BOUNDS | EVENT_PROBE_SYNC | EVENT_PROBE_INIT |
                               EVENT_PROBE_RACE_SHARED | EVENT_PROBE_RACE_GLOBAL | EVENT_PROBE_ORDER;

/* ---- which instructions */

static const struct ptx_operand *address_of(const struct ptx_instr *instr)
{
    return &instr->operands[instr->op == ISA_OP_ST ? 0 : 1];
}

/* An address of a register and an offset, and one element. */
static bool has_plain_operands(const struct ptx_instr *instr)
{
    bool stores = instr->op == ISA_OP_ST;
    const struct ptx_operand *at = address_of(instr), *element = &instr->operands[stores ? 1 : 0];
    return at->kind == ISA_OPD_MEM && !at->var && at->reg != PTX_NO_REG && element->kind != ISA_OPD_VEC &&
           (stores || element->kind == ISA_OPD_REG);
}

static bool is_alike(const struct ptx_instr *a, const struct ptx_instr *b)
{
    bool same = a->op == b->op && a->word_mask == b->word_mask && a->mod_count == b->mod_count &&
                a->type_count == b->type_count && memcmp(a->mods, b->mods, sizeof a->mods) == 0 &&
                memcmp(a->types, b->types, sizeof a->types) == 0;
    return same && a->guard == b->guard && a->guard_negate == b->guard_negate && has_plain_operands(b) &&
           address_of(a)->reg == address_of(b)->reg;
}

/* May accesses of the run not change places with it? */
static bool parts_run(const struct ptx_instr *instr, bool of_stores)
{
    struct ptx_work work;
    ptx_classify(instr, &work);
    if (work.cls == ISA_CLASS_ALU || work.cls == ISA_CLASS_WARP) return false;
    if (work.cls != ISA_CLASS_LOAD || ptx_mod_of(instr, ISA_CAT_SEM) != ISA_MOD_NONE) return true;
    enum ptx_space space = ptx_instr_space(instr);
    return of_stores && space != PTX_SPACE_PARAM && space != PTX_SPACE_CONST;
}

static bool changes(const struct ptx_instr *instr, uint32_t address, uint32_t guard)
{
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_defs(instr, regs, PTX_INSTR_REGS);
    for (unsigned i = 0; i < count; i++)
        if (regs[i] == address || (guard != PTX_NO_REG && regs[i] == guard)) return true;
    return false;
}

/* By element, `instr` itself at RUN_MOST - 1: who accesses it. */
static void look_around(const struct jit *jit, const struct ptx_instr *instr, unsigned bytes,
                        const struct ptx_instr *found[AROUND])
{
    bool stores = instr->op == ISA_OP_ST;
    const struct ptx_instr *end = &jit->function->instrs[jit->block->last];
    if (end - instr > LOOK_MOST) end = instr + LOOK_MOST;
    for (const struct ptx_instr *next = instr; next < end; next++) {
        bool is_own = next == instr || is_alike(instr, next);
        if (is_own) {
            int64_t distance = address_of(next)->offset - address_of(instr)->offset;
            int64_t place = distance / bytes + RUN_MOST - 1;
            is_own = distance % bytes == 0 && place >= 0 && place < AROUND && !found[place];
            if (is_own) found[place] = next;
        }
        if (!(is_own && stores) && parts_run(next, stores)) return;
        if (changes(next, address_of(instr)->reg, instr->guard)) return;
    }
}

static bool may_run(const struct jit *jit, const struct ptx_instr *instr, const struct jit_access *access,
                    const struct jit_address *address)
{
    const struct jit_value *value = &address->value;
    bool rows = value->repr == JIT_ROWS && (value->stride == 0 || value->stride == access->bytes);
    if (value->repr == JIT_SCALAR || rows) return false;
    if (value->repr == JIT_AFFINE && value->stride == access->bytes) return false;
    if (access->is_store && value->repr != JIT_AFFINE) return false; /* where it wraps, it is far off */
    if (jit->request->quick || jit->request->permissions || jit->request->probes & CHECKS) return false;
    if (jit->values_only || access->count != 1 || access->bits > 64 || access->bits < 8) return false;
    return access->order == LLVMAtomicOrderingNotAtomic && ptx_mod_of(instr, ISA_CAT_SEM) == ISA_MOD_NONE &&
           has_plain_operands(instr);
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
    if (access->is_store && value->stride < count * bytes && value->stride > -(count * bytes)) return 0;
    return count > 1 ? count : 0;
}

bool jit_ahead_find(struct jit *jit, const struct ptx_instr *instr, const struct jit_access *access,
                    const struct jit_address *address, struct jit_run *out)
{
    const struct ptx_instr *found[AROUND] = {NULL};
    unsigned own = RUN_MOST - 1, first = own, last = own;
    if (!may_run(jit, instr, access, address)) return false;
    look_around(jit, instr, access->bytes, found);
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

/* ---- loads: each instruction finds its values */

struct ahead {
    uint32_t epoch; /* jit.epoch of the block */
    LLVMValueRef parts[JIT_MAX_PARTS];
};

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

/* ---- stores: each instruction leaves its values with the run */

struct behind {
    uint32_t epoch, last; /* jit.epoch of the block; the instruction that stores */
    struct jit_run run;
    LLVMValueRef parts[RUN_MOST][JIT_MAX_PARTS];
};

static struct behind *behind_new(struct jit *jit, const struct ptx_instr *instr,
                                 const struct jit_access *access, const struct jit_address *address)
{
    struct jit_run run;
    if (!jit_ahead_find(jit, instr, access, address, &run)) return NULL;
    struct behind *behind = ARENA_ARRAY(&jit->arena, struct behind, 1);
    *behind = (struct behind){.epoch = jit->epoch, .run = run};
    for (unsigned i = 0; i < run.count; i++) {
        if (run.instr[i] > behind->last) behind->last = run.instr[i];
        map_set_u64(&jit->ahead, run.instr[i] + 1ull, behind);
    }
    return behind;
}

enum jit_behind jit_behind_keep(struct jit *jit, const struct ptx_instr *instr,
                                const struct jit_access *access, const struct jit_address *address,
                                struct jit_run *run, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    uint32_t number = (uint32_t)(instr - jit->function->instrs);
    struct behind *behind = map_get_u64(&jit->ahead, number + 1ull);
    if (!behind || behind->epoch != jit->epoch) behind = behind_new(jit, instr, access, address);
    if (!behind) return JIT_BEHIND_ALONE;
    for (unsigned i = 0; i < behind->run.count; i++) {
        if (behind->run.instr[i] != number) continue;
        memcpy(behind->parts[i], parts[0], sizeof behind->parts[i]);
        behind->run.before = (int64_t)i * access->bytes;
    }
    if (number != behind->last) return JIT_BEHIND_KEPT;
    *run = behind->run;
    memcpy(parts, behind->parts, sizeof behind->parts);
    return JIT_BEHIND_LAST;
}

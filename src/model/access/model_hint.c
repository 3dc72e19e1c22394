/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's instructions say of how they use L1, and of how long lines of L2 stay.
 *
 * Models: cache operators of loads, by which L1 is passed by. .L2::evict_first and .L2::evict_last; .cs,
 * which is evict_first in L2 too; and with .L2::cache_hint the policy of a register that createpolicy made or
 * that holds a constant. A fraction of lines has a policy's first priority, the others its second. A
 * register's policy is what its only definition gives it, through any number of moves and createpolicy.cvt;
 * evict_unchanged leaves lines what they are. Where a range begins (createpolicy.range) is not known here: as
 * large a part of the lines as the primary range is of the total has the first priority, whichever they are,
 * if both sizes are constants.
 *
 * Does not model: policies that depend on the way through the kernel, or come from memory or parameters, and
 * ranges whose sizes do: such accesses have the normal priority. That accesses outside of a policy's range
 * have none. Of the constants, that they keep lines out of L1 or fetch 256 bytes.
 *
 * Sources: PTX ISA, "Cache Operators", "Cache Eviction Priority Hints" and createpolicy; constants: what
 * libcu++ documents of its encoding of cuda::access_property (an interleaved descriptor: sixteenths of lines
 * less one, then which priority the others and these have), of which CUTLASS uses three (TMA::CacheHintSm90).
 * What an H200 does with them: tests/hw/memory/hints.def, by which nothing was chosen (docs/accuracy.md). */
#include "model/access/model_hint.h"

/* ---- L1 */

static bool bypasses(const struct isa_instr *instr)
{
    static const uint16_t WORDS[] = {ISA_MOD_CG,      ISA_MOD_CV,      ISA_MOD_LU,   ISA_MOD_VOLATILE,
                                     ISA_MOD_RELAXED, ISA_MOD_ACQUIRE, ISA_MOD_BULK, ISA_MOD_L1__NO_ALLOCATE};
    for (size_t i = 0; i < SW_COUNT_OF(WORDS); i++)
        if (isa_has(instr, (enum isa_mod)WORDS[i])) return true;
    return false;
}

enum model_policy model_hint_of_l1(const struct isa_instr *instr)
{
    if (bypasses(instr)) return MODEL_BYPASS;
    if (isa_has(instr, ISA_MOD_L1__EVICT_FIRST) || isa_has(instr, ISA_MOD_CS)) return MODEL_CACHED_FIRST;
    return isa_has(instr, ISA_MOD_L1__EVICT_LAST) ? MODEL_CACHED_LAST : MODEL_CACHED;
}

/* ---- L2 */

/* The n-th priority in L2 that is written, from 0; NORMAL where there is none. */
static uint8_t priority_of(const struct isa_instr *instr, uint32_t n, bool *written)
{
    static const uint8_t PRIORITIES[ISA_MOD_COUNT] = {
        [ISA_MOD_L2__EVICT_FIRST] = EVENT_POLICY_STREAMING,
        [ISA_MOD_L2__EVICT_LAST] = EVENT_POLICY_PERSISTING,
        [ISA_MOD_L2__EVICT_UNCHANGED] = MODEL_UNCHANGED,
    };
    for (uint32_t i = 0; i < instr->mod_count; i++) {
        uint16_t mod = instr->mods[i];
        *written = PRIORITIES[mod] || mod == ISA_MOD_L2__EVICT_NORMAL;
        if (*written && n-- == 0) return PRIORITIES[mod];
    }
    *written = false;
    return EVENT_POLICY_NORMAL;
}

static float hint_number(const struct event_operand *operand)
{
    union {
        uint64_t bits;
        double value;
    } wide = {operand->bits};
    union {
        uint32_t bits;
        float value;
    } narrow = {(uint32_t)operand->bits};
    if (operand->kind == ISA_OPD_INT) return (float)(int64_t)operand->bits;
    if (operand->kind != ISA_OPD_FLOAT) return 0;
    return operand->is_f32 ? narrow.value : (float)wide.value;
}

/* createpolicy.fractional.L2::first{.L2::second}.b64 policy{, fraction}; */
static struct model_hint fractional(const struct event_instr *instr)
{
    enum { FRACTION = 1 };
    bool first_written, second_written;
    uint8_t first = priority_of(&instr->isa, 0, &first_written);
    uint8_t second = priority_of(&instr->isa, 1, &second_written);
    if (!first_written) return (struct model_hint){0};
    return (struct model_hint){
        .given = true,
        .first = first,
        .second = second_written ? second : MODEL_UNCHANGED,
        .share = instr->operand_count > FRACTION ? hint_number(event_last_operand(instr)) : 1};
}

static struct model_hint constant(uint64_t value)
{
    /* documented: bits of libcu++'s encoding, as above */
    enum { FRACTION = 52, OTHERS = 56, FIRST = 57, MODE = 59, INTERLEAVED = 2, SIXTEENTHS = 16 };
    static const uint8_t PRIORITIES[] = {EVENT_POLICY_NORMAL, EVENT_POLICY_STREAMING, EVENT_POLICY_PERSISTING,
                                         EVENT_POLICY_NORMAL};
    if ((value >> MODE & 3) != INTERLEAVED) return (struct model_hint){0};
    return (struct model_hint){.given = true,
                               .first = PRIORITIES[value >> FIRST & 3],
                               .second = value >> OTHERS & 1 ? EVENT_POLICY_STREAMING : MODEL_UNCHANGED,
                               .share = (float)((value >> FRACTION & (SIXTEENTHS - 1)) + 1) / SIXTEENTHS};
}

/* The only instruction that writes the register; NULL: none or several do. */
static const struct event_instr *definition(const struct event_kernel *kernel, uint32_t reg)
{
    const struct event_instr *found = NULL;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const struct event_instr *instr = &kernel->instrs[i];
        for (uint32_t d = 0; d < instr->def_count; d++) {
            if (instr->regs[d] != reg) continue;
            if (found) return NULL;
            found = instr;
        }
    }
    return found;
}

static bool passes_on(const struct event_instr *instr)
{
    return instr->isa.op == ISA_OP_MOV ||
           (instr->isa.op == ISA_OP_CREATEPOLICY && event_has(instr, ISA_MOD_CVT));
}

/* Where the value of a register comes from: what no move only passes on; NULL: that is not known. */
static const struct event_instr *origin(const struct event_kernel *kernel, uint32_t reg)
{
    enum { MOVES = 64 }; /* implementation: at most */
    for (uint32_t moves = 0; moves < MOVES; moves++) {
        const struct event_instr *instr = definition(kernel, reg);
        if (!instr || instr->guarded) return NULL;
        if (!passes_on(instr) || !instr->use_count) return instr;
        reg = instr->regs[instr->def_count];
    }
    return NULL;
}

/* A size that an operand is, or that is in the register which it names; 0: not known. */
static uint64_t hint_size_of(const struct event_kernel *kernel, const struct event_operand *operand)
{
    if (operand->kind == ISA_OPD_INT) return operand->bits;
    if (operand->kind != ISA_OPD_REG) return 0;
    const struct event_instr *from = origin(kernel, operand->reg);
    return from && passes_on(from) ? event_integer(event_last_operand(from)) : 0;
}

/* createpolicy.range{.global}.L2::first{.L2::second}.b64 policy, [a], primary_size, total_size; */
static struct model_hint range(const struct event_kernel *kernel, const struct event_instr *instr)
{
    enum { PRIMARY = 2, TOTAL }; /* documented: PTX ISA, operands of createpolicy.range */
    struct model_hint hint = fractional(instr);
    uint64_t primary = hint_size_of(kernel, event_operand_at(instr, PRIMARY));
    uint64_t total = hint_size_of(kernel, event_operand_at(instr, TOTAL));
    if (!primary || primary > total) return (struct model_hint){0};
    hint.share = (float)((double)primary / (double)total);
    return hint;
}

static struct model_hint policy_in(const struct event_kernel *kernel, uint32_t reg)
{
    const struct event_instr *instr = origin(kernel, reg);
    if (!instr) return (struct model_hint){0};
    bool creates = instr->isa.op == ISA_OP_CREATEPOLICY;
    if (creates && event_has(instr, ISA_MOD_FRACTIONAL)) return fractional(instr);
    if (creates && event_has(instr, ISA_MOD_RANGE)) return range(kernel, instr);
    return passes_on(instr) ? constant(event_integer(event_last_operand(instr))) : (struct model_hint){0};
}

static struct model_hint hint_of(const struct event_kernel *kernel, const struct event_instr *instr)
{
    struct model_hint hint = {.given = true, .first = EVENT_POLICY_STREAMING, .share = 1};
    if (instr->cls != ISA_CLASS_LOAD && instr->cls != ISA_CLASS_STORE && instr->cls != ISA_CLASS_ATOMIC)
        return (struct model_hint){0};
    if (event_has(instr, ISA_MOD_L2__CACHE_HINT)) { /* the register is read last */
        if (!instr->use_count) return (struct model_hint){0};
        return policy_in(kernel, instr->regs[instr->def_count + instr->use_count - 1]);
    }
    if (event_has(instr, ISA_MOD_L2__EVICT_FIRST) || event_has(instr, ISA_MOD_CS)) return hint;
    hint.first = EVENT_POLICY_PERSISTING;
    return event_has(instr, ISA_MOD_L2__EVICT_LAST) ? hint : (struct model_hint){0};
}

struct model_hint *model_hints_read(const struct event_kernel *kernel)
{
    struct model_hint *out = NULL;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        struct model_hint hint = hint_of(kernel, &kernel->instrs[i]);
        if (!hint.given) continue;
        if (!out) out = sw_xcalloc(kernel->instr_count, sizeof *out);
        out[i] = hint;
    }
    return out;
}

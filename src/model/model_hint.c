/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's instructions say of how long lines of L2 stay.
 *
 * Models: .L2::evict_first and .L2::evict_last; .cs, which is evict_first in L2 too; and with
 * .L2::cache_hint the policy of a register that createpolicy made or that holds a constant. A fraction of
 * lines has a policy's first priority, the others its second. A register's policy is what its only definition
 * gives it, through any number of moves and createpolicy.cvt; evict_unchanged leaves lines what they are.
 * Where a range begins (createpolicy.range) is not known here: as large a part of the lines as the primary
 * range is of the total has the first priority, whichever they are, if both sizes are constants.
 *
 * Does not model: policies that depend on the way through the kernel, or come from memory or parameters, and
 * ranges whose sizes do: such accesses have the normal priority. That accesses outside of a policy's range
 * have none. Of the constants, that they keep lines out of L1 or fetch 256 bytes.
 *
 * Sources: PTX ISA, "Cache Operators", "Cache Eviction Priority Hints" and createpolicy; constants: what
 * libcu++ documents of its encoding of cuda::access_property (an interleaved descriptor: sixteenths of lines
 * less one, then which priority the others and these have), of which CUTLASS uses three (TMA::CacheHintSm90).
 * What an H200 does with them: tests/hw/memory/hints.def, by which nothing was chosen (docs/accuracy.md). */
#include "model_cache_priv.h"

#include <stdlib.h>
#include <string.h>

static bool has(const char *op, const char *word)
{
    return op && strstr(op, word);
}

static bool begins(const char *op, const char *word)
{
    return op && !strncmp(op, word, strlen(word));
}

static uint8_t priority_of(const char *text)
{
    static const struct {
        const char *word;
        uint8_t priority;
    } words[] = {{"evict_first", EVENT_POLICY_STREAMING},
                 {"evict_last", EVENT_POLICY_PERSISTING},
                 {"evict_unchanged", MODEL_UNCHANGED}};
    for (size_t i = 0; i < SW_COUNT_OF(words); i++)
        if (begins(text, words[i].word)) return words[i].priority;
    return EVENT_POLICY_NORMAL;
}

static const char *last_operand(const char *text)
{
    const char *comma = text ? strrchr(text, ',') : NULL;
    return comma ? comma + 1 + strspn(comma + 1, " \t") : NULL;
}

/* As PTX writes it: 0f3F000000 or 0d3FE0000000000000. */
static float number(const char *text)
{
    enum { PREFIX = 2, HEX = 16 }; /* documented: PTX ISA, constants of floats */
    if (text[0] != '0' || (text[1] | 0x20) < 'd' || (text[1] | 0x20) > 'f') return strtof(text, NULL);
    uint64_t bits = strtoull(text + PREFIX, NULL, HEX);
    if ((text[1] | 0x20) == 'd')
        return (float)(union {
                   uint64_t bits;
                   double value;
               }){bits}
            .value;
    return (union {
               uint32_t bits;
               float value;
           }){(uint32_t)bits}
        .value;
}

/* createpolicy.fractional.L2::first{.L2::second}.b64 policy{, fraction}; */
static struct model_hint fractional(const struct event_instr *instr)
{
    static const char LEVEL[] = "L2::";
    const char *first = strstr(instr->op, LEVEL), *fraction = last_operand(instr->text);
    if (!first) return (struct model_hint){0};
    first += sizeof LEVEL - 1;
    const char *second = strstr(first, LEVEL);
    return (struct model_hint){.given = true,
                               .first = priority_of(first),
                               .second = second ? priority_of(second + sizeof LEVEL - 1) : MODEL_UNCHANGED,
                               .share = fraction ? number(fraction) : 1};
}

static struct model_hint constant(const char *operand)
{
    /* documented: bits of libcu++'s encoding, as above */
    enum { FRACTION = 52, OTHERS = 56, FIRST = 57, MODE = 59, INTERLEAVED = 2, SIXTEENTHS = 16 };
    static const uint8_t PRIORITIES[] = {EVENT_POLICY_NORMAL, EVENT_POLICY_STREAMING, EVENT_POLICY_PERSISTING,
                                         EVENT_POLICY_NORMAL};
    uint64_t value = strtoull(operand, NULL, 0);
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
    return begins(instr->op, "mov.") || begins(instr->op, "createpolicy.cvt");
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

/* A size in an instruction's text, or in the register that it reads as the use-th one; 0: not known. */
static uint64_t size_of(const struct event_kernel *kernel, const struct event_instr *instr,
                        const char *operand, uint32_t *use)
{
    if (operand[0] >= '0' && operand[0] <= '9') return strtoull(operand, NULL, 0);
    if (*use >= instr->use_count) return 0;
    const struct event_instr *from = origin(kernel, instr->regs[instr->def_count + (*use)++]);
    const char *value = from && passes_on(from) ? last_operand(from->text) : NULL;
    return value ? strtoull(value, NULL, 0) : 0;
}

/* createpolicy.range{.global}.L2::first{.L2::second}.b64 policy, [a], primary_size, total_size; */
static struct model_hint range(const struct event_kernel *kernel, const struct event_instr *instr)
{
    struct model_hint hint = fractional(instr);
    const char *sizes = instr->text ? strchr(instr->text, ']') : NULL, *second = last_operand(instr->text);
    if (!sizes || !second || sizes[1] != ',') return (struct model_hint){0};
    uint32_t use = 1; /* behind the address */
    uint64_t primary = size_of(kernel, instr, sizes + 2 + strspn(sizes + 2, " \t"), &use);
    uint64_t total = size_of(kernel, instr, second, &use);
    if (!primary || primary > total) return (struct model_hint){0};
    hint.share = (float)((double)primary / (double)total);
    return hint;
}

static struct model_hint policy_in(const struct event_kernel *kernel, uint32_t reg)
{
    const struct event_instr *instr = origin(kernel, reg);
    if (!instr) return (struct model_hint){0};
    if (begins(instr->op, "createpolicy.fractional")) return fractional(instr);
    if (begins(instr->op, "createpolicy.range")) return range(kernel, instr);
    const char *operand = passes_on(instr) ? last_operand(instr->text) : NULL;
    return operand ? constant(operand) : (struct model_hint){0};
}

static struct model_hint hint_of(const struct event_kernel *kernel, const struct event_instr *instr)
{
    struct model_hint hint = {.given = true, .first = EVENT_POLICY_STREAMING, .share = 1};
    if (instr->cls != EVENT_LOAD && instr->cls != EVENT_STORE && instr->cls != EVENT_ATOMIC)
        return (struct model_hint){0};
    if (has(instr->op, ".L2::cache_hint")) { /* the register is read last */
        if (!instr->use_count) return (struct model_hint){0};
        return policy_in(kernel, instr->regs[instr->def_count + instr->use_count - 1]);
    }
    if (has(instr->op, ".L2::evict_first") || has(instr->op, ".cs.")) return hint;
    hint.first = EVENT_POLICY_PERSISTING;
    return has(instr->op, ".L2::evict_last") ? hint : (struct model_hint){0};
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

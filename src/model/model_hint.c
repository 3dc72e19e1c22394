/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's instructions say of how long lines of L2 stay.
 *
 * Models: .L2::evict_first and .L2::evict_last; .cs, which is evict_first in both caches; and with
 * .L2::cache_hint the policy of a register that createpolicy.fractional made or that holds a constant. A
 * fraction of lines has a policy's first priority, the others its second. A register's policy is what its
 * only definition gives it, through any number of moves; evict_unchanged leaves lines what they are.
 *
 * Does not model: policies that depend on the way through the kernel, come from memory or parameters, or are
 * of a range of addresses (createpolicy.range and .cvt): such accesses have the normal priority.
 *
 * Sources: PTX ISA, "Cache Operators", "Cache Eviction Priority Hints" and createpolicy; constants: those
 * that CUTLASS (include/cute/arch/copy_sm90_desc.hpp, TMA::CacheHintSm90) gives for evict_normal, evict_first
 * and evict_last of all lines. */
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
    enum { PREFIX = 2, HEX = 16 };
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
    static const struct {
        uint64_t value;
        uint8_t priority;
    } known[] = {{0x1000000000000000u, EVENT_POLICY_NORMAL},
                 {0x12f0000000000000u, EVENT_POLICY_STREAMING},
                 {0x14f0000000000000u, EVENT_POLICY_PERSISTING}};
    uint64_t value = strtoull(operand, NULL, 0);
    for (size_t i = 0; i < SW_COUNT_OF(known); i++)
        if (value == known[i].value)
            return (struct model_hint){.given = true, .first = known[i].priority, .share = 1};
    return (struct model_hint){0};
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

static struct model_hint policy_in(const struct event_kernel *kernel, uint32_t reg)
{
    enum { MOVES = 64 };
    for (uint32_t moves = 0; moves < MOVES; moves++) {
        const struct event_instr *instr = definition(kernel, reg);
        if (!instr || instr->guarded) break;
        if (begins(instr->op, "createpolicy.fractional")) return fractional(instr);
        if (!begins(instr->op, "mov.")) break;
        if (!instr->use_count) {
            const char *operand = last_operand(instr->text);
            return operand ? constant(operand) : (struct model_hint){0};
        }
        reg = instr->regs[instr->def_count];
    }
    return (struct model_hint){0};
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

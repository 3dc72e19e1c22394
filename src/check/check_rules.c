/* SPDX-License-Identifier: Apache-2.0 */
/* Which rule a finding comes under. Purpose: one name for each kind of mistake that is mended in its own way.
 * Method: a table of rules (check_rules.def) and the facts of the finding; a race is named after the widest
 * group of threads that it takes to be ordered. Limits: the block's dimensions are not known, so that only
 * threads of its first row are known to be of one warp. */
#include "check_priv.h"

#include "base/base_text.h"

#include <string.h>

enum rule_name {
#define RULE(name, ...) RULE_##name,
#include "check_rules.def"
#undef RULE
    RULE_COUNT
};

static const struct check_rule RULES[] = {
#define RULE(name, id, tool, level, title, change) {id, CHECK_##tool, CHECK_##level, title, change},
#include "check_rules.def"
#undef RULE
};

uint32_t check_rule_count(void)
{
    return RULE_COUNT;
}

const struct check_rule *check_rule_at(uint32_t index)
{
    return &RULES[index];
}

const char *check_tool_name(enum check_tool tool)
{
    static const char *const NAMES[] = {"memcheck", "initcheck", "racecheck", "synccheck"};
    return NAMES[tool];
}

const char *check_level_name(enum check_level level)
{
    static const char *const NAMES[] = {"info", "warn", "error"};
    return NAMES[level];
}

const char *check_space_name(enum isa_space space)
{
    static const char *const NAMES[ISA_SPACE_COUNT] = {
        [ISA_SPACE_NONE] = "__global__",   [ISA_SPACE_GENERIC] = "__global__",
        [ISA_SPACE_GLOBAL] = "__global__", [ISA_SPACE_SHARED] = "__shared__",
        [ISA_SPACE_LOCAL] = "__local__",   [ISA_SPACE_CONST] = "__constant__",
        [ISA_SPACE_PARAM] = "__param__"};
    return NAMES[space];
}

enum { NULL_PAGE_BYTES = 4096 }; /* implementation: elements and fields behind a null pointer lie here */
/* assumed: no index goes so far past its array */
#define FAR_BYTES (UINT64_C(1) << 40)

static enum rule_name rule_of_access(const struct event_finding *f)
{
    bool global = f->space == ISA_SPACE_GLOBAL || f->space == ISA_SPACE_GENERIC;
    if (f->freed) return RULE_FREED;
    if (global && f->address < NULL_PAGE_BYTES) return RULE_NULL_POINTER;
    bool after;
    if (global && (!f->size || check_distance(f, &after) >= FAR_BYTES)) return RULE_HOST_MEMORY;
    return RULE_BOUNDS;
}

static bool is_same(const uint32_t a[3], const uint32_t b[3])
{
    return memcmp(a, b, 3 * sizeof *a) == 0;
}

static bool is_one_warp(const uint32_t a[3], const uint32_t b[3])
{
    return !a[1] && !a[2] && !b[1] && !b[2] && a[0] / SW_WARP_LANES == b[0] / SW_WARP_LANES;
}

static enum rule_name rule_of_race(const struct event_finding *f)
{
    const struct event_place *a = &f->place, *b = &f->other;
    if (f->between_proxies) return RULE_RACE_PROXIES;
    if (f->between_tasks || !a->kernel || a->kernel != b->kernel) return RULE_RACE_WORK;
    if (!is_same(a->block, b->block)) return RULE_RACE_BLOCKS;
    if (f->with_copy) return RULE_RACE_COPY;
    return is_one_warp(a->thread, b->thread) ? RULE_RACE_WARP : RULE_RACE_BLOCK;
}

/* "Invalid arguments: ...", "Divergent thread(s) in warp: ..." */
static enum rule_name rule_of_barrier(const char *message)
{
    return message && sw_starts_with(message, "Invalid ") ? RULE_INVALID_BARRIER : RULE_DIVERGENT_BARRIER;
}

static enum rule_name rule_name_of(const struct event_finding *f)
{
    switch (f->kind) {
    case EVENT_FINDING_BOUNDS: return rule_of_access(f);
    case EVENT_FINDING_PADDING: return RULE_PADDING;
    case EVENT_FINDING_MISALIGNED: return RULE_MISALIGNED;
    case EVENT_FINDING_FAULT: return RULE_FAULT;
    case EVENT_FINDING_FREE: return f->freed ? RULE_DOUBLE_FREE : RULE_INVALID_FREE;
    case EVENT_FINDING_LEAK: return RULE_LEAK;
    case EVENT_FINDING_CALL: return RULE_CALL;
    case EVENT_FINDING_UNINITIALIZED: return RULE_UNINITIALIZED;
    case EVENT_FINDING_UNUSED: return RULE_UNUSED;
    case EVENT_FINDING_RACE: return rule_of_race(f);
    case EVENT_FINDING_BARRIER: return rule_of_barrier(f->message);
    case EVENT_FINDING_SCHEDULE: return RULE_SCHEDULE;
    case EVENT_FINDING_COUNT: break;
    }
    BUG("a finding of kind %d", (int)f->kind);
}

const struct check_rule *check_rule_of(const struct event_finding *finding)
{
    return &RULES[rule_name_of(finding)];
}

enum check_level check_level_of(const struct check_rule *rule, const struct event_finding *finding)
{
    if (finding->kind == EVENT_FINDING_SCHEDULE && finding->place.has_value) return CHECK_ERROR;
    return rule->level;
}

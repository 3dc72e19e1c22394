/* SPDX-License-Identifier: Apache-2.0 */
/* Advice: one line a finding, in the priority order of the Best Practices Guide (coalescing first, then
 * shared memory banks, divergence, execution configuration), each with the numbers that prove it. Silence
 * when nothing is proved. Limits: thresholds are of this file; time is not known, so gains are given in
 * traffic, not in seconds. Sources: CUDA C Best Practices Guide 8.0, appendix A (recommendations by
 * priority). */
#include "prof_priv.h"

enum { EXCESS_PERCENT = 10, DIVERGENT_PERCENT = 10, LOW_OCCUPANCY_PERCENT = 50 };

typedef VEC(const char *) advice_list;

/* "1,234" */
static const char *grouped(uint64_t number, struct arena *arena)
{
    struct str text = {0};
    report_number(report_integer(number), &text);
    const char *result = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return result;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* The line with the most units beyond the ideal. */
static const struct prof_line *worst_line(const struct prof_line *lines, uint32_t count,
                                          struct prof_access (*total)(const struct prof_sums *))
{
    const struct prof_line *worst = NULL;
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct prof_access a = total(&lines[i].sums);
        if (a.units - a.ideal > most) {
            most = a.units - a.ideal;
            worst = &lines[i];
        }
    }
    return worst;
}

static const char *place(const struct prof_line *line, struct arena *arena)
{
    return arena_printf(arena, "%s:%u", line->file[0] ? line->file : "PTX line", line->line);
}

static void advise_coalescing(const struct prof_launch *p, const struct prof_line *lines, uint32_t count,
                              struct arena *arena, advice_list *list)
{
    struct prof_access a = prof_global_total(&p->sums);
    if (percent(a.units - a.ideal, a.units) < EXCESS_PERCENT) return;
    const struct prof_line *worst = worst_line(lines, count, prof_global_total);
    *vec_push(list) =
        arena_printf(arena,
                     "Coalesce global accesses: %.0f %% of the sectors moved (%s of %s) are more than "
                     "packed accesses need, most "
                     "at %s. Let neighbouring threads touch neighbouring addresses, aligned to 32 bytes.",
                     percent(a.units - a.ideal, a.units), grouped(a.units - a.ideal, arena),
                     grouped(a.units, arena), worst ? place(worst, arena) : "?");
}

static void advise_banks(const struct prof_launch *p, const struct prof_line *lines, uint32_t count,
                         struct arena *arena, advice_list *list)
{
    struct prof_access a = prof_shared_total(&p->sums);
    if (percent(a.units - a.ideal, a.units) < EXCESS_PERCENT) return;
    const struct prof_line *worst = worst_line(lines, count, prof_shared_total);
    *vec_push(list) =
        arena_printf(arena,
                     "Avoid shared memory bank conflicts: %.0f %% of the wavefronts (%s of %s) repeat "
                     "because lanes meet in a bank, "
                     "most at %s. Pad rows by one element, or change which lane reads which word.",
                     percent(a.units - a.ideal, a.units), grouped(a.units - a.ideal, arena),
                     grouped(a.units, arena), worst ? place(worst, arena) : "?");
}

static void advise_local(const struct prof_launch *p, struct arena *arena, advice_list *list)
{
    uint64_t units = p->sums.access[PROF_LOCAL_LOAD].units + p->sums.access[PROF_LOCAL_STORE].units;
    if (!units) return;
    *vec_push(list) =
        arena_printf(arena,
                     "Local memory moves %s sectors: arrays that are indexed at run time or spilled "
                     "registers live there. Index with constants, or use shared memory.",
                     grouped(units, arena));
}

static void advise_divergence(const struct prof_launch *p, struct arena *arena, advice_list *list)
{
    if (percent(p->sums.divergent, p->sums.branches) < DIVERGENT_PERCENT) return;
    *vec_push(list) =
        arena_printf(arena,
                     "Branches split %.0f %% of the warps that reach them (%s of %s): %.1f of 32 lanes "
                     "work on average. Let the condition follow warps, not lanes.",
                     percent(p->sums.divergent, p->sums.branches), grouped(p->sums.divergent, arena),
                     grouped(p->sums.branches, arena), (double)p->sums.lanes / (double)p->sums.warps);
}

static void advise_block(const struct prof_launch *p, struct arena *arena, advice_list *list)
{
    uint64_t blocks = (uint64_t)p->launch->grid[0] * p->launch->grid[1] * p->launch->grid[2];
    if (p->threads % SW_WARP_LANES)
        *vec_push(list) = arena_printf(
            arena, "Blocks of %u threads leave %u lanes of their last warp idle: use a multiple of 32.",
            p->threads, SW_WARP_LANES - p->threads % SW_WARP_LANES);
    if (blocks < p->gpu->sm_count)
        *vec_push(list) =
            arena_printf(arena, "%s blocks leave %s of the %s multiprocessors without work: use more blocks.",
                         grouped(blocks, arena), grouped(p->gpu->sm_count - blocks, arena),
                         grouped(p->gpu->sm_count, arena));
}

static const char *limiter(const struct arch_occupancy *o)
{
    if (o->blocks_per_sm == o->limit_registers) return "registers";
    if (o->blocks_per_sm == o->limit_shared) return "shared memory";
    if (o->blocks_per_sm == o->limit_warps) return "the size of the block";
    return "the number of blocks";
}

static void advise_occupancy(const struct prof_launch *p, struct arena *arena, advice_list *list)
{
    const struct arch_occupancy *o = &p->occupancy;
    if (!p->has_occupancy || 100 * o->fraction >= LOW_OCCUPANCY_PERCENT) return;
    *vec_push(list) =
        arena_printf(arena, "Occupancy is at most %.0f %% (%u of %u warps), limited by %s%s.",
                     100 * o->fraction, o->warps_per_sm, o->max_warps_per_sm, limiter(o),
                     p->launch->kernel->registers_exact || o->blocks_per_sm != o->limit_registers
                         ? ""
                         : " (their number is an estimate)");
}

uint32_t prof_advice(const struct prof_launch *p, struct arena *arena, const char ***out)
{
    advice_list list = {0};
    if (p->counted) {
        struct prof_line *lines;
        uint32_t count = prof_lines(p, arena, &lines);
        advise_coalescing(p, lines, count, arena, &list);
        advise_banks(p, lines, count, arena, &list);
        advise_local(p, arena, &list);
        advise_divergence(p, arena, &list);
    }
    advise_block(p, arena, &list);
    advise_occupancy(p, arena, &list);
    *out = arena_copy(arena, list.at, sizeof *list.at * list.count);
    uint32_t count = (uint32_t)list.count;
    vec_release(&list);
    return count;
}

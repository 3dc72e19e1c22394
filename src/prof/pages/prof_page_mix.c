/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction mix: which PTX operations warps execute most. Operations are told apart by their name with
 * all its modifiers. Limits: the first OPERATIONS; machine code may have more or fewer of each. */
#include "prof_pages_priv.h"

#include "base/base_text.h"

#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 10 };

struct operation {
    const char *name;
    uint64_t warps, lanes;
};

static int by_warps(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;
    if (x->warps != y->warps) return x->warps < y->warps ? 1 : -1;
    return strcmp(x->name, y->name);
}

static uint32_t count_operations(const struct prof_launch *p, struct arena *arena, struct operation **out)
{
    const struct event_kernel *kernel = p->launch->kernel;
    struct operation *list = ARENA_ARRAY(arena, struct operation, kernel->instr_count + 1);
    struct map known = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const struct event_instr *instr = &kernel->instrs[i];
        struct prof_sums sums = {0};
        prof_sums_add(&sums, instr, p->launch->counters, p->cc);
        if (!sums.warps || !instr->op) continue;
        struct operation *operation = map_get(&known, instr->op);
        if (!operation) {
            operation = &list[count++];
            operation->name = instr->op;
            map_set(&known, instr->op, operation);
        }
        operation->warps += sums.warps;
        operation->lanes += sums.on_lanes;
    }
    map_release(&known);
    qsort(list, count, sizeof *list, by_warps);
    *out = list;
    return count;
}

void prof_instruction_mix(const struct prof_group *g, prof_table_writer write, struct str *out)
{
    static const char *const NAMES[] = {N_("Operation"), N_("Executed"), N_("Of all"), N_("Lanes"), ""};
    const struct prof_launch *p = &g->total;
    struct report_table table = {0};
    struct arena arena;
    struct operation *list;
    arena_init(&arena);
    uint32_t count = p->counted ? count_operations(p, &arena, &list) : 0;
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(&table, *NAMES[i] ? _(NAMES[i]) : "", "");
    for (uint32_t i = 0; i < count && i < OPERATIONS; i++) {
        report_cell(&table, report_text(list[i].name));
        report_cell(&table, report_real((double)list[i].warps / g->launches));
        report_cell(&table, report_text(prof_percent(list[i].warps, p->sums.warps, &arena)));
        report_cell(&table, report_real((double)list[i].lanes / (double)list[i].warps));
        report_cell(&table, report_text("p"));
    }
    if (table.cells.count) write(&table, out);
    report_table_release(&table);
    arena_release(&arena);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Launches taken together: one group for each kernel, grid, block, shared memory and GPU.
 *
 * A kernel is known by what its instructions are, not by its address, so that processes that run the same
 * program share groups. Counters are added slot by slot, metrics are kept as their least, most and sum.
 * Limits: memory follows the number of different launches (about 10 KiB each), not of all. */
#include "prof_metrics.h"

#include <stdlib.h>
#include <string.h>

struct prof_groups {
    struct arena arena;
    struct map by_key;  /* text -> struct prof_group */
    struct map kernels; /* event_kernel address -> its fingerprint as text */
    VEC(struct prof_group *) all;
};

struct prof_groups *prof_groups_new(void)
{
    struct prof_groups *groups = sw_xcalloc(1, sizeof *groups);
    arena_init(&groups->arena);
    return groups;
}

void prof_groups_free(struct prof_groups *groups)
{
    if (!groups) return;
    map_release(&groups->by_key);
    map_release(&groups->kernels);
    vec_release(&groups->all);
    arena_release(&groups->arena);
    free(groups);
}

static const char *fingerprint(struct prof_groups *groups, const struct event_kernel *kernel)
{
    const char *known = map_get_u64(&groups->kernels, (uintptr_t)kernel);
    if (known) return known;
    uint64_t hash = sw_hash_bytes(kernel->name, strlen(kernel->name), kernel->slot_count);
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const struct event_instr *instr = &kernel->instrs[i];
        hash = sw_hash_bytes(instr->text, strlen(instr->text), hash + instr->ptx_line);
        hash = sw_hash_bytes(&instr->slots, sizeof instr->slots, hash);
    }
    known = arena_printf(&groups->arena, "%016llx", (unsigned long long)hash);
    map_set_u64(&groups->kernels, (uintptr_t)kernel, (void *)known);
    return known;
}

static const char *groups_key_of(struct prof_groups *groups, const struct prof_launch *p, struct arena *arena)
{
    const struct event_launch *l = p->launch;
    if (l->routine) return arena_printf(arena, "%s %s %s", p->kernel, l->routine->shape, l->gpu);
    return arena_printf(arena, "%s %u,%u,%u %u,%u,%u %u %s %u %s", fingerprint(groups, l->kernel), l->grid[0],
                        l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                        l->dynamic_shared_bytes, l->gpu, p->counted, p->kernel);
}

static double number_of(struct report_value value)
{
    return value.kind == REPORT_INTEGER ? (double)value.integer : value.real;
}

static void add_stat(struct prof_stat *stat, struct report_value value)
{
    if (value.kind != REPORT_INTEGER && value.kind != REPORT_REAL) return;
    double number = number_of(value);
    if (!stat->known) *stat = (struct prof_stat){value, number, number, 0, 0};
    stat->least = number < stat->least ? number : stat->least;
    stat->most = number > stat->most ? number : stat->most;
    stat->sum += number;
    stat->known++;
}

static void add_stats(struct prof_group *group, const struct prof_launch *launch)
{
    uint32_t count = prof_metric_count();
    struct report_value *values = sw_xcalloc(count, sizeof *values);
    prof_metric_values(launch, values);
    for (uint32_t m = 0; m < count; m++)
        add_stat(&group->stats[m], values[m]);
    free(values);
}

static const struct event_routine *routine_copy(struct arena *arena, const struct event_routine *routine)
{
    struct event_routine *copy = arena_copy(arena, routine, sizeof *copy);
    copy->name = arena_strdup(arena, routine->name);
    copy->shape = arena_strdup(arena, routine->shape);
    return copy;
}

/* The first launch of a group, whose counters become the group's own. */
static struct prof_group *group_new(uint32_t id, const struct prof_launch *p, struct arena *arena)
{
    struct prof_group *group = ARENA_NEW(arena, struct prof_group);
    struct event_launch *launch = arena_copy(arena, p->launch, sizeof *launch);
    group->total = *p;
    group->total.launch = launch;
    group->total.process = arena_strdup(arena, p->process);
    group->total.kernel = arena_strdup(arena, p->kernel);
    group->first_id = id;
    group->stats = ARENA_ARRAY(arena, struct prof_stat, prof_metric_count());
    launch->gpu = arena_strdup(arena, p->launch->gpu);
    if (launch->routine) launch->routine = routine_copy(arena, launch->routine);
    if (launch->counters)
        launch->counters = arena_copy(arena, launch->counters, launch->kernel->slot_count * sizeof(uint64_t));
    if (launch->time) launch->time = arena_copy(arena, launch->time, sizeof *launch->time);
    if (launch->memory) launch->memory = prof_memory_copy(launch->memory, arena);
    if (launch->stalls)
        launch->stalls =
            arena_copy(arena, launch->stalls, launch->kernel->instr_count * sizeof *launch->stalls);
    return group;
}

static void count_ranges(struct prof_group *group, const struct prof_launch *p, struct arena *arena)
{
    struct arena scratch;
    if (!p->launch->nvtx) return;
    arena_init(&scratch);
    const char *text = prof_launch_ranges(p, &scratch);
    uint32_t i = 0;
    while (i < PROF_GROUP_RANGES && group->ranges[i].text && strcmp(group->ranges[i].text, text) != 0)
        i++;
    if (i < PROF_GROUP_RANGES && !group->ranges[i].text) group->ranges[i].text = arena_strdup(arena, text);
    if (i < PROF_GROUP_RANGES)
        group->ranges[i].launches++;
    else
        group->others_in_ranges++;
    arena_release(&scratch);
}

static void count_launch(struct prof_group *group, const struct prof_launch *p, struct arena *arena)
{
    group->launches++;
    count_ranges(group, p, arena);
    group->failed += p->launch->status != SW_OK;
    group->estimated += p->launch->memory && p->launch->memory->estimated;
    add_stats(group, p);
}

struct prof_group *prof_group_of(uint32_t id, const struct prof_launch *p, struct arena *arena)
{
    struct prof_group *group = group_new(id, p, arena);
    count_launch(group, p, arena);
    return group;
}

static void add_counters(struct prof_group *group, const struct prof_launch *p)
{
    uint64_t *sum = (uint64_t *)group->total.launch->counters;
    for (uint32_t i = 0; sum && i < p->launch->kernel->slot_count; i++)
        sum[i] += p->launch->counters[i];
    struct event_launch *total = (struct event_launch *)group->total.launch;
    if (total->memory && p->launch->memory)
        prof_memory_merge((struct event_memory *)total->memory, p->launch->memory);
    else
        total->memory = NULL;
    if (total->stalls && p->launch->stalls)
        prof_stalls_merge((struct event_stalls *)total->stalls, p->launch->stalls,
                          total->kernel->instr_count);
    else
        total->stalls = NULL;
}

struct prof_group *prof_groups_add(struct prof_groups *groups, uint32_t id, const struct prof_launch *p)
{
    struct arena scratch;
    arena_init(&scratch);
    const char *key = groups_key_of(groups, p, &scratch);
    struct prof_group *group = map_get(&groups->by_key, key);
    if (group) {
        add_counters(group, p);
        group->total.predicted_ns += p->predicted_ns;
    } else {
        group = group_new(id, p, &groups->arena);
        map_set(&groups->by_key, arena_strdup(&groups->arena, key), group);
        *vec_push(&groups->all) = group;
    }
    count_launch(group, p, &groups->arena);
    arena_release(&scratch);
    return group;
}

static int by_time(const void *a, const void *b)
{
    const struct prof_group *x = *(struct prof_group *const *)a, *y = *(struct prof_group *const *)b;
    double nx = x->total.predicted_ns, ny = y->total.predicted_ns;
    if (nx != ny) return nx < ny ? 1 : -1;
    uint64_t tx = prof_traffic_bytes(&x->total.sums), ty = prof_traffic_bytes(&y->total.sums);
    if (tx != ty) return tx < ty ? 1 : -1;
    return (x->first_id > y->first_id) - (x->first_id < y->first_id);
}

uint32_t prof_groups_sorted(struct prof_groups *groups, struct prof_group *const **out)
{
    for (size_t i = 0; i < groups->all.count; i++)
        prof_launch_count(&groups->all.at[i]->total);
    if (groups->all.count) qsort(groups->all.at, groups->all.count, sizeof *groups->all.at, by_time);
    *out = groups->all.at;
    return (uint32_t)groups->all.count;
}

struct report_value prof_group_value(const struct prof_group *group, int metric)
{
    if (metric < 0 || !group->stats[metric].known) return report_none();
    const struct prof_stat *stat = &group->stats[metric];
    return stat->least == stat->most ? stat->first : report_real(stat->sum / stat->known);
}

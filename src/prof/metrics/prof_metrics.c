/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics table and its evaluation: each row of prof_metrics.def becomes a record and an assignment, so
 * that a metric is written down once. A value that cannot be computed is absent, never zero. */
#include "prof_metrics.h"

#include "base/base_text.h"

#include <string.h>

#define METRIC(section_, label_, basic_, ncu_, nvprof_, unit_, text_, formula_, value_)                      \
    {ncu_, nvprof_, text_, unit_, formula_, PROF_##section_, PROF_##label_, basic_},
static const struct prof_metric TABLE[] = {
#include "prof_metrics.def"
};
#undef METRIC

uint32_t prof_metric_count(void)
{
    return SW_COUNT_OF(TABLE);
}

const struct prof_metric *prof_metric_at(uint32_t index)
{
    return &TABLE[index];
}

const char *prof_label_name(enum prof_label label)
{
    static const char *const NAMES[] = {"exact", "rule", "PTX-level", "modelled", "registers"};
    return NAMES[label];
}

const char *prof_section_name(enum prof_section section)
{
    static const char *const NAMES[] = {N_("Launch Statistics"),
                                        N_("Occupancy"),
                                        N_("Instruction Statistics"),
                                        N_("Source Counters"),
                                        N_("Memory Workload Analysis"),
                                        N_("GPU Speed Of Light Throughput"),
                                        N_("GPU Speed Of Light Roofline Chart"),
                                        N_("Compute Workload Analysis"),
                                        N_("Scheduler Statistics"),
                                        N_("Warp State Statistics")};
    return NAMES[section];
}

enum prof_label prof_label_of(const struct prof_metric *metric, const struct prof_launch *launch)
{
    if (metric->label != PROF_REGISTERS) return metric->label;
    return launch->launch->kernel->registers_exact ? PROF_EXACT : PROF_MODELLED;
}

/* Is name one of the words of list? */
static bool has_word(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, name, length) == 0 && (at[length] == 0 || at[length] == ' ')) return true;
    return false;
}

static bool is_base_of(const char *base, const char *ncu)
{
    size_t length = strlen(base);
    return strncmp(base, ncu, length) == 0 && ncu[length] == '.';
}

int prof_metric_find(const char *name)
{
    if (!*name) return -1;
    for (uint32_t i = 0; i < SW_COUNT_OF(TABLE); i++)
        if (strcmp(TABLE[i].ncu, name) == 0 || has_word(TABLE[i].nvprof, name)) return (int)i;
    for (uint32_t i = 0; i < SW_COUNT_OF(TABLE); i++)
        if (is_base_of(name, TABLE[i].ncu)) return (int)i;
    return -1;
}

/* Names of ncu (as prefixes) and nvprof that people ask for and that prof_metrics.def has no row for: what
 * they would need of the models of time and caches. */
static const char *const NEED_TIME[] = {"gpu__time",
                                        "sm__cycles",
                                        "smsp__cycles",
                                        "smsp__average_warp",
                                        "smsp__issue",
                                        "sm__warps_active",
                                        "sm__inst_executed.avg",
                                        "sm__throughput",
                                        "gpu__compute",
                                        "achieved_occupancy",
                                        "ipc",
                                        "issue_slot",
                                        "issue_slots",
                                        "sm_efficiency",
                                        "gld_throughput",
                                        "gst_throughput",
                                        "gld_requested_throughput",
                                        "gst_requested_throughput",
                                        "stall_",
                                        "eligible_warps"};
static const char *const NEED_CACHES[] = {"dram__",    "lts__", "l1tex__throughput",
                                          "l1tex__m_", "l2_",   "idc__"};

static bool begins_with_one(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sw_starts_with(name, list[i])) return true;
    return false;
}

const char *prof_metric_lacks(const char *name)
{
    if (begins_with_one(name, NEED_TIME, SW_COUNT_OF(NEED_TIME))) return "that part of the timing model";
    if (begins_with_one(name, NEED_CACHES, SW_COUNT_OF(NEED_CACHES))) return "that part of the cache model";
    return NULL;
}

static struct report_value metrics_ratio(double part, double whole, double scale)
{
    return whole > 0 ? report_real(scale * part / whole) : report_none();
}

/* Of a roof's peak, in per cent, what a launch reaches in the time predicted. */
static struct report_value of_roof(const struct prof_launch *p, enum prof_roof_id roof)
{
    struct prof_roofline r;
    double ns = p->launch->time ? (double)p->launch->time->duration_ns : 0;
    if (!prof_roofline(p, ns / 1e9, &r) || r.roofs[roof].peak <= 0) return report_none();
    return report_real(100 * prof_roof_seconds(&r.roofs[roof]) / r.seconds);
}

static double largest(const struct event_time *time, enum event_limit first, enum event_limit last)
{
    double most = 0;
    for (uint32_t i = first; i <= last; i++)
        if (time->busy[i] > most) most = time->busy[i];
    return most < 1 ? most : 1;
}

static double prof_compute_busy(const struct event_time *time)
{
    return largest(time, EVENT_LIMIT_ISSUE, EVENT_LIMIT_SHARED);
}

static double prof_memory_busy(const struct event_time *time)
{
    return largest(time, EVENT_LIMIT_L1, EVENT_LIMIT_DRAM);
}

static double prof_schedulers(const struct arch_cc *cc)
{
    const struct arch_pipes *pipes = arch_pipes_find(cc->major, cc->minor);
    return pipes ? pipes->schedulers : 0;
}

double prof_warp_cycles(const struct event_time *time)
{
    double cycles = 0;
    for (int i = 0; i < EVENT_STALL_COUNT; i++)
        cycles += time->stalls[i];
    return cycles;
}

static uint64_t prof_constant_hits(const struct event_memory *memory, uint64_t addresses)
{
    uint64_t misses = memory->constant_requests - memory->constant_hits;
    return addresses > misses ? addresses - misses : 0;
}

/* Of a routine nothing is counted: it has a time. Of a launch that was not counted the launch itself is
 * known. */
static bool metrics_is_known(const struct prof_launch *p, enum prof_section section, const char *ncu)
{
    if (p->launch->routine)
        return p->launch->time &&
               (strcmp(ncu, "gpu__time_duration.sum") == 0 || strcmp(ncu, "sm__cycles_elapsed.max") == 0);
    return p->counted || section == PROF_LAUNCH || section == PROF_OCCUPANCY;
}

#define INT(x)                        report_integer(x)
#define RATIO(a, b, scale)            metrics_ratio((double)(a), (double)(b), scale)
#define NONE_UNLESS(condition, value) ((condition) ? (value) : report_none())
#define GRID(l)                       ((uint64_t)(l)->launch->grid[0] * (l)->launch->grid[1] * (l)->launch->grid[2])
#define SHARED(l)                     ((uint64_t)(l)->launch->kernel->static_shared_bytes + (l)->launch->dynamic_shared_bytes)
#define A(stream)                     (&S->access[PROF_##stream])
#define C(stream)                     (&S->caches[PROF_##stream])
#define FLOP_SUM(unit)                S->flop[PROF_ROOF_##unit]
#define METRIC(section_, label_, basic_, ncu_, nvprof_, unit_, text_, formula_, value_)                      \
    *values++ = metrics_is_known(L, PROF_##section_, ncu_) ? (value_) : report_none();

void prof_metric_values(const struct prof_launch *L, struct report_value *values)
{
    const struct prof_sums *S = &L->sums;
    const struct arch_occupancy *O = &L->occupancy;
    const struct event_memory *M = L->launch->memory;
    const struct event_time *T = L->launch->time;
#include "prof_metrics.def"
}

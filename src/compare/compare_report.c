/* SPDX-License-Identifier: Apache-2.0 */
/* Reports as compare sees them: kernels by name, metrics by name, values in base units, launches added up. */
#include "compare_priv.h"

#include <stdarg.h>
#include <string.h>

/* "void gemm<int>(float *)" -> "gemm<int>"; names of two builds differ in their parameters' types at most. */
static const char *bare_name(struct arena *arena, const char *name)
{
    size_t depth = 0, length = 0;
    if (sw_starts_with(name, "void ")) name += 5;
    if (sw_starts_with(name, "(anonymous namespace)")) length = strlen("(anonymous namespace)");
    for (; name[length] && (depth || name[length] != '('); length++) {
        depth += name[length] == '<';
        depth -= name[length] == '>' && depth;
    }
    return arena_strndup(arena, name, length);
}

struct compare_kernel *compare_kernel_of(struct compare_report *report, const char *name)
{
    name = bare_name(&report->arena, name);
    struct compare_kernel *kernel = map_get(&report->by_name, name);
    if (kernel) return kernel;
    kernel = ARENA_NEW(&report->arena, struct compare_kernel);
    kernel->name = name;
    map_set(&report->by_name, name, kernel);
    *vec_push(&report->kernels) = kernel;
    return kernel;
}

/* How much one of a unit is in the base unit: prefixes of bytes and seconds, as ncu prints them by default.
 */
static double scale_of(const char *unit)
{
    static const struct {
        const char *unit;
        double scale;
    } SCALES[] = {{"Kbyte", 1e3},   {"Mbyte", 1e6},   {"Gbyte", 1e9},   {"Tbyte", 1e12},  {"us", 1e3},
                  {"ms", 1e6},      {"s", 1e9},       {"usecond", 1e3}, {"msecond", 1e6}, {"second", 1e9},
                  {"Ksector", 1e3}, {"Msector", 1e6}, {"Kinst", 1e3},   {"Minst", 1e6}};
    for (size_t i = 0; i < SW_COUNT_OF(SCALES); i++) {
        size_t length = strlen(SCALES[i].unit);
        if (strncmp(unit, SCALES[i].unit, length) == 0 && (!unit[length] || unit[length] == '/'))
            return SCALES[i].scale;
    }
    return 1;
}

void compare_add_failed(struct compare_report *report, struct compare_kernel *kernel, uint32_t launches,
                        const char *why)
{
    kernel->failed += launches;
    if (!kernel->failure && why) kernel->failure = arena_strdup(&report->arena, why);
}

void compare_add_failure(struct compare_report *report, const char *format, ...)
{
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    *vec_push(&report->failures) = arena_strdup(&report->arena, str_text(&text));
    str_release(&text);
}

void compare_add(struct compare_report *report, struct compare_kernel *kernel, const char *name,
                 const char *unit, double value)
{
    compare_add_mean(report, kernel, name, unit, value, 1);
}

void compare_add_mean(struct compare_report *report, struct compare_kernel *kernel, const char *name,
                      const char *unit, double mean, uint32_t launches)
{
    struct compare_metric *metric = map_get(&kernel->by_name, name);
    if (!metric) {
        metric = ARENA_NEW(&report->arena, struct compare_metric);
        metric->name = arena_strdup(&report->arena, name);
        map_set(&kernel->by_name, metric->name, metric);
        *vec_push(&kernel->metrics) = metric;
    }
    metric->sum += mean * launches * scale_of(unit);
    metric->launches += launches;
}

double compare_value(const struct compare_metric *metric)
{
    const char *rollup = strrchr(metric->name, '.');
    bool is_total = rollup
                        ? strcmp(rollup, ".sum") == 0
                        : sw_starts_with(metric->name, "memory_") || sw_starts_with(metric->name, "flop_") ||
                              sw_starts_with(metric->name, "derived__memory_");
    return is_total ? metric->sum : metric->sum / metric->launches;
}

void compare_report_release(struct compare_report *report)
{
    for (size_t i = 0; i < report->kernels.count; i++) {
        vec_release(&report->kernels.at[i]->metrics);
        map_release(&report->kernels.at[i]->by_name);
    }
    vec_release(&report->kernels);
    vec_release(&report->failures);
    map_release(&report->by_name);
    arena_release(&report->arena);
}

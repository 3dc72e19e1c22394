/* SPDX-License-Identifier: Apache-2.0 */
/* How numbers and names look to people: bytes with a prefix, one sign a label, kernels without their
 * parameters. */
#include "prof_metrics.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

char prof_label_mark(enum prof_label label)
{
    static const char MARKS[] = {'=', 'r', 'p', '~', '~'};
    return MARKS[label];
}

const char *prof_human_bytes(uint64_t bytes, struct arena *arena)
{
    static const char *const PREFIXES[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    size_t prefix = 0;
    for (; value >= 999.5 && prefix + 1 < SW_COUNT_OF(PREFIXES); prefix++)
        value /= 1000;
    int decimals = prefix == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return arena_printf(arena, "%.*f %s", decimals, value, PREFIXES[prefix]);
}

const char *prof_human_si(double value, const char *unit, struct arena *arena)
{
    static const char *const PREFIXES[] = {"", "K", "M", "G", "T", "P", "E"};
    size_t prefix = 0;
    for (; value >= 999.5 && prefix + 1 < SW_COUNT_OF(PREFIXES); prefix++)
        value /= 1000;
    return arena_printf(arena, "%.3g %s%s", value, PREFIXES[prefix], unit);
}

const char *prof_human_unit(const char *unit, double value, double *factor)
{
    static const struct {
        const char *unit, *scaled[5];
    } UNITS[] = {
        {"ns", {"ns", "us", "ms", "s"}},
        {"byte/second", {"byte/second", "Kbyte/second", "Mbyte/second", "Gbyte/second", "Tbyte/second"}},
    };
    *factor = 1;
    for (size_t u = 0; u < SW_COUNT_OF(UNITS); u++) {
        if (strcmp(unit, UNITS[u].unit) != 0) continue;
        size_t prefix = 0;
        for (; value >= 1000 && prefix < 4 && UNITS[u].scaled[prefix + 1]; prefix++) {
            value /= 1000;
            *factor /= 1000;
        }
        return UNITS[u].scaled[prefix];
    }
    return unit;
}

struct report_value prof_scaled(struct report_value value, double factor)
{
    if (factor == 1 || value.kind == REPORT_NONE || value.kind == REPORT_TEXT) return value;
    return report_real(factor * (value.kind == REPORT_REAL ? value.real : (double)value.integer));
}

const char *prof_human_seconds(double seconds, struct arena *arena)
{
    double factor;
    const char *unit = prof_human_unit("ns", 1e9 * seconds, &factor);
    return arena_printf(arena, "%.3g %s", factor * 1e9 * seconds, unit);
}

/* The name in front of the parameters; parentheses of "(anonymous namespace)" and of template arguments are
 * part of it. */
static size_t name_length(const char *kernel)
{
    static const char ANONYMOUS[] = "(anonymous namespace)";
    size_t depth = 0, i = 0;
    while (kernel[i]) {
        if (sw_starts_with(kernel + i, ANONYMOUS)) {
            i += sizeof ANONYMOUS - 1;
            continue;
        }
        if (kernel[i] == '(' && depth == 0) break;
        depth += kernel[i] == '<';
        depth -= kernel[i] == '>' && depth;
        i++;
    }
    return i;
}

const char *prof_short_name(const char *kernel, uint32_t width, struct arena *arena)
{
    size_t length = name_length(kernel);
    if (sw_starts_with(kernel, "void ")) {
        kernel += 5;
        length -= 5;
    }
    if (length <= width) return arena_strndup(arena, kernel, length);
    return arena_printf(arena, "%.*s..", (int)width - 2, kernel);
}

const char *prof_short_path(const char *path, struct arena *arena)
{
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (length < 2 || strncmp(path, here, length) != 0 || path[length] != '/') return path;
    return arena_strdup(arena, path + length + 1);
}

const char *prof_percent(uint64_t part, uint64_t whole, struct arena *arena)
{
    double percent = whole ? 100.0 * (double)part / (double)whole : 0;
    if (percent > 0 && percent < 0.5) return "<1 %";
    if (part < whole && percent > 99.5) return ">99 %";
    return arena_printf(arena, "%.0f %%", percent);
}

const char *prof_clipped(const char *text, uint32_t width, struct arena *arena)
{
    enum { MORE = 2 };
    size_t length = strlen(text);
    if (report_width(text) <= width) return text;
    char *clipped = arena_strdup(arena, text);
    for (; length && report_width(clipped) > width - MORE; clipped[length] = 0)
        while (--length && ((unsigned char)clipped[length] & 0xc0) == 0x80) /* not the first byte of one */
            ;
    return arena_printf(arena, "%s..", clipped);
}

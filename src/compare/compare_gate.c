/* SPDX-License-Identifier: Apache-2.0 */
/* Gates: METRIC OPERATOR BOUND, BOUND a number, a ratio ("1.05x") or a change ("5%"). */
#include "compare_priv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text; /* the longer ones first */
    enum compare_operator operator;
} OPERATORS[] = {{">=", COMPARE_AT_LEAST}, {"<=", COMPARE_AT_MOST}, {">", COMPARE_MORE}, {"<", COMPARE_LESS}};

static const char *trimmed(const char *text, size_t length, struct arena *arena)
{
    while (length && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return arena_strndup(arena, text, length);
}

static bool parse_bound(const char *text, struct compare_gate *out)
{
    char *end;
    out->bound = strtod(text, &end);
    if (end == text || !isfinite(out->bound)) return false;
    out->scale = *end == 'x' ? COMPARE_RATIO : *end == '%' ? COMPARE_PERCENT : COMPARE_ABSOLUTE;
    if (*end == 'x' || *end == '%') end++;
    return !*end;
}

static bool parse_one(const char *text, struct arena *arena, struct compare_gate *out)
{
    size_t at = strcspn(text, "<>");
    out->text = text;
    out->metric = trimmed(text, at, arena);
    for (size_t i = 0; i < SW_COUNT_OF(OPERATORS); i++)
        if (sw_starts_with(text + at, OPERATORS[i].text)) {
            out->operator= OPERATORS[i].operator;
            const char *bound = text + at + strlen(OPERATORS[i].text);
            return out->metric[0] && parse_bound(trimmed(bound, strlen(bound), arena), out);
        }
    return false;
}

enum sw_status compare_gates_parse(const char *list, struct arena *arena, struct compare_gate **out,
                                   uint32_t *count, struct sw_error *error)
{
    uint32_t n = 1;
    for (const char *at = list; *at; at++)
        n += *at == ',';
    struct compare_gate *gates = ARENA_ARRAY(arena, struct compare_gate, n);
    for (uint32_t i = 0; i < n; i++) {
        size_t length = strcspn(list, ",");
        const char *text = trimmed(list, length, arena);
        if (!parse_one(text, arena, &gates[i]))
            return sw_fail(error, SW_USAGE,
                           "'%s' is not a condition: METRIC>1.05x, METRIC>5%% or METRIC>1000", text);
        list += length + (list[length] == ',');
    }
    *out = gates;
    *count = n;
    return SW_OK;
}

bool compare_gate_holds(const struct compare_gate *gate, double base, double now)
{
    double value = now;
    if (gate->scale == COMPARE_RATIO) value = base != 0 ? now / base : now != 0 ? copysign(INFINITY, now) : 1;
    if (gate->scale == COMPARE_PERCENT)
        value = base != 0 ? 100 * (now - base) / fabs(base) : now != 0 ? copysign(INFINITY, now) : 0;
    switch (gate->operator) {
    case COMPARE_MORE: return value > gate->bound;
    case COMPARE_LESS: return value < gate->bound;
    case COMPARE_AT_LEAST: return value >= gate->bound;
    case COMPARE_AT_MOST: break;
    }
    return value <= gate->bound;
}

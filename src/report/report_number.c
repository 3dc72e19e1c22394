/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text. The same value always gives the same bytes: no locale, no floating-point shortest form. */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_grouped(const char *digits, struct str *out)
{
    size_t length = strlen(digits);
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) str_add_char(out, ',');
        str_add_char(out, digits[i]);
    }
}

void report_decimal(double value, bool grouped, int decimals, struct str *out)
{
    char text[400];
    snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
    char *point = strchr(text, '.'), *end = text + strlen(text);
    while (point && end[-1] == '0')
        *--end = 0;
    if (point && end[-1] == '.') *--end = 0;
    if (value < 0 && strcmp(text, "0") != 0) str_add_char(out, '-');
    point = strchr(text, '.');
    if (point) *point = 0;
    if (grouped)
        add_grouped(text, out);
    else
        str_add(out, text);
    if (point) str_printf(out, ".%s", point + 1);
}

void report_number(struct report_value value, struct str *out)
{
    char digits[32];
    if (value.kind == REPORT_INTEGER) {
        snprintf(digits, sizeof digits, "%" PRIu64, value.integer);
        add_grouped(digits, out);
    }
    if (value.kind == REPORT_REAL) report_decimal(value.real, true, 2, out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: device printf.
 * Method: the format is cut into conversions; each is given to the host's snprintf with one argument of the
 * right C type. Arguments lie as CUDA's vprintf has them: one buffer, each naturally aligned, floats promoted
 * to double, integers at least 32 bits wide. (CUDA C++ Programming Guide, "Formatted Output".) What CUDA does
 * not know is printed as it stands and takes no argument, as an H200 was seen to do: %n, a precision of *,
 * the sizes L j t z, a width before %%. Reads device memory and so may fault: no lock is held here. */
#include "engine_printf.h"

#include "engine/core/engine_permissions.h"

#include <stdio.h>
#include <string.h>

struct cursor {
    struct jit_ctx *ctx; /* NULL: nobody asks for permissions */
    const uint8_t *args;
    uint64_t offset;
    int count;
};

static uint64_t next_bits(struct cursor *cursor, unsigned bytes)
{
    uint64_t value = 0;
    cursor->offset = sw_align_up(cursor->offset, bytes);
    memcpy(&value, cursor->args + cursor->offset, bytes);
    cursor->offset += bytes;
    cursor->count++;
    return value;
}

struct conversion {
    char flags[8];
    int width, precision; /* -1: not given */
    unsigned longs, shorts;
    bool foreign; /* C knows it, CUDA does not */
    char type;
    size_t length; /* characters of the format, after % */
};

static const char *printf_parse_number(const char *at, struct cursor *cursor, int *out)
{
    if (*at == '*') {
        *out = (int32_t)next_bits(cursor, 4);
        return at + 1;
    }
    *out = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        if (*out < 100000) *out = *out * 10 + (*at - '0');
    return at;
}

static const char *parse_length(const char *at, struct conversion *conversion)
{
    for (; *at && strchr("hlLjzt", *at); at++) {
        conversion->longs += *at == 'l';
        conversion->shorts += *at == 'h';
        conversion->foreign |= strchr("Ljzt", *at) != NULL;
    }
    return at;
}

/* conversion: flags* (number | '*')? ('.' (number | '*')?)? length? type */
static struct conversion parse_conversion(const char *text, struct cursor *cursor)
{
    struct conversion conversion = {.width = -1, .precision = -1};
    const struct cursor before = *cursor;
    const char *at = text;
    size_t flags = 0;
    for (; *at && strchr("-+ #0", *at); at++)
        if (!strchr(conversion.flags, *at) && flags < sizeof conversion.flags - 1)
            conversion.flags[flags++] = *at;
    if (*at == '*' || (*at >= '1' && *at <= '9')) at = printf_parse_number(at, cursor, &conversion.width);
    conversion.foreign = at[0] == '.' && at[1] == '*';
    if (*at == '.') at = printf_parse_number(at + 1, cursor, &conversion.precision);
    at = parse_length(at, &conversion);
    conversion.type = *at;
    conversion.foreign |= *at == '%' && at != text;
    if (conversion.foreign) *cursor = before;
    conversion.length = (size_t)(at - text) + (*at != 0);
    if (conversion.width < -1) { /* a negative * means left-adjusted */
        conversion.width = -conversion.width;
        if (!strchr(conversion.flags, '-')) conversion.flags[flags] = '-';
    }
    return conversion;
}

/* The host's format for one argument: flags, width and precision as numbers, then `type`. */
static void host_format(const struct conversion *conversion, const char *type, char out[64])
{
    *out++ = '%';
    out = stpcpy(out, conversion->flags);
    if (conversion->width >= 0) out += sprintf(out, "%d", conversion->width);
    if (conversion->precision >= 0) out += sprintf(out, ".%d", conversion->precision);
    strcpy(out, type);
}

/* What most programs print is not worth the host's printf. */
static void add_decimal(struct str *out, uint64_t value)
{
    char digits[24], *first = digits + sizeof digits;
    uint64_t rest = (int64_t)value < 0 ? -value : value;
    do
        *--first = (char)('0' + rest % 10);
    while (rest /= 10);
    if ((int64_t)value < 0) *--first = '-';
    str_add_bytes(out, first, (size_t)(digits + sizeof digits - first));
}

static void print_integer(const struct conversion *conversion, struct cursor *cursor, struct str *out)
{
    char type[4] = {'l', 'l', conversion->type, 0}, format[64];
    bool is_signed = conversion->type == 'd' || conversion->type == 'i';
    uint64_t value = next_bits(cursor, conversion->longs ? 8 : 4);
    if (!conversion->longs && conversion->shorts == 1)
        value = is_signed ? (uint64_t)(int64_t)(int16_t)value : (uint16_t)value;
    else if (!conversion->longs && conversion->shorts > 1)
        value = is_signed ? (uint64_t)(int64_t)(int8_t)value : (uint8_t)value;
    else if (!conversion->longs && is_signed)
        value = (uint64_t)(int64_t)(int32_t)value;
    if (conversion->type == 'd' && !*conversion->flags && conversion->width < 0 &&
        conversion->precision < 0) {
        add_decimal(out, value);
        return;
    }
    host_format(conversion, type, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    str_printf(out, format, value);
#pragma GCC diagnostic pop
}

/* What %s prints; reading past a precision is none of it. */
static const char *string_at(const struct conversion *conversion, const struct cursor *cursor, uint64_t at)
{
    const char *text = (const char *)(uintptr_t)at;
    if (!at) return "(null)";
    size_t most = conversion->precision >= 0 ? (size_t)conversion->precision : SIZE_MAX;
    if (cursor->ctx) engine_permissions_span(cursor->ctx, at, strnlen(text, most), JIT_DENIED_READ);
    return text;
}

static void print_other(const struct conversion *conversion, struct cursor *cursor, struct str *out)
{
    char type[2] = {conversion->type, 0}, format[64];
    host_format(conversion, type, format);
    uint64_t bits = next_bits(cursor, conversion->type == 'c' ? 4 : 8);
    double value;
    memcpy(&value, &bits, sizeof value);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (conversion->type == 'c')
        str_printf(out, format, (int)bits);
    else if (conversion->type == 's')
        str_printf(out, format, string_at(conversion, cursor, bits));
    else if (conversion->type == 'p')
        str_printf(out, format, (void *)(uintptr_t)bits);
    else
        str_printf(out, format, value);
#pragma GCC diagnostic pop
}

static void print_conversion(const char *text, const struct conversion *conversion, struct cursor *cursor,
                             struct str *out)
{
    bool known = conversion->type && !conversion->foreign;
    if (known && conversion->type == '%')
        str_add_char(out, '%');
    else if (known && strchr("diouxX", conversion->type))
        print_integer(conversion, cursor, out);
    else if (known && strchr("csp", conversion->type))
        print_other(conversion, cursor, out);
    else if (known && strchr("fFeEgGaA", conversion->type))
        print_other(conversion, cursor, out);
    else {
        str_add_char(out, '%');
        str_add_bytes(out, text, conversion->length);
    }
}

int engine_printf_format(struct jit_ctx *ctx, const char *format, const uint8_t *args, struct str *out)
{
    struct cursor cursor = {.ctx = ctx, .args = args};
    while (*format) {
        size_t plain = strcspn(format, "%");
        str_add_bytes(out, format, plain);
        format += plain;
        if (!*format) break;
        struct conversion conversion = parse_conversion(++format, &cursor);
        print_conversion(format, &conversion, &cursor, out);
        format += conversion.length;
    }
    return cursor.count;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* String buffer over realloc; doubling. */
#include "base/base_str.h"

#include "base/base_arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct str *str, size_t more)
{
    size_t needed = str->length + more + 1;
    if (needed <= str->capacity) return;
    size_t capacity = str->capacity ? str->capacity * 2 : 64;
    if (capacity < needed) capacity = needed;
    str->text = sw_xrealloc(str->text, capacity);
    str->capacity = capacity;
}

void str_release(struct str *str)
{
    free(str->text);
    *str = (struct str){0};
}

void str_clear(struct str *str)
{
    str->length = 0;
    if (str->text) str->text[0] = '\0';
}

void str_add_bytes(struct str *str, const void *bytes, size_t count)
{
    reserve(str, count);
    if (count) memcpy(str->text + str->length, bytes, count);
    str->length += count;
    str->text[str->length] = '\0';
}

void str_add(struct str *str, const char *text)
{
    str_add_bytes(str, text, strlen(text));
}

void str_add_char(struct str *str, char c)
{
    str_add_bytes(str, &c, 1);
}

void str_vprintf(struct str *str, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    enum { GUESS = 47 }; /* most texts are shorter, and are formatted once */
    reserve(str, GUESS);
    int length = vsnprintf(str->text + str->length, GUESS + 1, format, args);
    if (length > GUESS) {
        reserve(str, (size_t)length);
        vsnprintf(str->text + str->length, (size_t)length + 1, format, again);
    }
    str->length += (size_t)length;
    va_end(again);
}

void str_printf(struct str *str, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    str_vprintf(str, format, args);
    va_end(args);
}

const char *str_text(const struct str *str)
{
    return str->text ? str->text : "";
}

char *str_steal(struct str *str)
{
    char *text = str->text ? str->text : sw_xstrdup("");
    *str = (struct str){0};
    return text;
}

bool sw_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool sw_ends_with(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

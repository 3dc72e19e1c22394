/* SPDX-License-Identifier: Apache-2.0 */
/* String buffer: text that grows; always NUL-terminated. {0} is an empty one. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct str {
    char *text; /* NULL until the first write; use str_text() to read */
    size_t length, capacity;
};

void str_release(struct str *str);
void str_clear(struct str *str);
void str_add(struct str *str, const char *text);
void str_add_bytes(struct str *str, const void *bytes, size_t count);
void str_add_char(struct str *str, char c);
void str_printf(struct str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_vprintf(struct str *str, const char *format, va_list args);
const char *str_text(const struct str *str); /* never NULL; valid until the next write */
char *str_steal(struct str *str);            /* the caller frees; the buffer is empty again */

bool sw_starts_with(const char *text, const char *prefix);
bool sw_ends_with(const char *text, const char *suffix);
#endif

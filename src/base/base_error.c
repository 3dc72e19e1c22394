/* SPDX-License-Identifier: Apache-2.0 */
/* Status texts and error records. Nothing here allocates, so that out-of-memory can be reported. */
#include "base/base_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text;
    int cuda, exit_code;
} table[] = {
#define STATUS(name, text, number, exit_code) [SW_##name] = {#name, text, number, exit_code},
#include "base/base_status.def"
#undef STATUS
};

static enum sw_status fail_v(struct sw_error *error, enum sw_status status, const char *file, uint32_t line,
                             uint32_t column, const char *format, va_list args)
{
    if (!error) return status;
    error->status = status;
    error->line = line;
    error->column = column;
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    vsnprintf(error->message, sizeof error->message, format, args);
    return status;
}

enum sw_status sw_fail(struct sw_error *error, enum sw_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_v(error, status, NULL, 0, 0, format, args);
    va_end(args);
    return status;
}

enum sw_status sw_fail_at(struct sw_error *error, enum sw_status status, const char *file, uint32_t line,
                          uint32_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_v(error, status, file, line, column, format, args);
    va_end(args);
    return status;
}

const char *sw_status_name(enum sw_status status)
{
    return (unsigned)status < SW_STATUS_COUNT ? table[status].name : "UNKNOWN";
}

const char *sw_status_text(enum sw_status status)
{
    return (unsigned)status < SW_STATUS_COUNT ? table[status].text : "unknown error";
}

int sw_status_cuda(enum sw_status status)
{
    return (unsigned)status < SW_STATUS_COUNT ? table[status].cuda : table[SW_UNKNOWN].cuda;
}

int sw_status_exit_code(enum sw_status status)
{
    return (unsigned)status < SW_STATUS_COUNT ? table[status].exit_code : table[SW_UNKNOWN].exit_code;
}

const char *sw_error_format(const struct sw_error *error, char *buffer, uint64_t bytes)
{
    const char *message = error->message[0] ? error->message : sw_status_text(error->status);
    if (error->line && error->file[0])
        snprintf(buffer, bytes, "%s:%u:%u: %s", error->file, error->line, error->column, message);
    else if (error->line)
        snprintf(buffer, bytes, "line %u:%u: %s", error->line, error->column, message);
    else if (error->file[0])
        snprintf(buffer, bytes, "%s: %s", error->file, message);
    else
        snprintf(buffer, bytes, "%s", message);
    return buffer;
}

void sw_bug(const char *file, int line, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "==SOFTWARP== internal error at %s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

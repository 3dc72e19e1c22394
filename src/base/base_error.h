/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes and the error record. A caller's or a program's mistake is a status; a bug of ours is BUG().
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdint.h>

enum sw_status {
#define STATUS(name, text, number, exit_code) SW_##name,
#include "base/base_status.def"
#undef STATUS
    SW_STATUS_COUNT
};

/* Where and why something failed; filled by the leaf that knows most. */
struct sw_error {
    enum sw_status status;
    uint32_t line, column; /* 1-based; 0: not known */
    char file[256];        /* or the name of the kernel; empty: not known */
    char message[512];     /* lower case, no full stop: what, the quoted subject, then what to do */
};

/* Fill *error (may be NULL) and return status, so that a leaf can say `return sw_fail(...)`. */
enum sw_status sw_fail(struct sw_error *error, enum sw_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum sw_status sw_fail_at(struct sw_error *error, enum sw_status status, const char *file, uint32_t line,
                          uint32_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));

const char *sw_status_name(enum sw_status status); /* "ILLEGAL_ADDRESS" */
const char *sw_status_text(enum sw_status status);
int sw_status_cuda(enum sw_status status); /* the number shared by CUresult and cudaError_t */
int sw_status_exit_code(enum sw_status status);
/* "file:line:column: message" as far as known; returns buffer. */
const char *sw_error_format(const struct sw_error *error, char *buffer, uint64_t bytes);

/* Return a failing status at once; only in functions where nothing needs cleaning up. */
#define SW_TRY(expr)                                                                                         \
    do {                                                                                                     \
        enum sw_status sw_try_status_ = (expr);                                                              \
        if (sw_try_status_ != SW_OK) return sw_try_status_;                                                  \
    } while (0)

/* Our own mistake: print where and abort. Never compiles out. */
_Noreturn void sw_bug(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define BUG(...) sw_bug(__FILE__, __LINE__, __VA_ARGS__)
#define SW_ASSERT(condition)                                                                                 \
    do {                                                                                                     \
        if (!(condition)) BUG("assertion failed: %s", #condition);                                           \
    } while (0)
#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_PRIV_H
#define COMPARE_PRIV_H

#include "compare/compare.h"

/* The kernel of that (demangled) name, made when it is new. */
struct compare_kernel *compare_kernel_of(struct compare_report *report, const char *name);
/* One launch's value of a metric; unit: of the report, may be "". */
void compare_add(struct compare_report *report, struct compare_kernel *kernel, const char *metric,
                 const char *unit, double value);
/* The mean of so many launches. */
void compare_add_mean(struct compare_report *report, struct compare_kernel *kernel, const char *metric,
                      const char *unit, double mean, uint32_t launches);
/* So many of a kernel's launches ended in an error; why: NULL when the report does not say. */
void compare_add_failed(struct compare_report *report, struct compare_kernel *kernel, uint32_t launches,
                        const char *why);
/* A program or process did not end well. */
void compare_add_failure(struct compare_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
enum sw_status compare_read_json(const char *path, const char *text, size_t bytes, struct compare_report *out,
                                 struct sw_error *error);
enum sw_status compare_read_csv(const char *path, const char *text, struct compare_report *out,
                                struct sw_error *error);
#endif

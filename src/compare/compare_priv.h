/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_PRIV_H
#define COMPARE_PRIV_H

#include "compare/compare.h"

/* The kernel of that (demangled) name, made when it is new. */
struct compare_kernel *compare_kernel_of(struct compare_report *report, const char *name);
/* One launch's value of a metric; unit: of the report, may be "". */
void compare_add(struct compare_report *report, struct compare_kernel *kernel, const char *metric,
                 const char *unit, double value);
enum sw_status compare_read_json(const char *path, const char *text, size_t bytes, struct compare_report *out,
                                 struct sw_error *error);
enum sw_status compare_read_csv(const char *path, const char *text, struct compare_report *out,
                                struct sw_error *error);
#endif

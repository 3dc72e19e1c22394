/* SPDX-License-Identifier: Apache-2.0 */
/* check: reports of what programs do wrong. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "base/base.h"
#include "event/event_finding.h"

struct check_report {
    uint64_t most;                                        /* errors to write; 0: all */
    const char *(*name)(void *user, const char *mangled); /* of a kernel, with its parameters' types */
    void *user;
    uint64_t errors, written; /* so far */
};
/* Appends a finding in the form of compute-sanitizer. */
void check_report_finding(struct check_report *report, const struct event_finding *finding, struct str *out);
void check_report_begin(struct str *out);
void check_report_end(const struct check_report *report, struct str *out);
#endif

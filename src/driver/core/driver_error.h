/* SPDX-License-Identifier: Apache-2.0 */
/* driver: errors, the log (driver_logs.c), and what kernels print (driver_print.c). */
#ifndef DRIVER_ERROR_H
#define DRIVER_ERROR_H

#include "cuda.h"

#include "base/base.h"

#include <stdbool.h>

CUresult driver_result(enum sw_status status);
/* Something is not supported: log it, notify the tool, and return the CUresult of error->status. */
CUresult driver_refuse(const struct sw_error *error);
/* A kernel's name as the source has it, in place (driver_name.c). */
void driver_name_plain(char *name, size_t bytes);
CUresult driver_refuse_call(int *done, const char *function, const char *why);
const char *driver_error_name(CUresult result); /* NULL: no such error */
const char *driver_error_text(CUresult result);

/* What this thread logged since it last marked the log: valid until it logs again (driver_logs.c). */
void driver_logs_mark(void);
const char *driver_logs_marked(void);
void driver_logs_listen(void); /* driver_logs.c: from now on lines of the log are kept */

void driver_print(void *user, const char *text, size_t length); /* any thread */
void driver_print_flush(void);
#endif

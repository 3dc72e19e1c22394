/* SPDX-License-Identifier: Apache-2.0 */
/* What driver_proc.c needs, which declares every entry point without parameters and so cannot include cuda.h.
 */
#ifndef DRIVER_REFUSE_PRIV_H
#define DRIVER_REFUSE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

unsigned driver_refuse_entry(int *done, const char *function); /* a CUresult */
unsigned driver_first_form(void); /* a CUresult: what the forms of CUDA 2.0 answer (driver_older.c) */
void driver_note_static_runtime(const void *caller); /* an address in the code that asked */
/* Address of the newest form of `name` no newer than `version`; NULL: none. *known: the name exists at all.
 */
void *driver_proc_find(const char *name, int version, bool per_thread, bool *known);
#endif

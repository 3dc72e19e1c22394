/* SPDX-License-Identifier: Apache-2.0 */
/* What driver_proc.c needs, which declares every entry point without parameters and so cannot include cuda.h.
 */
#ifndef DRIVER_REFUSE_PRIV_H
#define DRIVER_REFUSE_PRIV_H

#include <stdbool.h>
#include <stdint.h>

unsigned driver_refuse_entry(int *done, const char *function); /* a CUresult */
void driver_note_static_runtime(void);
/* Address of the newest form of `name` no newer than `version`; NULL: none. *known: the name exists at all.
 */
void *driver_proc_find(const char *name, int version, bool per_thread, bool *known);
#endif

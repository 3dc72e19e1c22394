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
/* File that an address of code or data lies in; NULL: the program itself, or none. */
const char *driver_owner_of(const void *address);
/* true: the address is in one of NVIDIA's libraries, text says which and what works instead. false: text is
 * the name of the library if there is one, or left alone. */
bool driver_owner_explain(const void *address, char *text, size_t bytes);
/* NVRTC, which does its work without a driver. */
bool driver_owner_is_compiler(const char *path);
/* What to do about machine code that NVRTC made, where it is loaded; else NULL. */
const char *driver_owner_compiler(void);
/* Address of the newest form of `name` no newer than `version`; NULL: none. *known: the name exists at all.
 */
void *driver_proc_find(const char *name, int version, bool per_thread, bool *known);
#endif

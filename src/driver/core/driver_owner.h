/* SPDX-License-Identifier: Apache-2.0 */
/* driver: whose code or data an address is (driver_owner.c). */
#ifndef DRIVER_OWNER_H
#define DRIVER_OWNER_H

#include <stdbool.h>
#include <stddef.h>

/* File that an address of code or data lies in; NULL: the program itself, or none. */
const char *driver_owner_of(const void *address);
/* true: the address is in one of NVIDIA's libraries, text says which and what works instead. false: text is
 * the name of the library if there is one, or left alone. */
bool driver_owner_explain(const void *address, char *text, size_t bytes);
/* NVRTC, which does its work without a driver. */
bool driver_owner_is_compiler(const char *path);
/* What to do about machine code that NVRTC made, where it is loaded; else NULL. */
const char *driver_owner_compiler(void);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* driver: source lines of the program, for messages (driver_line.c). */
#ifndef DRIVER_LINE_H
#define DRIVER_LINE_H

#include <stddef.h>

/* "scale.cu:12" of "/folder/program+0x1a2b", or "program+0x1a2b" where that is not known. May take seconds.
 */
void driver_line_of(const char *where, char *line, size_t bytes);
#endif

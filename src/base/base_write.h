/* SPDX-License-Identifier: Apache-2.0 */
/* Whole writes to a file of ours. */
#ifndef BASE_WRITE_H
#define BASE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/* false: errno says why. A limit of the size of files (ulimit -f) is such an error, too: the signal that it
 * comes with, which would end the program for a file of ours, is taken away. */
bool sw_write_all(int file, const void *data, size_t bytes);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Files of ours: whole writes, and their size. */
#ifndef BASE_WRITE_H
#define BASE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* false: errno says why. A limit of the size of files (ulimit -f) is such an error, too: the signal that it
 * comes with, which would end the program for a file of ours, is taken away. */
bool sw_write_all(int file, const void *data, size_t bytes);
bool sw_file_resize(int file, uint64_t bytes); /* files of memfd_create are limited, too */
#endif

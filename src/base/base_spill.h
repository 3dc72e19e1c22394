/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting more records than memory should hold: sorted runs go to a temporary file that has no name, and are
 * merged when they are read. A few records never touch the disk. Not thread-safe. */
#ifndef BASE_SPILL_H
#define BASE_SPILL_H

#include "base/base_error.h"

#include <stddef.h>

enum {
    SPILL_RUN_BYTES = 1 << 20, /* of records in memory */
    SPILL_READ_BYTES = 1 << 13 /* of each run while runs are merged */
};

struct spill;
/* As qsort's; records that are equal stay in the order in which they came. */
typedef int (*spill_order)(const void *a, const void *b);

struct spill *spill_new(size_t record_bytes, spill_order order);
void spill_free(struct spill *spill); /* NULL: nothing */
/* Copies a record. Not after spill_begin. */
void spill_add(struct spill *spill, const void *record);
/* To the first record in order; may be called again. */
void spill_begin(struct spill *spill);
/* The next one, until the next call; NULL: no more, or the file cannot be written or read. */
const void *spill_next(struct spill *spill);
/* The one that spill_next gives next. */
const void *spill_peek(struct spill *spill);
/* SW_IO: the temporary file failed since spill_new, and records are lost. */
enum sw_status spill_status(const struct spill *spill, struct sw_error *error);
#endif

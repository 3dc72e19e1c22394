/* SPDX-License-Identifier: Apache-2.0 */
/* driver: what a queue entry does (driver_work.c). */
#ifndef DRIVER_WORK_H
#define DRIVER_WORK_H

#include "driver/core/driver_queue.h"

/* What entries of a kind do. */
struct driver_work_ops {
    void (*run)(struct driver_work *work, struct driver_stream *stream);
    bool always;                               /* run it in a failed context, too */
    void (*release)(struct driver_work *work); /* NULL: it holds nothing */
    /* After the record was copied: its own references. NULL: there are none. */
    void (*copy)(struct driver_work *to, const struct driver_work *from);
    bool (*is_over)(const struct driver_work *work); /* there is nothing to do; NULL: there is */
    /* It will not be run: its context failed, after it began or before. NULL: there is nothing to do. */
    void (*dropped)(struct driver_work *work);
};
void driver_work_define(enum driver_work_kind kind, const struct driver_work_ops *ops); /* by driver_init.c */
bool driver_work_is_over(const struct driver_work *work);
/* Do it, on whichever thread calls; failures make the context fail. */
void driver_work_run(struct driver_work *work, struct driver_stream *stream);
void driver_work_release(struct driver_work *work);
void driver_work_copy(struct driver_work *to, const struct driver_work *from); /* its own references */
void driver_copy_run(const struct driver_copy *copy);
void driver_fill_run(const struct driver_fill *fill);
#endif

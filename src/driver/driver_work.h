/* SPDX-License-Identifier: Apache-2.0 */
/* driver: what a queue entry does (driver_work.c). */
#ifndef DRIVER_WORK_H
#define DRIVER_WORK_H

#include "driver_queue.h"

/* Do it, on whichever thread calls; failures make the context fail. */
void driver_work_run(struct driver_work *work, struct driver_stream *stream);
void driver_work_release(struct driver_work *work);
void driver_work_hold_copies(void); /* none runs until driver_work_let_copies */
void driver_work_let_copies(void);
void driver_work_copy(struct driver_work *to,
                      const struct driver_work *from); /* its own references; not of events */
void driver_copy_run(const struct driver_copy *copy);
void driver_fill_run(const struct driver_fill *fill);
#endif

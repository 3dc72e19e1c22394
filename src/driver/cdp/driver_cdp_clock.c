/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels launch, by the virtual clock: which parts of the host's launch come after which.
 *
 * An operation comes after the grid that queued it, after the one before it in its device stream, and after
 * those whose events it waits for; a tail launch after all that its grid launched. Limits: with helper
 * threads there is no virtual clock, since tools that count have none; of more than six operations that one
 * comes after, all before it are taken. */
#include "driver_cdp.h"

static void cdp_clock_add(struct driver_parts *to, uint32_t part)
{
    for (uint32_t i = 0; i < to->count; i++)
        if (to->at[i] == part) return;
    if (to->count < SW_COUNT_OF(to->at))
        to->at[to->count++] = part;
    else
        to->all = true;
}

static void add_all(struct driver_parts *to, const struct driver_parts *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        cdp_clock_add(to, from->at[i]);
    to->all |= from->all;
}

void driver_cdp_clock_begin(struct cdp_op *op)
{
    if (!driver_clock_running()) return;
    if (op->queue) add_all(&op->after, &op->queue->ends);
    if (op->queue == &op->owner->tail && op->owner->part) cdp_clock_add(&op->after, op->owner->part);
    driver_clock_child(op->owner->part, &op->after);
}

/* An empty operation passes on what it started after. */
void driver_cdp_clock_end(struct cdp_op *op, uint32_t parts_before)
{
    uint32_t parts = driver_clock_parts();
    if (!driver_clock_running()) return;
    driver_clock_child(0, NULL);
    if (parts > parts_before) op->after = (struct driver_parts){.count = 1, .at = {parts}};
    if (op->queue) op->queue->ends = op->after;
}

void driver_cdp_clock_let(const struct cdp_op *op, struct cdp_op *waiter)
{
    add_all(&waiter->after, &op->after);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Managed allocations in pieces, for the files that say where these are: driver_managed.c, _host.c. */
#ifndef DRIVER_MANAGED_H
#define DRIVER_MANAGED_H

#include "driver_operation.h"
#include "event/event_operation.h"

#define DRIVER_PIECE_BYTES (UINT64_C(64) << 10)

struct driver_piece {
    uint64_t print;          /* as the last kernel left it */
    bool on_device, on_host; /* neither: nobody touched it yet; both: copies of each other */
    bool was_on_device, changed;
};
struct driver_managed {
    dev_addr base;
    uint64_t bytes, count;
    bool observed;            /* pages show who touched them */
    unsigned kernels, copies; /* that run now */
    unsigned calls;           /* of the host that still look what it touched; 0: it is not among `recent` */
    bool *touched;            /* by piece: what was found last */
    struct driver_piece *pieces;
};

/* By address, so that pieces are what is mapped at once. */
static inline uint64_t driver_piece_begin(const struct driver_managed *b, uint64_t i)
{
    uint64_t at = (b->base / DRIVER_PIECE_BYTES + i) * DRIVER_PIECE_BYTES;
    return at > b->base ? at : b->base;
}

static inline uint64_t driver_piece_bytes(const struct driver_managed *b, uint64_t i)
{
    uint64_t end = (b->base / DRIVER_PIECE_BYTES + i + 1) * DRIVER_PIECE_BYTES, last = b->base + b->bytes;
    return (end < last ? end : last) - driver_piece_begin(b, i);
}

/* ---- driver_managed_pages.c */
bool driver_managed_observe(const struct driver_managed *b); /* makes them; false: they do not show it */
void driver_managed_drop(const struct driver_managed *b);    /* from now on nobody touched any */
void driver_managed_find_touched(const struct driver_managed *b, bool by_kernel); /* fills b->touched */
uint64_t driver_managed_print(const struct driver_managed *b, uint64_t piece);    /* its fingerprint */

/* ---- driver_managed_host.c */
/* The host misses a piece that the device has: it and others that come with it are on the host then. Returns
 * how long the host waits, in ns. */
uint64_t driver_managed_fault(struct driver_managed *b, uint64_t piece);

/* ---- driver_managed.c: where it is, by the virtual clock */
void driver_managed_note(const struct driver_allocation *allocation, bool allocated); /* or freed */
void driver_managed_launch(const struct driver_launch *launch, const struct driver_stream *stream,
                           bool before); /* it runs */
void driver_managed_copies(const struct event_operation *operation, const struct driver_stream *stream,
                           bool before);                         /* or a fill */
void driver_managed_prefetch(struct event_operation *operation); /* its bytes: those that really move */
/* How long the host has waited for pages that it took back since it was asked last, in ns: at each of its
 * calls, and when it asks for work. */
uint64_t driver_managed_host(void);
uint64_t driver_managed_asked(const struct driver_work *work);
#endif

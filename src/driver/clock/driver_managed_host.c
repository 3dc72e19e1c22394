/* SPDX-License-Identifier: Apache-2.0 */
/* What the host waits for when it touches managed memory that the device has.
 *
 * A fault brings a piece of 64 KiB, and with it the largest part of its 2 MiB (a half, a quarter, ...) of
 * which more than 51 % is on the host by then: so the driver's prefetcher works, as published (Ganguly et
 * al., "Interplay between Hardware Prefetcher and Page Eviction Policy in CPU-GPU Unified Virtual Memory",
 * ISCA 2019; the threshold: NVIDIA's open kernel module). Going up through 2 MiB then takes 6 faults, and
 * their time is a line of bytes: 64 KiB to 64 MiB recorded on an H200 take what that gives within 5 %
 * (tests/hw/h200/copies-1.csv to -3.csv, managed-1.csv to -3.csv, host_read), though the line is that of 64
 * KiB and 1 MiB alone.
 *
 * Limits: the host is taken to go up through the memory; parts of 2 MiB that belong to other allocations
 * count for nothing; writing is taken to cost what reading does. */
#include "driver_managed.h"
#include "driver_timeline.h"

enum { TREE = 32 /* pieces of 2 MiB */, PERCENT = 51 };

struct part { /* of an allocation's pieces: [first, end) */
    uint64_t first, end;
};

/* The aligned part of so many pieces that holds one, as far as the allocation goes. */
static struct part managed_host_part_of(const struct driver_managed *b, uint64_t piece, uint64_t size)
{
    uint64_t origin = b->base / DRIVER_PIECE_BYTES, begin = (origin + piece) / size * size;
    uint64_t first = begin > origin ? begin - origin : 0, end = begin + size - origin;
    return (struct part){first, end < b->count ? end : b->count};
}

static uint64_t on_host(const struct driver_managed *b, struct part part)
{
    uint64_t count = 0;
    for (uint64_t i = part.first; i < part.end; i++)
        count += b->pieces[i].on_host;
    return count;
}

uint64_t driver_managed_fault(struct driver_managed *b, uint64_t piece)
{
    struct part brought = {piece, piece + 1};
    uint64_t bytes = 0;
    b->pieces[piece].on_host = true;
    bytes += driver_piece_bytes(b, piece);
    for (uint64_t size = 2; size <= TREE; size *= 2) {
        struct part part = managed_host_part_of(b, piece, size);
        if (on_host(b, part) * 100 > (part.end - part.first) * PERCENT) brought = part;
    }
    for (uint64_t i = brought.first; i < brought.end; i++) {
        struct driver_piece *p = &b->pieces[i];
        if (!p->on_device || p->on_host) continue;
        p->on_host = true;
        p->on_device = driver_range_mostly_read(driver_piece_begin(b, i), driver_piece_bytes(b, i));
        bytes += driver_piece_bytes(b, i);
    }
    return driver_clock_cost(NULL, EVENT_CALL_HOST_FAULT, bytes);
}

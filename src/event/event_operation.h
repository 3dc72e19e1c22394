/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EVENT_OPERATION_H
#define EVENT_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

/* Operations: what the host asks of a device besides kernels. One record an operation, given when it is done
 * (kernels keep their own, struct event_launch); `order` says when the program asked for it. */
enum event_operation_kind {
    EVENT_OPERATION_COPY,
    EVENT_OPERATION_FILL,
    EVENT_OPERATION_ALLOC, /* of device, pinned or managed memory; registering host memory counts as one */
    EVENT_OPERATION_FREE,
    EVENT_OPERATION_SYNC,     /* the host waits for a stream, an event or a context */
    EVENT_OPERATION_MIGRATE,  /* managed memory that comes to the device because a kernel touches it */
    EVENT_OPERATION_USE,      /* a kernel was given a pointer to an allocation */
    EVENT_OPERATION_PREFETCH, /* managed memory, to the device or (to: PAGEABLE) to the host */
    EVENT_OPERATION_CALL,  /* what a call kept the host, waits included; only for a tool that wants calls */
    EVENT_OPERATION_RANGE, /* of NVTX, and marks; api: its text, caller: its domain, rows: enum
                              event_activity_range; only for a tool that wants calls */
    EVENT_OPERATION_KINDS
};
enum event_memory_kind {
    EVENT_MEMORY_NONE,
    EVENT_MEMORY_PAGEABLE,
    EVENT_MEMORY_PINNED,
    EVENT_MEMORY_REGISTERED,
    EVENT_MEMORY_MANAGED,
    EVENT_MEMORY_DEVICE,
    EVENT_MEMORY_COUNT
};
struct event_operation {
    uint8_t kind;      /* enum event_operation_kind */
    uint8_t from, to;  /* enum event_memory_kind: a copy's sides; of other operations, `to` is the memory;
                          MIGRATE, from: NONE if nobody had touched it, else PAGEABLE */
    bool async;        /* the host did not wait for it */
    bool called_async; /* COPY: the program called an asynchronous function, which may wait all the same */
    bool stored;       /* MIGRATE: the kernel reads nothing there, as far as its code tells */
    bool staged; /* COPY between two devices, when it was asked for: neither may reach the other's memory */
    bool unchanged; /* COPY: the destination held the same bytes before; MIGRATE: the host had the pages, but
                       changed none of them since the last kernel */
    uint32_t device, context, stream; /* ordinals, as in struct event_launch */
    uint32_t peer;     /* COPY by the virtual clock: the other device of a copy between two, else the same */
    uint64_t order;    /* among the calls of the process, from 0 */
    uint64_t launches; /* kernels launched before the call; USE: the launch's id */
    uint64_t count;    /* 1; a summary of operations that are alike: how many */
    uint64_t bytes;    /* moved, allocated, or changed; of a summary: all together */
    uint64_t rows;     /* of a strided copy; 1 otherwise */
    uint64_t from_address,
        to_address;            /* only to be compared; FREE has none of the bytes but the same address */
    uint64_t start_ns, end_ns; /* of the device's clock; equal where it takes no time */
    uint64_t cause_ns; /* by the virtual clock: the end of the work that it waited for last, itself, for its
                          engine, or the host before it asked; 0: of none */
    uint32_t correlation; /* of the call (event_activity.h); 0: nobody listened */
    uint32_t value;       /* FILL: what is written */
    uint32_t thread;      /* of the host that called, from 1 in the order of their first calls */
    const char *api;      /* the function that the program called, "cudaMemcpy"; "": not known */
    const char *caller;   /* where from, "/folder/program+0x1a2b"; "": not known */
};
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* How long copies, fills and calls take.
 *
 * Models: a copy as a point of a line through measured times by size, one line a kind of memory on both sides
 * (gpus/NAME.ini, section [time]); rows of strided copies over PCIe; for GPUs without measurements, lines
 * from the generation and lanes of PCIe and from DRAM's bandwidth. Does not model: the placement of host
 * memory on NUMA nodes; other traffic on PCIe and in DRAM; the host's own speed, which is that of the
 * measured machine. Sources: tests/hw/h200/copies-1.csv to -3.csv, managed-1.csv to -3.csv,
 * tests/hw/h100/peer-1.csv, -2.csv. PCI Express Base Specification 6.0, tables of transfer rates: 2.5, 5, 8,
 * 16, 32 GT/s a lane with 8b/10b coding up to the second generation and 128b/130b since. What arrives of
 * that and of DRAM's bandwidth, and latencies: arch_time.def. */
#include "clock/clock.h"

#include "event/event_operation.h"

#define MIB ((uint64_t)1 << 20) /* definition */
#define GIB ((uint64_t)1 << 30) /* definition */

uint64_t clock_link_rate(const struct arch_gpu *gpu)
{
    /* documented: PCI Express Base Specification, megabytes a second of a lane by generation */
    static const uint64_t LANE[] = {250, 250, 500, 985, 1969, 3938, 7563};
    uint64_t generation =
        gpu->pcie_generation < SW_COUNT_OF(LANE) ? gpu->pcie_generation : SW_COUNT_OF(LANE) - 1;
    uint64_t rate = LANE[generation] * gpu->pcie_lanes;
    return rate ? rate : 1;
}

/* What the host takes for pageable memory, measured on the H200's (copies-1.csv to -3.csv), whatever the GPU:
 * up to 64 KiB to the device it copies into a buffer and does not wait; beyond, and from the device, buffers
 * go to and fro. */
static const struct arch_curve HOST_IN = {
    .count = 5,
    .at = {{1024, 1840}, {65536, 11184}, {131072, 11360}, {2097152, 145696}, {33554432, 2342240}}};
/* measured: the same */
static const struct arch_curve HOST_OUT = {.count = 7,
                                           .at = {{1024, 3840},
                                                  {4096, 4416},
                                                  {16384, 5120},
                                                  {65536, 11200},
                                                  {524288, 55296},
                                                  {1048576, 100896},
                                                  {33554432, 2229088}}};

/* From a device to another through the host, in pieces in its memory: measured between two H100
 * (tests/hw/h100/peer-1.csv, -2.csv). */
static const struct arch_curve PEER_STAGED = {.count = 8,
                                              .at = {{1024, 4156},
                                                     {4096, 5324},
                                                     {16384, 6652},
                                                     {65536, 14332},
                                                     {262144, 17980},
                                                     {1048576, 45964},
                                                     {2097152, 69388},
                                                     {268435456, 7057596}}};

static uint64_t copy_part(uint64_t rate, uint64_t permille)
{
    uint64_t some = rate * permille / 1000;
    return some ? some : 1;
}

static uint64_t pcie_rate(const struct arch_gpu *gpu) /* bytes a microsecond that arrive */
{
    return copy_part(clock_link_rate(gpu), gpu->time.pcie_permille);
}

static uint64_t dram_rate(const struct arch_gpu *gpu)
{
    uint64_t rate = (uint64_t)(arch_dram_bytes_per_second(gpu) / 1e6);
    return rate ? rate : 1;
}

static uint64_t copy_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void copy_line(struct arch_curve *curve, uint64_t latency_ns, uint64_t rate)
{
    if (curve->count) return;
    *curve = (struct arch_curve){.count = 2,
                                 .at = {{0, latency_ns}, {GIB, latency_ns + GIB * 1000 / (rate ? rate : 1)}}};
}

/* Pageable memory: what the host takes for it anywhere, or PCIe where that is slower. */
static void staged(struct arch_curve *curve, const struct arch_curve *host, uint64_t latency_ns,
                   uint64_t rate)
{
    if (curve->count) return;
    *curve = *host;
    for (uint64_t i = 0; i < curve->count; i++) {
        uint64_t bus_ns = latency_ns + curve->at[i].bytes * 1000 / rate;
        if (bus_ns > curve->at[i].ns) curve->at[i].ns = bus_ns;
    }
}

/* Small fills are commands, larger ones kernels. The small ones: measured on the H200, copies-1.csv. */
static void fills(struct arch_curve *curve, uint64_t latency_ns, uint64_t rate)
{
    if (curve->count) return;
    *curve = (struct arch_curve){
        .count = 4,
        .at = {{1024, 1630}, {4096, 2078}, {16384, latency_ns}, {GIB, latency_ns + GIB * 1000 / rate}}};
}

struct arch_time clock_parameters(const struct arch_gpu *gpu)
{
    struct arch_time time = gpu->time;
    uint64_t pcie = pcie_rate(gpu), dram = dram_rate(gpu);
    copy_line(&time.h2d_pinned, time.h2d_ns, pcie);
    copy_line(&time.d2h_pinned, time.d2h_ns, pcie);
    staged(&time.h2d_pageable, &HOST_IN, time.h2d_ns, pcie);
    staged(&time.d2h_pageable, &HOST_OUT, time.d2h_ns, pcie);
    copy_line(&time.d2d, time.d2d_ns, copy_part(dram, time.d2d_permille));
    copy_line(&time.d2d_rows, time.d2d_ns, copy_part(dram, time.d2d_rows_permille));
    copy_line(&time.peer, time.d2d_ns, pcie);
    staged(&time.peer_staged, &PEER_STAGED, time.d2h_ns + time.h2d_ns,
           copy_part(pcie, time.peer_staged_permille));
    fills(&time.fill, time.fill_ns, copy_part(dram, time.fill_permille));
    copy_line(&time.fault, time.fault_ns, copy_least(pcie, time.fault_mb_per_s));
    if (!time.fault_write.count) time.fault_write = time.fault;
    copy_line(&time.prefetch_in, time.prefetch_ns, pcie);
    copy_line(&time.prefetch_out, time.prefetch_ns, copy_least(pcie, time.staging_mb_per_s));
    copy_line(&time.fault_first, time.fault_first_ns, time.fault_first_mb_per_s);
    copy_line(&time.host_fault, time.host_fault_ns, copy_least(pcie, time.host_fault_mb_per_s));
    if (gpu->cc_major < 3 || (gpu->cc_major == 3 && gpu->cc_minor < 5)) {
        time.grids = gpu->cc_major < 2 ? 1 : 16; /* CUDA C++ Programming Guide, maximum resident grids */
    } else if (gpu->cc_major == 3 || (gpu->cc_major == 5 && gpu->cc_minor < 3)) {
        time.grids = 32;
    }
    return time;
}

uint64_t clock_curve(const struct arch_curve *curve, uint64_t bytes)
{
    uint64_t i = 0;
    while (i + 2 < curve->count && curve->at[i + 1].bytes <= bytes)
        i++;
    double x0 = (double)curve->at[i].bytes, y0 = (double)curve->at[i].ns;
    double slope = ((double)curve->at[i + 1].ns - y0) / ((double)curve->at[i + 1].bytes - x0);
    double ns = y0 + slope * ((double)bytes - x0);
    return ns < 1 ? 1 : (uint64_t)ns;
}

static bool is_pageable(uint8_t kind)
{
    return kind == EVENT_MEMORY_PAGEABLE || kind == EVENT_MEMORY_NONE;
}

/* Managed memory is taken to be where the copy is going to, or comes from, on the device. */
static bool is_on_device(uint8_t kind)
{
    return kind == EVENT_MEMORY_DEVICE || kind == EVENT_MEMORY_MANAGED;
}

/* Between two places on the host: through the processor, as fast as staging. */
static const struct arch_curve *copy_curve(const struct arch_time *time, const struct event_work *work)
{
    bool from = is_on_device(work->from), to = is_on_device(work->to);
    if (from && to && work->peer != work->device) return work->staged ? &time->peer_staged : &time->peer;
    if (from && to) return work->rows > 1 ? &time->d2d_rows : &time->d2d;
    if (from) return is_pageable(work->to) ? &time->d2h_pageable : &time->d2h_pinned;
    return is_pageable(work->from) || !to ? &time->h2d_pageable : &time->h2d_pinned;
}

static uint64_t strided_ns(const struct arch_time *time, const struct event_work *work)
{
    const struct arch_curve *curve = copy_curve(time, work);
    uint64_t flat = clock_curve(curve, work->bytes), start = clock_curve(curve, 0);
    uint64_t rows = start + work->rows * time->row_ps / 1000;
    bool strided = work->rows > 1 && curve != &time->d2d_rows;
    if (curve == &time->h2d_pinned && work->from == EVENT_MEMORY_REGISTERED) flat += time->registered_ns;
    return strided && rows > flat ? rows : flat;
}

uint64_t clock_copy_ns(const struct arch_time *time, const struct event_work *work)
{
    switch ((enum event_work_kind)work->kind) {
    case EVENT_WORK_COPY: return work->bytes ? strided_ns(time, work) : 0;
    case EVENT_WORK_FILL: return work->bytes ? clock_curve(&time->fill, work->bytes) : 0;
    case EVENT_WORK_MIGRATE:
        if (work->from == EVENT_MEMORY_NONE) return clock_curve(&time->fault_first, work->bytes);
        return clock_curve(work->stored ? &time->fault_write : &time->fault, work->bytes);
    case EVENT_WORK_PREFETCH:
        return clock_curve(is_on_device(work->to) ? &time->prefetch_in : &time->prefetch_out, work->bytes);
    case EVENT_WORK_LAUNCH: break;
    }
    return 0;
}

uint64_t clock_call_ns(const struct arch_time *time, enum event_call call, uint64_t bytes)
{
    uint64_t pages = bytes >= 2 * MIB ? bytes / (2 * MIB) * time->alloc_page_ns : 0;
    uint64_t host_pages = bytes / 4096 * time->host_alloc_page_ns;
    switch (call) {
    case EVENT_CALL_LAUNCH: return time->call_launch_ns;
    case EVENT_CALL_GRAPH: return time->call_graph_ns;
    case EVENT_CALL_WAIT: return time->call_wait_ns;
    case EVENT_CALL_CONDITION: return time->condition_ns;
    case EVENT_CALL_HOST_FUNCTION: return time->host_function_ns;
    case EVENT_CALL_HOST_WAKE: return time->host_wake_ns;
    case EVENT_CALL_PEER_WAIT: return time->peer_wait_ns;
    case EVENT_CALL_COPY: return time->call_copy_ns;
    case EVENT_CALL_FILL: return time->call_fill_ns;
    case EVENT_CALL_RECORD: return time->call_record_ns;
    case EVENT_CALL_QUERY: return time->call_query_ns;
    case EVENT_CALL_SYNC: return time->call_sync_ns;
    case EVENT_CALL_ALLOC:
    case EVENT_CALL_FREE: return time->call_alloc_ns + pages;
    case EVENT_CALL_HOST_ALLOC:
    case EVENT_CALL_HOST_FREE: return time->call_host_alloc_ns + host_pages;
    case EVENT_CALL_SUBMIT: return time->submit_ns;
    case EVENT_CALL_NOTICE: return time->notice_ns;
    case EVENT_CALL_HOST_FAULT: return clock_curve(&time->host_fault, bytes);
    case EVENT_CALL_COUNT: break;
    }
    return 0;
}

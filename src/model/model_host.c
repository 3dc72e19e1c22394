/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory that kernels read and write over PCIe (pinned or registered, mapped into the device).
 *
 * Models: L1 keeps its lines like any other; L2 does not, so that each request that comes to L2 crosses the
 * bus: reads and writes are counted apart, in sectors and in requests, since each request has a head of its
 * own there. An atomic is a read and a write. Does not model: GPUs that share the host's memory (Tegra);
 * stores that meet in L2 before they leave; reads that wait for a line which another has asked for (as for
 * DRAM). Sources: CUDA C++ Best Practices Guide, "Zero Copy": mapped memory is not cached on the GPU, should
 * be read or written once, and coalesced. tests/hw/h200/copies-1.csv, read_mapped: an element that a thread
 * reads twice crosses the bus once. */
#include "model_cache_priv.h"

#include <string.h>

void model_host_begin(struct model_host *host, const struct event_launch *launch)
{
    host->count = 0;
    for (uint32_t i = 0; i < launch->host_count && i < MODEL_HOST_RANGES; i++) {
        const struct event_range *range = &launch->host[i];
        uint64_t first = range->begin >> EVENT_LINE_SHIFT, last = (range->end - 1) >> EVENT_LINE_SHIFT;
        host->ranges[host->count++] = (struct model_host_range){first, last - first};
    }
}

void model_host_read(uint32_t mask, struct event_memory_sums *sums)
{
    sums->host_reads += model_sectors(mask);
    sums->host_read_requests++;
}

void model_host_write(uint32_t mask, struct event_memory_sums *sums)
{
    sums->host_writes += model_sectors(mask);
    sums->host_write_requests++;
}

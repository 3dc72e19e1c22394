/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory that kernels read and write over PCIe (pinned or registered, mapped into the device), and
 * memory of other devices, over NVLink or PCIe.
 *
 * Models: L1 keeps its lines like any other; L2 does not, so that each request that comes to L2 crosses the
 * bus: reads and writes are counted apart, in sectors and in requests, since each request has a head of its
 * own there. An atomic is a read and a write. Each way of a link takes one request after the other, at its
 * rate. Does not model: GPUs that share the host's memory (Tegra);
 * stores that merge in L2 before they leave; reads that wait for a line which another has asked for (as for
 * DRAM); the other device's L2 and DRAM, and what its own kernels do there. Sources: CUDA C++ Best Practices
 * Guide, "Zero Copy": mapped memory is not cached on the GPU, should be read or written once, and coalesced.
 * tests/hw/h200/copies-1.csv, read_mapped, and tests/hw/h100/peer-1.csv, read_peer: an element that a thread
 * reads twice crosses the bus once. */
#include "model/cache/model_slices.h"

#include <string.h>

void model_host_begin(struct model_host *host, const struct event_launch *launch)
{
    host->count = 0;
    for (uint32_t i = 0; i < launch->far_count && i < MODEL_HOST_RANGES; i++) {
        const struct event_range *range = &launch->far[i];
        uint64_t first = range->begin >> EVENT_LINE_SHIFT, last = (range->end - 1) >> EVENT_LINE_SHIFT;
        host->ranges[host->count++] = (struct model_host_range){first, last - first, range->peer};
    }
}

void model_host_read(const struct model_host_range *range, uint32_t mask, struct event_memory_sums *sums)
{
    *(range->peer ? &sums->peer_reads : &sums->host_reads) += model_sectors(mask);
    *(range->peer ? &sums->peer_read_requests : &sums->host_read_requests) += 1;
}

void model_host_write(const struct model_host_range *range, uint32_t mask, struct event_memory_sums *sums)
{
    *(range->peer ? &sums->peer_writes : &sums->host_writes) += model_sectors(mask);
    *(range->peer ? &sums->peer_write_requests : &sums->host_write_requests) += 1;
}

/* One after the other: what waits for a link waits long beside the steps of the replay. */
static model_time host_take(struct model_links *links, uint32_t link, double work, model_time now)
{
    model_time *until = &links->until[link], from = *until > now ? *until : now;
    return *until = from + (model_time)(work * MODEL_TICK / 1000);
}

model_time model_host_crosses(struct model_links *links, const struct model_host *host,
                              const struct model_crossing *what, model_time now, model_time done)
{
    const struct model_host_range *range = model_host_has(host, what->line);
    if (!range) return done;
    const struct model_link_rates *r = range->peer ? &links->rates->peer_link : &links->rates->host_link;
    uint64_t work = (uint64_t)what->sectors * r->sector + r->request;
    model_time came = now, went = now;
    if (what->in)
        came = host_take(links, range->peer ? MODEL_FROM_PEER : MODEL_FROM_HOST,
                         (double)(work > r->read ? work : r->read) * what->scale, now);
    if (what->out)
        went = host_take(links, range->peer ? MODEL_TO_PEER : MODEL_TO_HOST, (double)work * what->scale, now);
    if (came > done) done = came;
    return went > done ? went : done;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* How long PCIe takes for what a kernel reads and writes in mapped host memory.
 *
 * Models: each direction for itself: payload and a head for each request, at the rate of the link; reads also
 * by how many may be under way at once. Does not model: copies beside the kernel on the same link, the
 * switch and the host's memory, peers. Sources: PCI Express Base Specification 6.0: heads of 12 or 16 bytes,
 * 4 bytes of framing and 4 of check a packet; of the link's rate 4 % go to acknowledgements and credit (what
 * 256-byte packets of copies left on the H200: 55.3 of 63.0 GB/s * 256 / 280). Requests under way: tags of 8
 * bits, since PCIe 4.0 of 10 of which 768 serve (the specification, 2.2.6.2). The round trip of 1.0 to 1.6
 * us, and that 32-byte requests reach 4.7 GB/s where 128-byte ones reach 12.2 (PCIe 3.0, 16 lanes): Min et
 * al., "EMOGI", VLDB 2020, which predicts so from 256 tags. tests/hw/h200/copies-1.csv: read_mapped,
 * write_mapped (nothing was fitted to them but the latency). */
#include "timing/timing_clock.h"
#include "timing_kernel_priv.h"

enum { SECTOR = 32, HEAD = 24, LINK_PERMILLE = 960, ROUND_TRIP_NS = 1500 };

static double wire_ns(const struct arch_gpu *gpu, uint64_t sectors, uint64_t requests)
{
    double bytes = (double)sectors * SECTOR + (double)requests * HEAD;
    return bytes * 1000 / ((double)timing_link_rate(gpu) * LINK_PERMILLE / 1000);
}

double timing_host_ns(const struct arch_gpu *gpu, const struct event_memory_sums *sums)
{
    double tags = gpu->pcie_generation >= 4 ? 768 : 256;
    double in = wire_ns(gpu, sums->host_reads, sums->host_read_requests);
    double out = wire_ns(gpu, sums->host_writes, sums->host_write_requests);
    double waits = (double)sums->host_read_requests * ROUND_TRIP_NS / tags;
    if (waits > in) in = waits;
    return in > out ? in : out;
}

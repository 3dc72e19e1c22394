/* SPDX-License-Identifier: Apache-2.0 */
/* How long PCIe takes for what a kernel reads and writes in mapped host memory, and the link to another
 * device for what it does in that one's.
 *
 * Models: each direction for itself: payload and a head for each request, at the rate of the link; reads also
 * by how many may be under way at once. Does not model: copies beside the kernel on the same link, the
 * switch and the host's memory, peers. Sources: PCI Express Base Specification 6.0: heads of 12 or 16 bytes,
 * 4 bytes of framing and 4 of check a packet; of the link's rate 4 % go to acknowledgements and credit (what
 * 256-byte packets of copies left on the H200: 55.3 of 63.0 GB/s * 256 / 280). Requests under way: tags of 8
 * bits, since PCIe 4.0 of 10 of which 768 serve (the specification, 2.2.6.2). The round trip of 1.0 to 1.6
 * us, and that 32-byte requests reach 4.7 GB/s where 128-byte ones reach 12.2 (PCIe 3.0, 16 lanes): Min et
 * al., "EMOGI", VLDB 2020, which predicts so from 256 tags. tests/hw/h200/copies-1.csv: read_mapped,
 * write_mapped (nothing was fitted to them but the latency). Links between devices: the rate of copies (which
 * come in requests of 128 bytes, with a head of one flit of 16: NVLink, so that 128 of 144 bytes are data).
 * tests/hw/h100/peer-1.csv: read_peer, write_peer (nothing was fitted to them but the latency). */
#include "clock/clock.h"
#include "timing_kernel_priv.h"

/* bytes. documented: a flit and a request of NVLink; implementation: between which a curve's rate is taken */
enum { FLIT = 16, LINE = 128, LARGE = 1 << 30, SMALL = 1 << 29 };
/* documented: bytes of a sector, of a packet's head (as above). inferred: what acknowledgements leave of a
 * link. ROUND_TRIP_NS: published, EMOGI's 1.0 to 1.6 us */
enum { SECTOR = 32, HEAD = 24, LINK_PERMILLE = 960, ROUND_TRIP_NS = 1500 };

static double wire_ns(const struct arch_gpu *gpu, uint64_t sectors, uint64_t requests)
{
    double bytes = (double)sectors * SECTOR + (double)requests * HEAD;
    return bytes * 1000 / ((double)clock_link_rate(gpu) * LINK_PERMILLE / 1000);
}

/* Of those that may be under way, each has so long. */
static double round_trip_ns(const struct arch_gpu *gpu)
{
    return (double)ROUND_TRIP_NS / (gpu->pcie_generation >= 4 ? 768 : 256); /* documented: tags, as above */
}

struct model_link_rates timing_host_link(const struct arch_gpu *gpu, double cycles_per_ns)
{
    double each = cycles_per_ns * 1000;
    return (struct model_link_rates){.sector = (uint32_t)(wire_ns(gpu, 1, 0) * each + 0.5),
                                     .request = (uint32_t)(wire_ns(gpu, 0, 1) * each + 0.5),
                                     .read = (uint32_t)(round_trip_ns(gpu) * each + 0.5)};
}

double timing_host_ns(const struct arch_gpu *gpu, const struct event_memory_sums *sums)
{
    double in = wire_ns(gpu, sums->host_reads, sums->host_read_requests);
    double out = wire_ns(gpu, sums->host_writes, sums->host_write_requests);
    double waits = (double)sums->host_read_requests * round_trip_ns(gpu);
    if (waits > in) in = waits;
    return in > out ? in : out;
}

static double link_ns(double rate, uint64_t sectors, uint64_t requests)
{
    return ((double)sectors * SECTOR + (double)requests * FLIT) * LINE / (LINE + FLIT) / rate;
}

/* Of copies, bytes a nanosecond. */
static double peer_rate(const struct arch_gpu *gpu)
{
    struct arch_time time = clock_parameters(gpu);
    return (LARGE - SMALL) / (double)(clock_curve(&time.peer, LARGE) - clock_curve(&time.peer, SMALL));
}

struct model_link_rates timing_peer_link(const struct arch_gpu *gpu, double cycles_per_ns)
{
    double rate = peer_rate(gpu), each = cycles_per_ns * 1000;
    return (struct model_link_rates){.sector = (uint32_t)(link_ns(rate, 1, 0) * each + 0.5),
                                     .request = (uint32_t)(link_ns(rate, 0, 1) * each + 0.5)};
}

double timing_peer_ns(const struct arch_gpu *gpu, const struct event_memory_sums *sums)
{
    if (!sums->peer_reads && !sums->peer_writes) return 0;
    double rate = peer_rate(gpu), in = link_ns(rate, sums->peer_reads, sums->peer_read_requests),
           out = link_ns(rate, sums->peer_writes, sums->peer_write_requests);
    return in > out ? in : out;
}

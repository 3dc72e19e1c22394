/* SPDX-License-Identifier: Apache-2.0 */
/* What a GPU's units take, for the replay that keeps time.
 *
 * Models: the rates of L1, of L2's slices and of DRAM, and what a launch's blocks take to begin.
 * Sources: section [kernels] of gpus/NAME.ini; of DRAM: its clock and width. */
#include "timing/timing_intervals.h"
#include "timing_kernel_priv.h"

struct model_rates timing_rates(const struct arch_gpu *gpu)
{
    const struct arch_kernels *k = &gpu->kernels;
    double clock = (double)(k->sm_clock_khz ? k->sm_clock_khz : gpu->clock_khz);
    double peak = arch_dram_bytes_per_second(gpu) / 1000; /* in a thousandth of a second */
    const struct arch_pipes *pipes = arch_pipes_find(gpu->cc_major, gpu->cc_minor);
    double percent =
        gpu->cache.dram_banks ? 0 : 10; /* rows of banks take their own time (model_channels.c) */
    double dram = peak > 0 ? 32 / (peak * (double)k->replay_dram_permille / 1000) * clock : 0;
    uint32_t warp = pipes && pipes->load ? SW_WARP_LANES * 1000u / (uint32_t)pipes->load : 0;
    return (struct model_rates){
        .access = k->replay_access_millicycles ? (uint32_t)k->replay_access_millicycles : warp,
        .line = (uint32_t)k->replay_line_millicycles,
        .sector = (uint32_t)k->replay_sector_millicycles,
        .found = (uint32_t)k->l1_line_centicycles * 10,
        .fill = (uint32_t)k->sm_fill_centicycles * 10,
        .store = (uint32_t)k->replay_store_millicycles,
        .l2_sector = (uint32_t)k->replay_l2_millicycles,
        .l2_request = (uint32_t)k->replay_request_millicycles,
        .l2_fabric = (uint32_t)k->l2_fabric_millicycles,
        .l2_write = (uint32_t)k->replay_write_millicycles,
        .dram_sector = (uint32_t)(dram * 1000 + 0.5),
        .dram_row = (uint32_t)(dram * percent * (double)k->replay_row_percent + 0.5),
        .dram_write = (uint32_t)(dram * percent * (double)k->replay_dram_write_percent + 0.5),
        .l2_refill = (uint32_t)k->replay_refill_millicycles,
        .l2_filling = (uint32_t)k->replay_filling_cycles * 1000,
        .l2_invalidation = (uint32_t)k->replay_invalidation_millicycles,
        .l2_waiting = (uint32_t)k->replay_waiting_percent * 10,
        .block = (uint32_t)k->sm_blocks_centicycles * 10,
        .warp = (uint32_t)k->sm_warp_cycles * 1000,
        .restart = (uint32_t)k->sm_block_cycles,
        .arrive = (uint32_t)k->sm_barrier_warp_centicycles * 10,
        .barrier = (uint32_t)k->sm_barrier_cycles,
        .atomic = (uint32_t)k->replay_atomic_cycles,
        .load = (uint32_t)k->sm_memory_extra_cycles,
        .dram = (uint32_t)k->sm_dram_extra_cycles,
        .host = (uint32_t)(TIMING_HOST_LATENCY_NS * clock / 1e6),
        .peer = (uint32_t)(TIMING_PEER_LATENCY_NS * clock / 1e6),
        .host_link = timing_host_link(gpu, clock / 1e6),
        .peer_link = timing_peer_link(gpu, clock / 1e6),
        .schedulers = pipes ? pipes->schedulers : 1};
}

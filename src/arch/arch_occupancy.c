/* SPDX-License-Identifier: Apache-2.0 */
/* Theoretical occupancy: how many blocks of a kernel one multiprocessor can hold, and what limits it.
 *
 * Method: each of blocks, warps, registers and shared memory allows a number of blocks; the least one wins.
 * Registers are given out by warp (since cc 2.0, in units of register_unit, and only whole multiples of
 * warp_unit warps fit a multiprocessor's partitions) or by block (cc 1.x, warps rounded up to warp_unit).
 * A launch that can never run gives 0 blocks, not an error: that is what the limit figures mean.
 * Limits: barriers and thread block clusters are not counted.
 * Sources: see arch_cc.def. */
#include "arch/arch.h"

#include "base/base_text.h"

#include <string.h>

static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static uint32_t occupancy_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Blocks that the register file allows; *per_block: registers a block takes. */
static uint32_t registers_allow(const struct arch_cc *cc, uint32_t registers, uint32_t warps,
                                uint32_t *per_block)
{
    if (!registers) {
        *per_block = 0;
        return cc->blocks_per_sm;
    }
    if (!cc->register_by_warp) {
        *per_block = round_up(round_up(warps, cc->warp_unit) * SW_WARP_LANES * registers, cc->register_unit);
        return cc->registers_per_sm / *per_block;
    }
    uint32_t per_warp = round_up(registers * SW_WARP_LANES, cc->register_unit);
    *per_block = per_warp * warps;
    if (registers > cc->registers_per_thread ||
        per_warp * round_up(warps, cc->warp_unit) > cc->registers_per_block)
        return 0;
    return cc->registers_per_sm / cc->warp_unit / per_warp * cc->warp_unit / warps;
}

/* Within Pascal a block that its registers keep off a 6.1, with four partitions, runs on no 6.0 either, whose
 * two could hold it (cuda_occupancy.h of CUDA 13.0). */
static uint32_t limit_registers(const struct arch_cc *cc, uint32_t registers, uint32_t warps,
                                uint32_t *per_block)
{
    uint32_t allowed = registers_allow(cc, registers, warps, per_block), there;
    if (cc->major == 6 && cc->minor == 0 && !registers_allow(arch_cc_find(6, 1), registers, warps, &there))
        return 0;
    return allowed;
}

enum sw_status arch_occupancy_compute(const struct arch_cc *cc, const struct arch_occupancy_request *request,
                                      struct arch_occupancy *out, struct sw_error *error)
{
    if (!request->threads || request->threads > cc->threads_per_block)
        return sw_fail(error, SW_INVALID_VALUE,
                       "a block of %u threads is not possible on compute capability %u.%u: use 1 to %u",
                       request->threads, cc->major, cc->minor, cc->threads_per_block);
    struct arch_occupancy o = {.max_warps_per_sm = cc->warps_per_sm, .limit_blocks = cc->blocks_per_sm};
    uint32_t warps = (request->threads + SW_WARP_LANES - 1) / SW_WARP_LANES;
    uint32_t carveout = request->shared_carveout_bytes ? request->shared_carveout_bytes : cc->shared_per_sm;
    o.limit_warps = cc->warps_per_sm / warps;
    o.limit_registers = limit_registers(cc, request->registers, warps, &o.registers_per_block);
    o.shared_per_block = round_up(request->shared_bytes + cc->shared_reserved, cc->shared_unit);
    if (carveout < o.shared_per_block) carveout = arch_shared_choice(cc, 0, o.shared_per_block);
    o.limit_shared = request->shared_bytes > cc->shared_per_block_optin ? 0
                     : o.shared_per_block                               ? carveout / o.shared_per_block
                                                                        : cc->blocks_per_sm;
    o.blocks_per_sm = occupancy_least(occupancy_least(o.limit_blocks, o.limit_warps),
                                      occupancy_least(o.limit_registers, o.limit_shared));
    o.warps_per_sm = o.blocks_per_sm * warps;
    o.fraction = (double)o.warps_per_sm / cc->warps_per_sm;
    *out = o;
    return SW_OK;
}

const char *arch_occupancy_limiter(const struct arch_occupancy *o)
{
    if (o->blocks_per_sm == o->limit_warps) return N_("warps");
    if (o->blocks_per_sm == o->limit_registers) return N_("registers");
    if (o->blocks_per_sm == o->limit_shared) return N_("shared memory");
    return N_("blocks");
}

/* Sizes that the driver can choose, in KiB: the compute capabilities' chapters of the programming guide. */
static const uint16_t CARVEOUT_KIB[] = {8, 16, 32, 64, 96, 100, 132, 164, 196, 228};

static bool is_choice(const struct arch_cc *cc, uint32_t kib)
{
    if (kib * 1024 > cc->shared_per_sm) return false;
    if (cc->major == 7) return kib != 100 && (cc->minor != 5 || kib >= 32);
    return kib != 96;
}

uint32_t arch_shared_choice(const struct arch_cc *cc, uint32_t wanted, uint32_t least)
{
    for (size_t i = 0; cc->major >= 7 && i < SW_COUNT_OF(CARVEOUT_KIB); i++) {
        uint32_t bytes = CARVEOUT_KIB[i] * 1024u;
        if (bytes >= wanted && bytes >= least && is_choice(cc, CARVEOUT_KIB[i])) return bytes;
    }
    return cc->shared_per_sm;
}

/* Fits all of 599 launches recorded on an H200 (tests/hw/memory, tests/hw/timing): room for twice the blocks
 * that can be resident, as far as that takes no more than half of what L1 and shared memory share; once where
 * that is more, or the block has 1024 threads. */
uint32_t arch_shared_carveout(const struct arch_cc *cc, uint32_t threads, uint32_t registers,
                              uint32_t shared_per_block)
{
    if (cc->major < 7) return cc->shared_per_sm;
    uint32_t warps = (threads + SW_WARP_LANES - 1) / SW_WARP_LANES, per_block,
             blocks = cc->warps_per_sm / (warps ? warps : 1);
    if (shared_per_block <= cc->shared_reserved && cc->shared_reserved) /* 4 KiB a block, as recorded */
        return arch_shared_choice(cc, blocks < 8 ? blocks * 4096 : 32 << 10, cc->shared_reserved);
    uint32_t half = round_up(cc->shared_per_sm, 64 << 10) / 2;
    blocks = occupancy_least(
        blocks,
        occupancy_least(cc->blocks_per_sm, limit_registers(cc, registers, warps ? warps : 1, &per_block)));
    if (shared_per_block) blocks = occupancy_least(blocks, cc->shared_per_sm / shared_per_block);
    uint32_t once = blocks * shared_per_block, need = threads < 1024 ? occupancy_least(2 * once, half) : once;
    return arch_shared_choice(cc, need, once);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* How occupancy moves with each resource, and the block size that keeps most threads resident.
 *
 * A curve is the occupancy of every value that a kernel could have of one resource, the others as asked:
 * blocks of whole warps, registers a thread, shared memory in allocation units of a kibibyte. Limits: values
 * that no launch may have are left out. Sources: those of arch_occupancy.c; the suggestion is what CUDA
 * documents of cudaOccupancyMaxPotentialBlockSize: most resident threads, and of equals the largest block. */
#include "arch/arch.h"

static const uint32_t SHARED_STEP = 1024;

static uint32_t *curves_value_of(struct arch_occupancy_request *request, enum arch_occupancy_axis axis)
{
    switch (axis) {
    case ARCH_AXIS_BLOCK: return &request->threads;
    case ARCH_AXIS_REGISTERS: return &request->registers;
    case ARCH_AXIS_SHARED: break;
    }
    return &request->shared_bytes;
}

uint32_t arch_occupancy_curve(const struct arch_cc *cc, const struct arch_occupancy_request *request,
                              enum arch_occupancy_axis axis, struct arena *arena, struct arch_point **out)
{
    const uint32_t step = axis == ARCH_AXIS_BLOCK    ? SW_WARP_LANES
                          : axis == ARCH_AXIS_SHARED ? SHARED_STEP
                                                     : 1,
                   last = axis == ARCH_AXIS_BLOCK       ? cc->threads_per_block
                          : axis == ARCH_AXIS_REGISTERS ? cc->registers_per_thread
                                                        : cc->shared_per_block_optin;
    struct arch_occupancy_request varied = *request;
    struct arch_point *points = ARENA_ARRAY(arena, struct arch_point, last / step + 2);
    uint32_t *value = curves_value_of(&varied, axis), count = 0;
    for (*value = axis == ARCH_AXIS_SHARED ? 0 : step; *value <= last; *value += step) {
        points[count].value = *value;
        if (arch_occupancy_compute(cc, &varied, &points[count].occupancy, NULL) == SW_OK) count++;
    }
    *out = points;
    return count;
}

uint32_t arch_occupancy_best_block(uint32_t most, arch_blocks_fn blocks_of, void *user, uint32_t *blocks)
{
    uint32_t best = 0, resident = 0;
    *blocks = 0;
    for (uint32_t threads = most; threads > 0; threads = (threads - 1) / SW_WARP_LANES * SW_WARP_LANES) {
        int fit = blocks_of(user, threads);
        if (fit < 0) return 0;
        if ((uint32_t)fit * threads <= resident) continue;
        resident = (uint32_t)fit * threads;
        best = threads;
        *blocks = (uint32_t)fit;
    }
    return best;
}

struct suggestion {
    const struct arch_cc *cc;
    struct arch_occupancy_request request;
};

static int blocks_of(void *user, uint32_t threads)
{
    struct suggestion *s = user;
    struct arch_occupancy o;
    s->request.threads = threads;
    return arch_occupancy_compute(s->cc, &s->request, &o, NULL) == SW_OK ? (int)o.blocks_per_sm : -1;
}

uint32_t arch_occupancy_suggest(const struct arch_cc *cc, const struct arch_occupancy_request *request,
                                uint32_t *blocks)
{
    struct suggestion s = {cc, *request};
    return arch_occupancy_best_block(cc->threads_per_block, blocks_of, &s, blocks);
}

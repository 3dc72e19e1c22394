/* SPDX-License-Identifier: Apache-2.0 */
/* Launches in detailed simulation: what the device would hold of one at once, and its rounds to the tool
 * (event_request.h). Blocks resident on a multiprocessor follow from the occupancy with the share
 * of shared memory that the driver chooses for such blocks, or the function's own. Limits: a cooperative
 * launch is held whole, whatever that share says. */
#include "driver_launch.h"

#include "driver/clock/driver_operation.h"
#include "driver/module/driver_module.h"

#include <string.h>

static void residency_of(const struct driver_launch *launch, const struct arch_gpu *gpu,
                         const struct arch_cc *cc, struct event_residency *out)
{
    const struct event_kernel *info = engine_kernel_info(launch->kernel);
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint32_t shared = info->static_shared_bytes + launch->dynamic_shared, sms = (uint32_t)gpu->sm_count;
    uint32_t allocated = (uint32_t)sw_align_up(shared + cc->shared_reserved, cc->shared_unit);
    int wanted = launch->function->carveout;
    uint32_t carveout = arch_shared_carveout(cc, threads, info->registers, allocated), usual = carveout;
    if (wanted >= 0) carveout = arch_shared_choice(cc, cc->shared_per_sm / 100 * (uint32_t)wanted, allocated);
    if (!shared && carveout < usual) carveout = usual; /* as recorded: L1 gets no more than that */
    struct arch_occupancy_request request = {threads, info->registers, shared, carveout};
    struct arch_occupancy occupancy = {0};
    (void)arch_occupancy_compute(cc, &request, &occupancy, NULL); /* 0 blocks: 1, since it does run here */
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint32_t per_sm = occupancy.blocks_per_sm ? occupancy.blocks_per_sm : 1;
    if (launch->cooperative && (uint64_t)per_sm * sms < blocks) per_sm = (uint32_t)((blocks + sms - 1) / sms);
    *out = (struct event_residency){.sm_count = sms,
                                    .blocks_per_sm = per_sm,
                                    .warps_per_block = (threads + SW_WARP_LANES - 1) / SW_WARP_LANES,
                                    .l1_bytes =
                                        gpu->l1_bytes > carveout ? (uint32_t)gpu->l1_bytes - carveout : 0,
                                    .groups = (uint32_t)gpu->cache.merge_groups,
                                    .first = (uint32_t)gpu->cache.merge_first};
}

double driver_detail_share(const struct driver_launch *launch, const struct driver_device *device)
{
    struct event_residency residency;
    if (!driver_clock_is_virtual()) return 0;
    residency_of(launch, &device->gpu, device->cc, &residency);
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    return blocks / ((double)residency.sm_count * residency.blocks_per_sm);
}

/* From the engine, one at a time. owner: the grid. */
static uint32_t see_round(void *owner, const struct event_round *round)
{
    struct driver_grid *grid = owner;
    const struct event_tool *tool = driver.tool;
    pthread_mutex_lock(&driver.tool_lock);
    uint32_t sample_shift = tool->detail_round(tool->user, grid->detailed, round);
    pthread_mutex_unlock(&driver.tool_lock);
    return sample_shift;
}

static void see_address_set(void *owner, const struct event_set_access *accesses, size_t count)
{
    struct driver_grid *grid = owner;
    const struct event_tool *tool = driver.tool;
    pthread_mutex_lock(&driver.tool_lock);
    tool->detail_address_set(tool->user, grid->detailed, accesses, count);
    pthread_mutex_unlock(&driver.tool_lock);
}

bool driver_detail_prepare(struct driver_grid *grid, struct engine_launch *run)
{
    const struct event_tool *tool = driver.tool;
    const struct driver_device *device = grid->stream->context->device;
    if (!tool || !(tool->probes & EVENT_PROBE_ACCESS) || !tool->detail_begin || !tool->detail_round)
        return false;
    residency_of(grid->launch, &device->gpu, device->cc, &run->residency);
    run->detail = see_round;
    run->set_accesses =
        tool->probes & EVENT_PROBE_ADDRESS_SET && tool->detail_address_set ? see_address_set : NULL;
    return run->access = true;
}

bool driver_detail_begin(struct driver_grid *grid, struct engine_launch *run,
                         const struct event_launch *event)
{
    const struct event_tool *tool = driver.tool;
    grid->detailed = event;
    run->residency.divisible = !engine_launch_waits(run);
    pthread_mutex_lock(&driver.tool_lock);
    run->access = tool->detail_begin(tool->user, event, &run->residency, &run->sample_shift);
    if (!run->access) run->sample_shift = 0; /* nothing follows what the blocks access */
    if (run->access && tool->detail_work) run->work = tool->detail_work(tool->user, event);
    if (run->access && tool->detail_progress) run->progress = tool->detail_progress(tool->user, event);
    pthread_mutex_unlock(&driver.tool_lock);
    return run->access;
}

/* ---- clocks */

static bool detail_reads_clock(const struct event_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        if (event_reads_clock(&kernel->instrs[i])) return true;
    return false;
}

uint64_t *driver_detail_clocks(const struct driver_grid *grid, struct engine_launch *run,
                               const struct event_launch *event)
{
    const struct event_tool *tool = driver.tool;
    struct vmem_block uses[DRIVER_USES];
    uint64_t bytes = 0;
    if (!run->timer || !run->count || !tool->clock_path || !detail_reads_clock(event->kernel)) return NULL;
    uint32_t count = driver_operation_uses(grid->launch, uses);
    for (uint32_t i = 0; i < count; i++)
        if (uses[i].kind == VMEM_DEVICE || uses[i].kind == VMEM_MANAGED) bytes += uses[i].bytes;
    uint64_t *path = sw_xcalloc(event->kernel->instr_count + 1ull, sizeof *path);
    pthread_mutex_lock(&driver.tool_lock);
    run->timer->clock_khz = tool->clock_path(tool->user, event, bytes, path);
    pthread_mutex_unlock(&driver.tool_lock);
    if (run->timer->clock_khz) run->timer->path = path;
    return path;
}

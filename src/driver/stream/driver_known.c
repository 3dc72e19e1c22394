/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: races of the host's own loads and stores with kernels, copies and fills.
 * Method: host memory that an entry accessed is guarded (driver_guard.c) from its end to the call by which
 * the host learns that it is done; driver_order.c tells the engine of what the host accesses of it. For each
 * stream the newest entries of other streams are kept that come before its own, so that a wait for one stream
 * ends the guards of others. Limits: a host function may tell other threads that all before it is done, so
 * guards of what comes before it end when it begins; so do those before a write of the stream's own
 * (cuStreamWriteValue), which the host may poll. A kernel with operations of system scope, or volatile ones,
 * tells the host by itself, and is not guarded; neither are copies of rows that lie apart. What an older
 * entry comes after is taken for what the newest does. What kernels launch on the device is not guarded. */
#include "driver_known.h"

#include "driver/clock/driver_operation.h"
#include "driver/core/driver_finding.h"
#include "driver/memory/driver_guard.h"

#include <stdlib.h>

/* ---- what comes before a stream's entries; under the scheduler's lock */

struct before {
    uint64_t stream, seq;
};
struct befores {
    VEC(struct before) list;
};
static struct map streams; /* by id: struct befores */

static struct befores *befores_of(uint64_t stream)
{
    struct befores *found = map_get_u64(&streams, stream + 1);
    if (found) return found;
    found = sw_xcalloc(1, sizeof *found);
    map_set_u64(&streams, stream + 1, found);
    return found;
}

static void add_before(struct befores *to, struct before before)
{
    for (size_t i = 0; i < to->list.count; i++)
        if (to->list.at[i].stream == before.stream) {
            if (to->list.at[i].seq < before.seq) to->list.at[i].seq = before.seq;
            return;
        }
    *vec_push(&to->list) = before;
}

void driver_known_after_locked(uint64_t stream, uint64_t other, uint64_t other_seq)
{
    struct befores *to = befores_of(stream), *from = befores_of(other);
    add_before(to, (struct before){other, other_seq});
    for (size_t i = 0; i < from->list.count; i++)
        add_before(to, from->list.at[i]);
}

void driver_known_wait_locked(uint64_t stream, uint64_t seq)
{
    const struct befores *befores = befores_of(stream);
    driver_guard_pass(stream, seq);
    for (size_t i = 0; i < befores->list.count; i++)
        driver_guard_pass(befores->list.at[i].stream, befores->list.at[i].seq);
}

void driver_known_forget_locked(void)
{
    void *value;
    for (size_t i = 0; map_next(&streams, &i, &value);) {
        struct befores *befores = value;
        vec_release(&befores->list);
        free(befores);
    }
    map_release(&streams);
    streams = (struct map){0};
}

/* ---- what entries accessed */

static void guard_plane(struct driver_guard guard, const struct driver_plane *plane,
                        const struct driver_copy *copy, bool writes)
{
    bool rows = copy->height == 1 || plane->pitch == copy->width,
         slices = copy->depth == 1 || plane->slice == sw_product(plane->pitch, copy->height);
    guard.address = (uintptr_t)plane->base;
    guard.bytes = sw_product(copy->width, sw_product(copy->height, copy->depth));
    guard.writes = writes;
    if (rows && slices) driver_guard_add(&guard);
}

static bool tells_host(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instr_count; i++) {
        const struct ptx_instr *instr = &function->instrs[i];
        bool shared = ptx_instr_space(instr) == PTX_SPACE_SHARED;
        if (ptx_has(instr, ISA_MOD_SYS) || (ptx_has(instr, ISA_MOD_VOLATILE) && !shared)) return true;
    }
    return false;
}

/* Or a function that it may call. */
static bool kernel_tells_host(const struct engine_kernel *kernel)
{
    const struct ptx_function *function = engine_kernel_function(kernel);
    const struct ptx_module *module = function->module;
    bool tells = tells_host(function);
    for (uint32_t i = 0; i < module->function_count && !tells; i++)
        tells = !module->functions[i]->is_entry && tells_host(module->functions[i]);
    return tells;
}

bool driver_known_may_wait(const struct driver_work *work)
{
    if (!driver_checks(EVENT_CHECK_RACE_GLOBAL)) return false;
    return work->kind == DRIVER_WORK_HOST || work->kind == DRIVER_WORK_BATCH ||
           (work->kind == DRIVER_WORK_LAUNCH && kernel_tells_host(work->launch.kernel));
}

/* Pages that were accessed: not all of what the kernel was given. */
static void guard_pages(struct driver_guard guard, const struct vmem_block *block)
{
    enum { PAGE = 4096, RUNS_MOST = 256 };
    dev_addr end = block->base + block->bytes;
    uint32_t runs = 0;
    for (dev_addr at = block->base, next; at < end && runs < RUNS_MOST; at = next) {
        enum engine_known known = engine_memory_known(driver.engine, at);
        next = at + PAGE;
        while (next < end && engine_memory_known(driver.engine, next) == known)
            next += PAGE;
        guard.address = at;
        guard.bytes = (next < end ? next : end) - at;
        guard.writes = known == ENGINE_KNOWN_WRITTEN;
        if (known == ENGINE_KNOWN_NOTHING) continue;
        driver_guard_add(&guard);
        runs++;
    }
}

static void guard_launch(struct driver_guard guard, const struct driver_launch *launch)
{
    struct vmem_block uses[DRIVER_USES];
    uint32_t count = driver_operation_uses(launch, uses);
    for (uint32_t i = 0; i < count; i++) {
        if (uses[i].kind != VMEM_MANAGED && uses[i].kind != VMEM_HOST_PINNED) continue;
        if (kernel_tells_host(launch->kernel)) return;
        guard_pages(guard, &uses[i]);
    }
}

void driver_known_ran(const struct driver_work *work, const struct driver_stream *stream, uint64_t seq)
{
    struct driver_guard guard = {.stream = stream->queue, .seq = seq};
    driver_guard_renew();
    if (work->kind == DRIVER_WORK_COPY) {
        guard_plane(guard, &work->copy.from, &work->copy, false);
        guard_plane(guard, &work->copy.to, &work->copy, true);
    } else if (work->kind == DRIVER_WORK_FILL) {
        struct driver_copy fill = {
            .width = work->fill.width * work->fill.element_bytes, .height = work->fill.height, .depth = 1};
        guard_plane(guard, &(struct driver_plane){work->fill.base, work->fill.pitch, 0}, &fill, true);
    } else if (work->kind == DRIVER_WORK_LAUNCH) {
        guard_launch(guard, &work->launch);
    }
}

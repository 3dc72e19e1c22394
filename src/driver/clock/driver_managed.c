/* SPDX-License-Identifier: Apache-2.0 */
/* Where managed memory is, by the virtual clock: on the host, on a device, on both (advised to be mostly
 * read) or nowhere yet, in pieces of 64 KiB.
 *
 * There is one memory here, so nothing really moves; who touched which piece is found by
 * driver_managed_pages.c.
 *
 *   host ------- a kernel touches it (MIGRATE), or a prefetch --------> device
 *   host <------ the host touches it, or a prefetch ------------------- device
 *   nowhere ---- a kernel touches it, or a fill or copy (MIGRATE) ----> device
 *
 * What the host touched is found at its next call that costs time, as long as a kernel, copy or prefetch had
 * the memory not too many calls before (CALLS): then it was the host's time, before that call
 * (driver_managed_host.c). Small allocations share what the device has: where one was, the next finds pages.
 *
 * Limits: what the host touches while a kernel that was given the allocation runs is
 * taken for the kernel's; whether a kernel reads an allocation or only writes it is said by its code, for all
 * of the allocation; all devices are one place; of advice about ranges (cuMemAdvise) only what is mostly read
 * counts, and what is written there is what has changed; prefetches move what nobody touched yet as if it
 * held something; fills and copies leave what the host has on the host. */
#include "driver_managed.h"

#include "driver_clock.h"

#include <stdlib.h>
#include <string.h>

enum { CALLS = 128 };
/* Smaller allocations share pieces of so many: recorded, 1 and 4 MiB. */
#define SHARED_BYTES (UINT64_C(2) << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map blocks; /* by base */
static struct map left;   /* number of a piece + 1: a small allocation left it on the device */
static VEC(struct driver_managed *) recent; /* that a device used not too many calls ago */
static atomic_size_t recent_count, block_count;

/* ---- where pieces are; under the lock */

static bool is_mostly_read(const struct driver_managed *b, uint64_t piece)
{
    return driver_range_mostly_read(driver_piece_begin(b, piece), driver_piece_bytes(b, piece));
}

/* Returns how long that took the host. */
static uint64_t host_touched_locked(struct driver_managed *b)
{
    uint64_t ns = 0;
    bool any = false;
    driver_managed_find_touched(b, false);
    for (uint64_t i = 0; i < b->count; i++) {
        struct driver_piece *p = &b->pieces[i];
        if (!b->touched[i]) continue;
        any = true;
        if (!p->on_host && p->on_device) ns += driver_managed_fault(b, i);
        bool mostly_read = is_mostly_read(b, i);
        uint64_t print = mostly_read || p->was_on_device ? driver_managed_print(b, i) : 0;
        bool same = print == p->print;
        p->on_host = true;
        p->on_device = p->on_device && mostly_read && same;
        p->changed |= p->was_on_device && !same;
        if (mostly_read) p->print = print;
    }
    if (any || !b->observed) driver_managed_drop(b);
    return ns;
}

struct moved { /* to the device: bytes that the host had, and that were nowhere */
    uint64_t bytes, fresh;
    bool changed; /* by the host since a kernel had them */
};

static void comes(struct driver_managed *b, uint64_t i, struct moved *moved)
{
    const struct driver_piece *p = &b->pieces[i];
    if (p->on_device) return;
    *(p->on_host ? &moved->bytes : &moved->fresh) += driver_piece_bytes(b, i);
    moved->changed |= p->changed;
}

static struct moved kernel_touched_locked(struct driver_managed *b)
{
    struct moved moved = {0};
    driver_managed_find_touched(b, true);
    for (uint64_t i = 0; i < b->count; i++) {
        struct driver_piece *p = &b->pieces[i];
        if (!b->touched[i]) continue;
        comes(b, i, &moved);
        uint64_t print = driver_managed_print(b, i);
        bool both = p->on_host && print == p->print && is_mostly_read(b, i);
        *p = (struct driver_piece){.print = print, .on_device = true, .on_host = both, .was_on_device = true};
    }
    driver_managed_drop(b);
    return moved;
}

static bool is_within(const struct driver_managed *b, uint64_t i, dev_addr begin, dev_addr end)
{
    dev_addr first = driver_piece_begin(b, i);
    return first < end && first + driver_piece_bytes(b, i) > begin;
}

static uint64_t prefetched_locked(const struct driver_managed *b, dev_addr begin, dev_addr end,
                                  bool to_device)
{
    uint64_t moved = 0;
    for (uint64_t i = 0; i < b->count; i++) {
        struct driver_piece *p = &b->pieces[i];
        if (!is_within(b, i, begin, end)) continue;
        if (!(to_device ? p->on_device : p->on_host)) moved += driver_piece_bytes(b, i);
        bool both = is_mostly_read(b, i) && (p->on_device || p->on_host);
        if (to_device)
            *p = (struct driver_piece){.print = driver_managed_print(b, i),
                                       .on_device = true,
                                       .on_host = both,
                                       .was_on_device = true};
        else
            p->on_host = true, p->on_device = both && p->on_device;
    }
    driver_managed_drop(b);
    return moved;
}

/* A copy or fill: what was nowhere is on the device then. */
static struct moved filled_locked(struct driver_managed *b, dev_addr begin, dev_addr end)
{
    struct moved moved = {0};
    for (uint64_t i = 0; i < b->count; i++) {
        struct driver_piece *p = &b->pieces[i];
        if (p->on_host || p->on_device || !is_within(b, i, begin, end)) continue;
        comes(b, i, &moved);
        *p = (struct driver_piece){
            .print = driver_managed_print(b, i), .on_device = true, .was_on_device = true};
    }
    return moved;
}

/* ---- blocks */

static void block_free(struct driver_managed *b)
{
    free(b->touched);
    free(b->pieces);
    free(b);
}

static void managed_add(const struct driver_allocation *allocation)
{
    struct driver_managed *b = sw_xcalloc(1, sizeof *b);
    b->base = allocation->base;
    b->bytes = allocation->bytes;
    b->count = (b->base + b->bytes - 1) / DRIVER_PIECE_BYTES - b->base / DRIVER_PIECE_BYTES + 1;
    b->touched = sw_xcalloc(b->count, sizeof *b->touched);
    b->pieces = sw_xcalloc(b->count, sizeof *b->pieces);
    b->observed = driver_managed_observe(b);
    driver_managed_drop(b);
    for (uint64_t i = 0; i < b->count; i++) {
        uint64_t number = b->base / DRIVER_PIECE_BYTES + i;
        b->pieces[i].on_device = map_remove_u64(&left, number + 1) && b->bytes < SHARED_BYTES;
        if (b->pieces[i].on_device)
            b->pieces[i].print = driver_managed_print(b, i), b->pieces[i].was_on_device = true;
    }
    driver_managed_drop(b);
    map_set_u64(&blocks, b->base, b);
    atomic_store(&block_count, blocks.count);
}

static void forget_recent_locked(size_t index)
{
    recent.at[index]->calls = 0;
    recent.at[index] = recent.at[--recent.count];
    atomic_store(&recent_count, recent.count);
}

static void drop(struct driver_managed *b)
{
    for (uint64_t i = 0; b->bytes < SHARED_BYTES && i < b->count; i++)
        if (b->pieces[i].on_device) map_set_u64(&left, b->base / DRIVER_PIECE_BYTES + i + 1, &left);
    for (size_t i = 0; i < recent.count; i++)
        if (recent.at[i] == b) forget_recent_locked(i--);
    map_remove_u64(&blocks, b->base);
    atomic_store(&block_count, blocks.count);
    block_free(b);
}

void driver_managed_note(const struct driver_allocation *allocation, bool allocated)
{
    if (!driver_clock_is_virtual()) return;
    pthread_mutex_lock(&lock);
    struct driver_managed *old = map_get_u64(&blocks, allocation->base);
    if (old) drop(old);
    if (allocated) managed_add(allocation);
    pthread_mutex_unlock(&lock);
}

static struct driver_managed *managed_find_locked(dev_addr address)
{
    struct vmem_block found;
    if (!vmem_find(driver.vmem, address, &found) || found.kind != VMEM_MANAGED) return NULL;
    return map_get_u64(&blocks, found.base);
}

/* Through none of the parameters that point there. */
static bool reads_nothing(const struct driver_launch *launch, dev_addr base)
{
    enum { LAST = 63 };
    uint64_t loaded = engine_kernel_info(launch->kernel)->params_loaded;
    uint64_t words = launch->param_bytes / sizeof(uint64_t);
    for (uint64_t i = 0; i < words; i++) {
        uint64_t word;
        struct vmem_block found;
        memcpy(&word, launch->params + i * sizeof word, sizeof word);
        bool there = word && vmem_find(driver.vmem, word, &found) && found.base == base;
        if (there && loaded >> (i < LAST ? i : LAST) & 1) return false;
    }
    return true;
}

static void report_one(const struct driver_stream *stream, uint64_t launch, dev_addr base, uint64_t bytes,
                       bool fresh, bool changed, bool stored)
{
    struct event_operation operation = driver_operation_of(EVENT_OPERATION_MIGRATE, stream);
    if (!bytes) return;
    if (launch) operation.launches = launch;
    operation.from = fresh ? EVENT_MEMORY_NONE : EVENT_MEMORY_PAGEABLE;
    operation.to = EVENT_MEMORY_MANAGED;
    operation.to_address = base;
    operation.bytes = bytes;
    operation.unchanged = !changed;
    operation.stored = stored;
    if (!driver_clock_operation(stream, &operation)) driver_operation_emit(&operation);
}

/* ---- what happens */

static void launch_one(const struct driver_launch *launch, const struct driver_stream *stream, dev_addr base,
                       bool before)
{
    struct moved moved = {0};
    pthread_mutex_lock(&lock);
    struct driver_managed *b = managed_find_locked(base);
    if (b && before && b->kernels++ == 0) (void)host_touched_locked(b);
    if (b && !before && b->kernels) {
        b->kernels--;
        moved = kernel_touched_locked(b);
    }
    pthread_mutex_unlock(&lock);
    if (!moved.bytes && !moved.fresh) return;
    bool stored = reads_nothing(launch, base);
    report_one(stream, launch->id, base, moved.bytes, false, moved.changed, stored);
    report_one(stream, launch->id, base, moved.fresh, true, false, stored);
}

void driver_managed_launch(const struct driver_launch *launch, const struct driver_stream *stream,
                           bool before)
{
    struct vmem_block uses[DRIVER_USES];
    if (!driver_clock_is_virtual()) return;
    uint32_t count = driver_operation_uses(launch, uses);
    for (uint32_t i = 0; i < count; i++)
        if (uses[i].kind == VMEM_MANAGED) launch_one(launch, stream, uses[i].base, before);
}

void driver_managed_copies(const struct event_operation *operation, const struct driver_stream *stream,
                           bool before)
{
    const dev_addr ends[] = {operation->from == EVENT_MEMORY_MANAGED ? operation->from_address : 0,
                             operation->to == EVENT_MEMORY_MANAGED ? operation->to_address : 0};
    if (!driver_clock_is_virtual()) return;
    for (size_t i = 0; i < SW_COUNT_OF(ends); i++) {
        if (!ends[i]) continue;
        struct moved moved = {0};
        pthread_mutex_lock(&lock);
        struct driver_managed *b = managed_find_locked(ends[i]);
        if (b && !b->kernels && !b->copies && before) (void)host_touched_locked(b);
        if (b && before) b->copies++;
        if (b && !before && b->copies) {
            b->copies--;
            moved = filled_locked(b, ends[i], ends[i] + operation->bytes);
            if (!b->kernels) driver_managed_drop(b); /* the device's touch, not the host's */
        }
        pthread_mutex_unlock(&lock);
        report_one(stream, 0, ends[i], moved.fresh, true, false, true);
    }
}

void driver_managed_prefetch(struct event_operation *operation)
{
    dev_addr begin = operation->to_address;
    pthread_mutex_lock(&lock);
    struct driver_managed *b = managed_find_locked(begin);
    if (b && !b->kernels) (void)host_touched_locked(b);
    if (b)
        operation->bytes =
            prefetched_locked(b, begin, begin + operation->bytes, operation->to == EVENT_MEMORY_DEVICE);
    pthread_mutex_unlock(&lock);
}

/* ---- the host's calls */

static uint64_t look_locked(struct driver_managed *b)
{
    return b->observed && !b->kernels && !b->copies ? host_touched_locked(b) : 0;
}

uint64_t driver_managed_host(void)
{
    uint64_t ns = 0;
    if (!atomic_load(&recent_count)) return 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < recent.count; i++) {
        ns += look_locked(recent.at[i]);
        if (!--recent.at[i]->calls) forget_recent_locked(i--);
    }
    pthread_mutex_unlock(&lock);
    return ns;
}

static uint64_t used_locked(struct driver_managed *b)
{
    uint64_t ns = 0;
    if (!b) return 0;
    if (!b->calls) {
        ns = look_locked(b);
        *vec_push(&recent) = b;
        atomic_store(&recent_count, recent.count);
    }
    b->calls = CALLS;
    return ns;
}

uint64_t driver_managed_asked(const struct driver_work *work)
{
    struct vmem_block uses[DRIVER_USES];
    const struct event_operation *o = work->operation;
    uint32_t count = 0;
    uint64_t ns = 0;
    if (!atomic_load(&block_count)) return 0;
    pthread_mutex_lock(&lock);
    if (work->kind == DRIVER_WORK_LAUNCH) count = driver_operation_uses(&work->launch, uses);
    for (uint32_t i = 0; i < count; i++)
        if (uses[i].kind == VMEM_MANAGED) ns += used_locked(map_get_u64(&blocks, uses[i].base));
    if (o && work->kind != DRIVER_WORK_LAUNCH) {
        if (o->from_address) ns += used_locked(managed_find_locked(o->from_address));
        if (o->to_address) ns += used_locked(managed_find_locked(o->to_address));
    }
    size_t next = 0;
    void *value;
    while (work->kind == DRIVER_WORK_BEGIN && map_next(&blocks, &next, &value)) /* a graph's */
        ns += used_locked(value);
    pthread_mutex_unlock(&lock);
    return ns;
}

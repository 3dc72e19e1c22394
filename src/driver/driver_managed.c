/* SPDX-License-Identifier: Apache-2.0 */
/* Where managed memory is, by the virtual clock: on the host or on a device, in pieces of 64 KiB.
 *
 * There is one memory here, so nothing really moves; what has to be known is who touched which piece, reads
 * included. For that a managed allocation's pages are made those of a memory file when it is made. Dropping
 * them from the page table (MADV_DONTNEED) then loses nothing, and /proc/self/pagemap says afterwards which
 * were touched again: by the host between kernels, by a kernel while it runs. System calls that read or write
 * there count like the program itself and never fail, as they would on pages without access (EFAULT); bits
 * of "soft-dirty" pages do not show reads. 64 KiB is what Linux maps at once around a page that is read.
 *
 *   host ---- a kernel touches it (MIGRATE), or a prefetch ----> device
 *   host <--- the host touches it, or a prefetch --------------- device
 *
 * Where the kernel has no pagemap, a kernel is taken to touch all of an allocation that it was given, and the
 * host what it changed (by fingerprints). Whether the host changed what it touched is found by fingerprints
 * of those pieces alone. Limits: what the host touches while a kernel that was given the allocation runs is
 * taken for the kernel's; whether a kernel reads an allocation or only writes it is said by its code, for all
 * of the allocation; all devices are one place; advice about ranges (cuMemAdvise) moves nothing; what nobody
 * touched yet is on the host, and goes to the device as if it held something. */
#include "driver_priv.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIECE_BYTES (UINT64_C(64) << 10)
#define PRESENT     (UINT64_C(1) << 63) /* of an entry of pagemap: proc(5) */
enum { PAGE = 4096, ENTRIES = 4096 };

struct piece {
    uint64_t print; /* as the last kernel left it */
    bool on_device, was_on_device, changed;
};
struct block {
    dev_addr base;
    uint64_t bytes, count;
    bool observed;    /* pages show who touched them */
    unsigned kernels; /* that run now */
    bool *touched;    /* by piece: what was found last */
    struct piece *pieces;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map blocks; /* by base */

/* ---- pieces: by address, so that they are what is mapped at once */

static uint64_t piece_begin(const struct block *b, uint64_t i)
{
    uint64_t at = (b->base / PIECE_BYTES + i) * PIECE_BYTES;
    return at > b->base ? at : b->base;
}

static uint64_t piece_bytes(const struct block *b, uint64_t i)
{
    uint64_t end = (b->base / PIECE_BYTES + i + 1) * PIECE_BYTES, last = b->base + b->bytes;
    return (end < last ? end : last) - piece_begin(b, i);
}

static uint64_t print_of(const struct block *b, uint64_t piece)
{
    const uint8_t *at = (const uint8_t *)(uintptr_t)piece_begin(b, piece);
    uint64_t bytes = piece_bytes(b, piece), hash = bytes, word = 0, i = 0;
    for (; i + sizeof word <= bytes; i += sizeof word) {
        memcpy(&word, at + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    for (; i < bytes; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return hash;
}

/* ---- who touched what */

static void drop_pages(const struct block *b)
{
    if (b->observed) (void)madvise((void *)(uintptr_t)b->base, b->bytes, MADV_DONTNEED);
}

/* Mark the pieces that have pages in the page table. false: there is no such file. */
static bool find_present(const struct block *b)
{
    uint64_t entries[ENTRIES], first = b->base / PAGE, count = (b->bytes + PAGE - 1) / PAGE;
    int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool sound = true;
    memset(b->touched, 0, b->count * sizeof *b->touched);
    for (uint64_t done = 0; done < count && sound;) {
        uint64_t part = count - done < ENTRIES ? count - done : ENTRIES;
        ssize_t wanted = (ssize_t)(part * sizeof *entries);
        sound = pread(file, entries, (size_t)wanted, (off_t)((first + done) * sizeof *entries)) == wanted;
        for (uint64_t i = 0; i < part && sound; i++)
            if (entries[i] & PRESENT)
                b->touched[(first + done + i) * PAGE / PIECE_BYTES - b->base / PIECE_BYTES] = true;
        done += part;
    }
    close(file);
    return sound;
}

/* Pages of a file, and does the kernel tell which of them are mapped? */
static bool observe(const struct block *b)
{
    int file;
    if (vmem_share(driver.vmem, b->base, &file) != SW_OK) return false;
    void *at = (void *)(uintptr_t)b->base;
    if (madvise(at, b->bytes, MADV_DONTNEED) != 0 || !find_present(b) || b->touched[0]) return false;
    (void)madvise(at, b->bytes, MADV_NOHUGEPAGE); /* pieces would be of 2 MiB */
    (void)*(volatile uint8_t *)at;
    return find_present(b) && b->touched[0];
}

static void find_touched(const struct block *b, bool by_kernel)
{
    if (b->observed && find_present(b)) return;
    for (uint64_t i = 0; i < b->count; i++)
        b->touched[i] = by_kernel || !b->pieces[i].was_on_device || print_of(b, i) != b->pieces[i].print;
}

/* ---- where pieces are; under the lock */

static void host_touched_locked(const struct block *b)
{
    find_touched(b, false);
    for (uint64_t i = 0; i < b->count; i++) {
        struct piece *p = &b->pieces[i];
        if (!b->touched[i]) continue;
        p->on_device = false;
        p->changed |= p->was_on_device && print_of(b, i) != p->print;
    }
    drop_pages(b);
}

/* Returns the bytes that come to the device with it; *changed: by the host since a kernel had them. */
static uint64_t kernel_touched_locked(const struct block *b, bool *changed)
{
    uint64_t moved = 0;
    find_touched(b, true);
    for (uint64_t i = 0; i < b->count; i++) {
        struct piece *p = &b->pieces[i];
        if (!b->touched[i]) continue;
        if (!p->on_device) moved += piece_bytes(b, i);
        *changed |= !p->on_device && p->changed;
        *p = (struct piece){.print = print_of(b, i), .on_device = true, .was_on_device = true};
    }
    drop_pages(b);
    return moved;
}

static uint64_t prefetched_locked(const struct block *b, dev_addr begin, dev_addr end, bool to_device)
{
    uint64_t moved = 0;
    for (uint64_t i = 0; i < b->count; i++) {
        struct piece *p = &b->pieces[i];
        dev_addr first = piece_begin(b, i);
        if (first >= end || first + piece_bytes(b, i) <= begin) continue;
        if (p->on_device != to_device) moved += piece_bytes(b, i);
        if (to_device)
            *p = (struct piece){.print = print_of(b, i), .on_device = true, .was_on_device = true};
        else
            p->on_device = false;
    }
    drop_pages(b);
    return moved;
}

/* ---- blocks */

static void block_free(struct block *b)
{
    free(b->touched);
    free(b->pieces);
    free(b);
}

static void add(const struct driver_allocation *allocation)
{
    struct block *b = sw_xcalloc(1, sizeof *b);
    b->base = allocation->base;
    b->bytes = allocation->bytes;
    b->count = (b->base + b->bytes - 1) / PIECE_BYTES - b->base / PIECE_BYTES + 1;
    b->touched = sw_xcalloc(b->count, sizeof *b->touched);
    b->pieces = sw_xcalloc(b->count, sizeof *b->pieces);
    b->observed = observe(b);
    drop_pages(b);
    map_set_u64(&blocks, b->base, b);
}

void driver_managed_note(const struct driver_allocation *allocation, bool allocated)
{
    if (!driver_clock_is_virtual()) return;
    pthread_mutex_lock(&lock);
    struct block *old = map_get_u64(&blocks, allocation->base);
    if (old) {
        map_remove_u64(&blocks, allocation->base);
        block_free(old);
    }
    if (allocated) add(allocation);
    pthread_mutex_unlock(&lock);
}

static struct block *find_locked(dev_addr address)
{
    struct vmem_block found;
    if (!vmem_find(driver.vmem, address, &found) || found.kind != VMEM_MANAGED) return NULL;
    return map_get_u64(&blocks, found.base);
}

/* Through none of the parameters that point there. */
static bool reads_nothing(const struct driver_launch *launch, dev_addr base)
{
    enum { LAST = 63 };
    uint64_t loaded = engine_kernel_info(launch->function->kernel)->params_loaded;
    uint64_t words = launch->function->entry->param_bytes / sizeof(uint64_t);
    for (uint64_t i = 0; i < words; i++) {
        uint64_t word;
        struct vmem_block found;
        memcpy(&word, launch->params + i * sizeof word, sizeof word);
        bool there = word && vmem_find(driver.vmem, word, &found) && found.base == base;
        if (there && loaded >> (i < LAST ? i : LAST) & 1) return false;
    }
    return true;
}

static void report(const struct driver_launch *launch, const struct driver_stream *stream, dev_addr base,
                   uint64_t bytes, bool changed)
{
    struct event_operation operation = driver_operation_of(EVENT_OPERATION_MIGRATE, stream);
    operation.launches = launch->id;
    operation.to = EVENT_MEMORY_MANAGED;
    operation.to_address = base;
    operation.bytes = bytes;
    operation.unchanged = !changed;
    operation.stored = reads_nothing(launch, base);
    if (!driver_clock_operation(stream, &operation)) driver_operation_emit(&operation);
}

/* ---- what happens */

static void launch_one(const struct driver_launch *launch, const struct driver_stream *stream, dev_addr base,
                       bool before)
{
    uint64_t moved = 0;
    bool changed = false;
    pthread_mutex_lock(&lock);
    struct block *b = find_locked(base);
    if (b && before && b->kernels++ == 0) host_touched_locked(b);
    if (b && !before && b->kernels) {
        b->kernels--;
        moved = kernel_touched_locked(b, &changed);
    }
    pthread_mutex_unlock(&lock);
    if (moved) report(launch, stream, base, moved, changed);
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

void driver_managed_copies(const struct event_operation *operation, bool before)
{
    const dev_addr ends[] = {operation->from == EVENT_MEMORY_MANAGED ? operation->from_address : 0,
                             operation->to == EVENT_MEMORY_MANAGED ? operation->to_address : 0};
    if (!driver_clock_is_virtual()) return;
    for (size_t i = 0; i < SW_COUNT_OF(ends); i++) {
        if (!ends[i]) continue;
        pthread_mutex_lock(&lock);
        const struct block *b = find_locked(ends[i]);
        if (b && !b->kernels && before) host_touched_locked(b);
        if (b && !b->kernels && !before) drop_pages(b); /* the device's touch, not the host's */
        pthread_mutex_unlock(&lock);
    }
}

void driver_managed_prefetch(struct event_operation *operation)
{
    dev_addr begin = operation->to_address;
    pthread_mutex_lock(&lock);
    const struct block *b = find_locked(begin);
    if (b && !b->kernels) host_touched_locked(b);
    if (b)
        operation->bytes =
            prefetched_locked(b, begin, begin + operation->bytes, operation->to == EVENT_MEMORY_DEVICE);
    pthread_mutex_unlock(&lock);
}

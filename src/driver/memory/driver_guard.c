/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: see the host's own loads and stores of memory that a kernel or a copy accessed before the host
 * knows that it is done.
 * Method: the pages lose their permissions, from the end of the entry to the call by which the host waits for
 * it. What the host does there is a fault; the handler tells of the access, gives the page back, and the
 * instruction is made again. So the first access of a page is seen, to the byte; which accesses race is
 * judged by who hears of them. Faults of the library's own threads open the page until driver_guard_renew.
 * What an entry only reads stays readable.
 * Limits: of pages that the host touched, later accesses are not seen, and of each access the first byte
 * alone. A system call that reads or writes a guarded page fails with EFAULT: such races are not told, and a
 * program that is right sees that where the page also has bytes that no entry accesses. Registered memory is
 * not guarded, since other variables of the program lie in its pages. A handler of SIGSEGV that the program
 * puts over ours gets the faults. Where a process has too many mappings, guards see nothing. */
#include "driver_guard.h"

#include "driver/core/driver_finding.h"

#include <sys/mman.h>

enum { PAGE = 4096 };

static struct {
    pthread_mutex_t lock;
    VEC(struct driver_guard) guards; /* of whole pages */
    atomic_size_t count;
    driver_guard_fn *touched;
    driver_guard_inside_fn *inside;
    bool opened; /* pages, by the library itself */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool protect(dev_addr at, uint64_t bytes, int permissions)
{
    return mprotect((void *)(uintptr_t)at, bytes, permissions) == 0;
}

static bool overlaps(const struct driver_guard *guard, dev_addr base, uint64_t bytes)
{
    return guard->address < base + bytes && base < guard->address + guard->bytes;
}

/* Where there are too many mappings, a guard sees nothing. Those that read come first: what is written must
 * not be readable. */
static void hold_locked(dev_addr base, uint64_t bytes)
{
    for (int writes = 0; writes < 2; writes++)
        for (size_t i = 0; i < all.guards.count; i++) {
            const struct driver_guard *guard = &all.guards.at[i];
            if (guard->writes == writes && overlaps(guard, base, bytes))
                (void)protect(guard->address, guard->bytes, writes ? PROT_NONE : PROT_READ);
        }
}

static void remove_locked(size_t index)
{
    struct driver_guard gone = all.guards.at[index];
    all.guards.at[index] = all.guards.at[--all.guards.count];
    atomic_store(&all.count, all.guards.count);
    if (!protect(gone.address, gone.bytes, PROT_READ | PROT_WRITE)) BUG("memory of the host stays guarded");
    hold_locked(gone.address, gone.bytes);
}

/* ---- faults */

/* One that writes, if there is one. */
static const struct driver_guard *find_locked(dev_addr address)
{
    const struct driver_guard *found = NULL;
    for (size_t i = 0; i < all.guards.count; i++)
        if (overlaps(&all.guards.at[i], address, 1) && (!found || all.guards.at[i].writes))
            found = &all.guards.at[i];
    return found;
}

static bool guard_fault(dev_addr address, bool writes, const void *pc)
{
    if (!atomic_load(&all.count)) return false;
    bool inside = all.inside();
    pthread_mutex_lock(&all.lock);
    const struct driver_guard *guard = find_locked(address);
    bool writer = guard && (writes || !guard->writes); /* what is readable faults by a write */
    bool opens = guard && (protect(address / PAGE * PAGE, PAGE, PROT_READ | PROT_WRITE) ||
                           protect(guard->address, guard->bytes, PROT_READ | PROT_WRITE));
    all.opened |= opens && inside;
    pthread_mutex_unlock(&all.lock);
    if (opens && !inside) all.touched(address, writer, pc);
    return opens;
}

/* ---- guards */

void driver_guard_begin(driver_guard_fn *touched, driver_guard_inside_fn *inside)
{
    all.touched = touched;
    all.inside = inside;
    engine_fault_ask(guard_fault);
}

/* Whole pages. Where the range begins or ends with the allocation, nothing else lies in its last ones. */
static bool pages_of(struct driver_guard *guard)
{
    struct driver_allocation memory;
    if (!driver_memory_find(guard->address, &memory)) return false;
    if (memory.kind != VMEM_HOST_PINNED && memory.kind != VMEM_MANAGED) return false;
    dev_addr begin = guard->address, end = begin + guard->bytes, last = memory.base + memory.bytes;
    if (end > last) return false;
    begin = begin == memory.base ? begin / PAGE * PAGE : sw_align_up(begin, PAGE);
    end = end == last ? sw_align_up(end, PAGE) : end / PAGE * PAGE;
    guard->address = begin;
    guard->bytes = end - begin;
    return begin < end;
}

void driver_guard_add(const struct driver_guard *guard)
{
    struct driver_guard pages = *guard;
    if (!all.touched || !pages_of(&pages)) return;
    pthread_mutex_lock(&all.lock);
    *vec_push(&all.guards) = pages;
    atomic_store(&all.count, all.guards.count);
    hold_locked(pages.address, pages.bytes);
    pthread_mutex_unlock(&all.lock);
}

void driver_guard_pass(uint64_t stream, uint64_t seq)
{
    if (!atomic_load(&all.count)) return;
    pthread_mutex_lock(&all.lock);
    for (size_t i = all.guards.count; i-- > 0;)
        if (all.guards.at[i].stream == stream && all.guards.at[i].seq <= seq) remove_locked(i);
    pthread_mutex_unlock(&all.lock);
}

void driver_guard_drop(dev_addr base, uint64_t bytes)
{
    if (!atomic_load(&all.count)) return;
    pthread_mutex_lock(&all.lock);
    for (size_t i = all.guards.count; i-- > 0;)
        if (overlaps(&all.guards.at[i], base, bytes)) remove_locked(i);
    pthread_mutex_unlock(&all.lock);
}

void driver_guard_renew(void)
{
    if (!atomic_load(&all.count)) return;
    pthread_mutex_lock(&all.lock);
    if (all.opened) hold_locked(0, UINT64_MAX);
    all.opened = false;
    pthread_mutex_unlock(&all.lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: an allocation that other processes are to see becomes pages of a file, in place, while kernels and
 * copies of this process may be using it. Method: its pages are made read-only, copied into a memory file
 * (pages of zeros stay holes), and the file is mapped over them in one system call, so a reader sees either
 * and a writer faults until then. The fault handler asks vmem_fault_passes, which waits for the end and says
 * that the write can be made again. Alternatives: memory files for all allocations from the start would cost
 * every program its huge pages; stopping all kernels first would wait for those that wait for the host.
 * Limits: one allocation at a time; a system call that writes into the allocation meanwhile fails with
 * EFAULT. */
#include "vmem_priv.h"

#include "base/base_write.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* What is on its way, and how many were done; read by the fault handler. */
static _Atomic uint64_t moving_first, moving_end, moves;
/* initial-exec: the handler must not allocate */
static _Thread_local uint64_t seen __attribute__((tls_model("initial-exec")));

bool vmem_fault_passes(dev_addr address)
{
    while (address >= atomic_load(&moving_first) && address < atomic_load(&moving_end))
        sched_yield();
    /* Not only those of the last allocation: a thread may get here when the next ones were moved already. */
    uint64_t now = atomic_load(&moves);
    bool passes = now != seen;
    seen = now; /* a fault that comes again is one */
    return passes;
}

static bool is_zero(const uint64_t *page)
{
    for (size_t i = 0; i < VMEM_PAGE / sizeof *page; i++)
        if (page[i]) return false;
    return true;
}

static bool copy_pages(dev_addr base, uint64_t pages, int file)
{
    uint8_t *to = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (to == MAP_FAILED) return false;
    for (uint64_t at = 0; at < pages; at += VMEM_PAGE) {
        const void *from = (const void *)(uintptr_t)(base + at);
        if (!is_zero(from)) memcpy(to + at, from, VMEM_PAGE);
    }
    munmap(to, pages);
    return true;
}

static bool move_pages(dev_addr base, uint64_t pages, int file)
{
    void *at = (void *)(uintptr_t)base;
    atomic_store(&moving_first, base);
    atomic_store(&moving_end, base + pages);
    bool moved = mprotect(at, pages, PROT_READ) == 0 && copy_pages(base, pages, file) &&
                 mmap(at, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
    if (!moved) (void)mprotect(at, pages, PROT_READ | PROT_WRITE);
    atomic_fetch_add(&moves, 1);
    atomic_store(&moving_end, 0);
    atomic_store(&moving_first, 0);
    return moved;
}

static enum sw_status share_locked(struct vmem *vmem, dev_addr base, int *out)
{
    size_t n = vmem_blocks_up_to(vmem->live.at, vmem->live.count, base);
    struct vmem_live *found = n ? &vmem->live.at[n - 1] : NULL;
    if (!found || found->block.base != base || found->mapped || !found->counted) return SW_INVALID_VALUE;
    if (found->file < 0) {
        uint64_t pages = sw_align_up(found->block.bytes, VMEM_PAGE);
        int file = memfd_create("softwarp-memory", MFD_CLOEXEC);
        if (file < 0) return SW_OUT_OF_MEMORY;
        if (!sw_file_resize(file, pages) || !move_pages(base, pages, file)) {
            close(file);
            return SW_OUT_OF_MEMORY;
        }
        found->file = file;
    }
    *out = found->file;
    return SW_OK;
}

enum sw_status vmem_share(struct vmem *vmem, dev_addr base, int *file)
{
    pthread_mutex_lock(&vmem->lock);
    enum sw_status status = share_locked(vmem, base, file);
    pthread_mutex_unlock(&vmem->lock);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which pages of pinned and managed memory the host may have written, whose stores nobody sees.
 * Method: such memory is private and anonymous, and new pages of it are not in the page table, or are the
 * system's page of zeros where they were only read. /proc/self/pagemap says so; any other page counts as
 * written, all of it, whoever wrote it. Pages without access, or userfaultfd, would show single stores, but
 * read(2) into them fails with EFAULT; soft-dirty bits and fill patterns cannot tell a zero that was written,
 * or change what the program computes. A page that is shared with a child process looks like the page of
 * zeros: since the first fork all pages that are there count as written.
 * Limits: bytes of a page are not told apart. Where there is no pagemap, all memory counts as written. A
 * child that does not come from fork() is not seen. Source: proc(5), the kernel's pagemap.rst. */
#include "engine_shadow_priv.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bits of an entry (proc(5)). */
#define PRESENT   (UINT64_C(1) << 63)
#define SWAPPED   (UINT64_C(1) << 62)
#define OF_FILE   (UINT64_C(1) << 61)
#define EXCLUSIVE (UINT64_C(1) << 56)

static atomic_bool forked;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fork_seen(void)
{
    atomic_store(&forked, true);
}

static void host_begin(void)
{
    if (pthread_atfork(fork_seen, NULL, NULL) != 0) fork_seen();
}

void engine_shadow_host_new(uint64_t address, uint64_t bytes)
{
    uint64_t end = sw_align_up(address + bytes, SHADOW_HOST_BYTES);
    pthread_once(&once, host_begin);
    address -= address % SHADOW_HOST_BYTES; /* large pages would be touched by 2 MiB */
    (void)madvise((void *)(uintptr_t)address, end - address, MADV_NOHUGEPAGE);
}

static bool is_touched(uint64_t entry)
{
    if (!(entry & (PRESENT | SWAPPED))) return (entry & OF_FILE) != 0;
    return !(entry & PRESENT) || (entry & (EXCLUSIVE | OF_FILE)) || atomic_load(&forked);
}

uint32_t engine_shadow_host_touched(uint64_t page)
{
    uint64_t entries[SHADOW_HOST_PAGES];
    uint32_t touched = 0;
    int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    bool known = file >= 0 && pread(file, entries, sizeof entries,
                                    (off_t)(page / SHADOW_HOST_BYTES * sizeof *entries)) == sizeof entries;
    if (file >= 0) close(file);
    if (!known) return UINT32_MAX;
    for (uint32_t i = 0; i < SHADOW_HOST_PAGES; i++)
        touched |= (uint32_t)is_touched(entries[i]) << i;
    return touched;
}

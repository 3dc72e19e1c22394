/* SPDX-License-Identifier: Apache-2.0 */
/* Who touched which piece of managed memory, reads included, and what is in it.
 *
 * A managed allocation's pages are made those of a memory file when it is made. Dropping
 * them from the page table (MADV_DONTNEED) then loses nothing, and /proc/self/pagemap says afterwards which
 * were touched again: by the host between kernels, by a kernel while it runs. System calls that read or write
 * there count like the program itself and never fail, as they would on pages without access (EFAULT); bits
 * of "soft-dirty" pages do not show reads. 64 KiB is what Linux maps at once around a page that is read.
 *
 * Where the kernel has no pagemap, a kernel is taken to touch all of an allocation that it was given, and the
 * host what it changed (by fingerprints). Whether the host changed what it touched is found by fingerprints
 * of those pieces alone. */
#include "driver_managed.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PRESENT (UINT64_C(1) << 63) /* of an entry of pagemap: proc(5) */
enum { PAGE = 4096, ENTRIES = 4096 };

uint64_t driver_managed_print(const struct driver_managed *b, uint64_t piece)
{
    const uint8_t *at = (const uint8_t *)(uintptr_t)driver_piece_begin(b, piece);
    uint64_t bytes = driver_piece_bytes(b, piece), hash = bytes, word = 0, i = 0;
    for (; i + sizeof word <= bytes; i += sizeof word) {
        memcpy(&word, at + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    for (; i < bytes; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return hash;
}

void driver_managed_drop(const struct driver_managed *b)
{
    if (b->observed) (void)madvise((void *)(uintptr_t)b->base, b->bytes, MADV_DONTNEED);
}

/* Mark the pieces that have pages in the page table. false: there is no such file. */
static bool find_present(const struct driver_managed *b)
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
                b->touched[(first + done + i) * PAGE / DRIVER_PIECE_BYTES - b->base / DRIVER_PIECE_BYTES] =
                    true;
        done += part;
    }
    close(file);
    return sound;
}

/* Pages of a file, and does the kernel report which of them are mapped? */
bool driver_managed_observe(const struct driver_managed *b)
{
    int file;
    if (vmem_share(driver.vmem, b->base, &file) != SW_OK) return false;
    void *at = (void *)(uintptr_t)b->base;
    if (madvise(at, b->bytes, MADV_DONTNEED) != 0 || !find_present(b) || b->touched[0]) return false;
    (void)madvise(at, b->bytes, MADV_NOHUGEPAGE); /* pieces would be of 2 MiB */
    (void)*(volatile uint8_t *)at;
    return find_present(b) && b->touched[0];
}

void driver_managed_find_touched(const struct driver_managed *b, bool by_kernel)
{
    if (b->observed && find_present(b)) return;
    for (uint64_t i = 0; i < b->count; i++)
        b->touched[i] =
            by_kernel || !b->pieces[i].was_on_device || driver_managed_print(b, i) != b->pieces[i].print;
}

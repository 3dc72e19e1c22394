/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what the processes that use the virtual machine know of each other. Method: one file of fixed size
 * that each maps, in $XDG_RUNTIME_DIR/softwarp or else /tmp/softwarp-UID (SOFTWARP_RUNTIME_DIR names another
 * folder), which must be this user's and closed to others. A process owns one row; the row's owner word is
 * its number and the low half of its start time, written by compare-and-swap, so a row whose owner has died
 * (kill -9 included) is known by /proc and taken by the next. Rows are only written by their owner; readers
 * take values as they come. Limits: 256 processes; other users and other PID namespaces are not seen; where
 * the folder cannot be made or is not ours, each process is alone (a line on the log says so once). */
#include "arch/arch_machine.h"

#include "base/base_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SLICES = 16, SLICE_NS = 62500000 }; /* busy times of the last second */

struct row_device {
    _Atomic uint64_t key, bytes;
    _Atomic uint32_t running, used; /* used: it has had a context there */
    _Atomic uint64_t since;         /* when running became 1 */
    _Atomic uint64_t slot[SLICES];  /* number of the slice << 32 | nanoseconds busy in it */
};
struct row {
    _Atomic uint64_t owner;
    char name[128];
    struct row_device devices[ARCH_DEVICES];
};
struct record {
    _Atomic uint64_t format, rows_used; /* no row at or beyond rows_used was ever taken */
    struct row rows[ARCH_PROCESSES];
};
static const uint64_t FORMAT = UINT64_C(0x3152415753) << 16 | sizeof(struct row); /* "SWAR1", size of a row */

static struct record *record; /* NULL: none */
static struct row *mine;      /* NULL: not entered */

/* In steps of some milliseconds: a launch asks twice, and a fine clock costs four times as much. Kernels
 * shorter than a step count as a whole one or not at all, right on average. */
static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- the file */

static bool own_folder(const char *path)
{
    struct stat s;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() && !(s.st_mode & 077);
}

static int record_open_file(void)
{
    char folder[4000], path[4096];
    const char *chosen = getenv("SOFTWARP_RUNTIME_DIR"), *runtime = getenv("XDG_RUNTIME_DIR");
    if (chosen && *chosen)
        snprintf(folder, sizeof folder, "%s", chosen);
    else if (runtime && *runtime && access(runtime, W_OK) == 0)
        snprintf(folder, sizeof folder, "%s/softwarp", runtime);
    else
        snprintf(folder, sizeof folder, "/tmp/softwarp-%u", (unsigned)geteuid());
    if (!own_folder(folder)) return -1;
    snprintf(path, sizeof path, "%s/machine-%zu", folder, sizeof(struct record));
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static struct record *map_record(int file)
{
    if (file < 0 || !sw_file_resize(file, sizeof(struct record))) return NULL;
    /* All of it on the disk, since a page that finds no place there when it is written is a fault. */
    if (fallocate(file, 0, 0, sizeof(struct record)) != 0 && errno != EOPNOTSUPP) return NULL;
    void *at = mmap(NULL, sizeof(struct record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) return NULL;
    struct record *found = at;
    uint64_t fresh = 0;
    if (atomic_compare_exchange_strong(&found->format, &fresh, FORMAT) || fresh == FORMAT) return found;
    munmap(at, sizeof(struct record));
    return NULL;
}

static struct record *record_open(void)
{
    static int said;
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    static bool tried;
    while (atomic_flag_test_and_set(&busy))
        ;
    if (!tried) {
        int file = record_open_file();
        record = map_record(file);
        if (file >= 0) close(file);
        if (!record)
            sw_log_once(&said,
                        "the folder that processes share is missing, full or open to other users, so that "
                        "device memory of other processes is not visible; set SOFTWARP_RUNTIME_DIR");
        tried = true;
    }
    atomic_flag_clear(&busy);
    return record;
}

/* ---- who is alive */

/* Start time of a process in clock ticks since the system's; 0: there is none. Field 22 of its first thread's
 * stat, after the name, which may hold anything. Not /proc/N/stat: qemu's user emulation answers a process
 * that asks for its own with a start time that others do not read. */
static uint64_t started(unsigned pid)
{
    char path[48], text[1024];
    snprintf(path, sizeof path, "/proc/%u/task/%u/stat", pid, pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    const char *at = strrchr(text, ')');
    if (at && at[1] == ' ' && (at[2] == 'Z' || at[2] == 'X')) return 0; /* dead, its parent has not looked */
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at, NULL, 10) : 0;
}

static uint64_t owner_word(unsigned pid)
{
    uint64_t start = started(pid);
    return start ? (uint64_t)pid << 32 | (uint32_t)start : 0;
}

static bool alive(uint64_t owner)
{
    return owner && owner_word((unsigned)(owner >> 32)) == owner;
}

/* ---- the own row */

static struct row *record_claim(void)
{
    uint64_t me = owner_word((unsigned)getpid());
    for (int i = 0; me && i < ARCH_PROCESSES; i++) {
        struct row *row = &record->rows[i];
        uint64_t owner = atomic_load(&row->owner);
        if (alive(owner) || !atomic_compare_exchange_strong(&row->owner, &owner, me)) continue;
        uint64_t used = atomic_load(&record->rows_used);
        while (used < (uint64_t)i + 1 &&
               !atomic_compare_exchange_weak(&record->rows_used, &used, (uint64_t)i + 1))
            ;
        memset(row->devices, 0, sizeof row->devices);
        memset(row->name, 0, sizeof row->name);
        return row;
    }
    return NULL;
}

void arch_record_enter(const struct arch_device *devices, uint32_t count)
{
    if (mine || !record_open()) return;
    mine = record_claim();
    if (!mine) return;
    if (readlink("/proc/self/exe", mine->name, sizeof mine->name - 1) < 0)
        snprintf(mine->name, sizeof mine->name, "?");
    for (uint32_t i = 0; i < count; i++)
        atomic_store(&mine->devices[i].key, devices[i].key);
}

static struct row_device *record_device_of(struct row *row, uint64_t key)
{
    for (int i = 0; row && i < ARCH_DEVICES; i++)
        if (atomic_load_explicit(&row->devices[i].key, memory_order_relaxed) == key) return &row->devices[i];
    return NULL;
}

void arch_record_bytes(uint64_t key, uint64_t bytes)
{
    struct row_device *device = record_device_of(mine, key);
    if (!device) return;
    atomic_store_explicit(&device->bytes, bytes, memory_order_relaxed);
    atomic_store_explicit(&device->used, 1, memory_order_relaxed);
}

/* Spread [from, to) over the slices of the last second. */
static void add_busy(struct row_device *device, uint64_t from, uint64_t to)
{
    if (to - from > (uint64_t)SLICES * SLICE_NS) from = to - (uint64_t)SLICES * SLICE_NS;
    while (from < to) {
        uint64_t number = from / SLICE_NS, end = (number + 1) * SLICE_NS;
        if (end > to) end = to;
        _Atomic uint64_t *slot = &device->slot[number % SLICES];
        uint64_t before = atomic_load(slot), after;
        do
            after = before >> 32 == (uint32_t)number ? before + (end - from)
                                                     : (uint64_t)(uint32_t)number << 32 | (end - from);
        while (!atomic_compare_exchange_weak(slot, &before, after));
        from = end;
    }
}

void arch_record_begin(uint64_t key)
{
    struct row_device *device = record_device_of(mine, key);
    if (device && atomic_fetch_add(&device->running, 1) == 0) atomic_store(&device->since, now_ns());
}

void arch_record_end(uint64_t key)
{
    struct row_device *device = record_device_of(mine, key);
    if (!device) return;
    uint64_t since = atomic_load(&device->since);
    if (atomic_fetch_sub(&device->running, 1) == 1) add_busy(device, since, now_ns());
}

/* ---- reading */

static int rows_used(void)
{
    uint64_t used = record_open() ? atomic_load_explicit(&record->rows_used, memory_order_relaxed) : 0;
    return used < ARCH_PROCESSES ? (int)used : ARCH_PROCESSES;
}

uint64_t arch_record_others(uint64_t key, bool exact)
{
    uint64_t sum = 0;
    for (int i = 0, n = rows_used(); i < n; i++) {
        struct row *row = &record->rows[i];
        uint64_t owner = atomic_load_explicit(&row->owner, memory_order_relaxed);
        if (!owner || row == mine) continue;
        struct row_device *device = record_device_of(row, key);
        uint64_t bytes = device ? atomic_load_explicit(&device->bytes, memory_order_relaxed) : 0;
        if (bytes && (!exact || alive(owner))) sum += bytes;
    }
    return sum;
}

static uint32_t busy_percent(const struct row_device *device)
{
    uint64_t now = now_ns(), first = now / SLICE_NS - SLICES + 1, sum = 0;
    for (int i = 0; i < SLICES; i++) {
        uint64_t slot = atomic_load(&device->slot[i]);
        if ((slot >> 32) - (uint32_t)first < SLICES) sum += (uint32_t)slot;
    }
    uint64_t since = atomic_load(&device->since), start = first * SLICE_NS;
    if (atomic_load(&device->running) && since < now) sum += now - (since > start ? since : start);
    uint64_t whole = now - start;
    return sum >= whole ? 100 : (uint32_t)(100 * sum / whole);
}

uint32_t arch_record_processes(uint64_t key, struct arch_usage out[ARCH_PROCESSES], uint32_t *busy)
{
    uint32_t count = 0;
    *busy = 0;
    for (int i = 0, n = rows_used(); i < n; i++) {
        struct row *row = &record->rows[i];
        uint64_t owner = atomic_load(&row->owner);
        struct row_device *device = owner ? record_device_of(row, key) : NULL;
        if (!device || !atomic_load(&device->used) || !alive(owner)) continue;
        struct arch_usage *usage = &out[count++];
        *usage = (struct arch_usage){.pid = (int)(owner >> 32), .bytes = atomic_load(&device->bytes)};
        memcpy(usage->name, row->name, sizeof usage->name - 1);
        usage->busy_percent = busy_percent(device);
        *busy += usage->busy_percent;
    }
    if (*busy > 100) *busy = 100;
    return count;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the rows of other processes in the file that all of one user share (arch_record.c). Each row
 * that begins with an odd byte is owned by this process, so that it lives. What is read of it is checked
 * where it must be within bounds. */
#include "fuzz_input.h"

#include "arch/arch_machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 16, KEY_AT = 8 + 128 }; /* format, rows_used; owner and name before a row's first device */
static const uint64_t KEY = 0x6b6579;
static uint8_t *record; /* the file, as another process has it */
static size_t record_bytes, row_bytes;

/* The only file of the folder whose name begins so. */
static int open_machine(const char *folder)
{
    int file = -1;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (strncmp(entry->d_name, "machine-", 8) == 0)
            file = openat(dirfd(list), entry->d_name, O_RDWR | O_CLOEXEC);
    if (list) closedir(list);
    return file;
}

static void enter(void)
{
    struct stat s;
    const char *folder = fuzz_folder("rows", NULL, 0);
    struct arch_device device = {.key = KEY};
    setenv("SOFTWARP_RUNTIME_DIR", folder, 1);
    arch_record_enter(&device, 1);
    int file = open_machine(folder);
    if (file < 0 || fstat(file, &s) != 0) BUG("no record in '%s'", folder);
    record_bytes = (size_t)s.st_size;
    row_bytes = (record_bytes - HEADER) / ARCH_PROCESSES;
    record = mmap(NULL, record_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (record == MAP_FAILED) BUG("no memory");
    close(file);
}

static void read_back(void)
{
    static struct arch_usage usage[ARCH_PROCESSES];
    uint32_t busy;
    (void)arch_record_others(KEY, false);
    (void)arch_record_others(KEY, true);
    uint32_t count = arch_record_processes(KEY, usage, &busy);
    if (count > ARCH_PROCESSES || busy > 100) BUG("%u processes, %u percent", count, busy);
    for (uint32_t i = 0; i < count; i++)
        if (usage[i].busy_percent > 100 ||
            strnlen(usage[i].name, sizeof usage[i].name) == sizeof usage[i].name)
            BUG("row %u", i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (!record) enter();
    uint8_t *rows = record + HEADER + row_bytes; /* the first is this process's own */
    size_t room = record_bytes - HEADER - row_bytes;
    memset(rows, 0, room < 1 << 16 ? room : 1 << 16);
    if (bytes < sizeof(uint64_t)) return 0;
    memcpy(record + sizeof(uint64_t), data, sizeof(uint64_t)); /* rows_used */
    bytes -= sizeof(uint64_t);
    memcpy(rows, data + sizeof(uint64_t), bytes < room ? bytes : room);
    for (size_t row = 0; row < bytes && row + row_bytes <= room; row += row_bytes) {
        if (!(rows[row] & 1)) continue;
        memcpy(rows + row, record + HEADER, sizeof(uint64_t)); /* the owner */
        memcpy(rows + row + KEY_AT, &KEY, sizeof KEY);
    }
    read_back();
    arch_record_bytes(KEY, bytes);
    arch_record_begin(KEY);
    arch_record_end(KEY);
    return 0;
}

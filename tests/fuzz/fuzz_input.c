/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of fuzz targets as files. Messages of libraries go nowhere: a file that is wrong is told of each
 * time. */
#include "fuzz_input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

unsigned fuzz_accepted;

static void say_nothing(void *user, const char *line)
{
    (void)user;
    (void)line;
}

__attribute__((constructor)) static void be_quiet(void)
{
    sw_log_set_sink(say_nothing, NULL);
}

/* Memory that was freed stays unused for 8 MiB of frees, more than an input makes, and not for 256, and is
 * not given back to the system in between: otherwise each allocation is on fresh pages, and session records
 * are read at half the speed. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=8:allocator_release_to_os_interval_ms=-1";
}

static void put(int file, const uint8_t *data, size_t bytes)
{
    if (ftruncate(file, 0) != 0 || pwrite(file, data, bytes, 0) != (ssize_t)bytes) BUG("no file to write");
}

const char *fuzz_file(const uint8_t *data, size_t bytes)
{
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("fuzz", MFD_CLOEXEC);
        if (file < 0 || fchmod(file, 0700) != 0) BUG("no file in memory");
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    put(file, data, bytes);
    return path;
}

static char folder[64];

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "cannot remove %s\n", folder);
}

const char *fuzz_folder(const char *name, const uint8_t *data, size_t bytes)
{
    char path[256];
    if (!*folder) {
        bool memory = access("/dev/shm", W_OK) == 0;
        snprintf(folder, sizeof folder, "%s/softwarp-fuzz-XXXXXX", memory ? "/dev/shm" : "/tmp");
        if (!mkdtemp(folder)) BUG("no folder");
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) BUG("cannot write '%s'", path);
    put(file, data, bytes);
    close(file);
    return folder;
}

char *fuzz_text(const uint8_t *data, size_t bytes)
{
    char *text = sw_xmalloc(bytes + 1);
    memcpy(text, data, bytes);
    text[bytes] = 0;
    return text;
}

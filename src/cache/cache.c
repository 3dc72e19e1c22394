/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: entries of the cache.
 * Method: one file each, its name the key: a header with the key, the length and a checksum over all that
 * follows it, then the bytes. It is written aside and renamed, so that readers see whole files only, however
 * many write the same and whenever one of them dies. An entry that is not ours, not a file, or not as its
 * header says counts as absent, and writing puts a new one in its place. A hit renews the file's time, by
 * which cache_trim.c knows what was not used for longest. Limits: no fsync: after a power failure an entry
 * may be damaged, which is found out; two processes that need the same entry at the same time both make it.
 */
#include "cache_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct header {
    char magic[8];
    uint64_t checksum; /* of everything after this field */
    struct cache_key key;
    uint64_t bytes; /* after the header */
};
static const char MAGIC[8] = "SWCACH1";
const char CACHE_OLD[] = "of another version";
enum { CHECKED_FROM = 16, CHECK_SEED = 5 };

/* ---- names */

void cache_name(const struct cache_key *key, char out[CACHE_NAME_BYTES])
{
    snprintf(out, CACHE_NAME_BYTES, "%016llx%016llx%016llx%016llx.o", (unsigned long long)key->words[0],
             (unsigned long long)key->words[1], (unsigned long long)key->words[2],
             (unsigned long long)key->words[3]);
}

bool cache_name_parse(const char *name, struct cache_key *out)
{
    char again[CACHE_NAME_BYTES], digits[17] = {0};
    if (strlen(name) != CACHE_NAME_BYTES - 1) return false;
    for (int i = 0; i < 4; i++) {
        memcpy(digits, name + i * 16, 16);
        out->words[i] = strtoull(digits, NULL, 16);
    }
    cache_name(out, again);
    return strcmp(again, name) == 0;
}

/* ---- reading */

static bool cache_read_all(int file, uint8_t *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t count = read(file, data + done, bytes - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += (size_t)count;
    }
    return true;
}

static const char *file_fault(int file, struct stat *info)
{
    if (fstat(file, info) != 0) return "cannot be examined";
    if (!S_ISREG(info->st_mode)) return "not a file";
    if (info->st_uid != geteuid()) return "another user's";
    if (info->st_size < (off_t)sizeof(struct header) || info->st_size >= INT32_MAX) return "wrong length";
    return NULL;
}

static const char *entry_fault(const uint8_t *data, size_t bytes, const struct cache_key *key)
{
    const struct header *header = (const struct header *)(const void *)data;
    if (memcmp(header->magic, MAGIC, sizeof MAGIC) != 0) return CACHE_OLD;
    if (header->checksum != sw_hash_bytes(data + CHECKED_FROM, bytes - CHECKED_FROM, CHECK_SEED))
        return "wrong checksum";
    if (header->bytes != bytes - sizeof *header) return "wrong length";
    return memcmp(&header->key, key, sizeof *key) == 0 ? NULL : "another key's";
}

static uint8_t *cache_read_file(int file, const struct cache_key *key, size_t *bytes, const char **why)
{
    struct stat info;
    *why = file_fault(file, &info);
    if (*why) return NULL;
    *bytes = (size_t)info.st_size;
    uint8_t *data = malloc(*bytes);
    *why = data && cache_read_all(file, data, *bytes) ? entry_fault(data, *bytes, key) : "cannot be read";
    if (!*why) return data;
    free(data);
    return NULL;
}

uint8_t *cache_entry_read(const char *path, const struct cache_key *key, bool use, size_t *bytes,
                          const char **why)
{
    *why = "cannot be opened";
    int file =
        open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* no link, and no pipe to wait for */
    if (file < 0) return NULL;
    uint8_t *data = cache_read_file(file, key, bytes, why);
    if (data) {
        if (use) (void)futimens(file, NULL);
        *bytes -= sizeof(struct header);
        memmove(data, data + sizeof(struct header), *bytes);
    }
    close(file);
    return data;
}

static bool entry_path(const struct cache_key *key, bool make, struct str *folder, struct str *out)
{
    char name[CACHE_NAME_BYTES];
    if (!cache_folder_open(make, folder)) return false;
    cache_name(key, name);
    str_printf(out, "%s/%s", str_text(folder), name);
    return true;
}

bool cache_read(const struct cache_key *key, uint8_t **data, size_t *bytes)
{
    struct str folder = {0}, path = {0};
    const char *why;
    uint8_t *found = entry_path(key, false, &folder, &path)
                         ? cache_entry_read(str_text(&path), key, true, bytes, &why)
                         : NULL;
    if (found) *data = found;
    str_release(&path);
    str_release(&folder);
    return found != NULL;
}

/* ---- writing */

/* A write beyond this limit is a signal that ends the process. */
static bool may_write(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

static bool cache_write_all(int file, const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t count = write(file, (const uint8_t *)data + done, bytes - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += (size_t)count;
    }
    return true;
}

/* An empty folder in the way is removed; a full one stays, and there is no entry. */
static bool put_in_place(const char *aside, const char *path)
{
    if (rename(aside, path) == 0) return true;
    return errno == EISDIR && rmdir(path) == 0 && rename(aside, path) == 0;
}

static void write_aside_and_rename(const char *path, const struct header *header, const void *data)
{
    static atomic_uint serial;
    struct str aside = {0};
    str_printf(&aside, "%s.%ld.%u", path, (long)getpid(), atomic_fetch_add(&serial, 1));
    int file = open(str_text(&aside), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0) {
        bool whole =
            cache_write_all(file, header, sizeof *header) && cache_write_all(file, data, header->bytes);
        if (close(file) != 0 || !whole || !put_in_place(str_text(&aside), path))
            (void)unlink(str_text(&aside));
    }
    str_release(&aside);
}

static uint64_t checksum(const struct header *header, const void *data)
{
    struct str all = {0};
    str_add_bytes(&all, (const char *)header + CHECKED_FROM, sizeof *header - CHECKED_FROM);
    str_add_bytes(&all, data, header->bytes);
    uint64_t sum = sw_hash_bytes(all.text, all.length, CHECK_SEED);
    str_release(&all);
    return sum;
}

void cache_write(const struct cache_key *key, const void *data, size_t bytes)
{
    struct str folder = {0}, path = {0};
    struct header header = {.key = *key, .bytes = bytes};
    size_t all = bytes + sizeof header;
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.checksum = checksum(&header, data);
    if (all <= cache_limit_bytes() && all < INT32_MAX && may_write(all) &&
        entry_path(key, true, &folder, &path)) {
        write_aside_and_rename(str_text(&path), &header, data);
        cache_trim(str_text(&folder), key, all);
    }
    str_release(&path);
    str_release(&folder);
}

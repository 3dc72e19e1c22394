/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: entries of the cache.
 * Method: one file each, its name the key: a header with a cryptographic digest of all that follows it, the
 * key and the length, then the bytes. A reader takes the file into its own memory and verifies it there, so
 * that nothing can change what was verified. An entry is written aside and renamed, so that readers see whole
 * files only, however many write the same and whenever one of them dies. An entry that is not ours, not a
 * file, or not as its header says counts as absent, and writing puts a new one in its place. A hit renews the
 * file's time, by which cache_trim.c knows what was not used for longest. Limits: no fsync: after a power
 * failure an entry may be damaged, which is found out; two processes that need the same entry at the same
 * time both make it.
 */
#include "cache_priv.h"

#include "base/base_digest.h"
#include "base/base_write.h"

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
    uint8_t digest[SW_DIGEST_BYTES]; /* of everything after this field */
    struct cache_key key;
    uint64_t bytes; /* after the header */
};
static const char MAGIC[8] = "SWCACH2";
const char CACHE_OLD[] = "of another version";
static const char CACHE_ABSENT[] = "not there";
enum { CHECKED_FROM = offsetof(struct header, key) };

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
    if (info->st_mode & (S_IWGRP | S_IWOTH)) return "writable by other users";
    if (info->st_size < (off_t)sizeof(struct header) || info->st_size >= INT32_MAX) return "wrong length";
    return NULL;
}

/* The rest of the header counts, and all bytes. */
static void entry_digest(const struct header *header, const void *data, size_t bytes,
                         uint8_t out[SW_DIGEST_BYTES])
{
    struct sw_digest digest;
    sw_digest_init(&digest);
    sw_digest_add(&digest, (const char *)header + CHECKED_FROM, sizeof *header - CHECKED_FROM);
    sw_digest_add(&digest, data, bytes);
    sw_digest_end(&digest, out);
}

static const char *entry_fault(const uint8_t *data, size_t bytes, const struct cache_key *key)
{
    const struct header *header = (const struct header *)(const void *)data;
    uint8_t digest[SW_DIGEST_BYTES];
    if (memcmp(header->magic, MAGIC, sizeof MAGIC) != 0) return CACHE_OLD;
    entry_digest(header, data + sizeof *header, bytes - sizeof *header, digest);
    if (memcmp(header->digest, digest, sizeof digest) != 0) return "wrong checksum";
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

uint8_t *cache_entry_read(int folder, const struct cache_key *key, bool use, size_t *bytes, const char **why)
{
    char name[CACHE_NAME_BYTES];
    cache_name(key, name);
    /* no link, and no pipe to wait for */
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *why = errno == ENOENT ? CACHE_ABSENT : errno == ELOOP ? "a symbolic link" : "cannot be opened";
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

/* Entries of other versions are no reason to worry. */
static void say_refused(const struct cache_key *key, const char *why)
{
    static int said;
    char name[CACHE_NAME_BYTES];
    if (why == CACHE_ABSENT || why == CACHE_OLD) return;
    cache_name(key, name);
    sw_log_once(
        &said,
        "entry '%s' of the cache of compiled kernels is not used: %s; what it is for is compiled anew "
        "(softwarp cache --check lists all such entries)",
        name, why);
}

bool cache_read(const struct cache_key *key, uint8_t **data, size_t *bytes)
{
    const char *why;
    int folder = cache_folder_open(false);
    if (folder < 0) return false;
    uint8_t *found = cache_entry_read(folder, key, true, bytes, &why);
    close(folder);
    if (found)
        *data = found;
    else
        say_refused(key, why);
    return found != NULL;
}

/* ---- writing */

/* A write beyond this limit is a signal that ends the process. */
static bool may_write(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

/* An empty folder in the way is removed; a full one stays, and there is no entry. */
static bool put_in_place(int folder, const char *aside, const char *name)
{
    if (renameat(folder, aside, folder, name) == 0) return true;
    return errno == EISDIR && unlinkat(folder, name, AT_REMOVEDIR) == 0 &&
           renameat(folder, aside, folder, name) == 0;
}

static void write_aside_and_rename(int folder, const struct header *header, const void *data)
{
    static atomic_uint serial;
    char name[CACHE_NAME_BYTES];
    struct str aside = {0};
    cache_name(&header->key, name);
    str_printf(&aside, "%s.%ld.%u", name, (long)getpid(), atomic_fetch_add(&serial, 1));
    int file = openat(folder, str_text(&aside), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0) {
        bool whole = sw_write_all(file, header, sizeof *header) && sw_write_all(file, data, header->bytes);
        if (close(file) != 0 || !whole || !put_in_place(folder, str_text(&aside), name))
            (void)unlinkat(folder, str_text(&aside), 0);
    }
    str_release(&aside);
}

void cache_write(const struct cache_key *key, const void *data, size_t bytes)
{
    struct header header = {.key = *key, .bytes = bytes};
    size_t all = bytes + sizeof header;
    if (all > cache_limit_bytes() || all >= INT32_MAX || !may_write(all)) return;
    int folder = cache_folder_open(true);
    if (folder < 0) return;
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    entry_digest(&header, data, bytes, header.digest);
    write_aside_and_rename(folder, &header, data);
    cache_trim(folder, key, all);
    close(folder);
}

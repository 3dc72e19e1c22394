/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what does not stay in the cache: the least recently used beyond the limit, what writers that died
 * left behind, and, when asked, what is damaged.
 * Method: the folder is read whole, which costs a microsecond an entry, so one write in sixteen does it,
 * chosen by the key, and each write that is large beside the limit; then a sixteenth of the limit is made
 * free. Files whose names are not of our making are left alone. Limits: the folder may hold some sixteen
 * entries more than its limit; several processes that trim at once may remove a few more than needed. */
#include "cache_priv.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LEFT_AFTER_SECONDS = 600 }; /* a writer takes milliseconds */
enum { ONE_IN = 16, LARGE_SHARE = 64 };

struct entry {
    char name[CACHE_NAME_BYTES];
    uint64_t bytes;
    struct timespec used;
};
struct entries {
    VEC(struct entry) list;
    uint64_t bytes;
};

/* An entry's name, then the process and the number of the write. */
static bool is_aside(const char *name)
{
    char start[CACHE_NAME_BYTES];
    struct cache_key key;
    if (strlen(name) < sizeof start || name[sizeof start - 1] != '.') return false;
    memcpy(start, name, sizeof start - 1);
    start[sizeof start - 1] = 0;
    return cache_name_parse(start, &key) &&
           strspn(name + sizeof start, "0123456789.") == strlen(name + sizeof start);
}

static bool is_left_over(const struct stat *info)
{
    return time(NULL) - info->st_mtim.tv_sec > LEFT_AFTER_SECONDS;
}

static int longest_unused_first(const void *a, const void *b)
{
    const struct timespec *left = &((const struct entry *)a)->used, *right = &((const struct entry *)b)->used;
    if (left->tv_sec != right->tv_sec) return left->tv_sec < right->tv_sec ? -1 : 1;
    return (left->tv_nsec > right->tv_nsec) - (left->tv_nsec < right->tv_nsec);
}

static void trim_note(struct entries *entries, int folder, const char *name)
{
    struct cache_key key;
    struct stat info;
    bool is_entry = cache_name_parse(name, &key);
    if (!is_entry && !is_aside(name)) return;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (!is_entry) {
        if (is_left_over(&info)) (void)unlinkat(folder, name, 0);
        return;
    }
    struct entry *entry = vec_push(&entries->list);
    memcpy(entry->name, name, sizeof entry->name);
    entry->bytes = (uint64_t)info.st_size;
    entry->used = info.st_mtim;
    entries->bytes += entry->bytes;
}

/* The files of a folder; closedir closes a descriptor of its own. NULL: it cannot be read. */
static DIR *trim_list(int folder)
{
    int copy = folder < 0 ? -1 : openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (!list && copy >= 0) close(copy);
    return list;
}

void cache_trim(int folder, const struct cache_key *key, size_t bytes)
{
    struct entries entries = {0};
    uint64_t limit = cache_limit_bytes();
    if (key->words[0] % ONE_IN != 0 && bytes < limit / LARGE_SHARE) return;
    DIR *dir = trim_list(folder);
    if (!dir) return;
    for (struct dirent *item = readdir(dir); item; item = readdir(dir))
        trim_note(&entries, dirfd(dir), item->d_name);
    if (entries.bytes > limit)
        qsort(entries.list.at, entries.list.count, sizeof *entries.list.at, longest_unused_first);
    bool over = entries.bytes > limit;
    for (size_t i = 0; over && i < entries.list.count && entries.bytes > limit - limit / ONE_IN; i++) {
        (void)unlinkat(dirfd(dir), entries.list.at[i].name, 0);
        entries.bytes -= entries.list.at[i].bytes;
    }
    closedir(dir);
    vec_release(&entries.list);
}

/* ---- the check */

struct checking {
    DIR *dir;
    enum cache_removal removal;
    struct cache_state *state;
    void (*found)(void *user, const char *name, const char *why);
    void *user;
};

static void check_remove(struct checking *c, const char *name, bool bad)
{
    if (c->removal != CACHE_REMOVE_ALL && !(bad && c->removal == CACHE_REMOVE_BAD)) return;
    if (unlinkat(dirfd(c->dir), name, 0) == 0 || unlinkat(dirfd(c->dir), name, AT_REMOVEDIR) == 0)
        c->state->removed++;
}

static void check_entry(struct checking *c, const char *name, const struct cache_key *key)
{
    const char *why;
    size_t bytes = 0;
    uint8_t *data = cache_entry_read(dirfd(c->dir), key, false, &bytes, &why);
    if (data) {
        c->state->entries++;
        c->state->bytes += bytes;
    } else if (why == CACHE_OLD) {
        c->state->old++;
    } else {
        c->state->damaged++;
        if (c->found) c->found(c->user, name, why);
    }
    check_remove(c, name, !data);
    free(data);
}

static void check_aside(struct checking *c, const char *name)
{
    struct stat info;
    if (fstatat(dirfd(c->dir), name, &info, AT_SYMLINK_NOFOLLOW) != 0) return;
    c->state->leftovers++;
    if (c->found)
        c->found(c->user, name, is_left_over(&info) ? "of a writer that ended abnormally" : "being written");
    check_remove(c, name, is_left_over(&info));
}

bool cache_check(enum cache_removal removal, struct cache_state *out,
                 void (*found)(void *user, const char *name, const char *why), void *user)
{
    struct cache_key key;
    int folder = cache_folder_open(false);
    *out = (struct cache_state){0};
    DIR *dir = trim_list(folder);
    struct checking checking = {dir, removal, out, found, user};
    for (struct dirent *item = dir ? readdir(dir) : NULL; item; item = readdir(dir)) {
        if (cache_name_parse(item->d_name, &key))
            check_entry(&checking, item->d_name, &key);
        else if (is_aside(item->d_name))
            check_aside(&checking, item->d_name);
    }
    if (dir) closedir(dir);
    if (folder >= 0) close(folder);
    return dir != NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The folder that a program and its command line share, and those that killed commands left.
 *
 * The command holds a lock (flock) on the file "lock" of its folder; the system drops it however the command
 * ends. The file gets that name once it is locked, so a "lock" that can be locked belongs to nobody, and the
 * next command removes its folder. A folder without one is being made, or of an older version, which locked
 * the folder itself: it goes when it cannot be in use, after an hour in which nothing was written to it. Only
 * folders of this user with our name and no file but ours are touched. Limits: where the file system has no
 * such locks, nothing is removed but what the command made itself. */
#include "cli_priv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX     "softwarp-session-"
#define OLD_PREFIX "softwarp-" /* before there was a file "lock" */
#define LOCK       "lock"
#define NEW_LOCK   "lock.new"
enum { MKDTEMP_LETTERS = 6, UNUSED_SECONDS = 3600 };

static bool is_named(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    return sw_starts_with(name, prefix) && strlen(name) == length + MKDTEMP_LETTERS &&
           !strchr(name + length, '-');
}

static bool is_session_file(const char *name)
{
    return strcmp(name, LOCK) == 0 || strcmp(name, NEW_LOCK) == 0 || session_is_file(name);
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* The files of a folder; closedir closes a descriptor of its own. NULL: it cannot be read. */
static DIR *list_of(int folder)
{
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (!list && copy >= 0) close(copy);
    return list;
}

/* The lock goes last: until then the folder can be told from one in use. */
static void remove_files(DIR *list)
{
    if (!list) return;
    for (struct dirent *e; (e = readdir(list));)
        if (!is_dots(e->d_name) && strcmp(e->d_name, LOCK) != 0) unlinkat(dirfd(list), e->d_name, 0);
    unlinkat(dirfd(list), LOCK, 0);
    closedir(list);
}

/* *written: when something in it was written last. */
static bool has_only_session_files(int folder, time_t *written)
{
    struct stat status;
    DIR *list = list_of(folder);
    bool only = list != NULL && fstat(folder, &status) == 0;
    *written = only ? status.st_mtime : 0;
    for (struct dirent *e; only && (e = readdir(list));) {
        if (is_dots(e->d_name)) continue;
        only = is_session_file(e->d_name) && fstatat(folder, e->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
               S_ISREG(status.st_mode);
        if (only && status.st_mtime > *written) *written = status.st_mtime;
    }
    if (list) closedir(list);
    return only;
}

/* A descriptor that holds the folder's lock, when no command does; else -1. Whoever gets it looks again for
 * the file: another may have removed it meanwhile. */
static int take_lock(int folder, time_t written)
{
    struct stat ours, there;
    int file = openat(folder, LOCK, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool has_lock = file >= 0;
    if (!has_lock) file = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return -1;
    bool taken = flock(file, LOCK_EX | LOCK_NB) == 0;
    if (has_lock)
        taken = taken && fstat(file, &ours) == 0 && fstatat(folder, LOCK, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
                ours.st_ino == there.st_ino;
    else
        taken = taken && time(NULL) - written >= UNUSED_SECONDS;
    if (taken) return file;
    close(file);
    return -1;
}

static void remove_if_left(int temporary, const char *name)
{
    struct stat status;
    time_t written;
    int folder = openat(temporary, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    bool ours = fstat(folder, &status) == 0 && status.st_uid == geteuid();
    if (is_named(name, OLD_PREFIX)) ours = ours && faccessat(folder, "options", F_OK, 0) == 0;
    if (ours && has_only_session_files(folder, &written)) {
        int lock = take_lock(folder, written);
        if (lock >= 0) {
            remove_files(list_of(folder));
            unlinkat(temporary, name, AT_REMOVEDIR);
            close(lock);
        }
    }
    close(folder);
}

static void remove_left_folders(const char *temporary)
{
    DIR *list = opendir(temporary);
    for (struct dirent *e; list && (e = readdir(list));)
        if (is_named(e->d_name, PREFIX) || is_named(e->d_name, OLD_PREFIX))
            remove_if_left(dirfd(list), e->d_name);
    if (list) closedir(list);
}

/* -1: there are no locks here. */
static int make_lock(int folder)
{
    int file = openat(folder, NEW_LOCK, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && renameat(folder, NEW_LOCK, folder, LOCK) == 0) return file;
    close(file);
    return -1;
}

int cli_folder_make(struct cli_folder *out, struct arena *arena)
{
    const char *temporary = getenv("TMPDIR");
    if (!temporary || !*temporary) temporary = "/tmp";
    remove_left_folders(temporary);
    *out = (struct cli_folder){arena_printf(arena, "%s/" PREFIX "XXXXXX", temporary), -1, -1};
    if (!mkdtemp(out->path))
        return cli_fail(CLI_INTERNAL, "cannot make '%s': %s", out->path, strerror(errno));
    out->file = open(out->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (out->file >= 0) out->lock = make_lock(out->file);
    return CLI_OK;
}

void cli_folder_remove(struct cli_folder *folder)
{
    if (folder->file >= 0)
        remove_files(fdopendir(folder->file)); /* no further descriptor, and it is closed */
    rmdir(folder->path);
    if (folder->lock >= 0) close(folder->lock);
}

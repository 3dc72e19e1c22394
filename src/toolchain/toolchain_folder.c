/* SPDX-License-Identifier: Apache-2.0 */
/* Folders in /tmp for the files of one command. Method: the command holds a lock on its folder, which the
 * system drops however the command ends; whoever makes a folder removes those, of the same user, that nobody
 * has locked and that are older than a minute: killed commands leave nothing behind for long. Limits: files,
 * no folders in them. */
#include "toolchain_priv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "softwarp-cc-"
enum { YOUNG_SECONDS = 60 }; /* made and perhaps not locked yet */

static void remove_files(int folder)
{
    int copy = fcntl(folder, F_DUPFD_CLOEXEC, 0); /* closedir closes it */
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (!list && copy >= 0) close(copy);
    for (struct dirent *entry; list && (entry = readdir(list));)
        (void)unlinkat(folder, entry->d_name, 0);
    if (list) closedir(list);
}

/* The folder's descriptor when it was left behind, and now locked by us; else -1. */
static int take_abandoned(int tmp, const char *name)
{
    struct stat s;
    int folder = openat(tmp, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return -1;
    bool ours = fstat(folder, &s) == 0 && s.st_uid == geteuid() && s.st_mtime + YOUNG_SECONDS < time(NULL);
    if (ours && flock(folder, LOCK_EX | LOCK_NB) == 0) return folder;
    close(folder);
    return -1;
}

static void remove_abandoned(void)
{
    DIR *list = opendir("/tmp");
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (!sw_starts_with(entry->d_name, PREFIX)) continue;
        int folder = take_abandoned(dirfd(list), entry->d_name);
        if (folder < 0) continue;
        remove_files(folder);
        (void)unlinkat(dirfd(list), entry->d_name, AT_REMOVEDIR);
        close(folder);
    }
    if (list) closedir(list);
}

enum sw_status toolchain_folder_make(struct toolchain_folder *out, struct sw_error *error)
{
    remove_abandoned();
    memcpy(out->path, "/tmp/" PREFIX "XXXXXX", sizeof "/tmp/" PREFIX "XXXXXX");
    if (!mkdtemp(out->path)) {
        out->path[0] = '\0';
        return sw_fail(error, SW_IO, "cannot make a folder in /tmp: %s", strerror(errno));
    }
    out->file = open(out->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (out->file >= 0) (void)flock(out->file, LOCK_EX | LOCK_NB);
    return SW_OK;
}

void toolchain_folder_remove(struct toolchain_folder *folder)
{
    if (!folder->path[0]) return;
    if (folder->file >= 0) remove_files(folder->file);
    rmdir(folder->path);
    if (folder->file >= 0) close(folder->file);
    folder->path[0] = '\0';
}

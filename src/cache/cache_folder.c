/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: where the cache is, and whether it may be used.
 * Method: CUDA's own variables, then the desktop's. The folder must be a real one, ours, and closed to others
 * (0700), since what lies in it is executed; it is made so. Nobody else may be able to put another in its
 * place: each folder above it must be the user's or root's, and writable by nobody else. The path is walked
 * name by name through descriptors, so that what was looked at is what is used. Links above the folder are
 * followed where the user or root made them; one in its place is not. Limits: access lists (ACL) are not
 * looked at beyond what the mode says of them. */
#include "cache_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *variable(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

bool cache_folder(struct str *out)
{
    const char *off = variable("CUDA_CACHE_DISABLE");
    const char *path = variable("CUDA_CACHE_PATH"), *cache = variable("XDG_CACHE_HOME"),
               *home = variable("HOME");
    if (off && strcmp(off, "0") != 0) return false;
    if (path || cache)
        str_printf(out, "%s/softwarp", path ? path : cache);
    else if (home)
        str_printf(out, "%s/.cache/softwarp", home);
    return path || cache || home;
}

uint64_t cache_limit_bytes(void)
{
    static const uint64_t DEFAULT_BYTES = UINT64_C(1) << 30; /* CUDA's default for its own cache */
    const char *text = variable("CUDA_CACHE_MAXSIZE");
    char *end = NULL;
    uint64_t bytes = text && *text != '-' ? strtoull(text, &end, 10) : 0;
    return end && end != text && !*end ? bytes : DEFAULT_BYTES;
}

/* ---- the walk */

enum { LINKS_MOST = 40 }; /* as the system follows (path_resolution(7)) */

/* Along a path, one name at a time. What cannot be trusted ends it. */
struct walk {
    int at;          /* the folder that it has come to */
    struct str path; /* of it, for people */
    char *rest;      /* what is still to go */
    uid_t root;      /* whose the root folder is: in a container's user namespace not 0 */
    uint32_t links;
    const char *why; /* the one after path is not to be trusted; NULL: there is none, or no access */
    bool make;
};

static bool is_trusted(const struct walk *walk, uid_t owner)
{
    return owner == geteuid() || owner == 0 || owner == walk->root;
}

/* Others can put something else in the place of what is in it. A folder like /tmp lets them not (sticky), nor
 * does a group that is the user's alone, as systems with a group for each user have it (same number). */
static bool others_may_change(const struct stat *info)
{
    bool own_group = info->st_gid == getegid() && info->st_gid == info->st_uid;
    mode_t others = own_group ? S_IWOTH : S_IWGRP | S_IWOTH;
    return (info->st_mode & others) && !(info->st_mode & S_ISVTX);
}

static const char *folder_fault(const struct walk *walk, const struct stat *info, bool last)
{
    if (!last && !is_trusted(walk, info->st_uid)) return "belongs to another user";
    if (!last && others_may_change(info)) return "is writable by other users";
    if (last && info->st_uid != geteuid()) return "belongs to another user";
    if (last && info->st_mode & (S_IRWXG | S_IRWXO)) return "is open to other users";
    return NULL;
}

static void walk_step_to(struct walk *walk, int folder, const char *name)
{
    close(walk->at);
    walk->at = folder;
    if (*name == '/') str_clear(&walk->path);
    if (*name != '/') str_printf(&walk->path, "/%s", name);
}

static bool walk_enter(struct walk *walk, const char *name, bool last)
{
    struct stat info;
    int folder = openat(walk->at, name, (last ? O_RDONLY : O_PATH) | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return false;
    walk_step_to(walk, folder, name);
    walk->why = fstat(folder, &info) == 0 ? folder_fault(walk, &info, last) : "cannot be examined";
    return !walk->why;
}

/* What a link names goes before the rest. */
static bool walk_follow(struct walk *walk, const char *name, const struct stat *link)
{
    char target[PATH_MAX];
    struct str rest = {0};
    ssize_t length = readlinkat(walk->at, name, target, sizeof target - 1);
    if (length <= 0 || ++walk->links > LINKS_MOST) return false;
    if (!is_trusted(walk, link->st_uid)) {
        str_printf(&walk->path, "/%s", name);
        walk->why = "is another user's link";
        return false;
    }
    target[length] = 0;
    str_printf(&rest, "%s/%s", target, walk->rest);
    free(walk->rest);
    walk->rest = str_steal(&rest);
    return *target != '/' || walk_enter(walk, "/", false);
}

static bool walk_name(struct walk *walk, const char *name, bool last)
{
    struct stat info;
    bool there = fstatat(walk->at, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
    if (!there && walk->make && errno == ENOENT) {
        (void)mkdirat(walk->at, name, last ? 0700 : 0755);
        there = fstatat(walk->at, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
    }
    if (!there) return false;
    if (!S_ISLNK(info.st_mode)) return walk_enter(walk, name, last);
    if (!last) return walk_follow(walk, name, &info);
    str_printf(&walk->path, "/%s", name);
    walk->why = "is a symbolic link";
    return false;
}

/* The next name is taken off the rest; the caller frees it. NULL: there is none. */
static char *walk_next(struct walk *walk)
{
    char *start = walk->rest + strspn(walk->rest, "/");
    size_t length = strcspn(start, "/");
    char *name = length ? sw_xmemdup(start, length + 1) : NULL;
    if (name) name[length] = 0;
    memmove(walk->rest, start + length, strlen(start + length) + 1);
    return name;
}

static bool walk_all(struct walk *walk)
{
    bool ok = walk_enter(walk, "/", false);
    while (ok) {
        char *name = walk_next(walk);
        if (!name) return true;
        bool last = !walk->rest[strspn(walk->rest, "/")];
        ok = strcmp(name, ".") == 0 || walk_name(walk, name, last);
        free(name);
    }
    return false;
}

static char *absolute(const struct str *path)
{
    char folder[PATH_MAX];
    struct str whole = {0};
    if (*str_text(path) != '/') str_printf(&whole, "%s/", getcwd(folder, sizeof folder) ? folder : "");
    str_add(&whole, str_text(path));
    return str_steal(&whole);
}

int cache_folder_open(bool make)
{
    static int said;
    struct str path = {0};
    struct stat root = {0};
    struct walk walk = {.make = make};
    if (!cache_folder(&path)) {
        str_release(&path);
        return -1;
    }
    (void)stat("/", &root);
    walk.root = root.st_uid;
    walk.rest = absolute(&path);
    walk.at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (walk.at >= 0 && !walk_all(&walk)) {
        close(walk.at);
        walk.at = -1;
    }
    if (walk.why)
        sw_log_once(
            &said,
            "the cache of compiled kernels in '%s' is not used: '%s' %s; kernels are compiled in each "
            "run until it is removed or changed (docs/cache.md)",
            str_text(&path), walk.path.length ? str_text(&walk.path) : "/", walk.why);
    free(walk.rest);
    str_release(&walk.path);
    str_release(&path);
    return walk.at;
}

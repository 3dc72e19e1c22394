/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: where the cache is, and whether it may be used.
 * Method: CUDA's own variables, then the desktop's. The folder must be a real one, ours, and closed to others
 * (0700), since what lies in it is executed; it is made so. Limits: a link in the folder's place is not
 * followed; its parents may be links. */
#include "cache_priv.h"

#include <errno.h>
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

static bool folder_is_ours(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 077) == 0;
}

static void make_folders(const char *path)
{
    char *copy = sw_xstrdup(path);
    for (char *at = strchr(copy + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        (void)mkdir(copy, 0755);
        *at = '/';
    }
    (void)mkdir(copy, 0700);
    free(copy);
}

bool cache_folder_open(bool make, struct str *out)
{
    if (!cache_folder(out)) return false;
    if (make && !folder_is_ours(str_text(out))) make_folders(str_text(out));
    return folder_is_ours(str_text(out));
}

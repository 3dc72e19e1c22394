/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the parts of the installation from where the running program is: <prefix>/bin/softwarp,
 * <prefix>/share/softwarp/cuda and <prefix>/lib/softwarp (installed) or <prefix>/lib (build tree); in a
 * library (libnvrtc.so.13), from where that is. Clang: $SOFTWARP_CLANG, then clang++-19 and clang++ of $PATH;
 * its version must be 19, because the headers build on those that clang 19 ships. Limits: a clang that
 * answers --version otherwise is not recognised. */
#include "toolchain_priv.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLANG_MAJOR = 19 };

/* Drop the file and the folders that it is in. */
static bool find_drop(char *path, int levels)
{
    for (int level = 0; level < levels; level++) {
        char *slash = strrchr(path, '/');
        if (!slash) return false;
        *slash = '\0';
    }
    return true;
}

/* The library that this file is part of, links followed; false: it is part of a program. */
static bool find_own_library(char path[PATH_MAX])
{
    Dl_info own;
    if (!dladdr((const void *)(uintptr_t)find_own_library, &own) || !own.dli_fname) return false;
    const char *slash = strrchr(own.dli_fname, '/');
    return slash && strstr(slash, ".so") && realpath(own.dli_fname, path);
}

static const char *find_prefix(struct arena *arena)
{
    char path[PATH_MAX];
    if (find_own_library(path)) {
        if (!find_drop(path, 1)) return NULL;
        return find_drop(path, sw_ends_with(path, "/lib/softwarp") ? 2 : 1) ? arena_strdup(arena, path)
                                                                            : NULL;
    }
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return NULL;
    path[length] = '\0';
    return find_drop(path, 2) ? arena_strdup(arena, path) : NULL; /* softwarp, then bin */
}

static bool exists(const char *path)
{
    return access(path, R_OK) == 0;
}

static enum sw_status missing(struct sw_error *error, const char *what, const char *path)
{
    return sw_fail(error, SW_NOT_FOUND,
                   "%s not found at '%s': the installation is not complete, build or install softwarp again",
                   what, path);
}

static const char *find_libraries(struct arena *arena, const char *prefix)
{
    const char *installed = arena_printf(arena, "%s/lib/softwarp", prefix);
    const char *built = arena_printf(arena, "%s/lib", prefix);
    return exists(arena_printf(arena, "%s/libcudart.so.13", installed)) ? installed : built;
}

/* The path of a program in $PATH, or NULL. */
static const char *search_path(struct arena *arena, const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/')) return access(name, X_OK) == 0 ? name : NULL;
    for (const char *at = path ? path : "/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        const char *candidate = arena_printf(arena, "%.*s/%s", (int)length, at, name);
        if (length && access(candidate, X_OK) == 0) return candidate;
        at += length + (at[length] == ':');
    }
    return NULL;
}

static int clang_major(struct arena *arena, const char *clang)
{
    char line[256] = "";
    FILE *pipe = popen(arena_printf(arena, "'%s' --version 2>/dev/null", clang), "r");
    if (!pipe) return 0;
    if (!fgets(line, sizeof line, pipe)) line[0] = '\0';
    pclose(pipe);
    const char *version = strstr(line, "clang version ");
    return version ? atoi(version + strlen("clang version ")) : 0;
}

static enum sw_status find_clang(struct arena *arena, const char **out, struct sw_error *error)
{
    const char *asked = getenv("SOFTWARP_CLANG");
    const char *names[] = {asked && *asked ? asked : "clang++-19", "clang++"};
    for (size_t i = 0; i < SW_COUNT_OF(names); i++) {
        const char *clang = search_path(arena, names[i]);
        bool named_19 = clang && sw_ends_with(clang, "clang++-19"); /* saves a process */
        if (clang && (named_19 || clang_major(arena, clang) == CLANG_MAJOR)) {
            *out = clang;
            return SW_OK;
        }
        if (asked && *asked)
            return sw_fail(error, SW_FILE_NOT_FOUND, "SOFTWARP_CLANG='%s' is not a clang++ of version %d",
                           asked, CLANG_MAJOR);
    }
    return sw_fail(error, SW_FILE_NOT_FOUND,
                   "clang++ %d not found: install it (Debian, Ubuntu: apt-get install clang-19) or set "
                   "SOFTWARP_CLANG to its path",
                   CLANG_MAJOR);
}

enum sw_status toolchain_find(struct arena *arena, struct toolchain_paths *out, struct sw_error *error)
{
    const char *prefix = find_prefix(arena);
    if (!prefix) return missing(error, "the running program", "/proc/self/exe");
    struct toolchain_paths paths = {
        .sdk = arena_printf(arena, "%s/share/softwarp/cuda/sdk", prefix),
        .include = arena_printf(arena, "%s/share/softwarp/cuda/include", prefix),
        .libraries = find_libraries(arena, prefix),
    };
    const char *parts[][2] = {
        {"the CUDA headers", arena_printf(arena, "%s/cuda_runtime.h", paths.include)},
        {"the device library", arena_printf(arena, "%s/nvvm/libdevice/libdevice.10.bc", paths.sdk)},
        {"the fat binary writer", arena_printf(arena, "%s/bin/fatbinary", paths.sdk)}};
    for (size_t i = 0; i < SW_COUNT_OF(parts); i++)
        if (!exists(parts[i][1])) return missing(error, parts[i][0], parts[i][1]);
    SW_TRY(find_clang(arena, &paths.clang, error));
    *out = paths;
    return SW_OK;
}

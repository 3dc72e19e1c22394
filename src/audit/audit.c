/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the libraries of Python's packages find ours, whichever folder they name: by DT_RPATH, which goes
 * before LD_LIBRARY_PATH, or by a whole path. Method: the loader asks an auditor (LD_AUDIT, rtld-audit(7))
 * for each name that it is about to search; names of ours get the file beside this one. Limits: glibc's
 * loader. */
#include "base/base_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) unsigned la_version(unsigned version);
__attribute__((visibility("default"))) char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag);

unsigned la_version(unsigned version)
{
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

static bool is_ours(const char *file)
{
    static const char *const CUDA[] = {"libcuda.so.1", "libcuda.so", "libcudart.so.13", "libcudart.so.12",
                                       "libnvidia-ml.so.1"};
    for (size_t i = 0; i < sizeof CUDA / sizeof *CUDA; i++)
        if (strcmp(file, CUDA[i]) == 0) return true;
    const struct sw_library *library = strncmp(file, "lib", 3) == 0 ? sw_library_find(file) : NULL;
    for (size_t i = 0; library && i < SW_LIBRARY_FILES && library->ours[i]; i++)
        if (strcmp(file, library->ours[i]) == 0) return true;
    return false;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The loader copies what it gets, and calls one search after the other. */
char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag)
{
    static char path[PATH_MAX];
    Dl_info self;
    (void)cookie;
    const char *file = name_of(name);
    if (flag != LA_SER_ORIG || !is_ours(file) || !dladdr((void *)(uintptr_t)la_version, &self) ||
        !self.dli_fname)
        return (char *)(uintptr_t)name;
    int folder = (int)(name_of(self.dli_fname) - self.dli_fname);
    int length = snprintf(path, sizeof path, "%.*s%s", folder, self.dli_fname, file);
    bool fits = length > 0 && (size_t)length < sizeof path;
    return fits && access(path, R_OK) == 0 ? path : (char *)(uintptr_t)name;
}

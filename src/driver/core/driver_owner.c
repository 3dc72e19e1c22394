/* SPDX-License-Identifier: Apache-2.0 */
/* Which shared library of the program asks for what Softwarp does not have: NVIDIA's own ones bring machine
 * code alone and ask for private tables, and so does a library that was linked with NVIDIA's static runtime.
 * Method: the address of the caller, or of an image, identifies the file. Limits: an image that was copied to
 * the heap belongs to no file. */
#include "driver_owner.h"

#include "base/base.h"
#include "base/base_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

const char *driver_owner_of(const void *address)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!address || !dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return NULL;
    return map->l_name[0] ? map->l_name : NULL; /* the program itself has no name */
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool driver_owner_explain(const void *address, char *text, size_t bytes)
{
    const char *path = driver_owner_of(address);
    const struct sw_library *library = path ? sw_library_find(path) : NULL;
    if (library)
        snprintf(
            text, bytes,
            "%s is NVIDIA's %s: machine code for NVIDIA's driver, which Softwarp does not run; what works "
            "instead: %s",
            last_part(path), library->name, library->instead);
    else if (path)
        snprintf(text, bytes, "%s", last_part(path));
    return library != NULL;
}

bool driver_owner_is_compiler(const char *path)
{
    const struct sw_library *library = path ? sw_library_find(path) : NULL;
    return library && strcmp(library->stem, "nvrtc") == 0;
}

static int note_loaded(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    if (driver_owner_is_compiler(info->dlpi_name))
        *(const char **)found = sw_library_find(info->dlpi_name)->instead;
    return 0;
}

const char *driver_owner_compiler(void)
{
    const char *instead = NULL;
    dl_iterate_phdr(note_loaded, &instead);
    return instead;
}

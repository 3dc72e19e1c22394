/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: names of kernels in messages, as the program's source has them. Method: the C++ runtime library's
 * demangler, which most programs have loaded; it is opened for others when a message needs it. Limits:
 * without that library names stay as PTX has them. */
#include "driver_error.h"

#include "ptx/ptx_ir.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From the C++ ABI: result from malloc, NULL when name is not a mangled one. */
typedef char *(*demangle_fn)(const char *name, char *buffer, size_t *length, int *status);

static demangle_fn find_demangler(void)
{
    static const char name[] = "__cxa_demangle";
    void *found = dlsym(RTLD_DEFAULT, name);
    void *library = found ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library) found = dlsym(library, name);
    return (demangle_fn)(uintptr_t)found;
}

void driver_name_plain(char *name, size_t bytes)
{
    demangle_fn demangle = sw_starts_with(name, "_Z") ? find_demangler() : NULL;
    int status = 0;
    char *plain = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    if (plain) snprintf(name, bytes, "%s", plain);
    free(plain);
}

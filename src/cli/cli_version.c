/* SPDX-License-Identifier: Apache-2.0 */
/* `softwarp --version`: the version, the commit it was built from, and the version of the LLVM that the
 * compiler of kernels uses: the one that is found when it runs, so the compiler is opened to ask. */
#include "cli_priv.h"

#include "jit/jit_version.h"
#include "softwarp_version.h"

#include <dlfcn.h>
#include <stdio.h>

const char *cli_version(void)
{
    return SOFTWARP_VERSION;
}

/* Where it cannot be opened, why. */
static void print_llvm(struct arena *arena)
{
    const char *folder;
    if (!cli_library_folder(arena, &folder)) {
        printf("LLVM:  libsoftwarp-jit.so is missing: install or build Softwarp again\n");
        return;
    }
    void *compiler = dlopen(arena_printf(arena, "%s/libsoftwarp-jit.so", folder), RTLD_LAZY | RTLD_LOCAL);
    jit_llvm_version_fn ask =
        compiler ? (jit_llvm_version_fn)(uintptr_t)dlsym(compiler, JIT_LLVM_VERSION_SYMBOL) : NULL;
    unsigned major, minor, patch;
    if (ask) {
        ask(&major, &minor, &patch);
        printf("LLVM:  %u.%u.%u\n", major, minor, patch);
    } else {
        printf("LLVM:  the compiler of kernels cannot be opened: %s\n", dlerror());
    }
}

void cli_version_print(void)
{
    struct arena arena;
    arena_init(&arena);
    printf("softwarp %s\nbuild: %s\n", SOFTWARP_VERSION, SOFTWARP_BUILD);
    print_llvm(&arena);
    arena_release(&arena);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What clang's errors do not say: how to do in Softwarp's way what CUDA allows and clang does not.
 * Method: a command that failed is run again for the device's errors alone, which are searched for what is
 * known; so clang's own messages reach the terminal untouched, with their colours. Limits: a failed
 * compilation takes twice as long. */
#include "toolchain_priv.h"

#include "base/base_library.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct {
    const char *error, *hint;
} hints[] = {
    {"an attribute list cannot appear here", "clang requires alignas before the CUDA specifiers: alignas(16) "
                                             "__shared__ float tile[32], which nvcc accepts too"},
    {"reference to __global__ function",
     "kernels launch kernels with -rdc=true, as with nvcc; where the launch is part of a macro, write "
     "SOFTWARP_LAUNCH(kernel, grid, block, shared, stream)(arguments) of \"softwarp/device_runtime.h\""},
    {"no template named 'device_launch'", "launches of kernels from kernels need -std=c++17 or later"},
    {"non-type template parameter 'Kernel'",
     "name the template arguments of a kernel that a kernel launches: kernel<float><<<1, 32>>>(p)"},
};

/* Open source, not part of Softwarp: found by the first folder of the header's name. */
static const char *const cccl[] = {"thrust/", "cub/", "cuda/", "libcudacxx/", "nv/"};

static void hint_library(const char *name, const struct sw_library *library)
{
    sw_log("cc: %s belongs to NVIDIA's %s, which Softwarp does not run; what works instead: %s", name,
           library->name, library->instead);
}

static void hint_header(const char *name)
{
    const struct sw_library *library = sw_library_find(name);
    if (library) hint_library(name, library);
    for (size_t i = 0; i < SW_COUNT_OF(cccl); i++)
        if (sw_starts_with(name, cccl[i]))
            sw_log("cc: %s belongs to CCCL (Thrust, CUB, libcu++), which is open source and not part of "
                   "Softwarp: name the folder of its headers with -I (github.com/NVIDIA/cccl; tested with "
                   "version 3.0)",
                   name);
}

/* Of "k.cu:1:10: fatal error: 'cublas_v2.h' file not found". */
static void hint_headers(struct arena *arena, const char *text)
{
    static const char missing[] = "' file not found";
    for (const char *at = text; (at = strstr(at, missing)) != NULL; at += strlen(missing)) {
        const char *name = at;
        while (name > text && name[-1] != '\'' && name[-1] != '\n')
            name--;
        hint_header(arena_strndup(arena, name, (size_t)(at - name)));
    }
}

/* Of "use of undeclared identifier 'cublasCreate'": the first such name of each library. */
static void hint_functions(struct arena *arena, const char *text)
{
    static const char unknown[] = "use of undeclared identifier '";
    const struct sw_library *last = NULL;
    for (const char *at = text; (at = strstr(at, unknown)) != NULL;) {
        at += strlen(unknown);
        const char *name = arena_strndup(arena, at, strcspn(at, "'"));
        const struct sw_library *library = sw_library_of_function(name);
        if (library && library != last) hint_library(name, library);
        if (library) last = library;
    }
}

/* Standard error of the command, of which the beginning is enough. */
static void read_errors(char *const *words, char *text, size_t bytes)
{
    int ends[2], status;
    pid_t child;
    posix_spawn_file_actions_t actions;
    size_t length = 0;
    text[0] = '\0';
    if (pipe(ends) != 0) return;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    bool started = posix_spawn(&child, words[0], &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (started) {
        char rest[4096]; /* what comes after is read, so that the command does not wait, and dropped */
        bool full = length == bytes - 1;
        ssize_t got =
            full ? read(ends[0], rest, sizeof rest) : read(ends[0], text + length, bytes - 1 - length);
        if (got <= 0) break;
        if (!full) length += (size_t)got;
    }
    text[length] = '\0';
    close(ends[0]);
    if (started) waitpid(child, &status, 0);
}

void toolchain_hint(const toolchain_args *failed)
{
    enum { ENOUGH = 65536 };
    toolchain_args words = {0};
    char *text = sw_xmalloc(ENOUGH);
    for (size_t i = 0; failed->at[i]; i++)
        *vec_push(&words) = failed->at[i];
    *vec_push(&words) = "--cuda-device-only";
    *vec_push(&words) = "-fsyntax-only";
    *vec_push(&words) = NULL;
    read_errors((char *const *)(uintptr_t)words.at, text, ENOUGH);
    for (size_t i = 0; i < SW_COUNT_OF(hints); i++)
        if (strstr(text, hints[i].error)) sw_log("cc: %s", hints[i].hint);
    struct arena arena;
    arena_init(&arena);
    hint_headers(&arena, text);
    hint_functions(&arena, text);
    arena_release(&arena);
    free(text);
    vec_release(&words);
}

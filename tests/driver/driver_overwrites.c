/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that write over the memory of their own process by an address that no parameter holds, upwards or
 * downwards until there is no memory: the launch fails with CUDA's error, or the process dies of it and says
 * so. Not a cmocka program: cmocka takes the signals that the engine needs. */
#include "driver_program.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILLS(name, step)                                                                                    \
    ".visible .entry " name "(.param .u64 eighth)\n{\n"                                                      \
    "    .reg .b64 %d<3>; ld.param.u64 %d1, [eighth]; shl.b64 %d1, %d1, 3; mov.u64 %d2, "                    \
    "0x4141414141414141;\n"                                                                                  \
    "MORE: st.global.u64 [%d1], %d2; add.s64 %d1, %d1, " step "; bra MORE;\n}\n"
static const char TEXT[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n" FILLS("up", "8") FILLS("down", "-8");

static char variable[4096];

static uint64_t place(int which)
{
    int local;
    if (which == 0) return (uintptr_t)malloc(100);
    if (which == 1) return (uintptr_t)variable;
    return which == 2 ? (uintptr_t)&local : (uintptr_t)stdout;
}

static CUresult run(const char *name, int which)
{
    CUcontext context;
    CUmodule module;
    CUfunction function;
    uint64_t eighth = place(which) / 8;
    void *params[] = {&eighth};
    OK(cuInit(0));
    OK(cuCtxCreate(&context, NULL, 0, 0));
    OK(cuModuleLoadData(&module, TEXT));
    OK(cuModuleGetFunction(&function, module, name));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    return cuCtxSynchronize();
}

/* What the process says on stderr, and how it ends. */
static bool ends_well(const char *name, int which, char *said, size_t bytes)
{
    int ends[2], status = 0;
    size_t have = 0;
    ssize_t more;
    if (pipe(ends) != 0) return false;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        alarm(20); /* a process that hangs dies of a signal that nobody speaks of */
        _exit(run(name, which) == CUDA_ERROR_ILLEGAL_ADDRESS ? 0 : 3);
    }
    close(ends[1]);
    while (have < bytes - 1 && (more = read(ends[0], said + have, bytes - 1 - have)) > 0)
        have += (size_t)more;
    said[have] = '\0';
    close(ends[0]);
    if (waitpid(child, &status, 0) != child) return false;
    return WIFSIGNALED(status) ? WTERMSIG(status) != SIGALRM && have : status == 0;
}

int main(void)
{
    static const char *const NAMES[] = {"up", "down"};
    int failed = 0;
    for (int i = 0; i < 8; i++) {
        char said[4096];
        if (ends_well(NAMES[i % 2], i / 2, said, sizeof said)) continue;
        printf("%s from place %d: '%s'\n", NAMES[i % 2], i / 2, said);
        failed++;
    }
    return failed != 0;
}

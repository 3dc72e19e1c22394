/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of shared and local memory far outside of it: whatever the offset, 32 or 64 bits of it, forwards,
 * backwards and around the end of the 32-bit address, they are faults and write nowhere. Addresses of both
 * have 32 bits, as on a GPU: a multiple of 4 GiB leads back to the same place. Not a cmocka program: cmocka
 * takes the signals that the engine needs. */
#include "driver_program.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* An access at `offset` bytes of an array, by an address of so many bits; what is read goes to p. */
#define STORES(space, bits, reg, from)                                                                       \
    ".visible .entry st_" space bits "(.param .u64 offset, .param .u64 p)\n{\n"                              \
    "    .reg .b64 %d<6>; .reg .b32 %r<6>; ." space " .align 16 .b8 array[128];\n"                           \
    "    ld.param.u64 %d1, [offset]; cvt.u32.u64 %r1, %d1; mov.u" bits " " reg "3, array;\n"                 \
    "    add.s" bits " " reg "3, " reg "3, " from "; mov.u32 %r5, 7; st." space ".u32 [" reg "3], %r5; "     \
    "ret;\n}\n"
#define LOADS(space, bits, reg, from)                                                                        \
    ".visible .entry ld_" space bits "(.param .u64 offset, .param .u64 p)\n{\n"                              \
    "    .reg .b64 %d<6>; .reg .b32 %r<6>; ." space " .align 16 .b8 array[128];\n"                           \
    "    ld.param.u64 %d1, [offset]; ld.param.u64 %d2, [p]; cvt.u32.u64 %r1, %d1;\n"                         \
    "    mov.u" bits " " reg "3, array; add.s" bits " " reg "3, " reg "3, " from ";\n"                       \
    "    ld." space ".u32 %r5, [" reg "3]; st.global.u32 [%d2], %r5; ret;\n}\n"
static const char TEXT[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n" STORES("shared", "32", "%r", "%r1")
        STORES("shared", "64", "%d", "%d1") STORES("local", "32", "%r", "%r1")
            STORES("local", "64", "%d", "%d1") LOADS("shared", "32", "%r", "%r1")
                LOADS("shared", "64", "%d", "%d1") LOADS("local", "32", "%r", "%r1")
                    LOADS("local", "64", "%d", "%d1");

static const uint64_t FAR[] = {
    64 << 10,  1 << 20,       1 << 28,       200 << 20,     0x7fff0000,    0x80000000,  0xfff00000,
    -65536ull, -209715200ull, -(1ull << 30), -(1ull << 31), -(3ull << 30), 0x1fff00000, 0x7ffffff00000,
};
static const uint64_t SAME[] = {0, 1ull << 32, 3ull << 40, -(1ull << 32)};

static CUresult run(const char *name, uint64_t offset)
{
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr p;
    void *params[] = {&offset, &p};
    OK(cuInit(0));
    OK(cuCtxCreate(&context, NULL, 0, 0));
    OK(cuModuleLoadData(&module, TEXT));
    OK(cuModuleGetFunction(&function, module, name));
    OK(cuMemAlloc(&p, 256));
    OK(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    return cuCtxSynchronize();
}

/* In a process of its own, which a fault spoils: it ends as it should. */
static int check(const char *name, uint64_t offset, CUresult expected)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(4);
        _exit(run(name, offset) == expected ? 0 : 3);
    }
    bool ended = waitpid(child, &status, 0) == child;
    if (ended && status == 0) return 0;
    printf("%s at 0x%llx: status 0x%x\n", name, (unsigned long long)offset, (unsigned)status);
    return 1;
}

int main(void)
{
    static const char *const NAMES[] = {"st_shared32", "st_shared64", "st_local32", "st_local64",
                                        "ld_shared32", "ld_shared64", "ld_local32", "ld_local64"};
    int failed = 0;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        for (size_t k = 0; k < sizeof FAR / sizeof *FAR; k++)
            failed += check(NAMES[i], FAR[k], CUDA_ERROR_ILLEGAL_ADDRESS);
        for (size_t k = 0; k < sizeof SAME / sizeof *SAME; k++)
            failed += check(NAMES[i], SAME[k], CUDA_SUCCESS);
    }
    if (failed) printf("%d failed\n", failed);
    return failed != 0;
}

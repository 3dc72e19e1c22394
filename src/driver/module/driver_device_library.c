/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: functions of CUDA's device runtime for the groups of a cooperative launch, for code that calls
 * them by name (Numba's grid.sync()). Method: PTX, linked in with the units that lack them. The handle of a
 * grid is the address of its record (engine_grid.c), whose second word is the barrier: each block adds 1,
 * block 0 what the top bit then lacks, so that it changes when the last one comes. Limits: groups of several
 * devices, which CUDA 13 does not have, have the handle 0. Source: cuda_device_runtime_api.h of CUDA 13.0. */
#include "driver_module.h"

#include <string.h>

/* cudaErrorInvalidValue is 1, cudaCGScopeGrid is 1. */
static const char TEXT[] =
    ".visible .func (.param .b64 result) cudaCGGetIntrinsicHandle(.param .b32 scope)\n"
    "{\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %d<3>;\n"
    "    .reg .pred %p;\n"
    "    ld.param.u32 %r1, [scope];\n"
    "    mov.u32 %r2, %envreg2;\n"
    "    mov.u32 %r3, %envreg1;\n"
    "    mov.b64 %d1, {%r2, %r3};\n"
    "    setp.eq.u32 %p, %r1, 1;\n"
    "    selp.b64 %d2, %d1, 0, %p;\n"
    "    st.param.b64 [result], %d2;\n"
    "    ret;\n"
    "}\n"
    ".visible .func (.param .b32 result) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)\n"
    "{\n"
    "    .reg .b32 %r<16>;\n"
    "    .reg .b64 %d<3>;\n"
    "    .reg .pred %p<4>;\n"
    "    ld.param.u64 %d1, [handle];\n"
    "    setp.ne.u64 %p1, %d1, 0;\n"
    "    @%p1 bra arrive;\n"
    "    st.param.b32 [result], 1;\n"
    "    ret;\n"
    "arrive:\n"
    "    add.s64 %d2, %d1, 4;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mov.u32 %r2, %tid.y;\n"
    "    mov.u32 %r3, %tid.z;\n"
    "    or.b32 %r1, %r1, %r2;\n"
    "    or.b32 %r1, %r1, %r3;\n"
    "    setp.ne.u32 %p2, %r1, 0;\n"
    "    bar.sync 0;\n"
    "    @%p2 bra leave;\n"
    "    mov.u32 %r4, %nctaid.x;\n"
    "    mov.u32 %r5, %nctaid.y;\n"
    "    mov.u32 %r6, %nctaid.z;\n"
    "    mul.lo.u32 %r4, %r4, %r5;\n"
    "    mul.lo.u32 %r4, %r4, %r6;\n"
    "    sub.u32 %r4, 0x80000001, %r4;\n"
    "    mov.u32 %r7, %ctaid.x;\n"
    "    mov.u32 %r8, %ctaid.y;\n"
    "    mov.u32 %r9, %ctaid.z;\n"
    "    or.b32 %r7, %r7, %r8;\n"
    "    or.b32 %r7, %r7, %r9;\n"
    "    setp.eq.u32 %p3, %r7, 0;\n"
    "    selp.b32 %r10, %r4, 1, %p3;\n"
    "    membar.gl;\n"
    "    atom.global.add.u32 %r11, [%d2], %r10;\n"
    "wait:\n"
    "    ld.volatile.global.u32 %r12, [%d2];\n"
    "    xor.b32 %r12, %r12, %r11;\n"
    "    and.b32 %r12, %r12, 0x80000000;\n"
    "    setp.eq.u32 %p1, %r12, 0;\n"
    "    @%p1 bra wait;\n"
    "    membar.gl;\n"
    "leave:\n"
    "    bar.sync 0;\n"
    "    st.param.b32 [result], 0;\n"
    "    ret;\n"
    "}\n";

static bool lacks(const struct ptx_module *module)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        if (function->has_body) continue;
        if (strcmp(function->name, "cudaCGGetIntrinsicHandle") == 0 ||
            strcmp(function->name, "cudaCGSynchronize") == 0)
            return true;
    }
    return false;
}

const char *driver_device_library(const struct driver_ptx_unit *units, unsigned count, struct arena *arena)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_module *module = units[i].ptx;
        if (lacks(module))
            return arena_printf(arena, ".version %u.%u\n.target %s\n.address_size 64\n%s",
                                module->version_major, module->version_minor, module->targets[0], TEXT);
    }
    return NULL;
}

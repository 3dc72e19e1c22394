/* SPDX-License-Identifier: Apache-2.0 */
/* engine_cpu.h for AArch64. Whether a fault was a write, Linux says in a record of the signal's frame (its
 * signal.rst for arm64); where there is none (qemu before 10.1), the instruction does: of loads and stores
 * (Arm Architecture Reference Manual, C4.1) those whose L or opc field says load are none. Limits: emitted
 * code uses what every AArch64 processor has, so that the hash is one for all. */
#include "engine_cpu.h"

#include <asm/sigcontext.h>
#include <string.h>
#include <ucontext.h>

enum jit_isa engine_cpu_best(void)
{
    return JIT_ISA_NEON;
}

bool engine_cpu_runs(enum jit_isa isa)
{
    return isa == JIT_ISA_NEON;
}

bool engine_cpu_has_ice_lake(void)
{
    return false;
}

uint64_t engine_cpu_hash(void)
{
    return sw_hash_bytes("aarch64", sizeof "aarch64", 1);
}

const void *engine_cpu_pc(const void *context)
{
    return (const void *)(uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
}

uint64_t engine_cpu_stack(const void *context)
{
    return ((const ucontext_t *)context)->uc_mcontext.sp;
}

/* The syndrome of the fault; 0: not known. */
static uint64_t cpu_syndrome(const ucontext_t *context)
{
    const unsigned char *at = context->uc_mcontext.__reserved;
    const unsigned char *end = at + sizeof context->uc_mcontext.__reserved;
    struct _aarch64_ctx head;
    for (; at + sizeof head <= end; at += head.size) {
        memcpy(&head, at, sizeof head);
        if (head.magic == ESR_MAGIC) {
            struct esr_context record;
            memcpy(&record, at, sizeof record);
            return record.esr;
        }
        if (head.magic == 0 || head.size == 0) break;
    }
    return 0;
}

static bool instruction_writes(uint32_t code)
{
    bool is_single = (code >> 27 & 7) == 7, is_vector = code >> 26 & 1;
    bool is_atomic = is_single && !is_vector && !(code >> 24 & 1) && (code >> 21 & 1) && !(code >> 10 & 3);
    uint32_t opc = code >> 22 & 3, size = code >> 30;
    if (is_atomic) return true;
    if (is_single) return opc == 0 || (is_vector && opc == 2 && size == 0); /* the latter: 128 bits */
    return !(code >> 22 & 1); /* exclusive, pairs, structures: L */
}

bool engine_cpu_writes(const void *context)
{
    enum { WRITES = 1 << 6 }; /* WnR */
    uint64_t syndrome = cpu_syndrome(context);
    uint32_t code;
    if (syndrome) return syndrome & WRITES;
    memcpy(&code, engine_cpu_pc(context), sizeof code);
    return instruction_writes(code);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a compute capability, from the one table arch_cc.def, and what its multiprocessors do in a cycle,
 * from arch_pipes.def. An unknown one is reported, never guessed. */
#include "arch/arch.h"

static const struct arch_cc TABLE[] = {
#define CC(major_, minor_, ...) {major_, minor_, __VA_ARGS__},
#include "arch/arch_cc.def"
#undef CC
};

const struct arch_cc *arch_cc_find(uint32_t major, uint32_t minor)
{
    for (size_t i = 0; i < SW_COUNT_OF(TABLE); i++)
        if (TABLE[i].major == major && TABLE[i].minor == minor) return &TABLE[i];
    return NULL;
}

static const struct arch_pipes PIPE_TABLE[] = {
#define PIPES(major_, minor_, ...) {major_, minor_, __VA_ARGS__},
#include "arch/arch_pipes.def"
#undef PIPES
};

const struct arch_pipes *arch_pipes_find(uint32_t major, uint32_t minor)
{
    for (size_t i = 0; i < SW_COUNT_OF(PIPE_TABLE); i++)
        if (PIPE_TABLE[i].major == major && PIPE_TABLE[i].minor == minor) return &PIPE_TABLE[i];
    return NULL;
}

uint64_t arch_warps_to_hide(const struct arch_cc *cc, uint64_t cycles, uint64_t intensity)
{
    const struct arch_pipes *pipes = arch_pipes_find(cc->major, cc->minor);
    return pipes ? (pipes->schedulers * cycles + intensity - 1) / intensity : 0;
}

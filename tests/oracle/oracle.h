/* SPDX-License-Identifier: Apache-2.0 */
/* oracle: runs PTX one lane at a time, without LLVM and without any code of src/jit. Slow and simple: the
 * reference that compiled code is compared with. */
#ifndef ORACLE_H
#define ORACLE_H

#include "ptx/ptx.h"

struct oracle_launch {
    const struct ptx_module *module;
    const char *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    const void *params;      /* the entry's parameter buffer */
    const uint64_t *symbols; /* host address of each module->vars[i] */
    bool together;           /* all blocks progress together, for grids that wait for each other */
    void (*print)(void *user, const char *text, size_t length); /* device printf */
    void *user;
};

/* SW_OK; SW_UNSUPPORTED names what it does not know; SW_ASSERT, SW_LAUNCH_FAILED as a kernel fails;
 * SW_LAUNCH_TIMEOUT when it cannot or does not end. A stray access faults, as in any C program. */
enum sw_status oracle_run(const struct oracle_launch *launch, struct sw_error *error);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* oracle: runs PTX one lane at a time, without LLVM and without any code of src/jit. Slow and simple: the
 * reference that compiled code is compared with. */
#ifndef ORACLE_H
#define ORACLE_H

#include "ptx/ptx.h"

/* For kernels that may do anything (oracle_watch.c): what PTX leaves undefined is looked for. */
struct oracle_watch {
    bool (*is_memory)(void *user, uint64_t address, uint64_t bytes); /* of the device, and may be accessed */
    void *user;
    uint64_t steps_most; /* of all warps together */
    bool addresses;      /* out: it has seen an address that differs in compiled code */
};

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
    struct oracle_watch *watch; /* NULL: nobody looks */
};

/* SW_OK; SW_UNSUPPORTED names what it does not know; SW_ASSERT, SW_LAUNCH_FAILED as a kernel fails;
 * SW_LAUNCH_TIMEOUT when it cannot or does not end. A stray access faults, as in any C program; with a watch
 * it is SW_ILLEGAL_ADDRESS or SW_MISALIGNED_ADDRESS, and what is undefined is SW_UNSUPPORTED. */
enum sw_status oracle_run(const struct oracle_launch *launch, struct sw_error *error);
#endif

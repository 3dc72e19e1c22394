/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes, read as a device image and as a cubin: a status, never a fault. Without libFuzzer
 * (fuzz_replay.c) it replays the files it is given. */
#include "fatbin/fatbin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct fatbin fatbin;
    struct sw_error error;
    if (fatbin_read(data, bytes, &fatbin, &error) == SW_OK) {
        for (uint32_t i = 0; i < fatbin.count; i++) {
            const struct fatbin_entry *entry = &fatbin.entries[i];
            struct fatbin_resources *kernels;
            uint32_t count, sm;
            if (entry->kind == FATBIN_ELF)
                (void)fatbin_cubin_resources(entry->data, entry->bytes, &fatbin.arena, &kernels, &count, &sm,
                                             &error);
        }
        (void)fatbin_best_ptx(&fatbin, 90, true);
        fatbin_release(&fatbin);
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes, read as a device image, as a cubin and as a file that holds images: a status, never a fault.
 * Mutants of containers also have entries that changed and were compressed again. */
#include "fuzz_input.h"

#include "fatbin/fatbin.h"

#include <stdlib.h>
#include <string.h>

static void look_at_entries(struct fatbin *fatbin)
{
    struct sw_error error;
    for (uint32_t i = 0; i < fatbin->count; i++) {
        const struct fatbin_entry *entry = &fatbin->entries[i];
        struct fatbin_resources *kernels;
        uint32_t count, sm;
        (void)strlen(entry->name);
        (void)strlen(entry->options);
        if (entry->kind == FATBIN_PTX && strlen((const char *)entry->data) != entry->bytes)
            BUG("PTX of another length");
        if (entry->kind == FATBIN_ELF)
            (void)fatbin_cubin_resources(entry->data, entry->bytes, &fatbin->arena, &kernels, &count, &sm,
                                         &error);
        (void)fatbin_best_ptx_of_unit(fatbin, entry->unit, 90, i % 2);
        (void)fatbin_is_device_runtime(fatbin, entry->unit);
    }
    (void)fatbin_best_ptx(fatbin, 90, true);
    (void)fatbin_best_elf(fatbin, 90);
}

static void read_image(const uint8_t *data, size_t bytes)
{
    struct fatbin fatbin;
    struct sw_error error;
    if (fatbin_read(data, bytes, &fatbin, &error) != SW_OK) return;
    look_at_entries(&fatbin);
    fatbin_release(&fatbin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    uint64_t offset = 0, span = 0;
    read_image(data, bytes);
    (void)fatbin_is_host_file(data, bytes);
    for (; fatbin_find(data, bytes, &offset, &span); offset += span)
        if (offset) read_image(data + offset, span);
    return 0;
}

/* The container with one entry changed. 0: it is none, or has become too large. */
static size_t change_entry(uint8_t *data, size_t bytes, size_t most, unsigned seed)
{
    struct fatbin fatbin;
    struct str out = {0};
    size_t made = 0;
    if (bytes < 4 || memcmp(data, "\x50\xed\x55\xba", 4) != 0) return 0;
    if (fatbin_read(data, bytes, &fatbin, NULL) != SW_OK) return 0;
    if (fatbin.count) {
        struct fatbin_entry *entry = &fatbin.entries[seed % fatbin.count];
        size_t room = entry->bytes + most;
        uint8_t *changed = sw_xcalloc(1, room + 1);
        memcpy(changed, entry->data, entry->bytes);
        entry->bytes = LLVMFuzzerMutate(changed, entry->bytes, room);
        entry->data = changed;
        if (fatbin_write(fatbin.entries, fatbin.count, (enum fatbin_compression)(seed / 64 % 3), &out,
                         NULL) == SW_OK &&
            out.length <= most) {
            memcpy(data, out.text, out.length);
            made = out.length;
        }
        free(changed);
    }
    str_release(&out);
    fatbin_release(&fatbin);
    return made;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed)
{
    size_t made = seed % 2 ? change_entry(data, bytes, most, seed / 2) : 0;
    return made ? made : LLVMFuzzerMutate(data, bytes, most);
}

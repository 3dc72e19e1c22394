/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the file of a GPU: read, and asked for what programs ask. */
#include "fuzz_input.h"

#include "arch/arch.h"
#include "arch/arch_machine.h"

static void ask(const struct arch_gpu *gpu)
{
    struct arch_occupancy_request request = {.threads = 256, .registers = 40, .shared_bytes = 1000};
    struct arch_occupancy occupancy;
    struct sw_error error;
    uint32_t blocks;
    const struct arch_cc *cc = arch_cc_find(gpu->cc_major, gpu->cc_minor);
    if (!cc) return;
    (void)arch_occupancy_compute(cc, &request, &occupancy, &error);
    (void)arch_occupancy_suggest(cc, &request, &blocks);
    (void)arch_dram_bytes_per_second(gpu);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct arch_device devices[ARCH_DEVICES];
    const char *path = fuzz_file(data, bytes);
    struct map management = {0};
    struct arch_gpu gpu;
    struct arena arena;
    struct sw_error error;
    uint32_t count, chosen[ARCH_DEVICES];
    arena_init(&arena);
    if (arch_gpu_load(path, &gpu, &error) == SW_OK) ask(&gpu);
    (void)arch_gpu_source(path, "sm_count", &arena);
    arch_gpu_management(path, &arena, &management);
    if (arch_machine_load(path, devices, &count, &error) == SW_OK)
        (void)arch_machine_visible(devices, count, "PCI_BUS_ID", "0", chosen);
    map_release(&management);
    arena_release(&arena);
    return 0;
}

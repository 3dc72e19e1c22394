/* SPDX-License-Identifier: Apache-2.0 */
/* Our occupancy against NVIDIA's own calculator, the header cuda_occupancy.h of an installed toolkit: every
 * compute capability that it knows, blocks of every number of warps, many registers and sizes of shared
 * memory. */
#include "arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <cuda_occupancy.h>

static const uint32_t CAPABILITIES[][2] = {{3, 0}, {3, 2}, {3, 5},  {3, 7},  {5, 0},  {5, 2},  {5, 3}, {6, 0},
                                           {6, 1}, {6, 2}, {7, 0},  {7, 2},  {7, 5},  {8, 0},  {8, 6}, {8, 7},
                                           {8, 9}, {9, 0}, {10, 0}, {10, 3}, {11, 0}, {12, 0}, {12, 1}};

static cudaOccDeviceProp device_of(const struct arch_cc *cc)
{
    return (cudaOccDeviceProp){
        .computeMajor = (int)cc->major,
        .computeMinor = (int)cc->minor,
        .maxThreadsPerBlock = (int)cc->threads_per_block,
        .maxThreadsPerMultiprocessor = (int)cc->warps_per_sm * 32,
        .regsPerBlock = (int)cc->registers_per_block,
        .regsPerMultiprocessor = (int)cc->registers_per_sm,
        .warpSize = 32,
        .sharedMemPerBlock = cc->shared_per_block,
        .sharedMemPerMultiprocessor = cc->shared_per_sm,
        .numSms = 1,
        .sharedMemPerBlockOptin = cc->shared_per_block_optin,
        .reservedSharedMemPerBlock = cc->shared_reserved,
    };
}

static int theirs(const cudaOccDeviceProp *device, const struct arch_occupancy_request *request,
                  cudaOccResult *result)
{
    const cudaOccFuncAttributes function = {.maxThreadsPerBlock = INT_MAX,
                                            .numRegs = (int)request->registers,
                                            .partitionedGCConfig = PARTITIONED_GC_OFF,
                                            .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                            .maxDynamicSharedSizeBytes = device->sharedMemPerBlockOptin};
    const cudaOccDeviceState state = {CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_DEFAULT};
    if (cudaOccMaxActiveBlocksPerMultiprocessor(result, device, &function, &state, (int)request->threads,
                                                request->shared_bytes) != CUDA_OCC_SUCCESS)
        return -1;
    return result->activeBlocksPerMultiprocessor;
}

static void compare(const struct arch_cc *cc, const struct arch_occupancy_request *request)
{
    const cudaOccDeviceProp device = device_of(cc);
    struct arch_occupancy o;
    cudaOccResult result;
    assert_int_equal(arch_occupancy_compute(cc, request, &o, NULL), SW_OK);
    int want = theirs(&device, request, &result);
    if (want != (int)o.blocks_per_sm)
        fail_msg("cc %u.%u, %u threads, %u registers, %u bytes: %u blocks, the calculator has %d", cc->major,
                 cc->minor, request->threads, request->registers, request->shared_bytes, o.blocks_per_sm,
                 want);
    if (!want) return;
    if (request->registers) assert_int_equal(o.registers_per_block, result.allocatedRegistersPerBlock);
    assert_int_equal(o.shared_per_block, result.allocatedSharedMemPerBlock);
}

static void every_point_is_the_calculators(void **state)
{
    (void)state;
    for (size_t c = 0; c < SW_COUNT_OF(CAPABILITIES); c++) {
        const struct arch_cc *cc = arch_cc_find(CAPABILITIES[c][0], CAPABILITIES[c][1]);
        assert_non_null(cc);
        for (uint32_t threads = 1; threads <= 1024; threads += threads == 1 ? 31 : 32)
            for (uint32_t registers = 1; registers <= cc->registers_per_thread; registers += 3)
                for (uint32_t shared = 0; shared <= cc->shared_per_block_optin; shared += 7919)
                    compare(cc, &(struct arch_occupancy_request){threads, registers, shared, 0});
    }
}

static void the_suggestion_is_the_calculators(void **state)
{
    (void)state;
    for (size_t c = 0; c < SW_COUNT_OF(CAPABILITIES); c++) {
        const struct arch_cc *cc = arch_cc_find(CAPABILITIES[c][0], CAPABILITIES[c][1]);
        const cudaOccDeviceProp device = device_of(cc);
        for (uint32_t registers = 16; registers <= 224; registers += 16) {
            const cudaOccFuncAttributes function = {.maxThreadsPerBlock = INT_MAX, .numRegs = (int)registers};
            const cudaOccDeviceState none = {CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_DEFAULT};
            int grid, block;
            uint32_t blocks;
            const struct arch_occupancy_request request = {32, registers, 0, 0};
            if (registers > cc->registers_per_thread) continue;
            assert_int_equal(
                cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &function, &none, NULL, 0),
                CUDA_OCC_SUCCESS);
            uint32_t best = arch_occupancy_suggest(cc, &request, &blocks);
            if ((int)best != block || (int)blocks != grid)
                fail_msg("cc %u.%u, %u registers: %u x %u, the calculator has %d x %d", cc->major, cc->minor,
                         registers, blocks, best, grid, block);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_is_the_calculators),
        cmocka_unit_test(the_suggestion_is_the_calculators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU catalogue: every file complete and sourced, bandwidths as the guides give them, errors that help.
 */
#include "arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const NAMES[] = {"a100", "fx570", "gtx1080", "h100",    "h200",    "k20x", "l40s", "m2090",
                                    "m40",  "p100",  "rtx3090", "rtx4090", "rtx5090", "t4",   "v100"};
static const char *const KEYS[] = {
#define FIELD(id, key, unit, text) key,
#include "arch/arch_fields.def"
#undef FIELD
};

static void every_gpu_is_complete_and_sourced(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    const char **names;
    assert_int_equal(arch_gpu_list(&arena, &names), SW_COUNT_OF(NAMES));
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++) {
        struct arch_gpu gpu;
        assert_string_equal(names[i], NAMES[i]);
        assert_int_equal(arch_gpu_load(names[i], &gpu, NULL), SW_OK);
        assert_string_equal(gpu.name, NAMES[i]);
        assert_non_null(arch_cc_find(gpu.cc_major, gpu.cc_minor));
        for (size_t k = 0; k < SW_COUNT_OF(KEYS); k++)
            assert_non_null(arch_gpu_source(names[i], KEYS[k], &arena));
    }
    assert_null(arch_gpu_source("h200", "no_such_key", &arena));
    arena_release(&arena);
}

static void bandwidth_as_the_guides_give_it(void **state)
{
    (void)state;
    struct arch_gpu m2090, v100;
    bool found;
    assert_int_equal(arch_gpu_load("m2090", &m2090, NULL), SW_OK);
    assert_int_equal(arch_gpu_load("v100", &v100, NULL), SW_OK);
    assert_int_equal(m2090.memory_clock_khz * 2 * m2090.memory_bus_bits / 8 / 100000, 1776);
    assert_int_equal(v100.memory_clock_khz * 2 * v100.memory_bus_bits / 8 / 1000000, 898);
    assert_int_equal(arch_gpu_field(&v100, "sm_count", &found), 80);
    assert_true(found);
    arch_gpu_field(&v100, "colour", &found);
    assert_false(found);
}

/* What a stream reaches of DRAM's bandwidth is one measurement: the replay's share is that and what rows
 * take, each of 32 sectors. Where launches were recorded each was fitted by itself; where addresses name
 * partitions rows are others. */
static void shares_of_bandwidth_agree(void **state)
{
    enum { ROW_SECTORS = 32, ROUNDED = 3 };
    (void)state;
    uint32_t count = 0;
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++) {
        struct arch_gpu gpu;
        assert_int_equal(arch_gpu_load(NAMES[i], &gpu, NULL), SW_OK);
        if (gpu.kernels.sm_validated || gpu.cache.dram_partitions) continue;
        double rows = 1 + (double)gpu.kernels.replay_row_percent / 100 / ROW_SECTORS;
        double off =
            (double)gpu.kernels.dram_stream_permille * rows - (double)gpu.kernels.replay_dram_permille;
        if (off > ROUNDED || off < -ROUNDED) fail_msg("%s: %.1f permille apart", NAMES[i], off);
        count++;
    }
    assert_in_range(count, 10, SW_COUNT_OF(NAMES));
}

static void unknown_name_lists_what_there_is(void **state)
{
    (void)state;
    struct arch_gpu gpu;
    struct sw_error error;
    assert_int_equal(arch_gpu_load("h900", &gpu, &error), SW_INVALID_DEVICE);
    assert_non_null(strstr(error.message, "'h900'"));
    assert_non_null(strstr(error.message, "h200"));
}

/* Write text as FILE.ini and load it. */
static enum sw_status load_text(const char *text, struct arch_gpu *gpu, struct sw_error *error)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/arch_gpu_%ld.ini", (long)getpid());
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    enum sw_status status = arch_gpu_load(path, gpu, error);
    unlink(path);
    return status;
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    struct arch_gpu gpu;
    struct sw_error error;
    assert_int_equal(load_text("[gpu]\nname = X\ncc = 9.0\ncolour = 3\n", &gpu, &error), SW_CORRUPT);
    assert_non_null(strstr(error.message, "colour"));
    assert_int_equal(load_text("[gpu]\nname = X\ncc = 9.0\nsm_count = many\n", &gpu, &error), SW_CORRUPT);
    assert_int_equal(load_text("[gpu]\nname = X\ncc = nine\n", &gpu, &error), SW_CORRUPT);
    assert_int_equal(load_text("[gpu]\nname = X\ncc = 9.0\nsm_count = 4\n", &gpu, &error), SW_CORRUPT);
    assert_non_null(strstr(error.message, "is missing"));
    assert_int_equal(load_text("[gpu\n", &gpu, &error), SW_CORRUPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_gpu_is_complete_and_sourced),
        cmocka_unit_test(bandwidth_as_the_guides_give_it),
        cmocka_unit_test(shares_of_bandwidth_agree),
        cmocka_unit_test(unknown_name_lists_what_there_is),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

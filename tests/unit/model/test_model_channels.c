/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions of DRAM that are chosen by address (model_channels.c), DRAM's smallest transfer, and partially
 * written sectors. */
#include "model_launch.h"

enum {
    LOAD,
    STORE,
    INSTRS,
    MOST = 4096,
    PARTITIONS = 6,
    PIECE_LINES = 2,
    RATE = 1000,      /* a sector in a cycle */
    ROOM_SECTORS = 64 /* of a partition, of what waits to be written */
};
static struct event_instr instrs[INSTRS] = {
    [LOAD] = {.cls = ISA_CLASS_LOAD, .op = "ld.global.f32"},
    [STORE] = {.cls = ISA_CLASS_STORE, .op = "st.global.f32"},
};
static const struct event_kernel kernel = {.name = "k", .instr_count = INSTRS, .instrs = instrs};

struct scene {
    struct arch_gpu gpu;
    struct model_step steps[INSTRS];
    struct event_request requests[MOST];
    uint64_t lines[MOST];
    uint32_t count;
    struct event_memory result;
};

static int open_scene(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    if (!s || arch_gpu_load(TEST20, &s->gpu, NULL) != SW_OK) return -1;
    model_steps_clear(s->steps, INSTRS);
    *state = s;
    return 0;
}

static int close_scene(void **state)
{
    free(*state);
    return 0;
}

static void ask(struct scene *s, uint32_t instr, uint64_t line, uint64_t sectors)
{
    s->requests[s->count] = (struct event_request){.instr = instr,
                                                   .lines = 1,
                                                   .kind = instr == LOAD ? EVENT_KIND_LOAD : EVENT_KIND_STORE,
                                                   .space = ISA_SPACE_GLOBAL};
    s->lines[s->count++] = line << EVENT_LINE_SECTORS | sectors;
}

/* Cycles of a launch of one warp that makes all requests of the scene. */
static uint64_t cycles_of(struct scene *s)
{
    struct model_memory *memory = model_memory_of(&s->gpu);
    struct event_launch launch = {.kernel = &kernel, .grid = {1, 1, 1}};
    struct event_residency residency = {.sm_count = 1, .blocks_per_sm = 1, .warps_per_block = 1};
    struct event_stream stream = {
        .request_count = s->count, .requests = s->requests, .lines = s->lines, .ended = true};
    struct model_costs costs = {.steps = s->steps, .rates = {.dram_sector = RATE}};
    s->result = *model_launch(memory, &launch, &residency, 0, &stream, 1, &costs);
    s->result.instrs = NULL;
    model_memory_delete(memory);
    s->count = 0;
    return s->result.cycles;
}

/* Cycles for whole lines at a stride of `lines` lines. */
static uint64_t cycles_of_stride(struct scene *s, uint32_t lines)
{
    for (uint32_t i = 0; i < MOST; i++)
        ask(s, LOAD, (uint64_t)i * lines, 15);
    return cycles_of(s);
}

static void one_partition_has_its_share_of_the_rate(void **state)
{
    struct scene *s = *state;
    const uint64_t sectors = (uint64_t)MOST * EVENT_LINE_SECTORS, latency = 2000;
    assert_int_equal(s->gpu.cache.dram_partitions, PARTITIONS);
    uint64_t spread = cycles_of_stride(s, 1);
    assert_in_range(spread, sectors, sectors + latency);
    assert_int_equal(s->result.dram_even, sectors);
    assert_in_range(s->result.dram_uneven, sectors, sectors * 101 / 100);
    uint64_t camped = cycles_of_stride(s, PIECE_LINES * PARTITIONS);
    assert_in_range(camped, sectors * PARTITIONS, sectors * PARTITIONS + latency);
    assert_int_equal(s->result.dram_uneven, s->result.dram_even * PARTITIONS);
    uint64_t half = cycles_of_stride(s, PIECE_LINES * PARTITIONS / 2);
    assert_in_range(half, sectors * PARTITIONS / 2, sectors * PARTITIONS / 2 + latency);
    s->gpu.cache.dram_partitions = 0; /* a hash */
    assert_in_range(cycles_of_stride(s, PIECE_LINES * PARTITIONS), sectors, sectors + latency);
    assert_int_equal(s->result.dram_uneven, 0);
}

/* Accesses that are even over the whole launch, but use one partition at a time, are as slow as camped
 * ones. */
static void partitions_in_turns_are_uneven(void **state)
{
    struct scene *s = *state;
    uint32_t run = MOST / PARTITIONS, lines = run * PARTITIONS;
    const uint64_t sectors = (uint64_t)lines * EVENT_LINE_SECTORS;
    for (uint32_t i = 0; i < lines; i++) /* a run of one partition, then the next */
        ask(s, LOAD, (uint64_t)(i % run) * PIECE_LINES * PARTITIONS + (uint64_t)(i / run) * PIECE_LINES, 15);
    cycles_of(s);
    assert_int_equal(s->result.dram_even, sectors);
    assert_in_range(s->result.dram_uneven, sectors * 3, sectors * PARTITIONS);
}

static void what_is_written_back_has_a_partition(void **state)
{
    struct scene *s = *state;
    uint64_t spread, camped;
    for (uint32_t i = 0; i < MOST; i++)
        ask(s, STORE, i, 15);
    s->gpu.l2_bytes = 0; /* as GPUs of compute capability 1.x */
    spread = cycles_of(s);
    for (uint32_t i = 0; i < MOST; i++)
        ask(s, STORE, (uint64_t)(i + 1) * PIECE_LINES * PARTITIONS, 15);
    camped = cycles_of(s);
    assert_true(camped > spread * 3);
    assert_int_equal(s->result.dram_uneven, s->result.dram_even * PARTITIONS);
    /* more than reservation tables keep: what there is no room for holds the warp, and none of it is lost */
    const uint64_t work = (uint64_t)MOST * EVENT_LINE_SECTORS * PARTITIONS;
    assert_in_range(camped, work - (uint64_t)(EVENT_LINE_SECTORS + ROOM_SECTORS) * PARTITIONS, work + 2000);
}

/* Cycles for whole lines of one partition, `lines_a_row` of which share a row. */
static uint64_t cycles_of_rows(struct scene *s, uint32_t lines_a_row)
{
    const uint32_t row_lines = (uint32_t)s->gpu.cache.dram_row_bytes >> EVENT_LINE_SHIFT;
    for (uint32_t i = 0; i < MOST; i++) {
        uint64_t within = (uint64_t)(i / lines_a_row) * row_lines + i % lines_a_row;
        ask(s, LOAD, within / PIECE_LINES * PIECE_LINES * PARTITIONS + within % PIECE_LINES, 15);
    }
    return cycles_of(s);
}

static void each_row_is_opened_once(void **state)
{
    enum { OPEN = 20, SLACK = 100 };
    struct scene *s = *state;
    uint64_t before = cycles_of_rows(s, 1);
    s->gpu.cache.dram_banks = 8;
    s->gpu.cache.dram_activate_cycles = OPEN;
    for (uint32_t lines = 1; lines <= 8; lines *= 2) {
        uint64_t took = cycles_of_rows(s, lines) - before, rows = MOST / lines;
        assert_in_range(took, rows * OPEN - SLACK, rows * OPEN + SLACK);
    }
}

/* A bank has one row open; rows lie in banks in turn. */
static void rows_of_a_bank_close_each_other(void **state)
{
    enum { OPEN = 20, BANKS = 8, SLACK = 100 };
    struct scene *s = *state;
    const uint64_t row = (s->gpu.cache.dram_row_bytes >> EVENT_LINE_SHIFT) * PARTITIONS; /* lines apart */
    uint64_t took[2];
    s->gpu.cache.dram_banks = BANKS;
    for (uint32_t same = 0; same < 2; same++) {
        uint64_t cycles[2];
        for (uint32_t open = 0; open < 2; open++) {
            s->gpu.cache.dram_activate_cycles = open * OPEN;
            for (uint32_t i = 0; i < 16; i++) /* two rows by turns, a piece of each */
                ask(s, LOAD,
                    i % 2 * row * (same ? BANKS : 1) + i / 2 % PIECE_LINES + i / 4 * PIECE_LINES * PARTITIONS,
                    15);
            cycles[open] = cycles_of(s);
        }
        took[same] = cycles[1] - cycles[0];
    }
    assert_in_range(took[0], 0, 2 * OPEN);
    assert_in_range(took[1], 15 * OPEN, 16 * OPEN);
}

/* Behind stores for which a partition has no room a load waits, though it lies in another. */
static void full_partitions_hold_the_way_to_memory(void **state)
{
    enum { STORES = 200 };
    struct scene *s = *state;
    s->gpu.l2_bytes = 0;
    uint64_t cycles[2];
    for (uint32_t camped = 0; camped < 2; camped++) {
        for (uint32_t i = 0; i < STORES; i++)
            ask(s, STORE, (uint64_t)(i + 1) * PIECE_LINES * (camped ? PARTITIONS : 1), 15);
        ask(s, STORE, PIECE_LINES, 15); /* makes the last of them leave */
        ask(s, LOAD, 2 * PIECE_LINES, 15);
        cycles[camped] = cycles_of(s);
    }
    uint64_t work = (uint64_t)STORES * EVENT_LINE_SECTORS * PARTITIONS, capacity = ROOM_SECTORS * PARTITIONS;
    uint64_t latency = s->gpu.cache.l2_cycles + s->gpu.cache.dram_cycles;
    assert_in_range(cycles[1], work - capacity + latency - 100, work + latency + 100);
    assert_true(cycles[0] < cycles[1] / 2);
}

static void dram_moves_whole_bursts(void **state)
{
    struct scene *s = *state;
    s->gpu.cache.dram_partitions = 0;
    for (uint32_t i = 0; i < MOST; i++)
        ask(s, LOAD, i, 1);
    uint64_t wide = cycles_of(s);
    s->gpu.cache.dram_burst_bytes = 32;
    for (uint32_t i = 0; i < MOST; i++)
        ask(s, LOAD, i, 1);
    uint64_t narrow = cycles_of(s);
    assert_in_range(wide - narrow, MOST - 10, MOST + 10);
    assert_int_equal(s->result.total.dram_reads, MOST);
}

/* Stores of half sectors: L2 reads the sector first, unless DRAM supports masked writes. */
static void masked_writes_read_nothing(void **state)
{
    struct scene *s = *state;
    const uint64_t part = 15ull << EVENT_LINE_PARTIAL | 3ull << EVENT_LINE_WORDS;
    s->gpu.l2_bytes = 0;
    for (uint64_t masks = 0; masks < 2; masks++) {
        s->gpu.cache.dram_masks_writes = masks;
        for (uint32_t i = 0; i < MOST; i++) {
            ask(s, STORE, i, 15);
            s->lines[s->count - 1] |= part;
        }
        cycles_of(s);
        assert_in_range(s->result.total.dram_reads, masks ? 0 : (MOST - 2) * EVENT_LINE_SECTORS,
                        masks ? 0 : MOST * EVENT_LINE_SECTORS);
        assert_true(s->result.l2_writebacks >= (uint64_t)(MOST - 2) * EVENT_LINE_SECTORS);
    }
}

int main(void)
{
    event_code_name(instrs, INSTRS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_partition_has_its_share_of_the_rate, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(partitions_in_turns_are_uneven, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(what_is_written_back_has_a_partition, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(each_row_is_opened_once, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(rows_of_a_bank_close_each_other, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(full_partitions_hold_the_way_to_memory, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(dram_moves_whole_bursts, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(masked_writes_read_nothing, open_scene, close_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* How long a single warp takes for a basic block without requests (worked out by hand, with the
 * latencies of sass_lower.def); what the requests of a loop wait for; how long atomics take. */
#include "timed_kernel.h"

enum { MOST = 320, TICK = 16, FMA = 4 };

struct code {
    struct event_instr instrs[MOST];
    uint32_t regs[MOST][4], count;
};

static void add(struct code *c, const char *op, bool guarded, uint32_t def, uint32_t one, uint32_t two)
{
    uint32_t *regs = c->regs[c->count];
    regs[0] = def, regs[1] = one, regs[2] = two;
    c->instrs[c->count] = (struct event_instr){.cls = ISA_CLASS_ALU,
                                               .op = op,
                                               .text = op,
                                               .guarded = guarded,
                                               .slots = EVENT_CODE_SLOTS,
                                               .def_count = 1,
                                               .use_count = 2,
                                               .regs = regs};
    event_code_name(&c->instrs[c->count++], 1);
}

static void add_multiplied(struct code *c, uint32_t def, uint32_t one, uint32_t two, uint32_t three)
{
    add(c, "fma.rn.f32", false, def, one, two);
    c->regs[c->count - 1][3] = three;
    c->instrs[c->count - 1].use_count = 3;
}

/* Cycles of a kernel's only block, on an H200. */
static double cycles_of_kernel(const struct event_kernel *kernel)
{
    struct timed_kernel timed;
    timed_kernel_open(&timed, kernel, 1);
    double cycles = (double)timing_intervals_work(timed.intervals)[0] / TICK;
    timed_kernel_close(&timed);
    return cycles;
}

static double cycles_with(struct code *c, uint32_t registers)
{
    struct event_block block = event_code_block(c->count);
    struct event_kernel kernel = event_code_kernel(c->instrs, c->count, &block, 1);
    kernel.registers = registers;
    return cycles_of_kernel(&kernel);
}

static double cycles_of(struct code *c)
{
    return cycles_with(c, 16);
}

static void a_chain_takes_its_latencies(void **state)
{
    enum { LINKS = 20 };
    (void)state;
    struct code c = {0};
    for (uint32_t i = 0; i < LINKS; i++)
        add(&c, "fma.rn.f32", false, 0, 0, 1);
    double cycles = cycles_of(&c);
    assert_true(cycles >= (LINKS - 1) * FMA && cycles <= LINKS * FMA + 4);
}

/* Independent chains use each other's free issue slots. */
static void chains_share_slots(void **state)
{
    enum { LINKS = 8, CHAINS = 4 };
    (void)state;
    struct code c = {0};
    for (uint32_t i = 0; i < LINKS * CHAINS; i++)
        add(&c, "fma.rn.f32", false, i / LINKS, i / LINKS, 100);
    double cycles = cycles_of(&c);
    assert_true(cycles >= LINKS * CHAINS && cycles <= LINKS * CHAINS + 8);
}

/* 32 values and their sum take longer than the issue slots (63) or the chain (6 links) alone, because
 * the last additions depend on each other and nothing else can issue meanwhile. */
static void what_is_left_to_wait_for_counts(void **state)
{
    enum { VALUES = 32, ALL = 2 * VALUES - 1 };
    (void)state;
    struct code c = {0};
    for (uint32_t i = 0; i < VALUES; i++)
        add(&c, "fma.rn.f32", false, i, 100, 101);
    for (uint32_t at = 0, left = VALUES; left > 1; left /= 2)
        for (uint32_t end = at + left; at < end; at += 2)
            add(&c, "fma.rn.f32", false, end + (at - (end - left)) / 2, at, at + 1);
    assert_int_equal(c.count, ALL);
    double cycles = cycles_of(&c);
    assert_true(cycles >= ALL + 2 * (FMA - 1) && cycles <= ALL + 6 * FMA);
}

/* A comparison's predicate is available to a guard after 13 cycles, to a selection after 5 (ptxas' own
 * distances). */
static void selections_wait_less_than_guards(void **state)
{
    (void)state;
    struct code guarded = {0}, selected = {0};
    add(&guarded, "setp.lt.f32", false, 2, 0, 1);
    add(&guarded, "fma.rn.f32", true, 3, 2, 0);
    add(&selected, "setp.lt.f32", false, 2, 0, 1);
    add(&selected, "selp.f32", false, 3, 0, 2);
    double late = cycles_of(&guarded), soon = cycles_of(&selected);
    assert_true(late >= 13 && late <= 16);
    assert_true(soon >= 5 && soon <= 8);
}

/* An f64 instruction takes two cycles on an H200; with three operands it takes 9 % longer (dfma_4 and
 * dadd_2 of tests/hw/timing). */
static void three_wide_operands_take_longer(void **state)
{
    enum { COUNT = 40 };
    (void)state;
    struct code sums = {0}, products = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        add(&sums, "add.f64", false, i, 100, 101);
        add(&products, "fma.rn.f64", false, i, 100, 101);
    }
    double plain = cycles_of(&sums), wide = cycles_of(&products);
    assert_true(plain >= 2 * COUNT && plain <= 2 * COUNT + 4);
    assert_true(wide >= 2 * COUNT * 1.09 - 1 && wide <= 2 * COUNT * 1.09 + 4);
}

/* Two register banks deliver one register each in a cycle, so two of three operands conflict. An operand
 * that the previous instruction read as well comes from the reuse cache. An instruction with one operand
 * sometimes waits for another's third operand. */
static void three_registers_are_read_in_two_cycles(void **state)
{
    enum { COUNT = 40 };
    (void)state;
    struct code two = {0}, three = {0}, shared = {0}, apart = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t one = 100 + i % 2 * 10, more = i % 4 ? 0 : 1;
        add_multiplied(&two, i, one, one + 1, one + 1);
        add_multiplied(&three, i, one, one + 1, one + 2);
        add_multiplied(&shared, i, one, 50, 51);
        add_multiplied(&apart, i, one, one + more, one + 2 * more);
    }
    double most = cycles_of(&three);
    assert_true(most >= 2 * COUNT - 2 && most <= 2 * COUNT + 2);
    assert_true(cycles_of(&two) <= COUNT + 6);
    assert_true(cycles_of(&shared) <= COUNT + 4);
    double some = cycles_of(&apart);
    assert_true(some >= COUNT + COUNT / 8 - 2 && some <= COUNT + COUNT / 8 + 2);
}

/* Loads that wait for nothing, of one warp: 4 cycles from one to the next (ptxas' own distances). */
static void memory_instructions_keep_their_distance(void **state)
{
    enum { LOADS = 16, APART = 4 };
    (void)state;
    struct code c = {0};
    for (uint32_t i = 0; i < LOADS; i++) {
        add(&c, "ld.shared.f32", false, i, 100, 100);
        c.instrs[i].cls = ISA_CLASS_LOAD;
        c.instrs[i].space = ISA_SPACE_SHARED;
        c.instrs[i].is_read = true;
    }
    double cycles = cycles_of(&c);
    assert_true(cycles >= LOADS * APART && cycles <= LOADS * APART + 4);
}

/* mma_half_1 of tests/hw/timing: 24 cycles with the NOP between. */
static void matrix_instructions_wait_for_each_other(void **state)
{
    enum { LINKS = 20, LATENCY = 24 };
    (void)state;
    struct code c = {0};
    for (uint32_t i = 0; i < LINKS; i++)
        add(&c, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", false, 0, 0, 1);
    double cycles = cycles_of(&c);
    assert_true(cycles >= (LINKS - 1) * LATENCY && cycles <= LINKS * LATENCY + 4);
}

/* Cycles of a kernel of `registers` registers. Each chain begins and ends with the same eight values,
 * and one instruction computes each value from register 150: `makes` and `from` are its text around the
 * destination. */
static double cycles_of_chains(const char *makes, const char *from, uint32_t registers)
{
    enum { CHAINS = 8, VALUES = 8, LINKS = 12 };
    struct event_code code;
    struct str body = {0};
    for (uint32_t k = 0; k < CHAINS; k++) {
        uint32_t first = k * (VALUES + 1), sum = first + VALUES;
        for (uint32_t v = 0; v < VALUES; v++)
            str_printf(&body, "%s%u%s\n", makes, first + v, from);
        for (uint32_t l = 0; l < VALUES + LINKS; l++)
            str_printf(&body, "add.f32 %%f%u, %%f%u, %%f%u;\n", sum, l ? sum : first,
                       l < VALUES ? first + l : 150);
        for (uint32_t v = 0; v < VALUES; v++)
            str_printf(&body, "add.f32 %%f%u, %%f%u, %%f%u;\n", sum, sum, first + v);
    }
    event_code_open(&code, str_text(&body));
    for (uint32_t i = 0; i < code.kernel.instr_count; i++)
        code.instrs[i].slots = EVENT_CODE_SLOTS;
    code.kernel.slot_count = 2;
    code.kernel.registers = registers;
    double cycles = cycles_of_kernel(&code.kernel);
    event_code_close(&code);
    str_release(&body);
    return cycles;
}

/* With few registers only some chains can overlap. */
static void few_registers_keep_chains_apart(void **state)
{
    enum { FEW = 16, MANY = 96 };
    static const char ADD[] = "add.f32 %f", FROM[] = ", %f150, %f151;";
    (void)state;
    double few = cycles_of_chains(ADD, FROM, FEW), many = cycles_of_chains(ADD, FROM, MANY);
    double more = cycles_of_chains(ADD, FROM, 2 * MANY);
    assert_true(more >= many && more <= many);
    assert_true(few >= 1.3 * many && few <= 2 * many);
}

/* A value occupies the registers of its declared type, whatever the width of its source or of a prefetch
 * into L2. */
static void values_take_the_registers_of_their_type(void **state)
{
    enum { FEW = 16 };
    (void)state;
    double narrow = cycles_of_chains("cvt.rni.f32.f32 %f", ", %f150;", FEW);
    assert_float_equal(cycles_of_chains("cvt.rn.f32.f64 %f", ", %fd150;", FEW), narrow, 1e-9);
    double load = cycles_of_chains("ld.shared.f32 %f", ", [tile];", FEW);
    assert_float_equal(cycles_of_chains("ld.shared.L2::64B.f32 %f", ", [tile];", FEW), load, 1e-9);
}

/* A branch delays the next instruction even when it is not taken. */
static void branches_that_are_not_taken_cost(void **state)
{
    (void)state;
    struct code c = {0};
    add(&c, "setp.lt.f32", false, 2, 0, 1);
    add(&c, "bra", true, 3, 2, 0);
    double cycles = cycles_of(&c);
    assert_true(cycles >= 13 + 1 + 4 && cycles <= 13 + 1 + 4 + 2);
}

/* An instruction that makes requests. Slot 2 * block counts its warps, the next slot its requests. */
static struct event_instr request(const char *op, enum isa_class cls, uint32_t block, const uint32_t *regs)
{
    struct event_instr i = {.cls = cls,
                            .op = op,
                            .text = op,
                            .space = ISA_SPACE_GLOBAL,
                            .is_read = true,
                            .bytes = 4,
                            .block = block,
                            .slots = EVENT_CODE_SLOTS,
                            .def_count = 1,
                            .use_count = 2,
                            .regs = regs};
    event_code_name(&i, 1);
    i.slots.warps = i.slots.on_warps = 2 * block;
    i.slots.access[EVENT_ACCESS_GLOBAL].requests = 2 * block + 1;
    return i;
}

/* A load, then a compare-and-swap loop. The first iteration waits for the load, later ones for the
 * previous swap. Returns whether the swap waits for the load, with `turns` iterations for each warp. */
static bool swap_waits_for_load(uint64_t turns)
{
    enum { WARPS = 10 };
    static const uint32_t REGS_OF[2][3] = {{1, 100, 100}, {2, 100, 1}};
    struct event_instr instrs[] = {request("ld.global.u32", ISA_CLASS_LOAD, 0, REGS_OF[0]),
                                   request("atom.global.cas.b32", ISA_CLASS_ATOMIC, 1, REGS_OF[1])};
    struct event_block blocks[] = {event_code_block(1), {.first = 1, .count = 1, .before = {1, 0}}};
    struct event_kernel kernel = event_code_kernel(instrs, 2, blocks, 2);
    const uint64_t counters[] = {WARPS, WARPS, WARPS * turns, WARPS * turns};
    return timed_kernel_step(&kernel, 1, counters, 1).before.chain != MODEL_NO_CHAIN;
}

static void loops_that_end_at_once_wait_for_what_is_before(void **state)
{
    (void)state;
    assert_true(swap_waits_for_load(1));
    assert_false(swap_waits_for_load(4));
}

/* A load into register 1, then a loop of arithmetic that starts with register `value`. Returns whether a
 * warp waits for the load before the loop. */
static bool work_waits_for_load(uint32_t value)
{
    enum { WARPS = 10, TURNS = 50 };
    static const uint32_t LOADED[3] = {1, 100, 100};
    const uint32_t sum[3] = {value, value, 101};
    struct event_instr instrs[] = {request("ld.global.f32", ISA_CLASS_LOAD, 0, LOADED),
                                   {.cls = ISA_CLASS_ALU,
                                    .op = "add.f32",
                                    .text = "add",
                                    .block = 1,
                                    .slots = EVENT_CODE_SLOTS,
                                    .def_count = 1,
                                    .use_count = 2,
                                    .regs = sum}};
    event_code_name(&instrs[1], 1);
    instrs[1].slots.warps = instrs[1].slots.on_warps = 2;
    struct event_block blocks[] = {event_code_block(1), {.first = 1, .count = 1, .before = {1, 0}}};
    struct event_kernel kernel = event_code_kernel(instrs, 2, blocks, 2);
    const uint64_t counters[] = {WARPS, WARPS, WARPS * TURNS, 0};
    return timed_kernel_step(&kernel, 1, counters, 0).waits;
}

static void loops_that_begin_with_data_wait_for_it(void **state)
{
    (void)state;
    assert_true(work_waits_for_load(1));
    assert_false(work_waits_for_load(2));
}

/* A load, LINKS additions, a load at their result, LINKS more additions, and a third load at a sum of
 * both. Additions that were done before the second load issued do not delay the third load again. */
static void waits_for_older_data_end_with_those_for_newer(void **state)
{
    enum { LINKS = 20, SECOND = LINKS + 1, THIRD = 2 * LINKS + 2, COUNT, WARPS = 10 };
    (void)state;
    static const uint32_t FIRST_REGS[3] = {1, 100, 100}, SUM[3] = {1, 1, 101}, SECOND_REGS[3] = {2, 1, 1},
                          THIRD_REGS[3] = {3, 1, 2};
    struct event_instr instrs[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        instrs[i] = (struct event_instr){.cls = ISA_CLASS_ALU,
                                         .op = "add.f32",
                                         .text = "add",
                                         .slots = EVENT_CODE_SLOTS,
                                         .def_count = 1,
                                         .use_count = 2,
                                         .regs = SUM};
    event_code_name(instrs, COUNT);
    instrs[0] = request("ld.global.u32", ISA_CLASS_LOAD, 0, FIRST_REGS);
    instrs[SECOND] = request("ld.global.u32", ISA_CLASS_LOAD, 0, SECOND_REGS);
    instrs[THIRD] = request("ld.global.u32", ISA_CLASS_LOAD, 0, THIRD_REGS);
    struct event_block block = event_code_block(COUNT);
    struct event_kernel kernel = event_code_kernel(instrs, COUNT, &block, 1);
    const uint64_t counters[] = {WARPS, WARPS};
    struct timed_kernel timed;
    timed_kernel_open(&timed, &kernel, 1);
    const struct model_step *steps = timing_intervals_round(timed.intervals, counters)->steps;
    assert_int_equal(steps[THIRD].level, 2);
    assert_in_range(steps[SECOND].before.chain, LINKS * FMA * TICK, (LINKS * FMA + 2) * TICK);
    assert_in_range(steps[THIRD].before.chain, (LINKS * FMA - 2) * TICK, (LINKS * FMA + 2) * TICK);
    timed_kernel_close(&timed);
}

/* The step of one atomic: how long it occupies a slice of L2 for a sector. */
static struct model_step step_of_atomic(const char *op, uint32_t bytes)
{
    static const uint32_t NUMBERS[3] = {1, 100, 101};
    static const uint64_t COUNTERS[] = {10, 10};
    struct event_instr instr = request(op, ISA_CLASS_ATOMIC, 0, NUMBERS);
    struct event_block block = event_code_block(1);
    struct event_kernel kernel = event_code_kernel(&instr, 1, &block, 1);
    instr.bytes = bytes;
    return timed_kernel_step(&kernel, 1, COUNTERS, 0);
}

/* Measured on an H200: red_f32 of tests/hw/memory, global_red and global_red_double of tests/hw/timing.
 * */
static void sums_of_floats_take_l2_longer(void **state)
{
    (void)state;
    uint32_t whole = step_of_atomic("red.global.add.u32", 4).atomic;
    assert_int_equal(step_of_atomic("red.global.add.f32", 4).atomic, whole * 115 / 100);
    assert_int_equal(step_of_atomic("atom.global.add.f64", 8).atomic, 2 * whole * 115 / 100);
    assert_int_equal(step_of_atomic("atom.global.exch.b64", 8).atomic, 2 * whole);
}

/* Measured on an H200, atomics of a single address: red_apart and red_apart_float of tests/hw/memory,
 * global_red_double; ull, ullmx and ullor of tests/hw/uniform_atomics.cu. */
static void sums_of_floats_wait_for_each_other(void **state)
{
    (void)state;
    uint32_t whole = step_of_atomic("red.global.add.u32", 4).atomic;
    assert_int_equal(step_of_atomic("red.global.add.u32", 4).atomic_alone, whole);
    assert_int_equal(step_of_atomic("red.global.add.f32", 4).atomic_alone, whole * 233 / 100);
    assert_int_equal(step_of_atomic("atom.global.add.f64", 8).atomic_alone, whole * 233 / 100);
    assert_int_equal(step_of_atomic("atom.global.exch.b64", 8).atomic_alone, whole);
}

/* The path from the beginning of a block to a load, with a shared-memory atomic in between that loops
 * `turns` times for each warp. */
static uint32_t path_behind_sums(uint64_t turns)
{
    enum { WARPS = 10, MORE = 4 };
    static const uint32_t SUM[3] = {1, 100, 101}, LOAD[3] = {2, 102, 103};
    uint64_t counters[5] = {WARPS, 0, WARPS, WARPS, WARPS * turns};
    struct event_instr instrs[2] = {request("atom.shared.add.f32", ISA_CLASS_ATOMIC, 0, SUM),
                                    request("ld.global.f32", ISA_CLASS_LOAD, 1, LOAD)};
    instrs[0].space = ISA_SPACE_SHARED;
    instrs[0].slots.access[EVENT_ACCESS_GLOBAL].requests = EVENT_NO_SLOT;
    instrs[0].slots.access[EVENT_ACCESS_SHARED].more = MORE;
    instrs[1].block = 0;
    struct event_block block = event_code_block(2);
    struct event_kernel kernel = event_code_kernel(instrs, 2, &block, 1);
    kernel.slot_count = 5;
    return timed_kernel_step(&kernel, 1, counters, 1).before.path;
}

/* A floating-point atomic of shared memory is a loop, over which ptxas moves nothing: shared_sums of
 * tests/hw/memory. */
static void sums_in_shared_memory_hold_their_warp(void **state)
{
    enum { FIRST = 110, EACH = 60, TICKS = 16 };
    (void)state;
    uint32_t none = path_behind_sums(0), once = path_behind_sums(1), eight = path_behind_sums(8);
    assert_in_range(once, none + (FIRST - 20) * TICKS, none + FIRST * TICKS);
    assert_int_equal(eight - once, 7 * EACH * TICKS);
}

/* L1 serves as many lanes a cycle as the GPU's file says, by default one for each load and store unit.
 * */
static void a_request_takes_l1_as_its_lanes_need(void **state)
{
    static const struct {
        const char *gpu;
        uint32_t access; /* thousandths of a cycle */
    } GPUS[] = {{TEST90, 1000}, {"t4", 2000}, {TEST20, 2000}, {"fx570", 4000}, {"p100", 4000}};
    struct arch_gpu gpu;
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(GPUS); i++) {
        assert_int_equal(arch_gpu_load(GPUS[i].gpu, &gpu, NULL), SW_OK);
        assert_int_equal(timing_rates(&gpu).access, GPUS[i].access);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_takes_l1_as_its_lanes_need),
        cmocka_unit_test(a_chain_takes_its_latencies),
        cmocka_unit_test(chains_share_slots),
        cmocka_unit_test(what_is_left_to_wait_for_counts),
        cmocka_unit_test(selections_wait_less_than_guards),
        cmocka_unit_test(three_registers_are_read_in_two_cycles),
        cmocka_unit_test(three_wide_operands_take_longer),
        cmocka_unit_test(memory_instructions_keep_their_distance),
        cmocka_unit_test(matrix_instructions_wait_for_each_other),
        cmocka_unit_test(few_registers_keep_chains_apart),
        cmocka_unit_test(values_take_the_registers_of_their_type),
        cmocka_unit_test(branches_that_are_not_taken_cost),
        cmocka_unit_test(loops_that_end_at_once_wait_for_what_is_before),
        cmocka_unit_test(loops_that_begin_with_data_wait_for_it),
        cmocka_unit_test(waits_for_older_data_end_with_those_for_newer),
        cmocka_unit_test(sums_of_floats_take_l2_longer),
        cmocka_unit_test(sums_of_floats_wait_for_each_other),
        cmocka_unit_test(sums_in_shared_memory_hold_their_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

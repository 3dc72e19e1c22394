/* SPDX-License-Identifier: Apache-2.0 */
/* Records: the reader returns all that the driver told the tool; filters; truncated and damaged files.
 * */
#include "frozen_machine.h"

#include "session/session.h"

#include "event/event_counter.h"
#include "event/event_kernel.h"
#include "event/event_memory.h"
#include "event/event_time.h"
#include "event/event_tool.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/session-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const struct event_loc CALL = {"a.cu", 20, 3, NULL, NULL};
static const struct event_loc INNER = {"a.h", 4, 1, "helper", &CALL};
#define NO_SLOTS {EVENT_NO_SLOT, EVENT_NO_SLOT, EVENT_NO_SLOT, EVENT_NO_SLOT}
static const struct event_operand WITHIN = {
    .kind = ISA_OPD_SREG, .sreg = ISA_SREG_TID_X, .reg = EVENT_NO_REG, .reg2 = EVENT_NO_REG};
static const struct event_operand LOAD_OPERANDS[] = {{.kind = ISA_OPD_REG,
                                                      .type = ISA_F32,
                                                      .type2 = ISA_PRED,
                                                      .negate = true,
                                                      .reg = 2,
                                                      .reg2 = 1,
                                                      .parameter = true},
                                                     {.kind = ISA_OPD_MEM,
                                                      .type = ISA_B8,
                                                      .reg = EVENT_NO_REG,
                                                      .reg2 = EVENT_NO_REG,
                                                      .bits = (uint64_t)-8,
                                                      .name = "table",
                                                      .count = 1,
                                                      .elements = &WITHIN}};
static const struct event_instr INSTRS[] = {
    {.cls = ISA_CLASS_LOAD,
     .unit = ISA_UNIT_MEMORY,
     .space = ISA_SPACE_GLOBAL,
     .bytes = 4,
     .is_read = true,
     .ptx_line = 30,
     .loc = &INNER,
     .op = "ld.global.f32",
     .text = "ld.global.f32 %f1, [%rd1];",
     .def_count = 1,
     .use_count = 1,
     .regs = (const uint32_t[]){2, 0},
     .operand_count = 2,
     .operands = LOAD_OPERANDS,
     .slots = {0, 1, 0, 1, EVENT_NO_SLOT, 5, {{2, 3, 4, 0}, NO_SLOTS, NO_SLOTS}}},
    {.cls = ISA_CLASS_BRANCH,
     .guarded = true,
     .guard_negate = true,
     .ptx_line = 31,
     .op = "bra",
     .text = "@%p1 bra $L1;",
     .slots = {0, 1, 0, 1, 5, EVENT_NO_SLOT, {NO_SLOTS, NO_SLOTS, NO_SLOTS}}},
};
static const struct event_block BLOCKS[] = {{0, 2, {0, EVENT_NO_BLOCK}, true, true}};
static const struct event_kernel KERNEL = {.name = "_Z3addPfi",
                                           .instr_count = 2,
                                           .instrs = INSTRS,
                                           .slot_count = 6,
                                           .registers = 18,
                                           .registers_exact = true,
                                           .static_shared_bytes = 128,
                                           .max_threads_per_block = 1024,
                                           .ptx_sm = 90,
                                           .ptx_name = "a.ptx",
                                           .registers_wanted = 18,
                                           .spill_bytes = 7,
                                           .block_count = 1,
                                           .reg_count = 3,
                                           .blocks = BLOCKS,
                                           .id = 1};
static const uint64_t COUNTERS[] = {8, UINT64_MAX, 127, 128, 0, 1ull << 40};

static const struct event_memory_sums SUMS[][EVENT_MEMORY_SPACES] = {
    {{.l1_sectors = 1000, .l1_hits = 900, .l2_reads = 100, .dram_reads = 1ull << 40}, {.l2_writes = 3}},
    {{0}, {0}}};
static const struct event_memory MEMORY = {.total = {.l1_sectors = 1000, .l2_atomics = 7, .dram_writes = 12},
                                           .l2_writebacks = 12,
                                           .constant_requests = 40,
                                           .constant_hits = 39,
                                           .sample_shift = 3,
                                           .confidence = {51, 102, 2000, 650},
                                           .l1_bytes = 200 << 10,
                                           .l2_bytes = 50 << 20,
                                           .cold = true,
                                           .cycles = 123456789012,
                                           .instr_count = 2,
                                           .instrs = SUMS};

static struct event_launch launch_of(uint64_t id)
{
    return (struct event_launch){.kernel = &KERNEL,
                                 .id = id,
                                 .grid = {2, 1, 1},
                                 .block = {128, 1, 1},
                                 .gpu = TEST90,
                                 .counters = COUNTERS,
                                 .dynamic_shared_bytes = 64,
                                 .stream = 1};
}

static const struct event_tool *open_tool(const struct session_options *options)
{
    assert_int_equal(session_options_write(folder, options, NULL), SW_OK);
    static const struct event_tool *tools[8]; /* as in a driver, they live as long as the process */
    static int count;
    tools[count] = softwarp_tool_open(folder, frozen_machine(), FROZEN_MACHINE);
    assert_non_null(tools[count]);
    return tools[count++];
}

static int system_remove_files(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm %s/process-*", folder);
    return system(command);
}

static void has_memory(const struct event_memory *memory)
{
    assert_non_null(memory);
    assert_memory_equal(&memory->total, &MEMORY.total, sizeof MEMORY.total);
    assert_memory_equal(memory->instrs, SUMS, sizeof SUMS);
    assert_int_equal(memory->constant_hits, 39);
    assert_int_equal(memory->sample_shift, 3);
    assert_int_equal(memory->confidence.l1_rate, 51);
    assert_int_equal(memory->confidence.l2_sectors, 102);
    assert_int_equal(memory->confidence.dram_sectors, 2000);
    assert_int_equal(memory->confidence.cycles, 650);
    assert_true(memory->cycles == MEMORY.cycles);
    assert_int_equal(memory->l1_bytes, 200 << 10);
    assert_int_equal(memory->l2_bytes, 50 << 20);
    assert_true(memory->cold);
}

/* The reader returns the tool's predictions, also those of each instruction. */
static void has_stalls(const struct event_launch *l)
{
    assert_non_null(l->time);
    assert_non_null(l->stalls);
    for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++) {
        double all = l->time->stalls[r] * l->time->instructions;
        double sum = (double)(l->stalls[0].cycles[r] + l->stalls[1].cycles[r]);
        assert_true(sum > all - 2 && sum < all + 2);
    }
    assert_true(l->stalls[0].cycles[EVENT_STALL_SELECTED] > 0);
}

/* Launch *user: launches come back in the order of their ids, although the second was recorded first. */
/* The modifiers and operands of instructions come back. */
static void has_types(const struct event_instr *i)
{
    assert_int_equal(i->isa.op, ISA_OP_LD);
    assert_int_equal(i->isa.mod_count, 1);
    assert_int_equal(i->isa.mods[0], ISA_MOD_GLOBAL);
    assert_int_equal(isa_type_at(&i->isa, 0), ISA_F32);
    assert_int_equal(i->operand_count, 2);
    const struct event_operand *reg = &i->operands[0], *memory = &i->operands[1];
    assert_true(reg->kind == ISA_OPD_REG && reg->type == ISA_F32 && reg->negate && reg->parameter);
    assert_int_equal(reg->type2, ISA_PRED);
    assert_true(reg->reg == 2 && reg->reg2 == 1 && !reg->name && !reg->count);
    assert_true(memory->kind == ISA_OPD_MEM && memory->type == ISA_B8 && memory->reg == EVENT_NO_REG);
    assert_string_equal(memory->name, "table");
    assert_true((int64_t)memory->bits == -8 && memory->count == 1);
    assert_int_equal(memory->elements[0].sreg, ISA_SREG_TID_X);
}

static enum sw_status is_the_launch(void *user, const struct session_process *process,
                                    const struct event_launch *l, struct sw_error *error)
{
    uint64_t *next = user;
    (void)error;
    assert_int_equal(process->launch_count, 2);
    assert_int_equal(l->id, (*next)++);
    assert_int_equal(l->grid[0], 2);
    assert_int_equal(l->dynamic_shared_bytes, 64);
    assert_string_equal(l->gpu, TEST90);
    assert_memory_equal(l->counters, COUNTERS, sizeof COUNTERS);
    assert_string_equal(l->kernel->name, "_Z3addPfi");
    assert_int_equal(l->kernel->registers, 18);
    assert_int_equal(l->kernel->spill_bytes, 7);
    if (l->id == 0) {
        assert_null(l->memory);
        assert_null(l->stalls);
    } else {
        has_memory(l->memory);
        has_stalls(l);
    }
    const struct event_instr *i = &l->kernel->instrs[0];
    assert_string_equal(i->text, INSTRS[0].text);
    assert_string_equal(i->loc->file, "a.h");
    assert_string_equal(i->loc->function, "helper");
    assert_int_equal(i->loc->caller->line, 20);
    assert_null(i->loc->caller->function);
    assert_memory_equal(&i->slots, &INSTRS[0].slots, sizeof i->slots);
    assert_null(l->kernel->instrs[1].loc);
    assert_true(l->kernel->instrs[1].guarded);
    assert_int_equal(i->def_count, 1);
    assert_int_equal(i->use_count, 1);
    assert_int_equal(i->regs[0], 2);
    has_types(i);
    assert_true(l->kernel->instrs[1].guard_negate && !i->guard_negate);
    assert_int_equal(l->kernel->instrs[1].isa.op, ISA_OP_BRA);
    assert_int_equal(l->kernel->block_count, 1);
    assert_int_equal(l->kernel->blocks[0].count, 2);
    assert_true(l->kernel->blocks[0].nounroll);
    assert_int_equal(l->kernel->blocks[0].before[0], 0);
    assert_int_equal(l->kernel->blocks[0].before[1], EVENT_NO_BLOCK);
    return SW_OK;
}

static enum sw_status stops(void *user, const struct session_process *process, const struct event_launch *l,
                            struct sw_error *error)
{
    (void)user;
    (void)process;
    assert_int_equal(l->id, 0); /* there is no second */
    return sw_fail(error, SW_UNSUPPORTED, "enough");
}

static void launches_come_back(void **state)
{
    (void)state;
    const struct event_tool *tool = open_tool(&(struct session_options){.detail = true, .any_target = true});
    assert_int_equal(tool->probes, EVENT_PROBE_COUNT);
    assert_true(tool->any_target);
    struct sw_error refusal = {
        .status = SW_UNSUPPORTED, .line = 7, .file = "a.ptx", .message = "no 'wgmma' yet"};
    struct event_launch second = launch_of(1), first = launch_of(0);
    second.memory = &MEMORY;
    tool->launch_end(tool->user, &second);
    tool->launch_end(tool->user, &first);
    tool->refused(tool->user, &refusal);
    tool->note(tool->user, "a note");
    tool->finish(tool->user);
    struct session_reader *reader;
    assert_int_equal(session_open(folder, &reader, NULL), SW_OK);
    assert_int_equal(system_remove_files(), 0); /* what is open may be removed */
    const struct session_data *data = session_reader_data(reader);
    assert_int_equal(data->process_count, 1);
    const struct session_process *p = &data->processes[0];
    assert_true(p->finished);
    assert_int_equal(p->launch_count, 2);
    assert_int_equal(p->refusal_count, 1);
    assert_string_equal(p->refusals[0].message, "no 'wgmma' yet");
    assert_int_equal(p->note_count, 1);
    for (int twice = 0; twice < 2; twice++) {
        uint64_t next = 0;
        assert_int_equal(session_each_launch(reader, is_the_launch, &next, NULL), SW_OK);
        assert_int_equal(next, 2);
    }
    struct sw_error error;
    assert_int_equal(session_each_launch(reader, stops, NULL, &error), SW_UNSUPPORTED);
    session_close(reader);
}

static void operations_come_back_in_the_order_of_calls(void **state)
{
    (void)state;
    const struct event_tool *tool = open_tool(&(struct session_options){.detail = true});
    struct event_operation copy = {.kind = EVENT_OPERATION_COPY,
                                   .from = EVENT_MEMORY_PAGEABLE,
                                   .to = EVENT_MEMORY_DEVICE,
                                   .async = true,
                                   .unchanged = true,
                                   .staged = true,
                                   .device = 1,
                                   .context = 2,
                                   .stream = 3,
                                   .order = 5,
                                   .launches = 4,
                                   .count = 1,
                                   .bytes = 1ull << 33,
                                   .rows = 7,
                                   .from_address = 10,
                                   .to_address = 20,
                                   .start_ns = 30,
                                   .end_ns = 40,
                                   .api = "cudaMemcpyAsync",
                                   .caller = "program+0x10"};
    struct event_operation wait = {
        .kind = EVENT_OPERATION_SYNC, .order = 2, .count = 1, .api = "cudaDeviceSynchronize", .caller = ""};
    tool->operation(tool->user, &copy);
    tool->operation(tool->user, &wait);
    struct session_reader *reader;
    assert_int_equal(session_open(folder, &reader, NULL), SW_OK);
    const struct session_process *p = &session_reader_data(reader)->processes[0];
    assert_int_equal(p->operation_count, 2);
    assert_string_equal(p->operations[0].api, "cudaDeviceSynchronize");
    const struct event_operation *back = &p->operations[1];
    assert_string_equal(back->api, copy.api);
    assert_string_equal(back->caller, copy.caller);
    assert_int_equal(back->kind, copy.kind);
    assert_int_equal(back->from, copy.from);
    assert_int_equal(back->to, copy.to);
    assert_true(back->async && back->unchanged && back->staged);
    assert_int_equal(back->device * 100 + back->context * 10 + back->stream, 123);
    const size_t numbers = offsetof(struct event_operation, order);
    assert_memory_equal((const char *)back + numbers, (const char *)&copy + numbers,
                        offsetof(struct event_operation, api) - numbers);
    session_close(reader);
}

/* More operations than the tool records one by one. */
static void many_operations_become_summaries(void **state)
{
    (void)state;
    enum { MORE = 300 };
    const struct event_tool *tool = open_tool(&(struct session_options){.detail = true});
    for (uint64_t i = 0; i < 100000 + MORE; i++) {
        struct event_operation copy = {.kind = EVENT_OPERATION_COPY,
                                       .order = i,
                                       .count = 1,
                                       .bytes = 8,
                                       .api = i % 3 ? "cudaMemcpy" : "cudaMemcpyAsync",
                                       .caller = "program+0x10"};
        tool->operation(tool->user, &copy);
    }
    tool->finish(tool->user);
    struct session_reader *reader;
    assert_int_equal(session_open(folder, &reader, NULL), SW_OK);
    const struct session_process *p = &session_reader_data(reader)->processes[0];
    assert_int_equal(p->operation_count, 100000 + 2);
    const struct event_operation *last = &p->operations[100000];
    assert_int_equal(last[0].count + last[1].count, MORE);
    assert_int_equal(last[0].bytes + last[1].bytes, 8 * MORE);
    assert_true(last[0].count == MORE / 3 || last[1].count == MORE / 3);
    session_close(reader);
}

static void filters_choose_launches(void **state)
{
    (void)state;
    const struct event_tool *tool =
        open_tool(&(struct session_options){.detail = true, .kernel = "^add\\(", .skip = 1, .count = 2});
    bool wanted[5];
    for (int i = 0; i < 5; i++) {
        assert_false(tool->wants_launch(tool->user, "_Z3subPfi", NULL));
        wanted[i] = tool->wants_launch(tool->user, "_Z3addPfi", NULL);
    }
    assert_false(wanted[0]);
    assert_true(wanted[1] && wanted[2]);
    assert_false(wanted[3] || wanted[4]);
}

static void children_and_unwatched_runs_write_nothing(void **state)
{
    (void)state;
    const struct event_tool *tool = open_tool(&(struct session_options){.detail = false});
    assert_int_equal(tool->probes, 0);
    assert_null(tool->launch_end);
    pid_t child = fork();
    if (child == 0) {
        tool->note(tool->user, "from the child");
        _exit(0);
    }
    waitpid(child, NULL, 0);
    struct session_reader *reader;
    assert_int_equal(session_open(folder, &reader, NULL), SW_OK);
    assert_int_equal(session_reader_data(reader)->processes[0].note_count, 0);
    assert_false(session_reader_data(reader)->processes[0].finished);
    session_close(reader);
}

static void every_cut_leaves_whole_records(void **state)
{
    (void)state;
    const struct event_tool *tool = open_tool(&(struct session_options){.detail = true});
    struct event_launch launch = launch_of(0);
    tool->launch_end(tool->user, &launch);
    tool->finish(tool->user);
    char path[128];
    struct stat info;
    snprintf(path, sizeof path, "%s/process-00000", folder);
    assert_int_equal(stat(path, &info), 0);
    for (off_t size = info.st_size - 1; size >= 0; size--) {
        assert_int_equal(truncate(path, size), 0);
        struct session_reader *reader;
        assert_int_equal(session_open(folder, &reader, NULL), SW_OK);
        assert_false(session_reader_data(reader)->processes[0].finished);
        assert_true(session_reader_data(reader)->processes[0].launch_count <= 1);
        session_close(reader);
    }
}

static void damage_is_noticed(void **state)
{
    (void)state;
    const struct event_tool *tool = open_tool(&(struct session_options){.detail = true});
    struct event_launch launch = launch_of(0);
    tool->launch_end(tool->user, &launch);
    char path[128];
    snprintf(path, sizeof path, "%s/process-00000", folder);
    int file = open(path, O_RDWR);
    assert_int_equal(pwrite(file, "\xff", 1, 200), 1);
    close(file);
    struct session_reader *reader;
    struct sw_error error;
    assert_int_equal(session_open(folder, &reader, &error), SW_CORRUPT);
    assert_non_null(strstr(error.message, "damaged"));
}

static void names_are_demangled(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(session_demangle(&arena, "_Z4gemmiPfS_PKf"),
                        "gemm(int, float *, float *, const float *)");
    assert_string_equal(session_demangle(&arena, "plain"), "plain");
    assert_string_equal(session_demangle(&arena, "_Znonsense"), "_Znonsense");
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(launches_come_back, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(operations_come_back_in_the_order_of_calls, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(many_operations_become_summaries, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(filters_choose_launches, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(children_and_unwatched_runs_write_nothing, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(every_cut_leaves_whole_records, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damage_is_noticed, make_folder, remove_folder),
        cmocka_unit_test(names_are_demangled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions for tests of what reads them: PTX text, through the parser and the engine's description. */
#ifndef EVENT_CODE_H
#define EVENT_CODE_H

#include "engine/engine.h"

#include "flat_ptx.h"

/* A kernel "k" of such a body. Its registers are %p, %rs, %r, %f, %rd and %fd with numbers below 160, its
 * parameters k_param_0 to k_param_4, of 8 bytes; `table` and `other` are constant memory, `tile` is shared.
 * instrs is the kernel's own table, to be changed; nothing has slots. */
struct event_code {
    struct flat_ptx ptx;
    struct event_kernel kernel;
    struct event_instr *instrs;
};

static inline void event_code_open(struct event_code *code, const char *body)
{
    static const char HEAD[] =
        ".version 8.5\n.target sm_90\n.address_size 64\n.const .align 8 .b8 table[256];\n"
        ".const .align 8 .b8 other[256];\n"
        ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u64 k_param_2,\n"
        ".param .u64 k_param_3, .param .u64 k_param_4)\n{\n"
        ".reg .pred %p<160>; .reg .b16 %rs<160>; .reg .b32 %r<160>; .reg .f32 %f<160>; .reg .b64 %rd<160>;\n"
        ".reg .f64 %fd<160>; .shared .align 16 .b8 tile[4096];\n";
    struct str text = {0};
    struct sw_error error = {0};
    str_add(&text, HEAD);
    str_add(&text, body);
    str_add(&text, "\n}\n");
    flat_ptx_open(&code->ptx, str_text(&text));
    assert_int_equal(
        engine_describe(code->ptx.module, code->ptx.flat, true, &code->ptx.arena, &code->kernel, &error),
        SW_OK);
    for (uint32_t i = 0; i < code->kernel.instr_count; i++)
        if (code->kernel.instrs[i].isa.op == ISA_OP_UNKNOWN)
            fail_msg("%s: not PTX", code->kernel.instrs[i].text);
    code->instrs = (struct event_instr *)(uintptr_t)code->kernel.instrs;
    str_release(&text);
}

#define EVENT_CODE_NO_ACCESS {EVENT_NO_SLOT, EVENT_NO_SLOT, EVENT_NO_SLOT, EVENT_NO_SLOT}
#define EVENT_CODE_NO_ACCESSES                                                                               \
    {EVENT_CODE_NO_ACCESS, EVENT_CODE_NO_ACCESS, EVENT_CODE_NO_ACCESS,                                       \
     EVENT_CODE_NO_ACCESS, EVENT_CODE_NO_ACCESS, EVENT_CODE_NO_ACCESS}
/* Of an instruction that accesses no memory, in a kernel of one block: its warps are in slot 0, lanes in 1.
 */
static const struct event_slots EVENT_CODE_SLOTS = {
    0, 1, 0, 1, EVENT_NO_SLOT, EVENT_NO_SLOT, EVENT_CODE_NO_ACCESSES};

/* A basic block that nothing precedes. */
static inline struct event_block event_code_block(uint32_t count)
{
    return (struct event_block){.count = count, .before = {EVENT_NO_BLOCK, EVENT_NO_BLOCK}};
}

/* A kernel of 16 registers, of instructions and blocks that a test makes up; each block has two slots. */
static inline struct event_kernel event_code_kernel(const struct event_instr *instrs, uint32_t count,
                                                    const struct event_block *blocks, uint32_t block_count)
{
    return (struct event_kernel){.name = "k",
                                 .instr_count = count,
                                 .instrs = instrs,
                                 .slot_count = 2 * block_count,
                                 .registers = 16,
                                 .block_count = block_count,
                                 .reg_count = 200,
                                 .blocks = blocks};
}

static inline void event_code_close(struct event_code *code)
{
    flat_ptx_close(&code->ptx);
}

/* For instructions whose registers and class a test makes up: what their names say. */
static inline void event_code_name(struct event_instr *instrs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (instrs[i].op && !isa_read(instrs[i].op, &instrs[i].isa)) fail_msg("%s: not PTX", instrs[i].op);
}
#endif

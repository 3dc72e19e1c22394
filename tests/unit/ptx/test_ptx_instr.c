/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about one instruction: registers written and read, what tools count it as, whether it may be
 * removed. */
#include "flat_ptx.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const head =
    ".version 8.6\n.target sm_90a\n.address_size 64\n.extern .func (.param .b32 r) f(.param .b32 "
    "a);\n.global .texref tx;\n"
    ".global .u32 g;\n.entry k(.param .u64 a) {\n.reg .pred p, q; .reg .b32 r1, r2, r3, r4; .reg .b64 d1, "
    "d2, d3;\n"
    ".reg .f32 f1, f2, f3, f4; .reg .f64 e1, e2, e3, e4; .reg .b16 h1, h2; .param .b32 v, w;\n";

static const struct {
    const char *text, *defs, *uses;
    enum isa_class cls;
    enum isa_unit unit;
    enum isa_space space;
    enum isa_flop flop;
    unsigned bytes;
} rows[] = {
    {"add.f32 f1, f2, f3;", "f1 ", "f2 f3 ", ISA_CLASS_ALU, ISA_UNIT_FP32, ISA_SPACE_NONE, ISA_FLOP_ADD, 0},
    {"fma.rn.f64 e1, e2, e3, e4;", "e1 ", "e2 e3 e4 ", ISA_CLASS_ALU, ISA_UNIT_FP64, ISA_SPACE_NONE,
     ISA_FLOP_FMA, 0},
    {"mul.f16 h1, h2, h2;", "h1 ", "h2 h2 ", ISA_CLASS_ALU, ISA_UNIT_FP16, ISA_SPACE_NONE, ISA_FLOP_MUL, 0},
    {"@!p add.s32 r1, r2, 1;", "r1 ", "p r2 ", ISA_CLASS_ALU, ISA_UNIT_INTEGER, ISA_SPACE_NONE, ISA_FLOP_NONE,
     0},
    {"add.cc.u32 r1, r2, r3;", "r1 ", "r2 r3 ", ISA_CLASS_ALU, ISA_UNIT_INTEGER, ISA_SPACE_NONE,
     ISA_FLOP_NONE, 0},
    {"popc.b32 r1, r2;", "r1 ", "r2 ", ISA_CLASS_ALU, ISA_UNIT_BIT, ISA_SPACE_NONE, ISA_FLOP_NONE, 0},
    {"cvt.rn.f32.s32 f1, r1;", "f1 ", "r1 ", ISA_CLASS_ALU, ISA_UNIT_CONVERT, ISA_SPACE_NONE, ISA_FLOP_NONE,
     0},
    {"setp.lt.or.f32 p|q, f1, f2, !p;", "p q ", "f1 f2 p ", ISA_CLASS_ALU, ISA_UNIT_FP32, ISA_SPACE_NONE,
     ISA_FLOP_NONE, 0},
    {"shfl.sync.idx.b32 r1|p, r2, r3, 31, -1;", "r1 p ", "r2 r3 ", ISA_CLASS_WARP, ISA_UNIT_INTER_THREAD,
     ISA_SPACE_NONE, ISA_FLOP_NONE, 0},
    {"ld.global.v2.f32 {f1, f2}, [d1+8];", "f1 f2 ", "d1 ", ISA_CLASS_LOAD, ISA_UNIT_MEMORY, ISA_SPACE_GLOBAL,
     ISA_FLOP_NONE, 8},
    {"ld.volatile.global.u32 r1, [g];", "r1 ", "", ISA_CLASS_LOAD, ISA_UNIT_MEMORY, ISA_SPACE_GLOBAL,
     ISA_FLOP_NONE, 4},
    {"st.shared.u8 [r1], h1;", "", "r1 h1 ", ISA_CLASS_STORE, ISA_UNIT_MEMORY, ISA_SPACE_SHARED,
     ISA_FLOP_NONE, 1},
    {"st.v4.b32 [d1], {r1, r2, r3, 0};", "", "d1 r1 r2 r3 ", ISA_CLASS_STORE, ISA_UNIT_MEMORY,
     ISA_SPACE_GENERIC, ISA_FLOP_NONE, 16},
    {"atom.global.cas.b32 r1, [d1], r2, r3;", "r1 ", "d1 r2 r3 ", ISA_CLASS_ATOMIC, ISA_UNIT_MEMORY,
     ISA_SPACE_GLOBAL, ISA_FLOP_NONE, 4},
    {"red.shared.add.u64 [r1], d1;", "", "r1 d1 ", ISA_CLASS_ATOMIC, ISA_UNIT_MEMORY, ISA_SPACE_SHARED,
     ISA_FLOP_NONE, 8},
    {"cp.async.cg.shared.global [d1], [d2], 16;", "", "d1 d2 ", ISA_CLASS_COPY, ISA_UNIT_MEMORY,
     ISA_SPACE_GLOBAL, ISA_FLOP_NONE, 16},
    {"tex.2d.v4.f32.f32 {f1, f2, f3, f4}|p, [tx, {f1, f2}];", "p f1 f2 f3 f4 ", "f1 f2 ", ISA_CLASS_TEXTURE,
     ISA_UNIT_MEMORY, ISA_SPACE_GENERIC, ISA_FLOP_NONE, 0},
    {"bar.red.popc.u32 r1, 0, p;", "r1 ", "p ", ISA_CLASS_BARRIER, ISA_UNIT_OTHER, ISA_SPACE_NONE,
     ISA_FLOP_NONE, 0},
    {"bar.sync 0, r1;", "", "r1 ", ISA_CLASS_BARRIER, ISA_UNIT_OTHER, ISA_SPACE_NONE, ISA_FLOP_NONE, 0},
    {"mbarrier.arrive.shared.b64 d1, [d2];", "d1 ", "d2 ", ISA_CLASS_MBARRIER, ISA_UNIT_MEMORY,
     ISA_SPACE_SHARED, ISA_FLOP_NONE, 8},
    {"mbarrier.init.shared.b64 [d2], r1;", "", "d2 r1 ", ISA_CLASS_MBARRIER, ISA_UNIT_MEMORY,
     ISA_SPACE_SHARED, ISA_FLOP_NONE, 8},
    {"call (v), f, (w);", "", "", ISA_CLASS_CALL, ISA_UNIT_CONTROL, ISA_SPACE_NONE, ISA_FLOP_NONE, 0},
    {"call (r1), d1, (r2), P;", "r1 ", "d1 r2 ", ISA_CLASS_CALL, ISA_UNIT_CONTROL, ISA_SPACE_NONE,
     ISA_FLOP_NONE, 0},
    {"vadd.u32.u32.u32 r1.b0, r2, r3, r4;", "r1 ", "r1 r2 r3 r4 ", ISA_CLASS_ALU, ISA_UNIT_INTEGER,
     ISA_SPACE_NONE, ISA_FLOP_NONE, 0},
    {"mov.u64 d1, %clock64;", "d1 ", "", ISA_CLASS_ALU, ISA_UNIT_OTHER, ISA_SPACE_NONE, ISA_FLOP_NONE, 0},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r1, r2, r3, r4}, [d1];", "r1 r2 r3 r4 ", "d1 ",
     ISA_CLASS_MATRIX, ISA_UNIT_OTHER, ISA_SPACE_SHARED, ISA_FLOP_NONE, 16},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [r1], r2, [r3];", "", "r1 r2 r3 ",
     ISA_CLASS_STORE, ISA_UNIT_MEMORY, ISA_SPACE_SHARED, ISA_FLOP_NONE, 0},
};

static void names(const struct ptx_function *f, const uint32_t *regs, unsigned count, char *out)
{
    *out = '\0';
    for (unsigned i = 0; i < count; i++)
        strcat(strcat(out, f->regs[regs[i]].name), " ");
}

static void check_row(const struct ptx_function *f, const struct ptx_instr *instr, size_t row)
{
    uint32_t regs[PTX_INSTR_REGS];
    char text[200];
    struct ptx_work work;
    names(f, regs, ptx_instr_defs(instr, regs, PTX_INSTR_REGS), text);
    assert_string_equal(text, rows[row].defs);
    names(f, regs, ptx_instr_uses(instr, regs, PTX_INSTR_REGS), text);
    assert_string_equal(text, rows[row].uses);
    ptx_classify(instr, &work);
    if (work.cls != rows[row].cls || work.unit != rows[row].unit || work.space != rows[row].space ||
        work.flop != rows[row].flop || work.bytes != rows[row].bytes)
        fail_msg("%s: class %d unit %d space %d flop %d bytes %u", rows[row].text, work.cls, work.unit,
                 work.space, work.flop, work.bytes);
}

static void every_row(void **state)
{
    (void)state;
    struct str text = {0};
    str_add(&text, head);
    str_add(&text, "P: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n");
    for (size_t i = 0; i < SW_COUNT_OF(rows); i++)
        str_printf(&text, "%s\n", rows[i].text);
    str_add(&text, "}\n");
    struct ptx_module *m = flat_ptx_parse(str_text(&text));
    const struct ptx_function *f = ptx_find_function(m, "k");
    assert_int_equal(f->instr_count, SW_COUNT_OF(rows));
    for (size_t i = 0; i < SW_COUNT_OF(rows); i++)
        check_row(f, &f->instrs[i], i);
    ptx_module_free(m);
    str_release(&text);
}

static void tables_have_no_word_twice(void **state)
{
    (void)state;
    for (unsigned i = 1; i < ISA_MOD_COUNT; i++) {
        for (unsigned j = i + 1; j < ISA_MOD_COUNT; j++)
            assert_string_not_equal(isa_mod_text((enum isa_mod)i), isa_mod_text((enum isa_mod)j));
        for (unsigned j = 1; j < ISA_TYPE_COUNT; j++)
            assert_string_not_equal(isa_mod_text((enum isa_mod)i), isa_type_name((enum isa_type)j));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(tables_have_no_word_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* mma.sync against a plain product, with fragments filled as the PTX ISA draws them (9.7.14.5). Small
 * integers: every sum is exact, so the order of additions does not show. */
#include "op_harness.h"

#include <math.h>

enum { MOST = 24 };

struct warp {
    uint64_t in[MOST][32], out[8][32];
};

struct form {
    const char *text;
    unsigned m, k, width; /* of a and b's elements in bits */
    char kind;            /* h f16, b bf16, t tf32, d f64, s s8, u u8 */
    bool half_result;
};

static const struct form forms[] = {
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d0,d1,d2,d3}, {a0,a1}, {b0}, {c0,c1,c2,c3}", 16, 8,
     16, 'h', false},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d0,d1,d2,d3}, {a0,a1,a2,a3}, {b0,b1}, {c0,c1,c2,c3}",
     16, 16, 16, 'h', false},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {d0,d1}, {a0,a1,a2,a3}, {b0,b1}, {c0,c1}", 16, 16, 16,
     'h', true},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {d0,d1,d2,d3}, {a0,a1,a2,a3}, {b0,b1}, "
     "{c0,c1,c2,c3}",
     16, 16, 16, 'b', false},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {d0,d1,d2,d3}, {a0,a1}, {b0}, {c0,c1,c2,c3}", 16, 4,
     32, 't', false},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {d0,d1,d2,d3}, {a0,a1,a2,a3}, {b0,b1}, "
     "{c0,c1,c2,c3}",
     16, 8, 32, 't', false},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {d0,d1}, {a0}, {b0}, {c0,c1}", 8, 4, 64, 'd', false},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {d0,d1}, {a0}, {b0}, {c0,c1}", 8, 16, 8, 's', false},
    {"mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {d0,d1,d2,d3}, {a0,a1}, {b0}, {c0,c1,c2,c3}", 16, 16, 8,
     'u', false},
    {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {d0,d1,d2,d3}, {a0,a1,a2,a3}, {b0,b1}, "
     "{c0,c1,c2,c3}",
     16, 32, 8, 's', false},
};

/* ---- reference: small integers written into the fragments' bits */

static uint64_t code(char kind, int value)
{
    float f = (float)value;
    __extension__ _Float16 h = (_Float16)f;
    uint16_t bits;
    memcpy(&bits, &h, 2);
    switch (kind) {
    case 'h': return bits;
    case 'b': return op_bits32(f) >> 16;
    case 't': return op_bits32(f) | 0x1fff; /* the low bits do not count */
    case 'd': return op_bits64(value);
    default: return (uint64_t)value & 0xff;
    }
}

static void put(struct warp *w, unsigned reg, unsigned lane, unsigned width, unsigned i, uint64_t bits)
{
    w->in[reg][lane] |= bits << width * i;
}

struct product {
    int a[16][32], b[32][8], c[16][8];
};

static void fill(const struct form *f, struct product *x, struct warp *w)
{
    memset(w, 0, sizeof *w);
    unsigned q = f->width >= 32 ? 1 : 32 / f->width, regs_a = f->m * f->k / 32 / q,
             regs_b = f->k * 8 / 32 / q;
    int low = f->kind == 'u' ? 0 : -4;
    for (unsigned l = 0; l < 32; l++) {
        unsigned group = l / 4, thread = l % 4;
        for (unsigned e = 0; e < regs_a * q; e++) {
            unsigned reg = e / q, i = e % q, row = f->m == 16 ? group + 8 * (reg & 1) : group;
            unsigned column = q * thread + i + 4 * q * (f->m == 16 ? reg / 2 : reg);
            x->a[row][column] = low + (int)(op_random() % 9);
            put(w, reg, l, f->width, i, code(f->kind, x->a[row][column]));
        }
        for (unsigned e = 0; e < regs_b * q; e++) {
            unsigned reg = e / q, i = e % q, row = q * thread + i + 4 * q * reg;
            x->b[row][group] = low + (int)(op_random() % 9);
            put(w, regs_a + reg, l, f->width, i, code(f->kind, x->b[row][group]));
        }
        for (unsigned e = 0; e < f->m / 4; e++) {
            int *c = &x->c[group + 8 * (e / 2)][2 * thread + e % 2];
            *c = (int)(op_random() % 64) - 32;
            bool integer = f->kind == 's' || f->kind == 'u';
            uint64_t bits = integer          ? (uint32_t)*c
                            : f->kind == 'd' ? op_bits64(*c)
                            : f->half_result ? code('h', *c)
                                             : op_bits32((float)*c);
            put(w, regs_a + regs_b + (f->half_result ? e / 2 : e), l, 16, f->half_result ? e % 2 : 0, bits);
        }
    }
}

static uint64_t wanted(const struct form *f, const struct product *x, unsigned lane, unsigned e)
{
    unsigned row = lane / 4 + 8 * (e / 2), column = 2 * (lane % 4) + e % 2;
    int sum = x->c[row][column];
    for (unsigned k = 0; k < f->k; k++)
        sum += x->a[row][k] * x->b[k][column];
    if (f->kind == 's' || f->kind == 'u') return (uint32_t)sum;
    if (f->kind == 'd') return op_bits64(sum);
    return f->half_result ? code('h', sum) : op_bits32((float)sum);
}

/* ---- emission */

static LLVMValueRef plane(struct jit_part *part, LLVMValueRef warp, unsigned number, unsigned p)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(part->context);
    LLVMValueRef at = LLVMConstInt(i64, (uint64_t)number * 32 + p * part->lanes, false);
    return LLVMBuildGEP2(part->builder, i64, warp, &at, 1, "");
}

static void emit(struct jit_part *part, const struct ptx_instr *instr, const char *name)
{
    LLVMTypeRef ptr = LLVMPointerTypeInContext(part->context, 0), wide = jit_part_type(part, 64);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(part->context), &ptr, 1, false);
    LLVMValueRef function = LLVMAddFunction(part->module, name, type), warp = LLVMGetParam(function, 0);
    LLVMPositionBuilderAtEnd(part->builder, LLVMAppendBasicBlockInContext(part->context, function, ""));
    unsigned bits = ptx_instr_type(instr, 0) == PTX_F64 ? 64 : 32, count = 0;
    LLVMValueRef src[MOST * JIT_MAX_PARTS], dst[8 * JIT_MAX_PARTS] = {NULL}, active[JIT_MAX_PARTS];
    for (unsigned i = 1; i < instr->operand_count; i++)
        for (unsigned r = 0; r < instr->operands[i].count; r++, count++)
            for (unsigned p = 0; p < part->parts; p++) {
                LLVMValueRef value = LLVMBuildLoad2(part->builder, wide, plane(part, warp, count, p), "");
                LLVMSetAlignment(value, 8);
                src[count * part->parts + p] =
                    bits == 64 ? value : LLVMBuildTrunc(part->builder, value, jit_part_type(part, 32), "");
            }
    for (unsigned p = 0; p < part->parts; p++)
        active[p] = LLVMConstAllOnes(jit_part_type(part, 1));
    struct sw_error error;
    if (!jit_op_warp_supported(instr)) fail_msg("line %u is not supported", instr->line);
    if (jit_op_warp(part, instr, src, count, active, dst, &error) != SW_OK) fail_msg("%s", error.message);
    for (unsigned r = 0; r < instr->operands[0].count; r++)
        for (unsigned p = 0; p < part->parts; p++) {
            LLVMValueRef value = dst[r * part->parts + p];
            if (bits == 32) value = LLVMBuildZExt(part->builder, value, wide, "");
            LLVMSetAlignment(LLVMBuildStore(part->builder, value, plane(part, warp, MOST + r, p)), 8);
        }
    LLVMBuildRetVoid(part->builder);
}

static void check(const struct form *f, const struct op_config *config, LLVMOrcLLJITRef jit, unsigned i)
{
    void (*code_of)(struct warp *);
    *(void **)&code_of = op_lookup(jit, i);
    struct product x;
    struct warp w;
    fill(f, &x, &w);
    code_of(&w);
    for (unsigned l = 0; l < 32; l++)
        for (unsigned e = 0; e < f->m / 4; e++) {
            uint64_t want = wanted(f, &x, l, e), got = w.out[f->half_result ? e / 2 : e][l];
            if (f->half_result) got = got >> 16 * (e % 2) & 0xffff;
            if (want == got) continue;
            if (op_failures++ < 8)
                fprintf(stderr, "%s [isa %d] lane %u, element %u: %llx, want %llx\n", f->text,
                        (int)config->isa, l, e, (unsigned long long)got, (unsigned long long)want);
        }
}

static struct ptx_module *parse(void)
{
    struct str text = {0};
    str_add(&text, ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b64 a<8>, "
                   "b<8>, c<8>, d<8>;\n");
    for (unsigned i = 0; i < SW_COUNT_OF(forms); i++)
        str_printf(&text, "%s;\n", forms[i].text);
    str_add(&text, "ret;\n}\n");
    struct ptx_module *module;
    struct sw_error error;
    if (ptx_parse(str_text(&text), text.length, "mma", &module, &error) != SW_OK)
        fail_msg("line %u: %s", error.line, error.message);
    str_release(&text);
    return module;
}

static void test_mma(void **state)
{
    (void)state;
    op_initialize();
    struct ptx_module *module = parse();
    op_failures = 0;
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++) {
        if (op_configs[c].lanes == 1 || !op_config_runs(&op_configs[c])) continue;
        LLVMOrcLLJITRef jit = op_compile(&op_configs[c], module->functions[0], SW_COUNT_OF(forms), emit);
        for (unsigned i = 0; i < SW_COUNT_OF(forms); i++)
            for (unsigned trial = 0; trial < 4; trial++)
                check(&forms[i], &op_configs[c], jit, i);
        op_check_llvm(LLVMOrcDisposeLLJIT(jit));
    }
    ptx_module_free(module);
    assert_int_equal(op_failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mma)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

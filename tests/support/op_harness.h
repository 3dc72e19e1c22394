/* SPDX-License-Identifier: Apache-2.0 */
/* Runs PTX instructions, one at a time, through jit_op_elementwise at every width and instruction set of this
 * machine, and compares with C references. One table row an instruction; all rows of a table are compiled
 * into one module. Calls to a library from generated code do not resolve, so an operation that LLVM turns
 * into one fails. */
#ifndef OP_HARNESS_H
#define OP_HARNESS_H

#include "cpu_runs.h"

#include "base/base_host.h"
#include "jit/op/jit_ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

enum { OP_TUPLES = 4096, OP_MAX_SOURCES = 5 };

/* text: operands are d, e (64 bits), p, q (predicates) and sources a b c x y, m n (predicates). expect:
 * sources to results, each in the low bits. accept, instead: is got right? */
struct op_case {
    const char *text;
    void (*expect)(const uint64_t *in, uint64_t *out);
    bool (*accept)(const uint64_t *in, const uint64_t *got);
};

struct op_run {
    uint64_t in[OP_MAX_SOURCES][OP_TUPLES];
    uint64_t out[2][OP_TUPLES], first[2][OP_TUPLES];
};

static bool op_flushes;     /* code and MXCSR as in kernels that flush everywhere (jit_core_flush.c) */
static bool op_fast_approx; /* compile for SOFTWARP_APPROX=fast */

/* ---- inputs */

static uint64_t op_seed = 0x9e3779b97f4a7c15u;
static inline uint64_t op_random(void)
{
    op_seed ^= op_seed << 13, op_seed ^= op_seed >> 7, op_seed ^= op_seed << 17;
    return op_seed * 0x2545f4914f6cdd1du;
}

static const uint64_t op_edges8[] = {0, 1, 2, 0x7f, 0x80, 0x81, 0xff, 0x40, 0x10, 0x0f};
static const uint64_t op_edges16[] = {0,      1,      2,      0x7fff, 0x8000, 0x8001, 0xffff, 0x3c00, 0xbc00,
                                      0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x03ff, 0x0400, 0x7bff, 0x3f80, 0xbf80,
                                      0x7f80, 0xff80, 0x7fc0, 0x0080, 0x007f, 0x7f7f, 0x4248, 0x00ff, 0x0100};
static const uint64_t op_edges32[] = {
    0,          1,          2,          3,          31,         32,         33,         0xff,
    0xffff,     0x10000,    0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x3f800000,
    0xbf800000, 0x3f7fffff, 0x3f800001, 0x40000000, 0x3f000000, 0xbf000000, 0x7f800000, 0xff800000,
    0x7fc00000, 0xffc00001, 0x7f800001, 0x00800000, 0x007fffff, 0x80800000, 0x7f7fffff, 0xff7fffff,
    0x4b000000, 0x4b7fffff, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5f000000,
    0x3fc00000, 0x40200000, 0xc0200000, 0x42280000, 0x477fefff, 0x477ff000, 0x33000000, 0x387fe000};
static const uint64_t op_edges64[] = {0,
                                      1,
                                      2,
                                      63,
                                      64,
                                      0xffffffff,
                                      0x100000000,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      0x8000000000000001,
                                      0xffffffffffffffff,
                                      0x3ff0000000000000,
                                      0xbff0000000000000,
                                      0x3fefffffffffffff,
                                      0x3ff0000000000001,
                                      0x4000000000000000,
                                      0x3fe0000000000000,
                                      0x7ff0000000000000,
                                      0xfff0000000000000,
                                      0x7ff8000000000000,
                                      0xfff8000000000001,
                                      0x7ff0000000000001,
                                      0x0010000000000000,
                                      0x000fffffffffffff,
                                      0x7fefffffffffffff,
                                      0xffefffffffffffff,
                                      0x41dfffffffc00000,
                                      0x41e0000000000000,
                                      0xc1e0000000000000,
                                      0x41efffffffe00000,
                                      0x43e0000000000000,
                                      0xc3e0000000000000,
                                      0x43f0000000000000,
                                      0x3ff8000000000000,
                                      0x4004000000000000,
                                      0x4330000000000000,
                                      0x4340000000000001,
                                      0x47efffffe0000000,
                                      0x47effffff0000000,
                                      0x36a0000000000000,
                                      0x3690000000000001,
                                      0x0020000000000000,
                                      0x3ca0000000000000};

static inline uint64_t op_edge(unsigned bits)
{
    uint64_t r = op_random() >> 8;
    switch (bits) {
    case 1: return r & 1;
    case 8: return op_edges8[r % SW_COUNT_OF(op_edges8)];
    case 16: return op_edges16[r % SW_COUNT_OF(op_edges16)];
    case 32: return op_edges32[r % SW_COUNT_OF(op_edges32)];
    default: return op_edges64[r % SW_COUNT_OF(op_edges64)];
    }
}

/* Bits with a float's exponent near 1, when they are read as one. */
static inline uint64_t op_moderate(unsigned bits)
{
    uint64_t r = op_random();
    switch (bits) {
    case 32: return (r & 0x807fffff) | ((r >> 40) % 60 + 97) << 23;
    case 64: return (r & 0x800fffffffffffff) | (op_random() % 140 + 950) << 52;
    default: return r;
    }
}

static inline uint64_t op_input(unsigned bits)
{
    uint64_t r = op_random() >> 60, value;
    if (r < 6)
        value = op_edge(bits);
    else if (r < 10)
        value = op_moderate(bits);
    else if (r < 12)
        value = op_random() % 70;
    else
        value = op_random();
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* ---- compiling */

struct op_config {
    enum jit_isa isa;
    unsigned lanes;
    const char *cpu;
};
static const struct op_config op_configs[] = {
    {JIT_ISA_SSE2, 1, "x86-64"},    {JIT_ISA_SSE2, 4, "x86-64"},      {JIT_ISA_AVX2, 1, "x86-64-v3"},
    {JIT_ISA_AVX2, 8, "x86-64-v3"}, {JIT_ISA_AVX512, 1, "x86-64-v4"}, {JIT_ISA_AVX512, 16, "x86-64-v4"},
    {JIT_ISA_NEON, 1, "generic"},   {JIT_ISA_NEON, 4, "generic"},
};

static inline bool op_config_runs(const struct op_config *config)
{
    if (op_flushes && config->isa == JIT_ISA_NEON) return false; /* no kernel does (jit_core_flush.c) */
    return cpu_runs(config->isa);
}

static inline LLVMTargetMachineRef op_target_machine(const char *cpu)
{
    LLVMTargetRef target;
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) fail_msg("%s", message);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, triple, cpu, "", LLVMCodeGenLevelDefault,
                                                           LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMDisposeMessage(triple);
    return machine;
}

static inline void op_check_llvm(LLVMErrorRef error)
{
    if (error) fail_msg("%s", LLVMGetErrorMessage(error));
}

static inline unsigned op_sources(const struct ptx_instr *instr)
{
    unsigned count = instr->operand_count - ptx_instr_dest_count(instr);
    return count + (instr->op == ISA_OP_ADDC || instr->op == ISA_OP_SUBC || instr->op == ISA_OP_MADC);
}

static inline LLVMValueRef op_at(struct jit_part *part, LLVMValueRef base, LLVMValueRef index, unsigned plane)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(part->context);
    LLVMValueRef offset =
        LLVMBuildAdd(part->builder, index, LLVMConstInt(i64, (uint64_t)plane * OP_TUPLES, 0), "");
    return LLVMBuildGEP2(part->builder, i64, base, &offset, 1, "");
}

static inline LLVMValueRef op_source(struct jit_part *part, const struct ptx_instr *instr,
                                     LLVMValueRef function, unsigned i)
{
    unsigned bits = jit_op_source_bits(instr, i), at = i + ptx_instr_dest_count(instr);
    bool is_f32 = at < instr->operand_count && instr->operands[at].kind == ISA_OPD_FLOAT && bits == 32;
    if (is_f32 || (at < instr->operand_count && instr->operands[at].kind == ISA_OPD_INT))
        return jit_part_const(part, bits, instr->operands[at].bits);
    LLVMValueRef address = op_at(part, LLVMGetParam(function, 0), LLVMGetParam(function, 2), i);
    LLVMValueRef value = LLVMBuildLoad2(part->builder, jit_part_type(part, 64), address, "");
    LLVMSetAlignment(value, 8);
    return bits == 64 ? value : LLVMBuildTrunc(part->builder, value, jit_part_type(part, bits), "");
}

/* void <name>(const i64 *in, i64 *out, i64 first): `lanes` tuples. */
static inline void op_emit(struct jit_part *part, const struct ptx_instr *instr, const char *name)
{
    LLVMTypeRef ptr = LLVMPointerTypeInContext(part->context, 0), i64 = LLVMInt64TypeInContext(part->context);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(part->context), (LLVMTypeRef[]){ptr, ptr, i64}, 3, false);
    LLVMValueRef function = LLVMAddFunction(part->module, name, type);
    LLVMPositionBuilderAtEnd(part->builder, LLVMAppendBasicBlockInContext(part->context, function, ""));
    LLVMValueRef src[OP_MAX_SOURCES], dst[2] = {NULL, NULL};
    unsigned count = op_sources(instr);
    for (unsigned i = 0; i < count; i++)
        src[i] = op_source(part, instr, function, i);
    struct sw_error error;
    if (!jit_op_elementwise_supported(instr)) fail_msg("line %u is not supported", instr->line);
    if (jit_op_elementwise(part, instr, src, count, dst, &error) != SW_OK)
        fail_msg("%s: %s", name, error.message);
    for (unsigned k = 0; k < 2; k++) {
        if (!dst[k]) continue;
        LLVMValueRef wide = LLVMTypeOf(dst[k]) == jit_part_type(part, 64)
                                ? dst[k]
                                : LLVMBuildZExt(part->builder, dst[k], jit_part_type(part, 64), "");
        LLVMValueRef store = LLVMBuildStore(
            part->builder, wide, op_at(part, LLVMGetParam(function, 1), LLVMGetParam(function, 2), k));
        LLVMSetAlignment(store, 8);
    }
    LLVMBuildRetVoid(part->builder);
}

static inline void op_begin_flush(void)
{
    if (op_flushes) sw_host_float_set(JIT_MXCSR_FLUSH);
}
static inline void op_end_flush(void)
{
    if (op_flushes) sw_host_float_set(SW_HOST_FLOAT_DEFAULT);
}

typedef void (*op_emit_fn)(struct jit_part *part, const struct ptx_instr *instr, const char *name);
static inline LLVMOrcLLJITRef op_compile(const struct op_config *config, const struct ptx_function *function,
                                         unsigned count, op_emit_fn emit)
{
    LLVMOrcThreadSafeContextRef safe = LLVMOrcCreateNewThreadSafeContext();
    LLVMContextRef context = LLVMOrcThreadSafeContextGetContext(safe);
    struct jit_part part = {.context = context,
                            .lanes = config->lanes,
                            .parts = 32 / config->lanes,
                            .fast_approx = op_fast_approx,
                            .mxcsr_flushes = op_flushes,
                            .isa = config->isa,
                            .function = function};
    part.module = LLVMModuleCreateWithNameInContext("ops", context);
    part.builder = LLVMCreateBuilderInContext(context);
    LLVMTargetMachineRef machine = op_target_machine(config->cpu);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(part.module, layout);
    for (unsigned i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", i);
        emit(&part, &function->instrs[i], name);
    }
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    op_check_llvm(LLVMRunPasses(part.module, "verify,early-cse,instcombine<no-verify-fixpoint>,simplifycfg",
                                machine, options));
    LLVMDisposePassBuilderOptions(options);
    if (getenv("OP_DUMP")) LLVMDumpModule(part.module);
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    LLVMOrcLLJITRef jit;
    op_check_llvm(LLVMOrcCreateLLJIT(&jit, builder));
    op_check_llvm(LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit),
                                              LLVMOrcCreateNewThreadSafeModule(part.module, safe)));
    LLVMOrcDisposeThreadSafeContext(safe);
    LLVMDisposeBuilder(part.builder);
    LLVMDisposeTargetData(layout);
    return jit;
}

/* ---- running */

static unsigned op_failures;

static inline void op_report(const struct op_case *test, const struct op_config *config,
                             const struct op_run *run, const uint64_t *want, unsigned i, const char *what)
{
    if (op_failures++ > 24) return;
    fprintf(stderr, "%s [isa %d, %u lanes] %s: (%llx, %llx, %llx, %llx) gives %llx %llx, want %llx %llx\n",
            test->text, (int)config->isa, config->lanes, what, (unsigned long long)run->in[0][i],
            (unsigned long long)run->in[1][i], (unsigned long long)run->in[2][i],
            (unsigned long long)run->in[3][i], (unsigned long long)run->out[0][i],
            (unsigned long long)run->out[1][i], (unsigned long long)want[0], (unsigned long long)want[1]);
}

static inline void op_compare(const struct op_case *test, const struct op_config *config,
                              const struct op_run *run)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < OP_TUPLES && wrong < 3; i++) {
        uint64_t in[OP_MAX_SOURCES], want[2] = {0, 0}, got[2] = {run->out[0][i], run->out[1][i]};
        for (unsigned k = 0; k < OP_MAX_SOURCES; k++)
            in[k] = run->in[k][i];
        if (test->accept ? !test->accept(in, got)
                         : (test->expect(in, want), memcmp(want, got, sizeof want) != 0)) {
            op_report(test, config, run, want, i, "wrong");
            wrong++;
        } else if (got[0] != run->first[0][i] || got[1] != run->first[1][i]) {
            want[0] = run->first[0][i], want[1] = run->first[1][i];
            op_report(test, config, run, want, i, "differs between widths");
            wrong++;
        }
    }
}

static inline void op_fill(struct op_run *run, const struct ptx_instr *instr)
{
    for (unsigned k = 0; k < OP_MAX_SOURCES; k++) {
        unsigned bits = k < op_sources(instr) ? jit_op_source_bits(instr, k) : 0;
        unsigned at = k + ptx_instr_dest_count(instr);
        bool fixed = at < instr->operand_count && instr->operands[at].kind == ISA_OPD_INT;
        for (unsigned i = 0; i < OP_TUPLES; i++)
            run->in[k][i] = !bits ? 0 : fixed ? instr->operands[at].bits : op_input(bits);
    }
}

static inline void *op_lookup(LLVMOrcLLJITRef jit, unsigned i)
{
    char name[16];
    snprintf(name, sizeof name, "f%u", i);
    LLVMOrcExecutorAddress address;
    op_check_llvm(LLVMOrcLLJITLookup(jit, &address, name));
    return (void *)(uintptr_t)address;
}

static inline void op_execute(const struct op_case *cases, unsigned count,
                              const struct ptx_function *function, LLVMOrcLLJITRef *jits)
{
    struct op_run *run = calloc(1, sizeof *run);
    for (unsigned i = 0; i < count; i++) {
        op_fill(run, &function->instrs[i]);
        bool first = true;
        for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++) {
            if (!jits[c]) continue;
            void (*code)(const uint64_t *, uint64_t *, uint64_t);
            *(void **)&code = op_lookup(jits[c], i);
            memset(run->out, 0, sizeof run->out);
            op_begin_flush();
            for (unsigned at = 0; at < OP_TUPLES; at += op_configs[c].lanes)
                code(run->in[0], run->out[0], at);
            op_end_flush();
            if (first) memcpy(run->first, run->out, sizeof run->out);
            first = false;
            op_compare(&cases[i], &op_configs[c], run);
        }
    }
    free(run);
}

static inline struct ptx_module *op_parse(const struct op_case *cases, unsigned count)
{
    struct str text = {0};
    str_add(&text, ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                   ".reg .b64 d, e, a, b, c, x, y;\n.reg .pred p, q, m, n;\n");
    for (unsigned i = 0; i < count; i++)
        str_printf(&text, "%s;\n", cases[i].text);
    str_add(&text, "ret;\n}\n");
    struct ptx_module *module;
    struct sw_error error;
    if (ptx_parse(str_text(&text), text.length, "ops", &module, &error) != SW_OK)
        fail_msg("line %u: %s", error.line, error.message);
    str_release(&text);
    return module;
}

static inline void op_initialize(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
}

static inline void op_run_cases(const struct op_case *cases, unsigned count)
{
    op_initialize();
    struct ptx_module *module = op_parse(cases, count);
    const struct ptx_function *function = module->functions[0];
    assert_int_equal(function->instr_count, count + 1);
    LLVMOrcLLJITRef jits[SW_COUNT_OF(op_configs)] = {NULL};
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++)
        if (op_config_runs(&op_configs[c])) jits[c] = op_compile(&op_configs[c], function, count, op_emit);
    op_failures = 0;
    op_execute(cases, count, function, jits);
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++)
        if (jits[c]) op_check_llvm(LLVMOrcDisposeLLJIT(jits[c]));
    ptx_module_free(module);
    assert_int_equal(op_failures, 0);
}

/* ---- references */

static inline float op_f32(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, 4);
    return value;
}

static inline double op_f64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

static inline uint64_t op_bits32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return value != value ? 0x7fffffff : bits;
}

static inline uint64_t op_bits64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return value != value ? 0xfff8000000000000 : bits;
}

#define OP_REF(name, ...)                                                                                    \
    static void name(const uint64_t *in, uint64_t *out)                                                      \
    {                                                                                                        \
        (void)in;                                                                                            \
        __VA_ARGS__;                                                                                         \
    }
#endif

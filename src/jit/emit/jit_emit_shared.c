/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the first tier computes an elementwise instruction of vectors by a call.
 * Method: one function of the object for each form: opcode, modifiers, types, and what its operands are.
 * It takes the 32 lanes of a register by their address and puts the result's where it is told, so that
 * LLVM's fast instruction selector takes the call, whatever the lanes' width, and emission, passes and
 * register allocation see one instruction and not some dozens.
 *
 *   fma.rn.f32 %f3, %f1, %f2, 1.0   ->   call softwarp_op_<hash>(ptr f3, ptr f1, ptr f2)
 *
 * Scalars come as they are; progressions by lane 0's value; constants are the form's. What the function
 * computes is made by the same code as in line.
 * Limits: one destination, a register of vectors of 16, 32 or 64 bits, without a guard; not arithmetic of
 * f64, whose NaNs are looked at in line; not where the slow path of one is counted. */
#include "jit_emit_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_values.h"

#include <inttypes.h>
#include <stdio.h>

/* One operand: by address, or a value of which some pieces are handed over. */
struct source {
    const struct ptx_operand *operand;
    LLVMValueRef memory; /* of its register; NULL: */
    struct jit_value value;
    unsigned first, count; /* its parameters */
};
enum { PARAMS_MOST = 1 + JIT_MAX_SOURCES * JIT_MAX_PARTS };
struct form {
    const struct ptx_instr *instr;
    struct source sources[JIT_MAX_SOURCES];
    unsigned source_count;
    LLVMValueRef args[PARAMS_MOST];
    unsigned arg_count;
    struct str key;
};

/* ---- which instructions */

static bool is_register(const struct ptx_operand *operand)
{
    return operand->kind == ISA_OPD_REG && operand->reg != PTX_NO_REG;
}

static bool is_taken(struct jit *jit, const struct ptx_instr *instr)
{
    const struct ptx_operand *to = &instr->operands[0];
    if (instr->guard != PTX_NO_REG || !is_register(to) || to->half) return false;
    if (!jit_reg_may_be_memory(jit, to->reg) || jit->regs[to->reg].brings_nans) return false;
    if (jit_writes_carry(instr) || jit_reads_carry(instr) || jit_counts_slow(jit, instr)) return false;
    bool vector = false;
    for (unsigned i = 0; i < instr->operand_count; i++) {
        const struct ptx_operand *from = &instr->operands[i];
        if (from->selector || from->half) return false;
        if (i == 0) continue;
        if (from->kind == ISA_OPD_REG && jit->regs[from->reg].abstract.repr == JIT_VECTOR) vector = true;
    }
    for (unsigned i = 0; i < instr->type_count; i++)
        if (instr->types[i] == ISA_F64) return false;
    return vector && instr->operand_count <= JIT_MAX_SOURCES;
}

/* ---- the form and its arguments */

static void add_word(struct form *form, uint64_t word)
{
    str_add_bytes(&form->key, &word, sizeof word);
}

static void add_instr(const struct jit *jit, struct form *form)
{
    const struct ptx_instr *instr = form->instr;
    const struct jit_reg *to = &jit->regs[instr->operands[0].reg];
    add_word(form, (uint64_t)instr->op << 32 | (uint64_t)instr->mod_count << 16 | instr->type_count);
    str_add_bytes(&form->key, instr->mods, instr->mod_count * sizeof instr->mods[0]);
    str_add_bytes(&form->key, instr->types, instr->type_count * sizeof instr->types[0]);
    add_word(form, (uint64_t)instr->operand_count << 32 | to->bits << 1 | to->canonical);
    add_word(form, (uint64_t)jit->part.mxcsr_flushes << 1 | (uint64_t)jit->part.plain_nans);
}

static void add_argument(struct form *form, struct source *source, LLVMValueRef value)
{
    form->args[form->arg_count++] = value;
    source->count++;
}

/* <n x i1> as a number */
static LLVMValueRef as_argument(struct jit *jit, const struct jit_value *value, LLVMValueRef part)
{
    return value->bits == 1 ? LLVMBuildBitCast(jit->builder, part, jit_int(jit, jit->part.lanes), "") : part;
}

static void add_value(struct jit *jit, struct form *form, struct source *source)
{
    const struct jit_value *value = &source->value;
    add_word(form, (uint64_t)value->repr << 32 | value->bits);
    if (value->repr == JIT_AFFINE && !value->limit) {
        add_word(form, (uint64_t)value->stride);
        add_argument(form, source, value->scalar);
        return;
    }
    if (value->repr == JIT_SCALAR) {
        bool constant = LLVMIsAConstantInt(value->scalar) && value->bits <= 64;
        add_word(form, constant);
        if (constant)
            add_word(form, LLVMConstIntGetZExtValue(value->scalar));
        else
            add_argument(form, source, value->scalar);
        return;
    }
    struct jit_value whole = {.repr = JIT_VECTOR, .bits = value->bits};
    jit_value_parts(jit, value, whole.part);
    source->value = whole;
    add_word(form, JIT_VECTOR);
    for (unsigned p = 0; p < jit->part.parts; p++)
        add_argument(form, source, as_argument(jit, &whole, whole.part[p]));
}

static void add_source(struct jit *jit, struct form *form, unsigned i)
{
    struct source *source = &form->sources[form->source_count++];
    source->operand = &form->instr->operands[i];
    source->first = form->arg_count;
    if (source->operand->kind == ISA_OPD_REG) source->memory = jit_reg_memory(jit, source->operand->reg);
    add_word(form, (uint64_t)source->operand->kind << 1 | (source->memory != NULL));
    if (source->operand->kind == ISA_OPD_INT) add_word(form, source->operand->bits); /* lop3 reads it */
    if (source->memory) {
        const struct jit_reg *reg = &jit->regs[source->operand->reg];
        add_word(form, (uint64_t)reg->bits << 2 | (uint64_t)reg->canonical << 1 | source->operand->negate);
        add_argument(form, source, source->memory);
        return;
    }
    struct ptx_operand from = *source->operand;
    if (form->instr->op == ISA_OP_VMAD) from.negate = false;
    source->value = jit_operand(jit, &from, jit_source_bits(form->instr, i - 1));
    add_value(jit, form, source);
}

/* ---- the function */

static struct jit_value source_value(struct jit *jit, const struct form *form, unsigned i, LLVMValueRef fn)
{
    const struct source *source = &form->sources[i];
    struct jit_value value = source->value;
    if (source->memory) {
        value = jit_reg_load(jit, &jit->regs[source->operand->reg], LLVMGetParam(fn, source->first));
        value = jit_value_resize(jit, &value, jit_source_bits(form->instr, i), false);
        for (unsigned p = 0; p < jit->part.parts && source->operand->negate; p++)
            value.part[p] = LLVMBuildNeg(jit->builder, value.part[p], "");
        return value;
    }
    if (source->count == 0) return value;
    if (value.repr != JIT_VECTOR) {
        value.scalar = LLVMGetParam(fn, source->first);
        return value;
    }
    for (unsigned p = 0; p < jit->part.parts; p++) {
        value.part[p] = LLVMGetParam(fn, source->first + p);
        if (value.bits == 1)
            value.part[p] =
                LLVMBuildBitCast(jit->builder, value.part[p], LLVMVectorType(jit->i1, jit->part.lanes), "");
    }
    return value;
}

static enum sw_status fill_function(struct jit *jit, const struct form *form, LLVMValueRef fn)
{
    LLVMValueRef parts[JIT_MAX_SOURCES][JIT_MAX_PARTS], in[JIT_MAX_SOURCES];
    struct jit_reg *to = &jit->regs[form->instr->operands[0].reg];
    struct jit_value out = {.repr = JIT_VECTOR, .bits = jit_dest_bits(form->instr)};
    for (unsigned i = 0; i < form->source_count; i++) {
        struct jit_value value = source_value(jit, form, i, fn);
        jit_value_parts(jit, &value, parts[i]);
    }
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef dst[2] = {NULL, NULL};
        for (unsigned i = 0; i < form->source_count; i++)
            in[i] = parts[i][p];
        SW_TRY(jit_op_elementwise(&jit->part, form->instr, in, form->source_count, dst, jit->error));
        out.part[p] = dst[0];
    }
    out = jit_value_resize(jit, &out, to->bits, jit_dest_signed(form->instr));
    jit_reg_store(jit, to, &out, LLVMGetParam(fn, 0));
    LLVMBuildRetVoid(jit->builder);
    return SW_OK;
}

static enum sw_status make_function(struct jit *jit, const struct form *form, LLVMTypeRef type,
                                    const char *name, LLVMValueRef *out)
{
    LLVMValueRef fn = LLVMAddFunction(jit->module, name, type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    jit_target_attributes(jit, fn);
    jit_attribute(jit, fn, "noinline");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    jit_position(jit, LLVMAppendBasicBlockInContext(jit->context, fn, ""));
    enum sw_status status = fill_function(jit, form, fn);
    jit_position(jit, here);
    *out = fn;
    return status;
}

static enum sw_status call_function(struct jit *jit, struct form *form)
{
    LLVMTypeRef params[PARAMS_MOST];
    for (unsigned i = 0; i < form->arg_count; i++)
        params[i] = LLVMTypeOf(form->args[i]);
    LLVMTypeRef type = LLVMFunctionType(jit->empty, params, form->arg_count, 0);
    char name[64];
    snprintf(name, sizeof name, JIT_SHARED_PREFIX "%016" PRIx64 "%016" PRIx64,
             sw_hash_bytes(form->key.text, form->key.length, 0),
             sw_hash_bytes(form->key.text, form->key.length, 1));
    LLVMValueRef fn = LLVMGetNamedFunction(jit->module, name);
    if (!fn) SW_TRY(make_function(jit, form, type, name, &fn));
    form->args[0] = jit_reg_new_memory(jit, form->instr->operands[0].reg);
    LLVMBuildCall2(jit->builder, type, fn, form->args, form->arg_count, "");
    return SW_OK;
}

enum sw_status jit_emit_shared(struct jit *jit, const struct ptx_instr *instr, bool *done)
{
    *done = false;
    if (!is_taken(jit, instr)) return SW_OK;
    struct form form = {.instr = instr, .arg_count = 1};
    form.args[0] = LLVMConstNull(jit->ptr);
    add_instr(jit, &form);
    for (unsigned i = 1; i < instr->operand_count; i++)
        add_source(jit, &form, i);
    enum sw_status status = call_function(jit, &form);
    str_release(&form.key);
    *done = status == SW_OK;
    return status;
}

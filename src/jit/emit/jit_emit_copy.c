/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async (PTX ISA 9.7.9.25): 4, 8 or 16 bytes from global to shared memory, done at once; then groups have
 * nothing to wait for. Bytes past src-size are zero; with ignore-src all are.
 * Limits: bulk copies are jit_emit_bulk.c's. */
#include "jit_emit_priv.h"
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/emit/jit_emit.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

const char *jit_copy_refusal(const struct ptx_instr *instr)
{
    if (ptx_has(instr, ISA_MOD_BULK)) return jit_bulk_refusal(instr);
    if (!ptx_has(instr, ISA_MOD_ASYNC)) return "it is not known; compile for an older PTX version or target";
    if (ptx_has(instr, ISA_MOD_COMMIT_GROUP) || ptx_has(instr, ISA_MOD_WAIT_GROUP) ||
        ptx_has(instr, ISA_MOD_WAIT_ALL))
        return NULL;
    if (ptx_has(instr, ISA_MOD_ARRIVE))
        return instr->operand_count == 1 && instr->operands[0].kind == ISA_OPD_MEM
                   ? NULL
                   : "its operand is not an address";
    bool copies = instr->operand_count >= 3 && instr->operands[0].kind == ISA_OPD_MEM &&
                  instr->operands[1].kind == ISA_OPD_MEM && instr->operands[2].kind == ISA_OPD_INT;
    for (unsigned i = 3; i < instr->operand_count; i++)
        copies &= jit_is_value(&instr->operands[i]);
    if (!copies) return "only copies of a constant size from global to shared memory are supported";
    uint64_t bytes = instr->operands[2].bits;
    return bytes == 4 || bytes == 8 || bytes == 16 ? NULL : "copies are of 4, 8 or 16 bytes";
}

enum source { SOURCE_ALL, SOURCE_BYTES, SOURCE_UNLESS }; /* nothing said; src-size; ignore-src */

static enum source source_of(const struct jit *jit, const struct ptx_instr *instr)
{
    if (instr->operand_count < 4) return SOURCE_ALL;
    const struct ptx_operand *operand = &instr->operands[3];
    if (operand->kind != ISA_OPD_REG) return SOURCE_BYTES;
    unsigned bits = jit->regs[operand->reg].bits; /* 64: a cache policy */
    return bits == 1 ? SOURCE_UNLESS : bits == 64 ? SOURCE_ALL : SOURCE_BYTES;
}

/* Lanes whose word `i`, or its first bytes, come from memory. */
static LLVMValueRef sourced(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef mask, unsigned i)
{
    enum source source = source_of(jit, instr);
    if (source == SOURCE_ALL) return mask;
    struct jit_value value = jit_operand(jit, &instr->operands[3], source == SOURCE_UNLESS ? 1 : 32);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &value, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] = source == SOURCE_UNLESS ? LLVMBuildNot(jit->builder, parts[p], "")
                                           : LLVMBuildICmp(jit->builder, LLVMIntUGT, parts[p],
                                                           jit_lane_consts(jit, 32, p, 4ull * i, 0), "");
    return LLVMBuildAnd(jit->builder, mask, jit_mask_join(jit, parts), "");
}

/* Bytes of word `i` past src-size become zero. */
static void cut_word(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef *word, unsigned i)
{
    if (source_of(jit, instr) != SOURCE_BYTES) return;
    struct jit_value value = jit_operand(jit, &instr->operands[3], 32);
    LLVMValueRef size[JIT_MAX_PARTS];
    jit_value_parts(jit, &value, size);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef from = jit_lane_consts(jit, 32, p, 4ull * i, 0),
                     end = jit_lane_consts(jit, 32, p, 4ull * i + 4, 0);
        LLVMValueRef whole = LLVMBuildICmp(jit->builder, LLVMIntUGE, size[p], end, "");
        LLVMValueRef left = LLVMBuildSub(jit->builder, size[p], from, "");
        left = LLVMBuildAnd(jit->builder, left, jit_lane_consts(jit, 32, p, 3, 0), "");
        LLVMValueRef bits = LLVMBuildShl(jit->builder, left, jit_lane_consts(jit, 32, p, 3, 0), "");
        LLVMValueRef one = jit_lane_consts(jit, 32, p, 1, 0);
        LLVMValueRef some = LLVMBuildSub(jit->builder, LLVMBuildShl(jit->builder, one, bits, ""), one, "");
        LLVMValueRef kept =
            LLVMBuildSelect(jit->builder, whole, jit_lane_consts(jit, 32, p, UINT32_MAX, 0), some, "");
        word[p] = LLVMBuildAnd(jit->builder, word[p], kept, "");
    }
}

static void check_bounds(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *to,
                         const struct jit_address *from, const struct jit_lanes *lanes,
                         const struct jit_lanes *sourced_lanes)
{
    unsigned bytes = (unsigned)instr->operands[2].bits;
    jit_bounds_check_copy(jit, &instr->operands[0], to, lanes, bytes, true);
    if (source_of(jit, instr) != SOURCE_BYTES) {
        jit_bounds_check_copy(jit, &instr->operands[1], from, sourced_lanes, bytes, false);
        return;
    }
    struct jit_value size = jit_operand(jit, &instr->operands[3], 32);
    LLVMValueRef some[JIT_MAX_PARTS];
    jit_value_parts(jit, &size, some);
    jit_bounds_check_some(jit, from, sourced_lanes, bytes, some);
}

enum sw_status jit_emit_copy(struct jit *jit, const struct ptx_instr *instr)
{
    if (ptx_has(instr, ISA_MOD_BULK)) return jit_emit_bulk(jit, instr);
    bool counts = ptx_has(instr, ISA_MOD_ARRIVE) && ptx_has(instr, ISA_MOD_NOINC);
    if (ptx_has(instr, ISA_MOD_ARRIVE)) jit_shadow_copies_arrive(jit, instr);
    if (counts) return jit_emit_mbarrier(jit, instr);
    if (instr->operand_count < 3) { /* a group, or an arrival that was expected anew: copies are done */
        jit_shadow_group(jit, instr);
        return SW_OK;
    }
    struct jit_address to = jit_address_in(jit, PTX_SPACE_SHARED, &instr->operands[0]);
    struct jit_address from = jit_address_in(jit, PTX_SPACE_GLOBAL, &instr->operands[1]);
    struct jit_access load = {.bits = 32, .bytes = 4, .count = 1};
    unsigned words = (unsigned)instr->operands[2].bits / 4;
    LLVMValueRef mask[4];
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    for (unsigned i = 0; i < words; i++)
        mask[i] = sourced(jit, instr, lanes.mask, i);
    struct jit_lanes sourced_lanes = lanes;
    if (words && mask[0] != lanes.mask)
        sourced_lanes = (struct jit_lanes){.mask = mask[0], .may_be_empty = true};
    jit_permissions_check(jit, &instr->operands[1], &from, &sourced_lanes, 4 * words, JIT_DENIED_READ);
    check_bounds(jit, instr, &to, &from, &lanes, &sourced_lanes);
    jit_shadow_access(jit, &from, &sourced_lanes, 4 * words, JIT_SHADOW_READ | JIT_SHADOW_ASYNC, NULL);
    jit_shadow_access(jit, &to, &lanes, 4 * words, JIT_SHADOW_WRITE | JIT_SHADOW_ASYNC, NULL);
    jit_count_copy(jit, instr, &to, &from, &lanes, &sourced_lanes);
    for (unsigned i = 0; i < words; i++) {
        LLVMValueRef parts[1][JIT_MAX_PARTS] = {{NULL}}, split[JIT_MAX_PARTS];
        struct jit_lanes some = lanes;
        if (mask[i] != lanes.mask) {
            jit_mask_split(jit, mask[i], split);
            some = (struct jit_lanes){.mask = mask[i], .parts = split, .may_be_empty = true};
        }
        jit_access_vector(jit, &load, &from, &some, parts);
        cut_word(jit, instr, parts[0], i);
        struct jit_access store = load;
        store.is_store = true;
        jit_access_vector(jit, &store, &to, &lanes, parts);
        from.offset += 4;
        to.offset += 4;
    }
    return SW_OK;
}

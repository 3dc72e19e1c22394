/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async (PTX ISA 9.7.9.25): 4, 8 or 16 bytes from global to shared memory, done at once; then groups have
 * nothing to wait for. Bytes past src-size are zero; with ignore-src all are.
 * Limits: src-size counts in whole words of 4 bytes; bulk and tensor copies are refused. */
#include "jit_core_priv.h"

const char *jit_copy_refusal(const struct ptx_instr *instr)
{
    if (!ptx_has(instr, PTX_MOD_ASYNC) || ptx_has(instr, PTX_MOD_BULK))
        return "bulk copies are not done; compile for sm_80 or use cp.async";
    if (ptx_has(instr, PTX_MOD_COMMIT_GROUP) || ptx_has(instr, PTX_MOD_WAIT_GROUP) ||
        ptx_has(instr, PTX_MOD_WAIT_ALL))
        return NULL;
    if (ptx_has(instr, PTX_MOD_ARRIVE)) return NULL;
    bool copies = instr->operand_count >= 3 && instr->operands[0].kind == PTX_OPD_MEM &&
                  instr->operands[1].kind == PTX_OPD_MEM && instr->operands[2].kind == PTX_OPD_INT;
    if (!copies) return "only copies of a constant size from global to shared memory are done";
    uint64_t bytes = instr->operands[2].bits;
    return bytes == 4 || bytes == 8 || bytes == 16 ? NULL : "copies are of 4, 8 or 16 bytes";
}

/* Lanes whose word `i` comes from memory. */
static LLVMValueRef sourced(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef mask, unsigned i)
{
    if (instr->operand_count < 4) return mask;
    const struct ptx_operand *operand = &instr->operands[3];
    bool ignores = operand->kind == PTX_OPD_REG && jit->regs[operand->reg].bits == 1;
    bool policy = operand->kind == PTX_OPD_REG && jit->regs[operand->reg].bits == 64;
    if (policy) return mask;
    struct jit_value value = jit_operand(jit, operand, ignores ? 1 : 32);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &value, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] = ignores ? LLVMBuildNot(jit->builder, parts[p], "")
                           : LLVMBuildICmp(jit->builder, LLVMIntUGE, parts[p],
                                           jit_lane_consts(jit, 32, p, 4ull * (i + 1), 0), "");
    return LLVMBuildAnd(jit->builder, mask, jit_mask_join(jit, parts), "");
}

enum sw_status jit_emit_copy(struct jit *jit, const struct ptx_instr *instr)
{
    bool counts = ptx_has(instr, PTX_MOD_ARRIVE) && ptx_has(instr, PTX_MOD_NOINC);
    if (counts) return jit_emit_mbarrier(jit, instr);
    if (instr->operand_count < 3)
        return SW_OK; /* a group, or an arrival that was expected anew: copies are done */
    struct jit_address to = jit_address_in(jit, PTX_SPACE_SHARED, &instr->operands[0]);
    struct jit_address from = jit_address_in(jit, PTX_SPACE_GLOBAL, &instr->operands[1]);
    struct jit_access load = {.bits = 32, .bytes = 4, .count = 1};
    unsigned words = (unsigned)instr->operands[2].bits / 4;
    LLVMValueRef mask[4];
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    for (unsigned i = 0; i < words; i++)
        mask[i] = sourced(jit, instr, lanes.mask, i);
    for (unsigned i = 0; i < words; i++) {
        LLVMValueRef parts[1][JIT_MAX_PARTS] = {{NULL}}, split[JIT_MAX_PARTS];
        struct jit_lanes some = lanes;
        if (mask[i] != lanes.mask) {
            jit_mask_split(jit, mask[i], split);
            some = (struct jit_lanes){.mask = mask[i], .parts = split, .may_be_empty = true};
        }
        jit_access_vector(jit, &load, &from, &some, parts);
        struct jit_access store = load;
        store.is_store = true;
        jit_access_vector(jit, &store, &to, &lanes, parts);
        from.offset += 4;
        to.offset += 4;
    }
    return SW_OK;
}

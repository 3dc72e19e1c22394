/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: operands and memory of one lane.
 * Method: registers hold zero-extended values of their own width. A generic address is a host address.
 * Addresses in the shared, local and parameter windows: shared is an offset in the block's shared memory,
 * local an offset in the lane's local memory, parameters and everything else host addresses. Limits: no
 * vector registers (.reg .v4). */
#include "oracle_priv.h"

#include <string.h>

uint64_t oracle_mask(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

int64_t oracle_signed(uint64_t value, unsigned bits)
{
    if (bits >= 64) return (int64_t)value;
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)((oracle_mask(value, bits) ^ sign) - sign);
}

uint64_t oracle_extend(uint64_t value, enum isa_type type)
{
    unsigned bits = isa_type_bits(type);
    return isa_type_kind(type) == ISA_KIND_SINT ? (uint64_t)oracle_signed(value, bits)
                                                : oracle_mask(value, bits);
}

/* ---- addresses
 * -------------------------------------------------------------------------------------------------- */

static uint64_t shared_offset(struct oracle *oracle, const struct ptx_var *var)
{
    uint64_t found = (uint64_t)(uintptr_t)map_get_u64(&oracle->shared_offsets, (uint64_t)(uintptr_t)var);
    return found ? found - 1 : oracle->static_shared_bytes; /* extern, without a size: the dynamic part */
}

static uint64_t frame_offset(const struct frame *frame, const struct ptx_var *var)
{
    const struct ptx_function *function = frame->function;
    uint32_t at = 0;
    if (var->index < function->param_count && function->params[var->index] == var)
        at = frame->layout->params[var->index];
    else if (var->index < function->return_count && function->returns[var->index] == var)
        at = frame->layout->returns[var->index];
    else if (var->index < function->var_count && function->vars[var->index] == var)
        at = frame->layout->vars[var->index];
    else
        BUG("variable '%s' is not one of '%s'", var->name, function->name);
    return frame->base + at;
}

/* In the window of its space; for .param the host address. */
uint64_t oracle_address_of(struct exec *exec, const struct ptx_var *var)
{
    const struct frame *frame = exec->lane->frame;
    if (var->space == PTX_SPACE_SHARED) return shared_offset(exec->oracle, var);
    if (var->space == PTX_SPACE_LOCAL) return frame_offset(frame, var);
    if (var->space == PTX_SPACE_PARAM && frame->function->is_entry &&
        var->index < frame->function->param_count && frame->function->params[var->index] == var)
        return (uint64_t)(uintptr_t)exec->oracle->launch->params + var->offset;
    if (var->space == PTX_SPACE_PARAM)
        return (uint64_t)(uintptr_t)exec->lane->local + frame_offset(frame, var);
    return exec->oracle->launch->symbols[var->index];
}

uint8_t *oracle_pointer(struct exec *exec, const struct ptx_operand *operand, enum ptx_space space)
{
    uint64_t base = 0;
    if (operand->var)
        base = oracle_address_of(exec, operand->var);
    else if (operand->reg != PTX_NO_REG) {
        oracle_watch_read(exec, operand->reg);
        base = exec->lane->frame->regs[operand->reg].lo;
    }
    base += (uint64_t)operand->offset;
    uint8_t *at = (uint8_t *)(uintptr_t)base;
    if (space == PTX_SPACE_SHARED) at = exec->block->shared + (uint32_t)base;
    if (space == PTX_SPACE_LOCAL) at = exec->lane->local + (uint32_t)base;
    oracle_watch_access(exec, operand, at);
    return at;
}

/* ---- special registers
 * ------------------------------------------------------------------------------------------ */

static uint64_t lanemask(enum isa_sreg sreg, uint32_t lane)
{
    uint32_t eq = UINT32_C(1) << lane, lt = eq - 1;
    switch ((unsigned)sreg) {
    case ISA_SREG_LANEMASK_EQ: return eq;
    case ISA_SREG_LANEMASK_LT: return lt;
    case ISA_SREG_LANEMASK_LE: return lt | eq;
    case ISA_SREG_LANEMASK_GT: return ~(lt | eq);
    default: return ~lt;
    }
}

static uint64_t block_number(const struct exec *exec)
{
    const uint32_t *at = exec->block->ctaid, *grid = exec->oracle->launch->grid;
    return at[0] + (uint64_t)grid[0] * (at[1] + (uint64_t)grid[1] * at[2]);
}

/* Blocks are assigned to SMs round robin, and to the CTA slots of an SM round robin. */
static uint64_t warp_slot(const struct exec *exec)
{
    uint32_t warps = exec->block->warp_count, slots = WARPS_PER_SM / warps;
    return block_number(exec) / SM_COUNT % slots * warps + exec->warp->index;
}

uint64_t oracle_sreg(struct exec *exec, enum isa_sreg sreg)
{
    const struct oracle_launch *launch = exec->oracle->launch;
    switch ((unsigned)sreg) {
    case ISA_SREG_TID_X: return exec->lane->tid[0];
    case ISA_SREG_TID_Y: return exec->lane->tid[1];
    case ISA_SREG_TID_Z: return exec->lane->tid[2];
    case ISA_SREG_NTID_X: return launch->block[0];
    case ISA_SREG_NTID_Y: return launch->block[1];
    case ISA_SREG_NTID_Z: return launch->block[2];
    case ISA_SREG_CTAID_X: return exec->block->ctaid[0];
    case ISA_SREG_CTAID_Y: return exec->block->ctaid[1];
    case ISA_SREG_CTAID_Z: return exec->block->ctaid[2];
    case ISA_SREG_NCTAID_X: return launch->grid[0];
    case ISA_SREG_NCTAID_Y: return launch->grid[1];
    case ISA_SREG_NCTAID_Z: return launch->grid[2];
    case ISA_SREG_LANEID: return exec->lane->index;
    case ISA_SREG_WARPID: oracle_watch_undefined(exec, "where a warp runs"); return warp_slot(exec);
    case ISA_SREG_NWARPID: return WARPS_PER_SM;
    case ISA_SREG_SMID:
        oracle_watch_undefined(exec, "where a warp runs");
        return block_number(exec) % SM_COUNT;
    case ISA_SREG_NSMID: return SM_COUNT;
    case ISA_SREG_LANEMASK_EQ:
    case ISA_SREG_LANEMASK_LT:
    case ISA_SREG_LANEMASK_LE:
    case ISA_SREG_LANEMASK_GT:
    case ISA_SREG_LANEMASK_GE: return lanemask(sreg, exec->lane->index);
    case ISA_SREG_DYNAMIC_SMEM_SIZE: return launch->dynamic_shared_bytes;
    case ISA_SREG_TOTAL_SMEM_SIZE: return sw_align_up(exec->oracle->own_shared_bytes, 128);
    case ISA_SREG_AGGR_SMEM_SIZE: return sw_align_up(exec->oracle->own_shared_bytes, 128) + RESERVED_SHARED;
    case ISA_SREG_RESERVED_SMEM_OFFSET_END:
    case ISA_SREG_RESERVED_SMEM_OFFSET_CAP: return RESERVED_SHARED;
    case ISA_SREG_RESERVED_SMEM_OFFSET_BEGIN: return 0;
    case ISA_SREG_RESERVED_SMEM_OFFSET_0:
    case ISA_SREG_RESERVED_SMEM_OFFSET_1: return sw_align_up(exec->oracle->own_shared_bytes, 16);
    case ISA_SREG_CLOCK:
    case ISA_SREG_CLOCK64:
    case ISA_SREG_GLOBALTIMER_LO:
    case ISA_SREG_GLOBALTIMER:
        oracle_watch_undefined(exec, "a clock");
        return exec->oracle->ticks * 4096 + exec->warp->steps;
    case ISA_SREG_ENVREG1:
        oracle_watch_address(exec);
        return (uint64_t)(uintptr_t)exec->oracle->workspace >> 32; /* see grid_sync.ptx */
    case ISA_SREG_ENVREG2: oracle_watch_address(exec); return (uint32_t)(uintptr_t)exec->oracle->workspace;
    case ISA_SREG_CLUSTER_NCTAID_X:
    case ISA_SREG_CLUSTER_NCTAID_Y:
    case ISA_SREG_CLUSTER_NCTAID_Z:
    case ISA_SREG_CLUSTER_NCTARANK: return 1;
    case ISA_SREG_CLUSTERID_X: return exec->block->ctaid[0];
    case ISA_SREG_CLUSTERID_Y: return exec->block->ctaid[1];
    case ISA_SREG_CLUSTERID_Z: return exec->block->ctaid[2];
    case ISA_SREG_NCLUSTERID_X: return launch->grid[0];
    case ISA_SREG_NCLUSTERID_Y: return launch->grid[1];
    case ISA_SREG_NCLUSTERID_Z: return launch->grid[2];
    case ISA_SREG_CLOCK_HI:
    case ISA_SREG_GLOBALTIMER_HI:
    case ISA_SREG_IS_EXPLICIT_CLUSTER:
    case ISA_SREG_CURRENT_GRAPH_EXEC:
    case ISA_SREG_CLUSTER_CTAID_X:
    case ISA_SREG_CLUSTER_CTAID_Y:
    case ISA_SREG_CLUSTER_CTAID_Z:
    case ISA_SREG_CLUSTER_CTARANK:
    case ISA_SREG_GRIDID: return 0;
    default: break;
    }
    bool zero = sreg >= ISA_SREG_ENVREG0 && sreg <= ISA_SREG_PM7_64; /* driver's own; undefined */
    if (!zero) oracle_unsupported(exec);
    return 0;
}

/* ---- operands
 * --------------------------------------------------------------------------------------------------- */

static uint64_t read_float(const struct ptx_operand *operand, enum isa_type type)
{
    double value;
    if (operand->is_f32) {
        if (type != ISA_F64) return (uint32_t)operand->bits;
        float single;
        uint32_t low = (uint32_t)operand->bits;
        memcpy(&single, &low, sizeof single);
        value = single;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    if (type != ISA_F32) return operand->bits;
    memcpy(&value, &operand->bits, sizeof value);
    return oracle_from_double(value, ISA_F32, ROUND_NEAREST, false);
}

/* {a, b}: the first is the low part. */
static struct value read_vector(struct exec *exec, const struct ptx_operand *operand, enum isa_type type)
{
    unsigned bits = isa_type_bits(type) / operand->count;
    struct value value = {0, 0};
    for (uint32_t i = 0; i < operand->count; i++) {
        uint64_t part = oracle_read(exec, &operand->elements[i], ISA_B64).lo;
        part = oracle_mask(part, bits);
        if (i * bits >= 64)
            value.hi |= part << (i * bits - 64);
        else
            value.lo |= part << (i * bits);
    }
    return value;
}

struct value oracle_read(struct exec *exec, const struct ptx_operand *operand, enum isa_type type)
{
    struct value value = {0, 0};
    switch (operand->kind) {
    case ISA_OPD_REG:
        oracle_watch_read(exec, operand->reg);
        value = exec->lane->frame->regs[operand->reg];
        if (operand->negate && type == ISA_PRED) value.lo ^= 1;
        if (operand->half) oracle_unsupported(exec);
        return value;
    case ISA_OPD_SREG: value.lo = oracle_sreg(exec, operand->sreg); return value;
    case ISA_OPD_INT: value.lo = operand->bits; return value;
    case ISA_OPD_FLOAT: value.lo = read_float(operand, type); return value;
    case ISA_OPD_VAR:
        if (operand->var->space != PTX_SPACE_GLOBAL && operand->var->space != PTX_SPACE_CONST)
            oracle_watch_address(exec);
        value.lo = oracle_address_of(exec, operand->var) + (uint64_t)operand->offset;
        return value;
    case ISA_OPD_FUNC:
        oracle_watch_address(exec);
        value.lo = ((uint64_t)(uintptr_t)operand->function);
        return value;
    case ISA_OPD_VEC: return read_vector(exec, operand, type);
    case ISA_OPD_NONE:
    case ISA_OPD_SINK:
    case ISA_OPD_PAIR:
    case ISA_OPD_LABEL:
    case ISA_OPD_MEM:
    case ISA_OPD_LIST:
    case ISA_OPD_PROTO: break;
    }
    oracle_unsupported(exec);
}

uint64_t oracle_get(struct exec *exec, unsigned operand, enum isa_type type)
{
    if (operand >= exec->instr->operand_count) oracle_unsupported(exec);
    return oracle_mask(oracle_read(exec, &exec->instr->operands[operand], type).lo, isa_type_bits(type));
}

static unsigned reg_bits(struct exec *exec, uint32_t reg)
{
    return isa_type_bits(exec->lane->frame->function->regs[reg].type);
}

void oracle_write_reg(struct exec *exec, uint32_t reg, uint64_t value)
{
    if (reg == PTX_NO_REG) return;
    oracle_watch_known(exec, reg);
    exec->lane->frame->regs[reg] = (struct value){oracle_mask(value, reg_bits(exec, reg)), 0};
}

static void write_vector(struct exec *exec, const struct ptx_operand *operand, enum isa_type type,
                         struct value value)
{
    unsigned bits = isa_type_bits(type) / operand->count;
    for (uint32_t i = 0; i < operand->count; i++) {
        uint64_t part = i * bits >= 64 ? value.hi >> (i * bits - 64) : value.lo >> (i * bits);
        if (operand->elements[i].kind == ISA_OPD_REG)
            oracle_write_reg(exec, operand->elements[i].reg, oracle_mask(part, bits));
    }
}

void oracle_write(struct exec *exec, const struct ptx_operand *operand, enum isa_type type,
                  struct value value)
{
    switch ((unsigned)operand->kind) {
    case ISA_OPD_SINK: return;
    case ISA_OPD_VEC: write_vector(exec, operand, type, value); return;
    case ISA_OPD_REG:
        if (operand->half) oracle_unsupported(exec);
        oracle_watch_known(exec, operand->reg);
        if (reg_bits(exec, operand->reg) == 128)
            exec->lane->frame->regs[operand->reg] = value;
        else
            oracle_write_reg(exec, operand->reg, oracle_extend(value.lo, type));
        return;
    default: oracle_unsupported(exec);
    }
}

void oracle_set(struct exec *exec, unsigned operand, enum isa_type type, uint64_t value)
{
    oracle_write(exec, &exec->instr->operands[operand], type, (struct value){value, 0});
}

/* ---- memory
 * ----------------------------------------------------------------------------------------------------- */

static enum ptx_space memory_space(const struct ptx_instr *instr, const struct ptx_operand *operand)
{
    enum ptx_space space = ptx_instr_space(instr);
    return space == PTX_SPACE_GENERIC && operand->var ? operand->var->space : space;
}

void oracle_load(struct exec *exec)
{
    const struct ptx_operand *to = &exec->instr->operands[0], *from = &exec->instr->operands[1];
    enum isa_type type = ptx_instr_type(exec->instr, 0);
    unsigned count = ptx_vector_count(exec->instr), bytes = isa_type_bits(type) / 8;
    const uint8_t *at = oracle_pointer(exec, from, memory_space(exec->instr, from));
    struct value values[8] = {{0, 0}};
    for (unsigned i = 0; i < count; i++)
        memcpy(&values[i], at + i * bytes, bytes);
    for (unsigned i = 0; i < count; i++)
        oracle_write(exec, count > 1 ? &to->elements[i] : to, type, values[i]);
}

void oracle_store(struct exec *exec)
{
    const struct ptx_operand *to = &exec->instr->operands[0], *from = &exec->instr->operands[1];
    enum isa_type type = ptx_instr_type(exec->instr, 0);
    unsigned count = ptx_vector_count(exec->instr), bytes = isa_type_bits(type) / 8;
    uint8_t *at = oracle_pointer(exec, to, memory_space(exec->instr, to));
    for (unsigned i = 0; i < count; i++) {
        struct value value = oracle_read(exec, count > 1 ? &from->elements[i] : from, type);
        memcpy(at + i * bytes, &value, bytes);
    }
}

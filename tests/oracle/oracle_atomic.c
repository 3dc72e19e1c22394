/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: atom and red of one lane (PTX 9.7.13.5, 9.7.13.7).
 * Method: read, compute, write, element by element; lanes take turns, so nothing can come between. Limits: a
 * cache policy is not looked at. */
#include "oracle_priv.h"

#include <string.h>

static bool has(const struct exec *exec, enum isa_mod mod)
{
    return ptx_has(exec->instr, mod);
}

/* Is the address in shared memory, whether the instruction says so or not? */
static bool is_shared(struct exec *exec)
{
    enum ptx_space space = ptx_instr_space(exec->instr);
    if (space == PTX_SPACE_SHARED) return true;
    if (has(exec, ISA_MOD_GLOBAL) || has(exec, ISA_MOD_SHARED__CLUSTER)) return false;
    const uint8_t *at = oracle_pointer(exec, &exec->instr->operands[exec->instr->op == ISA_OP_ATOM], space);
    return (uintptr_t)at - (uintptr_t)exec->block->shared < exec->oracle->shared_bytes;
}

/* Sums of f32 in global memory flush subnormals, in shared memory they do not (9.7.13.5). A NaN of f64 keeps
 * its bits there, b's first; shared memory's become quiet, and come first. */
static uint64_t sum(struct exec *exec, enum isa_type type, uint64_t old, uint64_t b)
{
    const uint64_t quiet = UINT64_C(1) << 51;
    bool old_nan = oracle_is_nan(old, type), b_nan = oracle_is_nan(b, type);
    if (type == ISA_F64 && (old_nan || b_nan)) {
        if (is_shared(exec)) return (old_nan ? old : b) | quiet;
        return b_nan ? b : old;
    }
    bool flush = type == ISA_F32 && !has(exec, ISA_MOD_SHARED__CLUSTER) && !is_shared(exec);
    if (!flush) return oracle_float_add(old, b, type);
    return oracle_flush(oracle_float_add(oracle_flush(old, type), oracle_flush(b, type), type), type);
}

static uint64_t atomic_float(struct exec *exec, enum isa_type type, uint64_t old, uint64_t b)
{
    enum isa_type half = oracle_half_of(type);
    bool add = has(exec, ISA_MOD_ADD), max = has(exec, ISA_MOD_MAX);
    if (!half) return add ? sum(exec, type, old, b) : oracle_float_minmax(old, b, type, max, false);
    uint64_t result = 0;
    for (unsigned i = 0; i < 32; i += 16) {
        uint64_t x = oracle_mask(old >> i, 16), y = oracle_mask(b >> i, 16);
        result |= (add ? oracle_float_add(x, y, half) : oracle_float_minmax(x, y, half, max, false)) << i;
    }
    return result;
}

static uint64_t atomic_result(struct exec *exec, enum isa_type type, uint64_t old, uint64_t b)
{
    unsigned bits = isa_type_bits(type);
    bool sign = isa_type_kind(type) == ISA_KIND_SINT;
    bool less = sign ? oracle_signed(old, bits) < oracle_signed(b, bits) : old < b;
    if (has(exec, ISA_MOD_AND)) return old & b;
    if (has(exec, ISA_MOD_OR)) return old | b;
    if (has(exec, ISA_MOD_XOR)) return old ^ b;
    if (has(exec, ISA_MOD_INC)) return old >= b ? 0 : old + 1;
    if (has(exec, ISA_MOD_DEC)) return old == 0 || old > b ? b : old - 1;
    if (oracle_is_float(type) || oracle_half_of(type)) return atomic_float(exec, type, old, b);
    if (has(exec, ISA_MOD_ADD)) return old + b;
    if (has(exec, ISA_MOD_MIN)) return less ? old : b;
    if (has(exec, ISA_MOD_MAX)) return less ? b : old;
    oracle_unsupported(exec);
}

static struct value read_element(struct exec *exec, unsigned operand, unsigned i, enum isa_type type)
{
    if (operand >= exec->instr->operand_count) oracle_unsupported(exec);
    const struct ptx_operand *from = &exec->instr->operands[operand];
    struct value value = oracle_read(exec, from->kind == ISA_OPD_VEC ? &from->elements[i] : from, type);
    if (isa_type_bits(type) <= 64) value = (struct value){oracle_mask(value.lo, isa_type_bits(type)), 0};
    return value;
}

static struct value swapped(struct exec *exec, unsigned first, enum isa_type type, struct value old)
{
    struct value b = read_element(exec, first, 0, type);
    if (has(exec, ISA_MOD_EXCH)) return b;
    return old.lo == b.lo && old.hi == b.hi ? read_element(exec, first + 1, 0, type) : old;
}

/* atom d, [a], b{, c} ; red [a], b */
void oracle_atomic(struct exec *exec)
{
    enum isa_type type = ptx_instr_type(exec->instr, 0);
    unsigned first = exec->instr->op == ISA_OP_ATOM, bytes = isa_type_bits(type) / 8;
    unsigned count = ptx_vector_count(exec->instr);
    uint8_t *at = oracle_pointer(exec, &exec->instr->operands[first], ptx_instr_space(exec->instr));
    bool swaps = has(exec, ISA_MOD_EXCH) || has(exec, ISA_MOD_CAS);
    struct value old[8] = {{0, 0}};
    for (unsigned i = 0; i < count; i++) {
        memcpy(&old[i], at + i * bytes, bytes);
        struct value result = {0, 0};
        if (swaps)
            result = swapped(exec, first + 1, type, old[i]);
        else
            result.lo = atomic_result(exec, type, old[i].lo, read_element(exec, first + 1, i, type).lo);
        memcpy(at + i * bytes, &result, bytes);
    }
    for (unsigned i = 0; first && i < count; i++) {
        const struct ptx_operand *to = &exec->instr->operands[0];
        oracle_write(exec, to->kind == ISA_OPD_VEC ? &to->elements[i] : to, type, old[i]);
    }
}

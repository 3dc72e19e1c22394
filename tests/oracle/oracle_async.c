/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: mbarrier, cp.async in all forms, st.async, red.async, mapa and getctarank, for one lane.
 * Method: copies are done at once. An mbarrier object is packed by pack() and unpack(); what it looks like is
 * nobody's business, PTX calls it opaque. Limits: a cluster is one block; no tensor maps. */
#include "oracle_priv.h"

#include <math.h>
#include <string.h>

/* ---- mbarrier (PTX ISA 9.7.13.15) */

struct object {
    uint32_t phase, pending, expected;
    int32_t bytes;
};

static struct object unpack(uint64_t word)
{
    return (struct object){.phase = word & 1,
                           .pending = word >> 1 & 0xfffff,
                           .expected = word >> 21 & 0xfffff,
                           .bytes = (int32_t)oracle_signed(word >> 41, 23)};
}

static uint64_t pack(struct object object)
{
    return object.phase | (uint64_t)object.pending << 1 | (uint64_t)object.expected << 21 |
           (uint64_t)(uint32_t)object.bytes << 41;
}

static void settle(struct object *object)
{
    if (object->pending != 0 || object->bytes != 0) return;
    object->phase ^= 1;
    object->pending = object->expected;
}

static void arrive(struct object *object, uint32_t count, bool drop)
{
    object->pending -= count;
    if (drop) object->expected -= count;
    settle(object);
}

static bool has(const struct exec *exec, enum isa_mod mod)
{
    return ptx_has(exec->instr, mod);
}

static struct object load_object(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return unpack(word);
}

static void store_object(uint8_t *at, struct object object)
{
    uint64_t word = pack(object);
    memcpy(at, &word, sizeof word);
}

static void wait_result(struct exec *exec, struct object object)
{
    uint32_t wanted = has(exec, ISA_MOD_PARITY) ? (uint32_t)oracle_get(exec, 2, ISA_U32) & 1
                                                : unpack(oracle_get(exec, 2, ISA_B64)).phase;
    oracle_write(exec, &exec->instr->operands[0], ISA_PRED, (struct value){object.phase != wanted, 0});
}

void oracle_mbarrier(struct exec *exec)
{
    const struct ptx_instr *instr = exec->instr;
    if (has(exec, ISA_MOD_PENDING_COUNT)) {
        oracle_set(exec, 0, ISA_U32, unpack(oracle_get(exec, 1, ISA_B64)).pending);
        return;
    }
    unsigned first = instr->operands[0].kind == ISA_OPD_MEM ? 0 : 1;
    uint8_t *at = oracle_pointer(exec, &instr->operands[first], ptx_instr_space(instr));
    uint32_t number = 1;
    bool waits = has(exec, ISA_MOD_TEST_WAIT) || has(exec, ISA_MOD_TRY_WAIT);
    if (instr->operand_count > first + 1 && !waits) number = (uint32_t)oracle_get(exec, first + 1, ISA_U32);
    struct object object = load_object(at), before = object;
    if (has(exec, ISA_MOD_INVAL)) return;
    if (waits) {
        wait_result(exec, object);
        return;
    }
    bool arrives = has(exec, ISA_MOD_ARRIVE) || has(exec, ISA_MOD_ARRIVE_DROP);
    if (has(exec, ISA_MOD_INIT)) {
        object = (struct object){.pending = number, .expected = number};
    } else if (has(exec, ISA_MOD_COMPLETE_TX)) {
        object.bytes -= (int32_t)number;
        settle(&object);
    } else {
        if (has(exec, ISA_MOD_EXPECT_TX)) {
            object.bytes += (int32_t)number;
            number = 1;
        }
        if (arrives) arrive(&object, number, has(exec, ISA_MOD_ARRIVE_DROP));
    }
    store_object(at, object);
    if (first) oracle_write(exec, &instr->operands[0], ISA_B64, (struct value){pack(before), 0});
}

/* ---- cp.reduce.async.bulk: one element */

static uint64_t reduce_integer(const struct exec *exec, enum isa_type type, uint64_t a, uint64_t b)
{
    unsigned bits = isa_type_bits(type);
    bool sign = isa_type_kind(type) == ISA_KIND_SINT;
    bool less = sign ? oracle_signed(a, bits) < oracle_signed(b, bits) : a < b;
    if (has(exec, ISA_MOD_ADD)) return a + b;
    if (has(exec, ISA_MOD_MIN)) return less ? a : b;
    if (has(exec, ISA_MOD_MAX)) return less ? b : a;
    if (has(exec, ISA_MOD_INC)) return a >= b ? 0 : a + 1;
    if (has(exec, ISA_MOD_DEC)) return a == 0 || a > b ? b : a - 1;
    if (has(exec, ISA_MOD_AND)) return a & b;
    if (has(exec, ISA_MOD_OR)) return a | b;
    return a ^ b;
}

static void reduce(const struct exec *exec, uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    enum isa_type type = ptx_instr_type(exec->instr, 0);
    unsigned step = isa_type_bits(type) / 8;
    for (uint64_t i = 0; i < bytes; i += step) {
        uint64_t a = 0, b = 0, result;
        memcpy(&a, to + i, step);
        memcpy(&b, from + i, step);
        if (!oracle_is_float(type))
            result = reduce_integer(exec, type, a, b);
        else if (has(exec, ISA_MOD_ADD) && type == ISA_F64 &&
                 (oracle_is_nan(a, type) || oracle_is_nan(b, type)))
            result = oracle_is_nan(b, type) ? b : a;
        else if (has(exec, ISA_MOD_ADD))
            result = oracle_float_add(a, b, type);
        else
            result = oracle_float_minmax(a, b, type, has(exec, ISA_MOD_MAX), false);
        memcpy(to + i, &result, step);
    }
}

/* ---- st.async [a], b, [mbarrier]; red.async the same */

void oracle_store_async(struct exec *exec)
{
    const struct ptx_operand *from = &exec->instr->operands[1];
    enum isa_type type = ptx_instr_type(exec->instr, 0);
    unsigned count = ptx_vector_count(exec->instr), bytes = isa_type_bits(type) / 8;
    uint8_t *to = oracle_pointer(exec, &exec->instr->operands[0], PTX_SPACE_SHARED);
    for (unsigned i = 0; i < count; i++) {
        uint64_t old = 0, value = oracle_read(exec, count > 1 ? &from->elements[i] : from, type).lo;
        value = oracle_mask(value, bytes * 8);
        memcpy(&old, to + i * bytes, bytes);
        if (exec->instr->op == ISA_OP_RED) value = reduce_integer(exec, type, old, value);
        memcpy(to + i * bytes, &value, bytes);
    }
    uint8_t *at = oracle_pointer(exec, &exec->instr->operands[2], PTX_SPACE_SHARED);
    struct object object = load_object(at);
    object.bytes -= (int32_t)(count * bytes);
    settle(&object);
    store_object(at, object);
}

/* ---- copies */

static void copy_bulk(struct exec *exec)
{
    const struct ptx_instr *instr = exec->instr;
    if (has(exec, ISA_MOD_TENSOR) || has(exec, ISA_MOD_CP_MASK)) oracle_unsupported(exec);
    if (has(exec, ISA_MOD_PREFETCH) || instr->operand_count < 3) return;
    bool on_mbarrier = has(exec, ISA_MOD_MBARRIER__COMPLETE_TX__BYTES);
    if (has(exec, ISA_MOD_MULTICAST__CLUSTER) && !(oracle_get(exec, 4, ISA_U16) & 1)) return;
    uint8_t *to = oracle_pointer(exec, &instr->operands[0], ptx_instr_space(instr));
    const uint8_t *from = oracle_pointer(exec, &instr->operands[1], ptx_instr_space2(instr));
    uint64_t bytes = oracle_get(exec, 2, ISA_U32);
    if (has(exec, ISA_MOD_REDUCE))
        reduce(exec, to, from, bytes);
    else
        memmove(to, from, bytes);
    if (!on_mbarrier) return;
    uint8_t *at = oracle_pointer(exec, &instr->operands[3], PTX_SPACE_SHARED);
    struct object object = load_object(at);
    object.bytes -= (int32_t)bytes;
    settle(&object);
    store_object(at, object);
}

/* cp.async.mbarrier.arrive: the copies before it are done; without .noinc it was expected anew. */
static void arrive_after_copies(struct exec *exec)
{
    if (!has(exec, ISA_MOD_NOINC)) return;
    uint8_t *at = oracle_pointer(exec, &exec->instr->operands[0], PTX_SPACE_SHARED);
    struct object object = load_object(at);
    arrive(&object, 1, false);
    store_object(at, object);
}

static uint64_t source_bytes(struct exec *exec, uint64_t bytes)
{
    const struct ptx_instr *instr = exec->instr;
    if (instr->operand_count < 4) return bytes;
    const struct ptx_operand *operand = &instr->operands[3];
    unsigned bits = operand->kind == ISA_OPD_REG
                        ? isa_type_bits(exec->lane->frame->function->regs[operand->reg].type)
                        : 32;
    if (bits == 64) return bytes; /* a cache policy */
    if (bits == 1) return oracle_read(exec, operand, ISA_PRED).lo & 1 ? 0 : bytes;
    uint64_t wanted = oracle_get(exec, 3, ISA_U32);
    return wanted < bytes ? wanted : bytes;
}

void oracle_copy_async(struct exec *exec)
{
    const struct ptx_instr *instr = exec->instr;
    if (has(exec, ISA_MOD_BULK)) {
        copy_bulk(exec);
        return;
    }
    if (!has(exec, ISA_MOD_ASYNC)) oracle_unsupported(exec);
    if (has(exec, ISA_MOD_MBARRIER)) arrive_after_copies(exec);
    if (instr->operand_count < 3) return;
    uint8_t *to = oracle_pointer(exec, &instr->operands[0], PTX_SPACE_SHARED);
    const uint8_t *from = oracle_pointer(exec, &instr->operands[1], PTX_SPACE_GLOBAL);
    uint64_t bytes = oracle_get(exec, 2, ISA_U32);
    memset(to, 0, bytes);
    memcpy(to, from, source_bytes(exec, bytes));
}

/* ---- a cluster of one block */

bool oracle_cluster_query(struct exec *exec)
{
    enum isa_type type = ptx_instr_type(exec->instr, 0);
    switch ((unsigned)exec->instr->op) {
    case ISA_OP_MAPA: oracle_set(exec, 0, type, oracle_get(exec, 1, type)); return true;
    case ISA_OP_GETCTARANK: oracle_set(exec, 0, type, 0); return true;
    default: return false;
    }
}

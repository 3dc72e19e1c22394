/* SPDX-License-Identifier: Apache-2.0 */
/* ld and st (PTX ISA 9.7.9) of every space, width and vector.
 *
 *   address is      access
 *   scalar          one scalar load, or a store of the last active lane's value
 *   stride == size  plain vectors; masked where lanes may be missing; if 32-bit arithmetic may have wrapped,
 *                   a uniform test chooses the lane-by-lane form; rows: a vector each, masked where rows
 *                   begin anywhere in a warp
 *   rows, stride 0  a scalar load a row: rows again; a store of each row's value, the last row's last
 *   another stride  vectors and shuffles, where jit_emit_stride.c has them and all lanes are there
 *   a vector that was computed (jit_core_computed.c)
 *                   a test whether each of the machine's vectors has lanes side by side; then such vectors;
 *                   a second one whether they are near each other (jit_emit_near.c)
 *   anything else   gather or scatter
 *
 * Ordered accesses (.volatile, .relaxed, .acquire, .release) of memory that other host threads see are LLVM
 * atomics lane by lane, a vector of up to 16 bytes as one; shared and local memory belong to one host thread
 * and need none. Cache operators and hints change no result.
 * Where several active lanes store to one address the last one wins: x86 scatters do so, and so do we.
 * Limits: none known. */
#include "jit_emit_priv.h"
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

/* ---- what is accessed */

static LLVMAtomicOrdering order_of(const struct ptx_instr *instr, enum ptx_space space)
{
    if (space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL || space == PTX_SPACE_PARAM)
        return LLVMAtomicOrderingNotAtomic;
    switch ((unsigned)ptx_mod_of(instr, ISA_CAT_SEM)) {
    case ISA_MOD_VOLATILE:
    case ISA_MOD_RELAXED:
    case ISA_MOD_MMIO: return LLVMAtomicOrderingMonotonic;
    case ISA_MOD_ACQUIRE: return LLVMAtomicOrderingAcquire;
    case ISA_MOD_RELEASE: return LLVMAtomicOrderingRelease;
    case ISA_MOD_SC: return LLVMAtomicOrderingSequentiallyConsistent;
    default: return LLVMAtomicOrderingNotAtomic;
    }
}

static struct jit_access access_of(const struct ptx_instr *instr, enum ptx_space space, bool is_store)
{
    struct jit_access access = {.bits = isa_type_bits(ptx_instr_type(instr, 0)),
                                .count = ptx_vector_count(instr),
                                .order = order_of(instr, space),
                                .is_store = is_store};
    access.bytes = access.bits / 8;
    return access;
}

static LLVMValueRef full_parts(const struct jit *jit)
{
    return LLVMConstAllOnes(LLVMVectorType(jit->i1, jit->part.lanes));
}

static LLVMValueRef lanes_part(const struct jit *jit, const struct jit_lanes *lanes, unsigned p)
{
    return lanes->full ? full_parts(jit) : lanes->parts[p];
}

/* ---- scalar address */

static void set_order(LLVMValueRef op, const struct jit_access *access)
{
    if (access->order != LLVMAtomicOrderingNotAtomic) LLVMSetOrdering(op, access->order);
    LLVMSetAlignment(op, access->bytes);
}

static LLVMValueRef memory_nonzero(struct jit *jit, LLVMValueRef mask)
{
    return LLVMBuildICmp(jit->builder, LLVMIntNE, mask, jit_const(jit, 32, 0), "");
}

static void load_scalar(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                        const struct jit_lanes *lanes, struct jit_value *out)
{
    LLVMTypeRef type = jit_int(jit, access->bits);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jit->builder), some = NULL, end = NULL;
    LLVMValueRef at = jit_address_scalar(jit, address, 0);
    if (lanes->may_be_empty) {
        some = jit_new_block(jit, "");
        end = jit_new_block(jit, "");
        jit_branch(jit, memory_nonzero(jit, lanes->mask), some, end, false);
        jit_position(jit, some);
    }
    LLVMValueRef value[8];
    if (jit_access_is_whole(access)) jit_whole_load(jit, jit->builder, access, at, value);
    for (unsigned i = 0; i < access->count; i++) {
        if (!jit_access_is_whole(access)) {
            value[i] =
                LLVMBuildLoad2(jit->builder, type, jit_offset(jit, at, (uint64_t)i * access->bytes), "");
            set_order(value[i], access);
            if (address->constant) LLVMSetMetadata(value[i], jit->kind_invariant, jit->nothing);
        }
        out[i] = jit_value_scalar(value[i], access->bits);
    }
    if (!some) return;
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
    for (unsigned i = 0; i < access->count; i++) {
        LLVMValueRef phi = LLVMBuildPhi(jit->builder, type, "");
        LLVMValueRef from[] = {LLVMConstNull(type), out[i].scalar};
        LLVMBasicBlockRef blocks[] = {before, some};
        LLVMAddIncoming(phi, from, blocks, 2);
        out[i].scalar = phi;
    }
}

static LLVMValueRef last_lane(struct jit *jit, const struct jit_access *access, const struct jit_value *value,
                              LLVMValueRef mask)
{
    if (value->repr == JIT_SCALAR) return value->scalar;
    LLVMValueRef lane = jit_mask_last(jit, mask), parts[JIT_MAX_PARTS];
    if (value->repr == JIT_AFFINE && !value->limit) {
        LLVMValueRef number = jit_resize(jit, lane, 32, value->bits, false);
        LLVMValueRef step =
            LLVMBuildMul(jit->builder, number, jit_const(jit, value->bits, (uint64_t)value->stride), "");
        return LLVMBuildAdd(jit->builder, value->scalar, step, "");
    }
    jit_value_parts(jit, value, parts);
    LLVMValueRef at = jit_spill_values(jit, parts, access->bits);
    LLVMTypeRef type = jit_int(jit, access->bits);
    at = LLVMBuildGEP2(jit->builder, type, at, &lane, 1, "");
    return LLVMBuildLoad2(jit->builder, type, at, "");
}

static void store_scalar(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                         const struct jit_lanes *lanes, struct jit_value *value)
{
    LLVMBasicBlockRef end = NULL;
    LLVMValueRef at = jit_address_scalar(jit, address, 0);
    if (lanes->may_be_empty) {
        LLVMBasicBlockRef some = jit_new_block(jit, "");
        end = jit_new_block(jit, "");
        jit_branch(jit, memory_nonzero(jit, lanes->mask), some, end, false);
        jit_position(jit, some);
    }
    LLVMValueRef one[8];
    for (unsigned i = 0; i < access->count; i++) {
        one[i] = last_lane(jit, access, &value[i], lanes->mask);
        if (jit_access_is_whole(access)) continue;
        set_order(LLVMBuildStore(jit->builder, one[i], jit_offset(jit, at, (uint64_t)i * access->bytes)),
                  access);
    }
    if (jit_access_is_whole(access)) jit_whole_store(jit, jit->builder, access, at, one);
    if (!end) return;
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

/* ---- one address a row */

static bool is_row_wise(const struct jit_access *access, const struct jit_address *address)
{
    return address->value.repr == JIT_ROWS && address->value.stride == 0 && access->bits <= 64 &&
           access->order == LLVMAtomicOrderingNotAtomic;
}

/* Where a row reads: rows without a lane read scratch memory. */
static LLVMValueRef row_pointer(struct jit *jit, const struct jit_address *address,
                                const struct jit_lanes *lanes, unsigned row)
{
    LLVMValueRef at = jit_address_row(jit, address, row);
    if (lanes->full && jit->even_rows) return at;
    LLVMValueRef on = jit_row_is_on(jit, lanes->mask, row);
    return LLVMBuildSelect(jit->builder, on, at, jit_scratch_address(jit), "");
}

static void load_rows(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                      const struct jit_lanes *lanes, struct jit_value *out)
{
    for (unsigned i = 0; i < access->count; i++)
        out[i] = (struct jit_value){.repr = JIT_ROWS, .bits = access->bits};
    for (unsigned r = 0; r < jit->rows; r++) {
        LLVMValueRef at = row_pointer(jit, address, lanes, r);
        for (unsigned i = 0; i < access->count; i++) {
            LLVMValueRef from = jit_offset(jit, at, (uint64_t)i * access->bytes);
            LLVMValueRef one = LLVMBuildLoad2(jit->builder, jit_int(jit, access->bits), from, "");
            LLVMSetAlignment(one, access->bytes);
            if (address->constant && lanes->full && jit->even_rows)
                LLVMSetMetadata(one, jit->kind_invariant, jit->nothing);
            jit_value_set_piece(&out[i], r, one);
        }
    }
}

static bool are_row_wise(const struct jit_value *value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (value[i].repr != JIT_SCALAR && (value[i].repr != JIT_ROWS || value[i].stride)) return false;
    return true;
}

static void store_rows(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       const struct jit_lanes *lanes, struct jit_value *value)
{
    for (unsigned r = 0; r < jit->rows; r++) {
        LLVMValueRef at = jit_address_row(jit, address, r);
        LLVMBasicBlockRef end = NULL;
        if (!lanes->full || !jit->even_rows) {
            LLVMBasicBlockRef some = jit_new_block(jit, "");
            end = jit_new_block(jit, "");
            jit_branch(jit, jit_row_is_on(jit, lanes->mask, r), some, end, false);
            jit_position(jit, some);
        }
        for (unsigned i = 0; i < access->count; i++) {
            LLVMValueRef to = jit_offset(jit, at, (uint64_t)i * access->bytes);
            LLVMValueRef store = LLVMBuildStore(jit->builder, jit_row_first(jit, &value[i], r), to);
            LLVMSetAlignment(store, access->bytes);
        }
        if (!end) continue;
        LLVMBuildBr(jit->builder, end);
        jit_position(jit, end);
    }
}

/* ---- contiguous: element i of lane l lies at (l * count + i) * bytes */

static LLVMValueRef index_vector(struct jit *jit, unsigned n, unsigned first, unsigned step, unsigned every)
{
    LLVMValueRef index[128];
    for (unsigned i = 0; i < n; i++)
        index[i] = jit_const(jit, 32, first + i / every * step);
    return LLVMConstVector(index, n);
}

/* <lanes x i1> to <lanes * count x i1>, each repeated. */
static LLVMValueRef widen_mask(struct jit *jit, LLVMValueRef mask, unsigned count)
{
    if (count == 1) return mask;
    return LLVMBuildShuffleVector(jit->builder, mask, LLVMGetPoison(LLVMTypeOf(mask)),
                                  index_vector(jit, jit->part.lanes * count, 0, 1, count), "");
}

/* others: what lanes without a bit get */
static LLVMValueRef masked_load_into(struct jit *jit, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask,
                                     unsigned align, LLVMValueRef others)
{
    LLVMTypeRef types[] = {type, jit->ptr};
    LLVMValueRef args[] = {at, jit_const(jit, 32, align), mask, others};
    return jit_intrinsic(jit, "llvm.masked.load", types, 2, args, 4);
}

static LLVMValueRef masked_load(struct jit *jit, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask,
                                unsigned align)
{
    return masked_load_into(jit, type, at, mask, align, LLVMConstNull(type));
}

static void masked_store(struct jit *jit, LLVMValueRef value, LLVMValueRef at, LLVMValueRef mask,
                         unsigned align)
{
    LLVMTypeRef types[] = {LLVMTypeOf(value), jit->ptr};
    LLVMValueRef args[] = {value, at, jit_const(jit, 32, align), mask};
    jit_intrinsic(jit, "llvm.masked.store", types, 2, args, 4);
}

static void split_elements(struct jit *jit, const struct jit_access *access, LLVMValueRef all, unsigned p,
                           LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    for (unsigned i = 0; i < access->count; i++)
        parts[i][p] =
            access->count == 1
                ? all
                : LLVMBuildShuffleVector(jit->builder, all, LLVMGetPoison(LLVMTypeOf(all)),
                                         index_vector(jit, jit->part.lanes, i, access->count, 1), "");
}

LLVMValueRef jit_join_two(struct jit *jit, LLVMValueRef a, LLVMValueRef b)
{
    unsigned n = 2 * LLVMGetVectorSize(LLVMTypeOf(a));
    return LLVMBuildShuffleVector(jit->builder, a, b, index_vector(jit, n, 0, 1, 1), "");
}

/* Elements interleaved: lane by lane. */
static LLVMValueRef join_elements(struct jit *jit, const struct jit_access *access, unsigned p,
                                  LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMValueRef row[8];
    unsigned rows = 1; /* as many as a power of two has */
    while (rows < access->count)
        rows *= 2;
    for (unsigned i = 0; i < rows; i++)
        row[i] = i < access->count ? parts[i][p] : LLVMGetPoison(LLVMTypeOf(parts[0][p]));
    for (unsigned n = rows; n > 1; n /= 2)
        for (unsigned i = 0; i < n / 2; i++)
            row[i] = jit_join_two(jit, row[2 * i], row[2 * i + 1]);
    if (access->count == 1) return row[0];
    LLVMValueRef index[128];
    unsigned lanes = jit->part.lanes;
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned i = 0; i < access->count; i++)
            index[l * access->count + i] = jit_const(jit, 32, i * lanes + l);
    return LLVMBuildShuffleVector(jit->builder, row[0], LLVMGetPoison(LLVMTypeOf(row[0])),
                                  LLVMConstVector(index, lanes * access->count), "");
}

/* mask: <elements x i1>, or NULL: all */
static void store_elements(struct jit *jit, const struct jit_access *access, LLVMValueRef all,
                           LLVMValueRef here, LLVMValueRef mask)
{
    if (mask)
        masked_store(jit, all, here, mask, access->bytes);
    else
        LLVMSetAlignment(LLVMBuildStore(jit->builder, all, here), access->bytes);
}

static LLVMValueRef load_elements(struct jit *jit, const struct jit_access *access, unsigned count,
                                  LLVMValueRef here, LLVMValueRef mask)
{
    LLVMTypeRef type = LLVMVectorType(jit_int(jit, access->bits), count);
    if (mask) return masked_load(jit, type, here, mask, access->bytes);
    LLVMValueRef all = LLVMBuildLoad2(jit->builder, type, here, "");
    LLVMSetAlignment(all, access->bytes);
    return all;
}

/* Elements of a part that lie at `here` without a gap. */
static void contiguous_part(struct jit *jit, const struct jit_access *access, LLVMValueRef here,
                            LLVMValueRef mask, unsigned p, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    if (mask) mask = widen_mask(jit, mask, access->count);
    if (access->is_store) {
        store_elements(jit, access, join_elements(jit, access, p, parts), here, mask);
        return;
    }
    LLVMValueRef all = load_elements(jit, access, jit->part.lanes * access->count, here, mask);
    split_elements(jit, access, all, p, parts);
}

static LLVMValueRef slice(struct jit *jit, LLVMValueRef all, unsigned first, unsigned count)
{
    return LLVMBuildShuffleVector(jit->builder, all, LLVMGetPoison(LLVMTypeOf(all)),
                                  index_vector(jit, count, first, 1, 1), "");
}

/* A part of several rows, each without a gap. */
static void part_of_rows(struct jit *jit, const struct jit_access *access, LLVMValueRef *at,
                         LLVMValueRef mask, unsigned p, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    unsigned rows = jit->part.lanes / jit->row_lanes, each = jit->row_lanes * access->count;
    LLVMValueRef all = NULL, some[JIT_MAX_ROWS];
    if (mask) mask = widen_mask(jit, mask, access->count);
    if (access->is_store) all = join_elements(jit, access, p, parts);
    for (unsigned i = 0; i < rows; i++) {
        LLVMValueRef own = mask ? slice(jit, mask, i * each, each) : NULL;
        if (all)
            store_elements(jit, access, slice(jit, all, i * each, each), at[p * rows + i], own);
        else if (i && !mask && at[p * rows + i] == at[p * rows + i - 1])
            some[i] = some[i - 1];
        else
            some[i] = load_elements(jit, access, each, at[p * rows + i], own);
    }
    if (all) return;
    for (unsigned n = rows; n > 1; n /= 2)
        for (unsigned i = 0; i < n / 2; i++)
            some[i] = jit_join_two(jit, some[2 * i], some[2 * i + 1]);
    split_elements(jit, access, some[0], p, parts);
}

/* at: lane 0's address, or that of the first lane of each row; masks: NULL: all lanes */
static void contiguous_parts(struct jit *jit, const struct jit_access *access, LLVMValueRef *at, bool rows,
                             LLVMValueRef *masks, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    unsigned lanes = jit->part.lanes, size = access->bytes * access->count;
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef mask = masks ? masks[p] : NULL;
        if (rows && jit->row_lanes < lanes) {
            part_of_rows(jit, access, at, mask, p, parts);
            continue;
        }
        unsigned row = rows ? p * lanes / jit->row_lanes : 0;
        unsigned before = rows ? jit->row_lanes / lanes : 0; /* parts since the same lanes of the last row */
        if (!access->is_store && !mask && row && at[row] == at[row - 1]) {
            for (unsigned i = 0; i < access->count; i++)
                parts[i][p] = parts[i][p - before];
            continue;
        }
        unsigned first = p * lanes - row * jit->row_lanes;
        contiguous_part(jit, access, jit_offset(jit, at[row], (uint64_t)first * size), mask, p, parts);
    }
}

/* ---- any address */

static void gather_part(struct jit *jit, const struct jit_access *access, LLVMValueRef at, LLVMValueRef mask,
                        LLVMValueRef *part)
{
    LLVMTypeRef type = jit_vec(jit, access->bits), types[] = {type, LLVMTypeOf(at)};
    LLVMValueRef align = jit_const(jit, 32, access->bytes);
    if (access->is_store) {
        LLVMValueRef args[] = {*part, at, align, mask};
        jit_intrinsic(jit, "llvm.masked.scatter", types, 2, args, 4);
        return;
    }
    LLVMValueRef args[] = {at, align, mask, LLVMConstNull(type)};
    *part = jit_intrinsic(jit, "llvm.masked.gather", types, 2, args, 4);
}

enum { GATHERS_IN_LINE = 64 }; /* of a kernel, in line: their price is code (assumed) */

static void access_by_lane(struct jit *jit, const struct jit_access *access,
                           const struct jit_address *address, LLVMValueRef mask,
                           LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMValueRef at[JIT_MAX_PARTS];
    jit_address_lanes(jit, address, at);
    LLVMValueRef addresses = jit_spill_addresses(jit, at);
    if (jit_access_is_whole(access)) {
        jit_access_whole(jit, access, addresses, mask, parts);
        return;
    }
    for (unsigned i = 0; i < access->count; i++)
        jit_access_lanes(jit, access, addresses, (int64_t)i * access->bytes, mask, parts[i]);
}

void jit_access_any(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                    const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    bool ordered = access->order != LLVMAtomicOrderingNotAtomic;
    if (jit->request->quick) { /* a call is compiled in much less time */
        access_by_lane(jit, access, address, lanes->mask, parts);
        return;
    }
    unsigned groups = jit_in_line_groups(access);
    if ((!access->is_store || groups < access->count) && !ordered &&
        jit->gathers_in_line + groups <= GATHERS_IN_LINE) {
        jit->gathers_in_line += groups;
        jit_in_line_access(jit, access, address, lanes, parts);
        return;
    }
    if (!jit_has_gather(jit, access) || ordered) {
        access_by_lane(jit, access, address, lanes->mask, parts);
        return;
    }
    LLVMValueRef at[JIT_MAX_PARTS];
    jit_value_parts(jit, &address->value, at);
    for (unsigned i = 0; i < access->count; i++)
        for (unsigned p = 0; p < jit->part.parts; p++)
            gather_part(jit, access, jit_address_part(jit, address, at, p, (int64_t)i * access->bytes),
                        lanes_part(jit, lanes, p), &parts[i][p]);
}

/* ---- contiguous where it may fail to be, or lanes may be missing */

struct jit_arm { /* results of one arm of a two-way choice */
    LLVMBasicBlockRef end;
    LLVMValueRef parts[8][JIT_MAX_PARTS];
};

static void merge_arms(struct jit *jit, const struct jit_access *access, const struct jit_arm *a,
                       const struct jit_arm *b, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    for (unsigned i = 0; i < access->count && !access->is_store; i++)
        for (unsigned p = 0; p < jit->part.parts; p++) {
            LLVMValueRef phi = LLVMBuildPhi(jit->builder, jit_vec(jit, access->bits), "");
            LLVMValueRef values[] = {a->parts[i][p], b->parts[i][p]};
            LLVMBasicBlockRef from[] = {a->end, b->end};
            LLVMAddIncoming(phi, values, from, 2);
            parts[i][p] = phi;
        }
}

static void copy_parts(struct jit_arm *arm, const struct jit_access *access,
                       LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    for (unsigned i = 0; i < access->count; i++)
        for (unsigned p = 0; p < JIT_MAX_PARTS; p++)
            arm->parts[i][p] = parts[i][p];
}

/* Two ways to make an access: what is emitted after _begin goes the fast one, after _else the slow one, after
 * _end on from both, with the results in `parts`. */
struct jit_choice {
    LLVMBasicBlockRef no, end;
    struct jit_arm fast, slow;
};

static void choice_begin(struct jit *jit, struct jit_choice *choice, LLVMValueRef condition,
                         const struct jit_access *access, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    copy_parts(&choice->fast, access, parts);
    copy_parts(&choice->slow, access, parts);
    LLVMBasicBlockRef yes = jit_new_block(jit, "");
    choice->no = jit_new_block(jit, "");
    choice->end = jit_new_block(jit, "");
    jit_branch(jit, condition, yes, choice->no, true);
    jit_position(jit, yes);
}

/* A second condition of the fast way. */
static void choice_and(struct jit *jit, const struct jit_choice *choice, LLVMValueRef condition)
{
    LLVMBasicBlockRef yes = jit_new_block(jit, "");
    jit_branch(jit, condition, yes, choice->no, true);
    jit_position(jit, yes);
}

static void choice_else(struct jit *jit, struct jit_choice *choice)
{
    choice->fast.end = LLVMGetInsertBlock(jit->builder);
    LLVMBuildBr(jit->builder, choice->end);
    jit_position(jit, choice->no);
}

static void choice_end(struct jit *jit, struct jit_choice *choice, const struct jit_access *access,
                       LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    choice->slow.end = LLVMGetInsertBlock(jit->builder);
    LLVMBuildBr(jit->builder, choice->end);
    jit_position(jit, choice->end);
    merge_arms(jit, access, &choice->fast, &choice->slow, parts);
}

/* AVX-512 masks any element; AVX2 has masked moves of 32 and 64 bits; the rest goes lane by lane. */
static bool has_masked_move(const struct jit *jit, const struct jit_access *access)
{
    if (access->bits > 64) return false;
    return jit->request->isa == JIT_ISA_AVX512 || (jit->request->isa == JIT_ISA_AVX2 && access->bits >= 32);
}

static LLVMValueRef plain_condition(struct jit *jit, const struct jit_address *address,
                                    const struct jit_lanes *lanes, bool test_full)
{
    LLVMValueRef full = NULL, exact = jit_value_is_exact(jit, &address->value);
    if (test_full)
        full = LLVMBuildICmp(jit->builder, LLVMIntEQ, lanes->mask, jit_const(jit, 32, UINT32_MAX), "");
    if (full && exact) return LLVMBuildAnd(jit->builder, full, exact, "");
    return full ? full : exact;
}

/* Of lane 0, or of each row's first lane, one LLVM value where rows are the same. */
static void contiguous_begins(struct jit *jit, const struct jit_address *address, LLVMValueRef *at)
{
    const struct jit_value *value = &address->value;
    bool rows = value->repr == JIT_ROWS;
    at[0] = rows ? jit_address_row(jit, address, 0) : jit_address_scalar(jit, address, 0);
    for (unsigned r = 1; r < jit->rows && rows; r++) {
        bool same = value->regular ? value->step == 0 : value->part[r] == value->part[r - 1];
        at[r] = same ? at[r - 1] : jit_address_row(jit, address, r);
    }
}

/* i1: a and b, either of which may be NULL: true */
static LLVMValueRef both(struct jit *jit, LLVMValueRef a, LLVMValueRef b)
{
    return a && b ? LLVMBuildAnd(jit->builder, a, b, "") : a ? a : b;
}

enum { LOW_MOST = 16 }; /* of a kernel: each is some 80 instructions more */

/* i1: lane 0, missing or not, is not below shared memory; NULL: it cannot be. Lanes of `if (t >= k) s[t - k]`
 * are, and there lies a page that nobody may read: a masked load that only missing lanes make in such a page
 * is right, but the processor takes an exception inside: 180 ns (Zen 5). An inclusive scan of 256, a million
 * elements: 6.2 ms, so 1.9. */
static LLVMValueRef begins_inside(struct jit *jit, const struct jit_address *address, LLVMValueRef *at)
{
    LLVMValueRef all = NULL;
    if (address->space != PTX_SPACE_SHARED || !address->base || !address->may_be_low) return NULL;
    if (jit->low_accesses++ >= LOW_MOST) return NULL;
    for (unsigned r = 0; r < (address->value.repr == JIT_ROWS ? jit->rows : 1); r++)
        if (!r || at[r] != at[r - 1])
            all = both(jit, all, LLVMBuildICmp(jit->builder, LLVMIntUGE, at[r], address->base, ""));
    return all;
}

/* Lanes are missing, or 32-bit arithmetic wrapped on the way to the address. Blocks at the border of an
 * image come here with every access, so that those of the first kind are masked vectors, not lane by lane. */
static void access_partly(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                          const struct jit_lanes *lanes, LLVMValueRef *at,
                          LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    bool rows = address->value.repr == JIT_ROWS;
    if (lanes->full || !has_masked_move(jit, access)) {
        access_by_lane(jit, access, address, lanes->mask, parts);
        return;
    }
    LLVMValueRef fits = both(jit, jit_value_is_exact(jit, &address->value), begins_inside(jit, address, at));
    if (!fits) {
        contiguous_parts(jit, access, at, rows, lanes->parts, parts);
        return;
    }
    struct jit_choice choice;
    choice_begin(jit, &choice, fits, access, parts);
    contiguous_parts(jit, access, at, rows, lanes->parts, choice.fast.parts);
    choice_else(jit, &choice);
    access_by_lane(jit, access, address, lanes->mask, choice.slow.parts);
    choice_end(jit, &choice, access, parts);
}

/* With lanes missing, "all lanes are on" is tested first but for AVX-512 loads: a masked store costs many
 * times a plain one on some machines with AVX-512 too (vector add 9.7 ms, with the test 5.2 ms on Zen 5). */
static void access_contiguous(struct jit *jit, const struct jit_access *access,
                              const struct jit_address *address, const struct jit_lanes *lanes,
                              LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    bool rows = address->value.repr == JIT_ROWS;
    LLVMValueRef condition = plain_condition(jit, address, lanes, !lanes->full), at[JIT_MAX_ROWS];
    contiguous_begins(jit, address, at);
    if (!access->is_store && address->space == PTX_SPACE_GLOBAL) jit_prefetch_next(jit, access, address, at);
    if (!condition) {
        contiguous_parts(jit, access, at, rows, NULL, parts);
        return;
    }
    struct jit_choice choice;
    choice_begin(jit, &choice, condition, access, parts);
    contiguous_parts(jit, access, at, rows, NULL, choice.fast.parts);
    choice_else(jit, &choice);
    access_partly(jit, access, address, lanes, at, choice.slow.parts);
    choice_end(jit, &choice, access, parts);
}

static void stride_parts(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                         LLVMValueRef at, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    for (unsigned p = 0; p < jit->part.parts; p++)
        jit_stride_part(jit, access, address, at, p, &parts[0][p]);
}

/* Another stride, for which there are vectors where no lane is missing. */
static void access_stride(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                          const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMValueRef condition = plain_condition(jit, address, lanes, !lanes->full);
    LLVMValueRef at = jit_address_scalar(jit, address, 0);
    if (!condition) {
        stride_parts(jit, access, address, at, parts);
        return;
    }
    struct jit_choice choice;
    choice_begin(jit, &choice, condition, access, parts);
    stride_parts(jit, access, address, at, choice.fast.parts);
    choice_else(jit, &choice);
    jit_access_any(jit, access, address, lanes, choice.slow.parts);
    choice_end(jit, &choice, access, parts);
}

static bool is_contiguous(const struct jit_access *access, const struct jit_address *address)
{
    bool steps = address->value.repr == JIT_AFFINE || address->value.repr == JIT_ROWS;
    return steps && access->order == LLVMAtomicOrderingNotAtomic &&
           address->value.stride == (int64_t)access->bytes * access->count;
}

/* ---- rows that begin anywhere in a warp: a masked vector of each row's lanes in each part */

/* Where lane 0 would be if the row reached it */
static LLVMValueRef uneven_pointer(struct jit *jit, const struct jit_access *access,
                                   const struct jit_address *address, unsigned row)
{
    LLVMValueRef lane = LLVMBuildSExt(jit->builder, jit_row_lane(jit, row), jit->i64, "");
    LLVMValueRef size = jit_const(jit, 64, (uint64_t)access->bytes * access->count);
    LLVMValueRef back = LLVMBuildNeg(jit->builder, LLVMBuildMul(jit->builder, lane, size, ""), "");
    return LLVMBuildGEP2(jit->builder, jit->i8, jit_address_row(jit, address, row), &back, 1, "");
}

/* Are rows without a gap between them, too? */
static bool rows_touch(const struct jit *jit, const struct jit_address *address)
{
    const struct jit_value *value = &address->value;
    return value->regular && !value->wrap && value->step == value->stride * jit->row_lanes;
}

static void uneven_row(struct jit *jit, const struct jit_access *access, LLVMValueRef at, LLVMValueRef lanes,
                       LLVMValueRef *all)
{
    LLVMValueRef masks[JIT_MAX_PARTS];
    jit_mask_split(jit, lanes, masks);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        uint64_t bytes = (uint64_t)jit->part.lanes * access->count * access->bytes;
        LLVMValueRef here = jit_offset(jit, at, p * bytes), mask = widen_mask(jit, masks[p], access->count);
        if (access->is_store)
            masked_store(jit, all[p], here, mask, access->bytes);
        else
            all[p] = masked_load_into(jit, LLVMTypeOf(all[p]), here, mask, access->bytes, all[p]);
    }
}

static void access_uneven(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                          const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMTypeRef type = LLVMVectorType(jit_int(jit, access->bits), jit->part.lanes * access->count);
    LLVMValueRef all[JIT_MAX_PARTS];
    bool touch = rows_touch(jit, address);
    for (unsigned p = 0; p < jit->part.parts; p++)
        all[p] = access->is_store ? join_elements(jit, access, p, parts) : LLVMConstNull(type);
    for (unsigned r = 0; r < (touch ? 1 : jit->rows); r++) {
        LLVMValueRef own = touch ? lanes->mask : jit_row_mask(jit, lanes->mask, r);
        uneven_row(jit, access, uneven_pointer(jit, access, address, r), own, all);
    }
    for (unsigned p = 0; p < jit->part.parts && !access->is_store; p++)
        split_elements(jit, access, all[p], p, parts);
}

/* Where no lane has wrapped; otherwise any address. */
static void access_uneven_or_any(struct jit *jit, const struct jit_access *access,
                                 const struct jit_address *address, const struct jit_lanes *lanes,
                                 LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMValueRef exact = jit_value_is_exact(jit, &address->value);
    if (!exact) {
        access_uneven(jit, access, address, lanes, parts);
        return;
    }
    struct jit_choice choice;
    choice_begin(jit, &choice, exact, access, parts);
    access_uneven(jit, access, address, lanes, choice.fast.parts);
    choice_else(jit, &choice);
    access_by_lane(jit, access, address, lanes->mask, choice.slow.parts);
    choice_end(jit, &choice, access, parts);
}

/* ---- vectors of addresses that were computed */

/* Of a kernel, since each is two forms of code, the first ones three; assumed. */
enum { LIKELY_MOST = 64, NEAR_MOST = 16 };

static bool is_likely(const struct jit *jit, const struct jit_access *access,
                      const struct jit_address *address, const struct ptx_operand *operand)
{
    if (address->value.repr != JIT_VECTOR || operand->kind != ISA_OPD_MEM || operand->var) return false;
    if (operand->reg == PTX_NO_REG) return false;
    return !jit->regs[operand->reg].fetched && access->order == LLVMAtomicOrderingNotAtomic &&
           access->bits <= 64 && !jit->request->quick && jit->likely_accesses < LIKELY_MOST;
}

/* i1: do the lanes of a part stand side by side? */
static LLVMValueRef part_is_dense(struct jit *jit, LLVMValueRef at, unsigned bits, uint64_t size)
{
    LLVMValueRef place = jit_lane_consts(jit, bits, 0, 0, size);
    LLVMValueRef begin = LLVMBuildSub(jit->builder, at, place, "");
    LLVMValueRef first = LLVMBuildExtractElement(jit->builder, begin, jit_const(jit, 32, 0), "");
    LLVMValueRef same = LLVMBuildICmp(jit->builder, LLVMIntEQ, begin, jit_splat(jit, first, bits), "");
    LLVMTypeRef each = jit_int(jit, jit->part.lanes);
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, LLVMBuildBitCast(jit->builder, same, each, ""),
                         LLVMConstAllOnes(each), "");
}

static void dense_parts(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                        LLVMValueRef *at, LLVMValueRef *masks, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    for (unsigned i = 0; i < access->count && access->run; i++) {
        struct jit_access one = *access;
        struct jit_address here = *address;
        one.count = 1;
        one.run = false;
        here.offset += (int64_t)i * access->bytes;
        dense_parts(jit, &one, &here, at, masks, &parts[i]);
    }
    for (unsigned p = 0; p < jit->part.parts && !access->run; p++) {
        LLVMValueRef here = jit_address_part(jit, address, at, p, 0);
        here = LLVMBuildExtractElement(jit->builder, here, jit_const(jit, 32, 0), "");
        contiguous_part(jit, access, here, masks ? masks[p] : NULL, p, parts);
    }
}

/* Not side by side: perhaps near each other. */
static void access_near(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                        const struct jit_lanes *lanes, const LLVMValueRef *at,
                        LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    struct jit_choice choice;
    struct jit_near near;
    choice_begin(jit, &choice, jit_near_ends(jit, access, address, at), access, parts);
    choice_and(jit, &choice, jit_near_test(jit, access, address, lanes, at, &near));
    jit_near_access(jit, access, address, lanes, &near, choice.fast.parts);
    choice_else(jit, &choice);
    jit_access_any(jit, access, address, lanes, choice.slow.parts);
    choice_end(jit, &choice, access, parts);
}

static void access_likely(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                          const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMValueRef at[JIT_MAX_PARTS], dense = NULL;
    uint64_t size = (uint64_t)access->bytes * (access->run ? 1 : access->count);
    bool masked = !lanes->full && has_masked_move(jit, access);
    jit->likely_accesses++;
    jit_value_parts(jit, &address->value, at);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef one = part_is_dense(jit, at[p], address->value.bits, size);
        dense = dense ? LLVMBuildAnd(jit->builder, dense, one, "") : one;
    }
    if (!lanes->full && !masked) {
        LLVMValueRef full =
            LLVMBuildICmp(jit->builder, LLVMIntEQ, lanes->mask, jit_const(jit, 32, UINT32_MAX), "");
        dense = LLVMBuildAnd(jit->builder, dense, full, "");
    }
    struct jit_choice choice;
    choice_begin(jit, &choice, dense, access, parts);
    dense_parts(jit, access, address, at, masked ? lanes->parts : NULL, choice.fast.parts);
    choice_else(jit, &choice);
    if (!access->run && jit_near_fits(jit, access) && jit->likely_accesses <= NEAR_MOST)
        access_near(jit, access, address, lanes, at, choice.slow.parts);
    else
        jit_access_any(jit, access, address, lanes, choice.slow.parts);
    choice_end(jit, &choice, access, parts);
}

/* Any address but a scalar one, too, which then goes lane by lane. */
void jit_access_vector(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    bool uneven = address->value.repr == JIT_ROWS && !jit->even_rows;
    if (is_contiguous(access, address) && uneven && has_masked_move(jit, access))
        access_uneven_or_any(jit, access, address, lanes, parts);
    else if (is_contiguous(access, address) && !uneven)
        access_contiguous(jit, access, address, lanes, parts);
    else if (jit_stride_is_vector(jit, access, address))
        access_stride(jit, access, address, lanes, parts);
    else if (access->likely)
        access_likely(jit, access, address, lanes, parts);
    else
        jit_access_any(jit, access, address, lanes, parts);
}

/* ---- instructions */

static const struct ptx_operand *memory_element(const struct ptx_operand *operand, unsigned i)
{
    return operand->kind == ISA_OPD_VEC ? &operand->elements[i] : operand;
}

/* A kernel parameter: read once, where the launch begins. */
static bool load_param(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       struct jit_value *out)
{
    if (address->space != PTX_SPACE_PARAM || address->base != jit->params ||
        !LLVMIsConstant(address->value.scalar))
        return false;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    uint64_t first = LLVMConstIntGetZExtValue(address->value.scalar) + (uint64_t)address->offset;
    for (unsigned i = 0; i < access->count; i++) {
        uint64_t at = first + (uint64_t)i * access->bytes, key = 1ull << 63 | at << 8 | access->bits;
        LLVMValueRef value = map_get_u64(&jit->cached, key);
        if (!value) {
            jit_position(jit, jit->launch_prologue);
            value = LLVMBuildLoad2(jit->builder, jit_int(jit, access->bits), jit_offset(jit, jit->params, at),
                                   "");
            LLVMSetAlignment(value, 1);
            map_set_u64(&jit->cached, key, value);
        }
        out[i] = jit_value_scalar(value, access->bits);
    }
    jit_position(jit, here);
    return true;
}

static void load_any(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                     const struct jit_lanes *lanes, struct jit_value *out)
{
    LLVMValueRef parts[8][JIT_MAX_PARTS] = {{NULL}};
    if (address->value.repr == JIT_SCALAR) {
        load_scalar(jit, access, address, lanes, out);
        return;
    }
    if (is_row_wise(access, address)) {
        load_rows(jit, access, address, lanes, out);
        return;
    }
    jit_access_vector(jit, access, address, lanes, parts);
    for (unsigned i = 0; i < access->count; i++)
        out[i] = jit_value_vector(jit, parts[i], access->bits);
}

/* access, address: of one of the run's instructions, whose operand it is */
static void access_run(struct jit *jit, const struct jit_run *run, const struct jit_access *access,
                       const struct jit_address *address, const struct ptx_operand *operand,
                       const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    struct jit_access all = *access;
    struct jit_address first = *address;
    all.count = run->count;
    all.run = true;
    first.offset -= run->before;
    jit_combine_check_load(jit, &all, &first);
    all.likely = is_likely(jit, &all, &first, operand);
    jit_access_vector(jit, &all, &first, lanes, parts);
}

/* With those that lie beside it, or taken from what was loaded so; false: it is alone. */
static bool load_run(struct jit *jit, const struct ptx_instr *instr, const struct jit_access *access,
                     const struct jit_address *address, const struct jit_lanes *lanes, struct jit_value *out)
{
    LLVMValueRef parts[8][JIT_MAX_PARTS] = {{NULL}};
    struct jit_run run;
    if (!jit_ahead_take(jit, instr, parts[0])) {
        if (!jit_ahead_find(jit, instr, access, address, &run)) return false;
        access_run(jit, &run, access, address, &instr->operands[1], lanes, parts);
        jit_ahead_keep(jit, &run, parts);
        if (!jit_ahead_take(jit, instr, parts[0])) BUG("a run of loads without its first");
    }
    *out = jit_value_vector(jit, parts[0], access->bits);
    return true;
}

enum sw_status jit_emit_load(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_address address = jit_address_of(jit, instr, &instr->operands[1]);
    struct jit_access access = access_of(instr, address.space, false);
    struct jit_value out[8];
    bool past = jit_window_is_past(jit, &instr->operands[1], access.bytes * access.count);
    if (!past && load_param(jit, &access, &address, out)) {
        jit_count_param(jit, instr);
    } else {
        struct jit_lanes lanes = jit_lanes_of(jit, instr);
        for (unsigned i = 0; i < access.count; i++) /* what a guarded load keeps is read before any branch */
            if (memory_element(&instr->operands[0], i)->kind == ISA_OPD_REG)
                jit_reg_read(jit, memory_element(&instr->operands[0], i)->reg);
        jit_align_check(jit, &instr->operands[1], &address, &lanes, access.bytes * access.count);
        jit_permissions_check(jit, &instr->operands[1], &address, &lanes, access.bytes * access.count,
                              JIT_DENIED_READ);
        jit_bounds_check(jit, &instr->operands[1], &address, &lanes, access.bytes * access.count, false);
        jit_shadow_access(jit, &address, &lanes, access.bytes * access.count, JIT_SHADOW_READ,
                          &instr->operands[0]);
        address.constant = ptx_has(instr, ISA_MOD_NC) || address.space == PTX_SPACE_CONST;
        jit_count_access(jit, instr, &address, &lanes, &access);
        if (!load_run(jit, instr, &access, &address, &lanes, out)) {
            jit_combine_check_load(jit, &access, &address);
            access.likely = is_likely(jit, &access, &address, &instr->operands[1]);
            load_any(jit, &access, &address, &lanes, out);
        }
    }
    for (unsigned i = 0; i < access.count; i++)
        if (memory_element(&instr->operands[0], i)->kind == ISA_OPD_REG)
            jit_dest_write(jit, memory_element(&instr->operands[0], i)->reg, &out[i], jit_dest_signed(instr));
    return SW_OK;
}

/* With those that lie beside it, or kept until the last of them; false: it is alone. */
static bool store_run(struct jit *jit, const struct ptx_instr *instr, const struct jit_access *access,
                      const struct jit_address *address, const struct jit_lanes *lanes,
                      const struct jit_value *value)
{
    LLVMValueRef parts[8][JIT_MAX_PARTS] = {{NULL}};
    struct jit_run run;
    if (address->value.repr != JIT_AFFINE || access->count != 1 || access->bits > 64) return false;
    if (jit_combine_may_join(jit, access, address)) return false;
    jit_value_parts(jit, value, parts[0]);
    enum jit_behind behind = jit_behind_keep(jit, instr, access, address, &run, parts);
    if (behind != JIT_BEHIND_LAST) return behind == JIT_BEHIND_KEPT;
    access_run(jit, &run, access, address, &instr->operands[0], lanes, parts);
    return true;
}

enum sw_status jit_emit_store(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_address address = jit_address_of(jit, instr, &instr->operands[0]);
    struct jit_access access = access_of(instr, address.space, true);
    struct jit_value value[8];
    for (unsigned i = 0; i < access.count; i++)
        value[i] = jit_operand(jit, memory_element(&instr->operands[1], i), access.bits);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    jit->stored = access.count == 1 && access.bits <= 64 ? value : NULL;
    jit_align_check(jit, &instr->operands[0], &address, &lanes, access.bytes * access.count);
    jit_permissions_check(jit, &instr->operands[0], &address, &lanes, access.bytes * access.count,
                          JIT_DENIED_WRITE);
    jit_bounds_check(jit, &instr->operands[0], &address, &lanes, access.bytes * access.count, true);
    jit->stored = NULL;
    jit_shadow_store(jit, &address, &lanes, &access, value);
    jit_count_access(jit, instr, &address, &lanes, &access);
    if (store_run(jit, instr, &access, &address, &lanes, value)) return SW_OK;
    jit_combine_check_load(jit, &access, &address);
    access.likely = is_likely(jit, &access, &address, &instr->operands[0]);
    if (address.value.repr == JIT_SCALAR) {
        store_scalar(jit, &access, &address, &lanes, value);
        return SW_OK;
    }
    if (is_row_wise(&access, &address) && are_row_wise(value, access.count)) {
        store_rows(jit, &access, &address, &lanes, value);
        return SW_OK;
    }
    LLVMValueRef parts[8][JIT_MAX_PARTS] = {{NULL}};
    for (unsigned i = 0; i < access.count; i++)
        jit_value_parts(jit, &value[i], parts[i]);
    if (!jit_combine_store(jit, &access, &address, &lanes, parts))
        jit_access_vector(jit, &access, &address, &lanes, parts);
    return SW_OK;
}

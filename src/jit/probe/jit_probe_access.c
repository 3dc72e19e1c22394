/* SPDX-License-Identifier: Apache-2.0 */
/* COUNT probes of memory accesses: units (sectors or lines, wavefronts) and ideal units.
 *
 * Units have closed forms, computed inline, where lanes stand in an arithmetic progression and the active
 * ones without a gap; for everything else the rule itself is asked (ctx->helpers->count_*), later where that
 * can be (jit_probe_trace.c). src/model defines the rules; tests compare the closed forms with them.
 *
 * Closed forms, lanes first..last of the mask, stride s, unit u, access of b bytes, naturally aligned:
 *   global  s <= u  every unit from the first byte to the last is touched: a difference of unit numbers
 *           s >= u  each lane has its own unit
 *           rows    whole warps: those of each row, less those that two neighbouring rows share, where rows
 *                   ascend; one address a row or s <= u
 *   shared  full mask: gcd(s / size, elements of a row) elements share a bank, 128 bytes at a time; one
 * rows a constant apart: the most words that a bank has
 * address: one wavefront, for 16-byte loads one each half of the warp, for stores one each 128 bytes const
 * one address: one local   one offset for all lanes, full mask: each 8 lanes share a sector a word
 *
 * Limits: a generic access whose lanes may lie in shared or local memory always goes by the rules. */
#include "jit_probe_priv.h"

#include "event/event_request.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_rows.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct counted { /* one access being counted */
    const struct jit_access *access;
    const struct jit_address *address;
    const struct jit_lanes *lanes;
    uint32_t bytes, kind, shared_kind; /* enum event_access_kind */
    struct event_access_slots *slots;
};

static uint32_t probe_access_kind_of(const struct ptx_instr *instr)
{
    if (instr->op == ISA_OP_ATOM) return ptx_atom_returns(instr) ? EVENT_KIND_ATOM : EVENT_KIND_RED;
    if (instr->op == ISA_OP_RED) return EVENT_KIND_RED;
    if (instr->op == ISA_OP_ST) return EVENT_KIND_STORE;
    enum isa_mod cache = ptx_mod_of(instr, ISA_CAT_CACHE);
    return cache == ISA_MOD_CG || cache == ISA_MOD_CV ? EVENT_KIND_LOAD_L2 : EVENT_KIND_LOAD;
}

/* Which atomics shared memory has (cc 5.0 and later): integers of 32 bits; of 64 bits, exchange and compare
 * and swap; what ptxas makes of the others is a loop. An addition of 1 whose result is not used has an
 * instruction of its own. */
static uint32_t shared_kind_of(const struct ptx_instr *instr)
{
    if (instr->op != ISA_OP_ATOM && instr->op != ISA_OP_RED) return probe_access_kind_of(instr);
    enum isa_type type = ptx_instr_type(instr, 0);
    unsigned bits = isa_type_bits(type), value = instr->op == ISA_OP_ATOM ? 2 : 1;
    bool used = instr->op == ISA_OP_ATOM && ptx_atom_returns(instr);
    if (ptx_has(instr, ISA_MOD_CAS)) return bits >= 32 ? EVENT_KIND_CAS : EVENT_KIND_SPIN;
    if (ptx_has(instr, ISA_MOD_EXCH) && bits >= 32) return EVENT_KIND_ATOM;
    if (bits != 32 || isa_type_kind(type) == ISA_KIND_FLOAT || type == ISA_F16X2 || type == ISA_BF16X2)
        return EVENT_KIND_SPIN;
    const struct ptx_operand *operand = &instr->operands[value];
    bool one = operand->kind == ISA_OPD_INT && operand->bits == 1;
    return one && ptx_has(instr, ISA_MOD_ADD) && !used ? EVENT_KIND_TALLY : EVENT_KIND_ATOM;
}

static bool is_atomic(const struct counted *counted)
{
    return counted->kind == EVENT_KIND_ATOM || counted->kind == EVENT_KIND_RED;
}

static void add_units(struct jit *jit, const struct counted *counted, LLVMValueRef units, LLVMValueRef ideal)
{
    jit_count_add(jit, counted->slots->units, units);
    jit_count_add(jit, counted->slots->ideal, ideal);
    if (counted->slots->more != EVENT_NO_SLOT) jit_count_add(jit, counted->slots->more, units);
}

/* Offsets of the lanes from a host pointer, or in local memory from each lane's own. */
static void relative(struct jit *jit, LLVMValueRef *parts, LLVMValueRef base, int64_t lane_bytes)
{
    LLVMValueRef start = LLVMBuildPtrToInt(jit->builder, base, jit->i64, "");
    for (unsigned p = 0; p < jit->part.parts; p++) {
        parts[p] = LLVMBuildSub(jit->builder, parts[p], jit_splat(jit, start, 64), "");
        if (lane_bytes)
            parts[p] = LLVMBuildSub(jit->builder, parts[p], jit_lane_consts(jit, 64, p, 0, lane_bytes), "");
    }
}

static void rule_at_once(struct jit *jit, const struct jit_rule *rule, LLVMValueRef *addresses,
                         LLVMValueRef mask)
{
    LLVMValueRef args[] = {jit->ctx, jit_spill_addresses(jit, addresses), mask,
                           jit_const(jit, 32, rule->bytes), jit_const(jit, 32, rule->kind)};
    LLVMValueRef packed = jit_helper_call(jit, rule->helper, jit_rule_type(jit), args, SW_COUNT_OF(args));
    LLVMValueRef ideal = LLVMBuildLShr(jit->builder, packed, jit_const(jit, 64, 32), "");
    jit_count_add(jit, rule->units, LLVMBuildAnd(jit->builder, packed, jit_const(jit, 64, UINT32_MAX), ""));
    jit_count_add(jit, rule->ideal, LLVMBuildAnd(jit->builder, ideal, jit_const(jit, 64, UINT16_MAX), ""));
    if (rule->more == EVENT_NO_SLOT) return;
    jit_count_add(jit, rule->more, LLVMBuildLShr(jit->builder, packed, jit_const(jit, 64, 48), ""));
}

static void rule_of_space(struct jit *jit, enum event_access space, const struct counted *counted,
                          LLVMValueRef *addresses, LLVMValueRef mask)
{
    static const size_t helpers[] = {[EVENT_ACCESS_GLOBAL] = offsetof(struct jit_helpers, count_global),
                                     [EVENT_ACCESS_LOCAL] = offsetof(struct jit_helpers, count_local),
                                     [EVENT_ACCESS_SHARED] = offsetof(struct jit_helpers, count_shared),
                                     [EVENT_ACCESS_CONST] = offsetof(struct jit_helpers, count_constant)};
    struct jit_rule rule = {.helper = helpers[space],
                            .bytes = counted->bytes,
                            .kind = space == EVENT_ACCESS_SHARED ? counted->shared_kind : counted->kind,
                            .units = counted->slots->units,
                            .ideal = counted->slots->ideal,
                            .more = counted->slots->more};
    LLVMValueRef parts[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] = addresses[p];
    if (space == EVENT_ACCESS_SHARED) relative(jit, parts, jit->shared, 0);
    if (space == EVENT_ACCESS_LOCAL) relative(jit, parts, jit->warp_local, jit->info.local_bytes);
    if (jit->trace)
        jit_trace_note(jit, &rule, parts, mask);
    else
        rule_at_once(jit, &rule, parts, mask);
}

static void count_by_rule(struct jit *jit, enum event_access space, const struct counted *counted)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_address_lanes(jit, counted->address, parts);
    rule_of_space(jit, space, counted, parts, counted->lanes->mask);
}

/* Count by closed form where `condition` holds (NULL: always), by the rule elsewhere. */
struct choice {
    LLVMBasicBlockRef slow, end;
};

static struct choice begin_closed(struct jit *jit, LLVMValueRef condition)
{
    struct choice choice = {0};
    if (!condition) return choice;
    LLVMBasicBlockRef fast = jit_new_block(jit, "");
    choice.slow = jit_new_block(jit, "");
    choice.end = jit_new_block(jit, "");
    jit_branch(jit, condition, fast, choice.slow, true);
    jit_position(jit, fast);
    return choice;
}

static void end_closed(struct jit *jit, struct choice choice, enum event_access space,
                       const struct counted *counted)
{
    if (!choice.end) return;
    LLVMBuildBr(jit->builder, choice.end);
    jit_position(jit, choice.slow);
    count_by_rule(jit, space, counted);
    LLVMBuildBr(jit->builder, choice.end);
    jit_position(jit, choice.end);
}

static LLVMValueRef access_both(struct jit *jit, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b) return a ? a : b;
    return LLVMBuildAnd(jit->builder, a, b, "");
}

/* Are the active lanes without a gap (and some)? NULL: surely. */
static LLVMValueRef gapless(struct jit *jit, const struct jit_lanes *lanes)
{
    if (lanes->full) return NULL;
    LLVMValueRef low =
        LLVMBuildAnd(jit->builder, lanes->mask, LLVMBuildNeg(jit->builder, lanes->mask, ""), "");
    LLVMValueRef carried = LLVMBuildAdd(jit->builder, lanes->mask, low, "");
    LLVMValueRef left = LLVMBuildAnd(jit->builder, lanes->mask, carried, "");
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, left, jit_const(jit, 32, 0), "");
    return access_both(jit, none, jit_count_is_some(jit, lanes->mask));
}

static LLVMValueRef aligned(struct jit *jit, LLVMValueRef address, uint32_t bytes)
{
    if (bytes == 1) return NULL;
    LLVMValueRef low = LLVMBuildAnd(jit->builder, address, jit_const(jit, 64, bytes - 1), "");
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, low, jit_const(jit, 64, 0), "");
}

static LLVMValueRef min64(struct jit *jit, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = jit->i64;
    LLVMValueRef args[] = {a, b};
    return jit_intrinsic(jit, "llvm.umin", &type, 1, args, 2);
}

static LLVMValueRef ideal_units(struct jit *jit, LLVMValueRef lanes, uint32_t bytes, unsigned shift)
{
    LLVMValueRef sum = LLVMBuildMul(jit->builder, lanes, jit_const(jit, 64, bytes), "");
    sum = LLVMBuildAdd(jit->builder, sum, jit_const(jit, 64, (1u << shift) - 1), "");
    return LLVMBuildLShr(jit->builder, sum, jit_const(jit, 64, shift), "");
}

/* Unit numbers from the first to the last byte, both ends included. */
static LLVMValueRef span_units(struct jit *jit, LLVMValueRef first, LLVMValueRef last, unsigned shift)
{
    LLVMValueRef s = jit_const(jit, 64, shift);
    LLVMValueRef difference = LLVMBuildSub(jit->builder, LLVMBuildLShr(jit->builder, last, s, ""),
                                           LLVMBuildLShr(jit->builder, first, s, ""), "");
    return LLVMBuildAdd(jit->builder, difference, jit_const(jit, 64, 1), "");
}

static LLVMValueRef probe_access_lane_address(struct jit *jit, LLVMValueRef base, LLVMValueRef lane,
                                              int64_t stride)
{
    LLVMValueRef step =
        LLVMBuildMul(jit->builder, jit_count_wide(jit, lane), jit_const(jit, 64, (uint64_t)stride), "");
    return LLVMBuildAdd(jit->builder, base, step, "");
}

static bool power_of_two(uint64_t n)
{
    return n && (n & (n - 1)) == 0;
}

static LLVMValueRef mask_is_full(struct jit *jit, const struct jit_lanes *lanes)
{
    if (lanes->full) return NULL;
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, lanes->mask, jit_const(jit, 32, UINT32_MAX), "");
}

/* Lanes in an arithmetic progression, those of the mask without a gap. */
static void add_span(struct jit *jit, const struct counted *counted, LLVMValueRef start, LLVMValueRef mask,
                     unsigned shift)
{
    int64_t stride = counted->address->value.stride;
    uint64_t reach = (uint64_t)(stride < 0 ? -stride : stride);
    LLVMValueRef lanes = jit_count_wide(jit, jit_count_popcount(jit, mask)), units = lanes;
    LLVMValueRef ideal = ideal_units(jit, lanes, counted->bytes, shift);
    if (reach <= 1ull << shift) {
        LLVMValueRef first = probe_access_lane_address(jit, start, jit_mask_first(jit, mask), stride);
        LLVMValueRef last = probe_access_lane_address(jit, start, jit_mask_last(jit, mask), stride);
        LLVMValueRef low = stride < 0 ? last : first, high = stride < 0 ? first : last;
        high = LLVMBuildAdd(jit->builder, high, jit_const(jit, 64, counted->bytes - 1), "");
        units = span_units(jit, low, high, shift);
    }
    if (reach < counted->bytes) ideal = min64(jit, units, ideal); /* lanes overlap */
    add_units(jit, counted, units, ideal);
}

/* ---- rows */

struct row_units { /* numbers of the first and the last unit of a row */
    LLVMValueRef first, last;
};

static struct row_units units_of_row(struct jit *jit, const struct counted *counted, unsigned row,
                                     unsigned shift)
{
    const struct jit_address *address = counted->address;
    LLVMValueRef begin = jit_row_first(jit, &address->value, row);
    uint64_t reach = (uint64_t)address->value.stride * (jit->row_lanes - 1) + counted->bytes - 1;
    LLVMValueRef low = LLVMBuildAdd(jit->builder, begin, jit_const(jit, 64, (uint64_t)address->offset), "");
    LLVMValueRef high = LLVMBuildAdd(jit->builder, low, jit_const(jit, 64, reach), "");
    LLVMValueRef by = jit_const(jit, 64, shift);
    return (struct row_units){LLVMBuildLShr(jit->builder, low, by, ""),
                              LLVMBuildLShr(jit->builder, high, by, "")};
}

static LLVMValueRef one_more(struct jit *jit, LLVMIntPredicate how, LLVMValueRef a, LLVMValueRef b)
{
    return jit_count_wide(jit, LLVMBuildICmp(jit->builder, how, a, b, ""));
}

/* Units of whole warps, and where the sum holds: no row begins before the end of the one before it. */
static LLVMValueRef sum_of_rows(struct jit *jit, const struct counted *counted, unsigned shift,
                                LLVMValueRef *ascend)
{
    const struct jit_value *value = &counted->address->value;
    LLVMValueRef sum = NULL;
    struct row_units before = {0};
    for (unsigned r = 0; r < jit->rows; r++) {
        if (r && jit_row_first(jit, value, r) == jit_row_first(jit, value, r - 1)) continue;
        struct row_units row = units_of_row(jit, counted, r, shift);
        LLVMValueRef units = LLVMBuildSub(jit->builder, row.last, row.first, "");
        units = LLVMBuildAdd(jit->builder, units, jit_const(jit, 64, 1), "");
        if (sum) {
            LLVMValueRef shared = one_more(jit, LLVMIntEQ, row.first, before.last);
            LLVMValueRef after = LLVMBuildICmp(jit->builder, LLVMIntUGE, row.first, before.last, "");
            units = LLVMBuildSub(jit->builder, units, shared, "");
            *ascend = access_both(jit, *ascend, after);
        }
        sum = sum ? LLVMBuildAdd(jit->builder, sum, units, "") : units;
        before = row;
    }
    return sum;
}

static void count_global_rows(struct jit *jit, const struct counted *counted, unsigned shift)
{
    const struct jit_value *value = &counted->address->value;
    uint64_t unit = 1ull << shift;
    bool closed = jit->request->rules.global_rule == EVENT_GLOBAL_UNITS && !is_atomic(counted) &&
                  power_of_two(counted->bytes) && counted->bytes <= unit && !counted->address->base &&
                  value->stride >= 0 && (uint64_t)value->stride <= unit && jit->even_rows;
    if (!closed) {
        count_by_rule(jit, EVENT_ACCESS_GLOBAL, counted);
        return;
    }
    LLVMValueRef known = access_both(jit, mask_is_full(jit, counted->lanes), jit_value_is_exact(jit, value));
    LLVMValueRef units = sum_of_rows(jit, counted, shift, &known);
    struct choice choice = begin_closed(jit, known);
    uint64_t ideal = (SW_WARP_LANES * counted->bytes + unit - 1) >> shift;
    add_units(jit, counted, units, min64(jit, units, jit_const(jit, 64, ideal)));
    end_closed(jit, choice, EVENT_ACCESS_GLOBAL, counted);
}

static void count_global(struct jit *jit, const struct counted *counted)
{
    const struct event_rules *rules = &jit->request->rules;
    const struct jit_value *value = &counted->address->value;
    unsigned shift = counted->kind == EVENT_KIND_LOAD ? rules->load_shift : rules->store_shift;
    if (value->repr == JIT_ROWS) {
        count_global_rows(jit, counted, shift);
        return;
    }
    uint64_t unit = 1ull << shift, reach = (uint64_t)(value->stride < 0 ? -value->stride : value->stride);
    bool closed = value->repr == JIT_SCALAR || value->repr == JIT_AFFINE;
    closed =
        closed && rules->global_rule != EVENT_GLOBAL_STRICT && rules->global_rule != EVENT_GLOBAL_SEGMENTS;
    closed = closed && (rules->global_rule != EVENT_GLOBAL_128 || counted->bytes <= 4);
    bool apart = value->repr == JIT_AFFINE && reach > unit;
    closed = closed && power_of_two(counted->bytes) && counted->bytes <= unit && !counted->address->base;
    closed = closed && !(apart && reach % counted->bytes);
    if (is_atomic(counted))
        closed = closed && value->repr == JIT_AFFINE && reach >= counted->bytes; /* no shared address */
    if (!closed) {
        count_by_rule(jit, EVENT_ACCESS_GLOBAL, counted);
        return;
    }
    LLVMValueRef start =
        LLVMBuildAdd(jit->builder, value->scalar, jit_const(jit, 64, (uint64_t)counted->address->offset), "");
    LLVMValueRef known = jit_value_is_exact(jit, value);
    if (apart) known = access_both(jit, known, aligned(jit, start, counted->bytes));
    /* all lanes on: most of the sum is constant, and no more than one test is made */
    LLVMValueRef whole = access_both(jit, mask_is_full(jit, counted->lanes), known);
    struct choice full = begin_closed(jit, whole);
    add_span(jit, counted, start, jit_const(jit, 32, UINT32_MAX), shift);
    if (!full.end) return;
    LLVMBuildBr(jit->builder, full.end);
    jit_position(jit, full.slow);
    if (!counted->lanes->full) {
        struct choice choice = begin_closed(jit, access_both(jit, gapless(jit, counted->lanes), known));
        add_span(jit, counted, start, counted->lanes->mask, shift);
        end_closed(jit, choice, EVENT_ACCESS_GLOBAL, counted);
    } else {
        count_by_rule(jit, EVENT_ACCESS_GLOBAL, counted);
    }
    LLVMBuildBr(jit->builder, full.end);
    jit_position(jit, full.end);
}

/* Every request is one unit, and ideally one: the requests' own slot says so. */
static void count_one_each(const struct counted *counted)
{
    counted->slots->units = counted->slots->ideal = counted->slots->requests;
}

static unsigned common_factor(uint64_t n, unsigned power)
{
    unsigned factor = 1;
    while (factor < power && n % (2ull * factor) == 0)
        factor *= 2;
    return factor;
}

enum { BANK = 4, ROW = 32 * BANK };

/* What whole warps need. */
static void count_shared_whole(struct jit *jit, const struct counted *counted, unsigned passes,
                               unsigned ideal)
{
    struct choice choice = begin_closed(jit, mask_is_full(jit, counted->lanes));
    add_units(jit, counted, jit_const(jit, 64, passes), jit_const(jit, 64, ideal));
    end_closed(jit, choice, EVENT_ACCESS_SHARED, counted);
}

/* Words of rows that are a constant apart: the most in a bank; 0: not known. */
static unsigned bank_conflicts(const struct jit *jit, const struct counted *counted)
{
    const struct jit_value *value = &counted->address->value;
    bool known =
        value->repr == JIT_ROWS && value->regular && !value->wrap && counted->bytes == BANK && jit->even_rows;
    uint64_t words[32];
    unsigned count = 0, in_bank[ROW / BANK] = {0}, most = 0;
    if (!known || value->stride % BANK || value->step % BANK) return 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned row = lane / jit->row_lanes, i = 0;
        uint64_t word = (uint64_t)(value->step / BANK * row + value->stride / BANK * (lane % jit->row_lanes));
        while (i < count && words[i] != word)
            i++;
        if (i < count) continue;
        words[count++] = word;
        unsigned *here = &in_bank[word % SW_COUNT_OF(in_bank)];
        if (++*here > most) most = *here;
    }
    return most;
}

/* Older banks: what needs no rule. */
static void count_shared_old(struct jit *jit, const struct counted *counted)
{
    const struct jit_value *value = &counted->address->value;
    bool affine = value->repr == JIT_AFFINE && value->stride == (int64_t)counted->bytes;
    bool one = counted->bytes <= BANK && (value->repr == JIT_SCALAR || affine);
    if (one && jit->request->rules.shared_rule != EVENT_SHARED_CC1)
        count_one_each(counted);
    else
        count_by_rule(jit, EVENT_ACCESS_SHARED, counted);
}

static void count_shared(struct jit *jit, const struct counted *counted)
{
    const struct jit_value *value = &counted->address->value;
    uint64_t reach = (uint64_t)(value->stride < 0 ? -value->stride : value->stride);
    uint32_t bytes = counted->bytes, size = bytes > BANK ? bytes : BANK;
    bool simple = power_of_two(size) && size <= 4 * BANK, load = counted->shared_kind == EVENT_KIND_LOAD;
    unsigned at_once = ROW / size;
    if (jit->request->rules.shared_rule != EVENT_SHARED_PAIRS) {
        count_shared_old(jit, counted);
        return;
    }
    if (!simple || (!load && counted->shared_kind != EVENT_KIND_STORE)) {
        count_by_rule(jit, EVENT_ACCESS_SHARED, counted);
        return;
    }
    if (value->repr == JIT_SCALAR) {
        unsigned lanes = load && size > BANK ? 2 * at_once : at_once; /* that are served together */
        if (lanes == 32)
            count_one_each(counted);
        else
            count_shared_whole(jit, counted, 32 / lanes, 32 / lanes);
        return;
    }
    if (value->repr == JIT_AFFINE && reach == bytes && bytes <= BANK) {
        count_one_each(counted);
        return;
    }
    unsigned conflicts = bank_conflicts(jit, counted);
    if (conflicts == 1) {
        count_one_each(counted);
        return;
    }
    if (conflicts) {
        count_shared_whole(jit, counted, conflicts, 1);
        return;
    }
    if (value->repr != JIT_AFFINE || bytes != size || reach % size) {
        count_by_rule(jit, EVENT_ACCESS_SHARED, counted);
        return;
    }
    unsigned passes = size / BANK * common_factor(reach / size, at_once);
    count_shared_whole(jit, counted, passes, size / BANK);
}

/* Constant memory, and parameters at addresses that differ. */
static void count_constant(struct jit *jit, const struct counted *counted)
{
    if (counted->address->value.repr == JIT_SCALAR && counted->bytes <= 8)
        count_one_each(counted);
    else
        count_by_rule(jit, EVENT_ACCESS_CONST, counted);
}

static void count_local(struct jit *jit, const struct counted *counted)
{
    const struct jit_value *value = &counted->address->value;
    bool closed =
        value->repr == JIT_AFFINE && value->stride == jit->info.local_bytes && counted->bytes % 4 == 0;
    if (!closed) {
        count_by_rule(jit, EVENT_ACCESS_LOCAL, counted);
        return;
    }
    struct choice choice = begin_closed(jit, mask_is_full(jit, counted->lanes));
    LLVMValueRef units = jit_const(jit, 64, counted->bytes);
    add_units(jit, counted, units, units);
    end_closed(jit, choice, EVENT_ACCESS_LOCAL, counted);
}

/* Has the rule more to say than units? */
static bool has_more(struct jit *jit, enum event_access space, const struct counted *counted)
{
    uint8_t rule = jit->request->rules.global_rule;
    if (space == EVENT_ACCESS_SHARED) return counted->shared_kind == EVENT_KIND_SPIN;
    return space == EVENT_ACCESS_GLOBAL &&
           (is_atomic(counted) || rule == EVENT_GLOBAL_STRICT || rule == EVENT_GLOBAL_SEGMENTS);
}

static void new_access_slots(struct jit *jit, struct event_access_slots *slots, uint32_t requests)
{
    slots->requests = requests;
    slots->units = jit_count_new_slot(jit);
    slots->ideal = jit_count_new_slot(jit);
}

static void open_slots(struct jit *jit, enum event_access space, struct counted *counted,
                       struct event_slots *slots, uint32_t requests)
{
    counted->slots = &slots->access[space];
    new_access_slots(jit, counted->slots, requests);
    bool engine_counts = jit_records(jit) && space <= EVENT_ACCESS_LOCAL; /* three slots in a row */
    if (engine_counts || has_more(jit, space, counted)) counted->slots->more = jit_count_new_slot(jit);
}

/* ---- generic addresses: each lane counts where it is */

static LLVMValueRef lanes_in(struct jit *jit, LLVMValueRef *addresses, LLVMValueRef mask, bool shared)
{
    LLVMValueRef inside[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++)
        inside[p] = shared ? jit_is_shared(jit, addresses[p], true) : jit_is_local(jit, addresses[p], true);
    return LLVMBuildAnd(jit->builder, mask, jit_mask_join(jit, inside), "");
}

static void count_part(struct jit *jit, enum event_access space, struct counted counted,
                       struct event_slots *slots, LLVMValueRef *addresses, LLVMValueRef mask)
{
    open_slots(jit, space, &counted, slots, jit_count_new_slot(jit));
    LLVMBasicBlockRef some = jit_new_block(jit, ""), end = jit_new_block(jit, "");
    jit_branch(jit, jit_count_is_some(jit, mask), some, end, false);
    jit_position(jit, some);
    jit_count_add(jit, counted.slots->requests, jit_const(jit, 64, 1));
    rule_of_space(jit, space, &counted, addresses, mask);
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

static void count_generic(struct jit *jit, const struct counted *counted, struct event_slots *slots)
{
    LLVMValueRef addresses[JIT_MAX_PARTS], mask = counted->lanes->mask;
    jit_address_lanes(jit, counted->address, addresses);
    LLVMValueRef shared = lanes_in(jit, addresses, mask, true), local = lanes_in(jit, addresses, mask, false);
    LLVMValueRef others = LLVMBuildOr(jit->builder, shared, local, "");
    LLVMValueRef global = LLVMBuildAnd(jit->builder, mask, LLVMBuildNot(jit->builder, others, ""), "");
    count_part(jit, EVENT_ACCESS_SHARED, *counted, slots, addresses, shared);
    count_part(jit, EVENT_ACCESS_LOCAL, *counted, slots, addresses, local);
    count_part(jit, EVENT_ACCESS_GLOBAL, *counted, slots, addresses, global);
}

/* With ACCESS probes the engine counts: four slots of each space in a row. */
static void record_generic(struct jit *jit, const struct ptx_instr *instr, const struct counted *counted,
                           struct event_slots *slots)
{
    for (int a = EVENT_ACCESS_GLOBAL; a <= EVENT_ACCESS_SHARED; a++) {
        new_access_slots(jit, &slots->access[a], jit_count_new_slot(jit));
        slots->access[a].more = jit_count_new_slot(jit);
    }
    jit_record_access(jit, instr, counted->address, counted->lanes, counted->bytes, counted->kind,
                      counted->shared_kind, slots->access[0].requests);
}

static void record_in(struct jit *jit, const struct ptx_instr *instr, const struct counted *counted)
{
    jit_record_access(jit, instr, counted->address, counted->lanes, counted->bytes, counted->kind,
                      counted->shared_kind, counted->slots ? counted->slots->units : EVENT_NO_SLOT);
}

/* Besides counting it. */
static void probe_access_sample(struct jit *jit, const struct ptx_instr *instr, const struct counted *counted)
{
    if (jit_samples_address_set(jit))
        jit_record_access(jit, instr, counted->address, counted->lanes, counted->bytes, counted->kind,
                          counted->shared_kind, EVENT_NO_SLOT);
}

/* Parameters and registers in the frames that jit_merge.c makes, whose registers have this name: on a GPU
 * they are registers. */
static bool in_frame(const struct jit *jit, const struct ptx_instr *instr)
{
    for (unsigned i = 0; jit->merged_from && i < instr->operand_count; i++) {
        const struct ptx_operand *operand = &instr->operands[i];
        if (operand->kind == ISA_OPD_MEM && operand->reg != PTX_NO_REG &&
            strcmp(jit->function->regs[operand->reg].name, "%stack") == 0)
            return true;
    }
    return false;
}

/* As ptxas compiles an atomic: all lanes, or one for all. */
static struct jit_lanes doers(struct jit *jit, const struct ptx_instr *instr, const struct jit_lanes *lanes)
{
    bool atomic = instr->op == ISA_OP_ATOM || instr->op == ISA_OP_RED;
    if (!atomic || !jit->request->rules.one_lane) return *lanes;
    if (!jit->varies) {
        bool *varies = ptx_varying_registers(jit->function);
        jit->varies = arena_copy(&jit->arena, varies, jit->function->reg_count + 1ull);
        free(varies);
    }
    if (!ptx_one_lane_does(instr, jit->varies)) return *lanes;
    struct jit_lanes one = {.may_be_empty = lanes->may_be_empty, .parts = lanes->parts};
    LLVMValueRef negative = LLVMBuildNeg(jit->builder, lanes->mask, "");
    one.mask = LLVMBuildAnd(jit->builder, lanes->mask, negative, "");
    return one;
}

/* Count an access before it is made. */
void jit_count_access(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *address,
                      const struct jit_lanes *lanes, const struct jit_access *access)
{
    if (!jit_counts(jit) || in_frame(jit, instr)) return;
    struct event_slots *slots = jit_count_slots(jit, instr);
    struct jit_lanes who = doers(jit, instr, lanes);
    struct counted counted = {.access = access,
                              .address = address,
                              .lanes = &who,
                              .bytes = access->bytes * access->count,
                              .kind = probe_access_kind_of(instr),
                              .shared_kind = shared_kind_of(instr)};
    switch ((unsigned)address->space) {
    case PTX_SPACE_GENERIC:
        if (jit_records(jit))
            record_generic(jit, instr, &counted, slots);
        else
            count_generic(jit, &counted, slots);
        probe_access_sample(jit, instr, &counted);
        return;
    case PTX_SPACE_GLOBAL:
        open_slots(jit, EVENT_ACCESS_GLOBAL, &counted, slots, slots->on_warps);
        if (jit_records(jit))
            record_in(jit, instr, &counted);
        else
            count_global(jit, &counted);
        probe_access_sample(jit, instr, &counted);
        return;
    case PTX_SPACE_SHARED:
        open_slots(jit, EVENT_ACCESS_SHARED, &counted, slots, slots->on_warps);
        count_shared(jit, &counted);
        return;
    case PTX_SPACE_LOCAL:
        open_slots(jit, EVENT_ACCESS_LOCAL, &counted, slots, slots->on_warps);
        if (jit_records(jit))
            record_in(jit, instr, &counted);
        else
            count_local(jit, &counted);
        return;
    case PTX_SPACE_CONST:
        if (jit_records(jit)) record_in(jit, instr, &counted); /* but counted here */
        open_slots(jit, EVENT_ACCESS_CONST, &counted, slots, slots->on_warps);
        count_constant(jit, &counted);
        return;
    case PTX_SPACE_PARAM:
        if (access->is_store || jit->is_callee) return; /* of a call */
        if (address->space == PTX_SPACE_PARAM && address->base != jit->params) return;
        open_slots(jit, EVENT_ACCESS_CONST, &counted, slots, slots->on_warps);
        count_constant(jit, &counted);
        return;
    default: return;
    }
}

void jit_count_param(struct jit *jit, const struct ptx_instr *instr)
{
    if (!jit_counts(jit)) return;
    struct event_slots *slots = jit_count_slots(jit, instr);
    struct event_access_slots *access = &slots->access[EVENT_ACCESS_CONST];
    access->requests = access->units = access->ideal = slots->on_warps;
}

/* counted: what the helper returned */
void jit_count_texture(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef counted)
{
    if (!jit_counts(jit)) return;
    struct event_slots *slots = jit_count_slots(jit, instr);
    struct event_access_slots *access = &slots->access[EVENT_ACCESS_TEXTURE];
    LLVMValueRef low = jit_const(jit, 64, UINT32_MAX), shift = jit_const(jit, 64, 32);
    access->requests = slots->on_warps;
    access->units = access->ideal = jit_count_new_slot(jit);
    access->more = jit_count_new_slot(jit);
    jit_count_add(jit, access->units, LLVMBuildAnd(jit->builder, counted, low, ""));
    jit_count_add(jit, access->more, LLVMBuildLShr(jit->builder, counted, shift, ""));
}

/* ---- copies from global to shared memory */

void jit_count_copy(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *to,
                    const struct jit_address *from, const struct jit_lanes *lanes,
                    const struct jit_lanes *sourced)
{
    if (!jit_counts(jit)) return;
    struct event_slots *slots = jit_count_slots(jit, instr);
    struct counted read = {.address = from,
                           .lanes = sourced,
                           .bytes = (uint32_t)instr->operands[2].bits,
                           .kind = EVENT_KIND_LOAD};
    struct counted write = read;
    write.address = to;
    write.lanes = lanes;
    write.shared_kind = EVENT_KIND_COPY;
    open_slots(jit, EVENT_ACCESS_GLOBAL, &read, slots, slots->on_warps);
    if (jit_records(jit))
        record_in(jit, instr, &read);
    else
        count_global(jit, &read);
    probe_access_sample(jit, instr, &read);
    open_slots(jit, EVENT_ACCESS_SHARED, &write, slots, slots->on_warps);
    count_by_rule(jit, EVENT_ACCESS_SHARED, &write);
}

void jit_count_bulk_slots(struct jit *jit, const struct ptx_instr *instr)
{
    if (!jit_counts(jit)) return;
    new_access_slots(jit, &jit_count_slots(jit, instr)->access[EVENT_ACCESS_BULK], jit_count_new_slot(jit));
}

/* Sectors of global memory, 128 bytes from the first one on at a time. */
void jit_count_bulk(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address, LLVMValueRef bytes)
{
    enum { SECTOR_SHIFT = 5, CHUNK_SHIFT = 7, SECTOR = 1 << SECTOR_SHIFT, CHUNK = 1 << CHUNK_SHIFT };
    if (!jit_counts(jit)) return;
    LLVMBuilderRef builder = jit->builder;
    const struct event_access_slots *slots = &jit_count_slots(jit, instr)->access[EVENT_ACCESS_BULK];
    LLVMValueRef last = jit_const(jit, 64, SECTOR - 1), shift = jit_const(jit, 64, SECTOR_SHIFT);
    LLVMValueRef low = LLVMBuildAnd(builder, address, last, "");
    LLVMValueRef apart = LLVMBuildICmp(builder, LLVMIntNE, low, jit_const(jit, 64, 0), "");
    LLVMValueRef each =
        LLVMBuildAdd(builder, jit_count_wide(jit, apart), jit_const(jit, 64, CHUNK / SECTOR), "");
    LLVMValueRef whole = LLVMBuildLShr(builder, bytes, jit_const(jit, 64, CHUNK_SHIFT), "");
    LLVMValueRef rest = LLVMBuildAnd(builder, bytes, jit_const(jit, 64, CHUNK - 1), "");
    LLVMValueRef end = LLVMBuildAdd(builder, LLVMBuildAdd(builder, low, rest, ""), last, "");
    LLVMValueRef none = LLVMBuildICmp(builder, LLVMIntEQ, rest, jit_const(jit, 64, 0), "");
    LLVMValueRef tail =
        LLVMBuildSelect(builder, none, jit_const(jit, 64, 0), LLVMBuildLShr(builder, end, shift, ""), "");
    LLVMValueRef ideal = LLVMBuildLShr(builder, LLVMBuildAdd(builder, bytes, last, ""), shift, "");
    jit_count_add(jit, slots->requests, jit_const(jit, 64, 1));
    jit_count_add(jit, slots->units, LLVMBuildAdd(builder, LLVMBuildMul(builder, whole, each, ""), tail, ""));
    jit_count_add(jit, slots->ideal, ideal);
}

/* ---- fragments of matrices: several accesses each, which the engine knows */

static void count_fragment_in(struct jit *jit, enum event_access space, struct event_access_slots *slots,
                              LLVMValueRef *args)
{
    new_access_slots(jit, slots, jit_count_new_slot(jit));
    uint32_t own[3] = {slots->requests, slots->units, slots->ideal};
    LLVMValueRef counted = jit_slot(jit, LLVMArrayType2(jit->i64, 3), "counted");
    for (unsigned i = 0; i < 3; i++)
        LLVMBuildStore(jit->builder, jit_const(jit, 64, 0), jit_offset(jit, counted, 8ull * i));
    LLVMTypeRef types[] = {jit->ptr, jit->i64, jit->i32, jit->ptr, jit->ptr, jit->i32, jit->ptr};
    LLVMValueRef all[] = {args[0], args[1], args[2], args[3], args[4], jit_const(jit, 32, space), counted};
    jit_helper_call(jit, offsetof(struct jit_helpers, count_fragment),
                    LLVMFunctionType(jit->empty, types, 7, 0), all, 7);
    for (unsigned i = 0; i < 3; i++)
        jit_count_add(jit, own[i],
                      LLVMBuildLoad2(jit->builder, jit->i64, jit_offset(jit, counted, 8ull * i), ""));
}

void jit_count_fragment(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *address,
                        LLVMValueRef *args)
{
    if (!jit_counts(jit)) return;
    struct event_access_slots *access = jit_count_slots(jit, instr)->access;
    bool generic = address->space == PTX_SPACE_GENERIC;
    if (generic || address->space == PTX_SPACE_GLOBAL) {
        bool is_store = ptx_has(instr, ISA_MOD_STORE);
        jit_record_helper_begin(jit, instr, is_store ? EVENT_KIND_STORE : EVENT_KIND_LOAD);
        count_fragment_in(jit, EVENT_ACCESS_GLOBAL, &access[EVENT_ACCESS_GLOBAL], args);
        jit_record_helper_end(jit);
    }
    if (generic || address->space == PTX_SPACE_SHARED)
        count_fragment_in(jit, EVENT_ACCESS_SHARED, &access[EVENT_ACCESS_SHARED], args);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: operations that see other lanes of the warp: shfl, vote, match, activemask, redux, elect,
 * bar.warp. Method: PTX 9.7.9 and 9.7.13; a lane that is not there (not active, or not a member) reads as its
 * own value for shfl and is left out of votes. Lanes may be at different instructions of one kind: each reads
 * and writes what its own instruction says. Limits: none of its own. */
#include "oracle_priv.h"

#include <string.h>

static struct exec at_lane(const struct exec *exec, uint32_t l)
{
    struct exec one = *exec;
    one.lane = &exec->warp->lanes[l];
    one.instr = &one.lane->frame->function->instrs[one.lane->frame->pc];
    return one;
}

/* May lanes at these two meet? */
bool oracle_same_kind(const struct ptx_instr *a, const struct ptx_instr *b)
{
    return a->op == b->op && a->mod_count == b->mod_count && a->type_count == b->type_count &&
           memcmp(a->mods, b->mods, a->mod_count * sizeof *a->mods) == 0 &&
           memcmp(a->types, b->types, a->type_count * sizeof *a->types) == 0;
}

bool oracle_is_warp_op(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_SHFL:
    case ISA_OP_VOTE:
    case ISA_OP_MATCH:
    case ISA_OP_ACTIVEMASK:
    case ISA_OP_REDUX:
    case ISA_OP_ELECT: return true;
    case ISA_OP_BAR: return ptx_has(instr, ISA_MOD_WARP);
    default: return oracle_is_matrix_op(instr);
    }
}

static bool has_mask(const struct ptx_instr *instr)
{
    return (ptx_has(instr, ISA_MOD_SYNC) || instr->op == ISA_OP_ELECT) && instr->operand_count;
}

/* Every form with a member mask has it as its last operand. */
lane_mask oracle_members(struct exec *exec)
{
    const struct ptx_instr *instr = exec->instr;
    if (oracle_is_matrix_op(instr)) return UINT32_MAX; /* .aligned: all */
    if (!has_mask(instr)) return 0;
    return (lane_mask)oracle_get(exec, instr->operand_count - 1u, ISA_B32);
}

static uint64_t lane_value(struct exec *exec, uint32_t lane, unsigned operand, enum isa_type type)
{
    struct exec other = at_lane(exec, lane);
    return oracle_get(&other, operand, type);
}

/* shfl: source lane and whether it is in range (9.7.9.6) */
static bool shuffle_source(const struct ptx_instr *instr, uint32_t lane, uint32_t b, uint32_t c,
                           uint32_t *source)
{
    uint32_t segment = c >> 8 & 31, clamp = c & 31, by = b & 31;
    uint32_t max = (lane & segment) | (clamp & ~segment), min = lane & segment;
    if (ptx_has(instr, ISA_MOD_UP)) {
        *source = lane - by;
        return (int32_t)*source >= (int32_t)max;
    }
    if (ptx_has(instr, ISA_MOD_DOWN))
        *source = lane + by;
    else if (ptx_has(instr, ISA_MOD_BFLY))
        *source = lane ^ by;
    else
        *source = min | (by & ~segment);
    return *source <= max;
}

static void do_shuffle(struct exec *exec, lane_mask active)
{
    uint64_t results[32] = {0};
    bool inside[32] = {false};
    for (uint32_t l = 0; l < 32; l++) {
        if (!(active >> l & 1)) continue;
        uint32_t source, b = (uint32_t)lane_value(exec, l, 2, ISA_B32),
                         c = (uint32_t)lane_value(exec, l, 3, ISA_B32);
        inside[l] = shuffle_source(exec->instr, l, b, c, &source);
        bool there = inside[l] && source < 32 && active >> source & 1;
        if (inside[l] && !there) oracle_watch_undefined(exec, "a value of a lane that is not there");
        results[l] = lane_value(exec, there ? source : l, 1, ISA_B32);
    }
    for (uint32_t l = 0; l < 32; l++) {
        if (!(active >> l & 1)) continue;
        struct exec one = at_lane(exec, l);
        const struct ptx_operand *to = &one.instr->operands[0];
        if (to->kind == ISA_OPD_PAIR) {
            oracle_write_reg(&one, to->reg, results[l]);
            oracle_write_reg(&one, to->reg2, inside[l]);
        } else {
            oracle_write(&one, to, ISA_B32, (struct value){results[l], 0});
        }
    }
}

static lane_mask yes_lanes(struct exec *exec, lane_mask active)
{
    lane_mask yes = 0;
    for (uint32_t l = 0; l < 32; l++) {
        if (!(active >> l & 1)) continue;
        struct exec one = at_lane(exec, l);
        if (oracle_read(&one, &one.instr->operands[1], ISA_PRED).lo & 1) yes |= UINT32_C(1) << l;
    }
    return yes;
}

static uint64_t vote_result(struct exec *exec, lane_mask active)
{
    lane_mask yes = yes_lanes(exec, active);
    if (ptx_has(exec->instr, ISA_MOD_ALL)) return yes == active;
    if (ptx_has(exec->instr, ISA_MOD_ANY)) return yes != 0;
    if (ptx_has(exec->instr, ISA_MOD_UNI)) return yes == 0 || yes == active;
    return yes;
}

static uint64_t reduce(struct exec *exec, lane_mask active)
{
    enum isa_type type = ptx_instr_type(exec->instr, 0);
    bool first = true, sign = isa_type_kind(type) == ISA_KIND_SINT, real = oracle_is_float(type);
    bool min = ptx_has(exec->instr, ISA_MOD_MIN), max = ptx_has(exec->instr, ISA_MOD_MAX);
    uint64_t sum = 0;
    for (uint32_t l = 0; l < 32; l++) {
        if (!(active >> l & 1)) continue;
        uint64_t value = lane_value(exec, l, 1, type);
        if (real && ptx_has(exec->instr, ISA_MOD_ABS)) value &= 0x7fffffff;
        bool less = sign ? oracle_signed(value, 32) < oracle_signed(sum, 32) : value < sum;
        if (first)
            sum = value;
        else if (real)
            sum = oracle_float_minmax(sum, value, type, max, ptx_has(exec->instr, ISA_MOD_NAN_FLAG));
        else if (min || max)
            sum = less == min ? value : sum;
        else if (ptx_has(exec->instr, ISA_MOD_ADD))
            sum += value;
        else if (ptx_has(exec->instr, ISA_MOD_AND))
            sum &= value;
        else if (ptx_has(exec->instr, ISA_MOD_OR))
            sum |= value;
        else
            sum ^= value;
        first = false;
    }
    return sum;
}

static void do_match(struct exec *exec, lane_mask active)
{
    enum isa_type type = ptx_instr_type(exec->instr, 0);
    uint32_t leader = (uint32_t)__builtin_ctz(active);
    bool all = true;
    for (uint32_t l = 0; l < 32; l++)
        if (active >> l & 1) all &= lane_value(exec, l, 1, type) == lane_value(exec, leader, 1, type);
    lane_mask same[32] = {0};
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t m = 0; m < 32; m++)
            if (active >> l & 1 && active >> m & 1 &&
                lane_value(exec, l, 1, type) == lane_value(exec, m, 1, type))
                same[l] |= UINT32_C(1) << m;
    for (uint32_t l = 0; l < 32; l++) {
        if (!(active >> l & 1)) continue;
        struct exec one = at_lane(exec, l);
        const struct ptx_operand *to = &one.instr->operands[0];
        bool any = ptx_has(exec->instr, ISA_MOD_ANY);
        oracle_write_reg(&one, to->reg, any ? same[l] : all ? active : 0);
        if (to->kind == ISA_OPD_PAIR) oracle_write_reg(&one, to->reg2, all);
    }
}

static void do_elect(struct exec *exec, lane_mask active)
{
    uint32_t leader = (uint32_t)__builtin_ctz(active);
    for (uint32_t l = 0; l < 32; l++) {
        if (!(active >> l & 1)) continue;
        struct exec one = at_lane(exec, l);
        const struct ptx_operand *to = &one.instr->operands[0];
        oracle_write_reg(&one, to->reg, leader);
        if (to->kind == ISA_OPD_PAIR) oracle_write_reg(&one, to->reg2, l == leader);
    }
}

static void write_all(struct exec *exec, lane_mask active, enum isa_type type, uint64_t value)
{
    for (uint32_t l = 0; l < 32; l++) {
        if (!(active >> l & 1)) continue;
        struct exec one = at_lane(exec, l);
        oracle_set(&one, 0, type, value);
    }
}

/* PTX ISA 9.7.9.6 and on: undefined where the executing thread is not in its member mask. */
static void watch_members(struct exec *exec, lane_mask active)
{
    for (uint32_t l = 0; l < 32; l++) {
        if (!(active >> l & 1)) continue;
        struct exec one = at_lane(exec, l);
        if (has_mask(one.instr) && !(oracle_members(&one) >> l & 1))
            oracle_watch_undefined(&one, "a lane that its member mask does not name");
    }
}

void oracle_warp(struct exec *exec, lane_mask active)
{
    exec->lane = &exec->warp->lanes[__builtin_ctz(active)];
    watch_members(exec, active);
    bool ballot = ptx_has(exec->instr, ISA_MOD_BALLOT);
    switch ((unsigned)exec->instr->op) {
    case ISA_OP_SHFL: do_shuffle(exec, active); return;
    case ISA_OP_VOTE: write_all(exec, active, ballot ? ISA_B32 : ISA_PRED, vote_result(exec, active)); return;
    case ISA_OP_MATCH: do_match(exec, active); return;
    case ISA_OP_ACTIVEMASK:
        oracle_watch_undefined(exec, "which lanes are active");
        write_all(exec, active, ISA_B32, active);
        return;
    case ISA_OP_REDUX: write_all(exec, active, ptx_instr_type(exec->instr, 0), reduce(exec, active)); return;
    case ISA_OP_ELECT: do_elect(exec, active); return;
    default: /* of bar.warp, that they came together is all */
        if (oracle_is_matrix_op(exec->instr)) oracle_matrix(exec);
        return;
    }
}

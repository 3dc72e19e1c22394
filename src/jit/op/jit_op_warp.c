/* SPDX-License-Identifier: Apache-2.0 */
/* Operations across the lanes of a warp: shfl, vote, match, redux, activemask, elect (PTX
 * ISA 9.7.9.6, 9.7.13). Method: a warp is `parts` vectors. Lane sets are 32-bit scalars made from the <lanes
 * x i1> masks. A result is computed for each lane from its own member mask, so that tiles of a warp which run
 * together each get theirs; a mask that is the same for all lanes takes the short way. shfl with constant
 * operands is a fixed shuffle; otherwise vpermt2d (AVX-512), vpermd (AVX2) or memory (SSE2). Limits: reading
 * a lane that is not active gives what its register holds. Lanes of the member mask that do not execute the
 * instruction are not waited for. */
#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

#include <string.h>

struct warp {
    struct jit_part *part;
    const struct ptx_instr *instr;
    LLVMValueRef *src, *active, *dst;
    unsigned count;
    jv set; /* i32: the active lanes */
};

static LLVMTypeRef i32_type(const struct jit_part *p)
{
    return LLVMInt32TypeInContext(p->context);
}

static jv scalar_k(const struct jit_part *p, uint64_t value)
{
    return LLVMConstInt(i32_type(p), value, false);
}

static jv operand(const struct warp *w, unsigned i, unsigned part)
{
    return w->src[i * w->part->parts + part];
}

static LLVMValueRef *result(const struct warp *w, unsigned k, unsigned part)
{
    return &w->dst[k * w->part->parts + part];
}

/* <lanes x i32> with f(lane) = base + lane * step, or 1 << lane. */
static jv lane_numbers(const struct jit_part *p, unsigned part, bool as_bits)
{
    LLVMValueRef all[32];
    for (unsigned l = 0; l < p->lanes; l++) {
        unsigned lane = part * p->lanes + l;
        all[l] = scalar_k(p, as_bits ? 1u << lane : lane);
    }
    return LLVMConstVector(all, p->lanes);
}

/* A scalar in every lane of a part. */
jv jv_splat(struct jit_part *p, jv a)
{
    if (p->lanes == 1) return a;
    jv undefined = LLVMGetUndef(LLVMVectorType(LLVMTypeOf(a), p->lanes));
    jv one = LLVMBuildInsertElement(p->builder, undefined, a, scalar_k(p, 0), "");
    jv zeros = LLVMConstNull(LLVMVectorType(i32_type(p), p->lanes));
    return LLVMBuildShuffleVector(p->builder, one, undefined, zeros, "");
}

/* The scalar of a vector that is the same in all lanes as far as one can see; otherwise NULL. */
static jv splat_source(jv a)
{
    if (LLVMIsConstant(a)) {
        jv first = LLVMGetAggregateElement(a, 0);
        for (unsigned l = 1; first && l < jv_lanes(a); l++)
            if (LLVMGetAggregateElement(a, l) != first) return NULL;
        return first;
    }
    if (!LLVMIsAShuffleVectorInst(a)) return NULL;
    for (unsigned l = 0; l < LLVMGetNumMaskElements(a); l++)
        if (LLVMGetMaskValue(a, l) != 0) return NULL;
    jv insert = LLVMGetOperand(a, 0);
    if (!LLVMIsAInsertElementInst(insert)) return NULL;
    jv index = LLVMGetOperand(insert, 2);
    return LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) == 0 ? LLVMGetOperand(insert, 1)
                                                                             : NULL;
}

/* The same scalar in every part, or NULL. */
static jv uniform_operand(const struct warp *w, unsigned i)
{
    jv scalar = splat_source(operand(w, i, 0));
    for (unsigned k = 1; scalar && k < w->part->parts; k++)
        if (splat_source(operand(w, i, k)) != scalar) return NULL;
    return scalar;
}

static jv warp_element(struct jit_part *p, jv a, unsigned l)
{
    return LLVMBuildExtractElement(p->builder, a, scalar_k(p, l), "");
}

/* The lanes whose bit of the <lanes x i1> parts is set, as i32. */
jv jv_ballot(struct jit_part *p, LLVMValueRef *bits)
{
    jv all = scalar_k(p, 0);
    LLVMTypeRef narrow = LLVMIntTypeInContext(p->context, p->lanes);
    for (unsigned k = 0; k < p->parts; k++) {
        jv some =
            LLVMBuildZExt(p->builder, LLVMBuildBitCast(p->builder, bits[k], narrow, ""), i32_type(p), "");
        all = jv_or(p, all, jv_shl_k(p, some, k * p->lanes));
    }
    return all;
}

/* Lanes named by operand i: each lane's own mask, or all when the instruction has none. */
static jv members(const struct warp *w, unsigned i, unsigned part)
{
    if (i < w->count && jit_has(w->instr, ISA_MOD_SYNC)) return operand(w, i, part);
    return jv_splat(w->part, scalar_k(w->part, UINT32_MAX));
}

/* ---- shfl */

struct shuffle {
    jv lane[JIT_MAX_PARTS], valid[JIT_MAX_PARTS]; /* source lane; predicate */
};

static void source_lanes(const struct warp *w, struct shuffle *s, unsigned part)
{
    struct jit_part *p = w->part;
    jv lane = lane_numbers(p, part, false), b = jv_and_k(p, operand(w, 1, part), 31), c = operand(w, 2, part);
    jv mask = jv_and_k(p, jv_lshr_k(p, c, 8), 31), open = jv_not(p, mask), valid, from;
    jv least = jv_and(p, lane, mask), most = jv_or(p, least, jv_and(p, jv_and_k(p, c, 31), open));
    if (jit_has(w->instr, ISA_MOD_UP)) {
        from = jv_sub(p, lane, b);
        valid = jv_cmp(p, LLVMIntSGE, from, most);
    } else {
        if (jit_has(w->instr, ISA_MOD_DOWN))
            from = jv_add(p, lane, b);
        else if (jit_has(w->instr, ISA_MOD_BFLY))
            from = jv_xor(p, lane, b);
        else
            from = jv_or(p, least, jv_and(p, b, open));
        valid = jv_cmp(p, LLVMIntSLE, from, most);
    }
    s->valid[part] = valid;
    s->lane[part] = jv_select(p, valid, from, lane);
}

/* Lane indices known now: a shuffle of the one or two parts they lie in. NULL: not known, or of more parts.
 */
static jv fixed_shuffle(const struct warp *w, jv lanes)
{
    struct jit_part *p = w->part;
    LLVMValueRef index[16];
    unsigned parts[2] = {0, 0}, used = 0;
    for (unsigned l = 0; LLVMIsConstant(lanes) && l < p->lanes; l++) {
        jv one = LLVMGetAggregateElement(lanes, l);
        if (!one || !LLVMIsAConstantInt(one)) return NULL;
        unsigned lane = (unsigned)LLVMConstIntGetZExtValue(one), part = lane / p->lanes, k = 0;
        while (k < used && parts[k] != part)
            k++;
        if (k == 2) return NULL;
        if (k == used) parts[used++] = part;
        index[l] = scalar_k(p, k * p->lanes + lane % p->lanes);
    }
    if (!LLVMIsConstant(lanes)) return NULL;
    jv a = operand(w, 0, parts[0]), b = operand(w, 0, parts[1]);
    return LLVMBuildShuffleVector(p->builder, a, b, LLVMConstVector(index, p->lanes), "");
}

static jv permute(struct jit_part *p, const char *name, LLVMValueRef *args, unsigned count)
{
    LLVMValueRef function =
        LLVMGetIntrinsicDeclaration(p->module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
    return LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(function), function, args, count, "");
}

/* One permutation a part, chosen by the upper bits of the lane number. */
static jv permuted_parts(const struct warp *w, jv lanes)
{
    struct jit_part *p = w->part;
    jv part = jv_lshr_k(p, lanes, 3), chosen = NULL;
    for (unsigned k = 0; k < p->parts; k++) {
        LLVMValueRef args[2] = {operand(w, 0, k), lanes};
        jv one = permute(p, "llvm.x86.avx2.permd", args, 2);
        chosen = chosen ? jv_select(p, jv_cmp_k(p, LLVMIntEQ, part, k), one, chosen) : one;
    }
    return chosen;
}

/* Memory of the function, in its entry block, one of each kind for all uses. */
jv jv_scratch(struct jit_part *p, enum jit_scratch kind)
{
    static const struct {
        const char *name;
        unsigned words;
    } kinds[] = {[JIT_SCRATCH_WARP] = {"softwarp.scratch", 224}};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInsertBlock(p->builder)));
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    for (LLVMValueRef i = first; i && LLVMIsAAllocaInst(i); i = LLVMGetNextInstruction(i)) {
        size_t length;
        const char *text = LLVMGetValueName2(i, &length);
        if (length == strlen(kinds[kind].name) && memcmp(text, kinds[kind].name, length) == 0) return i;
    }
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(p->context);
    LLVMPositionBuilder(builder, entry, first);
    LLVMTypeRef type = LLVMArrayType2(LLVMInt64TypeInContext(p->context), kinds[kind].words);
    LLVMValueRef scratch = LLVMBuildAlloca(builder, type, kinds[kind].name);
    LLVMSetAlignment(scratch, 64);
    LLVMDisposeBuilder(builder);
    return scratch;
}

jv jv_offset(struct jit_part *p, jv base, jv index, unsigned bytes)
{
    LLVMTypeRef type = LLVMIntTypeInContext(p->context, 8 * bytes);
    return LLVMBuildInBoundsGEP2(p->builder, type, base, &index, 1, "");
}

static void spill_source(const struct warp *w)
{
    struct jit_part *p = w->part;
    for (unsigned k = 0; k < p->parts; k++)
        LLVMBuildStore(p->builder, operand(w, 0, k),
                       jv_offset(p, jv_scratch(p, JIT_SCRATCH_WARP), scalar_k(p, k * p->lanes), 4));
}

static jv gathered(struct jit_part *p, jv lanes)
{
    jv all = LLVMGetUndef(LLVMTypeOf(lanes));
    for (unsigned l = 0; l < p->lanes; l++) {
        jv at = jv_offset(p, jv_scratch(p, JIT_SCRATCH_WARP), warp_element(p, lanes, l), 4);
        jv one = LLVMBuildLoad2(p->builder, i32_type(p), at, "");
        all = LLVMBuildInsertElement(p->builder, all, one, scalar_k(p, l), "");
    }
    return all;
}

static jv shuffled(const struct warp *w, jv lanes, bool *spilled)
{
    struct jit_part *p = w->part;
    jv fixed = fixed_shuffle(w, lanes);
    if (fixed) return fixed;
    if (p->isa == JIT_ISA_AVX512 && p->lanes == 16) {
        LLVMValueRef args[3] = {operand(w, 0, 0), lanes, operand(w, 0, 1)};
        return permute(p, "llvm.x86.avx512.vpermi2var.d.512", args, 3);
    }
    if (p->isa == JIT_ISA_AVX2 && p->lanes == 8) return permuted_parts(w, lanes);
    if (!*spilled) spill_source(w);
    *spilled = true;
    return gathered(p, lanes);
}

static void build_shfl(const struct warp *w)
{
    struct shuffle s;
    bool spilled = false;
    for (unsigned k = 0; k < w->part->parts; k++) {
        source_lanes(w, &s, k);
        *result(w, 0, k) = shuffled(w, s.lane[k], &spilled);
        *result(w, 1, k) = s.valid[k];
    }
}

/* ---- vote, activemask, elect */

static void set_all(const struct warp *w, unsigned k, jv scalar)
{
    jv vector = jv_splat(w->part, scalar);
    for (unsigned part = 0; part < w->part->parts; part++)
        *result(w, k, part) = vector;
}

/* One vote: yes are the active lanes with a true predicate, here the active ones; both within the members. */
static jv vote(const struct warp *w, jv yes, jv here)
{
    struct jit_part *p = w->part;
    if (jit_has(w->instr, ISA_MOD_BALLOT)) return yes;
    jv any = jv_cmp_k(p, LLVMIntNE, yes, 0), all = jv_cmp(p, LLVMIntEQ, yes, here);
    if (jit_has(w->instr, ISA_MOD_ANY)) return any;
    if (jit_has(w->instr, ISA_MOD_ALL)) return all;
    return jv_or(p, all, jv_not(p, any)); /* uni */
}

static void build_vote(const struct warp *w)
{
    struct jit_part *p = w->part;
    LLVMValueRef yes[JIT_MAX_PARTS];
    for (unsigned k = 0; k < p->parts; k++)
        yes[k] = jv_and(p, jv_trunc(p, operand(w, 0, k), 1), w->active[k]);
    jv set = jv_ballot(p, yes);
    bool sync = jit_has(w->instr, ISA_MOD_SYNC);
    jv mask = sync ? uniform_operand(w, 1) : scalar_k(p, UINT32_MAX);
    if (mask) {
        set_all(w, 0, vote(w, jv_and(p, set, mask), jv_and(p, w->set, mask)));
        return;
    }
    for (unsigned k = 0; k < p->parts; k++) {
        jv own = members(w, 1, k);
        jv within = jv_and(p, jv_splat(p, set), own), here = jv_and(p, jv_splat(p, w->set), own);
        *result(w, 0, k) = vote(w, within, here);
    }
}

static void build_activemask(const struct warp *w)
{
    set_all(w, 0, w->set);
}

static void build_elect(const struct warp *w)
{
    struct jit_part *p = w->part;
    jv not_poison = LLVMConstInt(LLVMInt1TypeInContext(p->context), 0, false);
    for (unsigned k = 0; k < p->parts; k++) {
        jv here = jv_and(p, jv_splat(p, w->set), operand(w, 0, k));
        jv leader = jv_call2(p, "llvm.cttz", here, not_poison);
        *result(w, 0, k) = leader;
        *result(w, 1, k) = jv_cmp(p, LLVMIntEQ, leader, lane_numbers(p, k, false));
    }
}

/* ---- match: bit l of a lane's result says that lane l is active and has the same value */

static void build_match(const struct warp *w)
{
    struct jit_part *p = w->part;
    jv same[JIT_MAX_PARTS], here = jv_splat(p, w->set);
    for (unsigned k = 0; k < p->parts; k++)
        same[k] = jv_splat(p, scalar_k(p, 0));
    for (unsigned l = 0; l < 32; l++) {
        jv value = jv_splat(p, warp_element(p, operand(w, 0, l / p->lanes), l % p->lanes));
        for (unsigned k = 0; k < p->parts; k++) {
            jv equal = jv_cmp(p, LLVMIntEQ, operand(w, 0, k), value), none = jv_k(same[k], 0);
            same[k] = jv_or(p, same[k], jv_select(p, equal, jv_k(same[k], 1u << l), none));
        }
    }
    for (unsigned k = 0; k < p->parts; k++) {
        jv peers = jv_and(p, here, members(w, 1, k)), match = jv_and(p, same[k], peers);
        jv all = jv_cmp(p, LLVMIntEQ, match, peers);
        bool any_form = jit_has(w->instr, ISA_MOD_ANY);
        *result(w, 0, k) = any_form ? match : jv_select(p, all, peers, jv_k(peers, 0));
        *result(w, 1, k) = any_form ? NULL : all;
    }
}

/* ---- reductions */

jv jv_reduce(struct jit_part *p, enum isa_mod what, bool is_signed, jv a, jv b)
{
    switch ((int)what) {
    case ISA_MOD_ADD: return jv_add(p, a, b);
    case ISA_MOD_AND: return jv_and(p, a, b);
    case ISA_MOD_OR: return jv_or(p, a, b);
    case ISA_MOD_XOR: return jv_xor(p, a, b);
    case ISA_MOD_MIN: return jv_min(p, a, b, is_signed);
    default: return jv_max(p, a, b, is_signed);
    }
}

uint64_t jit_identity(enum isa_mod what, bool is_signed, unsigned bits)
{
    uint64_t all = UINT64_MAX >> (64 - bits), most = is_signed ? all >> 1 : all;
    switch ((int)what) {
    case ISA_MOD_AND: return all;
    case ISA_MOD_MIN: return most;
    case ISA_MOD_MAX: return is_signed ? most + 1 : 0;
    default: return 0;
    }
}

/* All active lanes into one scalar. */
jv jv_reduce_warp(struct jit_part *p, enum isa_mod what, bool is_signed, LLVMValueRef *parts,
                  LLVMValueRef *active)
{
    static const struct {
        uint16_t mod;
        const char *plain, *as_signed;
    } names[] = {{ISA_MOD_ADD, "llvm.vector.reduce.add", NULL},
                 {ISA_MOD_AND, "llvm.vector.reduce.and", NULL},
                 {ISA_MOD_OR, "llvm.vector.reduce.or", NULL},
                 {ISA_MOD_XOR, "llvm.vector.reduce.xor", NULL},
                 {ISA_MOD_MIN, "llvm.vector.reduce.umin", "llvm.vector.reduce.smin"},
                 {ISA_MOD_MAX, "llvm.vector.reduce.umax", "llvm.vector.reduce.smax"}};
    jv all = NULL;
    for (unsigned k = 0; k < p->parts; k++) {
        jv none = jv_k(parts[k], jit_identity(what, is_signed, jv_width(parts[k])));
        jv some = jv_select(p, active[k], parts[k], none);
        all = all ? jv_reduce(p, what, is_signed, all, some) : some;
    }
    for (unsigned i = 0; i < SW_COUNT_OF(names); i++)
        if (names[i].mod == what)
            return jv_call1(p, is_signed && names[i].as_signed ? names[i].as_signed : names[i].plain, all);
    BUG("no reduction of modifier %d", (int)what);
}

static enum isa_mod warp_reduction_of(const struct ptx_instr *instr)
{
    static const enum isa_mod all[] = {ISA_MOD_ADD, ISA_MOD_MIN, ISA_MOD_MAX,
                                       ISA_MOD_AND, ISA_MOD_OR,  ISA_MOD_XOR};
    for (unsigned i = 0; i < SW_COUNT_OF(all); i++)
        if (jit_has(instr, all[i])) return all[i];
    return ISA_MOD_NONE;
}

static void build_redux(const struct warp *w)
{
    struct jit_part *p = w->part;
    enum isa_mod what = warp_reduction_of(w->instr);
    bool is_signed = jit_is_signed(ptx_instr_type(w->instr, 0));
    jv mask = uniform_operand(w, 1), none = jv_k(operand(w, 0, 0), jit_identity(what, is_signed, 32));
    LLVMValueRef chosen[JIT_MAX_PARTS];
    for (unsigned k = 0; mask && k < p->parts; k++) {
        jv named = jv_and(p, jv_splat(p, mask), lane_numbers(p, k, true));
        chosen[k] = jv_and(p, w->active[k], jv_cmp_k(p, LLVMIntNE, named, 0));
    }
    if (mask) {
        set_all(w, 0, jv_reduce_warp(p, what, is_signed, w->src, chosen));
        return;
    }
    for (unsigned k = 0; k < p->parts; k++) {
        jv peers = jv_and(p, jv_splat(p, w->set), operand(w, 1, k)), all = none;
        for (unsigned l = 0; l < 32; l++) {
            jv value = jv_splat(p, warp_element(p, operand(w, 0, l / p->lanes), l % p->lanes));
            jv named = jv_cmp_k(p, LLVMIntNE, jv_and_k(p, peers, 1u << l), 0);
            all = jv_reduce(p, what, is_signed, all, jv_select(p, named, value, none));
        }
        *result(w, 0, k) = all;
    }
}

/* ---- which */

typedef void (*warp_fn)(const struct warp *w);

static bool only(const struct ptx_instr *instr, const uint16_t *mods, unsigned count)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        unsigned k = 0;
        while (k < count && mods[k] != instr->mods[i])
            k++;
        if (k == count) return false;
    }
    return true;
}
#define ONLY(instr, ...)                                                                                     \
    only(instr, (const uint16_t[]){__VA_ARGS__}, SW_COUNT_OF(((const uint16_t[]){__VA_ARGS__})))

static warp_fn warp_choose(const struct ptx_instr *instr)
{
    enum isa_type type = ptx_instr_type(instr, 0);
    switch ((int)instr->op) {
    case ISA_OP_SHFL:
        return ONLY(instr, ISA_MOD_SYNC, ISA_MOD_UP, ISA_MOD_DOWN, ISA_MOD_BFLY, ISA_MOD_IDX) ? build_shfl
                                                                                              : NULL;
    case ISA_OP_VOTE:
        return ONLY(instr, ISA_MOD_SYNC, ISA_MOD_ALL, ISA_MOD_ANY, ISA_MOD_UNI, ISA_MOD_BALLOT) ? build_vote
                                                                                                : NULL;
    case ISA_OP_MATCH: return ONLY(instr, ISA_MOD_SYNC, ISA_MOD_ANY, ISA_MOD_ALL) ? build_match : NULL;
    case ISA_OP_ACTIVEMASK: return build_activemask;
    case ISA_OP_ELECT: return build_elect;
    case ISA_OP_REDUX: {
        bool known = ONLY(instr, ISA_MOD_SYNC, ISA_MOD_ADD, ISA_MOD_MIN, ISA_MOD_MAX, ISA_MOD_AND, ISA_MOD_OR,
                          ISA_MOD_XOR);
        return known && !jit_is_float(type) ? build_redux : NULL;
    }
    default: return NULL;
    }
}

bool jit_op_warp_supported(const struct ptx_instr *instr)
{
    return warp_choose(instr) != NULL;
}

enum sw_status jit_op_warp(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef *src,
                           unsigned count, LLVMValueRef *active, LLVMValueRef *dst, struct sw_error *error)
{
    warp_fn build = warp_choose(instr);
    if (!build)
        return sw_fail_at(error, SW_UNSUPPORTED, part->function ? part->function->name : NULL, instr->line,
                          instr->column, "this form of '%s' is not supported", isa_op_name(instr->op));
    struct warp warp = {
        .part = part, .instr = instr, .src = src, .active = active, .dst = dst, .count = count};
    warp.set = jv_ballot(part, active);
    build(&warp);
    return SW_OK;
}

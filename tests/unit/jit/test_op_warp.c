/* SPDX-License-Identifier: Apache-2.0 */
/* Warp operations and atomics, a whole warp at a time, against a lane-by-lane reference, under random masks.
 */
#include "op_harness.h"

enum { TRIALS = 300, CELLS = 8 };

struct warp {
    uint64_t in[4][32], out[2][32];
    uint32_t active, alone; /* alone: atomics need not be the host's */
    uint64_t memory[CELLS];
};
typedef void (*warp_ref)(struct warp *w); /* fills out, and memory of atomics */

struct warp_case {
    const char *text;
    warp_ref expect;
    unsigned bytes; /* of what an atomic accesses; 0: not an atomic */
};

static bool lane_on(const struct warp *w, unsigned lane)
{
    return w->active >> lane & 1;
}

/* ---- emission: void f(struct warp *) */

static LLVMValueRef field(struct jit_part *part, LLVMValueRef warp, size_t offset)
{
    LLVMTypeRef i8 = LLVMInt8TypeInContext(part->context), i64 = LLVMInt64TypeInContext(part->context);
    LLVMValueRef at = LLVMConstInt(i64, offset, false);
    return LLVMBuildGEP2(part->builder, i8, warp, &at, 1, "");
}

static unsigned source_bits(const struct ptx_instr *instr, unsigned i)
{
    if (instr->op == ISA_OP_ATOM || instr->op == ISA_OP_RED) return isa_type_bits(ptx_instr_type(instr, 0));
    if (instr->op == ISA_OP_VOTE && i == 0) return 1;
    if (instr->op == ISA_OP_MATCH && i == 0) return isa_type_bits(ptx_instr_type(instr, 0));
    return 32;
}

static LLVMValueRef load(struct jit_part *part, LLVMValueRef warp, unsigned plane, unsigned p, unsigned bits)
{
    size_t offset = offsetof(struct warp, in) + (plane * 32 + p * part->lanes) * 8;
    LLVMValueRef value =
        LLVMBuildLoad2(part->builder, jit_part_type(part, 64), field(part, warp, offset), "");
    LLVMSetAlignment(value, 8);
    return bits == 64 ? value : LLVMBuildTrunc(part->builder, value, jit_part_type(part, bits), "");
}

static void load_sources(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef warp,
                         unsigned first, unsigned count, LLVMValueRef *src)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_operand *operand = &instr->operands[instr->operand_count - count + i];
        unsigned bits = source_bits(instr, i);
        for (unsigned p = 0; p < part->parts; p++)
            src[i * part->parts + p] = operand->kind == ISA_OPD_INT
                                           ? jit_part_const(part, bits, operand->bits)
                                           : load(part, warp, first + i, p, bits);
    }
}

static void load_active(struct jit_part *part, LLVMValueRef warp, LLVMValueRef *active)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(part->context),
                bits = LLVMVectorType(LLVMInt1TypeInContext(part->context), 32);
    LLVMValueRef word =
        LLVMBuildLoad2(part->builder, i32, field(part, warp, offsetof(struct warp, active)), "");
    LLVMValueRef all = LLVMBuildBitCast(part->builder, word, bits, "");
    for (unsigned p = 0; p < part->parts; p++) {
        LLVMValueRef index[16];
        for (unsigned l = 0; l < part->lanes; l++)
            index[l] = LLVMConstInt(i32, p * part->lanes + l, false);
        active[p] = LLVMBuildShuffleVector(part->builder, all, all, LLVMConstVector(index, part->lanes), "");
    }
}

static void store(struct jit_part *part, LLVMValueRef warp, LLVMValueRef *dst)
{
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned p = 0; p < part->parts; p++) {
            LLVMValueRef value = dst[k * part->parts + p];
            if (!value) continue;
            if (LLVMTypeOf(value) != jit_part_type(part, 64))
                value = LLVMBuildZExt(part->builder, value, jit_part_type(part, 64), "");
            size_t offset = offsetof(struct warp, out) + (k * 32 + p * part->lanes) * 8;
            LLVMSetAlignment(LLVMBuildStore(part->builder, value, field(part, warp, offset)), 8);
        }
    }
}

static void emit(struct jit_part *part, const struct ptx_instr *instr, const char *name)
{
    LLVMTypeRef ptr = LLVMPointerTypeInContext(part->context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(part->context), &ptr, 1, false);
    LLVMValueRef function = LLVMAddFunction(part->module, name, type), warp = LLVMGetParam(function, 0);
    LLVMPositionBuilderAtEnd(part->builder, LLVMAppendBasicBlockInContext(part->context, function, ""));
    LLVMValueRef src[4 * JIT_MAX_PARTS], dst[2 * JIT_MAX_PARTS] = {NULL}, active[JIT_MAX_PARTS],
                                                 address[JIT_MAX_PARTS];
    struct sw_error error;
    enum sw_status status;
    load_active(part, warp, active);
    bool atomic = instr->op == ISA_OP_ATOM || instr->op == ISA_OP_RED;
    unsigned dests = instr->op == ISA_OP_RED ? 0 : 1, count = instr->operand_count - dests - atomic;
    load_sources(part, instr, warp, atomic, count, src);
    for (unsigned p = 0; atomic && p < part->parts; p++)
        address[p] = load(part, warp, 0, p, 64);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(part->context);
    LLVMValueRef word =
        LLVMBuildLoad2(part->builder, i32, field(part, warp, offsetof(struct warp, alone)), "");
    struct jit_atomic_where where = {
        .is_shared = ptx_has(instr, ISA_MOD_SHARED),
        .alone = LLVMBuildICmp(part->builder, LLVMIntNE, word, LLVMConstInt(i32, 0, false), "")};
    if (atomic)
        status = jit_op_atomic(part, instr, address, src, count, active, &where, dests ? dst : NULL, &error);
    else
        status = jit_op_warp(part, instr, src, count, active, dst, &error);
    if (status != SW_OK) fail_msg("line %u: %s", instr->line, error.message);
    store(part, warp, dst);
    LLVMBuildRetVoid(part->builder);
}

/* ---- running */

static uint32_t random_mask(void)
{
    uint32_t r = (uint32_t)op_random();
    switch (op_random() >> 61) {
    case 0:
    case 1:
    case 2: return UINT32_MAX;
    case 3: return 1u << (r & 31);
    case 4: return r & (uint32_t)op_random();
    case 5: return 0x0000ffff;
    default: return r ? r : 1;
    }
}

static void fill_warp(struct warp *w)
{
    static const uint32_t clamps[] = {0x1f, 0, 0x181f, 0x1c1f, 0x1e01, 0x1000, 0x100f, 0x1800, 0x1e1f};
    memset(w, 0, sizeof *w);
    w->active = random_mask();
    w->alone = op_random() >> 63;
    bool few = op_random() & 1, tiles = op_random() >> 63, steady = op_random() & 1;
    uint32_t lane_or_distance = (uint32_t)op_random() & 31, clamp = clamps[op_random() % SW_COUNT_OF(clamps)];
    for (unsigned l = 0; l < 32; l++) {
        w->in[0][l] = few ? op_random() % 3 : op_random();
        w->in[1][l] = steady ? lane_or_distance : op_random();
        w->in[2][l] = clamp;
        w->in[3][l] = tiles ? 0xffu << (l & 24) : UINT32_MAX;
    }
}

/* Cell numbers and operands of an atomic; cell numbers become addresses for the code under test. */
static void fill_atomic(struct warp *w, unsigned bytes)
{
    fill_warp(w);
    unsigned cells = op_random() & 1 ? 1 : CELLS;
    uint64_t mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    for (unsigned i = 0; i < CELLS; i++)
        w->memory[i] = op_input(8 * bytes) & mask;
    for (unsigned l = 0; l < 32; l++) {
        w->in[0][l] = op_random() % cells;
        w->in[1][l] = (op_random() & 1 ? w->memory[op_random() % CELLS] : op_input(8 * bytes)) & mask;
        w->in[2][l] = op_input(8 * bytes) & mask;
    }
}

static void check_warp(const struct warp_case *test, unsigned config, const struct warp *want,
                       const struct warp *got)
{
    bool same = memcmp(want->memory, got->memory, sizeof want->memory) == 0;
    for (unsigned l = 0; l < 32; l++)
        for (unsigned k = 0; k < 2; k++) {
            if (!lane_on(want, l) || want->out[k][l] == got->out[k][l]) continue;
            same = false;
            if (op_failures < 8)
                fprintf(stderr,
                        "%s [isa %d] active %08x lane %u, result %u: (%llx %llx %llx %llx) gives %llx, want "
                        "%llx\n",
                        test->text, (int)op_configs[config].isa, want->active, l, k,
                        (unsigned long long)want->in[0][l], (unsigned long long)want->in[1][l],
                        (unsigned long long)want->in[2][l], (unsigned long long)want->in[3][l],
                        (unsigned long long)got->out[k][l], (unsigned long long)want->out[k][l]);
        }
    if (!same) op_failures++;
}

static void run_one(const struct warp_case *test, LLVMOrcLLJITRef *jits, unsigned i)
{
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct warp start, want, got;
        if (test->bytes)
            fill_atomic(&start, test->bytes);
        else
            fill_warp(&start);
        want = start;
        test->expect(&want);
        for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++) {
            if (!jits[c]) continue;
            void (*code)(struct warp *);
            *(void **)&code = op_lookup(jits[c], i);
            got = start;
            for (unsigned l = 0; test->bytes && l < 32; l++)
                got.in[0][l] = (uint64_t)(uintptr_t)&got.memory[start.in[0][l]];
            code(&got);
            check_warp(test, c, &want, &got);
        }
    }
}

static void run_warps(const struct warp_case *cases, unsigned count)
{
    op_initialize();
    struct op_case rows[64];
    SW_ASSERT(count <= SW_COUNT_OF(rows));
    for (unsigned i = 0; i < count; i++)
        rows[i] = (struct op_case){.text = cases[i].text};
    struct ptx_module *module = op_parse(rows, count);
    LLVMOrcLLJITRef jits[SW_COUNT_OF(op_configs)] = {NULL};
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++)
        if (op_configs[c].lanes > 1 && op_config_runs(&op_configs[c]))
            jits[c] = op_compile(&op_configs[c], module->functions[0], count, emit);
    op_failures = 0;
    for (unsigned i = 0; i < count; i++)
        run_one(&cases[i], jits, i);
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++)
        if (jits[c]) op_check_llvm(LLVMOrcDisposeLLJIT(jits[c]));
    ptx_module_free(module);
    assert_int_equal(op_failures, 0);
}

/* ---- shfl */

enum mode { UP, DOWN, BFLY, IDX };

static void shuffle(struct warp *w, enum mode mode)
{
    for (int lane = 0; lane < 32; lane++) {
        int b = (int)w->in[1][lane] & 31, c = (int)w->in[2][lane] & 31, mask = (int)w->in[2][lane] >> 8 & 31,
            j;
        int most = (lane & mask) | (c & ~mask), least = lane & mask;
        j = mode == UP ? lane - b : mode == DOWN ? lane + b : mode == BFLY ? lane ^ b : least | (b & ~mask);
        bool valid = mode == UP ? j >= most : j <= most;
        w->out[0][lane] = (uint32_t)w->in[0][valid ? j : lane];
        w->out[1][lane] = valid;
    }
}

static void with_constants(struct warp *w, enum mode mode, uint32_t b, uint32_t c)
{
    for (unsigned l = 0; l < 32; l++)
        w->in[1][l] = b, w->in[2][l] = c;
    shuffle(w, mode);
}

#define WARP_REF(name, ...)                                                                                  \
    static void name(struct warp *w)                                                                         \
    {                                                                                                        \
        __VA_ARGS__;                                                                                         \
    }
WARP_REF(shfl_up, shuffle(w, UP))
WARP_REF(shfl_down, shuffle(w, DOWN))
WARP_REF(shfl_bfly, shuffle(w, BFLY))
WARP_REF(shfl_idx, shuffle(w, IDX))
WARP_REF(shfl_down_16, with_constants(w, DOWN, 16, 31))
WARP_REF(shfl_down_3, with_constants(w, DOWN, 3, 31))
WARP_REF(shfl_bfly_1, with_constants(w, BFLY, 1, 31))
WARP_REF(shfl_idx_5, with_constants(w, IDX, 5, 31))
WARP_REF(shfl_up_8, with_constants(w, UP, 8, 0))
WARP_REF(shfl_idx_tile, with_constants(w, IDX, 2, 0x181f))

/* ---- votes and sets */

static uint32_t yes_set(const struct warp *w)
{
    uint32_t set = 0;
    for (unsigned l = 0; l < 32; l++)
        set |= (uint32_t)(w->in[0][l] & 1) << l;
    return set & w->active;
}

/* mask_plane: where the member masks are; -1: all lanes */
static void vote(struct warp *w, char what, int mask_plane)
{
    for (unsigned l = 0; l < 32; l++) {
        uint32_t mask = mask_plane < 0 ? UINT32_MAX : (uint32_t)w->in[mask_plane][l];
        uint32_t yes = yes_set(w) & mask, here = w->active & mask;
        w->out[0][l] = what == 'b'   ? yes
                       : what == 'a' ? yes == here
                       : what == 'o' ? yes != 0
                                     : yes == here || !yes;
    }
}
WARP_REF(vote_ballot, vote(w, 'b', 1))
WARP_REF(vote_all, vote(w, 'a', 1))
WARP_REF(vote_any, vote(w, 'o', 1))
WARP_REF(vote_uni, vote(w, 'u', 1))
WARP_REF(vote_ballot_full, vote(w, 'b', -1))
WARP_REF(vote_any_full, vote(w, 'o', -1))

static void match(struct warp *w, unsigned bits, bool any)
{
    uint64_t low = bits == 64 ? UINT64_MAX : UINT32_MAX;
    for (unsigned l = 0; l < 32; l++) {
        uint32_t same = 0, here = w->active & (uint32_t)w->in[1][l];
        for (unsigned k = 0; k < 32; k++)
            if (here >> k & 1 && ((w->in[0][k] ^ w->in[0][l]) & low) == 0) same |= 1u << k;
        w->out[0][l] = any ? same : same == here ? here : 0;
        w->out[1][l] = any ? 0 : same == here;
    }
}

static void full_members(struct warp *w)
{
    for (unsigned l = 0; l < 32; l++)
        w->in[1][l] = UINT32_MAX;
}
WARP_REF(match_any32, match(w, 32, true))
WARP_REF(match_any64_full, full_members(w); match(w, 64, true))
WARP_REF(match_all32, match(w, 32, false))
WARP_REF(activemask, for (unsigned l = 0; l < 32; l++) w->out[0][l] = w->active)
WARP_REF(
    elect, for (unsigned l = 0; l < 32; l++) {
        uint32_t here = w->active & (uint32_t)w->in[0][l];
        w->out[0][l] = here ? (uint64_t)__builtin_ctz(here) : 32;
        w->out[1][l] = w->out[0][l] == l;
    })

static uint64_t reduce(uint64_t a, uint64_t b, char what)
{
    switch (what) {
    case '+': return a + b;
    case '&': return a & b;
    case '|': return a | b;
    case '^': return a ^ b;
    case 'u': return a < b ? a : b;
    case 'U': return a > b ? a : b;
    case 's': return (int64_t)a < (int64_t)b ? a : b;
    default: return (int64_t)a > (int64_t)b ? a : b;
    }
}

static uint64_t extended(uint64_t a, char what)
{
    return what == 's' || what == 'S' ? (uint64_t)(int64_t)(int32_t)a : (uint32_t)a;
}

static void redux(struct warp *w, char what)
{
    for (unsigned l = 0; l < 32; l++) {
        uint32_t here = w->active & (uint32_t)w->in[1][l];
        bool first = true;
        uint64_t all = 0;
        for (unsigned k = 0; k < 32; k++) {
            if (!(here >> k & 1)) continue;
            all = first ? extended(w->in[0][k], what) : reduce(all, extended(w->in[0][k], what), what);
            first = false;
        }
        w->out[0][l] = (uint32_t)all;
        if (first)
            w->out[0][l] = what == '&' || what == 'u' ? UINT32_MAX
                           : what == 's'              ? INT32_MAX
                           : what == 'S'              ? 1u << 31
                                                      : 0;
    }
}
WARP_REF(redux_add, redux(w, '+'))
WARP_REF(redux_min_s, redux(w, 's'))
WARP_REF(redux_max_u, redux(w, 'U'))
WARP_REF(redux_and, redux(w, '&'))
WARP_REF(redux_xor_full, full_members(w); redux(w, '^'))
WARP_REF(redux_max_s_full, full_members(w); redux(w, 'S'))

static const struct warp_case warps[] = {
    {"shfl.sync.up.b32 d|p, a, b, c, x", shfl_up, 0},
    {"shfl.sync.down.b32 d|p, a, b, c, x", shfl_down, 0},
    {"shfl.sync.bfly.b32 d|p, a, b, c, x", shfl_bfly, 0},
    {"shfl.sync.idx.b32 d|p, a, b, c, x", shfl_idx, 0},
    {"shfl.sync.down.b32 d|p, a, 16, 31, -1", shfl_down_16, 0},
    {"shfl.down.b32 d|p, a, 3, 31", shfl_down_3, 0},
    {"shfl.sync.bfly.b32 d|p, a, 1, 31, -1", shfl_bfly_1, 0},
    {"shfl.sync.idx.b32 d|p, a, 5, 31, -1", shfl_idx_5, 0},
    {"shfl.sync.up.b32 d|p, a, 8, 0, -1", shfl_up_8, 0},
    {"shfl.sync.idx.b32 d|p, a, 2, 0x181f, -1", shfl_idx_tile, 0},
    {"vote.sync.ballot.b32 d, m, x", vote_ballot, 0},
    {"vote.sync.all.pred p, m, x", vote_all, 0},
    {"vote.sync.any.pred p, m, x", vote_any, 0},
    {"vote.sync.uni.pred p, m, x", vote_uni, 0},
    {"vote.ballot.b32 d, m", vote_ballot_full, 0},
    {"vote.sync.any.pred p, m, -1", vote_any_full, 0},
    {"match.any.sync.b32 d, a, x", match_any32, 0},
    {"match.any.sync.b64 d, a, -1", match_any64_full, 0},
    {"match.all.sync.b32 d|p, a, x", match_all32, 0},
    {"activemask.b32 d", activemask, 0},
    {"elect.sync d|p, x", elect, 0},
    {"redux.sync.add.s32 d, a, x", redux_add, 0},
    {"redux.sync.min.s32 d, a, x", redux_min_s, 0},
    {"redux.sync.max.u32 d, a, x", redux_max_u, 0},
    {"redux.sync.and.b32 d, a, x", redux_and, 0},
    {"redux.sync.xor.b32 d, a, -1", redux_xor_full, 0},
    {"redux.sync.max.s32 d, a, -1", redux_max_s_full, 0},
};

/* ---- atomics, in lane order */

static uint64_t update(uint64_t old, uint64_t b, uint64_t c, char what, unsigned bytes)
{
    uint64_t mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    switch (what) {
    case 'x': return b;
    case 'c': return old == b ? c : old;
    case 'i': return old >= b ? 0 : old + 1;
    case 'd': return old == 0 || old > b ? b : old - 1;
    case 'f': return op_bits32(op_f32(old) + op_f32(b));
    case 'F':
        if (op_f64(b) != op_f64(b)) return b; /* a NaN keeps its bits */
        return op_f64(old) != op_f64(old) ? old : op_bits64(op_f64(old) + op_f64(b));
    case 's':
    case 'S':
        if (bytes == 4) return (uint32_t)reduce(extended(old, what), extended(b, what), what);
        return reduce(old, b, what);
    default: return reduce(old, b, what) & mask;
    }
}

static void atomic(struct warp *w, char what, unsigned bytes)
{
    for (unsigned l = 0; l < 32; l++) {
        if (!lane_on(w, l)) continue;
        uint64_t *cell = &w->memory[w->in[0][l]];
        w->out[0][l] = *cell;
        *cell = update(*cell, w->in[1][l], w->in[2][l], what, bytes);
    }
}

static float flush(float x)
{
    return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0, x) : x;
}

static void atomic_f32_global(struct warp *w)
{
    for (unsigned l = 0; l < 32; l++) {
        if (!lane_on(w, l)) continue;
        uint64_t *cell = &w->memory[w->in[0][l]];
        w->out[0][l] = *cell;
        *cell = op_bits32(flush(flush(op_f32(*cell)) + flush(op_f32(w->in[1][l]))));
    }
}

/* f16: the compiler's own type; bf16: round the sum's bits. Sums of halves are exact in f32 or round
 * harmlessly. */
__extension__ typedef _Float16 half;

static uint16_t half_sum(uint64_t a, uint64_t b)
{
    uint16_t x = (uint16_t)a, y = (uint16_t)b, bits;
    half u, v, sum;
    memcpy(&u, &x, 2), memcpy(&v, &y, 2);
    sum = (half)((float)u + (float)v);
    memcpy(&bits, &sum, 2);
    return sum != sum ? 0x7fff : bits;
}

static uint16_t brain_sum(uint64_t a, uint64_t b)
{
    uint64_t sum = op_bits32(op_f32((a & 0xffff) << 16) + op_f32((b & 0xffff) << 16));
    return (uint32_t)sum << 1 > 0xff000000 ? 0x7fff : (uint16_t)((sum + 0x7fff + (sum >> 16 & 1)) >> 16);
}

static void atomic_halves(struct warp *w, uint16_t (*sum)(uint64_t, uint64_t), unsigned count)
{
    for (unsigned l = 0; l < 32; l++) {
        if (!lane_on(w, l)) continue;
        uint64_t *cell = &w->memory[w->in[0][l]], b = w->in[1][l];
        w->out[0][l] = *cell;
        uint64_t low = sum(*cell, b), high = sum(*cell >> 16, b >> 16);
        *cell = count == 2 ? low | high << 16 : low;
    }
}
WARP_REF(atom_f16, atomic_halves(w, half_sum, 1))
WARP_REF(atom_f16x2, atomic_halves(w, half_sum, 2))
WARP_REF(atom_bf16x2, atomic_halves(w, brain_sum, 2))
WARP_REF(atom_add32, atomic(w, '+', 4))
WARP_REF(atom_add64, atomic(w, '+', 8))
WARP_REF(atom_min_s32, atomic(w, 's', 4))
WARP_REF(atom_max_u32, atomic(w, 'U', 4))
WARP_REF(atom_max_s64, atomic(w, 'S', 8))
WARP_REF(atom_min_u64, atomic(w, 'u', 8))
WARP_REF(atom_and32, atomic(w, '&', 4))
WARP_REF(atom_or32, atomic(w, '|', 4))
WARP_REF(atom_xor64, atomic(w, '^', 8))
WARP_REF(atom_inc, atomic(w, 'i', 4))
WARP_REF(atom_dec, atomic(w, 'd', 4))
WARP_REF(atom_exch32, atomic(w, 'x', 4))
WARP_REF(atom_cas16, atomic(w, 'c', 2))
WARP_REF(atom_cas32, atomic(w, 'c', 4))
WARP_REF(atom_cas64, atomic(w, 'c', 8))
WARP_REF(atom_f32_shared, atomic(w, 'f', 4))
WARP_REF(atom_f64, atomic(w, 'F', 8))

static const struct warp_case atomics[] = {
    {"atom.global.add.u32 d, [a], b", atom_add32, 4},
    {"atom.add.release.gpu.u32 d, [a], b", atom_add32, 4},
    {"atom.shared.add.u32 d, [a], b", atom_add32, 4},
    {"atom.global.add.u64 d, [a], b", atom_add64, 8},
    {"atom.global.min.s32 d, [a], b", atom_min_s32, 4},
    {"atom.global.sys.max.u32 d, [a], b", atom_max_u32, 4},
    {"atom.global.max.s64 d, [a], b", atom_max_s64, 8},
    {"atom.shared.min.u64 d, [a], b", atom_min_u64, 8},
    {"atom.global.and.b32 d, [a], b", atom_and32, 4},
    {"atom.or.acq_rel.cta.b32 d, [a], b", atom_or32, 4},
    {"atom.global.xor.b64 d, [a], b", atom_xor64, 8},
    {"atom.global.inc.u32 d, [a], b", atom_inc, 4},
    {"atom.shared.dec.u32 d, [a], b", atom_dec, 4},
    {"atom.global.dec.u32 d, [a], b", atom_dec, 4},
    {"atom.global.exch.b32 d, [a], b", atom_exch32, 4},
    {"atom.global.cas.b16 d, [a], b, c", atom_cas16, 2},
    {"atom.global.cas.b32 d, [a], b, c", atom_cas32, 4},
    {"atom.shared.cas.b64 d, [a], b, c", atom_cas64, 8},
    {"atom.shared.add.f32 d, [a], b", atom_f32_shared, 4},
    {"atom.global.add.f32 d, [a], b", atomic_f32_global, 4},
    {"atom.global.add.f64 d, [a], b", atom_f64, 8},
    {"atom.add.noftz.f16 d, [a], b", atom_f16, 2},
    {"atom.add.noftz.f16x2 d, [a], b", atom_f16x2, 4},
    {"atom.add.noftz.bf16x2 d, [a], b", atom_bf16x2, 4},
    {"atom.shared.add.noftz.bf16x2 d, [a], b", atom_bf16x2, 4},
};

static void test_warps(void **state)
{
    (void)state;
    run_warps(warps, SW_COUNT_OF(warps));
}

static void test_atomics(void **state)
{
    (void)state;
    run_warps(atomics, SW_COUNT_OF(atomics));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_warps), cmocka_unit_test(test_atomics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

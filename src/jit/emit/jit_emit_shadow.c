/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that keep the engine's shadow memory (EVENT_PROBE_INIT, _RACE_SHARED, _RACE_GLOBAL): one before each
 * access, with what is the same each time in a constant of the object, and one at whatever orders accesses:
 * fences, barriers, groups of copies.
 *
 * Of a load, only the bytes that some instruction uses count as read: the fourth element of a vector, where
 * nobody uses its register, may be padding. What is loaded only to be stored elsewhere is a copy. What a selp
 * chooses or leaves was loaded early by the compiler, maybe, and does not count.
 *
 * Where only initcheck asks about a space, each access remembers memory that is known to be written, all of
 * it, and makes the call for what lies elsewhere. Shared and local memory are new in each block. Does not
 * tell: parameters, constants, textures. */
#include "jit/emit/jit_shadow.h"

#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

enum { PROBES = EVENT_PROBE_INIT | EVENT_PROBE_RACE_SHARED | EVENT_PROBE_RACE_GLOBAL };
/* Accesses by which single threads may be ordered. */
enum { STRONG = JIT_SHADOW_STRONG | JIT_SHADOW_VOLATILE };
enum { APART = JIT_SHADOW_ACQUIRE | JIT_SHADOW_RELEASE | JIT_SHADOW_ASYNC | JIT_SHADOW_VOLATILE };

bool jit_shadows(const struct jit *jit)
{
    return (jit->request->probes & PROBES) != 0;
}

bool jit_shadows_order(const struct jit *jit)
{
    return (jit->request->probes & (EVENT_PROBE_RACE_SHARED | EVENT_PROBE_RACE_GLOBAL)) != 0;
}

/* ---- what is read of a load */

enum use { USE_NONE, USE_SELECTED, USE_STORED, USE_OTHER };

static bool names(const struct ptx_operand *operand, uint32_t reg)
{
    return operand->kind == ISA_OPD_REG && operand->reg == reg;
}

static enum use use_of(const struct ptx_instr *instr, uint32_t reg)
{
    bool chooses = instr->op == ISA_OP_SELP && instr->operand_count == 4;
    if (chooses && instr->guard != reg && !names(&instr->operands[3], reg)) return USE_SELECTED;
    if (instr->op != ISA_OP_ST || instr->guard == reg) return USE_OTHER;
    const struct ptx_operand *at = &instr->operands[0];
    return at->kind == ISA_OPD_MEM && at->reg == reg ? USE_OTHER : USE_STORED;
}

/* How each register is used anywhere in the function. */
static const uint8_t *register_uses(struct jit *jit)
{
    if (jit->register_uses) return jit->register_uses;
    uint8_t *uses = ARENA_ARRAY(&jit->arena, uint8_t, jit->reg_count);
    for (uint32_t i = 0; i < jit->function->instr_count; i++) {
        uint32_t regs[PTX_INSTR_REGS];
        const struct ptx_instr *instr = &jit->function->instrs[i];
        unsigned count = ptx_instr_uses(instr, regs, PTX_INSTR_REGS);
        for (unsigned r = 0; r < count; r++) {
            enum use use = use_of(instr, regs[r]);
            if (regs[r] < jit->reg_count && use > uses[regs[r]]) uses[regs[r]] = (uint8_t)use;
        }
    }
    jit->register_uses = uses;
    return uses;
}

static enum use use_of_operand(struct jit *jit, const struct ptx_operand *operand)
{
    if (operand->kind != ISA_OPD_REG || operand->reg == PTX_NO_REG) return USE_NONE;
    return (enum use)register_uses(jit)[operand->reg];
}

/* Bytes of a lane's access that are used; *copied: only to be stored. */
static uint32_t used_bytes(struct jit *jit, const struct ptx_operand *to, unsigned bytes, bool *copied)
{
    unsigned count = to && to->kind == ISA_OPD_VEC ? to->count : 1;
    uint32_t used = 0, each = bytes / count >= 32 ? UINT32_MAX : (1u << bytes / count) - 1;
    *copied = true;
    for (unsigned i = 0; i < count; i++) {
        enum use use = !to ? USE_OTHER : use_of_operand(jit, count > 1 ? &to->elements[i] : to);
        if (use > USE_SELECTED) used |= each << i * (bytes / count);
        if (use == USE_OTHER) *copied = false;
    }
    return used;
}

/* ---- accesses */

static enum jit_scope scope_of(const struct ptx_instr *instr, enum jit_scope otherwise)
{
    switch ((unsigned)ptx_mod_of(instr, ISA_CAT_SCOPE)) {
    case ISA_MOD_CTA: return JIT_SCOPE_CTA;
    case ISA_MOD_CLUSTER: return JIT_SCOPE_CLUSTER;
    case ISA_MOD_GPU:
    case ISA_MOD_GL: return JIT_SCOPE_GPU;
    case ISA_MOD_SYS: return JIT_SCOPE_SYS;
    default: return otherwise;
    }
}

/* An atomic that says nothing is relaxed by PTX. But programs that poll by it rely on an order, which GPUs
 * give: all but compare-and-swap, by which locks are taken, acquire. */
static unsigned order_flags(const struct ptx_instr *instr)
{
    bool atomic = instr->op == ISA_OP_ATOM || instr->op == ISA_OP_RED;
    bool acquires = instr->op == ISA_OP_ATOM && !ptx_has(instr, ISA_MOD_CAS);
    switch ((unsigned)ptx_mod_of(instr, ISA_CAT_SEM)) {
    case ISA_MOD_VOLATILE: return JIT_SHADOW_STRONG | JIT_SHADOW_VOLATILE;
    case ISA_MOD_RELAXED:
    case ISA_MOD_MMIO: return JIT_SHADOW_STRONG;
    case ISA_MOD_ACQUIRE: return JIT_SHADOW_STRONG | JIT_SHADOW_ACQUIRE;
    case ISA_MOD_RELEASE: return JIT_SHADOW_STRONG | JIT_SHADOW_RELEASE;
    case ISA_MOD_ACQ_REL:
    case ISA_MOD_SC: return JIT_SHADOW_STRONG | JIT_SHADOW_ACQUIRE | JIT_SHADOW_RELEASE;
    default: return atomic ? JIT_SHADOW_STRONG | (acquires ? JIT_SHADOW_ACQUIRE : 0) : 0;
    }
}

static LLVMValueRef site_of(struct jit *jit, const struct jit_shadow_site *site)
{
    LLVMValueRef fields[] = {jit_const(jit, 32, site->line),
                             jit_const(jit, 32, site->used),
                             jit_const(jit, 16, site->flags),
                             jit_const(jit, 16, site->bytes),
                             jit_const(jit, 8, site->space),
                             jit_const(jit, 8, site->scope),
                             jit_const(jit, 16, 0)};
    _Static_assert(sizeof *site == 16 && offsetof(struct jit_shadow_site, space) == 12, "as the fields lie");
    LLVMValueRef value = LLVMConstStructInContext(jit->context, fields, SW_COUNT_OF(fields), 0);
    return jit_object_constant(jit, value, "softwarp_shadow", 4);
}

static bool may_be_uninitialized(const struct jit *jit, enum ptx_space space)
{
    bool has_shadow = space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL || space == PTX_SPACE_GLOBAL ||
                      space == PTX_SPACE_GENERIC;
    return has_shadow && jit->request->probes & EVENT_PROBE_INIT;
}

/* Strong accesses may order those of any space. */
static bool may_race(const struct jit *jit, enum ptx_space space, unsigned flags)
{
    uint32_t probes = jit->request->probes;
    if (!jit_shadows_order(jit)) return false;
    switch ((unsigned)space) {
    case PTX_SPACE_SHARED: return flags & STRONG || probes & EVENT_PROBE_RACE_SHARED;
    case PTX_SPACE_GLOBAL: return flags & STRONG || probes & EVENT_PROBE_RACE_GLOBAL;
    case PTX_SPACE_GENERIC: return true;
    default: return false;
    }
}

static uint8_t space_of(enum ptx_space space)
{
    return space == PTX_SPACE_SHARED  ? ISA_SPACE_SHARED
           : space == PTX_SPACE_LOCAL ? ISA_SPACE_LOCAL
                                      : ISA_SPACE_GENERIC;
}

static LLVMValueRef call_affine(struct jit *jit, LLVMValueRef site, const struct jit_address *address,
                                const struct jit_lanes *lanes)
{
    LLVMValueRef first = LLVMBuildPtrToInt(jit->builder, jit_address_scalar(jit, address, 0), jit->i64, "");
    uint64_t stride = address->value.repr == JIT_AFFINE ? (uint64_t)address->value.stride : 0;
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i64, jit->i64, jit->i32};
    LLVMValueRef args[] = {jit->ctx, site, first, jit_const(jit, 64, stride), lanes->mask};
    return jit_helper_call(jit, offsetof(struct jit_helpers, shadow_affine),
                           LLVMFunctionType(jit->i32, types, 5, 0), args, 5);
}

static LLVMValueRef call_vector(struct jit *jit, LLVMValueRef site, const struct jit_address *address,
                                const struct jit_lanes *lanes)
{
    LLVMValueRef at[JIT_MAX_PARTS];
    jit_address_lanes(jit, address, at);
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->ptr, jit->i32};
    LLVMValueRef args[] = {jit->ctx, site, jit_spill_addresses(jit, at), lanes->mask};
    return jit_helper_call(jit, offsetof(struct jit_helpers, shadow), LLVMFunctionType(jit->i32, types, 4, 0),
                           args, 4);
}

static LLVMValueRef call_any(struct jit *jit, LLVMValueRef site, const struct jit_address *address,
                             const struct jit_lanes *lanes)
{
    bool is_affine = !jit_is_by_lane(&address->value) && !address->value.limit;
    return is_affine ? call_affine(jit, site, address, lanes) : call_vector(jit, site, address, lanes);
}

/* i64: a number that each block of a grid has alone: y and z are below 2^16. */
static LLVMValueRef block_number(struct jit *jit)
{
    enum { Y_AT = 32, Z_AT = 48 };
    static const unsigned AT[] = {0, Y_AT, Z_AT};
    LLVMValueRef number = jit_const(jit, 64, 0);
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef at = LLVMBuildZExt(jit->builder, jit->ctaid[i], jit->i64, "");
        at = LLVMBuildShl(jit->builder, at, jit_const(jit, 64, AT[i]), "");
        number = LLVMBuildOr(jit->builder, number, at, "");
    }
    return number;
}

static void call_unless_written(struct jit *jit, LLVMValueRef site, const struct jit_address *address,
                                const struct jit_lanes *lanes, unsigned bytes)
{
    struct jit_range range = jit_range_new(jit);
    LLVMValueRef known = jit_range_has(jit, &range, address, lanes), block = NULL, number = NULL;
    if (address->space == PTX_SPACE_SHARED || address->space == PTX_SPACE_LOCAL) {
        block = jit_site_slot(jit, "block", UINT64_MAX), number = block_number(jit);
        LLVMValueRef then = LLVMBuildLoad2(jit->builder, jit->i64, block, "");
        LLVMValueRef same = LLVMBuildICmp(jit->builder, LLVMIntEQ, then, number, "");
        known = LLVMBuildAnd(jit->builder, known, same, "");
    }
    LLVMBasicBlockRef fine = jit_new_block(jit, ""), look = jit_new_block(jit, "shadow");
    jit_branch(jit, known, fine, look, true);
    jit_position(jit, look);
    call_any(jit, site, address, lanes);
    jit_range_remember(jit, &range, offsetof(struct jit_ctx, written_first), bytes);
    if (block) LLVMBuildStore(jit->builder, number, block);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
}

/* NULL: it is not told, or nothing is to be known of it. */
static LLVMValueRef tell_access(struct jit *jit, const struct jit_address *address,
                                const struct jit_lanes *lanes, unsigned bytes, unsigned flags,
                                const struct ptx_operand *reads)
{
    bool races = may_race(jit, address->space, flags | order_flags(jit->instr));
    if (!races && !may_be_uninitialized(jit, address->space)) return NULL;
    bool copied = false, everywhere = ptx_mod_of(jit->instr, ISA_CAT_SEM) == ISA_MOD_VOLATILE;
    struct jit_shadow_site site = {.line = jit->instr->line,
                                   .flags = (uint16_t)(flags | order_flags(jit->instr)),
                                   .bytes = (uint16_t)bytes,
                                   .space = space_of(address->space)};
    site.scope = (uint8_t)scope_of(jit->instr, everywhere ? JIT_SCOPE_SYS : JIT_SCOPE_GPU);
    site.used = flags & JIT_SHADOW_READ ? used_bytes(jit, reads, bytes, &copied) : 0;
    if (copied) site.flags |= JIT_SHADOW_COPIED;
    if (jit->block && jit->block->polls) site.flags |= JIT_SHADOW_POLLS;
    if (races) site.flags |= JIT_SHADOW_RACE;
    if (races && site.flags & APART) jit->info.orders_apart = 1;
    LLVMValueRef constant = site_of(jit, &site);
    if (races) return call_any(jit, constant, address, lanes);
    call_unless_written(jit, constant, address, lanes, bytes);
    return NULL;
}

void jit_shadow_access(struct jit *jit, const struct jit_address *address, const struct jit_lanes *lanes,
                       unsigned bytes, unsigned flags, const struct ptx_operand *reads)
{
    tell_access(jit, address, lanes, bytes, flags, reads);
}

static bool are_scalar(const struct jit_value *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (values[i].repr != JIT_SCALAR) return false;
    return true;
}

static void tell_values(struct jit *jit, const struct jit_access *access, const struct jit_value *values)
{
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i32, jit->i32, jit->i32};
    for (unsigned i = 0; i < access->count; i++) {
        LLVMValueRef parts[JIT_MAX_PARTS];
        jit_value_parts(jit, &values[i], parts);
        LLVMValueRef args[] = {jit->ctx, jit_spill_values(jit, parts, access->bits), jit_const(jit, 32, i),
                               jit_const(jit, 32, access->bytes), jit_const(jit, 32, i + 1 == access->count)};
        jit_helper_call(jit, offsetof(struct jit_helpers, shadow_values),
                        LLVMFunctionType(jit->empty, types, 5, 0), args, 5);
    }
}

void jit_shadow_store(struct jit *jit, const struct jit_address *address, const struct jit_lanes *lanes,
                      const struct jit_access *access, const struct jit_value *values)
{
    enum { WIDEST = 64 };
    bool tells = jit_shadows_order(jit) && access->bits <= WIDEST;
    unsigned flags = JIT_SHADOW_WRITE | (are_scalar(values, access->count) ? JIT_SHADOW_SAME : 0) |
                     (tells ? JIT_SHADOW_VALUES : 0);
    LLVMValueRef asked = tell_access(jit, address, lanes, access->bytes * access->count, flags, NULL);
    if (!asked || !tells) return;
    LLVMBasicBlockRef fine = jit_new_block(jit, ""), values_asked = jit_new_block(jit, "values");
    LLVMValueRef not = LLVMBuildICmp(jit->builder, LLVMIntEQ, asked, jit_const(jit, 32, 0), "");
    jit_branch(jit, not, fine, values_asked, true);
    jit_position(jit, values_asked);
    tell_values(jit, access, values);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
}

/* ---- what orders them */

void jit_shadow_order(struct jit *jit, LLVMValueRef warp, LLVMValueRef mask, enum jit_order what,
                      LLVMValueRef value)
{
    if (!jit_shadows_order(jit)) return;
    if (what != JIT_ORDER_BLOCK) jit->info.orders_apart = 1;
    LLVMTypeRef types[] = {jit->ptr, jit->i32, jit->i32, jit->i32, jit->i64};
    LLVMValueRef args[] = {jit->ctx, warp ? warp : jit->warp, mask, jit_const(jit, 32, what),
                           value ? value : jit_const(jit, 64, 0)};
    jit_helper_call(jit, offsetof(struct jit_helpers, shadow_order),
                    LLVMFunctionType(jit->empty, types, 5, 0), args, 5);
}

void jit_shadow_fence(struct jit *jit, const struct ptx_instr *instr)
{
    if (!jit_shadows_order(jit)) return;
    unsigned scope = scope_of(instr, JIT_SCOPE_SYS);
    bool proxy = ptx_has(instr, ISA_MOD_PROXY) && !ptx_has(instr, ISA_MOD_ALIAS) &&
                 ptx_instr_space(instr) != PTX_SPACE_GLOBAL;
    jit_shadow_order(jit, NULL, jit_lanes_of(jit, instr).mask, JIT_ORDER_FENCE,
                     jit_const(jit, 64, scope | (proxy ? JIT_ORDER_PROXY : 0)));
}

static bool is_all(LLVMValueRef mask)
{
    return LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask) == UINT32_MAX;
}

void jit_shadow_warp_sync(struct jit *jit, const struct ptx_instr *instr)
{
    if (!jit_shadows_order(jit)) return;
    LLVMValueRef mask = jit_lanes_of(jit, instr).mask, parts[JIT_MAX_PARTS];
    struct jit_value members = jit_operand(jit, &instr->operands[instr->operand_count - 1], 32);
    bool is_whole = members.repr == JIT_SCALAR && is_all(members.scalar) && is_all(mask);
    if (!is_whole) jit->info.orders_apart = 1;
    jit_value_parts(jit, &members, parts);
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i32};
    LLVMValueRef args[] = {jit->ctx, jit_spill_values(jit, parts, 32), mask};
    jit_helper_call(jit, offsetof(struct jit_helpers, shadow_warp_sync),
                    LLVMFunctionType(jit->empty, types, 3, 0), args, 3);
}

/* cp.async.commit_group, .wait_group N, .wait_all, and the bulk forms, whose groups are others. */
void jit_shadow_group(struct jit *jit, const struct ptx_instr *instr)
{
    if (!jit_shadows_order(jit)) return;
    bool bulk = ptx_has(instr, ISA_MOD_BULK);
    LLVMValueRef mask = jit_lanes_of(jit, instr).mask;
    if (ptx_has(instr, ISA_MOD_COMMIT_GROUP)) {
        jit_shadow_order(jit, NULL, mask, bulk ? JIT_ORDER_BULK_COMMIT : JIT_ORDER_COPY_COMMIT, NULL);
        return;
    }
    if (ptx_has(instr, ISA_MOD_WAIT_ALL))
        jit_shadow_order(jit, NULL, mask, JIT_ORDER_COPY_WAIT_ALL, NULL);
    else if (ptx_has(instr, ISA_MOD_WAIT_GROUP))
        jit_shadow_order(jit, NULL, mask, bulk ? JIT_ORDER_BULK_WAIT : JIT_ORDER_COPY_WAIT,
                         jit_const(jit, 64, instr->operands[0].bits));
}

/* cp.async.mbarrier.arrive: the mbarrier hears of each lane's copies so far. */
void jit_shadow_copies_arrive(struct jit *jit, const struct ptx_instr *instr)
{
    if (!jit_shadows_order(jit)) return;
    struct jit_address address = jit_address_in(jit, PTX_SPACE_SHARED, &instr->operands[0]);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_address_lanes(jit, &address, parts);
    LLVMValueRef at = jit_spill_addresses(jit, parts);
    struct jit_lane_loop loop = jit_lane_loop_begin(jit, jit_lanes_of(jit, instr).mask);
    LLVMValueRef one = LLVMBuildGEP2(jit->builder, jit->i64, at, &loop.lane, 1, "");
    one = LLVMBuildLoad2(jit->builder, jit->i64, one, "");
    LLVMValueRef lane = LLVMBuildTrunc(jit->builder, loop.lane, jit->i32, "");
    jit_shadow_order(jit, NULL, LLVMBuildShl(jit->builder, jit_const(jit, 32, 1), lane, ""),
                     JIT_ORDER_COPY_ARRIVE, one);
    jit_lane_loop_end(jit, &loop);
}

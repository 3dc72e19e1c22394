/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions that may stop in the middle: barriers, operations of a whole warp, exit, waiting loops;
 * and calls with parameters in registers. Such a function cannot be a function of the host (jit_callee.c),
 * since a warp that stops must be able to go on in it later. Instead the kernel and all functions that it may
 * call become one function, as on a GPU: a call is a jump, and each lane keeps its frames on a stack in its
 * local memory.
 *
 *   caller                                          callee F
 *     registers that live on -> [fp + save]           parameters are at [fp + 16 ...], locals after them
 *     arguments -> [fp + FRAME + 16 ...]              ret: results -> [fp + ...]
 *     number of the return -> [fp + FRAME]                 ld return number, [fp]
 *     fp += FRAME; bra F                                   brx.idx return number, (all returns)
 *   return number k:
 *     fp -= FRAME; registers back; results taken
 *
 * Frames of functions with equal parameter sizes begin alike, so that a call through a pointer need not know
 * its target: it compares the token with those of the functions that fit. The kernel itself is never entered
 * again, so it saves nothing. Divergence, recursion and stopping then need nothing of their own.
 * Instructions count as those that they were made from; what a call adds is not counted.
 * Limits: STACK_BYTES a lane. */
#include "jit_compile_priv.h"

#include "jit/analysis/jit_blocks.h"
#include "jit/analysis/jit_layout.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_refuse.h"

#include <string.h>

enum { STACK_BYTES = 32 << 10, SLOT = 16 };

struct member { /* a function that becomes part of the whole */
    const struct ptx_function *source, *flat;
    uint32_t first_reg, entry, first_row;                /* its registers; instruction; row of counted ones */
    uint32_t *param_at, *return_at, *local_at, *save_at; /* in its frame; by index, local: of vars */
    uint32_t frame_bytes;
    bool is_kernel, address_taken;
};

struct patch {
    uint32_t instr, member; /* a jump to that function's entry */
};

struct merge {
    struct jit *jit;
    struct ptx_function *out;
    VEC(struct ptx_instr) instrs;
    VEC(struct ptx_reg) regs;
    VEC(struct ptx_var *) vars;
    VEC(struct ptx_table *) tables;
    VEC(struct patch) patches;
    VEC(uint32_t) returns; /* instructions: where return number i goes on */
    struct member *members;
    uint32_t member_count, fp;
    struct ptx_table *return_table;
    struct ptx_var *stack;
    /* of the function being copied */
    struct member *member;
    const struct ptx_instr *like;
    uint32_t *where; /* new numbers of its instructions */
    struct ptx_liveness live;
    struct ptx_cfg cfg;
};

/* ---- which kernels need it */

static bool stops(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_BAR:
    case ISA_OP_BARRIER:
    case ISA_OP_EXIT:
    case ISA_OP_NANOSLEEP:
    case ISA_OP_MATCH:
    case ISA_OP_REDUX:
    case ISA_OP_ELECT: return true;
    case ISA_OP_SHFL:
    case ISA_OP_VOTE: return ptx_has(instr, ISA_MOD_SYNC);
    default: return false;
    }
}

static bool may_stop(struct jit *jit, const struct ptx_function *flat)
{
    for (uint32_t i = 0; i < flat->instr_count; i++)
        if (stops(&flat->instrs[i])) return true;
    struct jit probe = {.request = jit->request, .function = flat, .error = jit->error};
    arena_init(&probe.arena);
    bool spins = false;
    if (jit_blocks_build(&probe) == SW_OK) {
        jit_spins_build(&probe);
        spins = probe.info.spins != 0;
    }
    arena_release(&probe.arena);
    return spins;
}

/* ---- making instructions */

static struct ptx_operand merge_reg_operand(uint32_t reg)
{
    return (struct ptx_operand){.kind = ISA_OPD_REG, .reg = reg, .reg2 = PTX_NO_REG};
}

static struct ptx_operand int_operand(uint64_t value)
{
    return (struct ptx_operand){.kind = ISA_OPD_INT, .reg = PTX_NO_REG, .reg2 = PTX_NO_REG, .bits = value};
}

static struct ptx_operand at_reg(uint32_t reg, int64_t offset)
{
    return (struct ptx_operand){.kind = ISA_OPD_MEM, .reg = reg, .reg2 = PTX_NO_REG, .offset = offset};
}

static struct ptx_operand at_var(const struct ptx_var *var, int64_t offset)
{
    return (struct ptx_operand){
        .kind = ISA_OPD_MEM, .reg = PTX_NO_REG, .reg2 = PTX_NO_REG, .var = var, .offset = offset};
}

static uint32_t new_reg(struct merge *m, enum isa_type type)
{
    *vec_push(&m->regs) = (struct ptx_reg){.name = "%stack", .type = type};
    return (uint32_t)m->regs.count - 1;
}

static struct ptx_instr *merge_make(struct merge *m, enum isa_op op, enum isa_mod mod, enum isa_type type,
                                    const struct ptx_operand *operands, unsigned count)
{
    struct ptx_instr *instr = vec_push(&m->instrs);
    *instr = (struct ptx_instr){.op = op, .guard = PTX_NO_REG, .operand_count = (uint8_t)count};
    instr->line = m->like->line;
    instr->column = m->like->column;
    instr->loc = m->like->loc;
    instr->operands = arena_copy(&m->jit->arena, operands, count * sizeof *operands);
    if (mod != ISA_MOD_NONE) instr->mods[instr->mod_count++] = (uint16_t)mod;
    if (type == ISA_TYPE_NONE) return instr;
    instr->types[instr->type_count++] = (uint8_t)type;
    instr->word_mask = mod != ISA_MOD_NONE ? 2 : 1;
    return instr;
}

static void make_load(struct merge *m, enum isa_mod space, enum isa_type type, uint32_t to,
                      struct ptx_operand from)
{
    struct ptx_operand operands[] = {merge_reg_operand(to), from};
    merge_make(m, ISA_OP_LD, space, type, operands, 2);
}

static void make_store(struct merge *m, enum isa_mod space, enum isa_type type, struct ptx_operand to,
                       struct ptx_operand value)
{
    struct ptx_operand operands[] = {to, value};
    merge_make(m, ISA_OP_ST, space, type, operands, 2);
}

static void make_add(struct merge *m, uint32_t to, uint32_t a, int64_t b)
{
    struct ptx_operand operands[] = {merge_reg_operand(to), merge_reg_operand(a), int_operand((uint64_t)b)};
    merge_make(m, ISA_OP_ADD, ISA_MOD_NONE, ISA_U64, operands, 3);
}

static struct ptx_instr *make_jump(struct merge *m, uint32_t target)
{
    struct ptx_operand operand = {
        .kind = ISA_OPD_LABEL, .reg = PTX_NO_REG, .reg2 = PTX_NO_REG, .target = target};
    return merge_make(m, ISA_OP_BRA, ISA_MOD_NONE, ISA_TYPE_NONE, &operand, 1);
}

static void jump_to_member(struct merge *m, uint32_t member, uint32_t guard)
{
    make_jump(m, 0)->guard = guard;
    *vec_push(&m->patches) = (struct patch){(uint32_t)m->instrs.count - 1, member};
}

static enum isa_type bits_type(unsigned bytes)
{
    return bytes == 8 ? ISA_B64 : bytes == 4 ? ISA_B32 : bytes == 2 ? ISA_B16 : ISA_B8;
}

/* A register to memory and back; a predicate as a word. */
static void save_reg(struct merge *m, uint32_t reg, struct ptx_operand at)
{
    unsigned bits = isa_type_bits(m->regs.at[reg].type);
    if (bits > 1) {
        make_store(m, ISA_MOD_LOCAL, bits_type(bits / 8), at, merge_reg_operand(reg));
        return;
    }
    uint32_t word = new_reg(m, ISA_B32);
    struct ptx_operand select[] = {merge_reg_operand(word), int_operand(1), int_operand(0),
                                   merge_reg_operand(reg)};
    merge_make(m, ISA_OP_SELP, ISA_MOD_NONE, ISA_B32, select, 4);
    make_store(m, ISA_MOD_LOCAL, ISA_B32, at, merge_reg_operand(word));
}

static void restore_reg(struct merge *m, uint32_t reg, struct ptx_operand at)
{
    unsigned bits = isa_type_bits(m->regs.at[reg].type);
    if (bits > 1) {
        make_load(m, ISA_MOD_LOCAL, bits_type(bits / 8), reg, at);
        return;
    }
    uint32_t word = new_reg(m, ISA_B32);
    make_load(m, ISA_MOD_LOCAL, ISA_B32, word, at);
    struct ptx_operand test[] = {merge_reg_operand(reg), merge_reg_operand(word), int_operand(0)};
    merge_make(m, ISA_OP_SETP, ISA_MOD_NE, ISA_B32, test, 3);
}

/* ---- frames */

static uint32_t merge_take(uint32_t *at, uint64_t bytes)
{
    uint32_t here = *at;
    *at += (uint32_t)sw_align_up(bytes ? bytes : 1, SLOT);
    return here;
}

static bool saved_type(const struct ptx_reg *reg)
{
    return reg->vector <= 1 && isa_type_bits(reg->type) <= 64;
}

static void lay_out(struct merge *m, struct member *member)
{
    const struct ptx_function *f = member->flat;
    struct arena *arena = &m->jit->arena;
    uint32_t at = SLOT;
    member->param_at = ARENA_ARRAY(arena, uint32_t, f->param_count + 1);
    member->return_at = ARENA_ARRAY(arena, uint32_t, f->return_count + 1);
    member->local_at = ARENA_ARRAY(arena, uint32_t, f->var_count + 1);
    member->save_at = ARENA_ARRAY(arena, uint32_t, f->reg_count + 1);
    if (member->is_kernel) return;
    for (uint32_t i = 0; i < f->param_count; i++)
        member->param_at[i] = merge_take(&at, f->params[i]->bytes);
    for (uint32_t i = 0; i < f->return_count; i++)
        member->return_at[i] = merge_take(&at, f->returns[i]->bytes);
    for (uint32_t i = 0; i < f->var_count; i++)
        if (f->vars[i]->space == PTX_SPACE_LOCAL) member->local_at[i] = merge_take(&at, f->vars[i]->bytes);
    for (uint32_t r = 0; r < f->reg_count; r++) {
        member->save_at[r] = at;
        at += 8;
    }
    member->frame_bytes = (uint32_t)sw_align_up(at, SLOT);
}

/* Where a variable of the function stands in its frame; false: not there. */
static bool find_slot(const struct member *member, const struct ptx_var *var, uint32_t *at)
{
    const struct ptx_function *f = member->flat;
    if (member->is_kernel || !var) return false;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i] == var) return *at = member->param_at[i], true;
    for (uint32_t i = 0; i < f->return_count; i++)
        if (f->returns[i] == var) return *at = member->return_at[i], true;
    for (uint32_t i = 0; i < f->var_count && var->space == PTX_SPACE_LOCAL; i++)
        if (f->vars[i] == var) return *at = member->local_at[i], true;
    return false;
}

static bool takes_parameter_address(const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->instr_count; i++)
        for (unsigned k = 0; k < f->instrs[i].operand_count; k++) {
            const struct ptx_operand *operand = &f->instrs[i].operands[k];
            for (uint32_t p = 0; p < f->param_count; p++)
                if (operand->kind == ISA_OPD_VAR && operand->var == f->params[p]) return true;
        }
    return false;
}

/* ---- copying instructions */

static uint32_t map_reg(const struct merge *m, uint32_t reg)
{
    return reg == PTX_NO_REG ? reg : reg + m->member->first_reg;
}

static void to_local(struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (isa_mod_category((enum isa_mod)instr->mods[i]) == ISA_CAT_SPACE) instr->mods[i] = ISA_MOD_LOCAL;
}

static const struct ptx_table *map_table(struct merge *m, const struct ptx_table *table)
{
    if (!table || table->kind != PTX_TABLE_BRANCHES) return table;
    struct ptx_table *copy = arena_copy(&m->jit->arena, table, sizeof *table);
    copy->targets = arena_copy(&m->jit->arena, table->targets, table->count * sizeof *table->targets);
    *vec_push(&m->tables) = copy;
    return copy;
}

/* Registers renamed, variables of the frame found through fp. An address that is a value comes into a
 * register first, which is why the instruction itself is made only afterwards. */
static void map_operand(struct merge *m, struct ptx_operand *operand, bool *framed)
{
    uint32_t slot;
    operand->reg = map_reg(m, operand->reg);
    operand->reg2 = map_reg(m, operand->reg2);
    operand->table = map_table(m, operand->table);
    if (find_slot(m->member, operand->var, &slot)) {
        *framed = true;
        int64_t offset = operand->offset + slot;
        if (operand->kind == ISA_OPD_MEM) {
            operand->reg = m->fp;
            operand->offset = offset;
        } else {
            uint32_t address = new_reg(m, ISA_B64);
            make_add(m, address, m->fp, offset);
            *operand = merge_reg_operand(address);
        }
        operand->var = NULL;
    }
    if (!operand->count) return;
    operand->elements = arena_copy(&m->jit->arena, operand->elements, operand->count * sizeof *operand);
    for (uint32_t i = 0; i < operand->count; i++)
        map_operand(m, &operand->elements[i], framed);
}

static void copy_instr(struct merge *m, const struct ptx_instr *instr)
{
    struct ptx_instr copy = *instr;
    bool framed = false;
    copy.guard = map_reg(m, instr->guard);
    copy.operands =
        arena_copy(&m->jit->arena, instr->operands, instr->operand_count * sizeof *instr->operands);
    for (unsigned i = 0; i < copy.operand_count; i++)
        map_operand(m, &copy.operands[i], &framed);
    bool by_address = m->member->address_taken && (copy.op == ISA_OP_LD || copy.op == ISA_OP_ST) &&
                      !copy.operands[copy.op == ISA_OP_LD].var;
    if (ptx_instr_space(instr) == PTX_SPACE_PARAM && (framed || by_address)) to_local(&copy);
    *vec_push(&m->instrs) = copy;
}

/* ---- calls */

struct call {
    const struct ptx_operand *results, *arguments, *target;
};

static struct call read_call(const struct ptx_instr *instr)
{
    struct call call = {0};
    for (unsigned i = 0; i < instr->operand_count; i++) {
        const struct ptx_operand *operand = &instr->operands[i];
        bool is_target = operand->kind == ISA_OPD_FUNC || operand->kind == ISA_OPD_REG;
        if (is_target && !call.target) call.target = operand;
        if (operand->kind == ISA_OPD_LIST) *(call.target ? &call.arguments : &call.results) = operand;
    }
    return call;
}

static uint32_t count_of(const struct ptx_operand *list)
{
    return list ? list->count : 0;
}

static bool has_other_than_variables(const struct ptx_operand *list)
{
    for (uint32_t i = 0; list && i < list->count; i++)
        if (list->elements[i].kind != ISA_OPD_VAR) return true;
    return false;
}

/* To functions that stay functions; those of the host take parameters in memory only. */
static bool passes_registers(const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->instr_count; i++) {
        if (f->instrs[i].op != ISA_OP_CALL) continue;
        struct call call = read_call(&f->instrs[i]);
        bool inner = call.target && (call.target->kind == ISA_OPD_REG || call.target->function->has_body);
        if (inner && (has_other_than_variables(call.arguments) || has_other_than_variables(call.results)))
            return true;
    }
    return false;
}

static bool element_fits(const struct merge *m, const struct ptx_operand *element, const struct ptx_var *var)
{
    if (element->kind == ISA_OPD_VAR) return element->var->bytes == var->bytes;
    if (element->kind == ISA_OPD_REG)
        return isa_type_bits(m->member->flat->regs[element->reg].type) <= 8 * var->bytes;
    return true;
}

static bool merge_fits(const struct merge *m, const struct call *call, const struct ptx_function *f)
{
    if (count_of(call->arguments) != f->param_count || count_of(call->results) > f->return_count)
        return false;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (!element_fits(m, &call->arguments->elements[i], f->params[i])) return false;
    for (uint32_t i = 0; i < count_of(call->results); i++)
        if (!element_fits(m, &call->results->elements[i], f->returns[i])) return false;
    return true;
}

/* May this call reach that function? */
static bool merge_reaches(const struct merge *m, const struct call *call, const struct member *member)
{
    if (member->is_kernel) return false;
    if (call->target->kind == ISA_OPD_FUNC && call->target->function != member->source) return false;
    return merge_fits(m, call, member->flat);
}

static const struct member *first_reached(const struct merge *m, const struct call *call, uint32_t *frame)
{
    const struct member *first = NULL;
    *frame = 0;
    for (uint32_t i = 0; i < m->member_count; i++) {
        const struct member *member = &m->members[i];
        if (!merge_reaches(m, call, member)) continue;
        if (!first) first = member;
        *frame = member->frame_bytes > *frame ? member->frame_bytes : *frame;
    }
    return first;
}

/* Pieces of a variable of `bytes`, as wide as its alignment lets them be. */
static unsigned merge_piece(const struct ptx_var *var, uint64_t at)
{
    unsigned bytes = 8;
    while (bytes > 1 && (bytes > var->align || at % bytes != 0 || at + bytes > var->bytes))
        bytes /= 2;
    return bytes;
}

static enum isa_type piece_reg(unsigned bytes)
{
    return bytes == 1 ? ISA_B16 : bits_type(bytes);
}

static void pass_argument(struct merge *m, const struct ptx_operand *argument, const struct ptx_var *param,
                          uint32_t slot)
{
    if (argument->kind != ISA_OPD_VAR) {
        struct ptx_operand value = *argument;
        if (value.kind == ISA_OPD_REG) value.reg = map_reg(m, value.reg);
        make_store(m, ISA_MOD_LOCAL, bits_type((unsigned)param->bytes), at_reg(m->fp, slot), value);
        return;
    }
    uint32_t own;
    bool framed = find_slot(m->member, argument->var, &own);
    for (uint64_t at = 0, bytes; at < param->bytes; at += bytes) {
        bytes = merge_piece(argument->var, at);
        uint32_t value = new_reg(m, piece_reg((unsigned)bytes));
        int64_t offset = argument->offset + (int64_t)at;
        struct ptx_operand from = framed ? at_reg(m->fp, own + offset) : at_var(argument->var, offset);
        make_load(m, framed ? ISA_MOD_LOCAL : ISA_MOD_PARAM, bits_type((unsigned)bytes), value, from);
        make_store(m, ISA_MOD_LOCAL, bits_type((unsigned)bytes), at_reg(m->fp, slot + (int64_t)at),
                   merge_reg_operand(value));
    }
}

static void take_result(struct merge *m, const struct ptx_operand *result, const struct ptx_var *var,
                        uint32_t slot)
{
    if (result->kind == ISA_OPD_REG)
        make_load(m, ISA_MOD_LOCAL, bits_type((unsigned)var->bytes), map_reg(m, result->reg),
                  at_reg(m->fp, slot));
    if (result->kind != ISA_OPD_VAR) return;
    uint32_t own;
    bool framed = find_slot(m->member, result->var, &own);
    for (uint64_t at = 0, bytes; at < var->bytes; at += bytes) {
        bytes = merge_piece(result->var, at);
        uint32_t value = new_reg(m, piece_reg((unsigned)bytes));
        int64_t offset = result->offset + (int64_t)at;
        struct ptx_operand to = framed ? at_reg(m->fp, own + offset) : at_var(result->var, offset);
        make_load(m, ISA_MOD_LOCAL, bits_type((unsigned)bytes), value, at_reg(m->fp, slot + (int64_t)at));
        make_store(m, framed ? ISA_MOD_LOCAL : ISA_MOD_PARAM, bits_type((unsigned)bytes), to,
                   merge_reg_operand(value));
    }
}

/* Registers of the function that live on after instruction i, a call. */
static uint64_t *live_after(struct merge *m, uint32_t i)
{
    uint32_t regs[PTX_INSTR_REGS], block = m->cfg.block_of[i];
    uint64_t *live = ARENA_ARRAY(&m->jit->arena, uint64_t, m->live.words + 1);
    if (block == PTX_NO_BLOCK) return live;
    for (uint32_t w = 0; w < m->live.words; w++)
        live[w] = m->live.live_out[block][w];
    for (uint32_t k = m->cfg.blocks[block].last; k-- > i;) {
        const struct ptx_instr *instr = &m->member->flat->instrs[k];
        unsigned count = ptx_instr_defs(instr, regs, SW_COUNT_OF(regs));
        for (unsigned r = 0; r < count && instr->guard == PTX_NO_REG; r++)
            live[regs[r] / 64] &= ~(1ull << (regs[r] % 64));
        if (k == i) break; /* its results are taken after the registers come back */
        count = ptx_instr_uses(instr, regs, SW_COUNT_OF(regs));
        for (unsigned r = 0; r < count; r++)
            jit_bit_set(live, regs[r]);
    }
    return live;
}

static void move_live(struct merge *m, const uint64_t *live, bool save)
{
    const struct member *member = m->member;
    for (uint32_t r = 0; r < member->flat->reg_count && !member->is_kernel; r++) {
        if (!ptx_live(live, r)) continue;
        struct ptx_operand at = at_reg(m->fp, member->save_at[r]);
        if (save)
            save_reg(m, map_reg(m, r), at);
        else
            restore_reg(m, map_reg(m, r), at);
    }
}

static void check_stack(struct merge *m, uint32_t bytes)
{
    uint32_t top = new_reg(m, ISA_B64), limit = new_reg(m, ISA_B64), over = new_reg(m, ISA_PRED);
    make_add(m, top, m->fp, bytes);
    struct ptx_operand move[] = {merge_reg_operand(limit), at_var(m->stack, STACK_BYTES)};
    move[1].kind = ISA_OPD_VAR;
    merge_make(m, ISA_OP_MOV, ISA_MOD_NONE, ISA_U64, move, 2);
    struct ptx_operand test[] = {merge_reg_operand(over), merge_reg_operand(top), merge_reg_operand(limit)};
    merge_make(m, ISA_OP_SETP, ISA_MOD_GT, ISA_U64, test, 3);
    struct ptx_operand status = int_operand(SW_HARDWARE_STACK_ERROR);
    merge_make(m, ISA_OP_TRAP, ISA_MOD_NONE, ISA_TYPE_NONE, &status, 1)->guard = over;
}

static void jump_to_targets(struct merge *m, const struct call *call)
{
    for (uint32_t i = 0; i < m->member_count; i++) {
        if (!merge_reaches(m, call, &m->members[i])) continue;
        if (call->target->kind == ISA_OPD_FUNC) {
            jump_to_member(m, i, PTX_NO_REG);
            return;
        }
        uint32_t is = new_reg(m, ISA_PRED);
        uint64_t token = jit_function_token(m->jit, m->members[i].source);
        struct ptx_operand test[] = {merge_reg_operand(is), merge_reg_operand(map_reg(m, call->target->reg)),
                                     int_operand(token)};
        merge_make(m, ISA_OP_SETP, ISA_MOD_EQ, ISA_B64, test, 3);
        jump_to_member(m, i, is);
    }
    struct ptx_operand status = int_operand(SW_ILLEGAL_INSTRUCTION);
    merge_make(m, ISA_OP_TRAP, ISA_MOD_NONE, ISA_TYPE_NONE, &status, 1);
}

static enum sw_status lower_call(struct merge *m, const struct ptx_instr *instr, uint32_t i)
{
    struct call call = read_call(instr);
    uint32_t frame, own = m->member->frame_bytes;
    const struct member *callee = first_reached(m, &call, &frame);
    if (!callee) return jit_refuse(m->jit, instr, "no function of this module matches its prototype");
    uint64_t *live = live_after(m, i);
    for (uint32_t r = 0; r < m->member->flat->reg_count; r++)
        if (!m->member->is_kernel && ptx_live(live, r) && !saved_type(&m->member->flat->regs[r]))
            return jit_refuse(m->jit, instr, "a register wider than 64 bits lives across it");
    struct ptx_instr *skip = NULL;
    size_t skip_at = m->instrs.count;
    if (instr->guard != PTX_NO_REG) {
        skip = make_jump(m, 0);
        skip->guard = map_reg(m, instr->guard);
        skip->guard_negate = !instr->guard_negate;
    }
    check_stack(m, own + frame);
    move_live(m, live, true);
    for (uint32_t p = 0; p < callee->flat->param_count; p++)
        pass_argument(m, &call.arguments->elements[p], callee->flat->params[p], own + callee->param_at[p]);
    make_store(m, ISA_MOD_LOCAL, ISA_B32, at_reg(m->fp, own), int_operand(m->returns.count));
    make_add(m, m->fp, m->fp, own);
    jump_to_targets(m, &call);
    *vec_push(&m->returns) = (uint32_t)m->instrs.count;
    make_add(m, m->fp, m->fp, -(int64_t)own);
    move_live(m, live, false);
    for (uint32_t r = 0; r < count_of(call.results); r++)
        take_result(m, &call.results->elements[r], callee->flat->returns[r], own + callee->return_at[r]);
    if (skip) m->instrs.at[skip_at].operands[0].target = (uint32_t)m->instrs.count;
    return SW_OK;
}

/* ret: results that are registers go to the frame; then to wherever the caller goes on. */
static void lower_return(struct merge *m, const struct ptx_instr *instr)
{
    const struct ptx_function *f = m->member->flat;
    size_t skip_at = m->instrs.count;
    if (instr->guard != PTX_NO_REG) {
        struct ptx_instr *skip = make_jump(m, 0);
        skip->guard = map_reg(m, instr->guard);
        skip->guard_negate = !instr->guard_negate;
    }
    for (uint32_t i = 0; i < f->return_count; i++)
        if (f->return_regs && f->return_regs[i] != PTX_NO_REG)
            save_reg(m, map_reg(m, f->return_regs[i]), at_reg(m->fp, m->member->return_at[i]));
    uint32_t number = new_reg(m, ISA_B32);
    make_load(m, ISA_MOD_LOCAL, ISA_B32, number, at_reg(m->fp, 0));
    struct ptx_operand branch[] = {
        merge_reg_operand(number),
        {.kind = ISA_OPD_PROTO, .reg = PTX_NO_REG, .reg2 = PTX_NO_REG, .table = m->return_table}};
    merge_make(m, ISA_OP_BRX, ISA_MOD_IDX, ISA_TYPE_NONE, branch, 2);
    if (instr->guard != PTX_NO_REG) m->instrs.at[skip_at].operands[0].target = (uint32_t)m->instrs.count;
}

static void begin_member(struct merge *m)
{
    const struct ptx_function *f = m->member->flat;
    m->member->entry = (uint32_t)m->instrs.count;
    if (m->member->is_kernel) {
        struct ptx_operand move[] = {merge_reg_operand(m->fp), at_var(m->stack, 0)};
        move[1].kind = ISA_OPD_VAR;
        merge_make(m, ISA_OP_MOV, ISA_MOD_NONE, ISA_U64, move, 2);
        return;
    }
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->param_regs && f->param_regs[i] != PTX_NO_REG)
            restore_reg(m, map_reg(m, f->param_regs[i]), at_reg(m->fp, m->member->param_at[i]));
}

/* Does the call go to a function that becomes part of the whole? */
static bool is_inner_call(const struct ptx_instr *instr)
{
    if (instr->op != ISA_OP_CALL) return false;
    struct call call = read_call(instr);
    return call.target && (call.target->kind == ISA_OPD_REG || call.target->function->has_body);
}

/* Labels of the function become those of the whole. */
static void merge_retarget(struct merge *m, size_t from, size_t tables_from)
{
    uint32_t count = m->member->flat->instr_count;
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_instr *instr = &m->instrs.at[m->where[i]];
        const struct ptx_instr *old = &m->member->flat->instrs[i];
        if (old->op != ISA_OP_BRA || m->where[i] < from) continue;
        instr->operands[0].target = m->where[old->operands[0].target];
    }
    for (size_t t = tables_from; t < m->tables.count; t++)
        for (uint32_t i = 0; i < m->tables.at[t]->count; i++)
            m->tables.at[t]->targets[i] = m->where[m->tables.at[t]->targets[i]];
}

static enum sw_status copy_member(struct merge *m, struct member *member)
{
    const struct ptx_function *f = member->flat;
    size_t from = m->instrs.count, tables_from = m->tables.count;
    m->member = member;
    m->like = f->instrs;
    m->where = ARENA_ARRAY(&m->jit->arena, uint32_t, f->instr_count + 1);
    SW_TRY(ptx_cfg_build(f, &m->jit->arena, &m->cfg, m->jit->error));
    ptx_liveness_build(&m->cfg, &m->jit->arena, &m->live);
    begin_member(m);
    for (uint32_t i = 0; i < f->instr_count; i++) {
        const struct ptx_instr *instr = &f->instrs[i];
        m->like = instr;
        m->where[i] = (uint32_t)m->instrs.count;
        if (is_inner_call(instr))
            SW_TRY(lower_call(m, instr, i));
        else if (instr->op == ISA_OP_RET && !member->is_kernel)
            lower_return(m, instr);
        else
            copy_instr(m, instr);
    }
    m->where[f->instr_count] = (uint32_t)m->instrs.count;
    if (member->is_kernel)
        merge_make(m, ISA_OP_EXIT, ISA_MOD_NONE, ISA_TYPE_NONE, NULL, 0);
    else
        lower_return(m, &(struct ptx_instr){.guard = PTX_NO_REG});
    merge_retarget(m, from, tables_from);
    memcpy(m->jit->merged_from + member->first_row, m->where, f->instr_count * sizeof *m->where);
    return SW_OK;
}

/* ---- the whole */

static struct ptx_var *new_stack(struct merge *m)
{
    struct ptx_var *var = ARENA_NEW(&m->jit->arena, struct ptx_var);
    *var = (struct ptx_var){.name = "softwarp_stack",
                            .space = PTX_SPACE_LOCAL,
                            .type = ISA_B8,
                            .vector = 1,
                            .align = SLOT,
                            .count = STACK_BYTES,
                            .bytes = STACK_BYTES,
                            .is_array = true,
                            .owner = m->out};
    return var;
}

static void merge_gather(struct merge *m)
{
    struct jit *jit = m->jit;
    m->member_count = (uint32_t)jit->callees->count + 1;
    m->members = ARENA_ARRAY(&jit->arena, struct member, m->member_count);
    for (uint32_t i = 0; i < m->member_count; i++) {
        struct member *member = &m->members[i];
        member->is_kernel = i == 0;
        member->source = i ? jit->callees->at[i - 1].source : jit->function;
        member->flat = i ? jit->callees->at[i - 1].flat : jit->function;
        member->address_taken = i && takes_parameter_address(member->flat);
        member->first_reg = (uint32_t)m->regs.count;
        member->first_row = i ? jit->callees->at[i - 1].first_row : 0;
        for (uint32_t r = 0; r < member->flat->reg_count; r++)
            *vec_push(&m->regs) = member->flat->regs[r];
        for (uint32_t v = 0; v < member->flat->var_count; v++)
            *vec_push(&m->vars) = member->flat->vars[v];
        lay_out(m, member);
    }
    jit->merged_from = ARENA_ARRAY(&jit->arena, uint32_t, jit->row_count + 1);
    m->fp = new_reg(m, ISA_B64);
    *vec_push(&m->vars) = m->stack = new_stack(m);
    m->return_table = ARENA_NEW(&jit->arena, struct ptx_table);
    *m->return_table = (struct ptx_table){.kind = PTX_TABLE_BRANCHES, .name = "softwarp_returns"};
}

static void merge_finish(struct merge *m)
{
    struct arena *arena = &m->jit->arena;
    struct ptx_function *out = m->out;
    for (size_t i = 0; i < m->patches.count; i++)
        m->instrs.at[m->patches.at[i].instr].operands[0].target = m->members[m->patches.at[i].member].entry;
    m->return_table->count = (uint32_t)m->returns.count;
    m->return_table->targets = arena_copy(arena, m->returns.at, m->returns.count * sizeof *m->returns.at);
    *vec_push(&m->tables) = m->return_table;
    out->instr_count = (uint32_t)m->instrs.count;
    out->instrs = arena_copy(arena, m->instrs.at, m->instrs.count * sizeof *m->instrs.at);
    out->reg_count = (uint32_t)m->regs.count;
    out->regs = arena_copy(arena, m->regs.at, m->regs.count * sizeof *m->regs.at);
    out->var_count = (uint32_t)m->vars.count;
    out->vars = arena_copy(arena, m->vars.at, m->vars.count * sizeof(struct ptx_var *));
    out->table_count = (uint32_t)m->tables.count;
    out->tables = arena_copy(arena, m->tables.at, m->tables.count * sizeof(struct ptx_table *));
    out->label_count = 0;
    m->jit->function = out;
    m->jit->callees->count = 0;
}

static void merge_release(struct merge *m)
{
    vec_release(&m->instrs);
    vec_release(&m->regs);
    vec_release(&m->vars);
    vec_release(&m->tables);
    vec_release(&m->patches);
    vec_release(&m->returns);
}

static bool takes_registers(const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->param_regs && f->param_regs[i] != PTX_NO_REG) return true;
    for (uint32_t i = 0; i < f->return_count; i++)
        if (f->return_regs && f->return_regs[i] != PTX_NO_REG) return true;
    return false;
}

static bool needs_merging(struct jit *jit)
{
    bool needs = jit->callees->count > 0 && passes_registers(jit->function);
    for (size_t i = 0; i < jit->callees->count && !needs; i++) {
        const struct jit_callee *callee = &jit->callees->at[i];
        needs =
            takes_registers(callee->source) || passes_registers(callee->flat) || may_stop(jit, callee->flat);
    }
    return needs;
}

/* The kernel with its functions inside, in the place of jit->function, where that is needed. */
enum sw_status jit_merge(struct jit *jit)
{
    if (!needs_merging(jit)) return SW_OK;
    struct merge m = {.jit = jit, .out = arena_copy(&jit->arena, jit->function, sizeof *jit->function)};
    enum sw_status status = SW_OK;
    merge_gather(&m);
    for (uint32_t i = 0; i < m.member_count && status == SW_OK; i++)
        status = copy_member(&m, &m.members[i]);
    if (status == SW_OK) merge_finish(&m);
    merge_release(&m);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* One flat function a kernel: direct calls replaced by the body of what they call.
 *
 * Each inlined body is an instance with registers, labels, tables and local variables of its own; a shared
 * variable stays the one of the module. The caller's .param variables stand for the callee's parameters, so
 * passing costs nothing; ptx_promote.c then turns them into registers.
 *
 *     @p call (r), f, (a);        @!p bra after;
 *                          ->     <body of f; `ret` is `bra after`>
 *                                 after:
 *
 * Limits: recursive functions stay calls; so does what would make the result larger than MOST_INSTRUCTIONS or
 * is nested deeper than MOST_DEPTH (a log line says so). */
#include "ptx_priv.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INSTRUCTIONS = 100000, MOST_DEPTH = 64 };

struct instance {
    struct ptx_flat *flat;
    const struct ptx_function *function;
    const struct ptx_instr *call;              /* NULL: the outermost */
    const struct ptx_loc *call_loc, *position; /* position: of what has no position of its own */
    uint32_t *regs;                            /* callee's number -> flat number; PTX_NO_REG: not seen yet */
    uint32_t *where;                           /* callee's instruction -> flat instruction */
    struct map vars, tables, locs;
    uint32_t depth;
    VEC(uint32_t) jumps;   /* flat instructions that jump to a target of the callee */
    VEC(uint32_t) returns; /* flat instructions that jump to the end */
    bool address_taken;    /* of a parameter: then .param accesses through registers are local ones */
    struct ptx_contraction contraction;
};

static void emit_function(struct instance *in);

/* ---- registers, variables, tables ---- */

static uint32_t new_reg(struct ptx_flat *flat, struct ptx_reg reg)
{
    *vec_push(&flat->regs) = reg;
    return (uint32_t)flat->regs.count - 1;
}

static uint32_t map_reg(struct instance *in, uint32_t reg)
{
    if (reg == PTX_NO_REG) return reg;
    if (in->regs[reg] == PTX_NO_REG) in->regs[reg] = new_reg(in->flat, in->function->regs[reg]);
    return in->regs[reg];
}

static struct ptx_var *add_var(struct ptx_flat *flat, const struct ptx_var *var)
{
    struct ptx_var *copy = arena_copy(flat->arena, var, sizeof *var);
    copy->owner = flat->out;
    copy->index = (uint32_t)flat->vars.count;
    *vec_push(&flat->vars) = copy;
    return copy;
}

static void set_var(struct instance *in, const struct ptx_var *from, const struct ptx_var *to)
{
    map_set_u64(&in->vars, (uint64_t)(uintptr_t)from, (void *)to);
}

static const struct ptx_var *map_var(struct instance *in, const struct ptx_var *var)
{
    const struct ptx_var *to = var ? map_get_u64(&in->vars, (uint64_t)(uintptr_t)var) : NULL;
    return to ? to : var;
}

static bool is_shared_by_all(const struct ptx_var *var)
{
    return var->space != PTX_SPACE_LOCAL && var->space != PTX_SPACE_PARAM;
}

/* Prototypes and lists of call targets are the same for all instances. */
static void list_call_tables(struct instance *in)
{
    for (uint32_t i = 0; i < in->function->table_count; i++) {
        struct ptx_table *table = in->function->tables[i];
        if (table->kind == PTX_TABLE_BRANCHES || map_get_u64(&in->flat->shared, (uint64_t)(uintptr_t)table))
            continue;
        map_set_u64(&in->flat->shared, (uint64_t)(uintptr_t)table, table);
        *vec_push(&in->flat->tables) = table;
    }
}

/* Variables of the body: own copies of .local and .param; a .shared one is listed once. */
static void map_locals(struct instance *in)
{
    for (uint32_t i = 0; i < in->function->var_count; i++) {
        struct ptx_var *var = in->function->vars[i];
        if (!is_shared_by_all(var)) {
            set_var(in, var, add_var(in->flat, var));
        } else if (!map_get_u64(&in->flat->shared, (uint64_t)(uintptr_t)var)) {
            map_set_u64(&in->flat->shared, (uint64_t)(uintptr_t)var, var);
            *vec_push(&in->flat->vars) = var;
        }
    }
}

static const struct ptx_table *map_table(struct instance *in, const struct ptx_table *table)
{
    if (!table || table->kind != PTX_TABLE_BRANCHES) return table;
    struct ptx_table *copy = map_get_u64(&in->tables, (uint64_t)(uintptr_t)table);
    if (copy) return copy;
    copy = arena_copy(in->flat->arena, table, sizeof *table);
    copy->targets = arena_copy(in->flat->arena, table->targets, table->count * sizeof *table->targets);
    map_set_u64(&in->tables, (uint64_t)(uintptr_t)table, copy);
    *vec_push(&in->flat->tables) = copy;
    return copy;
}

/* ---- source positions ---- */

/* The callee's position with the call as the outermost caller's caller. */
static const struct ptx_loc *map_loc(struct instance *in, const struct ptx_loc *loc)
{
    if (!in->call || !loc) return loc ? loc : in->position;
    struct ptx_loc *copy = map_get_u64(&in->locs, (uint64_t)(uintptr_t)loc);
    if (copy) return copy;
    copy = arena_copy(in->flat->arena, loc, sizeof *loc);
    map_set_u64(&in->locs, (uint64_t)(uintptr_t)loc, copy);
    struct ptx_loc *last = copy;
    while (last->caller) { /* at most 64: the parser cuts chains there */
        last->caller = arena_copy(in->flat->arena, last->caller, sizeof *last);
        last = (struct ptx_loc *)last->caller;
    }
    last->caller = in->call_loc;
    if (!last->function) last->function = in->function->name;
    return copy;
}

/* ---- instructions ---- */

static void map_operand(struct instance *in, struct ptx_operand *operand)
{
    operand->reg = map_reg(in, operand->reg);
    operand->reg2 = map_reg(in, operand->reg2);
    operand->var = map_var(in, operand->var);
    operand->table = map_table(in, operand->table);
    if (!operand->count) return;
    operand->elements = arena_copy(in->flat->arena, operand->elements, operand->count * sizeof *operand);
    for (uint32_t i = 0; i < operand->count; i++)
        map_operand(in, &operand->elements[i]);
}

static void replace_space(struct ptx_instr *instr, enum isa_mod to)
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (isa_mod_category((enum isa_mod)instr->mods[i]) == ISA_CAT_SPACE) instr->mods[i] = (uint16_t)to;
}

/* In a callee that took a parameter's address, .param means the local copy of its parameters. */
static void redirect_param_access(struct instance *in, struct ptx_instr *instr)
{
    if (!in->address_taken || ptx_instr_space(instr) != PTX_SPACE_PARAM) return;
    if (instr->op == ISA_OP_CVTA) replace_space(instr, ISA_MOD_LOCAL);
    if (instr->op != ISA_OP_LD && instr->op != ISA_OP_ST) return;
    const struct ptx_operand *address = &instr->operands[instr->op == ISA_OP_LD && instr->operand_count > 1];
    if (address->kind == ISA_OPD_MEM && !address->var) replace_space(instr, ISA_MOD_LOCAL);
}

static struct ptx_instr *flatten_emit(struct instance *in, const struct ptx_instr *instr)
{
    struct ptx_instr copy = *instr;
    copy.guard = map_reg(in, instr->guard);
    copy.loc = map_loc(in, instr->loc);
    copy.operands =
        arena_copy(in->flat->arena, instr->operands, instr->operand_count * sizeof *instr->operands);
    for (unsigned i = 0; i < copy.operand_count; i++)
        map_operand(in, &copy.operands[i]);
    redirect_param_access(in, &copy);
    struct ptx_instr *position = vec_push(&in->flat->instrs);
    *position = copy;
    return position;
}

/* A new instruction of our own at the place of `like`. */
static struct ptx_instr *emit_new(struct ptx_flat *flat, const struct ptx_instr *like, enum isa_op op,
                                  enum isa_type type, unsigned operand_count)
{
    struct ptx_instr *instr = vec_push(&flat->instrs);
    *instr = (struct ptx_instr){.op = op, .guard = PTX_NO_REG, .line = like->line, .column = like->column};
    instr->operand_count = (uint8_t)operand_count;
    instr->operands = ARENA_ARRAY(flat->arena, struct ptx_operand, operand_count);
    for (unsigned i = 0; i < operand_count; i++)
        instr->operands[i].reg = instr->operands[i].reg2 = PTX_NO_REG;
    if (type != ISA_TYPE_NONE) {
        instr->types[instr->type_count++] = (uint8_t)type;
        instr->word_mask = 1;
    }
    return instr;
}

static void emit_jump_to_end(struct instance *in, const struct ptx_instr *ret)
{
    struct ptx_instr *jump = emit_new(in->flat, ret, ISA_OP_BRA, ISA_TYPE_NONE, 1);
    jump->guard = map_reg(in, ret->guard);
    jump->guard_negate = ret->guard_negate;
    jump->loc = map_loc(in, ret->loc);
    jump->operands[0].kind = ISA_OPD_LABEL;
    *vec_push(&in->returns) = (uint32_t)in->flat->instrs.count - 1;
}

/* ---- passing values ---- */

static void emit_move(struct ptx_flat *flat, const struct ptx_instr *like, const struct ptx_loc *loc,
                      uint32_t to, const struct ptx_operand *from)
{
    struct ptx_instr *move = emit_new(flat, like, ISA_OP_MOV, flat->regs.at[to].type, 2);
    move->loc = loc;
    move->operands[0].kind = ISA_OPD_REG;
    move->operands[0].reg = to;
    move->operands[1] = *from;
}

static struct ptx_operand flatten_memory_of(const struct ptx_var *var)
{
    return (struct ptx_operand){.kind = ISA_OPD_MEM, .reg = PTX_NO_REG, .reg2 = PTX_NO_REG, .var = var};
}

static void emit_access(struct ptx_flat *flat, const struct ptx_instr *like, const struct ptx_loc *loc,
                        enum isa_op op, enum isa_type type, const struct ptx_var *var,
                        const struct ptx_operand *value)
{
    struct ptx_instr *access = emit_new(flat, like, op, type, 2);
    access->loc = loc;
    access->mods[access->mod_count++] = ISA_MOD_PARAM;
    access->word_mask = 2;
    access->operands[op == ISA_OP_LD] = flatten_memory_of(var);
    access->operands[op == ISA_OP_ST] = *value;
}

static struct ptx_operand flatten_reg_operand(uint32_t reg)
{
    return (struct ptx_operand){.kind = ISA_OPD_REG, .reg = reg, .reg2 = PTX_NO_REG};
}

/* Bind parameter i of the callee to an argument as the caller has it (mapped already). */
static void pass_in(struct instance *in, uint32_t i, const struct ptx_operand *argument)
{
    const struct ptx_function *f = in->function;
    bool by_name = argument->kind == ISA_OPD_VAR && argument->offset == 0;
    if (f->param_regs[i] != PTX_NO_REG) {
        uint32_t to = map_reg(in, f->param_regs[i]);
        struct ptx_operand value = flatten_reg_operand(to);
        if (by_name)
            emit_access(in->flat, in->call, in->call_loc, ISA_OP_LD, f->regs[f->param_regs[i]].type,
                        argument->var, &value);
        else
            emit_move(in->flat, in->call, in->call_loc, to, argument);
    } else if (by_name) {
        set_var(in, f->params[i], argument->var);
    } else {
        struct ptx_var *var = add_var(in->flat, f->params[i]);
        set_var(in, f->params[i], var);
        emit_access(in->flat, in->call, in->call_loc, ISA_OP_ST, var->type, var, argument);
    }
}

static void bind_result(struct instance *in, uint32_t i, const struct ptx_operand *result)
{
    const struct ptx_function *f = in->function;
    if (f->return_regs[i] != PTX_NO_REG) return;
    if (result && result->kind == ISA_OPD_VAR && result->offset == 0)
        set_var(in, f->returns[i], result->var);
    else
        set_var(in, f->returns[i], add_var(in->flat, f->returns[i]));
}

static void pass_out(struct instance *in, uint32_t i, const struct ptx_operand *result)
{
    const struct ptx_function *f = in->function;
    if (!result || result->kind == ISA_OPD_SINK) return;
    if (f->return_regs[i] != PTX_NO_REG) {
        struct ptx_operand value = flatten_reg_operand(map_reg(in, f->return_regs[i]));
        if (result->kind == ISA_OPD_REG)
            emit_move(in->flat, in->call, in->call_loc, result->reg, &value);
        else if (result->kind == ISA_OPD_VAR)
            emit_access(in->flat, in->call, in->call_loc, ISA_OP_ST, f->regs[f->return_regs[i]].type,
                        result->var, &value);
    } else if (result->kind == ISA_OPD_REG) {
        struct ptx_operand value = flatten_reg_operand(result->reg);
        emit_access(in->flat, in->call, in->call_loc, ISA_OP_LD, in->flat->regs.at[result->reg].type,
                    map_var(in, f->returns[i]), &value);
    }
}

/* ---- mul and add that become one fma ---- */

static bool flip_constant(struct ptx_operand *operand)
{
    if (operand->kind != ISA_OPD_FLOAT) return false;
    operand->bits ^= operand->is_f32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    return true;
}

/* A register of the flat function that holds the negated operand. */
static uint32_t emit_negation(struct instance *in, const struct ptx_instr *like, uint32_t from)
{
    struct ptx_reg reg = {.name = "%minus", .type = in->flat->regs.at[from].type};
    uint32_t to = new_reg(in->flat, reg);
    struct ptx_instr *neg = emit_new(in->flat, like, ISA_OP_NEG, ptx_instr_type(like, 0), 2);
    neg->loc = map_loc(in, like->loc);
    neg->operands[0].kind = neg->operands[1].kind = ISA_OPD_REG;
    neg->operands[0].reg = to;
    neg->operands[1].reg = from;
    return to;
}

/* Where a product stood: its operands, in registers that nothing else writes. */
static void emit_saved(struct instance *in, uint32_t i)
{
    const struct ptx_instr *mul = &in->function->instrs[i];
    struct ptx_operand *copies = arena_copy(in->flat->arena, mul->operands + 1, 2 * sizeof *copies);
    for (unsigned k = 0; k < 2; k++) {
        map_operand(in, &copies[k]);
        if (copies[k].kind != ISA_OPD_REG) continue;
        struct ptx_reg reg = {.name = "%kept", .type = in->flat->regs.at[copies[k].reg].type};
        uint32_t to = new_reg(in->flat, reg);
        emit_move(in->flat, mul, map_loc(in, mul->loc), to, &copies[k]);
        copies[k].reg = to;
    }
    map_set_u64(&in->contraction.copies, i, copies);
}

static void emit_fused(struct instance *in, uint32_t i, const struct ptx_fusion *fusion)
{
    const struct ptx_instr *add = &in->function->instrs[i], *mul = &in->function->instrs[fusion->mul];
    const struct ptx_operand *copies = map_get_u64(&in->contraction.copies, fusion->mul);
    struct ptx_operand operands[4] = {add->operands[0], mul->operands[1], mul->operands[2],
                                      add->operands[fusion->addend]};
    bool minus[4] = {false, fusion->minus_product, false, fusion->minus_addend};
    uint32_t regs[4]; /* in the flat function, of what is not as the text has it */
    struct ptx_instr fma = *add;
    fma.op = ISA_OP_FMA;
    fma.operands = operands;
    fma.operand_count = 4;
    memmove(fma.mods + 1, fma.mods, fma.mod_count++ * sizeof *fma.mods);
    fma.mods[0] = ISA_MOD_RN;
    fma.word_mask <<= 1;
    for (unsigned k = 0; k < 4; k++) {
        bool is_reg = operands[k].kind == ISA_OPD_REG, is_copy = copies && (k == 1 || k == 2);
        regs[k] = is_reg ? is_copy ? copies[k - 1].reg : map_reg(in, operands[k].reg) : PTX_NO_REG;
        if (minus[k] && !flip_constant(&operands[k])) regs[k] = emit_negation(in, add, regs[k]);
    }
    struct ptx_instr *position = flatten_emit(in, &fma);
    for (unsigned k = 0; k < 4; k++)
        position->operands[k].reg = regs[k];
}

/* ---- calls ---- */

/* The lists of a call: results and arguments, or NULL. */
struct lists {
    const struct ptx_operand *results, *arguments;
};

static struct lists lists_of(const struct ptx_instr *call)
{
    struct lists lists = {0};
    bool passed = false;
    for (unsigned i = 0; i < call->operand_count; i++) {
        const struct ptx_operand *operand = &call->operands[i];
        passed |= operand->kind == ISA_OPD_FUNC;
        if (operand->kind == ISA_OPD_LIST) *(passed ? &lists.arguments : &lists.results) = operand;
    }
    return lists;
}

static uint32_t count_of(const struct ptx_operand *list)
{
    return list ? list->count : 0;
}

static bool can_inline(struct instance *in, const struct ptx_instr *call, const struct ptx_function *callee)
{
    if (!callee->has_body || callee->is_entry) return false;
    const struct ptx_call_plan *plan = ptx_call_plan_of(&in->flat->plans, callee);
    struct lists lists = lists_of(call);
    if (!plan || plan->recursive) return false;
    if (count_of(lists.arguments) != callee->param_count || count_of(lists.results) > callee->return_count)
        return false;
    if (in->depth + 1 < MOST_DEPTH && in->flat->size + plan->size <= MOST_INSTRUCTIONS) return true;
    in->flat->left_calls++;
    return false;
}

static bool takes_parameter_address(const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->instr_count; i++)
        for (unsigned o = 0; o < f->instrs[i].operand_count; o++) {
            const struct ptx_operand *operand = &f->instrs[i].operands[o];
            if (operand->kind != ISA_OPD_VAR || operand->var->space != PTX_SPACE_PARAM) continue;
            if (operand->var->index < f->param_count && f->params[operand->var->index] == operand->var)
                return true;
        }
    return false;
}

static void release_instance(struct instance *in)
{
    map_release(&in->vars);
    map_release(&in->tables);
    map_release(&in->locs);
    vec_release(&in->jumps);
    vec_release(&in->returns);
    free(in->regs);
    free(in->where);
    ptx_contraction_release(&in->contraction);
}

static void init_instance(struct instance *in)
{
    const struct ptx_function *f = in->function;
    in->regs = sw_xmalloc((f->reg_count + 1u) * sizeof *in->regs);
    in->where = sw_xcalloc(f->instr_count + 1u, sizeof *in->where);
    memset(in->regs, 0xff, (f->reg_count + 1u) * sizeof *in->regs);
    ptx_contract(f, &in->contraction);
    in->flat->size += (uint64_t)f->instr_count + f->reg_count / 4 + f->var_count + 1;
}

static struct ptx_operand *map_list(struct instance *in, const struct ptx_operand *list)
{
    if (!list || !list->count) return NULL;
    struct ptx_operand copy = *list;
    map_operand(in, &copy);
    return copy.elements;
}

/* What an inlined function has taken with alloca goes when it ends. */
static bool takes_stack(const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->instr_count; i++)
        if (f->instrs[i].op == ISA_OP_ALLOCA) return true;
    return false;
}

static void emit_stack(struct instance *in, const struct ptx_instr *call, enum isa_op op, uint32_t reg)
{
    struct ptx_instr *instr = emit_new(in->flat, call, op, ISA_U64, 1);
    instr->loc = in->call_loc;
    instr->operands[0].kind = ISA_OPD_REG;
    instr->operands[0].reg = reg;
}

static void inline_call(struct instance *caller, const struct ptx_instr *call,
                        const struct ptx_function *callee)
{
    struct ptx_flat *flat = caller->flat;
    struct instance in = {.flat = flat, .function = callee, .call = call, .depth = caller->depth + 1};
    struct lists lists = lists_of(call);
    struct ptx_operand *arguments = map_list(caller, lists.arguments),
                       *results = map_list(caller, lists.results);
    in.call_loc = in.position = map_loc(caller, call->loc);
    if (in.call_loc) {
        struct ptx_loc *position = arena_copy(flat->arena, in.call_loc, sizeof *position);
        position->function = callee->name;
        position->caller = in.call_loc;
        in.position = position;
    }
    in.address_taken = takes_parameter_address(callee);
    init_instance(&in);
    uint32_t skip = UINT32_MAX;
    if (call->guard != PTX_NO_REG) {
        struct ptx_instr *jump = emit_new(flat, call, ISA_OP_BRA, ISA_TYPE_NONE, 1);
        jump->guard = map_reg(caller, call->guard);
        jump->guard_negate = !call->guard_negate;
        jump->loc = in.call_loc;
        jump->operands[0].kind = ISA_OPD_LABEL;
        skip = (uint32_t)flat->instrs.count - 1;
    }
    for (uint32_t i = 0; i < callee->param_count; i++)
        pass_in(&in, i, &arguments[i]);
    for (uint32_t i = 0; i < callee->return_count; i++)
        bind_result(&in, i, i < count_of(lists.results) ? &results[i] : NULL);
    uint32_t stack = PTX_NO_REG;
    if (takes_stack(callee)) {
        stack = new_reg(flat, (struct ptx_reg){.name = "%stack", .type = ISA_U64});
        emit_stack(&in, call, ISA_OP_STACKSAVE, stack);
    }
    emit_function(&in);
    if (stack != PTX_NO_REG) emit_stack(&in, call, ISA_OP_STACKRESTORE, stack);
    for (uint32_t i = 0; i < count_of(lists.results); i++)
        pass_out(&in, i, &results[i]);
    if (skip != UINT32_MAX) flat->instrs.at[skip].operands[0].target = (uint32_t)flat->instrs.count;
    release_instance(&in);
}

/* A call that stays: it names the function itself, not an alias. */
static void keep_call(struct instance *in, const struct ptx_instr *instr)
{
    struct ptx_instr *call = flatten_emit(in, instr);
    for (unsigned i = 0; i < call->operand_count; i++)
        if (call->operands[i].kind == ISA_OPD_FUNC) call->operands[i].function = ptx_call_target(instr);
}

/* ---- bodies ---- */

static void emit_one(struct instance *in, uint32_t i)
{
    const struct ptx_instr *instr = &in->function->instrs[i];
    const struct ptx_function *callee = ptx_call_target(instr);
    const struct ptx_contraction *contraction = &in->contraction;
    if (contraction->dropped && contraction->dropped[i]) {
        if (contraction->saved[i]) emit_saved(in, i);
        return;
    }
    if (contraction->fused && contraction->fused[i].mul != UINT32_MAX) {
        emit_fused(in, i, &contraction->fused[i]);
    } else if (callee && can_inline(in, instr, callee)) {
        inline_call(in, instr, callee);
    } else if (callee) {
        keep_call(in, instr);
    } else if (instr->op == ISA_OP_RET && in->call) {
        bool last = i + 1 == in->function->instr_count;
        if (!last) emit_jump_to_end(in, instr);
    } else {
        flatten_emit(in, instr);
        if (ptx_instr_is_branch(instr)) *vec_push(&in->jumps) = (uint32_t)in->flat->instrs.count - 1;
    }
}

static void flatten_retarget(struct instance *in)
{
    struct ptx_flat *flat = in->flat;
    for (size_t i = 0; i < in->jumps.count; i++) {
        struct ptx_instr *jump = &flat->instrs.at[in->jumps.at[i]];
        for (unsigned o = 0; o < jump->operand_count; o++)
            if (jump->operands[o].kind == ISA_OPD_LABEL)
                jump->operands[o].target = in->where[jump->operands[o].target];
    }
    for (size_t i = 0; i < in->returns.count; i++)
        flat->instrs.at[in->returns.at[i]].operands[0].target = (uint32_t)flat->instrs.count;
    size_t cursor = 0;
    for (void *value; map_next(&in->tables, &cursor, &value);) {
        struct ptx_table *table = value;
        for (uint32_t i = 0; i < table->count; i++)
            table->targets[i] = in->where[table->targets[i]];
    }
}

static void emit_function(struct instance *in)
{
    const struct ptx_function *f = in->function;
    uint32_t label = 0;
    map_locals(in);
    list_call_tables(in);
    for (uint32_t i = 0; i <= f->instr_count; i++) {
        in->where[i] = (uint32_t)in->flat->instrs.count;
        for (; label < f->label_count && f->labels[label].target == i; label++)
            *vec_push(&in->flat->labels) =
                (struct ptx_label){f->labels[label].name, in->where[i], f->labels[label].nounroll};
        if (i < f->instr_count) emit_one(in, i);
    }
    flatten_retarget(in);
}

/* ---- unreachable code ---- */

static uint32_t *keep_reachable(struct ptx_flat *flat, const struct ptx_cfg *cfg)
{
    uint32_t n = (uint32_t)flat->instrs.count, kept = 0;
    uint32_t *position = sw_xcalloc(n + 1u, sizeof *position);
    for (uint32_t i = 0; i < n; i++) {
        position[i] = kept;
        if (cfg->block_of[i] != PTX_NO_BLOCK) flat->instrs.at[kept++] = flat->instrs.at[i];
    }
    position[n] = kept;
    flat->instrs.count = kept;
    return position;
}

void ptx_flat_retarget(struct ptx_flat *flat, const uint32_t *position)
{
    for (size_t i = 0; i < flat->instrs.count; i++)
        for (unsigned o = 0; o < flat->instrs.at[i].operand_count; o++) {
            struct ptx_operand *operand = &flat->instrs.at[i].operands[o];
            if (operand->kind == ISA_OPD_LABEL) operand->target = position[operand->target];
        }
    for (size_t t = 0; t < flat->tables.count; t++)
        for (uint32_t i = 0; flat->tables.at[t]->kind == PTX_TABLE_BRANCHES && i < flat->tables.at[t]->count;
             i++)
            flat->tables.at[t]->targets[i] = position[flat->tables.at[t]->targets[i]];
    for (size_t i = 0; i < flat->labels.count; i++)
        flat->labels.at[i].target = position[flat->labels.at[i].target];
}

static enum sw_status drop_unreachable(struct ptx_flat *flat, struct sw_error *error)
{
    struct ptx_function *out = flat->out;
    struct arena scratch;
    struct ptx_cfg cfg;
    arena_init(&scratch);
    out->instrs = flat->instrs.at;
    out->instr_count = (uint32_t)flat->instrs.count;
    enum sw_status status = ptx_cfg_build(out, &scratch, &cfg, error);
    if (status == SW_OK) {
        uint32_t *position = keep_reachable(flat, &cfg);
        ptx_flat_retarget(flat, position);
        free(position);
    }
    arena_release(&scratch);
    return status;
}

/* ---- the whole ---- */

static void flatten_finish(struct ptx_flat *flat)
{
    struct ptx_function *out = flat->out;
    out->instr_count = (uint32_t)flat->instrs.count;
    out->instrs = arena_copy(flat->arena, flat->instrs.at, flat->instrs.count * sizeof *flat->instrs.at);
    out->reg_count = (uint32_t)flat->regs.count;
    out->regs = arena_copy(flat->arena, flat->regs.at, flat->regs.count * sizeof *flat->regs.at);
    out->var_count = (uint32_t)flat->vars.count;
    out->vars = arena_copy(flat->arena, flat->vars.at, flat->vars.count * sizeof *flat->vars.at);
    out->label_count = (uint32_t)flat->labels.count;
    out->labels = arena_copy(flat->arena, flat->labels.at, flat->labels.count * sizeof *flat->labels.at);
    out->table_count = (uint32_t)flat->tables.count;
    out->tables = arena_copy(flat->arena, flat->tables.at, flat->tables.count * sizeof *flat->tables.at);
}

static void flatten_release(struct ptx_flat *flat)
{
    vec_release(&flat->instrs);
    vec_release(&flat->regs);
    vec_release(&flat->vars);
    vec_release(&flat->labels);
    vec_release(&flat->tables);
    map_release(&flat->shared);
    ptx_call_plans_release(&flat->plans);
}

/* The outermost instance keeps its registers' numbers. */
static void keep_numbers(struct instance *top)
{
    for (uint32_t i = 0; i < top->function->reg_count; i++)
        top->regs[i] = new_reg(top->flat, top->function->regs[i]);
}

enum sw_status ptx_flatten(const struct ptx_module *module, const struct ptx_function *entry,
                           struct arena *arena, struct ptx_function **out, struct sw_error *error)
{
    if (entry->alias_of) entry = entry->alias_of;
    if (!entry->has_body)
        return sw_fail_at(error, SW_INVALID_PTX, module->name, entry->line, 1, "'%s' has no body",
                          entry->name);
    struct ptx_flat flat = {.module = module, .arena = arena, .out = arena_copy(arena, entry, sizeof *entry)};
    struct arena scratch;
    arena_init(&scratch);
    ptx_call_plans_build(entry, &scratch, &flat.plans);
    struct instance top = {.flat = &flat, .function = entry};
    init_instance(&top);
    keep_numbers(&top);
    emit_function(&top);
    enum sw_status status = drop_unreachable(&flat, error);
    if (status == SW_OK) {
        ptx_flat_promote(&flat);
        flatten_finish(&flat);
        ptx_reduce_atomics(flat.out);
        *out = flat.out;
    }
    if (flat.left_calls)
        sw_log("%s: %u calls in '%s' are not inlined, because the function would become too large",
               module->name, flat.left_calls, entry->name);
    release_instance(&top);
    flatten_release(&flat);
    arena_release(&scratch);
    return status;
}

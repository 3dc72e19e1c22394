/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: describe a kernel to tools and callers: what each instruction is, what a thread and a block need.
 * Method: ptx_classify says what an instruction is. The table of instructions, with its
 * text, is made only where a tool is attached. Limits: registers are an estimate: the most bytes of PTX
 * registers live at once, in 32-bit registers, plus what ptxas usually needs for addresses and the stack. A
 * cubin gives the exact number (engine_kernel_set_resources). */
#include "engine_describe.h"

#include <string.h>

struct describer {
    const struct ptx_module *ptx;
    const struct ptx_function *function; /* flat */
    struct arena *arena;                 /* of what the description is made of */
    struct event_kernel *info;
};

static void describe_instr(const struct ptx_instr *instr, struct event_instr *out)
{
    struct ptx_work work;
    ptx_classify(instr, &work);
    *out = (struct event_instr){.isa = instr->isa,
                                .cls = (uint8_t)work.cls,
                                .unit = (uint8_t)work.unit,
                                .space = (uint8_t)work.space,
                                .flop = (uint8_t)work.flop,
                                .bytes = work.bytes,
                                .guarded = work.guarded,
                                .guard_negate = instr->guard_negate,
                                .returns = work.returns,
                                .is_read = work.is_read,
                                .is_write = work.is_write,
                                .ptx_line = instr->line,
                                .block = EVENT_NO_BLOCK};
    memset(&out->slots, 0xff, sizeof out->slots); /* EVENT_NO_SLOT everywhere */
}

/* ---- text and lines
 * --------------------------------------------------------------------------------------------- */

static void describe_text(struct describer *d, const char *text, struct event_instr *out)
{
    out->text = text;
    const char *op = out->text;
    if (*op == '@') op += strcspn(op, " \t");
    op += strspn(op, " \t");
    out->op = arena_strndup(d->arena, op, strcspn(op, " \t;"));
}

static const struct event_loc *describe_loc(struct describer *d, struct map *seen, const struct ptx_loc *loc)
{
    if (!loc) return NULL;
    struct event_loc *known = map_get_u64(seen, (uint64_t)(uintptr_t)loc);
    if (known) return known;
    const struct ptx_module *ptx = d->ptx;
    const char *file = loc->file < ptx->file_count ? ptx->files[loc->file] : NULL;
    known = ARENA_NEW(d->arena, struct event_loc);
    *known = (struct event_loc){
        .file = file ? file : "", .line = loc->line, .column = loc->column, .function = loc->function};
    map_set_u64(seen, (uint64_t)(uintptr_t)loc, known);
    known->caller = describe_loc(d, seen, loc->caller);
    return known;
}

/* ---- operands */

static void describe_types(const struct ptx_function *function, struct event_operand *out)
{
    if (out->reg != EVENT_NO_REG) {
        out->type = (uint8_t)function->regs[out->reg].type;
        out->parameter = function->regs[out->reg].parameter;
    }
    if (out->reg2 != EVENT_NO_REG) out->type2 = (uint8_t)function->regs[out->reg2].type;
}

static const char *operand_name(const struct ptx_operand *operand)
{
    if (operand->var) return operand->var->name;
    if (operand->function) return operand->function->name;
    return operand->table ? operand->table->name : NULL;
}

static const struct event_operand *describe_operands(struct arena *arena, const struct ptx_function *function,
                                                     const struct ptx_operand *operands, uint32_t count)
{
    _Static_assert(PTX_NO_REG == EVENT_NO_REG, "registers");
    struct event_operand *out = count ? ARENA_ARRAY(arena, struct event_operand, count) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *from = &operands[i];
        bool placed = from->kind == ISA_OPD_MEM || from->kind == ISA_OPD_VAR;
        out[i] = (struct event_operand){
            .kind = (uint8_t)from->kind,
            .negate = from->negate,
            .is_f32 = from->is_f32,
            .sreg = (uint16_t)from->sreg,
            .reg = from->reg,
            .reg2 = from->reg2,
            .bits = placed ? (uint64_t)from->offset : from->bits,
            .name = operand_name(from),
            .count = from->count,
            .elements = describe_operands(arena, function, from->elements, from->count),
        };
        if (from->var) out[i].type = (uint8_t)from->var->type;
        describe_types(function, &out[i]);
    }
    return out;
}

/* ---- blocks and registers, from which timing/ works out what waits for what
 * ------------------------------------------------------------------------- */

static void describe_regs(struct describer *d, const struct ptx_instr *instr, struct event_instr *out)
{
    enum { HALF = EVENT_INSTR_REGS / 2 };
    uint32_t regs[EVENT_INSTR_REGS];
    unsigned defs = ptx_instr_defs(instr, regs, HALF);
    if (defs > HALF) defs = HALF;
    unsigned uses = ptx_instr_uses(instr, regs + defs, HALF);
    if (uses > HALF) uses = HALF;
    out->def_count = (uint8_t)defs;
    out->use_count = (uint8_t)uses;
    out->regs = arena_copy(d->arena, regs, (defs + uses) * sizeof *regs);
}

/* Blocks of a function whose first instruction is number `at` of the kernel's table. */
static void describe_block(const struct ptx_cfg *cfg, uint32_t b, uint32_t at, uint32_t before_all,
                           struct event_block *out)
{
    const struct ptx_block *block = &cfg->blocks[b];
    *out = (struct event_block){.first = at + block->first, .count = block->last - block->first};
    for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++)
        out->before[i] = EVENT_NO_BLOCK;
    for (uint32_t i = 0, n = 0; i < block->pred_count && n < EVENT_BLOCK_BEFORE; i++)
        out->before[n++] = before_all + block->pred[block->pred_count - 1 - i];
    out->more_before = block->pred_count > EVENT_BLOCK_BEFORE;
}

/* What .pragma "nounroll" says of single loops, or of a whole function. */
static void keep_loops(const struct ptx_cfg *cfg, const struct ptx_function *function,
                       struct event_block *blocks)
{
    bool all = false;
    for (uint32_t i = 0; i < function->pragma_count; i++)
        all |= strcmp(function->pragmas[i], "nounroll") == 0;
    for (uint32_t b = 0; b < cfg->block_count; b++)
        blocks[b].nounroll = all;
    for (uint32_t i = 0; i < function->label_count; i++) {
        const struct ptx_label *label = &function->labels[i];
        uint32_t b = label->target < function->instr_count ? cfg->block_of[label->target] : PTX_NO_BLOCK;
        if (label->nounroll && b != PTX_NO_BLOCK) blocks[b].nounroll = true;
    }
}

static enum sw_status describe_blocks(struct describer *d, const struct ptx_function *function, uint32_t at,
                                      struct event_instr *instrs, struct sw_error *error)
{
    struct ptx_cfg cfg;
    struct arena scratch;
    arena_init(&scratch);
    enum sw_status status = ptx_cfg_build(function, &scratch, &cfg, error);
    if (status == SW_OK) {
        uint32_t before = d->info->block_count;
        struct event_block *blocks = ARENA_ARRAY(d->arena, struct event_block, before + cfg.block_count + 1);
        if (before) memcpy(blocks, d->info->blocks, before * sizeof *blocks);
        for (uint32_t b = 0; b < cfg.block_count; b++)
            describe_block(&cfg, b, at, before, &blocks[before + b]);
        keep_loops(&cfg, function, blocks + before);
        for (uint32_t i = 0; i < function->instr_count; i++)
            if (cfg.block_of[i] != PTX_NO_BLOCK) instrs[at + i].block = before + cfg.block_of[i];
        d->info->blocks = blocks;
        d->info->block_count = before + cfg.block_count;
        if (d->info->reg_count < function->reg_count) d->info->reg_count = function->reg_count;
    }
    arena_release(&scratch);
    return status;
}

static void describe_function(struct describer *d, const struct ptx_function *function, struct map *seen,
                              struct event_instr *out)
{
    const char **texts = ptx_print_instrs(d->ptx, function, d->arena);
    for (uint32_t i = 0; i < function->instr_count; i++) {
        describe_instr(&function->instrs[i], &out[i]);
        describe_text(d, texts[i], &out[i]);
        describe_regs(d, &function->instrs[i], &out[i]);
        out[i].operand_count = function->instrs[i].operand_count;
        out[i].operands = describe_operands(d->arena, function, function->instrs[i].operands,
                                            function->instrs[i].operand_count);
        out[i].loc = describe_loc(d, seen, function->instrs[i].loc);
    }
}

/* The kernel's instructions, then those of functions that stay calls. */
static enum sw_status describe_instrs(struct describer *d, struct sw_error *error)
{
    const struct ptx_function *function = d->function;
    const struct ptx_callee *callees;
    uint32_t callee_count, count = function->instr_count, at = function->instr_count;
    SW_TRY(ptx_callees(function, d->arena, &callees, &callee_count, error));
    for (uint32_t i = 0; i < callee_count; i++)
        count += callees[i].flat->instr_count;
    struct event_instr *instrs = ARENA_ARRAY(d->arena, struct event_instr, count + 1);
    struct map seen = {0};
    describe_function(d, function, &seen, instrs);
    enum sw_status status = describe_blocks(d, function, 0, instrs, error);
    for (uint32_t i = 0; i < callee_count && status == SW_OK; at += callees[i++].flat->instr_count) {
        describe_function(d, callees[i].flat, &seen, instrs + at);
        status = describe_blocks(d, callees[i].flat, at, instrs, error);
    }
    map_release(&seen);
    SW_TRY(status);
    d->info->instrs = instrs;
    d->info->instr_count = count;
    return SW_OK;
}

/* ---- what a thread and a block need
 * ----------------------------------------------------------------------------- */

struct needs {
    struct map seen;
    uint64_t shared, local;
};

static void mark_operand(struct needs *needs, const struct ptx_operand *operand)
{
    if (operand->var) map_set_u64(&needs->seen, (uint64_t)(uintptr_t)operand->var, needs);
    for (uint32_t i = 0; i < operand->count && operand->elements; i++)
        mark_operand(needs, &operand->elements[i]);
}

/* ptxas places the variables that a kernel names in the order of their declarations. */
static void need_vars(struct needs *needs, struct ptx_var *const *vars, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_var *var = vars[i];
        if (var->space != PTX_SPACE_SHARED && var->space != PTX_SPACE_LOCAL) continue;
        if (!map_get_u64(&needs->seen, (uint64_t)(uintptr_t)var)) continue;
        uint64_t *sum = var->space == PTX_SPACE_SHARED ? &needs->shared : &needs->local;
        *sum = sw_align_up(*sum, var->align ? var->align : 1) + var->bytes;
    }
}

static void describe_needs(struct describer *d)
{
    enum { MBARRIER_UNIT = 16 }; /* to which ptxas rounds up where there are mbarriers */
    const struct ptx_function *function = d->function;
    struct needs needs = {0};
    bool mbarriers = false;
    for (uint32_t i = 0; i < function->instr_count; i++) {
        mbarriers |= function->instrs[i].op == ISA_OP_MBARRIER;
        for (uint32_t o = 0; o < function->instrs[i].operand_count; o++)
            mark_operand(&needs, &function->instrs[i].operands[o]);
    }
    need_vars(&needs, d->ptx->vars, d->ptx->var_count);
    need_vars(&needs, function->vars, function->var_count);
    if (mbarriers) needs.shared = sw_align_up(needs.shared, MBARRIER_UNIT);
    d->info->static_shared_bytes = (uint32_t)needs.shared;
    d->info->local_bytes_per_thread = (uint32_t)needs.local;
    map_release(&needs.seen);
}

static enum sw_status describe_registers(struct describer *d, struct sw_error *error)
{
    struct arena scratch;
    struct ptx_cfg cfg;
    arena_init(&scratch);
    enum sw_status status = ptx_cfg_build(d->function, &scratch, &cfg, error);
    if (status == SW_OK) {
        uint32_t live = ptx_live_bytes(&cfg);
        d->info->registers = ptx_register_estimate(live, d->function->maxnreg);
        d->info->registers_wanted = ptx_register_estimate(live, UINT32_MAX);
    }
    arena_release(&scratch);
    return status;
}

static uint32_t max_threads(const struct ptx_function *function)
{
    enum { MOST = 1024 };
    const uint32_t *given = function->reqntid[0] ? function->reqntid : function->maxntid;
    if (!given[0]) return MOST;
    return given[0] * (given[1] ? given[1] : 1) * (given[2] ? given[2] : 1);
}

uint64_t engine_kernel_id(void)
{
    static atomic_uint_least64_t ids;
    return atomic_fetch_add(&ids, 1) + 1;
}

enum sw_status engine_describe(const struct ptx_module *ptx, const struct ptx_function *function, bool table,
                               struct arena *arena, struct event_kernel *out, struct sw_error *error)
{
    struct describer d = {.ptx = ptx, .function = function, .arena = arena, .info = out};
    *out = (struct event_kernel){.name = function->name,
                                 .ptx_sm = ptx->sm,
                                 .ptx_name = ptx->name ? ptx->name : "",
                                 .id = engine_kernel_id()};
    out->max_threads_per_block = max_threads(function);
    describe_needs(&d);
    SW_TRY(describe_registers(&d, error));
    if (!table) return SW_OK;
    out->params_loaded = ptx_params_loaded(function);
    return describe_instrs(&d, error);
}

enum sw_status engine_kernel_describe(struct engine_kernel *kernel, struct sw_error *error)
{
    bool table = kernel->module->engine->config.tool != NULL;
    return engine_describe(kernel->module->ptx, kernel->function, table, &kernel->arena, &kernel->info,
                           error);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: describe a kernel to tools and callers: what each instruction is, what a thread and a block need.
 * Method: class from the opcode table, the rest from types and modifiers. The table of instructions, with its
 * text, is made only where a tool is attached. Limits: registers are an estimate: the most bytes of PTX
 * registers live at once, in 32-bit registers, plus what ptxas usually needs for addresses and the stack. A
 * cubin gives the exact number (engine_kernel_set_registers). */
#include "engine_priv.h"

#include <string.h>

static const uint8_t op_class[PTX_OP_COUNT] = {
#define OP(id, name, dests, cls) [PTX_OP_##id] = EVENT_##cls,
#include "ptx/ptx_ops.def"
#undef OP
};

/* ---- one instruction
 * -------------------------------------------------------------------------------------------- */

static bool type_is_half(enum ptx_type type)
{
    return type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2;
}

static enum event_unit type_unit(enum ptx_type type)
{
    if (type_is_half(type)) return EVENT_UNIT_FP16;
    if (type == PTX_F32 || type == PTX_F32X2) return EVENT_UNIT_FP32;
    if (type == PTX_F64) return EVENT_UNIT_FP64;
    return EVENT_UNIT_INTEGER;
}

static enum event_unit alu_unit(const struct ptx_instr *instr)
{
    /* The compiler's exhaustive-switch check is not wanted here: most opcodes go by their type. */
    static const uint8_t by_op[PTX_OP_COUNT] = {
        [PTX_OP_POPC] = EVENT_UNIT_BIT,       [PTX_OP_CLZ] = EVENT_UNIT_BIT,
        [PTX_OP_BFIND] = EVENT_UNIT_BIT,      [PTX_OP_FNS] = EVENT_UNIT_BIT,
        [PTX_OP_BREV] = EVENT_UNIT_BIT,       [PTX_OP_BFE] = EVENT_UNIT_BIT,
        [PTX_OP_BFI] = EVENT_UNIT_BIT,        [PTX_OP_BMSK] = EVENT_UNIT_BIT,
        [PTX_OP_CVT] = EVENT_UNIT_CONVERT,    [PTX_OP_MOV] = EVENT_UNIT_COUNT,
        [PTX_OP_CVTA] = EVENT_UNIT_COUNT,     [PTX_OP_SELP] = EVENT_UNIT_COUNT,
        [PTX_OP_PRMT] = EVENT_UNIT_COUNT,     [PTX_OP_MAPA] = EVENT_UNIT_COUNT,
        [PTX_OP_ISSPACEP] = EVENT_UNIT_COUNT, [PTX_OP_ALLOCA] = EVENT_UNIT_COUNT};
    uint8_t unit = by_op[instr->op];
    if (unit == EVENT_UNIT_COUNT) return EVENT_UNIT_OTHER;
    if (unit != EVENT_UNIT_OTHER) return (enum event_unit)unit;
    enum ptx_type type = ptx_instr_type(instr, 0);
    bool compares = instr->op == PTX_OP_SET || instr->op == PTX_OP_SETP || instr->op == PTX_OP_SLCT;
    if (compares && instr->type_count > 1) type = ptx_instr_type(instr, 1);
    return type_unit(type);
}

static enum event_unit instr_unit(const struct ptx_instr *instr, enum event_class cls)
{
    static const uint8_t by_class[EVENT_CLASS_COUNT] = {
        [EVENT_WARP] = EVENT_UNIT_INTER_THREAD, [EVENT_LOAD] = EVENT_UNIT_MEMORY,
        [EVENT_STORE] = EVENT_UNIT_MEMORY,      [EVENT_ATOMIC] = EVENT_UNIT_MEMORY,
        [EVENT_COPY] = EVENT_UNIT_MEMORY,       [EVENT_TEXTURE] = EVENT_UNIT_MEMORY,
        [EVENT_BRANCH] = EVENT_UNIT_CONTROL,    [EVENT_CALL] = EVENT_UNIT_CONTROL,
        [EVENT_EXIT] = EVENT_UNIT_CONTROL,      [EVENT_BARRIER] = EVENT_UNIT_CONTROL};
    return cls == EVENT_ALU ? alu_unit(instr) : (enum event_unit)by_class[cls];
}

static enum event_flop instr_flop(const struct ptx_instr *instr)
{
    if (ptx_type_class(ptx_instr_type(instr, 0)) != PTX_CLASS_FLOAT) return EVENT_FLOP_NONE;
    if (instr->op == PTX_OP_ADD || instr->op == PTX_OP_SUB) return EVENT_FLOP_ADD;
    if (instr->op == PTX_OP_MUL) return EVENT_FLOP_MUL;
    return instr->op == PTX_OP_FMA || instr->op == PTX_OP_MAD ? EVENT_FLOP_FMA : EVENT_FLOP_NONE;
}

static enum event_space instr_space(const struct ptx_instr *instr, enum event_class cls)
{
    static const uint8_t of[PTX_SPACE_COUNT] = {
        [PTX_SPACE_GENERIC] = EVENT_SPACE_GENERIC, [PTX_SPACE_CONST] = EVENT_SPACE_CONST,
        [PTX_SPACE_GLOBAL] = EVENT_SPACE_GLOBAL,   [PTX_SPACE_LOCAL] = EVENT_SPACE_LOCAL,
        [PTX_SPACE_PARAM] = EVENT_SPACE_PARAM,     [PTX_SPACE_SHARED] = EVENT_SPACE_SHARED};
    if (cls != EVENT_LOAD && cls != EVENT_STORE && cls != EVENT_ATOMIC && cls != EVENT_COPY)
        return EVENT_SPACE_NONE;
    return (enum event_space)of[ptx_instr_space(instr)];
}

/* Bytes one lane moves: a copy says so in an operand, everything else by its type. */
static uint16_t instr_bytes(const struct ptx_instr *instr, enum event_class cls)
{
    if (cls == EVENT_COPY && instr->operand_count >= 3 && instr->operands[2].kind == PTX_OPD_INT)
        return (uint16_t)instr->operands[2].bits;
    unsigned bits = ptx_type_bits(ptx_instr_type(instr, 0));
    return (uint16_t)(bits * ptx_vector_count(instr) / 8);
}

static void describe_instr(const struct ptx_instr *instr, struct event_instr *out)
{
    enum event_class cls = (enum event_class)op_class[instr->op];
    bool atomic = cls == EVENT_ATOMIC;
    out->cls = (uint8_t)cls;
    out->unit = (uint8_t)instr_unit(instr, cls);
    out->space = (uint8_t)instr_space(instr, cls);
    out->flop = (uint8_t)instr_flop(instr);
    out->bytes = out->space == EVENT_SPACE_NONE ? 0 : instr_bytes(instr, cls);
    out->guarded = instr->guard != PTX_NO_REG;
    out->returns = instr->op == PTX_OP_ATOM;
    out->is_read = cls == EVENT_LOAD || atomic;
    out->is_write = cls == EVENT_STORE || atomic;
    out->ptx_line = instr->line;
    memset(&out->slots, 0xff, sizeof out->slots); /* EVENT_NO_SLOT everywhere */
}

/* ---- text and lines
 * --------------------------------------------------------------------------------------------- */

static void describe_text(struct engine_kernel *kernel, const struct ptx_instr *instr, struct str *text,
                          struct event_instr *out)
{
    str_clear(text);
    ptx_print_instr(kernel->module->ptx, kernel->function, instr, text);
    out->text = arena_strdup(&kernel->arena, str_text(text));
    const char *op = out->text;
    if (*op == '@') op += strcspn(op, " \t");
    op += strspn(op, " \t");
    out->op = arena_strndup(&kernel->arena, op, strcspn(op, " \t;"));
}

static const struct event_loc *describe_loc(struct engine_kernel *kernel, struct map *seen,
                                            const struct ptx_loc *loc)
{
    if (!loc) return NULL;
    struct event_loc *known = map_get_u64(seen, (uint64_t)(uintptr_t)loc);
    if (known) return known;
    const struct ptx_module *ptx = kernel->module->ptx;
    const char *file = loc->file < ptx->file_count ? ptx->files[loc->file] : NULL;
    known = ARENA_NEW(&kernel->arena, struct event_loc);
    *known = (struct event_loc){
        .file = file ? file : "", .line = loc->line, .column = loc->column, .function = loc->function};
    map_set_u64(seen, (uint64_t)(uintptr_t)loc, known);
    known->caller = describe_loc(kernel, seen, loc->caller);
    return known;
}

static void describe_instrs(struct engine_kernel *kernel)
{
    const struct ptx_function *function = kernel->function;
    struct event_instr *instrs = ARENA_ARRAY(&kernel->arena, struct event_instr, function->instr_count + 1);
    struct str text = {0};
    struct map seen = {0};
    for (uint32_t i = 0; i < function->instr_count; i++) {
        describe_instr(&function->instrs[i], &instrs[i]);
        describe_text(kernel, &function->instrs[i], &text, &instrs[i]);
        instrs[i].loc = describe_loc(kernel, &seen, function->instrs[i].loc);
    }
    map_release(&seen);
    str_release(&text);
    kernel->info.instrs = instrs;
    kernel->info.instr_count = function->instr_count;
}

/* ---- what a thread and a block need
 * ----------------------------------------------------------------------------- */

struct needs {
    struct map seen;
    uint64_t shared, local;
};

static void need_var(struct needs *needs, const struct ptx_var *var)
{
    if (var->space != PTX_SPACE_SHARED && var->space != PTX_SPACE_LOCAL) return;
    if (map_get_u64(&needs->seen, (uint64_t)(uintptr_t)var)) return;
    map_set_u64(&needs->seen, (uint64_t)(uintptr_t)var, needs);
    uint64_t *sum = var->space == PTX_SPACE_SHARED ? &needs->shared : &needs->local;
    *sum = sw_align_up(*sum, var->align ? var->align : 1) + var->bytes;
}

static void need_operand(struct needs *needs, const struct ptx_operand *operand)
{
    if (operand->var) need_var(needs, operand->var);
    for (uint32_t i = 0; i < operand->count && operand->elements; i++)
        need_operand(needs, &operand->elements[i]);
}

static void describe_needs(struct engine_kernel *kernel)
{
    const struct ptx_function *function = kernel->function;
    struct needs needs = {0};
    for (uint32_t i = 0; i < function->instr_count; i++)
        for (uint32_t o = 0; o < function->instrs[i].operand_count; o++)
            need_operand(&needs, &function->instrs[i].operands[o]);
    kernel->info.static_shared_bytes = (uint32_t)needs.shared;
    kernel->info.local_bytes_per_thread = (uint32_t)needs.local;
    map_release(&needs.seen);
}

static enum sw_status describe_registers(struct engine_kernel *kernel, struct sw_error *error)
{
    enum { WORKING = 6, LEAST = 8, MOST = 255 };
    struct arena scratch;
    struct ptx_cfg cfg;
    arena_init(&scratch);
    enum sw_status status = ptx_cfg_build(kernel->function, &scratch, &cfg, error);
    if (status == SW_OK) {
        struct ptx_liveness live;
        ptx_liveness_build(&cfg, &scratch, &live);
        uint32_t registers = (live.max_live_bytes + 3) / 4 + WORKING;
        uint32_t most = kernel->function->maxnreg ? kernel->function->maxnreg : MOST;
        kernel->info.registers = registers < LEAST ? LEAST : registers > most ? most : registers;
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

enum sw_status engine_kernel_describe(struct engine_kernel *kernel, struct sw_error *error)
{
    const struct ptx_module *ptx = kernel->module->ptx;
    kernel->info = (struct event_kernel){
        .name = kernel->function->name, .ptx_sm = ptx->sm, .ptx_name = ptx->name ? ptx->name : ""};
    kernel->info.max_threads_per_block = max_threads(kernel->function);
    describe_needs(kernel);
    SW_TRY(describe_registers(kernel, error));
    if (kernel->module->engine->config.tool) describe_instrs(kernel);
    return SW_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that stay functions after flattening: recursive ones, and those that function pointers may reach;
 * and those that they call in turn. In the order in which a kernel's instructions name them, so that whoever
 * asks gets the same list. Limits: none of its own; each is flattened (ptx_flatten.c). */
#include "ptx_priv.h"

struct search {
    struct arena *arena;
    VEC(struct ptx_callee) found;
};

static void callees_note(struct search *s, const struct ptx_function *function)
{
    if (!function->has_body || function->is_entry) return;
    for (size_t i = 0; i < s->found.count; i++)
        if (s->found.at[i].source == function) return;
    *vec_push(&s->found) = (struct ptx_callee){.source = function};
}

static const struct ptx_operand *call_target(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (instr->operands[i].kind == ISA_OPD_FUNC || instr->operands[i].kind == ISA_OPD_REG)
            return &instr->operands[i];
    return NULL;
}

static void note_operand(struct search *s, const struct ptx_operand *operand)
{
    if (operand->kind == ISA_OPD_FUNC) callees_note(s, operand->function);
    for (uint32_t i = 0; i < operand->count && operand->elements; i++)
        note_operand(s, &operand->elements[i]);
}

/* Every function whose address the module takes, in code or in data. */
static void note_addresses(struct search *s, const struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < module->functions[f]->instr_count; i++) {
            const struct ptx_instr *instr = &module->functions[f]->instrs[i];
            for (unsigned k = 0; k < instr->operand_count && instr->op != ISA_OP_CALL; k++)
                note_operand(s, &instr->operands[k]);
        }
    for (uint32_t v = 0; v < module->var_count; v++)
        for (uint32_t r = 0; r < module->vars[v]->reloc_count; r++)
            if (module->vars[v]->relocs[r].function) callees_note(s, module->vars[v]->relocs[r].function);
}

static void note_calls(struct search *s, const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instr_count; i++) {
        if (function->instrs[i].op != ISA_OP_CALL) continue;
        const struct ptx_operand *target = call_target(&function->instrs[i]);
        if (target && target->kind == ISA_OPD_FUNC) callees_note(s, target->function);
        if (target && target->kind == ISA_OPD_REG) note_addresses(s, function->module);
    }
}

static enum sw_status callees_find(struct search *s, const struct ptx_function *kernel,
                                   struct sw_error *error)
{
    note_calls(s, kernel);
    for (size_t i = 0; i < s->found.count; i++) {
        struct ptx_function *flat;
        const struct ptx_function *source = s->found.at[i].source;
        SW_TRY(ptx_flatten(source->module, source, s->arena, &flat, error));
        s->found.at[i].flat = flat;
        note_calls(s, flat);
    }
    return SW_OK;
}

enum sw_status ptx_callees(const struct ptx_function *kernel, struct arena *arena,
                           const struct ptx_callee **out, uint32_t *count, struct sw_error *error)
{
    struct search s = {.arena = arena};
    enum sw_status status = callees_find(&s, kernel, error);
    if (status == SW_OK) {
        *out = arena_copy(arena, s.found.at, s.found.count * sizeof *s.found.at);
        *count = (uint32_t)s.found.count;
    }
    vec_release(&s.found);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Where variables stand: static shared variables that the kernel names, in the module's order, then dynamic
 * shared memory; local variables of a lane. Limits: a shared variable that is only named in an initialiser is
 * not seen (PTX has none). */
#include "jit/analysis/jit_layout.h"
#include "jit/core/jit_core.h"

enum { KERNEL_STACK_BYTES = 32 << 10, CALLEE_STACK_BYTES = 4 << 10 };

typedef void (*visit_fn)(struct jit *jit, const struct ptx_var *var);

static void visit_operand(struct jit *jit, const struct ptx_operand *operand, visit_fn visit)
{
    if (operand->var) visit(jit, operand->var);
    for (uint32_t i = 0; i < operand->count && operand->elements; i++)
        visit_operand(jit, &operand->elements[i], visit);
}

static struct jit_site *find_site(struct jit_site *sites, size_t count, const struct ptx_var *var)
{
    for (size_t i = 0; i < count; i++)
        if (sites[i].var == var) return &sites[i];
    return NULL;
}

static void note_shared(struct jit *jit, const struct ptx_var *var)
{
    if (var->space == PTX_SPACE_SHARED && !find_site(jit->shared_sites.at, jit->shared_sites.count, var))
        *vec_push(&jit->shared_sites) = (struct jit_site){.var = var};
}

static void note_local(struct jit *jit, const struct ptx_var *var)
{
    if (var->space == PTX_SPACE_LOCAL && !find_site(jit->local_sites.at, jit->local_sites.count, var))
        *vec_push(&jit->local_sites) = (struct jit_site){.var = var};
}

bool jit_is_dynamic(const struct ptx_var *var)
{
    return var->count == 0 || var->bytes == 0;
}

static int layout_by_order(const void *a, const void *b)
{
    const struct ptx_var *x = ((const struct jit_site *)a)->var, *y = ((const struct jit_site *)b)->var;
    bool x_inner = x->owner != NULL, y_inner = y->owner != NULL;
    if (x_inner != y_inner) return x_inner - y_inner;
    return x->index < y->index ? -1 : x->index > y->index;
}

static uint32_t layout_assign(struct jit_site *sites, size_t count, bool dynamic_too)
{
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (jit_is_dynamic(sites[i].var) && !dynamic_too) continue;
        uint32_t align = sites[i].var->align ? sites[i].var->align : 1;
        at = sw_align_up(at, align);
        sites[i].offset = at;
        at += sites[i].var->bytes;
    }
    return (uint32_t)sw_align_up(at, 16);
}

static void note_function(struct jit *jit, const struct ptx_function *function, visit_fn visit)
{
    for (uint32_t i = 0; i < function->instr_count; i++)
        for (unsigned k = 0; k < function->instrs[i].operand_count; k++)
            visit_operand(jit, &function->instrs[i].operands[k], visit);
}

static void place_shared(struct jit *jit)
{
    struct jit_site *sites = jit->shared_sites.at;
    size_t count = jit->shared_sites.count;
    if (count) qsort(sites, count, sizeof *sites, layout_by_order);
    jit->info.static_shared_bytes = layout_assign(sites, count, false);
    for (size_t i = 0; i < count; i++)
        if (jit_is_dynamic(sites[i].var)) sites[i].offset = jit->info.static_shared_bytes;
}

/* ---- alloca's area (jit_emit_stack.c), at the end of the lane's local memory */

uint32_t jit_stack_bytes(const struct jit *jit)
{
    return jit->is_callee ? CALLEE_STACK_BYTES : KERNEL_STACK_BYTES;
}

static void place_stack(struct jit *jit)
{
    bool wanted = false;
    for (uint32_t i = 0; i < jit->function->instr_count; i++) {
        enum isa_op op = jit->function->instrs[i].op;
        wanted |= op == ISA_OP_ALLOCA || op == ISA_OP_STACKSAVE || op == ISA_OP_STACKRESTORE;
    }
    if (!wanted) return;
    jit->stack_at = (uint32_t)sw_align_up(jit->info.local_bytes, JIT_STACK_ALIGN);
    jit->info.local_bytes = jit->stack_at + JIT_STACK_WORD + jit_stack_bytes(jit);
    jit->has_stack = true;
}

/* ---- all */

static void place_local(struct jit *jit)
{
    note_function(jit, jit->function, note_local);
    jit->info.local_bytes = layout_assign(jit->local_sites.at, jit->local_sites.count, true);
    place_stack(jit);
}

void jit_layout(struct jit *jit)
{
    note_function(jit, jit->function, note_shared);
    for (size_t i = 0; i < jit->callees->count; i++)
        note_function(jit, jit->callees->at[i].flat, note_shared);
    place_shared(jit);
    place_local(jit);
}

/* Shared variables stand where the kernel has them. */
void jit_layout_callee(struct jit *jit, const struct jit *kernel)
{
    for (size_t i = 0; i < kernel->shared_sites.count; i++)
        *vec_push(&jit->shared_sites) = kernel->shared_sites.at[i];
    place_local(jit);
}

uint64_t jit_shared_offset(const struct jit *jit, const struct ptx_var *var)
{
    const struct jit_site *site = find_site(jit->shared_sites.at, jit->shared_sites.count, var);
    SW_ASSERT(site);
    return site->offset;
}

uint64_t jit_local_offset(const struct jit *jit, const struct ptx_var *var)
{
    const struct jit_site *site = find_site(jit->local_sites.at, jit->local_sites.count, var);
    SW_ASSERT(site);
    return site->offset;
}

static uint64_t sites_end(const struct jit_site *sites, size_t count)
{
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++)
        if (!jit_is_dynamic(sites[i].var) && sites[i].offset + sites[i].var->bytes > end)
            end = sites[i].offset + sites[i].var->bytes;
    return end;
}

uint64_t jit_shared_end(const struct jit *jit)
{
    return sites_end(jit->shared_sites.at, jit->shared_sites.count);
}

uint64_t jit_local_end(const struct jit *jit)
{
    return sites_end(jit->local_sites.at, jit->local_sites.count);
}

bool jit_is_call_var(const struct jit *jit, const struct ptx_var *var)
{
    if (var->space != PTX_SPACE_PARAM) return false;
    for (uint32_t i = 0; i < jit->function->param_count; i++)
        if (jit->function->params[i] == var) return !jit->function->is_entry;
    return true;
}

uint64_t jit_function_token(const struct jit *jit, const struct ptx_function *function)
{
    const struct ptx_module *module = jit->function->module;
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i] == function) return JIT_FUNCTION_TOKEN(i);
    BUG("function '%s' is not in its module", function->name);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: say of findings how their address came about. Method: the slice of the address in the flat kernel
 * (ptx_slice.h), evaluated for the thread of the finding when the launch is over: its place in the grid and
 * the parameters are still known then, so that kernels run as they do without. Limits: functions that were
 * not inlined; values from memory and from loops are known where they follow from the address. */
#include "engine_formula.h"

#include "engine_job.h"

#include "ptx/ptx_slice.h"

#include <string.h>

struct where { /* whose variables */
    const struct engine_job *job;
    const struct event_finding *finding;
};

static bool address_of(void *user, const struct ptx_var *var, uint64_t *address)
{
    const struct where *w = user;
    const struct event_finding *f = w->finding;
    const struct engine_module *module = w->job->launch->kernel->module;
    bool of_module = var->space == PTX_SPACE_GLOBAL || var->space == PTX_SPACE_CONST;
    if (of_module && !var->owner) {
        *address = module->symbols[var->index];
        return *address != 0;
    }
    if (var->space == PTX_SPACE_PARAM) {
        *address = var->offset;
        return f->space == ISA_SPACE_PARAM;
    }
    *address = f->base;
    return !of_module && f->variable && strcmp(f->variable, var->name) == 0;
}

/* Where the access begins. The other addresses of reads that nobody wrote are those of their first byte that
 * is wrong; such accesses are aligned. */
static uint64_t begin_of(const struct event_finding *f)
{
    uint64_t bytes = f->place.bytes;
    bool aligned = f->kind == EVENT_FINDING_UNINITIALIZED && bytes && !(bytes & (bytes - 1));
    return aligned ? f->address & ~(bytes - 1) : f->address;
}

static bool is_explained(const struct engine_job *job, const struct event_finding *f)
{
    if (f->place.kernel != &job->launch->kernel->info || !f->place.line) return false;
    if (f->kind == EVENT_FINDING_UNINITIALIZED) return f->space != ISA_SPACE_LOCAL;
    return f->kind == EVENT_FINDING_BOUNDS || f->kind == EVENT_FINDING_MISALIGNED;
}

static void copy_term(const struct ptx_term *from, struct event_term *to, struct arena *texts)
{
    static const enum event_term_kind KINDS[] = {[PTX_TERM_LOADED] = EVENT_TERM_LOADED,
                                                 [PTX_TERM_SET] = EVENT_TERM_SET,
                                                 [PTX_TERM_COMPUTED] = EVENT_TERM_COMPUTED,
                                                 [PTX_TERM_TURNS] = EVENT_TERM_TURNS};
    *to = (struct event_term){.kind = (uint8_t)KINDS[from->kind],
                              .known = from->known,
                              .modulo = from->modulo,
                              .value = from->value,
                              .line = {from->line[0], from->line[1]},
                              .name = arena_strdup(texts, from->name),
                              .source = from->source};
}

_Static_assert(PTX_TERMS_MOST == SW_COUNT_OF(((struct event_formula *)0)->terms), "copied one by one");

static void copy_formula(const struct ptx_formula *from, struct event_formula *to, struct arena *texts)
{
    *to = (struct event_formula){.index = from->index,
                                 .index_values = from->index_values,
                                 .address = from->address,
                                 .address_values = from->address_values,
                                 .is_offset = from->is_offset,
                                 .value_known = from->value_known,
                                 .value = from->value,
                                 .term_count = from->term_count};
    for (uint32_t i = 0; i < from->term_count; i++)
        copy_term(&from->terms[i], &to->terms[i], texts);
}

/* Of one element of a vector: what an index counts. */
static uint32_t element_bytes(const struct event_finding *f)
{
    const struct event_kernel *kernel = f->place.kernel;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const struct event_instr *instr = &kernel->instrs[i];
        unsigned bits = isa_type_bits(isa_type_at(&instr->isa, 0));
        if (instr->ptx_line == f->place.line && isa_vector_count(&instr->isa) > 1 && bits >= 8)
            return bits / 8;
    }
    return f->place.bytes;
}

void engine_formula_set(struct engine_formulas *formulas, const struct engine_job *job,
                        struct event_finding *finding)
{
    struct ptx_formula formula;
    struct where where = {job, finding};
    if (!is_explained(job, finding)) return;
    if (!formulas->begun) {
        arena_init(&formulas->texts);
        formulas->slices = ptx_slices_new(job->launch->kernel->function);
        formulas->begun = true;
    }
    if (!formulas->slices) return;
    struct ptx_thread thread = {.params = job->params, .address_of = address_of, .user = &where};
    memcpy(thread.grid, job->launch->grid, sizeof thread.grid);
    memcpy(thread.block, job->launch->block, sizeof thread.block);
    memcpy(thread.block_index, finding->place.block, sizeof thread.block_index);
    memcpy(thread.thread_index, finding->place.thread, sizeof thread.thread_index);
    if (ptx_slices_explain(formulas->slices, finding->place.line, finding->place.writes,
                           element_bytes(finding), begin_of(finding), &thread, &formulas->texts, &formula))
        copy_formula(&formula, &finding->formula, &formulas->texts);
}

void engine_formulas_release(struct engine_formulas *formulas)
{
    ptx_slices_free(formulas->slices);
    if (formulas->begun) arena_release(&formulas->texts);
    *formulas = (struct engine_formulas){0};
}

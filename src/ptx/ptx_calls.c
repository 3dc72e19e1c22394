/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls can be inlined: the direct calls below a function, with recursion found by Tarjan's strongly
 * connected components (own stack: a chain of calls may be as long as the module), and the size each callee
 * will have once its own calls were inlined. */
#include "ptx_priv.h"

#include <stdlib.h>

const struct ptx_function *ptx_call_target(const struct ptx_instr *instr)
{
    if (instr->op != ISA_OP_CALL) return NULL;
    for (unsigned i = 0; i < instr->operand_count; i++) {
        if (instr->operands[i].kind != ISA_OPD_FUNC) continue;
        const struct ptx_function *f = instr->operands[i].function;
        return f->alias_of ? f->alias_of : f;
    }
    return NULL;
}

struct visit {
    const struct ptx_function *function;
    struct ptx_call_plan *plan;
    uint32_t next; /* instruction to look at */
};

struct search {
    struct ptx_call_plans *plans;
    VEC(struct visit) path;
    VEC(struct ptx_call_plan *) open; /* Tarjan's stack */
    uint32_t count;
};

static struct ptx_call_plan *calls_find(const struct ptx_call_plans *plans, const struct ptx_function *f)
{
    return map_get_u64(&plans->map, (uint64_t)(uintptr_t)f);
}

static void calls_enter(struct search *s, const struct ptx_function *f)
{
    struct ptx_call_plan *plan = ARENA_NEW(s->plans->arena, struct ptx_call_plan);
    plan->order = plan->low = ++s->count;
    plan->open = true;
    plan->size = (uint64_t)f->instr_count + f->reg_count / 4 + f->var_count + 1;
    map_set_u64(&s->plans->map, (uint64_t)(uintptr_t)f, plan);
    *vec_push(&s->open) = plan;
    *vec_push(&s->path) = (struct visit){f, plan, 0};
}

static void close_component(struct search *s, struct ptx_call_plan *root)
{
    struct ptx_call_plan *plan = s->open.at[s->open.count - 1];
    bool several = plan != root;
    do {
        plan = s->open.at[--s->open.count];
        plan->open = false;
        plan->recursive |= several;
    } while (plan != root);
}

static void leave(struct search *s)
{
    struct ptx_call_plan *done = s->path.at[--s->path.count].plan;
    if (done->low == done->order) close_component(s, done);
    if (!s->path.count) return;
    struct ptx_call_plan *caller = s->path.at[s->path.count - 1].plan;
    if (done->low < caller->low) caller->low = done->low;
    if (!done->recursive && !done->open && caller->size < UINT64_MAX / 4) caller->size += done->size;
    if (done->depth + 1 > caller->depth) caller->depth = done->depth + 1;
}

/* One step: look at the next instruction of the innermost function. */
static void calls_step(struct search *s)
{
    struct visit *top = &s->path.at[s->path.count - 1];
    if (top->next == top->function->instr_count) {
        leave(s);
        return;
    }
    const struct ptx_function *callee = ptx_call_target(&top->function->instrs[top->next++]);
    if (!callee || !callee->has_body) return;
    struct ptx_call_plan *plan = calls_find(s->plans, callee), *caller = top->plan;
    if (!plan) {
        calls_enter(s, callee);
        return;
    }
    if (callee == top->function) plan->recursive = true;
    if (plan->open && plan->order < caller->low) caller->low = plan->order;
    if (plan->open || plan->recursive) return;
    if (caller->size < UINT64_MAX / 4) caller->size += plan->size;
    if (plan->depth + 1 > caller->depth) caller->depth = plan->depth + 1;
}

void ptx_call_plans_build(const struct ptx_function *function, struct arena *arena,
                          struct ptx_call_plans *out)
{
    *out = (struct ptx_call_plans){.arena = arena};
    struct search s = {.plans = out};
    calls_enter(&s, function);
    while (s.path.count)
        calls_step(&s);
    vec_release(&s.path);
    vec_release(&s.open);
}

const struct ptx_call_plan *ptx_call_plan_of(const struct ptx_call_plans *plans, const struct ptx_function *f)
{
    return calls_find(plans, f);
}

void ptx_call_plans_release(struct ptx_call_plans *plans)
{
    map_release(&plans->map);
}

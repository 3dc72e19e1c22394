/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of executable graphs.
 *
 *   stream   begin --- a --- b ------- d --- tail      a plan: the graph's nodes with child graphs laid open,
 *   aside 0        \       \-- c --/ /                 each in a queue; a chain of nodes stays in one queue,
 *   aside 1         \--- e ---------/                  a branch goes to another
 *
 * The first queue is the stream, the others are the executable graph's own. A node goes to a queue of its
 * context: where it was captured, or what the program named (driver_node.context). One without a context, as
 * of the host, stays behind what it needs, in whichever context that is. */
#include "driver_graph_plan.h"

#include <stdlib.h>

enum { MOST_LANES = 8, NO_LANE = UINT32_MAX }; /* lanes: of a context */

struct ends { /* the steps after which something is done */
    VEC(uint32_t) steps;
};

static void ends_add(struct ends *to, const struct ends *from)
{
    for (size_t i = 0; i < from->steps.count; i++) {
        bool known = false;
        for (size_t k = 0; k < to->steps.count && !known; k++)
            known = to->steps.at[k] == from->steps.at[i];
        if (!known) *vec_push(&to->steps) = from->steps.at[i];
    }
}

static void plan_graph(struct driver_plan *plan, const struct driver_graph *graph, const struct ends *before,
                       struct ends *after);

bool driver_node_is_nothing(const struct driver_node *node)
{
    return (node->disabled && !node->updatable) || node->type == CU_GRAPH_NODE_TYPE_EMPTY;
}

/* mine: what the node comes after; becomes what comes after the node. */
static void plan_node(struct driver_plan *plan, struct driver_node *node, struct ends *mine)
{
    if (driver_node_is_nothing(node)) return;
    if (node->child) {
        struct ends after = {0};
        plan_graph(plan, node->child, mine, &after);
        vec_release(&mine->steps);
        *mine = after;
        return;
    }
    plan->begins |= node->condition || node->updatable;
    struct plan_step *step = vec_push(&plan->steps);
    *step = (struct plan_step){.node = node};
    for (size_t i = 0; i < mine->steps.count; i++)
        *vec_push(&step->needs) = mine->steps.at[i];
    vec_clear(&mine->steps);
    *vec_push(&mine->steps) = (uint32_t)(plan->steps.count - 1);
}

static void plan_graph(struct driver_plan *plan, const struct driver_graph *graph, const struct ends *before,
                       struct ends *after)
{
    size_t count = graph->nodes.count;
    struct driver_node **order;
    driver_graph_sort_locked(graph, &order); /* has no cycle: it was instantiated */
    struct ends *ends = sw_xcalloc(count + 1, sizeof *ends);
    bool *needed = sw_xcalloc(count + 1, sizeof *needed);
    for (size_t i = 0; i < count; i++) {
        struct ends *mine = &ends[order[i]->index];
        for (size_t k = 0; k < order[i]->needs.count; k++) {
            size_t need = order[i]->needs.at[k].node->index;
            ends_add(mine, &ends[need]);
            needed[need] = true;
        }
        if (order[i]->needs.count == 0) ends_add(mine, before);
        plan_node(plan, order[i], mine);
    }
    for (size_t i = 0; i < count; i++)
        if (!needed[i]) ends_add(after, &ends[i]);
    if (count == 0) ends_add(after, before);
    for (size_t i = 0; i < count; i++)
        vec_release(&ends[i].steps);
    free(ends);
    free(needed);
    free(order);
}

/* ---- queues */

/* A queue of the context for a step that follows on none: a new one, or one of those there in turn. */
static uint32_t open_lane(struct driver_plan *plan, struct driver_context *context, uint32_t step)
{
    uint32_t have = 0, turn, lane = 0;
    if (context == plan->context && plan->lanes.at[0].last == NO_LANE) return 0;
    for (size_t i = 0; i < plan->lanes.count; i++)
        have += plan->lanes.at[i].context == context;
    if (have < MOST_LANES) {
        *vec_push(&plan->lanes) = (struct plan_lane){.context = context, .last = NO_LANE};
        return (uint32_t)(plan->lanes.count - 1);
    }
    turn = step % have;
    while (plan->lanes.at[lane].context != context || turn--)
        lane++;
    return lane;
}

/* A step stays in the queue of a step it needs, if that is the last there; otherwise it opens a queue. */
static void choose_lanes(struct driver_plan *plan, struct driver_context *context)
{
    *vec_push(&plan->lanes) = (struct plan_lane){.context = context, .last = NO_LANE};
    for (uint32_t i = 0; i < plan->steps.count; i++) {
        struct plan_step *step = &plan->steps.at[i];
        struct driver_context *own = step->node->context;
        uint32_t lane = NO_LANE;
        for (size_t k = 0; k < step->needs.count && lane == NO_LANE; k++) {
            uint32_t of = plan->steps.at[step->needs.at[k]].lane;
            const struct plan_lane *there = &plan->lanes.at[of];
            if (there->last == step->needs.at[k] && (!own || there->context == own)) lane = of;
        }
        if (lane == NO_LANE) lane = open_lane(plan, own ? own : context, i);
        step->lane = lane;
        plan->lanes.at[lane].last = i;
    }
}

struct driver_plan *driver_plan_of_locked(struct driver_graph_exec *exec, struct driver_context *context)
{
    if (exec->plan && exec->plan->context == context) return exec->plan;
    struct ends none = {0}, after = {0};
    driver_plan_forget_locked(exec);
    exec->plan = sw_xcalloc(1, sizeof *exec->plan);
    exec->plan->context = context;
    plan_graph(exec->plan, exec->graph, &none, &after);
    choose_lanes(exec->plan, context);
    exec->plan->after = sw_xcalloc(exec->plan->lanes.count + 1, sizeof *exec->plan->after);
    vec_release(&after.steps);
    return exec->plan;
}

void driver_plan_free(struct driver_plan *plan)
{
    if (!plan) return;
    for (size_t i = 0; i < plan->steps.count; i++)
        vec_release(&plan->steps.at[i].needs);
    vec_release(&plan->steps);
    vec_release(&plan->lanes);
    free(plan->after);
    free(plan);
}

void driver_plan_forget_locked(struct driver_graph_exec *exec)
{
    driver_plan_free(exec->plan);
    exec->plan = NULL;
}

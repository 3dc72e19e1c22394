/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of graphs, by their plans (driver_graph_plan.c).
 *
 * A launch begins after the last one of the same executable graph. Bodies of conditional nodes, and graphs
 * that kernels launch, are of one context and run node by node on the thread that reaches them. Kernels of a
 * graph hand graphs to its run: those for the tail start when all the graph's nodes are done, one after the
 * other, each followed by its own (CUDA Programming Guide, "Device Graph Launch"). */
#include "driver_graph_plan.h"

#include "driver/core/driver_activity.h"
#include "driver/launch/driver_routine.h"
#include "driver/stream/driver_attribute.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TAILS = 255 };

/* ---- works in a row: bodies, and graphs that kernels launch */

struct sequence {
    VEC(struct driver_work) works;
};
struct driver_choice {
    struct driver_condition *condition; /* reference */
    CUgraphConditionalNodeType type;
    unsigned count;
    struct sequence *bodies;
    struct driver_graph_run *run; /* of the graph it is part of, while it is queued */
};

static void sequence_fill_locked(struct sequence *out, const struct driver_graph *graph);

static struct driver_choice *choice_of_locked(const struct driver_node *node)
{
    struct driver_choice *choice = sw_xcalloc(1, sizeof *choice);
    choice->condition = node->condition;
    driver_object_ref(&choice->condition->object);
    choice->type = node->condition_type;
    choice->count = node->body_count;
    choice->bodies = sw_xcalloc(choice->count, sizeof *choice->bodies);
    for (unsigned i = 0; i < choice->count; i++)
        sequence_fill_locked(&choice->bodies[i], node->bodies[i]);
    return choice;
}

static struct driver_work work_of_locked(const struct driver_node *node)
{
    struct driver_work work = {.kind = DRIVER_WORK_CHOICE};
    if (node->condition)
        work.choice = choice_of_locked(node);
    else
        driver_work_copy(&work, &node->work);
    if (work.kind == DRIVER_WORK_LAUNCH) {
        CUlaunchAttributeValue value =
            driver_attributes_get(&node->attributes, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
        if (value.accessPolicyWindow.num_bytes) work.launch.window = value.accessPolicyWindow;
        driver_updatable_hold(node, &work.launch);
    }
    return work;
}

static void sequence_fill_locked(struct sequence *out, const struct driver_graph *graph)
{
    struct driver_node **order;
    driver_graph_sort_locked(graph, &order);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        if (driver_node_is_nothing(order[i])) continue;
        if (order[i]->child)
            sequence_fill_locked(out, order[i]->child);
        else
            *vec_push(&out->works) = work_of_locked(order[i]);
    }
    free(order);
}

static void sequence_release(struct sequence *sequence)
{
    for (size_t i = 0; i < sequence->works.count; i++)
        driver_work_release(&sequence->works.at[i]);
    vec_release(&sequence->works);
}

static void enter_run(struct driver_work *work, struct driver_graph_run *run)
{
    if (work->kind == DRIVER_WORK_CHOICE) work->choice->run = run;
    if (work->kind == DRIVER_WORK_ROUTINE) work->routine.nvtx = run->nvtx;
    if (work->kind == DRIVER_WORK_ROUTINE) driver_routine_number(work, true);
    if (work->kind != DRIVER_WORK_LAUNCH) return;
    work->launch.run = run;
    work->launch.nvtx = run->nvtx;
    driver_launch_number(&work->launch);
}

static void sequence_run(struct sequence *sequence, struct driver_stream *stream,
                         struct driver_graph_run *run, const struct driver_caller *caller)
{
    for (size_t i = 0; i < sequence->works.count; i++) {
        sequence->works.at[i].caller = caller;
        enter_run(&sequence->works.at[i], run);
        if (driver_work_is_together(&sequence->works.at[i])) { /* one thread runs the whole body */
            sw_log(
                "the body of a conditional node has a call of a library that waits for other devices, which "
                "is not supported");
            driver_context_fail_one(stream->context, CUDA_ERROR_NOT_SUPPORTED);
            return;
        }
        driver_work_run(&sequence->works.at[i], stream);
    }
}

void driver_choice_free(struct driver_choice *choice)
{
    for (unsigned i = 0; i < choice->count; i++)
        sequence_release(&choice->bodies[i]);
    driver_object_unref(&choice->condition->object);
    free(choice->bodies);
    free(choice);
}

struct driver_choice *driver_choice_copy(const struct driver_choice *choice)
{
    struct driver_choice *copy = sw_xcalloc(1, sizeof *copy);
    *copy = *choice;
    driver_object_ref(&copy->condition->object);
    copy->bodies = sw_xcalloc(copy->count, sizeof *copy->bodies);
    for (unsigned i = 0; i < copy->count; i++)
        for (size_t k = 0; k < choice->bodies[i].works.count; k++)
            driver_work_copy(vec_push(&copy->bodies[i].works), &choice->bodies[i].works.at[k]);
    return copy;
}

static void body_run(struct driver_choice *choice, unsigned body, struct driver_stream *stream,
                     const struct driver_caller *caller)
{
    driver_clock_delay(stream, EVENT_CALL_CONDITION);
    sequence_run(&choice->bodies[body], stream, choice->run, caller);
}

void driver_choice_run(struct driver_choice *choice, struct driver_stream *stream,
                       const struct driver_caller *caller)
{
    unsigned value = atomic_load(&choice->condition->value);
    if (choice->type == CU_GRAPH_COND_TYPE_SWITCH) {
        if (value < choice->count) body_run(choice, value, stream, caller);
    } else if (choice->type == CU_GRAPH_COND_TYPE_IF) {
        unsigned body = value ? 0 : 1;
        if (body < choice->count) body_run(choice, body, stream, caller);
    } else {
        while (atomic_load(&choice->condition->value) && atomic_load(&stream->context->fault) == CUDA_SUCCESS)
            body_run(choice, 0, stream, caller);
    }
}

/* ---- runs, and what comes after them */

static void run_end(struct driver_object *object)
{
    struct driver_graph_run *run = (struct driver_graph_run *)object;
    for (size_t i = 0; i < run->tails.count; i++)
        driver_graph_exec_put(run->tails.at[i]);
    vec_release(&run->tails);
    driver_graph_exec_put(run->exec);
    pthread_mutex_destroy(&run->lock);
    free(run);
}

static struct driver_graph_run *run_new(struct driver_graph_exec *exec)
{
    struct driver_graph_run *run = sw_xcalloc(1, sizeof *run);
    driver_object_init(&run->object, (enum driver_kind)0, run_end);
    driver_object_ref(&exec->object);
    run->exec = exec;
    pthread_mutex_init(&run->lock, NULL);
    return run;
}

bool driver_graph_run_add_tail(struct driver_graph_run *run, struct driver_graph_exec *exec)
{
    pthread_mutex_lock(&run->lock);
    bool fits = run->tails.count < MOST_TAILS;
    if (fits) *vec_push(&run->tails) = exec;
    atomic_store(&run->has_tails, true);
    pthread_mutex_unlock(&run->lock);
    return fits;
}

uint64_t driver_graph_run_handle(const struct driver_graph_run *run)
{
    bool device = run && run->exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    return device ? (uintptr_t)run->exec : 0;
}

bool driver_graph_run_is_over(struct driver_graph_run *run)
{
    return !atomic_load(&run->has_tails);
}

struct execs { /* graphs to run, the next one last; references */
    VEC(struct driver_graph_exec *) list;
};

static void take_tails(struct execs *waiting, struct driver_graph_run *run)
{
    pthread_mutex_lock(&run->lock);
    while (run->tails.count)
        *vec_push(&waiting->list) = run->tails.at[--run->tails.count];
    atomic_store(&run->has_tails, false);
    pthread_mutex_unlock(&run->lock);
}

/* One after the other, each followed by its own tail. */
static void run_all(struct execs *waiting, struct driver_stream *stream)
{
    while (waiting->list.count) {
        struct driver_graph_exec *exec = waiting->list.at[--waiting->list.count];
        struct driver_graph_run *run = run_new(exec);
        struct sequence sequence = {0};
        pthread_mutex_lock(&driver_graph_lock);
        driver_conditions_reset_locked(exec->graph);
        driver_updatable_load_locked(exec->graph);
        sequence_fill_locked(&sequence, exec->graph);
        pthread_mutex_unlock(&driver_graph_lock);
        sequence_run(&sequence, stream, run, NULL); /* a kernel launched it */
        if (atomic_load(&stream->context->fault) == CUDA_SUCCESS) take_tails(waiting, run);
        sequence_release(&sequence);
        driver_object_unref(&run->object);
        driver_graph_exec_put(exec);
    }
    vec_release(&waiting->list);
}

void driver_graph_run_now(struct driver_graph_exec *exec, struct driver_stream *stream)
{
    struct execs waiting = {0};
    driver_object_ref(&exec->object);
    *vec_push(&waiting.list) = exec;
    run_all(&waiting, stream);
}

void driver_graph_run_tails(struct driver_graph_run *run, struct driver_stream *stream)
{
    struct execs waiting = {0};
    take_tails(&waiting, run);
    run_all(&waiting, stream);
}

void driver_graph_begin(struct driver_graph_exec *exec)
{
    pthread_mutex_lock(&driver_graph_lock);
    driver_conditions_reset_locked(exec->graph);
    driver_updatable_load_locked(exec->graph);
    pthread_mutex_unlock(&driver_graph_lock);
}

/* ---- launches by the host */

struct launching {
    struct driver_graph_exec *exec;
    struct driver_graph_run *run;
    struct driver_plan *plan;
    uint64_t begun; /* in the stream */
    uint64_t *seqs; /* of the steps, each in its lane */
};

/* Nodes run in contexts of their own: each must live, and not have failed. */
static CUresult check_contexts(const struct driver_plan *plan)
{
    for (size_t i = 1; i < plan->lanes.count; i++) {
        const struct driver_context *context = plan->lanes.at[i].context;
        if (driver_context_gone(context)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
        CUresult fault = (CUresult)atomic_load(&context->fault);
        if (fault != CUDA_SUCCESS) return fault;
    }
    return CUDA_SUCCESS;
}

static void find_lanes_locked(struct launching *l, struct driver_stream *stream)
{
    struct driver_graph_exec *exec = l->exec;
    for (size_t i = 0; i < l->plan->lanes.count; i++) {
        struct plan_lane *lane = &l->plan->lanes.at[i];
        lane->stream = stream;
        lane->begun = false;
        if (i == 0) continue;
        struct driver_stream *aside = exec->aside.count >= i ? exec->aside.at[i - 1] : NULL;
        if (!aside || aside->context != lane->context) {
            struct driver_stream *made =
                driver_stream_aside(lane->context, stream->priority, stream->ordinal);
            if (aside) driver_stream_put(aside);
            if (!aside) vec_push(&exec->aside);
            exec->aside.at[i - 1] = aside = made;
        }
        lane->stream = aside;
    }
}

static void begin_locked(struct launching *l)
{
    struct driver_work work = {.kind = l->plan->begins ? DRIVER_WORK_BEGIN : DRIVER_WORK_NOTHING};
    struct driver_stream *stream = l->plan->lanes.at[0].stream;
    bool elsewhere = l->exec->last.stream && l->exec->last.stream != stream;
    if (!elsewhere && l->plan->lanes.count == 1 && !l->plan->begins) return;
    if (l->plan->begins) {
        driver_object_ref(&l->exec->object);
        work.graph = l->exec;
    }
    l->begun = driver_scheduler_add(stream, &work, &l->exec->last, elsewhere, false);
}

/* The latest step needed in each other lane; the first of a lane comes after the beginning. */
static uint32_t dependencies(struct launching *l, const struct plan_step *step)
{
    struct plan_lane *lanes = l->plan->lanes.at;
    uint32_t count = 0;
    for (size_t i = 0; i < l->plan->lanes.count; i++)
        lanes[i].latest = 0;
    for (size_t k = 0; k < step->needs.count; k++) {
        uint32_t need = step->needs.at[k];
        struct plan_lane *lane = &lanes[l->plan->steps.at[need].lane];
        if (l->seqs[need] > lane->latest) lane->latest = l->seqs[need];
    }
    bool first = !lanes[step->lane].begun && step->lane;
    if (first && l->begun > lanes[0].latest) lanes[0].latest = l->begun;
    lanes[step->lane].begun = true;
    for (uint32_t i = 0; i < l->plan->lanes.count; i++)
        if (lanes[i].latest && i != step->lane)
            l->plan->after[count++] = (struct driver_dependency){lanes[i].stream, lanes[i].latest};
    return count;
}

static CUresult queue_event(struct launching *l, const struct plan_step *step, uint32_t count)
{
    struct driver_stream *lane = l->plan->lanes.at[step->lane].stream;
    struct driver_event *event = step->node->event;
    if (step->node->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) {
        if (event->context != lane->context->root) return CUDA_ERROR_INVALID_HANDLE;
        return driver_event_record_after(event, lane, l->plan->after, count);
    }
    struct driver_work nothing = {.kind = DRIVER_WORK_NOTHING};
    if (count) driver_scheduler_add(lane, &nothing, l->plan->after, count, false);
    return driver_event_follow(event, lane);
}

/* A programmatic edge leads from the step before in its lane: by the clock, the kernel need not wait for it.
 */
static bool is_early_locked(const struct launching *l, const struct plan_step *step)
{
    uint64_t last = driver_scheduler_issued(l->plan->lanes.at[step->lane].stream);
    const struct driver_node *before = NULL;
    for (size_t i = 0; i < step->needs.count; i++) {
        uint32_t need = step->needs.at[i];
        const struct plan_step *other = &l->plan->steps.at[need];
        if (other->lane == step->lane && l->seqs[need] == last) before = other->node;
    }
    for (size_t i = 0; before && i < step->node->needs.count; i++)
        if (step->node->needs.at[i].node == before)
            return step->node->needs.at[i].data.type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    return false;
}

static CUresult queue_step_locked(struct launching *l, uint32_t index)
{
    const struct plan_step *step = &l->plan->steps.at[index];
    struct driver_stream *lane = l->plan->lanes.at[step->lane].stream;
    uint32_t count = dependencies(l, step);
    if (step->node->event) {
        CUresult result = queue_event(l, step, count);
        l->seqs[index] = driver_scheduler_issued(lane);
        return result;
    }
    struct driver_work work = work_of_locked(step->node);
    if (work.kind == DRIVER_WORK_LAUNCH) work.launch.early = is_early_locked(l, step);
    enter_run(&work, l->run);
    l->seqs[index] = driver_scheduler_add(lane, &work, l->plan->after, count, false);
    return CUDA_SUCCESS;
}

/* The run's reference goes to the end of the launch, which comes after all lanes. */
static void end_locked(struct launching *l)
{
    struct driver_work work = {.kind = DRIVER_WORK_TAIL, .tail = l->run};
    const struct plan_lane *lanes = l->plan->lanes.at;
    uint32_t count = 0;
    for (size_t i = 1; i < l->plan->lanes.count; i++)
        if (lanes[i].begun)
            l->plan->after[count++] =
                (struct driver_dependency){lanes[i].stream, driver_scheduler_issued(lanes[i].stream)};
    uint64_t seq = driver_scheduler_add(lanes[0].stream, &work, l->plan->after, count, false);
    driver_object_ref(&lanes[0].stream->object);
    if (l->exec->last.stream) driver_stream_put(l->exec->last.stream);
    l->exec->last = (struct driver_dependency){lanes[0].stream, seq};
}

static CUresult launch_locked(struct driver_graph_exec *exec, struct driver_stream *stream)
{
    struct launching l = {.exec = exec, .plan = driver_plan_of_locked(exec, stream->context)};
    DRIVER_TRY(check_contexts(l.plan));
    DRIVER_TRY(driver_graph_memory_launch_locked(
        exec->order, exec->graph->nodes.count,
        (exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0));
    exec->uploaded = true; /* its own kernels may launch it */
    l.run = run_new(exec);
    if (driver.tool) l.run->nvtx = driver_activity_nvtx();
    l.seqs = sw_xcalloc(l.plan->steps.count + 1, sizeof *l.seqs);
    find_lanes_locked(&l, stream);
    begin_locked(&l);
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < l.plan->steps.count && result == CUDA_SUCCESS; i++)
        result = queue_step_locked(&l, i);
    end_locked(&l);
    free(l.seqs);
    return result;
}

static CUresult graph_launch(struct driver_graph_exec *exec, struct driver_stream *stream)
{
    if (driver_is_capturing(stream)) return driver_capture_child(stream, exec->graph);
    CUresult fault = (CUresult)atomic_load(&stream->context->fault);
    if (fault != CUDA_SUCCESS) return fault;
    driver_scheduler_has_space(stream);
    driver_clock_call(stream->context, EVENT_CALL_GRAPH, 0);
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = launch_locked(exec, stream);
    pthread_mutex_unlock(&driver_graph_lock);
    driver_scheduler_settle(stream, driver_scheduler_issued(stream));
    return result == CUDA_SUCCESS && driver.blocking ? driver_stream_wait(stream) : result;
}

DRIVER_API cuGraphLaunch(CUgraphExec handle, CUstream stream_handle)
{
    struct driver_stream *stream;
    struct driver_graph_exec *exec;
    DRIVER_TRY(driver_stream_get(stream_handle, &stream));
    CUresult result = driver_graph_exec_get(handle, &exec);
    if (result == CUDA_SUCCESS) {
        result = graph_launch(exec, stream);
        driver_graph_exec_put(exec);
    }
    driver_stream_put(stream);
    return result;
}

/* Nothing has to be brought anywhere; from now on kernels may launch it. */
DRIVER_API cuGraphUpload(CUgraphExec handle, CUstream stream_handle)
{
    struct driver_stream *stream;
    struct driver_graph_exec *exec;
    DRIVER_TRY(driver_stream_get(stream_handle, &stream));
    CUresult result = driver_is_capturing(stream) ? driver_capture_forbid(stream) : CUDA_SUCCESS;
    driver_stream_put(stream);
    DRIVER_TRY(result);
    DRIVER_TRY(driver_graph_exec_get(handle, &exec));
    exec->uploaded = true;
    driver_graph_exec_put(exec);
    return CUDA_SUCCESS;
}

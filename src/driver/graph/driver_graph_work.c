/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of queues that launches of graphs make, and what makes nodes of entries that are captured. */
#include "driver_graph.h"

#include "driver/stream/driver_order.h"

static void release_run(struct driver_work *work, struct driver_stream *stream)
{
    struct driver_allocation freed;
    (void)stream;
    if (driver_memory_find(work->address, &freed)) driver_order_free(work, freed.base, freed.bytes);
    if (driver_graph_memory_is(work->address))
        driver_graph_memory_let_go(work->address);
    else
        driver_memory_release(work->address, VMEM_DEVICE, VMEM_MANAGED);
}

static void begin_run(struct driver_work *work, struct driver_stream *stream)
{
    (void)stream;
    driver_graph_begin(work->graph);
}

static void choice_run(struct driver_work *work, struct driver_stream *stream)
{
    driver_choice_run(work->choice, stream, work->caller);
}

static void choice_release(struct driver_work *work)
{
    driver_choice_free(work->choice);
}

static void choice_copy(struct driver_work *to, const struct driver_work *from)
{
    to->choice = driver_choice_copy(from->choice);
}

static void graph_run(struct driver_work *work, struct driver_stream *stream)
{
    driver_graph_run_now(work->graph, stream);
}

static void graph_release(struct driver_work *work)
{
    driver_graph_exec_put(work->graph);
}

static void tail_run(struct driver_work *work, struct driver_stream *stream)
{
    driver_graph_run_tails(work->tail, stream);
}

static void tail_release(struct driver_work *work)
{
    driver_object_unref(&work->tail->object);
}

static bool tail_is_over(const struct driver_work *work)
{
    return driver_graph_run_is_over(work->tail);
}

void driver_graph_define(void)
{
    static const struct driver_capture_ops CAPTURES = {.work = driver_capture_work,
                                                       .event = driver_capture_event,
                                                       .updatable = driver_updatable_captured,
                                                       .abandon = driver_capture_abandon};
    static const struct driver_work_ops RELEASE = {.run = release_run, .always = true},
                                        BEGIN = {.run = begin_run, .always = true, .release = graph_release},
                                        CHOICE = {.run = choice_run,
                                                  .release = choice_release,
                                                  .copy = choice_copy},
                                        GRAPH = {.run = graph_run, .release = graph_release},
                                        TAIL = {.run = tail_run,
                                                .release = tail_release,
                                                .is_over = tail_is_over};
    driver_capture_ops = &CAPTURES;
    driver_work_define(DRIVER_WORK_RELEASE, &RELEASE);
    driver_work_define(DRIVER_WORK_BEGIN, &BEGIN);
    driver_work_define(DRIVER_WORK_CHOICE, &CHOICE);
    driver_work_define(DRIVER_WORK_GRAPH, &GRAPH);
    driver_work_define(DRIVER_WORK_TAIL, &TAIL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* How an executable graph is launched (driver_graph_plan.c): its nodes as steps, and the queues they go to.
 */
#ifndef DRIVER_GRAPH_PLAN_H
#define DRIVER_GRAPH_PLAN_H

#include "driver_graph.h"

struct plan_step {
    struct driver_node *node;
    VEC(uint32_t) needs; /* steps */
    uint32_t lane;
};
struct plan_lane {                  /* a queue */
    struct driver_context *context; /* whose it is: the launch's, or a node's, which holds it */
    uint32_t last;                  /* its last step so far, while lanes are chosen */
    /* of the launch that is being queued */
    struct driver_stream *stream;
    uint64_t latest; /* scratch: the latest of its entries that a step needs; 0: none */
    bool begun;      /* a step of the launch is in it */
};
struct driver_plan {
    VEC(struct plan_step) steps;
    VEC(struct plan_lane) lanes;          /* the first: the stream of the launch */
    const struct driver_context *context; /* it is for launches in this one; compared only */
    struct driver_dependency *after;      /* scratch, one a lane and one more */
    bool begins; /* something is set when a launch of it begins: conditions, nodes that kernels change */
};
/* Graph lock held; the plan is the executable graph's. */
struct driver_plan *driver_plan_of_locked(struct driver_graph_exec *exec, struct driver_context *context);
bool driver_node_is_nothing(const struct driver_node *node); /* and no kernel can make it something */
#endif

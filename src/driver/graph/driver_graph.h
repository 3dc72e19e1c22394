/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: what the driver_graph*.c files, capture and the device runtime share.
 *
 * driver_graph.c: nodes and edges; driver_graph_node.c: what nodes do, and adding them;
 * driver_graph_params.c: asking and changing them; driver_graph_memory.c: memory of allocation nodes;
 * driver_condition.c: conditional nodes; driver_graph_updatable.c: nodes that kernels change; driver_user.c:
 * user objects; driver_graph_dot.c: pictures; driver_graph_exec.c and driver_graph_update.c: executable
 * graphs; driver_graph_plan.c and driver_graph_launch.c: their launches. */
#ifndef DRIVER_GRAPH_H
#define DRIVER_GRAPH_H

#include "driver/launch/driver_launch.h"
#include "driver/memory/driver_memory.h"
#include "driver/stream/driver_capture.h"

struct driver_graph_memory { /* of an allocation node: its addresses live as long as a graph knows them */
    struct driver_object object;
    dev_addr address;
    uint64_t bytes;
    struct driver_device *device;
    int uses; /* scratch of driver_graph_memory_again_locked; guarded by the graph lock */
    /* guarded by the lock of driver_graph_memory.c */
    unsigned instances; /* executable graphs that have it */
    bool live;          /* a launch allocated it, nothing freed it yet */
    bool resident;      /* was live once since it was trimmed */
};
struct driver_condition { /* a conditional handle: a value that kernels set and a node tests */
    struct driver_object object;
    uint64_t handle;
    unsigned initial, flags;
    const struct driver_graph *graph; /* that it was made for; compared only */
    struct driver_context *context;   /* its node runs there: reference */
    bool used;                        /* by a node; guarded by the graph lock */
    atomic_uint value;
};
struct driver_need { /* an edge, kept at its head */
    struct driver_node *node;
    CUgraphEdgeData data;
};
struct driver_node {
    struct driver_object object;
    struct driver_graph *graph;       /* owns this; NULL: it was taken out, or its graph ended; graph lock */
    size_t index;                     /* in graph->nodes */
    const struct driver_node *origin; /* what it was cloned from; compared only */
    CUgraphNodeType type;
    struct driver_context *context;     /* it runs there: reference; NULL: wherever what it needs does */
    struct driver_work work;            /* KERNEL, MEMCPY, MEMSET, HOST, BATCH_MEM_OP */
    struct driver_graph *child;         /* GRAPH: reference */
    struct driver_event *event;         /* EVENT_RECORD, WAIT_EVENT: reference */
    struct driver_graph_memory *memory; /* MEM_ALLOC, MEM_FREE of such: reference */
    dev_addr address;                   /* MEM_FREE */
    struct driver_condition *condition; /* CONDITIONAL: reference */
    CUgraphConditionalNodeType condition_type;
    struct driver_graph **bodies; /* CONDITIONAL: references; the array is what the program gets */
    unsigned body_count;
    union { /* as the program gave it, for the GetParams calls */
        CUDA_MEMCPY3D memcpy;
        CUDA_MEMSET_NODE_PARAMS memset;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
    } given;
    CUmemAccessDesc *access;             /* MEM_ALLOC: what given.alloc points to; malloc'ed, or NULL */
    CUfunction function;                 /* KERNEL: the handle as given */
    void **param_pointers;               /* KERNEL: into work.launch.params */
    struct driver_attributes attributes; /* KERNEL */
    struct driver_updatable *updatable;  /* KERNEL that kernels change: reference; NULL: none */
    bool changed;                        /* KERNEL: by the host since its values were given to kernels */
    bool disabled;                       /* of an executable graph: does nothing */
    VEC(struct driver_need) needs;       /* nodes that must be done before; of the same graph */
};
struct driver_user_hold {
    struct driver_user *user; /* reference */
    unsigned count;           /* of its references, this graph's */
};
struct driver_graph {
    struct driver_object object;
    VEC(struct driver_node *) nodes; /* references, in the order made */
    VEC(struct driver_user_hold) users;
    VEC(struct driver_condition *) conditions; /* references, of handles made for it */
    bool owned;                                /* by a node: the program cannot destroy it */
    unsigned captures;                         /* under way into it: nor it, nor its nodes */
};

/* ---- driver_graph.c; _locked: with the graph lock held */
struct driver_graph *driver_graph_new(void);
struct driver_graph *driver_graph_clone_locked(const struct driver_graph *graph);
void driver_graph_own(struct driver_graph *graph);    /* it becomes part of a node, and gets a handle */
void driver_graph_disown(struct driver_graph *graph); /* takes the handle and the node's reference away */
struct driver_node *driver_node_new_locked(struct driver_graph *graph, CUgraphNodeType type);
void driver_node_remove_locked(struct driver_node *node); /* and its edges */
void driver_node_need_locked(struct driver_node *node, struct driver_node *before, CUgraphEdgeData data);
void driver_node_clear(struct driver_node *node); /* drop what it would do; its context stays */
void driver_node_set_context(struct driver_node *node, struct driver_context *context); /* NULL: any */
/* The context that a call names for a node; NULL names the current one. *out: a reference, or NULL: no
 * context is current. */
CUresult driver_node_named(CUcontext handle, struct driver_context **out);
/* What an allocation node answers of access: a copy. */
void driver_node_set_access(struct driver_node *node, const CUmemAccessDesc *access, size_t count);
void driver_node_copy(struct driver_node *to, const struct driver_node *from); /* all but needs */
bool driver_edge_valid(const struct driver_node *from, const struct driver_node *to, CUgraphEdgeData data);
bool driver_edge_is_plain(CUgraphEdgeData data);
bool driver_graph_has_memory_locked(const struct driver_graph *graph);
/* Nodes in an order that respects their needs; false: a cycle. *order: malloc'ed. */
bool driver_graph_sort_locked(const struct driver_graph *graph, struct driver_node ***order);

/* ---- driver_graph_node.c */
CUresult driver_node_set_kernel(struct driver_node *node, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult driver_node_set_memcpy(struct driver_node *node, const CUDA_MEMCPY3D *params);
CUresult driver_node_set_memset(struct driver_node *node, const CUDA_MEMSET_NODE_PARAMS *params);
CUresult driver_node_set_host(struct driver_node *node, const CUDA_HOST_NODE_PARAMS *params);
CUresult driver_node_set_event(struct driver_node *node, CUevent event);
CUresult driver_node_set_batch(struct driver_node *node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult driver_node_set_child(struct driver_node *node, CUgraph child, bool move);
bool driver_node_params_are_valid(const CUgraphNodeParams *params);
CUcontext driver_node_names(const CUgraphNodeParams *params); /* of copies and their like; NULL: none */
CUresult driver_node_set_params(struct driver_node *node, const CUgraphNodeParams *params);
void driver_node_remember(struct driver_node *node); /* fill what GetParams answers, from node->work */

/* ---- driver_graph_memory.c */
CUresult driver_graph_memory_new(struct driver_context *context, const struct driver_graph_allocation *wanted,
                                 struct driver_graph_memory **out);
struct driver_graph_memory *driver_graph_memory_get(dev_addr address); /* a reference; NULL: none */
/* For an allocation node whose edges are made: memory as wished of another one of its graph that is freed
 * before; a reference, or NULL. Who may reach one of them may reach both. */
struct driver_graph_memory *driver_graph_memory_again_locked(const struct driver_node *node,
                                                             const struct driver_graph_allocation *wanted);
/* Nodes of the graph free it as often as nodes of the graph allocate it, and at least once. */
bool driver_graph_memory_is_freed_locked(const struct driver_graph *graph,
                                         const struct driver_graph_memory *memory);
/* May it be instantiated: its memory is in no other executable graph. Counts it, or counts it off. */
CUresult driver_graph_memory_claim_locked(const struct driver_graph *graph);
void driver_graph_memory_unclaim_locked(const struct driver_graph *graph);
/* A launch allocates and frees what its nodes say, in that order. frees: what is still live goes first. */
CUresult driver_graph_memory_launch_locked(struct driver_node *const *order, size_t count, bool frees);

/* ---- driver_condition.c */
CUresult driver_condition_add_locked(struct driver_node *node, CUDA_CONDITIONAL_NODE_PARAMS *params);
void driver_condition_release(struct driver_node *node);
void driver_condition_copy(struct driver_node *to, const struct driver_node *from);
bool driver_condition_set(uint64_t handle, unsigned value); /* by a kernel; false: no such handle */
/* Every handle made for the graph, and for those inside it, belongs to a node. */
bool driver_conditions_used_locked(const struct driver_graph *graph);
void driver_conditions_reset_locked(
    const struct driver_graph *graph); /* to their defaults, as a launch does */

/* ---- driver_graph_updatable.c: NULL is passed through */
struct driver_updatable *driver_updatable_share(struct driver_updatable *updatable); /* to another node */
void driver_updatable_drop(struct driver_updatable *updatable);                      /* by a node */
/* The attribute's value for a node; the handle for kernels is written to it. */
CUresult driver_updatable_set_locked(struct driver_node *node, CUlaunchAttributeValue *value);
/* May it be instantiated: no executable graph has one of its nodes. Counts it, or counts it off. */
CUresult driver_updatable_claim_locked(const struct driver_graph *graph);
void driver_updatable_unclaim_locked(const struct driver_graph *graph);
/* What the host said of an executable graph's nodes is what launches take from now on. */
void driver_updatable_load_locked(const struct driver_graph *graph);
void driver_updatable_hold(const struct driver_node *node, struct driver_launch *launch); /* a reference */
struct driver_node_change {
    enum { DRIVER_NODE_GRID = 1, DRIVER_NODE_PARAM, DRIVER_NODE_ENABLED } field; /* CUDA's numbers */
    uint32_t grid[3];
    uint64_t offset, bytes;
    const void *param; /* NULL: only ask whether it would be valid */
    bool enabled;
};
CUresult driver_updatable_change(uint64_t handle, const struct driver_device *device,
                                 const struct driver_node_change *change);

/* ---- driver_user.c */
void driver_users_copy_locked(struct driver_graph *to, const struct driver_graph *from);
void driver_users_release_locked(struct driver_graph *graph);

/* ---- driver_graph_exec.c, driver_graph_plan.c, driver_graph_launch.c */
struct driver_plan; /* the steps of a launch, with child graphs laid open, and the queues they go to */
struct driver_graph_exec {
    struct driver_object object;
    struct driver_graph *graph; /* reference; node->origin is the node of the program's graph */
    struct driver_node **order;
    unsigned long long flags;
    _Atomic bool uploaded; /* may be launched by kernels */
    bool claims;           /* the memory of its allocation nodes; until it is destroyed */
    struct driver_plan *plan;
    VEC(struct driver_stream *) aside; /* queues of ours for what runs at the same time: references */
    struct driver_dependency last;     /* the end of the last launch: reference */
};
CUresult driver_graph_exec_get(CUgraphExec handle, struct driver_graph_exec **out);
void driver_graph_exec_put(struct driver_graph_exec *exec);
struct driver_node *driver_graph_exec_node_locked(const struct driver_graph_exec *exec, CUgraphNode origin);
/* What the nodes of `new` do, in a copy of a graph of the same topology. info: may be NULL. */
CUresult driver_graph_update_locked(struct driver_graph *old, const struct driver_graph *new,
                                    CUgraphExecUpdateResultInfo *info);
void driver_plan_free(struct driver_plan *plan); /* NULL: nothing */
/* The plan no longer fits: nodes were disabled, or their children replaced. */
void driver_plan_forget_locked(struct driver_graph_exec *exec);

/* A graph under way: what its kernels launch when it is done. */
struct driver_graph_run {
    struct driver_object object;
    struct driver_graph_exec *exec; /* reference */
    const struct event_nvtx *nvtx;  /* ranges in which the host launched it; NULL: none */
    pthread_mutex_t lock;
    VEC(struct driver_graph_exec *) tails; /* references, in the order launched */
    atomic_bool has_tails;
};
/* The references become the run's. False: there are too many. */
bool driver_graph_run_add_tail(struct driver_graph_run *run, struct driver_graph_exec *exec);

/* ---- captures: what struct driver_capture_ops is of, and what other calls make */
CUresult driver_capture_work(struct driver_stream *stream, struct driver_work *work);
CUresult driver_capture_event(struct driver_stream *stream, struct driver_event *event, CUgraphNodeType type);
CUresult driver_updatable_captured(CUstream handle, CUlaunchAttributeValue *value);
void driver_capture_abandon(struct driver_stream *stream);
CUresult driver_capture_alloc(struct driver_stream *stream, const struct driver_graph_allocation *wanted,
                              dev_addr *out);
CUresult driver_capture_free(struct driver_stream *stream, dev_addr address);
CUresult driver_capture_child(struct driver_stream *stream, const struct driver_graph *graph);

/* ---- for queue entries (driver_graph_work.c) */
void driver_graph_define(void); /* what such entries do, and what captures make */
struct driver_choice *driver_choice_copy(const struct driver_choice *choice);
void driver_choice_free(struct driver_choice *choice);
void driver_choice_run(struct driver_choice *choice, struct driver_stream *stream,
                       const struct driver_caller *caller); /* who launched the graph; NULL: not known */
void driver_graph_begin(struct driver_graph_exec *exec);
void driver_graph_run_now(struct driver_graph_exec *exec, struct driver_stream *stream);
void driver_graph_run_tails(struct driver_graph_run *run, struct driver_stream *stream);
uint64_t driver_graph_run_handle(const struct driver_graph_run *run); /* 0: kernels cannot launch it */
/* Of a node that kernels change (driver_graph_updatable.c): what it is to do now; false: nothing. */
bool driver_updatable_take(struct driver_launch *launch);
void driver_updatable_keep(struct driver_launch *launch); /* a copy: a reference of its own */
void driver_updatable_let_go(struct driver_launch *launch);
bool driver_graph_run_is_over(struct driver_graph_run *run); /* nothing comes after it */

bool driver_graph_memory_is(dev_addr address); /* freed by its graph's nodes, or as other memory is */
/* By cuMemFree and cuMemFreeAsync: in the call, and when the stream has come so far. */
CUresult driver_graph_memory_free(dev_addr address);
void driver_graph_memory_let_go(dev_addr address);
#endif

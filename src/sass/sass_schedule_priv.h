/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler of basic blocks: which instruction waits for which (sass_graph.c), what registers they take
 * (sass_registers.c), and the schedule (sass_schedule.c). */
#ifndef SASS_SCHEDULE_PRIV_H
#define SASS_SCHEDULE_PRIV_H

#include "sass/sass.h"

/* ---- sass_graph.c: the dependences of a block. Instructions are counted from the block's first. */
#define SASS_NO_EDGE UINT32_MAX /* implementation */
struct sass_edge {
    uint32_t to, next; /* next: of the same instruction, SASS_NO_EDGE: none */
    double cycles;     /* from the issue of the one to that of the other, at least */
};
struct sass_graph {
    const struct sass *code;
    uint32_t first, count;     /* instructions of the block */
    uint32_t *head;            /* [instr] its first edge */
    uint32_t *before;          /* [instr] how many it waits for */
    double *height;            /* [instr] cycles of the longest chain that begins with it */
    double *soonest;           /* [instr] its issue, were there units for all; before its block's first: 0 */
    uint32_t *writer, *reader; /* [register] the last that wrote and read it, + 1; 0: none yet */
    struct sass_edge *edges;   /* in order of the instructions that wait */
    uint32_t edge_count;
};
void sass_graph_init(struct sass_graph *graph, const struct sass *code);
void sass_graph_make(struct sass_graph *graph, const struct event_block *block);
void sass_graph_release(struct sass_graph *graph);

/* ---- sass_registers.c: registers of 32 bits that values take */
struct sass_registers {
    const struct sass *code;
    uint32_t *uses, *first_def, *last_def, *last_use; /* [register] in the kernel; instruction + 1, 0: none */
    uint8_t *width;                                   /* [register] of 32 bits */
    uint32_t *left; /* [register] uses in the block that are still to come */
    bool *written;  /* [register] in the block */
    bool *local;    /* [register] is written once, and lives in this block alone */
};
void sass_registers_init(struct sass_registers *registers, const struct sass *code);
/* How many a block has for its own values, while it leaves a multiprocessor all of its threads. */
int32_t sass_registers_open(struct sass_registers *registers, const struct event_block *block);
void sass_registers_close(struct sass_registers *registers, const struct event_block *block);
/* How many more are taken once this instruction has issued; less than 0: fewer. */
int32_t sass_registers_more(const struct sass_registers *registers, uint32_t number);
void sass_registers_issue(struct sass_registers *registers, uint32_t number);
void sass_registers_release(struct sass_registers *registers);
#endif

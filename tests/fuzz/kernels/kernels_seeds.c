/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the kernels that are changed: those of tests/exec, as files or made at random.
 * Method: one of the case's launches, made small: two blocks at most, unless they wait for each other, of a
 * warp or two. */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_WORDS = 512, TEXT_MOST = 6000 }; /* longer files compile for seconds */
static char **paths;
static unsigned path_count;

void kernels_seeds(char **files, unsigned count)
{
    paths = files;
    path_count = count;
}

static void graph_seed(uint64_t *random, struct exec_case *out)
{
    static const char *const names[] = {"out", "sums", "in"};
    struct str text = {0};
    *out = (struct exec_case){.name = "graph", .buffer_count = 3, .launch_count = 1};
    for (unsigned b = 0; b < 3; b++) {
        struct exec_buffer *buffer = &out->buffers[b];
        snprintf(buffer->name, sizeof buffer->name, "%s", names[b]);
        snprintf(buffer->init, sizeof buffer->init, "%s", b == 2 ? "random" : "zero");
        buffer->type = ISA_U32;
        buffer->count = BUFFER_WORDS;
        buffer->bytes = BUFFER_WORDS * 4;
    }
    str_add(&text, ".version 8.0\n.target sm_90\n.address_size 64\n");
    exec_graph_emit(&text, kernels_pick(random, 100000), (enum exec_shape)kernels_pick(random, EXEC_SHAPES),
                    "graph");
    struct exec_launch *launch = &out->launches[0];
    *launch =
        (struct exec_launch){.kernel = "graph", .grid = {1, 1, 1}, .block = {64, 1, 1}, .param_count = 3};
    for (unsigned p = 0; p < 3; p++)
        launch->params[p] = (struct exec_param){.buffer = &out->buffers[p], .bytes = 8};
    out->length = text.length;
    out->text = str_steal(&text);
}

/* The parameters of another launch point to buffers of the case that it stands in. */
static void keep_one(uint64_t *random, struct exec_case *test)
{
    test->launches[0] = test->launches[kernels_pick(random, test->launch_count)];
    test->launch_count = 1;
}

static void make_small(uint64_t *random, struct exec_launch *launch)
{
    static const uint32_t sizes[] = {1, 31, 32, 32, 33, 40, 64, 64};
    if (!launch->together && !launch->resident) {
        launch->grid[0] = launch->grid[0] > 1 && kernels_pick(random, 2) ? 2 : 1;
        launch->grid[1] = launch->grid[2] = 1;
    }
    if (launch->block[0] * launch->block[1] * launch->block[2] <= 64) return;
    if (launch->block[1] > 2) launch->block[1] = 2;
    if (launch->block[2] > 1) launch->block[2] = 1;
    uint32_t most = 64 / launch->block[1], size = sizes[kernels_pick(random, SW_COUNT_OF(sizes))];
    if (launch->block[0] > most) launch->block[0] = size < most ? size : most;
}

void kernels_seed(uint64_t *random, struct exec_case *out)
{
    unsigned kind = kernels_pick(random, 16); /* those that compile fast are most */
    if (kind < 5 && path_count) {
        while (!exec_file_read(paths[kernels_pick(random, path_count)], out) || out->length > TEXT_MOST)
            exec_case_release(out);
        out->wanted_status = SW_OK;
    } else if (kind < 15) {
        exec_op_case(kernels_pick(random, exec_op_count()), out);
    } else {
        graph_seed(random, out);
    }
    keep_one(random, out);
    make_small(random, &out->launches[0]);
    for (unsigned p = 0; p < out->launches[0].param_count; p++) { /* the case was copied */
        struct exec_param *param = &out->launches[0].params[p];
        if (!param->buffer) continue;
        for (unsigned b = 0; b < out->buffer_count; b++)
            if (strcmp(out->buffers[b].name, param->buffer->name) == 0) param->buffer = &out->buffers[b];
    }
}

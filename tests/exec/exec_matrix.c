/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: every form of mma, mma.sp, wmma, ldmatrix, stmatrix and movmatrix against the oracle, from the
 * same kernels and inputs that were recorded on a GPU (tests/matrix). Method: the classes of inputs alternate
 * from block to block, so that warps also multiply blocks of different ones. Limits: one shape of launch. */
#include "exec.h"

#include "matrix_forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1024, WARPS = 96 };
static struct matrix_form forms[ROOM];
static struct matrix_fragment fragments[ROOM];
static unsigned form_count, fragment_count;

static void count_forms(void)
{
    form_count = matrix_forms(forms, ROOM);
    fragment_count = matrix_fragments(fragments, ROOM);
}

unsigned exec_matrix_count(void)
{
    if (!form_count) count_forms();
    return form_count + fragment_count + MATRIX_MOVES;
}

static void add_buffer(struct exec_case *test, const char *name, void *given, size_t bytes)
{
    struct exec_buffer *buffer = &test->buffers[test->buffer_count];
    *buffer = (struct exec_buffer){.type = ISA_U32, .count = bytes / 4, .bytes = bytes, .given = given};
    snprintf(buffer->name, sizeof buffer->name, "%s", name);
    snprintf(buffer->init, sizeof buffer->init, "zero");
    test->launches[0].params[test->buffer_count++] = (struct exec_param){.buffer = buffer, .bytes = 8};
}

static void write_text(struct exec_case *test, void (*write)(FILE *to, unsigned i), unsigned i, bool old)
{
    FILE *to = open_memstream(&test->text, &test->length);
    matrix_emit_header(to, old);
    write(to, i);
    fclose(to);
}

static void write_form(FILE *to, unsigned i)
{
    matrix_emit_kernel(to, &forms[i]);
}

static void write_fragment(FILE *to, unsigned i)
{
    matrix_emit_fragment(to, &fragments[i]);
}

static void form_case(unsigned i, struct exec_case *test)
{
    const struct matrix_form *f = &forms[i];
    static const char operands[] = "abce";
    for (unsigned o = 0; o < 4; o++) {
        size_t words = matrix_block_words(f, operands[o]);
        uint32_t *data = sw_xmalloc(words * MATRIX_POOL * 4);
        for (unsigned b = 0; b < MATRIX_POOL; b++)
            matrix_fill(f, b % MC_COUNT, operands[o], b, data + words * b);
        add_buffer(test, (char[]){operands[o], 0}, data, words * MATRIX_POOL * 4);
    }
    add_buffer(test, "d", NULL, matrix_block_words(f, 'd') * 4 * WARPS);
    struct exec_launch *launch = &test->launches[0];
    launch->params[launch->param_count = 5] = (struct exec_param){.bits = WARPS, .bytes = 4};
    launch->param_count = 6;
    launch->grid[0] = WARPS / 4;
    launch->block[0] = 128;
    snprintf(launch->kernel, sizeof launch->kernel, "%s", f->name);
    test->name = f->text;
    write_text(test, write_form, i, f->old);
}

static void fragment_case(unsigned i, struct exec_case *test)
{
    const struct matrix_fragment *f = &fragments[i];
    size_t bytes = matrix_fragment_bytes(f), words = f->regs * 32u * (f->type == MT_F64 ? 2 : 1);
    uint8_t *memory = sw_xcalloc(f->passes, bytes);
    uint32_t *regs = sw_xcalloc(f->passes, words * 4);
    for (unsigned p = 0; p < f->passes; p++)
        matrix_fragment_fill(f, p, memory + p * bytes);
    for (unsigned w = 0; w < words; w++)
        regs[w] = matrix_fragment_word(w, 0, 0);
    add_buffer(test, "memory", memory, bytes * f->passes);
    add_buffer(test, "registers", regs, words * 4 * f->passes);
    struct exec_launch *launch = &test->launches[0];
    launch->params[2] = (struct exec_param){.bits = f->stride, .bytes = 4};
    launch->param_count = 3;
    launch->grid[0] = f->passes;
    launch->block[0] = 32;
    snprintf(launch->kernel, sizeof launch->kernel, "%s", f->name);
    test->name = f->name;
    write_text(test, write_fragment, i, false);
}

static void move_case(unsigned i, struct exec_case *test)
{
    uint32_t *offsets = sw_xmalloc(32 * 4 * MATRIX_PATTERNS);
    for (unsigned l = 0; l < 32; l++)
        offsets[l] = matrix_pattern(i % 4, l);
    add_buffer(test, "offsets", offsets, 32 * 4);
    add_buffer(test, "registers", NULL, MATRIX_SHARED);
    struct exec_launch *launch = &test->launches[0];
    launch->param_count = 2;
    launch->grid[0] = 1;
    launch->block[0] = 32;
    snprintf(launch->kernel, sizeof launch->kernel, "%s", matrix_move_name(i));
    test->name = launch->kernel;
    write_text(test, matrix_emit_move, i, false);
}

void exec_matrix_case(unsigned i, struct exec_case *out)
{
    *out = (struct exec_case){.launch_count = 1};
    out->launches[0] = (struct exec_launch){.grid = {1, 1, 1}, .block = {32, 1, 1}};
    if (!form_count) count_forms();
    if (i < form_count)
        form_case(i, out);
    else if (i - form_count < fragment_count)
        fragment_case(i - form_count, out);
    else
        move_case(i - form_count - fragment_count, out);
}

/* Worth a run of its own in a short test? */
bool exec_matrix_is_main(unsigned i)
{
    return i < form_count ? forms[i].main || i % 24 == 0 : i % 12 == 0;
}

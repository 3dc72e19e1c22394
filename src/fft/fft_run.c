/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: runs plans. Method: items of the batch that fit caches, axis after axis; groups of lines in lanes,
 * or lines one by one, by several threads. Where the output overlaps the input other than line by line, the
 * input is copied first. */
#include "fft_plan_priv.h"

#include <stdlib.h>
#include <string.h>

struct axis_run {
    enum fft_type type;
    const struct fft_axis *axis;
    const char *in;
    char *out;
    int64_t bytes; /* of a real number */
    bool inverse;
};

static void lanes_run(void *user, int64_t first, int64_t last)
{
    const struct axis_run *run = user;
    void *scratch = fft_scratch_get(FFT_SCRATCH_LANES, fft_line_scratch(run->axis->line));
    fft_ops_get(run->type)->run_lanes(run->axis, run->in, run->out, first, last, run->inverse, scratch);
}

/* ---- lines one by one */

/* n elements of `width` real numbers, `from_step` apart, to `to_step` apart. */
static void spread_elements(const struct axis_run *run, const char *from, int64_t from_step, char *to,
                            int64_t to_step, int64_t n, int64_t width)
{
    size_t bytes = (size_t)(width * run->bytes);
    for (int64_t j = 0; j < n; j++)
        memcpy(to + j * to_step * run->bytes, from + j * from_step * run->bytes, bytes);
}

/* A complex line that is not side by side goes through `line`. */
static void complex_line(const struct axis_run *run, const char *in, char *out, char *line)
{
    const struct fft_axis *axis = run->axis;
    if (axis->in_step != 2) spread_elements(run, in, axis->in_step, line, 2, axis->n, 2);
    fft_square_run(run->type, axis->square, axis->in_step == 2 ? in : line, axis->out_step == 2 ? out : line,
                   run->inverse, run->inverse);
    if (axis->out_step != 2) spread_elements(run, line, 2, out, axis->out_step, axis->n, 2);
}

static void forward_line(const struct axis_run *run, const char *in, char *out, char *line)
{
    const struct fft_axis *axis = run->axis;
    if (axis->is_half) {
        if (axis->in_step != 1) spread_elements(run, in, axis->in_step, line, 1, axis->n, 1);
        fft_square_run(run->type, axis->square, axis->in_step == 1 ? in : line, line, false, false);
        fft_ops_get(run->type)->split(axis, line, out);
        return;
    }
    memset(line, 0, (size_t)(2 * axis->n * run->bytes));
    spread_elements(run, in, axis->in_step, line, 2, axis->n, 1);
    fft_square_run(run->type, axis->square, line, line, false, false);
    spread_elements(run, line, 2, out, axis->out_step, axis->n / 2 + 1, 2);
}

/* The other half of a spectrum of odd length, whose first half is there. */
static void mirror(enum fft_type type, void *line, int64_t n)
{
    for (int64_t k = 0; k <= n / 2; k++) {
        if (type == FFT_F32) {
            float *x = line, zero = 0;
            x[2 * (n - k) % (2 * n)] = x[2 * k], x[2 * (n - k) % (2 * n) + 1] = k ? -x[2 * k + 1] : zero;
        } else {
            double *x = line, zero = 0;
            x[2 * (n - k) % (2 * n)] = x[2 * k], x[2 * (n - k) % (2 * n) + 1] = k ? -x[2 * k + 1] : zero;
        }
    }
}

static void back_line(const struct axis_run *run, const char *in, char *out, char *line)
{
    const struct fft_axis *axis = run->axis;
    if (axis->is_half) {
        fft_ops_get(run->type)->join(axis, in, line);
        fft_square_run(run->type, axis->square, line, axis->out_step == 1 ? out : line, false, true);
        if (axis->out_step != 1) spread_elements(run, line, 1, out, axis->out_step, axis->n, 1);
        return;
    }
    spread_elements(run, in, axis->in_step, line, 2, axis->n / 2 + 1, 2);
    mirror(run->type, line, axis->n);
    fft_square_run(run->type, axis->square, line, line, true, true);
    spread_elements(run, line, 2, out, axis->out_step, axis->n, 1);
}

static void squares_run(void *user, int64_t first, int64_t last)
{
    const struct axis_run *run = user;
    const struct fft_axis *axis = run->axis;
    char *line = fft_scratch_get(FFT_SCRATCH_LINE, (uint64_t)((axis->n + 1) * 2 * run->bytes));
    for (int64_t at = first; at < last; at++) {
        int64_t rest = at, in = 0, out = 0;
        for (int d = 0; d < FFT_LOOPS; d++) {
            in += rest % axis->count[d] * axis->in_dist[d], out += rest % axis->count[d] * axis->out_dist[d];
            rest /= axis->count[d];
        }
        const char *from = run->in + in * run->bytes;
        char *to = run->out + out * run->bytes;
        if (axis->kind == FFT_R2C)
            forward_line(run, from, to, line);
        else if (axis->kind == FFT_C2R)
            back_line(run, from, to, line);
        else
            complex_line(run, from, to, line);
    }
}

static void axis_run(const struct axis_run *run)
{
    const struct fft_axis *axis = run->axis;
    if (axis->square) {
        if (axis->lines == 1) /* its columns and rows are spread */
            squares_run((void *)(uintptr_t)run, 0, 1);
        else
            fft_parallel(axis->lines, axis->cost, squares_run, (void *)(uintptr_t)run);
        return;
    }
    int64_t lanes = fft_ops_get(run->type)->lanes, groups = (axis->lines + lanes - 1) / lanes;
    fft_parallel(groups, axis->cost, lanes_run, (void *)(uintptr_t)run);
}

/* ---- memory that overlaps */

/* Bytes from the first element to behind the last. */
static uint64_t extent(const struct fft_problem *p, const struct fft_layout *layout, bool reals)
{
    int64_t last = (p->batch - 1) * layout->dist;
    for (unsigned d = 0; d < p->rank; d++) {
        bool half = !reals && p->kind != FFT_C2C && d == p->rank - 1;
        last += ((half ? p->n[d] / 2 + 1 : p->n[d]) - 1) * layout->stride[d];
    }
    return (uint64_t)(last + 1) * (reals ? 1 : 2) * fft_real_bytes(p->type);
}

static const void *input_kept(const struct fft_problem *p, const void *in, const void *out)
{
    uint64_t in_bytes = extent(p, &p->in, p->kind == FFT_R2C),
             out_bytes = extent(p, &p->out, p->kind == FFT_C2R);
    uintptr_t from = (uintptr_t)in, to = (uintptr_t)out;
    if (from >= to + out_bytes || to >= from + in_bytes) return in;
    if (from == to && fft_is_line_by_line(p)) return in;
    return memcpy(fft_scratch_get(FFT_SCRATCH_COPY, in_bytes), in, (size_t)in_bytes);
}

/* ---- the whole */

static void items_run(const struct fft_plan *plan, const char *in, char *out, int64_t items, bool inverse)
{
    char *work = plan->work_bytes ? fft_scratch_get(FFT_SCRATCH_WORK, plan->work_bytes) : NULL;
    for (unsigned i = 0; i < plan->axes; i++) {
        struct fft_axis axis = plan->axis[i];
        struct axis_run run = {.type = plan->problem.type, .axis = &axis, .inverse = inverse};
        run.bytes = fft_real_bytes(run.type);
        run.in = i == 0 ? in : work ? work : out; /* in place: work is out */
        run.out = work && i + 1 < plan->axes ? work : out;
        if (axis.batch_loop >= 0) axis.count[axis.batch_loop] = items; /* the last ones may be fewer */
        axis.lines = fft_axis_lines(&axis);
        axis_run(&run);
    }
}

void fft_run(const struct fft_plan *plan, const void *in, void *out, bool inverse)
{
    const struct fft_problem *p = &plan->problem;
    const char *from = input_kept(p, in, out);
    uint64_t in_bytes = (uint64_t)p->in.dist * (p->kind == FFT_R2C ? 1 : 2) * fft_real_bytes(p->type);
    uint64_t out_bytes = (uint64_t)p->out.dist * (p->kind == FFT_C2R ? 1 : 2) * fft_real_bytes(p->type);
    if (p->kind != FFT_C2C) inverse = p->kind == FFT_C2R;
    for (int64_t item = 0; item < p->batch; item += plan->items) {
        int64_t left = p->batch - item;
        items_run(plan, from + (uint64_t)item * in_bytes, (char *)out + (uint64_t)item * out_bytes,
                  left < plan->items ? left : plan->items, inverse);
    }
}

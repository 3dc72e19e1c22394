/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: where a call's operands are, for the driver, which looks whether the device may access them.
 * Method: scalars of the device and arrays of pointers come first; then the operands of each item, or, of a
 * batch, for each operand what lies between its first item and its last: most batches stand in one
 * allocation, and a look at each of 1,024 items takes longer than products of order 8. */
#include "cublas_priv.h"

static struct event_routine_range range_of(const struct cublas_operand *o, const void *at, bool writes)
{
    return (struct event_routine_range){.address = (uintptr_t)at,
                                        .pitch = sw_product((uint64_t)o->ld, o->bytes),
                                        .width = sw_product((uint64_t)o->rows, o->bytes),
                                        .height = o->rows ? (uint64_t)o->columns : 0,
                                        .writes = writes};
}

static struct event_routine_range plain_range(uint64_t address, uint64_t bytes)
{
    return (struct event_routine_range){.address = address, .pitch = bytes, .width = bytes, .height = 1};
}

static uint64_t items_of(const struct cublas_call *x)
{
    return x->batch ? (uint64_t)x->batch : 1;
}

/* ---- items of a batch */

/* Integers of each item stand side by side, also where other operands are arrays of pointers. */
static bool is_array(const struct cublas_call *x, const struct cublas_operand *o)
{
    return x->arrays && o->which != 'p' && o->which != 'i';
}

/* From one item to the next, in elements. */
static int64_t stride_of(const struct cublas_call *x, const struct cublas_operand *o)
{
    switch (o->which) {
    case 'a': return x->stride_a;
    case 'b': return x->stride_b;
    case 'c': return x->stride_c;
    case 'p':
    case 'i': return o->rows;
    default: return 0;
    }
}

/* Where operand o is in item i; its pointers are known to be good. */
static const void *item_of(const struct cublas_call *x, const struct cublas_operand *o, int64_t i)
{
    if (is_array(x, o)) return ((const void *const *)o->at)[i];
    return (const char *)o->at + i * stride_of(x, o) * (int64_t)o->bytes;
}

/* Where the items of an operand begin: the lowest address, the highest one, and the bits that any has. */
struct extent {
    uint64_t first, last, bits;
};

SW_CLONES static void extent_of_array(const void *const *array, uint64_t count, struct extent *out)
{
    uint64_t first = UINT64_MAX, last = 0, bits = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = (uintptr_t)array[i];
        first = at < first ? at : first;
        last = at > last ? at : last;
        bits |= at;
    }
    *out = (struct extent){first, last, bits};
}

static struct extent extent_of(const struct cublas_call *x, const struct cublas_operand *o)
{
    struct extent extent;
    if (is_array(x, o)) {
        extent_of_array(o->at, items_of(x), &extent);
        return extent;
    }
    uint64_t at = (uintptr_t)o->at;
    int64_t step, reach, end;
    if (__builtin_mul_overflow(stride_of(x, o), (int64_t)o->bytes, &step) ||
        __builtin_mul_overflow(step, (int64_t)items_of(x) - 1, &reach) ||
        __builtin_add_overflow((int64_t)at, reach, &end))
        return (struct extent){0, UINT64_MAX, at};
    return (struct extent){reach < 0 ? (uint64_t)end : at, reach < 0 ? at : (uint64_t)end, at};
}

/* ---- ranges */

/* Whether range i is of those that come first, which is then in *out; else i counts on from there. */
static bool comes_first(const struct cublas_work *work, uint32_t *i, struct event_routine_range *out)
{
    const struct cublas_call *x = &work->call;
    const struct cublas_scalar *scalars[] = {&x->alpha, &x->beta};
    for (unsigned s = 0; s < 2; s++)
        if (scalars[s]->device && (*i)-- == 0) {
            *out = plain_range((uintptr_t)scalars[s]->device, scalars[s]->bytes);
            return true;
        }
    if (!x->arrays) return false;
    if (*i < work->count) {
        const struct cublas_operand *o = &work->operands[*i];
        *out = plain_range((uintptr_t)o->at, sw_product(items_of(x), sizeof(void *)));
        if (!is_array(x, o)) out->height = 0;
        return true;
    }
    *i -= work->count;
    return false;
}

/* Of each operand of an item what is read, then what is written. */
bool cublas_range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct cublas_work *work = args;
    if (comes_first(work, &i, out)) return true;
    uint32_t each = 2 * work->count, item = i < each ? 0 : i / each, which = (i - item * each) / 2;
    bool writes = i % 2;
    if (item >= items_of(&work->call)) return false;
    const struct cublas_operand *o = &work->operands[which];
    *out = range_of(o, item_of(&work->call, o, (int64_t)item), writes);
    if (writes ? !o->writes : !o->reads) out->height = 0;
    return true;
}

bool cublas_cover(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct cublas_work *work = args;
    if (comes_first(work, &i, out)) return true;
    if (i >= 2 * work->count) return false;
    const struct cublas_operand *o = &work->operands[i / 2];
    bool writes = i % 2, none = o->rows == 0 || o->columns == 0;
    *out = (struct event_routine_range){.writes = writes};
    if (none || (writes ? !o->writes : !o->reads)) return true;
    struct extent extent = extent_of(&work->call, o);
    struct event_routine_range item = range_of(o, NULL, writes);
    uint64_t span = sw_sum(sw_product(item.height - 1, item.pitch), item.width);
    *out = plain_range(extent.first, sw_sum(extent.last - extent.first, span));
    out->writes = writes;
    return true;
}

bool cublas_is_aligned(const struct cublas_work *work)
{
    const struct cublas_call *x = &work->call;
    uint32_t parts = x->type == BLAS_C || x->type == BLAS_Z ? 2 : 1;
    for (unsigned j = 0; j < work->count; j++) {
        const struct cublas_operand *o = &work->operands[j];
        bool matrix = o->which == 'a' || o->which == 'b' || o->which == 'c';
        uint32_t size = o->bytes / parts; /* a power of two */
        if (matrix && o->rows && o->columns && size && extent_of(x, o).bits & (size - 1)) return false;
    }
    return true;
}

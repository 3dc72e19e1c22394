/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what memory a product reads and writes, and what it costs. Method: numbers and vectors of the
 * whole call, arrays of pointers, then the matrices of one item after the other. Limits: an auxiliary matrix
 * is one range of all items; a bias gradient counts as written alone. */
#include "cublaslt_priv.h"

#include <stdio.h>

static struct event_routine_range bytes_at(const void *at, uint64_t bytes, bool writes)
{
    return (struct event_routine_range){
        .address = (uintptr_t)at, .pitch = bytes, .width = bytes, .height = at ? 1 : 0, .writes = writes};
}

static struct event_routine_range matrix_range(const struct lt_matrix *x, int64_t item, bool imaginary,
                                               bool writes)
{
    int64_t lines, length;
    uint64_t bytes = x->plane ? x->element.bytes / 2 : x->element.bytes;
    lt_lines(x, &lines, &length);
    return (struct event_routine_range){.address = (uintptr_t)lt_item(x, item) +
                                                   (uintptr_t)(imaginary ? x->plane : 0),
                                        .pitch = (uint64_t)x->ld * bytes,
                                        .width = (uint64_t)length * bytes,
                                        .height = length ? (uint64_t)lines : 0,
                                        .writes = writes};
}

/* Bytes from the first element of one item to the last of all. */
static uint64_t spread(const struct lt_call *x, int64_t one, int64_t stride, uint32_t bytes)
{
    return (uint64_t)(one + (x->batch - 1) * stride) * bytes;
}

static uint64_t aux_bytes(const struct lt_call *x)
{
    int64_t one = (x->n - 1) * x->aux_ld + x->m;
    if (!x->aux_element.bytes) return (spread(x, one, x->aux_stride, 1) + 7) / 8; /* bits */
    return spread(x, one, x->aux_stride, x->aux_element.bytes);
}

enum { NUMBERS = 11, MATRICES = 8 };

static void list_numbers(const struct lt_call *x, struct event_routine_range out[NUMBERS])
{
    uint32_t e = x->epilogue;
    int64_t alphas = x->alpha_vector ? x->m : 1, bias = e & LT_BGRADB ? x->n : x->m;
    bool gives_bias = e & (LT_BGRAD | LT_BGRADA | LT_BGRADB), gives_aux = e & (LT_RELU | LT_GELU);
    const uint64_t number = sizeof(float);
    out[0] = bytes_at(x->alpha_device, spread(x, alphas, x->alpha_stride, x->scalar.bytes), false);
    out[1] = bytes_at(x->beta_device, x->scalar.bytes, false);
    out[2] = bytes_at(x->a_scale.at, (uint64_t)x->a_scale.count * number, false);
    out[3] = bytes_at(x->b_scale.at, (uint64_t)x->b_scale.count * number, false);
    out[4] = bytes_at(x->c_scale, number, false);
    out[5] = bytes_at(x->d_scale, number, false);
    out[6] = bytes_at(x->aux_scale, number, false);
    out[7] = bytes_at(x->bias, spread(x, bias, x->bias_stride, x->bias_element.bytes), gives_bias);
    out[8] = bytes_at(x->aux, aux_bytes(x), gives_aux);
    out[9] = bytes_at(x->amax, number, true);
    out[10] = bytes_at(x->aux_amax, number, true);
}

bool lt_range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct lt_call *x = args;
    const struct lt_matrix *matrices[] = {&x->a, &x->b, &x->c, &x->d};
    struct event_routine_range numbers[NUMBERS];
    if (i < NUMBERS) {
        list_numbers(x, numbers);
        *out = numbers[i];
        return true;
    }
    i -= NUMBERS;
    if (i < SW_COUNT_OF(matrices)) { /* arrays of pointers, before what they point to */
        *out = bytes_at(matrices[i]->at, (uint64_t)x->batch * sizeof(void *), false);
        if (!matrices[i]->pointers) out->height = 0;
        return true;
    }
    i -= SW_COUNT_OF(matrices);
    int64_t item = i / MATRICES;
    uint32_t which = i % MATRICES / 2;
    bool imaginary = i % 2;
    if (item >= x->batch) return false;
    *out = matrix_range(matrices[which], item, imaginary, which == 3);
    if ((imaginary && !matrices[which]->plane) || (which == 2 && !lt_reads_c(x))) out->height = 0;
    return true;
}

/* ---- costs */

static uint64_t size_of(const struct lt_matrix *x, const struct lt_call *call)
{
    return (uint64_t)(x->rows * x->cols * call->batch) * x->element.bytes;
}

static const char *epilogue_text(uint32_t e)
{
    static const struct {
        uint32_t bits;
        const char *text;
    } LIST[] = {{LT_DRELU | LT_BGRAD, ", drelu bgrad"},
                {LT_DGELU | LT_BGRAD, ", dgelu bgrad"},
                {LT_DRELU, ", drelu"},
                {LT_DGELU, ", dgelu"},
                {LT_RELU | LT_BIAS, ", bias relu"},
                {LT_GELU | LT_BIAS, ", bias gelu"},
                {LT_RELU, ", relu"},
                {LT_GELU, ", gelu"},
                {LT_BIAS, ", bias"},
                {LT_BGRADA, ", bgrad of A"},
                {LT_BGRADB, ", bgrad of B"}};
    for (size_t i = 0; i < SW_COUNT_OF(LIST); i++)
        if ((e & LIST[i].bits) == LIST[i].bits) return LIST[i].text;
    return "";
}

static uint8_t aligned_bytes(const struct lt_call *x)
{
    enum { WHOLE = 16 }; /* definition: of struct event_routine */
    const struct lt_matrix *matrices[] = {&x->a, &x->b, &x->d};
    uint8_t aligned = WHOLE;
    for (size_t i = 0; i < SW_COUNT_OF(matrices); i++) {
        const struct lt_matrix *m = matrices[i];
        if (!m->pointers) aligned = routine_aligned(aligned, (uintptr_t)m->at);
        aligned = routine_aligned(aligned, (uint64_t)m->ld * m->element.bytes);
    }
    return aligned;
}

static enum event_routine_method method_of(uint32_t epilogue)
{
    if (epilogue & (LT_BGRAD | LT_BGRADA | LT_BGRADB)) return EVENT_METHOD_BIAS_GRADIENT;
    return epilogue & (LT_DRELU | LT_DGELU) ? EVENT_METHOD_GRADIENT : EVENT_METHOD_USUAL;
}

void lt_account(const struct lt_call *x, char *text, size_t bytes, struct event_routine *out)
{
    bool is_complex = x->d.element.is_complex;
    int used = snprintf(text, bytes, "m %lld, n %lld, k %lld, %c%c%s", (long long)x->m, (long long)x->n,
                        (long long)x->k, x->trans_a == BLAS_N ? 'N' : 'T', x->trans_b == BLAS_N ? 'N' : 'T',
                        epilogue_text(x->epilogue));
    if (x->batch > 1 && (size_t)used < bytes)
        snprintf(text + used, bytes - (size_t)used, ", batch %lld", (long long)x->batch);
    *out = (struct event_routine){.name = "cublasLtMatmul",
                                  .shape = text,
                                  .kind = EVENT_ROUTINE_GEMM,
                                  .math = (uint8_t)x->math,
                                  .method = (uint8_t)method_of(x->epilogue),
                                  .aligned_bytes = aligned_bytes(x),
                                  .m = (uint64_t)x->m,
                                  .n = (uint64_t)x->n,
                                  .k = (uint64_t)x->k * (is_complex ? 4 : 1),
                                  .batch = (uint64_t)x->batch,
                                  .read_bytes = size_of(&x->a, x) + size_of(&x->b, x) +
                                                (lt_reads_c(x) ? size_of(&x->c, x) : 0),
                                  .wrote_bytes = size_of(&x->d, x)};
    out->flops = 2 * out->m * out->n * out->k * out->batch;
    if (x->aux) *(x->epilogue & (LT_RELU | LT_GELU) ? &out->wrote_bytes : &out->read_bytes) += aux_bytes(x);
}

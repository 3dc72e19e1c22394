/* SPDX-License-Identifier: Apache-2.0 */
/* cufft: transforms on several GPUs: how an array is split between them. */
#ifndef CUFFT_GPUS_PRIV_H
#define CUFFT_GPUS_PRIV_H

#include "cufft_priv.h"

#include <cufftXt.h>

/* What is split: items of a batch, one line's elements, or the first dimension of two or three. Only the last
 * has another order: of the shuffled one the second dimension is split. */
enum cufft_split { CUFFT_ITEMS, CUFFT_LINE, CUFFT_PLANES };
struct cufft_parts {
    enum cufft_split split;
    int count;
    int64_t rows, columns; /* rows are split, or columns when shuffled; CUFFT_PLANES: dimensions 0 and 1 */
    int64_t element;       /* bytes of row i, column j */
};
/* Of every function with memory on several GPUs, first. A plan of one GPU has one part. */
cufftResult cufft_gpus_enter(cufftHandle handle, struct cufft_plan **plan, struct cufft_parts *parts);
struct cufft_parts cufft_parts_of(const struct cufft_plan *plan);
/* The first of `all` that part number i has; i may be the count. */
int64_t cufft_part_first(const struct cufft_parts *parts, int64_t all, int i);
uint64_t cufft_part_bytes(const struct cufft_parts *parts, bool shuffled, int i);

/* A descriptor of a program, ours or its own, and what it points to, as they are now. CUFFT_INVALID_VALUE:
 * there is none, or it is not of such parts. */
struct cufft_descriptor {
    cudaLibXtDesc whole;
    cudaXtDesc parts;
};
cufftResult cufft_descriptor_read(const void *at, const struct cufft_parts *parts,
                                  struct cufft_descriptor *out);
bool cufft_is_shuffled(const struct cufft_parts *parts, int format); /* format: cufftXtSubFormat */
/* The parts change their order; both sides are arrays of one address a GPU. */
CUresult cufft_parts_exchange(const struct cufft_parts *parts, void *const *natural, void *const *shuffled,
                              bool to_shuffled);
/* Makes the context of part i current, until cufft_part_leave. */
CUresult cufft_part_enter(const struct cufft_plan *plan, int i);
void cufft_part_leave(const struct cufft_plan *plan);
/* Copies are queued in the current context: what comes next in others must wait for them. */
CUresult cufft_copied(CUresult result);
CUresult cufft_parts_wait(const struct cufft_plan *plan, const struct cufft_parts *parts);
#endif

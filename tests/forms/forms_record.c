/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: run the assembled forms on a GPU and write what they compute.
 *   forms_record TABLE DIR OUT [OURS BITS]   DIR has the cubins of assemble.sh; OUT gets a line a form, in
 *                                            the format of golden.txt; BITS gets all bits of each chunk
 *                                            whose digest differs from OURS (forms_test ours)
 * Method: the driver API alone. Each form is one kernel, launched by itself. When a kernel fails, this is
 * written, and a new context is created. Limits: one GPU. */
#include "forms.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULE = 64, SLOTS_MOST = 64 };

struct recorder {
    CUcontext context;
    CUmodule module;
    uint32_t loaded; /* module number + 1 */
    CUdeviceptr in, out, cells;
    uint64_t *inputs, *results;
    const char *dir;
};

static void must(CUresult result, const char *what)
{
    const char *name = "?";
    if (result == CUDA_SUCCESS) return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", what, name);
    exit(1);
}

static void open_gpu(struct recorder *r)
{
    CUdevice device;
    must(cuInit(0), "cuInit");
    must(cuDeviceGet(&device, 0), "cuDeviceGet");
    must(cuDevicePrimaryCtxRetain(&r->context, device), "cuDevicePrimaryCtxRetain");
    must(cuCtxSetCurrent(r->context), "cuCtxSetCurrent");
    must(cuMemAlloc(&r->in, forms_input_bytes()), "cuMemAlloc");
    must(cuMemAlloc(&r->out, (size_t)SLOTS_MOST * FORMS_THREADS * 8), "cuMemAlloc");
    must(cuMemAlloc(&r->cells, (size_t)FORMS_THREADS * FORMS_CELL_BYTES), "cuMemAlloc");
    must(cuMemcpyHtoD(r->in, r->inputs, forms_input_bytes()), "cuMemcpyHtoD");
    r->loaded = 0;
}

static void reopen_gpu(struct recorder *r)
{
    CUdevice device;
    must(cuDeviceGet(&device, 0), "cuDeviceGet");
    must(cuDevicePrimaryCtxReset(device), "cuDevicePrimaryCtxReset");
    open_gpu(r);
}

static CUresult load(struct recorder *r, uint32_t number)
{
    char path[4096];
    if (r->loaded == number + 1) return CUDA_SUCCESS;
    if (r->loaded) cuModuleUnload(r->module);
    r->loaded = 0;
    snprintf(path, sizeof path, "%s/%04u.cubin", r->dir, number);
    CUresult result = cuModuleLoad(&r->module, path);
    if (result == CUDA_SUCCESS) r->loaded = number + 1;
    return result;
}

static CUresult launch(struct recorder *r, const struct form *form, CUfunction function)
{
    struct {
        uint64_t in, out, cells, pad;
        uint8_t blob[FORMS_BLOB_BYTES];
    } p = {.in = r->in, .out = r->out, .cells = r->cells};
    void *params[] = {&p.in, &p.out, &p.cells, p.blob};
    size_t bytes = (size_t)forms_slots(form) * FORMS_THREADS * 8;
    forms_blob_fill(p.blob);
    cuMemsetD8(r->out, 0, bytes ? bytes : 8);
    CUresult result =
        cuLaunchKernel(function, FORMS_THREADS / FORMS_BLOCK, 1, 1, FORMS_BLOCK, 1, 1, 0, NULL, params, NULL);
    if (result == CUDA_SUCCESS) result = cuCtxSynchronize();
    if (result == CUDA_SUCCESS && bytes) result = cuMemcpyDtoH(r->results, r->out, bytes);
    return result;
}

/* CUDA_ERROR_NOT_FOUND: ptxas refused it. */
static CUresult run(struct recorder *r, const struct form *form, uint32_t number)
{
    char name[32];
    CUfunction function;
    snprintf(name, sizeof name, "form_%u", form->index);
    CUresult result = load(r, number);
    if (result == CUDA_SUCCESS) result = cuModuleGetFunction(&function, r->module, name);
    if (result != CUDA_SUCCESS) return result;
    result = launch(r, form, function);
    if (result != CUDA_SUCCESS) reopen_gpu(r);
    return result;
}

static void write_result(FILE *file, const struct form *form, const uint64_t *results)
{
    struct forms_result result;
    forms_digest(results, forms_slots(form), &result);
    for (unsigned i = 0; i < FORMS_CHUNKS; i++)
        fprintf(file, "%08x", result.digests[i]);
    for (unsigned i = 0; i < FORMS_SAMPLES; i++)
        fprintf(file, " %llx", (unsigned long long)result.samples[i]);
    fprintf(file, "\t%s\n", form->key);
}

/* Number, slots, chunks as a mask; then those chunks of each slot. */
static void write_bits(FILE *file, const struct form *form, const uint64_t *results, uint32_t chunks)
{
    enum { SPAN = FORMS_THREADS / FORMS_CHUNKS };
    uint32_t head[3] = {form->index, forms_slots(form), chunks};
    fwrite(head, sizeof head, 1, file);
    for (unsigned slot = 0; slot < head[1]; slot++)
        for (unsigned c = 0; c < FORMS_CHUNKS; c++)
            if (chunks >> c & 1) fwrite(results + (size_t)slot * FORMS_THREADS + c * SPAN, 8, SPAN, file);
}

static bool is_run(const struct forms_row *row)
{
    return !row->elsewhere && !row->refused && row->sm <= 90;
}

/* What our side has of each form; digests of 0 where it has nothing. */
static struct forms_result *read_ours(const struct forms_table *table, const char *path)
{
    struct forms_result *ours = calloc(table->count + 1, sizeof *ours);
    FILE *file = fopen(path, "r");
    unsigned form;
    char digests[FORMS_CHUNKS * 8 + 1];
    if (!file || !ours) exit(2);
    while (fscanf(file, "%64s %*x %*x %*x %*x #%u", digests, &form) == 2)
        for (unsigned i = 0; form < table->count && i < FORMS_CHUNKS; i++)
            sscanf(digests + i * 8, "%8x", &ours[form].digests[i]);
    fclose(file);
    return ours;
}

static uint32_t differing(const struct form *form, const uint64_t *results, const struct forms_result *ours)
{
    struct forms_result result;
    uint32_t chunks = 0;
    forms_digest(results, forms_slots(form), &result);
    for (unsigned i = 0; i < FORMS_CHUNKS; i++)
        chunks |= (uint32_t)(result.digests[i] != ours->digests[i]) << i;
    return chunks;
}

static void record(struct recorder *r, const struct forms_table *table, FILE *golden, FILE *bits,
                   const struct forms_result *ours)
{
    uint32_t made = 0, done = 0, failed = 0, differ = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        const struct form *form = &table->forms[i];
        const char *name = "?";
        if (!is_run(&table->rows[form->row])) continue;
        CUresult result = run(r, form, made++ / MODULE);
        if (result == CUDA_ERROR_NOT_FOUND) continue;
        if (result != CUDA_SUCCESS) {
            cuGetErrorName(result, &name);
            printf("%s\t%s\n", name, form->key);
            fflush(stdout);
            failed++;
            continue;
        }
        write_result(golden, form, r->results);
        fflush(golden); /* a kernel that hangs takes no others along */
        uint32_t chunks = bits ? differing(form, r->results, &ours[i]) : 0;
        if (chunks) write_bits(bits, form, r->results, chunks);
        differ += chunks != 0;
        done++;
    }
    printf("%u forms recorded, %u failed, %u are not as ours\n", done, failed, differ);
}

int main(int argc, char **argv)
{
    static struct forms_table table; /* kept to the end */
    if (argc != 4 && argc != 6) {
        fprintf(stderr, "usage: forms_record TABLE DIR OUT [OURS BITS]\n");
        return 2;
    }
    forms_read(argv[1], &table);
    struct recorder r = {.dir = argv[2],
                         .inputs = malloc(forms_input_bytes()),
                         .results = malloc((size_t)SLOTS_MOST * FORMS_THREADS * 8)};
    FILE *golden = fopen(argv[3], "w"), *bits = argc > 5 ? fopen(argv[5], "wb") : NULL;
    if (!golden || (argc > 5 && !bits) || !r.inputs || !r.results) return 1;
    forms_input_fill(r.inputs);
    open_gpu(&r);
    record(&r, &table, golden, bits, argc > 5 ? read_ours(&table, argv[4]) : NULL);
    return fclose(golden) || (bits && fclose(bits));
}

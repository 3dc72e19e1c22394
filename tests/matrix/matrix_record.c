/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: run every matrix form on the current CUDA device and print digests of the resulting registers.
 * Method: the driver API and the kernels of matrix_forms.c, so that the same program runs on a GPU
 * (recorded) and here (compared). Limits: none of its own.
 *   matrix_record ptx | old                              print the kernels (old: forms of PTX before 6.5)
 *   matrix_record run FILE OLDFILE WARPS [PART [DUMP]]   FILE: PTX or cubin; PART: of a name, or "few"
 * A line a form: name, warps, then for each class of inputs the digest of the first 64 warps and of all. */
#include "device_program.h"
#include "matrix_forms.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 1024, SHORT = 64, DUMPED = 48 };
static struct matrix_form forms[ROOM];
static struct matrix_fragment fragments[ROOM];

static CUdeviceptr device_copy(const void *data, size_t bytes)
{
    CUdeviceptr at;
    check(cuMemAlloc(&at, bytes), "cuMemAlloc");
    check(cuMemcpyHtoD(at, data, bytes), "cuMemcpyHtoD");
    return at;
}

static CUdeviceptr pool(const struct matrix_form *f, enum matrix_class class, char operand)
{
    size_t words = matrix_block_words(f, operand);
    uint32_t *data = malloc(words * MATRIX_POOL * 4);
    for (unsigned b = 0; b < MATRIX_POOL; b++)
        matrix_fill(f, class, operand, b, data + words * b);
    CUdeviceptr at = device_copy(data, words * MATRIX_POOL * 4);
    free(data);
    return at;
}

static void run_class(CUfunction function, const struct matrix_form *f, enum matrix_class class,
                      unsigned warps, CUdeviceptr out, uint32_t *result, FILE *dump)
{
    CUdeviceptr a = pool(f, class, 'a'), b = pool(f, class, 'b'), c = pool(f, class, 'c'),
                e = pool(f, class, 'e');
    void *args[] = {&a, &b, &c, &e, &out, &warps};
    size_t words = matrix_block_words(f, 'd');
    check(cuLaunchKernel(function, (warps + 3) / 4, 1, 1, 128, 1, 1, 0, NULL, args, NULL), f->text);
    check(cuCtxSynchronize(), f->text);
    check(cuMemcpyDtoH(result, out, words * 4 * warps), "cuMemcpyDtoH");
    unsigned few = warps < SHORT ? warps : SHORT;
    uint64_t digest = matrix_digest(MATRIX_DIGEST_START, result, words * few);
    printf(" %08x", (unsigned)(digest >> 32 ^ digest));
    if (warps > few) {
        digest = matrix_digest(digest, result + words * few, words * (warps - few));
        printf(":%08x", (unsigned)(digest >> 32 ^ digest));
    }
    if (dump && f->main) fwrite(result, 4, words * DUMPED, dump);
    CUdeviceptr all[] = {a, b, c, e};
    for (unsigned i = 0; i < 4; i++)
        check(cuMemFree(all[i]), "cuMemFree");
}

static bool float_form(const struct matrix_form *f)
{
    return f->d != MT_S32;
}

static void run_form(CUmodule module, const struct matrix_form *f, unsigned warps, FILE *dump)
{
    CUfunction function;
    CUdeviceptr out;
    if (!f->main && warps > 1024) warps = 1024;
    size_t bytes = matrix_block_words(f, 'd') * 4 * (warps < DUMPED ? DUMPED : warps);
    uint32_t *result = calloc(1, bytes);
    check(cuModuleGetFunction(&function, module, f->name), f->name);
    check(cuMemAlloc(&out, bytes), "cuMemAlloc");
    printf("%s %u", f->name, warps);
    for (enum matrix_class class = 0; class < MC_COUNT; class ++)
        if (float_form(f) || class == MC_NEAR || class == MC_ANY || class == MC_LARGE)
            run_class(function, f, class, warps, out, result, dump);
    printf("\n");
    check(cuMemFree(out), "cuMemFree");
    free(result);
}

static void run_fragment(CUmodule module, const struct matrix_fragment *f, FILE *dump)
{
    CUfunction function;
    size_t bytes = matrix_fragment_bytes(f), words = f->regs * 32 * (f->type == MT_F64 ? 2 : 1);
    uint8_t *memory = calloc(f->passes, bytes);
    uint32_t *regs = calloc(f->passes, words * 4), stride = f->stride;
    bool store = f->letter == 'd';
    for (unsigned p = 0; p < f->passes && !store; p++)
        matrix_fragment_fill(f, p, memory + p * bytes);
    unsigned halves = f->type == MT_F64 ? 2 : 1;
    for (unsigned i = 0; i < words && store; i++)
        regs[i] = matrix_fragment_word(i / halves / 32, i / halves % 32, i % halves);
    CUdeviceptr m = device_copy(memory, bytes * f->passes), g = device_copy(regs, words * 4 * f->passes);
    void *args[] = {&m, &g, &stride};
    check(cuModuleGetFunction(&function, module, f->name), f->name);
    check(cuLaunchKernel(function, f->passes, 1, 1, 32, 1, 1, 0, NULL, args, NULL), f->text);
    check(cuCtxSynchronize(), f->text);
    check(cuMemcpyDtoH(memory, m, bytes * f->passes), "cuMemcpyDtoH");
    check(cuMemcpyDtoH(regs, g, words * 4 * f->passes), "cuMemcpyDtoH");
    uint64_t digest = matrix_digest(MATRIX_DIGEST_START, regs, words * f->passes);
    digest = matrix_digest(digest, (uint32_t *)(void *)memory, bytes * f->passes / 4);
    printf("%s %08x\n", f->name, (unsigned)(digest >> 32 ^ digest));
    if (dump && !store && !f->dense && !f->shared) fwrite(regs, 4, words * f->passes, dump);
    check(cuMemFree(m), "cuMemFree");
    check(cuMemFree(g), "cuMemFree");
    free(memory);
    free(regs);
}

static void run_move(CUmodule module, unsigned move, unsigned pattern)
{
    CUfunction function;
    static uint32_t words[MATRIX_SHARED / 4];
    uint32_t offsets[32];
    memset(words, 0, sizeof words);
    for (unsigned l = 0; l < 32; l++)
        offsets[l] = matrix_pattern(pattern, l);
    CUdeviceptr at = device_copy(offsets, sizeof offsets), out = device_copy(words, sizeof words);
    void *args[] = {&at, &out};
    const char *name = matrix_move_name(move);
    check(cuModuleGetFunction(&function, module, name), name);
    check(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL), name);
    check(cuCtxSynchronize(), name);
    check(cuMemcpyDtoH(words, out, sizeof words), "cuMemcpyDtoH");
    uint64_t digest = matrix_digest(MATRIX_DIGEST_START, words, sizeof words / 4);
    printf("%s %u %08x\n", name, pattern, (unsigned)(digest >> 32 ^ digest));
    check(cuMemFree(at), "cuMemFree");
    check(cuMemFree(out), "cuMemFree");
}

static CUmodule load(const char *path)
{
    CUmodule module;
    FILE *file = fopen(path, "rb");
    if (!file) check(CUDA_ERROR_FILE_NOT_FOUND, path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *image = calloc(1, size + 1);
    if (fread(image, 1, size, file) != size) check(CUDA_ERROR_FILE_NOT_FOUND, path);
    fclose(file);
    check(cuModuleLoadData(&module, image), path);
    free(image);
    return module;
}

static bool chosen(const char *name, const char *which, bool main, unsigned i)
{
    return strcmp(which, "few") == 0 ? main || i % 24 == 0 : strstr(name, which) != NULL;
}

/* Rows that overlap are stored in an order that PTX leaves open. */
static bool disjoint(unsigned pattern)
{
    return pattern < 4 || pattern == 5;
}

static void run_all(const char *file, const char *old_file, unsigned warps, const char *which, FILE *dump)
{
    unsigned form_count = matrix_forms(forms, ROOM), fragment_count = matrix_fragments(fragments, ROOM);
    CUmodule module = load(file), old = load(old_file);
    for (unsigned i = 0; i < form_count; i++)
        if (chosen(forms[i].name, which, forms[i].main, i))
            run_form(forms[i].old ? old : module, &forms[i], warps, dump);
    for (unsigned i = 0; i < fragment_count; i++)
        if (chosen(fragments[i].name, which, false, i)) run_fragment(module, &fragments[i], dump);
    for (unsigned i = 0; i < MATRIX_MOVES; i++)
        for (unsigned p = 0; p < MATRIX_PATTERNS; p++)
            if ((i / 6 != 1 || disjoint(p)) && chosen(matrix_move_name(i), which, false, i))
                run_move(module, i, p);
}

static void print_kernels(bool old)
{
    unsigned form_count = matrix_forms(forms, ROOM), fragment_count = matrix_fragments(fragments, ROOM);
    matrix_emit_header(stdout, old);
    for (unsigned i = 0; i < form_count; i++)
        if (forms[i].old == old) matrix_emit_kernel(stdout, &forms[i]);
    for (unsigned i = 0; i < fragment_count && !old; i++)
        matrix_emit_fragment(stdout, &fragments[i]);
    for (unsigned i = 0; i < MATRIX_MOVES && !old; i++)
        matrix_emit_move(stdout, i);
}

int main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "ptx") == 0 || strcmp(argv[1], "old") == 0))
        return print_kernels(argv[1][0] == 'o'), 0;
    if (argc < 5)
        return fprintf(stderr, "usage: matrix_record ptx|old | run FILE OLDFILE WARPS [PART] [DUMP]\n"), 2;
    device_open();
    FILE *dump = argc > 6 ? fopen(argv[6], "wb") : NULL;
    run_all(argv[2], argv[3], (unsigned)atoi(argv[4]), argc > 5 ? argv[5] : "", dump);
    if (dump) fclose(dump);
    return 0;
}

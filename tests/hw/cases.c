/* SPDX-License-Identifier: Apache-2.0 */
/* Launches every case of cases.def with the CUDA driver API and prints a digest of what each wrote.
 * The same program runs on a GPU (recorded) and on Softwarp (compared): one PTX, one host program, two
 * machines. usage: hw_cases KERNELS.ptx [FIRST [COUNT]] */
#include "device_program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 24, INDICES = 1 << 22, SIDE = 1024, COEFFICIENTS = 64 };

struct hw_case {
    const char *kernel;
    unsigned gx, gy, bx, by, shared;
    int n, p, q, order_free;
};
static const struct hw_case cases[] = {
#define CASE(...)            {NAME_OF(__VA_ARGS__)},
#define NAME_OF(kernel, ...) #kernel, __VA_ARGS__
#include "cases.def"
};
enum { CASES = sizeof cases / sizeof cases[0] };

static uint32_t mix(uint32_t x) /* Knuth's multiplicative hash, then a fold */
{
    x *= 2654435761u;
    return x ^ x >> 15;
}

/* Floats of 0 to 512 in steps of 1/64, so that sums are exact enough and no lane sees a NaN. */
static void fill(uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float value = (float)(mix((uint32_t)i) & 0x7fff) / 64.0f;
        memcpy(&words[i], &value, sizeof value);
    }
}

static uint64_t digest(const uint32_t *words, size_t count)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a over words */
    for (size_t i = 0; i < count; i++)
        h = (h ^ words[i]) * 0x100000001b3u;
    return h;
}

/* What the kernels' array `objects` holds: a texture of SIDE x SIDE floats read by element, the same
 * filtered, one of the first words of `in`, and a surface of the first. */
static void make_objects(CUmodule module, const uint32_t *host, CUdeviceptr in)
{
    unsigned long long objects[4];
    CUdeviceptr symbol;
    size_t bytes;
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = SIDE,
                                     .Height = SIDE,
                                     .Format = CU_AD_FORMAT_FLOAT,
                                     .NumChannels = 1,
                                     .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    check(cuArray3DCreate(&array, &shape), "cuArray3DCreate");
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = host,
                          .srcPitch = SIDE * 4,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = SIDE * 4,
                          .Height = SIDE};
    check(cuMemcpy2D(&copy), "cuMemcpy2D");
    CUDA_RESOURCE_DESC of_array = {.resType = CU_RESOURCE_TYPE_ARRAY},
                       linear = {.resType = CU_RESOURCE_TYPE_LINEAR};
    of_array.res.array.hArray = array;
    linear.res.linear.devPtr = in;
    linear.res.linear.format = CU_AD_FORMAT_FLOAT;
    linear.res.linear.numChannels = 1;
    linear.res.linear.sizeInBytes = WORDS * 4ull;
    CUDA_TEXTURE_DESC plain = {.filterMode = CU_TR_FILTER_MODE_POINT},
                      filtered = {.filterMode = CU_TR_FILTER_MODE_LINEAR};
    for (int i = 0; i < 3; i++)
        plain.addressMode[i] = filtered.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    check(cuTexObjectCreate(&objects[0], &of_array, &plain, NULL), "cuTexObjectCreate");
    check(cuTexObjectCreate(&objects[1], &of_array, &filtered, NULL), "cuTexObjectCreate");
    check(cuTexObjectCreate(&objects[2], &linear, &plain, NULL), "cuTexObjectCreate");
    check(cuSurfObjectCreate(&objects[3], &of_array), "cuSurfObjectCreate");
    check(cuModuleGetGlobal(&symbol, &bytes, module, "objects"), "objects");
    check(cuMemcpyHtoD(symbol, objects, sizeof objects), "cuMemcpyHtoD");
}

static void run(CUmodule module, const struct hw_case *c, CUdeviceptr in, CUdeviceptr out, CUdeviceptr index)
{
    CUfunction function;
    int n = c->n, p = c->p, q = c->q;
    float coefficients[COEFFICIENTS]; /* of parameter_array; the other kernels have no seventh parameter */
    for (int i = 0; i < COEFFICIENTS; i++)
        coefficients[i] = (float)i * 0.5f;
    void *args[] = {&in, &out, &index, &n, &p, &q, coefficients};
    check(cuModuleGetFunction(&function, module, c->kernel), c->kernel);
    check(cuMemsetD32(out, 0, WORDS), "cuMemsetD32");
    check(cuLaunchKernel(function, c->gx, c->gy, 1, c->bx, c->by, 1, c->shared, NULL, args, NULL), c->kernel);
    check(cuCtxSynchronize(), c->kernel);
}

int main(int argc, char **argv)
{
    int first = argc > 2 ? atoi(argv[2]) : 0, count = argc > 3 ? atoi(argv[3]) : CASES;
    if (argc < 2) return fprintf(stderr, "usage: hw_cases KERNELS.ptx [FIRST [COUNT]]\n"), 2;
    CUmodule module;
    CUdeviceptr in, out, index, table;
    size_t table_bytes;
    device_open();
    check(cuModuleLoad(&module, argv[1]), argv[1]);
    check(cuMemAlloc(&in, WORDS * 4ull), "cuMemAlloc");
    check(cuMemAlloc(&out, WORDS * 4ull), "cuMemAlloc");
    check(cuMemAlloc(&index, INDICES * 4ull), "cuMemAlloc");
    uint32_t *host = malloc(WORDS * 4ull);
    if (!host) return 1;
    fill(host, WORDS);
    check(cuMemcpyHtoD(in, host, WORDS * 4ull), "cuMemcpyHtoD");
    check(cuModuleGetGlobal(&table, &table_bytes, module, "table"), "table");
    check(cuMemcpyHtoD(table, host, table_bytes), "cuMemcpyHtoD");
    make_objects(module, host, in);
    for (int i = 0; i < INDICES; i++)
        host[i] = mix((uint32_t)i) >> 4;
    check(cuMemcpyHtoD(index, host, INDICES * 4ull), "cuMemcpyHtoD");
    for (int i = first; i < first + count && i < CASES; i++) {
        const struct hw_case *c = &cases[i];
        run(module, c, in, out, index);
        check(cuMemcpyDtoH(host, out, WORDS * 4ull), "cuMemcpyDtoH");
        printf("%d %s %u,%u %u,%u %d,%d,%d %016llx\n", i, c->kernel, c->gx, c->gy, c->bx, c->by, c->n, c->p,
               c->q, c->order_free ? (unsigned long long)digest(host, WORDS) : 0ull);
    }
    free(host);
    return 0;
}

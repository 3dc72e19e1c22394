/* SPDX-License-Identifier: Apache-2.0 */
/* Launches recorded cases with the CUDA driver API: those of memory.def, or of the file that the argument
 * names (walks.def, ../timing/timing.def, textures.def, ...). "probe" prints where blocks run and how long
 * loads take. The same program runs on a GPU (recorded by record.sh) and on Softwarp (compared): one PTX,
 * one host program.
 *
 *   usage: hw_memory FILE.ptx [cases|walks|timing|textures|hints|contention|meetings|stores|probe
 *                              [FIRST [COUNT [STEP]]]] */
#include "device_program.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 25, INDICES = 1 << 22, CLEARED = 1 << 22 };
enum memory_setting {
    SETTING_NONE,
    SETTING_MOST_L1,
    SETTING_MOST_SHARED,
    SETTING_FETCH_32,
    SETTING_FETCH_128,
    SETTING_PERSIST,       /* the first half of what the case reads stays in the L2's set-aside */
    SETTING_PERSIST_RATIO, /* a window over all of it, hit ratio 0.25 */
    SETTING_SET_ASIDE,     /* no window, but the L2's set-aside */
    SETTING_LINEAR,        /* `in` is a texture of linear memory */
    SETTING_ARRAY,         /* of an array of n times n */
    SETTING_LAYERED        /* of p layers of such */
};

struct hw_case {
    const char *kernel;
    unsigned gx, gy, bx, by, shared;
    int n, p, q, setting;
};
#define CASE(...)            {NAME_OF(__VA_ARGS__)},
#define NAME_OF(kernel, ...) #kernel, __VA_ARGS__
static const struct hw_case cases[] = {
#include "memory.def"
};
static const struct hw_case walks[] = {
#include "walks.def"
};
static const struct hw_case timing[] = {
/* of tests/hw/timing/timing.ptx */
#include "timing.def"
};
static const struct hw_case textures[] = {
/* of textures.ptx */
#include "textures.def"
};
static const struct hw_case hints[] = {
/* of hints.ptx */
#include "hints.def"
};
static const struct hw_case contention[] = {
/* of contention.ptx */
#include "contention.def"
};
static const struct hw_case meetings[] = {
/* of meetings.ptx */
#include "meetings.def"
};
static const struct hw_case stores[] = {
/* of stores.ptx */
#include "stores.def"
};
/* The lists by their names. */
static const struct hw_list {
    const char *name;
    const struct hw_case *cases;
    int count;
} lists[] = {{"cases", cases, sizeof cases / sizeof cases[0]},
             {"walks", walks, sizeof walks / sizeof walks[0]},
             {"timing", timing, sizeof timing / sizeof timing[0]},
             {"textures", textures, sizeof textures / sizeof textures[0]},
             {"hints", hints, sizeof hints / sizeof hints[0]},
             {"contention", contention, sizeof contention / sizeof contention[0]},
             {"meetings", meetings, sizeof meetings / sizeof meetings[0]},
             {"stores", stores, sizeof stores / sizeof stores[0]}};
struct machine {
    CUdevice device;
    CUmodule module;
    CUstream stream;
    CUdeviceptr in, out, index;
    uint32_t *host;
};

static uint32_t mix(uint32_t x) /* Knuth's multiplicative hash, then a fold */
{
    x *= 2654435761u;
    return x ^ x >> 15;
}

static void machine_open(struct machine *m, const char *ptx)
{
    CUdeviceptr table;
    size_t table_bytes;
    m->device = device_open();
    check(cuStreamCreate(&m->stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    check(cuModuleLoad(&m->module, ptx), ptx);
    check(cuMemAlloc(&m->in, WORDS * 4ull), "cuMemAlloc");
    check(cuMemAlloc(&m->out, WORDS * 4ull), "cuMemAlloc");
    check(cuMemAlloc(&m->index, INDICES * 4ull), "cuMemAlloc");
    m->host = malloc(WORDS * 4ull);
    if (!m->host) exit(1);
    for (int i = 0; i < WORDS; i++) { /* floats of 0 to 512 in steps of 1/64 */
        float value = (float)(mix((uint32_t)i) & 0x7fff) / 64.0f;
        memcpy(&m->host[i], &value, sizeof value);
    }
    check(cuMemcpyHtoD(m->in, m->host, WORDS * 4ull), "cuMemcpyHtoD");
    check(cuMemsetD32(m->out, 0, WORDS), "cuMemsetD32");
    check(cuModuleGetGlobal(&table, &table_bytes, m->module, "table"), "table");
    check(cuMemcpyHtoD(table, m->host, table_bytes), "cuMemcpyHtoD");
    for (int i = 0; i < INDICES; i++)
        m->host[i] = mix((uint32_t)i) >> 4;
    check(cuMemcpyHtoD(m->index, m->host, INDICES * 4ull), "cuMemcpyHtoD");
}

static void set_window(struct machine *m, const struct hw_case *c)
{
    CUlaunchAttributeValue value = {0};
    bool on = c->setting == SETTING_PERSIST || c->setting == SETTING_PERSIST_RATIO;
    value.accessPolicyWindow.base_ptr = (void *)(uintptr_t)m->in;
    value.accessPolicyWindow.num_bytes = !on ? 0 : c->setting == SETTING_PERSIST ? c->n * 2ull : c->n * 4ull;
    value.accessPolicyWindow.hitRatio = c->setting == SETTING_PERSIST_RATIO ? 0.25f : 1.0f;
    value.accessPolicyWindow.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
    value.accessPolicyWindow.missProp = CU_ACCESS_PROPERTY_STREAMING;
    bool set_aside = on || c->setting == SETTING_SET_ASIDE;
    check(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, set_aside ? 24u << 20 : 0), "cuCtxSetLimit");
    check(cuStreamSetAttribute(m->stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value),
          "cuStreamSetAttribute");
}

static void settings(struct machine *m, CUfunction function, const struct hw_case *c, int before)
{
    int carveout = c->setting == SETTING_MOST_L1 ? 0 : c->setting == SETTING_MOST_SHARED ? 100 : -1;
    size_t fetch = c->setting == SETTING_FETCH_32 ? 32 : c->setting == SETTING_FETCH_128 ? 128 : 64;
    check(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, carveout),
          "carveout");
    if (c->shared > 48 << 10)
        check(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)c->shared),
              "shared");
    if (c->setting == before) return;
    if (c->setting == SETTING_FETCH_32 || c->setting == SETTING_FETCH_128 || before == SETTING_FETCH_32 ||
        before == SETTING_FETCH_128)
        check(cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, fetch), "fetch granularity");
    if (c->setting >= SETTING_PERSIST || before >= SETTING_PERSIST) set_window(m, c);
}

/* ---- textures of floats, of what `in` holds */

static CUarray make_array(const struct machine *m, size_t n, size_t layers)
{
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = n,
                                     .Height = n,
                                     .Depth = layers,
                                     .Format = CU_AD_FORMAT_FLOAT,
                                     .NumChannels = 1,
                                     .Flags = layers ? CUDA_ARRAY3D_LAYERED : 0};
    CUarray array;
    check(cuArray3DCreate(&array, &shape), "cuArray3DCreate");
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = m->in,
                          .srcPitch = n * 4,
                          .srcHeight = n,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = n * 4,
                          .Height = n,
                          .Depth = layers ? layers : 1};
    check(cuMemcpy3D(&copy), "cuMemcpy3D");
    return array;
}

static CUtexObject make_texture(const struct machine *m, const struct hw_case *c, CUarray array)
{
    CUDA_RESOURCE_DESC resource = {0};
    CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT};
    CUtexObject texture;
    for (int i = 0; i < 3; i++)
        how.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    if (array) {
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
    } else {
        resource.resType = CU_RESOURCE_TYPE_LINEAR;
        resource.res.linear.devPtr = m->in;
        resource.res.linear.format = CU_AD_FORMAT_FLOAT;
        resource.res.linear.numChannels = 1;
        resource.res.linear.sizeInBytes = WORDS * 4ull;
    }
    check(cuTexObjectCreate(&texture, &resource, &how, NULL), c->kernel);
    return texture;
}

static void run(struct machine *m, const struct hw_case *c, int before)
{
    CUfunction function;
    int n = c->n, p = c->p, q = c->q;
    CUarray array = NULL;
    CUtexObject texture = 0;
    if (c->setting == SETTING_ARRAY || c->setting == SETTING_LAYERED)
        array = make_array(m, (size_t)n, c->setting == SETTING_LAYERED ? (size_t)p : 0);
    if (c->setting >= SETTING_LINEAR) texture = make_texture(m, c, array);
    void *args[] = {&m->in, &m->out, &m->index, &n, &p, &q};
    if (texture) args[0] = &texture;
    check(cuModuleGetFunction(&function, m->module, c->kernel), c->kernel);
    check(cuMemsetD32(m->out, 0, CLEARED), "cuMemsetD32");
    check(cuCtxSynchronize(), "clear");
    settings(m, function, c, before);
    check(cuLaunchKernel(function, c->gx, c->gy, 1, c->bx, c->by, 1, c->shared, m->stream, args, NULL),
          c->kernel);
    check(cuCtxSynchronize(), c->kernel);
    if (texture) check(cuTexObjectDestroy(texture), "cuTexObjectDestroy");
    if (array) check(cuArrayDestroy(array), "cuArrayDestroy");
}

static void print_where(struct machine *m, unsigned blocks, unsigned threads, unsigned shared, int delay)
{
    struct hw_case c = {"where", blocks, 1, threads, 1, shared, 0, 0, delay, 0};
    run(m, &c, 0);
    check(cuMemcpyDtoH(m->host, m->out, blocks * 4ull), "cuMemcpyDtoH");
    printf("where blocks %u threads %u shared %u delay %d:", blocks, threads, shared, delay);
    for (unsigned i = 0; i < blocks; i++)
        printf(" %u", m->host[i]);
    printf("\n");
}

static int compare_words(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void print_latency(struct machine *m, int n, int stride, int pass)
{
    struct hw_case c = {"latency", 1, 1, 1, 1, 0, n, stride, pass, 0};
    run(m, &c, 0);
    check(cuMemcpyDtoH(m->host, m->out, (size_t)n * 4), "cuMemcpyDtoH");
    qsort(m->host, (size_t)n, 4, compare_words);
    printf("latency loads %d stride %d pass %d: deciles", n, stride, pass);
    for (int i = 0; i <= 10; i++)
        printf(" %u", m->host[(int64_t)(n - 1) * i / 10]);
    printf("\n");
}

static void probe(struct machine *m)
{
    print_where(m, 1, 32, 0, 0);
    print_where(m, 16, 256, 0, 0);
    print_where(m, 64, 256, 0, 0);
    print_where(m, 132, 1024, 0, 0);
    print_where(m, 300, 256, 0, 0);
    print_where(m, 300, 1024, 0, 0);
    print_where(m, 1200, 256, 0, 0);
    print_where(m, 600, 256, 100 << 10, 0);
    print_where(m, 600, 256, 100 << 10, 1000);
    print_latency(m, 256, 32, 1);
    print_latency(m, 1500, 32, 1);
    print_latency(m, 16384, 64, 0);
    print_latency(m, 16384, 64, 1);
    print_latency(m, 65536, 64, 1);
    print_latency(m, 8192, 4096, 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[2] : "cases";
    int first = argc > 3 ? atoi(argv[3]) : 0, before = 0;
    const struct hw_list *list = &lists[0];
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(what, lists[i].name) == 0) list = &lists[i];
    int count = argc > 4 ? atoi(argv[4]) : list->count, step = argc > 5 ? atoi(argv[5]) : 1;
    struct machine m;
    if (argc < 2)
        return fprintf(stderr, "usage: hw_memory FILE.ptx "
                               "[cases|walks|timing|textures|hints|contention|meetings|stores|probe "
                               "[FIRST [COUNT [STEP]]]]\n"),
               2;
    machine_open(&m, argv[1]);
    if (strcmp(what, "probe") == 0) return probe(&m), 0;
    for (int i = first; i < first + count && i < list->count; i += step) {
        run(&m, &list->cases[i], before);
        before = list->cases[i].setting;
    }
    free(m.host);
    return 0;
}

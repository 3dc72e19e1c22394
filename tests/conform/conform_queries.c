/* SPDX-License-Identifier: Apache-2.0 */
/* Queries whose answers depend on the GPU and not on the machine: attributes, limits, occupancy,
 * alignments. */
#define _GNU_SOURCE
#include "conform.h"

#include <dlfcn.h>

static char what[192];
#define WHAT(...) (snprintf(what, sizeof(what), __VA_ARGS__), what)

static void attributes(void)
{
    for (int i = 0; i <= 150; i++) {
        int value = -12345;
        CUresult result = cuDeviceGetAttribute(&value, (CUdevice_attribute)i, 0);
        TELL(WHAT("device attribute %d", i), "%s %d", conform_error(result), value);
    }
    char name[64];
    MUST(cuDeviceGetName(name, sizeof(name), 0));
    TELL("name", "%s", name);
    for (int bits = 0; bits < 0x40; bits++) {
        size_t width = 0;
        if (cuDeviceGetTexture1DLinearMaxWidth(&width, (CUarray_format)bits, 1, 0) == CUDA_SUCCESS)
            TELL(WHAT("linear texture of format %d", bits), "%zu", width);
    }
    int least = 7, greatest = 7;
    MUST(cuCtxGetStreamPriorityRange(&least, &greatest));
    TELL("priorities", "%d %d", least, greatest);
    for (int i = -8; i <= 2; i++) {
        CUstream stream;
        int got = 7;
        MUST(cuStreamCreateWithPriority(&stream, 0, i));
        MUST(cuStreamGetPriority(stream, &got));
        TELL(WHAT("priority %d", i), "%d", got);
    }
}

static void errors(void)
{
    for (int i = 0; i <= 1100; i++) {
        const char *name = NULL, *text = NULL;
        CUresult result = cuGetErrorName((CUresult)i, &name);
        if (result != CUDA_SUCCESS) continue;
        MUST(cuGetErrorString((CUresult)i, &text));
        TELL(WHAT("error %d", i), "%s, %s", name, text == NULL ? "(null)" : "a text");
    }
}

static void limits(void)
{
    for (int i = 0; i < 12; i++) {
        size_t value = 12345;
        CUresult result = cuCtxGetLimit(&value, (CUlimit)i);
        TELL(WHAT("limit %d", i), "%s %zu", conform_error(result), value);
        for (size_t want = 1; want <= (size_t)1 << 32; want <<= 4) {
            if (want > 1 << 20 && i != 2 && i != 6) continue; /* memory for all threads of the GPU */
            CUresult set = cuCtxSetLimit((CUlimit)i, want);
            value = 12345;
            result = cuCtxGetLimit(&value, (CUlimit)i);
            TELL(WHAT("limit %d set to %zu", i, want), "%s, %s %zu", conform_error(set),
                 conform_error(result), value);
        }
    }
}

static void occupancy_of(const char *name)
{
    CUfunction function = conform_function(name);
    static const int sizes[] = {1,   31,  32,  33,  64,  96,  100, 128,  129,
                                192, 256, 320, 384, 512, 640, 768, 1000, 1024};
    static const size_t shared[] = {0, 1, 1024, 1025, 4096, 16384, 32768, 45152, 45153, 49152};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        for (size_t j = 0; j < sizeof(shared) / sizeof(*shared); j++) {
            int blocks = -1;
            CUresult result =
                cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, sizes[i], shared[j]);
            TELL(WHAT("%s: blocks of %d threads with %zu bytes", name, sizes[i], shared[j]), "%s %d",
                 conform_error(result), blocks);
        }
        for (int blocks = 1; blocks <= 32; blocks *= 2) {
            size_t bytes = 12345;
            CUresult result = cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, blocks, sizes[i]);
            TELL(WHAT("%s: bytes for %d blocks of %d threads", name, blocks, sizes[i]), "%s %zu",
                 conform_error(result), bytes);
        }
    }
    static const int limit[] = {0, 1, 32, 64, 100, 128, 1024};
    for (size_t i = 0; i < sizeof(limit) / sizeof(*limit); i++)
        for (size_t j = 0; j < sizeof(shared) / sizeof(*shared); j++) {
            int grid = -1, block = -1;
            CUresult result =
                cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, shared[j], limit[i]);
            TELL(WHAT("%s: best block of at most %d threads with %zu bytes", name, limit[i], shared[j]),
                 "%s %d in %d", conform_error(result), block, grid);
        }
}

static void occupancy(void)
{
    occupancy_of("empty");
    occupancy_of("bounded");
    CUfunction function = conform_function("empty");
    MUST(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
    for (size_t bytes = 16384; bytes <= 262144; bytes += 16384) {
        int blocks = -1;
        CUresult result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 64, bytes);
        TELL(WHAT("opted in: blocks with %zu bytes", bytes), "%s %d", conform_error(result), blocks);
    }
    for (int carveout = -1; carveout <= 100; carveout += 17) {
        int blocks = -1;
        MUST(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, carveout));
        CUresult result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 64, 32768);
        TELL(WHAT("carveout %d: blocks with 32768 bytes", carveout), "%s %d", conform_error(result), blocks);
    }
}

static void functions(void)
{
    static const char *const names[] = {"empty", "bounded", "several"};
    for (size_t n = 0; n < 3; n++) {
        CUfunction function = conform_function(names[n]);
        for (int i = 0; i <= 17; i++) {
            int value = -12345;
            CUresult result = cuFuncGetAttribute(&value, (CUfunction_attribute)i, function);
            if (i == 4 || (i == 6 && result == CUDA_SUCCESS))
                continue; /* registers and machine code are not ours */
            TELL(WHAT("%s: attribute %d", names[n], i), "%s %d", conform_error(result), value);
        }
        for (size_t i = 0; i < 6; i++) {
            size_t offset = 12345, bytes = 12345;
            CUresult result = cuFuncGetParamInfo(function, i, &offset, &bytes);
            TELL(WHAT("%s: parameter %zu", names[n], i), "%s %zu %zu", conform_error(result), offset, bytes);
        }
        const char *name = "";
        MUST(cuFuncGetName(&name, function));
        TELL(WHAT("%s: name", names[n]), "%s", name);
    }
    static const int values[] = {-2, -1, 0, 1, 45152, 45153, 49152, 101, 228448, 228449, 232448, 232449};
    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
        CUfunction function = conform_function("bounded");
        int now = -12345;
        CUresult set =
            cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, values[i]);
        CUresult got = cuFuncGetAttribute(&now, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function);
        TELL(WHAT("bounded: dynamic %d", values[i]), "%s, %s %d", conform_error(set), conform_error(got),
             now);
    }
}

static unsigned long long alignment(CUdeviceptr p)
{
    return p == 0 ? 0 : p & -p;
}

static void allocations(void)
{
    CUdeviceptr p, base;
    size_t pitch, bytes;
    static const size_t widths[] = {1, 4, 100, 511, 512, 513, 4096, 5000};
    for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++)
        for (unsigned element = 4; element <= 16; element *= 2) {
            MUST(cuMemAllocPitch(&p, &pitch, widths[i], 7, element));
            TELL(WHAT("pitch of %zu bytes of %u", widths[i], element), "%zu", pitch);
            MUST(cuMemGetAddressRange(&base, &bytes, p));
            TELL(WHAT("range of %zu bytes of %u", widths[i], element), "%s %zu",
                 base == p ? "from it" : "other", bytes);
        }
    static const size_t sizes[] = {1, 3, 256, 511, 513, 4096, 1 << 20, (1 << 20) + 1, (2 << 20) + 1};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        MUST(cuMemAlloc(&p, sizes[i]));
        MUST(cuMemGetAddressRange(&base, &bytes, p));
        TELL(WHAT("range of %zu", sizes[i]), "%s %zu", base == p ? "from it" : "other", bytes);
        TELL(WHAT("alignment of %zu", sizes[i]), "%s", alignment(p) >= 512 ? "512 or more" : "less");
    }
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    for (int option = 0; option < 2; option++) {
        MUST(cuMemGetAllocationGranularity(&bytes, &prop, (CUmemAllocationGranularity_flags)option));
        TELL(WHAT("granularity %d", option), "%zu", bytes);
    }
    MUST(cuMemAddressReserve(&p, 2 << 20, 0, 0, 0));
    TELL("alignment of a reservation", "%s", alignment(p) >= 2 << 20 ? "2 MiB or more" : "less");
    CUmemoryPool pool;
    MUST(cuDeviceGetDefaultMemPool(&pool, 0));
    for (int i = 1; i <= 8; i++) {
        unsigned long long value = 0;
        CUresult result = cuMemPoolGetAttribute(pool, (CUmemPool_attribute)i, &value);
        TELL(WHAT("default pool: attribute %d", i), "%s %llu", conform_error(result),
             i < 4 ? (unsigned)value : value);
    }
}

/* Which exported name a pointer is. */
static const char *whose(void *pointer, const char *name)
{
    static const char *const endings[] = {"",      "_v2",      "_v3",      "_v4",      "_ptsz",
                                          "_ptds", "_v2_ptsz", "_v2_ptds", "_v3_ptsz", "_v3_ptds"};
    static char full[96];
    if (pointer == NULL) return "null";
    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
        snprintf(full, sizeof(full), "%s%s", name, endings[i]);
        if (dlsym(RTLD_DEFAULT, full) == pointer) return full;
    }
    return "not exported";
}

static void entries_of(const char *name)
{
    static const int versions[] = {2000,  3000,  3020,  4000,  5000,  6050,  7000,  9000,  10000, 11000,
                                   11020, 11030, 11040, 12000, 12020, 12030, 12050, 12080, 13000};
    for (unsigned flags = 0; flags <= 2; flags++) {
        char last[128] = "";
        for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
            char now[128];
            void *pointer = NULL;
            CUdriverProcAddressQueryResult status = (CUdriverProcAddressQueryResult)77;
            CUresult result = cuGetProcAddress_v2(name, &pointer, versions[i], flags, &status);
            snprintf(now, sizeof(now), "%s %d %s", conform_error(result), (int)status, whose(pointer, name));
            if (strcmp(last, now) == 0) continue; /* as the version before */
            strcpy(last, now);
            TELL(WHAT("%s from %d, flags %u", name, versions[i], flags), "%s", now);
        }
    }
}

static void entries(void)
{
    static const char *const bases[] = {
#define DONE(symbol, base, version)    #base,
#define REFUSED(symbol, base, version) #base,
#include "driver/api/driver_api.def"
    };
    for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++)
        if (i == 0 || strcmp(bases[i], bases[i - 1]) != 0) entries_of(bases[i]);
    entries_of("cuNoSuchFunction");
    entries_of("cuMemAlloc_v2");
    entries_of("cuLaunchKernel_ptsz");
}

static void pointer_of(const char *name, CUdeviceptr p)
{
    for (int i = 1; i <= 22; i++) {
        unsigned char value[64];
        unsigned number;
        memset(value, 0x5a, sizeof(value));
        CUresult result = cuPointerGetAttribute(value, (CUpointer_attribute)i, p);
        memcpy(&number, value, sizeof(number));
        bool small =
            i == 2 || i == 6 || i == 8 || i == 9 || i == 10 || i == 13 || i == 14 || i == 15 || i == 18;
        bool one = i == 6 || i == 8 || i == 10 || i == 13 || i == 15 || i == 18; /* a byte */
        bool addresses = i == 3 || i == 4 || i == 11;
        if (result != CUDA_SUCCESS)
            TELL(WHAT("%s: attribute %d", name, i), "%s", conform_error(result));
        else if (small)
            TELL(WHAT("%s: attribute %d", name, i), "%u", one ? number & 0xff : number);
        else if (addresses)
            TELL(WHAT("%s: attribute %d", name, i), "%s", memcmp(value, &p, 8) == 0 ? "itself" : "other");
        else
            TELL(WHAT("%s: attribute %d", name, i), "ok");
    }
}

static void pointers(void)
{
    static char here[64];
    static const char *const kinds[] = {"dev",   "managed",  "pinned", "registered",
                                        "async", "reserved", "mapped"};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        pointer_of(kinds[i], conform_good(kinds[i]));
        char inside[32];
        snprintf(inside, sizeof(inside), "inside %s", kinds[i]);
        pointer_of(inside, conform_good(kinds[i]) + 100);
    }
    pointer_of("host memory", (CUdeviceptr)(uintptr_t)here);
    pointer_of("null", 0);
    pointer_of("wild", 0x123456789000);
}

void conform_queries(const char *name)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"attributes", attributes}, {"errors", errors},       {"limits", limits},
               {"occupancy", occupancy},   {"functions", functions}, {"allocations", allocations},
               {"entries", entries},       {"pointers", pointers}};
    conform_begin();
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (strcmp(all[i].name, name) == 0) all[i].run();
}

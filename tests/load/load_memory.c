/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory is sparse, ends where RAM plus swap do, and goes back to the system when it is freed.
 * usage: load_memory sparse | limited | returned | many   (sparse: SOFTWARP_HOST_MEMORY=200G; limited: =1G)
 */
#include "load.h"

static const size_t MIB = 1 << 20, GIB = 1 << 30;

/* All of an H200's memory, and a few pages of it. */
static void sparse(void)
{
    size_t free_bytes, total;
    CUdeviceptr p;
    OK(cuMemGetInfo(&free_bytes, &total));
    CHECK(total > 140000000000u && free_bytes == total, "%zu of %zu are free", free_bytes, total);
    long before = load_resident();
    OK(cuMemAlloc(&p, total - 64 * MIB));
    for (size_t at = 0; at + 4 < total - 64 * MIB; at += 4 * GIB)
        OK(cuMemsetD32(p + at, 7, 1));
    unsigned last;
    OK(cuMemcpyDtoH(&last, p + 8 * GIB, 4));
    CHECK(last == 7, "%u", last);
    long grown = load_resident() - before;
    CHECK(grown < (long)(160 * MIB), "%ld bytes for a few pages", grown);
    OK(cuMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes <= 64 * MIB, "%zu are free", free_bytes);
    CUdeviceptr more;
    IS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&more, 65 * MIB));
    OK(cuMemFree(p));
    OK(cuMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes == total, "%zu of %zu are free", free_bytes, total);
}

/* The host has 1 GiB: what is live in all kinds of memory counts. */
static void limited(void)
{
    CUdeviceptr a, b, c;
    void *pinned;
    size_t free_bytes, total;
    OK(cuMemGetInfo(&free_bytes, &total));
    CHECK(free_bytes <= GIB && free_bytes > GIB - 64 * MIB, "%zu are free", free_bytes);
    IS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&a, 2 * GIB));
    OK(cuMemAlloc(&a, 400 * MIB));
    OK(cuMemHostAlloc(&pinned, 300 * MIB, 0));
    OK(cuMemAllocManaged(&b, 200 * MIB, CU_MEM_ATTACH_GLOBAL));
    IS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&c, 200 * MIB));
    OK(cuMemAlloc(&c, 50 * MIB));
    OK(cuMemFree(a));
    OK(cuMemAlloc(&a, 300 * MIB));
    OK(cuMemFree(a));
    OK(cuMemFree(b));
    OK(cuMemFree(c));
    OK(cuMemFreeHost(pinned));
    OK(cuMemGetInfo(&free_bytes, &total));
    OK(cuMemAlloc(&a, free_bytes)); /* as programs do that take what there is */
    OK(cuMemFree(a));
}

static void expect_back(long before, const char *what)
{
    long now = load_resident();
    CHECK(now - before < (long)(24 * MIB), "%s: %ld bytes were not given back", what, now - before);
}

static void returned(void)
{
    enum { PIECES = 16 };
    CUdeviceptr p, pieces[PIECES];
    void *pinned;
    CUstream stream;
    size_t bytes = 256 * MIB;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&p, MIB));
    OK(cuMemsetD8(p, 1, MIB));
    OK(cuMemFree(p));
    long before = load_resident();
    for (int round = 0; round < 4; round++) {
        OK(cuMemAlloc(&p, bytes));
        OK(cuMemsetD8(p, 1, bytes));
        OK(cuCtxSynchronize());
        CHECK(load_resident() - before > (long)(bytes / 2), "nothing was touched");
        OK(cuMemFree(p));
        expect_back(before, "cuMemAlloc");
    }
    OK(cuMemAllocManaged(&p, bytes, CU_MEM_ATTACH_GLOBAL));
    memset((void *)p, 1, bytes);
    OK(cuMemFree(p));
    expect_back(before, "cuMemAllocManaged");
    OK(cuMemHostAlloc(&pinned, bytes, 0));
    memset(pinned, 1, bytes);
    OK(cuMemFreeHost(pinned));
    expect_back(before, "cuMemHostAlloc");
    OK(cuMemAllocAsync(&p, bytes, stream));
    OK(cuMemsetD8Async(p, 1, bytes, stream));
    OK(cuMemFreeAsync(p, stream));
    OK(cuStreamSynchronize(stream));
    expect_back(before, "cuMemAllocAsync");
    for (int i = 0; i < PIECES; i++) {
        OK(cuMemAlloc(&pieces[i], bytes / PIECES));
        OK(cuMemsetD8(pieces[i], 1, bytes / PIECES));
    }
    for (int i = 0; i < PIECES; i++)
        OK(cuMemFree(pieces[(i * 7) % PIECES]));
    expect_back(before, "pieces");
    OK(cuStreamDestroy(stream));
}

/* More allocations than a process may have mappings (65,530), freed in another order. */
static void many(void)
{
    enum { COUNT = 100000 / SLOW, STRIDE = 7919 };
    static CUdeviceptr all[COUNT];
    unsigned value;
    double start = load_seconds();
    for (int i = 0; i < COUNT; i++) {
        OK(cuMemAlloc(&all[i], 256));
        if (i % 1000 == 0) OK(cuMemsetD32(all[i], (unsigned)i, 64));
    }
    for (int i = 0; i < COUNT; i += 1000) {
        OK(cuMemcpyDtoH(&value, all[i] + 252, 4));
        CHECK(value == (unsigned)i, "%u, not %d", value, i);
    }
    for (size_t i = 0; i < COUNT; i++)
        OK(cuMemFree(all[i * STRIDE % COUNT]));
    printf("%d allocations: %.2f s\n", COUNT, load_seconds() - start);
    OK(cuMemAlloc(&all[0], 64 * MIB));
    OK(cuMemFree(all[0]));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } TESTS[] = {{"sparse", sparse}, {"limited", limited}, {"returned", returned}, {"many", many}};
    (void)load_ptx;
    (void)load_function;
    load_context(0);
    for (size_t i = 0; i < sizeof TESTS / sizeof *TESTS; i++)
        if (argc > 1 && strcmp(argv[1], TESTS[i].name) == 0) {
            TESTS[i].run();
            return 0;
        }
    return 2;
}

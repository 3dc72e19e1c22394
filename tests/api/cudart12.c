/* SPDX-License-Identifier: Apache-2.0 */
/* libcudart.so.12 as a CUDA 12 program meets it: its version node, the properties structure of 1032 bytes,
 * the calls that name a device where CUDA 13 names a location, and its errors. usage: cudart12 LIBRARY */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                   \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static void *find(const char *name)
{
    void *symbol = dlvsym(library, name, "libcudart.so.12");
    if (symbol == NULL) {
        printf("no %s@libcudart.so.12\n", name);
        exit(1);
    }
    return symbol;
}
#define FUNCTION(variable, name, ...)                                                                        \
    int (*variable)(__VA_ARGS__);                                                                            \
    *(void **)&variable = find(name)

static void properties(void)
{
    FUNCTION(attribute, "cudaDeviceGetAttribute", int *, int, int);
    FUNCTION(get, "cudaGetDeviceProperties_v2", void *, int);
    FUNCTION(get_old, "cudaGetDeviceProperties", void *, int);
    char prop[1032 + 64], old[1032];
    int count = 0, clock = 0, value = 0;
    memset(prop, 0x5a, sizeof(prop));
    CHECK(get(prop, 0) == 0);
    CHECK(prop[1032] == 0x5a);
    CHECK(attribute(&count, 16, 0) == 0 && attribute(&clock, 36, 0) == 0);
    memcpy(&value, prop + 388, sizeof(value));
    CHECK(value == count);
    memcpy(&value, prop + 608, sizeof(value));
    CHECK(value == clock);
    memset(old, 0x5a, sizeof(old));
    CHECK(get_old(old, 0) == 0);
    CHECK(memcmp(old, prop, 728) == 0 && old[736] == 0x5a);
}

static void locations(void)
{
    FUNCTION(allocate, "cudaMallocManaged", void **, size_t, unsigned);
    FUNCTION(release, "cudaFree", void *);
    FUNCTION(prefetch, "cudaMemPrefetchAsync", const void *, size_t, int, void *);
    FUNCTION(advise, "cudaMemAdvise", const void *, size_t, int, int);
    FUNCTION(last, "cudaGetLastError", void);
    void *memory = NULL;
    CHECK(allocate(&memory, 1 << 16, 1) == 0);
    CHECK(prefetch(memory, 1 << 16, 0, NULL) == 0);
    CHECK(prefetch(memory, 1 << 16, -1, NULL) == 0);
    CHECK(prefetch(memory, 1 << 16, 99, NULL) == 101);
    CHECK(advise(memory, 1 << 16, 1, 0) == 0);
    CHECK(release(memory) == 0);
    CHECK(last() == 101);
}

struct dim {
    unsigned x, y, z;
};

static void launches(void)
{
    FUNCTION(launch, "cudaLaunchKernel", const void *, struct dim, struct dim, void **, size_t, void *);
    FUNCTION(version, "cudaRuntimeGetVersion", int *);
    int value = 0;
    CHECK(version(&value) == 0 && value / 1000 == 12);
    struct dim one = {1, 1, 1};
    CHECK(launch(&value, one, one, NULL, 0, NULL) == 98);
    find("cudaStreamGetCaptureInfo_v2");
    find("cudaGraphAddDependencies_v2");
    find("__cudaRegisterFatBinary");
    find("__cudaPushCallConfiguration");
}

int main(int argc, char **argv)
{
    library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (library == NULL) {
        printf("%s\n", argc == 2 ? dlerror() : "usage: cudart12 LIBRARY");
        return 2;
    }
    properties();
    locations();
    launches();
    puts("ok");
    return 0;
}

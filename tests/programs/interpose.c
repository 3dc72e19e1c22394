/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into a CUDA program: writes down what it reads back from the device, so that runs on a GPU and on
 * Softwarp can be compared. One line a result on the file that RESULTS_FILE names: "copy BYTES DIGEST" for a
 * copy from device to host, "held BYTES DIGEST" for managed or mapped memory when it is freed. Works with any
 * libcudart and libcuda: it calls the next definition of each function. Limits: rows of pitched copies are
 * taken without their padding; copies in a stream that is being captured, of three dimensions, and of memory
 * that is never freed are not seen; asynchronous copies wait for their stream. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define INTERPOSED __attribute__((visibility("default")))

enum { device_to_host = 2, by_address = 4, memory_device = 2, held_max = 4096 };

struct pointer_attributes { /* cudaPointerAttributes of CUDA 11 and later */
    int type, device;
    void *device_pointer, *host_pointer;
    long reserved[8];
};

struct held {
    const void *at;
    size_t bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static struct held held[held_max];
static _Thread_local int inside; /* calls that libcudart makes of libcuda are not the program's */

#define NEXT(name)                                                                                           \
    static __typeof__(&name) next;                                                                           \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)

static uint64_t digest_bytes(uint64_t sum, const void *data, size_t bytes)
{ /* FNV-1a */
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ at[i]) * 0x100000001b3;
    return sum;
}

static void write_line(const char *what, const void *data, size_t row, size_t pitch, size_t rows)
{
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t r = 0; r < rows; r++)
        sum = digest_bytes(sum, (const char *)data + r * pitch, row);
    pthread_mutex_lock(&lock);
    if (!out) {
        const char *path = getenv("RESULTS_FILE");
        out = path ? fopen(path, "ae") : NULL;
    }
    if (out) {
        fprintf(out, "%s %zu %016llx\n", what, row * rows, (unsigned long long)sum);
        fflush(out);
    }
    pthread_mutex_unlock(&lock);
}

static int from_device(const void *source, int kind)
{
    if (kind != by_address) return kind == device_to_host;
    int (*query)(struct pointer_attributes *, const void *);
    *(void **)&query = dlsym(RTLD_DEFAULT, "cudaPointerGetAttributes");
    struct pointer_attributes a = {0};
    return query && query(&a, source) == 0 && a.type == memory_device;
}

static int to_host(const void *to, int kind)
{
    return kind == device_to_host || !from_device(to, by_address);
}

/* Waits for the stream, unless it is being captured: then nothing is copied yet. */
static int has_arrived(void *stream)
{
    int (*capturing)(void *, int *), (*wait)(void *);
    *(void **)&capturing = dlsym(RTLD_DEFAULT, "cudaStreamIsCapturing");
    *(void **)&wait = dlsym(RTLD_DEFAULT, "cudaStreamSynchronize");
    int status = 0;
    return capturing && wait && capturing(stream, &status) == 0 && status == 0 && wait(stream) == 0;
}

INTERPOSED int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    NEXT(cudaMemcpy);
    inside++;
    int status = next(to, from, bytes, kind);
    if (status == 0 && from_device(from, kind) && to_host(to, kind)) write_line("copy", to, bytes, bytes, 1);
    inside--;
    return status;
}

INTERPOSED int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream)
{
    NEXT(cudaMemcpyAsync);
    inside++;
    int status = next(to, from, bytes, kind, stream);
    if (status == 0 && kind == device_to_host && has_arrived(stream)) write_line("copy", to, bytes, bytes, 1);
    inside--;
    return status;
}

INTERPOSED int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t pitch, size_t width,
                            size_t height, int kind);
int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t pitch, size_t width, size_t height,
                 int kind)
{
    NEXT(cudaMemcpy2D);
    inside++;
    int status = next(to, to_pitch, from, pitch, width, height, kind);
    if (status == 0 && from_device(from, kind) && to_host(to, kind))
        write_line("copy", to, width, to_pitch, height);
    inside--;
    return status;
}

INTERPOSED int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind);
int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind)
{
    NEXT(cudaMemcpyFromSymbol);
    inside++;
    int status = next(to, symbol, bytes, offset, kind);
    if (status == 0 && kind == device_to_host) write_line("copy", to, bytes, bytes, 1);
    inside--;
    return status;
}

INTERPOSED int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes)
{
    NEXT(cuMemcpyDtoH_v2);
    int status = next(to, from, bytes);
    if (status == 0 && !inside) write_line("copy", to, bytes, bytes, 1);
    return status;
}

static void hold(const void *at, size_t bytes)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < held_max; i++)
        if (!held[i].at) {
            held[i] = (struct held){at, bytes};
            break;
        }
    pthread_mutex_unlock(&lock);
}

static void let_go(const void *at)
{
    size_t bytes = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < held_max && at && !bytes; i++)
        if (held[i].at == at) {
            bytes = held[i].bytes;
            held[i].at = NULL;
        }
    pthread_mutex_unlock(&lock);
    int (*wait)(void);
    *(void **)&wait = dlsym(RTLD_DEFAULT, "cudaDeviceSynchronize");
    if (bytes && wait && wait() == 0) write_line("held", at, bytes, bytes, 1);
}

INTERPOSED int cudaMallocManaged(void **at, size_t bytes, unsigned flags);
int cudaMallocManaged(void **at, size_t bytes, unsigned flags)
{
    NEXT(cudaMallocManaged);
    inside++;
    int status = next(at, bytes, flags);
    if (status == 0) hold(*at, bytes);
    inside--;
    return status;
}

INTERPOSED int cudaHostAlloc(void **at, size_t bytes, unsigned flags);
int cudaHostAlloc(void **at, size_t bytes, unsigned flags)
{
    NEXT(cudaHostAlloc);
    inside++;
    int status = next(at, bytes, flags);
    if (status == 0 && (flags & 2) != 0) hold(*at, bytes); /* cudaHostAllocMapped */
    inside--;
    return status;
}

INTERPOSED int cudaFree(void *at);
int cudaFree(void *at)
{
    NEXT(cudaFree);
    inside++;
    let_go(at);
    int status = next(at);
    inside--;
    return status;
}

INTERPOSED int cudaFreeHost(void *at);
int cudaFreeHost(void *at)
{
    NEXT(cudaFreeHost);
    inside++;
    let_go(at);
    int status = next(at);
    inside--;
    return status;
}

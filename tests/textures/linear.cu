// SPDX-License-Identifier: Apache-2.0
// What a GPU's driver takes as a texture over linear or pitched memory, and what a fetch
// beyond the memory gives; h200/linear.txt is an H200's (driver of CUDA 13.0). One line a case: its name, the status, and for fetches what was read.
//   linear          all lines; it runs itself once for each fetch, since faults end a context
//   linear fetch I  one fetch
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static const size_t KIB = 1024, MIB = 1024 * KIB;
static const size_t BEYOND[] = {4, 16, 64, 252, 256, 512, 4 * KIB, 64 * KIB, MIB, 2 * MIB, 16 * MIB, 256 * MIB};
enum { BEYONDS = sizeof BEYOND / sizeof *BEYOND };

static CUresult linear_to(CUtexObject *out, CUdeviceptr at, size_t bytes, CUarray_format format, unsigned channels)
{
    CUDA_RESOURCE_DESC r;
    memset(&r, 0, sizeof r);
    r.resType = CU_RESOURCE_TYPE_LINEAR;
    r.res.linear.devPtr = at;
    r.res.linear.format = format;
    r.res.linear.numChannels = channels;
    r.res.linear.sizeInBytes = bytes;
    CUDA_TEXTURE_DESC d;
    memset(&d, 0, sizeof d);
    return cuTexObjectCreate(out, &r, &d, NULL);
}

static void linear(const char *name, CUdeviceptr at, size_t bytes, unsigned channels = 1,
                   CUarray_format format = CU_AD_FORMAT_FLOAT)
{
    CUtexObject texture = 0;
    CUresult status = linear_to(&texture, at, bytes, format, channels);
    printf("linear %s: %d\n", name, (int)status);
    if (status == CUDA_SUCCESS) cuTexObjectDestroy(texture);
}

static void pitched(const char *name, CUdeviceptr at, size_t width, size_t height, size_t pitch)
{
    CUDA_RESOURCE_DESC r;
    memset(&r, 0, sizeof r);
    r.resType = CU_RESOURCE_TYPE_PITCH2D;
    r.res.pitch2D.devPtr = at;
    r.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
    r.res.pitch2D.numChannels = 1;
    r.res.pitch2D.width = width;
    r.res.pitch2D.height = height;
    r.res.pitch2D.pitchInBytes = pitch;
    CUDA_TEXTURE_DESC d;
    memset(&d, 0, sizeof d);
    CUtexObject texture = 0;
    CUresult status = cuTexObjectCreate(&texture, &r, &d, NULL);
    printf("pitched %s: %d\n", name, (int)status);
    if (status == CUDA_SUCCESS) cuTexObjectDestroy(texture);
}

// Of each kind of memory, 64 KiB long: longer than it, from within it, and from its end.
static void of_memory(const char *kind, CUdeviceptr at, size_t bytes)
{
    char name[128];
    for (int i = 0; i < BEYONDS; i++) {
        snprintf(name, sizeof name, "%s, %zu bytes more", kind, BEYOND[i]);
        linear(name, at, bytes + BEYOND[i]);
        snprintf(name, sizeof name, "%s, %zu bytes more from its middle", kind, BEYOND[i]);
        linear(name, at + bytes / 2, bytes / 2 + BEYOND[i]);
    }
    snprintf(name, sizeof name, "%s, at its end", kind);
    linear(name, at + bytes, 512);
    snprintf(name, sizeof name, "%s, 512 bytes past its end", kind);
    linear(name, at + bytes + 512, 512);
    snprintf(name, sizeof name, "%s, 512 bytes before it", kind);
    linear(name, at - 512, 512);
    snprintf(name, sizeof name, "%s, 512 bytes before it and into it", kind);
    linear(name, at - 512, 1024);
}

static void shapes(CUdeviceptr at, size_t bytes)
{
    char name[128];
    for (size_t offset = 1; offset <= 512; offset *= 2) {
        snprintf(name, sizeof name, "base plus %zu", offset);
        linear(name, at + offset, 1024);
        for (unsigned channels = 2; channels <= 4; channels += 2) {
            snprintf(name, sizeof name, "base plus %zu, %u channels", offset, channels);
            linear(name, at + offset, 1024, channels);
        }
        snprintf(name, sizeof name, "pitch 1024, base plus %zu", offset);
        pitched(name, at + offset, 16, 4, 1024);
    }
    linear("base plus 48", at + 48, 1024);
    linear("base plus 96", at + 96, 1024);
    for (size_t size = 0; size <= 20; size++) {
        snprintf(name, sizeof name, "%zu bytes", size);
        linear(name, at, size);
        snprintf(name, sizeof name, "%zu bytes of 4 channels", size);
        linear(name, at, size, 4);
    }
    static const size_t TEXELS[] = {(1u << 27) - 1, 1u << 27, (1u << 27) + 1, 1u << 28, (1u << 28) + 1, 1u << 29};
    for (size_t n : TEXELS) {
        snprintf(name, sizeof name, "%zu texels of 1 byte", n);
        linear(name, at, n, 1, CU_AD_FORMAT_UNSIGNED_INT8);
        snprintf(name, sizeof name, "%zu texels of 4 bytes", n);
        linear(name, at, n * 4);
    }
    linear("3 channels", at, 1200, 3);
    linear("NULL", 0, 1024);
    linear("an address that nothing has", 0x1000, 1024);
    linear("a high address that nothing has", 0x7f0000000000ull, 1024);
    int local[256];
    linear("a stack", (CUdeviceptr)(uintptr_t)local & ~511ull, 512);
    pitched("rows to the end", at, 256, bytes / 1024, 1024);
    pitched("a row more", at, 256, bytes / 1024 + 1, 1024);
    pitched("twice the rows", at, 256, bytes / 1024 * 2, 1024);
    pitched("2^15 rows", at, 256, 1 << 15, 1024);
    pitched("the last row 4 bytes short of the pitch", at + 512, 128, bytes / 1024, 1024);
}

static void kinds()
{
    CUdeviceptr small, large, managed, freed;
    void *host, *registered;
    cuMemAlloc(&small, 64 * KIB);
    cuMemAlloc(&large, 32 * MIB);
    of_memory("64 KiB", small, 64 * KIB);
    of_memory("32 MiB", large, 32 * MIB);
    shapes(large, 32 * MIB);
    cuMemAllocManaged(&managed, 64 * KIB, CU_MEM_ATTACH_GLOBAL);
    of_memory("managed", managed, 64 * KIB);
    cuMemHostAlloc(&host, 64 * KIB, CU_MEMHOSTALLOC_DEVICEMAP);
    CUdeviceptr mapped;
    cuMemHostGetDevicePointer(&mapped, host, 0);
    of_memory("host", mapped, 64 * KIB);
    registered = aligned_alloc(4096, 64 * KIB);
    cuMemHostRegister(registered, 64 * KIB, CU_MEMHOSTREGISTER_DEVICEMAP);
    cuMemHostGetDevicePointer(&mapped, registered, 0);
    linear("registered", mapped, 64 * KIB);
    linear("registered, 4096 bytes more", mapped, 68 * KIB);
    cuMemAlloc(&freed, 48 * MIB);
    cuMemFree(freed);
    linear("freed", freed, 1024);
    cuMemAllocAsync(&freed, 64 * KIB, NULL);
    cuStreamSynchronize(NULL);
    linear("of a pool", freed, 64 * KIB);
    linear("of a pool, 4096 bytes more", freed, 68 * KIB);
}

// ---- fetches

__global__ void fetch(cudaTextureObject_t texture, int at, float *out) { *out = tex1Dfetch<float>(texture, at); }

struct fetched { const char *name; size_t own, texture; long at; int free_after; };
static const fetched FETCHES[] = {
    {"the last of the texture", 32 * MIB, 32 * MIB, (long)(8 * MIB) - 1, 0},
    {"one past the texture", 32 * MIB, 32 * MIB, (long)(8 * MIB), 0},
    {"one before the texture", 32 * MIB, 32 * MIB, -1, 0},
    {"past a texture that is shorter than its memory", 32 * MIB, 4096, 1024, 0},
    {"the last of the memory, of a texture that is longer", 32 * MIB, 64 * MIB, (long)(8 * MIB) - 1, 0},
    {"64 MiB past the memory, of a texture that is longer", 32 * MIB, 256 * MIB, (long)(24 * MIB), 0},
    {"480 MiB past the memory, of a texture that is longer", 32 * MIB, 512 * MIB - 4, (long)(128 * MIB) - 2, 0},
    {"one past a texture of 10 bytes, the third texel", 32 * MIB, 10, 2, 0},
    {"the last of the texture after its memory was freed", 32 * MIB, 32 * MIB, (long)(8 * MIB) - 1, 1},
};
enum { FETCHED = sizeof FETCHES / sizeof *FETCHES };

static int one_fetch(int i)
{
    const fetched *f = &FETCHES[i];
    char *own;
    float *out, value = -1;
    cudaMalloc(&out, 4);
    cudaMalloc(&own, f->own);
    cudaMemset(own, 0x3f, f->own); // 0.747 in every texel
    cudaDeviceSynchronize();
    CUtexObject texture = 0;
    CUresult made = linear_to(&texture, (CUdeviceptr)(uintptr_t)own, f->texture, CU_AD_FORMAT_FLOAT, 1);
    printf("fetch %s: created %d", f->name, (int)made);
    if (made == CUDA_SUCCESS) {
        if (f->free_after) cudaFree(own);
        fetch<<<1, 1>>>((cudaTextureObject_t)texture, (int)f->at, out);
        cudaError_t status = cudaDeviceSynchronize();
        if (status == cudaSuccess) cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost);
        printf(", status %d, read %g", (int)status, value);
    }
    printf("\n");
    return 0;
}

static int linear_texels()
{
    int value = 0;
    cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 0);
    return value;
}

int main(int argc, char **argv)
{
    if (argc > 2) return one_fetch(atoi(argv[2]));
    cudaFree(0);
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("maxTexture1DLinear %d, textureAlignment %zu, texturePitchAlignment %zu\n", linear_texels(),
           p.textureAlignment, p.texturePitchAlignment);
    kinds();
    fflush(stdout);
    for (int i = 0; i < FETCHED; i++) {
        char command[512];
        snprintf(command, sizeof command, "%s fetch %d", argv[0], i);
        if (system(command) != 0) printf("fetch %s: ended with an error\n", FETCHES[i].name);
        fflush(stdout);
    }
    return 0;
}

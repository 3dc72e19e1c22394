/* SPDX-License-Identifier: Apache-2.0 */
/* Every texture and surface function of CUDA C++, on small arrays: what it gives in bits, for comparison with a real GPU's answers.
 * usage: api_textures | api_textures PART */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { LANES = 64, WIDTH = 16, HEIGHT = 8, DEPTH = 4, LEVELS = 3 };

static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) printf("%s: %s\n", what, cudaGetErrorName(error));
}

static void print(const char *name, const void *device, size_t words)
{
    static uint32_t host[LANES * 4];
    uint64_t h = 0xcbf29ce484222325u;
    memset(host, 0, sizeof host);
    must(cudaGetLastError(), name);
    must(cudaMemcpy(host, device, words * 4, cudaMemcpyDeviceToHost), name);
    for (size_t i = 0; i < words; i++)
        h = (h ^ host[i]) * 0x100000001b3u;
    printf("%s: %016llx %08x %08x %08x\n", name, (unsigned long long)h, host[0], host[words / 3], host[words - 1]);
}

static __device__ float place(int step)
{
    return ((int)threadIdx.x * step % 97 - 20) / 60.0f;
}

static __device__ float4 four(float x)
{
    return make_float4(x, 0, 0, 0);
}

#define READS(name, ...)                                                                                     \
    static __global__ void name(cudaTextureObject_t t, float4 *out)                                          \
    {                                                                                                        \
        float x = place(7), y = place(11), z = place(13), level = place(3) * 2;                              \
        int layer = threadIdx.x % 7 - 1;                                                                     \
        bool there = false;                                                                                  \
        float4 v;                                                                                            \
        (void)x; (void)y; (void)z; (void)layer; (void)level;                                                 \
        __VA_ARGS__;                                                                                         \
        if (there) v.w += 1;                                                                                 \
        out[threadIdx.x] = v;                                                                                \
    }
/* gradients of powers of two, along one axis each: their level is exact on any hardware */
#define G1 1.0f / 8, 0.0f
#define G2 make_float2(1.0f / 8, 0), make_float2(0, 0)
#define G3 make_float4(1.0f / 8, 0, 0, 0), make_float4(0, 0, 0, 0)
READS(read_1d, v = tex1D<float4>(t, x))
READS(read_1d_lod, tex1DLod(&v, t, x, level))
READS(read_1d_grad, v = tex1DGrad<float4>(t, x, G1))
READS(read_2d, v = tex2D<float4>(t, x, y))
READS(read_2d_sparse, v = tex2D<float4>(t, x, y, &there))
READS(read_2d_lod, v = tex2DLod<float4>(t, x, y, level))
READS(read_2d_lod_sparse, v = tex2DLod<float4>(t, x, y, level, &there))
READS(read_2d_grad, v = tex2DGrad<float4>(t, x, y, G2))
READS(read_2d_grad_sparse, v = tex2DGrad<float4>(t, x, y, G2, &there))
READS(gather_2d, v = tex2Dgather<float4>(t, x, y, 2))
READS(gather_2d_sparse, v = tex2Dgather<float4>(t, x, y, &there, 1))
READS(read_3d, tex3D(&v, t, x, y, z))
READS(read_3d_sparse, v = tex3D<float4>(t, x, y, z, &there))
READS(read_3d_lod, v = tex3DLod<float4>(t, x, y, z, level))
READS(read_3d_grad, v = tex3DGrad<float4>(t, x, y, z, G3))
READS(read_a1d, v = tex1DLayered<float4>(t, x, layer))
READS(read_a1d_lod, v = tex1DLayeredLod<float4>(t, x, layer, level))
READS(read_a1d_grad, v = tex1DLayeredGrad<float4>(t, x, layer, G1))
READS(read_a2d, v = tex2DLayered<float4>(t, x, y, layer))
READS(read_a2d_sparse, v = tex2DLayered<float4>(t, x, y, layer, &there))
READS(read_a2d_lod, v = tex2DLayeredLod<float4>(t, x, y, layer, level))
READS(read_a2d_grad, v = tex2DLayeredGrad<float4>(t, x, y, layer, G2))
READS(read_cube, v = texCubemap<float4>(t, x, y, z))
READS(read_cube_lod, v = texCubemapLod<float4>(t, x, y, z, level))
READS(read_acube, v = texCubemapLayered<float4>(t, x, y, z, layer))
READS(read_acube_lod, v = texCubemapLayeredLod<float4>(t, x, y, z, layer, level))

template <typename T> __global__ void read_type(cudaTextureObject_t t, uint4 *out)
{
    T v = tex2D<T>(t, place(7) * WIDTH, place(11) * HEIGHT);
    uint4 words = make_uint4(0, 0, 0, 0);
    memcpy(&words, &v, sizeof v);
    out[threadIdx.x] = words;
}

template <typename T> __global__ void fetch_type(cudaTextureObject_t t, uint4 *out)
{
    T v = tex1Dfetch<T>(t, (int)threadIdx.x - 8);
    uint4 words = make_uint4(0, 0, 0, 0);
    memcpy(&words, &v, sizeof v);
    out[threadIdx.x] = words;
}

/* What a texel holds: a hash of its place. */
static void fill(uint8_t *bytes, size_t count, uint32_t seed, bool floats)
{
    for (size_t i = 0; i < count / 4; i++) {
        uint32_t x = seed ^ (uint32_t)i * 2654435761u;
        x = (x ^ x >> 16) * 0x85ebca6bu;
        x ^= x >> 13;
        float f = (float)(x >> 8) * 0x1p-24f;
        if (floats)
            memcpy(bytes + 4 * i, &f, 4);
        else
            memcpy(bytes + 4 * i, &x, 4);
    }
}

static void upload(cudaArray_t array, uint32_t seed, bool floats)
{
    static uint8_t bytes[1 << 18];
    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
    must(cudaArrayGetInfo(&format, &extent, &flags, array), "cudaArrayGetInfo");
    size_t texel = (format.x + format.y + format.z + format.w) / 8, rows = extent.height ? extent.height : 1,
           slices = extent.depth ? extent.depth : 1;
    fill(bytes, texel * extent.width * rows * slices, seed, floats);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(bytes, texel * extent.width, extent.width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    must(cudaMemcpy3D(&copy), "cudaMemcpy3D");
}

static cudaTextureObject_t object(const cudaResourceDesc &resource, bool linear, bool normalized, cudaTextureReadMode mode)
{
    cudaTextureObject_t t = 0;
    cudaTextureDesc d = {};
    d.addressMode[0] = cudaAddressModeWrap;
    d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
    d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.mipmapFilterMode = d.filterMode;
    d.normalizedCoords = normalized;
    d.readMode = mode;
    d.maxMipmapLevelClamp = 10;
    must(cudaCreateTextureObject(&t, &resource, &d, nullptr), "cudaCreateTextureObject");
    return t;
}

struct kernel {
    const char *name;
    void (*run)(cudaTextureObject_t, float4 *);
};

static void with_levels(cudaExtent extent, unsigned flags, const kernel *kernels)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    cudaMipmappedArray_t levels;
    float4 *out;
    must(cudaMallocMipmappedArray(&levels, &format, extent, LEVELS, flags), "cudaMallocMipmappedArray");
    for (unsigned i = 0; i < LEVELS; i++) {
        cudaArray_t array;
        must(cudaGetMipmappedArrayLevel(&array, levels, i), "cudaGetMipmappedArrayLevel");
        upload(array, 17 + i, true);
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = levels;
    must(cudaMalloc(&out, LANES * sizeof(float4)), "cudaMalloc");
    for (int linear = 0; linear < 2; linear++) {
        cudaTextureObject_t t = object(resource, linear, true, cudaReadModeElementType);
        for (const kernel *k = kernels; k->name; k++) {
            char name[100];
            snprintf(name, sizeof name, "%s%s", k->name, linear ? " linear" : "");
            k->run<<<1, LANES>>>(t, out);
            print(name, out, LANES * 4);
        }
        must(cudaDestroyTextureObject(t), "cudaDestroyTextureObject");
    }
    must(cudaFree(out), "cudaFree");
    must(cudaFreeMipmappedArray(levels), "cudaFreeMipmappedArray");
}

#define K(name) {#name, name}
static void part_reads()
{
    static const kernel one[] = {K(read_1d), K(read_1d_lod), K(read_1d_grad), {}},
                        two[] = {K(read_2d), K(read_2d_sparse), K(read_2d_lod), K(read_2d_lod_sparse), K(read_2d_grad), K(read_2d_grad_sparse), {}},
                        gathers[] = {K(gather_2d), K(gather_2d_sparse), {}},
                        three[] = {K(read_3d), K(read_3d_sparse), K(read_3d_lod), K(read_3d_grad), {}},
                        layers1[] = {K(read_a1d), K(read_a1d_lod), K(read_a1d_grad), {}},
                        layers2[] = {K(read_a2d), K(read_a2d_sparse), K(read_a2d_lod), K(read_a2d_grad), {}},
                        cubes[] = {K(read_cube), K(read_cube_lod), {}}, cube_layers[] = {K(read_acube), K(read_acube_lod), {}};
    with_levels(make_cudaExtent(WIDTH, 0, 0), 0, one);
    with_levels(make_cudaExtent(WIDTH, HEIGHT, 0), 0, two);
    with_levels(make_cudaExtent(WIDTH, HEIGHT, 0), cudaArrayTextureGather, gathers);
    with_levels(make_cudaExtent(WIDTH, HEIGHT, DEPTH), 0, three);
    with_levels(make_cudaExtent(WIDTH, 0, DEPTH), cudaArrayLayered, layers1);
    with_levels(make_cudaExtent(WIDTH, HEIGHT, DEPTH), cudaArrayLayered, layers2);
    with_levels(make_cudaExtent(WIDTH, WIDTH, 6), cudaArrayCubemap, cubes);
    with_levels(make_cudaExtent(WIDTH, WIDTH, 12), cudaArrayCubemap | cudaArrayLayered, cube_layers);
}

template <typename T, bool fetch> static void with_type(const char *type)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    uint4 *out;
    char name[100];
    uint8_t texels[WIDTH * HEIGHT * 16], *memory;
    must(cudaMallocArray(&array, &format, WIDTH, HEIGHT), "cudaMallocArray");
    upload(array, 5, format.f == cudaChannelFormatKindFloat);
    must(cudaMalloc(&out, LANES * sizeof(uint4)), "cudaMalloc");
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t t = 0;
    if constexpr (!fetch) {
        t = object(resource, false, false, cudaReadModeElementType);
        read_type<T><<<1, LANES>>>(t, out);
        snprintf(name, sizeof name, "tex2D %s", type);
        print(name, out, LANES * 4);
        must(cudaDestroyTextureObject(t), "cudaDestroyTextureObject");
    }
    must(cudaFreeArray(array), "cudaFreeArray");
    must(cudaMalloc(&memory, sizeof texels), "cudaMalloc");
    fill(texels, sizeof texels, 9, format.f == cudaChannelFormatKindFloat);
    must(cudaMemcpy(memory, texels, sizeof texels, cudaMemcpyHostToDevice), "cudaMemcpy");
    resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = 40 * sizeof(T);
    if constexpr (fetch) {
        t = object(resource, false, false, cudaReadModeElementType);
        fetch_type<T><<<1, LANES>>>(t, out);
        snprintf(name, sizeof name, "tex1Dfetch %s", type);
        print(name, out, LANES * 4);
        must(cudaDestroyTextureObject(t), "cudaDestroyTextureObject");
    }
    must(cudaFree(memory), "cudaFree");
    must(cudaFree(out), "cudaFree");
}

static void part_types()
{
#define READ(T)  with_type<T, false>(#T)
#define FETCH(T) with_type<T, true>(#T)
    READ(char1); FETCH(char2); READ(char4); FETCH(uchar1); READ(uchar2); FETCH(uchar4); READ(short2); FETCH(short4); READ(ushort4);
    FETCH(int1); READ(int2); FETCH(uint4); READ(float1); FETCH(float2); READ(float4); READ(signed char); FETCH(unsigned char);
    READ(short); FETCH(unsigned short); FETCH(int); READ(unsigned int); READ(float);
}

/* Each lane moves one element of each kind of surface; outside by the mode. */
template <typename T, int kind, cudaSurfaceBoundaryMode mode> __global__ void surface(cudaSurfaceObject_t from, cudaSurfaceObject_t to, uint4 *out)
{
    const bool in = mode == cudaBoundaryModeTrap;
    int x = in ? threadIdx.x % 8 : (int)threadIdx.x % 13 - 2, y = in ? threadIdx.x / 8 % 4 : (int)threadIdx.x / 13 - 1, z = threadIdx.x / 32;
    int bytes = x * (int)sizeof(T);
    T v;
    if (kind == 0) v = surf1Dread<T>(from, bytes, mode), surf1Dwrite(v, to, bytes, mode);
    if (kind == 1) surf2Dread(&v, from, bytes, y, mode), surf2Dwrite(v, to, bytes, y, mode);
    if (kind == 2) v = surf3Dread<T>(from, bytes, y, z, mode), surf3Dwrite(v, to, bytes, y, z, mode);
    if (kind == 3) v = surf1DLayeredread<T>(from, bytes, z, mode), surf1DLayeredwrite(v, to, bytes, z, mode);
    if (kind == 4) v = surf2DLayeredread<T>(from, bytes, y, z, mode), surf2DLayeredwrite(v, to, bytes, y, z, mode);
    if (kind == 5) v = surfCubemapread<T>(from, bytes, y, z + 2, mode), surfCubemapwrite(v, to, bytes, y, z + 2, mode);
    if (kind == 6) v = surfCubemapLayeredread<T>(from, bytes, y, z + 7, mode), surfCubemapLayeredwrite(v, to, bytes, y, z + 7, mode);
    uint4 words = make_uint4(0, 0, 0, 0);
    memcpy(&words, &v, sizeof v);
    out[threadIdx.x] = words;
}

static const struct {
    const char *name;
    cudaExtent extent;
    unsigned flags;
} shapes[] = {{"1D", {8, 0, 0}, 0}, {"2D", {8, 4, 0}, 0}, {"3D", {8, 4, 2}, 0}, {"1DLayered", {8, 0, 2}, cudaArrayLayered},
              {"2DLayered", {8, 4, 2}, cudaArrayLayered}, {"Cubemap", {8, 8, 6}, cudaArrayCubemap},
              {"CubemapLayered", {8, 8, 12}, cudaArrayCubemap | cudaArrayLayered}};

template <typename T, int kind, cudaSurfaceBoundaryMode mode> static void with_surface(const char *type)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t arrays[2];
    cudaSurfaceObject_t s[2];
    uint4 *out;
    char name[100];
    static uint8_t back[1 << 16];
    must(cudaMalloc(&out, LANES * sizeof(uint4)), "cudaMalloc");
    for (int i = 0; i < 2; i++) {
        must(cudaMalloc3DArray(&arrays[i], &format, shapes[kind].extent, shapes[kind].flags | cudaArraySurfaceLoadStore), "cudaMalloc3DArray");
        upload(arrays[i], 3 + i, false);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[i];
        must(cudaCreateSurfaceObject(&s[i], &resource), "cudaCreateSurfaceObject");
    }
    surface<T, kind, mode><<<1, mode == cudaBoundaryModeTrap && kind < 2 ? (kind ? 32 : 8) : LANES>>>(s[0], s[1], out);
    snprintf(name, sizeof name, "surf%s %s mode %d", shapes[kind].name, type, (int)mode);
    print(name, out, 32);
    if (mode == cudaBoundaryModeTrap) { /* clamped stores meet: their order is open */
        cudaMemcpy3DParms copy = {};
        cudaExtent extent = shapes[kind].extent;
        if (!extent.height) extent.height = 1;
        if (!extent.depth) extent.depth = 1;
        copy.srcArray = arrays[1];
        copy.dstPtr = make_cudaPitchedPtr(back, extent.width * sizeof(T), extent.width, extent.height);
        copy.extent = extent;
        copy.kind = cudaMemcpyDeviceToHost;
        must(cudaMemcpy3D(&copy), "cudaMemcpy3D");
        uint64_t h = 0xcbf29ce484222325u;
        for (size_t i = 0; i < extent.width * extent.height * extent.depth * sizeof(T); i++)
            h = (h ^ back[i]) * 0x100000001b3u;
        printf("%s then: %016llx\n", name, (unsigned long long)h);
    }
    for (int i = 0; i < 2; i++) {
        must(cudaDestroySurfaceObject(s[i]), "cudaDestroySurfaceObject");
        must(cudaFreeArray(arrays[i]), "cudaFreeArray");
    }
    must(cudaFree(out), "cudaFree");
}

template <typename T, cudaSurfaceBoundaryMode mode> static void with_kinds(const char *type)
{
    with_surface<T, 0, mode>(type);
    with_surface<T, 1, mode>(type);
    with_surface<T, 2, mode>(type);
    with_surface<T, 3, mode>(type);
    with_surface<T, 4, mode>(type);
    with_surface<T, 5, mode>(type);
    with_surface<T, 6, mode>(type);
}

static void part_surfaces()
{
    with_kinds<uchar1, cudaBoundaryModeTrap>("uchar1");
    with_kinds<short1, cudaBoundaryModeZero>("short1");
    with_kinds<float, cudaBoundaryModeClamp>("float");
    with_kinds<float2, cudaBoundaryModeTrap>("float2");
    with_kinds<uint4, cudaBoundaryModeClamp>("uint4");
}

static void part_arrays()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t a, b, plane;
    int host[32], got[32] = {};
    for (int i = 0; i < 32; i++)
        host[i] = i;
    must(cudaMallocArray(&a, &format, 8, 4), "a");
    must(cudaMallocArray(&b, &format, 8, 4), "b");
    must(cudaMemcpy2DToArray(a, 0, 0, host, 32, 32, 4, cudaMemcpyHostToDevice), "to");
    must(cudaMemcpy2DToArray(b, 0, 0, got, 32, 32, 4, cudaMemcpyHostToDevice), "to");
    printf("MemcpyArrayToArray: %s\n", cudaGetErrorName(cudaMemcpyArrayToArray(b, 4, 1, a, 12, 0, 44, cudaMemcpyDeviceToDevice)));
    must(cudaMemcpy2DFromArray(got, 32, b, 0, 0, 32, 4, cudaMemcpyDeviceToHost), "from");
    for (int i = 0; i < 32; i++)
        printf("%d%c", got[i], i % 8 == 7 ? '\n' : ' ');
    printf("too many: %s\n", cudaGetErrorName(cudaMemcpyArrayToArray(b, 4, 1, a, 0, 0, 128, cudaMemcpyDeviceToDevice)));
    printf("kind of hosts: %s\n", cudaGetErrorName(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, 16, cudaMemcpyHostToHost)));
    printf("default kind: %s\n", cudaGetErrorName(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, 16, cudaMemcpyDefault)));
    printf("of one: %s\n", cudaGetErrorName(cudaMemcpyArrayToArray(a, 0, 2, a, 0, 0, 16, cudaMemcpyDeviceToDevice)));
    cudaArrayMemoryRequirements needs = {};
    cudaArraySparseProperties sparse = {};
    printf("plane: %s\n", cudaGetErrorName(cudaArrayGetPlane(&plane, a, 0)));
    printf("requirements: %s\n", cudaGetErrorName(cudaArrayGetMemoryRequirements(&needs, a, 0)));
    printf("sparse: %s\n", cudaGetErrorName(cudaArrayGetSparseProperties(&sparse, a)));
    cudaMipmappedArray_t levels;
    must(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(8, 4, 0), 9, 0), "levels");
    for (unsigned i = 0; i < 6; i++) {
        cudaArray_t level;
        cudaExtent extent = {};
        cudaError_t error = cudaGetMipmappedArrayLevel(&level, levels, i);
        if (error == cudaSuccess) must(cudaArrayGetInfo(nullptr, &extent, nullptr, level), "info");
        printf("level %u: %s %zu %zu %zu\n", i, cudaGetErrorName(error), extent.width, extent.height, extent.depth);
    }
    printf("levels requirements: %s\n", cudaGetErrorName(cudaMipmappedArrayGetMemoryRequirements(&needs, levels, 0)));
    printf("levels sparse: %s\n", cudaGetErrorName(cudaMipmappedArrayGetSparseProperties(&sparse, levels)));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = levels;
    cudaTextureDesc d = {};
    cudaResourceViewDesc view = {}, back;
    cudaTextureObject_t t;
    view.format = cudaResViewFormatUnsignedInt1;
    view.width = 8;
    view.height = 4;
    view.lastMipmapLevel = 1;
    printf("without normalized coordinates: %s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &resource, &d, &view)));
    d.normalizedCoords = 1;
    printf("with a view: %s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &resource, &d, &view)));
    memset(&back, 0x55, sizeof back);
    printf("its view: %s", cudaGetErrorName(cudaGetTextureObjectResourceViewDesc(&back, t)));
    printf(" %d %zu %zu %zu %u %u\n", (int)back.format, back.width, back.height, back.depth, back.firstMipmapLevel, back.lastMipmapLevel);
    must(cudaDestroyTextureObject(t), "destroy");
    printf("without a view: %s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &resource, &d, nullptr)));
    printf("its view: %s\n", cudaGetErrorName(cudaGetTextureObjectResourceViewDesc(&back, t)));
    must(cudaDestroyTextureObject(t), "destroy");
    printf("free: %s\n", cudaGetErrorName(cudaFreeMipmappedArray(levels)));
    printf("free null: %s\n", cudaGetErrorName(cudaFreeMipmappedArray(nullptr)));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)();
    } parts[] = {{"reads", part_reads}, {"types", part_types}, {"surfaces", part_surfaces}, {"arrays", part_arrays}};
    for (const auto &part : parts) {
        if (argc < 2) puts(part.name);
        if (argc < 2 || strcmp(argv[1], part.name) != 0) continue;
        printf("== %s\n", part.name);
        part.run();
    }
}

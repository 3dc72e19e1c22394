// SPDX-License-Identifier: Apache-2.0
// What a texture read costs: a convolution of 17 points along rows, through textures of several forms. Prints CPU time a
// read in nanoseconds, median of the repetitions. Every output is checked against the host's. usage: texture [REPETITIONS]
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

enum { WIDTH = 1024, HEIGHT = 512, SLICES = 4, RADIUS = 8, POINTS = 2 * RADIUS + 1 };
enum form { CENTRES, BETWEEN, COLUMNS, BYTES, LAYERS, VOLUME, POINT, FETCH, LEVEL, FORMS };
static const char *const names[FORMS] = {
    "float, linear, centres",   "float, linear, between",   "the same, along columns",
    "uchar4 as fractions",      "float, layers, linear",    "float, 3D, normalised",
    "float, point",             "float, fetched, 1D",       "float, level 0 asked for",
};
struct place { float x, y; }; // in texels

template <int FORM> __host__ __device__ place place_of(int x, int y, int k)
{
    float shift = FORM == BETWEEN || FORM == COLUMNS || FORM == LAYERS || FORM == VOLUME || FORM == BYTES ? 0.75f : 0.5f;
    if (FORM == COLUMNS) return {x + shift, y + k - RADIUS + shift};
    return {x + k - RADIUS + shift, y + shift};
}

__host__ __device__ inline float weight_of(int k) { return (float)(1 + k * 7 % 16); }

template <int FORM> __device__ float read(cudaTextureObject_t t, int x, int y, int k)
{
    place at = place_of<FORM>(x, y, k);
    if (FORM == BYTES) {
        float4 texel = tex2D<float4>(t, at.x, at.y);
        return texel.x + texel.w;
    }
    if (FORM == LAYERS) return tex2DLayered<float>(t, at.x, at.y, y % SLICES);
    if (FORM == VOLUME) return tex3D<float>(t, at.x / WIDTH, at.y / HEIGHT, (y % SLICES + 0.75f) / SLICES);
    if (FORM == FETCH) return tex1Dfetch<float>(t, y * WIDTH + min(max(x + k - RADIUS, 0), WIDTH - 1));
    if (FORM == LEVEL) return tex2DLod<float>(t, at.x, at.y, 0.0f);
    return tex2D<float>(t, at.x, at.y);
}

template <int FORM> __global__ void convolve(cudaTextureObject_t t, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < POINTS; k++)
        sum += weight_of(k) * read<FORM>(t, x, y, k);
    out[y * WIDTH + x] = sum;
}

// ---- the host's answer

static int texel_at(int x, int y, int z, int c) // 0 to 15
{
    unsigned h = (unsigned)(x * 73 + y * 151 + z * 199 + c * 37) * 2654435761u;
    return (int)(h >> 28);
}

static int bounded(int i, int n, bool wraps)
{
    return wraps ? ((i % n) + n) % n : std::min(std::max(i, 0), n - 1);
}

static double host_texel(int form, int x, int y, int z)
{
    bool wraps = form == VOLUME;
    x = bounded(x, WIDTH, wraps);
    y = bounded(y, HEIGHT, wraps);
    z = bounded(z, SLICES, wraps);
    if (form == BYTES) return (texel_at(x, y, 0, 0) + texel_at(x, y, 0, 3)) / 255.0;
    return texel_at(x, y, form == LAYERS || form == VOLUME ? z : 0, 0);
}

static double host_read(int form, place at, int z)
{
    float fx = at.x - 0.5f, fy = at.y - 0.5f, fz = form == VOLUME ? z + 0.25f : (float)z;
    int x = (int)floorf(fx), y = (int)floorf(fy);
    double right = fx - x, below = fy - y, behind = fz - z, sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        double w = (corner & 1 ? right : 1 - right) * (corner & 2 ? below : 1 - below) * (corner & 4 ? behind : 1 - behind);
        if (w != 0) sum += w * host_texel(form, x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2));
    }
    return sum;
}

template <int FORM> static double host_answer(int x, int y)
{
    double sum = 0;
    for (int k = 0; k < POINTS; k++)
        sum += weight_of(k) * host_read(FORM, place_of<FORM>(x, y, k), FORM == LAYERS || FORM == VOLUME ? y % SLICES : 0);
    return sum;
}

// ---- textures

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static std::vector<unsigned char> texels_of(int form, int slices)
{
    std::vector<unsigned char> bytes((size_t)WIDTH * HEIGHT * slices * 4);
    for (int z = 0; z < slices; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                unsigned char *to = &bytes[(((size_t)z * HEIGHT + y) * WIDTH + x) * 4];
                float value = (float)texel_at(x, y, z, 0);
                memcpy(to, &value, 4);
                for (int c = 0; c < 4 && form == BYTES; c++)
                    to[c] = (unsigned char)texel_at(x, y, z, c);
            }
    return bytes;
}

static cudaResourceDesc resource_of(int form)
{
    bool deep = form == LAYERS || form == VOLUME;
    std::vector<unsigned char> bytes = texels_of(form, deep ? SLICES : 1);
    cudaResourceDesc resource = {};
    cudaChannelFormatDesc format = form == BYTES ? cudaCreateChannelDesc<uchar4>() : cudaCreateChannelDesc<float>();
    if (form == FETCH) {
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.desc = format;
        resource.res.linear.sizeInBytes = bytes.size();
        check(cudaMalloc(&resource.res.linear.devPtr, bytes.size()), "cudaMalloc");
        check(cudaMemcpy(resource.res.linear.devPtr, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
        return resource;
    }
    cudaExtent extent = make_cudaExtent(WIDTH, HEIGHT, deep ? SLICES : 0);
    resource.resType = cudaResourceTypeArray;
    check(cudaMalloc3DArray(&resource.res.array.array, &format, extent, form == LAYERS ? cudaArrayLayered : 0),
          "cudaMalloc3DArray");
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(bytes.data(), WIDTH * 4, WIDTH, HEIGHT);
    copy.dstArray = resource.res.array.array;
    copy.extent = make_cudaExtent(WIDTH, HEIGHT, deep ? SLICES : 1);
    copy.kind = cudaMemcpyHostToDevice;
    check(cudaMemcpy3D(&copy), "cudaMemcpy3D");
    return resource;
}

static cudaTextureObject_t texture_of(int form)
{
    cudaResourceDesc resource = resource_of(form);
    cudaTextureDesc sampler = {};
    for (int d = 0; d < 3; d++)
        sampler.addressMode[d] = form == VOLUME ? cudaAddressModeWrap : cudaAddressModeClamp;
    sampler.filterMode = form == POINT || form == FETCH ? cudaFilterModePoint : cudaFilterModeLinear;
    sampler.readMode = form == BYTES ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    sampler.normalizedCoords = form == VOLUME;
    cudaTextureObject_t texture;
    check(cudaCreateTextureObject(&texture, &resource, &sampler, nullptr), "cudaCreateTextureObject");
    return texture;
}

// ---- measuring

template <int FORM> static bool is_right(const float *device)
{
    std::vector<float> got(WIDTH * HEIGHT);
    check(cudaMemcpy(got.data(), device, got.size() * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (int y = 0; y < HEIGHT; y += 7)
        for (int x = 0; x < WIDTH; x++) {
            double want = host_answer<FORM>(x, y), have = got[y * WIDTH + x];
            if (fabs(have - want) <= 1e-3 * fabs(want) + 1e-3) continue;
            fprintf(stderr, "%s: WRONG OUTPUT at (%d, %d): %g, not %g\n", names[FORM], x, y, have, want);
            return false;
        }
    return true;
}

template <int FORM> static bool measure(int repetitions)
{
    float *out;
    std::vector<double> ns;
    cudaTextureObject_t texture = texture_of(FORM);
    check(cudaMalloc(&out, WIDTH * HEIGHT * sizeof *out), "cudaMalloc");
    for (int r = 0; r <= repetitions; r++) {
        clock_t start = clock();
        convolve<FORM><<<dim3(WIDTH / 32, HEIGHT / 8), dim3(32, 8)>>>(texture, out);
        check(cudaDeviceSynchronize(), names[FORM]);
        if (r) ns.push_back((double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / ((double)WIDTH * HEIGHT * POINTS));
    }
    std::sort(ns.begin(), ns.end());
    printf("%-26s %8.2f\n", names[FORM], ns[ns.size() / 2]);
    fflush(stdout);
    return is_right<FORM>(out);
}

template <int FORM = 0> static bool measure_all(int repetitions)
{
    if constexpr (FORM < FORMS) {
        bool right = measure<FORM>(repetitions);
        return measure_all<FORM + 1>(repetitions) && right;
    }
    return true;
}

int main(int argc, char **argv)
{
    return measure_all(std::max(argc > 1 ? atoi(argv[1]) : 5, 1)) ? 0 : 1;
}

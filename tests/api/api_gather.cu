/* SPDX-License-Identifier: Apache-2.0 */
/* tex2Dgather: four texels of one channel. Texel (x, y) holds 10 y + x, in channel c 50 c more. */
#include "api_check.h"
#include <cuda_runtime.h>

enum { WIDTH = 4, HEIGHT = 3 };

__global__ void gather(cudaTextureObject_t texture, float x, float y, uchar4 *out)
{
    out[0] = tex2Dgather<uchar4>(texture, x, y);
    out[1] = tex2Dgather<uchar4>(texture, x, y, 1);
    tex2Dgather(&out[2], texture, x, y, 2);
    out[3] = tex2Dgather<uchar4>(texture, x, y, 3);
}

__global__ void gather_floats(cudaTextureObject_t texture, float x, float y, float4 *out)
{
    *out = tex2Dgather<float4>(texture, x, y, 1);
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureReadMode mode)
{
    cudaTextureObject_t texture;
    cudaResourceDesc resource = {};
    cudaTextureDesc sampling = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.readMode = mode;
    OK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    return texture;
}

int main()
{
    uchar4 texels[HEIGHT * WIDTH], *bytes, got[4];
    float4 *floats, fractions;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
        unsigned char first = static_cast<unsigned char>(i / WIDTH * 10 + i % WIDTH);
        texels[i] = make_uchar4(first, first + 50, first + 100, first + 150);
    }
    OK(cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArrayTextureGather));
    OK(cudaMemcpy2DToArray(array, 0, 0, texels, WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyHostToDevice));
    OK(cudaMalloc(&bytes, sizeof got));
    OK(cudaMalloc(&floats, sizeof *floats));

    cudaTextureObject_t texture = texture_of(array, cudaReadModeElementType);
    gather<<<1, 1>>>(texture, 2, 1, bytes); /* between the texels (1, 0) and (2, 1) */
    OK(cudaMemcpy(got, bytes, sizeof got, cudaMemcpyDeviceToHost));
    for (int c = 0; c < 4; c++) {
        CHECK(got[c].x == 11 + 50 * c && got[c].y == 12 + 50 * c);
        CHECK(got[c].z == 2 + 50 * c && got[c].w == 1 + 50 * c);
    }
    OK(cudaDestroyTextureObject(texture));

    texture = texture_of(array, cudaReadModeNormalizedFloat);
    gather_floats<<<1, 1>>>(texture, 4, 0, floats); /* the upper right corner: all (3, 0) */
    OK(cudaMemcpy(&fractions, floats, sizeof fractions, cudaMemcpyDeviceToHost));
    CHECK(fractions.x == 53 / 255.0f && fractions.y == fractions.x);
    CHECK(fractions.z == fractions.x && fractions.w == fractions.x);
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFreeArray(array));
    std::printf("ok\n");
    return 0;
}

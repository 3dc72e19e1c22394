// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

struct point {
    float x, y, z;
};

__global__ void structures(float *out, const point *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float square = in[i].x * in[i].x;
    square += in[i].y * in[i].y;
    square += in[i].z * in[i].z;
    out[i] = square;
}

__global__ void arrays(float *out, const float *x, const float *y, const float *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
}

int main(int argc, char **argv)
{
    point *in = zeros<point>(N);
    float *fields = (float *)in, *out = zeros<float>(N);
    if (has_fault(argc, argv))
        structures<<<BLOCKS, THREADS>>>(out, in);
    else
        arrays<<<BLOCKS, THREADS>>>(out, fields, fields + N, fields + 2 * N);
    finish(out);
}

// SPDX-License-Identifier: Apache-2.0
#include "advice.h"

__global__ void bytes(unsigned char *out, const unsigned char *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] ^ 255;
}

__global__ void vectors(uchar4 *out, const uchar4 *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uchar4 v = in[i];
    out[i] = make_uchar4(v.x ^ 255, v.y ^ 255, v.z ^ 255, v.w ^ 255);
}

int main(int argc, char **argv)
{
    uchar4 *in = zeros<uchar4>(N), *out = zeros<uchar4>(N);
    if (has_fault(argc, argv))
        bytes<<<4 * BLOCKS, THREADS>>>((unsigned char *)out, (const unsigned char *)in);
    else
        vectors<<<BLOCKS, THREADS>>>(out, in);
    finish(out);
}

// SPDX-License-Identifier: Apache-2.0
// device: m2090
// Six partitions of 256 bytes: rows of a multiple of 1536 bytes all begin in one, and blocks that run at once copy the
// same piece of many rows. Padded by 256 bytes, rows begin in all of them.
#include "advice.h"

constexpr int COLUMNS = 64, ROWS_AT_ONCE = 4, WIDTH = 1536, ROWS = 16 * 6 * ROWS_AT_ONCE, PAD = 64;

__global__ void copy(float *out, const float *in, int pitch)
{
    int row = blockIdx.x * ROWS_AT_ONCE + threadIdx.y, at = row * pitch + blockIdx.y * COLUMNS + threadIdx.x;
    out[at] = in[at];
}

int main(int argc, char **argv)
{
    int pitch = has_fault(argc, argv) ? WIDTH : WIDTH + PAD;
    float *in = zeros<float>(ROWS * pitch), *out = zeros<float>(ROWS * pitch);
    copy<<<dim3(ROWS / ROWS_AT_ONCE, WIDTH / COLUMNS), dim3(COLUMNS, ROWS_AT_ONCE)>>>(out, in, pitch);
    finish(out);
}

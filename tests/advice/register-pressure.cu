// SPDX-License-Identifier: Apache-2.0
#include "alive.h"

int main(int argc, char **argv)
{
    float *in = zeros<float>((size_t)150 * N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        alive<150><<<BLOCKS / 2, THREADS>>>(out, in);
    else
        alive<8><<<BLOCKS / 2, THREADS>>>(out, in);
    finish(out);
}

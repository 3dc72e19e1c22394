// SPDX-License-Identifier: Apache-2.0
#include "alive.h"

int main(int argc, char **argv)
{
    float *in = zeros<float>((size_t)300 * N), *out = zeros<float>(N);
    if (has_fault(argc, argv))
        alive<300><<<BLOCKS / 8, THREADS>>>(out, in);
    else
        alive<30><<<BLOCKS / 8, THREADS>>>(out, in);
    finish(out);
}

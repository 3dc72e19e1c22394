// SPDX-License-Identifier: Apache-2.0
// From one local array into the next, which compilers make one variable of PTX: known to the compiler alone (planted.h).
#include "planted.h"

__global__ void local_next(int *out, const int *index) // one local array into another
{
    int a[8], b[8], t = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        a[i] = i;
        b[i] = 10 * i;
    }
    a[index[t]] = 5;
    b[index[t] & 7] += a[index[t] & 7];
    out[t] = b[(index[t] + 1) & 7] + a[7 & t];
}
CASE(local_next)
{
    int *index = made<int>(32, [](int i) { return wrong && i == 4 ? 8 : i % 8; });
    int *out = make<int>(32);
    local_next<<<1, 32>>>(out, index);
    return holds<int>(out, 32, [](int i) { return 10 * ((i + 1) % 8) + 5; });
}

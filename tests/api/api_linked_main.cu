/* SPDX-License-Identifier: Apache-2.0 */
/* Separate compilation of three files: symbols of every kind across them. */
#include "api_check.h"
#include "api_linked.h"

static __device__ int file_local = 1; /* every file has one of this name */
static __device__ int file_function(int x)
{
    return x + file_local;
}
__shared__ int *nothing; /* a shared variable of the file */

__global__ void calls(int *out)
{
    int t = static_cast<int>(threadIdx.x);
    out[t] = file_function(add_numbers(t, 1)) + multiply_numbers(t, 2) * 100;
    out[32 + t] = operations[t % 3](t, 3) + constant_operation(t, 2) * 1000;
    out[64 + t] = constant_values[t % 4] + shared_inline(t) + shared_template(t);
    out[96 + t] = recursive_sum(t);
    written_by_all[0] = 1;
    if (t == 0) managed_counter += 1;
}

__global__ void animals(int *out)
{
    int t = static_cast<int>(threadIdx.x);
    animal *a = make_animal(t % 3);
    bird local;
    out[t] = a->sound(t) * 10 + a->legs + local.sound(1) * 1000;
    delete a;
}

int main()
{
    int *out;
    OK(cudaMallocManaged(&out, 4096));
    calls<<<1, 32>>>(out);
    OK(cudaDeviceSynchronize());
    for (int t = 0; t < 32; t++) {
        const int of[3] = {t + 3, t * 3, t - 3};
        const int values[4] = {10, 20, 30, 40};
        CHECK(out[t] == t + 1 + 1 + t * 2 * 100);
        CHECK(out[32 + t] == of[t % 3] + t * 2 * 1000);
        CHECK(out[64 + t] == values[t % 4] + t * 3 + 2 * t);
        CHECK(out[96 + t] == t * (t + 1) / 2);
    }
    animals<<<1, 32>>>(out);
    OK(cudaDeviceSynchronize());
    for (int t = 0; t < 32; t++) {
        const int sounds[3] = {t, 2 * t, 3 * t}, legs[3] = {4, 2, 0};
        CHECK(out[t] == sounds[t % 3] * 10 + legs[t % 3] + 2 * 1000);
    }
    CHECK(part_host() == 33 && library_host() == 1234);
    CHECK(managed_counter == 1 + 32);
    part_kernel<<<1, 32>>>(out); /* a kernel of another file */
    OK(cudaDeviceSynchronize());
    CHECK(managed_counter == 1 + 32 + 32);
    int values[4] = {1, 2, 3, 4}, one;
    OK(cudaMemcpyToSymbol(constant_values, values, sizeof values)); /* a symbol of another file */
    calls<<<1, 4>>>(out);
    OK(cudaDeviceSynchronize());
    CHECK(out[64] == 1 && out[65] == 2 + 5);
    OK(cudaMemcpyFromSymbol(&one, written_by_all, sizeof one));
    CHECK(one == 1);
    std::puts("ok");
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// cuda_fp8.h against the instructions that convert (PTX ISA, "cvt", sm_89): floats around every representable number, around every
// point halfway between two, at the ends, and many of random bits. Then all numbers there and back, on the host too.
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>

__device__ unsigned short instruction(float x, float y, __nv_fp8_interpretation_t kind)
{
    unsigned short v;
    if (kind == __NV_E4M3) asm("cvt.rn.satfinite.e4m3x2.f32 %0, %2, %1;" : "=h"(v) : "f"(x), "f"(y));
    else asm("cvt.rn.satfinite.e5m2x2.f32 %0, %2, %1;" : "=h"(v) : "f"(x), "f"(y));
    return v;
}
__device__ void compare(float x, int *differ)
{
    for (int k = 0; k < 2; k++) {
        __nv_fp8_interpretation_t kind = k ? __NV_E5M2 : __NV_E4M3;
        if (instruction(x, -x, kind) != __nv_cvt_float2_to_fp8x2(float2{x, -x}, __NV_SATFINITE, kind)) {
            if (atomicAdd(differ, 1) < 5) printf("kind %d, %a: %04x\n", k, x, instruction(x, -x, kind));
        }
    }
}
__global__ void near(int *differ)
{
    int code = threadIdx.x; // 0 .. 127
    __nv_fp8_interpretation_t kind = blockIdx.x ? __NV_E5M2 : __NV_E4M3;
    float here = __half2float(__half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)code, kind)));
    float next = __half2float(__half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(code + 1), kind)));
    float middle = here + (next - here) * 0.5f;
    for (int step = -2; step <= 2; step++) {
        compare(__int_as_float(__float_as_int(here) + step), differ);
        compare(__int_as_float(__float_as_int(middle) + step), differ);
    }
}
__global__ void anywhere(int *differ)
{
    unsigned bits = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
    compare(__uint_as_float(bits), differ);
    compare(__uint_as_float(bits % 0x20000000u + 0x33000000u), differ); // where the numbers are
}

int main()
{
    int *differ, failures = 0;
    cudaMallocManaged(&differ, sizeof *differ);
    *differ = 0;
    near<<<2, 127>>>(differ);
    anywhere<<<64, 256>>>(differ);
    failures += cudaDeviceSynchronize() != cudaSuccess || *differ;
    for (int code = 0; code < 256; code++) {
        __nv_fp8_e4m3 a;
        __nv_fp8_e5m2 b;
        a.__x = b.__x = (unsigned char)code;
        float x = (float)a, y = (float)b;
        failures += std::isnan(x) ? (code & 0x7f) != 0x7f : __nv_fp8_e4m3(x).__x != code;
        bool inexact = std::isnan(y) || std::isinf(y); // saturates
        failures += inexact ? (code & 0x7f) < 0x7c : __nv_fp8_e5m2(y).__x != code;
    }
    failures += (float)__nv_fp8_e4m3(448.0f) != 448.0f || (float)__nv_fp8_e5m2(57344.0) != 57344.0f || (float)__nv_fp8_e4m3(0x1p-9) != 0x1p-9f;
    failures += __nv_cvt_float_to_fp8(1e6f, __NV_NOSAT, __NV_E4M3) != 0x7f || __nv_cvt_float_to_fp8(-1e6f, __NV_NOSAT, __NV_E5M2) != 0xfc;
    for (int code = 0; code < 255; code++) { // every power of two, and a little more than it
        float x = (float)__builtin_bit_cast(__nv_fp8_e8m0, (unsigned char)code), more = std::nextafter(x, INFINITY);
        failures += x != std::ldexp(1.0f, code - 127) || __nv_fp8_e8m0(x).__x != code;
        failures += __nv_cvt_float_to_e8m0(-more, __NV_SATFINITE, cudaRoundZero) != code;
        failures += code < 254 && __nv_cvt_float_to_e8m0(more, __NV_NOSAT, cudaRoundPosInf) != code + 1;
    }
    float4 four = (float4)__nv_fp8x4_e4m3(float4{1, -2, 3.5f, 1000});
    failures += four.x != 1 || four.y != -2 || four.z != 3.5f || four.w != 448;
    std::puts(failures ? "FAILED" : "ok");
    return failures != 0;
}

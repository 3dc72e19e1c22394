/* SPDX-License-Identifier: Apache-2.0 */
/* nvcuda::wmma: matrix fragments of a warp (CUDA C++ Programming Guide, "Warp matrix functions"), on clang's
 * builtins for the PTX instructions wmma.load, wmma.mma and wmma.store. One table line a shape and type.
 * Which element of a matrix a lane holds is not specified, as in CUDA. Limits: the experimental sub-byte
 * types are not here. */
#ifndef SOFTWARP_MMA_H
#define SOFTWARP_MMA_H
#pragma clang system_header

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda
{
namespace wmma
{
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision
{
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

template <typename T, int Count> struct softwarp_elements {
    enum { num_elements = Count, num_storage_elements = Count };
    typedef T element_type;
    typedef T storage_element_type;
    T x[Count];
};
template <typename Use, int m, int n, int k, typename T, typename Layout = void> struct fragment;

#define SW_WMMA_ static __device__ __forceinline__

template <typename Use, int m, int n, int k, typename T, typename Layout, typename V>
SW_WMMA_ void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &value)
{
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = value;
}

/* ---- matrix_a and matrix_b: shape, CUDA's type, type in memory, elements of a and of b, the registers'
 * type, builtins */
#define SW_WMMA_INPUT_(use, m, n, k, type, memory, count, reg, load, layout, is_col)                         \
    template <> struct fragment<use, m, n, k, type, layout> : softwarp_elements<memory, count> {             \
    };                                                                                                       \
    SW_WMMA_ void load_matrix_sync(fragment<use, m, n, k, type, layout> &f, const memory *p,                 \
                                   unsigned stride)                                                          \
    {                                                                                                        \
        load((reg *)f.x, (const reg *)p, stride, is_col);                                                    \
    }
#define SW_WMMA_INPUTS_(m, n, k, type, memory, count_a, count_b, reg, builtin)                               \
    SW_WMMA_INPUT_(matrix_a, m, n, k, type, memory, count_a, reg, builtin##_ld_a, row_major, 0)              \
    SW_WMMA_INPUT_(matrix_a, m, n, k, type, memory, count_a, reg, builtin##_ld_a, col_major, 1)              \
    SW_WMMA_INPUT_(matrix_b, m, n, k, type, memory, count_b, reg, builtin##_ld_b, row_major, 0)              \
    SW_WMMA_INPUT_(matrix_b, m, n, k, type, memory, count_b, reg, builtin##_ld_b, col_major, 1)

SW_WMMA_INPUTS_(16, 16, 16, __half, __half, 16, 16, int, __hmma_m16n16k16)
SW_WMMA_INPUTS_(32, 8, 16, __half, __half, 16, 16, int, __hmma_m32n8k16)
SW_WMMA_INPUTS_(8, 32, 16, __half, __half, 16, 16, int, __hmma_m8n32k16)
SW_WMMA_INPUTS_(16, 16, 16, __nv_bfloat16, __nv_bfloat16, 8, 8, int, __mma_bf16_m16n16k16)
SW_WMMA_INPUTS_(32, 8, 16, __nv_bfloat16, __nv_bfloat16, 16, 4, int, __mma_bf16_m32n8k16)
SW_WMMA_INPUTS_(8, 32, 16, __nv_bfloat16, __nv_bfloat16, 4, 16, int, __mma_bf16_m8n32k16)
SW_WMMA_INPUTS_(16, 16, 8, precision::tf32, float, 4, 4, int, __mma_tf32_m16n16k8)
SW_WMMA_INPUTS_(8, 8, 4, double, double, 1, 1, double, __dmma_m8n8k4)
#undef SW_WMMA_INPUTS_
#define SW_WMMA_BYTES_(m, n, k, shape, type, suffix, count_a, count_b)                                       \
    SW_WMMA_INPUT_(matrix_a, m, n, k, type, type, count_a, int, __imma_##shape##_ld_a_##suffix, row_major,   \
                   0)                                                                                        \
    SW_WMMA_INPUT_(matrix_a, m, n, k, type, type, count_a, int, __imma_##shape##_ld_a_##suffix, col_major,   \
                   1)                                                                                        \
    SW_WMMA_INPUT_(matrix_b, m, n, k, type, type, count_b, int, __imma_##shape##_ld_b_##suffix, row_major,   \
                   0)                                                                                        \
    SW_WMMA_INPUT_(matrix_b, m, n, k, type, type, count_b, int, __imma_##shape##_ld_b_##suffix, col_major, 1)
SW_WMMA_BYTES_(16, 16, 16, m16n16k16, signed char, s8, 8, 8)
SW_WMMA_BYTES_(16, 16, 16, m16n16k16, unsigned char, u8, 8, 8)
SW_WMMA_BYTES_(32, 8, 16, m32n8k16, signed char, s8, 16, 4)
SW_WMMA_BYTES_(32, 8, 16, m32n8k16, unsigned char, u8, 16, 4)
SW_WMMA_BYTES_(8, 32, 16, m8n32k16, signed char, s8, 4, 16)
SW_WMMA_BYTES_(8, 32, 16, m8n32k16, unsigned char, u8, 4, 16)
#undef SW_WMMA_BYTES_
#undef SW_WMMA_INPUT_

/* ---- accumulators */
#define SW_WMMA_SUM_(m, n, k, type, count, reg, load, store)                                                 \
    template <> struct fragment<accumulator, m, n, k, type> : softwarp_elements<type, count> {               \
    };                                                                                                       \
    SW_WMMA_ void load_matrix_sync(fragment<accumulator, m, n, k, type> &f, const type *p, unsigned stride,  \
                                   layout_t layout)                                                          \
    {                                                                                                        \
        if (layout == mem_row_major)                                                                         \
            load((reg *)f.x, (const reg *)p, stride, 0);                                                     \
        else                                                                                                 \
            load((reg *)f.x, (const reg *)p, stride, 1);                                                     \
    }                                                                                                        \
    SW_WMMA_ void store_matrix_sync(type *p, const fragment<accumulator, m, n, k, type> &f, unsigned stride, \
                                    layout_t layout)                                                         \
    {                                                                                                        \
        if (layout == mem_row_major)                                                                         \
            store((reg *)p, (const reg *)f.x, stride, 0);                                                    \
        else                                                                                                 \
            store((reg *)p, (const reg *)f.x, stride, 1);                                                    \
    }
#define SW_WMMA_SUMS_(m, n, k, shape)                                                                        \
    SW_WMMA_SUM_(m, n, k, float, 8, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)             \
    SW_WMMA_SUM_(m, n, k, __half, 8, int, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)              \
    SW_WMMA_SUM_(m, n, k, int, 8, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)
SW_WMMA_SUMS_(16, 16, 16, m16n16k16)
SW_WMMA_SUMS_(32, 8, 16, m32n8k16)
SW_WMMA_SUMS_(8, 32, 16, m8n32k16)
SW_WMMA_SUM_(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
SW_WMMA_SUM_(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
#undef SW_WMMA_SUMS_
#undef SW_WMMA_SUM_

/* ---- d = a b + c. The builtins want constants: layouts 0 to 3 are row.row, row.col, col.row, col.col. */
#define SW_WMMA_MMA_(m, n, k, type, d_type, c_type, in, sum_d, sum_c, a_layout, b_layout, layout, mma)       \
    SW_WMMA_ void mma_sync(fragment<accumulator, m, n, k, d_type> &d,                                        \
                           const fragment<matrix_a, m, n, k, type, a_layout> &a,                             \
                           const fragment<matrix_b, m, n, k, type, b_layout> &b,                             \
                           const fragment<accumulator, m, n, k, c_type> &c, bool saturate = false)           \
    {                                                                                                        \
        if (saturate)                                                                                        \
            mma((sum_d *)d.x, (const in *)a.x, (const in *)b.x, (const sum_c *)c.x, layout, 1);              \
        else                                                                                                 \
            mma((sum_d *)d.x, (const in *)a.x, (const in *)b.x, (const sum_c *)c.x, layout, 0);              \
    }
#define SW_WMMA_PLAIN_(m, n, k, type, sum, in, a_layout, b_layout, layout, mma)                              \
    SW_WMMA_ void mma_sync(                                                                                  \
        fragment<accumulator, m, n, k, sum> &d, const fragment<matrix_a, m, n, k, type, a_layout> &a,        \
        const fragment<matrix_b, m, n, k, type, b_layout> &b, const fragment<accumulator, m, n, k, sum> &c)  \
    {                                                                                                        \
        mma(d.x, (const in *)a.x, (const in *)b.x, c.x, layout, 0);                                          \
    }
#define SW_WMMA_LAYOUTS_(make, ...)                                                                          \
    make(__VA_ARGS__, row_major, row_major, 0) make(__VA_ARGS__, row_major, col_major, 1)                    \
        make(__VA_ARGS__, col_major, row_major, 2) make(__VA_ARGS__, col_major, col_major, 3)

#define SW_WMMA_HALF_(m, n, k, shape, a, b, layout)                                                          \
    SW_WMMA_MMA_(m, n, k, __half, float, float, int, float, float, a, b, layout,                             \
                 __hmma_##shape##_mma_f32f32)                                                                \
    SW_WMMA_MMA_(m, n, k, __half, float, __half, int, float, int, a, b, layout, __hmma_##shape##_mma_f32f16) \
    SW_WMMA_MMA_(m, n, k, __half, __half, float, int, int, float, a, b, layout, __hmma_##shape##_mma_f16f32) \
    SW_WMMA_MMA_(m, n, k, __half, __half, __half, int, int, int, a, b, layout, __hmma_##shape##_mma_f16f16)  \
    SW_WMMA_MMA_(m, n, k, signed char, int, int, int, int, int, a, b, layout, __imma_##shape##_mma_s8)       \
    SW_WMMA_MMA_(m, n, k, unsigned char, int, int, int, int, int, a, b, layout, __imma_##shape##_mma_u8)     \
    SW_WMMA_PLAIN_(m, n, k, __nv_bfloat16, float, int, a, b, layout, __mma_bf16_##shape##_mma_f32)
#define SW_WMMA_OTHER_(a, b, layout)                                                                         \
    SW_WMMA_PLAIN_(16, 16, 8, precision::tf32, float, int, a, b, layout, __mma_tf32_m16n16k8_mma_f32)        \
    SW_WMMA_PLAIN_(8, 8, 4, double, double, double, a, b, layout, __dmma_m8n8k4_mma_f64)
SW_WMMA_LAYOUTS_(SW_WMMA_HALF_, 16, 16, 16, m16n16k16)
SW_WMMA_LAYOUTS_(SW_WMMA_HALF_, 32, 8, 16, m32n8k16)
SW_WMMA_LAYOUTS_(SW_WMMA_HALF_, 8, 32, 16, m8n32k16)
SW_WMMA_OTHER_(row_major, row_major, 0)
SW_WMMA_OTHER_(row_major, col_major, 1)
SW_WMMA_OTHER_(col_major, row_major, 2)
SW_WMMA_OTHER_(col_major, col_major, 3)
#undef SW_WMMA_OTHER_
#undef SW_WMMA_HALF_
#undef SW_WMMA_LAYOUTS_
#undef SW_WMMA_PLAIN_
#undef SW_WMMA_MMA_

SW_WMMA_ float __float_to_tf32(float value)
{
    int bits;
    __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __int_as_float(bits);
}
#undef SW_WMMA_
} // namespace wmma
} // namespace nvcuda
#endif

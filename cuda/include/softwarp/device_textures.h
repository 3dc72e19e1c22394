/* SPDX-License-Identifier: Apache-2.0 */
/* Textures and surfaces as objects: tex1Dfetch, tex1D ... texCubemapLayered with their Lod, Grad and sparse forms, tex2Dgather,
 * surf1Dread ... surfCubemapLayeredwrite with the three modes of the boundary. PTX ISA, "tex", "tld4", "suld", "sust".
 * Method: a fetch always gives four elements of 32 bits; a type takes as many as it has, narrowed to its own.
 * Limits: no texture references (CUDA 12 dropped them). */
#ifndef SOFTWARP_DEVICE_TEXTURES_H
#define SOFTWARP_DEVICE_TEXTURES_H
#pragma clang system_header

#define SW_D_ static __device__ __forceinline__

/* clang-format off: one line a form */
namespace softwarp
{
/* What a type's texture gives: four floats, ints or unsigned ints; and its first elements. */
template <typename T> struct texel;
#define SW_TEXEL_(type, four_, expression)                                                                   \
    template <> struct texel<type> {                                                                         \
        typedef four_ four;                                                                                  \
        static __device__ __forceinline__ type narrow(four v) { return expression; }                         \
    };
#define SW_TEXELS_(name, scalar, four)                                                                       \
    SW_TEXEL_(scalar, four, (scalar)v.x)                                                                     \
    SW_TEXEL_(name##1, four, (name##1{(scalar)v.x}))                                                         \
    SW_TEXEL_(name##2, four, (name##2{(scalar)v.x, (scalar)v.y}))                                            \
    SW_TEXEL_(name##4, four, (name##4{(scalar)v.x, (scalar)v.y, (scalar)v.z, (scalar)v.w}))
SW_TEXEL_(char, int4, (char)v.x)
SW_TEXELS_(char, signed char, int4)
SW_TEXELS_(uchar, unsigned char, uint4)
SW_TEXELS_(short, short, int4)
SW_TEXELS_(ushort, unsigned short, uint4)
SW_TEXELS_(int, int, int4)
SW_TEXELS_(uint, unsigned int, uint4)
SW_TEXELS_(float, float, float4)
#undef SW_TEXELS_
#undef SW_TEXEL_

/* One form for the three result types. `operand`: what follows the object in PTX, from %5 on; with residency from %6 on. */
#define SW_UNWRAP_(...) __VA_ARGS__
#define SW_FETCH_(name, ptx, operand, four_, element, constraint, parameters, ...)                           \
    SW_D_ void name(four_ &v, cudaTextureObject_t object, SW_UNWRAP_ parameters)                             \
    {                                                                                                        \
        __asm__ __volatile__(ptx ".v4." element " {%0, %1, %2, %3}, [%4, " operand ";"                       \
                             : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w) \
                             : "l"(object), __VA_ARGS__);                                                    \
    }
#define SW_FETCHES_(name, geometry, coordinate, operand, parameters, ...)                                    \
    SW_FETCH_(name, geometry, operand, float4, "f32." coordinate, "f", parameters, __VA_ARGS__)              \
    SW_FETCH_(name, geometry, operand, int4, "s32." coordinate, "r", parameters, __VA_ARGS__)                \
    SW_FETCH_(name, geometry, operand, uint4, "u32." coordinate, "r", parameters, __VA_ARGS__)
#define SW_SPARSE_(name, ptx, operand, four_, element, constraint, parameters, ...)                          \
    SW_D_ void name(four_ &v, int &resident, cudaTextureObject_t object, SW_UNWRAP_ parameters)              \
    {                                                                                                        \
        __asm__ __volatile__("{ .reg .pred there; " ptx ".v4." element " {%0, %1, %2, %3}|there, [%5, " operand \
                             "; selp.s32 %4, 1, 0, there; }"                                                 \
                             : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w), "=r"(resident) \
                             : "l"(object), __VA_ARGS__);                                                    \
    }
#define SW_SPARSES_(name, geometry, operand, parameters, ...)                                                \
    SW_SPARSE_(name, geometry, operand, float4, "f32.f32", "f", parameters, __VA_ARGS__)                     \
    SW_SPARSE_(name, geometry, operand, int4, "s32.f32", "r", parameters, __VA_ARGS__)                       \
    SW_SPARSE_(name, geometry, operand, uint4, "u32.f32", "r", parameters, __VA_ARGS__)
SW_FETCHES_(fetch_1d_at, "tex.1d", "s32", "{%5}]", (int x), "r"(x))
SW_FETCHES_(fetch_1d, "tex.1d", "f32", "{%5}]", (float x), "f"(x))
SW_FETCHES_(fetch_2d, "tex.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
SW_SPARSES_(fetch_2d_sparse, "tex.2d", "{%6, %7}]", (float x, float y), "f"(x), "f"(y))
SW_FETCHES_(fetch_3d, "tex.3d", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z), "f"(x), "f"(y), "f"(z))
SW_SPARSES_(fetch_3d_sparse, "tex.3d", "{%6, %7, %8, %8}]", (float x, float y, float z), "f"(x), "f"(y), "f"(z))
SW_FETCHES_(fetch_cube, "tex.cube", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z), "f"(x), "f"(y), "f"(z))
SW_FETCHES_(fetch_a1d, "tex.a1d", "f32", "{%5, %6}]", (float x, int layer), "r"(layer), "f"(x))
SW_FETCHES_(fetch_a2d, "tex.a2d", "f32", "{%5, %6, %7, %7}]", (float x, float y, int layer), "r"(layer), "f"(x), "f"(y))
SW_SPARSES_(fetch_a2d_sparse, "tex.a2d", "{%6, %7, %8, %8}]", (float x, float y, int layer), "r"(layer), "f"(x), "f"(y))
SW_FETCHES_(fetch_acube, "tex.acube", "f32", "{%5, %6, %7, %8}]", (float x, float y, float z, int layer), "r"(layer), "f"(x), "f"(y), "f"(z))
SW_FETCHES_(fetch_1d_lod, "tex.level.1d", "f32", "{%5}], %6", (float x, float level), "f"(x), "f"(level))
SW_FETCHES_(fetch_2d_lod, "tex.level.2d", "f32", "{%5, %6}], %7", (float x, float y, float level), "f"(x), "f"(y), "f"(level))
SW_SPARSES_(fetch_2d_lod_sparse, "tex.level.2d", "{%6, %7}], %8", (float x, float y, float level), "f"(x), "f"(y), "f"(level))
SW_FETCHES_(fetch_3d_lod, "tex.level.3d", "f32", "{%5, %6, %7, %7}], %8", (float x, float y, float z, float level), "f"(x), "f"(y), "f"(z), "f"(level))
SW_SPARSES_(fetch_3d_lod_sparse, "tex.level.3d", "{%6, %7, %8, %8}], %9", (float x, float y, float z, float level), "f"(x), "f"(y), "f"(z), "f"(level))
SW_FETCHES_(fetch_cube_lod, "tex.level.cube", "f32", "{%5, %6, %7, %7}], %8", (float x, float y, float z, float level), "f"(x), "f"(y), "f"(z), "f"(level))
SW_FETCHES_(fetch_a1d_lod, "tex.level.a1d", "f32", "{%5, %6}], %7", (float x, int layer, float level), "r"(layer), "f"(x), "f"(level))
SW_FETCHES_(fetch_a2d_lod, "tex.level.a2d", "f32", "{%5, %6, %7, %7}], %8", (float x, float y, int layer, float level), "r"(layer), "f"(x), "f"(y), "f"(level))
SW_SPARSES_(fetch_a2d_lod_sparse, "tex.level.a2d", "{%6, %7, %8, %8}], %9", (float x, float y, int layer, float level), "r"(layer), "f"(x), "f"(y), "f"(level))
SW_FETCHES_(fetch_acube_lod, "tex.level.acube", "f32", "{%5, %6, %7, %8}], %9", (float x, float y, float z, int layer, float level), "r"(layer), "f"(x), "f"(y), "f"(z), "f"(level))
SW_FETCHES_(fetch_1d_grad, "tex.grad.1d", "f32", "{%5}], {%6}, {%7}", (float x, float along_x, float along_y), "f"(x), "f"(along_x), "f"(along_y))
SW_FETCHES_(fetch_2d_grad, "tex.grad.2d", "f32", "{%5, %6}], {%7, %8}, {%9, %10}", (float x, float y, float2 along_x, float2 along_y), "f"(x), "f"(y), "f"(along_x.x), "f"(along_x.y), "f"(along_y.x), "f"(along_y.y))
SW_SPARSES_(fetch_2d_grad_sparse, "tex.grad.2d", "{%6, %7}], {%8, %9}, {%10, %11}", (float x, float y, float2 along_x, float2 along_y), "f"(x), "f"(y), "f"(along_x.x), "f"(along_x.y), "f"(along_y.x), "f"(along_y.y))
SW_FETCHES_(fetch_3d_grad, "tex.grad.3d", "f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", (float x, float y, float z, float4 along_x, float4 along_y), "f"(x), "f"(y), "f"(z), "f"(along_x.x), "f"(along_x.y), "f"(along_x.z), "f"(along_y.x), "f"(along_y.y), "f"(along_y.z))
SW_SPARSES_(fetch_3d_grad_sparse, "tex.grad.3d", "{%6, %7, %8, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}", (float x, float y, float z, float4 along_x, float4 along_y), "f"(x), "f"(y), "f"(z), "f"(along_x.x), "f"(along_x.y), "f"(along_x.z), "f"(along_y.x), "f"(along_y.y), "f"(along_y.z))
SW_FETCHES_(fetch_cube_grad, "tex.grad.cube", "f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", (float x, float y, float z, float4 along_x, float4 along_y), "f"(x), "f"(y), "f"(z), "f"(along_x.x), "f"(along_x.y), "f"(along_x.z), "f"(along_y.x), "f"(along_y.y), "f"(along_y.z))
SW_FETCHES_(fetch_a1d_grad, "tex.grad.a1d", "f32", "{%5, %6}], {%7}, {%8}", (float x, int layer, float along_x, float along_y), "r"(layer), "f"(x), "f"(along_x), "f"(along_y))
SW_FETCHES_(fetch_a2d_grad, "tex.grad.a2d", "f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}", (float x, float y, int layer, float2 along_x, float2 along_y), "r"(layer), "f"(x), "f"(y), "f"(along_x.x), "f"(along_x.y), "f"(along_y.x), "f"(along_y.y))
SW_SPARSES_(fetch_a2d_grad_sparse, "tex.grad.a2d", "{%6, %7, %8, %8}], {%9, %10}, {%11, %12}", (float x, float y, int layer, float2 along_x, float2 along_y), "r"(layer), "f"(x), "f"(y), "f"(along_x.x), "f"(along_x.y), "f"(along_y.x), "f"(along_y.y))
SW_FETCHES_(fetch_acube_grad, "tex.grad.acube", "f32", "{%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}", (float x, float y, float z, int layer, float4 along_x, float4 along_y), "r"(layer), "f"(x), "f"(y), "f"(z), "f"(along_x.x), "f"(along_x.y), "f"(along_x.z), "f"(along_y.x), "f"(along_y.y), "f"(along_y.z))
SW_FETCHES_(gather_r, "tld4.r.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
SW_SPARSES_(gather_r_sparse, "tld4.r.2d", "{%6, %7}]", (float x, float y), "f"(x), "f"(y))
SW_FETCHES_(gather_g, "tld4.g.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
SW_SPARSES_(gather_g_sparse, "tld4.g.2d", "{%6, %7}]", (float x, float y), "f"(x), "f"(y))
SW_FETCHES_(gather_b, "tld4.b.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
SW_SPARSES_(gather_b_sparse, "tld4.b.2d", "{%6, %7}]", (float x, float y), "f"(x), "f"(y))
SW_FETCHES_(gather_a, "tld4.a.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
SW_SPARSES_(gather_a_sparse, "tld4.a.2d", "{%6, %7}]", (float x, float y), "f"(x), "f"(y))
#undef SW_SPARSES_
#undef SW_SPARSE_
#undef SW_FETCHES_
#undef SW_FETCH_
template <typename F> SW_D_ void gather_2d(F &v, cudaTextureObject_t object, float x, float y, int component)
{
    if (component == 1) return gather_g(v, object, x, y);
    if (component == 2) return gather_b(v, object, x, y);
    if (component == 3) return gather_a(v, object, x, y);
    gather_r(v, object, x, y);
}
template <typename F> SW_D_ void gather_2d_sparse(F &v, int &resident, cudaTextureObject_t object, float x, float y, int component)
{
    if (component == 1) return gather_g_sparse(v, resident, object, x, y);
    if (component == 2) return gather_b_sparse(v, resident, object, x, y);
    if (component == 3) return gather_a_sparse(v, resident, object, x, y);
    gather_r_sparse(v, resident, object, x, y);
}
} // namespace softwarp

#define SW_TEX_(name, fetch, parameters, ...)                                                                \
    template <typename T> SW_D_ T name(cudaTextureObject_t object, SW_UNWRAP_ parameters)                    \
    {                                                                                                        \
        typename softwarp::texel<T>::four v;                                                                 \
        softwarp::fetch(v, object, __VA_ARGS__);                                                             \
        return softwarp::texel<T>::narrow(v);                                                                \
    }                                                                                                        \
    template <typename T> SW_D_ void name(T *out, cudaTextureObject_t object, SW_UNWRAP_ parameters)         \
    {                                                                                                        \
        *out = name<T>(object, __VA_ARGS__);                                                                 \
    }
#define SW_TEX_SPARSE_(name, fetch, parameters, ...)                                                         \
    template <typename T> SW_D_ T name(cudaTextureObject_t object, SW_UNWRAP_ parameters, bool *resident)    \
    {                                                                                                        \
        typename softwarp::texel<T>::four v;                                                                 \
        int there;                                                                                           \
        softwarp::fetch(v, there, object, __VA_ARGS__);                                                      \
        *resident = there != 0;                                                                              \
        return softwarp::texel<T>::narrow(v);                                                                \
    }                                                                                                        \
    template <typename T> SW_D_ void name(T *out, cudaTextureObject_t object, SW_UNWRAP_ parameters, bool *resident) \
    {                                                                                                        \
        *out = name<T>(object, __VA_ARGS__, resident);                                                       \
    }
SW_TEX_(tex1Dfetch, fetch_1d_at, (int x), x)
SW_TEX_(tex1D, fetch_1d, (float x), x)
SW_TEX_(tex2D, fetch_2d, (float x, float y), x, y)
SW_TEX_SPARSE_(tex2D, fetch_2d_sparse, (float x, float y), x, y)
SW_TEX_(tex3D, fetch_3d, (float x, float y, float z), x, y, z)
SW_TEX_SPARSE_(tex3D, fetch_3d_sparse, (float x, float y, float z), x, y, z)
SW_TEX_(texCubemap, fetch_cube, (float x, float y, float z), x, y, z)
SW_TEX_(tex1DLayered, fetch_a1d, (float x, int layer), x, layer)
SW_TEX_(tex2DLayered, fetch_a2d, (float x, float y, int layer), x, y, layer)
SW_TEX_SPARSE_(tex2DLayered, fetch_a2d_sparse, (float x, float y, int layer), x, y, layer)
SW_TEX_(texCubemapLayered, fetch_acube, (float x, float y, float z, int layer), x, y, z, layer)
SW_TEX_(tex1DLod, fetch_1d_lod, (float x, float level), x, level)
SW_TEX_(tex2DLod, fetch_2d_lod, (float x, float y, float level), x, y, level)
SW_TEX_SPARSE_(tex2DLod, fetch_2d_lod_sparse, (float x, float y, float level), x, y, level)
SW_TEX_(tex3DLod, fetch_3d_lod, (float x, float y, float z, float level), x, y, z, level)
SW_TEX_SPARSE_(tex3DLod, fetch_3d_lod_sparse, (float x, float y, float z, float level), x, y, z, level)
SW_TEX_(texCubemapLod, fetch_cube_lod, (float x, float y, float z, float level), x, y, z, level)
SW_TEX_(tex1DLayeredLod, fetch_a1d_lod, (float x, int layer, float level), x, layer, level)
SW_TEX_(tex2DLayeredLod, fetch_a2d_lod, (float x, float y, int layer, float level), x, y, layer, level)
SW_TEX_SPARSE_(tex2DLayeredLod, fetch_a2d_lod_sparse, (float x, float y, int layer, float level), x, y, layer, level)
SW_TEX_(texCubemapLayeredLod, fetch_acube_lod, (float x, float y, float z, int layer, float level), x, y, z, layer, level)
SW_TEX_(tex1DGrad, fetch_1d_grad, (float x, float along_x, float along_y), x, along_x, along_y)
SW_TEX_(tex2DGrad, fetch_2d_grad, (float x, float y, float2 along_x, float2 along_y), x, y, along_x, along_y)
SW_TEX_SPARSE_(tex2DGrad, fetch_2d_grad_sparse, (float x, float y, float2 along_x, float2 along_y), x, y, along_x, along_y)
SW_TEX_(tex3DGrad, fetch_3d_grad, (float x, float y, float z, float4 along_x, float4 along_y), x, y, z, along_x, along_y)
SW_TEX_SPARSE_(tex3DGrad, fetch_3d_grad_sparse, (float x, float y, float z, float4 along_x, float4 along_y), x, y, z, along_x, along_y)
SW_TEX_(texCubemapGrad, fetch_cube_grad, (float x, float y, float z, float4 along_x, float4 along_y), x, y, z, along_x, along_y)
SW_TEX_(tex1DLayeredGrad, fetch_a1d_grad, (float x, int layer, float along_x, float along_y), x, layer, along_x, along_y)
SW_TEX_(tex2DLayeredGrad, fetch_a2d_grad, (float x, float y, int layer, float2 along_x, float2 along_y), x, y, layer, along_x, along_y)
SW_TEX_SPARSE_(tex2DLayeredGrad, fetch_a2d_grad_sparse, (float x, float y, int layer, float2 along_x, float2 along_y), x, y, layer, along_x, along_y)
SW_TEX_(texCubemapLayeredGrad, fetch_acube_grad, (float x, float y, float z, int layer, float4 along_x, float4 along_y), x, y, z, layer, along_x, along_y)
SW_TEX_(tex2Dgather, gather_2d, (float x, float y, int component = 0), x, y, component)
#undef SW_TEX_SPARSE_
#undef SW_TEX_
template <typename T> SW_D_ T tex2Dgather(cudaTextureObject_t object, float x, float y, bool *resident, int component = 0)
{
    typename softwarp::texel<T>::four v;
    int there;
    softwarp::gather_2d_sparse(v, there, object, x, y, component);
    *resident = there != 0;
    return softwarp::texel<T>::narrow(v);
}
template <typename T> SW_D_ void tex2Dgather(T *out, cudaTextureObject_t object, float x, float y, bool *resident, int component = 0)
{
    *out = tex2Dgather<T>(object, x, y, resident, component);
}

namespace softwarp
{
/* A surface element of 1, 2, 4, 8 or 16 bytes moves as so many bits. One access for each mode of the boundary. */
template <int bytes> struct surface_bits;
template <> struct surface_bits<1> { typedef unsigned char type; };
template <> struct surface_bits<2> { typedef unsigned short type; };
template <> struct surface_bits<4> { typedef unsigned int type; };
template <> struct surface_bits<8> { typedef unsigned long long type; };
template <> struct surface_bits<16> { typedef ulonglong2 type; };

#define SW_LOAD_(geometry, bits, mode, operand, values, outputs, ...)                                        \
    __asm__ __volatile__("suld.b." geometry "." bits "." mode " {" values "}, [" operand "];" : SW_UNWRAP_ outputs : __VA_ARGS__ : "memory")
#define SW_STORE_(geometry, bits, mode, operand, values, ...)                                                \
    __asm__ __volatile__("sust.b." geometry "." bits "." mode " [" operand "], {" values "};" ::__VA_ARGS__ : "memory")
#define SW_MODES_(access, geometry, bits, operand, values, ...)                                              \
    if (mode == cudaBoundaryModeZero) access(geometry, bits, "zero", operand, values, __VA_ARGS__);          \
    else if (mode == cudaBoundaryModeClamp) access(geometry, bits, "clamp", operand, values, __VA_ARGS__);   \
    else access(geometry, bits, "trap", operand, values, __VA_ARGS__);
/* one: the operand behind one value; two: behind two */
#define SW_SURFACE_(name, geometry, one, two, parameters, ...)                                               \
    SW_D_ void read_##name(unsigned char &v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        unsigned short wide;                                                                                 \
        SW_MODES_(SW_LOAD_, geometry, "b8", "%1, " one, "%0", ("=h"(wide)), "l"(object), __VA_ARGS__)          \
        v = (unsigned char)wide;                                                                             \
    }                                                                                                        \
    SW_D_ void read_##name(unsigned short &v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        SW_MODES_(SW_LOAD_, geometry, "b16", "%1, " one, "%0", ("=h"(v)), "l"(object), __VA_ARGS__)            \
    }                                                                                                        \
    SW_D_ void read_##name(unsigned int &v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        SW_MODES_(SW_LOAD_, geometry, "b32", "%1, " one, "%0", ("=r"(v)), "l"(object), __VA_ARGS__)            \
    }                                                                                                        \
    SW_D_ void read_##name(unsigned long long &v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        SW_MODES_(SW_LOAD_, geometry, "b64", "%1, " one, "%0", ("=l"(v)), "l"(object), __VA_ARGS__)            \
    }                                                                                                        \
    SW_D_ void read_##name(ulonglong2 &v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        SW_MODES_(SW_LOAD_, geometry, "v2.b64", "%2, " two, "%0, %1", ("=l"(v.x), "=l"(v.y)), "l"(object), __VA_ARGS__) \
    }                                                                                                        \
    SW_D_ void write_##name(unsigned char v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        SW_MODES_(SW_STORE_, geometry, "b8", "%1, " one, "%0", "h"((unsigned short)v), "l"(object), __VA_ARGS__) \
    }                                                                                                        \
    SW_D_ void write_##name(unsigned short v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        SW_MODES_(SW_STORE_, geometry, "b16", "%1, " one, "%0", "h"(v), "l"(object), __VA_ARGS__)            \
    }                                                                                                        \
    SW_D_ void write_##name(unsigned int v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        SW_MODES_(SW_STORE_, geometry, "b32", "%1, " one, "%0", "r"(v), "l"(object), __VA_ARGS__)            \
    }                                                                                                        \
    SW_D_ void write_##name(unsigned long long v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        SW_MODES_(SW_STORE_, geometry, "b64", "%1, " one, "%0", "l"(v), "l"(object), __VA_ARGS__)            \
    }                                                                                                        \
    SW_D_ void write_##name(ulonglong2 v, cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        SW_MODES_(SW_STORE_, geometry, "v2.b64", "%2, " two, "%0, %1", "l"(v.x), "l"(v.y), "l"(object), __VA_ARGS__) \
    }
SW_SURFACE_(1d, "1d", "{%2}", "{%3}", (int x), "r"(x))
SW_SURFACE_(2d, "2d", "{%2, %3}", "{%3, %4}", (int x, int y), "r"(x), "r"(y))
SW_SURFACE_(3d, "3d", "{%2, %3, %4, %4}", "{%3, %4, %5, %5}", (int x, int y, int z), "r"(x), "r"(y), "r"(z))
SW_SURFACE_(a1d, "a1d", "{%3, %2}", "{%4, %3}", (int x, int layer), "r"(x), "r"(layer))
SW_SURFACE_(a2d, "a2d", "{%4, %2, %3, %3}", "{%5, %3, %4, %4}", (int x, int y, int layer), "r"(x), "r"(y), "r"(layer))
#undef SW_SURFACE_
#undef SW_MODES_
#undef SW_STORE_
#undef SW_LOAD_
} // namespace softwarp

/* x counts bytes, as in CUDA. */
#define SW_SURF_(name, access, parameters, ...)                                                              \
    template <typename T> SW_D_ T name##read(cudaSurfaceObject_t object, int x, SW_UNWRAP_ parameters cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    {                                                                                                        \
        typename softwarp::surface_bits<sizeof(T)>::type bits;                                               \
        T v;                                                                                                 \
        softwarp::read_##access(bits, object, mode, __VA_ARGS__);                                            \
        __builtin_memcpy(&v, &bits, sizeof v);                                                               \
        return v;                                                                                            \
    }                                                                                                        \
    template <typename T> SW_D_ void name##read(T *out, cudaSurfaceObject_t object, int x, SW_UNWRAP_ parameters cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    {                                                                                                        \
        *out = name##read<T>(object, __VA_ARGS__, mode);                                                     \
    }                                                                                                        \
    template <typename T> SW_D_ void name##write(T v, cudaSurfaceObject_t object, int x, SW_UNWRAP_ parameters cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    {                                                                                                        \
        typename softwarp::surface_bits<sizeof(T)>::type bits;                                               \
        __builtin_memcpy(&bits, &v, sizeof v);                                                               \
        softwarp::write_##access(bits, object, mode, __VA_ARGS__);                                           \
    }
SW_SURF_(surf1D, 1d, (), x)
SW_SURF_(surf2D, 2d, (int y, ), x, y)
SW_SURF_(surf3D, 3d, (int y, int z, ), x, y, z)
SW_SURF_(surf1DLayered, a1d, (int layer, ), x, layer)
SW_SURF_(surf2DLayered, a2d, (int y, int layer, ), x, y, layer)
SW_SURF_(surfCubemap, a2d, (int y, int face, ), x, y, face)
SW_SURF_(surfCubemapLayered, a2d, (int y, int layer_face, ), x, y, layer_face)
#undef SW_SURF_
#undef SW_UNWRAP_
/* clang-format on */
#undef SW_D_
#endif

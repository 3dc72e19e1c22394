/* SPDX-License-Identifier: Apache-2.0 */
/* Textures and surfaces as objects: tex1Dfetch, tex1D, tex2D, tex3D, their layered, cube and Lod forms, tex2Dgather,
 * surf1Dread ... surf3Dwrite. PTX ISA, "tex", "tld4", "suld", "sust".
 * Method: a fetch always gives four elements of 32 bits; a type takes as many as it has, narrowed to its own.
 * Limits: no texture references (CUDA 12 dropped them), no sparse forms; surfaces of the trap mode of the
 * boundary alone. */
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

/* One geometry and coordinate type, for the three result types. `operand`: the coordinates in PTX, from %5 on. */
#define SW_FETCH_(name, ptx, operand, four_, element, constraint, parameters, ...)                           \
    SW_D_ void name(four_ &v, cudaTextureObject_t object, SW_UNWRAP_ parameters)                             \
    {                                                                                                        \
        __asm__ __volatile__(ptx ".v4." element " {%0, %1, %2, %3}, [%4, " operand ";"                       \
                             : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z), "=" constraint(v.w) \
                             : "l"(object), __VA_ARGS__);                                                    \
    }
#define SW_UNWRAP_(...) __VA_ARGS__
#define SW_FETCHES_(name, geometry, coordinate, operand, parameters, ...)                                    \
    SW_FETCH_(name, geometry, operand, float4, "f32." coordinate, "f", parameters, __VA_ARGS__)              \
    SW_FETCH_(name, geometry, operand, int4, "s32." coordinate, "r", parameters, __VA_ARGS__)                \
    SW_FETCH_(name, geometry, operand, uint4, "u32." coordinate, "r", parameters, __VA_ARGS__)
SW_FETCHES_(fetch_1d_at, "tex.1d", "s32", "{%5}]", (int x), "r"(x))
SW_FETCHES_(fetch_1d, "tex.1d", "f32", "{%5}]", (float x), "f"(x))
SW_FETCHES_(fetch_2d, "tex.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
SW_FETCHES_(fetch_3d, "tex.3d", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z), "f"(x), "f"(y), "f"(z))
SW_FETCHES_(fetch_cube, "tex.cube", "f32", "{%5, %6, %7, %7}]", (float x, float y, float z), "f"(x), "f"(y), "f"(z))
SW_FETCHES_(fetch_a1d, "tex.a1d", "f32", "{%5, %6}]", (int layer, float x), "r"(layer), "f"(x))
SW_FETCHES_(fetch_a2d, "tex.a2d", "f32", "{%5, %6, %7, %7}]", (int layer, float x, float y), "r"(layer), "f"(x), "f"(y))
SW_FETCHES_(fetch_1d_lod, "tex.level.1d", "f32", "{%5}], %6", (float x, float level), "f"(x), "f"(level))
SW_FETCHES_(fetch_2d_lod, "tex.level.2d", "f32", "{%5, %6}], %7", (float x, float y, float level), "f"(x), "f"(y), "f"(level))
SW_FETCHES_(fetch_3d_lod, "tex.level.3d", "f32", "{%5, %6, %7, %7}], %8", (float x, float y, float z, float level), "f"(x), "f"(y), "f"(z), "f"(level))
SW_FETCHES_(gather_r, "tld4.r.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
SW_FETCHES_(gather_g, "tld4.g.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
SW_FETCHES_(gather_b, "tld4.b.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
SW_FETCHES_(gather_a, "tld4.a.2d", "f32", "{%5, %6}]", (float x, float y), "f"(x), "f"(y))
#undef SW_FETCHES_
#undef SW_FETCH_
#undef SW_UNWRAP_
template <typename F> SW_D_ void gather_2d(F &v, cudaTextureObject_t object, float x, float y, int component)
{
    if (component == 1) return gather_g(v, object, x, y);
    if (component == 2) return gather_b(v, object, x, y);
    if (component == 3) return gather_a(v, object, x, y);
    gather_r(v, object, x, y);
}

/* A surface element of 1, 2, 4, 8 or 16 bytes moves as so many bits. */
template <int bytes> struct surface_bits;
} // namespace softwarp

#define SW_TEX_(name, fetch, parameters, ...)                                                                \
    template <typename T> SW_D_ T name parameters                                                            \
    {                                                                                                        \
        typename softwarp::texel<T>::four v;                                                                 \
        softwarp::fetch(v, __VA_ARGS__);                                                                     \
        return softwarp::texel<T>::narrow(v);                                                                \
    }                                                                                                        
#define SW_TEX_TO_(name, parameters, ...)                                                                    \
    template <typename T> SW_D_ void name parameters { *out = name<T>(__VA_ARGS__); }
SW_TEX_(tex1Dfetch, fetch_1d_at, (cudaTextureObject_t object, int x), object, x)
SW_TEX_(tex1D, fetch_1d, (cudaTextureObject_t object, float x), object, x)
SW_TEX_(tex2D, fetch_2d, (cudaTextureObject_t object, float x, float y), object, x, y)
SW_TEX_(tex3D, fetch_3d, (cudaTextureObject_t object, float x, float y, float z), object, x, y, z)
SW_TEX_(texCubemap, fetch_cube, (cudaTextureObject_t object, float x, float y, float z), object, x, y, z)
SW_TEX_(tex1DLayered, fetch_a1d, (cudaTextureObject_t object, float x, int layer), object, layer, x)
SW_TEX_(tex2DLayered, fetch_a2d, (cudaTextureObject_t object, float x, float y, int layer), object, layer, x, y)
SW_TEX_(tex1DLod, fetch_1d_lod, (cudaTextureObject_t object, float x, float level), object, x, level)
SW_TEX_(tex2DLod, fetch_2d_lod, (cudaTextureObject_t object, float x, float y, float level), object, x, y, level)
SW_TEX_(tex3DLod, fetch_3d_lod, (cudaTextureObject_t object, float x, float y, float z, float level), object, x, y, z, level)
SW_TEX_TO_(tex1Dfetch, (T *out, cudaTextureObject_t object, int x), object, x)
SW_TEX_TO_(tex1D, (T *out, cudaTextureObject_t object, float x), object, x)
SW_TEX_TO_(tex2D, (T *out, cudaTextureObject_t object, float x, float y), object, x, y)
SW_TEX_TO_(tex3D, (T *out, cudaTextureObject_t object, float x, float y, float z), object, x, y, z)
SW_TEX_(tex2Dgather, gather_2d, (cudaTextureObject_t object, float x, float y, int component = 0), object, x, y, component)
SW_TEX_TO_(tex2Dgather, (T *out, cudaTextureObject_t object, float x, float y, int component = 0), object, x, y, component)
#undef SW_TEX_TO_
#undef SW_TEX_

namespace softwarp
{
#define SW_SURFACE_(geometry, operand, parameters, arguments, ...)                                           \
    SW_D_ void surface_read_##geometry(unsigned char &v, cudaSurfaceObject_t object, SW_UNWRAP_ parameters)  \
    {                                                                                                        \
        unsigned short wide;                                                                                 \
        __asm__ __volatile__("suld.b." #geometry ".b8.trap {%0}, [%1, " operand "];" : "=h"(wide) : "l"(object), __VA_ARGS__ : "memory"); \
        v = (unsigned char)wide;                                                                             \
    }                                                                                                        \
    SW_D_ void surface_read_##geometry(unsigned short &v, cudaSurfaceObject_t object, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        __asm__ __volatile__("suld.b." #geometry ".b16.trap {%0}, [%1, " operand "];" : "=h"(v) : "l"(object), __VA_ARGS__ : "memory"); \
    }                                                                                                        \
    SW_D_ void surface_read_##geometry(unsigned int &v, cudaSurfaceObject_t object, SW_UNWRAP_ parameters)   \
    {                                                                                                        \
        __asm__ __volatile__("suld.b." #geometry ".b32.trap {%0}, [%1, " operand "];" : "=r"(v) : "l"(object), __VA_ARGS__ : "memory"); \
    }                                                                                                        \
    SW_D_ void surface_read_##geometry(unsigned long long &v, cudaSurfaceObject_t object, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        __asm__ __volatile__("suld.b." #geometry ".b64.trap {%0}, [%1, " operand "];" : "=l"(v) : "l"(object), __VA_ARGS__ : "memory"); \
    }
#define SW_UNWRAP_(...) __VA_ARGS__
SW_SURFACE_(1d, "{%2}", (int x), (x), "r"(x))
SW_SURFACE_(2d, "{%2, %3}", (int x, int y), (x, y), "r"(x), "r"(y))
SW_SURFACE_(3d, "{%2, %3, %4, %4}", (int x, int y, int z), (x, y, z), "r"(x), "r"(y), "r"(z))
#undef SW_SURFACE_
#define SW_SURFACE_(geometry, operand, place, parameters, ...)                                               \
    SW_D_ void surface_write_##geometry(unsigned char v, cudaSurfaceObject_t object, SW_UNWRAP_ parameters)  \
    {                                                                                                        \
        __asm__ __volatile__("sust.b." #geometry ".b8.trap [%0, " operand "], {" place "};" ::"l"(object), __VA_ARGS__, "h"((unsigned short)v) : "memory"); \
    }                                                                                                        \
    SW_D_ void surface_write_##geometry(unsigned short v, cudaSurfaceObject_t object, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        __asm__ __volatile__("sust.b." #geometry ".b16.trap [%0, " operand "], {" place "};" ::"l"(object), __VA_ARGS__, "h"(v) : "memory"); \
    }                                                                                                        \
    SW_D_ void surface_write_##geometry(unsigned int v, cudaSurfaceObject_t object, SW_UNWRAP_ parameters)   \
    {                                                                                                        \
        __asm__ __volatile__("sust.b." #geometry ".b32.trap [%0, " operand "], {" place "};" ::"l"(object), __VA_ARGS__, "r"(v) : "memory"); \
    }                                                                                                        \
    SW_D_ void surface_write_##geometry(unsigned long long v, cudaSurfaceObject_t object, SW_UNWRAP_ parameters) \
    {                                                                                                        \
        __asm__ __volatile__("sust.b." #geometry ".b64.trap [%0, " operand "], {" place "};" ::"l"(object), __VA_ARGS__, "l"(v) : "memory"); \
    }
SW_SURFACE_(1d, "{%1}", "%2", (int x), "r"(x))
SW_SURFACE_(2d, "{%1, %2}", "%3", (int x, int y), "r"(x), "r"(y))
SW_SURFACE_(3d, "{%1, %2, %3, %3}", "%4", (int x, int y, int z), "r"(x), "r"(y), "r"(z))
#undef SW_SURFACE_
#undef SW_UNWRAP_
template <> struct surface_bits<1> { typedef unsigned char type; };
template <> struct surface_bits<2> { typedef unsigned short type; };
template <> struct surface_bits<4> { typedef unsigned int type; };
template <> struct surface_bits<8> { typedef unsigned long long type; };
} // namespace softwarp

/* Elements of 16 bytes move as two of 8. x counts bytes, as in CUDA. */
#define SW_SURF_(name, geometry, parameters, ...)                                                            \
    template <typename T> SW_D_ T name##read(cudaSurfaceObject_t object, int x, SW_UNWRAP_ parameters cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) \
    {                                                                                                        \
        constexpr int part = sizeof(T) == 16 ? 8 : sizeof(T);                                                \
        typename softwarp::surface_bits<part>::type bits[sizeof(T) / part];                                  \
        for (int i = 0; i < (int)sizeof(T) / part; i++) softwarp::surface_read_##geometry(bits[i], object, x + part * i __VA_ARGS__); \
        T v;                                                                                                 \
        __builtin_memcpy(&v, bits, sizeof v);                                                                \
        return v;                                                                                            \
    }                                                                                                        \
    template <typename T> SW_D_ void name##read(T *out, cudaSurfaceObject_t object, int x, SW_UNWRAP_ parameters cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    {                                                                                                        \
        *out = name##read<T>(object, x __VA_ARGS__, mode);                                                   \
    }                                                                                                        \
    template <typename T> SW_D_ void name##write(T v, cudaSurfaceObject_t object, int x, SW_UNWRAP_ parameters cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) \
    {                                                                                                        \
        constexpr int part = sizeof(T) == 16 ? 8 : sizeof(T);                                                \
        typename softwarp::surface_bits<part>::type bits[sizeof(T) / part];                                  \
        __builtin_memcpy(bits, &v, sizeof v);                                                                \
        for (int i = 0; i < (int)sizeof(T) / part; i++) softwarp::surface_write_##geometry(bits[i], object, x + part * i __VA_ARGS__); \
    }
#define SW_UNWRAP_(...) __VA_ARGS__
SW_SURF_(surf1D, 1d, (), )
SW_SURF_(surf2D, 2d, (int y, ), , y)
SW_SURF_(surf3D, 3d, (int y, int z, ), , y, z)
#undef SW_UNWRAP_
#undef SW_SURF_
/* clang-format on */
#undef SW_D_
#endif

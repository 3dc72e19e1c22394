/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores with a cache operator (__ldcg ... __stwt), address-space queries and conversions.
 * PTX ISA, "cache operators", "isspacep", "cvta". __ldg is clang's. */
#ifndef SOFTWARP_DEVICE_MEMORY_H
#define SOFTWARP_DEVICE_MEMORY_H
#pragma clang system_header

#define SW_D_ static __device__ __forceinline__

/* One scalar type: `ptx` its PTX type, `constraint` of its register, `via` the C type held in that register.
 */
#define SW_LOAD_(op, type, ptx, constraint, via)                                                             \
    SW_D_ type __ld##op(const type *p)                                                                       \
    {                                                                                                        \
        via v;                                                                                               \
        __asm__ __volatile__("ld.global." #op "." ptx " %0, [%1];" : "=" constraint(v) : "l"(p) : "memory"); \
        return (type)v;                                                                                      \
    }
#define SW_STORE_(op, type, ptx, constraint, via)                                                            \
    SW_D_ void __st##op(type *p, type v)                                                                     \
    {                                                                                                        \
        __asm__ __volatile__("st.global." #op "." ptx " [%0], %1;" ::"l"(p), constraint((via)v) : "memory"); \
    }
#define SW_LOAD_2_(op, type, element, ptx, constraint)                                                       \
    SW_D_ type __ld##op(const type *p)                                                                       \
    {                                                                                                        \
        type v;                                                                                              \
        __asm__ __volatile__("ld.global." #op ".v2." ptx " {%0, %1}, [%2];"                                  \
                             : "=" constraint(v.x), "=" constraint(v.y)                                      \
                             : "l"(p)                                                                        \
                             : "memory");                                                                    \
        return v;                                                                                            \
    }
#define SW_STORE_2_(op, type, element, ptx, constraint)                                                      \
    SW_D_ void __st##op(type *p, type v)                                                                     \
    {                                                                                                        \
        __asm__ __volatile__("st.global." #op ".v2." ptx " [%0], {%1, %2};" ::"l"(p), constraint(v.x),       \
                             constraint(v.y)                                                                 \
                             : "memory");                                                                    \
    }
#define SW_LOAD_4_(op, type, element, ptx, constraint)                                                       \
    SW_D_ type __ld##op(const type *p)                                                                       \
    {                                                                                                        \
        type v;                                                                                              \
        __asm__ __volatile__("ld.global." #op ".v4." ptx " {%0, %1, %2, %3}, [%4];"                          \
                             : "=" constraint(v.x), "=" constraint(v.y), "=" constraint(v.z),                \
                               "=" constraint(v.w)                                                           \
                             : "l"(p)                                                                        \
                             : "memory");                                                                    \
        return v;                                                                                            \
    }
#define SW_STORE_4_(op, type, element, ptx, constraint)                                                      \
    SW_D_ void __st##op(type *p, type v)                                                                     \
    {                                                                                                        \
        __asm__ __volatile__("st.global." #op ".v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(p),                \
                             constraint(v.x), constraint(v.y), constraint(v.z), constraint(v.w)              \
                             : "memory");                                                                    \
    }

#define SW_ACCESS_(scalar, pair, quad, op)                                                                   \
    scalar(op, char, "s8", "r", int) scalar(op, signed char, "s8", "r", int)                                 \
        scalar(op, unsigned char, "u8", "r", unsigned int) scalar(op, short, "s16", "h", short)              \
            scalar(op, unsigned short, "u16", "h", unsigned short) scalar(op, int, "s32", "r", int)          \
                scalar(op, unsigned int, "u32", "r", unsigned int) scalar(op, long, "s64", "l", long)        \
                    scalar(op, unsigned long, "u64", "l", unsigned long)                                     \
                        scalar(op, long long, "s64", "l", long long)                                         \
                            scalar(op, unsigned long long, "u64", "l", unsigned long long)                   \
                                scalar(op, float, "f32", "f", float) scalar(op, double, "f64", "d", double)  \
                                    pair(op, int2, int, "s32", "r")                                          \
                                        pair(op, uint2, unsigned int, "u32", "r")                            \
                                            pair(op, float2, float, "f32", "f")                              \
                                                pair(op, longlong2, long long, "s64", "l")                   \
                                                    pair(op, ulonglong2, unsigned long long, "u64", "l")     \
                                                        pair(op, double2, double, "f64", "d")                \
                                                            quad(op, int4, int, "s32", "r")                  \
                                                                quad(op, uint4, unsigned int, "u32", "r")    \
                                                                    quad(op, float4, float, "f32", "f")

SW_ACCESS_(SW_LOAD_, SW_LOAD_2_, SW_LOAD_4_, ca)
SW_ACCESS_(SW_LOAD_, SW_LOAD_2_, SW_LOAD_4_, cg)
SW_ACCESS_(SW_LOAD_, SW_LOAD_2_, SW_LOAD_4_, cs)
SW_ACCESS_(SW_LOAD_, SW_LOAD_2_, SW_LOAD_4_, lu)
SW_ACCESS_(SW_LOAD_, SW_LOAD_2_, SW_LOAD_4_, cv)
SW_ACCESS_(SW_STORE_, SW_STORE_2_, SW_STORE_4_, wb)
SW_ACCESS_(SW_STORE_, SW_STORE_2_, SW_STORE_4_, cg)
SW_ACCESS_(SW_STORE_, SW_STORE_2_, SW_STORE_4_, cs)
SW_ACCESS_(SW_STORE_, SW_STORE_2_, SW_STORE_4_, wt)

SW_D_ unsigned int __isGlobal(const void *p)
{
    return __nvvm_isspacep_global(p);
}
SW_D_ unsigned int __isShared(const void *p)
{
    return __nvvm_isspacep_shared(p);
}
SW_D_ unsigned int __isConstant(const void *p)
{
    return __nvvm_isspacep_const(p);
}
SW_D_ unsigned int __isLocal(const void *p)
{
    return __nvvm_isspacep_local(p);
}

SW_D_ size_t __cvta_generic_to_global(const void *p)
{
    return (size_t)(void __attribute__((address_space(1))) *)p;
}
SW_D_ size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)(void __attribute__((address_space(3))) *)p;
}
SW_D_ size_t __cvta_generic_to_constant(const void *p)
{
    return (size_t)(void __attribute__((address_space(4))) *)p;
}
SW_D_ size_t __cvta_generic_to_local(const void *p)
{
    return (size_t)(void __attribute__((address_space(5))) *)p;
}
SW_D_ void *__cvta_global_to_generic(size_t p)
{
    return (void *)(void __attribute__((address_space(1))) *)p;
}
SW_D_ void *__cvta_shared_to_generic(size_t p)
{
    return (void *)(void __attribute__((address_space(3))) *)p;
}
SW_D_ void *__cvta_constant_to_generic(size_t p)
{
    return (void *)(void __attribute__((address_space(4))) *)p;
}
SW_D_ void *__cvta_local_to_generic(size_t p)
{
    return (void *)(void __attribute__((address_space(5))) *)p;
}

#undef SW_ACCESS_
#undef SW_LOAD_
#undef SW_LOAD_2_
#undef SW_LOAD_4_
#undef SW_STORE_
#undef SW_STORE_2_
#undef SW_STORE_4_
#undef SW_D_
#endif

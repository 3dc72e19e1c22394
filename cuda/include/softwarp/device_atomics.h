/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic functions of CUDA C++: atomicX (device scope), atomicX_block and atomicX_system, over clang's
 * builtins, so that LLVM sees them as atomic operations. PTX ISA, "atom". */
#ifndef SOFTWARP_DEVICE_ATOMICS_H
#define SOFTWARP_DEVICE_ATOMICS_H
#pragma clang system_header

#define SW_D_ static __device__ __forceinline__

/* The three scopes of one operation on one type. `as`: the type that clang's builtin takes. */
#define SW_ATOMIC_(name, type, as, op, suffix)                                                               \
    SW_D_ type name(type *p, type v)                                                                         \
    {                                                                                                        \
        return (type)__nvvm_atom_##op##_gen_##suffix((as *)p, (as)v);                                        \
    }
#define SW_ATOMIC_SCOPED_(name, type, as, op, suffix)                                                        \
    SW_D_ type name##_block(type *p, type v)                                                                 \
    {                                                                                                        \
        return (type)__nvvm_atom_cta_##op##_gen_##suffix((as *)p, (as)v);                                    \
    }                                                                                                        \
    SW_D_ type name##_system(type *p, type v)                                                                \
    {                                                                                                        \
        return (type)__nvvm_atom_sys_##op##_gen_##suffix((as *)p, (as)v);                                    \
    }
#if __CUDA_ARCH__ >= 600
#define SW_ATOMIC_ALL_(name, type, as, op, suffix)                                                           \
    SW_ATOMIC_(name, type, as, op, suffix)                                                                   \
    SW_ATOMIC_SCOPED_(name, type, as, op, suffix)
#else
#define SW_ATOMIC_ALL_ SW_ATOMIC_
#endif

SW_ATOMIC_ALL_(atomicAdd, int, int, add, i)
SW_ATOMIC_ALL_(atomicAdd, unsigned int, int, add, i)
SW_ATOMIC_ALL_(atomicAdd, unsigned long long, long long, add, ll)
SW_ATOMIC_ALL_(atomicAdd, float, float, add, f)
#if __CUDA_ARCH__ >= 600
SW_ATOMIC_ALL_(atomicAdd, double, double, add, d)
#endif
SW_ATOMIC_ALL_(atomicExch, int, int, xchg, i)
SW_ATOMIC_ALL_(atomicExch, unsigned int, int, xchg, i)
SW_ATOMIC_ALL_(atomicExch, unsigned long long, long long, xchg, ll)
SW_ATOMIC_ALL_(atomicMin, int, int, min, i)
SW_ATOMIC_ALL_(atomicMin, unsigned int, unsigned int, min, ui)
SW_ATOMIC_ALL_(atomicMin, long long, long long, min, ll)
SW_ATOMIC_ALL_(atomicMin, unsigned long long, unsigned long long, min, ull)
SW_ATOMIC_ALL_(atomicMax, int, int, max, i)
SW_ATOMIC_ALL_(atomicMax, unsigned int, unsigned int, max, ui)
SW_ATOMIC_ALL_(atomicMax, long long, long long, max, ll)
SW_ATOMIC_ALL_(atomicMax, unsigned long long, unsigned long long, max, ull)
SW_ATOMIC_ALL_(atomicInc, unsigned int, unsigned int, inc, ui)
SW_ATOMIC_ALL_(atomicDec, unsigned int, unsigned int, dec, ui)
SW_ATOMIC_ALL_(atomicAnd, int, int, and, i)
SW_ATOMIC_ALL_(atomicAnd, unsigned int, int, and, i)
SW_ATOMIC_ALL_(atomicAnd, long long, long long, and, ll)
SW_ATOMIC_ALL_(atomicAnd, unsigned long long, long long, and, ll)
SW_ATOMIC_ALL_(atomicOr, int, int, or, i)
SW_ATOMIC_ALL_(atomicOr, unsigned int, int, or, i)
SW_ATOMIC_ALL_(atomicOr, long long, long long, or, ll)
SW_ATOMIC_ALL_(atomicOr, unsigned long long, long long, or, ll)
SW_ATOMIC_ALL_(atomicXor, int, int, xor, i)
SW_ATOMIC_ALL_(atomicXor, unsigned int, int, xor, i)
SW_ATOMIC_ALL_(atomicXor, long long, long long, xor, ll)
SW_ATOMIC_ALL_(atomicXor, unsigned long long, long long, xor, ll)

#define SW_ATOMIC_CAS_(scope, tail)                                                                          \
    SW_D_ int atomicCAS##tail(int *p, int compare, int v)                                                    \
    {                                                                                                        \
        return __nvvm_atom_##scope##cas_gen_i(p, compare, v);                                                \
    }                                                                                                        \
    SW_D_ unsigned int atomicCAS##tail(unsigned int *p, unsigned int compare, unsigned int v)                \
    {                                                                                                        \
        return (unsigned int)__nvvm_atom_##scope##cas_gen_i((int *)p, (int)compare, (int)v);                 \
    }                                                                                                        \
    SW_D_ unsigned long long atomicCAS##tail(unsigned long long *p, unsigned long long compare,              \
                                             unsigned long long v)                                           \
    {                                                                                                        \
        return (unsigned long long)__nvvm_atom_##scope##cas_gen_ll((long long *)p, (long long)compare,       \
                                                                   (long long)v);                            \
    }                                                                                                        \
    SW_D_ float atomicExch##tail(float *p, float v)                                                          \
    {                                                                                                        \
        return __nv_int_as_float(__nvvm_atom_##scope##xchg_gen_i((int *)p, __nv_float_as_int(v)));           \
    }                                                                                                        \
    SW_D_ int atomicSub##tail(int *p, int v)                                                                 \
    {                                                                                                        \
        return __nvvm_atom_##scope##add_gen_i(p, -v);                                                        \
    }                                                                                                        \
    SW_D_ unsigned int atomicSub##tail(unsigned int *p, unsigned int v)                                      \
    {                                                                                                        \
        return (unsigned int)__nvvm_atom_##scope##add_gen_i((int *)p, (int)(0u - v));                        \
    }
SW_ATOMIC_CAS_(, )
#if __CUDA_ARCH__ >= 600
SW_ATOMIC_CAS_(cta_, _block)
SW_ATOMIC_CAS_(sys_, _system)
#endif
#if __CUDA_ARCH__ >= 700
SW_D_ unsigned short atomicCAS(unsigned short *p, unsigned short compare, unsigned short v)
{
    unsigned short old;
    __asm__ __volatile__("atom.cas.b16 %0, [%1], %2, %3;"
                         : "=h"(old)
                         : "l"(p), "h"(compare), "h"(v)
                         : "memory");
    return old;
}
#endif

/* `unsigned long` and `long` are types of their own in C++; CUDA takes pointers to them nowhere, so neither
 * do we. */
#undef SW_ATOMIC_CAS_
#undef SW_ATOMIC_ALL_
#undef SW_ATOMIC_SCOPED_
#undef SW_ATOMIC_
#undef SW_D_
#endif

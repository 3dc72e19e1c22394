/* SPDX-License-Identifier: Apache-2.0 */
/* cuda::atomic, cuda::atomic_ref and fences, for objects of 1, 2, 4 and 8 bytes.
 * Method: every operation is a relaxed one of the scope, between the fences that its order asks for (C++ memory model: a
 * fence before makes it a release, one after an acquire). Objects of 1 and 2 bytes are part of a word that is compared and
 * swapped. On the host: the compiler's builtins. Limits: orders are never weaker than asked for, often stronger. */
#ifndef SOFTWARP_CXX_ATOMIC_H
#define SOFTWARP_CXX_ATOMIC_H
#pragma clang system_header

#include "std.h"

namespace cuda
{
namespace softwarp
{
template <::std::size_t Bytes> struct bits;
template <> struct bits<1> { using type = unsigned char; };
template <> struct bits<2> { using type = unsigned short; };
template <> struct bits<4> { using type = unsigned int; };
template <> struct bits<8> { using type = unsigned long long; };
template <class T> using bits_of = typename bits<sizeof(T)>::type;

template <thread_scope Scope> SW_CXX_ inline void fence(memory_order order)
{
    if (order == memory_order_relaxed || Scope == thread_scope_thread) return;
#ifdef __CUDA_ARCH__
    if (Scope == thread_scope_block) __threadfence_block();
    else if (Scope == thread_scope_device) __threadfence();
    else __threadfence_system();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
SW_CXX_ constexpr bool releases(memory_order order)
{
    return order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst;
}
SW_CXX_ constexpr bool acquires(memory_order order)
{
    return order != memory_order_relaxed && order != memory_order_release;
}

/* Relaxed operations on words; Bits is unsigned int or unsigned long long. */
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 600
#define SW_SCOPED_(name, ...)                                                                                \
    (Scope == thread_scope_block    ? name##_block(__VA_ARGS__)                                              \
     : Scope == thread_scope_system ? name##_system(__VA_ARGS__)                                             \
                                    : name(__VA_ARGS__))
#else
#define SW_SCOPED_(name, ...) name(__VA_ARGS__)
#endif
template <thread_scope Scope, class Bits> __device__ inline Bits word_swap_if(Bits *p, Bits expected, Bits desired)
{
    return SW_SCOPED_(::atomicCAS, p, expected, desired);
}
template <thread_scope Scope, class Bits> __device__ inline Bits word_swap(Bits *p, Bits v)
{
    return SW_SCOPED_(::atomicExch, p, v);
}
template <thread_scope Scope, class Value> __device__ inline Value word_add(Value *p, Value v)
{
    return SW_SCOPED_(::atomicAdd, p, v);
}
template <thread_scope Scope, class Bits> __device__ inline Bits word_and(Bits *p, Bits v)
{
    return SW_SCOPED_(::atomicAnd, p, v);
}
template <thread_scope Scope, class Bits> __device__ inline Bits word_or(Bits *p, Bits v)
{
    return SW_SCOPED_(::atomicOr, p, v);
}
template <thread_scope Scope, class Bits> __device__ inline Bits word_xor(Bits *p, Bits v)
{
    return SW_SCOPED_(::atomicXor, p, v);
}
#undef SW_SCOPED_
template <class Bits> __device__ inline Bits word_load(const Bits *p) { return *(const volatile Bits *)p; }
template <class Bits> __device__ inline void word_store(Bits *p, Bits v) { *(volatile Bits *)p = v; }
#else
template <thread_scope Scope, class Bits> inline Bits word_swap_if(Bits *p, Bits expected, Bits desired)
{
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
template <thread_scope Scope, class Bits> inline Bits word_swap(Bits *p, Bits v)
{
    return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
}
template <thread_scope Scope, class Bits> inline Bits word_add(Bits *p, Bits v)
{
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
template <thread_scope Scope, class Bits> inline Bits word_and(Bits *p, Bits v)
{
    return __atomic_fetch_and(p, v, __ATOMIC_RELAXED);
}
template <thread_scope Scope, class Bits> inline Bits word_or(Bits *p, Bits v)
{
    return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);
}
template <thread_scope Scope, class Bits> inline Bits word_xor(Bits *p, Bits v)
{
    return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED);
}
template <class Bits> inline Bits word_load(const Bits *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
template <class Bits> inline void word_store(Bits *p, Bits v) { __atomic_store_n(p, v, __ATOMIC_RELAXED); }
#endif

/* Compare and swap of any of the four sizes: small ones inside their word. */
template <thread_scope Scope, class Bits> SW_CXX_ inline Bits swap_if(Bits *p, Bits expected, Bits desired)
{
    if constexpr (sizeof(Bits) >= 4) {
        return word_swap_if<Scope>(p, expected, desired);
    } else {
        ::std::uintptr_t at = (::std::uintptr_t)p, shift = at % 4 * 8;
        unsigned int *word = (unsigned int *)(at - at % 4), mask = (unsigned int)(Bits)-1 << shift;
        for (;;) {
            unsigned int old = word_load(word);
            Bits now = (Bits)(old >> shift);
            if (now != expected) return now;
            if (word_swap_if<Scope>(word, old, (old & ~mask) | (unsigned int)desired << shift) == old) return now;
        }
    }
}
SW_CXX_ inline void pause()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    __nanosleep(20);
#endif
}

/* What atomic and atomic_ref have in common; Self gives the address. */
template <class T, thread_scope Scope, class Self> struct operations {
    static_assert(::std::is_trivially_copyable<T>::value && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8),
                  "cuda::atomic of softwarp cc: objects of 1, 2, 4 or 8 bytes that can be copied as bytes");
    using value_type = T;
    using difference_type = ::std::ptrdiff_t;
    using Bits = bits_of<T>;
    static constexpr bool is_always_lock_free = true;
    SW_CXX_ bool is_lock_free() const { return true; }

    SW_CXX_ T load(memory_order order = memory_order_seq_cst) const
    {
        if (order == memory_order_seq_cst) fence<Scope>(order);
        Bits v = word_load(at());
        if (acquires(order)) fence<Scope>(order);
        return value_of(v);
    }
    SW_CXX_ void store(T v, memory_order order = memory_order_seq_cst) const
    {
        if (releases(order)) fence<Scope>(order);
        word_store(at(), bits_of_value(v));
        if (order == memory_order_seq_cst) fence<Scope>(order);
    }
    SW_CXX_ operator T() const { return load(); }
    SW_CXX_ T exchange(T v, memory_order order = memory_order_seq_cst) const
    {
        if constexpr (sizeof(T) < 4) {
            return change([v](T) { return v; }, order);
        } else {
            if (releases(order)) fence<Scope>(order);
            Bits old = word_swap<Scope>(at(), bits_of_value(v));
            if (acquires(order)) fence<Scope>(order);
            return value_of(old);
        }
    }
    SW_CXX_ bool compare_exchange_strong(T &expected, T desired, memory_order order = memory_order_seq_cst) const
    {
        if (releases(order)) fence<Scope>(order);
        Bits wanted = bits_of_value(expected), old = swap_if<Scope>(at(), wanted, bits_of_value(desired));
        if (acquires(order)) fence<Scope>(order);
        if (old == wanted) return true;
        expected = value_of(old);
        return false;
    }
    SW_CXX_ bool compare_exchange_strong(T &expected, T desired, memory_order order, memory_order failed) const
    {
        return compare_exchange_strong(expected, desired, acquires(failed) && !acquires(order) ? memory_order_seq_cst : order);
    }
    SW_CXX_ bool compare_exchange_weak(T &expected, T desired, memory_order order = memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, desired, order);
    }
    SW_CXX_ bool compare_exchange_weak(T &expected, T desired, memory_order order, memory_order failed) const
    {
        return compare_exchange_strong(expected, desired, order, failed);
    }

    /* Pointers count in objects, as everywhere. */
    using Step = ::std::conditional_t<::std::is_pointer<T>::value, ::std::ptrdiff_t, T>;
    SW_CXX_ T fetch_add(Step v, memory_order order = memory_order_seq_cst) const
    {
        if constexpr (::std::is_integral<T>::value && sizeof(T) >= 4) {
            return word(order, [v](Bits *p) { return word_add<Scope>(p, (Bits)v); });
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
        } else if constexpr (::std::is_same<T, float>::value || ::std::is_same<T, double>::value) {
            return word(order, [v](Bits *p) { return bits_of_value(word_add<Scope>((T *)p, v)); });
#endif
        } else {
            return change([v](T old) { return (T)(old + v); }, order);
        }
    }
    SW_CXX_ T fetch_sub(Step v, memory_order order = memory_order_seq_cst) const
    {
        if constexpr (::std::is_floating_point<T>::value || ::std::is_pointer<T>::value) return fetch_add(-v, order);
        else return fetch_add((T)(0 - v), order);
    }
#define SW_FETCH_(name, op)                                                                                  \
    SW_CXX_ T fetch_##name(T v, memory_order order = memory_order_seq_cst) const                             \
    {                                                                                                        \
        if constexpr (sizeof(T) >= 4) return this->word(order, [v](Bits *p) { return word_##name<Scope>(p, (Bits)v); }); \
        else return this->change([v](T old) { return (T)(old op v); }, order);                              \
    }
    SW_FETCH_(and, &)
    SW_FETCH_(or, |)
    SW_FETCH_(xor, ^)
#undef SW_FETCH_
    SW_CXX_ T fetch_max(T v, memory_order order = memory_order_seq_cst) const
    {
        return change([v](T old) { return old < v ? v : old; }, order);
    }
    SW_CXX_ T fetch_min(T v, memory_order order = memory_order_seq_cst) const
    {
        return change([v](T old) { return v < old ? v : old; }, order);
    }
    SW_CXX_ T operator++() const { return (T)(fetch_add(1) + 1); }
    SW_CXX_ T operator--() const { return (T)(fetch_sub(1) - 1); }
    SW_CXX_ T operator++(int) const { return fetch_add(1); }
    SW_CXX_ T operator--(int) const { return fetch_sub(1); }
    SW_CXX_ T operator+=(Step v) const { return (T)(fetch_add(v) + v); }
    SW_CXX_ T operator-=(Step v) const { return (T)(fetch_sub(v) - v); }
    SW_CXX_ T operator&=(T v) const { return (T)(fetch_and(v) & v); }
    SW_CXX_ T operator|=(T v) const { return (T)(fetch_or(v) | v); }
    SW_CXX_ T operator^=(T v) const { return (T)(fetch_xor(v) ^ v); }

    SW_CXX_ void wait(T old, memory_order order = memory_order_seq_cst) const
    {
        while (bits_of_value(load(order)) == bits_of_value(old)) pause();
    }
    SW_CXX_ void notify_one() const {}
    SW_CXX_ void notify_all() const {}

  private:
    SW_CXX_ Bits *at() const { return (Bits *)static_cast<const Self *>(this)->softwarp_address(); }
    SW_CXX_ static T value_of(Bits v) { return __builtin_bit_cast(T, v); }
    SW_CXX_ static Bits bits_of_value(T v) { return __builtin_bit_cast(Bits, v); }
    template <class F> SW_CXX_ T word(memory_order order, F f) const
    {
        if (releases(order)) fence<Scope>(order);
        Bits old = f(at());
        if (acquires(order)) fence<Scope>(order);
        return value_of(old);
    }
    template <class F> SW_CXX_ T change(F f, memory_order order) const
    {
        if (releases(order)) fence<Scope>(order);
        Bits old = word_load(at()), seen;
        while ((seen = swap_if<Scope>(at(), old, bits_of_value(f(value_of(old))))) != old) old = seen;
        if (acquires(order)) fence<Scope>(order);
        return value_of(old);
    }
};
} // namespace softwarp

template <class T, thread_scope Scope = thread_scope_system>
struct alignas(sizeof(T)) atomic : softwarp::operations<T, Scope, atomic<T, Scope>> {
    T softwarp_value;
    atomic() = default;
    SW_CXX_ constexpr atomic(T v) : softwarp_value(v) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    SW_CXX_ T operator=(T v)
    {
        this->store(v);
        return v;
    }
    SW_CXX_ const T *softwarp_address() const { return &softwarp_value; }
};

template <class T, thread_scope Scope = thread_scope_system>
struct atomic_ref : softwarp::operations<T, Scope, atomic_ref<T, Scope>> {
    T *softwarp_object;
    static constexpr ::std::size_t required_alignment = sizeof(T);
    SW_CXX_ explicit atomic_ref(T &object) : softwarp_object(&object) {}
    SW_CXX_ T operator=(T v) const
    {
        this->store(v);
        return v;
    }
    SW_CXX_ const T *softwarp_address() const { return softwarp_object; }
};

SW_CXX_ inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system)
{
    if (scope == thread_scope_block) softwarp::fence<thread_scope_block>(order);
    else if (scope == thread_scope_device) softwarp::fence<thread_scope_device>(order);
    else if (scope == thread_scope_system) softwarp::fence<thread_scope_system>(order);
}
namespace std
{
template <class T> using atomic = ::cuda::atomic<T>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T>;
SW_CXX_ inline void atomic_thread_fence(memory_order order) { ::cuda::atomic_thread_fence(order); }
} // namespace std
} // namespace cuda
#endif

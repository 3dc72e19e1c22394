/* SPDX-License-Identifier: Apache-2.0 */
/* What programs that NVRTC compiles have in the place of the host's headers, which are not read: its documented
 * predefined types and macros, and the functions that it declares itself (found by asking NVRTC 13.0 for each).
 * Nothing else is in namespace std, which such programs fill themselves. Part of softwarp/prelude.h. */
#ifndef SOFTWARP_RTC_H
#define SOFTWARP_RTC_H
#pragma clang system_header
#include <stdarg.h>
#include <stddef.h>

#define CUDART_VERSION            13000
#define __NV_BUILTIN_MOVE_FORWARD 1

/* CCCL would read NVIDIA's headers of these types, where a program's include path has them. */
#define CCCL_DISABLE_NVFP6_SUPPORT
#define CCCL_DISABLE_NVFP4_SUPPORT

typedef long clock_t;

/* What clang's headers take from <limits.h> and <math.h>; rtc_math.h takes them back. */
#define INT_MAX   __INT_MAX__
#define INT_MIN   (-__INT_MAX__ - 1)
#define HUGE_VAL  __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                                    \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

namespace std
{
enum class align_val_t : size_t {
};

/* Clang makes objects of it: a pointer and a length, in this order. */
template <class E> class initializer_list
{
    const E *array_;
    size_t size_;

  public:
    typedef E value_type;
    typedef const E &reference;
    typedef const E &const_reference;
    typedef size_t size_type;
    typedef const E *iterator;
    typedef const E *const_iterator;
    __attribute__((host, device)) constexpr initializer_list() noexcept : array_(nullptr), size_(0)
    {
    }
    __attribute__((host, device)) constexpr size_t size() const noexcept
    {
        return size_;
    }
    __attribute__((host, device)) constexpr const E *begin() const noexcept
    {
        return array_;
    }
    __attribute__((host, device)) constexpr const E *end() const noexcept
    {
        return array_ + size_;
    }
};
} // namespace std

namespace softwarp_rtc
{
template <class T> struct referred {
    typedef T type;
};
template <class T> struct referred<T &> {
    typedef T type;
};
template <class T> struct referred<T &&> {
    typedef T type;
};
} // namespace softwarp_rtc

namespace std
{
template <class T>
__attribute__((host, device)) constexpr typename softwarp_rtc::referred<T>::type &&move(T &&value) noexcept
{
    return static_cast<typename softwarp_rtc::referred<T>::type &&>(value);
}
template <class T>
__attribute__((host, device)) constexpr T &&
forward(typename softwarp_rtc::referred<T>::type &value) noexcept
{
    return static_cast<T &&>(value);
}
template <class T>
__attribute__((host, device)) constexpr T &&
forward(typename softwarp_rtc::referred<T>::type &&value) noexcept
{
    return static_cast<T &&>(value);
}
} // namespace std
#endif

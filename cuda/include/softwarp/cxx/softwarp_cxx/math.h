/* SPDX-License-Identifier: Apache-2.0 */
/* Small functions of namespace cuda: quotients rounded up, minimum and maximum as objects. */
#ifndef SOFTWARP_CXX_MATH_H
#define SOFTWARP_CXX_MATH_H
#pragma clang system_header

#include "std.h"

namespace cuda
{
template <class T, class U> SW_CXX_ constexpr ::std::common_type_t<T, U> ceil_div(T a, U b)
{
    return (::std::common_type_t<T, U>)(a / b + (a % b != 0));
}
template <class T, class U> SW_CXX_ constexpr ::std::common_type_t<T, U> round_up(T a, U b) { return ceil_div(a, b) * b; }
template <class T, class U> SW_CXX_ constexpr ::std::common_type_t<T, U> round_down(T a, U b) { return a / b * b; }
template <class T = void> struct maximum {
    SW_CXX_ constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
    SW_CXX_ constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct maximum<void> {
    template <class T, class U> SW_CXX_ constexpr auto operator()(const T &a, const U &b) const -> ::std::common_type_t<T, U>
    {
        return a < b ? b : a;
    }
};
template <> struct minimum<void> {
    template <class T, class U> SW_CXX_ constexpr auto operator()(const T &a, const U &b) const -> ::std::common_type_t<T, U>
    {
        return b < a ? b : a;
    }
};
template <class Result, class F> SW_CXX_ F proclaim_return_type(F f) { return f; }
} // namespace cuda
#endif

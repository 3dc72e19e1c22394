/* SPDX-License-Identifier: Apache-2.0 */
/* cuda::latch and cuda::counting_semaphore, on cuda::atomic. */
#ifndef SOFTWARP_CXX_LATCH_H
#define SOFTWARP_CXX_LATCH_H
#pragma clang system_header

#include "atomic.h"

namespace cuda
{
template <thread_scope Scope> class latch {
    atomic<long long, Scope> left;

  public:
    latch() = default;
    SW_CXX_ constexpr explicit latch(::std::ptrdiff_t expected) : left(expected) {}
    latch(const latch &) = delete;
    latch &operator=(const latch &) = delete;
    SW_CXX_ friend void init(latch *l, ::std::ptrdiff_t expected) { l->left.store(expected, memory_order_relaxed); }
    SW_CXX_ void count_down(::std::ptrdiff_t n = 1) { left.fetch_sub(n, memory_order_release); }
    SW_CXX_ bool try_wait() const { return left.load(memory_order_acquire) == 0; }
    SW_CXX_ void wait() const
    {
        while (!try_wait()) softwarp::pause();
    }
    SW_CXX_ void arrive_and_wait(::std::ptrdiff_t n = 1)
    {
        count_down(n);
        wait();
    }
};

template <thread_scope Scope, ::std::ptrdiff_t Most = 0x7fffffff> class counting_semaphore {
    atomic<int, Scope> count;

  public:
    counting_semaphore() = default;
    SW_CXX_ constexpr explicit counting_semaphore(::std::ptrdiff_t n) : count((int)n) {}
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;
    SW_CXX_ static constexpr ::std::ptrdiff_t max() noexcept { return Most; }
    SW_CXX_ friend void init(counting_semaphore *s, ::std::ptrdiff_t n) { s->count.store((int)n, memory_order_relaxed); }
    SW_CXX_ void release(::std::ptrdiff_t n = 1) { count.fetch_add((int)n, memory_order_release); }
    SW_CXX_ bool try_acquire()
    {
        int n = count.load(memory_order_relaxed);
        return n > 0 && count.compare_exchange_strong(n, n - 1, memory_order_acquire);
    }
    SW_CXX_ void acquire()
    {
        while (!try_acquire()) softwarp::pause();
    }
};
template <thread_scope Scope> using binary_semaphore = counting_semaphore<Scope, 1>;
namespace std
{
using latch = ::cuda::latch<thread_scope_system>;
template <::std::ptrdiff_t Most = 0x7fffffff> using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = ::cuda::binary_semaphore<thread_scope_system>;
} // namespace std
} // namespace cuda
#endif

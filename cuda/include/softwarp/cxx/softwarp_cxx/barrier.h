/* SPDX-License-Identifier: Apache-2.0 */
/* cuda::barrier: mbarrier instructions in shared memory from sm_80 on, a word of counts elsewhere and on the host.
 * Method: the word has the expected count, the count still to come and the phase; who brings the second to zero runs the
 * completion function and starts the next phase. PTX ISA, "mbarrier". Limits: the default constructor does nothing, so that
 * variables in shared memory are possible: init() comes first, as CUDA wants it. */
#ifndef SOFTWARP_CXX_BARRIER_H
#define SOFTWARP_CXX_BARRIER_H
#pragma clang system_header

#include "atomic.h"

namespace cuda
{
namespace softwarp
{
struct nothing {
    SW_CXX_ void operator()() const {}
};
} // namespace softwarp

template <thread_scope Scope, class Completion = softwarp::nothing> class alignas(8) barrier {
    using Word = unsigned long long;
    static constexpr Word one_to_come = 1ull << 31, counts = one_to_come - 1, one_phase = 1ull << 62;
    Word word;
    struct softwarp_empty {};
    static constexpr bool plain = ::std::is_same<Completion, softwarp::nothing>::value;
    [[no_unique_address]] ::std::conditional_t<plain, softwarp_empty, Completion> completion;

  public:
    using arrival_token = Word;
    barrier() = default;
    SW_CXX_ constexpr explicit barrier(::std::ptrdiff_t expected)
        : word((Word)expected | (Word)expected * one_to_come), completion()
    {
#ifdef __CUDA_ARCH__
        if (!__builtin_is_constant_evaluated()) start(expected);
#endif
    }
    SW_CXX_ barrier(::std::ptrdiff_t expected, Completion f) : completion(f) { start(expected); }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;
    static constexpr ::std::ptrdiff_t max() noexcept { return (1 << 20) - 1; }

    SW_CXX_ friend void init(barrier *b, ::std::ptrdiff_t expected) { b->start(expected); }
    SW_CXX_ friend void init(barrier *b, ::std::ptrdiff_t expected, Completion f)
    {
        if constexpr (!plain) b->completion = f;
        b->start(expected);
    }

    [[nodiscard]] SW_CXX_ arrival_token arrive(::std::ptrdiff_t count = 1)
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        if (in_shared()) {
            Word token = 0;
            for (::std::ptrdiff_t i = 0; i < count; i++) {
                Word state;
                asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address()) : "memory");
                if (i == 0) token = state;
            }
            return token;
        }
#endif
        return come((Word)count, 0);
    }
    SW_CXX_ void wait(arrival_token &&token) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        if (in_shared()) { /* a loop of its own for each kind of memory: one for both has two ways in */
            while (!test_shared(token)) softwarp::pause();
            return;
        }
#endif
        while (softwarp::word_load(&word) / one_phase == token) softwarp::pause();
        softwarp::fence<Scope>(memory_order_acquire);
    }
    SW_CXX_ void arrive_and_wait() { wait(arrive()); }
    SW_CXX_ void arrive_and_drop()
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        if (in_shared()) {
            Word state;
            asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(address()) : "memory");
            return;
        }
#endif
        come(1, 1);
    }
    SW_CXX_ bool try_wait(arrival_token &&token) const { return test(token); }
    SW_CXX_ bool try_wait_parity(bool parity) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        if (in_shared()) return test_parity(parity);
#endif
        return passed((softwarp::word_load(&word) / one_phase & 1) != (Word)parity);
    }
    SW_CXX_ void wait_parity(bool parity) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        if (in_shared()) {
            while (!test_parity(parity)) softwarp::pause();
            return;
        }
#endif
        while ((softwarp::word_load(&word) / one_phase & 1) == (Word)parity) softwarp::pause();
        softwarp::fence<Scope>(memory_order_acquire);
    }
    SW_CXX_ unsigned long long *softwarp_native() { return &word; }

  private:
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    __device__ bool in_shared() const { return plain && __isShared(&word); }
    __device__ unsigned address() const { return (unsigned)__cvta_generic_to_shared(&word); }
    __device__ bool test_shared(arrival_token token) const
    {
        int done;
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(address()), "l"(token)
                     : "memory");
        return done != 0;
    }
    __device__ bool test_parity(bool parity) const
    {
        int done;
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(address()), "r"((int)parity)
                     : "memory");
        return done != 0;
    }
#endif
    SW_CXX_ static bool passed(bool yes)
    {
        if (yes) softwarp::fence<Scope>(memory_order_acquire);
        return yes;
    }
    SW_CXX_ void start(::std::ptrdiff_t expected)
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        if (in_shared()) {
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address()), "r"((unsigned)expected) : "memory");
            return;
        }
#endif
        softwarp::word_store(&word, (Word)expected | (Word)expected * one_to_come);
    }
    /* Count some in, and some of them out of all later phases. */
    SW_CXX_ Word come(Word count, Word leaving)
    {
        softwarp::fence<Scope>(memory_order_release);
        Word old = softwarp::word_load(&word), next;
        for (;;) {
            next = old - count * one_to_come - leaving;
            bool last = (next / one_to_come & counts) == 0;
            if (last && plain) next = (next & counts) * (one_to_come + 1) + (old / one_phase + 1) % 4 * one_phase;
            Word seen = softwarp::word_swap_if<Scope>(&word, old, next);
            if (seen != old) {
                old = seen;
                continue;
            }
            if (last && !plain) finish(next);
            return old / one_phase;
        }
    }
    SW_CXX_ void finish(Word at_zero)
    {
        softwarp::fence<Scope>(memory_order_acquire);
        if constexpr (!plain) completion();
        softwarp::fence<Scope>(memory_order_release);
        softwarp::word_store(&word, (at_zero & counts) * (one_to_come + 1) + (at_zero / one_phase + 1) % 4 * one_phase);
    }
    SW_CXX_ bool test(arrival_token token) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        if (in_shared()) return test_shared(token);
#endif
        return passed(softwarp::word_load(&word) / one_phase != token);
    }
};

namespace device
{
template <class Completion>
SW_CXX_ inline unsigned long long *barrier_native_handle(barrier<thread_scope_block, Completion> &b)
{
    return b.softwarp_native();
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ inline barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &b, ::std::ptrdiff_t count, ::std::ptrdiff_t bytes)
{
    unsigned long long token = 0;
    unsigned at = (unsigned)__cvta_generic_to_shared(b.softwarp_native());
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"((unsigned)bytes) : "memory");
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;" : "=l"(token) : "r"(at), "r"((unsigned)count) : "memory");
    return token;
}
__device__ inline void barrier_expect_tx(barrier<thread_scope_block> &b, ::std::ptrdiff_t bytes)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(b.softwarp_native());
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"((unsigned)bytes) : "memory");
}
#endif
} // namespace device
namespace std
{
template <class Completion = ::cuda::softwarp::nothing> using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}
} // namespace cuda
#endif

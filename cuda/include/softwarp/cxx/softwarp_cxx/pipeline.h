/* SPDX-License-Identifier: Apache-2.0 */
/* cuda::pipeline and cuda::memcpy_async.
 * Method: a pipeline of one thread counts groups of cp.async; one of a block has two barriers a stage, which producers and
 * consumers meet at in turn. memcpy_async uses cp.async from global to shared memory where addresses and size allow 4, 8 or 16
 * bytes at a time, plain copies elsewhere; with a barrier, or in a pipeline of a block, the copies of a thread are done when
 * it arrives. Limits: no copies by the bulk engine. */
#ifndef SOFTWARP_CXX_PIPELINE_H
#define SOFTWARP_CXX_PIPELINE_H
#pragma clang system_header

#include "barrier.h"
#ifdef __CUDA__
#include "cuda_pipeline.h"
#endif

namespace cuda
{
template <::std::size_t Alignment> struct aligned_size_t {
    static constexpr ::std::size_t align = Alignment;
    ::std::size_t value;
    SW_CXX_ explicit constexpr aligned_size_t(::std::size_t bytes) : value(bytes) {}
    SW_CXX_ constexpr operator ::std::size_t() const { return value; }
};

namespace softwarp
{
struct single_thread {
    SW_CXX_ static constexpr unsigned size() { return 1; }
    SW_CXX_ static constexpr unsigned thread_rank() { return 0; }
    SW_CXX_ void sync() const {}
};

#ifdef __CUDA__
template <unsigned Bytes, class Group>
__device__ inline void copy_units(const Group &group, char *to, const char *from, ::std::size_t bytes)
{
    for (::std::size_t i = group.thread_rank() * Bytes; i < bytes; i += group.size() * Bytes)
        __pipeline_memcpy_async(to + i, from + i, Bytes);
}
#endif
template <class Group> SW_CXX_ inline void copy(const Group &group, void *destination, const void *source, ::std::size_t bytes)
{
    char *to = (char *)destination;
    const char *from = (const char *)source;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    ::std::size_t common = (::std::size_t)to | (::std::size_t)from | bytes;
    if (common % 4 == 0 && __isShared(to) && __isGlobal(from)) {
        if (common % 16 == 0) copy_units<16>(group, to, from, bytes);
        else if (common % 8 == 0) copy_units<8>(group, to, from, bytes);
        else copy_units<4>(group, to, from, bytes);
        return;
    }
#endif
    for (::std::size_t i = group.thread_rank(); i < bytes; i += group.size()) to[i] = from[i];
}
SW_CXX_ inline void copies_done()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
} // namespace softwarp

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, unsigned char Stages> struct pipeline_shared_state {
    static_assert(Scope == thread_scope_block, "cuda::pipeline of softwarp cc: of a block or of a thread");
    barrier<Scope> softwarp_filled[Stages], softwarp_emptied[Stages];
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
};

template <thread_scope Scope> class pipeline {
    barrier<Scope> *filled, *emptied;
    unsigned stages, head, tail; /* stages begun and ended so far */

  public:
    SW_CXX_ pipeline(barrier<Scope> *f, barrier<Scope> *e, unsigned n) : filled(f), emptied(e), stages(n), head(0), tail(0) {}
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    SW_CXX_ void producer_acquire()
    {
        if (head >= stages) emptied[head % stages].wait_parity((head / stages - 1) & 1);
    }
    SW_CXX_ void producer_commit()
    {
        softwarp::copies_done();
        (void)filled[head++ % stages].arrive();
    }
    SW_CXX_ void consumer_wait() { filled[tail % stages].wait_parity(tail / stages & 1); }
    SW_CXX_ void consumer_release() { (void)emptied[tail++ % stages].arrive(); }
    SW_CXX_ bool quit() { return true; }
};

template <> class pipeline<thread_scope_thread> {
    unsigned head = 0, tail = 0;

  public:
    SW_CXX_ void producer_acquire() {}
    SW_CXX_ void producer_commit()
    {
#ifdef __CUDA_ARCH__
        __pipeline_commit();
#endif
        head++;
    }
    SW_CXX_ void softwarp_wait_prior(unsigned groups)
    {
#ifdef __CUDA_ARCH__
        if (groups > 3) groups = 3; /* to wait for more is right */
        __pipeline_wait_prior(groups);
#else
        (void)groups;
#endif
    }
    SW_CXX_ void consumer_wait() { softwarp_wait_prior(head - tail > 0 ? head - tail - 1 : 0); }
    SW_CXX_ void consumer_release() { tail++; }
    SW_CXX_ bool quit() { return true; }
};

SW_CXX_ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

namespace softwarp
{
template <class Group, thread_scope Scope, unsigned char Stages>
SW_CXX_ inline pipeline<Scope> start_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                                              unsigned producers, unsigned consumers)
{
    if (group.thread_rank() == 0)
        for (unsigned i = 0; i < Stages; i++) {
            init(&state->softwarp_filled[i], producers);
            init(&state->softwarp_emptied[i], consumers);
        }
    group.sync();
    return pipeline<Scope>(state->softwarp_filled, state->softwarp_emptied, Stages);
}
} // namespace softwarp
template <class Group, thread_scope Scope, unsigned char Stages>
SW_CXX_ inline pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state)
{
    return softwarp::start_pipeline(group, state, (unsigned)group.size(), (unsigned)group.size());
}
template <class Group, thread_scope Scope, unsigned char Stages>
SW_CXX_ inline pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                                             ::std::size_t producers)
{
    return softwarp::start_pipeline(group, state, (unsigned)producers, (unsigned)(group.size() - producers));
}
#ifdef __CUDA__
template <class Group, thread_scope Scope, unsigned char Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, pipeline_role role)
{
    unsigned producers = (unsigned)__syncthreads_count(role == pipeline_role::producer);
    return softwarp::start_pipeline(group, state, producers, (unsigned)group.size() - producers);
}
#endif

template <unsigned char Prior> SW_CXX_ inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &p)
{
    p.softwarp_wait_prior(Prior);
}
template <thread_scope Scope> SW_CXX_ inline void pipeline_producer_commit(pipeline<thread_scope_thread> &p, barrier<Scope> &)
{
    p.producer_commit();
    softwarp::copies_done();
}

/* Of a group, of a thread alone; bytes, objects, bytes of a promised alignment. */
template <class Group, class Shape, thread_scope Scope>
SW_CXX_ inline void memcpy_async(const Group &group, void *to, const void *from, Shape bytes, pipeline<Scope> &)
{
    softwarp::copy(group, to, from, (::std::size_t)bytes);
}
template <class Shape, thread_scope Scope>
SW_CXX_ inline void memcpy_async(void *to, const void *from, Shape bytes, pipeline<Scope> &)
{
    softwarp::copy(softwarp::single_thread(), to, from, (::std::size_t)bytes);
}
template <class Group, class Shape, thread_scope Scope, class Completion>
SW_CXX_ inline void memcpy_async(const Group &group, void *to, const void *from, Shape bytes, barrier<Scope, Completion> &)
{
    softwarp::copy(group, to, from, (::std::size_t)bytes);
    softwarp::copies_done();
}
template <class Shape, thread_scope Scope, class Completion>
SW_CXX_ inline void memcpy_async(void *to, const void *from, Shape bytes, barrier<Scope, Completion> &)
{
    softwarp::copy(softwarp::single_thread(), to, from, (::std::size_t)bytes);
    softwarp::copies_done();
}
} // namespace cuda
#endif

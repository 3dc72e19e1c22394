/* SPDX-License-Identifier: Apache-2.0 */
/* cuda::std is the host's std: clang lets device code call its constexpr functions, and gives the device's <complex>,
 * <algorithm> and <new> of its own. Limits: what is not constexpr (containers that allocate, streams, threads) stays with the
 * host; types are the host's, so cuda::std::tuple is std::tuple.
 * This folder comes after all others that are searched, so that the headers of CCCL, where -I names them, are taken. */
#ifndef SOFTWARP_CXX_STD_H
#define SOFTWARP_CXX_STD_H
#pragma clang system_header

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#ifdef __CUDA__
#define SW_CXX_ __host__ __device__
#else
#define SW_CXX_
#endif

namespace std
{
}
namespace cuda
{
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
namespace std
{
using namespace ::std;
} // namespace std
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
} // namespace cuda
#endif

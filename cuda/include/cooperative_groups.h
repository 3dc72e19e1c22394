/* SPDX-License-Identifier: Apache-2.0 */
/* Cooperative groups: thread_block, thread_block_tile, coalesced_group, grid_group, their partitions,
 * collectives and reductions. Method: a tile or a coalesced group is a lane mask of one warp; collectives are
 * shuffles and votes over that mask. grid_group::sync is a barrier in the workspace whose address a
 * cooperative launch puts into %envreg1 and %envreg2. Limits: tiles of more than 32 threads have sync, ranks
 * and reduce, and need block_tile_memory; no multi-device groups; memcpy_async copies before it returns. */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_
#if defined(__CUDA__) && defined(__cplusplus)
#pragma clang system_header

#include "cuda_runtime.h"

#define SW_G_ __device__ __inline__ __attribute__((always_inline, nodebug))

namespace cooperative_groups
{
typedef unsigned int thread_id_t;

namespace details
{
SW_G_ unsigned int lane()
{
    return __nvvm_read_ptx_sreg_laneid();
}
SW_G_ unsigned int lanes_below()
{
    return (1u << lane()) - 1u;
}
SW_G_ unsigned int rank_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
SW_G_ unsigned int threads_of_block()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
/* The lane of the n-th member of a mask. */
SW_G_ int nth_lane(unsigned int mask, unsigned int n)
{
    for (unsigned int i = 0; i < n; i++)
        mask &= mask - 1u;
    return __ffs((int)mask) - 1;
}

/* A value of any size moves between lanes in words of 32 bits. */
template <typename T> struct words {
    static constexpr int count = (sizeof(T) + 3) / 4;
    unsigned int at[count];
    SW_G_ words() = default;
    SW_G_ explicit words(const T &value)
    {
        at[count - 1] = 0;
        __builtin_memcpy(at, &value, sizeof(T));
    }
    SW_G_ T value() const
    {
        T result;
        __builtin_memcpy(&result, at, sizeof(T));
        return result;
    }
};
template <typename T> SW_G_ T from_lane(unsigned int mask, const T &value, int source)
{
    words<T> moved(value);
    for (int i = 0; i < words<T>::count; i++)
        moved.at[i] = __shfl_sync(mask, moved.at[i], source);
    return moved.value();
}

/* The barrier word that a cooperative launch supplies, 4 bytes into its workspace. */
SW_G_ volatile unsigned int *grid_barrier()
{
    unsigned int low, high;
    __asm__ __volatile__("mov.u32 %0, %%envreg2;" : "=r"(low));
    __asm__ __volatile__("mov.u32 %0, %%envreg1;" : "=r"(high));
    unsigned long long base = (unsigned long long)high << 32 | low;
    return base ? (volatile unsigned int *)(base + 4) : nullptr;
}
/* Every block adds so much that the sum of a round is 2^31: the top bit flips when the last one arrives. */
SW_G_ unsigned int grid_arrive()
{
    volatile unsigned int *word = grid_barrier();
    unsigned int before = 0;
    if (!word) __trap(); /* not launched with cudaLaunchCooperativeKernel */
    __syncthreads();
    if (rank_in_block() == 0) {
        unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
        bool first = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
        __threadfence();
        before = atomicAdd((unsigned int *)word, first ? 0x80000000u - (blocks - 1u) : 1u);
    }
    return before;
}
/* before: what the block's first thread got from grid_arrive. */
SW_G_ void grid_wait(unsigned int before)
{
    volatile unsigned int *word = grid_barrier();
    if (rank_in_block() == 0) {
        while (((*word ^ before) & 0x80000000u) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
}
SW_G_ void grid_sync()
{
    grid_wait(grid_arrive());
}
} // namespace details

/* Any group: what kind it is, and for parts of a warp which lanes. */
class thread_group
{
  public:
    enum kind_t { block, grid, lanes };
    SW_G_ void sync() const
    {
        if (kind == block)
            __syncthreads();
        else if (kind == grid)
            details::grid_sync();
        else
            __syncwarp(mask);
    }
    SW_G_ unsigned long long size() const
    {
        return count;
    }
    SW_G_ unsigned long long num_threads() const
    {
        return count;
    }
    SW_G_ unsigned long long thread_rank() const
    {
        return rank;
    }
    SW_G_ bool is_valid() const
    {
        return true;
    }
    SW_G_ unsigned int softwarp_mask() const
    {
        return mask;
    }
    SW_G_ kind_t softwarp_kind() const
    {
        return kind;
    }

  protected:
    SW_G_ thread_group(kind_t k, unsigned int m, unsigned long long n, unsigned long long r)
        : kind(k), mask(m), count(n), rank(r)
    {
    }
    kind_t kind;
    unsigned int mask;
    unsigned long long count, rank;
};

/* Shared memory for tiles of several warps: one slot a warp. */
template <unsigned int MaxThreads = 1024> struct block_tile_memory {
    unsigned long long slot[(MaxThreads + 31) / 32];
};

/* Of a block's barrier in two halves: the second is the whole barrier, so that the first needs nothing. */
struct softwarp_arrival {
};

class thread_block
{
  public:
    typedef softwarp_arrival arrival_token;
    unsigned long long *softwarp_slots = nullptr;
    SW_G_ static arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    SW_G_ static void barrier_wait(arrival_token &&)
    {
        __syncthreads();
    }
    SW_G_ static void sync()
    {
        __syncthreads();
    }
    SW_G_ static unsigned int size()
    {
        return details::threads_of_block();
    }
    SW_G_ static unsigned int num_threads()
    {
        return details::threads_of_block();
    }
    SW_G_ static unsigned int thread_rank()
    {
        return details::rank_in_block();
    }
    SW_G_ static dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    SW_G_ static dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    SW_G_ static dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    SW_G_ static dim3 dim_threads()
    {
        return group_dim();
    }
    SW_G_ operator thread_group() const
    {
        struct made : thread_group {
            SW_G_ made() : thread_group(block, ~0u, details::threads_of_block(), details::rank_in_block()) {}
        };
        return made();
    }
};
SW_G_ thread_block this_thread_block()
{
    return thread_block();
}

template <unsigned int MaxThreads> SW_G_ thread_block this_thread_block(block_tile_memory<MaxThreads> &memory)
{
    thread_block block;
    block.softwarp_slots = memory.slot;
    return block;
}

class grid_group
{
  public:
    typedef unsigned int arrival_token;
    SW_G_ static arrival_token barrier_arrive()
    {
        return details::grid_arrive();
    }
    SW_G_ static void barrier_wait(arrival_token &&token)
    {
        details::grid_wait(token);
    }
    SW_G_ static bool is_valid()
    {
        return details::grid_barrier() != nullptr;
    }
    SW_G_ static void sync()
    {
        details::grid_sync();
    }
    SW_G_ static dim3 group_dim()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    SW_G_ static dim3 dim_blocks()
    {
        return group_dim();
    }
    SW_G_ static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    SW_G_ static dim3 block_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    SW_G_ static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    SW_G_ static unsigned long long size()
    {
        return num_blocks() * details::threads_of_block();
    }
    SW_G_ static unsigned long long num_threads()
    {
        return size();
    }
    SW_G_ static unsigned long long thread_rank()
    {
        return block_rank() * details::threads_of_block() + details::rank_in_block();
    }
    SW_G_ operator thread_group() const
    {
        struct made : thread_group {
            SW_G_ made() : thread_group(grid, ~0u, grid_group::size(), grid_group::thread_rank()) {}
        };
        return made();
    }
};
SW_G_ grid_group this_grid()
{
    return grid_group();
}

/* Some lanes of one warp, in the order of their numbers. */
class coalesced_group : public thread_group
{
  public:
    SW_G_ explicit coalesced_group(unsigned int m, unsigned int meta_r = 0, unsigned int meta_n = 1)
        : thread_group(lanes, m, (unsigned int)__popc(m), (unsigned int)__popc(m & details::lanes_below())),
          meta_rank(meta_r), meta_size(meta_n)
    {
    }
    SW_G_ unsigned int size() const
    {
        return (unsigned int)count;
    }
    SW_G_ unsigned int num_threads() const
    {
        return (unsigned int)count;
    }
    SW_G_ unsigned int thread_rank() const
    {
        return (unsigned int)rank;
    }
    SW_G_ unsigned int meta_group_rank() const
    {
        return meta_rank;
    }
    SW_G_ unsigned int meta_group_size() const
    {
        return meta_size;
    }
    SW_G_ void sync() const
    {
        __syncwarp(mask);
    }
    template <typename T> SW_G_ T shfl(T value, unsigned int source) const
    {
        return details::from_lane(mask, value, details::nth_lane(mask, source % size()));
    }
    template <typename T> SW_G_ T shfl_up(T value, unsigned int delta) const
    {
        unsigned int own = thread_rank();
        return details::from_lane(mask, value, details::nth_lane(mask, delta > own ? own : own - delta));
    }
    template <typename T> SW_G_ T shfl_down(T value, unsigned int delta) const
    {
        unsigned int own = thread_rank();
        return details::from_lane(mask, value,
                                  details::nth_lane(mask, own + delta < size() ? own + delta : own));
    }
    SW_G_ int any(int predicate) const
    {
        return __any_sync(mask, predicate);
    }
    SW_G_ int all(int predicate) const
    {
        return __all_sync(mask, predicate);
    }
    SW_G_ unsigned int ballot(int predicate) const
    {
        return packed(__ballot_sync(mask, predicate));
    }
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
    template <typename T> SW_G_ unsigned int match_any(T value) const
    {
        return packed(__match_any_sync(mask, value));
    }
    template <typename T> SW_G_ unsigned int match_all(T value, int &equal) const
    {
        return packed(__match_all_sync(mask, value, &equal));
    }
#endif

  private:
    /* Lanes to ranks. */
    SW_G_ unsigned int packed(unsigned int lanes_set) const
    {
        unsigned int result = 0, place = 0;
        for (unsigned int rest = mask; rest; rest &= rest - 1u, place++)
            result |= (lanes_set >> (__ffs((int)rest) - 1) & 1u) << place;
        return result;
    }
    unsigned int meta_rank, meta_size;
};
SW_G_ coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

template <unsigned int Size, typename Parent = void, bool OneWarp = (Size <= 32)> class thread_block_tile;
namespace details
{
/* What a tile was cut from: the thread's number in it, and its threads. */
template <typename Parent> struct whole {
    SW_G_ static unsigned int rank()
    {
        return rank_in_block();
    }
    SW_G_ static unsigned int size()
    {
        return threads_of_block();
    }
};
template <unsigned int Size, typename Parent, bool OneWarp>
struct whole<thread_block_tile<Size, Parent, OneWarp>> {
    SW_G_ static unsigned int rank()
    {
        return rank_in_block() & (Size - 1);
    }
    SW_G_ static unsigned int size()
    {
        return Size;
    }
};
} // namespace details

/* Size consecutive lanes of a warp; Size: a power of two up to 32. */
template <unsigned int Size, typename Parent, bool OneWarp> class thread_block_tile : public thread_group
{
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "a tile's size is a power of two");

  public:
    SW_G_ thread_block_tile() : thread_group(lanes, tile_mask(), Size, details::lane() & (Size - 1)) {}
    /* A tile is its lanes, whatever it was made from. */
    template <typename Other>
    SW_G_ thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile()
    {
    }
    SW_G_ static constexpr unsigned int size()
    {
        return Size;
    }
    SW_G_ static constexpr unsigned int num_threads()
    {
        return Size;
    }
    SW_G_ static unsigned int thread_rank()
    {
        return details::lane() & (Size - 1);
    }
    SW_G_ static unsigned int meta_group_rank()
    {
        return details::whole<Parent>::rank() / Size;
    }
    SW_G_ static unsigned int meta_group_size()
    {
        return (details::whole<Parent>::size() + Size - 1) / Size;
    }
    SW_G_ static void sync()
    {
        __syncwarp(tile_mask());
    }
    template <typename T> SW_G_ T shfl(T value, int source) const
    {
        return move(value, source, idx());
    }
    template <typename T> SW_G_ T shfl_up(T value, unsigned int delta) const
    {
        return move(value, delta, up());
    }
    template <typename T> SW_G_ T shfl_down(T value, unsigned int delta) const
    {
        return move(value, delta, down());
    }
    template <typename T> SW_G_ T shfl_xor(T value, unsigned int lanes_) const
    {
        return move(value, lanes_, bfly());
    }
    SW_G_ int any(int predicate) const
    {
        return (__ballot_sync(tile_mask(), predicate) & tile_mask()) != 0;
    }
    SW_G_ int all(int predicate) const
    {
        return (__ballot_sync(tile_mask(), predicate) & tile_mask()) == tile_mask();
    }
    SW_G_ unsigned int ballot(int predicate) const
    {
        return local(__ballot_sync(tile_mask(), predicate));
    }
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
    template <typename T> SW_G_ unsigned int match_any(T value) const
    {
        return local(__match_any_sync(tile_mask(), value));
    }
    template <typename T> SW_G_ unsigned int match_all(T value, int &equal) const
    {
        return local(__match_all_sync(tile_mask(), value, &equal));
    }
#endif
    SW_G_ static unsigned int tile_mask()
    {
        return Size == 32 ? ~0u : ((1u << (Size & 31)) - 1u) << (details::lane() & ~(Size - 1));
    }

  private:
    struct idx {
    };
    struct up {
    };
    struct down {
    };
    struct bfly {
    };
    SW_G_ static unsigned int word(unsigned int v, unsigned int n, idx)
    {
        return __shfl_sync(tile_mask(), v, (int)n, Size);
    }
    SW_G_ static unsigned int word(unsigned int v, unsigned int n, up)
    {
        return __shfl_up_sync(tile_mask(), v, n, Size);
    }
    SW_G_ static unsigned int word(unsigned int v, unsigned int n, down)
    {
        return __shfl_down_sync(tile_mask(), v, n, Size);
    }
    SW_G_ static unsigned int word(unsigned int v, unsigned int n, bfly)
    {
        return __shfl_xor_sync(tile_mask(), v, (int)n, Size);
    }
    template <typename T, typename How> SW_G_ static T move(const T &value, unsigned int n, How how)
    {
        details::words<T> moved(value);
        for (int i = 0; i < details::words<T>::count; i++)
            moved.at[i] = word(moved.at[i], n, how);
        return moved.value();
    }
    SW_G_ static unsigned int local(unsigned int lanes_set)
    {
        return (lanes_set & tile_mask()) >> (details::lane() & ~(Size - 1));
    }
};

/* Several whole warps: they meet at a named barrier, one a tile, and exchange through shared memory. */
template <unsigned int Size, typename Parent> class thread_block_tile<Size, Parent, false>
{
    static_assert((Size & (Size - 1)) == 0 && Size <= 1024, "a tile's size is a power of two up to 1024");

  public:
    SW_G_ explicit thread_block_tile(unsigned long long *memory) : slots(memory)
    {
        if (!slots || meta_group_rank() > 14)
            __trap(); /* this_thread_block(block_tile_memory); 15 barriers */
    }
    SW_G_ static constexpr unsigned int size()
    {
        return Size;
    }
    SW_G_ static constexpr unsigned int num_threads()
    {
        return Size;
    }
    SW_G_ static unsigned int thread_rank()
    {
        return details::rank_in_block() & (Size - 1);
    }
    SW_G_ static unsigned int meta_group_rank()
    {
        return details::rank_in_block() / Size;
    }
    SW_G_ static unsigned int meta_group_size()
    {
        return (details::threads_of_block() + Size - 1) / Size;
    }
    SW_G_ static void sync()
    {
        __nvvm_barrier_sync_cnt(1 + meta_group_rank(), Size);
    }
    /* The value of one member. */
    template <typename T> SW_G_ T shfl(T value, unsigned int source) const
    {
        static_assert(sizeof(T) <= sizeof *slots, "values of up to 8 bytes");
        unsigned long long *slot = &slots[meta_group_rank() * (Size / 32)];
        if (thread_rank() == source) __builtin_memcpy(slot, &value, sizeof value);
        sync();
        __builtin_memcpy(&value, slot, sizeof value);
        sync();
        return value;
    }
    SW_G_ int any(int predicate) const
    {
        return softwarp_reduce(predicate != 0, [](int a, int b) { return a | b; });
    }
    SW_G_ int all(int predicate) const
    {
        return softwarp_reduce(predicate != 0, [](int a, int b) { return a & b; });
    }
    /* Combine one value a thread; every member gets the result. */
    template <typename T, typename Op> SW_G_ T softwarp_reduce(T value, Op op) const
    {
        static_assert(sizeof(T) <= sizeof *slots, "values of up to 8 bytes");
        for (int step = 16; step > 0; step /= 2)
            value = op(value, details::from_lane(~0u, value, (int)(details::lane() ^ (unsigned int)step)));
        unsigned int first = meta_group_rank() * (Size / 32);
        if (details::lane() == 0)
            __builtin_memcpy(&slots[details::rank_in_block() / 32], &value, sizeof value);
        sync();
        __builtin_memcpy(&value, &slots[first], sizeof value);
        for (unsigned int i = 1; i < Size / 32; i++) {
            T other;
            __builtin_memcpy(&other, &slots[first + i], sizeof other);
            value = op(value, other);
        }
        sync();
        return value;
    }

  private:
    unsigned long long *slots;
};
template <unsigned int Size, typename Parent, typename T, typename Op>
SW_G_ T reduce(const thread_block_tile<Size, Parent, false> &group, T value, Op op)
{
    return group.softwarp_reduce(value, op);
}

/* Partitions. */
template <unsigned int Size, typename Parent>
SW_G_ thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
    if constexpr (Size > 32)
        return thread_block_tile<Size, Parent>(parent.softwarp_slots);
    else
        return thread_block_tile<Size, Parent>();
}
SW_G_ thread_group tiled_partition(const thread_group &parent, unsigned int size)
{
    if (parent.softwarp_kind() == thread_group::block) {
        unsigned int base = details::lane() & ~(size - 1);
        return coalesced_group(size >= 32 ? ~0u : ((1u << size) - 1u) << base);
    }
    unsigned int first = (unsigned int)parent.thread_rank() / size * size, mask = 0;
    for (unsigned int i = first; i < first + size && i < parent.size(); i++)
        mask |= 1u << details::nth_lane(parent.softwarp_mask(), i);
    return coalesced_group(mask);
}
template <typename Group> SW_G_ coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned int mask = group.softwarp_mask(), set = __ballot_sync(mask, predicate) & mask;
    return coalesced_group(predicate ? set : mask & ~set, predicate, 2);
}
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
template <typename Group, typename Label>
SW_G_ coalesced_group labeled_partition(const Group &group, Label label)
{
    return coalesced_group(__match_any_sync(group.softwarp_mask(), label));
}
#endif

/* Free functions over any group. */
template <typename Group> SW_G_ void sync(const Group &group)
{
    group.sync();
}
template <typename Group> SW_G_ unsigned long long thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <typename Group> SW_G_ unsigned long long group_size(const Group &group)
{
    return group.size();
}

template <typename T = void> struct plus {
    SW_G_ T operator()(const T &a, const T &b) const
    {
        return a + b;
    }
};
template <typename T = void> struct less {
    SW_G_ T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};
template <typename T = void> struct greater {
    SW_G_ T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};
template <typename T = void> struct bit_and {
    SW_G_ T operator()(const T &a, const T &b) const
    {
        return a & b;
    }
};
template <typename T = void> struct bit_or {
    SW_G_ T operator()(const T &a, const T &b) const
    {
        return a | b;
    }
};
template <typename T = void> struct bit_xor {
    SW_G_ T operator()(const T &a, const T &b) const
    {
        return a ^ b;
    }
};

/* Every member gets the combination of all values. */
template <unsigned int Size, typename Parent, typename T, typename Op>
SW_G_ T reduce(const thread_block_tile<Size, Parent, true> &group, T value, Op op)
{
    for (unsigned int step = Size / 2; step > 0; step /= 2)
        value = op(value, group.shfl_xor(value, step));
    return value;
}
template <typename T, typename Op> SW_G_ T reduce(const coalesced_group &group, T value, Op op)
{
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        T other = group.shfl_down(value, step);
        if (group.thread_rank() + step < group.size()) value = op(value, other);
    }
    return group.shfl(value, 0);
}
template <typename Group, typename T, typename Op> SW_G_ T inclusive_scan(const Group &group, T value, Op op)
{
    for (unsigned int step = 1; step < group.size(); step *= 2) {
        T other = group.shfl_up(value, step);
        if (group.thread_rank() >= step) value = op(other, value);
    }
    return value;
}
template <typename Group, typename T> SW_G_ T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <typename Group, typename T, typename Op> SW_G_ T exclusive_scan(const Group &group, T value, Op op)
{
    T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() ? before : T();
}
template <typename Group, typename T> SW_G_ T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

template <typename Group, typename Function> SW_G_ void invoke_one(const Group &group, Function function)
{
    if (group.thread_rank() == 0) function();
}

template <typename Group, typename Function>
SW_G_ auto invoke_one_broadcast(const Group &group, Function function) -> decltype(function())
{
    decltype(function()) value{};
    if (group.thread_rank() == 0) value = function();
    return group.shfl(value, 0);
}

/* Copies by all members; complete for all of them after wait(). */
template <typename Group, typename T>
SW_G_ void memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    const size_t words = bytes / 4, rest = bytes % 4;
    for (size_t i = group.thread_rank(); i < words; i += group.size())
        __builtin_memcpy((char *)to + 4 * i, (const char *)from + 4 * i, 4);
    if (group.thread_rank() < rest)
        ((char *)to)[4 * words + group.thread_rank()] = ((const char *)from)[4 * words + group.thread_rank()];
}
template <typename Group> SW_G_ void wait(const Group &group)
{
    group.sync();
}
template <unsigned int Stages, typename Group> SW_G_ void wait_prior(const Group &group)
{
    group.sync();
}
} // namespace cooperative_groups

#undef SW_G_
#endif
#endif

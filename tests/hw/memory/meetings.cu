// SPDX-License-Identifier: Apache-2.0
// Which reads of several multiprocessors become one on their way to L2, recorded on real GPUs: meetings.def has the launches. One warp a
// multiprocessor; those that take part are named by where they stand: number = row * 16 + column for numbers below 64. All begin at one
// time of %globaltimer, and read in slots of 3000 cycles a place that was not read before, each `late` cycles after the one before it.
// n: slots   p: rows | late << 8   q: columns | 1 << 16 when the first of them reads all before, so that L2 has it
// meet_stores: does a store of a sector join one of its line that has not left yet? n: slots   p: stores to other lines between the two | cycles
// between << 8   q: 1 when the second is to the same sector | multiprocessors that do so << 8
// meetings.ptx beside this file is this file compiled by nvcc (see record.sh).
typedef unsigned int u32;
typedef unsigned long long u64;
#define KERNEL extern "C" __global__ void
#define ARGS const float *__restrict__ in, float *out, const int *__restrict__ index, int n, int p, int q
#define ONCE _Pragma("unroll 1")

__constant__ float table[16384];

__device__ __forceinline__ u64 nanoseconds()
{
    u64 t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
__device__ __forceinline__ float load(const float *a)
{
    float v;
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(a) : "memory");
    return v;
}
__device__ __forceinline__ float load4(const float *a)
{
    float x, y, z, w;
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(a) : "memory");
    return x + y + z + w;
}
enum { WHOLE, ONE, TWO, WIDE, OVER, APART, LINES, SLOT_WORDS = 2048, SLOT_CYCLES = 3000 };

// What a lane reads in a slot: SLOT_WORDS words each, of which lines in turn are used.
template <int HOW> __device__ __forceinline__ const float *place(const float *in, int slot, int rank)
{
    const float *at = in + (size_t)slot * SLOT_WORDS + slot % 16 * 32;
    int lane = threadIdx.x;
    switch (HOW) {
    case WHOLE: return at + lane;                              // a line
    case ONE: return at;                                       // a sector
    case TWO: return at + lane % 16;                           // half a line
    case WIDE: return at + lane * 4;                           // four lines, 16 bytes a lane
    case OVER: return at + (lane % 16 + rank * 8) % 32;        // two sectors of four, each reader another pair
    case APART: return at + (lane % 8 + rank * 8) % 32;        // one sector, each reader another
    default: return at + lane * 32;                            // a sector of each of 32 lines
    }
}
template <int HOW> __device__ __forceinline__ float read_once(const float *in, int slot, int rank)
{
    const float *at = place<HOW>(in, slot, rank);
    return HOW == WIDE ? load4(at) : load(at);
}
template <int HOW> __device__ __forceinline__ void meet(ARGS)
{
    u32 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    int row = sm / 16, column = sm % 16, rows = p & 15, columns = q & 65535, late = p >> 8;
    if (sm >= 64 || !(rows >> row & 1) || !(columns >> column & 1)) return;
    int rank = __popc(rows & ((1 << row) - 1)) * __popc(columns) + __popc(columns & ((1 << column) - 1));
    float v = 0;
    u64 begin = (nanoseconds() >> 20) + 2 << 20;
    if (q >> 16 & 1 && rank == 0)
        ONCE for (int slot = 0; slot < n; slot++) v += read_once<HOW>(in, slot, rank);
    while (nanoseconds() < begin) { }
    long long start = clock64() + 1000 + (long long)rank * late;
    ONCE for (int slot = 0; slot < n; slot++) {
        while (clock64() - start < (long long)slot * SLOT_CYCLES) { }
        v += read_once<HOW>(in, slot + (v < 0), rank);
    }
    out[sm * 32 + threadIdx.x] = v;
}
KERNEL meet_whole(ARGS) { meet<WHOLE>(in, out, index, n, p, q); }
KERNEL meet_one(ARGS) { meet<ONE>(in, out, index, n, p, q); }
KERNEL meet_two(ARGS) { meet<TWO>(in, out, index, n, p, q); }
KERNEL meet_wide(ARGS) { meet<WIDE>(in, out, index, n, p, q); }
KERNEL meet_over(ARGS) { meet<OVER>(in, out, index, n, p, q); }
KERNEL meet_apart(ARGS) { meet<APART>(in, out, index, n, p, q); }
KERNEL meet_lines(ARGS) { meet<LINES>(in, out, index, n, p, q); }
KERNEL meet_stores(ARGS)
{
    u32 sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    int between = p & 255, late = p >> 8, again = q & 1 ? 0 : 8;
    if ((int)sm >= q >> 8 || threadIdx.x >= 8) return;
    long long start = clock64();
    float *own = out + (size_t)sm * 65536 + threadIdx.x;
    ONCE for (int slot = 0; slot < n; slot++) {
        float *at = own + slot % 32 * 2048;
        while (clock64() - start < (long long)slot * SLOT_CYCLES) { }
        at[0] = slot;
        ONCE for (int k = 1; k <= between; k++) at[k * 32] = slot;
        if (late) {
            long long now = clock64();
            while (clock64() - now < late) { }
        }
        asm volatile("st.global.f32 [%0], %1;" : : "l"(at + again), "f"((float)slot) : "memory");
    }
}

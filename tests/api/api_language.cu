/* SPDX-License-Identifier: Apache-2.0 */
/* What device code may say and do beside arithmetic: printf, the heap, faults, functions, variables. Prints
 * answers, which api_language.h200.txt has from a real GPU. One part a process: api_language PART. */
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <cuda_runtime.h>

static const char *name(cudaError_t error)
{
    return cudaGetErrorName(error);
}

#define SHOW(call) std::printf("%s: %s\n", #call, name(call))
static void sync(const char *what)
{
    std::printf("%s: %s\n", what, name(cudaDeviceSynchronize()));
}

/* ---- printf */

__device__ const char device_text[] = "device text";

__global__ void conversions()
{
    printf("%d %i %u %o %x %X %#o %#x %#X\n", -5, 7, 4000000000u, 8, 255, 255, 8, 255, 255);
    printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d|] [%+5d]\n", 42, 42, 42, 42, 42, 7, 7, 7,
           7);
    printf("[%*d] [%-*d] [%.*f] [%*.*f]\n", 6, 42, 6, 42, 2, 3.14159, 8, 3, 2.71828);
    printf("%ld %lu %lld %llu %llx %zu\n", -1L, ~0UL, -1LL, ~0ULL, 0x123456789abcdefLL, (size_t)12345678901);
    printf("%hd %hu %hhd %hhu\n", (short)-3, (unsigned short)65535, (signed char)-2, (unsigned char)200);
    printf("%f %.0f %.10f %e %.3e %E %g %G %g %g\n", 1.5, 2.5, 1.0 / 3, 12345.678, 12345.678, 1e-5, 1e-5,
           1e10, 1e5, 1234567.0);
    printf("%a %A %.2a\n", 1.0, 0.1, 3.14159);
    printf("%f %F %e %g %f\n", 1.0 / 0.0, -1.0 / 0.0, 1.0 / 0.0, 0.0 / 0.0 < 0 ? 1.0 : 2.0, -0.0);
    printf("%10.3f|%-10.3f|%+.2f|% .2f|%010.2f|%#.0f\n", 3.14159, 3.14159, 3.14159, 3.14159, -3.14159, 3.0);
    printf("%c%c%c [%5c] [%-5c]\n", 'a', 'b', 'c', 'd', 'e');
    printf("%s [%15s] [%-15s] [%.3s] [%10.3s] %s\n", device_text, device_text, device_text, device_text,
           device_text, "literal");
    printf("100%% %d%%\n", 50);
    printf("%p %p\n", (void *)0x1234abcd, (void *)0xfedcba9876543210);
    printf("%f %f\n", 1.5f, (double)2.5f);
    printf(
        "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n",
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
        29, 30, 31, 32);
    printf("no newline");
    printf("\n");
    printf("%5%|%-5%|\n");
    printf("%d %s %f %c %lld\n", 1, "two", 3.0, '4', 5LL);
}

__global__ void returned(int *out)
{
    out[0] = printf("%d %d\n", 1, 2);
    out[1] = printf("plain\n");
    out[2] = printf("%s%d%f\n", "x", 1, 1.0);
}

__global__ void odd_formats()
{
    printf("[%s]\n", (const char *)nullptr);
    printf("[%p]\n", (void *)nullptr);
    printf("[%k] %d\n", 5);
    printf("[%] %d\n", 6);
    printf("[%n]\n", 7);
    printf("ends in %");
    printf("\n");
    printf("[%ls]\n", "wide");
    printf("[%lf] [%Lf]\n", 1.5, 2.5);
    printf("[%jd] [%td] [%zd]\n", 1LL, 2LL, 3LL);
    printf("[%'d]\n", 1234567);
    printf("[%#e] [%+e] [% g]\n", 1.0, 1.0, 1.0);
    printf("[%.50f]\n", 0.1);
    printf("[%200d]\n", 1);
    printf("%s\n", "");
}

__global__ void from_lanes()
{
    if (threadIdx.x % 2) printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}

__global__ void flood(int lines)
{
    for (int i = 0; i < lines; i++)
        printf("line %d of the flood, which is longer than the buffer that was asked for\n", i);
}

static void part_printf()
{
    conversions<<<1, 1>>>();
    sync("conversions");
    int *out;
    cudaMallocManaged(&out, 64);
    returned<<<1, 1>>>(out);
    sync("returned");
    std::printf("returns %d %d %d\n", out[0], out[1], out[2]);
    from_lanes<<<1, 8>>>();
    sync("from lanes");
}

static void part_odd_formats()
{
    odd_formats<<<1, 1>>>();
    sync("odd formats");
}

/* The last lines survive; how many differs, so the last one is asked for. */
static void part_flood()
{
    SHOW(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 65536));
    size_t limit;
    SHOW(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
    std::printf("now %zu\n", limit);
    flood<<<1, 1>>>(5);
    sync("small flood");
}

/* Much more than the buffer holds; what is left of it is a matter of taste, so it is not among the parts that are compared. */
static void part_large_flood()
{
    flood<<<1, 1>>>(200000);
    sync("large flood");
}

/* ---- the heap */

__global__ void heap(unsigned long long *out)
{
    char *a = static_cast<char *>(malloc(100)), *b = static_cast<char *>(malloc(1));
    out[0] = a != nullptr && b != nullptr;
    out[1] = reinterpret_cast<size_t>(a) % 16 + reinterpret_cast<size_t>(b) % 16;
    memset(a, 7, 100);
    out[2] = a[99];
    free(a);
    free(b);
    free(nullptr);
    out[3] = malloc(3ull << 30) == nullptr;
    out[4] = malloc(1ull << 40) == nullptr;
    out[5] = malloc(~0ull) == nullptr;
    int *c = new int(5);
    double *d = new double[10];
    out[6] = static_cast<unsigned long long>(*c);
    delete c;
    delete[] d;
    out[7] = malloc(16 << 20) == nullptr; /* more than the heap has */
    out[8] = new char[3ull << 30] == nullptr;
    void *e = __nv_aligned_device_malloc(100, 256);
    out[9] = e != nullptr && reinterpret_cast<size_t>(e) % 256 == 0;
    free(e);
    out[10] = malloc(0) == nullptr;
    out[11] = __nv_aligned_device_malloc(100, 24) == nullptr; /* no power of two */
    out[12] = __isGlobal(malloc(1));
}

__device__ int destroyed_count;
struct counted {
    __device__ counted()
    {
        value = 3;
    }
    __device__ virtual ~counted()
    {
        atomicAdd(&destroyed_count, value);
    }
    int value;
};
struct derived : counted {
    __device__ ~derived() override
    {
        atomicAdd(&destroyed_count, 100);
    }
};

__device__ void *kept[64];
__global__ void keep()
{
    int *p = static_cast<int *>(malloc(1000));
    kept[threadIdx.x] = p;
    for (int i = 0; i < 250; i++)
        p[i] = static_cast<int>(threadIdx.x) * 1000 + i;
}
__global__ void let_go(unsigned long long *sum)
{
    int *p = static_cast<int *>(kept[threadIdx.x]);
    unsigned long long mine = 0;
    for (int i = 0; i < 250; i++)
        mine += static_cast<unsigned>(p[i]);
    atomicAdd(sum, mine);
    free(p);
}
__global__ void objects()
{
    counted *c = new derived[2];
    delete[] static_cast<derived *>(c);
    counted *d = new derived;
    delete d;
}
__global__ void exhaust(unsigned long long *count)
{
    while (malloc(1 << 20))
        ++*count;
}
__global__ void placed(unsigned long long *out)
{
    alignas(16) char room[64];
    counted *c = new (room) counted;
    out[0] = static_cast<unsigned long long>(c->value);
    c->~counted();
}

static void part_heap()
{
    unsigned long long *out;
    cudaMallocManaged(&out, 4096);
    size_t limit;
    SHOW(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    std::printf("heap of %zu\n", limit);
    heap<<<1, 1>>>(out);
    sync("heap");
    for (int i = 0; i < 13; i++)
        std::printf("heap %d: %llu\n", i, out[i]);
    out[0] = 0;
    keep<<<1, 64>>>();
    let_go<<<1, 64>>>(out);
    sync("freed by another kernel");
    std::printf("sum %llu\n", out[0]);
    objects<<<1, 1>>>();
    int destroyed;
    SHOW(cudaMemcpyFromSymbol(&destroyed, destroyed_count, sizeof destroyed));
    std::printf("destroyed %d\n", destroyed);
    placed<<<1, 1>>>(out);
    sync("placed");
    std::printf("placed %llu\n", out[0]);
    std::printf("set after use: %s\n", name(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20)));
}

static void part_heap_limit()
{
    unsigned long long *out;
    cudaMallocManaged(&out, 4096);
    SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
    out[0] = 0;
    exhaust<<<1, 1>>>(out);
    sync("exhaust");
    std::printf("more than 55: %d, at most 64: %d\n", out[0] > 55, out[0] <= 64);
    size_t limit;
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    std::printf("heap of %zu\n", limit);
}

/* ---- faults: one a process */

__global__ void traps()
{
    __trap();
}
__global__ void asserts(int *p)
{
    assert(p == nullptr && "a message");
}
__global__ void breaks()
{
    __brkpt();
}
__global__ void triggers()
{
    __prof_trigger(1);
    __prof_trigger(7);
}
__global__ void misaligned(char *p)
{
    *reinterpret_cast<int *>(p + 1) = 1;
}
__global__ void null_store(int *p)
{
    *p = 1;
}
__device__ int deep(int n)
{
    volatile int room[64];
    room[n & 63] = n;
    return n == 0 ? 0 : deep(n - 1) + room[n & 63] - n + 1;
}
__global__ void recursion(int n, int *out)
{
    *out = deep(n);
}
typedef int (*function)(int);
__global__ void bad_call(function f, int *out)
{
    *out = f(1);
}
__global__ void double_free()
{
    void *p = malloc(100);
    free(p);
    free(p);
}
__global__ void bad_free(int *p)
{
    free(p);
}
__global__ void shared_far()
{
    extern __shared__ int far_shared[];
    far_shared[1 << 22] = 1;
}

static void after()
{
    std::printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
    void *p;
    SHOW(cudaMalloc(&p, 4));
}

#define FAULT(part, launch)                                                                                  \
    static void part_##part()                                                                                \
    {                                                                                                        \
        int *p;                                                                                              \
        cudaMallocManaged(&p, 4096);                                                                         \
        launch;                                                                                              \
        std::printf("launch: %s\n", name(cudaGetLastError()));                                               \
        sync(#part);                                                                                         \
        after();                                                                                             \
    }
FAULT(trap, (traps<<<1, 1>>>()))
FAULT(assert, (asserts<<<2, 2>>>(p)))
FAULT(breakpoint, (breaks<<<1, 1>>>()))
FAULT(trigger, (triggers<<<1, 1>>>()))
FAULT(misaligned, (misaligned<<<1, 1>>>(reinterpret_cast<char *>(p))))
FAULT(null_store, (null_store<<<1, 1>>>(nullptr)))
FAULT(overflow, (recursion<<<1, 1>>>(10000000, p)))
FAULT(bad_call, (bad_call<<<1, 1>>>(nullptr, p)))
FAULT(shared_far, (shared_far<<<1, 1>>>()))

/* Freeing what is not to be freed: what happens is not CUDA's promise; the fault code is asked for all the
 * same. */
FAULT(double_free, (double_free<<<1, 1>>>()))
FAULT(bad_free, (bad_free<<<1, 1>>>(p)))

static void part_stack()
{
    int *out;
    cudaMallocManaged(&out, 64);
    size_t limit;
    SHOW(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    std::printf("stack of %zu\n", limit);
    recursion<<<1, 1>>>(2, out);
    sync("shallow");
    std::printf("deep %d\n", *out);
    SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 128 << 10));
    cudaDeviceGetLimit(&limit, cudaLimitStackSize);
    std::printf("stack of %zu\n", limit);
    recursion<<<1, 32>>>(200, out);
    sync("deeper");
    std::printf("deep %d\n", *out);
    SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 30));
}

/* ---- functions */

__device__ int twice(int x)
{
    return 2 * x;
}
__device__ int square(int x)
{
    return x * x;
}
__device__ int negate(int x)
{
    return -x;
}
__device__ function table[] = {twice, square, negate};
__constant__ function constant_table[] = {negate, square, twice};
__device__ function chosen = square;

struct shape {
    __device__ virtual float area() const = 0;
    __device__ virtual const char *kind() const
    {
        return "shape";
    }
    __device__ virtual ~shape() {}
};
struct box final : shape {
    float a, b;
    __device__ box(float x, float y) : a(x), b(y) {}
    __device__ float area() const override
    {
        return a * b;
    }
    __device__ const char *kind() const override
    {
        return "box";
    }
};
struct disc final : shape {
    float r;
    __device__ explicit disc(float x) : r(x) {}
    __device__ float area() const override
    {
        return 3.0f * r * r;
    }
};

__device__ int ackermann(int m, int n)
{
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ bool odd(unsigned n);
__device__ bool even(unsigned n)
{
    return n == 0 || odd(n - 1);
}
__device__ bool odd(unsigned n)
{
    return n != 0 && even(n - 1);
}

template <typename F> __device__ int apply(F f, int x)
{
    return f(x);
}

__device__ int counter_of_calls()
{
    static int calls = 10;
    return atomicAdd(&calls, 1);
}

__global__ void functions(int *out)
{
    int t = static_cast<int>(threadIdx.x);
    out[t] = table[t % 3](t) + constant_table[t % 3](t) * 1000 + chosen(t) * 100000;
}
__global__ void virtuals(float *out)
{
    int t = static_cast<int>(threadIdx.x);
    shape *s =
        t % 2 ? static_cast<shape *>(new box(static_cast<float>(t), 2)) : new disc(static_cast<float>(t));
    out[t] = s->area() + static_cast<float>(s->kind()[0] == 'b') * 1000;
    delete s;
}
__global__ void recursions(int *out)
{
    int t = static_cast<int>(threadIdx.x);
    out[t] = ackermann(2, t) * 10 + even(static_cast<unsigned>(t));
}
__global__ void lambdas(int *out, int k)
{
    auto add = [=](int x) { return x + k; };
    int total = 0;
    auto count = [&total](int x) { return total += x; };
    count(5);
    out[threadIdx.x] =
        apply(add, static_cast<int>(threadIdx.x)) + apply([](int x) { return x * 10; }, 3) + count(1);
}
__global__ void statics(int *out)
{
    out[threadIdx.x] = counter_of_calls() >= 10;
}

__global__ void arrays(int *out, int n)
{
    int big[2000];
    for (int i = 0; i < 2000; i++)
        big[i] = i * n;
    int sum = 0;
    for (int i = 0; i < 2000; i += n)
        sum += big[(i * 7) % 2000];
    int *dynamic = static_cast<int *>(alloca(static_cast<size_t>(n) * sizeof(int)));
    for (int i = 0; i < n; i++)
        dynamic[i] = i + static_cast<int>(threadIdx.x);
    for (int i = 0; i < n; i++)
        sum += dynamic[n - 1 - i];
    out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(64, 2) grid_constant(const __grid_constant__ int4 value, int *out)
{
    const int4 *at = &value;
    out[threadIdx.x] = at->x + at->y * 10 + at->z * 100 + reinterpret_cast<const int *>(at)[3] * 1000;
}

__global__ void assembly(unsigned *out)
{
    unsigned lane, r;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("{ .reg .u32 t; mul.lo.u32 t, %1, 3; add.u32 %0, t, %2; }" : "=r"(r) : "r"(lane), "n"(7));
    asm volatile("add.u32 %0, %0, 1;" : "+r"(r)::"memory");
    out[threadIdx.x] = r;
}

static void show(const char *what, const int *values, int count)
{
    std::printf("%s:", what);
    for (int i = 0; i < count; i++)
        std::printf(" %d", values[i]);
    std::printf("\n");
}

static void part_functions()
{
    int *out;
    cudaMallocManaged(&out, 4096);
    functions<<<1, 9>>>(out);
    sync("functions");
    show("tables", out, 9);
    virtuals<<<1, 8>>>(reinterpret_cast<float *>(out));
    sync("virtuals");
    for (int i = 0; i < 8; i++)
        std::printf("area %d: %g\n", i, reinterpret_cast<float *>(out)[i]);
    SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10));
    recursions<<<1, 8>>>(out);
    sync("recursions");
    show("recursions", out, 8);
    lambdas<<<1, 4>>>(out, 7);
    sync("lambdas");
    show("lambdas", out, 4);
    statics<<<1, 4>>>(out);
    sync("statics");
    show("statics", out, 4);
    arrays<<<1, 4>>>(out, 9);
    sync("arrays");
    show("arrays", out, 4);
    grid_constant<<<1, 2>>>(make_int4(1, 2, 3, 4), out);
    sync("grid constant");
    show("grid constant", out, 2);
    grid_constant<<<1, 65>>>(make_int4(1, 2, 3, 4), out);
    std::printf("beyond its bounds: %s\n", name(cudaGetLastError()));
    assembly<<<1, 4>>>(reinterpret_cast<unsigned *>(out));
    sync("assembly");
    show("assembly", out, 4);
}

/* ---- variables */

__managed__ int managed_value = 5;
__managed__ int managed_array[10] = {1, 2, 3};
__managed__ int *managed_pointer;
__device__ int device_value = 6;
__device__ int *device_pointer = &device_value;
__constant__ float constant_value = 2.5f;
__constant__ int constant_array[4] = {4, 3, 2, 1};
struct pair {
    int first;
    const char *second;
};
__device__ pair pairs[2] = {{1, "one"}, {2, "two"}};

__global__ void variables(int *out)
{
    managed_value += *device_pointer;
    managed_array[5] = constant_array[1] + static_cast<int>(constant_value * 2);
    managed_pointer = &managed_array[5];
    out[0] = pairs[1].second[0];
    out[1] = pairs[0].first;
}

static void part_variables()
{
    int *out;
    cudaMallocManaged(&out, 64);
    std::printf("managed before: %d %d %d\n", managed_value, managed_array[2], managed_array[9]);
    managed_value = 50;
    variables<<<1, 1>>>(out);
    sync("variables");
    std::printf("managed after: %d %d %d\n", managed_value, managed_array[5], *managed_pointer);
    std::printf("pairs: %d %d\n", out[0], out[1]);
    int value = 9;
    SHOW(cudaMemcpyToSymbol(device_value, &value, sizeof value));
    variables<<<1, 1>>>(out);
    sync("again");
    std::printf("managed at last: %d\n", managed_value);
    void *address;
    size_t bytes;
    SHOW(cudaGetSymbolAddress(&address, managed_array));
    std::printf("the same address: %d\n", address == managed_array);
    SHOW(cudaGetSymbolSize(&bytes, managed_array));
    std::printf("bytes: %zu\n", bytes);
    SHOW(cudaGetSymbolSize(&bytes, constant_array));
    std::printf("bytes: %zu\n", bytes);
}

static const struct {
    const char *name;
    void (*run)();
} parts[] = {
#define PART(part) {#part, part_##part},
    PART(printf) PART(odd_formats) PART(flood) PART(large_flood) PART(heap) PART(heap_limit) PART(trap) PART(assert)
        PART(breakpoint) PART(trigger) PART(misaligned) PART(null_store) PART(overflow) PART(bad_call)
            PART(shared_far) PART(double_free) PART(bad_free) PART(stack) PART(functions) PART(variables)
#undef PART
};

int main(int argc, char **argv)
{
    for (const auto &part : parts) {
        if (argc > 1 && std::strcmp(argv[1], part.name) != 0) continue;
        if (argc == 1) {
            if (part.run != part_large_flood) std::printf("%s\n", part.name);
            continue;
        }
        std::printf("== %s\n", part.name);
        part.run();
        std::fflush(stdout);
        return 0;
    }
    return argc == 1 ? 0 : 2;
}

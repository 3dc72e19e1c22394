/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine does itself with several threads, to compare bench/threads.sh with. Prints the threads,
 * two bandwidths in GB/s and a rate of arithmetic in GFLOP/s. Bandwidth: the vector add of bench.c, z = x +
 * y, 64 MiB each, the elements divided between threads, each thread's part touched by it first; 12 bytes an
 * element; with plain stores, whose lines are read before they are written, which is not counted, and with
 * streaming ones. Arithmetic: fused multiply-adds of 8 floats without memory, as many in each thread. The
 * fastest of 9 rounds counts. usage: machine THREADS */
#include <immintrin.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 16 << 20, ROUNDS = 9, MAX_THREADS = 256, FMA_TURNS = 1 << 21, CHAINS = 12, FLOATS = 8 };
enum work { PLAIN, STREAMING, ARITHMETIC, WORKS };
static float *x, *y, *z;
static int threads;
static pthread_barrier_t barrier;
static double best[WORKS];
static volatile float sink;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void add(size_t from, size_t to)
{
    for (size_t i = from; i < to; i += FLOATS)
        _mm256_store_ps(z + i, _mm256_add_ps(_mm256_load_ps(x + i), _mm256_load_ps(y + i)));
}

static void add_streaming(size_t from, size_t to)
{
    for (size_t i = from; i < to; i += FLOATS)
        _mm256_stream_ps(z + i, _mm256_add_ps(_mm256_load_ps(x + i), _mm256_load_ps(y + i)));
    _mm_sfence();
}

static void multiply_add(void)
{
    __m256 chain[CHAINS], factor = _mm256_set1_ps(0.999f), term = _mm256_set1_ps(0.001f);
    for (int c = 0; c < CHAINS; c++)
        chain[c] = _mm256_set1_ps((float)c);
    for (int turn = 0; turn < FMA_TURNS; turn++)
        for (int c = 0; c < CHAINS; c++)
            chain[c] = _mm256_fmadd_ps(chain[c], factor, term);
    for (int c = 1; c < CHAINS; c++)
        chain[0] = _mm256_add_ps(chain[0], chain[c]);
    sink = _mm256_cvtss_f32(chain[0]);
}

static void do_work(enum work what, size_t from, size_t to)
{
    switch (what) {
    case PLAIN: add(from, to); break;
    case STREAMING: add_streaming(from, to); break;
    case ARITHMETIC:
    case WORKS:
    default: multiply_add();
    }
}

static void *thread_main(void *argument)
{
    size_t me = *(size_t *)argument, part = N / FLOATS / (size_t)threads * FLOATS;
    size_t from = me * part, to = me + 1 == (size_t)threads ? N : from + part;
    for (size_t i = from; i < to; i++)
        x[i] = y[i] = (float)i, z[i] = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (enum work what = PLAIN; what < WORKS; what++) {
            pthread_barrier_wait(&barrier);
            double begun = now();
            do_work(what, from, to);
            pthread_barrier_wait(&barrier);
            double units = what == ARITHMETIC ? 2.0 * FLOATS * CHAINS * FMA_TURNS * threads : 12.0 * N;
            double rate = units / (now() - begun) / 1e9;
            if (!me && rate > best[what]) best[what] = rate;
        }
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_t handle[MAX_THREADS];
    static size_t number[MAX_THREADS];
    threads = argc > 1 ? atoi(argv[1]) : 1;
    if (threads < 1 || threads > MAX_THREADS) return 2;
    x = aligned_alloc(4096, N * 4ul), y = aligned_alloc(4096, N * 4ul), z = aligned_alloc(4096, N * 4ul);
    if (!x || !y || !z || pthread_barrier_init(&barrier, NULL, (unsigned)threads)) return 1;
    for (size_t i = 0; i < (size_t)threads; i++) {
        number[i] = i;
        if (pthread_create(&handle[i], NULL, thread_main, &number[i])) return 1;
    }
    for (int i = 0; i < threads; i++)
        pthread_join(handle[i], NULL);
    printf("%d\t%.1f\t%.1f\t%.1f\n", threads, best[PLAIN], best[STREAMING], best[ARITHMETIC]);
    return 0;
}

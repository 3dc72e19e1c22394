/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's memory bandwidth for what the vector add of bench.c does: z = x + y, 64 MiB each, the
 * elements divided between threads in whole, and each thread's part touched by it first. Prints GB/s: 12
 * bytes an element, the fastest of 9 rounds, as plain stores (whose lines are read before they are written,
 * which is not counted) and as streaming ones. usage: bandwidth THREADS */
#include <immintrin.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 16 << 20, ROUNDS = 9, MAX_THREADS = 256 };
static float *x, *y, *z;
static int threads;
static pthread_barrier_t barrier;
static double best[2];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void add(size_t from, size_t to, int streaming)
{
    if (streaming) {
        for (size_t i = from; i < to; i += 8)
            _mm256_stream_ps(z + i, _mm256_add_ps(_mm256_load_ps(x + i), _mm256_load_ps(y + i)));
        _mm_sfence();
    } else {
        for (size_t i = from; i < to; i += 8)
            _mm256_store_ps(z + i, _mm256_add_ps(_mm256_load_ps(x + i), _mm256_load_ps(y + i)));
    }
}

static void *work(void *argument)
{
    size_t me = *(int *)argument, part = N / 8 / (size_t)threads * 8;
    size_t from = me * part, to = me + 1 == (size_t)threads ? N : from + part;
    for (size_t i = from; i < to; i++)
        x[i] = y[i] = (float)i, z[i] = 0;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        double begun = now();
        add(from, to, round & 1);
        pthread_barrier_wait(&barrier);
        double rate = 12.0 * N / (now() - begun) / 1e9;
        if (!me && rate > best[round & 1]) best[round & 1] = rate;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t handle[MAX_THREADS];
    int number[MAX_THREADS];
    threads = argc > 1 ? atoi(argv[1]) : 1;
    if (threads < 1 || threads > MAX_THREADS) return 2;
    x = aligned_alloc(4096, N * 4ul), y = aligned_alloc(4096, N * 4ul), z = aligned_alloc(4096, N * 4ul);
    if (!x || !y || !z || pthread_barrier_init(&barrier, NULL, (unsigned)threads)) return 1;
    for (int i = 0; i < threads; i++) {
        number[i] = i;
        if (pthread_create(&handle[i], NULL, work, &number[i])) return 1;
    }
    for (int i = 0; i < threads; i++)
        pthread_join(handle[i], NULL);
    printf("%d\t%.1f\t%.1f\n", threads, best[0], best[1]);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Prints which lines L1 holds after sequences of accesses, on a GPU or on Softwarp.
 *
 *   usage: hw_lines FILE.ptx [GIB]   GIB of memory, a power of two
 *
 * Each sequence is a line: its name, its numbers, how many of its lines L1 holds, and which: one
 * hexadecimal digit for four lines in the order of their first use, the lowest bit for the first. The
 * sequence runs once for each line, in a block on a multiprocessor of its own, and then that line is
 * tested. Where the choice of victims differs from run to run, the bits of one line of output therefore
 * belong to different runs. */
#include "device_program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 16000, BLOCKS = 132, LINE = 4, MOST_ASKED = 10000, HIT_CYCLES = 240 };
static const uint32_t STORE = 1u << 31, WAIT = 1u << 30;

struct machine {
    uint64_t bytes; /* of `in`: a power of two, and it stands at a multiple of them, so that addresses do not
                       matter */
    CUfunction function;
    CUdeviceptr in, found, asked, sequence;
    uint32_t steps, count;
    uint32_t step[STEPS], ask[MOST_ASKED], has[MOST_ASKED];
};

static void machine_open(struct machine *m, const char *ptx)
{
    CUmodule module;
    size_t bytes;
    device_open();
    check(cuModuleLoad(&module, ptx), ptx);
    check(cuModuleGetFunction(&m->function, module, "lines"), "lines");
    check(cuModuleGetGlobal(&m->sequence, &bytes, module, "sequence"), "sequence");
    check(cuMemAlloc(&m->in, 2 * m->bytes), "cuMemAlloc");
    m->in = (m->in + m->bytes - 1) / m->bytes * m->bytes;
    check(cuMemsetD32(m->in, 0, m->bytes / 4), "cuMemsetD32");
    check(cuMemAlloc(&m->found, sizeof m->has), "cuMemAlloc");
    check(cuMemAlloc(&m->asked, sizeof m->ask), "cuMemAlloc");
}

static void carve(struct machine *m, int percent, int shared)
{
    check(cuFuncSetAttribute(m->function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, percent),
          "carveout");
    check(cuFuncSetAttribute(m->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared), "shared");
}

/* ---- what is run, what is asked */

static void begin(struct machine *m)
{
    m->steps = m->count = 0;
}

static void add(struct machine *m, uint32_t step)
{
    if (m->steps == STEPS) exit(2);
    m->step[m->steps++] = step;
}

static void ask(struct machine *m, uint32_t place)
{
    if (m->count == MOST_ASKED) exit(2);
    m->ask[m->count++] = place;
}

/* Asks for each place of the sequence once, in the order of first use. */
static void ask_all(struct machine *m)
{
    for (uint32_t i = 0; i < m->steps; i++) {
        uint32_t place = m->step[i] & ~(STORE | WAIT), k = 0;
        while (k < m->count && m->ask[k] != place)
            k++;
        if (k == m->count) ask(m, place);
    }
}

static void finish(struct machine *m, unsigned threads, int shared, const char *name, int a, int b, int c)
{
    uint32_t held = 0;
    check(cuMemcpyHtoD(m->sequence, m->step, m->steps * 4ull), "sequence");
    check(cuMemcpyHtoD(m->asked, m->ask, m->count * 4ull), "asked");
    for (uint32_t first = 0; first < m->count; first += BLOCKS) {
        void *args[] = {&m->in, &m->found, &m->steps, &m->asked, &first, &m->count};
        check(cuLaunchKernel(m->function, BLOCKS, 1, 1, threads, 1, 1, (unsigned)shared, NULL, args, NULL),
              "launch");
    }
    check(cuMemcpyDtoH(m->has, m->found, m->count * 4ull), "found");
    for (uint32_t i = 0; i < m->count; i++) {
        held += m->has[i] = m->has[i] < HIT_CYCLES;
    }
    printf("%s %d %d %d threads %u shared %d: %u of %u ", name, a, b, c, threads, shared, held, m->count);
    for (uint32_t i = 0; i < m->count; i += 4) {
        unsigned digit = 0;
        for (uint32_t k = 0; k < 4 && i + k < m->count; k++)
            digit |= m->has[i + k] << k;
        printf("%x", digit);
    }
    printf("\n");
    fflush(stdout);
}

/* ---- sequences */

static uint32_t state = 1;
static uint32_t any(uint32_t below) /* xorshift32 */
{
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return (uint32_t)((uint64_t)state * below >> 32);
}

static void pass(struct machine *m, int count, int stride, int passes, uint32_t flags)
{
    for (int k = 0; k < passes; k++)
        for (int i = 0; i < count; i++)
            add(m, (uint32_t)i * (uint32_t)stride * LINE | flags);
}

/* `count` lines `stride` apart, `passes` times. */
static void walk(struct machine *m, unsigned threads, int shared, int count, int stride, int passes)
{
    begin(m);
    pass(m, count, stride, passes, 0);
    ask_all(m);
    finish(m, threads, shared, "walk", count, stride, passes);
}

/* The same lines in an order of chance; runs of `run` lines stay together. */
static void shuffled(struct machine *m, unsigned threads, int shared, int count, int run, int passes)
{
    static uint32_t order[STEPS];
    int runs = count / run;
    begin(m);
    state = 12345;
    for (int i = 0; i < runs; i++)
        order[i] = any((uint32_t)(m->bytes / 128 / (uint32_t)run));
    for (int k = 0; k < passes; k++)
        for (int i = 0; i < runs; i++)
            for (int j = 0; j < run; j++)
                add(m, (order[i] * (uint32_t)run + (uint32_t)j) * LINE);
    ask_all(m);
    finish(m, threads, shared, "shuffled", count, run, passes);
}

/* Accesses of chance to `lines` lines. */
static void chance(struct machine *m, unsigned threads, int shared, int count, int lines, int seed)
{
    begin(m);
    state = 777u + (uint32_t)seed;
    for (int i = 0; i < count; i++)
        add(m, any((uint32_t)lines) * LINE);
    ask_all(m);
    finish(m, threads, shared, "chance", count, lines, seed);
}

/* `count` lines, the first `again` of them again, `more` that are new. */
static void renew(struct machine *m, int shared, int count, int again, int more)
{
    begin(m);
    pass(m, count, 1, 1, 0);
    pass(m, again, 1, 1, 0);
    for (int i = 0; i < more; i++)
        add(m, (uint32_t)(count + i) * LINE);
    ask_all(m);
    finish(m, 1, shared, "renew", count, again, more);
}

/* Lines by one of their sectors, then those of another set of lines by another. */
static void sectors(struct machine *m, int shared, int count, int each)
{
    begin(m);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < each; k++)
            add(m, (uint32_t)(i * LINE + k));
    ask_all(m);
    finish(m, 1, shared, "sectors", count, each, 0);
}

/* `count` lines read, `stores` others written, `more` others read. */
static void stored(struct machine *m, int shared, int count, int stores, int more)
{
    begin(m);
    pass(m, count, 1, 1, 0);
    for (int i = 0; i < stores; i++)
        add(m, (uint32_t)(count + i) * LINE | STORE);
    for (int i = 0; i < more; i++)
        add(m, (uint32_t)(count + stores + i) * LINE);
    ask_all(m);
    finish(m, 1, shared, "stored", count, stores, more);
}

/* How much there is of L1 beside so much shared memory. */
static void sizes(struct machine *m)
{
    static const int shared[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 227};
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        for (int carveout = -1; carveout <= 0; carveout++) {
            int bytes = shared[i] ? (shared[i] << 10) - 1024 : 0;
            carve(m, carveout, bytes);
            walk(m, 1, bytes, 2048, 1, 1);
            walk(m, 1, bytes, 2048, 1, 2);
        }
    for (int percent = 10; percent <= 100; percent += 10) {
        carve(m, percent, 0);
        walk(m, 1, 0, 2048, 1, 1);
    }
}

static void passes(struct machine *m)
{
    static const int counts[] = {1400, 1792, 1920, 1921, 1922, 1924, 1928,
                                 1936, 1952, 1984, 2048, 2200, 2400, 3000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (int times = 0; times < 4; times++)
            walk(m, 1, 2048, counts[i], 1, 1);
        for (int again = 2; again <= 4; again++)
            walk(m, 1, 2048, counts[i], 1, again);
        walk(m, 1024, 2048, counts[i], 1, 1);
        walk(m, 1024, 2048, counts[i], 1, 2);
    }
    for (int times = 0; times < 30; times++)
        walk(m, 1, 2048, 1932, 1, 1);
}

/* Which lines share a set. */
static void places(struct machine *m)
{
    static const int strides[] = {2, 3, 4, 5, 7, 8, 16, 31, 33, 64, 128, 256, 512, 1024, 2048, 4096};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++)
        for (int count = 480; count <= 1960; count += 740)
            walk(m, 1, 2048, count, strides[i], 1);
    for (int lines = 2048; lines <= (int)(m->bytes / 128); lines *= 2)
        for (int seed = 0; seed < 6; seed++)
            chance(m, 1, 2048, 1700, lines, seed);
    for (int run = 4; run <= 256; run *= 4)
        shuffled(m, 1, 2048, 1700, run, 1);
    for (int lines = 4096; lines <= 65536; lines *= 4) {
        chance(m, 1, 2048, 6000, lines, 9);
        chance(m, 512, 2048, 6000, lines, 9);
    }
}

int main(int argc, char **argv)
{
    static struct machine m;
    if (argc < 2) return fprintf(stderr, "usage: hw_lines FILE.ptx [GIB]\n"), 2;
    m.bytes = (argc > 2 ? strtoull(argv[2], NULL, 10) : 1) << 30;
    machine_open(&m, argv[1]);
    carve(&m, 0, 2048); /* as much L1 as there is */
    places(&m);
    passes(&m);
    for (int again = 0; again <= 1900; again += 380)
        for (int more = 20; more <= 1000; more += 140)
            renew(&m, 2048, 1900, again, more);
    for (int each = 2; each <= 4; each++)
        for (int count = 1800; count <= 2200; count += 100)
            sectors(&m, 2048, count, each);
    for (int stores = 1; stores <= 1000; stores *= 10) {
        stored(&m, 2048, 1000, stores, 0);
        stored(&m, 2048, 1900, stores, 0);
        stored(&m, 2048, 1900, stores, 300);
    }
    sizes(&m);
    return 0;
}

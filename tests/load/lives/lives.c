/* SPDX-License-Identifier: Apache-2.0 */
/* usage: load_lives LIFE [STEPS [THREADS]]      LIFE: a name of the tables, threads, mixed, or short (all, in
 * few steps). Prints the memory of the process at ten points, and ends with 1 where it grew by more than 1 %,
 * or where mappings, descriptors or threads became more, from the first of them to the last. Method: memory
 * is measured between parts, when all streams are idle and free memory was given back to the system. The heap
 * is what malloc has given out, to the byte, in this process's threads together. Limits: caches that are
 * bounded must be full at the first point; 64 KiB more of the heap are no failure. In the short form nor are
 * 512 KiB more that are resident, 192 KiB of the heap, 128 KiB for each worker thread of the library that
 * came, and 128 mappings, since workers make theirs when they are needed. */
#include "lives.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>

enum { POINTS = 10, STEPS_A_THREAD = 50 };
static const long SLACK = 512 << 10, HEAP_SLACK = 64 << 10, OF_A_THREAD = 128 << 10;

struct memory {
    long resident, heap, virtual;
    unsigned mappings, descriptors, threads;
};

/* ---- lives of lives */

static const struct life *const tables[] = {lives_modules, lives_launches, lives_memory, lives_libraries};
static const struct life *all[32];
static unsigned count;

static void begin_all(void)
{
    for (unsigned i = 0; i < count; i++)
        if (all[i]->begin) all[i]->begin();
}

static void end_all(void)
{
    for (unsigned i = 0; i < count; i++)
        if (all[i]->end) all[i]->end();
}

/* One of all lives, those that take microseconds more often. */
static void mixed(uint64_t step)
{
    static _Thread_local uint64_t random = 362436069362436069u;
    uint64_t r = lives_random(&random) >> 16;
    const struct life *life = all[r % count];
    if (life->few < 2000 && r / count % 16) life = lives_launches;
    life->step(step + (r & 7));
}

static void *short_thread(void *start)
{
    OK(cuCtxSetCurrent(load_context(0)));
    for (uint64_t i = 0; i < STEPS_A_THREAD; i++) {
        lives_launches[0].step((uint64_t)(uintptr_t)start + i);
        lives_memory[0].step((uint64_t)(uintptr_t)start + i);
    }
    lives_launches[0].end();
    lives_memory[0].end();
    OK(cuDevicePrimaryCtxRelease(0));
    return NULL;
}

static void threads_begin(void)
{
    lives_launches[0].begin();
    lives_memory[0].begin();
}

/* Three host threads that begin, do something and end. */
static void threads(uint64_t step)
{
    pthread_t made[3];
    for (int i = 0; i < 3; i++)
        CHECK(!pthread_create(&made[i], NULL, short_thread, (void *)(uintptr_t)(step + (uint64_t)i)),
              "no thread");
    for (int i = 0; i < 3; i++)
        pthread_join(made[i], NULL);
}

static const struct life own[] = {
    {"threads", "three host threads that begin, launch, allocate and end", threads_begin, threads, NULL, 100},
    {"mixed", "all of these", begin_all, mixed, end_all, 1000},
};

/* ---- measuring */

static unsigned entries(const char *path)
{
    unsigned number = 0;
    DIR *folder = opendir(path);
    CHECK(folder, "no %s", path);
    while (readdir(folder))
        number++;
    closedir(folder);
    return number - 3; /* ., .. and the folder itself; of threads one too few, each time */
}

static unsigned lines(const char *path)
{
    unsigned number = 0;
    int c;
    FILE *file = fopen(path, "r");
    CHECK(file, "no %s", path);
    while ((c = getc(file)) != EOF)
        number += c == '\n';
    fclose(file);
    return number;
}

/* The number behind `name` in a line that begins like this, the last such one. */
static long last_number(const char *text, const char *line, const char *name)
{
    long number = 0;
    for (const char *at = strstr(text, line); at; at = strstr(at + 1, line)) {
        const char *value = strstr(at, name);
        if (value) number = strtol(value + strlen(name), NULL, 10);
    }
    return number;
}

/* What malloc's arenas of all threads have got, less what is free in them; totals come last. */
static long heap_bytes(void)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    CHECK(file && malloc_info(0, file) == 0, "malloc says nothing");
    fclose(file);
    long got = last_number(text, "<system type=\"current\"", "size=\"");
    got += last_number(text, "<total type=\"mmap\"", "size=\"");
    got -= last_number(text, "<total type=\"fast\"", "size=\"");
    got -= last_number(text, "<total type=\"rest\"", "size=\"");
    free(text);
    return got;
}

/* What is resident and no page of a file, which the system may take away and bring back. */
static long own_bytes(void)
{
    char line[200];
    long kib = 0, number;
    FILE *file = fopen("/proc/self/status", "r");
    CHECK(file, "no /proc/self/status");
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "RssAnon: %ld", &number) == 1 || sscanf(line, "RssShmem: %ld", &number) == 1)
            kib += number;
    fclose(file);
    return kib << 10;
}

static struct memory measure(void)
{
    long pages = 0;
    OK(cuCtxSynchronize());
    malloc_trim(0);
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld", &pages) == 1, "no /proc/self/statm");
    fclose(file);
    return (struct memory){.resident = own_bytes(),
                           .heap = heap_bytes(),
                           .virtual = pages * sysconf(_SC_PAGESIZE),
                           .mappings = lines("/proc/self/maps"),
                           .descriptors = entries("/proc/self/fd"),
                           .threads = entries("/proc/self/task") + 1};
}

static bool grew(long from, long to, long slack)
{
    return to - from > from / 100 + slack;
}

static bool has_grown(const struct memory *first, const struct memory *now, bool is_short)
{
    long slack = is_short ? SLACK : 0;
    long workers = now->threads > first->threads ? (long)(now->threads - first->threads) : 0;
    return grew(first->resident, now->resident, slack + workers * OF_A_THREAD) ||
           grew(first->heap, now->heap, slack / 4 + HEAP_SLACK + workers * OF_A_THREAD) ||
           grew(first->mappings, now->mappings, (is_short ? 128 : 8) + workers * 8) ||
           now->descriptors > first->descriptors;
}

/* ---- a life */

static const struct life *running;
static uint64_t part_first, part_steps;

static void *run_part(void *unused)
{
    (void)unused;
    OK(cuCtxSetCurrent(load_context(0)));
    for (uint64_t i = 0; i < part_steps; i++)
        running->step(part_first + i);
    if (running->end) running->end();
    OK(cuDevicePrimaryCtxRelease(0));
    return NULL;
}

static void run_threads(unsigned threads)
{
    pthread_t made[64];
    if (threads < 2) {
        run_part(NULL);
        return;
    }
    for (unsigned t = 0; t < threads; t++)
        CHECK(!pthread_create(&made[t], NULL, run_part, NULL), "no thread");
    for (unsigned t = 0; t < threads; t++)
        pthread_join(made[t], NULL);
}

/* Returns whether the memory grew. */
static bool live(const struct life *life, uint64_t steps, unsigned threads, bool is_short)
{
    struct memory first = {0}, now;
    double start = load_seconds();
    printf("%s: %s\n%12s %9s %12s %10s %9s %12s %8s %8s\n", life->name, life->what, "steps", "seconds",
           "resident KiB", "heap KiB", "mappings", "virtual MiB", "files", "threads");
    running = life;
    part_first = 0, part_steps = is_short ? steps / 2 : 0;
    if (life->begin) life->begin();
    run_threads(1); /* caches fill */
    for (unsigned p = 0; p < POINTS; p++) {
        part_first = steps * p / POINTS;
        part_steps = steps * (p + 1) / POINTS - part_first;
        run_threads(threads);
        now = measure();
        if (p == 0) first = now;
        printf("%12llu %9.1f %12ld %10ld %9u %12ld %8u %8u\n",
               (unsigned long long)(part_first + part_steps) * threads, load_seconds() - start,
               now.resident >> 10, now.heap >> 10, now.mappings, now.virtual >> 20, now.descriptors,
               now.threads);
        fflush(stdout);
    }
    bool more = has_grown(&first, &now, is_short);
    uint64_t between = (steps - steps / POINTS) * threads;
    printf("%s: %+.2f %% resident, %+.1f bytes of heap a step%s\n\n", life->name,
           100.0 * (double)(now.resident - first.resident) / (double)first.resident,
           (double)(now.heap - first.heap) / (double)(between ? between : 1), more ? "   GROWS" : "");
    return more;
}

static const struct life *find(const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(all[i]->name, name) == 0) return all[i];
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].name, name) == 0) return &own[i];
    return NULL;
}

int main(int argc, char **argv)
{
    bool more = false, is_short = argc > 1 && strcmp(argv[1], "short") == 0;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct life *life = tables[t]; life->name; life++)
            all[count++] = life;
    const struct life *one = argc > 1 && !is_short ? find(argv[1]) : NULL;
    if (!one && !is_short) {
        fprintf(stderr, "usage: load_lives LIFE [STEPS [THREADS]] | short\n");
        return 2;
    }
    load_context(0);
    if (one)
        return live(one, argc > 2 ? strtoull(argv[2], NULL, 0) : one->few,
                    argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 1, argc < 3);
    for (unsigned i = 0; i < count; i++)
        more |= live(all[i], all[i]->few, 1, true);
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        more |= live(&own[i], own[i].few, 1, true);
    return more;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What orders accesses and what does not: a case for each rule. */
#include "race/race.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t X = 0x10000, FLAG = 0x20000, KEY = 7;
static struct race *race;
static struct race_found found[64];
static uint32_t count;

static void note(void *user, const struct race_found *f)
{
    (void)user;
    if (count < SW_COUNT_OF(found)) found[count] = *f;
    count++;
}

static int begin(void **state)
{
    (void)state;
    struct race_config config = {.found = note};
    race = race_new(&config);
    count = 0;
    race_task_begin(race, 1);
    return 0;
}

static int end(void **state)
{
    (void)state;
    race_free(race);
    return 0;
}

enum { READ, WRITE, ATOMIC, FLAG_READ, FLAG_WRITE, ACQUIRE, RELEASE, ADD_ACQ_REL };
static struct race_access access_of(int kind, enum race_scope scope)
{
    bool reads =
        kind == READ || kind == FLAG_READ || kind == ACQUIRE || kind == ATOMIC || kind == ADD_ACQ_REL;
    return (struct race_access){.site = 10 + (uint32_t)kind,
                                .bytes = 4,
                                .reads = reads,
                                .writes = !reads || kind == ATOMIC || kind == ADD_ACQ_REL,
                                .strong = kind > WRITE,
                                .acquires = kind == ACQUIRE || kind == ADD_ACQ_REL,
                                .releases = kind == RELEASE || kind == ADD_ACQ_REL,
                                .scope = scope};
}

/* One thread's access. */
static void at_scope(struct race_block *block, uint32_t thread, int kind, uint64_t address,
                     enum race_scope scope)
{
    struct race_access what = access_of(kind, scope);
    race_access_affine(block, thread / 32, &what, address, 0, 1u << thread % 32);
}

static void at(struct race_block *block, uint32_t thread, int kind, uint64_t address)
{
    at_scope(block, thread, kind, address, RACE_SCOPE_GPU);
}

/* A warp's access of words side by side. */
static void row(struct race_block *block, uint32_t warp, int kind, uint64_t address)
{
    struct race_access what = access_of(kind, RACE_SCOPE_GPU);
    race_access_affine(block, warp, &what, address, 4, ~0u);
}

static void fence(struct race_block *block, uint32_t thread, enum race_scope scope)
{
    race_fence(block, thread / 32, 1u << thread % 32, scope);
}

static uint32_t races(void)
{
    uint32_t n = count;
    count = 0;
    return n;
}

static void barrier_orders_a_block(void **state)
{
    (void)state;
    struct race_block *b = race_block_begin(race, 1, 0, 64, false);
    at(b, 0, WRITE, X);
    at(b, 0, READ, X);
    at(b, 0, WRITE, X);
    assert_int_equal(races(), 0);
    at(b, 40, READ, X);
    assert_int_equal(races(), 1);
    assert_int_equal(found[0].address, X);
    assert_int_equal(found[0].before.thread, 0);
    assert_int_equal(found[0].before.site, 10 + WRITE);
    assert_true(found[0].before.writes && !found[0].now.writes);
    assert_int_equal(found[0].now.thread, 40);
    assert_int_equal(found[0].before.among, RACE_AMONG_THREAD);
    race_block_sync(b);
    at(b, 41, WRITE, X);
    assert_int_equal(races(), 0);
}

static void warps_are_ordered_by_a_sync_only(void **state)
{
    (void)state;
    struct race_block *b = race_block_begin(race, 1, 0, 64, false);
    at(b, 0, WRITE, X);
    at(b, 1, READ, X);
    assert_int_equal(races(), 1);
    race_warp_sync(b, 0, ~0u);
    at(b, 2, WRITE, X);
    assert_int_equal(races(), 0);
    race_warp_sync(b, 0, ~0u);
    at(b, 33, WRITE, X);
    assert_int_equal(races(), 1);
}

static void part_of_a_warp_syncs(void **state)
{
    (void)state;
    struct race_block *b = race_block_begin(race, 1, 0, 32, true);
    at(b, 0, WRITE, X);
    race_warp_sync(b, 0, 3);
    at(b, 1, READ, X);
    assert_int_equal(races(), 0);
    at(b, 2, READ, X);
    assert_int_equal(races(), 1);
    race_warp_sync(b, 0, 6); /* passes on what lane 1 knows */
    at(b, 2, READ, X + 4);
    at(b, 2, WRITE, X + 8);
    assert_int_equal(races(), 0);
}

static void blocks_are_not_ordered(void **state)
{
    (void)state;
    struct race_block *a = race_block_begin(race, 1, 5, 32, false);
    at(a, 3, READ, X);
    race_block_end(a);
    struct race_block *b = race_block_begin(race, 1, 6, 32, false);
    at(b, 3, WRITE, X);
    assert_int_equal(races(), 1);
    assert_int_equal(found[0].before.block, 5);
    assert_int_equal(found[0].now.block, 6);
    assert_int_equal(found[0].before.task, 1);
}

static void readers_of_many_blocks(void **state)
{
    (void)state;
    struct race_block *last = NULL;
    for (uint64_t i = 0; i < 100; i++) {
        last = race_block_begin(race, 1, i, 32, false);
        struct race_access what = access_of(READ, RACE_SCOPE_CTA);
        race_access_affine(last, 0, &what, X, 4, ~0u);
    }
    race_block_sync(last);
    at(last, 0, WRITE, X);
    assert_int_equal(races(), 1);
    assert_int_equal(found[0].before.among, RACE_AMONG_TASK);
    race_block_sync(last);
    row(last, 0, WRITE, X + 4);
    assert_int_equal(races(),
                     31); /* the last word has only been read by the last lane of each: and not written */
    race_task_begin(race, 2);
    race_task_after(race, 2, 1);
    at(race_block_begin(race, 2, 0, 32, false), 0, WRITE, X + 4);
    assert_int_equal(races(), 0);
    race_task_begin(race, 3);
    at(race_block_begin(race, 3, 0, 32, false), 0, WRITE, X + 8);
    assert_int_equal(races(), 1);
}

static void lanes_of_one_write(void **state)
{
    (void)state;
    struct race_block *b = race_block_begin(race, 1, 0, 32, false);
    struct race_access what = access_of(WRITE, RACE_SCOPE_CTA);
    what.same_value = true;
    race_access_affine(b, 0, &what, X, 0, ~0u);
    assert_int_equal(races(), 0);
    what.same_value = false;
    race_access_affine(b, 0, &what, X + 64, 0, 3);
    assert_int_equal(races(), 1);
    race_access_affine(b, 0, &what, X + 128, 2, 3); /* 4 bytes each, 2 apart */
    assert_int_equal(races(), 1);
    race_warp_sync(b, 0, ~0u);
    race_access_affine(b, 0, &what, X, 4, ~0u);
    assert_int_equal(races(), 0);
}

/* Two warps read a row; the newer reader synchronises, which says nothing of the older one. */
static void readers_of_two_warps(void **state)
{
    (void)state;
    struct race_block *b = race_block_begin(race, 1, 0, 64, false);
    row(b, 0, READ, X);
    row(b, 1, READ, X);
    race_warp_sync(b, 1, ~0u);
    row(b, 1, WRITE, X);
    assert_int_equal(races(), 32);
    assert_int_equal(found[0].before.among, RACE_AMONG_BLOCK);
    row(b, 0, READ, X + 256);
    race_warp_sync(b, 0, ~0u);
    row(b, 0, READ, X + 256 + 4);
    row(b, 0, WRITE, X + 256);
    assert_int_equal(races(), 31);
    assert_int_equal(found[0].before.among, RACE_AMONG_THREAD);
}

/* Rows of words: what one warp knows of another's row, and what it does not. */
static void rows_of_complex_launches(void **state)
{
    (void)state;
    struct race_block *a = race_block_begin(race, 1, 0, 128, true);
    struct race_block *b = race_block_begin(race, 1, 1, 32, true);
    row(a, 0, ATOMIC, X);
    race_block_sync(a);
    for (uint32_t warp = 0; warp < 4; warp++)
        row(a, warp, READ, X);
    assert_int_equal(races(), 0);
    row(b, 0, READ, X);
    assert_int_equal(races(), 32); /* with the atomics that warps of a came after */
    assert_true(found[0].before.writes && found[0].before.thread == 0 && found[31].before.thread == 31);
    row(a, 0, READ, X + 256);
    row(a, 1, READ, X + 256);
    row(a, 0, READ, X + 256 + 4); /* one further: some words have been read by two lanes of warp 0 */
    race_warp_sync(a, 0, ~0u);
    race_release(a, 0, ~0u, KEY);
    race_complete(race, KEY);
    race_acquire(a, 2, ~0u, KEY);
    row(a, 2, WRITE, X + 256);
    assert_int_equal(races(), 32); /* with warp 1 */
    assert_int_equal(found[5].before.thread, 37);
    row(a, 0, READ, X + 512);
    row(a, 1, READ, X + 512);
    race_block_sync(a);
    row(a, 3, WRITE, X + 512);
    row(a, 3, WRITE, X + 512);
    assert_int_equal(races(), 0);
    row(a, 0, READ, X + 1024);
    row(a, 0, READ, X + 1024 + 4);
    row(a, 0, WRITE, X + 1024); /* all but the first word have been read by the lane before */
    assert_int_equal(races(), 31);
}

static void bytes_are_told_apart(void **state)
{
    (void)state;
    struct race_block *b = race_block_begin(race, 1, 0, 64, false);
    struct race_access byte = access_of(WRITE, RACE_SCOPE_CTA);
    byte.bytes = 1;
    at(b, 0, READ, X + 4);
    race_access_affine(b, 1, &byte, X, 1, 0xf);
    race_access_affine(b, 0, &byte, X - 32, 1, ~0u);
    assert_int_equal(races(), 0);
    race_access_affine(b, 1, &byte, X + 6, 0, 1);
    assert_int_equal(races(), 1);
    assert_int_equal(found[0].address, X + 6);
    byte.bytes = 8;
    race_access_affine(b, 0, &byte, X - 8, 0, 1); /* each byte another lane's */
    assert_int_equal(races(), 8);
    assert_int_equal(found[0].address, X - 8);
}

static void strong_accesses_by_scope(void **state)
{
    (void)state;
    struct race_block *a = race_block_begin(race, 1, 0, 32, false);
    struct race_block *b = race_block_begin(race, 1, 1, 32, false);
    at(a, 0, ATOMIC, X);
    at(b, 0, ATOMIC, X);
    at(a, 1, FLAG_READ, X);
    assert_int_equal(races(), 0);
    at(b, 1, READ, X);
    assert_true(races() > 0);
    at_scope(a, 0, ATOMIC, X + 4, RACE_SCOPE_CTA);
    at_scope(a, 1, ATOMIC, X + 4, RACE_SCOPE_CTA);
    assert_int_equal(races(), 0);
    at(b, 0, ATOMIC, X + 4);
    assert_int_equal(races(), 1);
    at_scope(a, 0, FLAG_WRITE, X + 8, RACE_SCOPE_CLUSTER); /* told nothing of clusters: the block */
    at_scope(b, 0, FLAG_READ, X + 8, RACE_SCOPE_SYS);
    assert_int_equal(races(), 1);
}

/* Thread 0 of one block hands X over to thread 0 of another. */
static uint32_t message(int write, int release_scope, int acquire_scope, int read, enum race_scope scope)
{
    static uint64_t number, offset;
    struct race_block *a = race_block_begin(race, 1, number++, 32, true);
    struct race_block *b = race_block_begin(race, 1, number++, 32, true);
    offset += 64;
    at(a, 0, WRITE, X + offset);
    if (release_scope >= 0) fence(a, 0, (enum race_scope)release_scope);
    at_scope(a, 0, write, FLAG + offset, scope);
    at_scope(b, 0, read, FLAG + offset, scope);
    if (acquire_scope >= 0) fence(b, 0, (enum race_scope)acquire_scope);
    at(b, 0, READ, X + offset);
    return races();
}

static void flags_with_fences(void **state)
{
    (void)state;
    enum race_scope gpu = RACE_SCOPE_GPU;
    assert_int_equal(message(FLAG_WRITE, RACE_SCOPE_GPU, RACE_SCOPE_GPU, FLAG_READ, gpu), 0);
    assert_int_equal(message(FLAG_WRITE, RACE_SCOPE_SYS, RACE_SCOPE_GPU, ATOMIC, gpu), 0);
    assert_int_equal(message(FLAG_WRITE, -1, RACE_SCOPE_GPU, FLAG_READ, gpu), 1);
    assert_int_equal(message(FLAG_WRITE, RACE_SCOPE_GPU, -1, FLAG_READ, gpu), 1);
    assert_int_equal(message(FLAG_WRITE, RACE_SCOPE_CTA, RACE_SCOPE_GPU, FLAG_READ, gpu), 1);
    assert_int_equal(message(FLAG_WRITE, RACE_SCOPE_GPU, RACE_SCOPE_CTA, FLAG_READ, gpu), 1);
    assert_int_equal(message(RELEASE, -1, -1, ACQUIRE, gpu), 0);
    assert_int_equal(message(RELEASE, -1, RACE_SCOPE_GPU, FLAG_READ, gpu), 0);
    assert_int_equal(message(ADD_ACQ_REL, -1, -1, ADD_ACQ_REL, gpu), 0);
    /* the flag itself races, and hands nothing over */
    assert_true(message(RELEASE, -1, -1, ACQUIRE, RACE_SCOPE_CTA) >= 2);
}

static void reads_acquire_where_asked(void **state)
{
    (void)state;
    race_free(race);
    struct race_config config = {.found = note, .reads_acquire = true};
    race = race_new(&config);
    race_task_begin(race, 1);
    assert_int_equal(message(FLAG_WRITE, RACE_SCOPE_GPU, -1, FLAG_READ, RACE_SCOPE_GPU), 0);
    assert_int_equal(message(FLAG_WRITE, -1, -1, FLAG_READ, RACE_SCOPE_GPU), 1);
}

static void a_chain_of_atomics_releases_all(void **state)
{
    (void)state;
    struct race_block *b[8];
    for (uint32_t i = 0; i < 8; i++) {
        b[i] = race_block_begin(race, 1, i, 32, true);
        at(b[i], 0, WRITE, X + 4 * i);
        fence(b[i], 0, RACE_SCOPE_GPU);
        at(b[i], 0, ATOMIC, FLAG);
    }
    at(b[0], 0, FLAG_READ, FLAG);
    fence(b[0], 0, RACE_SCOPE_GPU);
    for (uint32_t i = 0; i < 8; i++)
        at(b[0], 0, READ, X + 4 * i);
    assert_int_equal(races(), 0);
    at(b[1], 0, FLAG_WRITE, FLAG); /* replaces: only its own last fence is released */
    at(b[2], 0, ACQUIRE, FLAG);
    at(b[2], 0, READ, X + 4);
    assert_int_equal(races(), 0);
    at(b[2], 0, READ, X + 12);
    assert_int_equal(races(), 1);
}

static void grid_barrier(void **state)
{
    (void)state;
    struct race_block *b[3];
    for (uint32_t i = 0; i < 3; i++)
        b[i] = race_block_begin(race, 1, i, 64, true);
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t t = 0; t < 64; t++)
            at(b[i], t, WRITE, X + 4 * (64 * i + t));
        race_block_sync(b[i]);
        fence(b[i], 0, RACE_SCOPE_GPU);
        at(b[i], 0, ATOMIC, FLAG);
    }
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t polls = 0; polls < 1000; polls++)
            at(b[i], 0, FLAG_READ, FLAG);
        fence(b[i], 0, RACE_SCOPE_GPU);
        race_block_sync(b[i]);
        for (uint32_t t = 0; t < 64; t++)
            at(b[i], t, READ, X + 4 * ((64 * i + t * 3 + 71) % 192));
    }
    assert_int_equal(races(), 0);
    at(b[1], 9, WRITE, X); /* what others read after the barrier */
    assert_true(races() > 0);
}

/* Blocks of one launch, whose threads meet by keys, pass a barrier of the grid, whose counter all launches
 * use. The bytes of clocks behind it. */
static size_t launch_of_many(uint64_t task, uint32_t blocks, uint32_t threads)
{
    struct race_block **b = calloc(blocks, sizeof *b);
    assert_non_null(b);
    race_task_begin(race, task);
    if (task > 1) race_task_after(race, task, task - 1);
    for (uint32_t i = 0; i < blocks; i++) {
        b[i] = race_block_begin(race, task, i, threads, true);
        row(b[i], i % (threads / 32), WRITE, X + 128 * i);
        for (uint32_t w = 0; w < threads / 32; w++)
            race_release(b[i], w, ~0u, i);
        race_complete(race, i);
        for (uint32_t w = 0; w < threads / 32; w++)
            race_acquire(b[i], w, ~0u, i);
        fence(b[i], 0, RACE_SCOPE_GPU);
        at(b[i], 0, ATOMIC, FLAG);
    }
    for (uint32_t i = 0; i < blocks; i++) {
        at(b[i], 0, FLAG_READ, FLAG);
        fence(b[i], 0, RACE_SCOPE_GPU);
        race_release(b[i], 0, ~0u, i);
        race_complete(race, i);
        race_acquire(b[i], 1, ~0u, i);
        row(b[i], 1, READ, X + 128 * ((i + 1) % blocks));
    }
    assert_int_equal(races(), 0);
    row(b[1], 0, READ, X); /* this warp did not wait */
    assert_true(races() > 0);
    size_t bytes = race_clock_bytes(race);
    for (uint32_t i = 0; i < blocks; i++)
        race_block_end(b[i]);
    race_task_end(race, task);
    free(b);
    return bytes;
}

/* What barriers of the grid pass on has an entry or two for each block that runs: neither one for each warp,
 * nor any for blocks of launches before. */
static void grid_barriers_of_many_launches(void **state)
{
    (void)state;
    enum { LAUNCHES = 20, BLOCKS = 256, THREADS = 512, ENTRY_BYTES = 16, CLOCKS = 4 };
    size_t most = 0;
    race_free(race);
    struct race_config config = {.found = note};
    race = race_new(&config);
    for (uint64_t task = 1; task <= LAUNCHES; task++) {
        size_t bytes = launch_of_many(task, BLOCKS, THREADS);
        if (bytes > most) most = bytes;
    }
    print_message("at most %zu bytes\n", most);
    assert_in_range(most, 1, BLOCKS * BLOCKS * ENTRY_BYTES * CLOCKS);
    assert_false(race_forgot(race));
}

static void keys_order(void **state)
{
    (void)state;
    struct race_block *b = race_block_begin(race, 1, 0, 96, true);
    at(b, 0, WRITE, X);
    race_release(b, 0, ~0u, KEY);
    at(b, 0, WRITE, X + 4); /* after it */
    race_acquire(b, 1, ~0u, KEY);
    at(b, 32, READ, X); /* the key is not complete */
    assert_int_equal(races(), 1);
    race_complete(race, KEY);
    race_acquire(b, 2, ~0u, KEY);
    at(b, 64, READ, X);
    assert_int_equal(races(), 0);
    at(b, 64, READ, X + 4);
    assert_int_equal(races(), 1);
    race_key_end(race, KEY);
    race_complete(race, KEY);
    race_acquire(b, 1, ~0u, KEY);
    at(b, 32, READ, X);
    assert_int_equal(races(), 1);
}

static void copies_are_threads_of_their_own(void **state)
{
    (void)state;
    struct race_block *b = race_block_begin(race, 1, 0, 64, true);
    struct race_access copy = access_of(WRITE, RACE_SCOPE_CTA);
    at(b, 0, READ, X);
    race_access_affine(b, RACE_ASYNC, &copy, X, 0, 1); /* after what its thread did */
    assert_int_equal(races(), 0);
    at(b, 0, READ, X);
    assert_int_equal(races(), 1);
    assert_true(found[0].before.async && !found[0].now.async);
    race_block_sync(b); /* does not wait for copies */
    at(b, 33, READ, X);
    assert_int_equal(races(), 1);
    race_access_affine(b, RACE_ASYNC, &copy, X + 4, 0, 1);
    race_release(b, RACE_ASYNC, 1, KEY);
    race_complete(race, KEY);
    race_acquire(b, 0, 1, KEY);
    at(b, 0, READ, X + 4);
    assert_int_equal(races(), 0);
    at(b, 33, READ, X + 4);
    assert_int_equal(races(), 1);
    race_block_sync(b);
    at(b, 34, WRITE, X + 4);
    assert_int_equal(races(), 0); /* thread 0 knows the copy, and the barrier passes it on */
}

static void tasks_in_order(void **state)
{
    (void)state;
    at(race_block_begin(race, 1, 0, 32, false), 0, WRITE, X);
    race_task_end(race, 1);
    for (uint64_t task = 2; task < 200; task++) { /* a stream */
        race_task_begin(race, task);
        race_task_after(race, task, task - 1);
        struct race_block *b = race_block_begin(race, task, 0, 32, false);
        at(b, task % 32, WRITE, X);
        race_block_end(b);
        race_task_end(race, task);
    }
    assert_int_equal(races(), 0);
    race_task_begin(race, 300); /* another stream */
    race_task_after(race, 300, 150);
    struct race_block *b = race_block_begin(race, 300, 0, 32, false);
    at(b, 0, READ, X + 64);
    at(b, 0, READ, X);
    assert_int_equal(races(), 1);
    race_task_after(race, 300, 199); /* it waits for an event */
    at(b, 1, READ, X);
    assert_int_equal(races(), 0);
}

static void order_is_transitive_while_tasks_run(void **state)
{
    (void)state;
    struct race_block *a = race_block_begin(race, 1, 0, 32, false);
    race_task_begin(race, 2);
    race_task_begin(race, 3);
    struct race_block *c = race_block_begin(race, 3, 0, 32, false);
    race_task_after(race, 3, 2);
    race_task_after(race, 2, 1);
    at(a, 0, WRITE, X);
    at(c, 0, READ, X);
    assert_int_equal(races(), 0);
}

/* What a task learnt through memory goes to those after it. */
static void a_number_means_another_task_again(void **state)
{
    (void)state;
    race_task_begin(race, 2);
    race_task_begin(race, 3);
    race_task_after(race, 2, 1);
    struct race_block *first = race_block_begin(race, 1, 0, 32, false);
    at(first, 0, WRITE, X);
    race_block_end(first);
    race_task_again(race, 1);
    struct race_block *again = race_block_begin(race, 1, 0, 32, false);
    at(again, 5, WRITE, X); /* after the first */
    race_block_end(again);
    struct race_block *after = race_block_begin(race, 2, 0, 32, false);
    at(after, 9, WRITE, X); /* after both: it was said of the number before */
    race_block_end(after);
    assert_int_equal(races(), 0);
    struct race_block *other = race_block_begin(race, 3, 0, 32, false);
    at(other, 1, READ, X);
    race_block_end(other);
    assert_int_equal(races(), 1);
}

static void tasks_pass_on_what_they_know(void **state)
{
    (void)state;
    struct race_block *a = race_block_begin(race, 1, 0, 32, true);
    at(a, 0, WRITE, X);
    fence(a, 0, RACE_SCOPE_GPU);
    at(a, 0, FLAG_WRITE, FLAG);
    race_task_begin(race, 2);
    struct race_block *b = race_block_begin(race, 2, 0, 32, true);
    at(b, 0, ACQUIRE, FLAG);
    race_block_end(b);
    race_task_end(race, 2);
    race_task_begin(race, 3);
    race_task_after(race, 3, 2);
    struct race_block *c = race_block_begin(race, 3, 0, 32, false);
    at(c, 0, READ, X);
    assert_int_equal(races(), 0);
    at(a, 0, WRITE, X + 4);
    at(c, 0, READ, X + 4);
    assert_int_equal(races(), 1);
}

static void memory_is_forgotten(void **state)
{
    (void)state;
    struct race_block *a = race_block_begin(race, 1, 0, 32, false);
    struct race_block *b = race_block_begin(race, 1, 1, 32, false);
    struct race_access whole = access_of(WRITE, RACE_SCOPE_CTA);
    whole.bytes = 10000; /* three pages */
    race_access_affine(a, 0, &whole, X, 0, 1);
    race_forget(race, X + 2, 9000);
    at(b, 0, READ, X + 4);
    at(b, 0, READ, X + 4096);
    at(b, 0, READ, X + 8996);
    assert_int_equal(races(), 0);
    at(b, 0, READ, X + 9004);
    at(b, 0, READ, X);
    assert_int_equal(races(), 2);
}

/* A million accesses of a flag: no set grows, no clock does; the test would take minutes. */
static void polling_is_cheap(void **state)
{
    (void)state;
    struct race_block *a = race_block_begin(race, 1, 0, 32, true);
    struct race_block *b = race_block_begin(race, 1, 1, 256, true);
    at(a, 0, WRITE, X);
    fence(a, 0, RACE_SCOPE_GPU);
    at(a, 0, FLAG_WRITE, FLAG);
    for (uint32_t i = 0; i < 1000000; i++)
        at(b, i % 8 * 32, FLAG_READ, FLAG);
    fence(b, 32, RACE_SCOPE_GPU);
    at(b, 32, READ, X);
    assert_int_equal(races(), 0);
    assert_false(race_forgot(race));
}

/* Many launches of many blocks with few numbers: what is old is known to be so, what is new races. */
static void numbers_are_used_again(void **state)
{
    (void)state;
    race_free(race);
    struct race_config config = {.found = note, .slices = 1000};
    race = race_new(&config);
    for (uint64_t task = 1; task < 50; task++) {
        race_task_begin(race, task);
        if (task > 1) race_task_after(race, task, task - 1);
        for (uint64_t i = 0; i < 100; i++) {
            struct race_block *b = race_block_begin(race, task, i, 64, false);
            at(b, 40, READ, X + 4 * i);
            at(b, 0, WRITE, X + 4096 + 4 * i);
            race_block_sync(b);
            at(b, 40, WRITE, X + 4096 + 4 * i);
            race_block_end(b);
        }
        race_task_end(race, task);
    }
    assert_int_equal(races(), 0);
    assert_false(race_forgot(race));
    race_task_begin(race, 100);
    race_task_after(race, 100, 48);
    at(race_block_begin(race, 100, 0, 32, false), 0, READ, X + 4096 + 4 * 63);
    assert_int_equal(races(), 1);
    assert_int_equal(found[0].before.task, 49);
    assert_int_equal(found[0].before.block, 63);
    assert_int_equal(found[0].before.thread, 40);
}

static void numbers_change_while_a_task_runs(void **state)
{
    (void)state;
    race_free(race);
    struct race_config config = {.found = note, .slices = 50};
    race = race_new(&config);
    struct race_block *b = NULL;
    for (uint64_t task = 1; task <= 2; task++) {
        race_task_begin(race, task);
        if (task == 2) race_task_after(race, 2, 1);
        b = race_block_begin(race, task, 0, 32, false);
        for (uint32_t i = 0; i < 40; i++) {
            at(b, 0, WRITE, X);
            race_block_sync(b);
        }
    }
    assert_int_equal(races(), 0);
    at(b, 0, WRITE, X + 4);
    at(race_block_begin(race, 2, 1, 32, false), 0, READ, X + 4);
    assert_int_equal(races(), 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
int main(void)
{
    const struct CMUnitTest tests[] = {CASE(barrier_orders_a_block),
                                       CASE(warps_are_ordered_by_a_sync_only),
                                       CASE(part_of_a_warp_syncs),
                                       CASE(blocks_are_not_ordered),
                                       CASE(readers_of_many_blocks),
                                       CASE(lanes_of_one_write),
                                       CASE(readers_of_two_warps),
                                       CASE(rows_of_complex_launches),
                                       CASE(numbers_change_while_a_task_runs),
                                       CASE(bytes_are_told_apart),
                                       CASE(strong_accesses_by_scope),
                                       CASE(flags_with_fences),
                                       CASE(reads_acquire_where_asked),
                                       CASE(a_chain_of_atomics_releases_all),
                                       CASE(grid_barrier),
                                       CASE(grid_barriers_of_many_launches),
                                       CASE(keys_order),
                                       CASE(copies_are_threads_of_their_own),
                                       CASE(tasks_in_order),
                                       CASE(order_is_transitive_while_tasks_run),
                                       CASE(a_number_means_another_task_again),
                                       CASE(tasks_pass_on_what_they_know),
                                       CASE(memory_is_forgotten),
                                       CASE(polling_is_cheap),
                                       CASE(numbers_are_used_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: MT19937 in the order in which cuRAND gives it: 8192 lanes, each 2^2048 numbers ahead of the one
 * before, 8 words of a lane side by side.
 * Method: a lane's start is the sum over GF(2) of those windows of the recurrence of the lane before that
 * t^(2^2048) modulo the characteristic polynomial names (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer,
 * "Efficient jump ahead for F2-linear random number generators", 2008); windows that the same 8 bits of the
 * polynomial choose are summed up first. Lanes are started when they are asked for. A pass of a lane is its
 * next 624 words.
 * Limits: a first call for more than 65,528 words starts all lanes, which takes about a second; where lanes
 * start is kept, in up to 20 MB, for generators with the seed that was last asked for. */
#include "random_priv.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { N = 624, M = 397, DEGREE = 19937, LANES = 8192, SIDE = 8, ROW = LANES * SIDE, ROWS = N / SIDE };
enum { PASS = ROWS * ROW };
#define MATRIX 0x9908b0dfu /* published */

/* ---- the polynomial t^(2^2048): its coefficients, eight a byte (random_mt_jump.py) */

__asm__(".pushsection .rodata\n"
        ".globl random_mt_jump\n"
        ".hidden random_mt_jump\n"
        "random_mt_jump:\n"
        ".incbin \"" RANDOM_MT_JUMP "\"\n"
        ".popsection\n");
extern const uint8_t random_mt_jump[DEGREE / 8 + 1];

/* ---- the recurrence */

/* Words N... of a sequence that is longer than N by `count`. */
static RANDOM_WIDE void recur(uint32_t *restrict w, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t some = count - i < N - M ? count - i : N - M; /* that do not depend on each other */
        for (size_t j = i; j < i + some; j++) {
            uint32_t y = (w[j] & 0x80000000u) | (w[j + 1] & 0x7fffffffu);
            w[j + N] = w[j + M] ^ y >> 1 ^ ((0u - (y & 1)) & MATRIX);
        }
        i += some;
    }
}

static RANDOM_WIDE void add(uint32_t *restrict to, const uint32_t *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] ^= from[i];
}

struct workspace {
    uint32_t sequence[DEGREE + 2 * N];
    uint32_t sums[256]
                 [N + 8]; /* of windows that these bits choose; number 1 << i at last: of all with bit i */
};

static void jump_lane(const uint32_t from[N], uint32_t to[N], struct workspace *x)
{
    memcpy(x->sequence, from, N * sizeof *from);
    recur(x->sequence, DEGREE + N);
    memset(x->sums, 0, sizeof x->sums);
    for (unsigned i = 0; i <= DEGREE / 8; i++)
        if (random_mt_jump[i]) add(x->sums[random_mt_jump[i]], x->sequence + 8 * i, N + 8);
    for (unsigned bit = 7; bit > 0; bit--)
        for (unsigned low = 1; low < 1u << bit; low++) {
            add(x->sums[1u << bit], x->sums[1u << bit | low], N + 8);
            add(x->sums[low], x->sums[1u << bit | low], N + 8);
        }
    memset(to, 0, N * sizeof *to);
    for (unsigned bit = 0; bit < 8; bit++)
        add(to, x->sums[1u << bit] + bit, N);
}

/* ---- lanes and their order */

struct random_mt {
    uint32_t (*state)[N];  /* of lanes that were started */
    uint32_t (*pass)[ROW]; /* tempered, by rows: of the pass that lanes are in */
    uint32_t *passes;      /* that each lane has made */
    uint32_t seed, lanes;  /* lanes that were started */
    uint64_t at;           /* position of the next word */
    uint16_t word[ROWS][SIDE];
};

/* Which word of a lane's pass is in which row: one of each 113 or 57 first, then blocks of 7 rows. */
static void order_make(uint16_t word[ROWS][SIDE])
{
    enum { BLOCK = 7 };
    /* observed: those of row 0; blocks of 56 words lie between and after them */
    static const uint16_t FIRST[SIDE] = {0, 113, 170, 283, 340, 397, 510, 567};
    unsigned next = 0, first = 0;
    memcpy(word[0], FIRST, sizeof FIRST);
    for (unsigned row = 1; row < ROWS; row += BLOCK) {
        if (first < SIDE && next == FIRST[first]) next++, first++;
        for (unsigned side = 0; side < SIDE; side++)
            for (unsigned i = 0; i < BLOCK; i++)
                word[row + i][side] = (uint16_t)(next + BLOCK * side + i);
        next += BLOCK * SIDE;
    }
}

struct random_mt *random_mt_new(uint64_t seed, uint64_t offset)
{
    struct random_mt *x = sw_xcalloc(1, sizeof *x);
    x->state = sw_xcalloc(LANES, sizeof *x->state);
    x->pass = sw_xcalloc(ROWS, sizeof *x->pass);
    x->passes = sw_xcalloc(LANES, sizeof *x->passes);
    x->seed = (uint32_t)seed;
    order_make(x->word);
    x->at = offset;
    return x;
}

void random_mt_free(struct random_mt *x)
{
    if (!x) return;
    free(x->state);
    free(x->pass);
    free(x->passes);
    free(x);
}

static RANDOM_WIDE void temper(const uint32_t *restrict from, uint32_t *restrict to)
{
    for (unsigned i = 0; i < N; i++) {
        uint32_t y = from[i];
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c5680u;
        y ^= y << 15 & 0xefc60000u;
        to[i] = y ^ y >> 18;
    }
}

static void lane_pass(struct random_mt *x, uint32_t lane, uint32_t (*rows)[ROW])
{
    uint32_t w[2 * N], out[N];
    memcpy(w, x->state[lane], sizeof x->state[lane]);
    recur(w, N);
    memcpy(x->state[lane], w + N, sizeof x->state[lane]);
    temper(w + N, out);
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned side = 0; side < SIDE; side++)
            rows[row][lane * SIDE + side] = out[x->word[row][side]];
    x->passes[lane]++;
}

/* Where lanes start, as far as it was computed for the last seed that was asked for. */
static struct {
    pthread_mutex_t lock;
    uint32_t seed, lanes;
    uint32_t (*state)[N], next[N]; /* next: of the lane after those */
    struct workspace *room;
} starts = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void starts_reset(uint32_t seed)
{
    if (!starts.state) {
        starts.state = sw_xcalloc(LANES, sizeof *starts.state);
        starts.room = sw_xmalloc(sizeof *starts.room);
    }
    starts.seed = seed;
    starts.lanes = 0;
    starts.next[0] = seed;
    for (uint32_t i = 1; i < N; i++) /* published: init_genrand */
        starts.next[i] = 1812433253u * (starts.next[i - 1] ^ starts.next[i - 1] >> 30) + i;
}

static void lanes_start(struct random_mt *x, uint32_t end)
{
    if (x->lanes >= end) return;
    pthread_mutex_lock(&starts.lock);
    if (!starts.state || starts.seed != x->seed) starts_reset(x->seed);
    for (; starts.lanes < end; starts.lanes++) {
        memcpy(starts.state[starts.lanes], starts.next, sizeof starts.next);
        if (starts.lanes + 1 < LANES) jump_lane(starts.state[starts.lanes], starts.next, starts.room);
    }
    memcpy(x->state[x->lanes], starts.state[x->lanes], (end - x->lanes) * sizeof *x->state);
    pthread_mutex_unlock(&starts.lock);
    x->lanes = end;
}

/* Lanes [first, end) have made `passes`; the last one goes to rows. */
static void lanes_reach(struct random_mt *x, uint32_t first, uint32_t end, uint64_t passes,
                        uint32_t (*rows)[ROW])
{
    lanes_start(x, end);
    for (uint32_t lane = first; lane < end; lane++)
        while (x->passes[lane] < passes)
            lane_pass(x, lane, rows);
}

void random_mt_words(struct random_mt *x, size_t count, uint32_t *out)
{
    while (count) {
        uint64_t pass = x->at / PASS, within = x->at % PASS;
        if (within == 0 && count >= PASS) {
            lanes_reach(x, 0, LANES, pass + 1, (uint32_t(*)[ROW])out);
            x->at += PASS;
            out += PASS;
            count -= PASS;
            continue;
        }
        size_t row = within / ROW, column = within % ROW, some = ROW - column;
        if (some > count) some = count;
        lanes_reach(x, (uint32_t)(column / SIDE), (uint32_t)((column + some - 1) / SIDE + 1), pass + 1,
                    x->pass);
        memcpy(out, x->pass[row] + column, some * sizeof *out);
        x->at += some;
        out += some;
        count -= some;
    }
}

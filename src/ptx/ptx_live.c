/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness: backwards data flow on bit sets, in sweeps over the blocks, and the most bytes of
 * registers live at once, which estimates what a thread needs.
 *
 * Registers do not depend on one another, so the sets of a function with very many blocks and registers are
 * solved in slices of registers, as many words at a time as keeps the four sets of all blocks in SLICE_BYTES
 * (an ordinary kernel is one slice); the pressure is summed up by instruction. ptx_live_bytes needs no more
 * memory than that, however large the text.
 *
 * Models: a guarded write does not kill; predicates count one byte each, other registers their width, at
 * least 4. Does not model: the registers that ptxas saves by rematerialising, or spends on addresses and
 * latency. */
#include "ptx_priv.h"

#include <stdlib.h>
#include <string.h>

struct regs { /* registers of one instruction */
    uint32_t at[PTX_INSTR_REGS], count;
};

static void live_get(struct regs *regs, const struct ptx_instr *instr,
                     unsigned (*which)(const struct ptx_instr *, uint32_t *, unsigned))
{
    regs->count = which(instr, regs->at, PTX_INSTR_REGS);
}

enum { SLICE_BYTES = 64 << 20, SETS = 4 };

/* The sets of all blocks for the registers of some words: word w of block b at [b * words + w - first]. */
struct flow {
    const struct ptx_cfg *cfg;
    uint32_t first, words;
    uint64_t *in, *out, *use, *kill;
};

static uint64_t *live_row(const struct flow *f, uint64_t *set, uint32_t b)
{
    return set + (size_t)b * f->words;
}

static bool live_has(const struct flow *f, uint32_t reg)
{
    return reg / 64 - f->first < f->words;
}

static bool test(const struct flow *f, const uint64_t *set, uint32_t reg)
{
    return set[reg / 64 - f->first] >> (reg % 64) & 1;
}

static void live_put(const struct flow *f, uint64_t *set, uint32_t reg)
{
    set[reg / 64 - f->first] |= UINT64_C(1) << (reg % 64);
}

static void live_take(const struct flow *f, uint64_t *set, uint32_t reg)
{
    set[reg / 64 - f->first] &= ~(UINT64_C(1) << (reg % 64));
}

/* use: read before written; kill: written for every lane. */
static void live_summarise(const struct flow *f, const struct ptx_block *block, uint64_t *use, uint64_t *kill)
{
    for (uint32_t i = block->first; i < block->last; i++) {
        const struct ptx_instr *instr = &f->cfg->function->instrs[i];
        struct regs regs;
        live_get(&regs, instr, ptx_instr_uses);
        for (uint32_t r = 0; r < regs.count; r++)
            if (live_has(f, regs.at[r]) && !test(f, kill, regs.at[r])) live_put(f, use, regs.at[r]);
        if (instr->guard != PTX_NO_REG) continue;
        live_get(&regs, instr, ptx_instr_defs);
        for (uint32_t r = 0; r < regs.count; r++)
            if (live_has(f, regs.at[r])) live_put(f, kill, regs.at[r]);
    }
}

/* True when what is live on entry to the block grew. */
static bool live_transfer(const struct flow *f, uint32_t b)
{
    const struct ptx_block *block = &f->cfg->blocks[b];
    uint64_t *in = live_row(f, f->in, b), *out = live_row(f, f->out, b);
    const uint64_t *use = live_row(f, f->use, b), *kill = live_row(f, f->kill, b);
    bool grew = false;
    for (uint32_t s = 0; s < block->succ_count; s++) {
        const uint64_t *next = live_row(f, f->in, block->succ[s]);
        for (uint32_t w = 0; w < f->words; w++)
            out[w] |= next[w];
    }
    for (uint32_t w = 0; w < f->words; w++) {
        uint64_t value = use[w] | (out[w] & ~kill[w]);
        grew |= value != in[w];
        in[w] = value;
    }
    return grew;
}

/* Sweeps over the blocks whose successors changed, each from the last block to the first: their numbers are a
 * reverse post-order, so a sweep carries what it finds along every edge but those that go back. (A stack of
 * blocks took cubic time where jumps go anywhere: 26 s for 10,000, this 0.4.) */
static void solve(const struct flow *f)
{
    uint32_t n = f->cfg->block_count, count = n;
    bool *waiting = sw_xmalloc(n + 1);
    memset(waiting, true, n);
    while (count)
        for (uint32_t b = n; b-- > 0;) {
            if (!waiting[b]) continue;
            waiting[b] = false;
            count--;
            if (!live_transfer(f, b)) continue;
            const struct ptx_block *block = &f->cfg->blocks[b];
            for (uint32_t i = 0; i < block->pred_count; i++) {
                count += !waiting[block->pred[i]];
                waiting[block->pred[i]] = true;
            }
        }
    free(waiting);
}

/* ---- pressure ---- */

static uint32_t weight(const struct ptx_reg *reg)
{
    uint32_t bytes = isa_type_bits(reg->type) / 8;
    if (reg->type == ISA_PRED) return 1;
    return (bytes < 4 ? 4 : bytes) * (reg->vector ? reg->vector : 1u);
}

static uint32_t set_bytes(const struct flow *f, const uint64_t *set)
{
    uint32_t bytes = 0;
    for (uint32_t w = 0; w < f->words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1)
            bytes += weight(&f->cfg->function->regs[(f->first + w) * 64 + (uint32_t)__builtin_ctzll(bits)]);
    return bytes;
}

/* Walk a block backwards from what is live after it, and add the bytes of the slice that are live in front
 * of each instruction to at[0], at[1], ...; those after the last come last. now: what is live; changed. */
static void add_pressure(const struct flow *f, const struct ptx_block *block, uint64_t *now, uint32_t *at)
{
    const struct ptx_function *function = f->cfg->function;
    uint32_t bytes = set_bytes(f, now);
    at[block->last - block->first] += bytes;
    for (uint32_t i = block->last; i-- > block->first;) {
        const struct ptx_instr *instr = &function->instrs[i];
        struct regs regs;
        live_get(&regs, instr, ptx_instr_defs);
        for (uint32_t r = 0; r < regs.count; r++)
            if (instr->guard == PTX_NO_REG && live_has(f, regs.at[r]) && test(f, now, regs.at[r])) {
                live_take(f, now, regs.at[r]);
                bytes -= weight(&function->regs[regs.at[r]]);
            }
        live_get(&regs, instr, ptx_instr_uses);
        for (uint32_t r = 0; r < regs.count; r++)
            if (live_has(f, regs.at[r]) && !test(f, now, regs.at[r])) {
                live_put(f, now, regs.at[r]);
                bytes += weight(&function->regs[regs.at[r]]);
            }
        at[i - block->first] += bytes;
    }
}

/* ---- slices ---- */

static uint32_t slice_words(const struct ptx_cfg *cfg, uint32_t words)
{
    uint64_t fit = SLICE_BYTES / (SETS * sizeof(uint64_t) * (cfg->block_count ? cfg->block_count : 1));
    return fit < 1 ? 1 : fit < words ? (uint32_t)fit : words;
}

static void keep_rows(const struct flow *f, struct ptx_liveness *live)
{
    for (uint32_t b = 0; b < f->cfg->block_count; b++) {
        memcpy(live->live_in[b] + f->first, live_row(f, f->in, b), f->words * sizeof(uint64_t));
        memcpy(live->live_out[b] + f->first, live_row(f, f->out, b), f->words * sizeof(uint64_t));
    }
}

static void run_slice(struct flow *f, uint32_t *at, struct ptx_liveness *rows)
{
    uint32_t n = f->cfg->block_count;
    memset(f->in, 0, (size_t)n * f->words * SETS * sizeof(uint64_t));
    for (uint32_t b = 0; b < n; b++)
        live_summarise(f, &f->cfg->blocks[b], live_row(f, f->use, b), live_row(f, f->kill, b));
    solve(f);
    if (rows) keep_rows(f, rows);
    for (uint32_t b = 0; b < n; b++) {
        const struct ptx_block *block = &f->cfg->blocks[b];
        add_pressure(f, block, live_row(f, f->out, b), at);
        at += block->last - block->first + 1;
    }
}

/* All slices; rows: where the sets are kept, or NULL. Returns the most bytes live at once. */
static uint32_t run_slices(const struct ptx_cfg *cfg, struct ptx_liveness *rows)
{
    uint32_t words = (cfg->function->reg_count + 63) / 64, step = slice_words(cfg, words), most = 0;
    size_t n = cfg->block_count, positions = 0, set = n * step;
    for (uint32_t b = 0; b < n; b++)
        positions += cfg->blocks[b].last - cfg->blocks[b].first + 1;
    uint32_t *at = sw_xcalloc(positions + 1, sizeof *at);
    uint64_t *sets = sw_xmalloc((set * SETS + 1) * sizeof *sets);
    for (uint32_t first = 0; first < words; first += step) {
        uint32_t here = words - first < step ? words - first : step;
        size_t each = n * here;
        struct flow flow = {cfg, first, here, sets, sets + each, sets + 2 * each, sets + 3 * each};
        run_slice(&flow, at, rows);
    }
    for (size_t i = 0; i < positions; i++)
        if (at[i] > most) most = at[i];
    free(sets);
    free(at);
    return most;
}

uint32_t ptx_live_bytes(const struct ptx_cfg *cfg)
{
    return run_slices(cfg, NULL);
}

void ptx_liveness_build(const struct ptx_cfg *cfg, struct arena *arena, struct ptx_liveness *out)
{
    uint32_t n = cfg->block_count, words = (cfg->function->reg_count + 63) / 64;
    *out = (struct ptx_liveness){.live_in = ARENA_ARRAY(arena, uint64_t *, n),
                                 .live_out = ARENA_ARRAY(arena, uint64_t *, n),
                                 .words = words};
    for (uint32_t b = 0; b < n; b++) {
        out->live_in[b] = ARENA_ARRAY(arena, uint64_t, words);
        out->live_out[b] = ARENA_ARRAY(arena, uint64_t, words);
    }
    run_slices(cfg, out);
}

uint32_t ptx_register_estimate(uint32_t live_bytes, uint32_t maxnreg)
{
    enum { WORKING = 6, LEAST = 8, MOST = 255 };
    uint32_t registers = (live_bytes + 3) / 4 + WORKING, most = maxnreg ? maxnreg : MOST;
    return registers < LEAST ? LEAST : registers > most ? most : registers;
}

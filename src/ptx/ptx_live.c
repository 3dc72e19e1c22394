/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness: backwards data flow on bit sets, one block at a time from a work list, and the most bytes of
 * registers live at once, which estimates what a thread needs.
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

static void get(struct regs *regs, const struct ptx_instr *instr,
                unsigned (*which)(const struct ptx_instr *, uint32_t *, unsigned))
{
    regs->count = which(instr, regs->at, PTX_INSTR_REGS);
}

static bool test(const uint64_t *set, uint32_t reg)
{
    return set[reg / 64] >> (reg % 64) & 1;
}

/* use: read before written; kill: written for every lane. */
static void summarise(const struct ptx_cfg *cfg, const struct ptx_block *block, uint64_t *use, uint64_t *kill)
{
    for (uint32_t i = block->first; i < block->last; i++) {
        const struct ptx_instr *instr = &cfg->function->instrs[i];
        struct regs regs;
        get(&regs, instr, ptx_instr_uses);
        for (uint32_t r = 0; r < regs.count; r++)
            if (!test(kill, regs.at[r])) use[regs.at[r] / 64] |= UINT64_C(1) << (regs.at[r] % 64);
        if (instr->guard != PTX_NO_REG) continue;
        get(&regs, instr, ptx_instr_defs);
        for (uint32_t r = 0; r < regs.count; r++)
            kill[regs.at[r] / 64] |= UINT64_C(1) << (regs.at[r] % 64);
    }
}

struct flow {
    const struct ptx_cfg *cfg;
    struct ptx_liveness *live;
    uint64_t *use, *kill; /* words of each block */
};

/* True when live_in of the block grew. */
static bool transfer(const struct flow *f, uint32_t b)
{
    const struct ptx_block *block = &f->cfg->blocks[b];
    uint32_t words = f->live->words;
    uint64_t *in = f->live->live_in[b], *out = f->live->live_out[b];
    bool grew = false;
    for (uint32_t s = 0; s < block->succ_count; s++)
        for (uint32_t w = 0; w < words; w++)
            out[w] |= f->live->live_in[block->succ[s]][w];
    for (uint32_t w = 0; w < words; w++) {
        uint64_t value = f->use[(size_t)b * words + w] | (out[w] & ~f->kill[(size_t)b * words + w]);
        grew |= value != in[w];
        in[w] = value;
    }
    return grew;
}

/* A stack of blocks to visit, each at most once on it; started so that the last block comes off first. */
static void solve(const struct flow *f)
{
    uint32_t n = f->cfg->block_count, count = 0;
    uint32_t *stack = sw_xcalloc(n, sizeof *stack);
    bool *waiting = sw_xcalloc(n, sizeof *waiting);
    for (uint32_t b = 0; b < n; b++) {
        stack[count++] = b;
        waiting[b] = true;
    }
    while (count) {
        uint32_t b = stack[--count];
        waiting[b] = false;
        if (!transfer(f, b)) continue;
        for (uint32_t i = 0; i < f->cfg->blocks[b].pred_count; i++) {
            uint32_t p = f->cfg->blocks[b].pred[i];
            if (waiting[p]) continue;
            waiting[p] = true;
            stack[count++] = p;
        }
    }
    free(stack);
    free(waiting);
}

/* ---- pressure ---- */

static uint32_t weight(const struct ptx_reg *reg)
{
    uint32_t bytes = ptx_type_bits(reg->type) / 8;
    if (reg->type == PTX_PRED) return 1;
    return (bytes < 4 ? 4 : bytes) * (reg->vector ? reg->vector : 1u);
}

static uint32_t set_bytes(const struct ptx_function *f, const uint64_t *set, uint32_t words)
{
    uint32_t bytes = 0;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1)
            bytes += weight(&f->regs[w * 64 + (uint32_t)__builtin_ctzll(bits)]);
    return bytes;
}

/* Walk a block backwards from live_out; returns the most bytes seen. now: scratch. */
static uint32_t pressure(const struct ptx_cfg *cfg, const struct ptx_block *block, uint64_t *now,
                         uint32_t words)
{
    const struct ptx_function *f = cfg->function;
    uint32_t bytes = set_bytes(f, now, words), most = bytes;
    for (uint32_t i = block->last; i-- > block->first;) {
        const struct ptx_instr *instr = &f->instrs[i];
        struct regs regs;
        get(&regs, instr, ptx_instr_defs);
        for (uint32_t r = 0; r < regs.count; r++)
            if (instr->guard == PTX_NO_REG && test(now, regs.at[r])) {
                now[regs.at[r] / 64] &= ~(UINT64_C(1) << (regs.at[r] % 64));
                bytes -= weight(&f->regs[regs.at[r]]);
            }
        get(&regs, instr, ptx_instr_uses);
        for (uint32_t r = 0; r < regs.count; r++)
            if (!test(now, regs.at[r])) {
                now[regs.at[r] / 64] |= UINT64_C(1) << (regs.at[r] % 64);
                bytes += weight(&f->regs[regs.at[r]]);
            }
        if (bytes > most) most = bytes;
    }
    return most;
}

void ptx_liveness_build(const struct ptx_cfg *cfg, struct arena *arena, struct ptx_liveness *out)
{
    uint32_t n = cfg->block_count, words = (cfg->function->reg_count + 63) / 64;
    *out = (struct ptx_liveness){.live_in = ARENA_ARRAY(arena, uint64_t *, n),
                                 .live_out = ARENA_ARRAY(arena, uint64_t *, n),
                                 .words = words};
    struct flow flow = {cfg, out, sw_xcalloc((size_t)n * words, 8), sw_xcalloc((size_t)n * words, 8)};
    for (uint32_t b = 0; b < n; b++) {
        out->live_in[b] = ARENA_ARRAY(arena, uint64_t, words);
        out->live_out[b] = ARENA_ARRAY(arena, uint64_t, words);
        summarise(cfg, &cfg->blocks[b], flow.use + (size_t)b * words, flow.kill + (size_t)b * words);
    }
    solve(&flow);
    uint64_t *now = sw_xcalloc(words, 8);
    for (uint32_t b = 0; b < n; b++) {
        memcpy(now, out->live_out[b], words * sizeof *now);
        uint32_t bytes = pressure(cfg, &cfg->blocks[b], now, words);
        if (bytes > out->max_live_bytes) out->max_live_bytes = bytes;
    }
    free(now);
    free(flow.use);
    free(flow.kill);
}

uint32_t ptx_register_estimate(const struct ptx_liveness *live, uint32_t maxnreg)
{
    enum { WORKING = 6, LEAST = 8, MOST = 255 };
    uint32_t registers = (live->max_live_bytes + 3) / 4 + WORKING, most = maxnreg ? maxnreg : MOST;
    return registers < LEAST ? LEAST : registers > most ? most : registers;
}

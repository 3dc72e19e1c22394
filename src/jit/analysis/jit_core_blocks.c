/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of control: those of ptx_cfg cut after every barrier, and around every warp operation where lanes
 * may wait for each other; with liveness at the cuts, of registers that some block reads before it writes
 * them: no others live across blocks. Limits: bit matrices of blocks x blocks and blocks x such registers;
 * 20,000 blocks take 100 MB. What would take more than SETS_MOST is refused. */
#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"

#include <string.h>

static bool is_collective_block(const struct jit *jit, uint32_t instr)
{
    return jit->collectives && jit_bit(jit->collectives, instr);
}

static uint32_t count_blocks(const struct jit *jit)
{
    uint32_t count = jit->cfg.block_count;
    for (uint32_t b = 0; b < jit->cfg.block_count; b++)
        for (uint32_t i = jit->cfg.blocks[b].first; i < jit->cfg.blocks[b].last; i++)
            count += ptx_instr_is_barrier(&jit->function->instrs[i]) + 2u * is_collective_block(jit, i);
    return count;
}

static enum jit_end blocks_end_of(const struct ptx_block *block)
{
    switch (block->end) {
    case PTX_END_FALL:
    case PTX_END_BRANCH: return JIT_END_JUMP;
    case PTX_END_COND: return JIT_END_COND;
    case PTX_END_TABLE: return JIT_END_TABLE;
    case PTX_END_EXIT: return JIT_END_EXIT;
    }
    BUG("unknown block end %d", (int)block->end);
}

/* A piece of ptx_cfg's block b that goes on with the next piece. */
static uint32_t add_piece(struct jit *jit, uint32_t b, uint32_t first, uint32_t last, enum jit_end end,
                          uint32_t number)
{
    struct jit_block *cut = &jit->blocks[number];
    *cut = (struct jit_block){
        .first = first, .last = last, .end = end, .source = b, .succ_count = 1, .cut = true};
    cut->succ = ARENA_ARRAY(&jit->arena, uint32_t, 1);
    cut->succ[0] = number + 1;
    cut->in_cycle = jit->cfg.blocks[b].in_cycle;
    return number + 1;
}

/* Cut block b after its barriers, before and after its collectives, into blocks from `next` on. */
static uint32_t cut_block(struct jit *jit, uint32_t b, uint32_t next)
{
    const struct ptx_block *source = &jit->cfg.blocks[b];
    uint32_t first = source->first;
    for (uint32_t i = source->first; i < source->last; i++) {
        if (is_collective_block(jit, i)) {
            next = add_piece(jit, b, first, i, JIT_END_JUMP, next);
            next = add_piece(jit, b, i, i + 1, JIT_END_COLLECTIVE, next);
        } else if (ptx_instr_is_barrier(&jit->function->instrs[i])) {
            next = add_piece(jit, b, first, i + 1, JIT_END_BARRIER, next);
        } else {
            continue;
        }
        first = i + 1;
    }
    struct jit_block *rest = &jit->blocks[next];
    *rest =
        (struct jit_block){.first = first, .last = source->last, .end = blocks_end_of(source), .source = b};
    rest->in_cycle = source->in_cycle;
    return next + 1;
}

/* ---- liveness */

static unsigned blocks_reads(const struct jit *jit, const struct ptx_instr *instr, uint32_t *regs)
{
    unsigned count = ptx_instr_uses(instr, regs, PTX_INSTR_REGS);
    if (jit_reads_carry(instr)) regs[count++] = JIT_REG_CARRY(jit);
    return count;
}

/* A guarded instruction may leave the old value. */
static unsigned replaces(const struct jit *jit, const struct ptx_instr *instr, uint32_t *regs)
{
    if (instr->guard != PTX_NO_REG) return 0;
    unsigned count = ptx_instr_defs(instr, regs, PTX_INSTR_REGS);
    if (jit_writes_carry(instr)) regs[count++] = JIT_REG_CARRY(jit);
    return count;
}

/* A bit for each register that some block reads before it writes it; returns how many. */
static uint32_t number_crossing(struct jit *jit)
{
    uint32_t regs[PTX_INSTR_REGS + 1], count = 0;
    uint32_t *written = ARENA_ARRAY(&jit->arena, uint32_t, jit->reg_count); /* last in block - 1 */
    jit->crossing = ARENA_ARRAY(&jit->arena, uint32_t, jit->reg_count);
    memset(jit->crossing, 0xff, jit->reg_count * sizeof *jit->crossing);
    for (uint32_t b = 0; b < jit->block_count; b++)
        for (uint32_t i = jit->blocks[b].first; i < jit->blocks[b].last; i++) {
            const struct ptx_instr *instr = &jit->function->instrs[i];
            for (unsigned n = blocks_reads(jit, instr, regs); n-- > 0;)
                if (written[regs[n]] != b + 1 && jit->crossing[regs[n]] == JIT_STAYS)
                    jit->crossing[regs[n]] = count++;
            for (unsigned n = replaces(jit, instr, regs); n-- > 0;)
                written[regs[n]] = b + 1;
        }
    return count;
}

/* Liveness before instruction `instr`, from that after it. */
static void step_live(const struct jit *jit, uint64_t *live, const struct ptx_instr *instr)
{
    uint32_t regs[PTX_INSTR_REGS + 1], at;
    for (unsigned n = replaces(jit, instr, regs); n-- > 0;)
        if ((at = jit->crossing[regs[n]]) != JIT_STAYS) live[at / 64] &= ~(1ull << (at % 64));
    for (unsigned n = blocks_reads(jit, instr, regs); n-- > 0;)
        if ((at = jit->crossing[regs[n]]) != JIT_STAYS) jit_bit_set(live, at);
}

/* live_in of every block, from its successors; the carry flag is a register like any other. */
static bool update_live(struct jit *jit, struct jit_block *block, uint64_t *live)
{
    memset(live, 0, jit->cross_words * sizeof *live);
    for (uint32_t s = 0; s < block->succ_count; s++)
        for (uint32_t w = 0; w < jit->cross_words; w++)
            live[w] |= jit->blocks[block->succ[s]].live_in[w];
    for (uint32_t i = block->last; i-- > block->first;)
        step_live(jit, live, &jit->function->instrs[i]);
    if (memcmp(live, block->live_in, jit->cross_words * sizeof *live) == 0) return false;
    memcpy(block->live_in, live, jit->cross_words * sizeof *live);
    return true;
}

static void build_live(struct jit *jit)
{
    uint64_t *live = ARENA_ARRAY(&jit->arena, uint64_t, jit->cross_words);
    for (uint32_t b = 0; b < jit->block_count; b++)
        jit->blocks[b].live_in = ARENA_ARRAY(&jit->arena, uint64_t, jit->cross_words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = jit->block_count; b-- > 0;)
            changed |= update_live(jit, &jit->blocks[b], live);
    }
}

/* Three sets of registers a block, and two of blocks. */
static enum sw_status check_size(const struct jit *jit, uint32_t crossing)
{
    const uint64_t SETS_MOST = 512ull << 20;
    uint64_t bytes = 8ull * jit->block_count * (3ull * jit->cross_words + 2ull * jit->block_words);
    if (bytes <= SETS_MOST) return SW_OK;
    return sw_fail(
        jit->error, SW_UNSUPPORTED,
        "'%.100s' has %u basic blocks and %u registers that are live across them: its compilation would take "
        "more than %llu MB of memory, and %llu MB are allowed; split it, or unroll and inline less",
        jit->function->name, jit->block_count, crossing, (unsigned long long)(bytes >> 20),
        (unsigned long long)(SETS_MOST >> 20));
}

enum sw_status jit_blocks_build(struct jit *jit)
{
    jit->block_count = 0;
    SW_TRY(ptx_cfg_build(jit->function, &jit->arena, &jit->cfg, jit->error));
    jit->blocks = ARENA_ARRAY(&jit->arena, struct jit_block, count_blocks(jit));
    uint32_t *first_of = ARENA_ARRAY(&jit->arena, uint32_t, jit->cfg.block_count);
    for (uint32_t b = 0; b < jit->cfg.block_count; b++) {
        first_of[b] = jit->block_count;
        jit->block_count = cut_block(jit, b, jit->block_count);
        const struct ptx_block *source = &jit->cfg.blocks[b];
        struct jit_block *rest = &jit->blocks[jit->block_count - 1];
        rest->succ_count = source->succ_count;
        rest->succ = source->succ; /* numbers are translated below */
    }
    for (uint32_t b = 0; b < jit->block_count; b++) {
        struct jit_block *block = &jit->blocks[b];
        if (block->cut) continue;
        uint32_t *succ = ARENA_ARRAY(&jit->arena, uint32_t, block->succ_count + 1);
        for (uint32_t s = 0; s < block->succ_count; s++)
            succ[s] = first_of[block->succ[s]];
        block->succ = succ;
    }
    for (uint32_t i = 0; i < jit->function->instr_count; i++)
        jit->access_count += ptx_instr_is_memory(&jit->function->instrs[i]);
    jit->reg_count = jit->function->reg_count + 1;
    jit->reg_words = (jit->reg_count + 63) / 64;
    jit->block_words = (jit->block_count + 63) / 64;
    uint32_t crossing = number_crossing(jit);
    jit->cross_words = crossing / 64 + 1;
    SW_TRY(check_size(jit, crossing));
    build_live(jit);
    jit->apart = false;
    jit->resumes = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    jit->collective_blocks = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    jit->after_barrier = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t b = 0; b < jit->block_count; b++) {
        if (jit->blocks[b].end == JIT_END_BARRIER) jit_bit_set(jit->after_barrier, jit->blocks[b].succ[0]);
        jit->blocks[b].frontier = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
        jit->blocks[b].parked_before = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
        if (jit->blocks[b].end == JIT_END_COLLECTIVE) jit_bit_set(jit->collective_blocks, b);
    }
    return SW_OK;
}

/* ---- branches */

/* Does its end leave a loop, or an inner one of several? */
bool jit_leaves_loop(const struct jit *jit, const struct jit_block *block)
{
    if (!block->in_cycle) return false;
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (!jit->blocks[block->succ[s]].in_cycle) return true;
    /* an inner loop's exit stays inside the outer one */
    const struct ptx_block *from = &jit->cfg.blocks[block->source];
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (jit->cfg.blocks[jit->blocks[block->succ[s]].source].loop_depth < from->loop_depth) return true;
    return false;
}

/* In a loop, counters on the common way would cost more than its work: who falls through counts nothing. */
bool jit_counts_edges(const struct jit *jit, const struct ptx_instr *instr)
{
    const struct jit_block *block = jit->block;
    bool ends = block->end == JIT_END_COND && instr == &jit->function->instrs[block->last - 1];
    return ends && (!block->divergent || jit_leaves_loop(jit, block));
}

uint32_t jit_line_of_block(const struct jit *jit, const struct jit_block *block)
{
    uint32_t last = jit->function->instr_count - 1;
    return jit->function->instrs[block->first < last ? block->first : last].line;
}

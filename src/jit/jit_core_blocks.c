/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of control: those of ptx_cfg cut after every barrier, and around every warp operation where lanes
 * may wait for each other; with liveness at the cuts. Limits: bit matrices of blocks x blocks; 20,000 blocks
 * take 50 MB. */
#include "jit_core_priv.h"

#include <string.h>

static bool is_meet(const struct jit *jit, uint32_t instr)
{
    return jit->meets && jit_bit(jit->meets, instr);
}

static uint32_t count_blocks(const struct jit *jit)
{
    uint32_t count = jit->cfg.block_count;
    for (uint32_t b = 0; b < jit->cfg.block_count; b++)
        for (uint32_t i = jit->cfg.blocks[b].first; i < jit->cfg.blocks[b].last; i++)
            count += ptx_instr_is_barrier(&jit->function->instrs[i]) + 2u * is_meet(jit, i);
    return count;
}

static enum jit_end end_of(const struct ptx_block *block)
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

/* Cut block b after its barriers, before and after its meetings, into blocks from `next` on. */
static uint32_t cut_block(struct jit *jit, uint32_t b, uint32_t next)
{
    const struct ptx_block *source = &jit->cfg.blocks[b];
    uint32_t first = source->first;
    for (uint32_t i = source->first; i < source->last; i++) {
        if (is_meet(jit, i)) {
            next = add_piece(jit, b, first, i, JIT_END_JUMP, next);
            next = add_piece(jit, b, i, i + 1, JIT_END_MEET, next);
        } else if (ptx_instr_is_barrier(&jit->function->instrs[i])) {
            next = add_piece(jit, b, first, i + 1, JIT_END_BARRIER, next);
        } else {
            continue;
        }
        first = i + 1;
    }
    struct jit_block *rest = &jit->blocks[next];
    *rest = (struct jit_block){.first = first, .last = source->last, .end = end_of(source), .source = b};
    rest->in_cycle = source->in_cycle;
    return next + 1;
}

/* Liveness before instruction `instr`, from that after it. */
static void step_live(const struct jit *jit, uint64_t *live, const struct ptx_instr *instr)
{
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_defs(instr, regs, SW_COUNT_OF(regs));
    if (instr->guard == PTX_NO_REG)
        for (unsigned i = 0; i < count; i++)
            live[regs[i] / 64] &= ~(1ull << (regs[i] % 64));
    if (jit_writes_carry(instr) && instr->guard == PTX_NO_REG)
        live[JIT_REG_CARRY(jit) / 64] &= ~(1ull << (JIT_REG_CARRY(jit) % 64));
    if (jit_reads_carry(instr)) jit_bit_set(live, JIT_REG_CARRY(jit));
    count = ptx_instr_uses(instr, regs, SW_COUNT_OF(regs));
    for (unsigned i = 0; i < count; i++)
        jit_bit_set(live, regs[i]);
}

/* live_in of every block, from its successors; the carry flag is a register like any other. */
static bool update_live(struct jit *jit, struct jit_block *block, uint64_t *live)
{
    memset(live, 0, jit->reg_words * sizeof *live);
    for (uint32_t s = 0; s < block->succ_count; s++)
        for (uint32_t w = 0; w < jit->reg_words; w++)
            live[w] |= jit->blocks[block->succ[s]].live_in[w];
    for (uint32_t i = block->last; i-- > block->first;)
        step_live(jit, live, &jit->function->instrs[i]);
    if (memcmp(live, block->live_in, jit->reg_words * sizeof *live) == 0) return false;
    memcpy(block->live_in, live, jit->reg_words * sizeof *live);
    return true;
}

static void build_live(struct jit *jit)
{
    uint64_t *live = ARENA_ARRAY(&jit->arena, uint64_t, jit->reg_words);
    for (uint32_t b = 0; b < jit->block_count; b++)
        jit->blocks[b].live_in = ARENA_ARRAY(&jit->arena, uint64_t, jit->reg_words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = jit->block_count; b-- > 0;)
            changed |= update_live(jit, &jit->blocks[b], live);
    }
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
    jit->reg_count = jit->function->reg_count + 1;
    jit->reg_words = (jit->reg_count + 63) / 64;
    jit->block_words = (jit->block_count + 63) / 64;
    build_live(jit);
    jit->apart = false;
    jit->resumes = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    jit->meet_blocks = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    jit->behind = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t b = 0; b < jit->block_count; b++) {
        if (jit->blocks[b].end == JIT_END_BARRIER) jit_bit_set(jit->behind, jit->blocks[b].succ[0]);
        jit->blocks[b].pend = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
        jit->blocks[b].parked_before = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
        if (jit->blocks[b].end == JIT_END_MEET) jit_bit_set(jit->meet_blocks, b);
    }
    return SW_OK;
}

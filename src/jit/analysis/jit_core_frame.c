/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a warp that stops: what it keeps there, and where. */
#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"

static uint32_t reg_bytes(const struct jit *jit, const struct jit_reg *reg)
{
    uint32_t lane = reg->bits == 1 ? 1 : reg->bits / 8;
    if (reg->abstract.repr == JIT_VECTOR) return lane * jit->part.lanes;
    return reg->bits > 64 || reg->abstract.repr == JIT_ROWS ? 16 : 8;
}

static bool is_saved(const struct jit *jit, uint32_t reg)
{
    for (uint32_t b = 0; b < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        bool here = jit->suspends || block->end == JIT_END_BARRIER;
        for (uint32_t s = 0; s < block->succ_count && here; s++)
            if (jit_lives(jit, jit->blocks[block->succ[s]].live_in, reg)) return true;
    }
    return jit->suspends && jit_lives(jit, jit->blocks[0].live_in, reg);
}

/* Offsets of the registers that live across a barrier (suspension form: across any two blocks), vectors first
 * so that all are aligned. Returns the bytes of a frame. */
uint32_t jit_frame_registers(struct jit *jit, uint32_t at)
{
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t r = 0; r < jit->reg_count; r++) {
            struct jit_reg *reg = &jit->regs[r];
            bool vector = reg->abstract.repr == JIT_VECTOR;
            if (vector != (pass == 0) || !is_saved(jit, r)) continue;
            reg->frame_step = reg_bytes(jit, reg);
            at = (uint32_t)sw_align_up(at, reg->frame_step > 64 ? 64 : reg->frame_step);
            reg->frame_offset = at;
            bool rows = reg->abstract.repr == JIT_ROWS && !reg->abstract.regular;
            at += vector ? reg->frame_step * jit->part.parts : rows ? 16 * jit->rows : 16;
        }
    return (uint32_t)sw_align_up(at, 64);
}

/* A warp that may stop anywhere has one merge of all registers at every point where it goes on. Beyond some
 * size LLVM takes minutes over them (CUB's scan: 146 blocks, 831 registers, 100 s against 2 s), so large
 * kernels keep their registers and masks in the frame instead, and a set of bits beside them
 * (jit_core_schedule.c); so does the test hook plain_barriers, that both forms are tested. */
bool jit_registers_in_frame(const struct jit *jit)
{
    enum { MERGES_MOST = 30000, TESTS_MOST = 4000 };
    bool large =
        (uint64_t)jit->block_count * jit->reg_count > MERGES_MOST || jit->frontier_tests > TESTS_MOST;
    return jit->suspends && (large || jit->request->plain_barriers);
}

void jit_suspend_layout(struct jit *jit)
{
    for (uint32_t b = 0; b < jit->block_count; b++)
        if (jit->blocks[b].end == JIT_END_BARRIER) {
            jit->blocks[b].wait_point = jit->wait_point_count + 1;
            jit->wait_point_count += jit_barrier_wait_points(jit, &jit->blocks[b]);
        }
    uint32_t at = FRAME_WAIT_POINTS + jit->wait_point_count * WAIT_BYTES;
    jit->wait_bits_offset = at = (uint32_t)sw_align_up(at, 8);
    at += (jit->wait_point_count + 63) / 64 * 8;
    for (uint32_t b = 0; b < jit->block_count; b++, at += 4)
        jit->blocks[b].mask_offset = at;
    jit->bits_offset = at = (uint32_t)sw_align_up(at, 8);
    at += jit->block_words * 8;
    jit->collective_offset = at = (uint32_t)sw_align_up(at, 64);
    if (jit->has_collectives) at += sizeof(struct jit_collective_state);
    jit->head_bytes = (uint32_t)sw_align_up(at, 64);
    jit->info.frame_bytes = jit_frame_registers(jit, jit->head_bytes);
}

uint64_t *jit_resume_set(struct jit *jit)
{
    uint64_t *set = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t w = 0; w < jit->block_words; w++)
        set[w] = jit->resumes[w];
    for (uint32_t b = 0; b < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (block->end == JIT_END_BARRIER && block->succ[0] != jit->block_count - 1)
            jit_bit_set(set, block->succ[0]);
    }
    return set;
}

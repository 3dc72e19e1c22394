/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding and decoding of a kernel's basic blocks and registers: what waits for what, for the model of time.
 * Limits: as session_record.c's. */
#include "session_priv.h"

enum { BLOCK_BYTES = (2 + EVENT_BLOCK_BEFORE) * (int)sizeof(uint32_t) + 2 }; /* as put_block writes it */

static void put_block(struct str *out, const struct event_block *block)
{
    session_put_u32(out, block->first);
    session_put_u32(out, block->count);
    for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++)
        session_put_u32(out, block->before[i]);
    session_put_varint(out, block->more_before);
    session_put_varint(out, block->nounroll);
}

void session_encode_flow(struct str *out, const struct event_kernel *k)
{
    session_put_u32(out, k->reg_count);
    session_put_u32(out, k->block_count);
    for (uint32_t b = 0; b < k->block_count; b++)
        put_block(out, &k->blocks[b]);
    for (uint32_t i = 0; i < k->instr_count; i++) {
        const struct event_instr *instr = &k->instrs[i];
        session_put_varint(out, instr->block);
        session_put_varint(out, instr->def_count);
        session_put_varint(out, instr->use_count);
        for (uint32_t r = 0; r < (uint32_t)instr->def_count + instr->use_count; r++)
            session_put_varint(out, instr->regs[r]);
    }
}

static void get_regs(struct session_cursor *cursor, uint32_t reg_count, struct event_instr *instr)
{
    uint64_t defs = session_get_varint(cursor), uses = session_get_varint(cursor);
    if (defs + uses > EVENT_INSTR_REGS) cursor->bad = true;
    if (cursor->bad) return;
    uint32_t *regs = ARENA_ARRAY(cursor->arena, uint32_t, defs + uses + 1);
    for (uint64_t r = 0; r < defs + uses; r++) {
        regs[r] = (uint32_t)session_get_varint(cursor);
        if (regs[r] >= reg_count) cursor->bad = true;
    }
    instr->def_count = (uint8_t)defs;
    instr->use_count = (uint8_t)uses;
    instr->regs = regs;
}

static void get_block(struct session_cursor *cursor, const struct event_kernel *k, struct event_block *block)
{
    block->first = session_get_u32(cursor);
    block->count = session_get_u32(cursor);
    bool sound = (uint64_t)block->first + block->count <= k->instr_count;
    for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++) {
        block->before[i] = session_get_u32(cursor);
        sound &= block->before[i] == EVENT_NO_BLOCK || block->before[i] < k->block_count;
    }
    block->more_before = session_get_varint(cursor) != 0;
    block->nounroll = session_get_varint(cursor) != 0;
    if (!sound) cursor->bad = true;
}

void session_decode_flow(struct session_cursor *cursor, struct event_kernel *k, struct event_instr *instrs)
{
    k->reg_count = session_get_u32(cursor);
    k->block_count = session_get_count(cursor, BLOCK_BYTES);
    struct event_block *blocks = ARENA_ARRAY(cursor->arena, struct event_block, k->block_count + 1);
    for (uint32_t b = 0; b < k->block_count; b++)
        get_block(cursor, k, &blocks[b]);
    k->blocks = blocks;
    for (uint32_t i = 0; i < k->instr_count && !cursor->bad; i++) {
        instrs[i].block = (uint32_t)session_get_varint(cursor);
        get_regs(cursor, k->reg_count, &instrs[i]);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding and decoding of record payloads (session_bytes.c has their integers and texts). A kernel stands
 * there as three tables (texts, source locations, instructions) that refer to one another by number. What an
 * instruction, a type or a special register is stands there by its PTX name, which the parser's table turns
 * into numbers again: those of the tables may change.
 *
 * Limits: numbers in native byte order; a decoder reads only files of its own version. Decoding trusts
 * nothing: each count is checked against the bytes that are left, each reference against its table. */
#include "session_priv.h"

#include "arch/arch_machine.h"
#include "event/event_nvtx.h"
#include "event/event_routine.h"

#include <string.h>

struct pool {
    struct map texts, locs;
    struct str text_bytes, loc_bytes;
    uint32_t text_count, loc_count;
};

static uint32_t pool_text(struct pool *pool, const char *text)
{
    if (!text) return 0;
    uintptr_t known = (uintptr_t)map_get(&pool->texts, text);
    if (known) return (uint32_t)known;
    session_put_text(&pool->text_bytes, text);
    map_set(&pool->texts, text, (void *)(uintptr_t)++pool->text_count);
    return pool->text_count;
}

/* Callers first, so that a location only refers to earlier ones. Depth: that of inlining. */
static uint32_t pool_loc(struct pool *pool, const struct event_loc *loc)
{
    if (!loc) return 0;
    uintptr_t known = (uintptr_t)map_get_u64(&pool->locs, (uintptr_t)loc);
    if (known) return (uint32_t)known;
    uint32_t caller = pool_loc(pool, loc->caller), file = pool_text(pool, loc->file ? loc->file : "");
    session_put_u32(&pool->loc_bytes, file);
    session_put_u32(&pool->loc_bytes, loc->line);
    session_put_u32(&pool->loc_bytes, loc->column);
    session_put_u32(&pool->loc_bytes, pool_text(pool, loc->function));
    session_put_u32(&pool->loc_bytes, caller);
    map_set_u64(&pool->locs, (uintptr_t)loc, (void *)(uintptr_t)++pool->loc_count);
    return pool->loc_count;
}

enum { INSTR_WORDS = 5 + 6 + 4 * EVENT_ACCESS_COUNT, LOC_WORDS = 5 };

static void put_slots(struct str *out, const struct event_slots *slots)
{
    const uint32_t words[] = {slots->warps,    slots->lanes,     slots->on_warps,
                              slots->on_lanes, slots->divergent, slots->slow};
    str_add_bytes(out, words, sizeof words);
    for (int a = 0; a < EVENT_ACCESS_COUNT; a++) {
        session_put_u32(out, slots->access[a].requests);
        session_put_u32(out, slots->access[a].units);
        session_put_u32(out, slots->access[a].ideal);
        session_put_u32(out, slots->access[a].more);
    }
}

static uint32_t instr_flags(const struct event_instr *i)
{
    return (uint32_t)i->guarded | (uint32_t)i->guard_negate << 4 | (uint32_t)i->returns << 1 |
           (uint32_t)i->is_read << 2 | (uint32_t)i->is_write << 3 | (uint32_t)i->bytes << 16;
}

static void put_instr(struct str *out, struct pool *pool, const struct event_instr *i)
{
    session_put_u32(out, (uint32_t)i->cls | (uint32_t)i->unit << 8 | (uint32_t)i->space << 16 |
                             (uint32_t)i->flop << 24);
    session_put_u32(out, instr_flags(i));
    session_put_u32(out, i->ptx_line);
    session_put_u32(out, pool_loc(pool, i->loc));
    session_put_u32(out, pool_text(pool, i->text ? i->text : ""));
    session_put_u32(out, pool_text(pool, i->op ? i->op : ""));
    put_slots(out, &i->slots);
}

static const char *type_name(uint8_t type)
{
    return type ? isa_type_name((enum isa_type)type) : NULL;
}

static void put_operands(struct str *out, struct pool *pool, const struct event_operand *operands,
                         uint32_t count)
{
    session_put_varint(out, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct event_operand *o = &operands[i];
        const char *sreg = o->kind == ISA_OPD_SREG ? isa_sreg_name((enum isa_sreg)o->sreg) : NULL;
        session_put_varint(out, o->kind);
        session_put_varint(out, (uint32_t)o->negate | (uint32_t)o->is_f32 << 1 | (uint32_t)o->parameter << 2);
        session_put_varint(out, pool_text(pool, type_name(o->type)));
        session_put_varint(out, pool_text(pool, type_name(o->type2)));
        session_put_varint(out, pool_text(pool, sreg));
        session_put_varint(out, pool_text(pool, o->name));
        session_put_varint(out, o->reg + 1u);
        session_put_varint(out, o->reg2 + 1u);
        session_put_varint(out, o->bits);
        put_operands(out, pool, o->elements, o->count);
    }
}

static void put_kernel_head(struct str *out, const struct event_kernel *k)
{
    session_put_text(out, k->name);
    session_put_text(out, k->ptx_name);
    session_put_u32(out, k->slot_count);
    session_put_u32(out, k->registers);
    session_put_u32(out, k->registers_exact);
    session_put_u32(out, k->static_shared_bytes);
    session_put_u32(out, k->local_bytes_per_thread);
    session_put_u32(out, k->max_threads_per_block);
    session_put_u32(out, k->ptx_sm);
    session_put_u32(out, k->registers_wanted);
    session_put_u32(out, k->spill_bytes);
}

void session_encode_kernel(struct str *out, uint32_t number, const struct event_kernel *kernel)
{
    struct pool pool = {0};
    struct str instrs = {0}, operands = {0};
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        put_instr(&instrs, &pool, &kernel->instrs[i]);
        put_operands(&operands, &pool, kernel->instrs[i].operands, kernel->instrs[i].operand_count);
    }
    session_put_u32(out, number);
    put_kernel_head(out, kernel);
    session_put_u32(out, pool.text_count);
    str_add_bytes(out, str_text(&pool.text_bytes), pool.text_bytes.length);
    session_put_u32(out, pool.loc_count);
    str_add_bytes(out, str_text(&pool.loc_bytes), pool.loc_bytes.length);
    session_put_u32(out, kernel->instr_count);
    str_add_bytes(out, str_text(&instrs), instrs.length);
    session_encode_flow(out, kernel);
    str_add_bytes(out, str_text(&operands), operands.length);
    map_release(&pool.texts);
    map_release(&pool.locs);
    str_release(&pool.text_bytes);
    str_release(&pool.loc_bytes);
    str_release(&instrs);
    str_release(&operands);
}

static void put_routine(struct str *out, const struct event_routine *routine)
{
    session_put_u32(out, routine != NULL);
    if (!routine) return;
    session_put_text(out, routine->name);
    session_put_text(out, routine->shape);
    const uint64_t numbers[] = {routine->kind,  routine->math,       routine->m,
                                routine->n,     routine->k,          routine->batch,
                                routine->flops, routine->read_bytes, routine->wrote_bytes};
    for (size_t i = 0; i < SW_COUNT_OF(numbers); i++)
        session_put_varint(out, numbers[i]);
}

static const struct event_routine *get_routine(struct session_cursor *cursor)
{
    if (!session_get_u32(cursor)) return NULL;
    struct event_routine *routine = ARENA_NEW(cursor->arena, struct event_routine);
    routine->name = session_get_text(cursor);
    routine->shape = session_get_text(cursor);
    uint64_t kind = session_get_varint(cursor), math = session_get_varint(cursor);
    uint64_t *const numbers[] = {&routine->m,     &routine->n,          &routine->k,          &routine->batch,
                                 &routine->flops, &routine->read_bytes, &routine->wrote_bytes};
    for (size_t i = 0; i < SW_COUNT_OF(numbers); i++)
        *numbers[i] = session_get_varint(cursor);
    if (kind >= EVENT_ROUTINE_KINDS || math >= EVENT_MATH_COUNT) cursor->bad = true;
    routine->kind = (uint8_t)kind;
    routine->math = (uint8_t)math;
    return routine;
}

void session_encode_launch(struct str *out, uint32_t kernel_number, const struct event_launch *l)
{
    uint32_t counters = l->counters ? l->kernel->slot_count : 0;
    session_put_u32(out, kernel_number);
    session_put_u64(out, l->id);
    session_put_u32(out, l->device);
    session_put_u32(out, l->context);
    session_put_u32(out, l->stream);
    str_add_bytes(out, l->grid, sizeof l->grid);
    str_add_bytes(out, l->block, sizeof l->block);
    session_put_u32(out, l->dynamic_shared_bytes);
    session_put_text(out, l->gpu);
    session_put_u64(out, l->start_ns);
    session_put_u64(out, l->end_ns);
    session_put_u32(out, l->status);
    session_put_u32(out, l->counters != NULL);
    session_put_u32(out, counters);
    for (uint32_t i = 0; i < counters; i++)
        session_put_varint(out, l->counters[i]);
    session_encode_memory(out, l->memory);
    session_encode_time(out, l->time);
    session_encode_stalls(out, l->stalls, l->kernel->instr_count);
    put_routine(out, l->routine);
    session_put_varint(out, l->nvtx ? l->nvtx->id : 0);
}

void session_encode_nvtx(struct str *out, const struct event_nvtx *nvtx)
{
    session_put_u32(out, nvtx->id);
    session_put_u32(out, nvtx->thread);
    session_put_u32(out, nvtx->count);
    for (uint32_t i = 0; i < nvtx->count; i++) {
        session_put_u32(out, nvtx->ranges[i].started);
        session_put_text(out, nvtx->ranges[i].domain);
        session_put_text(out, nvtx->ranges[i].text);
    }
}

const struct event_nvtx *session_decode_nvtx(struct session_cursor *cursor)
{
    enum { LEAST_BYTES = 3 * sizeof(uint32_t) }; /* of a range */
    struct event_nvtx *nvtx = ARENA_NEW(cursor->arena, struct event_nvtx);
    nvtx->id = session_get_u32(cursor);
    nvtx->thread = session_get_u32(cursor);
    nvtx->count = session_get_count(cursor, LEAST_BYTES);
    struct event_nvtx_range *ranges =
        ARENA_ARRAY(cursor->arena, struct event_nvtx_range, (size_t)nvtx->count + 1);
    for (uint32_t i = 0; i < nvtx->count; i++) {
        ranges[i].started = session_get_u32(cursor) != 0;
        ranges[i].domain = session_get_text(cursor);
        ranges[i].text = session_get_text(cursor);
    }
    nvtx->ranges = ranges;
    if (!nvtx->id) cursor->bad = true;
    return nvtx;
}

struct tables {
    const char **texts;
    struct event_loc *locs;
    uint32_t text_count, loc_count;
};

/* A reference by number, from 1; 0 gives NULL; others must be below the bound. */
static const char *text_at(struct session_cursor *cursor, const struct tables *tables, uint32_t number)
{
    if (number > tables->text_count) cursor->bad = true;
    return number && !cursor->bad ? tables->texts[number - 1] : NULL;
}

static const struct event_loc *loc_at(struct session_cursor *cursor, const struct tables *tables,
                                      uint32_t number, uint32_t bound)
{
    if (number > bound) cursor->bad = true;
    return number && !cursor->bad ? &tables->locs[number - 1] : NULL;
}

static void get_tables(struct session_cursor *cursor, struct tables *tables)
{
    tables->text_count = session_get_count(cursor, sizeof(uint32_t));
    tables->texts = ARENA_ARRAY(cursor->arena, const char *, tables->text_count + 1);
    for (uint32_t i = 0; i < tables->text_count; i++)
        tables->texts[i] = session_get_text(cursor);
    tables->loc_count = session_get_count(cursor, LOC_WORDS * sizeof(uint32_t));
    tables->locs = ARENA_ARRAY(cursor->arena, struct event_loc, tables->loc_count + 1);
    for (uint32_t i = 0; i < tables->loc_count; i++) {
        struct event_loc *loc = &tables->locs[i];
        loc->file = text_at(cursor, tables, session_get_u32(cursor));
        loc->line = session_get_u32(cursor);
        loc->column = session_get_u32(cursor);
        loc->function = text_at(cursor, tables, session_get_u32(cursor));
        loc->caller = loc_at(cursor, tables, session_get_u32(cursor), i);
        if (!loc->file) loc->file = "";
    }
}

static uint32_t get_slot(struct session_cursor *cursor, uint32_t slot_count)
{
    uint32_t slot = session_get_u32(cursor);
    if (slot != EVENT_NO_SLOT && slot >= slot_count) cursor->bad = true;
    return slot;
}

static void get_slots(struct session_cursor *cursor, uint32_t slot_count, struct event_slots *slots)
{
    slots->warps = get_slot(cursor, slot_count);
    slots->lanes = get_slot(cursor, slot_count);
    slots->on_warps = get_slot(cursor, slot_count);
    slots->on_lanes = get_slot(cursor, slot_count);
    slots->divergent = get_slot(cursor, slot_count);
    slots->slow = get_slot(cursor, slot_count);
    for (int a = 0; a < EVENT_ACCESS_COUNT; a++) {
        slots->access[a].requests = get_slot(cursor, slot_count);
        slots->access[a].units = get_slot(cursor, slot_count);
        slots->access[a].ideal = get_slot(cursor, slot_count);
        slots->access[a].more = get_slot(cursor, slot_count);
    }
}

static void get_instr(struct session_cursor *cursor, const struct tables *tables, uint32_t slot_count,
                      struct event_instr *i)
{
    uint32_t kinds = session_get_u32(cursor), flags = session_get_u32(cursor);
    i->cls = (uint8_t)kinds;
    i->unit = (uint8_t)(kinds >> 8);
    i->space = (uint8_t)(kinds >> 16);
    i->flop = (uint8_t)(kinds >> 24);
    i->guarded = flags & 1;
    i->returns = flags >> 1 & 1;
    i->is_read = flags >> 2 & 1;
    i->is_write = flags >> 3 & 1;
    i->guard_negate = flags >> 4 & 1;
    i->bytes = (uint16_t)(flags >> 16);
    i->ptx_line = session_get_u32(cursor);
    i->loc = loc_at(cursor, tables, session_get_u32(cursor), tables->loc_count);
    const char *text = text_at(cursor, tables, session_get_u32(cursor));
    const char *op = text_at(cursor, tables, session_get_u32(cursor));
    i->text = text ? text : "";
    i->op = op ? op : "";
    isa_read(i->op, &i->isa);
    get_slots(cursor, slot_count, &i->slots);
    if (i->cls >= ISA_CLASS_COUNT || i->unit >= ISA_UNIT_COUNT || i->space >= ISA_SPACE_COUNT)
        cursor->bad = true;
}

static uint8_t get_type(struct session_cursor *cursor, const struct tables *tables)
{
    const char *text = text_at(cursor, tables, (uint32_t)session_get_varint(cursor));
    struct isa_word word = text ? isa_word_find(text, strlen(text)) : (struct isa_word){ISA_WORD_NONE, 0};
    return word.kind == ISA_WORD_TYPE ? (uint8_t)word.id : ISA_TYPE_NONE;
}

static uint32_t get_reg(struct session_cursor *cursor, uint32_t reg_count)
{
    uint64_t reg = session_get_varint(cursor);
    if (reg > reg_count) cursor->bad = true;
    return (uint32_t)reg - 1u;
}

/* depth: operands stand within operands, but not within these of others without end. */
static const struct event_operand *get_operands(struct session_cursor *cursor, const struct tables *tables,
                                                uint32_t reg_count, uint32_t depth, uint32_t *count)
{
    enum { BYTES = 10, DEEPEST = 256 }; /* of one operand, at least; the parser's bound is lower */
    uint64_t given = session_get_varint(cursor);
    if (given * BYTES > (uint64_t)(cursor->end - cursor->at) || given > UINT8_MAX * UINT64_C(256) ||
        depth > DEEPEST)
        cursor->bad = true;
    *count = cursor->bad ? 0 : (uint32_t)given;
    struct event_operand *out = *count ? ARENA_ARRAY(cursor->arena, struct event_operand, *count) : NULL;
    for (uint32_t i = 0; i < *count && !cursor->bad; i++) {
        struct event_operand *o = &out[i];
        uint64_t kind = session_get_varint(cursor), flags = session_get_varint(cursor);
        o->type = get_type(cursor, tables);
        o->type2 = get_type(cursor, tables);
        const char *sreg = text_at(cursor, tables, (uint32_t)session_get_varint(cursor));
        o->name = text_at(cursor, tables, (uint32_t)session_get_varint(cursor));
        o->kind = (uint8_t)kind;
        o->negate = flags & 1;
        o->is_f32 = flags >> 1 & 1;
        o->parameter = flags >> 2 & 1;
        o->sreg = (uint16_t)(sreg ? isa_sreg_find(sreg, strlen(sreg)) : ISA_SREG_NONE);
        o->reg = get_reg(cursor, reg_count);
        o->reg2 = get_reg(cursor, reg_count);
        o->bits = session_get_varint(cursor);
        if (kind >= ISA_OPERAND_KINDS) cursor->bad = true;
        o->elements = get_operands(cursor, tables, reg_count, depth + 1, &o->count);
    }
    return out;
}

static void decode_operands(struct session_cursor *cursor, const struct tables *tables, uint32_t reg_count,
                            struct event_instr *instr)
{
    uint32_t count;
    instr->operands = get_operands(cursor, tables, reg_count, 0, &count);
    if (count > UINT8_MAX) cursor->bad = true;
    instr->operand_count = (uint8_t)count;
}

const struct event_kernel *session_decode_kernel(struct session_cursor *cursor, uint32_t *number)
{
    struct event_kernel *k = ARENA_NEW(cursor->arena, struct event_kernel);
    *number = session_get_u32(cursor);
    k->name = session_get_text(cursor);
    k->ptx_name = session_get_text(cursor);
    k->slot_count = session_get_u32(cursor);
    k->registers = session_get_u32(cursor);
    k->registers_exact = session_get_u32(cursor) != 0;
    k->static_shared_bytes = session_get_u32(cursor);
    k->local_bytes_per_thread = session_get_u32(cursor);
    k->max_threads_per_block = session_get_u32(cursor);
    k->ptx_sm = session_get_u32(cursor);
    k->registers_wanted = session_get_u32(cursor);
    k->spill_bytes = session_get_u32(cursor);
    struct tables tables;
    get_tables(cursor, &tables);
    k->instr_count = session_get_count(cursor, INSTR_WORDS * sizeof(uint32_t));
    struct event_instr *instrs = ARENA_ARRAY(cursor->arena, struct event_instr, k->instr_count + 1);
    for (uint32_t i = 0; i < k->instr_count; i++)
        get_instr(cursor, &tables, k->slot_count, &instrs[i]);
    session_decode_flow(cursor, k, instrs);
    for (uint32_t i = 0; i < k->instr_count && !cursor->bad; i++)
        decode_operands(cursor, &tables, k->reg_count, &instrs[i]);
    k->instrs = instrs;
    return k;
}

void session_decode_launch(struct session_cursor *cursor, const struct session_known *known,
                           struct event_launch *l)
{
    const struct event_kernel *const *kernels = known->kernels;
    uint32_t number = session_get_u32(cursor);
    *l = (struct event_launch){.id = session_get_u64(cursor)};
    l->device = session_get_u32(cursor);
    l->context = session_get_u32(cursor);
    l->stream = session_get_u32(cursor);
    session_get_bytes(cursor, l->grid, sizeof l->grid);
    session_get_bytes(cursor, l->block, sizeof l->block);
    l->dynamic_shared_bytes = session_get_u32(cursor);
    l->gpu = session_get_text(cursor);
    l->start_ns = session_get_u64(cursor);
    l->end_ns = session_get_u64(cursor);
    l->status = (enum sw_status)session_get_u32(cursor);
    bool counted = session_get_u32(cursor);
    uint32_t counters = session_get_count(cursor, 1);
    uint64_t *values = ARENA_ARRAY(cursor->arena, uint64_t, counters + 1);
    for (uint32_t i = 0; i < counters; i++)
        values[i] = session_get_varint(cursor);
    if (l->device >= ARCH_DEVICES || number >= known->kernel_count || !kernels[number] ||
        l->status >= SW_STATUS_COUNT || (counted && counters != kernels[number]->slot_count)) {
        cursor->bad = true;
        return;
    }
    l->kernel = kernels[number];
    l->counters = counted ? values : NULL;
    l->memory = session_decode_memory(cursor, l->kernel->instr_count);
    l->time = session_decode_time(cursor);
    l->stalls = session_decode_stalls(cursor, l->kernel->instr_count);
    l->routine = get_routine(cursor);
    if (l->routine && (l->counters || l->kernel->instr_count)) cursor->bad = true;
    uint64_t nvtx = session_get_varint(cursor);
    l->nvtx = nvtx ? map_get_u64(known->nvtx, nvtx) : NULL;
    if (nvtx && !l->nvtx) cursor->bad = true;
}

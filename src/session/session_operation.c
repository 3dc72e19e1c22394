/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in the record file: their encoding, and the summaries that keep a program with millions of small
 * copies from filling the disk.
 *
 * A summary adds up what is alike and keeps the first one's place and times. Limits: what was summarised can
 * no longer be put in order with kernels; a process that crashes loses its summaries. */
#include "session_priv.h"

#include <stdio.h>

enum { FLAG_ASYNC = 1, FLAG_UNCHANGED = 2, FLAG_STAGED = 4 };

void session_encode_operation(struct str *out, const struct event_operation *o)
{
    session_put_u32(out, (uint32_t)o->kind | (uint32_t)o->from << 8 | (uint32_t)o->to << 16 |
                             (o->async ? FLAG_ASYNC : 0u) << 24 | (o->unchanged ? FLAG_UNCHANGED : 0u) << 24 |
                             (o->staged ? FLAG_STAGED : 0u) << 24);
    session_put_u32(out, o->device);
    session_put_u32(out, o->context);
    session_put_u32(out, o->stream);
    session_put_u32(out, o->thread);
    session_put_u32(out, o->peer);
    const uint64_t numbers[] = {o->order,        o->launches,   o->count,    o->bytes,  o->rows,
                                o->from_address, o->to_address, o->start_ns, o->end_ns, o->cause_ns};
    str_add_bytes(out, numbers, sizeof numbers);
    session_put_text(out, o->api);
    session_put_text(out, o->caller);
}

void session_decode_operation(struct session_cursor *cursor, struct event_operation *o)
{
    uint32_t kinds = session_get_u32(cursor);
    *o = (struct event_operation){.kind = (uint8_t)kinds,
                                  .from = (uint8_t)(kinds >> 8),
                                  .to = (uint8_t)(kinds >> 16),
                                  .async = kinds >> 24 & FLAG_ASYNC,
                                  .unchanged = (kinds >> 24 & FLAG_UNCHANGED) != 0,
                                  .staged = (kinds >> 24 & FLAG_STAGED) != 0};
    o->device = session_get_u32(cursor);
    o->context = session_get_u32(cursor);
    o->stream = session_get_u32(cursor);
    o->thread = session_get_u32(cursor);
    o->peer = session_get_u32(cursor);
    uint64_t *const numbers[] = {&o->order,        &o->launches,   &o->count,    &o->bytes,  &o->rows,
                                 &o->from_address, &o->to_address, &o->start_ns, &o->end_ns, &o->cause_ns};
    for (size_t i = 0; i < SW_COUNT_OF(numbers); i++)
        *numbers[i] = session_get_u64(cursor);
    o->api = session_get_text(cursor);
    o->caller = session_get_text(cursor);
    if (o->kind >= EVENT_OPERATION_KINDS || o->from >= EVENT_MEMORY_COUNT || o->to >= EVENT_MEMORY_COUNT ||
        !o->count)
        cursor->bad = true;
}

void session_operations_init(struct session_operations *all, uint64_t most)
{
    *all = (struct session_operations){.most = most};
    arena_init(&all->arena);
}

bool session_operations_add(struct session_operations *all, const struct event_operation *o)
{
    if (all->written < all->most) {
        all->written++;
        return true;
    }
    char key[512];
    snprintf(key, sizeof key, "%u %u %u %d %d %d %u %u %s %s", o->kind, o->from, o->to, o->async,
             o->unchanged, o->staged, o->device, o->stream, o->api, o->caller);
    struct event_operation *summary = map_get(&all->summaries, key);
    if (!summary) {
        summary = ARENA_NEW(&all->arena, struct event_operation);
        *summary = *o;
        summary->count = 0;
        summary->bytes = 0;
        summary->api = arena_strdup(&all->arena, o->api);
        summary->caller = arena_strdup(&all->arena, o->caller);
        map_set(&all->summaries, arena_strdup(&all->arena, key), summary);
    }
    summary->count += o->count;
    summary->bytes += o->bytes;
    if (o->end_ns > summary->end_ns) summary->end_ns = o->end_ns;
    return false;
}

const struct event_operation *session_operations_next(const struct session_operations *all, size_t *cursor)
{
    void *value;
    return map_next(&all->summaries, cursor, &value) ? value : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What record payloads are made of: integers of fixed width in native byte order, integers of as many bytes
 * as they need, and texts with their length. A decoder that runs over the end notes it in its cursor and
 * gives zeros. */
#include "session_priv.h"

#include <string.h>

void session_put_u32(struct str *out, uint32_t value)
{
    str_add_bytes(out, &value, sizeof value);
}

void session_put_u64(struct str *out, uint64_t value)
{
    str_add_bytes(out, &value, sizeof value);
}

void session_put_text(struct str *out, const char *text)
{
    uint32_t length = text ? (uint32_t)strlen(text) : 0;
    session_put_u32(out, length);
    str_add_bytes(out, text ? text : "", length);
}

/* Seven bits a byte, lowest first; the top bit says that more follow. Most counters are small or 0. */
void session_put_varint(struct str *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        str_add_char(out, (char)(value | 0x80));
    str_add_char(out, (char)value);
}

void session_get_bytes(struct session_cursor *cursor, void *out, size_t bytes)
{
    if (cursor->bad || (size_t)(cursor->end - cursor->at) < bytes) {
        cursor->bad = true;
        memset(out, 0, bytes);
        return;
    }
    memcpy(out, cursor->at, bytes);
    cursor->at += bytes;
}

uint32_t session_get_u32(struct session_cursor *cursor)
{
    uint32_t value;
    session_get_bytes(cursor, &value, sizeof value);
    return value;
}

uint64_t session_get_u64(struct session_cursor *cursor)
{
    uint64_t value;
    session_get_bytes(cursor, &value, sizeof value);
    return value;
}

uint64_t session_get_varint(struct session_cursor *cursor)
{
    uint64_t value = 0;
    uint8_t byte = 0x80;
    for (uint32_t shift = 0; byte & 0x80; shift += 7) {
        session_get_bytes(cursor, &byte, 1);
        if (shift > 63) cursor->bad = true;
        if (cursor->bad) return 0;
        value |= (uint64_t)(byte & 0x7f) << shift;
    }
    return value;
}

uint32_t session_get_count(struct session_cursor *cursor, uint32_t bytes)
{
    uint32_t count = session_get_u32(cursor);
    if ((uint64_t)count * bytes > (uint64_t)(cursor->end - cursor->at)) cursor->bad = true;
    return cursor->bad ? 0 : count;
}

const char *session_get_text(struct session_cursor *cursor)
{
    uint32_t length = session_get_count(cursor, 1);
    const char *text = arena_strndup(cursor->arena, (const char *)cursor->at, length);
    cursor->at += length;
    return text;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What memory holds after a launch, as records: SESSION_CONTENTS.
 *
 * An allocation is hashed in SESSION_PARTS parts, so that two runs can be compared, and what differs can be
 * found without recording all of it. Pages that nobody touched are not read, since reading would make them
 * take memory; a hash does not tell them from pages of zeros. Only allocations that have changed since the
 * launch before are recorded. Limits: a page that was swapped out counts as zeros. */
#include "session_priv.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
/* definition: odd, so that each step is a bijection, and a difference in one word always changes the hash;
 * 2^64 / golden ratio */
#define FACTOR UINT64_C(0x9E3779B97F4A7C15)

static uint64_t contents_word(const uint8_t *at, uint64_t bytes)
{
    uint64_t word = 0;
    memcpy(&word, at, bytes < sizeof word ? bytes : sizeof word);
    return word;
}

/* Of at most a page. Zeros give 0. Four chains, so that multiplications overlap. */
static uint64_t page_hash(const uint8_t *at, uint64_t bytes)
{
    enum { CHAINS = 4, STEP = CHAINS * 8, FIRST_SHIFT = 29 };
    uint64_t h[CHAINS] = {0}, done = 0, all = 0;
    for (; done + STEP <= bytes; done += STEP)
        for (unsigned i = 0; i < CHAINS; i++)
            h[i] = (h[i] ^ contents_word(at + done + 8ull * i, 8)) * FACTOR;
    for (; done < bytes; done += 8)
        h[0] = (h[0] ^ contents_word(at + done, bytes - done)) * FACTOR;
    for (unsigned i = 0; i < CHAINS; i++)
        all = (all ^ h[i] ^ h[i] >> FIRST_SHIFT) * FACTOR;
    return all;
}

/* Its place counts, too. */
static uint64_t placed(uint64_t hash, uint64_t place)
{
    uint64_t mixed = (hash ^ hash >> 32) * (2 * place + FACTOR);
    return mixed ^ mixed >> 29;
}

/* Which of up to PAGES pages have memory; true where the system does not say. */
enum { PAGES = 256 };
static void look_at_pages(uint64_t first, uint32_t pages, unsigned char has[PAGES])
{
    if (mincore((void *)(uintptr_t)first, (size_t)pages * PAGE, has) != 0) memset(has, 1, pages);
}

static uint64_t range_hash(uint64_t begin, uint64_t end, uint64_t *read_bytes)
{
    uint64_t all = 0, first = begin - begin % PAGE;
    unsigned char has[PAGES];
    for (uint64_t at = first, group = first; at < end; at += PAGE) {
        if (at == first || at == group + (uint64_t)PAGES * PAGE) {
            uint64_t left = (end - at + PAGE - 1) / PAGE;
            group = at;
            look_at_pages(at, left < PAGES ? (uint32_t)left : PAGES, has);
        }
        if (!(has[(at - group) / PAGE] & 1)) continue;
        uint64_t from = at < begin ? begin : at, to = at + PAGE < end ? at + PAGE : end;
        uint64_t hash = page_hash((const uint8_t *)(uintptr_t)from, to - from);
        *read_bytes += to - from;
        if (hash) all += placed(hash, (at - first) / PAGE);
    }
    return all;
}

static void piece_look(struct session_seen *seen, const struct event_piece *memory, struct session_piece *out)
{
    *out = (struct session_piece){.memory = *memory};
    out->part_bytes = sw_align_up((memory->bytes + SESSION_PARTS - 1) / SESSION_PARTS, PAGE);
    for (uint32_t p = 0; p < SESSION_PARTS; p++) {
        uint64_t begin = p * out->part_bytes, end = begin + out->part_bytes;
        if (end > memory->bytes) end = memory->bytes;
        if (begin < end)
            out->parts[p] = range_hash(memory->base + begin, memory->base + end, &seen->hashed_bytes);
    }
}

/* false: it is as it was last. */
static bool piece_changes(struct session_seen *seen, const struct session_piece *piece)
{
    struct session_piece *last = map_get_u64(&seen->by_base, piece->memory.base);
    if (last && last->memory.bytes == piece->memory.bytes &&
        memcmp(last->parts, piece->parts, sizeof last->parts) == 0)
        return false;
    if (!seen->begun) arena_init(&seen->arena);
    seen->begun = true;
    if (!last) {
        last = ARENA_NEW(&seen->arena, struct session_piece);
        map_set_u64(&seen->by_base, piece->memory.base, last);
    }
    *last = *piece;
    return true;
}

static void put_piece(struct str *out, const struct session_piece *piece)
{
    const struct event_piece *m = &piece->memory;
    session_put_u64(out, m->base);
    session_put_u64(out, m->bytes);
    session_put_text(out, m->variable ? m->variable : "");
    session_put_text(out, m->made ? m->made : "");
    session_put_text(out, m->where ? m->where : "");
    session_put_u64(out, piece->part_bytes);
    for (uint32_t p = 0; p < SESSION_PARTS; p++)
        session_put_u64(out, piece->parts[p]);
}

bool session_contents_due(struct session_seen *seen)
{
    enum { DOUBLED_MOST = 30 };
    uint64_t doubled = seen->hashed_bytes / (seen->budget_bytes ? seen->budget_bytes : SESSION_BUDGET);
    uint32_t every = UINT32_C(1) << (doubled < DOUBLED_MOST ? doubled : DOUBLED_MOST);
    if (seen->left_out + 1 >= every) return true;
    seen->left_out++;
    return false;
}

void session_encode_contents(struct session_seen *seen, uint32_t kernel,
                             const struct event_contents *contents, struct str *out)
{
    struct str pieces = {0};
    uint32_t count = 0;
    for (size_t i = 0; i < contents->count; i++) {
        struct session_piece piece;
        piece_look(seen, &contents->pieces[i], &piece);
        if (!piece_changes(seen, &piece)) continue;
        put_piece(&pieces, &piece);
        count++;
    }
    session_put_u32(out, kernel);
    session_put_u64(out, contents->launch);
    session_put_u32(out, seen->left_out);
    session_put_u32(out, count);
    seen->left_out = 0;
    str_add_bytes(out, str_text(&pieces), pieces.length);
    str_release(&pieces);
}

static const char *contents_text(struct session_cursor *cursor)
{
    const char *text = session_get_text(cursor);
    return text && *text ? text : NULL;
}

static void get_piece(struct session_cursor *cursor, struct session_piece *out)
{
    out->memory.base = session_get_u64(cursor);
    out->memory.bytes = session_get_u64(cursor);
    out->memory.variable = contents_text(cursor);
    out->memory.made = contents_text(cursor);
    out->memory.where = contents_text(cursor);
    out->part_bytes = session_get_u64(cursor);
    for (uint32_t p = 0; p < SESSION_PARTS; p++)
        out->parts[p] = session_get_u64(cursor);
}

void session_decode_contents(struct session_cursor *cursor, const struct event_kernel *const *kernels,
                             uint32_t count, struct session_contents *out)
{
    enum { PIECE_LEAST = 8 * (3 + SESSION_PARTS) };
    uint32_t kernel = session_get_u32(cursor);
    *out = (struct session_contents){.launch = session_get_u64(cursor)};
    out->left_out = session_get_u32(cursor);
    uint32_t pieces = session_get_count(cursor, PIECE_LEAST);
    struct session_piece *all = ARENA_ARRAY(cursor->arena, struct session_piece, (size_t)pieces + 1);
    for (uint32_t i = 0; i < pieces; i++)
        get_piece(cursor, &all[i]);
    out->pieces = all;
    out->count = pieces;
    if (kernel < count)
        out->kernel = kernels[kernel];
    else
        cursor->bad = true;
}

bool session_encode_look(const struct session_look *look, const struct event_contents *contents,
                         struct str *out)
{
    if (!look->bytes || contents->launch != look->launch) return false;
    for (size_t i = 0; i < contents->count; i++) {
        const struct event_piece *piece = &contents->pieces[i];
        if (piece->base != look->base || look->offset + look->bytes > piece->bytes) continue;
        str_add_bytes(out, (const void *)(uintptr_t)(look->base + look->offset), look->bytes);
        return true;
    }
    return false;
}

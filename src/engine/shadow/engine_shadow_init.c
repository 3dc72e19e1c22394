/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: find reads of what nobody wrote (EVENT_PROBE_INIT), to the byte.
 * Method: one bit a byte. The driver says which device memory is new (engine_memory_new), and what copies and
 * fills write; kernels tell their own accesses. Shared and local memory of a block are new when it begins.
 * What is only copied may be padding: such a read is wrong where none of its bytes was written. What the host
 * can write by itself, pinned and managed memory, counts as written by pages (engine_shadow_host.c), which is
 * asked where a read finds bytes that nobody is known to have written. Module variables and arrays count as
 * written. An affine access is one range of bits. Where no race is looked for, emitted code remembers what is
 * written around an access, and tells only accesses outside of that: pages that are not there, of global
 * memory, or a run of written bytes, of a block's. Limits: memory that is allocated while a kernel runs, and
 * that this kernel accesses, may count as written; variables in local memory that take the place of others
 * that have ended are not new. */
#include "engine_shadow_priv.h"

#include "engine/core/engine_findings.h"

#include <stdlib.h>
#include <string.h>

/* ---- bits */

static uint64_t low_bits(uint32_t count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* `count` bits, at most 32, from bit `at` on. */
static uint32_t bits_get(const uint64_t *words, uint64_t at, uint32_t count)
{
    uint64_t shift = at % 64, bits = words[at / 64] >> shift;
    if (shift + count > 64) bits |= words[at / 64 + 1] << (64 - shift);
    return (uint32_t)(bits & low_bits(count));
}

/* Sets them; how many were not set. */
static uint32_t bits_set(uint64_t *words, uint64_t at, uint32_t count)
{
    uint32_t fresh = 0;
    while (count) {
        uint32_t shift = at % 64, here = count < 64 - shift ? count : 64 - shift;
        uint64_t mask = low_bits(here) << shift;
        fresh += (uint32_t)__builtin_popcountll(mask & ~words[at / 64]);
        words[at / 64] |= mask;
        at += here, count -= here;
    }
    return fresh;
}

static void bits_clear(uint64_t *words, uint64_t at, uint64_t count)
{
    for (; count && at % 64; at++, count--)
        words[at / 64] &= ~(UINT64_C(1) << at % 64);
    memset(words + at / 64, 0, count / 64 * 8);
    at += count / 64 * 64, count %= 64;
    if (count) words[at / 64] &= ~low_bits((uint32_t)count);
}

static bool bits_all(const uint64_t *words, uint64_t at, uint64_t count)
{
    while (count) {
        uint64_t shift = at % 64, here = count < 64 - shift ? count : 64 - shift;
        uint64_t mask = low_bits((uint32_t)here) << shift;
        if ((words[at / 64] & mask) != mask) return false;
        at += here, count -= here;
    }
    return true;
}

static struct engine_shadow_bits bits_new(uint64_t count)
{
    return (struct engine_shadow_bits){sw_xcalloc(count / 64 + 2, sizeof(uint64_t)), count, count};
}

/* ---- pages of device memory */

/* Where it is noted that a page is not there. */
static uint64_t *absent_slot(struct engine_shadow *shadow, uint64_t number)
{
    uint64_t hash = number * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / the golden ratio: Fibonacci hashing */
    return &shadow->absent[hash >> (64 - SHADOW_ABSENT_BITS)];
}

static struct engine_shadow_page *page_find(struct engine_shadow *shadow, uint64_t address)
{
    uint64_t number = address >> SHADOW_PAGE_BITS, *absent = absent_slot(shadow, number);
    if (*absent == number) return NULL;
    if (number != shadow->last_number) {
        shadow->last = map_get_u64(&shadow->pages, number);
        shadow->last_number = number;
    }
    if (!shadow->last) *absent = number;
    return shadow->last;
}

void engine_shadow_init_open(struct engine_shadow *shadow)
{
    memset(shadow->absent, 0xff, sizeof shadow->absent);
}

/* A page is there that was not. */
static void absent_forget(struct engine_shadow *shadow, uint64_t number)
{
    *absent_slot(shadow, number) = UINT64_MAX;
    memset(shadow->written, 0, sizeof shadow->written);
}

static void page_drop(struct engine_shadow *shadow, uint64_t address)
{
    free(page_find(shadow, address));
    map_remove_u64(&shadow->pages, address >> SHADOW_PAGE_BITS);
    shadow->last_number = UINT64_MAX;
}

static struct engine_shadow_page *page_make(struct engine_shadow *shadow, uint64_t address)
{
    struct engine_shadow_page *page = page_find(shadow, address);
    if (page) return page;
    page = malloc(sizeof *page);
    if (!page) return NULL; /* then its memory counts as written */
    memset(page->written, 0xff, sizeof page->written);
    page->missing = page->host = 0;
    map_set_u64(&shadow->pages, address >> SHADOW_PAGE_BITS, page);
    absent_forget(shadow, address >> SHADOW_PAGE_BITS);
    shadow->last_number = UINT64_MAX;
    return page;
}

/* Bytes of [address, address + bytes) that are in the page of the first. */
static uint64_t bytes_in_page(uint64_t address, uint64_t bytes)
{
    uint64_t left = SHADOW_PAGE_BYTES - address % SHADOW_PAGE_BYTES;
    return bytes < left ? bytes : left;
}

static uint32_t count_missing(const struct engine_shadow_page *page)
{
    uint32_t missing = 0;
    for (size_t w = 0; w < SW_COUNT_OF(page->written); w++)
        missing += (uint32_t)__builtin_popcountll(~page->written[w]);
    return missing;
}

/* The system's pages that hold bytes of one page, as bits. */
static uint32_t host_pages(uint64_t address, uint64_t bytes)
{
    uint64_t first = address % SHADOW_PAGE_BYTES, last = first + bytes - 1;
    return (uint32_t)(low_bits((uint32_t)(last / SHADOW_HOST_BYTES) + 1) &
                      ~low_bits((uint32_t)(first / SHADOW_HOST_BYTES)));
}

/* host: the host may write it unseen. */
static void pages_renew(struct engine_shadow *shadow, uint64_t address, uint64_t bytes, bool host)
{
    for (uint64_t here; bytes; address += here, bytes -= here) {
        here = bytes_in_page(address, bytes);
        struct engine_shadow_page *page = page_make(shadow, address);
        if (!page) continue;
        bits_clear(page->written, address % SHADOW_PAGE_BYTES, here);
        page->missing = count_missing(page);
        page->host &= ~host_pages(address, here);
        if (host) page->host |= host_pages(address, here);
    }
}

static void pages_written(struct engine_shadow *shadow, uint64_t address, uint64_t bytes)
{
    for (uint64_t here; bytes; address += here, bytes -= here) {
        here = bytes_in_page(address, bytes);
        struct engine_shadow_page *page = page_find(shadow, address);
        if (!page) continue;
        page->missing -= bits_set(page->written, address % SHADOW_PAGE_BYTES, (uint32_t)here);
        if (!page->missing) page_drop(shadow, address);
    }
}

/* The page, after the host was asked what it wrote of it; NULL: all is written. */
static struct engine_shadow_page *page_asked(struct engine_shadow *shadow, uint64_t address)
{
    uint64_t base = address & -(uint64_t)SHADOW_PAGE_BYTES;
    struct engine_shadow_page *page = page_find(shadow, address);
    if (!page || !page->host) return page;
    uint32_t touched = page->host & engine_shadow_host_touched(base);
    page->host &= ~touched;
    for (; touched; touched &= touched - 1) /* of a page with some bytes missing: it stays until the last */
        page->missing -=
            bits_set(page->written, (uint64_t)__builtin_ctz(touched) * SHADOW_HOST_BYTES, SHADOW_HOST_BYTES);
    if (!page->missing) page_drop(shadow, address);
    return page_find(shadow, address);
}

/* A copy between devices' memory: what was not written is not written there, either. */
static void pages_copied(struct engine_shadow *shadow, uint64_t to, uint64_t from, uint64_t bytes)
{
    enum { PIECE = 32 };
    pages_written(shadow, to, bytes);
    for (uint64_t here; bytes; to += here, from += here, bytes -= here) {
        struct engine_shadow_page *page = page_asked(shadow, from);
        here = bytes_in_page(from, bytes);
        if (!page) continue;
        here = here < PIECE ? here : PIECE;
        uint32_t known = bits_get(page->written, from % SHADOW_PAGE_BYTES, (uint32_t)here);
        for (uint32_t i = 0; i < here; i++)
            if (!(known >> i & 1)) pages_renew(shadow, to + i, 1, false);
    }
}

void engine_memory_new(struct engine *engine, uint64_t address, uint64_t bytes)
{
    if (!engine->shadow || !(engine->shadow->checks & EVENT_CHECK_INIT)) return;
    pthread_mutex_lock(&engine->shadow->lock);
    pages_renew(engine->shadow, address, bytes, false);
    pthread_mutex_unlock(&engine->shadow->lock);
}

void engine_memory_new_of_host(struct engine *engine, uint64_t address, uint64_t bytes)
{
    if (!engine->shadow || !(engine->shadow->checks & EVENT_CHECK_INIT)) return;
    engine_shadow_host_new(address, bytes);
    pthread_mutex_lock(&engine->shadow->lock);
    pages_renew(engine->shadow, address, bytes, true);
    pthread_mutex_unlock(&engine->shadow->lock);
}

void engine_memory_written(struct engine *engine, uint64_t address, uint64_t bytes)
{
    if (!engine->shadow || !(engine->shadow->checks & EVENT_CHECK_INIT)) return;
    pthread_mutex_lock(&engine->shadow->lock);
    pages_written(engine->shadow, address, bytes);
    pthread_mutex_unlock(&engine->shadow->lock);
}

void engine_memory_copied(struct engine *engine, uint64_t to, uint64_t from, uint64_t bytes)
{
    if (!engine->shadow || !(engine->shadow->checks & EVENT_CHECK_INIT)) return;
    pthread_mutex_lock(&engine->shadow->lock);
    pages_copied(engine->shadow, to, from, bytes);
    pthread_mutex_unlock(&engine->shadow->lock);
}

/* Of bytes in one page: the first of an aligned unit of which none was written; `bytes`: there is none. Units
 * are cut where the range ends. */
static uint64_t first_unwritten(const struct engine_shadow_page *page, uint64_t address, uint64_t bytes)
{
    enum { UNIT = 16 }; /* the largest alignment of a scalar or vector, and so more than padding (CUDA) */
    for (uint64_t done = 0, here; done < bytes; done += here) {
        here = UNIT - (address + done) % UNIT;
        if (here > bytes - done) here = bytes - done;
        if (!bits_get(page->written, (address + done) % SHADOW_PAGE_BYTES, (uint32_t)here)) return done;
    }
    return bytes;
}

uint64_t engine_memory_unwritten(struct engine *engine, uint64_t address, uint64_t bytes)
{
    struct engine_shadow *shadow = engine->shadow;
    uint64_t found = 0;
    if (!shadow || !(shadow->checks & EVENT_CHECK_INIT)) return 0;
    pthread_mutex_lock(&shadow->lock);
    for (uint64_t here; bytes && !found; address += here, bytes -= here) {
        const struct engine_shadow_page *page = page_find(shadow, address);
        here = bytes_in_page(address, bytes);
        uint64_t at = page ? first_unwritten(page, address, here) : here;
        if (at < here) found = address + at;
    }
    pthread_mutex_unlock(&shadow->lock);
    return found;
}

/* Unwritten bytes among those of one page, and the first. */
static uint64_t unused_in(const struct engine_shadow_page *page, uint64_t address, uint64_t bytes,
                          uint64_t *first)
{
    enum { PIECE = 32 };
    uint64_t count = 0;
    for (uint64_t done = 0, here; done < bytes; done += here) {
        here = bytes - done < PIECE ? bytes - done : PIECE;
        uint64_t missing = ~bits_get(page->written, (address + done) % SHADOW_PAGE_BYTES, (uint32_t)here) &
                           low_bits((uint32_t)here);
        if (missing && !*first) *first = address + done + (uint64_t)__builtin_ctzll(missing);
        count += (uint64_t)__builtin_popcountll(missing);
    }
    return count;
}

uint64_t engine_memory_unused(struct engine *engine, uint64_t address, uint64_t bytes, uint64_t *first)
{
    struct engine_shadow *shadow = engine->shadow;
    uint64_t count = 0;
    *first = 0;
    if (!shadow || !(shadow->checks & EVENT_CHECK_INIT)) return 0;
    pthread_mutex_lock(&shadow->lock);
    for (uint64_t here; bytes; address += here, bytes -= here) {
        const struct engine_shadow_page *page = page_find(shadow, address);
        here = bytes_in_page(address, bytes);
        if (page) count += unused_in(page, address, here, first);
    }
    pthread_mutex_unlock(&shadow->lock);
    return count;
}

/* ---- what kernels do */

void engine_shadow_heap_new(struct jit_ctx *ctx, uint64_t address, uint64_t bytes)
{
    struct engine_shadow *shadow = engine_shadow_of(ctx);
    if (!shadow || !address) return;
    if (shadow->checks & EVENT_CHECK_INIT) pages_renew(shadow, address, bytes, false);
    struct race *race = engine_shadow_races_of(ctx)->race;
    if (race) race_forget(race, address, bytes);
}

void engine_shadow_init_block(struct jit_ctx *ctx, struct engine_shadow_block *block)
{
    block->shared = bits_new(engine_shadow_own_bytes(ctx));
    if (engine_local_bytes(ctx)) block->local = bits_new(engine_local_bytes(ctx));
}

static uint64_t base_of(const struct jit_ctx *ctx, enum isa_space space)
{
    return (uint64_t)(uintptr_t)(space == ISA_SPACE_SHARED ? ctx->shared : ctx->local);
}

/* NULL: global memory. */
static struct engine_shadow_bits *bits_of(struct engine_shadow_block *block, enum isa_space space)
{
    return space == ISA_SPACE_SHARED ? &block->shared : space == ISA_SPACE_LOCAL ? &block->local : NULL;
}

/* ---- memory that is written, all of it */

static bool is_written(struct engine_shadow *shadow, uint64_t address)
{
    return vmem_in_reservation(shadow->engine->config.vmem, address) && !page_find(shadow, address);
}

/* How many pages up (step 1) or down (-1) from this one are written. */
static uint64_t pages_written_from(struct engine_shadow *shadow, uint64_t page, int64_t step)
{
    enum { PAGES_MOST = 4096 };
    uint64_t count = 0;
    while (count < PAGES_MOST &&
           is_written(shadow, page + (uint64_t)(step * (int64_t)(count + 1)) * SHADOW_PAGE_BYTES))
        count++;
    return count;
}

static struct engine_shadow_range pages_range(struct engine_shadow *shadow, uint64_t address)
{
    for (uint32_t i = 0; i < SHADOW_RANGES; i++)
        if (address - shadow->written[i].first < shadow->written[i].bytes) return shadow->written[i];
    if (!is_written(shadow, address)) return (struct engine_shadow_range){0};
    uint64_t page = address & -(uint64_t)SHADOW_PAGE_BYTES;
    uint64_t before = pages_written_from(shadow, page, -1), after = pages_written_from(shadow, page, 1);
    return shadow->written[shadow->written_next++ % SHADOW_RANGES] = (struct engine_shadow_range){
               page - before * SHADOW_PAGE_BYTES, (before + 1 + after) * SHADOW_PAGE_BYTES};
}

/* Of a block's memory, by words of 64 bytes. */
static struct engine_shadow_range bits_run(const struct engine_shadow_bits *bits, uint64_t base,
                                           uint64_t address)
{
    enum { WORDS_MOST = 256 };
    uint64_t at = (address - base) / 64, first = at, end = at;
    if (!bits->words || address - base >= bits->bytes) return (struct engine_shadow_range){0};
    while (end < bits->bytes / 64 && end - at < WORDS_MOST && bits->words[end] == UINT64_MAX)
        end++;
    while (end > at && first > 0 && at - first < WORDS_MOST && bits->words[first - 1] == UINT64_MAX)
        first--;
    return (struct engine_shadow_range){base + first * 64, (end - first) * 64};
}

struct engine_shadow_range engine_shadow_init_range(struct jit_ctx *ctx, struct engine_shadow_block *block,
                                                    enum isa_space space, uint64_t address)
{
    const struct engine_shadow_bits *bits = bits_of(block, space);
    if (!bits) return pages_range(engine_shadow_of(ctx), address);
    return bits_run(bits, base_of(ctx, space), address);
}

/* ---- affine accesses */

/* The bytes that lanes access are all of its range. */
static bool is_dense(const struct jit_shadow_site *site, const struct engine_shadow_affine *at)
{
    return !at->stride || (at->mask == UINT32_MAX && at->stride == site->bytes);
}

bool engine_shadow_init_affine(struct jit_ctx *ctx, struct engine_shadow_block *block,
                               const struct jit_shadow_site *site, const struct engine_shadow_affine *at)
{
    struct engine_shadow *shadow = engine_shadow_of(ctx);
    struct engine_shadow_bits *bits = bits_of(block, (enum isa_space)site->space);
    bool sets = site->flags & JIT_SHADOW_WRITE && !(site->flags & JIT_SHADOW_READ) && is_dense(site, at);
    if (bits) {
        uint64_t from = at->low - base_of(ctx, (enum isa_space)site->space);
        if (!bits->words || from >= bits->bytes || at->bytes > bits->bytes - from) return false;
        if (!bits->missing || bits_all(bits->words, from, at->bytes)) return true;
        if (sets) bits->missing -= bits_set(bits->words, from, (uint32_t)at->bytes);
        return sets;
    }
    struct engine_shadow_page *page = page_find(shadow, at->low);
    if (bytes_in_page(at->low, at->bytes) < at->bytes)
        return !page && at->bytes <= SHADOW_PAGE_BYTES && !page_find(shadow, at->low + at->bytes - 1);
    if (!page || bits_all(page->written, at->low % SHADOW_PAGE_BYTES, at->bytes)) return true;
    if (sets) pages_written(shadow, at->low, at->bytes);
    return sets;
}

/* ---- other accesses */

/* Bits of a lane's bytes that were written; writes: and set them. All bits: nothing is known to be new. */
static uint32_t lane_bits(struct engine_shadow_bits *bits, uint64_t at, uint32_t bytes, bool writes)
{
    uint32_t known = bits_get(bits->words, at, bytes);
    if (writes) bits->missing -= bits_set(bits->words, at, bytes);
    return known;
}

static uint32_t page_bits(struct engine_shadow *shadow, uint64_t address, uint32_t bytes, bool writes)
{
    struct engine_shadow_page *page = page_find(shadow, address);
    uint64_t here = bytes_in_page(address, bytes);
    if (here < bytes) { /* across two pages: misaligned */
        uint32_t low = page_bits(shadow, address, (uint32_t)here, writes);
        return (low & (uint32_t)low_bits((uint32_t)here)) |
               page_bits(shadow, address + here, bytes - (uint32_t)here, writes) << here;
    }
    if (!page) return UINT32_MAX;
    uint32_t known = bits_get(page->written, address % SHADOW_PAGE_BYTES, bytes);
    if (page->host && known != low_bits(bytes)) {
        page = page_asked(shadow, address);
        known = page ? bits_get(page->written, address % SHADOW_PAGE_BYTES, bytes) : UINT32_MAX;
    }
    if (writes) pages_written(shadow, address, bytes);
    return known;
}

struct uninitialized { /* lanes that read what nobody wrote */
    lane_mask lanes;
    uint32_t bits[SW_WARP_LANES];
};

static void tell_reads(struct jit_ctx *ctx, const struct jit_shadow_site *site, const uint64_t *addresses,
                       const struct uninitialized *wrong)
{
    struct engine_shadow *shadow = engine_shadow_of(ctx);
    for (lane_mask left = wrong->lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct event_finding finding = {.kind = EVENT_FINDING_UNINITIALIZED,
                                        .space = (enum isa_space)site->space,
                                        .address =
                                            addresses[lane] + (uint32_t)__builtin_ctz(wrong->bits[lane])};
        engine_place_set(ctx, lane, site->line, &finding.place);
        finding.place.bytes = site->bytes;
        if (site->space == ISA_SPACE_SHARED)
            finding.address -= (uint64_t)(uintptr_t)ctx->shared;
        else if (site->space == ISA_SPACE_LOCAL)
            finding.address -= (uint64_t)(uintptr_t)ctx->local;
        else
            engine_finding_describe(shadow->engine, finding.address, &finding);
        engine_finding_keep(ctx, &finding, 0);
    }
}

/* Are all bytes in one page, or in pages, of which all is written? */
static bool all_known(struct engine_shadow *shadow, uint32_t bytes, const uint64_t *addresses, lane_mask mask)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (lane_mask left = mask; left; left &= left - 1) {
        uint64_t at = addresses[__builtin_ctz(left)];
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    uint64_t last = most + bytes - 1;
    if (least >> SHADOW_PAGE_BITS == last >> SHADOW_PAGE_BITS) return !page_find(shadow, least);
    struct engine_shadow_range range = pages_range(shadow, least);
    return last - range.first < range.bytes;
}

/* Are all bytes of a block's memory that lanes access written? Of naturally aligned accesses. */
static bool are_written(const struct engine_shadow_bits *bits, uint64_t base, uint32_t bytes,
                        const uint64_t *addresses, lane_mask mask)
{
    uint64_t want = low_bits(bytes), missing = 0;
    for (lane_mask left = mask; left; left &= left - 1) {
        uint64_t at = addresses[__builtin_ctz(left)] - base;
        if (at >= bits->bytes || at % 64 + bytes > 64) return false;
        missing |= ~(bits->words[at / 64] >> at % 64) & want;
    }
    return !missing;
}

void engine_shadow_init_access(struct jit_ctx *ctx, struct engine_shadow_block *block,
                               const struct jit_shadow_site *site, const uint64_t *addresses, lane_mask mask)
{
    struct engine_shadow *shadow = engine_shadow_of(ctx);
    bool reads = site->flags & JIT_SHADOW_READ, writes = site->flags & JIT_SHADOW_WRITE;
    uint64_t base = base_of(ctx, (enum isa_space)site->space);
    struct engine_shadow_bits *bits = bits_of(block, (enum isa_space)site->space);
    struct uninitialized wrong = {0};
    if (!bits && all_known(shadow, site->bytes, addresses, mask)) return;
    if (bits && (!bits->words || !bits->missing)) return;
    if (bits && are_written(bits, base, site->bytes, addresses, mask)) return;
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), known;
        uint64_t at = addresses[lane] - base;
        if (bits && (at >= bits->bytes || site->bytes > bits->bytes - at)) continue;
        known = bits ? lane_bits(bits, at, site->bytes, writes)
                     : page_bits(shadow, addresses[lane], site->bytes, writes);
        uint32_t missing = ~known & site->used;
        if (!reads || !missing || (site->flags & JIT_SHADOW_COPIED && known & site->used)) continue;
        wrong.lanes |= UINT32_C(1) << lane;
        wrong.bits[lane] = missing;
    }
    if (wrong.lanes) tell_reads(ctx, site, addresses, &wrong);
}

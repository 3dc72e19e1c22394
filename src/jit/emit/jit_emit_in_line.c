/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of any addresses lane by lane, in line.
 *
 * Addresses go through memory (volatile, or LLVM would take them out of their vectors one by one), missing
 * lanes read the scratch memory itself. A gather instruction keeps fewer misses in flight: 8 Mi elements at
 * random from 64 MiB took 28 ms with it and 19 ms so, from 256 KiB 5.1 and 3.9 (Zen 5).
 *
 * Where a lane reads several elements side by side (ld.v2, ld.v4, a run of jit_emit_ahead.c) it reads them
 * as one word of up to 8 bytes, which is cut by shifts, or as a row of 16 bytes, and rows are transposed:
 *
 *   lanes 0, 4, 8, 12 in one vector, 1, 5, 9, 13 in the next one, ...      each row of 16 bytes from memory
 *   element i of all lanes: two rounds of shuffles that stay within 16 bytes
 *
 * Stores of such go the other way round; the rows of missing lanes go to scratch memory. Stores of one
 * element a lane are scattered elsewhere.
 */
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/value/jit_values.h"

enum { ROW_BYTES = 16 }; /* definition: what is transposed */

struct source {
    const struct jit_address *address;
    LLVMValueRef first;     /* lane 0's address where lanes stand a constant stride apart, or NULL: */
    LLVMValueRef addresses; /* memory with those of all lanes */
};

static void present_addresses(struct jit *jit, const struct jit_lanes *lanes, LLVMValueRef scratch,
                              LLVMValueRef *at)
{
    if (lanes->full) return;
    LLVMValueRef none = LLVMBuildPtrToInt(jit->builder, scratch, jit->i64, "");
    none = jit_splat(jit, none, 64);
    for (unsigned p = 0; p < jit->part.parts; p++)
        at[p] = LLVMBuildSelect(jit->builder, lanes->parts[p], at[p], none, "");
}

/* scratch: where missing lanes read or write */
static struct source source_of(struct jit *jit, const struct jit_address *address,
                               const struct jit_lanes *lanes, LLVMValueRef scratch)
{
    struct source source = {.address = address};
    LLVMValueRef at[JIT_MAX_PARTS];
    if (lanes->full && address->value.repr == JIT_AFFINE && !address->value.limit) {
        source.first = jit_address_scalar(jit, address, 0);
        return source;
    }
    jit_address_lanes(jit, address, at);
    present_addresses(jit, lanes, scratch, at);
    source.addresses = jit_spill_addresses(jit, at);
    return source;
}

/* `more` bytes from a lane's address on */
static LLVMValueRef lane_pointer(struct jit *jit, const struct source *source, unsigned lane, unsigned more)
{
    if (source->first)
        return jit_offset(jit, source->first,
                          (uint64_t)((int64_t)lane * source->address->value.stride) + more);
    LLVMValueRef slot = jit_offset(jit, source->addresses, 8ull * lane);
    LLVMValueRef at = LLVMBuildLoad2(jit->builder, jit->ptr, slot, "");
    LLVMSetVolatile(at, true);
    return jit_offset(jit, at, more);
}

static LLVMValueRef load_lane(struct jit *jit, const struct source *source, unsigned lane, unsigned more,
                              LLVMTypeRef type, unsigned align)
{
    LLVMValueRef one = LLVMBuildLoad2(jit->builder, type, lane_pointer(jit, source, lane, more), "");
    LLVMSetAlignment(one, align);
    return one;
}

/* ---- words of up to 8 bytes */

/* Element i of numbers of `bits`. */
static LLVMValueRef cut(struct jit *jit, const struct jit_access *access, LLVMValueRef words, unsigned bits,
                        unsigned i)
{
    LLVMValueRef by = jit_splat(jit, jit_const(jit, bits, (uint64_t)i * access->bits), bits);
    LLVMValueRef own = i ? LLVMBuildLShr(jit->builder, words, by, "") : words;
    return jit_resize(jit, own, bits, access->bits, false);
}

/* A part's elements, cut from words of `count` of them. */
static void load_words(struct jit *jit, const struct jit_access *access, const struct source *source,
                       unsigned p, unsigned first, unsigned count, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    unsigned bits = count * access->bits;
    LLVMValueRef words = LLVMGetPoison(jit_vec(jit, bits));
    for (unsigned l = 0; l < jit->part.lanes; l++) {
        LLVMValueRef one = load_lane(jit, source, p * jit->part.lanes + l, first * access->bytes,
                                     jit_int(jit, bits), access->bytes);
        words = LLVMBuildInsertElement(jit->builder, words, one, jit_const(jit, 32, l), "");
    }
    for (unsigned i = 0; i < count; i++)
        parts[first + i][p] = cut(jit, access, words, bits, i);
}

/* ---- rows of 16 bytes */

static LLVMValueRef shuffle(struct jit *jit, LLVMValueRef a, LLVMValueRef b, const unsigned *index,
                            unsigned count)
{
    LLVMValueRef constants[64];
    for (unsigned i = 0; i < count; i++)
        constants[i] = jit_const(jit, 32, index[i]);
    return LLVMBuildShuffleVector(jit->builder, a, b, LLVMConstVector(constants, count), "");
}

/* The rows of lanes first, first + units, first + 2 * units, ... of a part. */
static LLVMValueRef load_rows(struct jit *jit, const struct jit_access *access, const struct source *source,
                              unsigned p, unsigned first, unsigned more, unsigned units)
{
    LLVMTypeRef type = LLVMVectorType(jit_int(jit, 8 * ROW_BYTES / units), units);
    unsigned count = jit->part.lanes / units;
    LLVMValueRef rows[JIT_MAX_PARTS];
    for (unsigned r = 0; r < count; r++)
        rows[r] = load_lane(jit, source, p * jit->part.lanes + r * units + first, more, type, access->bytes);
    for (; count > 1; count /= 2)
        for (unsigned r = 0; r < count / 2; r++)
            rows[r] = jit_join_two(jit, rows[2 * r], rows[2 * r + 1]);
    return rows[0];
}

/* Of each 16 bytes of a and b the lower or upper halves, by units of `size` elements in turns. */
static LLVMValueRef interleave(struct jit *jit, LLVMValueRef a, LLVMValueRef b, unsigned units, unsigned size,
                               bool upper)
{
    unsigned index[64], count = LLVMGetVectorSize(LLVMTypeOf(a));
    for (unsigned i = 0; i < count; i++) {
        unsigned in = i % units, pair = in / (2 * size), of_b = in / size % 2;
        index[i] = i - in + (upper ? units / 2 : 0) + pair * size + in % size + of_b * count;
    }
    return shuffle(jit, a, b, index, count);
}

/* The units of all lanes of a part, `units` (2 or 4) a row. */
static void transpose(struct jit *jit, LLVMValueRef *rows, unsigned units, LLVMValueRef *out)
{
    if (units == 2) {
        for (unsigned i = 0; i < 2; i++)
            out[i] = interleave(jit, rows[0], rows[1], 2, 1, i);
        return;
    }
    for (unsigned half = 0; half < 2; half++) {
        LLVMValueRef a = interleave(jit, rows[0], rows[1], 4, 1, half),
                     b = interleave(jit, rows[2], rows[3], 4, 1, half);
        for (unsigned i = 0; i < 2; i++)
            out[2 * half + i] = interleave(jit, a, b, 4, 2, i);
    }
}

static void load_part_rows(struct jit *jit, const struct jit_access *access, const struct source *source,
                           unsigned p, unsigned first, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    unsigned bits = access->bits == 64 ? 64 : 32, units = 8 * ROW_BYTES / bits, each = bits / access->bits;
    LLVMValueRef rows[4], whole[4];
    for (unsigned r = 0; r < units; r++)
        rows[r] = load_rows(jit, access, source, p, r, first * access->bytes, units);
    transpose(jit, rows, units, whole);
    for (unsigned i = 0; i < units * each; i++)
        parts[first + i][p] = cut(jit, access, whole[i / each], bits, i % each);
}

/* ---- stores */

static void store_lane(struct jit *jit, const struct source *source, unsigned lane, unsigned more,
                       LLVMValueRef value, unsigned align)
{
    LLVMValueRef at = lane_pointer(jit, source, lane, more);
    LLVMSetAlignment(LLVMBuildStore(jit->builder, value, at), align);
}

/* `count` elements from `first` on as one number of `bits`, of all lanes of a part. */
static LLVMValueRef packed(struct jit *jit, const struct jit_access *access, unsigned p, unsigned first,
                           unsigned count, unsigned bits, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMValueRef all = NULL;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef one = jit_resize(jit, parts[first + i][p], access->bits, bits, false);
        LLVMValueRef by = jit_splat(jit, jit_const(jit, bits, (uint64_t)i * access->bits), bits);
        if (i) one = LLVMBuildShl(jit->builder, one, by, "");
        all = all ? LLVMBuildOr(jit->builder, all, one, "") : one;
    }
    return all;
}

static void store_words(struct jit *jit, const struct jit_access *access, const struct source *source,
                        unsigned p, unsigned first, unsigned count, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMValueRef words = packed(jit, access, p, first, count, count * access->bits, parts);
    for (unsigned l = 0; l < jit->part.lanes; l++) {
        LLVMValueRef one = LLVMBuildExtractElement(jit->builder, words, jit_const(jit, 32, l), "");
        store_lane(jit, source, p * jit->part.lanes + l, first * access->bytes, one, access->bytes);
    }
}

static void store_part_rows(struct jit *jit, const struct jit_access *access, const struct source *source,
                            unsigned p, unsigned first, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    unsigned bits = access->bits == 64 ? 64 : 32, units = 8 * ROW_BYTES / bits, each = bits / access->bits;
    LLVMValueRef rows[4], whole[4];
    for (unsigned u = 0; u < units; u++)
        whole[u] = packed(jit, access, p, first + u * each, each, bits, parts);
    transpose(jit, whole, units, rows);
    for (unsigned l = 0; l < jit->part.lanes; l++) {
        unsigned index[4] = {0};
        for (unsigned u = 0; u < units; u++)
            index[u] = l / units * units + u;
        LLVMValueRef row = rows[l % units];
        row = shuffle(jit, row, LLVMGetPoison(LLVMTypeOf(row)), index, units);
        store_lane(jit, source, p * jit->part.lanes + l, first * access->bytes, row, access->bytes);
    }
}

/* ---- both */

/* How many of `left` elements go together. */
static unsigned together(const struct jit_access *access, unsigned left)
{
    unsigned count = ROW_BYTES / access->bytes;
    while (count > left)
        count /= 2;
    return count;
}

unsigned jit_in_line_groups(const struct jit_access *access)
{
    unsigned groups = 0;
    for (unsigned i = 0; i < access->count; groups++)
        i += together(access, access->count - i);
    return groups;
}

static void access_part(struct jit *jit, const struct jit_access *access, const struct source *source,
                        unsigned p, unsigned first, unsigned count, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    bool row = count * access->bytes == ROW_BYTES && count > 1;
    if (access->is_store && row)
        store_part_rows(jit, access, source, p, first, parts);
    else if (access->is_store)
        store_words(jit, access, source, p, first, count, parts);
    else if (row)
        load_part_rows(jit, access, source, p, first, parts);
    else
        load_words(jit, access, source, p, first, count, parts);
}

void jit_in_line_access(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                        const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMValueRef scratch = access->is_store ? jit_scratch_values(jit) : jit_scratch_address(jit);
    struct source source = source_of(jit, address, lanes, scratch);
    for (unsigned i = 0, count; i < access->count; i += count) {
        count = together(access, access->count - i);
        for (unsigned p = 0; p < jit->part.parts; p++)
            access_part(jit, access, &source, p, i, count, parts);
    }
    for (unsigned i = 0; i < access->count && !lanes->full && !access->is_store; i++)
        for (unsigned p = 0; p < jit->part.parts; p++)
            parts[i][p] = LLVMBuildSelect(jit->builder, lanes->parts[p], parts[i][p],
                                          LLVMConstNull(jit_vec(jit, access->bits)), "");
}

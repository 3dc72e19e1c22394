/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores whose lanes are neither side by side nor far apart: `2 * t - (t & (n - 1))` of a sorting
 * network, partners `t ^ n`, a distance that only the launch knows, columns of a small table, indices that
 * were reversed or cut off at a border.
 * Method: lanes go in groups, as many as a machine vector has elements (of 8 and 16 bits: as one of 32 bits).
 *
 *   load    a test whether all lanes of each group lie within WINDOW aligned vectors; then those that a lane
 *           has an element in are loaded and permuted. They may hold more than lanes read, but no page does.
 *   store   a test whether each lane of a group lies above the one before it, and all within two vectors;
 *           then two masked vectors, to which elements are expanded.
 *
 * 32 lanes from L1 (Zen 5): every second float 6.8 ns, lane by lane 11; partners in a sort of shared memory,
 * all of it, 3.4 ms and 5.1; a sort by pairs, loads and stores, 5.2 and 7.0, with loads alone 7.0.
 * Limits: AVX-512; not loads of 64 bits, which were no faster, nor stores of vectors. */
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"

enum { WINDOW = 4 }; /* implementation: two instructions that permute, and a choice */

bool jit_near_fits(const struct jit *jit, const struct jit_access *access)
{
    bool known = access->is_store ? access->count == 1 && access->bits <= 64 : access->bits <= 32;
    return known && access->bits >= 8 && jit->request->isa == JIT_ISA_AVX512 && jit->part.lanes == 16;
}

/* ---- groups of lanes */

static unsigned group_lanes(const struct jit_access *access)
{
    return access->bits == 64 ? 8 : 16;
}

static unsigned groups_of(const struct jit *jit, const struct jit_access *access)
{
    return jit->part.lanes / group_lanes(access);
}

/* Lanes of a part from `first` on. */
static LLVMValueRef slice(struct jit *jit, LLVMValueRef all, unsigned first, unsigned count)
{
    LLVMValueRef index[16];
    if (count == jit->part.lanes) return all;
    for (unsigned l = 0; l < count; l++)
        index[l] = jit_const(jit, 32, first + l);
    return LLVMBuildShuffleVector(jit->builder, all, LLVMGetPoison(LLVMTypeOf(all)),
                                  LLVMConstVector(index, count), "");
}

static LLVMValueRef join(struct jit *jit, LLVMValueRef *groups, unsigned count)
{
    LLVMValueRef index[16];
    if (count == 1) return groups[0];
    for (unsigned l = 0; l < jit->part.lanes; l++)
        index[l] = jit_const(jit, 32, l);
    return LLVMBuildShuffleVector(jit->builder, groups[0], groups[1], LLVMConstVector(index, jit->part.lanes),
                                  "");
}

static LLVMValueRef splat(struct jit *jit, LLVMValueRef scalar, unsigned lanes)
{
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), lanes);
    LLVMValueRef one =
        LLVMBuildInsertElement(jit->builder, LLVMGetPoison(type), scalar, jit_const(jit, 32, 0), "");
    return LLVMBuildShuffleVector(jit->builder, one, LLVMGetPoison(type),
                                  LLVMConstNull(LLVMVectorType(jit->i32, lanes)), "");
}

static LLVMValueRef constant(struct jit *jit, unsigned bits, uint64_t value, unsigned lanes)
{
    return splat(jit, jit_const(jit, bits, value), lanes);
}

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

/* llvm.vector.reduce.NAME */
static LLVMValueRef reduce(struct jit *jit, const char *name, LLVMValueRef vector)
{
    LLVMTypeRef type = LLVMTypeOf(vector);
    return jit_intrinsic(jit, name, &type, 1, &vector, 1);
}

static LLVMValueRef bits_of(struct jit *jit, LLVMValueRef lanes)
{
    unsigned count = LLVMGetVectorSize(LLVMTypeOf(lanes));
    return LLVMBuildBitCast(jit->builder, lanes, jit_int(jit, count), "");
}

/* ---- windows: whole aligned vectors, which lie on a page as a whole */

static unsigned vector_bytes(const struct jit_access *access)
{
    return group_lanes(access) * access->bytes;
}

static LLVMValueRef base_number(struct jit *jit, const struct jit_address *address)
{
    LLVMValueRef base = jit_offset(jit, address->base, (uint64_t)address->offset);
    return LLVMBuildPtrToInt(jit->builder, base, jit->i64, "");
}

/* Offsets from a base are signed (tile[63 - t]): so much more makes their order that of unsigned numbers.
 * What wraps around is below a vector's size then (not_wrapped). */
static const uint64_t BIAS = 1ull << 31;

/* Addresses of a group as unsigned numbers of which a multiple of the vector's size is aligned. */
static LLVMValueRef places(struct jit *jit, const struct jit_access *access,
                           const struct jit_address *address, LLVMValueRef at)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(at));
    if (!address->base)
        return LLVMBuildAdd(jit->builder, at, constant(jit, 64, (uint64_t)address->offset, lanes), "");
    LLVMValueRef base = LLVMBuildAnd(jit->builder, base_number(jit, address),
                                     jit_const(jit, 64, vector_bytes(access) - 1), "");
    base = LLVMBuildTrunc(jit->builder, base, jit->i32, "");
    base = LLVMBuildOr(jit->builder, base, jit_const(jit, 32, BIAS), "");
    return LLVMBuildAdd(jit->builder, at, splat(jit, base, lanes), "");
}

static LLVMValueRef place_pointer(struct jit *jit, const struct jit_access *access,
                                  const struct jit_address *address, LLVMValueRef place)
{
    if (!address->base) return LLVMBuildIntToPtr(jit->builder, place, jit->ptr, "");
    LLVMValueRef down = jit_const(jit, 64, -(uint64_t)vector_bytes(access));
    LLVMValueRef base = LLVMBuildAnd(jit->builder, base_number(jit, address), down, "");
    base = LLVMBuildSub(jit->builder, base, jit_const(jit, 64, BIAS), "");
    base = LLVMBuildIntToPtr(jit->builder, base, jit->ptr, "");
    place = LLVMBuildZExt(jit->builder, place, jit->i64, "");
    return LLVMBuildGEP2(jit->builder, jit->i8, base, &place, 1, "");
}

static LLVMValueRef in_elements(struct jit *jit, const struct jit_access *access, LLVMValueRef distance,
                                unsigned bits)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(distance));
    LLVMValueRef by = constant(jit, bits, (uint64_t)__builtin_ctz(access->bytes), lanes);
    return LLVMBuildLShr(jit->builder, distance, by, "");
}

static LLVMValueRef lane_of(struct jit *jit, LLVMValueRef vector, unsigned lane)
{
    return LLVMBuildExtractElement(jit->builder, vector, jit_const(jit, 32, lane), "");
}

static LLVMValueRef two(struct jit *jit, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b};
    return jit_intrinsic(jit, name, &type, 1, args, 2);
}

/* ---- loads */

static LLVMValueRef group_mask(struct jit *jit, const struct jit_access *access,
                               const struct jit_lanes *lanes, unsigned p, unsigned g)
{
    unsigned count = group_lanes(access);
    return lanes->full ? NULL : slice(jit, lanes->parts[p], g * count, count);
}

/* The least and the largest address: usually those of the first and the last lane, or the other way round.
 * The test fails where they are not. Lanes that are missing do not count, so that all others are looked at.
 * Offsets of 32 bits stay in vectors, each lane the same, of which code around has more to spare than of
 * other registers (partners of lanes: 3.5 ms, otherwise 4.5); of 64 bits, as numbers, they cost less. */
static void find_ends(struct jit *jit, LLVMValueRef at, LLVMValueRef mask, LLVMValueRef *least,
                      LLVMValueRef *most)
{
    LLVMTypeRef type = LLVMTypeOf(at);
    unsigned lanes = LLVMGetVectorSize(type);
    bool spread_out = LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 32;
    LLVMValueRef a = lane_of(jit, at, 0), b = lane_of(jit, at, lanes - 1);
    if (mask) {
        LLVMValueRef low = LLVMBuildSelect(jit->builder, mask, at, LLVMConstAllOnes(type), "");
        LLVMValueRef high = LLVMBuildSelect(jit->builder, mask, at, LLVMConstNull(type), "");
        a = reduce(jit, "llvm.vector.reduce.umin", low);
        b = reduce(jit, "llvm.vector.reduce.umax", high);
    }
    if (spread_out) {
        a = splat(jit, a, lanes);
        b = splat(jit, b, lanes);
    }
    *least = mask ? a : two(jit, "llvm.umin", a, b);
    *most = mask ? b : two(jit, "llvm.umax", a, b);
}

/* A constant of the type of `like`, in each lane. */
static LLVMValueRef constant_as(struct jit *jit, LLVMValueRef like, uint64_t value)
{
    LLVMTypeRef type = LLVMTypeOf(like);
    if (!is_vector(like)) return LLVMConstInt(type, value, 0);
    unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(type));
    return constant(jit, bits, value, LLVMGetVectorSize(type));
}

static LLVMValueRef not_wrapped(struct jit *jit, const struct jit_access *access, LLVMValueRef first)
{
    return LLVMBuildICmp(jit->builder, LLVMIntUGE, first, constant_as(jit, first, vector_bytes(access)), "");
}

static LLVMValueRef in_lanes(struct jit *jit, LLVMValueRef value, unsigned lanes)
{
    return is_vector(value) ? value : splat(jit, value, lanes);
}

/* <n x i1>: lanes in the vectors from that of the least to that of the largest address; not those of the
 * latter if these are too many. */
static LLVMValueRef load_test(struct jit *jit, const struct jit_access *access,
                              const struct jit_address *address, LLVMValueRef at, LLVMValueRef mask,
                              struct jit_near_group *group)
{
    unsigned lanes = group_lanes(access);
    uint64_t bytes = vector_bytes(access);
    LLVMValueRef least, most;
    find_ends(jit, at, mask, &least, &most);
    LLVMValueRef down = constant_as(jit, least, -bytes);
    group->first = LLVMBuildAnd(jit->builder, least, down, "");
    group->span = LLVMBuildSub(jit->builder, LLVMBuildAnd(jit->builder, most, down, ""), group->first, "");
    LLVMValueRef few = LLVMBuildICmp(jit->builder, LLVMIntULT, group->span,
                                     constant_as(jit, group->span, WINDOW * bytes), "");
    if (address->base) few = LLVMBuildAnd(jit->builder, few, not_wrapped(jit, access, group->first), "");
    LLVMValueRef end = LLVMBuildAdd(jit->builder, group->span, constant_as(jit, group->span, bytes), "");
    end = LLVMBuildSelect(jit->builder, few, end, constant_as(jit, group->span, 0), "");
    LLVMValueRef distance = LLVMBuildSub(jit->builder, at, in_lanes(jit, group->first, lanes), "");
    group->index = in_elements(jit, access, distance, address->value.bits);
    LLVMValueRef near = LLVMBuildICmp(jit->builder, LLVMIntULT, distance, in_lanes(jit, end, lanes), "");
    return mask ? LLVMBuildOr(jit->builder, near, LLVMBuildNot(jit->builder, mask, ""), "") : near;
}

/* first: of lane 0 */
static LLVMValueRef first_pointer(struct jit *jit, const struct jit_access *access,
                                  const struct jit_address *address, LLVMValueRef first)
{
    return place_pointer(jit, access, address, is_vector(first) ? lane_of(jit, first, 0) : first);
}

/* A vector of the window; none past the last one that a lane has its element in: masked, or that one again.
 */
static LLVMValueRef load_vector(struct jit *jit, const struct jit_access *access, LLVMValueRef first,
                                LLVMValueRef span, unsigned v)
{
    LLVMTypeRef type = LLVMVectorType(jit_int(jit, access->bits), group_lanes(access));
    LLVMTypeRef types[] = {type, jit->ptr};
    LLVMValueRef from = constant_as(jit, span, (uint64_t)v * vector_bytes(access));
    LLVMValueRef align = jit_const(jit, 32, vector_bytes(access));
    if (is_vector(span)) {
        LLVMValueRef here = jit_offset(jit, first, (uint64_t)v * vector_bytes(access));
        LLVMValueRef own = LLVMBuildICmp(jit->builder, LLVMIntUGE, span, from, "");
        LLVMValueRef args[] = {here, align, own, LLVMConstNull(type)};
        return jit_intrinsic(jit, "llvm.masked.load", types, 2, args, 4);
    }
    LLVMValueRef by = v ? two(jit, "llvm.umin", span, from) : from;
    LLVMValueRef vector =
        LLVMBuildLoad2(jit->builder, type, LLVMBuildGEP2(jit->builder, jit->i8, first, &by, 1, ""), "");
    LLVMSetAlignment(vector, vector_bytes(access));
    return vector;
}

static LLVMValueRef permute(struct jit *jit, LLVMValueRef *vectors, LLVMValueRef index)
{
    bool wide = LLVMGetVectorSize(LLVMTypeOf(index)) == 8;
    const char *name = wide ? "llvm.x86.avx512.vpermi2var.q.512" : "llvm.x86.avx512.vpermi2var.d.512";
    LLVMValueRef args[] = {vectors[0], index, vectors[1]};
    return jit_intrinsic(jit, name, NULL, 0, args, 3);
}

/* Each lane's element of the window. */
static LLVMValueRef pick(struct jit *jit, const struct jit_access *access, LLVMValueRef *window,
                         LLVMValueRef index)
{
    unsigned lanes = group_lanes(access), bits = access->bits == 64 ? 64 : 32;
    LLVMValueRef low = permute(jit, &window[0], index), high = permute(jit, &window[2], index);
    LLVMValueRef is_low =
        LLVMBuildICmp(jit->builder, LLVMIntULT, index, constant(jit, bits, 2ull * lanes, lanes), "");
    LLVMValueRef one = LLVMBuildSelect(jit->builder, is_low, low, high, "");
    return jit_resize(jit, one, bits, access->bits, false);
}

/* out: of each element. A group without lanes reads memory of ours. */
static void load_group(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       const struct jit_near_group *group, LLVMValueRef mask, LLVMValueRef *out)
{
    unsigned lanes = group_lanes(access), bits = access->bits == 64 ? 64 : 32;
    LLVMValueRef first = first_pointer(jit, access, address, group->first), span = group->span;
    LLVMValueRef window[WINDOW];
    if (mask) {
        LLVMValueRef none = jit_const(jit, lanes, 0);
        none = LLVMBuildICmp(jit->builder, LLVMIntEQ, bits_of(jit, mask), none, "");
        first = LLVMBuildSelect(jit->builder, none, jit_scratch_address(jit), first, "");
        span = LLVMBuildSelect(jit->builder, none, constant_as(jit, span, 0), span, "");
    }
    for (unsigned v = 0; v < WINDOW; v++) {
        window[v] = load_vector(jit, access, first, span, v);
        window[v] = jit_resize(jit, window[v], access->bits, bits, false);
    }
    LLVMValueRef index = jit_resize(jit, group->index, address->value.bits, bits, false);
    for (unsigned i = 0; i < access->count; i++) {
        LLVMValueRef more = constant(jit, bits, i, lanes);
        out[i] = pick(jit, access, window, i ? LLVMBuildAdd(jit->builder, index, more, "") : index);
        if (mask) out[i] = LLVMBuildSelect(jit->builder, mask, out[i], LLVMConstNull(LLVMTypeOf(out[i])), "");
    }
}

static void load_part(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                      const struct jit_lanes *lanes, const struct jit_near *near, unsigned p,
                      LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    unsigned groups = groups_of(jit, access);
    LLVMValueRef one[2][8];
    for (unsigned g = 0; g < groups; g++)
        load_group(jit, access, address, &near->groups[p * groups + g], group_mask(jit, access, lanes, p, g),
                   one[g]);
    for (unsigned i = 0; i < access->count; i++) {
        LLVMValueRef two[] = {one[0][i], groups > 1 ? one[1][i] : NULL};
        parts[i][p] = join(jit, two, groups);
    }
}

/* ---- stores */

/* <n x i1>: each lane lies above the one before it, lanes that are missing, too, and all in two vectors:
 * aligned ones if they do, so that a load of the next lanes need not wait for this store. */
static LLVMValueRef store_test(struct jit *jit, const struct jit_access *access,
                               const struct jit_address *address, LLVMValueRef at,
                               struct jit_near_group *group)
{
    unsigned lanes = group_lanes(access), bits = address->value.bits;
    uint64_t bytes = vector_bytes(access);
    LLVMValueRef next[16], least = splat(jit, lane_of(jit, at, 0), lanes);
    LLVMValueRef aligned = LLVMBuildAnd(jit->builder, least, constant(jit, bits, -bytes, lanes), "");
    LLVMValueRef most = splat(jit, lane_of(jit, at, lanes - 1), lanes);
    LLVMValueRef fits = LLVMBuildICmp(jit->builder, LLVMIntULT, LLVMBuildSub(jit->builder, most, aligned, ""),
                                      constant(jit, bits, 2 * bytes, lanes), "");
    group->first = LLVMBuildSelect(jit->builder, fits, aligned, least, "");
    LLVMValueRef distance = LLVMBuildSub(jit->builder, at, group->first, "");
    group->index = in_elements(jit, access, distance, bits);
    for (unsigned l = 0; l < lanes; l++)
        next[l] = jit_const(jit, 32, l + 1);
    LLVMValueRef above =
        LLVMBuildShuffleVector(jit->builder, group->index, constant(jit, bits, 2ull * lanes, lanes),
                               LLVMConstVector(next, lanes), "");
    LLVMValueRef rises = LLVMBuildICmp(jit->builder, LLVMIntULT, group->index, above, "");
    return address->base ? LLVMBuildAnd(jit->builder, rises, not_wrapped(jit, access, least), "") : rises;
}

/* i32: which of two vectors' elements are a lane's */
static LLVMValueRef occupied(struct jit *jit, const struct jit_access *access,
                             const struct jit_near_group *group, unsigned bits)
{
    unsigned lanes = group_lanes(access);
    LLVMValueRef index = jit_resize(jit, group->index, bits, 32, false);
    LLVMValueRef each = LLVMBuildShl(jit->builder, constant(jit, 32, 1, lanes), index, "");
    return reduce(jit, "llvm.vector.reduce.or", each);
}

static LLVMValueRef half_mask(struct jit *jit, LLVMValueRef elements, unsigned lanes, unsigned half)
{
    LLVMValueRef own = LLVMBuildLShr(jit->builder, elements, jit_const(jit, 32, half * lanes), "");
    own = LLVMBuildTrunc(jit->builder, own, jit_int(jit, lanes), "");
    return LLVMBuildBitCast(jit->builder, own, LLVMVectorType(jit->i1, lanes), "");
}

/* Elements move apart to those of the mask, or together from them. */
static LLVMValueRef spread(struct jit *jit, const char *name, LLVMValueRef value, LLVMValueRef mask)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef args[] = {value, LLVMConstNull(type), mask};
    return jit_intrinsic(jit, name, &type, 1, args, 3);
}

/* Of those lanes that are there */
static LLVMValueRef written(struct jit *jit, LLVMValueRef elements, LLVMValueRef mask, unsigned lanes)
{
    if (!mask) return elements;
    LLVMValueRef args[] = {jit_resize(jit, bits_of(jit, mask), lanes, 32, false), elements};
    return jit_intrinsic(jit, "llvm.x86.bmi.pdep.32", NULL, 0, args, 2);
}

static void store_half(struct jit *jit, const struct jit_access *access, LLVMValueRef value, LLVMValueRef at,
                       LLVMValueRef mask)
{
    unsigned wide = access->bits == 64 ? 64 : 32;
    value = jit_resize(jit, value, wide, access->bits, false);
    LLVMTypeRef types[] = {LLVMTypeOf(value), jit->ptr};
    LLVMValueRef args[] = {value, at, jit_const(jit, 32, access->bytes), mask};
    jit_intrinsic(jit, "llvm.masked.store", types, 2, args, 4);
}

static void store_group(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                        const struct jit_near_group *group, LLVMValueRef mask, LLVMValueRef value)
{
    unsigned lanes = group_lanes(access), bits = address->value.bits;
    LLVMValueRef at = first_pointer(jit, access, address, group->first),
                 own = occupied(jit, access, group, bits);
    LLVMValueRef to = written(jit, own, mask, lanes);
    LLVMValueRef late =
        LLVMBuildICmp(jit->builder, LLVMIntUGE, group->index, constant(jit, bits, lanes, lanes), "");
    value = jit_resize(jit, value, access->bits, access->bits == 64 ? 64 : 32, false);
    for (unsigned half = 0; half < 2; half++) {
        if (half) value = spread(jit, "llvm.x86.avx512.mask.compress", value, late);
        LLVMValueRef apart =
            spread(jit, "llvm.x86.avx512.mask.expand", value, half_mask(jit, own, lanes, half));
        store_half(jit, access, apart, jit_offset(jit, at, (uint64_t)half * lanes * access->bytes),
                   half_mask(jit, to, lanes, half));
    }
}

/* ---- both */

LLVMValueRef jit_near_ends(struct jit *jit, const struct jit_access *access,
                           const struct jit_address *address, const LLVMValueRef *at)
{
    unsigned lanes = group_lanes(access), bits = address->value.bits;
    uint64_t most = (uint64_t)WINDOW * vector_bytes(access);
    LLVMValueRef apart =
        LLVMBuildSub(jit->builder, lane_of(jit, at[0], lanes - 1), lane_of(jit, at[0], 0), "");
    apart = LLVMBuildAdd(jit->builder, apart, jit_const(jit, bits, most), "");
    return LLVMBuildICmp(jit->builder, LLVMIntULT, apart, jit_const(jit, bits, 2 * most), "");
}

LLVMValueRef jit_near_test(struct jit *jit, const struct jit_access *access,
                           const struct jit_address *address, const struct jit_lanes *lanes,
                           const LLVMValueRef *at, struct jit_near *near)
{
    unsigned groups = groups_of(jit, access), count = group_lanes(access);
    LLVMValueRef all = NULL;
    for (unsigned p = 0; p < jit->part.parts; p++)
        for (unsigned g = 0; g < groups; g++) {
            struct jit_near_group *group = &near->groups[p * groups + g];
            LLVMValueRef own = places(jit, access, address, slice(jit, at[p], g * count, count));
            LLVMValueRef one = access->is_store ? store_test(jit, access, address, own, group)
                                                : load_test(jit, access, address, own,
                                                            group_mask(jit, access, lanes, p, g), group);
            all = all ? LLVMBuildAnd(jit->builder, all, one, "") : one;
        }
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, bits_of(jit, all), LLVMConstAllOnes(jit_int(jit, count)),
                         "");
}

void jit_near_access(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                     const struct jit_lanes *lanes, const struct jit_near *near,
                     LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    unsigned groups = groups_of(jit, access), count = group_lanes(access);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        if (!access->is_store) load_part(jit, access, address, lanes, near, p, parts);
        for (unsigned g = 0; g < groups && access->is_store; g++)
            store_group(jit, access, address, &near->groups[p * groups + g],
                        group_mask(jit, access, lanes, p, g), slice(jit, parts[0][p], g * count, count));
    }
}

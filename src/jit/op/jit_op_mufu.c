/* SPDX-License-Identifier: Apache-2.0 */
/* The interpolator of NVIDIA's multi-function unit: c0 2^scale + c1 x + c2 square(x) + bias, upper bits, from
 * the tables of arch/arch_mufu.h, at full vector width in 32-bit integers.
 * Method: the sum has up to 41 bits. With x = 2^13 h + l its upper bits are those of sums of 32 bits, because
 * rounding down twice is rounding down once: (2^13 u + v) >> n = (u + (v >> 13)) >> (n - 13). Where a float
 * near the result costs little (rcp, rsqrt) the sum's lower bits suffice. Coefficients are packed into one or
 * two words a row (tanh: three). AVX-512 looks them up by permutation of registers, AVX2 by gathers, SSE2 by
 * loads.
 * The squarer: x = 512 h + l; products of bits whose weight is below 2^18 are left out, so square(x) = (h^2
 * >> 1) + sum over the bits j of h of (l >> (9 - j)), and h_j (l >> (9 - j)) 2^7 is the product of two masked
 * bytes, (h & 2^j) ((l >> 2) & mask): pmaddubsw adds seven of them.
 * Not chosen: f64 arithmetic, which is exact too but takes twice the registers. Limits: none known. */
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

#include <arch/arch_mufu.h>
#include <stdio.h>

enum { MAX_ROWS = 128, BLOCK = 16 };

/* ---- lookup */

static LLVMValueRef word(struct jit_part *p, uint32_t value)
{
    return LLVMConstInt(LLVMInt32TypeInContext(p->context), value, false);
}

static LLVMValueRef table_global(struct jit_part *p, const char *name, const uint32_t *words, unsigned count)
{
    LLVMValueRef global = LLVMGetNamedGlobal(p->module, name), all[MAX_ROWS];
    if (global) return global;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
    for (unsigned i = 0; i < count; i++)
        all[i] = word(p, words[i]);
    global = LLVMAddGlobal(p->module, LLVMArrayType2(i32, count), name);
    LLVMSetInitializer(global, LLVMConstArray2(i32, all, count));
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetAlignment(global, 64);
    return global;
}

static jv load_words(struct jit_part *p, LLVMValueRef table, jv index, unsigned count)
{
    index = jv_and_k(p, index, count - 1);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context), type = LLVMTypeOf(index);
    jv at = LLVMBuildGEP2(p->builder, i32, table, &index, 1, "");
    if (jv_lanes(index) == 1) return LLVMBuildLoad2(p->builder, i32, at, "");
    LLVMTypeRef types[] = {type, LLVMTypeOf(at)};
    jv all = LLVMConstAllOnes(jv_like(index, LLVMInt1TypeInContext(p->context)));
    LLVMValueRef args[] = {at, word(p, 4), all, LLVMConstNull(type)};
    unsigned id = LLVMLookupIntrinsicID("llvm.masked.gather", 18);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(p->module, id, types, 2);
    return LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(function), function, args, 4, "");
}

/* 32 words by one permutation, the pieces chosen by the index's next bits; count: 16, 64 or 128. */
static jv permute_words(struct jit_part *p, const uint32_t *words, unsigned count, jv index)
{
    jv piece[4], row[BLOCK];
    unsigned pieces = count <= 32 ? 1 : count / 32;
    for (unsigned i = 0; i < pieces; i++) {
        LLVMValueRef half[2];
        for (unsigned h = 0; h < 2; h++) {
            for (unsigned k = 0; k < BLOCK; k++)
                row[k] = word(p, words[(32 * i + BLOCK * h + k) % count]);
            half[h] = LLVMConstVector(row, BLOCK);
        }
        LLVMValueRef args[] = {half[0], index, half[1]};
        piece[i] = jv_call(p, "llvm.x86.avx512.vpermi2var.d.512", args, 3);
    }
    for (unsigned bit = 32; pieces > 1; bit *= 2, pieces /= 2) {
        jv upper = jv_cmp_k(p, LLVMIntNE, jv_and_k(p, index, bit), 0);
        for (unsigned i = 0; i < pieces / 2; i++)
            piece[i] = jv_select(p, upper, piece[2 * i + 1], piece[2 * i]);
    }
    return piece[0];
}

static jv lookup(struct jit_part *p, const char *name, char column, const uint32_t *words, unsigned count,
                 jv index)
{
    char full[40];
    if (p->isa == JIT_ISA_AVX512 && jv_lanes(index) == BLOCK) return permute_words(p, words, count, index);
    snprintf(full, sizeof full, "softwarp.mufu.%s.%c", name, column);
    return load_words(p, table_global(p, full, words, count), index, count);
}

jv jv_mufu_small_table(struct jit_part *p, const char *name, const uint32_t words[16], jv index)
{
    return lookup(p, name, 's', words, 16, index);
}

/* ---- squarer */

static jv square_by_bits(struct jit_part *p, jv x)
{
    jv h = jv_lshr_k(p, x, 9), l = jv_and_k(p, x, 511), sum = jv_lshr_k(p, jv_mul(p, h, h), 1);
    for (unsigned j = 1; j < 8; j++) {
        jv on = jv_cmp_k(p, LLVMIntNE, jv_and_k(p, h, 1u << j), 0);
        sum = jv_add(p, sum, jv_select(p, on, jv_lshr_k(p, l, 9 - j), jv_k(x, 0)));
    }
    return sum;
}

static LLVMTypeRef sliced(struct jit_part *p, jv x, unsigned bits)
{
    return LLVMVectorType(LLVMIntTypeInContext(p->context, bits), jv_lanes(x) * 32 / bits);
}

/* The lowest byte of each lane in all its four, as <4n x i8> */
static jv spread_byte(struct jit_part *p, jv x)
{
    LLVMValueRef index[64];
    unsigned count = jv_lanes(x) * 4;
    SW_ASSERT(count <= SW_COUNT_OF(index));
    for (unsigned i = 0; i < count; i++)
        index[i] = word(p, i / 4 * 4);
    jv bytes = LLVMBuildBitCast(p->builder, x, sliced(p, x, 8), "");
    return LLVMBuildShuffleVector(p->builder, bytes, LLVMGetUndef(LLVMTypeOf(bytes)),
                                  LLVMConstVector(index, count), "");
}

/* bytes & the four bytes of `mask` in each lane */
static jv masked_bytes(struct jit_part *p, jv x, jv bytes, uint32_t mask)
{
    return jv_and(p, bytes, LLVMConstBitCast(jv_k(x, mask), LLVMTypeOf(bytes)));
}

static jv square_by_bytes(struct jit_part *p, jv x)
{
    bool wide = p->isa == JIT_ISA_AVX512;
    const char *bytes = wide ? "llvm.x86.avx512.pmaddubs.w.512" : "llvm.x86.avx2.pmadd.ub.sw";
    const char *words = wide ? "llvm.x86.avx512.pmaddw.d.512" : "llvm.x86.avx2.pmadd.wd";
    jv upper = jv_lshr_k(p, x, 9), h = spread_byte(p, upper), l = spread_byte(p, jv_lshr_k(p, x, 2));
    jv high = jv_call2(p, bytes, masked_bytes(p, x, h, 0x10204080), masked_bytes(p, x, l, 0x787c7e7f));
    jv low = jv_call2(p, bytes, masked_bytes(p, x, h, 0x00020408), masked_bytes(p, x, l, 0x00406070));
    jv sum = jv_call2(p, words, jv_add(p, high, low), jv_k(high, 1));
    jv halves = LLVMBuildBitCast(p->builder, upper, sliced(p, x, 16), "");
    jv squared = jv_call2(p, words, halves, halves);
    return jv_lshr_k(p, jv_add(p, jv_shl_k(p, squared, 6), sum), 7);
}

static jv square(struct jit_part *p, jv x)
{
    bool by_bytes =
        (p->isa == JIT_ISA_AVX512 && jv_lanes(x) == 16) || (p->isa == JIT_ISA_AVX2 && jv_lanes(x) == 8);
    return by_bytes ? square_by_bytes(p, x) : square_by_bits(p, x);
}

/* ---- sums */

struct table {
    const char *name;
    const struct arch_mufu_row *rows;
    unsigned count, scale, bias;
};
#define TABLE(id, NAME)                                                                                      \
    {#id, arch_mufu_##id, ARCH_MUFU_##NAME##_ROWS, ARCH_MUFU_##NAME##_SCALE, ARCH_MUFU_##NAME##_BIAS}
static const struct table tables[] = {
    [JIT_MUFU_RCP] = TABLE(rcp, RCP),    [JIT_MUFU_RSQRT] = TABLE(rsqrt, RSQRT),
    [JIT_MUFU_SQRT] = TABLE(sqrt, SQRT), [JIT_MUFU_EX2] = TABLE(ex2, EX2),
    [JIT_MUFU_LG2] = TABLE(lg2, LG2),    [JIT_MUFU_SINE] = TABLE(sine, SINE),
};

/* c0, and c1 with c2 in the lower 12 bits (halved but for sine, whose are odd too) */
static void pack(const struct table *t, bool halve, uint32_t *first, uint32_t *second)
{
    for (unsigned i = 0; i < t->count; i++) {
        const struct arch_mufu_row *row = &t->rows[i];
        first[i] = (uint32_t)row->c0;
        second[i] = (uint32_t)row->c1 << 12 | ((uint32_t)(halve ? row->c2 / 2 : row->c2) & 0xfff);
    }
}

/* The sum is c0 2^scale + 2^LOW u + v, u and v below 2^31. */
enum { LOW = 13 };
static jv linear_parts(struct jit_part *p, const struct table *t, jv index, jv x, jv *u, jv *v)
{
    uint32_t first[MAX_ROWS], second[MAX_ROWS];
    bool halve = t->rows != arch_mufu_sine;
    pack(t, halve, first, second);
    jv c0 = lookup(p, t->name, '0', first, t->count, index),
       c12 = lookup(p, t->name, '1', second, t->count, index);
    jv c1 = jv_ashr_k(p, c12, 12), c2 = jv_ashr_k(p, jv_shl_k(p, c12, 20), halve ? 19 : 20);
    jv low = jv_mul(p, c1, jv_and_k(p, x, (1u << LOW) - 1));
    *u = jv_mul(p, c1, jv_lshr_k(p, x, LOW));
    *v = jv_add_k(p, jv_add(p, low, jv_mul(p, c2, square(p, x))), t->bias);
    return c0;
}

/* The 24 bits of rcp, rsqrt, ex2 (times 2^24) and sqrt (times 2^23); 2^24 itself can be reached. */
jv jv_mufu_fraction(struct jit_part *p, enum jit_mufu which, jv index, jv x)
{
    jv u, v, c0 = linear_parts(p, &tables[which], index, x, &u, &v);
    jv sum = jv_add(p, jv_add(p, jv_shl_k(p, c0, 1), u), jv_ashr_k(p, v, LOW));
    return jv_lshr_k(p, sum, which == JIT_MUFU_SQRT ? 4 : 3);
}

/* rcp and rsqrt of floats, where a float `near` lies below the result by less than 16 steps: one word a row
 * holds c1, c2 and the last bits of c0, and the sum modulo 2^20 says which of the 16 floats it is. Returns
 * the float's bits; those of 1 / sqrt of a power of 4 are one step short. Index: the operand's bits from the
 * row's lowest on; of rsqrt with the exponent's last bit, which is 0 where the exponent, unbiased, is odd. */
jv jv_mufu_near(struct jit_part *p, enum jit_mufu which, jv near, jv index, jv x)
{
    const struct table *t = &tables[which];
    unsigned shift = which == JIT_MUFU_RSQRT ? 2 : 1, flip = which == JIT_MUFU_RSQRT ? 64 : 0;
    uint32_t packed[MAX_ROWS];
    for (unsigned i = 0; i < t->count; i++) {
        const struct arch_mufu_row *row = &t->rows[i ^ flip];
        uint32_t c0 = (uint32_t)row->c0 + (t->bias >> t->scale), c2 = (uint32_t)row->c2 >> shift;
        packed[i] = (uint32_t)-row->c1 << 16 | c2 << 6 | (c0 & 63);
    }
    jv row = lookup(p, t->name, 'n', packed, t->count, index);
    jv c0 = jv_or_k(p, jv_and_k(p, jv_shl_k(p, row, t->scale), 63u << t->scale),
                    t->bias & ((1u << t->scale) - 1));
    jv c2 = jv_lshr_k(p, jv_and_k(p, row, 0xffc0), 6 - shift);
    jv linear = jv_sub(p, c0, jv_mul(p, jv_lshr_k(p, row, 16), x));
    jv sum = jv_lshr_k(p, jv_add(p, linear, jv_mul(p, c2, square(p, x))), 16);
    return jv_add(p, near, jv_and_k(p, jv_sub(p, sum, near), 15));
}

/* lg2 (times 2^38) and sine (times 2^37), without the last 6 bits, and those bits */
jv jv_mufu_long(struct jit_part *p, enum jit_mufu which, jv index, jv x, jv *rest)
{
    const struct table *t = &tables[which];
    jv u, v, c0 = linear_parts(p, t, index, x, &u, &v);
    *rest = jv_and_k(p, v, 63);
    jv middle = jv_add(p, jv_shl_k(p, u, LOW - 6), jv_ashr_k(p, v, 6));
    return jv_add(p, jv_shl_k(p, c0, t->scale - 6), middle);
}

/* tanh times 2^32: c1 has 20 bits and is even, c2 18 and divides by 4, and the sum's last 8 bits never count.
 */
jv jv_mufu_tanh(struct jit_part *p, jv index, jv x)
{
    uint32_t c[3][64] = {{0}};
    for (unsigned i = 0; i < ARCH_MUFU_TANH_ROWS; i++) {
        c[0][i] = (uint32_t)arch_mufu_tanh[i].c0;
        c[1][i] = (uint32_t)arch_mufu_tanh[i].c1 / 2;
        c[2][i] = (uint32_t)(arch_mufu_tanh[i].c2 / 4);
    }
    jv k[3];
    for (unsigned i = 0; i < 3; i++)
        k[i] = lookup(p, "tanh", (char)('0' + i), c[i], 64, index);
    jv low = jv_lshr_k(p, jv_mul(p, k[1], jv_and_k(p, x, 31)), 1);
    jv small = jv_add(p, low, jv_mul(p, k[2], square(p, x)));
    jv large = jv_add(p, jv_mul(p, k[1], jv_lshr_k(p, x, 5)), jv_ashr_k(p, small, 4));
    return jv_add(p, jv_shl_k(p, k[0], 8), jv_ashr_k(p, large, 2));
}

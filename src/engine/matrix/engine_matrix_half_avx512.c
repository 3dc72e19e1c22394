/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products of f16 and bf16 into f32, and of f16 into f16, with AVX-512, which most kernels for
 * tensor cores are made of. Method: sums as in engine_matrix_vector_priv.h, 16 rows of x in a vector, four
 * columns of y at a time. All products are far from the ends of f32 and c is below its last power of two
 * (is_plain), so that nothing needs to be looked at again; whatever is not goes to matrix_floats_avx2. The
 * two halves of a sum are added as integers, or as doubles where that would wrap. The build gives this file
 * its own instruction set (cmake/Modules.cmake). Limits: called only where emitted code of that set runs. */
#include "engine_matrix_priv.h"

#ifdef __AVX512BW__
#include "engine_matrix_avx512_priv.h"

enum { BLOCK_K = 8, K_BLOCKS = 2, SIDE = 4 }; /* SIDE: columns at a time */

struct halves { /* what an element is: of 16 bits */
    bool is_bf16;
    int low, high; /* magnitudes [low, high) and 0 are plain */
};

/* f16: all that is finite; bf16: 2^-50 to 2^55, products then 2^-100 to 2^110. */
static struct halves halves_of(enum jit_matrix_type type)
{
    if (type == JIT_MATRIX_F16) return (struct halves){false, 0, 0x7c00};
    return (struct halves){true, (127 - 50) << 7, (127 + 55) << 7};
}

/* bytes: a multiple of 64 */
static INLINE512 bool plain_codes(const uint8_t *from, size_t bytes, struct halves type)
{
    __mmask32 strange = 0;
    __m512i low = _mm512_set1_epi16((short)type.low);
    __m512i room = _mm512_set1_epi16((short)(type.high - type.low));
    for (size_t i = 0; i < bytes; i += 64) {
        __m512i magnitude = _mm512_and_si512(_mm512_loadu_si512(from + i), _mm512_set1_epi16(0x7fff));
        __mmask32 some = _mm512_test_epi16_mask(magnitude, magnitude);
        strange |= _mm512_mask_cmpge_epu16_mask(some, _mm512_sub_epi16(magnitude, low), room);
    }
    return !strange;
}

/* Words of f32 below 2^127 */
static INLINE512 bool plain_words(const uint8_t *from, size_t bytes)
{
    __mmask16 strange = 0;
    for (size_t i = 0; i < bytes; i += 64) {
        __m512i magnitude = _mm512_and_si512(_mm512_loadu_si512(from + i), _mm512_set1_epi32(0x7fffffff));
        strange |= _mm512_cmpge_epi32_mask(magnitude, _mm512_set1_epi32(0x7f000000));
    }
    return !strange;
}

static bool is_plain(const struct matrix_form *form, struct halves type)
{
    size_t sums = (size_t)form->xs * form->ys;
    if (form->c == JIT_MATRIX_F16 && !plain_codes(form->c_from, sums * 2, type)) return false;
    return plain_codes(form->x, (size_t)form->xs * form->k * 2, type) &&
           plain_codes(form->y, (size_t)form->ys * form->k * 2, type) &&
           (form->c == JIT_MATRIX_F16 || plain_words(form->c_from, sums * 4));
}

/* ---- factors: f32, and exponents as the adder sees them */

static INLINE512 __m512i exponents(__m512i codes, struct halves type)
{
    __m512i magnitude = _mm512_and_si512(codes, _mm512_set1_epi16(0x7fff));
    __m512i field = type.is_bf16 ? _mm512_srli_epi16(magnitude, 7) : _mm512_srli_epi16(magnitude, 10);
    field = _mm512_max_epi16(field, _mm512_set1_epi16(1));
    field = _mm512_sub_epi16(field, _mm512_set1_epi16(type.is_bf16 ? 127 : 15));
    __mmask32 some = _mm512_test_epi16_mask(magnitude, magnitude);
    return _mm512_mask_blend_epi16(some, _mm512_set1_epi16(MATRIX_ZERO), field);
}

static INLINE512 __m512 values(__m256i codes, struct halves type)
{
    if (!type.is_bf16) return _mm512_cvtph_ps(codes);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(codes), 16));
}

struct factors { /* of 16 rows of x, and of 8 of y */
    __m512 x[BLOCK_K * K_BLOCKS];
    __m512i x_exponent[BLOCK_K * K_BLOCKS];
    _Alignas(64) float y[K_BLOCKS][COLUMNS][BLOCK_K];
    _Alignas(64) int32_t y_exponent[K_BLOCKS][COLUMNS][BLOCK_K];
};

static INLINE512 void load_block(const uint8_t *from, struct halves type, __m512 *x, __m512i *exponent)
{
    __m512i pairs[4];
    turn_factor(from, pairs);
    for (int i = 0; i < 4; i++) {
        __m512i own = exponents(pairs[i], type);
        x[2 * i] = values(_mm512_castsi512_si256(pairs[i]), type);
        x[2 * i + 1] = values(upper(pairs[i]), type);
        exponent[2 * i] = _mm512_cvtepi16_epi32(_mm512_castsi512_si256(own));
        exponent[2 * i + 1] = _mm512_cvtepi16_epi32(upper(own));
    }
}

static INLINE512 void load_columns(const uint8_t *from, struct halves type, float *y, int32_t *exponent)
{
    for (unsigned i = 0; i < COLUMNS * BLOCK_K; i += 32) {
        __m512i codes = _mm512_loadu_si512(from + (size_t)i * 2), own = exponents(codes, type);
        _mm512_store_ps(y + i, values(_mm512_castsi512_si256(codes), type));
        _mm512_store_ps(y + i + 16, values(upper(codes), type));
        _mm512_store_si512(exponent + i, _mm512_cvtepi16_epi32(_mm512_castsi512_si256(own)));
        _mm512_store_si512(exponent + i + 16, _mm512_cvtepi16_epi32(upper(own)));
    }
}

/* ---- sums */

/* (a + b) 2^power, cut to f32, where a + b does not fit. odd: the lowest bit says that something was lost. */
static __m512 finish_wide(__m512i a, __m512i b, __m512i power, bool odd)
{
    __m256 half[2];
    for (int i = 0; i < 2; i++) {
        __m256i own_a = i ? upper(a) : _mm512_castsi512_si256(a);
        __m256i own_b = i ? upper(b) : _mm512_castsi512_si256(b);
        __m256i own_power = i ? upper(power) : _mm512_castsi512_si256(power);
        __m512d sum = _mm512_add_pd(_mm512_cvtepi32_pd(own_a), _mm512_cvtepi32_pd(own_b));
        sum = _mm512_scalef_pd(sum, _mm512_cvtepi32_pd(own_power));
        half[i] = _mm512_cvt_roundpd_ps(sum, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        __mmask8 lost = _mm512_cmp_pd_mask(_mm512_cvtps_pd(half[i]), sum, _CMP_NEQ_UQ);
        __m256i bits = _mm256_castps_si256(half[i]);
        if (odd) half[i] = _mm256_castsi256_ps(_mm256_mask_or_epi32(bits, lost, bits, _mm256_set1_epi32(1)));
    }
    return _mm512_insertf32x8(_mm512_castps256_ps512(half[0]), half[1], 1);
}

static INLINE512 __m512 power_of_two(__m512i exponent)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(exponent, _mm512_set1_epi32(127)), 23));
}

static INLINE512 __m512 cut(__m512i a, __m512i b, __m512i power, bool odd)
{
    __m512i sum = _mm512_add_epi32(a, b);
    __m512i wrapped = _mm512_and_si512(_mm512_xor_si512(a, sum), _mm512_xor_si512(b, sum));
    if (__builtin_expect(_mm512_movepi32_mask(wrapped), 0)) return finish_wide(a, b, power, odd);
    __m512 kept = _mm512_cvt_roundepi32_ps(sum, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __m512i bits = _mm512_castps_si512(kept);
    __mmask16 lost = _mm512_cmpneq_epi32_mask(_mm512_cvttps_epi32(kept), sum);
    if (odd) kept = _mm512_castsi512_ps(_mm512_mask_or_epi32(bits, lost, bits, _mm512_set1_epi32(1)));
    return _mm512_mul_ps(kept, power_of_two(power));
}

/* The largest exponent of a sum's terms; some: there is a product that is not zero. */
static INLINE512 __m512i with_addend(__m512i largest, __m512i c, int least, __mmask16 *some)
{
    __m512i magnitude = _mm512_and_si512(c, _mm512_set1_epi32(0x7fffffff));
    __m512i own = _mm512_sub_epi32(_mm512_srli_epi32(magnitude, 23), _mm512_set1_epi32(127));
    own = _mm512_max_epi32(own, _mm512_set1_epi32(least));
    *some = _mm512_cmpgt_epi32_mask(largest, _mm512_set1_epi32(MATRIX_ZERO / 2));
    largest = _mm512_mask_max_epi32(largest, _mm512_test_epi32_mask(magnitude, magnitude), largest, own);
    return _mm512_max_epi32(largest, _mm512_set1_epi32(-101)); /* their cuts are those of f32 itself */
}

static INLINE512 __m512i product(__m512 x, float y, __m512 scale)
{
    return _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_mul_ps(x, _mm512_set1_ps(y)), scale));
}

/* Products [first, first + step) of columns [j, j + SIDE), into d. */
static INLINE512 void add_columns(const struct factors *f, const struct matrix_floats *sums, unsigned j,
                                  unsigned first, bool half, __m512i d[SIDE])
{
    __m512i largest[SIDE], part[SIDE], rest[SIDE];
    __m512 scale[SIDE];
    __mmask16 some[SIDE];
    unsigned step = sums->step, middle = first + step / 2;
    int fraction = (int)sums->fraction;
    for (unsigned i = 0; i < SIDE; i++)
        largest[i] = _mm512_set1_epi32(2 * MATRIX_ZERO);
    for (unsigned k = first; k < first + step; k++)
        for (unsigned i = 0; i < SIDE; i++) {
            __m512i y = _mm512_set1_epi32(f->y_exponent[k / BLOCK_K][j + i][k % BLOCK_K]);
            largest[i] = _mm512_max_epi32(largest[i], _mm512_add_epi32(f->x_exponent[k], y));
        }
    for (unsigned i = 0; i < SIDE; i++) {
        largest[i] = with_addend(largest[i], d[i], half ? -14 : -126, &some[i]);
        scale[i] = power_of_two(_mm512_sub_epi32(_mm512_set1_epi32(fraction), largest[i]));
        part[i] = _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_castsi512_ps(d[i]), scale[i]));
        rest[i] = _mm512_setzero_si512();
    }
    for (unsigned k = first; k < middle; k++)
        for (unsigned i = 0; i < SIDE; i++) {
            float y = f->y[k / BLOCK_K][j + i][k % BLOCK_K];
            part[i] = _mm512_add_epi32(part[i], product(f->x[k], y, scale[i]));
        }
    for (unsigned k = middle; k < first + step; k++)
        for (unsigned i = 0; i < SIDE; i++) {
            float y = f->y[k / BLOCK_K][j + i][k % BLOCK_K];
            rest[i] = _mm512_add_epi32(rest[i], product(f->x[k], y, scale[i]));
        }
    for (unsigned i = 0; i < SIDE; i++) {
        __m512 sum = cut(part[i], rest[i], _mm512_sub_epi32(largest[i], _mm512_set1_epi32(fraction)), half);
        __mmask16 not_zero = _mm512_test_epi32_mask(d[i], _mm512_set1_epi32(0x7fffffff));
        d[i] =
            _mm512_mask_mov_epi32(_mm512_maskz_mov_epi32(not_zero, d[i]), some[i], _mm512_castps_si512(sum));
    }
}

/* f16 sums stand as factors do: two columns of all rows in a vector. */
static INLINE512 void load_half_tile(const uint8_t *from, __m512i columns[COLUMNS])
{
    __m512i pairs[4];
    turn_factor(from, pairs);
    for (int i = 0; i < 4; i++) {
        columns[2 * i] = _mm512_castps_si512(_mm512_cvtph_ps(_mm512_castsi512_si256(pairs[i])));
        columns[2 * i + 1] = _mm512_castps_si512(_mm512_cvtph_ps(upper(pairs[i])));
    }
}

static INLINE512 void store_half_tile(const __m512i columns[COLUMNS], uint8_t *to)
{
    __m512i pairs[4];
    for (int i = 0; i < 4; i++) {
        __m256i low = _mm512_cvtps_ph(_mm512_castsi512_ps(columns[2 * i]), _MM_FROUND_TO_NEAREST_INT);
        __m256i high = _mm512_cvtps_ph(_mm512_castsi512_ps(columns[2 * i + 1]), _MM_FROUND_TO_NEAREST_INT);
        __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
        __mmask32 some = _mm512_test_epi16_mask(both, _mm512_set1_epi16(0x7fff));
        pairs[i] = _mm512_maskz_mov_epi16(some, both); /* zero is positive */
    }
    turn_factor_back(pairs, to);
}

/* half: c and d are f16, not f32. */
static INLINE512 void add_tile(const struct factors *f, const struct matrix_floats *sums, bool half,
                               const uint8_t *c, uint8_t *to)
{
    __m512i columns[COLUMNS];
    if (half)
        load_half_tile(c, columns);
    else
        load_tile(c, columns);
    for (unsigned first = 0; first < sums->k; first += sums->step)
        for (unsigned j = 0; j < COLUMNS; j += SIDE)
            add_columns(f, sums, j, first, half, columns + j);
    if (half)
        store_half_tile(columns, to);
    else
        store_tile(columns, to);
}

static INLINE512 void add_all(const struct matrix_form *form, const struct matrix_floats *sums,
                              struct halves type, bool half, uint8_t *to)
{
    unsigned across = form->k / BLOCK_K, wide = form->xs / ROWS;
    struct factors f;
    for (unsigned r = 0; r < wide; r++) {
        for (unsigned b = 0; b < across; b++)
            load_block(form->x + (size_t)(r * across + b) * 2 * REGISTER, type, f.x + b * BLOCK_K,
                       f.x_exponent + b * BLOCK_K);
        for (unsigned j = 0; j < form->ys / COLUMNS; j++) {
            for (unsigned b = 0; b < across; b++)
                load_columns(form->y + (size_t)(j * across + b) * REGISTER, type, f.y[b][0],
                             f.y_exponent[b][0]);
            size_t at = (size_t)(j * wide + r) * (half ? TILE / 2 : TILE);
            add_tile(&f, sums, half, form->c_from + at, to + at);
        }
    }
}

static bool fits(const struct matrix_form *form, const struct matrix_floats *sums)
{
    bool f16 = form->a == JIT_MATRIX_F16, bf16 = form->a == JIT_MATRIX_BF16;
    bool single = form->c == JIT_MATRIX_F32 && form->d == JIT_MATRIX_F32 && (f16 || bf16);
    bool half = sums->half && f16 && sums->step == form->k; /* later sums may begin with infinity */
    return (single || half) && !form->sparse && form->k <= BLOCK_K * K_BLOCKS && sums->step % 2 == 0;
}

void matrix_floats_avx512(const struct matrix_form *form, struct matrix_floats *sums, uint8_t *to)
{
    struct halves type = halves_of(form->a);
    if (!fits(form, sums) || !is_plain(form, type))
        matrix_floats_avx2(form, sums, to);
    else if (type.is_bf16)
        add_all(form, sums, halves_of(JIT_MATRIX_BF16), false, to);
    else if (sums->half)
        add_all(form, sums, halves_of(JIT_MATRIX_F16), true, to);
    else
        add_all(form, sums, halves_of(JIT_MATRIX_F16), false, to);
}
#else /* never run */
void matrix_floats_avx512(const struct matrix_form *form, struct matrix_floats *sums, uint8_t *to)
{
    matrix_floats_avx2(form, sums, to);
}
#endif

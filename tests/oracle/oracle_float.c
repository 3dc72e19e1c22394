/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: floating point of one lane, in every format and rounding mode.
 * Method: formats narrower than double are computed in double with rounding to odd (toward zero, then the
 * last bit set when inexact), which loses nothing that a second rounding to 24 bits or fewer could need; then
 * rounded by integer arithmetic in the wanted mode. Double itself uses the host's rounding modes. Approximate
 * functions are the correctly rounded ones: comparisons allow PTX's error. Limits: NaNs are those of
 * docs/numerics.md. */
#include "oracle_priv.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* ---- formats
 * ---------------------------------------------------------------------------------------------------- */

struct format {
    int mantissa, exponent; /* bits, without the hidden one */
    bool infinities;
};

static struct format format_of(enum isa_type type)
{
    switch ((unsigned)type) {
    case ISA_F16: return (struct format){10, 5, true};
    case ISA_BF16: return (struct format){7, 8, true};
    case ISA_F32: return (struct format){23, 8, true};
    case ISA_E4M3: return (struct format){3, 4, false};
    case ISA_E5M2: return (struct format){2, 5, true};
    default: BUG("not a narrow float type: %s", isa_type_name(type));
    }
}

bool oracle_is_float(enum isa_type type)
{
    return type == ISA_F16 || type == ISA_BF16 || type == ISA_F32 || type == ISA_F64;
}

enum isa_type oracle_half_of(enum isa_type type)
{
    return type == ISA_F16X2 ? ISA_F16 : type == ISA_BF16X2 ? ISA_BF16 : ISA_TYPE_NONE;
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t oracle_nan(enum isa_type type)
{
    if (type == ISA_F64) return UINT64_C(0xfff8000000000000);
    return type == ISA_F32 ? 0x7fffffff : type == ISA_E4M3 || type == ISA_E5M2 ? 0x7f : 0x7fff;
}

double oracle_to_double(uint64_t bits, enum isa_type type)
{
    if (type == ISA_F64) return from_bits(bits);
    struct format f = format_of(type);
    int bias = (1 << (f.exponent - 1)) - 1;
    uint64_t mantissa = bits & ((UINT64_C(1) << f.mantissa) - 1);
    int exponent = (int)(bits >> f.mantissa) & ((1 << f.exponent) - 1);
    double sign = bits >> (f.mantissa + f.exponent) & 1 ? -1.0 : 1.0;
    bool top = exponent == (1 << f.exponent) - 1;
    if (top && f.infinities) return mantissa ? NAN : sign * INFINITY;
    if (top && mantissa == (UINT64_C(1) << f.mantissa) - 1) return NAN;
    if (exponent == 0) return sign * ldexp((double)mantissa, 1 - bias - f.mantissa);
    return sign * ldexp((double)(mantissa | UINT64_C(1) << f.mantissa), exponent - bias - f.mantissa);
}

bool oracle_is_nan(uint64_t bits, enum isa_type type)
{
    return isnan(oracle_to_double(bits, type));
}

static double round_integer(double x, enum round round) /* x >= 0 */
{
    double low = floor(x), rest = x - low;
    bool odd = fmod(low, 2.0) != 0;
    bool up = round == ROUND_UP        ? rest > 0
              : round == ROUND_NEAREST ? rest > 0.5 || (rest == 0.5 && odd)
              : round == ROUND_AWAY    ? rest >= 0.5
                                       : false;
    return low + up;
}

static uint64_t overflow(const struct format *f, enum round round, bool saturate, bool negative)
{
    uint64_t top = ((UINT64_C(1) << f->exponent) - 1) << f->mantissa; /* infinity */
    uint64_t most = f->infinities ? top - 1 : (top | ((UINT64_C(1) << f->mantissa) - 2));
    bool finite = saturate || round == ROUND_ZERO || round == ROUND_DOWN;
    uint64_t bits = finite ? most : f->infinities ? top : most + 1;
    return bits | (uint64_t)negative << (f->mantissa + f->exponent);
}

uint64_t oracle_from_double(double exact, enum isa_type type, enum round round, bool saturate)
{
    if (isnan(exact)) return oracle_nan(type);
    if (type == ISA_F64) return to_bits(exact);
    struct format f = format_of(type);
    int bias = (1 << (f.exponent - 1)) - 1, exponent;
    bool negative = signbit(exact);
    double x = fabs(exact);
    if (negative && round == ROUND_DOWN)
        round = ROUND_UP; /* of the magnitude */
    else if (negative && round == ROUND_UP)
        round = ROUND_DOWN;
    uint64_t sign = (uint64_t)negative << (f.mantissa + f.exponent);
    if (isinf(x))
        return saturate ? overflow(&f, ROUND_ZERO, true, negative) : overflow(&f, ROUND_UP, false, negative);
    if (x == 0) return sign;
    (void)frexp(x, &exponent); /* x = 0.1... * 2^exponent */
    int quantum = exponent - 1 - f.mantissa;
    if (quantum < 1 - bias - f.mantissa) quantum = 1 - bias - f.mantissa;
    double scaled = round_integer(ldexp(x, -quantum), round); /* at most 2^(mantissa + 1) */
    /* Adding the integer to the exponent's place carries into it as it should. */
    uint64_t bits = (uint64_t)scaled + ((uint64_t)(quantum + bias + f.mantissa - 1) << f.mantissa);
    uint64_t top = ((UINT64_C(1) << f.exponent) - 1) << f.mantissa;
    uint64_t limit = f.infinities ? top : top + (UINT64_C(1) << f.mantissa) - 1;
    return bits >= limit ? overflow(&f, round, saturate, negative) : bits | sign;
}

uint64_t oracle_flush(uint64_t bits, enum isa_type type)
{
    if (type == ISA_F64) return bits;
    struct format f = format_of(type);
    bool subnormal = (bits >> f.mantissa & ((UINT64_C(1) << f.exponent) - 1)) == 0;
    return subnormal ? bits & UINT64_C(1) << (f.mantissa + f.exponent) : bits;
}

enum round oracle_round_mode(const struct ptx_instr *instr)
{
    switch ((unsigned)ptx_mod_of(instr, ISA_CAT_ROUND)) {
    case ISA_MOD_RZ:
    case ISA_MOD_RZI: return ROUND_ZERO;
    case ISA_MOD_RM:
    case ISA_MOD_RMI: return ROUND_DOWN;
    case ISA_MOD_RP:
    case ISA_MOD_RPI: return ROUND_UP;
    case ISA_MOD_RNA: return ROUND_AWAY;
    default: return ROUND_NEAREST;
    }
}

/* ---- exact arithmetic
 * ------------------------------------------------------------------------------------------- */

enum arith { ARITH_ADD, ARITH_MUL, ARITH_FMA, ARITH_DIV, ARITH_SQRT };

static double compute(enum arith arith, double x, double y, double z)
{
    volatile double a = x, b = y, c = z, r = 0;
    switch (arith) {
    case ARITH_ADD: r = a + b; break;
    case ARITH_MUL: r = a * b; break;
    case ARITH_FMA: r = fma(a, b, c); break;
    case ARITH_DIV: r = a / b; break;
    case ARITH_SQRT: r = sqrt(a); break;
    }
    return r;
}

static double compute_odd(enum arith arith, double a, double b, double c)
{
    fesetround(FE_TOWARDZERO);
    feclearexcept(FE_ALL_EXCEPT);
    double result = compute(arith, a, b, c);
    bool inexact = fetestexcept(FE_INEXACT) != 0;
    fesetround(FE_TONEAREST);
    if (inexact && isfinite(result)) result = from_bits(to_bits(result) | 1);
    return result;
}

static double compute_double(enum arith arith, double a, double b, double c, enum round round)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
    fesetround(modes[round]);
    double result = compute(arith, a, b, c);
    fesetround(FE_TONEAREST);
    return result;
}

/* The sign of an exact zero sum is minus only when rounding down; toward zero would have made it plus. */
static double zero_sign(enum arith arith, double a, double b, double c, double result, enum round round)
{
    if (result != 0 || round != ROUND_DOWN) return result;
    if (arith == ARITH_ADD && a == -b && a != 0) return -0.0;
    if (arith == ARITH_ADD && a == 0 && b == 0 && signbit(a) != signbit(b)) return -0.0;
    if (arith == ARITH_FMA) return compute_double(arith, a, b, c, ROUND_DOWN);
    return result;
}

/* .ftz: what is below the least normal number when rounded as if exponents went on */
double oracle_flush_exact(double exact, enum isa_type type, enum round round)
{
    double least = type == ISA_F16 ? 0x1p-14 : 0x1p-126;
    if (type == ISA_F64 || !(fabs(exact) < least)) return exact;
    double scaled = oracle_to_double(oracle_from_double(exact * 0x1p20, type, round, false), type);
    return fabs(scaled) < least * 0x1p20 ? copysign(0, exact) : exact;
}

static uint64_t arithmetic(enum arith arith, enum isa_type type, uint64_t a, uint64_t b, uint64_t c,
                           enum round round, bool flush)
{
    double x = oracle_to_double(a, type), y = oracle_to_double(b, type), z = oracle_to_double(c, type);
    if (type == ISA_F64) {
        double wide = compute_double(arith, x, y, z, round);
        return isnan(wide) ? oracle_nan(type) : to_bits(wide);
    }
    double result = zero_sign(arith, x, y, z, compute_odd(arith, x, y, z), round);
    if (flush) result = oracle_flush_exact(result, type, round);
    return oracle_from_double(result, type, round, false);
}

uint64_t oracle_float_add(uint64_t a, uint64_t b, enum isa_type type)
{
    return arithmetic(ARITH_ADD, type, a, b, 0, ROUND_NEAREST, false);
}

int oracle_float_compare(uint64_t a, uint64_t b, enum isa_type type, bool ftz)
{
    double x = oracle_to_double(ftz ? oracle_flush(a, type) : a, type);
    double y = oracle_to_double(ftz ? oracle_flush(b, type) : b, type);
    return isnan(x) || isnan(y) ? 2 : x < y ? -1 : x > y;
}

uint64_t oracle_float_minmax(uint64_t a, uint64_t b, enum isa_type type, bool max, bool nan)
{
    bool a_nan = oracle_is_nan(a, type), b_nan = oracle_is_nan(b, type);
    if (a_nan && b_nan && type == ISA_F64) return b | UINT64_C(1) << 51; /* b's, quiet */
    if ((a_nan && b_nan) || (nan && (a_nan || b_nan))) return oracle_nan(type);
    if (a_nan) return b;
    if (b_nan) return a;
    double x = oracle_to_double(a, type), y = oracle_to_double(b, type);
    bool less = x < y || (x == y && signbit(x) && !signbit(y));
    return less != max ? a : b;
}

/* ---- one operation on one value
 * --------------------------------------------------------------------------------- */

static uint64_t saturate(uint64_t bits, enum isa_type type)
{
    double x = oracle_to_double(bits, type);
    if (!(x > 0)) return 0;
    return x > 1 ? oracle_from_double(1, type, ROUND_NEAREST, false) : bits;
}

static uint64_t sign_bit(enum isa_type type)
{
    return UINT64_C(1) << (isa_type_bits(type) - 1);
}

struct operation {
    const struct ptx_instr *instr;
    enum isa_type type;
    enum round round;
};

static uint64_t minmax_three(const struct operation *op, const uint64_t v[3], unsigned count)
{
    bool max = op->instr->op == ISA_OP_MAX, nan = ptx_has(op->instr, ISA_MOD_NAN_FLAG);
    uint64_t sign = sign_bit(op->type), keep = ptx_has(op->instr, ISA_MOD_ABS) ? ~sign : ~UINT64_C(0);
    bool flip = ptx_has(op->instr, ISA_MOD_XORSIGN) && ((v[0] ^ v[1]) & sign);
    uint64_t result = oracle_float_minmax(v[0] & keep, v[1] & keep, op->type, max, nan);
    if (count > 2) result = oracle_float_minmax(result, v[2] & keep, op->type, max, nan);
    if (oracle_is_nan(result, op->type)) return op->type == ISA_F64 ? result : oracle_nan(op->type);
    return flip ? result ^ sign : result;
}

/* f64: which NaN operand passes, quiet; fff8000000000000 when there is none */
static uint64_t passed_nan(const struct operation *op, const uint64_t v[3], unsigned count)
{
    bool fused = op->instr->op == ISA_OP_FMA || op->instr->op == ISA_OP_MAD;
    const char *order = fused ? "bca" : op->instr->op == ISA_OP_DIV ? "ab" : "ba";
    for (; *order; order++) {
        unsigned i = (unsigned)(*order - 'a');
        if (i < count && oracle_is_nan(v[i], ISA_F64)) return v[i] | UINT64_C(1) << 51;
    }
    return oracle_nan(ISA_F64);
}

static bool passes_nan(const struct operation *op)
{
    if (op->type != ISA_F64 || ptx_has(op->instr, ISA_MOD_APPROX)) return false;
    switch ((unsigned)op->instr->op) {
    case ISA_OP_MIN:
    case ISA_OP_MAX:
    case ISA_OP_COPYSIGN: return false;
    default: return true;
    }
}

static uint64_t evaluate(const struct operation *op, const uint64_t v[3], unsigned count)
{
    enum isa_type type = op->type;
    bool exact = op->round != ROUND_NEAREST || ptx_has(op->instr, ISA_MOD_RN);
    bool ftz = ptx_has(op->instr, ISA_MOD_FTZ);
    uint64_t one = oracle_from_double(1, type, ROUND_NEAREST, false), sign = sign_bit(type);
    switch ((unsigned)op->instr->op) {
    case ISA_OP_ADD: return arithmetic(ARITH_ADD, type, v[0], v[1], 0, op->round, ftz);
    case ISA_OP_SUB: return arithmetic(ARITH_ADD, type, v[0], v[1] ^ sign, 0, op->round, ftz);
    case ISA_OP_MUL: return arithmetic(ARITH_MUL, type, v[0], v[1], 0, op->round, ftz);
    case ISA_OP_MAD:
    case ISA_OP_FMA: return arithmetic(ARITH_FMA, type, v[0], v[1], v[2], op->round, ftz);
    case ISA_OP_DIV:
        if (!ptx_has(op->instr, ISA_MOD_APPROX) && !ptx_has(op->instr, ISA_MOD_FULL))
            return arithmetic(ARITH_DIV, type, v[0], v[1], 0, op->round, ftz);
        break;
    case ISA_OP_RCP:
        if (exact) return arithmetic(ARITH_DIV, type, one, v[0], 0, op->round, ftz);
        break;
    case ISA_OP_SQRT:
        if (exact) return arithmetic(ARITH_SQRT, type, v[0], 0, 0, op->round, ftz);
        break;
    case ISA_OP_ABS:
        return oracle_is_nan(v[0], type) ? oracle_nan(type) : v[0] & ~sign; /* "an unspecified NaN" */
    case ISA_OP_NEG: return oracle_is_nan(v[0], type) ? oracle_nan(type) : v[0] ^ sign;
    case ISA_OP_MIN:
    case ISA_OP_MAX: return minmax_three(op, v, count);
    case ISA_OP_COPYSIGN: return (v[1] & ~sign) | (v[0] & sign);
    default: break;
    }
    return oracle_approximate(op->instr, type, v);
}

static uint64_t one_value(const struct operation *op, uint64_t v[3], unsigned count)
{
    bool ftz = ptx_has(op->instr, ISA_MOD_FTZ);
    for (unsigned i = 0; ftz && i < count; i++)
        v[i] = oracle_flush(v[i], op->type);
    uint64_t result = evaluate(op, v, count);
    if (passes_nan(op) && oracle_is_nan(result, ISA_F64)) result = passed_nan(op, v, count);
    if (ftz) result = oracle_flush(result, op->type);
    if (ptx_has(op->instr, ISA_MOD_SAT)) result = saturate(result, op->type);
    if (ptx_has(op->instr, ISA_MOD_RELU) && !(oracle_to_double(result, op->type) > 0))
        result = oracle_is_nan(result, op->type) ? oracle_nan(op->type) : 0;
    return result;
}

/* ---- instructions
 * ----------------------------------------------------------------------------------------------- */

static bool takes_floats(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_MUL:
    case ISA_OP_MAD:
    case ISA_OP_FMA:
    case ISA_OP_DIV:
    case ISA_OP_RCP:
    case ISA_OP_SQRT:
    case ISA_OP_RSQRT:
    case ISA_OP_SIN:
    case ISA_OP_COS:
    case ISA_OP_LG2:
    case ISA_OP_EX2:
    case ISA_OP_TANH:
    case ISA_OP_ABS:
    case ISA_OP_NEG:
    case ISA_OP_MIN:
    case ISA_OP_MAX:
    case ISA_OP_COPYSIGN: return true;
    default: return false;
    }
}

static void do_testp(struct exec *exec)
{
    enum isa_type type = ptx_instr_type(exec->instr, 0);
    uint64_t bits = oracle_get(exec, 1, type);
    double x = oracle_to_double(bits, type);
    bool subnormal =
        type == ISA_F64 ? fpclassify(x) == FP_SUBNORMAL : x != 0 && oracle_flush(bits, type) != bits;
    bool normal = isfinite(x) && !subnormal, yes = subnormal; /* zeros count as normal */
    if (ptx_has(exec->instr, ISA_MOD_FINITE)) yes = isfinite(x);
    if (ptx_has(exec->instr, ISA_MOD_INFINITE)) yes = isinf(x);
    if (ptx_has(exec->instr, ISA_MOD_NUMBER)) yes = !isnan(x);
    if (ptx_has(exec->instr, ISA_MOD_NOTANUMBER)) yes = isnan(x);
    if (ptx_has(exec->instr, ISA_MOD_NORMAL)) yes = normal;
    oracle_set(exec, 0, ISA_PRED, yes);
}

/* add.f32.f16 d, a, c and fma.f32.f16 d, a, b, c: a and b are f16 or bf16. */
static uint64_t mixed_source(struct exec *exec, unsigned i)
{
    enum isa_type narrow = ptx_instr_type(exec->instr, 1), type = ptx_instr_type(exec->instr, 0);
    unsigned halves = exec->instr->op == ISA_OP_FMA ? 2 : 1;
    if (i > halves) return oracle_get(exec, i, type);
    double x = oracle_to_double(oracle_get(exec, i, narrow), narrow);
    return oracle_from_double(x, type, ROUND_NEAREST, false);
}

bool oracle_float(struct exec *exec)
{
    const struct ptx_instr *instr = exec->instr;
    enum isa_type type = ptx_instr_type(instr, 0), half = oracle_half_of(type);
    if (type == ISA_F32X2) half = ISA_F32;
    if (instr->op == ISA_OP_TESTP) {
        do_testp(exec);
        return true;
    }
    if ((!oracle_is_float(type) && !half) || !takes_floats(instr)) return false;
    struct operation op = {instr, half ? half : type, oracle_round_mode(instr)};
    unsigned count = instr->operand_count - 1u, width = isa_type_bits(op.type);
    bool mixed = instr->type_count > 1;
    uint64_t result = 0;
    for (unsigned part = 0; part < (half ? 2u : 1u); part++) {
        uint64_t v[3] = {0};
        for (unsigned i = 0; i < count && i < 3; i++)
            v[i] = mixed ? mixed_source(exec, i + 1)
                         : oracle_mask(oracle_get(exec, i + 1, type) >> (part * width), width);
        result |= one_value(&op, v, count) << (part * width);
    }
    oracle_set(exec, 0, type, result);
    return true;
}

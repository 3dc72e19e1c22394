/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic: double constants, integer division, pow, the math library's slow functions, reciprocal square
 * roots.
 *
 * A function of the math library is known by the name of the inlined function where the device library is our
 * own ("__nv_powf"), by a literal of its polynomial where nvcc inlined it. A double constant is one that is
 * combined with a float made a double: an f64 operation with a literal whose other operands all come from
 * floats. The exponent of pow is a literal among the arguments, or, where nvcc folded it, half of it in the
 * test whether it is an even integer.
 *
 * Instructions of a division are those that ptxas makes of one: 20 for 32 bits (CUDA C Programming Guide,
 * "Arithmetic Instructions"), about 70 for 64 bits (ptxas 13.0, sm_90: between a third and all of 120 run).
 * Sources: Best Practices Guide 11.1. */
#include "prof_advice_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* documented; inferred from machine code: as above. assumed: instructions of a quotient or a root of floats
 * (sass_lower.def has 4 to 10); of warps, from which on it is told; instructions between an argument
 * and its call */
enum { DIVIDE_32 = 20, DIVIDE_64 = 70, DIVIDE_FLOAT = 8, SHARE_PERCENT = 2, CALL_REACH = 12 };

static const struct function {
    const char *name, *fast;
    uint32_t literal; /* bits of a float; 0: none */
} FUNCTIONS[] = {
#define FUNCTION(name, fast, literal) {name, fast, literal},
#include "prof_advice_math.def"
#undef FUNCTION
};

/* The function of the math library that the program called: the outermost one that i was inlined from. */
static const char *library_function(const struct event_instr *i)
{
    const char *name = NULL;
    for (const struct event_loc *loc = i->loc; loc; loc = loc->caller)
        if (loc->function && sw_starts_with(loc->function, "__nv_")) name = loc->function + 5;
    return name;
}

static bool is_float_literal(const struct event_operand *o)
{
    return o->kind == ISA_OPD_FLOAT && o->is_f32;
}

static bool has_literal(const struct event_instr *i, uint32_t bits)
{
    for (uint32_t n = 0; n < i->operand_count; n++)
        if (is_float_literal(&i->operands[n]) && (uint32_t)i->operands[n].bits == bits) return true;
    return false;
}

static const struct function *function_of(const struct event_instr *i)
{
    const char *name = library_function(i);
    for (size_t f = 0; f < SW_COUNT_OF(FUNCTIONS); f++) {
        if (name && strcmp(name, FUNCTIONS[f].name) == 0) return &FUNCTIONS[f];
        if (!name && FUNCTIONS[f].literal && has_literal(i, FUNCTIONS[f].literal)) return &FUNCTIONS[f];
    }
    return NULL;
}

static void report_instructions(struct prof_advisor *a, enum prof_rule_id rule, const struct prof_spot *s,
                                uint64_t saved, const char *evidence)
{
    if (saved * 100 < a->launch->sums.warps * SHARE_PERCENT) return;
    struct prof_finding *f = prof_found(a, rule, s, (double)saved * a->cost.instruction, evidence);
    prof_saves(a, f,
               &(struct prof_saving){.instructions = (double)saved,
                                     .fp64 = rule == PROF_RULE_DOUBLE ? (double)s->warps : 0});
    f->saved = saved;
    f->of = a->launch->sums.warps;
    f->unit = "warp instructions";
}

/* ---- doubles */

/* How many floats' operations a double's costs: CUDA C Programming Guide, throughput of arithmetic. */
static uint32_t double_cost(const struct arch_cc *cc)
{
    bool full = (cc->minor == 0 && cc->major >= 6 && cc->major <= 10) || (cc->major == 2 && cc->minor == 0);
    if (full) return 2;
    return cc->major == 3 ? 3 : cc->major == 2 ? 12 : 32;
}

static bool has_double_literal(const struct prof_advisor *a, uint32_t i)
{
    const struct event_instr *instr = &a->flow.kernel->instrs[i];
    bool literal = false, widened = false;
    if (instr->unit != ISA_UNIT_FP64 || !isa_has_type(&instr->isa, ISA_F64) || library_function(instr))
        return false;
    for (uint32_t o = instr->isa.op == ISA_OP_SETP ? 0 : 1; o < instr->operand_count; o++) {
        const struct event_operand *operand = &instr->operands[o];
        literal |= operand->kind == ISA_OPD_FLOAT && operand->bits;
        if (operand->kind != ISA_OPD_REG) continue;
        uint32_t depends = a->flow.values[operand->reg].depends;
        if (depends & PROF_ON_DOUBLE) return false;
        widened |= (depends & PROF_ON_WIDENED) != 0;
    }
    return literal && widened;
}

static void advise_doubles(struct prof_advisor *a)
{
    prof_spots spots = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++)
        if (a->counts[i].warps && has_double_literal(a, i)) prof_spot_add(&spots, a, i);
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        uint32_t cost = double_cost(a->launch->cc);
        report_instructions(a, PROF_RULE_DOUBLE, spot, spot->warps * (cost + 1),
                            prof_say(a,
                                     _("%s warps compute on floats in double precision here because of a "
                                       "double-precision constant. On this GPU each such operation costs as "
                                       "much as %u single-precision operations, and two conversions."),
                                     prof_say_number(a, spot->warps), cost));
    }
    vec_release(&spots);
}

/* ---- integer division */

static bool divides(const struct event_instr *i)
{
    if (i->isa.op != ISA_OP_DIV && i->isa.op != ISA_OP_REM) return false;
    return isa_has_kind(&i->isa, ISA_KIND_SINT) || isa_has_kind(&i->isa, ISA_KIND_UINT);
}

static void advise_division(struct prof_advisor *a)
{
    prof_spots spots = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        const struct event_instr *instr = &a->flow.kernel->instrs[i];
        bool literal = event_operand_at(instr, 2)->kind == ISA_OPD_INT;
        if (!a->counts[i].warps || !divides(instr) || literal || library_function(instr)) continue;
        bool wide = isa_type_bits(isa_type_at(&instr->isa, 0)) == 64;
        prof_spot_add(&spots, a, i)->saved += a->counts[i].warps * (wide ? DIVIDE_64 : DIVIDE_32);
    }
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        report_instructions(a, PROF_RULE_DIVISION, spot, spot->saved,
                            prof_say(a,
                                     _("%s divisions by a divisor that is known only at run time take about "
                                       "%s instructions of the GPU."),
                                     prof_say_number(a, spot->warps), prof_say_number(a, spot->saved)));
    }
    vec_release(&spots);
}

/* ---- pow */

static double float_of(const struct event_operand *literal)
{
    uint32_t bits = (uint32_t)literal->bits;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A literal that a register operand holds, or the operand is. */
static bool literal_of(const struct prof_advisor *a, const struct event_operand *operand, double *out)
{
    const struct event_instr *writer = prof_flow_writer(&a->flow, operand);
    if (writer && writer->isa.op == ISA_OP_MOV) operand = event_operand_at(writer, 1);
    if (!is_float_literal(operand)) return false;
    *out = float_of(operand);
    return true;
}

static bool same_line(const struct event_instr *a, const struct event_instr *b)
{
    return a->loc && b->loc ? a->loc->line == b->loc->line : !a->loc && !b->loc;
}

static bool is_parameter(const struct event_operand *operand)
{
    return operand->kind == ISA_OPD_REG && operand->parameter;
}

/* Our library: arguments are moved to parameters just before its first instruction. base, exponent: NAN where
 * they are no literals. */
static void arguments_of_call(const struct prof_advisor *a, uint32_t first, double *base, double *exponent)
{
    double values[2] = {NAN, NAN};
    const struct event_instr *instrs = a->flow.kernel->instrs;
    int left = 2;
    for (uint32_t i = first; i-- > 0 && left && first - i < CALL_REACH;) {
        if (instrs[i].isa.op != ISA_OP_MOV || library_function(&instrs[i])) continue;
        if (!is_parameter(event_operand_at(&instrs[i], 0))) continue;
        double value;
        values[--left] = literal_of(a, event_operand_at(&instrs[i], 1), &value) ? value : NAN;
    }
    *base = values[0];
    *exponent = values[1];
}

/* Our library, where the compiler has put a constant argument into the function: what is not a number gives
 * x + y, and x is compared with 1. */
static void arguments_in_body(const struct prof_advisor *a, uint32_t near, double *base, double *exponent)
{
    const struct event_instr *instrs = a->flow.kernel->instrs;
    double literal = NAN, value;
    uint32_t given = EVENT_NO_REG;
    bool compares_one = false;
    for (uint32_t i = near; i < a->flow.kernel->instr_count; i++) {
        const struct event_operand *from = event_operand_at(&instrs[i], 1);
        if (!same_line(&instrs[i], &instrs[near]) || !library_function(&instrs[i]) ||
            from->kind != ISA_OPD_REG)
            continue;
        if (instrs[i].isa.op == ISA_OP_MOV && is_parameter(from) && given == EVENT_NO_REG)
            given = event_operand_at(&instrs[i], 0)->reg;
        if (from->reg != given || !literal_of(a, event_operand_at(&instrs[i], 2), &value)) continue;
        compares_one |= instrs[i].isa.op == ISA_OP_SETP && value == 1;
        if (instrs[i].isa.op == ISA_OP_ADD) literal = value;
    }
    *(compares_one ? exponent : base) = literal;
}

/* What a register holds at instruction i, where the last write before it is a literal. */
static bool literal_before(const struct prof_advisor *a, uint32_t i, const struct event_operand *operand,
                           double *out)
{
    if (operand->kind != ISA_OPD_REG) return literal_of(a, operand, out);
    while (i-- > 0) {
        const struct event_instr *instr = &a->flow.kernel->instrs[i];
        const struct event_operand *from = event_operand_at(instr, 1);
        if (!instr->def_count || instr->regs[0] != operand->reg) continue;
        if (instr->isa.op != ISA_OP_MOV || !is_float_literal(from)) return false;
        *out = float_of(from);
        return true;
    }
    return false;
}

/* What nvcc made of a function's call: the arithmetic of its line. */
static uint64_t warps_of_line(const struct prof_advisor *a, uint32_t near)
{
    const struct event_instr *instrs = a->flow.kernel->instrs;
    uint64_t warps = 0;
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++)
        if (instrs[i].cls == ISA_CLASS_ALU && same_line(&instrs[i], &instrs[near]))
            warps += a->counts[i].warps;
    return warps;
}

/* cvt.rzi.f32.f32 */
static bool rounds_to_zero(const struct isa_instr *instr)
{
    return instr->op == ISA_OP_CVT && isa_has(instr, ISA_MOD_RZI) && !isa_has(instr, ISA_MOD_FTZ) &&
           isa_type_at(instr, 0) == ISA_F32 && isa_type_at(instr, 1) == ISA_F32;
}

/* nvcc: half of a constant exponent is rounded towards zero, to see whether it is even. */
static double folded_exponent(const struct prof_advisor *a, uint32_t near)
{
    const struct event_instr *instrs = a->flow.kernel->instrs;
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        double half;
        if (!rounds_to_zero(&instrs[i].isa)) continue;
        if (same_line(&instrs[i], &instrs[near]) &&
            literal_before(a, i, event_operand_at(&instrs[i], 1), &half))
            return 2 * half;
    }
    return NAN;
}

static const char *cheaper_form(struct prof_advisor *a, double base, double exponent)
{
    if (base == 2) return "exp2f(y)";
    if (base == 10) return "exp10f(y)";
    if (exponent == 2) return "x * x";
    if (exponent == 3) return "x * x * x";
    if (exponent == 0.5) return "sqrtf(x)";
    if (exponent == -0.5) return "rsqrtf(x)";
    if (exponent == 1.5) return "x * sqrtf(x)";
    if (fabs(exponent - 1.0 / 3) < 1e-6) return "cbrtf(x)";
    if (fabs(exponent + 1.0 / 3) < 1e-6) return "rcbrtf(x)";
    if (fabs(exponent - 2.0 / 3) < 1e-6) return "cbrtf(x) * cbrtf(x)";
    if (exponent == trunc(exponent) && fabs(exponent) <= 8)
        return prof_say(a, _("%.0f multiplications or fewer"), fabs(exponent));
    return NULL;
}

static bool is_pow(const struct event_instr *i)
{
    const char *name = library_function(i);
    if (name) return strcmp(name, "powf") == 0 || strcmp(name, "pow") == 0;
    const struct function *f = function_of(i);
    return f && strcmp(f->name, "powf") == 0;
}

static void advise_pow(struct prof_advisor *a)
{
    prof_spots spots = {0};
    const struct event_kernel *kernel = a->flow.kernel;
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        if (a->counts[i].warps && is_pow(&kernel->instrs[i])) {
            struct prof_spot *spot = prof_spot_add(&spots, a, i);
            if (a->counts[i].warps > spot->requests) spot->requests = a->counts[i].warps; /* calls */
        }
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        double base = NAN, exponent = NAN;
        if (library_function(&kernel->instrs[spot->first]))
            arguments_of_call(a, spot->first, &base, &exponent);
        if (library_function(&kernel->instrs[spot->first]) && isnan(base) && isnan(exponent))
            arguments_in_body(a, spot->first, &base, &exponent);
        else if (!library_function(&kernel->instrs[spot->first]))
            exponent = folded_exponent(a, spot->first);
        const char *form = cheaper_form(a, base, exponent);
        if (!form) continue;
        const char *said = isnan(base) ? prof_say(a, _("pow is called with the exponent %g"), exponent)
                                       : prof_say(a, _("pow is called with the base %g"), base);
        uint64_t warps = spot->warps;
        if (!library_function(&kernel->instrs[spot->first])) warps = warps_of_line(a, spot->first);
        report_instructions(
            a, PROF_RULE_POW, spot, warps,
            prof_say(
                a, _("%s, in %s calls by warps. %s gives the same result in a fraction of the instructions."),
                said, prof_say_number(a, spot->requests), form));
    }
    vec_release(&spots);
}

/* ---- functions with a fast form */

static const char *slow_function(const struct event_instr *i, const char **fast)
{
    const struct function *f = function_of(i);
    if (f) {
        *fast = f->fast;
        return f->name;
    }
    if (library_function(i)) return NULL;
    bool exact = event_has(i, ISA_MOD_RN) && !event_has(i, ISA_MOD_FTZ) && isa_has_type(&i->isa, ISA_F32);
    if (exact && i->isa.op == ISA_OP_DIV) return (*fast = "__fdividef", "x / y");
    if (exact && i->isa.op == ISA_OP_SQRT) return (*fast = "-prec-sqrt=false", "sqrtf");
    return NULL;
}

static void advise_fast_math(struct prof_advisor *a)
{
    prof_spots spots = {0};
    const struct event_kernel *kernel = a->flow.kernel;
    const char *fast = "";
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        if (!a->counts[i].warps || !slow_function(&kernel->instrs[i], &fast)) continue;
        struct prof_spot *spot = prof_spot_add(&spots, a, i);
        bool call = library_function(&kernel->instrs[i]) || function_of(&kernel->instrs[i]);
        spot->saved += a->counts[i].warps * (call ? 1 : DIVIDE_FLOAT);
    }
    for (size_t s = 0; s < spots.count; s++) {
        struct prof_spot *spot = &spots.at[s];
        const char *name = slow_function(&kernel->instrs[spot->first], &fast);
        bool inlined =
            function_of(&kernel->instrs[spot->first]) && !library_function(&kernel->instrs[spot->first]);
        if (inlined) spot->saved = warps_of_line(a, spot->first);
        report_instructions(a, PROF_RULE_FAST_MATH, spot, spot->saved,
                            prof_say(a,
                                     _("%s executes about %s warp instructions here. %s needs only a few per "
                                       "call, with a larger error."),
                                     name, prof_say_number(a, spot->saved), fast));
    }
    vec_release(&spots);
}

/* ---- 1 / sqrt */

static bool is_one(const struct event_operand *o)
{
    const uint64_t FLOAT = UINT32_C(0x3F800000), DOUBLE = UINT64_C(0x3FF0000000000000);
    return o->kind == ISA_OPD_FLOAT && o->bits == (o->is_f32 ? FLOAT : DOUBLE);
}

static bool is_reciprocal(const struct event_instr *instr, const struct event_operand **of)
{
    *of = event_operand_at(instr, 1);
    if (instr->isa.op == ISA_OP_RCP) return true;
    *of = event_operand_at(instr, 2);
    return instr->isa.op == ISA_OP_DIV && is_one(event_operand_at(instr, 1));
}

static void advise_rsqrt(struct prof_advisor *a)
{
    prof_spots spots = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        const struct event_operand *of;
        if (!a->counts[i].warps || !is_reciprocal(&a->flow.kernel->instrs[i], &of)) continue;
        const struct event_instr *writer = prof_flow_writer(&a->flow, of);
        if (writer && writer->isa.op == ISA_OP_SQRT) prof_spot_add(&spots, a, i);
    }
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        report_instructions(
            a, PROF_RULE_RSQRT, spot, spot->warps * DIVIDE_FLOAT,
            prof_say(a,
                     _("%s warps divide 1 by a square root. These are two slow operations instead of one."),
                     prof_say_number(a, spot->warps)));
    }
    vec_release(&spots);
}

void prof_advise_math(struct prof_advisor *a)
{
    advise_doubles(a);
    advise_division(a);
    advise_pow(a);
    advise_fast_math(a);
    advise_rsqrt(a);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Does every known instruction make sense? Its form (ptx_forms.def) must exist, for the module's target and
 * version; the form's roles say what each operand may be and how its register's type must fit the
 * instruction's.
 *
 * Fit, PTX ISA 9.1 of the instruction set chapter: same width; .bN fits any type of N bits, .uN and .sN fit
 * each other, floats fit only themselves; loads, stores and conversions also take wider registers. Limits:
 * opcodes without a form in the table are checked for their target, and most for their operands
 * (ptx_roles.c); values of immediates are not checked. What this lets through is still refused, by name, when
 * it is compiled. */
#include "ptx_priv.h"

#include <stdio.h>
#include <string.h>

/* Roles: d destination of the first type, s source of it, t source of the last type, W destination (or
 * addend) of twice the first type's width, D destination of 32 bits, u source of 32 bits, w value at least as
 * wide as the first type (vectors too), c and e the same for a conversion's two sides, m memory, P predicates
 * written (p or p|q), p only one, R a value and perhaps a predicate (d|p), Q the same with a value of 32
 * bits, q predicate read, v 32 bits with or without a selector, i a constant, l label, x anything, X a
 * value of any type, h a cache policy where .L2::cache_hint is written, A an address in a register or a
 * variable, g and a what a gather writes and where from; what follows ? may be left out. */

/* First compute capability with such an opcode. */
static const struct {
    enum isa_op op;
    unsigned sm;
} firsts[] = {
    {ISA_OP_WMMA, 70},      {ISA_OP_MMA, 70},       {ISA_OP_LDMATRIX, 75},
    {ISA_OP_MOVMATRIX, 75}, {ISA_OP_CP, 80},        {ISA_OP_MBARRIER, 80},
    {ISA_OP_STMATRIX, 90},  {ISA_OP_WGMMA, 90},     {ISA_OP_SETMAXNREG, 90},
    {ISA_OP_MULTIMEM, 90},  {ISA_OP_TENSORMAP, 90}, {ISA_OP_GRIDDEPCONTROL, 90},
    {ISA_OP_ST_BULK, 100},  {ISA_OP_TCGEN05, 100},  {ISA_OP_CLUSTERLAUNCHCONTROL, 100},
};

/* Modifiers that came later than the form they stand on. */
static const struct {
    enum isa_mod mod;
    unsigned sm, version;
} later[] = {
    {ISA_MOD_L2__CACHE_HINT, 80, 74},   {ISA_MOD_L2__64B, 75, 74},
    {ISA_MOD_L2__128B, 75, 74},         {ISA_MOD_L2__256B, 80, 74},
    {ISA_MOD_L1__EVICT_NORMAL, 70, 74}, {ISA_MOD_L1__EVICT_UNCHANGED, 70, 74},
    {ISA_MOD_L1__EVICT_FIRST, 70, 74},  {ISA_MOD_L1__EVICT_LAST, 70, 74},
    {ISA_MOD_L1__NO_ALLOCATE, 70, 74},  {ISA_MOD_CLUSTER, 90, 78},
    {ISA_MOD_SHARED__CTA, 30, 78},      {ISA_MOD_SHARED__CLUSTER, 90, 78},
    {ISA_MOD_PARAM__ENTRY, 0, 83},      {ISA_MOD_PARAM__FUNC, 0, 83},
    {ISA_MOD_ACQ_REL, 70, 60},
};

struct verifier {
    const struct ptx_module *module;
    const struct ptx_function *function;
    const struct ptx_instr *instr;
    struct sw_error *error;
};

static enum sw_status verify_wrong(const struct verifier *v, unsigned operand, const char *what)
{
    struct str mnemonic = {0};
    struct arena arena;
    arena_init(&arena);
    const char *source = ptx_source_line(v->module, v->instr, &arena);
    ptx_print_mnemonic(v->instr, &mnemonic);
    enum sw_status status =
        operand ? sw_fail_at(v->error, SW_INVALID_PTX, v->module->name, v->instr->line, v->instr->column,
                             "operand %u of '%s' in '%s'%s: %s", operand, str_text(&mnemonic),
                             v->function->name, source, what)
                : sw_fail_at(v->error, SW_INVALID_PTX, v->module->name, v->instr->line, v->instr->column,
                             "'%s' in '%s'%s: %s", str_text(&mnemonic), v->function->name, source, what);
    str_release(&mnemonic);
    arena_release(&arena);
    return status;
}

/* ---- registers ---- */

static bool verify_is_integer(enum isa_type_kind class)
{
    return class == ISA_KIND_UINT || class == ISA_KIND_SINT;
}

/* Formats that registers have no type for live in .bN registers. */
static bool classes_fit(enum isa_type reg, enum isa_type type)
{
    enum isa_type_kind a = isa_type_kind(reg), b = isa_type_kind(type);
    if (a == ISA_KIND_PRED || b == ISA_KIND_PRED) return a == b;
    if (a == ISA_KIND_BITS || b == ISA_KIND_BITS) return true;
    if (verify_is_integer(a) && verify_is_integer(b)) return true;
    return a == b;
}

static bool register_fits(enum isa_type reg, enum isa_type type, bool wider)
{
    unsigned have = isa_type_bits(reg), want = isa_type_bits(type);
    return classes_fit(reg, type) && (wider ? have >= want : have == want);
}

static enum sw_status check_register(const struct verifier *v, unsigned n, const struct ptx_operand *operand,
                                     enum isa_type type, bool wider)
{
    const struct ptx_reg *reg = &v->function->regs[operand->reg];
    char message[200];
    if (type == ISA_TYPE_NONE || operand->selector || register_fits(reg->type, type, wider)) return SW_OK;
    snprintf(message, sizeof message, "expected a register of type .%s, found '%.60s' of type .%s",
             isa_type_name(type), reg->name, isa_type_name(reg->type));
    return verify_wrong(v, n, message);
}

static enum sw_status check_dest(const struct verifier *v, unsigned n, const struct ptx_operand *operand,
                                 enum isa_type type, bool wider)
{
    if (operand->kind == ISA_OPD_SINK) return SW_OK;
    if (operand->kind != ISA_OPD_REG || operand->negate)
        return verify_wrong(v, n, "expected a register to write");
    return check_register(v, n, operand, type, wider);
}

static enum sw_status check_source(const struct verifier *v, unsigned n, const struct ptx_operand *operand,
                                   enum isa_type type, bool wider)
{
    switch (operand->kind) {
    case ISA_OPD_REG: return check_register(v, n, operand, type, wider);
    case ISA_OPD_FLOAT:
        if (verify_is_integer(isa_type_kind(type)))
            return verify_wrong(v, n, "expected an integer, found a floating point constant");
        return SW_OK;
    case ISA_OPD_INT:
    case ISA_OPD_SREG:
    case ISA_OPD_VAR: return SW_OK;
    case ISA_OPD_NONE:
    case ISA_OPD_SINK:
    case ISA_OPD_PAIR:
    case ISA_OPD_FUNC:
    case ISA_OPD_LABEL:
    case ISA_OPD_MEM:
    case ISA_OPD_VEC:
    case ISA_OPD_LIST:
    case ISA_OPD_PROTO: break;
    }
    return verify_wrong(v, n, "expected a register or a constant");
}

static bool is_predicate(const struct verifier *v, uint32_t reg)
{
    return reg == PTX_NO_REG || v->function->regs[reg].type == ISA_PRED;
}

static enum sw_status check_predicates(const struct verifier *v, unsigned n,
                                       const struct ptx_operand *operand)
{
    bool kind =
        operand->kind == ISA_OPD_REG || operand->kind == ISA_OPD_PAIR || operand->kind == ISA_OPD_SINK;
    if (!kind || !is_predicate(v, operand->reg) || !is_predicate(v, operand->reg2))
        return verify_wrong(v, n, "expected a predicate register");
    return SW_OK;
}

/* ---- roles ---- */

static enum sw_status check_value(const struct verifier *v, unsigned n, const struct ptx_operand *operand,
                                  bool written)
{
    enum isa_type type = ptx_instr_type(v->instr, 0);
    if (operand->kind != ISA_OPD_VEC)
        return written ? check_dest(v, n, operand, type, true) : check_source(v, n, operand, type, true);
    if (operand->count != ptx_vector_count(v->instr))
        return verify_wrong(v, n, "wrong number of vector elements");
    for (uint32_t i = 0; i < operand->count; i++)
        SW_TRY(written ? check_dest(v, n, &operand->elements[i], type, true)
                       : check_source(v, n, &operand->elements[i], type, true));
    return SW_OK;
}

static enum sw_status check_memory(const struct verifier *v, unsigned n, const struct ptx_operand *operand)
{
    char message[200];
    if (operand->kind != ISA_OPD_MEM) return verify_wrong(v, n, "expected an address in brackets");
    enum ptx_space space = ptx_instr_space(v->instr);
    if (operand->reg != PTX_NO_REG) {
        unsigned bits = isa_type_bits(v->function->regs[operand->reg].type);
        if (bits != 64 && bits != 32)
            return verify_wrong(v, n, "expected an address register of 32 or 64 bits");
    }
    if (!operand->var || space == PTX_SPACE_GENERIC || operand->var->space == space) return SW_OK;
    snprintf(message, sizeof message, "variable '%.100s' is not in the space of the instruction",
             operand->var->name);
    return verify_wrong(v, n, message);
}

static enum isa_type wide_type(enum isa_type type)
{
    switch (isa_type_bits(type)) {
    case 16: return isa_type_kind(type) == ISA_KIND_SINT ? ISA_S32 : ISA_U32;
    case 32: return isa_type_kind(type) == ISA_KIND_SINT ? ISA_S64 : ISA_U64;
    default: return ISA_TYPE_NONE;
    }
}

/* A conversion's packed formats use registers in too many ways to say more than "wide enough". */
static enum isa_type convert_type(enum isa_type type)
{
    return isa_type_kind(type) == ISA_KIND_FLOAT && type != ISA_F32 && type != ISA_F64 ? ISA_TYPE_NONE : type;
}

static enum sw_status check_pair(const struct verifier *v, unsigned n, const struct ptx_operand *operand,
                                 enum isa_type type)
{
    if (operand->kind != ISA_OPD_PAIR) return check_dest(v, n, operand, type, false);
    if (!is_predicate(v, operand->reg2)) return verify_wrong(v, n, "expected a predicate after '|'");
    if (operand->reg == PTX_NO_REG) return SW_OK;
    return check_register(v, n, operand, type, false);
}

static enum sw_status check_label(const struct verifier *v, unsigned n, const struct ptx_operand *operand)
{
    if (operand->kind == ISA_OPD_LABEL || (operand->kind == ISA_OPD_PROTO && v->instr->op == ISA_OP_BRX))
        return SW_OK;
    return verify_wrong(v, n, "expected a label");
}

/* Registers and their parts, which may be negated; a destination or a source. */
static enum sw_status check_video(const struct verifier *v, unsigned n, const struct ptx_operand *operand)
{
    if (operand->kind == ISA_OPD_REG) return check_register(v, n, operand, ISA_B32, false);
    if (operand->kind == ISA_OPD_INT && n > 1) return SW_OK;
    return verify_wrong(v, n, "expected a register of 32 bits");
}

/* mov: a value, or {a, b} of pieces that fill the type */
static enum sw_status check_pieces(const struct verifier *v, unsigned n, const struct ptx_operand *operand)
{
    enum isa_type type = ptx_instr_type(v->instr, 0);
    if (operand->kind == ISA_OPD_VEC) {
        for (uint32_t i = 0; i < operand->count; i++) {
            const struct ptx_operand *piece = &operand->elements[i];
            if (piece->kind != ISA_OPD_REG) continue;
            if (isa_type_bits(v->function->regs[piece->reg].type) * operand->count != isa_type_bits(type))
                return verify_wrong(v, n, "the elements do not add up to the size of the type");
        }
        return SW_OK;
    }
    if (n == 1) return check_dest(v, n, operand, type, false);
    return operand->kind == ISA_OPD_FUNC ? SW_OK : check_source(v, n, operand, type, false);
}

/* {a, b, c, d} and perhaps a predicate */
static enum sw_status check_gathered(const struct verifier *v, unsigned n, const struct ptx_operand *operand)
{
    if (operand->kind != ISA_OPD_VEC || operand->count != ptx_vector_count(v->instr))
        return verify_wrong(v, n, "expected a vector of four registers");
    if (!is_predicate(v, operand->reg2)) return verify_wrong(v, n, "expected a predicate after '|'");
    for (uint32_t i = 0; i < operand->count; i++)
        SW_TRY(check_dest(v, n, &operand->elements[i], ptx_instr_type(v->instr, 0), false));
    return SW_OK;
}

/* [texture, {x, y}], [texture, sampler, {x, y}]; .a2d: {layer, x, y, unused}; cubes: three, .acube: four */
static enum sw_status check_location(const struct verifier *v, unsigned n, const struct ptx_operand *operand)
{
    bool layers = ptx_has(v->instr, ISA_MOD_A2D) || ptx_has(v->instr, ISA_MOD_ACUBE);
    unsigned want = ptx_has(v->instr, ISA_MOD_D_2D) ? 2 : 4;
    SW_TRY(check_memory(v, n, operand));
    const struct ptx_operand *at = operand->count ? &operand->elements[operand->count - 1] : NULL;
    if (!at || at->kind != ISA_OPD_VEC || at->count != want)
        return verify_wrong(v, n, want == 2 ? "expected two coordinates" : "expected four coordinates");
    for (uint32_t i = 0; i < at->count; i++)
        SW_TRY(check_source(v, n, &at->elements[i], layers && i == 0 ? ISA_B32 : ISA_F32, false));
    return SW_OK;
}

static enum sw_status check_role(const struct verifier *v, char role, unsigned n,
                                 const struct ptx_operand *operand)
{
    enum isa_type first = ptx_instr_type(v->instr, 0);
    enum isa_type last = ptx_instr_type(v->instr, v->instr->type_count ? v->instr->type_count - 1u : 0);
    switch (role) {
    case 'd': return check_dest(v, n, operand, first, false);
    case 's': return check_source(v, n, operand, first, false);
    case 't': return check_source(v, n, operand, last, false);
    case 'W': return check_dest(v, n, operand, wide_type(first), false);
    case 'D': return check_dest(v, n, operand, ISA_B32, false);
    case 'u': return check_source(v, n, operand, ISA_B32, false);
    case 'w': return check_value(v, n, operand, v->instr->op != ISA_OP_ST);
    case 'c': return check_dest(v, n, operand, convert_type(first), true);
    case 'e': return check_source(v, n, operand, convert_type(last), true);
    case 'm': return check_memory(v, n, operand);
    case 'P': return check_predicates(v, n, operand);
    case 'p':
        if (operand->kind == ISA_OPD_PAIR) return verify_wrong(v, n, "expected one predicate");
        return check_predicates(v, n, operand);
    case 'R': return check_pair(v, n, operand, first);
    case 'Q': return check_pair(v, n, operand, ISA_B32);
    case 'q':
        if (operand->kind == ISA_OPD_INT) return SW_OK;
        if (operand->kind == ISA_OPD_PAIR) return verify_wrong(v, n, "expected one predicate");
        return check_predicates(v, n, operand);
    case 'X': return check_source(v, n, operand, ISA_TYPE_NONE, false);
    case 'l': return check_label(v, n, operand);
    case 'y': return check_pieces(v, n, operand);
    case 'v': return check_video(v, n, operand);
    case 'i': return operand->kind == ISA_OPD_INT ? SW_OK : verify_wrong(v, n, "expected a constant");
    case 'A': return check_source(v, n, operand, ISA_B64, false);
    case 'g': return check_gathered(v, n, operand);
    case 'a': return check_location(v, n, operand);
    case 'h': return check_source(v, n, operand, ISA_B64, false);
    default: return SW_OK;
    }
}

/* ---- instructions ---- */

static enum sw_status check_count(const struct verifier *v, size_t least, size_t most)
{
    char message[100];
    if (v->instr->operand_count >= least && v->instr->operand_count <= most) return SW_OK;
    snprintf(message, sizeof message,
             least == most ? "expected %zu operands, found %u" : "expected at least %zu operands, found %u",
             least, v->instr->operand_count);
    return verify_wrong(v, 0, message);
}

/* Roles as they count here: without '?', and without a policy that is not written. */
static enum sw_status check_operands(const struct verifier *v, const char *roles)
{
    bool hinted = ptx_has(v->instr, ISA_MOD_L2__CACHE_HINT);
    char plain[PTX_MAX_OPERANDS + 1];
    size_t count = 0, least = SIZE_MAX;
    for (; *roles; roles++) {
        if (*roles == '?')
            least = count;
        else if (*roles != 'h' || hinted)
            plain[count++] = *roles;
    }
    SW_TRY(check_count(v, least < count ? least : count, count));
    for (unsigned n = 0; n < v->instr->operand_count; n++) {
        const struct ptx_operand *operand = &v->instr->operands[n];
        if (plain[n] == 'W' && n) /* the addend of mad.wide */
            SW_TRY(check_source(v, n + 1, operand, wide_type(ptx_instr_type(v->instr, 0)), false));
        else
            SW_TRY(check_role(v, plain[n], n + 1, operand));
    }
    return SW_OK;
}

/* sm: as in struct ptx_form */
static enum sw_status check_target(const struct verifier *v, const char *what, unsigned sm)
{
    const struct ptx_module *module = v->module;
    char message[140];
    bool special = sm > PTX_ARCH_SPECIFIC;
    if (special) sm -= PTX_ARCH_SPECIFIC;
    if (module->sm == 0 || (module->sm >= sm && (!special || module->sm_suffix))) return SW_OK;
    snprintf(message, sizeof message, "%s needs .target sm_%u%s%s, the module is for sm_%u", what, sm,
             special ? "a" : "", special ? "" : " or later", module->sm);
    return verify_wrong(v, 0, message);
}

static enum sw_status check_version(const struct verifier *v, const char *what, unsigned version)
{
    const struct ptx_module *module = v->module;
    char message[140];
    if (10 * module->version_major + module->version_minor >= version) return SW_OK;
    snprintf(message, sizeof message, "%s needs .version %u.%u or later, the module says %u.%u", what,
             version / 10, version % 10, module->version_major, module->version_minor);
    return verify_wrong(v, 0, message);
}

static enum sw_status check_modifiers(const struct verifier *v)
{
    for (size_t i = 0; i < SW_COUNT_OF(later); i++) {
        char what[60];
        if (!ptx_has(v->instr, later[i].mod)) continue;
        snprintf(what, sizeof what, "'.%s'", isa_mod_text(later[i].mod));
        SW_TRY(check_target(v, what, later[i].sm));
        SW_TRY(check_version(v, what, later[i].version));
    }
    return SW_OK;
}

/* From .version 6.4 and sm_70 on, lanes that exchange values say who they are. */
static enum sw_status check_members(const struct verifier *v)
{
    const struct ptx_module *module = v->module;
    bool exchanges = v->instr->op == ISA_OP_SHFL || v->instr->op == ISA_OP_VOTE;
    unsigned version = 10 * module->version_major + module->version_minor;
    if (!exchanges || ptx_has(v->instr, ISA_MOD_SYNC) || module->sm < 70 || version < 64) return SW_OK;
    return verify_wrong(v, 0, "on sm_70 and later it needs .sync and a mask of its lanes");
}

static enum sw_status check_form(const struct verifier *v)
{
    char message[240];
    const struct ptx_form *form = ptx_form_of(v->instr);
    if (!form) {
        ptx_form_explain(v->instr, message, sizeof message);
        return verify_wrong(v, 0, message);
    }
    SW_TRY(check_target(v, "this form", form->sm));
    SW_TRY(check_version(v, "this form", form->version));
    SW_TRY(check_modifiers(v));
    SW_TRY(check_members(v));
    return check_operands(v, form->roles);
}

static enum sw_status check_registers(const struct verifier *v, unsigned n, enum isa_type type, bool written)
{
    const struct ptx_operand *operand = &v->instr->operands[n];
    enum isa_type word = isa_type_bits(type) == 64 ? ISA_B64 : ISA_B32;
    unsigned count = operand->kind == ISA_OPD_VEC ? operand->count : 1;
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_operand *one = operand->kind == ISA_OPD_VEC ? &operand->elements[i] : operand;
        SW_TRY(written ? check_dest(v, n + 1, one, word, false) : check_source(v, n + 1, one, word, false));
    }
    return SW_OK;
}

/* What is wrong with a form that is known; others are refused when a kernel that holds them is launched. */
static enum sw_status check_matrix(const struct verifier *v)
{
    struct ptx_matrix x;
    const char *why = ptx_matrix_describe(v->instr, &x);
    if (why && x.faulty) return verify_wrong(v, x.faulty_operand, why);
    if (why) return SW_OK;
    SW_TRY(check_target(v, "this form", x.sm));
    if (x.multiplies) {
        for (unsigned i = 0; i < 4; i++)
            SW_TRY(check_registers(v, i, x.type[i], i == 0));
        return x.sparse ? check_registers(v, 4, ISA_B32, false) : SW_OK;
    }
    SW_TRY(check_registers(v, x.store, x.type[0], !x.store));
    SW_TRY(check_memory(v, x.store ? 1 : 2, &v->instr->operands[!x.store]));
    return v->instr->operand_count > 2 ? check_registers(v, 2, ISA_B32, false) : SW_OK;
}

static enum sw_status check_barrier(const struct verifier *v)
{
    unsigned id = ptx_has(v->instr, ISA_MOD_RED) ? 1 : 0;
    bool numbered = v->instr->op == ISA_OP_BAR || v->instr->op == ISA_OP_BARRIER;
    if (!numbered || ptx_has(v->instr, ISA_MOD_WARP) || ptx_has(v->instr, ISA_MOD_CLUSTER)) return SW_OK;
    if (id >= v->instr->operand_count) return SW_OK;
    const struct ptx_operand *operand = &v->instr->operands[id];
    if (operand->kind != ISA_OPD_INT || operand->bits < 16) return SW_OK;
    return verify_wrong(v, id + 1, "a block's barriers are numbered 0 to 15");
}

/* fence.acquire.sync_restrict::shared::cluster, fence.release.sync_restrict::shared::cta: only these. */
static enum sw_status check_restriction(const struct verifier *v)
{
    if (ptx_has(v->instr, ISA_MOD_SYNC_RESTRICT__SHARED__CTA) && ptx_has(v->instr, ISA_MOD_ACQUIRE))
        return verify_wrong(v, 0, "an acquire is restricted to .sync_restrict::shared::cluster");
    if (ptx_has(v->instr, ISA_MOD_SYNC_RESTRICT__SHARED__CLUSTER) && ptx_has(v->instr, ISA_MOD_RELEASE))
        return verify_wrong(v, 0, "a release is restricted to .sync_restrict::shared::cta");
    return SW_OK;
}

static enum sw_status check_instr(const struct verifier *v)
{
    SW_TRY(check_barrier(v));
    SW_TRY(check_restriction(v));
    const char *roles = ptx_roles_without_form(v->instr);
    if (ptx_is_matrix(v->instr) && !roles) return check_matrix(v);
    if (ptx_form_known(v->instr->op)) return check_form(v);
    for (size_t i = 0; i < SW_COUNT_OF(firsts); i++)
        if (firsts[i].op == v->instr->op) SW_TRY(check_target(v, "it", firsts[i].sm));
    return roles ? check_operands(v, roles) : SW_OK;
}

static enum sw_status check_guard(const struct verifier *v)
{
    if (v->instr->guard == PTX_NO_REG || is_predicate(v, v->instr->guard)) return SW_OK;
    return verify_wrong(v, 0, "its guard is not a predicate");
}

static enum sw_status verify_function(struct verifier *v)
{
    for (uint32_t i = 0; i < v->function->instr_count; i++) {
        v->instr = &v->function->instrs[i];
        SW_TRY(check_guard(v));
        if (v->instr->op == ISA_OP_UNKNOWN) continue;
        SW_TRY(check_instr(v));
    }
    return SW_OK;
}

enum sw_status ptx_verify(const struct ptx_module *module, struct sw_error *error)
{
    struct verifier v = {.module = module, .error = error};
    for (uint32_t i = 0; i < module->function_count; i++) {
        v.function = module->functions[i];
        SW_TRY(verify_function(&v));
    }
    return SW_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The .def tables as arrays, and text -> entry lookup through hash maps that are built once, on first use,
 * under pthread_once and read-only afterwards. */
#include "isa_priv.h"

#include <pthread.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned bits;
    enum isa_type_kind kind;
} types[ISA_TYPE_COUNT] = {
    [ISA_TYPE_NONE] = {"", 0, ISA_KIND_NONE},
#define TYPE(id, name, bits, kind) [ISA_##id] = {name, bits, ISA_KIND_##kind},
#include "isa/isa_types.def"
#undef TYPE
};

const struct isa_op_row isa_ops[ISA_OP_COUNT] = {
    [ISA_OP_UNKNOWN] = {"?", 0, ISA_CLASS_CONTROL, ISA_UNIT_OTHER, ISA_ACCESS_NONE},
#define OP(id, name, dests, cls, unit, access)                                                               \
    [ISA_OP_##id] = {name, dests, ISA_CLASS_##cls, ISA_UNIT_##unit, ISA_ACCESS_##access},
#include "isa/isa_ops.def"
#undef OP
};

static const struct {
    const char *text;
    enum isa_mod_category category;
} mods[ISA_MOD_COUNT] = {
    [ISA_MOD_NONE] = {"", ISA_CAT_NONE},
#define MOD(id, text, category) [ISA_MOD_##id] = {text, ISA_CAT_##category},
#include "isa/isa_mods.def"
#undef MOD
};

static const struct {
    const char *name;
    enum isa_type type;
    enum isa_sreg_kind kind;
} sregs[ISA_SREG_COUNT] = {
    [ISA_SREG_NONE] = {"", ISA_TYPE_NONE, ISA_READS_NONE},
#define SREG(id, name, type, kind) [ISA_SREG_##id] = {name, ISA_##type, ISA_READS_##kind},
#include "isa/isa_sregs.def"
#undef SREG
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct map words, op_names, sreg_names; /* value: pointer to the table row */

static void build_maps(void)
{
    for (unsigned i = 1; i < ISA_TYPE_COUNT; i++)
        map_set(&words, types[i].name, (void *)&types[i]);
    for (unsigned i = 1; i < ISA_MOD_COUNT; i++)
        map_set(&words, mods[i].text, (void *)&mods[i]);
    for (unsigned i = 1; i < ISA_OP_COUNT; i++)
        map_set(&op_names, isa_ops[i].name, (void *)&isa_ops[i]);
    for (unsigned i = 1; i < ISA_SREG_COUNT; i++)
        map_set(&sreg_names, sregs[i].name, (void *)&sregs[i]);
}

struct isa_word isa_word_find(const char *text, size_t length)
{
    pthread_once(&once, build_maps);
    uintptr_t row = (uintptr_t)map_get_n(&words, text, length);
    if (!row) return (struct isa_word){ISA_WORD_NONE, 0};
    uintptr_t first = (uintptr_t)types;
    if (row >= first && row < first + sizeof types)
        return (struct isa_word){ISA_WORD_TYPE, (unsigned)((row - first) / sizeof types[0])};
    return (struct isa_word){ISA_WORD_MOD, (unsigned)((row - (uintptr_t)mods) / sizeof mods[0])};
}

enum isa_op isa_op_find(const char *text, size_t length)
{
    pthread_once(&once, build_maps);
    uintptr_t row = (uintptr_t)map_get_n(&op_names, text, length);
    return row ? (enum isa_op)((row - (uintptr_t)isa_ops) / sizeof isa_ops[0]) : ISA_OP_UNKNOWN;
}

enum isa_sreg isa_sreg_find(const char *text, size_t length)
{
    pthread_once(&once, build_maps);
    uintptr_t row = (uintptr_t)map_get_n(&sreg_names, text, length);
    return row ? (enum isa_sreg)((row - (uintptr_t)sregs) / sizeof sregs[0]) : ISA_SREG_NONE;
}

unsigned isa_type_bits(enum isa_type type)
{
    return types[type].bits;
}

enum isa_type_kind isa_type_kind(enum isa_type type)
{
    return types[type].kind;
}

/* "f16x2", "e4m3x4": the digit behind the x. */
unsigned isa_type_lanes(enum isa_type type)
{
    const char *x = strchr(types[type].name, 'x');
    return x && (x[1] == '2' || x[1] == '4') ? (unsigned)(x[1] - '0') : 1;
}

const char *isa_type_name(enum isa_type type)
{
    return types[type].name;
}

const char *isa_op_name(enum isa_op op)
{
    if (op == ISA_OP_ST_ASYNC || op == ISA_OP_ST_BULK) return "st"; /* the second word tells them apart */
    return isa_ops[op].name;
}

unsigned isa_op_dests(enum isa_op op)
{
    return isa_ops[op].dests;
}

enum isa_class isa_op_class(enum isa_op op)
{
    return isa_ops[op].cls;
}

const char *isa_mod_text(enum isa_mod mod)
{
    return mods[mod].text;
}

enum isa_mod_category isa_mod_category(enum isa_mod mod)
{
    return mods[mod].category;
}

const char *isa_sreg_name(enum isa_sreg sreg)
{
    return sregs[sreg].name;
}

enum isa_type isa_sreg_type(enum isa_sreg sreg)
{
    return sregs[sreg].type;
}

static bool is_bool_word(enum isa_mod mod)
{
    return mod == ISA_MOD_AND || mod == ISA_MOD_OR || mod == ISA_MOD_XOR;
}

enum isa_mod_category isa_category_on(enum isa_op op, enum isa_mod mod)
{
    if (is_bool_word(mod)) return op == ISA_OP_SETP || op == ISA_OP_SET ? ISA_CAT_BOOL : ISA_CAT_SUB;
    if (mod == ISA_MOD_LO || mod == ISA_MOD_HI)
        return op == ISA_OP_SETP || op == ISA_OP_SET ? ISA_CAT_COMPARE : ISA_CAT_SUB;
    if (mod == ISA_MOD_UNI) return op == ISA_OP_VOTE ? ISA_CAT_SUB : ISA_CAT_FLAG;
    if (mod == ISA_MOD_SYNC) return op == ISA_OP_BAR || op == ISA_OP_BARRIER ? ISA_CAT_SUB : ISA_CAT_FLAG;
    if (mod == ISA_MOD_MIN || mod == ISA_MOD_MAX) return ISA_CAT_SUB;
    return mods[mod].category;
}

enum isa_sreg_kind isa_sreg_kind(enum isa_sreg sreg)
{
    return sregs[sreg].kind;
}

bool isa_sreg_is_clock(enum isa_sreg sreg)
{
    return sregs[sreg].kind == ISA_READS_CLOCK || sregs[sreg].kind == ISA_READS_TIMER;
}

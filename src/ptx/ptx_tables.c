/* SPDX-License-Identifier: Apache-2.0 */
/* The .def tables as arrays, and text -> entry lookup through hash maps that are built once, on first use,
 * under pthread_once and read-only afterwards. */
#include "ptx_priv.h"

#include <pthread.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned bits;
    enum ptx_type_class class;
} types[PTX_TYPE_COUNT] = {
    [PTX_TYPE_NONE] = {"", 0, PTX_CLASS_NONE},
#define TYPE(id, name, bits, cls) [PTX_##id] = {name, bits, PTX_CLASS_##cls},
#include "ptx/ptx_types.def"
#undef TYPE
};

static const struct {
    const char *name;
    uint8_t dests;
    enum ptx_work_class cls;
} ops[PTX_OP_COUNT] = {
    [PTX_OP_UNKNOWN] = {"?", 0, PTX_WORK_CONTROL},
#define OP(id, name, dests, cls) [PTX_OP_##id] = {name, dests, PTX_WORK_##cls},
#include "ptx/ptx_ops.def"
#undef OP
};

static const struct {
    const char *text;
    enum ptx_mod_category category;
} mods[PTX_MOD_COUNT] = {
    [PTX_MOD_NONE] = {"", PTX_CAT_NONE},
#define MOD(id, text, category) [PTX_MOD_##id] = {text, PTX_CAT_##category},
#include "ptx/ptx_mods.def"
#undef MOD
};

static const struct {
    const char *name;
    enum ptx_type type;
} sregs[PTX_SREG_COUNT] = {
    [PTX_SREG_NONE] = {"", PTX_TYPE_NONE},
#define SREG(id, name, type) [PTX_SREG_##id] = {name, PTX_##type},
#include "ptx/ptx_sregs.def"
#undef SREG
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct map words, op_names, sreg_names; /* value: pointer to the table row */

static void build_maps(void)
{
    for (unsigned i = 1; i < PTX_TYPE_COUNT; i++)
        map_set(&words, types[i].name, (void *)&types[i]);
    for (unsigned i = 1; i < PTX_MOD_COUNT; i++)
        map_set(&words, mods[i].text, (void *)&mods[i]);
    for (unsigned i = 1; i < PTX_OP_COUNT; i++)
        map_set(&op_names, ops[i].name, (void *)&ops[i]);
    for (unsigned i = 1; i < PTX_SREG_COUNT; i++)
        map_set(&sreg_names, sregs[i].name, (void *)&sregs[i]);
}

struct ptx_word ptx_word_find(const char *text, size_t length)
{
    pthread_once(&once, build_maps);
    uintptr_t row = (uintptr_t)map_get_n(&words, text, length);
    if (!row) return (struct ptx_word){PTX_WORD_NONE, 0};
    uintptr_t first = (uintptr_t)types;
    if (row >= first && row < first + sizeof types)
        return (struct ptx_word){PTX_WORD_TYPE, (unsigned)((row - first) / sizeof types[0])};
    return (struct ptx_word){PTX_WORD_MOD, (unsigned)((row - (uintptr_t)mods) / sizeof mods[0])};
}

enum ptx_op ptx_op_find(const char *text, size_t length)
{
    pthread_once(&once, build_maps);
    uintptr_t row = (uintptr_t)map_get_n(&op_names, text, length);
    return row ? (enum ptx_op)((row - (uintptr_t)ops) / sizeof ops[0]) : PTX_OP_UNKNOWN;
}

enum ptx_sreg ptx_sreg_find(const char *text, size_t length)
{
    pthread_once(&once, build_maps);
    uintptr_t row = (uintptr_t)map_get_n(&sreg_names, text, length);
    return row ? (enum ptx_sreg)((row - (uintptr_t)sregs) / sizeof sregs[0]) : PTX_SREG_NONE;
}

unsigned ptx_type_bits(enum ptx_type type)
{
    return types[type].bits;
}

enum ptx_type_class ptx_type_class(enum ptx_type type)
{
    return types[type].class;
}

const char *ptx_type_name(enum ptx_type type)
{
    return types[type].name;
}

const char *ptx_op_name(enum ptx_op op)
{
    if (op == PTX_OP_ST_ASYNC || op == PTX_OP_ST_BULK) return "st"; /* the second word tells them apart */
    return ops[op].name;
}

unsigned ptx_op_dests(enum ptx_op op)
{
    return ops[op].dests;
}

enum ptx_work_class ptx_op_class(enum ptx_op op)
{
    return ops[op].cls;
}

const char *ptx_mod_text(enum ptx_mod mod)
{
    return mods[mod].text;
}

enum ptx_mod_category ptx_mod_category(enum ptx_mod mod)
{
    return mods[mod].category;
}

const char *ptx_sreg_name(enum ptx_sreg sreg)
{
    return sregs[sreg].name;
}

enum ptx_type ptx_sreg_type(enum ptx_sreg sreg)
{
    return sregs[sreg].type;
}

static bool is_bool_word(enum ptx_mod mod)
{
    return mod == PTX_MOD_AND || mod == PTX_MOD_OR || mod == PTX_MOD_XOR;
}

/* A few words mean different things on different opcodes; the table holds the usual meaning. */
enum ptx_mod_category ptx_category_on(enum ptx_op op, enum ptx_mod mod)
{
    if (is_bool_word(mod)) return op == PTX_OP_SETP || op == PTX_OP_SET ? PTX_CAT_BOOL : PTX_CAT_SUB;
    if (mod == PTX_MOD_LO || mod == PTX_MOD_HI)
        return op == PTX_OP_SETP || op == PTX_OP_SET ? PTX_CAT_COMPARE : PTX_CAT_SUB;
    if (mod == PTX_MOD_UNI) return op == PTX_OP_VOTE ? PTX_CAT_SUB : PTX_CAT_FLAG;
    if (mod == PTX_MOD_SYNC) return op == PTX_OP_BAR || op == PTX_OP_BARRIER ? PTX_CAT_SUB : PTX_CAT_FLAG;
    if (mod == PTX_MOD_MIN || mod == PTX_MOD_MAX) return PTX_CAT_SUB;
    return mods[mod].category;
}

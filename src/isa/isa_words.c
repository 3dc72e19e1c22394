/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a mnemonic: taking them in, and asking for them. */
#include "isa/isa.h"

#include <string.h>

bool isa_add_word(struct isa_instr *instr, const char *text, size_t length)
{
    struct isa_word word = isa_word_find(text, length);
    unsigned place = (unsigned)instr->mod_count + instr->type_count;
    if (word.kind == ISA_WORD_TYPE && instr->type_count < ISA_MAX_TYPES) {
        instr->types[instr->type_count++] = (uint8_t)word.id;
        instr->word_mask |= 1u << place;
        return true;
    }
    if (word.kind != ISA_WORD_MOD || instr->mod_count == ISA_MAX_MODS) return false;
    instr->mods[instr->mod_count++] = (uint16_t)word.id;
    return true;
}

void isa_finish_words(struct isa_instr *instr)
{
    if (instr->op != ISA_OP_ST) return;
    if (isa_has(instr, ISA_MOD_ASYNC)) instr->op = ISA_OP_ST_ASYNC;
    if (isa_has(instr, ISA_MOD_BULK)) instr->op = ISA_OP_ST_BULK;
}

bool isa_read(const char *mnemonic, struct isa_instr *out)
{
    size_t length = strcspn(mnemonic, ".");
    bool known = true;
    *out = (struct isa_instr){.op = isa_op_find(mnemonic, length)};
    for (const char *at = mnemonic + length; *at == '.'; at += length) {
        length = strcspn(++at, ".");
        known &= isa_add_word(out, at, length);
    }
    isa_finish_words(out);
    if (!known || out->op == ISA_OP_UNKNOWN) *out = (struct isa_instr){.op = ISA_OP_UNKNOWN};
    return out->op != ISA_OP_UNKNOWN;
}

bool isa_has(const struct isa_instr *instr, enum isa_mod mod)
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (instr->mods[i] == mod) return true;
    return false;
}

bool isa_has_type(const struct isa_instr *instr, enum isa_type type)
{
    for (unsigned i = 0; i < instr->type_count; i++)
        if (instr->types[i] == type) return true;
    return false;
}

bool isa_has_kind(const struct isa_instr *instr, enum isa_type_kind kind)
{
    for (unsigned i = 0; i < instr->type_count; i++)
        if (isa_type_kind((enum isa_type)instr->types[i]) == kind) return true;
    return false;
}

enum isa_mod isa_space_word(const struct isa_instr *instr, unsigned n)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        enum isa_mod mod = (enum isa_mod)instr->mods[i];
        if (isa_category_on(instr->op, mod) == ISA_CAT_SPACE && n-- == 0) return mod;
    }
    return ISA_MOD_NONE;
}

enum isa_mod isa_mod_of(const struct isa_instr *instr, enum isa_mod_category category)
{
    if (category == ISA_CAT_SPACE2) return isa_space_word(instr, 1);
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (isa_category_on(instr->op, (enum isa_mod)instr->mods[i]) == category)
            return (enum isa_mod)instr->mods[i];
    return ISA_MOD_NONE;
}

enum isa_space isa_written_space(const struct isa_instr *instr, unsigned n)
{
    switch ((unsigned)isa_space_word(instr, n)) {
    case ISA_MOD_GLOBAL: return ISA_SPACE_GLOBAL;
    case ISA_MOD_SHARED:
    case ISA_MOD_SHARED__CTA:
    case ISA_MOD_SHARED__CLUSTER: return ISA_SPACE_SHARED;
    case ISA_MOD_LOCAL: return ISA_SPACE_LOCAL;
    case ISA_MOD_CONST: return ISA_SPACE_CONST;
    case ISA_MOD_PARAM:
    case ISA_MOD_PARAM__ENTRY:
    case ISA_MOD_PARAM__FUNC: return ISA_SPACE_PARAM;
    case ISA_MOD_TEX: return ISA_SPACE_NONE; /* no memory that an access names */
    default: return ISA_SPACE_GENERIC;
    }
}

unsigned isa_vector_count(const struct isa_instr *instr)
{
    enum isa_mod mod = isa_mod_of(instr, ISA_CAT_VECTOR);
    return mod == ISA_MOD_V2 ? 2 : mod == ISA_MOD_V4 ? 4 : mod == ISA_MOD_V8 ? 8 : 1;
}

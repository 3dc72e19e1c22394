/* SPDX-License-Identifier: Apache-2.0 */
/* A message about an instruction that cannot be compiled: opcode, kernel, PTX line, and what to do. */
#include "jit/core/jit_core.h"
#include "jit/core/jit_refuse.h"

/* The mnemonic as written. */
static void mnemonic(const struct ptx_instr *instr, struct str *out)
{
    str_add(out, isa_op_name(instr->op));
    unsigned words = instr->mod_count + instr->type_count, mod = 0, type = 0;
    for (unsigned i = 0; i < words; i++) {
        bool is_type = (instr->word_mask >> i & 1 && type < instr->type_count) || mod >= instr->mod_count;
        const char *word = is_type ? isa_type_name((enum isa_type)instr->types[type++])
                                   : isa_mod_text((enum isa_mod)instr->mods[mod++]);
        str_printf(out, ".%s", word);
    }
}

enum sw_status jit_refuse(struct jit *jit, const struct ptx_instr *instr, const char *why)
{
    struct str text = {0};
    if (instr->op == ISA_OP_UNKNOWN)
        str_add(&text, instr->text ? instr->text : "?");
    else
        mnemonic(instr, &text);
    enum sw_status status =
        sw_fail_at(jit->error, SW_UNSUPPORTED, jit->function->name, instr->line, instr->column,
                   "unsupported instruction '%s' in kernel '%s', PTX line %u: %s", str_text(&text),
                   jit->function->name, instr->line, why);
    str_release(&text);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: wrong variants of every form. Method: one change to the text of each form: a modifier that
 * does not exist, the last modifier left out, an operand less, a constant instead of the first operand, the
 * module truncated within the form. Parser and verifier must return a status and a message. A modifier that
 * does not exist is an error, or makes an unknown instruction, which is refused by name when the kernel is
 * used. Limits: nothing is compiled. */
#include "forms_hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum change { NO_SUCH_MODIFIER, LAST_MODIFIER_GONE, OPERAND_GONE, CONSTANT_FIRST, CUT_OFF, CHANGES };

/* The text with what stands in [from, to) replaced. */
static char *replaced(const char *text, size_t from, size_t to, const char *by)
{
    struct forms_text out = {0};
    forms_add(&out, "%.*s%s%s", (int)from, text, by, text + to);
    return out.text;
}

static char *changed(const char *text, enum change change)
{
    size_t start = *text == '{' ? strlen(text) : 0, word = start + strcspn(text + start, " ;"), first = word;
    const char *dot = NULL, *comma = strrchr(text, ',');
    for (size_t i = start; i < word; i++)
        if (text[i] == '.') dot = text + i;
    while (text[first] == ' ')
        first++;
    switch ((unsigned)change) {
    case NO_SUCH_MODIFIER: return replaced(text, word, word, ".nosuch");
    case LAST_MODIFIER_GONE: return dot ? replaced(text, (size_t)(dot - text), word, "") : NULL;
    case OPERAND_GONE: return comma ? replaced(text, (size_t)(comma - text), strlen(text), "") : NULL;
    case CONSTANT_FIRST:
        return text[first] == '$' ? replaced(text, first, first + strcspn(text + first, ", "), "5") : NULL;
    default: return replaced(text, 0, 0, "");
    }
}

static bool holds_unknown(const struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < module->functions[f]->instr_count; i++)
            if (module->functions[f]->instrs[i].op == ISA_OP_UNKNOWN) return true;
    return false;
}

/* Is the changed form taken as if nothing were wrong with it? */
static bool taken(const char *text, size_t length, struct sw_error *error)
{
    struct ptx_module *module;
    if (ptx_parse(text, length, "hostile", &module, error) != SW_OK) return false;
    bool taken = ptx_verify(module, error) == SW_OK && !holds_unknown(module);
    if (!taken && holds_unknown(module))
        snprintf(error->message, sizeof error->message, "an unknown instruction");
    ptx_module_free(module);
    return taken;
}

static bool check(const struct forms_table *table, const struct form *original, enum change change)
{
    struct forms_text text = {0};
    struct sw_error error = {0};
    struct form form = *original;
    const struct form *one = &form;
    form.text = changed(original->text, change);
    if (!form.text) return true;
    forms_emit_head(&text, table->rows[form.row].sm);
    forms_emit_kernel(&text, "forms", &one, 1);
    size_t length = change == CUT_OFF ? text.length - 40 - form.index % 200 : text.length;
    bool wrongly = taken(text.text, length, &error) && (change == NO_SUCH_MODIFIER || change == CUT_OFF);
    bool silent = !wrongly && (change == NO_SUCH_MODIFIER || change == CUT_OFF) && !error.message[0];
    if (wrongly || silent)
        printf("FAIL %s: %s\n", form.text, wrongly ? "is taken" : "is refused without a message");
    free(form.text);
    free(text.text);
    return !wrongly && !silent;
}

int forms_hostile(const struct forms_table *table, unsigned stride)
{
    unsigned checked = 0, failures = 0;
    for (uint32_t i = 0; i < table->count; i += stride)
        for (unsigned change = 0; change < CHANGES; change++, checked++) {
            const struct forms_row *row = &table->rows[table->forms[i].row];
            if (!row->elsewhere && !row->refused)
                failures += !check(table, &table->forms[i], (enum change)change);
        }
    printf("%u wrong forms, %u failed\n", checked, failures);
    return failures != 0 || checked == 0;
}

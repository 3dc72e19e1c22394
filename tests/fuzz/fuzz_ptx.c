/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that src/ptx does with untrusted text: parse, verify, print, parse the printed text,
 * flatten each entry, and analyse it. Printed text must parse, and from the second print on the text must
 * not change. */
#include "fuzz_input.h"

#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 8 };

static void analyse(const struct ptx_module *module, const struct ptx_function *entry, struct str *out)
{
    struct ptx_function *flat;
    struct ptx_cfg cfg;
    struct ptx_liveness live;
    struct sw_error error;
    struct arena arena;
    arena_init(&arena);
    if (ptx_flatten(module, entry, &arena, &flat, &error) == SW_OK &&
        ptx_cfg_build(flat, &arena, &cfg, &error) == SW_OK) {
        ptx_liveness_build(&cfg, &arena, &live);
        ptx_print_function(flat, out);
        for (uint32_t i = 0; i < flat->instr_count; i++) {
            struct ptx_work work;
            ptx_classify(&flat->instrs[i], &work);
        }
    }
    arena_release(&arena);
}

static void analyse_entries(const struct ptx_module *module)
{
    struct str out = {0};
    unsigned done = 0;
    for (uint32_t i = 0; i < module->function_count && done < MOST_ENTRIES; i++)
        if (module->functions[i]->is_entry && module->functions[i]->has_body) {
            analyse(module, module->functions[i], &out);
            done++;
        }
    str_release(&out);
}

/* The print of a text, or NULL when it does not parse. */
static char *print_of(const char *text, size_t length, bool analyse_too)
{
    struct sw_error error = {0};
    struct ptx_module *module;
    struct str out = {0};
    if (ptx_parse(text, length, "fuzz", &module, &error) != SW_OK) return NULL;
    if (analyse_too && ptx_verify(module, &error) == SW_OK) analyse_entries(module);
    ptx_print_module(module, &out);
    ptx_module_free(module);
    return str_steal(&out);
}

/* The text linked with itself: what can be linked must print to text that parses. */
static void link_twice(const char *text, size_t length)
{
    struct ptx_text texts[] = {{text, length, "one"}, {text, length, "two"}};
    struct ptx_module *module;
    struct sw_error error;
    struct str out = {0};
    if (ptx_parse_linked(texts, 2, &module, &error) != SW_OK) return;
    ptx_print_module(module, &out);
    ptx_module_free(module);
    char *again = print_of(str_text(&out), out.length, false);
    if (!again) BUG("what was linked and printed does not parse:\n%s", str_text(&out));
    free(again);
    str_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *first = print_of((const char *)data, size, true);
    if (!first) return 0;
    char *second = print_of(first, strlen(first), false);
    if (!second) BUG("what was printed does not parse:\n%s", first);
    link_twice((const char *)data, size);
    char *third = print_of(second, strlen(second), false);
    if (!third || strcmp(second, third) != 0)
        BUG("the print changes:\n%s\n----\n%s", second, third ? third : "");
    free(first);
    free(second);
    free(third);
    return 0;
}

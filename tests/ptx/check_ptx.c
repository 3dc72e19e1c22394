/* SPDX-License-Identifier: Apache-2.0 */
/* usage:
 *   check_ptx accept FILE...   every file parses, has no unknown instruction, verifies, and prints to text
 *                              that parses and prints to itself; every entry flattens and can be analysed
 *   check_ptx reject FILE...   every file is refused with the message of its first line:
 *                              // LINE:COLUMN: message */
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void complain(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    failures++;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct str text = {0};
    char buffer[4096];
    if (!file) {
        complain(path, "cannot be read");
        return NULL;
    }
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        str_add_bytes(&text, buffer, n);
    fclose(file);
    return str_steal(&text);
}

static void complain_error(const char *path, const struct sw_error *error)
{
    char buffer[1000];
    complain(path, sw_error_format(error, buffer, sizeof buffer));
}

static void check_no_unknown(const char *path, const struct ptx_module *module)
{
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < module->functions[f]->instr_count; i++)
            if (module->functions[f]->instrs[i].op == ISA_OP_UNKNOWN)
                complain(path, module->functions[f]->instrs[i].text);
}

static void check_entries(const char *path, const struct ptx_module *module)
{
    struct arena arena;
    arena_init(&arena);
    for (uint32_t f = 0; f < module->function_count; f++) {
        struct sw_error error = {0};
        struct ptx_function *flat;
        struct ptx_cfg cfg;
        struct ptx_liveness live;
        if (!module->functions[f]->is_entry || !module->functions[f]->has_body) continue;
        if (ptx_flatten(module, module->functions[f], &arena, &flat, &error) != SW_OK ||
            ptx_cfg_build(flat, &arena, &cfg, &error) != SW_OK) {
            complain_error(path, &error);
            continue;
        }
        ptx_liveness_build(&cfg, &arena, &live);
        if (ptx_live_bytes(&cfg) == 0 && flat->instr_count > 10) complain(path, "no register is ever live");
    }
    arena_release(&arena);
}

static char *print_of(const char *path, const char *text, bool checks)
{
    struct sw_error error = {0};
    struct ptx_module *module;
    struct str out = {0};
    if (ptx_parse(text, strlen(text), path, &module, &error) != SW_OK) {
        complain_error(path, &error);
        return NULL;
    }
    if (checks) {
        check_no_unknown(path, module);
        if (ptx_verify(module, &error) != SW_OK) complain_error(path, &error);
        check_entries(path, module);
    }
    ptx_print_module(module, &out);
    ptx_module_free(module);
    return str_steal(&out);
}

static void accept(const char *path)
{
    char *text = read_file(path);
    char *first = text ? print_of(path, text, true) : NULL;
    char *second = first ? print_of(path, first, false) : NULL;
    if (second && strcmp(first, second) != 0) complain(path, "the printed text prints to another text");
    free(text);
    free(first);
    free(second);
}

static void reject(const char *path)
{
    char *text = read_file(path);
    struct sw_error error = {0};
    struct ptx_module *module = NULL;
    char got[700], want[700] = "";
    if (!text) return;
    sscanf(text, "// %699[^\n]", want);
    enum sw_status status = ptx_parse(text, strlen(text), path, &module, &error);
    if (status == SW_OK) status = ptx_verify(module, &error);
    snprintf(got, sizeof got, "%u:%u: %s", error.line, error.column, error.message);
    if (status == SW_OK)
        complain(path, "was accepted");
    else if (strcmp(got, want) != 0)
        fprintf(stderr, "%s:\n  expected %s\n  got      %s\n", path, want, got), failures++;
    ptx_module_free(module);
    free(text);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    for (int i = 2; i < argc; i++)
        (strcmp(argv[1], "accept") == 0 ? accept : reject)(argv[i]);
    printf("%d files, %d failures\n", argc - 2, failures);
    return failures != 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp ptx: parse and check a PTX file, and print what was understood as PTX that reads back to the same.
 */
#include "cli_priv.h"

#include "ptx/ptx.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool read_whole(FILE *file, struct str *out)
{
    char block[65536];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        str_add_bytes(out, block, n);
    return !ferror(file);
}

enum what { PRINT_PTX, PRINT_SUMMARY, PRINT_NOTHING };

static int print_ptx(const char *path, const struct str *text, enum what what, struct str *out)
{
    struct ptx_module *module;
    struct sw_error error = {0};
    if (ptx_parse(str_text(text), text->length, path, &module, &error) != SW_OK)
        return cli_fail_error(&error);
    int code = CLI_OK;
    if (ptx_verify(module, &error) != SW_OK || ptx_check_known(module, &error) != SW_OK)
        code = cli_fail_error(&error);
    else if (what == PRINT_PTX)
        ptx_print_module(module, out);
    else if (what == PRINT_SUMMARY && ptx_print_summary(module, out, &error) != SW_OK)
        code = cli_fail_error(&error);
    ptx_module_free(module);
    return code;
}

int cmd_ptx(const struct cli_command *self, int argc, char **argv)
{
    bool quiet = false, summary = false;
    struct cli_output output = {0};
    const struct cli_option table[] = {
        {"--check", 0, CLI_FLAG, &quiet, NULL, "check only, print nothing"},
        {"--summary", 0, CLI_FLAG, &summary, NULL,
         "one line per function: instructions, registers, basic blocks, memory"},
        {"--output", 'o', CLI_TEXT, &output.path, "FILE", "write there, not to standard output"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    if (rest + 1 != argc)
        return cli_fail(CLI_USAGE, "one PTX file is needed ('-': standard input): softwarp ptx FILE");
    bool standard = strcmp(argv[rest], "-") == 0;
    FILE *file = standard ? stdin : fopen(argv[rest], "r");
    if (!file) return cli_fail(CLI_USAGE, "cannot read '%s': %s", argv[rest], strerror(errno));
    enum what what = quiet ? PRINT_NOTHING : summary ? PRINT_SUMMARY : PRINT_PTX;
    struct str text = {0};
    bool ok = read_whole(file, &text);
    if (!standard) fclose(file);
    code = ok ? print_ptx(standard ? "standard input" : argv[rest], &text, what, &output.text)
              : cli_fail(CLI_INTERNAL, "cannot read '%s': %s", argv[rest], strerror(errno));
    str_release(&text);
    int written = code ? (str_release(&output.text), CLI_OK) : cli_output_finish(&output);
    return code ? code : written;
}

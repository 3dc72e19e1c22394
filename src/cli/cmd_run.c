/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp run: the program's output and exit status are its own; nothing is counted. */
#include "cli_priv.h"

int cmd_run(const struct cli_command *self, int argc, char **argv)
{
    struct cli_run run = {0};
    struct session_options options = {0};
    const struct cli_option table[] = {
        {"--device", 0, CLI_TEXT, &run.device, "GPU",
         "GPU to simulate (softwarp devices lists them); default h200"},
        {"--any-target", 0, CLI_FLAG, &run.any_target, NULL,
         "run PTX even if it was compiled for a newer GPU"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    if (rest == argc)
        return cli_fail(CLI_USAGE, "no program given: softwarp run [--device GPU] PROGRAM [ARGS...]");
    options.any_target = run.any_target;
    run.options = &options;
    run.argv = argv + rest;
    struct arena arena;
    struct session_reader *reader;
    bool ran;
    arena_init(&arena);
    code = cli_run_program(&run, &arena, &reader, &ran);
    code = cli_conclude(code, reader);
    session_close(reader);
    arena_release(&arena);
    return code;
}

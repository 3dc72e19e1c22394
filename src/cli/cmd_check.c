/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp check: run a program, and report what its kernels do wrong, in the words of compute-sanitizer,
 * which people search for.
 *
 * Finds: accesses of global memory out of bounds, to the byte; misaligned ones; launches that fail by
 * anything else. Does not look for races, uninitialised reads and misused barriers yet. */
#include "cli_priv.h"

#include "check/check.h"

#include <string.h>

static const char *demangle(void *arena, const char *name)
{
    return session_demangle(arena, name);
}

static uint64_t write_findings(const struct session_data *data, uint64_t most, struct arena *arena,
                               struct str *out)
{
    struct check_report report = {.most = most, .name = demangle, .user = arena};
    check_report_begin(out);
    for (uint32_t p = 0; p < data->process_count; p++)
        for (uint32_t i = 0; i < data->processes[p].finding_count; i++)
            check_report_finding(&report, &data->processes[p].findings[i], out);
    check_report_end(&report, out);
    return report.errors;
}

int cmd_check(const struct cli_command *self, int argc, char **argv)
{
    struct cli_run run = {.any_target = true};
    struct session_options options = {.any_target = true, .checks = EVENT_CHECK_MEMORY};
    const char *tool = "memcheck";
    uint64_t error_code = CLI_CHECK, most = 100;
    const struct cli_option table[] = {
        {"--device", 0, CLI_TEXT, &run.device, "GPU",
         "GPU to simulate (softwarp devices lists them); default h200"},
        {"--tool", 0, CLI_TEXT, &tool, "TOOL",
         "memcheck: wrong accesses (default); synccheck: misused barriers and warp operations"},
        {"--error-exitcode", 0, CLI_NUMBER, &error_code, "N",
         "exit status when something was found; default 4"},
        {"--print-limit", 0, CLI_NUMBER, &most, "N", "report so many errors at most; default 100; 0: all"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    if (strcmp(tool, "synccheck") == 0) options.checks = EVENT_CHECK_SYNC;
    if (strcmp(tool, "memcheck") != 0 && strcmp(tool, "synccheck") != 0)
        return cli_fail(CLI_UNSUPPORTED, "--tool %s is not supported; use --tool memcheck or synccheck",
                        tool);
    if (rest == argc) return cli_fail(CLI_USAGE, "no program given: softwarp check PROGRAM [ARGS...]");
    if (error_code > 255) return cli_fail(CLI_USAGE, "--error-exitcode is 0 to 255");
    run.options = &options;
    run.argv = argv + rest;
    struct arena arena;
    struct session_reader *reader;
    bool ran;
    arena_init(&arena);
    code = cli_run_program(&run, &arena, &reader, &ran);
    if (ran && reader) {
        struct cli_output text = {0};
        const struct session_data *data = session_reader_data(reader);
        uint64_t found = write_findings(data, most, &arena, &text.text);
        int printed = cli_output_finish(&text);
        cli_say_abnormal(data);
        code = cli_conclude(code, reader);
        if (!data->process_count && !code)
            code =
                cli_fail(CLI_UNSUPPORTED, "nothing was checked: the program did not use CUDA, or not through "
                                          "libcuda or libcudart");
        if (found) code = (int)error_code;
        code = code ? code : printed;
    }
    session_close(reader);
    arena_release(&arena);
    return code;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp trace: run a program by the virtual clock, write its timeline, and print what it comes to. */
#include "cli_priv.h"

#include "base/base_text.h"

#include "session/session_trace.h"

static void say_what_lacks(const struct session_trace *trace, const struct session_data *data)
{
    cli_say_abnormal(data);
    if (trace->left_out)
        cli_say("the timeline leaves out %llu calls and copies: there were too many",
                (unsigned long long)trace->left_out);
    if (!trace->item_count)
        cli_say("nothing was recorded%s",
                data->process_count ? ""
                                    : ": the program did not use CUDA, or not through libcuda or libcudart");
}

static void add_title(const struct session_trace *trace, struct str *out)
{
    if (!trace->gpus.count || !trace->gpus.at[0] || !trace->item_count) return;
    str_printf(out,
               _("Timeline by the virtual clock of %s (modelled; for its accuracy see docs/accuracy.md)\n"),
               trace->gpus.at[0]);
}

static void flush(void *file)
{
    cli_output_flush(file);
}

static int write_trace(const char *path, struct session_reader *reader)
{
    struct session_trace trace = {0};
    struct sw_error error = {0};
    struct cli_output file = {.path = path}, text = {0};
    int code = CLI_OK;
    if (session_trace_read(reader, &trace, &error) != SW_OK) {
        code = cli_fail_error(&error);
    } else {
        say_what_lacks(&trace, session_reader_data(reader));
        struct session_trace_out out = {.text = &file.text, .flush = flush, .user = &file};
        session_trace_json(&trace, &out);
        add_title(&trace, &text.text);
        session_trace_summary(&trace, &text.text);
        if (session_trace_status(&trace, &error) != SW_OK) {
            cli_output_discard(&file);
            cli_output_discard(&text);
            code = cli_fail_error(&error);
        } else {
            code = cli_output_finish(&file);
            int printed = cli_output_finish(&text);
            code = code ? code : printed;
        }
    }
    session_trace_release(&trace);
    return code;
}

int cmd_trace(const struct cli_command *self, int argc, char **argv)
{
    struct cli_run run = {.any_target = true};
    struct session_options options = {
        .detail = true, .any_target = true, .memory = true, .keep_caches = true, .calls = true};
    const char *path = NULL, *language = NULL;
    const struct cli_option table[] = {
        {"--device", 0, CLI_TEXT, &run.device, "GPU",
         "GPU to simulate (softwarp devices lists them); default h200"},
        {"--output", 'o', CLI_TEXT, &path, "FILE",
         "write the timeline there, for Perfetto or chrome://tracing (required)"},
        {"--lang", 0, CLI_TEXT, &language, "LANG", "en or zh; default by LC_ALL, LC_MESSAGES, LANG"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code < 0) code = cli_language(language);
    if (code >= 0) return code;
    if (!path) return cli_fail(CLI_USAGE, "-o FILE.json is required: the output file of the timeline");
    if (rest == argc)
        return cli_fail(CLI_USAGE, "no program given: softwarp trace -o FILE.json PROGRAM [ARGS...]");
    run.options = &options;
    run.argv = argv + rest;
    struct arena arena;
    struct session_reader *reader;
    bool ran;
    arena_init(&arena);
    code = cli_run_program(&run, &arena, &reader, &ran);
    if (ran && reader) {
        int written = write_trace(path, reader);
        code = cli_conclude_report(code, reader);
        code = code ? code : written;
    }
    session_close(reader);
    arena_release(&arena);
    return code;
}

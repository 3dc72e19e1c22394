/* SPDX-License-Identifier: Apache-2.0 */
/* Where text goes: results to standard output or, whole or not at all, to a file; everything else to standard
 * error with Softwarp's prefix. */
#include "cli_priv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say(const char *format, va_list args)
{
    struct str line = {0};
    str_vprintf(&line, format, args);
    fprintf(stderr, "==SOFTWARP== %s\n", str_text(&line));
    str_release(&line);
}

void cli_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

int cli_fail(int exit_code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    return exit_code;
}

int cli_fail_error(const struct sw_error *error)
{
    char text[1024];
    return cli_fail(sw_status_exit_code(error->status), "%s", sw_error_format(error, text, sizeof text));
}

static bool write_text(const struct str *text, FILE *file)
{
    bool ok = fwrite(str_text(text), 1, text->length, file) == text->length;
    return fflush(file) == 0 && ok;
}

static int write_file(const struct cli_output *output)
{
    struct str part = {0};
    str_printf(&part, "%s.part", output->path);
    FILE *file = fopen(str_text(&part), "w");
    bool ok = file && write_text(&output->text, file);
    if (file && fclose(file)) ok = false;
    if (ok) ok = rename(str_text(&part), output->path) == 0;
    int code = ok ? CLI_OK : cli_fail(CLI_INTERNAL, "cannot write '%s': %s", output->path, strerror(errno));
    if (!ok && file) unlink(str_text(&part));
    str_release(&part);
    return code;
}

int cli_output_finish(struct cli_output *output)
{
    int code = CLI_OK;
    if (output->path)
        code = write_file(output);
    else if (!write_text(&output->text, stdout))
        code = cli_fail(CLI_INTERNAL, "cannot write to standard output: %s", strerror(errno));
    str_release(&output->text);
    return code;
}

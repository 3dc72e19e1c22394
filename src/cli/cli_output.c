/* SPDX-License-Identifier: Apache-2.0 */
/* Where text goes: results to standard output or, whole or not at all, to a file; everything else to standard
 * error with Softwarp's prefix. */
#include "cli_priv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

enum { MUCH_BYTES = 1 << 18 };

static const char *output_part_of(const struct cli_output *output, struct str *name)
{
    str_printf(name, "%s.part", output->path);
    return str_text(name);
}

/* A pipe or a device is written to: renaming a file to its name would take its place, /dev/null's too. */
static bool is_no_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static void output_begin(struct cli_output *output)
{
    struct str part = {0};
    output->straight = output->path && is_no_file(output->path);
    if (output->straight)
        output->file = fopen(output->path, "w");
    else
        output->file = output->path ? fopen(output_part_of(output, &part), "w") : stdout;
    if (!output->file) output->failed = errno;
    str_release(&part);
}

static void write_text(struct cli_output *output)
{
    if (!output->file && !output->failed) output_begin(output);
    if (!output->failed &&
        (fwrite(str_text(&output->text), 1, output->text.length, output->file) != output->text.length ||
         fflush(output->file) != 0))
        output->failed = errno ? errno : EIO;
    str_clear(&output->text);
}

void cli_output_flush(struct cli_output *output)
{
    if (output->text.length >= MUCH_BYTES) write_text(output);
}

/* Closes the file; keep: it becomes what it is called. */
static void output_end(struct cli_output *output, bool keep)
{
    struct str part = {0};
    if (output->path && output->file) {
        output_part_of(output, &part);
        if (fclose(output->file) != 0 && !output->failed) output->failed = errno;
        keep &= !output->failed;
    }
    if (output->path && output->file && !output->straight) {
        if (keep && rename(str_text(&part), output->path) != 0) output->failed = errno;
        if (!keep || output->failed) unlink(str_text(&part));
    }
    output->file = NULL;
    str_release(&part);
    str_release(&output->text);
}

int cli_output_finish(struct cli_output *output)
{
    write_text(output);
    output_end(output, true);
    if (!output->failed) return CLI_OK;
    return cli_fail(CLI_INTERNAL, "cannot write %s%s%s: %s", output->path ? "'" : "to standard output",
                    output->path ? output->path : "", output->path ? "'" : "", strerror(output->failed));
}

void cli_output_discard(struct cli_output *output)
{
    output_end(output, false);
}

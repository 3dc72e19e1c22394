/* SPDX-License-Identifier: Apache-2.0 */
/* Command-line options from a table: --name VALUE, --name=VALUE, -x VALUE, -xVALUE; "--" ends them. An option
 * is never guessed from a prefix, one given twice takes its last value unless it makes a list, and an empty
 * value is none (of a script's variable that is not set). */
#include "cli_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT_COLUMNS = 28 }; /* implementation */

/* "-k, --kernel REGEX" */
static void option_left(const struct cli_option *option, char *out, size_t bytes)
{
    char letter[8] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(out, bytes, "%s%s %s", letter, option->name, option->argument ? option->argument : "");
}

static void options_print_help(const struct cli_command *command, const struct cli_option *options,
                               size_t count)
{
    printf("usage: softwarp %s %s\n\n%s\n", command->name, command->arguments, command->summary);
    if (count) printf("\noptions\n");
    char left[64];
    int width = LEFT_COLUMNS;
    for (size_t i = 0; i < count; i++) {
        option_left(&options[i], left, sizeof left);
        if ((int)strlen(left) > width) width = (int)strlen(left);
    }
    for (size_t i = 0; i < count; i++) {
        option_left(&options[i], left, sizeof left);
        printf("  %-*s %s\n", width, left, options[i].help);
    }
}

static const struct cli_option *find_long(const struct cli_option *options, size_t count, const char *text)
{
    size_t length = strcspn(text, "=");
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, text, length) == 0)
            return &options[i];
    return NULL;
}

static const struct cli_option *find_letter(const struct cli_option *options, size_t count, char letter)
{
    for (size_t i = 0; i < count; i++)
        if (options[i].letter == letter) return &options[i];
    return NULL;
}

static bool set_number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-') return false;
    *out = value;
    return true;
}

static int set_value(const struct cli_command *command, const struct cli_option *option, const char *text)
{
    if (option->kind == CLI_TEXT) *(const char **)option->value = text;
    if (option->kind == CLI_LIST) *vec_push((cli_list *)option->value) = text;
    if (option->kind == CLI_NUMBER && !set_number(text, option->value))
        return cli_fail(CLI_USAGE, "value '%s' of option '%s' is not a number: see softwarp %s --help", text,
                        option->name, command->name);
    return -1;
}

/* One option at argv[*at]; moves *at past it. */
static int parse_one(const struct cli_command *command, const struct cli_option *options, size_t count,
                     int argc, char **argv, int *at)
{
    char *text = argv[(*at)++];
    bool is_long = text[1] == '-';
    const struct cli_option *option =
        is_long ? find_long(options, count, text) : find_letter(options, count, text[1]);
    if (!option)
        return cli_fail(CLI_USAGE, "unknown option '%s': softwarp %s --help lists them", text, command->name);
    char *value = is_long ? strchr(text, '=') : text[2] ? text + 2 : NULL;
    if (value && is_long) value++;
    if (option->kind == CLI_FLAG) {
        if (value) return cli_fail(CLI_USAGE, "option '%s' takes no value", option->name);
        *(bool *)option->value = true;
        return -1;
    }
    if (!value && *at < argc) value = argv[(*at)++];
    if (!value || !*value)
        return cli_fail(CLI_USAGE, "option '%s' needs a value: %s", option->name, option->argument);
    return set_value(command, option, value);
}

int cli_parse(const struct cli_command *command, const struct cli_option *options, size_t count, int argc,
              char **argv, int *rest)
{
    int at = 1;
    while (at < argc && argv[at][0] == '-' && argv[at][1]) {
        if (strcmp(argv[at], "--") == 0) {
            at++;
            break;
        }
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            options_print_help(command, options, count);
            return CLI_OK;
        }
        int code = parse_one(command, options, count, argc, argv, &at);
        if (code >= 0) return code;
    }
    *rest = at;
    return -1;
}

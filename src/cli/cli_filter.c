/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches are looked at, in the words of NVIDIA's tools.
 *
 * compute-sanitizer's filters of kernels: kne and kernel_name are a whole name, kns and
 * kernel_substring a part of one, regex a regular expression.
 *
 *   filter:  "regex=" expression | pair { "," pair }        pair:  key "=" text
 *
 * All become one extended regular expression of alternatives. Limits: compute-sanitizer ignores a filter that
 * it does not understand; here it is a mistake.
 *
 * ncu's identifier of launches, CONTEXT:STREAM:[regex:]NAME:INVOCATION. Each part may be empty. Limits:
 * CONTEXT and STREAM must be; INVOCATION matches as a whole, as ncu 2025.3 was seen to do. */
#include "cli_priv.h"

#include <regex.h>
#include <string.h>

static void add_escaped(const char *text, size_t length, struct str *out)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr(".[]{}()*+?^$|\\", text[i])) str_add_char(out, '\\');
        str_add_char(out, text[i]);
    }
}

bool cli_is_regex(const char *text)
{
    regex_t expression;
    if (regcomp(&expression, text, REG_EXTENDED | REG_NOSUB) != 0) return false;
    regfree(&expression);
    return true;
}

static void begin_alternative(struct str *out)
{
    if (out->length) str_add_char(out, '|');
}

/* Does a pair begin with this key? *value: behind its "=". */
static bool has_key(const char *pair, size_t length, const char *const keys[2], const char **value)
{
    for (int i = 0; i < 2; i++) {
        size_t key = strlen(keys[i]);
        if (key + 1 >= length || strncmp(pair, keys[i], key) != 0 || pair[key] != '=') continue;
        *value = pair + key + 1;
        return true;
    }
    return false;
}

static bool add_pair(const char *pair, size_t length, struct str *out)
{
    static const char *const WHOLE[2] = {"kne", "kernel_name"}, *const PART[2] = {"kns", "kernel_substring"};
    const char *value;
    bool whole = has_key(pair, length, WHOLE, &value);
    if (!whole && !has_key(pair, length, PART, &value)) return false;
    begin_alternative(out);
    if (whole) str_add_char(out, '^');
    add_escaped(value, (size_t)(pair + length - value), out);
    if (whole) str_add_char(out, '$');
    return true;
}

static int add_filter(const char *option, const char *text, struct str *out)
{
    if (sw_starts_with(text, "regex=")) {
        const char *regex = text + strlen("regex=");
        if (!*regex || !cli_is_regex(regex))
            return cli_fail(CLI_USAGE, "%s: '%s' is not a regular expression", option, regex);
        begin_alternative(out);
        str_printf(out, "(%s)", regex);
        return -1;
    }
    for (const char *pair = text; *pair;) {
        size_t length = strcspn(pair, ",");
        if (!add_pair(pair, length, out))
            return cli_fail(CLI_USAGE, "%s: '%s' is no filter: use kne=NAME, kns=PART or regex=EXPRESSION",
                            option, text);
        pair += length + (pair[length] == ',');
    }
    return -1;
}

int cli_kernel_filter(const char *option, const cli_list *list, struct arena *arena, const char **out)
{
    struct str text = {0};
    int code = -1;
    for (size_t i = 0; i < list->count && code < 0; i++)
        code = add_filter(option, list->at[i], &text);
    *out = text.length ? arena_strdup(arena, str_text(&text)) : NULL;
    str_release(&text);
    return code;
}

/* NAME is a function's without its type, namespaces, template arguments and parameters; behind "regex:" an
 * expression on any part of that name, for which the whole demangled one is taken. */
static const char *name_expression(const char *name, size_t length, struct arena *arena)
{
    static const char OPERATOR[] = "regex:";
    if (!length) return NULL;
    if (length > strlen(OPERATOR) && strncmp(name, OPERATOR, strlen(OPERATOR)) == 0)
        return arena_strndup(arena, name + strlen(OPERATOR), length - strlen(OPERATOR));
    struct str text = {0};
    str_add(&text, "(^|[ :])");
    add_escaped(name, length, &text);
    str_add(&text, "([<(]|$)");
    const char *expression = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return expression;
}

int cli_kernel_id(const char *id, struct arena *arena, const char **kernel, const char **invocation)
{
    static const char FORM[] = "--kernel-id: '%s' is not of the form ::NAME:INVOCATION";
    const char *stream = strchr(id, ':'), *name = stream ? strchr(stream + 1, ':') : NULL;
    const char *last = name ? strrchr(name + 1, ':') : NULL;
    if (!last) return cli_fail(CLI_USAGE, FORM, id);
    if (stream != id || name != stream + 1)
        return cli_fail(
            CLI_USAGE,
            "--kernel-id: contexts and streams cannot be chosen: leave them empty (::NAME:INVOCATION)");
    *kernel = name_expression(name + 1, (size_t)(last - name - 1), arena);
    *invocation = last[1] ? arena_printf(arena, "^(%s)$", last + 1) : NULL;
    if ((*kernel && !cli_is_regex(*kernel)) || (*invocation && !cli_is_regex(*invocation)))
        return cli_fail(CLI_USAGE, "--kernel-id: '%s' has no valid regular expression", id);
    return -1;
}

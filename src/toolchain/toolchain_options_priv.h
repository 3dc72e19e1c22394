/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options (toolchain_table.c) and those who read it. */
#ifndef TOOLCHAIN_OPTIONS_PRIV_H
#define TOOLCHAIN_OPTIONS_PRIV_H

#include "toolchain_priv.h"

/* What becomes of an option: the name, and the function of toolchain_use.c that does it. */
#define TOOLCHAIN_ACTIONS(X)                                                                                 \
    X(MEANT, use_meant)             /* what it asks for is always so */                                      \
    X(NOTE, use_note)               /* cannot be honoured and does no harm; `text` says why */               \
    X(REFUSE, use_refuse)           /* cannot be honoured; `text` says what to do */                         \
    X(WORDS, use_words)             /* becomes `text`, split at blanks */                                    \
    X(FLAG, use_flag)               /* true: `text`, false: `other` */                                       \
    X(SPLIT, use_split)             /* the value, split at commas and blanks */                              \
    X(PREFIX, use_prefix)           /* `text` and the value, one word */                                     \
    X(LIST, use_list)               /* `text` and a part of the value for each */                            \
    X(CLANG_VALUE, use_clang_value) /* `text`, then the value */                                             \
    X(OUTPUT, use_output)                                                                                    \
    X(KIND_PTX, use_kind_ptx)                                                                                \
    X(KIND_FATBIN, use_kind_fatbin)                                                                          \
    X(COMPILE, use_compile)         /* `text`; no link step */                                               \
    X(HOST_ONLY, use_host_only)     /* the same, of the host's half alone */                                 \
    X(RELOCATABLE, use_relocatable) /* `text` alone, or true or false as value */                            \
    X(DEVICE_LINK, use_device_link)                                                                          \
    X(SHOW, use_show)                                                                                        \
    X(VERSION, use_version)                                                                                  \
    X(HELP, use_help)                                                                                        \
    X(LIST_TARGETS, use_list_targets) /* with the prefix `text` */                                           \
    X(RUN, use_run)                                                                                          \
    X(RUN_ARGUMENTS, use_run_arguments)                                                                      \
    X(RESPONSE, use_response) /* the value names files of more words */                                      \
    X(TARGET, use_target)                                                                                    \
    X(CODE, use_code)                                                                                        \
    X(MACHINE, use_machine)                                                                                  \
    X(OPTIMISE, use_optimise)                                                                                \
    X(DEVICE_OPTIMISE, use_device_optimise)                                                                  \
    X(DEBUG, use_debug) /* `text` and the value */                                                           \
    X(DEVICE_DEBUG, use_device_debug)                                                                        \
    X(MAX_REGISTERS, use_max_registers)                                                                      \
    X(REPORT, use_report)                                                                                    \
    X(PTXAS, use_ptxas)                                                                                      \
    X(DEFAULT_STREAM, use_default_stream)                                                                    \
    X(LANGUAGE, use_language)                                                                                \
    X(RUNTIME, use_runtime)                                                                                  \
    X(LIBRARY, use_library)                                                                                  \
    X(WARNINGS_ARE_ERRORS, use_warnings_are_errors)

enum action {
#define ACTION(name, function) name,
    TOOLCHAIN_ACTIONS(ACTION)
#undef ACTION
};

enum form {
    ALONE,  /* -name */
    VALUE,  /* -name VALUE or -name=VALUE */
    JOINED, /* -nameVALUE too, any VALUE; the long name as VALUE */
};

struct toolchain_option {
    const char *longer, *shorter; /* NULL: there is none */
    enum form form;
    enum action action;
    const char *text, *other;
};

/* The row that a word of the command line names, or NULL; *name is the name it has there, *value what is
 * joined to it, NULL when the next word is the value. */
const struct toolchain_option *toolchain_option_find(const char *word, const char **value, const char **name);
const struct toolchain_option *toolchain_option_at(size_t i); /* NULL after the last */

/* One option of a command line. */
struct toolchain_cursor;
struct toolchain_use {
    struct toolchain_cursor *cursor; /* of toolchain_options.c */
    struct toolchain_options *out;
    const struct toolchain_option *option;
    const char *name, *value; /* as written */
    const char *next;         /* the word after it, or NULL; taken where *takes_next is set */
    bool *takes_next;
    struct sw_error *error;
};
enum sw_status toolchain_option_use(const struct toolchain_use *use);
/* The words of the files that the value names, in its place. */
enum sw_status toolchain_options_read_files(const struct toolchain_use *use);

/* Words of text as a shell would split them (quotes and backslashes), appended. */
void toolchain_words_split(struct arena *arena, const char *text, toolchain_args *out);
/* Parts between commas that are not in quotes or after a backslash. */
void toolchain_list_split(struct arena *arena, const char *text, toolchain_args *out);
/* Both, but for the commas of -Wl,a,b and its kin. */
void toolchain_either_split(struct arena *arena, const char *text, toolchain_args *out);
/* The words of a file, appended. */
enum sw_status toolchain_words_read(struct arena *arena, const char *path, toolchain_args *out,
                                    struct sw_error *error);

/* The value of -arch, -gencode and the like. */
enum sw_status toolchain_targets_add(struct toolchain_options *out, const char *value,
                                     struct sw_error *error);
/* When all words were read: what is left when targets that cannot be made are taken out. */
enum sw_status toolchain_targets_finish(struct toolchain_options *out, struct sw_error *error);
void toolchain_targets_print(const char *prefix);

/* What to say of -lcublas and its kin, where there is a link step. */
void toolchain_libraries_note(struct toolchain_options *out);

/* Say once that an option has no effect. */
void toolchain_note(struct toolchain_options *out, const char *word, const char *why);
#endif

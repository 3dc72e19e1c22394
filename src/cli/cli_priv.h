/* SPDX-License-Identifier: Apache-2.0 */
/* cli: `softwarp`. One cmd_*.c a subcommand: a table of options and what it does with them. */
#ifndef CLI_PRIV_H
#define CLI_PRIV_H

#include "base/base.h"
#include "session/session.h"

#include <stdbool.h>

/* Exit codes of the contract; see docs or `softwarp --help`. */
enum { CLI_OK = 0, CLI_GATE = 1, CLI_USAGE = 2, CLI_UNSUPPORTED = 3, CLI_CHECK = 4, CLI_INTERNAL = 5 };

enum cli_kind { CLI_FLAG, CLI_TEXT, CLI_NUMBER };
/* One option: where its value goes depends on kind: bool, const char *, or uint64_t. */
struct cli_option {
    const char *name; /* "--device" */
    char letter;      /* 'k' for -k, or 0 */
    enum cli_kind kind;
    void *value;
    const char *argument; /* "GPU"; NULL for flags */
    const char *help;
};
struct cli_command {
    const char *name, *arguments, *summary;
    int (*run)(const struct cli_command *self, int argc, char **argv); /* argv[0] is the command's name */
    const char *missing; /* not built yet: what will be here; run is NULL */
};

/* Read options up to the first argument that is none, or past "--"; *rest: its index. Prints the message
 * itself. -1: go on; otherwise leave with that exit code (--help: 0). */
int cli_parse(const struct cli_command *command, const struct cli_option *options, size_t count, int argc,
              char **argv, int *rest);
/* "==SOFTWARP== " and the message on standard error; returns exit_code. */
int cli_fail(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_fail_error(const struct sw_error *error); /* exit code by the status */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Standard output, or a file that appears only when it is complete. */
struct cli_output {
    const char *path; /* NULL: standard output */
    struct str text;
};
int cli_output_finish(struct cli_output *output); /* writes and releases; an exit code */

/* What a program needs and brings, from its ELF file. Not an ELF file: all false. */
enum { CLI_LIBRARIES = 8 };
struct cli_program {
    char path[4096];
    bool is_elf, has_rpath, has_static_runtime;
    char libraries[CLI_LIBRARIES][64]; /* of NVIDIA's, that it needs and Softwarp does not run */
    unsigned library_count;
};
int cli_program_find(const char *name, struct cli_program *out); /* exit code; prints why */

/* Run a program under our libraries and a session folder. */
struct cli_run {
    const char *device; /* NULL: as the environment says, or h200 */
    bool any_target;
    const struct session_options *options;
    char **argv; /* the program and its arguments, NULL at the end */
};
/* Runs, loads what was recorded into arena. Exit code of the program; *ran false: it never started. */
int cli_run_program(const struct cli_run *run, struct arena *arena, struct session_data *data, bool *ran);
/* Exit code of the whole: the program's, or 3 when that is 0 and something was refused. Prints notes and
 * refusals. */
int cli_conclude(int exit_code, const struct session_data *data);

int cmd_run(const struct cli_command *self, int argc, char **argv);
int cmd_profile(const struct cli_command *self, int argc, char **argv);
int cmd_devices(const struct cli_command *self, int argc, char **argv);
int cmd_occupancy(const struct cli_command *self, int argc, char **argv);
int cmd_cc(const struct cli_command *self, int argc, char **argv);
int cmd_smi(const struct cli_command *self, int argc, char **argv);
int cmd_ptx(const struct cli_command *self, int argc, char **argv);
int cmd_cache(const struct cli_command *self, int argc, char **argv);
#endif

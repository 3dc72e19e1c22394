/* SPDX-License-Identifier: Apache-2.0 */
/* cli: `softwarp`. One cmd_*.c a subcommand: a table of options and what it does with them. */
#ifndef CLI_PRIV_H
#define CLI_PRIV_H

#include "base/base.h"
#include "session/session.h"

#include <stdbool.h>
#include <stdio.h>

/* Exit codes of the contract; see docs or `softwarp --help`. */
enum { CLI_OK = 0, CLI_GATE = 1, CLI_USAGE = 2, CLI_UNSUPPORTED = 3, CLI_CHECK = 4, CLI_INTERNAL = 5 };

enum cli_kind { CLI_FLAG, CLI_TEXT, CLI_NUMBER, CLI_LIST };
typedef VEC(const char *) cli_list;
/* One option: where its value goes depends on kind: bool, const char *, uint64_t, or cli_list, to which each
 * use adds one. */
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
};

/* Read options up to the first argument that is none, or past "--"; *rest: its index. Prints the message
 * itself. -1: go on; otherwise leave with that exit code (--help: 0). */
int cli_parse(const struct cli_command *command, const struct cli_option *options, size_t count, int argc,
              char **argv, int *rest);
/* "==SOFTWARP== " and the message on standard error; returns exit_code. */
int cli_fail(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_fail_error(const struct sw_error *error); /* exit code by the status */
/* Of an answer of addr2line, a function and a line in turn, the first line that is the program's own; NULL:
 * not known. *holder: the function at that line, or at the address where no line is known. kernel: whose stub
 * does not count; NULL: none. */
const char *cli_line_of_answer(struct arena *arena, const char *answer, const char *kernel,
                               const char **holder);
/* A copy of operations whose callers are source lines where the program has line information; from arena. */
const struct event_operation *cli_operation_lines(const struct event_operation *operations, uint32_t count,
                                                  struct arena *arena);
/* The same of findings: where calls were made, and where their memory was allocated. */
const struct event_finding *cli_finding_lines(const struct event_finding *findings, uint32_t count,
                                              struct arena *arena);
const char *cli_version(void); /* "0.1.0" */
void cli_version_print(void);
/* Where this program is installed, or the build folder: its bin/ is this program's. NULL: not to be found. */
const char *cli_prefix(struct arena *arena);
/* Where libcuda.so.1 lies: ../lib in the build tree, ../lib/softwarp when installed. */
bool cli_library_folder(struct arena *arena, const char **out);
/* One regular expression (from arena) for what compute-sanitizer's --kernel-name says: "kne=NAME",
 * "kns=PART", "regex=EXPRESSION", several by commas (not after a regex), any of which may hold. NULL for an
 * empty list. -1, or the exit status of a mistake that was printed. */
int cli_kernel_filter(const char *option, const cli_list *list, struct arena *arena, const char **out);
bool cli_is_regex(const char *text); /* an extended one */
/* ncu's --kernel-id as the expressions of session_options.kernel and invocation. -1, or the exit code. */
int cli_kernel_id(const char *id, struct arena *arena, const char **kernel, const char **invocation);
/* Reports in a language ("en", "zh"; NULL: the environment's). -1, or the exit status. */
int cli_language(const char *language);
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Standard output, or a file that appears only when it is complete. Text is added to text and written when it
 * is much; what went wrong is said once, at the end. */
struct cli_output {
    const char *path; /* NULL: standard output */
    struct str text;
    FILE *file;    /* what path becomes, once begun */
    int failed;    /* errno of the first write that failed */
    bool straight; /* path is no file that could be replaced, but a pipe or a device */
};
void cli_output_flush(struct cli_output *output);   /* writes text if it is much */
int cli_output_finish(struct cli_output *output);   /* writes and releases; an exit code */
void cli_output_discard(struct cli_output *output); /* releases; the file does not appear */

uint32_t cli_terminal_columns(int file); /* 0: it is no terminal, or does not say */
uint32_t cli_columns(int file);          /* what COLUMNS says, else the terminal; 0: neither does */
bool cli_is_terminal(int file);          /* and takes colours: TERM is not dumb, NO_COLOR is not set */
/* A line on a terminal's standard error while something takes long; nothing elsewhere. */
struct cli_progress {
    const char *what;
    uint64_t all, done, next;
    double began_s;
    bool shown, quiet;
};
void cli_progress_begin(struct cli_progress *progress, const char *what, uint64_t all);
void cli_progress_step(struct cli_progress *progress);
void cli_progress_end(struct cli_progress *progress); /* removes it */

/* Which kernel a profiled program is at, on a terminal's standard error; nothing elsewhere. */
struct cli_running {
    int file; /* the session's progress; -1: nobody would see it */
    double began_s, kernel_s;
    uint64_t launches;
    bool shown;
};
void cli_running_prepare(struct cli_running *running, const char *folder); /* before the program starts */
void cli_running_begin(struct cli_running *running); /* from now on waitpid returns EINTR now and then, */
void cli_running_tick(struct cli_running *running);  /* which is the time for this */
void cli_running_end(struct cli_running *running);

/* Where a section of an ELF file lies; false: it has none, or is no such file. */
bool cli_elf_section(const uint8_t *bytes, uint64_t size, const char *name, const uint8_t **at,
                     uint64_t *length);

/* softwarp cache --warm: compile a file's kernels into the cache. */
struct cli_warm {
    const char *device; /* as --device; NULL: SOFTWARP_DEVICE's */
    const char *blocks; /* "256,16x16"; NULL: those that each kernel is likely to have */
    bool any_target;
};
int cli_warm(const struct cli_warm *warm, const char *path, struct str *out); /* exit code */

/* A function of gprof's flat profile. */
struct cli_hotspot {
    const char *name;
    double share, seconds; /* share: 0 to 1 */
    uint64_t calls;
    bool has_calls;
};
typedef VEC(struct cli_hotspot) cli_hotspots;
/* Those of a file, appended; names from arena. -1, or the exit status of a mistake that was printed. */
int cli_gprof_read(const char *path, struct arena *arena, cli_hotspots *out);

/* The session folder of a command, empty at first. */
struct cli_folder {
    char *path;
    int file, lock; /* descriptors; -1: none */
};
int cli_folder_make(struct cli_folder *out, struct arena *arena); /* exit code; removes what others left */
void cli_folder_remove(struct cli_folder *folder);

/* What a program needs and brings, from its ELF file. Not an ELF file: all false. */
struct cli_program {
    char path[4096];
    bool is_elf, has_rpath, has_static_runtime;
    bool has_packages;    /* Python or a script: libraries that it loads may name folders of their own */
    char loader[64];      /* glibc's, that the file names; "": another one, or none */
    bool needs_libraries; /* of NVIDIA's, which Softwarp does not have */
};
/* ---- cli_missing.c */
/* Says which of NVIDIA's libraries the loader will not find and, if that is none, which of their functions
 * (where they are asked for); false: nothing was said. In the environment that the program gets. */
bool cli_missing_tell(const struct cli_program *program, bool functions);
int cli_program_find(const char *name, struct cli_program *out); /* exit code; prints why */

/* Run a program under our libraries and a session folder. */
struct cli_run {
    const char *device; /* NULL: as the environment says, or h200 */
    bool any_target;
    const struct session_options *options;
    char **argv;  /* the program and its arguments, NULL at the end */
    FILE *output; /* where its standard output goes, from the same addresses each time; NULL: ours */
    bool quiet;   /* standard error goes nowhere, and standard input comes from nowhere, if it is no file */
};
/* Runs, and opens what was recorded: *reader is NULL or the caller's to close. Exit code of the program; *ran
 * false: it never started. */
int cli_run_program(const struct cli_run *run, struct arena *arena, struct session_reader **reader,
                    bool *ran);
/* ---- cli_schedules.c: a program under several orders of blocks and warps. */
struct cli_schedule_run {
    struct session_reader *reader; /* NULL: nothing was recorded */
    int status;                    /* of the program */
    bool ran;
    FILE *output; /* what it printed */
};
struct cli_schedules {
    const struct cli_run *run; /* output, quiet, options->schedule and look: each run's own */
    uint32_t count;
    uint64_t seed;
    int64_t input;                       /* where standard input began; -1: it is no file */
    struct cli_schedule_run *runs;       /* out, by schedule */
    struct cli_schedule_run repeated[2]; /* out: schedule 0, and one that differs from it */
    VEC(struct event_finding) findings;  /* out: kernels live as long as the runs, texts are arena's */
};
/* Exit code; not that of the program, unless one of the runs did not start. Prints what the first run
 * printed. Release in any case. */
int cli_schedules_run(struct cli_schedules *all, struct arena *arena);
void cli_schedules_release(struct cli_schedules *all);

/* Exit code of the whole: the program's, or 3 when that is 0 and something was refused. Prints notes and
 * refusals. */
int cli_conclude(int exit_code, const struct session_reader *reader);
/* The same for reports: an error, too, when something could not be recorded. */
int cli_conclude_report(int exit_code, const struct session_reader *reader);

/* Signals that main() ignores; as they were, for a program that is about to be run. */
void cli_signals_begin(void);
void cli_signals_restore(void);

/* Says which processes of the program did not end by themselves, and of which something is missing. */
void cli_say_abnormal(const struct session_data *data);
bool cli_is_cut(const struct session_data *data); /* could some process not record all that it did? */

/* Entries of a device image and what their kernels need, in cuobjdump's form; an exit status. */
struct fatbin;
int cli_image_list(const char *path, const struct fatbin *image, struct str *out);

int cmd_run(const struct cli_command *self, int argc, char **argv);
int cmd_check(const struct cli_command *self, int argc, char **argv);
int cmd_trace(const struct cli_command *self, int argc, char **argv);
int cmd_profile(const struct cli_command *self, int argc, char **argv);
int cmd_assess(const struct cli_command *self, int argc, char **argv);
int cmd_compare(const struct cli_command *self, int argc, char **argv);
int cmd_devices(const struct cli_command *self, int argc, char **argv);
int cmd_occupancy(const struct cli_command *self, int argc, char **argv);
int cmd_cc(const struct cli_command *self, int argc, char **argv);
int cmd_smi(const struct cli_command *self, int argc, char **argv);
int cmd_ptxas(const struct cli_command *self, int argc, char **argv);
int cmd_ptx(const struct cli_command *self, int argc, char **argv);
int cmd_cache(const struct cli_command *self, int argc, char **argv);
#endif

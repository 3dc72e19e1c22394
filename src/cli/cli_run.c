/* SPDX-License-Identifier: Apache-2.0 */
/* Running a program under Softwarp: its environment, its signals, its exit status, and what it recorded.
 *
 * The child finds our libraries through LD_LIBRARY_PATH (or LD_PRELOAD when it has DT_RPATH) and the session
 * folder through SOFTWARP_SESSION. Signals sent to us go on to it; those of the terminal reach it by
 * themselves. */
#include "cli_priv.h"

#include "arch/arch_machine.h"
#include "base/base_library.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const OUR_LIBRARIES[] = {"libcuda.so.1", "libcudart.so.13", "libcudart.so.12",
                                            "libnvidia-ml.so.1"};
static const int FORWARDED[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
static volatile sig_atomic_t child;
enum { LOADER_FAILED = 127 }; /* ld.so's exit status */

static void run_forward_signal(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code <= 0 && child > 0) kill(child, signal_number); /* > 0: the terminal sent it to both */
}

const char *cli_prefix(struct arena *arena)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return NULL;
    self[length] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (!slash) return NULL;
        *slash = 0;
    }
    return arena_strdup(arena, self);
}

bool cli_library_folder(struct arena *arena, const char **out)
{
    static const char *const FOLDERS[] = {"lib", "lib/softwarp"};
    const char *prefix = cli_prefix(arena);
    for (size_t i = 0; prefix && i < SW_COUNT_OF(FOLDERS); i++) {
        *out = arena_printf(arena, "%s/%s", prefix, FOLDERS[i]);
        if (access(arena_printf(arena, "%s/%s", *out, OUR_LIBRARIES[0]), R_OK) == 0) return true;
    }
    return false;
}

/* Put text before what a variable of the environment holds, if it does not stand there. */
static void prepend(struct arena *arena, const char *name, const char *text)
{
    const char *old = getenv(name);
    size_t length = strlen(text);
    if (old && strncmp(old, text, length) == 0 && (!old[length] || old[length] == ':')) return;
    setenv(name, old && *old ? arena_printf(arena, "%s:%s", text, old) : text, 1);
}

static void preload_add(struct str *list, struct arena *arena, const char *folder, const char *file)
{
    const char *path = arena_printf(arena, "%s/%s", folder, file);
    if (access(path, R_OK) == 0) str_printf(list, "%s%s", list->length ? ":" : "", path);
}

static void preload(struct arena *arena, const char *folder)
{
    struct str list = {0};
    const struct sw_library *library;
    for (size_t i = 0; i < SW_COUNT_OF(OUR_LIBRARIES); i++)
        preload_add(&list, arena, folder, OUR_LIBRARIES[i]);
    for (size_t i = 0; (library = sw_library_at(i)); i++)
        for (size_t k = 0; k < SW_LIBRARY_FILES && library->ours[k]; k++)
            preload_add(&list, arena, folder, library->ours[k]);
    prepend(arena, "LD_PRELOAD", str_text(&list));
    str_release(&list);
}

/* The list as it was given; with files by whole paths, which hold in any folder a process of the program may
 * be in. */
static void set_devices(const char *given, const struct arch_device *devices, uint32_t count)
{
    struct str list = {0};
    bool files = false;
    for (uint32_t i = 0; i < count; i++) {
        str_printf(&list, "%s%s:1", i ? "," : "", devices[i].gpu.origin);
        files |= strchr(devices[i].gpu.origin, '/') != NULL;
    }
    setenv("SOFTWARP_DEVICE", files ? str_text(&list) : given, 1);
    str_release(&list);
}

static int set_environment(const struct cli_run *run, const struct cli_program *program, struct arena *arena,
                           const char *session)
{
    const char *folder;
    if (!cli_library_folder(arena, &folder))
        return cli_fail(CLI_INTERNAL,
                        "libcuda.so.1 of this installation is missing: install or build Softwarp again");
    struct arch_device devices[ARCH_DEVICES];
    struct sw_error error = {0};
    uint32_t count;
    const char *list = run->device ? run->device : getenv("SOFTWARP_DEVICE");
    if (arch_machine_load(list, devices, &count, &error) != SW_OK) return cli_fail_error(&error);
    if (list && *list) set_devices(list, devices, count);
    setenv("SOFTWARP_SESSION", session, 1);
    if (run->any_target) setenv("SOFTWARP_ANY_TARGET", "1", 1);
    if (run->options->detail && !getenv("NVTX_INJECTION64_PATH"))
        setenv("NVTX_INJECTION64_PATH", arena_printf(arena, "%s/libsoftwarp-nvtx.so", folder), 1);
    prepend(arena, "LD_LIBRARY_PATH", folder);
    if (program->has_rpath) preload(arena, folder);
    if (program->has_packages)
        prepend(arena, "LD_AUDIT", arena_printf(arena, "%s/libsoftwarp-audit.so", folder));
    return CLI_OK;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_sigaction = run_forward_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (size_t i = 0; i < SW_COUNT_OF(FORWARDED); i++)
        sigaction(FORWARDED[i], &action, NULL);
}

/* Each run gets the same addresses. Input that is no file was the first run's. */
static void redirect(const struct cli_run *run)
{
    if (!run->output) return;
    dup2(fileno(run->output), STDOUT_FILENO);
    personality(ADDR_NO_RANDOMIZE);
    if (!run->quiet) return;
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0) return;
    dup2(nothing, STDERR_FILENO);
    if (lseek(STDIN_FILENO, 0, SEEK_CUR) < 0) dup2(nothing, STDIN_FILENO);
}

/* Signals stay blocked from before fork until child is set, so that none is lost between. */
static int start_and_wait(const struct cli_program *program, const struct cli_run *run,
                          struct cli_running *running, bool *ran)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        redirect(run);
        cli_signals_restore();
        execv(program->path, run->argv);
        fprintf(stderr, "==SOFTWARP== cannot run '%s': %s\n", program->path, strerror(errno));
        _exit(CLI_USAGE);
    }
    child = pid;
    catch_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid < 0) return cli_fail(CLI_INTERNAL, "cannot start a process: %s", strerror(errno));
    int status;
    cli_running_begin(running);
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return cli_fail(CLI_INTERNAL, "cannot wait for the program: %s", strerror(errno));
        cli_running_tick(running);
    }
    cli_running_end(running);
    child = 0;
    *ran = true;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_in(const struct cli_run *run, const struct cli_program *program, struct arena *arena,
                  const char *folder, struct session_reader **reader, bool *ran)
{
    struct sw_error error = {0};
    if (session_options_write(folder, run->options, &error) != SW_OK) return cli_fail_error(&error);
    int code = set_environment(run, program, arena, folder);
    if (code) return code;
    struct cli_running running = {.file = -1};
    if (run->options->detail) cli_running_prepare(&running, folder);
    bool told = program->needs_libraries && cli_missing_tell(program, false);
    code = start_and_wait(program, run, &running, ran);
    if (!*ran) return code;
    if (code == LOADER_FAILED && !told) cli_missing_tell(program, true);
    enum sw_status status = run->options->calls ? session_open_timeline(folder, reader, &error)
                                                : session_open(folder, reader, &error);
    return status == SW_OK ? code : cli_fail_error(&error);
}

int cli_run_program(const struct cli_run *run, struct arena *arena, struct session_reader **reader, bool *ran)
{
    struct cli_program program;
    *ran = false;
    *reader = NULL;
    int code = cli_program_find(run->argv[0], &program);
    if (code) return code;
    struct cli_folder folder;
    code = cli_folder_make(&folder, arena);
    if (code) return code;
    code = run_in(run, &program, arena, folder.path, reader, ran);
    cli_folder_remove(&folder);
    return code;
}

void cli_say_abnormal(const struct session_data *data)
{
    for (uint32_t p = 0; p < data->process_count; p++)
        if (data->processes[p].cut)
            cli_say(
                "the disk of the temporary folder is full, or files may not be so large: the report lacks "
                "what process %u (%s) did from then on; name another folder with TMPDIR",
                p, data->processes[p].name);
        else if (!data->processes[p].finished)
            cli_say("process %u (%s) ended abnormally: the report shows what it recorded until then", p,
                    data->processes[p].name);
}

/* Notes of a process, without those that one of its refusals says again. */
static void print_notes(const struct session_process *process)
{
    char text[1024];
    for (uint32_t n = 0; n < process->note_count; n++) {
        bool again = false;
        for (uint32_t r = 0; r < process->refusal_count; r++)
            again |=
                strcmp(process->notes[n], sw_error_format(&process->refusals[r], text, sizeof text)) == 0;
        if (!again) cli_say("%s", process->notes[n]);
    }
}

int cli_conclude(int exit_code, const struct session_reader *reader)
{
    if (!reader) return exit_code;
    const struct session_data *data = session_reader_data(reader);
    bool refused = false;
    for (uint32_t p = 0; p < data->process_count; p++) {
        const struct session_process *process = &data->processes[p];
        print_notes(process);
        for (uint32_t i = 0; i < process->refusal_count; i++) {
            char text[1024];
            cli_say("not supported: %s", sw_error_format(&process->refusals[i], text, sizeof text));
            refused = true;
        }
    }
    return exit_code == 0 && refused ? CLI_UNSUPPORTED : exit_code;
}

bool cli_is_cut(const struct session_data *data)
{
    for (uint32_t p = 0; p < data->process_count; p++)
        if (data->processes[p].cut) return true;
    return false;
}

int cli_conclude_report(int exit_code, const struct session_reader *reader)
{
    bool cut = reader && cli_is_cut(session_reader_data(reader));
    exit_code = cli_conclude(exit_code, reader);
    return exit_code == 0 && cut ? CLI_INTERNAL : exit_code;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and files of a compilation.
 * Method: posix_spawn, with the signals of a new process, because a library that compiles lives in programs
 * with many threads, handlers and masks of their own. Under `softwarp run` a compiler is no part of the
 * program: it neither records nor is given libraries. Limits: where a program ignores SIGCHLD the system
 * keeps no exit status: TOOLCHAIN_UNKNOWN. */
#include "toolchain_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The environment without what is the program's alone; the caller frees the list. */
static char **run_environment(void)
{
    static const char *const kept_out[] = {"LD_PRELOAD=", "SOFTWARP_SESSION="};
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **list = sw_xcalloc(count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        bool out = false;
        for (size_t k = 0; k < SW_COUNT_OF(kept_out); k++)
            out |= sw_starts_with(environ[i], kept_out[k]);
        if (!out) list[kept++] = environ[i];
    }
    return list;
}

static void spawn_quietly(posix_spawn_file_actions_t *files, posix_spawnattr_t *attributes, const char *log)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(files, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(files, STDERR_FILENO, STDOUT_FILENO);
}

/* log NULL: a command of a command line, which has its terminal, signals and environment. */
static int spawn(pid_t *child, char *const *words, const char *log)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (!log) return posix_spawn(child, words[0], NULL, NULL, words, environ);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    spawn_quietly(&files, &attributes, log);
    char **environment = run_environment();
    int failure = posix_spawn(child, words[0], &files, &attributes, words, environment);
    free(environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

enum sw_status toolchain_run(char *const *words, const char *log, int *exit_code, struct sw_error *error)
{
    pid_t child;
    int status = spawn(&child, words, log);
    if (status)
        return sw_fail(error, SW_OPERATING_SYSTEM, "cannot start '%s': %s", words[0], strerror(status));
    while (waitpid(child, &status, 0) < 0) {
        if (errno == ECHILD && log) {
            *exit_code = TOOLCHAIN_UNKNOWN;
            return SW_OK;
        }
        if (errno != EINTR) return sw_fail(error, SW_OPERATING_SYSTEM, "cannot wait for '%s'", words[0]);
    }
    *exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return SW_OK;
}

enum sw_status toolchain_file_read(const char *path, struct str *out, struct sw_error *error)
{
    char buffer[65536];
    FILE *file = fopen(path, "rbe");
    if (!file) return sw_fail(error, SW_FILE_NOT_FOUND, "cannot open '%s'", path);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        str_add_bytes(out, buffer, got);
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? sw_fail(error, SW_IO, "cannot read '%s'", path) : SW_OK;
}

enum sw_status toolchain_file_write(const char *path, const struct str *bytes, struct sw_error *error)
{
    FILE *file = fopen(path, "wbe");
    if (!file) return sw_fail(error, SW_IO, "cannot create '%s'", path);
    bool ok = fwrite(str_text(bytes), 1, bytes->length, file) == bytes->length;
    ok = fclose(file) == 0 && ok;
    return ok ? SW_OK : sw_fail(error, SW_IO, "cannot write '%s'", path);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the source line of a call, for the message of a kernel that failed. Method: binutils' addr2line,
 * which the command line asks too (cli_lines.c); of inlined functions the first one counts that is not in a
 * header of CUDA. Several host threads that run one kernel may ask for the same place at once: the last
 * answer is kept. Limits: SECONDS, then it is not waited for; without addr2line, or debug information in the
 * program, no line is known. */
#include "driver_line.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 2, TEXT_BYTES = 4096 };
extern char **environ;

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Its process, whose output comes from *out; -1: it does not start. */
static pid_t line_start(const char *file, const char *address, int *out)
{
    char *const argv[] = {"addr2line", "-i", "-e", (char *)(uintptr_t)file, (char *)(uintptr_t)address, NULL};
    int pipes[2];
    pid_t pid = -1;
    posix_spawn_file_actions_t actions;
    if (pipe2(pipes, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) != 0) pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[1]);
    *out = pipes[0];
    if (pid < 0) close(pipes[0]);
    return pid;
}

static void line_read(int file, char text[TEXT_BYTES])
{
    size_t length = 0;
    struct pollfd wait = {.fd = file, .events = POLLIN};
    while (length + 1 < TEXT_BYTES && poll(&wait, 1, SECONDS * 1000) > 0) {
        ssize_t got = read(file, text + length, TEXT_BYTES - 1 - length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        length += (size_t)got;
    }
    text[length] = 0;
}

static bool is_of_program(const char *line)
{
    const char *colon = strrchr(line, ':');
    return line[0] != '?' && colon && strtoul(colon + 1, NULL, 10) > 0 && !strstr(line, "cuda_runtime") &&
           !strstr(line, "/cuda/include/") && !strstr(line, "/targets/");
}

static void ask(const char *where, char *line, size_t bytes)
{
    char file[TEXT_BYTES], text[TEXT_BYTES], *rest = text;
    const char *plus = strrchr(where, '+');
    int out;
    snprintf(line, bytes, "%s", last_part(where));
    if (!plus || (size_t)(plus - where) >= sizeof file) return;
    snprintf(file, sizeof file, "%.*s", (int)(plus - where), where);
    pid_t pid = line_start(file, plus + 1, &out);
    if (pid < 0) return;
    line_read(out, text);
    close(out);
    kill(pid, SIGKILL); /* it has ended, or takes too long */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    for (char *one; (one = strsep(&rest, "\n"));) {
        char *more = strstr(one, " (discriminator");
        if (more) *more = 0;
        if (!is_of_program(one)) continue;
        snprintf(line, bytes, "%s", last_part(one));
        return;
    }
}

void driver_line_of(const char *where, char *line, size_t bytes)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char *place, answer[256];
    pthread_mutex_lock(&lock);
    if (!place || strcmp(place, where) != 0) {
        free(place);
        place = sw_xstrdup(where);
        ask(where, answer, sizeof answer);
    }
    snprintf(line, bytes, "%s", answer);
    pthread_mutex_unlock(&lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a program needs of NVIDIA's libraries and will not find: told before the loader stops, or after it did
 * for a function.
 *
 * Method: the program's loader lists what it would load, and which symbols it would not find (as ldd -r
 * does), in the environment that the program gets. Limits: glibc's loader; libraries that a program opens
 * later. */
#include "cli_priv.h"

#include "base/base_library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs in the child: what the loader says goes to a pipe, not a line of it to the terminal. */
static void list_needs(const struct cli_program *program, int to, bool functions)
{
    if (functions) {
        setenv("LD_WARN", "yes", 1);
        setenv("LD_BIND_NOW", "1", 1);
    }
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
    execl(program->loader, program->loader, program->path, (char *)NULL);
    _exit(CLI_USAGE);
}

static FILE *open_list(const struct cli_program *program, bool functions, pid_t *pid)
{
    int ends[2];
    if (!*program->loader || pipe(ends) != 0) return NULL;
    *pid = fork();
    if (*pid == 0) {
        close(ends[0]);
        list_needs(program, ends[1], functions);
    }
    close(ends[1]);
    FILE *list = *pid > 0 ? fdopen(ends[0], "r") : NULL;
    if (!list) close(ends[0]);
    return list;
}

/* "<tab>libcudnn.so.9 => not found" */
static bool tell_file(char *line)
{
    char *arrow = strstr(line, " => not found");
    if (!arrow || *line != '\t') return false;
    *arrow = 0;
    const struct sw_library *library = sw_library_find(line + 1);
    if (!library) return false;
    if (library->ours[0])
        cli_say(
            "the program needs %s, NVIDIA's %s of another version: Softwarp has %s; build the program with "
            "CUDA 12 or 13",
            line + 1, library->name, library->ours[0]);
    else
        cli_say(
            "the program needs %s, NVIDIA's %s: machine code for NVIDIA's driver, which Softwarp does not "
            "run; what works instead: %s",
            line + 1, library->name, library->instead);
    return true;
}

/* "undefined symbol: cublasSomething, version libcublas.so.13<tab>(./program)" */
static bool tell_function(const char *line)
{
    static const char START[] = "undefined symbol: ";
    char name[128];
    const char *at = strstr(line, START);
    if (!at || sscanf(at + strlen(START), "%127[A-Za-z0-9_]", name) != 1) return false;
    const struct sw_library *library = sw_library_of_function(name);
    if (!library || !library->ours[0]) return false;
    cli_say(
        "the program needs %s, which Softwarp's %s (%s) does not have; docs/libraries.md says what it has",
        name, library->name, library->ours[0]);
    return true;
}

bool cli_missing_tell(const struct cli_program *program, bool functions)
{
    char line[512];
    bool file = false, function = false;
    pid_t pid = 0;
    FILE *list = open_list(program, functions, &pid);
    while (list && fgets(line, sizeof line, list)) {
        file |= tell_file(line);
        if (functions && !file) function |= tell_function(line); /* files come first */
    }
    if (list) fclose(list);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    return file || function;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernel a profiled program is at, for a person who waits: the file "progress" of the session folder.
 *
 * The command line makes the file when there is somebody to see it; tools then write the state over the one
 * before at the begin and the end of a launch in detailed simulation. Limits: no record, and nothing that a
 * report uses; of several processes the one that wrote last is seen; the state that is read may be one of
 * two, mixed. */
#include "session_priv.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int progress_open_file(const char *folder, int flags)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", folder, SESSION_PROGRESS_FILE);
    int file = open(str_text(&path), flags | O_CLOEXEC, 0600);
    str_release(&path);
    return file;
}

int session_progress_make(const char *folder)
{
    return progress_open_file(folder, O_RDWR | O_CREAT | O_EXCL);
}

int session_progress_open(const char *folder)
{
    return progress_open_file(folder, O_WRONLY);
}

bool session_progress_read(int file, struct session_progress *out)
{
    if (pread(file, out, sizeof *out, 0) != (ssize_t)sizeof *out) return false;
    out->kernel[sizeof out->kernel - 1] = 0;
    return true;
}

void session_progress_write(int file, uint64_t launches, const char *kernel, bool ended)
{
    struct session_progress progress = {.launches = launches, .ended = ended};
    if (file < 0) return;
    snprintf(progress.kernel, sizeof progress.kernel, "%s", kernel);
    (void)!pwrite(file, &progress, sizeof progress, 0); /* nobody is told, then */
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A session, as `softwarp profile` makes one for a program: the driver keeps records in a folder, and events
 * tell the virtual clock's times. begin and end are events of the context that is current. */
#ifndef DRIVER_SESSION_H
#define DRIVER_SESSION_H

#include "driver_checks.h"

#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>

static char session_folder[] = "/tmp/softwarp-test-XXXXXX";
static struct session_reader *session_reader;
static CUevent begin, end;

/* Before cuInit. */
static inline void driver_session_open(void)
{
    struct session_options options = {.detail = true};
    assert_non_null(mkdtemp(session_folder));
    assert_int_equal(session_options_write(session_folder, &options, NULL), SW_OK);
    setenv("SOFTWARP_SESSION", session_folder, 1);
}

/* 0: the folder is gone. */
static inline int driver_session_close(void)
{
    char command[64];
    session_close(session_reader);
    snprintf(command, sizeof command, "rm -r %s", session_folder);
    return system(command);
}

/* What this process has recorded so far; until the next call. */
static inline const struct session_process *driver_session_read(void)
{
    session_close(session_reader);
    assert_int_equal(session_open(session_folder, &session_reader, NULL), SW_OK);
    assert_int_equal(session_reader_data(session_reader)->process_count, 1);
    return &session_reader_data(session_reader)->processes[0];
}

static inline void driver_session_events(void)
{
    OK(cuEventCreate(&begin, 0));
    OK(cuEventCreate(&end, 0));
}

static inline double elapsed_us(void)
{
    float ms = -1;
    OK(cuEventSynchronize(end));
    OK(cuEventElapsedTime(&ms, begin, end));
    return 1000.0 * ms;
}

/* Within 10 % of what a GPU took. */
static inline void assert_recorded(double us, double recorded)
{
    if (us < 0.9 * recorded || us > 1.1 * recorded) fail_msg("%g us, but %g were recorded", us, recorded);
}

#endif

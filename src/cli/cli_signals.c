/* SPDX-License-Identifier: Apache-2.0 */
/* A limit of the size of files (ulimit -f) is an error of the write that meets it, which says so, not the end
 * of the command. The programs that it runs get the signal as the command got it. */
#include "cli_priv.h"

#include <signal.h>

static struct sigaction size_before; /* of SIGXFSZ */

void cli_signals_begin(void)
{
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, &size_before);
}

void cli_signals_restore(void)
{
    sigaction(SIGXFSZ, &size_before, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: threads of the library. Method: the program's signals go to the program's threads, not to these.
 */
#include "nccl_priv.h"

#include <signal.h>
#include <time.h>

enum { PAUSE_MS = 5 };

bool nccl_thread(pthread_t *thread, void *(*run)(void *of), void *of)
{
    sigset_t all, before;
    sigfillset(&all);
    for (int i = 0; i < 4; i++)
        sigdelset(&all, (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL}[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(thread, NULL, run, of);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed == 0;
}

void nccl_pause(void)
{
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
}

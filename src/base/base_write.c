/* SPDX-License-Identifier: Apache-2.0 */
/* Method: SIGXFSZ goes to the thread that writes. Where there is a limit it is blocked meanwhile, and taken
 * if it came; one that waited before stays. Limits: a limit that the program sets after our first write is
 * not known. */
#include "base/base_write.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static bool write_all(int file, const char *at, size_t bytes)
{
    while (bytes) {
        ssize_t done = write(file, at, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

/* Asked once: the system's answer takes half as long as to write a record. */
static bool is_limited(void)
{
    static atomic_int known; /* 1: no, 2: yes */
    struct rlimit limit;
    if (!atomic_load_explicit(&known, memory_order_relaxed))
        atomic_store(&known, getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? 2 : 1);
    return atomic_load_explicit(&known, memory_order_relaxed) == 2;
}

static bool write_limited(int file, const void *data, size_t bytes)
{
    sigset_t size, before, waiting;
    sigpending(&waiting);
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &size, &before);
    bool good = write_all(file, data, bytes);
    int error = errno;
    if (!good && error == EFBIG && !sigismember(&waiting, SIGXFSZ))
        sigtimedwait(&size, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return good;
}

bool sw_write_all(int file, const void *data, size_t bytes)
{
    return is_limited() ? write_limited(file, data, bytes) : write_all(file, data, bytes);
}

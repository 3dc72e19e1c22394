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

static void limited_begin(sigset_t *before, bool *waits)
{
    sigset_t size, waiting;
    sigpending(&waiting);
    *waits = sigismember(&waiting, SIGXFSZ);
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &size, before);
}

static void limited_end(const sigset_t *before, bool waits)
{
    int error = errno;
    sigset_t size;
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    if (!waits) sigtimedwait(&size, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}

bool sw_write_all(int file, const void *data, size_t bytes)
{
    sigset_t before;
    bool waits;
    if (!is_limited()) return write_all(file, data, bytes);
    limited_begin(&before, &waits);
    bool good = write_all(file, data, bytes);
    limited_end(&before, waits);
    return good;
}

bool sw_file_resize(int file, uint64_t bytes)
{
    sigset_t before;
    bool waits;
    if (!is_limited()) return ftruncate(file, (off_t)bytes) == 0;
    limited_begin(&before, &waits);
    bool good = ftruncate(file, (off_t)bytes) == 0;
    limited_end(&before, waits);
    return good;
}

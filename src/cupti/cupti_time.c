/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the clock of records. Method: the driver's time, since 1970 where it is the host's; or that of a
 * function of the program's (cuptiActivityRegisterTimestampCallback), which is asked now and then beside the
 * driver's: between such samples, and before them, its time is a line. By the virtual clock the line begins
 * at the registration, with the rate that the function has by the host's clock. Limits: a function whose rate
 * changes is off by what it changes between samples. */
#include "cupti_priv.h"

#include <pthread.h>
#include <time.h>

enum { RATE_NS = 2000000, REFRESH_NS = 100000000, TRIES = 5 }; /* implementation */

struct sample {
    uint64_t host_ns, value;
};
static pthread_mutex_t time_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(CUpti_TimestampCallbackFunc) timestamp; /* NULL: none */
static struct sample first, latest;
static double rate;            /* of the function, a nanosecond of the host's clock */
static uint64_t registered_ns; /* by the driver's clock */

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* What the function says, and when: the tightest of a few answers, since the thread may be held up. */
static struct sample take_sample(CUpti_TimestampCallbackFunc function)
{
    struct sample best = {0};
    uint64_t tightest = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = clock_ns(CLOCK_MONOTONIC), value = function(), after = clock_ns(CLOCK_MONOTONIC);
        if (after - before >= tightest) continue;
        tightest = after - before;
        best = (struct sample){before + (after - before) / 2, value};
    }
    return best;
}

static void measure_rate(struct sample now)
{
    latest = now;
    rate = (double)(int64_t)(latest.value - first.value) / (double)(latest.host_ns - first.host_ns);
}

static uint64_t on_line(struct sample at, uint64_t ns, uint64_t at_ns)
{
    return at.value + (uint64_t)(int64_t)(rate * (double)(int64_t)(ns - at_ns));
}

static uint64_t by_function(CUpti_TimestampCallbackFunc function, uint64_t driver_ns)
{
    uint64_t value;
    pthread_mutex_lock(&time_lock);
    if (cupti_driver()->is_virtual()) {
        value = on_line(first, driver_ns, registered_ns);
    } else {
        if (clock_ns(CLOCK_MONOTONIC) - latest.host_ns > REFRESH_NS) measure_rate(take_sample(function));
        value = on_line(latest, driver_ns, latest.host_ns);
    }
    pthread_mutex_unlock(&time_lock);
    return value;
}

CUPTI_EXPORT CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc function)
{
    const struct timespec pause = {0, RATE_NS};
    if (!function) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    if (!cupti_driver()) return cupti_result(CUPTI_ERROR_NOT_INITIALIZED);
    pthread_mutex_lock(&time_lock);
    registered_ns = cupti_driver()->now_ns();
    first = take_sample(function);
    nanosleep(&pause, NULL);
    measure_rate(take_sample(function));
    atomic_store(&timestamp, function);
    pthread_mutex_unlock(&time_lock);
    return CUPTI_SUCCESS;
}

static uint64_t real_offset;

static void find_offset(void)
{
    real_offset = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
}

uint64_t cupti_ns(uint64_t driver_ns)
{
    static pthread_once_t offset_once = PTHREAD_ONCE_INIT;
    CUpti_TimestampCallbackFunc function = atomic_load(&timestamp);
    if (function) return by_function(function, driver_ns);
    if (cupti_driver()->is_virtual()) return driver_ns;
    pthread_once(&offset_once, find_offset);
    return driver_ns + real_offset; /* since 1970, as NVIDIA's */
}

CUPTI_EXPORT CUptiResult cuptiGetTimestamp(uint64_t *out)
{
    if (!out) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    if (!cupti_driver()) return cupti_result(CUPTI_ERROR_NOT_INITIALIZED);
    *out = cupti_ns(cupti_driver()->now_ns());
    return CUPTI_SUCCESS;
}

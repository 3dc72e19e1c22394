/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: contexts, refusals, and what belonged to handles. Method: tables under a lock. Limits: what was
 * said once is kept as long as the process lives. A call that outlasts the destruction of its handle and of
 * as many others as are kept finds its memory gone. */
#include "routine/routine.h"

#include <stdio.h>

CUresult routine_context(CUcontext *out)
{
    CUresult result = cuInit(0);
    if (result == CUDA_SUCCESS) result = cuCtxGetCurrent(out);
    if (result != CUDA_SUCCESS || *out) return result;
    result = cuDevicePrimaryCtxRetain(out, 0);
    return result == CUDA_SUCCESS ? cuCtxSetCurrent(*out) : result;
}

CUresult routine_enter(CUcontext context)
{
    CUcontext current = NULL;
    CUresult result = cuCtxGetCurrent(&current);
    return result == CUDA_SUCCESS && !current ? cuCtxSetCurrent(context) : result;
}

void routine_refuse(const char *function, const char *why)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct map said;
    char key[200];
    snprintf(key, sizeof key, "%s %s", function, why);
    pthread_mutex_lock(&lock);
    bool first = !map_get(&said, key);
    if (first) {
        char *kept = sw_xstrdup(key);
        map_set(&said, kept, kept);
    }
    pthread_mutex_unlock(&lock);
    if (first)
        sw_log("%s is not supported%s%s; docs/libraries.md says what is", function, *why ? ": " : "", why);
}

void routine_retire(void *memory, void (*release)(void *memory))
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct retired {
        void *memory;
        void (*release)(void *memory);
    } ring[ROUTINE_RETIRED];
    static uint32_t next;
    pthread_mutex_lock(&lock);
    struct retired oldest = ring[next];
    ring[next] = (struct retired){memory, release};
    next = (next + 1) % ROUTINE_RETIRED;
    pthread_mutex_unlock(&lock);
    if (oldest.release) oldest.release(oldest.memory);
}

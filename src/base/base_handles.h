/* SPDX-License-Identifier: Apache-2.0 */
/* Handles that live. Safe to use from several threads. */
#ifndef BASE_HANDLES_H
#define BASE_HANDLES_H

#include "base/base_map.h"

#include <pthread.h>
#include <stdbool.h>

/* Handles that live, by address: one that was destroyed is answered as CUDA answers it. */
struct sw_handles {
    pthread_mutex_t lock;
    struct map live;
};
#define SW_HANDLES_INIT {.lock = PTHREAD_MUTEX_INITIALIZER}
void sw_handles_add(struct sw_handles *handles, void *handle);
bool sw_handles_has(struct sw_handles *handles, const void *handle);
/* False: it did not live, or another thread removed it. The memory stays the caller's. */
bool sw_handles_remove(struct sw_handles *handles, const void *handle);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which memory was given back, by whom, and who had made it. Method: the last allocations that went
 * are kept in a ring. Limits: older ones are forgotten. */
#include "driver_history.h"

#include <pthread.h>

enum { KEPT = 1 << 16 }; /* implementation: of 32 bytes each */

static struct {
    pthread_mutex_t lock;
    VEC(struct driver_freed) ring;
    size_t next; /* the oldest, where it is full */
} history = {.lock = PTHREAD_MUTEX_INITIALIZER};

void driver_history_add(const struct driver_allocation *gone, const struct driver_caller *freed_by)
{
    struct driver_freed entry = {gone->base, gone->bytes, gone->made, freed_by};
    pthread_mutex_lock(&history.lock);
    if (history.ring.count < KEPT) {
        *vec_push(&history.ring) = entry;
    } else {
        history.ring.at[history.next] = entry;
        history.next = (history.next + 1) % KEPT;
    }
    pthread_mutex_unlock(&history.lock);
}

bool driver_history_find(dev_addr address, struct driver_freed *out)
{
    bool found = false;
    pthread_mutex_lock(&history.lock);
    size_t count = history.ring.count;
    for (size_t i = 0; i < count && !found; i++) {
        const struct driver_freed *entry = &history.ring.at[(history.next + count - 1 - i) % count];
        found = address - entry->base < entry->bytes;
        if (found) *out = *entry;
    }
    pthread_mutex_unlock(&history.lock);
    return found;
}

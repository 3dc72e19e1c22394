/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: handles that live. Method: a table of addresses under a lock. Limits: an address that the heap
 * gives out again is alive again. */
#include "base/base_handles.h"

void sw_handles_add(struct sw_handles *handles, void *handle)
{
    pthread_mutex_lock(&handles->lock);
    map_set_u64(&handles->live, (uintptr_t)handle, handle);
    pthread_mutex_unlock(&handles->lock);
}

bool sw_handles_has(struct sw_handles *handles, const void *handle)
{
    pthread_mutex_lock(&handles->lock);
    bool live = handle && map_get_u64(&handles->live, (uintptr_t)handle);
    pthread_mutex_unlock(&handles->lock);
    return live;
}

bool sw_handles_remove(struct sw_handles *handles, const void *handle)
{
    pthread_mutex_lock(&handles->lock);
    bool live = handle && map_get_u64(&handles->live, (uintptr_t)handle);
    if (live) map_remove_u64(&handles->live, (uintptr_t)handle);
    pthread_mutex_unlock(&handles->lock);
    return live;
}

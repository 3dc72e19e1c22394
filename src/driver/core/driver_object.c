/* SPDX-License-Identifier: Apache-2.0 */
/* API objects: reference counts, and the registry that says which addresses are handles.
 *
 * A program may pass any pointer; following it to look for a magic number would fault or read freed memory,
 * so handles are looked up in a map first. Limit: an address that was freed and given to a new object of the
 * same kind is that new object's handle. */
#include "driver_object.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map registry;

void driver_object_init(struct driver_object *object, enum driver_kind kind,
                        void (*end)(struct driver_object *object))
{
    object->kind = kind;
    atomic_init(&object->refs, 1);
    object->end = end;
}

void driver_object_ref(struct driver_object *object)
{
    atomic_fetch_add_explicit(&object->refs, 1, memory_order_relaxed);
}

bool driver_object_try_ref(struct driver_object *object)
{
    unsigned refs = atomic_load(&object->refs);
    while (refs && !atomic_compare_exchange_weak(&object->refs, &refs, refs + 1)) {
    }
    return refs != 0;
}

void driver_object_unref(struct driver_object *object)
{
    if (object && atomic_fetch_sub_explicit(&object->refs, 1, memory_order_acq_rel) == 1) object->end(object);
}

void driver_handle_add(struct driver_object *object)
{
    pthread_mutex_lock(&lock);
    map_set_u64(&registry, (uintptr_t)object, object);
    pthread_mutex_unlock(&lock);
}

static struct driver_object *object_find_locked(const void *handle, enum driver_kind kind)
{
    struct driver_object *object = handle ? map_get_u64(&registry, (uintptr_t)handle) : NULL;
    return object && object->kind == kind ? object : NULL;
}

void *driver_handle_get(const void *handle, enum driver_kind kind)
{
    pthread_mutex_lock(&lock);
    struct driver_object *object = object_find_locked(handle, kind);
    if (object) driver_object_ref(object);
    pthread_mutex_unlock(&lock);
    return object;
}

void *driver_handle_get_part(const void *handle, enum driver_kind kind,
                             struct driver_object *(*owner)(struct driver_object *part))
{
    pthread_mutex_lock(&lock);
    struct driver_object *object = object_find_locked(handle, kind);
    if (object && !driver_object_try_ref(owner(object))) object = NULL;
    pthread_mutex_unlock(&lock);
    return object;
}

void *driver_handle_take(const void *handle, enum driver_kind kind)
{
    pthread_mutex_lock(&lock);
    struct driver_object *object = object_find_locked(handle, kind);
    if (object) map_remove_u64(&registry, (uintptr_t)handle);
    pthread_mutex_unlock(&lock);
    return object;
}

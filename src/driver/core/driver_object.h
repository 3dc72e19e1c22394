/* SPDX-License-Identifier: Apache-2.0 */
/* Every API object starts with a struct driver_object: a kind, a reference count and a way to end. A handle
 * that a program holds is one reference, kept in a registry, so that a stale or foreign handle is found out
 * instead of followed. Work already queued holds references of its own. */
#ifndef DRIVER_OBJECT_H
#define DRIVER_OBJECT_H

#include "cuda.h"

#include "base/base.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Of a function of driver_api.def; the exported one calls it (driver_watch.c). */
#define DRIVER_API CUresult CUDAAPI

/* Return a failing CUresult at once; only where nothing needs cleaning up. */
#define DRIVER_TRY(expr)                                                                                     \
    do {                                                                                                     \
        CUresult driver_try_ = (expr);                                                                       \
        if (driver_try_ != CUDA_SUCCESS) return driver_try_;                                                 \
    } while (0)

/* A result to where the program wants it, or a value from there, of which CUDA asks no alignment. */
#define DRIVER_PUT(type, to, value)                                                                          \
    do {                                                                                                     \
        type driver_put_ = (value);                                                                          \
        memcpy((to), &driver_put_, sizeof driver_put_);                                                      \
    } while (0)
static inline uint64_t driver_take_u64(const void *from)
{
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

enum driver_kind {
    DRIVER_CONTEXT = 1,
    DRIVER_MODULE,
    DRIVER_FUNCTION,
    DRIVER_LIBRARY,
    DRIVER_KERNEL,
    DRIVER_STREAM,
    DRIVER_EVENT,
    DRIVER_ARRAY,
    DRIVER_POOL,
    DRIVER_LINK,
    DRIVER_GRAPH,
    DRIVER_GRAPH_NODE,
    DRIVER_GRAPH_EXEC,
    DRIVER_CHUNK,
    DRIVER_TEXTURE,
    DRIVER_MIPMAP,
    DRIVER_REFERENCE,
    DRIVER_USER,
    DRIVER_RESOURCE,
    DRIVER_EXTERNAL,
    DRIVER_UPDATABLE
};
struct driver_object {
    enum driver_kind kind;
    atomic_uint refs;
    void (*end)(struct driver_object *object); /* frees it; called when the last reference goes */
};
void driver_object_init(struct driver_object *object, enum driver_kind kind,
                        void (*end)(struct driver_object *object)); /* one reference */
void driver_object_ref(struct driver_object *object);
/* For lists that hold no references of their own, under the lock that the object's end takes to leave the
 * list: false for an object that another thread is about to end, which must be passed over. */
bool driver_object_try_ref(struct driver_object *object);
void driver_object_unref(struct driver_object *object); /* NULL: nothing */
/* Make the address a valid handle; the registry takes over the caller's reference. */
void driver_handle_add(struct driver_object *object);
/* A new reference to the object of a handle, or NULL when it is none of that kind. */
void *driver_handle_get(const void *handle, enum driver_kind kind);
/* The same of a part of another object, which takes its parts' handles away before it ends: the caller gets a
 * reference of the owner, and none of the part. NULL, too, where the owner is about to end. */
void *driver_handle_get_part(const void *handle, enum driver_kind kind,
                             struct driver_object *(*owner)(struct driver_object *part));
/* Make the handle invalid and hand its reference to the caller; NULL when it was none. */
void *driver_handle_take(const void *handle, enum driver_kind kind);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* driver: contexts (driver_context.c). */
#ifndef DRIVER_CONTEXT_H
#define DRIVER_CONTEXT_H

#include "driver_process.h"

struct driver_module;
struct driver_stream;
struct driver_dependency {
    struct driver_stream *stream; /* reference */
    uint64_t seq;
};
enum { DRIVER_LIMITS = 16 };
struct driver_resource;
struct driver_context {
    struct driver_object object;
    struct driver_device *device;
    struct driver_context *next, **at; /* in the list of all; its lock is in driver_context.c */
    /* Of a green context the primary context, a reference: memory, modules and events are that one's; streams
     * are its own. Of others the context itself, no reference. */
    struct driver_context *root;
    struct driver_resource *part; /* of a green context: its multiprocessors; else NULL */
    unsigned sm_count;            /* on how many multiprocessors its kernels run */
    bool primary;
    atomic_bool converted; /* green: cuCtxFromGreenCtx made it a context */
    bool closed;           /* no stream is listed any more, and there is no legacy stream; scheduler's lock */
    atomic_uint flags;
    unsigned ordinal, api_version;
    unsigned long long id;
    atomic_int fault;     /* CUresult of the kernel that failed; sticky */
    atomic_bool gone;     /* destroyed, or its primary reset, while some thread still has it current */
    pthread_mutex_t lock; /* the lists below */
    VEC(struct driver_stream *)
    streams; /* every live stream; not references; guarded by the scheduler's lock */
    VEC(struct driver_module *) modules; /* loaded through it; not references */
    struct driver_stream *legacy;        /* a reference until the context ends; scheduler's lock */
    struct map thread_streams;           /* by thread number */
    size_t limits[DRIVER_LIMITS];
    CUfunc_cache cache_config;
    _Atomic CUsharedconfig shared_config;
    struct driver_dependency after; /* cuCtxWaitEvent: streams to come start after it; scheduler's lock */
};
/* The calling thread's context: NOT_INITIALIZED, INVALID_CONTEXT, or its sticky error. *out is not a
 * reference. */
CUresult driver_context_current(struct driver_context **out);
/* Of a green context that is current, that itself and not its primary context: what streams belong to. */
CUresult driver_context_view(struct driver_context **out);
/* The same, but a failed context is no error. */
CUresult driver_context_any(struct driver_context **out);
bool driver_context_gone(const struct driver_context *context);
/* A kernel failed: as on a GPU, that reaches every context of the process, of all devices. */
void driver_context_fail(CUresult result);
CUresult driver_context_fault(void); /* what that was; CUDA_SUCCESS: none failed */
/* A copy or fill found that another thread had freed its memory since the call: that context alone fails. */
void driver_context_fail_one(struct driver_context *context, CUresult result);
/* The context of a handle, or the current one for NULL: a reference. */
CUresult driver_context_named(CUcontext handle, struct driver_context **out);
/* The same in calls that take a handle which is none for a context that was destroyed. */
CUresult driver_context_alive(CUcontext handle, struct driver_context **out);
/* The calling thread's stack: NULL when it is empty; push takes over the caller's reference. */
struct driver_context *driver_context_top(void);
void driver_context_push(struct driver_context *context);
void driver_context_pop(void);
/* In the list of all, for driver_context_life.c: the error that contexts of this process have. */
CUresult driver_context_list(struct driver_context *context);
void driver_context_unlist(struct driver_context *context);
/* All of them, under the lock of the list: the visitor lets go of no reference. */
void driver_context_each(void (*visit)(struct driver_context *context, void *user), void *user);
extern _Thread_local bool driver_in_callback; /* of the program: it may not call CUDA */
#endif

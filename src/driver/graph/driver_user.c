/* SPDX-License-Identifier: Apache-2.0 */
/* User objects: something of the program that ends when the last of its references goes. Graphs hold some; a
 * clone and an executable graph hold as many as the graph they come from, until they end and their launches
 * are done. The program's destructor runs on a thread of ours, and nothing waits for it (CUDA allows no other
 * way). */
#include "driver_graph.h"

#include "driver/stream/driver_stream.h"

#include <limits.h>
#include <stdlib.h>

struct driver_user {
    struct driver_object object;
    CUhostFn destroy;
    void *pointer;
    unsigned references; /* guarded by `lock` */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct driver_stream destructors; /* a queue of no context */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void queue_end(struct driver_object *object)
{
    (void)object; /* lives as long as the process */
}

static void make_queue(void)
{
    driver_object_init(&destructors.object, DRIVER_STREAM, queue_end);
    destructors.flags = CU_STREAM_NON_BLOCKING;
    destructors.wanted = UINT64_MAX;
}

static void user_end(struct driver_object *object)
{
    struct driver_user *user = (struct driver_user *)object;
    struct driver_work work = {.kind = DRIVER_WORK_HOST,
                               .host = {.function = user->destroy, .user = user->pointer}};
    pthread_once(&once, make_queue);
    driver_scheduler_add(&destructors, &work, NULL, 0, false);
    free(user);
}

/* False: there are not so many. */
static bool user_change(struct driver_user *user, unsigned count, bool more)
{
    pthread_mutex_lock(&lock);
    bool possible = more || user->references >= count;
    if (possible) user->references = more ? user->references + count : user->references - count;
    bool last = possible && user->references == 0;
    pthread_mutex_unlock(&lock);
    if (last && driver_handle_take(user, DRIVER_USER)) driver_object_unref(&user->object);
    return possible;
}

DRIVER_API cuUserObjectCreate(CUuserObject *out, void *pointer, CUhostFn destroy, unsigned count,
                              unsigned flags)
{
    DRIVER_TRY(driver_ready());
    if (!out || !destroy || count == 0 || count > INT_MAX || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    struct driver_user *user = sw_xcalloc(1, sizeof *user);
    driver_object_init(&user->object, DRIVER_USER, user_end);
    user->destroy = destroy;
    user->pointer = pointer;
    user->references = count;
    driver_handle_add(&user->object);
    *out = (CUuserObject)user;
    return CUDA_SUCCESS;
}

static CUresult user_with(CUuserObject handle, unsigned count, bool more)
{
    DRIVER_TRY(driver_ready());
    if (count == 0 || count > INT_MAX) return CUDA_ERROR_INVALID_VALUE;
    struct driver_user *user = driver_handle_get(handle, DRIVER_USER);
    if (!user) return CUDA_ERROR_INVALID_VALUE;
    bool done = user_change(user, count, more);
    driver_object_unref(&user->object);
    return done ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuUserObjectRetain(CUuserObject user, unsigned count)
{
    return user_with(user, count, true);
}

DRIVER_API cuUserObjectRelease(CUuserObject user, unsigned count)
{
    return user_with(user, count, false);
}

/* ---- in graphs */

static struct driver_user_hold *hold_of(const struct driver_graph *graph, const struct driver_user *user)
{
    for (size_t i = 0; i < graph->users.count; i++)
        if (graph->users.at[i].user == user) return &graph->users.at[i];
    return NULL;
}

static void hold_locked(struct driver_graph *graph, struct driver_user *user, unsigned count)
{
    struct driver_user_hold *hold = hold_of(graph, user);
    if (hold) {
        hold->count += count;
        return;
    }
    driver_object_ref(&user->object);
    *vec_push(&graph->users) = (struct driver_user_hold){user, count};
}

static CUresult let_go_locked(struct driver_graph *graph, struct driver_user *user, unsigned count)
{
    struct driver_user_hold *hold = hold_of(graph, user);
    if (!hold || hold->count < count) return CUDA_ERROR_INVALID_VALUE;
    hold->count -= count;
    user_change(user, count, false);
    if (hold->count) return CUDA_SUCCESS;
    *hold = graph->users.at[--graph->users.count];
    driver_object_unref(&user->object);
    return CUDA_SUCCESS;
}

static CUresult with_graph(CUgraph handle, CUuserObject user_handle, unsigned count,
                           CUresult (*act)(struct driver_graph *, struct driver_user *, unsigned))
{
    DRIVER_TRY(driver_ready());
    if (count == 0 || count > INT_MAX) return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    struct driver_user *user = driver_handle_get(user_handle, DRIVER_USER);
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = graph && user ? act(graph, user, count) : CUDA_ERROR_INVALID_VALUE;
    if (graph) driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    if (user) driver_object_unref(&user->object);
    return result;
}

static CUresult retain_locked(struct driver_graph *graph, struct driver_user *user, unsigned count)
{
    user_change(user, count, true);
    hold_locked(graph, user, count);
    return CUDA_SUCCESS;
}

static CUresult move_locked(struct driver_graph *graph, struct driver_user *user, unsigned count)
{
    hold_locked(graph, user, count); /* the caller's references become the graph's */
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphRetainUserObject(CUgraph graph, CUuserObject user, unsigned count, unsigned flags)
{
    if (flags & ~(unsigned)CU_GRAPH_USER_OBJECT_MOVE) return CUDA_ERROR_INVALID_VALUE;
    return with_graph(graph, user, count, flags ? move_locked : retain_locked);
}

DRIVER_API cuGraphReleaseUserObject(CUgraph graph, CUuserObject user, unsigned count)
{
    return with_graph(graph, user, count, let_go_locked);
}

void driver_users_copy_locked(struct driver_graph *to, const struct driver_graph *from)
{
    for (size_t i = 0; i < from->users.count; i++)
        retain_locked(to, from->users.at[i].user, from->users.at[i].count);
}

void driver_users_release_locked(struct driver_graph *graph)
{
    while (graph->users.count)
        let_go_locked(graph, graph->users.at[0].user, graph->users.at[0].count);
    vec_release(&graph->users);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: tasks whose other ranks are in other processes. Method: a thread of each process and communicator
 * moves them in steps, none of which waits for another, so that a send and a collective of one group cannot
 * wait for each other. A collective goes chunk by chunk: every rank writes its part into a slot that all see,
 * and takes what it needs out of those of the others; a slot is written again when all have read the chunk
 * before the last. Sends go through a queue of two chunks for each pair of ranks. When nothing moves, the
 * thread looks whether the ranks that it waits for have ended.
 * Limits: data is copied twice; ranks must make the same collectives in the same order, which a number that
 * is written beside each chunk shows. */
#include "nccl_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAIT_MS = 50 }; /* implementation: then it looks for ranks that have ended */

struct nccl_remote {
    pthread_t thread;
    atomic_bool ends;
    uint64_t chunks;             /* of collectives, since the beginning */
    struct nccl_collective *now; /* of which chunks are moved; taken out of the clique's list */
    struct nccl_chunk chunk;     /* of it */
    bool published;              /* its parts of this process */
    struct nccl_posted *pairs;   /* sends and receives, oldest first; taken out, too */
    unsigned char *room;
};

/* ---- collectives */

static uint64_t what_of(const struct nccl_task *task)
{
    uint64_t words[] = {task->function, task->count, task->type, (uint64_t)task->root, task->op.kind};
    return sw_hash_bytes(words, sizeof words, 4);
}

static const struct nccl_task *any_task(const struct nccl_collective *c, int ranks)
{
    for (int r = 0; r < ranks; r++)
        if (c->tasks[r]) return &c->tasks[r]->task;
    return NULL;
}

/* The oldest collective, when all ranks of this process have begun it. */
static bool begin_collective(struct nccl_clique *clique)
{
    struct nccl_remote *remote = clique->remote_state;
    int here = 0;
    pthread_mutex_lock(&clique->lock);
    struct nccl_collective *c = clique->collectives;
    for (int r = 0; r < clique->ranks; r++)
        here += clique->local[r] != NULL;
    bool all = c && c->posted == here;
    if (all) clique->collectives = c->next;
    pthread_mutex_unlock(&clique->lock);
    if (!all) return false;
    remote->now = c;
    remote->chunk = (struct nccl_chunk){0};
    remote->published = false;
    return nccl_chunk_next(any_task(c, clique->ranks), clique->ranks, &remote->chunk);
}

static bool slots_are_free(const struct nccl_clique *clique)
{
    uint64_t chunk = clique->remote_state->chunks;
    for (int r = 0; r < clique->ranks; r++)
        if (atomic_load(&nccl_shared_board(clique->shared, r)->consumed) + 1 < chunk) return false;
    return true;
}

static void publish(struct nccl_clique *clique)
{
    struct nccl_remote *remote = clique->remote_state;
    for (int r = 0; r < clique->ranks; r++) {
        const struct nccl_posted *posted = remote->now->tasks[r];
        if (!posted) continue;
        struct nccl_board *board = nccl_shared_board(clique->shared, r);
        unsigned slot = remote->chunks % 2;
        board->what[slot] = what_of(&posted->task);
        board->op[slot] = posted->task.op;
        if (posted->task.op.device)
            memcpy(board->op[slot].scalar, posted->task.op.device, nccl_type_bytes(posted->task.type));
        if (nccl_publishes(&posted->task, r))
            memcpy(nccl_shared_slot(clique->shared, r, remote->chunks),
                   nccl_chunk_source(&posted->task, &remote->chunk), remote->chunk.bytes);
        atomic_store(&board->published, remote->chunks + 1);
    }
    remote->published = true;
}

static bool all_have_published(const struct nccl_clique *clique)
{
    for (int r = 0; r < clique->ranks; r++)
        if (atomic_load(&nccl_shared_board(clique->shared, r)->published) <= clique->remote_state->chunks)
            return false;
    return true;
}

static void end_collective(struct nccl_clique *clique, int failure)
{
    struct nccl_remote *remote = clique->remote_state;
    struct nccl_collective *c = remote->now;
    remote->now = NULL;
    for (int r = 0; r < clique->ranks; r++)
        if (c->tasks[r]) nccl_posted_done(c->tasks[r], failure);
    free(c);
}

/* False: another rank makes another call. */
static bool consume(struct nccl_clique *clique)
{
    struct nccl_remote *remote = clique->remote_state;
    const struct nccl_task *any = any_task(remote->now, clique->ranks);
    const void *sources[NCCL_RANKS_MOST];
    struct nccl_op ops[NCCL_RANKS_MOST];
    for (int r = 0; r < clique->ranks; r++) {
        if (!nccl_shared_says(clique->shared, r, remote->chunks, what_of(any), any->op.kind, &ops[r]))
            return false;
        sources[r] = nccl_publishes(any, r) ? nccl_shared_slot(clique->shared, r, remote->chunks) : NULL;
    }
    nccl_chunk_deliver(any, remote->now->tasks, clique->ranks, &remote->chunk, sources, ops, remote->room);
    remote->chunks++;
    for (int r = 0; r < clique->ranks; r++)
        if (clique->local[r]) atomic_store(&nccl_shared_board(clique->shared, r)->consumed, remote->chunks);
    remote->published = false;
    if (!nccl_chunk_next(any, clique->ranks, &remote->chunk)) end_collective(clique, CUDA_SUCCESS);
    return true;
}

static bool tasks_are_memory(const struct nccl_clique *clique)
{
    bool good = true;
    for (int r = 0; r < clique->ranks; r++)
        if (clique->remote_state->now->tasks[r])
            good &= nccl_task_is_memory(clique->remote_state->now->tasks[r], clique->ranks);
    return good;
}

static void fail_collective(struct nccl_clique *clique, ncclResult_t result, const char *text, int failure)
{
    nccl_fail(clique, result, text);
    end_collective(clique, failure);
}

/* Returns whether anything was done. */
static bool step_collective(struct nccl_clique *clique)
{
    struct nccl_remote *remote = clique->remote_state;
    if (!remote->now && !begin_collective(clique)) return false;
    bool publishes = !remote->published && slots_are_free(clique);
    bool consumes = (publishes || remote->published);
    if (!consumes) return false;
    nccl_memory_hold();
    bool good = tasks_are_memory(clique), same = true;
    if (good && publishes) publish(clique);
    consumes = good && all_have_published(clique);
    if (consumes) same = consume(clique);
    nccl_memory_let_go();
    if (!good)
        fail_collective(clique, ncclUnhandledCudaError, "memory of a collective was freed while it ran",
                        CUDA_ERROR_ILLEGAL_ADDRESS);
    else if (!same)
        fail_collective(clique, ncclInvalidUsage, "ranks make different calls at the same time",
                        CUDA_ERROR_LAUNCH_FAILED);
    return publishes || consumes || !good;
}

/* ---- sends and receives */

static bool is_of_pair(const struct nccl_posted *a, const struct nccl_posted *b)
{
    return a->rank == b->rank && a->task.root == b->task.root && a->task.function == b->task.function;
}

/* Those of ranks in other processes, at the end of the list. */
static void take_pairs(struct nccl_clique *clique, struct nccl_posted **list)
{
    struct nccl_posted **end = &clique->remote_state->pairs;
    while (*end)
        end = &(*end)->next;
    for (struct nccl_posted **at = list, *p; (p = *at);) {
        if (clique->local[p->task.root]) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        p->next = NULL;
        *end = p;
        end = &p->next;
    }
}

static uint64_t bytes_of(const struct nccl_posted *p)
{
    return p->task.count * nccl_type_bytes(p->task.type);
}

/* Returns whether anything was done; *over: all of it was. */
static bool step_send(const struct nccl_clique *clique, struct nccl_posted *p, bool *over)
{
    struct nccl_channel *c = nccl_shared_channel(clique->shared, p->rank, p->task.root);
    uint64_t chunk = atomic_load(&c->written), left = bytes_of(p) - p->moved;
    if (chunk - atomic_load(&c->read) >= 2) return false;
    uint64_t bytes = left < NCCL_CHUNK_BYTES ? left : NCCL_CHUNK_BYTES;
    if (bytes)
        memcpy(nccl_shared_channel_slot(clique->shared, p->rank, p->task.root, chunk),
               (const unsigned char *)p->task.send + p->moved, bytes);
    c->bytes[chunk % 2] = bytes;
    c->total[chunk % 2] = bytes_of(p);
    atomic_store(&c->written, chunk + 1);
    p->moved += bytes;
    *over = p->moved == bytes_of(p);
    return true;
}

/* *same: false where the send is of another length. */
static bool step_recv(const struct nccl_clique *clique, struct nccl_posted *p, bool *over, bool *same)
{
    uint64_t bytes = 0;
    enum nccl_arrival arrival =
        nccl_shared_receive(clique->shared, p->task.root, p->rank, bytes_of(p), bytes_of(p) - p->moved,
                            (unsigned char *)p->task.recv + p->moved, &bytes);
    *same = arrival != NCCL_OTHER_LENGTH;
    p->moved += bytes;
    *over = arrival == NCCL_ARRIVED && p->moved == bytes_of(p);
    return arrival != NCCL_NOTHING;
}

static bool step_pair(struct nccl_clique *clique, struct nccl_posted **at)
{
    struct nccl_posted *p = *at;
    bool over = false, same = true, done = false;
    nccl_memory_hold();
    bool good = nccl_task_is_memory(p, clique->ranks);
    if (good && p->task.function == NCCL_SEND) done = step_send(clique, p, &over);
    if (good && p->task.function == NCCL_RECV) done = step_recv(clique, p, &over, &same);
    nccl_memory_let_go();
    if (good && same && !over) return done;
    *at = p->next;
    if (!same) nccl_fail(clique, ncclInvalidUsage, "ncclSend and ncclRecv have different lengths");
    nccl_posted_done(p, !good ? CUDA_ERROR_ILLEGAL_ADDRESS : !same ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS);
    return true;
}

/* Of each pair of ranks and direction the oldest. */
static bool step_pairs(struct nccl_clique *clique)
{
    struct nccl_remote *remote = clique->remote_state;
    bool any = false;
    pthread_mutex_lock(&clique->lock);
    take_pairs(clique, &clique->sends);
    take_pairs(clique, &clique->recvs);
    pthread_mutex_unlock(&clique->lock);
    for (struct nccl_posted **at = &remote->pairs; *at;) {
        struct nccl_posted *p = *at, *before = remote->pairs;
        while (before != p && !is_of_pair(before, p))
            before = before->next;
        if (before == p) any |= step_pair(clique, at);
        if (*at == p) at = &p->next;
    }
    return any;
}

/* ---- ranks that have ended, or given up */

static bool waits_for(const struct nccl_remote *remote, int rank)
{
    if (remote->now) return true;
    for (const struct nccl_posted *p = remote->pairs; p; p = p->next)
        if (p->task.root == rank) return true;
    return false;
}

/* What this thread has taken goes back, for nccl_fail.c to end. */
static void put_back_locked(struct nccl_clique *clique)
{
    struct nccl_remote *remote = clique->remote_state;
    struct nccl_posted **end = &clique->sends;
    while (*end)
        end = &(*end)->next;
    *end = remote->pairs;
    remote->pairs = NULL;
    if (!remote->now) return;
    remote->now->next = clique->collectives;
    clique->collectives = remote->now;
    remote->now = NULL;
}

static void look_for_dead(struct nccl_clique *clique)
{
    char text[80];
    for (int r = 0; r < clique->ranks; r++) {
        if (clique->local[r] || !waits_for(clique->remote_state, r)) continue;
        if (!nccl_shared_is_dead(clique->shared, r)) continue;
        snprintf(text, sizeof text, "rank %d has ended, and others wait for it", r);
        pthread_mutex_lock(&clique->lock);
        put_back_locked(clique);
        nccl_fail_locked(clique, ncclRemoteError, text);
        pthread_mutex_unlock(&clique->lock);
        return;
    }
}

/* Ranks of this process that gave up: what they posted ends. */
static void look_for_given_up(struct nccl_clique *clique)
{
    pthread_mutex_lock(&clique->lock);
    for (int r = 0; r < clique->ranks; r++) {
        struct ncclComm *comm = clique->local[r];
        if (!comm || !atomic_load(&comm->giving_up)) continue;
        put_back_locked(clique);
        nccl_give_up_locked(comm);
        atomic_store(&comm->giving_up, false);
    }
    pthread_mutex_unlock(&clique->lock);
}

/* ---- the thread */

static void *remote_main(void *of)
{
    struct nccl_clique *clique = of;
    struct nccl_remote *remote = clique->remote_state;
    while (!atomic_load(&remote->ends)) {
        uint32_t events = atomic_load(&clique->shared->header->events);
        pthread_mutex_lock(&clique->lock);
        bool failed = clique->failure != ncclSuccess;
        pthread_mutex_unlock(&clique->lock);
        look_for_given_up(clique);
        bool any = !failed && step_pairs(clique);
        any = (!failed && step_collective(clique)) || any;
        if (any) {
            nccl_shared_tell(clique->shared);
            continue;
        }
        nccl_shared_wait(clique->shared, events, WAIT_MS);
        if (atomic_load(&clique->shared->header->events) == events && !failed) look_for_dead(clique);
    }
    return NULL;
}

void nccl_remote_begin(struct nccl_clique *clique)
{
    clique->remote_state = sw_xcalloc(1, sizeof *clique->remote_state);
    clique->remote_state->room = sw_xmalloc(NCCL_CHUNK_BYTES);
    if (!nccl_thread(&clique->remote_state->thread, remote_main, clique)) BUG("no thread");
}

void nccl_remote_end(struct nccl_clique *clique)
{
    struct nccl_remote *remote = clique->remote_state;
    if (!remote) return;
    atomic_store(&remote->ends, true);
    nccl_shared_tell(clique->shared);
    pthread_join(remote->thread, NULL);
    free(remote->room);
    free(remote);
    clique->remote_state = NULL;
}

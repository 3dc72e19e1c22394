/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: tasks that have begun, until those of the other ranks have. Method: the thread that posts the last
 * task of a collective, or the second of a send and its receive, does the work of all of them; no thread
 * waits for another. Where ranks are in other processes, the clique's thread does it (nccl_remote.c).
 * Collectives are numbered by each rank as they begin, sends and receives of two ranks go in order. Limits:
 * one thread moves a collective. */
#include "nccl_priv.h"

#include <stdio.h>
#include <string.h>

static struct event_routine_part memory; /* its functions: the same of all parts */
static pthread_once_t memory_known = PTHREAD_ONCE_INIT;
static _Thread_local const struct event_routine_part *first_part;

static void know_memory(void)
{
    memory = *first_part;
}

void nccl_memory_hold(void)
{
    memory.hold();
}

void nccl_memory_let_go(void)
{
    memory.let_go();
}

bool nccl_task_is_memory(const struct nccl_posted *posted, int ranks)
{
    struct event_routine_range range;
    bool good = true;
    for (uint32_t i = 0; nccl_task_range(&posted->task, posted->rank, ranks, i, &range); i++)
        good &= range.height == 0 || memory.is_memory(range.address, range.width, range.writes);
    return good;
}

/* ---- comparing */

bool nccl_is_same(const struct nccl_task *a, const struct nccl_task *b, char *why, size_t bytes)
{
    bool pair = a->function == NCCL_SEND;
    if (!pair && a->function != b->function)
        snprintf(why, bytes, "one rank calls %s, another %s", a->name, b->name);
    else if (a->type != b->type)
        snprintf(why, bytes, "%s is called with different data types", a->name);
    else if (a->count != b->count)
        snprintf(why, bytes, "%s is called with %llu and with %llu elements", a->name,
                 (unsigned long long)a->count, (unsigned long long)b->count);
    else if (!pair && a->root != b->root)
        snprintf(why, bytes, "%s is called with different roots", a->name);
    else if (!pair && a->op.kind != b->op.kind)
        snprintf(why, bytes, "%s is called with different operations", a->name);
    else
        return true;
    return false;
}

/* ---- collectives */

static int move_collective(struct nccl_collective *c, int ranks)
{
    const struct nccl_task *any = &c->tasks[0]->task;
    const void *sources[NCCL_RANKS_MOST];
    struct nccl_op ops[NCCL_RANKS_MOST];
    bool good = true;
    unsigned char *room = sw_xmalloc(NCCL_CHUNK_BYTES);
    nccl_memory_hold();
    for (int r = 0; r < ranks; r++)
        good &= nccl_task_is_memory(c->tasks[r], ranks);
    for (int r = 0; good && r < ranks; r++) {
        ops[r] = c->tasks[r]->task.op;
        if (ops[r].device) memcpy(ops[r].scalar, ops[r].device, nccl_type_bytes(any->type));
    }
    for (struct nccl_chunk chunk = {0}; good && nccl_chunk_next(any, ranks, &chunk);) {
        for (int r = 0; r < ranks; r++)
            sources[r] = nccl_publishes(any, r) ? nccl_chunk_source(&c->tasks[r]->task, &chunk) : NULL;
        nccl_chunk_deliver(any, c->tasks, ranks, &chunk, sources, ops, room);
    }
    nccl_memory_let_go();
    free(room);
    return good ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS;
}

static void run_collective(struct nccl_clique *clique, struct nccl_collective *c)
{
    int ranks = clique->ranks, failure = CUDA_SUCCESS;
    void *tokens[NCCL_RANKS_MOST] = {0};
    char why[160];
    for (int r = 0; r < ranks; r++)
        tokens[r] = c->tasks[r]->entry->part.token;
    memory.join(tokens, (uint32_t)ranks);
    for (int r = 1; r < ranks && !failure; r++) {
        if (nccl_is_same(&c->tasks[0]->task, &c->tasks[r]->task, why, sizeof why)) continue;
        failure = CUDA_ERROR_LAUNCH_FAILED;
        nccl_fail(clique, ncclInvalidUsage, why);
    }
    if (!failure) failure = move_collective(c, ranks);
    for (int r = 0; r < ranks; r++)
        nccl_posted_done(c->tasks[r], failure);
    free(c);
}

static struct nccl_collective *collective_locked(struct nccl_clique *clique, uint64_t number)
{
    struct nccl_collective **at = &clique->collectives, *c;
    while (*at && (*at)->number < number)
        at = &(*at)->next;
    if (*at && (*at)->number == number) return *at;
    c = sw_xcalloc(1, sizeof *c + (size_t)clique->ranks * sizeof *c->tasks);
    c->number = number;
    c->next = *at;
    *at = c;
    return c;
}

/* Returns it when all ranks are there, which are of this process. */
static struct nccl_collective *post_collective_locked(struct nccl_clique *clique, struct nccl_posted *posted)
{
    struct nccl_collective *c = collective_locked(clique, posted->number);
    c->tasks[posted->rank] = posted;
    c->posted++;
    if (clique->remote || c->posted < clique->ranks) return NULL;
    for (struct nccl_collective **at = &clique->collectives; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    return c;
}

/* ---- sends and receives */

static struct nccl_posted *take_locked(struct nccl_posted **list, int rank, int peer)
{
    for (struct nccl_posted **at = list, *p; (p = *at); at = &p->next)
        if (p->rank == rank && p->task.root == peer) {
            *at = p->next;
            return p;
        }
    return NULL;
}

static struct nccl_posted *post_pair_locked(struct nccl_clique *clique, struct nccl_posted *posted)
{
    bool sends = posted->task.function == NCCL_SEND;
    struct nccl_posted **others = sends ? &clique->recvs : &clique->sends,
                       **at = sends ? &clique->sends : &clique->recvs;
    struct nccl_posted *other =
        clique->local[posted->task.root] ? take_locked(others, posted->task.root, posted->rank) : NULL;
    while (!other && *at)
        at = &(*at)->next;
    if (!other) *at = posted;
    return other;
}

static void run_pair(struct nccl_clique *clique, struct nccl_posted *a, struct nccl_posted *b)
{
    struct nccl_posted *send = a->task.function == NCCL_SEND ? a : b, *recv = send == a ? b : a;
    void *tokens[] = {a->entry->part.token, b->entry->part.token};
    char why[160];
    int failure = CUDA_SUCCESS;
    memory.join(tokens, a->entry == b->entry ? 1 : 2);
    if (!nccl_is_same(&send->task, &recv->task, why, sizeof why)) {
        nccl_fail(clique, ncclInvalidUsage, why);
        failure = CUDA_ERROR_LAUNCH_FAILED;
    }
    nccl_memory_hold();
    if (!failure && !(nccl_task_is_memory(send, clique->ranks) && nccl_task_is_memory(recv, clique->ranks)))
        failure = CUDA_ERROR_ILLEGAL_ADDRESS;
    if (!failure && send->task.send != recv->task.recv)
        memmove(recv->task.recv, send->task.send, send->task.count * nccl_type_bytes(send->task.type));
    nccl_memory_let_go();
    nccl_posted_done(a, failure);
    nccl_posted_done(b, failure);
}

/* ---- what the driver calls */

static void post(struct nccl_clique *clique, struct nccl_posted *posted)
{
    struct nccl_collective *all = NULL;
    struct nccl_posted *other = NULL;
    bool pair = posted->task.function == NCCL_SEND || posted->task.function == NCCL_RECV;
    pthread_mutex_lock(&clique->lock);
    if (!pair) posted->number = posted->entry->comm->next_collective++;
    if (pair)
        other = post_pair_locked(clique, posted);
    else
        all = post_collective_locked(clique, posted);
    if (clique->failure != ncclSuccess && !other && !all) nccl_fail_locked(clique, clique->failure, NULL);
    pthread_mutex_unlock(&clique->lock);
    if (clique->remote) nccl_shared_tell(clique->shared);
    if (all) run_collective(clique, all);
    if (other) run_pair(clique, posted, other);
}

void nccl_start(const void *args, const struct event_routine_part *part)
{
    const struct nccl_launch *launch = args;
    struct ncclComm *comm = launch->comm;
    first_part = part;
    pthread_once(&memory_known, know_memory);
    if (!nccl_comm_lives(comm) || atomic_load(&comm->aborted)) {
        part->done(part->token, atomic_load(&comm->aborted) ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED);
        return;
    }
    struct nccl_entry *entry = sw_xcalloc(1, sizeof *entry);
    uint32_t count = launch->count; /* the arguments may be gone when the entry ends */
    *entry = (struct nccl_entry){.part = *part, .comm = comm, .left = count + 1};
    for (uint32_t i = 0; i < count; i++) {
        struct nccl_posted *posted = sw_xcalloc(1, sizeof *posted);
        *posted = (struct nccl_posted){.entry = entry, .task = launch->tasks[i], .rank = comm->rank};
        post(comm->clique, posted);
    }
    nccl_entry_put(entry);
}

void nccl_drop(const void *args)
{
    const struct nccl_launch *launch = args;
    if (!nccl_comm_lives(launch->comm)) return;
    char text[80];
    snprintf(text, sizeof text, "a call of rank %d was dropped, because its context failed",
             launch->comm->rank);
    nccl_fail(launch->comm->clique, ncclRemoteError, text);
}

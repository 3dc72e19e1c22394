/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: how tasks end, and what happens when a rank is lost. Method: ncclCommGetAsyncError says so at
 * once, and a line is logged. On a GPU the others' kernels then wait until the program gives the communicator
 * up; here they do so too, but after PATIENCE_MS their contexts fail, so that a program that never asks ends
 * with an error. */
#include "nccl_priv.h"

#include <time.h>

enum { PATIENCE_MS = 5000, STEP_MS = 20 };

/* ---- entries */

void nccl_entry_put(struct nccl_entry *entry)
{
    if (atomic_fetch_sub(&entry->left, 1) != 1) return;
    entry->part.done(entry->part.token, atomic_load(&entry->failure));
    free(entry);
}

void nccl_posted_done(struct nccl_posted *posted, int failure)
{
    if (failure) atomic_store(&posted->entry->failure, failure);
    nccl_entry_put(posted->entry);
    free(posted);
}

/* ---- what is lost */

struct lost {
    struct lost *next;
    struct nccl_posted *posted;
};

/* Take out of a list what belongs to a rank, or to all (NULL). */
static void take_posted(struct nccl_posted **list, const struct ncclComm *comm, struct lost **out)
{
    for (struct nccl_posted **at = list, *p; (p = *at);) {
        if (comm && p->entry->comm != comm) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        struct lost *lost = sw_xmalloc(sizeof *lost);
        *lost = (struct lost){*out, p};
        *out = lost;
    }
}

static struct lost *take_locked(struct nccl_clique *clique, const struct ncclComm *comm)
{
    struct lost *out = NULL;
    take_posted(&clique->sends, comm, &out);
    take_posted(&clique->recvs, comm, &out);
    for (struct nccl_collective **at = &clique->collectives, *c; (c = *at);) {
        for (int r = 0; r < clique->ranks; r++) {
            struct nccl_posted *one = c->tasks[r];
            if (!one || (comm && one->entry->comm != comm)) continue;
            one->next = NULL;
            take_posted(&one, comm, &out);
            c->tasks[r] = NULL;
            c->posted--;
        }
        if (c->posted) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        free(c);
    }
    return out;
}

static void end_lost(struct lost *lost, int failure)
{
    while (lost) {
        struct lost *next = lost->next;
        nccl_posted_done(lost->posted, failure);
        free(lost);
        lost = next;
    }
}

void nccl_give_up_locked(struct ncclComm *comm)
{
    end_lost(take_locked(comm->clique, comm), CUDA_SUCCESS);
}

void nccl_give_up(struct ncclComm *comm)
{
    struct nccl_clique *clique = comm->clique;
    pthread_mutex_lock(&clique->lock);
    bool remote = clique->remote_state != NULL;
    if (!remote) nccl_give_up_locked(comm);
    pthread_mutex_unlock(&clique->lock);
    if (!remote) return;
    atomic_store(&comm->giving_up, true);
    nccl_shared_tell(clique->shared);
    while (atomic_load(&comm->giving_up))
        nccl_pause();
}

static bool has_posted_locked(const struct nccl_clique *clique)
{
    return clique->sends || clique->recvs || clique->collectives;
}

static void *grieve(void *of)
{
    struct nccl_clique *clique = of;
    struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    struct lost *lost = NULL;
    bool waits = true;
    for (int ms = 0; waits && ms < PATIENCE_MS; ms += STEP_MS) {
        nanosleep(&step, NULL);
        pthread_mutex_lock(&clique->lock);
        waits = has_posted_locked(clique);
        pthread_mutex_unlock(&clique->lock);
    }
    pthread_mutex_lock(&clique->lock);
    if (waits) lost = take_locked(clique, NULL);
    clique->grieving = false;
    pthread_mutex_unlock(&clique->lock);
    end_lost(lost, CUDA_ERROR_LAUNCH_FAILED);
    return NULL;
}

void nccl_fail_locked(struct nccl_clique *clique, ncclResult_t result, const char *text)
{
    pthread_t thread;
    bool first = clique->failure == ncclSuccess;
    if (first) clique->failure = result;
    for (int r = 0; r < clique->ranks; r++) {
        if (!clique->local[r]) continue;
        ncclResult_t none = ncclSuccess;
        atomic_compare_exchange_strong(&clique->local[r]->state, &none, clique->failure);
        if (first && text) nccl_error(clique->local[r], result, "%s", text);
    }
    if (first && text) sw_log("NCCL: %s; ncclCommGetAsyncError says so, too", text);
    if (clique->grieving || !has_posted_locked(clique)) return;
    clique->grieving = nccl_thread(&thread, grieve, clique);
    if (clique->grieving) pthread_detach(thread);
}

void nccl_fail(struct nccl_clique *clique, ncclResult_t result, const char *text)
{
    pthread_mutex_lock(&clique->lock);
    nccl_fail_locked(clique, result, text);
    pthread_mutex_unlock(&clique->lock);
}

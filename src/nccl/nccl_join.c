/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: ranks of one unique id find each other, in one process or in several of a machine. Method: ranks
 * of a process share a clique, which a table has by its key. Rank 0 makes the shared memory and hands its
 * descriptor to whoever connects to a UNIX socket whose abstract name follows from the key; such names leave
 * no file behind. A process of another user is sent away. Where all ranks turn out to be in one process, the
 * memory is given back.
 * Limits: processes need one network namespace, which abstract names belong to; all ranks must come within
 * JOIN_SECONDS (SOFTWARP_NCCL_TIMEOUT says otherwise). */
#include "nccl_priv.h"

#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { JOIN_SECONDS = 120, STEP_MS = 5, LOOK_MS = 100 }; /* implementation; LOOK_MS: for ranks that died */

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct nccl_clique *table;

struct nccl_key nccl_key_child(const struct nccl_key *parent, const char *kind, unsigned number,
                               int64_t value)
{
    struct {
        struct nccl_key parent;
        int64_t value;
        uint64_t kind, number;
    } text = {*parent, value, sw_hash_bytes(kind, strlen(kind), 0), number};
    return (struct nccl_key){{sw_hash_bytes(&text, sizeof text, 1), sw_hash_bytes(&text, sizeof text, 2)}};
}

/* ---- time */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t deadline(void)
{
    const char *text = getenv("SOFTWARP_NCCL_TIMEOUT");
    int seconds = text ? atoi(text) : 0;
    return now_ms() + (int64_t)(seconds > 0 ? seconds : JOIN_SECONDS) * 1000;
}

/* ---- the table */

static struct nccl_clique *clique_new(const struct ncclComm *comm)
{
    struct nccl_clique *clique = sw_xcalloc(1, sizeof *clique);
    clique->key = comm->key;
    clique->ranks = comm->ranks;
    clique->local = sw_xcalloc((size_t)comm->ranks, sizeof(struct ncclComm *));
    pthread_mutex_init(&clique->lock, NULL);
    clique->next = table;
    table = clique;
    return clique;
}

/* Users are counted; the rank's place must be free. */
static ncclResult_t table_enter(struct ncclComm *comm)
{
    ncclResult_t result = ncclSuccess;
    pthread_mutex_lock(&table_lock);
    struct nccl_clique *clique = table;
    while (clique && memcmp(&clique->key, &comm->key, sizeof comm->key) != 0)
        clique = clique->next;
    if (!clique) clique = clique_new(comm);
    if (clique->ranks != comm->ranks || clique->local[comm->rank]) {
        result =
            nccl_error(comm, ncclInvalidUsage, "rank %d of %d has joined before, or another number of ranks",
                       comm->rank, comm->ranks);
    } else {
        pthread_mutex_lock(&clique->lock); /* another rank may be asking for rank 0 */
        clique->local[comm->rank] = comm;
        pthread_mutex_unlock(&clique->lock);
        clique->users++;
        comm->clique = clique;
    }
    pthread_mutex_unlock(&table_lock);
    return result;
}

static void table_leave(struct ncclComm *comm)
{
    struct nccl_clique *clique = comm->clique;
    pthread_mutex_lock(&table_lock);
    pthread_mutex_lock(&clique->lock);
    clique->local[comm->rank] = NULL;
    pthread_mutex_unlock(&clique->lock);
    bool last = --clique->users == 0;
    struct nccl_clique **at = &table;
    while (last && *at != clique)
        at = &(*at)->next;
    if (last) *at = clique->next;
    pthread_mutex_unlock(&table_lock);
    comm->clique = NULL;
    if (!last) return;
    nccl_remote_end(clique);
    for (bool grieves = true; grieves;) {
        pthread_mutex_lock(&clique->lock);
        grieves = clique->grieving;
        pthread_mutex_unlock(&clique->lock);
        if (grieves) nccl_pause();
    }
    nccl_shared_free(clique->shared);
    free(clique->local);
    free(clique);
}

/* ---- the socket */

static socklen_t name_of(const struct nccl_key *key, struct sockaddr_un *out)
{
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(out->sun_path + 1, sizeof out->sun_path - 1, "softwarp-nccl-%016llx%016llx",
                          (unsigned long long)key->words[0], (unsigned long long)key->words[1]);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static bool is_ours(int socket)
{
    struct ucred peer;
    socklen_t bytes = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid();
}

union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
};

static void send_file(int socket, int file)
{
    union control control = {0};
    char byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(header), &file, sizeof file);
    (void)sendmsg(socket, &message, MSG_NOSIGNAL); /* who went away meanwhile is missed later */
}

static int receive_file(int socket)
{
    union control control = {0};
    char byte;
    int file = -1;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS) memcpy(&file, CMSG_DATA(header), sizeof file);
    return file;
}

static int listen_for(const struct nccl_key *key)
{
    struct sockaddr_un name;
    socklen_t bytes = name_of(key, &name);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    if (bind(listener, (struct sockaddr *)&name, bytes) == 0 && listen(listener, NCCL_RANKS_MOST) == 0)
        return listener;
    close(listener);
    return -1;
}

/* -1: nobody listens yet. */
static int ask_for(const struct nccl_key *key)
{
    struct sockaddr_un name;
    socklen_t bytes = name_of(key, &name);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), file = -1;
    struct timeval most = {.tv_sec = 10}; /* implementation: rank 0 may be slow to answer */
    if (client < 0) return -1;
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    if (connect(client, (struct sockaddr *)&name, bytes) == 0 && is_ours(client)) file = receive_file(client);
    close(client);
    return file;
}

/* ---- joining */

static struct nccl_shared *shared_of(struct nccl_clique *clique)
{
    pthread_mutex_lock(&clique->lock);
    struct nccl_shared *shared = clique->shared;
    pthread_mutex_unlock(&clique->lock);
    return shared;
}

/* One of a process asks at a time: a second descriptor of the file must never be closed (nccl_shared.c). */
static struct nccl_shared *find_shared(struct nccl_clique *clique, int64_t until)
{
    struct nccl_shared *shared;
    while (!(shared = shared_of(clique)) && now_ms() < until) {
        pthread_mutex_lock(&clique->lock);
        int file = clique->shared || clique->local[0] ? -1 : ask_for(&clique->key);
        if (file >= 0) clique->shared = nccl_shared_open(file, clique->ranks);
        bool waits = !clique->shared;
        pthread_mutex_unlock(&clique->lock);
        if (waits) nccl_pause();
    }
    return shared;
}

static void answer(int listener, const struct nccl_shared *shared)
{
    struct pollfd poll_one = {.fd = listener, .events = POLLIN};
    if (poll(&poll_one, 1, STEP_MS) <= 0) return;
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (client < 0) return;
    if (is_ours(client)) send_file(client, shared->file);
    close(client);
}

static int find_dead(const struct nccl_clique *clique)
{
    for (int r = 0; r < clique->ranks; r++) {
        const struct nccl_member *member = nccl_shared_member(clique->shared, r);
        bool other = atomic_load(&member->state) == NCCL_JOINED && member->process != nccl_process();
        if (other && nccl_shared_is_dead(clique->shared, r)) return r;
    }
    return -1;
}

static ncclResult_t wait_for_all(struct ncclComm *comm, int listener, int64_t until)
{
    struct nccl_header *header = comm->clique->shared->header;
    int64_t look = now_ms() + LOOK_MS;
    for (uint32_t joined; (joined = atomic_load(&header->joined)) < (uint32_t)comm->ranks;) {
        uint32_t events = atomic_load(&header->events);
        if (listener >= 0)
            answer(listener, comm->clique->shared);
        else if (atomic_load(&header->joined) == joined)
            nccl_shared_wait(comm->clique->shared, events, STEP_MS);
        if (atomic_load(&comm->aborted)) return nccl_error(comm, ncclInternalError, "aborted while joining");
        if (now_ms() < look) continue;
        look = now_ms() + LOOK_MS;
        int dead = find_dead(comm->clique);
        if (dead >= 0) return nccl_error(comm, ncclRemoteError, "rank %d ended while others joined", dead);
        if (now_ms() >= until)
            return nccl_error(comm, ncclSystemError, "%u of %u ranks have joined in time", joined,
                              (uint32_t)comm->ranks);
    }
    return ncclSuccess;
}

/* All are there: who of them is in another process. */
static void look_around(struct nccl_clique *clique, struct nccl_blob *blobs)
{
    pthread_mutex_lock(&clique->lock);
    for (int r = 0; r < clique->ranks; r++) {
        const struct nccl_member *member = nccl_shared_member(clique->shared, r);
        clique->remote |= member->process != nccl_process();
        if (blobs) blobs[r] = member->blob;
    }
    if (clique->remote && !clique->remote_state) nccl_remote_begin(clique);
    pthread_mutex_unlock(&clique->lock);
}

static ncclResult_t enter_shared(struct ncclComm *comm, int64_t until, int *listener)
{
    struct nccl_clique *clique = comm->clique;
    if (comm->rank == 0) {
        struct nccl_shared *made = nccl_shared_new(comm->ranks);
        *listener = made ? listen_for(&comm->key) : -1;
        pthread_mutex_lock(&clique->lock);
        clique->shared = made;
        pthread_mutex_unlock(&clique->lock);
        if (*listener < 0) return nccl_error(comm, ncclSystemError, "no socket or memory for ranks to join");
    }
    struct nccl_shared *shared = find_shared(clique, until);
    if (!shared) return nccl_error(comm, ncclSystemError, "rank 0 of the communicator was not found in time");
    struct nccl_member *member = nccl_shared_member(shared, comm->rank);
    member->process = nccl_process();
    member->blob = comm->blob;
    nccl_shared_enter(shared, comm->rank);
    return ncclSuccess;
}

ncclResult_t nccl_join(struct ncclComm *comm, struct nccl_blob *blobs)
{
    int listener = -1;
    int64_t until = deadline();
    NCCL_TRY(table_enter(comm));
    ncclResult_t result = enter_shared(comm, until, &listener);
    if (result == ncclSuccess) result = wait_for_all(comm, listener, until);
    if (listener >= 0) close(listener);
    if (result == ncclSuccess)
        look_around(comm->clique, blobs);
    else
        nccl_leave(comm);
    return result;
}

void nccl_leave(struct ncclComm *comm)
{
    if (!comm->clique) return;
    nccl_give_up(comm);
    struct nccl_shared *shared = shared_of(comm->clique);
    if (shared) nccl_shared_leave(shared, comm->rank);
    table_leave(comm);
}

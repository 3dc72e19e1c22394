/* SPDX-License-Identifier: Apache-2.0 */
/* nccl: what its files share. A call becomes a task. The tasks of a group and communicator are one entry of a
 * stream; when it begins, they are posted in the clique, which is all that this process knows of a
 * communicator. A collective is done when the tasks of all ranks are posted, a send when its receive is.
 *
 *   nccl_call.c    calls, checked           nccl_join.c    ranks that find each other
 *   nccl_group.c   groups, and entries      nccl_shared.c  memory that processes share
 *   nccl_match.c   tasks that are posted    nccl_remote.c  tasks whose other ranks are in other processes
 *   nccl_move.c    what a collective moves  nccl_reduce.c  what it adds up
 *   nccl_comm.c    communicators            nccl_fail.c    how tasks end, and when ranks are lost */
#ifndef NCCL_PRIV_H
#define NCCL_PRIV_H

#include "base/base.h"
#include "event/event_routine.h"
#include "routine/routine.h"

#include <cuda.h>
#include <nccl.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* An exported function, and its twin for profilers, which programs may replace. */
#define NCCL_RETURNS(result, name, ...)                                                                      \
    __attribute__((visibility("default"))) result nccl##name(__VA_ARGS__);                                   \
    __attribute__((visibility("default"), alias("nccl" #name))) result pnccl##name(__VA_ARGS__);             \
    result nccl##name(__VA_ARGS__)
#define NCCL(name, ...) NCCL_RETURNS(ncclResult_t, name, __VA_ARGS__)

/* Return a failing status at once. */
#define NCCL_TRY(expr)                                                                                       \
    do {                                                                                                     \
        ncclResult_t nccl_try_ = (expr);                                                                     \
        if (nccl_try_ != ncclSuccess) return nccl_try_;                                                      \
    } while (0)

enum {
    NCCL_RANKS_MOST = 256,        /* implementation */
    NCCL_CHUNK_BYTES = 64 * 1024, /* what is moved at a time: a part of a core's L2 cache */
    NCCL_ALIGNMENT = 64,          /* of memory that processes share: a cache line */
    NCCL_SCALAR_BYTES = 8
};

/* ---- operations (nccl_op.c) */
enum nccl_op_kind { NCCL_SUM, NCCL_PROD, NCCL_MAX, NCCL_MIN, NCCL_SCALED_SUM, NCCL_DIVIDED_SUM };
struct nccl_op {
    enum nccl_op_kind kind;
    unsigned char scalar[NCCL_SCALAR_BYTES]; /* SCALED_SUM: in the data type */
    const void *device;                      /* where the scalar is instead; NULL: here */
};
struct nccl_ops { /* that a communicator has made */
    VEC(struct nccl_made_op *) made;
};
/* What a program's handle means for so many ranks; ncclInvalidArgument: nothing. */
ncclResult_t nccl_op_get(struct ncclComm *comm, ncclRedOp_t handle, ncclDataType_t type, struct nccl_op *out);
void nccl_ops_release(struct nccl_ops *ops);

/* ---- tasks */
enum nccl_function {
    NCCL_ALL_REDUCE,
    NCCL_BROADCAST,
    NCCL_REDUCE,
    NCCL_ALL_GATHER,
    NCCL_REDUCE_SCATTER,
    NCCL_ALL_TO_ALL,
    NCCL_GATHER,
    NCCL_SCATTER,
    NCCL_SEND,
    NCCL_RECV
};
struct nccl_task {
    enum nccl_function function;
    const char *name; /* of the function that the program called */
    const void *send;
    void *recv;
    uint64_t count; /* elements, as the function has it: of an operand, or of each rank's part */
    ncclDataType_t type;
    struct nccl_op op;
    int root; /* or peer */
};
/* Arguments of an entry. */
struct nccl_launch {
    struct ncclComm *comm;
    uint32_t count;
    struct nccl_task tasks[];
};
/* A launch that has begun. */
struct nccl_entry {
    struct event_routine_part part;
    struct ncclComm *comm;
    atomic_uint left; /* tasks that are not done, and one while it begins */
    atomic_int failure;
};
struct nccl_posted { /* a task of it */
    struct nccl_posted *next;
    struct nccl_entry *entry;
    struct nccl_task task;
    int rank;
    uint64_t number; /* of a collective among those of its rank */
    uint64_t moved;  /* nccl_remote.c: bytes of a send or receive */
    bool begun;
};
struct nccl_collective { /* of which at least one rank has posted its task */
    struct nccl_collective *next;
    uint64_t number;
    int posted;
    struct nccl_posted *tasks[]; /* of each rank; NULL: of another process, or not there yet */
};

uint32_t nccl_type_bytes(ncclDataType_t type);
bool nccl_is_reduction(enum nccl_function function);

/* ---- what a collective moves (nccl_move.c): blocks of `bytes`, in chunks */
struct nccl_chunk {
    int block; /* of the operand: that of a rank; 0 where there is one */
    uint64_t offset, bytes;
};
/* The first chunk: {0}; false: there are no more. */
bool nccl_chunk_next(const struct nccl_task *task, int ranks, struct nccl_chunk *chunk);
bool nccl_publishes(const struct nccl_task *task, int rank);
/* What a rank gives of a chunk. */
const unsigned char *nccl_chunk_source(const struct nccl_task *task, const struct nccl_chunk *chunk);
/* What the ranks that have tasks receive of it. sources: of each rank that publishes; room: NCCL_CHUNK_BYTES.
 */
void nccl_chunk_deliver(const struct nccl_task *any, struct nccl_posted *const *tasks, int ranks,
                        const struct nccl_chunk *chunk, const void *const *sources, const struct nccl_op *ops,
                        void *room);
/* Range number i of a task. */
bool nccl_task_range(const struct nccl_task *task, int rank, int ranks, uint32_t i,
                     struct event_routine_range *out);
void nccl_describe(const struct nccl_launch *launch, struct event_routine *out, char *shape, size_t bytes);

/* ---- nccl_reduce.c */
/* sources[0] op sources[1] op ... in this order, each sum rounded to the type. */
void nccl_reduce(ncclDataType_t type, const struct nccl_op *ops, int ranks, const void *const *sources,
                 void *out, uint64_t count);

/* ---- cliques */
struct nccl_key {
    uint64_t words[2]; /* the same in all processes */
};
struct nccl_blob { /* what a rank tells the others when it joins */
    int device, color, key;
};
struct nccl_clique {
    struct nccl_clique *next; /* in the table of all */
    struct nccl_key key;
    int ranks, users; /* users: that joined, or are about to */
    bool remote;      /* some ranks are in other processes */
    struct nccl_shared *shared;
    struct ncclComm **local;             /* [rank]; NULL: of another process, or gone */
    pthread_mutex_t lock;                /* what follows */
    struct nccl_collective *collectives; /* by number */
    struct nccl_posted *sends, *recvs;   /* in the order in which they were posted */
    ncclResult_t failure;
    bool grieving; /* a thread waits until the program has noticed the failure */
    struct nccl_remote *remote_state;
};
struct ncclComm {
    struct nccl_clique *clique; /* NULL: not joined yet */
    CUcontext context;
    CUdevice device;
    int rank, ranks;
    struct nccl_key key;
    struct nccl_blob blob;
    bool blocking;
    _Atomic ncclResult_t state;     /* what ncclCommGetAsyncError says */
    atomic_bool aborted, giving_up; /* giving_up: nccl_remote.c is to hand out what it has of it */
    uint64_t next_collective;       /* clique's lock */
    unsigned splits, shrinks;
    CUstream last_stream; /* that the last call was queued in, compared only; calls of graphs do not count */
    bool has_last;
    CUevent event; /* after it */
    struct nccl_ops ops;
    char last_error[256];
};
/* nccl_state.c */
void nccl_comm_add(struct ncclComm *comm);
bool nccl_comm_lives(struct ncclComm *comm);
bool nccl_comm_remove(struct ncclComm *comm); /* false: it did not live */

/* ---- nccl_join.c */
/* Wait for all ranks; comm->clique is then there. blobs: of all ranks; NULL: they are not wanted. */
ncclResult_t nccl_join(struct ncclComm *comm, struct nccl_blob *blobs);
void nccl_leave(struct ncclComm *comm);
struct nccl_key nccl_key_child(const struct nccl_key *parent, const char *kind, unsigned number,
                               int64_t value);

/* ---- nccl_shared.c: memory of all processes of a clique */
struct nccl_member {        /* a rank */
    _Atomic uint32_t state; /* enum nccl_member_state */
    uint64_t process;       /* the same for ranks of one */
    struct nccl_blob blob;
};
enum nccl_member_state { NCCL_ABSENT, NCCL_JOINED, NCCL_LEFT };
/* A queue of two chunks from one rank to another. */
struct nccl_channel {
    _Alignas(NCCL_ALIGNMENT) _Atomic uint64_t written; /* chunks */
    _Alignas(NCCL_ALIGNMENT) _Atomic uint64_t read;
    uint64_t bytes[2], total[2]; /* of the chunk, and of its message */
};
/* What a rank publishes of collectives. */
struct nccl_board {
    _Alignas(NCCL_ALIGNMENT) _Atomic uint64_t published; /* chunks */
    _Alignas(NCCL_ALIGNMENT) _Atomic uint64_t consumed;  /* of all ranks, by this rank */
    uint64_t what[2];                                    /* says of a chunk which call it is of */
    struct nccl_op op[2];                                /* with its scalar */
};
struct nccl_header {
    uint32_t ranks;
    _Atomic uint32_t joined, events; /* events: changes when anything else does */
};
struct nccl_shared {
    int file, ranks; /* the header's number of ranks may change: other processes write to it */
    uint64_t bytes;
    struct nccl_header *header;
};
struct nccl_shared *nccl_shared_new(int ranks);
struct nccl_shared *nccl_shared_open(int file, int ranks); /* takes the file; NULL: it is none of ours */
void nccl_shared_free(struct nccl_shared *shared);
struct nccl_member *nccl_shared_member(const struct nccl_shared *shared, int rank);
struct nccl_board *nccl_shared_board(const struct nccl_shared *shared, int rank);
unsigned char *nccl_shared_slot(const struct nccl_shared *shared, int rank, uint64_t chunk);
struct nccl_channel *nccl_shared_channel(const struct nccl_shared *shared, int from, int to);
unsigned char *nccl_shared_channel_slot(const struct nccl_shared *shared, int from, int to, uint64_t chunk);
/* The next chunk from one rank to another, of a message of `total` bytes of which `left` are to come. */
enum nccl_arrival { NCCL_NOTHING, NCCL_ARRIVED, NCCL_OTHER_LENGTH };
enum nccl_arrival nccl_shared_receive(const struct nccl_shared *shared, int from, int to, uint64_t total,
                                      uint64_t left, void *out, uint64_t *bytes);
/* The operation that a rank says of a chunk; false: it is of another call than `what`, or of another kind. */
bool nccl_shared_says(const struct nccl_shared *shared, int rank, uint64_t chunk, uint64_t what,
                      enum nccl_op_kind kind, struct nccl_op *op);
/* A rank of this process is there, until it says otherwise or the process ends. */
void nccl_shared_enter(const struct nccl_shared *shared, int rank);
void nccl_shared_leave(const struct nccl_shared *shared, int rank);
bool nccl_shared_is_dead(const struct nccl_shared *shared, int rank); /* of another process */
void nccl_shared_tell(const struct nccl_shared *shared);              /* something has changed */
/* Until something has changed since `events` was read, or so many ms. */
void nccl_shared_wait(const struct nccl_shared *shared, uint32_t events, int ms);
uint64_t nccl_process(void); /* a number of this process that no other has */

/* ---- nccl_match.c */
void nccl_start(const void *args, const struct event_routine_part *part); /* event_routine_work.start */
void nccl_drop(const void *args);                                         /* event_routine_work.drop */
/* The same call of all these? Says what differs otherwise. */
bool nccl_is_same(const struct nccl_task *a, const struct nccl_task *b, char *why, size_t bytes);
void nccl_memory_hold(void);
void nccl_memory_let_go(void);
bool nccl_task_is_memory(const struct nccl_posted *posted, int ranks);

/* ---- nccl_remote.c */
void nccl_remote_begin(struct nccl_clique *clique);
void nccl_remote_end(struct nccl_clique *clique);

/* ---- nccl_fail.c */
void nccl_entry_put(struct nccl_entry *entry);                  /* one of its tasks is done */
void nccl_posted_done(struct nccl_posted *posted, int failure); /* without the clique's lock */
/* The clique has lost a rank, or its ranks disagree: all that is posted fails, once the program has had time
 * to notice. With the clique's lock. */
void nccl_fail_locked(struct nccl_clique *clique, ncclResult_t result, const char *text);
void nccl_fail(struct nccl_clique *clique, ncclResult_t result, const char *text);
/* What one rank has posted is over: it gave up. */
void nccl_give_up(struct ncclComm *comm);
void nccl_give_up_locked(struct ncclComm *comm);

/* ---- nccl_thread.c */
bool nccl_thread(pthread_t *thread, void *(*run)(void *of), void *of);
void nccl_pause(void); /* for some milliseconds */

/* ---- nccl_group.c */
ncclResult_t nccl_call(struct ncclComm *comm, CUstream stream, const struct nccl_task *task);
/* A communicator joins its others: at once, or in a thread of its own with the others of the group. result:
 * what the call returns. */
struct nccl_job {
    ncclResult_t (*run)(struct nccl_job *job);
    struct ncclComm *comm, *parent;
    struct ncclComm **out;
    ncclResult_t result;
    pthread_t thread;
};
/* A call was not made: its group fails. Returns what it was given. */
ncclResult_t nccl_refused(ncclResult_t result);
ncclResult_t nccl_job_add(const struct nccl_job *job);
ncclResult_t nccl_error(struct ncclComm *comm, ncclResult_t result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
ncclResult_t nccl_status(CUresult result);
#endif

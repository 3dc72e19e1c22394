/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memory that the processes of a communicator share. Method: a file in memory that has no name, so
 * that nothing stays when all have ended, whichever way; pages that nobody uses take no memory. Each rank
 * holds a lock on a byte of it, which the kernel drops when its process ends. Waits are on a word of it.
 *
 *   header | member of each rank | board of each rank | channel of each pair | slots of ranks, of pairs
 *
 * Limits: the locks are those of fcntl, which belong to a process as long as it closes no other descriptor of
 * the file: the clique keeps them all. */
#include "nccl_priv.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 2 }; /* of each rank and pair */

struct layout {
    uint64_t members, boards, channels, slots, pair_slots, end;
};

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + NCCL_ALIGNMENT - 1) / NCCL_ALIGNMENT * NCCL_ALIGNMENT;
}

static struct layout layout_of(int count)
{
    struct layout at;
    uint64_t ranks = (uint64_t)count;
    at.members = aligned(sizeof(struct nccl_header));
    at.boards = aligned(at.members + ranks * sizeof(struct nccl_member));
    at.channels = at.boards + ranks * sizeof(struct nccl_board);
    at.slots = at.channels + ranks * ranks * sizeof(struct nccl_channel);
    at.pair_slots = at.slots + ranks * SLOTS * NCCL_CHUNK_BYTES;
    at.end = at.pair_slots + ranks * ranks * SLOTS * NCCL_CHUNK_BYTES;
    return at;
}

static void *place(const struct nccl_shared *shared, uint64_t offset)
{
    return (unsigned char *)shared->header + offset;
}

struct nccl_shared *nccl_shared_open(int file, int ranks)
{
    struct stat status;
    struct nccl_shared *shared = sw_xcalloc(1, sizeof *shared);
    int seals = fcntl(file, F_GET_SEALS);
    shared->file = file;
    shared->ranks = ranks;
    shared->bytes = layout_of(ranks).end;
    bool whole = seals >= 0 && (seals & F_SEAL_SHRINK) && fstat(file, &status) == 0 &&
                 (uint64_t)status.st_size == shared->bytes;
    void *at = whole ? mmap(NULL, shared->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0)
                     : MAP_FAILED;
    shared->header = at;
    if (at != MAP_FAILED && shared->header->ranks == (uint32_t)ranks) return shared;
    if (at != MAP_FAILED) munmap(at, shared->bytes);
    close(file);
    free(shared);
    return NULL;
}

struct nccl_shared *nccl_shared_new(int ranks)
{
    struct nccl_header header = {.ranks = (uint32_t)ranks};
    int file = memfd_create("softwarp-nccl", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return NULL;
    bool good = ftruncate(file, (off_t)layout_of(ranks).end) == 0 &&
                pwrite(file, &header, sizeof header, 0) == (ssize_t)sizeof header &&
                fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0; /* a page that goes is a fault */
    if (good) return nccl_shared_open(file, ranks);
    close(file);
    return NULL;
}

void nccl_shared_free(struct nccl_shared *shared)
{
    if (!shared) return;
    munmap(shared->header, shared->bytes);
    close(shared->file);
    free(shared);
}

/* ---- places */

struct nccl_member *nccl_shared_member(const struct nccl_shared *shared, int rank)
{
    return (struct nccl_member *)place(shared, layout_of(shared->ranks).members) + rank;
}

struct nccl_board *nccl_shared_board(const struct nccl_shared *shared, int rank)
{
    return (struct nccl_board *)place(shared, layout_of(shared->ranks).boards) + rank;
}

unsigned char *nccl_shared_slot(const struct nccl_shared *shared, int rank, uint64_t chunk)
{
    uint64_t slot = (uint64_t)rank * SLOTS + chunk % SLOTS;
    return place(shared, layout_of(shared->ranks).slots + slot * NCCL_CHUNK_BYTES);
}

static uint64_t pair_of(const struct nccl_shared *shared, int from, int to)
{
    return (uint64_t)from * (uint64_t)shared->ranks + (uint64_t)to;
}

struct nccl_channel *nccl_shared_channel(const struct nccl_shared *shared, int from, int to)
{
    return (struct nccl_channel *)place(shared, layout_of(shared->ranks).channels) +
           pair_of(shared, from, to);
}

unsigned char *nccl_shared_channel_slot(const struct nccl_shared *shared, int from, int to, uint64_t chunk)
{
    uint64_t slot = pair_of(shared, from, to) * SLOTS + chunk % SLOTS;
    return place(shared, layout_of(shared->ranks).pair_slots + slot * NCCL_CHUNK_BYTES);
}

/* ---- what other processes say, which may be anything: read once, then checked */

enum nccl_arrival nccl_shared_receive(const struct nccl_shared *shared, int from, int to, uint64_t total,
                                      uint64_t left, void *out, uint64_t *bytes)
{
    struct nccl_channel *c = nccl_shared_channel(shared, from, to);
    uint64_t chunk = atomic_load(&c->read);
    if (atomic_load(&c->written) == chunk) return NCCL_NOTHING;
    uint64_t got = __atomic_load_n(&c->bytes[chunk % 2], __ATOMIC_RELAXED);
    uint64_t whole = __atomic_load_n(&c->total[chunk % 2], __ATOMIC_RELAXED);
    if (whole != total || got > left || got > NCCL_CHUNK_BYTES) return NCCL_OTHER_LENGTH;
    if (got) memcpy(out, nccl_shared_channel_slot(shared, from, to, chunk), got);
    atomic_store(&c->read, chunk + 1);
    *bytes = got;
    return NCCL_ARRIVED;
}

bool nccl_shared_says(const struct nccl_shared *shared, int rank, uint64_t chunk, uint64_t what,
                      enum nccl_op_kind kind, struct nccl_op *op)
{
    const struct nccl_board *board = nccl_shared_board(shared, rank);
    if (__atomic_load_n(&board->what[chunk % 2], __ATOMIC_RELAXED) != what) return false;
    *op = board->op[chunk % 2];
    return op->kind == kind;
}

/* ---- who is there */

static int lock_byte(const struct nccl_shared *shared, int rank, short type, int command, struct flock *out)
{
    *out = (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = rank, .l_len = 1};
    return fcntl(shared->file, command, out);
}

void nccl_shared_enter(const struct nccl_shared *shared, int rank)
{
    struct flock lock;
    if (lock_byte(shared, rank, F_WRLCK, F_SETLK, &lock)) BUG("rank %d is locked", rank);
    atomic_store(&nccl_shared_member(shared, rank)->state, NCCL_JOINED);
    atomic_fetch_add(&shared->header->joined, 1);
    nccl_shared_tell(shared);
}

void nccl_shared_leave(const struct nccl_shared *shared, int rank)
{
    struct flock lock;
    atomic_store(&nccl_shared_member(shared, rank)->state, NCCL_LEFT);
    lock_byte(shared, rank, F_UNLCK, F_SETLK, &lock);
    nccl_shared_tell(shared);
}

bool nccl_shared_is_dead(const struct nccl_shared *shared, int rank)
{
    struct flock lock;
    uint32_t state = atomic_load(&nccl_shared_member(shared, rank)->state);
    if (state != NCCL_JOINED) return state == NCCL_LEFT;
    return lock_byte(shared, rank, F_WRLCK, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

uint64_t nccl_process(void)
{
    static _Atomic uint64_t number;
    static atomic_int of; /* a forked child is another */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    uint64_t fresh;
    if (atomic_load(&of) != getpid() && getrandom(&fresh, sizeof fresh, 0) == (ssize_t)sizeof fresh) {
        atomic_store(&number, fresh);
        atomic_store(&of, getpid());
    }
    pthread_mutex_unlock(&lock);
    return atomic_load(&number);
}

/* ---- waiting */

void nccl_shared_tell(const struct nccl_shared *shared)
{
    atomic_fetch_add(&shared->header->events, 1);
    syscall(SYS_futex, &shared->header->events, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void nccl_shared_wait(const struct nccl_shared *shared, uint32_t events, int ms)
{
    struct timespec most = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    syscall(SYS_futex, &shared->header->events, FUTEX_WAIT, events, &most, NULL, 0);
}

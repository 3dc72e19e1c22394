/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memory for copies and work, which the next call gets again: what malloc gives back to the system
 * comes with new pages, which cost as much as the copy (so a Cholesky factorization of order 1,024 took 1.2
 * times as long as on the matrix itself). Method: a list of free blocks, of which the smallest that fits is
 * taken. Limits: 64 MiB in 16 blocks are kept; more is malloc's. */
#include "blas_priv.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { KEPT_BLOCKS = 16 }; /* implementation */
#define KEPT_BYTES ((size_t)64 << 20)

struct room {
    size_t bytes;
    _Alignas(max_align_t) unsigned char at[];
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct room *kept[KEPT_BLOCKS];
static size_t kept_bytes;

static struct room *take_locked(size_t bytes)
{
    struct room **best = NULL;
    for (int i = 0; i < KEPT_BLOCKS; i++)
        if (kept[i] && kept[i]->bytes >= bytes && (!best || kept[i]->bytes < (*best)->bytes)) best = &kept[i];
    struct room *room = best ? *best : NULL;
    if (room) {
        kept_bytes -= room->bytes;
        *best = NULL;
    }
    return room;
}

static bool keep_locked(struct room *room)
{
    if (room->bytes > KEPT_BYTES - kept_bytes) return false;
    for (int i = 0; i < KEPT_BLOCKS; i++)
        if (!kept[i]) {
            kept[i] = room;
            kept_bytes += room->bytes;
            return true;
        }
    return false;
}

void *blas_room_take(size_t bytes)
{
    pthread_mutex_lock(&lock);
    struct room *room = take_locked(bytes);
    pthread_mutex_unlock(&lock);
    if (!room) {
        room = sw_xmalloc(sizeof *room + bytes);
        room->bytes = bytes;
    }
    return room->at;
}

void blas_room_give(void *at)
{
    if (!at) return;
    struct room *room = (struct room *)(void *)((char *)at - offsetof(struct room, at));
    pthread_mutex_lock(&lock);
    bool is_kept = keep_locked(room);
    pthread_mutex_unlock(&lock);
    if (!is_kept) free(room);
}

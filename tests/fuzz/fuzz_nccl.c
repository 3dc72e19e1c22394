/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what another process writes into the memory that the ranks of a communicator share: its
 * header, members, boards and queues. The first byte chooses the data type and the message's length. What is
 * read is reduced as a collective does it. */
#include "fuzz_input.h"

#include "nccl_priv.h"

#include <string.h>

enum { RANKS = 2, MESSAGE = 3 * NCCL_CHUNK_BYTES };

static unsigned char message[MESSAGE];

static void receive(const struct nccl_shared *shared, uint64_t total)
{
    uint64_t moved = 0, bytes;
    for (int i = 0; i < 4 && moved < total; i++) { /* a queue holds two */
        if (nccl_shared_receive(shared, 1, 0, total, total - moved, message + moved, &bytes) != NCCL_ARRIVED)
            break;
        moved += bytes;
    }
}

static void reduce(const struct nccl_shared *shared, ncclDataType_t type)
{
    bool whole = nccl_type_bytes(type) == sizeof(uint32_t) || type == ncclInt8;
    enum nccl_op_kind last = whole && type != ncclFloat32 ? NCCL_DIVIDED_SUM : NCCL_SCALED_SUM;
    struct nccl_op ops[RANKS];
    const void *sources[RANKS];
    for (enum nccl_op_kind kind = NCCL_SUM; kind <= last; kind++) {
        bool says = true;
        for (int r = 0; r < RANKS; r++) {
            uint64_t what = nccl_shared_board(shared, r)->what[0];
            says &= nccl_shared_says(shared, r, 0, what, kind, &ops[r]);
            sources[r] = nccl_shared_slot(shared, r, 0);
        }
        if (says) nccl_reduce(type, ops, RANKS, sources, message, 600);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const uint64_t TOTALS[] = {1, 4096, NCCL_CHUNK_BYTES, MESSAGE};
    if (bytes < 1) return 0;
    struct nccl_shared *shared = nccl_shared_new(RANKS);
    if (!shared) BUG("no shared memory");
    size_t room = (size_t)(nccl_shared_slot(shared, 0, 0) - (unsigned char *)shared->header);
    memcpy(shared->header, data + 1, bytes - 1 < room ? bytes - 1 : room);
    for (int r = 0; r < RANKS; r++)
        (void)nccl_shared_is_dead(shared, r);
    receive(shared, TOTALS[data[0] % SW_COUNT_OF(TOTALS)]);
    reduce(shared, (ncclDataType_t)(data[0] / SW_COUNT_OF(TOTALS) % ncclNumTypes));
    nccl_shared_free(shared);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* race: which accesses of memory nothing orders.
 *
 * A caller tells, in the order in which things happen, what threads do: accesses, barriers, fences. Two
 * accesses of the same byte by different threads, one of them a write, race unless one happens before the
 * other (PTX ISA 8, memory consistency model) or both are strong with scopes that include each other. So a
 * race is found whether or not it strikes in this order. One struct race is used by one host thread.
 *
 * A task is what a stream orders as one: a launch, a copy, a fill. Memory is known by address; the caller
 * gives shared memory addresses of its own, apart for each block that is alive, and forgets it when the block
 * ends. Copies that a lane began are a thread of their own: it comes after what the lane did before each of
 * its accesses, and nothing comes after it but what acquires from a key that it released to.
 *
 * What is reported is a pair of accesses that nothing orders: never one that is ordered. Of each byte, the
 * first race is reported; a later one may not be, since an access that raced stands for those before it. The
 * first one is missed only where
 * - more than 64 accesses that no epoch can hold (of complex launches, of several tasks, weak and strong
 * ones) have met at a byte, each in a slice or at a site of its own: the newest 32 at least are kept;
 * - numbers or memory did not suffice: race_forgot;
 * - not in complex launches: an unordered strong read comes after a weak write, ordered strong writes and a
 *   weak read ordered after these; it may race with the weak write alone;
 * - read-modify-writes by more than four blocks follow each other at an address, and fences of the scope of a
 *   block were to release by them: they count as fences of the scope of the GPU;
 * - in complex launches, a strong read came before a strong write, by the same thread or one that knew of it,
 *   and a read-modify-write of another thread observed that write. Strong accesses that overlap in part count
 * as those of one address. Clusters are not known: a caller that has launched some gives RACE_SCOPE_GPU for
 * RACE_SCOPE_CLUSTER, or else has the scope of a block. */
#ifndef RACE_RACE_H
#define RACE_RACE_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

struct race;
struct race_block; /* a block of a task, or a copy, that is alive */

enum race_scope { RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER, RACE_SCOPE_GPU, RACE_SCOPE_SYS };
struct race_access {
    uint32_t site; /* the caller's number of the instruction: comes back in a race; < 1 << 16, more: 0xffff */
    uint32_t bytes; /* of each lane's access, contiguous */
    bool reads, writes;
    bool strong;             /* volatile, relaxed or more, or atomic */
    bool acquires, releases; /* .acquire, .release, .acq_rel */
    bool same_value;         /* all lanes that write one byte write the same: no race among them */
    enum race_scope scope;   /* of a strong access */
};
/* Where many have accessed memory, only their warp, block or task is known: `thread` stands for several of
 * it, and may itself not be among them. */
enum race_among { RACE_AMONG_THREAD, RACE_AMONG_WARP, RACE_AMONG_BLOCK, RACE_AMONG_TASK };
struct race_side {
    uint64_t task, block; /* the caller's numbers */
    uint32_t thread;      /* in the block, number */
    uint32_t site;
    bool writes, strong;
    bool async; /* a copy that the thread began */
    enum race_among among;
};
struct race_found {
    uint64_t address; /* of the first byte that both access */
    struct race_side before, now;
    uint32_t lanes, stride; /* so many threads from these on race likewise, each `stride` bytes further on */
};
/* The race of one of these lanes, from 0. */
static inline struct race_found race_found_lane(const struct race_found *found, uint32_t lane)
{
    struct race_found one = *found;
    one.address += (uint64_t)lane * found->stride;
    one.before.thread += lane;
    one.now.thread += lane;
    one.lanes = 1;
    return one;
}
struct race_config {
    void (*found)(void *user,
                  const struct race_found *found); /* a pair of sites many times; it may not call race_* */
    void *user;
    /* A strong read that sees a released write acquires without a fence or .acquire of its own. */
    bool reads_acquire;
    /* How many stretches of the order of calls are told apart before they are numbered anew; 0: all there can
     * be, some 12 million. */
    uint32_t slices;
    uint32_t short_entries; /* clocks of fewer entries are handled otherwise; 0: 16 */
};

struct race *race_new(const struct race_config *config);
void race_free(struct race *race);
/* Whether accesses were forgotten for want of memory or numbers: races with them are not found. */
bool race_forgot(const struct race *race);
/* What the vector clocks of all threads and barriers take now. */
size_t race_clock_bytes(const struct race *race);

/* ---- tasks. A number the caller never used before. */
void race_task_begin(struct race *race, uint64_t task);
bool race_task_is(const struct race *race, uint64_t task); /* it was begun */
/* From now on, all accesses of task `before` happen before those of `task`; transitive. Also while it runs.
 */
void race_task_after(struct race *race, uint64_t task, uint64_t before);
void race_task_end(struct race *race, uint64_t task);
/* From now on the number means another task, after what it meant so far and before all that is after that. */
void race_task_again(struct race *race, uint64_t task);

/* ---- blocks. complex: threads of this launch meet otherwise than by whole warps at race_warp_sync and whole
 * blocks at race_block_sync. threads: of the block. */
struct race_block *race_block_begin(struct race *race, uint64_t task, uint64_t block, uint32_t threads,
                                    bool complex);
void race_block_end(struct race_block *block);
/* What was accessed within the 4 KiB of an address. */
enum race_known { RACE_KNOWN_NOTHING, RACE_KNOWN_READ, RACE_KNOWN_WRITTEN };
enum race_known race_known_at(struct race *race, uint64_t address);
/* Memory that is new: its accesses so far are forgotten. */
void race_forget(struct race *race, uint64_t address, uint64_t bytes);
void race_forget_all(struct race *race);

/* ---- what a warp's lanes do. warp: in the block; RACE_ASYNC + warp: copies that its lanes began. */
enum { RACE_ASYNC = 32, RACE_WARPS = 64 };
void race_access(struct race_block *block, uint32_t warp, const struct race_access *what,
                 const uint64_t *addresses, lane_mask mask);
/* The same of addresses first + lane * stride. */
void race_access_affine(struct race_block *block, uint32_t warp, const struct race_access *what,
                        uint64_t first, int64_t stride, lane_mask mask);
void race_fence(struct race_block *block, uint32_t warp, lane_mask mask, enum race_scope scope);
void race_warp_sync(struct race_block *block, uint32_t warp, lane_mask mask); /* each lane with each */
void race_block_sync(struct race_block *block);                               /* all threads */

/* ---- anything else that orders: named barriers, mbarriers, groups of copies. Lanes release to a key, then
 * the key completes, then lanes acquire what was released before it completed. Keys are the caller's. */
void race_release(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t key);
void race_complete(struct race *race, uint64_t key);
void race_acquire(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t key);
void race_key_end(struct race *race, uint64_t key); /* it will not be used again */

/* ---- groups of copies. What the copies of lanes did so far goes to a key; each lane that waits for it knows
 * from then on what its own copies did, and nothing of other lanes'. Keys are as those above. */
void race_commit(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t key);
void race_await(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t key);
#endif

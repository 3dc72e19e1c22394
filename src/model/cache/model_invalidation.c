/* SPDX-License-Identifier: Apache-2.0 */
/* Back-invalidation: lines that move between the two parts of L2, because multiprocessors of one side store
 * to what those of the other load.
 *
 * Models: a store or an atomic from the side of the line's home invalidates the other part's copy
 * (model_l2.c): its slice is longer at it, and who wants the line waits until the other part has answered, as
 * long as it takes to reach it. What that then fetches again is there for its multiprocessors as much later,
 * and stores of the home's side wait for that. A store that waits holds its slice for part of that time: only
 * few of them wait beside each other.
 *
 * Does not model: invalidation of what only stores of the other part left there (scatter_words of
 * contention.def has as many such changes and takes no longer for them); loads that wait hold no slice;
 * slices of the other part; lines that others displaced from one entry of the table; in sampled launches,
 * what multiprocessors that are not simulated in detail hold.
 *
 * Sources: load_then_store of tests/hw/memory/contention.def on an H200. What the parts hand each other
 * beside reads and writes (lts__t_sectors_srcunit_ltcfabric, less its op_read and op_write) is 0.25 a store
 * where all store at random, 0.3 to 0.45 where they load, too: as often as a store of the home's side comes
 * after an access of the other's. The other part reads 0.3 to 1.4 sectors again for a store. Where 2048
 * lines are loaded and stored to by all (256 KiB), a line takes some 650 cycles for each store that
 * invalidates it in the other part and 420 for each time that it is fetched again, waiting included; over 16
 * MiB, where hardly anyone waits for a line, each such store takes a slice some 10 cycles. How long a slice
 * is held was fitted to these launches and to bfs_step of even number. */
#include "model/cache/model_slices.h"

static struct model_invalidated *invalidated_at(const struct model_invalidations *all, uint64_t line)
{
    return &all->lines[model_mix(line) >> 20 & (MODEL_INVALIDATED_LINES - 1)];
}

/* NULL: the line was not given back lately. */
static struct model_invalidated *invalidation_find(const struct model_invalidations *all, uint64_t line)
{
    if (!all->any) return NULL;
    struct model_invalidated *r = invalidated_at(all, line);
    return r->key == model_tags_key(line) && r->back ? r : NULL;
}

/* From a part of L2 to the other one and back. */
static model_time round_trip(const struct model_invalidations *all)
{
    return all->params->gpu.l2_far_cycles * MODEL_TICK;
}

model_time model_invalidation_read(struct model_invalidations *all, uint64_t line, bool fetched,
                                   model_time done)
{
    struct model_invalidated *r = invalidation_find(all, line);
    if (!r) return done;
    done = model_later(done, r->back);
    if (all->l2->near) return done;
    done = model_later(done, r->fetched);
    if (fetched) r->fetched = done + round_trip(all);
    return done;
}

model_time model_invalidation_write(struct model_invalidations *all, uint64_t line, uint32_t slices,
                                    model_time done, uint64_t *held)
{
    struct model_invalidated *r = invalidation_find(all, line);
    *held = 0;
    if (!r && !all->l2->invalidated) return done;
    if (!r) {
        *(r = invalidated_at(all, line)) = (struct model_invalidated){.key = model_tags_key(line)};
        all->any = true;
    }
    model_time goes = model_later(done, r->back);
    if (all->l2->near) goes = model_later(goes, r->fetched);
    *held = (goes - done) * all->rates->l2_waiting / MODEL_TICK;
    if (all->l2->invalidated) {
        r->back = goes + round_trip(all);
        *held += (uint64_t)all->rates->l2_invalidation * slices;
    }
    return goes;
}

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
#include "model_cache_priv.h"

static struct model_invalidated *invalidated_at(struct model_clock *c, uint64_t line)
{
    return &c->invalidated[model_mix(line) >> 20 & (MODEL_INVALIDATED_LINES - 1)];
}

/* NULL: the line was not given back lately. */
static struct model_invalidated *invalidation_find(struct model_clock *c, uint64_t line)
{
    if (!c->lines_invalidated) return NULL;
    struct model_invalidated *r = invalidated_at(c, line);
    return r->key == model_tags_key(line) && r->back ? r : NULL;
}

static model_time invalidation_later(model_time a, model_time b)
{
    return a > b ? a : b;
}

/* From a part of L2 to the other one and back. */
static model_time round_trip(const struct model_memory *m)
{
    return m->params.gpu.l2_far_cycles * MODEL_TICK;
}

model_time model_invalidation_of_read(struct model_memory *m, uint64_t line, bool fetched, model_time done)
{
    struct model_invalidated *r = invalidation_find(&m->clock, line);
    if (!r) return done;
    done = invalidation_later(done, r->back);
    if (m->l2.near) return done;
    done = invalidation_later(done, r->fetched);
    if (fetched) r->fetched = done + round_trip(m);
    return done;
}

model_time model_invalidation_of_write(struct model_memory *m, uint64_t line, model_time done)
{
    struct model_clock *c = &m->clock;
    const struct model_rates *rates = &m->costs.rates;
    struct model_invalidated *r = invalidation_find(c, line);
    if (!r && !m->l2.invalidated) return done;
    if (!r) {
        *(r = invalidated_at(c, line)) = (struct model_invalidated){.key = model_tags_key(line)};
        c->lines_invalidated = true;
    }
    model_time goes = invalidation_later(done, r->back);
    if (m->l2.near) goes = invalidation_later(goes, r->fetched);
    uint64_t held = (goes - done) * rates->l2_waiting / MODEL_TICK;
    if (m->l2.invalidated) {
        r->back = goes + round_trip(m);
        held += (uint64_t)rates->l2_invalidation * c->slice_count;
    }
    if (held) model_clock_slice(m, line, held, done);
    return goes;
}

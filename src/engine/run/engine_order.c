/* SPDX-License-Identifier: Apache-2.0 */
/* Which multiprocessor each of the blocks that begin a launch runs on.
 *
 * Models: a GPU whose multiprocessors stand in groups (GPCs) dispatches blocks group by group: each visit
 * gives every multiprocessor of the group one block, the two of a pair (TPC) one after the other. Some of the
 * first group may stand apart: they come first, again after five visits, then after every six, until they
 * have as many blocks as a multiprocessor has on average. What does not fill all groups once more is spread
 * evenly over them, one to a pair while that is enough.
 *
 * Does not model: with which group it goes on where the launch before ended (here: the first); that those
 * apart come later the third time, after eleven visits, when a launch fills a third of the device.
 *
 * Sources: %smid of blocks 1 to 1200 on an H200 (tests/hw/memory/h200/probe.txt). */
#include "engine_order.h"

struct dispatch {
    const struct event_residency *on;
    struct engine_resident *residents;
    uint32_t count, dispatched; /* blocks */
    uint32_t *used;             /* CTA slots, by multiprocessor */
    uint32_t most;              /* that a multiprocessor may use */
};

/* Multiprocessors of a group that are visited with it. */
static uint32_t order_group_begin(const struct event_residency *on, uint32_t group)
{
    uint32_t begin = event_group_begin(on->sm_count, on->groups, group);
    return begin < on->first ? on->first : begin;
}

static void order_dispatch(struct dispatch *to, uint32_t sm)
{
    if (to->dispatched == to->count || to->used[sm] == to->most) return;
    struct engine_resident *resident = &to->residents[to->dispatched++];
    resident->sm = sm;
    resident->slot = to->used[sm]++;
}

static void order_visit(struct dispatch *to, uint32_t begin, uint32_t end)
{
    for (uint32_t sm = begin; sm < end; sm++)
        order_dispatch(to, sm);
}

/* The rest, less than a block for each multiprocessor. */
static void order_spread(struct dispatch *to)
{
    const struct event_residency *on = to->on;
    uint32_t left = to->count - to->dispatched, groups = on->groups;
    uint32_t each = left <= (on->sm_count - on->first) / 2 ? 1 : 2; /* of a pair */
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t begin = order_group_begin(on, g), size = order_group_begin(on, g + 1) - begin,
                 pairs = (size + 1) / 2;
        uint32_t share = (left + groups - g - 1) / (groups - g);
        if (share > pairs * each) share = pairs * each;
        if (share > size) share = size;
        uint32_t doubled = share > pairs ? share - pairs : 0;
        for (uint32_t p = 0; p < pairs && p < share; p++)
            order_visit(to, begin + 2 * p, begin + 2 * p + (p < doubled ? 2 : 1));
        left -= share;
    }
}

static void order_deal_all(struct dispatch *to)
{
    enum { FIRST_VISITS = 5, VISITS = 6 };
    const struct event_residency *on = to->on;
    uint32_t next = on->first ? 0 : UINT32_MAX, visits = 0, rest = on->sm_count - on->first;
    uint32_t rounds = (to->count + on->sm_count - 1) / on->sm_count;
    while (to->dispatched < to->count) {
        if (visits == next) {
            order_visit(to, 0, on->first);
            next = --rounds ? visits + (visits ? VISITS : FIRST_VISITS) : UINT32_MAX;
        }
        uint32_t group = visits++ % on->groups;
        if (!group && to->count - to->dispatched < rest && to->count % on->sm_count) order_spread(to);
        order_visit(to, order_group_begin(on, group), order_group_begin(on, group + 1));
    }
}

void engine_order(const struct event_residency *on, struct engine_resident *residents, uint32_t count)
{
    uint32_t sms = on->sm_count, all = sms * on->blocks_per_sm;
    uint32_t device = count < all ? count : all;
    for (uint32_t i = 0; i < count; i++) {
        residents[i].sm = i % sms;
        residents[i].slot = i / sms;
    }
    if (on->groups < 2 || on->groups * 2 > sms || on->first >= event_group_begin(sms, on->groups, 1)) return;
    struct dispatch to = {on, residents, device, 0, sw_xcalloc(sms, sizeof *to.used), on->blocks_per_sm};
    order_deal_all(&to);
    free(to.used);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async and mbarriers: which copies a warp waits for.
 *
 * Models: copies to shared memory that go on after the instruction; groups of them as cp.async.commit_group
 * closes them, and waits for all but the latest so many (PTX ISA, "Data Movement and Conversion: Asynchronous
 * copy"). Groups stand where registers do, behind a kernel's own: what is on its way in one becomes what a
 * wait for it has as an operand. Does not model: more than TIMING_GROUPS - 1 groups on their way (older ones
 * join the oldest, and nobody waits for all but the last TIMING_GROUPS - 1 or more); bulk copies that
 * are waited for as groups. What mbarriers hold is not known here: the replay says who waits for which phase
 * (model_phase.c), and how often a warp asks before it is over does not count. */
#include "timing_kernel_priv.h"

/* Groups that may still be on their way behind cp.async.wait_group. */
static uint32_t groups_left(const struct event_instr *i)
{
    uint64_t left = event_integer(event_operand_at(i, 0));
    return left < TIMING_GROUPS - 1 ? (uint32_t)left : TIMING_GROUPS - 1;
}

static bool is_asynchronous(const struct event_instr *i)
{
    return i->isa.op == ISA_OP_CP && event_has(i, ISA_MOD_ASYNC);
}

struct timing_async timing_async_of(const struct event_instr *i)
{
    if (!is_asynchronous(i) || timing_is_bulk(i) || event_has(i, ISA_MOD_MBARRIER))
        return (struct timing_async){TIMING_ASYNC_NONE, 0};
    if (event_has(i, ISA_MOD_COMMIT_GROUP)) return (struct timing_async){TIMING_ASYNC_COMMIT, 0};
    if (event_has(i, ISA_MOD_WAIT_ALL)) return (struct timing_async){TIMING_ASYNC_WAIT, 0};
    if (event_has(i, ISA_MOD_WAIT_GROUP)) return (struct timing_async){TIMING_ASYNC_WAIT, 1 + groups_left(i)};
    return (struct timing_async){TIMING_ASYNC_COPY, 0};
}

enum timing_phase timing_phase_of(const struct event_instr *i)
{
    bool mbarrier = i->isa.op == ISA_OP_MBARRIER;
    if (mbarrier && (event_has(i, ISA_MOD_TEST_WAIT) || event_has(i, ISA_MOD_TRY_WAIT)))
        return TIMING_PHASE_WAIT;
    if (mbarrier && (event_has(i, ISA_MOD_ARRIVE) || event_has(i, ISA_MOD_ARRIVE_DROP)))
        return TIMING_PHASE_ARRIVE;
    bool copies = is_asynchronous(i) && event_has(i, ISA_MOD_MBARRIER) && event_has(i, ISA_MOD_ARRIVE);
    return copies ? TIMING_PHASE_ARRIVE : TIMING_PHASE_NONE;
}

bool timing_is_bulk(const struct event_instr *i)
{
    return is_asynchronous(i) && event_has(i, ISA_MOD_BULK);
}

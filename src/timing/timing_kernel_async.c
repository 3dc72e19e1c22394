/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async and mbarriers: which copies a warp waits for.
 *
 * Models: copies to shared memory that go on behind the instruction; groups of them as cp.async.commit_group
 * closes them, and waits for all but the latest so many (PTX ISA, "Data Movement and Conversion: Asynchronous
 * copy"). Groups stand where registers do, behind a kernel's own: what is on its way in one becomes what a
 * wait for it has as an operand. Does not model: more than TIMING_GROUPS - 1 groups on their way (older ones
 * join the oldest, and nobody waits for all but the last TIMING_GROUPS - 1 or more); bulk copies that
 * are waited for as groups. What mbarriers hold is not known here: the replay says who waits for which phase
 * (model_phase.c), and how often a warp asks before it is over does not count. */
#include "timing_kernel_priv.h"

#include <stdlib.h>
#include <string.h>

static bool begins(const char *op, const char *with)
{
    size_t length = strlen(with);
    return strncmp(op, with, length) == 0 && (op[length] == '.' || op[length] == 0);
}

/* "cp.async.wait_group 1;", as PTX has it: the number behind the opcode, a guard before it or not */
static uint32_t groups_left(const struct event_instr *i)
{
    const char *at = i->text ? strstr(i->text, "wait_group") : NULL;
    unsigned long left = at ? strtoul(at + strlen("wait_group"), NULL, 0) : 0;
    return left < TIMING_GROUPS - 1 ? (uint32_t)left : TIMING_GROUPS - 1;
}

struct timing_async timing_async_of(const struct event_instr *i)
{
    if (!begins(i->op, "cp.async") || begins(i->op, "cp.async.bulk") || begins(i->op, "cp.async.mbarrier"))
        return (struct timing_async){TIMING_ASYNC_NONE, 0};
    if (begins(i->op, "cp.async.commit_group")) return (struct timing_async){TIMING_ASYNC_COMMIT, 0};
    if (begins(i->op, "cp.async.wait_all")) return (struct timing_async){TIMING_ASYNC_WAIT, 0};
    if (begins(i->op, "cp.async.wait_group"))
        return (struct timing_async){TIMING_ASYNC_WAIT, 1 + groups_left(i)};
    return (struct timing_async){TIMING_ASYNC_COPY, 0};
}

enum timing_phase timing_phase_of(const struct event_instr *i)
{
    if (begins(i->op, "mbarrier.test_wait") || begins(i->op, "mbarrier.try_wait")) return TIMING_PHASE_WAIT;
    if (begins(i->op, "mbarrier.arrive") || begins(i->op, "mbarrier.arrive_drop") ||
        begins(i->op, "cp.async.mbarrier.arrive"))
        return TIMING_PHASE_ARRIVE;
    return TIMING_PHASE_NONE;
}

bool timing_is_bulk(const struct event_instr *i)
{
    return begins(i->op, "cp.async.bulk") || begins(i->op, "cp.reduce.async.bulk");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The predicted time of launches, and of their instructions: the model of time as the tools feed it, and its
 * encoding in records. Limits: as session_record.c's; numbers with a fraction are kept bit by bit. */
#include "session_priv.h"

#include "arch/arch.h"
#include "timing/timing_kernel.h"
#include "timing/timing_routine.h"

#include <stdlib.h>
#include <string.h>

static const struct arch_gpu *gpu_of(struct session_times *times, const struct event_launch *launch)
{
    return arch_gpu_of(times->gpus->at, times->gpus->count, launch->gpu);
}

void session_times_end(struct session_times *times, struct event_launch *launch)
{
    const struct arch_gpu *gpu = gpu_of(times, launch);
    times->id = launch->id;
    if (launch->time) { /* it is known from another */
        times->last = *launch->time;
        times->known = true;
        return;
    }
    if (launch->routine) {
        times->known = gpu && launch->status == SW_OK && timing_routine(gpu, launch->routine, &times->last);
        launch->time = times->known ? &times->last : NULL;
        return;
    }
    free(times->stalls);
    times->stalls = sw_xcalloc(launch->kernel->instr_count + 1ull, sizeof *times->stalls);
    times->known =
        gpu && launch->status == SW_OK &&
        timing_kernel(gpu, session_plans_get(times->plans, gpu, launch), launch, &times->last, times->stalls);
    launch->time = times->known ? &times->last : NULL;
    launch->stalls = times->known ? times->stalls : NULL;
}

bool session_times_of(const struct session_times *times, const struct event_launch *launch,
                      struct event_time *out)
{
    if (!times->known || times->id != launch->id) return false;
    *out = times->last;
    return true;
}

uint64_t session_times_path(struct session_times *times, const struct event_launch *launch, uint64_t bytes,
                            uint64_t *path)
{
    const struct arch_gpu *gpu = gpu_of(times, launch);
    if (!gpu) return 0;
    return timing_clock_path(gpu, session_plans_get(times->plans, gpu, launch), launch, bytes, path);
}

static void put_real(struct str *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    session_put_u64(out, bits);
}

/* None of a model's numbers is infinite, or more than integers hold. */
static double get_real(struct session_cursor *cursor)
{
    static const double MOST = 1e18; /* definition: below 2^63 */
    uint64_t bits = session_get_u64(cursor);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!(value >= -MOST && value <= MOST)) cursor->bad = true;
    return cursor->bad ? 0 : value;
}

/* One that is shown as an integer. */
static double get_amount(struct session_cursor *cursor)
{
    double value = get_real(cursor);
    if (value < 0) cursor->bad = true;
    return cursor->bad ? 0 : value;
}

void session_encode_time(struct str *out, const struct event_time *t)
{
    session_put_u32(out, t != NULL);
    if (!t) return;
    session_put_u64(out, t->duration_ns);
    put_real(out, t->sm_share);
    session_put_u64(out, t->clock_khz);
    put_real(out, t->cycles);
    session_put_u32(out, t->limit);
    for (int i = 0; i < EVENT_LIMIT_COUNT; i++)
        put_real(out, t->busy[i]);
    put_real(out, t->instructions);
    put_real(out, t->warps_active);
    for (int i = 0; i < EVENT_STALL_COUNT; i++)
        put_real(out, t->stalls[i]);
    session_put_u32(out, t->validated);
    session_put_u32(out, t->error_percent);
}

const struct event_time *session_decode_time(struct session_cursor *cursor)
{
    if (!session_get_u32(cursor)) return NULL;
    struct event_time *t = ARENA_NEW(cursor->arena, struct event_time);
    t->duration_ns = session_get_u64(cursor);
    t->sm_share = get_real(cursor);
    t->clock_khz = session_get_u64(cursor);
    t->cycles = get_amount(cursor);
    t->limit = session_get_u32(cursor);
    for (int i = 0; i < EVENT_LIMIT_COUNT; i++)
        t->busy[i] = get_real(cursor);
    t->instructions = get_amount(cursor);
    t->warps_active = get_real(cursor);
    for (int i = 0; i < EVENT_STALL_COUNT; i++)
        t->stalls[i] = get_real(cursor);
    t->validated = session_get_u32(cursor) != 0;
    t->error_percent = session_get_u32(cursor);
    if (t->limit >= EVENT_LIMIT_COUNT) cursor->bad = true;
    return t;
}

/* Of each instruction that has any, by its distance from the one before: which reasons, as bits, and for how
 * long. */
void session_encode_stalls(struct str *out, const struct event_stalls *stalls, uint32_t instr_count)
{
    uint32_t before = 0, count = 0, *reasons = sw_xcalloc(instr_count + 1ull, sizeof *reasons);
    for (uint32_t i = 0; stalls && i < instr_count; i++) {
        for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++)
            reasons[i] |= stalls[i].cycles[r] ? 1u << r : 0;
        count += reasons[i] != 0;
    }
    session_put_u32(out, stalls != NULL);
    session_put_u32(out, count);
    for (uint32_t i = 0; count && i < instr_count; i++) {
        if (!reasons[i]) continue;
        session_put_varint(out, i - before);
        session_put_varint(out, reasons[i]);
        for (uint32_t left = reasons[i]; left; left &= left - 1)
            session_put_varint(out, stalls[i].cycles[__builtin_ctz(left)]);
        before = i;
    }
    free(reasons);
}

const struct event_stalls *session_decode_stalls(struct session_cursor *cursor, uint32_t instr_count)
{
    bool known = session_get_u32(cursor) != 0;
    uint32_t count = session_get_count(cursor, 3);
    if (!known) return NULL;
    struct event_stalls *stalls = ARENA_ARRAY(cursor->arena, struct event_stalls, instr_count + 1ull);
    memset(stalls, 0, (instr_count + 1ull) * sizeof *stalls);
    for (uint64_t i = 0; count && !cursor->bad; count--) {
        i += session_get_varint(cursor);
        uint64_t reasons = session_get_varint(cursor);
        if (i >= instr_count || reasons >> EVENT_STALL_COUNT) cursor->bad = true;
        for (; reasons && !cursor->bad; reasons &= reasons - 1)
            stalls[i].cycles[__builtin_ctzll(reasons)] = session_get_varint(cursor);
    }
    return stalls;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions of DRAM that addresses name themselves.
 *
 * Models: GPUs on which pieces of so many bytes lie in one partition after the other. Each has its share of
 * the bandwidth, so that warps which ask one partition at a time wait for it while the others idle (partition
 * camping). What lines are read for goes to the line's partition, what L2 writes back to that of the line
 * which leaves. How uneven it was is counted over windows of so many sectors, in the order in which they are
 * asked for: over a whole launch all partitions may well have had as much.
 *
 * Does not model: which partition an allocation begins in (here, the first); banks of a partition.
 *
 * Sources: Ruetsch, Micikevicius: Optimizing Matrix Transpose in CUDA (2009): 256 bytes, 6 partitions of
 * GPUs of compute capability 1.0 and 1.1, 8 of 1.3; gpus/NAME.ini. Without partitions in its file a GPU
 * spreads addresses by a hash. */
#include "model_cache_priv.h"

#include <string.h>

enum { /* of a partition, inferred */
       WINDOW_SECTORS = 256,
       QUEUE_SECTORS = 64 /* that wait to be written and hold nobody up */
};

void model_channels_begin(struct model_memory *m)
{
    struct model_channels *c = &m->clock.channels;
    uint64_t count = m->params.gpu.dram_partitions;
    c->count = (uint32_t)(count < MODEL_DRAM_PARTITIONS ? count : MODEL_DRAM_PARTITIONS);
    if (!c->calendars.stride) {
        model_calendars_init(&c->calendars, c->count);
        for (uint32_t i = 0; i < c->count; i++)
            model_calendar_init(&c->partitions[i], &c->calendars, i);
    }
    c->window = 0;
    memset(c->sectors, 0, sizeof c->sectors);
}

static uint32_t partition_of(const struct model_memory *m, uint64_t line)
{
    uint64_t bytes = m->params.gpu.dram_partition_bytes;
    return (uint32_t)((line << EVENT_LINE_SHIFT) / (bytes ? bytes : 1) % m->clock.channels.count);
}

static void end_window(struct model_memory *m)
{
    struct model_channels *c = &m->clock.channels;
    uint64_t most = 0;
    for (uint32_t i = 0; i < c->count; i++)
        most = c->sectors[i] > most ? c->sectors[i] : most;
    m->result.dram_even += c->window;
    m->result.dram_uneven += most * c->count;
    c->window = 0;
    memset(c->sectors, 0, sizeof c->sectors);
}

void model_channels_end(struct model_memory *m)
{
    if (m->clock.channels.window) end_window(m);
}

static model_time ask(struct model_memory *m, uint64_t line, uint64_t sectors, model_time now, uint64_t work)
{
    struct model_channels *c = &m->clock.channels;
    uint32_t which = partition_of(m, line);
    c->sectors[which] += sectors;
    c->window += sectors;
    if (c->window >= (uint64_t)WINDOW_SECTORS * c->count) end_window(m);
    return model_clock_claim(&m->clock, &c->partitions[which], now, work * c->count);
}

model_time model_channels_take(struct model_memory *m, uint64_t line, const struct model_dram_work *in,
                               const struct model_dram_work *out, model_time now)
{
    model_time done = now;
    if (!m->clock.channels.count) {
        done = model_clock_claim(&m->clock, &m->clock.dram, now, in->work + out->work);
        return in->sectors ? done : now;
    }
    if (out->sectors) {
        uint64_t held = out->work / out->sectors * m->clock.channels.count * QUEUE_SECTORS;
        model_time written = ask(m, m->l2.left, out->sectors, now, out->work);
        model_time room = held * MODEL_TICK / 1000;
        if (written > now + room) done = written - room;
    }
    if (in->sectors) {
        model_time read = ask(m, line, in->sectors, now, in->work);
        if (read > done) done = read;
    }
    return done;
}

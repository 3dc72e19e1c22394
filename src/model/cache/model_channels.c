/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions of DRAM that addresses name themselves.
 *
 * Models: GPUs on which pieces of so many bytes lie in one partition after the other. Each has its share of
 * the bandwidth, so that warps which ask one partition at a time wait for it while the others idle (partition
 * camping). What lines are read for goes to the line's partition, what L2 writes back to that of the line
 * which leaves. Where its file says so, each bank of a partition has a row open, rows lie in banks in turn,
 * and to open another takes the partition some cycles more. A partition has room for some sectors that wait
 * to be written; a store that finds none holds its multiprocessor's way to memory until there is. How uneven
 * it was is counted over windows of so many sectors, in the order in which they are asked for: over a whole
 * launch all partitions may well have had as much.
 *
 * Does not model: which partition an allocation begins in (here, the first); rows that are opened while data
 * of another bank moves, or that a bank cannot open yet; turns between reading and writing.
 *
 * Sources: Ruetsch, Micikevicius: Optimizing Matrix Transpose in CUDA (2009): 256 bytes, 6 partitions of
 * GPUs of compute capability 1.0 and 1.1, 8 of 1.3, and how fast its transposes are, by which rows and the
 * way that is held were looked at; gpus/NAME.ini. Without partitions in its file a GPU spreads addresses by a
 * hash. */
#include "model/cache/model_slices.h"

#include <string.h>

enum { /* of a partition; inferred from the transposes of Ruetsch, Micikevicius */
       WINDOW_SECTORS = 256,
       QUEUE_SECTORS = 64 /* that wait to be written and hold nobody up */
};

void model_channels_begin(struct model_dram *dram)
{
    struct model_channels *c = &dram->channels;
    uint64_t count = dram->params->gpu.dram_partitions;
    c->count = (uint32_t)(count < MODEL_DRAM_PARTITIONS ? count : MODEL_DRAM_PARTITIONS);
    if (!c->reservations.stride) {
        model_reservations_init(&c->reservations, c->count);
        for (uint32_t i = 0; i < c->count; i++)
            model_reservation_init(&c->partitions[i], &c->reservations, i);
    }
    c->window = c->even = c->uneven = 0;
    memset(c->sectors, 0, sizeof c->sectors);
    memset(c->rows, 0, sizeof c->rows);
}

static uint64_t piece_of(const struct model_dram *dram)
{
    uint64_t bytes = dram->params->gpu.dram_partition_bytes;
    return bytes ? bytes : 1;
}

static uint32_t partition_of(const struct model_dram *dram, uint64_t line)
{
    return (uint32_t)((line << EVENT_LINE_SHIFT) / piece_of(dram) % dram->channels.count);
}

static void end_window(struct model_channels *c)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < c->count; i++)
        most = c->sectors[i] > most ? c->sectors[i] : most;
    c->even += c->window;
    c->uneven += most * c->count;
    c->window = 0;
    memset(c->sectors, 0, sizeof c->sectors);
}

void model_channels_end(struct model_channels *channels)
{
    if (channels->window) end_window(channels);
}

/* The row that a line lies in, of those of its partition. */
static uint64_t channels_row_of(const struct model_dram *dram, uint64_t line)
{
    uint64_t address = line << EVENT_LINE_SHIFT, piece = piece_of(dram);
    uint64_t within = address / (piece * dram->channels.count) * piece + address % piece;
    return within / (dram->params->gpu.dram_row_bytes ? dram->params->gpu.dram_row_bytes : 1);
}

/* What it takes the partition until the line's row is open, in thousandths of a cycle. */
static uint64_t opening(struct model_dram *dram, uint32_t which, uint64_t line, double scale)
{
    enum { THOUSAND = 1000 }; /* definition */
    const struct arch_cache *p = &dram->params->gpu;
    uint64_t banks = p->dram_banks < MODEL_DRAM_BANKS ? p->dram_banks : MODEL_DRAM_BANKS;
    if (!banks) return 0;
    uint64_t row = channels_row_of(dram, line), *open = &dram->channels.rows[which][row % banks];
    if (*open == row + 1) return 0;
    *open = row + 1;
    return (uint64_t)((double)(p->dram_activate_cycles * THOUSAND) * scale);
}

static model_time channels_ask(struct model_dram *dram, const struct model_dram_work *what, model_time now)
{
    struct model_channels *c = &dram->channels;
    uint32_t which = partition_of(dram, what->line);
    c->sectors[which] += what->sectors;
    c->window += what->sectors;
    if (c->window >= (uint64_t)WINDOW_SECTORS * c->count) end_window(c);
    return model_reservation_claim(&dram->used, &c->partitions[which], now,
                                   what->work * c->count + opening(dram, which, what->line, what->scale));
}

model_time model_channels_take(struct model_dram *dram, const struct model_dram_work *in,
                               const struct model_dram_work *out, model_time now)
{
    model_time done = now;
    if (!dram->channels.count) {
        done = model_reservation_claim(&dram->used, &dram->server, now, in->work + out->work);
        return in->sectors ? done : now;
    }
    if (out->sectors) {
        uint64_t held = (uint64_t)dram->rates->dram_sector * dram->channels.count * QUEUE_SECTORS;
        model_time written = channels_ask(dram, out, now);
        model_time slack = held * MODEL_TICK / 1000;
        if (written > now + slack) done = dram->channels.held = written - slack;
    }
    if (in->sectors) {
        model_time read = channels_ask(dram, in, now);
        if (read > done) done = read;
    }
    return done;
}

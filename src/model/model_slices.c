/* SPDX-License-Identifier: Apache-2.0 */
/* The time that slices of L2 and DRAM take for what goes beyond L1.
 *
 * Models: each slice, and DRAM, is a server with a reservation table. Atomics of one line go one after the
 * other, and take their own time where the slice did those of no other line for 64 requests. A store takes a
 * slice as long as a request does, however few its sectors, unless an earlier one takes it along. DRAM is
 * longer with the first access to a row that is read, and with each line that is written. A line that DRAM
 * fills because sectors of it were written in part takes a slice a while, once for each run of such sectors,
 * but for lines of a region of 8 KiB, of which only the first does; and a store to a line that is being
 * filled holds its slice, as long as DRAM takes.
 *
 * Does not model: which words of a sector lanes want; channels of DRAM, of which some are asked more than
 * others, but for those that addresses name (model_channels.c); which slice fills a line (that of the request
 * which made it leave counts).
 *
 * Sources: rates: section [kernels] of gpus/NAME.ini; 512 bytes of each slice in turn: lts__t_sectors.max of
 * scatter, red_random and histogram (tests/hw/memory/h200); a slice takes a request that writes in one of its
 * cycles: lts__t_requests and lts__t_sectors of scatter over 1 MiB and bit_reverse. 64: assumed; of
 * red_apart_float, 2112 warps at one word take 2.68 cycles a lane, at neighbouring words 1.12. Fills:
 * scatter_words and scatter_runs of tests/hw/memory/contention.def: what they take over 64 and 128 MiB is
 * what they take over 1 MiB and 46 ps more for each fill, be it of one sector, two or four beside each other;
 * fill and write_stride, of which neighbours are filled, are as fast as DRAM. Over 16 MiB, where stores often
 * find their line being filled, they take 22 to 48 % longer than that, however many they are. */
#include "model_cache_priv.h"

#include <string.h>

/* Neighbours of 512 bytes lie in different slices: measured (lts__t_sectors.max, as above). */
static uint32_t slice_of(const struct model_clock *c, uint64_t line)
{
    enum { LINES = 2, NEAR = 5 }; /* as powers of two: measured; assumed, that so many differ */
    uint64_t chunk = line >> LINES, near = chunk & ((1u << NEAR) - 1);
    return model_remainder_wide(model_mix(chunk >> NEAR) + near, c->part->slices);
}

/* Below 2^63, of which hosts make a double in one step. */
static uint64_t scaled(uint64_t work, double by)
{
    return (uint64_t)(int64_t)((double)(int64_t)work * by);
}

/* DRAM moves whole bursts. */
static uint64_t bursts(const struct model_memory *m, uint64_t sectors)
{
    enum { TWO_SECTORS = 64 }; /* definition: bytes */
    return sectors + (m->params.gpu.dram_burst_bytes >= TWO_SECTORS ? sectors & 1 : 0);
}

/* 1: of regions of DRAM this one was not among the last. */
static uint32_t is_new(uint32_t *regions, uint32_t count, uint32_t region)
{
    uint32_t *last = &regions[model_mix(region) >> 20 & (count - 1)], name = region + 1;
    bool fresh = *last != name;
    *last = name;
    return fresh;
}

/* What DRAM reads and writes for the last request; false: nothing. */
static bool dram_work(struct model_memory *m, struct model_dram_work *in, struct model_dram_work *out,
                      uint64_t *refills)
{
    const struct model_rates *r = &m->costs.rates;
    struct model_clock *c = &m->clock;
    double each = c->part->dram;
    uint64_t read = 0, write = 0;
    if (!m->l2.moved_count) return false;
    *in = *out = (struct model_dram_work){0};
    for (uint32_t i = 0; i < m->l2.moved_count; i++) {
        const struct model_moved *moved = &m->l2.moved[i];
        in->sectors += moved->read;
        out->sectors += moved->written;
        read += bursts(m, moved->read) * r->dram_sector;
        if (moved->read) read += is_new(c->rows, MODEL_ROWS, moved->key >> MODEL_ROW_SHIFT) * r->dram_row;
        if (moved->written) write += bursts(m, moved->written) * r->dram_sector + r->dram_write;
        if (moved->fills)
            *refills += moved->fills * is_new(c->regions, MODEL_REGIONS, moved->key >> MODEL_REGION_SHIFT);
    }
    in->work = scaled(read, each);
    out->work = scaled(write, each);
    return c->rows_opened = true;
}

model_time model_clock_slice(struct model_memory *m, uint64_t line, uint64_t work, model_time at)
{
    struct model_clock *c = &m->clock;
    return model_clock_claim(c, &c->slices[slice_of(c, line)], at, scaled(work, c->part->l2));
}

static struct model_filled *filled_at(struct model_clock *c, uint32_t key)
{
    return &c->filled[model_mix(key) >> 20 & (MODEL_FILLED_LINES - 1)];
}

/* Lines that the last request makes DRAM fill are there at `when`. */
static void set_filled(struct model_memory *m, model_time when)
{
    m->clock.lines_filled = true;
    for (uint32_t i = 0; i < m->l2.moved_count; i++)
        if (m->l2.moved[i].fills)
            *filled_at(&m->clock, m->l2.moved[i].key) = (struct model_filled){m->l2.moved[i].key, when};
}

static bool is_being_filled(struct model_clock *c, uint64_t line, model_time now)
{
    if (!c->lines_filled) return false;
    const struct model_filled *f = filled_at(c, model_tags_key(line));
    return f->when > now && f->key == model_tags_key(line);
}

/* What a request that went beyond L1 asks of a slice of L2 (thousandths of a cycle) and of DRAM; when both
 * have done it, and not before `done`. */
static model_time ask_slice(struct model_memory *m, uint64_t line, uint64_t work, bool writes, model_time now,
                            model_time done)
{
    struct model_clock *c = &m->clock;
    struct model_dram_work in, out;
    uint64_t refills = 0;
    m->dram_there = 0;
    bool moves = dram_work(m, &in, &out, &refills);
    work += refills * m->costs.rates.l2_refill * c->slice_count;
    struct model_reservation *slice = &c->slices[slice_of(c, line)];
    model_time other = model_clock_claim(c, slice, now, scaled(work, c->part->l2));
    if (writes && is_being_filled(c, line, other))
        other = model_clock_claim(c, slice, other, scaled(m->costs.rates.l2_filling, c->part->l2));
    if (other > done) done = other;
    if (!moves) return done;
    if (refills) set_filled(m, other + m->params.gpu.dram_cycles * MODEL_TICK);
    other = model_channels_take(m, line, &in, &out, now);
    if (m->l2.was_brought) return done;
    m->dram_there = other;
    return other > done ? other : done;
}

model_time model_clock_read(struct model_memory *m, uint32_t sm, uint64_t line, uint32_t sectors,
                            uint64_t fabric, model_time now)
{
    struct model_clock *c = &m->clock;
    const struct model_rates *r = &m->costs.rates;
    uint64_t each = sectors * (uint64_t)r->l2_sector + fabric * r->l2_fabric;
    model_time done = model_clock_claim(c, &c->sms[sm].units[MODEL_FILL], now, (uint64_t)sectors * r->fill);
    done = ask_slice(m, line, each * c->slice_count, false, now, done);
    done = model_invalidation_read(m, line, fabric > 0, done);
    return model_host_crosses(m, line, sectors, true, false, now, done) - now;
}

model_time model_clock_write(struct model_memory *m, uint32_t sm, uint64_t line, uint32_t sectors,
                             uint64_t fabric, uint32_t how, model_time now)
{
    struct model_clock *c = &m->clock;
    const struct model_rates *r = &m->costs.rates;
    uint64_t packets =
        (uint64_t)sectors + (how & MODEL_PARTIAL) / MODEL_PARTIAL; /* which bytes are written */
    uint64_t each = sectors * (uint64_t)r->l2_sector;
    model_time done = model_clock_claim(c, &c->sms[sm].units[MODEL_OUT], now, packets * r->store);
    if (!(how & MODEL_JOINS) && each < r->l2_request) each = r->l2_request;
    each += fabric * r->l2_fabric + sectors * (uint64_t)r->l2_write;
    c->channels.held = 0;
    done = ask_slice(m, line, each * c->slice_count, true, now, done);
    done = model_invalidation_write(m, line, done);
    if (c->channels.held > c->sms[sm].held) c->sms[sm].held = c->channels.held;
    return model_host_crosses(m, line, sectors, false, true, now, done) - now;
}

/* The slice did the atomics of many requests, all of this line; those of other lines would go between them.
 */
static bool is_alone(struct model_clock *c, uint32_t slice, uint64_t line)
{
    enum { MANY = 64 }; /* assumed, as above */
    struct model_last *last = &c->last[slice];
    if (last->request != c->request)
        *last = (struct model_last){c->request, line, last->line == line ? last->requests + 1 : 1};
    return last->line == line && last->requests > MANY;
}

model_time model_clock_atomic(struct model_memory *m, uint32_t sm, uint64_t line, uint32_t sectors,
                              uint64_t fabric, model_time now)
{
    struct model_clock *c = &m->clock;
    const struct model_rates *r = &m->costs.rates;
    bool alone = is_alone(c, slice_of(c, line), line);
    uint64_t work =
        fabric * r->l2_fabric * c->slice_count + (uint64_t)sectors * (alone ? c->atomic_alone : c->atomic);
    model_time done = model_clock_claim(c, &c->sms[sm].units[MODEL_OUT], now, (uint64_t)sectors * r->store);
    done = ask_slice(m, line, work, false, now, done);
    done = model_invalidation_write(m, line, done);
    return model_host_crosses(m, line, sectors, true, true, now, done) - now;
}

/* What is found in L2 may still be on its way from DRAM; when it is there. */
model_time model_clock_line(struct model_memory *m, uint64_t line, bool from_dram, model_time comes)
{
    struct model_coming *c = &m->clock.coming[model_mix(line) >> 20 & (MODEL_COMING_LINES - 1)];
    if (from_dram) {
        *c = (struct model_coming){line, comes += m->costs.rates.dram * MODEL_TICK};
        m->clock.lines_came = true;
    } else if (c->line == line && c->when > comes)
        return c->when;
    return comes;
}

void model_clock_prefetch(const struct model_clock *c, uint64_t line, bool load)
{
    if (load) __builtin_prefetch(&c->coming[model_mix(line) >> 20 & (MODEL_COMING_LINES - 1)], 1);
}

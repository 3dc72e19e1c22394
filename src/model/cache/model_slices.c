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
#include "model/cache/model_slices.h"

#include <stdlib.h>
#include <string.h>

/* ---- DRAM */

void model_dram_init(struct model_dram *dram, const struct model_params *params,
                     const struct model_rates *rates)
{
    *dram = (struct model_dram){.params = params, .rates = rates};
    model_reservations_init(&dram->of_server, 1);
    model_reservation_init(&dram->server, &dram->of_server, 0);
}

void model_dram_release(struct model_dram *dram)
{
    model_reservations_release(&dram->of_server);
    model_reservations_release(&dram->channels.reservations);
}

size_t model_dram_bytes(const struct model_dram *dram)
{
    return model_reservations_bytes(&dram->of_server) +
           model_reservations_bytes(&dram->channels.reservations);
}

void model_dram_begin(struct model_dram *dram)
{
    model_reservations_empty(&dram->used);
    if (dram->rows_opened) {
        memset(dram->rows, 0, sizeof dram->rows);
        memset(dram->regions, 0, sizeof dram->regions);
    }
    dram->rows_opened = false;
    model_channels_begin(dram);
}

/* Below 2^63, of which hosts make a double in one step. */
static uint64_t scaled(uint64_t work, double by)
{
    return (uint64_t)(int64_t)((double)(int64_t)work * by);
}

/* DRAM moves whole bursts. */
static uint64_t bursts(const struct model_dram *dram, uint64_t sectors)
{
    enum { TWO_SECTORS = 64 }; /* definition: bytes */
    return sectors + (dram->params->gpu.dram_burst_bytes >= TWO_SECTORS ? sectors & 1 : 0);
}

/* 1: of regions of DRAM this one was not among the last. */
static uint32_t is_new(uint32_t *regions, uint32_t count, uint32_t region)
{
    uint32_t *last = &regions[model_mix(region) >> 20 & (count - 1)], name = region + 1;
    bool fresh = *last != name;
    *last = name;
    return fresh;
}

/* What DRAM reads and writes for the last request of L2, whose sectors are there in `in` and `out`; returns
 * how many runs of sectors it fills. */
static uint64_t dram_work(struct model_dram *dram, const struct model_l2 *l2, struct model_dram_work *in,
                          struct model_dram_work *out)
{
    const struct model_rates *r = dram->rates;
    uint64_t read = 0, write = 0, refills = 0;
    for (uint32_t i = 0; i < l2->moved_count; i++) {
        const struct model_moved *moved = &l2->moved[i];
        in->sectors += moved->read;
        out->sectors += moved->written;
        read += bursts(dram, moved->read) * r->dram_sector;
        if (moved->read) read += is_new(dram->rows, MODEL_ROWS, moved->key >> MODEL_ROW_SHIFT) * r->dram_row;
        if (moved->written) write += bursts(dram, moved->written) * r->dram_sector + r->dram_write;
        if (moved->fills)
            refills += moved->fills * is_new(dram->regions, MODEL_REGIONS, moved->key >> MODEL_REGION_SHIFT);
    }
    in->work = scaled(read, in->scale);
    out->work = scaled(write, out->scale);
    dram->rows_opened = true;
    return refills;
}

/* ---- a launch */

void model_slices_init(struct model_slices *s, struct model_l2 *l2, const struct model_rates *rates)
{
    const struct model_params *params = l2->params;
    *s = (struct model_slices){.params = params, .rates = rates, .l2 = l2};
    model_dram_init(&s->dram, params, rates);
    s->links = (struct model_links){.rates = rates};
    s->invalidations = (struct model_invalidations){.params = params, .rates = rates, .l2 = l2};
    if (l2->partitions > 1)
        s->invalidations.lines = sw_xcalloc(MODEL_INVALIDATED_LINES, sizeof *s->invalidations.lines);
    s->count = (uint32_t)(params->l2_bytes / MODEL_SLICE_BYTES);
    if (s->count > MODEL_SLICES) s->count = MODEL_SLICES;
    if (s->count < 1) s->count = 1;
    model_reservations_init(&s->reservations, s->count);
    for (uint32_t i = 0; i < s->count; i++)
        model_reservation_init(&s->list[i], &s->reservations, i);
}

void model_slices_release(struct model_slices *s)
{
    free(s->invalidations.lines);
    model_dram_release(&s->dram);
    model_reservations_release(&s->reservations);
}

size_t model_slices_bytes(const struct model_slices *s)
{
    return model_reservations_bytes(&s->reservations) + model_dram_bytes(&s->dram) +
           (s->invalidations.lines ? MODEL_INVALIDATED_LINES * sizeof *s->invalidations.lines : 0);
}

/* Only what the last launch used is emptied: a device's reservation tables are megabytes. */
void model_slices_begin(struct model_slices *s)
{
    struct model_invalidations *v = &s->invalidations;
    model_reservations_empty(&s->used);
    model_dram_begin(&s->dram);
    if (s->lines_came) memset(s->coming, 0, sizeof s->coming);
    if (s->lines_filled) memset(s->filled, 0, sizeof s->filled);
    if (v->any) memset(v->lines, 0, MODEL_INVALIDATED_LINES * sizeof *v->lines);
    s->lines_came = s->lines_filled = v->any = false;
    memset(s->last, 0, sizeof s->last);
    memset(s->links.until, 0, sizeof s->links.until);
    s->request = 0;
    s->end = s->stored = 0;
    for (uint32_t i = 0; i < MODEL_SAMPLED_GROUPS; i++)
        s->parts[i] = (struct model_sampled_part){model_divisor_wide(s->count), 1, 1};
    s->part = s->parts;
}

void model_slices_request(struct model_slices *s, uint32_t instr, const struct model_step *step)
{
    s->atomic = step->atomic;
    s->atomic_alone = step->atomic_alone;
    s->request++;
    s->part = &s->parts[instr % MODEL_SAMPLED_GROUPS];
    s->stored = 0;
}

/* ---- requests */

/* Neighbours of 512 bytes lie in different slices: measured (lts__t_sectors.max, as above). */
static uint32_t slice_of(const struct model_slices *s, uint64_t line)
{
    enum { LINES = 2, NEAR = 5 }; /* as powers of two: measured; assumed, that so many differ */
    uint64_t chunk = line >> LINES, near = chunk & ((1u << NEAR) - 1);
    return model_remainder_wide(model_mix(chunk >> NEAR) + near, s->part->slices);
}

/* What a slice takes; when it has done it. */
static model_time slices_take(struct model_slices *s, struct model_reservation *slice, uint64_t work,
                              model_time at)
{
    return model_reservation_claim(&s->used, slice, at, scaled(work, s->part->l2));
}

static struct model_filled *filled_at(struct model_slices *s, uint32_t key)
{
    return &s->filled[model_mix(key) >> 20 & (MODEL_FILLED_LINES - 1)];
}

/* Lines that the last request makes DRAM fill are there at `when`. */
static void set_filled(struct model_slices *s, model_time when)
{
    s->lines_filled = true;
    for (uint32_t i = 0; i < s->l2->moved_count; i++)
        if (s->l2->moved[i].fills)
            *filled_at(s, s->l2->moved[i].key) = (struct model_filled){s->l2->moved[i].key, when};
}

static bool is_being_filled(struct model_slices *s, uint64_t line, model_time now)
{
    if (!s->lines_filled) return false;
    const struct model_filled *f = filled_at(s, model_tags_key(line));
    return f->when > now && f->key == model_tags_key(line);
}

/* What a request that went beyond L1 asks of a slice of L2 (thousandths of a cycle) and of DRAM; when both
 * have done it, and not before `done`. */
static model_time ask_slice(struct model_slices *s, uint64_t line, uint64_t work, bool writes, model_time now,
                            model_time done)
{
    struct model_dram_work in = {.line = line, .scale = s->part->dram};
    struct model_dram_work out = {.line = s->l2->left, .scale = s->part->dram};
    bool moves = s->l2->moved_count > 0;
    uint64_t refills = moves ? dram_work(&s->dram, s->l2, &in, &out) : 0;
    s->dram.there = 0;
    work += refills * s->rates->l2_refill * s->count;
    struct model_reservation *slice = &s->list[slice_of(s, line)];
    model_time other = slices_take(s, slice, work, now);
    if (writes && is_being_filled(s, line, other)) other = slices_take(s, slice, s->rates->l2_filling, other);
    if (other > done) done = other;
    if (!moves) return done;
    if (refills) set_filled(s, other + s->params->gpu.dram_cycles * MODEL_TICK);
    other = model_channels_take(&s->dram, &in, &out, now);
    if (s->l2->was_brought) return done;
    s->dram.there = other;
    return other > done ? other : done;
}

/* When the other part of L2 has given back what a request that writes makes it; meanwhile a slice is held. */
static model_time take_back(struct model_slices *s, uint64_t line, model_time done)
{
    uint64_t held;
    if (!s->invalidations.any && !s->l2->invalidated) return done; /* nearly always */
    model_time goes = model_invalidation_write(&s->invalidations, line, s->count, done, &held);
    if (held) slices_take(s, &s->list[slice_of(s, line)], held, done);
    return goes;
}

static model_time cross(struct model_slices *s, struct model_crossing what, model_time now, model_time done)
{
    what.scale = s->part->dram;
    return model_host_crosses(&s->links, &s->l2->host, &what, now, done);
}

model_time model_slices_read(struct model_slices *s, struct model_port *port, uint64_t line, uint32_t sectors,
                             uint64_t fabric, model_time now)
{
    const struct model_rates *r = s->rates;
    uint64_t each = sectors * (uint64_t)r->l2_sector + fabric * r->l2_fabric;
    model_time done = model_reservation_claim(port->used, port->fill, now, (uint64_t)sectors * r->fill);
    done = ask_slice(s, line, each * s->count, false, now, done);
    done = model_invalidation_read(&s->invalidations, line, fabric > 0, done);
    return cross(s, (struct model_crossing){.line = line, .sectors = sectors, .in = true}, now, done) - now;
}

model_time model_slices_write(struct model_slices *s, struct model_port *port, uint64_t line,
                              uint32_t sectors, uint64_t fabric, uint32_t how, model_time now)
{
    const struct model_rates *r = s->rates;
    uint64_t packets =
        (uint64_t)sectors + (how & MODEL_PARTIAL) / MODEL_PARTIAL; /* which bytes are written */
    uint64_t each = sectors * (uint64_t)r->l2_sector;
    model_time done = model_reservation_claim(port->used, port->out, now, packets * r->store);
    if (!(how & MODEL_JOINS) && each < r->l2_request) each = r->l2_request;
    each += fabric * r->l2_fabric + sectors * (uint64_t)r->l2_write;
    s->dram.channels.held = 0;
    done = ask_slice(s, line, each * s->count, true, now, done);
    done = take_back(s, line, done);
    port->held = model_later(port->held, s->dram.channels.held);
    return cross(s, (struct model_crossing){.line = line, .sectors = sectors, .out = true}, now, done) - now;
}

/* The slice did the atomics of many requests, all of this line; those of other lines would go between them.
 */
static bool is_alone(struct model_slices *s, uint32_t slice, uint64_t line)
{
    enum { MANY = 64 }; /* assumed, as above */
    struct model_last *last = &s->last[slice];
    if (last->request != s->request)
        *last = (struct model_last){s->request, line, last->line == line ? last->requests + 1 : 1};
    return last->line == line && last->requests > MANY;
}

model_time model_slices_atomic(struct model_slices *s, struct model_port *port, uint64_t line,
                               uint32_t sectors, uint64_t fabric, model_time now)
{
    const struct model_rates *r = s->rates;
    struct model_crossing what = {.line = line, .sectors = sectors, .in = true, .out = true};
    bool alone = is_alone(s, slice_of(s, line), line);
    uint64_t work =
        fabric * r->l2_fabric * s->count + (uint64_t)sectors * (alone ? s->atomic_alone : s->atomic);
    model_time done = model_reservation_claim(port->used, port->out, now, (uint64_t)sectors * r->store);
    done = ask_slice(s, line, work, false, now, done);
    return cross(s, what, now, take_back(s, line, done)) - now;
}

model_time model_slices_line(struct model_slices *s, uint64_t line, bool from_dram, model_time comes)
{
    struct model_coming *c = &s->coming[model_mix(line) >> 20 & (MODEL_COMING_LINES - 1)];
    if (from_dram) {
        *c = (struct model_coming){line, comes += s->rates->dram * MODEL_TICK};
        s->lines_came = true;
    } else if (c->line == line && c->when > comes)
        return c->when;
    return comes;
}

void model_slices_prefetch(const struct model_slices *s, uint64_t line, bool load)
{
    if (load) __builtin_prefetch(&s->coming[model_mix(line) >> 20 & (MODEL_COMING_LINES - 1)], 1);
}

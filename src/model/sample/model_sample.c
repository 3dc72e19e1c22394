/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of which some multiprocessors are simulated in detail: what the whole launch would have done.
 *
 * Models: sectors that instructions ask for are counted in all blocks and exact; how many of them L1 finds,
 * and how many reach L2, is taken to be the same share in blocks that are not simulated in detail. What L2
 * and DRAM do is seen in an address set (model_address_set.c). Local memory and constants, which are not seen
 * there, and instructions that access too little are scaled by how many different pieces of lines the whole
 * launch accesses for each that simulated multiprocessors access: the smaller of two estimates, for every
 * instruction by what it accesses (instructions 64 apart together). Of the blocks that the device holds at
 * first all are seen: what all accessed, by what simulated ones accessed (blocks that share with neighbours).
 * And pieces that others accessed then are marks: how many of them simulated multiprocessors access sooner or
 * later says how many blocks share one, if they share by chance. The L2 that simulated multiprocessors ask is
 * made smaller by that number as the first round shows it, for what they wait. What simulated warps lack in
 * L2 others may have brought: in the first round each piece tells how often a simulated warp had waited for
 * data before it accessed it first, and how often any other warp had; where another came sooner, the piece is
 * there. Blocks of later waves, which begin at any time, find it besides as often as another of those that
 * share a piece comes before them.
 *
 * Does not model: blocks that find another share in L1 than those that are simulated in detail; what lies
 * more than a round after a block's begin, for who comes first.
 *
 * Sources: marks: Petersen's method of capture and recapture (Seber, "The Estimation of Animal Abundance",
 * 1982, chapter 3), with the share of blocks in place of a second catch. The error that all this adds:
 * docs/accuracy.md. */
#include "model/sample/model_sample.h"

#include <stdlib.h>
#include <string.h>

/* implementation: of a hash table, and when it is halved. FEW: assumed, pieces that tell enough */
enum { TABLE_SLOTS = 1 << 17, MOST = TABLE_SLOTS / 4 * 3, FEW = 64, GROUPS = MODEL_SAMPLED_GROUPS };

static struct model_sampled_pieces pieces_new(void)
{
    return (struct model_sampled_pieces){.keys = sw_xcalloc(TABLE_SLOTS, sizeof(uint64_t)),
                                         .list = sw_xcalloc(TABLE_SLOTS, sizeof(struct model_sampled_piece))};
}

static void pieces_delete(struct model_sampled_pieces *pieces)
{
    free(pieces->keys);
    free(pieces->list);
}

void model_sample_begin(struct model_sample *s, uint32_t piece_sectors)
{
    s->piece_sectors = piece_sectors == 1 || piece_sectors == 2 ? piece_sectors : EVENT_LINE_SECTORS;
    if (!s->pieces.keys)
        s->pieces = pieces_new();
    else
        memset(s->pieces.keys, 0, TABLE_SLOTS * sizeof *s->pieces.keys);
    s->limit = UINT64_MAX;
    s->count = s->note_count = 0;
    memset(s->brought, 0, sizeof s->brought);
    s->shared = 0;
}

void model_sample_release(struct model_sample *s)
{
    pieces_delete(&s->pieces);
}

size_t model_sample_bytes(const struct model_sample *s)
{
    size_t slot_bytes = sizeof *s->pieces.keys + sizeof *s->pieces.list;
    return s->pieces.keys ? TABLE_SLOTS * slot_bytes : 0;
}

static uint64_t hash_of(uint64_t key)
{
    return model_mix(key - 1);
}

static uint32_t sample_find(const struct model_sampled_pieces *pieces, uint64_t key, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (TABLE_SLOTS - 1);
    while (pieces->keys[at] && pieces->keys[at] != key)
        at = (at + 1) & (TABLE_SLOTS - 1);
    return at;
}

/* Half as many are kept from now on. */
static void halve(struct model_sample *s)
{
    struct model_sampled_pieces old = s->pieces, *pieces = &s->pieces;
    *pieces = pieces_new();
    s->limit /= 2;
    s->count = 0;
    for (uint32_t i = 0; i < TABLE_SLOTS; i++) {
        uint64_t hash = hash_of(old.keys[i]);
        if (!old.keys[i] || hash > s->limit) continue;
        uint32_t at = sample_find(pieces, old.keys[i], hash);
        pieces->keys[at] = old.keys[i];
        pieces->list[at] = old.list[i];
        s->count++;
    }
    pieces_delete(&old);
}

static void sample_enter(struct model_sample *s, const struct model_note *note)
{
    struct model_sampled_pieces *pieces = &s->pieces;
    if (note->hash > s->limit) return;
    uint32_t at = sample_find(pieces, note->key, note->hash);
    struct model_sampled_piece *piece = &pieces->list[at];
    if (!pieces->keys[at]) {
        if (!(note->by & (MODEL_FIRST_DETAILED | MODEL_FIRST_OTHERS))) return;
        pieces->keys[at] = note->key;
        *piece = (struct model_sampled_piece){.own = MODEL_VISITS, .others = MODEL_VISITS};
        s->count++;
    }
    piece->by |= note->by;
    piece->instrs |= note->instrs;
    if (note->own < piece->own) piece->own = note->own;
    if (note->others < piece->others) piece->others = note->others;
    if (s->count > MOST) halve(s);
}

void model_sample_enter(struct model_sample *s)
{
    for (uint32_t i = 0; i < s->note_count; i++)
        sample_enter(s, &s->notes[i]);
    s->note_count = 0;
}

static void sample_note(struct model_sample *s, uint64_t number, const struct model_note *as)
{
    uint64_t hash = model_mix(number);
    if (hash > s->limit) return;
    __builtin_prefetch(&s->pieces.keys[hash & (TABLE_SLOTS - 1)]);
    __builtin_prefetch(&s->pieces.list[hash & (TABLE_SLOTS - 1)], 1);
    struct model_note *note = &s->notes[s->note_count++];
    *note = *as;
    note->key = number + 1;
    note->hash = hash;
    if (s->note_count == MODEL_NOTES) model_sample_enter(s);
}

/* The pieces of a line, numbered by the first sector. */
static void note_line(struct model_sample *s, uint64_t line, const struct model_note *as)
{
    uint32_t piece = (1u << s->piece_sectors) - 1;
    for (uint32_t first = 0; first < EVENT_LINE_SECTORS; first += s->piece_sectors)
        if (line >> first & piece) sample_note(s, event_line_number(line) * EVENT_LINE_SECTORS + first, as);
}

struct visits { /* as model_clock_next counts them */
    uint32_t last, level, round, visit;
};

static void sample_visit(const struct model_step *steps, const struct event_request *r, struct visits *v)
{
    if (r->kind == EVENT_KIND_WORK) v->last = MODEL_NO_INSTR;
    if (r->kind == EVENT_KIND_WORK || (r->more && r->instr == v->last)) return;
    const struct model_step *step = &steps[r->instr];
    bool block = v->last != MODEL_NO_INSTR && steps[v->last].block == step->block;
    bool same = block && r->instr > v->last, on = block && step->iterations > 1 && !same;
    if (on) on = ++v->round < step->iterations;
    if (!same && !on) v->level = v->round = 0, v->visit++;
    if (step->level > v->level) v->level = step->level, v->visit++;
    v->last = r->instr;
}

void model_sample_stream(struct model_sample *s, const struct event_stream *stream, uint32_t by,
                         const struct model_step *steps)
{
    const uint64_t *line = stream->lines;
    struct visits v = {.last = MODEL_NO_INSTR};
    for (uint32_t r = 0; r < stream->request_count; r++) {
        const struct event_request *request = &stream->requests[r];
        struct model_note as = {.instrs = 1ull << request->instr % GROUPS, .by = (uint8_t)by};
        bool load = request->kind == EVENT_KIND_LOAD || request->kind == EVENT_KIND_LOAD_L2;
        if (steps) sample_visit(steps, request, &v);
        as.own = as.others = MODEL_VISITS;
        if (steps && v.visit < MODEL_VISITS) {
            if (by & MODEL_FIRST_OTHERS) as.others = (uint8_t)v.visit;
            if (by & MODEL_DETAILED && load) as.own = (uint8_t)v.visit;
        }
        for (uint32_t k = 0; k < request->lines; k++)
            note_line(s, line[k], &as);
        line += request->lines;
    }
}

/* ---- how many there are in all, for each that simulated multiprocessors accessed */

/* (1 - p)^n, between whole n along a line. */
static double power(double p, double n)
{
    double product = 1;
    for (; n >= 1; n--)
        product *= 1 - p;
    return product * (1 - p * n);
}

static double growth_of(const struct model_sampled_group *g, double share)
{
    double first = g->first_detailed ? (double)g->first / (double)g->first_detailed : 1 / share;
    double caught = g->marked ? (double)g->caught / (double)g->marked : 0;
    double random = caught > 0 ? (1 - power(caught, 1 / share)) / caught : 1 / share;
    return first < random ? first : random;
}

static void sample_add(struct model_sampled_group *g, uint32_t by)
{
    g->first += by & (MODEL_FIRST_DETAILED | MODEL_FIRST_OTHERS) ? 1 : 0;
    g->first_detailed += by & MODEL_FIRST_DETAILED ? 1 : 0;
    g->marked += by & MODEL_FIRST_OTHERS ? 1 : 0;
    g->caught += by & MODEL_FIRST_OTHERS && by & MODEL_DETAILED ? 1 : 0;
}

void model_sample_estimate(struct model_sample *s, double share)
{
    struct model_sampled_group *all = &s->all;
    memset(s->groups, 0, sizeof s->groups);
    *all = (struct model_sampled_group){0};
    for (uint32_t i = 0; i < TABLE_SLOTS; i++) {
        if (!s->pieces.keys[i]) continue;
        const struct model_sampled_piece *piece = &s->pieces.list[i];
        for (uint64_t left = piece->instrs; left; left &= left - 1)
            sample_add(&s->groups[__builtin_ctzll(left)], piece->by);
        sample_add(all, piece->by);
    }
    all->growth = growth_of(all, share);
    for (uint32_t i = 0; i < GROUPS; i++) {
        struct model_sampled_group *g = &s->groups[i];
        g->growth = g->first_detailed >= FEW && g->marked >= FEW ? growth_of(g, share) : all->growth;
    }
}

static uint16_t sample_part_of(uint64_t some, uint64_t all)
{
    return all ? (uint16_t)(some * UINT16_MAX / all) : 0;
}

/* What a simulated load lacks where another warp was earlier is there by then. Visits of which little is
 * known are as the others after the first. */
void model_sample_order(struct model_sample *s, double share)
{
    uint32_t all[MODEL_VISITS + 1] = {0}, before[MODEL_VISITS + 1] = {0};
    double alone = s->all.growth * share;
    for (uint32_t i = 0; i < TABLE_SLOTS; i++) {
        const struct model_sampled_piece *piece = &s->pieces.list[i];
        uint32_t own = piece->own, later = own > 1 ? MODEL_VISITS : own;
        if (!s->pieces.keys[i] || own >= MODEL_VISITS) continue;
        all[own]++;
        before[own] += piece->others < own;
        all[later] += later != own;
        before[later] += later != own && piece->others < own;
    }
    for (uint32_t v = 0; v < MODEL_VISITS; v++) {
        uint32_t as = v > 1 && all[v] < FEW ? MODEL_VISITS : v;
        s->brought[v] = all[as] < FEW ? 0 : sample_part_of(before[as], all[as]);
    }
    s->shared = alone < 1 ? (uint16_t)((1 - alone) * UINT16_MAX) : 0;
}

double model_sample_growth(const struct model_sample *s, uint32_t group, double share)
{
    const struct model_sampled_group *g = &s->groups[group];
    double growth = g->first_detailed ? growth_of(g, share) : s->all.growth;
    return growth > 1 ? growth : 1;
}

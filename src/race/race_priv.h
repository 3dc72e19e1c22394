/* SPDX-License-Identifier: Apache-2.0 */
/* race, inside: time, clocks, what threads know, shadow memory.
 *
 * Time. A slice is a stretch of the order of calls in which one warp of one block acts and nobody
 * synchronises. Slices are numbered from 1. An access is known by its slice and its lane. "u knows t up to
 * k": all that t did in slices <= k happens before what u does next. Whoever releases or is at a barrier
 * begins a new slice after it (race_slice_end), so that k divides what is known from what is not.
 *
 * An owner is a number of (block, warp): block index << OWNER_WARP_BITS | warp. */
#ifndef RACE_PRIV_H
#define RACE_PRIV_H

#include "race/race.h"

enum {
    RACE_OWNER_WARP_BITS = 6,
    RACE_LANES = 32,
    RACE_PAGE_BITS = 12, /* bytes of data that a page of shadow memory stands for */
    RACE_PAGE_BYTES = 1 << RACE_PAGE_BITS,
    RACE_WORD_SHIFT = 2,
    RACE_ONE_LANE = 31,    /* for the logarithm of the cells of a lane: all cells are one lane's */
    RACE_LINE_BYTES = 128, /* a word of each lane */
    RACE_LINE_CELLS = RACE_LINE_BYTES >> RACE_WORD_SHIFT,
    RACE_LINES = RACE_PAGE_BYTES / RACE_LINE_BYTES,
    RACE_REGION_BITS = 16, /* pages of a region */
    RACE_RECENT_REGIONS = 64,
    RACE_BLOCKS_MOST = 1 << 22, /* infos, and twice those in use, before blocks are numbered anew */
    RACE_SET_MOST = 64,         /* members of a set; of more, the newest half are kept */
    RACE_JOINS = 64,            /* that are remembered; a power of 2 */
};

/* ---- clocks: shared by reference, sorted by id, those of an id newest first; NULL is the one that knows
 * nothing. One that others have is immutable. */
enum race_level { RACE_LEVEL_BLOCK, RACE_LEVEL_ALL, RACE_LEVELS }; /* of a scope */

struct race_entry {
    uint64_t id;    /* race_id_* */
    uint32_t k;     /* up to this slice */
    lane_mask mask; /* lanes of a warp that this is about; of a block and of an order ~0 */
};
struct race_clock {
    uint32_t refs, count, capacity;
    uint64_t serial;                    /* no other clock has had it, nor this one with other entries */
    struct race_clock *next, *previous; /* all clocks, so that slices can be renumbered */
    struct race_entry at[];
};
/* Threads of a block without copies; a warp (or the copies of its lanes); all that is ordered before a task.
 */
static inline uint64_t race_id_block(uint32_t block)
{
    return (uint64_t)block << 7;
}
static inline uint64_t race_id_warp(uint32_t owner)
{
    return (uint64_t)(owner >> RACE_OWNER_WARP_BITS) << 7 | (1 + (owner & (RACE_WARPS - 1)));
}
static inline uint64_t race_id_order(uint32_t task)
{
    return UINT64_C(1) << 63 | task;
}

struct race_clock *race_clock_ref(struct race_clock *clock);
void race_clock_unref(struct race *race, struct race_clock *clock);
/* A new reference to what both know. */
struct race_clock *race_clock_join(struct race *race, struct race_clock *a, struct race_clock *b);
/* *into = join of *into and other */
void race_clock_add(struct race *race, struct race_clock **into, struct race_clock *other);
/* The same, in place where nobody else has *into. */
void race_clock_grow(struct race *race, struct race_clock **into, const struct race_entry *entries,
                     uint32_t count);
void race_clock_grow_by(struct race *race, struct race_clock **into, struct race_clock *other);
/* Where it has all threads of a block: one entry for them, not one for each warp. In place likewise. */
void race_clock_close_block(struct race *race, struct race_clock **clock, uint32_t block);
void race_clock_forget_joins(struct race *race); /* that are remembered */
void race_clock_set(struct race *race, struct race_clock **into, struct race_clock *other); /* takes a ref */
struct race_clock *race_clock_of_entries(struct race *race, const struct race_entry *entries, uint32_t count);
/* The lanes of `who` in `owner` that the clock does not know up to slice. */
lane_mask race_clock_unknown(const struct race_clock *clock, uint32_t owner, uint32_t slice, lane_mask who);
bool race_clock_knows_block(const struct race_clock *clock, uint32_t block, uint32_t slice);

/* ---- tasks. Those that follow each other are a chain: who knows one knows those before it in the chain. */
struct race_task {
    uint64_t number;
    uint32_t index, chain, place; /* in race.tasks; the chain and the place in it, from 1 */
    bool begun, ended;            /* begun: it has a chain */
    bool base_stale;              /* `base` may be less than it could be */
    VEC(uint32_t) known;          /* by chain: the place up to which whole tasks are known */
    VEC(uint32_t) followers;      /* tasks that were said to be after this one */
    struct race_clock *clock;     /* what is known of others' threads by memory */
    uint32_t first;               /* its first slice, 0: none */
    uint32_t base;                /* slices <= base belong to tasks that it knows whole, or to nobody */
};
struct race_chain {
    VEC(uint32_t) tasks;
};
void race_task_settle(struct race *race, struct race_task *task); /* before it is compared */
void race_task_starts_block(struct race *race, struct race_task *task);
static inline bool race_task_knows(const struct race_task *task, const struct race_task *other)
{
    return other->chain < task->known.count && task->known.at[other->chain] >= other->place;
}
/* What a clock has of threads of tasks that this one does not know whole; a new reference. */
struct race_clock *race_clock_foreign(struct race *race, const struct race_clock *clock,
                                      const struct race_task *task);
/* What a thread of the task knew when it ended. */
void race_task_learn(struct race *race, struct race_task *task, struct race_clock *clock);
/* Whether the clock knows the whole of another task. */
bool race_task_is_known_to(struct race *race, const struct race_task *other, const struct race_clock *clock);

/* ---- blocks */
struct race_fence { /* what a lane's last fence released: the base, and itself up to k */
    struct race_clock *base;
    uint32_t k;
    bool set; /* there was one */
};
struct race_lane {
    struct race_clock *clock;                /* what it alone knows */
    struct race_fence fence[RACE_LEVELS];    /* LEVEL_BLOCK: the last of any scope */
    struct race_clock *pending[RACE_LEVELS]; /* read by strong reads, known from the next fence on */
    struct race_clock *seen;                 /* acquired last, so that polling is cheap */
};
struct race_warp {
    uint32_t sync;            /* each lane knows each up to this slice */
    lane_mask live;           /* lanes that exist */
    struct race_clock *clock; /* what all lanes know */
    struct race_lane *lanes;  /* NULL: nothing of their own */
};
struct race_block {
    struct race *race;
    struct race_task *task;
    uint32_t index; /* in race.blocks */
    uint32_t sync;  /* each thread knows each up to this slice */
    uint32_t threads;
    bool complex;
    bool sparse;                            /* a warp has a clock, or its lanes have */
    bool async;                             /* copies of its lanes have accessed memory */
    bool fences;                            /* there were some since the last barrier */
    struct race_clock *fenced[RACE_LEVELS]; /* what fences before it covered */
    struct race_clock *clock;
    struct race_warp warps[RACE_WARPS];
    struct race_block *next, *previous; /* those alive */
};
struct race_block_info { /* of each block that ever was */
    uint64_t number;
    uint32_t task, threads;
    bool complex;
};

/* ---- shadow memory: for each cell of 4 bytes, or 2 or 1, what accessed it: two epochs (race_cell.c). */
struct race_sync {  /* what a strong write released at a cell, for those who read it */
    uint32_t block; /* of the last write, and its level */
    enum race_level level;
    bool forgot;            /* more blocks than the list holds: `all` has theirs */
    struct race_clock *all; /* for everybody */
    struct {
        uint32_t block;
        struct race_clock *clock;
    } own[4]; /* for the same block alone */
    uint32_t own_count;
};
/* Words side by side that whole warps alone have accessed, one lane after the other, weakly. An epoch of one
 * lane is that of the first cell; the next lane has the cell 1 << log2 further on. Others are those of all
 * cells. */
struct race_line {
    uint32_t last, since;
    uint16_t last_site, since_site;
    uint8_t last_log2, since_log2;
};
struct race_page {
    uint64_t number;        /* address >> RACE_PAGE_BITS */
    uint32_t shift;         /* a cell has 1 << shift bytes: 4, 2 or 1 */
    uint32_t compact;       /* lines that stand for their cells; only of words */
    bool has_sets;          /* an epoch is or was a set */
    uint32_t *last, *since; /* epochs: the last ordered write; accesses since */
    uint16_t *last_site, *since_site;
    struct race_sync **sync; /* NULL: nothing released in this page */
    uint32_t *memory;        /* of the four arrays; NULL: all lines are compact */
    struct race_page *next, *previous;
    struct race_line lines[RACE_LINES];
};
struct race_region {
    uint64_t number;
    struct race_page *pages[1 << RACE_REGION_BITS];
};
static inline uint32_t race_page_cells(const struct race_page *page)
{
    return RACE_PAGE_BYTES >> page->shift;
}
static inline bool race_page_is_compact(const struct race_page *page, uint32_t cell)
{
    return page->compact && page->compact >> cell / RACE_LINE_CELLS & 1;
}
struct race_page *race_page_get(struct race *race, uint64_t address,
                                uint32_t shift);                                 /* shift: of a new one */
void race_page_split(struct race *race, struct race_page *page, uint32_t shift); /* into smaller cells */
/* Gives cells what their compact lines (bits) say. */
void race_page_expand(struct race *race, struct race_page *page, uint32_t lines);
void race_page_clear(struct race *race, struct race_page *page); /* as if it were new */
void race_line_clear(struct race *race, struct race_page *page, uint32_t line);
void race_page_free(struct race *race, struct race_page *page);

/* ---- members of epochs and sets */
enum race_type {
    RACE_READ,
    RACE_STRONG_READ,
    RACE_STRONG_READ_ALL, /* of LEVEL_ALL */
    RACE_STRONG_WRITE,
    RACE_STRONG_WRITE_ALL,
    RACE_WRITE,
    RACE_TYPES
};
/* Whose accesses a member is: those of lanes, of warps of one block, of blocks of one task. */
enum race_kind {
    RACE_KIND_LANES,
    RACE_KIND_WARPS,
    RACE_KIND_BLOCKS,
    RACE_KINDS,
    RACE_KIND_AFFINE = RACE_KINDS /* in sets that cells share: a lane of its own for each cell */
};
struct race_member {
    uint32_t slice; /* of the newest */
    lane_mask mask; /* of LANES; of AFFINE: race_affine_of */
    uint16_t site;
    uint8_t type, kind;
};
/* Cell c was accessed by lane (c >> log2) + offset, modulo the lanes of a warp. */
static inline uint32_t race_affine_of(uint32_t cell, uint32_t lane, uint32_t log2)
{
    return log2 << 8 | ((lane - (cell >> log2)) & (RACE_LANES - 1));
}
static inline uint32_t race_affine_lane(uint32_t affine, uint32_t cell)
{
    return ((cell >> (affine >> 8)) + affine) & (RACE_LANES - 1);
}
struct race_set {
    uint32_t refs; /* cells that have it */
    uint32_t count, capacity;
    uint32_t types;         /* a bit for each type that members have had */
    struct race_member *at; /* oldest first */
};
/* An epoch: 0: none; else slice << 8 | type * WHO_COUNT + who, who a lane or WHO_ALL + kind; from EPOCH_SET
 * on the number of a set. */
enum { RACE_WHO_ALL = RACE_LANES, RACE_WHO_COUNT = RACE_LANES + RACE_KINDS, RACE_SLICE_SHIFT = 8 };
enum {
    RACE_CODE = 0xff, /* of an epoch: type and who. Reads come first, weak writes last */
    RACE_CODE_STRONG_WRITES = RACE_STRONG_WRITE * RACE_WHO_COUNT,
    RACE_CODE_WRITES = RACE_WRITE * RACE_WHO_COUNT,
    RACE_WHO_WARPS = RACE_WHO_ALL + RACE_KIND_WARPS,
    RACE_WHO_BLOCKS = RACE_WHO_ALL + RACE_KIND_BLOCKS
};
static const uint32_t RACE_EPOCH_SET = 0xc0000000, RACE_SETS_MOST = 0x3fffff, RACE_SLICES_MOST = 0xbfffff;

uint32_t race_set_new(struct race *race, const struct race_member *members, uint32_t count);
/* Adds a member to a set of one cell alone, if there is room. */
bool race_set_append(struct race *race, uint32_t epoch, const struct race_member *member);
void race_set_share(struct race *race, uint32_t epoch, uint32_t references); /* so many more */
void race_set_free(struct race *race, uint32_t epoch); /* one reference of it, if it is one */
lane_mask race_live_of(const struct race *race, uint32_t owner);
/* What an epoch says of a cell: at most RACE_SET_MOST members, without AFFINE ones. */
uint32_t race_members_of(const struct race *race, uint32_t epoch, uint16_t site, uint32_t cell,
                         struct race_member *out);
/* Adds a member to `count` ones: to that of its slice, site and type, or as a new one. The new count. */
uint32_t race_members_append(struct race_member *members, uint32_t count, const struct race_member *now);
uint32_t race_epoch_of(struct race *race, const struct race_member *members, uint32_t count);

struct race_key {
    struct race_clock *pending, *done;
    struct race_clock *base; /* is in `pending` */
    uint32_t block;          /* of those who released to `pending`; UINT32_MAX: several, or not known */
};
struct race_join { /* one that was made */
    uint64_t a, b; /* serials */
    struct race_clock *both;
};

/* ---- the same for cells where nothing races and nothing need be looked up in clocks (race_quick.c) */
struct race_quick {
    struct race_block *block;
    uint32_t warp, owner;
    enum race_type type;
    uint16_t site;
    uint32_t now; /* the slice, as an epoch */
    /* Slices, as epochs, that all lanes know: below `base`, and `length` ones from `begin` on of the block
     * and of the warp. In the last range only this warp has acted. */
    uint32_t base, block_begin, block_length, warp_begin, warp_length, own_begin, own_length;
    uint32_t task_begin, task_length; /* in which only this task has acted */
};

struct race {
    struct race_config config;
    VEC(uint32_t) slices; /* the owner of each; [0] is none */
    uint32_t slices_most, short_entries;
    bool slice_ended;
    bool disordered; /* a task was said to be after one that had not ended: it may act first */
    uint32_t owner;  /* of the newest slice */
    uint32_t run, block_run,
        task_run; /* since these slices only this owner, its block, its task have acted */
    bool forgot;  /* accesses, for want of numbers or memory */
    VEC(struct race_task *) tasks;
    struct map task_by_number;
    VEC(struct race_chain) chains;
    VEC(struct race_block_info) blocks;
    size_t blocks_kept; /* by the last renumbering */
    struct race_block *alive;
    struct race_task *task; /* of the newest slice */
    struct race_clock *clocks;
    struct map keys, regions;
    struct race_region *recent[RACE_RECENT_REGIONS];
    struct race_page *pages; /* all of them */
    struct race_quick quick; /* of the newest slice */
    VEC(struct race_set) sets;
    size_t set_bytes, page_bytes;
    VEC(uint32_t) free_sets;
    VEC(struct race_entry) gather, orders; /* scratch of race_clock.c */
    uint64_t clock_serial;                 /* of the newest clock */
    struct race_join joins[RACE_JOINS];
};

struct race_region *race_region_find(struct race *race, uint64_t number); /* NULL: nothing accessed there */
static inline struct race_page *race_page_find(struct race *race, uint64_t address) /* NULL: never accessed */
{
    uint64_t page = address >> RACE_PAGE_BITS, number = page >> RACE_REGION_BITS;
    const struct race_region *region = race->recent[number % RACE_RECENT_REGIONS];
    if (!region || region->number != number) region = race_region_find(race, number);
    return region ? region->pages[page & ((1u << RACE_REGION_BITS) - 1)] : NULL;
}
static inline const struct race_set *race_set_of(const struct race *race, uint32_t epoch)
{
    return &race->sets.at[(epoch - RACE_EPOCH_SET) >> RACE_SLICE_SHIFT];
}
void race_renumber(struct race *race);
/* The slice in which this owner acts now. */
uint32_t race_slice_now(struct race *race, struct race_block *block, uint32_t warp);
static inline void race_slice_end(struct race *race)
{
    race->slice_ended = true;
}
static inline uint32_t race_slice_last(const struct race *race)
{
    return (uint32_t)race->slices.count - 1;
}
static inline struct race_task *race_owner_task(struct race *race, uint32_t owner)
{
    return race->tasks.at[race->blocks.at[owner >> RACE_OWNER_WARP_BITS].task];
}
static inline enum race_level race_level_of(enum race_scope scope)
{
    return scope >= RACE_SCOPE_GPU ? RACE_LEVEL_ALL : RACE_LEVEL_BLOCK;
}

/* ---- what one lane knows */
struct race_agent {
    struct race_block *block;
    uint32_t warp, lane, owner;
};
static inline lane_mask race_lanes_of(uint32_t threads, uint32_t warp)
{
    uint32_t first = (warp & (RACE_ASYNC - 1)) * RACE_LANES;
    return threads >= first + RACE_LANES ? ~0u : threads <= first ? 0 : (1u << (threads - first)) - 1;
}
/* A lane's own state, made when it is first needed. */
struct race_lane *race_lane_own(struct race_block *block, uint32_t warp, uint32_t lane);
/* All that lanes know and did until now; a new reference. */
struct race_clock *race_agent_clock(struct race_block *block, uint32_t warp, lane_mask mask);
/* What they know by clocks, in a new reference, and, in entries, the rest; the number of entries. */
enum { RACE_OWN_ENTRIES = 6 };
uint32_t race_agent_parts(struct race_block *block, uint32_t warp, lane_mask mask, struct race_clock **clocks,
                          struct race_entry entries[RACE_OWN_ENTRIES]);
/* The lanes of `who`, of the slice's warp, that it does not know up to this slice. */
lane_mask race_agent_unknown(const struct race_agent *agent, uint32_t slice, lane_mask who);
/* The same of what all lanes of a warp know, but for what each did itself. */
lane_mask race_warp_unknown(const struct race_block *block, uint32_t warp, uint32_t slice, lane_mask who);
bool race_agent_knows_warps(const struct race_agent *agent, uint32_t slice);
bool race_agent_knows_blocks(const struct race_agent *agent, uint32_t slice);

/* ---- synchronisation by memory */
void race_fences_meet(struct race_block *block); /* at a barrier of all */
void race_sync_read(const struct race_agent *agent, const struct race_access *what, struct race_page *page,
                    uint32_t cell);
void race_sync_write(const struct race_agent *agent, const struct race_access *what, struct race_page *page,
                     uint32_t cell);
struct race_sync *race_sync_copy(const struct race_sync *sync);
void race_sync_drop(struct race *race, struct race_page *page, uint32_t cell);

/* ---- a cell */
struct race_side race_side_of(const struct race *race, uint32_t owner, uint32_t lane);
/* What a lane does to a cell, or lanes at once: the agent is the first of them. */
struct race_act {
    struct race_agent agent;
    lane_mask mask;
    const struct race_access *what;
    enum race_type type;
    uint64_t reported; /* the access before it that was reported last, for all cells of a lane's access */
};
/* Reports accesses that nothing orders before this one. */
void race_cell_check(struct race_act *act, const struct race_page *page, uint32_t cell);
/* Notes the access, in the slice that is now. */
void race_cell_update(struct race_act *act, struct race_page *page, uint32_t cell, uint32_t slice);
void race_cell_clear(struct race *race, struct race_page *page, uint32_t cell); /* never accessed */

/* ---- race_quick.c */
/* Stays until the slice ends. */
const struct race_quick *race_quick_of(struct race_block *block, uint32_t warp,
                                       const struct race_access *what, enum race_type type);
/* Whether a lane (or all: RACE_WHO_ALL) knows an access, but for clocks. */
bool race_quick_knows(const struct race_quick *quick, uint32_t epoch, uint32_t lane);
/* Whether accesses of this owner and those of the warp may be summarised. */
bool race_quick_may_merge(const struct race_quick *quick, uint32_t owner);
/* Notes an access of one lane, or of all that live (RACE_WHO_ALL, of a read). False: not done. */
bool race_quick_cell(const struct race_quick *quick, struct race_page *page, uint32_t cell, uint32_t lane);
lane_mask race_quick_lanes(const struct race_quick *quick, const uint64_t *addresses, lane_mask mask,
                           uint32_t bytes);
/* Whether a lane's weak write races with nothing, by what can be told quickly. */
bool race_quick_is_ordered(const struct race_quick *quick, const struct race_page *page, uint32_t cell,
                           uint32_t lane);
/* Whether all lanes may read a cell without any race. */
bool race_quick_may_read(const struct race_quick *quick, const struct race_page *page, uint32_t cell);
/* The same of cells side by side whose accesses since the last write are sets (race_row.c): whether lanes
 * know all of them, or all writes among them; reads are added. */
bool race_row_is_known(const struct race_quick *quick, const struct race_page *page, uint32_t first,
                       uint32_t count, uint32_t lane, uint32_t cells_log2, bool writes_only);
void race_row_read(const struct race_quick *quick, struct race_page *page, uint32_t first, uint32_t count,
                   uint32_t lane, uint32_t cells_log2);
/* Weak accesses of cells side by side, cells_log2 (a logarithm) of each lane. False: nothing done. */
bool race_quick_cells(const struct race_quick *quick, struct race_page *page, uint32_t first, uint32_t count,
                      uint32_t first_lane, uint32_t cells_log2);

/* ---- a line that a whole warp accesses, weakly, as race_quick_cells (race_line.c) */
bool race_line_access(const struct race_quick *quick, struct race_page *page, uint32_t line,
                      uint32_t first_lane, uint32_t cells_log2);
#endif

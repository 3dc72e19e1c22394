/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: lanes, warps and blocks, and their scheduling. Method: each lane has a program counter. In a
 * warp, the lanes at the lowest instruction of the deepest call execute one step together; this makes them
 * converge, which only warp-wide operations can observe. An operation with a member mask waits for its
 * members. Sometimes another group of lanes runs, so that lanes which spin on each other make progress. A
 * warp runs until it ends or waits; then barriers are checked. Limits: blocks run one after the other
 * unless the caller asks otherwise. */
#include "oracle_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { STEPS_A_TURN = 4096, FAIR_EVERY = 512 };
static const uint64_t STEPS_MOST = 200000000;

void oracle_fail(struct oracle *oracle, enum sw_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    oracle->error.status = status;
    vsnprintf(oracle->error.message, sizeof oracle->error.message, format, args);
    va_end(args);
    longjmp(oracle->failed, 1);
}

void oracle_unsupported(struct exec *exec)
{
    oracle_fail(exec->oracle, SW_UNSUPPORTED, "oracle: '%s' in line %u", isa_op_name(exec->instr->op),
                exec->instr->line);
}

/* ---- one step
 * --------------------------------------------------------------------------------------------------- */

static const struct ptx_instr *next_instr(const struct lane *lane)
{
    const struct frame *frame = lane->frame;
    return frame->pc < frame->function->instr_count ? &frame->function->instrs[frame->pc] : NULL;
}

static bool can_run(const struct lane *lane)
{
    return lane->frame && lane->waiting == NOT_WAITING;
}

static bool guard_holds(const struct lane *lane, const struct ptx_instr *instr)
{
    if (instr->guard == PTX_NO_REG) return true;
    if (lane->frame->known && !lane->frame->known[instr->guard]) return false; /* step_group has said so */
    return (lane->frame->regs[instr->guard].lo & 1) != instr->guard_negate;
}

static void step_lane(struct exec *exec)
{
    struct frame *frame = exec->lane->frame;
    switch ((unsigned)exec->instr->op) {
    case ISA_OP_LD:
    case ISA_OP_LDU: oracle_load(exec); break;
    case ISA_OP_ST: oracle_store(exec); break;
    case ISA_OP_CP: oracle_copy_async(exec); break;
    case ISA_OP_MBARRIER: oracle_mbarrier(exec); break;
    case ISA_OP_MAPA:
    case ISA_OP_GETCTARANK: (void)oracle_cluster_query(exec); break;
    case ISA_OP_ST_ASYNC: oracle_store_async(exec); break;
    case ISA_OP_ATOM:
    case ISA_OP_RED:
        if (ptx_has(exec->instr, ISA_MOD_ASYNC))
            oracle_store_async(exec);
        else
            oracle_atomic(exec);
        break;
    case ISA_OP_CVT: oracle_cvt(exec); break;
    default:
        if (oracle_control(exec)) return;
        if (!oracle_float(exec) && !oracle_alu(exec) && !oracle_video(exec)) oracle_unsupported(exec);
        break;
    }
    frame->pc++;
}

/* The lanes that have arrived at an operation of the same kind and with the same members as `lane`'s. */
static lane_mask companions(struct warp *warp, uint32_t lane)
{
    struct exec exec = {.oracle = warp->block->oracle, .block = warp->block, .warp = warp};
    exec.lane = &warp->lanes[lane];
    exec.instr = next_instr(exec.lane);
    lane_mask members = oracle_members(&exec), set = 0;
    if (!members) return 0;
    for (uint32_t l = 0; l < warp->count; l++) {
        struct exec other = exec;
        other.lane = &warp->lanes[l];
        if (!can_run(other.lane) || !(other.instr = next_instr(other.lane))) continue;
        if (!oracle_same_kind(exec.instr, other.instr) || !guard_holds(other.lane, other.instr)) continue;
        if (oracle_members(&other) == members) set |= UINT32_C(1) << l;
    }
    return set;
}

/* Each set of lanes that belong together; those that name no members are one set. */
static void step_together(struct exec *exec, lane_mask active)
{
    while (active) {
        lane_mask set = companions(exec->warp, (uint32_t)__builtin_ctz(active));
        if (!set) set = active;
        oracle_warp(exec, set);
        for (uint32_t l = 0; l < 32; l++)
            if (set >> l & 1) exec->warp->lanes[l].frame->pc++;
        active &= ~set;
    }
}

/* Lanes of `group` execute the instruction at their common place. */
static void step_group(struct warp *warp, lane_mask group)
{
    struct exec exec = {.oracle = warp->block->oracle, .block = warp->block, .warp = warp};
    exec.lane = &warp->lanes[__builtin_ctz(group)];
    exec.instr = next_instr(exec.lane);
    if (!exec.instr && exec.oracle->launch->watch)
        oracle_fail(exec.oracle, SW_UNSUPPORTED, "undefined: a function without an end");
    if (!exec.instr) oracle_fail(exec.oracle, SW_LAUNCH_FAILED, "fell off the end of a function");
    lane_mask active = 0;
    for (uint32_t l = 0; l < 32; l++) {
        if (!(group >> l & 1)) continue;
        exec.lane = &warp->lanes[l];
        if (exec.instr->guard != PTX_NO_REG) oracle_watch_read(&exec, exec.instr->guard);
        if (guard_holds(&warp->lanes[l], exec.instr))
            active |= UINT32_C(1) << l;
        else
            warp->lanes[l].frame->pc++;
    }
    exec.lane = &warp->lanes[__builtin_ctz(group)];
    if (oracle_is_warp_op(exec.instr)) {
        step_together(&exec, active);
        return;
    }
    for (uint32_t l = 0; l < 32; l++)
        if (active >> l & 1) {
            exec.lane = &warp->lanes[l];
            step_lane(&exec);
        }
}

/* ---- who is next in a warp
 * -------------------------------------------------------------------------------------- */

static bool same_location(const struct lane *a, const struct lane *b)
{
    return a->depth == b->depth && a->frame->function == b->frame->function && a->frame->pc == b->frame->pc;
}

static bool earlier(const struct lane *a, const struct lane *b)
{
    if (a->depth != b->depth) return a->depth > b->depth;
    if (a->frame->function != b->frame->function) return a->index < b->index;
    return a->frame->pc < b->frame->pc;
}

/* The group whose place comes first among the lanes of `from`. */
static lane_mask first_group(const struct warp *warp, lane_mask from)
{
    const struct lane *first = NULL;
    for (uint32_t l = 0; l < warp->count; l++)
        if (from >> l & 1 && (!first || earlier(&warp->lanes[l], first))) first = &warp->lanes[l];
    lane_mask group = 0;
    for (uint32_t l = 0; first && l < warp->count; l++)
        if (from >> l & 1 && same_location(&warp->lanes[l], first)) group |= UINT32_C(1) << l;
    return group;
}

static lane_mask live_lanes(const struct warp *warp)
{
    lane_mask live = 0;
    for (uint32_t l = 0; l < warp->count; l++)
        if (warp->lanes[l].frame) live |= UINT32_C(1) << l;
    return live;
}

/* The lanes of a group that can continue: all, unless members that have not exited are still to arrive.
 * */
static lane_mask ready_lanes(struct warp *warp, lane_mask group)
{
    struct exec exec = {.oracle = warp->block->oracle, .block = warp->block, .warp = warp};
    lane_mask ready = 0;
    for (uint32_t l = 0; l < warp->count; l++) {
        if (!(group >> l & 1)) continue;
        exec.lane = &warp->lanes[l];
        exec.instr = next_instr(exec.lane);
        bool waits = exec.instr && oracle_is_warp_op(exec.instr) && guard_holds(exec.lane, exec.instr) &&
                     (oracle_members(&exec) & live_lanes(warp) & ~companions(warp, l)) != 0;
        if (!waits) ready |= UINT32_C(1) << l;
    }
    return ready;
}

/* Groups that can run, in order of their places. */
static unsigned ready_groups(struct warp *warp, lane_mask *groups)
{
    lane_mask left = 0;
    unsigned count = 0;
    for (uint32_t l = 0; l < warp->count; l++)
        if (can_run(&warp->lanes[l])) left |= UINT32_C(1) << l;
    while (left) {
        lane_mask group = first_group(warp, left), ready = ready_lanes(warp, group);
        left &= ~group;
        if (ready) groups[count++] = ready;
    }
    return count;
}

/* The first; now and then each of them in turn. */
static lane_mask choose_group(struct warp *warp)
{
    lane_mask groups[32];
    unsigned count = ready_groups(warp, groups);
    if (!count) return 0;
    uint64_t turn = warp->steps / FAIR_EVERY;
    return groups[turn % 2 ? turn / 2 % count : 0];
}

/* Returns whether anything ran. */
static bool run_warp(struct warp *warp)
{
    bool ran = false;
    const struct oracle_watch *watch = warp->block->oracle->launch->watch;
    for (int i = 0; i < STEPS_A_TURN; i++) {
        lane_mask group = choose_group(warp);
        if (!group) break;
        step_group(warp, group);
        warp->steps++;
        if (watch && ++warp->block->oracle->steps > watch->steps_most)
            oracle_fail(warp->block->oracle, SW_LAUNCH_TIMEOUT, "oracle: the kernel does not end");
        ran = true;
    }
    struct oracle *oracle = warp->block->oracle;
    if (ran && (oracle->ticks += 1) > STEPS_MOST / STEPS_A_TURN)
        oracle_fail(oracle, SW_LAUNCH_TIMEOUT, "oracle: the kernel does not end");
    return ran;
}

/* ---- barriers
 * --------------------------------------------------------------------------------------------------- */

struct tally {
    uint32_t live, waiting, threads, count, ones;
};

/* Whether a lane that waits at the barrier has arrived, as on an H100 (tests/hw/h100/barriers.txt). At
 * barrier: when all lanes of its warp that have not exited wait; at bar.red: when all of them wait at the
 * same instruction; at bar.sync: at once. */
static bool has_arrived(const struct warp *warp, const struct lane *lane)
{
    const struct ptx_instr *instr = next_instr(lane);
    bool red = ptx_has(instr, ISA_MOD_RED),
         aligned = instr->op == ISA_OP_BAR || ptx_has(instr, ISA_MOD_ALIGNED);
    unsigned first = red, last = instr->operand_count - red;
    bool numbered = last > first && instr->operands[first].kind != ISA_OPD_INT;
    if (aligned && !red && !numbered) return true;
    for (uint32_t l = 0; l < warp->count; l++) {
        const struct lane *other = &warp->lanes[l];
        if (!other->frame) continue;
        if (other->waiting != lane->waiting) return false;
        if (aligned && !numbered && next_instr(other)->line != instr->line) return false;
    }
    return true;
}

static struct tally tally_barrier(const struct block *block, int id, bool lenient)
{
    struct tally tally = {0};
    for (uint32_t w = 0; w < block->warp_count; w++) {
        uint32_t here = 0, live = 0;
        for (uint32_t l = 0; l < block->warps[w].count; l++) {
            const struct lane *lane = &block->warps[w].lanes[l];
            live += lane->frame != NULL;
            if (!lane->frame || lane->waiting != id || !has_arrived(&block->warps[w], lane)) continue;
            here++;
            if (lane->wait_count > tally.count) tally.count = lane->wait_count;
            tally.ones += lane->wait_predicate;
        }
        tally.live += live ? 32 : 0;
        tally.waiting += here;
        tally.threads += here && (here == live || lenient) ? 32 : here;
        uint32_t arrived = block->warps[w].arrivals[id];
        tally.threads += live ? arrived : (arrived + 31) / 32 * 32;
    }
    return tally;
}

static void write_reduction(struct oracle *oracle, struct warp *warp, struct lane *lane,
                            const struct tally *tally)
{
    const struct ptx_instr *instr = next_instr(lane);
    if (!ptx_has(instr, ISA_MOD_RED)) return;
    struct exec exec = {oracle, warp->block, warp, lane, instr};
    uint64_t result = ptx_has(instr, ISA_MOD_POPC)  ? tally->ones
                      : ptx_has(instr, ISA_MOD_AND) ? tally->ones == tally->waiting
                                                    : tally->ones > 0;
    oracle_set(&exec, 0, ptx_has(instr, ISA_MOD_POPC) ? ISA_U32 : ISA_PRED, result);
}

static void release_barrier(struct block *block, int id, const struct tally *tally)
{
    block->barriers++;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        uint32_t go_on = 0;
        for (uint32_t l = 0; l < warp->count; l++) {
            const struct lane *lane = &warp->lanes[l];
            if (lane->frame && lane->waiting == id && has_arrived(warp, lane)) go_on |= 1u << l;
        }
        for (uint32_t l = 0; l < warp->count; l++) {
            if (!(go_on >> l & 1)) continue;
            write_reduction(block->oracle, warp, &warp->lanes[l], tally);
            warp->lanes[l].waiting = NOT_WAITING;
            warp->lanes[l].frame->pc++;
        }
        warp->arrivals[id] = 0;
    }
}

/* The cluster's barrier: a phase is complete when all threads that have not exited have arrived; threads
 * that wait for an earlier phase continue. */
static bool complete_cluster(struct block *block)
{
    bool over = true, any = false;
    for (uint32_t w = 0; w < block->warp_count; w++)
        for (uint32_t l = 0; l < block->warps[w].count; l++) {
            const struct lane *lane = &block->warps[w].lanes[l];
            over &= !lane->frame || lane->in_cluster;
        }
    for (uint32_t w = 0; w < block->warp_count; w++)
        for (uint32_t l = 0; l < block->warps[w].count; l++) {
            struct lane *lane = &block->warps[w].lanes[l];
            if (over) lane->in_cluster = false;
            if (!lane->frame || lane->waiting != CLUSTER_BARRIER || lane->in_cluster) continue;
            lane->waiting = NOT_WAITING;
            lane->frame->pc++;
            any = true;
        }
    return any;
}

/* A barrier without a count waits for all threads that have not exited; one with a count waits for that
 * many threads, and a whole warp counts as 32. */
static bool complete_barriers(struct block *block, bool lenient)
{
    bool any = !lenient && complete_cluster(block);
    for (int id = 0; id < CLUSTER_BARRIER; id++) {
        struct tally tally = tally_barrier(block, id, lenient);
        if (!tally.waiting) continue;
        if (tally.threads >= (tally.count ? tally.count : tally.live)) {
            release_barrier(block, id, &tally);
            any = true;
        }
    }
    return any;
}

/* ---- blocks
 * ----------------------------------------------------------------------------------------------------- */

static void block_init(struct oracle *oracle, struct block *block, uint64_t number)
{
    const uint32_t *grid = oracle->launch->grid, *dim = oracle->launch->block;
    uint32_t threads = dim[0] * dim[1] * dim[2];
    *block = (struct block){.oracle = oracle, .warp_count = (threads + 31) / 32};
    block->ctaid[0] = (uint32_t)(number % grid[0]);
    block->ctaid[1] = (uint32_t)(number / grid[0] % grid[1]);
    block->ctaid[2] = (uint32_t)(number / grid[0] / grid[1]);
    block->shared = aligned_alloc(1024, sw_align_up(oracle->shared_bytes + 1, 1024));
    memset(block->shared, 0, sw_align_up(oracle->shared_bytes + 1, 1024));
    if (oracle->launch->watch) block->shared_known = sw_xcalloc(oracle->shared_bytes + 1, 1);
    block->warps = sw_xcalloc(block->warp_count, sizeof *block->warps);
    for (uint32_t t = 0; t < threads; t++) {
        struct warp *warp = &block->warps[t / 32];
        struct lane *lane = &warp->lanes[t % 32];
        warp->block = block;
        warp->index = t / 32;
        warp->count = t % 32 + 1;
        *lane = (struct lane){.index = t % 32, .waiting = NOT_WAITING, .local = sw_xcalloc(1, LOCAL_BYTES)};
        if (oracle->launch->watch) lane->local_known = sw_xcalloc(1, LOCAL_BYTES);
        lane->tid[0] = t % dim[0];
        lane->tid[1] = t / dim[0] % dim[1];
        lane->tid[2] = t / dim[0] / dim[1];
        struct exec exec = {oracle, block, warp, lane, NULL};
        oracle_enter(&exec, oracle->entry, NULL);
    }
}

static void block_release(struct block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++)
        for (uint32_t l = 0; l < block->warps[w].count; l++) {
            struct lane *lane = &block->warps[w].lanes[l];
            for (struct frame *frame = lane->frame, *caller; frame; frame = caller) {
                caller = frame->caller;
                free(frame->regs);
                free(frame->known);
                free(frame);
            }
            free(lane->local);
            free(lane->local_known);
        }
    free(block->warps);
    free(block->shared);
    free(block->shared_known);
}

/* Run each warp once. Returns whether any made progress; sets ended. */
static bool run_block(struct block *block)
{
    bool ran = false, live = false;
    for (uint32_t w = 0; w < block->warp_count; w++)
        ran |= run_warp(&block->warps[w]);
    ran |= complete_barriers(block, false);
    if (!ran) ran = complete_barriers(block, true);
    for (uint32_t w = 0; w < block->warp_count; w++)
        live |= live_lanes(&block->warps[w]) != 0;
    block->ended = !live;
    return ran;
}

static void run_blocks(struct oracle *oracle, struct block *blocks, uint64_t count)
{
    for (uint64_t left = count; left;) {
        bool ran = false;
        left = 0;
        for (uint64_t b = 0; b < count; b++) {
            if (blocks[b].ended) continue;
            ran |= run_block(&blocks[b]);
            left += !blocks[b].ended;
        }
        if (left && !ran) oracle_fail(oracle, SW_LAUNCH_TIMEOUT, "oracle: every thread waits at a barrier");
    }
}

static void run_grid(struct oracle *oracle, struct block **blocks, uint64_t *made)
{
    const uint32_t *grid = oracle->launch->grid;
    uint64_t count = (uint64_t)grid[0] * grid[1] * grid[2], batch = oracle->launch->together ? count : 1;
    *blocks = sw_xcalloc(batch, sizeof **blocks);
    for (uint64_t first = 0; first < count; first += batch) {
        for (uint64_t b = 0; b < batch; b++, ++*made)
            block_init(oracle, &(*blocks)[b], first + b);
        run_blocks(oracle, *blocks, batch);
        for (; *made; --*made)
            block_release(&(*blocks)[*made - 1]);
    }
}

/* ---- the launch
 * ------------------------------------------------------------------------------------------------- */

static bool mentions(const struct ptx_operand *operand, const struct ptx_var *var)
{
    for (uint32_t i = 0; i < operand->count && operand->elements; i++)
        if (mentions(&operand->elements[i], var)) return true;
    return operand->var == var;
}

static bool function_mentions(const struct ptx_function *function, const struct ptx_var *var)
{
    for (uint32_t i = 0; i < function->instr_count; i++)
        for (unsigned k = 0; k < function->instrs[i].operand_count; k++)
            if (mentions(&function->instrs[i].operands[k], var)) return true;
    return false;
}

/* By the kernel or by any function of the module */
static bool is_used(const struct oracle *oracle, const struct ptx_var *var)
{
    const struct ptx_module *module = oracle->launch->module;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        bool runs = !function->is_entry || strcmp(function->name, oracle->launch->kernel) == 0;
        if (runs && function_mentions(function, var)) return true;
    }
    return false;
}

static void place_shared(struct oracle *oracle, struct ptx_var *const *vars, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (vars[i]->space != PTX_SPACE_SHARED || vars[i]->bytes == 0 || !is_used(oracle, vars[i])) continue;
        uint64_t at = sw_align_up(oracle->static_shared_bytes, vars[i]->align ? vars[i]->align : 1);
        map_set_u64(&oracle->shared_offsets, (uint64_t)(uintptr_t)vars[i], (void *)(uintptr_t)(at + 1));
        oracle->static_shared_bytes = (uint32_t)(at + vars[i]->bytes);
    }
}

static void place_all_shared(struct oracle *oracle)
{
    const struct ptx_module *module = oracle->launch->module;
    place_shared(oracle, module->vars, module->var_count);
    for (uint32_t i = 0; i < module->function_count; i++)
        place_shared(oracle, module->functions[i]->vars, module->functions[i]->var_count);
    oracle->static_shared_bytes = (uint32_t)sw_align_up(oracle->static_shared_bytes, 16);
    oracle->own_shared_bytes = oracle->static_shared_bytes + oracle->launch->dynamic_shared_bytes;
    oracle->shared_bytes = (uint32_t)sw_align_up(oracle->own_shared_bytes, 16) + RESERVED_SHARED;
}

enum sw_status oracle_run(const struct oracle_launch *launch, struct sw_error *error)
{
    struct oracle oracle = {.launch = launch};
    struct block *volatile blocks = NULL;
    static uint64_t made; /* survives the longjmp */
    made = 0;
    oracle_watch_begin();
    arena_init(&oracle.arena);
    oracle.entry = ptx_find_function(launch->module, launch->kernel);
    if (!oracle.entry) return sw_fail(error, SW_NOT_FOUND, "no kernel '%s'", launch->kernel);
    place_all_shared(&oracle);
    if (setjmp(oracle.failed) == 0) run_grid(&oracle, (struct block **)(uintptr_t)&blocks, &made);
    for (; made; made--)
        block_release(&blocks[made - 1]);
    free(blocks);
    map_release(&oracle.layouts);
    map_release(&oracle.shared_offsets);
    arena_release(&oracle.arena);
    if (oracle.error.status != SW_OK && error) *error = oracle.error;
    return oracle.error.status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* COUNT probes compared with a direct implementation of the rules: distinct sectors of global accesses
 * and wavefronts of shared ones, for many strides, offsets, widths and block sizes, both where compiled
 * code uses closed forms and where it calls the rule. */
#include "jit_harness.h"

struct shot { /* one access for each thread: base + offset + tid * stride */
    const char *type, *space;
    uint32_t bytes;
    int64_t stride, offset;
    uint32_t threads;
};

static uint64_t pack(uint64_t units, uint64_t ideal)
{
    return ideal << 32 | units;
}

/* Distinct units of `unit` bytes. */
static uint64_t plain_global(const uint64_t *address, lane_mask mask, uint32_t bytes)
{
    uint64_t seen[64 * 32], count = 0;
    for (uint32_t l = 0; l < 32; l++) {
        for (uint64_t u = address[l] / 32; mask >> l & 1 && u <= (address[l] + bytes - 1) / 32; u++) {
            uint64_t i = 0;
            while (i < count && seen[i] != u)
                i++;
            if (i == count) seen[count++] = u;
        }
    }
    uint64_t ideal = ((uint64_t)__builtin_popcount(mask) * bytes + 31) / 32;
    return pack(count, ideal < count ? ideal : count);
}

/* Passes for the lanes of `mask`, elements of `size` bytes in 128 bytes of banks. */
static uint64_t plain_part(const uint64_t *offset, lane_mask mask, uint32_t size)
{
    uint64_t worst = 0, all = 0, rows = 128 / size;
    for (uint64_t bank = 0; bank < rows; bank++) {
        uint64_t elements[32], count = 0;
        for (uint32_t l = 0; l < 32; l++) {
            uint64_t i = 0, element = offset[l] / size;
            if (!(mask >> l & 1) || element % rows != bank) continue;
            while (i < count && elements[i] != element)
                i++;
            if (i == count) elements[count++] = element;
        }
        worst = count > worst ? count : worst;
        all += count;
    }
    return pack(worst, (all * (size / 4) + 31) / 32);
}

static uint64_t plain_shared(const uint64_t *offset, lane_mask mask, uint32_t bytes)
{
    uint32_t size = bytes < 4 ? 4 : bytes;
    if (size <= 8) return plain_part(offset, mask, size);
    return plain_part(offset, mask & 0xffff, size) + plain_part(offset, mask & 0xffff0000, size);
}

static uint64_t count_global(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t bytes,
                             uint32_t kind)
{
    (void)ctx;
    (void)kind;
    return plain_global(address, mask, bytes);
}

static uint64_t count_shared(struct jit_ctx *ctx, const uint64_t *offset, lane_mask mask, uint32_t bytes,
                             uint32_t kind)
{
    (void)ctx;
    (void)kind;
    return plain_shared(offset, mask, bytes);
}

static char *shot_text(const struct shot *shot)
{
    static char text[4096];
    bool shared = strcmp(shot->space, "shared") == 0;
    snprintf(text, sizeof text,
             ".version 7.8\n.target sm_80\n.address_size 64\n"
             ".visible .entry shot(.param .u64 in)\n{\n"
             ".reg .b16 %%h<8>; .reg .b32 %%r<8>; .reg .b64 %%d<8>; .reg .b64 %%rd<8>;\n"
             ".shared .align 16 .b8 tile[16384];\n"
             "ld.param.u64 %%rd1, [in];\n"
             "mov.u32 %%r1, %%tid.x;\n"
             "mul.lo.s32 %%r2, %%r1, %lld;\n"
             "add.s32 %%r2, %%r2, %lld;\n"
             "cvt.s64.s32 %%rd2, %%r2;\n"
             "add.s64 %%rd3, %%rd1, %%rd2;\n"
             "mov.u32 %%r3, tile;\n"
             "add.u32 %%r4, %%r3, %%r2;\n"
             "ld.%s.%s %s, [%%%s];\n"
             "ret;\n}\n",
             (long long)shot->stride, (long long)shot->offset, shot->space, shot->type,
             shot->bytes == 16  ? "{%d1, %d2}"
             : shot->bytes == 8 ? "%d1"
             : shot->bytes < 4  ? "%h5"
                                : "%r5",
             shared ? "r4" : "rd3");
    return text;
}

static void check(uint64_t got, uint64_t want, const char *what, const struct shot *shot, int isa)
{
    if (got != want)
        fail_msg("isa %d, ld.%s.%s stride %lld offset %lld threads %u: %s is %llu, not %llu", isa,
                 shot->space, shot->type, (long long)shot->stride, (long long)shot->offset, shot->threads,
                 what, (unsigned long long)got, (unsigned long long)want);
}

static void shoot(const struct shot *shot, enum jit_isa isa)
{
    static uint8_t memory[1 << 17] __attribute__((aligned(256)));
    struct jit_request request = {.isa = isa,
                                  .block = {shot->threads, 1, 1},
                                  .probes = EVENT_PROBE_COUNT,
                                  .rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4}};
    struct jit_kernel kernel;
    jit_kernel_make(&kernel, shot_text(shot), "shot", &request);
    uint64_t *counters = calloc(kernel.object.info.slot_count, 8);
    const struct jit_helpers helpers = {.count_global = count_global, .count_shared = count_shared};
    struct jit_ctx ctx = {.counters = counters, .helpers = &helpers};
    uint8_t *params = memory + sizeof memory / 2;
    jit_kernel_run(&kernel, &ctx, (uint32_t[]){1, 1, 1}, (uint32_t[]){shot->threads, 1, 1}, &params);
    bool shared = strcmp(shot->space, "shared") == 0;
    uint32_t warps = (shot->threads + 31) / 32;
    uint64_t units = 0, ideal = 0;
    for (uint32_t w = 0; w < warps; w++) {
        uint64_t address[32], packed;
        uint32_t lanes = shot->threads - w * 32 < 32 ? shot->threads - w * 32 : 32;
        lane_mask mask = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
        for (uint32_t l = 0; l < 32; l++)
            address[l] = (uint64_t)((shared ? 0 : (int64_t)(uintptr_t)params) + shot->offset +
                                    (int64_t)(w * 32 + l) * shot->stride);
        packed = shared ? plain_shared(address, mask, shot->bytes) : plain_global(address, mask, shot->bytes);
        units += (uint32_t)packed;
        ideal += packed >> 32;
    }
    const struct event_slots *slots = NULL;
    for (uint32_t i = 0; i < kernel.flat->instr_count; i++)
        if (kernel.flat->instrs[i].op == ISA_OP_LD &&
            ptx_instr_space(&kernel.flat->instrs[i]) != PTX_SPACE_PARAM)
            slots = &kernel.object.slots[i];
    assert_non_null(slots);
    const struct event_access_slots *access =
        &slots->access[shared ? EVENT_ACCESS_SHARED : EVENT_ACCESS_GLOBAL];
    check(counters[slots->warps], warps, "warps", shot, (int)isa);
    check(counters[slots->lanes], shot->threads, "lanes", shot, (int)isa);
    check(counters[access->requests], warps, "requests", shot, (int)isa);
    check(counters[access->units], units, "units", shot, (int)isa);
    check(counters[access->ideal], ideal, "ideal", shot, (int)isa);
    free(counters);
    jit_kernel_free(&kernel);
}

static const struct shot shots[] = {
    {"u32", "global", 4, 4, 0, 256},     {"u32", "global", 4, 4, 4, 256},
    {"u32", "global", 4, 4, 0, 40},      {"u32", "global", 4, 0, 12, 64},
    {"u32", "global", 4, 8, 4, 96},      {"u32", "global", 4, 32, 0, 50},
    {"u32", "global", 4, 36, 0, 64},     {"u32", "global", 4, 128, 16, 70},
    {"u32", "global", 4, -4, 0, 64},     {"u32", "global", 4, -64, 8, 33},
    {"u64", "global", 8, 8, 16, 64},     {"u64", "global", 8, 24, 0, 64},
    {"u8", "global", 1, 1, 3, 64},       {"u8", "global", 1, 33, 0, 64},
    {"u16", "global", 2, 2, 30, 45},     {"u32", "global", 4, 20, 0, 64},
    {"u64", "global", 8, 40, 8, 31},     {"u32", "shared", 4, 4, 0, 256},
    {"u32", "shared", 4, 8, 0, 64},      {"u32", "shared", 4, 12, 4, 64},
    {"u32", "shared", 4, 128, 0, 64},    {"u32", "shared", 4, 64, 8, 64},
    {"u32", "shared", 4, 132, 0, 64},    {"u32", "shared", 4, 0, 16, 64},
    {"u64", "shared", 8, 8, 0, 64},      {"u64", "shared", 8, 8, 8, 50},
    {"u64", "shared", 8, 16, 0, 64},     {"u64", "shared", 8, 24, 0, 64},
    {"u64", "shared", 8, 0, 8, 40},      {"v2.u64", "shared", 16, 16, 0, 64},
    {"v2.u64", "shared", 16, 48, 0, 64}, {"v2.u64", "shared", 16, 0, 0, 40},
    {"v2.u64", "shared", 16, 64, 0, 96}, {"u8", "shared", 1, 1, 3, 64},
    {"u16", "shared", 2, 2, 0, 40},      {"v2.u64", "global", 16, 16, 0, 50},
    {"u32", "shared", 4, 64, 0, 40},     {"u32", "shared", 4, 4, 0, 40},
};

static void closed_forms(void **state)
{
    (void)state;
    for (int isa = 0; isa < JIT_ISA_COUNT; isa++)
        for (size_t i = 0; i < SW_COUNT_OF(shots) && cpu_runs((enum jit_isa)isa); i++)
            shoot(&shots[i], (enum jit_isa)isa);
}

/* ---- branches: a loop whose lanes leave in the middle (LEAVE) or at the end (AGAIN), after as many
 * iterations as (tid * 5) % 7 and 4 say, then one of three iterations for all (ROUND) */

enum { LEAVE, AGAIN, ROUND, BRANCHES };
static const char loops_text[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry loops(.param .u64 out)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmul.lo.u32 %r2, %r1, 5;\nrem.u32 %r2, %r2, 7;\n"
    "mov.u32 %r3, 0;\n"
    "L: setp.eq.u32 %p1, %r3, %r2;\n@%p1 bra M;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 4;\n@%p2 bra "
    "L;\n"
    "M: mov.u32 %r4, 0;\n"
    "N: add.u32 %r4, %r4, 1;\nadd.u32 %r3, %r3, %r4;\nsetp.ne.u32 %p2, %r4, 3;\n@%p2 bra N;\n"
    "mad.wide.u32 %rd1, %r1, 4, %rd1;\nst.global.u32 [%rd1], %r3;\nret;\n}\n";

struct branch_counts {
    uint64_t warps, lanes, on_warps, on_lanes, divergent;
};

static void pass_branch(struct branch_counts *counts, lane_mask active, lane_mask taken)
{
    if (!active) return;
    counts->warps++;
    counts->lanes += (uint64_t)__builtin_popcount(active);
    counts->on_warps += taken != 0;
    counts->on_lanes += (uint64_t)__builtin_popcount(taken);
    counts->divergent += taken && taken != active;
}

static void expect_branches(struct branch_counts counts[BRANCHES], uint32_t threads)
{
    for (uint32_t first = 0; first < threads; first += 32) {
        lane_mask active = threads - first < 32 ? (1u << (threads - first)) - 1 : ~0u, left = active;
        for (uint32_t turn = 0; turn < 4; turn++) {
            lane_mask leave = 0;
            for (uint32_t lane = 0; lane < 32; lane++)
                leave |= (lane_mask)((first + lane) * 5 % 7 == turn) << lane & left;
            pass_branch(&counts[LEAVE], left, leave);
            left &= ~leave;
            pass_branch(&counts[AGAIN], left, turn + 1 < 4 ? left : 0);
        }
        for (uint32_t turn = 1; turn <= 3; turn++)
            pass_branch(&counts[ROUND], active, turn < 3 ? active : 0);
    }
}

static void loops_of(uint32_t threads, enum jit_isa isa)
{
    static uint32_t memory[256];
    struct jit_request request = {.isa = isa,
                                  .block = {threads, 1, 1},
                                  .probes = EVENT_PROBE_COUNT,
                                  .rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4}};
    struct jit_kernel kernel;
    jit_kernel_make(&kernel, loops_text, "loops", &request);
    uint64_t *counters = calloc(kernel.object.info.slot_count, 8);
    const struct jit_helpers helpers = {.count_global = count_global};
    struct jit_ctx ctx = {.counters = counters, .helpers = &helpers};
    uint32_t *params = memory, seen = 0;
    jit_kernel_run(&kernel, &ctx, (uint32_t[]){1, 1, 1}, (uint32_t[]){threads, 1, 1}, &params);
    struct branch_counts want[BRANCHES] = {{0}};
    expect_branches(want, threads);
    for (uint32_t i = 0; i < kernel.flat->instr_count; i++) {
        if (kernel.flat->instrs[i].op != ISA_OP_BRA) continue;
        const struct event_slots *slots = &kernel.object.slots[i];
        const struct branch_counts *counts = &want[seen++];
        assert_int_equal(counters[slots->warps], counts->warps);
        assert_int_equal(counters[slots->lanes], counts->lanes);
        assert_int_equal(counters[slots->on_warps], counts->on_warps);
        assert_int_equal(counters[slots->on_lanes], counts->on_lanes);
        assert_int_equal(slots->divergent == EVENT_NO_SLOT ? 0 : counters[slots->divergent],
                         counts->divergent);
    }
    assert_int_equal(seen, BRANCHES);
    free(counters);
    jit_kernel_free(&kernel);
}

static void branches_of_loops(void **state)
{
    (void)state;
    for (int isa = 0; isa < JIT_ISA_COUNT; isa++)
        for (uint32_t threads = 1; threads < 100 && cpu_runs((enum jit_isa)isa); threads += 23)
            loops_of(threads, (enum jit_isa)isa);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(branches_of_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

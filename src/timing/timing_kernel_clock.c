/* SPDX-License-Identifier: Apache-2.0 */
/* When a warp alone comes to each instruction: what its clock reads.
 *
 * Models: each basic block after the one that control comes from (of a loop, itself), as
 * timing_kernel_path.c places it: issue, pipes, latencies of what instructions wait for. A load from global
 * memory takes the latency of the smallest cache that would hold everything that the launch was given
 * pointers to: L1, L2 or DRAM; host memory that of PCIe. Does not model: other warps, what caches really hold
 * (while the kernel runs nobody knows it; the predicted time of the launch does), bank conflicts, lanes that
 * ask for several lines. Sources: as timing_kernel_path.c's and timing_kernel_memory.c's. */
#include "timing_kernel_priv.h"

#include <string.h>

enum { PARTS = 16 }; /* implementation: of a cycle, in the table */

static double load_latency(const struct timing_model *m, const struct event_instr *i, double bytes)
{
    const struct arch_cache *c = &m->sass.gpu->cache;
    bool in_l1 = bytes <= (double)m->sass.gpu->l1_bytes && i->cls != ISA_CLASS_ATOMIC;
    if (i->space == ISA_SPACE_SHARED) return (double)m->sass.p->sm_shared_cycles;
    if (i->space == ISA_SPACE_LOCAL || i->space == ISA_SPACE_PARAM || i->space == ISA_SPACE_CONST || in_l1)
        return (double)c->l1_cycles;
    double beyond = bytes <= (double)m->sass.gpu->l2_bytes ? 0 : (double)c->dram_cycles;
    return timing_l2_latency(m) + beyond +
           (i->cls == ISA_CLASS_ATOMIC ? (double)m->sass.p->sm_atomic_cycles : 0);
}

static double clock_latency_of(const struct timing_model *m, uint32_t number, double bytes)
{
    const struct sass_lower *l = &m->sass.lower[number];
    const struct event_instr *i = &m->sass.kernel->instrs[number];
    bool returns = i->is_read || i->cls == ISA_CLASS_TEXTURE || (i->cls == ISA_CLASS_ATOMIC && i->returns);
    if (l->kind == SASS_MEMORY) return returns ? load_latency(m, i, bytes) : 0;
    if (l->kind == SASS_BARRIER) return (double)m->sass.p->sm_barrier_cycles;
    return l->latency * (double)m->sass.p->sm_latency_percent / 100;
}

uint64_t timing_clock_path(const struct arch_gpu *gpu, const struct timing_plan *plan,
                           const struct event_launch *launch, uint64_t bytes, uint64_t *path)
{
    struct timing_model m = {.sass = {.gpu = gpu,
                                      .p = &gpu->kernels,
                                      .kernel = plan ? &plan->kernel : launch->kernel,
                                      .counters = launch->counters},
                             .launch = launch};
    uint32_t count = m.sass.kernel->instr_count;
    m.sass.pipes = arch_pipes_find(gpu->cc_major, gpu->cc_minor);
    if (!m.sass.pipes) return 0;
    arena_init(&m.arena);
    m.sass.lower = ARENA_ARRAY(&m.arena, struct sass_lower, count + 1);
    m.sass.latency = ARENA_ARRAY(&m.arena, double, count + 1);
    double *rows = ARENA_ARRAY(&m.arena, double, count + 1);
    timing_lower_by(plan, &m);
    sass_unroll_loops(&m.sass);
    for (uint32_t i = 0; i < count; i++)
        m.sass.latency[i] = clock_latency_of(&m, i, (double)bytes);
    timing_path_rows(&m, rows);
    for (uint32_t i = 0; i <= count; i++)
        path[i] = (uint64_t)(rows[i] * PARTS + 0.5);
    arena_release(&m.arena);
    return timing_clock_khz(&m);
}

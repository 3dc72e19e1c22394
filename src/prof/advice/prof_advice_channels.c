/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM's partitions, on GPUs on which addresses name them: what runs at once asks one more than the others.
 *
 * The cache model says how many sectors there would have been if every partition had had as many as the
 * busiest, from moment to moment (model_channels.c); what evenly spread accesses save is that much of DRAM's
 * time. Limits: which line of the source is at fault is not told. Source: Ruetsch, Micikevicius: Optimizing
 * Matrix Transpose in CUDA (2009). */
#include "prof_advice_priv.h"

/* assumed: of an even share, from which on it is told; fewer sectors come and go with L2 */
enum { UNEVEN_PERCENT = 150, LEAST_SECTORS = 16384 };

void prof_advise_channels(struct prof_advisor *a)
{
    const struct event_memory *m = a->launch->launch->memory;
    if (!m || m->dram_even < LEAST_SECTORS || m->dram_uneven * 100 < m->dram_even * UNEVEN_PERCENT) return;
    double times = (double)m->dram_uneven / (double)m->dram_even, goes = 1 - 1 / times;
    double sectors = (double)(m->total.dram_reads + m->total.dram_writes);
    struct prof_finding *f =
        prof_found(a, PROF_RULE_PARTITIONS, NULL, sectors * goes * a->cost.sector,
                   prof_say(a,
                            _("The kernel moves %s DRAM sectors. At any one time the busiest of the %s DRAM "
                              "partitions serves %.1f times its fair share."),
                            prof_say_number(a, (uint64_t)sectors),
                            prof_say_number(a, a->launch->gpu->cache.dram_partitions), times));
    prof_saves(a, f, &(struct prof_saving){.dram = sectors * goes});
    f->saved = m->dram_uneven - m->dram_even;
    f->of = m->dram_uneven;
    f->unit = "sectors";
}

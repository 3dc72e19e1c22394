/* SPDX-License-Identifier: Apache-2.0 */
/* The roofline: what a launch computes and moves, beside what the GPU could at most.
 *
 * A roof is a unit of the GPU: floating-point units and tensor cores by type, and the ways to L1, L2 and
 * DRAM. Each has a peak, at the clock that the launch's time was predicted for, and the launch's work for it;
 * work through peak is the time that it alone would take, and the roof with the longest one binds. So a
 * kernel of several types and levels has one answer. Intensity is the FLOP of all types through the bytes of
 * a level. Matrix instructions count the multiplications that are made: of sparse ones half of their shape.
 *
 * Limits: division, roots and special functions are no FLOP, as in ncu; integers count in tensor cores only.
 * Tensor cores' rates beside that of halves (double precision on 8.0 and 9.0 a sixteenth, TF32 from 8.0 on a
 * half, 8-bit types from 7.2 on twice) are those of NVIDIA's white papers on the T4, A100 and H100; other
 * pairs have no roof here. L1 gives each load and store unit four bytes a cycle (V100 and Turing papers: 128
 * and 64 bytes); L2's peak is the fitted parameter l2_sector_millicycles. */
#include "prof_metrics.h"

#include "base/base_text.h"

const char *prof_roof_name(enum prof_roof_id id)
{
    static const char *const NAMES[PROF_ROOF_COUNT] = {
        "FP64",        "FP32",         "FP16", "FP64 tensor", "TF32 tensor",
        "FP16 tensor", "8-bit tensor", "L1",   "L2",          "DRAM"};
    return NAMES[id];
}

/* ---- peaks */

static double tensor_share(const struct arch_cc *cc, enum prof_roof_id roof)
{
    bool data_center = (cc->major == 8 || cc->major == 9) && cc->minor == 0;
    if (roof == PROF_ROOF_TENSOR_FP16) return 1;
    if (roof == PROF_ROOF_TENSOR_FP64) return data_center ? 1.0 / 16 : 0;
    if (roof == PROF_ROOF_TENSOR_TF32) return cc->major >= 8 ? 0.5 : 0;
    return cc->major > 7 || cc->minor >= 2 ? 2 : 0;
}

double prof_dram_bytes_per_second(const struct arch_gpu *gpu)
{
    return arch_dram_bytes_per_second(gpu);
}

static double peak_of(const struct prof_launch *p, const struct arch_pipes *pipes, double hertz,
                      enum prof_roof_id roof)
{
    enum { SECTOR = 32, BYTES_A_UNIT = 4 };
    double all = hertz * (double)p->gpu->sm_count;
    double millicycles = (double)p->gpu->kernels.l2_sector_millicycles;
    switch (roof) {
    case PROF_ROOF_FP64: return all * pipes->f64 * 2;
    case PROF_ROOF_FP32: return all * pipes->f32 * 2;
    case PROF_ROOF_FP16: return all * pipes->f16 * 2;
    case PROF_ROOF_TENSOR_FP64:
    case PROF_ROOF_TENSOR_TF32:
    case PROF_ROOF_TENSOR_FP16:
    case PROF_ROOF_TENSOR_8: return all * pipes->tensor * 2 * tensor_share(p->cc, roof);
    case PROF_ROOF_L1: return all * pipes->load * BYTES_A_UNIT;
    case PROF_ROOF_L2: return millicycles > 0 ? hertz * SECTOR * 1000 / millicycles : 0;
    case PROF_ROOF_DRAM: return prof_dram_bytes_per_second(p->gpu);
    case PROF_ROOF_COUNT: break;
    }
    BUG("no such roof");
}

/* ---- both */

static double work_of(const struct prof_launch *p, enum prof_roof_id roof)
{
    enum { SECTOR = 32 };
    const struct event_memory_sums *t = &p->launch->memory->total;
    if (roof == PROF_ROOF_L1) return (double)prof_traffic_bytes(&p->sums);
    if (roof == PROF_ROOF_L2) return SECTOR * (double)(t->l2_reads + t->l2_writes + t->l2_atomics);
    if (roof == PROF_ROOF_DRAM) return SECTOR * (double)(t->dram_reads + t->dram_writes);
    return (double)p->sums.flop[roof];
}

static enum prof_roof_id longest(const struct prof_roofline *r, enum prof_roof_id first,
                                 enum prof_roof_id last)
{
    enum prof_roof_id found = last;
    for (int i = (int)last; i >= (int)first; i--)
        if (prof_roof_seconds(&r->roofs[i]) > prof_roof_seconds(&r->roofs[found]))
            found = (enum prof_roof_id)i;
    return found;
}

double prof_roof_seconds(const struct prof_roof *roof)
{
    return roof->peak > 0 ? roof->work / roof->peak : 0;
}

bool prof_roofline(const struct prof_launch *p, double seconds, struct prof_roofline *out)
{
    const struct event_time *t = p->launch->time;
    const struct arch_pipes *pipes = arch_pipes_find(p->cc->major, p->cc->minor);
    if (!p->counted || !t || !p->launch->memory || !pipes || seconds <= 0) return false;
    *out = (struct prof_roofline){
        .seconds = seconds, .clock_khz = t->clock_khz, .limit = (enum event_limit)t->limit};
    for (int i = 0; i < PROF_ROOF_COUNT; i++) {
        enum prof_roof_id roof = (enum prof_roof_id)i;
        out->roofs[i] =
            (struct prof_roof){peak_of(p, pipes, 1000.0 * (double)t->clock_khz, roof), work_of(p, roof)};
        if (i < PROF_ROOF_MEMORY) out->flop += out->roofs[i].work;
    }
    out->compute = longest(out, PROF_ROOF_FP64, PROF_ROOF_TENSOR_8);
    if (prof_roof_seconds(&out->roofs[out->compute]) <= 0) out->compute = PROF_ROOF_FP32;
    out->binds = longest(out, PROF_ROOF_FP64, PROF_ROOF_DRAM);
    return true;
}

double prof_group_seconds(const struct prof_group *group)
{
    return group->total.predicted_ns / 1e9;
}

bool prof_group_roofline(const struct prof_group *group, struct prof_roofline *out)
{
    return prof_roofline(&group->total, prof_group_seconds(group), out);
}

/* FLOP a byte of a level; 0: the level moves nothing. */
double prof_roofline_intensity(const struct prof_roofline *r, enum prof_roof_id level)
{
    return r->roofs[level].work > 0 ? r->flop / r->roofs[level].work : 0;
}

/* FLOP a second that a launch of the same mix could reach if this roof alone held it back. */
double prof_roofline_at_most(const struct prof_roofline *r, enum prof_roof_id roof)
{
    double seconds = prof_roof_seconds(&r->roofs[roof]);
    return seconds > 0 ? r->flop / seconds : 0;
}

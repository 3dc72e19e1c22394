/* SPDX-License-Identifier: Apache-2.0 */
/* arch: the GPU catalogue (gpus/NAME.ini), compute-capability rules, and occupancy. */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include "base/base.h"

#include <limits.h>
#include <stdbool.h>

/* Parameters of the memory model: section [cache] of gpus/NAME.ini, arch_cache.def is the one table. */
struct arch_cache {
#define CACHE(id, value, text) uint64_t id;
#include "arch/arch_cache.def"
#undef CACHE
};

/* Times of copies and calls: section [time], arch_time.def is the one table. */
enum { ARCH_CURVE_POINTS = 12 };
struct arch_curve {
    uint64_t count; /* 0: not given */
    struct {
        uint64_t bytes, ns;
    } at[ARCH_CURVE_POINTS]; /* bytes ascend */
};
struct arch_time {
#define TIME(id, value, text) uint64_t id;
#define CURVE(id, text)       struct arch_curve id;
#include "arch/arch_time.def"
#undef TIME
#undef CURVE
};

/* Parameters of the model of time: section [kernels], arch_kernels.def. */
struct arch_kernels {
#define KERNEL(id, value, text) uint64_t id;
#include "arch/arch_kernels.def"
#undef KERNEL
};

/* One GPU: every field of gpus/NAME.ini; arch_fields.def is the one table of fields. */
struct arch_gpu {
    char name[32];         /* "h200" */
    char origin[PATH_MAX]; /* what arch_gpu_load finds it by, from any folder: its name, or the path of its
                              file */
    char full_name[128];   /* "NVIDIA H200" */
    uint32_t cc_major, cc_minor;
#define FIELD(id, key, unit, text) uint64_t id;
#include "arch/arch_fields.def"
#undef FIELD
    struct arch_cache cache;
    struct arch_time time;
    struct arch_kernels kernels;
};

/* Find gpus/NAME.ini in SOFTWARP_GPUS (a folder, searched first), the source tree's or the installed gpus
 * folder; a NAME with a slash or that ends with ".ini" is a file. SW_INVALID_DEVICE names what is there.
 * Every field carries its source in the file. */
enum sw_status arch_gpu_load(const char *name, struct arch_gpu *out, struct sw_error *error);
/* The one of that origin; NULL: none is. */
const struct arch_gpu *arch_gpu_of(const struct arch_gpu *const *gpus, uint32_t count, const char *origin);
/* Peak of DRAM: two transfers a clock (double data rate). */
static inline double arch_dram_bytes_per_second(const struct arch_gpu *gpu)
{
    return 2.0 * 1000 * (double)gpu->memory_clock_khz * (double)gpu->memory_bus_bits / 8;
}
/* Names of all GPUs found, sorted; from arena. */
uint32_t arch_gpu_list(struct arena *arena, const char ***names);
/* Source of a field ("CUDA C Programming Guide, table 24 ..."), as the file says; from arena. NULL: not
 * given. */
const char *arch_gpu_source(const char *name, const char *key, struct arena *arena);
/* Section [management] of a GPU's file: key to text, for the management library; from arena. Empty: no such
 * section, or no such file. */
void arch_gpu_management(const char *name, struct arena *arena, struct map *out);
uint64_t arch_gpu_field(const struct arch_gpu *gpu, const char *key, bool *found);
/* "h200" of an origin or of what a user wrote: "gpus/h200.ini", "h200". */
void arch_gpu_short_name(const char *origin, char out[32]);

/* Limits of a compute capability that do not depend on the GPU: arch_cc.def is the one table. */
struct arch_cc {
    uint32_t major, minor;
#define LIMIT(id, text) uint32_t id;
#include "arch/arch_limits.def"
#undef LIMIT
};
const struct arch_cc *arch_cc_find(uint32_t major,
                                   uint32_t minor); /* NULL: unknown; then the nearest lower is not guessed */

struct arch_occupancy_request {
    uint32_t threads, registers, shared_bytes; /* per block; per thread; per block, static plus dynamic */
    uint32_t shared_carveout_bytes;            /* shared memory of an SM as configured; 0: the largest */
};
struct arch_occupancy {
    uint32_t blocks_per_sm, warps_per_sm, max_warps_per_sm;
    double fraction; /* warps_per_sm / max_warps_per_sm */
    uint32_t limit_blocks, limit_registers, limit_shared,
        limit_warps; /* blocks that each would allow (ncu's launch__occupancy_limit_*) */
    uint32_t registers_per_block, shared_per_block; /* as allocated, after rounding */
};
/* Shared memory of an SM that the driver sets aside for blocks of so many threads, registers a thread and
 * (allocated) shared bytes. Modelled: the driver's choice is not documented. */
uint32_t arch_shared_carveout(const struct arch_cc *cc, uint32_t threads, uint32_t registers,
                              uint32_t shared_per_block);
/* The smallest size that an SM's shared memory can be set to with `wanted` bytes, and enough for one block.
 */
uint32_t arch_shared_choice(const struct arch_cc *cc, uint32_t wanted, uint32_t least);
/* What a multiprocessor does in a cycle, by compute capability: arch_pipes.def is the one table. */
struct arch_pipes {
    uint32_t major, minor;
#define PIPE(id, text) uint32_t id;
#include "arch/arch_pipes.def"
#undef PIPE
};
const struct arch_pipes *arch_pipes_find(uint32_t major, uint32_t minor); /* NULL: unknown */

/* Warps of a multiprocessor that keep its schedulers busy while one waits so many cycles for a result, when a
 * warp has `intensity` other instructions (at least 1) for each such wait: schedulers * cycles / intensity,
 * rounded up. Source: CUDA C++ Programming Guide, "Multiprocessor Level". 0: the compute capability is not
 * known. */
uint64_t arch_warps_to_hide(const struct arch_cc *cc, uint64_t cycles, uint64_t intensity);
/* What allows the fewest blocks: "warps", "registers", "shared memory" or "blocks". */
const char *arch_occupancy_limiter(const struct arch_occupancy *occupancy);
/* A carve-out too small for one block is raised to the least that holds it, as the driver does. */
enum sw_status arch_occupancy_compute(const struct arch_cc *cc, const struct arch_occupancy_request *request,
                                      struct arch_occupancy *out, struct sw_error *error);

/* Occupancy over every value of one resource, the others as in request; from arena. */
enum arch_occupancy_axis { ARCH_AXIS_BLOCK, ARCH_AXIS_REGISTERS, ARCH_AXIS_SHARED };
struct arch_point {
    uint32_t value; /* threads, registers a thread, or bytes */
    struct arch_occupancy occupancy;
};
uint32_t arch_occupancy_curve(const struct arch_cc *cc, const struct arch_occupancy_request *request,
                              enum arch_occupancy_axis axis, struct arena *arena, struct arch_point **out);

/* The block size, `most` or a smaller number of whole warps, that keeps most threads of a multiprocessor
 * resident; of equals the largest. blocks_of: how many blocks of a size fit; negative: give up. *blocks: how
 * many of the best fit; 0 blocks of 0 threads when none does. */
typedef int (*arch_blocks_fn)(void *user, uint32_t threads);
uint32_t arch_occupancy_best_block(uint32_t most, arch_blocks_fn blocks_of, void *user, uint32_t *blocks);
/* The same for the registers and shared memory of a request. */
uint32_t arch_occupancy_suggest(const struct arch_cc *cc, const struct arch_occupancy_request *request,
                                uint32_t *blocks);
#endif

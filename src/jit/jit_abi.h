/* SPDX-License-Identifier: Apache-2.0 */
/* The contract between emitted code and the engine that runs it: plain records at fixed offsets. jit/ builds
 * an LLVM twin of each struct from named fields and asserts that the offsets agree; nothing here holds baked
 * addresses, so that compiled objects can be kept on disk and mapped anywhere. */
#ifndef JIT_ABI_H
#define JIT_ABI_H

#include "event/event.h"

struct jit_ctx;

/* Calls out of emitted code. They never return an error: what fails inside does not come back (the engine
 * unwinds the worker by longjmp and the launch fails). */
struct jit_helpers {
    uint32_t (*vprintf)(struct jit_ctx *ctx, uint64_t format, uint64_t args); /* one lane */
    void (*assert_fail)(struct jit_ctx *ctx, uint64_t message, uint64_t file, uint32_t line,
                        uint64_t function);
    void (*trap)(struct jit_ctx *ctx, uint32_t status);      /* enum sw_status; no return */
    uint64_t (*malloc)(struct jit_ctx *ctx, uint64_t bytes); /* one lane; 0: heap is full */
    void (*free)(struct jit_ctx *ctx, uint64_t address);
    uint64_t (*globaltimer)(struct jit_ctx *ctx);    /* ns */
    void (*yield)(struct jit_ctx *ctx, uint32_t ns); /* spinning or nanosleep */
    /* COUNT probes for what closed forms do not cover; see struct event_counters_fns. address: 32 entries;
     * kind: enum event_access_kind */
    uint64_t (*count_global)(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t bytes,
                             uint32_t kind);
    uint64_t (*count_local)(struct jit_ctx *ctx, const uint64_t *offset, lane_mask mask, uint32_t bytes);
    uint64_t (*count_shared)(struct jit_ctx *ctx, const uint64_t *offset, lane_mask mask, uint32_t bytes,
                             uint32_t kind);
};

/* One per host thread that runs blocks. */
struct jit_ctx {
    const uint8_t *params; /* kernel parameter buffer */
    uint8_t *shared;       /* of the running block: static variables, then dynamic; 1024-aligned */
    uint8_t *local;        /* lane l of warp w: local + (w * 32 + l) * info.local_bytes */
    uint8_t *frames;       /* suspended warps: frames + w * info.frame_bytes; 64-aligned */
    const uint64_t
        *symbols;       /* address of module->vars[i]; function token of functions[j] at [var_count + j] */
    uint64_t *counters; /* EVENT_PROBE_COUNT: info.slot_count words of this thread */
    const struct jit_helpers *helpers;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes, shared_bytes; /* dynamic; static plus dynamic */
    uint32_t ctaid[3];                           /* kept up to date for messages and faults */
    uint32_t warp;                               /* in the block; likewise */
    uint32_t sm_id, sm_count, max_warps_per_sm;
    uint32_t lane; /* set by emitted code before it calls a helper for one lane (vprintf, assert_fail, malloc,
                      free) */
    uint64_t grid_id;
    uint64_t clock_base; /* %clock64 = host time stamp counter - clock_base */
    uint32_t envreg[32];
    void *host; /* the engine's own */
};

/* Outside names that an object may refer to: the list RUNTIME in engine_load.c (memcpy, memset, fma, fmod,
 * floor ..., half conversions, 128-bit division). Anything else fails to load, by name. */

/* Entry points of a compiled object (C symbol names in the object). */
#define JIT_RUN_SYMBOL "softwarp_run"
/* Run blocks [first, first + count), numbered x fastest, to their end, on the calling thread. */
typedef void (*jit_run_fn)(struct jit_ctx *ctx, uint64_t first, uint64_t count);
#define JIT_STEP_SYMBOL "softwarp_step" /* only in objects made with jit_request.resumable */
/* Run block number `block` on from the state in ctx->frames (zeroed: from its start) until each warp has
 * ended or yielded. Returns 1 when the block has ended. */
typedef uint32_t (*jit_step_fn)(struct jit_ctx *ctx, uint64_t block);

/* An address for functions[index] in function pointers: never 0, never a valid data address. */
#define JIT_FUNCTION_TOKEN(index) (((uint64_t)(index) + 1) << 4)
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Inside engine/. Reading order: engine.c (objects), engine_event.c (what a kernel's instructions are),
 * engine_code.c (compiled variants), engine_load.c (mapping objects), engine_cache.c (objects on disk),
 * engine_pool.c (host threads), engine_launch.c (running a grid), engine_fault.c (signals), engine_helpers.c,
 * engine_device.c, engine_printf.c, engine_heap.c; engine_detail.c (launches that are simulated in detail).
 */
#ifndef ENGINE_PRIV_H
#define ENGINE_PRIV_H

#include "engine/engine.h"

#include "arch/arch_machine.h"
#include "vmem/vmem_ranges.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

/* ---- engine_load.c: objects mapped into this process
 * ------------------------------------------------------------ */

struct engine_image {
    uint8_t *base; /* mapping; NULL: none */
    size_t bytes;
    jit_run_fn run;
    jit_step_fn step; /* NULL where the object has none */
};
/* object: ELF64 relocatable. Undefined names are resolved from the list in engine_load.c only. */
enum sw_status engine_image_load(const uint8_t *object, uint64_t bytes, struct engine_image *out,
                                 struct sw_error *error);
void engine_image_release(struct engine_image *image);

/* ---- engine_heap.c: device malloc
 * ------------------------------------------------------------------------------- */

struct engine_heap {
    pthread_mutex_t lock;
    struct vmem *vmem;
    uint32_t device;
    uint64_t bytes;
    dev_addr base; /* 0: not made yet */
    struct vmem_ranges ranges;
    struct map sizes; /* address -> bytes, as a pointer-sized integer */
};
void engine_heap_init(struct engine_heap *heap, struct vmem *vmem, uint32_t device, uint64_t bytes);
void engine_heap_release(struct engine_heap *heap);
/* 0: full, or align is no power of two */
uint64_t engine_heap_malloc(struct engine_heap *heap, uint64_t bytes, uint64_t align);
bool engine_heap_free(struct engine_heap *heap, uint64_t address); /* false: not a live block */

/* ---- objects
 * ---------------------------------------------------------------------------------------------------- */

struct engine_job;
struct engine_worker;

/* What differs between variants of a kernel, besides block dimensions; see struct jit_request. */
struct engine_form {
    uint32_t probes; /* EVENT_PROBE_* */
    bool resumable, strict, permissions;
};
/* A kernel compiled one way. */
enum engine_variant_state { ENGINE_COMPILING, ENGINE_READY, ENGINE_FAILED };
struct engine_variant {
    struct engine_variant *next;
    struct engine_kernel *kernel;
    uint32_t block[3]; /* 0,0,0: generic */
    struct engine_form form;
    enum engine_variant_state state;
    struct sw_error error; /* FAILED */
    struct engine_image image;
    struct jit_info info;
    struct event_kernel described;    /* with this variant's slots */
    atomic_uint_fast64_t block_ticks; /* what a block took last; 0: not known */
};

struct engine_kernel {
    struct engine_kernel *next;
    struct engine_module *module;
    const struct ptx_function *function; /* flattened */
    struct arena arena;
    uint64_t hash[2]; /* of everything that compiling reads from the module */
    struct event_kernel info;
    pthread_mutex_t lock; /* of what follows */
    uint64_t accessed;    /* as ptx_params_accessed says, once it is known */
    bool accessed_known;
    pthread_cond_t compiled;
    struct engine_variant *variants;
    uint32_t specialised;
};

struct engine_module {
    struct engine *engine;
    const struct ptx_module *ptx;
    uint64_t *symbols;    /* vars, then function tokens: struct jit_ctx */
    pthread_mutex_t lock; /* of kernels */
    struct engine_kernel *kernels;
};

struct engine_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, left; /* a job may need hands; someone left a job */
    struct engine_job *jobs;   /* oldest first */
    pthread_t *threads;
    uint32_t count;
    bool quit;
    struct engine_worker *idle; /* contexts, not threads */
};

struct engine {
    struct engine_config config;
    uint32_t threads;
    enum jit_isa isa;
    bool fast_approx; /* SOFTWARP_APPROX=fast */
    char *library;    /* path of libsoftwarp-jit.so */
    pthread_mutex_t jit_lock;
    void *jit_handle;
    jit_compile_fn compile;
    struct engine_heap heaps[ARCH_DEVICES]; /* one a device */
    struct engine_pool pool;
};

/* ---- engine_event.c
 * --------------------------------------------------------------------------------------------- */

/* Fill kernel->info from kernel->function. */
enum sw_status engine_kernel_describe(struct engine_kernel *kernel, struct sw_error *error);
uint64_t engine_kernel_id(void); /* the next event_kernel.id */

/* ---- engine_code.c
 * ---------------------------------------------------------------------------------------------- */

/* The variant for these block dimensions, compiled when needed; waits when another thread compiles the same.
 */
enum sw_status engine_variant_get(struct engine_kernel *kernel, const uint32_t block[3],
                                  struct engine_form form, struct engine_variant **out,
                                  struct sw_error *error);
void engine_variants_release(struct engine_kernel *kernel);

/* ---- engine_cache.c
 * --------------------------------------------------------------------------------------------- */

struct cache_key;
void engine_kernel_hash(const struct ptx_function *function, uint64_t out[2]);
/* false: not there, or not usable. On success out->code and out->slots are malloc'ed. */
bool engine_cache_read(const struct cache_key *key, uint32_t instr_count, struct jit_object *out);
void engine_cache_write(const struct cache_key *key, uint32_t instr_count, const struct jit_object *object);

/* ---- engine_pool.c
 * ---------------------------------------------------------------------------------------------- */

/* What one host thread needs while it runs blocks. */
struct engine_memory {
    uint8_t *base; /* mapped; an unmapped page follows */
    size_t bytes;
};
struct engine_worker {
    struct jit_ctx ctx;
    struct engine *engine;
    struct engine_job *job;
    struct engine_worker *next; /* in pool.idle */
    struct engine_memory shared, local, frames, counters, records, signal_stack;
    struct engine_resident *resident; /* in detail: whose block runs (engine_detail.c) */
    struct engine_tape *tape;         /* and where its requests go */
    struct engine_warp_clock *clock;  /* of this warp of the job; NULL: not looked for yet */
    uint64_t clock_warp;
    const uint8_t *stack; /* of the thread that runs it: functions' local variables lie there */
    size_t stack_bytes;
    uint64_t entered;                         /* the frame on it from which the kernel was entered */
    struct engine_set_accesses *set_accesses; /* not simulated in detail, in a sampled launch: where its
                                                 accesses to the address set go; */
    struct engine_tape *scratch;              /* for one request */
    /* engine_fault.c */
    sigjmp_buf landing;
    volatile sig_atomic_t armed; /* emitted code is running: a fault is the kernel's */
    struct sw_error error;       /* why `landing` was jumped to */
    int fault_signal, fault_code;
    sigset_t fault_mask; /* of the thread, before the signal */
    uint64_t fault_address;
    bool fault_on_stack;
};

struct engine_job {
    struct engine_job *next;
    struct engine *engine;
    const struct engine_launch *launch;
    struct event_rules rules; /* of the tool, for this launch */
    struct engine_variant *variant;
    const uint8_t *params;
    uint64_t clock_base;
    uint64_t blocks;
    atomic_uint_fast64_t taken; /* blocks given out so far */
    atomic_bool stop;           /* someone failed */
    uint32_t hands, hands_max;  /* under pool.lock: threads in it; at most */
    bool alone, linked;         /* small: no other thread is called yet; in pool.jobs */
    void (*body)(struct engine_worker *worker, struct engine_job *job);
    struct engine_grid *grid;     /* blocks that wait for each other */
    struct engine_detail *detail; /* blocks that are simulated in detail */
    struct engine_sample *sample; /* of a sampled launch: the blocks that are not; */
    uint32_t sample_shift;        /* after the first round, less than the launch's may be */
    bool hangs;                   /* lanes of a warp that wait for each other: compute capability below 7.0 */
    dev_addr workspace;           /* of the grid's barrier; 0: none */
    pthread_mutex_t lock;         /* of what follows */
    uint64_t failed_block;        /* lowest that failed; UINT64_MAX: none */
    struct sw_error error;
    uint64_t *counters; /* sums */
    struct map clocks;  /* by warp in the grid, from 1: struct engine_warp_clock (engine_timer.c) */
    uint64_t begin_ns;  /* of the launch, once */
    bool begun;         /* a clock was read */
};

enum sw_status engine_pool_init(struct engine_pool *pool, uint32_t threads, struct sw_error *error);
void engine_pool_release(struct engine_pool *pool);
/* Run job->body on this thread and on idle ones; returns when all have left it. */
void engine_pool_run(struct engine_pool *pool, struct engine_job *job);
/* It takes longer than was thought: call other threads in. By the one thread that runs it. */
void engine_pool_share(struct engine_pool *pool, struct engine_job *job);
/* At least `bytes` of zeroed-once memory followed by an unmapped page; keeps what is large enough. */
bool engine_memory_reserve(struct engine_memory *memory, size_t bytes);
void engine_memory_release(struct engine_memory *memory);

/* ---- engine_launch.c, engine_grid.c
 * ----------------------------------------------------------------------------- */

uint64_t engine_timer_read(struct jit_ctx *ctx, uint32_t row, uint32_t end);
uint64_t engine_clock_read(struct jit_ctx *ctx, uint32_t row, uint32_t end);
void engine_clock_pass(struct jit_ctx *ctx, uint32_t first, uint32_t end);
void engine_clocks_release(struct map *clocks);
uint64_t engine_resident_blocks(const struct engine_launch *launch); /* at most, by their warps */
uint32_t engine_job_warps(const struct engine_job *job);             /* of a block */
uint32_t engine_job_shared(const struct engine_job *job);            /* bytes of a block */
uint64_t engine_block_number(const struct jit_ctx *ctx);
void engine_job_failed(struct engine_job *job, const struct sw_error *error, uint64_t block);
enum sw_status engine_worker_counters(struct engine_worker *worker, const struct engine_job *job);
void engine_worker_context(struct engine_worker *worker, struct engine_job *job); /* all but memory */
void engine_worker_merge(struct engine_worker *worker, struct engine_job *job);   /* counters */
void engine_grid_run(struct engine *engine, struct engine_job *job, uint64_t resident);
/* What cooperative_groups finds of the grid; job->workspace. */
enum sw_status engine_grid_workspace(const struct engine *engine, struct engine_job *job);
void engine_grid_workspace_release(const struct engine *engine, struct engine_job *job);
void engine_grid_hang(struct sw_error *error, const struct engine_job *job, uint64_t block, uint64_t turns);
uint32_t engine_block_warps(const struct jit_ctx *ctx);

/* ---- engine_cta_slots.c: memory of blocks that are resident at the same time */
struct engine_cta_slots {
    struct engine_memory memory;
    size_t block_bytes, shared_bytes, local_at, frames_at, frame_bytes;
};
enum sw_status engine_cta_slots_init(struct engine_cta_slots *cta_slots, const struct engine_job *job,
                                     uint32_t count);
void engine_cta_slots_release(struct engine_cta_slots *cta_slots);
/* The context's memory is that of CTA slot `number`; clear: a block begins where another was. */
void engine_cta_slots_use(const struct engine_cta_slots *cta_slots, struct engine_worker *worker,
                          uint32_t number, bool clear);

/* ---- engine_sample.c: blocks of a sampled launch that are not simulated in detail */
struct engine_set_accesses { /* by one block */
    struct event_set_access *accesses;
    size_t count, capacity;
};
uint64_t engine_first_blocks(const struct engine_launch *launch); /* that the device would hold at once */
/* What will run beside job, which is of the others, once it began. */
struct engine_sample *engine_sample_new(struct engine *engine, const struct engine_job *job);
enum sw_status engine_sample_begin(struct engine_sample *sample, uint32_t sample_shift,
                                   struct sw_error *error);
/* Its code; launch: not simulated in detail. (engine_launch.c) */
enum sw_status engine_sample_variant(const struct engine_launch *launch, struct engine_variant **out,
                                     struct sw_error *error);
/* A worker's part: blocks of the batch, from 0. */
void engine_sample_run(struct engine_worker *worker, const struct engine_job *job, uint64_t first,
                       uint64_t count);
bool engine_sample_prepare(struct engine_worker *worker, const struct engine_job *job);
void engine_sample_forget(struct engine_worker *worker);
/* Run those whose number is below `end`, as far as they have not run; a failure is the job's. Nothing unless
 * it began. */
void engine_sample_advance(struct engine_sample *sample, struct engine_job *job, uint64_t end);
/* What they counted is added to what the job did. */
void engine_sample_delete(struct engine_sample *sample, struct engine_job *job);

/* ---- engine_detail.c: launches with ACCESS probes */
enum { ENGINE_RECORD_CAPACITY = JIT_RECORD_BYTES + sizeof(struct jit_record) + JIT_RECORD_ADDRESSES };
void engine_detail_run(struct engine *engine, struct engine_job *job);
void engine_help_drain(struct jit_ctx *ctx, const uint8_t *end); /* engine_stream.c */

/* ---- engine_fault.c
 * --------------------------------------------------------------------------------------------- */

void engine_fault_install(void); /* cheap when they are in place */
/* Run `body` as this thread's kernel code; false: it failed, worker->error says how. */
bool engine_fault_guard(struct engine_worker *worker,
                        void (*body)(struct engine_worker *worker, void *argument), void *argument);
/* From a helper: leave the kernel. worker->error is filled. */
_Noreturn void engine_fault_leave(struct engine_worker *worker);

/* ---- engine_helpers.c, engine_printf.c
 * -------------------------------------------------------------------------- */

uint64_t engine_help_texture(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *object,
                             const uint32_t *rows, uint32_t *values); /* engine_texture.c */
void engine_help_bulk(struct jit_ctx *ctx, uint64_t code, uint64_t to, uint64_t from,
                      uint32_t bytes); /* engine_bulk.c */
void engine_help_phase(struct jit_ctx *ctx, const struct jit_record_site *site, uint64_t address,
                       uint32_t how); /* engine_phase.c */
uint32_t engine_help_collective(struct jit_ctx *ctx, struct jit_collective_state *m, uint64_t code,
                                uint32_t line, lane_mask here, lane_mask alive); /* engine_collective.c */
_Noreturn void engine_help_misaligned(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask,
                                      uint32_t bytes, uint32_t line);
/* ---- engine_permissions.c: memory that the device of a launch may not reach */
bool engine_permissions_matter(const struct engine *engine, uint32_t device);
void engine_permissions_fill(const struct engine_job *job, struct jit_ctx *ctx);
void engine_help_reach(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t need,
                       uint32_t line);
void engine_permissions_span(struct jit_ctx *ctx, uint64_t first, uint64_t bytes, uint32_t need);
/* ---- engine_host.c: host memory that no API call gave to the device. Ends the launch if it may not access
 * this address outside of the reservation; lane -1: not known. */
void engine_host_check(struct jit_ctx *ctx, uint64_t address, uint32_t need, uint32_t line, int lane);
void engine_detail_stack(struct engine_worker *worker); /* notes where the thread's lies */
_Noreturn void engine_help_barrier_wrong(struct jit_ctx *ctx, uint32_t line, uint32_t number);
_Noreturn void engine_help_barrier_stuck(struct jit_ctx *ctx, const struct jit_stuck *stuck);
_Noreturn void engine_help_collective_stuck(struct jit_ctx *ctx, const struct jit_collective_state *m);
void engine_help_device_call(struct jit_ctx *ctx, uint32_t code,
                             const uint64_t *arguments);             /* engine_device.c */
void engine_lane_thread(const struct jit_ctx *ctx, uint32_t out[3]); /* thread index of ctx->lane */
void engine_help_matrix(struct jit_ctx *ctx, uint64_t code, const void *from, void *to); /* engine_matrix.c */
void engine_help_fragment(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *address,
                          const uint32_t *stride, void *registers); /* engine_fragment.c */
/* Helpers note what they access, where emitted code lends its buffer: 32 lanes; one run of bytes. */
void engine_note_access(struct jit_ctx *ctx, const uint64_t addr[32], lane_mask mask, uint32_t bytes,
                        bool more);
void engine_note_span(struct jit_ctx *ctx, uint64_t first, uint32_t bytes);
void engine_help_count_fragment(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *address,
                                const uint32_t *stride, uint32_t space, uint64_t *counted);
extern const struct jit_helpers engine_helpers;
/* Append what CUDA's printf would print. Reads device memory: may fault. Returns the number of arguments, or
 * -1. */
int engine_printf_format(struct jit_ctx *ctx, const char *format, const uint8_t *args, struct str *out);
void engine_print(struct engine *engine, const char *text, size_t length);
uint64_t engine_clock_ticks(void); /* host time stamp counter */
#endif

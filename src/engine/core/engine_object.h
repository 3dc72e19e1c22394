/* SPDX-License-Identifier: Apache-2.0 */
/* The engine, its modules, their kernels, and variants of these, which are kernels compiled one way. Modules
 * of engine/, each using those above it:
 *
 *   core     these objects; a launch as it runs and its host threads; memory, faults, what may be accessed
 *   code     kernels: what they are to tools, compiled variants, objects mapped and kept on disk
 *   record   simulated warps: from records of emitted code to requests of memory
 *   matrix   matrix multiplication; fragments in memory
 *   texture  textures and surfaces
 *   helpers  what emitted code calls
 *   run      host threads, grids, launches; engine_new
 */
#ifndef ENGINE_OBJECT_H
#define ENGINE_OBJECT_H

#include "engine/engine.h"

#include "arch/arch_machine.h"
#include "engine_heap.h"

#include <pthread.h>
#include <stdatomic.h>

struct engine_memory;
struct engine_pool;
struct engine_tapes;     /* engine_tape.h */
struct engine_alone {    /* of a program's host threads: */
    atomic_uint running; /* how many run a launch's blocks, or wait to; */
    atomic_bool taken;   /* one has memory for itself, and holds the lock, which others that come wait for */
    pthread_mutex_t lock;
};
struct engine_shadow; /* engine_shadow_priv.h */

struct engine_image {
    uint8_t *base; /* mapping; NULL: none */
    size_t bytes;
    _Atomic(jit_run_fn) run;
    _Atomic(jit_step_fn) step; /* NULL where the object has none */
};

/* gcc loads an atomic function plainly where it is called. */
static inline jit_run_fn engine_image_run(const struct engine_image *image)
{
    return atomic_load_explicit(&image->run, memory_order_acquire);
}
static inline jit_step_fn engine_image_step(const struct engine_image *image)
{
    return atomic_load_explicit(&image->step, memory_order_acquire);
}

/* What differs between variants of a kernel, besides block dimensions; see struct jit_request. */
struct engine_variant_options {
    uint32_t probes; /* EVENT_PROBE_* */
    bool resumable, strict, permissions;
};
/* A kernel compiled one way. */
enum engine_variant_state { ENGINE_COMPILING, ENGINE_READY, ENGINE_FAILED };
struct engine_variant {
    struct engine_variant *next;
    struct engine_kernel *kernel;
    uint32_t block[3]; /* 0,0,0: generic */
    struct engine_variant_options options;
    enum engine_variant_state state;
    bool cached;               /* its code was in the cache */
    struct sw_error error;     /* FAILED */
    struct engine_image image; /* its functions change once, while launches run: engine_tier.c */
    struct engine_image first; /* the first tier's, once `image` is the full tier's: some may be in it yet */
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

struct engine {
    struct engine_config config;
    uint32_t threads;
    enum jit_isa isa;
    bool fast_approx; /* SOFTWARP_APPROX=fast */
    /* SOFTWARP_TIERS, for tests: both (all kernels, not only large ones), first, full (one tier alone) */
    enum engine_tiers {
        ENGINE_TIERS_BY_SIZE,
        ENGINE_TIERS_BOTH,
        ENGINE_TIERS_FIRST,
        ENGINE_TIERS_FULL
    } tiers;
    uint32_t cpus; /* that this process may use */
    char *library; /* path of libsoftwarp-jit.so */
    pthread_mutex_t jit_lock;
    void *jit_handle;
    jit_compile_fn compile;
    struct engine_heap heaps[ARCH_DEVICES]; /* one a device */
    struct engine_pool *pool;               /* of host threads (engine_pool.c) */
    struct engine_alone alone;              /* how many of them run launches (engine_alone.c) */
    /* What one launch leaves to the next, since new pages cost more than their use; NULL: nothing. */
    _Atomic(struct engine_memory *) spare_cta_slots;
    _Atomic(struct engine_tapes *) spare_tapes;
    /* A kernel is about to go; of shadow/, which names kernels in reports of later races. NULL: nobody asks.
     */
    void (*kernel_gone)(struct engine *engine, const struct event_kernel *kernel);
    struct engine_shadow *shadow; /* NULL: the tool asks for none */
};
#endif

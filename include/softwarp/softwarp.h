/* SPDX-License-Identifier: Apache-2.0 */
/* Softwarp as a library: load PTX, launch kernels, read what a GPU would have counted. Link with -lsoftwarp;
 * the compiler, libsoftwarp-jit.so, must lie beside libsoftwarp.so.
 *
 * Functions that can fail return 0, or the CUresult number of what went wrong, with words in *error (which
 * may be NULL). A GPU may be used from several threads; one module's unloading may not overlap with its
 * launches. */
#ifndef SOFTWARP_SOFTWARP_H
#define SOFTWARP_SOFTWARP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct softwarp;        /* a GPU in software */
struct softwarp_module; /* PTX loaded into it */

struct softwarp_error {
    int status;        /* CUresult number */
    char message[512]; /* what, where, and what to do; no newline */
};

struct softwarp_options {
    const char
        *gpu; /* a name that `softwarp devices` lists; NULL: h200. Decides the coalescing and bank rules */
    unsigned threads;    /* host threads; 0: SOFTWARP_THREADS, else as many as this process may use */
    uint64_t heap_bytes; /* for device malloc; 0: 8 MiB */
    void (*print)(void *user, const char *text, size_t length); /* device printf; any thread; NULL: stdout */
    void *user;
};

/* options: NULL for the defaults. */
int softwarp_open(const struct softwarp_options *options, struct softwarp **out,
                  struct softwarp_error *error);
void softwarp_close(struct softwarp *gpu); /* unload its modules first */

/* Device memory is host memory: read and write it directly while no kernel uses it. Zeroed; aligned to 512
 * bytes. NULL: no room. An access past its last page ends a kernel with 700, illegal address. */
void *softwarp_alloc(struct softwarp *gpu, size_t bytes);
void softwarp_free(struct softwarp *gpu, void *memory); /* NULL is allowed */

/* text: PTX, `length` bytes, needed during the call only. */
int softwarp_load(struct softwarp *gpu, const char *text, size_t length, struct softwarp_module **out,
                  struct softwarp_error *error);
void softwarp_unload(struct softwarp_module *module);
/* A __device__ or __constant__ variable, and its size (bytes may be NULL). NULL: there is none of that name.
 */
void *softwarp_symbol(struct softwarp_module *module, const char *name, size_t *bytes);

/* Sums over the whole grid. Requests are warps' memory instructions with at least one lane; sectors are 32
 * bytes (or the GPU's line), wavefronts passes through the banks of shared memory. */
struct softwarp_counters {
    uint64_t warp_instructions, thread_instructions, branches, divergent_branches;
    struct softwarp_accesses {
        uint64_t requests, units, ideal_units; /* units: sectors; of shared memory wavefronts */
    } global_load, global_store, global_atomic, local_load, local_store, shared_load, shared_store,
        shared_atomic;
};

struct softwarp_launch {
    const char *kernel; /* its name in the PTX */
    unsigned grid[3], block[3];
    unsigned dynamic_shared_bytes;
    const void *const *arguments; /* one pointer to each parameter's value */
    int cooperative;              /* all blocks make progress together */
};
/* Run a kernel to its end. counters: NULL to run at full speed. */
int softwarp_run(struct softwarp_module *module, const struct softwarp_launch *launch,
                 struct softwarp_counters *counters, struct softwarp_error *error);

#ifdef __cplusplus
}
#endif
#endif

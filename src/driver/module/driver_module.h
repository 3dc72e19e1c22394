/* SPDX-License-Identifier: Apache-2.0 */
/* driver: images, modules and functions (driver_image.c, driver_module.c, driver_library.c). */
#ifndef DRIVER_MODULE_H
#define DRIVER_MODULE_H

#include "driver/core/driver_context.h"

#include "fatbin/fatbin.h"
#include "ptx/ptx.h"

struct driver_program { /* PTX parsed for a device, with what a cubin of the same code says */
    struct driver_object object;
    struct ptx_module *ptx;
    char *text; /* the PTX; the module's names point into its own arena */
    uint64_t text_bytes;
    struct arena arena;
    struct fatbin_resources *resources;
    uint32_t resource_count, elf_sm;
};
/* Choose, parse and describe. image: as cuModuleLoadData takes it; size UINT64_MAX when not known. */
CUresult driver_program_new(const void *image, uint64_t size, const struct driver_device *device,
                            struct driver_program **out);

/* One translation unit: its text (NUL-terminated), and the same parsed. */
struct driver_ptx_unit {
    const char *text;
    const struct ptx_module *ptx;
};
/* Parse and verify: text that ptxas would refuse is refused here, before anything is compiled from it. */
enum sw_status driver_ptx_read(const char *text, size_t length, const char *name, struct ptx_module **out,
                               struct sw_error *error);
/* One text of several; appended to *out. */
enum sw_status driver_ptx_link(const struct driver_ptx_unit *units, unsigned count, struct str *out,
                               struct sw_error *error);

/* The text of functions of the device runtime that some unit calls, to be linked in, from arena; NULL: none
 * does. */
const char *driver_device_library(const struct driver_ptx_unit *units, unsigned count, struct arena *arena);

struct driver_function {
    struct driver_object object;
    struct driver_module *module; /* owns this */
    const struct ptx_function *entry;
    struct engine_kernel *kernel; /* NULL until first needed */
    int max_dynamic_shared, carveout;
    bool max_dynamic_set;
    CUfunc_cache cache_config;
    _Atomic CUsharedconfig shared_config; /* default: the context's */
    int block_shape[3]; /* the old launch calls: cuFuncSetBlockShape, cuParamSet*, cuLaunch */
    unsigned shared_size;
    uint8_t *params;
};
struct driver_module {
    struct driver_object object;
    struct driver_context *context; /* reference */
    struct driver_program *program;
    struct engine_module *engine;
    uint64_t *symbols; /* by index of program->ptx->vars */
    bool *external;    /* likewise: the memory is the caller's */
    pthread_mutex_t lock;
    struct map functions; /* by name: struct driver_function */
    bool of_library, closed;
};
/* Give back what it holds of the engine and of memory; no work of it may be queued. */
void driver_module_close(struct driver_module *module);
/* For a library that ends: the module goes from its context. The caller keeps its reference. */
void driver_module_unload(struct driver_module *module);
/* Options of cuModuleLoadDataEx and others: find what is asked for, and answer when the work is done. */
struct driver_jit {
    void **values;
    char *log[2]; /* info, error; NULL: not asked for */
    unsigned capacity[2];
    int size_at[2], wall_at; /* where in values; -1: not asked for */
    uint64_t start_ns;
};
void driver_jit_begin(struct driver_jit *jit, unsigned count, const CUjit_option *options, void **values);
CUresult driver_jit_end(const struct driver_jit *jit, CUresult result); /* returns result */
/* Variables whose addresses the caller gives (CU_JIT_GLOBAL_SYMBOL_*). */
struct driver_symbol_addresses {
    size_t count;
    const char **names;
    void **addresses;
};
CUresult driver_jit_symbol_addresses(unsigned count, const CUjit_option *options, void **values,
                                     struct driver_symbol_addresses *out);
/* Takes its own reference of program. addresses_given: NULL for none; read only here. */
CUresult driver_module_new(struct driver_context *context, struct driver_program *program,
                           const struct driver_symbol_addresses *addresses_given, struct driver_module **out);
CUresult driver_module_function(struct driver_module *module, const char *name, struct driver_function **out);
CUresult driver_module_global(struct driver_module *module, const char *name, dev_addr *address,
                              uint64_t *bytes, bool managed_only);
CUresult driver_function_kernel(struct driver_function *function, struct engine_kernel **out);
/* A function from a CUfunction, or from a CUkernel cast to one; *out holds a reference of its module. */
CUresult driver_function_get(CUfunction handle, struct driver_function **out);
void driver_function_put(struct driver_function *function);
uint32_t driver_module_count_entries(const struct ptx_module *ptx);
CUresult driver_file_read(const char *path, uint8_t **out, uint64_t *bytes); /* a zero byte follows; free() */
CUresult driver_function_attribute(struct driver_function *function, CUfunction_attribute attribute,
                                   int *value);
CUresult driver_function_set(struct driver_function *function, CUfunction_attribute attribute, int value);
/* Blocks of that many threads that one multiprocessor holds at once. */
CUresult driver_function_occupancy(struct driver_function *function, uint32_t threads,
                                   uint64_t dynamic_shared, int *blocks);
#endif

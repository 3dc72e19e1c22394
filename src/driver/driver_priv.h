/* SPDX-License-Identifier: Apache-2.0 */
/* driver: what its files share. Every API object starts with a struct driver_object: a kind, a reference
 * count and a way to end. A handle that a program holds is one reference, kept in a registry, so that a stale
 * or foreign handle is found out instead of followed. Work already queued holds references of its own.
 *
 * Locks, outermost first: context->lock, module and library locks, the registry's, the scheduler's. No lock
 * is held while work runs or a callback of the program is called. */
#ifndef DRIVER_PRIV_H
#define DRIVER_PRIV_H

#include "cuda.h"

#include "arch/arch.h"
#include "arch/arch_machine.h"
#include "base/base.h"
#include "engine/engine.h"
#include "event/event.h"
#include "fatbin/fatbin.h"
#include "ptx/ptx.h"
#include "vmem/vmem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define DRIVER_API __attribute__((visibility("default"))) CUresult CUDAAPI

/* Return a failing CUresult at once; only where nothing needs cleaning up. */
#define DRIVER_TRY(expr)                                                                                     \
    do {                                                                                                     \
        CUresult driver_try_ = (expr);                                                                       \
        if (driver_try_ != CUDA_SUCCESS) return driver_try_;                                                 \
    } while (0)

/* ---- objects (driver_object.c) */
enum driver_kind {
    DRIVER_CONTEXT = 1,
    DRIVER_MODULE,
    DRIVER_FUNCTION,
    DRIVER_LIBRARY,
    DRIVER_KERNEL,
    DRIVER_STREAM,
    DRIVER_EVENT,
    DRIVER_ARRAY,
    DRIVER_POOL,
    DRIVER_LINK,
    DRIVER_GRAPH,
    DRIVER_GRAPH_NODE,
    DRIVER_GRAPH_EXEC,
    DRIVER_CHUNK,
    DRIVER_TEXTURE,
    DRIVER_MIPMAP,
    DRIVER_REFERENCE,
    DRIVER_USER,
    DRIVER_RESOURCE,
    DRIVER_EXTERNAL,
    DRIVER_UPDATABLE
};
struct driver_object {
    enum driver_kind kind;
    atomic_uint refs;
    void (*end)(struct driver_object *object); /* frees it; called when the last reference goes */
};
void driver_object_init(struct driver_object *object, enum driver_kind kind,
                        void (*end)(struct driver_object *object)); /* one reference */
void driver_object_ref(struct driver_object *object);
/* For lists that hold no references of their own, under the lock that the object's end takes to leave the
 * list: false for an object that another thread is about to end, which must be passed over. */
bool driver_object_try_ref(struct driver_object *object);
void driver_object_unref(struct driver_object *object); /* NULL: nothing */
/* Make the address a valid handle; the registry takes over the caller's reference. */
void driver_handle_add(struct driver_object *object);
/* A new reference to the object behind a handle, or NULL when it is none of that kind. */
void *driver_handle_get(const void *handle, enum driver_kind kind);
/* Make the handle invalid and hand its reference to the caller; NULL when it was none. */
void *driver_handle_take(const void *handle, enum driver_kind kind);

/* ---- the process (driver_init.c) */
struct driver_device {
    int ordinal;
    struct arch_device machine; /* what does not depend on CUDA_VISIBLE_DEVICES */
    struct arch_gpu gpu;
    const struct arch_cc *cc;
    pthread_mutex_t lock;           /* guards the primary context */
    struct driver_context *primary; /* NULL: not active */
    unsigned primary_count, primary_flags;
    struct driver_pool *default_pool, *current_pool;
    atomic_uint l2_resets; /* cuCtxResetPersistingL2Cache */
};
enum { DRIVER_MAX_DEVICES = ARCH_DEVICES };
struct driver_process {
    struct driver_device devices[ARCH_DEVICES];
    int device_count;
    struct vmem *vmem;
    struct engine *engine;
    const struct event_tool *tool; /* NULL: none */
    pthread_mutex_t tool_lock;     /* one callback at a time */
    bool any_target, blocking;     /* SOFTWARP_ANY_TARGET, CUDA_LAUNCH_BLOCKING */
    atomic_ullong next_launch, next_context, next_stream, next_allocation;
};
extern struct driver_process driver;
void driver_at_exit(void);   /* (again) arrange for the tool's end; later registrations run first */
CUresult driver_ready(void); /* cuInit was called, and not in a forked child */
CUresult driver_device_get(CUdevice ordinal, struct driver_device **out);
void driver_device_note(int ordinal); /* what it holds, to the processes that share it */
/* Its memory less what other processes hold; not exact: or held when they were killed, which is cheap to ask.
 */
uint64_t driver_device_limit(const struct driver_device *device, bool exact);

/* ---- errors (driver_error.c) */
CUresult driver_result(enum sw_status status);
/* Something is not supported: log it, tell the tool, and return the CUresult of error->status. */
CUresult driver_refuse(const struct sw_error *error);
/* A kernel's name as the source has it, in place (driver_name.c). */
void driver_name_plain(char *name, size_t bytes);
CUresult driver_refuse_call(int *done, const char *function, const char *why);
const char *driver_error_name(CUresult result); /* NULL: no such error */

/* ---- the virtual clock (driver_clock.c); nothing, and the real time, where the tool has none */
struct driver_stream;
struct driver_moment; /* when a queue entry is, by the virtual clock; counted references */
struct driver_work;
enum { DRIVER_MOMENTS = 1024 }; /* that a stream keeps: as many as a queue is long */
bool driver_clock_is_virtual(void);
uint64_t driver_clock_ns(void); /* of the calling host thread; or the real time */
/* Some thread may know that what ended then is over, and have told the caller, whose time it is now at least.
 */
bool driver_clock_notice(uint64_t end_ns);
/* A call costs the calling thread time. context: NULL for the first device's. */
void driver_clock_call(const struct driver_context *context, enum event_call call, uint64_t bytes);
/* A new entry: asked for, what it comes after, and its place in its stream (under the scheduler's lock, which
 * orders them). NULL: no virtual clock. */
struct driver_moment *driver_clock_ask(const struct driver_stream *stream, const struct driver_work *work);
void driver_clock_need_locked(struct driver_moment *moment, const struct driver_stream *stream, uint64_t seq);
void driver_clock_add_locked(struct driver_moment *moment, struct driver_stream *stream, uint64_t seq);
struct driver_moment *driver_clock_moment(const struct driver_stream *stream, uint64_t seq); /* reference */
struct driver_moment *driver_moment_get(struct driver_moment *moment);                       /* another */
void driver_moment_put(struct driver_moment *moment);
void driver_clock_forget_stream(struct driver_stream *stream);
/* The calling thread runs the entry: what it turns out to be becomes part of its moment. _done drops the
 * entry's reference. */
void driver_clock_begin(struct driver_moment *moment);
void driver_clock_done(struct driver_moment *moment);
bool driver_clock_operation(const struct driver_stream *stream, const struct event_operation *operation);
/* Of its places on the device a launch takes that share, above 1 wave by wave; its own timers went on so far.
 * early: it need not wait for the kernel before it in its stream, if that one lets it. */
void driver_clock_launch(const struct driver_stream *stream, const struct event_launch *launch, double share,
                         uint64_t least_ns, bool early, bool of_graph);
/* What a kernel launched: the next part of the running entry comes after those parts, and all until the next
 * call of this belong to the grid of part `parent`. NULL: ordinary parts again. */
struct driver_parts { /* from 1 */
    uint32_t count, at[6];
    bool all; /* there were more: all parts so far */
};
void driver_clock_nested(uint32_t parent, const struct driver_parts *after);
/* The next part begins later by that. */
void driver_clock_delay(const struct driver_stream *stream, enum event_call call);
uint32_t driver_clock_parts(void);                /* so many parts the running entry has */
struct driver_moment *driver_clock_running(void); /* of the entry that this thread runs; no reference */
/* When that entry begins, as far as what it waits for says. */
uint64_t driver_clock_start(struct driver_moment *moment);
/* These take over the reference. The calling thread's time goes on to its end, and notices it. */
void driver_clock_wait(const struct driver_context *context, struct driver_moment *moment, bool notices);
bool driver_clock_is_over(struct driver_moment *moment); /* for the calling thread */
uint64_t
driver_clock_end(struct driver_moment *moment); /* UINT64_MAX: it still runs and may wait for the host */
void driver_clock_wait_stream(struct driver_stream *stream, uint64_t seq);

/* ---- contexts (driver_context.c) */
struct driver_dependency {
    struct driver_stream *stream; /* reference */
    uint64_t seq;
};
enum { DRIVER_LIMITS = 16 };
struct driver_resource;
struct driver_context {
    struct driver_object object;
    struct driver_device *device;
    struct driver_context *next, **at; /* in the list of all; its lock is in driver_context.c */
    /* Of a green context the primary context, a reference: memory, modules and events are that one's; streams
     * are its own. Of others the context itself, no reference. */
    struct driver_context *root;
    struct driver_resource *part; /* of a green context: its multiprocessors; else NULL */
    unsigned sm_count;            /* on how many multiprocessors its kernels run */
    bool primary;
    atomic_bool converted; /* green: cuCtxFromGreenCtx made it a context */
    bool closed;           /* no stream is listed any more, and there is no legacy stream; scheduler's lock */
    atomic_uint flags;
    unsigned ordinal, api_version;
    unsigned long long id;
    atomic_int fault;     /* CUresult of the kernel that failed; sticky */
    atomic_bool gone;     /* destroyed, or its primary reset, while some thread still has it current */
    pthread_mutex_t lock; /* the lists below */
    VEC(struct driver_stream *)
    streams; /* every live stream; not references; guarded by the scheduler's lock */
    VEC(struct driver_module *) modules; /* loaded through it; not references */
    struct driver_stream *legacy;        /* a reference until the context ends; scheduler's lock */
    struct map thread_streams;           /* by thread number */
    size_t limits[DRIVER_LIMITS];
    CUfunc_cache cache_config;
    _Atomic CUsharedconfig shared_config;
    struct driver_dependency after; /* cuCtxWaitEvent: streams to come start after it; scheduler's lock */
};
/* The calling thread's context: NOT_INITIALIZED, INVALID_CONTEXT, or its sticky error. *out is not a
 * reference. */
CUresult driver_context_current(struct driver_context **out);
/* Of a green context that is current, that itself and not its primary context: what streams belong to. */
CUresult driver_context_view(struct driver_context **out);
/* The same, but a failed context is no error. */
CUresult driver_context_any(struct driver_context **out);
bool driver_context_gone(const struct driver_context *context);
/* A kernel failed: as on a GPU, that reaches every context of the process, of all devices. */
void driver_context_fail(CUresult result);
/* A copy or fill found that another thread had freed its memory since the call: that context alone fails. */
void driver_context_fail_one(struct driver_context *context, CUresult result);
/* What driver_green.c makes contexts of. root: NULL for one that is no green context. */
CUresult driver_context_new(struct driver_device *device, unsigned flags, bool primary,
                            struct driver_context *root, struct driver_context **out);
void driver_context_close(struct driver_context *context); /* its handle was taken */
bool driver_context_flags_are_valid(unsigned flags); /* one way of waiting at most: they are one bit each */
/* The context of a handle, or the current one for NULL: a reference. */
CUresult driver_context_named(CUcontext handle, struct driver_context **out);
/* The same in calls that take a handle which is none for a context that was destroyed. */
CUresult driver_context_alive(CUcontext handle, struct driver_context **out);
CUresult driver_primary_retain(struct driver_device *device, struct driver_context **out);
CUresult driver_primary_release(struct driver_device *device);
extern _Thread_local bool driver_in_callback;            /* of the program: it may not call CUDA */
void driver_limits_init(struct driver_context *context); /* driver_limits.c */
uint64_t driver_thread_number(void);

/* ---- images, modules and functions (driver_image.c, driver_module.c, driver_library.c) */
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
    bool *borrowed;    /* likewise: the memory is the caller's */
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
    unsigned room[2];
    int size_at[2], wall_at; /* where in values; -1: not asked for */
    uint64_t start_ns;
};
void driver_jit_begin(struct driver_jit *jit, unsigned count, const CUjit_option *options, void **values);
CUresult driver_jit_end(const struct driver_jit *jit, CUresult result); /* returns result */
/* What this thread logged since it last marked the log: valid until it logs again (driver_logs.c). */
void driver_logs_mark(void);
const char *driver_logs_marked(void);
/* Variables that have a place of the caller's (CU_JIT_GLOBAL_SYMBOL_*). */
struct driver_places {
    size_t count;
    const char **names;
    void **addresses;
};
CUresult driver_jit_places(unsigned count, const CUjit_option *options, void **values,
                           struct driver_places *out);
/* Takes its own reference of program. places: NULL for none; read only here. */
CUresult driver_module_new(struct driver_context *context, struct driver_program *program,
                           const struct driver_places *places, struct driver_module **out);
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

/* ---- memory (driver_memory.c) */
struct driver_allocation { /* of ours, by base address */
    dev_addr base;
    uint64_t bytes, id;
    struct driver_context *context; /* not a reference; compared only */
    unsigned flags;
    enum vmem_kind kind;
    int device;
    struct driver_pool *pool; /* reference, or NULL */
    uint64_t offset;          /* in the pool's file, if it has one */
    bool imported;            /* another process's memory */
    uint32_t also;            /* bit d: device d may reach it, whatever else */
    dev_addr external;        /* a buffer in imported memory: where the program's part begins; 0: none */
    bool freeing;             /* cuMemFreeAsync was called */
    bool by_graph;            /* of an allocation node: the graph's, whatever becomes of the context */
};
/* ---- driver_rights.c: which devices may reach an allocation */
void driver_rights_apply(const struct driver_allocation *allocation);
CUresult driver_rights_enable(const struct driver_context *by, const struct driver_context *to);
CUresult driver_rights_disable(const struct driver_context *by, const struct driver_context *to);
void driver_rights_close(const struct driver_context *context); /* it ends; its memory went before */
/* May the current context make textures and surfaces of arrays of that one? */
bool driver_rights_own_arrays(const struct driver_context *context);
/* May a kernel of that device read or write there? */
bool driver_rights_reach(const struct driver_device *device, dev_addr address, uint64_t bytes,
                         enum vmem_access access);
/* May the current context's device read or write there, by a fill or, which reach more, a copy? */
bool driver_rights_allow(dev_addr address, uint64_t bytes, enum vmem_access access, bool copies);
CUresult driver_memory_alloc(struct driver_context *context, uint64_t bytes, enum vmem_kind kind,
                             unsigned flags, struct driver_pool *pool, dev_addr *out);
/* Of an allocation node, and more devices that may reach it. */
struct driver_graph_wish;
CUresult driver_memory_alloc_by_graph(struct driver_context *context, const struct driver_graph_wish *wish,
                                      dev_addr *out);
void driver_memory_reach(dev_addr base, uint32_t reach);
CUresult driver_memory_release(dev_addr base, enum vmem_kind kind, enum vmem_kind also);
void driver_memory_remember(const struct driver_allocation *allocation);  /* of vmem's, made elsewhere */
void driver_memory_apply_rights(void);                                    /* driver_rights_apply to all */
bool driver_memory_is_legacy(const struct driver_allocation *allocation); /* of cuMemAlloc, our own */
bool driver_memory_find(dev_addr address, struct driver_allocation *out);
/* Mark an allocation as on its way to be freed; false: none such, or marked before. *out: as it was. */
bool driver_memory_free_once(dev_addr base, struct driver_allocation *out);
/* bytes at address may be read: inside one allocation or registration of ours, or mappings beside each other.
 */
bool driver_memory_valid(dev_addr address, uint64_t bytes);
bool driver_memory_writable(dev_addr address, uint64_t bytes);
void driver_ipc_forget(dev_addr at);                   /* memory of another process was unmapped */
void driver_range_forget(dev_addr at, uint64_t bytes); /* managed memory goes, with what was said of it */
bool driver_range_mostly_read(dev_addr at, uint64_t bytes); /* all of it is advised to be */
void driver_range_prefetched(dev_addr at, uint64_t bytes, CUmemLocation place);
bool driver_memory_is_pageable(const void *host);
bool driver_memory_is_mapped(dev_addr address, uint64_t bytes); /* by anyone: it can be touched */
void driver_memory_release_context(
    const struct driver_context *context); /* all that was allocated through it */

/* ---- arrays (driver_array.c) */
struct driver_array;
const struct driver_context *driver_array_context(const struct driver_array *array); /* NULL: a level */
unsigned driver_array_element_bytes(const struct driver_array *array);
CUDA_ARRAY3D_DESCRIPTOR driver_array_descriptor(const struct driver_array *array);
void driver_array_layout(const struct driver_array *array, uint64_t *base, uint64_t *pitch, uint64_t *rows);
CUresult driver_array_check(const char *function,
                            const CUDA_ARRAY3D_DESCRIPTOR *d); /* CUDA_SUCCESS: one can be made */
uint64_t driver_array_bytes(const CUDA_ARRAY3D_DESCRIPTOR *d, uint64_t *pitch); /* 0: too many */
/* A level of a mipmapped array, which keeps the memory that it is in. */
struct driver_array *driver_array_of_level(const CUDA_ARRAY3D_DESCRIPTOR *d, dev_addr base);
unsigned driver_format_bytes(CUarray_format format, unsigned channels); /* of a texel; 0: not done */

/* ---- mipmapped arrays (driver_mipmap.c) */
struct driver_mipmap {
    struct driver_object object;
    struct driver_context *context; /* reference */
    dev_addr base;
    uint64_t bytes;
    unsigned count;
    struct driver_array *levels[16];
};

/* ---- textures (driver_texture.c, driver_texture_record.c, driver_reference.c) */
struct jit_texture;
struct driver_texture_source { /* what a record is made from */
    CUDA_RESOURCE_DESC resource;
    const CUDA_TEXTURE_DESC *sampling;   /* NULL: a surface */
    const CUDA_RESOURCE_VIEW_DESC *view; /* NULL: none */
    const char *function;                /* the call, for messages */
};
/* Fills the record; *holds: a reference to what the memory belongs to, or NULL. */
CUresult driver_texture_record(const struct driver_texture_source *source, struct jit_texture *record,
                               struct driver_object **holds);
/* A .texref or .surfref variable, whose address is that of its record; ends with its module. */
struct driver_reference;
struct driver_reference *driver_reference_new(bool surface);
dev_addr driver_reference_address(const struct driver_reference *reference);
void driver_reference_free(dev_addr address);

/* ---- pools (driver_pool.c) */
struct driver_pool *driver_pool_new(struct driver_device *device);
/* An allocation of a pool went back: the pool keeps it or gives it away, and drops its reference. */
void driver_pool_returned(const struct driver_allocation *allocation);
/* The host waited: what pools hold beyond their thresholds goes back to the system. */
void driver_pools_settle(void);

/* ---- work and streams (driver_work.c, driver_stream.c, driver_scheduler.c) */
struct driver_plane { /* one side of a strided copy */
    uint8_t *base;
    uint64_t pitch, slice; /* bytes from row to row, and from slice to slice */
};
struct driver_copy {
    struct driver_plane from, to;
    uint64_t width, height, depth; /* bytes, rows, slices */
    void *staged;                  /* freed after the copy; NULL: none */
    bool async;                    /* the program called an asynchronous function */
};
struct driver_fill {
    uint8_t *base;
    uint64_t pitch, width, height; /* width in elements */
    uint32_t value, element_bytes;
};
struct driver_launch {
    struct driver_function *function; /* reference (of its module) */
    uint32_t grid[3], block[3], dynamic_shared;
    uint8_t *params;
    uint64_t id;
    struct driver_graph_run *run;       /* that it is part of; NULL: of no graph */
    struct driver_updatable *updatable; /* of a node that kernels change: reference; NULL: none */
    bool cooperative, count;
    bool wide_banks; /* banks of 8 bytes, as the function or its context said when it was made */
    bool early;      /* programmatic stream serialization: an edge to it from a kernel is programmatic */
    CUaccessPolicyWindow window; /* of 0 bytes: none */
    uint32_t l2_resets;          /* of the device's persisting lines before it */
};
struct driver_host {
    CUhostFn function;
    CUstreamCallback callback; /* either */
    CUstream stream;           /* as the program named it, for callback */
    void *user;
};
enum driver_work_kind {
    DRIVER_WORK_NOTHING,
    DRIVER_WORK_COPY,
    DRIVER_WORK_FILL,
    DRIVER_WORK_LAUNCH,
    DRIVER_WORK_HOST,
    DRIVER_WORK_RECORD,
    DRIVER_WORK_RELEASE, /* of memory, in stream order */
    DRIVER_WORK_BATCH,   /* writes of words, and waits for them */
    DRIVER_WORK_BEGIN,   /* a graph's launch: its conditions get their defaults */
    DRIVER_WORK_CHOICE,  /* a conditional node */
    DRIVER_WORK_GRAPH,   /* a graph that a kernel launched, and what its kernels launch */
    DRIVER_WORK_TAIL     /* the end of a graph's launch, and what its kernels launched to come after it */
};
struct driver_batch {              /* stream memory operations (driver_value.c) */
    CUstreamBatchMemOpParams *ops; /* malloc'ed */
    unsigned count;
};
struct driver_work {
    enum driver_work_kind kind;
    struct event_operation *operation; /* what the tool will be told of it; malloc'ed; NULL: nothing (yet) */
    union {
        struct driver_copy copy;
        struct driver_fill fill;
        struct driver_launch launch;
        struct driver_host host;
        struct {
            struct driver_event *event;  /* reference */
            uint64_t generation, number; /* number: for other processes */
        } record;
        dev_addr address;
        struct driver_batch batch;
        struct driver_choice *choice;
        struct driver_graph_exec *graph; /* reference */
        struct driver_graph_run *tail;   /* reference */
    };
};
/* Do it, on whichever thread calls; failures make the context fail. */
void driver_work_run(struct driver_work *work, struct driver_stream *stream);
void driver_work_release(struct driver_work *work);
void driver_work_hold_copies(void); /* none runs until driver_work_let_copies */
void driver_work_let_copies(void);
void driver_work_copy(struct driver_work *to,
                      const struct driver_work *from); /* its own references; not of events */
void driver_copy_run(const struct driver_copy *copy);
void driver_fill_run(const struct driver_fill *fill);
/* Check and copy the operations of a program. */
CUresult driver_batch_make(const CUstreamBatchMemOpParams *ops, unsigned count, unsigned flags,
                           struct driver_batch *out);
struct driver_batch driver_batch_copy(const struct driver_batch *batch);
struct driver_choice *driver_choice_copy(const struct driver_choice *choice);
void driver_choice_free(struct driver_choice *choice);
void driver_choice_run(struct driver_choice *choice, struct driver_stream *stream);
void driver_graph_begin(struct driver_graph_exec *exec);
void driver_graph_run_now(struct driver_graph_exec *exec, struct driver_stream *stream);
void driver_graph_run_tails(struct driver_graph_run *run, struct driver_stream *stream);
uint64_t driver_graph_run_handle(const struct driver_graph_run *run); /* 0: kernels cannot launch it */
/* Of a node that kernels change (driver_graph_updatable.c): what it is to do now; false: nothing. */
bool driver_updatable_take(struct driver_launch *launch);
void driver_updatable_keep(struct driver_launch *launch); /* a copy: a reference of its own */
void driver_updatable_let_go(struct driver_launch *launch);
/* The launch just captured gets the attribute; value NULL: it has none. */
CUresult driver_updatable_captured(CUstream handle, CUlaunchAttributeValue *value);
bool driver_graph_run_is_over(struct driver_graph_run *run); /* nothing comes after it */
void driver_graph_work_release(struct driver_work *work);    /* BEGIN, GRAPH, TAIL */
void driver_batch_run(const struct driver_batch *batch, const struct driver_context *context);

struct driver_tail { /* nodes, and what the edges from them say; of the same length */
    VEC(struct driver_node *) nodes;
    VEC(CUgraphEdgeData) edges;
};
struct driver_attributes { /* of launches, kernel nodes and streams, as they were set */
    VEC(CUlaunchAttribute) list;
};
struct driver_stream {
    struct driver_object object;
    struct driver_context *context; /* reference */
    unsigned flags, ordinal;
    unsigned long long id;
    int priority;
    bool legacy, per_thread, hidden; /* hidden: made by us, no handle of the program */
    /* guarded by the scheduler's lock */
    struct driver_op *head, *tail;
    struct driver_link *links;       /* entries of other streams that wait for ones of this */
    atomic_ullong issued, completed; /* written under the lock */
    uint64_t wanted;                 /* at which a thread that sleeps is to be woken; UINT64_MAX: none */
    bool running, active, listed;    /* its head runs; has entries; stands in the list of ready streams */
    int level;                       /* of that list */
    struct driver_stream *next_active, *previous_active, *next_ready, *previous_ready;
    size_t place;                             /* in context->streams */
    bool detached;                            /* not in it any more */
    _Atomic(struct driver_capture *) capture; /* written under the graph lock; NULL: not capturing */
    struct driver_moment **moments;           /* [seq % DRIVER_MOMENTS] of the last entries; NULL: none */
    struct driver_tail capture_tail;     /* what the next captured node needs; guarded by the graph lock */
    struct driver_attributes attributes; /* guarded by the graph lock */
};
CUresult driver_stream_new(struct driver_context *context, unsigned flags, int priority,
                           struct driver_stream **out);
/* With a handle; the priority is brought into range. */
CUresult driver_stream_create(CUstream *out, struct driver_context *context, unsigned flags, int priority);
/* A stream that every context, or every thread in it, has. */
CUresult driver_stream_default_new(struct driver_context *context, bool legacy, struct driver_stream **out);
/* A queue of ours that the legacy stream does not wait for; in reports it goes by `ordinal`. */
struct driver_stream *driver_stream_aside(struct driver_context *context, int priority, unsigned ordinal);
/* A reference to the stream a handle means (0, legacy, per thread, or made), and the context that was
 * checked. */
CUresult driver_stream_get(CUstream handle, struct driver_stream **out);
void driver_stream_put(struct driver_stream *stream);
CUresult driver_stream_wait(struct driver_stream *stream); /* all work issued so far; sticky error */
CUresult driver_context_wait(struct driver_context *context);
extern _Thread_local int driver_per_thread; /* >0: the null stream means the per-thread one */

/* Queue it; the work now belongs to the queue. Returns its number in the stream. */
uint64_t driver_scheduler_add(struct driver_stream *stream, const struct driver_work *work,
                              const struct driver_dependency *extra, uint32_t extra_count, bool caller_waits);
void driver_scheduler_wait(struct driver_stream *stream, uint64_t seq);
bool driver_scheduler_done(struct driver_stream *stream, uint64_t seq);
uint64_t driver_scheduler_issued(struct driver_stream *stream);
/* Wait while the stream holds as many entries as a GPU's queue would. No lock may be held. */
void driver_scheduler_room(struct driver_stream *stream);
void driver_scheduler_attach(struct driver_stream *stream); /* list it in its context */
/* References to the streams of a context and, with sets_after, what streams to come will start after. Returns
 * how many; *out: malloc'ed. */
uint32_t driver_scheduler_streams(struct driver_context *context, const struct driver_dependency *sets_after,
                                  struct driver_stream ***out);
void driver_scheduler_detach(struct driver_stream *stream);
/* A reference to the context's legacy stream; NULL: the context ended. */
struct driver_stream *driver_scheduler_legacy(struct driver_context *context);
/* The context ends: streams to come wait for nothing, and nothing can make them wait any more. */
void driver_scheduler_close_context(struct driver_context *context);
void driver_scheduler_wait_context(struct driver_context *context);
void driver_scheduler_wait_all(void);
bool driver_scheduler_wait_all_until(uint64_t deadline_ns); /* of driver_now_ns; false: work is left */
uint64_t driver_now_ns(void);

/* Queue work on a stream, or record it in the graph the stream is captured into. With wait: until it is done.
 */
CUresult driver_submit(struct driver_stream *stream, struct driver_work *work, bool wait);

/* ---- graphs (driver_graph.h, driver_capture.c) */
bool driver_graph_memory_is(dev_addr address); /* freed by its graph's nodes, or as other memory is */
/* By cuMemFree and cuMemFreeAsync: in the call, and when the stream has come so far. */
CUresult driver_graph_memory_free(dev_addr address);
void driver_graph_memory_let_go(dev_addr address);

/* A stream that is captured: what would be queued becomes a node. */
CUresult driver_capture_work(struct driver_stream *stream, struct driver_work *work);
struct driver_graph_wish { /* memory for an allocation node */
    struct driver_device *device;
    uint64_t bytes;
    uint32_t reach; /* bit d: device d may reach it too */
};
CUresult driver_capture_alloc(struct driver_stream *stream, const struct driver_graph_wish *wish,
                              dev_addr *out);
CUresult driver_capture_free(struct driver_stream *stream, dev_addr address);
CUresult driver_capture_record(struct driver_stream *stream, struct driver_event *event);
/* Event was recorded in a capture: the stream joins it. *handled: false when neither is captured. */
CUresult driver_capture_wait(struct driver_stream *stream, struct driver_event *event, bool *handled);
static inline bool driver_is_capturing(struct driver_stream *stream)
{
    return atomic_load_explicit(&stream->capture, memory_order_acquire) != NULL;
}
struct driver_graph;
CUresult driver_capture_child(struct driver_stream *stream, const struct driver_graph *graph);
void driver_capture_drop_event(struct driver_event *event);
void driver_capture_record_early(struct driver_stream *stream, struct driver_event *event, unsigned port);
/* External events: their record and their wait become nodes. */
CUresult driver_capture_record_node(struct driver_stream *stream, struct driver_event *event);
CUresult driver_capture_wait_node(struct driver_stream *stream, struct driver_event *event);
void driver_tail_release(struct driver_tail *tail);
void driver_capture_abandon(struct driver_stream *stream); /* it is destroyed while it is captured */
/* Calls that wait are not allowed on a captured stream: the capture becomes invalid. */
CUresult driver_capture_forbid(struct driver_stream *stream);
/* driver_capture_mode.c: a call that may be unsafe while something is captured, by this thread or by others;
 * one that waits for a whole context; one that waits for an event, or asks it. What is not allowed makes the
 * capture invalid. */
CUresult driver_capture_unsafe(void);
CUresult driver_capture_forbid_context(const struct driver_context *context);
CUresult
driver_capture_forbid_legacy(const struct driver_context *context); /* before its legacy stream is used */
CUresult driver_capture_forbid_event(struct driver_event *event);

/* ---- attributes (driver_attribute.c) */
enum driver_attribute_of { DRIVER_OF_LAUNCH = 1, DRIVER_OF_NODE = 2, DRIVER_OF_STREAM = 4 };
bool driver_attribute_is_of(CUlaunchAttributeID id, enum driver_attribute_of of);
/* Is there such an attribute of that, and may it have that value. */
CUresult driver_attribute_check(CUlaunchAttributeID id, const CUlaunchAttributeValue *value,
                                enum driver_attribute_of of, const struct driver_device *device);
void driver_attributes_set(struct driver_attributes *attributes, CUlaunchAttributeID id,
                           const CUlaunchAttributeValue *value);
/* What was set, or the default. */
CUlaunchAttributeValue driver_attributes_get(const struct driver_attributes *attributes,
                                             CUlaunchAttributeID id);
void driver_attributes_copy(struct driver_attributes *to, const struct driver_attributes *from);
void driver_attributes_release(struct driver_attributes *attributes);

/* Check and translate cuMemcpy3D's description. */
CUresult driver_copy_describe(const CUDA_MEMCPY3D *params, struct driver_copy *out);
CUresult driver_event_record(struct driver_event *event, struct driver_stream *stream);
/* The same, not captured, and after those as well. */
CUresult driver_event_record_after(struct driver_event *event, struct driver_stream *stream,
                                   const struct driver_dependency *after, uint32_t count);
CUresult driver_event_wait(struct driver_event *event, struct driver_stream *stream);
/* The same, not captured; never waits for anything itself. */
CUresult driver_event_follow(struct driver_event *event, struct driver_stream *stream);

/* ---- events (driver_event.c) */
struct driver_event {
    struct driver_object object;
    struct driver_context *context; /* reference */
    unsigned flags;
    pthread_mutex_t lock;
    struct driver_stream *stream; /* of the last record: reference, or NULL */
    uint64_t seq, generation, time_ns;
    struct driver_moment *moment; /* of the last record: reference, or NULL */
    bool complete;
    struct driver_capture_mark *captured; /* last recorded in a capture; guarded by the graph lock */
    struct driver_beacon *beacon;         /* CU_EVENT_INTERPROCESS; NULL: none */
    bool imported;
};
void driver_event_mark(struct driver_event *event, uint64_t generation, uint64_t number);
CUresult driver_context_record(struct driver_context *context, struct driver_event *event);
CUresult driver_context_wait_event(struct driver_context *context, struct driver_event *event);

/* ---- launches (driver_launch.c) */
void driver_launch_run(struct driver_launch *launch, struct driver_stream *stream);
struct driver_launch_request {
    CUfunction function;
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;
    void **params, **extra;
    bool cooperative, early;            /* early: programmatic stream serialization */
    const CUaccessPolicyWindow *window; /* NULL: the stream's */
    const struct driver_context *view;  /* whose multiprocessors it gets; NULL: all of the device */
};
/* Whether such a grid may be launched: its shape, and what the device has. */
CUresult driver_launch_check(struct driver_function *function, const struct driver_launch_request *request);
struct driver_grid;
void driver_grid_run(struct driver_grid *grid); /* its blocks, not what they launch */
CUresult driver_launch_make(const struct driver_launch_request *request, struct driver_launch *out);
/* When it is queued: its number in the process, and whether the tool wants it counted. */
void driver_launch_number(struct driver_launch *launch);

void driver_logs_listen(void); /* driver_logs.c: from now on lines of the log are kept */

/* ---- what the tool is told of operations (driver_operation.c); nothing where it does not ask */
bool driver_operation_wanted(void);
/* A copy or fill: when it is queued, from the program's call; before it runs; and after. */
void driver_operation_queue(struct driver_work *work, const struct driver_stream *stream, bool waits);
void driver_operation_begin(struct driver_work *work, const struct driver_stream *stream);
void driver_operation_end(struct driver_work *work, const struct driver_stream *stream);
void driver_operation_memory(bool allocates, const struct driver_allocation *allocation);
void driver_operation_call(uint64_t begin_ns, uint64_t end_ns); /* it kept the calling thread so long */
uint64_t driver_operation_wait_begin(void);
void driver_operation_wait_end(uint64_t begin_ns,
                               const struct driver_stream *stream); /* NULL: of a context */
void driver_operation_launch(const struct driver_launch *launch);   /* it has its number */
/* For files that make operations of their own: one asked for now, and to the tool with it. */
struct event_operation driver_operation_of(enum event_operation_kind kind,
                                           const struct driver_stream *stream);
void driver_operation_emit(const struct event_operation *operation);
/* Allocations that the launch's parameters point into, each once; returns how many. */
enum { DRIVER_USES = 64 };
uint32_t driver_operation_uses(const struct driver_launch *launch, struct vmem_block uses[DRIVER_USES]);
/* Those of them that are memory of the host, or of other devices than the one that it runs on. */
uint32_t driver_operation_far(const struct driver_launch *launch, const struct driver_device *device,
                              struct event_range far[DRIVER_USES]);
/* A prefetch is work only by the virtual clock: NOTHING with an operation. */
void driver_operation_prefetch(struct driver_work *work, const struct driver_stream *stream, dev_addr address,
                               uint64_t bytes, bool to_device);

/* ---- where managed memory is, by the virtual clock (driver_managed.c) */
void driver_managed_note(const struct driver_allocation *allocation, bool allocated); /* or freed */
void driver_managed_launch(const struct driver_launch *launch, const struct driver_stream *stream,
                           bool before); /* it runs */
void driver_managed_copies(const struct event_operation *operation, const struct driver_stream *stream,
                           bool before);                         /* or a fill */
void driver_managed_prefetch(struct event_operation *operation); /* its bytes: those that really move */
/* How long the host has waited for pages that it took back since it was asked last, in ns: at each of its
 * calls, and when it asks for work. */
uint64_t driver_managed_host(void);
uint64_t driver_managed_asked(const struct driver_work *work);

/* ---- device output (driver_print.c) */
void driver_print(void *user, const char *text, size_t length); /* any thread */
void driver_print_flush(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* engine: grids, blocks and warps on host threads. Gets compiled code (memory cache, disk cache, or
 * libsoftwarp-jit.so), lays out shared and local memory, spreads blocks over workers, and turns faults into a
 * status. Knows no CUDA API. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "event/event_finding.h"
#include "event/event_kernel.h"
#include "event/event_request.h"
#include "event/event_tool.h"
#include "jit/jit.h"
#include "ptx/ptx.h"
#include "vmem/vmem.h"

struct engine;
struct engine_module;
struct engine_kernel;

/* A lane's call of CUDA's device runtime. What arguments point to is read and written by the engine, which is
 * prepared for addresses that do not exist. */
enum { ENGINE_DEVICE_BYTES = 160 };
struct engine_device_call {
    void *owner; /* struct engine_launch's */
    enum jit_device_function function;
    bool per_thread;                 /* the null stream is the thread's */
    uint64_t block;                  /* number in the grid, x fastest */
    uint32_t thread;                 /* in the block, x fastest */
    const uint64_t *arguments;       /* where their values lie */
    uint8_t in[ENGINE_DEVICE_BYTES]; /* Memcpy3DAsync: what argument 0 points to */
    uint64_t result;                 /* out */
    uint64_t out_at;                 /* out: write out[0 .. out_bytes) there; out_bytes 0: nothing */
    uint32_t out_bytes;
    uint8_t out[ENGINE_DEVICE_BYTES];
    struct engine_worker *worker; /* the engine's own */
};
/* Copy what the kernel points to. An address that does not exist ends the kernel and does not return: hold
 * nothing that would be lost. */
void engine_device_read(const struct engine_device_call *call, void *to, uint64_t from, uint64_t bytes);

struct engine_config {
    uint32_t threads; /* 0: SOFTWARP_THREADS, else the cores this process may use */
    int isa; /* enum jit_isa, or -1: the best this CPU has (SOFTWARP_ISA overrides: sse2, avx2, avx512) */
    struct vmem *vmem;
    const struct event_tool *tool; /* NULL: none */
    const char *library_dir; /* where libsoftwarp-jit.so is; NULL: beside the library that holds this code */
    /* device output of vprintf; called from workers, must be thread-safe; NULL: stdout */
    void (*print)(void *user, const char *text, size_t length);
    void *print_user;
    void (*print_error)(void *user, const char *text, size_t length); /* assert text; NULL: stderr */
    uint64_t heap_bytes;                                              /* device malloc; 0: 8 MiB */
    void (*finding)(
        const struct event_finding *finding); /* what launches do wrong; thread-safe; NULL: nobody */
    /* Of a finding in global memory: whose the address is, or whose is nearest; as above. */
    void (*describe)(uint64_t address, struct event_finding *finding);
    /* The same of the nearest allocation, in words, for messages; empty: nothing is known. NULL: nobody. */
    void (*say_allocation)(uint64_t address, char *text, size_t bytes);
    /* the device runtime; called from workers, while their kernel runs; NULL: such calls are refused */
    void (*device_call)(struct engine_device_call *call);
    bool full_tier;                    /* kernels compile once, for the cache: nobody waits to run them */
    bool plain_barriers, generic_only; /* test hooks: see struct jit_request; never specialise */
};

/* The stack of a thread that runs kernels, its own or one that calls engine_launch: device recursion runs on
 * it. Address space only. */
enum { ENGINE_STACK_BYTES = 256 << 20 };
/* The calling thread is the library's own and runs kernels as long as it lives: its signal stack stays in
 * place instead of being put there for each launch. */
void engine_thread_own(void);

/* Who is asked first of an access that has no permission, on any thread, in a signal's handler; true: it is
 * made again. Handlers of ours are in place then. */
typedef bool engine_fault_fn(uint64_t address, bool writes, const void *pc);
void engine_fault_ask(engine_fault_fn *ask);

enum sw_status engine_new(const struct engine_config *config, struct engine **out, struct sw_error *error);
void engine_free(struct engine *engine);
/* Size of a device's heap of malloc; false when a kernel has used it already (it does not move). */
bool engine_set_heap_bytes(struct engine *engine, uint32_t device, uint64_t bytes);
uint64_t engine_device_malloc(struct engine *engine, uint32_t device, uint64_t bytes); /* 0: it is full */
bool engine_device_free(struct engine *engine, uint32_t device, uint64_t address);     /* false: not of it */
/* The block of it after *address (0: the first) that nobody freed; false: there is none. */
bool engine_device_next(struct engine *engine, uint32_t device, uint64_t *address, uint64_t *bytes);
#define ENGINE_HEAP_TAG UINT64_MAX /* of vmem's block that is a heap */
uint32_t engine_thread_count(const struct engine *engine);
/* For checks: device memory that is new, so that nobody wrote it; that a copy or fill of the host wrote; that
 * was copied within devices. Nothing happens where the tool does not ask. */
void engine_memory_new(struct engine *engine, uint64_t address, uint64_t bytes);
/* Pinned or managed, so that the host may write it unseen. */
void engine_memory_new_of_host(struct engine *engine, uint64_t address, uint64_t bytes);
void engine_memory_written(struct engine *engine, uint64_t address, uint64_t bytes);
void engine_memory_copied(struct engine *engine, uint64_t to, uint64_t from, uint64_t bytes);
/* The first byte of them that nobody wrote, of 16 side by side so that it is no padding; 0: none. */
uint64_t engine_memory_unwritten(struct engine *engine, uint64_t address, uint64_t bytes);
/* How many of them nobody wrote, and the first one. */
uint64_t engine_memory_unused(struct engine *engine, uint64_t address, uint64_t bytes, uint64_t *first);
/* For checks of races: a task, which is a launch or what the host does to device memory, and that it comes
 * after another. Any thread. Then a task's access of device memory. */
void engine_order_begin(struct engine *engine, uint64_t task);
void engine_order_after(struct engine *engine, uint64_t task, uint64_t before);
/* Every task so far has ended, and comes before all that begin later: what they did is forgotten. Orders with
 * them may still be told. */
void engine_order_forget(struct engine *engine);
struct engine_access {
    uint64_t task, address, bytes;
    bool writes;
    const char *call, *where; /* as in struct event_place; live as long as the engine */
};
void engine_memory_access(struct engine *engine, const struct engine_access *access);
void engine_memory_forget(struct engine *engine, uint64_t address, uint64_t bytes); /* it is new */
/* It frees memory that was accessed so far: a write of all of that. */
void engine_memory_freed(struct engine *engine, const struct engine_access *access);
/* The host's own access of a few bytes, judged at the next of these calls or launches: waits for no launch.
 * Then judge it now, unless a launch runs. */
void engine_memory_touched(struct engine *engine, const struct engine_access *access);
void engine_memory_judge(struct engine *engine);
/* What was accessed so far within the 4 KiB of an address. */
enum engine_known { ENGINE_KNOWN_NOTHING, ENGINE_KNOWN_READ, ENGINE_KNOWN_WRITTEN };
enum engine_known engine_memory_known(struct engine *engine, uint64_t address);
/* Texture and surface objects as they come and go: istypep asks which addresses are some. */
void engine_texture_add(const struct jit_texture *texture);
void engine_texture_remove(const struct jit_texture *texture);

/* symbols: address of module->vars[i] (0 for those without memory), kept by the engine as a copy. The module
 * must outlive it. */
enum sw_status engine_module_new(struct engine *engine, const struct ptx_module *module,
                                 const uint64_t *symbols, struct engine_module **out, struct sw_error *error);
void engine_module_free(struct engine_module *module); /* no launch of it may be running */

/* The kernel, flattened and described but not compiled yet. Owned by the module; repeated calls give the same
 * one. */
enum sw_status engine_kernel_get(struct engine_module *module, const char *name, struct engine_kernel **out,
                                 struct sw_error *error);
const struct event_kernel *engine_kernel_info(const struct engine_kernel *kernel);
/* What a flat function of a module is to tools. table: its instructions, too. All of it from arena; out and
 * arena live no longer than the module. */
enum sw_status engine_describe(const struct ptx_module *ptx, const struct ptx_function *function, bool table,
                               struct arena *arena, struct event_kernel *out, struct sw_error *error);
const struct ptx_function *engine_kernel_function(const struct engine_kernel *kernel);
/* Exact numbers of a cubin: registers and bytes of the frame in local memory, of a thread. */
void engine_kernel_set_resources(struct engine_kernel *kernel, uint32_t registers, uint32_t frame_bytes);
/* Has it loops that wait, as far as its code was compiled (engine_kernel_prepare)? */
bool engine_kernel_waits(struct engine_kernel *kernel);
/* Compile now for these block dimensions (0,0,0: generic) and a device, to learn early whether it is
 * supported. */
enum sw_status engine_kernel_prepare(struct engine_kernel *kernel, const uint32_t block[3], uint32_t device,
                                     struct sw_error *error);

struct engine_timer {                  /* %globaltimer and %clock64 of a launch by a virtual clock */
    uint64_t (*begin_ns)(void *owner); /* when the launch begins; asked for at the first read */
    uint64_t passed_ns;                /* out: as far as a warp's timer went on */
    /* When each row of the kernel's table begins, if one followed the other: sixteenths of a cycle, a last
     * entry behind them. NULL: a warp's time goes on with what it reads alone, and %clock64 is the host's. */
    const uint64_t *path;
    uint64_t clock_khz;
};
enum { ENGINE_CYCLE_PARTS = 16 };
struct engine_launch {
    struct engine_kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    const void *params; /* function->param_bytes, read before engine_launch returns */
    bool cooperative;   /* all blocks make progress together */
    bool count;         /* with the tool's COUNT probes */
    bool unchecked;     /* without the tool's other probes that no ACCESS needs: BOUNDS and the like */
    bool wide_banks;    /* shared memory in banks of 8 bytes, where the tool's rules know them (cc 3.x) */
    bool access;        /* count, and the tool's ACCESS probes: with */
    struct event_residency residency; /* what the device holds at once; */
    uint32_t sample_shift;            /* as the tool says at first; and */
    const uint32_t *work;             /* as detail_work says, an element for each instruction; NULL: none */
    const struct event_progress
        *progress; /* as detail_progress says; NULL: any free CTA slot takes a block */
    uint32_t (*detail)(void *owner,
                       const struct event_round *round); /* who gets the rounds, as detail_round */
    void (*set_accesses)(void *owner, const struct event_set_access *accesses,
                         size_t count); /* NULL: nobody */
    void *owner;                        /* handed to config.device_call */
    struct event_caller launched;       /* by the program; texts live as long as the engine */
    uint64_t task;                      /* as engine_order_begin was told; 0: after all that came before */
    bool host_looks;                    /* as engine_host_looks said */
    bool (*may_access)(void *owner,
                       uint64_t address); /* host memory that the kernel may access; NULL: none */
    bool ordered;                         /* one host thread, blocks in order (deterministic) */
    uint64_t grid_id, graph_exec;         /* %gridid, %current_graph_exec */
    uint32_t device;                      /* whose permissions its accesses have (vmem_permissions_of) */
    uint32_t sm_count, max_warps_per_sm;  /* of the device, for %nsmid, %nwarpid and what is resident */
    uint32_t compute;                     /* its compute capability, 90 for 9.0; 0: like the newest */
    struct engine_timer *timer;           /* NULL: the real clock */
    uint64_t *counters; /* out: kernel info's slot_count words, summed over threads; NULL without count */
};
/* Run it to the end on the pool and the calling thread; several may be under way from different threads. On a
 * fault inside the kernel: SW_ILLEGAL_ADDRESS, SW_ASSERT, ..., error->file is the kernel, the message has
 * block, warp and address. */
enum sw_status engine_launch(struct engine *engine, const struct engine_launch *launch,
                             struct sw_error *error);
/* Does a parameter point to host memory that is not registered, and may the kernel access memory through it?
 * Then launch->host_looks must be set: accesses are looked at, and one of such memory is SW_ILLEGAL_ADDRESS.
 */
bool engine_host_looks(const struct engine_launch *launch);
/* Whether its blocks may wait for each other (as far as is known without running it). */
bool engine_launch_waits(const struct engine_launch *launch);
/* Whether the code for these block dimensions was in the cache on disk, once it is prepared. */
bool engine_kernel_was_cached(struct engine_kernel *kernel, const uint32_t block[3]);
/* The block dimensions to expect of a kernel that was not launched yet: those that its PTX declares, else 256
 * threads in as many dimensions as it reads indices of. */
void engine_kernel_usual_block(const struct engine_kernel *kernel, uint32_t block[3]);
/* Compile all kernels of a module for their usual blocks and this device, in the background. */
void engine_module_ahead(struct engine_module *module, uint32_t device);
/* Number of slots for counters of this launch (depends on specialisation): call after engine_kernel_prepare.
 */
enum sw_status engine_launch_slots(struct engine *engine, const struct engine_launch *launch,
                                   uint32_t *slot_count, const struct event_kernel **described,
                                   struct sw_error *error);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* event: what running code tells the tools, and what the tools ask for. Types, almost no code.
 *
 * The engine knows probes, not tools: a tool asks for probes, the jit compiles them in, the engine hands back
 * the counters of each launch beside a table that says what every instruction is. So prof/ and timing/ need
 * no ptx/. */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include "isa/isa.h"

#include "base/base.h"

#include <stdbool.h>

struct event_loc {
    const char *file;               /* "" when not known */
    uint32_t line, column;          /* 0: not known */
    const char *function;           /* inlined function, or NULL */
    const struct event_loc *caller; /* where it was inlined, or NULL */
};

#define EVENT_NO_SLOT UINT32_MAX
/* What is counted of accesses. */
enum event_access {
    EVENT_ACCESS_GLOBAL,  /* units: sectors (or lines). more: of atomics, the distinct sectors, since units
                             count those  whose address lanes share again; of rules with segments of several
                             sizes, 32-byte pieces */
    EVENT_ACCESS_LOCAL,   /* sectors */
    EVENT_ACCESS_SHARED,  /* wavefronts. more: of atomics that are loops, the loads' wavefronts */
    EVENT_ACCESS_CONST,   /* constant memory and parameters: distinct addresses, of which one is served at a
                             time */
    EVENT_ACCESS_TEXTURE, /* requests are the warps'; units: sectors. more: requests of quads or of eight
                             lanes */
    EVENT_ACCESS_BULK,    /* bulk copies: sectors of global memory */
    EVENT_ACCESS_COUNT
};
/* Where an instruction's counters stand in the launch's counter array. Several instructions of one basic
 * block share slots. A generic access counts as what its address turned out to be; accesses with a written
 * space have slots of that space only. */
struct event_slots {
    uint32_t warps; /* warps that executed it with at least one active lane (predicated off or not) */
    uint32_t lanes; /* active lanes, summed */
    uint32_t
        on_warps; /* the same, with lanes whose guard predicate is false left out: for memory, the requests */
    uint32_t on_lanes;
    uint32_t divergent; /* BRANCH: warps that it split */
    uint32_t
        slow; /* division, square root, reciprocal of 32-bit floats: warps that have to take the slow path */
    struct event_access_slots {
        uint32_t requests, units, ideal, more;
    } access[EVENT_ACCESS_COUNT];
};
/* Atomics that return a value and those that do not (red) are counted by hardware in different counters. */
enum event_access_kind {
    EVENT_KIND_LOAD,
    EVENT_KIND_STORE,
    EVENT_KIND_ATOM,
    EVENT_KIND_RED,
    EVENT_KIND_LOAD_L2, /* bypasses L1: ld.cg, ld.cv; counted in the units of stores */
    EVENT_KIND_BARRIER, /* EVENT_PROBE_ACCESS only: the warp waits for its block here */
    EVENT_KIND_WORK,    /* the same: what the warp did besides since its last request, see detail_work */
    EVENT_KIND_ARRIVE,  /* the same, at an mbarrier: the warp arrives; */
    EVENT_KIND_BRING,   /* what it has under way arrives when its data has come (cp.async, bulk copies); */
    EVENT_KIND_AWAIT,   /* it waits for a phase. See event_phase */
    /* for the rule of shared memory only */
    EVENT_KIND_CAS,   /* two passes where other atomics have one */
    EVENT_KIND_SPIN,  /* no such atomic in hardware: load, then compare and swap, until all lanes are done */
    EVENT_KIND_TALLY, /* adds 1, result unused: lanes of one word go together */
    EVENT_KIND_COPY   /* asynchronous copy to shared memory */
};
#define EVENT_NO_REG UINT32_MAX
/* An operand as PTX writes it. */
struct event_operand {
    uint8_t kind;       /* enum isa_operand_kind */
    uint8_t type;       /* enum isa_type: as which reg is declared; of a variable: of an element */
    uint8_t type2;      /* the same of reg2 */
    bool negate;        /* !reg or -reg */
    bool is_f32;        /* FLOAT: bits are those of a 32-bit float */
    bool parameter;     /* reg: a parameter of a call that was inlined */
    uint16_t sreg;      /* SREG: enum isa_sreg */
    uint32_t reg, reg2; /* as in event_instr.regs; EVENT_NO_REG: none */
    uint64_t bits;    /* INT, FLOAT: the value; VAR, MEM: the offset, or the address where there is no base */
    const char *name; /* of a variable or function; NULL: none */
    uint32_t count;
    const struct event_operand *elements; /* of VEC and LIST; of MEM: what follows after the address */
};
struct event_instr {
    struct isa_instr isa;  /* what it is */
    uint8_t cls;           /* enum isa_class */
    uint8_t unit;          /* enum isa_unit */
    uint8_t space;         /* enum isa_space */
    uint8_t flop;          /* enum isa_flop */
    uint16_t bytes;        /* memory: bytes a lane moves */
    bool guarded, returns; /* ATOMIC: returns false for red */
    bool is_read, is_write;
    uint32_t ptx_line;
    const struct event_loc *loc; /* NULL: no .loc */
    const char *op;              /* "ld.global.f32", to be shown */
    const char *text;            /* the whole instruction, to be shown */
    uint8_t operand_count;
    bool guard_negate;                    /* @!p */
    const struct event_operand *operands; /* in written order */
    struct event_slots slots;
    uint32_t block;               /* number in event_kernel.blocks, or EVENT_NO_BLOCK: not reachable */
    uint8_t def_count, use_count; /* of regs: written, then read (guard and address included) */
    const uint32_t *regs;
};
static inline bool event_has(const struct event_instr *instr, enum isa_mod mod)
{
    return isa_has(&instr->isa, mod);
}
/* Operand n; one of no kind where there is none. */
static inline const struct event_operand *event_operand_at(const struct event_instr *instr, uint32_t n)
{
    static const struct event_operand NONE = {.reg = EVENT_NO_REG, .reg2 = EVENT_NO_REG};
    return n < instr->operand_count ? &instr->operands[n] : &NONE;
}
static inline const struct event_operand *event_last_operand(const struct event_instr *instr)
{
    return event_operand_at(instr, instr->operand_count - 1u);
}
/* The integer that an operand is; 0: it is none. */
static inline uint64_t event_integer(const struct event_operand *operand)
{
    return operand->kind == ISA_OPD_INT ? operand->bits : 0;
}
/* The register of the guard, which is the first of those that are read; EVENT_NO_REG: none. */
static inline uint32_t event_guard(const struct event_instr *instr)
{
    return instr->guarded && instr->use_count ? instr->regs[instr->def_count] : EVENT_NO_REG;
}
static inline bool event_reads_clock(const struct event_instr *instr)
{
    for (uint32_t n = 0; n < instr->operand_count; n++)
        if (instr->operands[n].kind == ISA_OPD_SREG &&
            isa_sreg_is_clock((enum isa_sreg)instr->operands[n].sreg))
            return true;
    return false;
}
/* A barrier of a block or a cluster, not of a warp's lanes. */
static inline bool event_is_wide_barrier(const struct event_instr *instr)
{
    return instr->cls == ISA_CLASS_BARRIER && !event_has(instr, ISA_MOD_WARP);
}
/* A basic block: instructions that stand together in the table. */
#define EVENT_NO_BLOCK UINT32_MAX
enum { EVENT_BLOCK_BEFORE = 2, EVENT_INSTR_REGS = 48 /* more are left out */ };
struct event_block {
    uint32_t first, count;
    uint32_t before[EVENT_BLOCK_BEFORE]; /* blocks that control comes from, the later ones in the table first;
                                            EVENT_NO_BLOCK: none */
    bool more_before;                    /* control comes from others, too */
    bool nounroll;                       /* the loop that begins with it is not to be unrolled */
};

/* A kernel as compiled for a launch: lives as long as its module. */
struct event_kernel {
    const char *name; /* mangled */
    uint32_t instr_count;
    const struct event_instr *instrs; /* in flattened order */
    uint32_t slot_count;
    uint32_t registers;   /* per thread */
    bool registers_exact; /* from a cubin of the chosen SM; otherwise an estimate from liveness */
    uint32_t static_shared_bytes, local_bytes_per_thread, max_threads_per_block;
    uint32_t ptx_sm;           /* the .target */
    const char *ptx_name;      /* module name for messages */
    uint32_t registers_wanted; /* estimate without any bound: what is more than `registers` spills */
    uint32_t
        spill_bytes; /* a thread, in local memory: the cubin's frame less PTX's arrays; 0 without a cubin */
    uint32_t block_count, reg_count; /* reg_count: above every number in event_instr.regs */
    const struct event_block *blocks;
    uint64_t params_loaded; /* bit i: it may read memory through the i-th 8 bytes of its parameters; 63:
                               through those and all behind */
    uint64_t id;            /* never given twice in a process, another for each table of instructions */
};

/* What can bound the time of a launch: the latency of dependent work, the issue of instructions, a unit. */
enum event_limit {
    EVENT_LIMIT_LAUNCH,
    EVENT_LIMIT_LATENCY,
    EVENT_LIMIT_ISSUE,
    EVENT_LIMIT_FMA,
    EVENT_LIMIT_ALU,
    EVENT_LIMIT_FP64,
    EVENT_LIMIT_XU,
    EVENT_LIMIT_TENSOR,
    EVENT_LIMIT_LSU,
    EVENT_LIMIT_SHARED,
    EVENT_LIMIT_L1,
    EVENT_LIMIT_L2,
    EVENT_LIMIT_ATOMIC,
    EVENT_LIMIT_DRAM,
    EVENT_LIMIT_PCIE, /* host memory that is mapped into the device */
    EVENT_LIMIT_PEER, /* memory of other devices */
    EVENT_LIMIT_COUNT
};
/* Why warps wait, by ncu's names (smsp__average_warps_issue_stalled_*). */
enum event_stall {
    EVENT_STALL_SELECTED,
    EVENT_STALL_WAIT,
    EVENT_STALL_LONG_SCOREBOARD,
    EVENT_STALL_SHORT_SCOREBOARD,
    EVENT_STALL_BARRIER,
    EVENT_STALL_NOT_SELECTED,
    EVENT_STALL_MATH_PIPE_THROTTLE,
    EVENT_STALL_MIO_THROTTLE,
    EVENT_STALL_LG_THROTTLE,
    EVENT_STALL_DRAIN,
    EVENT_STALL_MEMBAR,
    EVENT_STALL_COUNT
};
/* What time a launch takes, as a model predicts it (timing/). */
struct event_time {
    uint64_t duration_ns; /* from the first block's begin to the end of the last: gpu__time_duration */
    double sm_share; /* of the device's multiprocessors and their CTA slots that its blocks take, 0 to 1: what
                        is left may run another kernel */
    uint64_t clock_khz;               /* of the multiprocessors */
    double cycles;                    /* of the multiprocessors' clock, all of the duration */
    uint32_t limit;                   /* enum event_limit: what takes longest */
    double busy[EVENT_LIMIT_COUNT];   /* what each alone would take, as a part of the duration */
    double instructions;              /* warp instructions of the machine code, estimated */
    double warps_active;              /* on a multiprocessor, on average while it has any */
    double stalls[EVENT_STALL_COUNT]; /* warps that wait for this reason, per issued instruction */
    bool validated;                   /* the error was measured on this GPU */
    uint32_t error_percent;           /* then: the mean of it, of launches like this one in length */
};

struct event_range { /* of addresses */
    uint64_t begin, end;
    bool peer; /* memory of another device; else of the host */
};

/* How long lines of L2 stay: the launch's access-policy window and the context's set-aside. */
enum event_policy_property { EVENT_POLICY_NORMAL, EVENT_POLICY_STREAMING, EVENT_POLICY_PERSISTING };
struct event_policy {
    uint64_t base, bytes; /* of the window; 0 bytes: there is none */
    uint64_t set_aside_bytes;
    float hit_ratio;   /* of the window's lines, those with the property `hit`; the others have `miss` */
    uint8_t hit, miss; /* enum event_policy_property */
    uint32_t resets;   /* of persisting lines to normal, so far */
};

struct event_launch {
    const struct event_kernel *kernel;
    uint64_t id;                      /* 0, 1, 2 ... in enqueue order over the process */
    uint32_t device, context, stream; /* ordinals from 0; stream 7 is not a handle but the 7th made */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    uint32_t l2_fetch_bytes; /* the context's limit of what DRAM delivers together; 0: the GPU's own */
    struct event_policy policy;
    const char *gpu;               /* the device's arch_gpu.origin: "h200", or the path of a file */
    const uint64_t *counters;      /* kernel->slot_count; NULL when nothing was counted */
    uint64_t start_ns, end_ns;     /* of the device's clock */
    enum sw_status status;         /* SW_OK, or how the kernel failed */
    const struct event_range *far; /* pinned and registered memory, and other devices', that it was given */
    uint32_t far_count;            /* pointers to */
    const struct event_memory *memory; /* what caches and DRAM did; NULL: not modelled */
    const struct event_time *time;     /* NULL: not predicted */
    const struct event_stalls *stalls; /* of each instruction of the kernel; NULL: not predicted */
};

enum { EVENT_PROBE_COUNT = 1, EVENT_PROBE_ACCESS = 2, EVENT_PROBE_ADDRESS_SET = 4 };

/* ---- EVENT_PROBE_ACCESS: what warps ask of memory, in their order.
 *
 * Blocks are placed on multiprocessors as the device would place them and run in rounds: in each, every
 * resident warp goes on until it has ended, waits, or has made about EVENT_ROUND_REQUESTS requests (it stops
 * at the next back edge of a loop). After each round the tool sees what all of them did; it models who came
 * first. What is seen does not depend on the number of host threads. */
enum {
    EVENT_ROUND_REQUESTS = 128,
    EVENT_LINE_SHIFT = 7,
    EVENT_LINE_SECTORS = 4,
    EVENT_LINE_WORDS = 57,
    EVENT_LINE_PARTIAL = 60
};
static inline uint64_t event_line_number(uint64_t line)
{
    return (line & ((1ull << EVENT_LINE_WORDS) - 1)) >> EVENT_LINE_SECTORS;
}
struct event_request {
    uint32_t instr;    /* index in kernel->instrs; EVENT_KIND_WORK: how much */
    uint16_t lines;    /* how many of event_stream.lines are this request's; 0: EVENT_KIND_BARRIER, _WORK */
    uint8_t kind;      /* enum event_access_kind */
    uint8_t space : 7; /* enum isa_space: GLOBAL, LOCAL, CONST; textures: GLOBAL, of an ISA_CLASS_TEXTURE */
    uint8_t more : 1;  /* of the same execution of the instruction as the one before; nothing waits between */
};
/* The lines of EVENT_KIND_ARRIVE, _BRING and _AWAIT (space NONE) name a phase of an mbarrier of the block:
 * the first is which, and a second, of _AWAIT, how many requests make the phase over. Both <<
 * EVENT_LINE_SECTORS, so that no sectors are asked for. */
static inline uint64_t event_phase(uint32_t mbarrier, uint32_t phase)
{
    return ((uint64_t)(mbarrier & 0xffff) << 32 | phase) << EVENT_LINE_SECTORS;
}
struct event_stream { /* one warp in one round */
    uint64_t block;
    uint32_t warp, sm, slot; /* in the block; multiprocessor; which of its resident blocks */
    uint32_t request_count;
    const struct event_request *requests;
    /* mask of sectors that the request writes in part << EVENT_LINE_PARTIAL | how many words of 4 bytes of
     * each of these it writes, on average, less 1 << EVENT_LINE_WORDS | line number << EVENT_LINE_SECTORS |
     * mask of its 32-byte sectors, whatever the unit of struct event_rules; the order within a request says
     * nothing. Only stores have sectors in part; of loads of constants the first line has distinct addresses,
     * less 1, << EVENT_LINE_WORDS. Atomics: lanes that share an address come one after the
     * other, so that a line may come again, once for each rank of a lane among those of its address. Local
     * memory: in a window of its own (EVENT_LOCAL_WINDOW), with the 4-byte words of a warp's lanes
     * interleaved; each resident warp's part of the window is used again by its successor. */
    const uint64_t *lines;
    bool ended;
};
struct event_round {
    uint32_t count;
    const struct event_stream *streams; /* of all resident warps that did something: by sm, slot, warp */
};
struct event_progress {        /* of a launch that is simulated in detail, in a unit of the tool's choice */
    const uint64_t *cta_slots; /* by sm, then slot: as far as its block is, or when it ended */
    uint64_t ahead; /* free CTA slots that are not further than this ahead of any other take blocks now */
};
struct event_residency {
    uint32_t sm_count, blocks_per_sm, warps_per_block;
    uint32_t l1_bytes; /* of an SM, what shared memory leaves of it */
    bool divisible; /* blocks do not wait for each other: some may be simulated in detail and the others only
                       counted */
    /* How the device dispatches blocks (engine_order.c). 0 groups: there are none. */
    uint32_t groups, first; /* of multiprocessors, in order; of the first group, so many stand apart */
};
/* The first multiprocessor of a group (groups: all of them together): as even as pairs of them allow, the
 * larger groups last. */
static inline uint32_t event_group_begin(uint32_t sm_count, uint32_t groups, uint32_t group)
{
    uint32_t pairs = (sm_count + 1) / 2, small = pairs / groups, before = groups - pairs % groups;
    uint32_t begin = 2 * (group * small + (group > before ? group - before : 0));
    return begin < sm_count ? begin : sm_count;
}
/* Where local memory begins, as an address: above all others. */
#define EVENT_LOCAL_WINDOW (1ull << 59)
/* Is this multiprocessor simulated in detail under sample shift n? Of clusters of neighbours, whose reads can
 * merge on their way to L2, one in 2^n is, but at least two: one in each of as many parts of the device, at a
 * place that is not the same in all, since what blocks share may repeat. */
enum { EVENT_CLUSTER_SMS = 4 };
static inline bool event_is_detailed(uint32_t sm, uint32_t sm_count, uint32_t shift)
{
    uint32_t clusters = (sm_count + EVENT_CLUSTER_SMS - 1) / EVENT_CLUSTER_SMS, parts = clusters >> shift;
    if (parts < 2) parts = 2;
    if (!shift || clusters <= parts) return true;
    uint32_t cluster = sm / EVENT_CLUSTER_SMS, part = cluster * parts / clusters;
    uint32_t first = (part * clusters + parts - 1) / parts;
    uint32_t end = ((part + 1) * clusters + parts - 1) / parts;
    return cluster == first + (part * 0x9e3779b1u >> 16) % (end - first); /* golden ratio */
}

/* ---- EVENT_PROBE_ADDRESS_SET: of a sampled launch, accesses of any block to one address set of 64, in
 * granules of EVENT_GRANULE_LINES lines; of each run of as many granules as there are sets, one is chosen, by
 * the golden ratio, so that the chosen ones are spread evenly but fall in step with no stride. ---- */
enum {
    EVENT_GRANULE_SHIFT = 9, /* bytes */
    EVENT_GRANULE_LINES = 1 << (EVENT_GRANULE_SHIFT - EVENT_LINE_SHIFT),
    EVENT_RUN_SHIFT = 6, /* granules */
    EVENT_RUN_GRANULES = 1 << EVENT_RUN_SHIFT
};
static const uint32_t EVENT_RUN_MIX = 0x9e3779b1u; /* 2^32 / golden ratio */
static inline bool event_in_address_set(uint64_t address)
{
    uint32_t schedule = (uint32_t)(address >> EVENT_GRANULE_SHIFT), run = schedule >> EVENT_RUN_SHIFT;
    return (schedule & (EVENT_RUN_GRANULES - 1)) == run * EVENT_RUN_MIX >> (32 - EVENT_RUN_SHIFT);
}
struct event_set_access { /* of a warp's request, a line in the address set */
    uint64_t line;        /* as in struct event_stream */
    uint32_t when;        /* about how many requests the warp made before */
    uint32_t instr;
    uint16_t sm;
    uint8_t kind; /* enum event_access_kind */
};

/* What a model of caches and DRAM makes of requests, in sectors of 32 bytes. Of a launch, or of one
 * instruction: then DRAM's are those that its own requests caused. */
struct event_memory_sums {
    uint64_t l1_sectors, l1_hits;      /* looked up in L1; found */
    uint64_t l2_reads, l2_read_hits;   /* asked of L2 by loads */
    uint64_t l2_writes, l2_write_hits; /* by stores */
    uint64_t l2_atomics, l2_atomic_hits;
    uint64_t l2_fabric_reads, l2_fabric_writes; /* of these, from one part of L2 to the other */
    uint64_t dram_reads, dram_writes;
    uint64_t host_reads, host_writes;                 /* of l2_*: over PCIe, in no cache but L1 */
    uint64_t host_read_requests, host_write_requests; /* in so many requests of up to 128 bytes */
    uint64_t peer_reads, peer_writes;                 /* the same of other devices' memory */
    uint64_t peer_read_requests, peer_write_requests;
};
static inline void event_memory_add(struct event_memory_sums *to, const struct event_memory_sums *from)
{
    to->l1_sectors += from->l1_sectors;
    to->l1_hits += from->l1_hits;
    to->l2_reads += from->l2_reads;
    to->l2_read_hits += from->l2_read_hits;
    to->l2_writes += from->l2_writes;
    to->l2_write_hits += from->l2_write_hits;
    to->l2_atomics += from->l2_atomics;
    to->l2_atomic_hits += from->l2_atomic_hits;
    to->l2_fabric_reads += from->l2_fabric_reads;
    to->l2_fabric_writes += from->l2_fabric_writes;
    to->dram_reads += from->dram_reads;
    to->dram_writes += from->dram_writes;
    to->host_reads += from->host_reads;
    to->host_writes += from->host_writes;
    to->host_read_requests += from->host_read_requests;
    to->host_write_requests += from->host_write_requests;
    to->peer_reads += from->peer_reads;
    to->peer_writes += from->peer_writes;
    to->peer_read_requests += from->peer_read_requests;
    to->peer_write_requests += from->peer_write_requests;
}
/* of an instruction by enum event_access: in global memory (textures too), in local memory */
enum { EVENT_MEMORY_SPACES = 2 };
/* What warps did while the requests of a launch were replayed in time: sums over those that were. */
struct event_waits {
    uint64_t warps;
    uint64_t resident; /* cycles that they were there */
    uint64_t active;   /* cycles that multiprocessors had any */
    uint64_t
        cycles[EVENT_STALL_COUNT]; /* that they waited, by what for; 0: none, or the replay does not know */
};
/* Cycles of warps, added up over all of them, by what they did or waited for. */
struct event_stalls {
    uint64_t cycles[EVENT_STALL_COUNT];
};
/* Waits, by the request before or behind which a warp waited. */
enum { EVENT_INTERVAL_BEFORE, EVENT_INTERVAL_AFTER, EVENT_INTERVALS };
/* Of a sampled launch: in 19 of 20 cases, how far what all multiprocessors would have done lies from the
 * numbers at most, in hundredths of a per cent of them; of L1's hit rate of loads, of a percentage point. */
struct event_confidence {
    uint32_t l1_rate, l2_sectors, dram_sectors, cycles;
};
struct event_memory {
    struct event_memory_sums total; /* with what no instruction caused */
    uint64_t l2_writebacks;         /* sectors, those at the launch's end included */
    /* Constant memory: pieces of 64 bytes that loads ask of a multiprocessor's constant cache, and find; of
     * those that they do not, the pieces found in the cache of a group of multiprocessors; and the sectors
     * that L2 reads for the rest, those between its parts included. */
    uint64_t constant_requests, constant_hits, constant_group_hits, constant_l2_reads;
    uint32_t sample_shift; /* numbers are scaled up from a sample when not 0 */
    struct event_confidence confidence;
    uint32_t l1_bytes; /* of an SM */
    uint64_t l2_bytes; /* that were modelled */
    bool cold;         /* caches were empty at first */
    uint64_t cycles;   /* until the last block had ended, as the order of all requests says; 0: not known */
    struct event_waits waits; /* of these cycles */
    uint32_t instr_count;     /* of the kernel */
    const struct event_memory_sums (*instrs)[EVENT_MEMORY_SPACES];
    /* Parts of waits, by instruction; a last element: what stands at no request. Not in records: NULL. */
    const struct event_stalls (*intervals)[EVENT_INTERVALS];
    /* Where addresses name the partition of DRAM: sectors, and how many there would have been if every
     * partition had had as many as the busiest, from moment to moment; 0: they do not. */
    uint64_t dram_even, dram_uneven;
};

/* ---- what the host asks of a device besides kernels. One record an operation, given when it is done
 * (kernels keep their own, struct event_launch); `order` says when the program asked for it. */
enum event_operation_kind {
    EVENT_OPERATION_COPY,
    EVENT_OPERATION_FILL,
    EVENT_OPERATION_ALLOC, /* of device, pinned or managed memory; registering host memory counts as one */
    EVENT_OPERATION_FREE,
    EVENT_OPERATION_SYNC,     /* the host waits for a stream, an event or a context */
    EVENT_OPERATION_MIGRATE,  /* managed memory that comes to the device because a kernel touches it */
    EVENT_OPERATION_USE,      /* a kernel was given a pointer to an allocation */
    EVENT_OPERATION_PREFETCH, /* managed memory, to the device or (to: PAGEABLE) to the host */
    EVENT_OPERATION_CALL, /* what a call kept the host, waits included; only for a tool that wants calls */
    EVENT_OPERATION_KINDS
};
enum event_memory_kind {
    EVENT_MEMORY_NONE,
    EVENT_MEMORY_PAGEABLE,
    EVENT_MEMORY_PINNED,
    EVENT_MEMORY_REGISTERED,
    EVENT_MEMORY_MANAGED,
    EVENT_MEMORY_DEVICE,
    EVENT_MEMORY_COUNT
};
struct event_operation {
    uint8_t kind;     /* enum event_operation_kind */
    uint8_t from, to; /* enum event_memory_kind: a copy's sides; of other operations, `to` is the memory;
                         MIGRATE, from: NONE if nobody had touched it, else PAGEABLE */
    bool async;       /* the host did not wait for it */
    bool stored;      /* MIGRATE: the kernel reads nothing there, as far as its code tells */
    bool staged; /* COPY between two devices, when it was asked for: neither may reach the other's memory */
    bool unchanged; /* COPY: the destination held the same bytes before; MIGRATE: the host had the pages, but
                       changed none of them since the last kernel */
    uint32_t device, context, stream; /* ordinals, as in struct event_launch */
    uint32_t peer;     /* COPY by the virtual clock: the other device of a copy between two, else the same */
    uint64_t order;    /* among the calls of the process, from 0 */
    uint64_t launches; /* kernels launched before the call; USE: the launch's id */
    uint64_t count;    /* 1; a summary of operations that are alike: how many */
    uint64_t bytes;    /* moved, allocated, or changed; of a summary: all together */
    uint64_t rows;     /* of a strided copy; 1 otherwise */
    uint64_t from_address,
        to_address;            /* only to be compared; FREE has none of the bytes but the same address */
    uint64_t start_ns, end_ns; /* of the device's clock; equal where it takes no time */
    uint64_t cause_ns;  /* by the virtual clock: the end of the work that it waited for last, itself, for its
                           engine, or the host before it asked; 0: of none */
    uint32_t thread;    /* of the host that called, from 1 in the order of their first calls */
    const char *api;    /* the function that the program called, "cudaMemcpy"; "": not known */
    const char *caller; /* where from, "/folder/program+0x1a2b"; "": not known */
};

/* Coalescing and bank rules that compiled code needs: part of the key of compiled kernels. */
struct event_rules {
    uint8_t load_shift,
        store_shift; /* log2 of the unit of a global load / store or atomic: 5 = 32-byte sector, 7 = line */
    uint8_t bank_bytes;               /* 4, or 8 */
    uint8_t global_rule, shared_rule; /* enum event_global_rule, event_shared_rule */
};
enum event_global_rule {
    EVENT_GLOBAL_UNITS,    /* each unit that a warp touches once */
    EVENT_GLOBAL_STRICT,   /* cc 1.0, 1.1: half warps; one segment if lane k takes word k, else one a lane */
    EVENT_GLOBAL_SEGMENTS, /* cc 1.2, 1.3: half warps; segments of 32 to 128 bytes, as small as will do */
    EVENT_GLOBAL_128       /* cc 2.x: loads ask for 128 bytes at a time: half warps of 8-byte accesses */
};
enum event_shared_rule {
    EVENT_SHARED_PAIRS, /* cc 5.0 and later: 128 bytes at a time, loads twice that where pairs of lanes agree
                         */
    EVENT_SHARED_CC1,   /* 16 banks, half warps, one broadcast word a pass */
    EVENT_SHARED_CC2,   /* 128 bytes at a time; 16-byte accesses one pass more */
    EVENT_SHARED_CC3    /* 8-byte banks, in 4-byte mode words 32 apart of 64 together */
};
/* The rules as functions (model/ supplies them). addr: byte address of each lane, those in mask are valid;
 * bytes: of one lane's access. Result: units in the low 32, ideal units in the next 16,
 * event_access_slots.more in the high 16 bits. Called from any thread. */
struct event_counters_fns {
    uint64_t (*global)(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                       uint32_t bytes, uint32_t kind);
    uint64_t (*local)(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                      uint32_t bytes);
    uint64_t (*shared)(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                       uint32_t bytes, uint32_t kind);
    uint64_t (*constant)(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                         uint32_t bytes);
};

/* ---- the virtual clock: what works of a device and calls of the host take, by a model (timing/).
 *
 * The driver knows what waits for what. It hands works over one at a time, in the order in which the program
 * asked for them, each when it is known what it was; so the answers depend on nothing else. Times are
 * nanoseconds since the process began. */
enum event_call { /* of the host; what each costs it */
                  EVENT_CALL_LAUNCH,
                  EVENT_CALL_GRAPH,
                  EVENT_CALL_COPY,
                  EVENT_CALL_FILL,
                  EVENT_CALL_RECORD,
                  EVENT_CALL_WAIT, /* of a stream for an event */
                  EVENT_CALL_QUERY,
                  EVENT_CALL_SYNC,
                  EVENT_CALL_ALLOC,
                  EVENT_CALL_FREE,
                  EVENT_CALL_HOST_ALLOC,
                  EVENT_CALL_HOST_FREE,
                  EVENT_CALL_SUBMIT,    /* no call: from its end until the device can begin */
                  EVENT_CALL_NOTICE,    /* no call: from the end of work until a host that waits goes on */
                  EVENT_CALL_CONDITION, /* no call: a pass of a conditional node's body, before it begins */
                  EVENT_CALL_HOST_FUNCTION, /* no call: a host function in a stream */
                  EVENT_CALL_HOST_WAKE,     /* no call: more, when it waited for the device */
                  EVENT_CALL_PEER_WAIT,     /* no call: from the end of work until another device goes on */
                  EVENT_CALL_HOST_FAULT, /* no call: the host misses bytes of managed memory that a device has
                                          */
                  EVENT_CALL_COUNT
};
enum event_work_kind {
    EVENT_WORK_COPY,
    EVENT_WORK_FILL,
    EVENT_WORK_MIGRATE,  /* pages of managed memory that a kernel misses */
    EVENT_WORK_PREFETCH, /* from, to: EVENT_MEMORY_DEVICE or _PAGEABLE, which is the host */
    EVENT_WORK_LAUNCH
};
struct event_work {
    uint8_t kind;          /* enum event_work_kind */
    uint8_t from, to;      /* enum event_memory_kind; FILL: to; MIGRATE: as event_operation's */
    uint32_t device, peer; /* ordinals; peer: the other device of a copy between two, else the same */
    uint32_t asker;        /* the stream's, which waits for the end */
    bool stored;           /* MIGRATE: for a kernel that only writes there */
    bool staged;           /* COPY between two devices: through the host, as event_operation's */
    const char *gpu;       /* of device, as in event_launch */
    uint64_t bytes, rows;
    const char *kernel;     /* LAUNCH */
    struct event_time time; /* LAUNCH: sm_share always; duration_ns when predicted */
    bool predicted;
    uint8_t predecessor; /* LAUNCH: enum event_predecessor */
    uint32_t nth;        /* LAUNCH, NESTED: the kernel that launched it had launched so many before */
    uint64_t least_ns;   /* LAUNCH: its own timers went on so far, of the blocks that waited longest */
    int32_t priority;    /* LAUNCH: of its stream; of those that wait, greater ones begin first */
    uint32_t waves; /* LAUNCH: so often the device is filled with its blocks, one after the other; 0: 1 */
};
enum event_predecessor { /* what a launch follows: how much of its start is over when that ends */
                         EVENT_PREDECESSOR_OTHER, /* a copy, a host function, nothing */
                         EVENT_PREDECESSOR_KERNEL,
                         EVENT_PREDECESSOR_NODE,   /* a kernel of its graph */
                         EVENT_PREDECESSOR_EARLY,  /* a kernel for which it need not wait */
                         EVENT_PREDECESSOR_PARENT, /* the kernel that launched it */
                         EVENT_PREDECESSOR_SIBLING /* a kernel that the same kernel launched */
};
enum event_cause {                     /* why work does not begin before it does */
                   EVENT_CAUSE_ASKED,  /* the host asked for it then */
                   EVENT_CAUSE_BEFORE, /* what it waits for ended then */
                   EVENT_CAUSE_ENGINE  /* what held its engine or CTA slot did */
};
struct event_schedule {
    uint64_t start_ns, end_ns;
    uint8_t cause; /* enum event_cause */
};
struct event_clock {
    void *user;
    uint64_t (*call)(void *user, const char *gpu, enum event_call call, uint64_t bytes);
    /* asked: when the call that asked for it ended; after: when all that it waits for had ended. */
    void (*schedule)(void *user, const struct event_work *work, uint64_t asked_ns, uint64_t after_ns,
                     struct event_schedule *out);
};

/* What a loaded tool library offers. All callbacks may be NULL; they may come from any thread, launches of
 * one stream in order, one callback at a time (the driver serialises). */
struct event_tool {
    void *user;
    uint32_t probes; /* EVENT_PROBE_* */
    struct event_rules rules;
    struct event_counters_fns count;
    bool any_target;                                           /* run PTX made for a newer GPU, and note it */
    bool (*wants_launch)(void *user, const char *kernel_name); /* false: run this one without probes */
    /* EVENT_PROBE_ACCESS, before launch_end: begin says what residency the launch has and may, when it is
     * divisible, give a sample shift n: only blocks of multiprocessors that event_is_detailed are reported,
     * block b being of multiprocessor b modulo their number, and besides them those that the device holds at
     * first; the others are only counted, and report their accesses to the address set. false: no detailed
     * simulation of this launch. Rounds come one at a time. */
    bool (*detail_begin)(void *user, const struct event_launch *launch,
                         const struct event_residency *residency, uint32_t *sample_shift);
    /* After detail_begin: how much work a warp does when it goes through a basic block, by the row of the
     * block's first instruction, in a unit of the tool's choice. What comes together before a request, or
     * before the warp's end, stands before it in the stream as EVENT_KIND_WORK, if it is not 0. The table
     * must live until launch_end. NULL, or no function: no work is reported. */
    const uint32_t *(*detail_work)(void *user, const struct event_launch *launch);
    /* After detail_begin: how far CTA slots are, brought up to date by detail_round, until launch_end. Blocks
     * begin in those that are free first. NULL, or no function: no time is kept, and any free CTA slot will
     * do. */
    const struct event_progress *(*detail_progress)(void *user, const struct event_launch *launch);
    /* Returns the sample shift with which the launch goes on: that of detail_begin, or after the first round,
     * when the tool saw what blocks ask for, a smaller one. */
    uint32_t (*detail_round)(void *user, const struct event_launch *launch, const struct event_round *round);
    /* EVENT_PROBE_ADDRESS_SET, of a sampled launch: accesses of the blocks that are not reported, in order of
     * the blocks, before the round in which simulated ones of about their numbers begin. Of global memory
     * only. */
    void (*detail_address_set)(void *user, const struct event_launch *launch,
                               const struct event_set_access *accesses, size_t count);
    void (*launch_end)(void *user, const struct event_launch *launch);
    /* After launch_end of the same launch: what time it took by the model. false: not predicted (the launch
     * was not simulated in detail, or failed). */
    bool (*launch_time)(void *user, const struct event_launch *launch, struct event_time *out);
    /* Before a counted launch whose kernel reads clocks: when a warp comes to each instruction, in sixteenths
     * of a cycle (path: instr_count + 1 entries); bytes: of device memory that it was given pointers to.
     * Returns the clock's kHz; 0: not known. */
    uint64_t (*clock_path)(void *user, const struct event_launch *launch, uint64_t bytes, uint64_t *path);
    /* NULL: times are those of the real clock. Otherwise all are the virtual clock's. Calls of it come one at
     * a time, too; launch_scheduled follows when the launch of that id is scheduled. cause_ns: as in
     * struct event_operation. */
    const struct event_clock *clock;
    void (*launch_scheduled)(void *user, uint64_t id, uint64_t start_ns, uint64_t end_ns, uint64_t cause_ns);
    void (*operation)(
        void *user, const struct event_operation *operation);  /* in the order of their ends, or with a clock
                                                                  copies and the like in that of their calls */
    bool calls;                                                /* operations of kind CALL, too */
    void (*refused)(void *user, const struct sw_error *error); /* something was not supported */
    void (*note)(void *user, const char *line);                /* a log line */
    void (*finish)(void *user);                                /* process ends; must be safe at exit */
};
/* The symbol that libsoftwarp-tools.so exports. gpu: of device 0, as in event_launch. NULL: no session
 * wanted. */
#define EVENT_TOOL_SYMBOL "softwarp_tool_open"
typedef const struct event_tool *(*event_tool_open_fn)(const char *session_dir, const char *gpu);
#endif

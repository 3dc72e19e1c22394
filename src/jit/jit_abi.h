/* SPDX-License-Identifier: Apache-2.0 */
/* The contract between emitted code and the engine that runs it: plain records. Emitted code reads their
 * fields at offsetof() of these very structs; nothing here holds baked addresses, so that compiled objects
 * can be kept on disk and mapped anywhere. */
#ifndef JIT_ABI_H
#define JIT_ABI_H

#include "base/base.h"

#include <stdbool.h>

struct jit_ctx;

/* What a texture or surface object points to: made by driver/, read by the engine. A texel of channel c,
 * column x, row y and slice z of a level is at base + z * slice + y * pitch + (x * channels + c) * its bytes.
 * Faces of cubes are slices, six a layer. */
enum jit_texel {
    JIT_TEXEL_U8,
    JIT_TEXEL_S8,
    JIT_TEXEL_U16,
    JIT_TEXEL_S16,
    JIT_TEXEL_U32,
    JIT_TEXEL_S32,
    JIT_TEXEL_F16,
    JIT_TEXEL_F32
};
enum jit_addressing { JIT_ADDRESS_WRAP, JIT_ADDRESS_CLAMP, JIT_ADDRESS_MIRROR, JIT_ADDRESS_BORDER };
enum { JIT_TEXTURE_LEVELS = 16 }; /* of 32,768 texels: the most that CUDA has */
struct jit_texture_level {
    uint64_t base, pitch, slice;
    uint32_t width, height, depth; /* in texels; depth: slices, layers or faces */
};
struct jit_texture {
    struct jit_texture_level levels[JIT_TEXTURE_LEVELS];
    uint32_t level_count;                         /* 0: a reference that nothing is bound to */
    uint8_t texel, channels;                      /* enum jit_texel; 1, 2 or 4 */
    bool linear, level_linear, normalized_coords; /* filters; coordinates 0..1 */
    bool read_normalized, srgb;    /* integers become 0..1 or -1..1; the first three channels are sRGB */
    uint8_t address[3];            /* enum jit_addressing of x, y, z */
    bool surface, layers, cube;    /* a surface object; depth counts layers; or faces */
    bool plain, mipmapped;         /* in linear memory, not an array; an array of levels, maybe of one */
    bool seamless;                 /* cubes are filtered across their edges */
    bool reference;                /* a .texref or .surfref variable */
    uint8_t rank, anisotropy;      /* dimensions without layers; cubes: 2 */
    int32_t bias, lowest, highest; /* of levels, in 256ths */
    float border[4];
};
/* One texture or surface instruction. */
struct jit_texture_op {
    uint8_t kind;         /* enum jit_texture_kind */
    uint8_t dimensions;   /* 1, 2 or 3, without the layer; cubes: 3 */
    uint8_t flags, level; /* enum jit_texture_flag; enum jit_texture_level_kind */
    uint8_t bytes, count; /* surfaces: of an element; elements */
    union {
        uint8_t outside;   /* surfaces: enum jit_outside */
        uint8_t component; /* gathers: 0 red to 3 alpha */
        uint8_t query;     /* queries: enum jit_texture_query; with a level: or'ed with JIT_QUERY_LEVEL */
        uint8_t opaque;    /* type tests: enum jit_opaque */
    };
    union {
        uint8_t reduce; /* reductions: enum jit_surface_reduce */
        bool offset;    /* reads and gathers: its rows have one */
    };
};
enum jit_texture_flag {
    JIT_TEXTURE_LAYERED = 1, /* the first coordinate is the layer */
    JIT_TEXTURE_CUBE = 2,
    JIT_TEXTURE_INTEGER_COORDS = 4,
    JIT_TEXTURE_INTEGER_RESULT = 8,
    JIT_TEXTURE_HALF_RESULT = 16, /* two in a word */
    JIT_TEXTURE_COMPARES = 32,
    JIT_TEXTURE_FORMATTED = 64, /* surfaces: x counts texels, which the values become */
    JIT_TEXTURE_SIGNED = 128    /* reductions */
};
enum jit_texture_level_kind { JIT_LEVEL_NONE, JIT_LEVEL_BASE, JIT_LEVEL_GIVEN, JIT_LEVEL_GRADIENT };
/* Rows of 32 words in which the operands stand. */
enum jit_texture_row {
    JIT_ROW_COORDINATES = 0, /* up to four, in written order */
    JIT_ROW_OFFSET = 4,      /* of x, y, z, in texels */
    JIT_ROW_LEVEL = 7,
    JIT_ROW_ALONG_X = 8, /* three */
    JIT_ROW_ALONG_Y = 11,
    JIT_ROW_COMPARAND = 14,
    JIT_TEXTURE_ROWS = 15
};
enum jit_texture_kind {
    JIT_TEXTURE_READ,
    JIT_SURFACE_LOAD,
    JIT_SURFACE_STORE,
    JIT_SURFACE_REDUCE,
    JIT_TEXTURE_GATHER,
    JIT_TEXTURE_QUERY,
    JIT_TEXTURE_TYPE /* is the object, which may be any 64 bits, of a type */
};
enum jit_surface_reduce {
    JIT_SURFACE_ADD,
    JIT_SURFACE_MIN,
    JIT_SURFACE_MAX,
    JIT_SURFACE_AND,
    JIT_SURFACE_OR
};
enum jit_texture_query {
    JIT_QUERY_WIDTH,
    JIT_QUERY_HEIGHT,
    JIT_QUERY_DEPTH,
    JIT_QUERY_CHANNEL_DATA_TYPE,
    JIT_QUERY_CHANNEL_ORDER,
    JIT_QUERY_NORMALIZED_COORDS,
    JIT_QUERY_FILTER_MODE,
    JIT_QUERY_ADDRESS_0,
    JIT_QUERY_ADDRESS_1,
    JIT_QUERY_ADDRESS_2,
    JIT_QUERY_ARRAY_SIZE,
    JIT_QUERY_MIPMAP_LEVELS,
    JIT_QUERY_SAMPLES,
    JIT_QUERY_MEMORY_LAYOUT,
    JIT_QUERY_LEVEL = 128
};
enum jit_opaque { JIT_OPAQUE_TEXTURE, JIT_OPAQUE_SAMPLER, JIT_OPAQUE_SURFACE };
enum jit_outside { JIT_OUTSIDE_TRAP, JIT_OUTSIDE_CLAMP, JIT_OUTSIDE_ZERO };

/* One cp.async.bulk or cp.reduce.async.bulk. Elements matter to reductions only. */
struct jit_bulk_op {
    uint8_t reduce;               /* enum jit_bulk_reduce */
    uint8_t element;              /* enum jit_bulk_element */
    uint8_t bytes;                /* of an element: 2, 4 or 8 */
    uint8_t to_space, from_space; /* enum isa_space, as written */
    uint8_t unused[3];
};
enum jit_bulk_reduce {
    JIT_BULK_COPY,
    JIT_BULK_ADD,
    JIT_BULK_MIN,
    JIT_BULK_MAX,
    JIT_BULK_INC,
    JIT_BULK_DEC,
    JIT_BULK_AND,
    JIT_BULK_OR,
    JIT_BULK_XOR
};
enum jit_bulk_element { JIT_BULK_UNSIGNED, JIT_BULK_SIGNED, JIT_BULK_FLOAT, JIT_BULK_BF16 };
/* CUDA's device runtime: functions that kernels call to launch kernels, and their kin. X(name, bits of the
 * result, arguments); a program calls them as __cudaCDP2<name> or cuda<name>, with or without _ptsz. */
#define JIT_DEVICE_CALLS(X)                                                                                  \
    X(DeviceGetAttribute, 32, 3)                                                                             \
    X(DeviceGetLimit, 32, 2)                                                                                 \
    X(DeviceGetCacheConfig, 32, 1)                                                                           \
    X(DeviceGetSharedMemConfig, 32, 1)                                                                       \
    X(GetLastError, 32, 0)                                                                                   \
    X(PeekAtLastError, 32, 0)                                                                                \
    X(GetErrorString, 64, 1)                                                                                 \
    X(GetErrorName, 64, 1)                                                                                   \
    X(GetDeviceCount, 32, 1)                                                                                 \
    X(GetDevice, 32, 1)                                                                                      \
    X(StreamCreateWithFlags, 32, 2)                                                                          \
    X(StreamDestroy, 32, 1)                                                                                  \
    X(StreamWaitEvent, 32, 3)                                                                                \
    X(EventCreateWithFlags, 32, 2)                                                                           \
    X(EventRecord, 32, 2)                                                                                    \
    X(EventRecordWithFlags, 32, 3)                                                                           \
    X(EventDestroy, 32, 1)                                                                                   \
    X(FuncGetAttributes, 32, 2)                                                                              \
    X(Free, 32, 1)                                                                                           \
    X(Malloc, 32, 2)                                                                                         \
    X(MemcpyAsync, 32, 5)                                                                                    \
    X(Memcpy2DAsync, 32, 8)                                                                                  \
    X(Memcpy3DAsync, 32, 2)                                                                                  \
    X(MemsetAsync, 32, 4)                                                                                    \
    X(Memset2DAsync, 32, 6)                                                                                  \
    X(Memset3DAsync, 32, 4)                                                                                  \
    X(RuntimeGetVersion, 32, 1)                                                                              \
    X(GetParameterBuffer, 64, 2)                                                                             \
    X(GetParameterBufferV2, 64, 4)                                                                           \
    X(LaunchDevice, 32, 6)                                                                                   \
    X(LaunchDeviceV2, 32, 2)                                                                                 \
    X(OccupancyMaxActiveBlocksPerMultiprocessor, 32, 4)                                                      \
    X(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 32, 5)                                             \
    X(GraphSetConditional, 0, 2)                                                                             \
    X(GraphLaunch, 32, 2)                                                                                    \
    X(GraphKernelNodeSetParam, 32, 4)                                                                        \
    X(GraphKernelNodeSetEnabled, 32, 2)                                                                      \
    X(GraphKernelNodeSetGridDim, 32, 2)                                                                      \
    X(GraphKernelNodeUpdatesApply, 32, 2)
#define JIT_DEVICE_CALL_ID(name, bits, arguments) JIT_DEVICE_##name,
enum jit_device_function { JIT_DEVICE_CALLS(JIT_DEVICE_CALL_ID) JIT_DEVICE_CALL_COUNT };
#undef JIT_DEVICE_CALL_ID
enum { JIT_DEVICE_CALL_MOST = 8, JIT_DEVICE_PER_THREAD = 1 << 16 }; /* arguments; or'ed in: a _ptsz name */
/* One mma, mma.sp or wmma.mma: what it multiplies. */
enum jit_matrix_type {
    JIT_MATRIX_F16,
    JIT_MATRIX_BF16,
    JIT_MATRIX_TF32,
    JIT_MATRIX_F64,
    JIT_MATRIX_E4M3,
    JIT_MATRIX_E5M2,
    JIT_MATRIX_S8,
    JIT_MATRIX_U8,
    JIT_MATRIX_S4,
    JIT_MATRIX_U4,
    JIT_MATRIX_B1,
    JIT_MATRIX_F32,
    JIT_MATRIX_S32,
    JIT_MATRIX_TYPES
};
struct jit_matrix_op {
    uint8_t m, n, k4; /* k4: k / 4 */
    uint8_t a_b, d_c; /* enum jit_matrix_type: the first in the low half */
    uint8_t flags;    /* enum jit_matrix_flags */
    uint8_t selector; /* of sparse metadata; f64: rounding: 0 nearest even, 1 down, 2 up, 3 zero */
    uint8_t isa;      /* enum jit_isa of the code that calls */
};
enum jit_matrix_flags {
    JIT_MATRIX_WMMA = 1,
    JIT_MATRIX_SPARSE = 2,
    JIT_MATRIX_SATFINITE = 4,
    JIT_MATRIX_AND = 8,        /* b1: and, not xor */
    JIT_MATRIX_A_COLUMNS = 16, /* mma.m8n8k4 of f16, whose fragments depend on the layout */
    JIT_MATRIX_B_COLUMNS = 32
};

/* One wmma.load, wmma.store, ldmatrix or stmatrix. */
struct jit_fragment_op {
    uint8_t m, n, k4, type; /* as above */
    uint8_t letter;         /* 'a' 'b' 'c' (d too); 'm': ldmatrix and stmatrix */
    uint8_t flags;          /* enum jit_fragment_flags */
    uint8_t registers;      /* without copies of others; 'm': matrices */
    uint8_t reserved;
};
enum jit_fragment_flags {
    JIT_FRAGMENT_STORE = 1,
    JIT_FRAGMENT_COLUMNS = 2, /* column-major in memory; 'm': transposed */
    JIT_FRAGMENT_DENSE = 4,   /* no stride given */
    JIT_FRAGMENT_SHARED = 8   /* .shared is written */
};

/* Collectives: operations of a whole warp, whose lanes may come one after the other (jit_emit_collective.c).
 */
enum jit_collective_kind {
    JIT_COLLECTIVE_BARRIER,
    JIT_COLLECTIVE_SHUFFLE,
    JIT_COLLECTIVE_VOTE,
    JIT_COLLECTIVE_MATCH,
    JIT_COLLECTIVE_REDUCE,
    JIT_COLLECTIVE_ELECT
};
enum jit_collective_variant { /* which shuffle, vote, match or reduction */
                              JIT_COLLECTIVE_UP,
                              JIT_COLLECTIVE_DOWN,
                              JIT_COLLECTIVE_BFLY,
                              JIT_COLLECTIVE_IDX,
                              JIT_COLLECTIVE_ALL,
                              JIT_COLLECTIVE_ANY,
                              JIT_COLLECTIVE_UNI,
                              JIT_COLLECTIVE_BALLOT,
                              JIT_COLLECTIVE_ADD,
                              JIT_COLLECTIVE_MIN,
                              JIT_COLLECTIVE_MAX,
                              JIT_COLLECTIVE_AND,
                              JIT_COLLECTIVE_OR,
                              JIT_COLLECTIVE_XOR
};
struct jit_collective_op { /* lanes of one op and one member mask take part in one collective */
    uint8_t op, kind, bits;
    bool is_signed, is_float, absolute, keeps_nan;
    uint8_t unused;
};
struct jit_collective_state { /* one a warp */
    uint64_t value[32];       /* in: the first operand; out: the result */
    uint64_t code[32];        /* struct jit_collective_op */
    uint32_t b[32], c[32], members[32], second[32], line[32];
    lane_mask waiting, done; /* arrived, without and with a result */
    lane_mask parked;        /* in a collective's block, until they take their results */
    uint32_t force; /* not 0: members that have not arrived are not waited for, who are at this PTX line; or
                       JIT_FORCE_ENDED: where all that is left of the program is its end */
};

enum { JIT_FORCE_ENDED = 0x7fffffff };

/* EVENT_PROBE_ACCESS: what emitted code notes of a warp, in program order: accesses, barriers, its end.
 * EVENT_PROBE_ADDRESS_SET: accesses of which a lane may be in the address set. */
enum { JIT_KIND_WORK = 254, JIT_KIND_END, JIT_RECORD_BYTES = 16 << 10, JIT_RECORD_ADDRESSES = 32 * 8 };
struct jit_record_site { /* what is the same each time; in the object */
    uint32_t instr;      /* in the instructions of jit_request.entry */
    uint16_t bytes;      /* of a lane's access; 0: a helper notes it */
    uint8_t kind;        /* enum event_access_kind, or JIT_KIND_WORK, _END */
    uint8_t space;       /* enum isa_space; GENERIC: as the address turns out */
    uint32_t slots; /* of units, ideal units, more; GENERIC: by enum event_access, requests before each */
    union {
        uint32_t shared_kind; /* GENERIC: kind of lanes that are in shared memory */
        uint32_t lane_bytes;  /* LOCAL: 0, or the variables are those of a function that stays one: then
                                 addresses are offsets in the calls' stack of a warp, and this their stride */
    };
    int64_t stride, wrap;
};
struct jit_record {
    const struct jit_record_site *site;
    uint64_t base; /* lane l: base + l * stride - (l >= limit ? wrap : 0); bytes, where the site has none; of
                      barriers, JIT_KIND_WORK and _END: more work */
    uint32_t mask; /* lanes that take part; none: no request */
    uint16_t warp; /* in the block */
    /* 32 and more: none wraps; of a vector, more than 32: of the same execution of the site as the record
     * before */
    uint8_t limit;
    bool is_vector; /* addresses of 32 lanes follow */
    union {
        uint32_t when; /* EVENT_PROBE_ADDRESS_SET: requests that the warp had made before */
        uint32_t work; /* EVENT_PROBE_ACCESS: of the warp since its last record, by jit_ctx.work */
    };
};

/* Of records with the kind EVENT_KIND_AWAIT, `base`: the mbarrier's place in shared memory, and << 32 this.
 * _OVER: it ended the phase. */
enum jit_phase { JIT_PHASE_NOTHING, JIT_PHASE_ARRIVE, JIT_PHASE_BRING, JIT_PHASE_AWAIT, JIT_PHASE_OVER = 4 };

/* EVENT_PROBE_INIT, _RACE_SHARED, _RACE_GLOBAL: accesses as shadow memory sees them. */
enum jit_scope { JIT_SCOPE_CTA, JIT_SCOPE_CLUSTER, JIT_SCOPE_GPU, JIT_SCOPE_SYS };
enum jit_shadow_flag {
    JIT_SHADOW_READ = 1,
    JIT_SHADOW_WRITE = 2,
    JIT_SHADOW_STRONG = 4, /* volatile, relaxed or more, atomic */
    JIT_SHADOW_ACQUIRE = 8,
    JIT_SHADOW_RELEASE = 16,
    JIT_SHADOW_ASYNC = 32,   /* made by a copy that the lane begins */
    JIT_SHADOW_SAME = 64,    /* all lanes write the same value */
    JIT_SHADOW_COPIED = 128, /* what is read is only stored elsewhere */
    JIT_SHADOW_VOLATILE = 256,
    JIT_SHADOW_VALUES = 512, /* shadow_values follows where the call asks for it */
    JIT_SHADOW_POLLS = 1024, /* in a loop that waits for others */
    JIT_SHADOW_RACE = 2048   /* races are looked for */
};
struct jit_shadow_site { /* what is the same each time; in the object */
    uint32_t line;       /* PTX line */
    uint32_t used;       /* reads: bit i: byte i of a lane's is used */
    uint16_t flags;      /* enum jit_shadow_flag */
    uint16_t bytes;      /* of a lane */
    uint8_t space;       /* enum isa_space: SHARED, LOCAL; GENERIC: as the address turns out */
    uint8_t scope;       /* of strong ones: enum jit_scope */
    uint16_t unused;
};
/* What orders accesses of lanes; value: what is said here. */
enum jit_order {
    JIT_ORDER_FENCE,            /* enum jit_scope | JIT_ORDER_PROXY: of shared memory's asynchronous proxy */
    JIT_ORDER_BLOCK,            /* all threads of the block are at a barrier */
    JIT_ORDER_BARRIER_ARRIVE,   /* number: lanes have arrived, */
    JIT_ORDER_BARRIER_COMPLETE, /* all have, */
    JIT_ORDER_BARRIER_PASS,     /* lanes go on */
    JIT_ORDER_CLUSTER_COMPLETE, /* all have, of a cluster's barrier; no lanes: not yet */
    JIT_ORDER_COPY_COMMIT,      /* cp.async.commit_group */
    JIT_ORDER_COPY_WAIT,        /* groups that may still be under way */
    JIT_ORDER_COPY_WAIT_ALL,
    JIT_ORDER_COPY_ARRIVE, /* address of the mbarrier on which copies arrive */
    JIT_ORDER_BULK_COMMIT,
    JIT_ORDER_BULK_WAIT,
    JIT_ORDER_MBARRIER, /* of lane jit_ctx.lane: address | enum jit_phase << 56 */
    JIT_ORDER_COUNT
};
enum {
    JIT_ORDER_PROXY = 16,
    JIT_ORDER_CLUSTER = 16,
    JIT_ORDER_PHASE_AT = 56
}; /* the number of a cluster's barrier */

/* How frames of suspended warps are read when a block is stuck. */
struct jit_wait_point { /* lanes of a warp that wait at one instruction */
    uint32_t waiting, id, count, predicates;
    uint32_t go; /* those that a complete barrier lets go on */
};
struct jit_stuck {
    uint32_t frame_bytes, wait_points_at, wait_point_count,
        collective_at, /* struct jit_collective_state; 0: none */
        missed_at;     /* as in struct jit_sync, where code is made with EVENT_PROBE_SYNC */
    uint32_t lines[];  /* PTX lines of the wait points */
};

/* Code made with EVENT_PROBE_SYNC: how the frames of warps that may stop are read, in words of the object. */
enum jit_sync_flag {
    JIT_SYNC_ALIGNED = 1, /* all lanes of a warp must be there together */
    JIT_SYNC_ALL = 2,     /* and all threads of the block: it has no count */
    JIT_SYNC_REDUCES = 4  /* it is a reduction */
};
struct jit_sync {
    uint32_t frame_bytes, wait_points_at, wait_point_count, collective_at; /* as in struct jit_stuck */
    uint32_t
        missed_at; /* lanes that passed by a barrier where others wait, and the PTX line where they were */
    uint32_t left_out_at; /* bits of barriers that the warp left out, and the PTX line where it was then */
    uint32_t reach_words, place_count;
    /* wait_point_count times: PTX line, enum jit_sync_flag, its bit at left_out_at or 0, and reach_words of
     * bits: the wait points that come after it in the program. Then place_count times, where
     * else lanes of a warp that has stopped may be: the place of a mask in the frame, PTX line. */
    uint32_t words[];
};

enum jit_mbarrier_use {
    JIT_MBARRIER_INIT,
    JIT_MBARRIER_INVAL,
    JIT_MBARRIER_ARRIVE, /* `operand` times */
    JIT_MBARRIER_OTHER   /* anything that needs a valid object */
};
/* An object: arrivals still pending in the lowest bits, those of a phase above them. */
enum { JIT_MBARRIER_COUNT_BITS = 20, JIT_MBARRIER_LANE_AT = 8 };

/* EVENT_PROBE_BOUNDS: an access that must lie in one variable, or in a space of the block or the lane. */
struct jit_window_site { /* what is the same each time; in the object */
    uint32_t line, bytes;
    uint32_t stack; /* LOCAL: 1 + where alloca's word is, from the window's begin on; 0: there is none */
    uint8_t space;  /* enum isa_space of the window */
    bool writes;
    uint16_t unused;
    uint64_t step; /* bytes from a lane's window to the next lane's */
    uint64_t at;   /* SHARED, LOCAL: where the window begins in the block's or the lane's memory */
    char name[];   /* of the variable; empty: there is none */
};

enum jit_denied { JIT_DENIED_READ = 1, JIT_DENIED_WRITE = 2 };
enum { JIT_DENIED_SHIFT = 16 };

/* Calls out of emitted code. They never return an error: what fails inside does not come back (the engine
 * unwinds the worker by longjmp and the launch fails). */
struct jit_helpers {
    uint32_t (*vprintf)(struct jit_ctx *ctx, uint64_t format, uint64_t args); /* one lane */
    /* one lane; a trap with SW_ASSERT follows, when all lanes have said so */
    void (*assert_fail)(struct jit_ctx *ctx, uint64_t message, uint64_t file, uint32_t line,
                        uint64_t function);
    void (*trap)(struct jit_ctx *ctx, uint32_t status);      /* enum sw_status; no return */
    uint64_t (*malloc)(struct jit_ctx *ctx, uint64_t bytes); /* one lane; 0: heap is full */
    uint64_t (*aligned_malloc)(struct jit_ctx *ctx, uint64_t bytes, uint64_t align);
    void (*free)(struct jit_ctx *ctx, uint64_t address);
    /* One lane calls the device runtime. arguments: where each argument's value lies, and last the result's
     * place. */
    void (*device_call)(struct jit_ctx *ctx, uint32_t function, const uint64_t *arguments);
    /* ns; of counted kernels: read at this row of its table, in a block that ends before `end` */
    uint64_t (*globaltimer)(struct jit_ctx *ctx, uint32_t row, uint32_t end);
    uint64_t (*clock_read)(struct jit_ctx *ctx, uint32_t row, uint32_t end); /* %clock64, likewise */
    void (*clock_pass)(struct jit_ctx *ctx, uint32_t first, uint32_t end);   /* the warp runs these rows */
    void (*yield)(struct jit_ctx *ctx, uint32_t ns);                         /* spinning or nanosleep */
    /* COUNT probes for what closed forms do not cover; see struct event_counters_fns. address: 32 entries;
     * kind: enum event_access_kind */
    uint64_t (*count_global)(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t bytes,
                             uint32_t kind);
    uint64_t (*count_local)(struct jit_ctx *ctx, const uint64_t *offset, lane_mask mask, uint32_t bytes,
                            uint32_t kind);
    uint64_t (*count_shared)(struct jit_ctx *ctx, const uint64_t *offset, lane_mask mask, uint32_t bytes,
                             uint32_t kind);
    uint64_t (*count_constant)(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t bytes,
                               uint32_t kind);
    /* Texture and surface instructions, for the lanes of a mask. op: struct jit_texture_op as 8 bytes;
     * object: 32 addresses of struct jit_texture; rows: enum jit_texture_row, those that the instruction
     * has no operand for are 0; values: [4][32] words (floats as their bits, 64 bits in two rows). Returns
     * what is counted: sectors | requests << 32 */
    uint64_t (*texture)(struct jit_ctx *ctx, uint64_t op, lane_mask mask, const uint64_t *object,
                        const uint32_t *rows, uint32_t *values);
    /* Lanes `here` arrive, `alive` are all that have not ended. Returns those of them that have results. */
    uint32_t (*collective)(struct jit_ctx *ctx, struct jit_collective_state *collective, uint64_t code,
                           uint32_t line, lane_mask here, lane_mask alive);
    /* No warp of the block can ever go on. Frames as `stuck` says. No return. */
    void (*barrier_stuck)(struct jit_ctx *ctx, const struct jit_stuck *stuck);
    /* A barrier that there is not, which these lanes name. No return. */
    void (*barrier_wrong)(struct jit_ctx *ctx, lane_mask lanes, uint32_t line, uint32_t number);
    /* One of the lanes in mask accesses its address, which is not a multiple of `bytes`. No return. */
    void (*misaligned)(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t bytes,
                       uint32_t line);
    /* Code made with jit_request.permissions: end the launch if memory that one of the lanes in mask accesses
     * is denied; need: enum jit_denied */
    void (*reach)(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t need, uint32_t line);
    /* Code made with EVENT_PROBE_BOUNDS: look at each lane in mask, and end the launch if one accesses what
     * is not valid; else set bounds_first and bounds_bytes. what: bytes, and JIT_BOUNDS_WRITE. */
    void (*bounds)(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                   uint32_t line);
    /* Shadow memory: lanes of the running warp are about to access addresses, or first + lane * stride. Not
     * 0: it wants to know the values. */
    uint32_t (*shadow)(struct jit_ctx *ctx, const struct jit_shadow_site *site, const uint64_t *address,
                       lane_mask mask);
    uint32_t (*shadow_affine)(struct jit_ctx *ctx, const struct jit_shadow_site *site, uint64_t first,
                              int64_t stride, lane_mask mask);
    /* Of element `element` of what is stored, after one of these: 32 values of so many bytes; end: the last.
     */
    void (*shadow_values)(struct jit_ctx *ctx, const void *values, uint32_t element, uint32_t bytes,
                          uint32_t end);
    void (*shadow_order)(struct jit_ctx *ctx, uint32_t warp, lane_mask mask, uint32_t what, uint64_t value);
    /* bar.warp.sync of lanes in mask; members: of each of 32 lanes, its member mask */
    void (*shadow_warp_sync)(struct jit_ctx *ctx, const uint32_t *members, lane_mask mask);
    /* Code made with EVENT_PROBE_SYNC: all threads that barrier `id` waits for are there, and go on next.
     * Keeps what is wrong about who they are. */
    void (*barrier_look)(struct jit_ctx *ctx, const struct jit_sync *sync, uint32_t id);
    /* The same, of code whose warps do not stop alone: warps wait at different wait points, or left one out;
     * wait_points_at is 0, and a frame begins with its wait point from 1 on, 0 or UINT32_MAX. */
    void (*warps_look)(struct jit_ctx *ctx, const struct jit_sync *sync);
    /* The same: lanes execute an operation of a warp with these 32 member masks, which may not name them or
     * may differ. */
    void (*members_look)(struct jit_ctx *ctx, const uint32_t *members, lane_mask lanes, uint32_t line);
    /* The same: lanes execute a shuffle, with operands b and c of 32 lanes; kind: enum
     * jit_collective_variant. One may read from a lane that does not take part. */
    void (*shuffle_look)(struct jit_ctx *ctx, const uint32_t *b, const uint32_t *c, lane_mask lanes,
                         uint32_t kind, uint32_t line);
    /* The same: lanes wait at the cluster's barrier and have not arrived, or arrive and have not waited. */
    void (*cluster_wrong)(struct jit_ctx *ctx, lane_mask lanes, uint32_t waits, uint32_t line);
    /* The same: a lane is about to do something to the mbarrier at that host address. operand: arrivals that
     * it expects or makes; what: enum jit_mbarrier_use, and the lane from bit
     * JIT_MBARRIER_LANE_AT on. */
    void (*mbarrier_look)(struct jit_ctx *ctx, uint64_t address, uint64_t operand, uint32_t what,
                          uint32_t line);
    /* The same where each lane accesses so many bytes. */
    void (*bounds_some)(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                        uint32_t line, const uint32_t *bytes);
    /* The same for windows: `bytes` from `base` on, lane 0's. Of lanes in mask that lie inside, nothing. */
    void (*window)(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask,
                   const struct jit_window_site *site, uint64_t base, uint64_t bytes);
    void (*collective_stuck)(struct jit_ctx *ctx,
                             const struct jit_collective_state *collective); /* no return */
    /* Bulk copies and reductions of one lane. op: struct jit_bulk_op as 8 bytes */
    void (*bulk)(struct jit_ctx *ctx, uint64_t op, uint64_t to, uint64_t from, uint32_t bytes);
    /* Something happened to the mbarrier at that address; how: enum jit_phase. Only
     * between jit_phase_helper_begin and _end. */
    void (*phase)(struct jit_ctx *ctx, const struct jit_record_site *site, uint64_t address, uint32_t how);
    /* Matrix multiplication. op: struct jit_matrix_op as 8 bytes; from: the registers of a, b, c and, when
     * sparse, the metadata, each 32 lanes of 4 (f64: 8) bytes, 64-aligned; of wmma's fragments only those
     * that are not copies of others; to: the registers of d */
    void (*matrix)(struct jit_ctx *ctx, uint64_t op, const void *from, void *to);
    /* Fragments from and to memory. op: struct jit_fragment_op; address: 32 host addresses, of which wmma
     * reads that of the first lane in mask; stride: 32, in elements; registers: as above */
    void (*fragment)(struct jit_ctx *ctx, uint64_t op, lane_mask mask, const uint64_t *address,
                     const uint32_t *stride, void *registers);
    /* The accesses that a GPU makes of them in a space (enum event_access: global or shared), when the first
     * lane's address is there: added to requests, units, ideal units */
    void (*count_fragment)(struct jit_ctx *ctx, uint64_t op, lane_mask mask, const uint64_t *address,
                           const uint32_t *stride, uint32_t space, uint64_t *counted);
    /* ACCESS probes: the records from ctx->records up to `end` may go. */
    void (*drain)(struct jit_ctx *ctx, const uint8_t *end);
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
    uint32_t dynamic_shared_bytes, shared_bytes; /* dynamic; static, dynamic and reserved */
    uint32_t ctaid[3];                           /* kept up to date for messages and faults */
    uint32_t warp;                               /* in the block; likewise */
    uint32_t sm_count, max_warps_per_sm;
    uint32_t lanes_independent; /* 0: lanes of a warp that wait for each other hang, as before cc 7.0 */
    uint32_t total_shared_bytes, reserved_shared_bytes; /* of a block as the device gives it out; its own */
    uint32_t compute_capability;                        /* 90: 9.0 */
    uint32_t nan_payloads; /* set by emitted code: an f64 NaN that arithmetic did not make was seen */
    uint32_t alone; /* until softwarp_run returns, no other host thread runs code of a device: atomics of
                       global memory need not be the host's */
    uint32_t lane; /* set by emitted code before it calls a helper for one lane (vprintf, assert_fail, malloc,
                      free) */
    uint64_t grid_id;
    uint64_t clock_base; /* %clock64 = host time stamp counter - clock_base */
    uint32_t envreg[32];
    void *host;          /* the engine's own */
    uint64_t graph_exec; /* %current_graph_exec */
    /* EVENT_PROBE_ACCESS, _TOUCH: space for JIT_RECORD_BYTES and one more record with addresses */
    uint8_t *records;
    /* Set while a helper may note accesses: where the next record goes, and their site (else NULL). */
    uint8_t *record_end;
    const struct jit_record_site *record_site;
    uint32_t record_when;              /* as in struct jit_record */
    uint32_t is_detailed, sm, sm_slot; /* the block runs on this multiprocessor, in this of its CTA slots */
    /* While a function that stays one runs for it: bytes of a lane's local variables in the calls before;
     * the warp's requests in this round. */
    uint32_t call_bytes, call_requests;
    /* EVENT_PROBE_ACCESS: what each basic block counts as work, by the row of its first instruction, and 0 by
     * other rows; work that no record took yet, on the way to a function that stays one and back. */
    const uint32_t *work;
    uint64_t call_work;
    /* Code made with jit_request.permissions: what the device may not do, bits of enum jit_denied by
     * (address - denied_base) >> JIT_DENIED_SHIFT, [denied_pieces] anything; and the PTX line, before helpers
     * that access memory. denied_outside: what `reach` must look at of all other addresses. */
    const uint8_t *denied; /* else NULL */
    uint64_t denied_base, denied_pieces;
    uint32_t denied_outside;
    uint32_t line;
    /* Code made with EVENT_PROBE_BOUNDS: what a lane of the last access that `bounds` was asked about lies
     * in, all of it valid. */
    uint64_t bounds_first, bounds_bytes;
    /* Set by emitted code before it asks `bounds`, `window` or `misaligned` about a store of one value of up
     * to 8 bytes a lane: 32 of them, of the store's bytes. They take it away. */
    const void *stored; /* else NULL */
    /* Code made with EVENT_PROBE_INIT: memory around the last access that `shadow` was told, all of it
     * written: stays so for the launch, or, of SHARED and LOCAL sites, for the block. 0 bytes: none. */
    uint64_t written_first, written_bytes;
    uint8_t warp_order[32]; /* code made with EVENT_PROBE_ORDER: the block's warps, in the order in which each
                               sweep runs them */
};
enum { JIT_BOUNDS_WRITE = 1 << 16 };

/* Outside names that an object may refer to: the list RUNTIME in engine_load.c (memcpy, memset, fma, fmod,
 * floor ..., half conversions, 128-bit division). Anything else fails to load, by name. */

/* Entry points of a compiled object (C symbol names in the object). */
#define JIT_RUN_SYMBOL "softwarp_run"
/* Run blocks [first, first + count), numbered x fastest, to their end, on the calling thread. */
typedef void (*jit_run_fn)(struct jit_ctx *ctx, uint64_t first, uint64_t count);
#define JIT_STEP_SYMBOL "softwarp_step" /* only in objects made with jit_request.resumable */
/* Run block number `block` on from the state in ctx->frames (zeroed: from its start) until each warp has
 * ended or yielded. Returns 1 when the block has ended. Also in objects with EVENT_PROBE_ACCESS whose warps
 * may stop. */
typedef uint32_t (*jit_step_fn)(struct jit_ctx *ctx, uint64_t block);

/* An address for functions[index] in function pointers: never 0, never a valid data address. */
#define JIT_FUNCTION_TOKEN(index) (((uint64_t)(index) + 1) << 4)
#endif

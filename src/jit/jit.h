/* SPDX-License-Identifier: Apache-2.0 */
/* jit: a flattened PTX function in, relocatable machine code out. The only module that includes llvm-c. It is
 * built as libsoftwarp-jit.so, which engine/ opens with RTLD_LOCAL only when something must be compiled; so
 * this header declares no function that others link against but types, and the one symbol that is looked up.
 */
#ifndef JIT_JIT_H
#define JIT_JIT_H

#include "jit/jit_abi.h"

#include "event/event_counter.h"
#include "ptx/ptx.h"

/* What the warp's 32 lanes are cut into: 2 x 16, 4 x 8 or 8 x 4 lanes of 32 bits. From AVX2 on there is
 * hardware for fma, for halves and for rounding to integers. NEON: AArch64, the others x86-64. */
enum jit_isa { JIT_ISA_SSE2, JIT_ISA_AVX2, JIT_ISA_AVX512, JIT_ISA_NEON, JIT_ISA_COUNT };

struct jit_request {
    const struct ptx_function *entry; /* flattened (ptx_flatten) */
    uint32_t block[3];                /* specialise on these block dimensions; 0,0,0: a generic object */
    enum jit_isa isa;
    bool ice_lake;    /* JIT_ISA_AVX512 with what Ice Lake and Zen 4 added to it; results are the same */
    uint32_t probes;  /* EVENT_PROBE_* */
    bool fast_approx; /* approximate functions of f32: within PTX's bounds, not the hardware's bits */
    struct event_rules rules; /* read when probes are asked for */
    bool resumable;           /* also emit JIT_STEP_SYMBOL */
    bool plain_barriers;      /* test hook: no region loops, the suspension form everywhere */
    bool strict;              /* parameters may be misaligned pointers */
    bool permissions;         /* some memory may be denied to the device: look before each access */
    /* The first tier: compiled fast, runs slower. Results, counters, jit_info and what frames hold are those
     * of the full tier, so that the one's code can go on where the other's stopped. */
    bool quick;
    void (*emitted)(void *user); /* told when `entry` is read no more; NULL: nobody asks */
    void *user;
};

/* Flat: it is stored beside the object in the cache. */
struct jit_info {
    uint32_t frame_bytes;         /* per warp */
    uint32_t local_bytes;         /* per lane; a multiple of 16 */
    uint32_t static_shared_bytes; /* where dynamic shared memory begins, aligned to 16 */
    uint32_t slot_count;
    uint32_t order_dependent, spins; /* float atomics or used atomic results; waiting loops */
    /* [k], bit i: the code relies on the parameters' bytes 8 * i and on to be a multiple of 2 << k */
    uint64_t aligned_params[4];
    /* EVENT_PROBE_BOUNDS: bytes up to the end of the last static shared variable; the code reads where the
     * system's shared memory of a block is */
    uint32_t shared_end, reads_reserved;
    /* EVENT_PROBE_RACE_*: threads order accesses otherwise than by barriers of whole blocks and warps */
    uint32_t orders_apart;
    uint32_t copies_shared; /* bulk copies read shared memory */
    uint32_t asks_alone;    /* it is faster where jit_ctx.alone is set */
};

struct jit_object {
    uint8_t *code; /* ELF64 relocatable; freed with free() */
    uint64_t bytes;
    struct jit_info info;
    struct event_slots *slots; /* one per instruction of request.entry; malloc'ed; NULL without COUNT */
};

/* Exported by libsoftwarp-jit.so. Any thread; one LLVM context per call. SW_UNSUPPORTED names opcode, PTX
 * line, kernel. */
#define JIT_COMPILE_SYMBOL "softwarp_jit_compile"
typedef enum sw_status (*jit_compile_fn)(const struct jit_request *request, struct jit_object *out,
                                         struct sw_error *error);
/* Which headers it was compiled with: must be the engine's SW_JIT_ABI (cmake/Rooms.cmake), or both mean other
 * things by what they hand to each other. */
#define JIT_ABI_SYMBOL "softwarp_jit_abi"
typedef uint64_t (*jit_abi_fn)(void);
#endif

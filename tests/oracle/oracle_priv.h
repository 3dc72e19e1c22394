/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the oracle. Reading order: oracle_run.c (lanes, warps, blocks, scheduling), oracle_control.c
 * (branches, calls), oracle_value.c (operands, memory), oracle_alu.c, oracle_atomic.c,
 * oracle_video.c, oracle_float.c, oracle_cvt.c, oracle_warp.c, oracle_matrix.c. */
#ifndef ORACLE_PRIV_H
#define ORACLE_PRIV_H

#include "oracle.h"

#include <setjmp.h>

struct value {
    uint64_t lo, hi; /* hi: 128-bit types only */
};

/* Where a function's variables stand in a frame. */
struct layout {
    const struct ptx_function *function;
    uint32_t *vars, *params, *returns;
    uint32_t bytes;
};

struct frame {
    struct frame *caller;
    const struct layout *layout;
    const struct ptx_function *function;
    struct value *regs;
    bool *known;       /* which of them were written */
    uint32_t pc, base; /* base: of its variables in the lane's local memory */
};

/* The device: an H200, as exec's launches say. */
enum { SM_COUNT = 132, WARPS_PER_SM = 64, RESERVED_SHARED = 1024 };

enum { NOT_WAITING = -1, BARRIERS = 17, CLUSTER_BARRIER = 16, LOCAL_BYTES = 64 << 10 };

struct lane {
    struct frame *frame; /* NULL: exited */
    uint32_t depth;      /* frames */
    uint8_t *local, *local_known;
    uint32_t local_used;
    uint32_t index, tid[3];
    bool carry;      /* the condition code register */
    int waiting;     /* barrier number */
    bool in_cluster; /* has arrived at the cluster's barrier, and the phase is not over */
    uint32_t wait_count;
    bool wait_predicate;
};

struct block;
struct warp {
    struct lane lanes[32];
    uint32_t count, index; /* lanes that exist */
    uint64_t steps;
    uint32_t arrivals[BARRIERS]; /* by bar.arrive, in threads */
    struct block *block;
};

struct block {
    struct oracle *oracle;
    struct warp *warps;
    uint32_t warp_count, ctaid[3];
    uint8_t *shared, *shared_known;
    uint32_t barriers; /* that were passed */
    bool ended;
};

struct oracle {
    const struct oracle_launch *launch;
    const struct ptx_function *entry;
    struct sw_error error;
    jmp_buf failed;
    uint64_t ticks, steps;
    struct map layouts, shared_offsets;                           /* by function; by variable, offset + 1 */
    uint32_t shared_bytes, static_shared_bytes, own_shared_bytes; /* own: without what the system has */
    struct arena arena;
    uint32_t workspace[2]; /* of cooperative_groups' grid barrier */
};

/* The lane that executes, and where. */
struct exec {
    struct oracle *oracle;
    struct block *block;
    struct warp *warp;
    struct lane *lane;
    const struct ptx_instr *instr;
};

_Noreturn void oracle_fail(struct oracle *oracle, enum sw_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void oracle_unsupported(struct exec *exec);

/* oracle_value.c */
struct value oracle_read(struct exec *exec, const struct ptx_operand *operand, enum isa_type type);
uint64_t oracle_get(struct exec *exec, unsigned operand,
                    enum isa_type type); /* low 64 bits, as zero-extended type */
void oracle_set(struct exec *exec, unsigned operand, enum isa_type type, uint64_t value);
void oracle_write(struct exec *exec, const struct ptx_operand *operand, enum isa_type type,
                  struct value value);
void oracle_write_reg(struct exec *exec, uint32_t reg, uint64_t value);
uint64_t oracle_address_of(struct exec *exec, const struct ptx_var *var);
uint8_t *oracle_pointer(struct exec *exec, const struct ptx_operand *operand, enum ptx_space space);
uint64_t oracle_mask(uint64_t value, unsigned bits);
int64_t oracle_signed(uint64_t value, unsigned bits);
uint64_t oracle_extend(uint64_t value,
                       enum isa_type type); /* from the type's width to 64, by its signedness */
uint64_t oracle_sreg(struct exec *exec, enum isa_sreg sreg);
void oracle_load(struct exec *exec);
void oracle_store(struct exec *exec);

/* oracle_watch.c: nothing without a watch */
void oracle_watch_begin(void);
void oracle_watch_known(struct exec *exec, uint32_t reg); /* it is written */
void oracle_watch_read(struct exec *exec, uint32_t reg);
void oracle_watch_address(struct exec *exec); /* a value is taken that differs in compiled code */
void oracle_watch_undefined(struct exec *exec, const char *why);
void oracle_watch_local(struct exec *exec, const void *at, uint64_t bytes, bool writes);
void oracle_watch_access(struct exec *exec, const struct ptx_operand *operand, const uint8_t *at);

/* oracle_async.c */
void oracle_copy_async(struct exec *exec);
void oracle_mbarrier(struct exec *exec);
void oracle_store_async(struct exec *exec);   /* red.async too */
bool oracle_cluster_query(struct exec *exec); /* mapa, getctarank; false: not one */

/* oracle_alu.c: false when the opcode is not one of its own */
bool oracle_alu(struct exec *exec);
/* oracle_video.c */
bool oracle_video(struct exec *exec);
/* oracle_atomic.c */
void oracle_atomic(struct exec *exec);

/* oracle_float.c */
enum round { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY };
bool oracle_is_float(enum isa_type type);
enum isa_type oracle_half_of(enum isa_type type); /* F16X2: F16; other: NONE */
bool oracle_float(struct exec *exec);             /* arithmetic on floats; false: not its opcode */
double oracle_to_double(uint64_t bits, enum isa_type type);
/* exact: a double that is rounded to odd, or exact. */
uint64_t oracle_from_double(double exact, enum isa_type type, enum round round, bool saturate_finite);
uint64_t oracle_flush(uint64_t bits, enum isa_type type); /* subnormal to zero */
double oracle_flush_exact(double exact, enum isa_type type,
                          enum round round); /* of a result yet to be rounded */
uint64_t oracle_nan(enum isa_type type);
bool oracle_is_nan(uint64_t bits, enum isa_type type);
enum round oracle_round_mode(const struct ptx_instr *instr);
uint64_t oracle_float_add(uint64_t a, uint64_t b, enum isa_type type);
/* rcp, sqrt, rsqrt, div, ex2, lg2, sin, cos and tanh with .approx or .full; v: operands, already flushed for
 * .ftz */
uint64_t oracle_approximate(const struct ptx_instr *instr, enum isa_type type, const uint64_t v[3]);
uint64_t oracle_float_minmax(uint64_t a, uint64_t b, enum isa_type type, bool max, bool nan);
int oracle_float_compare(uint64_t a, uint64_t b, enum isa_type type, bool ftz); /* -1 0 1; 2: unordered */

/* oracle_cvt.c */
void oracle_cvt(struct exec *exec);

/* oracle_warp.c: these see all lanes that execute together */
bool oracle_is_warp_op(const struct ptx_instr *instr);
lane_mask oracle_members(struct exec *exec); /* lanes that must come together; 0: whoever is here */
bool oracle_same_kind(const struct ptx_instr *a, const struct ptx_instr *b);
void oracle_warp(struct exec *exec, lane_mask active);

/* oracle_matrix.c: likewise; all lanes of the warp */
bool oracle_is_matrix_op(const struct ptx_instr *instr);
void oracle_matrix(struct exec *exec);

/* oracle_control.c */
const struct layout *oracle_layout(struct oracle *oracle, const struct ptx_function *function);
void oracle_enter(struct exec *exec, const struct ptx_function *function, struct frame *caller);
bool oracle_control(struct exec *exec); /* branches, calls, barriers; moves the lane itself; false: not one */
#endif

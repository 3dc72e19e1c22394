/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of memory: jit_emit_memory.c, jit_emit_outline.c, jit_emit_align.c, jit_emit_permissions.c,
 * jit_emit_combine.c, jit_emit_stride.c, jit_emit_near.c, jit_emit_in_line.c, jit_emit_ahead.c,
 * jit_emit_prefetch.c. */
#ifndef JIT_MEMORY_PRIV_H
#define JIT_MEMORY_PRIV_H

#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"

void jit_access_vector(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS]);
LLVMValueRef jit_join_two(struct jit *jit, LLVMValueRef a, LLVMValueRef b); /* a's elements, then b's */
void jit_access_any(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                    const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS]);
/* Accesses of any addresses lane by lane (jit_emit_in_line.c), and the number of them that a lane makes. */
void jit_in_line_access(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                        const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS]);
unsigned jit_in_line_groups(const struct jit_access *access);
/* Accesses of elements side by side by several instructions (jit_emit_ahead.c): those that are made with the
 * first or the last one, by element; one of them is `instr` itself. */
struct jit_run {
    unsigned count; /* at most 8 */
    uint32_t instr[8];
    int64_t before; /* bytes from the first element to that of the instruction that asked */
};
bool jit_ahead_find(struct jit *jit, const struct ptx_instr *instr, const struct jit_access *access,
                    const struct jit_address *address, struct jit_run *out);
void jit_ahead_keep(struct jit *jit, const struct jit_run *run, LLVMValueRef (*parts)[JIT_MAX_PARTS]);
/* A store: made alone, or with a later one, or with those before it, whose values `parts` gets, too. */
enum jit_behind { JIT_BEHIND_ALONE, JIT_BEHIND_KEPT, JIT_BEHIND_LAST };
enum jit_behind jit_behind_keep(struct jit *jit, const struct ptx_instr *instr,
                                const struct jit_access *access, const struct jit_address *address,
                                struct jit_run *run, LLVMValueRef (*parts)[JIT_MAX_PARTS]);
/* What was loaded for this instruction; false: nothing was. */
bool jit_ahead_take(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef *parts);
/* A load of global memory without a gap (jit_emit_prefetch.c). at: of lane 0, or of each row's first lane. */
void jit_prefetch_next(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       LLVMValueRef *at);
/* A constant stride that is not the size, of all lanes (jit_emit_stride.c). at: lane 0's. */
bool jit_stride_is_vector(const struct jit *jit, const struct jit_access *access,
                          const struct jit_address *address);
void jit_stride_part(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                     LLVMValueRef at, unsigned p, LLVMValueRef *part);
/* Lanes near each other (jit_emit_near.c). at: the address's value as vectors. */
struct jit_near_group {
    LLVMValueRef first,
        span; /* the first vector's address and, of a load, the last's less it; perhaps in each lane */
    LLVMValueRef index; /* of each lane's element from the first on */
};
struct jit_near {
    struct jit_near_group groups[JIT_MAX_PARTS];
};
bool jit_near_fits(const struct jit *jit, const struct jit_access *access);
/* i1: it may be so, as few lanes show. What is far apart costs no more. */
LLVMValueRef jit_near_ends(struct jit *jit, const struct jit_access *access,
                           const struct jit_address *address, const LLVMValueRef *at);
/* i1: it is so. */
LLVMValueRef jit_near_test(struct jit *jit, const struct jit_access *access,
                           const struct jit_address *address, const struct jit_lanes *lanes,
                           const LLVMValueRef *at, struct jit_near *near);
void jit_near_access(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                     const struct jit_lanes *lanes, const struct jit_near *near,
                     LLVMValueRef (*parts)[JIT_MAX_PARTS]);
/* Call a helper (its place in struct jit_helpers) of (ctx, addresses of the lanes, mask, what, PTX line). */
void jit_address_call(struct jit *jit, size_t helper, const struct jit_address *address,
                      const struct jit_lanes *lanes, unsigned what);
void jit_align_check(struct jit *jit, const struct ptx_operand *operand, const struct jit_address *address,
                     const struct jit_lanes *lanes, unsigned bytes);
/* Memory that the device may not reach (jit_emit_permissions.c). */
void jit_permissions_check(struct jit *jit, const struct ptx_operand *operand,
                           const struct jit_address *address, const struct jit_lanes *lanes, unsigned bytes,
                           enum jit_denied need);
void jit_permissions_line(struct jit *jit);
/* Bounds of memory (jit_emit_bounds.c); nothing without the probe. `operand` is what `address` was made of.
 */
void jit_bounds_check(struct jit *jit, const struct ptx_operand *operand, const struct jit_address *address,
                      const struct jit_lanes *lanes, unsigned bytes, bool writes);
/* Before helpers that say what is wrong with a store, where they are called only: the values, jit->stored. */
void jit_bounds_value(struct jit *jit);
/* What a site remembers of memory: i64 each, in memory of the function. room: bytes from the first one on at
 * which an access may begin, less one. */
struct jit_range {
    LLVMValueRef first, room;
};
struct jit_range jit_range_new(struct jit *jit); /* empty when a launch's part begins */
/* i1: do all lanes' accesses begin in it? */
LLVMValueRef jit_range_has(struct jit *jit, const struct jit_range *range, const struct jit_address *address,
                           const struct jit_lanes *lanes);
/* from: where struct jit_ctx has the first address, and behind it the number of bytes. */
void jit_range_remember(struct jit *jit, const struct jit_range *range, size_t from, unsigned bytes);
/* i1: no lane that takes part has its bit set (<n x i1>). */
LLVMValueRef jit_no_lane(struct jit *jit, LLVMValueRef *parts, const struct jit_lanes *lanes);
/* A read of which each lane makes the first so many bytes (<n x i32>, at most `bytes`). */
void jit_bounds_check_some(struct jit *jit, const struct jit_address *address, const struct jit_lanes *lanes,
                           unsigned bytes, LLVMValueRef *some);
/* Its alignment, too, which without the probe is not looked at for copies and matrices. */
void jit_bounds_check_copy(struct jit *jit, const struct ptx_operand *operand,
                           const struct jit_address *address, const struct jit_lanes *lanes, unsigned bytes,
                           bool writes);
/* Where what is valid is known when code is emitted; false: it is not (jit_emit_window.c). */
bool jit_window_check(struct jit *jit, const struct ptx_operand *operand, const struct jit_address *address,
                      const struct jit_lanes *lanes, unsigned bytes, bool writes);
/* Is it past the variable that the operand names? */
bool jit_window_is_past(const struct jit *jit, const struct ptx_operand *operand, unsigned bytes);

void jit_access_lanes(struct jit *jit, const struct jit_access *access, LLVMValueRef addresses,
                      int64_t offset, LLVMValueRef mask, LLVMValueRef *parts);
/* Has the machine an instruction for it? */
bool jit_has_gather(const struct jit *jit, const struct jit_access *access);
bool jit_access_is_whole(const struct jit_access *access); /* the vector is one access */
void jit_access_whole(struct jit *jit, const struct jit_access *access, LLVMValueRef addresses,
                      LLVMValueRef mask, LLVMValueRef (*parts)[JIT_MAX_PARTS]);
void jit_whole_load(struct jit *jit, LLVMBuilderRef builder, const struct jit_access *access,
                    LLVMValueRef pointer, LLVMValueRef *elements);
void jit_whole_store(struct jit *jit, LLVMBuilderRef builder, const struct jit_access *access,
                     LLVMValueRef pointer, LLVMValueRef *elements);

/* May it wait in the queue of stores? */
bool jit_combine_may_join(const struct jit *jit, const struct jit_access *access,
                          const struct jit_address *address);
void jit_combine_check_load(struct jit *jit, const struct jit_access *access,
                            const struct jit_address *address);
bool jit_combine_store(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       const struct jit_lanes *lanes, LLVMValueRef (*values)[JIT_MAX_PARTS]);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses (jit_emit_address.c). */
#ifndef JIT_ADDRESS_H
#define JIT_ADDRESS_H

#include "jit/core/jit_core.h"

struct jit_address {
    enum ptx_space space;
    struct jit_value value; /* without a base: host addresses, 64 bits; with one: offsets, 32 bits */
    LLVMValueRef base;      /* ptr, or NULL */
    int64_t offset;
    bool constant;   /* nothing writes there while the kernel runs */
    bool may_be_low; /* shared: the offset is not known not to be negative */
};
struct jit_access {              /* what each lane moves */
    unsigned bits, bytes, count; /* of an element; elements */
    LLVMAtomicOrdering order;
    bool is_store;
    bool likely; /* the address is a vector, but often without a gap from lane to lane */
    bool run;    /* elements are of several instructions: what is without a gap is each of them */
};
struct jit_address jit_address_in(struct jit *jit, enum ptx_space space, const struct ptx_operand *operand);
struct jit_address jit_address_of(struct jit *jit, const struct ptx_instr *instr,
                                  const struct ptx_operand *operand);
LLVMValueRef jit_address_scalar(struct jit *jit, const struct jit_address *address, int64_t offset); /* ptr */
LLVMValueRef jit_address_row(struct jit *jit, const struct jit_address *address, unsigned row);      /* ptr */
LLVMValueRef jit_address_part(struct jit *jit, const struct jit_address *address, LLVMValueRef *parts,
                              unsigned p, int64_t offset); /* <n x ptr> */
void jit_address_lanes(struct jit *jit, const struct jit_address *address,
                       LLVMValueRef *parts); /* <n x i64> */
struct jit_value jit_var_address(struct jit *jit, const struct ptx_var *var, int64_t offset);
LLVMValueRef jit_symbol(struct jit *jit, uint32_t index);
LLVMValueRef jit_call_var(struct jit *jit, const struct ptx_var *var, uint64_t *stride);
LLVMValueRef jit_is_shared(struct jit *jit, LLVMValueRef address, bool vector);
LLVMValueRef jit_is_local(struct jit *jit, LLVMValueRef address, bool vector);
LLVMValueRef jit_in_range(struct jit *jit, LLVMValueRef address, LLVMValueRef base, LLVMValueRef bytes,
                          bool vector);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The seam inside jit/ between control (blocks, masks, registers, addresses, barriers, calls, probes) and
 * operations (what one instruction computes: jit_op_*.c). Operations see values, never registers or memory
 * layout.
 *
 * Values are canonical: a PTX value of N bits is iN (pred: i1; f16 is i16, f32 is i32, f64 is i64, f16x2 is
 * i32 ...); floats are bitcast inside the operation. A value is a scalar when it is uniform, otherwise
 * `parts` vectors of `lanes` elements, lane 0 of the warp being element 0 of part 0. */
#ifndef JIT_OPS_H
#define JIT_OPS_H

#include "jit/jit.h"
#include <llvm-c/Core.h>

enum { JIT_MXCSR_DEFAULT = 0x1f80, JIT_MXCSR_FLUSH = 0x9fc0 }; /* masked exceptions; FTZ and DAZ */
enum { JIT_MAX_PARTS = 8, JIT_MAX_ROWS = JIT_MAX_PARTS, JIT_MAX_SOURCES = 8 };

struct jit_part { /* where and how wide to emit */
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    unsigned lanes; /* 1: scalars; otherwise the elements of each vector: 4, 8 or 16 */
    unsigned parts; /* 32 / lanes of the machine's cut; meaningful for warp operations */
    enum jit_isa isa;
    bool mxcsr_flushes; /* denormals are flushed anyhow */
    bool plain_nans;    /* no NaN of f64 has a payload of its own: results need not choose */
    bool fast_approx;   /* approximate functions of f32 within PTX's bounds; else with the hardware's bits */
    LLVMValueRef ctx;   /* ptr to struct jit_ctx */
    const struct ptx_function *function; /* for messages */
};

/* Elementwise operations: ALU class but mov of addresses, cvta, and special registers (control does those).
 * Emits one part. src[i]: the source operands in written order (carry-in of addc/subc/madc: one more source,
 * i1, at the end), each iN or <lanes x iN> where N is the width of the instruction's type for that operand.
 * dst[0]: result; dst[1]: second destination (setp p|q), or the carry-out (i1) of .cc forms. SW_UNSUPPORTED
 * with opcode and PTX line when the form is not supported. */
enum sw_status jit_op_elementwise(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef *src,
                                  unsigned count, LLVMValueRef dst[2], struct sw_error *error);
/* Is the form done? Without emitting; asked for every instruction before a kernel is compiled. */
bool jit_op_elementwise_supported(const struct ptx_instr *instr);
/* Width of source i and of destination k of an elementwise instruction; 0: there is none. Sources of other
 * widths are zero-extended or truncated to this, and scalars spread over the lanes. */
unsigned jit_op_source_bits(const struct ptx_instr *instr, unsigned i);
unsigned jit_op_dest_bits(const struct ptx_instr *instr, unsigned k);

/* Operations across the lanes of a warp: shfl, vote, match, redux, activemask, elect, mma and wmma.mma (a
 * source, and a result, is one register of a fragment). src[i * parts + p], dst[k * parts + p]: vectors,
 * always. active[p]: <lanes x i1>, lanes that execute it (mask and guard). */
enum sw_status jit_op_warp(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef *src,
                           unsigned count, LLVMValueRef *active, LLVMValueRef *dst, struct sw_error *error);
bool jit_op_warp_supported(const struct ptx_instr *instr);

/* Where an atomic operation takes place: shared memory (is_shared) belongs to one host thread and needs no
 * host atomics. shared and shared_bytes, i64: the block's shared memory where the address is generic, else
 * NULL; sums of floats are other ones there. alone, i1: no other host thread runs code of the device, so that
 * no memory needs them; NULL: that is not asked. one_address: it is the same in all lanes. */
struct jit_atomic_where {
    bool is_shared, one_address;
    LLVMValueRef shared, shared_bytes, alone;
};

/* atom and red. address[p]: <lanes x i64>, host addresses; value operands as above. Lanes take effect in lane
 * order. dst: what was there; NULL: nobody reads it. */
enum sw_status jit_op_atomic(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef *address,
                             LLVMValueRef *src, unsigned count, LLVMValueRef *active,
                             const struct jit_atomic_where *where, LLVMValueRef *dst, struct sw_error *error);
/* The same where lanes have addresses of their own: out[p], what memory holds then, of old[p]. */
enum sw_status jit_op_atomic_apart(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef *old,
                                   LLVMValueRef *src, unsigned count, const struct jit_atomic_where *where,
                                   LLVMValueRef *out, struct sw_error *error);
bool jit_op_atomic_supported(const struct ptx_instr *instr);

/* Type of one canonical value of `bits` bits at this part's width. */
LLVMTypeRef jit_part_type(const struct jit_part *part, unsigned bits);
LLVMValueRef jit_part_const(const struct jit_part *part, unsigned bits, uint64_t value);
#endif

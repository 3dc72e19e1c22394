/* SPDX-License-Identifier: Apache-2.0 */
/* One atomic operation while it is emitted: jit_op_atomic.c, jit_op_atomic_value.c. */
#ifndef JIT_OP_ATOMIC_PRIV_H
#define JIT_OP_ATOMIC_PRIV_H

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

struct atomic {
    struct jit_part *part;
    const struct ptx_instr *instr;
    LLVMValueRef *address, *src, *active, *dst; /* dst NULL: nobody reads what was there */
    unsigned count;                             /* of operands: 1, or 2 for cas */
    const struct jit_atomic_where *where;
    jv in_shared; /* of a sum of floats at a generic address: is this lane's in shared memory? else NULL */
    enum isa_mod what;
    enum isa_type type;
    unsigned bytes;
};

/* What memory holds after the operation, of what it held and the operands (c: of cas): scalars or vectors. */
jv jit_atomic_changed(const struct atomic *a, jv old, jv b, jv c);
#endif

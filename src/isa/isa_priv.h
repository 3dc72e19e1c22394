/* SPDX-License-Identifier: Apache-2.0 */
/* Private to isa/: rows of the opcode table. */
#ifndef ISA_PRIV_H
#define ISA_PRIV_H

#include "isa/isa.h"

/* What stands in the table where the other words of an instruction decide. */
enum { ISA_UNIT_TYPE = ISA_UNIT_COUNT, ISA_ACCESS_WMMA = ISA_ACCESS_BOTH + 1 };

struct isa_op_row {
    const char *name;
    uint8_t dests, cls, unit, access;
};
extern const struct isa_op_row isa_ops[ISA_OP_COUNT];
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* isa: what a PTX instruction is, in types. The parser makes them, and everything behind it asks them: the
 * compiler, the events, the models and the reports. Text of instructions is for people. */
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include "base/base.h"

#include <stdbool.h>

/* ---- tables: isa_types.def, isa_ops.def, isa_mods.def, isa_sregs.def */

/* Fundamental and packed types. */
enum isa_type {
    ISA_TYPE_NONE,
#define TYPE(id, name, bits, kind) ISA_##id,
#include "isa/isa_types.def"
#undef TYPE
    ISA_TYPE_COUNT
};
enum isa_type_kind {
    ISA_KIND_NONE,
    ISA_KIND_BITS,
    ISA_KIND_UINT,
    ISA_KIND_SINT,
    ISA_KIND_FLOAT,
    ISA_KIND_PRED,
    ISA_KIND_OPAQUE
};
unsigned isa_type_bits(enum isa_type type); /* of one whole value: F16X2 is 32; PRED is 1 */
enum isa_type_kind isa_type_kind(enum isa_type type);
unsigned isa_type_lanes(enum isa_type type);   /* values that it packs: F16X2 is 2 */
const char *isa_type_name(enum isa_type type); /* "u32", no dot */

/* Opcodes: the first word of the mnemonic. */
enum isa_op {
    ISA_OP_UNKNOWN, /* not in the table: ptx_instr.text holds it; refused at compile time */
#define OP(id, ...) ISA_OP_##id,
#include "isa/isa_ops.def"
#undef OP
    ISA_OP_COUNT
};
/* What an instruction does, as far as counting goes. */
enum isa_class {
    ISA_CLASS_ALU,
    ISA_CLASS_WARP,
    ISA_CLASS_LOAD,
    ISA_CLASS_STORE,
    ISA_CLASS_ATOMIC,
    ISA_CLASS_COPY,
    ISA_CLASS_TEXTURE,
    ISA_CLASS_BRANCH,
    ISA_CLASS_CALL,
    ISA_CLASS_EXIT,
    ISA_CLASS_BARRIER,
    ISA_CLASS_FENCE,
    ISA_CLASS_MBARRIER,
    ISA_CLASS_MATRIX,
    ISA_CLASS_CONTROL,
    ISA_CLASS_COUNT
};
/* What kind of work an instruction is (ncu's op_fp32, op_integer ...). */
enum isa_unit {
    ISA_UNIT_OTHER,
    ISA_UNIT_FP16,
    ISA_UNIT_FP32,
    ISA_UNIT_FP64,
    ISA_UNIT_INTEGER,
    ISA_UNIT_BIT,
    ISA_UNIT_CONVERT,
    ISA_UNIT_CONTROL,
    ISA_UNIT_MEMORY,
    ISA_UNIT_INTER_THREAD,
    ISA_UNIT_COUNT
};
/* What an instruction does to memory. ADDRESS: it names a place without reading or writing for itself. */
enum isa_access { ISA_ACCESS_NONE, ISA_ACCESS_ADDRESS, ISA_ACCESS_READ, ISA_ACCESS_WRITE, ISA_ACCESS_BOTH };
/* Where an access goes. */
enum isa_space {
    ISA_SPACE_NONE,
    ISA_SPACE_GENERIC,
    ISA_SPACE_GLOBAL,
    ISA_SPACE_SHARED,
    ISA_SPACE_LOCAL,
    ISA_SPACE_CONST,
    ISA_SPACE_PARAM,
    ISA_SPACE_COUNT
};
enum isa_flop { ISA_FLOP_NONE, ISA_FLOP_ADD, ISA_FLOP_MUL, ISA_FLOP_FMA };
const char *isa_op_name(enum isa_op op);
unsigned isa_op_dests(enum isa_op op); /* the table's column, before exceptions */
enum isa_class isa_op_class(enum isa_op op);

/* Modifiers: every other dotted word of a mnemonic but the types. */
enum isa_mod {
    ISA_MOD_NONE,
#define MOD(id, text, category) ISA_MOD_##id,
#include "isa/isa_mods.def"
#undef MOD
    ISA_MOD_COUNT
};
/* At most one modifier of a category other than FLAG, SUB and SHAPE stands on an instruction; where PTX
 * writes two state spaces (cp.async) the first is SPACE and the second SPACE2. */
enum isa_mod_category {
    ISA_CAT_NONE,
    ISA_CAT_SPACE, /* .global .shared .local .const .param ...: see isa_written_space */
    ISA_CAT_SPACE2,
    ISA_CAT_ROUND,   /* .rn .rz .rm .rp .rna .rs, .rni .rzi .rmi .rpi */
    ISA_CAT_COMPARE, /* .eq .ne .lt ... .nan .num */
    ISA_CAT_BOOL,    /* .and .or .xor of setp/set (BOOL comes after COMPARE); of atom/red/redux: SUB */
    ISA_CAT_VECTOR,  /* .v2 .v4 .v8 */
    ISA_CAT_SUB, /* what the opcode does: .add .min .exch .cas .up .down .bfly .idx .all .any .uni .ballot .lo
                    .hi .wide .l .r .wrap .clamp .b4e ... */
    ISA_CAT_CACHE, /* .ca .cg .cs .lu .cv .wb .wt */
    ISA_CAT_SEM,   /* .weak .volatile .relaxed .acquire .release .acq_rel .sc .mmio */
    ISA_CAT_SCOPE, /* .cta .cluster .gpu .sys; .gl of membar */
    ISA_CAT_HINT,  /* eviction priorities, .L2::128B ... : no effect on results */
    ISA_CAT_SHAPE, /* .m16n16k16 .row .col .aligned ... of matrix instructions */
    ISA_CAT_FLAG,  /* .ftz .sat .satfinite .relu .approx .full .cc .nc .uni .sync .noftz .xorsign .abs .NaN
                      .cta_group ... */
    ISA_CAT_COUNT
};
const char *isa_mod_text(enum isa_mod mod); /* without the dot */
enum isa_mod_category isa_mod_category(enum isa_mod mod);
/* A few words mean different things on different opcodes; isa_mod_category gives the usual meaning. */
enum isa_mod_category isa_category_on(enum isa_op op, enum isa_mod mod);

/* Special registers, one for each component: %tid.x is ISA_SREG_TID_X. */
enum isa_sreg {
    ISA_SREG_NONE,
#define SREG(id, name, type, kind) ISA_SREG_##id,
#include "isa/isa_sregs.def"
#undef SREG
    ISA_SREG_COUNT
};
/* What a special register says, whichever its component and width. */
enum isa_sreg_kind {
    ISA_READS_NONE,
    ISA_READS_TID,
    ISA_READS_NTID,
    ISA_READS_CTAID,
    ISA_READS_NCTAID,
    ISA_READS_CLUSTER, /* the cluster's place, and the block's within it */
    ISA_READS_NCLUSTER,
    ISA_READS_LANE,
    ISA_READS_LANEMASK,
    ISA_READS_WARP,
    ISA_READS_NWARP,
    ISA_READS_SM,
    ISA_READS_NSM,
    ISA_READS_CLOCK,
    ISA_READS_TIMER,
    ISA_READS_SHARED, /* sizes and places of shared memory */
    ISA_READS_GRID,
    ISA_READS_GRAPH,
    ISA_READS_ENVIRONMENT,
    ISA_READS_COUNTER,
    ISA_READS_COUNT
};
const char *isa_sreg_name(enum isa_sreg sreg);
enum isa_type isa_sreg_type(enum isa_sreg sreg);
enum isa_sreg_kind isa_sreg_kind(enum isa_sreg sreg);
bool isa_sreg_is_clock(enum isa_sreg sreg); /* differs from one read to the next */

enum isa_word_kind { ISA_WORD_NONE, ISA_WORD_TYPE, ISA_WORD_MOD };
struct isa_word {
    enum isa_word_kind kind;
    unsigned id; /* enum isa_type or enum isa_mod */
};
/* A dotted word of a mnemonic, without its dot. */
struct isa_word isa_word_find(const char *text, size_t length);
enum isa_op isa_op_find(const char *text, size_t length); /* ISA_OP_UNKNOWN: not in the table */
enum isa_sreg isa_sreg_find(const char *text, size_t length);

/* ---- operands: the kinds; struct ptx_operand and struct event_operand have them */

enum isa_operand_kind {
    ISA_OPD_NONE,
    ISA_OPD_SINK,  /* _ */
    ISA_OPD_REG,   /* reg; negate: !%p */
    ISA_OPD_PAIR,  /* reg | reg2, e.g. setp and shfl; either may be left out for _ */
    ISA_OPD_SREG,  /* sreg */
    ISA_OPD_INT,   /* bits: integer immediate, two's complement, 64 bits */
    ISA_OPD_FLOAT, /* bits: IEEE double bits of 1.5 or 0d...; is_f32: written 0f..., low 32 bits are the f32's
                    */
    ISA_OPD_VAR,   /* address of var (+ offset): mov, ld, cvta */
    ISA_OPD_FUNC,  /* function */
    ISA_OPD_LABEL, /* target: index of the instruction a label stands before */
    ISA_OPD_MEM,   /* [base + offset]: base is reg, var or absolute (no reg and no var); what
                      follows inside the brackets after a comma (texture coordinates) is in elements, count */
    ISA_OPD_VEC,   /* {a, b, ...}: elements, count; reg2 for {...}|p */
    ISA_OPD_LIST,  /* (a, b): call parameters */
    ISA_OPD_PROTO, /* .callprototype / .calltargets / .branchtargets label: table */
};
enum { ISA_OPERAND_KINDS = ISA_OPD_PROTO + 1 };

/* ---- instructions: the words of a mnemonic */

enum { ISA_MAX_MODS = 14, ISA_MAX_TYPES = 5 };
/* The fields of struct isa_instr, which struct ptx_instr has as its own, too.
 * mods: enum isa_mod, in written order; types: enum isa_type, in written order; word_mask: how they were
 * interleaved: bit i set = i-th word is a type. */
#define ISA_INSTR_FIELDS                                                                                     \
    enum isa_op op;                                                                                          \
    uint8_t mod_count, type_count;                                                                           \
    uint8_t types[ISA_MAX_TYPES];                                                                            \
    uint16_t mods[ISA_MAX_MODS];                                                                             \
    uint32_t word_mask
struct isa_instr {
    ISA_INSTR_FIELDS;
};

/* The next word after the opcode, without its dot. false: no table has it, or there are too many words. */
bool isa_add_word(struct isa_instr *instr, const char *text, size_t length);
/* What the words say together: "st.async" is an opcode of its own. */
void isa_finish_words(struct isa_instr *instr);
/* "ld.global.f32": what the parser makes of the same words. false, and ISA_OP_UNKNOWN: they are not PTX. */
bool isa_read(const char *mnemonic, struct isa_instr *out);

bool isa_has(const struct isa_instr *instr, enum isa_mod mod);
bool isa_has_type(const struct isa_instr *instr, enum isa_type type);
bool isa_has_kind(const struct isa_instr *instr, enum isa_type_kind kind); /* of any of its types */
/* First modifier of that category, ISA_MOD_NONE when there is none. */
enum isa_mod isa_mod_of(const struct isa_instr *instr, enum isa_mod_category category);
static inline enum isa_type isa_type_at(const struct isa_instr *instr, unsigned i)
{
    return i < instr->type_count ? (enum isa_type)instr->types[i] : ISA_TYPE_NONE;
}
unsigned isa_vector_count(const struct isa_instr *instr); /* 1, 2, 4, 8 */
/* The n-th state space that is written, from 0: its modifier, and where that is; GENERIC when there is none.
 */
enum isa_mod isa_space_word(const struct isa_instr *instr, unsigned n);
enum isa_space isa_written_space(const struct isa_instr *instr, unsigned n);

/* ---- what an instruction is worth (isa_classify.c) */

enum isa_unit isa_unit_of(const struct isa_instr *instr);
enum isa_flop isa_flop_of(const struct isa_instr *instr);
enum isa_access isa_access_of(const struct isa_instr *instr);
enum isa_space isa_space_of(const struct isa_instr *instr); /* of the access; of cp.async the global side */
/* Memory: bytes a lane moves; 0 where the words do not say (copies, textures). */
unsigned isa_bytes_of(const struct isa_instr *instr);
#endif

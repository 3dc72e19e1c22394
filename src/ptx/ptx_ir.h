/* SPDX-License-Identifier: Apache-2.0 */
/* The PTX intermediate representation: what the text says, with names resolved and registers numbered. */
#ifndef PTX_IR_H
#define PTX_IR_H

#include "base/base.h"

#include <stdbool.h>

/* ---- tables: ptx_types.def, ptx_ops.def, ptx_mods.def, ptx_sregs.def
 * ---------------------------------------- */

/* Fundamental and packed types. TYPE(ID, "name", bits, class). */
enum ptx_type {
    PTX_TYPE_NONE,
#define TYPE(id, name, bits, cls) PTX_##id,
#include "ptx/ptx_types.def"
#undef TYPE
    PTX_TYPE_COUNT
};
enum ptx_type_class {
    PTX_CLASS_NONE,
    PTX_CLASS_BITS,
    PTX_CLASS_UINT,
    PTX_CLASS_SINT,
    PTX_CLASS_FLOAT,
    PTX_CLASS_PRED,
    PTX_CLASS_OPAQUE
};
unsigned ptx_type_bits(enum ptx_type type); /* of one whole value: F16X2 is 32; PRED is 1 */
enum ptx_type_class ptx_type_class(enum ptx_type type);
const char *ptx_type_name(enum ptx_type type); /* "u32", no dot */

/* Opcodes: the first word of the mnemonic. OP(ID, "name", signature, event class, ...): see ptx_ops.def. */
enum ptx_op {
    PTX_OP_UNKNOWN, /* not in the table: instr.text holds it; refused at compile time */
#define OP(id, ...) PTX_OP_##id,
#include "ptx/ptx_ops.def"
#undef OP
    PTX_OP_COUNT
};
const char *ptx_op_name(enum ptx_op op);

/* Modifiers: every other dotted word of a mnemonic but the types. MOD(ID, "text", CATEGORY). */
enum ptx_mod {
    PTX_MOD_NONE,
#define MOD(id, text, category) PTX_MOD_##id,
#include "ptx/ptx_mods.def"
#undef MOD
    PTX_MOD_COUNT
};
/* At most one modifier of a category other than FLAG, SUB and SHAPE stands on an instruction; where PTX
 * writes two state spaces (cp.async) the first is SPACE and the second SPACE2. */
enum ptx_mod_category {
    PTX_CAT_NONE,
    PTX_CAT_SPACE, /* .global .shared .local .const .param ...: see enum ptx_space */
    PTX_CAT_SPACE2,
    PTX_CAT_ROUND,   /* .rn .rz .rm .rp .rna .rs, .rni .rzi .rmi .rpi */
    PTX_CAT_COMPARE, /* .eq .ne .lt ... .nan .num */
    PTX_CAT_BOOL,    /* .and .or .xor of setp/set (BOOL comes after COMPARE); of atom/red/redux: SUB */
    PTX_CAT_VECTOR,  /* .v2 .v4 .v8 */
    PTX_CAT_SUB, /* what the opcode does: .add .min .exch .cas .up .down .bfly .idx .all .any .uni .ballot .lo
                    .hi .wide .l .r .wrap .clamp .b4e ... */
    PTX_CAT_CACHE, /* .ca .cg .cs .lu .cv .wb .wt */
    PTX_CAT_SEM,   /* .weak .volatile .relaxed .acquire .release .acq_rel .sc .mmio */
    PTX_CAT_SCOPE, /* .cta .cluster .gpu .sys; .gl of membar */
    PTX_CAT_HINT,  /* eviction priorities, .L2::128B ... : no effect on results */
    PTX_CAT_SHAPE, /* .m16n16k16 .row .col .aligned ... of matrix instructions */
    PTX_CAT_FLAG,  /* .ftz .sat .satfinite .relu .approx .full .cc .nc .uni .sync .noftz .xorsign .abs .NaN
                      .cta_group ... */
    PTX_CAT_COUNT
};
const char *ptx_mod_text(enum ptx_mod mod); /* without the dot */
enum ptx_mod_category ptx_mod_category(enum ptx_mod mod);

enum ptx_space {
    PTX_SPACE_GENERIC,
    PTX_SPACE_REG,
    PTX_SPACE_SREG,
    PTX_SPACE_CONST,
    PTX_SPACE_GLOBAL,
    PTX_SPACE_LOCAL,
    PTX_SPACE_PARAM, /* of a kernel's entry, or of a call */
    PTX_SPACE_SHARED,
    PTX_SPACE_TEX,
    PTX_SPACE_COUNT
};

/* Special registers, one for each component: %tid.x is PTX_SREG_TID_X. SREG(ID, "%tid.x", TYPE). */
enum ptx_sreg {
    PTX_SREG_NONE,
#define SREG(id, name, type) PTX_SREG_##id,
#include "ptx/ptx_sregs.def"
#undef SREG
    PTX_SREG_COUNT
};
const char *ptx_sreg_name(enum ptx_sreg sreg);
enum ptx_type ptx_sreg_type(enum ptx_sreg sreg);

/* ---- operands
 * ------------------------------------------------------------------------------------------------ */

enum ptx_operand_kind {
    PTX_OPD_NONE,
    PTX_OPD_SINK,  /* _ */
    PTX_OPD_REG,   /* reg; negate: !%p */
    PTX_OPD_PAIR,  /* reg | reg2, e.g. setp and shfl; either may be PTX_NO_REG for _ */
    PTX_OPD_SREG,  /* sreg */
    PTX_OPD_INT,   /* bits: integer immediate, two's complement, 64 bits */
    PTX_OPD_FLOAT, /* bits: IEEE double bits of 1.5 or 0d...; is_f32: written 0f..., low 32 bits are the f32's
                    */
    PTX_OPD_VAR,   /* address of var (+ offset): mov, ld, cvta */
    PTX_OPD_FUNC,  /* function */
    PTX_OPD_LABEL, /* target: index of the instruction a label stands before */
    PTX_OPD_MEM,   /* [base + offset]: base is reg, var or absolute (reg == PTX_NO_REG and var == NULL); what
                      follows inside the brackets after a comma (texture coordinates) is in elements, count */
    PTX_OPD_VEC,   /* {a, b, ...}: elements, count; reg2 for {...}|p, else PTX_NO_REG */
    PTX_OPD_LIST,  /* (a, b): call parameters */
    PTX_OPD_PROTO, /* .callprototype / .calltargets / .branchtargets label: table */
};
#define PTX_NO_REG UINT32_MAX

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negate; /* !%p, or a leading minus on a register where PTX allows one */
    bool is_f32;
    uint8_t half; /* packed video/half selector of a register: 0 none, 1 .b0/.h0, 2 .b1/.h1 ...; component .x
                     = 1 ... of a .reg vector */
    const char
        *selector; /* the text behind `half`, or of a SIMD video selector such as "b3210"; NULL: none */
    uint32_t reg, reg2;
    enum ptx_sreg sreg;
    uint64_t bits;
    int64_t offset;
    const struct ptx_var *var;
    const struct ptx_function *function;
    uint32_t target;
    const struct ptx_table *table;
    struct ptx_operand *elements;
    uint32_t count;
};

/* ---- instructions
 * -------------------------------------------------------------------------------------------- */

enum { PTX_MAX_MODS = 14, PTX_MAX_TYPES = 5, PTX_MAX_OPERANDS = 12 };

struct ptx_instr {
    enum ptx_op op;
    uint8_t mod_count, type_count, operand_count;
    bool guard_negate;
    uint32_t guard;               /* predicate register, or PTX_NO_REG */
    uint16_t mods[PTX_MAX_MODS];  /* enum ptx_mod, in written order */
    uint8_t types[PTX_MAX_TYPES]; /* enum ptx_type, in written order */
    struct ptx_operand
        *operands; /* in written order; destination first where there is one (see ptx_instr_dest_count) */
    uint32_t line, column;     /* in the PTX text, 1-based */
    const struct ptx_loc *loc; /* source line in force; NULL: no .loc before it */
    const char *text;          /* PTX_OP_UNKNOWN only: the statement as written, without guard and ';' */
    uint32_t word_mask; /* internal to printer: how mods and types were interleaved; bit i set = i-th word is
                           a type */
};

bool ptx_has(const struct ptx_instr *instr, enum ptx_mod mod);
/* First modifier of that category, PTX_MOD_NONE when there is none. */
enum ptx_mod ptx_mod_of(const struct ptx_instr *instr, enum ptx_mod_category category);
enum ptx_space ptx_instr_space(const struct ptx_instr *instr);  /* GENERIC when none is written */
enum ptx_space ptx_instr_space2(const struct ptx_instr *instr); /* second written space, as cp.async has */
unsigned ptx_vector_count(const struct ptx_instr *instr);       /* 1, 2, 4, 8 */
static inline enum ptx_type ptx_instr_type(const struct ptx_instr *instr, unsigned i)
{
    return i < instr->type_count ? (enum ptx_type)instr->types[i] : PTX_TYPE_NONE;
}
/* Registers written and read, guards and addresses included; each returns the count, at most `room` are
 * stored. No instruction that the parser lets through names more than PTX_INSTR_REGS, so that an array of
 * that size always has room. */
enum { PTX_INSTR_REGS = 320 }; /* the largest known: 256 of a tcgen05.ld with operands beside them */
unsigned ptx_instr_defs(const struct ptx_instr *instr, uint32_t *regs, unsigned room);
unsigned ptx_instr_uses(const struct ptx_instr *instr, uint32_t *regs, unsigned room);
/* Number of leading operands that are destinations (0, 1 or 2). */
unsigned ptx_instr_dest_count(const struct ptx_instr *instr);
/* Facts from the opcode table. */
bool ptx_instr_is_memory(
    const struct ptx_instr *instr); /* reads or writes an address: ld st atom red cp.async ... */
bool ptx_instr_is_branch(const struct ptx_instr *instr); /* bra, brx.idx */
bool ptx_instr_is_exit(const struct ptx_instr *instr);   /* ret, exit, trap */
bool ptx_instr_is_barrier(
    const struct ptx_instr *instr); /* may wait for other warps: bar, barrier, not bar.warp */

/* What an instruction is worth to tools, for tables of instructions. Orders are those of event/event.h, which
 * this room may not include: whoever fills struct event_instr from it asserts that they agree. */
enum ptx_work_class {
    PTX_WORK_ALU,
    PTX_WORK_WARP,
    PTX_WORK_LOAD,
    PTX_WORK_STORE,
    PTX_WORK_ATOMIC,
    PTX_WORK_COPY,
    PTX_WORK_TEXTURE,
    PTX_WORK_BRANCH,
    PTX_WORK_CALL,
    PTX_WORK_EXIT,
    PTX_WORK_BARRIER,
    PTX_WORK_FENCE,
    PTX_WORK_MBARRIER,
    PTX_WORK_MATRIX,
    PTX_WORK_CONTROL,
    PTX_WORK_COUNT
};
enum ptx_work_unit {
    PTX_UNIT_OTHER,
    PTX_UNIT_FP16,
    PTX_UNIT_FP32,
    PTX_UNIT_FP64,
    PTX_UNIT_INTEGER,
    PTX_UNIT_BIT,
    PTX_UNIT_CONVERT,
    PTX_UNIT_CONTROL,
    PTX_UNIT_MEMORY,
    PTX_UNIT_INTER_THREAD,
    PTX_UNIT_COUNT
};
enum ptx_work_space {
    PTX_AT_NONE,
    PTX_AT_GENERIC,
    PTX_AT_GLOBAL,
    PTX_AT_SHARED,
    PTX_AT_LOCAL,
    PTX_AT_CONST,
    PTX_AT_PARAM,
    PTX_AT_COUNT
};
enum ptx_work_flop { PTX_FLOP_NONE, PTX_FLOP_ADD, PTX_FLOP_MUL, PTX_FLOP_FMA };
struct ptx_work {
    enum ptx_work_class cls;
    enum ptx_work_unit unit;
    enum ptx_work_space space; /* of the access; of cp.async the global side */
    enum ptx_work_flop flop;
    uint16_t bytes; /* memory: bytes a lane moves; 0 where the text does not say (bulk copies, textures) */
    bool guarded;   /* has a guard predicate */
    bool returns;   /* ATOMIC: the old value is wanted */
    bool is_read, is_write;
};
void ptx_classify(const struct ptx_instr *instr, struct ptx_work *out);
/* ---- matrix instructions (ptx_matrix.c) */
struct ptx_matrix {
    bool multiplies, sparse, store; /* multiplies: mma, mma.sp, wmma.mma */
    char letter;                    /* wmma.load, .store: 'a' 'b' 'c' (d too); ldmatrix, stmatrix: 'm' */
    unsigned m, n, k;
    enum ptx_type type[4];   /* of d, a, b, c; of what does not multiply only [0] */
    unsigned own[4];         /* registers of them that are not copies of others, which come first */
    unsigned sm;             /* first compute capability */
    bool faulty;             /* the form is known, but this one is written wrongly */
    unsigned faulty_operand; /* from 1; 0: all of it */
};
bool ptx_is_matrix(const struct ptx_instr *instr); /* mma wmma ldmatrix stmatrix */
/* NULL: known and well-formed. Otherwise why not. */
const char *ptx_matrix_describe(const struct ptx_instr *instr, struct ptx_matrix *out);

/* An atom that hardware runs as one: its result is used, or it is a cas or exch, for which there is no red.
 */
bool ptx_atom_returns(const struct ptx_instr *instr);

/* !%p rather than -%r: the register is a predicate. */
bool ptx_operand_is_predicate(const struct ptx_function *function, const struct ptx_operand *operand);

/* ---- functions, variables, modules
 * --------------------------------------------------------------------------- */

struct ptx_function;
struct ptx_reg {
    const char *name; /* "%r1" */
    enum ptx_type type;
    uint8_t vector; /* 0; or 2, 4 for .reg .v4 */
};

enum ptx_linkage { PTX_LINK_NONE, PTX_LINK_VISIBLE, PTX_LINK_EXTERN, PTX_LINK_WEAK, PTX_LINK_COMMON };

/* One element of an initialiser: bytes, or the address of something placed at that offset. */
struct ptx_init_reloc {
    uint64_t offset; /* in the variable */
    uint8_t bytes;   /* width of the field: 8, 4, or 1 for mask() forms */
    uint8_t shift;   /* mask(0xff00, x): 8 */
    bool generic;    /* written generic(x) */
    const struct ptx_var *var;
    const struct ptx_function *function;
    int64_t addend;
};

struct ptx_var {
    const char *name;
    enum ptx_space space;
    enum ptx_linkage linkage;
    enum ptx_type type; /* of one element */
    uint8_t vector;     /* 1, 2, 4 */
    uint32_t align;     /* in bytes; at least the natural one */
    uint64_t count;     /* elements; 0: unsized array (extern .shared, or the flexible last parameter) */
    uint64_t bytes;     /* count * vector * element size */
    uint64_t offset;    /* .param of entry/function: offset in the parameter buffer; others: 0 */
    bool is_array, managed, is_pointer; /* .attribute(.managed); .ptr of a parameter */
    enum ptx_space pointee;             /* is_pointer: the space written behind .ptr */
    uint32_t written_align;             /* .align as written, 0: none */
    uint32_t index;                   /* position in its owner: module->vars, function->params/returns/vars */
    const struct ptx_function *owner; /* NULL: module scope */
    const uint8_t *init;              /* `bytes` long, or NULL: zeros */
    const struct ptx_init_reloc *relocs;
    uint32_t reloc_count;
    uint32_t line;
};

struct ptx_loc {
    uint32_t file, line, column;  /* file: index in module->files */
    const struct ptx_loc *caller; /* where it was inlined (inlined_at, or by ptx_flatten); NULL: not */
    const char *function;         /* name of the inlined function when known */
};

enum ptx_table_kind { PTX_TABLE_BRANCHES, PTX_TABLE_CALLS, PTX_TABLE_PROTOTYPE };
struct ptx_table { /* .branchtargets, .calltargets, .callprototype */
    enum ptx_table_kind kind;
    const char *name;
    uint32_t *targets;                     /* branchtargets: instruction indices */
    const struct ptx_function **functions; /* calltargets */
    uint32_t count;
    const struct ptx_function *prototype; /* callprototype: params and returns only */
};

struct ptx_label {
    const char *name;
    uint32_t target; /* instruction index; may equal instr_count */
    bool nounroll;   /* .pragma "nounroll": the loop that begins here is not unrolled */
};

struct ptx_function {
    const char *name;
    bool is_entry, has_body, noreturn;
    enum ptx_linkage linkage;
    struct ptx_var **params, **returns; /* .param variables, or .reg for device functions (then see *_reg) */
    uint32_t param_count, return_count;
    uint64_t param_bytes; /* size of an entry's parameter buffer */
    const uint32_t *param_regs,
        *return_regs; /* register-passed parameters: register of each, else PTX_NO_REG */
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnctapersm, maxnreg; /* 0: not given */
    uint32_t reqnctapercluster[3], maxclusterrank;                        /* likewise */
    bool explicitcluster, blocksareclusters;
    struct ptx_reg *regs;
    uint32_t reg_count;
    struct ptx_var **vars; /* .local, .shared, .param (call sequences), declared in the body */
    uint32_t var_count;
    struct ptx_instr *instrs;
    uint32_t instr_count;
    struct ptx_label *labels;
    uint32_t label_count;
    struct ptx_table **tables;
    uint32_t table_count;
    const char **pragmas;
    uint32_t pragma_count;
    uint32_t line;
    const struct ptx_module *module;
    const struct ptx_function *alias_of; /* .alias: the function it stands for */
    uint32_t index;                      /* in module->functions */
};

struct ptx_module {
    struct arena arena;
    const char *name;
    unsigned version_major, version_minor;
    unsigned sm;          /* .target sm_90a: 90 */
    const char **targets; /* every word of .target */
    uint32_t target_count;
    char sm_suffix;        /* 'a', 'f' or 0 */
    unsigned address_bits; /* 64 (32 is refused) */
    struct ptx_var **vars; /* module scope: global, const, shared, extern ... */
    uint32_t var_count;
    struct ptx_function **functions; /* entries and device functions; declarations too */
    uint32_t function_count;
    const char **files; /* .file table: files[i] for index i, NULL where not given */
    uint32_t file_count;
    struct map function_map, var_map;
};
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The PTX intermediate representation: what the text says, with names resolved and registers numbered. */
#ifndef PTX_IR_H
#define PTX_IR_H

#include "isa/isa.h"

#include "base/base.h"

#include <stdbool.h>

/* State spaces of variables. Opcodes, types, modifiers, special registers and kinds of operands: isa/isa.h.
 */
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

/* ---- operands
 * ------------------------------------------------------------------------------------------------ */

#define PTX_NO_REG UINT32_MAX

struct ptx_operand {
    enum isa_operand_kind kind;
    bool negate; /* !%p, or a leading minus on a register where PTX allows one */
    bool is_f32;
    uint8_t half; /* packed video/half selector of a register: 0 none, 1 .b0/.h0, 2 .b1/.h1 ...; component .x
                     = 1 ... of a .reg vector */
    const char *selector; /* the text after `half`, or of a SIMD video selector such as "b3210"; NULL: none */
    uint32_t reg, reg2;
    enum isa_sreg sreg;
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

enum { PTX_MAX_OPERANDS = 12 };

struct ptx_instr {
    union { /* the words of its mnemonic: as a whole, and one by one */
        struct isa_instr isa;
        struct {
            ISA_INSTR_FIELDS;
        };
    };
    uint8_t operand_count;
    bool guard_negate;
    uint32_t guard; /* predicate register, or PTX_NO_REG */
    struct ptx_operand
        *operands; /* in written order; destination first where there is one (see ptx_instr_dest_count) */
    uint32_t line, column;     /* in the PTX text, 1-based */
    const struct ptx_loc *loc; /* source line in force; NULL: no .loc before it */
    const char *text;          /* ISA_OP_UNKNOWN only: the statement as written, without guard and ';' */
};

static inline bool ptx_has(const struct ptx_instr *instr, enum isa_mod mod)
{
    return isa_has(&instr->isa, mod);
}
static inline enum isa_mod ptx_mod_of(const struct ptx_instr *instr, enum isa_mod_category category)
{
    return isa_mod_of(&instr->isa, category);
}
static inline unsigned ptx_vector_count(const struct ptx_instr *instr)
{
    return isa_vector_count(&instr->isa);
}
static inline enum isa_type ptx_instr_type(const struct ptx_instr *instr, unsigned i)
{
    return isa_type_at(&instr->isa, i);
}
enum ptx_space ptx_instr_space(const struct ptx_instr *instr);  /* GENERIC when none is written */
enum ptx_space ptx_instr_space2(const struct ptx_instr *instr); /* second written space, as cp.async has */
/* Registers written and read, guards and addresses included; each returns the count, at most `room` are
 * stored. No instruction that the parser lets through names more than PTX_INSTR_REGS, so that an array of
 * that size is always large enough. */
enum { PTX_INSTR_REGS = 320 }; /* the largest known: 256 of a tcgen05.ld with operands beside them */
unsigned ptx_instr_defs(const struct ptx_instr *instr, uint32_t *regs, unsigned capacity);
unsigned ptx_instr_uses(const struct ptx_instr *instr, uint32_t *regs, unsigned capacity);
/* Number of leading operands that are destinations (0, 1 or 2). */
unsigned ptx_instr_dest_count(const struct ptx_instr *instr);
/* Facts from the opcode table. */
bool ptx_instr_is_memory(
    const struct ptx_instr *instr); /* reads or writes an address: ld st atom red cp.async ... */
bool ptx_instr_is_branch(const struct ptx_instr *instr); /* bra, brx.idx */
bool ptx_instr_is_exit(const struct ptx_instr *instr);   /* ret, exit, trap */
bool ptx_instr_is_barrier(
    const struct ptx_instr *instr); /* may wait for other warps: bar, barrier, not bar.warp */

/* What an instruction is worth to tools, for tables of instructions. */
struct ptx_work {
    enum isa_class cls;
    enum isa_unit unit;
    enum isa_space space; /* of the access: isa_space_of */
    enum isa_flop flop;
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
    enum isa_type type[4];   /* of d, a, b, c; of what does not multiply only [0] */
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
    enum isa_type type;
    uint8_t vector; /* 0; or 2, 4 for .reg .v4 */
    bool parameter; /* of a call that was inlined (ptx_promote.c) */
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
    enum isa_type type; /* of one element */
    uint8_t vector;     /* 1, 2, 4 */
    uint32_t align;     /* in bytes; at least the natural one */
    uint64_t count;     /* elements; 0: unsized array (extern .shared, or the flexible last parameter) */
    uint64_t bytes;     /* count * vector * element size */
    uint64_t offset;    /* .param of entry/function: offset in the parameter buffer; others: 0 */
    bool is_array, managed, is_pointer; /* .attribute(.managed); .ptr of a parameter */
    enum ptx_space pointee;             /* is_pointer: the space written after .ptr */
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

/* SPDX-License-Identifier: Apache-2.0 */
/* Private to ptx/: the lexer, and the parser's shared state. */
#ifndef PTX_PRIV_H
#define PTX_PRIV_H

#include "ptx/ptx.h"

#include "base/base.h"

#include <stdbool.h>

/* " (k.cu:12)" by .loc, or "": for messages; from arena. */
const char *ptx_source_line(const struct ptx_module *module, const struct ptx_instr *instr,
                            struct arena *arena);

/* ---- forms (ptx_forms.c) ---- */

enum { PTX_ARCH_SPECIFIC = 1000 }; /* in ptx_form.sm: 1090 is sm_90a */
struct ptx_form {
    enum isa_op op;
    const char *roles; /* see ptx_verify.c */
    unsigned sm, version;
};
const char *ptx_roles_without_form(const struct ptx_instr *instr); /* NULL: not known (ptx_roles.c) */
bool ptx_form_known(enum isa_op op);                               /* are the opcode's forms in the table? */
/* The row that an instruction fits; NULL: none. */
const struct ptx_form *ptx_form_of(const struct ptx_instr *instr);
void ptx_form_explain(const struct ptx_instr *instr, char *out, size_t capacity); /* why there is none */

/* ---- lexer (ptx_lex.c) ---- */

enum ptx_token_kind {
    PTX_TOK_END,
    PTX_TOK_IDENT, /* foo %r1 $L_1 */
    PTX_TOK_DOT,   /* .global .L2::128B : text without the dot */
    PTX_TOK_INT,
    PTX_TOK_FLOAT, /* 1.5 0d... ; is_f32 for 0f... */
    PTX_TOK_STRING,
    PTX_TOK_PUNCT, /* one character in punct, or PTX_PUNCT_* for two */
    PTX_TOK_BAD,   /* a byte that no token begins with, or an unfinished comment or string */
};
enum {
    PTX_PUNCT_SHL = 256,
    PTX_PUNCT_SHR,
    PTX_PUNCT_EQ,
    PTX_PUNCT_NE,
    PTX_PUNCT_LE,
    PTX_PUNCT_GE,
    PTX_PUNCT_AND,
    PTX_PUNCT_OR
};

struct ptx_token {
    enum ptx_token_kind kind;
    int punct;
    bool is_unsigned, is_f32;
    bool adjacent; /* stands directly after the previous token */
    uint32_t line, column;
    const char *text; /* in the source; STRING: between the quotes */
    uint32_t length;
    uint64_t bits;    /* INT: value; FLOAT: as struct ptx_operand */
    const char *what; /* BAD: what is wrong */
};

struct ptx_lexer {
    const char *at, *end, *line_start;
    uint32_t line;
};
void ptx_lexer_init(struct ptx_lexer *lexer, const char *text, size_t length);
void ptx_lexer_next(struct ptx_lexer *lexer, struct ptx_token *out);
/* Skip past the ';' that ends the statement begun; what was skipped is [start, *end). False: none. */
bool ptx_token_is(const struct ptx_token *token, const char *text);
static inline bool ptx_token_punct(const struct ptx_token *token, int punct)
{
    return token->kind == PTX_TOK_PUNCT && token->punct == punct;
}

/* ---- parser ---- */

enum ptx_symbol_kind {
    PTX_SYM_REG,
    PTX_SYM_RANGE,
    PTX_SYM_VAR,
    PTX_SYM_LABEL,
    PTX_SYM_TABLE,
    PTX_SYM_FUNCTION
};
struct ptx_symbol {
    enum ptx_symbol_kind kind;
    uint32_t depth; /* scope it belongs to: 0 module, 1 function ... */
    const char *name;
    uint32_t length;
    uint32_t index;     /* REG: number; LABEL: instruction; RANGE: count */
    enum isa_type type; /* RANGE */
    uint8_t vector;     /* RANGE */
    struct ptx_var *var;
    struct ptx_table *table;
    struct ptx_function *function;
    struct ptx_symbol *hidden; /* what this name meant outside the scope */
    struct ptx_symbol *next;   /* in its scope */
};

struct ptx_fixup { /* a name used before it was defined: a label or a table */
    const char *name;
    uint32_t length, line, column;
    uint32_t instr, operand; /* operand of an instruction, or: */
    uint32_t *slot;          /* an entry of a .branchtargets */
};

enum { PTX_MAX_DEPTH = 64, PTX_MAX_REGS = 1 << 20, PTX_MAX_NESTING = 200 };

struct ptx_parser {
    struct ptx_lexer lexer;
    struct ptx_token token, ahead; /* current, and the one after it when has_ahead */
    bool has_ahead;
    struct ptx_module *module;
    struct arena *arena;
    struct sw_error *error;
    enum sw_status status;
    size_t text_length;
    uint64_t init_bytes; /* of all initialisers so far */
    unsigned nesting;    /* of expressions, vectors, initialisers */

    VEC(struct ptx_var *) vars;
    VEC(struct ptx_function *) functions;
    VEC(const char *) files;
    struct map module_names; /* what a name means now: symbols */
    struct map taken;        /* names of variables and functions in the module; with several texts, of all */
    uint32_t file_base;      /* added to file numbers of the text being read */

    /* the function being parsed */
    struct ptx_function *function;
    struct map names, ranges; /* ranges: prefix of %r<100> */
    struct ptx_symbol *scope[PTX_MAX_DEPTH + 1];
    size_t scope_fixups[PTX_MAX_DEPTH + 1]; /* where a scope's fixups begin */
    uint32_t depth;
    bool nested_ranges; /* a register range was declared in an inner scope */
    VEC(struct ptx_reg) regs;
    VEC(struct ptx_var *) locals;
    VEC(struct ptx_instr) instrs;
    VEC(struct ptx_label) labels;
    VEC(struct ptx_table *) tables;
    VEC(const char *) pragmas;
    VEC(struct ptx_fixup) fixups;
    const struct ptx_loc *loc;
    struct map locs; /* by position, for inlined_at */
    VEC(struct ptx_named_loc {
        struct ptx_loc *loc;
        const char *label;
        uint32_t length;
        uint64_t offset;
    })
    named_locs;
    struct map debug_labels; /* of .debug_str: label -> offset + 1 */
    struct str debug_str;
};

/* ptx_cursor.c: tokens and messages */
void ptx_next(struct ptx_parser *p);
const struct ptx_token *ptx_peek(struct ptx_parser *p);
enum sw_status ptx_expected(struct ptx_parser *p, const char *what); /* "expected <what>, found '...'" */
enum sw_status ptx_wrong_at(struct ptx_parser *p, const struct ptx_token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum sw_status ptx_want(struct ptx_parser *p, int punct, const char *what); /* consume, or fail */
bool ptx_accept(struct ptx_parser *p, int punct);
bool ptx_accept_dot(struct ptx_parser *p, const char *word);
bool ptx_at(const struct ptx_parser *p, int punct);
bool ptx_at_dot(const struct ptx_parser *p, const char *word);
const char *ptx_keep(struct ptx_parser *p, const struct ptx_token *token); /* NUL-terminated copy */

/* The name itself, or with a suffix when the module has it already (from another text). */
const char *ptx_name_in_module(struct ptx_parser *p, const char *name);

/* ptx_names.c */
struct ptx_symbol *ptx_name_find(struct ptx_parser *p, const char *name, uint32_t length);
enum sw_status ptx_name_add(struct ptx_parser *p, const struct ptx_token *at, const char *name,
                            uint32_t length, struct ptx_symbol symbol);
enum sw_status ptx_scope_open(struct ptx_parser *p);
enum sw_status ptx_scope_close(struct ptx_parser *p);
enum sw_status ptx_reg_add(struct ptx_parser *p, const struct ptx_token *at, const char *name,
                           uint32_t length, enum isa_type type, uint8_t vector, uint32_t *out);

/* ptx_expr.c: constant expressions */
struct ptx_value {
    bool is_float, is_f32, is_unsigned;
    uint64_t bits;
};
enum sw_status ptx_parse_expr(struct ptx_parser *p, struct ptx_value *out);
bool ptx_expr_begins(const struct ptx_parser *p);
enum sw_status ptx_parse_u32(struct ptx_parser *p, uint32_t *out, const char *what);

/* ptx_parse_decl.c */
enum sw_status ptx_parse_vars(struct ptx_parser *p, enum ptx_linkage linkage);
enum sw_status ptx_parse_param(struct ptx_parser *p, struct ptx_var **out, uint32_t *reg);
bool ptx_space_begins(const struct ptx_parser *p);
/* ptx_parse_func.c */
enum sw_status ptx_parse_function(struct ptx_parser *p, enum ptx_linkage linkage);
/* ptx_parse_loc.c */
enum sw_status ptx_parse_loc(struct ptx_parser *p);
enum sw_status ptx_parse_file(struct ptx_parser *p);
enum sw_status ptx_parse_section(struct ptx_parser *p);
void ptx_name_locs(struct ptx_parser *p);
/* ptx_parse_instr.c */
enum sw_status ptx_parse_statement(struct ptx_parser *p);

/* ---- analyses ---- */

/* ptx_loops.c. Blocks must be in an order in which forward edges go up. outer[header]: header of the loop
 * around it */
void ptx_loops_find(struct ptx_cfg *cfg, uint32_t *outer);
void ptx_postdominators_find(struct ptx_cfg *cfg);

/* ---- flattening ---- */

/* ptx_calls.c: the direct calls below a function */
struct ptx_call_plan {
    uint64_t size;  /* instructions and more once its calls were inlined */
    uint32_t depth; /* of calls below it */
    bool recursive;
    uint32_t order, low; /* Tarjan's */
    bool open;
};
struct ptx_call_plans {
    struct map map;
    struct arena *arena;
};
void ptx_call_plans_build(const struct ptx_function *function, struct arena *arena,
                          struct ptx_call_plans *out);
void ptx_call_plans_release(struct ptx_call_plans *plans);
const struct ptx_call_plan *ptx_call_plan_of(const struct ptx_call_plans *plans,
                                             const struct ptx_function *f);
/* The function a direct call reaches, aliases followed; NULL: not a direct call. */
const struct ptx_function *ptx_call_target(const struct ptx_instr *instr);

/* A flat function while it is being made. */
struct ptx_flat {
    const struct ptx_module *module;
    struct ptx_function *out;
    struct arena *arena;
    struct ptx_call_plans plans;
    VEC(struct ptx_instr) instrs;
    VEC(struct ptx_reg) regs;
    VEC(struct ptx_var *) vars;
    VEC(struct ptx_label) labels;
    VEC(struct ptx_table *) tables;
    struct map shared;   /* variables that all instances share */
    uint64_t size;       /* of what was emitted, as in plans */
    uint32_t left_calls; /* calls that were too large to inline */
};
/* Targets of branches, tables and labels after instruction i went to new_index[i]. */
void ptx_flat_retarget(struct ptx_flat *flat, const uint32_t *new_index);
/* ptx_promote.c: .param variables of inlined calls become registers, or .local variables */
void ptx_flat_promote(struct ptx_flat *flat);
/* ptx_reduce.c: atom whose result is never read becomes red */
void ptx_reduce_atomics(struct ptx_function *function);

/* ---- contraction of mul and add (ptx_contract.c) ---- */

struct ptx_fusion {
    uint32_t mul;   /* instruction whose product this addition takes, or UINT32_MAX */
    uint8_t addend; /* the addition's other operand: 1 or 2 */
    bool minus_product, minus_addend;
};
struct ptx_contraction { /* by instruction of the function; all NULL: nothing to contract */
    struct ptx_fusion *fused;
    bool *dropped;     /* multiplications that went into all their uses, and copies of them */
    bool *saved;       /* multiplications an operand of which is overwritten before the last of these uses */
    struct map copies; /* for ptx_flatten.c: their operands, by instruction */
};
/* Of a function that was not made flat. The caller releases it. */
void ptx_contract(const struct ptx_function *function, struct ptx_contraction *out);
void ptx_contraction_release(struct ptx_contraction *contraction);
#endif

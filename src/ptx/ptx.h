/* SPDX-License-Identifier: Apache-2.0 */
/* ptx: PTX text to IR and back, and what can be known about it before it runs.
 *
 *   text -> ptx_lex.c -> ptx_parse*.c -> struct ptx_module -> ptx_verify.c
 *        -> ptx_flatten.c (one flat function a kernel: direct calls inlined)
 *        -> ptx_cfg.c (blocks, dominators, loops) -> ptx_live.c
 *
 * Everything is allocated from the module's arena and immutable after it was returned, so that threads may
 * share it. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "ptx/ptx_analysis.h"
#include "ptx/ptx_ir.h"

#include "base/base.h"

/* Parse text (NUL not needed). name: for messages. On success *out is owned by the caller (ptx_module_free).
 * Errors: SW_SYNTAX or SW_UNSUPPORTED_PTX_VERSION with line, column, and what was expected. Unknown opcodes
 * or modifiers inside a function body are NOT errors here: the instruction becomes ISA_OP_UNKNOWN with its
 * text, and the functions that hold one are refused when a kernel that needs them is compiled. */
enum sw_status ptx_parse(const char *text, size_t length, const char *name, struct ptx_module **out,
                         struct sw_error *error);
/* Several texts as one module: .extern declarations of one find what another defines; names without linkage
 * stay apart (the later one's gets a suffix); of several weak definitions the first counts. What stays
 * undefined is no error here. Messages name the text they are about. */
struct ptx_text {
    const char *text;
    size_t length;
    const char *name;
};
enum sw_status ptx_parse_linked(const struct ptx_text *texts, uint32_t count, struct ptx_module **out,
                                struct sw_error *error);
void ptx_module_free(struct ptx_module *module);

/* Check types, operand kinds, address spaces and targets of every known instruction against the opcode table.
 */
enum sw_status ptx_verify(const struct ptx_module *module, struct sw_error *error);

/* SW_UNSUPPORTED when some instruction is not known, with its text, function and source line (.loc). */
enum sw_status ptx_check_known(const struct ptx_module *module, struct sw_error *error);

/* Text that parses back to the same IR. */
void ptx_print_module(const struct ptx_module *module, struct str *out);
void ptx_print_instr(const struct ptx_module *module, const struct ptx_function *function,
                     const struct ptx_instr *instr, struct str *out);
/* The same for all instructions of a function, registers that have one name told apart; from arena. */
const char **ptx_print_instrs(const struct ptx_module *module, const struct ptx_function *function,
                              struct arena *arena);
void ptx_print_mnemonic(const struct ptx_instr *instr, struct str *out); /* "ld.global.f32" */
/* One line a function with a body: instructions, registers, blocks, loops, memory; for people. */
enum sw_status ptx_print_summary(const struct ptx_module *module, struct str *out, struct sw_error *error);
void ptx_print_function(const struct ptx_function *function, struct str *out);

struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name); /* NULL: absent */
struct ptx_var *ptx_find_var(const struct ptx_module *module, const char *name);           /* module scope */

/* A copy of `entry` in which every direct call to a function with a body in this module that is not recursive
 * was inlined, .param variables of those calls became registers or local variables, and unreachable code was
 * dropped. What remains as a call: recursive and indirect calls, and calls of externs (vprintf, malloc, ...).
 * Allocated from `arena`; refers to the module. Instr.loc keeps the callee's line with the call chain
 * (ptx_loc.caller). */
enum sw_status ptx_flatten(const struct ptx_module *module, const struct ptx_function *entry,
                           struct arena *arena, struct ptx_function **out, struct sw_error *error);

/* Functions that a flattened kernel may call, flattened themselves; the same list in the same order at each
 * call. */
struct ptx_callee {
    const struct ptx_function *source, *flat;
};
enum sw_status ptx_callees(const struct ptx_function *kernel, struct arena *arena,
                           const struct ptx_callee **out, uint32_t *count, struct sw_error *error);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* How the address of an access came about: the computation of it in a flat kernel, in the program's terms and
 * with the values that one thread had. */
#ifndef PTX_SLICE_H
#define PTX_SLICE_H

#include "ptx/ptx_ir.h"

/* What is known of the thread and its launch. */
struct ptx_thread {
    uint32_t grid[3], block[3], block_index[3], thread_index[3];
    const uint8_t *params; /* function->param_bytes of them */
    /* Address of a variable, in shared and local memory as offset; false: not known. NULL: none is. */
    bool (*address_of)(void *user, const struct ptx_var *var, uint64_t *address);
    void *user;
};

/* A part of the computation that is no expression of constants, parameters and special registers. */
enum ptx_term_kind {
    PTX_TERM_LOADED,   /* read from memory at line[0] */
    PTX_TERM_SET,      /* has the value of one of several instructions, at line[0], line[1] and others */
    PTX_TERM_COMPUTED, /* by an instruction that is not followed, or too long to be shown: line[0] */
    PTX_TERM_TURNS     /* times that the loop with line[0] began again before this one */
};
enum { PTX_TERMS_MOST = 4 }; /* implementation: a formula of more does not explain anything */
struct ptx_term {
    enum ptx_term_kind kind;
    char name[12]; /* in the texts: "loaded", "turns2" */
    bool known;
    uint8_t modulo; /* value is known modulo 2^modulo; 0: exactly */
    int64_t value;
    uint32_t line[2];   /* PTX lines; 0: none */
    const char *source; /* LOADED: the address, as an expression; NULL: not known */
};

/* Texts: expressions of C, in which "parameter 2" is a kernel's second parameter, "parameter 2 (byte 8)" what
 * stands there in a structure, and variables have PTX's names. Values: the same with numbers. */
struct ptx_formula {
    const char *index,
        *index_values; /* NULL: the address has none; its values: NULL: not known, or as value */
    bool is_offset;    /* in bytes, not in elements */
    bool value_known;
    int64_t value;              /* of the index */
    const char *address;        /* in which "index" or "offset" stands for the index */
    const char *address_values; /* NULL: not known */
    uint32_t term_count;
    struct ptx_term terms[PTX_TERMS_MOST]; /* that these texts name */
};

/* The values of a flat kernel, found as they are asked for. One thread at a time; lives no longer than the
 * function. NULL: it has no control flow graph. */
struct ptx_slices;
struct ptx_slices *ptx_slices_new(const struct ptx_function *function);
void ptx_slices_free(struct ptx_slices *slices); /* NULL: nothing */

/* Of the load, store, atomic or copy at a PTX line by which the thread accessed `address`, `bytes` of it;
 * writes: of a copy its destination. The texts are from arena. false: there is no such instruction; what is
 * found does not agree with the address; or it is too long. Where all but one term follow from the thread,
 * that one follows from the address. */
bool ptx_slices_explain(struct ptx_slices *slices, uint32_t line, bool writes, uint32_t bytes,
                        uint64_t address, const struct ptx_thread *thread, struct arena *arena,
                        struct ptx_formula *out);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Every form of mma, mma.sp and wmma.mma up to sm_90, a kernel for each, and inputs for them: shared by the
 * recorder that runs on a GPU and by the tests. Registers are given and read as they are: no layout is
 * assumed. */
#ifndef MATRIX_FORMS_H
#define MATRIX_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum matrix_type {
    MT_F16,
    MT_BF16,
    MT_TF32,
    MT_F64,
    MT_E4M3,
    MT_E5M2,
    MT_S8,
    MT_U8,
    MT_S4,
    MT_U4,
    MT_B1,
    MT_F32,
    MT_S32
};

struct matrix_form {
    char text[112]; /* the instruction without operands */
    char name[112]; /* of the kernel */
    bool wmma, sparse, unordered, satfinite, bit_and;
    bool old;                   /* PTX before 6.5 only */
    unsigned m, n, k, selector; /* selector: of sparse forms */
    enum matrix_type a, b, c, d;
    unsigned regs[4]; /* of d, a, b, c, each 32 or (f64) 64 bits */
    bool main;        /* one of each kind of arithmetic: worth more inputs */
};

/* Classes of inputs: how the exponents of the factors spread. */
enum matrix_class {
    MC_NEAR,    /* a few binades */
    MC_SPREAD,  /* two dozen */
    MC_ANY,     /* any finite bits */
    MC_CANCEL,  /* few values of either sign, so that sums cancel */
    MC_FEW,     /* mostly zeros: two or three terms at chosen distances */
    MC_SPECIAL, /* infinities, NaNs, subnormals, largest values among ordinary ones */
    MC_LARGE,   /* results overflow */
    MC_COUNT
};

unsigned matrix_forms(struct matrix_form *out, unsigned capacity); /* returns how many there are */
unsigned matrix_type_bits(enum matrix_type type);
const char *matrix_type_name(enum matrix_type type);
void matrix_emit_header(FILE *to, bool old);
void matrix_emit_kernel(FILE *to, const struct matrix_form *form);

/* wmma.load and wmma.store: one kernel each, (memory, registers, stride in elements) for one warp a block. */
struct matrix_fragment {
    char text[112], name[112];
    char letter;                   /* a b c; d: stored */
    bool by_column, dense, shared; /* dense: without a stride */
    enum matrix_type type;
    unsigned rows, columns, regs, stride,
        passes; /* passes: blocks, which see other bits of an element's number */
};
unsigned matrix_fragments(struct matrix_fragment *out, unsigned capacity);
void matrix_emit_fragment(FILE *to, const struct matrix_fragment *fragment);
size_t matrix_fragment_bytes(const struct matrix_fragment *fragment); /* of memory, each block */
void matrix_fragment_fill(const struct matrix_fragment *fragment, unsigned pass,
                          uint8_t *memory); /* loads: elements' numbers, row by row */
uint32_t matrix_fragment_word(unsigned reg, unsigned lane,
                              unsigned half); /* stores: what the registers hold */

/* ldmatrix, stmatrix, movmatrix: (offsets of the lanes in shared memory, registers), one warp. */
enum { MATRIX_MOVES = 13, MATRIX_PATTERNS = 8, MATRIX_SHARED = 8192 };
const char *matrix_move_name(unsigned i);
void matrix_emit_move(FILE *to, unsigned i);
uint32_t matrix_pattern(unsigned pattern, unsigned lane); /* offset of the row that the lane points to */

/* Inputs of block `block` of operand 'a' 'b' 'c' 'e' (metadata): 32 lanes of each register, register by
 * register. */
enum {
    MATRIX_POOL = 64
}; /* different blocks of each operand; warp w multiplies block a(w) by b(w) and adds c(w) */
size_t matrix_block_words(const struct matrix_form *form, char operand); /* of 32 bits */
void matrix_fill(const struct matrix_form *form, enum matrix_class class, char operand, unsigned block,
                 uint32_t *words);
unsigned matrix_block_of(char operand, unsigned warp); /* as the kernel computes it */
uint64_t matrix_digest(uint64_t digest, const uint32_t *words, size_t count);
#define MATRIX_DIGEST_START UINT64_C(0xcbf29ce484222325)
#endif

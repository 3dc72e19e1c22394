/* SPDX-License-Identifier: Apache-2.0 */
/* forms: every instruction form of the table forms.txt as a small kernel, fed with awkward values.
 * The same kernels and inputs run on a GPU (forms_record.c), in compiled code and in the oracle
 * (forms_test.c). */
#ifndef FORMS_H
#define FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FORMS_THREADS = 8192, /* inputs a form */
    FORMS_BLOCK = 256,
    FORMS_CHUNKS = 8, /* digests a form: one for each FORMS_THREADS / FORMS_CHUNKS threads */
    FORMS_SLOTS = 12, /* different input tables a type */
    FORMS_REGS = 48,
    FORMS_CELL_BYTES = 64, /* a thread's own memory */
    FORMS_BLOB_BYTES = 64, /* the kernel's parameter that ld.param reads */
    FORMS_SAMPLES = 4
};

enum forms_kind { /* distributions of inputs */
                  FORMS_B16,
                  FORMS_B32,
                  FORMS_B64,
                  FORMS_F16,
                  FORMS_BF16,
                  FORMS_F16X2,
                  FORMS_BF16X2,
                  FORMS_F32,
                  FORMS_F64,
                  FORMS_FP8X2,
                  FORMS_COUNT_32, /* shift counts, positions, lanes: mostly small */
                  FORMS_HALVES,   /* f16x2 of moderate size, for matrices */
                  FORMS_BHALVES,
                  FORMS_SINGLES, /* f32 of moderate size */
                  FORMS_DOUBLES,
                  FORMS_KINDS
};

struct forms_type { /* how the table's word for an operand's type is held and fed */
    const char *name, *reg, *memory;
    unsigned bytes;
    enum forms_kind kind;
};

enum forms_role { FORMS_IN, FORMS_OUT, FORMS_SPARE };

struct forms_reg {
    char name[16];
    const struct forms_type *type;
    enum forms_role role;
};

struct form {
    char *text;     /* PTX, with $name for registers */
    char *key;      /* the text; of the second form with one text, with " #2" */
    char *mnemonic; /* of its first instruction, or the table's name= */
    uint32_t row, index;
    struct forms_reg regs[FORMS_REGS];
    unsigned reg_count;
    char space[12]; /* of the thread's own memory, or "" */
    unsigned cell_bytes;
    const struct forms_type *cell_type;
    bool hidden; /* the memory is not part of the result */
};

struct forms_row {
    char *text, *section, *mnemonic; /* the template, whole; its first word */
    char *elsewhere;                 /* the test that runs it, where that is not this one; or NULL */
    char *refused;                   /* why it is not supported; or NULL */
    unsigned line, sm;               /* sm: first compute capability, 90 unless the table says more */
    uint32_t first, count;
};

struct forms_table {
    struct form *forms;
    struct forms_row *rows;
    uint32_t count, row_count;
};

/* forms_table.c; prints what is wrong with the table and exits */
void forms_read(const char *path, struct forms_table *out);
uint64_t forms_hash(const void *bytes, size_t count, uint64_t seed);

/* forms_input.c: [kind][slot][thread] of 64 bits */
uint64_t forms_input(enum forms_kind kind, unsigned slot, uint32_t thread);
size_t forms_input_bytes(void);
void forms_input_fill(uint64_t *out);
void forms_blob_fill(uint8_t out[FORMS_BLOB_BYTES]);

/* forms_ptx.c. A kernel is entry(in, out, cells, blob); form i of it writes slots [first, first +
 * forms_slots) of out, slot-major: out[slot * FORMS_THREADS + thread]. */
struct forms_text {
    char *text;
    size_t length, capacity;
};
unsigned forms_slots(const struct form *form);
void forms_emit_head(struct forms_text *out, unsigned sm);
void forms_emit_kernel(struct forms_text *out, const char *name, const struct form *const *forms,
                       unsigned count);
void forms_add(struct forms_text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* forms_golden.c: what a GPU computed, and what ptxas refused */
struct forms_result {
    uint32_t digests[FORMS_CHUNKS];
    uint64_t samples[FORMS_SAMPLES];
};
void forms_digest(const uint64_t *out, unsigned slots, struct forms_result *result);
uint32_t forms_digest_chunk(const uint64_t *out, unsigned slots, unsigned chunk);
uint32_t forms_sample_thread(unsigned sample);

/* forms_known.c */
struct forms_known {
    char *reason, *key; /* a key that ends in * stands for all that begin like it */
    bool seen;
    struct forms_known *next;
};
bool *forms_refused_read(const struct forms_table *table, const char *dir); /* by form: ptxas refuses it */
struct forms_known *forms_known_read(const char *dir);
struct forms_known *forms_known_find(struct forms_known *known, const char *key); /* NULL: nothing is known */

/* forms_docs.c: docs/ptx.md, to standard output */
int forms_docs(const struct forms_table *table, const char *dir);

/* forms_bits.c: prints up to `most` differences of a form */
void forms_bits_read(const char *path);
void forms_bits_explain(const struct form *form, const uint64_t *got, unsigned most);
#endif

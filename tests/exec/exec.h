/* SPDX-License-Identifier: Apache-2.0 */
/* exec: compiled code against the oracle, bit for bit. A case is PTX text, buffers and launches; exec_case.c
 * runs it with the oracle, then with every kind of compiled code, from the same memory at the same addresses.
 */
#ifndef EXEC_H
#define EXEC_H

#include "engine/engine.h"

enum { EXEC_BUFFERS = 12, EXEC_PARAMS = 16, EXEC_LAUNCHES = 32 };

struct exec_buffer {
    char name[32];
    enum isa_type type;
    uint64_t count, bytes;
    char init[16];             /* zero iota random special small */
    void *given;               /* or these bytes; malloc'ed, freed with the case */
    double relative, absolute; /* how much floats may differ */
    dev_addr at;
    uint8_t *initial, *wanted;
};

struct exec_param {
    const struct exec_buffer *buffer; /* its address; or */
    uint64_t bits;
    unsigned bytes;
};

struct exec_launch {
    char kernel[112];
    uint32_t grid[3], block[3], shared;
    bool together, resident; /* cooperative; blocks wait for each other without being so */
    struct exec_param params[EXEC_PARAMS];
    unsigned param_count;
};

struct exec_case {
    const char *name;
    char *text;
    size_t length;
    struct exec_buffer buffers[EXEC_BUFFERS];
    unsigned buffer_count;
    struct exec_launch launches[EXEC_LAUNCHES];
    unsigned launch_count;
    enum sw_status wanted_status; /* of the last launch */
    char wanted_text[128];        /* in its error message */
};

/* Which kinds of compiled code: all, or one of them in rotation. */
struct exec_kind {
    enum jit_isa isa;
    uint32_t threads;
    bool plain_barriers, generic;
    bool detailed, counted; /* with ACCESS probes (exec_detail.c); with COUNT probes alone */
    bool permissions;       /* on a device to which something is denied */
};
struct exec_lab;
struct exec_lab *exec_lab_new(bool detailed);
void exec_lab_free(struct exec_lab *lab);
unsigned exec_kind_count(const struct exec_lab *lab); /* that this CPU can run */
const struct exec_kind *exec_kind(const struct exec_lab *lab, unsigned i);

/* Failures are printed; returns their number. kinds: bit i = kind i. */
unsigned exec_case_run(struct exec_lab *lab, struct exec_case *test, uint64_t kinds);
bool exec_file_read(const char *path, struct exec_case *out); /* the header comments: see exec_file.c */
void exec_case_release(struct exec_case *test);

/* exec_memory.c: the memory of a case. Symbols: an address for each variable of a module; NULL: no memory. */
void exec_buffers_make(struct vmem *vmem, struct exec_case *test);
void exec_buffers_fill(struct exec_case *test); /* anew */
void exec_buffers_free(struct vmem *vmem, struct exec_case *test);
uint64_t *exec_symbols_make(struct vmem *vmem, const struct ptx_module *module);
void exec_symbols_fill(const struct ptx_module *module, const uint64_t *symbols, bool oracle);
void exec_symbols_free(struct vmem *vmem, const struct ptx_module *module, uint64_t *symbols);
void exec_pack_params(const struct exec_launch *launch, const struct ptx_function *function, uint8_t *out);

/* What a launch in detailed simulation showed, added up over launches. */
struct exec_detailed {
    uint64_t hash, rounds, requests, ended;
    uint32_t longest;       /* the most requests of a warp in a round */
    VEC(uint64_t) counters; /* of each instruction all that it counts, without numbers of slots */
    const char *wrong;      /* NULL: nothing */
    bool as_oracle;         /* in: blocks on the multiprocessors that the oracle says */
    bool all_resident; /* in: every block has a CTA slot at once, as blocks that wait for later ones need */
};
extern const struct event_tool exec_detail_tool;
/* detail: with ACCESS probes */
enum sw_status exec_detail_launch(struct engine *engine, struct engine_launch *launch, bool detail,
                                  struct exec_detailed *seen, struct sw_error *error);

/* Single instructions: those of exec_ops.def, then those that exec_forms makes of ptx_forms.def. */
struct exec_op {
    const char *text;
    char types[4][24]; /* of d a b c, as in exec_ops.def */
    bool refused;      /* not done: must be refused when it is compiled */
};
struct exec_ops {
    VEC(struct exec_op) rows;
};
void exec_forms(struct exec_ops *out);
unsigned exec_op_count(void);
const char *exec_op_text(unsigned i);
void exec_op_case(unsigned i, struct exec_case *out);

/* Matrix instructions: see exec_matrix.c. */
unsigned exec_matrix_count(void);
bool exec_matrix_is_main(unsigned i);
void exec_matrix_case(unsigned i, struct exec_case *out);

/* Random control flow: the PTX of kernel number `seed`; shape: see exec_graph.c. */
enum exec_shape { EXEC_STRUCTURED, EXEC_ARBITRARY, EXEC_UNIFORM, EXEC_BARRIERS, EXEC_SHUFFLES, EXEC_SHAPES };
void exec_graph_emit(struct str *out, uint64_t seed, enum exec_shape shape, const char *name);

/* Random kernels over the indices of threads, launched by blocks of two shapes (exec_shapes.c). */
void exec_shapes_emit(struct str *out, uint64_t seed, const char *name);
void exec_shapes_case(struct exec_case *out, uint64_t seed);
#endif

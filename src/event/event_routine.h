/* SPDX-License-Identifier: Apache-2.0 */
/* Routines: work of a device that is no kernel of the program's but a call of a library that stands in for
 * one of NVIDIA's, as cublasSgemm. A library of the host computes it; the driver queues it as it queues
 * kernels. For tools it is a launch that counted nothing, with what stands here. */
#ifndef EVENT_ROUTINE_H
#define EVENT_ROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a routine's time is modelled by. */
enum event_routine_kind {
    EVENT_ROUTINE_STREAM, /* reads and writes vectors or matrices once */
    EVENT_ROUTINE_REDUCE, /* reads them, and writes one number */
    EVENT_ROUTINE_GEMM,   /* products of matrices, m by n by k */
    EVENT_ROUTINE_SOLVE,  /* steps that depend on each other: triangular solves */
    EVENT_ROUTINE_FFT,    /* Fourier transforms of one to three dimensions */
    EVENT_ROUTINE_SPARSE, /* k elements that are listed, in m rows, each by n elements that they choose */
    EVENT_ROUTINE_SPARSE_SOLVE, /* the same, rows depending on each other */
    EVENT_ROUTINE_BAND,         /* n systems of m rows with few diagonals, a thread each */
    EVENT_ROUTINE_SORT,         /* of k keys */
    /* LAPACK's, m by n or of order n (timing_routine_lapack.c) */
    EVENT_ROUTINE_CHOLESKY, /* blocked, without pivots */
    EVENT_ROUTINE_INVERSE,
    EVENT_ROUTINE_LU,         /* panels wait for pivots */
    EVENT_ROUTINE_MIXED,      /* LU in low precision, and refinement */
    EVENT_ROUTINE_INDEFINITE, /* symmetric pivots */
    EVENT_ROUTINE_TRIANGLE,   /* solves with Cholesky's factor; k: right sides */
    EVENT_ROUTINE_TRIANGLE_LU,
    EVENT_ROUTINE_QR, /* panels of reflectors */
    EVENT_ROUTINE_LEAST_SQUARES,
    EVENT_ROUTINE_GENERATE,    /* the matrices that reflectors make */
    EVENT_ROUTINE_REFLECT,     /* products with reflectors */
    EVENT_ROUTINE_TRIDIAGONAL, /* reductions that read the whole rest for each column */
    EVENT_ROUTINE_BIDIAGONAL,
    EVENT_ROUTINE_EIGEN,      /* k: 1 with vectors, else 0; the next four likewise */
    EVENT_ROUTINE_EIGEN_PAIR, /* of two matrices */
    EVENT_ROUTINE_SVD,
    EVENT_ROUTINE_JACOBI,     /* eigenvalues by Jacobi's method */
    EVENT_ROUTINE_JACOBI_SVD, /* singular values by Jacobi's method */
    EVENT_ROUTINE_COLLECTIVE, /* moves data between devices: enum event_routine_pattern */
    EVENT_ROUTINE_RANDOM,     /* n random numbers of `batch` dimensions; m, k: the next two enumerations */
    EVENT_ROUTINE_KINDS
};
enum event_random_generator {
    EVENT_RANDOM_XORWOW,
    EVENT_RANDOM_MRG32K3A,
    EVENT_RANDOM_MTGP32,
    EVENT_RANDOM_MT19937,
    EVENT_RANDOM_PHILOX,
    EVENT_RANDOM_SOBOL32, /* scrambled, too, as the next one */
    EVENT_RANDOM_SOBOL64,
    EVENT_RANDOM_GENERATORS
};
enum event_random_numbers {
    EVENT_RANDOM_BITS,
    EVENT_RANDOM_UNIFORM,
    EVENT_RANDOM_UNIFORM_DOUBLE,
    EVENT_RANDOM_NORMAL,
    EVENT_RANDOM_NORMAL_DOUBLE,
    EVENT_RANDOM_LOG_NORMAL,
    EVENT_RANDOM_LOG_NORMAL_DOUBLE,
    EVENT_RANDOM_POISSON,
    EVENT_RANDOM_POISSON_LARGE, /* means of 100 and more */
    EVENT_RANDOM_SEEDS,         /* none: lanes get their states */
};
/* What collectives do, and what the `n` bytes of their struct event_routine are. */
enum event_routine_pattern {
    EVENT_PATTERN_ALL_REDUCE,     /* of each rank's operand */
    EVENT_PATTERN_BROADCAST,      /* of the root's operand */
    EVENT_PATTERN_REDUCE,         /* of each rank's operand */
    EVENT_PATTERN_ALL_GATHER,     /* of what each rank receives */
    EVENT_PATTERN_REDUCE_SCATTER, /* of each rank's operand */
    EVENT_PATTERN_EXCHANGE,       /* between two ranks: the most that goes over a device's links one way */
    EVENT_PATTERN_COUNT
};
/* The units that NVIDIA's library would compute it with. */
enum event_routine_math {
    EVENT_MATH_F64,
    EVENT_MATH_F32,
    EVENT_MATH_TF32,
    EVENT_MATH_F16, /* and bf16 */
    EVENT_MATH_F8,
    EVENT_MATH_I8,
    EVENT_MATH_COUNT
};
/* Which of NVIDIA's kernels compute it, where kind and shape do not say. */
enum event_routine_method {
    EVENT_METHOD_USUAL,
    /* GEMM */
    EVENT_METHOD_RANK_K,        /* a triangle of the result: syrk */
    EVENT_METHOD_RANK_2K,       /* likewise, of two products: syr2k */
    EVENT_METHOD_SYMMETRIC,     /* an operand of order k of which a triangle is stored: symm */
    EVENT_METHOD_TRIANGULAR,    /* an operand of order k that is a triangle: trmm */
    EVENT_METHOD_GRADIENT,      /* an epilogue that reads what a forward pass left */
    EVENT_METHOD_BIAS_GRADIENT, /* likewise, and sums for a bias */
    /* STREAM and REDUCE */
    EVENT_METHOD_DOT,
    EVENT_METHOD_NORM,    /* a sum of squares without overflow: nrm2 */
    EVENT_METHOD_PRODUCT, /* of a matrix and a vector */
    EVENT_METHOD_PRODUCT_TRANSPOSED,
    EVENT_METHOD_TRANSPOSE, /* or another change of a matrix' order */
    /* LAPACK's: complex numbers, the upper triangle */
    EVENT_METHOD_COMPLEX,
    EVENT_METHOD_UPPER,
    EVENT_METHOD_UPPER_COMPLEX,
    /* SPARSE, STREAM and SPARSE_SOLVE of sparse matrices */
    EVENT_METHOD_CSR,
    EVENT_METHOD_CSR_ORDERED, /* with sums in an order that is always the same */
    EVENT_METHOD_CSR_TRANSPOSED,
    EVENT_METHOD_COO,
    EVENT_METHOD_CSR_COLUMNS, /* by operands that stand in columns */
    EVENT_METHOD_CSR_ROWS,    /* in rows */
    EVENT_METHOD_COO_ROWS,
    EVENT_METHOD_SAMPLED,        /* listed elements of a dense product */
    EVENT_METHOD_PHASE_ESTIMATE, /* the phases of a product of sparse matrices */
    EVENT_METHOD_PHASE_COMPUTE,
    EVENT_METHOD_PHASE_COPY,
    EVENT_METHOD_LISTS,         /* writes a list of indices */
    EVENT_METHOD_TO_INDICES,    /* offsets of rows to each element's row */
    EVENT_METHOD_TO_OFFSETS,    /* the other way */
    EVENT_METHOD_MERGE,         /* rows of two matrices */
    EVENT_METHOD_MERGE_COUNT,   /* how many elements they have */
    EVENT_METHOD_TO_BLOCKS,     /* rows to rows of small dense blocks */
    EVENT_METHOD_COUNT_BLOCKS,  /* how many blocks they have */
    EVENT_METHOD_BLOCKS,        /* a matrix of small dense blocks */
    EVENT_METHOD_SORTED_LISTS,  /* lists of indices, sorted: csr2csc */
    EVENT_METHOD_TO_DENSE,      /* to a dense matrix that a fill cleared, which is not counted */
    EVENT_METHOD_COMPRESS,      /* a dense matrix to a sparse one */
    EVENT_METHOD_COUNT,         /* how many of its elements are not 0 */
    EVENT_METHOD_FACTOR,        /* an incomplete factorization */
    EVENT_METHOD_BANDS,         /* systems with few diagonals, each by many threads */
    EVENT_METHOD_BANDS_SHARED,  /* a system for n right sides */
    EVENT_METHOD_BANDS_PIVOTED, /* likewise, with pivots */
    EVENT_METHODS
};
struct event_routine {
    const char *name;  /* of the library's function, "cublasSgemm_v2" */
    const char *shape; /* for people: "m 512, n 512, k 64, T N" */
    uint8_t kind;      /* enum event_routine_kind */
    uint8_t math;      /* enum event_routine_math */
    uint8_t method;    /* enum event_routine_method */
    /* GEMM: the most bytes, up to 16, at multiples of which the columns of all operands begin; 0: 16 */
    uint8_t aligned_bytes;
    /* GEMM: of each product; SOLVE: m steps; FFT: of each dimension, the last first; COLLECTIVE: m ranks, n
     * bytes, k pattern; SPARSE and LAPACK's: above; others: m elements or rows, n columns */
    uint64_t m, n, k;
    uint64_t batch;   /* so many of them; at least 1 */
    uint64_t kernels; /* that NVIDIA launches for it, about; 0: not known */
    /* SPARSE: how many groups of eight columns differ, in each 1,024 elements that follow each other, summed
     * up; 0: not known, as many as elements */
    uint64_t gathered;
    uint64_t steps;       /* SPARSE_SOLVE: rows, at most, that wait for each other; 0: not known */
    uint64_t flops;       /* of all */
    uint64_t read_bytes;  /* that it needs, each once */
    uint64_t wrote_bytes; /* that it changes, each once */
};

/* Memory that a routine reads or writes: rows of `width` bytes, `pitch` bytes from one to the next. */
struct event_routine_range {
    uint64_t address, pitch, width, height;
    bool writes;
};

/* Of an entry whose work was begun by `start`, for the library. Memory of other entries is looked at and
 * touched between `hold` and `let_go`: until then nobody frees what `is_memory` says is there. */
struct event_routine_part {
    void *token; /* of this entry */
    /* Once, on any thread, even before `start` returned: its part is done. failure: a CUresult with which its
     * context fails, or 0. */
    void (*done)(void *token, int failure);
    /* Before any of them is done: what these entries do they do at the same time, after all that came before
     * each. For the virtual clock, and for what races. */
    void (*join)(void *const *tokens, uint32_t count);
    void (*hold)(void);
    void (*let_go)(void);
    bool (*is_memory)(uint64_t address, uint64_t bytes, bool writes);
};

/* What a library hands to the driver. Everything is copied by the call that queues it. */
enum { EVENT_ROUTINE_SHAPE = 160 }; /* implementation: bytes of a shape that `describe` writes */
struct event_routine_work {
    struct event_routine what;
    /* Where a tool listens, first when its turn comes: fills `what`, of which only the name need be there
     * before. NULL: it is whole. */
    void (*describe)(const void *args, struct event_routine *what, char shape[EVENT_ROUTINE_SHAPE]);
    /* On a thread of the driver, when its turn comes; args: as given. Returns 0, or a CUresult with which the
     * context fails. */
    int (*run)(const void *args);
    /* For tools, just before `run`: says what was not known when it was queued. */
    void (*measure)(const void *args, struct event_routine *what);
    /* Instead of `run`, of work that several queues do together, as collectives: begins it, when its turn
     * comes. Until the part is done the entry stays at the head of its queue, and no thread waits. */
    void (*start)(const void *args, const struct event_routine_part *part);
    /* `run` takes some microseconds at most: the thread that queues it may run it itself, where nothing comes
     * before it, since to hand it to another one would take as long. */
    bool brief;
    /* With `start`: all that do it together are queued by this thread, one right after the other. */
    bool whole;
    /* It will not be begun, or nobody waits for its end any more: its context failed. NULL: that is nobody's
     * concern. */
    void (*drop)(const void *args);
    /* Range number i of those that `run` accesses, asked for in their order, i from 0, just before `run`;
     * false: there are no more. A range may be of pointers in memory of the device, which later ranges
     * follow: each is found to be good before the next is asked for. */
    bool (*range)(const void *args, uint32_t i, struct event_routine_range *out);
    /* Few ranges that contain all that `range` names, asked for likewise: where all are good, `range` is not
     * asked. They may contain more, which is not accessed. NULL: there are none. */
    bool (*cover)(const void *args, uint32_t i, struct event_routine_range *out);
    const void *args;
    size_t arg_bytes;
};
/* Found by cuGetProcAddress under this name in Softwarp's libcuda alone; stream: a CUstream. Returns a
 * CUresult. What is captured becomes a node of the graph. */
#define EVENT_ROUTINE_SYMBOL "softwarpRoutineSubmit"
typedef int event_routine_submit_fn(void *stream, const struct event_routine_work *work);
#endif

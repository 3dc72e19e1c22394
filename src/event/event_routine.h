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
    EVENT_ROUTINE_QR,          /* panels of reflectors */
    EVENT_ROUTINE_GENERATE,    /* the matrices that reflectors make */
    EVENT_ROUTINE_REFLECT,     /* products with reflectors */
    EVENT_ROUTINE_TRIDIAGONAL, /* reductions that read the whole rest for each column */
    EVENT_ROUTINE_BIDIAGONAL,
    EVENT_ROUTINE_EIGEN, /* k: 1 with vectors, else 0; the next three likewise */
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
struct event_routine {
    const char *name;  /* of the library's function, "cublasSgemm_v2" */
    const char *shape; /* for people: "m 512, n 512, k 64, T N" */
    uint8_t kind;      /* enum event_routine_kind */
    uint8_t math;      /* enum event_routine_math */
    /* GEMM: of each product; SOLVE: m steps; FFT: of each dimension, the last first; COLLECTIVE: m ranks, n
     * bytes, k pattern; SPARSE and LAPACK's: above; others: m elements or rows, n columns */
    uint64_t m, n, k;
    uint64_t batch;       /* so many of them; at least 1 */
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
struct event_routine_work {
    struct event_routine what;
    /* On a thread of the driver, when its turn comes; args: as given. Returns 0, or a CUresult with which the
     * context fails. */
    int (*run)(const void *args);
    /* Instead of `run`, of work that several queues do together, as collectives: begins it, when its turn
     * comes. Until the part is done the entry stays at the head of its queue, and no thread waits. */
    void (*start)(const void *args, const struct event_routine_part *part);
    /* With `start`: all that do it together are queued by this thread, one right after the other. */
    bool whole;
    /* It will not be begun, or nobody waits for its end any more: its context failed. NULL: that is nobody's
     * concern. */
    void (*drop)(const void *args);
    /* Range number i of those that `run` accesses, asked for in their order, i from 0, just before `run`;
     * false: there are no more. A range may be of pointers in memory of the device, which later ranges
     * follow: each is found to be good before the next is asked for. */
    bool (*range)(const void *args, uint32_t i, struct event_routine_range *out);
    const void *args;
    size_t arg_bytes;
};
/* Found by cuGetProcAddress under this name in Softwarp's libcuda alone; stream: a CUstream. Returns a
 * CUresult. What is captured becomes a node of the graph. */
#define EVENT_ROUTINE_SYMBOL "softwarpRoutineSubmit"
typedef int event_routine_submit_fn(void *stream, const struct event_routine_work *work);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What checkers find in a program: wrong accesses of its kernels, races, misused barriers, calls that failed.
 * A finding is one fact with who did it, where, and what it was done to. */
#ifndef EVENT_FINDING_H
#define EVENT_FINDING_H

#include "isa/isa.h"

#include <stdbool.h>
#include <stdint.h>

struct event_kernel;

/* What is looked for: bits of session_options.checks and of event_tool.checks. */
enum event_check {
    EVENT_CHECK_MEMORY = 1,        /* wrong accesses, wrong frees, launches that fail */
    EVENT_CHECK_INIT = 2,          /* reads of what nobody wrote */
    EVENT_CHECK_RACE_GLOBAL = 4,   /* accesses of global memory that nothing orders, the host's among them */
    EVENT_CHECK_SYNC = 8,          /* barriers and operations of a warp, misused */
    EVENT_CHECK_LEAKS = 16,        /* memory that is never freed */
    EVENT_CHECK_UNUSED = 32,       /* memory that nobody reads or writes */
    EVENT_CHECK_CALLS = 64,        /* CUDA calls that return an error, */
    EVENT_CHECK_ALL_CALLS = 128,   /* and where the error is an answer, or repeats what failed before */
    EVENT_CHECK_RACE_SHARED = 256, /* accesses of shared memory that nothing orders */
    EVENT_CHECK_RACE = EVENT_CHECK_RACE_GLOBAL | EVENT_CHECK_RACE_SHARED
};

enum event_finding_kind {
    EVENT_FINDING_BOUNDS,        /* an access of bytes that no live allocation has */
    EVENT_FINDING_PADDING,       /* a write between the rows of an allocation: `message` says where */
    EVENT_FINDING_MISALIGNED,    /* of an address that is no multiple of its bytes */
    EVENT_FINDING_FAULT,         /* a launch failed by anything else: `message` says how */
    EVENT_FINDING_FREE,          /* memory freed twice, or freed that was never allocated */
    EVENT_FINDING_LEAK,          /* an allocation is live when its context or the program ends */
    EVENT_FINDING_CALL,          /* a CUDA call returned an error: `message` is its name and text */
    EVENT_FINDING_UNINITIALIZED, /* a read of bytes that nobody wrote */
    EVENT_FINDING_UNUSED,        /* an allocation that nobody read or wrote */
    EVENT_FINDING_RACE,          /* `place` after `other`, which nothing orders before it */
    EVENT_FINDING_BARRIER,       /* a barrier or an operation of a warp is misused: `message` says how */
    EVENT_FINDING_SCHEDULE,      /* a result depends on the order of blocks and warps: `message` says which;
                                    of the program's exit status, place.has_value */
    EVENT_FINDING_COUNT
};

/* A part of a formula that is no expression of constants, parameters and indices. */
enum event_term_kind {
    EVENT_TERM_LOADED,   /* read from memory at line[0] */
    EVENT_TERM_SET,      /* by one of several instructions, at line[0], line[1] and others */
    EVENT_TERM_COMPUTED, /* at line[0], in a way that is not followed */
    EVENT_TERM_TURNS,    /* times that the loop with line[0] began again */
    EVENT_TERM_KINDS
};
struct event_term {
    uint8_t kind;   /* enum event_term_kind */
    bool known;     /* its value: */
    uint8_t modulo; /* 2^modulo, 0: exactly */
    int64_t value;
    uint32_t line[2];   /* of PTX; 0: none */
    const char *name;   /* in the formula */
    const char *source; /* LOADED: the address, as an expression; NULL: not known */
};
/* How an address came about. Texts are expressions of C in which "parameter 2" is the kernel's second
 * parameter and variables have PTX's names; the same with the thread's numbers is NULL where not all of them
 * are known. */
struct event_formula {
    const char *index, *index_values;     /* NULL: the address has none */
    const char *address, *address_values; /* index or offset is "index" or "offset" in it; NULL: not known */
    bool is_offset, value_known;          /* the index is in bytes; what it is: */
    int64_t value;
    uint32_t term_count;
    struct event_term terms[4];
};

/* A call of the program. NULL: not known. */
struct event_caller {
    const char *call;     /* CUDA's function */
    const char *where;    /* file:line; as recorded: places in files, innermost first, one a line */
    const char *function; /* that holds it, mangled, once someone looked at files for it */
};

/* One side of a finding: a thread at an instruction, or a call of the host. */
struct event_place {
    const struct event_kernel *kernel; /* NULL: the host, or unknown */
    uint32_t line;                     /* PTX line in the kernel's module; 0: not known */
    uint32_t block[3], thread[3];
    uint32_t bytes; /* of the thread's access; 0: none */
    bool writes, atomic, has_value;
    uint64_t value;           /* that was read or written, in the lowest `bytes` bytes */
    const char *call, *where; /* host: CUDA's function, and file:line or function that called it; else NULL */
    struct event_caller launched; /* kernel: by whom */
};
struct event_finding {
    enum event_finding_kind kind;
    enum isa_space space; /* of the address; ISA_SPACE_NONE: none */
    bool has_other;
    bool between_proxies; /* of a race: ordered, but for the fence of proxies */
    bool with_copy;       /* of a race: an access is that of an asynchronous copy (cp.async, bulk) */
    bool between_tasks;   /* of a race: of two launches, copies or fills; launches may be of one kernel */
    struct event_place place, other;
    uint64_t address;             /* shared and local memory: offset in the block's, or in the thread's */
    uint64_t base, size;          /* the allocation, or the nearest one; size 0: there is none */
    bool freed;                   /* and it is free already */
    const char *variable;         /* name of a variable of the program that it is; else NULL */
    const char *made, *where;     /* CUDA's function that made it, and its caller; NULL: not known */
    uint64_t count;               /* findings like this at the same lines, with this first one */
    const char *message;          /* NULL: none */
    struct event_formula formula; /* of the address at `place` */
};
#endif

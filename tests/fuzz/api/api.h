/* SPDX-License-Identifier: Apache-2.0 */
/* The API fuzzer: tables that table.py makes, random values for parameters (api_values.c), and sequences of
 * calls (api_sequence.c). fuzz_api.c runs each sequence in a process of its own. */
#ifndef FUZZ_API_H
#define FUZZ_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum kind {
    T_INT,
    T_FLOAT,
    T_ENUM,
    T_HANDLE,
    T_POINTER,
    T_RECORD,
    T_KEPT, /* a record that one call writes and another reads: handles of other processes and the like */
    T_VOID,
    T_VOIDS,
    T_TEXT,
    T_CALLBACK
};

/* What a number or pointer means (CLASSES in table.py). */
enum class {
    C_NONE,
    C_RESERVED,
    C_FD,
    C_FLAGS,
    C_DEVICE,
    C_SOURCE, /* CUDA C++ */
    C_WORDS,  /* options of compilers */
    C_IMAGE,
    C_IMAGE_BYTES,
    C_PATH,
    C_PARAMS,
    C_EXTRA,
    C_OPTIONS,
    C_OPTION_COUNT,
    C_COUNT,
    C_CHANNELS,
    C_DIM,
    C_BLOCK,
    C_SIZE,
    C_ROWS, /* and slices: of few rows a slice stays small enough for host memory */
    C_ANY,
    C_COPIED, /* an address that a copy may take for host memory: none that is no memory */
    C_CODE,   /* what is written there is a function of the host */
    C_FUNC,
    C_MEMORY /* of the device, whatever the type of the pointer */
};

struct field {
    const char *name;
    size_t offset;
    unsigned type;
    enum class class;
    size_t count; /* of an array; 1 */
};

struct type {
    const char *spelling;
    enum kind kind;
    size_t size;
    const struct field *fields;
    const long long *values;
    unsigned count;  /* of fields or values */
    unsigned to;     /* T_POINTER */
    unsigned handle; /* T_HANDLE, T_KEPT: index of HANDLE_NAMES */
    bool constant;
};

enum { MOST_PARAMETERS = 32, MOST_FUNCTIONS = 4096, API_LIBRARIES = 13 };
struct function {
    const char *name;
    int library; /* 0: libcuda, 1: libcudart, 2 and more: stand-ins (api_libraries) */
    int (*call)(void *function, void **arguments);
    unsigned count;
    struct field parameters[MOST_PARAMETERS]; /* without offset and count */
};

extern const struct type *const api_types;
extern const struct function *const api_functions;
extern const char *const *const api_handle_names;
extern const char *const api_libraries[API_LIBRARIES];
/* base: without the stand-in libraries, which come last */
extern const unsigned api_function_count, api_handle_count, api_base_functions, api_base_handles;

/* ---- random numbers, the same for a seed on every machine */
uint64_t api_random(uint64_t *state);
static inline unsigned api_below(uint64_t *state, unsigned limit)
{
    return (unsigned)(api_random(state) % limit);
}

/* ---- values */
enum { SLOTS = 8, EXPRESSION = 160, MOST_OUTPUTS = 12, ELEMENTS = 8, CELL_BYTES = 128 };
struct output { /* handles that a call may have written */
    uint64_t *at, before[ELEMENTS];
    unsigned handle, slot;
    char name[16];
};
struct values {
    uint64_t state;
    unsigned bad; /* how many in a thousand values are wrong on purpose */
    bool wild;    /* any size, and then no host memory that is as large; else sizes that fit it */
    bool inside;  /* no address before an allocation, which may be no memory of anyone */
    bool waits;   /* the call may wait for ever by right */
    FILE *print;  /* C statements that make the values; NULL */
    unsigned temporaries;
    struct output outputs[MOST_OUTPUTS];
    unsigned output_count;
    size_t scratch;                                       /* bytes that the lists of this call take */
    _Alignas(16) char cells[MOST_PARAMETERS][CELL_BYTES]; /* of arguments */
};

void api_values_open(void);
size_t api_values_bytes(void); /* of address space */
/* The arguments of a call: pointers to their values in arguments, their text in expressions. */
void api_values_make(struct values *v, const struct function *function, void **arguments,
                     char (*expressions)[EXPRESSION]);
/* What a call that succeeded wrote becomes the handles of later calls. */
void api_values_keep(struct values *v, const struct function *function, void **arguments);
void api_values_declare(FILE *print);

/* ---- what a sequence finds made */
enum { WORLD_GROUPS = 8 };
extern const char *const api_world_names[];
void api_world_make(void *libcuda, unsigned groups);
void api_slot_set(const char *kind, unsigned slot, uint64_t handle);
uint64_t api_slot_get(const char *kind, unsigned slot);
void api_file_set(unsigned slot, int file);
void *api_kept(const char *kind); /* the first record kept of a kind */
void *api_host(void);
void *api_callback(void); /* a function without parameters that does nothing */

/* ---- sequences */
enum { MOST_CALLS = 190, MOST_THREADS = 8 };
struct call {
    uint64_t seed;
    unsigned function, thread, bad;
    bool wild, removed;
};
struct sequence {
    struct call calls[MOST_CALLS];
    unsigned count, threads, world; /* groups of objects that it finds made */
    bool stand_ins;                 /* calls of these libraries are among them */
};
struct progress { /* shared with the process that runs a sequence */
    int at[MOST_THREADS];
    bool waits, done;
    _Atomic uint64_t calls; /* this and what was reached: of all sequences of a worker */
    unsigned char called[MOST_FUNCTIONS], succeeded[MOST_FUNCTIONS];
};

struct choice {
    int only;         /* a function that most calls are of, or -1 */
    unsigned threads; /* 0: a random number */
    bool stand_ins;   /* most calls are of a stand-in library, the others make what these take */
};
void api_sequence_make(struct sequence *sequence, uint64_t seed, const struct choice *choice);
/* Looks up all functions of libraries that are loaded. */
void api_sequence_prepare(void *const *libraries);
void api_sequence_run(const struct sequence *sequence, void *const *libraries, struct progress *progress,
                      FILE *print);

#endif

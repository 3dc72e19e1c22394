/* SPDX-License-Identifier: Apache-2.0 */
/* The suite's table (suite.def) as data, and the three contenders that run it: native C, PoCL and Softwarp.
 */
#ifndef SUITE_H
#define SUITE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum suite_buffer {
#define BUFFER(name, type, count, fill) name,
#define ROW(...)
#include "suite.def"
#undef BUFFER
#undef ROW
    BUFFERS
};

enum suite_kind { PLAIN, COOPERATIVE /* barriers, warps or divergence */ };
enum suite_element { WORDS, FLOATS, BYTES };
enum suite_arg_kind { NO_ARG, BUFFER_ARG, WORD_ARG, STEP_ARG /* the number of the step, from 0 */ };
enum { SUITE_ARGS = 10, SUITE_LAUNCHES = 3, KEEP = -2, ZERO = -1 };

struct suite_arg {
    enum suite_arg_kind kind;
    union {
        uint32_t value; /* an enum suite_buffer, or the bits of an int */
        float number;
    };
};
struct suite_launch {
    const char *kernel; /* NULL: no more launches */
    unsigned grid[2], block[2];
    struct suite_arg args[SUITE_ARGS];
};
struct suite_row {
    const char *name;
    enum suite_kind kind;
    enum suite_element element; /* of the outputs, which are at the start of Z */
    size_t outputs;
    double tolerance; /* relative; approximate functions and other orders of summation differ */
    int reset;        /* what Z holds before a run: a buffer's contents, ZERO, or KEEP: it does not matter */
    unsigned steps;   /* how often the launches run */
    struct suite_launch launches[SUITE_LAUNCHES];
};

struct suite_contender {
    const char *name;
    void (*reset)(int from, size_t bytes); /* Z becomes the first bytes of a buffer, or zero */
    void (*run)(const struct suite_row *row);
    void (*read)(void *to, size_t bytes); /* the first bytes of Z */
};

extern void *suite_host[BUFFERS];
extern const size_t suite_bytes[BUFFERS];

void suite_inputs_make(void);

/* Fills `contender`; false if there is no such contender here. Needs the inputs. `ptx`: a file;
 * `folder`: of the kernels. Ends the process if what is there does not work. */
bool suite_softwarp_open(struct suite_contender *contender, const char *ptx);
bool suite_pocl_open(struct suite_contender *contender, const char *folder);
#endif

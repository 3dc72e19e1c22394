/* SPDX-License-Identifier: Apache-2.0 */
/* Long lives: one process makes and destroys things, or launches kernels, millions of times, and its memory
 * does not grow. A life does one step of it after the other; lives.c counts and measures. */
#ifndef LIVES_H
#define LIVES_H

#include "load.h"

#include <stdbool.h>
#include <stdint.h>

/* A thread's part of a life. `step` counts from 0 in each thread; calls of a life from several threads share
 * nothing but the context. */
struct life {
    const char *name, *what;
    void (*begin)(void);         /* once, before all steps; NULL: nothing */
    void (*step)(uint64_t step); /* any thread */
    void (*end)(void);           /* what a thread holds is given back, before memory is measured */
    unsigned few;                /* steps of the short form */
};

extern const struct life lives_modules[], lives_launches[], lives_memory[], lives_libraries[];

/* A number that depends on the seed alone; not 0. */
static inline uint64_t lives_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
#endif

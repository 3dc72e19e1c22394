/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that were changed at random, run by the oracle and as compiled code. A number makes the same kernel
 * each time. */
#ifndef KERNELS_H
#define KERNELS_H

#include "exec.h"

/* kernels_seeds.c: what is changed. Names of files of tests/exec/kernels; then single instructions, random
 * control flow and random indices. One launch of a few threads. */
void kernels_seeds(char **files, unsigned count);
void kernels_seed(uint64_t *random, struct exec_case *out); /* exec_case_release */

/* kernels_mutate.c: the text of the case with one to six changes. */
void kernels_mutate(uint64_t *random, struct exec_case *test);
/* The text's statements, one after the other, which make the text together; the count. */
typedef VEC(char *) kernels_list;
void kernels_split(const char *text, kernels_list *out);
void kernels_join(const kernels_list *list, struct str *out);
void kernels_list_release(kernels_list *list);

static inline uint64_t kernels_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline unsigned kernels_pick(uint64_t *state, unsigned count)
{
    return (unsigned)(kernels_random(state) % (count ? count : 1));
}

/* kernels_run.c: in a process of its own. Where it is, for the one that watches. */
enum kernels_stage { KERNELS_IDLE, KERNELS_ORACLE, KERNELS_COMPILE, KERNELS_LAUNCH };
enum kernels_verdict {
    KERNELS_UNSEEN,    /* no verdict: the process has died */
    KERNELS_REJECTED,  /* does not verify */
    KERNELS_REFUSED,   /* not done, or too large: said when it is compiled */
    KERNELS_EQUAL,     /* result or error */
    KERNELS_UNDEFINED, /* has run; the oracle defines no result */
    KERNELS_ADDRESSES, /* differs, but has used addresses that may differ */
    KERNELS_DIFFERENT,
    KERNELS_VERDICTS
};
struct kernels_state { /* shared by both processes */
    enum kernels_stage stage;
    uint64_t index, since_ms;
    bool skip_oracle; /* it has died of this one */
    bool endless;     /* for all that the oracle knows: may be stopped soon */
    enum kernels_verdict verdict;
    char what[600]; /* how it differs, or why it is undefined */
};
struct kernels_lab;
/* way: which code is compiled: instruction set, tiers, specialised or not. */
struct kernels_lab *kernels_lab_new(unsigned way, struct kernels_state *state);
void kernels_lab_free(struct kernels_lab *lab);
void kernels_run(struct kernels_lab *lab, struct exec_case *test);
uint64_t kernels_now_ms(void);
#endif

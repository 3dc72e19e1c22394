/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a driver library in unusual states and with bad arguments; each answer is a line.
 * conform_main.c runs each part in a process of its own, and again after a crash. conform_sweep.c replaces
 * the arguments of each call of conform_calls.def by bad ones, one at a time; the other parts list their
 * calls. All calls go through the public driver API of the loaded library. */
#ifndef CONFORM_H
#define CONFORM_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- processes (conform_main.c) */
/* Begin a case: false when an earlier process of this part has answered it, or crashed in it. */
bool conform_case(const char *name);
/* Its answer; printed unless an earlier process printed it. */
void conform_answer(const char *text);
/* The context is lost, or may be lost: print this on the line, and continue in a new process. */
void conform_lost(const char *text) __attribute__((noreturn));
const char *conform_error(CUresult result); /* without CUDA_ERROR_; "?N" when unknown */
#define MUST(call)                                                                                           \
    do {                                                                                                     \
        CUresult must_ = (call);                                                                             \
        if (must_ != CUDA_SUCCESS) conform_must(#call, must_);                                               \
    } while (0)
void conform_must(const char *call, CUresult result) __attribute__((noreturn));
/* A case that is one call. */
void conform_say(const char *name, CUresult result);
#define ASK(call)                                                                                            \
    do {                                                                                                     \
        if (conform_case(#call)) conform_say(NULL, call);                                                    \
    } while (0)
/* A case that prints what it likes. */
#define TELL(name, ...)                                                                                      \
    do {                                                                                                     \
        char tell_[256];                                                                                     \
        snprintf(tell_, sizeof(tell_), __VA_ARGS__);                                                         \
        if (conform_case(name)) conform_answer(tell_);                                                       \
    } while (0)

/* ---- values of arguments (conform_values.c, conform_objects.c, conform_structs.c) */
enum { SCRATCH_BYTES = 8192, ARGUMENTS = 12 };
struct token { /* kind[!][:good[:bad,bad]] */
    char kind[24], good[64], bad[160];
    bool fresh;
};
struct value {
    uint64_t bits;
    char name[160];
    CUstream stream; /* made for this call alone, to be freed of a capture */
};
/* The value number n of an argument; 0 is the good one. slot: the argument's position. False: there is
 * no such value. */
bool conform_value(const struct token *token, unsigned index, unsigned slot, struct value *out);
/* 1: built at that place; 0: no more; -1: no structure. */
int conform_struct(const struct token *token, unsigned index, void *at, const char **name);
bool conform_object(const struct token *token, unsigned index, struct value *out);
uint64_t conform_good(const char *kind); /* the shared object of that kind */
struct object {                          /* a kind (conform_make.c) */
    const char *kind;
    uint64_t (*make)(void);
    void (*end)(uint64_t);
    const char
        *other; /* what is passed for one of another kind; NULL: memory, whose bad values are addresses */
};
extern const struct object conform_objects[];
extern const unsigned conform_object_count;
void *conform_scratch(unsigned slot);
extern CUcontext conform_context; /* that everything is made in; NULL: no driver yet */
void conform_begin(void);         /* cuInit and the context */
extern const char conform_ptx[];
CUfunction conform_function(const char *name); /* of the shared module */
CUresult conform_fault(const char *kernel);    /* run it and synchronise */

/* ---- parts */
struct part {
    const char *name;
    void (*run)(const char *name);
};
void conform_sweep(const char *family);
void conform_state(const char *state);
void conform_queries(const char *name);
void conform_faults(const char *name);
void conform_sequences(const char *name);
void conform_peers(const char *name);
void conform_frees(void);
void conform_registrations(void);
void conform_mappings(void);
void conform_pools(void);
void conform_events(void);
void conform_captured_graphs(void);
void conform_greens(void);
void conform_first_forms(void);
void conform_captures(void);
void conform_graphs(void);
void conform_thread(void (*run)(void *), void *with); /* in another thread, to its end */
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* nvrtc: NVRTC on the compiler of `softwarp cc`. A program is compiled by a process of clang's
 * (toolchain_device_compile); a cubin holds the PTX of it. Statuses and words of messages are those of NVRTC
 * 13.0, found by calling it. */
#ifndef NVRTC_PRIV_H
#define NVRTC_PRIV_H

#include "nvrtc.h"

#include "base/base.h"
#include "base/base_handles.h"
#include "toolchain/toolchain.h"

#include <stdbool.h>

#define NVRTC_API __attribute__((visibility("default"))) nvrtcResult

/* Return a failing code at once. */
#define NVRTC_TRY(expr)                                                                                      \
    do {                                                                                                     \
        nvrtcResult nvrtc_try_ = (expr);                                                                     \
        if (nvrtc_try_ != NVRTC_SUCCESS) return nvrtc_try_;                                                  \
    } while (0)

/* In what libnvrtc.so.13 and .12 differ. */
struct nvrtc_abi {
    int major, minor;
    uint32_t default_sm; /* where no architecture is asked for */
    const uint32_t *capabilities;
    uint32_t capability_count;
};
extern const struct nvrtc_abi nvrtc_abi;

struct nvrtc_expression {
    char *text, *lowered; /* lowered: NULL before compilation */
};

struct _nvrtcProgram {
    struct toolchain_text source, *headers; /* texts are owned */
    uint32_t header_count;
    VEC(struct nvrtc_expression) expressions;
    struct str log, ptx, cubin, lto;
    bool tried, compiled; /* nvrtcCompileProgram was called; and was successful */
    int (*callback)(void *payload, void *reserved);
    void *payload;
};

/* Whether a program was made and not destroyed: for others all functions return
 * NVRTC_ERROR_INVALID_PROGRAM. A program belongs to one thread at a time. */
bool nvrtc_program_lives(const struct _nvrtcProgram *program);

/* What the options of one compilation ask for. */
struct nvrtc_options {
    struct arena *arena;
    VEC(const char *) words; /* clang's */
    uint32_t sm, max_registers;
    char suffix;
    bool real;           /* sm_NN: a cubin is made */
    bool lto;            /* the PTX is handed out in the place of LTO-IR */
    bool default_device; /* what has no execution space is the device's, too */
    bool syntax_only;    /* nothing is made */
    bool reports;        /* what each kernel needs goes to the log */
    bool optimises;      /* an -O is among the words */
};
/* Options as given to nvrtcCompileProgram; what is wrong with one is added to log. The caller releases
 * words. */
nvrtcResult nvrtc_options_read(const char *const *given, int count, struct nvrtc_options *out,
                               struct str *log);

/* Clang's log in the form of NVRTC's, for a program of this name. failed: errors are counted at its end. */
void nvrtc_log_convert(const struct str *from, const char *name, bool failed, struct str *to);

/* Source after the program's, which makes each expression a variable; and from the PTX that came of it the
 * names that they have there, without the variables. false: one is missing. */
void nvrtc_names_source(const struct _nvrtcProgram *program, struct str *out);
bool nvrtc_names_take(struct _nvrtcProgram *program, struct str *ptx);
/* Names that clang gives to what has no linkage become those that NVRTC gives. */
void nvrtc_names_unmark(struct str *ptx);
void nvrtc_names_forget(struct _nvrtcProgram *program);
#endif

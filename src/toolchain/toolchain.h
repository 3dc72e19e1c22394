/* SPDX-License-Identifier: Apache-2.0 */
/* toolchain: `softwarp cc`, a front end of clang 19 that compiles CUDA C++ with Softwarp's own headers and
 * device library; the two small tools that clang expects to find in a CUDA folder; `softwarp ptxas`; and what
 * libraries need that compile device code in memory. */
#ifndef TOOLCHAIN_TOOLCHAIN_H
#define TOOLCHAIN_TOOLCHAIN_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

/* argv[0] is "cc" (or the program's name); the rest are clang's arguments and the nvcc ones that
 * toolchain_options.c lists. Returns the exit status: clang's own, 2 for wrong use, 3 for what cannot be
 * compiled without NVIDIA's tools, 5 when a part of the installation is missing. Prints errors itself. */
int toolchain_cc_main(int argc, char **argv);

/* The program of <sdk>/bin/ptxas and <sdk>/bin/fatbinary; which one, argv[0] says. */
int toolchain_sdk_main(int argc, char **argv);

/* `softwarp ptxas`, also for compilers that run a ptxas: ptxas' own options. Prints errors and reports as
 * that does; returns 0, or 255 as ptxas does when something is wrong. */
int toolchain_ptxas_main(int argc, char **argv);

/* ---- PTX */

/* What to do with PTX on its way into a container. */
struct toolchain_ptx_use {
    bool describes;         /* find what each kernel needs, and write it as ptxas -v does */
    uint32_t max_registers; /* the most registers of kernels without launch bounds; 0: any number */
    uint32_t sm;            /* make a cubin for this device (fatbin_cubin_write; with `describes`); 0: none */
    char suffix;            /* of sm: 'a', 'f' or 0 */
};
struct fatbin_resources;
struct toolchain_ptx {
    struct str report, cubin;
    struct fatbin_resources *kernels;
    uint32_t count, sm; /* sm: of the text */
    struct arena arena;
};
/* Check text as the driver will when the program runs, and apply use to it. `name`: for messages. The caller
 * releases after SW_OK only. */
enum sw_status toolchain_ptx_take(struct str *text, const char *name, const struct toolchain_ptx_use *use,
                                  struct toolchain_ptx *out, struct sw_error *error);
void toolchain_ptx_release(struct toolchain_ptx *ptx);
/* "ptxas FILE, line 3; error   : ...": an error of PTX in ptxas' words. */
void toolchain_ptx_error(const struct sw_error *error, const char *name, struct str *out);

/* ---- targets */

/* The compute capabilities that CUDA 13.0 and 12.9 compile for, ascending (`ptxas --help`,
 * nvrtcGetSupportedArchs, and the release notes of 12.9). */
enum { TOOLCHAIN_CAPABILITIES_13 = 12, TOOLCHAIN_CAPABILITIES_12 = 19 };
extern const uint32_t toolchain_capabilities_13[TOOLCHAIN_CAPABILITIES_13];
extern const uint32_t toolchain_capabilities_12[TOOLCHAIN_CAPABILITIES_12];
/* "sm_90a" or "compute_90a" (*real says which): the number, and 'a', 'f' or 0. */
bool toolchain_target_read(const char *text, uint32_t *sm, char *suffix, bool *real);
bool toolchain_target_is_among(uint32_t sm, const uint32_t *capabilities, uint32_t count);

/* ---- device code in memory */

/* Clang's words for an option of nvcc's that is on or off ("--use_fast_math", "--fmad"), in one text. */
const char *toolchain_words_of(const char *option, bool on);

struct toolchain_text {
    const char *name, *text;
};
/* A source with headers that only this compilation sees. Headers of the host are not read
 * (__CUDACC_RTC__, cuda/include/softwarp/rtc.h). */
struct toolchain_device {
    struct toolchain_text source;
    const struct toolchain_text *headers;
    uint32_t header_count;
    const char *before, *after; /* source around it: no lines of the source's */
    const char *const *words;   /* clang's: -D, -I, -std=, ... */
    uint32_t word_count;
    uint32_t sm;
    char suffix;
};
struct toolchain_device_result {
    struct str ptx, log; /* log: clang's, FILE(LINE): error: ... */
    bool compiled;
};
/* Runs clang as a process. Threads may compile at the same time. The caller releases both texts after SW_OK;
 * otherwise clang could not be run. */
enum sw_status toolchain_device_compile(const struct toolchain_device *device,
                                        struct toolchain_device_result *out, struct sw_error *error);
#endif

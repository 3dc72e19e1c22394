/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of `softwarp cc`. */
#ifndef TOOLCHAIN_PRIV_H
#define TOOLCHAIN_PRIV_H

#include "toolchain/toolchain.h"

#include "base/base.h"

#include <stdbool.h>

/* Where the parts of the installation are; absolute, from the arena given to toolchain_find. */
struct toolchain_paths {
    const char *sdk;       /* what clang takes for a CUDA folder: bin/ptxas, bin/fatbinary, nvvm/libdevice */
    const char *include;   /* our CUDA headers */
    const char *libraries; /* libcudart.so.13 and its neighbours */
    const char *clang;     /* clang++, version 19 */
};
enum sw_status toolchain_find(struct arena *arena, struct toolchain_paths *out, struct sw_error *error);

typedef VEC(const char *) toolchain_args;

/* How clang is started, and how the device half of CUDA is compiled, whatever else is asked for. */
void toolchain_add_device(toolchain_args *words, struct arena *arena, const struct toolchain_paths *paths);
/* Run a command (NULL at the end); log: a file for what it prints, or NULL. The exit status is not known
 * where there is a log and the program ignores its children. */
enum { TOOLCHAIN_UNKNOWN = -1 };
enum sw_status toolchain_run(char *const *words, const char *log, int *exit_code, struct sw_error *error);
enum sw_status toolchain_file_read(const char *path, struct str *out, struct sw_error *error);
enum sw_status toolchain_file_write(const char *path, const struct str *bytes, struct sw_error *error);

/* The highest target of clang's that is not above sm. */
const char *toolchain_target_of_clang(struct arena *arena, uint32_t sm, char suffix);

/* A list for clang's virtual file system (-ivfsoverlay): what is read in the place of which path. */
void toolchain_listing_add(struct str *listing, const char *path, const char *copy);
enum sw_status toolchain_listing_write(const struct str *listing, const char *path, struct sw_error *error);

/* A folder for files of the command under way; {0}: none. Those that killed commands left are removed when
 * one is made. */
struct toolchain_folder {
    char path[32]; /* empty: none */
    int file;      /* locked as long as the command runs; -1: it could not be */
};
enum sw_status toolchain_folder_make(struct toolchain_folder *out, struct sw_error *error);
void toolchain_folder_remove(struct toolchain_folder *folder); /* and what is in it */

enum toolchain_output { TOOLCHAIN_PROGRAM, TOOLCHAIN_PTX, TOOLCHAIN_FATBIN };

/* What is asked for instead of a compilation. */
enum toolchain_answer { TOOLCHAIN_COMPILE, TOOLCHAIN_VERSION, TOOLCHAIN_HELP, TOOLCHAIN_TARGETS };

struct toolchain_overlay;

/* What the command line asks for, in clang's terms. */
struct toolchain_options {
    struct arena *arena;
    toolchain_args clang;     /* passed on, in order */
    toolchain_args targets;   /* "sm_80" ..., without duplicates */
    struct str entry_options; /* kept in the fat binary, as nvcc keeps them: "-maxrregcount=32 ..." */
    const char *output;       /* -o, or NULL */
    const char *input;        /* the last input file, or NULL */
    enum toolchain_output kind;
    toolchain_args sources, files; /* CUDA sources; all other files */
    toolchain_args codes;          /* values of -code */
    toolchain_args noted;          /* options of which a message was given */
    toolchain_args libraries;      /* -lNAME of NVIDIA's libraries, left out */
    toolchain_args run_arguments;
    enum toolchain_answer answer;
    const struct toolchain_overlay *overlay; /* of the command under way, or NULL */
    const char *target_prefix;               /* of TOOLCHAIN_TARGETS */
    const char *language;                    /* of -x, in clang's words; NULL: by the file's name */
    uint32_t max_registers;                  /* -maxrregcount; 0: none */
    bool relocatable;       /* -rdc=true, -dc: device code of several objects is one program */
    bool links_device;      /* -dlink */
    bool links;             /* no -c, -E, -S, -M or the like */
    bool runs;              /* -run */
    bool no_runtime;        /* -cudart none */
    bool reports;           /* -Xptxas -v */
    bool shows_commands;    /* -### */
    bool optimises, debugs; /* an -O or -g option was given */
    bool debugs_device;     /* -G */
    bool quiet;             /* messages about options without effect are counted, not printed */
};
enum sw_status toolchain_options_read(int argc, char **argv, struct toolchain_options *out,
                                      struct sw_error *error);
/* After a command of clang's failed (its words, NULL at the end): say what can be done, where that is known.
 */
void toolchain_hint(const toolchain_args *failed);
/* Make an object of -fgpu-rdc one that needs no device link step. */
enum sw_status toolchain_rdc_object(const char *path, struct sw_error *error);
void toolchain_options_release(struct toolchain_options *options);

struct ptx_module;
/* What each kernel needs; from arena. */
enum sw_status toolchain_resources(const struct ptx_module *module, struct arena *arena,
                                   struct fatbin_resources **out, uint32_t *count, struct sw_error *error);
/* The same as toolchain_ptx_take, with the report on standard error. */
enum sw_status toolchain_ptx_check(struct str *text, const char *path, const struct toolchain_ptx_use *use,
                                   struct sw_error *error);
/* Replace a file of PTX by a container that holds it. */
enum sw_status toolchain_wrap_ptx(struct arena *arena, const char *path, const char *options,
                                  const struct toolchain_ptx_use *use, struct sw_error *error);
/* Assembly with a symbol for each device name that PTX entries define or lack, for the object that holds
 * them.
 */
struct fatbin_entry;
enum sw_status toolchain_symbols_write(const struct fatbin_entry *entries, uint32_t count, const char *path,
                                       struct sw_error *error);
/* --version, --help and the like. */
enum sw_status toolchain_answer(struct toolchain_options *options, struct sw_error *error);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA that nvcc takes and clang does not: changed on its way to clang, line by line in its place. */
#ifndef TOOLCHAIN_REWRITE_H
#define TOOLCHAIN_REWRITE_H

#include "toolchain_priv.h"

struct toolchain_rewritten {
    struct str text;         /* empty where nothing had to change */
    toolchain_args includes; /* of #include "NAME", in the arena */
};

/* False: the text can stay as it is. launches: also <<<>>> in device code. *out starts as {0}; the caller
 * releases its text and includes. */
bool toolchain_rewrite_text(struct arena *arena, const char *text, size_t bytes, bool launches,
                            struct toolchain_rewritten *out);

/* Files that clang shall see in the place of the program's. */
struct toolchain_overlay {
    struct toolchain_folder folder; /* of the changed files; none where none was changed */
    const char *listing;            /* for clang's -ivfsoverlay */
    size_t files;                   /* so many */
};
/* Rewrite the sources, and the files beside them that they include by #include "NAME". */
enum sw_status toolchain_overlay_make(struct arena *arena, const toolchain_args *sources, bool launches,
                                      struct toolchain_overlay *out, struct sw_error *error);
void toolchain_overlay_remove(struct toolchain_overlay *overlay);
#endif

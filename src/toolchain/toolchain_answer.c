/* SPDX-License-Identifier: Apache-2.0 */
/* What `softwarp cc` says of itself: --version, in the words that configure scripts look for, --help, and the
 * lists of targets. Limits: the help lists options by what becomes of them, and does not explain nvcc's. */
#include "toolchain_options_priv.h"

#include <stdio.h>

/* "Cuda compilation tools, release 13.0, V13.0.0" is what scripts and CMake read; it names the CUDA whose
 * interface the headers offer (__CUDACC_VER_MAJOR__ in softwarp/prelude.h). */
static void print_version(void)
{
    puts("softwarp cc: CUDA C++ without NVIDIA software, a front end of clang version 19\n"
         "Cuda compilation tools, release 13.0, V13.0.0");
}

static void print_rows(const char *title, enum action only)
{
    size_t column = 0;
    printf("\n%s\n ", title);
    for (size_t i = 0; toolchain_option_at(i); i++) {
        const struct toolchain_option *o = toolchain_option_at(i);
        bool ours = only == MEANT ? o->action != NOTE && o->action != REFUSE : o->action == only;
        const char *name = o->longer ? o->longer : o->shorter;
        if (!ours) continue;
        column += (size_t)printf(" %s", name);
        if (o->longer && o->shorter) column += (size_t)printf(" (%s)", o->shorter);
        if (column < 90 && only == MEANT) continue;
        if (only != MEANT) printf(": %s", o->text);
        if (toolchain_option_at(i + 1)) printf("\n ");
        column = 0;
    }
    putchar('\n');
}

static void answer_print_help(void)
{
    puts("usage: softwarp cc [clang or nvcc options] FILE.cu...\n"
         "Compiles CUDA C++ with clang 19 and Softwarp's own headers. clang's options work as they are; "
         "these of\n"
         "nvcc are understood.");
    print_rows("done", MEANT);
    print_rows("without effect, and why", NOTE);
    print_rows("not supported, and what to do", REFUSE);
}

enum sw_status toolchain_answer(struct toolchain_options *options, struct sw_error *error)
{
    switch (options->answer) {
    case TOOLCHAIN_VERSION: print_version(); break;
    case TOOLCHAIN_HELP: answer_print_help(); break;
    case TOOLCHAIN_TARGETS: toolchain_targets_print(options->target_prefix); break;
    case TOOLCHAIN_COMPILE: BUG("a compilation is no question");
    }
    if (fflush(stdout) != 0) return sw_fail(error, SW_IO, "cannot write to standard output");
    return SW_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* toolchain: `softwarp cc`, a front end of clang 19 that compiles CUDA C++ with Softwarp's own headers and
 * device library, and the two small tools that clang expects to find in a CUDA folder. */
#ifndef TOOLCHAIN_TOOLCHAIN_H
#define TOOLCHAIN_TOOLCHAIN_H

/* argv[0] is "cc" (or the program's name); the rest are clang's arguments and the nvcc ones that
 * toolchain_options.c lists. Returns the exit status: clang's own, 2 for wrong use, 3 for what cannot be
 * compiled without NVIDIA's tools, 5 when a part of the installation is missing. Prints errors itself. */
int toolchain_cc_main(int argc, char **argv);

/* The program of <sdk>/bin/ptxas and <sdk>/bin/fatbinary; which one, argv[0] says. */
int toolchain_sdk_main(int argc, char **argv);
#endif

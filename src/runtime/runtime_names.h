/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime: included before all else in every file of the library but runtime_watch.c. A function of
 * runtime_watch.def that the library defines, cudaMalloc, is runtime_cudaMalloc in the object file; the
 * exported one stands in runtime_watch.c. */
#ifndef RUNTIME_NAMES_H
#define RUNTIME_NAMES_H

#define RT_RENAME(text) _Pragma(#text)
#define WATCH(name)     RT_RENAME(redefine_extname name runtime_##name)
#include "runtime_watch.def"
#undef WATCH
#undef RT_RENAME
#endif

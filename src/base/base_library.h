/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's libraries that programs ask for and Softwarp does not run: their names, what works instead, and
 * which libraries of ours stand in for them. */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stddef.h>

enum { SW_LIBRARY_FILES = 3, SW_LIBRARY_PREFIXES = 4 };
struct sw_library {
    const char *stem;                   /* "cublas", of libcublas.so.13, -lcublas, cublas_v2.h */
    const char *name;                   /* "cuBLAS" */
    const char *instead;                /* what works; lower case, no full stop */
    const char *ours[SW_LIBRARY_FILES]; /* files of ours that stand in for it, newest first; NULL: no more */
    const char *functions[SW_LIBRARY_PREFIXES]; /* what its functions' names begin with */
};

/* Each of the table; NULL: i is past its end. */
const struct sw_library *sw_library_at(size_t i);
/* By the name of a library's file, of a header, or of what follows -l; folders before it do not count. NULL:
 * none of them. */
const struct sw_library *sw_library_find(const char *file);
/* By the name of a function ("cublasSgemm") or a type of its interface. */
const struct sw_library *sw_library_of_function(const char *name);
#endif

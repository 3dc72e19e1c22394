/* SPDX-License-Identifier: Apache-2.0 */
/* Growing array: VEC(int) list = {0}; *vec_push(&list) = 3; list.at[0]; vec_release(&list). Aborts when out
 * of memory. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>

#define VEC(type)                                                                                            \
    struct {                                                                                                 \
        type *at;                                                                                            \
        size_t count, capacity;                                                                              \
    }

void *vec_grow(void *at, size_t *capacity, size_t needed, size_t bytes); /* internal */

#define vec_reserve(vec, n)                                                                                  \
    ((n) > (vec)->capacity                                                                                   \
         ? (void)((vec)->at = vec_grow((vec)->at, &(vec)->capacity, (n), sizeof *(vec)->at))                 \
         : (void)0)
/* Pointer to a new last element, not initialised. */
#define vec_push(vec)    (vec_reserve((vec), (vec)->count + 1), &(vec)->at[(vec)->count++])
#define vec_release(vec) (free((vec)->at), (vec)->at = NULL, (vec)->count = (vec)->capacity = 0)
#define vec_clear(vec)   ((vec)->count = 0)
#endif

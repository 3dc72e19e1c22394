/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the runtime that a profiler in this process hears of (runtime_watch.c). */
#ifndef RUNTIME_WATCH_H
#define RUNTIME_WATCH_H

/* Where the program called the outermost function that is told of now; NULL: none is. */
const void *rt_watched_from(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of NVTX that are open where a kernel is launched. */
#ifndef EVENT_NVTX_H
#define EVENT_NVTX_H

#include <stdbool.h>
#include <stdint.h>

struct event_nvtx_range {
    const char *domain; /* "": the default one */
    const char *text;
    bool started; /* of the process, by nvtxRangeStart; else pushed by the thread that launches */
};
/* All that are open. It never changes, and lives as long as the process (in a report: as the reader); equal
 * ones are one. */
struct event_nvtx {
    uint32_t id;     /* from 1, in the order in which launches had them */
    uint32_t thread; /* of the host that launches: from 1 */
    uint32_t count;
    const struct event_nvtx_range *ranges; /* pushed ones, the outermost first; then those started, the first
                                              one first */
};
/* Of the calling thread; NULL: none is open. */
typedef const struct event_nvtx *event_nvtx_open_fn(void);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* SW_SHARE=K/N (K from 0): only every Nth of a full test's list, from the Kth on; not set or empty: all. */
#ifndef SHARE_H
#define SHARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct share {
    unsigned first, every;
};

static inline struct share share_read(void)
{
    struct share share;
    const char *text = getenv("SW_SHARE");
    if (!text || sscanf(text, "%u/%u", &share.first, &share.every) != 2 || share.every == 0)
        return (struct share){0, 1};
    share.first %= share.every;
    return share;
}

/* Is the one at `place` of the share? */
static inline bool share_has(uint64_t place)
{
    struct share share = share_read();
    return place % share.every == share.first;
}
#endif

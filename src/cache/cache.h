/* SPDX-License-Identifier: Apache-2.0 */
/* cache: files of bytes under 256-bit keys, shared by the processes of a user, so that a program's second run
 * needs no compiler. Every call works whatever state the folder is in; nothing here fails a program. */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include "base/base.h"

#include <stdbool.h>

struct cache_key {
    uint64_t words[4];
};

/* false: not there, or damaged. *data: malloc'ed. */
bool cache_read(const struct cache_key *key, uint8_t **data, size_t *bytes);
/* Keeps it if it can; removes what was used least recently where the limit asks for it. */
void cache_write(const struct cache_key *key, const void *data, size_t bytes);

/* Where: CUDA_CACHE_PATH/softwarp, XDG_CACHE_HOME/softwarp, ~/.cache/softwarp. false: none of them is set, or
 * CUDA_CACHE_DISABLE is. Appended to *out. */
bool cache_folder(struct str *out);
uint64_t cache_limit_bytes(void); /* CUDA_CACHE_MAXSIZE, or 1 GiB */

struct cache_state {
    uint64_t entries, bytes; /* whole ones */
    uint64_t damaged;        /* that cache_read would not take */
    uint64_t old;       /* of other versions of this library: they go when they were not used for longest */
    uint64_t leftovers; /* of writers that died */
    uint64_t removed;
};
enum cache_removal { CACHE_KEEP, CACHE_REMOVE_BAD, CACHE_REMOVE_ALL };
/* Read every entry as cache_read would. found: for each that is damaged or left over; NULL: for none. false:
 * no folder. */
bool cache_check(enum cache_removal removal, struct cache_state *out,
                 void (*found)(void *user, const char *name, const char *why), void *user);
#endif

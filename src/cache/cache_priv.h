/* SPDX-License-Identifier: Apache-2.0 */
/* Inside cache/: cache.c (entries), cache_folder.c (where they are), cache_trim.c (what goes, and the check).
 */
#ifndef CACHE_PRIV_H
#define CACHE_PRIV_H

#include "cache/cache.h"

#include <sys/stat.h>

enum { CACHE_NAME_BYTES = 4 * 16 + 3 }; /* 64 digits, ".o", NUL */

/* cache_folder.c */
/* The folder, to be closed, or -1: there is none, or it is not to be trusted, which is said once. */
int cache_folder_open(bool make);

/* cache.c */
extern const char CACHE_OLD[]; /* why, of an entry of another version */
void cache_name(const struct cache_key *key, char out[CACHE_NAME_BYTES]);
bool cache_name_parse(const char *name, struct cache_key *out); /* the whole of an entry's name */
/* The bytes after the header, malloc'ed; NULL: *why says what is wrong. use: its time is renewed. */
uint8_t *cache_entry_read(int folder, const struct cache_key *key, bool use, size_t *bytes, const char **why);

/* cache_trim.c */
/* After a write of so many bytes; usually does nothing. */
void cache_trim(int folder, const struct cache_key *key, size_t bytes);
#endif

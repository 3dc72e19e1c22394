/* SPDX-License-Identifier: Apache-2.0 */
/* Inside cache/: cache.c (entries), cache_folder.c (where they are), cache_trim.c (what goes, and the check).
 */
#ifndef CACHE_PRIV_H
#define CACHE_PRIV_H

#include "cache/cache.h"

#include <sys/stat.h>

enum { CACHE_NAME_BYTES = 4 * 16 + 3 }; /* 64 digits, ".o", NUL */

/* cache_folder.c */
bool cache_folder_open(bool make, struct str *out); /* false: none, or not ours alone */

/* cache.c */
extern const char CACHE_OLD[]; /* why, of an entry of another version */
void cache_name(const struct cache_key *key, char out[CACHE_NAME_BYTES]);
bool cache_name_parse(const char *name, struct cache_key *out); /* the whole of an entry's name */
/* The bytes after the header, malloc'ed; NULL: *why says what is wrong. use: its time is renewed. */
uint8_t *cache_entry_read(const char *path, const struct cache_key *key, bool use, size_t *bytes,
                          const char **why);

/* cache_trim.c */
/* After a write of so many bytes; usually does nothing. */
void cache_trim(const char *folder, const struct cache_key *key, size_t bytes);
#endif

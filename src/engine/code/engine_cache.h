/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled objects in the cache on disk. */
#ifndef ENGINE_CACHE_H
#define ENGINE_CACHE_H

#include "jit/jit.h"
#include "ptx/ptx.h"

#include <stdbool.h>

struct cache_key;
void engine_kernel_hash(const struct ptx_function *function, uint64_t out[2]);
/* Names of variables and lines, which code with a checker's probes says: they move, though the code stays. */
uint64_t engine_kernel_names_hash(const struct ptx_function *function);
/* false: not there, or not usable. On success out->code and out->slots are malloc'ed. */
bool engine_cache_read(const struct cache_key *key, uint32_t instr_count, struct jit_object *out);
void engine_cache_write(const struct cache_key *key, uint32_t instr_count, const struct jit_object *object);
#endif

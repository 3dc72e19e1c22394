/* SPDX-License-Identifier: Apache-2.0 */
/* The two tiers of compiled code. */
#ifndef ENGINE_TIER_H
#define ENGINE_TIER_H

#include "engine/core/engine_object.h"

#include "cache/cache.h"

/* Whether a kernel that must be compiled begins with the first tier. */
bool engine_tier_begins_quick(const struct engine_kernel *kernel);
/* LLVM is open: from now on exit waits for compilations. Any thread, any time. */
void engine_tier_watch(void);
/* engine->compile, of a thread of the program. */
enum sw_status engine_tier_compile(const struct engine *engine, const struct jit_request *request,
                                   struct jit_object *out, struct sw_error *error);
/* The variant has its first tier's code: make the full tier's on a thread of its own, then keep it in the
 * cache under this key and give it to the variant. rows: of its table of slots. */
void engine_tier_improve(struct engine_variant *variant, const struct jit_request *request,
                         const struct cache_key *key, uint32_t rows);
/* The kernel and its variants are about to go. */
void engine_tier_forget(const struct engine_kernel *kernel);
/* A thread that compiles: 0, or errno. It gets none of the program's signals. */
int engine_tier_start_thread(void *(*run)(void *), pthread_t *out);
#endif

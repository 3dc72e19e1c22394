/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: reduce what a form computed to digests and samples. Method: one digest of 32 bits a chunk of
 * threads, over all slots; samples are whole values of the first slot at fixed threads. */
#include "forms.h"

uint32_t forms_sample_thread(unsigned sample)
{
    static const uint32_t threads[FORMS_SAMPLES] = {1481, 4600, 5501, 7777};
    return threads[sample];
}

uint32_t forms_digest_chunk(const uint64_t *out, unsigned slots, unsigned chunk)
{
    enum { SPAN = FORMS_THREADS / FORMS_CHUNKS };
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (unsigned slot = 0; slot < slots; slot++)
        for (uint32_t thread = chunk * SPAN; thread < (chunk + 1) * SPAN; thread++) {
            hash = (hash ^ out[(size_t)slot * FORMS_THREADS + thread]) * 0xbf58476d1ce4e5b9u;
            hash ^= hash >> 31;
        }
    return (uint32_t)(hash ^ hash >> 32);
}

void forms_digest(const uint64_t *out, unsigned slots, struct forms_result *result)
{
    for (unsigned chunk = 0; chunk < FORMS_CHUNKS; chunk++)
        result->digests[chunk] = forms_digest_chunk(out, slots, chunk);
    for (unsigned sample = 0; sample < FORMS_SAMPLES; sample++)
        result->samples[sample] = slots ? out[forms_sample_thread(sample)] : 0;
}

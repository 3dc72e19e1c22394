/* SPDX-License-Identifier: Apache-2.0 */
/* A cryptographic digest: BLAKE2b with 256 bits, without a key (RFC 7693). */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { SW_DIGEST_BYTES = 32, SW_DIGEST_BLOCK = 128 };

struct sw_digest {
    uint64_t state[8], bytes; /* bytes: of whole blocks so far */
    uint8_t block[SW_DIGEST_BLOCK];
    size_t filled;
};
void sw_digest_init(struct sw_digest *digest);
void sw_digest_add(struct sw_digest *digest, const void *data, size_t bytes);
void sw_digest_end(struct sw_digest *digest, uint8_t out[SW_DIGEST_BYTES]);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Digests of messages of lengths around a block, whole and in parts, against those of another implementation
 * (hashlib.blake2b of Python 3.11, with digest_size=32). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base_digest.h"

#include <stdio.h>

static const struct {
    size_t bytes; /* byte i of the message is 7 * i */
    const char *digest;
} KNOWN[] = {
    {0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
    {1, "03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314"},
    {127, "4ff62e7c4c43fe101a078479c48836be4907d9d498dcc577ca89d694b2c11f9b"},
    {128, "14696d2a98d9f8a280da8b132b1045b345e1033759c6b02fcc4ee885c8ae7c37"},
    {129, "3934215260b1039be9d9d2b073b059bcd50120c327a22af93eb4d98cf821c14c"},
    {256, "3d0cb2693dfbac42af5a6cc960953fea8714aa39c4bcd054ef61d6b5e98ade4a"},
    {257, "63cb41934eb22ceb359755501ea299abcd784306baf8845ad6b97ff0828b7cfe"},
    {1000, "6ac4bea923678eb024090384d6e767b5870f849057dc19b172d8d9f2df30bf8e"},
    {4096, "bec24b5a5157c7daa9a7c3ee0c808223bf239840bd071bcf0f68436137217a2a"},
};
enum { LONGEST = 4096 };

static void expect(const uint8_t *message, size_t bytes, size_t part, const char *known)
{
    struct sw_digest digest;
    uint8_t out[SW_DIGEST_BYTES];
    char text[2 * SW_DIGEST_BYTES + 1];
    sw_digest_init(&digest);
    for (size_t at = 0; at < bytes; at += part)
        sw_digest_add(&digest, message + at, bytes - at < part ? bytes - at : part);
    sw_digest_end(&digest, out);
    for (size_t i = 0; i < sizeof out; i++)
        snprintf(text + 2 * i, 3, "%02x", out[i]);
    assert_string_equal(text, known);
}

static void known_digests(void **state)
{
    static const size_t PARTS[] = {1, 7, 127, 128, 129, 300, LONGEST};
    static uint8_t message[LONGEST];
    (void)state;
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)(7 * i);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        for (size_t p = 0; p < sizeof PARTS / sizeof *PARTS; p++)
            expect(message, KNOWN[i].bytes, PARTS[p], KNOWN[i].digest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_digests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

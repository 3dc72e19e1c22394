/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a catalogue of translations. Texts that are there and texts that are not are looked up. */
#include "fuzz_input.h"

#include "base/base_text.h"

#include <stdlib.h>
#include <string.h>

/* Without the format that sw_text keeps: these texts are printed nowhere. */
static size_t look_up(const char *english)
{
    return strlen(sw_text(english));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char *const TEXTS[] = {"", "warp", "a", "kernel", "zzzz", "%s"};
    uint8_t *copy = (uint8_t *)fuzz_text(data, bytes);
    size_t length = 0;
    if (sw_text_use(copy, bytes))
        for (size_t i = 0; i < SW_COUNT_OF(TEXTS); i++)
            length += look_up(TEXTS[i]);
    sw_text_open("en", "");
    free(copy);
    return length == SIZE_MAX;
}

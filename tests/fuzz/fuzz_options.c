/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the options that a session folder holds. */
#include "fuzz_input.h"

#include "session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct session_options options;
    struct sw_error error;
    struct arena arena;
    arena_init(&arena);
    (void)session_options_read(fuzz_folder("options", data, bytes), &arena, &options, &error);
    arena_release(&arena);
    return 0;
}

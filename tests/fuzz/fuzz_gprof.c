/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a flat profile of gprof. */
#include "fuzz_input.h"

#include "cli_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct arena arena;
    cli_hotspots list = {0};
    arena_init(&arena);
    (void)cli_gprof_read(fuzz_file(data, bytes), &arena, &list);
    vec_release(&list);
    arena_release(&arena);
    return 0;
}

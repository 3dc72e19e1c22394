/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what addr2line answers. The first line is the kernel whose stub does not count, if any. */
#include "fuzz_input.h"

#include "cli_priv.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes), *rest = text;
    const char *kernel = strsep(&rest, "\n"), *holder;
    struct arena arena;
    arena_init(&arena);
    (void)cli_line_of_answer(&arena, rest ? rest : text, rest && *kernel ? kernel : NULL, &holder);
    arena_release(&arena);
    free(text);
    return 0;
}

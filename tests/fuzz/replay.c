/* SPDX-License-Identifier: Apache-2.0 */
/* usage: replay [--accepted N] FILE...      Run a fuzz target over files, in ordinary builds: the corpus, or
 * one input that failed. Each file is also cut at a few places, so that truncated input is always covered.
 * --accepted: so many of them at least must be read and not refused. */
#include "fuzz_input.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return NULL;
    long end = ftell(file);
    rewind(file);
    uint8_t *data = malloc((size_t)end + 1);
    *size = data ? fread(data, 1, (size_t)end, file) : 0;
    fclose(file);
    return data;
}

/* A copy of exactly `size` bytes, so that reading one too far is seen. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int argc, char **argv)
{
    unsigned wanted = 0, accepted = 0;
    int first = argc > 2 && strcmp(argv[1], "--accepted") == 0 ? 3 : 1;
    if (first == 3) wanted = (unsigned)strtoul(argv[2], NULL, 10);
    for (int i = first; i < argc; i++) {
        size_t size;
        uint8_t *data = read_file(argv[i], &size);
        if (!data) {
            fprintf(stderr, "cannot read %s\n", argv[i]);
            return 1;
        }
        unsigned before = fuzz_accepted;
        run(data, size);
        accepted += fuzz_accepted - before;
        for (size_t cut = 1; cut < 16; cut++)
            run(data, size * cut / 16);
        free(data);
    }
    printf("%d inputs, %u accepted\n", argc - first, accepted);
    return accepted < wanted;
}

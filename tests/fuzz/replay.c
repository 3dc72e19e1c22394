/* SPDX-License-Identifier: Apache-2.0 */
/* usage: replay FILE...      Run a fuzz target over files, in ordinary builds: the corpus, or one input that
 * failed. Each file is also cut at a few places, so that truncated input is always covered. */
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
    for (int i = 1; i < argc; i++) {
        size_t size;
        uint8_t *data = read_file(argv[i], &size);
        if (!data) {
            fprintf(stderr, "cannot read %s\n", argv[i]);
            return 1;
        }
        run(data, size);
        for (size_t cut = 1; cut < 16; cut++)
            run(data, size * cut / 16);
        free(data);
    }
    printf("%d inputs\n", argc - 1);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of the cache of compiled kernels, and as what a sound file of it holds: an object,
 * which is loaded and not run. */
#include "fuzz_input.h"

#include "cache/cache.h"
#include "engine/code/engine_cache.h"
#include "engine/code/engine_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cache_key KEY = {{1, 2, 3, 4}};

/* The folder of the cache is made by a first write. */
static const char *cache_path(void)
{
    static char path[512];
    if (!*path) {
        setenv("CUDA_CACHE_PATH", fuzz_folder("input", NULL, 0), 1);
        unsetenv("CUDA_CACHE_DISABLE");
        unsetenv("CUDA_CACHE_MAXSIZE");
        snprintf(path, sizeof path, "%s/softwarp/%016x%016x%016x%016x.o", getenv("CUDA_CACHE_PATH"), 1, 2, 3,
                 4);
        cache_write(&KEY, "", 0);
    }
    return path;
}

static void read_raw(const uint8_t *data, size_t bytes)
{
    uint8_t *found;
    size_t got;
    FILE *file = fopen(cache_path(), "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes) BUG("cannot write '%s'", cache_path());
    fclose(file);
    if (cache_read(&KEY, &found, &got)) free(found);
}

static void load(const struct jit_object *object)
{
    struct engine_image image;
    struct sw_error error;
    if (engine_image_load(object->code, object->bytes, &image, &error) == SW_OK) engine_image_release(&image);
}

/* Rows of the table of slots: where an entry has them (engine_cache.c), so that it is taken. */
static uint32_t rows_of(const uint8_t *data, size_t bytes)
{
    enum { PLACE = 8 + sizeof(struct jit_info) };
    uint32_t rows = 0;
    if (bytes >= PLACE + sizeof rows) memcpy(&rows, data + PLACE, sizeof rows);
    return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct jit_object object = {0};
    read_raw(data, bytes);
    cache_write(&KEY, data, bytes);
    if (engine_cache_read(&KEY, rows_of(data, bytes), &object)) {
        fuzz_accepted++;
        load(&object);
        free(object.code);
        free(object.slots);
    }
    object = (struct jit_object){.code = (uint8_t *)fuzz_text(data, bytes), .bytes = bytes};
    load(&object);
    free(object.code);
    return 0;
}

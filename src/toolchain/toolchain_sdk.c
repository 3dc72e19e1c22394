/* SPDX-License-Identifier: Apache-2.0 */
/* The two tools that clang runs between the device and the host half of a compilation.
 *   ptxas ... [-v] [--maxrregcount N] --output-file OUT IN: checks the PTX and copies it; Softwarp compiles
 * PTX when it runs.
 *   fatbinary ... --create OUT --image=profile=sm_80,file=IN ... [--options=TEXT] [--device-symbols=FILE]:
 * writes the container that the host object embeds, and symbols for its linker (toolchain_symbols.c). Other
 * arguments are what clang passes to NVIDIA's tools of these names; they mean nothing here. Limits: an image
 * is PTX or a cubin, told apart by its first bytes. */
#include "toolchain/toolchain.h"

#include "fatbin/fatbin.h"
#include "toolchain_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of `--name VALUE` or `--name=VALUE` at *i, which moves past it; NULL: another argument. */
static const char *sdk_value_of(const char *name, int argc, char **argv, int *i)
{
    size_t length = strlen(name);
    if (strncmp(argv[*i], name, length) != 0) return NULL;
    if (argv[*i][length] == '=') return argv[*i] + length + 1;
    return argv[*i][length] == '\0' && *i + 1 < argc ? argv[++*i] : NULL;
}

static enum sw_status run_ptxas(int argc, char **argv, struct sw_error *error)
{
    const char *output = NULL, *input = NULL, *value;
    struct toolchain_ptx_use use = {0};
    for (int i = 1; i < argc; i++) {
        if ((value = sdk_value_of("--output-file", argc, argv, &i)))
            output = value;
        else if ((value = sdk_value_of("--maxrregcount", argc, argv, &i)))
            use.max_registers = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "-v") == 0)
            use.describes = true;
        else if (!sdk_value_of("--gpu-name", argc, argv, &i) && argv[i][0] != '-')
            input = argv[i];
    }
    if (!output || !input) return sw_fail(error, SW_USAGE, "ptxas: expected --output-file FILE and an input");
    struct str text = {0};
    enum sw_status status = toolchain_file_read(input, &text, error);
    if (status == SW_OK) status = toolchain_ptx_check(&text, input, &use, error);
    if (status == SW_OK) status = toolchain_file_write(output, &text, error);
    str_release(&text);
    return status;
}

/* Add the entries of one image file, unless the same target is there already (clang passes the PTX of a
 * target both as its PTX and, through our ptxas, as its cubin). */
static enum sw_status add_image(struct arena *arena, const char *image, const char *options,
                                struct fatbin_entry *entries, uint32_t *count, struct sw_error *error)
{
    const char *file = strstr(image, ",file=");
    if (!file) return sw_fail(error, SW_USAGE, "fatbinary: --image without file= in '%s'", image);
    struct str bytes = {0};
    struct fatbin read;
    enum sw_status status = toolchain_file_read(file + strlen(",file="), &bytes, error);
    if (status == SW_OK) status = fatbin_read(bytes.text, bytes.length, &read, error);
    if (status == SW_OK) {
        struct fatbin_entry entry = read.entries[0];
        entry.data = arena_copy(arena, entry.data, entry.bytes + (entry.kind == FATBIN_PTX));
        entry.name = "";
        entry.options = options;
        bool known = false;
        for (uint32_t i = 0; i < *count; i++)
            known |= entries[i].kind == entry.kind && entries[i].sm == entry.sm &&
                     entries[i].suffix == entry.suffix;
        if (!known) entries[(*count)++] = entry;
        fatbin_release(&read);
    }
    str_release(&bytes);
    return status;
}

static enum sw_status run_fatbinary(int argc, char **argv, struct arena *arena, struct sw_error *error)
{
    const char *output = NULL, *options = "", *symbols = NULL, *value;
    toolchain_args images = {0};
    for (int i = 1; i < argc; i++) {
        if ((value = sdk_value_of("--create", argc, argv, &i)))
            output = value;
        else if ((value = sdk_value_of("--image", argc, argv, &i)))
            *vec_push(&images) = value;
        else if ((value = sdk_value_of("--options", argc, argv, &i)))
            options = value;
        else if ((value = sdk_value_of("--device-symbols", argc, argv, &i)))
            symbols = value;
    }
    struct fatbin_entry *entries = ARENA_ARRAY(arena, struct fatbin_entry, images.count);
    uint32_t count = 0;
    enum sw_status status = output ? SW_OK : sw_fail(error, SW_USAGE, "fatbinary: expected --create FILE");
    for (size_t i = 0; i < images.count && status == SW_OK; i++)
        status = add_image(arena, images.at[i], options, entries, &count, error);
    struct str bytes = {0};
    if (status == SW_OK && symbols) status = toolchain_symbols_write(entries, count, symbols, error);
    if (status == SW_OK) status = fatbin_write(entries, count, FATBIN_ZSTD, &bytes, error);
    if (status == SW_OK) status = toolchain_file_write(output, &bytes, error);
    str_release(&bytes);
    vec_release(&images);
    return status;
}

enum sw_status toolchain_wrap_ptx(struct arena *arena, const char *path, const char *options,
                                  const struct toolchain_ptx_use *use, struct sw_error *error)
{
    struct fatbin_entry entry;
    uint32_t count = 0;
    struct str bytes = {0}, text = {0};
    enum sw_status status = toolchain_file_read(path, &text, error);
    if (status == SW_OK) status = toolchain_ptx_check(&text, path, use, error);
    if (status == SW_OK) status = toolchain_file_write(path, &text, error);
    str_release(&text);
    if (status == SW_OK)
        status = add_image(arena, arena_printf(arena, ",file=%s", path), options, &entry, &count, error);
    if (status == SW_OK) status = fatbin_write(&entry, count, FATBIN_ZSTD, &bytes, error);
    if (status == SW_OK) status = toolchain_file_write(path, &bytes, error);
    str_release(&bytes);
    return status;
}

int toolchain_sdk_main(int argc, char **argv)
{
    struct sw_error error = {0};
    struct arena arena;
    enum sw_status status;
    arena_init(&arena);
    if (sw_ends_with(argv[0], "ptxas"))
        status = run_ptxas(argc, argv, &error);
    else if (sw_ends_with(argv[0], "fatbinary"))
        status = run_fatbinary(argc, argv, &arena, &error);
    else
        status = sw_fail(&error, SW_USAGE, "'%s' is neither ptxas nor fatbinary", argv[0]);
    char text[1024];
    if (status != SW_OK) sw_log("%s", sw_error_format(&error, text, sizeof text));
    arena_release(&arena);
    return sw_status_exit_code(status);
}

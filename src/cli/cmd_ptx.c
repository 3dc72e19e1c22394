/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp ptx: parse and check a PTX file, and print what was understood as PTX that reads back to the same;
 * also the PTX in a cubin of Softwarp's, a fat binary, a host object or a program, and what those hold. */
#include "cli_priv.h"

#include "fatbin/fatbin.h"
#include "ptx/ptx.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool read_whole(FILE *file, struct str *out)
{
    char block[65536];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        str_add_bytes(out, block, n);
    return !ferror(file);
}

enum what { PRINT_PTX, PRINT_SUMMARY, PRINT_NOTHING, PRINT_LIST };

static int print_ptx(const char *path, const struct str *text, enum what what, struct str *out)
{
    struct ptx_module *module;
    struct sw_error error = {0};
    if (ptx_parse(str_text(text), text->length, path, &module, &error) != SW_OK)
        return cli_fail_error(&error);
    int code = CLI_OK;
    if (ptx_verify(module, &error) != SW_OK || ptx_check_known(module, &error) != SW_OK)
        code = cli_fail_error(&error);
    else if (what == PRINT_PTX)
        ptx_print_module(module, out);
    else if (what == PRINT_SUMMARY && ptx_print_summary(module, out, &error) != SW_OK)
        code = cli_fail_error(&error);
    ptx_module_free(module);
    return code;
}

static int print_image(const char *path, const struct fatbin *image, enum what what, struct str *out)
{
    if (what == PRINT_LIST) return cli_image_list(path, image, out);
    for (uint32_t i = 0; i < image->count; i++) {
        const struct fatbin_entry *entry = &image->entries[i];
        if (entry->kind != FATBIN_PTX) continue;
        struct str text = {0};
        str_add_bytes(&text, entry->data, entry->bytes);
        int code = print_ptx(*entry->name ? entry->name : path, &text, what, out);
        str_release(&text);
        if (code) return code;
    }
    return CLI_OK;
}

/* Device code among other things: in a host object, a program, a library. */
static int print_containers(const char *path, const struct str *bytes, enum what what, struct str *out)
{
    const uint8_t *data = (const uint8_t *)bytes->text;
    uint64_t offset = 0, span = 0;
    bool any = false;
    for (; fatbin_find(data, bytes->length, &offset, &span); offset += span) {
        struct fatbin image;
        struct sw_error error = {0};
        if (fatbin_read(data + offset, span, &image, &error) != SW_OK) return cli_fail_error(&error);
        any = true;
        int code = print_image(path, &image, what, out);
        fatbin_release(&image);
        if (code) return code;
    }
    return any ? CLI_OK : cli_fail(CLI_USAGE, "'%s' holds no device code", path);
}

static int print_file(const char *path, const struct str *bytes, enum what what, struct str *out)
{
    const uint8_t *data = (const uint8_t *)str_text(bytes);
    bool elf = bytes->length >= 4 && memcmp(data, "\177ELF", 4) == 0;
    bool container = bytes->length >= 4 && memcmp(data, "\x50\xed\x55\xba", 4) == 0;
    struct fatbin image;
    struct sw_error error = {0};
    if (fatbin_is_host_file(data, bytes->length)) return print_containers(path, bytes, what, out);
    if (!elf && !container && what != PRINT_LIST) return print_ptx(path, bytes, what, out);
    if (fatbin_read(data, bytes->length, &image, &error) != SW_OK) return cli_fail_error(&error);
    int code = print_image(path, &image, what, out);
    fatbin_release(&image);
    return code;
}

int cmd_ptx(const struct cli_command *self, int argc, char **argv)
{
    bool quiet = false, summary = false, list = false;
    struct cli_output output = {0};
    const struct cli_option table[] = {
        {"--check", 0, CLI_FLAG, &quiet, NULL, "check only, print nothing"},
        {"--summary", 0, CLI_FLAG, &summary, NULL,
         "one line per function: instructions, registers, basic blocks, memory"},
        {"--list", 0, CLI_FLAG, &list, NULL,
         "what a cubin, fat binary, object or program holds, and what its kernels need, as cuobjdump prints "
         "it"},
        {"--output", 'o', CLI_TEXT, &output.path, "FILE", "write there, not to standard output"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    if (rest + 1 != argc)
        return cli_fail(CLI_USAGE, "one PTX file is needed ('-': standard input): softwarp ptx FILE");
    bool standard = strcmp(argv[rest], "-") == 0;
    FILE *file = standard ? stdin : fopen(argv[rest], "r");
    if (!file) return cli_fail(CLI_USAGE, "cannot read '%s': %s", argv[rest], strerror(errno));
    enum what what = list ? PRINT_LIST : quiet ? PRINT_NOTHING : summary ? PRINT_SUMMARY : PRINT_PTX;
    struct str text = {0};
    bool ok = read_whole(file, &text);
    if (!standard) fclose(file);
    code = ok ? print_file(standard ? "standard input" : argv[rest], &text, what, &output.text)
              : cli_fail(CLI_INTERNAL, "cannot read '%s': %s", argv[rest], strerror(errno));
    str_release(&text);
    int written = code ? (str_release(&output.text), CLI_OK) : cli_output_finish(&output);
    return code ? code : written;
}

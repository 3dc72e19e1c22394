/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a report of either format. */
#include "compare_priv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool report_read_text(const char *path, struct str *out)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char block[65536];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        str_add_bytes(out, block, n);
    bool ok = !ferror(file);
    fclose(file);
    return ok;
}

enum sw_status compare_read(const char *path, struct compare_report *out, struct sw_error *error)
{
    struct str text = {0};
    memset(out, 0, sizeof *out);
    arena_init(&out->arena);
    if (!report_read_text(path, &text)) {
        return sw_fail(error, errno == ENOENT ? SW_FILE_NOT_FOUND : SW_IO, "cannot read '%s': %s", path,
                       strerror(errno));
    }
    bool json = str_text(&text)[strspn(str_text(&text), " \t\r\n")] == '{';
    enum sw_status status = json ? compare_read_json(path, str_text(&text), text.length, out, error)
                                 : compare_read_csv(path, str_text(&text), out, error);
    str_release(&text);
    return status;
}

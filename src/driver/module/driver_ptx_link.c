/* SPDX-License-Identifier: Apache-2.0 */
/* Linking PTX: the texts of several translation units become one, as nvlink does with their machine code.
 * ptx/ resolves the names (ptx_parse_linked) and prints the result, because an image that a program may keep
 * is text. Functions of the device runtime come with them (driver_device_library.c). */
#include "driver_module.h"

#include <string.h>

enum sw_status driver_ptx_link(const struct driver_ptx_unit *units, unsigned count, struct str *out,
                               struct sw_error *error)
{
    struct ptx_module *linked;
    struct arena arena;
    arena_init(&arena);
    const char *library = driver_device_library(units, count, &arena);
    struct ptx_text *texts = ARENA_ARRAY(&arena, struct ptx_text, count + 1);
    for (unsigned i = 0; i < count; i++)
        texts[i] = (struct ptx_text){units[i].text, strlen(units[i].text), units[i].ptx->name};
    if (library) texts[count++] = (struct ptx_text){library, strlen(library), "libcudadevrt"};
    enum sw_status status = ptx_parse_linked(texts, count, &linked, error);
    arena_release(&arena);
    if (status != SW_OK) return status;
    ptx_print_module(linked, out);
    ptx_module_free(linked);
    return SW_OK;
}

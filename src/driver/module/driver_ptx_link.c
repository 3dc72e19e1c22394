/* SPDX-License-Identifier: Apache-2.0 */
/* Linking PTX: the texts of several translation units become one, as nvlink does with their machine code.
 * ptx/ resolves the names (ptx_parse_linked) and prints the result, because an image that a program may keep
 * is text. */
#include "driver_module.h"

#include <stdlib.h>
#include <string.h>

enum sw_status driver_ptx_link(const struct driver_ptx_unit *units, unsigned count, struct str *out,
                               struct sw_error *error)
{
    struct ptx_module *linked;
    struct ptx_text *texts = sw_xcalloc(count, sizeof *texts);
    for (unsigned i = 0; i < count; i++)
        texts[i] = (struct ptx_text){units[i].text, strlen(units[i].text), units[i].ptx->name};
    enum sw_status status = ptx_parse_linked(texts, count, &linked, error);
    free(texts);
    if (status != SW_OK) return status;
    ptx_print_module(linked, out);
    ptx_module_free(linked);
    return SW_OK;
}

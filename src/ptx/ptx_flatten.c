/* SPDX-License-Identifier: Apache-2.0 */
/* One flat function a kernel. First version: a copy; calls stay calls. */
#include "ptx_priv.h"

#include <string.h>

enum sw_status ptx_flatten(const struct ptx_module *module, const struct ptx_function *entry,
                           struct arena *arena, struct ptx_function **out, struct sw_error *error)
{
    if (!entry->has_body)
        return sw_fail_at(error, SW_INVALID_PTX, module->name, entry->line, 0, "'%s' has no body",
                          entry->name);
    *out = arena_copy(arena, entry, sizeof *entry);
    return SW_OK;
}

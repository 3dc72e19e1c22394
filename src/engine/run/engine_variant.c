/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which compiled code a launch runs. Method: what is probed, and whether accesses are looked at,
 * choose its form; blocks that wait for each other need code that can be resumed, and code that relies on the
 * alignment of parameters is replaced where one is not aligned. Limits: none of its own. */
#include "engine_variant.h"

#include "engine_schedule.h"

#include "engine/code/engine_code.h"
#include "engine/core/engine_permissions.h"
#include "engine/shadow/engine_shadow.h"

#include <string.h>

bool engine_lanes_independent(const struct engine_launch *launch)
{
    enum { VOLTA = 70 };
    return launch->compute == 0 || launch->compute >= VOLTA;
}

static bool variant_may_wait(const struct engine_launch *launch, const struct engine_variant *variant)
{
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    return variant->info.spins && (blocks > 1 || !engine_lanes_independent(launch));
}

/* Is a parameter not the multiple that the code relies on? (jit_core_align.c) */
static bool variant_relies_in_vain(const struct engine_launch *launch, const struct jit_info *info)
{
    for (unsigned k = 0; k < SW_COUNT_OF(info->aligned_params) && launch->params; k++)
        for (uint64_t left = info->aligned_params[k]; left; left &= left - 1) {
            uint64_t value;
            memcpy(&value, (const uint8_t *)launch->params + 8 * __builtin_ctzll(left), sizeof value);
            if (value & ((2u << k) - 1)) return true;
        }
    return false;
}

static enum sw_status variant_of_launch(const struct engine_launch *launch, bool resumable,
                                        struct engine_variant **out, struct sw_error *error)
{
    const uint32_t *block = launch->block;
    struct engine_variant_options form = {.probes = launch->count ? EVENT_PROBE_COUNT : 0,
                                          .resumable = resumable};
    const struct event_tool *tool = launch->kernel->module->engine->config.tool;
    if (tool && !launch->unchecked)
        form.probes |= (tool->probes & (EVENT_PROBE_BOUNDS | EVENT_PROBE_SYNC)) |
                       engine_shadow_probes(launch->kernel->module->engine);
    if (engine_schedule_of(launch->kernel->module->engine).number && !launch->unchecked)
        form.probes |= EVENT_PROBE_ORDER;
    if (launch->access) form.probes |= EVENT_PROBE_ACCESS;
    if (!launch->access && launch->sample_shift && launch->set_accesses)
        form.probes |= EVENT_PROBE_ADDRESS_SET;
    bool host_looks = launch->host_looks && !(form.probes & EVENT_PROBE_BOUNDS); /* which looks, too */
    form.permissions =
        host_looks || engine_permissions_matter(launch->kernel->module->engine, launch->device);
    SW_TRY(engine_variant_get(launch->kernel, block, form, out, error));
    if (!variant_relies_in_vain(launch, &(*out)->info)) return SW_OK;
    form.strict = true;
    return engine_variant_get(launch->kernel, block, form, out, error);
}

enum sw_status engine_plain_variant(const struct engine_launch *launch, struct engine_variant **out,
                                    struct sw_error *error)
{
    return variant_of_launch(launch, false, out, error);
}

/* The code for this launch. Blocks that wait for each other need resumable code. A kernel that merely has a
 * waiting loop and cannot be made resumable runs its blocks in order, which is enough for those that wait for
 * lower blocks. */
enum sw_status engine_launch_variant(const struct engine_launch *launch, bool *together,
                                     struct engine_variant **out, struct sw_error *error)
{
    *together = launch->cooperative && !launch->access;
    if (launch->access) return variant_of_launch(launch, false, out, error);
    if (*together) return variant_of_launch(launch, true, out, error);
    SW_TRY(variant_of_launch(launch, false, out, error));
    if (!variant_may_wait(launch, *out)) return SW_OK;
    struct engine_variant *resumable;
    struct sw_error why;
    enum sw_status status = variant_of_launch(launch, true, &resumable, &why);
    if (status == SW_UNSUPPORTED) return SW_OK;
    if (status != SW_OK) {
        if (error) *error = why;
        return status;
    }
    *together = true;
    *out = resumable;
    return SW_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the listener that NVTX's headers load (NVTX_INJECTION64_PATH). Method: they hand over a function
 * that finds tables by number; the table of callbacks gives the places of functions by module, which get
 * ours. Limits: modules CORE and CORE2. Source: nvtx3/nvtxDetail/nvtxTypes.h and nvtxInit.h of CUDA 13.0. */
#include "nvtx_priv.h"

enum { TABLE_CALLBACKS = 1, MODULE_CORE = 1, MODULE_CORE2 = 5 };

struct callbacks_table {
    size_t bytes;
    int (*get_module)(int module, void (***places)(void), unsigned *count);
};
typedef const void *get_table_fn(uint32_t id);

/* places: an array of pointers to the variables in which functions stand. */
static bool get_module(const struct callbacks_table *table, int module, struct nvtx_callbacks *out)
{
    return table->get_module(module, (void (***)(void))(void *)&out->places, &out->count) && out->places;
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(get_table_fn *get_table);
int InitializeInjectionNvtx2(get_table_fn *get_table)
{
    struct nvtx_callbacks core = {0}, core2 = {0};
    const struct callbacks_table *table = get_table ? get_table(TABLE_CALLBACKS) : NULL;
    if (!table || table->bytes < sizeof *table) return 0;
    if (!get_module(table, MODULE_CORE, &core) || !get_module(table, MODULE_CORE2, &core2)) return 0;
    nvtx_core_fill(&core);
    nvtx_domain_fill(&core2);
    return 1;
}

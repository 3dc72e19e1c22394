/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted or noted, and the row of an instruction in the table of those that are. */
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"

bool jit_counts(const struct jit *jit)
{
    return jit->slots != NULL;
}

bool jit_records(const struct jit *jit)
{
    return jit->request->probes & EVENT_PROBE_ACCESS;
}

bool jit_orders(const struct jit *jit)
{
    return jit->request->probes & EVENT_PROBE_ORDER;
}

bool jit_samples_address_set(const struct jit *jit)
{
    return jit->request->probes & EVENT_PROBE_ADDRESS_SET;
}

bool jit_notes(const struct jit *jit)
{
    return jit_records(jit) || jit_samples_address_set(jit);
}

uint32_t jit_instr_row(const struct jit *jit, const struct ptx_instr *instr)
{
    uint32_t here = (uint32_t)(instr - jit->function->instrs);
    if (jit->is_callee) return jit->first_row + here;
    if (!jit->merged_from) return here;
    for (uint32_t i = 0; i < jit->row_count; i++)
        if (jit->merged_from[i] == here) return i;
    return JIT_NO_INSTR;
}

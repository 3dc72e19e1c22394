/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the program whose symbol table names managed variables. */
#include "fuzz_input.h"

#include "runtime_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const struct rt_file file = {data, bytes, 0};
    struct rt_managed list = {0};
    rt_managed_symbols(&file, &list);
    rt_managed_release(&list);
    return 0;
}

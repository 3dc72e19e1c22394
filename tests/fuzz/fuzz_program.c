/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program that `softwarp run` looks at, and as an object of separate compilation. */
#include "fuzz_input.h"

#include "cli_priv.h"
#include "toolchain_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct cli_program program;
    const uint8_t *at;
    uint64_t length, sum = 0;
    struct sw_error error;
    (void)cli_program_find(fuzz_file(data, bytes), &program);
    if (cli_elf_section(data, bytes, ".nv_fatbin", &at, &length))
        for (uint64_t i = 0; i < length; i++)
            sum += at[i];
    (void)toolchain_rdc_object(fuzz_file(data, bytes), &error);
    return sum == UINT64_MAX;
}

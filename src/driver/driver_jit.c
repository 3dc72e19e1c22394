/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the PTX JIT: nothing here needs them, but logs and figures that a program asks for get an
 * answer. */
#include "driver_priv.h"

void driver_jit_options(unsigned count, const CUjit_option *options, void **values)
{
    for (unsigned i = 0; i < count; i++) {
        bool size = options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
                    options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
        bool text = options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER;
        if (text && values[i]) *(char *)values[i] = 0;
        if (size) values[i] = NULL; /* out: bytes written */
        if (options[i] == CU_JIT_WALL_TIME) {
            float none = 0;
            uint32_t bits;
            __builtin_memcpy(&bits, &none, sizeof bits);
            values[i] = (void *)(uintptr_t)bits;
        }
    }
}

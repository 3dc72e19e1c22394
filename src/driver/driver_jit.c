/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the PTX JIT: logs and figures that a program asks for get an answer; variables may be given
 * places in memory that is there already; nothing here needs the others. */
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

/* Unknown options, a register count of none, and targets that no GPU has. */
static bool option_is_valid(CUjit_option option, const void *value)
{
    enum { FIRST_AFTER_OURS = 100 };
    unsigned target = (unsigned)(uintptr_t)value & 0xffff;
    if ((unsigned)option >= CU_JIT_NUM_OPTIONS) return false;
    if (option == CU_JIT_MAX_REGISTERS) return value != NULL;
    return option != CU_JIT_TARGET || target >= FIRST_AFTER_OURS || arch_cc_find(target / 10, target % 10);
}

CUresult driver_jit_places(unsigned count, const CUjit_option *options, void **values,
                           struct driver_places *out)
{
    *out = (struct driver_places){0};
    for (unsigned i = 0; i < count; i++)
        if (!option_is_valid(options[i], values[i])) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CU_JIT_GLOBAL_SYMBOL_COUNT) out->count = (unsigned)(uintptr_t)values[i];
        if (options[i] == CU_JIT_GLOBAL_SYMBOL_NAMES) out->names = values[i];
        if (options[i] == CU_JIT_GLOBAL_SYMBOL_ADDRESSES) out->addresses = values[i];
    }
    return out->count && (!out->names || !out->addresses) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

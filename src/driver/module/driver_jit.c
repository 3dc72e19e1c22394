/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the PTX JIT: logs and figures that a program asks for get an answer; variables may be given
 * addresses of memory that is there already; nothing here needs the others.
 *
 * The error log is what the library said in this thread during the call: what could not be parsed, and where.
 * The info log stays empty. The wall time is that of the call. */
#include "driver_module.h"

#include "driver/core/driver_error.h"

#include <string.h>

void driver_jit_begin(struct driver_jit *jit, unsigned count, const CUjit_option *options, void **values)
{
    *jit = (struct driver_jit){
        .values = values, .start_ns = driver_now_ns(), .wall_at = -1, .size_at = {-1, -1}};
    for (unsigned i = 0; i < count; i++) {
        bool error =
            options[i] == CU_JIT_ERROR_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
        if (options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER)
            jit->log[error] = values[i];
        if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
            options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
            jit->size_at[error] = (int)i;
            jit->capacity[error] = (unsigned)(uintptr_t)values[i];
        }
        if (options[i] == CU_JIT_WALL_TIME) jit->wall_at = (int)i;
    }
    driver_logs_mark();
}

/* A log is text with a zero byte, cut to its buffer; its size, when asked for, counts the bytes written. */
static void put_log(const struct driver_jit *jit, bool error, const char *text)
{
    size_t length = strlen(text), capacity = jit->capacity[error];
    if (length + 1 > capacity) length = capacity ? capacity - 1 : 0;
    if (jit->log[error] && capacity) {
        memcpy(jit->log[error], text, length);
        jit->log[error][length] = 0;
    }
    if (jit->size_at[error] >= 0) jit->values[jit->size_at[error]] = (void *)(uintptr_t)length;
}

CUresult driver_jit_end(const struct driver_jit *jit, CUresult result)
{
    put_log(jit, false, "");
    put_log(jit, true, result == CUDA_SUCCESS ? "" : driver_logs_marked());
    if (jit->wall_at >= 0) {
        float ms = (float)((double)(driver_now_ns() - jit->start_ns) * 1e-6);
        uint32_t bits;
        memcpy(&bits, &ms, sizeof bits);
        jit->values[jit->wall_at] = (void *)(uintptr_t)bits;
    }
    return result;
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

CUresult driver_jit_symbol_addresses(unsigned count, const CUjit_option *options, void **values,
                                     struct driver_symbol_addresses *out)
{
    *out = (struct driver_symbol_addresses){0};
    for (unsigned i = 0; i < count; i++)
        if (!option_is_valid(options[i], values[i])) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CU_JIT_GLOBAL_SYMBOL_COUNT) out->count = (unsigned)(uintptr_t)values[i];
        if (options[i] == CU_JIT_GLOBAL_SYMBOL_NAMES) out->names = values[i];
        if (options[i] == CU_JIT_GLOBAL_SYMBOL_ADDRESSES) out->addresses = values[i];
    }
    return out->count && (!out->names || !out->addresses) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What NVRTC says of itself, precompiled headers (which are never made), and functions that are refused. */
#include "nvrtc_priv.h"

#include <stdatomic.h>

__attribute__((visibility("default"))) const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const texts[] = {
#define TEXT(name) [name] = #name
        TEXT(NVRTC_SUCCESS),
        TEXT(NVRTC_ERROR_OUT_OF_MEMORY),
        TEXT(NVRTC_ERROR_PROGRAM_CREATION_FAILURE),
        TEXT(NVRTC_ERROR_INVALID_INPUT),
        TEXT(NVRTC_ERROR_INVALID_PROGRAM),
        TEXT(NVRTC_ERROR_INVALID_OPTION),
        TEXT(NVRTC_ERROR_COMPILATION),
        TEXT(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE),
        TEXT(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION),
        TEXT(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION),
        TEXT(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID),
        TEXT(NVRTC_ERROR_INTERNAL_ERROR),
        TEXT(NVRTC_ERROR_TIME_FILE_WRITE_FAILED),
        TEXT(NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED),
        TEXT(NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED),
        TEXT(NVRTC_ERROR_PCH_CREATE),
        TEXT(NVRTC_ERROR_CANCELLED),
        TEXT(NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED),
#undef TEXT
    };
    unsigned number = (unsigned)result;
    return number < SW_COUNT_OF(texts) ? texts[number] : "NVRTC_ERROR unknown";
}

NVRTC_API nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
    *major = nvrtc_abi.major;
    *minor = nvrtc_abi.minor;
    return NVRTC_SUCCESS;
}

NVRTC_API nvrtcGetNumSupportedArchs(int *count)
{
    if (!count) return NVRTC_ERROR_INVALID_INPUT;
    *count = (int)nvrtc_abi.capability_count;
    return NVRTC_SUCCESS;
}

NVRTC_API nvrtcGetSupportedArchs(int *archs)
{
    if (!archs) return NVRTC_ERROR_INVALID_INPUT;
    for (uint32_t i = 0; i < nvrtc_abi.capability_count; i++)
        archs[i] = (int)nvrtc_abi.capabilities[i];
    return NVRTC_SUCCESS;
}

/* ---- precompiled headers */

static _Atomic size_t heap_bytes = 256u << 20; /* NVRTC 13.0's */

NVRTC_API nvrtcGetPCHHeapSize(size_t *bytes)
{
    if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
    *bytes = atomic_load(&heap_bytes);
    return NVRTC_SUCCESS;
}

NVRTC_API nvrtcSetPCHHeapSize(size_t bytes)
{
    atomic_store(&heap_bytes, bytes);
    return NVRTC_SUCCESS;
}

NVRTC_API nvrtcGetPCHCreateStatus(nvrtcProgram program)
{
    return nvrtc_program_lives(program) ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}

NVRTC_API nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t *bytes)
{
    if (!nvrtc_program_lives(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
    *bytes = 0;
    return NVRTC_SUCCESS;
}

/* ---- refused: exported by NVIDIA's library and not documented */

#define DONE(name)
#define REFUSED(name)                                                                                        \
    NVRTC_API name(void);                                                                                    \
    NVRTC_API name(void)                                                                                     \
    {                                                                                                        \
        static int said;                                                                                     \
        sw_log_once(&said, "%s is not supported: it is not documented; see docs/libraries/nvrtc.md", #name); \
        return NVRTC_ERROR_INTERNAL_ERROR;                                                                   \
    }
#include "nvrtc/nvrtc_api.def"
#undef REFUSED
#undef DONE

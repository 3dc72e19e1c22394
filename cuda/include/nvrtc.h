/* SPDX-License-Identifier: Apache-2.0 */
/* NVRTC 13.0: CUDA C++ in memory to PTX and cubins, what libnvrtc.so.13 of Softwarp offers
 * (docs/libraries/nvrtc.md). Every function returns a status; results through pointers, written on success. A
 * program is used by one thread at a time; several programs may compile at once. */
#ifndef SOFTWARP_NVRTC_H
#define SOFTWARP_NVRTC_H
#ifndef __NVRTC_H__ /* other headers ask for this name */
#define __NVRTC_H__
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

/* The library. */
const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *count);
nvrtcResult nvrtcGetSupportedArchs(int *archs); /* as many as the function before says, ascending */

/* Programs. Source and headers are copied. name: of the source in messages; NULL: "default_program". */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int header_count,
                               const char *const *headers, const char *const *include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char *const *options);
/* Names of kernels and variables, as C++ expressions: added before, read after compilation. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **lowered);

/* What was made. Sizes of texts count the final NUL; what was not made has size 0, PTX and the log 1. */
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char *ir);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char *ir);

/* Precompiled headers are never made. */
nvrtcResult nvrtcGetPCHHeapSize(size_t *bytes);
nvrtcResult nvrtcSetPCHHeapSize(size_t bytes);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t *bytes);

/* Asked before and after the compiler runs; other than 0 ends the compilation (NVRTC_ERROR_CANCELLED). */
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void *payload, void *reserved),
                                 void *payload);

#ifdef __cplusplus
}

#if defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME /* programs ask for it before they include this file */
#include <cxxabi.h>
#include <stdlib.h>
#include <string>
#include <typeinfo>

/* The name of a type as the compiled source spells it, for name expressions. */
template <typename T> struct softwarp_nvrtc_type {
};
static inline nvrtcResult nvrtcGetTypeName(const std::type_info &info, std::string *name)
{
    if (!name) return NVRTC_ERROR_INVALID_INPUT;
    int status = 0;
    char *text = abi::__cxa_demangle(info.name(), nullptr, nullptr, &status);
    if (!text) return status == -1 ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_ERROR_INTERNAL_ERROR;
    *name = text;
    free(text);
    return NVRTC_SUCCESS;
}
template <typename T> static inline nvrtcResult nvrtcGetTypeName(std::string *name)
{
    nvrtcResult result = nvrtcGetTypeName(typeid(softwarp_nvrtc_type<T>), name); /* keeps const and & */
    if (result != NVRTC_SUCCESS) return result;
    size_t first = name->find('<'), last = name->rfind('>');
    if (first == std::string::npos || last == std::string::npos) return NVRTC_ERROR_INTERNAL_ERROR;
    *name = name->substr(first + 1, last - first - 1);
    return NVRTC_SUCCESS;
}
#endif
#endif
#endif

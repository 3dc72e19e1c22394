/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX: ranges and marks that a program gives to a profiler. Header only: the first call loads the listener that
 * NVTX_INJECTION64_PATH names, as NVIDIA's headers do, which softwarp trace sets; without one every call does nothing and returns
 * what NVTX documents for that case. Names of categories, threads and CUDA objects are not kept. */
#ifndef NVTOOLSEXT_H
#define NVTOOLSEXT_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#define NVTX_VERSION              3
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define SW_NVTX_                  static inline

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

/* ---- the listener: it puts its functions into two tables, by the numbers of NvtxCallbackIdCore and NvtxCallbackIdCore2
 * (NVIDIA's nvtx3/nvtxDetail/nvtxTypes.h) */

typedef void (*nvtxSwFunction_)(void);
enum { NVTX_SW_PLACES_ = 16, NVTX_SW_CORE_ = 1, NVTX_SW_CORE2_ = 5 };
/* One for all files of a program or library. */
struct nvtxSwState_ {
    int ready; /* 1: the listener was looked for; 2: somebody is at it */
    nvtxSwFunction_ functions[2][NVTX_SW_PLACES_], *places[2][NVTX_SW_PLACES_ + 1];
};
__attribute__((weak, visibility("hidden"))) struct nvtxSwState_ nvtxSwState_;

SW_NVTX_ int nvtxSwModule_(int module, nvtxSwFunction_ ***places, unsigned *count)
{
    int which = module == NVTX_SW_CORE2_;
    if (module != NVTX_SW_CORE_ && module != NVTX_SW_CORE2_) return 0;
    *places = nvtxSwState_.places[which];
    if (count) *count = NVTX_SW_PLACES_;
    return 1;
}
SW_NVTX_ const void *nvtxSwTable_(uint32_t id)
{
    static const struct {
        size_t bytes;
        int (*module)(int, nvtxSwFunction_ ***, unsigned *);
    } callbacks = {sizeof callbacks, nvtxSwModule_};
    return id == 1 ? &callbacks : NULL;
}
SW_NVTX_ void nvtxSwLoad_(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path && *path ? dlopen(path, RTLD_LAZY) : NULL;
    union {
        void *address;
        int (*start)(const void *(*)(uint32_t));
    } entry;
    for (int which = 0; which < 2; which++)
        for (int i = 1; i < NVTX_SW_PLACES_; i++)
            nvtxSwState_.places[which][i] = &nvtxSwState_.functions[which][i];
    entry.address = library ? dlsym(library, "InitializeInjectionNvtx2") : NULL;
    if (entry.address) entry.start(nvtxSwTable_);
}
/* Function `number` of table 0 (CORE) or 1 (CORE2); NULL: nobody listens. */
SW_NVTX_ nvtxSwFunction_ nvtxSwGet_(int which, int number)
{
    int fresh = 0;
    if (__atomic_load_n(&nvtxSwState_.ready, __ATOMIC_ACQUIRE) != 1) {
        if (__atomic_compare_exchange_n(&nvtxSwState_.ready, &fresh, 2, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
            nvtxSwLoad_();
            __atomic_store_n(&nvtxSwState_.ready, 1, __ATOMIC_RELEASE);
        } else
            while (__atomic_load_n(&nvtxSwState_.ready, __ATOMIC_ACQUIRE) != 1)
                continue;
    }
    return nvtxSwState_.functions[which][number];
}
#define SW_NVTX_CALL_(which, number, type, none, types, arguments)                                                             \
    nvtxSwFunction_ function_ = nvtxSwGet_(which, number);                                                                     \
    return function_ ? ((type(*) types)function_)arguments : none
#define SW_NVTX_DO_(which, number, types, arguments)                                                                           \
    nvtxSwFunction_ function_ = nvtxSwGet_(which, number);                                                                     \
    if (function_) ((void (*) types)function_)arguments

SW_NVTX_ void nvtxInitialize(const void *reserved)
{
    (void)reserved, (void)nvtxSwGet_(0, 1);
}
SW_NVTX_ void nvtxMarkEx(const nvtxEventAttributes_t *attributes)
{
    SW_NVTX_DO_(0, 1, (const nvtxEventAttributes_t *), (attributes));
}
SW_NVTX_ void nvtxMarkA(const char *message)
{
    SW_NVTX_DO_(0, 2, (const char *), (message));
}
SW_NVTX_ void nvtxMarkW(const wchar_t *message)
{
    SW_NVTX_DO_(0, 3, (const wchar_t *), (message));
}
SW_NVTX_ nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes)
{
    SW_NVTX_CALL_(0, 4, nvtxRangeId_t, 0, (const nvtxEventAttributes_t *), (attributes));
}
SW_NVTX_ nvtxRangeId_t nvtxRangeStartA(const char *message)
{
    SW_NVTX_CALL_(0, 5, nvtxRangeId_t, 0, (const char *), (message));
}
SW_NVTX_ nvtxRangeId_t nvtxRangeStartW(const wchar_t *message)
{
    SW_NVTX_CALL_(0, 6, nvtxRangeId_t, 0, (const wchar_t *), (message));
}
SW_NVTX_ void nvtxRangeEnd(nvtxRangeId_t id)
{
    SW_NVTX_DO_(0, 7, (nvtxRangeId_t), (id));
}
SW_NVTX_ int nvtxRangePushEx(const nvtxEventAttributes_t *attributes)
{
    SW_NVTX_CALL_(0, 8, int, NVTX_NO_PUSH_POP_TRACKING, (const nvtxEventAttributes_t *), (attributes));
}
SW_NVTX_ int nvtxRangePushA(const char *message)
{
    SW_NVTX_CALL_(0, 9, int, NVTX_NO_PUSH_POP_TRACKING, (const char *), (message));
}
SW_NVTX_ int nvtxRangePushW(const wchar_t *message)
{
    SW_NVTX_CALL_(0, 10, int, NVTX_NO_PUSH_POP_TRACKING, (const wchar_t *), (message));
}
SW_NVTX_ int nvtxRangePop(void)
{
    SW_NVTX_CALL_(0, 11, int, NVTX_NO_PUSH_POP_TRACKING, (void), ());
}
SW_NVTX_ void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
    SW_NVTX_DO_(1, 1, (nvtxDomainHandle_t, const nvtxEventAttributes_t *), (domain, attributes));
}
SW_NVTX_ nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
    SW_NVTX_CALL_(1, 2, nvtxRangeId_t, 0, (nvtxDomainHandle_t, const nvtxEventAttributes_t *), (domain, attributes));
}
SW_NVTX_ void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    SW_NVTX_DO_(1, 3, (nvtxDomainHandle_t, nvtxRangeId_t), (domain, id));
}
SW_NVTX_ int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
    SW_NVTX_CALL_(1, 4, int, NVTX_NO_PUSH_POP_TRACKING, (nvtxDomainHandle_t, const nvtxEventAttributes_t *), (domain, attributes));
}
SW_NVTX_ int nvtxDomainRangePop(nvtxDomainHandle_t domain)
{
    SW_NVTX_CALL_(1, 5, int, NVTX_NO_PUSH_POP_TRACKING, (nvtxDomainHandle_t), (domain));
}
SW_NVTX_ nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *text)
{
    SW_NVTX_CALL_(1, 10, nvtxStringHandle_t, 0, (nvtxDomainHandle_t, const char *), (domain, text));
}
SW_NVTX_ nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t *text)
{
    SW_NVTX_CALL_(1, 11, nvtxStringHandle_t, 0, (nvtxDomainHandle_t, const wchar_t *), (domain, text));
}
SW_NVTX_ nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
    SW_NVTX_CALL_(1, 12, nvtxDomainHandle_t, 0, (const char *), (name));
}
SW_NVTX_ nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *name)
{
    SW_NVTX_CALL_(1, 13, nvtxDomainHandle_t, 0, (const wchar_t *), (name));
}
SW_NVTX_ void nvtxDomainDestroy(nvtxDomainHandle_t domain)
{
    SW_NVTX_DO_(1, 14, (nvtxDomainHandle_t), (domain));
}
SW_NVTX_ void nvtxNameCategoryA(uint32_t category, const char *name) { (void)category, (void)name; }
SW_NVTX_ void nvtxNameOsThreadA(uint32_t thread, const char *name) { (void)thread, (void)name; }
SW_NVTX_ void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *name)
{
    (void)domain, (void)category, (void)name;
}
#undef SW_NVTX_CALL_
#undef SW_NVTX_DO_
#if defined(UNICODE)
#define nvtxRangePush    nvtxRangePushW
#define nvtxRangeStart   nvtxRangeStartW
#define nvtxMark         nvtxMarkW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#else
#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxMark         nvtxMarkA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#undef SW_NVTX_
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX: ranges and marks that a program gives to a profiler. Nobody listens here: every call does nothing and returns what NVTX
 * documents for that case. Header only; softwarp profile shows kernels, not ranges. */
#ifndef NVTOOLSEXT_H
#define NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>
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

SW_NVTX_ void nvtxInitialize(const void *reserved) { (void)reserved; }
SW_NVTX_ int nvtxRangePushA(const char *message) { return (void)message, NVTX_NO_PUSH_POP_TRACKING; }
SW_NVTX_ int nvtxRangePushW(const wchar_t *message) { return (void)message, NVTX_NO_PUSH_POP_TRACKING; }
SW_NVTX_ int nvtxRangePushEx(const nvtxEventAttributes_t *a) { return (void)a, NVTX_NO_PUSH_POP_TRACKING; }
SW_NVTX_ int nvtxRangePop(void) { return NVTX_NO_PUSH_POP_TRACKING; }
SW_NVTX_ nvtxRangeId_t nvtxRangeStartA(const char *message) { return (void)message, 0; }
SW_NVTX_ nvtxRangeId_t nvtxRangeStartW(const wchar_t *message) { return (void)message, 0; }
SW_NVTX_ nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *a) { return (void)a, 0; }
SW_NVTX_ void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
SW_NVTX_ void nvtxMarkA(const char *message) { (void)message; }
SW_NVTX_ void nvtxMarkW(const wchar_t *message) { (void)message; }
SW_NVTX_ void nvtxMarkEx(const nvtxEventAttributes_t *a) { (void)a; }
SW_NVTX_ void nvtxNameCategoryA(uint32_t category, const char *name) { (void)category, (void)name; }
SW_NVTX_ void nvtxNameOsThreadA(uint32_t thread, const char *name) { (void)thread, (void)name; }
SW_NVTX_ nvtxDomainHandle_t nvtxDomainCreateA(const char *name) { return (void)name, (nvtxDomainHandle_t)0; }
SW_NVTX_ nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *name) { return (void)name, (nvtxDomainHandle_t)0; }
SW_NVTX_ void nvtxDomainDestroy(nvtxDomainHandle_t d) { (void)d; }
SW_NVTX_ nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t d, const char *text)
{
    return (void)d, (void)text, (nvtxStringHandle_t)0;
}
SW_NVTX_ void nvtxDomainNameCategoryA(nvtxDomainHandle_t d, uint32_t category, const char *name)
{
    (void)d, (void)category, (void)name;
}
SW_NVTX_ int nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a)
{
    return (void)d, (void)a, NVTX_NO_PUSH_POP_TRACKING;
}
SW_NVTX_ int nvtxDomainRangePop(nvtxDomainHandle_t d) { return (void)d, NVTX_NO_PUSH_POP_TRACKING; }
SW_NVTX_ nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a)
{
    return (void)d, (void)a, 0;
}
SW_NVTX_ void nvtxDomainRangeEnd(nvtxDomainHandle_t d, nvtxRangeId_t id) { (void)d, (void)id; }
SW_NVTX_ void nvtxDomainMarkEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a) { (void)d, (void)a; }
#if defined(UNICODE)
#define nvtxRangePush    nvtxRangePushW
#define nvtxRangeStart   nvtxRangeStartW
#define nvtxMark         nvtxMarkW
#define nvtxDomainCreate nvtxDomainCreateW
#else
#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxMark         nvtxMarkA
#define nvtxDomainCreate nvtxDomainCreateA
#endif
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#undef SW_NVTX_
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* CUPTI's activity interface: records of what the device and the program's calls did, with times. Names, values and layouts:
 * CUPTI 13.0. Times are those of the virtual clock under softwarp profile and trace. */
#ifndef CUPTI_ACTIVITY_H
#define CUPTI_ACTIVITY_H

#include "cuda.h"
#include "cupti_result.h"

#include <stddef.h>
#include <stdint.h>

/* Kinds of records. Those that come: docs/libraries/cupti.md. */
typedef enum {
    CUPTI_ACTIVITY_KIND_INVALID = 0,
    CUPTI_ACTIVITY_KIND_MEMCPY = 1,
    CUPTI_ACTIVITY_KIND_MEMSET = 2,
    CUPTI_ACTIVITY_KIND_KERNEL = 3,
    CUPTI_ACTIVITY_KIND_DRIVER = 4,
    CUPTI_ACTIVITY_KIND_RUNTIME = 5,
    CUPTI_ACTIVITY_KIND_EVENT = 6,
    CUPTI_ACTIVITY_KIND_METRIC = 7,
    CUPTI_ACTIVITY_KIND_DEVICE = 8,
    CUPTI_ACTIVITY_KIND_CONTEXT = 9,
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL = 10,
    CUPTI_ACTIVITY_KIND_NAME = 11,
    CUPTI_ACTIVITY_KIND_MARKER = 12,
    CUPTI_ACTIVITY_KIND_MARKER_DATA = 13,
    CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR = 14,
    CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS = 15,
    CUPTI_ACTIVITY_KIND_BRANCH = 16,
    CUPTI_ACTIVITY_KIND_OVERHEAD = 17,
    CUPTI_ACTIVITY_KIND_CDP_KERNEL = 18,
    CUPTI_ACTIVITY_KIND_PREEMPTION = 19,
    CUPTI_ACTIVITY_KIND_ENVIRONMENT = 20,
    CUPTI_ACTIVITY_KIND_EVENT_INSTANCE = 21,
    CUPTI_ACTIVITY_KIND_MEMCPY2 = 22,
    CUPTI_ACTIVITY_KIND_METRIC_INSTANCE = 23,
    CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION = 24,
    CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER = 25,
    CUPTI_ACTIVITY_KIND_FUNCTION = 26,
    CUPTI_ACTIVITY_KIND_MODULE = 27,
    CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE = 28,
    CUPTI_ACTIVITY_KIND_SHARED_ACCESS = 29,
    CUPTI_ACTIVITY_KIND_PC_SAMPLING = 30,
    CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO = 31,
    CUPTI_ACTIVITY_KIND_INSTRUCTION_CORRELATION = 32,
    CUPTI_ACTIVITY_KIND_OPENACC_DATA = 33,
    CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH = 34,
    CUPTI_ACTIVITY_KIND_OPENACC_OTHER = 35,
    CUPTI_ACTIVITY_KIND_CUDA_EVENT = 36,
    CUPTI_ACTIVITY_KIND_STREAM = 37,
    CUPTI_ACTIVITY_KIND_SYNCHRONIZATION = 38,
    CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION = 39,
    CUPTI_ACTIVITY_KIND_NVLINK = 40,
    CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT = 41,
    CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT_INSTANCE = 42,
    CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC = 43,
    CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC_INSTANCE = 44,
    CUPTI_ACTIVITY_KIND_MEMORY = 45,
    CUPTI_ACTIVITY_KIND_PCIE = 46,
    CUPTI_ACTIVITY_KIND_OPENMP = 47,
    CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API = 48,
    CUPTI_ACTIVITY_KIND_MEMORY2 = 49,
    CUPTI_ACTIVITY_KIND_MEMORY_POOL = 50,
    CUPTI_ACTIVITY_KIND_GRAPH_TRACE = 51,
    CUPTI_ACTIVITY_KIND_JIT = 52,
    CUPTI_ACTIVITY_KIND_DEVICE_GRAPH_TRACE = 53,
    CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS = 54,
    CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION = 55,
    CUPTI_ACTIVITY_KIND_COUNT = 56,
    CUPTI_ACTIVITY_KIND_FORCE_INT = 0x7fffffff
} CUpti_ActivityKind;
typedef enum {
    CUPTI_ACTIVITY_OBJECT_UNKNOWN = 0,
    CUPTI_ACTIVITY_OBJECT_PROCESS = 1,
    CUPTI_ACTIVITY_OBJECT_THREAD = 2,
    CUPTI_ACTIVITY_OBJECT_DEVICE = 3,
    CUPTI_ACTIVITY_OBJECT_CONTEXT = 4,
    CUPTI_ACTIVITY_OBJECT_STREAM = 5,
    CUPTI_ACTIVITY_OBJECT_FORCE_INT = 0x7fffffff
} CUpti_ActivityObjectKind;
typedef enum {
    CUPTI_ACTIVITY_COMPUTE_API_UNKNOWN = 0,
    CUPTI_ACTIVITY_COMPUTE_API_CUDA = 1,
    CUPTI_ACTIVITY_COMPUTE_API_CUDA_MPS = 2,
    CUPTI_ACTIVITY_COMPUTE_API_FORCE_INT = 0x7fffffff
} CUpti_ActivityComputeApiKind;
/* Bits of several records; each record says which of them. */
typedef enum {
    CUPTI_ACTIVITY_FLAG_NONE = 0,
    CUPTI_ACTIVITY_FLAG_DEVICE_CONCURRENT_KERNELS = 1 << 0,
    CUPTI_ACTIVITY_FLAG_DEVICE_ATTRIBUTE_CUDEVICE = 1 << 0,
    CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC = 1 << 0,
    CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS = 1 << 0,
    CUPTI_ACTIVITY_FLAG_MARKER_START = 1 << 1,
    CUPTI_ACTIVITY_FLAG_MARKER_END = 1 << 2,
    CUPTI_ACTIVITY_FLAG_MARKER_SYNC_ACQUIRE = 1 << 3,
    CUPTI_ACTIVITY_FLAG_MARKER_SYNC_ACQUIRE_SUCCESS = 1 << 4,
    CUPTI_ACTIVITY_FLAG_MARKER_SYNC_ACQUIRE_FAILED = 1 << 5,
    CUPTI_ACTIVITY_FLAG_MARKER_SYNC_RELEASE = 1 << 6,
    CUPTI_ACTIVITY_FLAG_MARKER_COLOR_NONE = 1 << 0,
    CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB = 1 << 1,
    CUPTI_ACTIVITY_FLAG_GLOBAL_ACCESS_KIND_SIZE_MASK = 0xFF << 0,
    CUPTI_ACTIVITY_FLAG_GLOBAL_ACCESS_KIND_LOAD = 1 << 8,
    CUPTI_ACTIVITY_FLAG_GLOBAL_ACCESS_KIND_CACHED = 1 << 9,
    CUPTI_ACTIVITY_FLAG_METRIC_OVERFLOWED = 1 << 0,
    CUPTI_ACTIVITY_FLAG_METRIC_VALUE_INVALID = 1 << 1,
    CUPTI_ACTIVITY_FLAG_INSTRUCTION_VALUE_INVALID = 1 << 0,
    CUPTI_ACTIVITY_FLAG_INSTRUCTION_CLASS_MASK = 0xFF << 1,
    CUPTI_ACTIVITY_FLAG_FLUSH_FORCED = 1 << 0,
    CUPTI_ACTIVITY_FLAG_SHARED_ACCESS_KIND_SIZE_MASK = 0xFF << 0,
    CUPTI_ACTIVITY_FLAG_SHARED_ACCESS_KIND_LOAD = 1 << 8,
    CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC = 1 << 0,
    CUPTI_ACTIVITY_FLAG_THRASHING_IN_CPU = 1 << 0,
    CUPTI_ACTIVITY_FLAG_THROTTLING_IN_CPU = 1 << 0,
    CUPTI_ACTIVITY_FLAG_FORCE_INT = 0x7fffffff
} CUpti_ActivityFlag;
typedef enum {
    CUPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN = 0,
    CUPTI_ACTIVITY_MEMCPY_KIND_HTOD = 1,
    CUPTI_ACTIVITY_MEMCPY_KIND_DTOH = 2,
    CUPTI_ACTIVITY_MEMCPY_KIND_HTOA = 3,
    CUPTI_ACTIVITY_MEMCPY_KIND_ATOH = 4,
    CUPTI_ACTIVITY_MEMCPY_KIND_ATOA = 5,
    CUPTI_ACTIVITY_MEMCPY_KIND_ATOD = 6,
    CUPTI_ACTIVITY_MEMCPY_KIND_DTOA = 7,
    CUPTI_ACTIVITY_MEMCPY_KIND_DTOD = 8,
    CUPTI_ACTIVITY_MEMCPY_KIND_HTOH = 9,
    CUPTI_ACTIVITY_MEMCPY_KIND_PTOP = 10,
    CUPTI_ACTIVITY_MEMCPY_KIND_FORCE_INT = 0x7fffffff
} CUpti_ActivityMemcpyKind;
typedef enum {
    CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN = 0,
    CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE = 1,
    CUPTI_ACTIVITY_MEMORY_KIND_PINNED = 2,
    CUPTI_ACTIVITY_MEMORY_KIND_DEVICE = 3,
    CUPTI_ACTIVITY_MEMORY_KIND_ARRAY = 4,
    CUPTI_ACTIVITY_MEMORY_KIND_MANAGED = 5,
    CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC = 6,
    CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC = 7,
    CUPTI_ACTIVITY_MEMORY_KIND_FORCE_INT = 0x7fffffff
} CUpti_ActivityMemoryKind;
typedef enum {
    CUPTI_ACTIVITY_PARTITIONED_GLOBAL_CACHE_CONFIG_UNKNOWN = 0,
    CUPTI_ACTIVITY_PARTITIONED_GLOBAL_CACHE_CONFIG_NOT_SUPPORTED = 1,
    CUPTI_ACTIVITY_PARTITIONED_GLOBAL_CACHE_CONFIG_OFF = 2,
    CUPTI_ACTIVITY_PARTITIONED_GLOBAL_CACHE_CONFIG_ON = 3,
    CUPTI_ACTIVITY_PARTITIONED_GLOBAL_CACHE_CONFIG_FORCE_INT = 0x7fffffff
} CUpti_ActivityPartitionedGlobalCacheConfig;
typedef enum {
    CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN = 0,
    CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE = 1,
    CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT = 2,
    CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE = 3,
    CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE = 4,
    CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_FORCE_INT = 0x7fffffff
} CUpti_ActivitySynchronizationType;
typedef enum {
    CUPTI_ACTIVITY_STREAM_CREATE_FLAG_UNKNOWN = 0,
    CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT = 1,
    CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING = 2,
    CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL = 3,
    CUPTI_ACTIVITY_STREAM_CREATE_MASK = 0xFFFF,
    CUPTI_ACTIVITY_STREAM_CREATE_FLAG_FORCE_INT = 0x7fffffff
} CUpti_ActivityStreamFlag;
typedef enum {
    CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_INVALID = 0,
    CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION = 1,
    CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE = 2,
    CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_FORCE_INT = 0x7fffffff
} CUpti_ActivityMemoryOperationType;
typedef enum {
    CUPTI_ACTIVITY_MEMORY_POOL_TYPE_INVALID = 0,
    CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL = 1,
    CUPTI_ACTIVITY_MEMORY_POOL_TYPE_IMPORTED = 2,
    CUPTI_ACTIVITY_MEMORY_POOL_TYPE_FORCE_INT = 0x7fffffff
} CUpti_ActivityMemoryPoolType;
typedef enum {
    CUPTI_CHANNEL_TYPE_INVALID = 0,
    CUPTI_CHANNEL_TYPE_COMPUTE = 1,
    CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY = 2,
    CUPTI_CHANNEL_TYPE_DECOMP = 3,
    CUPTI_CHANNEL_TYPE_FORCE_INT = 0x7fffffff
} CUpti_ChannelType;
typedef enum {
    CUPTI_CONTEXT_CIG_MODE_NONE = 0,
    CUPTI_CONTEXT_CIG_MODE_CIG = 1,
    CUPTI_CONTEXT_CIG_MODE_CIG_FALLBACK = 2,
    CUPTI_CONTEXT_CIG_MODE_FORCE_INT = 0x7fffffff
} CUpti_ContextCigMode;
typedef enum {
    CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR = 0,
    CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE = 1,
    CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE = 2,
    CUPTI_ACTIVITY_LAUNCH_TYPE_CBL_COMMANDLIST = 3
} CUpti_ActivityLaunchType;
typedef enum {
    CUPTI_FUNC_SHMEM_LIMIT_DEFAULT = 0x00,
    CUPTI_FUNC_SHMEM_LIMIT_OPTIN = 0x01,
    CUPTI_FUNC_SHMEM_LIMIT_FORCE_INT = 0x7fffffff
} CUpti_FuncShmemLimitConfig;
typedef enum {
    CUPTI_EXTERNAL_CORRELATION_KIND_INVALID = 0,
    CUPTI_EXTERNAL_CORRELATION_KIND_UNKNOWN = 1,
    CUPTI_EXTERNAL_CORRELATION_KIND_OPENACC = 2,
    CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 = 3,
    CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1 = 4,
    CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2 = 5,
    CUPTI_EXTERNAL_CORRELATION_KIND_SIZE = 6,
    CUPTI_EXTERNAL_CORRELATION_KIND_FORCE_INT = 0x7fffffff
} CUpti_ExternalCorrelationKind;
typedef enum {
    CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE = 0,
    CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_CDP = 1,
    CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT = 2,
    CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_SIZE = 3,
    CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_LIMIT = 4,
    CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER = 5,
    CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE = 6,
    CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE = 7,
    CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED = 8,
    CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER = 9,
    CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_DEVICE_GRAPHS = 10,
    CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_FORCE_INT = 0x7fffffff
} CUpti_ActivityAttribute;
typedef enum {
    CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT = 0,
    CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM = 1,
    CUPTI_ACTIVITY_THREAD_ID_TYPE_SIZE = 2,
    CUPTI_ACTIVITY_THREAD_ID_TYPE_FORCE_INT = 0x7fffffff
} CUpti_ActivityThreadIdType;
typedef enum {
    CUPTI_ACTIVITY_OVERHEAD_UNKNOWN = 0,
    CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER = 1,
    CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH = 1<<16,
    CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION = 2<<16,
    CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE = 3<<16,
    CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING = 4<<16,
    CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING = 5<<16,
    CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL = 6<<16,
    CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST = 7<<16,
    CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT = 8<<16,
    CUPTI_ACTIVITY_OVERHEAD_FORCE_INT = 0x7fffffff
} CUpti_ActivityOverheadKind;

#define CUPTI_UNIFIED_MEMORY_CPU_DEVICE_ID ((uint32_t)0xFFFFFFFFU)
#define CUPTI_INVALID_CONTEXT_ID           ((uint32_t)0xFFFFFFFFU)
#define CUPTI_INVALID_STREAM_ID            ((uint32_t)0xFFFFFFFFU)
#define CUPTI_INVALID_CHANNEL_ID           ((uint32_t)0xFFFFFFFFU)
#define CUPTI_SYNCHRONIZATION_INVALID_VALUE ((uint32_t)0xFFFFFFFFU)
#define CUPTI_SOURCE_LOCATOR_ID_UNKNOWN    0
#define CUPTI_CORRELATION_ID_UNKNOWN       0
#define CUPTI_TIMESTAMP_UNKNOWN            0LL

/* Records stand one after the other in the program's buffers, each at a multiple of 8 bytes. */
#define CUPTI_RECORD_ struct __attribute__((packed, aligned(8)))

typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
} CUpti_Activity;

typedef union {
    struct {
        uint32_t processId, threadId;
    } pt;
    struct {
        uint32_t deviceId, contextId, streamId;
    } dcs;
} CUpti_ActivityObjectKindId;

/* A kernel, or a call of a library that stands in for one. */
typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
    union {
        uint8_t both;
        struct {
            uint8_t requested : 4, executed : 4;
        } config;
    } cacheConfig;
    uint8_t sharedMemoryConfig;
    uint16_t registersPerThread;
    CUpti_ActivityPartitionedGlobalCacheConfig partitionedGlobalCacheRequested, partitionedGlobalCacheExecuted;
    uint64_t start, end, completed; /* ns */
    uint32_t deviceId, contextId, streamId;
    int32_t gridX, gridY, gridZ, blockX, blockY, blockZ;
    int32_t staticSharedMemory, dynamicSharedMemory; /* bytes */
    uint32_t localMemoryPerThread, localMemoryTotal;
    uint32_t correlationId;
    int64_t gridId;
    const char *name; /* mangled */
    void *reserved0;
    uint64_t queued, submitted; /* CUPTI_TIMESTAMP_UNKNOWN */
    uint8_t launchType;         /* CUpti_ActivityLaunchType */
    uint8_t isSharedMemoryCarveoutRequested, sharedMemoryCarveoutRequested;
    uint8_t padding;
    uint32_t sharedMemoryExecuted;
    uint64_t graphNodeId;
    CUpti_FuncShmemLimitConfig shmemLimitConfig;
    uint32_t graphId;
    CUaccessPolicyWindow *pAccessPolicyWindow;
    uint32_t channelID;
    CUpti_ChannelType channelType;
    uint32_t clusterX, clusterY, clusterZ, clusterSchedulingPolicy;
    uint64_t localMemoryTotal_v2;
    uint32_t maxPotentialClusterSize, maxActiveClusters;
    uint8_t isDeviceLaunched;
    uint8_t padding3[7];
} CUpti_ActivityKernel10;

typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
    uint8_t copyKind;         /* CUpti_ActivityMemcpyKind */
    uint8_t srcKind, dstKind; /* CUpti_ActivityMemoryKind */
    uint8_t flags;            /* CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC */
    uint64_t bytes, start, end;
    uint32_t deviceId, contextId, streamId, correlationId, runtimeCorrelationId;
    uint32_t pad;
    void *reserved0;
    uint64_t graphNodeId;
    uint32_t graphId, channelID;
    CUpti_ChannelType channelType;
    uint8_t isDeviceLaunched;
    uint8_t pad2[3];
    uint64_t copyCount;
} CUpti_ActivityMemcpy6;

/* Of a copy between two devices: CUPTI_ACTIVITY_KIND_MEMCPY2. */
typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
    uint8_t copyKind, srcKind, dstKind, flags;
    uint64_t bytes, start, end;
    uint32_t deviceId, contextId, streamId;
    uint32_t srcDeviceId, srcContextId, dstDeviceId, dstContextId, correlationId;
    void *reserved0;
    uint64_t graphNodeId;
    uint32_t graphId, channelID;
    CUpti_ChannelType channelType;
} CUpti_ActivityMemcpyPtoP4;

typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
    uint32_t value;
    uint64_t bytes, start, end;
    uint32_t deviceId, contextId, streamId, correlationId;
    uint16_t flags;      /* CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC */
    uint16_t memoryKind; /* CUpti_ActivityMemoryKind */
    uint32_t pad;
    void *reserved0;
    uint64_t graphNodeId;
    uint32_t graphId, channelID;
    CUpti_ChannelType channelType;
    uint8_t isDeviceLaunched;
    uint8_t pad2[3];
} CUpti_ActivityMemset4;

/* Memory that is allocated or freed: CUPTI_ACTIVITY_KIND_MEMORY2. */
typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
    CUpti_ActivityMemoryOperationType memoryOperationType;
    CUpti_ActivityMemoryKind memoryKind;
    uint32_t correlationId;
    uint64_t address, bytes, timestamp, PC;
    uint32_t processId, deviceId, contextId, streamId;
    const char *name;
    uint32_t isAsync;
    uint32_t pad1;
    struct __attribute__((packed, aligned(8))) {
        CUpti_ActivityMemoryPoolType memoryPoolType;
        uint32_t pad2;
        uint64_t address, releaseThreshold;
        union {
            uint64_t size, processId;
        } pool;
        uint64_t utilizedSize;
    } memoryPoolConfig;
    const char *source;
} CUpti_ActivityMemory4;

/* A call: CUPTI_ACTIVITY_KIND_RUNTIME or _DRIVER. */
typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
    uint32_t cbid;
    uint64_t start, end;
    uint32_t processId, threadId, correlationId;
    uint32_t returnValue;
} CUpti_ActivityAPI;

typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
    CUpti_ExternalCorrelationKind externalKind;
    uint64_t externalId;
    uint32_t correlationId, reserved;
} CUpti_ActivityExternalCorrelation;

typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
    CUpti_ActivitySynchronizationType type;
    uint64_t start, end;
    uint32_t correlationId, contextId, streamId, cudaEventId;
    uint64_t cudaEventSyncId;
    uint32_t returnValue, pad;
} CUpti_ActivitySynchronization2;

/* A range or mark of NVTX: CUPTI_ACTIVITY_KIND_MARKER. */
typedef CUPTI_RECORD_ {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags; /* CUPTI_ACTIVITY_FLAG_MARKER_* */
    uint64_t timestamp;
    uint32_t id;
    CUpti_ActivityObjectKind objectKind;
    CUpti_ActivityObjectKindId objectId;
    uint32_t pad;
    const char *name;   /* NULL at the end of a range */
    const char *domain; /* NULL: the default one */
} CUpti_ActivityMarker2;
#undef CUPTI_RECORD_

/* Buffers of the program: asked for when there are records, given back when full or flushed. maxNumRecords: 0 for as many as fit.
 * context, streamId: NULL and 0. Called on a thread of the program, in a call of CUDA's or CUPTI's. */
typedef void(CUPTIAPI *CUpti_BuffersCallbackRequestFunc)(uint8_t **buffer, size_t *size, size_t *maxNumRecords);
typedef void(CUPTIAPI *CUpti_BuffersCallbackCompleteFunc)(CUcontext context, uint32_t streamId, uint8_t *buffer, size_t size,
                                                          size_t validSize);
typedef uint64_t(CUPTIAPI *CUpti_TimestampCallbackFunc)(void);

#ifdef __cplusplus
extern "C" {
#endif
CUptiResult CUPTIAPI cuptiGetTimestamp(uint64_t *timestamp);
CUptiResult CUPTIAPI cuptiGetContextId(CUcontext context, uint32_t *contextId);
CUptiResult CUPTIAPI cuptiGetStreamId(CUcontext context, CUstream stream, uint32_t *streamId);
CUptiResult CUPTIAPI cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t perThreadStream, uint32_t *streamId);
CUptiResult CUPTIAPI cuptiGetDeviceId(CUcontext context, uint32_t *deviceId);
CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind);
CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind kind);
CUptiResult CUPTIAPI cuptiActivityEnableContext(CUcontext context, CUpti_ActivityKind kind);
CUptiResult CUPTIAPI cuptiActivityDisableContext(CUcontext context, CUpti_ActivityKind kind);
CUptiResult CUPTIAPI cuptiActivityEnableDriverApi(uint32_t cbid, uint8_t enable);
CUptiResult CUPTIAPI cuptiActivityEnableRuntimeApi(uint32_t cbid, uint8_t enable);
CUptiResult CUPTIAPI cuptiActivityEnableLatencyTimestamps(uint8_t enable);
CUptiResult CUPTIAPI cuptiActivityEnableLaunchAttributes(uint8_t enable);
CUptiResult CUPTIAPI cuptiActivityEnableAllSyncRecords(uint8_t enable);
CUptiResult CUPTIAPI cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc funcTimestamp);
CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc funcBufferRequested,
                                                    CUpti_BuffersCallbackCompleteFunc funcBufferCompleted);
CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t *buffer, size_t validBufferSizeBytes, CUpti_Activity **record);
CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t streamId, size_t *dropped);
CUptiResult CUPTIAPI cuptiActivityFlush(CUcontext context, uint32_t streamId, uint32_t flag);
CUptiResult CUPTIAPI cuptiActivityFlushAll(uint32_t flag);
CUptiResult CUPTIAPI cuptiActivityFlushPeriod(uint32_t time);
CUptiResult CUPTIAPI cuptiActivityGetAttribute(CUpti_ActivityAttribute attr, size_t *valueSize, void *value);
CUptiResult CUPTIAPI cuptiActivitySetAttribute(CUpti_ActivityAttribute attr, size_t *valueSize, void *value);
CUptiResult CUPTIAPI cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind, uint64_t id);
CUptiResult CUPTIAPI cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind, uint64_t *lastId);
CUptiResult CUPTIAPI cuptiSetThreadIdType(CUpti_ActivityThreadIdType type);
CUptiResult CUPTIAPI cuptiGetThreadIdType(CUpti_ActivityThreadIdType *type);
CUptiResult CUPTIAPI cuptiComputeCapabilitySupported(int major, int minor, int *support);
CUptiResult CUPTIAPI cuptiDeviceSupported(CUdevice dev, int *support);
CUptiResult CUPTIAPI cuptiFinalize(void);
#ifdef __cplusplus
}
#endif
#endif

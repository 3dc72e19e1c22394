/* SPDX-License-Identifier: Apache-2.0 */
/* NCCL, as far as Softwarp's libnccl has it (docs/libraries/nccl.md). Names and values are those of NVIDIA's documentation of
 * NCCL 2.28. Every function has a twin with the prefix `pnccl`, for profilers that define the other. */
#ifndef NCCL_H_
#define NCCL_H_

#include <cuda_runtime.h>
#include <limits.h>
#include <stddef.h>

#define NCCL_MAJOR  2
#define NCCL_MINOR  28
#define NCCL_PATCH  9
#define NCCL_SUFFIX ""
#define NCCL_VERSION(major, minor, patch)                                                                    \
    ((major) <= 2 && (minor) <= 8 ? (major) * 1000 + (minor) * 100 + (patch)                                 \
                                  : (major) * 10000 + (minor) * 100 + (patch))
#define NCCL_VERSION_CODE 22809

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ncclComm *ncclComm_t;
typedef struct ncclWindow_vidmem *ncclWindow_t;
#define NCCL_COMM_NULL       NULL
#define NCCL_UNIQUE_ID_BYTES 128
typedef struct {
    char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef enum {
    ncclSuccess = 0,
    ncclUnhandledCudaError = 1,
    ncclSystemError = 2,
    ncclInternalError = 3,
    ncclInvalidArgument = 4,
    ncclInvalidUsage = 5,
    ncclRemoteError = 6,
    ncclInProgress = 7,
    ncclNumResults = 8
} ncclResult_t;

typedef enum {
    ncclInt8 = 0,
    ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6,
    ncclHalf = 6,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8,
    ncclBfloat16 = 9,
    ncclFloat8e4m3 = 10,
    ncclFloat8e5m2 = 11,
    ncclNumTypes = 12
} ncclDataType_t;

/* Handles of operations that a program makes begin at ncclNumOps. */
typedef enum {
    ncclSum = 0,
    ncclProd = 1,
    ncclMax = 2,
    ncclMin = 3,
    ncclAvg = 4,
    ncclNumOps = 5,
    ncclMaxRedOp = 0x7fffffff
} ncclRedOp_t;

/* Where the scalar of an operation is, and when it is read: when the collective runs, or at once. */
typedef enum { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 } ncclScalarResidence_t;

/* Settings that were not made. */
#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_CONFIG_UNDEF_PTR NULL
#define NCCL_UNDEF_FLOAT      -1.0f
#define NCCL_SPLIT_NOCOLOR    -1

/* Flags, and how windows are aligned. */
#define NCCL_WIN_DEFAULT            0x00
#define NCCL_WIN_COLL_SYMMETRIC     0x01
#define NCCL_WIN_REQUIRED_ALIGNMENT 4096
#define NCCL_CTA_POLICY_DEFAULT     0x00
#define NCCL_CTA_POLICY_EFFICIENCY  0x01
#define NCCL_CTA_POLICY_ZERO        0x02
#define NCCL_SHRINK_DEFAULT         0x00
#define NCCL_SHRINK_ABORT           0x01
#define NCCL_REVOKE_DEFAULT         0x00

/* Of a communicator; the first three are the initializer's. Softwarp's library uses blocking alone. */
typedef struct ncclConfig_v22800 {
    size_t size;
    unsigned int magic, version;
    int blocking, cgaClusterSize, minCTAs, maxCTAs;
    const char *netName;
    int splitShare, trafficClass;
    const char *commName;
    int collnetEnable, CTAPolicy, shrinkShare, nvlsCTAs, nChannelsPerNetPeer, nvlinkCentricSched;
} ncclConfig_t;
#define NCCL_CONFIG_INITIALIZER                                                                              \
    {sizeof(ncclConfig_t),                                                                                   \
     0xcafebeef,                                                                                             \
     NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH),                                                       \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_PTR,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_PTR,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_INT,                                                                                  \
     NCCL_CONFIG_UNDEF_INT}

/* What ncclGroupSimulateEnd says; the first three are the initializer's, the time is in microseconds. */
typedef struct ncclSimInfo_v22200 {
    size_t size;
    unsigned int magic, version;
    float estimatedTime;
} ncclSimInfo_t;
#define NCCL_SIM_INFO_INITIALIZER                                                                            \
    {sizeof(ncclSimInfo_t), 0x74685283, NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH), NCCL_UNDEF_FLOAT}

#define NCCL_FUNCTION(result, name, ...)                                                                     \
    result nccl##name(__VA_ARGS__);                                                                          \
    result pnccl##name(__VA_ARGS__);

NCCL_FUNCTION(ncclResult_t, GetVersion, int *version)
NCCL_FUNCTION(const char *, GetErrorString, ncclResult_t result)
NCCL_FUNCTION(const char *, GetLastError, ncclComm_t comm)
NCCL_FUNCTION(void, ResetDebugInit, void)

/* Communicators. */
NCCL_FUNCTION(ncclResult_t, GetUniqueId, ncclUniqueId *id)
NCCL_FUNCTION(ncclResult_t, CommInitRank, ncclComm_t *comm, int ranks, ncclUniqueId id, int rank)
NCCL_FUNCTION(ncclResult_t, CommInitRankConfig, ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
              ncclConfig_t *config)
NCCL_FUNCTION(ncclResult_t, CommInitRankScalable, ncclComm_t *comm, int ranks, int rank, int idCount,
              ncclUniqueId *ids, ncclConfig_t *config)
NCCL_FUNCTION(ncclResult_t, CommInitAll, ncclComm_t *comms, int count, const int *devices)
NCCL_FUNCTION(ncclResult_t, CommSplit, ncclComm_t comm, int color, int key, ncclComm_t *part,
              ncclConfig_t *config)
NCCL_FUNCTION(ncclResult_t, CommShrink, ncclComm_t comm, int *excluded, int excludedCount, ncclComm_t *rest,
              ncclConfig_t *config, int flags)
NCCL_FUNCTION(ncclResult_t, CommFinalize, ncclComm_t comm)
NCCL_FUNCTION(ncclResult_t, CommDestroy, ncclComm_t comm)
NCCL_FUNCTION(ncclResult_t, CommAbort, ncclComm_t comm)
NCCL_FUNCTION(ncclResult_t, CommRevoke, ncclComm_t comm, int flags)
NCCL_FUNCTION(ncclResult_t, CommGetAsyncError, ncclComm_t comm, ncclResult_t *error)
NCCL_FUNCTION(ncclResult_t, CommCount, const ncclComm_t comm, int *count)
NCCL_FUNCTION(ncclResult_t, CommCuDevice, const ncclComm_t comm, int *device)
NCCL_FUNCTION(ncclResult_t, CommUserRank, const ncclComm_t comm, int *rank)

/* Memory. */
NCCL_FUNCTION(ncclResult_t, MemAlloc, void **memory, size_t bytes)
NCCL_FUNCTION(ncclResult_t, MemFree, void *memory)
NCCL_FUNCTION(ncclResult_t, CommRegister, const ncclComm_t comm, void *memory, size_t bytes, void **handle)
NCCL_FUNCTION(ncclResult_t, CommDeregister, const ncclComm_t comm, void *handle)
NCCL_FUNCTION(ncclResult_t, CommWindowRegister, ncclComm_t comm, void *memory, size_t bytes,
              ncclWindow_t *window, int flags)
NCCL_FUNCTION(ncclResult_t, CommWindowDeregister, ncclComm_t comm, ncclWindow_t window)

/* Operations. */
NCCL_FUNCTION(ncclResult_t, RedOpCreatePreMulSum, ncclRedOp_t *op, void *scalar, ncclDataType_t type,
              ncclScalarResidence_t residence, ncclComm_t comm)
NCCL_FUNCTION(ncclResult_t, RedOpDestroy, ncclRedOp_t op, ncclComm_t comm)

/* Calls that ranks make together. */
NCCL_FUNCTION(ncclResult_t, AllReduce, const void *send, void *receive, size_t count, ncclDataType_t type,
              ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, Reduce, const void *send, void *receive, size_t count, ncclDataType_t type,
              ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, ReduceScatter, const void *send, void *receive, size_t count, ncclDataType_t type,
              ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, Broadcast, const void *send, void *receive, size_t count, ncclDataType_t type,
              int root, ncclComm_t comm, cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, Bcast, void *memory, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
              cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, AllGather, const void *send, void *receive, size_t count, ncclDataType_t type,
              ncclComm_t comm, cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, AlltoAll, const void *send, void *receive, size_t count, ncclDataType_t type,
              ncclComm_t comm, cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, Gather, const void *send, void *receive, size_t count, ncclDataType_t type,
              int root, ncclComm_t comm, cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, Scatter, const void *send, void *receive, size_t count, ncclDataType_t type,
              int root, ncclComm_t comm, cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, Send, const void *send, size_t count, ncclDataType_t type, int peer,
              ncclComm_t comm, cudaStream_t stream)
NCCL_FUNCTION(ncclResult_t, Recv, void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
              cudaStream_t stream)

/* Calls of a thread that belong together. */
NCCL_FUNCTION(ncclResult_t, GroupStart, void)
NCCL_FUNCTION(ncclResult_t, GroupEnd, void)
NCCL_FUNCTION(ncclResult_t, GroupSimulateEnd, ncclSimInfo_t *info)

#undef NCCL_FUNCTION
#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Structures as arguments: a good one of each kind, and copies with one member changed, named by the
 * change. */
#include "conform.h"

#define SHARED(type, kind) ((type)(uintptr_t)conform_good(kind))

static void good_arraydesc(void *at)
{
    *(CUDA_ARRAY_DESCRIPTOR *)at =
        (CUDA_ARRAY_DESCRIPTOR){.Width = 32, .Height = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
}
static void good_array3ddesc(void *at)
{
    *(CUDA_ARRAY3D_DESCRIPTOR *)at =
        (CUDA_ARRAY3D_DESCRIPTOR){.Width = 32, .Height = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
}
static void good_memcpy2d(void *at)
{
    *(CUDA_MEMCPY2D *)at = (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                           .srcDevice = conform_good("dev"),
                                           .srcPitch = 256,
                                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                           .dstDevice = conform_good("dev2"),
                                           .dstPitch = 256,
                                           .WidthInBytes = 100,
                                           .Height = 8};
}
static void good_memcpy3d(void *at)
{
    *(CUDA_MEMCPY3D *)at = (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                           .srcDevice = conform_good("dev"),
                                           .srcPitch = 256,
                                           .srcHeight = 8,
                                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                           .dstDevice = conform_good("dev2"),
                                           .dstPitch = 256,
                                           .dstHeight = 8,
                                           .WidthInBytes = 100,
                                           .Height = 8,
                                           .Depth = 2};
}
static void good_memcpy3dpeer(void *at)
{
    *(CUDA_MEMCPY3D_PEER *)at = (CUDA_MEMCPY3D_PEER){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                                     .srcDevice = conform_good("dev"),
                                                     .srcContext = conform_context,
                                                     .srcPitch = 256,
                                                     .srcHeight = 8,
                                                     .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                                     .dstDevice = conform_good("dev2"),
                                                     .dstContext = conform_context,
                                                     .dstPitch = 256,
                                                     .dstHeight = 8,
                                                     .WidthInBytes = 100,
                                                     .Height = 8,
                                                     .Depth = 2};
}
static void good_resdesc(void *at)
{
    CUDA_RESOURCE_DESC *desc = at;
    static CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = 16,
                                     .Height = 16,
                                     .Format = CU_AD_FORMAT_FLOAT,
                                     .NumChannels = 1,
                                     .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    if (array == NULL && conform_context != NULL) MUST(cuArray3DCreate(&array, &shape));
    desc->resType = CU_RESOURCE_TYPE_ARRAY;
    desc->res.array.hArray = array;
}
static void good_resdesc_linear(CUDA_RESOURCE_DESC *desc)
{
    memset(desc, 0, sizeof(*desc));
    desc->resType = CU_RESOURCE_TYPE_LINEAR;
    desc->res.linear.devPtr = conform_good("dev");
    desc->res.linear.format = CU_AD_FORMAT_FLOAT;
    desc->res.linear.numChannels = 1;
    desc->res.linear.sizeInBytes = 4096;
}
static void good_resdesc_pitch(CUDA_RESOURCE_DESC *desc)
{
    memset(desc, 0, sizeof(*desc));
    desc->resType = CU_RESOURCE_TYPE_PITCH2D;
    desc->res.pitch2D.devPtr = conform_good("dev");
    desc->res.pitch2D.format = CU_AD_FORMAT_FLOAT;
    desc->res.pitch2D.numChannels = 1;
    desc->res.pitch2D.width = 32;
    desc->res.pitch2D.height = 4;
    desc->res.pitch2D.pitchInBytes = 128;
}
static void good_texdesc(void *at)
{
    ((CUDA_TEXTURE_DESC *)at)->addressMode[0] = CU_TR_ADDRESS_MODE_CLAMP;
}
static void good_poolprops(void *at)
{
    CUmemPoolProps *props = at;
    props->allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props->location.type = CU_MEM_LOCATION_TYPE_DEVICE;
}
static void good_memprop(void *at)
{
    CUmemAllocationProp *prop = at;
    prop->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop->location.type = CU_MEM_LOCATION_TYPE_DEVICE;
}
static void good_accessdesc(void *at)
{
    CUmemAccessDesc *desc = at;
    desc->location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    desc->flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}
static void good_ctxparams(void *at)
{
    (void)at;
}
static void *no_params[2];
static int param;
static void good_launchcfg(void *at)
{
    *(CUlaunchConfig *)at = (CUlaunchConfig){.gridDimX = 1,
                                             .gridDimY = 1,
                                             .gridDimZ = 1,
                                             .blockDimX = 32,
                                             .blockDimY = 1,
                                             .blockDimZ = 1,
                                             .hStream = SHARED(CUstream, "stream")};
}
static void attribute(CUlaunchConfig *config, CUlaunchAttributeID id, int a, int b, int c)
{
    static CUlaunchAttribute one;
    int values[] = {a, b, c};
    memset(&one, 0, sizeof(one));
    one.id = id;
    memcpy(&one.value, values, sizeof(values));
    config->attrs = &one;
    config->numAttrs = 1;
}
static void good_knodeparams(void *at)
{
    no_params[0] = &param;
    *(CUDA_KERNEL_NODE_PARAMS *)at =
        (CUDA_KERNEL_NODE_PARAMS){.func = conform_context == NULL ? NULL : SHARED(CUfunction, "func"),
                                  .gridDimX = 1,
                                  .gridDimY = 1,
                                  .gridDimZ = 1,
                                  .blockDimX = 32,
                                  .blockDimY = 1,
                                  .blockDimZ = 1,
                                  .kernelParams = no_params};
}
static void good_msetparams(void *at)
{
    *(CUDA_MEMSET_NODE_PARAMS *)at = (CUDA_MEMSET_NODE_PARAMS){
        .dst = conform_good("dev"), .pitch = 64, .value = 7, .elementSize = 1, .width = 16, .height = 4};
}
static void CUDA_CB nothing(void *user)
{
    (void)user;
}
static void good_hostparams(void *at)
{
    ((CUDA_HOST_NODE_PARAMS *)at)->fn = nothing;
}
static void good_allocparams(void *at)
{
    CUDA_MEM_ALLOC_NODE_PARAMS *params = at;
    good_poolprops(&params->poolProps);
    params->bytesize = 1024;
}
static void good_nodeparams(void *at)
{
    CUgraphNodeParams *params = at;
    no_params[0] = &param;
    params->type = CU_GRAPH_NODE_TYPE_KERNEL;
    params->kernel.func = conform_context == NULL ? NULL : SHARED(CUfunction, "func");
    params->kernel.gridDimX = params->kernel.gridDimY = params->kernel.gridDimZ = 1;
    params->kernel.blockDimX = params->kernel.blockDimY = params->kernel.blockDimZ = 1;
    params->kernel.kernelParams = no_params;
}
static void good_batch(void *at)
{
    CUstreamBatchMemOpParams *op = at;
    op->operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    op->writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    op->writeValue.address = conform_good("dev");
    op->writeValue.value = 7;
}
static void good_batchnode(void *at)
{
    static CUstreamBatchMemOpParams op;
    CUDA_BATCH_MEM_OP_NODE_PARAMS *params = at;
    good_batch(&op);
    params->ctx = conform_context;
    params->count = 1;
    params->paramArray = &op;
}
static void good_instparams(void *at)
{
    (void)at;
}

static void good_smres(void *at)
{
    if (conform_context != NULL) (void)cuDeviceGetDevResource(0, at, CU_DEV_RESOURCE_TYPE_SM);
}
static void good_extmem(void *at)
{
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC *desc = at;
    CUmemGenericAllocationHandle chunk;
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    int fd = -1;
    if (conform_context != NULL && cuMemCreate(&chunk, 2 << 20, &prop, 0) == CUDA_SUCCESS)
        (void)cuMemExportToShareableHandle(&fd, chunk, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    *desc = (CUDA_EXTERNAL_MEMORY_HANDLE_DESC){
        .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = fd, .size = 2 << 20};
}
static void good_extbuf(void *at)
{
    *(CUDA_EXTERNAL_MEMORY_BUFFER_DESC *)at = (CUDA_EXTERNAL_MEMORY_BUFFER_DESC){.size = 4096};
}
static void good_extsem(void *at)
{
    *(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *)at = (CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC){
        .type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD, .handle.fd = -1};
}
/* The structures of CUDA 2.0. */
struct arraydesc1 {
    unsigned Width, Height;
    CUarray_format Format;
    unsigned NumChannels;
};
struct array3ddesc1 {
    unsigned Width, Height, Depth;
    CUarray_format Format;
    unsigned NumChannels, Flags;
};
struct memcpy2d1 {
    unsigned srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    unsigned srcDevice;
    CUarray srcArray;
    unsigned srcPitch, dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    unsigned dstDevice;
    CUarray dstArray;
    unsigned dstPitch, WidthInBytes, Height;
};
struct memcpy3d1 {
    unsigned srcXInBytes, srcY, srcZ, srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    unsigned srcDevice;
    CUarray srcArray;
    void *reserved0;
    unsigned srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    unsigned dstDevice;
    CUarray dstArray;
    void *reserved1;
    unsigned dstPitch, dstHeight, WidthInBytes, Height, Depth;
};
static char from_host[1 << 16], to_host[1 << 16];
static void good_arraydesc1(void *at)
{
    *(struct arraydesc1 *)at = (struct arraydesc1){32, 16, CU_AD_FORMAT_FLOAT, 1};
}
static void good_array3ddesc1(void *at)
{
    *(struct array3ddesc1 *)at =
        (struct array3ddesc1){.Width = 32, .Height = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
}
static void good_memcpy2d1(void *at)
{
    *(struct memcpy2d1 *)at = (struct memcpy2d1){.srcMemoryType = CU_MEMORYTYPE_HOST,
                                                 .srcHost = from_host,
                                                 .srcPitch = 256,
                                                 .dstMemoryType = CU_MEMORYTYPE_HOST,
                                                 .dstHost = to_host,
                                                 .dstPitch = 256,
                                                 .WidthInBytes = 100,
                                                 .Height = 8};
}
static void good_memcpy3d1(void *at)
{
    *(struct memcpy3d1 *)at = (struct memcpy3d1){.srcMemoryType = CU_MEMORYTYPE_HOST,
                                                 .srcHost = from_host,
                                                 .srcPitch = 256,
                                                 .srcHeight = 8,
                                                 .dstMemoryType = CU_MEMORYTYPE_HOST,
                                                 .dstHost = to_host,
                                                 .dstPitch = 256,
                                                 .dstHeight = 8,
                                                 .WidthInBytes = 100,
                                                 .Height = 8,
                                                 .Depth = 2};
}

/* What is changed: the name of each is the statement itself. */
#define CHANGE(kind, type, statement)                                                                        \
    case __COUNTER__ - first: {                                                                              \
        type *d = at;                                                                                        \
        statement;                                                                                           \
        *name = #statement;                                                                                  \
        return 1;                                                                                            \
    }
#define CHANGES(kind, type)                                                                                  \
    static int bad_##kind(unsigned index, void *at, const char **name)                                       \
    {                                                                                                        \
        enum { first = __COUNTER__ + 1 };                                                                    \
        (void)at;                                                                                            \
        switch (index) {
#define END                                                                                                  \
    default: return 0;                                                                                       \
        }                                                                                                    \
        }
#include "conform_structs.def"
#undef CHANGE
#undef CHANGES
#undef END

int conform_struct(const struct token *token, unsigned index, void *at, const char **name)
{
    static const struct {
        const char *kind;
        void (*good)(void *);
        int (*bad)(unsigned, void *, const char **);
    } kinds[] = {
#define CHANGE(kind, type, statement)
#define CHANGES(kind, type) {#kind, good_##kind, bad_##kind},
#define END
#include "conform_structs.def"
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (strcmp(kinds[i].kind, token->kind) != 0) continue;
        kinds[i].good(at);
        *name = index == 0 ? token->kind : "null";
        return index <= 1 ? 1 : kinds[i].bad(index - 2, at, name);
    }
    return -1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that sequences find made: of each kind one or more that is as it should be, since random parameters
 * seldom make a texture or a node. Groups of them can be left out, so that a failure says which it needs. */
#include "api.h"

#include <cuda.h>
#include <dlfcn.h>

const char *const api_world_names[] = {"arrays", "textures", "nodes",  "pools",
                                       "pages",  "green",    "others", "host"};

static void *library;

/* A call of the driver by its exported name; what fails leaves null handles. */
#define CALL(name, ...) ((__typeof__(&name))(uintptr_t)dlsym(library, STRING(name)))(__VA_ARGS__)
#define STRING(name)    STRING_OF(name)
#define STRING_OF(name) #name

static void keep(const char *kind, unsigned slot, const void *handle)
{
    api_slot_set(kind, slot, (uintptr_t)handle);
}

static void *slot_of(const char *kind)
{
    return (void *)(uintptr_t)api_slot_get(kind, 0);
}

static void make_arrays(void)
{
    CUDA_ARRAY3D_DESCRIPTOR flat = {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    CUDA_ARRAY3D_DESCRIPTOR layers = {8, 8, 3, CU_AD_FORMAT_UNSIGNED_INT8, 4, CUDA_ARRAY3D_LAYERED};
    CUDA_ARRAY3D_DESCRIPTOR levels = {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    CUarray array = NULL;
    CUmipmappedArray mipmap = NULL;
    if (CALL(cuArray3DCreate, &array, &flat) == 0) keep("CUarray_st", 0, array);
    if (CALL(cuArray3DCreate, &array, &layers) == 0) keep("CUarray_st", 1, array);
    if (CALL(cuMipmappedArrayCreate, &mipmap, &levels, 3) == 0) keep("CUmipmappedArray_st", 0, mipmap);
}

static void make_textures(void)
{
    CUDA_ARRAY3D_DESCRIPTOR flat = {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    CUarray array = NULL;
    CUtexref reference = NULL;
    CUtexObject texture = 0;
    CUsurfObject surface = 0;
    CUDA_TEXTURE_DESC how = {.maxAnisotropy = 1};
    CUDA_RESOURCE_DESC of = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_RESOURCE_DESC line = {.resType = CU_RESOURCE_TYPE_LINEAR};
    if (CALL(cuArray3DCreate, &array, &flat)) return;
    of.res.array.hArray = array;
    keep("CUarray_st", 2, array);
    if (CALL(cuTexObjectCreate, &texture, &of, &how, NULL) == 0) api_slot_set("texture", 0, texture);
    if (CALL(cuSurfObjectCreate, &surface, &of) == 0) api_slot_set("surface", 0, surface);
    line.res.linear.devPtr = api_slot_get("CUdeviceptr", 0);
    line.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
    line.res.linear.numChannels = 1;
    line.res.linear.sizeInBytes = 256;
    if (CALL(cuTexObjectCreate, &texture, &line, &how, NULL) == 0) api_slot_set("texture", 1, texture);
    if (CALL(cuTexRefCreate, &reference) == 0) keep("CUtexref_st", 0, reference);
}

static void make_graph_memory(CUgraph graph, CUgraphNode *nodes)
{
    CUDA_MEM_ALLOC_NODE_PARAMS allocation = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                           .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
                                             .bytesize = 4096};
    if (CALL(cuGraphAddMemAllocNode, &nodes[6], graph, NULL, 0, &allocation)) return;
    CALL(cuGraphAddMemFreeNode, &nodes[7], graph, &nodes[6], 1, allocation.dptr);
}

static void make_nodes(void)
{
    CUgraph graph = NULL, child = NULL;
    CUgraphNode nodes[SLOTS] = {NULL};
    CUgraphExec exec = NULL;
    CUdeviceptr memory = api_slot_get("CUdeviceptr", 0);
    void *parameters[] = {&memory, &(unsigned){1}};
    CUDA_KERNEL_NODE_PARAMS kernel = {.func = slot_of("CUfunc_st"),
                                      .gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 32,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = parameters};
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = memory, .elementSize = 4, .width = 8, .height = 1};
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = memory,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = memory + 128,
                          .WidthInBytes = 64,
                          .Height = 1,
                          .Depth = 1};
    CUDA_HOST_NODE_PARAMS host = {.fn = (CUhostFn)(uintptr_t)api_callback()};
    CUcontext context = NULL;
    CALL(cuCtxGetCurrent, &context);
    if (CALL(cuGraphCreate, &graph, 0) || CALL(cuGraphCreate, &child, 0)) return;
    CALL(cuGraphAddKernelNode, &nodes[0], graph, NULL, 0, &kernel);
    CALL(cuGraphAddMemsetNode, &nodes[1], graph, nodes, 1, &fill, context);
    CALL(cuGraphAddMemcpyNode, &nodes[2], graph, nodes, 2, &copy, context);
    CALL(cuGraphAddHostNode, &nodes[3], graph, &nodes[2], 1, &host);
    CALL(cuGraphAddEventRecordNode, &nodes[4], graph, &nodes[3], 1, slot_of("CUevent_st"));
    CALL(cuGraphAddEmptyNode, &nodes[6], child, NULL, 0);
    CALL(cuGraphAddChildGraphNode, &nodes[5], graph, &nodes[3], 1, child);
    CALL(cuGraphInstantiateWithFlags, &exec, graph, 0);
    for (unsigned i = 0; i < SLOTS; i++)
        if (nodes[i]) keep("CUgraphNode_st", i, nodes[i]);
    keep("CUgraph_st", 0, graph);
    keep("CUgraph_st", 1, child);
    keep("CUgraphExec_st", 0, exec);
    if (CALL(cuGraphCreate, &graph, 0)) return;
    make_graph_memory(graph, nodes);
    for (unsigned i = 6; i < SLOTS; i++)
        keep("CUgraphNode_st", i, nodes[i]);
    keep("CUgraph_st", 2, graph);
    if (CALL(cuGraphInstantiateWithFlags, &exec, graph, 0) == 0) keep("CUgraphExec_st", 1, exec);
}

static void make_pools(void)
{
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                 .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemoryPool pool = NULL, imported = NULL;
    CUdeviceptr memory = 0;
    int file = -1;
    if (CALL(cuMemPoolCreate, &pool, &properties)) return;
    keep("CUmemPoolHandle_st", 0, pool);
    if (CALL(cuMemAllocFromPoolAsync, &memory, 4096, pool, NULL) == 0) api_slot_set("CUdeviceptr", 1, memory);
    if (CALL(cuMemPoolExportToShareableHandle, &file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0))
        return;
    api_file_set(0, file);
    if (CALL(cuMemPoolImportFromShareableHandle, &imported, (void *)(intptr_t)file,
             CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) == 0)
        keep("CUmemPoolHandle_st", 1, imported);
    CALL(cuMemPoolExportPointer, api_kept("kept mempoolptrexportdata"), memory);
}

static void make_pages(void)
{
    enum { BYTES = 2 << 20 };
    CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle pages = 0;
    CUdeviceptr range = 0;
    int file = -1;
    if (CALL(cuMemCreate, &pages, BYTES, &properties, 0)) return;
    api_slot_set("pages", 0, pages);
    if (CALL(cuMemExportToShareableHandle, &file, pages, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) == 0)
        api_file_set(1, file);
    if (CALL(cuMemAddressReserve, &range, (size_t)BYTES * 2, 0, 0, 0)) return;
    api_slot_set("CUdeviceptr", 2, range);
    api_slot_set("CUdeviceptr", 3, range + BYTES);
    if (CALL(cuMemMap, range, BYTES, 0, pages, 0)) return;
    CALL(cuMemSetAccess, range, BYTES, &access, 1);
}

static void make_green(void)
{
    CUdevResource *whole = api_kept("kept devresource"), parts[2];
    unsigned count = 2;
    CUdevResourceDesc description = NULL;
    CUgreenCtx green = NULL;
    CUcontext context = NULL;
    CUstream stream = NULL;
    if (CALL(cuDeviceGetDevResource, 0, whole, CU_DEV_RESOURCE_TYPE_SM)) return;
    if (CALL(cuDevSmResourceSplitByCount, parts, &count, whole, NULL, 0, 16)) return;
    if (CALL(cuDevResourceGenerateDesc, &description, parts, 1)) return;
    keep("CUdevResourceDesc_st", 0, description);
    if (CALL(cuGreenCtxCreate, &green, description, 0, 1)) return;
    keep("CUgreenCtx_st", 0, green);
    if (CALL(cuCtxFromGreenCtx, &context, green) == 0) keep("CUctx_st", 1, context);
    if (CALL(cuGreenCtxStreamCreate, &stream, green, CU_STREAM_NON_BLOCKING, 0) == 0)
        keep("CUstream_st", 1, stream);
}

static void make_others(void)
{
    CUlinkState link = NULL;
    CUuserObject object = NULL;
    CUevent event = NULL;
    if (CALL(cuLinkCreate, 0, NULL, NULL, &link) == 0) keep("CUlinkState_st", 0, link);
    if (CALL(cuUserObjectCreate, &object, NULL, (CUhostFn)(uintptr_t)api_callback(), 1, 1) == 0)
        keep("CUuserObject_st", 0, object);
    if (CALL(cuEventCreate, &event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING) == 0) {
        keep("CUevent_st", 1, event);
        CALL(cuIpcGetEventHandle, api_kept("kept ipceventhandle"), event);
    }
    CALL(cuIpcGetMemHandle, api_kept("kept ipcmemhandle"), api_slot_get("CUdeviceptr", 0));
}

static void make_host(void)
{
    void *pinned = NULL;
    CUdeviceptr managed = 0;
    if (CALL(cuMemHostAlloc, &pinned, 4096, CU_MEMHOSTALLOC_DEVICEMAP) == 0)
        api_slot_set("CUdeviceptr", 4, (uintptr_t)pinned);
    if (CALL(cuMemAllocManaged, &managed, 65536, CU_MEM_ATTACH_GLOBAL) == 0)
        api_slot_set("CUdeviceptr", 5, managed);
    CALL(cuMemHostRegister, api_host(), 65536, 0);
}

void api_world_make(void *libcuda, unsigned groups)
{
    void (*const makers[WORLD_GROUPS])(void) = {make_arrays, make_textures, make_nodes,  make_pools,
                                                make_pages,  make_green,    make_others, make_host};
    library = libcuda;
    for (unsigned i = 0; i < WORLD_GROUPS; i++)
        if (groups >> i & 1) makers[i]();
}

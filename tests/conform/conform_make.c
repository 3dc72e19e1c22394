/* SPDX-License-Identifier: Apache-2.0 */
/* How one object of each kind is made and destroyed. */
#include "conform.h"

#define HANDLE(object)     ((uint64_t)(uintptr_t)(object))
#define AS(type, bits)     ((type)(uintptr_t)(bits))
#define SHARED(type, kind) AS(type, conform_good(kind))

/* ---- making them */
static uint64_t make_ctx(void)
{
    CUcontext context, popped;
    MUST(cuCtxCreate_v4(&context, NULL, 0, 0));
    MUST(cuCtxPopCurrent(&popped));
    return HANDLE(context);
}
static void end_ctx(uint64_t bits)
{
    cuCtxDestroy(AS(CUcontext, bits));
}
static uint64_t make_stream(void)
{
    CUstream stream;
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    return HANDLE(stream);
}
static void end_stream(uint64_t bits)
{
    cuStreamDestroy(AS(CUstream, bits));
}
static uint64_t make_capturing(void)
{
    uint64_t bits = make_stream();
    MUST(cuStreamBeginCapture_v2(AS(CUstream, bits), CU_STREAM_CAPTURE_MODE_RELAXED));
    return bits;
}
static uint64_t make_event(void)
{
    CUevent event;
    MUST(cuEventCreate(&event, 0));
    return HANDLE(event);
}
static uint64_t make_timed(void)
{
    uint64_t bits = make_event();
    MUST(cuEventRecord(AS(CUevent, bits), NULL));
    MUST(cuEventSynchronize(AS(CUevent, bits)));
    return bits;
}
static void end_event(uint64_t bits)
{
    cuEventDestroy(AS(CUevent, bits));
}
static uint64_t make_module(void)
{
    CUmodule module;
    MUST(cuModuleLoadData(&module, conform_ptx));
    return HANDLE(module);
}
static void end_module(uint64_t bits)
{
    cuModuleUnload(AS(CUmodule, bits));
}
static uint64_t make_func(void)
{
    return HANDLE(conform_function("empty"));
}
static uint64_t make_lib(void)
{
    CUlibrary library;
    MUST(cuLibraryLoadData(&library, conform_ptx, NULL, NULL, 0, NULL, NULL, 0));
    return HANDLE(library);
}
static void end_lib(uint64_t bits)
{
    cuLibraryUnload(AS(CUlibrary, bits));
}
static uint64_t make_kernel(void)
{
    CUkernel kernel;
    MUST(cuLibraryGetKernel(&kernel, SHARED(CUlibrary, "lib"), "empty"));
    return HANDLE(kernel);
}
static uint64_t make_array(void)
{
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR desc = {.Width = 256, .Format = CU_AD_FORMAT_UNSIGNED_INT32, .NumChannels = 1};
    MUST(cuArrayCreate(&array, &desc));
    return HANDLE(array);
}
static void end_array(uint64_t bits)
{
    cuArrayDestroy(AS(CUarray, bits));
}
static uint64_t make_mipmap(void)
{
    CUmipmappedArray array = NULL;
    CUDA_ARRAY3D_DESCRIPTOR desc = {
        .Width = 32, .Height = 32, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    (void)cuMipmappedArrayCreate(&array, &desc, 3); /* not all libraries have it */
    return HANDLE(array);
}
static void end_mipmap(uint64_t bits)
{
    cuMipmappedArrayDestroy(AS(CUmipmappedArray, bits));
}
static uint64_t make_texref(void)
{
    CUtexref reference = NULL;
    (void)cuTexRefCreate(&reference);
    return HANDLE(reference);
}
static void end_texref(uint64_t bits)
{
    cuTexRefDestroy(AS(CUtexref, bits));
}
static uint64_t make_pool(void)
{
    CUmemoryPool pool;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    MUST(cuMemPoolCreate(&pool, &props));
    return HANDLE(pool);
}
static void end_pool(uint64_t bits)
{
    cuMemPoolDestroy(AS(CUmemoryPool, bits));
}
static uint64_t make_link(void)
{
    CUlinkState link;
    MUST(cuLinkCreate_v2(0, NULL, NULL, &link));
    return HANDLE(link);
}
static void end_link(uint64_t bits)
{
    cuLinkDestroy(AS(CUlinkState, bits));
}
static uint64_t make_userobject(void)
{
    CUuserObject object = NULL;
    (void)cuUserObjectCreate(&object, NULL, (CUhostFn)(uintptr_t)end_event, 100,
                             CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    return HANDLE(object);
}
static CUDA_RESOURCE_DESC surface_resource(void)
{
    CUDA_RESOURCE_DESC desc = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_ARRAY3D_DESCRIPTOR array = {.Width = 16,
                                     .Height = 16,
                                     .Format = CU_AD_FORMAT_UNSIGNED_INT32,
                                     .NumChannels = 1,
                                     .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    MUST(cuArray3DCreate(&desc.res.array.hArray, &array));
    return desc;
}
static uint64_t make_tex(void)
{
    CUtexObject texture;
    CUDA_RESOURCE_DESC resource = surface_resource();
    CUDA_TEXTURE_DESC desc = {.flags = CU_TRSF_READ_AS_INTEGER};
    MUST(cuTexObjectCreate(&texture, &resource, &desc, NULL));
    return texture;
}
static void end_tex(uint64_t bits)
{
    cuTexObjectDestroy(bits);
}
static uint64_t make_surf(void)
{
    CUsurfObject surface;
    CUDA_RESOURCE_DESC resource = surface_resource();
    MUST(cuSurfObjectCreate(&surface, &resource));
    return surface;
}
static void end_surf(uint64_t bits)
{
    cuSurfObjectDestroy(bits);
}

/* ---- memory */
enum { CHUNK = 2 << 20, BLOCK = 64 << 10 };
static uint64_t make_dev(void)
{
    CUdeviceptr p;
    MUST(cuMemAlloc(&p, BLOCK));
    MUST(cuMemsetD8(p, 0, BLOCK));
    return p;
}
static void end_dev(uint64_t bits)
{
    cuMemFree(bits);
}
static uint64_t make_managed(void)
{
    CUdeviceptr p;
    MUST(cuMemAllocManaged(&p, BLOCK, CU_MEM_ATTACH_GLOBAL));
    return p;
}
static uint64_t make_pinned(void)
{
    void *p;
    MUST(cuMemHostAlloc(&p, BLOCK, CU_MEMHOSTALLOC_DEVICEMAP));
    return HANDLE(p);
}
static void end_pinned(uint64_t bits)
{
    cuMemFreeHost(AS(void *, bits));
}
static uint64_t make_registered(void)
{
    void *p = aligned_alloc(1 << 16, 1 << 16);
    MUST(cuMemHostRegister(p, 1 << 16, 0));
    return HANDLE(p);
}
static void end_registered(uint64_t bits)
{
    cuMemHostUnregister(AS(void *, bits));
}
static uint64_t make_async(void)
{
    CUdeviceptr p;
    MUST(cuMemAllocAsync(&p, 1024, SHARED(CUstream, "stream")));
    MUST(cuStreamSynchronize(SHARED(CUstream, "stream")));
    return p;
}
static uint64_t make_reserved(void)
{
    CUdeviceptr p;
    MUST(cuMemAddressReserve(&p, CHUNK, 0, 0, 0));
    return p;
}
static void end_reserved(uint64_t bits)
{
    cuMemAddressFree(bits, CHUNK);
}
static uint64_t make_chunk(void)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    MUST(cuMemCreate(&handle, CHUNK, &prop, 0));
    return handle;
}
static void end_chunk(uint64_t bits)
{
    cuMemRelease(bits);
}
static uint64_t make_desc(void)
{
    CUdevResource all, part[1];
    CUdevResourceDesc desc;
    unsigned groups = 1;
    if (cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
        cuDevSmResourceSplitByCount(part, &groups, &all, NULL, 0, 8) != CUDA_SUCCESS ||
        cuDevResourceGenerateDesc(&desc, part, 1) != CUDA_SUCCESS)
        return 0; /* not all libraries have it */
    return HANDLE(desc);
}
static uint64_t make_green(void)
{
    CUgreenCtx green = NULL;
    uint64_t desc = make_desc();
    if (desc != 0)
        (void)cuGreenCtxCreate(&green, AS(CUdevResourceDesc, desc), 0, CU_GREEN_CTX_DEFAULT_STREAM);
    return HANDLE(green);
}
static void end_green(uint64_t bits)
{
    if (bits != 0) cuGreenCtxDestroy(AS(CUgreenCtx, bits));
}
/* Import this library's own memory as external memory; the answer of CUDA is recorded. */
static uint64_t make_extern(void)
{
    CUexternalMemory memory = NULL;
    _Alignas(16) unsigned char desc[1024] = {0};
    const char *name;
    const struct token token = {.kind = "extmem"};
    if (conform_struct(&token, 0, desc, &name) == 1)
        (void)cuImportExternalMemory(&memory, (CUDA_EXTERNAL_MEMORY_HANDLE_DESC *)(void *)desc);
    return HANDLE(memory);
}
static void end_extern(uint64_t bits)
{
    if (bits != 0) cuDestroyExternalMemory(AS(CUexternalMemory, bits));
}
static uint64_t make_mapped(void)
{
    uint64_t p = make_reserved(), chunk = make_chunk();
    CUmemAccessDesc access = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    MUST(cuMemMap(p, CHUNK, 0, chunk, 0));
    MUST(cuMemSetAccess(p, CHUNK, &access, 1));
    return p;
}
static void end_mapped(uint64_t bits)
{
    cuMemUnmap(bits, CHUNK);
}

/* ---- graphs */
static uint64_t make_graph(void)
{
    CUgraph graph;
    MUST(cuGraphCreate(&graph, 0));
    return HANDLE(graph);
}
static void end_graph(uint64_t bits)
{
    cuGraphDestroy(AS(CUgraph, bits));
}
static uint64_t make_clone(void)
{
    CUgraph graph;
    conform_good("knode");
    MUST(cuGraphClone(&graph, SHARED(CUgraph, "graph")));
    return HANDLE(graph);
}
static uint64_t make_exec(void)
{
    static const char *const kinds[] = {"enode", "knode", "mnode", "snode",
                                        "hnode", "cnode", "rnode", "wnode"};
    CUgraphExec exec;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        conform_good(kinds[i]);
    MUST(cuGraphInstantiateWithFlags(&exec, SHARED(CUgraph, "graph"), 0));
    return HANDLE(exec);
}
static void end_exec(uint64_t bits)
{
    cuGraphExecDestroy(AS(CUgraphExec, bits));
}
/* A node whose parameters are the good ones of a structure, in the shared graph. */
static void built(const char *kind, void *at)
{
    struct token token = {.good = ""};
    const char *name;
    snprintf(token.kind, sizeof(token.kind), "%s", kind);
    memset(at, 0, SCRATCH_BYTES / 8);
    if (conform_struct(&token, 0, at, &name) != 1) abort();
}
#define NODE(letter, call)                                                                                   \
    static uint64_t make_##letter##node(void)                                                                \
    {                                                                                                        \
        CUgraphNode node;                                                                                    \
        CUgraph graph = SHARED(CUgraph, "graph");                                                            \
        _Alignas(16) unsigned char params[SCRATCH_BYTES / 8];                                                \
        (void)params;                                                                                        \
        MUST(call);                                                                                          \
        return HANDLE(node);                                                                                 \
    }
#define PARAMS(kind) (built(kind, params), (void *)params)
NODE(e, cuGraphAddEmptyNode(&node, graph, NULL, 0))
NODE(k, cuGraphAddKernelNode(&node, graph, NULL, 0, PARAMS("knodeparams")))
NODE(m, cuGraphAddMemcpyNode(&node, graph, NULL, 0, PARAMS("memcpy3d"), conform_context))
NODE(s, cuGraphAddMemsetNode(&node, graph, NULL, 0, PARAMS("msetparams"), conform_context))
NODE(h, cuGraphAddHostNode(&node, graph, NULL, 0, PARAMS("hostparams")))
NODE(c, cuGraphAddChildGraphNode(&node, graph, NULL, 0, SHARED(CUgraph, "graph2")))
NODE(r, cuGraphAddEventRecordNode(&node, graph, NULL, 0, SHARED(CUevent, "event")))
NODE(w, cuGraphAddEventWaitNode(&node, graph, NULL, 0, SHARED(CUevent, "event")))
static uint64_t make_bnode(void)
{
    CUgraphNode node = NULL;
    _Alignas(16) unsigned char params[SCRATCH_BYTES / 8];
    built("batchnode", params);
    (void)cuGraphAddBatchMemOpNode(&node, SHARED(CUgraph, "graph"), NULL, 0, (void *)params);
    return HANDLE(node);
}
static CUdeviceptr graph_memory; /* of the node made last */
static uint64_t make_anode(void)
{
    CUgraphNode node;
    _Alignas(16) unsigned char bytes[SCRATCH_BYTES / 8];
    CUDA_MEM_ALLOC_NODE_PARAMS *params = (void *)bytes;
    built("allocparams", params);
    MUST(cuGraphAddMemAllocNode(&node, SHARED(CUgraph, "memory graph"), NULL, 0, params));
    graph_memory = params->dptr;
    return HANDLE(node);
}
static uint64_t make_fnode(void)
{
    CUgraphNode node, after = AS(CUgraphNode, make_anode());
    MUST(cuGraphAddMemFreeNode(&node, SHARED(CUgraph, "memory graph"), &after, 1, graph_memory));
    return HANDLE(node);
}
static void end_node(uint64_t bits)
{
    cuGraphDestroyNode(AS(CUgraphNode, bits));
}

/* ---- all kinds */
const struct object conform_objects[] = {
    {"ctx", make_ctx, end_ctx, "event"},
    {"stream", make_stream, end_stream, "event"},
    {"capturing", make_capturing, NULL, "stream"},
    {"event", make_event, end_event, "stream"},
    {"timed", make_timed, end_event, "event"},
    {"module", make_module, end_module, "event"},
    {"func", make_func, NULL, "module"},
    {"lib", make_lib, end_lib, "module"},
    {"kernel", make_kernel, NULL, "module"},
    {"array", make_array, end_array, "stream"},
    {"mipmap", make_mipmap, end_mipmap, "array"},
    {"texref", make_texref, end_texref, "array"},
    {"pool", make_pool, end_pool, "stream"},
    {"link", make_link, end_link, "module"},
    {"userobject", make_userobject, NULL, "event"},
    {"tex", make_tex, end_tex, "number"},
    {"surf", make_surf, end_surf, "number"},
    {"chunk", make_chunk, end_chunk, "number"},
    {"desc", make_desc, NULL, "event"},
    {"green", make_green, end_green, "event"},
    {"extern", make_extern, end_extern, "event"},
    {"graph", make_graph, end_graph, "stream"},
    {"graph2", make_graph, end_graph, "stream"},
    {"memory graph", make_graph, end_graph, "stream"},
    {"clone", make_clone, end_graph, "graph"},
    {"exec", make_exec, end_exec, "graph"},
    {"enode", make_enode, end_node, "graph"},
    {"knode", make_knode, end_node, "snode"},
    {"mnode", make_mnode, end_node, "knode"},
    {"snode", make_snode, end_node, "knode"},
    {"hnode", make_hnode, end_node, "knode"},
    {"cnode", make_cnode, end_node, "knode"},
    {"rnode", make_rnode, end_node, "wnode"},
    {"wnode", make_wnode, end_node, "rnode"},
    {"bnode", make_bnode, end_node, "knode"},
    {"anode", make_anode, NULL, "knode"},
    {"fnode", make_fnode, NULL, "knode"},
    {"dev", make_dev, end_dev, NULL},
    {"dev2", make_dev, end_dev, NULL},
    {"managed", make_managed, end_dev, NULL},
    {"pinned", make_pinned, end_pinned, NULL},
    {"registered", make_registered, end_registered, NULL},
    {"async", make_async, NULL, NULL},
    {"reserved", make_reserved, end_reserved, NULL},
    {"mapped", make_mapped, end_mapped, NULL},
};
const unsigned conform_object_count = sizeof(conform_objects) / sizeof(*conform_objects);

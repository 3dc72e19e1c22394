/* SPDX-License-Identifier: Apache-2.0 */
/* Further questions of who may reach which device's memory (conform_peers.c has the contexts):
 *
 *   batch, batch_3d 0 a1 a0; batch_read, batch_write 0 a1      batches of one copy
 *   graph_copy 0 a1 a0                                         a node that copies
 *   texture 0 a1; texture_array, surface_array, array_read 0 t1
 *   print 0 a1                                                 a kernel prints the string there
 *
 *   alloc_node 0 1 rw|r|none; alloc_on 0 1                     adding a node with that access, on that device
 *
 * Memory: n: a graph's allocation, k: with permissions for the other device, l: made where the other device's
 * context is current, c: captured from the device's pool, x: a kernel's malloc, t: an array.
 */
#define _GNU_SOURCE
#include "conform_peers.h"

#include <fcntl.h>
#include <unistd.h>

static const char other_ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                                ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
                                ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
                                ".global .align 1 .b8 format[4] = {37, 115, 10, 0};\n"
#define OTHER(name, body)                                                                                    \
    ".visible .entry " name "(.param .u64 p, .param .u64 q)\n{\n.local .align 8 .b8 list[8];\n"              \
    ".reg .b32 %r<8>; .reg .f32 %f<2>; .reg .b64 %d<8>;\nld.param.u64 %d1, [p]; ld.param.u64 %d2, [q]; "     \
    "mov.u32 %r2, 0;\n"                                                                                      \
    "mov.u32 %r1, 1;\n" body "st.global.u32 [%d2], %r1; ret;\n}\n"
    OTHER("fetch", "tex.1d.v4.u32.s32 {%r1, %r4, %r5, %r6}, [%d1, {%r2}];\n") OTHER(
        "fetch_array", "mov.f32 %f1, 0f3F000000; tex.1d.v4.u32.f32 {%r1, %r4, %r5, %r6}, [%d1, {%f1}];\n")
        OTHER("surface", "suld.b.1d.b32.trap {%r1}, [%d1, {%r2}];\n")
            OTHER("print",
                  "mov.u64 %d3, format; cvta.global.u64 %d3, %d3; mov.u64 %d4, list;\n"
                  "cvta.local.u64 %d4, %d4; st.u64 [%d4], %d1;\n{ .param .b64 f, a; .param .b32 r;\n"
                  "st.param.b64 [f], %d3; st.param.b64 [a], %d4; call.uni (r), vprintf, (f, a);\n}\n")
                OTHER("take", "{ .param .b64 n, r; st.param.b64 [n], %d1; call.uni (r), malloc, (n);\n"
                              "ld.param.b64 %d3, [r];\n}\nst.global.u64 [%d2 + 8], %d3; mov.u32 %r4, 31;\n"
                              "st.u32 [%d3], %r4;\n");

static CUfunction kernel(const char *name)
{
    CUmodule module;
    CUfunction function;
    MUST(cuModuleLoadData(&module, other_ptx));
    MUST(cuModuleGetFunction(&function, module, name));
    return function;
}

static CUstream new_stream(void)
{
    CUstream stream;
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    return stream;
}

static CUresult run_graph(CUgraph graph)
{
    CUgraphExec exec;
    CUresult result = cuGraphInstantiate(&exec, graph, 0);
    if (result == CUDA_SUCCESS) result = cuGraphLaunch(exec, NULL);
    return peers_then_wait(result);
}

/* ---- memory */

static CUresult add_node(CUgraph graph, int device, const CUmemAccessDesc *access, CUdeviceptr *out)
{
    CUDA_MEM_ALLOC_NODE_PARAMS params = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                       .location = {CU_MEM_LOCATION_TYPE_DEVICE, device}},
                                         .accessDescs = access,
                                         .accessDescCount = access != NULL,
                                         .bytesize = PEERS_BYTES};
    CUgraphNode node;
    CUresult result = cuGraphAddMemAllocNode(&node, graph, NULL, 0, &params);
    *out = params.dptr;
    return result;
}

static CUdeviceptr by_node(unsigned context, const CUmemAccessDesc *access)
{
    CUdeviceptr at;
    CUgraph graph;
    MUST(cuGraphCreate(&graph, 0));
    MUST(add_node(graph, peers_device(context), access, &at));
    MUST(run_graph(graph));
    return at;
}

static CUdeviceptr by_node_elsewhere(unsigned context)
{
    CUcontext before;
    MUST(cuCtxGetCurrent(&before));
    MUST(peers_enter(peers_device(context) ? '0' : '1'));
    CUdeviceptr at = by_node(context, NULL);
    MUST(cuCtxSetCurrent(before));
    return at;
}

static CUdeviceptr captured(void)
{
    CUstream stream = new_stream();
    CUdeviceptr at;
    CUgraph graph;
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    MUST(cuMemAllocAsync(&at, PEERS_BYTES, stream));
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(run_graph(graph));
    return at;
}

static CUdeviceptr taken(unsigned context)
{
    CUdeviceptr at;
    MUST(peers_run(kernel("take"), 1, context, 64));
    MUST(cuMemcpyDtoH(&at, peers_out(context) + 8, 8));
    return at;
}

static CUdeviceptr array(void)
{
    CUDA_ARRAY3D_DESCRIPTOR desc = {.Width = 64,
                                    .Format = CU_AD_FORMAT_UNSIGNED_INT32,
                                    .NumChannels = 1,
                                    .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    static uint32_t words[64];
    CUarray array;
    for (size_t i = 0; i < 64; i++)
        words[i] = 31;
    MUST(cuArray3DCreate(&array, &desc));
    MUST(cuMemcpyHtoA(array, 0, words, sizeof(words)));
    return (uintptr_t)array;
}

bool peers_make_other(char letter, unsigned context, CUdeviceptr *out)
{
    CUmemAccessDesc other = peers_access(peers_device(context) ? "0" : "1", "rw");
    switch (letter) {
    case 'n': *out = by_node(context, NULL); break;
    case 'k': *out = by_node(context, &other); break;
    case 'l': *out = by_node_elsewhere(context); break;
    case 'c': *out = captured(); break;
    case 'x': *out = taken(context); break;
    case 't': *out = array(); break;
    default: return false;
    }
    return true;
}

/* ---- copies */

static CUresult batch(CUdeviceptr to, CUdeviceptr from)
{
    CUmemcpyAttributes attributes = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    size_t bytes = 16, first = 0;
    return peers_then_wait(cuMemcpyBatchAsync(&to, &from, &bytes, 1, &attributes, &first, 1, new_stream()));
}

static CUresult do_batch(const struct step *s)
{
    return batch(peers_named(s->c), peers_named(s->b));
}

static CUresult do_batch_read(const struct step *s)
{
    static uint32_t words[4];
    CUresult result = batch((uintptr_t)words, peers_named(s->b));
    peers_got = words[0];
    return result;
}

static CUresult do_batch_write(const struct step *s)
{
    static uint32_t words[4] = {81};
    return batch(peers_named(s->b), (uintptr_t)words);
}

static CUresult do_batch_3d(const struct step *s)
{
    CUDA_MEMCPY3D_BATCH_OP op = {.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER,
                                 .dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER,
                                 .extent = {16, 1, 1},
                                 .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    op.src.op.ptr.ptr = peers_named(s->b);
    op.dst.op.ptr.ptr = peers_named(s->c);
    return peers_then_wait(cuMemcpy3DBatchAsync(1, &op, 0, new_stream()));
}

static CUresult do_graph_copy(const struct step *s)
{
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = peers_named(s->b),
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = peers_named(s->c),
                          .WidthInBytes = 16,
                          .Height = 1,
                          .Depth = 1};
    CUgraph graph;
    CUgraphNode node;
    CUcontext context;
    MUST(cuCtxGetCurrent(&context));
    MUST(cuGraphCreate(&graph, 0));
    CUresult result = cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context);
    return result == CUDA_SUCCESS ? run_graph(graph) : result;
}

static CUresult do_alloc_node(const struct step *s)
{
    CUmemAccessDesc access = peers_access(s->b, s->c);
    CUdeviceptr at;
    CUgraph graph;
    MUST(cuGraphCreate(&graph, 0));
    return add_node(graph, s->a[0] - '0', &access, &at);
}

static CUresult do_alloc_on(const struct step *s)
{
    CUdeviceptr at;
    CUgraph graph;
    MUST(cuGraphCreate(&graph, 0));
    return add_node(graph, s->b[0] - '0', NULL, &at);
}

static CUresult do_array_read(const struct step *s)
{
    return cuMemcpyAtoH(&peers_got, (CUarray)(uintptr_t)peers_named(s->b), 0, 4);
}

/* ---- kernels */

static CUresult run_object(const struct step *s, const char *name, uint64_t object)
{
    unsigned context = (unsigned)(s->a[0] - '0');
    CUresult result = peers_run(kernel(name), 1, context, object);
    return result == CUDA_SUCCESS ? cuMemcpyDtoH(&peers_got, peers_out(context), 4) : result;
}

static CUresult run_texture(const struct step *s, const char *name, const CUDA_RESOURCE_DESC *resource)
{
    CUDA_TEXTURE_DESC how = {.flags = CU_TRSF_READ_AS_INTEGER};
    CUtexObject object;
    CUresult result = cuTexObjectCreate(&object, resource, &how, NULL);
    return result == CUDA_SUCCESS ? run_object(s, name, object) : result;
}

static CUresult do_texture(const struct step *s)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR,
                                   .res.linear = {.devPtr = peers_named(s->b),
                                                  .format = CU_AD_FORMAT_UNSIGNED_INT32,
                                                  .numChannels = 1,
                                                  .sizeInBytes = 16}};
    return run_texture(s, "fetch", &resource);
}

static CUDA_RESOURCE_DESC of_array(const struct step *s)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY};
    resource.res.array.hArray = (CUarray)(uintptr_t)peers_named(s->b);
    return resource;
}

static CUresult do_texture_array(const struct step *s)
{
    CUDA_RESOURCE_DESC resource = of_array(s);
    return run_texture(s, "fetch_array", &resource);
}

static CUresult do_surface_array(const struct step *s)
{
    CUDA_RESOURCE_DESC resource = of_array(s);
    CUsurfObject object;
    CUresult result = cuSurfObjectCreate(&object, &resource);
    return result == CUDA_SUCCESS ? run_object(s, "surface", object) : result;
}

/* What it prints is no answer. */
static CUresult do_print(const struct step *s)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) abort();
    return run_object(s, "print", peers_named(s->b));
}

bool peers_do_other(const struct step *step, CUresult *result)
{
    static const struct {
        const char *verb;
        CUresult (*run)(const struct step *step);
    } verbs[] = {{"batch", do_batch},
                 {"batch_3d", do_batch_3d},
                 {"batch_read", do_batch_read},
                 {"batch_write", do_batch_write},
                 {"graph_copy", do_graph_copy},
                 {"alloc_node", do_alloc_node},
                 {"alloc_on", do_alloc_on},
                 {"array_read", do_array_read},
                 {"texture", do_texture},
                 {"texture_array", do_texture_array},
                 {"surface_array", do_surface_array},
                 {"print", do_print}};
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
        if (strcmp(verbs[i].verb, step->verb) != 0) continue;
        *result = peers_enter(step->a[0]);
        if (*result == CUDA_SUCCESS) *result = verbs[i].run(step);
        return true;
    }
    return false;
}

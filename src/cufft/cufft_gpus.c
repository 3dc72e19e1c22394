/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: plans for several GPUs, their memory, and copies of it. Method: an array is split by rows: items
 * of a batch, or its first dimension; after a transform of two or three dimensions the second one is split
 * ("shuffled", as documented). Limits: complex numbers to complex ones, without gaps; a line (one dimension,
 * no batch) has its natural order in the shuffled format, too; calls wait for all GPUs. */
#include "cufft_gpus_priv.h"

#include <stdlib.h>

cufftResult cufft_gpus_check(const struct cufft_transform *t)
{
    if (t->problem.kind == FFT_C2C && t->natural && !t->empty && t->element >= CUFFT_F32)
        return CUFFT_SUCCESS;
    routine_refuse("cufftXtSetGPUs", "a transform that is not of complex numbers side by side");
    return CUFFT_NOT_SUPPORTED;
}

CUFFT cufftXtSetGPUs(cufftHandle handle, int count, int *gpus)
{
    struct cufft_plan *plan;
    int devices = 0;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (plan->made) return CUFFT_INVALID_PLAN;
    if (count < 2 || count > CUFFT_GPUS || !gpus) return CUFFT_INVALID_VALUE;
    CUFFT_TRY(cufft_status(cuDeviceGetCount(&devices)));
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++)
            if (gpus[i] < 0 || gpus[i] >= devices || (j < i && gpus[j] == gpus[i]))
                return CUFFT_INVALID_DEVICE;
    cufft_gpus_release(plan);
    for (int i = 0; i < count; i++) {
        CUFFT_TRY(cufft_status(cuDevicePrimaryCtxRetain(&plan->contexts[i], gpus[i])));
        plan->gpus[i] = gpus[i];
        plan->gpu_count = i + 1;
    }
    return CUFFT_SUCCESS;
}

CUFFT cufftXtSetWorkArea(cufftHandle handle, void **work)
{
    struct cufft_plan *plan;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (!plan->made) return CUFFT_INVALID_PLAN;
    if (!work) return CUFFT_INVALID_VALUE;
    plan->work = work[0];
    plan->automatic = false;
    return CUFFT_SUCCESS;
}

/* ---- parts */

struct cufft_parts cufft_parts_of(const struct cufft_plan *plan)
{
    const struct fft_problem *p = &plan->made->transform.problem;
    struct cufft_parts parts = {.count = plan->gpu_count ? plan->gpu_count : 1, .columns = 1};
    parts.element = 2 * (int64_t)cufft_element_bytes(plan->made->transform.element);
    parts.split = p->batch > 1 ? CUFFT_ITEMS : p->rank == 1 ? CUFFT_LINE : CUFFT_PLANES;
    parts.rows = p->batch > 1 ? p->batch : p->n[0];
    for (unsigned d = 0; d < p->rank; d++) {
        if (parts.split == CUFFT_PLANES && d == 1)
            parts.columns = p->n[1];
        else if (parts.split == CUFFT_ITEMS || d > 1)
            parts.element *= p->n[d];
    }
    return parts;
}

int64_t cufft_part_first(const struct cufft_parts *parts, int64_t all, int i)
{
    int64_t more = all % parts->count; /* so many parts have one more than the others */
    return all / parts->count * i + (i < more ? i : more);
}

static int64_t share(const struct cufft_parts *parts, int64_t all, int i)
{
    return cufft_part_first(parts, all, i + 1) - cufft_part_first(parts, all, i);
}

uint64_t cufft_part_bytes(const struct cufft_parts *parts, bool shuffled, int i)
{
    int64_t rows = shuffled ? parts->rows : share(parts, parts->rows, i);
    int64_t columns = shuffled ? share(parts, parts->columns, i) : parts->columns;
    return (uint64_t)(rows * columns * parts->element);
}

CUresult cufft_part_enter(const struct cufft_plan *plan, int i)
{
    return cuCtxPushCurrent(plan->gpu_count ? plan->contexts[i] : plan->context);
}

void cufft_part_leave(const struct cufft_plan *plan)
{
    CUcontext old;
    (void)plan;
    cuCtxPopCurrent(&old);
}

CUresult cufft_copied(CUresult result)
{
    return result == CUDA_SUCCESS ? cuCtxSynchronize() : result;
}

CUresult cufft_parts_wait(const struct cufft_plan *plan, const struct cufft_parts *parts)
{
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < parts->count && result == CUDA_SUCCESS; i++) {
        result = cufft_part_enter(plan, i);
        if (result != CUDA_SUCCESS) break;
        result = cuCtxSynchronize();
        cufft_part_leave(plan);
    }
    return result;
}

/* ---- copies of rectangles, whose rows are so many bytes apart */

struct side {
    void *at;
    int64_t pitch;
};
static CUresult copy_rows(struct side to, struct side from, int64_t width, int64_t height)
{
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                          .srcDevice = (CUdeviceptr)(uintptr_t)from.at,
                          .srcPitch = (size_t)from.pitch,
                          .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                          .dstDevice = (CUdeviceptr)(uintptr_t)to.at,
                          .dstPitch = (size_t)to.pitch,
                          .WidthInBytes = (size_t)width,
                          .Height = (size_t)height};
    return width && height ? cuMemcpy2D(&copy) : CUDA_SUCCESS;
}

CUresult cufft_parts_exchange(const struct cufft_parts *p, void *const *natural, void *const *shuffled,
                              bool to_shuffled)
{
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count && result == CUDA_SUCCESS; j++) {
            int64_t row = cufft_part_first(p, p->rows, i), column = cufft_part_first(p, p->columns, j);
            int64_t width = share(p, p->columns, j) * p->element;
            struct side a = {(char *)natural[i] + column * p->element, p->columns * p->element};
            struct side b = {(char *)shuffled[j] + row * width, width};
            result = copy_rows(to_shuffled ? b : a, to_shuffled ? a : b, width, share(p, p->rows, i));
        }
    return result;
}

/* All parts to or from one array of the host's. */
static CUresult copy_host(const struct cufft_parts *p, bool shuffled, void *const *parts, void *host,
                          bool to_host)
{
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < p->count && result == CUDA_SUCCESS; i++) {
        int64_t first = cufft_part_first(p, shuffled ? p->columns : p->rows, i) * p->element;
        int64_t row = p->columns * p->element, bytes = (int64_t)cufft_part_bytes(p, shuffled, i);
        int64_t width = shuffled ? bytes / p->rows : bytes;
        struct side part = {parts[i], width},
                    whole = {(char *)host + (shuffled ? first : first * p->columns), row};
        if (!shuffled) whole.pitch = width;
        result = copy_rows(to_host ? whole : part, to_host ? part : whole, width, shuffled ? p->rows : 1);
    }
    return result;
}

static CUresult copy_parts(const struct cufft_parts *p, const struct cufft_descriptor *to,
                           const struct cufft_descriptor *from, bool to_shuffled, bool from_shuffled)
{
    void *const *target = to->parts.data, *const *source = from->parts.data;
    if (to_shuffled != from_shuffled)
        return to_shuffled ? cufft_parts_exchange(p, source, target, true)
                           : cufft_parts_exchange(p, target, source, false);
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < p->count && result == CUDA_SUCCESS; i++)
        result = cuMemcpy((CUdeviceptr)(uintptr_t)target[i], (CUdeviceptr)(uintptr_t)source[i],
                          (size_t)cufft_part_bytes(p, to_shuffled, i));
    return result;
}

bool cufft_is_shuffled(const struct cufft_parts *parts, int format)
{
    return parts->split == CUFFT_PLANES &&
           (format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED || format == CUFFT_XT_FORMAT_OUTPUT);
}

/* ---- memory */

cufftResult cufft_gpus_enter(cufftHandle handle, struct cufft_plan **plan, struct cufft_parts *parts)
{
    CUFFT_TRY(cufft_enter(handle, plan));
    if (!(*plan)->made) return CUFFT_INVALID_PLAN;
    CUFFT_TRY(cufft_gpus_check(&(*plan)->made->transform));
    *parts = cufft_parts_of(*plan);
    return CUFFT_SUCCESS;
}

/* Bytes of a program: the driver copies them, which knows where there is no memory. */
static bool read_bytes(void *out, const void *at, size_t bytes)
{
    return at && cuMemcpy((CUdeviceptr)(uintptr_t)out, (CUdeviceptr)(uintptr_t)at, bytes) == CUDA_SUCCESS;
}

cufftResult cufft_descriptor_read(const void *at, const struct cufft_parts *parts,
                                  struct cufft_descriptor *out)
{
    bool good = read_bytes(&out->whole, at, sizeof out->whole) && out->whole.library == LIB_FORMAT_CUFFT &&
                read_bytes(&out->parts, out->whole.descriptor, sizeof out->parts) &&
                out->parts.nGPUs == parts->count;
    return good ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

/* Descriptors that cufftXtMalloc made. Freed ones are made again, and are none until then: programs may
 * also have descriptors of their own, so that a table cannot tell which are. */
static struct sw_handles made_descriptors = SW_HANDLES_INIT;
static pthread_mutex_t freed_lock = PTHREAD_MUTEX_INITIALIZER;
static cudaLibXtDesc *freed; /* each points to the next by libDescriptor */

static cudaLibXtDesc *descriptor_new(cufftXtSubFormat format)
{
    pthread_mutex_lock(&freed_lock);
    cudaLibXtDesc *descriptor = freed;
    if (descriptor) freed = descriptor->libDescriptor;
    pthread_mutex_unlock(&freed_lock);
    if (!descriptor) descriptor = sw_xcalloc(1, sizeof *descriptor);
    *descriptor = (cudaLibXtDesc){.version = CUDA_XT_DESCRIPTOR_VERSION,
                                  .descriptor = sw_xcalloc(1, sizeof *descriptor->descriptor),
                                  .library = LIB_FORMAT_CUFFT,
                                  .subFormat = (int)format};
    descriptor->descriptor->version = CUDA_XT_DESCRIPTOR_VERSION;
    sw_handles_add(&made_descriptors, descriptor);
    return descriptor;
}

static void descriptor_free(cudaLibXtDesc *descriptor)
{
    free(descriptor->descriptor);
    pthread_mutex_lock(&freed_lock);
    *descriptor = (cudaLibXtDesc){.library = LIB_FORMAT_UNDEFINED, .libDescriptor = freed};
    freed = descriptor;
    pthread_mutex_unlock(&freed_lock);
}

CUFFT cufftXtFree(cudaLibXtDesc *descriptor)
{
    CUresult result = CUDA_SUCCESS;
    if (!sw_handles_remove(&made_descriptors, descriptor)) return CUFFT_INVALID_VALUE;
    const cudaXtDesc *parts = descriptor->descriptor;
    for (int i = 0; i < parts->nGPUs && i < MAX_CUDA_DESCRIPTOR_GPUS; i++) {
        CUresult one = cuMemFree((CUdeviceptr)(uintptr_t)parts->data[i]);
        if (result == CUDA_SUCCESS) result = one;
    }
    descriptor_free(descriptor);
    return cufft_status(result);
}

CUFFT cufftXtMalloc(cufftHandle handle, cudaLibXtDesc **out, cufftXtSubFormat format)
{
    struct cufft_plan *plan;
    struct cufft_parts parts;
    CUFFT_TRY(cufft_gpus_enter(handle, &plan, &parts));
    if (!out || (unsigned)format > CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED) return CUFFT_INVALID_VALUE;
    cudaLibXtDesc *made = descriptor_new(format);
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < parts.count && result == CUDA_SUCCESS; i++) {
        uint64_t natural = cufft_part_bytes(&parts, false, i), shuffled = natural;
        CUdeviceptr memory = 0;
        CUdevice device = 0;
        if (parts.split == CUFFT_PLANES) shuffled = cufft_part_bytes(&parts, true, i);
        uint64_t bytes = natural > shuffled ? natural : shuffled;
        result = cufft_part_enter(plan, i);
        if (result != CUDA_SUCCESS) break;
        result = cuMemAlloc(&memory, bytes ? (size_t)bytes : 1);
        if (result == CUDA_SUCCESS) result = cuCtxGetDevice(&device);
        cufft_part_leave(plan);
        made->descriptor->GPUs[i] = (int)device;
        made->descriptor->data[i] = (void *)(uintptr_t)memory;
        made->descriptor->size[i] = (size_t)bytes;
        made->descriptor->nGPUs = i + 1;
    }
    if (result == CUDA_SUCCESS) {
        *out = made;
        return CUFFT_SUCCESS;
    }
    cufftXtFree(made);
    return cufft_status(result);
}

CUFFT cufftXtMemcpy(cufftHandle handle, void *to, void *from, cufftXtCopyType type)
{
    struct cufft_plan *plan;
    struct cufft_parts parts;
    CUFFT_TRY(cufft_gpus_enter(handle, &plan, &parts));
    if (!to || !from || (unsigned)type > CUFFT_COPY_DEVICE_TO_DEVICE) return CUFFT_INVALID_VALUE;
    CUFFT_TRY(cufft_status(cufft_parts_wait(plan, &parts)));
    struct cufft_descriptor target = {0}, source = {0};
    if (type != CUFFT_COPY_DEVICE_TO_HOST) CUFFT_TRY(cufft_descriptor_read(to, &parts, &target));
    if (type != CUFFT_COPY_HOST_TO_DEVICE) CUFFT_TRY(cufft_descriptor_read(from, &parts, &source));
    bool to_shuffled = cufft_is_shuffled(&parts, target.whole.subFormat);
    bool from_shuffled = cufft_is_shuffled(&parts, source.whole.subFormat);
    if (type == CUFFT_COPY_HOST_TO_DEVICE)
        return cufft_status(cufft_copied(copy_host(&parts, to_shuffled, target.parts.data, from, false)));
    if (type == CUFFT_COPY_DEVICE_TO_HOST)
        return cufft_status(copy_host(&parts, from_shuffled, source.parts.data, to, true));
    return cufft_status(cufft_copied(copy_parts(&parts, &target, &source, to_shuffled, from_shuffled)));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Device resources: the multiprocessors of a device, split into groups, and descriptors of some of them.
 *
 * A CUdevResource holds, after what the program reads, the device, which multiprocessors these are and
 * whether they came out of a split, which cannot be split again. How groups are rounded is what two H200s
 * answered (tests/conform, "green contexts"), for earlier GPUs the guide's table. Limit: groups of the
 * smallest size are as many as fit; on a GPU fewer can, because multiprocessors that are switched off differ
 * from chip to chip. */
#include "driver_green.h"

#include <stdlib.h>
#include <string.h>

struct hidden { /* in _internal_padding */
    uint32_t device, of_split;
    uint64_t mask[DRIVER_RESOURCE_WORDS];
};
_Static_assert(sizeof(struct hidden) <= sizeof(((CUdevResource *)0)->_internal_padding), "it fits");

static struct hidden hidden_of(const CUdevResource *resource)
{
    struct hidden hidden;
    memcpy(&hidden, resource->_internal_padding, sizeof hidden);
    return hidden;
}

unsigned driver_resource_count(const uint64_t mask[DRIVER_RESOURCE_WORDS])
{
    unsigned count = 0;
    for (int i = 0; i < DRIVER_RESOURCE_WORDS; i++)
        count += (unsigned)__builtin_popcountll(mask[i]);
    return count;
}

static void resource_set(CUdevResource *out, const struct hidden *hidden, unsigned least, unsigned align)
{
    memset(out, 0, sizeof *out);
    out->type = CU_DEV_RESOURCE_TYPE_SM;
    memcpy(out->_internal_padding, hidden, sizeof *hidden);
    out->sm = (CUdevSmResource){driver_resource_count(hidden->mask), least, align};
}

/* ---- descriptors */

static void resource_end(struct driver_object *object)
{
    free(object);
}

static struct driver_resource *resource_new(const struct driver_device *device)
{
    struct driver_resource *resource = sw_xcalloc(1, sizeof *resource);
    driver_object_init(&resource->object, DRIVER_RESOURCE, resource_end);
    resource->device = device;
    return resource;
}

void driver_resource_unref(struct driver_resource *resource)
{
    driver_object_unref(resource ? &resource->object : NULL);
}

/* CUDA C++ Programming Guide, green contexts: the smallest partition and what counts are multiples of. */
static void rules(const struct driver_device *device, unsigned *least, unsigned *align)
{
    *least = device->cc->major >= 9 ? 8 : device->cc->major == 8 ? 4 : 2;
    *align = device->cc->major >= 9 ? 8 : 2;
}

struct driver_resource *driver_resource_all(const struct driver_device *device)
{
    struct driver_resource *resource = resource_new(device);
    for (uint64_t i = 0; i < device->gpu.sm_count && i < 64 * DRIVER_RESOURCE_WORDS; i++)
        resource->mask[i / 64] |= UINT64_C(1) << i % 64;
    rules(device, &resource->least, &resource->align);
    return resource;
}

CUresult driver_resource_tell(const struct driver_resource *resource, CUdevResource *out,
                              CUdevResourceType type)
{
    struct hidden hidden = {.device = (uint32_t)resource->device->ordinal};
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    memcpy(hidden.mask, resource->mask, sizeof hidden.mask);
    resource_set(out, &hidden, resource->least, resource->align);
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGetDevResource(CUdevice ordinal, CUdevResource *out, CUdevResourceType type)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    struct driver_resource *all = driver_resource_all(device);
    CUresult result = driver_resource_tell(all, out, type);
    driver_resource_unref(all);
    return result;
}

/* Several of them, of one device, as one. */
DRIVER_API cuDevResourceGenerateDesc(CUdevResourceDesc *out, CUdevResource *resources, unsigned count)
{
    struct driver_device *device;
    DRIVER_TRY(driver_ready());
    if (!out || !resources || !count) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if (resources[i].type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
        if (hidden_of(&resources[i]).device != hidden_of(&resources[0]).device)
            return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    }
    DRIVER_TRY(driver_device_get((CUdevice)hidden_of(&resources[0]).device, &device));
    struct driver_resource *made = resource_new(device);
    made->least = resources[0].sm.minSmPartitionSize;
    made->align = resources[0].sm.smCoscheduledAlignment;
    for (unsigned i = 0; i < count; i++) {
        struct hidden hidden = hidden_of(&resources[i]);
        for (int w = 0; w < DRIVER_RESOURCE_WORDS; w++)
            made->mask[w] |= hidden.mask[w];
        if (resources[i].sm.minSmPartitionSize < made->least)
            made->least = resources[i].sm.minSmPartitionSize;
        if (resources[i].sm.smCoscheduledAlignment < made->align)
            made->align = resources[i].sm.smCoscheduledAlignment;
    }
    driver_handle_add(&made->object); /* there is no call that destroys one */
    *out = (CUdevResourceDesc)made;
    return CUDA_SUCCESS;
}

/* ---- splitting */

struct split {
    unsigned size, groups; /* multiprocessors a group, and how many groups there can be */
    unsigned least, align;
};

static CUresult split_of(const CUdevResource *input, unsigned flags, unsigned wanted, struct split *out)
{
    const unsigned both =
        CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING | CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;
    struct driver_device *device;
    struct hidden hidden = hidden_of(input);
    unsigned have = driver_resource_count(hidden.mask);
    if ((flags & both) == both) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_device_get((CUdevice)hidden.device, &device));
    if (wanted > have || hidden.of_split) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    rules(device, &out->least, &out->align);
    if (flags & CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING) out->least = out->align = 2;
    if (wanted < out->least) wanted = out->least;
    out->size = (wanted + out->align - 1) / out->align * out->align;
    if (out->size > have) out->size = have; /* a last group that is not aligned */
    out->groups = out->size ? have / out->size : 0;
    return CUDA_SUCCESS;
}

/* The next `count` multiprocessors of *from leave it. */
static struct hidden resource_cut(struct hidden *from, unsigned count)
{
    struct hidden part = {.device = from->device, .of_split = 1};
    for (unsigned i = 0; i < 64 * DRIVER_RESOURCE_WORDS && count; i++) {
        uint64_t bit = UINT64_C(1) << i % 64;
        if (!(from->mask[i / 64] & bit)) continue;
        from->mask[i / 64] &= ~bit;
        part.mask[i / 64] |= bit;
        count--;
    }
    return part;
}

DRIVER_API cuDevSmResourceSplitByCount(CUdevResource *result, unsigned *count, const CUdevResource *input,
                                       CUdevResource *remaining, unsigned flags, unsigned least)
{
    struct split split;
    DRIVER_TRY(driver_ready());
    if (!count || !input || (result && !*count)) return CUDA_ERROR_INVALID_VALUE;
    if (input->type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    DRIVER_TRY(split_of(input, flags, least, &split));
    if (!result) {
        *count = split.groups;
        return CUDA_SUCCESS;
    }
    struct hidden rest = hidden_of(input);
    if (split.groups < *count) *count = split.groups;
    for (unsigned i = 0; i < *count; i++) {
        struct hidden part = resource_cut(&rest, split.size);
        resource_set(&result[i], &part, split.least, split.align);
    }
    if (!remaining) return CUDA_SUCCESS;
    rest.of_split = 1;
    resource_set(remaining, &rest, 2, 2);
    if (driver_resource_count(rest.mask) == 0)
        *remaining = (CUdevResource){.type = CU_DEV_RESOURCE_TYPE_INVALID};
    return CUDA_SUCCESS;
}

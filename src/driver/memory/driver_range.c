/* SPDX-License-Identifier: Apache-2.0 */
/* Advice on ranges of managed memory, and what can be asked about it and prefetches (driver_prefetch.c).
 *
 * There is one memory, so nothing moves; what a program said is kept for whole pages and answered as the
 * documentation of cuMemRangeGetAttribute has it: a location is named only where all pages of the range
 * agree. The list is sorted and disjoint, holds nothing for pages that nobody spoke of, and forgets a range
 * when its memory is freed. Limits: the order of the processors in CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY is not
 * documented: devices first, the host last. */
#include "driver_memory.h"

#include <pthread.h>
#include <string.h>

enum { PAGE = 4096, HOST = ARCH_DEVICES }; /* the host's page, to which CUDA rounds; the host's bit */

struct said {
    bool read_mostly;
    uint32_t accessed; /* bit i: device i; bit HOST */
    CUmemLocation preferred, prefetched;
};
struct range {
    dev_addr at, end;
    struct said said;
};
typedef void change_fn(struct said *said, CUmem_advise advice, CUmemLocation location);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static VEC(struct range) ranges; /* sorted by address, disjoint */

/* ---- the list */

static size_t first_locked(dev_addr at) /* index of the first range that ends after at */
{
    size_t low = 0, high = ranges.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges.at[middle].end > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void insert_locked(size_t index, struct range range)
{
    (void)vec_push(&ranges);
    memmove(&ranges.at[index + 1], &ranges.at[index], (ranges.count - 1 - index) * sizeof range);
    ranges.at[index] = range;
}

static void remove_locked(size_t index, size_t count)
{
    if (!count) return; /* there may be no ranges at all, and nothing to move */
    memmove(&ranges.at[index], &ranges.at[index + count], (ranges.count - index - count) * sizeof *ranges.at);
    ranges.count -= count;
}

static void cut_locked(dev_addr at)
{
    size_t i = first_locked(at);
    if (i == ranges.count || ranges.at[i].at >= at) return;
    struct range left = ranges.at[i];
    left.end = at;
    ranges.at[i].at = at;
    insert_locked(i, left);
}

static bool range_same(const struct said *a, const struct said *b)
{
    return a->read_mostly == b->read_mostly && a->accessed == b->accessed &&
           a->preferred.type == b->preferred.type && a->preferred.id == b->preferred.id &&
           a->prefetched.type == b->prefetched.type && a->prefetched.id == b->prefetched.id;
}

/* Drop what says nothing and join equal neighbours, from the range before [at, end) to the one after it. */
static void tidy_locked(dev_addr at, dev_addr end)
{
    static const struct said nothing;
    size_t i = first_locked(at);
    if (i) i--;
    while (i < ranges.count && ranges.at[i].at <= end) {
        struct range *range = &ranges.at[i];
        if (range_same(&range->said, &nothing)) {
            remove_locked(i, 1);
        } else if (i + 1 < ranges.count && range[1].at == range->end &&
                   range_same(&range->said, &range[1].said)) {
            range[1].at = range->at;
            remove_locked(i, 1);
        } else {
            i++;
        }
    }
}

static void range_change(dev_addr at, uint64_t bytes, change_fn *set, CUmem_advise advice,
                         CUmemLocation location)
{
    dev_addr begin = at & ~(dev_addr)(PAGE - 1), end = (at + bytes + PAGE - 1) & ~(dev_addr)(PAGE - 1);
    if (location.type == CU_MEM_LOCATION_TYPE_HOST) location.id = 0;
    if (location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) /* one node (driver_attribute.c) */
        location = (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_HOST_NUMA};
    pthread_mutex_lock(&lock);
    cut_locked(begin);
    cut_locked(end);
    for (dev_addr next = begin; next < end;) {
        size_t i = first_locked(next);
        if (i == ranges.count || ranges.at[i].at > next) {
            dev_addr until = i < ranges.count && ranges.at[i].at < end ? ranges.at[i].at : end;
            insert_locked(i, (struct range){.at = next, .end = until});
        }
        set(&ranges.at[i].said, advice, location);
        next = ranges.at[i].end;
    }
    tidy_locked(begin, end);
    pthread_mutex_unlock(&lock);
}

void driver_range_forget(dev_addr at, uint64_t bytes)
{
    dev_addr end = (at + bytes + PAGE - 1) & ~(dev_addr)(PAGE - 1);
    pthread_mutex_lock(&lock);
    size_t first = first_locked(at), last = first;
    while (last < ranges.count && ranges.at[last].at < end)
        last++;
    remove_locked(first, last - first);
    pthread_mutex_unlock(&lock);
}

/* ---- advice */

static CUresult current_context(void)
{
    struct driver_context *context;
    return driver_context_current(&context);
}

CUresult driver_range_check(CUdeviceptr address, size_t bytes, CUmemLocation location)
{
    CUresult working = current_context();
    if (working != CUDA_SUCCESS && working != CUDA_ERROR_INVALID_CONTEXT) return working;
    struct vmem_block block;
    if (bytes == 0 || !vmem_find(driver.vmem, address, &block) ||
        !vmem_allows(driver.vmem, address, bytes, VMEM_READ))
        return CUDA_ERROR_INVALID_VALUE;
    if (location.type < CU_MEM_LOCATION_TYPE_DEVICE || location.type > CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
        return CUDA_ERROR_INVALID_VALUE;
    if (location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
        (location.id < 0 || location.id >= driver.device_count))
        return CUDA_ERROR_INVALID_DEVICE;
    return block.kind == VMEM_MANAGED ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void set_advice(struct said *said, CUmem_advise advice, CUmemLocation location)
{
    uint32_t bit = 1u << (location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : HOST);
    switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY: said->read_mostly = true; break;
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY: said->read_mostly = false; break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION: said->preferred = location; break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: said->preferred = (CUmemLocation){0}; break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY: said->accessed |= bit; break;
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY: said->accessed &= ~bit; break;
    }
}

static void set_prefetch(struct said *said, CUmem_advise advice, CUmemLocation location)
{
    (void)advice;
    said->prefetched = location;
}

void driver_range_prefetched(dev_addr at, uint64_t bytes, CUmemLocation location)
{
    range_change(at, bytes, set_prefetch, 0, location);
}

DRIVER_API cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location)
{
    if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
        return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(current_context());
    bool is_located =
        advice > CU_MEM_ADVISE_UNSET_READ_MOSTLY && advice != CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
    if (!is_located && location.type == CU_MEM_LOCATION_TYPE_DEVICE) location.id = 0; /* looked at by none */
    DRIVER_TRY(driver_range_check(address, bytes, location));
    range_change(address, bytes, set_advice, advice, location);
    return CUDA_SUCCESS;
}

/* ---- what was said */

static void agree(CUmemLocation *all, CUmemLocation one)
{
    if (all->type != one.type || all->id != one.id) *all = (CUmemLocation){0};
}

/* What is true of all pages of a range. */
static struct said asked(dev_addr at, uint64_t bytes)
{
    dev_addr begin = at & ~(dev_addr)(PAGE - 1);
    struct said all = {0};
    pthread_mutex_lock(&lock);
    for (dev_addr next = begin; next < at + bytes;) {
        size_t i = first_locked(next);
        if (i == ranges.count || ranges.at[i].at > next) { /* a gap */
            all = (struct said){0};
            break;
        }
        const struct said *said = &ranges.at[i].said;
        if (next == begin) all = *said;
        all.read_mostly &= said->read_mostly;
        all.accessed &= said->accessed;
        agree(&all.preferred, said->preferred);
        agree(&all.prefetched, said->prefetched);
        next = ranges.at[i].end;
    }
    pthread_mutex_unlock(&lock);
    return all;
}

bool driver_range_mostly_read(dev_addr at, uint64_t bytes)
{
    return asked(at, bytes).read_mostly;
}

static int range_device_of(CUmemLocation location)
{
    if (location.type == CU_MEM_LOCATION_TYPE_INVALID) return CU_DEVICE_INVALID;
    return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU;
}

static void list_accessed(uint32_t accessed, int *list, size_t capacity)
{
    size_t count = 0;
    for (int i = 0; i <= HOST && count < capacity; i++)
        if (accessed >> i & 1) list[count++] = i == HOST ? CU_DEVICE_CPU : i;
    while (count < capacity)
        list[count++] = CU_DEVICE_INVALID;
}

static CUresult range_answer(const struct said *said, void *data, size_t bytes,
                             CUmem_range_attribute attribute)
{
    int *out = data;
    switch ((int)attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: *out = said->read_mostly; return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        *out = range_device_of(said->preferred);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        list_accessed(said->accessed, out, bytes / sizeof(int));
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        *out = range_device_of(said->prefetched);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
        *out = (int)said->preferred.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: *out = said->preferred.id; return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
        *out = (int)said->prefetched.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: *out = said->prefetched.id; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

DRIVER_API cuMemRangeGetAttribute(void *data, size_t bytes, CUmem_range_attribute attribute,
                                  CUdeviceptr address, size_t count)
{
    if (!data || bytes < sizeof(int) || bytes % sizeof(int)) return CUDA_ERROR_INVALID_VALUE;
    if (bytes != sizeof(int) && attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY)
        return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(current_context());
    DRIVER_TRY(driver_range_check(address, count, (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_HOST}));
    struct said said = asked(address, count);
    return range_answer(&said, data, bytes, attribute);
}

DRIVER_API cuMemRangeGetAttributes(void **data, size_t *bytes, CUmem_range_attribute *attributes,
                                   size_t attribute_count, CUdeviceptr address, size_t count)
{
    if (!data || !bytes || !attributes || attribute_count == 0) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < attribute_count; i++)
        DRIVER_TRY(cuMemRangeGetAttribute(data[i], bytes[i], attributes[i], address, count));
    return CUDA_SUCCESS;
}

/* ---- the older form, without suffix, which cuda.h hides */

#undef cuMemAdvise

CUmemLocation driver_range_location(CUdevice device)
{
    CUmemLocation location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
    if (device == CU_DEVICE_CPU) location = (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_HOST};
    return location;
}

CUresult CUDAAPI cuMemAdvise(CUdeviceptr, size_t, CUmem_advise, CUdevice);

DRIVER_API cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)
{
    return cuMemAdvise_v2(address, bytes, advice, driver_range_location(device));
}

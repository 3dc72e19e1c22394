/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine reads of a texture or surface, made from CUDA's descriptions of a resource, a sampler and a
 * view. Limits: views of block-compressed formats and of some of the layers are refused. */
#include "driver_array.h"
#include "driver_texture.h"

#include "driver/core/driver_error.h"
#include "driver/memory/driver_memory.h"

#include <string.h>

enum {
    TEXTURE_ALIGNMENT = 512,
    PITCH_ALIGNMENT = 32,
    MOST_PITCHED_ROWS = 65000, /* definition: CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT */
    PITCHED_WIDTHS = 131072    /* measured: an H200 takes less (tests/conform), its attribute is this */
};

static bool texel_of(CUarray_format format, uint8_t *texel)
{
    static const struct {
        CUarray_format format;
        enum jit_texel texel;
    } formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, JIT_TEXEL_U8},   {CU_AD_FORMAT_SIGNED_INT8, JIT_TEXEL_S8},
                   {CU_AD_FORMAT_UNSIGNED_INT16, JIT_TEXEL_U16}, {CU_AD_FORMAT_SIGNED_INT16, JIT_TEXEL_S16},
                   {CU_AD_FORMAT_UNSIGNED_INT32, JIT_TEXEL_U32}, {CU_AD_FORMAT_SIGNED_INT32, JIT_TEXEL_S32},
                   {CU_AD_FORMAT_HALF, JIT_TEXEL_F16},           {CU_AD_FORMAT_FLOAT, JIT_TEXEL_F32},
                   {CU_AD_FORMAT_UNORM_INT8X1, JIT_TEXEL_U8},    {CU_AD_FORMAT_UNORM_INT8X2, JIT_TEXEL_U8},
                   {CU_AD_FORMAT_UNORM_INT8X4, JIT_TEXEL_U8},    {CU_AD_FORMAT_SNORM_INT8X1, JIT_TEXEL_S8},
                   {CU_AD_FORMAT_SNORM_INT8X2, JIT_TEXEL_S8},    {CU_AD_FORMAT_SNORM_INT8X4, JIT_TEXEL_S8},
                   {CU_AD_FORMAT_UNORM_INT16X1, JIT_TEXEL_U16},  {CU_AD_FORMAT_UNORM_INT16X2, JIT_TEXEL_U16},
                   {CU_AD_FORMAT_UNORM_INT16X4, JIT_TEXEL_U16},  {CU_AD_FORMAT_SNORM_INT16X1, JIT_TEXEL_S16},
                   {CU_AD_FORMAT_SNORM_INT16X2, JIT_TEXEL_S16},  {CU_AD_FORMAT_SNORM_INT16X4, JIT_TEXEL_S16}};
    for (size_t i = 0; i < SW_COUNT_OF(formats); i++) {
        if (formats[i].format != format) continue;
        *texel = (uint8_t)formats[i].texel;
        return true;
    }
    return false;
}

static bool is_fraction(CUarray_format format) /* whatever the sampler says */
{
    return format >= CU_AD_FORMAT_UNORM_INT8X1 && format <= CU_AD_FORMAT_SNORM_INT16X4;
}

static uint32_t at_least_one(size_t extent)
{
    return extent ? (uint32_t)extent : 1;
}

static void texture_record_add_level(struct jit_texture *record, const struct driver_array *array)
{
    CUDA_ARRAY3D_DESCRIPTOR d = driver_array_descriptor(array);
    struct jit_texture_level *level = &record->levels[record->level_count++];
    uint64_t rows;
    driver_array_layout(array, &level->base, &level->pitch, &rows);
    *level = (struct jit_texture_level){level->base,           level->pitch,           level->pitch * rows,
                                        at_least_one(d.Width), at_least_one(d.Height), at_least_one(d.Depth)};
}

static CUresult describe_array(struct jit_texture *record, const struct driver_array *array)
{
    CUDA_ARRAY3D_DESCRIPTOR d = driver_array_descriptor(array);
    record->channels = (uint8_t)d.NumChannels;
    record->layers = (d.Flags & CUDA_ARRAY3D_LAYERED) != 0;
    record->cube = (d.Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
    record->rank = d.Depth && !record->layers && !record->cube ? 3 : d.Height ? 2 : 1;
    return texel_of(d.Format, &record->texel) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult from_array(struct jit_texture *record, CUarray handle, struct driver_object **holds)
{
    struct driver_array *array = driver_handle_get(handle, DRIVER_ARRAY);
    if (!array) return handle ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *holds = (struct driver_object *)array;
    if (!driver_permissions_own_arrays(driver_array_context(array)))
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    texture_record_add_level(record, array);
    return describe_array(record, array);
}

static CUresult from_levels(struct jit_texture *record, CUmipmappedArray handle, struct driver_object **holds)
{
    struct driver_mipmap *mipmap = driver_handle_get(handle, DRIVER_MIPMAP);
    if (!mipmap) return handle ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *holds = &mipmap->object;
    if (!driver_permissions_own_arrays(mipmap->context)) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    for (unsigned i = 0; i < mipmap->count; i++)
        texture_record_add_level(record, mipmap->levels[i]);
    record->mipmapped = true;
    return describe_array(record, mipmap->levels[0]);
}

/* An H200 takes any aligned address but NULL, and any length, none and more than the memory has included
 * (tests/textures/linear.cu); reads past the memory may then fault. Here it must begin in memory. */
static CUresult from_memory(struct jit_texture *record, CUdeviceptr base, CUarray_format format,
                            unsigned channels, size_t bytes, size_t pitch)
{
    unsigned texel_bytes = driver_format_bytes(format, channels);
    if (!texel_bytes || !texel_of(format, &record->texel) || base % TEXTURE_ALIGNMENT)
        return CUDA_ERROR_INVALID_VALUE;
    if (!driver_memory_valid(base, 1) || bytes / texel_bytes > UINT32_MAX) return CUDA_ERROR_INVALID_VALUE;
    record->channels = (uint8_t)channels;
    record->levels[0] = (struct jit_texture_level){base, pitch, pitch, (uint32_t)(bytes / texel_bytes), 1, 1};
    record->level_count = 1;
    record->plain = true;
    record->rank = 1;
    return CUDA_SUCCESS;
}

/* Rows may overlap, as an H200 takes it (tests/textures, pitch of 32 for 64 bytes). It takes rows of no
 * texels too (tests/conform); what it reads there was not recorded: here they have one. */
static CUresult from_pitched(struct jit_texture *record, const CUDA_RESOURCE_DESC *r)
{
    size_t pitch = r->res.pitch2D.pitchInBytes, height = r->res.pitch2D.height, width = r->res.pitch2D.width;
    if (pitch % PITCH_ALIGNMENT || !pitch || !height) return CUDA_ERROR_INVALID_VALUE;
    if (!width) width = 1;
    if (width >= PITCHED_WIDTHS || height > MOST_PITCHED_ROWS) return CUDA_ERROR_INVALID_VALUE;
    size_t row = width * driver_format_bytes(r->res.pitch2D.format, r->res.pitch2D.numChannels);
    size_t bytes = sw_sum(sw_product(height - 1, pitch), row > pitch ? row : pitch);
    DRIVER_TRY(from_memory(record, r->res.pitch2D.devPtr, r->res.pitch2D.format, r->res.pitch2D.numChannels,
                           bytes, pitch));
    record->levels[0].width = (uint32_t)width;
    record->levels[0].height = (uint32_t)height;
    record->rank = 2;
    return CUDA_SUCCESS;
}

static CUresult read_resource(const CUDA_RESOURCE_DESC *r, struct jit_texture *record,
                              struct driver_object **holds)
{
    if (r->flags) return CUDA_ERROR_INVALID_VALUE;
    switch ((int)r->resType) {
    case CU_RESOURCE_TYPE_ARRAY: return from_array(record, r->res.array.hArray, holds);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: return from_levels(record, r->res.mipmap.hMipmappedArray, holds);
    case CU_RESOURCE_TYPE_LINEAR:
        return from_memory(record, r->res.linear.devPtr, r->res.linear.format, r->res.linear.numChannels,
                           r->res.linear.sizeInBytes, r->res.linear.sizeInBytes);
    case CU_RESOURCE_TYPE_PITCH2D: return from_pitched(record, r);
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* ---- samplers */

static int32_t level_bits(float level) /* in 256ths, towards zero */
{
    if (!(level > -4096)) return -4096 * 256;
    return level > 4096 ? 4096 * 256 : (int32_t)(level * 256);
}

static bool known_sampler(const CUDA_TEXTURE_DESC *d, const struct jit_texture *record)
{
    unsigned flags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                     CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | 4;
    if (record->cube) flags |= CU_TRSF_SEAMLESS_CUBEMAP;
    for (int i = 0; i < 3; i++)
        if ((unsigned)d->addressMode[i] > CU_TR_ADDRESS_MODE_BORDER) return false;
    return !(d->flags & ~flags) && (unsigned)d->filterMode <= 1 && (unsigned)d->mipmapFilterMode <= 1;
}

static void read_sampling(struct jit_texture *record, const CUDA_TEXTURE_DESC *d, bool fraction)
{
    bool narrow = record->texel <= JIT_TEXEL_S16;
    record->linear = d->filterMode == CU_TR_FILTER_MODE_LINEAR;
    record->level_linear = d->mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
    /* Mipmapped arrays have no other coordinates. */
    record->normalized_coords = record->mipmapped || (d->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    record->read_normalized = narrow && (fraction || !(d->flags & CU_TRSF_READ_AS_INTEGER));
    record->srgb = (d->flags & CU_TRSF_SRGB) != 0 && record->texel == JIT_TEXEL_U8 && record->read_normalized;
    record->seamless = (d->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
    for (int i = 0; i < 3; i++)
        record->address[i] = (uint8_t)d->addressMode[i]; /* the same numbers */
    memcpy(record->border, d->borderColor, sizeof record->border);
    record->anisotropy = (uint8_t)(d->maxAnisotropy > 16 ? 16 : d->maxAnisotropy);
    record->bias = level_bits(d->mipmapLevelBias);
    record->lowest = level_bits(d->minMipmapLevelClamp);
    record->highest = level_bits(d->maxMipmapLevelClamp);
}
_Static_assert(CU_TR_ADDRESS_MODE_WRAP == (int)JIT_ADDRESS_WRAP &&
                   CU_TR_ADDRESS_MODE_BORDER == (int)JIT_ADDRESS_BORDER,
               "addressing modes have CUDA's numbers");

/* ---- views: other texels of the same size, and some of the levels */

static bool view_format(CUresourceViewFormat view, CUarray_format *format, unsigned *channels)
{
    static const CUarray_format formats[] = {CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_SIGNED_INT8,
                                             CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16,
                                             CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32,
                                             CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
    unsigned i = (unsigned)view - CU_RES_VIEW_FORMAT_UINT_1X8;
    if (view < CU_RES_VIEW_FORMAT_UINT_1X8 || view > CU_RES_VIEW_FORMAT_FLOAT_4X32) return false;
    *format = formats[i / 3];
    *channels = 1u << i % 3;
    return true;
}

static unsigned record_texel_bytes(const struct jit_texture *record)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 2, 4};
    return bytes[record->texel & 7] * record->channels;
}

static CUresult keep_levels(struct jit_texture *record, unsigned first, unsigned last)
{
    if (first >= record->level_count || last < first) return CUDA_ERROR_INVALID_VALUE;
    unsigned count = (last < record->level_count ? last + 1 : record->level_count) - first;
    memmove(record->levels, record->levels + first, count * sizeof *record->levels);
    record->level_count = count;
    return CUDA_SUCCESS;
}

static CUresult read_view(const char *function, struct jit_texture *record,
                          const CUDA_RESOURCE_VIEW_DESC *view)
{
    static int compressed;
    CUarray_format format;
    unsigned channels;
    const struct jit_texture_level *level = &record->levels[0];
    if (view->format > CU_RES_VIEW_FORMAT_FLOAT_4X32)
        return driver_refuse_call(&compressed, function, "views of block-compressed formats");
    if (!view_format(view->format, &format, &channels) || record->plain) return CUDA_ERROR_INVALID_VALUE;
    size_t depth = record->rank == 3 || record->layers || record->cube ? level->depth : 0,
           height = record->rank > 1 ? level->height : 0;
    bool same = view->width == level->width && view->height == height && view->depth == depth &&
                driver_format_bytes(format, channels) == record_texel_bytes(record);
    if (!same) return CUDA_ERROR_INVALID_VALUE;
    texel_of(format, &record->texel);
    record->channels = (uint8_t)channels;
    return record->mipmapped ? keep_levels(record, view->firstMipmapLevel, view->lastMipmapLevel)
                             : CUDA_SUCCESS;
}

CUresult driver_texture_record(const struct driver_texture_source *source, struct jit_texture *record,
                               struct driver_object **holds)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {.Format = CU_AD_FORMAT_FLOAT};
    *holds = NULL;
    record->surface = !source->sampling;
    DRIVER_TRY(read_resource(&source->resource, record, holds));
    if (source->resource.resType == CU_RESOURCE_TYPE_ARRAY)
        d = driver_array_descriptor((struct driver_array *)*holds);
    if (source->view && source->view->format != CU_RES_VIEW_FORMAT_NONE)
        DRIVER_TRY(read_view(source->function, record, source->view));
    if (!source->sampling)
        return source->resource.resType == CU_RESOURCE_TYPE_ARRAY ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (!known_sampler(source->sampling, record)) return CUDA_ERROR_INVALID_VALUE;
    read_sampling(record, source->sampling, is_fraction(d.Format));
    return CUDA_SUCCESS;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what is asked about textures and surfaces, and which objects there are.
 * Method: sizes as an H200 answers (tests/textures); all else, which its compiler does not take, as PTX
 * ISA 5.3 and 9.7.10 say, with OpenCL's numbers of channel types and orders. istypep, which may ask about any
 * 64 bits, looks them up among the objects that there are. */
#include "engine_texture_priv.h"

#include <pthread.h>
#include <stdlib.h>

/* OpenCL's CL_SNORM_INT8 and what follows it, CL_R and what follows it. */
static uint32_t channel_type(const struct jit_texture *t)
{
    static const uint16_t types[] = {0x10da, 0x10d7, 0x10db, 0x10d8, 0x10dc, 0x10d9, 0x10dd, 0x10de},
                          normalized[] = {0x10d2, 0x10d0, 0x10d3, 0x10d1};
    return t->read_normalized ? normalized[t->texel & 3] : types[t->texel & 7];
}

static uint32_t channel_order(const struct jit_texture *t)
{
    return t->channels == 1 ? 0x10b0 : t->channels == 2 ? 0x10b2 : 0x10b5;
}

/* PTX ISA 5.3: wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border */
static uint32_t address_mode(const struct jit_texture *t, unsigned d)
{
    static const uint8_t modes[] = {
        [JIT_ADDRESS_WRAP] = 0, [JIT_ADDRESS_CLAMP] = 3, [JIT_ADDRESS_MIRROR] = 1, [JIT_ADDRESS_BORDER] = 4};
    return modes[t->address[d] & 3];
}

/* Layers of one dimension count as rows; a cube's six faces are no depth, but those of its surface are. */
static uint32_t query_height(const struct jit_texture *t, const struct jit_texture_level *level)
{
    if (t->rank == 1 && t->layers) return level->depth;
    if (t->rank == 1) return !t->surface && !t->plain;
    return level->height;
}

static uint32_t depth(const struct jit_texture *t, const struct jit_texture_level *level)
{
    if (t->cube && !t->surface) return t->layers ? level->depth / 6 : 0;
    bool has_depth = t->rank == 3 || t->cube || (t->rank == 2 && t->layers);
    return has_depth ? level->depth : 0;
}

static uint32_t texture_query_answer(const struct jit_texture *t, const struct jit_texture_level *level,
                                     enum jit_texture_query query)
{
    switch (query) {
    case JIT_QUERY_WIDTH: return level->width;
    case JIT_QUERY_HEIGHT: return query_height(t, level);
    case JIT_QUERY_DEPTH: return depth(t, level);
    case JIT_QUERY_CHANNEL_DATA_TYPE: return channel_type(t);
    case JIT_QUERY_CHANNEL_ORDER: return channel_order(t);
    case JIT_QUERY_NORMALIZED_COORDS: return t->normalized_coords;
    case JIT_QUERY_FILTER_MODE: return t->linear;
    case JIT_QUERY_ADDRESS_0: return address_mode(t, 0);
    case JIT_QUERY_ADDRESS_1: return address_mode(t, 1);
    case JIT_QUERY_ADDRESS_2: return address_mode(t, 2);
    case JIT_QUERY_ARRAY_SIZE: return !t->layers ? 0 : level->depth / (t->cube ? 6 : 1);
    case JIT_QUERY_MEMORY_LAYOUT: return t->plain;
    case JIT_QUERY_MIPMAP_LEVELS: return t->mipmapped ? t->level_count : 0;
    case JIT_QUERY_SAMPLES:
    case JIT_QUERY_LEVEL: break;
    }
    return 0; /* no samples */
}

/* Of levels that there are not the size is 0. */
uint32_t texture_query(const struct jit_texture_op *op, const struct jit_texture *t, uint32_t level)
{
    uint32_t asked = op->query & JIT_QUERY_LEVEL ? level : 0;
    if (asked >= t->level_count) return 0;
    return texture_query_answer(t, &t->levels[asked], op->query & ~(unsigned)JIT_QUERY_LEVEL);
}

/* ---- the objects that there are */

static pthread_mutex_t objects_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct jit_texture **objects;
static size_t object_count, object_capacity;

void engine_texture_add(const struct jit_texture *texture)
{
    pthread_mutex_lock(&objects_lock);
    if (object_count == object_capacity) {
        object_capacity = object_capacity ? 2 * object_capacity : 16;
        objects = sw_xrealloc(objects, object_capacity * sizeof *objects);
    }
    objects[object_count++] = texture;
    pthread_mutex_unlock(&objects_lock);
}

void engine_texture_remove(const struct jit_texture *texture)
{
    pthread_mutex_lock(&objects_lock);
    for (size_t i = 0; i < object_count; i++) {
        if (objects[i] != texture) continue;
        objects[i] = objects[--object_count];
        break;
    }
    if (object_count == 0) {
        free(objects);
        objects = NULL;
        object_capacity = 0;
    }
    pthread_mutex_unlock(&objects_lock);
}

/* Objects are no variables, which is what istypep asks about, and answer no, as on an H200; references are.
 */
uint32_t texture_type(uint64_t object, uint8_t opaque)
{
    uint32_t result = 0;
    if (opaque == JIT_OPAQUE_SAMPLER) return 0;
    pthread_mutex_lock(&objects_lock);
    for (size_t i = 0; i < object_count && !result; i++)
        result = (uintptr_t)objects[i] == object && objects[i]->reference &&
                 objects[i]->surface == (opaque == JIT_OPAQUE_SURFACE);
    pthread_mutex_unlock(&objects_lock);
    return result;
}

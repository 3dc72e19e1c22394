/* SPDX-License-Identifier: Apache-2.0 */
/* Results of texture instructions. The same program runs on a GPU (recorded) and on Softwarp (compared).
 * A case is a resource, a sampler, an instruction and a kind of coordinates; a hash of the case's name
 * gives its texels and coordinates, so that the recording has only the results. */
#ifndef TEXTURES_H
#define TEXTURES_H

#include <cuda.h>

#include <stdbool.h>
#include <stdint.h>

enum texel_fill {
    FILL_UNIT,   /* floats of 0 to 1; other formats: random bits */
    FILL_WIDE,   /* floats of any exponent; half: any finite one */
    FILL_BITS,   /* random bits: NaN and infinity too */
    FILL_RAMP,   /* the number of the texel in its level, plus 1000 a level */
    FILL_LEVEL,  /* the level's number */
    FILL_WEIGHTS /* 1 at every third texel, 0 elsewhere */
};
enum place_fill {
    PLACE_TEXELS,     /* floats, in texels, beyond both ends; the first 32 are special */
    PLACE_NORMALIZED, /* -2.5 to 3.5 */
    PLACE_INTEGERS,   /* beyond both ends */
    PLACE_DIRECTIONS, /* of a cube */
    PLACE_INSIDE,     /* 0.1 to 0.9 */
    PLACE_FINE        /* normalised ones within few rounding steps of the places where a weight changes */
};
enum source { SOURCE_ARRAY, SOURCE_LEVELS, SOURCE_LINEAR, SOURCE_PITCH };

struct texture_case {
    char name[200];
    const char *body; /* PTX: see textures_kernel.c for its registers */
    enum source source;
    CUDA_ARRAY3D_DESCRIPTOR array;
    unsigned levels;
    CUDA_TEXTURE_DESC sampler;
    CUDA_RESOURCE_VIEW_DESC view; /* format 0: none */
    enum texel_fill texels;
    enum place_fill places;
    float level_low, level_high; /* of the coordinate "level" */
    float slope;                 /* gradients: up to 2 to this power, in texels */
    unsigned threads;
    unsigned pattern; /* gradients that are not random: textures_slopes.c; 0: random ones */
    bool surface;     /* the object is a surface; what the array holds afterwards is printed too */
};

struct group {
    const char *name;
    void (*run)(void);
};
extern const struct group groups[];

/* textures_run.c */
struct texture_case texture_case(const char *name, const char *body, CUarray_format format, unsigned channels,
                                 size_t width, size_t height, size_t depth, unsigned flags);
void texture_modes(struct texture_case *c, CUaddress_mode mode, bool linear, unsigned flags);
void texture_run(const struct texture_case *c);
void texture_print(const char *name, const uint32_t *words, size_t count);
const char *texture_error(CUresult result);
void texture_coordinates(const struct texture_case *c, uint32_t *words);
CUresult texture_array(const struct texture_case *c, CUarray *array);
CUmodule texture_module(const char *globals, const char *body, CUresult *result);
CUresult texture_launch(CUmodule module, unsigned long long object, const struct texture_case *c,
                        uint32_t *words);
uint32_t texture_hash(uint32_t seed, uint32_t i);
void texture_fill(const struct texture_case *c, unsigned level, uint8_t *bytes, size_t texels);
unsigned format_bytes(CUarray_format format);
enum { IN_WORDS = 12, OUT_WORDS = 4, MOST_THREADS = 4096 };

/* textures_slopes.c: the six numbers of a thread's gradients, in texels of level 0 */
void texture_slopes(unsigned pattern, unsigned thread, float slopes[6]);

/* groups */
void group_filter(void);
void group_address(void);
void group_formats(void);
void group_integers(void);
void group_layers(void);
void group_cubes(void);
void group_levels(void);
void group_gradients(void);
void group_slopes(void);
void group_borders(void);
void group_gather(void);
void group_offsets(void);
void group_queries(void);
void group_surfaces(void);
void group_views(void);
void group_references(void);
void group_samplers(void);
void group_answers(void);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* driver: textures (driver_texture.c, driver_texture_record.c, driver_reference.c). */
#ifndef DRIVER_TEXTURE_H
#define DRIVER_TEXTURE_H

#include "driver/core/driver_context.h"

struct jit_texture;
struct driver_texture_source { /* what a record is made from */
    CUDA_RESOURCE_DESC resource;
    const CUDA_TEXTURE_DESC *sampling;   /* NULL: a surface */
    const CUDA_RESOURCE_VIEW_DESC *view; /* NULL: none */
    const char *function;                /* the call, for messages */
};
/* Fills the record; *holds: a reference to what the memory belongs to, or NULL. */
CUresult driver_texture_record(const struct driver_texture_source *source, struct jit_texture *record,
                               struct driver_object **holds);
/* A .texref or .surfref variable, whose address is that of its record; ends with its module. */
struct driver_reference;
struct driver_reference *driver_reference_new(bool surface);
dev_addr driver_reference_address(const struct driver_reference *reference);
struct driver_reference *driver_reference_at(dev_addr address); /* its record's */
void driver_reference_free(dev_addr address);
#endif

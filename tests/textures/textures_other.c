/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of gathers, offsets, comparison and residency; of queries, surfaces and views. */
#include "textures.h"

#include <stdio.h>
#include <string.h>

#define F32    CU_AD_FORMAT_FLOAT
#define CUBE   CUDA_ARRAY3D_CUBEMAP
#define LAYERS CUDA_ARRAY3D_LAYERED

#define GATHER(component, geometry, type, places, more)                                                      \
    "tld4." component "." geometry ".v4." type ".f32 {%q0, %q1, %q2, %q3}, [%d1, " places "]" more ";"
static void gather(const char *name, const char *body, CUarray_format format, unsigned channels,
                   unsigned flags, bool point)
{
    for (unsigned mode = 0; mode < 4; mode++) {
        struct texture_case c =
            texture_case("", body, format, channels, flags & CUBE ? 16 : 20, flags & CUBE ? 16 : 12,
                         flags & CUBE     ? flags & LAYERS ? 12 : 6
                         : flags & LAYERS ? 4
                                          : 0,
                         flags | (flags ? 0 : CUDA_ARRAY3D_TEXTURE_GATHER));
        texture_modes(&c, (CUaddress_mode)mode, !point, CU_TRSF_NORMALIZED_COORDINATES);
        c.places = flags & CUBE ? PLACE_DIRECTIONS : mode == 1 ? PLACE_TEXELS : PLACE_NORMALIZED;
        if (mode == 1 && !(flags & CUBE)) c.sampler.flags = 0;
        c.texels = format == F32 ? FILL_RAMP : FILL_BITS;
        if (strstr(body, "u32") || strstr(body, "s32")) c.sampler.flags |= CU_TRSF_READ_AS_INTEGER;
        c.threads = flags & CUBE ? 2048 : 512;
        snprintf(c.name, sizeof c.name, "gather %s mode %u%s", name, mode, point ? " point" : "");
        texture_run(&c);
        if (mode == 1) c.places = PLACE_FINE, c.sampler.flags |= CU_TRSF_NORMALIZED_COORDINATES;
        if (mode != 1 || flags & CUBE) continue;
        c.threads = 2048;
        snprintf(c.name, sizeof c.name, "gather %s fine%s", name, point ? " point" : "");
        texture_run(&c);
    }
}

void group_gather(void)
{
    gather("2d", GATHER("r", "2d", "f32", "{%f0, %f1}", ""), F32, 1, 0, false);
    gather("2d", GATHER("r", "2d", "f32", "{%f0, %f1}", ""), F32, 1, 0, true);
    gather("2d green", GATHER("g", "2d", "f32", "{%f0, %f1}", ""), CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, false);
    gather("2d blue", GATHER("b", "2d", "s32", "{%f0, %f1}", ""), CU_AD_FORMAT_SIGNED_INT16, 4, 0, true);
    gather("2d alpha", GATHER("a", "2d", "u32", "{%f0, %f1}", ""), CU_AD_FORMAT_UNSIGNED_INT32, 4, 0, true);
    gather("2d absent", GATHER("a", "2d", "f32", "{%f0, %f1}", ""), CU_AD_FORMAT_HALF, 2, 0, true);
    gather("2d blue absent", GATHER("b", "2d", "f32", "{%f0, %f1}", ""), CU_AD_FORMAT_HALF, 2, 0, true);
    gather("2d offset", GATHER("r", "2d", "f32", "{%f0, %f1}", ", {3, -2}"), F32, 1, 0, true);
    gather("2d offsets of lanes",
           "and.b32 %r5, %r9, 7; sub.s32 %r5, %r5, 4; mul.lo.s32 %r6, %r9, 5; shr.u32 %r6, %r6, 3; and.b32 "
           "%r6, %r6, 15;" GATHER("r", "2d", "f32", "{%f0, %f1}", ", {%r5, %r6}"),
           F32, 1, 0, true);
    gather("a2d", GATHER("r", "a2d", "f32", "{%r3, %f0, %f1, %f1}", ""), F32, 1, LAYERS, true);
    gather("a2d offset", GATHER("r", "a2d", "f32", "{%r3, %f0, %f1, %f1}", ", {-1, 5}"), F32, 1, LAYERS,
           true);
    gather("cube", GATHER("r", "cube", "f32", "{%f0, %f1, %f2, %f2}", ""), F32, 1, CUBE, true);
    gather("acube", GATHER("r", "acube", "f32", "{%r3, %f0, %f1, %f2}", ""), F32, 1, CUBE | LAYERS, true);
}

static void one(const char *name, const char *body, CUarray_format format, unsigned channels,
                const size_t size[3], unsigned flags, bool linear, enum place_fill places)
{
    struct texture_case c = texture_case("", body, format, channels, size[0], size[1], size[2], flags);
    texture_modes(&c, CU_TR_ADDRESS_MODE_WRAP, linear, CU_TRSF_NORMALIZED_COORDINATES);
    c.sampler.addressMode[1] = CU_TR_ADDRESS_MODE_BORDER;
    c.texels = FILL_RAMP;
    c.places = places;
    snprintf(c.name, sizeof c.name, "%s%s", name, linear ? " linear" : "");
    texture_run(&c);
}

void group_offsets(void)
{
    static const struct {
        const char *name, *body;
        size_t size[3];
        unsigned flags;
    } rows[] = {
        {"offset 1d", "tex.1d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0}], {-3};", {64, 0, 0}, 0},
        {"offset 2d", "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}], {5, -8};", {64, 20, 0}, 0},
        {"offset 2d of lanes",
         "and.b32 %r5, %r9, 15; sub.s32 %r6, 4, %r5; tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, "
         "%f1}], {%r5, %r6};",
         {64, 20, 0},
         0},
        {"offset 3d",
         "tex.3d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1, %f2, %f2}], {1, 2, -3, 0};",
         {16, 12, 8},
         0},
        {"offset a1d",
         "tex.a1d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%r3, %f0}], {7};",
         {64, 0, 4},
         LAYERS},
        {"offset a2d",
         "tex.a2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%r3, %f0, %f1, %f1}], {-1, 1};",
         {24, 12, 4},
         LAYERS},
        {"offset integers",
         "tex.2d.v4.f32.s32 {%q0, %q1, %q2, %q3}, [%d1, {%r0, %r1}], {5, -2};",
         {64, 20, 0},
         0},
        {"offset level",
         "tex.level.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}], %f4, {2, -1};",
         {64, 20, 0},
         0},
        {"offset gradient",
         "tex.grad.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}], {%f6, %f7}, {%f9, %f10}, {2, -1};",
         {64, 20, 0},
         0},
        {"residency",
         "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}|%p1, [%d1, {%f0, %f1}]; selp.b32 %q3, 1, 0, %p1;",
         {64, 20, 0},
         0},
        {"residency of a gather",
         "tld4.r.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}|%p1, [%d1, {%f0, %f1}]; selp.b32 %q3, 1, 0, %p1;",
         {64, 20, 0},
         0},
        {"under a guard",
         "and.b32 %r5, %r9, 1; setp.eq.u32 %p1, %r5, 1; @%p1 tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, "
         "{%f0, %f1}];",
         {64, 20, 0},
         0},
        {"halves", "tex.2d.v2.f16x2.f32 {%q0, %q1}, [%d1, {%f0, %f1}];", {64, 20, 0}, 0},
        {"halves of words",
         "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}]; mov.b32 %f12, %q0; cvt.rn.f16.f32 %h1, "
         "%f12;",
         {64, 20, 0},
         0},
        {"compare 2d", "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}], %f5;", {64, 20, 0}, 0},
        {"compare scalar 2d", "tex.2d.f32.f32 %q0, [%d1, {%f0, %f1}], %f5;", {64, 20, 0}, 0},
        {"compare depth 2d",
         "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}], %f5;",
         {64, 20, 0},
         CUDA_ARRAY3D_DEPTH_TEXTURE},
        {"compare a2d",
         "tex.a2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%r3, %f0, %f1, %f1}], %f5;",
         {24, 12, 4},
         LAYERS},
        {"compare gather",
         "tld4.r.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}], %f5;",
         {64, 20, 0},
         0},
        {"depth texture",
         "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}];",
         {64, 20, 0},
         CUDA_ARRAY3D_DEPTH_TEXTURE},
        {"samples 2dms",
         "tex.2dms.v4.f32.s32 {%q0, %q1, %q2, %q3}, [%d1, {%r3, %r0, %r1, %r1}];",
         {64, 20, 0},
         0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned linear = 0; linear < 2; linear++)
            one(rows[i].name, rows[i].body, strncmp(rows[i].name, "halves", 6) ? F32 : CU_AD_FORMAT_HALF, 1,
                rows[i].size, rows[i].flags, linear,
                strstr(rows[i].name, "integers") ? PLACE_INTEGERS : PLACE_NORMALIZED);
}

/* ---- queries: three words asked of each object, the fourth is istypep's three answers */

static const char *const texture_queries[] = {"width",         "height",
                                              "depth",         "channel_data_type",
                                              "channel_order", "normalized_coords",
                                              "filter_mode",   "addr_mode_0",
                                              "addr_mode_1",   "addr_mode_2",
                                              "array_size",    "num_mipmap_levels",
                                              "num_samples",   "force_unnormalized_coords"};
static const char *const surface_queries[] = {
    "width", "height", "depth", "channel_data_type", "channel_order", "array_size", "memory_layout"};

static void ask(const struct texture_case *like, const char *of, const char *query)
{
    char body[400];
    struct texture_case c = *like;
    snprintf(body, sizeof body, "%s.%s.b32 %%q0, [%%d1];", like->surface ? "suq" : "txq", query);
    c.body = body;
    c.threads = 32;
    snprintf(c.name, sizeof c.name, "query %s %s", of, query);
    texture_run(&c);
}

static void ask_all(struct texture_case c, const char *of)
{
    static const char types[] =
        "istypep.texref %p1, %d1; istypep.samplerref %p2, %d1; istypep.surfref %p3, %d1;\n"
        "selp.u32 %q0, 1, 0, %p1; selp.u32 %q1, 1, 0, %p2; selp.u32 %q2, 1, 0, %p3;";
    for (unsigned i = 0; !c.surface && i < sizeof texture_queries / sizeof *texture_queries; i++)
        ask(&c, of, texture_queries[i]);
    for (unsigned i = 0; c.surface && i < sizeof surface_queries / sizeof *surface_queries; i++)
        ask(&c, of, surface_queries[i]);
    c.body = types;
    c.threads = 32;
    snprintf(c.name, sizeof c.name, "query %s types", of);
    texture_run(&c);
    c.body = "sub.s32 %r5, %r9, 2; txq.level.width.b32 %q0, [%d1], %r5; txq.level.height.b32 %q1, [%d1], "
             "%r5; txq.level.depth.b32 %q2, [%d1], %r5;";
    snprintf(c.name, sizeof c.name, "query %s levels", of);
    if (!c.surface) texture_run(&c);
}

void group_queries(void)
{
    static const struct {
        const char *name;
        CUarray_format format;
        unsigned channels;
        size_t size[3];
        unsigned flags;
        enum source source;
        bool surface;
        unsigned sampling;
    } rows[] = {
        {"1d", F32, 1, {7, 0, 0}, 0, SOURCE_ARRAY, false, 0},
        {"2d u8", CU_AD_FORMAT_UNSIGNED_INT8, 4, {9, 6, 0}, 0, SOURCE_ARRAY, false, CU_TRSF_READ_AS_INTEGER},
        {"2d u8 fractions",
         CU_AD_FORMAT_UNSIGNED_INT8,
         4,
         {9, 6, 0},
         0,
         SOURCE_ARRAY,
         false,
         CU_TRSF_NORMALIZED_COORDINATES},
        {"2d srgb", CU_AD_FORMAT_UNSIGNED_INT8, 4, {9, 6, 0}, 0, SOURCE_ARRAY, false, CU_TRSF_SRGB},
        {"2d s16", CU_AD_FORMAT_SIGNED_INT16, 2, {9, 6, 0}, 0, SOURCE_ARRAY, false, CU_TRSF_READ_AS_INTEGER},
        {"2d half", CU_AD_FORMAT_HALF, 2, {9, 6, 0}, 0, SOURCE_ARRAY, false, 0},
        {"2d s32", CU_AD_FORMAT_SIGNED_INT32, 1, {9, 6, 0}, 0, SOURCE_ARRAY, false, 0},
        {"3d", F32, 4, {7, 5, 3}, 0, SOURCE_ARRAY, false, CU_TRSF_NORMALIZED_COORDINATES},
        {"a1d", F32, 1, {7, 0, 5}, LAYERS, SOURCE_ARRAY, false, 0},
        {"a2d", F32, 1, {7, 4, 5}, LAYERS, SOURCE_ARRAY, false, 0},
        {"cube", F32, 1, {8, 8, 6}, CUBE, SOURCE_ARRAY, false, CU_TRSF_NORMALIZED_COORDINATES},
        {"acube", F32, 1, {8, 8, 12}, CUBE | LAYERS, SOURCE_ARRAY, false, CU_TRSF_NORMALIZED_COORDINATES},
        {"levels 2d", F32, 1, {20, 12, 0}, 0, SOURCE_LEVELS, false, CU_TRSF_NORMALIZED_COORDINATES},
        {"levels 3d", F32, 1, {20, 12, 9}, 0, SOURCE_LEVELS, false, CU_TRSF_NORMALIZED_COORDINATES},
        {"levels a2d", F32, 1, {20, 12, 9}, LAYERS, SOURCE_LEVELS, false, CU_TRSF_NORMALIZED_COORDINATES},
        {"linear memory", F32, 2, {20, 0, 0}, 0, SOURCE_LINEAR, false, 0},
        {"pitched memory", CU_AD_FORMAT_UNSIGNED_INT16, 1, {20, 5, 0}, 0, SOURCE_PITCH, false, 0},
        {"surface 1d", F32, 1, {7, 0, 0}, 2, SOURCE_ARRAY, true, 0},
        {"surface 2d", CU_AD_FORMAT_UNSIGNED_INT8, 2, {7, 4, 0}, 2, SOURCE_ARRAY, true, 0},
        {"surface 3d", CU_AD_FORMAT_SIGNED_INT8, 4, {7, 4, 3}, 2, SOURCE_ARRAY, true, 0},
        {"surface a1d", CU_AD_FORMAT_HALF, 4, {7, 0, 3}, 2 | LAYERS, SOURCE_ARRAY, true, 0},
        {"surface a2d", CU_AD_FORMAT_UNSIGNED_INT32, 1, {7, 4, 3}, 2 | LAYERS, SOURCE_ARRAY, true, 0},
        {"surface cube", F32, 1, {8, 8, 6}, 2 | CUBE, SOURCE_ARRAY, true, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct texture_case c = texture_case("", "", rows[i].format, rows[i].channels, rows[i].size[0],
                                             rows[i].size[1], rows[i].size[2], rows[i].flags);
        bool normalized = rows[i].sampling & CU_TRSF_NORMALIZED_COORDINATES;
        texture_modes(&c, CU_TR_ADDRESS_MODE_BORDER, normalized, rows[i].sampling);
        if (normalized) c.sampler.addressMode[0] = CU_TR_ADDRESS_MODE_WRAP;
        if (normalized) c.sampler.addressMode[1] = CU_TR_ADDRESS_MODE_MIRROR;
        c.source = rows[i].source;
        c.levels = 4;
        c.surface = rows[i].surface;
        ask_all(c, rows[i].name);
    }
}

/* ---- surfaces */

struct surface_shape {
    const char *geometry, *places;
    size_t size[3];
    unsigned flags;
};
static const struct surface_shape surface_shapes[] = {{"1d", "{%r0}", {40, 0, 0}, 0},
                                                      {"2d", "{%r0, %r1}", {12, 9, 0}, 0},
                                                      {"3d", "{%r0, %r1, %r2, %r2}", {8, 6, 5}, 0},
                                                      {"a1d", "{%r3, %r0}", {24, 0, 4}, LAYERS},
                                                      {"a2d", "{%r3, %r0, %r1, %r1}", {10, 6, 4}, LAYERS}};

/* Places in elements of so many bytes; outside ones too, one step only below (".trap" would end the context).
 */
static void surface(const char *what, const struct surface_shape *s, CUarray_format format, unsigned channels,
                    unsigned bytes, const char *format_text, const char *names, bool inside)
{
    char body[1200], work[600];
    int at = snprintf(body, sizeof body, "mul.lo.s32 %%r0, %%r0, %u;\n", bytes);
    if (inside) /* each lane its own element, so that stores do not race; the rest does nothing */
        at = snprintf(body, sizeof body,
                      "mov.u32 %%r3, 1; rem.u32 %%r0, %%r9, %zu; mul.lo.s32 %%r0, %%r0, %u; div.u32 %%r1, "
                      "%%r9, %zu; mov.u32 %%r2, 1;\n"
                      "setp.ge.u32 %%p3, %%r1, %zu; @%%p3 mov.u32 %%r1, 0; @%%p3 bra done;\n",
                      s->size[0], bytes, s->size[0], s->size[1] ? s->size[1] : 1);
    snprintf(work, sizeof work, format_text, s->geometry, s->places);
    snprintf(body + at, sizeof body - (size_t)at, "%s\ndone:", work);
    struct texture_case c = texture_case("", body, format, channels, s->size[0], s->size[1], s->size[2],
                                         s->flags | CUDA_ARRAY3D_SURFACE_LDST);
    c.places = PLACE_INTEGERS;
    c.texels = FILL_BITS;
    c.surface = true;
    snprintf(c.name, sizeof c.name, "surface %s %s %s", what, s->geometry, names);
    texture_run(&c);
}

static void surface_loads(const struct surface_shape *s)
{
    static const struct {
        const char *clamp, *type, *values, *note;
        CUarray_format format;
        unsigned channels, bytes;
    } rows[] = {
        {"zero", "b8", "{%h1}", "; cvt.u32.u16 %q0, %h1", CU_AD_FORMAT_UNSIGNED_INT8, 1, 1},
        {"clamp", "b8", "{%h1}", "; cvt.u32.u16 %q0, %h1", CU_AD_FORMAT_SIGNED_INT8, 1, 1},
        {"zero", "b16", "{%h1}", "; cvt.u32.u16 %q0, %h1", CU_AD_FORMAT_HALF, 1, 2},
        {"clamp", "b16", "{%h1}", "; cvt.u32.u16 %q0, %h1", CU_AD_FORMAT_UNSIGNED_INT16, 1, 2},
        {"zero", "b32", "{%q0}", "", F32, 1, 4},
        {"clamp", "b32", "{%q0}", "", F32, 1, 4},
        {"zero", "v2.b32", "{%q0, %q1}", "", F32, 2, 8},
        {"clamp", "v2.b32", "{%q0, %q1}", "", F32, 2, 8},
        {"zero", "v4.b32", "{%q0, %q1, %q2, %q3}", "", F32, 4, 16},
        {"clamp", "v4.b32", "{%q0, %q1, %q2, %q3}", "", F32, 4, 16},
        {"zero", "b64", "{%d6}", "; mov.b64 {%q0, %q1}, %d6", F32, 2, 8},
        {"clamp", "b64", "{%d6}", "; mov.b64 {%q0, %q1}, %d6", CU_AD_FORMAT_UNSIGNED_INT16, 4, 8},
        {"zero", "v2.b64", "{%d6, %d7}", "; mov.b64 {%q0, %q1}, %d6; mov.b64 {%q2, %q3}, %d7", F32, 4, 16},
        {"clamp", "v2.b64", "{%d6, %d7}", "; mov.b64 {%q0, %q1}, %d6; mov.b64 {%q2, %q3}, %d7", F32, 4, 16},
        {"zero", "v2.b16", "{%h1, %h2}", "; cvt.u32.u16 %q0, %h1; cvt.u32.u16 %q1, %h2", CU_AD_FORMAT_HALF, 2,
         4},
        {"clamp", "v4.b8", "{%h1, %h2, %h3, %h4}",
         "; cvt.u32.u16 %q0, %h1; cvt.u32.u16 %q1, %h2; cvt.u32.u16 %q2, %h3; cvt.u32.u16 %q3, %h4",
         CU_AD_FORMAT_UNSIGNED_INT8, 4, 4},
        /* other sizes than the texels' */
        {"clamp", "b32", "{%q0}", "", CU_AD_FORMAT_UNSIGNED_INT8, 4, 4},
        {"clamp", "b8", "{%h1}", "; cvt.u32.u16 %q0, %h1", F32, 1, 1},
        {"clamp", "v4.b32", "{%q0, %q1, %q2, %q3}", "", F32, 1, 16}};
    char text[300], name[100];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, "suld.b.%%s.%s.%s %s, [%%%%d1, %%s]%s;", rows[i].type, rows[i].clamp,
                 rows[i].values, rows[i].note);
        for (char *p = text; *p; p++) /* registers keep their % through printf */
            if (*p == '%' && (p[1] == 'q' || p[1] == 'h' || p[1] == 'd') && (p == text || p[-1] != '%')) {
                memmove(p + 1, p, strlen(p) + 1);
                p++;
            }
        snprintf(name, sizeof name, "%s.%s of %ux%u bytes", rows[i].type, rows[i].clamp,
                 format_bytes(rows[i].format), rows[i].channels);
        surface("load", s, rows[i].format, rows[i].channels, rows[i].bytes, text, name, false);
    }
}

static void surface_stores(const struct surface_shape *s)
{
    static const struct {
        const char *name, *text;
        CUarray_format format;
        unsigned channels, bytes;
    } rows[] = {
        {"b8", "cvt.u16.u32 %%h1, %%r9; sust.b.%s.b8.trap [%%d1, %s], {%%h1};", CU_AD_FORMAT_UNSIGNED_INT8, 1,
         1},
        {"v2.b16", "cvt.u16.u32 %%h1, %%r9; sust.b.%s.v2.b16.trap [%%d1, %s], {%%h1, %%h1};",
         CU_AD_FORMAT_HALF, 2, 4},
        {"b32", "sust.b.%s.b32.trap [%%d1, %s], {%%r9};", F32, 1, 4},
        {"v4.b32", "sust.b.%s.v4.b32.trap [%%d1, %s], {%%r9, %%f5, %%f6, %%f7};", F32, 4, 16},
        {"b64", "mov.b64 %%d6, {%%r9, %%r4}; sust.b.%s.b64.trap [%%d1, %s], {%%d6};", F32, 2, 8},
        {"v2.b64",
         "mov.b64 %%d6, {%%r9, %%r4}; not.b64 %%d7, %%d6; sust.b.%s.v2.b64.trap [%%d1, %s], {%%d6, %%d7};",
         F32, 4, 16},
        {"p b32", "sust.p.%s.b32.trap [%%d1, %s], {%%r9};", CU_AD_FORMAT_UNSIGNED_INT32, 1, 1},
        {"p v4 to u8", "sust.p.%s.v4.b32.trap [%%d1, %s], {%%r9, %%f5, %%r4, %%f6};",
         CU_AD_FORMAT_UNSIGNED_INT8, 4, 1},
        {"p v4 to s8", "sust.p.%s.v4.b32.trap [%%d1, %s], {%%r9, %%f5, %%r4, %%f6};",
         CU_AD_FORMAT_SIGNED_INT8, 4, 1},
        {"p v4 to s16", "sust.p.%s.v4.b32.trap [%%d1, %s], {%%r9, %%f5, %%r4, %%f6};",
         CU_AD_FORMAT_SIGNED_INT16, 4, 1},
        {"p v2 to u16", "sust.p.%s.v2.b32.trap [%%d1, %s], {%%r9, %%f5};", CU_AD_FORMAT_UNSIGNED_INT16, 2, 1},
        {"p v2 to half", "sust.p.%s.v2.b32.trap [%%d1, %s], {%%f6, %%f5};", CU_AD_FORMAT_HALF, 2, 1},
        {"p v4 to f32", "sust.p.%s.v4.b32.trap [%%d1, %s], {%%r9, %%f5, %%r4, %%f6};", F32, 4, 1},
        {"p one to v4", "sust.p.%s.b32.trap [%%d1, %s], {%%r9};", CU_AD_FORMAT_UNSIGNED_INT8, 4, 1},
        {"p v4 to one", "sust.p.%s.v4.b32.trap [%%d1, %s], {%%r9, %%f5, %%r4, %%f6};",
         CU_AD_FORMAT_SIGNED_INT16, 1, 1},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        surface("store", s, rows[i].format, rows[i].channels, rows[i].bytes, rows[i].text, rows[i].name,
                true);
    static const char *const outside[] = {"zero", "clamp"};
    for (unsigned i = 0; i < 2; i++) { /* all lanes store the same, so that their order says nothing */
        char text[100];
        snprintf(text, sizeof text, "mov.u32 %%%%q0, 77; sust.b.%%s.b32.%s [%%%%d1, %%s], {%%%%q0};",
                 outside[i]);
        surface("store outside", s, F32, 1, 4, text, outside[i], false);
    }
}

static void surface_reductions(const struct surface_shape *s)
{
    static const struct {
        const char *op, *type;
    } rows[] = {{"add", "u32"}, {"add", "s32"}, {"add", "u64"}, {"min", "u32"}, {"min", "s32"},
                {"max", "u32"}, {"max", "s32"}, {"and", "b32"}, {"or", "b32"},  {"min", "u64"},
                {"min", "s64"}, {"max", "u64"}, {"max", "s64"}};
    char text[300], name[100];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned clamp = 0; clamp < 2; clamp++) {
            bool wide = rows[i].type[1] == '6';
            snprintf(text, sizeof text,
                     "mul.lo.u32 %%%%r5, %%%%r9, -1640531535; mov.b64 %%%%d6, {%%%%r5, %%%%r9}; "
                     "sured.b.%s.%%s.%s.%s [%%%%d1, %%s], %%%%%s;",
                     rows[i].op, rows[i].type, clamp ? "zero" : "clamp", wide ? "d6" : "r5");
            snprintf(name, sizeof name, "%s.%s.%s", rows[i].op, rows[i].type, clamp ? "zero" : "clamp");
            surface("reduction", s, F32, wide ? 2 : 1, wide ? 8 : 4, text, name, false);
        }
    surface("reduction", s, CU_AD_FORMAT_UNSIGNED_INT32, 1, 1,
            "mov.u32 %%r5, 3; sured.p.add.%s.b32.zero [%%d1, %s], %%r5;", "p add", false);
    surface("reduction", s, CU_AD_FORMAT_SIGNED_INT32, 1, 1,
            "mul.lo.u32 %%r5, %%r9, -1640531535; sured.p.min.%s.b32.zero [%%d1, %s], %%r5;", "p min s32",
            false);
    surface("reduction", s, CU_AD_FORMAT_UNSIGNED_INT32, 1, 1,
            "mul.lo.u32 %%r5, %%r9, -1640531535; sured.p.min.%s.b32.zero [%%d1, %s], %%r5;", "p min u32",
            false);
    surface("reduction", s, CU_AD_FORMAT_UNSIGNED_INT32, 2, 1,
            "mul.lo.u32 %%r5, %%r9, -1640531535; mov.b64 %%d6, {%%r5, %%r9}; sured.p.max.%s.b64.zero [%%d1, "
            "%s], %%d6;",
            "p max b64", false);
}

void group_surfaces(void)
{
    for (unsigned i = 0; i < 5; i++) {
        surface_loads(&surface_shapes[i]);
        surface_stores(&surface_shapes[i]);
        if (i < 3) surface_reductions(&surface_shapes[i]);
    }
}

/* ---- views */

void group_views(void)
{
    static const struct {
        const char *name;
        CUarray_format format;
        unsigned channels;
        CUresourceViewFormat view;
        size_t width, height;
        unsigned first_level, last_level;
    } rows[] = {
        {"uint 4x8 of uint 1x32", CU_AD_FORMAT_UNSIGNED_INT32, 1, CU_RES_VIEW_FORMAT_UINT_4X8, 32, 16, 0, 4},
        {"float 1x32 of uint 1x32", CU_AD_FORMAT_UNSIGNED_INT32, 1, CU_RES_VIEW_FORMAT_FLOAT_1X32, 32, 16, 0,
         4},
        {"sint 2x16 of uint 1x32", CU_AD_FORMAT_UNSIGNED_INT32, 1, CU_RES_VIEW_FORMAT_SINT_2X16, 32, 16, 0,
         4},
        {"levels 1 to 2", F32, 1, CU_RES_VIEW_FORMAT_FLOAT_1X32, 32, 16, 1, 2},
        {"levels 2 to 4", F32, 1, CU_RES_VIEW_FORMAT_FLOAT_1X32, 32, 16, 2, 4},
        {"levels 1 to 4 of half size", F32, 1, CU_RES_VIEW_FORMAT_FLOAT_1X32, 16, 8, 1, 4},
        {"too wide", F32, 1, CU_RES_VIEW_FORMAT_FLOAT_1X32, 64, 16, 0, 4},
        {"another size of texel", F32, 1, CU_RES_VIEW_FORMAT_FLOAT_2X32, 32, 16, 0, 4},
        {"levels beyond", F32, 1, CU_RES_VIEW_FORMAT_FLOAT_1X32, 32, 16, 2, 9},
        {"bc1", CU_AD_FORMAT_UNSIGNED_INT32, 2, CU_RES_VIEW_FORMAT_UNSIGNED_BC1, 128, 64, 0, 4},
        {"bc4", CU_AD_FORMAT_UNSIGNED_INT32, 2, CU_RES_VIEW_FORMAT_UNSIGNED_BC4, 128, 64, 0, 4},
        {"bc3", CU_AD_FORMAT_UNSIGNED_INT32, 4, CU_RES_VIEW_FORMAT_UNSIGNED_BC3, 128, 64, 0, 4}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned source = 0; source < 2; source++) {
            struct texture_case c =
                texture_case("", "tex.level.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}], %f4;",
                             rows[i].format, rows[i].channels, 32, 16, 0, 0);
            texture_modes(&c, CU_TR_ADDRESS_MODE_CLAMP, false, CU_TRSF_NORMALIZED_COORDINATES);
            c.source = source ? SOURCE_LEVELS : SOURCE_ARRAY;
            c.levels = 5;
            c.level_low = -1;
            c.level_high = 6;
            c.places = PLACE_NORMALIZED;
            c.texels = i < 3 || i > 8 ? FILL_BITS : FILL_RAMP;
            c.view = (CUDA_RESOURCE_VIEW_DESC){.format = rows[i].view,
                                               .width = rows[i].width,
                                               .height = rows[i].height,
                                               .firstMipmapLevel = rows[i].first_level,
                                               .lastMipmapLevel = rows[i].last_level};
            if (!source) c.view.firstMipmapLevel = c.view.lastMipmapLevel = 0;
            snprintf(c.name, sizeof c.name, "view %s%s", rows[i].name, source ? " of levels" : "");
            texture_run(&c);
        }
    struct texture_case c = texture_case(
        "view layers 1 to 3", "tex.a2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%r3, %f0, %f1, %f1}];", F32, 1,
        16, 8, 6, LAYERS);
    c.texels = FILL_RAMP;
    c.view = (CUDA_RESOURCE_VIEW_DESC){.format = CU_RES_VIEW_FORMAT_FLOAT_1X32,
                                       .width = 16,
                                       .height = 8,
                                       .depth = 3,
                                       .firstLayer = 1,
                                       .lastLayer = 3};
    texture_run(&c);
    c.view.depth = 0;
    snprintf(c.name, sizeof c.name, "view layers 1 to 3 without depth");
    texture_run(&c);
}

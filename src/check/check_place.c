/* SPDX-License-Identifier: Apache-2.0 */
/* Where something happened: a kernel's instruction with its source line, or a call of the host. Limits: the
 * source line of a call is known where its caller is "file:line"; where clang inlined a function of a CUDA
 * header follows from the instructions before it, and may be a line that the compiler moved there. */
#include "check_priv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *check_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const struct event_instr *instr_of(const struct event_place *at)
{
    for (uint32_t i = 0; at->line && i < at->kernel->instr_count; i++)
        if (at->kernel->instrs[i].ptx_line == at->line) return &at->kernel->instrs[i];
    return NULL;
}

bool check_where_split(const char *where, struct arena *arena, const char **file, uint32_t *line)
{
    const char *colon = where ? strrchr(where, ':') : NULL;
    if (!colon || colon == where || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return false;
    *file = arena_strndup(arena, where, (size_t)(colon - where));
    *line = (uint32_t)strtoul(colon + 1, NULL, 10);
    return *line != 0;
}

static const char *name_of(struct check_report *r, const char *mangled)
{
    const char *name = map_get(&r->names, mangled);
    if (name) return name;
    name = r->options.demangle ? r->options.demangle(&r->arena, mangled) : mangled;
    map_set(&r->names, mangled, (void *)name);
    return name;
}

/* NVIDIA's headers, ours, and clang's. */
static bool is_of_cuda(const char *file)
{
    static const char *const PARTS[] = {"/cuda/include/", "/targets/", "/lib/clang/", "/cccl/"};
    for (size_t i = 0; i < SW_COUNT_OF(PARTS); i++)
        if (strstr(file, PARTS[i])) return true;
    return false;
}

static bool has_line(const struct event_loc *loc)
{
    return loc && *loc->file && loc->line;
}

/* clang does not say where it inlined a function. Code of CUDA's headers stands behind the code that computes
 * its arguments: the last line before it that is the program's own. NULL: there is none. */
static const struct event_loc *own_line_before(const struct check_place *p)
{
    const struct event_instr *first = p->at->kernel->instrs;
    for (const struct event_instr *i = p->instr; i >= first; i--)
        if (has_line(i->loc) && !is_of_cuda(i->loc->file)) return i->loc;
    return NULL;
}

static const struct check_frame *frames_of(struct check_report *r, const struct event_loc *innermost,
                                           struct check_place *p)
{
    uint32_t count = 1; /* room for one more */
    bool own = false;
    for (const struct event_loc *c = innermost; c; c = c->caller)
        count++;
    struct check_frame *frames = ARENA_ARRAY(&r->arena, struct check_frame, count);
    for (const struct event_loc *c = innermost; c; c = c->caller) {
        if (!has_line(c)) continue;
        const char *function = c->function ? name_of(r, c->function) : p->kernel;
        frames[p->frame_count++] = (struct check_frame){function, c->file, c->line, c->column};
        own |= !is_of_cuda(c->file);
    }
    const struct event_loc *before = own ? NULL : own_line_before(p);
    if (before)
        frames[p->frame_count++] =
            (struct check_frame){p->kernel, before->file, before->line, before->column};
    return frames;
}

/* The source line and the frames of a kernel's place. */
static void device_place(struct check_report *r, struct check_place *p)
{
    p->instr = instr_of(p->at);
    if (!p->instr || !has_line(p->instr->loc)) return;
    p->frames = frames_of(r, p->instr->loc, p);
    const struct check_frame *own = p->frames, *end = p->frames + p->frame_count;
    while (own < end && is_of_cuda(own->file))
        own++;
    if (own == end) own = p->frames;
    p->file = own->file;
    p->line = own->line;
    p->column = own->column;
}

const char *check_variable_name(struct check_report *r, const char *name)
{
    if (!name || sw_starts_with(name, "__local_depot")) return name ? CHECK_LOCAL_VARIABLES : NULL;
    const char *parameter = strstr(name, "_param_");
    if (parameter && strspn(parameter + 7, "0123456789") == strlen(parameter + 7))
        return arena_printf(&r->arena, "parameter %lu", strtoul(parameter + 7, NULL, 10) + 1);
    const char *plain = name_of(r, arena_strdup(&r->arena, name));
    const char *last = plain; /* of "kernel(int *)::tile" */
    for (const char *at = plain; (at = strstr(at, "::"));)
        last = at += 2;
    return last;
}

static const char *launcher_of(struct check_report *r, const struct event_place *at)
{
    return at->launched.function ? name_of(r, at->launched.function) : NULL;
}

void check_place_init(struct check_report *r, const struct event_place *at, struct check_place *out)
{
    *out = (struct check_place){.at = at, .file = ""};
    if (!at->kernel) {
        check_where_split(at->where, &r->arena, &out->file, &out->line);
        return;
    }
    const struct event_place *last = r->last.at;
    if (last && last->kernel == at->kernel && last->line == at->line) {
        *out = r->last;
        out->at = at;
        out->launcher = launcher_of(r, at);
        return;
    }
    out->kernel = name_of(r, at->kernel->name);
    out->launcher = launcher_of(r, at);
    device_place(r, out);
    r->last = *out;
}

void check_place_add(const struct check_place *p, struct str *out)
{
    const struct check_frame *innermost = p->frame_count ? p->frames : NULL;
    str_add(out, innermost     ? innermost->function
                 : p->kernel   ? p->kernel
                 : p->at->call ? p->at->call
                               : "host code");
    if (p->kernel && p->at->line) str_printf(out, "+PTX line %u", p->at->line);
    if (innermost)
        str_printf(out, " in %s:%u", check_base_name(innermost->file), innermost->line);
    else if (!p->kernel && p->at->where)
        str_printf(out, " in %s", check_base_name(p->at->where));
}

const char *check_place_short(const struct check_place *p, struct arena *arena)
{
    if (*p->file) return arena_printf(arena, "%s:%u", check_base_name(p->file), p->line);
    if (p->kernel) return p->at->line ? arena_printf(arena, "PTX line %u", p->at->line) : "";
    return p->at->where ? p->at->where : "";
}

const char *check_place_source(struct check_report *r, const struct check_place *p)
{
    const char *text = *p->file ? report_source_line(&r->sources, p->file, p->line) : NULL;
    return text && *text ? text : NULL;
}

const char *check_access_name(const struct check_place *p)
{
    const struct event_instr *i = p->instr;
    if (p->at->atomic || (i && i->cls == ISA_CLASS_ATOMIC)) return "atomic";
    return p->at->writes || (i && i->is_write && !i->is_read) ? "write" : "read";
}

uint64_t check_distance(const struct event_finding *f, bool *after)
{
    uint64_t end = f->base + f->size;
    *after = f->address >= end;
    if (*after) return f->address - end + 1;
    return f->address < f->base ? f->base - f->address : 0;
}

static enum isa_type_kind value_kind(const struct check_place *p)
{
    const struct isa_instr *isa = p->instr ? &p->instr->isa : NULL;
    return isa && isa->type_count ? isa_type_kind(isa_type_at(isa, isa->type_count - 1u)) : ISA_KIND_BITS;
}

static double as_float(uint64_t bits, uint32_t bytes)
{
    float f;
    double d;
    uint32_t low = (uint32_t)bits;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return bytes == sizeof d ? d : (double)f;
}

const char *check_value_text(const struct check_place *p, struct arena *arena)
{
    uint32_t bytes = p->at->bytes;
    if (!p->at->has_value || !bytes || bytes > sizeof p->at->value) return NULL;
    unsigned unused = 64 - 8 * bytes;
    uint64_t value = p->at->value << unused >> unused;
    enum isa_type_kind kind = value_kind(p);
    if (kind == ISA_KIND_FLOAT && (bytes == sizeof(float) || bytes == sizeof(double)))
        return arena_printf(arena, "%.9g", as_float(value, bytes));
    if (kind == ISA_KIND_SINT) return arena_printf(arena, "%" PRId64, (int64_t)(value << unused) >> unused);
    if (kind == ISA_KIND_UINT) return arena_printf(arena, "%" PRIu64, value);
    return arena_printf(arena, "0x%" PRIx64, value);
}

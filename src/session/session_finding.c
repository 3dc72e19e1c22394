/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as records: SESSION_FINDING. Kernels are numbers of their records, which come before. */
#include "session_priv.h"

static void put_optional(struct str *out, const char *text)
{
    session_put_text(out, text ? text : "");
}

static const char *get_optional(struct session_cursor *cursor)
{
    const char *text = session_get_text(cursor);
    return text && *text ? text : NULL;
}

static void encode_place(struct str *out, uint32_t kernel, const struct event_place *p)
{
    session_put_u32(out, kernel);
    session_put_u32(out, p->line);
    for (int d = 0; d < 3; d++) {
        session_put_u32(out, p->block[d]);
        session_put_u32(out, p->thread[d]);
    }
    session_put_u32(out, p->bytes);
    session_put_u32(out, p->writes | (uint32_t)p->atomic << 1 | (uint32_t)p->has_value << 2);
    session_put_u64(out, p->value);
    put_optional(out, p->call);
    put_optional(out, p->where);
    put_optional(out, p->launched.call);
    put_optional(out, p->launched.where);
}

static void decode_place(struct session_cursor *cursor, const struct event_kernel *const *kernels,
                         uint32_t count, struct event_place *p)
{
    uint32_t kernel = session_get_u32(cursor);
    *p = (struct event_place){.line = session_get_u32(cursor)};
    for (int d = 0; d < 3; d++) {
        p->block[d] = session_get_u32(cursor);
        p->thread[d] = session_get_u32(cursor);
    }
    p->bytes = session_get_u32(cursor);
    uint32_t flags = session_get_u32(cursor);
    p->writes = flags & 1, p->atomic = flags >> 1 & 1, p->has_value = flags >> 2 & 1;
    p->value = session_get_u64(cursor);
    p->call = get_optional(cursor);
    p->where = get_optional(cursor);
    p->launched.call = get_optional(cursor);
    p->launched.where = get_optional(cursor);
    if (kernel < count)
        p->kernel = kernels[kernel];
    else if (kernel != SESSION_NO_KERNEL)
        cursor->bad = true;
}

static void encode_formula(struct str *out, const struct event_formula *f)
{
    put_optional(out, f->address);
    if (!f->address) return;
    put_optional(out, f->address_values);
    put_optional(out, f->index);
    put_optional(out, f->index_values);
    session_put_u32(out, f->is_offset | (uint32_t)f->value_known << 1);
    session_put_u64(out, (uint64_t)f->value);
    session_put_u32(out, f->term_count);
    for (uint32_t i = 0; i < f->term_count; i++) {
        const struct event_term *t = &f->terms[i];
        session_put_u32(out, t->kind | (uint32_t)t->known << 8 | (uint32_t)t->modulo << 16);
        session_put_u64(out, (uint64_t)t->value);
        session_put_u32(out, t->line[0]);
        session_put_u32(out, t->line[1]);
        session_put_text(out, t->name);
        put_optional(out, t->source);
    }
}

static void decode_term(struct session_cursor *cursor, struct event_term *t)
{
    uint32_t flags = session_get_u32(cursor);
    *t = (struct event_term){.kind = flags & 0xff, .known = flags >> 8 & 1, .modulo = flags >> 16 & 0xff};
    t->value = (int64_t)session_get_u64(cursor);
    t->line[0] = session_get_u32(cursor);
    t->line[1] = session_get_u32(cursor);
    t->name = session_get_text(cursor);
    t->source = get_optional(cursor);
    if (t->kind >= EVENT_TERM_KINDS || !t->name) cursor->bad = true;
}

static void decode_formula(struct session_cursor *cursor, struct event_formula *f)
{
    f->address = get_optional(cursor);
    if (!f->address) return;
    f->address_values = get_optional(cursor);
    f->index = get_optional(cursor);
    f->index_values = get_optional(cursor);
    uint32_t flags = session_get_u32(cursor);
    f->is_offset = flags & 1, f->value_known = flags >> 1 & 1;
    f->value = (int64_t)session_get_u64(cursor);
    uint32_t count = session_get_u32(cursor);
    if (count > SW_COUNT_OF(f->terms)) cursor->bad = true;
    for (; f->term_count < count && !cursor->bad; f->term_count++)
        decode_term(cursor, &f->terms[f->term_count]);
}

void session_encode_finding(struct str *out, uint32_t kernel, uint32_t other, const struct event_finding *f)
{
    session_put_u32(out, (uint32_t)f->kind);
    session_put_u32(out, (uint32_t)f->space);
    session_put_u32(out, f->has_other | (uint32_t)f->freed << 1 | (uint32_t)f->between_proxies << 2 |
                             (uint32_t)f->between_tasks << 3 | (uint32_t)f->with_copy << 4);
    encode_place(out, kernel, &f->place);
    encode_place(out, other, &f->other);
    session_put_u64(out, f->address);
    session_put_u64(out, f->base);
    session_put_u64(out, f->size);
    session_put_u64(out, f->count);
    put_optional(out, f->variable);
    put_optional(out, f->made);
    put_optional(out, f->where);
    put_optional(out, f->message);
    encode_formula(out, &f->formula);
}

void session_decode_finding(struct session_cursor *cursor, const struct event_kernel *const *kernels,
                            uint32_t count, struct event_finding *f)
{
    uint32_t kind = session_get_u32(cursor), space = session_get_u32(cursor), flags = session_get_u32(cursor);
    *f = (struct event_finding){.has_other = flags & 1,
                                .freed = flags >> 1 & 1,
                                .between_proxies = flags >> 2 & 1,
                                .between_tasks = flags >> 3 & 1,
                                .with_copy = flags >> 4 & 1};
    decode_place(cursor, kernels, count, &f->place);
    decode_place(cursor, kernels, count, &f->other);
    f->address = session_get_u64(cursor);
    f->base = session_get_u64(cursor);
    f->size = session_get_u64(cursor);
    f->count = session_get_u64(cursor);
    f->variable = get_optional(cursor);
    f->made = get_optional(cursor);
    f->where = get_optional(cursor);
    f->message = get_optional(cursor);
    decode_formula(cursor, &f->formula);
    if (kind >= EVENT_FINDING_COUNT || space >= ISA_SPACE_COUNT) {
        cursor->bad = true;
        return;
    }
    f->kind = (enum event_finding_kind)kind;
    f->space = (enum isa_space)space;
}

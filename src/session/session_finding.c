/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as records: SESSION_FINDING. */
#include "session_priv.h"

void session_encode_finding(struct str *out, uint32_t kernel, const struct event_finding *f)
{
    session_put_u32(out, kernel);
    session_put_u32(out, (uint32_t)f->kind);
    session_put_u32(out, f->line);
    session_put_u32(out, f->bytes);
    session_put_u32(out, f->writes);
    session_put_u64(out, f->address);
    for (int d = 0; d < 3; d++) {
        session_put_u32(out, f->block[d]);
        session_put_u32(out, f->thread[d]);
    }
    session_put_u64(out, f->base);
    session_put_u64(out, f->size);
    session_put_text(out, f->message ? f->message : "");
}

void session_decode_finding(struct session_cursor *cursor, const struct event_kernel *const *kernels,
                            uint32_t count, struct event_finding *out)
{
    uint32_t kernel = session_get_u32(cursor), kind = session_get_u32(cursor);
    *out = (struct event_finding){.line = session_get_u32(cursor)};
    out->bytes = session_get_u32(cursor);
    out->writes = session_get_u32(cursor) != 0;
    out->address = session_get_u64(cursor);
    for (int d = 0; d < 3; d++) {
        out->block[d] = session_get_u32(cursor);
        out->thread[d] = session_get_u32(cursor);
    }
    out->base = session_get_u64(cursor);
    out->size = session_get_u64(cursor);
    out->message = session_get_text(cursor);
    if (kernel >= count || kind >= EVENT_FINDING_COUNT) {
        cursor->bad = true;
        return;
    }
    out->kernel = kernels[kernel];
    out->kind = (enum event_finding_kind)kind;
}

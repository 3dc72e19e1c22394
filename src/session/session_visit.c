/* SPDX-License-Identifier: Apache-2.0 */
/* Going over what a session folder holds, one record in memory at a time: launches in the order of their ids,
 * each with its times on the clock, which a separate record gives; operations as they stand. */
#include "session_reader_priv.h"

uint64_t session_launch_cause(const struct session_reader *r)
{
    return r->cause_ns;
}

static enum sw_status visit_decode(const struct session_file *p, const struct session_position *position,
                                   struct session_payload *payload, struct arena *arena,
                                   struct event_launch *out, struct sw_error *error)
{
    bool whole;
    if (!session_read_payload(p->file, position->offset, position->bytes, payload, &whole))
        return session_io_error(p, error);
    struct session_cursor cursor = {payload->bytes, payload->bytes + position->bytes, arena, !whole};
    struct session_known known = session_known_of(p);
    if (whole) session_decode_launch(&cursor, &known, out);
    if (cursor.bad) return sw_fail(error, SW_CORRUPT, "'%s' changed while it was read", p->path);
    return SW_OK;
}

/* The times of a launch on the clock, going on through those of its process; NULL: it has none. */
static const struct session_schedule *schedule_of(struct session_file *p, uint64_t id)
{
    const struct session_schedule *schedule = spill_peek(p->schedule);
    for (; schedule && schedule->id < id; schedule = spill_peek(p->schedule))
        spill_next(p->schedule);
    return schedule && schedule->id == id ? schedule : NULL;
}

static enum sw_status visit_one(struct session_reader *r, uint32_t process,
                                const struct session_position *position, struct session_payload *payload,
                                session_visit visit, void *user, struct sw_error *error)
{
    struct event_launch launch;
    struct session_file *p = &r->processes[process];
    arena_clear(&r->scratch);
    enum sw_status status = visit_decode(p, position, payload, &r->scratch, &launch, error);
    const struct session_schedule *schedule = status == SW_OK ? schedule_of(p, launch.id) : NULL;
    r->cause_ns = schedule ? schedule->cause_ns : 0;
    if (schedule && schedule->end_ns) {
        launch.start_ns = schedule->start_ns;
        launch.end_ns = schedule->end_ns;
    }
    if (status == SW_OK) status = visit(user, &r->data.processes[process], &launch, error);
    return status;
}

enum sw_status session_each_launch(struct session_reader *r, session_visit visit, void *user,
                                   struct sw_error *error)
{
    struct session_payload payload = {0};
    enum sw_status status = SW_OK;
    for (uint32_t i = 0; i < r->data.process_count && status == SW_OK; i++) {
        struct session_file *p = &r->processes[i];
        const struct session_position *position;
        spill_begin(p->launches);
        spill_begin(p->schedule);
        while (status == SW_OK && (position = spill_next(p->launches)))
            status = visit_one(r, i, position, &payload, visit, user, error);
        if (status == SW_OK) status = spill_status(p->launches, error);
        if (status == SW_OK) status = spill_status(p->schedule, error);
    }
    session_payload_release(&payload);
    return status;
}

static void visit_operation(struct session_reader *r, uint32_t process, const struct session_stream *s,
                            session_visit_operation visit, void *user)
{
    struct arena scratch;
    struct event_operation operation;
    struct session_cursor cursor = {s->payload.bytes, s->payload.bytes + s->header.bytes, &scratch, false};
    arena_init(&scratch);
    session_decode_operation(&cursor, &operation);
    operation.api = session_intern(r, operation.api);
    operation.caller = session_intern(r, operation.caller);
    if (!cursor.bad) visit(user, process, &operation);
    arena_release(&scratch);
}

enum sw_status session_each_operation(struct session_reader *r, session_visit_operation visit, void *user,
                                      struct sw_error *error)
{
    enum sw_status status = SW_OK;
    for (uint32_t i = 0; i < r->data.process_count && status == SW_OK; i++) {
        struct session_stream s = {.process = &r->processes[i], .at = SESSION_MAGIC_BYTES};
        bool whole;
        while ((status = session_next_record(&s, &whole, error)) == SW_OK && whole)
            if (s.header.kind == SESSION_OPERATION) visit_operation(r, i, &s, visit, user);
        session_payload_release(&s.payload);
    }
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the host does: copies that are many, small, pageable or redundant, nothing overlapped, results that
 * nobody reads, managed memory that goes back and forth, allocations in loops, waits between launches.
 *
 * Operations are looked at in the order in which the program asked for them, with the kernels between. Gains
 * are shares of the time that copies and allocations take on the virtual clock when nothing runs beside them:
 * the call, the way to the device and back, and the bytes by the GPU's curves (clock_copy.c).
 *
 * Redundant: the copy's destination already held these bytes, and the program had put them there (memory just
 * allocated does not count). Unused: memory of the device that a copy or a kernel wrote and that nothing used
 * before it was written over, freed, or the process ended; for kernels, only buffers that one single launch
 * was given and nothing else ever touched. Limits: what the host reads of its own memory is not seen; nor is
 * which of its buffers a kernel only reads.
 *
 * A wait is avoidable when the program only launched kernels between the wait before and this one, and again
 * before the next one: no copy brought results, and no kernel was given memory that the host can read.
 * Without it the host launches ahead, and the device executes one kernel after the other. Limits: times of
 * events and of the host's clock that a program reads after a wait are not seen; nor are streams of kernels.
 *
 * Sources: Best Practices Guide 8.1.1, 9.1, 9.3. */
#include "prof_advice_priv.h"

#include "clock/clock.h"

#include <stdlib.h>
#include <string.h>

/* assumed: from which on it is told */
enum {
    MANY = 16,              /* copies of one call site */
    SMALL_BYTES = 64 << 10, /* up to which the fixed cost is most of a copy */
    WORTH_BYTES = 1 << 20,  /* below which copies are not worth words */
    ROUNDS = 2,             /* of copy, kernel, copy */
    ALLOCATIONS = 8,
    CHANGES = 3,            /* of managed memory by the host between kernels */
    WAITS_WORTH_PERCENT = 1 /* of the time with the waits, below which they are not worth words */
};

static bool advice_host_is_host(uint8_t memory)
{
    return memory == EVENT_MEMORY_PAGEABLE || memory == EVENT_MEMORY_PINNED ||
           memory == EVENT_MEMORY_REGISTERED;
}

static bool crosses(const struct event_operation *o)
{
    return o->kind == EVENT_OPERATION_COPY && advice_host_is_host(o->from) != advice_host_is_host(o->to);
}

static bool is_upload(const struct event_operation *o)
{
    return crosses(o) && advice_host_is_host(o->from);
}

static bool is_pageable(const struct event_operation *o)
{
    return o->from == EVENT_MEMORY_PAGEABLE || o->to == EVENT_MEMORY_PAGEABLE;
}

/* What a copy keeps the host that waits for it, besides the transfer. */
static uint64_t call_ns(const struct arch_time *time)
{
    return time->call_copy_ns + time->submit_ns + time->notice_ns;
}

static double copy_seconds(const struct prof_advisor *a, const struct event_operation *o)
{
    struct event_work work = {.kind = EVENT_WORK_COPY,
                              .from = o->from,
                              .to = o->to,
                              .device = o->device,
                              .peer = o->device,
                              .bytes = o->bytes / o->count,
                              .rows = o->rows};
    return 1e-9 * (double)(call_ns(a->time) + clock_copy_ns(a->time, &work)) * (double)o->count;
}

static bool is_between_devices(const struct event_operation *o)
{
    return o->kind == EVENT_OPERATION_COPY && (o->staged || o->peer != o->device);
}

static double between_seconds(const struct prof_advisor *a, const struct event_operation *o, bool staged)
{
    uint64_t ns = clock_curve(staged ? &a->time->peer_staged : &a->time->peer, o->bytes / o->count);
    return 1e-9 * (double)(call_ns(a->time) + ns) * (double)o->count;
}

static double pinned_seconds(const struct prof_advisor *a, const struct event_operation *o)
{
    struct event_operation pinned = *o;
    if (pinned.from == EVENT_MEMORY_PAGEABLE) pinned.from = EVENT_MEMORY_PINNED;
    if (pinned.to == EVENT_MEMORY_PAGEABLE) pinned.to = EVENT_MEMORY_PINNED;
    return copy_seconds(a, &pinned);
}

static double allocation_seconds(const struct prof_advisor *a, const struct event_operation *o)
{
    enum event_call call = advice_host_is_host(o->to) ? EVENT_CALL_HOST_ALLOC : EVENT_CALL_ALLOC;
    return 1e-9 * (double)clock_call_ns(a->time, call, o->bytes / o->count) * (double)o->count;
}

static bool is_thrash(const struct event_operation *o)
{
    return o->kind == EVENT_OPERATION_MIGRATE && !o->unchanged;
}

/* Pages that the host takes from the device and the next kernel from the host. */
static double thrash_seconds(const struct prof_advisor *a, const struct event_operation *o)
{
    uint64_t each = o->bytes / o->count;
    uint64_t ns = clock_curve(&a->time->host_fault, each) +
                  clock_curve(o->stored ? &a->time->fault_write : &a->time->fault, each);
    return 1e-9 * (double)ns * (double)o->count;
}

/* Copies that one call site of the program made in one direction. */
struct call_site {
    const char *api, *caller;
    bool upload;
    uint64_t count, bytes, last_launch;
    uint64_t rounds; /* before which kernels were launched since the one before */
    double seconds;
    uint64_t waited_ns; /* waits: from each wait before to the end of this one */
    const struct event_operation *first;
};
typedef VEC(struct call_site) call_sites;

static struct call_site *call_site_of(call_sites *all, const struct event_operation *o)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].upload == is_upload(o) && strcmp(all->at[i].api, o->api) == 0 &&
            strcmp(all->at[i].caller, o->caller) == 0)
            return &all->at[i];
    struct call_site *call_site = vec_push(all);
    *call_site = (struct call_site){
        .api = o->api, .caller = o->caller, .upload = is_upload(o), .last_launch = o->launches, .first = o};
    return call_site;
}

static const char *where(struct prof_advisor *a, const char *api, const char *caller)
{
    if (!*api) return _("a graph or a kernel");
    if (strrchr(caller, ':')) return api; /* the finding has the location */
    return *caller ? arena_printf(a->arena, "%s (%s)", api, caller) : api;
}

/* "file.cu:12" is a source line. */
static void set_location(struct prof_finding *f, const char *caller, struct arena *arena)
{
    const char *colon = strrchr(caller, ':');
    unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
    if (!line) return;
    f->file = arena_strndup(arena, caller, (size_t)(colon - caller));
    f->line = (uint32_t)line;
}

static struct prof_finding *found(struct prof_advisor *a, enum prof_rule_id rule, double seconds,
                                  const char *evidence, uint64_t saved, uint64_t of, const char *unit,
                                  const char *caller)
{
    struct prof_finding *f = prof_found(a, rule, NULL, seconds, evidence);
    set_location(f, caller, a->arena);
    f->timed = seconds > 0;
    f->of_host = true;
    f->saved_ns = 1e9 * (seconds < a->cost.total ? seconds : a->cost.total);
    f->of_ns = 1e9 * a->cost.total;
    f->saved = saved;
    f->of = of;
    f->unit = unit;
    return f;
}

static void count_site(call_sites *all, const struct event_operation *o, double seconds)
{
    struct call_site *call_site = call_site_of(all, o);
    call_site->count += o->count;
    call_site->bytes += o->bytes;
    call_site->seconds += seconds;
    call_site->rounds += o->launches > call_site->last_launch;
    call_site->last_launch = o->launches;
}

static const char *direction(bool upload)
{
    return upload ? _("to the device") : _("to the host");
}

/* Of copies that become one. */
static double joined_seconds(const struct prof_advisor *a, const struct call_site *p)
{
    struct event_operation one = *p->first;
    one.count = 1;
    one.bytes = p->bytes;
    one.rows *= p->count;
    double seconds = copy_seconds(a, &one);
    return seconds < p->seconds ? p->seconds - seconds : 0;
}

static void advise_small(struct prof_advisor *a)
{
    call_sites all = {0};
    for (uint32_t i = 0; i < a->process->operation_count; i++) {
        const struct event_operation *o = &a->process->operations[i];
        if (crosses(o) && o->bytes / o->count < SMALL_BYTES) count_site(&all, o, copy_seconds(a, o));
    }
    for (size_t i = 0; i < all.count; i++) {
        const struct call_site *p = &all.at[i];
        if (p->count < MANY) continue;
        found(a, PROF_RULE_TRANSFERS_SMALL, joined_seconds(a, p),
              prof_say(a, _("%s copied %s times %s, %s per copy on average."), where(a, p->api, p->caller),
                       prof_say_number(a, p->count), direction(p->upload),
                       prof_human(a, p->bytes / p->count)),
              p->count - 1, p->count, "copies", p->caller);
    }
    vec_release(&all);
}

static void advise_pageable(struct prof_advisor *a)
{
    uint64_t bytes = 0, count = 0, all = 0;
    double takes = 0, pinned = 0;
    const struct event_operation *largest = NULL;
    for (uint32_t i = 0; i < a->process->operation_count; i++) {
        const struct event_operation *o = &a->process->operations[i];
        if (!crosses(o)) continue;
        all += o->bytes;
        if (!is_pageable(o)) continue;
        takes += copy_seconds(a, o);
        pinned += pinned_seconds(a, o);
        bytes += o->bytes;
        count += o->count;
        if (!largest || o->bytes > largest->bytes) largest = o;
    }
    if (bytes < WORTH_BYTES || takes <= pinned) return;
    found(a, PROF_RULE_TRANSFERS_PAGEABLE, takes - pinned,
          prof_say(a,
                   _("Copies from or to pageable host memory: %s, %s in total (%.0f %% of the bytes that "
                     "crossed the bus). With page-locked memory they would take about %.0f %% of the time."),
                   prof_say_number(a, count), prof_human(a, bytes), prof_share((double)bytes, (double)all),
                   100 * pinned / takes),
          bytes, all, "bytes", largest ? largest->caller : "");
}

static bool overlaps(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a < b + b_bytes && b < a + a_bytes;
}

/* Did the program put something there since it was allocated, before operation i? */
static bool written_before(const struct prof_process *p, uint32_t i)
{
    uint64_t address = p->operations[i].to_address, bytes = p->operations[i].bytes;
    while (i-- > 0) {
        const struct event_operation *o = &p->operations[i];
        if (o->kind == EVENT_OPERATION_ALLOC && overlaps(o->to_address, o->bytes, address, bytes))
            return false;
        bool writes = o->kind == EVENT_OPERATION_COPY || o->kind == EVENT_OPERATION_FILL;
        if (writes && overlaps(o->to_address, o->bytes, address, bytes)) return true;
    }
    return false;
}

static void advise_redundant(struct prof_advisor *a)
{
    call_sites all = {0};
    uint64_t total = 0;
    for (uint32_t i = 0; i < a->process->operation_count; i++) {
        const struct event_operation *o = &a->process->operations[i];
        if (!crosses(o)) continue;
        total += o->bytes;
        if (o->unchanged && o->count == 1 && written_before(a->process, i))
            count_site(&all, o, copy_seconds(a, o));
    }
    for (size_t i = 0; i < all.count; i++) {
        const struct call_site *p = &all.at[i];
        if (p->bytes < WORTH_BYTES && p->count < MANY) continue;
        found(a, PROF_RULE_TRANSFERS_REDUNDANT, p->seconds,
              prof_say(a, _("%s copied %s in %s copies %s, but the destination already held the same bytes."),
                       where(a, p->api, p->caller), prof_human(a, p->bytes), prof_say_number(a, p->count),
                       direction(p->upload)),
              p->bytes, total, "bytes", p->caller);
    }
    vec_release(&all);
}

/* ---- between devices */

static void advise_staged(struct prof_advisor *a)
{
    uint64_t bytes = 0, count = 0, all = 0;
    double saved = 0;
    const struct event_operation *largest = NULL;
    for (uint32_t i = 0; i < a->process->operation_count; i++) {
        const struct event_operation *o = &a->process->operations[i];
        if (!is_between_devices(o)) continue;
        all += o->bytes;
        if (!o->staged) continue;
        bytes += o->bytes;
        count += o->count;
        double direct = between_seconds(a, o, false), staged = between_seconds(a, o, true);
        saved += staged > direct ? staged - direct : 0;
        if (!largest || o->bytes > largest->bytes) largest = o;
    }
    if (bytes < WORTH_BYTES && count < MANY) return;
    found(a, PROF_RULE_PEERS_STAGED, saved,
          prof_say(a,
                   _("Copies between devices that were staged through host memory: %s, %s in total (%.0f %% "
                     "of the bytes copied between devices). Neither device had peer access to the other."),
                   prof_say_number(a, count), prof_human(a, bytes), prof_share((double)bytes, (double)all)),
          bytes, all, "bytes", largest ? largest->caller : "");
}

/* ---- overlap */

static void advise_overlap(struct prof_advisor *a)
{
    uint64_t rounds = 0, bytes = 0, since = 0;
    const struct event_operation *first = NULL;
    bool uploaded = false;
    double seconds = 0;
    for (uint32_t i = 0; i < a->process->operation_count; i++) {
        const struct event_operation *o = &a->process->operations[i];
        if (!crosses(o)) continue;
        if (o->async && !is_pageable(o)) return; /* some of it may overlap */
        bytes += o->bytes;
        seconds += copy_seconds(a, o);
        if (!first) first = o;
        if (is_upload(o)) {
            uploaded = true;
            since = o->launches;
        } else if (uploaded && o->launches > since) {
            rounds++;
            uploaded = false;
        }
    }
    if (rounds < ROUNDS || bytes < WORTH_BYTES) return;
    found(a, PROF_RULE_OVERLAP, seconds * (1 - 1 / (double)(rounds + 1)),
          prof_say(
              a,
              _("%s rounds of copy, kernel and copy back moved %s one after the other. The host waited for "
                "each copy, so that no copy overlapped with a kernel or with a copy in the other direction."),
              prof_say_number(a, rounds), prof_human(a, bytes)),
          bytes - bytes / (rounds + 1), bytes, "bytes", first->caller);
}

/* ---- results */

struct buffer { /* of the device, between its allocation and its end */
    uint64_t base, bytes;
    uint64_t uses;                      /* by kernels */
    bool written, filled;               /* by copies or fills; only by fills */
    bool read;                          /* by copies */
    const char *allocated;              /* by whom */
    const struct event_operation *copy; /* into it, that nothing has used yet; NULL: none */
};
typedef VEC(struct buffer) buffers;

static struct buffer *buffer_at(buffers *all, uint64_t address)
{
    for (size_t i = 0; i < all->count; i++)
        if (address - all->at[i].base < all->at[i].bytes) return &all->at[i];
    return NULL;
}

struct unused {
    uint64_t copies, copied_bytes, buffers, buffer_bytes;
    double seconds;
    const struct event_operation *first;
    const char *allocated; /* the first buffer */
};

static void drop_copy(struct unused *unused, const struct prof_advisor *a, struct buffer *b)
{
    if (!b->copy) return;
    unused->copies++;
    unused->copied_bytes += b->copy->bytes;
    unused->seconds += copy_seconds(a, b->copy);
    if (!unused->first) unused->first = b->copy;
    b->copy = NULL;
}

static void end_buffer(struct unused *unused, const struct prof_advisor *a, struct buffer *b)
{
    drop_copy(unused, a, b);
    if (b->uses == 1 && !b->written && !b->read && b->bytes >= SMALL_BYTES) {
        unused->buffers++;
        if (!unused->allocated) unused->allocated = b->allocated;
        unused->buffer_bytes += b->bytes;
    }
}

static void write_buffer(struct unused *unused, const struct prof_advisor *a, struct buffer *b,
                         const struct event_operation *o)
{
    bool whole = b->copy && o->to_address <= b->copy->to_address &&
                 o->to_address + o->bytes >= b->copy->to_address + b->copy->bytes;
    if (whole) drop_copy(unused, a, b);
    b->copy = is_upload(o) && o->count == 1 ? o : NULL;
    b->written = true;
}

static void advice_host_follow(struct unused *unused, const struct prof_advisor *a, buffers *all,
                               const struct event_operation *o)
{
    struct buffer *b = buffer_at(all, o->to_address), *from = buffer_at(all, o->from_address);
    if (o->kind == EVENT_OPERATION_ALLOC && o->to == EVENT_MEMORY_DEVICE)
        *vec_push(all) = (struct buffer){.base = o->to_address, .bytes = o->bytes, .allocated = o->caller};
    if (o->kind == EVENT_OPERATION_COPY && from) {
        from->read = true;
        from->copy = NULL;
    }
    if ((o->kind == EVENT_OPERATION_COPY || o->kind == EVENT_OPERATION_FILL) && b)
        write_buffer(unused, a, b, o);
    if (o->kind == EVENT_OPERATION_USE && b) {
        b->uses += o->count;
        b->copy = NULL;
    }
    if (o->kind == EVENT_OPERATION_FREE && b && b->base == o->to_address) {
        end_buffer(unused, a, b);
        *b = all->at[--all->count];
    }
}

static void advise_unused(struct prof_advisor *a)
{
    struct unused unused = {0};
    buffers all = {0};
    for (uint32_t i = 0; i < a->process->operation_count; i++)
        advice_host_follow(&unused, a, &all, &a->process->operations[i]);
    for (size_t i = 0; i < all.count; i++)
        end_buffer(&unused, a, &all.at[i]);
    vec_release(&all);
    if (unused.copied_bytes >= WORTH_BYTES || unused.copies >= MANY)
        found(a, PROF_RULE_RESULTS_UNUSED, unused.seconds,
              prof_say(a,
                       _("%s copies wrote %s to device memory. No kernel and no copy read these bytes before "
                         "they were overwritten or freed. The first such copy: %s."),
                       prof_say_number(a, unused.copies), prof_human(a, unused.copied_bytes),
                       where(a, unused.first->api, unused.first->caller)),
              unused.copied_bytes, unused.copied_bytes, "bytes", unused.first->caller);
    if (unused.buffers)
        found(a, PROF_RULE_RESULTS_UNUSED,
              (double)unused.buffer_bytes / prof_dram_bytes_per_second(a->process->gpu),
              prof_say(a,
                       _("Only one kernel accessed each of %s buffers (%s). Nothing was written to them "
                         "before, and nothing read them afterwards."),
                       prof_say_number(a, unused.buffers), prof_human(a, unused.buffer_bytes)),
              unused.buffer_bytes, unused.buffer_bytes, "bytes", unused.allocated);
}

/* ---- managed memory and allocations */

static void advise_managed(struct prof_advisor *a)
{
    uint64_t times = 0, bytes = 0;
    double seconds = 0;
    for (uint32_t i = 0; i < a->process->operation_count; i++) {
        const struct event_operation *o = &a->process->operations[i];
        if (!is_thrash(o)) continue;
        times += o->count;
        bytes += o->bytes;
        seconds += thrash_seconds(a, o);
    }
    if (times < CHANGES) return;
    found(a, PROF_RULE_MANAGED_THRASH, seconds,
          prof_say(a,
                   _("%s times the host changed managed memory between two kernels that use it. %s, in "
                     "pieces of 64 KiB, migrated to the host and back."),
                   prof_say_number(a, times), prof_human(a, bytes)),
          2 * bytes, 2 * bytes, "bytes", "");
}

static bool allocates(const struct event_operation *o)
{
    return o->kind == EVENT_OPERATION_ALLOC &&
           (strstr(o->api, "Malloc") || strstr(o->api, "Alloc") || strstr(o->api, "HostRegister")) &&
           !strstr(o->api, "Async");
}

static void advise_allocation(struct prof_advisor *a)
{
    call_sites all = {0};
    for (uint32_t i = 0; i < a->process->operation_count; i++) {
        const struct event_operation *o = &a->process->operations[i];
        if (allocates(o)) count_site(&all, o, allocation_seconds(a, o));
    }
    for (size_t i = 0; i < all.count; i++) {
        const struct call_site *p = &all.at[i];
        if (p->rounds + 1 < ALLOCATIONS || 2 * p->rounds < p->count) continue;
        found(a, PROF_RULE_ALLOCATION, p->seconds * (double)p->rounds / (double)p->count,
              prof_say(
                  a, _("%s allocated memory %s times, %s on average, with kernels between the allocations."),
                  where(a, p->api, p->caller), prof_say_number(a, p->count),
                  prof_human(a, p->bytes / p->count)),
              p->rounds, p->count, "allocations", p->caller);
    }
    vec_release(&all);
}

/* ---- waits */

struct waits {
    const struct event_operation *before,
        *last;    /* the last two, where the program only launched kernels since; NULL: it did more */
    bool copying; /* a copy may be under way that the host does not wait for */
    uint64_t count;
    call_sites run;       /* avoidable ones since the program last did more than launch and wait */
    call_sites avoidable; /* those of runs that are long enough */
};

static bool is_of_all_streams(const struct event_operation *wait)
{
    return !strstr(wait->api, "Stream") && !strstr(wait->api, "Event");
}

/* Memory whose contents the host reads without a copy. */
static bool is_shared_with_host(const struct event_operation *o)
{
    bool managed = o->from == EVENT_MEMORY_MANAGED || o->to == EVENT_MEMORY_MANAGED;
    return managed || (o->kind == EVENT_OPERATION_USE && o->to != EVENT_MEMORY_DEVICE);
}

static bool is_of_device_alone(const struct event_operation *o)
{
    bool copies = o->kind == EVENT_OPERATION_COPY;
    return o->kind == EVENT_OPERATION_USE || o->kind == EVENT_OPERATION_FILL ||
           (copies && !advice_host_is_host(o->from) && !advice_host_is_host(o->to));
}

/* With the wait the device is idle from the end of its work until the next kernel begins. Without it, it is
 * idle only as long as the host needs to launch that kernel. */
static double wait_seconds(const struct prof_advisor *a, const struct event_operation *wait)
{
    uint64_t waited = wait->end_ns - wait->start_ns;
    uint64_t idle = a->time->call_sync_ns + a->time->notice_ns + a->time->call_launch_ns + a->time->submit_ns;
    return 1e-9 * (double)(waited < idle ? waited : idle);
}

static void count_wait(const struct prof_advisor *a, struct waits *w)
{
    if (strstr(w->last->api, "Event")) return; /* what the event is for is not seen */
    count_site(&w->run, w->last, wait_seconds(a, w->last));
    call_site_of(&w->run, w->last)->waited_ns += w->last->end_ns - w->before->end_ns;
}

static void end_run(struct waits *w)
{
    uint64_t count = 0;
    for (size_t i = 0; i < w->run.count; i++)
        count += w->run.at[i].count;
    for (size_t i = 0; i < w->run.count && count >= MANY; i++) {
        const struct call_site *p = &w->run.at[i];
        struct call_site *sum = call_site_of(&w->avoidable, p->first);
        sum->count += p->count;
        sum->seconds += p->seconds;
        sum->waited_ns += p->waited_ns;
    }
    w->run.count = 0;
    w->before = w->last = NULL;
}

static void follow_wait(const struct prof_advisor *a, struct waits *w, const struct event_operation *o)
{
    bool follows = w->last && w->last->thread == o->thread && w->last->launches < o->launches;
    if (follows && w->before) count_wait(a, w);
    if (!follows) end_run(w);
    w->before = follows && !w->copying ? w->last : NULL;
    w->last = o;
    w->count++;
    if (is_of_all_streams(o)) w->copying = false;
}

static void follow_other(struct waits *w, const struct event_operation *o)
{
    if (is_of_device_alone(o) && (!w->last || w->last->thread == o->thread)) return;
    end_run(w);
    if (o->kind == EVENT_OPERATION_COPY && o->async) w->copying = true;
}

static void advise_waits(struct prof_advisor *a)
{
    struct waits w = {0};
    for (uint32_t i = 0; i < a->process->operation_count; i++) {
        const struct event_operation *o = &a->process->operations[i];
        if (is_shared_with_host(o)) break;
        if (o->kind == EVENT_OPERATION_SYNC)
            follow_wait(a, &w, o);
        else
            follow_other(&w, o);
    }
    end_run(&w);
    for (size_t i = 0; i < w.avoidable.count; i++) {
        const struct call_site *p = &w.avoidable.at[i];
        double took = 1e-9 * (double)p->waited_ns;
        if (p->count < MANY || 100 * p->seconds < WAITS_WORTH_PERCENT * took) continue;
        struct prof_finding *f =
            found(a, PROF_RULE_WAITS, p->seconds,
                  prof_say(a,
                           _("%s waited %s times between launches. These launches and waits took %s. Before "
                             "and after each wait the program only launched kernels: no copy read their "
                             "results, and they were given no memory that the host can read."),
                           where(a, p->api, p->caller), prof_say_number(a, p->count),
                           prof_human_seconds(took, a->arena)),
                  p->count, w.count, "waits", p->caller);
        f->of_host = false;
        f->saved_ns = 1e9 * p->seconds;
        f->of_ns = (double)p->waited_ns;
        f->gain = took > 0 ? p->seconds / took : 0;
    }
    vec_release(&w.run);
    vec_release(&w.avoidable);
}

void prof_advise_transfers(struct prof_advisor *a)
{
    struct arch_time time = clock_parameters(a->process->gpu);
    a->time = &time;
    for (uint32_t i = 0; i < a->process->operation_count; i++) {
        const struct event_operation *o = &a->process->operations[i];
        if (crosses(o)) a->cost.total += copy_seconds(a, o);
        if (is_between_devices(o)) a->cost.total += between_seconds(a, o, o->staged);
        if (is_thrash(o)) a->cost.total += thrash_seconds(a, o);
        if (allocates(o)) a->cost.total += allocation_seconds(a, o);
    }
    if (a->cost.total <= 0)
        a->cost.total = 1e-9 * (double)call_ns(&time) * (double)(a->process->operation_count + 1);
    advise_small(a);
    advise_pageable(a);
    advise_redundant(a);
    advise_staged(a);
    advise_overlap(a);
    advise_unused(a);
    advise_managed(a);
    advise_allocation(a);
    advise_waits(a);
    a->time = NULL;
}

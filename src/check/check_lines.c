/* SPDX-License-Identifier: Apache-2.0 */
/* What NVIDIA's compute-sanitizer of CUDA 13 prints of a finding, in its words, which people and scripts
 * know: what happened, where in the source, by which thread, and how far from which allocation. Where it
 * prints an offset in machine code, here is the PTX line. Findings that it does not have are in lines of the
 * same form. Limits: of the host's backtrace of a launch only the caller. Sources: NVIDIA, Compute Sanitizer,
 * user manual; what CUDA 13's prints on a GPU. */
#include "check_priv.h"

#include <inttypes.h>
#include <string.h>

static void add_number(uint64_t value, struct str *out)
{
    report_number(report_integer(value), out);
}

static void add_at(const struct check_place *p, struct str *out)
{
    str_add(out, "    at ");
    check_place_add(p, out);
    str_add_char(out, '\n');
}

static void add_callers(const struct check_place *p, struct str *out)
{
    for (uint32_t i = 1; i < p->frame_count; i++)
        str_printf(out, "        Device Frame: %s in %s:%u\n", p->frames[i].function,
                   check_base_name(p->frames[i].file), p->frames[i].line);
}

/* compute-sanitizer's has all callers of the launch, and their machine code. */
static void add_launch(const struct check_place *p, struct str *out)
{
    const struct event_caller *by = &p->at->launched;
    if (!p->kernel || !by->where || !*by->where) return;
    str_add(out,
            "    Saved host backtrace up to driver entry point at kernel launch time\n        Host Frame: ");
    if (p->launcher) str_printf(out, "%s in ", p->launcher);
    str_printf(out, "%s\n", check_base_name(by->where));
}

static void add_frames(const struct check_place *p, struct str *out)
{
    add_callers(p, out);
    add_launch(p, out);
}

static void add_thread(const char *before, const uint32_t t[3], const char *after, struct str *out)
{
    str_printf(out, "%s(%u,%u,%u)%s", before, t[0], t[1], t[2], after);
}

static void add_by(const struct event_place *at, struct str *out)
{
    add_thread("    by thread ", at->thread, " in block ", out);
    add_thread("", at->block, "\n", out);
}

/* The lines that say where on the device. */
static void add_device(const struct check_place *p, struct str *out)
{
    add_at(p, out);
    if (p->kernel) add_by(p->at, out);
}

static void add_nearest(const struct event_finding *f, struct str *out)
{
    bool after;
    uint64_t distance = check_distance(f, &after);
    str_add(out, "    and is ");
    if (!distance) str_add(out, "inside");
    if (distance) {
        add_number(distance, out);
        str_printf(out, " bytes %s", after ? "after" : "before");
    }
    str_printf(out, " %s allocation at 0x%" PRIx64 " of size ", f->freed ? "a freed" : "the nearest",
               f->base);
    add_number(f->size, out);
    str_add(out, " bytes\n");
}

/* The tool knows no address: of a surface. */
static bool has_address(const struct event_finding *f)
{
    return f->kind != EVENT_FINDING_BOUNDS || f->space != ISA_SPACE_NONE;
}

static void lines_of_access(const struct check_group *g, struct str *out)
{
    const struct event_finding *f = g->first;
    str_printf(out, "Invalid %s %s of size %u bytes\n",
               has_address(f) ? check_space_name(f->space) : "surface", check_access_name(&g->place),
               f->place.bytes);
    add_device(&g->place, out);
    if (has_address(f))
        str_printf(out, "    Access to 0x%" PRIx64 " is %s\n", f->address,
                   f->kind == EVENT_FINDING_MISALIGNED ? "misaligned"
                   : f->kind == EVENT_FINDING_PADDING  ? "out of bounds of its row"
                                                       : "out of bounds");
    else
        str_add(out, "    Access is out of bounds\n");
    if (f->size)
        add_nearest(f, out);
    else if (f->kind == EVENT_FINDING_BOUNDS && has_address(f))
        str_add(out, "    and no memory is allocated\n");
    add_frames(&g->place, out);
}

static void lines_of_fault(const struct check_group *g, struct str *out)
{
    str_printf(out, "Launch failed: %s\n", g->first->message ? g->first->message : "");
    if (g->place.kernel || g->place.at->call) add_at(&g->place, out);
    add_launch(&g->place, out);
}

static const char *free_text(const struct event_finding *f)
{
    if (f->place.kernel) return f->freed ? "Device-side double free" : "Invalid pointer to device-side free";
    if (f->message) return f->message;
    return f->freed ? "Double free" : "Invalid pointer to free";
}

static void lines_of_free(const struct check_group *g, struct str *out)
{
    str_printf(out, "Malloc/Free Error encountered : %s\n", free_text(g->first));
    add_device(&g->place, out);
    str_printf(out, "    Address 0x%" PRIx64 "\n", g->first->address);
    add_frames(&g->place, out);
}

static void lines_of_leak(const struct check_group *g, struct str *out)
{
    const struct event_finding *f = g->first;
    const char *made = f->made ? f->made : "";
    str_add(out, "Leaked ");
    add_number(g->bytes, out);
    str_printf(out, " bytes %s 0x%" PRIx64 "%s\n", strstr(made, "Array") ? "from CUDA array" : "at", f->base,
               strcmp(made, "malloc") == 0 ? " on the device heap" : "");
    if (g->count > 1) str_printf(out, "    in %" PRIu64 " allocations\n", g->count);
}

static void lines_of_call(const struct check_group *g, struct str *out)
{
    const struct event_finding *f = g->first;
    str_printf(out, "Program hit %s on CUDA API call to %s.\n", f->message ? f->message : "an error",
               f->place.call ? f->place.call : "a function");
    if (*g->place.file || f->place.where) add_at(&g->place, out);
}

/* Of a copy that a host call made. */
static void lines_of_host_access(const struct event_finding *f, struct str *out)
{
    str_printf(out, "Host API memory access error at host access to 0x%" PRIx64 " of size ", f->address);
    add_number(f->place.bytes, out);
    str_printf(out, " bytes\n    Uninitialized access to 0x%" PRIx64 " on access by %s source\n", f->address,
               f->place.call);
    if (f->place.where) str_printf(out, "    at %s in %s\n", f->place.call, check_base_name(f->place.where));
}

static void lines_of_uninitialized(const struct check_group *g, struct str *out)
{
    const struct event_finding *f = g->first;
    if (!g->place.kernel && f->place.call) {
        lines_of_host_access(f, out);
        return;
    }
    str_printf(out, "Uninitialized %s memory read of size %u bytes\n", check_space_name(f->space),
               f->place.bytes);
    add_device(&g->place, out);
    str_printf(out, "    Address 0x%" PRIx64 "\n", f->address);
    add_frames(&g->place, out);
}

static void lines_of_unused(const struct check_group *g, struct str *out)
{
    const struct event_finding *f = g->first;
    str_printf(out, " Unused memory in allocation 0x%" PRIx64 " of size ", f->base);
    add_number(f->size, out);
    str_printf(out, " bytes\n    %s\n",
               f->message ? f->message : "Not written any memory.\n    100% of allocation were unused.");
}

static const char *severity(const struct check_group *g)
{
    return g->level == CHECK_ERROR ? "Error" : g->level == CHECK_WARN ? "Warning" : "Info";
}

static const char *access_title(const struct check_place *p)
{
    const char *name = check_access_name(p);
    return strcmp(name, "read") == 0 ? "Read" : strcmp(name, "write") == 0 ? "Write" : "Atomic";
}

static bool place_writes(const struct check_place *p)
{
    return strcmp(check_access_name(p), "read") != 0;
}

/* "Race reported between Write access at A and Read access at B": the earlier one first. */
static void lines_of_analysis(const struct check_group *g, struct str *out)
{
    str_printf(out, "%s: Race reported between %s access at ", severity(g), access_title(&g->other));
    check_place_add(&g->other, out);
    str_printf(out, "\n    and %s access at ", access_title(&g->place));
    check_place_add(&g->place, out);
    str_printf(out, " [%" PRIu64 " hazard%s]\n", g->count, g->count == 1 ? "" : "s");
    add_callers(&g->place, out);
}

static void add_hazard_side(const struct check_place *p, struct str *out)
{
    str_printf(out, "    %s ", access_title(p));
    if (p->kernel) add_thread("Thread ", p->at->thread, " at ", out);
    check_place_add(p, out);
    str_add_char(out, '\n');
}

static void add_values(const struct check_group *g, struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    const char *current = check_value_text(&g->other, &arena),
               *incoming = check_value_text(&g->place, &arena);
    if (current) str_printf(out, "    Current Value : %s", current);
    if (current && incoming && place_writes(&g->place)) str_printf(out, ", Incoming Value : %s", incoming);
    if (current) str_add_char(out, '\n');
    arena_release(&arena);
}

static void lines_of_hazard(const struct check_group *g, struct str *out)
{
    const struct event_finding *f = g->first;
    str_printf(out, "%s: Potential %s hazard detected at %s 0x%" PRIx64, severity(g),
               !place_writes(&g->place)  ? "RAW"
               : place_writes(&g->other) ? "WAW"
                                         : "WAR",
               check_space_name(f->space), f->address);
    if (g->place.kernel) add_thread(" in block ", f->place.block, "", out);
    str_add(out, " :\n");
    add_hazard_side(&g->other, out);
    add_hazard_side(&g->place, out);
    add_values(g, out);
}

static void lines_of_race(const struct check_report *r, const struct check_group *g, struct str *out)
{
    if (r->options.races != CHECK_RACES_ANALYSIS) lines_of_hazard(g, out);
    if (r->options.races != CHECK_RACES_HAZARD) lines_of_analysis(g, out);
}

static void lines_of_barrier(const struct check_group *g, struct str *out)
{
    const char *message = g->first->message ? g->first->message : "Invalid use";
    str_printf(out, "Barrier error detected. %s%s\n", message, sw_ends_with(message, ".") ? "" : ".");
    add_device(&g->place, out);
    add_frames(&g->place, out);
}

static void lines_of_schedule(const struct check_group *g, struct str *out)
{
    str_printf(out, "%s: Result depends on the order of blocks and warps: %s\n", severity(g),
               g->first->message ? g->first->message : "");
    if (g->place.kernel) add_at(&g->place, out);
}

void check_lines_add(const struct check_report *r, const struct check_group *g, struct str *out)
{
    switch (g->first->kind) {
    case EVENT_FINDING_BOUNDS:
    case EVENT_FINDING_PADDING:
    case EVENT_FINDING_MISALIGNED: lines_of_access(g, out); return;
    case EVENT_FINDING_FAULT: lines_of_fault(g, out); return;
    case EVENT_FINDING_FREE: lines_of_free(g, out); return;
    case EVENT_FINDING_LEAK: lines_of_leak(g, out); return;
    case EVENT_FINDING_CALL: lines_of_call(g, out); return;
    case EVENT_FINDING_UNINITIALIZED: lines_of_uninitialized(g, out); return;
    case EVENT_FINDING_UNUSED: lines_of_unused(g, out); return;
    case EVENT_FINDING_RACE: lines_of_race(r, g, out); return;
    case EVENT_FINDING_BARRIER: lines_of_barrier(g, out); return;
    case EVENT_FINDING_SCHEDULE: lines_of_schedule(g, out); return;
    case EVENT_FINDING_COUNT: break;
    }
    BUG("a finding of kind %d", (int)g->first->kind);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as text, in the lines of NVIDIA's compute-sanitizer 2025, which people and scripts know: a prefix,
 * what was accessed, where in the source, by which thread, and how far from which allocation. Where it prints
 * an offset in machine code, here is the PTX line. Limits: no host frames. */
#include "check/check.h"

#include "event/event_kernel.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

#define PREFIX "========= "

static const struct event_instr *instr_of(const struct event_finding *f)
{
    for (uint32_t i = 0; f->place.line && i < f->place.kernel->instr_count; i++)
        if (f->place.kernel->instrs[i].ptx_line == f->place.line) return &f->place.kernel->instrs[i];
    return NULL;
}

static void add_where(const struct check_report *r, const struct event_finding *f,
                      const struct event_instr *instr, struct str *out)
{
    const struct event_loc *loc = instr ? instr->loc : NULL;
    const char *slash = loc ? strrchr(loc->file, '/') : NULL;
    str_printf(out, PREFIX "    at %s", r->name(r->user, f->place.kernel->name));
    if (f->place.line) str_printf(out, "+PTX line %u", f->place.line);
    if (loc && *loc->file) str_printf(out, " in %s:%u", slash ? slash + 1 : loc->file, loc->line);
    str_add_char(out, '\n');
}

static const char *kind_of(const struct event_finding *f, const struct event_instr *instr)
{
    if (instr && instr->cls == ISA_CLASS_ATOMIC) return "atomic";
    return f->place.writes || (instr && instr->is_write && !instr->is_read) ? "write" : "read";
}

static const char *space_of(const struct event_finding *f)
{
    static const char *const names[ISA_SPACE_COUNT] = {[ISA_SPACE_SHARED] = "shared",
                                                       [ISA_SPACE_LOCAL] = "local",
                                                       [ISA_SPACE_CONST] = "constant",
                                                       [ISA_SPACE_PARAM] = "param"};
    return names[f->space] ? names[f->space] : "global";
}

static void add_address(const struct event_finding *f, struct str *out)
{
    str_printf(out, PREFIX "    Access to 0x%" PRIx64 " is %s\n", f->address,
               f->kind == EVENT_FINDING_MISALIGNED ? "misaligned" : "out of bounds");
    if (f->kind == EVENT_FINDING_MISALIGNED) return;
    if (!f->size) {
        str_add(out, PREFIX "    and no memory is allocated\n");
        return;
    }
    uint64_t end = f->base + f->size;
    bool after = f->address >= end, inside = !after && f->address >= f->base;
    str_add(out, PREFIX "    and is ");
    if (inside) str_add(out, "inside");
    if (!inside) {
        report_number(report_integer(after ? f->address - end + 1 : f->base - f->address), out);
        str_printf(out, " bytes %s", after ? "after" : "before");
    }
    str_printf(out, " the nearest allocation at 0x%" PRIx64 " of size ", f->base);
    report_number(report_integer(f->size), out);
    str_add(out, " bytes\n");
}

void check_report_begin(struct str *out)
{
    str_add(out, "========= SOFTWARP CHECK (memcheck)\n");
}

void check_report_finding(struct check_report *r, const struct event_finding *f, struct str *out)
{
    r->errors++;
    if (r->most && r->written == r->most) return;
    r->written++;
    const struct event_instr *instr = instr_of(f);
    bool access = f->kind != EVENT_FINDING_FAULT;
    if (f->kind == EVENT_FINDING_FREE)
        str_printf(out, PREFIX "Malloc/Free error encountered : %s of 0x%" PRIx64 "\n",
                   f->freed ? "Double free" : "Invalid pointer to free", f->address);
    else if (access)
        str_printf(out, PREFIX "Invalid __%s__ %s of size %u bytes\n", space_of(f), kind_of(f, instr),
                   f->place.bytes);
    else
        str_printf(out, PREFIX "Launch failed: %s\n", f->message);
    add_where(r, f, instr, out);
    if (access) {
        str_printf(out, PREFIX "    by thread (%u,%u,%u) in block (%u,%u,%u)\n", f->place.thread[0],
                   f->place.thread[1], f->place.thread[2], f->place.block[0], f->place.block[1],
                   f->place.block[2]);
        if (f->message)
            str_printf(out, PREFIX "    Access to %s\n", f->message);
        else if (f->kind != EVENT_FINDING_FREE)
            add_address(f, out);
    }
    str_add(out, PREFIX "\n");
}

void check_report_end(const struct check_report *r, struct str *out)
{
    str_printf(out, PREFIX "ERROR SUMMARY: %" PRIu64 " error%s\n", r->errors, r->errors == 1 ? "" : "s");
    if (r->written < r->errors)
        str_printf(out,
                   PREFIX
                   "ERROR SUMMARY: %" PRIu64
                   " errors were not printed. Use --print-limit option to adjust the number of printed "
                   "errors\n",
                   r->errors - r->written);
}

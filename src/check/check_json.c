/* SPDX-License-Identifier: Apache-2.0 */
/* A report as JSON, schema "softwarp-check/1": docs/check.md says what each member is. Members whose value is
 * not known are absent. Limits: numbers are JSON's; addresses and values are texts, since readers lose bits
 * of integers above 2^53. */
#include "check_priv.h"

#include "base/base_text.h"

#include <inttypes.h>

static void name(const char *member, struct str *out)
{
    str_printf(out, "\"%s\": ", member);
}

static void text(const char *member, const char *value, struct str *out)
{
    if (!value || !*value) return;
    str_add(out, ", ");
    name(member, out);
    report_json_value(report_text(value), out);
}

static void number(const char *member, uint64_t value, struct str *out)
{
    str_add(out, ", ");
    name(member, out);
    report_json_value(report_integer(value), out);
}

static void address(const char *member, uint64_t value, struct str *out)
{
    str_printf(out, ", \"%s\": \"0x%" PRIx64 "\"", member, value);
}

static void flag(const char *member, bool value, struct str *out)
{
    if (value) str_printf(out, ", \"%s\": true", member);
}

static void triple(const char *member, const uint32_t t[3], struct str *out)
{
    str_printf(out, ", \"%s\": [%u, %u, %u]", member, t[0], t[1], t[2]);
}

static void frames(const struct check_place *p, struct str *out)
{
    if (p->frame_count < 2) return;
    str_add(out, ", \"frames\": [");
    for (uint32_t i = 0; i < p->frame_count; i++) {
        str_printf(out, "%s{\"line\": %u", i ? ", " : "", p->frames[i].line);
        text("file", p->frames[i].file, out);
        text("function", p->frames[i].function, out);
        str_add(out, "}");
    }
    str_add(out, "]");
}

static void launch(const struct check_place *p, struct str *out)
{
    const struct event_caller *by = &p->at->launched;
    if (!by->call || !*by->call) return;
    str_add(out, ", \"launch\": {");
    name("call", out);
    report_json_value(report_text(by->call), out);
    text("caller", by->where, out);
    text("function", p->launcher, out);
    str_add(out, "}");
}

static void device(const struct check_place *p, struct str *out)
{
    text("kernel", p->kernel, out);
    text("mangled", p->at->kernel->name, out);
    if (p->at->line) number("ptx_line", p->at->line, out);
    text("instruction", p->instr ? p->instr->text : NULL, out);
    triple("block", p->at->block, out);
    triple("thread", p->at->thread, out);
    launch(p, out);
}

/* ", "NAME": {...}" */
static void place(const char *member, struct check_report *r, const struct check_place *p,
                  struct arena *arena, struct str *out)
{
    if (!p->at || (!p->kernel && !p->at->call && !p->at->where)) return;
    str_printf(out, ",\n    \"%s\": {\"side\": \"%s\"", member, p->kernel ? "device" : "host");
    if (p->kernel) device(p, out);
    text("call", p->at->call, out);
    text("caller", p->kernel ? NULL : p->at->where, out);
    text("file", p->file, out);
    if (*p->file) number("line", p->line, out);
    text("source", check_place_source(r, p), out);
    frames(p, out);
    if (p->at->bytes) {
        text("access", check_access_name(p), out);
        number("bytes", p->at->bytes, out);
    }
    text("value", check_value_text(p, arena), out);
    str_add(out, "}");
}

static void memory(const struct check_group *g, struct str *out)
{
    const struct event_finding *f = g->first;
    bool after;
    if (!f->size) return;
    str_printf(out, ",\n    \"allocation\": {\"base\": \"0x%" PRIx64 "\"", f->base);
    number("bytes", f->size, out);
    text("variable", g->variable, out);
    text("call", f->made, out);
    text("caller", f->where, out);
    flag("freed", f->freed, out);
    uint64_t distance = f->kind == EVENT_FINDING_BOUNDS ? check_distance(f, &after) : 0;
    if (distance) {
        number("distance", distance, out);
        text("direction", after ? "after" : "before", out);
    }
    str_add(out, "}");
}

static void terms(const struct check_formula *f, struct str *out)
{
    static const char *const KINDS[EVENT_TERM_KINDS] = {[EVENT_TERM_LOADED] = "loaded",
                                                        [EVENT_TERM_SET] = "set",
                                                        [EVENT_TERM_COMPUTED] = "computed",
                                                        [EVENT_TERM_TURNS] = "turns"};
    if (!f->term_count) return;
    str_add(out, ", \"terms\": [");
    for (uint32_t i = 0; i < f->term_count; i++) {
        const struct check_term *t = &f->terms[i];
        str_printf(out, "%s{\"kind\": \"%s\"", i ? ", " : "", KINDS[t->kind]);
        text("name", t->name, out);
        text("value", t->value, out);
        if (t->modulo) number("modulo_bits", t->modulo, out);
        text("at", t->at[0], out);
        text("or_at", t->at[1], out);
        text("source", t->source, out);
        str_add(out, "}");
    }
    str_add(out, "]");
}

static void formula(const struct check_group *g, struct str *out)
{
    const struct check_formula *f = g->formula;
    if (!f) return;
    str_add(out, ",\n    \"formula\": {");
    name("address", out);
    report_json_value(report_text(f->address), out);
    text("address_values", f->address_values, out);
    text(f->is_offset ? "offset" : "index", f->index, out);
    text("values", f->index_values, out);
    text("value", f->value, out);
    terms(f, out);
    str_add(out, "}");
}

static void explanations(const struct check_group *g, struct arena *arena, struct str *out)
{
    check_sentences sentences = {0};
    check_explain_memory(g, arena, &sentences);
    check_explain(g, arena, &sentences);
    str_add(out, ",\n    \"explanations\": [");
    for (size_t i = 0; i < sentences.count; i++) {
        str_add(out, i ? ", " : "");
        report_json_value(report_text(sentences.at[i]), out);
    }
    str_add(out, "]");
    vec_release(&sentences);
}

static void lines(const struct check_report *r, const struct check_group *g, struct str *out)
{
    struct str lines = {0};
    check_lines_add(r, g, &lines);
    str_add(out, ",\n    \"text\": ");
    report_json_value(report_text(str_text(&lines)), out);
    str_release(&lines);
}

static void finding(struct check_report *r, const struct check_group *g, struct str *out)
{
    const struct event_finding *f = g->first;
    struct arena arena;
    arena_init(&arena);
    name("kind", out);
    report_json_value(report_text(g->rule->id), out);
    text("tool", check_tool_name(g->rule->tool), out);
    text("level", check_level_name(g->level), out);
    text("title", _(g->rule->title), out);
    text("process", g->process, out);
    number("count", g->count, out);
    str_printf(out, ", \"fingerprint\": \"%016" PRIx64 "\"", check_fingerprint(r, g));
    text("message", f->message, out);
    text("schedule", g->order, out);
    if (f->space != ISA_SPACE_NONE) {
        text("space", check_space_name(f->space), out);
        address("address", f->address, out);
    }
    place("place", r, &g->place, &arena, out);
    place("other", r, &g->other, &arena, out);
    memory(g, out);
    formula(g, out);
    text("threads", check_threads_text(g, &arena), out);
    lines(r, g, out);
    explanations(g, &arena, out);
    arena_release(&arena);
}

void check_write_json(struct check_report *r, const struct check_run *run, struct str *out)
{
    const char *comma = "";
    str_add(out, "{\"schema\": \"softwarp-check/1\"");
    text("softwarp", r->options.version, out);
    str_add(out, ", \"tools\": [");
    for (int t = 0; t < CHECK_TOOL_COUNT; t++) {
        if (!(r->options.tools >> t & 1)) continue;
        str_printf(out, "%s\"%s\"", comma, check_tool_name((enum check_tool)t));
        comma = ", ";
    }
    str_add(out, "]");
    text("race_memory", r->options.race_memory, out);
    str_printf(out, ",\n \"exit_status\": %d, \"complete\": %s", run->exit_status,
               run->complete ? "true" : "false");
    number("errors", r->errors, out);
    number("suppressed", r->suppressed, out);
    str_add(out, ",\n \"findings\": [");
    for (size_t i = 0; i < r->groups.count; i++) {
        str_add(out, i ? ",\n   {" : "\n   {");
        finding(r, r->groups.at[i], out);
        str_add(out, "}");
    }
    str_add(out, "]}\n");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A report as SARIF 2.1.0, which code-review sites show on the lines. One run, one result a group: the place,
 * the other side and the allocation as related locations, and a fingerprint that survives moved lines. Files
 * under the root folder are relative to it, as these sites want; others are absolute. Limits: results whose
 * line is not known have only a logical location, which such sites do not show. Source: OASIS, Static
 * Analysis Results Interchange Format (SARIF) Version 2.1.0. */
#include "check_priv.h"

#include "base/base_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define ROOT_ID "SRCROOT"

static void text(const char *member, const char *value, struct str *out)
{
    str_printf(out, "\"%s\": ", member);
    report_json_value(report_text(value), out);
}

static void message(const char *member, const char *value, struct str *out)
{
    str_printf(out, "\"%s\": {", member);
    text("text", value, out);
    str_add(out, "}");
}

/* Bytes that a path of a URI may hold as they are (RFC 3986, 3.3). */
static void add_uri(const char *path, struct str *out)
{
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (isalnum(c) || strchr("/-._~!$&'()*+,;=:@", c))
            str_add_char(out, (char)c);
        else
            str_printf(out, "%%%02X", c);
    }
}

/* What stands below the root; NULL: it does not. */
static const char *below_root(const struct check_report *r, const char *file)
{
    const char *root = r->options.root;
    size_t length = root ? strlen(root) : 0;
    if (*file != '/') return sw_starts_with(file, "../") ? NULL : file;
    return length > 1 && strncmp(file, root, length) == 0 && file[length] == '/' ? file + length + 1 : NULL;
}

static void artifact(const struct check_report *r, const char *file, struct str *out)
{
    const char *below = below_root(r, file);
    while (below && sw_starts_with(below, "./"))
        below += 2;
    str_printf(out, "\"artifactLocation\": {\"uri\": \"%s", !below && *file == '/' ? "file://" : "");
    add_uri(below ? below : file, out);
    str_printf(out, "\"%s}", below && r->options.root ? ", \"uriBaseId\": \"" ROOT_ID "\"" : "");
}

static void physical(struct check_report *r, const char *file, uint32_t line, uint32_t column,
                     struct str *out)
{
    const char *source = report_source_text(&r->sources, file, line);
    str_add(out, "\"physicalLocation\": {");
    artifact(r, file, out);
    str_printf(out, ", \"region\": {\"startLine\": %u", line);
    if (column) str_printf(out, ", \"startColumn\": %u", column);
    if (source) {
        str_add(out, ", ");
        message("snippet", source, out);
    }
    str_add(out, "}}");
}

static void location(struct check_report *r, const struct check_place *p, struct str *out)
{
    if (*p->file) physical(r, p->file, p->line, p->column, out);
    const char *function = p->kernel ? p->kernel : p->at->call;
    if (!function) return;
    str_add(out, *p->file ? ", \"logicalLocations\": [{" : "\"logicalLocations\": [{");
    text("fullyQualifiedName", function, out);
    str_add(out, ", \"kind\": \"function\"}]");
}

static bool has_location(const struct check_place *p)
{
    return p->at && (*p->file || p->kernel || p->at->call);
}

/* One of relatedLocations; *count: those before it. */
static void related_begin(uint32_t *count, const char *what, struct str *out)
{
    str_printf(out, "%s{\"id\": %u, ", *count ? ", " : "", *count);
    message("message", what, out);
    str_add(out, ", ");
    ++*count;
}

static void related_other(struct check_report *r, const struct check_group *g, uint32_t *count,
                          struct str *out)
{
    if (!has_location(&g->other)) return;
    struct str what = {0};
    str_printf(&what, "%s: ", g->first->kind == EVENT_FINDING_RACE ? check_access_name(&g->other) : "other");
    check_place_add(&g->other, &what);
    related_begin(count, str_text(&what), out);
    location(r, &g->other, out);
    str_add(out, "}");
    str_release(&what);
}

static void related_frames(struct check_report *r, const struct check_group *g, uint32_t *count,
                           struct str *out)
{
    const struct check_place *p = &g->place;
    bool outside = false;
    for (uint32_t i = 0; i < p->frame_count; i++) {
        const struct check_frame *f = &p->frames[i];
        if (!outside && f->line == p->line && strcmp(f->file, p->file) == 0) {
            outside = true;
            continue;
        }
        related_begin(count, outside ? "called from here" : "in this function of a CUDA header", out);
        physical(r, f->file, f->line, f->column, out);
        str_add(out, "}");
    }
}

static void related_allocation(struct check_report *r, const struct check_group *g, uint32_t *count,
                               struct str *out)
{
    const char *file;
    uint32_t line;
    if (g->place.at != &g->first->place || !check_where_split(g->first->where, &r->arena, &file, &line))
        return;
    related_begin(count, "the memory was allocated here", out);
    physical(r, file, line, 0, out);
    str_add(out, "}");
}

static void related_launch(struct check_report *r, const struct check_place *p, uint32_t *count,
                           struct str *out)
{
    const char *file;
    uint32_t line;
    if (!p->at || !p->kernel || !check_where_split(p->at->launched.where, &r->arena, &file, &line)) return;
    related_begin(count, "the kernel was launched here", out);
    physical(r, file, line, 0, out);
    str_add(out, "}");
}

/* compute-sanitizer's lines, then the explanations, one a line. */
static void result_message(const struct check_report *r, const struct check_group *g, struct str *out)
{
    struct arena arena;
    struct str said = {0};
    check_sentences sentences = {0};
    arena_init(&arena);
    check_lines_add(r, g, &said);
    check_explain_memory(g, &arena, &sentences);
    check_explain(g, &arena, &sentences);
    for (size_t i = 0; i < sentences.count; i++)
        str_printf(&said, "%s%s", i ? "\n" : "", sentences.at[i]);
    message("message", str_text(&said), out);
    vec_release(&sentences);
    str_release(&said);
    arena_release(&arena);
}

static const char *sarif_level(enum check_level level)
{
    return level == CHECK_ERROR ? "error" : level == CHECK_WARN ? "warning" : "note";
}

static uint32_t index_of(const struct check_rule *rule)
{
    return (uint32_t)(rule - check_rule_at(0));
}

static void result(struct check_report *r, const struct check_group *g, struct str *out)
{
    uint32_t count = 0;
    str_printf(out,
               "{\"ruleId\": \"%s\", \"ruleIndex\": %u, \"level\": \"%s\", \"occurrenceCount\": %" PRIu64
               ",\n     ",
               g->rule->id, index_of(g->rule), sarif_level(g->level), g->count);
    result_message(r, g, out);
    str_add(out, ",\n     \"locations\": [");
    if (has_location(&g->place)) {
        str_add(out, "{");
        location(r, &g->place, out);
        str_add(out, "}");
    }
    str_add(out, "],\n     \"relatedLocations\": [");
    related_other(r, g, &count, out);
    related_frames(r, g, &count, out);
    related_allocation(r, g, &count, out);
    related_launch(r, &g->place, &count, out);
    str_printf(out, "],\n     \"partialFingerprints\": {\"softwarpFinding/v1\": \"%016" PRIx64 "\"}}",
               check_fingerprint(r, g));
}

static void rule(const struct check_rule *rule, struct str *out)
{
    str_add(out, "{");
    text("id", rule->id, out);
    str_add(out, ", ");
    message("shortDescription", _(rule->title), out);
    str_add(out, ", ");
    message("help", _(rule->change), out);
    str_printf(out, ", \"defaultConfiguration\": {\"level\": \"%s\"}, \"properties\": {\"tags\": [\"%s\"]}}",
               sarif_level(rule->level), check_tool_name(rule->tool));
}

static void driver(const struct check_report *r, struct str *out)
{
    str_add(out, "\"tool\": {\"driver\": {\"name\": \"Softwarp\", ");
    text("version", r->options.version, out);
    str_add(out, ",\n   \"rules\": [");
    for (uint32_t i = 0; i < check_rule_count(); i++) {
        str_add(out, i ? ",\n    " : "\n    ");
        rule(check_rule_at(i), out);
    }
    str_add(out, "]}},\n");
}

static void root(const struct check_report *r, struct str *out)
{
    if (!r->options.root) return;
    str_add(out, "  \"originalUriBaseIds\": {\"" ROOT_ID "\": {\"uri\": \"file://");
    add_uri(r->options.root, out);
    str_printf(out, "%s\"}},\n", sw_ends_with(r->options.root, "/") ? "" : "/");
}

void check_write_sarif(struct check_report *r, const struct check_run *run, struct str *out)
{
    str_add(out, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\",\n"
                 " \"runs\": [{");
    driver(r, out);
    str_printf(out, "  \"invocations\": [{\"executionSuccessful\": %s, \"exitCode\": %d}],\n",
               run->complete ? "true" : "false", run->exit_status);
    root(r, out);
    str_add(out, "  \"columnKind\": \"utf16CodeUnits\",\n  \"results\": [");
    for (size_t i = 0; i < r->groups.count; i++) {
        str_add(out, i ? ",\n    " : "\n    ");
        result(r, r->groups.at[i], out);
    }
    str_add(out, "]}]}\n");
}

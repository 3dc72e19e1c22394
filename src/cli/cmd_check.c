/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp check: run a program, and report what it does wrong, in the words of compute-sanitizer, which
 * people search for, and in forms that programs read. Options are compute-sanitizer's where it has them. */
#include "cli_priv.h"

#include "check/check.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* What can be looked for: by which option, and whether it is there yet. */
static const struct check_part {
    uint32_t check; /* enum event_check */
    enum check_tool tool;
    const char *option;
} PARTS[] = {
    {EVENT_CHECK_MEMORY, CHECK_MEMCHECK, "--tool memcheck"},
    {EVENT_CHECK_CALLS, CHECK_MEMCHECK, "--report-api-errors explicit"},
    {EVENT_CHECK_ALL_CALLS, CHECK_MEMCHECK, "--report-api-errors all"},
    {EVENT_CHECK_LEAKS, CHECK_MEMCHECK, "--leak-check full"},
    {EVENT_CHECK_INIT, CHECK_INITCHECK, "--tool initcheck"},
    {EVENT_CHECK_UNUSED, CHECK_INITCHECK, "--track-unused-memory"},
    {EVENT_CHECK_RACE_SHARED, CHECK_RACECHECK, "--racecheck-memory shared"},
    {EVENT_CHECK_RACE_GLOBAL, CHECK_RACECHECK, "--racecheck-memory global"},
    {EVENT_CHECK_SYNC, CHECK_SYNCCHECK, "--tool synccheck"},
};
enum {
    EXTRA_CHECKS = EVENT_CHECK_LEAKS | EVENT_CHECK_UNUSED, /* by an option of their own */
    CALL_CHECKS = EVENT_CHECK_CALLS | EVENT_CHECK_ALL_CALLS
};

struct request {
    struct cli_run run;
    struct session_options options;
    struct check_options report;
    uint64_t error_code;
    const char *tools, *leaks, *errors, *level, *races, *memory, *language;
    uint32_t calls;                                                  /* of CALL_CHECKS */
    uint32_t memories;                                               /* of EVENT_CHECK_RACE, */
    const char *race_memory;                                         /* in words */
    const char *log, *json, *html, *sarif, *suppressions, *generate; /* files; "-": standard output */
    uint64_t schedules, seed;                                        /* schedules 0: one run, as always */
    bool unused;
    cli_list kernels, without, regexes;
};

/* ---- options */

enum {
    SCHEDULES_MOST = 256
}; /* implementation: what each run recorded stays in memory, and its files open */

static int choose_word(const char *option, const char *value, const char *const words[], size_t count,
                       int *out)
{
    struct str list = {0};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], value) == 0) {
            *out = (int)i;
            str_release(&list);
            return -1;
        }
        str_printf(&list, "%s%s", !i ? "" : i + 1 < count ? ", " : " or ", words[i]);
    }
    int code = cli_fail(CLI_USAGE, "%s is %s, not '%s'", option, str_text(&list), value);
    str_release(&list);
    return code;
}

static int choose_tool(struct request *q, const char *name)
{
    enum { ALL = (1u << CHECK_TOOL_COUNT) - 1 };
    if (strcmp(name, "all") == 0) {
        q->report.tools |= ALL;
        return -1;
    }
    for (int t = 0; t < CHECK_TOOL_COUNT; t++)
        if (strcmp(name, check_tool_name((enum check_tool)t)) == 0) {
            q->report.tools |= 1u << t;
            return -1;
        }
    return cli_fail(
        CLI_USAGE, "there is no tool named '%s': use memcheck, initcheck, racecheck, synccheck or all", name);
}

static int choose_tools(struct request *q, struct arena *arena)
{
    int code = -1;
    for (const char *at = q->tools; code < 0;) {
        size_t length = strcspn(at, ",");
        code = choose_tool(q, arena_strndup(arena, at, length));
        if (!at[length]) break;
        at += length + 1;
    }
    return code;
}

/* From the tools and the options beside them to what the tool library looks for. */
static int choose_checks(struct request *q)
{
    uint32_t extra = (q->report.leaks ? EVENT_CHECK_LEAKS : 0) | (q->unused ? EVENT_CHECK_UNUSED : 0);
    for (size_t i = 0; i < SW_COUNT_OF(PARTS); i++) {
        bool chosen = q->report.tools >> PARTS[i].tool & 1;
        bool wanted = PARTS[i].check & EXTRA_CHECKS ? PARTS[i].check & extra : chosen;
        if (PARTS[i].check & CALL_CHECKS) wanted = chosen && PARTS[i].check & q->calls;
        if (PARTS[i].check & EVENT_CHECK_RACE) wanted = PARTS[i].check & q->memories && (chosen || q->memory);
        if (!wanted) continue;
        if (!chosen)
            return cli_fail(CLI_USAGE, "%s belongs to --tool %s", PARTS[i].option,
                            check_tool_name(PARTS[i].tool));
        q->options.checks |= PARTS[i].check;
    }
    return -1;
}

static int choose_words(struct request *q)
{
    static const char *const LEVELS[] = {"info", "warn", "error"}, *const LEAKS[] = {"full", "no"},
                             *const RACES[] = {"analysis", "hazard", "all"},
                             *const MEMORIES[] = {"all", "shared", "global"},
                             *const ERRORS[] = {"explicit", "all", "no"};
    static const uint32_t CALLS[] = {EVENT_CHECK_CALLS, CALL_CHECKS, 0};
    static const uint32_t SPACES[] = {EVENT_CHECK_RACE, EVENT_CHECK_RACE_SHARED, EVENT_CHECK_RACE_GLOBAL};
    int level = 0, leaks = 0, races = 0, memory = 0, errors = 0;
    int code = choose_word("--print-level", q->level, LEVELS, SW_COUNT_OF(LEVELS), &level);
    if (code < 0) code = choose_word("--leak-check", q->leaks, LEAKS, SW_COUNT_OF(LEAKS), &leaks);
    if (code < 0) code = choose_word("--report-api-errors", q->errors, ERRORS, SW_COUNT_OF(ERRORS), &errors);
    if (code < 0) code = choose_word("--racecheck-report", q->races, RACES, SW_COUNT_OF(RACES), &races);
    if (code < 0 && q->memory)
        code = choose_word("--racecheck-memory", q->memory, MEMORIES, SW_COUNT_OF(MEMORIES), &memory);
    if (code >= 0) return code;
    q->memories = SPACES[memory];
    q->race_memory = MEMORIES[memory];
    q->report.level = (enum check_level)level;
    q->report.leaks = leaks == 0;
    q->calls = CALLS[errors];
    q->report.races = (enum check_races)races;
    return -1;
}

static int choose_kernels(struct request *q, struct arena *arena)
{
    for (size_t i = 0; i < q->regexes.count; i++)
        *vec_push(&q->kernels) = arena_printf(arena, "regex=%s", q->regexes.at[i]);
    int code = cli_kernel_filter("--kernel-name", &q->kernels, arena, &q->options.kernel);
    if (code < 0)
        code = cli_kernel_filter("--kernel-name-exclude", &q->without, arena, &q->options.without_kernel);
    return code;
}

static bool is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static int check_files(const struct request *q)
{
    const char *const files[] = {q->json, q->html, q->sarif, q->generate, q->log};
    uint32_t count = 0;
    for (size_t i = 0; i < SW_COUNT_OF(files); i++)
        count += is_standard(files[i]);
    if (count > 1)
        return cli_fail(CLI_USAGE,
                        "only one of --json, --html, --sarif, --generate-suppressions and --log-file "
                        "can be - (standard output)");
    return -1;
}

static int read_suppressions(struct request *q, struct check_suppressions **out)
{
    struct sw_error error = {0};
    if (!q->suppressions) return -1;
    if (check_suppressions_read(q->suppressions, out, &error) != SW_OK) return cli_fail_error(&error);
    q->report.suppressions = *out;
    return -1;
}

static int check_options(struct request *q, struct arena *arena)
{
    if (q->error_code > 255) return cli_fail(CLI_USAGE, "--error-exitcode is 0 to 255");
    if (q->schedules == 1 || q->schedules > SCHEDULES_MOST)
        return cli_fail(CLI_USAGE, "--schedules is 2 to %d", SCHEDULES_MOST);
    if (q->seed && !q->schedules) return cli_fail(CLI_USAGE, "--seed belongs to --schedules");
    int code = choose_words(q);
    if (code < 0) code = choose_tools(q, arena);
    if (code < 0) code = choose_checks(q);
    if (code < 0) code = choose_kernels(q, arena);
    if (code < 0) code = check_files(q);
    return code < 0 ? cli_language(q->language) : code;
}

/* ---- reports */

static const char *demangle(struct arena *arena, const char *name)
{
    return session_demangle(arena, name);
}

static void add_findings(struct check_report *report, const struct session_data *data, struct arena *arena)
{
    for (uint32_t p = 0; p < data->process_count; p++) {
        const struct session_process *process = &data->processes[p];
        const struct event_finding *findings =
            cli_finding_lines(process->findings, process->finding_count, arena);
        for (uint32_t i = 0; i < process->finding_count; i++)
            check_report_add(report, process->name, &findings[i]);
    }
}

/* What the runs under other schedules found besides, and what the schedule changed. */
static void add_schedules(struct check_report *report, const struct cli_schedules *all, const char *name,
                          struct arena *arena)
{
    for (uint32_t k = 1; k < all->count; k++) {
        check_report_order(report,
                           arena_printf(arena, "schedule %u of %u, seed %" PRIu64, k, all->count, all->seed));
        add_findings(report, session_reader_data(all->runs[k].reader), arena);
    }
    check_report_order(report, NULL);
    const struct event_finding *findings =
        cli_finding_lines(all->findings.at, (uint32_t)all->findings.count, arena);
    for (size_t i = 0; i < all->findings.count; i++)
        check_report_add(report, name, &findings[i]);
}

/* all: NULL, or more runs than the first. */
static struct check_report *collect(struct request *q, const struct session_data *data,
                                    const struct cli_schedules *all, struct arena *arena)
{
    char root[4096];
    q->report.demangle = demangle;
    q->report.version = cli_version();
    q->report.race_memory = q->options.checks & EVENT_CHECK_RACE ? q->race_memory : NULL;
    q->report.root = getcwd(root, sizeof root) ? arena_strdup(arena, root) : NULL;
    struct check_report *report = check_report_new(&q->report);
    add_findings(report, data, arena);
    if (all) add_schedules(report, all, data->process_count ? data->processes[0].name : "", arena);
    return report;
}

static bool is_complete(const struct session_data *data)
{
    for (uint32_t p = 0; p < data->process_count; p++)
        if (!data->processes[p].finished || data->processes[p].refusal_count) return false;
    return data->process_count > 0;
}

enum form { FORM_JSON, FORM_HTML, FORM_SARIF, FORM_SUPPRESSIONS, FORM_TEXT };

/* code, or why the file cannot be written. */
static int write_form(enum form form, const char *path, struct check_report *report,
                      const struct check_run *run, int code)
{
    struct cli_output out = {.path = is_standard(path) ? NULL : path};
    switch (form) {
    case FORM_JSON: check_write_json(report, run, &out.text); break;
    case FORM_HTML: check_write_html(report, &out.text); break;
    case FORM_SARIF: check_write_sarif(report, run, &out.text); break;
    case FORM_SUPPRESSIONS: check_write_suppressions(report, &out.text); break;
    case FORM_TEXT: check_write_text(report, run, &out.text); break;
    }
    int written = cli_output_finish(&out);
    return code ? code : written;
}

/* The forms that were asked for; text unless another has standard output. */
static int write_forms(const struct request *q, struct check_report *report, const struct check_run *run)
{
    const char *const files[] = {q->json, q->html, q->sarif, q->generate};
    bool taken = false;
    int code = CLI_OK;
    for (int i = 0; i < FORM_TEXT; i++) {
        taken |= is_standard(files[i]);
        if (files[i]) code = write_form((enum form)i, files[i], report, run, code);
    }
    return q->log || !taken ? write_form(FORM_TEXT, q->log, report, run, code) : code;
}

/* Kernels were to be chosen, and none was. */
static bool chose_none(const struct request *q, const struct session_data *data)
{
    uint64_t chosen = 0;
    for (uint32_t p = 0; p < data->process_count; p++) {
        if (!data->processes[p].finished) return false; /* how many there were is not known */
        chosen += data->processes[p].chosen;
    }
    const struct session_options *o = &q->options;
    return !chosen && (o->kernel || o->without_kernel || o->skip || o->count);
}

static int fail_if_nothing(const struct request *q, const struct session_data *data)
{
    if (!data->process_count)
        return cli_fail(CLI_UNSUPPORTED, "nothing was checked: the program did not use CUDA, or not through "
                                         "libcuda or libcudart");
    if (!chose_none(q, data)) return CLI_OK;
    return cli_fail(CLI_UNSUPPORTED, "no kernel was checked: none was launched that the options choose");
}

static int report_of(struct request *q, const struct session_reader *reader, int code,
                     const struct cli_schedules *all, struct arena *arena)
{
    const struct session_data *data = session_reader_data(reader);
    struct check_report *report = collect(q, data, all, arena);
    struct check_run run = {.exit_status = code, .complete = is_complete(data)};
    bool found = check_report_errors(report) > 0;
    int written = write_forms(q, report, &run);
    check_report_free(report);
    cli_say_abnormal(data);
    code = cli_conclude_report(code, reader);
    if (!code) code = fail_if_nothing(q, data);
    if (found) code = (int)q->error_code;
    return code ? code : written;
}

static int check_once(struct request *q, struct arena *arena)
{
    struct session_reader *reader;
    bool ran;
    int code = cli_run_program(&q->run, arena, &reader, &ran);
    if (ran && reader) code = report_of(q, reader, code, NULL, arena);
    session_close(reader);
    return code;
}

static int check_schedules(struct request *q, struct arena *arena)
{
    struct cli_schedules all = {.run = &q->run, .count = (uint32_t)q->schedules, .seed = q->seed};
    int code = cli_schedules_run(&all, arena);
    if (code == CLI_OK) code = report_of(q, all.runs[0].reader, all.runs[0].status, &all, arena);
    cli_schedules_release(&all);
    return code;
}

static int check_program(struct request *q, struct arena *arena)
{
    struct check_suppressions *suppressions = NULL;
    int code = read_suppressions(q, &suppressions);
    if (code >= 0) return code;
    q->run.any_target = q->options.any_target = true;
    q->run.options = &q->options;
    code = q->schedules ? check_schedules(q, arena) : check_once(q, arena);
    check_suppressions_free(suppressions);
    return code;
}

static int parse(const struct cli_command *self, int argc, char **argv, struct request *q)
{
    const struct cli_option table[] = {
        {"--device", 0, CLI_TEXT, &q->run.device, "GPU",
         "GPU to simulate (softwarp devices lists them); default h200"},
        {"--tool", 0, CLI_TEXT, &q->tools, "LIST",
         "memcheck (default), initcheck, racecheck, synccheck, or all; several by commas"},
        {"--leak-check", 0, CLI_TEXT, &q->leaks, "MODE", "memory that is never freed: full, or no (default)"},
        {"--report-api-errors", 0, CLI_TEXT, &q->errors, "MODE",
         "CUDA calls that fail: explicit (default: not those that ask for something), all, or no"},
        {"--track-unused-memory", 0, CLI_FLAG, &q->unused, NULL,
         "initcheck: allocations that nobody accesses"},
        {"--racecheck-report", 0, CLI_TEXT, &q->races, "FORM", "races: analysis (default), hazard or all"},
        {"--racecheck-memory", 0, CLI_TEXT, &q->memory, "SPACE",
         "races in memory that is shared, global, or all (default); shared alone costs least"},
        {"--schedules", 0, CLI_NUMBER, &q->schedules, "N",
         "run the program under N orders of blocks and warps, and say which one changes its results"},
        {"--seed", 0, CLI_NUMBER, &q->seed, "N", "which orders those are, from the third on; default 0"},
        {"--kernel-name", 0, CLI_LIST, &q->kernels, "FILTER",
         "check only these kernels: kne=NAME, kns=PART or regex=EXPRESSION; may be repeated"},
        {"--kernel-name-exclude", 0, CLI_LIST, &q->without, "FILTER", "do not check these kernels"},
        {"--kernel-regex", 'k', CLI_LIST, &q->regexes, "REGEX", "check only kernels whose name matches"},
        {"--launch-skip", 's', CLI_NUMBER, &q->options.skip, "N",
         "skip the first N launches of these kernels"},
        {"--launch-count", 'c', CLI_NUMBER, &q->options.count, "N", "then check N launches"},
        {"--error-exitcode", 0, CLI_NUMBER, &q->error_code, "N",
         "exit status when something was found; default 4"},
        {"--print-limit", 0, CLI_NUMBER, &q->report.most, "N",
         "text: report so many findings at most; default 100; 0: all"},
        {"--print-level", 0, CLI_TEXT, &q->level, "LEVEL",
         "leave out findings below info, warn (default) or error"},
        {"--print-each", 0, CLI_FLAG, &q->report.each, NULL,
         "report each thread's error by itself, as compute-sanitizer does"},
        {"--suppressions", 0, CLI_TEXT, &q->suppressions, "FILE",
         "leave out the findings that FILE describes"},
        {"--generate-suppressions", 0, CLI_TEXT, &q->generate, "FILE",
         "write such a file for what was found"},
        {"--json", 0, CLI_TEXT, &q->json, "FILE", "write JSON, too; - is standard output, also below"},
        {"--html", 0, CLI_TEXT, &q->html, "FILE", "write one self-contained HTML file"},
        {"--sarif", 0, CLI_TEXT, &q->sarif, "FILE", "write SARIF 2.1.0, for code-review sites"},
        {"--log-file", 'o', CLI_TEXT, &q->log, "FILE", "write the text there, not to standard output"},
        {"--lang", 0, CLI_TEXT, &q->language, "LANG", "en or zh; default by LC_ALL, LC_MESSAGES, LANG"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    q->run.argv = argv + rest;
    return -1;
}

int cmd_check(const struct cli_command *self, int argc, char **argv)
{
    struct request q = {
        .tools = "memcheck", .leaks = "no", .errors = "explicit", .level = "warn", .races = "analysis"};
    struct arena arena;
    q.error_code = CLI_CHECK;
    q.report.most = 100;
    arena_init(&arena);
    int code = parse(self, argc, argv, &q);
    if (code < 0) code = check_options(&q, &arena);
    if (code < 0 && !*q.run.argv)
        code = cli_fail(CLI_USAGE, "no program given: softwarp check [options] PROGRAM [ARGS...]");
    if (code < 0) code = check_program(&q, &arena);
    vec_release(&q.kernels);
    vec_release(&q.without);
    vec_release(&q.regexes);
    arena_release(&arena);
    return code;
}

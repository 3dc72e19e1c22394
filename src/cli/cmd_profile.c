/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp profile: run a program with counters, then print what the chosen GPU would have counted. */
#include "cli_priv.h"

#include "arch/arch_machine.h"
#include "event/event_kernel.h"
#include "prof/prof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_COLUMNS = 60 }; /* sentences are not broken shorter */

struct request {
    const char *language;
    struct cli_run run;
    struct session_options options;
    const char *metrics, *set, *page, *html, *output, *summary, *source, *order, *cache_control, *sample;
    const char *kernel_id, *kill, *rename;
    cli_list include, exclude; /* of --nvtx-include, --nvtx-exclude */
    bool csv, json, nvtx, renames;
    struct prof_pages_options pages;
    uint32_t *chosen; /* metrics, prof_metric_count() elements */
    uint32_t chosen_count;
};

static int choose_named(struct request *q, struct arena *arena)
{
    for (const char *at = q->metrics; *at;) {
        size_t length = strcspn(at, ",");
        const char *name = arena_strndup(arena, at, length);
        int index = prof_metric_find(name);
        if (index < 0 && prof_metric_lacks(name))
            return cli_fail(CLI_UNSUPPORTED, "metric '%s' is not available yet: this version lacks %s", name,
                            prof_metric_lacks(name));
        if (index < 0)
            return cli_fail(CLI_USAGE,
                            "there is no metric named '%s': softwarp profile --page raw lists the metrics",
                            name);
        bool twice = false;
        for (uint32_t i = 0; i < q->chosen_count; i++)
            twice |= q->chosen[i] == (uint32_t)index;
        if (!twice) q->chosen[q->chosen_count++] = (uint32_t)index;
        at += length + (at[length] == ',');
    }
    return -1;
}

static int choose_metrics(struct request *q, struct arena *arena)
{
    q->chosen = ARENA_ARRAY(arena, uint32_t, prof_metric_count());
    if (q->metrics && q->set) return cli_fail(CLI_USAGE, "--metrics and --set exclude each other");
    if (q->metrics) return choose_named(q, arena);
    bool basic = q->set && strcmp(q->set, "basic") == 0;
    if (q->set && !basic && strcmp(q->set, "full") != 0)
        return cli_fail(CLI_USAGE, "there is no set named '%s': use basic or full", q->set);
    for (uint32_t i = 0; i < prof_metric_count(); i++)
        if (!basic || prof_metric_at(i)->basic) q->chosen[q->chosen_count++] = i;
    return -1;
}

/* One of two or three words; *index: which. */
static int choose_word(const char *option, const char *word, const char *const *words, int count, int *index)
{
    struct str list = {0};
    for (*index = 0; *index < count; ++*index) {
        if (strcmp(word, words[*index]) == 0) break;
        str_printf(&list, "%s%s", *index ? ", " : "", words[*index]);
    }
    int code = *index < count ? -1
                              : cli_fail(CLI_USAGE, "'%s' is not a value of %s: use one of %s", word, option,
                                         str_text(&list));
    str_release(&list);
    return code;
}

/* A file is as wide as COLUMNS says, too, but not as a terminal that it is not written to. */
static uint32_t choose_width(const char *output)
{
    uint32_t columns = cli_columns(output ? -1 : STDOUT_FILENO);
    if (!columns) return PROF_WIDTH;
    return columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns;
}

/* How the pages are laid out. Text sums launches up and puts the hottest lines first; CSV is for scripts. */
static int choose_layout(struct request *q)
{
    static const char *const PAGES[] = {"details", "raw", "source", "advice"},
                             *const SUMMARIES[] = {"none", "per-kernel"},
                             *const SOURCES[] = {"cuda", "ptx", "cuda,ptx"},
                             *const ORDERS[] = {"hot", "file"};
    int page, summary, source, order;
    int code = choose_word("--page", q->page, PAGES, SW_COUNT_OF(PAGES), &page);
    if (code < 0)
        code = choose_word("--print-summary",
                           q->summary ? q->summary
                           : q->csv   ? "none"
                                      : "per-kernel",
                           SUMMARIES, SW_COUNT_OF(SUMMARIES), &summary);
    if (code < 0) code = choose_word("--print-source", q->source, SOURCES, SW_COUNT_OF(SOURCES), &source);
    if (code < 0)
        code = choose_word("--order",
                           q->order ? q->order
                           : q->csv ? "file"
                                    : "hot",
                           ORDERS, SW_COUNT_OF(ORDERS), &order);
    if (code >= 0) return code;
    q->pages.page = (enum prof_page)page;
    q->pages.format = q->csv ? PROF_CSV : q->json ? PROF_JSON : q->html ? PROF_HTML : PROF_TEXT;
    q->pages.summary = summary == 1;
    if (q->summary && (q->json || q->html || page == PROF_PAGE_RAW || (q->csv && page == PROF_PAGE_SOURCE)))
        return cli_fail(CLI_USAGE, "--print-summary applies to the details page and to the source page as "
                                   "text: JSON and HTML contain both forms, other pages list each launch");
    q->pages.nvtx_columns = q->nvtx;
    q->pages.instructions = source > 0;
    q->pages.only_instructions = source == 1;
    q->pages.file_order = order == 1;
    q->pages.colours = !q->output && cli_is_terminal(STDOUT_FILENO);
    q->pages.width = choose_width(q->output);
    q->pages.version = cli_version();
    return -1;
}

static int choose_sample(struct request *q)
{
    static const char *const SHARES[] = {"auto", "1", "2", "4", "8", "16"}; /* as session_options.sample */
    int share, code = choose_word("--sample", q->sample, SHARES, SW_COUNT_OF(SHARES), &share);
    q->options.sample = (uint32_t)share;
    return code;
}

static int choose_launches(struct request *q)
{
    static const char *const ANSWERS[] = {"no", "yes"};
    int kill, code = choose_word("--kill", q->kill, ANSWERS, SW_COUNT_OF(ANSWERS), &kill);
    if (code >= 0) return code;
    if (kill && !q->options.count)
        return cli_fail(CLI_USAGE, "--kill yes needs a number of launches: add -c COUNT");
    if (q->kernel_id && q->options.kernel)
        return cli_fail(CLI_USAGE, "-k and --kernel-id exclude each other: put the name into the identifier");
    q->options.kill = kill == 1;
    q->options.kernel_id = q->kernel_id != NULL;
    return -1;
}

static int check_expressions(const cli_list *list, const char *option, struct session_texts *out)
{
    struct sw_error error = {0};
    *out = (struct session_texts){list->at, (uint32_t)list->count};
    for (size_t i = 0; i < list->count; i++)
        if (session_nvtx_check(list->at[i], &error) != SW_OK)
            return cli_fail(CLI_USAGE, "%s %s", option, error.message);
    return -1;
}

static int choose_ranges(struct request *q)
{
    static const char *const RENAMES[] = {"none", "kernel"};
    int rename, code = choose_word("--print-nvtx-rename", q->rename, RENAMES, SW_COUNT_OF(RENAMES), &rename);
    q->renames = rename == 1;
    if (code < 0) code = check_expressions(&q->include, "--nvtx-include", &q->options.nvtx_include);
    if (code < 0) code = check_expressions(&q->exclude, "--nvtx-exclude", &q->options.nvtx_exclude);
    bool wants = q->nvtx || q->include.count || q->exclude.count || q->renames;
    if (code < 0 && wants && getenv("NVTX_INJECTION64_PATH"))
        cli_say("NVTX_INJECTION64_PATH is set: ranges go to that tool, and the report does not see them");
    return code;
}

static int check_options(struct request *q)
{
    if (q->language && strcmp(q->language, "en") != 0 && strcmp(q->language, "zh") != 0)
        return cli_fail(CLI_USAGE, "there is no language named '%s': use en or zh", q->language);
    if (q->csv + q->json + (q->html != NULL) > 1)
        return cli_fail(CLI_USAGE, "--csv, --json and --html exclude each other");
    if (q->html && q->output)
        return cli_fail(CLI_USAGE, "--html already names the output file: leave out --output");
    if (q->html) q->output = q->html;
    int code = choose_layout(q);
    if (code < 0 && strcmp(q->cache_control, "all") != 0 && strcmp(q->cache_control, "none") != 0)
        return cli_fail(CLI_USAGE, "there is no cache control named '%s': use all or none", q->cache_control);
    if (code < 0) code = choose_sample(q);
    if (code < 0) code = choose_launches(q);
    if (code < 0) code = choose_ranges(q);
    if (code >= 0 || !q->options.kernel) return code;
    if (!cli_is_regex(q->options.kernel))
        return cli_fail(CLI_USAGE, "'%s' is not a regular expression", q->options.kernel);
    return -1;
}

/* One GPU of the list: its rules must be known and, since one process counts with one set of rules, those of
 * the first. */
static int check_gpu(const struct arch_device *device, const struct arch_cc *first)
{
    const struct arch_cc *cc = device->cc;
    if (first->load_segment != cc->load_segment || first->store_segment != cc->store_segment)
        return cli_fail(
            CLI_UNSUPPORTED,
            "profile cannot mix GPUs that count memory accesses differently: leave out %s, or profile "
            "it alone",
            device->gpu.full_name);
    return -1;
}

static int check_gpus(const struct request *q)
{
    struct arch_device devices[ARCH_DEVICES];
    struct sw_error error = {0};
    uint32_t count;
    const char *list = q->run.device ? q->run.device : getenv("SOFTWARP_DEVICE");
    if (arch_machine_load(list, devices, &count, &error) != SW_OK) return cli_fail_error(&error);
    int code = -1;
    for (uint32_t i = 0; i < count && code < 0; i++)
        code = check_gpu(&devices[i], devices[0].cc);
    return code;
}

/* Walking over the launches: each becomes a prof_launch and goes to the pages. */
struct walk {
    struct prof_pages *pages;
    struct cli_output *output; /* NULL: the first walk, which only sees */
    struct arena *arena;       /* GPUs and names of kernels */
    struct map gpus, names;
    struct cli_progress *progress;
    bool renames; /* kernels are named by ranges of NVTX */
};

static enum sw_status gpu_of(struct walk *walk, const char *name, const struct arch_gpu **out,
                             struct sw_error *error)
{
    struct arch_gpu *gpu = map_get(&walk->gpus, name);
    if (!gpu) {
        gpu = ARENA_NEW(walk->arena, struct arch_gpu);
        enum sw_status status = arch_gpu_load(name, gpu, error);
        if (status != SW_OK) return status;
        map_set(&walk->gpus, arena_strdup(walk->arena, name), gpu);
    }
    *out = gpu;
    return SW_OK;
}

static const char *profile_name_of(struct walk *walk, const struct event_launch *launch)
{
    const struct event_kernel *kernel = launch->kernel;
    const char *name = walk->renames ? prof_launch_innermost(launch) : NULL;
    if (name) return name;
    name = map_get_u64(&walk->names, (uintptr_t)kernel);
    if (name) return name;
    name = session_demangle(walk->arena, kernel->name);
    map_set_u64(&walk->names, (uintptr_t)kernel, (void *)name);
    return name;
}

static enum sw_status profile_visit(void *user, const struct session_process *process,
                                    const struct event_launch *l, struct sw_error *error)
{
    struct walk *walk = user;
    const struct arch_gpu *gpu;
    enum sw_status status = gpu_of(walk, l->gpu, &gpu, error);
    if (status != SW_OK) return status;
    const struct arch_cc *cc = arch_cc_find(gpu->cc_major, gpu->cc_minor);
    if (!cc)
        return sw_fail(error, SW_UNSUPPORTED, "compute capability %u.%u is not known", gpu->cc_major,
                       gpu->cc_minor);
    struct prof_launch launch;
    prof_launch_init(&launch, l, process->name, profile_name_of(walk, l), gpu, cc);
    cli_progress_step(walk->progress);
    if (!walk->output) {
        prof_pages_see(walk->pages, &launch);
        return SW_OK;
    }
    prof_pages_launch(walk->pages, &launch, &walk->output->text);
    cli_output_flush(walk->output);
    return SW_OK;
}

/* Processes without a device of the catalogue did nothing that advice is about. */
static void add_processes(struct walk *walk, struct session_reader *reader)
{
    const struct session_data *data = session_reader_data(reader);
    for (uint32_t i = 0; i < data->process_count; i++) {
        const struct session_process *p = &data->processes[i];
        struct prof_process process = {p->name, NULL,
                                       cli_operation_lines(p->operations, p->operation_count, walk->arena),
                                       p->operation_count};
        if (*p->gpu && gpu_of(walk, p->gpu, &process.gpu, NULL) == SW_OK)
            prof_pages_process(walk->pages, &process);
    }
}

/* How the program and its processes ended, for the report. */
static const struct prof_run *run_of(int exit_status, const struct session_data *data, struct arena *arena)
{
    struct prof_run *run = ARENA_NEW(arena, struct prof_run);
    struct prof_process_end *ends = ARENA_ARRAY(arena, struct prof_process_end, data->process_count + 1);
    for (uint32_t p = 0; p < data->process_count; p++) {
        ends[p] = (struct prof_process_end){data->processes[p].name, data->processes[p].finished};
        if (!exit_status && data->processes[p].refusal_count) exit_status = CLI_UNSUPPORTED;
    }
    *run = (struct prof_run){exit_status, ends, data->process_count};
    return run;
}

static int write_pages(struct walk *walk, struct session_reader *reader, struct cli_output *output)
{
    struct sw_error error = {0};
    if (session_each_launch(reader, profile_visit, walk, &error) != SW_OK) return cli_fail_error(&error);
    walk->output = output;
    add_processes(walk, reader);
    prof_pages_begin(walk->pages, &output->text);
    if (session_each_launch(reader, profile_visit, walk, &error) != SW_OK) {
        cli_output_discard(output);
        return cli_fail_error(&error);
    }
    prof_pages_end(walk->pages, &output->text);
    return cli_output_finish(output);
}

static void say_none_profiled(const struct request *q, const struct session_data *data)
{
    if (!data->process_count)
        cli_say("no kernel was profiled: the program did not use CUDA, or not through libcuda or libcudart");
    else if (q->include.count || q->exclude.count)
        cli_say("no kernel was profiled: none was launched in the ranges that --nvtx-include and "
                "--nvtx-exclude choose%s%s",
                q->options.kernel ? ", of a kernel that was asked for" : "",
                q->options.skip ? ", after the launches that -s skips" : "");
    else if (q->kernel_id)
        cli_say("no kernel was profiled: no launch matches --kernel-id '%s'%s", q->kernel_id,
                q->options.skip ? " after the launches that -s skips" : "");
    else if (q->options.kernel)
        cli_say("no kernel was profiled: none was launched whose demangled name matches -k '%s'%s",
                q->options.kernel, q->options.skip ? " after the launches that -s skips" : "");
    else if (q->options.skip)
        cli_say("no kernel was profiled: -s skips the first %" PRIu64
                " launches, and there were no more; use a smaller number",
                q->options.skip);
    else
        cli_say("no kernel was profiled: the program launched none");
}

static uint64_t count_launches(const struct request *q, const struct session_data *data)
{
    uint64_t count = 0;
    for (uint32_t p = 0; p < data->process_count; p++)
        count += data->processes[p].launch_count;
    cli_say_abnormal(data);
    if (!count && !cli_is_cut(data)) say_none_profiled(q, data);
    return count;
}

/* Without kernels there is still what the host did. */
static bool tells_of_host(const struct request *q, const struct session_data *data)
{
    bool operations = false;
    for (uint32_t p = 0; p < data->process_count; p++)
        operations |= data->processes[p].operation_count != 0;
    if (q->pages.format == PROF_JSON) return true; /* so that it is JSON */
    if (q->pages.format == PROF_HTML || q->pages.page == PROF_PAGE_ADVICE) return operations;
    return operations && q->pages.page == PROF_PAGE_DETAILS && q->pages.format == PROF_TEXT;
}

static int profile_report(struct request *q, struct session_reader *reader, struct arena *arena)
{
    int spoken = cli_language(q->language);
    if (spoken >= 0) return spoken;
    struct cli_output output = {.path = q->output};
    uint64_t count = count_launches(q, session_reader_data(reader));
    if (!count && !tells_of_host(q, session_reader_data(reader))) return cli_output_finish(&output);
    struct cli_progress progress;
    cli_progress_begin(&progress, "report", 2 * count);
    q->pages.selection = (struct prof_selection){q->chosen, q->chosen_count, q->metrics != NULL};
    struct walk walk = {
        .pages = prof_pages_new(&q->pages), .arena = arena, .progress = &progress, .renames = q->renames};
    int code = write_pages(&walk, reader, &output);
    cli_progress_end(&progress);
    prof_pages_free(walk.pages);
    map_release(&walk.gpus);
    map_release(&walk.names);
    return code;
}

/* Does anything that is shown come from the models of caches and time? What a launch is modelled to get
 * ("launch__") does not. */
static bool wants_memory(const struct request *q)
{
    if (!q->metrics) return !q->set || strcmp(q->set, "full") == 0;
    for (uint32_t i = 0; i < q->chosen_count; i++) {
        const struct prof_metric *metric = prof_metric_at(q->chosen[i]);
        if (metric->label == PROF_MODELLED && !sw_starts_with(metric->ncu, "launch__")) return true;
    }
    return false;
}

static int profile(struct request *q, struct arena *arena)
{
    struct session_reader *reader;
    bool ran;
    int code = choose_metrics(q, arena);
    if (code < 0 && q->kernel_id)
        code = cli_kernel_id(q->kernel_id, arena, &q->options.kernel, &q->options.invocation);
    if (code < 0) code = check_gpus(q);
    if (code >= 0) return code;
    q->run.any_target = true;
    q->options.detail = q->options.any_target = true;
    q->options.memory = wants_memory(q);
    q->options.keep_caches = strcmp(q->cache_control, "none") == 0;
    q->run.options = &q->options;
    code = cli_run_program(&q->run, arena, &reader, &ran);
    if (!ran || !reader) return code;
    q->pages.run = run_of(code, session_reader_data(reader), arena);
    int printed = profile_report(q, reader, arena);
    code = cli_conclude_report(code, reader);
    session_close(reader);
    return code ? code : printed;
}

int cmd_profile(const struct cli_command *self, int argc, char **argv)
{
    struct request q = {.page = "details",
                        .source = "cuda",
                        .cache_control = "all",
                        .sample = "auto",
                        .kill = "no",
                        .rename = "none"};
    const struct cli_option table[] = {
        {"--device", 0, CLI_TEXT, &q.run.device, "GPU",
         "GPU to simulate (softwarp devices lists them); default h200"},
        {"--kernel", 'k', CLI_TEXT, &q.options.kernel, "REGEX",
         "profile only kernels whose demangled name matches"},
        {"--kernel-id", 0, CLI_TEXT, &q.kernel_id, "ID",
         "profile only launches that ::NAME:INVOCATION matches, as in ncu"},
        {"--launch-skip", 's', CLI_NUMBER, &q.options.skip, "SKIP",
         "skip the first SKIP launches of these kernels"},
        {"--launch-count", 'c', CLI_NUMBER, &q.options.count, "COUNT", "then profile COUNT launches"},
        {"--kill", 0, CLI_TEXT, &q.kill, "WHEN",
         "yes: end the program when -c launches have been profiled; no (the default)"},
        {"--nvtx-include", 0, CLI_LIST, &q.include, "RANGES",
         "profile only launches in these NVTX ranges: 'A/', 'DOMAIN@A/*/B', '[A', 'A]', 'A,B' as ncu"},
        {"--nvtx-exclude", 0, CLI_LIST, &q.exclude, "RANGES", "do not profile launches in these NVTX ranges"},
        {"--nvtx", 0, CLI_FLAG, &q.nvtx, NULL, "CSV: with ncu's columns of NVTX ranges"},
        {"--print-nvtx-rename", 0, CLI_TEXT, &q.rename, "MODE",
         "kernel (name kernels by the innermost pushed NVTX range) or none (the default)"},
        {"--metrics", 0, CLI_TEXT, &q.metrics, "LIST", "names of ncu or nvprof, separated by commas"},
        {"--set", 0, CLI_TEXT, &q.set, "NAME", "basic or full (the default)"},
        {"--cache-control", 0, CLI_TEXT, &q.cache_control, "WHEN",
         "flush the caches before each launch: all (the default) or none"},
        {"--sample", 0, CLI_TEXT, &q.sample, "N",
         "caches: simulate one multiprocessor in N (1, 2, 4, 8, 16); auto (the default): by the launch's "
         "size"},
        {"--csv", 0, CLI_FLAG, &q.csv, NULL,
         "as CSV; with --page raw as ncu --csv --page raw --print-units base"},
        {"--json", 0, CLI_FLAG, &q.json, NULL, "as JSON"},
        {"--html", 0, CLI_TEXT, &q.html, "FILE", "write one self-contained HTML file"},
        {"--page", 0, CLI_TEXT, &q.page, "PAGE", "details (the default), raw, source or advice"},
        {"--print-summary", 0, CLI_TEXT, &q.summary, "MODE",
         "per-kernel (combine launches of a kernel; default for text) or none"},
        {"--print-source", 0, CLI_TEXT, &q.source, "VIEW",
         "source page: cuda (the default), ptx or cuda,ptx"},
        {"--order", 0, CLI_TEXT, &q.order, "ORDER", "source page: hot (the default for text) or file"},
        {"--lang", 0, CLI_TEXT, &q.language, "LANG", "en or zh; default by LC_ALL, LC_MESSAGES, LANG"},
        {"--output", 'o', CLI_TEXT, &q.output, "FILE", "write the report there, not to standard output"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code < 0) code = check_options(&q);
    if (code >= 0) return code;
    if (rest == argc)
        return cli_fail(CLI_USAGE, "no program given: softwarp profile [options] PROGRAM [ARGS...]");
    q.run.argv = argv + rest;
    struct arena arena;
    arena_init(&arena);
    code = profile(&q, &arena);
    arena_release(&arena);
    vec_release(&q.include);
    vec_release(&q.exclude);
    return code;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp profile: run a program with counters, then print what the chosen GPU would have counted. */
#include "cli_priv.h"

#include "arch/arch.h"
#include "prof/prof.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct cli_run run;
    struct session_options options;
    const char *metrics, *set, *page, *html, *output;
    bool csv, json;
    uint32_t *chosen; /* metrics, prof_metric_count() of room */
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
            return cli_fail(
                CLI_USAGE, "no metric is called '%s' here: softwarp profile --page raw shows those there are",
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
        return cli_fail(CLI_USAGE, "no set is called '%s': basic or full", q->set);
    for (uint32_t i = 0; i < prof_metric_count(); i++)
        if (!basic || prof_metric_at(i)->basic) q->chosen[q->chosen_count++] = i;
    return -1;
}

static int check_options(const struct request *q)
{
    regex_t expression;
    const char *page = q->page;
    if (q->html) return cli_fail(CLI_UNSUPPORTED, "--html is not available yet: use --json, --csv or text");
    if (q->csv && q->json) return cli_fail(CLI_USAGE, "--csv and --json exclude each other");
    if (strcmp(page, "details") != 0 && strcmp(page, "raw") != 0 && strcmp(page, "source") != 0)
        return cli_fail(CLI_USAGE, "no page is called '%s': details, raw or source", page);
    if (!q->options.kernel) return -1;
    if (regcomp(&expression, q->options.kernel, REG_EXTENDED | REG_NOSUB) != 0)
        return cli_fail(CLI_USAGE, "'%s' is not a regular expression", q->options.kernel);
    regfree(&expression);
    return -1;
}

/* One GPU of the list: its rules must be known and, since one process counts with one set of rules, those of
 * the first. */
static int check_gpu(const char *name, const struct arch_cc **first)
{
    struct sw_error error = {0};
    struct arch_gpu gpu;
    if (arch_gpu_load(name, &gpu, &error) != SW_OK) return cli_fail_error(&error);
    const struct arch_cc *cc = arch_cc_find(gpu.cc_major, gpu.cc_minor);
    if (!cc || cc->major < 2)
        return cli_fail(CLI_UNSUPPORTED,
                        "profile does not know the memory rules of compute capability %u.%u (%s): use run, "
                        "occupancy, or a newer GPU",
                        gpu.cc_major, gpu.cc_minor, gpu.full_name);
    if (*first &&
        ((*first)->load_segment != cc->load_segment || (*first)->store_segment != cc->store_segment))
        return cli_fail(
            CLI_UNSUPPORTED,
            "profile cannot mix GPUs that count memory accesses differently: leave out %s, or profile "
            "it alone",
            gpu.full_name);
    *first = cc;
    return -1;
}

static int check_gpus(const struct request *q, struct arena *arena)
{
    const char *list = q->run.device ? q->run.device : getenv("SOFTWARP_DEVICE");
    const struct arch_cc *first = NULL;
    int code = -1;
    while (list && *list && code < 0) {
        code = check_gpu(arena_strndup(arena, list, strcspn(list, ",:")), &first);
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return code;
}

/* Launches of all processes, with their GPUs. */
static int collect(const struct session_data *data, struct arena *arena, struct prof_launch **out,
                   uint32_t *count)
{
    uint32_t all = 0, n = 0;
    for (uint32_t p = 0; p < data->process_count; p++)
        all += data->processes[p].launch_count;
    struct prof_launch *launches = ARENA_ARRAY(arena, struct prof_launch, all + 1);
    for (uint32_t p = 0; p < data->process_count; p++)
        for (uint32_t i = 0; i < data->processes[p].launch_count; i++) {
            const struct event_launch *l = &data->processes[p].launches[i];
            struct arch_gpu *gpu = ARENA_NEW(arena, struct arch_gpu);
            struct sw_error error = {0};
            if (arch_gpu_load(l->gpu, gpu, &error) != SW_OK) return cli_fail_error(&error);
            const struct arch_cc *cc = arch_cc_find(gpu->cc_major, gpu->cc_minor);
            if (!cc)
                return cli_fail(CLI_UNSUPPORTED, "compute capability %u.%u is not known", gpu->cc_major,
                                gpu->cc_minor);
            prof_launch_init(&launches[n++], l, data->processes[p].name,
                             session_demangle(arena, l->kernel->name), gpu, cc);
        }
    *out = launches;
    *count = n;
    return CLI_OK;
}

static void print_table(const struct request *q, struct report_table *table, bool units, struct str *out)
{
    if (q->csv)
        report_table_csv(table, units, out);
    else if (q->json)
        report_table_json(table, out);
    else
        report_table_text(table, out);
}

static void print_pages(const struct request *q, const struct prof_launch *launches, uint32_t count,
                        struct arena *arena, struct str *out)
{
    struct prof_selection selection = {q->chosen, q->chosen_count, q->metrics != NULL};
    struct report_table table = {0};
    bool details = strcmp(q->page, "details") == 0, source = strcmp(q->page, "source") == 0;
    if (source) {
        prof_page_source(launches, count, arena, &table);
        print_table(q, &table, false, out);
    } else if (q->json) {
        prof_page_json(launches, count, &selection, arena, out);
    } else if (details && !q->csv) {
        prof_page_details(launches, count, &selection, arena, out);
    } else if (details || !q->csv) {
        prof_page_metrics(launches, count, &selection, arena, &table);
        print_table(q, &table, false, out);
    } else {
        prof_page_raw(launches, count, &selection, arena, &table);
        print_table(q, &table, true, out);
    }
    report_table_release(&table);
}

static int report(const struct request *q, const struct session_data *data, struct arena *arena)
{
    struct prof_launch *launches = NULL;
    uint32_t count = 0;
    int code = collect(data, arena, &launches, &count);
    if (code) return code;
    for (uint32_t p = 0; p < data->process_count; p++)
        if (!data->processes[p].finished)
            cli_say("process %u (%s) ended abruptly: what it recorded until then is shown", p,
                    data->processes[p].name);
    if (!count)
        cli_say("no kernel was profiled%s",
                data->process_count ? ""
                                    : ": the program never used CUDA, or not through libcuda or libcudart");
    struct cli_output output = {.path = q->output};
    if (count) print_pages(q, launches, count, arena, &output.text);
    return cli_output_finish(&output);
}

static int profile(struct request *q, struct arena *arena)
{
    struct session_data data;
    bool ran;
    int code = choose_metrics(q, arena);
    if (code < 0) code = check_gpus(q, arena);
    if (code >= 0) return code;
    q->run.any_target = true;
    q->options.watch = q->options.any_target = true;
    q->run.options = &q->options;
    code = cli_run_program(&q->run, arena, &data, &ran);
    if (!ran) return code;
    int printed = report(q, &data, arena);
    code = cli_conclude(code, &data);
    return code ? code : printed;
}

int cmd_profile(const struct cli_command *self, int argc, char **argv)
{
    struct request q = {.page = "details"};
    const struct cli_option table[] = {
        {"--device", 0, CLI_TEXT, &q.run.device, "GPU",
         "GPU to be (softwarp devices lists them); default h200"},
        {"--kernel", 'k', CLI_TEXT, &q.options.kernel, "REGEX", "only kernels whose demangled name matches"},
        {"--launch-skip", 's', CLI_NUMBER, &q.options.skip, "SKIP", "leave out the first of them"},
        {"--launch-count", 'c', CLI_NUMBER, &q.options.count, "COUNT", "then profile so many"},
        {"--metrics", 0, CLI_TEXT, &q.metrics, "LIST", "names of ncu or nvprof, separated by commas"},
        {"--set", 0, CLI_TEXT, &q.set, "NAME", "basic or full (the default)"},
        {"--csv", 0, CLI_FLAG, &q.csv, NULL,
         "as CSV; with --page raw as ncu --csv --page raw --print-units base"},
        {"--json", 0, CLI_FLAG, &q.json, NULL, "as JSON"},
        {"--html", 0, CLI_TEXT, &q.html, "FILE", "not available yet"},
        {"--page", 0, CLI_TEXT, &q.page, "PAGE", "details (the default), raw or source"},
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
    return code;
}

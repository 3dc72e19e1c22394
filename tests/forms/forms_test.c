/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: every form gives the same bits in compiled code, in the oracle and on the recorded GPU.
 *   forms_test run TABLE DIR [TEXT]   compare; DIR has golden.txt, refused.txt, differs.txt; TEXT: only
 *                                     forms whose text contains it
 *   forms_test ours TABLE DIR         print our digests, for forms_record
 *   forms_test refused TABLE DIR      the parser or the verifier refuses what ptxas refuses
 *   forms_test unsupported LIST DIR   what is not supported is refused by name (forms_unsupported.c)
 * Method: forms are compiled in groups, because compiling takes most of the time. Ordinary runs take one
 * group in FORMS_STRIDE with one instruction set in turn. SW_FORMS_ALL=1 takes every group with every
 * instruction set; SW_FORMS_SHARD=K/N with it takes every Nth group from the Kth on, to share the work
 * between machines or processes. A group that is refused is halved until the form is found. differs.txt lists
 * the forms that are known to differ or are not supported, and why; in a full run, a listed form that does
 * not differ fails. Limits: the oracle runs the first chunk of threads, compiled code all of them. */
#include "forms_hostile.h"
#include "forms_lab.h"
#include "forms_unsupported.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 24, FORMS_STRIDE = 16, HOSTILE_STRIDE = 7, SLOTS_MOST = GROUP * 32, VERDICT = 600 };

struct lab {
    const struct forms_table *table;
    struct forms_lab at;
    uint64_t *wanted;  /* the oracle's results */
    struct map golden; /* text -> struct forms_result + 1 of */
    struct forms_result *results;
    struct forms_known *known_forms; /* differs.txt */
    bool *refused;                   /* by ptxas */
    unsigned shard, shards;          /* of everything: the groups whose number is shard modulo shards */
    bool all, verbose, ours;
    unsigned forms, not_recorded, failures, known;
    bool *bad; /* by form: said already */
};

/* ---- recorded files ---- */

static FILE *open_file(const char *dir, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return fopen(path, "r");
}

static void read_golden(struct lab *lab, const char *dir)
{
    FILE *file = open_file(dir, "h200/golden.txt");
    char *line = NULL;
    size_t capacity = 0, count = 0, results = 0;
    if (!file) return;
    while (getline(&line, &capacity, file) > 0) {
        char *text = strchr(line, '\t');
        if (!text) continue;
        if (count == results) {
            results = results ? results * 2 : 1024;
            lab->results = realloc(lab->results, results * sizeof *lab->results);
            if (!lab->results) abort();
        }
        struct forms_result *result = &lab->results[count++];
        for (unsigned i = 0; i < FORMS_CHUNKS; i++)
            sscanf(line + i * 8, "%8x", &result->digests[i]);
        char *at = line + FORMS_CHUNKS * 8;
        for (unsigned i = 0; i < FORMS_SAMPLES; i++)
            result->samples[i] = strtoull(at, &at, 16);
        text[strcspn(text, "\n")] = 0;
        map_set(&lab->golden, sw_xstrdup(text + 1), (void *)count);
    }
    free(line);
    fclose(file);
}

/* ---- the lab ---- */

static void open_lab(struct lab *lab, const struct forms_table *table, const char *dir)
{
    *lab = (struct lab){.table = table, .all = getenv("SW_FORMS_ALL") != NULL, .shards = 1};
    const char *shard = getenv("SW_FORMS_SHARD");
    if (shard && (sscanf(shard, "%u/%u", &lab->shard, &lab->shards) != 2 || lab->shard >= lab->shards)) {
        fprintf(stderr, "forms_test: SW_FORMS_SHARD is '%s', not a number below another one, as in 3/16\n",
                shard);
        exit(2);
    }
    forms_lab_open(&lab->at, (size_t)SLOTS_MOST * FORMS_THREADS * 8, false);
    lab->wanted = sw_xmalloc((size_t)SLOTS_MOST * FORMS_THREADS * 8);
    lab->bad = sw_xcalloc(table->count + 1, sizeof *lab->bad);
    read_golden(lab, dir);
    lab->known_forms = forms_known_read(dir);
    lab->refused = forms_refused_read(table, dir);
}

/* ---- one group ---- */

struct group {
    struct lab *lab;
    const struct form *forms[GROUP];
    unsigned count, isa;
    bool also_oracle;
};

static unsigned group_slots(const struct group *group)
{
    unsigned slots = 0;
    for (unsigned i = 0; i < group->count; i++)
        slots += forms_slots(group->forms[i]);
    return slots;
}

/* The oracle is slow: the first chunk of threads will do, unless a form tells how many blocks there are. */
static bool needs_all_blocks(const struct group *group)
{
    bool all = getenv("SW_FORMS_ORACLE") != NULL;
    for (unsigned i = 0; i < group->count; i++)
        all |= strstr(group->forms[i]->text, "%nctaid") || strstr(group->forms[i]->text, "%nclusterid");
    return all;
}

static enum sw_status run_oracle(const struct group *group, const struct forms_job *whole,
                                 struct sw_error *error)
{
    struct lab *lab = group->lab;
    struct forms_job job = *whole;
    if (!needs_all_blocks(group)) job.blocks /= FORMS_CHUNKS;
    enum sw_status status = forms_job_oracle(&lab->at, &job, error);
    memcpy(lab->wanted, (void *)(uintptr_t)lab->at.out, job.out_bytes);
    return status;
}

/* ---- verdicts ---- */

static void say(struct lab *lab, const struct form *form, const char *verdict)
{
    struct forms_known *known = forms_known_find(lab->known_forms, form->key);
    if (lab->bad[form->index]) return;
    lab->bad[form->index] = true;
    if (known) {
        known->seen = true;
        lab->known++;
        if (!lab->verbose) return;
    } else {
        lab->failures++;
    }
    printf("%s %u %s\t%s\n", known ? "known" : "FAIL", form->index, form->key, verdict);
}

static void compare_oracle(struct lab *lab, const struct form *form, const uint64_t *got,
                           const uint64_t *wanted, const char *isa)
{
    char verdict[VERDICT];
    unsigned threads = getenv("SW_FORMS_ORACLE") ? FORMS_THREADS : FORMS_THREADS / FORMS_CHUNKS;
    for (unsigned slot = 0; slot < forms_slots(form); slot++)
        for (unsigned t = 0; t < threads; t++) {
            uint64_t a = got[(size_t)slot * FORMS_THREADS + t], b = wanted[(size_t)slot * FORMS_THREADS + t];
            if (a == b) continue;
            snprintf(verdict, sizeof verdict, "oracle: thread %u slot %u: %s has %llx, the oracle %llx", t,
                     slot, isa, (unsigned long long)a, (unsigned long long)b);
            say(lab, form, verdict);
            return;
        }
}

static void compare_golden(struct lab *lab, const struct form *form, const uint64_t *got, const char *isa)
{
    size_t n = (size_t)map_get(&lab->golden, form->key);
    char verdict[VERDICT], *at = verdict, *end = verdict + sizeof verdict;
    struct forms_result ours;
    if (!n) {
        lab->not_recorded++;
        return;
    }
    const struct forms_result *golden = &lab->results[n - 1];
    forms_digest(got, forms_slots(form), &ours);
    if (memcmp(ours.digests, golden->digests, sizeof ours.digests) == 0) return;
    at += snprintf(at, (size_t)(end - at), "hardware: %s, chunks", isa);
    for (unsigned i = 0; i < FORMS_CHUNKS; i++)
        if (ours.digests[i] != golden->digests[i]) at += snprintf(at, (size_t)(end - at), " %u", i);
    for (unsigned i = 0; i < FORMS_SAMPLES; i++)
        if (ours.samples[i] != golden->samples[i])
            at += snprintf(at, (size_t)(end - at), "; thread %u: %llx, hardware %llx", forms_sample_thread(i),
                           (unsigned long long)ours.samples[i], (unsigned long long)golden->samples[i]);
    bool first = !lab->bad[form->index];
    say(lab, form, verdict);
    if (first && (lab->verbose || !forms_known_find(lab->known_forms, form->key)))
        forms_bits_explain(form, got, 6);
}

static void print_ours(const struct form *form, const uint64_t *got)
{
    struct forms_result result;
    forms_digest(got, forms_slots(form), &result);
    for (unsigned i = 0; i < FORMS_CHUNKS; i++)
        printf("%08x", result.digests[i]);
    for (unsigned i = 0; i < FORMS_SAMPLES; i++)
        printf(" %llx", (unsigned long long)result.samples[i]);
    printf(" #%u %s\n", form->index, form->key);
}

static void compare(const struct group *group)
{
    const char *isa = forms_lab_name(group->isa);
    struct lab *lab = group->lab;
    const uint64_t *got = (const uint64_t *)(uintptr_t)lab->at.out, *wanted = lab->wanted;
    for (unsigned i = 0; i < group->count; i++) {
        const struct form *form = group->forms[i];
        if (lab->ours)
            print_ours(form, got);
        else
            compare_golden(lab, form, got, isa);
        if (group->also_oracle) compare_oracle(lab, form, got, wanted, isa);
        got += (size_t)forms_slots(form) * FORMS_THREADS;
        wanted += (size_t)forms_slots(form) * FORMS_THREADS;
    }
}

/* ---- running ---- */

static enum sw_status run_job(struct group *group, const struct forms_job *job, struct sw_error *error)
{
    enum sw_status status = SW_OK, oracle = SW_OK;
    group->also_oracle = false;
    if (!group->lab->ours && (group->isa == 0 || !group->lab->all)) {
        oracle = run_oracle(group, job, error);
        group->also_oracle = oracle == SW_OK;
    }
    if (oracle == SW_OK || group->count == 1) {
        status = forms_job_compiled(&group->lab->at, job, group->isa, error);
        if (status == SW_OK) compare(group);
    }
    return status != SW_OK ? status : oracle;
}

static enum sw_status run_text(struct group *group, struct sw_error *error)
{
    struct forms_text text = {0};
    struct forms_job job = {.kernel = "forms",
                            .blocks = FORMS_THREADS / FORMS_BLOCK,
                            .threads = FORMS_BLOCK,
                            .out_bytes = (size_t)group_slots(group) * FORMS_THREADS * 8};
    forms_emit_head(&text, group->lab->table->rows[group->forms[0]->row].sm);
    forms_emit_kernel(&text, "forms", group->forms, group->count);
    enum sw_status status = forms_job_open(&group->lab->at, text.text, text.length, &job, error);
    if (status == SW_OK) {
        status = run_job(group, &job, error);
        forms_job_close(&group->lab->at, &job);
    }
    free(text.text);
    return status;
}

static void run_group(const struct group *whole)
{
    struct group group = *whole;
    struct sw_error error = {0};
    char verdict[VERDICT];
    enum sw_status status = run_text(&group, &error);
    if (status == SW_OK) return;
    if (whole->count == 1) {
        snprintf(verdict, sizeof verdict, "%s: %s", sw_status_name(status), error.message);
        say(whole->lab, whole->forms[0], verdict);
        return;
    }
    group = *whole;
    group.count = whole->count / 2;
    run_group(&group);
    memmove(group.forms, whole->forms + group.count, (whole->count - group.count) * sizeof group.forms[0]);
    group.count = whole->count - group.count;
    run_group(&group);
}

static void run_widths(struct group *group, unsigned turn)
{
    struct lab *lab = group->lab;
    unsigned isas = 0;
    for (unsigned isa = 0; isa < JIT_ISA_COUNT; isa++)
        isas += lab->at.engines[isa] != NULL;
    for (unsigned isa = 0; isa < JIT_ISA_COUNT; isa++) {
        if (!lab->at.engines[isa] || (!lab->all && isa != turn % isas)) continue;
        if (lab->ours && isa != JIT_ISA_AVX512) continue;
        group->isa = isa;
        run_group(group);
    }
}

static bool runs(const struct lab *lab, const struct form *form, const char *part)
{
    const struct forms_row *row = &lab->table->rows[form->row];
    return !row->elsewhere && !row->refused && !lab->refused[form->index] &&
           (!part || strstr(form->text, part));
}

/* What is not supported splits its whole group: ordinary runs leave it out. */
static bool leave_out(const struct lab *lab, const struct form *form)
{
    const struct forms_known *known = forms_known_find(lab->known_forms, form->key);
    return known && !lab->all && strncmp(known->reason, "not supported", 13) == 0;
}

/* Groups hold forms of one .target; the ordinary run takes every 16th group. */
static int run(struct lab *lab, const char *part, unsigned first)
{
    struct group group = {.lab = lab};
    unsigned groups = 0;
    for (uint32_t i = 0; i <= lab->table->count; i++) {
        const struct form *form = i < lab->table->count ? &lab->table->forms[i] : NULL;
        if (form && (!runs(lab, form, part) || leave_out(lab, form))) continue;
        unsigned sm = form ? lab->table->rows[form->row].sm : 0;
        bool full = group.count == GROUP || (group.count && sm != lab->table->rows[group.forms[0]->row].sm);
        if (group.count && (full || !form)) {
            if (part || (lab->all ? groups % lab->shards == lab->shard : groups % FORMS_STRIDE == first)) {
                run_widths(&group, groups / FORMS_STRIDE);
                lab->forms += group.count;
            }
            groups++;
            group.count = 0;
        }
        if (form) group.forms[group.count++] = form;
    }
    return 0;
}

/* When everything ran: lines of differs.txt that no form needed. Its lines about ptxas are the other test's.
 */
static unsigned stale(const struct lab *lab)
{
    unsigned count = 0;
    bool everything = lab->all && lab->shards == 1;
    for (const struct forms_known *known = lab->known_forms; everything && known; known = known->next) {
        if (known->seen || strstr(known->reason, "ptxas")) continue;
        printf("FAIL differs.txt has '%s', and nothing differs\n", known->key);
        count++;
    }
    return count;
}

/* ---- what ptxas refuses ---- */

static enum sw_status verify_one(struct lab *lab, const struct form *form, struct sw_error *error)
{
    struct forms_text text = {0};
    struct forms_job job = {.kernel = "forms"};
    forms_emit_head(&text, lab->table->rows[form->row].sm);
    forms_emit_kernel(&text, "forms", &form, 1);
    enum sw_status status = forms_job_open(&lab->at, text.text, text.length, &job, error);
    if (status == SW_OK) forms_job_close(&lab->at, &job);
    free(text.text);
    return status;
}

static int check_refused(struct lab *lab)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < lab->table->count; i++) {
        const struct form *form = &lab->table->forms[i];
        struct sw_error error = {0};
        if (!lab->refused[i]) continue;
        count++;
        if (verify_one(lab, form, &error) == SW_OK)
            say(lab, form, "ptxas refuses it, the verifier does not");
        else if (lab->verbose)
            printf("%s\n", error.message);
    }
    printf("%u forms that ptxas refuses, %u let through, %u known\n", count, lab->failures, lab->known);
    return lab->failures != 0 || count == 0;
}

int main(int argc, char **argv)
{
    static struct forms_table table; /* kept to the end */
    static struct lab lab;
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 4) {
        fprintf(stderr,
                "usage: forms_test run|ours|hostile|refused TABLE DIR [TEXT] | unsupported LIST DIR\n");
        return 2;
    }
    if (strcmp(argv[1], "unsupported") == 0)
        return forms_unsupported(argv[2], getenv("SW_FORMS_VERBOSE") != NULL);
    forms_read(argv[2], &table);
    if (strcmp(argv[1], "hostile") == 0)
        return forms_hostile(&table, getenv("SW_FORMS_ALL") ? 1 : HOSTILE_STRIDE);
    open_lab(&lab, &table, argv[3]);
    lab.verbose = getenv("SW_FORMS_VERBOSE") != NULL;
    if (strcmp(argv[1], "refused") == 0) return check_refused(&lab);
    if (getenv("SW_FORMS_BITS")) forms_bits_read(getenv("SW_FORMS_BITS"));
    lab.ours = strcmp(argv[1], "ours") == 0;
    lab.all = lab.all || lab.ours;
    const char *first = getenv("SW_FORMS_FIRST");
    run(&lab, argc > 4 ? argv[4] : NULL, first ? (unsigned)atoi(first) % FORMS_STRIDE : 0);
    if (argc < 5) lab.failures += stale(&lab);
    printf("%u forms, %u without a recording, %u known to differ, %u failed\n", lab.forms, lab.not_recorded,
           lab.known, lab.failures);
    return lab.failures != 0 || lab.forms == 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: random programs over the table of forms, in compiled code and in the oracle.
 *   forms_random run TABLE DIR COUNT [FIRST]   programs FIRST, FIRST + 1 ..., each with one instruction
 *                                              set and number of threads in turn; SW_FORMS_ALL=1: with all
 *   forms_random show TABLE DIR SEED           print a program
 * SW_FORMS_COUNT in the environment overrides COUNT. Method: everything that a program writes is compared.
 * A program that differs, or that one side refuses, is reduced by leaving out statements while it still
 * fails, and printed. Limits: forms that are not supported, or differ from the oracle, are not used. */
#include "forms_random.h"
#include "forms_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_BYTES = 4 << 20, HEAD_BYTES = 64 };

struct runner {
    struct forms_lab lab;
    struct forms_pool pool;
    uint8_t *wanted;
    unsigned failures;
};

/* Values that are another machine's business (what an mbarrier looks like, lanes outside a mask), other
 * threads' memory without a barrier, and blocks of a fixed size. */
static bool is_private(const struct form *form)
{
    static const char *const words[] = {"$x, %",   "cvta",      "mapa",      "isspacep", "activemask",
                                        "smem",    "xor.b64 q", ", 256",     ", 512",    "trap",
                                        "%warpid", "mbarrier",  "0xaaaaaaaa"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(form->text, words[i])) return true;
    return false;
}

static void make_pool(struct forms_pool *pool, const struct forms_table *table, const char *dir)
{
    bool *refused = forms_refused_read(table, dir);
    struct forms_known *all = forms_known_read(dir);
    *pool = (struct forms_pool){table, sw_xcalloc(table->count + 1, sizeof *pool->usable)};
    for (uint32_t i = 0; i < table->count; i++) {
        const struct form *form = &table->forms[i];
        const struct forms_row *row = &table->rows[form->row];
        const struct forms_known *known = forms_known_find(all, form->key);
        bool done =
            !known || (strncmp(known->reason, "not supported", 13) != 0 && !strstr(known->reason, "oracle"));
        pool->usable[i] = !refused[i] && !row->elsewhere && !row->refused && done && !is_private(form);
    }
    free(refused);
}

/* ---- one program ---- */

static size_t out_bytes(const struct forms_program *program)
{
    return HEAD_BYTES + (size_t)program->slots * program->blocks * program->threads * 8;
}

static bool compare(const struct runner *r, const struct forms_program *program, unsigned engine, char *what,
                    size_t capacity)
{
    const uint64_t *got = (const uint64_t *)(uintptr_t)r->lab.out,
                   *wanted = (const uint64_t *)(void *)r->wanted;
    size_t count = out_bytes(program) / 8, threads = (size_t)program->blocks * program->threads;
    for (size_t i = 0; i < count; i++) {
        size_t at = i - HEAD_BYTES / 8;
        if (got[i] == wanted[i]) continue;
        if (i < HEAD_BYTES / 8)
            snprintf(what, capacity, "%s: sum %zu is %llx, the oracle has %llx", forms_lab_name(engine), i,
                     (unsigned long long)got[i], (unsigned long long)wanted[i]);
        else
            snprintf(what, capacity, "%s: slot %zu of thread %zu is %llx, the oracle has %llx",
                     forms_lab_name(engine), at / threads, at % threads, (unsigned long long)got[i],
                     (unsigned long long)wanted[i]);
        return false;
    }
    return true;
}

/* Do the oracle and every engine of the mask agree? */
static bool agree(struct runner *r, struct forms_program *program, unsigned engines, char *what,
                  size_t capacity)
{
    struct forms_job job = {.kernel = "forms"};
    struct sw_error error = {0};
    bool good = true;
    forms_program_emit(program, &r->pool);
    job.blocks = program->blocks;
    job.threads = program->threads;
    job.out_bytes = out_bytes(program);
    enum sw_status status = forms_job_open(&r->lab, program->text.text, program->text.length, &job, &error);
    if (status != SW_OK) {
        snprintf(what, capacity, "line %u: %.400s", error.line, error.message);
        return false;
    }
    status = forms_job_oracle(&r->lab, &job, &error);
    memcpy(r->wanted, (void *)(uintptr_t)r->lab.out, job.out_bytes);
    for (unsigned e = 0; e < LAB_ENGINES && status == SW_OK && good; e++) {
        if (!(engines >> e & 1) || !r->lab.engines[e]) continue;
        status = forms_job_compiled(&r->lab, &job, e, &error);
        if (status == SW_OK) good = compare(r, program, e, what, capacity);
    }
    if (status != SW_OK) snprintf(what, capacity, "%s: %.400s", sw_status_name(status), error.message);
    forms_job_close(&r->lab, &job);
    return good && status == SW_OK;
}

/* Leave out runs of statements, ever shorter ones, as long as it goes on failing. */
static void shrink(struct runner *r, struct forms_program *program, unsigned engines)
{
    char what[512];
    unsigned count = program->statements;
    for (unsigned run = count / 2; run; run /= 2)
        for (unsigned from = 0; from < count; from += run) {
            bool before[PROGRAM_STATEMENTS];
            memcpy(before, program->without, sizeof before);
            for (unsigned i = from; i < from + run && i < count; i++)
                program->without[i] = true;
            if (memcmp(before, program->without, sizeof before) == 0) continue;
            if (agree(r, program, engines, what, sizeof what))
                memcpy(program->without, before, sizeof before);
        }
}

static void fail(struct runner *r, struct forms_program *program, unsigned engines, const char *first)
{
    char what[512] = "it no longer fails";
    printf("FAIL program %llu: %s\n", (unsigned long long)program->seed, first);
    r->failures++;
    shrink(r, program, engines);
    (void)agree(r, program, engines, what, sizeof what);
    const char *kernel = strstr(program->text.text, ".func (.reg .b32 result) own_");
    if (!kernel) kernel = strstr(program->text.text, ".visible .entry");
    printf("smallest: %s\n%s\n", what, kernel);
}

static unsigned in_turn(const struct runner *r, uint64_t seed)
{
    unsigned engine = (unsigned)(seed % LAB_ENGINES);
    while (!r->lab.engines[engine])
        engine = (engine + 1) % LAB_ENGINES;
    return 1u << engine;
}

static int run(struct runner *r, uint64_t count, uint64_t first)
{
    char what[512];
    bool all = getenv("SW_FORMS_ALL") != NULL;
    struct forms_program *program = sw_xcalloc(1, sizeof *program);
    uint64_t statements = 0;
    for (uint64_t seed = first; seed < first + count && r->failures < 20; seed++) {
        unsigned engines = all ? UINT32_MAX : in_turn(r, seed);
        memset(program->without, 0, sizeof program->without);
        program->seed = seed;
        if (!agree(r, program, engines, what, sizeof what)) fail(r, program, engines, what);
        statements += program->statements;
    }
    printf("%llu programs of %llu statements, %u failed\n", (unsigned long long)count,
           (unsigned long long)statements, r->failures);
    free(program->text.text);
    free(program);
    return r->failures != 0 || count == 0;
}

static int show(const struct runner *r, uint64_t seed)
{
    struct forms_program program = {.seed = seed};
    forms_program_emit(&program, &r->pool);
    fputs(program.text.text, stdout);
    free(program.text.text);
    return 0;
}

int main(int argc, char **argv)
{
    static struct runner r;
    static struct forms_table table; /* kept to the end */
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 5) {
        fprintf(stderr, "usage: forms_random run TABLE DIR COUNT [FIRST] | show TABLE DIR SEED\n");
        return 2;
    }
    forms_read(argv[2], &table);
    make_pool(&r.pool, &table, argv[3]);
    if (strcmp(argv[1], "show") == 0) return show(&r, strtoull(argv[4], NULL, 10));
    const char *count = getenv("SW_FORMS_COUNT");
    forms_lab_open(&r.lab, OUT_BYTES, true);
    r.wanted = sw_xmalloc(OUT_BYTES);
    return run(&r, strtoull(count ? count : argv[4], NULL, 10), argc > 5 ? strtoull(argv[5], NULL, 10) : 0);
}

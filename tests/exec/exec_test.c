/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the program behind the exec tests.
 *   exec_test files FILE.ptx...      each file with every kind of compiled code
 *   exec_test detailed FILE.ptx...   the same with ACCESS probes (exec_detail.c)
 *   exec_test graphs COUNT [FIRST]   random graphs, each with one kind in turn; SW_EXEC_ALL=1: with every
 *                                    kind
 *   exec_test shapes COUNT [FIRST]   random kernels over indices of threads, by blocks of many shapes;
 *                                    likewise
 *   exec_test show SEED              print a graph; show_shapes SEED: the other
 * SW_SHARE=K/N (K from 0): only every Nth of the files, batches of graphs, shapes and instructions, from the
 * Kth on: N runs cover all.
 * Method: a module holds several graphs. The test counts irreducible graphs; at least a third must be. */
#include "exec.h"
#include "share.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 8, THREADS = 128, BLOCKS = 3 };

/* Kinds that differ in threads alone run the same object: a cache of this run's own spares its second
 * compilation. */
static char cache[] = "/tmp/softwarp-exec-XXXXXX";

static void cache_close(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", cache);
    if (system(command) != 0) printf("cannot remove %s\n", cache);
}

/* Removed at exit, after the engine has kept what it was compiling: its handler is younger. */
static void cache_open(void)
{
    if (!mkdtemp(cache)) return;
    atexit(cache_close);
    setenv("CUDA_CACHE_DISABLE", "0", 1);
    setenv("CUDA_CACHE_PATH", cache, 1);
}

static int run_files(int count, char **paths, bool detailed)
{
    cache_open();
    struct exec_lab *lab = exec_lab_new(detailed);
    unsigned failures = 0;
    uint64_t kinds = UINT64_MAX;
    const char *only = getenv("SW_EXEC_KINDS"); /* a mask, for debugging */
    if (only) kinds = strtoull(only, NULL, 0);
    for (int i = 0; i < count; i++) {
        struct exec_case test;
        if (!share_has((uint64_t)i)) continue;
        if (!exec_file_read(paths[i], &test)) {
            printf("FAIL %s: cannot be read, or launches nothing\n", paths[i]);
            failures++;
            continue;
        }
        unsigned failed = exec_case_run(lab, &test, kinds);
        printf("%-32s %s\n", test.name, failed ? "FAILED" : "ok");
        fflush(stdout);
        failures += failed != 0;
        exec_case_release(&test);
    }
    printf("%d files%s, %u kinds, %u failed\n", count, getenv("SW_SHARE") ? " (a share of them)" : "",
           exec_kind_count(lab), failures);
    exec_lab_free(lab);
    return failures != 0;
}

static enum exec_shape shape_of(uint64_t seed)
{
    static const enum exec_shape shapes[] = {EXEC_STRUCTURED, EXEC_ARBITRARY, EXEC_BARRIERS, EXEC_ARBITRARY,
                                             EXEC_SHUFFLES,   EXEC_UNIFORM,   EXEC_BARRIERS, EXEC_ARBITRARY};
    return shapes[seed % SW_COUNT_OF(shapes)];
}

static void emit_head(struct str *out)
{
    str_add(out, ".version 8.0\n.target sm_90\n.address_size 64\n");
}

/* One launch of kernel `seed`, with buffers of its own shape. */
static void graph_case(struct exec_case *test, uint64_t first)
{
    static char names[BATCH][32];
    struct str text = {0};
    static const char *const buffers[] = {"out", "sums", "in"};
    *test = (struct exec_case){.name = "graphs", .buffer_count = 3, .launch_count = BATCH};
    for (unsigned b = 0; b < 3; b++) {
        struct exec_buffer *buffer = &test->buffers[b];
        snprintf(buffer->name, sizeof buffer->name, "%s", buffers[b]);
        snprintf(buffer->init, sizeof buffer->init, "%s", b == 2 ? "random" : "zero");
        buffer->type = ISA_U32;
        buffer->count = b == 1 ? 64 : THREADS * BLOCKS;
        buffer->bytes = buffer->count * 4;
    }
    emit_head(&text);
    for (unsigned i = 0; i < BATCH; i++) {
        struct exec_launch *launch = &test->launches[i];
        snprintf(names[i], sizeof names[i], "graph_%llu", (unsigned long long)(first + i));
        exec_graph_emit(&text, first + i, shape_of(first + i), names[i]);
        *launch = (struct exec_launch){.grid = {BLOCKS, 1, 1}, .block = {1, 1, 1}, .param_count = 3};
        /* whole warps where all lanes must be there, odd sizes elsewhere */
        launch->block[0] = shape_of(first + i) == EXEC_SHUFFLES ? 96 : i % 2 ? THREADS - 27 : THREADS;
        snprintf(launch->kernel, sizeof launch->kernel, "%s", names[i]);
        for (unsigned p = 0; p < 3; p++)
            launch->params[p] = (struct exec_param){.buffer = &test->buffers[p], .bytes = 8};
    }
    test->length = text.length;
    test->text = str_steal(&text);
}

static unsigned count_irreducible(const struct exec_case *test)
{
    struct ptx_module *module;
    struct sw_error error;
    unsigned count = 0;
    if (ptx_parse(test->text, test->length, test->name, &module, &error) != SW_OK) return 0;
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct ptx_cfg cfg;
        if (ptx_cfg_build(module->functions[i], &module->arena, &cfg, &error) == SW_OK)
            count += cfg.irreducible;
    }
    ptx_module_free(module);
    return count;
}

/* One kernel of the batch alone, so that a failure names it. */
static unsigned run_one(struct exec_lab *lab, const struct exec_case *batch, unsigned i, uint64_t kinds,
                        uint64_t seed)
{
    static char name[48];
    struct exec_case test = *batch;
    test.launches[0] = batch->launches[i];
    test.launch_count = 1;
    for (unsigned p = 0; p < 3; p++)
        test.launches[0].params[p].buffer = &test.buffers[p];
    snprintf(name, sizeof name, "graph %llu", (unsigned long long)seed);
    test.name = name;
    return exec_case_run(lab, &test, kinds);
}

static int run_graphs(uint64_t count, uint64_t first, bool detailed)
{
    struct exec_lab *lab = exec_lab_new(detailed);
    unsigned failures = 0, irreducible = 0, kinds = exec_kind_count(lab);
    bool all = getenv("SW_EXEC_ALL") != NULL;
    uint64_t made = 0, done = 0;
    for (uint64_t seed_of_batch = first; seed_of_batch < first + count; seed_of_batch += BATCH) {
        struct exec_case test;
        graph_case(&test, seed_of_batch);
        irreducible += count_irreducible(&test);
        made += BATCH;
        for (unsigned i = 0; i < BATCH && share_has(seed_of_batch / BATCH); i++, done++) {
            uint64_t seed = seed_of_batch + i,
                     kind = all ? UINT64_MAX : UINT64_C(1) << ((seed * 7 + seed / 8) % kinds);
            failures += run_one(lab, &test, i, kind, seed) != 0;
        }
        exec_case_release(&test);
    }
    printf("%llu graphs, %u irreducible, %u failed\n", (unsigned long long)done, irreducible, failures);
    exec_lab_free(lab);
    if (irreducible * 3 < made) printf("FAIL: fewer than a third are irreducible\n");
    return failures != 0 || irreducible * 3 < made;
}

/* One thread, barriers as they come, specialised: the isa is what matters. One isa in turn, or all. */
static uint64_t isa_kinds(const struct exec_lab *lab, unsigned round)
{
    uint64_t kinds = 0;
    unsigned isas = 0;
    for (unsigned k = 0; k < exec_kind_count(lab); k++) {
        const struct exec_kind *kind = exec_kind(lab, k);
        if (kind->threads != 1 || kind->plain_barriers || kind->generic) continue;
        kinds |= UINT64_C(1) << k;
        isas++;
    }
    if (getenv("SW_EXEC_ALL")) return kinds;
    for (unsigned skip = round % isas; skip; skip--)
        kinds &= kinds - 1;
    return kinds & -kinds;
}

/* Each with one kind in turn, and one of those that know the block; SW_EXEC_ALL=1: with every kind. With
 * probes always all, whose counters must be the same. */
static int run_shapes(uint64_t count, uint64_t first, bool detailed)
{
    struct exec_lab *lab = exec_lab_new(detailed);
    unsigned failures = 0, kinds = exec_kind_count(lab);
    bool all = detailed || getenv("SW_EXEC_ALL");
    uint64_t done = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct exec_case test;
        if (!share_has(seed)) continue;
        char name[48];
        exec_shapes_case(&test, seed);
        snprintf(name, sizeof name, "shapes %llu", (unsigned long long)seed);
        test.name = name;
        uint64_t one = UINT64_C(1) << ((seed + seed / kinds) % kinds);
        failures += exec_case_run(lab, &test, all ? UINT64_MAX : one | isa_kinds(lab, (unsigned)seed)) != 0;
        exec_case_release(&test);
        done++;
    }
    printf("%llu kernels, %u failed\n", (unsigned long long)done, failures);
    exec_lab_free(lab);
    return failures != 0;
}

static int show_shapes(uint64_t seed)
{
    struct exec_case test;
    exec_shapes_case(&test, seed);
    fputs(test.text, stdout);
    exec_case_release(&test);
    return 0;
}

static int run_ops(const char *part)
{
    struct exec_lab *lab = exec_lab_new(false);
    unsigned failures = 0, done = 0;
    for (unsigned i = 0; i < exec_op_count(); i++) {
        struct exec_case test;
        if (part ? !strstr(exec_op_text(i), part) : !share_has(i)) continue;
        exec_op_case(i, &test);
        failures += exec_case_run(lab, &test, isa_kinds(lab, i)) != 0;
        done++;
        exec_case_release(&test);
    }
    printf("%u instructions, %u failed\n", done, failures);
    exec_lab_free(lab);
    return failures != 0;
}

/* Every form with one isa in turn; SW_EXEC_ALL=1: with all. Without either, a part of the forms. */
static int run_matrix(const char *part)
{
    struct exec_lab *lab = exec_lab_new(false);
    unsigned failures = 0, done = 0, count = exec_matrix_count();
    for (unsigned i = 0; i < count; i++) {
        struct exec_case test;
        if (!part && !getenv("SW_EXEC_ALL") && !exec_matrix_is_main(i)) continue;
        exec_matrix_case(i, &test);
        if (!part || strstr(test.name, part)) {
            failures += exec_case_run(lab, &test, isa_kinds(lab, i)) != 0;
            done++;
        }
        exec_case_release(&test);
    }
    printf("%u matrix forms, %u failed\n", done, failures);
    exec_lab_free(lab);
    return failures != 0 || done == 0;
}

static int show(uint64_t seed)
{
    struct str text = {0};
    emit_head(&text);
    exec_graph_emit(&text, seed, shape_of(seed), "graph");
    fputs(str_text(&text), stdout);
    str_release(&text);
    return 0;
}

static int show_ops(const char *part)
{
    for (unsigned i = 0; i < exec_op_count(); i++) {
        struct exec_case test;
        if (!strstr(exec_op_text(i), part)) continue;
        exec_op_case(i, &test);
        printf("// %s\n%s", exec_op_text(i), test.text);
        exec_case_release(&test);
    }
    return 0;
}

int main(int argc, char **argv)
{
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 2 && strcmp(argv[1], "files") == 0) return run_files(argc - 2, argv + 2, false);
    if (argc > 2 && strcmp(argv[1], "detailed") == 0) return run_files(argc - 2, argv + 2, true);
    if (argc > 2 && strcmp(argv[1], "graphs") == 0)
        return run_graphs(strtoull(argv[2], NULL, 10), argc > 3 ? strtoull(argv[3], NULL, 10) : 0, false);
    if (argc > 2 && strcmp(argv[1], "detailed_graphs") == 0)
        return run_graphs(strtoull(argv[2], NULL, 10), argc > 3 ? strtoull(argv[3], NULL, 10) : 0, true);
    if (argc > 2 && strstr(argv[1], "shapes")) {
        uint64_t number = strtoull(argv[2], NULL, 10), first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
        if (strcmp(argv[1], "show_shapes") == 0) return show_shapes(number);
        return run_shapes(number, first, strcmp(argv[1], "detailed_shapes") == 0);
    }
    if (argc > 1 && strcmp(argv[1], "ops") == 0) return run_ops(argc > 2 ? argv[2] : NULL);
    if (argc > 1 && strcmp(argv[1], "matrix") == 0) return run_matrix(argc > 2 ? argv[2] : NULL);
    if (argc > 3 && strcmp(argv[1], "show") == 0) return show_ops(argv[3]);
    if (argc > 2 && strcmp(argv[1], "show") == 0) return show(strtoull(argv[2], NULL, 10));
    fprintf(stderr, "usage: exec_test files FILE... | detailed FILE... | [detailed_]graphs COUNT [FIRST] | "
                    "[detailed_]shapes COUNT [FIRST] | ops "
                    "[TEXT] | matrix [TEXT] | "
                    "show SEED | show op TEXT | show_shapes SEED\n");
    return 2;
}

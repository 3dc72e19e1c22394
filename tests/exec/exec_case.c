/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: run a case with the oracle, then with compiled code of every kind, and compare all memory and
 * output. Method: buffers and module variables are made once, in device memory, and filled anew before each
 * run, so that even addresses which kernels store are equal. Device output is compared as a sorted set of
 * lines, since the order of blocks is not promised. Limits: floats are
 * compared as the buffer's tolerance says, without one bit for bit, NaNs too. */
#include "exec.h"

#include "oracle.h"

#include "base/base_host.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KINDS_PLAIN = JIT_ISA_COUNT * 8,
    KINDS_MOST = KINDS_PLAIN + JIT_ISA_COUNT,
    KINDS_DETAILED = JIT_ISA_COUNT * 3
};

struct output {
    pthread_mutex_t lock;
    struct str text;
};

struct exec_lab {
    struct vmem *vmem;
    struct exec_kind kinds[KINDS_MOST];
    struct engine *engines[KINDS_MOST];
    unsigned count;
    struct output output;
    struct exec_detailed first; /* what the first simulated kind saw of the case; rounds 0: none yet */
};

static void print(void *user, const char *text, size_t length)
{
    struct output *output = user;
    pthread_mutex_lock(&output->lock);
    str_add_bytes(&output->text, text, length);
    pthread_mutex_unlock(&output->lock);
}

/* ---- the lab: one engine a kind
 * --------------------------------------------------------------------------------- */

static void add_kind(struct exec_lab *lab, struct exec_kind kind)
{
    struct sw_error error;
    struct engine_config config = {.threads = kind.threads,
                                   .isa = (int)kind.isa,
                                   .vmem = lab->vmem,
                                   .library_dir = SW_BUILD_DIR "/lib",
                                   .print = print,
                                   .print_user = &lab->output,
                                   .print_error = print,
                                   .plain_barriers = kind.plain_barriers,
                                   .tool = kind.detailed || kind.counted ? &exec_detail_tool : NULL,
                                   .generic_only = kind.generic};
    struct engine *engine;
    enum sw_status status = engine_new(&config, &engine, &error);
    if (status == SW_NOT_SUPPORTED) return; /* this CPU cannot run it */
    if (status != SW_OK) {
        fprintf(stderr, "engine: %s\n", error.message);
        exit(2);
    }
    lab->kinds[lab->count] = kind;
    lab->engines[lab->count++] = engine;
}

/* Counting alone first, then in detail by one thread and by four. */
static struct exec_kind detailed_kind(unsigned i)
{
    return (struct exec_kind){.isa = (enum jit_isa)(i % JIT_ISA_COUNT),
                              .threads = i / JIT_ISA_COUNT == 1 ? 1 : 4,
                              .counted = i < JIT_ISA_COUNT,
                              .detailed = i >= JIT_ISA_COUNT};
}

static struct exec_kind plain_kind(unsigned i)
{
    unsigned round = i / JIT_ISA_COUNT;
    if (i >= KINDS_PLAIN)
        return (struct exec_kind){
            .isa = (enum jit_isa)(i % JIT_ISA_COUNT), .threads = 4, .permissions = true};
    return (struct exec_kind){.isa = (enum jit_isa)(i % JIT_ISA_COUNT),
                              .threads = round & 1 ? 4 : 1,
                              .plain_barriers = round >> 1 & 1,
                              .generic = round >> 2 & 1};
}

/* Device 1 may not reach what stands beside the buffers, which the other kinds do not look at. */
static void deny_something(struct exec_lab *lab)
{
    dev_addr at;
    if (vmem_permissions_begin(lab->vmem, 2) != SW_OK) exit(2);
    if (vmem_alloc(lab->vmem, 1, VMEM_DEVICE, 0, 0, 0, &at) != SW_OK) exit(2);
    vmem_permissions_set(lab->vmem, at, 1, VMEM_NONE_ALLOWED, VMEM_BY_PEER);
}

/* Without SW_EXEC_ALL, for half the time: counting and one thread with the narrowest vectors, four threads
 * with the others. */
static bool is_left_out(bool detailed, unsigned i)
{
    bool narrowest = i % JIT_ISA_COUNT == JIT_ISA_SSE2, four = i >= 2 * JIT_ISA_COUNT;
    bool alone = i % JIT_ISA_COUNT == JIT_ISA_NEON; /* there are no others on such a CPU */
    return detailed && narrowest == four && !alone && !getenv("SW_EXEC_ALL");
}

struct exec_lab *exec_lab_new(bool detailed)
{
    struct exec_lab *lab = sw_xcalloc(1, sizeof *lab);
    struct sw_error error;
    if (vmem_new(&lab->vmem, &error) != SW_OK) exit(2);
    pthread_mutex_init(&lab->output.lock, NULL);
    if (!detailed) deny_something(lab);
    for (unsigned i = 0; i < (detailed ? KINDS_DETAILED : KINDS_MOST); i++) {
        if (is_left_out(detailed, i)) continue;
        add_kind(lab, detailed ? detailed_kind(i) : plain_kind(i));
    }
    return lab;
}

void exec_lab_free(struct exec_lab *lab)
{
    for (unsigned i = 0; i < lab->count; i++)
        engine_free(lab->engines[i]);
    vmem_free_all(lab->vmem);
    str_release(&lab->output.text);
    free(lab);
}

const struct exec_kind *exec_kind(const struct exec_lab *lab, unsigned i)
{
    return &lab->kinds[i];
}

unsigned exec_kind_count(const struct exec_lab *lab)
{
    return lab->count;
}

/* ---- running
 * ---------------------------------------------------------------------------------------------------- */

static enum sw_status oracle_all(struct exec_lab *lab, const struct exec_case *test,
                                 const struct ptx_module *module, const uint64_t *symbols,
                                 struct sw_error *error)
{
    enum sw_status status = SW_OK;
    for (unsigned l = 0; l < test->launch_count && status == SW_OK; l++) {
        const struct exec_launch *from = &test->launches[l];
        uint8_t params[4096] = {0};
        const struct ptx_function *function = ptx_find_function(module, from->kernel);
        if (!function) return sw_fail(error, SW_NOT_FOUND, "no kernel '%s'", from->kernel);
        exec_pack_params(from, function, params);
        struct oracle_launch launch = {.module = module,
                                       .kernel = from->kernel,
                                       .dynamic_shared_bytes = from->shared,
                                       .params = params,
                                       .symbols = symbols,
                                       .together = from->together || from->resident,
                                       .print = print,
                                       .user = &lab->output};
        memcpy(launch.grid, from->grid, sizeof launch.grid);
        memcpy(launch.block, from->block, sizeof launch.block);
        status = oracle_run(&launch, error);
    }
    return status;
}

static enum sw_status compiled_all(struct engine *engine, const struct exec_case *test,
                                   struct engine_module *module, const struct exec_kind *kind,
                                   struct exec_detailed *seen, struct sw_error *error)
{
    enum sw_status status = SW_OK;
    for (unsigned l = 0; l < test->launch_count && status == SW_OK; l++) {
        const struct exec_launch *from = &test->launches[l];
        uint8_t params[4096] = {0};
        struct engine_launch launch = {.dynamic_shared_bytes = from->shared,
                                       .params = params,
                                       .cooperative = from->together,
                                       .device = kind->permissions,
                                       .sm_count = 132,
                                       .max_warps_per_sm = 64,
                                       .compute = 90};
        seen->as_oracle = strstr(test->text, "%smid") || strstr(test->text, "%warpid");
        seen->all_resident = from->together || from->resident;
        status = engine_kernel_get(module, from->kernel, &launch.kernel, error);
        if (status != SW_OK) break;
        exec_pack_params(from, engine_kernel_function(launch.kernel), params);
        memcpy(launch.grid, from->grid, sizeof launch.grid);
        memcpy(launch.block, from->block, sizeof launch.block);
        uint32_t float_state = sw_host_float_state(); /* launch as a program linked with -ffast-math does */
        sw_host_float_set(float_state | SW_HOST_FLOAT_FLUSHES); /* flush denormals, in and out */
        status = kind->detailed || kind->counted
                     ? exec_detail_launch(engine, &launch, kind->detailed, seen, error)
                     : engine_launch(engine, &launch, error);
        sw_host_float_set(float_state);
    }
    return status;
}

/* ---- comparing
 * -------------------------------------------------------------------------------------------------- */

static double value_of(uint64_t bits, enum isa_type type)
{
    float single;
    double value = NAN;
    if (type == ISA_F32) {
        memcpy(&single, &bits, 4);
        return single;
    }
    if (type == ISA_F64) memcpy(&value, &bits, 8);
    return value;
}

static bool close_enough(const struct exec_buffer *buffer, uint64_t got, uint64_t wanted)
{
    double a = value_of(got, buffer->type), b = value_of(wanted, buffer->type);
    if (got == wanted) return true;
    if (buffer->relative == 0 && buffer->absolute == 0) return false;
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    if (isinf(a) || isinf(b)) return a == b;
    return fabs(a - b) <= buffer->absolute + buffer->relative * fabs(b);
}

static const char *kind_name(const struct exec_kind *kind)
{
    static const char *const isas[] = {"sse2", "avx2", "avx512"};
    static char text[64];
    snprintf(text, sizeof text, "%s, %u threads%s%s%s%s", isas[kind->isa], kind->threads,
             kind->plain_barriers ? ", plain barriers" : "", kind->generic ? ", generic" : "",
             kind->permissions ? ", permissions" : "",
             kind->detailed  ? ", watched"
             : kind->counted ? ", counted"
                             : "");
    return text;
}

static unsigned compare_buffers(const struct exec_case *test, const struct exec_kind *kind)
{
    for (unsigned b = 0; b < test->buffer_count; b++) {
        const struct exec_buffer *buffer = &test->buffers[b];
        unsigned bytes = isa_type_bits(buffer->type) / 8;
        const uint8_t *at = (const uint8_t *)(uintptr_t)buffer->at;
        unsigned wrong = 0;
        for (uint64_t i = 0; i < buffer->count; i++) {
            uint64_t got = 0, wanted = 0;
            memcpy(&got, at + i * bytes, bytes);
            memcpy(&wanted, buffer->wanted + i * bytes, bytes);
            if (close_enough(buffer, got, wanted)) continue;
            if (wrong++ == 0)
                printf("FAIL %s [%s]: %s[%llu] is %#llx, the oracle has %#llx\n", test->name, kind_name(kind),
                       buffer->name, (unsigned long long)i, (unsigned long long)got,
                       (unsigned long long)wanted);
        }
        if (wrong) {
            printf("     %u of %llu elements differ\n", wrong, (unsigned long long)buffer->count);
            return 1;
        }
    }
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of `text`, sorted. */
static char *sorted_lines(const char *text)
{
    VEC(char *) lines = {0};
    struct str out = {0};
    char *copy = sw_xstrdup(text), *save = NULL;
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        *(char **)vec_push(&lines) = line;
    if (lines.count) qsort(lines.at, lines.count, sizeof *lines.at, by_text);
    for (size_t i = 0; i < lines.count; i++)
        str_printf(&out, "%s\n", lines.at[i]);
    if (!out.text) str_add(&out, "");
    vec_release(&lines);
    free(copy);
    return str_steal(&out);
}

static unsigned compare_output(const struct exec_case *test, const struct exec_kind *kind, const char *got,
                               const char *wanted)
{
    char *a = sorted_lines(got), *b = sorted_lines(wanted);
    bool same = strcmp(a, b) == 0;
    if (!same) printf("FAIL %s [%s]: printed\n%sthe oracle\n%s", test->name, kind_name(kind), a, b);
    free(a);
    free(b);
    return !same;
}

static unsigned compare_failure(const struct exec_case *test, const struct exec_kind *kind,
                                enum sw_status status, const struct sw_error *error)
{
    if (status == test->wanted_status && strstr(error->message, test->wanted_text)) return 0;
    if (status == SW_UNSUPPORTED && getenv("SW_EXEC_REFUSALS")) {
        printf("refused: %s: %s\n", test->name, error->message);
        return 0;
    }
    printf("FAIL %s [%s]: ends with %s: %s\n", test->name, kind_name(kind), sw_status_name(status),
           error->message);
    return 1;
}

/* ---- a case
 * ----------------------------------------------------------------------------------------------------- */

/* Blocks that wait for each other go round their loops as often as it takes. */
static bool is_waiting(const struct exec_case *test)
{
    bool waits = false;
    for (unsigned l = 0; l < test->launch_count; l++)
        waits |= test->launches[l].together || test->launches[l].resident;
    return waits;
}

static bool same_counters(const struct exec_detailed *a, const struct exec_detailed *b)
{
    return a->counters.count == b->counters.count &&
           (!a->counters.count ||
            memcmp(a->counters.at, b->counters.at, a->counters.count * sizeof *a->counters.at) == 0);
}

/* Everybody counts what the first kind counts, and sees what the first simulated one sees. */
static unsigned compare_detailed(struct exec_lab *lab, const struct exec_case *test,
                                 const struct exec_kind *kind, struct exec_detailed *seen)
{
    const char *wrong = seen->wrong;
    if (!kind->detailed && !kind->counted) return 0;
    if (!lab->first.counters.at) {
        lab->first = *seen;
        return 0;
    }
    if (!wrong && !is_waiting(test) && !same_counters(seen, &lab->first))
        wrong = "other counters than those of the first kind";
    if (kind->detailed && !lab->first.rounds) lab->first.rounds = seen->rounds, lab->first.hash = seen->hash;
    if (!wrong && kind->detailed && seen->hash != lab->first.hash)
        wrong = "other streams than the first kind's";
    if (wrong) printf("FAIL %s [%s]: %s\n", test->name, kind_name(kind), wrong);
    vec_release(&seen->counters);
    return wrong != NULL;
}

static unsigned run_kind(struct exec_lab *lab, struct exec_case *test, const struct ptx_module *module,
                         const uint64_t *symbols, unsigned k, const char *wanted_output)
{
    struct engine_module *compiled;
    struct sw_error error = {0};
    const struct exec_kind *kind = &lab->kinds[k];
    exec_buffers_fill(test);
    exec_symbols_fill(module, symbols, false);
    str_clear(&lab->output.text);
    if (engine_module_new(lab->engines[k], module, symbols, &compiled, &error) != SW_OK) return 1;
    struct exec_detailed seen = {0};
    enum sw_status status = compiled_all(lab->engines[k], test, compiled, kind, &seen, &error);
    engine_module_free(compiled);
    if (status != SW_OK || test->wanted_status != SW_OK) return compare_failure(test, kind, status, &error);
    return compare_buffers(test, kind) || compare_detailed(lab, test, kind, &seen) ||
           compare_output(test, kind, str_text(&lab->output.text), wanted_output);
}

static unsigned run_parsed(struct exec_lab *lab, struct exec_case *test, const struct ptx_module *module,
                           uint64_t kinds)
{
    struct sw_error error = {0};
    unsigned failures = 0;
    vec_release(&lab->first.counters);
    lab->first = (struct exec_detailed){0};
    uint64_t *symbols = exec_symbols_make(lab->vmem, module);
    if (!symbols) exit(2);
    exec_buffers_make(lab->vmem, test);
    exec_buffers_fill(test);
    exec_symbols_fill(module, symbols, true);
    str_clear(&lab->output.text);
    bool ask = test->wanted_status == SW_OK; /* kernels that fail are not the oracle's business */
    if (ask && oracle_all(lab, test, module, symbols, &error) != SW_OK) {
        printf("FAIL %s: %s\n", test->name, error.message);
        failures++;
    }
    char *output = sw_xstrdup(str_text(&lab->output.text));
    for (unsigned b = 0; b < test->buffer_count; b++)
        memcpy(test->buffers[b].wanted, (void *)(uintptr_t)test->buffers[b].at, test->buffers[b].bytes);
    for (unsigned k = 0; k < lab->count && !failures; k++)
        if (kinds >> k & 1) failures += run_kind(lab, test, module, symbols, k, output);
    free(output);
    exec_symbols_free(lab->vmem, module, symbols);
    return failures;
}

unsigned exec_case_run(struct exec_lab *lab, struct exec_case *test, uint64_t kinds)
{
    struct ptx_module *module;
    struct sw_error error = {0};
    char text[900];
    if (ptx_parse(test->text, test->length, test->name, &module, &error) != SW_OK) {
        printf("FAIL %s\n", sw_error_format(&error, text, sizeof text));
        return 1;
    }
    if (ptx_verify(module, &error) != SW_OK) {
        printf("FAIL %s\n", sw_error_format(&error, text, sizeof text));
        ptx_module_free(module);
        return 1;
    }
    unsigned failures = run_parsed(lab, test, module, kinds);
    exec_buffers_free(lab->vmem, test);
    ptx_module_free(module);
    return failures;
}

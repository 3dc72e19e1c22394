/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of calls. Each begins with the calls that make a context and an object of the common kinds. The
 * rest are calls of some twenty functions: a few at random, and those that make the handles which these take.
 * Calls have their own seeds, so that a call stays what it is when others are removed. */
#include "api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHOSEN = 40 };

static const char *const FIRST_CALLS[] = {
    "cuInit",
    "cuDevicePrimaryCtxRetain",
    "cuCtxSetCurrent",
    "cuModuleLoadData",
    "cuModuleGetFunction",
    "cuStreamCreate",
    "cuEventCreate",
    "cuMemAlloc_v2",
    "cuMemAllocManaged",
    "cuLibraryLoadData",
    "cuLibraryGetKernel",
    "cuGraphCreate",
    "cudaMalloc",
    "cuMemAlloc_v2",
};

static int function_find(const char *name)
{
    for (unsigned i = 0; i < api_function_count; i++)
        if (strcmp(api_functions[i].name, name) == 0) return (int)i;
    return -1;
}

static const int *first_calls_find(void)
{
    static int found[sizeof FIRST_CALLS / sizeof *FIRST_CALLS];
    static bool done;
    for (unsigned i = 0; i < sizeof FIRST_CALLS / sizeof *FIRST_CALLS && !done; i++)
        found[i] = function_find(FIRST_CALLS[i]);
    done = true;
    return found;
}

/* ---- which functions a sequence calls */

static bool makes(const struct function *function, unsigned handle)
{
    for (unsigned i = 0; i < function->count; i++) {
        const struct type *type = &api_types[function->parameters[i].type];
        if (type->kind != T_POINTER || type->constant) continue;
        const struct type *to = &api_types[type->to];
        if ((to->kind == T_HANDLE || to->kind == T_KEPT) && to->handle == handle) return true;
    }
    return false;
}

static bool takes(const struct function *function, unsigned handle)
{
    for (unsigned i = 0; i < function->count; i++) {
        const struct type *type = &api_types[function->parameters[i].type];
        if (type->kind == T_HANDLE && type->handle == handle) return true;
    }
    return false;
}

static int maker_of(uint64_t *state, unsigned handle)
{
    unsigned many = handle < api_base_handles ? api_base_functions : api_function_count;
    unsigned first = api_below(state, many);
    for (unsigned i = 0; i < many; i++) {
        unsigned f = (first + i) % many;
        if (makes(&api_functions[f], handle)) return (int)f;
    }
    return -1;
}

static unsigned chosen_add(unsigned *chosen, unsigned count, unsigned function, uint64_t *state,
                           unsigned level)
{
    if (count == MOST_CHOSEN) return count;
    chosen[count++] = function;
    for (unsigned i = 0; i < api_functions[function].count && level < 3; i++) {
        const struct type *type = &api_types[api_functions[function].parameters[i].type];
        if (type->kind != T_HANDLE) continue;
        int maker = maker_of(state, type->handle);
        if (maker >= 0) count = chosen_add(chosen, count, (unsigned)maker, state, level + 1);
    }
    return count;
}

/* Calls that end the process's use of a device are rare. */
static bool ends_much(const char *name)
{
    return strstr(name, "CtxReset") || strstr(name, "cudaDeviceReset") || strstr(name, "cuCtxDestroy") ||
           strstr(name, "CtxRelease");
}

/* Objects of compilers belong to one thread at a time. */
static bool is_compiler(unsigned function)
{
    return strncmp(api_functions[function].name, "nv", 2) == 0;
}

/* A call starts clang, so that a few of them are enough. */
static bool is_slow(unsigned function)
{
    return strcmp(api_functions[function].name, "nvrtcCompileProgram") == 0;
}

struct range { /* functions of which most are chosen */
    unsigned first, end;
};

static struct range functions_of(uint64_t *state, bool stand_ins)
{
    struct range range = {0, api_base_functions};
    if (!stand_ins) return range;
    int library = 2 + (int)api_below(state, API_LIBRARIES - 2);
    range.first = api_base_functions;
    while (api_functions[range.first].library != library)
        range.first++;
    range.end = range.first;
    while (range.end < api_function_count && api_functions[range.end].library == library)
        range.end++;
    return range;
}

void api_sequence_make(struct sequence *sequence, uint64_t seed, const struct choice *choice)
{
    static const unsigned BAD[] = {5, 20, 50, 100, 300};
    static const unsigned THREADS[] = {1, 1, 1, 1, 1, 2, 3, 8};
    uint64_t state = seed * 0x2545f4914f6cdd1d + 1;
    unsigned chosen[MOST_CHOSEN], count = 0, firsts = sizeof FIRST_CALLS / sizeof *FIRST_CALLS;
    memset(sequence, 0, sizeof *sequence);
    unsigned bad = BAD[api_below(&state, 5)], length = 10 + api_below(&state, MOST_CALLS - firsts - 10);
    unsigned drawn = THREADS[api_below(&state, 8)], wild = api_below(&state, 3) ? 20 : 500;
    bool bare = api_below(&state, 20) == 0;
    int only = choice->only;
    sequence->threads = choice->threads ? choice->threads : drawn;
    sequence->stand_ins = choice->stand_ins || (only >= 0 && api_functions[only].library > 1);
    struct range range = functions_of(&state, choice->stand_ins);
    const int *first_calls = first_calls_find();
    if (is_compiler(range.first)) sequence->threads = 1;
    for (unsigned i = 0; i < firsts && !bare; i++) {
        int function = first_calls[i];
        if (function < 0) continue;
        sequence->calls[sequence->count++] =
            (struct call){.seed = api_random(&state), .function = (unsigned)function};
    }
    sequence->world = bare ? 0 : (unsigned)api_random(&state) & ((1u << WORLD_GROUPS) - 1);
    unsigned most = 4 + api_below(&state, MOST_CHOSEN - 4);
    if (only >= 0) count = chosen_add(chosen, count, (unsigned)only, &state, 0);
    unsigned theme = api_below(&state, api_base_handles);
    bool has_theme = api_below(&state, 2) && !choice->stand_ins;
    for (unsigned tries = 0; count < most && tries < 100000; tries++) {
        unsigned function = range.first + api_below(&state, range.end - range.first);
        if (choice->stand_ins && api_below(&state, 20) == 0) function = api_below(&state, api_base_functions);
        if (has_theme && !takes(&api_functions[function], theme) && api_below(&state, 20)) continue;
        if (ends_much(api_functions[function].name) && api_below(&state, 4)) continue;
        count = chosen_add(chosen, count, function, &state, 0);
    }
    unsigned slow = 0;
    for (unsigned i = 0; i < length; i++) {
        struct call *call = &sequence->calls[sequence->count++];
        call->seed = api_random(&state);
        call->function = chosen[only >= 0 && api_below(&state, 3) == 0 ? 0 : api_below(&state, count)];
        while (is_slow(call->function) && ++slow > 2)
            call->function = range.first + api_below(&state, range.end - range.first);
        call->thread = api_below(&state, sequence->threads);
        call->bad = bad;
        call->wild = api_below(&state, 1000) < wild;
    }
}

/* ---- running one */

struct part { /* the calls of one thread */
    const struct sequence *sequence;
    void *const *libraries;
    struct progress *progress;
    FILE *print;
    unsigned thread, from, to;
};

static void *entries[MOST_FUNCTIONS]; /* looked up once by a worker, else by each sequence */

static void *entry_of(unsigned function, void *const *libraries)
{
    const struct function *of = &api_functions[function];
    return entries[function] ? entries[function] : dlsym(libraries[of->library], of->name);
}

void api_sequence_prepare(void *const *libraries)
{
    for (unsigned i = 0; i < api_function_count; i++)
        if (libraries[api_functions[i].library]) entries[i] = entry_of(i, libraries);
}

static void call_run(const struct part *part, unsigned at)
{
    const struct call *call = &part->sequence->calls[at];
    const struct function *function = &api_functions[call->function];
    struct values v = {.state = call->seed, .bad = call->bad, .wild = call->wild, .print = part->print};
    void *arguments[MOST_PARAMETERS] = {0};
    char expressions[MOST_PARAMETERS][EXPRESSION];
    void *entry = entry_of(call->function, part->libraries);
    if (!entry) return;
    if (v.print) fprintf(v.print, "{   /* %u */\n", at);
    api_values_make(&v, function, arguments, expressions);
    if (v.waits) part->progress->waits = true;
    if (v.print) {
        fprintf(v.print, "    %s(", function->name);
        for (unsigned i = 0; i < function->count; i++)
            fprintf(v.print, "%s%s", i ? ", " : "", expressions[i]);
        fprintf(v.print, ");");
        fflush(v.print);
    }
    part->progress->at[part->thread] = (int)at;
    part->progress->called[call->function] = 1;
    part->progress->calls++;
    int result = function->call(entry, arguments);
    if (result == 0) part->progress->succeeded[call->function] = 1;
    if (v.print) fprintf(v.print, " /* %d */\n", result);
    if (result == 0) api_values_keep(&v, function, arguments);
    if (v.print) fprintf(v.print, "}\n");
}

static void *part_run(void *user)
{
    const struct part *part = user;
    for (unsigned i = part->from; i < part->to; i++)
        if (part->sequence->calls[i].thread == part->thread && !part->sequence->calls[i].removed)
            call_run(part, i);
    return NULL;
}

void api_sequence_run(const struct sequence *sequence, void *const *libraries, struct progress *progress,
                      FILE *print)
{
    pthread_t threads[MOST_THREADS];
    struct part parts[MOST_THREADS];
    unsigned firsts = 0;
    while (firsts < sequence->count && !sequence->calls[firsts].bad)
        firsts++;
    parts[0] = (struct part){sequence, libraries, progress, print, 0, 0, firsts};
    part_run(&parts[0]);
    for (unsigned i = 0; i < WORLD_GROUPS && print; i++)
        if (sequence->world >> i & 1) fprintf(print, "/* made: %s */\n", api_world_names[i]);
    if (print) fflush(print);
    if (sequence->world) api_world_make(libraries[0], sequence->world);
    for (unsigned t = 0; t < sequence->threads; t++) {
        parts[t] = (struct part){sequence, libraries, progress, print, t, firsts, sequence->count};
        if (t && pthread_create(&threads[t], NULL, part_run, &parts[t]) != 0) abort();
    }
    part_run(&parts[0]);
    for (unsigned t = 1; t < sequence->threads; t++)
        pthread_join(threads[t], NULL);
}

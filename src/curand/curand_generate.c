/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the calls that generate. Method: a generator of the host computes at once; one of the device
 * queues a routine that writes the numbers when its turn comes, and goes on from the state that it finds
 * then. */
#include "curand_priv.h"

#include <stdio.h>

struct work {
    struct curand_state *state;
    struct random_call call;
    size_t bytes;
};

static int run(const void *args)
{
    const struct work *work = args;
    pthread_mutex_lock(&work->state->lock);
    random_generate(work->state->generator, &work->call);
    pthread_mutex_unlock(&work->state->lock);
    return 0;
}

static bool range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct work *work = args;
    if (i > 0) return false;
    *out = (struct event_routine_range){.address = (uintptr_t)work->call.out,
                                        .pitch = work->bytes,
                                        .width = work->bytes,
                                        .height = 1,
                                        .writes = true};
    return true;
}

static const char *const NAMES[RANDOM_KINDS] = {[RANDOM_XORWOW] = "XORWOW",
                                                [RANDOM_MRG32K3A] = "MRG32k3a",
                                                [RANDOM_MTGP32] = "MTGP32",
                                                [RANDOM_MT19937] = "MT19937",
                                                [RANDOM_PHILOX] = "Philox4x32-10",
                                                [RANDOM_SOBOL32] = "Sobol32",
                                                [RANDOM_SCRAMBLED32] = "scrambled Sobol32",
                                                [RANDOM_SOBOL64] = "Sobol64",
                                                [RANDOM_SCRAMBLED64] = "scrambled Sobol64"};

static uint64_t model_of(enum random_kind kind)
{
    static const uint8_t GENERATORS[RANDOM_KINDS] = {
        [RANDOM_XORWOW] = EVENT_RANDOM_XORWOW,       [RANDOM_MRG32K3A] = EVENT_RANDOM_MRG32K3A,
        [RANDOM_MTGP32] = EVENT_RANDOM_MTGP32,       [RANDOM_MT19937] = EVENT_RANDOM_MT19937,
        [RANDOM_PHILOX] = EVENT_RANDOM_PHILOX,       [RANDOM_SOBOL32] = EVENT_RANDOM_SOBOL32,
        [RANDOM_SCRAMBLED32] = EVENT_RANDOM_SOBOL32, [RANDOM_SOBOL64] = EVENT_RANDOM_SOBOL64,
        [RANDOM_SCRAMBLED64] = EVENT_RANDOM_SOBOL64};
    return GENERATORS[kind];
}

static uint64_t numbers_of(const struct random_call *call)
{
    enum { LARGE = 100 };
    static const uint8_t NUMBERS[RANDOM_DISTRIBUTIONS] = {
        [RANDOM_BITS] = EVENT_RANDOM_BITS,
        [RANDOM_UNIFORM] = EVENT_RANDOM_UNIFORM,
        [RANDOM_UNIFORM_DOUBLE] = EVENT_RANDOM_UNIFORM_DOUBLE,
        [RANDOM_NORMAL] = EVENT_RANDOM_NORMAL,
        [RANDOM_NORMAL_DOUBLE] = EVENT_RANDOM_NORMAL_DOUBLE,
        [RANDOM_LOG_NORMAL] = EVENT_RANDOM_LOG_NORMAL,
        [RANDOM_LOG_NORMAL_DOUBLE] = EVENT_RANDOM_LOG_NORMAL_DOUBLE,
        [RANDOM_POISSON] = EVENT_RANDOM_POISSON,
    };
    if (call->distribution == RANDOM_POISSON && call->mean >= LARGE) return EVENT_RANDOM_POISSON_LARGE;
    return NUMBERS[call->distribution];
}

static void describe(const struct curandGenerator_st *generator, const struct work *work,
                     struct event_routine *out, char *shape, size_t bytes)
{
    snprintf(shape, bytes, "n %zu, %s", work->call.count, NAMES[generator->setup.kind]);
    out->shape = shape;
    out->kind = EVENT_ROUTINE_RANDOM;
    out->math = EVENT_MATH_F32;
    out->m = model_of(generator->setup.kind);
    out->k = numbers_of(&work->call);
    out->n = work->call.count;
    out->batch = generator->setup.dimensions;
    out->wrote_bytes = work->bytes;
}

static bool is_normal(enum random_distribution distribution)
{
    return distribution >= RANDOM_NORMAL && distribution <= RANDOM_LOG_NORMAL_DOUBLE;
}

static curandStatus_t check(const struct curandGenerator_st *generator, const struct random_call *call)
{
    enum random_kind kind = generator->setup.kind;
    bool pairs = kind == RANDOM_XORWOW || kind == RANDOM_MRG32K3A;
    if (random_is_quasi(kind) && call->count % generator->setup.dimensions)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (pairs && is_normal(call->distribution) && call->count % 2) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return CURAND_STATUS_SUCCESS;
}

static bool no_range(const void *args, uint32_t i, struct event_routine_range *out)
{
    (void)args, (void)i, (void)out;
    return false;
}

static int run_nothing(const void *args)
{
    (void)args;
    return 0;
}

/* NVIDIA's starts its lanes with a kernel; here a state is ready when it is made, and the kernel's time
 * remains. */
static curandStatus_t seed(curandGenerator_t generator)
{
    enum random_kind kind = generator->setup.kind;
    bool restarts = generator->restarts;
    char shape[80];
    curand_state_get(generator);
    if (!restarts || generator->on_host || random_is_quasi(kind) || kind == RANDOM_MTGP32)
        return CURAND_STATUS_SUCCESS;
    snprintf(shape, sizeof shape, "%s", NAMES[kind]);
    const struct event_routine_work queued = {.what = {.name = "curandGenerateSeeds",
                                                       .shape = shape,
                                                       .kind = EVENT_ROUTINE_RANDOM,
                                                       .math = EVENT_MATH_F32,
                                                       .m = model_of(kind),
                                                       .k = EVENT_RANDOM_SEEDS,
                                                       .batch = 1},
                                              .run = run_nothing,
                                              .range = no_range};
    return curand_status(routine_submit("libcurand", generator->stream, &queued));
}

CURAND curandGenerateSeeds(curandGenerator_t generator)
{
    CURAND_TRY(curand_enter(generator));
    if (!curand_has_offset(generator) || generator->setup.kind == RANDOM_PHILOX) generator->restarts = true;
    return seed(generator);
}

/* Where a new state goes on: for Philox cuRAND counts turns of four numbers there (observed). */
static void advance(struct curandGenerator_st *generator, size_t count)
{
    enum { SLOTS = 4 };
    if (generator->setup.kind == RANDOM_PHILOX)
        generator->at += (generator->at % SLOTS + count) / SLOTS;
    else
        generator->at += count / generator->setup.dimensions;
}

static curandStatus_t generate(curandGenerator_t generator, const char *name, const struct random_call *call)
{
    char shape[80];
    CURAND_TRY(curand_enter(generator));
    CURAND_TRY(check(generator, call));
    struct work work = {.call = *call,
                        .bytes =
                            sw_product(call->count, random_bytes(generator->setup.kind, call->distribution))};
    CURAND_TRY(seed(generator));
    work.state = curand_state_get(generator);
    advance(generator, call->count);
    if (call->count == 0) return CURAND_STATUS_SUCCESS;
    if (generator->on_host) {
        if (!call->out) return CURAND_STATUS_LAUNCH_FAILURE; /* as for memory that a device does not have */
        run(&work);
        return CURAND_STATUS_SUCCESS;
    }
    struct event_routine_work queued = {
        .what = {.name = name}, .run = run, .range = range, .args = &work, .arg_bytes = sizeof work};
    describe(generator, &work, &queued.what, shape, sizeof shape);
    return curand_status(routine_submit("libcurand", generator->stream, &queued));
}

static curandStatus_t bits(curandGenerator_t generator, const char *name, void *out, size_t count, bool wide)
{
    const struct random_call call = {.distribution = RANDOM_BITS, .out = out, .count = count};
    CURAND_TRY(curand_enter(generator));
    if (random_is_wide(generator->setup.kind) != wide) return CURAND_STATUS_TYPE_ERROR;
    return generate(generator, name, &call);
}

CURAND curandGenerate(curandGenerator_t generator, unsigned int *out, size_t count)
{
    return bits(generator, __func__, out, count, false);
}

CURAND curandGenerateLongLong(curandGenerator_t generator, unsigned long long *out, size_t count)
{
    return bits(generator, __func__, out, count, true);
}

#define UNIFORM(name, distribution_, type)                                                                   \
    CURAND curandGenerate##name(curandGenerator_t generator, type *out, size_t count)                        \
    {                                                                                                        \
        const struct random_call call = {.distribution = (distribution_), .out = out, .count = count};       \
        return generate(generator, __func__, &call);                                                         \
    }
UNIFORM(Uniform, RANDOM_UNIFORM, float)
UNIFORM(UniformDouble, RANDOM_UNIFORM_DOUBLE, double)

#define NORMAL(name, distribution_, type)                                                                    \
    CURAND curandGenerate##name(curandGenerator_t generator, type *out, size_t count, type mean,             \
                                type deviation)                                                              \
    {                                                                                                        \
        const struct random_call call = {.distribution = (distribution_),                                    \
                                         .out = out,                                                         \
                                         .count = count,                                                     \
                                         .mean = (double)mean,                                               \
                                         .deviation = (double)deviation};                                    \
        return generate(generator, __func__, &call);                                                         \
    }
NORMAL(Normal, RANDOM_NORMAL, float)
NORMAL(NormalDouble, RANDOM_NORMAL_DOUBLE, double)
NORMAL(LogNormal, RANDOM_LOG_NORMAL, float)
NORMAL(LogNormalDouble, RANDOM_LOG_NORMAL_DOUBLE, double)

CURAND curandGeneratePoisson(curandGenerator_t generator, unsigned int *out, size_t count, double mean)
{
    enum { MOST = 400000 }; /* observed */
    const struct random_call call = {
        .distribution = RANDOM_POISSON, .out = out, .count = count, .mean = mean};
    CURAND_TRY(curand_enter(generator));
    if (!(mean > 0) || mean > MOST) return CURAND_STATUS_OUT_OF_RANGE;
    return generate(generator, __func__, &call);
}

/* NVIDIA's documents no use of it: its header says that it is internal. */
CURAND curandGeneratePoissonMethod(curandGenerator_t generator, unsigned int *out, size_t count, double mean,
                                   curandMethod_t method)
{
    (void)out, (void)count, (void)mean, (void)method;
    CURAND_TRY(curand_enter(generator));
    routine_refuse(__func__, "");
    return CURAND_STATUS_INTERNAL_ERROR;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Device mathematics as a compiler made it: the kernels of math_kernels.cu, one for each line of
 * math_functions.def.
 *
 *   math_test bounds MODULE VARIANT    errors against long double, and the documents' bounds
 *   math_test record MODULE VARIANT    digests of 4096 results a function, twice, and some of the results
 *   math_test compare MODULE VARIANT FILE DIFFERENCES
 *                                      the same compared with a recording, except for the lines
 *                                      "variant function nan|bits reason" of DIFFERENCES
 *
 * MODULE: PTX. VARIANT: the options that it was compiled with (precise, nofma, rough, fast).
 * SW_MATH_POINTS: points a function (default 8192); SHOW_ULPS=1 prints every error. The program uses the
 * driver API alone, so that it runs on any libcuda. Limits: long double is the reference, so errors of f64
 * are known to about 1/1000 ulp. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_program.h"
#include "device_reference.h"

enum variant { PRECISE, NOFMA, ROUGH, FAST, VARIANTS };
static const char *const variant_names[VARIANTS] = {"precise", "nofma", "rough", "fast"};
enum type { F32, F64, I32, U32, I64, U64 };

struct function {
    const char *name;
    enum type type;
    double low[2], high[2];
    enum spread spread;
    long double (*reference)(long double, long double);
    double (*bound)(enum variant, double);
    uint64_t (*exact)(uint64_t, uint64_t);
};

/* ---- the table */

#define SAME(bound) bound, bound, bound
#define REFERENCE(name, reference, ...)                                                                      \
    static long double reference_##name(long double x, long double y)                                        \
    {                                                                                                        \
        (void)x, (void)y;                                                                                    \
        return reference;                                                                                    \
    }                                                                                                        \
    static double bound_##name(enum variant variant, double x)                                               \
    {                                                                                                        \
        (void)x;                                                                                             \
        const double of[] = {__VA_ARGS__};                                                                   \
        return of[sizeof of == sizeof of[0] || variant < ROUGH ? 0 : variant - ROUGH + 1];                   \
    }
#define F1(name, expression, reference, low, high, spread, ...)    REFERENCE(name, reference, __VA_ARGS__)
#define D1(name, expression, reference, low, high, spread, ...)    REFERENCE(name, reference, __VA_ARGS__)
#define F2(name, expression, reference, l, h, l2, h2, spread, ...) REFERENCE(name, reference, __VA_ARGS__)
#define D2(name, expression, reference, l, h, l2, h2, spread, ...) REFERENCE(name, reference, __VA_ARGS__)
#define I2(name, type, expression)                                                                           \
    static uint64_t exact_##name(uint64_t a, uint64_t b)                                                     \
    {                                                                                                        \
        type x = (type)a, y = (type)b;                                                                       \
        (void)y;                                                                                             \
        return (uint64_t)(type)(expression);                                                                 \
    }
#include "math_functions.def"
#undef F1
#undef D1
#undef F2
#undef D2
#undef I2

#define ROW(name, type, l, h, l2, h2, spread)                                                                \
    {#name, type, {l, l2}, {h, h2}, spread, reference_##name, bound_##name, NULL},
#define F1(name, expression, reference, l, h, spread, ...)         ROW(name, F32, l, h, 1, 2, spread)
#define D1(name, expression, reference, l, h, spread, ...)         ROW(name, F64, l, h, 1, 2, spread)
#define F2(name, expression, reference, l, h, l2, h2, spread, ...) ROW(name, F32, l, h, l2, h2, spread)
#define D2(name, expression, reference, l, h, l2, h2, spread, ...) ROW(name, F64, l, h, l2, h2, spread)
#define int32_t                                                    I32
#define uint32_t                                                   U32
#define int64_t                                                    I64
#define uint64_t                                                   U64
#define I2(name, type, expression)                                 {#name, type, {0, 0}, {0, 0}, EVEN, NULL, NULL, exact_##name},
static const struct function functions[] = {
#include "math_functions.def"
};
#undef int32_t
#undef uint32_t
#undef int64_t
#undef uint64_t
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static unsigned size_of(enum type type)
{
    return type == F32 || type == I32 || type == U32 ? 4 : 8;
}

/* ---- running a kernel */

struct lab {
    CUmodule module;
    CUdeviceptr x, y, out;
    uint64_t *hx, *hy, *hout; /* raw bits; 32-bit types are packed */
    unsigned points;
};

static void lab_open(struct lab *lab, const char *file, unsigned points)
{
    device_open();
    check(cuModuleLoad(&lab->module, file), file);
    lab->points = points;
    CUdeviceptr *device_buffers[] = {&lab->x, &lab->y, &lab->out};
    uint64_t **host_buffers[] = {&lab->hx, &lab->hy, &lab->hout};
    for (int i = 0; i < 3; i++) {
        check(cuMemAlloc(device_buffers[i], 8ull * points), "cuMemAlloc");
        *host_buffers[i] = calloc(points, 8);
    }
}

static void lab_run(struct lab *lab, const char *name, unsigned size)
{
    char kernel[80];
    CUfunction function;
    snprintf(kernel, sizeof kernel, "k_%s", name);
    check(cuModuleGetFunction(&function, lab->module, kernel), kernel);
    check(cuMemcpyHtoD(lab->x, lab->hx, (size_t)size * lab->points), "cuMemcpyHtoD");
    check(cuMemcpyHtoD(lab->y, lab->hy, (size_t)size * lab->points), "cuMemcpyHtoD");
    void *args[] = {&lab->x, &lab->y, &lab->out, &lab->points};
    check(cuLaunchKernel(function, (lab->points + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, args, NULL), kernel);
    check(cuMemcpyDtoH(lab->hout, lab->out, (size_t)size * lab->points), kernel);
}

/* ---- values */

static double value_of(const uint64_t *bits, unsigned i, enum type type)
{
    if (type == F32) return ((const float *)bits)[i];
    return ((const double *)bits)[i];
}

static void put_value(uint64_t *bits, unsigned i, enum type type, double value)
{
    if (type == F32)
        ((float *)bits)[i] = (float)value;
    else
        ((double *)bits)[i] = value;
}

static uint64_t raw_of(const uint64_t *bits, unsigned i, unsigned size)
{
    return size == 4 ? ((const uint32_t *)bits)[i] : bits[i];
}

static void put_raw(uint64_t *bits, unsigned i, unsigned size, uint64_t raw)
{
    if (size == 4)
        ((uint32_t *)bits)[i] = (uint32_t)raw;
    else
        bits[i] = raw;
}

static uint64_t random_bits(void)
{
    uniform();
    return state ^ state >> 29 ^ state << 21;
}

static void fill_interval(struct lab *lab, const struct function *f)
{
    state = 88172645463325252ull;
    for (unsigned i = 0; i < lab->points; i++) {
        put_value(lab->hx, i, f->type, sample(f->low[0], f->high[0], f->spread));
        put_value(lab->hy, i, f->type, sample(f->low[1], f->high[1], f->spread));
    }
}

/* Any bits: every fourth an interesting integer or float. */
static void fill_bits(struct lab *lab, const struct function *f)
{
    static const uint64_t edges[] = {0,         1,          2,         7,          16,         UINT64_MAX,
                                     INT64_MAX, 1ull << 63, INT32_MAX, 1ull << 31, UINT32_MAX, 1000000007};
    static const double values[] = {0.0,   1.0,  -1.0,  0.5,      2.0,       1e-310,
                                    1e-40, 3e38, 1e-38, INFINITY, -INFINITY, NAN};
    unsigned size = size_of(f->type);
    state = 88172645463325252ull;
    for (unsigned i = 0; i < lab->points; i++) {
        put_raw(lab->hx, i, size, random_bits() >> (f->exact && i % 3 == 0 ? i % 64 : 0));
        put_raw(lab->hy, i, size, random_bits() >> (f->exact && i % 5 == 0 ? i % 64 : 0));
        if (i % 4) continue;
        if (f->exact) {
            put_raw(lab->hx, i, size, edges[i / 4 % 12]);
            put_raw(lab->hy, i, size, edges[i / 48 % 12]);
        } else {
            put_value(lab->hx, i, f->type, values[i / 4 % 12]);
            put_value(lab->hy, i, f->type, values[i / 48 % 12]);
        }
    }
}

/* ---- bounds */

static bool overflows(const struct function *f, uint64_t x, uint64_t y)
{
    bool most = f->type == I32 ? (uint32_t)x == 1u << 31 && (uint32_t)y == UINT32_MAX
                               : f->type == I64 && x == 1ull << 63 && y == UINT64_MAX;
    return most;
}

static int check_exact(struct lab *lab, const struct function *f)
{
    unsigned size = size_of(f->type);
    fill_bits(lab, f);
    lab_run(lab, f->name, size);
    for (unsigned i = 0; i < lab->points; i++) {
        uint64_t x = raw_of(lab->hx, i, size), y = raw_of(lab->hy, i, size), got = raw_of(lab->hout, i, size);
        if (overflows(f, x, y)) continue; /* undefined in C */
        uint64_t expected = f->exact(x, y);
        if (size == 4) expected = (uint32_t)expected;
        if (got == expected) continue;
        printf("FAIL %s(%#llx, %#llx): %#llx, expected %#llx\n", f->name, (unsigned long long)x,
               (unsigned long long)y, (unsigned long long)got, (unsigned long long)expected);
        return 1;
    }
    return 0;
}

/* Subnormal operands and results are left out where they are flushed. */
static bool is_flushed(const struct function *f, enum variant variant, double x, double y, long double r)
{
    return f->type == F32 && variant >= ROUGH &&
           (fabs(x) < 0x1p-126 || fabs(y) < 0x1p-126 || fabsl(r) < 0x1p-126L);
}

static double error_of(const struct function *f, double bound, double got, long double expected)
{
    if (bound < 0) return (double)fabsl(got - expected) / -bound; /* of the absolute error allowed */
    return f->type == F32 ? ulps(got, expected, 24, -125) : ulps(got, expected, 53, -1021);
}

/* The documents bound the distance to the correctly rounded result, half an ulp from the exact one. */
static int check_bounds(struct lab *lab, const struct function *f, enum variant variant)
{
    double worst = 0, at[2] = {0, 0};
    int failed = 0;
    fill_interval(lab, f);
    lab_run(lab, f->name, size_of(f->type));
    for (unsigned i = 0; i < lab->points; i++) {
        double x = value_of(lab->hx, i, f->type), y = value_of(lab->hy, i, f->type);
        double got = value_of(lab->hout, i, f->type), bound = f->bound(variant, x);
        long double expected = f->reference(x, y);
        if (is_flushed(f, variant, x, y, expected)) continue;
        double error = error_of(f, bound, got, expected);
        if (!(error <= worst)) worst = error, at[0] = x, at[1] = y;
        double most = bound < 0 ? 1 : bound + 0.5;
        if (isnan(bound) || error <= most) continue;
        if (!failed++)
            printf("FAIL %s %s(%a, %a): %a, expected %La: error %.3f, bound %g\n", variant_names[variant],
                   f->name, x, y, got, expected, error, bound);
    }
    if (getenv("SHOW_ULPS"))
        printf("%-8s %-20s %10.4f at %a, %a\n", variant_names[variant], f->name, worst, at[0], at[1]);
    return failed != 0;
}

/* x * y + x is one fma, or two operations with -fmad=false. */
static int check_contraction(struct lab *lab, enum variant variant)
{
    static const struct function f = {.name = "mul_add", .type = F32, .low = {0.5, 0.5}, .high = {2, 2}};
    int failed = 0;
    fill_interval(lab, &f);
    lab_run(lab, f.name, 4);
    for (unsigned i = 0; i < lab->points; i++) {
        float x = (float)value_of(lab->hx, i, F32), y = (float)value_of(lab->hy, i, F32);
        float product = x * y, got = (float)value_of(lab->hout, i, F32);
        failed += got != (variant == NOFMA ? product + x : fmaf(x, y, x));
    }
    if (failed) printf("FAIL mul_add: %d results are not those of -fmad\n", failed);
    return failed != 0;
}

/* ---- recordings */

enum { RECORDED = 4096, SHOWN = 6 };

static bool is_nan(uint64_t raw, enum type type)
{
    if (type == F32) return (raw & 0x7fffffff) > 0x7f800000;
    return type == F64 && (raw & INT64_MAX) > 0x7ff0000000000000;
}

/* Of all results; numbers: with one NaN for all of them. */
static uint64_t digest(const struct lab *lab, const struct function *f, bool numbers)
{
    unsigned size = size_of(f->type);
    uint64_t hash = 14695981039346656037ull;
    for (unsigned i = 0; i < lab->points; i++) {
        uint64_t raw = raw_of(lab->hout, i, size);
        if (numbers && is_nan(raw, f->type)) raw = 0x7fffffff;
        for (unsigned b = 0; b < size; b++)
            hash = (hash ^ (raw >> 8 * b & 255)) * 1099511628211ull;
    }
    return hash;
}

/* "name, then of points from the interval, and of any bits: digest of numbers, digest, results". */
static void describe(struct lab *lab, const struct function *f, char *line)
{
    unsigned size = size_of(f->type);
    int at = sprintf(line, "%s", f->name);
    for (int pass = f->exact != NULL; pass < 2; pass++) {
        if (pass)
            fill_bits(lab, f);
        else
            fill_interval(lab, f);
        lab_run(lab, f->name, size);
        at += sprintf(line + at, " %016llx %016llx", (unsigned long long)digest(lab, f, true),
                      (unsigned long long)digest(lab, f, false));
        for (unsigned i = 0; i < SHOWN; i++) {
            uint64_t raw = raw_of(lab->hout, i * (lab->points / SHOWN) + i % 4, size);
            at += sprintf(line + at, " %0*llx", (int)size * 2, (unsigned long long)raw);
        }
    }
}

enum difference { NONE, NANS, BITS };
static const char *const difference_names[] = {"-", "nan", "bits"};

/* A line of the list: variant (or *), function, what may differ, why. */
static enum difference listed_difference(const char *file, enum variant variant, const char *name)
{
    char line[512], word[3][128];
    FILE *list = fopen(file, "r");
    enum difference found = NONE;
    while (list && fgets(line, sizeof line, list)) {
        if (sscanf(line, "%127s %127s %127s", word[0], word[1], word[2]) != 3 || strcmp(word[1], name) != 0)
            continue;
        if (strcmp(word[0], variant_names[variant]) == 0 || strcmp(word[0], "*") == 0)
            found = strcmp(word[2], "nan") == 0 ? NANS : BITS;
    }
    if (list) fclose(list);
    return found;
}

/* Words 1 and 3 + SHOWN are the digests of numbers. */
static enum difference difference_of(const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return NONE;
    for (int word = 0; *a && *b; word++) {
        size_t n = strcspn(a, " "), m = strcspn(b, " ");
        if ((word == 1 || word == 3 + SHOWN) && (n != m || strncmp(a, b, n) != 0)) return BITS;
        a += n + (a[n] == ' ');
        b += m + (b[m] == ' ');
    }
    return NANS;
}

static int compare(struct lab *lab, enum variant variant, const char *recording, const char *list)
{
    static char recorded[4096], here[4096];
    FILE *file = fopen(recording, "r");
    int failed = 0, count[3] = {0};
    if (!file) return fprintf(stderr, "no recording %s\n", recording), 2;
    for (int i = 0; i < FUNCTIONS; i++) {
        const char *name = functions[i].name;
        describe(lab, &functions[i], here);
        if (!fgets(recorded, sizeof recorded, file)) recorded[0] = '\0';
        recorded[strcspn(recorded, "\n")] = '\0';
        enum difference found = difference_of(recorded, here), may = listed_difference(list, variant, name);
        count[found]++;
        if (found < may)
            printf("%s %s: %s, no longer %s: mend the list\n", variant_names[variant], name,
                   difference_names[found], difference_names[may]);
        if (found <= may) continue;
        failed++;
        printf("FAIL %s %s: %s\n  recorded %s\n  here     %s\n", variant_names[variant], name,
               difference_names[found], recorded, here);
    }
    fclose(file);
    printf("%s: %d functions equal the recording, %d but for their NaNs, %d differ\n", variant_names[variant],
           count[NONE], count[NANS], count[BITS]);
    return failed != 0;
}

static enum variant variant_named(const char *name)
{
    for (int v = 0; v < VARIANTS; v++)
        if (strcmp(variant_names[v], name) == 0) return (enum variant)v;
    fprintf(stderr, "no variant '%s'\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return fprintf(stderr, "usage: math_test bounds|record|compare MODULE VARIANT [FILE DIFFERENCES]\n"),
               2;
    const char *points = getenv("SW_MATH_POINTS");
    bool bounds = strcmp(argv[1], "bounds") == 0;
    enum variant variant = variant_named(argv[3]);
    struct lab lab;
    int failed = 0;
    lab_open(&lab, argv[2], !bounds ? RECORDED : points ? (unsigned)strtoul(points, NULL, 10) : 8192);
    if (strcmp(argv[1], "compare") == 0 && argc > 5) return compare(&lab, variant, argv[4], argv[5]);
    for (int i = 0; i < FUNCTIONS; i++) {
        static char line[4096];
        if (!bounds) {
            describe(&lab, &functions[i], line);
            puts(line);
        } else {
            failed += functions[i].exact ? check_exact(&lab, &functions[i])
                                         : check_bounds(&lab, &functions[i], variant);
        }
    }
    if (bounds) failed += check_contraction(&lab, variant);
    if (bounds && !failed) puts("ok");
    return failed != 0;
}

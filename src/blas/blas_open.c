/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: finds the host's BLAS library and its functions. Method: dlopen, and dlsym of each name in
 * blas_functions.def. OpenBLAS chooses its code by the processor's model, and takes AVX2 for processors newer
 * than itself: where the processor has AVX-512 it is told so (a product of 1024 by 1024 floats takes half the
 * time on Zen 5 with Debian's 0.3.21). Limits: libraries with 64-bit integers are refused, since their
 * functions have the same names; the library stays open. */
#include "blas_priv.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blas_library blas_library;
static void *opened; /* by dlopen */
static char library_name[160];
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

#if defined(__x86_64__)
static bool has_avx512(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

/* For the time of dlopen alone, and only where nobody chose. Intel's own processors OpenBLAS knows. */
static bool says_core(void)
{
    if (!has_avx512() || getenv("OPENBLAS_CORETYPE") || __builtin_cpu_is("intel")) return false;
    return setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 1) == 0;
}
#else
static bool says_core(void)
{
    return false;
}
#endif

static void *open_first(const char **path)
{
    static const char *const NAMES[] = {"libopenblas.so.0", "libopenblas.so"};
    const char *given = getenv("SOFTWARP_BLAS");
    if (given && *given) {
        *path = given;
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    }
    void *library = NULL;
    bool said = says_core();
    for (size_t i = 0; i < SW_COUNT_OF(NAMES) && !library; i++)
        library = dlopen(*path = NAMES[i], RTLD_NOW | RTLD_LOCAL);
    if (said) unsetenv("OPENBLAS_CORETYPE");
    return library;
}

static void find(void *library, const char *name, void *out)
{
    void *symbol = dlsym(library, name);
    memcpy(out, &symbol, sizeof symbol);
}

void blas_find(const char *name, void *out)
{
    find(opened, name, out);
}

static void find_all(void *library)
{
#define FUNCTION(t, name, result, parameters) find(library, "cblas_" #t #name, &blas_library.t##name);
#define NAMED(name, result, parameters)       find(library, "cblas_" #name, &blas_library.name);
#define FACTOR(t, name, parameters)           find(library, #t #name "_", &blas_library.t##name##_);
#include "blas_functions.def"
#undef FACTOR
#undef FUNCTION
#undef NAMED
}

/* As many threads as kernels have. */
static void set_threads(void *library)
{
    void (*set)(int);
    const char *text = getenv("SOFTWARP_THREADS");
    int threads = text ? atoi(text) : 0;
    find(library, "openblas_set_num_threads", &set);
    if (set && threads > 0) set(threads);
}

static void set_name(void *library, const char *path)
{
    char *(*config)(void), *(*core)(void);
    find(library, "openblas_get_config", &config);
    find(library, "openblas_get_corename", &core);
    if (config && core)
        snprintf(library_name, sizeof library_name, "%.16s, %s", config(), core()); /* "OpenBLAS 0.3.21 " */
    else
        snprintf(library_name, sizeof library_name, "%.150s", path);
}

static enum sw_status open_library(struct sw_error *error)
{
    const char *path = NULL;
    void *library = open_first(&path);
    if (!library)
        return sw_fail(error, SW_FILE_NOT_FOUND,
                       "no BLAS library for the host: %s; install libopenblas0, or name a library with the C "
                       "interface of BLAS in SOFTWARP_BLAS",
                       dlerror());
    find_all(library);
    if (!blas_library.sgemm || dlsym(library, "cblas_sgemm64_"))
        return sw_fail(error, SW_FILE_NOT_FOUND,
                       "%s has not the C interface of BLAS with 32-bit integers (cblas_sgemm)", path);
    opened = library;
    set_threads(library);
    set_name(library, path);
    return SW_OK;
}

enum sw_status blas_open(struct sw_error *error)
{
    static bool tried;
    static enum sw_status status;
    static struct sw_error first;
    pthread_mutex_lock(&open_lock);
    if (!tried) status = open_library(&first);
    tried = true;
    if (status != SW_OK && error) *error = first;
    pthread_mutex_unlock(&open_lock);
    return status;
}

const char *blas_name(void)
{
    return library_name;
}

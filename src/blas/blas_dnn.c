/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products of bytes and of bf16 by oneDNN, where it is installed and the processor has instructions
 * for them. Method: dlopen of what SOFTWARP_DNNL names, or of version 2. Rows of oneDNN are columns here, so
 * it multiplies op(b)' by op(a)'. Bytes are exact only with the processor's instructions that add four
 * products in 32 bits (VNNI); 8-bit floats are bf16 exactly. Limits: x86; version 3, whose interface for
 * matrices is another, is not used; halves, which version 2 does not multiply, are products of floats.
 * Sources: oneDNN's developer guide, dnnl_gemm_s8s8s32 and matmul; enumerations of dnnl_types.h. */
#include "blas_priv.h"

#include "base/base_bits.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { /* definition: dnnl_types.h */
       DNNL_BF16 = 2,
       DNNL_F32 = 3,
       DNNL_CPU = 1,
       DNNL_IN_ORDER = 1,
       DNNL_ARG_SRC = 1,
       DNNL_ARG_DST = 17,
       DNNL_ARG_WEIGHTS = 33,
       DNNL_DIMS = 12,
       ISA_VNNI = 0x67, /* AVX-512 with VNNI */
       ISA_BF16 = 0xe7  /* and with products of bf16 */
};
/* implementation: below, what a call of oneDNN costs is more than it saves (bf16 of order 64: 8 us, 5 by
 * floats) */
static const double LEAST_PRODUCTS = 64.0 * 64 * 64, LEAST_PRODUCTS_BF16 = 96.0 * 96 * 96;

struct dnn_description { /* dnnl_memory_desc_t, of a matrix: 696 bytes in version 2.6 */
    _Alignas(16) unsigned char bytes[2048];
};
struct dnn_operation { /* dnnl_matmul_desc_t: 2800 bytes in version 2.6 */
    _Alignas(16) unsigned char bytes[8192];
};
struct dnn_argument {
    int which;
    void *memory;
};

static struct {
    bool has_bytes, has_bf16;
    int (*gemm_bytes)(char, char, char, int64_t, int64_t, int64_t, float, const int8_t *, int64_t, int8_t,
                      const int8_t *, int64_t, int8_t, float, int32_t *, int64_t, const int32_t *);
    int (*isa)(void);
    void (*set_threads)(int);
    int (*engine_create)(void **, int, size_t);
    int (*stream_create)(void **, void *, unsigned);
    int (*stream_wait)(void *);
    int (*stream_destroy)(void *);
    int (*describe)(void *, int, const int64_t *, int, const int64_t *);
    int (*matmul)(void *, const void *, const void *, const void *, const void *);
    int (*plan)(void **, const void *, const void *, void *, const void *);
    int (*plan_destroy)(void *);
    int (*primitive_create)(void **, const void *);
    int (*primitive_destroy)(void *);
    int (*execute)(const void *, void *, int, const struct dnn_argument *);
    int (*memory_create)(void **, const void *, void *, void *);
    int (*memory_destroy)(void *);
    void *engine;
    int threads;
} dnn;
static pthread_once_t dnn_once = PTHREAD_ONCE_INIT;

/* ---- the library */

static void *open_library(void)
{
    const char *given = getenv("SOFTWARP_DNNL"), *name = given ? given : "libdnnl.so.2";
    return *name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static void find(void *library, const char *name, void *out)
{
    void *symbol = dlsym(library, name);
    memcpy(out, &symbol, sizeof symbol);
}

static void find_matrices(void *library)
{
    find(library, "dnnl_engine_create", &dnn.engine_create);
    find(library, "dnnl_stream_create", &dnn.stream_create);
    find(library, "dnnl_stream_wait", &dnn.stream_wait);
    find(library, "dnnl_stream_destroy", &dnn.stream_destroy);
    find(library, "dnnl_memory_desc_init_by_strides", &dnn.describe);
    find(library, "dnnl_matmul_desc_init", &dnn.matmul);
    find(library, "dnnl_primitive_desc_create", &dnn.plan);
    find(library, "dnnl_primitive_desc_destroy", &dnn.plan_destroy);
    find(library, "dnnl_primitive_create", &dnn.primitive_create);
    find(library, "dnnl_primitive_destroy", &dnn.primitive_destroy);
    find(library, "dnnl_primitive_execute", &dnn.execute);
    find(library, "dnnl_memory_create", &dnn.memory_create);
    find(library, "dnnl_memory_destroy", &dnn.memory_destroy);
}

static bool has_matrices(void)
{
    return dnn.describe && dnn.matmul && dnn.plan && dnn.plan_destroy && dnn.primitive_create &&
           dnn.primitive_destroy && dnn.execute && dnn.memory_create && dnn.memory_destroy &&
           dnn.stream_create && dnn.stream_wait && dnn.stream_destroy && dnn.engine_create &&
           dnn.engine_create(&dnn.engine, DNNL_CPU, 0) == 0;
}

static void open_once(void)
{
    void *library = open_library();
    const char *threads = getenv("SOFTWARP_THREADS");
    if (!library) return;
    find(library, "dnnl_gemm_s8s8s32", &dnn.gemm_bytes);
    find(library, "dnnl_get_effective_cpu_isa", &dnn.isa);
    find(library, "omp_set_num_threads", &dnn.set_threads);
    find_matrices(library);
    int isa = dnn.isa ? dnn.isa() : 0;
    dnn.threads = threads ? atoi(threads) : 0;
    dnn.has_bytes = dnn.gemm_bytes && (isa & ISA_VNNI) == ISA_VNNI;
    dnn.has_bf16 = (isa & ISA_BF16) == ISA_BF16 && has_matrices();
}

/* OpenMP keeps a number for each thread that calls. */
static void say_threads(void)
{
    if (dnn.set_threads && dnn.threads > 0) dnn.set_threads(dnn.threads);
}

static bool is_worth_it(const struct blas_mixed *x, double least)
{
    pthread_once(&dnn_once, open_once);
    return (double)x->m * x->n * x->k >= least;
}

/* ---- bytes */

/* c := alpha * sums + beta * c, modulo 2^32. */
static void add_sums(const struct blas_mixed *x, const uint32_t *sums)
{
    uint32_t alpha = *(const uint32_t *)x->alpha, beta = *(const uint32_t *)x->beta;
    for (int64_t j = 0; j < x->n; j++) {
        uint32_t *c = (uint32_t *)x->c + j * x->ldc;
        for (int64_t i = 0; i < x->m; i++)
            c[i] = alpha * sums[j * x->m + i] + (beta ? beta * c[i] : 0);
    }
}

bool blas_dnn_bytes(const struct blas_mixed *x)
{
    if (!is_worth_it(x, LEAST_PRODUCTS) || !dnn.has_bytes) return false;
    bool plain = *(const uint32_t *)x->alpha == 1 && *(const uint32_t *)x->beta == 0;
    int32_t *sums = plain ? x->c : sw_xmalloc((uint64_t)x->m * (uint64_t)x->n * sizeof *sums);
    char a = x->trans_a == BLAS_N ? 'N' : 'T', b = x->trans_b == BLAS_N ? 'N' : 'T';
    int32_t zero = 0;
    say_threads();
    bool done = dnn.gemm_bytes(b, a, 'F', x->n, x->m, x->k, 1, x->b, x->ldb, 0, x->a, x->lda, 0, 0, sums,
                               plain ? x->ldc : x->m, &zero) == 0;
    if (done && !plain) add_sums(x, (const uint32_t *)sums);
    if (!plain) free(sums);
    return done;
}

/* ---- bf16 */

static bool describe(struct dnn_description *d, int64_t rows, int64_t columns, int type, int64_t row_stride,
                     int64_t column_stride)
{
    int64_t dims[DNNL_DIMS] = {rows, columns}, strides[DNNL_DIMS] = {row_stride, column_stride};
    return dnn.describe(d->bytes, 2, dims, type, strides) == 0;
}

/* dst := src * weights, each where its pointer says. */
static bool multiply(const struct dnn_description d[3], const void *src, const void *weights, float *dst)
{
    void *planned = NULL, *primitive = NULL, *stream = NULL;
    struct dnn_argument arguments[] = {{DNNL_ARG_SRC, NULL}, {DNNL_ARG_WEIGHTS, NULL}, {DNNL_ARG_DST, NULL}};
    void *const at[] = {(void *)(uintptr_t)src, (void *)(uintptr_t)weights, dst};
    struct dnn_operation operation;
    bool done = dnn.matmul(operation.bytes, d[0].bytes, d[1].bytes, NULL, d[2].bytes) == 0 &&
                dnn.plan(&planned, operation.bytes, NULL, dnn.engine, NULL) == 0 &&
                dnn.primitive_create(&primitive, planned) == 0 &&
                dnn.stream_create(&stream, dnn.engine, DNNL_IN_ORDER) == 0;
    for (int i = 0; i < 3 && done; i++)
        done = dnn.memory_create(&arguments[i].memory, d[i].bytes, dnn.engine, at[i]) == 0;
    done = done && dnn.execute(primitive, stream, 3, arguments) == 0 && dnn.stream_wait(stream) == 0;
    for (int i = 0; i < 3; i++)
        if (arguments[i].memory) dnn.memory_destroy(arguments[i].memory);
    if (stream) dnn.stream_destroy(stream);
    if (primitive) dnn.primitive_destroy(primitive);
    if (planned) dnn.plan_destroy(planned);
    return done;
}

bool blas_dnn_has_bf16(const struct blas_mixed *x)
{
    return is_worth_it(x, LEAST_PRODUCTS_BF16) && dnn.has_bf16;
}

bool blas_dnn_bf16(const struct blas_mixed *x, const uint16_t *a, int lda, const uint16_t *b, int ldb,
                   float *sums, int ld)
{
    if (!blas_dnn_has_bf16(x)) return false;
    struct dnn_description d[3] = {0};
    bool plain_a = x->trans_a == BLAS_N, plain_b = x->trans_b == BLAS_N;
    say_threads();
    return describe(&d[0], x->n, x->k, DNNL_BF16, plain_b ? ldb : 1, plain_b ? 1 : ldb) &&
           describe(&d[1], x->k, x->m, DNNL_BF16, plain_a ? lda : 1, plain_a ? 1 : lda) &&
           describe(&d[2], x->n, x->m, DNNL_F32, ld, 1) && multiply(d, b, a, sums);
}

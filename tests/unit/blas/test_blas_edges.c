/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors and matrices at the beginning and at the end of memory: the host's library must not read beyond
 * them, since beside the device's allocations there is none. */
#include "blas/blas_lapack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { REGION = 1 << 20, GUARD = 1 << 16, OPERANDS = 3 };
static char *regions[OPERANDS];

static void *place(int operand, int64_t elements, enum blas_type type, bool at_end)
{
    int64_t bytes = elements * blas_bytes(type);
    return at_end ? regions[operand] + REGION - bytes : regions[operand];
}

static int64_t span(int64_t count, int step)
{
    return (count - 1) * labs(step) + 1;
}

static struct blas_args square(enum blas_type type, int n, int step, bool at_end, const void *one)
{
    return (struct blas_args){.type = type,
                              .trans_a = BLAS_N,
                              .trans_b = BLAS_N,
                              .uplo = BLAS_UPPER,
                              .side = BLAS_LEFT,
                              .diag = BLAS_NON_UNIT,
                              .m = n,
                              .n = n,
                              .k = n,
                              .alpha = one,
                              .beta = one,
                              .a = place(0, (int64_t)n * n, type, at_end),
                              .lda = n,
                              .b = place(1, span(n, step), type, at_end),
                              .ldb = step,
                              .c = place(2, span(n, step), type, at_end),
                              .ldc = step};
}

static void vectors(enum blas_type type, int n, int step, bool at_end, const void *one)
{
    double result[2];
    struct blas_args x = square(type, n, step, at_end, one);
    x.a = place(0, span(n, step), type, at_end);
    x.lda = step;
    assert_true(blas_axpy(&x));
    assert_true(blas_copy(&x));
    assert_true(blas_scal(&x, false));
    x.d = result;
    assert_true(blas_dot(&x, false));
    assert_true(blas_dot(&x, true));
    assert_true(blas_nrm2(&x));
    assert_true(blas_asum(&x));
    int index;
    x.d = &index;
    assert_true(blas_amax(&x, false));
}

static void matrices(enum blas_type type, int n, int step, bool at_end, const void *one)
{
    bool is_complex = type == BLAS_C || type == BLAS_Z;
    for (int op = BLAS_N; op <= BLAS_H; op++) {
        struct blas_args x = square(type, n, step, at_end, one);
        x.trans_a = (enum blas_op)op;
        assert_true(blas_gemv(&x));
    }
    for (int uplo = BLAS_UPPER; uplo <= BLAS_LOWER; uplo++) {
        struct blas_args x = square(type, n, step, at_end, one);
        x.uplo = (enum blas_uplo)uplo;
        assert_true(blas_symv(&x, is_complex));
        assert_true(blas_trv(&x, 'r', false));
        assert_true(blas_trv(&x, 'r', true));
    }
}

static void products(enum blas_type type, int n, bool at_end, const void *one)
{
    struct blas_args x = square(type, n, 1, at_end, one);
    x.b = place(1, (int64_t)n * n, type, at_end);
    x.c = place(2, (int64_t)n * n, type, at_end);
    x.ldb = x.ldc = n;
    assert_true(blas_gemm(&x));
    assert_true(blas_symm(&x, false));
    assert_true(blas_syrk(&x, false));
    assert_true(blas_trmm(&x));
    assert_true(blas_trsm(&x));
}

/* Factorizations and what is solved with them; the matrix is nearly a multiple of the identity. */
static void factors(enum blas_type type, int n, bool at_end)
{
    int info = 0, pivots[128];
    uint32_t bytes = blas_bytes(type), real = blas_bytes(blas_real(type));
    struct blas_matrix a = blas_matrix(place(0, (int64_t)n * n, type, at_end), n);
    struct blas_matrix b = blas_matrix(place(1, (int64_t)n * n, type, at_end), n);
    void *tau = at_end ? regions[2] + REGION - (size_t)n * bytes : regions[2];
    memset(a.at, 0, (size_t)n * (size_t)n * bytes);
    memset(b.at, 0, (size_t)n * (size_t)n * bytes);
    for (int i = 0; i < n; i++)
        if (real == 4)
            *(float *)((char *)a.at + (size_t)(i * n + i) * bytes) = (float)(i + 1);
        else
            *(double *)((char *)a.at + (size_t)(i * n + i) * bytes) = i + 1;
    assert_true(blas_potrf(type, BLAS_CHOLESKY, 'L', n, a, &info));
    assert_int_equal(info, 0);
    assert_true(blas_potrs(type, 'L', n, n, a, b, &info));
    assert_true(blas_potrf(type, BLAS_CHOLESKY_SQUARE, 'L', n, a, &info));
    assert_true(blas_potrf(type, BLAS_CHOLESKY, 'U', n, a, &info));
    assert_true(blas_potrf(type, BLAS_CHOLESKY_INVERT, 'U', n, a, &info));
    assert_true(blas_trtri(type, 'U', 'N', n, a, &info));
    assert_true(blas_lu(type, n, n, a, pivots, &info));
    assert_true(blas_lu_solve(type, 'T', n, n, a, pivots, b, &info));
    assert_true(blas_sytrf(type, 'L', n, a, pivots, &info));
    assert_true(blas_sytrs(type, 'L', n, n, a, pivots, b, &info));
    assert_true(blas_sytri(type, 'L', n, a, pivots, &info));
    assert_true(blas_sytrf(type, 'U', n, a, NULL, &info));
    assert_int_equal(info, 0);
    assert_true(blas_sytrs(type, 'U', n, n, a, NULL, b, &info));
    assert_true(blas_qr(type, n, n, a, tau, &info));
    assert_true(blas_ormqr(type, 'R', 'N', n, n, n, a, tau, b, &info));
    assert_true(blas_orgqr(type, n, n, n, a, tau, &info));
    assert_true(blas_least_squares(type, n, n, n, a, b, &info));
    assert_int_equal(info, 0);
}

/* Forms, eigenvalues and singular values, of zeros and of what these leave. */
static void spectra(enum blas_type type, int n, bool at_end)
{
    static const struct blas_range ALL = {.which = 'A'}, FIRST = {.which = 'I', .low = 1, .high = 1};
    int info = 0, found = 0;
    uint32_t bytes = blas_bytes(type);
    struct blas_matrix a = blas_matrix(place(0, (int64_t)n * n, type, at_end), n);
    struct blas_matrix b = blas_matrix(place(1, (int64_t)n * n, type, at_end), n);
    void *vectors[4];
    for (int i = 0; i < 4; i++) /* the last one at the end */
        vectors[i] = at_end ? regions[2] + REGION - (size_t)(4 - i) * (size_t)n * bytes
                            : regions[2] + (size_t)(i * n) * bytes;
    memset(a.at, 0, (size_t)n * (size_t)n * bytes);
    assert_true(blas_gebrd(type, n, n, a, vectors[0], vectors[1], vectors[2], vectors[3], &info));
    assert_true(blas_orgbr(type, 'Q', n, n, n, a, vectors[2], &info));
    assert_true(blas_sytrd(type, 'L', n, a, vectors[0], vectors[1], vectors[3], &info));
    assert_true(blas_ormtr(type, 'L', 'L', 'N', n, n, a, vectors[3], b, &info));
    assert_true(blas_orgtr(type, 'L', n, a, vectors[3], &info));
    assert_true(blas_syev(type, 'V', &ALL, 'L', n, a, vectors[3], &found, &info));
    assert_int_equal(found, n);
    assert_true(blas_syev(type, 'V', &FIRST, 'U', n, a, vectors[3], &found, &info));
    assert_int_equal(found, 1);
    memset(a.at, 0, (size_t)n * (size_t)n * bytes);
    assert_true(blas_geev(type, n, a, vectors[2], b, &info)); /* eigenvalues: twice the room of real types */
    assert_true(blas_svd(type, 'A', 'A', n, n, a, vectors[3], b, a, &info));
    assert_true(blas_svd(type, 'N', 'S', n, n, a, vectors[3], b, b, &info));
    assert_int_equal(info, 0);
}

static void nothing_is_read_beyond_operands(void **state)
{
    static const int SIZES[] = {1, 2, 3, 5, 8, 15, 16, 17, 33, 64, 127}, STEPS[] = {1, 2, -1, -3};
    static const float ONE_F[2] = {1, 0};
    static const double ONE_D[2] = {1, 0};
    (void)state;
    for (int type = BLAS_S; type <= BLAS_Z; type++)
        for (int end = 0; end < 2; end++)
            for (size_t i = 0; i < SW_COUNT_OF(SIZES); i++) {
                const void *one = type == BLAS_S || type == BLAS_C ? (const void *)ONE_F : ONE_D;
                products((enum blas_type)type, SIZES[i], end, one);
                factors((enum blas_type)type, SIZES[i], end);
                spectra((enum blas_type)type, SIZES[i], end);
                for (size_t s = 0; s < SW_COUNT_OF(STEPS); s++) {
                    vectors((enum blas_type)type, SIZES[i], STEPS[s], end, one);
                    matrices((enum blas_type)type, SIZES[i], STEPS[s], end, one);
                }
            }
}

int main(void)
{
    struct sw_error error = {0};
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_read_beyond_operands)};
    if (blas_open(&error) != SW_OK) {
        print_message("SKIPPED: %s\n", error.message);
        return 77;
    }
    for (int i = 0; i < OPERANDS; i++) {
        char *at = mmap(NULL, REGION + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED || mprotect(at + GUARD, REGION, PROT_READ | PROT_WRITE) != 0) return 1;
        regions[i] = at + GUARD;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

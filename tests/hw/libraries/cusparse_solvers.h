/* SPDX-License-Identifier: Apache-2.0 */
/* Part of cusparse_results.cu: triangular solves, incomplete factorizations, tridiagonal and pentadiagonal
 * systems. */
#ifndef CUSPARSE_SOLVERS_H
#define CUSPARSE_SOLVERS_H

static const cusparseOperation_t SOLVER_OPS[] = {
    CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
static const cudaDataType SOLVER_TYPES[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};

static void solve_vector(const Host &host, cusparseFormat_t format, cudaDataType type, int op, int fill,
                         int diag, int base, int wide)
{
    cudaDataType offsets = wide ? CUDA_R_64I : CUDA_R_32I, indices = wide ? CUDA_R_64I : CUDA_R_32I;
    Matrix a(host, format, type, base, offsets, indices);
    a.set((cusparseFillMode_t)fill, (cusparseDiagType_t)diag);
    Vector x(type, host.rows, 3), y(type, host.rows, 4);
    Scalar alpha(type, 2, 0.5);
    size_t bytes = 0;
    cusparseSpSVDescr_t descr;
    std::string shape = text("%d: %d op %d fill %d diag %d wide %d", format, type, op, fill, diag, wide);
    cusparseOperation_t o = SOLVER_OPS[op];
    cusparseSpSV_createDescr(&descr);
    int status =
        cusparseSpSV_bufferSize(handle, o, alpha, a, x, y, type, CUSPARSE_SPSV_ALG_DEFAULT, descr, &bytes);
    show_value("SpSV_bufferSize", shape, status, (double)bytes);
    Room room(bytes);
    STATUS("SpSV_analysis", shape,
           cusparseSpSV_analysis(handle, o, alpha, a, x, y, type, CUSPARSE_SPSV_ALG_DEFAULT, descr, room));
    SHOW("SpSV_solve", shape,
         cusparseSpSV_solve(handle, o, alpha, a, x, y, type, CUSPARSE_SPSV_ALG_DEFAULT, descr), y.values);
    if (op == 0 && !status) {
        Numbers scaled = a.values.numbers();
        for (auto &v : scaled)
            v *= 2;
        Array values(type, scaled), diagonal(type, Numbers((size_t)host.rows, 8));
        STATUS("SpSV_updateMatrix", shape,
               cusparseSpSV_updateMatrix(handle, descr, values.at, CUSPARSE_SPSV_UPDATE_GENERAL));
        SHOW("SpSV_solve", shape + " updated",
             cusparseSpSV_solve(handle, o, alpha, a, x, y, type, CUSPARSE_SPSV_ALG_DEFAULT, descr), y.values);
        STATUS("SpSV_updateMatrix", shape + " diagonal",
               cusparseSpSV_updateMatrix(handle, descr, diagonal.at, CUSPARSE_SPSV_UPDATE_DIAGONAL));
        SHOW("SpSV_solve", shape + " diagonal",
             cusparseSpSV_solve(handle, o, alpha, a, x, y, type, CUSPARSE_SPSV_ALG_DEFAULT, descr), y.values);
    }
    cusparseSpSV_destroyDescr(descr);
}

static void solve_matrix(const Host &host, cusparseFormat_t format, cudaDataType type, int op_a, int op_b,
                         int orders, int fill, int diag)
{
    const int n = 5;
    const cusparseOrder_t order[] = {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW};
    Matrix a(host, format, type, orders & 1);
    a.set((cusparseFillMode_t)fill, (cusparseDiagType_t)diag);
    Dense b(type, op_b ? n : host.rows, op_b ? host.rows : n, order[orders & 1], 3),
        c(type, host.rows, n, order[orders >> 1], 4);
    Scalar alpha(type, 2, 0.5);
    size_t bytes = 0;
    cusparseSpSMDescr_t descr;
    std::string shape = text("%d: %d ops %d%d", format, type, op_a, op_b) +
                        text(" orders %d fill %d diag %d", orders, fill, diag);
    cusparseOperation_t oa = SOLVER_OPS[op_a], ob = SOLVER_OPS[op_b];
    cusparseSpSM_createDescr(&descr);
    int status = cusparseSpSM_bufferSize(handle, oa, ob, alpha, a, b, c, type, CUSPARSE_SPSM_ALG_DEFAULT,
                                         descr, &bytes);
    show_value("SpSM_bufferSize", shape, status, (double)bytes);
    if (!status) {
        Room room(bytes);
        STATUS("SpSM_analysis", shape,
               cusparseSpSM_analysis(handle, oa, ob, alpha, a, b, c, type, CUSPARSE_SPSM_ALG_DEFAULT, descr,
                                     room));
        SHOW("SpSM_solve", shape,
             cusparseSpSM_solve(handle, oa, ob, alpha, a, b, c, type, CUSPARSE_SPSM_ALG_DEFAULT, descr),
             c.values);
        if (orders == 0 && op_a == 0 && op_b == 0) {
            Numbers scaled = a.values.numbers();
            for (auto &v : scaled)
                v *= 2;
            Array values(type, scaled);
            STATUS("SpSM_updateMatrix", shape,
                   cusparseSpSM_updateMatrix(handle, descr, values.at, CUSPARSE_SPSM_UPDATE_GENERAL));
            SHOW("SpSM_solve", shape + " updated",
                 cusparseSpSM_solve(handle, oa, ob, alpha, a, b, c, type, CUSPARSE_SPSM_ALG_DEFAULT, descr),
                 c.values);
        }
    }
    cusparseSpSM_destroyDescr(descr);
}

/* What all four types have. */
#define FACTORS(L, T, TYPE)                                                                                  \
    static void factors_##L(const Host &host, int block, int base, bool missing)                             \
    {                                                                                                        \
        cusparseMatDescr_t descr;                                                                            \
        Host with = host;                                                                                    \
        int bytes = 0, position = -7, mb = host.rows / block;                                                \
        if (missing) with.mask[with.at(9, 9)] = 0;                                                           \
        std::string shape = text("block %d base %d missing %d", block, base, missing);                       \
        const cusparseSolvePolicy_t policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;                                \
        cusparseDirection_t dir = base ? CUSPARSE_DIRECTION_COLUMN : CUSPARSE_DIRECTION_ROW;                 \
        Lists csr = csr_of(with, base), bsr = bsr_of(with, base, block, block, !base);                       \
        Array ro(CUDA_R_32I, csr.offsets), ci(CUDA_R_32I, csr.indices), bro(CUDA_R_32I, bsr.offsets),        \
            bci(CUDA_R_32I, bsr.indices);                                                                    \
        int nnz = (int)csr.values.size(), nnzb = (int)bsr.indices.size(), status;                            \
        cusparseCreateMatDescr(&descr);                                                                      \
        cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)base);                                           \
        {                                                                                                    \
            Array v(TYPE, csr.values);                                                                       \
            csrilu02Info_t info;                                                                             \
            cusparseCreateCsrilu02Info(&info);                                                               \
            status = cusparse##L##csrilu02_bufferSize(handle, host.rows, nnz, descr, (T *)v.at, ro, ci,      \
                                                      info, &bytes);                                         \
            show_value(#L "csrilu02_bufferSize", shape, status, bytes);                                      \
            Room room(bytes);                                                                                \
            STATUS(#L "csrilu02_analysis", shape,                                                            \
                   cusparse##L##csrilu02_analysis(handle, host.rows, nnz, descr, (T *)v.at, ro, ci, info,    \
                                                  policy, room));                                            \
            status = cusparseXcsrilu02_zeroPivot(handle, info, &position);                                   \
            show_numbers("csrilu02_zeroPivot", shape + " " #L " analysis", status, Numbers(1, position),     \
                         false);                                                                             \
            SHOW(                                                                                            \
                #L "csrilu02", shape,                                                                        \
                cusparse##L##csrilu02(handle, host.rows, nnz, descr, (T *)v.at, ro, ci, info, policy, room), \
                v);                                                                                          \
            status = cusparseXcsrilu02_zeroPivot(handle, info, &position);                                   \
            show_numbers("csrilu02_zeroPivot", shape + " " #L, status, Numbers(1, position), false);         \
            cusparseDestroyCsrilu02Info(info);                                                               \
        }                                                                                                    \
        {                                                                                                    \
            Array v(TYPE, csr.values);                                                                       \
            csric02Info_t info;                                                                              \
            cusparseCreateCsric02Info(&info);                                                                \
            status = cusparse##L##csric02_bufferSize(handle, host.rows, nnz, descr, (T *)v.at, ro, ci, info, \
                                                     &bytes);                                                \
            show_value(#L "csric02_bufferSize", shape, status, bytes);                                       \
            Room room(bytes);                                                                                \
            STATUS(#L "csric02_analysis", shape,                                                             \
                   cusparse##L##csric02_analysis(handle, host.rows, nnz, descr, (T *)v.at, ro, ci, info,     \
                                                 policy, room));                                             \
            SHOW(#L "csric02", shape,                                                                        \
                 cusparse##L##csric02(handle, host.rows, nnz, descr, (T *)v.at, ro, ci, info, policy, room), \
                 v);                                                                                         \
            status = cusparseXcsric02_zeroPivot(handle, info, &position);                                    \
            show_numbers("csric02_zeroPivot", shape + " " #L, status, Numbers(1, position), false);          \
            cusparseDestroyCsric02Info(info);                                                                \
        }                                                                                                    \
        {                                                                                                    \
            Array v(TYPE, bsr.values);                                                                       \
            bsrilu02Info_t info;                                                                             \
            cusparseCreateBsrilu02Info(&info);                                                               \
            status = cusparse##L##bsrilu02_bufferSize(handle, dir, mb, nnzb, descr, (T *)v.at, bro, bci,     \
                                                      block, info, &bytes);                                  \
            show_value(#L "bsrilu02_bufferSize", shape, status, bytes);                                      \
            Room room(bytes);                                                                                \
            STATUS(#L "bsrilu02_analysis", shape,                                                            \
                   cusparse##L##bsrilu02_analysis(handle, dir, mb, nnzb, descr, (T *)v.at, bro, bci, block,  \
                                                  info, policy, room));                                      \
            SHOW(#L "bsrilu02", shape,                                                                       \
                 cusparse##L##bsrilu02(handle, dir, mb, nnzb, descr, (T *)v.at, bro, bci, block, info,       \
                                       policy, room),                                                        \
                 v);                                                                                         \
            status = cusparseXbsrilu02_zeroPivot(handle, info, &position);                                   \
            show_numbers("bsrilu02_zeroPivot", shape + " " #L, status, Numbers(1, position), false);         \
            cusparseDestroyBsrilu02Info(info);                                                               \
        }                                                                                                    \
        {                                                                                                    \
            Array v(TYPE, bsr.values);                                                                       \
            bsric02Info_t info;                                                                              \
            cusparseCreateBsric02Info(&info);                                                                \
            status = cusparse##L##bsric02_bufferSize(handle, dir, mb, nnzb, descr, (T *)v.at, bro, bci,      \
                                                     block, info, &bytes);                                   \
            show_value(#L "bsric02_bufferSize", shape, status, bytes);                                       \
            Room room(bytes);                                                                                \
            STATUS(#L "bsric02_analysis", shape,                                                             \
                   cusparse##L##bsric02_analysis(handle, dir, mb, nnzb, descr, (T *)v.at, bro, bci, block,   \
                                                 info, policy, room));                                       \
            SHOW(#L "bsric02", shape,                                                                        \
                 cusparse##L##bsric02(handle, dir, mb, nnzb, descr, (T *)v.at, bro, bci, block, info,        \
                                      policy, room),                                                         \
                 v);                                                                                         \
            status = cusparseXbsric02_zeroPivot(handle, info, &position);                                    \
            show_numbers("bsric02_zeroPivot", shape + " " #L, status, Numbers(1, position), false);          \
            cusparseDestroyBsric02Info(info);                                                                \
        }                                                                                                    \
        for (int i = 0; i < (TYPE == CUDA_C_32F ? 12 : 4) && !missing; i++) {                                \
            const int n = 3, ld = host.rows + 2;                                                             \
            cusparseOperation_t op = SOLVER_OPS[i % 3];                                                      \
            Array v(TYPE, bsr.values), x(TYPE, host.rows, 3), y(TYPE, host.rows, 4),                         \
                xs(TYPE, (size_t)ld *n, 3), ys(TYPE, (size_t)ld *n, 4);                                      \
            Scalar alpha(TYPE, 2, 0.5);                                                                      \
            bsrsv2Info_t sv;                                                                                 \
            bsrsm2Info_t sm;                                                                                 \
            std::string s = shape + text(" op %d fill %d diag %d", i % 3, i / 3 % 2, i / 6);                 \
            cusparseSetMatFillMode(descr, (cusparseFillMode_t)(i / 3 % 2));                                  \
            cusparseSetMatDiagType(descr, (cusparseDiagType_t)(i / 6));                                      \
            cusparseCreateBsrsv2Info(&sv);                                                                   \
            cusparseCreateBsrsm2Info(&sm);                                                                   \
            status = cusparse##L##bsrsv2_bufferSize(handle, dir, op, mb, nnzb, descr, (T *)v.at, bro, bci,   \
                                                    block, sv, &bytes);                                      \
            show_value(#L "bsrsv2_bufferSize", s, status, bytes);                                            \
            Room room(bytes);                                                                                \
            STATUS(#L "bsrsv2_analysis", s,                                                                  \
                   cusparse##L##bsrsv2_analysis(handle, dir, op, mb, nnzb, descr, (T *)v.at, bro, bci,       \
                                                block, sv, policy, room));                                   \
            SHOW(#L "bsrsv2_solve", s,                                                                       \
                 cusparse##L##bsrsv2_solve(handle, dir, op, mb, nnzb, (const T *)alpha.bytes, descr,         \
                                           (T *)v.at, bro, bci, block, sv, (T *)x.at, (T *)y.at, policy,     \
                                           room),                                                            \
                 y);                                                                                         \
            status = cusparseXbsrsv2_zeroPivot(handle, sv, &position);                                       \
            show_numbers("bsrsv2_zeroPivot", s + " " #L, status, Numbers(1, position), false);               \
            status = cusparse##L##bsrsm2_bufferSize(handle, dir, op, SOLVER_OPS[0], mb, n, nnzb, descr,      \
                                                    (T *)v.at, bro, bci, block, sm, &bytes);                 \
            show_value(#L "bsrsm2_bufferSize", s, status, bytes);                                            \
            Room other(bytes);                                                                               \
            STATUS(#L "bsrsm2_analysis", s,                                                                  \
                   cusparse##L##bsrsm2_analysis(handle, dir, op, SOLVER_OPS[0], mb, n, nnzb, descr,          \
                                                (T *)v.at, bro, bci, block, sm, policy, other));             \
            SHOW(#L "bsrsm2_solve", s,                                                                       \
                 cusparse##L##bsrsm2_solve(handle, dir, op, SOLVER_OPS[0], mb, n, nnzb,                      \
                                           (const T *)alpha.bytes, descr, (T *)v.at, bro, bci, block, sm,    \
                                           (T *)xs.at, ld, (T *)ys.at, ld, policy, other),                   \
                 ys);                                                                                        \
            cusparseDestroyBsrsv2Info(sv);                                                                   \
            cusparseDestroyBsrsm2Info(sm);                                                                   \
        }                                                                                                    \
        cusparseDestroyMatDescr(descr);                                                                      \
    }                                                                                                        \
    static void bands_##L(int m, int n)                                                                      \
    {                                                                                                        \
        size_t bytes = 0, all = (size_t)m * n;                                                               \
        int ld = m + 2, status;                                                                              \
        std::string shape = text("%d %d", m, n);                                                             \
        Array ds(TYPE, all, 1), dl(TYPE, all, 2), d(TYPE, all, 3), du(TYPE, all, 4), dw(TYPE, all, 5);       \
        Numbers big = d.numbers(), low = dl.numbers(), high = du.numbers(), far = ds.numbers(),              \
                farther = dw.numbers();                                                                      \
        for (size_t i = 0; i < all; i++)                                                                     \
            big[i] += 3;                                                                                     \
        for (int j = 0; j < n; j++)                                                                          \
            low[j] = far[j] = far[all > (size_t)n ? n + j : j] = 0,                                          \
            high[all - 1 - j] = farther[all - 1 - j] = farther[all - 1 - (all > (size_t)n ? n + j : j)] = 0; \
        d.set(big), ds.set(far), dw.set(farther);                                                            \
        Numbers strided_low = dl.numbers(), strided_high = du.numbers();                                     \
        for (int j = 0; j < n; j++)                                                                          \
            strided_low[(size_t)j * m] = 0, strided_high[(size_t)j * m + m - 1] = 0;                         \
        dl.set(strided_low), du.set(strided_high);                                                           \
        {                                                                                                    \
            Array b(TYPE, (size_t)ld *n, 7);                                                                 \
            status = cusparse##L##gtsv2_bufferSizeExt(handle, m, n, (T *)dl.at, (T *)d.at, (T *)du.at,       \
                                                      (T *)b.at, ld, &bytes);                                \
            show_value(#L "gtsv2_bufferSizeExt", shape, status, (double)bytes);                              \
            Room room(bytes);                                                                                \
            SHOW(#L "gtsv2", shape,                                                                          \
                 cusparse##L##gtsv2(handle, m, n, (T *)dl.at, (T *)d.at, (T *)du.at, (T *)b.at, ld, room),   \
                 b);                                                                                         \
        }                                                                                                    \
        {                                                                                                    \
            Array b(TYPE, (size_t)ld *n, 7);                                                                 \
            status = cusparse##L##gtsv2_nopivot_bufferSizeExt(handle, m, n, (T *)dl.at, (T *)d.at,           \
                                                              (T *)du.at, (T *)b.at, ld, &bytes);            \
            show_value(#L "gtsv2_nopivot_bufferSizeExt", shape, status, (double)bytes);                      \
            Room room(bytes);                                                                                \
            SHOW(#L "gtsv2_nopivot", shape,                                                                  \
                 cusparse##L##gtsv2_nopivot(handle, m, n, (T *)dl.at, (T *)d.at, (T *)du.at, (T *)b.at, ld,  \
                                            room),                                                           \
                 b);                                                                                         \
        }                                                                                                    \
        {                                                                                                    \
            Array x(TYPE, all, 7);                                                                           \
            status = cusparse##L##gtsv2StridedBatch_bufferSizeExt(handle, m, (T *)dl.at, (T *)d.at,          \
                                                                  (T *)du.at, (T *)x.at, n, m, &bytes);      \
            show_value(#L "gtsv2StridedBatch_bufferSizeExt", shape, status, (double)bytes);                  \
            Room room(bytes);                                                                                \
            SHOW(#L "gtsv2StridedBatch", shape,                                                              \
                 cusparse##L##gtsv2StridedBatch(handle, m, (T *)dl.at, (T *)d.at, (T *)du.at, (T *)x.at, n,  \
                                                m, room),                                                    \
                 x);                                                                                         \
        }                                                                                                    \
        for (int algorithm = 0; algorithm < 4; algorithm++) {                                                \
            Array x(TYPE, all, 7);                                                                           \
            dl.set(low), d.set(big), du.set(high);                                                           \
            status = cusparse##L##gtsvInterleavedBatch_bufferSizeExt(                                        \
                handle, algorithm, m, (T *)dl.at, (T *)d.at, (T *)du.at, (T *)x.at, n, &bytes);              \
            show_value(#L "gtsvInterleavedBatch_bufferSizeExt", shape + text(" %d", algorithm), status,      \
                       (double)bytes);                                                                       \
            Room room(bytes);                                                                                \
            SHOW(#L "gtsvInterleavedBatch", shape + text(" %d", algorithm),                                  \
                 cusparse##L##gtsvInterleavedBatch(handle, algorithm, m, (T *)dl.at, (T *)d.at, (T *)du.at,  \
                                                   (T *)x.at, n, room),                                      \
                 x);                                                                                         \
        }                                                                                                    \
        for (int algorithm = 0; algorithm < 2; algorithm++) {                                                \
            Array x(TYPE, all, 7);                                                                           \
            ds.set(far), dl.set(low), d.set(big), du.set(high), dw.set(farther);                             \
            status = cusparse##L##gpsvInterleavedBatch_bufferSizeExt(handle, algorithm, m, (T *)ds.at,       \
                                                                     (T *)dl.at, (T *)d.at, (T *)du.at,      \
                                                                     (T *)dw.at, (T *)x.at, n, &bytes);      \
            show_value(#L "gpsvInterleavedBatch_bufferSizeExt", shape + text(" %d", algorithm), status,      \
                       (double)bytes);                                                                       \
            Room room(bytes);                                                                                \
            SHOW(#L "gpsvInterleavedBatch", shape + text(" %d", algorithm),                                  \
                 cusparse##L##gpsvInterleavedBatch(handle, algorithm, m, (T *)ds.at, (T *)dl.at, (T *)d.at,  \
                                                   (T *)du.at, (T *)dw.at, (T *)x.at, n, room),              \
                 x);                                                                                         \
        }                                                                                                    \
    }                                                                                                        \
    static void all_##L()                                                                                    \
    {                                                                                                        \
        Host host = solvable(24, 20, 41), hermitian = solvable(24, 20, 42, true);                            \
        factors_##L(hermitian, 1, 0, false);                                                                 \
        factors_##L(hermitian, 2, 1, false);                                                                 \
        factors_##L(hermitian, 4, 0, false);                                                                 \
        factors_##L(host, 3, 1, false);                                                                      \
        factors_##L(hermitian, 2, 0, true);                                                                  \
        bands_##L(17, 4);                                                                                    \
        bands_##L(200, 3);                                                                                   \
        bands_##L(2, 2);                                                                                     \
    }
FACTORS(S, float, CUDA_R_32F)
FACTORS(D, double, CUDA_R_64F)
FACTORS(C, cuComplex, CUDA_C_32F)
FACTORS(Z, cuDoubleComplex, CUDA_C_64F)

static void solves()
{
    Host host = solvable(40, 12, 31);
    for (int format = 1; format <= 7; format++)
        for (auto type : SOLVER_TYPES)
            for (int i = 0; i < 12; i++)
                if (format != 4 && (format < 5 || i == 0) && (type == CUDA_C_32F || i < 4 || i == 9))
                    solve_vector(host, (cusparseFormat_t)format, type, i % 3, i / 3 % 2, i / 6, i & 1,
                                 format == 3 ? i == 0 : i == 9);
    for (int format = 1; format <= 3; format++)
        for (auto type : SOLVER_TYPES)
            for (int i = 0; i < 36; i++)
                if (type == CUDA_C_32F || i % 8 == 0)
                    solve_matrix(host, (cusparseFormat_t)format, type, i % 3, i / 3 % 3, i / 9, i & 1,
                                 i >> 1 & 1);
}

static void factors()
{
    all_S();
    all_D();
    all_C();
    all_Z();
}
#endif

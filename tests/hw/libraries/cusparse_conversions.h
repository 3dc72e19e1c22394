/* SPDX-License-Identifier: Apache-2.0 */
/* Part of cusparse_results.cu: functions of one type or none, from before the generic ones: products with
 * blocks, conversions, sorts; and calls that are mistakes. */
#ifndef CUSPARSE_CONVERSIONS_H
#define CUSPARSE_CONVERSIONS_H

#include <csetjmp>
#include <csignal>

#define LEGACY(L, T, TYPE)                                                                                   \
    static void legacy_##L(int base)                                                                         \
    {                                                                                                        \
        const int m = 24, n = 18, bytes_most = 1 << 16;                                                      \
        Host host = random_matrix(m, n, 20, 51), other = random_matrix(m, n, 15, 52);                        \
        Lists a = csr_of(host, base), b = csr_of(other, base);                                               \
        Array ro(CUDA_R_32I, a.offsets), ci(CUDA_R_32I, a.indices), v(TYPE, a.values),                       \
            bro(CUDA_R_32I, b.offsets), bci(CUDA_R_32I, b.indices), bv(TYPE, b.values);                      \
        int nnz = (int)a.values.size(), nnzb_other = (int)b.values.size(), total = 0, status, bytes = 0;     \
        size_t size = 0;                                                                                     \
        Scalar alpha(TYPE, 2, 0.5), beta(TYPE, -1, 0.25);                                                    \
        const T *al = (const T *)alpha.bytes, *be = (const T *)beta.bytes;                                   \
        Room room(bytes_most);                                                                               \
        cusparseMatDescr_t descr, plain;                                                                     \
        cusparseCreateMatDescr(&descr);                                                                      \
        cusparseCreateMatDescr(&plain);                                                                      \
        cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)base);                                           \
        for (int dir = 0; dir < 2; dir++) {                                                                  \
            cusparseDirection_t d = (cusparseDirection_t)dir;                                                \
            std::string shape = text("base %d dir %d", base, dir);                                           \
            for (int block = 1; block <= 6; block++) {                                                       \
                if (m % block || n % block) continue;                                                        \
                Lists bsr = bsr_of(host, base, block, block, !dir);                                          \
                Array o(CUDA_R_32I, bsr.offsets), i(CUDA_R_32I, bsr.indices), w(TYPE, bsr.values);           \
                for (int op = 0; op < 3; op++) {                                                             \
                    Array x(TYPE, 24, 3), y(TYPE, 24, 4), xs(TYPE, 24 * 7, 3), ys(TYPE, 26 * 5, 4);          \
                    SHOW(#L "bsrmv", shape + text(" block %d op %d", block, op),                             \
                         cusparse##L##bsrmv(handle, d, (cusparseOperation_t)op, m / block, n / block,        \
                                            (int)bsr.indices.size(), al, descr, (T *)w.at, o, i, block,      \
                                            (T *)x.at, be, (T *)y.at),                                       \
                         y);                                                                                 \
                    SHOW(#L "bsrmm", shape + text(" block %d op %d", block, op),                             \
                         cusparse##L##bsrmm(handle, d, (cusparseOperation_t)0, (cusparseOperation_t)op,      \
                                            m / block, 5, n / block, (int)bsr.indices.size(), al, descr,     \
                                            (T *)w.at, o, i, block, (T *)xs.at, op ? 7 : 20, be, (T *)ys.at, \
                                            26),                                                             \
                         ys);                                                                                \
                }                                                                                            \
                std::vector<int> mask = {1 + base, 3 + base},                                                \
                                 ends(bsr.offsets.begin() + 1, bsr.offsets.end());                           \
                if (m / block >= 4) {                                                                        \
                    Array ma(CUDA_R_32I, mask), en(CUDA_R_32I, ends), x(TYPE, 24, 3), y(TYPE, 24, 4);        \
                    SHOW(#L "bsrxmv", shape + text(" block %d", block),                                      \
                         cusparse##L##bsrxmv(handle, d, (cusparseOperation_t)0, 2, m / block, n / block,     \
                                             (int)bsr.indices.size(), al, descr, (T *)w.at, ma, o, en, i,    \
                                             block, (T *)x.at, be, (T *)y.at),                               \
                         y);                                                                                 \
                }                                                                                            \
                Array co(CUDA_R_32I, zeros(m + 1)), cc(CUDA_R_32I, zeros(bsr.values.size())),                \
                    cv(TYPE, zeros(bsr.values.size()));                                                      \
                SHOW(#L "bsr2csr", shape + text(" block %d", block),                                         \
                     cusparse##L##bsr2csr(handle, d, m / block, n / block, descr, (T *)w.at, o, i, block,    \
                                          plain, (T *)cv.at, co, cc),                                        \
                     cv);                                                                                    \
                show(#L "bsr2csr", shape + text(" block %d", block) + " indices", 0, cc);                    \
            }                                                                                                \
            for (int block = 1; block <= 7; block += 2) { /* sizes that do not divide, too */                \
                int mb = (m + block - 1) / block;                                                            \
                Array o(CUDA_R_32I, zeros(mb + 1));                                                          \
                status = cusparseXcsr2bsrNnz(handle, d, m, n, descr, ro, ci, block, descr, o, &total);       \
                show_value("Xcsr2bsrNnz", shape + text(" block %d ", block) + #L, status, total);            \
                Array i(CUDA_R_32I, zeros(total)), w(TYPE, zeros((size_t)total *block *block));              \
                SHOW(#L "csr2bsr", shape + text(" block %d", block),                                         \
                     cusparse##L##csr2bsr(handle, d, m, n, descr, (T *)v.at, ro, ci, block, descr,           \
                                          (T *)w.at, o, i),                                                  \
                     w);                                                                                     \
                show(#L "csr2bsr", shape + text(" block %d", block) + " indices", 0, i);                     \
                int rb = block, cb = block + 1;                                                              \
                status = cusparse##L##csr2gebsr_bufferSize(handle, d, m, n, descr, (T *)v.at, ro, ci, rb,    \
                                                           cb, &bytes);                                      \
                show_value(#L "csr2gebsr_bufferSize", shape + text(" block %d", block), status, bytes);      \
                Room buffer(bytes);                                                                          \
                status =                                                                                     \
                    cusparseXcsr2gebsrNnz(handle, d, m, n, descr, ro, ci, descr, o, rb, cb, &total, buffer); \
                show_value("Xcsr2gebsrNnz", shape + text(" block %d ", block) + #L, status, total);          \
                Array gi(CUDA_R_32I, zeros(total)), gw(TYPE, zeros((size_t)total *rb *cb));                  \
                SHOW(#L "csr2gebsr", shape + text(" block %d", block),                                       \
                     cusparse##L##csr2gebsr(handle, d, m, n, descr, (T *)v.at, ro, ci, descr, (T *)gw.at, o, \
                                            gi, rb, cb, buffer),                                             \
                     gw);                                                                                    \
                show(#L "csr2gebsr", shape + text(" block %d", block) + " indices", 0, gi);                  \
                int nb = (n + cb - 1) / cb;                                                                  \
                Array co(CUDA_R_32I, zeros((size_t)mb *rb + 1)), cc(CUDA_R_32I, zeros(gw.count)),            \
                    cv(TYPE, zeros(gw.count));                                                               \
                SHOW(#L "gebsr2csr", shape + text(" block %d", block),                                       \
                     cusparse##L##gebsr2csr(handle, d, mb, nb, descr, (T *)gw.at, o, gi, rb, cb, descr,      \
                                            (T *)cv.at, co, cc),                                             \
                     cv);                                                                                    \
                Array so(CUDA_R_32I, zeros(nb + 1)), si(CUDA_R_32I, zeros(total)),                           \
                    sv(TYPE, zeros(gw.count));                                                               \
                status = cusparse##L##gebsr2gebsc_bufferSize(handle, mb, nb, total, (T *)gw.at, o, gi, rb,   \
                                                             cb, &bytes);                                    \
                show_value(#L "gebsr2gebsc_bufferSize", shape + text(" block %d", block), status, bytes);    \
                Room turn(bytes);                                                                            \
                SHOW(#L "gebsr2gebsc", shape + text(" block %d", block),                                     \
                     cusparse##L##gebsr2gebsc(handle, mb, nb, total, (T *)gw.at, o, gi, rb, cb, (T *)sv.at,  \
                                              si, so, CUSPARSE_ACTION_NUMERIC, (cusparseIndexBase_t)base,    \
                                              turn),                                                         \
                     sv);                                                                                    \
                show(#L "gebsr2gebsc", shape + text(" block %d", block) + " indices", 0, si);                \
                int rc = 3, kc = 2, rows = (mb * rb + rc - 1) / rc, count = 0;                               \
                status = cusparse##L##gebsr2gebsr_bufferSize(handle, d, mb, nb, total, descr, (T *)gw.at, o, \
                                                             gi, rb, cb, rc, kc, &bytes);                    \
                show_value(#L "gebsr2gebsr_bufferSize", shape + text(" block %d", block), status, bytes);    \
                Room change(bytes);                                                                          \
                Array no(CUDA_R_32I, zeros(rows + 1));                                                       \
                status = cusparseXgebsr2gebsrNnz(handle, d, mb, nb, total, descr, o, gi, rb, cb, descr, no,  \
                                                 rc, kc, &count, change);                                    \
                show_value("Xgebsr2gebsrNnz", shape + text(" block %d ", block) + #L, status, count);        \
                Array ni(CUDA_R_32I, zeros(count)), nv(TYPE, zeros((size_t)count *rc *kc));                  \
                SHOW(#L "gebsr2gebsr", shape + text(" block %d", block),                                     \
                     cusparse##L##gebsr2gebsr(handle, d, mb, nb, total, descr, (T *)gw.at, o, gi, rb, cb,    \
                                              descr, (T *)nv.at, no, ni, rc, kc, change),                    \
                     nv);                                                                                    \
                show(#L "gebsr2gebsr", shape + text(" block %d", block) + " indices", 0, ni);                \
            }                                                                                                \
            Numbers sparse = host.dense;                                                                     \
            Array dense(TYPE, sparse), per(CUDA_R_32I, zeros(32));                                           \
            status = cusparse##L##nnz(handle, d, n, m, plain, (T *)dense.at, n, per, &total);                \
            show_value(#L "nnz", shape, status, total);                                                      \
            show(#L "nnz", shape + " each", 0, per);                                                         \
        }                                                                                                    \
        std::string shape = text("base %d", base);                                                           \
        {                                                                                                    \
            Scalar tolerance(TYPE, 0.5, 0);                                                                  \
            T tol = *(const T *)tolerance.bytes;                                                             \
            Array per(CUDA_R_32I, zeros(m)), co(CUDA_R_32I, zeros(m + 1));                                   \
            status = cusparse##L##nnz_compress(handle, m, descr, (T *)v.at, ro, per, &total, tol);           \
            show_value(#L "nnz_compress", shape, status, total);                                             \
            Array cc(CUDA_R_32I, zeros(total)), cv(TYPE, zeros(total));                                      \
            SHOW(#L "csr2csr_compress", shape,                                                               \
                 cusparse##L##csr2csr_compress(handle, m, n, descr, (T *)v.at, ci, ro, nnz, per, (T *)cv.at, \
                                               cc, co, tol),                                                 \
                 cv);                                                                                        \
            show(#L "csr2csr_compress", shape + " indices", 0, cc);                                          \
            show(#L "csr2csr_compress", shape + " offsets", 0, co);                                          \
        }                                                                                                    \
        {                                                                                                    \
            Array co(CUDA_R_32I, zeros(m + 1));                                                              \
            status = cusparse##L##csrgeam2_bufferSizeExt(handle, m, n, al, descr, nnz, (T *)v.at, ro, ci,    \
                                                         be, descr, nnzb_other, (T *)bv.at, bro, bci, plain, \
                                                         NULL, co, NULL, &size);                             \
            show_value(#L "csrgeam2_bufferSizeExt", shape, status, (double)size);                            \
            Room buffer(size);                                                                               \
            status = cusparseXcsrgeam2Nnz(handle, m, n, descr, nnz, ro, ci, descr, nnzb_other, bro, bci,     \
                                          plain, co, &total, buffer);                                        \
            show_value("Xcsrgeam2Nnz", shape + " " #L, status, total);                                       \
            Array cc(CUDA_R_32I, zeros(total)), cv(TYPE, zeros(total));                                      \
            SHOW(#L "csrgeam2", shape,                                                                       \
                 cusparse##L##csrgeam2(handle, m, n, al, descr, nnz, (T *)v.at, ro, ci, be, descr,           \
                                       nnzb_other, (T *)bv.at, bro, bci, plain, (T *)cv.at, co, cc, buffer), \
                 cv);                                                                                        \
            show(#L "csrgeam2", shape + " indices", 0, cc);                                                  \
        }                                                                                                    \
        for (int op = 0; op < 3; op++) {                                                                     \
            std::vector<int> at = {base, base + 3, base + 7, base + 11};                                     \
            Array dense(TYPE, 30 * 20, 1), xv(TYPE, at.size(), 2), xi(CUDA_R_32I, at), y(TYPE, 24, 3);       \
            status = cusparse##L##gemvi_bufferSize(handle, (cusparseOperation_t)op, m, n, 4, &bytes);        \
            show_value(#L "gemvi_bufferSize", shape + text(" op %d", op), status, bytes);                    \
            Room buffer(bytes);                                                                              \
            SHOW(#L "gemvi", shape + text(" op %d", op),                                                     \
                 cusparse##L##gemvi(handle, (cusparseOperation_t)op, m, n, al, (T *)dense.at, 30, 4,         \
                                    (T *)xv.at, xi, be, y.at ? (T *)y.at : NULL, (cusparseIndexBase_t)base,  \
                                    buffer),                                                                 \
                 y);                                                                                         \
        }                                                                                                    \
        {                                                                                                    \
            Lists mixed = a;                                                                                 \
            for (int r = 0; r < m; r++)                                                                      \
                std::reverse(mixed.indices.begin() + a.offsets[r] - base,                                    \
                             mixed.indices.begin() + a.offsets[r + 1] - base);                               \
            Array mi(CUDA_R_32I, mixed.indices), mv(TYPE, a.values);                                         \
            csru2csrInfo_t info;                                                                             \
            cusparseCreateCsru2csrInfo(&info);                                                               \
            status =                                                                                         \
                cusparse##L##csru2csr_bufferSizeExt(handle, m, n, nnz, (T *)mv.at, ro, mi, info, &size);     \
            show_value(#L "csru2csr_bufferSizeExt", shape, status, (double)size);                            \
            Room buffer(size);                                                                               \
            SHOW(#L "csru2csr", shape,                                                                       \
                 cusparse##L##csru2csr(handle, m, n, nnz, descr, (T *)mv.at, ro, mi, info, buffer), mv);     \
            show(#L "csru2csr", shape + " indices", 0, mi);                                                  \
            SHOW(#L "csr2csru", shape,                                                                       \
                 cusparse##L##csr2csru(handle, m, n, nnz, descr, (T *)mv.at, ro, mi, info, buffer), mv);     \
            show(#L "csr2csru", shape + " indices", 0, mi);                                                  \
            cusparseDestroyCsru2csrInfo(info);                                                               \
        }                                                                                                    \
        {                                                                                                    \
            Host square = solvable(30, 10, 61, true);                                                        \
            Lists lists = csr_of(square, base);                                                              \
            Array o(CUDA_R_32I, lists.offsets), i(CUDA_R_32I, lists.indices), w(TYPE, lists.values),         \
                colors(CUDA_R_32I, zeros(30)), order(CUDA_R_32I, zeros(30));                                 \
            cusparseColorInfo_t info;                                                                        \
            cusparseCreateColorInfo(&info);                                                                  \
            fraction_##L fraction = 1;                                                                       \
            int count = 0;                                                                                   \
            STATUS(#L "csrcolor", shape,                                                                     \
                   cusparse##L##csrcolor(handle, 30, (int)lists.values.size(), descr, (T *)w.at, o, i,       \
                                         &fraction, &count, colors, order, info));                           \
            cusparseDestroyColorInfo(info);                                                                  \
        }                                                                                                    \
        cusparseDestroyMatDescr(descr);                                                                      \
        cusparseDestroyMatDescr(plain);                                                                      \
    }
typedef float fraction_S, fraction_C;
typedef double fraction_D, fraction_Z;
LEGACY(S, float, CUDA_R_32F)
LEGACY(D, double, CUDA_R_64F)
LEGACY(C, cuComplex, CUDA_C_32F)
LEGACY(Z, cuDoubleComplex, CUDA_C_64F)

#define PRUNES(L, T, TYPE)                                                                                   \
    static void prunes_##L(int base)                                                                         \
    {                                                                                                        \
        const int m = 24, n = 18;                                                                            \
        Host host = random_matrix(m, n, 40, 53);                                                             \
        Lists a = csr_of(host, 1);                                                                           \
        Array ro(CUDA_R_32I, a.offsets), ci(CUDA_R_32I, a.indices), v(TYPE, a.values),                       \
            dense(TYPE, 30 * n, 9);                                                                          \
        Array co(CUDA_R_32I, zeros(m + 1)), cc(CUDA_R_32I, zeros(m *n)), cv(TYPE, zeros(m *n));              \
        int nnz = (int)a.values.size(), total = 0, status;                                                   \
        size_t size = 0;                                                                                     \
        Scalar threshold(TYPE, 0.5), share(TYPE, 35);                                                        \
        const T *t = (const T *)threshold.bytes;                                                             \
        T percent;                                                                                           \
        std::memcpy(&percent, share.bytes, sizeof percent);                                                  \
        std::string shape = text("base %d", base);                                                           \
        cusparseMatDescr_t from, to;                                                                         \
        pruneInfo_t info;                                                                                    \
        cusparseCreatePruneInfo(&info);                                                                      \
        cusparseCreateMatDescr(&from);                                                                       \
        cusparseCreateMatDescr(&to);                                                                         \
        cusparseSetMatIndexBase(from, CUSPARSE_INDEX_BASE_ONE);                                              \
        cusparseSetMatIndexBase(to, (cusparseIndexBase_t)base);                                              \
        status = cusparse##L##pruneDense2csr_bufferSizeExt(handle, m, n, (T *)dense.at, 30, t, to,           \
                                                           (T *)cv.at, co, cc, &size);                       \
        show_value(#L "pruneDense2csr_bufferSizeExt", shape, status, (double)size);                          \
        Room room(size + 65536);                                                                             \
        status = cusparse##L##pruneDense2csrNnz(handle, m, n, (T *)dense.at, 30, t, to, co, &total, room);   \
        show_value(#L "pruneDense2csrNnz", shape, status, total);                                            \
        SHOW(#L "pruneDense2csr", shape,                                                                     \
             cusparse##L##pruneDense2csr(handle, m, n, (T *)dense.at, 30, t, to, (T *)cv.at, co, cc, room),  \
             cv);                                                                                            \
        status = cusparse##L##pruneCsr2csr_bufferSizeExt(handle, m, n, nnz, from, (T *)v.at, ro, ci, t, to,  \
                                                         (T *)cv.at, co, cc, &size);                         \
        show_value(#L "pruneCsr2csr_bufferSizeExt", shape, status, (double)size);                            \
        status = cusparse##L##pruneCsr2csrNnz(handle, m, n, nnz, from, (T *)v.at, ro, ci, t, to, co, &total, \
                                              room);                                                         \
        show_value(#L "pruneCsr2csrNnz", shape, status, total);                                              \
        SHOW(#L "pruneCsr2csr", shape,                                                                       \
             cusparse##L##pruneCsr2csr(handle, m, n, nnz, from, (T *)v.at, ro, ci, t, to, (T *)cv.at, co,    \
                                       cc, room),                                                            \
             cv);                                                                                            \
        status = cusparse##L##pruneDense2csrByPercentage_bufferSizeExt(                                      \
            handle, m, n, (T *)dense.at, 30, percent, to, (T *)cv.at, co, cc, info, &size);                  \
        show_value(#L "pruneDense2csrByPercentage_bufferSizeExt", shape, status, (double)size);              \
        Room more(size + 65536);                                                                             \
        status = cusparse##L##pruneDense2csrNnzByPercentage(handle, m, n, (T *)dense.at, 30, percent, to,    \
                                                            co, &total, info, more);                         \
        show_value(#L "pruneDense2csrNnzByPercentage", shape, status, total);                                \
        SHOW(#L "pruneDense2csrByPercentage", shape,                                                         \
             cusparse##L##pruneDense2csrByPercentage(handle, m, n, (T *)dense.at, 30, percent, to,           \
                                                     (T *)cv.at, co, cc, info, more),                        \
             cv);                                                                                            \
        status = cusparse##L##pruneCsr2csrByPercentage_bufferSizeExt(                                        \
            handle, m, n, nnz, from, (T *)v.at, ro, ci, percent, to, (T *)cv.at, co, cc, info, &size);       \
        show_value(#L "pruneCsr2csrByPercentage_bufferSizeExt", shape, status, (double)size);                \
        status = cusparse##L##pruneCsr2csrNnzByPercentage(handle, m, n, nnz, from, (T *)v.at, ro, ci,        \
                                                          percent, to, co, &total, info, more);              \
        show_value(#L "pruneCsr2csrNnzByPercentage", shape, status, total);                                  \
        SHOW(#L "pruneCsr2csrByPercentage", shape,                                                           \
             cusparse##L##pruneCsr2csrByPercentage(handle, m, n, nnz, from, (T *)v.at, ro, ci, percent, to,  \
                                                   (T *)cv.at, co, cc, info, more),                          \
             cv);                                                                                            \
        cusparseDestroyPruneInfo(info);                                                                      \
        cusparseDestroyMatDescr(from);                                                                       \
        cusparseDestroyMatDescr(to);                                                                         \
    }
PRUNES(S, float, CUDA_R_32F)
PRUNES(D, double, CUDA_R_64F)
PRUNES(H, __half, CUDA_R_16F)

static void sorts(int base)
{
    const int m = 24, n = 18;
    Host host = random_matrix(m, n, 20, 51);
    Lists a = csr_of(host, base);
    cusparseIndexBase_t b = (cusparseIndexBase_t)base;
    int nnz = (int)a.values.size(), status;
    size_t size = 0;
    std::string shape = text("base %d", base);
    Array ro(CUDA_R_32I, a.offsets), ci(CUDA_R_32I, a.indices), rows(CUDA_R_32I, zeros(nnz)),
        back(CUDA_R_32I, zeros(m + 1)), p(CUDA_R_32I, zeros(nnz));
    SHOW("Xcsr2coo", shape, cusparseXcsr2coo(handle, ro, nnz, m, rows, b), rows);
    SHOW("Xcoo2csr", shape, cusparseXcoo2csr(handle, rows, nnz, m, back, b), back);
    SHOW("CreateIdentityPermutation", shape, cusparseCreateIdentityPermutation(handle, nnz, p), p);
    std::vector<int> r = a.others, c = a.indices, o = a.offsets;
    std::reverse(r.begin(), r.end());
    std::reverse(c.begin(), c.end());
    for (int by = 0; by < 2; by++) {
        Array sr(CUDA_R_32I, r), sc(CUDA_R_32I, c);
        cusparseCreateIdentityPermutation(handle, nnz, p);
        status = cusparseXcoosort_bufferSizeExt(handle, m, n, nnz, sr, sc, &size);
        show_value("Xcoosort_bufferSizeExt", shape, status, (double)size);
        Room room(size);
        status = by ? cusparseXcoosortByColumn(handle, m, n, nnz, sr, sc, p, room)
                    : cusparseXcoosortByRow(handle, m, n, nnz, sr, sc, p, room);
        show("Xcoosort", shape + text(" by %d", by), status, p);
        show("Xcoosort", shape + text(" by %d rows", by), status, sr);
        show("Xcoosort", shape + text(" by %d columns", by), status, sc);
    }
    cusparseMatDescr_t descr;
    cusparseCreateMatDescr(&descr);
    cusparseSetMatIndexBase(descr, b);
    c = a.indices;
    for (int i = 0; i < m; i++)
        std::reverse(c.begin() + o[i] - base, c.begin() + o[i + 1] - base);
    for (int by = 0; by < 2; by++) {
        Array sc(CUDA_R_32I, c);
        cusparseCreateIdentityPermutation(handle, nnz, p);
        status = by ? cusparseXcscsort_bufferSizeExt(handle, n, m, nnz, ro, sc, &size)
                    : cusparseXcsrsort_bufferSizeExt(handle, m, n, nnz, ro, sc, &size);
        show_value("Xcsrsort_bufferSizeExt", shape + text(" by %d", by), status, (double)size);
        Room room(size);
        status = by ? cusparseXcscsort(handle, n, m, nnz, descr, ro, sc, p, room)
                    : cusparseXcsrsort(handle, m, n, nnz, descr, ro, sc, p, room);
        show("Xcsrsort", shape + text(" by %d", by), status, p);
        show("Xcsrsort", shape + text(" by %d columns", by), status, sc);
    }
    cusparseDestroyMatDescr(descr);
    const cudaDataType types[] = {CUDA_R_32F, CUDA_R_64F,  CUDA_C_32F, CUDA_C_64F,
                                  CUDA_R_16F, CUDA_R_16BF, CUDA_R_8I,  CUDA_C_16F};
    for (auto type : types)
        for (int action = 0; action < 2; action++) {
            Array v(type, a.values), cv(type, zeros(nnz)), co(CUDA_R_32I, zeros(n + 1)),
                cr(CUDA_R_32I, zeros(nnz));
            std::string s = shape + text(" %d action %d", type, action);
            status = cusparseCsr2cscEx2_bufferSize(handle, m, n, nnz, v.at, ro, ci, cv.at, co, cr, type,
                                                   (cusparseAction_t)action, b, CUSPARSE_CSR2CSC_ALG1, &size);
            show_value("Csr2cscEx2_bufferSize", s, status, (double)size);
            Room room(size);
            SHOW("Csr2cscEx2", s,
                 cusparseCsr2cscEx2(handle, m, n, nnz, v.at, ro, ci, cv.at, co, cr, type,
                                    (cusparseAction_t)action, b, CUSPARSE_CSR2CSC_ALG1, room),
                 cv);
            show("Csr2cscEx2", s + " rows", 0, cr);
            show("Csr2cscEx2", s + " offsets", 0, co);
        }
}

/* ---- mistakes: what each is answered with */

static sigjmp_buf before_fault;
static void fault(int)
{
    siglongjmp(before_fault, 1);
}

static void mistakes()
{
    int value = 0;
    cusparsePointerMode_t mode;
    cudaStream_t stream;
    cusparseSpMatDescr_t sp = NULL;
    cusparseDnVecDescr_t dv = NULL;
    cusparseDnMatDescr_t dm = NULL;
    cusparseSpVecDescr_t sv = NULL;
    cusparseMatDescr_t descr = NULL;
    const cusparseIndexType_t I32 = CUSPARSE_INDEX_32I, I64 = CUSPARSE_INDEX_64I;
    const cusparseIndexBase_t ZERO = CUSPARSE_INDEX_BASE_ZERO;
    const cudaDataType F = CUDA_R_32F;
    const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE;
    float one = 1;
    size_t bytes = 0;
    Array p(CUDA_R_32I, zeros(64)), q(CUDA_R_32I, zeros(64)), v(F, 64, 1);
#define MISTAKE(call) /* -1: it made the program fault */                                                    \
    do {                                                                                                     \
        int status_ = -1;                                                                                    \
        if (sigsetjmp(before_fault, 1) == 0) status_ = call;                                                 \
        STATUS("Mistake", #call, status_);                                                                   \
    } while (0)
    signal(SIGSEGV, fault);
    MISTAKE(cusparseCreate(NULL));
    MISTAKE(cusparseDestroy(NULL));
    MISTAKE(cusparseGetVersion(NULL, &value));
    MISTAKE(cusparseGetVersion(handle, NULL));
    MISTAKE(cusparseGetProperty(MAJOR_VERSION, NULL));
    MISTAKE(cusparseGetProperty((libraryPropertyType)9, &value));
    MISTAKE(cusparseSetStream(NULL, 0));
    MISTAKE(cusparseGetStream(handle, NULL));
    MISTAKE(cusparseGetStream(NULL, &stream));
    MISTAKE(cusparseSetPointerMode(handle, (cusparsePointerMode_t)7));
    MISTAKE(cusparseGetPointerMode(NULL, &mode));
    cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
    MISTAKE(cusparseCreateMatDescr(NULL));
    cusparseCreateMatDescr(&descr);
    MISTAKE(cusparseSetMatType(descr, (cusparseMatrixType_t)9));
    MISTAKE(cusparseSetMatFillMode(descr, (cusparseFillMode_t)9));
    MISTAKE(cusparseSetMatDiagType(descr, (cusparseDiagType_t)9));
    MISTAKE(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)9));
    MISTAKE(cusparseSetMatIndexBase(NULL, ZERO));
    MISTAKE(cusparseDestroyMatDescr(NULL));
    MISTAKE(cusparseCreateDnVec(NULL, 4, v.at, F));
    MISTAKE(cusparseCreateDnVec(&dv, -1, v.at, F));
    MISTAKE(cusparseCreateDnVec(&dv, 4, NULL, F));
    MISTAKE(cusparseCreateDnVec(&dv, 0, NULL, F));
    MISTAKE(cusparseCreateDnVec(&dv, 4, v.at, (cudaDataType)99));
    MISTAKE(cusparseDestroyDnVec(NULL));
    MISTAKE(cusparseCreateDnMat(&dm, 4, 4, 3, v.at, F, CUSPARSE_ORDER_COL));
    MISTAKE(cusparseCreateDnMat(&dm, 4, 4, 4, v.at, F, (cusparseOrder_t)0));
    MISTAKE(cusparseCreateDnMat(&dm, 4, 4, 4, NULL, F, CUSPARSE_ORDER_COL));
    MISTAKE(cusparseCreateDnMat(&dm, -4, 4, 4, v.at, F, CUSPARSE_ORDER_COL));
    MISTAKE(cusparseCreateDnMat(&dm, 4, 4, 4, v.at, F, CUSPARSE_ORDER_COL));
    MISTAKE(cusparseDnMatSetStridedBatch(dm, 0, 16));
    MISTAKE(cusparseDnMatSetStridedBatch(dm, 2, 8));
    MISTAKE(cusparseDnMatSetStridedBatch(dm, 2, 16));
    MISTAKE(cusparseDnMatSetValues(dm, NULL));
    MISTAKE(cusparseCreateSpVec(&sv, 4, 5, p.at, v.at, I32, ZERO, F));
    MISTAKE(cusparseCreateSpVec(&sv, 4, -1, p.at, v.at, I32, ZERO, F));
    MISTAKE(cusparseCreateSpVec(&sv, 4, 2, NULL, v.at, I32, ZERO, F));
    MISTAKE(cusparseCreateSpVec(&sv, 4, 2, p.at, v.at, (cusparseIndexType_t)9, ZERO, F));
    MISTAKE(cusparseCreateSpVec(&sv, 4, 2, p.at, v.at, CUSPARSE_INDEX_16U, ZERO, F));
    MISTAKE(cusparseCreateSpVec(&sv, 4, 2, p.at, v.at, I32, (cusparseIndexBase_t)4, F));
    MISTAKE(cusparseCreateCsr(&sp, 4, 4, 17, p.at, q.at, v.at, I32, I32, ZERO, F));
    MISTAKE(cusparseCreateCsr(&sp, -4, 4, 4, p.at, q.at, v.at, I32, I32, ZERO, F));
    MISTAKE(cusparseCreateCsr(&sp, 4, 4, 4, NULL, q.at, v.at, I32, I32, ZERO, F));
    MISTAKE(cusparseCreateCsr(&sp, 4, 4, 4, p.at, NULL, v.at, I32, I32, ZERO, F));
    MISTAKE(cusparseCreateCsr(&sp, 4, 4, 4, p.at, q.at, NULL, I32, I32, ZERO, F));
    MISTAKE(cusparseCreateCsr(&sp, 4, 4, 4, p.at, q.at, v.at, I32, I64, ZERO, F));
    MISTAKE(cusparseCreateCsr(&sp, 4, 4, 4, p.at, q.at, v.at, I64, I32, ZERO, F));
    MISTAKE(
        cusparseCreateCsr(&sp, 4, 4, 4, p.at, q.at, v.at, CUSPARSE_INDEX_16U, CUSPARSE_INDEX_16U, ZERO, F));
    MISTAKE(cusparseCreateCsr(&sp, 4, 4, 4, p.at, q.at, v.at, I32, I32, (cusparseIndexBase_t)3, F));
    MISTAKE(cusparseCreateCsr(&sp, 4, 4, 4, p.at, q.at, v.at, I32, I32, ZERO, (cudaDataType)99));
    MISTAKE(cusparseCreateCsr(&sp, 0, 0, 0, NULL, NULL, NULL, I32, I32, ZERO, F));
    MISTAKE(cusparseCreateCoo(&sp, 4, 4, 17, p.at, q.at, v.at, I32, ZERO, F));
    MISTAKE(cusparseCreateBlockedEll(&sp, 8, 8, 3, 4, p.at, v.at, I32, ZERO, F));
    MISTAKE(cusparseCreateBlockedEll(&sp, 8, 8, 4, 12, p.at, v.at, I32, ZERO, F));
    MISTAKE(cusparseCreateBlockedEll(&sp, 8, 8, 0, 4, p.at, v.at, I32, ZERO, F));
    MISTAKE(cusparseCreateBsr(&sp, 2, 2, 5, 2, 2, p.at, q.at, v.at, I32, I32, ZERO, F, CUSPARSE_ORDER_ROW));
    MISTAKE(cusparseCreateBsr(&sp, 2, 2, 3, 0, 2, p.at, q.at, v.at, I32, I32, ZERO, F, CUSPARSE_ORDER_ROW));
    MISTAKE(cusparseCreateBsr(&sp, 2, 2, 3, 2, 3, p.at, q.at, v.at, I32, I32, ZERO, F, CUSPARSE_ORDER_ROW));
    MISTAKE(cusparseCreateSlicedEll(&sp, 4, 4, 3, 2, 2, p.at, q.at, v.at, I32, I32, ZERO, F));
    MISTAKE(cusparseCreateSlicedEll(&sp, 4, 4, 3, 8, 0, p.at, q.at, v.at, I32, I32, ZERO, F));
    cusparseCreateCsr(&sp, 4, 4, 4, p.at, q.at, v.at, I32, I32, ZERO, F);
    MISTAKE(cusparseCsrSetStridedBatch(sp, 0, 5, 4));
    MISTAKE(cusparseCsrSetStridedBatch(sp, 2, 3, 4));
    MISTAKE(cusparseCsrSetStridedBatch(sp, 2, 5, 3));
    MISTAKE(cusparseCooSetStridedBatch(sp, 2, 4));
    MISTAKE(cusparseCscSetPointers(sp, p.at, q.at, v.at));
    MISTAKE(cusparseCsrSetPointers(sp, NULL, q.at, v.at));
    MISTAKE(cusparseSpMatSetValues(sp, NULL));
    MISTAKE(cusparseSpMatGetFormat(sp, NULL));
    MISTAKE(cusparseSpMatSetAttribute(sp, (cusparseSpMatAttribute_t)7, &value, 4));
    MISTAKE(cusparseSpMatSetAttribute(sp, CUSPARSE_SPMAT_FILL_MODE, &value, 8));
    MISTAKE(cusparseSpMatSetAttribute(sp, CUSPARSE_SPMAT_FILL_MODE, NULL, 4));
    value = 9;
    MISTAKE(cusparseSpMatSetAttribute(sp, CUSPARSE_SPMAT_FILL_MODE, &value, 4));
    MISTAKE(cusparseSpMatGetAttribute(sp, CUSPARSE_SPMAT_DIAG_TYPE, &value, 8));
    cusparseDnVecDescr_t small = NULL;
    cusparseDnMatDescr_t narrow = NULL;
    cusparseCreateDnVec(&dv, 4, v.at, F);
    cusparseCreateDnVec(&small, 3, v.at, F);
    cusparseCreateDnMat(&narrow, 4, 3, 4, v.at, F, CUSPARSE_ORDER_COL);
    MISTAKE(cusparseSpMV(NULL, N, &one, sp, dv, &one, dv, F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    MISTAKE(cusparseSpMV(handle, (cusparseOperation_t)5, &one, sp, dv, &one, dv, F, CUSPARSE_SPMV_ALG_DEFAULT,
                         NULL));
    MISTAKE(cusparseSpMV(handle, N, NULL, sp, dv, &one, dv, F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    MISTAKE(cusparseSpMV(handle, N, &one, NULL, dv, &one, dv, F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    MISTAKE(cusparseSpMV(handle, N, &one, sp, NULL, &one, dv, F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    MISTAKE(cusparseSpMV(handle, N, &one, sp, small, &one, dv, F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    MISTAKE(cusparseSpMV(handle, N, &one, sp, dv, &one, small, F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    MISTAKE(cusparseSpMV(handle, N, &one, sp, dv, &one, dv, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    MISTAKE(cusparseSpMV(handle, N, &one, sp, dv, &one, dv, F, (cusparseSpMVAlg_t)55, NULL));
    MISTAKE(cusparseSpMV_bufferSize(handle, N, &one, sp, dv, &one, dv, F, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    MISTAKE(cusparseSpMV_bufferSize(handle, N, NULL, sp, dv, NULL, dv, F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    MISTAKE(cusparseSpMM_bufferSize(handle, N, N, &one, sp, dm, &one, narrow, F, CUSPARSE_SPMM_ALG_DEFAULT,
                                    &bytes));
    MISTAKE(cusparseSpMM_bufferSize(handle, N, CUSPARSE_OPERATION_TRANSPOSE, &one, sp, narrow, &one, narrow,
                                    F, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    MISTAKE(cusparseSpMM(handle, N, N, &one, sp, narrow, NULL, narrow, F, CUSPARSE_SPMM_ALG_DEFAULT, NULL));
    MISTAKE(cusparseSDDMM_bufferSize(handle, N, N, &one, narrow, dm, &one, sp, F, CUSPARSE_SDDMM_ALG_DEFAULT,
                                     &bytes));
    MISTAKE(cusparseSparseToDense_bufferSize(handle, sp, narrow, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
    MISTAKE(cusparseSpSV_createDescr(NULL));
    cusparseSpSVDescr_t spsv;
    cusparseSpSV_createDescr(&spsv);
    MISTAKE(
        cusparseSpSV_bufferSize(handle, N, &one, sp, small, dv, F, CUSPARSE_SPSV_ALG_DEFAULT, spsv, &bytes));
    MISTAKE(cusparseSpSV_bufferSize(handle, N, &one, sp, dv, dv, F, CUSPARSE_SPSV_ALG_DEFAULT, NULL, &bytes));
    MISTAKE(cusparseSpSV_solve(handle, N, &one, sp, dv, dv, F, CUSPARSE_SPSV_ALG_DEFAULT, spsv));
    MISTAKE(cusparseSpSV_updateMatrix(handle, spsv, NULL, CUSPARSE_SPSV_UPDATE_GENERAL));
    MISTAKE(cusparseXcsr2coo(NULL, p, 4, 4, q, ZERO));
    MISTAKE(cusparseXcsr2coo(handle, p, -4, 4, q, ZERO));
    MISTAKE(cusparseXcsr2coo(handle, p, 0, 0, q, ZERO));
    MISTAKE(cusparseXcoo2csr(handle, p, 4, -4, q, ZERO));
    MISTAKE(cusparseCreateIdentityPermutation(handle, 0, p));
    MISTAKE(cusparseCreateIdentityPermutation(handle, -1, p));
    MISTAKE(cusparseXcoosortByRow(handle, 4, 4, -1, p, q, NULL, NULL));
    MISTAKE(cusparseXcoosortByRow(handle, 4, 4, 0, p, q, NULL, NULL));
    MISTAKE(cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, 4, 4, descr, (float *)v.at, 3, p, &value));
    MISTAKE(cusparseSgtsv2_bufferSizeExt(handle, 2, 1, (float *)v.at, (float *)v.at, (float *)v.at,
                                         (float *)v.at, 4, &bytes));
    MISTAKE(cusparseSbsrmv(handle, CUSPARSE_DIRECTION_ROW, N, 2, 2, 1, &one, descr, (float *)v.at, p, q, 0,
                           (float *)v.at, &one, (float *)v.at));
    MISTAKE(cusparseSbsrmv(handle, CUSPARSE_DIRECTION_ROW, N, 2, 2, 1, &one, NULL, (float *)v.at, p, q, 1,
                           (float *)v.at, &one, (float *)v.at));
    MISTAKE(cusparseCsr2cscEx2_bufferSize(handle, 4, 4, -1, v.at, p, q, v.at, p, q, F,
                                          CUSPARSE_ACTION_NUMERIC, ZERO, CUSPARSE_CSR2CSC_ALG1, &bytes));
    MISTAKE(cusparseCsr2cscEx2_bufferSize(handle, 4, 4, 1, v.at, p, q, v.at, p, q, F, CUSPARSE_ACTION_NUMERIC,
                                          ZERO, (cusparseCsr2CscAlg_t)0, &bytes));
    MISTAKE(cusparseLoggerSetLevel(9));
    MISTAKE(cusparseLoggerSetLevel(0));
    MISTAKE(cusparseLoggerSetMask(99));
    MISTAKE(cusparseLoggerSetFile(NULL));
    MISTAKE(cusparseLoggerOpenFile(NULL));
    MISTAKE(cusparseLoggerSetCallback(NULL));
    MISTAKE(cusparseLoggerForceDisable());
    signal(SIGSEGV, SIG_DFL);
    std::printf("Names [%s] 0 0\n", cusparseGetErrorName((cusparseStatus_t)99));
    for (int status = 0; status <= 12; status++)
        std::printf("Names [%d %s: %s] 0 0\n", status, cusparseGetErrorName((cusparseStatus_t)status),
                    cusparseGetErrorString((cusparseStatus_t)status));
    cusparseSpSV_destroyDescr(spsv);
    cusparseDestroySpMat(sp);
    cusparseDestroyDnVec(dv);
    cusparseDestroyDnVec(small);
    cusparseDestroyDnMat(dm);
    cusparseDestroyDnMat(narrow);
    cusparseDestroyMatDescr(descr);
}

static void conversions()
{
    for (int base = 0; base < 2; base++) {
        sorts(base);
        legacy_S(base);
        legacy_D(base);
        legacy_C(base);
        legacy_Z(base);
        prunes_S(base);
        prunes_D(base);
        prunes_H(base);
    }
}
#endif

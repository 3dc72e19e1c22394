/* SPDX-License-Identifier: Apache-2.0 */
/* The native twins of the suite's kernels: what a good programmer writes in C for one thread. */
#ifndef SUITE_NATIVE_H
#define SUITE_NATIVE_H
#include <stdint.h>

/* dense */
void native_gemm(const float *a, const float *b, float *c, int n);
void native_gemm_blocked(const float *a, const float *b, float *c, int n);
void native_gemm_half(const void *a, const void *b, float *scratch, float *c, int n); /* scratch: 2 n n */
float native_dot(const float *x, const float *y, int n);
void native_dot_to(const float *x, const float *y, float *out, int n);
void native_gemv(const float *a, const float *x, float *y, int rows, int cols);
void native_gemv_int8(const int8_t *w, const float *scale, const float *x, float *y, int rows, int cols);
void native_gemv_int4(const uint32_t *w, const float *scale, const float *x, float *y, int rows, int cols);
void native_reduce(const float *in, float *out, int n);
void native_transpose(const float *in, float *out, int n);
void native_softmax(const float *in, float *out, int rows, int cols);
void native_layer_norm(const float *in, const float *gain, const float *bias, float *out, int rows, int cols);
void native_attention(const float *q, const float *k, const float *v, float *out, int heads);
void native_gelu(const float *in, float *out, int n);
void native_embedding(const float *table, const int *token, float *out, int tokens, int width);

/* grid */
void native_stencil5(const float *in, float *out, int w, int h);
void native_stencil7(const float *in, float *out, int n);
void native_box5(const float *in, float *out, int w, int h);
void native_convolve(const float *in, const float *tap, float *out, int n);
void native_separable(const float *in, const float *tap, float *between, float *out, int w, int h);
void native_lbm(const float *f, float *out, int n, float omega);
void native_sobel(const uint8_t *in, uint8_t *out, int w, int h);
void native_median3(const uint8_t *in, uint8_t *out, int w, int h);
void native_resize(const float *in, float *out, int w, int h, int ow, int oh);
void native_floyd_warshall(float *distance, int n);
void native_dct8(const float *in, const float *cosine, float *out, int w, int h);
void native_needleman(const uint8_t *a, const uint8_t *b, int *score, int n);

/* irregular */
void native_spmv(const int *start, const int *column, const float *value, const float *x, float *y, int rows);
void native_spmv_long(const int *start, const int *column, const float *value, const float *x, float *y,
                      int rows);
void native_spmv_ell(const int *column, const float *value, const float *x, float *y, int rows, int width);
void native_bfs_step(const int *start, const int *column, int *level, int nodes, int depth);
void native_histogram(const uint32_t *key, uint32_t *bin, int n);
void native_scan(const uint32_t *in, uint32_t *out, int n);
void native_compact(const float *in, float *out, int n, float limit);
void native_radix_pass(const uint32_t *key, uint32_t *out, int n, int shift);
void native_sort(const uint32_t *in, uint32_t *out, int n);
void native_prefix_max(const float *in, float *out, int n);
void native_gather(const float *in, const int *index, float *out, int n);
void native_scatter(const float *in, const int *place, float *out, int n);
void native_split_vectors(const float *in, float *out, int n);
void native_search(const uint8_t *text, const uint8_t *pattern, uint32_t *count, int n, int length);

/* compute */
void native_black_scholes(const float *unit, float *call, float *put, int n, float rate, float volatility);
void native_binomial(const float *unit, float *value, int options, float up, float up_share,
                     float down_share);
void native_fft(const float *in, const float *root, float *out, int transforms);
void native_monte_carlo(uint32_t *inside, int n, int samples);
void native_kmeans(const float *point, const float *centre, int *nearest, int n);
void native_nbody(const float *body, float *force, int n, float softening);
void native_murmur(const uint32_t *key, uint32_t *hash, int n);
void native_sha256(const uint32_t *message, const uint32_t *round_key, uint32_t *digest, int n);
void native_philox(uint32_t *out, int n, uint32_t seed);
void native_trace_spheres(const float *sphere, float *light, int w, int h, int spheres);
void native_mandelbrot(int *out, int w, int h, int limit);
void native_smith_waterman(const uint8_t *query, const uint8_t *target, int *best, int pairs, int length);
#endif

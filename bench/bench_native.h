/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark's kernels as plain C loops: the better of what a C programmer would write first. One thread.
 */
#ifndef BENCH_NATIVE_H
#define BENCH_NATIVE_H

void native_vadd(const float *restrict x, const float *restrict y, float *restrict z, int n);
void native_matmul(const float *restrict a, const float *restrict b, float *restrict c, int n);
void native_nbody(const float *restrict body, float *restrict force, int n, float softening);
void native_transpose(const float *restrict in, float *restrict out, int n);
void native_mandelbrot(int *restrict out, int w, int h, int limit, float x0, float y0, float dx, float dy);
void native_reduce(const float *restrict in, float *restrict out, int n);
void native_gather(const float *restrict in, const int *restrict index, float *restrict out, int n);
void native_nested(int *restrict out, const int *restrict seed, int n, int limit);
#endif

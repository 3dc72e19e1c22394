/* SPDX-License-Identifier: Apache-2.0 */
/* The native twins of rows.cu (rows_native.c). */
#ifndef ROWS_NATIVE_H
#define ROWS_NATIVE_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
struct point {
    float x, y, z;
};
void native_histogram(uint32_t *bins, const uint32_t *keys, int n, uint32_t mask);
void native_histogram_float(float *bins, const uint32_t *keys, const float *values, int n, uint32_t mask);
void native_points(struct point *out, const struct point *at, const struct point *speed, int n, float dt);
void native_half_fma(uint16_t *out, const uint16_t *a, const uint16_t *b, int n);
void native_half2_axpy(uint16_t *out, const uint16_t *x, const uint16_t *y, int n);
void native_brain_fma(uint16_t *out, const uint16_t *a, const uint16_t *b, int n);
void native_half_round_trip(uint16_t *out, const uint16_t *in, int n);
void native_local_array(uint32_t *out, const uint32_t *in, int n);
void native_sparse(float *y, const int *start, const int *column, const float *value, const float *x,
                   int rows);
void native_block_sums(float *out, const float *in, int n);
void native_count_positive(uint32_t *out, const float *in, int n);
void native_compact(uint32_t *out, uint32_t *count, const float *in, int n);
void native_add_each(float *out, const float *in, int n);
void native_add_each_int(uint32_t *out, const uint32_t *in, int n);
void native_largest(int *out, const uint32_t *in, int n);
void native_high_product(uint64_t *out, const uint32_t *in, int n);
void native_double_functions(double *out, const float *in, int n, int which);
void native_match(uint32_t *out, const uint32_t *in, int n);
void native_bilinear(float *out, const float *image, int width, int height);
int native_print(char *to, int capacity, int n);
#ifdef __cplusplus
}
#endif
#endif

#ifndef CARDFEED_CVECTORSCAN_KERNELS_H
#define CARDFEED_CVECTORSCAN_KERNELS_H

#include "Scan.h"

#if defined(__x86_64__)
#define HAS_X86_KERNELS 1
#else
#define HAS_X86_KERNELS 0
#endif

float portable_product(const float *left, const float *right, uint32_t stride);
float portable_distance(const float *left, const float *right, uint32_t stride);
int32_t portable_codes(const int8_t *left, const int8_t *right, uint32_t code_stride);
void portable_products(
    const cardfeed_vector_block *block, const float *query, const uint32_t *rows, uint32_t count,
    float *scores);
void portable_scan(
    const cardfeed_vector_block *block, const cardfeed_vector_query *query, const uint64_t *kept,
    uint32_t first, cardfeed_best_rows *best);

#if HAS_X86_KERNELS
float avx2_product(const float *left, const float *right, uint32_t stride);
float avx2_distance(const float *left, const float *right, uint32_t stride);
int32_t avx2_codes(const int8_t *left, const int8_t *right, uint32_t code_stride);
void avx2_products(
    const cardfeed_vector_block *block, const float *query, const uint32_t *rows, uint32_t count,
    float *scores);
void avx2_scan(
    const cardfeed_vector_block *block, const cardfeed_vector_query *query, const uint64_t *kept,
    uint32_t first, cardfeed_best_rows *best);

float avx512_product(const float *left, const float *right, uint32_t stride);
float avx512_distance(const float *left, const float *right, uint32_t stride);
int32_t avx512_codes(const int8_t *left, const int8_t *right, uint32_t code_stride);
void avx512_products(
    const cardfeed_vector_block *block, const float *query, const uint32_t *rows, uint32_t count,
    float *scores);
void avx512_scan(
    const cardfeed_vector_block *block, const cardfeed_vector_query *query, const uint64_t *kept,
    uint32_t first, cardfeed_best_rows *best);
#endif

#endif

#include "CVectorScan.h"

#include "Kernels.h"

#include <string.h>

cardfeed_kernel cardfeed_best_kernel(void) {
#if HAS_X86_KERNELS
  // These also ask whether the operating system saves the registers.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vnni")) {
    return CARDFEED_KERNEL_AVX512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return CARDFEED_KERNEL_AVX2;
  }
#endif
  return CARDFEED_KERNEL_PORTABLE;
}

float cardfeed_vector_encode(
    const float *vector, uint32_t stride, uint32_t code_stride, int8_t *codes, float *code_length,
    float *error_length, int32_t *code_sum) {
  float greatest = 0;
  for (uint32_t place = 0; place < stride; place += 1) {
    float size = fabsf(vector[place]);
    greatest = size > greatest ? size : greatest;
  }
  // Below this a scale would lose bits of its own; such a vector is nearly all rounding error.
  float scale = (greatest > 1e-30f ? greatest : 1e-30f) / 127;
  double square_codes = 0, square_error = 0;
  int32_t sum = 0;
  for (uint32_t place = 0; place < stride; place += 1) {
    float scaled = vector[place] / scale;
    float rounded = nearbyintf(scaled);
    rounded = rounded > 127 ? 127 : rounded < -127 ? -127 : rounded;
    double error = (double)vector[place] / scale - rounded;
    codes[place] = (int8_t)rounded;
    sum += (int32_t)rounded;
    square_codes += (double)rounded * rounded;
    square_error += error * error;
  }
  for (uint32_t place = stride; place < code_stride; place += 1) codes[place] = 0;
  // Rounded up, so that a bound stays one.
  *code_length = (float)sqrt(square_codes) * (1 + 0x1p-20f);
  *error_length = (float)sqrt(square_error) * (1 + 0x1p-20f);
  *code_sum = sum;
  return scale;
}

float cardfeed_vector_product(
    cardfeed_kernel kernel, const float *left, const float *right, uint32_t stride) {
  switch (kernel) {
#if HAS_X86_KERNELS
  case CARDFEED_KERNEL_AVX512: return avx512_product(left, right, stride);
  case CARDFEED_KERNEL_AVX2: return avx2_product(left, right, stride);
#endif
  default: return portable_product(left, right, stride);
  }
}

void cardfeed_vector_products(
    cardfeed_kernel kernel, const float *vectors, uint32_t length, const uint32_t *rows,
    uint32_t count, const float *query, float *products) {
  cardfeed_vector_block block = {.vectors = vectors, .stride = length};
  switch (kernel) {
#if HAS_X86_KERNELS
  case CARDFEED_KERNEL_AVX512: avx512_products(&block, query, rows, count, products); return;
  case CARDFEED_KERNEL_AVX2: avx2_products(&block, query, rows, count, products); return;
#endif
  default: portable_products(&block, query, rows, count, products);
  }
}

float cardfeed_vector_square_distance(
    cardfeed_kernel kernel, const float *left, const float *right, uint32_t stride) {
  switch (kernel) {
#if HAS_X86_KERNELS
  case CARDFEED_KERNEL_AVX512: return -avx512_distance(left, right, stride);
  case CARDFEED_KERNEL_AVX2: return -avx2_distance(left, right, stride);
#endif
  default: return -portable_distance(left, right, stride);
  }
}

cardfeed_code_product cardfeed_code_product_of(cardfeed_kernel kernel) {
  switch (kernel) {
#if HAS_X86_KERNELS
  case CARDFEED_KERNEL_AVX512: return avx512_codes;
  case CARDFEED_KERNEL_AVX2: return avx2_codes;
#endif
  default: return portable_codes;
  }
}

uint64_t cardfeed_checksum(uint64_t before, const void *bytes, size_t count) {
  const uint64_t prime = 0x100000001b3u;
  uint64_t hash = before ^ 0xcbf29ce484222325u;
  const uint8_t *next = bytes;
  for (; count > 0;) {
    uint64_t word = 0;
    size_t size = count < 8 ? count : 8;
    memcpy(&word, next, size);
    hash = (hash ^ word) * prime;
    // Without this the upper bits of a word would never reach the lower ones of the checksum.
    hash ^= hash >> 32;
    next += size;
    count -= size;
  }
  return hash ^ 0xcbf29ce484222325u;
}

void cardfeed_vector_scan(
    cardfeed_kernel kernel, const cardfeed_vector_block *block, const cardfeed_vector_query *query,
    const uint64_t *kept, uint32_t first, cardfeed_best_rows *best) {
  if (best->capacity == 0) return;
  switch (kernel) {
#if HAS_X86_KERNELS
  case CARDFEED_KERNEL_AVX512: avx512_scan(block, query, kept, first, best); return;
  case CARDFEED_KERNEL_AVX2: avx2_scan(block, query, kept, first, best); return;
#endif
  default: portable_scan(block, query, kept, first, best);
  }
}

void cardfeed_best_rows_sort(cardfeed_best_rows *best) {
  for (uint32_t count = best->count; count > 1; count -= 1) {
    float score = best->scores[count - 1];
    uint32_t row = best->rows[count - 1];
    best->scores[count - 1] = best->scores[0];
    best->rows[count - 1] = best->rows[0];
    sift_down(best, 0, count - 1, score, row);
  }
}

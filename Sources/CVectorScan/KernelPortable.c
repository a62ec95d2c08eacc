#include "Kernels.h"

// What every processor runs. Plain loops, which compilers turn into whatever vectors the platform's
// baseline has.

static inline float halved_sum(float *sums) {
  for (int half = 8; half > 0; half /= 2) {
    for (int lane = 0; lane < half; lane += 1) sums[lane] += sums[lane + half];
  }
  return sums[0];
}

float portable_product(const float *left, const float *right, uint32_t stride) {
  float sums[16] = {0};
  uint32_t start = 0;
  for (; start + 16 <= stride; start += 16) {
    for (int lane = 0; lane < 16; lane += 1) {
      sums[lane] = sums[lane] + left[start + lane] * right[start + lane];
    }
  }
  for (uint32_t lane = 0; start + lane < stride; lane += 1) {
    sums[lane] = sums[lane] + left[start + lane] * right[start + lane];
  }
  return halved_sum(sums);
}

float portable_distance(const float *left, const float *right, uint32_t stride) {
  float sums[16] = {0};
  for (uint32_t start = 0; start < stride; start += 16) {
    for (int lane = 0; lane < 16; lane += 1) {
      float difference = left[start + lane] - right[start + lane];
      sums[lane] = sums[lane] + difference * difference;
    }
  }
  return -halved_sum(sums);
}

static uint32_t product_step(
    const cardfeed_vector_block *block, const float *query, step_rows at, float entry,
    float *scores) {
  uint32_t passing = 0;
  for (uint32_t index = 0; index < STEP; index += 1) {
    scores[index] = portable_product(
        block->vectors + (size_t)row_at(at, index) * block->stride, query, block->stride);
    if (scores[index] > entry) passing |= 1u << index;
  }
  return passing;
}

static uint32_t distance_step(
    const cardfeed_vector_block *block, const float *query, step_rows at, float entry,
    float *scores) {
  uint32_t passing = 0;
  for (uint32_t index = 0; index < STEP; index += 1) {
    scores[index] = portable_distance(
        block->vectors + (size_t)row_at(at, index) * block->stride, query, block->stride);
    if (scores[index] > entry) passing |= 1u << index;
  }
  return passing;
}

int32_t portable_codes(const int8_t *left, const int8_t *right, uint32_t code_stride) {
  int32_t sum = 0;
  for (uint32_t place = 0; place < code_stride; place += 1) {
    sum += (int32_t)left[place] * (int32_t)right[place];
  }
  return sum;
}

static uint32_t code_step(
    const cardfeed_vector_block *block, const int8_t *query, step_rows at, bound_terms terms) {
  uint32_t passing = 0;
  for (uint32_t index = 0; index < STEP; index += 1) {
    uint32_t row = row_at(at, index);
    const int8_t *codes = block->codes + (size_t)row * block->code_stride;
    int32_t sum = portable_codes(codes, query, block->code_stride);
    float bound = block->scales[row] * (terms.scale * (float)sum + terms.margin);
    if (block->squares) bound = 2 * bound - block->squares[row] * terms.certain;
    if (bound >= terms.threshold) passing |= 1u << index;
  }
  return passing;
}

void portable_products(
    const cardfeed_vector_block *block, const float *query, const uint32_t *rows, uint32_t count,
    float *scores) {
  score_rows(block, query, rows, count, scores, product_step, portable_product);
}

void portable_scan(
    const cardfeed_vector_block *block, const cardfeed_vector_query *query, const uint64_t *kept,
    uint32_t first, cardfeed_best_rows *best) {
  if (block->squares) {
    scan_block(block, query, kept, first, best, code_step, distance_step, portable_distance);
  } else {
    scan_block(block, query, kept, first, best, code_step, product_step, portable_product);
  }
}

#include "Kernels.h"

#if HAS_X86_KERNELS

#include <immintrin.h>

// For processors with AVX2 and FMA, that is nearly all x86 servers. Eight lanes.

#define TARGET __attribute__((target("avx2,fma")))
#define STEP_OF_KERNEL static inline __attribute__((target("avx2,fma"), always_inline))

STEP_OF_KERNEL float halved_sum(__m256 low, __m256 high) {
  __m256 eight = _mm256_add_ps(low, high);
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

TARGET float avx2_product(const float *left, const float *right, uint32_t stride) {
  __m256 low = _mm256_setzero_ps(), high = _mm256_setzero_ps();
  uint32_t start = 0;
  for (; start + 16 <= stride; start += 16) {
    low = _mm256_fmadd_ps(_mm256_loadu_ps(left + start), _mm256_loadu_ps(right + start), low);
    high =
        _mm256_fmadd_ps(_mm256_loadu_ps(left + start + 8), _mm256_loadu_ps(right + start + 8), high);
  }
  if (start < stride) {
    float padded[2][16] = {{0}};
    for (uint32_t lane = 0; start + lane < stride; lane += 1) {
      padded[0][lane] = left[start + lane];
      padded[1][lane] = right[start + lane];
    }
    low = _mm256_fmadd_ps(_mm256_loadu_ps(padded[0]), _mm256_loadu_ps(padded[1]), low);
    high = _mm256_fmadd_ps(_mm256_loadu_ps(padded[0] + 8), _mm256_loadu_ps(padded[1] + 8), high);
  }
  return halved_sum(low, high);
}

TARGET float avx2_distance(const float *left, const float *right, uint32_t stride) {
  __m256 low = _mm256_setzero_ps(), high = _mm256_setzero_ps();
  for (uint32_t start = 0; start < stride; start += 16) {
    __m256 a = _mm256_sub_ps(_mm256_loadu_ps(left + start), _mm256_loadu_ps(right + start));
    __m256 b =
        _mm256_sub_ps(_mm256_loadu_ps(left + start + 8), _mm256_loadu_ps(right + start + 8));
    low = _mm256_fmadd_ps(a, a, low);
    high = _mm256_fmadd_ps(b, b, high);
  }
  return -halved_sum(low, high);
}

TARGET int32_t avx2_codes(const int8_t *left, const int8_t *right, uint32_t code_stride) {
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i sums = _mm256_setzero_si256();
  for (uint32_t place = 0; place < code_stride; place += 32) {
    __m256i one = _mm256_loadu_si256((const __m256i *)(left + place));
    __m256i other = _mm256_loadu_si256((const __m256i *)(right + place));
    __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(one), _mm256_sign_epi8(other, one));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, ones));
  }
  __m128i four =
      _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  __m128i two = _mm_hadd_epi32(four, four);
  return _mm_cvtsi128_si32(_mm_hadd_epi32(two, two));
}

STEP_OF_KERNEL uint32_t passing_scores(const float *scores, float entry) {
  __m256 least = _mm256_set1_ps(entry);
  __m256 low = _mm256_cmp_ps(_mm256_loadu_ps(scores), least, _CMP_GT_OQ);
  __m256 high = _mm256_cmp_ps(_mm256_loadu_ps(scores + 8), least, _CMP_GT_OQ);
  return (uint32_t)_mm256_movemask_ps(low) | (uint32_t)_mm256_movemask_ps(high) << 8;
}

STEP_OF_KERNEL uint32_t product_step(
    const cardfeed_vector_block *block, const float *query, step_rows at, float entry,
    float *scores) {
  for (uint32_t index = 0; index < STEP; index += 1) {
    scores[index] = avx2_product(
        block->vectors + (size_t)row_at(at, index) * block->stride, query, block->stride);
  }
  return passing_scores(scores, entry);
}

STEP_OF_KERNEL uint32_t distance_step(
    const cardfeed_vector_block *block, const float *query, step_rows at, float entry,
    float *scores) {
  for (uint32_t index = 0; index < STEP; index += 1) {
    scores[index] = avx2_distance(
        block->vectors + (size_t)row_at(at, index) * block->stride, query, block->stride);
  }
  return passing_scores(scores, entry);
}

/// The products of eight rows' codes and the query's.
STEP_OF_KERNEL __m256i code_products(
    const cardfeed_vector_block *block, const int8_t *query, step_rows at, uint32_t from) {
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i sums[8];
  for (int row = 0; row < 8; row += 1) sums[row] = _mm256_setzero_si256();
  for (uint32_t place = 0; place < block->code_stride; place += 32) {
    __m256i wanted = _mm256_loadu_si256((const __m256i *)(query + place));
    for (uint32_t row = 0; row < 8; row += 1) {
      const int8_t *codes =
          block->codes + (size_t)row_at(at, from + row) * block->code_stride + place;
      __m256i found = _mm256_loadu_si256((const __m256i *)codes);
      // |c| · ±p: two of them stay below 2¹⁵ because no code is −128.
      __m256i pairs =
          _mm256_maddubs_epi16(_mm256_abs_epi8(found), _mm256_sign_epi8(wanted, found));
      sums[row] = _mm256_add_epi32(sums[row], _mm256_madd_epi16(pairs, ones));
    }
  }
  __m256i low = _mm256_hadd_epi32(
      _mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
  __m256i high = _mm256_hadd_epi32(
      _mm256_hadd_epi32(sums[4], sums[5]), _mm256_hadd_epi32(sums[6], sums[7]));
  return _mm256_add_epi32(
      _mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31));
}

STEP_OF_KERNEL __m256 eight_of(const float *values, step_rows at, uint32_t from) {
  if (!at.rows) return _mm256_loadu_ps(values + at.start + from);
  float eight[8];
  for (uint32_t index = 0; index < 8; index += 1) eight[index] = values[at.rows[from + index]];
  return _mm256_loadu_ps(eight);
}

STEP_OF_KERNEL uint32_t code_step(
    const cardfeed_vector_block *block, const int8_t *query, step_rows at, bound_terms terms) {
  uint32_t passing = 0;
  if (!at.rows) {
    // Far enough ahead to hide the way to memory, and over the border of a page, where the
    // processor does not look ahead by itself.
    const int8_t *ahead = block->codes + (size_t)at.start * block->code_stride + 8192;
    for (uint32_t line = 0; line < STEP * block->code_stride; line += 64) {
      __builtin_prefetch(ahead + line);
    }
  }
  for (uint32_t from = 0; from < STEP; from += 8) {
    __m256 products = _mm256_cvtepi32_ps(code_products(block, query, at, from));
    __m256 bound = _mm256_mul_ps(
        eight_of(block->scales, at, from),
        _mm256_fmadd_ps(
            products, _mm256_set1_ps(terms.scale), _mm256_set1_ps(terms.margin)));
    if (block->squares) {
      __m256 squares = eight_of(block->squares, at, from);
      bound = _mm256_fnmadd_ps(
          squares, _mm256_set1_ps(terms.certain), _mm256_add_ps(bound, bound));
    }
    __m256 reached = _mm256_cmp_ps(bound, _mm256_set1_ps(terms.threshold), _CMP_GE_OQ);
    passing |= (uint32_t)_mm256_movemask_ps(reached) << from;
  }
  return passing;
}

TARGET void avx2_products(
    const cardfeed_vector_block *block, const float *query, const uint32_t *rows, uint32_t count,
    float *scores) {
  score_rows(block, query, rows, count, scores, product_step, avx2_product);
}

TARGET void avx2_scan(
    const cardfeed_vector_block *block, const cardfeed_vector_query *query, const uint64_t *kept,
    uint32_t first, cardfeed_best_rows *best) {
  if (block->squares) {
    scan_block(block, query, kept, first, best, code_step, distance_step, avx2_distance);
  } else {
    scan_block(block, query, kept, first, best, code_step, product_step, avx2_product);
  }
}

#endif

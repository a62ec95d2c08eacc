#include "Kernels.h"

#if HAS_X86_KERNELS

#include <immintrin.h>

// For processors with AVX-512 and its byte products (VNNI). Sixteen lanes.

#define FEATURES "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma"
#define TARGET __attribute__((target(FEATURES)))
#define STEP_OF_KERNEL static inline __attribute__((target(FEATURES), always_inline))

STEP_OF_KERNEL float halved_sum(__m512 sums) {
  __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(sums), _mm512_extractf32x8_ps(sums, 1));
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/// The lanes of a last step that is not whole.
STEP_OF_KERNEL __mmask16 rest_of(uint32_t stride) { return (__mmask16)((1u << stride % 16) - 1); }

TARGET float avx512_product(const float *left, const float *right, uint32_t stride) {
  __m512 sums = _mm512_setzero_ps();
  uint32_t start = 0;
  for (; start + 16 <= stride; start += 16) {
    sums = _mm512_fmadd_ps(_mm512_loadu_ps(left + start), _mm512_loadu_ps(right + start), sums);
  }
  if (start < stride) {
    __mmask16 rest = rest_of(stride);
    sums = _mm512_mask3_fmadd_ps(
        _mm512_maskz_loadu_ps(rest, left + start), _mm512_maskz_loadu_ps(rest, right + start),
        sums, rest);
  }
  return halved_sum(sums);
}

TARGET float avx512_distance(const float *left, const float *right, uint32_t stride) {
  __m512 sums = _mm512_setzero_ps();
  for (uint32_t start = 0; start < stride; start += 16) {
    __m512 difference =
        _mm512_sub_ps(_mm512_loadu_ps(left + start), _mm512_loadu_ps(right + start));
    sums = _mm512_fmadd_ps(difference, difference, sums);
  }
  return -halved_sum(sums);
}

TARGET int32_t avx512_codes(const int8_t *left, const int8_t *right, uint32_t code_stride) {
  // 128 is added to one side, and 128 · the other taken off again.
  const __m512i sign = _mm512_set1_epi8((char)0x80);
  __m512i sums = _mm512_setzero_si512(), offsets = _mm512_setzero_si512();
  for (uint32_t place = 0; place < code_stride; place += 64) {
    __m512i one = _mm512_xor_si512(_mm512_loadu_si512(left + place), sign);
    __m512i other = _mm512_loadu_si512(right + place);
    sums = _mm512_dpbusd_epi32(sums, one, other);
    offsets = _mm512_dpbusd_epi32(offsets, sign, other);
  }
  return _mm512_reduce_add_epi32(_mm512_sub_epi32(sums, offsets));
}

/// The halved sums of sixteen vectors, in their order: the same additions as for one vector.
STEP_OF_KERNEL __m512 halved_sums(const __m512 *sums) {
  __m512 eights[8], fours[4], twos[2];
  // Rows r and r + 8 share a vector, then r, r + 4, r + 8 and r + 12, and so on.
  for (int row = 0; row < 8; row += 1) {
    eights[row] = _mm512_add_ps(
        _mm512_shuffle_f32x4(sums[row], sums[row + 8], 0x44),
        _mm512_shuffle_f32x4(sums[row], sums[row + 8], 0xee));
  }
  for (int row = 0; row < 4; row += 1) {
    fours[row] = _mm512_add_ps(
        _mm512_shuffle_f32x4(eights[row], eights[row + 4], 0x88),
        _mm512_shuffle_f32x4(eights[row], eights[row + 4], 0xdd));
  }
  for (int row = 0; row < 2; row += 1) {
    twos[row] = _mm512_add_ps(
        _mm512_shuffle_ps(fours[row], fours[row + 2], 0x44),
        _mm512_shuffle_ps(fours[row], fours[row + 2], 0xee));
  }
  __m512 ones = _mm512_add_ps(
      _mm512_shuffle_ps(twos[0], twos[1], 0x88), _mm512_shuffle_ps(twos[0], twos[1], 0xdd));
  // The lanes now hold rows 0 2 1 3 of each of 0, 8, 4 and 12.
  const __m512i order = _mm512_setr_epi32(0, 2, 1, 3, 8, 10, 9, 11, 4, 6, 5, 7, 12, 14, 13, 15);
  return _mm512_permutexvar_ps(order, ones);
}

STEP_OF_KERNEL uint32_t product_step(
    const cardfeed_vector_block *block, const float *query, step_rows at, float entry,
    float *scores) {
  __m512 sums[STEP];
#pragma unroll
  for (uint32_t row = 0; row < STEP; row += 1) sums[row] = _mm512_setzero_ps();
  uint32_t start = 0;
  for (; start + 16 <= block->stride; start += 16) {
    __m512 wanted = _mm512_loadu_ps(query + start);
#pragma unroll
    for (uint32_t row = 0; row < STEP; row += 1) {
      const float *found = block->vectors + (size_t)row_at(at, row) * block->stride + start;
      sums[row] = _mm512_fmadd_ps(_mm512_loadu_ps(found), wanted, sums[row]);
    }
  }
  if (start < block->stride) {
    __mmask16 rest = rest_of(block->stride);
    __m512 wanted = _mm512_maskz_loadu_ps(rest, query + start);
#pragma unroll
    for (uint32_t row = 0; row < STEP; row += 1) {
      const float *found = block->vectors + (size_t)row_at(at, row) * block->stride + start;
      sums[row] =
          _mm512_mask3_fmadd_ps(_mm512_maskz_loadu_ps(rest, found), wanted, sums[row], rest);
    }
  }
  __m512 found = halved_sums(sums);
  _mm512_storeu_ps(scores, found);
  return _mm512_cmp_ps_mask(found, _mm512_set1_ps(entry), _CMP_GT_OQ);
}

STEP_OF_KERNEL uint32_t distance_step(
    const cardfeed_vector_block *block, const float *query, step_rows at, float entry,
    float *scores) {
  __m512 sums[STEP];
#pragma unroll
  for (uint32_t row = 0; row < STEP; row += 1) sums[row] = _mm512_setzero_ps();
  for (uint32_t start = 0; start < block->stride; start += 16) {
    __m512 wanted = _mm512_loadu_ps(query + start);
#pragma unroll
    for (uint32_t row = 0; row < STEP; row += 1) {
      const float *found = block->vectors + (size_t)row_at(at, row) * block->stride + start;
      __m512 difference = _mm512_sub_ps(_mm512_loadu_ps(found), wanted);
      sums[row] = _mm512_fmadd_ps(difference, difference, sums[row]);
    }
  }
  // A change of sign, as for one vector: 0 − 0 would be another zero.
  __m512 found = _mm512_xor_ps(halved_sums(sums), _mm512_set1_ps(-0.0f));
  _mm512_storeu_ps(scores, found);
  return _mm512_cmp_ps_mask(found, _mm512_set1_ps(entry), _CMP_GT_OQ);
}

/// The sums of sixteen vectors, in their order.
STEP_OF_KERNEL __m512i whole_sums(const __m512i *sums) {
  __m512i eights[8], fours[4], twos[2];
  for (int row = 0; row < 8; row += 1) {
    eights[row] = _mm512_add_epi32(
        _mm512_unpacklo_epi32(sums[row], sums[row + 8]),
        _mm512_unpackhi_epi32(sums[row], sums[row + 8]));
  }
  for (int row = 0; row < 4; row += 1) {
    fours[row] = _mm512_add_epi32(
        _mm512_unpacklo_epi64(eights[row], eights[row + 4]),
        _mm512_unpackhi_epi64(eights[row], eights[row + 4]));
  }
  for (int row = 0; row < 2; row += 1) {
    twos[row] = _mm512_add_epi32(
        _mm512_shuffle_i32x4(fours[row], fours[row + 2], 0x88),
        _mm512_shuffle_i32x4(fours[row], fours[row + 2], 0xdd));
  }
  __m512i ones = _mm512_add_epi32(
      _mm512_shuffle_i32x4(twos[0], twos[1], 0x88), _mm512_shuffle_i32x4(twos[0], twos[1], 0xdd));
  // The lanes now hold rows 0 8 4 12 of each of 0, 2, 1 and 3.
  const __m512i order = _mm512_setr_epi32(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
  return _mm512_permutexvar_epi32(order, ones);
}

STEP_OF_KERNEL __m512 sixteen_of(const float *values, step_rows at) {
  if (!at.rows) return _mm512_loadu_ps(values + at.start);
  float sixteen[STEP];
  for (uint32_t index = 0; index < STEP; index += 1) sixteen[index] = values[at.rows[index]];
  return _mm512_loadu_ps(sixteen);
}

STEP_OF_KERNEL uint32_t code_step(
    const cardfeed_vector_block *block, const int8_t *query, step_rows at, bound_terms terms) {
  // Byte products take unsigned with signed numbers: 128 is added to the rows' codes, and
  // 128 · Σ query taken off the sums.
  const __m512i sign = _mm512_set1_epi8((char)0x80);
  __m512i sums[STEP];
#pragma unroll
  for (uint32_t row = 0; row < STEP; row += 1) sums[row] = _mm512_setzero_si512();
  for (uint32_t place = 0; place < block->code_stride; place += 64) {
    __m512i wanted = _mm512_loadu_si512(query + place);
#pragma unroll
    for (uint32_t row = 0; row < STEP; row += 1) {
      const int8_t *codes = block->codes + (size_t)row_at(at, row) * block->code_stride + place;
      // Far enough ahead to hide the way to memory, and over the border of a page, where the
      // processor does not look ahead by itself.
      if (!at.rows) __builtin_prefetch(codes + 8192);
      __m512i found = _mm512_xor_si512(_mm512_loadu_si512(codes), sign);
      sums[row] = _mm512_dpbusd_epi32(sums[row], found, wanted);
    }
  }
  __m512i products = _mm512_sub_epi32(whole_sums(sums), _mm512_set1_epi32(terms.offset));
  __m512 bound = _mm512_mul_ps(
      sixteen_of(block->scales, at),
      _mm512_fmadd_ps(
          _mm512_cvtepi32_ps(products), _mm512_set1_ps(terms.scale),
          _mm512_set1_ps(terms.margin)));
  if (block->squares) {
    bound = _mm512_fnmadd_ps(
        sixteen_of(block->squares, at), _mm512_set1_ps(terms.certain),
        _mm512_add_ps(bound, bound));
  }
  return _mm512_cmp_ps_mask(bound, _mm512_set1_ps(terms.threshold), _CMP_GE_OQ);
}

TARGET void avx512_products(
    const cardfeed_vector_block *block, const float *query, const uint32_t *rows, uint32_t count,
    float *scores) {
  score_rows(block, query, rows, count, scores, product_step, avx512_product);
}

TARGET void avx512_scan(
    const cardfeed_vector_block *block, const cardfeed_vector_query *query, const uint64_t *kept,
    uint32_t first, cardfeed_best_rows *best) {
  if (block->squares) {
    scan_block(block, query, kept, first, best, code_step, distance_step, avx512_distance);
  } else {
    scan_block(block, query, kept, first, best, code_step, product_step, avx512_product);
  }
}

#endif

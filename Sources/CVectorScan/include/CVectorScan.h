#ifndef CARDFEED_CVECTORSCAN_H
#define CARDFEED_CVECTORSCAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Scans blocks of vectors for those with the greatest scores. Plain loops over memory that the
// caller owns: no allocation, no global state, no thread. The instructions are chosen at run time,
// so the package needs no compiler flags. CardFeedVectorIndex and the factors of CardFeedRecommenders
// call them.
//
// A score is the inner product, or minus the squared distance. It is summed in one order by all
// kernels: sixteen partial sums, component i in sum i % 16, each by fused multiply-add where the
// processor has it, then halves added to halves. So kernels, batches and single rows agree to the
// bit on processors with fused multiply-add.
//
// With codes, a block is read at a quarter of its size. A vector x is kept as s·c + e with c in
// −127 … 127 and s its own scale, the query q as t·p + f; then
//   x·q <= s·(t·(c·p) + ‖c‖·‖f‖ + (‖e‖/s)·‖q‖),
// by Cauchy and Schwarz. A row whose bound lies below the worst of the best so far is out; of the
// others the exact score is computed. The result is that of the exact scan, not an approximation.

/// What the loops are written for.
typedef enum {
  CARDFEED_KERNEL_PORTABLE = 0,
  CARDFEED_KERNEL_AVX2 = 1,
  CARDFEED_KERNEL_AVX512 = 2,
} cardfeed_kernel;

/// The best one that this processor and operating system run.
cardfeed_kernel cardfeed_best_kernel(void);

/// Vectors one after the other. All pointers hold `rows` entries.
typedef struct {
  /// `stride` numbers for each row, padded with zeros.
  const float *vectors;
  /// `code_stride` codes for each row, padded with zeros; NULL without codes.
  const int8_t *codes;
  /// The scale of each row's codes; NULL without codes.
  const float *scales;
  /// The squared length of each row; NULL where scores are inner products.
  const float *squares;
  /// The greatest length of a row's codes, and of a row's rounding error in units of its scale.
  float code_length, error_length;
  uint32_t rows;
  /// A multiple of 16.
  uint32_t stride;
  /// A multiple of 64.
  uint32_t code_stride;
} cardfeed_vector_block;

/// What is looked for.
typedef struct {
  /// As long as the stride of the blocks.
  const float *vector;
  /// As long as the code stride of the blocks; NULL: scan without codes.
  const int8_t *codes;
  /// The scale of the codes, the length of their rounding error, and of the vector.
  float scale, error, length;
  /// The sum of the codes.
  int32_t code_sum;
} cardfeed_vector_query;

/// The best rows so far: a heap whose first entry is the worst one.
typedef struct {
  float *scores;
  uint32_t *rows;
  uint32_t count, capacity;
  /// How many exact scores were computed.
  uint64_t evaluated;
} cardfeed_best_rows;

/// Rounds a vector to codes. Returns the scale, and sets the length of the codes and the length of
/// the rounding error in units of the scale.
///
/// A vector and its codes are padded with zeros to `stride` and `code_stride`.
float cardfeed_vector_encode(
    const float *vector, uint32_t stride, uint32_t code_stride, int8_t *codes, float *code_length,
    float *error_length, int32_t *code_sum);

/// The inner product of two padded vectors.
float cardfeed_vector_product(
    cardfeed_kernel kernel, const float *left, const float *right, uint32_t stride);

/// The inner products of rows with a vector; of one row it is the same to the bit, wherever it stands.
///
/// `vectors` holds rows of `length` numbers back to back, of any length and not padded. `rows` names
/// `count` of them, or is NULL for the first `count`.
void cardfeed_vector_products(
    cardfeed_kernel kernel, const float *vectors, uint32_t length, const uint32_t *rows,
    uint32_t count, const float *query, float *products);

/// The squared distance of two padded vectors.
float cardfeed_vector_square_distance(
    cardfeed_kernel kernel, const float *left, const float *right, uint32_t stride);

/// The product of two rows of codes, exactly.
typedef int32_t (*cardfeed_code_product)(
    const int8_t *left, const int8_t *right, uint32_t code_stride);

/// The function of a kernel, for loops that call it often.
cardfeed_code_product cardfeed_code_product_of(cardfeed_kernel kernel);

/// Carries a checksum on over bytes, FNV-1a over words of eight; 0 begins one. Whatever happens to a
/// single word changes it. Every part but the last has a multiple of eight bytes.
uint64_t cardfeed_checksum(uint64_t before, const void *bytes, size_t count);

/// Takes the rows of a block into the best rows.
///
/// Blocks must come with ascending row numbers: of equal scores the first stays.
///
/// `kept` has a bit for each row of the block that may be taken, or is NULL when all may; its words
/// reach to the end of the block. `first` is added to the number of each row.
void cardfeed_vector_scan(
    cardfeed_kernel kernel, const cardfeed_vector_block *block, const cardfeed_vector_query *query,
    const uint64_t *kept, uint32_t first, cardfeed_best_rows *best);

/// Sorts the best rows, the best first; of equal scores the lower row. They are no heap then.
void cardfeed_best_rows_sort(cardfeed_best_rows *best);

#ifdef __cplusplus
}
#endif

#endif

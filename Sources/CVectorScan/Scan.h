#ifndef CARDFEED_CVECTORSCAN_SCAN_H
#define CARDFEED_CVECTORSCAN_SCAN_H

#include "Best.h"

// The loop over a block, written once. Each kernel is a function that inlines this one and hands
// its own steps to it, so that the steps are inlined too.

/// How many rows a step takes.
enum { STEP = 16 };

/// Where the sixteen rows of a step lie: rows[0 …], or start … when rows is NULL.
typedef struct {
  const uint32_t *rows;
  uint32_t start;
} step_rows;

static inline __attribute__((always_inline)) uint32_t row_at(step_rows at, uint32_t index) {
  return at.rows ? at.rows[index] : at.start + index;
}

/// What a bound must reach, and what goes into it.
typedef struct {
  /// Added to the scaled product of the codes.
  float margin;
  /// 128 · the sum of the query's codes, for steps that make the rows' codes unsigned.
  int32_t offset;
  float scale;
  /// The share of a squared length that is certain.
  float certain;
  /// What bounds are compared with.
  float threshold;
} bound_terms;

/// A bit for each of sixteen rows whose bound reaches the threshold.
typedef uint32_t (*bound_step)(
    const cardfeed_vector_block *block, const int8_t *query, step_rows at, bound_terms terms);
/// The exact scores of sixteen rows; a bit for each that exceeds the entry score.
typedef uint32_t (*score_step)(
    const cardfeed_vector_block *block, const float *query, step_rows at, float entry,
    float *scores);
/// The exact score of one row.
typedef float (*pair_score)(const float *left, const float *right, uint32_t stride);

/// The share by which a sum of `stride` products in single precision may be off, generously.
static inline float rounding_share(uint32_t stride) { return ((float)stride + 32) * 0x1p-22f; }

static inline bound_terms make_terms(
    const cardfeed_vector_block *block, const cardfeed_vector_query *query) {
  bound_terms terms;
  float share = rounding_share(block->stride);
  float lengths = block->code_length + block->error_length;
  terms.margin = block->code_length * query->error + block->error_length * query->length +
                 2 * share * lengths * (query->length + query->error);
  terms.offset = 128 * query->code_sum;
  terms.scale = query->scale;
  terms.certain = 1 - 2 * share;
  terms.threshold = -INFINITY;
  return terms;
}

static inline float bound_threshold(
    const cardfeed_vector_block *block, const cardfeed_vector_query *query,
    const cardfeed_best_rows *best, float certain) {
  float entry = entry_score(best);
  // Minus the squared distance is 2·x·q − x·x − q·q; the bound leaves q·q out.
  return block->squares ? entry + query->length * query->length * certain : entry;
}

typedef struct {
  const cardfeed_vector_block *block;
  const cardfeed_vector_query *query;
  uint32_t first;
  cardfeed_best_rows *best;
  bound_step bound;
  score_step score;
  pair_score pair;
} scan_run;

/// Takes those of sixteen rows whose bit is set.
static inline __attribute__((always_inline)) void scan_step(
    scan_run run, step_rows at, uint32_t wanted, bound_terms *terms) {
  cardfeed_best_rows *best = run.best;
  const cardfeed_vector_block *block = run.block;
  if (run.query->codes) {
    uint32_t passing = wanted & run.bound(block, run.query->codes, at, *terms);
    if (!passing) return;
    for (uint32_t bits = passing; bits; bits &= bits - 1) {
      const float *vector =
          block->vectors + (size_t)row_at(at, (uint32_t)__builtin_ctz(bits)) * block->stride;
      for (uint32_t line = 0; line < block->stride && line < 128; line += 16) {
        __builtin_prefetch(vector + line);
      }
    }
    for (uint32_t bits = passing; bits; bits &= bits - 1) {
      uint32_t row = row_at(at, (uint32_t)__builtin_ctz(bits));
      float score =
          run.pair(block->vectors + (size_t)row * block->stride, run.query->vector, block->stride);
      best->evaluated += 1;
      if (score > entry_score(best)) take(best, score, run.first + row);
    }
    terms->threshold = bound_threshold(block, run.query, best, terms->certain);
  } else {
    float scores[STEP];
    uint32_t passing =
        wanted & run.score(block, run.query->vector, at, entry_score(best), scores);
    best->evaluated += (uint32_t)__builtin_popcount(wanted);
    for (uint32_t bits = passing; bits; bits &= bits - 1) {
      uint32_t index = (uint32_t)__builtin_ctz(bits);
      if (scores[index] > entry_score(best)) {
        take(best, scores[index], run.first + row_at(at, index));
      }
    }
  }
}

/// The products of `count` rows, those of `rows` or the first ones.
static inline __attribute__((always_inline)) void score_rows(
    const cardfeed_vector_block *block, const float *query, const uint32_t *rows, uint32_t count,
    float *scores, score_step score, pair_score pair) {
  uint32_t done = 0;
  for (; done + STEP <= count; done += STEP) {
    step_rows at = {rows ? rows + done : NULL, done};
    score(block, query, at, INFINITY, scores + done);
  }
  for (; done < count; done += 1) {
    uint32_t row = rows ? rows[done] : done;
    scores[done] = pair(block->vectors + (size_t)row * block->stride, query, block->stride);
  }
}

/// Fewer than sixteen rows: the last one stands for those that are missing.
static inline __attribute__((always_inline)) void scan_few(
    scan_run run, uint32_t *rows, uint32_t count, bound_terms *terms) {
  for (uint32_t index = count; index < STEP; index += 1) rows[index] = rows[count - 1];
  scan_step(run, (step_rows){rows, 0}, (1u << count) - 1, terms);
}

static inline __attribute__((always_inline)) void scan_list(
    scan_run run, uint32_t *rows, uint32_t count, bound_terms *terms) {
  uint32_t done = 0;
  for (; done + STEP <= count; done += STEP) {
    scan_step(run, (step_rows){rows + done, 0}, 0xffff, terms);
  }
  if (done < count) {
    uint32_t rest[STEP];
    for (uint32_t index = done; index < count; index += 1) rest[index - done] = rows[index];
    scan_few(run, rest, count - done, terms);
  }
}

/// How many rows of a sparse filter are gathered before they are read.
enum { LIST = 256 };

static inline __attribute__((always_inline)) void scan_block(
    const cardfeed_vector_block *block, const cardfeed_vector_query *query, const uint64_t *kept,
    uint32_t first, cardfeed_best_rows *best, bound_step bound, score_step score,
    pair_score pair) {
  scan_run run = {block, query, first, best, bound, score, pair};
  bound_terms terms = make_terms(block, query);
  terms.threshold = bound_threshold(block, query, best, terms.certain);
  uint32_t whole = block->rows / STEP * STEP;
  uint32_t list[LIST + STEP];
  if (!kept) {
    for (uint32_t start = 0; start < whole; start += STEP) {
      scan_step(run, (step_rows){NULL, start}, 0xffff, &terms);
    }
    uint32_t count = 0;
    for (uint32_t row = whole; row < block->rows; row += 1) list[count++] = row;
    if (count) scan_few(run, list, count, &terms);
    return;
  }
  uint32_t count = 0;
  for (uint32_t word_start = 0; word_start < block->rows; word_start += 64) {
    uint64_t word = kept[word_start / 64];
    if (block->rows - word_start < 64) word &= ((uint64_t)1 << (block->rows - word_start)) - 1;
    if (!word) continue;
    // Where few rows are kept, reading them one by one is cheaper than reading all.
    if (__builtin_popcountll(word) >= 24 && word_start + 64 <= block->rows) {
      scan_list(run, list, count, &terms);
      count = 0;
      for (uint32_t part = 0; part < 64; part += STEP) {
        uint32_t wanted = (uint32_t)(word >> part) & 0xffff;
        if (wanted) scan_step(run, (step_rows){NULL, word_start + part}, wanted, &terms);
      }
      continue;
    }
    if (count > LIST - 64) {
      scan_list(run, list, count, &terms);
      count = 0;
    }
    for (; word; word &= word - 1) {
      uint32_t row = word_start + (uint32_t)__builtin_ctzll(word);
      if (query->codes) {
        __builtin_prefetch(block->codes + (size_t)row * block->code_stride);
      } else {
        __builtin_prefetch(block->vectors + (size_t)row * block->stride);
      }
      list[count++] = row;
    }
  }
  scan_list(run, list, count, &terms);
}

#endif

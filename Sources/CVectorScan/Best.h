#ifndef CARDFEED_CVECTORSCAN_BEST_H
#define CARDFEED_CVECTORSCAN_BEST_H

#include "CVectorScan.h"

#include <math.h>
#include <stdbool.h>

// The heap of the best rows. Its first entry is the worst: the least score, of equal ones the
// greatest row.

static inline bool is_worse(float score, uint32_t row, float other_score, uint32_t other_row) {
  return score < other_score || (score == other_score && row > other_row);
}

/// The score that a row must exceed, or −∞ while there is room.
static inline float entry_score(const cardfeed_best_rows *best) {
  return best->count < best->capacity ? -INFINITY : best->scores[0];
}

/// Puts an entry into the subtree of `hole`, whose own entry is free.
static inline void sift_down(
    cardfeed_best_rows *best, uint32_t hole, uint32_t count, float score, uint32_t row) {
  for (;;) {
    uint64_t child = 2 * (uint64_t)hole + 1;
    if (child >= count) break;
    if (child + 1 < count && is_worse(best->scores[child + 1], best->rows[child + 1],
                                      best->scores[child], best->rows[child])) {
      child += 1;
    }
    if (!is_worse(best->scores[child], best->rows[child], score, row)) break;
    best->scores[hole] = best->scores[child];
    best->rows[hole] = best->rows[child];
    hole = (uint32_t)child;
  }
  best->scores[hole] = score;
  best->rows[hole] = row;
}

/// Takes a row whose score exceeds the entry score, or any row while there is room.
static inline void take(cardfeed_best_rows *best, float score, uint32_t row) {
  if (best->count == best->capacity) {
    if (score > best->scores[0]) sift_down(best, 0, best->count, score, row);
    return;
  }
  uint32_t hole = best->count++;
  while (hole > 0) {
    uint32_t parent = (hole - 1) / 2;
    if (!is_worse(score, row, best->scores[parent], best->rows[parent])) break;
    best->scores[hole] = best->scores[parent];
    best->rows[hole] = best->rows[parent];
    hole = parent;
  }
  best->scores[hole] = score;
  best->rows[hole] = row;
}

#endif

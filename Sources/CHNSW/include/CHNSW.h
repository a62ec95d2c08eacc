#ifndef CARDFEED_CHNSW_H
#define CARDFEED_CHNSW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A graph of near neighbours (HNSW) over the system's hnswlib, as functions of C. Built with the
// package trait HNSW; without it nothing is defined, and hnswlib is not needed. CardFeedVectorIndex
// is its only caller, and no exception of C++ leaves it.
//
// The graph is hnswlib's, which inserts, changes and marks deleted. What it compares is ours: rows
// are codes of one byte for each component with a scale, and their product comes from CVectorScan,
// which chooses instructions at run time; hnswlib's own would be chosen by compiler flags. The search
// is ours too: it asks for all neighbours of a node from memory before it looks at the first, and it
// answers with kept rows only.

/// A graph.
typedef struct cardfeed_graph cardfeed_graph;

/// What went wrong.
typedef enum {
  CARDFEED_GRAPH_FINE = 0,
  CARDFEED_GRAPH_NO_MEMORY = 1,
  CARDFEED_GRAPH_DAMAGED = 2,
  CARDFEED_GRAPH_FAILED = 3,
} cardfeed_graph_status;

/// A row, or what is looked for.
typedef struct {
  const int8_t *codes;
  float scale;
  /// The squared length where near means a small distance; else not read.
  float square;
} cardfeed_graph_vector;

/// A row that was found.
typedef struct {
  float distance;
  uint32_t row;
} cardfeed_graph_neighbour;

/// Takes bytes of a graph that is written; false stops the writing.
typedef bool (*cardfeed_graph_sink)(void *context, const void *bytes, size_t count);

/// A graph without rows, or NULL without memory.
///
/// `kernel` is a cardfeed_kernel. `links` is how many neighbours a node has on upper levels, half of
/// those on the lowest; `effort` how many candidates an insertion looks at.
cardfeed_graph *cardfeed_graph_make(
    uint32_t kernel, uint32_t code_stride, bool is_distance, uint32_t links, uint32_t effort,
    uint32_t seed);

void cardfeed_graph_free(cardfeed_graph *graph);

/// How many nodes there are, those that are marked deleted included.
size_t cardfeed_graph_count(const cardfeed_graph *graph);

/// Inserts a row, or gives it another vector. Not while others search.
cardfeed_graph_status cardfeed_graph_put(
    cardfeed_graph *graph, uint32_t row, cardfeed_graph_vector vector);

/// Marks a row deleted, if it is there. Not while others search.
cardfeed_graph_status cardfeed_graph_remove(cardfeed_graph *graph, uint32_t row);

/// Finds near rows, in no order.
///
/// `effort` is how many candidates the search keeps; so many neighbours have room in `found`. `kept`
/// has a bit for each row below 64 · `words` that may be found; NULL is all. Others may search, too.
cardfeed_graph_status cardfeed_graph_search(
    const cardfeed_graph *graph, cardfeed_graph_vector query, uint32_t effort,
    const uint64_t *kept, size_t words, cardfeed_graph_neighbour *found, uint32_t *count);

/// Writes the graph in parts of a multiple of eight bytes.
cardfeed_graph_status cardfeed_graph_write(
    const cardfeed_graph *graph, cardfeed_graph_sink sink, void *context);

/// Reads a graph that was written, into one without rows that was made alike. Nothing is believed:
/// what does not fit is CARDFEED_GRAPH_DAMAGED, after which the graph may only be freed.
cardfeed_graph_status cardfeed_graph_read(
    cardfeed_graph *graph, const void *bytes, size_t count, uint32_t rows);

#ifdef __cplusplus
}
#endif

#endif

#include "CHNSW.h"

#if CARDFEED_HNSW

// hnswlib's header defines functions with these names outside of every namespace.
#define cpuid cardfeed_hnsw_cpuid
#define xgetbv cardfeed_hnsw_xgetbv
#define AVXCapable cardfeed_hnsw_avx_capable
#define AVX512Capable cardfeed_hnsw_avx512_capable
#include <fstream>
#include <stdexcept>
#include <unordered_map>
#include <hnswlib/hnswlib.h>

#include "CVectorScan.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

namespace {

/// What a node holds: the numbers of a row in front of its codes.
struct Header {
  float scale;
  float square;
};

/// What hnswlib compares nodes with.
class CodeSpace : public hnswlib::SpaceInterface<float> {
 public:
  CodeSpace(cardfeed_kernel kernel, uint32_t code_stride, bool is_distance)
      : product(cardfeed_code_product_of(kernel)), code_stride(code_stride),
        is_distance(is_distance) {}

  size_t get_data_size() override { return sizeof(Header) + code_stride; }
  hnswlib::DISTFUNC<float> get_dist_func() override { return distance_of; }
  void *get_dist_func_param() override { return this; }

  float distance(const void *left, const void *right) const {
    Header one, other;
    std::memcpy(&one, left, sizeof(Header));
    std::memcpy(&other, right, sizeof(Header));
    float found = one.scale * other.scale *
                  static_cast<float>(product(codes(left), codes(right), code_stride));
    return is_distance ? one.square + other.square - 2 * found : -found;
  }

  const cardfeed_code_product product;
  const uint32_t code_stride;
  const bool is_distance;

 private:
  static const int8_t *codes(const void *node) {
    return static_cast<const int8_t *>(node) + sizeof(Header);
  }

  static float distance_of(const void *left, const void *right, const void *space) {
    return static_cast<const CodeSpace *>(space)->distance(left, right);
  }
};

using Index = hnswlib::HierarchicalNSW<float>;
using Node = hnswlib::tableint;

struct Candidate {
  float distance;
  Node node;
};

bool is_nearer(const Candidate &left, const Candidate &right) {
  return left.distance < right.distance ||
         (left.distance == right.distance && left.node < right.node);
}

bool is_farther(const Candidate &left, const Candidate &right) { return is_nearer(right, left); }

/// A list of visited nodes that goes back to the pool however the search ends.
class Visited {
 public:
  explicit Visited(hnswlib::VisitedListPool &pool) : pool(pool), list(pool.getFreeVisitedList()) {}
  ~Visited() { pool.releaseVisitedList(list); }
  Visited(const Visited &) = delete;
  Visited &operator=(const Visited &) = delete;

  /// Whether a node is visited for the first time.
  bool visit(Node node) {
    if (list->mass[node] == list->curV) return false;
    list->mass[node] = list->curV;
    return true;
  }

 private:
  hnswlib::VisitedListPool &pool;
  hnswlib::VisitedList *list;
};

const size_t first_capacity = 1024;

}  // namespace

struct cardfeed_graph {
  CodeSpace space;
  Index index;
  std::vector<char> node;

  cardfeed_graph(
      cardfeed_kernel kernel, uint32_t code_stride, bool is_distance, uint32_t links,
      uint32_t effort, uint32_t seed)
      : space(kernel, code_stride, is_distance),
        index(&space, first_capacity, links, effort, seed), node(space.get_data_size()) {}

  const void *data(Node node) const { return index.getDataByInternalId(node); }

  static void fill(std::vector<char> &node, cardfeed_graph_vector vector) {
    Header header = {vector.scale, vector.square};
    std::memcpy(node.data(), &header, sizeof(Header));
    std::memcpy(node.data() + sizeof(Header), vector.codes, node.size() - sizeof(Header));
  }

  void put(uint32_t row, cardfeed_graph_vector vector) {
    if (index.cur_element_count == index.max_elements_ && !index.label_lookup_.count(row)) {
      index.resizeIndex(index.max_elements_ + index.max_elements_ / 2);
    }
    fill(node, vector);
    index.addPoint(node.data(), row);
  }

  void remove(uint32_t row) {
    auto found = index.label_lookup_.find(row);
    if (found == index.label_lookup_.end() || index.isMarkedDeleted(found->second)) return;
    index.markDeletedInternal(found->second);
  }

  /// The nearest node that greedy steps on the upper levels come to.
  Candidate descend(const void *query) const {
    Candidate best = {0, index.enterpoint_node_};
    best.distance = space.distance(query, data(best.node));
    for (int level = index.maxlevel_; level > 0; level -= 1) {
      for (bool moved = true; moved;) {
        moved = false;
        hnswlib::linklistsizeint *list = index.get_linklist(best.node, level);
        const Node *links = reinterpret_cast<const Node *>(list + 1);
        size_t count = index.getListCount(list);
        for (size_t place = 0; place < count; place += 1) __builtin_prefetch(data(links[place]));
        for (size_t place = 0; place < count; place += 1) {
          Candidate next = {space.distance(query, data(links[place])), links[place]};
          if (next.distance < best.distance) {
            best = next;
            moved = true;
          }
        }
      }
    }
    return best;
  }

  bool may_be_found(Node node, const uint64_t *kept, size_t words) const {
    if (index.isMarkedDeleted(node)) return false;
    if (!kept) return true;
    size_t row = index.getExternalLabel(node);
    return row / 64 < words && (kept[row / 64] >> (row % 64) & 1);
  }

  uint32_t search(
      cardfeed_graph_vector vector, uint32_t effort, const uint64_t *kept, size_t words,
      cardfeed_graph_neighbour *found) const {
    if (index.cur_element_count == 0 || effort == 0) return 0;
    std::vector<char> query(node.size());
    fill(query, vector);
    Visited visited(*index.visited_list_pool_);
    // Both are heaps: the nearest candidate is looked at next, the farthest found goes first.
    std::vector<Candidate> candidates, nearest;
    candidates.reserve(4 * static_cast<size_t>(effort));
    nearest.reserve(static_cast<size_t>(effort) + 1);
    std::vector<Node> fresh(index.maxM0_);
    Candidate start = descend(query.data());
    visited.visit(start.node);
    candidates.push_back(start);
    if (may_be_found(start.node, kept, words)) nearest.push_back(start);
    while (!candidates.empty()) {
      Candidate current = candidates.front();
      if (nearest.size() == effort && current.distance > nearest.front().distance) break;
      std::pop_heap(candidates.begin(), candidates.end(), is_farther);
      candidates.pop_back();
      hnswlib::linklistsizeint *list = index.get_linklist0(current.node);
      const Node *links = reinterpret_cast<const Node *>(list + 1);
      size_t count = index.getListCount(list), unseen = 0;
      for (size_t place = 0; place < count; place += 1) {
        if (!visited.visit(links[place])) continue;
        const char *node = static_cast<const char *>(data(links[place]));
        __builtin_prefetch(node);
        __builtin_prefetch(node + 64);
        fresh[unseen++] = links[place];
      }
      for (size_t place = 0; place < unseen; place += 1) {
        Candidate next = {space.distance(query.data(), data(fresh[place])), fresh[place]};
        if (nearest.size() == effort && next.distance >= nearest.front().distance) continue;
        candidates.push_back(next);
        std::push_heap(candidates.begin(), candidates.end(), is_farther);
        const char *links_of_next = reinterpret_cast<const char *>(index.get_linklist0(next.node));
        __builtin_prefetch(links_of_next);
        __builtin_prefetch(links_of_next + 64);
        if (!may_be_found(next.node, kept, words)) continue;
        nearest.push_back(next);
        std::push_heap(nearest.begin(), nearest.end(), is_nearer);
        if (nearest.size() > effort) {
          std::pop_heap(nearest.begin(), nearest.end(), is_nearer);
          nearest.pop_back();
        }
      }
    }
    for (size_t place = 0; place < nearest.size(); place += 1) {
      found[place].distance = nearest[place].distance;
      found[place].row = static_cast<uint32_t>(index.getExternalLabel(nearest[place].node));
    }
    return static_cast<uint32_t>(nearest.size());
  }
};

namespace {

/// What stands before the nodes of a written graph.
struct FileHeader {
  uint64_t count, node_size, links, entry;
  int64_t top_level;
};

struct FileNode {
  uint64_t level;
};

template <typename Body> cardfeed_graph_status guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return CARDFEED_GRAPH_NO_MEMORY;
  } catch (...) {
    return CARDFEED_GRAPH_FAILED;
  }
}

size_t rounded(size_t size) { return (size + 7) / 8 * 8; }

/// Reads parts of bytes, and says when there are no more.
class Reader {
 public:
  Reader(const void *bytes, size_t count)
      : next(static_cast<const char *>(bytes)), rest(count) {}

  const char *take(size_t size) {
    if (rounded(size) > rest) return nullptr;
    const char *taken = next;
    next += rounded(size);
    rest -= rounded(size);
    return taken;
  }

  bool is_at_end() const { return rest == 0; }

 private:
  const char *next;
  size_t rest;
};

/// Whether a list names existing nodes only, and not too many.
bool is_sound(const char *list, size_t most, size_t count) {
  hnswlib::linklistsizeint size;
  std::memcpy(&size, list, sizeof size);
  // The upper half holds the mark of a deleted node.
  size_t links = size & 0xffff;
  if (links > most) return false;
  for (size_t place = 0; place < links; place += 1) {
    Node node;
    std::memcpy(&node, list + sizeof size + place * sizeof node, sizeof node);
    if (node >= count) return false;
  }
  return true;
}

}  // namespace

cardfeed_graph *cardfeed_graph_make(
    uint32_t kernel, uint32_t code_stride, bool is_distance, uint32_t links, uint32_t effort,
    uint32_t seed) {
  try {
    return new cardfeed_graph(
        static_cast<cardfeed_kernel>(kernel), code_stride, is_distance, links, effort, seed);
  } catch (...) {
    return nullptr;
  }
}

void cardfeed_graph_free(cardfeed_graph *graph) { delete graph; }

size_t cardfeed_graph_count(const cardfeed_graph *graph) { return graph->index.cur_element_count; }

cardfeed_graph_status cardfeed_graph_put(
    cardfeed_graph *graph, uint32_t row, cardfeed_graph_vector vector) {
  return guarded([&] {
    graph->put(row, vector);
    return CARDFEED_GRAPH_FINE;
  });
}

cardfeed_graph_status cardfeed_graph_remove(cardfeed_graph *graph, uint32_t row) {
  return guarded([&] {
    graph->remove(row);
    return CARDFEED_GRAPH_FINE;
  });
}

cardfeed_graph_status cardfeed_graph_search(
    const cardfeed_graph *graph, cardfeed_graph_vector query, uint32_t effort,
    const uint64_t *kept, size_t words, cardfeed_graph_neighbour *found, uint32_t *count) {
  return guarded([&] {
    *count = 0;
    *count = graph->search(query, effort, kept, words, found);
    return CARDFEED_GRAPH_FINE;
  });
}

cardfeed_graph_status cardfeed_graph_write(
    const cardfeed_graph *graph, cardfeed_graph_sink sink, void *context) {
  return guarded([&] {
    const Index &index = graph->index;
    const size_t size = index.size_data_per_element_;
    FileHeader header = {
        index.cur_element_count, size, index.M_, index.enterpoint_node_, index.maxlevel_};
    if (!sink(context, &header, sizeof header)) return CARDFEED_GRAPH_FAILED;
    std::vector<char> part;
    for (size_t node = 0; node < index.cur_element_count; node += 1) {
      size_t level = static_cast<size_t>(index.element_levels_[node]);
      size_t upper = level * index.size_links_per_element_;
      part.assign(sizeof(FileNode) + rounded(size) + rounded(upper), 0);
      FileNode file_node = {level};
      std::memcpy(part.data(), &file_node, sizeof file_node);
      std::memcpy(part.data() + sizeof file_node, index.data_level0_memory_ + node * size, size);
      if (upper > 0) {
        std::memcpy(
            part.data() + sizeof file_node + rounded(size), index.linkLists_[node], upper);
      }
      if (!sink(context, part.data(), part.size())) return CARDFEED_GRAPH_FAILED;
    }
    return CARDFEED_GRAPH_FINE;
  });
}

cardfeed_graph_status cardfeed_graph_read(
    cardfeed_graph *graph, const void *bytes, size_t count, uint32_t rows) {
  return guarded([&] {
    Index &index = graph->index;
    const size_t size = index.size_data_per_element_;
    Reader reader(bytes, count);
    const char *taken = reader.take(sizeof(FileHeader));
    if (!taken) return CARDFEED_GRAPH_DAMAGED;
    FileHeader header;
    std::memcpy(&header, taken, sizeof header);
    if (header.node_size != size || header.links != index.M_ || header.count > count / size ||
        (header.count > 0 && header.entry >= header.count) || header.top_level < -1 ||
        header.top_level > 64 || (header.count > 0) != (header.top_level >= 0)) {
      return CARDFEED_GRAPH_DAMAGED;
    }
    index.resizeIndex(std::max<size_t>(first_capacity, header.count));
    int64_t top_level = -1;
    for (size_t node = 0; node < header.count; node += 1) {
      FileNode file_node;
      if (!(taken = reader.take(sizeof file_node))) return CARDFEED_GRAPH_DAMAGED;
      std::memcpy(&file_node, taken, sizeof file_node);
      if (file_node.level > 64 || !(taken = reader.take(size))) return CARDFEED_GRAPH_DAMAGED;
      if (!is_sound(taken, index.maxM0_, header.count)) return CARDFEED_GRAPH_DAMAGED;
      std::memcpy(index.data_level0_memory_ + node * size, taken, size);
      hnswlib::labeltype label = index.getExternalLabel(static_cast<Node>(node));
      if (label >= rows || !index.label_lookup_.emplace(label, node).second) {
        return CARDFEED_GRAPH_DAMAGED;
      }
      index.element_levels_[node] = 0;
      index.linkLists_[node] = nullptr;
      index.cur_element_count = node + 1;
      size_t upper = file_node.level * index.size_links_per_element_;
      if (upper > 0) {
        if (!(taken = reader.take(upper))) return CARDFEED_GRAPH_DAMAGED;
        // One byte more, as hnswlib itself has it.
        char *lists = static_cast<char *>(malloc(upper + 1));
        if (!lists) return CARDFEED_GRAPH_NO_MEMORY;
        std::memcpy(lists, taken, upper);
        index.linkLists_[node] = lists;
        index.element_levels_[node] = static_cast<int>(file_node.level);
      }
      top_level = std::max(top_level, static_cast<int64_t>(file_node.level));
      if (index.isMarkedDeleted(static_cast<Node>(node))) index.num_deleted_ += 1;
    }
    if (!reader.is_at_end() || top_level != header.top_level) return CARDFEED_GRAPH_DAMAGED;
    // A search goes down from the entry, and on each level only to nodes that have it.
    if (header.count > 0 && index.element_levels_[header.entry] != header.top_level) {
      return CARDFEED_GRAPH_DAMAGED;
    }
    for (size_t node = 0; node < header.count; node += 1) {
      for (int level = 1; level <= index.element_levels_[node]; level += 1) {
        const char *list =
            index.linkLists_[node] +
            static_cast<size_t>(level - 1) * index.size_links_per_element_;
        if (!is_sound(list, index.maxM_, header.count)) return CARDFEED_GRAPH_DAMAGED;
        size_t links = *reinterpret_cast<const hnswlib::linklistsizeint *>(list) & 0xffff;
        for (size_t place = 0; place < links; place += 1) {
          Node other;
          std::memcpy(&other, list + 4 + place * sizeof other, sizeof other);
          if (index.element_levels_[other] < level) return CARDFEED_GRAPH_DAMAGED;
        }
      }
    }
    index.enterpoint_node_ = static_cast<Node>(header.entry);
    index.maxlevel_ = static_cast<int>(header.top_level);
    return CARDFEED_GRAPH_FINE;
  });
}

#endif

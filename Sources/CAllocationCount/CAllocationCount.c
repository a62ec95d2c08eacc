#include "CAllocationCount.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer) || __has_feature(hwaddress_sanitizer) || \
    defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER 1
#else
#define UNDER_SANITIZER 0
#endif

// <stdlib.h> has defined __GLIBC__ by now where it applies.
#if defined(__GLIBC__) && !UNDER_SANITIZER

// The allocator behind the public names. glibc exports these for exactly this kind of wrapper.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void *__libc_valloc(size_t size);
extern void *__libc_pvalloc(size_t size);

// One counter for all threads would make every allocation of a parallel benchmark wait for the
// same cache line, and so change the times it is printed beside. Threads are spread over counters
// on lines of their own; two threads that share one are still counted exactly.
enum { shard_count = 64, cache_line_size = 64 };

static struct {
  _Alignas(cache_line_size) atomic_uint_fast64_t allocations;
} shards[shard_count];

// Only its address is used: it differs from thread to thread. The model is named because the
// default one may allocate at a thread's first access, which would call malloc from malloc.
static _Thread_local char thread_marker __attribute__((tls_model("initial-exec")));

static inline void count_allocation(void) {
  // Thread-local blocks lie at least a page apart: the low bits are the same in every thread.
  uintptr_t page = (uintptr_t)&thread_marker >> 12;
  size_t shard = (page ^ (page >> 6) ^ (page >> 12)) % shard_count;
  atomic_fetch_add_explicit(&shards[shard].allocations, 1, memory_order_relaxed);
}

uint64_t cardfeed_allocation_count(void) {
  uint64_t total = 0;
  for (size_t shard = 0; shard < shard_count; shard += 1) {
    total += atomic_load_explicit(&shards[shard].allocations, memory_order_relaxed);
  }
  return total;
}

void *malloc(size_t size) {
  count_allocation();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_allocation();
  return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
  // With a pointer and size 0 it only releases.
  if (pointer == NULL || size != 0) count_allocation();
  return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  int is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!is_power_of_two || alignment % sizeof(void *) != 0) return EINVAL;
  count_allocation();
  // POSIX leaves errno alone here: the code is the return value.
  int saved_errno = errno;
  void *pointer = __libc_memalign(alignment, size);
  errno = saved_errno;
  if (pointer == NULL) return ENOMEM;
  *result = pointer;
  return 0;
}

void *valloc(size_t size) {
  count_allocation();
  return __libc_valloc(size);
}

void *pvalloc(size_t size) {
  count_allocation();
  return __libc_pvalloc(size);
}

#else

uint64_t cardfeed_allocation_count(void) {
  return UINT64_MAX;
}

#endif

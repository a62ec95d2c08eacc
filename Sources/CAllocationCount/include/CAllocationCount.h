#ifndef CARDFEED_CALLOCATIONCOUNT_H
#define CARDFEED_CALLOCATIONCOUNT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Counts the heap allocations of the whole process, so that a benchmark can report "0 allocations
// per swipe" instead of only a time. Whoever links this target replaces the process's allocator
// entry points (malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign, valloc, pvalloc)
// with versions that count and then call the C library's own. Only the `cardfeed` executable links
// it; a library must not, because its user's process would be changed too.

/// The number of allocations of all threads since the process started, or `UINT64_MAX`, which
/// means "not available": in a build with a thread or address sanitizer, which has an allocator of
/// its own, and on a platform without glibc.
///
/// A reallocation counts as one allocation, also when it grew in place. Releases are not counted.
/// Reading the number allocates nothing. A difference of two readings is exact if the threads whose
/// allocations should be in it were joined, or are synchronised with, before the second reading.
uint64_t cardfeed_allocation_count(void);

#ifdef __cplusplus
}
#endif

#endif

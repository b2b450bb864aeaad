// SPDX-License-Identifier: Apache-2.0

// A program's own `malloc` comes before the C library's, for the Swift runtime too. glibc keeps its own under a second
// name, so that each request can be counted and passed on. A difference of bytes in use would miss a request that is
// given back; this does not.
#include "CAllocationCount.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __GLIBC__

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// The benchmark has one thread.
static long requests = 0;

long allocation_count(void) { return requests; }

void *malloc(size_t size) {
  requests += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  requests += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  requests += 1;
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  requests += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  requests += 1;
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

#else

long allocation_count(void) { return -1; }

#endif

// SPDX-License-Identifier: Apache-2.0
#ifndef C_ALLOCATION_COUNT_H
#define C_ALLOCATION_COUNT_H

/// Requests for memory from the heap since the process began; -1 where they cannot be counted (glibc only).
long allocation_count(void);

#endif

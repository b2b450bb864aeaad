// SPDX-License-Identifier: Apache-2.0
//
// SQLite as a C program calls it, for the benchmark that the store is held against.

#ifndef BENCHMARKS_RAW_SQLITE_H
#define BENCHMARKS_RAW_SQLITE_H

#include <sqlite3.h>

#endif

// SPDX-License-Identifier: Apache-2.0
//
// The cases on a machine with a C library: from standard input to standard output.
#include <stdio.h>

#include "cases.h"

size_t cases_read(char *bytes, size_t capacity) { return fread(bytes, 1, capacity, stdin); }

void cases_write(const char *bytes, size_t count) { fwrite(bytes, 1, count, stdout); }

void cases_decode(const uint8_t *memory, size_t size, const libre_options *options, libre_reading *reading) {
  libre_decode(memory, size, options, reading);
}

int main(void) { return cases_run() == 0; }

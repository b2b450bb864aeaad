// SPDX-License-Identifier: Apache-2.0
#ifndef CASES_H
#define CASES_H

#include <stddef.h>

#include "libre.h"

// Decodes each case of the input, and returns their number.
int cases_run(void);

// The machine's part: input and output, and a decoder, which may be measured.
size_t cases_read(char *bytes, size_t capacity);
void cases_write(const char *bytes, size_t count);
void cases_decode(const uint8_t *memory, size_t size, const libre_options *options, libre_reading *reading);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// The cases on a machine with a C library, from standard input to standard output, and the misuse of the interface.
#include <stdio.h>

#include "cases.h"

size_t cases_read(char *bytes, size_t capacity) { return fread(bytes, 1, capacity, stdin); }

void cases_write(const char *bytes, size_t count) { fwrite(bytes, 1, count, stdout); }

void cases_decode(const uint8_t *memory, size_t size, const libre_options *options, libre_reading *reading) {
  libre_decode(memory, size, options, reading);
}

// Calls that the header forbids, each with the error that it promises, and a reading in which nothing is known.
static int misuse_is_refused(void) {
  static const uint8_t memory[LIBRE_MEMORY_SIZE];
  libre_reading reading = {.size = sizeof reading};
  const libre_options good = {.size = sizeof good};
  libre_options small = good, flags = good, uid = good, order = good, info = good;
  small.size--;
  flags.flags = 2;
  uid.uid_size = 7;
  order.uid_size = 8;
  info.patch_info_size = 25;
  const libre_options *const bad[] = {&small, &flags, &uid, &order, &info};
  int is_right = libre_decode(memory, sizeof memory, &good, NULL) == LIBRE_ERROR_BAD_ARGUMENT &&
                 libre_decode(NULL, 0, &good, &reading) == LIBRE_ERROR_BAD_ARGUMENT;
  for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
    const int32_t error = libre_decode(memory, sizeof memory, bad[index], &reading);
    is_right &= error == (bad[index] == &order ? LIBRE_ERROR_BAD_UID : LIBRE_ERROR_BAD_ARGUMENT) &&
                error == reading.error && reading.message[0] && reading.age_minutes == LIBRE_UNKNOWN &&
                reading.trend_count == 0 && reading.trend[0].glucose_mg_dl != reading.trend[0].glucose_mg_dl;
  }
  reading.size--;
  return is_right && libre_decode(memory, sizeof memory, NULL, &reading) == LIBRE_ERROR_BAD_ARGUMENT;
}

int main(void) {
  if (!misuse_is_refused()) {
    fputs("host: error: a call that the header forbids is not refused as it says\n", stderr);
    return 1;
  }
  return cases_run() == 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// The cases on a microcontroller: from cases.txt to results.txt of the machine that QEMU runs on. It prints the number of
// cases and the deepest stack of the decoder, and fails above the limit that is given to the compiler.
#include "cases.h"
#include "semihosting.h"

extern uint32_t stack_bottom[];
static const uint32_t paint = 0xA5C3A5C3;
static int in_file, out_file;
static size_t deepest;

size_t cases_read(char *bytes, size_t capacity) { return semihosting_read(in_file, bytes, capacity); }

void cases_write(const char *bytes, size_t count) { semihosting_write(out_file, bytes, count); }

// Paints the stack below, and looks afterwards how far down it was overwritten.
__attribute__((noinline)) void cases_decode(
    const uint8_t *memory, size_t size, const libre_options *options, libre_reading *reading) {
  volatile uint32_t *const here = __builtin_frame_address(0);
  // The frame of this function is a few words.
  volatile uint32_t *const below = here - 32;
  for (volatile uint32_t *word = stack_bottom; word < below; word++) *word = paint;
  libre_decode(memory, size, options, reading);
  volatile uint32_t *word = stack_bottom;
  while (word < below && *word == paint) word++;
  const size_t used = (size_t)((const volatile char *)here - (const volatile char *)word);
  if (used > deepest) deepest = used;
}

int main(void) {
  in_file = semihosting_open("cases.txt", 0);
  out_file = semihosting_open("results.txt", 1);
  if (in_file < 0 || out_file < 0) return 66;
  const int cases = cases_run();
  semihosting_close(out_file);
  semihosting_print_number((uint32_t)cases);
  semihosting_print(" cases, ");
  semihosting_print_number((uint32_t)deepest);
  semihosting_print(" bytes of stack\n");
  return cases == 0 || deepest > STACK_LIMIT;
}

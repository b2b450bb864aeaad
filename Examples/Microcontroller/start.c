// SPDX-License-Identifier: Apache-2.0
//
// Start-up without a C library: the stack, the variables, and the three functions that compilers call.
#include <stddef.h>
#include <stdint.h>

#include "semihosting.h"

int main(void);
void start(void);
extern uint32_t data_start[], data_end[], data_image[], bss_start[], bss_end[], stack_top[];

void start(void) {
  for (uint32_t *from = data_image, *to = data_start; to < data_end;) *to++ = *from++;
  for (uint32_t *to = bss_start; to < bss_end;) *to++ = 0;
  semihosting_exit(main());
}

#if defined(__riscv)
__attribute__((naked, section(".reset"))) void reset(void) {
  __asm__ volatile("la sp, stack_top\ntail start");
}
#else
static void fault(void) { semihosting_exit(70); }
// The stack pointer, the reset, and the exceptions up to the usage fault.
__attribute__((used, section(".reset"))) static void *const vectors[] = {stack_top, start, fault, fault, fault, fault, fault};
#endif

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  for (size_t index = 0; index < count; index++) ((uint8_t *)to)[index] = ((const uint8_t *)from)[index];
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  if (to <= from) return memcpy(to, from, count);
  while (count--) ((uint8_t *)to)[count] = ((const uint8_t *)from)[count];
  return to;
}

void *memset(void *to, int byte, size_t count) {
  for (size_t index = 0; index < count; index++) ((uint8_t *)to)[index] = (uint8_t)byte;
  return to;
}

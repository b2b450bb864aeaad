// SPDX-License-Identifier: Apache-2.0
#include "semihosting.h"

enum { OPEN = 0x01, CLOSE = 0x02, PRINT = 0x04, WRITE = 0x05, READ = 0x06, EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

static long call(long operation, const void *argument) {
#if defined(__riscv)
  register long a0 __asm__("a0") = operation;
  register const void *a1 __asm__("a1") = argument;
  // The two shifts of nothing mark the break as a call. The three must not be compressed or apart.
  __asm__ volatile(
      ".balign 16\n.option push\n.option norvc\nslli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
  return a0;
#else
  register long r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
#endif
}

static size_t length(const char *text) {
  size_t count = 0;
  while (text[count]) count++;
  return count;
}

int semihosting_open(const char *path, int writing) {
  const long modes[] = {1 /* rb */, 5 /* wb */};
  const long arguments[] = {(long)path, modes[writing != 0], (long)length(path)};
  return (int)call(OPEN, arguments);
}

size_t semihosting_read(int file, void *bytes, size_t count) {
  const long arguments[] = {file, (long)bytes, (long)count};
  return count - (size_t)call(READ, arguments);
}

void semihosting_write(int file, const void *bytes, size_t count) {
  const long arguments[] = {file, (long)bytes, (long)count};
  call(WRITE, arguments);
}

void semihosting_close(int file) {
  const long arguments[] = {file};
  call(CLOSE, arguments);
}

void semihosting_print(const char *text) { call(PRINT, text); }

void semihosting_print_number(uint32_t number) {
  char digits[12];
  int place = sizeof digits - 1;
  digits[place] = 0;
  do digits[--place] = (char)('0' + number % 10);
  while (number /= 10);
  semihosting_print(&digits[place]);
}

_Noreturn void semihosting_exit(int status) {
  const long arguments[] = {APPLICATION_EXIT, status};
  for (;;) call(EXIT_EXTENDED, arguments);
}

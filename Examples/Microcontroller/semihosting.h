// SPDX-License-Identifier: Apache-2.0
//
// The few services of a debugger, or of QEMU, that the example needs: its files, its output, its exit status (Arm's
// "Semihosting for AArch32 and AArch64", which RISC-V follows).
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

#include <stddef.h>
#include <stdint.h>

// The file to read, or to write anew; negative if it cannot be opened.
int semihosting_open(const char *path, int writing);
// The number of bytes read.
size_t semihosting_read(int file, void *bytes, size_t count);
void semihosting_write(int file, const void *bytes, size_t count);
void semihosting_close(int file);
void semihosting_print(const char *text);
void semihosting_print_number(uint32_t number);
_Noreturn void semihosting_exit(int status);

#endif

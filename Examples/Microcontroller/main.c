// SPDX-License-Identifier: Apache-2.0
//
// Shows the current glucose of a sensor on a microcontroller without an operating system or a C library. Make and run it:
//
//   tools/everywhere/microcontroller armv7em     a Cortex-M4, as in the nRF52
//   tools/everywhere/microcontroller riscv32     RV32IMC, as in the ESP32-C3
#include "libre.h"
#include "memory.h"
#include "semihosting.h"

static libre_reading reading;

int main(void) {
  reading.size = sizeof reading;
  if (libre_decode(memory, sizeof memory, NULL, &reading) != LIBRE_OK) {
    semihosting_print(reading.message);
    semihosting_print("\n");
    return 1;
  }
  semihosting_print(libre_state_name(reading.state));
  semihosting_print(", ");
  semihosting_print_number((uint32_t)reading.age_minutes);
  semihosting_print(" minutes old");
  if (reading.flags & LIBRE_HAS_CURRENT) {
    semihosting_print(", now ");
    semihosting_print_number((uint32_t)(reading.current_glucose_mg_dl + 0.5));
    semihosting_print(" mg/dL");
  }
  semihosting_print("\n");
  return 0;
}

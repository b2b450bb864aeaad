// SPDX-License-Identifier: Apache-2.0
//
// Decodes the memory of a sensor in C.
//
//   cc decode.c $(pkg-config --cflags --libs liblibre) -o decode
//   ./decode MEMORY.hex          344 bytes in hex digits
#include <libre.h>
#include <stdio.h>

static size_t read_hex(FILE *file, uint8_t *bytes, size_t capacity) {
  char line[256];
  size_t count = 0;
  while (count < capacity && fgets(line, sizeof line, file)) {
    const char *place = line;
    unsigned byte;
    int length;
    while (count < capacity && *place != '#' && sscanf(place, " %2x%n", &byte, &length) == 1) {
      bytes[count++] = (uint8_t)byte;
      place += length;
    }
  }
  return count;
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (!file) {
    fputs("usage: decode MEMORY.hex\n", stderr);
    return 64;
  }
  uint8_t memory[LIBRE_MEMORY_SIZE];
  const size_t size = read_hex(file, memory, sizeof memory);
  fclose(file);

  libre_reading reading = {.size = sizeof reading};
  if (libre_decode(memory, size, NULL, &reading) != LIBRE_OK) {
    fprintf(stderr, "%s\n", reading.message);
    return 65;
  }
  printf("%s, %d minutes old\n", libre_state_name(reading.state), (int)reading.age_minutes);
  if (reading.flags & LIBRE_HAS_CURRENT) printf("now %.0f mg/dL\n", reading.current_glucose_mg_dl);
  for (int index = 0; index < reading.history_count && index < 4; index++) {
    const libre_sample *sample = &reading.history[index];
    printf("%d min ago: ", (int)(reading.age_minutes - sample->minute));
    if (sample->flags & LIBRE_HAS_GLUCOSE) printf("%.0f mg/dL\n", sample->glucose_mg_dl);
    else printf("%s\n", libre_quality_name(sample->quality));
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// Decodes each case of tools/everywhere and writes what the header says of it, in the lines of Cases.swift. It uses no C
// library, so that the same file runs on a microcontroller.
#include "cases.h"
#include "libre.h"

static char out[1 << 13];
static size_t out_count;

static void flush(void) {
  cases_write(out, out_count);
  out_count = 0;
}

static void put(char byte) {
  if (out_count == sizeof out) flush();
  out[out_count++] = byte;
}

static void put_text(const char *text) {
  if (!text) text = "-";
  while (*text) put(*text++);
}

static void put_word(const char *text) {
  put(' ');
  put_text(text && *text ? text : "-");
}

static void put_number(int32_t number) {
  char digits[12];
  int count = 0;
  uint32_t rest = number < 0 ? -(uint32_t)number : (uint32_t)number;
  do digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  put(' ');
  if (number < 0) put('-');
  while (count) put(digits[--count]);
}

static void put_hex(uint64_t bits) {
  put(' ');
  for (int shift = 60; shift >= 0; shift -= 4) put("0123456789ABCDEF"[bits >> shift & 15]);
}

static void put_double(double value, int is_known) {
  union {
    double value;
    uint64_t bits;
  } number = {value};
  if (is_known || value == value) put_hex(number.bits);
  else put_word("nan");
}

static void put_sample(char ring, const libre_sample *sample) {
  put(ring);
  put_number(sample->minute);
  put_number(sample->raw_glucose);
  put_number(sample->raw_temperature);
  put_number(sample->raw_temperature_adjustment);
  put(' ');
  if (!(sample->flags & LIBRE_HAS_ERROR)) put('-');
  else
    for (int bit = 0; bit < 16; bit++)
      if (sample->errors >> bit & 1) {
        put_text(libre_measurement_error_name(bit));
        put(',');
      }
  put_word(libre_quality_name(sample->quality));
  put_double(sample->temperature_c, sample->flags & LIBRE_HAS_TEMPERATURE);
  put_double(sample->model_glucose_mg_dl, sample->flags & LIBRE_HAS_MODEL_GLUCOSE);
  put_double(sample->glucose_mg_dl, sample->flags & LIBRE_HAS_GLUCOSE);
  put('\n');
}

static void put_reading(const libre_reading *reading) {
  put_text(libre_error_name(reading->error));
  put_word(libre_family_name(reading->family));
  put_word(libre_checksum_name(reading->header));
  put_word(libre_checksum_name(reading->body));
  put_word(libre_checksum_name(reading->footer));
  put_word(libre_state_name(reading->state));
  put_word(libre_region_name(reading->region));
  put_number(reading->age_minutes);
  put_number(reading->max_life_minutes);
  put_number(reading->initializations);
  put_number(reading->flags & (LIBRE_SALVAGED | LIBRE_HISTORY_UNDATED | LIBRE_HISTORY_ESTIMATED));
  put_word(reading->serial);
  if (reading->flags & LIBRE_KEY_RECOVERED) {
    uint64_t uid = 0;
    for (int index = 0; index < 8; index++) uid = uid << 8 | reading->recovered_uid[index];
    put_hex(uid);
  } else put_word("-");
  put_number(reading->current_minute);
  put_double(reading->current_glucose_mg_dl, reading->flags & LIBRE_HAS_CURRENT);
  put_double(reading->current_rate_mg_dl_per_min, reading->flags & LIBRE_HAS_RATE);
  put_number(reading->trend_count);
  put_number(reading->history_count);
  put_word(reading->message);
  put('\n');
  for (int index = 0; index < reading->trend_count; index++) put_sample('t', &reading->trend[index]);
  for (int index = 0; index < reading->history_count; index++) put_sample('h', &reading->history[index]);
}

static void put_names(const char *title, const char *(*name)(int32_t), int32_t count) {
  put_text(title);
  for (int32_t number = 0; number < count; number++) put_word(name(number));
  put_word(name(count));
  put_word(name(-1));
  put('\n');
}

// Numbers in hexadecimal digits, as pairs of digits where they are bytes.

static char in[1 << 12];
static size_t in_count, in_next;

static int get(void) {
  if (in_next == in_count) {
    in_count = cases_read(in, sizeof in);
    in_next = 0;
    if (!in_count) return -1;
  }
  return (unsigned char)in[in_next++];
}

static int digit(int character) {
  if (character >= '0' && character <= '9') return character - '0';
  return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

// The bytes up to a space or the end of the line; -1 at the end of the file.
static int get_bytes(uint8_t *bytes, size_t capacity) {
  size_t count = 0;
  for (;;) {
    int high = get();
    if (high < 0) return -1;
    if (high == '-') continue;
    if (digit(high) < 0) return (int)count;
    uint8_t byte = (uint8_t)(digit(high) << 4 | digit(get()));
    if (count < capacity) bytes[count] = byte;
    count++;
  }
}

static uint8_t memory[LIBRE_MEMORY_SIZE];
static libre_options options;
static libre_reading reading;

// MEMORY UID PATCH-INFO MISSING-BLOCKS FLAGS
int cases_run(void) {
  put_text("abi");
  put_number((int32_t)libre_abi_version());
  put('\n');
  put_names("quality", libre_quality_name, 6);
  put_names("state", libre_state_name, 7);
  put_names("family", libre_family_name, 9);
  put_names("region", libre_region_name, 9);
  put_names("checksum", libre_checksum_name, 4);
  put_names("measurement_error", libre_measurement_error_name, 9);
  put_names("error", libre_error_name, 15);
  int cases = 0;
  for (int size; (size = get_bytes(memory, sizeof memory)) >= 0; cases++) {
    uint8_t missing[8] = {0}, flags[4] = {0};
    options = (libre_options){.size = sizeof options};
    options.uid_size = (uint8_t)get_bytes(options.uid, sizeof options.uid);
    options.patch_info_size = (uint8_t)get_bytes(options.patch_info, sizeof options.patch_info);
    get_bytes(missing, sizeof missing);
    get_bytes(flags, sizeof flags);
    for (int index = 0; index < 8; index++) options.missing_blocks = options.missing_blocks << 8 | missing[index];
    for (int index = 0; index < 4; index++) options.flags = options.flags << 8 | flags[index];
    put_text("product");
    put_word(libre_product_name(options.patch_info, options.patch_info_size));
    put('\n');
    reading.size = sizeof reading;
    cases_decode(memory, (size_t)size, &options, &reading);
    put_reading(&reading);
  }
  flush();
  return cases;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes the memory of a FreeStyle Libre sensor: 344 bytes in, glucose out.
 *
 *     libre_reading reading = {.size = sizeof reading};
 *     if (libre_decode(memory, sizeof memory, NULL, &reading) != LIBRE_OK) puts(reading.message);
 *
 * No function allocates memory, keeps state, reads a clock or a file, or calls another library, so each may be called
 * from any thread, interrupt or signal handler. The same bytes give the same bits on every machine.
 *
 * Not for treatment decisions. Values differ from the official reader's, which filters them further.
 *
 * Every structure has the same layout on every machine: little-endian targets with doubles aligned to 8 bytes, which are
 * x86-64, AArch64, Arm from version 7, RISC-V and WebAssembly. The numbers in front of the members are their offsets.
 */
#ifndef LIBRE_H
#define LIBRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It increases when a program has to be compiled again. New members are added at the end
 * of a structure, and are covered by its `size`. */
#define LIBRE_ABI_VERSION 1

/* The bytes of a whole memory, in 43 blocks of 8, as the sensor's read commands return them from block 0 on. */
#define LIBRE_MEMORY_SIZE 344
#define LIBRE_TREND_SLOTS 16
#define LIBRE_HISTORY_SLOTS 32

/* The value of an integer that is not known. A double that is not known is NaN. */
#define LIBRE_UNKNOWN (-1)

/* Results of libre_decode. `reading.message` says which, with the numbers. */
enum libre_error {
  LIBRE_OK = 0,
  /* A pointer is NULL, or a `size`, a length or a flag is not one that this header describes. */
  LIBRE_ERROR_BAD_ARGUMENT = 1,
  /* The UID has E0, which every UID begins with, at neither end; or at both, and the maker's code beside it does not tell
   * them apart. */
  LIBRE_ERROR_BAD_UID = 2,
  /* Not returned by libre_decode, which takes missing bytes for missing blocks. */
  LIBRE_ERROR_WRONG_LENGTH = 3,
  /* The checksum of the body is wrong. LIBRE_SALVAGE decodes the samples nevertheless. */
  LIBRE_ERROR_CRC_MISMATCH = 4,
  /* Blocks of the body are missing. LIBRE_SALVAGE decodes the samples that remain. */
  LIBRE_ERROR_BLOCK_MISSING = 5,
  /* The block with the age is missing, so that no sample has a minute. */
  LIBRE_ERROR_UNDATABLE = 6,
  /* The index of a ring is larger than its last slot. */
  LIBRE_ERROR_RING_INDEX = 7,
  /* All bytes are 00 or all are FF: the memory was not read. */
  LIBRE_ERROR_BLANK = 8,
  /* All checksums are wrong: the memory is encrypted, or it is not a sensor memory. */
  LIBRE_ERROR_ENCRYPTED_OR_UNKNOWN = 9,
  /* The patch info is that of an encrypting product, and the UID is missing. */
  LIBRE_ERROR_ENCRYPTED_WITHOUT_UID = 10,
  /* The UID is that of an encrypting product, and the patch info is missing. */
  LIBRE_ERROR_ENCRYPTED_WITHOUT_PATCH_INFO = 11,
  /* The product, `reading.family`, cannot be read with public knowledge, or it is a Libre Pro, whose longer memory
   * only the libre command reads. */
  LIBRE_ERROR_UNSUPPORTED_FAMILY = 12,
  /* This UID and patch info do not decrypt the memory. */
  LIBRE_ERROR_CANNOT_DECRYPT = 13,
  /* The key that was computed from the memory belongs to another UID or patch info than given. */
  LIBRE_ERROR_KEY_DISAGREES = 14
};

/* The first reason not to use a sample, or LIBRE_QUALITY_OK. */
enum libre_quality {
  LIBRE_QUALITY_OK = 0,
  /* The sensor flagged its own measurement: see `errors`. */
  LIBRE_QUALITY_ERROR = 1,
  /* The slot was never written. */
  LIBRE_QUALITY_NEVER_WRITTEN = 2,
  /* The signal is under the sensor's threshold: it is not on the body, or near its end. */
  LIBRE_QUALITY_LOW_SIGNAL = 3,
  /* The temperature is outside 20 to 40 degrees Celsius. */
  LIBRE_QUALITY_TEMPERATURE = 4,
  /* The sample is from the first hour. */
  LIBRE_QUALITY_WARM_UP = 5
};

/* The stage of a sensor's life, by the byte in its memory. */
enum libre_state {
  /* The header is damaged, or the byte is not documented. */
  LIBRE_STATE_UNKNOWN = 0,
  LIBRE_STATE_NOT_ACTIVATED = 1,
  LIBRE_STATE_WARMING_UP = 2,
  LIBRE_STATE_ACTIVE = 3,
  /* The twelve hours after the maximum life. */
  LIBRE_STATE_EXPIRED = 4,
  LIBRE_STATE_SHUTDOWN = 5,
  LIBRE_STATE_FAILURE = 6
};

/* The kind of sensor. */
enum libre_family {
  LIBRE_FAMILY_UNKNOWN = 0,
  LIBRE_FAMILY_LIBRE1 = 1,
  LIBRE_FAMILY_LIBRE_US14DAY = 2,
  LIBRE_FAMILY_LIBRE_PRO = 3,
  LIBRE_FAMILY_LIBRE2 = 4,
  LIBRE_FAMILY_LIBRE2_GEN2 = 5,
  LIBRE_FAMILY_LIBRE3 = 6,
  LIBRE_FAMILY_LIBRE_SENSE = 7,
  LIBRE_FAMILY_LINGO = 8
};

/* The region of sale, by the byte in the memory. */
enum libre_region {
  LIBRE_REGION_UNKNOWN = 0,
  LIBRE_REGION_EUROPEAN = 1,
  LIBRE_REGION_USA = 2,
  LIBRE_REGION_AUSTRALIA_CANADA = 4,
  LIBRE_REGION_EAST_ROW = 8
};

/* The result of a checksum. */
enum libre_checksum {
  LIBRE_CHECKSUM_OK = 0,
  /* Correct for an age of one minute less: the minute changed during the read. The samples are good. */
  LIBRE_CHECKSUM_TORN = 1,
  LIBRE_CHECKSUM_BAD = 2,
  /* Blocks of the region are missing. */
  LIBRE_CHECKSUM_ABSENT = 3
};

/* Bits of libre_options.flags. */
enum libre_option {
  /* Decode the samples of a body with a wrong checksum too. */
  LIBRE_SALVAGE = 1
};

/* Bits of libre_sample.flags. */
enum libre_sample_flag {
  /* glucose_mg_dl is a number: the quality is LIBRE_QUALITY_OK, and the value is possible. */
  LIBRE_HAS_GLUCOSE = 1,
  /* model_glucose_mg_dl is a number. */
  LIBRE_HAS_MODEL_GLUCOSE = 2,
  /* temperature_c is a number. */
  LIBRE_HAS_TEMPERATURE = 4,
  /* The sensor flagged the measurement; `errors` holds the reasons. */
  LIBRE_HAS_ERROR = 8
};

/* Bits of libre_reading.flags. */
enum libre_reading_flag {
  /* The samples come from a body with a wrong checksum. */
  LIBRE_SALVAGED = 1,
  /* The history is empty because its time cannot be determined. */
  LIBRE_HISTORY_UNDATED = 2,
  /* The ring indices are missing: the history was placed by the age, and there is no trend. */
  LIBRE_HISTORY_ESTIMATED = 4,
  /* The memory was encrypted, and its key was computed from the memory itself. */
  LIBRE_KEY_RECOVERED = 8,
  /* current_glucose_mg_dl is a number and current_minute its minute. */
  LIBRE_HAS_CURRENT = 16,
  /* current_rate_mg_dl_per_min is a number. */
  LIBRE_HAS_RATE = 32
};

/* Facts besides the memory. Set `size` and leave all else zero for what is not known. */
typedef struct libre_options {
  /*  0 */ uint32_t size; /* sizeof(libre_options) */
  /*  4 */ uint32_t flags; /* enum libre_option */
  /*  8 */ uint64_t missing_blocks; /* bit n: block n was not read; its bytes are ignored */
  /* 16 */ uint8_t uid_size; /* 8, or 0 if the UID is not known */
  /* 17 */ uint8_t patch_info_size; /* 6 to 24, or 0 if the patch info is not known */
  /* 18 */ uint8_t uid[8]; /* with E0 first, or last as over the air */
  /* 26 */ uint8_t patch_info[24]; /* the answer to command A1, without response flags */
  /* 50 */ uint8_t reserved[6];
} libre_options;

/* One measurement. */
typedef struct libre_sample {
  /*  0 */ double glucose_mg_dl; /* for use as glucose; NaN unless LIBRE_HAS_GLUCOSE */
  /*  8 */ double model_glucose_mg_dl; /* the formula's result whatever the quality, not rounded or limited; or NaN */
  /* 16 */ double temperature_c; /* at the sensor, in degrees Celsius; or NaN */
  /* 24 */ int32_t minute; /* since the sensor was started, from 1 */
  /* 28 */ uint16_t raw_glucose; /* 0 to 16383 counts */
  /* 30 */ uint16_t raw_temperature; /* 0 to 16380 counts, in steps of 4 */
  /* 32 */ int16_t raw_temperature_adjustment; /* -2044 to 2044 counts, in steps of 4 */
  /* 34 */ uint16_t errors; /* bit n: libre_measurement_error_name(n); meaningful with LIBRE_HAS_ERROR only */
  /* 36 */ uint8_t quality; /* enum libre_quality */
  /* 37 */ uint8_t flags; /* enum libre_sample_flag */
  /* 38 */ uint8_t reserved[2];
} libre_sample;

/* The content of one memory. Set `size` before the call; all else is written by it. After an error only `error`,
 * `message`, `family` and the checksums have a meaning, and all else is unknown. */
typedef struct libre_reading {
  /*   0 */ uint32_t size; /* sizeof(libre_reading); on return the bytes that were written */
  /*   4 */ int32_t error; /* enum libre_error, as returned */
  /*   8 */ double current_glucose_mg_dl; /* the value to be shown as current; NaN unless LIBRE_HAS_CURRENT */
  /*  16 */ double current_rate_mg_dl_per_min; /* its rate of change; NaN unless LIBRE_HAS_RATE */
  /*  24 */ int32_t current_minute; /* LIBRE_UNKNOWN unless LIBRE_HAS_CURRENT */
  /*  28 */ int32_t age_minutes; /* since the sensor was started */
  /*  32 */ int32_t max_life_minutes; /* after which the history stops; LIBRE_UNKNOWN if the footer is damaged */
  /*  36 */ int32_t initializations; /* 0 on a Libre 1, 1 on a Libre 2 */
  /*  40 */ uint8_t state; /* enum libre_state */
  /*  41 */ uint8_t family; /* enum libre_family */
  /*  42 */ uint8_t region; /* enum libre_region */
  /*  43 */ uint8_t header; /* enum libre_checksum: bytes 0 to 23, with the state */
  /*  44 */ uint8_t body; /* enum libre_checksum: bytes 24 to 319, with the samples */
  /*  45 */ uint8_t footer; /* enum libre_checksum: bytes 320 to 343, with calibration and region */
  /*  46 */ uint8_t flags; /* enum libre_reading_flag */
  /*  47 */ uint8_t trend_count; /* samples in `trend`, 0 to 16 */
  /*  48 */ uint8_t history_count; /* samples in `history`, 0 to 32 */
  /*  49 */ char serial[15]; /* the serial number on the sensor's box; empty without a UID */
  /*  64 */ uint8_t recovered_uid[8]; /* derived from the key, E0 first; meaningful with LIBRE_KEY_RECOVERED only */
  /*  72 */ char message[256]; /* the error in English, which ends with a zero byte; empty without an error */
  /* 328 */ libre_sample trend[LIBRE_TREND_SLOTS]; /* one a minute, newest first */
  /* 968 */ libre_sample history[LIBRE_HISTORY_SLOTS]; /* one each 15 minutes, newest first */
} libre_reading; /* 2248 bytes */

/* Returns LIBRE_ABI_VERSION of the library. */
uint32_t libre_abi_version(void);

/* Decodes the first 344 of `size` bytes; blocks that fewer bytes lack count as missing. An encrypted memory (Libre 2, US
 * 14 day) is decrypted with the UID and patch info of `options`, or, without them, with a key computed from the memory
 * itself where that can be proven. `options` may be NULL. Returns `reading->error`, LIBRE_OK for a reading. */
int32_t libre_decode(const uint8_t *memory, size_t size, const libre_options *options, libre_reading *reading);

/* Decodes `count` memories of any sizes as libre_decode does, for languages in which a call takes a third of its time.
 * `options` is NULL or an array of `count` structures, `readings` is one. The `size` of the first member of each is that
 * of all. Returns LIBRE_ERROR_BAD_ARGUMENT, and has written nothing, if an array or such a `size` is not one that this
 * header describes; else LIBRE_OK, and each reading has an error of its own. */
int32_t libre_decode_many(size_t count, const uint8_t *const *memories, const size_t *sizes,
                          const libre_options *options, libre_reading *readings);

/* The product that the `size` bytes of a patch info name, as on its box, as static text; NULL where none is known. */
const char *libre_product_name(const uint8_t *patch_info, size_t size);

/* The words that libre's JSON documents use, as static text; NULL for a number that does not exist. */
const char *libre_error_name(int32_t error);
const char *libre_quality_name(int32_t quality);
const char *libre_state_name(int32_t state);
const char *libre_family_name(int32_t family);
const char *libre_region_name(int32_t region);
const char *libre_checksum_name(int32_t checksum);
const char *libre_measurement_error_name(int32_t bit);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
//
// The yardstick of tools/Benchmarks/line-speed: `libre decode --ndjson -` for memories as the simulator makes them, in
// plain C. Reads lines of libre.dump/1, writes the same bytes as libre, and ends at the first line with anything else
// than an intact, active Libre 1 without a sample that is marked as bad.
//
//     cc -O2 -o decode-lines tools/Benchmarks/decode-lines.c -lm
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

static void refuse(long line, const char *why) {
  fprintf(stderr, "decode-lines: line %ld: %s\n", line, why);
  exit(1);
}

// MARK: Digests

static u32 rotl(u32 x, int n) { return x << n | x >> (32 - n); }
static u32 big32(const u8 *p) { return (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3]; }

static void sha1_block(u32 h[5], const u8 *p) {
  u32 w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 16; i++) w[i] = big32(p + 4 * i);
  for (int i = 16; i < 80; i++) w[i] = rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; i++) {
    u32 f, k;
    if (i < 20) f = (b & c) | (~b & d), k = 0x5A827999;
    else if (i < 40) f = b ^ c ^ d, k = 0x6ED9EBA1;
    else if (i < 60) f = (b & c) | (b & d) | (c & d), k = 0x8F1BBCDC;
    else f = b ^ c ^ d, k = 0xCA62C1D6;
    u32 t = rotl(a, 5) + f + e + k + w[i];
    e = d, d = c, c = rotl(b, 30), b = a, a = t;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

static const u32 k256[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
};

static void sha256_block(u32 h[8], const u8 *p) {
  u32 w[64], s[8];
  for (int i = 0; i < 16; i++) w[i] = big32(p + 4 * i);
  for (int i = 16; i < 64; i++) {
    u32 a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotl(a, 25) ^ rotl(a, 14) ^ a >> 3) + w[i - 7] + (rotl(b, 15) ^ rotl(b, 13) ^ b >> 10);
  }
  memcpy(s, h, sizeof s);
  for (int i = 0; i < 64; i++) {
    u32 t = s[7] + (rotl(s[4], 26) ^ rotl(s[4], 21) ^ rotl(s[4], 7)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k256[i] + w[i];
    u32 m = (rotl(s[0], 30) ^ rotl(s[0], 19) ^ rotl(s[0], 10)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += t;
    s[0] = t + m;
  }
  for (int i = 0; i < 8; i++) h[i] += s[i];
}

static void digest(u32 *h, void (*block)(u32 *, const u8 *), const u8 *data, size_t count) {
  u8 last[128] = {0};
  size_t whole = count / 64 * 64, rest = count - whole, size = rest < 56 ? 64 : 128;
  for (size_t i = 0; i < whole; i += 64) block(h, data + i);
  memcpy(last, data + whole, rest);
  last[rest] = 0x80;
  for (int i = 0; i < 8; i++) last[size - 1 - i] = (u8)((u64)count * 8 >> 8 * i);
  for (size_t i = 0; i < size; i += 64) block(h, last + i);
}

// MARK: Writing

static char *out;
static size_t used, room;

static void need(size_t count) {
  if (used + count > room) {
    fwrite(out, 1, used, stdout);
    used = 0;
  }
}
static void text(const char *s, size_t count) { memcpy(out + used, s, count), used += count; }
#define T(s) text(s, sizeof(s) - 1)

static void integer_into(long number) {
  char digits[24];
  int start = 24;
  unsigned long rest = number < 0 ? -(unsigned long)number : (unsigned long)number;
  do digits[--start] = (char)('0' + rest % 10), rest /= 10; while (rest);
  if (number < 0) digits[--start] = '-';
  text(digits + start, 24 - start);
}

static void decimal(double value, int places) {
  double scale = 1;
  for (int i = 0; i < places; i++) scale *= 10;
  long units = (long)round(value * scale);
  while (places > 0 && units % 10 == 0) units /= 10, places--;
  if (places == 0) {
    integer_into(units);
    return;
  }
  char digits[24];
  int start = 24, written = 0;
  unsigned long rest = units < 0 ? -(unsigned long)units : (unsigned long)units;
  do {
    if (written == places) digits[--start] = '.';
    digits[--start] = (char)('0' + rest % 10), rest /= 10, written++;
  } while (rest || written <= places);
  if (units < 0) digits[--start] = '-';
  text(digits + start, 24 - start);
}

static void hex(const u8 *bytes, size_t count, const char *digits) {
  for (size_t i = 0; i < count; i++) out[used++] = digits[bytes[i] >> 4], out[used++] = digits[bytes[i] & 15];
}
static const char upper[] = "0123456789ABCDEF", lower[] = "0123456789abcdef";

static int pair(char *at, long n) { return at[0] = (char)('0' + n / 10), at[1] = (char)('0' + n % 10), 2; }

// Writes 20 characters.
static void time_into(char *at, long seconds) {
  long days = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) rest += 86400, days--;
  long z = days + 719468, era = z / 146097, doe = z - era * 146097;
  long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  long mp = (5 * doy + 2) / 153, day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9;
  long year = yoe + era * 400 + (month <= 2);
  memcpy(at, "0000-00-00T00:00:00Z", 20);
  pair(at, year / 100), pair(at + 2, year % 100), pair(at + 5, month), pair(at + 8, day);
  pair(at + 11, rest / 3600), pair(at + 14, rest / 60 % 60), pair(at + 17, rest % 60);
}
static void time_text(long seconds) { out[used] = '"', time_into(out + used + 1, seconds), out[used + 21] = '"', used += 22; }

static void uuid(const u8 *name, size_t count) {
  u32 h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  digest(h, sha1_block, name, count);
  u8 id[16];
  for (int i = 0; i < 16; i++) id[i] = (u8)(h[i / 4] >> (24 - i % 4 * 8));
  id[6] = (u8)((id[6] & 15) | 0x50), id[8] = (u8)((id[8] & 63) | 0x80);
  static const int parts[] = {0, 4, 6, 8, 10, 16};
  for (int i = 0; i < 5; i++) {
    if (i) out[used++] = '-';
    hex(id + parts[i], parts[i + 1] - parts[i], lower);
  }
}

// MARK: Reading

static u8 nibbles[256];

// The value of a member that is a string; nil if it is null.
static const char *member(const char *line, const char *name, size_t *count, long number) {
  const char *p = strstr(line, name);
  if (!p) refuse(number, name);
  p += strlen(name);
  while (*p == ' ' || *p == ':') p++;
  if (*p != '"') refuse(number, name);
  const char *end = strchr(++p, '"');
  if (!end) refuse(number, name);
  *count = end - p;
  return p;
}

static long digits(const char *p, int count) {
  long value = 0;
  while (count--) value = value * 10 + (*p++ - '0');
  return value;
}

static long seconds(const char *p) {
  long y = digits(p, 4), m = digits(p + 5, 2), d = digits(p + 8, 2);
  if (m <= 2) y--;
  long era = y / 400, yoe = y - era * 400, doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
  long days = era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
  return days * 86400 + digits(p + 11, 2) * 3600 + digits(p + 14, 2) * 60 + digits(p + 17, 2);
}

// MARK: Memory

static uint16_t crc_table[256];

static int intact(const u8 *m, int start, int end) {
  uint16_t r = 0xFFFF, stored = (uint16_t)(m[start] | m[start + 1] << 8), reversed = 0;
  for (int i = start + 2; i < end; i++) r = (uint16_t)(r >> 8 ^ crc_table[(r ^ m[i]) & 255]);
  for (int i = 0; i < 16; i++) reversed = (uint16_t)(reversed << 1 | (r >> i & 1));
  return reversed == stored;
}

static u64 little(const u8 *p, int count) {
  u64 value = 0;
  for (int i = count; i--;) value = value << 8 | p[i];
  return value;
}

static const double sensitivity[124] = {
  0.0377442, 0.0381217, 0.0385029, 0.0388879, 0.0392768, 0.0396696, 0.0400663, 0.0404669,
  0.0408716, 0.0412803, 0.0416931, 0.04211, 0.0425311, 0.0429565, 0.043386, 0.0438199,
  0.0442581, 0.0447007, 0.0451477, 0.0455991, 0.0460551, 0.0465157, 0.0469808, 0.0474506,
  0.0479252, 0.0484044, 0.0488884, 0.0493773, 0.0498711, 0.0503698, 0.0508735, 0.0513823,
  0.0518961, 0.052415, 0.0529392, 0.0534686, 0.0540033, 0.0545433, 0.0550887, 0.0556396,
  0.056196, 0.056758, 0.0573256, 0.0578988, 0.0584778, 0.0590626, 0.0596532, 0.0602497,
  0.0608522, 0.0614607, 0.0620754, 0.0626961, 0.0633231, 0.0639563, 0.0645959, 0.0652418,
  0.0658942, 0.0665532, 0.0672187, 0.0678909, 0.0685698, 0.0692555, 0.0699481, 0.0706475,
  0.071354, 0.0720676, 0.0727882, 0.0735161, 0.0742513, 0.0749938, 0.0757437, 0.0765012,
  0.0772662, 0.0780388, 0.0788192, 0.0796074, 0.0804035, 0.0812075, 0.0820196, 0.0828398,
  0.0836682, 0.0845049, 0.0853499, 0.0862034, 0.0870655, 0.0879361, 0.0888155, 0.0897036,
  0.0906007, 0.0915067, 0.0924217, 0.093346, 0.0942794, 0.0952222, 0.0961744, 0.0971362,
  0.0981075, 0.0990886, 0.1000795, 0.1010803, 0.1020911, 0.103112, 0.1041431, 0.1051846,
  0.1062364, 0.1072988, 0.1083718, 0.1094555, 0.11055, 0.1116555, 0.1127721, 0.1138998,
  0.1150388, 0.1161892, 0.1173511, 0.1185246, 0.1197099, 0.120907, 0.122116, 0.1233372,
  0.1245706, 0.1258163, 0.1270744, 0.1283452,
};

static void row(int i2, double *offset, double *slope) {
  static const struct { int first, count, steps; double offset; } bands[] = {
    {0, 64, 8, 0.75}, {64, 23, 9, 0.75}, {87, 29, 8, 1.00}, {116, 8, 9, 1.00},
  };
  int rest = i2 - 1;
  for (int b = 0; b < 4; b++) {
    if (rest < bands[b].count * bands[b].steps) {
      *offset = bands[b].offset + 0.25 * (rest % bands[b].steps);
      *slope = sensitivity[bands[b].first + rest / bands[b].steps];
      return;
    }
    rest -= bands[b].count * bands[b].steps;
  }
}

typedef struct {
  long minute;
  int counts, temperature, adjustment, errors;
  double celsius, glucose;
  const char *quality;
} Sample;

static int mod(long a, int b) { return (int)((a % b + b) % b); }

static void decode(char *line, size_t count, long number) {
  static const u8 namespace[16] = {0xC3, 0xF2, 0x25, 0x1D, 0x48, 0x1A, 0x5A, 0xA5, 0x92, 0x87, 0x7F, 0xE2, 0x9E, 0x71, 0x74, 0xB8};
  size_t n, uid_count, info_count, hex_count;
  member(line, "\"schema\"", &n, number);
  const char *read_at = member(line, "\"read_at\"", &n, number), *uid = member(line, "\"uid\"", &uid_count, number);
  const char *info = member(line, "\"patch_info\"", &info_count, number);
  const char *digits = member(line, "\"bytes\"", &hex_count, number);
  if (n != 20 || uid_count != 16 || info_count != 12 || memcmp(info, "DF", 2) || hex_count != 688) refuse(number, "not a whole Libre 1");
  u8 m[344];
  for (int i = 0; i < 344; i++) {
    u8 high = nibbles[(u8)digits[2 * i]], low = nibbles[(u8)digits[2 * i + 1]];
    if (high > 15 || low > 15) refuse(number, "not hex");
    m[i] = (u8)(high << 4 | low);
  }
  if (!intact(m, 0, 24) || !intact(m, 24, 320) || !intact(m, 320, 344) || m[4] != 3 || m[3] >> 5) refuse(number, "not an intact, active sensor");
  long now = seconds(read_at), age = m[316] | m[317] << 8, life = m[326] | m[327] << 8, start = now - age * 60;
  int i1 = m[2] & 7, i2 = (m[2] | m[3] << 8) >> 3 & 1023;
  u64 c = little(m + 336, 8);
  int i3 = (c >> 33 & 1 ? -1 : 1) * (int)(c & 255), i4 = c >> 8 & 16383, i5 = (c >> 40 & 4095) * 4, i6 = (c >> 52 & 4095) * 4;
  if (!i2 || i3 == i4) refuse(number, "no calibration");
  double offset = 0, slope = 0;
  row(i2, &offset, &slope);

  u32 line_sum[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, memory_sum[8];
  memcpy(memory_sum, line_sum, sizeof memory_sum);
  digest(line_sum, sha256_block, (const u8 *)line, count);
  digest(memory_sum, sha256_block, m, 344);
  u8 bytes[32], name[128];
  need(1 << 16);
  T("{\"schema\":\"libre.reading/1\",\"id\":\"");
  // The name of the reading's id, with the digest of the memory.
  memcpy(name, namespace, 16), memcpy(name + 16, uid, 16), memcpy(name + 32, "/reading/", 9), memcpy(name + 41, read_at, 20);
  name[61] = '/';
  for (int i = 0; i < 32; i++) {
    u8 byte = (u8)(memory_sum[i / 4] >> (24 - i % 4 * 8));
    name[62 + 2 * i] = (u8)lower[byte >> 4], name[63 + 2 * i] = (u8)lower[byte & 15];
  }
  uuid(name, 126);
  T("\",\"read_at\":"), time_text(now);
  T(",\"read_at_source\":\"file\",\"source\":{\"tool\":\"libre 0.1.0\",\"path\":\"-\",\"format\":\"json\",\"dump\":"), integer_into(number);
  T(",\"line\":"), integer_into(number);
  T(",\"sha256\":\"");
  for (int i = 0; i < 32; i++) bytes[i] = (u8)(line_sum[i / 4] >> (24 - i % 4 * 8));
  hex(bytes, 32, lower);
  T("\"},\"reader\":null,\"sensor\":{\"uid\":\""), text(uid, 16);
  u64 bits = 0;
  for (int i = 0; i < 16; i++) bits = bits << 4 | nibbles[(u8)uid[i]];
  bits = bits << 16 >> 14;
  T("\",\"serial\":\"0");
  for (int i = 0; i < 10; i++) out[used++] = "0123456789ACDEFGHJKLMNPQRTUVWXYZ"[bits >> (45 - 5 * i) & 31];
  T("\",\"patch_info\":\""), text(info, 12);
  u8 facts[16];
  memcpy(facts, m + 322, 14), facts[14] = (u8)(i2 >> 8), facts[15] = (u8)i2;
  T("\",\"fingerprint\":\""), hex(facts, 16, upper);
  T("\",\"family\":\"libre1\",\"product\":\"FreeStyle Libre\",\"region\":");
  switch (m[323]) {
    case 1: T("\"european\""); break;
    case 2: T("\"usa\""); break;
    case 4: T("\"australia_canada\""); break;
    case 8: T("\"east_row\""); break;
    default: T("\"unknown\"");
  }
  T(",\"state\":\"active\",\"age_minutes\":"), integer_into(age);
  T(",\"max_life_minutes\":"), integer_into(life);
  T(",\"initializations\":"), integer_into(m[318]);
  T(",\"activated_at\":"), time_text(start);
  T(",\"expires_at\":"), time_text(start + life * 60);
  T(",\"end_of_life\":[],\"failure\":null},\"integrity\":{\"header\":\"ok\",\"body\":\"ok\",\"footer\":\"ok\"},\"calibration\":{\"model\":\"factory\",\"version\":1,\"provenance\":\"Abbott's static formula with the sensor's own numbers\",\"i1\":");
  integer_into(i1), T(",\"i2\":"), integer_into(i2), T(",\"i3\":"), integer_into(i3), T(",\"i4\":"), integer_into(i4);
  T(",\"i5\":"), integer_into(i5), T(",\"i6\":"), integer_into(i6), T("}");

  static const char *rings[] = {"history", "trend"};
  Sample trend[16];
  long newest = 0;
  int trend_count = 0;
  for (int ring = 0; ring < 2; ring++) {
    int slots = ring ? 16 : 32, step = ring ? 1 : 15, index = m[ring ? 26 : 27], at = ring ? 28 : 124;
    if (index >= slots) refuse(number, "ring index");
    long last = (ring ? age : (age < life ? age : life)) / step;
    newest = (last - mod(last - index, slots)) * step;
    long samples = newest / step < slots ? newest / step : slots;
    T(",\""), text(rings[ring], strlen(rings[ring])), T("\":[");
    for (int i = 0; i < samples; i++) {
      u64 r = little(m + at + 6 * mod(index - 1 - i, slots), 6);
      if (!r || r >> 25 & 1) refuse(number, "a sample without a value");
      Sample s = {
        newest - (long)i * step, r & 16383, (int)(r >> 26 & 4095) * 4, (int)(r >> 38 & 511) * (r >> 47 ? -4 : 4),
        r >> 14 & 2047, 0, 0, "ok"};
      double ohms = s.temperature * 72500.0 / (s.adjustment + i6) - 1000, l = log(ohms);
      if (!(ohms > 0)) refuse(number, "temperature");
      s.celsius = 1 / (0.0009180023 + 0.0001964561 * l + (0.0000007061775 + 0.00000005283566 * l) * (l * l)) - 273.15;
      s.glucose = (65.0 * (s.counts - i3) / (i4 - i3) * exp2((32.5 - s.celsius) * 0.06350294230615795) - offset) / slope;
      if (s.celsius < 0 || s.celsius > 50) refuse(number, "temperature");
      if (s.counts < m[330]) s.quality = "low_signal";
      else if (s.celsius < 20 || s.celsius > 40) s.quality = "temperature";
      else if (s.minute < 60) s.quality = "warm_up";
      int usable = s.quality[0] == 'o';
      if (ring) trend[trend_count++] = s;
      size_t length = 0;
      memcpy(name + 32, ring ? "/trend/" : "/history/", ring ? 7 : 9), length = ring ? 39 : 41;
      char minute[24];
      int first = 24;
      long rest = s.minute;
      do minute[--first] = (char)('0' + rest % 10), rest /= 10; while (rest);
      memcpy(name + length, minute + first, 24 - first), length += 24 - first;
      if (i) T(",");
      T("{\"id\":\""), uuid(name, length);
      T("\",\"ring\":\""), text(rings[ring], strlen(rings[ring]));
      T("\",\"minute\":"), text(minute + first, 24 - first);
      T(",\"time\":"), time_text(start + s.minute * 60);
      T(",\"raw\":{\"glucose\":"), integer_into(s.counts);
      T(",\"temperature\":"), integer_into(s.temperature);
      T(",\"temperature_adjustment\":"), integer_into(s.adjustment);
      T(",\"has_error\":false,\"error_field\":"), integer_into(s.errors);
      T("},\"quality\":\""), text(s.quality, strlen(s.quality));
      T("\",\"errors\":[],\"temperature_c\":"), decimal(s.celsius, 2);
      T(",\"glucose_mg_dl\":");
      if (usable) decimal(s.glucose, 4);
      else T("null");
      T(",\"model_glucose_mg_dl\":"), decimal(s.glucose, 4);
      T("}");
    }
    T("]");
  }

  double sx = 0, sy = 0, sxx = 0, sxy = 0, x0 = 0, y0 = 0;
  int points = 0, current = -1;
  for (int i = 0; i < trend_count; i++) {
    if (trend[i].quality[0] != 'o') continue;
    if (current < 0 && i <= 5) current = i;
    if (!points++) x0 = -i, y0 = trend[i].glucose;
    double x = -i - x0, y = trend[i].glucose - y0;
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  T(",\"current\":");
  if (current < 0) T("null");
  else {
    T("{\"minute\":"), integer_into(trend[current].minute), T(",\"glucose_mg_dl\":"), decimal(trend[current].glucose, 4);
    T(",\"rate_mg_dl_per_min\":");
    const char *direction = "NOT COMPUTABLE";
    if (points >= 5) {
      double rate = (points * sxy - sx * sy) / (points * sxx - sx * sx), size = fabs(rate);
      decimal(rate, 4);
      static const char *up[] = {"Flat", "FortyFiveUp", "SingleUp", "DoubleUp"}, *down[] = {"Flat", "FortyFiveDown", "SingleDown", "DoubleDown"};
      direction = (rate > 0 ? up : down)[size < 3 ? (int)size : 3];
    } else T("null");
    T(",\"direction\":\""), text(direction, strlen(direction)), T("\"}");
  }
  T(",\"problems\":[],\"memory\":{\"bytes\":\""), hex(m, 344, upper), T("\",\"missing_blocks\":[]}}\n");
}

int main(void) {
  memset(nibbles, 255, sizeof nibbles);
  for (int i = 0; i < 16; i++) nibbles[(u8)upper[i]] = nibbles[(u8)lower[i]] = (u8)i;
  for (int i = 0; i < 256; i++) {
    uint16_t r = (uint16_t)i;
    for (int bit = 0; bit < 8; bit++) r = (uint16_t)(r & 1 ? r >> 1 ^ 0x8408 : r >> 1);
    crc_table[i] = r;
  }
  room = 1 << 17;
  out = malloc(room);
  char *line = NULL;
  size_t capacity = 0;
  ssize_t count;
  for (long number = 1; (count = getline(&line, &capacity, stdin)) > 0; number++) {
    if (line[count - 1] == '\n') line[--count] = 0;
    decode(line, (size_t)count, number);
  }
  fwrite(out, 1, used, stdout);
  return 0;
}

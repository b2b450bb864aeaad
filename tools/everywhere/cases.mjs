// SPDX-License-Identifier: Apache-2.0
//
// Decodes each case of tools/everywhere by libre.wasm, as a page does, and writes the lines of Cases.swift.
//
//   node cases.mjs libre.wasm CASES RESULTS
import { readFileSync, writeFileSync } from "node:fs";

const [, , library, input, output] = process.argv;
const { exports: libre } = (await WebAssembly.instantiate(readFileSync(library), {})).instance;

// All memory from here on is the caller's. Structures begin at multiples of eight bytes.
const base = (libre.__heap_base.value + 7) & ~7;
const place = { reading: base, options: base + 2248, memory: base + 2248 + 56 };
// The size of structures of a later header: more than a signed number of this machine holds.
const largest = 0xFFFFFFFF;
const view = new DataView(libre.memory.buffer);
const bytes = new Uint8Array(libre.memory.buffer);

const text = (start) => {
  if (start === 0) return "-";
  let end = start;
  while (bytes[end]) end++;
  return new TextDecoder().decode(bytes.subarray(start, end)) || "-";
};
const hex = (start) => view.getBigUint64(start, true).toString(16).toUpperCase().padStart(16, "0");
const double = (start, isKnown) =>
  isKnown || !Number.isNaN(view.getFloat64(start, true)) ? hex(start) : "nan";

function sample(ring, start) {
  const errors = view.getUint16(start + 34, true);
  const flags = bytes[start + 37];
  const names = [...Array(16).keys()].filter((bit) => (errors >> bit) & 1);
  return [
    ring, view.getInt32(start + 24, true), view.getUint16(start + 28, true), view.getUint16(start + 30, true),
    view.getInt16(start + 32, true),
    flags & 8 ? names.map((bit) => text(libre.libre_measurement_error_name(bit)) + ",").join("") : "-",
    text(libre.libre_quality_name(bytes[start + 36])), double(start + 16, flags & 4), double(start + 8, flags & 2),
    double(start, flags & 1),
  ].join(" ");
}

function reading(start) {
  const int = (offset) => view.getInt32(start + offset, true);
  const byte = (offset) => bytes[start + offset];
  const flags = byte(46);
  const uid = [...bytes.subarray(start + 64, start + 72)].map((b) => b.toString(16).toUpperCase().padStart(2, "0"));
  const words = [
    text(libre.libre_error_name(int(4))), text(libre.libre_family_name(byte(41))),
    ...[43, 44, 45].map((offset) => text(libre.libre_checksum_name(byte(offset)))),
    text(libre.libre_state_name(byte(40))), text(libre.libre_region_name(byte(42))), int(28), int(32), int(36), flags & 7,
    text(start + 49), flags & 8 ? uid.join("") : "-", int(24), double(start + 8, flags & 16), double(start + 16, flags & 32),
    byte(47), byte(48), text(start + 72),
  ];
  const lines = [words.join(" ")];
  for (let index = 0; index < byte(47); index++) lines.push(sample("t", start + 328 + 40 * index));
  for (let index = 0; index < byte(48); index++) lines.push(sample("h", start + 968 + 40 * index));
  return lines;
}

const names = (title, name, count) =>
  [title, ...[...Array(count).keys(), count, -1].map((number) => text(name(number)))].join(" ");
const lines = [
  `abi ${libre.libre_abi_version()}`,
  names("quality", libre.libre_quality_name, 6), names("state", libre.libre_state_name, 7),
  names("family", libre.libre_family_name, 9), names("region", libre.libre_region_name, 9),
  names("checksum", libre.libre_checksum_name, 4), names("measurement_error", libre.libre_measurement_error_name, 9),
  names("error", libre.libre_error_name, 15),
];

for (const line of readFileSync(input, "utf8").trimEnd().split("\n")) {
  const [memory, uid, patchInfo, missing, flags] = line.split(" ");
  const put = (start, digits) => {
    const values = digits === "-" ? [] : digits.match(/../g).map((pair) => parseInt(pair, 16));
    bytes.set(values, start);
    return values.length;
  };
  bytes.fill(0, place.options, place.options + 56);
  view.setUint32(place.options, largest, true);
  view.setUint32(place.options + 4, parseInt(flags, 16), true);
  view.setBigUint64(place.options + 8, BigInt("0x" + missing), true);
  bytes[place.options + 16] = put(place.options + 18, uid);
  bytes[place.options + 17] = put(place.options + 26, patchInfo);
  lines.push(`product ${text(libre.libre_product_name(place.options + 26, bytes[place.options + 17]))}`);
  view.setUint32(place.reading, largest, true);
  libre.libre_decode(place.memory, put(place.memory, memory), place.options, place.reading);
  lines.push(...reading(place.reading));
}
writeFileSync(output, lines.join("\n") + "\n");

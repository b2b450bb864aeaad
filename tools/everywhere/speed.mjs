// SPDX-License-Identifier: Apache-2.0
//
// Nanoseconds for a memory through libre.wasm: node speed.mjs libre.wasm MEMORIES
import { readFileSync } from "node:fs";

const [, , library, file] = process.argv;
const { exports: libre } = (await WebAssembly.instantiate(readFileSync(library), {})).instance;
const base = (libre.__heap_base.value + 7) & ~7;
const view = new DataView(libre.memory.buffer);
const bytes = new Uint8Array(libre.memory.buffer);
const memories = readFileSync(file);
const each = 344;
const count = memories.length / each;

function value(index) {
  bytes.set(memories.subarray(index * each, (index + 1) * each), base + 2248);
  view.setUint32(base, 2248, true);
  if (libre.libre_decode(base + 2248, each, 0, base) !== 0) return 0;
  let sum = 0;
  for (const [start, samples] of [[base + 328, bytes[base + 47]], [base + 968, bytes[base + 48]]])
    for (let index = 0; index < samples; index++)
      if (bytes[start + 40 * index + 37] & 1) sum += view.getFloat64(start + 40 * index, true);
  return sum;
}

let best = Infinity;
let sum = 0;
for (let round = 0; round < 300; round++) {
  const from = process.hrtime.bigint();
  for (let index = 0; index < count; index++) sum += value(index);
  best = Math.min(best, Number(process.hrtime.bigint() - from));
}
console.log(best / count, sum);

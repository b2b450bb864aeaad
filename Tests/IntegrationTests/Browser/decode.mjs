// SPDX-License-Identifier: Apache-2.0
// Runs the script of the page without a browser, and prints as one JSON array what it makes of each file: the documents
// of the memories and the text that it saves of the first, or why it refuses the file.
//
//   node decode.mjs PAGE.html FILE…
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { runInThisContext } from "node:vm";

const [page, ...files] = process.argv.slice(2);
const script = /<script>([^]*)<\/script>/.exec(readFileSync(page, "utf8"))[1];
const decodeFile = runInThisContext(`${script}
(async (name, bytes) => {
  globalThis.decoder ??= await Decoder.load();
  const found = await find(decoder, bytes, async () => {}).catch(error => error);
  if (found instanceof Error) return { refused: found.message };
  const scans = found.map(memory => new Scan(decoder, memory, name));
  return {
    memories: scans.map(scan => scan.document), saved: JSON.stringify(scans[0]?.document ?? null),
  };
})`);
const results = [];
for (const file of files) results.push(await decodeFile(basename(file), new Uint8Array(readFileSync(file))));
process.stdout.write(JSON.stringify(results));

// SPDX-License-Identifier: Apache-2.0
// Runs the script of the page without a browser, and prints as one JSON array what it makes of each file: the documents
// of the memories, and the CSV of all scans that decoded.
//
//   node decode.mjs PAGE.html [--salvage] FILE…
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { runInThisContext } from "node:vm";

const [page, ...words] = process.argv.slice(2);
const isSalvaging = words[0] === "--salvage";
const script = /<script>([^]*)<\/script>/.exec(readFileSync(page, "utf8"))[1];
const decodeFile = runInThisContext(`${script}
(async (name, bytes, more) => {
  globalThis.decoder ??= await Decoder.load();
  const scans = (await find(decoder, bytes, async () => {})).map(memory => new Scan(decoder, memory, name));
  for (const scan of scans) if (more) scan.decode(decoder, more);
  return {
    file: name, memories: scans.map(scan => ({ ...scan.document, place: scan.place })),
    csv: csv(Sensor.all(scans.filter(scan => !scan.reading.error))),
  };
})`);
const results = [];
for (const file of isSalvaging ? words.slice(1) : words) {
  results.push(await decodeFile(basename(file), new Uint8Array(readFileSync(file)), isSalvaging ? { salvage: true } : null));
}
process.stdout.write(JSON.stringify(results));

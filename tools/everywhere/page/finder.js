// SPDX-License-Identifier: Apache-2.0

/** Text as bytes, and the memories in a file. Whether bytes are a memory is never decided here, but by the decoder. */

const hexBytes = text => Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], digits => parseInt(digits, 16));
const hexText = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0").toUpperCase()).join("");

/** UID or patch info that a person has typed: null if nothing, undefined if it has not as many bytes. */
const typedBytes = (text, fewest, most) => {
  const digits = text.replace(/^\s*0x|[\s:.-]/gi, "");
  if (!digits) return null;
  const count = digits.length / 2;
  return /^[0-9a-f]+$/i.test(digits) && Number.isInteger(count) && count >= fewest && count <= most
    ? hexBytes(digits) : undefined;
};

const base64Bytes = text => {
  try {
    const letters = atob(text.replace(/[\s=]/g, "").replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(letters, letter => letter.charCodeAt(0));
  } catch { return new Uint8Array(); }
};

/** Bytes that follow one another in a text. `token` has the number in group 1, and then what may stand after it. */
const runs = (text, token, radix, fewest) => {
  const all = [], bytes = new Uint8Array(text.length);
  let count = 0, end = -1;
  const finish = () => { if (count >= fewest) all.push(bytes.slice(0, count)); };
  for (const match of text.matchAll(token)) {
    if (match.index !== end) { finish(); count = 0; }
    bytes[count] = parseInt(match[1], radix);
    count += 1;
    end = match.index + match[0].length;
  }
  finish();
  return all;
};

const isComment = line => /^\s*(?:#(?!\s*\d)|\/\/)/.test(line);

/** The ways in which bytes stand in text, and the bytes of each. Short ones are kept: a memory may be cut off. */
const layers = {
  "hex digits": text => runs(text, /(?:0x|\\x)?([0-9a-f]{2})[\s,;:."'_|-]{0,9}/gi, 16, 24),
  // 00000008: 0300 0000 …, [01] . 22 48 …, #01 22 48 …, with the same bytes as letters after them; and rows of
  // single bytes with anything before or after them, where zero may have one digit: The block #0:22 48 0 0 3 0 0 0.
  "hex digits in numbered rows": text => {
    const lines = text.split(/\r?\n/);
    const number = /^\W*(?:block\s*)?(?:0x)?[0-9a-f]{1,8}(?:h?[\])|:]|\s)[\s.:|*>-]*/i;
    const numbered = lines.map(line => {
      const start = number.exec(line)?.[0].length;
      return start && /^(?:(?:0x)?[0-9a-f]{2}[ ,]{0,2}){4,32}/i.exec(line.slice(start))?.[0];
    });
    const bytes = /(?:^|[\s|:])((?:[0-9a-f]{1,2}(?:, ?| )){7,31}[0-9a-f]{1,2})(?![0-9a-f])/i;
    const single = lines.map(line => bytes.exec(line)?.[1].replace(/\b[0-9a-f]\b/gi, "0$&"));
    return [numbered, single].map(rows => hexBytes(rows.filter(Boolean).join(" ").replace(/0x/gi, "")));
  },
  // Negative ones are bytes of Java and Kotlin. A number of another kind ends a run.
  "decimal numbers": text => runs(text,
    /(?<![\w.])(-(?:12[0-8]|1[01]\d|\d?\d)|25[0-5]|2[0-4]\d|1\d\d|\d?\d)(?![\w.])[\s,;|]{0,9}/g, 10, memorySize),
  // One word, or lines of which each but the last is a word.
  "base64": text => {
    const plain = text.replace(/%2B/gi, "+").replace(/%2F/gi, "/").replace(/%3D/gi, "=");
    const pieces = [];
    let lines = "";
    for (const line of plain.split(/\r?\n/)) {
      pieces.push(...line.match(/[A-Za-z0-9+/_-]{400,}/g) ?? []);
      const word = /^\s*([A-Za-z0-9+/_-]+)=*\s*$/.exec(line)?.[1];
      if (word) lines += word;
      else { pieces.push(lines); lines = ""; }
    }
    return [...pieces, lines].filter(piece => piece.length >= 400).map(base64Bytes);
  },
};

/** A UID with E0 first, from whichever end it was written; null for 8 bytes that are only called one. */
const uidBytes = bytes => {
  const ways = [bytes, bytes.slice().reverse()].filter(way => way[0] === 0xE0);
  // One sensor in 256 has E0 at its other end too; the maker says from which end it was written.
  const known = ways.filter(way => facts.makers.includes(way[1]));
  return (ways.length === 1 ? ways : known.length === 1 ? known : [null])[0];
};

/** Facts about the sensor that a file has besides the memory; one that stands there with two values is left out. */
const knownFromText = text => {
  const one = (pattern, read) => {
    const values = new Set(Array.from(text.matchAll(pattern), match => match[1].replace(/[\s:-]/g, "").toUpperCase()));
    return values.size === 1 ? read([...values][0]) : null;
  };
  const time = /^\s*#\s*read-at:\s*(\S+)/im.exec(text)?.[1] ?? null;
  const missing = /^\s*#\s*missing-blocks:\s*([\d, -]+)/im.exec(text)?.[1] ?? "";
  return {
    uid: one(/uid\b["']?\s*[:=]\s*["']?((?:[0-9a-f]{2}[ :-]?){7}[0-9a-f]{2})\b/gi, digits => uidBytes(hexBytes(digits))),
    patchInfo: one(/patch[ _-]?info\b["']?\s*[:=]\s*["']?((?:[0-9a-f]{2}[ :-]?){5,23}[0-9a-f]{2})\b/gi, hexBytes),
    readAt: instant(time),
    missing: missing.split(",").filter(part => part.trim()).flatMap(part => {
      const [first, last = first] = part.split("-").map(Number);
      return Array.from({ length: Math.max(0, Math.min(last, 63) - first + 1) }, (_, index) => first + index);
    }),
  };
};

const instant = text => {
  const time = text ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? null : time;
};

/** The values in a JSON value, in their order, each with the name of its member. */
function* members(whole) {
  const rest = [["", whole]];
  while (rest.length) {
    const [name, value] = rest.pop();
    yield [name, value];
    if (value === null || typeof value !== "object") continue;
    for (const [key, inner] of Object.entries(value).reverse()) rest.push([Array.isArray(value) ? name : key, inner]);
  }
}

const knownFromJSON = value => {
  const all = [...members(value)];
  const find = (pattern, fits) => all.find(([name, value]) => pattern.test(name) && fits(value))?.[1];
  const isHex = (fewest, most) => value => typeof value === "string" && !!typedBytes(value, fewest, most);
  const uid = find(/uid$/i, value => isHex(8, 8)(value) && !!uidBytes(typedBytes(value, 8, 8)));
  const info = find(/patch_?info$/i, isHex(6, 24));
  return {
    uid: uid ? uidBytes(typedBytes(uid, 8, 8)) : null, patchInfo: info ? typedBytes(info, 6, 24) : null,
    readAt: instant(find(/^read_at$/, value => typeof value === "string")),
    missing: (find(/^missing_blocks$/, Array.isArray) ?? [])
      .filter(block => Number.isInteger(block) && block >= 0 && block < 64),
  };
};

/** Texts in a JSON value, and lists of numbers, or of blocks in hex, as text. */
const textsInJSON = value => Array.from(members(value), ([, inner]) => {
  if (typeof inner === "string") return inner;
  const items = inner && typeof inner === "object" ? Object.values(inner) : [];
  const isHex = item => typeof item === "string" && /^([0-9a-f]{2}\s?){1,32}$/i.test(item);
  const isList = items.every(Number.isInteger) || items.every(isHex);
  return isList ? items.join(" ") : "";
}).filter(text => text.length >= 64);

const parsedJSON = text => {
  const parse = part => { try { return [JSON.parse(part)]; } catch { return []; } };
  if (!/^\s*[[{]/.test(text)) return [];
  const whole = parse(text);
  if (!whole.length) return text.split("\n").filter(line => line.trim()).flatMap(parse);
  return Array.isArray(whole[0]) && whole[0].every(part => part && typeof part === "object") ? whole[0] : whole;
};

/** The text of a file; null if it is not one. */
const textOf = bytes => {
  const isWide = bytes[0] === 0xFF && bytes[1] === 0xFE;
  if (!isWide && bytes.includes(0)) return null;
  try {
    return new TextDecoder(isWide ? "utf-16le" : "utf-8", { fatal: true }).decode(bytes);
  } catch { return null; }
};

const largestUnpacked = 64 << 20;

/** The bytes that gzip has packed, or the bytes themselves if it has not. A few bytes can be made to unpack to gigabytes. */
const unzipped = async bytes => {
  if (bytes[0] !== 0x1F || bytes[1] !== 0x8B) return bytes;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts = [];
  let count = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      count += part.value.length;
      if (count > largestUnpacked) break;
      parts.push(part.value);
    }
  } catch { return bytes; }
  if (count <= largestUnpacked) return new Uint8Array(await new Blob(parts).arrayBuffer());
  await reader.cancel();
  throw new Error("it unpacks to more than 64 MB, the most that this page searches; the command libre find has no such "
    + "limit");
};

/** Finds the memories of a file: of each its `bytes`, what is `known` besides, and the words of its `place`. */
const find = async (decoder, packed, pause) => {
  const bytes = await unzipped(packed);
  const text = textOf(bytes);
  if (text === null) {
    return memoriesIn(decoder, [{ place: "bytes", streams: [bytes], fewest: memorySize }], {}, pause);
  }
  const documents = parsedJSON(text);
  const found = [];
  for (const value of documents) {
    found.push(...await memoriesIn(decoder, ways(textsInJSON(value)), knownFromJSON(value), pause));
  }
  if (found.length) return found;
  const content = text.split("\n").filter(line => !isComment(line)).join("\n");
  return memoriesIn(decoder, ways([content]), knownFromText(text), pause);
};

/** The streams of bytes in texts. A memory that was cut off is known only where a text has nothing but hex digits. */
const ways = texts => {
  const isHexOnly = texts.length === 1 && /^[0-9a-fx\s,;:.-]*$/i.test(texts[0]);
  const fewest = isHexOnly ? facts.regions[0][2] : memorySize;
  return Object.entries(layers).map(([place, read]) => ({ place, streams: texts.flatMap(read), fewest }));
};

/** A stream that is as long as a memory counts as one even if it is damaged; within others only proof counts. */
const memoriesIn = async (decoder, ways, known, pause) => {
  const whole = ways.flatMap(({ place, streams, fewest }) =>
    streams.filter(stream => isLengthOfMemory(stream.length, fewest)).map(bytes => ({ bytes, known, place })));
  const sound = whole.filter(memory => !decoder.decode(memory.bytes, known).error);
  if (sound.length) return distinct(sound);
  const proven = [];
  for (const { place, streams } of ways) {
    for (const stream of streams) {
      for (const start of await decoder.search(stream, known, pause)) {
        const bytes = stream.slice(start, start + memorySize);
        proven.push({ bytes, known: { ...known, missing: [] }, place: `${place}, from byte ${start} on` });
      }
    }
  }
  return proven.length ? distinct(proven) : whole.slice(0, 1);
};

const isLengthOfMemory = (length, fewest) => length >= fewest
  && (length < memorySize || (length <= facts.fullSize && length % facts.blockSize === 0));

const distinct = memories => {
  const seen = new Set();
  return memories.filter(({ bytes }) => {
    const text = hexText(bytes.subarray(0, memorySize));
    return !seen.has(text) && seen.add(text);
  });
};

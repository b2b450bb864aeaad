// SPDX-License-Identifier: Apache-2.0

const { structures, codes, width } = facts;
const memorySize = facts.regions.at(-1)[2];
const utf8 = new TextDecoder();

/** libre's decoder, by its C interface (libre.h) as WebAssembly. What is not known is null. */
class Decoder {
  #functions;
  #bytes;
  #view;
  #reading;
  #options;
  #window;

  /** Bytes of a file that are searched at once. */
  static windowSize = 16384;

  static async load() {
    const packed = Uint8Array.from(atob(packedDecoder), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Decoder((await WebAssembly.instantiate(await new Response(stream).arrayBuffer())).instance.exports);
  }

  constructor(functions) {
    this.#functions = functions;
    functions.memory.grow(1);
    this.#bytes = new Uint8Array(functions.memory.buffer);
    this.#view = new DataView(functions.memory.buffer);
    // Everything from the heap's base on is the caller's.
    this.#reading = (functions.__heap_base.value + 7) & ~7;
    this.#options = this.#reading + width.reading;
    this.#window = this.#options + width.options;
  }

  /** Decodes one memory. `known` may have `uid`, `patchInfo` (bytes), `missing` (block numbers) and `salvage`. */
  decode(memory, known = {}) {
    this.#bytes.set(memory.subarray(0, memorySize), this.#window);
    this.#know(known);
    this.#decode(0, Math.min(memory.length, memorySize));
    return this.#result(known);
  }

  /** Places of all memories in the bytes that their own checksums prove. */
  async search(bytes, known, pause) {
    const places = [];
    // A footer that is cut off leaves the samples.
    const end = bytes.length - facts.regions[1][2];
    for (let start = 0; start <= end; ) {
      const piece = bytes.subarray(start, start + Decoder.windowSize + memorySize);
      this.#bytes.set(piece, this.#window);
      // Another memory may have been decoded during the pause.
      this.#know({ ...known, missing: [] });
      let at = 0;
      while (at < Decoder.windowSize && start + at <= end) {
        this.#decode(at, Math.min(memorySize, piece.length - at));
        if (this.#isProven()) {
          places.push(start + at);
          at += memorySize;
        } else at += 1;
      }
      start += at;
      await pause(start);
    }
    return places;
  }

  #know({ uid, patchInfo, missing, salvage }) {
    this.#bytes.fill(0, this.#options, this.#options + width.options);
    const set = (name, value) => this.#write(structures.options[name], this.#options, value);
    set("size", width.options);
    set("flags", salvage ? codes.option.SALVAGE : 0);
    set("missing_blocks", (missing ?? []).reduce((bits, block) => bits | (1n << BigInt(block)), 0n));
    if (uid) { set("uid_size", uid.length); set("uid", uid); }
    if (patchInfo) { set("patch_info_size", patchInfo.length); set("patch_info", patchInfo); }
  }

  #decode(at, size) {
    this.#write(structures.reading.size, this.#reading, width.reading);
    this.#functions.libre_decode(this.#window + at, size, this.#options, this.#reading);
  }

  /** True if a memory begins where libre_decode looked last. It knows the state only of a header that is right. */
  #isProven() {
    const value = name => this.#read(structures.reading[name], this.#reading);
    const { CHECKSUM_OK, CHECKSUM_TORN } = codes.checksum;
    if (value("error") !== codes.error.OK || value("state") === codes.state.STATE_UNKNOWN) return false;
    if (![CHECKSUM_OK, CHECKSUM_TORN].includes(value("body"))) return false;
    return !(value("flags") & codes.reading_flag.KEY_RECOVERED) || value("footer") === CHECKSUM_OK;
  }

  #result(known) {
    const value = name => this.#read(structures.reading[name], this.#reading);
    const flags = this.#flags(codes.reading_flag, value("flags"));
    const error = value("error");
    const number = name => (error || value(name) < 0 ? null : value(name));
    const ring = name => Array.from({ length: value(name + "_count") }, (_, index) =>
      this.#sample(name, this.#reading + structures.reading[name][0] + index * width.sample));
    return {
      error: error ? { code: this.#name("error", error), number: error, message: value("message") } : null,
      family: this.#name("family", value("family")), product: this.#product(known.patchInfo),
      state: this.#name("state", value("state")),
      region: value("footer") === codes.checksum.CHECKSUM_OK && !error ? this.#name("region", value("region")) : null,
      integrity: Object.fromEntries(facts.regions.map(([name]) => [name, this.#name("checksum", value(name))])),
      ageMinutes: number("age_minutes"), maxLifeMinutes: number("max_life_minutes"),
      initializations: number("initializations"),
      serial: value("serial") || null,
      recoveredUID: flags.has("KEY_RECOVERED") ? value("recovered_uid") : null,
      isSalvaged: flags.has("SALVAGED"), isUndated: flags.has("HISTORY_UNDATED"),
      isEstimated: flags.has("HISTORY_ESTIMATED"),
      current: !flags.has("HAS_CURRENT") ? null : {
        minute: value("current_minute"), glucose: value("current_glucose_mg_dl"),
        rate: flags.has("HAS_RATE") ? value("current_rate_mg_dl_per_min") : null,
      },
      trend: ring("trend"), history: ring("history"),
      known,
    };
  }

  #sample(ring, address) {
    const value = name => this.#read(structures.sample[name], address);
    const flags = this.#flags(codes.sample_flag, value("flags"));
    const errors = value("errors");
    return {
      ring, minute: value("minute"), quality: this.#name("quality", value("quality")),
      glucose: flags.has("HAS_GLUCOSE") ? value("glucose_mg_dl") : null,
      modelGlucose: flags.has("HAS_MODEL_GLUCOSE") ? value("model_glucose_mg_dl") : null,
      temperature: flags.has("HAS_TEMPERATURE") ? value("temperature_c") : null,
      rawGlucose: value("raw_glucose"), rawTemperature: value("raw_temperature"),
      rawAdjustment: value("raw_temperature_adjustment"), hasError: flags.has("HAS_ERROR"),
      errors: !flags.has("HAS_ERROR") ? [] : Array.from({ length: 16 }, (_, bit) =>
        (errors >> bit) & 1 ? this.#name("measurement_error", bit) : null).filter(name => name !== null),
    };
  }

  #flags(names, bits) { return new Set(Object.keys(names).filter(name => bits & names[name])); }

  /** The word of a number; null for one that has none. */
  #name(kind, number) {
    const address = this.#functions[`libre_${kind}_name`](number);
    return address ? this.#text(address) : null;
  }

  /** The product that the patch info of the options names, as on its box; null without one. */
  #product(patchInfo) {
    const address = patchInfo
      && this.#functions.libre_product_name(this.#options + structures.options.patch_info[0], patchInfo.length);
    return address ? this.#text(address) : null;
  }

  #text(address) { return utf8.decode(this.#bytes.subarray(address, this.#bytes.indexOf(0, address))); }

  #read([offset, type, count], base) {
    const at = base + offset;
    switch (type) {
      case "double": return this.#view.getFloat64(at, true);
      case "int32": return this.#view.getInt32(at, true);
      case "uint32": return this.#view.getUint32(at, true);
      case "int16": return this.#view.getInt16(at, true);
      case "uint16": return this.#view.getUint16(at, true);
      case "char": return this.#text(at);
      default: return count ? this.#bytes.slice(at, at + count) : this.#bytes[at];
    }
  }

  #write([offset, type], base, value) {
    const at = base + offset;
    if (value instanceof Uint8Array) this.#bytes.set(value, at);
    else if (type === "uint64") this.#view.setBigUint64(at, value, true);
    else if (type === "uint32") this.#view.setUint32(at, value, true);
    else this.#bytes[at] = value;
  }
}

// SPDX-License-Identifier: Apache-2.0

/** A memory with what the decoder says of it, the sensor that several scans make, and documents of them. */

const words = name => (name ?? "unknown").replaceAll("_", " ");
const productName = ({ product, family }) =>
  product ?? facts.products[family.replaceAll("_", "").toLowerCase()] ?? words(family);

/** Two largest units, as the command writes them. */
const duration = minutes => {
  const days = Math.floor(minutes / 1440), hours = Math.floor(minutes / 60) % 24, rest = minutes % 60;
  return days ? `${days} d ${hours} h` : hours ? `${hours} h ${rest} min` : `${rest} min`;
};

const directions = [
  [-3, "DoubleDown", "⇊", "falling very fast"], [-2, "SingleDown", "↓", "falling fast"],
  [-1, "FortyFiveDown", "↘", "falling"], [0, "Flat", "→", "steady"], [1, "FortyFiveUp", "↗", "rising"],
  [2, "SingleUp", "↑", "rising fast"], [3, "DoubleUp", "⇈", "rising very fast"],
];

/** Steps at 1, 2 and 3 mg/dL per minute. */
const direction = rate => {
  if (rate === null) return { name: "NOT COMPUTABLE", arrow: "", words: null };
  const step = Math.sign(rate) * Math.min(3, Math.floor(Math.abs(rate)));
  const [, name, arrow, words] = directions.find(([steps]) => steps === (step || 0));
  return { name, arrow, words };
};

const rangeOf = glucose => {
  const { veryLow, low, high, veryHigh } = facts.limits;
  if (glucose < veryLow) return ["veryLow", "Very low"];
  if (glucose < low) return ["low", "Low"];
  if (glucose <= high) return ["within", "In range"];
  return glucose <= veryHigh ? ["high", "High"] : ["veryHigh", "Very high"];
};

class Scan {
  constructor(decoder, { bytes, known, place }, file) {
    Object.assign(this, { bytes, known, place, file });
    this.decode(decoder, {});
  }

  /** Decodes again with what the user adds: `uid` and `patchInfo`, or `salvage`. */
  decode(decoder, more) {
    this.known = { ...this.known, ...more };
    this.reading = decoder.decode(this.bytes, this.known);
  }

  /** With E0 first. */
  get uid() {
    const { uid } = this.known;
    return uid && (uidBytes(uid) ?? uid);
  }

  /** Milliseconds since 1970 of the sensor's start, as far as the file says when it was read; null before the start. */
  get start() {
    const { readAt } = this.known, { ageMinutes } = this.reading;
    return readAt && ageMinutes ? readAt - ageMinutes * 60_000 : null;
  }

  /** The footer's bytes are the same in all scans of one sensor, and differ between sensors. */
  get footer() {
    const [, start, end] = facts.regions[2];
    return this.reading.integrity.footer === "ok" ? hexText(this.bytes.subarray(start, end)) : null;
  }

  isOfSameSensor(other) {
    if (this.reading.initializations !== other.reading.initializations) return false;
    if (this.uid && other.uid) return hexText(this.uid) === hexText(other.uid);
    return this.footer !== null && this.footer === other.footer;
  }

  #hasError(...names) { return names.some(name => codes.error[`ERROR_${name}`] === this.reading.error?.number); }

  /** True if a UID and a patch info could decrypt it. */
  get isLocked() {
    return this.#hasError("ENCRYPTED_OR_UNKNOWN", "ENCRYPTED_WITHOUT_UID", "ENCRYPTED_WITHOUT_PATCH_INFO",
      "CANNOT_DECRYPT", "KEY_DISAGREES", "BAD_UID");
  }

  /** The bytes that are decoded; a longer dump has the sensor's program after them. */
  get memory() { return this.bytes.subarray(0, memorySize); }

  get isSalvageable() { return this.#hasError("CRC_MISMATCH", "BLOCK_MISSING"); }

  /** The memory as a `libre.dump/1`, which libre imports, with the members of `libre.reading/1` that are known here. */
  get document() {
    const { reading, start } = this;
    const { current, error } = reading;
    const sample = sample => ({
      ring: sample.ring, minute: sample.minute, time: timeText(start, sample.minute),
      raw: {
        glucose: sample.rawGlucose, temperature: sample.rawTemperature, temperature_adjustment: sample.rawAdjustment,
        has_error: sample.hasError,
      },
      quality: sample.quality, errors: sample.errors, temperature_c: rounded(sample.temperature, 2),
      glucose_mg_dl: rounded(sample.glucose, 4), model_glucose_mg_dl: rounded(sample.modelGlucose, 4),
    });
    return {
      schema: "libre.dump/1",
      read_at: this.known.readAt ? utc(this.known.readAt) : null,
      source: { tool: facts.tool, path: this.file },
      sensor: {
        uid: this.uid && hexText(this.uid), serial: reading.serial,
        patch_info: this.known.patchInfo ? hexText(this.known.patchInfo) : null,
        family: reading.family, product: reading.product, region: reading.region,
        state: error ? "unknown" : reading.state,
        age_minutes: reading.ageMinutes, max_life_minutes: reading.maxLifeMinutes,
        initializations: reading.initializations,
        activated_at: timeText(start, 0), expires_at: timeText(start, reading.maxLifeMinutes),
      },
      integrity: reading.integrity,
      ...(reading.isSalvaged ? { salvaged: true } : {}),
      ...(reading.recoveredUID ? { recovered_uid: hexText(reading.recoveredUID) } : {}),
      ...(error ? { error: { code: error.code, message: error.message } } : {}),
      history: error ? null : reading.history.map(sample), trend: error ? null : reading.trend.map(sample),
      current: current && {
        minute: current.minute, glucose_mg_dl: rounded(current.glucose, 4),
        rate_mg_dl_per_min: rounded(current.rate, 4), direction: direction(current.rate).name,
      },
      memory: { bytes: hexText(this.bytes), missing_blocks: this.known.missing ?? [] },
    };
  }
}

const rounded = (number, places) => (number === null ? null : Number(number.toFixed(places)));
const utc = time => new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
const timeText = (start, minute) => (start === null || minute === null ? null : utc(start + minute * 60_000));

/** All scans of one sensor. Each sample is there once: from the newest scan where it can be used, else the newest. */
class Sensor {
  scans = [];

  static all(scans) {
    const sensors = [];
    for (const scan of scans) {
      let sensor = sensors.find(({ scans }) => scans.some(other => scan.isOfSameSensor(other)));
      if (!sensor) sensors.push(sensor = new Sensor());
      sensor.scans.push(scan);
    }
    for (const sensor of sensors) sensor.scans.sort((one, other) => other.reading.ageMinutes - one.reading.ageMinutes);
    // The newest sensor first, as far as that is known.
    return sensors.sort((one, other) => (other.newest.known.readAt ?? 0) - (one.newest.known.readAt ?? 0));
  }

  get newest() { return this.scans[0]; }
  get start() { return this.scans.map(scan => scan.start).find(start => start !== null) ?? null; }

  /** The samples, newest first; in the same minute the trend's before the history's. */
  get samples() {
    const kept = new Map();
    for (const { reading } of this.scans) {
      for (const sample of [...reading.trend, ...reading.history]) {
        const key = `${sample.ring} ${sample.minute}`, before = kept.get(key);
        if (!before || (before.glucose === null && sample.glucose !== null)) kept.set(key, sample);
      }
    }
    return [...kept.values()].sort((one, other) =>
      other.minute - one.minute || other.ring.localeCompare(one.ring));
  }

  get name() {
    const { reading, uid } = this.newest;
    const serial = this.scans.map(scan => scan.reading.serial).find(Boolean) ?? null;
    return { product: productName(reading), serial, uid: this.scans.map(scan => scan.uid).find(Boolean) ?? uid };
  }
}

/** A row for each sample of each sensor, with columns of `libre decode --csv`. */
const csv = sensors => {
  const quoted = value => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const columns = ["uid", "serial", "ring", "minute", "time", "glucose_mg_dl", "quality", "errors", "temperature_c",
    "raw_glucose", "raw_temperature", "raw_temperature_adjustment", "has_error", "model_glucose_mg_dl", "family",
    "product"];
  const rows = sensors.flatMap(sensor => sensor.samples.map(sample => {
    const { uid, serial } = sensor.name;
    return [uid && hexText(uid), serial, sample.ring, sample.minute, timeText(sensor.start, sample.minute),
      rounded(sample.glucose, 4), sample.quality, sample.errors.join(" "), rounded(sample.temperature, 2),
      sample.rawGlucose, sample.rawTemperature, sample.rawAdjustment, sample.hasError, rounded(sample.modelGlucose, 4),
      sensor.newest.reading.family, sensor.newest.reading.product];
  }));
  return [columns, ...rows].map(row => row.map(value => quoted(String(value ?? ""))).join(",") + "\n").join("");
};

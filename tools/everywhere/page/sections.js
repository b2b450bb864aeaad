// SPDX-License-Identifier: Apache-2.0

/** The page's sections for sensors and for memories that give no reading. Text goes into them as text, never as markup. */

/** An element with attributes and children; a child that is null, undefined or false is left out. */
const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key === "onclick") made.addEventListener("click", value);
    else if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat(2).filter(child => child !== null && child !== undefined && child !== false));
  return made;
};

/** A unit with the mg/dL of one of it, and the steps of the curve's axis. */
class Unit {
  constructor(name, size, places, step) {
    Object.assign(this, { name, size, places, step: step * size });
  }

  text(value) { return (value / this.size).toFixed(this.places); }
  full(value) { return `${this.text(value)} ${this.name}`; }
  /** A change needs two places more, and its sign. */
  rate(value) {
    const text = (value / this.size).toFixed(this.places + 2);
    return `${Number(text) > 0 ? "+" : ""}${text.replace("-", "−")} ${this.name} per minute`;
  }
}

const units = {
  "mg/dL": new Unit("mg/dL", 1, 0, 50),
  "mmol/L": new Unit("mmol/L", facts.milligramsPerMillimole, 1, 3),
};

const unknown = "–";
const shown = (value, text) => (value === null || value === undefined ? unknown : text(value));
const localTime = time => new Date(time).toLocaleString("en-GB", {
  day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit",
});

/** A message of the decoder as a sentence. */
const sentence = text => `${text[0].toUpperCase()}${text.slice(1)}${/[.:]$/.test(text) ? "" : "."}`;

/** libre_decode knows a Libre Pro, but not its layout. */
const isPro = ({ error, family }) =>
  error.number === codes.error.ERROR_UNSUPPORTED_FAMILY && family === "libre_pro";

const fault = reading => (isPro(reading)
  ? "This is the memory of a FreeStyle Libre Pro. The command libre decode reads it; this page does not."
  : sentence(reading.error.message));

class Sections {
  /** `again` decodes a scan with what the user adds to it. */
  constructor(unit, again) {
    Object.assign(this, { unit, again });
  }

  #section(id, title, scans, ...content) {
    const made = element("section", { id, "aria-labelledby": `${id}-title` },
      element("h2", { id: `${id}-title`, tabindex: -1 }, title), ...content);
    made.scans = scans;
    return made;
  }

  // A memory that gives no reading.

  failure(scan, id) {
    const { reading, file } = scan;
    if (isPro(reading)) return this.#section(id, file, [scan], element("p", { class: "note" }, fault(reading)));
    const salvage = () => this.again(scan, { salvage: true });
    return this.#section(id, file, [scan],
      element("p", { class: "warning" }, fault(reading)),
      scan.isLocked && this.#keyForm(scan, id),
      scan.isSalvageable && [
        element("p", {}, "Some of its values may be wrong, and nothing shows which."),
        element("p", {}, element("button", { type: "button", onclick: salvage }, "Show the values all the same")),
      ],
      this.#facts(this.#origin([scan])),
      this.#map([scan], id));
  }

  #keyForm(scan, id) {
    const input = (name, bytes, hint) => element("input", {
      id: `${id}-${name}`, type: "text", value: bytes && hexText(bytes), placeholder: hint, spellcheck: "false",
      autocomplete: "off", autocapitalize: "characters", "aria-describedby": `${id}-fault`,
    });
    const uid = input("uid", scan.uid, "E007A0…"), info = input("info", scan.known.patchInfo, "9D0830…");
    const field = (input, label) => element("div", {}, element("label", { for: input.id }, label), input);
    const fault = element("p", { id: `${id}-fault`, role: "alert" });
    const submit = () => {
      const more = { uid: typedBytes(uid.value, 8, 8), patchInfo: typedBytes(info.value, 6, 24) };
      fault.textContent = more.uid === undefined ? "The UID must have 16 hex digits, such as E007A0000025905E."
        : more.patchInfo === undefined ? "The patch info must have 12 to 48 hex digits, such as 9D0830010000." : "";
      if (!fault.textContent) this.again(scan, more);
    };
    const form = element("div", { class: "key", role: "group", "aria-label": "Key of the memory" },
      field(uid, "UID, 8 bytes"), field(info, "Patch info, 6 to 24 bytes"),
      element("button", { type: "button", onclick: submit }, "Decrypt"));
    form.addEventListener("keydown", event => {
      if (event.key === "Enter" && event.target.matches("input")) submit();
    });
    return element("div", {},
      element("p", {}, "If this is a Libre 2 or a Libre 14 day (US), its UID and patch info from the same scan "
        + "decrypt it. Readers and apps show both."), form, fault);
  }

  // A sensor.

  sensor(sensor, id) {
    const { newest, scans, name } = sensor;
    const { reading } = newest;
    const curve = element("figure", { class: "curve", "data-id": `${id}-curve` });
    curve.sensor = sensor;
    const rows = [
      ["State", words(reading.state)],
      ["Age", shown(reading.ageMinutes, duration)],
      ["Rest of its life", this.#rest(reading)],
      ["Made for", shown(reading.maxLifeMinutes, duration)],
      ["Serial number", name.serial ?? unknown],
      ["Region", shown(reading.region, words)],
      ["Started", shown(sensor.start, localTime)],
      ["UID", shown(name.uid, hexText)],
      ["Patch info", shown(newest.known.patchInfo, hexText)],
      ...this.#origin(scans),
    ];
    return this.#section(id, [name.product, name.serial].filter(Boolean).join(" "), scans,
      this.#notes(sensor).map(([kind, text]) => element("p", { class: kind }, text)),
      element("div", { class: "columns" },
        element("div", {}, this.#now(sensor), curve),
        element("div", {}, this.#life(reading), this.#facts(rows))),
      this.#table(sensor), this.#map(scans, id));
  }

  #rest({ ageMinutes, maxLifeMinutes }) {
    if (ageMinutes === null || maxLifeMinutes === null) return unknown;
    const rest = maxLifeMinutes - ageMinutes;
    return rest > 0 ? duration(rest) : `over since ${duration(-rest)}`;
  }

  #origin(scans) {
    const { reading, known, file, place } = scans[0];
    const verdicts = Object.entries(reading.integrity).map(([region, verdict]) => `${region} ${verdict}`);
    return [
      ["Checksums", verdicts.join(", ")],
      ["Read", shown(known.readAt, localTime)],
      ...(scans.length > 1 ? [["Scans", `${scans.length}, the newest is shown here`]] : []),
      ["File", `${file} (${place})`],
    ];
  }

  #facts(rows) {
    return element("dl", {}, rows.map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value))));
  }

  #life({ ageMinutes, maxLifeMinutes }) {
    return maxLifeMinutes !== null && element("progress", {
      max: maxLifeMinutes, value: Math.min(ageMinutes, maxLifeMinutes),
      "aria-label": "Share of the sensor's life that is over",
    });
  }

  #now({ newest, start }) {
    const { current, ageMinutes, trend } = newest.reading;
    const title = element("h3", {}, "Current value");
    if (!current) {
      return element("div", { class: "now" }, title, element("p", { class: "value none" }, unknown),
        trend.length > 0 && element("p", {}, "The newest minutes have no value that can be used."));
    }
    const { arrow, words } = direction(current.rate);
    const [kind, range] = rangeOf(current.glucose);
    const rate = shown(current.rate, rate => this.unit.rate(rate));
    const before = ageMinutes - current.minute;
    const distance = before > 0 ? `${duration(before)} before the scan` : "that of the scan";
    return element("div", { class: "now" }, title,
      element("p", { class: "value" },
        element("span", { class: "number" }, this.unit.text(current.glucose)),
        element("span", { class: "arrow", "aria-hidden": "true" }, arrow),
        element("span", { class: "unit" }, ` ${this.unit.name}`)),
      element("p", {}, element("span", { class: `pill ${kind}` }, range), " ",
        [words, rate].filter(Boolean).join(", ")),
      element("p", { class: "soft" }, `In minute ${current.minute} of the sensor, ${distance}`
        + `${start === null ? "." : `: ${localTime(start + current.minute * 60_000)}.`}`));
  }

  /** A warning about the scans: the class of its style, and a sentence. */
  #notes({ scans, newest }) {
    const notes = scans.flatMap(({ reading, file }) => {
      const { integrity } = reading;
      const isDamaged = region => ["bad", "absent"].includes(integrity[region]);
      return [
        reading.isSalvaged && ["warning", "the body's checksum is wrong. The values come from it all the same and may "
          + "be wrong: compare them with another scan before you use one."],
        isDamaged("header") && ["warning", "the header is damaged, so that the state is unknown, and glucose cannot be "
          + "computed without the calibration in it. Read the sensor again."],
        isDamaged("footer") && ["warning", "the footer is damaged, so that region and maximum life are unknown, and "
          + "glucose cannot be computed without the calibration in it. Read the sensor again."],
        reading.isUndated && ["warning", "the minute when the history stopped is unknown, so its values are left out."],
        reading.isEstimated && ["warning", "the ring indices are missing. The history is dated by the sensor's age, "
          + "and may be 15 minutes early; the trend is left out."],
        integrity.body === "torn" && ["note", "a new minute began during the read. No value is lost."],
        reading.recoveredUID && ["note", "the memory was encrypted, and its key was computed from the memory itself. "
          + `The UID ${hexText(reading.recoveredUID)} follows from the key; it was not read.`],
      ].filter(Boolean).map(([kind, text]) => [kind, scans.length > 1 ? `${file}: ${text}` : sentence(text)]);
    });
    if (["shutdown", "failure"].includes(newest.reading.state)) {
      notes.push(["note",
        "The sensor has ended and its clock has stopped, so that its times are the latest possible ones."]);
    }
    return notes;
  }

  /** Gives a minute of a sensor in words. */
  #moment({ start, newest }) {
    const end = newest.reading.ageMinutes;
    const distance = minutes => (minutes > 0 ? `${duration(minutes)} before` : "the minute of");
    return minute => (start === null
      ? `${distance(end - minute)} the newest scan` : localTime(start + minute * 60_000));
  }

  /** Draws the curve into its place, which has a width now. */
  draw(figure) {
    const { sensor, dataset } = figure;
    const { samples, start } = sensor, moment = this.#moment(sensor);
    const curve = new Curve(samples, {
      unit: this.unit, start, end: sensor.newest.reading.ageMinutes, id: dataset.id, moment,
    });
    if (!curve.points.length) {
      const reason = samples.length ? "No value can be drawn: the table says why." : "The memory has no values yet.";
      return figure.replaceChildren(element("p", { class: "soft" }, reason));
    }
    const width = figure.clientWidth, picture = curve.draw(width);
    const { low, high } = facts.limits;
    const times = start === null ? "the file does not say when the sensor was read."
      : "times are those of this device's time zone.";
    const spoken = element("div", { class: "hidden", role: "status" });
    figure.replaceChildren(picture,
      element("figcaption", {}, `Target range ${this.unit.text(low)} to ${this.unit.full(high)}. The line has gaps `
        + `where values are missing; ${times}`), spoken);
    const tip = document.getElementById("tip");
    curve.listen(picture, width, (point, share) => {
      tip.hidden = !point;
      if (!point) return;
      const value = this.unit.full(point.glucose), when = moment(point.minute);
      tip.textContent = `${value}\n${when}`;
      const box = picture.getBoundingClientRect();
      const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
      const left = box.left + scrollX + share * box.width - tip.offsetWidth / 2;
      const top = box.top + scrollY - tip.offsetHeight + 6;
      tip.style.transform = `translate(${Math.max(8, Math.min(left, room))}px, ${top}px)`;
      spoken.textContent = `${value}, ${when}`;
    });
  }

  #table({ samples, start }) {
    if (!samples.length) return null;
    const cell = (content, kind) => element("td", { class: kind }, content);
    const head = [["Minute"], ...(start === null ? [] : [["Time", "words"]]), [this.unit.name], ["Quality", "words"],
      ["Ring", "words"], ["°C"], ["Counts"]];
    const rows = samples.map(sample => {
      const errors = sample.errors.map(words).join(", ");
      return element("tr", { class: sample.glucose === null ? "unusable" : null },
        element("th", { scope: "row" }, String(sample.minute)),
        start !== null && cell(localTime(start + sample.minute * 60_000), "words"),
        cell(shown(sample.glucose, value => this.unit.text(value))),
        cell([words(sample.quality), errors].filter(Boolean).join(": "), "words"),
        cell(sample.ring, "words"),
        cell(shown(sample.temperature, value => value.toFixed(1))),
        cell(String(sample.rawGlucose)));
    });
    const columns = head.map(([name, kind]) => element("th", { scope: "col", class: kind }, name));
    const scroller = { class: "wide tall", tabindex: 0, role: "region", "aria-label": "Table of all values" };
    return element("details", {}, element("summary", {}, `All ${samples.length} values`),
      element("p", { class: "soft" }, "Minutes count from the sensor's start. The trend has one value a minute, the "
        + `history one in ${facts.rings.history.minutes} minutes.`),
      element("div", scroller, element("table", {},
        element("caption", { class: "hidden" }, "All values, newest first"),
        element("thead", {}, element("tr", {}, columns)), element("tbody", {}, rows))));
  }

  // The memory map.

  #map(scans, id) {
    const place = element("div", { class: "regions" });
    const fill = scan => place.replaceChildren(...facts.regions.map(region => this.#region(scan, region)));
    fill(scans[0]);
    const select = element("select", { id: `${id}-scan` },
      scans.map((scan, index) => element("option", { value: index }, scan.file)));
    select.addEventListener("change", () => fill(scans[select.value]));
    const isEncrypted = scans.some(({ reading }) =>
      reading.recoveredUID || ["libre2", "libre_us14day"].includes(reading.family));
    const kinds = [["header", "header"], ["trend", "trend"], ["history", "history"], ["body", "rest of the body"],
      ["footer", "footer"], ["body b-checksum", "checksum"]];
    return element("details", {}, element("summary", {}, "Memory map"),
      scans.length > 1 && element("p", {}, element("label", { for: select.id }, "Scan "), select),
      isEncrypted && element("p", { class: "soft" },
        "The bytes are shown as they are in the file, encrypted if they were read so."),
      element("ul", { class: "legend", "aria-label": "Colours" }, kinds.map(([kind, name]) =>
        element("li", {}, element("span", { class: `swatch b-${kind}` }), name))),
      place);
  }

  #region({ bytes, known, reading }, [name, start, end]) {
    const verdict = reading.integrity[name];
    const isGood = ["ok", "torn"].includes(verdict);
    const size = facts.blockSize, columns = Array.from({ length: size }, (_, index) => index);
    const cell = offset => {
      const isMissing = offset >= bytes.length || known.missing?.includes(Math.floor(offset / size));
      const kind = `b-${this.#kind(offset, name)}${offset < start + 2 ? " b-checksum" : ""}`;
      return element("td", { class: isMissing ? "b-missing" : kind }, isMissing ? "--" : hexText([bytes[offset]]));
    };
    const rows = [];
    for (let at = start; at < end; at += size) {
      rows.push(element("tr", {}, element("th", { scope: "row" }, String(at)), columns.map(index => cell(at + index))));
    }
    return element("div", { class: "wide" }, element("table", { class: "bytes" },
      element("caption", {}, `${name[0].toUpperCase()}${name.slice(1)}, bytes ${start} to ${end - 1}, checksum `,
        element("span", { class: isGood ? "verdict-ok" : "verdict-bad" }, verdict)),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Byte"),
        columns.map(index => element("th", { scope: "col" }, `+${index}`)))),
      element("tbody", {}, rows)));
  }

  #kind(offset, region) {
    for (const [ring, { offset: start, slots }] of Object.entries(facts.rings)) {
      if (offset >= start && offset < start + slots * facts.recordSize) return ring;
    }
    return region;
  }
}

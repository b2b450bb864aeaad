// SPDX-License-Identifier: Apache-2.0

/** What the page shows. All text goes into it as text, never as markup. */

/** An element with attributes and children; a child that is null, undefined or false is left out. */
const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key === "onclick") made.addEventListener("click", value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
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
  /** A change needs two places more, and its sign. */
  rate(value) {
    const text = (value / this.size).toFixed(this.places + 2);
    return `${Number(text) > 0 ? "+" : ""}${text.replace("-", "−")} ${this.name} per minute`;
  }
}

const units = { "mg/dL": new Unit("mg/dL", 1, 0, 50), "mmol/L": new Unit("mmol/L", facts.milligramsPerMillimole, 1, 3) };

const unknown = "–";
const shown = (value, text) => (value === null || value === undefined ? unknown : text(value));
const localTime = time => new Date(time).toLocaleString("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });

class Page {
  static largestFile = 8 << 20;

  #decoder;
  #scans = [];
  #unit = units["mg/dL"];

  constructor(decoder) {
    this.#decoder = decoder;
    const get = id => document.getElementById(id);
    get("files").addEventListener("change", async event => {
      const files = [...event.target.files];
      event.target.value = "";
      await this.#take(files);
    });
    get("read").addEventListener("click", () => {
      const text = get("text").value;
      if (text.trim()) this.#take([new File([text], "pasted text")]);
      else this.#say("There is no text to read yet.");
    });
    get("json").addEventListener("click", () => this.#save("json", "application/json", this.json));
    get("csv").addEventListener("click", () => this.#save("csv", "text/csv", csv(this.#sensors)));
    get("clear").addEventListener("click", () => {
      this.#scans = [];
      get("text").value = "";
      this.#show();
      this.#say("All memories were removed from this page.");
      get("files").focus();
    });
    for (const radio of document.querySelectorAll("[name=unit]")) {
      radio.addEventListener("change", () => { this.#unit = units[radio.value]; this.#show(); });
    }
    this.#listenForDrops();
    let width = innerWidth;
    addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; this.#drawCurves(); } });
  }

  get #sensors() { return Sensor.all(this.#scans.filter(scan => !scan.reading.error)); }

  get json() {
    const documents = this.#scans.map(scan => scan.document);
    return JSON.stringify(documents.length === 1 ? documents[0] : documents, null, 2) + "\n";
  }

  #listenForDrops() {
    const mark = isDragged => document.body.classList.toggle("dragged", isDragged);
    addEventListener("dragover", event => { event.preventDefault(); mark(true); });
    addEventListener("dragleave", event => { if (!event.relatedTarget) mark(false); });
    addEventListener("drop", event => {
      event.preventDefault();
      mark(false);
      const files = [...event.dataTransfer.files], text = event.dataTransfer.getData("text");
      this.#take(files.length || !text ? files : [new File([text], "dropped text")]);
    });
  }

  #say(text) { document.getElementById("status").textContent = text; }

  /** Reads files, and says what was found in them: of many only the number of those that are sound. */
  async #take(files) {
    const sound = [], others = [];
    for (const file of files) {
      this.#say(`Reading ${file.name} …`);
      for (const { text, isSound } of await this.#read(file)) (isSound ? sound : others).push(text);
    }
    this.#show();
    const all = this.#sensors.length;
    const many = `${sound.length} memories were read. The page shows ${all === 1 ? "one sensor" : `${all} sensors`}.`;
    this.#say([...others, ...(sound.length > 3 ? [many] : sound)].join("\n"));
  }

  async #read(file) {
    const name = file.name;
    if (file.size > Page.largestFile) {
      return [{ text: `${name} is larger than 8 MB, the most that this page searches. The command libre find has no such limit.` }];
    }
    const bytes = await file.arrayBuffer().then(buffer => new Uint8Array(buffer), () => null);
    if (!bytes) return [{ text: `${name} could not be read. Of a folder, choose the files in it.` }];
    const memories = await find(this.#decoder, bytes, async at => {
      this.#say(`Searching ${name} …${at > 1e6 ? ` ${(at / 1e6).toFixed(0)} MB` : ""}`);
      await new Promise(resolve => setTimeout(resolve));
    });
    if (!memories.length) return [{ text: this.#nothing(name, bytes) }];
    const scans = memories.map(memory => new Scan(this.#decoder, memory, name));
    const added = scans.filter(scan => !this.#scans.some(other => hexText(other.memory) === hexText(scan.memory)));
    this.#scans.push(...added);
    if (!added.length) return [{ text: `${name}: this memory is shown already.` }];
    return added.map(scan => ({ text: `${name}: ${this.#summary(scan)}`, isSound: !scan.reading.error }));
  }

  #nothing(name, bytes) {
    const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4B;
    const size = bytes.length < 10_000 ? `${bytes.length} bytes` : `${(bytes.length / 1000).toFixed(0)} kB`;
    const ways = textOf(bytes) === null ? "" : " written as hex digits, decimal numbers or base64";
    return `${name} contains no sensor memory that this page can find. It looked through all ${size} for the ${memorySize} bytes of a `
      + `memory${ways}, with correct checksums.${isArchive
        ? " This is a ZIP archive, as Word files are, and the page does not unpack it; the command libre find does." : ""}`;
  }

  #summary({ reading }) {
    if (reading.error) return this.#fault(reading);
    const product = [productName(reading.family), reading.serial].filter(Boolean).join(" ");
    const { current } = reading;
    const value = current ? `${this.#glucose(current.glucose)}${current.rate === null ? "" : `, ${direction(current.rate).words}`}` : "no current value";
    return `${product}, ${words(reading.state)}, ${value}.`;
  }

  /** libre_decode knows a Libre Pro, but not its layout. */
  #isPro({ error, family }) { return error.number === codes.error.ERROR_UNSUPPORTED_FAMILY && family === "libre_pro"; }

  #fault(reading) {
    return this.#isPro(reading)
      ? "This is the memory of a FreeStyle Libre Pro. The command libre decode reads it; this page does not."
      : sentence(reading.error.message);
  }

  #glucose(value) { return `${this.#unit.text(value)} ${this.#unit.name}`; }

  #save(ending, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = element("a", { href: address, download: `libre.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    this.#say(`libre.${ending} was given to the browser to be saved.`);
  }

  #show() {
    const failed = this.#scans.filter(scan => scan.reading.error);
    document.getElementById("tools").hidden = !this.#scans.length;
    document.getElementById("results").replaceChildren(
      ...failed.map((scan, index) => this.#failure(scan, `failed-${index + 1}`)),
      ...this.#sensors.map((sensor, index) => this.#sensor(sensor, `sensor-${index + 1}`)));
    this.#drawCurves();
  }

  /** Decodes a scan again with more facts; then the focus goes to what became of it. */
  #again(scan, more) {
    scan.decode(this.#decoder, more);
    this.#show();
    this.#say(`${scan.file}: ${this.#summary(scan)}`);
    const place = [...document.querySelectorAll("#results section")].find(section => section.scans.includes(scan));
    place?.querySelector("h2").focus();
  }

  #section(id, title, scans, ...content) {
    const made = element("section", { id, "aria-labelledby": `${id}-title` },
      element("h2", { id: `${id}-title`, tabindex: -1 }, title), ...content);
    made.scans = scans;
    return made;
  }

  // A memory that gives no reading.

  #failure(scan, id) {
    const { reading } = scan;
    if (this.#isPro(reading)) {
      return this.#section(id, scan.file, [scan], element("p", { class: "note" }, this.#fault(reading)));
    }
    return this.#section(id, scan.file, [scan],
      element("p", { class: "warning" }, this.#fault(reading)),
      scan.isLocked && this.#keyForm(scan, id),
      scan.isSalvageable && [element("p", {}, "Some of its values may be wrong, and nothing shows which."),
        element("p", {}, element("button", { type: "button", onclick: () => this.#again(scan, { salvage: true }) }, "Show the values all the same"))],
      this.#facts(this.#origin([scan])),
      this.#map([scan], id));
  }

  #keyForm(scan, id) {
    const field = (name, label, value, hint) => element("div", {},
      element("label", { for: `${id}-${name}` }, label),
      element("input", { id: `${id}-${name}`, type: "text", value: value && hexText(value), placeholder: hint, spellcheck: "false",
        autocomplete: "off", autocapitalize: "characters", "aria-describedby": `${id}-fault` }));
    const fault = element("p", { id: `${id}-fault`, role: "alert" });
    const uid = field("uid", "UID, 8 bytes", scan.uid, "E007A0…"), info = field("info", "Patch info, 6 to 24 bytes", scan.known.patchInfo, "9D0830…");
    const typed = (place, fewest, most) => typedBytes(place.querySelector("input").value, fewest, most);
    const submit = () => {
      const [uidBytes, infoBytes] = [typed(uid, 8, 8), typed(info, 6, 24)];
      fault.textContent = uidBytes === undefined ? "The UID must have 16 hex digits, such as E007A0000025905E."
        : infoBytes === undefined ? "The patch info must have 12 to 48 hex digits, such as 9D0830010000." : "";
      if (!fault.textContent) this.#again(scan, { uid: uidBytes, patchInfo: infoBytes });
    };
    const form = element("div", { class: "key", role: "group", "aria-label": "Key of the memory" }, uid, info,
      element("button", { type: "button", onclick: submit }, "Decrypt"));
    form.addEventListener("keydown", event => { if (event.key === "Enter" && event.target.matches("input")) submit(); });
    return element("div", {},
      element("p", {}, "If this is a Libre 2 or a Libre 14 day (US), its UID and patch info from the same scan decrypt it. "
        + "Readers and apps show both."), form, fault);
  }

  // A sensor.

  #sensor(sensor, id) {
    const { newest, scans, name } = sensor;
    const { reading } = newest;
    const curve = element("figure", { class: "curve", "data-id": `${id}-curve` });
    curve.sensor = sensor;
    return this.#section(id, [name.product, name.serial].filter(Boolean).join(" "), scans,
      this.#notes(sensor).map(([kind, text]) => element("p", { class: kind }, text)),
      element("div", { class: "columns" }, element("div", {}, this.#now(sensor), curve), element("div", {}, this.#life(reading), this.#facts([
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
      ]))),
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
    return element("dl", {}, rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
  }

  #life({ ageMinutes, maxLifeMinutes }) {
    return maxLifeMinutes === null ? "" : element("progress", { max: maxLifeMinutes, value: Math.min(ageMinutes, maxLifeMinutes),
      "aria-label": "Share of the sensor's life that is over" });
  }

  #now({ newest, start }) {
    const { current, ageMinutes } = newest.reading;
    if (!current) {
      return element("div", { class: "now" }, element("h3", {}, "Current value"), element("p", { class: "value none" }, unknown),
        newest.reading.trend.length > 0 && element("p", {}, "The newest minutes have no value that can be used."));
    }
    const { arrow, words } = direction(current.rate);
    const [kind, range] = rangeOf(current.glucose);
    const rate = shown(current.rate, rate => this.#unit.rate(rate));
    const before = ageMinutes - current.minute;
    return element("div", { class: "now" }, element("h3", {}, "Current value"),
      element("p", { class: "value" }, element("span", { class: "number" }, this.#unit.text(current.glucose)),
        element("span", { class: "arrow", "aria-hidden": "true" }, arrow), element("span", { class: "unit" }, ` ${this.#unit.name}`)),
      element("p", {}, element("span", { class: `pill ${kind}` }, range), " ", [words, rate].filter(Boolean).join(", ")),
      element("p", { class: "soft" }, `In minute ${current.minute} of the sensor, ${before > 0 ? `${duration(before)} before` : "that of"} the scan`
        + `${start === null ? "." : `: ${localTime(start + current.minute * 60_000)}.`}`));
  }

  /** What must be known of the scans: the class of its style, and a sentence. */
  #notes({ scans, newest }) {
    const notes = scans.flatMap(({ reading, file }) => {
      const { integrity } = reading;
      const isDamaged = region => ["bad", "absent"].includes(integrity[region]);
      return [
        reading.isSalvaged && ["warning", "the body's checksum is wrong. The values come from it all the same and may be wrong: "
          + "compare them with another scan before you use one."],
        isDamaged("header") && ["warning", "the header is damaged, so that the state is unknown, and glucose cannot be computed "
          + "without the calibration in it. Read the sensor again."],
        isDamaged("footer") && ["warning", "the footer is damaged, so that region and maximum life are unknown, and glucose cannot "
          + "be computed without the calibration in it. Read the sensor again."],
        reading.isUndated && ["warning", "the minute when the history stopped is unknown, so its values are left out."],
        reading.isEstimated && ["warning", "the ring indices are missing. The history is dated by the sensor's age, and may be "
          + "15 minutes early; the trend is left out."],
        integrity.body === "torn" && ["note", "a new minute began during the read. No value is lost."],
        reading.recoveredUID && ["note", "the memory was encrypted, and its key was computed from the memory itself. The UID "
          + `${hexText(reading.recoveredUID)} follows from the key; it was not read.`],
      ].filter(Boolean).map(([kind, text]) => [kind, scans.length > 1 ? `${file}: ${text}` : sentence(text)]);
    });
    const hasEnded = ["shutdown", "failure"].includes(newest.reading.state);
    return [...notes, ...(hasEnded
      ? [["note", "The sensor has ended and its clock has stopped, so that its times are the latest possible ones."]] : [])];
  }

  /** A minute of a sensor in words. */
  #moment(sensor) {
    const end = sensor.newest.reading.ageMinutes;
    return minute => (sensor.start === null
      ? `${end - minute > 0 ? `${duration(end - minute)} before` : "the minute of"} the newest scan` : localTime(sensor.start + minute * 60_000));
  }

  #drawCurves() {
    for (const figure of document.querySelectorAll("figure.curve")) {
      const { sensor, dataset } = figure;
      const samples = sensor.samples, moment = this.#moment(sensor);
      const curve = new Curve(samples, { unit: this.#unit, start: sensor.start, end: sensor.newest.reading.ageMinutes, id: dataset.id, moment });
      if (!curve.points.length) {
        figure.replaceChildren(element("p", { class: "soft" }, samples.length ? "No value can be drawn: the table says why." : "The memory has no values yet."));
        continue;
      }
      const width = figure.clientWidth, picture = curve.draw(width);
      const spoken = element("div", { class: "hidden", role: "status" });
      figure.replaceChildren(picture, element("figcaption", {}, `Target range ${this.#unit.text(facts.limits.low)} to `
        + `${this.#glucose(facts.limits.high)}. The line has gaps where values are missing${sensor.start === null
          ? "; the file does not say when the sensor was read." : "; times are those of this device's time zone."}`), spoken);
      const tip = document.getElementById("tip");
      curve.listen(picture, width, (point, share) => {
        tip.hidden = !point;
        if (!point) return;
        tip.textContent = `${this.#glucose(point.glucose)}\n${moment(point.minute)}`;
        const box = picture.getBoundingClientRect(), room = document.documentElement.clientWidth - tip.offsetWidth - 8;
        const left = box.left + scrollX + share * box.width - tip.offsetWidth / 2;
        tip.style.transform = `translate(${Math.max(8, Math.min(left, room))}px, ${box.top + scrollY - tip.offsetHeight + 6}px)`;
        spoken.textContent = `${this.#glucose(point.glucose)}, ${moment(point.minute)}`;
      });
    }
  }

  #table(sensor) {
    const samples = sensor.samples, { start } = sensor;
    if (!samples.length) return null;
    const head = [["Minute"], ...(start === null ? [] : [["Time", "words"]]), [this.#unit.name], ["Quality", "words"], ["Ring", "words"], ["°C"], ["Counts"]];
    const rows = samples.map(sample => element("tr", { class: sample.glucose === null ? "unusable" : null },
      element("th", { scope: "row" }, String(sample.minute)),
      start !== null && element("td", { class: "words" }, localTime(start + sample.minute * 60_000)),
      element("td", {}, shown(sample.glucose, value => this.#unit.text(value))),
      element("td", { class: "words" }, [words(sample.quality), sample.errors.map(words).join(", ")].filter(Boolean).join(": ")),
      element("td", { class: "words" }, sample.ring),
      element("td", {}, shown(sample.temperature, value => value.toFixed(1))),
      element("td", {}, String(sample.rawGlucose))));
    const minutes = facts.rings.history.minutes;
    return element("details", {}, element("summary", {}, `All ${samples.length} values`),
      element("p", { class: "soft" }, `Minutes count from the sensor's start. The trend has one value a minute, the history one in ${minutes} minutes.`),
      element("div", { class: "wide tall", tabindex: 0, role: "region", "aria-label": "Table of all values" }, element("table", {},
        element("caption", { class: "hidden" }, "All values, newest first"),
        element("thead", {}, element("tr", {}, head.map(([name, kind]) => element("th", { scope: "col", class: kind }, name)))),
        element("tbody", {}, rows))));
  }

  // The memory map.

  #map(scans, id) {
    const place = element("div", { class: "regions" });
    const fill = scan => place.replaceChildren(...facts.regions.map(region => this.#region(scan, region)));
    fill(scans[0]);
    const choice = scans.length > 1 && element("p", {}, element("label", { for: `${id}-scan` }, "Scan "),
      element("select", { id: `${id}-scan` }, scans.map((scan, index) => element("option", { value: index }, scan.file))));
    if (choice) choice.querySelector("select").addEventListener("change", event => fill(scans[event.target.value]));
    const isEncrypted = scans.some(scan => scan.reading.recoveredUID || ["libre2", "libre_us14day"].includes(scan.reading.family));
    const kinds = [["header", "header"], ["trend", "trend"], ["history", "history"], ["body", "rest of the body"], ["footer", "footer"]];
    return element("details", {}, element("summary", {}, "Memory map"), choice,
      isEncrypted && element("p", { class: "soft" }, "The bytes are shown as they are in the file, encrypted if they were read so."),
      element("ul", { class: "legend", "aria-label": "Colours" }, kinds.map(([kind, name]) =>
        element("li", {}, element("span", { class: `swatch b-${kind}` }), name)),
      element("li", {}, element("span", { class: "swatch b-body b-checksum" }), "checksum")),
      place);
  }

  #region({ bytes, known, reading }, [name, start, end]) {
    const verdict = reading.integrity[name];
    const rows = [];
    for (let at = start; at < end; at += facts.blockSize) {
      const isMissing = known.missing?.includes(at / facts.blockSize);
      rows.push(element("tr", {}, element("th", { scope: "row" }, String(at)),
        Array.from({ length: facts.blockSize }, (_, index) => {
          const offset = at + index, isThere = !isMissing && offset < bytes.length;
          const kind = isThere ? `b-${this.#kind(offset, name)}${offset < start + 2 ? " b-checksum" : ""}` : "b-missing";
          return element("td", { class: kind }, isThere ? hexText([bytes[offset]]) : "--");
        })));
    }
    const good = ["ok", "torn"].includes(verdict);
    return element("div", { class: "wide" }, element("table", { class: "bytes" },
      element("caption", {}, `${sentence(name).replace(".", "")}, bytes ${start} to ${end - 1}, checksum `,
        element("span", { class: good ? "verdict-ok" : "verdict-bad" }, verdict)),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Byte"),
        Array.from({ length: facts.blockSize }, (_, index) => element("th", { scope: "col" }, `+${index}`)))),
      element("tbody", {}, rows)));
  }

  #kind(offset, region) {
    for (const [ring, { offset: start, slots }] of Object.entries(facts.rings)) {
      if (offset >= start && offset < start + slots * facts.recordSize) return ring;
    }
    return region;
  }
}

/** A message of the decoder as a sentence. */
const sentence = text => `${text[0].toUpperCase()}${text.slice(1)}${/[.:]$/.test(text) ? "" : "."}`;

if (typeof document !== "undefined") {
  Decoder.load().then(decoder => new Page(decoder)).catch(error => {
    document.getElementById("status").textContent =
      `This browser cannot run the decoder (${error.message}). It needs WebAssembly and DecompressionStream: any browser since 2023 has both.`;
  });
}

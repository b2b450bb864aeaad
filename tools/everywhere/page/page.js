// SPDX-License-Identifier: Apache-2.0

/** The page: what a person gives to it and asks of it. */
class Page {
  static largestFile = 8 << 20;

  #decoder;
  #scans = [];
  #sections = new Sections(units["mg/dL"], (scan, more) => this.#again(scan, more));

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
    get("json").addEventListener("click", () => this.#save("json", "application/json", this.#json));
    get("csv").addEventListener("click", () => this.#save("csv", "text/csv", csv(this.#sensors)));
    get("clear").addEventListener("click", () => {
      this.#scans = [];
      get("text").value = "";
      this.#show();
      this.#say("All memories were removed from this page.");
      get("files").focus();
    });
    for (const radio of document.querySelectorAll("[name=unit]")) {
      radio.addEventListener("change", () => { this.#sections.unit = units[radio.value]; this.#show(); });
    }
    this.#listenForDrops();
    let width = innerWidth;
    addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; this.#draw(); } });
  }

  get #sensors() { return Sensor.all(this.#scans.filter(scan => !scan.reading.error)); }

  get #json() {
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
      // A file that cannot be read does not stop the others.
      const results = await this.#read(file).catch(error => [{ text: `${file.name} could not be read (${error.message}).` }]);
      for (const { text, isSound } of results) (isSound ? sound : others).push(text);
    }
    this.#show();
    const all = this.#sensors.length;
    const many = `${sound.length} memories were read. The page shows ${all === 1 ? "one sensor" : `${all} sensors`}.`;
    this.#say([...others, ...(sound.length > 3 ? [many] : sound)].join("\n"));
  }

  async #read(file) {
    const { name } = file;
    if (file.size > Page.largestFile) {
      return [{ text: `${name} is larger than 8 MB, the most that this page searches. The command libre find has no `
        + "such limit." }];
    }
    const bytes = await file.arrayBuffer().then(buffer => new Uint8Array(buffer), () => null);
    if (!bytes) return [{ text: `${name} could not be read. Of a folder, choose the files in it.` }];
    const memories = await find(this.#decoder, bytes, async at => {
      this.#say(`Searching ${name} …${at > 1e6 ? ` ${(at / 1e6).toFixed(0)} MB` : ""}`);
      await new Promise(resolve => setTimeout(resolve));
    });
    if (!memories.length) return [{ text: this.#nothing(name, bytes) }];
    const scans = memories.map(memory => new Scan(this.#decoder, memory, name));
    const isNew = scan => !this.#scans.some(other => hexText(other.memory) === hexText(scan.memory));
    const added = scans.filter(isNew);
    this.#scans.push(...added);
    if (!added.length) return [{ text: `${name}: this memory is shown already.` }];
    return added.map(scan => ({ text: `${name}: ${this.#summary(scan)}`, isSound: !scan.reading.error }));
  }

  #nothing(name, bytes) {
    const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4B;
    const size = bytes.length < 10_000 ? `${bytes.length} bytes` : `${(bytes.length / 1000).toFixed(0)} kB`;
    const ways = textOf(bytes) === null ? "" : " written as hex digits, decimal numbers or base64";
    return `${name} contains no sensor memory that this page can find. It looked through all ${size} for the `
      + `${memorySize} bytes of a memory${ways}, with correct checksums.${isArchive
        ? " This is a ZIP archive, as Word files are, and the page does not unpack it; the command libre find does."
        : ""}`;
  }

  #summary({ reading }) {
    if (reading.error) return fault(reading);
    const { current, serial } = reading;
    const change = current && direction(current.rate).words;
    const value = current ? this.#sections.unit.full(current.glucose) : "no current value";
    return `${[productName(reading), serial].filter(Boolean).join(" ")}, `
      + `${[words(reading.state), value, change].filter(Boolean).join(", ")}.`;
  }

  #save(ending, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    element("a", { href: address, download: `libre.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    this.#say(`libre.${ending} was given to the browser to be saved.`);
  }

  #show() {
    const failed = this.#scans.filter(scan => scan.reading.error);
    document.getElementById("tools").hidden = !this.#scans.length;
    document.getElementById("results").replaceChildren(
      ...failed.map((scan, index) => this.#sections.failure(scan, `failed-${index + 1}`)),
      ...this.#sensors.map((sensor, index) => this.#sections.sensor(sensor, `sensor-${index + 1}`)));
    this.#draw();
  }

  #draw() { for (const figure of document.querySelectorAll("figure.curve")) this.#sections.draw(figure); }

  /** Decodes a scan again with more facts; then the focus goes to what became of it. */
  #again(scan, more) {
    scan.decode(this.#decoder, more);
    this.#show();
    this.#say(`${scan.file}: ${this.#summary(scan)}`);
    const place = [...document.querySelectorAll("#results section")].find(section => section.scans.includes(scan));
    place?.querySelector("h2").focus();
  }
}

if (typeof document !== "undefined") {
  Decoder.load().then(decoder => new Page(decoder)).catch(error => {
    document.getElementById("status").textContent = `This browser cannot run the decoder (${error.message}). It needs `
      + "WebAssembly and DecompressionStream, which any browser since 2023 has.";
  });
}

// SPDX-License-Identifier: Apache-2.0

/** The curve of a sensor's values as SVG. Nothing is drawn where no value is, and no line goes over a gap. */

const svg = (name, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

class Curve {
  static height = 280;
  static margin = { left: 44, right: 12, top: 12, bottom: 30 };

  /** `moment` gives the words for a minute of the sensor; `start` is the time of minute 0, if it is known. */
  constructor(samples, { unit, start, end, id, moment }) {
    Object.assign(this, { unit, start, end, id, moment });
    // From left to right.
    this.points = samples.filter(sample => sample.glucose !== null).reverse();
  }

  draw(width) {
    const { left, right, top, bottom } = Curve.margin;
    const minutes = this.points.map(point => point.minute), values = this.points.map(point => point.glucose);
    const last = Math.max(this.end, ...minutes), first = Math.min(...minutes, last - 60);
    const highest = Math.max(250, Math.ceil(Math.max(...values) / 50) * 50), lowest = Math.min(40, Math.min(...values));
    this.x = minute => left + (minute - first) / (last - first) * (width - left - right);
    this.y = value => top + (highest - value) / (highest - lowest) * (Curve.height - top - bottom);
    const { low, high } = facts.limits;
    const marks = [
      this.#ink(lowest, highest),
      svg("rect", {
        class: "target", x: left, width: width - left - right, y: this.y(high), height: this.y(low) - this.y(high),
      }),
      ...this.#values(lowest, highest, width), ...this.#times(first, last, width),
      ...["history", "trend"].flatMap(ring => this.#line(ring)),
    ];
    const attributes = {
      viewBox: `0 0 ${width} ${Curve.height}`, width, height: Curve.height, role: "img", tabindex: 0,
      "aria-labelledby": `${this.id}-title`, "aria-describedby": `${this.id}-words`,
    };
    return svg("svg", attributes, svg("title", { id: `${this.id}-title` }, "Curve of glucose"),
      svg("desc", { id: `${this.id}-words` }, this.#words(minutes, values)), ...marks);
  }

  #words(minutes, values) {
    const { unit, moment } = this, { low, high } = facts.limits;
    return `${values.length} values from ${unit.text(Math.min(...values))} to ${unit.full(Math.max(...values))}, from `
      + `${moment(minutes[0])} to ${moment(minutes.at(-1))}. The target range from ${unit.text(low)} to `
      + `${unit.text(high)} is shaded. The table below has all values. Arrow keys read them one by one.`;
  }

  /** Colours by height: below, within and above the target range. */
  #ink(lowest, highest) {
    const share = value => (highest - value) / (highest - lowest);
    const { low, high } = facts.limits;
    const stop = (name, offset) => svg("stop", { class: `stop-${name}`, offset });
    return svg("linearGradient", {
      id: `${this.id}-ink`, gradientUnits: "userSpaceOnUse", x1: 0, x2: 0, y1: this.y(highest), y2: this.y(lowest),
    }, stop("high", share(high)), stop("within", share(high)), stop("within", share(low)), stop("low", share(low)));
  }

  #values(lowest, highest, width) {
    const { left, right } = Curve.margin;
    const { low, high } = facts.limits;
    const line = (value, name) => svg("path", { class: name, d: `M${left} ${this.y(value)}H${width - right}` });
    const text = value =>
      svg("text", { x: left - 8, y: this.y(value) + 4, "text-anchor": "end" }, this.unit.text(value));
    const step = this.unit.step * (highest > 300 ? 2 : 1);
    const round = [];
    for (let value = step; value <= highest; value += step) {
      if ([low, high].every(limit => Math.abs(limit - value) / (highest - lowest) > 0.07)) round.push(value);
    }
    const lines = [...round.map(value => line(value, "grid")), line(low, "limit"), line(high, "limit")];
    return [...lines, ...[...round, low, high].map(text)];
  }

  #times(first, last, width) {
    const base = Curve.height - Curve.margin.bottom;
    // Round hours of the clock where the time is known, else whole hours before the end.
    const zone = this.start === null ? 0 : new Date(this.start).getTimezoneOffset();
    const offset = this.start === null ? -this.end : this.start / 60_000 - zone;
    const room = Math.max(2, Math.floor((width - 60) / 70));
    const hours = [1, 2, 3, 4, 6, 12, 24, 48, 96, 168].find(hours => (last - first) / (hours * 60) <= room) ?? 336;
    const ticks = [], step = hours * 60;
    for (let at = Math.ceil((first + offset) / step) * step; at - offset <= last; at += step) ticks.push(at - offset);
    return ticks.flatMap(minute => {
      const x = this.x(minute), isNear = x > width - 34;
      const place = isNear ? { x: width - 2, "text-anchor": "end" } : { x, "text-anchor": x < 34 ? "start" : "middle" };
      return [
        svg("path", { class: "grid", d: `M${x} ${Curve.margin.top}V${base}` }),
        svg("text", { y: base + 20, ...place }, this.#tick(minute)),
      ];
    });
  }

  #tick(minute) {
    if (this.start === null) {
      const hours = Math.round((this.end - minute) / 60);
      return hours === 0 ? "scan" : hours % 24 ? `−${hours} h` : `−${hours / 24} d`;
    }
    const time = new Date(this.start + minute * 60_000);
    return time.getHours() ? time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
      : time.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  }

  #line(ring) {
    const points = this.points.filter(point => point.ring === ring);
    let path = "", before = null;
    for (const point of points) {
      const isJoined = before !== null && point.minute - before <= facts.rings[ring].minutes;
      path += `${isJoined ? "L" : "M"}${this.x(point.minute).toFixed(1)} ${this.y(point.glucose).toFixed(1)}`;
      before = point.minute;
    }
    const { low, high } = facts.limits;
    const range = value => (value < low ? "low" : value > high ? "high" : "within");
    const radius = points.length > 200 ? 1.5 : ring === "history" ? 3 : 1.5;
    return [svg("path", { class: ring, stroke: `url(#${this.id}-ink)`, d: path || "M0 0" }),
      ...points.map(point => svg("circle", { class: `dot-${range(point.glucose)}`, cx: this.x(point.minute).toFixed(1),
        cy: this.y(point.glucose).toFixed(1), r: radius }))];
  }

  /** Answers to mouse, finger and keys: `show` gets the point there with its place in the picture, or null. */
  listen(picture, width, show) {
    const cursor = svg("path", { class: "cursor", d: "" });
    picture.append(cursor);
    let chosen = null;
    const choose = index => {
      chosen = index === null ? null : Math.max(0, Math.min(this.points.length - 1, index));
      const point = chosen === null ? null : this.points[chosen];
      const { top, bottom } = Curve.margin;
      cursor.setAttribute("d", point ? `M${this.x(point.minute)} ${top}V${Curve.height - bottom}` : "");
      show(point, point && this.x(point.minute) / width);
    };
    const nearest = event => {
      const box = picture.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * width;
      const distances = this.points.map(point => Math.abs(this.x(point.minute) - x));
      choose(distances.indexOf(Math.min(...distances)));
    };
    picture.addEventListener("pointermove", nearest);
    picture.addEventListener("pointerdown", nearest);
    picture.addEventListener("pointerleave", () => choose(null));
    picture.addEventListener("blur", () => choose(null));
    picture.addEventListener("focus", () => {
      if (chosen === null && picture.matches(":focus-visible")) choose(this.points.length - 1);
    });
    picture.addEventListener("keydown", event => {
      const last = this.points.length - 1, now = chosen ?? last;
      const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
      if (next !== undefined) { choose(next); event.preventDefault(); }
      if (event.key === "Escape") choose(null);
    });
  }
}

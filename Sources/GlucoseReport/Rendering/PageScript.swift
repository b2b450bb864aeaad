// SPDX-License-Identifier: Apache-2.0

/// Script that shows time and values of a chart under the pointer, a finger or the arrow keys. It reads them from the
/// chart's paths, so that the page does not contain them twice and is complete without the script.
package enum PageScript {
  static let javascript = """
    "use strict";
    \(chartReader)
    document.querySelectorAll("svg[data-x]").forEach(readChart);
    """

  /// Declares `readChart`, which takes a picture of the page. The page has elements `#tip` and `#live`.
  package static let chartReader = #"""
    const readChart = (() => {
      const { unit, places, age } = document.body.dataset;
      const tip = document.getElementById("tip"), live = document.getElementById("live");
      const two = n => String(n).padStart(2, "0");
      const nearest = (list, x) => {
        let low = 0, high = list.length - 1;
        while (high - low > 1) {
          const middle = (low + high) >> 1;
          if (list[middle] < x) low = middle; else high = middle;
        }
        return high > 0 && list[high] - x < x - list[low] ? high : Math.max(low, 0);
      };
      const element = (name, kind, parent) => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", name);
        made.setAttribute("class", kind);
        return parent.appendChild(made);
      };
      const hide = () => { tip.hidden = true; document.querySelectorAll(".cursor").forEach(c => c.remove()); };

      return svg => {
        const [left, minutes] = svg.dataset.x.split(" ").map(Number);
        const [floor, scale, bottom] = svg.dataset.y.split(" ").map(Number);
        const start = svg.dataset.start === undefined ? null : +svg.dataset.start;
        const box = svg.viewBox.baseVal, level = element("rect", "over", svg);
        level.setAttribute("width", box.width);
        level.setAttribute("height", box.height);
        level.setAttribute("fill", "none");
        level.setAttribute("pointer-events", "all");
        // An empty title: the browser's own would cover ours.
        element("title", "", level);
        let known = null, at = -1;
        // What stands at each x: [[name, [y, …]], …].
        const values = () => {
          if (known) return known;
          known = new Map();
          for (const path of svg.querySelectorAll("path[data-name]")) {
            for (const piece of path.getAttribute("d").split("M").slice(1)) {
              const n = piece.split("h")[0].match(/-?[\d.]+/g).map(Number), pairs = n.length / 2;
              const isBand = piece.endsWith("z");
              for (let i = 0; i < (isBand ? pairs / 2 : pairs); i += 1) {
                const ys = isBand ? [n[2 * (pairs - 1 - i) + 1], n[2 * i + 1]] : [n[2 * i + 1]];
                if (!known.has(n[2 * i])) known.set(n[2 * i], []);
                known.get(n[2 * i]).push([path.dataset.name, ys]);
              }
            }
          }
          known.keysInOrder = [...known.keys()].sort((a, b) => a - b);
          return known;
        };
        const number = y => {
          const value = bottom + (floor - y) * scale;
          const isCut = svg.dataset.cut !== undefined;
          const sign = isCut && y <= +svg.dataset.top ? "≥ " : isCut && y >= floor && bottom < 0 ? "≤ " : "";
          return sign + (Math.round(value * 10 ** places) / 10 ** places + 0).toFixed(places);
        };
        const time = (x, later) => {
          const minute = Math.round((x - left) * minutes + (start ?? 0) + later);
          const day = Math.floor(minute / 1440), rest = minute - day * 1440;
          const clock = two(Math.floor(rest / 60)) + ":" + two(rest % 60);
          if (start === null) return rest === 0 && day === 1 ? "24:00" : clock;
          const date = age ? "day " + (day + 1) : new Date(day * 864e5).toISOString().slice(0, 10);
          // Minutes are not visible in a span this long.
          return minutes > 60 ? date : date + " " + clock;
        };
        // A profile's values are of a quarter of an hour, and stand in its middle.
        const when = x => svg.matches(".agp") ? time(x, -7.5) + "–" + time(x, 7.5) : time(x, 0);
        const show = (index, isSpoken) => {
          const all = values(), x = all.keysInOrder[index];
          if (x === undefined) return;
          at = index;
          hide();
          element("path", "cursor", svg).setAttribute("d", `M${x} ${svg.dataset.top}V${floor}`);
          const lines = [];
          for (const [name, ys] of all.get(x)) {
            const cursor = element("circle", "cursor", svg);
            cursor.setAttribute("cx", x);
            cursor.setAttribute("cy", ys[0]);
            cursor.setAttribute("r", ys.length > 1 ? 0 : 4);
            lines.push((name ? name + ": " : "") + ys.map(number).join("–") + " " + unit);
          }
          tip.replaceChildren(Object.assign(document.createElement("b"), { textContent: when(x) }));
          for (const line of lines) tip.append(Object.assign(document.createElement("div"), { textContent: line }));
          tip.hidden = false;
          const place = svg.getBoundingClientRect(), px = place.left + x / box.width * place.width;
          const right = document.documentElement.clientWidth - tip.offsetWidth - 4;
          const beside = px + 14 > right ? px - 14 - tip.offsetWidth : px + 14;
          tip.style.left = Math.max(4, Math.min(beside, right)) + scrollX + "px";
          tip.style.top = place.top + scrollY + 10 + "px";
          if (isSpoken) live.textContent = when(x) + ": " + lines.join(", ");
        };
        const point = event => {
          const where = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
          show(nearest(values().keysInOrder, where.x), false);
        };
        svg.addEventListener("pointermove", point);
        svg.addEventListener("pointerdown", point);
        svg.addEventListener("pointerleave", hide);
        svg.addEventListener("focus", () => {
          if (svg.matches(":focus-visible")) show(at < 0 ? values().keysInOrder.length - 1 : at, true);
        });
        svg.addEventListener("blur", hide);
        svg.addEventListener("keydown", event => {
          const last = values().keysInOrder.length - 1;
          const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
          if (event.key === "Escape") hide();
          if (to === undefined) return;
          event.preventDefault();
          show(Math.max(0, Math.min(to, last)), true);
        });
      };
    })();
    """#
}

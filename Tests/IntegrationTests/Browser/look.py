#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages in Chromium as a reader would, and reports in JSON what they are like.

look.py [PAGE.html…] [--brief PAGE.html…] DIRECTORY

Wide and narrow, light and dark, and on paper: messages of the console, network requests, which sections are visible,
whether anything sticks out or overlaps, whether charts answer to mouse and keys. Screenshots and a PDF go to DIRECTORY.

Pages after --brief are looked at in two ways only: wide and light with a screenshot, narrow and dark without one.

Only Python's own library is used. Exit status 0 if it could look, whatever it saw; 2 if not.
"""

import base64
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SIZES = [(1280, 900, "light"), (1280, 900, "dark"), (390, 844, "light"), (390, 844, "dark")]
BRIEF_SIZES = [(1280, 900, "light"), (390, 844, "dark")]
# Chromium answers each request; this ends a run in which it has failed.
SECONDS = 600

# What is looked at in the page itself. Boxes are in CSS pixels.
SURVEY = r"""
(() => {
  const box = e => { const r = e.getBoundingClientRect(); return { x: r.x, y: r.y, w: r.width, h: r.height }; };
  const wide = document.documentElement.clientWidth;
  const sections = [...document.querySelectorAll("main section")].map(s => {
    const h = s.querySelector("h1,h2"), b = box(s), hb = h ? box(h) : { w: 0, h: 0 };
    const isSeen = e => e && getComputedStyle(e).visibility === "visible" && getComputedStyle(e).display !== "none";
    return { id: s.id, heading: h ? h.textContent : null, width: b.w, height: b.h,
      visible: b.w > 0 && b.h > 0 && hb.w > 0 && hb.h > 0 && isSeen(s) && isSeen(h) };
  });
  const name = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") +
    (e.getAttribute("class") ? "." + e.getAttribute("class").replace(/ /g, ".") : "") +
    " " + (e.textContent || "").trim().slice(0, 40);
  // What has a scroll bar of its own may be wider within.
  const scrolls = e => e.closest(".wide") && e !== e.closest(".wide");
  const clipped = e => e.closest(".hidden") || e.closest("[hidden]") || e.closest(".bar");
  const sticking = [...document.querySelectorAll("body *")].filter(e => {
    if (scrolls(e) || clipped(e)) return false;
    const b = box(e);
    return b.w > 0 && (b.x < -1 || b.x + b.w > wide + 1);
  }).map(name);
  const cut = [...document.querySelectorAll("p,dd,dt,h1,h2,h3,figcaption,summary")].filter(
    e => !clipped(e) && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map(name);
  const tables = [...document.querySelectorAll(".wide")].filter(e => e.scrollWidth > e.clientWidth + 1).map(
    e => (e.querySelector("caption") || e).textContent.slice(0, 40) + " " + e.scrollWidth + ">" + e.clientWidth);
  const overlaps = [];
  let smallest = 1e9;
  for (const svg of document.querySelectorAll("svg")) {
    const frame = box(svg), texts = [...svg.querySelectorAll("text")].filter(t => getComputedStyle(t).display !== "none");
    const boxes = texts.map(box);
    boxes.forEach((b, i) => {
      if (!b.w) return;
      smallest = Math.min(smallest, parseFloat(getComputedStyle(texts[i]).fontSize) * frame.w / svg.viewBox.baseVal.width);
      if (b.x < frame.x - 1 || b.x + b.w > frame.x + frame.w + 1 || b.y < frame.y - 1 || b.y + b.h > frame.y + frame.h + 1)
        overlaps.push("outside: " + texts[i].textContent);
      for (let j = 0; j < i; j += 1) {
        const o = boxes[j];
        // A line's box is higher than its letters.
        const x = Math.min(b.x + b.w, o.x + o.w) - Math.max(b.x, o.x);
        const y = Math.min(b.y + b.h, o.y + o.h) - Math.max(b.y, o.y);
        if (x > 0.5 && y > 0.3 * Math.min(b.h, o.h)) overlaps.push(texts[j].textContent + " | " + texts[i].textContent);
      }
    });
  }
  const light = c => { const p = c.map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]; };
  const colour = text => { const n = (text.match(/[\d.]+/g) || []).map(Number);
    return n.length < 3 || (n.length > 3 && n[3] === 0) ? null : n.slice(0, 3); };
  const behind = e => { for (; e; e = e.parentElement) { const c = colour(getComputedStyle(e).backgroundColor); if (c) return c; }
    return [255, 255, 255]; };
  let worst = { ratio: 99, what: null };
  const weak = [];
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest(".hidden") || e.closest("[hidden]") || e.tagName === "SCRIPT") continue;
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length) continue;
    const style = getComputedStyle(e), isSVG = e.namespaceURI.endsWith("svg");
    if (isSVG && e.tagName !== "text") continue;
    const front = colour(isSVG ? style.fill : style.color), back = behind(isSVG ? e.ownerSVGElement : e);
    if (!front) continue;
    const [a, b] = [light(front), light(back)], ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst.ratio) worst = { ratio: Math.round(ratio * 100) / 100, what: name(e) };
    if (ratio < 4.5) weak.push(name(e));
  }
  const levels = [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].map(h => +h.tagName[1]);
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  const nameless = [...document.querySelectorAll("svg:not([aria-hidden=true])")].filter(s =>
    s.getAttribute("role") !== "img" || !s.querySelector(":scope > title")?.textContent ||
    !s.querySelector(":scope > desc")?.textContent).length;
  return {
    sections, sticking, cut, tables, overlaps, smallestChartText: Math.round(smallest * 10) / 10, worstContrast: worst, weak,
    scrollsSideways: document.documentElement.scrollWidth > wide + 0.5, width: wide,
    height: document.documentElement.scrollHeight, language: document.documentElement.lang, title: document.title,
    headingsInOrder: levels[0] === 1 && levels.every((l, i) => i === 0 || l <= levels[i - 1] + 1),
    oneMainHeading: levels.filter(l => l === 1).length === 1,
    doubleIds: ids.filter((id, i) => ids.indexOf(id) !== i),
    svgs: document.querySelectorAll("svg").length, namelessSVGs: nameless,
    tablesWithoutHead: [...document.querySelectorAll("table")].filter(t => !t.querySelector("th[scope=col]")).length,
    background: getComputedStyle(document.body).backgroundColor,
    policyViolations: window.__violations || [],
  };
})()
"""

WATCH = """
window.__violations = [];
document.addEventListener("securitypolicyviolation",
  e => window.__violations.push(e.violatedDirective + " " + e.blockedURI));
"""


class Browser:
    """Chromium with an empty profile of its own, spoken to over two pipes."""

    def __init__(self, profile):
        program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        if not program:
            sys.exit("look.py: no chromium is installed")
        there_read, self.write_end = os.pipe()
        self.read_end, there_write = os.pipe()

        def pipes():
            # First out of the way: either may be 3 or 4 itself.
            ends = [os.dup2(end, 100 + index) for index, end in enumerate((there_read, there_write))]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        switches = ["--headless", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--no-first-run",
                    "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-extensions",
                    "--disable-component-update", "--disable-background-networking", "--disable-sync",
                    "--no-default-browser-check", "--force-device-scale-factor=1"]
        if os.geteuid() == 0:
            switches.append("--no-sandbox")
        self.process = subprocess.Popen(
            [program, *switches, "about:blank"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=pipes, start_new_session=True)
        os.close(there_read)
        os.close(there_write)
        self.rest = b""
        self.number = 0
        self.events = []
        self.session = None
        self.context = None

    def close(self):
        # Its own session: the group is Chromium and what it started, nothing else.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def message(self, deadline):
        while b"\0" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise TimeoutError("chromium does not answer")
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise EOFError("chromium has ended")
            self.rest += data
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        deadline = time.monotonic() + SECONDS
        while True:
            answer = self.message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        deadline = time.monotonic() + SECONDS
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message(deadline))

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression[:60]}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, address, width, height, scheme):
        """In a tab and a context of its own: nothing is left of the page before."""
        self.session = None
        if self.context:
            self.call("Target.disposeBrowserContext", browserContextId=self.context)
        self.context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media="screen",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.events = []
        self.call("Page.navigate", url=address)
        self.wait_for("Page.loadEventFired")
        self.value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def screenshot(self, path, height):
        """The whole page, as far down as a picture may sensibly be."""
        width = self.value("document.documentElement.clientWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 12_000), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))


def heard(events, address):
    """What the console said and what was asked for, among the browser's events."""
    console, exceptions, requests = [], [], []
    for event in events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled":
            console.append(" ".join(str(part.get("value", part.get("description"))) for part in parameters["args"]))
        elif method == "Log.entryAdded":
            console.append(f"{parameters['entry']['level']}: {parameters['entry']['text']}")
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            exceptions.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Network.requestWillBeSent" and parameters["request"]["url"] != address:
            requests.append(parameters["request"]["url"])
    return {"console": console, "exceptions": exceptions, "requests": requests}


TIP = "(() => { const t = document.getElementById('tip'); return t && !t.hidden ? t.innerText : null; })()"


def answers(browser, folder, name):
    """Whether the first picture shows values under the mouse and by keys."""
    where = browser.value(
        "(() => { const s = document.querySelector('svg[data-x]'); if (!s) return null;"
        "s.scrollIntoView({block: 'center'}); const r = s.getBoundingClientRect();"
        "return { x: r.x, y: r.y, w: r.width, h: r.height }; })()")
    if not where:
        return None

    def move(x, y):
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        browser.value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def press(key):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                         windowsVirtualKeyCode={"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Tab": 9,
                                                "Escape": 27}[key])

    seen = {}
    middle = where["y"] + where["h"] / 2
    move(where["x"] + where["w"] * 0.4, middle)
    seen["mouse"] = browser.value(TIP)
    shot = browser.call("Page.captureScreenshot", format="png")["data"]
    (folder / f"{name}-tip.png").write_bytes(base64.b64decode(shot))
    move(where["x"] + where["w"] * 0.97, middle)
    seen["mouseAtRight"] = browser.value(TIP)
    seen["tipWithinPage"] = browser.value(
        "(() => { const r = document.getElementById('tip').getBoundingClientRect();"
        "return r.left >= 0 && r.right <= document.documentElement.clientWidth &&"
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth; })()")
    move(2, 2)
    seen["afterMouse"] = browser.value(TIP)
    # By the keyboard alone: Tab until the picture is reached.
    for _ in range(60):
        press("Tab")
        if browser.value("document.activeElement.matches('svg[data-x]')"):
            break
    seen["focus"] = browser.value(TIP)
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowLeft", "End"):
        press(key)
        seen.setdefault("keys", []).append(browser.value(TIP))
    seen["announced"] = browser.value("document.getElementById('live').textContent")
    press("Escape")
    seen["afterEscape"] = browser.value(TIP)
    return seen


def look(browser, page, folder, is_brief):
    address = page.resolve().as_uri()
    report = {"page": page.name, "bytes": page.stat().st_size, "views": []}
    for width, height, scheme in BRIEF_SIZES if is_brief else SIZES:
        browser.open(address, width, height, scheme)
        name = f"{page.stem}-{width}-{scheme}"
        view = {"name": name, **browser.value(SURVEY)}
        if scheme == "light" or not is_brief:
            browser.screenshot(folder / f"{name}.png", view["height"])
        if scheme == "light":
            view["answers"] = answers(browser, folder, name)
            # Folded tables too must not stick out.
            browser.value("document.querySelectorAll('details').forEach(d => { d.open = true; })")
            opened = browser.value(SURVEY)
            view["opened"] = {key: opened[key] for key in ("scrollsSideways", "sticking", "cut", "tables", "weak")}
        view.update(heard(browser.events, address))
        report["views"].append(view)
    if not is_brief:
        report["views"].append(look_on_paper(browser, page, folder, address))
    return report


def look_on_paper(browser, page, folder, address):
    """The printed page, of a reader whose screen is dark."""
    browser.open(address, 1280, 900, "dark")
    browser.call("Emulation.setDeviceMetricsOverride", width=695, height=1017, deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", media="print",
                 features=[{"name": "prefers-color-scheme", "value": "dark"}])
    view = {"name": f"{page.stem}-print", **browser.value(SURVEY)}
    browser.screenshot(folder / f"{page.stem}-print.png", view["height"])
    data = base64.b64decode(browser.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])
    (folder / f"{page.stem}.pdf").write_bytes(data)
    view["pages"] = len(re.findall(rb"/Type\s*/Page\b", data))
    view.update(heard(browser.events, address))
    return view


def look_at_all(pages, brief_pages, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="look-", ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            version = browser.call("Browser.getVersion")["product"]
            reports = [look(browser, page, folder, False) for page in pages]
            reports += [look(browser, page, folder, True) for page in brief_pages]
            return {"browser": version, "pages": reports}
        finally:
            browser.close()


def main():
    *words, folder = sys.argv[1:] or [""]
    start = words.index("--brief") if "--brief" in words else len(words)
    pages, brief_pages = ([pathlib.Path(word) for word in part] for part in (words[:start], words[start + 1:]))
    if not pages and not brief_pages:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        report = look_at_all(pages, brief_pages, pathlib.Path(folder))
    except (OSError, EOFError, RuntimeError) as error:
        print(f"look.py: {error}", file=sys.stderr)
        return 2
    json.dump(report, sys.stdout, indent=1, ensure_ascii=False)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Watches the live page of a running `libre serve` in Chromium, and reports in JSON what it is like.

watch.py LIBRE STORE DUMP TIME DIRECTORY

Starts `LIBRE serve` on STORE; looks at the page wide and narrow, light and dark: messages of the console, requests to
elsewhere, contrast, the order of the focus, names of controls. Then it imports DUMP, read at TIME, while the page is
open, ends the server, lets the page's clock run ahead, and starts the server again; each time it waits until the page shows
it. Screenshots go to DIRECTORY.

Only Python's own library is used. Exit status 0 if it could look, whatever it saw; 2 if not.
"""

import base64
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import look  # noqa: E402 (the directory of this script is where Python looks first)

SIZES = [(1280, 800, "light"), (1280, 800, "dark"), (390, 844, "light"), (390, 844, "dark"), (1920, 1080, "dark"),
         (1200, 800, "light"), (1000, 800, "light"), (800, 800, "light")]

# What can be reached by the keyboard: role, name as a screen reader gets it, and where it is.
FOCUSED = r"""
(() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const ids = e.getAttribute("aria-labelledby");
  const name = e.getAttribute("aria-label") ||
    (ids ? ids.split(" ").map(id => document.getElementById(id)?.textContent ?? "").join(" ") : "") || e.textContent;
  const box = e.getBoundingClientRect(), style = getComputedStyle(e);
  return { element: e.tagName.toLowerCase(), name: name.trim().replace(/\s+/g, " ").slice(0, 80),
    x: Math.round(box.x), y: Math.round(box.y + scrollY), width: Math.round(box.width), height: Math.round(box.height),
    outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 };
})()
"""

# The facts about the value in their longest form, in as many lines as they take, and those that are broken within.
FACTS = r"""
(() => {
  const facts = document.querySelector("#now .facts"), spans = [...facts.children];
  const words = ["falling very fast ·", "−23 in 5 min ·", "14.7 mmol/L"];
  const were = spans.map(e => e.textContent);
  spans.forEach((e, i) => { e.textContent = words[i]; });
  const lines = new Set(spans.flatMap(e => [...e.getClientRects()].map(r => Math.round(r.top)))).size;
  const broken = spans.filter(e => e.getClientRects().length > 1).map(e => e.textContent);
  spans.forEach((e, i) => { e.textContent = were[i]; });
  return { count: spans.length, lines, broken };
})()
"""

STATE = r"""
(() => {
  const text = id => document.getElementById(id)?.textContent ?? null;
  const now = document.getElementById("now");
  return { title: document.title, value: now.dataset.value ?? null, time: now.dataset.time ?? null,
    isOld: now.classList.contains("is-old"),
    banner: document.getElementById("banner").hidden ? null : text("banner"), connection: text("connection"),
    live: text("live"), age: document.querySelector("#now .age span")?.textContent ?? null,
    isOldTextShown: !!document.querySelector("#now .warning.old")?.getClientRects().length };
})()
"""


# Counts the tones of the page, and keeps the titles of its notifications.
NOTES = r"""
(() => {
  window.__tones = 0; window.__notes = [];
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { window.__tones++; return make.call(this); };
  // Chromium without a screen denies all notifications.
  window.Notification = class {
    static permission = "granted";
    static async requestPermission() { return "granted"; }
    constructor(title, options) { window.__notes.push([title, options.body]); }
  };
})()
"""

ALERT = r"""
(() => {
  const alerts = document.getElementById("alerts");
  return { title: document.title, text: alerts.textContent.trim().replace(/\s+/g, " "), role: alerts.getAttribute("role"),
    isShown: alerts.getClientRects().length > 0, notes: window.__notes,
    sounding: document.getElementById("sounding").textContent, isButtonGone: document.getElementById("sound").hidden };
})()
"""


class Server:
    """`libre serve` on a port that was free, ended and started again at will."""

    def __init__(self, libre, store):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.command = [libre, "serve", "--store", store, "--listen", f"127.0.0.1:{self.port}"]
        self.address = f"http://127.0.0.1:{self.port}/"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=None)
        wait("the server listens", self.answers)

    def answers(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"the server ended with status {self.process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=10).close()
            return True
        except OSError:
            return False

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()


def wait(what, condition):
    deadline = time.monotonic() + look.SECONDS
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise RuntimeError(f"in vain: {what}")
        time.sleep(0.1)
    return result


def state(browser):
    return browser.value(STATE)


def elsewhere(heard, address):
    return [url for url in heard["requests"] if not url.startswith((address, "data:"))]


def shoot(browser, path):
    """What is on the screen, and no more."""
    path.write_bytes(base64.b64decode(browser.call("Page.captureScreenshot", format="png")["data"]))


def click(browser, selector):
    """Presses and releases the mouse on an element, as a user does."""
    place = browser.value(f"""(() => {{ const e = document.querySelector("{selector}"); e.scrollIntoView();
      const box = e.getBoundingClientRect(); return {{ x: box.x + box.width / 2, y: box.y + box.height / 2 }}; }})()""")
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)


def focus_order(browser):
    order = []
    for _ in range(40):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        place = browser.value(FOCUSED)
        if place is None or place in order:
            break
        order.append(place)
    return order


def views(browser, address, folder):
    found = []
    for width, height, scheme in SIZES:
        browser.open(address, width, height, scheme)
        wait("the event stream is open", lambda: "Live" in (state(browser)["connection"] or ""))
        view = {"name": f"{width}-{scheme}", **browser.value(look.SURVEY), **state(browser)}
        view["facts"] = browser.value(FACTS)
        browser.screenshot(folder / f"live-{view['name']}.png", view["height"])
        heard = look.heard(browser.events, address)
        view.update(console=heard["console"], exceptions=heard["exceptions"], elsewhere=elsewhere(heard, address))
        view["focus"] = focus_order(browser)
        found.append(view)
    return found


def span_by_key(browser, address):
    """Chooses 24 hours with the keyboard: the curve changes and the focus stays."""
    browser.open(address, 1280, 800, "light")
    start = browser.value("document.querySelector('#curve svg.wide').dataset.start")
    for _ in range(4):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    wait("the curve has changed", lambda: browser.value(
        "document.querySelector('#curve svg.wide').dataset.start") != start)
    return {"focus": browser.value(FOCUSED), "address": browser.value("location.search"),
            "current": browser.value("document.querySelector('a[aria-current]').dataset.hours")}


def happenings(browser, server, imported, told, folder):
    address = server.address
    browser.open(address, 1280, 800, "light")
    wait("the event stream is open", lambda: "Live" in (state(browser)["connection"] or ""))
    before = state(browser)
    browser.value("window.__loaded = true")
    # The user's click allows tones and notifications; what they do is noted.
    browser.value(NOTES)
    click(browser, "#sound")
    wait("the page says that it sounds", lambda: browser.value("document.getElementById('sounding').textContent"))
    tones = browser.value("window.__tones")
    for command in [imported, *told]:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait("the alert is shown", lambda: browser.value("document.querySelectorAll('[data-alert]').length"))
    browser.value("scrollTo(0, 0)")
    alert = browser.value(ALERT) | {"tones": browser.value("window.__tones") - tones}
    wait("the new value is shown", lambda: state(browser)["time"] != before["time"])
    arrived = state(browser)
    heard = look.heard(browser.events, address)
    shoot(browser, folder / "live-arrived.png")
    server.end()
    wait("the page says that the server is gone", lambda: state(browser)["banner"])
    gone = state(browser)
    shoot(browser, folder / "live-gone.png")
    # No server corrects the clock now: the value grows old in sight.
    browser.value("{ const was = Date.now.bind(Date); Date.now = () => was() + 90 * 60e3; }")
    wait("the page says that the value is old", lambda: state(browser)["isOld"])
    old = state(browser)
    shoot(browser, folder / "live-old.png")
    browser.events = []
    server.start()
    wait("the page has found the server again", lambda: not state(browser)["banner"])
    wait("the value is a present one again", lambda: not state(browser)["isOld"])
    wait("the event stream is open again", lambda: "Live" in (state(browser)["connection"] or ""))
    back = state(browser)
    return {
        "before": before, "alert": alert, "arrived": arrived, "gone": gone, "old": old, "back": back,
        "console": heard["console"], "exceptions": heard["exceptions"], "elsewhere": elsewhere(heard, address),
        "isSamePage": browser.value("window.__loaded === true"),
    }


def main():
    if len(sys.argv) != 6:
        print(__doc__, file=sys.stderr)
        return 2
    libre, store, dump, read_at, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(libre, store)
    imported = [libre, "import", dump, "--read-at", read_at, "--store", store]
    told = [[libre, "alerts", "add", "high", "--above", "30mg", "--tell", "journal"],
            [libre, "alerts", "check", "--store", store]]
    with tempfile.TemporaryDirectory(prefix="watch-", ignore_cleanup_errors=True) as profile:
        browser = None
        try:
            server.start()
            browser = look.Browser(profile)
            report = {
                "browser": browser.call("Browser.getVersion")["product"],
                "views": views(browser, server.address, folder),
                "span": span_by_key(browser, server.address),
                "happenings": happenings(browser, server, imported, told, folder),
            }
        except (OSError, EOFError, RuntimeError, subprocess.CalledProcessError) as error:
            print(f"watch.py: {error}", file=sys.stderr)
            return 2
        finally:
            if browser:
                browser.close()
            server.end()
    json.dump(report, sys.stdout, indent=1, ensure_ascii=False)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())

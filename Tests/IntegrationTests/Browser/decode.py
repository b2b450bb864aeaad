#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses the page of `make web` in Chromium as a person would, from disk, and reports in JSON what it is like.

decode.py PAGE.html FILES DIRECTORY

FILES is a directory with active.bin, mmol.hex, first.hex and second.hex (two scans of one sensor), keyless.bin,
encrypted.bin, the same as a dump with its key in key.json, damaged.hex and letter.docx. Each is chosen, dropped or
pasted. Then the page is used by the keyboard alone, and what it saves is read. All network events are kept. Screenshots
go to DIRECTORY.

Only Python's own library is used. Exit status 0 if it could look, whatever it saw; 2 if not.
"""

import base64
import json
import pathlib
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import look  # noqa: E402 (the directory of this script is where Python looks first)
from watch import FOCUSED  # noqa: E402

SIZES = [(1280, 900, "light"), (1280, 900, "dark"), (360, 740, "light"), (360, 740, "dark")]
KEYS = {"Tab": 9, "Enter": 13, " ": 32, "ArrowLeft": 37, "ArrowRight": 39}

# The status, and the page's sections as a reader sees them.
STATE = r"""
(() => {
  const text = e => (e ? e.innerText.trim().replace(/\s+/g, " ") : null);
  const facts = s => Object.fromEntries([...s.querySelectorAll("dl div")].map(
    d => [text(d.querySelector("dt")), text(d.querySelector("dd"))]));
  return {
    status: text(document.getElementById("status")), focus: text(document.activeElement)?.slice(0, 80),
    sections: [...document.querySelectorAll("#results section")].map(s => ({
      title: text(s.querySelector("h2")), value: text(s.querySelector(".value")), pill: text(s.querySelector(".pill")),
      warnings: [...s.querySelectorAll(".warning")].map(text), notes: [...s.querySelectorAll(".note")].map(text),
      facts: facts(s),
      rows: s.querySelectorAll(".tall tbody tr").length, bytes: s.querySelectorAll(".bytes td").length,
      verdicts: [...s.querySelectorAll(".bytes caption")].map(text),
      dots: s.querySelectorAll("figure circle").length, lines: [...s.querySelectorAll("path.history")].map(
        p => (p.getAttribute("d").match(/M/g) || []).length),
      curve: s.querySelector("figure svg desc")?.textContent ?? null,
      fields: [...s.querySelectorAll("input")].map(e => e.labels[0].innerText),
      buttons: [...s.querySelectorAll("button")].map(text),
    })),
  };
})()
"""

# The page has read everything that it was given when its status says so.
READ = r"""
new Promise(done => {
  const status = document.getElementById("status");
  const isRead = () => status.textContent && !/^(Reading|Searching) /.test(status.textContent);
  if (isRead()) return done();
  new MutationObserver((_, observer) => { if (isRead()) { observer.disconnect(); done(); } })
    .observe(status, { childList: true, characterData: true, subtree: true });
})
"""

# The value at the cursor of the curve, as it is shown and as it is spoken.
TIP = "[document.getElementById('tip').innerText, document.querySelector('figure [role=status]').textContent]"

# The next Tab goes to the first element that can have the focus.
TO_THE_TOP = "document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')"

DROP = r"""
(() => {
  const bytes = Uint8Array.from(atob("%s"), c => c.charCodeAt(0)), transfer = new DataTransfer();
  transfer.items.add(new File([bytes], "%s"));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
})()
"""


# The directives of the policy that stop a script which tries to send something.
TRY_TO_SEND = r"""
Promise.allSettled([
  fetch("http://127.0.0.1:9/"),
  new Promise((_, no) => { const i = new Image(); i.onerror = no; i.src = "http://127.0.0.1:9/x.png"; }),
]).then(() => [...new Set(window.__violations.map(v => v.split(" ")[0]))].sort())
"""


class Visitor:
    def __init__(self, browser, page, files, folder):
        self.browser, self.address, self.files, self.folder = browser, page.resolve().as_uri(), files, folder
        self.events = []

    def open(self, size=SIZES[0]):
        self.events += self.browser.events
        self.browser.open(self.address, *size)

    def clear_status(self):
        self.browser.value("document.getElementById('status').textContent = ''")

    def state(self):
        self.browser.value(READ)
        self.browser.value("document.querySelectorAll('#results details').forEach(d => { d.open = true; })")
        return self.browser.value(STATE)

    def choose(self, *names):
        self.clear_status()
        document = self.browser.call("DOM.getDocument")["root"]["nodeId"]
        node = self.browser.call("DOM.querySelector", nodeId=document, selector="#files")["nodeId"]
        self.browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(self.files / name) for name in names])
        return self.state()

    def drop(self, name):
        self.clear_status()
        self.browser.value(DROP % (base64.b64encode((self.files / name).read_bytes()).decode(), name))
        return self.state()

    def paste(self, text):
        self.clear_status()
        self.browser.value("document.getElementById('paste').open = true; document.getElementById('text').focus()")
        self.browser.call("Input.insertText", text=text)
        self.browser.value("document.getElementById('read').click()")
        return self.state()

    def click(self, words):
        self.clear_status()
        self.press_button(words)
        return self.state()

    def press_button(self, words):
        button = f"[...document.querySelectorAll('button')].find(b => b.innerText === {json.dumps(words)})"
        self.browser.value(f"{button}.click()")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            text = {"Enter": "\r", " ": " "}.get(key) if kind == "keyDown" else None
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, code="Space" if key == " " else key,
                              windowsVirtualKeyCode=KEYS[key], **({"text": text} if text else {}))

    def tab_through(self):
        """All that the Tab key reaches, in its order."""
        seen = []
        self.browser.value(TO_THE_TOP)
        for _ in range(40):
            self.press("Tab")
            focused = self.browser.value(FOCUSED_WITH_LABELS)
            if focused is None:
                break
            seen.append(focused)
        return seen

    def saved(self, words, name):
        """What the browser saves."""
        with tempfile.TemporaryDirectory(prefix="decode-") as downloads:
            session, self.browser.session = self.browser.session, None
            self.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=downloads,
                              eventsEnabled=True, browserContextId=self.browser.context)
            self.browser.session = session
            self.press_button(words)
            deadline = time.monotonic() + look.SECONDS
            while not any(e.get("method") == "Browser.downloadProgress" and e["params"]["state"] == "completed"
                          for e in self.browser.events):
                self.browser.events.append(self.browser.message(deadline))
            self.browser.events = [e for e in self.browser.events if e.get("method") != "Browser.downloadProgress"]
            return (pathlib.Path(downloads) / name).read_text(encoding="utf-8")


# As FOCUSED of watch.py, with the names that labels give, and the outline where the words beside a field have it.
FOCUSED_WITH_LABELS = f"""
(() => {{
  const e = document.activeElement, found = {FOCUSED.strip()};
  if (!found) return null;
  if (e.labels?.length) found.name = e.labels[0].innerText.trim();
  const shown = e.id === "files" ? e.labels[0] : e.name === "unit" ? e.nextElementSibling : e;
  const style = getComputedStyle(shown), box = shown.getBoundingClientRect();
  found.outline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  found.y = Math.round(box.y + scrollY);
  return found;
}})()
"""


def views(visitor):
    """The page with two scans, a damaged and an encrypted memory in every size, with everything unfolded."""
    reports = []
    for size in SIZES:
        visitor.open(size)
        visitor.choose("first.hex", "second.hex", "damaged.hex", "encrypted.bin")
        name = "{}-{}".format(size[0], size[2])
        survey = visitor.browser.value(look.SURVEY)
        visitor.browser.screenshot(visitor.folder / f"{name}.png", survey["height"])
        reports.append({"name": name, **survey, **look.heard(visitor.browser.events, visitor.address)})
    return reports


def by_keyboard(visitor):
    """From the top: paste a memory, read it, change the unit, read the curve."""
    browser = visitor.browser
    visitor.open()
    seen = {"empty": visitor.tab_through()}
    browser.value(TO_THE_TOP)
    for _ in range(2):
        visitor.press("Tab")
    visitor.press("Enter")
    visitor.press("Tab")
    browser.call("Input.insertText", text=(visitor.files / "mmol.hex").read_text())
    visitor.clear_status()
    visitor.press("Tab")
    visitor.press("Enter")
    seen["read"] = visitor.state()
    browser.value("document.querySelectorAll('#results details').forEach(d => { d.open = false; })")
    visitor.press("Tab")
    visitor.press("ArrowRight")
    seen["unit"] = browser.value(STATE)["sections"][0]["value"]
    seen["full"] = visitor.tab_through()
    browser.value(TO_THE_TOP)
    for _ in range(20):
        visitor.press("Tab")
        if browser.value("document.activeElement.matches('figure svg')"):
            break
    seen["tips"] = []
    for key in (None, "ArrowLeft", "ArrowLeft"):
        if key:
            visitor.press(key)
        seen["tips"].append(browser.value(TIP))
    return seen


def visit(visitor):
    report = {"views": views(visitor), "keyboard": by_keyboard(visitor)}
    visitor.open()
    report["active"] = visitor.choose("active.bin")
    report["json"] = json.loads(visitor.saved("Save JSON", "libre.json"))
    report["csv"] = visitor.saved("Save CSV", "libre.csv")
    report["again"] = visitor.drop("active.bin")["status"]
    report["letter"] = visitor.drop("letter.docx")["status"]
    report["removed"] = visitor.click("Remove all")
    report["keyless"] = visitor.choose("keyless.bin")
    visitor.open()
    report["scans"] = visitor.choose("second.hex", "first.hex")
    report["scansCSV"] = visitor.saved("Save CSV", "libre.csv")
    visitor.open()
    report["damaged"] = visitor.drop("damaged.hex")
    report["salvaged"] = visitor.click("Show the values all the same")
    visitor.open()
    report["encrypted"] = visitor.choose("encrypted.bin")
    key = json.loads((visitor.files / "key.json").read_text())["sensor"]
    report["withoutDigits"] = visitor.browser.value("""(() => {
      const uid = document.querySelector("#results input"); uid.value = "E0 07";
      [...document.querySelectorAll("button")].find(b => b.innerText === "Decrypt").click();
      return document.querySelector("#results [role=alert]").innerText; })()""")
    for name, value in (("uid", key["uid"]), ("info", key["patch_info"])):
        field = f"document.getElementById('failed-1-{name}')"
        visitor.browser.value(f"{field}.value = ''; {field}.focus()")
        visitor.browser.call("Input.insertText", text=value)
    visitor.clear_status()
    visitor.press("Enter")
    report["decrypted"] = visitor.state()
    visitor.open()
    report["pasted"] = visitor.paste(base64.b64encode((visitor.files / "active.bin").read_bytes()).decode())
    visitor.open()
    report["nothing"] = visitor.paste("There is nothing here.")["status"]
    report.update(look.heard(visitor.events + visitor.browser.events, visitor.address))
    # What it saves are addresses of its own memory.
    report["requests"] = [address for address in report["requests"] if not address.startswith("blob:")]
    report["refused"] = visitor.browser.value(TRY_TO_SEND)
    return report


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    page, files, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="decode-", ignore_cleanup_errors=True) as profile:
        browser = look.Browser(profile)
        try:
            report = visit(Visitor(browser, page, files.resolve(), folder))
        except (OSError, EOFError, RuntimeError) as error:
            print(f"decode.py: {error}", file=sys.stderr)
            return 2
        finally:
            browser.close()
    json.dump(report, sys.stdout, indent=1, ensure_ascii=False)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())

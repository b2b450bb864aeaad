# SPDX-License-Identifier: Apache-2.0
"""An hour of a day: taps, a server with ten listeners, a receiver that fails every third time"""

import urllib.request

from guest import *
from receiver import Receiver

MINUTES = 60
DATA = Path("/root/.local/share/libre")


def listen():
    """A browser's event stream, which is read for as long as there is one."""
    with urllib.request.urlopen("http://127.0.0.1:17580/live") as stream:
        for _ in stream:
            pass


def files_at_rest(program):
    """Open files between two requests and writes, each of which opens some for a moment."""
    counts = []
    for _ in range(10):
        counts.append(program.open_files())
        time.sleep(0.3)
    return min(counts)


def sizes():
    journal_size = root.run("journalctl", "--disk-usage").out
    return {"store": sum(file.stat().st_size for file in DATA.glob("history.sqlite*")), "journal": journal_size.strip()}


def seen_by(watch):
    """What the reader, PC/SC and libre watch say of the tag, each by itself."""
    readers = root.libre("readers", "--json", status=None).out
    return f"reader {device()}\n    PC/SC {readers}\n    {len(watch.lines)} readings; {watch.err}\n    " + "\n    ".join(
        f"{path.parent.name} {path.read_text().strip()}" for path in Path(f"/proc/{watch.pid}/task").glob("*/wchan"))


if FULL:

    @case()
    def hour():
        """an hour with a tap a minute loses no reading, sends each sample under one key, and leaves memory and files as they were"""
        receiver = Receiver(3)
        plug("utrust3720")
        listed(1)
        root.libre("sink", "add", "site", "webhook", f"url={receiver.url}", "--backfill-days", "1")
        # What a program loads for its first request is not growth: the daemon sends before the first measurement. Later,
        # watch is mostly first.
        tag(age=5_999)
        root.libre("read", "--quiet", LIBRE_SYNC_MODE="manual")
        untag()
        programs = {"sync": root.start("libre", "sync", "--daemon", "--interval", "30")}
        until("the daemon sends", lambda: receiver.requests, lambda: programs["sync"])
        programs |= {"watch": root.start("libre", "watch", "--ndjson"), "serve": root.start("libre", "serve")}
        until("libre serve listens", lambda: "17580" in programs["serve"].out)
        for _ in range(10):
            threading.Thread(target=listen, daemon=True).start()
        rows = []
        for minute in range(MINUTES):
            started = time.monotonic()
            tag(age=6_000 + minute)
            until(f"reading {minute + 1} comes", lambda: len(programs["watch"].lines) > minute, lambda: seen_by(programs["watch"]))
            untag()
            if minute in (1, MINUTES // 4, MINUTES - 1):
                row = {name: (program.memory(), files_at_rest(program)) for name, program in programs.items()}
                rows.append(row)
                note(f"minute {minute + 1}: " + ", ".join(f"{name} {kb} KB, {files} files" for name, (kb, files) in row.items())
                     + f"; {sizes()}")
            time.sleep(max(0, 60 - (time.monotonic() - started)))
        for name, program in programs.items():
            expect(program.status is None, f"libre {name} has ended")
            expect(rows[-1][name][1] <= rows[1][name][1], f"{name}: its files grow")
            expect(rows[-1][name][0] < rows[1][name][0] * 1.25, f"{name}: its memory grows")
        for _ in range(10):
            if root.libre("sync", status=None).status == 0:
                break
        keys = receiver.keys()
        wanted = {line["id"] for line in root.libre("history", "--from", "all", "--ndjson").documents}
        expect(set(keys) >= wanted and wanted, f"{len(wanted - set(keys))} of {len(wanted)} samples are missing")
        expect(all(len(each) == 1 for each in keys.values()), "a sample was sent under two keys")
        note(f"{len(keys)} samples in {len(receiver.requests)} requests, of {receiver.asked}")
        root.libre("store", "check")

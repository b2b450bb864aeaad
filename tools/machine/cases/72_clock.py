# SPDX-License-Identifier: Apache-2.0
"""Clock: a computer that does not know the time"""

import datetime

from guest import *

HOME = RUN / "clock"
OUT = HOME / "sent.ndjson"
STORE = HOME / "history.sqlite"


def libre(*arguments, **options):
    return root.libre(*arguments, "--store", STORE, HOME=HOME, status=None, **options)


def moment(dump):
    """When a sensor had this memory: the name says it."""
    return datetime.datetime.strptime(dump.stem, "%Y-%m-%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)


def tap(dump, away=datetime.timedelta()):
    """Reads the sensor by a clock that is so far away, and sends what is new."""
    root.run("date", "-s", (moment(dump) + away).strftime("%Y-%m-%dT%H:%M:%SZ"))
    read = libre("read", "--reader", f"sim:{dump}", "--json")
    libre("sync")
    return read


def sent():
    """The newest time under which each sample was sent."""
    return {line["id"]: line["time"] for line in map(json.loads, OUT.read_text().splitlines())} if OUT.exists() else {}


def right():
    """Time and id of each value that all scans give when the clock is right."""
    return {line["id"]: line["time"] for line in libre("history", "--from", "all", "--ndjson").documents}


# The clock at the first tap: how far it is away, and whether its values may be sent before another tap.
CLOCKS = {
    "of 1970": (datetime.timedelta(days=-20_700), False),
    "of 2020": (datetime.timedelta(days=-2_300), False),
    "18 days behind": (datetime.timedelta(days=-18), True),
    "ten years ahead": (datetime.timedelta(days=3_650), True),
    "an hour ahead": (datetime.timedelta(hours=1), True),
    "an hour behind": (datetime.timedelta(hours=-1), True),
}


@case(*(CLOCKS if FULL else list(CLOCKS)[:3]))
def first_tap(clock):
    """a sensor that is first read by a clock {} has its right start after three more taps, and its values their right times"""
    now = time.time()
    away, may_send = CLOCKS[clock]
    dumps = RUN / "clock-scans"
    try:
        HOME.mkdir(exist_ok=True)
        root.libre("simulate", "--days", "2", "--scans-per-day", "6", "--seed", "3", "--out-dir", dumps)
        scans = sorted(dumps.iterdir())[2:6]
        for scan in scans:
            libre("import", scan)
        expected = right()
        STORE.unlink()
        libre("sink", "add", "out", "file", f"path={OUT}")
        first = tap(scans[0], away)
        expect(first.status == 0, "the reading must be stored")
        note(libre("status").out.strip())
        expect(may_send or not sent(), f"{len(sent())} values were sent")
        for scan in scans[1:]:
            tap(scan)
        note(libre("status").out.strip())
        found = right()
        expect(found.keys() == expected.keys(), f"{len(found)} samples, not {len(expected)}")

        def off(times):
            parse = datetime.datetime.fromisoformat
            return [(times[key], expected[key]) for key in times if key in expected and abs(
                parse(times[key]) - parse(expected[key])) > datetime.timedelta(minutes=2)]

        expect(not off(found), lambda: f"{len(off(found))} samples have a wrong time: {off(found)[0]}")
        expect(sent().keys() >= {key for key in expected}, f"{len(sent())} of {len(expected)} values were sent")
        expect(not off(sent()), lambda: f"{len(off(sent()))} values were last sent with a wrong time: {off(sent())[0]}")
    finally:
        root.run("date", "-s", f"@{int(now)}")
        shutil.rmtree(HOME, ignore_errors=True)
        shutil.rmtree(dumps, ignore_errors=True)

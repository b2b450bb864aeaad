# SPDX-License-Identifier: Apache-2.0
"""Two people on the units of one machine"""

import importlib.util
import shutil
import urllib.error

from guest import *

spec = importlib.util.spec_from_file_location("units", HERE / "cases/50_units.py")
units = importlib.util.module_from_spec(spec)
spec.loader.exec_module(units)
cases.clear()

# The simulated sensors: all are active now, so they are worn at the same time. That of me was read before.
SEEDS = {"me": 7, "ann": 8, "visitor": 9}
ANNS_SECRET = units.HOME / "anns-secret"


def uid(person):
    """The UID of a person's sensor."""
    dump = root.libre("simulate", "--scenario", "active", "--seed", SEEDS[person], "--format", "json")
    return dump.json["sensor"]["uid"]


def stored(person):
    """The UIDs in a person's history."""
    found = units.as_libre("history", "--ndjson", "--from", "all", "--person", person, status=None)
    return {json.loads(line)["uid"] for line in found.out.splitlines()}


def received(person):
    """The UIDs that a person's receiver got, here a file."""
    path = units.HOME / f"{person}.ndjson"
    return {json.loads(line)["uid"] for line in path.read_text().splitlines()} if path.exists() else set()


def served(person, path="api/v1/entries.json?count=1000", key=None):
    prefix = "" if person == "me" else f"person/{person}/"
    return units.served(f"/{prefix}{path}", key)


def scans(person):
    """The number of scans in a person's store."""
    sensors = units.as_libre("sensors", "--json", "--person", person, status=None)
    return sum(wear["scans"] for sensor in sensors.json.get("sensors", []) for wear in sensor["wears"]) if sensors.out else 0


def tapped(person):
    """Holds a person's sensor to the reader until the scan is stored for that person, and takes it away."""
    before = scans(person)
    tag(seed=SEEDS[person])
    until(f"a scan is stored for {person}", lambda: scans(person) > before, lambda: journal("-u", "libre-watch", "-n", "8"))
    untag()


@case()
def taps_in_turns():
    """two people tap in turns on one libre-watch: each history, page and receiver has its own values only"""
    for unit in units.UNITS:
        systemctl("enable", "--now", unit)
        until(f"{unit} has started", lambda: property_of(unit, "ActiveState") == "active")
    plug("utrust3720")
    units.as_libre("person", "add", "ann", "--name", "Ann Example")
    ANNS_SECRET.write_text("a secret of ann alone\n")
    ANNS_SECRET.chmod(0o600)
    shutil.chown(ANNS_SECRET, "libre", "libre")
    units.as_libre("config", "set", "serve.secret_file", ANNS_SECRET, "--person", "ann")
    for person in ("me", "ann"):
        units.as_libre("sink", "add", "copy", "file", f"path={units.HOME / f'{person}.ndjson'}", "--person", person)
    systemctl("restart", "libre-serve")
    # The first time it is said whose the sensor is; libre-watch has the reader, so it pauses.
    systemctl("stop", "libre-watch")
    for person in ("me", "ann"):
        tag(seed=SEEDS[person])
        units.as_libre("read", "--person", person, "--no-samples")
        untag()
    systemctl("start", "libre-watch")
    for _ in range(2):
        for person in ("me", "ann"):
            tapped(person)
    keys = {"me": units.secret(), "ann": ANNS_SECRET.read_text().splitlines()[0]}
    for person in ("me", "ann"):
        until(f"the values of {person} are stored", lambda: uid(person) in stored(person))
        until("they are sent", lambda: uid(person) in received(person), lambda: journal("-u", "libre-sync", "-n", "8"))
        until("they are served", lambda: served(person, key=keys[person]), lambda: journal("-u", "libre-serve", "-n", "8"))
        expect(stored(person) == {uid(person)}, f"{person} has {stored(person)}")
        expect(received(person) == {uid(person)}, f"the receiver of {person} has {received(person)}")
        devices_served = {entry["device"] for entry in served(person, key=keys[person])}
        expect(len(devices_served) == 1, f"{person} is served {devices_served}")
        other = keys["ann" if person == "me" else "me"]
        try:
            served(person, key=other)
        except urllib.error.HTTPError as error:
            expect(error.code == 401, f"the other one's secret gives {error.code}")
        else:
            raise Failed(f"{person} is served with the other one's secret")
    names = {person: {entry["device"] for entry in served(person, key=keys[person])} for person in keys}
    expect(names["me"].isdisjoint(names["ann"]), f"both pages have {names}")
    note(units.as_libre("person", "list").out)


@case()
def stranger():
    """the sensor of a third person is neither stored nor sent, and the journal has the two commands and no serial number"""
    plug("utrust3720")
    listed(1)
    tag(seed=SEEDS["visitor"])
    text = until("the journal says it", lambda: (found := journal("-u", "libre-watch", "-n", "12")) and "is not stored" in found and found,
                 lambda: f"{device()} {root.libre('readers', '--json').out} {journal('-u', 'libre-watch', '-n', '12')}")
    untag()
    note("\n".join(line for line in text.splitlines() if "is not stored" in line or "Try: libre read" in line))
    expect("--person ann" in text and "--mine" in text, text)
    for person in ("me", "ann"):
        expect(uid("visitor") not in stored(person) | received(person), f"{person} has it")
    serials = [sensor["serial"] for sensor in units.as_libre("sensors", "--json").json["sensors"]]
    expect(serials and not any(serial in text for serial in serials), text)
    # As the areas before left them.
    for unit in units.UNITS:
        systemctl("stop", unit)

# SPDX-License-Identifier: Apache-2.0
"""Units of the system after a boot without a reader"""

import importlib.util

from guest import *

spec = importlib.util.spec_from_file_location("units", HERE / "cases/50_units.py")
units = importlib.util.module_from_spec(spec)
spec.loader.exec_module(units)
cases.clear()

WANTS_BOOT = True
SENT = units.HOME / "sent.ndjson"


@case()
def boot():
    """after a boot without a reader all units run, and nothing has failed"""
    for unit in units.UNITS:
        units.is_up(unit)
    failed = units.failed_units()
    expect(not failed, failed)


@case()
def reading():
    """a reader that is plugged in later: its reading is stored, served to a client, and sent to a sink that was added"""
    units.as_libre("sink", "add", "out", "file", f"path={SENT}")
    plug("utrust3720")
    tag()
    stored = until("the reading is in the store",
                   lambda: (found := units.as_libre("latest", "--json", status=None)).status == 0 and found.json,
                   lambda: f"{Process.last}\n{journal('-u', 'libre-watch', '-n', '8')}")
    until("it is served", lambda: units.served("/api/v1/entries.json?count=10", units.secret()),
          lambda: journal("-u", "libre-serve", "-n", "8"))
    until("it is sent", lambda: SENT.exists() and SENT.read_text(), lambda: journal("-u", "libre-sync", "-n", "8"))
    # A client is answered whole numbers, which have fewer digits than the values have.
    values = [sample["glucose_mg_dl"] for ring in ("history", "trend") for sample in decoded()[ring] if sample["glucose_mg_dl"]]
    answers = units.served("/api/v1/entries.json?count=1000", units.secret())
    served = {entry["sgv"] for entry in answers if entry.get("sgv")}
    expect(served and all(any(abs(value - number) <= 0.5 for value in values) for number in served),
           f"served {sorted(served)} of {sorted(values)}")
    sent = [json.loads(line)["glucose_mg_dl"] for line in SENT.read_text().splitlines()]
    expect(sent and set(sent) <= set(values), f"sent {sorted(sent)} of {sorted(values)}")
    note(f"{len(answers)} values served, {len(sent)} sent, each as decode has it; latest: {stored.get('glucose_mg_dl')}")


@case()
def private_journal():
    """the journal has no glucose value, no UID, no serial number and no secret"""
    sensors = units.as_libre("sensors", "--json").json
    text = journal("-u", "libre-*")
    names = [value for sensor in sensors.get("sensors", []) for key, value in sensor.items()
             if key in ("uid", "serial", "serial_number") and value]
    expect(names, f"no UID and no serial number in {json.dumps(sensors)[:200]}")
    for word in [*names, units.secret(), "mg/dL", "mmol/L", "glucose_mg_dl", "sgv"]:
        expect(word not in text, f"the journal has {word}")


@case()
def killed():
    """each unit comes back after kill -9"""
    before = {unit: property_of(unit, "MainPID") for unit in units.UNITS}
    for unit in units.UNITS:
        os.kill(int(before[unit]), 9)
    for unit in units.UNITS:
        until(f"{unit} is back", lambda unit=unit: property_of(unit, "SubState") == "running"
              and property_of(unit, "MainPID") not in ("0", before[unit]), lambda: journal("-u", "libre-*", "-n", "8"))


@case(*units.UNITS)
def stopped(unit):
    """{} stops when it is asked to, without being killed"""
    systemctl("stop", unit)
    expect(property_of(unit, "Result") == "success", f"its result is {property_of(unit, 'Result')}")
    expect("timed out" not in journal("-u", unit), "it did not stop in time")


@case()
def still_nothing_failed():
    """nothing has failed after all that"""
    failed = units.failed_units()
    for unit in units.UNITS:
        systemctl("disable", unit)
    expect(not failed, failed)

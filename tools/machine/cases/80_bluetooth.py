# SPDX-License-Identifier: Apache-2.0
"""Bluetooth: meters behind the kernel's and bluetoothd's own Bluetooth"""

from air import *

DIGITS = "123456"
# Fields that depend on the time of the read, and on the way to the meter.
PASSING = ("read_at", "address", "name", "clock", "clock_ahead_seconds", "id", "known_as", "proof")


def measured(reading):
    """Without what depends on the time and the way."""
    if isinstance(reading, dict):
        return {key: measured(value) for key, value in reading.items() if key not in PASSING}
    return [measured(item) for item in reading] if isinstance(reading, list) else reading


def with_air(work, *meters):
    """Runs a case with meters that have the simulator's records."""
    packets = simulated()[1]
    with Air(*({"name": f"meter+{number}", "packets": packets, **meter} for number, meter in enumerate(meters, 1))) as air:
        work(air)


@case()
def each_record():
    """a meter's records come through bluetoothd as from the simulator, and the next read has only the new one"""
    wanted, packets = simulated()

    def work(air):
        found = read("--timeout", "60").json
        expect(measured(found) == measured(wanted), lambda: difference(measured(found), measured(wanted)))
        air.tell(0, "record", one_more(packets))
        records = new(read("--timeout", "60"))
        expect(len(records) == 1, f"{len(records)} records are new")

    with_air(work, {"packets": packets})


def difference(found, wanted, place="it"):
    """Where two documents differ first."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in wanted | found:
            if found.get(key) != wanted.get(key):
                return difference(found.get(key), wanted.get(key), f"{place}.{key}")
    if isinstance(wanted, list) and isinstance(found, list) and len(found) == len(wanted):
        for index, (ours, theirs) in enumerate(zip(found, wanted)):
            if ours != theirs:
                return difference(ours, theirs, f"{place}[{index}]")
    return f"{place} is {json.dumps(found)[:200]} instead of {json.dumps(wanted)[:200]}"


@case()
def forgotten():
    """a meter that has forgotten its pairing is told apart from one out of reach, and the commands that are named mend it"""

    def work(air):
        read("--timeout", "60")
        air.tell(0, "forget")
        process = read("--timeout", "30", status=77)
        note(process.err.strip())
        expect(process.json["code"] == "meter_pairing_forgotten", f"its code is {process.json['code']}")
        root.libre("meter", "forget", "meter+1")
        read("--timeout", "60")

    with_air(work, {})


@case()
def away():
    """a paired meter that is away is waited for as long as is asked, and read when it is near"""

    def work(air):
        read("--timeout", "60")
        air.tell(0, "away")
        process = read("--timeout", "5", status=69)
        expect(process.json["code"] == "meter_not_found", f"its code is {process.json['code']}")
        process = root.start("libre", "meter", "read", "--json", "--timeout", "120")
        time.sleep(3)
        air.tell(0, "near")
        expect(process.wait().status == 0, "it must be read")

    with_air(work, {})


if FULL:

    @case()
    def unpaired():
        """a meter that cannot be paired is read without a pairing"""
        with_air(lambda _: expect(len(new(read("--timeout", "60"))) > 50, "its records are missing"), {"pairing": "none"})

    @case()
    def digits():
        """a meter that shows digits is paired with them, and not with others"""

        def work(_):
            read("--passkey", "654321", "--timeout", "30", status=77)
            root.libre("meter", "forget", "meter+1", status=None)
            expect(len(new(read("--passkey", DIGITS, "--timeout", "60"))) > 50, "its records are missing")

        with_air(work, {"pairing": "digits"})

    @case()
    def two_paired():
        """of two paired meters the one is read that is near"""

        def work(air):
            for name in ("meter+1", "meter+2"):
                read(name, "--timeout", "60")
            air.tell(0, "away")
            found = read("--timeout", "60").json["meter"]["name"]
            expect(found == "meter+2", f"it has read {found}")

        with_air(work, {}, {"serial": "SIM-METER-0002"})

    @case()
    def two_strangers():
        """of two meters that are not paired none is read, and both are named"""

        def work(_):
            process = read("--timeout", "20", status=64)
            expect("meter+1" in process.err and "meter+2" in process.err, "it must name both")

        with_air(work, {}, {"serial": "SIM-METER-0002"})

    @case()
    def broken():
        """a transfer that breaks keeps what has come, and the next read has the rest, each record once"""
        total = len(new(root.libre("meter", "read", "sim:meter", "--json")))

        def work(air):
            air.tell(0, "break", 20)
            first = read("--timeout", "60", status=None)
            note(f"status {first.status}: {first.err.strip()}")
            kept = [record["id"] for record in new(first)]
            rest = [record["id"] for record in new(read("--timeout", "60"))]
            expect(kept and len(set(kept + rest)) == len(kept) + len(rest) == total,
                   f"{len(kept)} and {len(rest)} of {total}")

        with_air(work, {})

    @case()
    def cuff():
        """what a cuff has handed over and deleted is stored, and the next read has the rest"""
        packets = simulated("cuff")[1]

        def work(air):
            air.tell(0, "break", 5)
            first, rest = read("--timeout", "60", status=None), read("--timeout", "60")
            ids = [record["id"] for process in (first, rest) for record in new(process)]
            expect(0 < len(new(first)) < len(packets) == len(set(ids)) == len(ids), f"{len(new(first))} and {len(new(rest))}")
            meter = root.libre("meters", "--json").json
            note(json.dumps(meter)[:300])

        with_air(work, {"kind": "pressure", "packets": packets, "model": "SIM-CUFF", "serial": "SIM-CUFF-0001"})

    @case()
    def restarted():
        """libre meter watch goes on after bluetoothd is restarted, and says so once"""

        def work(air):
            read("--timeout", "60")
            air.tell(0, "away")
            watch = root.start("libre", "meter", "watch", "--ndjson", "--timeout", "20")
            time.sleep(5)
            systemctl("restart", "bluetooth")
            time.sleep(5)
            air.tell(0, "record", one_more(simulated()[1]))
            air.tell(0, "near")
            until("the new record comes", lambda: [line for line in watch.documents if line["record"]["outcome"] == "new"],
                  lambda: watch)

        with_air(work, {})

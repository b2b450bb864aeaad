# SPDX-License-Identifier: Apache-2.0
"""Bridges: what sits on the sensor and reads it, behind the kernel's and bluetoothd's own Bluetooth"""

from air import *

NAMES = {"miaomiao": "miaomiao2", "bubble": "Bubble"}
SEED = 7


def dump(scenario="active", seed=SEED):
    """The memory of a simulated sensor, as `libre.dump/1`."""
    return root.libre("simulate", "--scenario", scenario, "--seed", seed, "--format", "json").json


def bridge(kind="miaomiao", sensor=None, **more):
    sensor = sensor or dump()
    return {
        "name": NAMES[kind], "kind": kind, "memory": sensor["memory"]["bytes"], "uid": sensor["sensor"]["uid"],
        "patch_info": sensor["sensor"]["patch_info"], **more}


def read_bridge(*arguments, status=0):
    return root.libre("read", "--reader", "bridge", "--json", *arguments, status=status)


def watch_bridge():
    return root.start("libre", "watch", "--reader", "bridge", "--ndjson")


def stored():
    """Samples in the store by their ids, each of which must be there once."""
    ids = [sample["id"] for sample in root.libre("export", "--format", "ndjson", "--ring", "all").documents]
    expect(len(set(ids)) == len(ids), "a sample is stored twice")
    return set(ids)


@case("miaomiao", "bubble")
def each_value(kind):
    """a reading of a {} comes through bluetoothd with the values that libre decode makes of the same memory"""
    with Air(bridge(kind, battery=15)):
        process = read_bridge()
        reading = expect_reading(process.json)
        note(f"{reading['reader']['name']}: {process.err.strip()}")
        expect(reading["reader"]["battery_percent"] == 15, f"its reader is {reading['reader']}")
        sensor = root.libre("status", "--json").json["sensor"]
        expect(sensor["last_reader_battery_percent"] == 15, f"its state is {sensor}")


@case()
def watched():
    """libre watch goes on after the bridge was away, and after bluetoothd was restarted, and says so in one line each"""
    with Air(bridge()) as air:
        watch = watch_bridge()
        until("the first reading comes", lambda: len(readings(watch)) == 1, lambda: watch)
        air.tell(0, "away")
        air.tell(0, "end")
        before = len(watch.err.splitlines())
        until("it says so", lambda: len(watch.err.splitlines()) > before, lambda: watch)
        note(watch.err.splitlines()[-1])
        air.tell(0, "near")
        until("a reading comes when it is back", lambda: len(readings(watch)) == 2, lambda: watch)
        before = len(watch.err.splitlines())
        systemctl("restart", "bluetooth")
        until("it says so", lambda: len(watch.err.splitlines()) > before, lambda: watch)
        note(watch.err.splitlines()[-1])
        until("a reading comes after bluetoothd is back", lambda: len(readings(watch)) == 3, lambda: watch)


@case()
def changed_sensor():
    """a reading of another sensor, which the bridge sends by itself, is shown as that sensor's, and is not stored as the first's"""
    with Air(bridge("bubble")) as air:
        watch = watch_bridge()
        until("the first reading comes", lambda: len(readings(watch)) == 1, lambda: watch)
        before, other = stored(), dump(seed=9)
        air.tell(0, "uid", other["sensor"]["uid"])
        air.tell(0, "push", other["memory"]["bytes"])
        until("its reading comes", lambda: len(readings(watch)) == 2, lambda: watch)
        expect_reading(readings(watch)[1], seed=9)
        expect(readings(watch)[1]["sensor"]["uid"] == other["sensor"]["uid"], "it must have its own UID")
        # Both are worn at the same time, so that it may be another person's.
        until("it says that it is not stored", lambda: "this sensor is not stored" in watch.err, lambda: watch)
        note(watch.err.splitlines()[-2])
        expect(stored() == before, "the first sensor's samples must be as they were")


if FULL:

    def refused():
        """The message about a bridge that has no reading."""
        process = read_bridge(status=69)
        note(process.err.strip())
        return process.json

    @case()
    def away():
        """a bridge that is not heard is not found, and the phone that may hold it is named"""
        with Air(bridge(near=False)):
            expect("phone" in refused()["resolution"], "it must name the phone")

    @case("miaomiao", "bubble")
    def no_sensor(kind):
        """a {} that feels no sensor says so"""
        with Air(bridge(kind, fault="no-sensor")):
            expect("does not feel a sensor" in refused()["message"], "it must say so")

    @case()
    def other_sensor():
        """a new sensor below the bridge is read after the user has said so, and not before"""
        with Air(bridge(fault="other-sensor")):
            expect("--accept-sensor" in refused()["resolution"], "it must name the option")
            expect_reading(read_bridge("--accept-sensor").json)

    @case("half", "drop")
    def torn(fault):
        """a reading that ends early ({}) is asked for again, and no value of the half is stored"""
        with Air(bridge(fault=fault)):
            watch = watch_bridge()
            until("a whole reading comes", lambda: readings(watch), lambda: watch)
            note(watch.err.strip() or "without a word")
            expect_reading(readings(watch)[0])
            watch.signal(2).wait()
            count = len(stored())
            root.forget()
            read_bridge()
            expect(len(stored()) == count, f"{count} samples of the watch and {len(stored())} of one read")

    @case()
    def two_bridges():
        """of two bridges none is read, both are named, and the one that is named is read"""
        with Air(bridge(), bridge("bubble", dump(seed=8))):
            process = read_bridge(status=69)
            note(process.err.strip())
            places = [ADDRESS.format(number) for number in (1, 2)]
            expect(all(place in process.err for place in places), "it must name both")
            expect_reading(root.libre("read", "--reader", f"bridge:{places[1]}", "--json").json, seed=8)

    @case()
    def unread():
        """a bridge of another kind is named with the reason why it is not read"""
        with Air({**bridge(), "name": "limitter"}):
            process = read_bridge(status=69)
            note(process.err.strip())
            expect("finished values" in process.err, "it must have the reason")

    @case()
    def switched_off():
        """libre watch goes on after the adapter was switched off and on"""
        with Air(bridge()) as air:
            watch = watch_bridge()
            until("the first reading comes", lambda: len(readings(watch)) == 1, lambda: watch)
            air.ctl("power", "off")
            until("it says so", lambda: watch.err, lambda: watch)
            note(watch.err.splitlines()[-1])
            air.ctl("power", "on")
            until("a reading comes afterwards", lambda: len(readings(watch)) == 2, lambda: watch)

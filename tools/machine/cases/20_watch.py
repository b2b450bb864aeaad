# SPDX-License-Identifier: Apache-2.0
"""Watch: a command that waits, whatever is plugged in and out meanwhile"""

import random

from guest import *

ROUNDS, RESTARTS, SEED = 20, 5, 46
RESTART = "sudo systemctl restart pcscd"


def watch(*arguments):
    return root.start("libre", "watch", "--ndjson", *arguments)


def next_reading(process, count):
    """The reading with this number, from 1."""
    Process.last = process
    return until(f"reading number {count} comes", lambda: len(readings(process)) >= count, lambda: process) and readings(process)[
        count - 1]


@case()
def before_the_reader():
    """libre watch that was started before a reader is plugged in waits, and reads as soon as there is one"""
    process = watch()
    until("it waits for a reader", lambda: process.err)
    beside = root.start("libre", "readers", "--watch", "--json")
    started = time.monotonic()
    plug("utrust3720")
    tag()
    until("PC/SC lists the reader", lambda: beside.lines)
    is_listed = time.monotonic()
    reading = next_reading(process, 1)
    note(process.err)
    note(f"{is_listed - started:.1f} s from the plug to PC/SC, {time.monotonic() - is_listed:.1f} s from there to the reading")
    expect_reading(reading)


@case()
def unplugged():
    """a reader that is unplugged while libre watch runs is one line on standard error, and is read when it is back"""
    plug("utrust3720")
    tag("active", 1)
    listed(1)
    process = watch()
    expect_reading(next_reading(process, 1), "active", 1)
    before = len(process.err.splitlines())
    unplug()
    until("it says so", lambda: len(process.err.splitlines()) > before)
    listed(0)
    expect(len(process.err.splitlines()) == before + 1, "it must be one line")
    note(process.err.splitlines()[-1])
    for number, port in ((2, 0), (3, 1)):
        plug("utrust3720", port)
        tag("active", number, port)
        expect_reading(next_reading(process, number), "active", number)
        unplug(port)


@case()
def unplugged_in_a_block():
    """a reader that is unplugged in the middle of a block does not end libre watch"""
    plug("utrust3720")
    listed(1)
    tag("active", 1, at_8="hang")
    process = watch()
    until("the reader has a block in hand", lambda: device()["hangs"])
    unplug()
    plug("utrust3720")
    tag("active", 2)
    expect_reading(next_reading(process, 1), "active", 2)


@case("stopped", "restarted")
def daemon(action):
    """libre watch goes on reading after pcscd was {}"""
    plug("utrust3720")
    tag("active", 1)
    listed(1)
    process = watch()
    expect_reading(next_reading(process, 1), "active", 1)
    untag()
    if action == "stopped":
        pcscd("stop")
        pcscd("start")
    else:
        pcscd("restart")
    tag("active", 2)
    expect_reading(next_reading(process, 2), "active", 2)


@case()
def without_a_daemon():
    """libre watch that was started without pcscd reads as soon as there is one"""
    plug("utrust3720")
    tag()
    pcscd("stop")
    process = watch()
    until("it says what it waits for", lambda: process.err)
    pcscd("start")
    expect_reading(next_reading(process, 1))


@case()
def another_kind():
    """libre watch reads with whatever reader comes: PC/SC, then a Proxmark3, then a Flipper Zero"""
    process = watch()
    for number, product in enumerate(("utrust3720", "proxmark3", "flipper"), 1):
        plug(product)
        tag("active", number)
        expect_reading(next_reading(process, number), "active", number)
        unplug()


def reading_after_restarts(process, number):
    """The reading with this number. The user does what libre says if pcscd is stuck: it may be, since each unplug with a
    sensor on the reader is a race in it (PCSCSession.isGone)."""
    until(f"reading number {number} comes, or libre says that pcscd must be restarted",
          lambda: len(readings(process)) >= number or RESTART in process.err.rpartition(" is there\n")[2], lambda: process)
    if len(readings(process)) < number:
        note("pcscd is stuck, and is restarted as libre says")
        systemctl(*RESTART.split()[2:])
    return next_reading(process, number)


@case()
def storm():
    """twenty random plugs and unplugs of reader and sensor and five restarts of pcscd lose no reading and leak nothing"""
    draw = random.Random(SEED)
    restarts = set(draw.sample(range(ROUNDS), RESTARTS))
    port, is_there = 0, False
    plug("utrust3720", port)
    process = watch()
    files, memory = [], []
    for number in range(1, ROUNDS + 1):
        if number - 1 in restarts:
            pcscd("restart")
        if draw.random() < 0.5:
            unplug(port)
            port = draw.randrange(4)
            plug("utrust3720", port)
        elif is_there:
            untag(port)
        tag("active", number, port)
        expect_reading(reading_after_restarts(process, number), "active", number)
        is_there = draw.random() < 0.3
        if not is_there:
            untag(port)
        files.append(process.open_files())
        memory.append(process.memory())
    expect(len(readings(process)) == ROUNDS, f"{len(readings(process))} readings of {ROUNDS}")
    note(f"seed {SEED}: {ROUNDS} readings; open files {files[0]} at first, {files[-1]} at last, at most {max(files)}; "
         f"memory {memory[0]} KB at first, {memory[ROUNDS // 4]} after a quarter, {memory[-1]} at last")
    expect(files[-1] <= files[ROUNDS // 4], f"open files: {files}")
    # The first rounds fill buffers and caches.
    expect(memory[-1] < memory[ROUNDS // 4] * 1.1, f"memory in KB: {memory}")


@case()
def readers_watch():
    """libre readers --watch --json prints a line for each change: plugged, sensor on, sensor off, gone"""
    process = root.start("libre", "readers", "--watch", "--json")

    def change(kind, count):
        Process.last = process
        until(f"the {kind} is said", lambda: len(process.lines) >= count or process.status is not None, lambda: process)
        expect(process.status is None, "it must not end")
        document = process.documents[count - 1]
        expect(document.get("change") == kind, f"it is {json.dumps(document)[:200]}")

    plug("utrust3720")
    change("plugged", 1)
    tag()
    change("sensor_on", 2)
    untag()
    change("sensor_off", 3)
    unplug()
    change("gone", 4)

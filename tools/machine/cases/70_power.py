# SPDX-License-Identifier: Apache-2.0
"""Power: cut at any moment, on a disk that loses what was not flushed"""

import random

from disk import Disk
from guest import *
from receiver import Receiver

SEED = 52
CUTS = 50 if FULL else 5
HOME = Path("/mnt/power")
SCANS = 8


def libre(*arguments, **options):
    return root.libre(*arguments, HOME=HOME, **options)


def stored():
    """The ids of the store: of all samples, and of those that a receiver gets."""
    lines = libre("history", "--ring", "all", "--from", "all", "--finger-sticks", "--ndjson").documents
    sent = [line["id"] for line in lines if line.get("ring") == "history" and line["glucose_mg_dl"] is not None]
    return {line["id"] for line in lines}, set(sent)


def work(disk, receiver):
    """What a user does in a week; returns the ids that were acknowledged by each step."""
    scans = RUN / "scans"
    root.libre("simulate", "--days", "3", "--seed", "3", "--out-dir", scans)
    dumps = sorted(scans.iterdir())
    libre("sink", "add", "site", "webhook", f"url={receiver.url}", "--backfill-days", "90")
    acknowledged = []

    def done():
        acknowledged.append(stored()[0])
        disk.mark("step", len(acknowledged) - 1)

    for number in range(SCANS):
        libre("import", dumps[number * (len(dumps) - 1) // (SCANS - 1)])
        done()
        if number % 2:
            libre("add", f"{100 + number}mg")
            done()
        libre("sync", status=None)
        if number % 3 == 0:
            libre("config", "set", "unit", ("mmol/L", "mg/dL")[number % 2])
            libre("store", "backup", HOME / "backup.sqlite", "--force")
        done()
    shutil.rmtree(scans)
    return acknowledged


def send_all():
    """Sends until nothing is left."""
    for _ in range(20):
        if libre("sync", status=None).status == 0:
            return
    raise Failed("libre sync does not come to its end")


def expect_whole(disk, receiver, acknowledged, end, draw, requests):
    last = {entry[1]: entry[2] for entry in disk.log[:end] if entry[0] == "mark"}
    after = Disk(HOME, disk.cut(end, draw))
    try:
        receiver.requests, receiver.disk = requests[:last.get("request", 0)], None
        if "step" in last:
            for file in [".local/share/libre/history.sqlite"] + ["backup.sqlite"] * (HOME / "backup.sqlite").exists():
                check = libre("store", "check", "--store", HOME / file)
                expect("intact" in check.out, f"{file} must be intact")
            libre("config", "show")
            lost = acknowledged[last["step"]] - stored()[0]
            expect(not lost, f"{len(lost)} acknowledged samples are lost")
            send_all()
            known, sent = stored()
            keys = receiver.keys()
            expect(set(keys) == sent, f"the receiver has {len(keys)} samples, and not the {len(sent)} of the store")
            twice = [sample for sample in keys if len(keys[sample]) > 1]
            expect(not twice, f"{len(twice)} samples were sent under two keys")
            expect(known >= sent, "a sample was sent that is not in the store")
        return len(acknowledged[last["step"]]) if "step" in last else 0
    finally:
        after.detach()


@case()
def cuts():
    """after each power cut the store is intact, nothing acknowledged is lost, and each sample is sent under one key"""
    draw = random.Random(SEED)
    receiver = Receiver(4)
    disk = Disk(HOME)
    try:
        receiver.disk = disk
        acknowledged = work(disk, receiver)
    finally:
        disk.detach()
    requests = receiver.requests
    counts = []
    for end in sorted(draw.sample(range(len(disk.log)), CUTS)):
        try:
            counts.append(expect_whole(disk, receiver, acknowledged, end, draw, requests))
        except Failed as failure:
            raise Failed(f"power cut after entry {end} of {len(disk.log)}, seed {SEED}: {failure}") from None
    receiver.server.shutdown()
    note(f"seed {SEED}: {CUTS} cuts in {len(disk.log)} writes, flushes and marks; {sum(counts)} acknowledged samples, none lost; "
         f"{len(requests)} requests")

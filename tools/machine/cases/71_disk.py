# SPDX-License-Identifier: Apache-2.0
"""Disk: full, failing, read-only, unreadable"""

from disk import BLOCK, Disk
from guest import *

HOME = Path("/mnt/disk")
STORE = HOME / ".local/share/libre/history.sqlite"
SCANS = RUN / "disk-scans"


def libre(*arguments, **options):
    return root.libre(*arguments, HOME=HOME, **options)


def add(status=0):
    """Stores the next scan of a sensor, an hour after the last one."""
    if not SCANS.exists():
        root.libre("simulate", "--days", "13", "--scans-per-day", "24", "--seed", "5", "--out-dir", SCANS)
    scan = sorted(SCANS.iterdir())[0]
    process = libre("import", scan, status=status)
    if process.status == 0:
        scan.unlink()
    return process


def values():
    return {line["id"]: line["glucose_mg_dl"] for line in libre("history", "--ring", "all", "--from", "all", "--ndjson").documents}


def with_disk(work):
    """Runs a case with two scans on a disk of its own."""
    disk = Disk(HOME)
    try:
        add()
        add()
        work(disk)
    finally:
        disk.detach()


@case()
def full():
    """on a full disk nothing is stored by halves, and the same command succeeds once there is room"""

    def work(_):
        before = values()
        filling = HOME / "filling"
        for kilobytes in range(0, 364, 4) if FULL else (0, 8, 160):
            root.shell(f"head -c 100M /dev/zero > {filling}; truncate -s -{kilobytes}K {filling}; sync", status=None)
            process = add(status=None)
            if process.status == 0:
                break
            expect(process.status in (73, 74), f"with {kilobytes} KB its status is {process.status}")
            expect("full" in process.err or "space" in process.err, "it must say that the disk is full")
            sink = libre("sink", "add", "two", "file", f"path={HOME}/two.ndjson", status=None)
            if sink.status:
                expect("two" not in libre("sink", "list").out, "half a sink was added")
            else:
                libre("sink", "remove", "two")
            filling.unlink()
            expect(values() == before, f"with {kilobytes} KB the store has changed")
        else:
            note(process.err)
        filling.unlink(missing_ok=True)
        add()
        libre("store", "check")

    with_disk(work)


@case()
def failing():
    """each write that fails, at once or for good, leaves the store intact, with all that was said to be stored"""

    def work(disk):
        said = 0
        for lasts in (False, True):
            for number in (range(1, 41) if FULL else (3, 18)):
                first = disk.writes + number
                disk.fails_write = lambda write: write >= first if lasts else write == first
                process = add(status=None)
                shown = values() if process.status == 0 else {}
                disk.fails_write = lambda write: False
                said += "-wal" in process.err
                disk.remount()
                expect(process.status in (0, 73, 74), f"write {number}: its status is {process.status}")
                check = libre("store", "check", status=None)
                expect(check.status == 0, f"write {number}: {check.out}{check.err}")
                lost = shown.keys() - values().keys()
                expect(not lost, f"write {number}: {len(lost)} samples that were stored are lost")
        note(f"{said} times the log was kept")

    with_disk(work)


@case()
def checkpoint():
    """a write that fails while the log is moved into the store is said, and the next command has all of it in a new file"""

    def work(disk):
        for number in range(1, 30):
            before = STORE.stat().st_ino
            first = disk.writes + number
            # One write is lost, whatever the disk says later.
            disk.fails_write = lambda write: write == first
            process = add(status=None)
            disk.fails_write = lambda write: False
            if "history.sqlite-wal" not in process.err or process.status:
                # Nothing has failed, or the kernel has given the file system up.
                disk.remount()
                continue
            note(f"write {number}: {process.err.strip()}")
            shown = values()
            expect((STORE.parent / "history.sqlite-wal").stat().st_size > 0, "the log must stay")
            add()
            expect(STORE.stat().st_ino != before, "the store must be in a new file")
            disk.remount()
            libre("store", "check")
            expect(values().keys() >= shown.keys(), "samples are lost")
            return
        raise Failed("no write of a checkpoint failed")

    with_disk(work)


@case()
def read_only():
    """while the disk is mounted read-only the history can be read, and a reading is kept elsewhere or refused with the reason"""

    def work(disk):
        before = values()
        root.run("mount", "-o", "remount,ro", HOME)
        process = add(status=None)
        expect(process.status in (73, 74) and "read-only" in process.err.lower(), "it must say read-only")
        expect(values() == before, "the history can be read")
        root.run("mount", "-o", "remount,rw", HOME)
        add()

    with_disk(work)


@case()
def unreadable():
    """a block that cannot be read ends no command in a crash, and when it can be read again the store is intact"""

    def work(disk):
        before = values()
        blocks = [block for block in range(0, len(disk.bytes), BLOCK) if STORE.read_bytes()[:64] in disk.bytes[block:block + BLOCK]]
        expect(blocks, "the store is not on the disk")
        for distance in range(0, 24) if FULL else (0, 2):
            place = blocks[0] + distance * BLOCK
            disk.unmount()
            root.run("blockdev", "--flushbufs", disk.device)
            disk.mount()
            disk.fails_read = lambda offset, length: offset <= place < offset + length
            for command in (("latest",), ("history",), ("store", "check")):
                process = libre(*command, status=None)
                expect(process.status in (0, 66, 74), f"{command[0]}: its status is {process.status}")
                if process.status == 74:
                    expect("dmesg" in process.err, "it must name the disk")
            disk.fails_read = lambda offset, length: False
            disk.remount()
            libre("store", "check")
            expect(values() == before, "the history has changed")

    with_disk(work)


@case()
def repaired():
    """two pages of the samples that are lost are back after libre store check --repair"""

    def work(_):
        before = values()
        data = bytearray(STORE.read_bytes())
        pages = [page for page in range(BLOCK, len(data), BLOCK) if data.count(b"ok", page, page + BLOCK) > 20]
        for page in pages[:2]:
            data[page:page + BLOCK] = bytes(BLOCK)
        STORE.write_bytes(data)
        expect("damaged" in libre("latest", status=None).err + libre("store", "check", status=74).err, "it must say damaged")
        note(libre("store", "check", "--repair").out.strip())
        expect(values() == before, "samples are lost")

    with_disk(work)

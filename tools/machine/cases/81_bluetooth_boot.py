# SPDX-License-Identifier: Apache-2.0
"""Bluetooth over a boot"""

from air import *

WANTS_BOOT = FULL
KEYS = Path("/var/lib/meters.json")


def meter():
    return {"name": "meter+1", "packets": simulated()[1], "keys": str(KEYS)}


def before_boot():
    """Pairs a meter and reads it. What libre, bluetoothd and the meter know of it is on their disks."""
    air = Air(meter())
    expect(new(read("--timeout", "60")), "its records are missing")
    air.process.kill()


if FULL:

    @case()
    def rebooted():
        """a meter that was paired before the boot is read without a pairing, and each record is stored once"""
        with Air(meter()) as air:
            air.tell(0, "record", one_more(simulated()[1]))
            process = read("--timeout", "60")
            expect(len(new(process)) == 1, f"{len(new(process))} records are new")
        KEYS.unlink()

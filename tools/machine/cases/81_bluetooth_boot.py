# SPDX-License-Identifier: Apache-2.0
"""Bluetooth over a boot"""

import importlib.util

from guest import *

spec = importlib.util.spec_from_file_location("bluetooth", HERE / "cases/80_bluetooth.py")
bluetooth = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bluetooth)
cases.clear()

WANTS_BOOT = FULL
KEYS = Path("/var/lib/meters.json")


def meter():
    return {"name": "meter+1", "packets": bluetooth.simulated()[1], "keys": str(KEYS)}


def before_boot():
    """Pairs a meter and reads it. What libre, bluetoothd and the meter know of it is on their disks."""
    air = bluetooth.Air(meter())
    expect(bluetooth.new(bluetooth.read("--timeout", "60")), "its records are missing")
    air.process.kill()


if FULL:

    @case()
    def rebooted():
        """a meter that was paired before the boot is read without a pairing, and each record is stored once"""
        air = bluetooth.Air(meter())
        try:
            air.tell(0, "record", bluetooth.one_more(bluetooth.simulated()[1]))
            process = bluetooth.read("--timeout", "60")
            expect(len(bluetooth.new(process)) == 1, f"{len(bluetooth.new(process))} records are new")
        finally:
            air.close()
            KEYS.unlink(missing_ok=True)

# SPDX-License-Identifier: Apache-2.0
"""The driver of Debian 12, which does not know the ACR1552U"""

import re

from guest import *

LIST = Path("/etc/libccid_Info.plist")


def make_old():
    """The list of a newer driver becomes one that lacks the reader, as Debian 12's does."""
    text = LIST.read_text()
    for key in ("ifdVendorID", "ifdProductID", "ifdFriendlyName"):
        expect(key in text, f"{LIST} has no {key}")
    arrays = {key: re.search(rf"<key>{key}</key>\s*<array>(.*?)</array>", text, re.DOTALL)[1] for key in (
        "ifdVendorID", "ifdProductID", "ifdFriendlyName")}
    entries = {key: re.findall(r"<string>(.*?)</string>", body) for key, body in arrays.items()}
    kept = [index for index, name in enumerate(entries["ifdFriendlyName"]) if "ACR1552" not in name]
    for key, body in arrays.items():
        lines = "".join(f"\n\t\t<string>{entries[key][index]}</string>" for index in kept)
        text = text.replace(body, lines + "\n\t")
    LIST.write_text(text)
    pcscd("restart")


@case()
def too_old():
    """with a driver that is too old for an ACR1552U, libre read says so, and doctor's line, as it stands, makes it read"""
    before = LIST.read_bytes()
    try:
        if SUITE != "bookworm":
            make_old()
        plug("acr1552")
        tag()
        until("the kernel sees the reader", lambda: "072f:2303" in root.run("lsusb").out)
        read = person.libre("read", "--json", status=69)
        for word in ("072f:2303", "ACR1552U"):
            expect(word in read.err, f"standard error must say {word}")
        note(read.err)
        expect("libccid" in read.err, "standard error must name the driver and the line that mends it")
        lines = [check["remedy"] for check in person.libre("doctor", "--json", status=69).json["checks"]
                 if check["remedy"] and check["name"] != "clock"]
        expect(lines, "doctor has no line")
        expect(any(line in read.err for line in lines), "libre read must give the line that doctor gives")
        for line in lines:
            person.shell(line)
        until("libre lists the reader", lambda: "ACR1552" in root.libre("readers", "--json", status=None).out,
              lambda: Process.last)
        expect_reading(person.libre("read", "--json").json)
    finally:
        LIST.write_bytes(before)
        pcscd("restart")

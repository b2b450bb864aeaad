# SPDX-License-Identifier: Apache-2.0
"""Readers: what is plugged in, when, and what is laid on it"""

from guest import *

SLOTS = {"acr1552": 2, "h663": 2}
PICC = "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC]"
SAM = "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader SAM]"
OLD_DRIVER = "bookworm"


@case(*DIALECTS, unless=OLD_DRIVER)
def each_dialect_reads(product):
    """a sensor on a reader of the kind {} is read as decode reads the same memory"""
    plug(product)
    tag()
    listed(SLOTS.get(product, 1))
    reading = expect_reading(root.libre("read", "--json").json)
    expect(reading["reader"]["dialect"] == DIALECTS[product], f"its dialect is {reading['reader']['dialect']}")


@case(*(product for product in DIALECTS if not product.startswith("acr")), only=OLD_DRIVER)
def each_dialect_reads_with_the_old_driver(product):
    """a sensor on a reader of the kind {} is read as decode reads the same memory"""
    each_dialect_reads(product)


@case(unless=OLD_DRIVER)
def two_slots():
    """an ACR1552U shows its slots for tags and for SAMs by their names, and a sensor is read in the right one"""
    plug("acr1552")
    tag()
    # pcscd numbers them in the order in which udev names the interfaces, which is another one each time.
    names = {reader["name"].rsplit(" ", 2)[0]: reader["iso15693"] for reader in listed(2)}
    expect(names == {PICC: "yes", SAM: "no"}, f"they are {names}")
    expect(root.libre("read", "--json").json["reader"]["name"].startswith(PICC), "another slot was read")


@case()
def late_sensor():
    """a sensor that is laid on the reader after the command has started is read"""
    plug("utrust3720")
    listed(1)
    read = root.start("libre", "read", "--json", "-v", "--timeout", "600")
    until("libre has opened the reader", lambda: waits_for_sensor(read))
    tag()
    expect_reading(read.wait().json)


def waits_for_sensor(process):
    """It has opened the reader: with -v it says so."""
    expect(process.status is None, "it has ended")
    return "waiting for a sensor" in process.err


@case()
def torn_away():
    """a sensor that is torn away in the middle of a read and stays away ends it with status 69"""
    plug("utrust3720")
    listed(1)
    # Nothing but the timeout ends the wait for the sensor: a longer one follows where it was over too soon.
    for seconds in (10, 60, 240):
        tag(at_8="removal")
        read = root.libre("read", "--json", "--timeout", seconds, status=69)
        if read.json["code"] == "tag_lost":
            return
    raise Failed("it does not say that the sensor was lost")


@case()
def torn_away_and_back():
    """a sensor that is torn away in the middle of a read and comes back is read to its end, not from its beginning"""
    plug("utrust3720")
    listed(1)
    tag(at_8="removal")
    read = root.start("libre", "read", "--json", "--timeout", "600")
    until("pcscd has noticed that the sensor is away", lambda: not device()["tag"] and device()["noticed"])
    tag()
    expect_reading(read.wait().json)
    expect(device()["exchanges"] < 16, f"{device()['exchanges']} exchanges with the sensor that came back")


@case()
def unplugged_while_waiting():
    """a reader that is unplugged while libre read waits for a sensor ends it with status 69, and is named"""
    plug("utrust3720")
    listed(1)
    read = root.start("libre", "read", "--json", "-v", "--timeout", "600")
    until("libre has opened the reader", lambda: waits_for_sensor(read))
    unplug()
    read.wait()
    expect(read.status == 69, "its status must be 69")
    expect("uTrust 3720" in read.err, "standard error must name the reader")


@case()
def unplugged_in_a_block():
    """a reader that is unplugged in the middle of a block ends the read with status 69, and what was read is kept"""
    plug("utrust3720")
    listed(1)
    tag(at_8="hang")
    read = root.start("libre", "read", "--json", "--timeout", "600", "--save", RUN / "half.hex")
    until("the reader has a block in hand", lambda: device()["hangs"])
    unplug()
    read.wait()
    expect(read.status == 69, "its status must be 69")
    expect("missing-blocks" in (RUN / "half.hex").read_text(), "the saved memory must name the blocks that are missing")


@case()
def unplugged_between_taps():
    """a reader that was unplugged between two reads, and plugged in again, is read again"""
    for scenario in ("active", "expired"):
        plug("utrust3720")
        tag(scenario)
        listed(1)
        expect_reading(root.libre("read", "--json").json, scenario)
        unplug()
        listed(0)


@case()
def another_port():
    """a reader that is plugged into another USB port is read there"""
    for port in (0, 2):
        plug("utrust3720", port)
        tag(port=port)
        listed(1)
        expect_reading(root.libre("read", "--json").json)
        unplug(port)
        listed(0)


@case()
def two_readers():
    """two readers at once are read at once, each by its name"""
    readers = {"uTrust": ("utrust3720", "active", 7), "OMNIKEY": ("omnikey5022", "expired", 8)}
    for port, (product, scenario, seed) in enumerate(readers.values()):
        plug(product, port)
        tag(scenario, seed, port)
    listed(2)
    reads = {name: root.start("libre", "read", "--json", "--reader", f"pcsc:{name}") for name in readers}
    for name, (_, scenario, seed) in readers.items():
        expect_reading(reads[name].wait().json, scenario, seed)


@case()
def reader_that_hangs():
    """a reader that never answers is given up with status 69, and the next command reads"""
    plug("utrust3720")
    listed(1)
    tag(at_5="hang")
    read = root.libre("read", "--json", status=69)
    expect(read.json["code"] == "reader_silent", f"its code is {read.json['code']}")
    # pcscd itself waits for the reader, for as long as the driver wants to.
    unplug()
    plug("utrust3720")
    tag()
    listed(1)
    expect_reading(root.libre("read", "--json").json)


# pcscd


@case()
def service_stopped():
    """without pcscd libre read ends with status 69, and doctor's line, as it stands, starts it"""
    plug("utrust3720")
    tag()
    pcscd("stop")
    read = person.libre("read", "--json", status=69)
    expect("pcscd" in read.json["message"] or "PC/SC" in read.json["message"], "it must name the service")
    lines = [check["remedy"] for check in person.libre("doctor", "--json", status=69).json["checks"]
             if check["remedy"] and check["name"] != "clock"]
    expect(any("pcscd" in line for line in lines), f"doctor says {lines}")
    for line in lines:
        person.shell(line)
    listed(1)
    expect_reading(person.libre("read", "--json").json)


@case()
def service_restarted():
    """after a restart of pcscd the next command reads"""
    plug("utrust3720")
    tag()
    listed(1)
    pcscd("restart")
    listed(1)
    expect_reading(root.libre("read", "--json").json)


@case()
def socket_activated():
    """pcscd is started by its socket when libre asks for a reader"""
    systemctl("stop", "pcscd.service")
    expect(property_of("pcscd.service", "ActiveState") == "inactive", "pcscd runs")
    plug("utrust3720")
    tag()
    listed(1)
    expect(property_of("pcscd.service", "ActiveState") == "active", "pcscd does not run")
    expect_reading(root.libre("read", "--json").json)


# A reader that cannot, and the kernel's own driver


def is_refused(user):
    read = user.libre("read", "--json", status=69)
    note(read.err)
    for word in ("ACR122U", "ISO 15693", "libre readers --supported"):
        expect(word in read.err, f"standard error must say {word}")


@case()
def acr122u():
    """an ACR122U that the kernel's driver has claimed is named, with the reason why it cannot read sensors"""
    # Loaded at the first such reader; pcscd may be quicker than that once, and never again.
    root.run("modprobe", "pn533_usb")
    plug("acr122u")
    until("pn533_usb has claimed it", lambda: list(Path("/sys/bus/usb/drivers/pn533_usb").glob("*:*")))
    is_refused(root)
    is_refused(person)


@case()
def acr122u_of_pcscd():
    """an ACR122U that pcscd shows is named, with the reason why it cannot read sensors"""
    blocked = Path("/run/modprobe.d/machine.conf")
    blocked.parent.mkdir(exist_ok=True)
    blocked.write_text("blacklist pn533_usb\n")
    try:
        root.run("modprobe", "-r", "pn533_usb", status=None)
        plug("acr122u")
        until("the kernel sees the reader", lambda: "072f:2200" in root.run("lsusb").out)
        is_refused(root)
    finally:
        blocked.unlink()


# Serial devices

SERIAL = {"proxmark3": "proxmark3", "flipper": "flipper-raw"}


@case(*SERIAL)
def serial_device(product):
    """a sensor on a {} is read as decode reads the same memory"""
    plug(product)
    tag()
    listed(1)
    reading = expect_reading(root.libre("read", "--json").json)
    expect(reading["reader"]["dialect"] == SERIAL[product], f"its dialect is {reading['reader']['dialect']}")


def properties(port="ttyACM0"):
    until(f"/dev/{port} is there", lambda: Path(f"/dev/{port}").exists())
    root.run("udevadm", "settle")
    lines = root.run("udevadm", "info", "--query=property", f"/dev/{port}").out.splitlines()
    return dict(line.split("=", 1) for line in lines)


@case(*SERIAL)
def udev_rules(product):
    """the rules for udev give the port of a {} to the user at the machine, and keep ModemManager away"""
    plug(product)
    found = properties()
    expect(":uaccess:" in found.get("CURRENT_TAGS", found.get("TAGS", "")), f"its tags are {found.get('TAGS')}")
    expect(found.get("ID_MM_PORT_IGNORE") == "1", "ID_MM_PORT_IGNORE is not 1")


@case()
def udev_rules_of_others():
    """another maker's device with the number of a Flipper Zero is left to others"""
    plug("stm32")
    found = properties()
    expect("uaccess" not in found.get("TAGS", "") and "ID_MM_PORT_IGNORE" not in found, f"its properties are {found}")


# ModemManager 1.24 asks no port of its own accord that does not look like a modem's. With this rule it asks all of them,
# as older ones do, unless another rule forbids it.
ASK_ALL = Path("/run/udev/rules.d/99-machine.rules")


@case(*SERIAL)
def modem_manager(product):
    """ModemManager, which writes to another new serial port, writes nothing to a {}"""
    ASK_ALL.parent.mkdir(parents=True, exist_ok=True)
    ASK_ALL.write_text('SUBSYSTEM=="usb|tty", ENV{ID_MM_DEVICE_PROCESS}="1"\n')
    try:
        root.run("udevadm", "control", "--reload")
        systemctl("start", "ModemManager")
        plug(product, 0)
        properties("ttyACM0")
        plug("stm32", 1)
        until("ModemManager has written to another device", lambda: device(1)["received"] > 0,
              lambda: journal("-u", "ModemManager", "-n", "8"))
        expect(device(0)["received"] == 0, f"it has received {device(0)['received']} bytes")
    finally:
        ASK_ALL.unlink()
        root.run("udevadm", "control", "--reload")


@case(*SERIAL)
def serial_unplugged(product):
    """a {} that is unplugged while libre read waits for a sensor ends it with status 69"""
    plug(product)
    listed(1)
    read = root.start("libre", "read", "--json", "--timeout", "600")
    until("libre asks for a sensor", lambda: device()["exchanges"] > 2)
    unplug()
    read.wait()
    expect(read.status == 69, "its status must be 69")


# No reader


@case()
def no_reader():
    """without a reader libre read ends with status 69, and says what can be done"""
    read = root.libre("read", "--json", status=69)
    expect(read.json["code"] == "no_reader", f"its code is {read.json['code']}")
    expect("Try: " in read.err, "standard error must say what can be done")


@case()
def simulated():
    """a simulated reading is not stored, and one remark says how it would be"""
    read = person.libre("read", "--reader", "sim:active")
    note(read.err)
    expect("--store" in read.err, "standard error must name --store")
    person.libre("latest", status=66)

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A private message bus with a bluetoothd that has meters: python-dbusmock's bluez5 template, and what it lacks.

    meter_bus.py '{"meters": [{"kind": "glucose", "records": 3, "passkey": 123456}]}'

dbusmock has neither GATT nor pairing with an agent; both are here, with the errors of BlueZ 5.66 in its words, and with what
BlueZ 5.82 was seen to do with a simulated meter that forgets its pairing, has none, or wants digits later. The first
line on standard output is the address of the bus. Each line on standard input is then a command, and each answer is one
line of JSON. The bus ends with standard input.

    state                       adapter, agents, and what each meter was asked
    record ADDRESS [JSON]       adds a record
    fault ADDRESS [NAME...]     replaces a meter's faults
    break ADDRESS               breaks the link
    wake ADDRESS                it comes into the air

Of the whole: "adapter" (false: none, "off": switched off), "daemon" (false), "busy" (true: another program searches).
Of a meter: "kind" (glucose, pressure), "address", "name", "serial", "records" (a number), "passkey" (null: none is asked
for), "compares" (digits that both sides show), "paired", "asleep" (true: not in the air, and Connect has no answer), "faults":
  deletes          a cuff that deletes what it sent
  no-pairing       refuses to pair, and hands out its records all the same
  silent-connect   Connect has no answer
  silent-records   sends the records, but not that they are all
  weak-bond        is paired without digits and wants them now: no subscription is answered before they are given
  wrong-key        has forgotten the pairing: ends each link before its services are known, while Connect is under way
"""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from dbusmock import mockobject
from dbusmock.templates import bluez5
from gi.repository import GLib

DEVICE = "org.bluez.Device1"
SERVICE = "org.bluez.GattService1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"
AGENT_MANAGER = "org.bluez.AgentManager1"
ADAPTER = "org.bluez.Adapter1"
AGENT = "org.bluez.Agent1"
MANAGER = "org.freedesktop.DBus.ObjectManager"
PROPERTIES = "org.freedesktop.DBus.Properties"
ADAPTER_PATH = "/org/bluez/hci0"
QUIET = os.devnull

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/><allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/><allow receive_type="method_return"/><allow receive_type="error"/>
    <allow receive_type="signal"/>
  </policy>
</busconfig>
"""

def uuid(number):
    return number if len(number) > 4 else f"0000{number}-0000-1000-8000-00805f9b34fb"

def failure(name, text):
    return dbus.exceptions.DBusException(text, name="org.bluez.Error." + name)

def little(number):
    return [number & 0xFF, number >> 8 & 0xFF]

class Characteristic(mockobject.DBusMockObject):
    """A value of a meter."""

    def __init__(self, meter, path, number, service, flags):
        self.meter = meter
        self.number = number
        self.flags = flags
        # bluetoothd keeps a subscription per client.
        self.subscribers = set()
        super().__init__(meter.bus_name, path, CHARACTERISTIC, {
            "UUID": dbus.String(uuid(number)), "Service": dbus.ObjectPath(service),
            "Notifying": dbus.Boolean(False), "Flags": dbus.Array(flags, signature="s"),
        }, QUIET)

    def check(self):
        if not self.meter.is_connected:
            raise failure("Failed", "Not connected")

    def changed(self, name, value):
        self.EmitSignal(PROPERTIES, "PropertiesChanged", "sa{sv}as", [
            CHARACTERISTIC, dbus.Dictionary({name: value}, signature="sv"), dbus.Array([], signature="s")])

    def notify(self, value):
        """One notification or indication."""
        self.changed("Value", dbus.Array([dbus.Byte(byte) for byte in value], signature="y", variant_level=1))

    @dbus.service.method(CHARACTERISTIC, in_signature="a{sv}", out_signature="ay")
    def ReadValue(self, _options):
        self.check()
        value = self.meter.value(self.number)
        if value is None:
            raise failure("NotPermitted", "Read not permitted")
        # As bluetoothd does: a value that was read is a change, too.
        self.notify(value)
        return dbus.Array([dbus.Byte(byte) for byte in value], signature="y")

    @dbus.service.method(CHARACTERISTIC, in_signature="aya{sv}", out_signature="")
    def WriteValue(self, value, options):
        self.check()
        bytes_written = [int(byte) for byte in value]
        self.meter.written.append([self.number, bytes(bytes_written).hex(), str(options.get("type", ""))])
        if self.number != "2a52":
            raise failure("NotPermitted", "Write not permitted")
        if not self.is_notifying:
            raise failure("Failed", "Operation failed with ATT error: 0x81")
        self.meter.report(bytes_written)

    @property
    def is_notifying(self):
        return bool(self.subscribers)

    @dbus.service.method(CHARACTERISTIC, in_signature="", out_signature="", sender_keyword="sender",
                         async_callbacks=("done", "failed"))
    def StartNotify(self, sender, done, failed):
        meter = self.meter
        if not meter.is_connected:
            return failed(failure("Failed", "Not connected"))
        if not meter.is_paired and "no-pairing" not in meter.faults:
            return failed(failure("NotPermitted", "Not paired"))
        if sender in self.subscribers:
            return failed(failure("InProgress", "In Progress"))

        def subscribed():
            self.subscribers.add(sender)
            meter.world.watch(sender)
            if self.number == "2a35":
                meter.send_pressures()
            done()

        if "weak-bond" not in meter.faults:
            return subscribed()
        agent, capability = meter.world.agents.get(sender, (None, "NoInputNoOutput"))
        if capability == "NoInputNoOutput":
            return None

        def told(passkey):
            if int(passkey) == int(meter.passkey):
                meter.faults.discard("weak-bond")
                subscribed()

        return meter.world.bus.call_async(
            sender, agent, AGENT, "RequestPasskey", "o", (dbus.ObjectPath(meter.device_path),), told,
            lambda _error: None, timeout=60)

    @dbus.service.method(CHARACTERISTIC, in_signature="", out_signature="", sender_keyword="sender")
    def StopNotify(self, sender):
        self.subscribers.discard(sender)

class Meter(mockobject.DBusMockObject):
    """A device of bluetoothd, and the meter behind it."""

    def __init__(self, world, facts):
        self.world = world
        self.kind = facts.get("kind", "glucose")
        self.address = facts.get("address", "C0:FF:EE:00:00:01")
        self.name = facts.get("name", "meter+0001" if self.kind == "glucose" else "Beurer BM54")
        self.serial = facts.get("serial", "SN-" + self.address.replace(":", "")[-4:])
        self.passkey = facts.get("passkey")
        self.compares = facts.get("compares")
        self.faults = set(facts.get("faults", []))
        self.is_awake = not facts.get("asleep", False)
        self.is_paired = facts.get("paired", False)
        self.is_connected = False
        self.is_known = self.is_paired
        self.records = []
        self.offset = facts.get("offset", 0)
        self.first = facts.get("first", 0)
        self.written = []
        self.characteristics = {}
        self.tree = []
        self.transfer = 0
        self.device_path = ADAPTER_PATH + "/dev_" + self.address.replace(":", "_")
        for _ in range(facts.get("records", 0)):
            self.add({})
        super().__init__(world.name, self.device_path, DEVICE, {
            "Address": dbus.String(self.address), "AddressType": dbus.String("public"), "Name": dbus.String(self.name),
            "Alias": dbus.String(self.name), "Paired": dbus.Boolean(self.is_paired),
            "Trusted": dbus.Boolean(False), "Connected": dbus.Boolean(False), "ServicesResolved": dbus.Boolean(False),
            "UUIDs": dbus.Array([uuid("1808" if self.kind == "glucose" else "1810")], signature="s"),
            "Adapter": dbus.ObjectPath(ADAPTER_PATH), "Blocked": dbus.Boolean(False),
        }, QUIET)
        if not self.is_known:
            self.remove_from_connection()

    # Being known to bluetoothd.

    def appear(self):
        """It is heard in a search."""
        if not self.is_awake:
            return
        if self.is_known:
            self.set({"RSSI": dbus.Int16(-60)})
            return
        self.is_known = True
        self.add_to_connection(self.world.bus, self.device_path)
        self.props[DEVICE]["RSSI"] = dbus.Int16(-60)
        self.publish(self)

    def fall_silent(self):
        """The strength of a signal is known during a search only."""
        if self.props[DEVICE].pop("RSSI", None) is not None and self.is_known:
            self.EmitSignal(PROPERTIES, "PropertiesChanged", "sa{sv}as", [
                DEVICE, dbus.Dictionary({}, signature="sv"), dbus.Array(["RSSI"], signature="s")])

    def vanish(self):
        """bluetoothd forgets it."""
        self.drop()
        if not self.is_known:
            return
        self.is_known = False
        self.is_paired = False
        self.props[DEVICE].update({"Paired": dbus.Boolean(False), "Connected": dbus.Boolean(False)})
        self.withdraw(self)

    def publish(self, thing):
        mockobject.objects[thing.path] = thing
        self.world.root.EmitSignal(MANAGER, "InterfacesAdded", "oa{sa{sv}}", [
            dbus.ObjectPath(thing.path), dbus.Dictionary(
                {thing.interface: dbus.Dictionary(thing.props[thing.interface], signature="sv")}, signature="sa{sv}")])

    def withdraw(self, thing):
        mockobject.objects.pop(thing.path, None)
        thing.remove_from_connection()
        self.world.root.EmitSignal(MANAGER, "InterfacesRemoved", "oas", [
            dbus.ObjectPath(thing.path), dbus.Array([thing.interface], signature="s")])

    def set(self, changes):
        self.props[DEVICE].update(changes)
        if self.is_known:
            self.EmitSignal(PROPERTIES, "PropertiesChanged", "sa{sv}as", [
                DEVICE, dbus.Dictionary(changes, signature="sv"), dbus.Array([], signature="s")])

    # The link.

    def link(self):
        """The link is up; the services follow."""
        self.is_connected = True
        self.set({"Connected": dbus.Boolean(True)})
        GLib.timeout_add(5, self.resolve)

    def resolve(self):
        if not self.is_connected or self.characteristics:
            return
        lists = {
            "180a": [("2a29", ["read"]), ("2a24", ["read"]), ("2a25", ["read"]), ("2a26", ["read"])],
            "1805": [("2a2b", ["read", "notify"])],
        }
        if self.kind == "glucose":
            lists["1808"] = [("2a18", ["notify"]), ("2a34", ["notify"]), ("2a51", ["read"]), ("2a52", ["write", "indicate"])]
        else:
            lists["1810"] = [("2a35", ["indicate"]), ("2a49", ["read"])]
        for place, (service, characteristics) in enumerate(lists.items()):
            path = f"{self.device_path}/service{place * 16 + 16:04x}"
            thing = mockobject.DBusMockObject(self.bus_name, path, SERVICE, {
                "UUID": dbus.String(uuid(service)), "Primary": dbus.Boolean(True),
                "Device": dbus.ObjectPath(self.device_path)}, QUIET)
            self.tree.append(thing)
            self.publish(thing)
            for number, (characteristic, flags) in enumerate(characteristics):
                thing = Characteristic(self, f"{path}/char{place * 16 + 17 + number:04x}", characteristic, path, flags)
                self.characteristics[characteristic] = thing
                self.tree.append(thing)
                self.publish(thing)
        self.set({"ServicesResolved": dbus.Boolean(True)})

    def drop(self):
        """The link is gone."""
        if not self.is_connected:
            return
        self.is_connected = False
        self.transfer += 1
        for thing in reversed(self.tree):
            self.withdraw(thing)
        self.tree = []
        self.characteristics = {}
        self.set({"ServicesResolved": dbus.Boolean(False), "Connected": dbus.Boolean(False)})

    @dbus.service.method(DEVICE, in_signature="", out_signature="", async_callbacks=("done", "failed"))
    def Connect(self, done, failed):
        if not self.world.is_powered:
            failed(failure("NotReady", "Resource Not Ready"))
        elif "silent-connect" in self.faults or not (self.is_awake or self.is_connected):
            pass
        elif "wrong-key" in self.faults:
            self.is_connected = True
            self.set({"Connected": dbus.Boolean(True)})

            def ended():
                self.drop()
                failed(failure("Failed", "le-connection-abort-by-local"))

            GLib.timeout_add(5, ended)
        else:
            if not self.is_connected:
                self.link()
            done()

    @dbus.service.method(DEVICE, in_signature="", out_signature="")
    def Disconnect(self):
        if not self.is_connected:
            raise failure("NotConnected", "Not Connected")
        self.drop()

    @dbus.service.method(DEVICE, in_signature="", out_signature="")
    def CancelPairing(self):
        self.world.cancelled += 1

    @dbus.service.method(DEVICE, in_signature="", out_signature="", sender_keyword="sender",
                         async_callbacks=("done", "failed"))
    def Pair(self, sender, done, failed):
        if self.is_paired:
            failed(failure("AlreadyExists", "Already Exists"))
        elif not self.world.is_powered:
            failed(failure("NotReady", "Resource Not Ready"))
        elif sender not in self.world.agents:
            # As bluetoothd does with many meters, even with those that ask nothing.
            failed(failure("AuthenticationFailed", "Authentication Failed"))
        elif "no-pairing" in self.faults:
            failed(failure("AuthenticationFailed", "Authentication Failed"))
        else:
            if not self.is_connected:
                self.is_connected = True
                self.set({"Connected": dbus.Boolean(True)})
            agent, capability = self.world.agents[sender]

            def paired(*_nothing):
                self.is_paired = True
                self.set({"Paired": dbus.Boolean(True)})
                done()
                GLib.idle_add(self.link)

            def refused(name):
                self.drop()
                failed(failure(name, name))

            def told(passkey):
                if int(passkey) == int(self.passkey):
                    paired()
                else:
                    refused("AuthenticationFailed")

            def declined(error):
                is_cancelled = error.get_dbus_name() == "org.bluez.Error.Canceled"
                refused("AuthenticationCanceled" if is_cancelled else "AuthenticationFailed")

            call = self.world.bus.call_async
            path = dbus.ObjectPath(self.device_path)
            if self.compares is not None and capability != "NoInputNoOutput":
                call(sender, agent, AGENT, "RequestConfirmation", "ou", (path, self.compares), paired, declined, timeout=60)
            elif self.compares is not None:
                refused("AuthenticationFailed")
            elif self.passkey is None:
                call(sender, agent, AGENT, "RequestAuthorization", "o", (path,), paired, declined)
            elif capability == "NoInputNoOutput":
                refused("AuthenticationFailed")
            else:
                call(sender, agent, AGENT, "RequestPasskey", "o", (path,), told, declined, timeout=60)

    # The meter.

    def add(self, facts):
        """A record with the values that are given; the others follow from its number."""
        number = self.first + len(self.records)
        self.records.append({
            "number": facts.get("number", number), "value": facts.get("value", 90 + number % 100),
            "context": facts.get("context", number % 10 == 0 and self.kind == "glucose"),
            "type": facts.get("type", 0x11), "minute": facts.get("minute", number), "offset": self.offset,
            "user": facts.get("user", 1), "sent": False})

    def date(self, minute):
        """Five minutes between records, from 2026-01-10 07:00:00 on."""
        hours, minutes = divmod(7 * 60 + minute * 5, 60)
        days, hours = divmod(hours, 24)
        day = 10 + days
        month = 1 + (day - 1) // 28
        return [*little(2026), month, (day - 1) % 28 + 1, hours, minutes, 0]

    def value(self, number):
        texts = {"2a29": "Roche" if self.kind == "glucose" else "beurer", "2a24": "MM-1", "2a25": self.serial, "2a26": "1.0"}
        if number in texts:
            return texts[number].encode()
        if number == "2a2b":
            return [*self.date(1000 + self.offset // 5), 2, 0, 0]
        return {"2a51": [0xFF, 0x03], "2a49": [0, 0]}.get(number)

    def measurement(self, record):
        flags = 0x03 | (0x10 if record["context"] else 0)
        return [flags, *little(record["number"]), *self.date(record["minute"]), *little(record["offset"]),
                *little(0xB000 | record["value"]), record["type"]]

    def pressure(self, record):
        return [0x1E, *little(record["value"] + 30), *little(record["value"] - 10), *little(0),
                *self.date(record["minute"]), *little(72), record["user"], 0, 0]

    def run(self, steps):
        """Sends one value after the other, so that other messages come in between; a new transfer ends it."""
        self.transfer += 1
        mine = self.transfer

        def step():
            if mine != self.transfer or not steps:
                return False
            steps.pop(0)()
            return True

        GLib.idle_add(step)

    def send(self, number, value):
        def act():
            if number in self.characteristics and self.characteristics[number].is_notifying:
                self.characteristics[number].notify(value)

        return act

    def report(self, request):
        """What the record access control point does with a request."""
        def answer(value):
            return self.send("2a52", value)

        numbers = None
        if request[:2] in ([1, 1], [4, 1]) and len(request) == 2:
            numbers = self.records
        elif request[:3] in ([1, 3, 1], [4, 3, 1]) and len(request) == 5:
            first = request[3] | request[4] << 8
            numbers = [record for record in self.records if record["number"] >= first]
        elif request == [3, 0]:
            return self.run([answer([6, 0, 3, 1])])
        if numbers is None:
            return self.run([answer([6, 0, request[0], 2])])
        if request[0] == 4:
            return self.run([answer([5, 0, *little(len(numbers))])])
        if not numbers:
            return self.run([answer([6, 0, 1, 6])])
        steps = []
        for record in numbers:
            steps.append(self.send("2a18", self.measurement(record)))
            if record["context"]:
                steps.append(self.send("2a34", [2, *little(record["number"]), 1]))
        if "silent-records" not in self.faults:
            steps.append(answer([6, 0, 1, 1]))
        return self.run(steps)

    def send_pressures(self):
        steps = []
        for record in [record for record in self.records if not record["sent"]]:
            def sent(record=record):
                self.send("2a35", self.pressure(record))()
                record["sent"] = "deletes" in self.faults

            steps.append(sent)
        self.run(steps)

    def state(self):
        return {
            "known": self.is_known, "paired": self.is_paired, "connected": self.is_connected,
            "trusted": bool(self.props[DEVICE]["Trusted"]), "written": self.written,
            "notifying": sorted(n for n, thing in self.characteristics.items() if thing.is_notifying),
            "left": sum(not record["sent"] for record in self.records),
        }

class World:
    """bluetoothd with one adapter."""

    def __init__(self, bus, facts):
        self.bus = bus
        self.agents = {}
        self.searchers = set()
        self.cancelled = 0
        self.is_busy = facts.get("busy", False)
        self.sender = None
        self.watches = {}
        self.name = dbus.service.BusName("org.bluez", bus, do_not_queue=True)
        self.root = mockobject.DBusMockObject(self.name, "/", MANAGER, {}, QUIET, True)
        mockobject.objects["/"] = self.root
        self.root.AddTemplate("bluez5", dbus.Dictionary({}, signature="sv"))
        # dbusmock does not tell a method who calls it.
        bus.add_message_filter(self.note)
        mockobject.objects["/org/bluez"].AddMethods(AGENT_MANAGER, [
            ("RegisterAgent", "os", "", lambda _, path, capability: self.register(path, capability)),
            ("UnregisterAgent", "o", "", lambda _, path: self.unregister()),
        ])
        self.has_adapter = facts.get("adapter", True) is not False
        if self.has_adapter:
            bluez5.AddAdapter(self.root, "hci0", "computer")
            self.adapter = mockobject.objects[ADAPTER_PATH]
            self.adapter.AddMethods(ADAPTER, [
                ("StartDiscovery", "", "", lambda _: self.start_discovery()),
                ("StopDiscovery", "", "", lambda _: self.stop_discovery()),
                ("SetDiscoveryFilter", "a{sv}", "", lambda _, _filter: None),
                ("RemoveDevice", "o", "", lambda _, path: self.remove(path)),
            ])
            if facts.get("adapter") == "off":
                self.power(False)
        self.meters = {}
        for meter in facts.get("meters", []):
            meter = Meter(self, meter)
            self.meters[meter.address] = meter
            if meter.is_known:
                mockobject.objects[meter.device_path] = meter
        if facts.get("daemon", True) is False:
            bus.release_name("org.bluez")

    def note(self, _connection, message):
        if message.get_type() == 1:
            self.sender = str(message.get_sender())
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED

    @property
    def is_powered(self):
        return bool(self.adapter.props[ADAPTER]["Powered"])

    def power(self, is_on):
        self.adapter.UpdateProperties(ADAPTER, {"Powered": dbus.Boolean(is_on, variant_level=1)})

    def watch(self, client):
        """bluetoothd forgets what a client had when it leaves the bus."""
        def owner(name):
            if not name:
                self.agents.pop(client, None)
                self.searchers.discard(client)
                self.show_discovery()
                for meter in self.meters.values():
                    for characteristic in meter.characteristics.values():
                        characteristic.subscribers.discard(client)

        if client not in self.watches:
            self.watches[client] = self.bus.watch_name_owner(client, owner)

    def register(self, path, capability):
        if self.sender in self.agents:
            raise failure("AlreadyExists", "Already Exists")
        self.agents[self.sender] = (path, str(capability))
        self.watch(self.sender)

    def unregister(self):
        if self.sender not in self.agents:
            raise failure("DoesNotExist", "Does Not Exist")
        del self.agents[self.sender]

    def show_discovery(self):
        self.adapter.UpdateProperties(
            ADAPTER, {"Discovering": dbus.Boolean(bool(self.searchers), variant_level=1)})

    def start_discovery(self):
        if not self.is_powered:
            raise failure("NotReady", "Resource Not Ready")
        if self.is_busy or self.sender in self.searchers:
            raise failure("InProgress", "Operation already in progress")
        self.searchers.add(self.sender)
        self.watch(self.sender)
        self.show_discovery()
        for meter in self.meters.values():
            GLib.timeout_add(5, meter.appear)

    def stop_discovery(self):
        if self.sender not in self.searchers:
            raise failure("Failed", "No discovery started")
        self.searchers.discard(self.sender)
        self.show_discovery()
        if not self.searchers:
            for meter in self.meters.values():
                meter.fall_silent()

    def remove(self, path):
        for meter in self.meters.values():
            if meter.device_path == path and meter.is_known:
                return meter.vanish()
        raise failure("DoesNotExist", "Does Not Exist")

    def state(self):
        return {
            "discovering": bool(self.searchers), "agents": len(self.agents), "cancelled": self.cancelled,
            "powered": self.has_adapter and self.is_powered,
            "meters": {address: meter.state() for address, meter in self.meters.items()},
        }

    def obey(self, line):
        word, _, rest = line.partition(" ")
        address, _, more = rest.partition(" ")
        if word == "record":
            self.meters[address].add(json.loads(more or "{}"))
        elif word == "fault":
            self.meters[address].faults = set(more.split())
        elif word == "break":
            self.meters[address].drop()
        elif word == "wake":
            self.meters[address].is_awake = True
            if self.searchers:
                self.meters[address].appear()
        elif word != "state":
            return {"error": "unknown command: " + line}
        return self.state()

def main():
    facts = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    folder = tempfile.mkdtemp(prefix="libre-bus-")

    def die_with_parent():
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)

    configuration = os.path.join(folder, "bus.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(folder=folder))
    daemon = subprocess.Popen(
        ["dbus-daemon", "--config-file=" + configuration, "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)
    try:
        address = daemon.stdout.readline().decode().strip()
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = address
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.bus.BusConnection(address)
        bus.set_exit_on_disconnect(False)
        world = World(bus, facts)
        loop = GLib.MainLoop()

        def command(channel, _condition):
            line = sys.stdin.readline()
            if not line:
                loop.quit()
                return False
            print(json.dumps(world.obey(line.strip())), flush=True)
            return True

        GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, command)
        print(address, flush=True)
        loop.run()
    finally:
        daemon.kill()
        daemon.wait()
        shutil.rmtree(folder, ignore_errors=True)

if __name__ == "__main__":
    main()

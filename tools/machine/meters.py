# SPDX-License-Identifier: Apache-2.0
"""Bluetooth meters and bridges in the air around the guest, behind its kernel's virtual controller and its real bluetoothd.

    meters.py '[{"name": "meter", "address": "C0:…", "packets": [["0330…", "0230…"], …]}]'
    meters.py '[{"name": "miaomiao2", "address": "C0:…", "kind": "miaomiao", "memory": "…", "uid": "E007…", "patch_info": "…"}]'

bumble has the radio, the link layer and GATT; what is sent was recorded from `libre meter read sim:meter --json`, so that
a read over the air can be held against that of the simulator. Of a meter: "kind" (glucose, pressure, miaomiao, bubble),
"pairing" ("digits": it shows 6 digits, "none": it refuses), "near" (false: it is not in the air), "keys" (the file of its
pairings, which then outlive this program). Each line on standard input is a command for one of them by its number, and each
has an answer of one line:

    N forget            it forgets its pairing
    N near, N away      it comes into the air, or leaves it
    N record HEX…       a meter has measured once more
    N break COUNT       a meter's link breaks after so many records, once
    N fault FAULT       of a bridge: half or drop (once), no-sensor, other-sensor, none
    N push [MEMORY]     a bridge sends what it read meanwhile, as it does every five minutes
    N uid UID           another sensor is below a bridge
    N end               a bridge ends its connection
"""

import asyncio
import json
import sys

from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.keys import JsonKeyStore, MemoryKeyStore
from bumble.link import LocalLink
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink

READ, WRITE = Characteristic.Properties.READ, Characteristic.Properties.WRITE
NOTIFY, INDICATE = Characteristic.Properties.NOTIFY, Characteristic.Properties.INDICATE
DIGITS = 123456
# Record Access Control Point: operations and the codes of its answers (Glucose Service 1.0, 3.4).
REPORT, ABORT, COUNT, COUNT_ANSWER, ANSWER = 1, 3, 4, 5, 6
SUCCESS, NO_RECORDS = 1, 6


class Air(LocalLink):
    """bumble names the sender of data by its random address. Linux connects by its public one, and uses random ones to search."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection and receiver:
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, connection.self_address, transport, data)


class Delegate(PairingDelegate):
    def __init__(self, pairing):
        super().__init__(self.DISPLAY_OUTPUT_ONLY if pairing == "digits" else self.NO_OUTPUT_NO_INPUT)
        self.refuses = pairing == "none"

    async def accept(self):
        return not self.refuses

    async def generate_passkey(self):
        return DIGITS


class Peripheral:
    def __init__(self, link, given):
        self.given = given
        self.connection = self.sending = None
        controller = Controller(given["name"], link=link, public_address=given["address"])
        self.device = Device(
            name=given["name"], address=Address(given["address"]), host=Host(controller, AsyncPipeSink(controller)))
        self.device.keystore = JsonKeyStore(given["address"], given["keys"]) if "keys" in given else MemoryKeyStore()
        self.device.pairing_config_factory = lambda _: PairingConfig(
            mitm=given.get("pairing") == "digits", delegate=Delegate(given.get("pairing")))
        self.device.on("connection", self.connected)
        self.add_services()

    async def advertise(self):
        data = AdvertisingData([
            (AdvertisingData.FLAGS, bytes([6])), *self.advertised,
            (AdvertisingData.COMPLETE_LOCAL_NAME, self.given["name"].encode())])
        await self.device.start_advertising(advertising_data=bytes(data), auto_restart=True)

    def connected(self, connection):
        self.connection = connection
        connection.on("disconnection", lambda _: self.ended())

    def ended(self):
        self.connection = None
        self.start(None)

    def start(self, work):
        if self.sending:
            self.sending.cancel()
        self.sending = asyncio.create_task(work) if work else None

    async def obey(self, command, *words):
        match command:
            case "forget": await self.device.keystore.delete_all()
            case "near": await self.advertise()
            case "away": await self.device.stop_advertising()
            case "end" if self.connection: await self.connection.disconnect()
            case _: return "unknown command"
        return "ok"


class Meter(Peripheral):
    def __init__(self, link, given):
        self.records = [[bytes.fromhex(packet) for packet in packets] for packets in given["packets"]]
        self.is_pressure = given.get("kind") == "pressure"
        self.breaks_after = None
        super().__init__(link, given)

    def add_services(self):
        def value(number, properties, content=b""):
            permissions = Characteristic.READABLE | Characteristic.WRITEABLE
            return Characteristic(UUID.from_16_bits(number), properties, permissions, content)

        def text(number, content):
            return value(number, READ, content if isinstance(content, bytes) else content.encode())

        given = self.given
        self.device.add_service(Service(UUID.from_16_bits(0x180A), [
            text(0x2A29, given.get("maker", "libre")), text(0x2A24, given.get("model", "SIM-METER")),
            text(0x2A25, given.get("serial", "SIM-METER-0001")), text(0x2A26, given.get("firmware", "1.0"))]))
        self.device.add_service(Service(UUID.from_16_bits(0x180F), [text(0x2A19, bytes([80]))]))
        if self.is_pressure:
            self.measurement = value(0x2A35, INDICATE)
            self.device.add_service(Service(UUID.from_16_bits(0x1810), [self.measurement]))
            self.measurement.on("subscription", lambda connection, notify, indicate: indicate and self.start(
                self.send_pressures(connection)))
        else:
            self.measurement, self.context = value(0x2A18, NOTIFY), value(0x2A34, NOTIFY)
            self.access = value(0x2A52, WRITE | INDICATE, CharacteristicValue(write=self.asked))
            self.device.add_service(Service(UUID.from_16_bits(0x1808), [
                self.measurement, self.context, text(0x2A51, bytes([0xFF, 0x03])), self.access]))

    @property
    def advertised(self):
        service = 0x1810 if self.is_pressure else 0x1808
        return [(AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, service.to_bytes(2, "little"))]

    # Transfers

    def asked(self, connection, request):
        operation, operator = request[0], request[1]
        if operation == ABORT:
            self.start(self.answer(connection, [ANSWER, 0, ABORT, SUCCESS]))
        elif operation == COUNT:
            self.start(self.answer(connection, [COUNT_ANSWER, 0, *len(self.records).to_bytes(2, "little")]))
        elif operation == REPORT:
            first = int.from_bytes(request[3:5], "little") if operator == 3 else 0
            self.start(self.send(connection, [
                record for record in self.records if int.from_bytes(record[0][1:3], "little") >= first]))

    async def answer(self, connection, content):
        await self.device.gatt_server.indicate_subscriber(connection, self.access, bytes(content))

    async def send(self, connection, records):
        for record in records:
            await self.device.gatt_server.notify_subscriber(connection, self.measurement, record[0])
            for packet in record[1:]:
                await self.device.gatt_server.notify_subscriber(connection, self.context, packet)
            if await self.breaks(connection):
                return
        await self.answer(connection, [ANSWER, 0, REPORT, SUCCESS if records else NO_RECORDS])

    async def send_pressures(self, connection):
        while self.records:
            await self.device.gatt_server.indicate_subscriber(connection, self.measurement, self.records[0][0])
            # A cuff deletes what was confirmed.
            del self.records[0]
            if await self.breaks(connection):
                return
        await connection.disconnect()

    async def breaks(self, connection):
        if self.breaks_after is None:
            return False
        self.breaks_after -= 1
        if self.breaks_after > 0:
            return False
        self.breaks_after = None
        await connection.disconnect()
        return True

    async def obey(self, command, *words):
        match command:
            case "record": self.records.append([bytes.fromhex(word) for word in words])
            case "break": self.breaks_after = int(words[0])
            case _: return await super().obey(command, *words)
        return "ok"


class Bridge(Peripheral):
    """What a bridge sends, after the same descriptions as the Swift code and written a second time (Meters/BridgePackets)."""

    SERVICE = "6E40000{}-B5A3-F393-E0A9-E50E24DCCA9E"
    MIAOMIAO_READING, MIAOMIAO_ACCEPT, BUBBLE_START, BUBBLE_READING = 0xF0, 0xD3, 0x00, 0x02
    advertised = []

    def __init__(self, link, given):
        self.is_miaomiao = given["kind"] == "miaomiao"
        self.memory = bytes.fromhex(given["memory"])
        self.battery = given.get("battery", 90)
        self.fault = given.get("fault", "none")
        super().__init__(link, given)

    def add_services(self):
        command = Characteristic(
            UUID(self.SERVICE.format(2)), WRITE | Characteristic.Properties.WRITE_WITHOUT_RESPONSE,
            Characteristic.WRITEABLE, CharacteristicValue(write=self.asked))
        self.answers = Characteristic(UUID(self.SERVICE.format(3)), NOTIFY, Characteristic.READABLE)
        self.device.add_service(Service(UUID(self.SERVICE.format(1)), [command, self.answers]))

    def asked(self, connection, request):
        if self.is_miaomiao and request[0] == self.MIAOMIAO_ACCEPT:
            self.fault = "none"
        elif request[0] == (self.MIAOMIAO_READING if self.is_miaomiao else self.BUBBLE_START):
            self.start(self.report())
        elif not self.is_miaomiao and request[0] == self.BUBBLE_READING:
            self.start(self.send(self.packets()))

    def report(self):
        return self.send(self.packets() if self.is_miaomiao else [bytes([0x80, 0, 2, 0, self.battery, 0, 0, 2, 0])])

    def packets(self):
        if self.fault == "no-sensor":
            return [bytes([0x34] if self.is_miaomiao else [0xBF, 0])]
        if self.fault == "other-sensor" and self.is_miaomiao:
            return [bytes([0x32])]
        uid, patch_info = bytes.fromhex(self.given["uid"])[::-1], bytes.fromhex(self.given.get("patch_info") or "")
        if self.is_miaomiao:
            header = bytes([0x28, 1, 0x71]) + self.memory[317:315:-1] + uid + bytes([self.battery, 0, 7, 0x10, 1])
            stream = header + self.memory + bytes([0x29]) + patch_info
            return [stream[place:place + 20] for place in range(0, len(stream), 20)]
        return [bytes([0xC0, 0]) + uid, bytes([0xC1, 0, 0, 0, 0]) + patch_info] + [
            bytes([0x82, 0, 0, 0]) + self.memory[place:place + 16] for place in range(0, len(self.memory), 16)]

    async def send(self, packets):
        fault = self.fault
        if fault in ("half", "drop") and len(packets) > 2:
            packets, self.fault = packets[:len(packets) // 2], "none"
        for packet in packets:
            await self.device.gatt_server.notify_subscriber(self.connection, self.answers, packet)
        if fault == "drop" and self.fault == "none":
            await self.connection.disconnect()

    async def obey(self, command, *words):
        match command:
            case "fault": self.fault = words[0]
            case "uid": self.given["uid"] = words[0]
            case "push":
                self.memory = bytes.fromhex(words[0]) if words else self.memory
                self.start(self.report())
            case _: return await super().obey(command, *words)
        return "ok"


async def main():
    link = Air()
    async with await open_transport("vhci") as transport:
        controller = Controller("guest", host_source=transport.source, host_sink=transport.sink, link=link,
                                public_address="F0:F1:F2:F3:F4:F5")
        meters = [
            (Bridge if given.get("kind") in ("miaomiao", "bubble") else Meter)(link, given)
            for given in json.loads(sys.argv[1])]
        for meter in meters:
            await meter.device.power_on()
            if meter.given.get("near", True):
                await meter.advertise()
        print("ready", flush=True)
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            number, *words = line.split()
            print(await meters[int(number)].obey(*words), flush=True)
        del controller


asyncio.run(main())

// SPDX-License-Identifier: Apache-2.0
import Meters
import Testing

@testable import Meters

@Suite("The link to a meter")
struct LinkTests {
  static let timeout = Duration.seconds(35)

  @Test("keeps values that arrive before the answer to a subscription, and the same value twice, up to its end")
  func early() async throws {
    let value = ScriptedBus.Reaction.signal(ScriptedBus.value([1]))
    let bus = ScriptedBus(on: "StartNotify", [value, value, .reply([])])
    let link = try await bus.link()
    #expect(await link.perform(.subscribe(.glucoseMeasurement), within: Self.timeout) == .accepted)
    for _ in 1...2 { #expect(await link.nextEvent(within: Self.timeout) == .value(.glucoseMeasurement, [1])) }
    let before = bus.now
    #expect(await link.nextEvent(within: Self.timeout) == .quiet && bus.now == before + Self.timeout)
    bus.add(.signal(ScriptedBus.value([1])))
    bus.add(.signal(ScriptedBus.changed(["Connected": .boolean(false)])))
    #expect(await link.nextEvent(within: Self.timeout) == .value(.glucoseMeasurement, [1]))
    #expect(await link.nextEvent(within: Self.timeout) == .disconnected)
    #expect(await link.perform(.records(.reportAll), within: Self.timeout) == .disconnected)
    #expect(!bus.members.contains("WriteValue"))
  }

  @Test("ignores values of other programs, values that are too long, and values of what was not subscribed to")
  func ignored() async throws {
    let longest = [UInt8](repeating: 4, count: 512)
    let values = [
      ScriptedBus.value([1], sender: ":1.99"), ScriptedBus.value([2], of: ScriptedBus.control),
      ScriptedBus.value(longest + [4]), ScriptedBus.value(longest),
    ]
    let link = try await ScriptedBus(on: "StartNotify", values.map { .signal($0) } + [.reply([])]).link()
    _ = await link.perform(.subscribe(.glucoseMeasurement), within: Self.timeout)
    #expect(await link.nextEvent(within: Self.timeout) == .value(.glucoseMeasurement, longest))
    #expect(await link.nextEvent(within: Self.timeout) == .quiet)
  }

  @Test("is quiet if the meter does not answer, and does not take a late answer for that of the next request")
  func late() async throws {
    let bus = ScriptedBus { call, bus in
      guard call.member == "WriteValue" else { return nil }
      if bus.members.filter({ $0 == "WriteValue" }).count == 1 { return [.nothing] }
      let first = UInt64(bus.members.firstIndex(of: "WriteValue")! + 1)
      bus.add(.failure(to: first, name: "org.bluez.Error.Failed", text: "late"))
      return [.reply([])]
    }
    let link = try await bus.adapter().connect(bus.meter)
    #expect(await link.perform(.records(.countAll), within: Self.timeout) == .quiet)
    #expect(await link.perform(.records(.reportAll), within: Self.timeout) == .accepted)
  }

  @Test(
    "explains each refusal of bluetoothd",
    arguments: [
      ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x81", MeterEvent.refused(.notSubscribed)),
      ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x03", .refused(.notPermitted)),
      ("org.bluez.Error.Failed", "Not connected", .disconnected),
      ("org.bluez.Error.Failed", "", .refused(.other("org.bluez.Error.Failed"))),
      ("org.bluez.Error.NotPermitted", "Not paired", .refused(.notPaired)),
      ("org.bluez.Error.NotPermitted", "Write not permitted", .refused(.notPermitted)),
      ("org.freedesktop.DBus.Error.UnknownMethod", "", .refused(.absent)),
      // The link breaks.
      ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e", .disconnected),
    ])
  func refusals(_ name: String, _ text: String, _ event: MeterEvent) async throws {
    let end =
      text.hasSuffix("0x0e") ? [ScriptedBus.Reaction.signal(ScriptedBus.changed(["Connected": .boolean(false)]))] : []
    let link = try await ScriptedBus(on: "WriteValue", [.failure(name, text)] + end).link()
    #expect(await link.perform(.records(.reportAll), within: Self.timeout) == event)
  }

  @Test("takes a subscription that bluetoothd never answers for a wish for digits, if nobody can be asked for them")
  func weakBond() async throws {
    let link = try await ScriptedBus(on: "StartNotify", [.nothing]).link()
    #expect(await link.perform(.subscribe(.glucoseMeasurement), within: Self.timeout) == .refused(.passkeyNeeded))
    let bus = ScriptedBus(on: "StartNotify", [.nothing])
    let asking = try await bus.adapter().connect(bus.meter) { _ in Passkey("1") }
    #expect(await asking.perform(.subscribe(.glucoseMeasurement), within: Self.timeout) == .quiet)
    #expect(await asking.perform(.records(.reportAll), within: Self.timeout) == .accepted)
  }

  @Test("reads a value, and refuses what the meter does not have")
  func reads() async throws {
    let link = try await ScriptedBus(on: "ReadValue", [.reply([.bytes([7, 8])])]).link()
    #expect(
      await link.perform(.read(.glucoseMeasurement), within: Self.timeout) == .value(.glucoseMeasurement, [7, 8]))
    #expect(await link.perform(.read(.serialNumber), within: Self.timeout) == .refused(.absent))
    #expect(await link.nextEvent(within: Self.timeout) == .quiet)
  }

  @Test("writes only the bytes of a request, and with a response")
  func writes() throws {
    let allowed: [[UInt8]] = [[4, 1], [1, 1], [1, 3, 1, 0xF8, 0], [3, 0]]
    for (request, bytes) in zip([RecordAccessRequest.countAll, .reportAll, .report(from: 248), .abort], allowed) {
      let call = BusCall.perform(.records(request), at: "/x")
      #expect(call.member == "WriteValue")
      #expect(call.arguments == [.bytes(bytes), .options(["type": "request"])])
    }
    for characteristic in MeterCharacteristic.allCases {
      #expect(BusCall.perform(.read(characteristic), at: "/x").member == "ReadValue")
      #expect(BusCall.perform(.subscribe(characteristic), at: "/x").member == "StartNotify")
    }
  }
}

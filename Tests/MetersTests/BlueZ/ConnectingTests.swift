// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Meters
import Testing

@testable import Meters

@Suite("Connecting a meter")
struct ConnectingTests {
  @Test("asks bluetoothd in the order that it needs, and leaves nothing behind")
  func order() async throws {
    let bus = ScriptedBus(paired: false)
    let adapter = try await bus.adapter()
    let found = try await adapter.search(within: .seconds(10)) { !$0.isEmpty }
    let link = try await adapter.connect(found[0])
    await link.disconnect()
    await adapter.close()
    #expect(
      bus.members == [
        "AddMatch", "AddMatch", "GetNameOwner", "GetManagedObjects", "SetDiscoveryFilter", "StartDiscovery",
        "StopDiscovery", "RegisterAgent", "Pair", "Set", "Connect", "Disconnect", "UnregisterAgent",
      ])
    #expect(bus.isClosed)
  }

  @Test("does not pair a meter that is paired, and looks a characteristic up in its own service only")
  func paired() async throws {
    guard case .dictionary(var objects) = ScriptedBus.objects(paired: true) else { return #expect(Bool(false)) }
    #expect(try await ScriptedBus().link().characteristics == [.glucoseMeasurement, .recordAccess])
    objects[ScriptedBus.service] = .dictionary([
      BlueZ.service: .dictionary(["UUID": .text(MeterService.bloodPressure.uuid)])
    ])
    let bus = ScriptedBus(on: "GetManagedObjects", [.reply([.dictionary(objects)])])
    #expect(try await bus.link().characteristics == [] && !bus.members.contains("Pair"))
  }

  @Test("returns all known devices when the time for a search is up, and listens further for a second meter")
  func search() async throws {
    for (further, isEnough, seconds) in [(.zero, false, 20), (.seconds(5), true, 5)] as [(Duration, Bool, Int)] {
      let bus = ScriptedBus()
      let found = try await bus.adapter().search(within: .seconds(20), further: further) { isEnough && !$0.isEmpty }
      #expect(found.map(\.identity.address) == ["C0:FF:EE:00:00:01"])
      #expect(bus.now == .seconds(seconds) && bus.members.last == "StopDiscovery")
    }
  }

  // MARK: Failures

  static let name = "meter+0001"

  /// The reactions to a call of the bus, and the error in which connecting ends.
  struct Case: Sendable, CustomTestStringConvertible {
    let member: String
    let reactions: [ScriptedBus.Reaction]
    let error: BluetoothError

    init(_ member: String, _ reactions: [ScriptedBus.Reaction], _ error: BluetoothError) {
      (self.member, self.reactions, self.error) = (member, reactions, error)
    }

    var testDescription: String { "\(member): \(error.code)" }
  }

  static let linked = ScriptedBus.Reaction.signal(ScriptedBus.changed(["Connected": .boolean(true)]))
  static let unlinked = ScriptedBus.Reaction.signal(ScriptedBus.changed(["Connected": .boolean(false)]))

  static func failed(_ reason: String) -> ScriptedBus.Reaction { .failure("org.bluez.Error.Failed", reason) }

  static let aborted = "le-connection-abort-by-local"

  static let cases = [
    Case("Connect", [.nothing], .outOfReach(meter: name, reason: "no answer within 40 s")),
    Case("Connect", [failed(aborted)], .outOfReach(meter: name, reason: aborted)),
    // A link that the meter ended because it has forgotten the pairing, in the order of BlueZ 5.82.
    Case("Connect", [linked, unlinked, failed(aborted)], .pairingForgotten(meter: name)),
    Case("Connect", [linked, unlinked, failed("br-connection-canceled")], .pairingForgotten(meter: name)),
    Case("Connect", [linked, unlinked, .reply([])], .pairingForgotten(meter: name)),
    Case("Connect", [linked, .reply([]), unlinked], .pairingForgotten(meter: name)),
    Case("Connect", [.failure("org.bluez.Error.AuthenticationFailed")], .pairingForgotten(meter: name)),
    Case("Connect", [.failure("org.freedesktop.DBus.Error.UnknownObject")], .notFound(meter: name)),
    Case(
      "Connect", [.failure("org.bluez.Error.NotReady")],
      .adapterOff(name: "hci0", BluetoothReport.radioBlock(root: ""))),
    Case(
      "Connect", [linked, .reply([])], .outOfReach(meter: name, reason: "it did not list its services in time")),
    Case(
      "RegisterAgent", [failed("no memory")],
      .failed(what: "the registration of a pairing agent", reason: "no memory")),
    Case("Pair", [.failure("org.bluez.Error.AuthenticationTimeout")], .pairingTimedOut(meter: name)),
    Case(
      "Pair", [.failure("org.bluez.Error.ConnectionAttemptFailed", "Page Timeout")],
      .outOfReach(meter: name, reason: "Page Timeout")),
    // One that takes too long is cancelled.
    Case("Pair", [.nothing], .pairingTimedOut(meter: name)),
  ]

  @Test("ends in an error that says why, with the meter disconnected and the agent unregistered", arguments: cases)
  func failure(_ given: Case) async throws {
    let bus = ScriptedBus(paired: given.member != "Pair", on: given.member, given.reactions)
    let adapter = try await bus.adapter()
    await #expect(throws: given.error) { try await adapter.connect(bus.meter) }
    if given.member != "RegisterAgent" {
      #expect(bus.members.suffix(2) == ["Disconnect", "UnregisterAgent"])
    }
    #expect(bus.members.filter { $0 == "Connect" }.count <= 3)
    guard given.member == "Pair", case .nothing = given.reactions[0] else { return }
    #expect(bus.now == .seconds(90) && bus.members.suffix(4).prefix(2) == ["Pair", "CancelPairing"])
  }

  @Test("tries again when a link breaks before the services are known")
  func again() async throws {
    let bus = ScriptedBus { call, bus in
      call.member == "Connect" && bus.members.filter { $0 == "Connect" }.count < 3 ? [Self.failed(Self.aborted)] : nil
    }
    _ = try await bus.link()
    #expect(bus.members.filter { $0 == "Connect" }.count == 3)
  }

  @Test("does not take a meter for one that has forgotten the pairing if no link was made at one of the attempts")
  func weak() async throws {
    let bus = ScriptedBus { call, bus in
      guard call.member == "Connect" else { return nil }
      let isFirst = bus.members.filter { $0 == "Connect" }.count == 1
      return (isFirst ? [] : [Self.linked, Self.unlinked]) + [Self.failed(Self.aborted)]
    }
    await #expect(throws: BluetoothError.outOfReach(meter: Self.name, reason: Self.aborted)) { try await bus.link() }
  }

  @Test(
    "is not part of pairing: a meter may end the link as soon as it is paired",
    arguments: [ScriptedBus.Reaction.reply([]), failed("br-connection-canceled")])
  func pairedOnly(_ answer: ScriptedBus.Reaction) async throws {
    let paired = ScriptedBus.Reaction.signal(ScriptedBus.changed(["Paired": .boolean(true)]))
    let bus = ScriptedBus(paired: false, on: "Pair", [paired, Self.linked, Self.unlinked, answer])
    try await bus.adapter().pair(bus.meter, passkey: nil)
    #expect(bus.members.suffix(5) == ["RegisterAgent", "Pair", "Set", "Disconnect", "UnregisterAgent"])
    // When it is to be paired again, it shows whether it still knows the pairing.
    let forgetful = ScriptedBus(on: "Connect", [Self.linked, Self.unlinked, Self.failed("br-connection-canceled")])
    let adapter = try await forgetful.adapter()
    await #expect(throws: BluetoothError.pairingForgotten(meter: Self.name)) {
      try await adapter.pair(forgetful.meter, passkey: nil)
    }
  }

  @Test("is done without a pairing that the meter refuses; only what needs the pairing then fails, with its error")
  func unpaired() async throws {
    let bus = ScriptedBus(paired: false, on: "Pair", [.failure("org.bluez.Error.AuthenticationFailed")])
    let link = try await bus.adapter().connect(bus.meter)
    #expect(link.characteristics == [.glucoseMeasurement, .recordAccess])
    for failure: MeterError in [
      .notPaired(meter: ""), .silent(meter: "", received: 0), .disconnected(meter: "", received: 0),
    ] {
      #expect(link.error(behind: failure) == .passkeyNeeded(meter: Self.name))
    }
    for failure: MeterError? in [nil, .busy(meter: ""), .silent(meter: "", received: 1)] {
      #expect(link.error(behind: failure) == nil)
    }
    let known = try await ScriptedBus().link()
    #expect(known.error(behind: .notPaired(meter: "")) == nil)
  }

  @Test("without a pairing gives the error of the pairing if no link is made either")
  func neither() async throws {
    let bus = ScriptedBus(paired: false) { call, _ in
      switch call.member {
      case "Pair": [.failure("org.bluez.Error.AuthenticationFailed")]
      case "Connect": [Self.failed(Self.aborted)]
      default: nil
      }
    }
    let adapter = try await bus.adapter()
    await #expect(throws: BluetoothError.pairingRefused(meter: Self.name, reason: "it ended the pairing")) {
      try await adapter.connect(bus.meter) { _ in Passkey("1") }
    }
  }

  @Test("is refused while the adapter is off, without a call")
  func off() async throws {
    let bus = ScriptedBus(powered: false)
    await #expect(throws: BluetoothError.adapterOff(name: "hci0", BluetoothReport.radioBlock(root: ""))) {
      try await bus.link()
    }
    #expect(bus.members.last == "GetManagedObjects")
  }

  @Test("fails at once when bluetoothd has ended, and a successor is not taken for it")
  func restarted() async throws {
    let bus = ScriptedBus()
    let adapter = try await bus.adapter()
    bus.add(
      .signal(
        BusNotice(
          sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
          member: "NameOwnerChanged", body: [.text("org.bluez"), .text(":1.7"), .text(":1.9")])))
    await #expect(throws: BluetoothError.noDaemon) { try await adapter.devices() }
    await #expect(throws: BluetoothError.noDaemon) { try await adapter.connect(bus.meter) }
  }
}

extension ScriptedBus {
  /// The meter as `devices()` reports it.
  var meter: FoundMeter {
    FoundMeter(at: Self.device, in: ObjectTree(managed: [Self.objects(paired: true)]))!
  }
}

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

  @Test("does not pair a meter that is paired")
  func paired() async throws {
    let bus = ScriptedBus()
    let link = try await bus.adapter().connect(bus.meter)
    #expect(!bus.members.contains("Pair"))
    #expect(link.characteristics == [.glucoseMeasurement, .recordAccess])
  }

  @Test("returns all devices that are known when the time for the search is up")
  func search() async throws {
    let bus = ScriptedBus()
    let adapter = try await bus.adapter()
    let found = try await adapter.search(within: .seconds(20)) { _ in false }
    #expect(found.map(\.identity.address) == ["C0:FF:EE:00:00:01"])
    #expect(bus.now == .seconds(20))
    #expect(bus.members.last == "StopDiscovery")
  }

  @Test("listens further after a search that has found enough, for a second meter")
  func further() async throws {
    let bus = ScriptedBus()
    _ = try await bus.adapter().search(within: .seconds(20), further: .seconds(5)) { !$0.isEmpty }
    #expect(bus.now == .seconds(5))
    #expect(bus.members.last == "StopDiscovery")
  }

  @Test("looks a characteristic up in its own service only")
  func otherService() async throws {
    let bus = ScriptedBus { call, _ in
      guard call.member == "GetManagedObjects" else { return nil }
      guard case .dictionary(var objects) = ScriptedBus.objects(paired: true) else { return nil }
      objects[ScriptedBus.service] = .dictionary([
        BlueZ.service: .dictionary(["UUID": .text(MeterService.bloodPressure.uuid)])
      ])
      return [.reply([.dictionary(objects)])]
    }
    #expect(try await bus.adapter().connect(bus.meter).characteristics == [])
  }

  // MARK: Failures

  static let name = "meter+0001"

  struct Case: Sendable, CustomTestStringConvertible {
    let member: String
    let reactions: [ScriptedBus.Reaction]
    let error: BluetoothError
    var isPaired = true
    var testDescription: String { "\(member): \(error.code)" }
  }

  static let endedLink: [ScriptedBus.Reaction] = [true, false].map {
    .signal(ScriptedBus.changed(["Connected": .boolean($0)]))
  }

  static let cases = [
    Case(
      member: "Connect", reactions: [.nothing], error: .outOfReach(meter: name, reason: "no answer within 40 s")),
    Case(
      member: "Connect", reactions: [.failure("org.bluez.Error.Failed", "le-connection-abort-by-local")],
      error: .outOfReach(meter: name, reason: "le-connection-abort-by-local")),
    // A link that the meter ended because it has forgotten the pairing, in the order of BlueZ 5.82.
    Case(
      member: "Connect", reactions: endedLink + [.failure("org.bluez.Error.Failed", "le-connection-abort-by-local")],
      error: .pairingForgotten(meter: name)),
    Case(
      member: "Connect", reactions: endedLink + [.failure("org.bluez.Error.Failed", "br-connection-canceled")],
      error: .pairingForgotten(meter: name)),
    Case(member: "Connect", reactions: endedLink + [.reply([])], error: .pairingForgotten(meter: name)),
    Case(
      member: "Connect", reactions: [.failure("org.bluez.Error.AuthenticationFailed")],
      error: .pairingForgotten(meter: name)),
    Case(
      member: "Connect", reactions: [.failure("org.freedesktop.DBus.Error.UnknownObject")],
      error: .notFound(meter: name)),
    Case(
      member: "Connect", reactions: [.failure("org.bluez.Error.NotReady")],
      error: .adapterOff(name: "hci0", BluetoothReport.radioBlock(root: ""))),
    Case(
      member: "Connect",
      reactions: [
        .signal(ScriptedBus.changed(["Connected": .boolean(true)])), .reply([]),
        .signal(ScriptedBus.changed(["Connected": .boolean(false)])),
      ], error: .pairingForgotten(meter: name)),
    Case(
      member: "Connect", reactions: [.signal(ScriptedBus.changed(["Connected": .boolean(true)])), .reply([])],
      error: .outOfReach(meter: name, reason: "it did not list its services in time")),
    Case(
      member: "RegisterAgent", reactions: [.failure("org.bluez.Error.Failed", "no memory")],
      error: .failed(what: "the registration of a pairing agent", reason: "no memory")),
    Case(
      member: "Pair", reactions: [.failure("org.bluez.Error.AuthenticationTimeout")],
      error: .pairingTimedOut(meter: name), isPaired: false),
    Case(
      member: "Pair", reactions: [.failure("org.bluez.Error.ConnectionAttemptFailed", "Page Timeout")],
      error: .outOfReach(meter: name, reason: "Page Timeout"), isPaired: false),
  ]

  @Test("ends in an error that says why, with the meter disconnected and the agent unregistered", arguments: cases)
  func failure(_ given: Case) async throws {
    let bus = ScriptedBus(paired: given.isPaired, on: given.member, given.reactions)
    let adapter = try await bus.adapter()
    await #expect(throws: given.error) { try await adapter.connect(bus.meter) }
    if given.member != "RegisterAgent" {
      #expect(bus.members.suffix(2) == ["Disconnect", "UnregisterAgent"])
    }
    #expect(bus.members.filter { $0 == "Connect" }.count <= 3)
  }

  @Test("cancels a pairing that takes too long")
  func overdue() async throws {
    let bus = ScriptedBus(paired: false, on: "Pair", [.nothing])
    let adapter = try await bus.adapter()
    await #expect(throws: BluetoothError.pairingTimedOut(meter: Self.name)) { try await adapter.connect(bus.meter) }
    #expect(bus.now == .seconds(90))
    #expect(bus.members.suffix(4) == ["Pair", "CancelPairing", "Disconnect", "UnregisterAgent"])
  }

  @Test("tries again when a link breaks before the services are known")
  func again() async throws {
    let bus = ScriptedBus { call, bus in
      guard call.member == "Connect", bus.members.filter({ $0 == "Connect" }).count < 3 else { return nil }
      return [.failure("org.bluez.Error.Failed", "le-connection-abort-by-local")]
    }
    _ = try await bus.adapter().connect(bus.meter)
    #expect(bus.members.filter { $0 == "Connect" }.count == 3)
  }

  @Test("does not take a meter for one that has forgotten the pairing if no link was made at one of the attempts")
  func weak() async throws {
    let bus = ScriptedBus { call, bus in
      guard call.member == "Connect" else { return nil }
      let isFirst = bus.members.filter { $0 == "Connect" }.count == 1
      return (isFirst ? [] : Self.endedLink) + [.failure("org.bluez.Error.Failed", "le-connection-abort-by-local")]
    }
    let adapter = try await bus.adapter()
    await #expect(throws: BluetoothError.outOfReach(meter: Self.name, reason: "le-connection-abort-by-local")) {
      try await adapter.connect(bus.meter)
    }
  }

  @Test(
    "is not part of pairing: a meter may end the link as soon as it is paired",
    arguments: [ScriptedBus.Reaction.reply([]), .failure("org.bluez.Error.Failed", "br-connection-canceled")])
  func pairedOnly(_ answer: ScriptedBus.Reaction) async throws {
    let bus = ScriptedBus(
      paired: false, on: "Pair", [.signal(ScriptedBus.changed(["Paired": .boolean(true)]))] + Self.endedLink + [answer])
    try await bus.adapter().pair(bus.meter, passkey: nil)
    #expect(bus.members.suffix(5) == ["RegisterAgent", "Pair", "Set", "Disconnect", "UnregisterAgent"])
  }

  @Test("shows whether a meter that is paired still knows the pairing, when it is to be paired again")
  func pairedAgain() async throws {
    let failure = ScriptedBus.Reaction.failure("org.bluez.Error.Failed", "br-connection-canceled")
    let bus = ScriptedBus(on: "Connect", Self.endedLink + [failure])
    let adapter = try await bus.adapter()
    await #expect(throws: BluetoothError.pairingForgotten(meter: Self.name)) {
      try await adapter.pair(bus.meter, passkey: nil)
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
      case "Connect": [.failure("org.bluez.Error.Failed", "le-connection-abort-by-local")]
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
    let adapter = try await bus.adapter()
    await #expect(throws: BluetoothError.adapterOff(name: "hci0", BluetoothReport.radioBlock(root: ""))) {
      try await adapter.connect(bus.meter)
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

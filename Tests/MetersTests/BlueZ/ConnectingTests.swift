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

  static let cases = [
    Case(
      member: "Connect", reactions: [.nothing], error: .outOfReach(meter: name, reason: "no answer within 40 s")),
    Case(
      member: "Connect", reactions: [.failure("org.bluez.Error.Failed", "le-connection-abort-by-local")],
      error: .outOfReach(meter: name, reason: "le-connection-abort-by-local")),
    Case(
      member: "Connect", reactions: [.failure("org.bluez.Error.Failed", "le-connection-abort-by-remote")],
      error: .pairingForgotten(meter: name)),
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
      member: "Pair", reactions: [.failure("org.bluez.Error.AuthenticationFailed")],
      error: .passkeyNeeded(meter: name), isPaired: false),
    Case(
      member: "Pair", reactions: [.failure("org.bluez.Error.AuthenticationRejected")],
      error: .pairingRefused(meter: name, reason: "it rejects this machine"), isPaired: false),
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

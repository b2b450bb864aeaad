// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import TestSupport
import Testing

@testable import Meters

@Suite("The way to a bridge")
struct BridgeBackendTests {
  private static func device(_ name: String?, _ number: Int, signal: Int? = -60) -> FoundMeter {
    FoundMeter(
      identity: MeterIdentity(address: "D8:C1:7A:F5:A1:0\(number)", name: name), services: [], signalStrength: signal,
      isPaired: false, isConnected: false, path: "/org/bluez/hci0/dev_\(number)")
  }

  private static let miaoMiao = device("miaomiao2_1", 1)
  private static let bubble = device("Bubble Mini", 2)

  // MARK: The choice

  @Test("is the only bridge that is near, or the one with the address")
  func choice() throws {
    let others = [Self.device("Pixel 7a", 5), Self.device(nil, 6), Self.device("BLU00123", 7)]
    #expect(try BridgeBackend.choice(among: others + [Self.miaoMiao], address: nil) == Self.miaoMiao)
    let both = others + [Self.miaoMiao, Self.bubble]
    #expect(try BridgeBackend.choice(among: both, address: "d8:c1:7a:f5:a1:02") == Self.bubble)
  }

  @Test(
    "has a message and a remedy for each other case",
    arguments: [
      ([], nil, "bridge", "no bridge was heard", "switch the phone's Bluetooth off"),
      ([device("miaomiao", 1, signal: nil)], nil, "bridge", "no bridge was heard", "libre bridges --scan"),
      (
        [miaoMiao], "D8:C1:7A:F5:A1:09", "D8:C1:7A:F5:A1:09", "no bridge was heard", "switch the phone's Bluetooth off"
      ),
      (
        [miaoMiao, bubble], nil, "bridge", "several are near: miaomiao2_1, Bubble Mini",
        "--reader bridge:D8:C1:7A:F5:A1:01 or --reader bridge:D8:C1:7A:F5:A1:02"
      ),
      (
        [device("BLU00123", 3)], nil, "BLU00123", BridgeModel.named("BLU00123")?.obstacle ?? "",
        "libre bridges lists"
      ),
    ] as [([FoundMeter], String?, String, String, String)])
  func refusals(
    _ found: [FoundMeter], _ address: String?, _ reader: String, _ reason: String, _ remedy: String
  ) throws {
    let error = #expect(throws: TransportError.self) { try BridgeBackend.choice(among: found, address: address) }
    #expect(error?.message == "the reader \(reader) cannot be used: \(reason)")
    guard case .readerUnfit(_, _, let given) = error else { return #expect(Bool(false)) }
    #expect(given.contains(remedy))
  }

  @Test("explains what keeps Bluetooth from being used")
  func bluetooth() {
    let start = "the reader bridge cannot be used: "
    for (error, message) in [
      (.adapterOff(name: "hci0", nil), start + "the Bluetooth adapter hci0 is switched off"),
      (.noDaemon, start + "bluetoothd, the Bluetooth service, is not running"),
      (.outOfReach(meter: "miaomiao", reason: "busy"), start + "miaomiao could not be connected: busy"),
      (.notInThisBuild, "this build of libre does not support bridge: readers"),
      (.cancelled, TransportError.cancelled.message),
    ] as [(BluetoothError, String)] {
      #expect(TransportError(error, bridge: nil).message == message)
    }
  }

  // MARK: Attempts

  @Test("is tried again at once, after 7 and 30 seconds, and then every minute")
  func attempts() async throws {
    let clock = SleptClock()
    var times: [Duration] = []
    for await _ in BridgeBackend(clock: clock).changes() {
      times.append(clock.now.slept)
      if times.count == 5 { break }
    }
    #expect(times == [.zero, .seconds(7), .seconds(37), .seconds(97), .seconds(157)])
  }

  @Test("is listed nowhere and chosen by no other address")
  func unlisted() async throws {
    #expect(try await BridgeBackend().readers().isEmpty)
    let other = try ReaderAddress("phone")
    await #expect(throws: TransportError.unknownAddress("phone")) { try await BridgeBackend().open(other) }
  }

  // MARK: Through bluetoothd

  private static let service = ScriptedBus.device + "/service0020"
  private static let command = service + "/char0021"
  private static let answer = service + "/char0023"

  /// What bluetoothd has of a bridge; without its characteristics as long as they are not known.
  private static func objects(hasCharacteristics: Bool = true) -> BusValue {
    guard case .dictionary(var objects) = ScriptedBus.objects(paired: false) else { return .other }
    objects[ScriptedBus.service] = nil
    objects[ScriptedBus.measurement] = nil
    objects[ScriptedBus.control] = nil
    guard hasCharacteristics else { return .dictionary(objects) }
    objects[service] = .dictionary([BlueZ.service: .dictionary(["UUID": .text(MeterService.bridge.uuid)])])
    for (path, characteristic) in [(command, MeterCharacteristic.bridgeCommand), (answer, .bridgeAnswer)] {
      objects[path] = .dictionary([BlueZ.characteristic: .dictionary(["UUID": .text(characteristic.uuid.uppercased())])]
      )
    }
    return .dictionary(objects)
  }

  private func bus(_ react: @escaping (BusCall, ScriptedBus) -> [ScriptedBus.Reaction]?) -> ScriptedBus {
    ScriptedBus(paired: false) { call, bus in
      react(call, bus) ?? (call.member == "GetManagedObjects" ? [.reply([Self.objects()])] : nil)
    }
  }

  @Test("is connected without a pairing, subscribed to and written to, and given back")
  func connected() async throws {
    let value = ScriptedBus.Reaction.signal(ScriptedBus.value([0x28], of: Self.answer))
    let bus = bus { call, _ in call.member == "WriteValue" ? [.reply([]), value, value] : nil }
    let adapter = try await bus.adapter()
    let link = try await adapter.connectUnpaired(bus.meter)
    #expect(link.characteristics == [.bridgeCommand, .bridgeAnswer])
    #expect(await link.perform(.subscribe(.bridgeAnswer), within: .seconds(5)) == .accepted)
    #expect(await link.perform(.bridge(.miaoMiaoReading), within: .seconds(5)) == .accepted)
    // Two equal notifications are two.
    for _ in 1...2 { #expect(await link.nextEvent(within: .seconds(5)) == .value(.bridgeAnswer, [0x28])) }
    await link.disconnect()
    await adapter.close()
    let sent = bus.members.drop { $0 != "GetManagedObjects" }.dropFirst()
    #expect(sent == ["Connect", "StartNotify", "WriteValue", "Disconnect"])
    let write = try #require(bus.sent.first { $0.member == "WriteValue" })
    #expect(write.path == Self.command && write.arguments == [.bytes([0xF0]), .options(["type": "request"])])
  }

  @Test("is searched for again, and connected meanwhile, if bluetoothd has forgotten it, and else left alone")
  func forgotten() async throws {
    let bus = bus { call, bus in
      call.member == "Connect" && bus.members.filter { $0 == "Connect" }.count == 1
        ? [.failure("org.freedesktop.DBus.Error.UnknownObject")] : nil
    }
    let link = try await bus.adapter().connectUnpaired(bus.meter)
    #expect(link.characteristics == [.bridgeCommand, .bridgeAnswer])
    #expect(
      bus.members.suffix(5) == ["Connect", "SetDiscoveryFilter", "StartDiscovery", "Connect", "StopDiscovery"])
    let distant = self.bus { call, _ in
      call.member == "Connect" ? [.failure("org.bluez.Error.Failed", "le-connection-abort-by-local")] : nil
    }
    let adapter = try await distant.adapter()
    await #expect(throws: BluetoothError.self) { try await adapter.connectUnpaired(distant.meter) }
    #expect(distant.members.last == "Disconnect" && Set(distant.members).isDisjoint(with: ["Pair", "RegisterAgent"]))
    // It has a moment to show its characteristics.
    let silent = self.bus { call, _ in
      call.member == "GetManagedObjects" ? [.reply([Self.objects(hasCharacteristics: false)])] : nil
    }
    let bare = try await silent.adapter().connectUnpaired(silent.meter)
    #expect(bare.characteristics.isEmpty && silent.now == .seconds(2))
  }
}

@Suite("The kinds of bridges")
struct BridgeModelTests {
  @Test(
    "are known by the beginning of their names, in any case",
    arguments: [
      ("miaomiao", BridgeLanguage.miaoMiao), ("miaomiao2_4711", .miaoMiao), ("MiaoMiao3", .miaoMiao),
      ("Watlaa 1234", .miaoMiao), ("Bubble", .bubble), ("Bubble Mini", .bubble), ("bubble nano", .bubble),
      ("Atom", .bubble), ("BLU00123", nil), ("LimiTTer", nil), ("limitter-77", nil), ("xbridge2", nil),
      ("blueReader", nil), ("GNSentry", nil),
    ])
  func bridges(_ name: String, _ language: BridgeLanguage?) throws {
    let model = try #require(BridgeModel.named(name))
    // One that is not read has a reason.
    #expect(model.language == language && (model.obstacle?.count ?? 0 > 20) == (language == nil))
  }

  @Test("are no other devices, and need a name")
  func others() {
    for name in ["BLU", "BLUETOOTH", "Bluebird 7", "Atomic", "blueReader 2", "Pixel 7a", "", nil] {
      #expect(BridgeModel.named(name) == nil)
    }
  }
}

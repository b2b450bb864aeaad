// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
package import NFCTransport
import Synchronization

/// Bridges near this machine: `bridge`, or `bridge:ADDRESS` if there are several. Run against an emulator of their
/// languages; untested on hardware.
///
/// No bridge is listed or chosen by itself: only a search of many seconds finds one, and who connects takes it away from
/// the owner's phone, and with it the phone's alarms.
package struct BridgeBackend: ReaderBackend {
  package let scheme = "bridge"
  package let summary = "a Bluetooth bridge on the sensor (MiaoMiao, Bubble): bridge, or bridge:ADDRESS"

  /// A connected bridge, and what is to be done after its end.
  package typealias Connection = (link: any MeterLink, finish: @Sendable () async -> Void)

  private let acceptsSensor: Bool
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Duration
  private let connect: @Sendable (_ address: String?) async throws(TransportError) -> Connection

  /// `acceptsSensor`: the user has said that a new sensor is below the bridge.
  package init(
    acceptsSensor: Bool = false, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Duration = ObservedReader.uptime,
    connect: @escaping @Sendable (_ address: String?) async throws(TransportError) -> Connection = Self.connected
  ) {
    (self.acceptsSensor, self.clock, self.now, self.connect) = (acceptsSensor, clock, now, connect)
  }

  /// Searches, connects, and waits for the first reading.
  /// - Throws: `readerUnfit` with what keeps the bridge from being used, and the remedy.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard address.scheme == scheme else { throw .unknownAddress(address.description) }
    let (link, finish) = try await connect(address.rest)
    guard let language = BridgeModel.named(link.identity.name)?.language else {
      await link.disconnect()
      await finish()
      throw .unknownAddress(address.description)
    }
    return try await BridgeReader.open(
      link, speaking: language, at: address, acceptsSensor: acceptsSensor, now: now, finish: finish)
  }

  /// Nothing reports that a bridge has come back, so each element is another attempt: at once, after 7 and 30 seconds, then
  /// every minute.
  package func changes() -> ReaderChanges {
    let attempt = Atomic(0)
    return ReaderChanges { [clock] in
      let number = attempt.add(1, ordering: .relaxed).oldValue
      guard number > 0 else { return .success([]) }
      do { try await clock.sleep(for: Self.pauses[min(number, Self.pauses.count) - 1]) } catch { return nil }
      return .success([])
    }
  }

  static let pauses: [Duration] = [.seconds(7), .seconds(30), .seconds(60)]

  // MARK: Over Bluetooth

  private static let search = Duration.seconds(15)
  /// A second bridge may belong to another person.
  private static let further = Duration.seconds(2)

  package static let connected: @Sendable (_ address: String?) async throws(TransportError) -> Connection = {
    address throws(TransportError) in
    let environment = ChildProcess.inherited
    let adapter = try await explained(address) { () async throws(BluetoothError) in
      try await BluetoothAdapter.open(environment: environment)
    }
    do throws(TransportError) {
      let found = try await explained(address) { () async throws(BluetoothError) in
        try await adapter.search(within: search, further: address == nil ? further : .zero) {
          (try? choice(among: $0, address: address)) != nil
        }
      }
      let bridge = try choice(among: found, address: address)
      let link = try await explained(address) { () async throws(BluetoothError) in
        try await adapter.connectUnpaired(bridge)
      }
      return (link, { await adapter.close() })
    } catch {
      await adapter.close()
      throw error
    }
  }

  private static func explained<Value>(
    _ address: String?, _ work: () async throws(BluetoothError) -> Value
  ) async throws(TransportError) -> Value {
    do throws(BluetoothError) { return try await work() } catch { throw TransportError(error, bridge: address) }
  }

  /// The bridge that is read.
  static func choice(among found: [FoundMeter], address: String?) throws(TransportError) -> FoundMeter {
    let bridges = found.filter { bridge in
      bridge.isNear && bridge.bridge != nil && address.map { $0.uppercased() == bridge.identity.address } ?? true
    }
    let readable = bridges.filter { $0.bridge?.language != nil }
    let name = address ?? "bridge"
    if readable.count > 1 {
      throw .readerUnfit(
        name: name, reason: "several are near: \(readable.map(\.title).joined(separator: ", "))",
        remedy: "name one: \(readable.map { "--reader bridge:\($0.identity.address)" }.joined(separator: " or "))")
    }
    if let bridge = readable.first { return bridge }
    if let other = bridges.first, let obstacle = other.bridge?.obstacle {
      throw .readerUnfit(
        name: other.title, reason: obstacle, remedy: "libre bridges lists the kinds of bridges that can be read")
    }
    throw .readerUnfit(
      name: name, reason: "no bridge was heard",
      remedy: "a phone near may hold it: switch the phone's Bluetooth off; libre bridges --scan lists what is heard")
  }
}

extension FoundMeter {
  /// The kind of bridge that this device is by its name; nil for another device.
  package var bridge: BridgeModel? { BridgeModel.named(identity.name) }
}

extension TransportError {
  /// Creates the error for a Bluetooth that cannot be used, or a bridge that cannot be connected.
  init(_ error: BluetoothError, bridge address: String?) {
    let remedy =
      switch error {
      case .outOfReach, .linkLost, .notFound:
        "keep it within a few metres, and switch the Bluetooth of phones off that may hold it"
      default: "libre doctor names the line that repairs it"
      }
    self =
      switch error {
      case .cancelled: .cancelled
      case .notInThisBuild: .notInThisBuild(scheme: BridgeBackend().scheme)
      default: .readerUnfit(name: address ?? "bridge", reason: error.message, remedy: remedy)
      }
  }
}

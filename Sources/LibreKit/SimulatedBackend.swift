// SPDX-License-Identifier: Apache-2.0
import Meters

package struct SimulatedBackend: ReaderBackend {
  package let scheme = "sim"
  package let summary =
    "a simulated sensor: a scenario, SCENARIO:SEED, or a dump file; phone:SCENARIO, bridge:SCENARIO on such a reader"
  private let acceptsSensor: Bool
  private let clock: any Clock<Duration>
  private let file: @Sendable (_ path: String) throws(TransportError) -> MemoryImage?

  /// A backend that reads dump files with `file`, which returns nil for a missing file; by default all are missing.
  package init(
    acceptsSensor: Bool = false, clock: any Clock<Duration> = ContinuousClock(),
    file: @escaping @Sendable (_ path: String) throws(TransportError) -> MemoryImage? = { _ in nil }
  ) {
    (self.acceptsSensor, self.clock, self.file) = (acceptsSensor, clock, file)
  }

  /// A scenario has priority over a file of the same name; behind `phone:` it is on a simulated phone, behind `bridge:`
  /// below a simulated bridge. Throws `unknownAddress` if neither exists, or if the seed is not a decimal number below
  /// 2⁶⁴; and the errors of `file`.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard address.scheme == scheme, let source = address.rest else { throw .unknownAddress(address.description) }
    if let bridge = try bridge(source) {
      return try await BridgeReader.open(
        bridge, speaking: bridge.language, at: address, acceptsSensor: acceptsSensor)
    }
    let isPhone = source == "phone" || source.hasPrefix("phone:")
    let sensor = !isPhone ? source : source == "phone" ? "active" : String(source.dropFirst("phone:".count))
    guard let image = try image(sensor) else { throw .unknownAddress(address.description) }
    if isPhone { return try await SimulatedPhone.reader(of: image, at: address) }
    return SimulatedTag(address: address.description) { _ in image }
  }

  /// The bridge of `bridge`, `bridge:bubble`, `bridge:FAULT`, `bridge:SCENARIO` and of what these are together, in this
  /// order; nil for another text.
  private func bridge(_ source: String) throws(TransportError) -> SimulatedBridge? {
    var words = source.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard words.removeFirst() == "bridge" else { return nil }
    let language = words.first.flatMap(BridgeLanguage.init)
    if language != nil { words.removeFirst() }
    let fault = words.first.flatMap(SimulatedBridgeFault.init)
    if fault != nil { words.removeFirst() }
    guard let image = try image(words.isEmpty ? "active" : words.joined(separator: ":")) else { return nil }
    return SimulatedBridge(language ?? .miaoMiao, fault, clock: clock) { _ in image }
  }

  private func image(_ source: String) throws(TransportError) -> MemoryImage? {
    let parts = source.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let seed = parts.count == 1 ? 1 : UInt64(parts[1])
    let scenario = Scenario.named(String(parts[0]))
    var image = if let scenario { seed.map(scenario.image) } else { try file(source) }
    if let known = image { image?.uid = known.uid ?? Self.inventedUID(for: known) }
    return image
  }

  /// Two dumps with the same factory data get the same UID, because they are of one sensor.
  private static func inventedUID(for image: MemoryImage) -> SensorUID? {
    let factoryData = image.bytes.dropFirst(MemoryMap.footer.start).prefix(MemoryMap.footer.bytes.count)
    let seed = factoryData.reduce(0) { SplitMix64(seed: $0 ^ UInt64($1)).word(at: 0) }
    return SensorUID(bits: 0xE007_A0FF_0000_0000 | seed & 0xFFFF_FFFF)
  }
}

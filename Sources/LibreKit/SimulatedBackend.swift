// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
package import NFCTransport

package struct SimulatedBackend: ReaderBackend {
  package let scheme = "sim"
  package let summary =
    "a simulated sensor: a scenario, SCENARIO:SEED for another one, or a dump file; phone:… by a phone"
  private let file: @Sendable (_ path: String) throws(TransportError) -> MemoryImage?

  /// A backend that reads dump files with `file`, which returns nil for a missing file; by default all are missing.
  package init(
    file: @escaping @Sendable (_ path: String) throws(TransportError) -> MemoryImage? = { _ in nil }
  ) {
    self.file = file
  }

  /// A scenario has priority over a file of the same name. Throws `unknownAddress` if neither exists,
  /// or if the seed is not a decimal number below 2⁶⁴; and the errors of `file`.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    var source = address.rest ?? ""
    let isPhone = source == "phone" || source.hasPrefix("phone:")
    if isPhone { source = source == "phone" ? "active" : String(source.dropFirst("phone:".count)) }
    guard address.scheme == scheme, address.rest != nil, var image = try image(source) else {
      throw .unknownAddress(address.description)
    }
    image.uid = image.uid ?? Self.inventedUID(for: image)
    if isPhone { return try await SimulatedPhone.reader(of: image, at: address) }
    return SimulatedTag(address: address.description) { [image] _ in image }
  }

  private func image(_ source: String) throws(TransportError) -> MemoryImage? {
    let parts = source.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let scenario = Scenario.named(String(parts[0])) else { return try file(source) }
    let seed = parts.count == 1 ? 1 : UInt64(parts[1])
    return seed.map(scenario.image)
  }

  /// Two dumps with the same factory data get the same UID, because they are of one sensor.
  private static func inventedUID(for image: MemoryImage) -> SensorUID? {
    let factoryData = image.bytes.dropFirst(MemoryMap.footer.start).prefix(MemoryMap.footer.bytes.count)
    let seed = factoryData.reduce(0) { SplitMix64(seed: $0 ^ UInt64($1)).word(at: 0) }
    return SensorUID(bits: 0xE007_A0FF_0000_0000 | seed & 0xFFFF_FFFF)
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import NFCTransport

/// Simulated sensors as readers: `sim:SCENARIO`, or `sim:SCENARIO:SEED` for another sensor of the same kind.
public struct SimulatedBackend: ReaderBackend {
  public let scheme = "sim"
  /// The seed of an address without one.
  public static let defaultSeed: UInt64 = 1

  public init() {}

  /// Throws `unknownAddress` if there is no such scenario, or if the seed is not a decimal number below 2⁶⁴.
  public func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard case .simulated(let source) = address else { throw .unknownAddress(address.description) }
    let parts = source.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let seed = parts.count == 1 ? Self.defaultSeed : UInt64(parts[1])
    guard let seed, let scenario = Scenario.named(String(parts[0])) else {
      throw .unknownAddress(address.description)
    }
    let image = scenario.image(seed: seed)
    guard let uid = image.uid else { throw .unknownAddress(address.description) }
    return SimulatedTag(
      memory: image.bytes, uid: uid, patchInfo: image.patchInfo, address: address.description)
  }
}

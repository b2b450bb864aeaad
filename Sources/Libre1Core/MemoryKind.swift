// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// What the checksums say a memory is, whatever its file is called.
public enum MemoryKind: Hashable, Sendable {
  /// At least one region of the Libre 1 layout holds.
  case libre1
  /// The three regions of another layout hold.
  case other(MemoryGeometry)
  /// All bytes are this one, 00 or FF.
  case blank(UInt8)
  /// Nothing holds: encrypted, or no memory.
  case unrecognised

  public init(of bytes: Span<UInt8>, missingBlocks: BlockSet = BlockSet()) {
    if let fram = try? FRAM(bytes, missingBlocks: missingBlocks), fram.trustedRegions > 0 {
      self = .libre1
    } else if let other = MemoryGeometry.others.first(where: { $0.trustedRegions(in: bytes) == 3 }) {
      self = .other(other)
    } else {
      self.init(ofUnproven: bytes)
    }
  }

  /// Of a memory in which no layout's checksums hold.
  init(ofUnproven bytes: Span<UInt8>) {
    if bytes.count > 0, bytes[0] == 0x00 || bytes[0] == 0xFF,
      bytes.indices.allSatisfy({ bytes[$0] == bytes[0] })
    {
      self = .blank(bytes[0])
    } else {
      self = .unrecognised
    }
  }

  /// Throws what the memory is instead, unless it is laid out as a Libre 1's.
  public func requireLibre1() throws(MemoryError) {
    switch self {
    case .libre1: return
    case .other(let geometry): throw .unsupportedFamily(geometry.family)
    case .blank(let byte): throw .blank(byte)
    case .unrecognised: throw .encryptedOrUnknown
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The kind of a memory, determined from its checksums and not from the name of its file.
package enum MemoryKind: Hashable, Sendable {
  /// A memory in which at least one region of the Libre 1 layout has a correct checksum.
  case libre1
  /// A memory in which all three regions of another layout have correct checksums.
  case other(MemoryGeometry)
  /// All bytes have this value, 00 or FF.
  case blank(UInt8)
  /// All checksums are wrong: the memory is encrypted, or is not a sensor memory.
  case unrecognised

  init(ofUnproven bytes: Span<UInt8>) {
    if bytes.count > 0, bytes[0] == 0x00 || bytes[0] == 0xFF,
      bytes.indices.allSatisfy({ bytes[$0] == bytes[0] })
    {
      self = .blank(bytes[0])
    } else {
      self = .unrecognised
    }
  }

  /// Throws the error for the kind of memory that it is instead of a Libre 1's.
  package func requireLibre1() throws(MemoryError) {
    switch self {
    case .libre1: return
    case .other(let geometry): throw .unsupportedFamily(geometry.family)
    case .blank(let byte): throw .blank(byte)
    case .unrecognised: throw .encryptedOrUnknown
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A memory image with the results of its checksums, which the scan, or the reader of a dump, makes once.
public struct CheckedMemory: Hashable, Sendable {
  /// The bytes, with what is known about the scan.
  public package(set) var image: MemoryImage
  package let fram: FRAM
  package let kind: MemoryKind
  /// The results in each other layout; empty if a region of a Libre 1's is trusted.
  private let others: [(geometry: MemoryGeometry, integrity: MemoryIntegrity)]

  package init(_ image: MemoryImage) {
    self.image = image
    fram = FRAM(padding: image)
    let isLibre1 = fram.integrity.trustedRegions > 0
    others = isLibre1 ? [] : MemoryGeometry.others.map { ($0, $0.integrity(of: image)) }
    let other = others.first { $0.integrity.trustedRegions == 3 }
    kind = isLibre1 ? .libre1 : other.map { .other($0.geometry) } ?? MemoryKind(ofUnproven: image.bytes.span)
  }

  /// The results in the layout that the memory has; in a Libre 1's if all checksums are wrong.
  public var integrity: MemoryIntegrity {
    if case .other(let geometry) = kind { integrity(in: geometry) } else { fram.integrity }
  }

  package func integrity(in geometry: MemoryGeometry) -> MemoryIntegrity {
    if geometry == MemoryMap.geometry { return fram.integrity }
    return others.first { $0.geometry == geometry }?.integrity ?? geometry.integrity(of: image)
  }

  /// The same memory with other facts, which no checksum covers.
  package func with(uid: SensorUID?, patchInfo: PatchInfo?, readAt: Instant?) -> Self {
    var copy = self
    (copy.image.uid, copy.image.patchInfo, copy.image.readAt) = (uid, patchInfo, readAt)
    return copy
  }

  /// True for equal images; all else is computed from them.
  public static func == (one: Self, other: Self) -> Bool { one.image == other.image }
  public func hash(into hasher: inout Hasher) { hasher.combine(image) }
}

/// Determined from checksums and not from the name of a file.
package enum MemoryKind: Hashable, Sendable {
  /// A region or more of the Libre 1 layout has a correct checksum.
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

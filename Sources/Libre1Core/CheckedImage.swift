// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A memory image with the results of its checksums, which are computed here once and kept with the image.
package struct CheckedImage: Hashable, Sendable {
  package private(set) var image: MemoryImage
  /// The image at the length of a Libre 1 memory.
  package let fram: FRAM
  package let kind: MemoryKind
  /// The number of trusted regions in each other layout; empty if one of a Libre 1's is trusted.
  private let others: [(geometry: MemoryGeometry, trusted: Int)]

  package init(_ image: MemoryImage) {
    self.image = image
    fram = FRAM(padding: image)
    let isLibre1 = fram.trustedRegions > 0
    others = isLibre1 ? [] : MemoryGeometry.others.map { ($0, $0.trustedRegions(in: image.bytes.span)) }
    let other = others.first { $0.trusted == 3 }
    kind = isLibre1 ? .libre1 : other.map { .other($0.geometry) } ?? MemoryKind(ofUnproven: image.bytes.span)
  }

  /// Returns the number of trusted regions in a layout that is not a Libre 1's, 0…3; 0 if the memory is a Libre 1's.
  package func trustedRegions(in geometry: MemoryGeometry) -> Int {
    others.first { $0.geometry == geometry }?.trusted ?? 0
  }

  /// Returns the same memory with other facts, which no checksum covers.
  package func with(uid: SensorUID?, patchInfo: PatchInfo?, readAt: Instant?) -> Self {
    var copy = self
    (copy.image.uid, copy.image.patchInfo, copy.image.readAt) = (uid, patchInfo, readAt)
    return copy
  }

  /// True for equal images; all else is computed from them.
  package static func == (one: Self, other: Self) -> Bool { one.image == other.image }

  package func hash(into hasher: inout Hasher) { hasher.combine(image) }
}

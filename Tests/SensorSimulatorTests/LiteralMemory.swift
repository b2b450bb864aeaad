// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Memory built from numbers written out here, with a checksum of its own: what proves the writer must not be the writer.
struct LiteralMemory {
  var bytes = [UInt8](repeating: 0, count: 344)

  mutating func put(_ values: [UInt8], at offset: Int) {
    for (index, value) in values.enumerated() { bytes[offset + index] = value }
  }

  /// Writes the checksums of header, body and footer.
  mutating func seal() {
    for region in [0..<24, 24..<320, 320..<344] { bytes.seal(region) }
  }
}

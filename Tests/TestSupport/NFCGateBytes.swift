// SPDX-License-Identifier: Apache-2.0

/// Messages of the app NFCGate, byte by byte: four bytes of length, the session, and fields of Protocol Buffers.
package enum NFCGateBytes {
  package static let hello: [UInt8] = [0, 0, 0, 2, 1, 0x08, 0x01]
  /// A card came into the field.
  package static let found: [UInt8] = [0, 0, 0, 4, 1, 0x12, 0x02, 0x08, 0x01]

  package static func answer(_ bytes: [UInt8]) -> [UInt8] {
    let data = [0x08, 0x01, 0x10, 0x01, 0x1A, UInt8(bytes.count)] + bytes
    return [0, 0, 0, UInt8(data.count + 2), 1, 0x12, UInt8(data.count)] + data
  }
}

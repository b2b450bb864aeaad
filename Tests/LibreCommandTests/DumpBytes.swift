// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The 344 bytes of a dump of ours, and what can be done to them, without any code of the command.
struct DumpBytes {
  var bytes: [UInt8]

  /// The bytes of SensorDumps/libre1/NAME.hex.
  init(_ name: String) throws {
    let file = Repository.dumps.appendingPathComponent("\(name).hex")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    bytes = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .flatMap { $0.split(separator: " ") }.compactMap { UInt8($0, radix: 16) }
  }

  func changed(at offset: Int, to byte: UInt8, sealing region: Range<Int>? = nil) -> [UInt8] {
    var copy = self
    copy.bytes[offset] = byte
    if let region { copy.bytes.seal(region) }
    return copy.bytes
  }

  /// The checksum that stands at a region's start, as it is printed.
  static func stored(_ bytes: [UInt8], at offset: Int) -> String {
    hex(UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8)
  }

  static func hex(_ number: UInt16) -> String {
    String(String(UInt32(number) + 0x10000, radix: 16).uppercased().dropFirst())
  }

  /// Bytes without order, the same in every run.
  static func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }
}

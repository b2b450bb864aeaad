// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The 344 bytes of a dump of ours, read without any code of the command.
struct DumpBytes {
  let bytes: [UInt8]

  /// The bytes of SensorDumps/libre1/NAME.hex.
  init(_ name: String) throws {
    let file = Repository.dumps.appendingPathComponent("\(name).hex")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    bytes = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .flatMap { $0.split(separator: " ") }.compactMap { UInt8($0, radix: 16) }
  }
}

// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import Foundation
package import NFCTransport

extension MemoryImage {
  /// The memory as a hex dump that says whose it is and when it was read.
  package var hexDump: String {
    let facts = [
      uid.map { "uid: \($0)" }, patchInfo.map { "patch-info: \($0)" }, readAt.map { "read-at: \($0.rfc3339)" },
    ]
    let digits = bytes.map { String(format: "%02X", $0) }.joined(separator: " ")
    return facts.compactMap(\.self).map { "# \($0)\n" }.joined() + digits + "\n"
  }
}

extension Trace {
  /// As it is written: what it was read from, but for spaces and the case of digits.
  package var text: String { lines.map { "\($0.text)\n" }.joined() }
}

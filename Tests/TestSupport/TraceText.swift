// SPDX-License-Identifier: Apache-2.0
package import NFCTransport

extension Trace {
  /// As it is written: what it was read from, but for spaces and the case of digits.
  package var text: String { lines.map { "\($0.text)\n" }.joined() }
}

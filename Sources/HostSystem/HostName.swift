// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The name in a `Host` field, without its port.
package struct HostName {
  /// Name in lower case; of an IPv6 address what stands in the brackets.
  package let text: String

  package init(_ field: String) {
    let field = field.lowercased()
    if field.hasPrefix("[") {
      text = String(field.dropFirst().prefix { $0 != "]" })
    } else {
      text = String(field.prefix { $0 != ":" })
    }
  }

  /// True of an IPv4 or IPv6 address. No resolver knows a name that looks like one.
  package var isAddress: Bool { isIPv4 || isIPv6 }

  private var isIPv4: Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8(String(Substring($0))) != nil }
  }

  private var isIPv6: Bool {
    text.contains(":")
      && text.utf8.allSatisfy { HexText.nibble($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
  }
}

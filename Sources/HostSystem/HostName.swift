// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The name in a `Host` field, without its port.
package struct HostName {
  /// Name in lower case; of an IPv6 address what stands in the brackets.
  package let text: String

  /// nil for a field that is neither a name nor an address, with or without a port. An empty one is a name without letters.
  package init?(_ field: String) {
    let field = field.lowercased()
    let rest: Substring
    if field.hasPrefix("[") {
      guard let end = field.firstIndex(of: "]") else { return nil }
      text = String(field[..<end].dropFirst())
      rest = field[field.index(after: end)...]
      guard isIPv6 else { return nil }
    } else {
      text = String(field.prefix { $0 != ":" })
      rest = field.dropFirst(text.count)
      guard text.utf8.allSatisfy(\.isNameCharacter) else { return nil }
    }
    guard rest.isEmpty || rest.utf8.dropFirst().allSatisfy(\.isDigit) && rest.hasPrefix(":") else { return nil }
  }

  /// True of an IPv4 or IPv6 address. No resolver knows a name that looks like one.
  package var isAddress: Bool { isIPv4 || isIPv6 }

  private var isIPv4: Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { $0.allSatisfy(\.isDigit) && UInt8(String(Substring($0))) != nil }
  }

  private var isIPv6: Bool {
    text.contains(":")
      && text.utf8.allSatisfy { HexText.nibble($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// True of what a host name or an IPv4 address is made of.
  package var isNameCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

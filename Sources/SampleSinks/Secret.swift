// SPDX-License-Identifier: Apache-2.0

/// Something that only the receiver may see: a password, a token, a key.
///
/// It describes itself as a placeholder, so that no log, error or dump of a value that holds one shows it.
public struct Secret: Hashable, Sendable {
  private let text: String

  public init(_ text: String) { self.text = text }

  /// For couriers and signatures alone.
  package func revealed() -> String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "(secret)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

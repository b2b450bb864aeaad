// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A value for the receiver only: a password, a token, a key.
///
/// Its description is a placeholder, so that logs, errors and dumps do not show it.
public struct Secret: Hashable, Sendable {
  private let text: String

  public init(_ text: String) { self.text = text }

  /// Returns the text, for couriers and signatures only.
  package func revealed() -> String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "(secret)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret {
  /// Returns the credentials of HTTP's Basic authentication, encoded.
  static func basic(user: String, password: Secret) -> Secret {
    Secret(Base64Text.encoded(Array("\(user):\(password.revealed())".utf8)))
  }
}

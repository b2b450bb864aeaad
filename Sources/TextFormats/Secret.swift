// SPDX-License-Identifier: Apache-2.0

/// A value for the receiver only: a password, a token, a key. Logs, errors and dumps show a placeholder.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
  private let text: String
  package init(_ text: String) { self.text = text }

  /// Returns the text, for couriers and signatures only.
  package func revealed() -> String { text }

  /// Returns the credentials of HTTP's Basic authentication, encoded.
  package static func basic(user: String, password: Secret) -> Secret {
    Secret(Base64Text.encoded(Array("\(user):\(password.revealed())".utf8)))
  }
}

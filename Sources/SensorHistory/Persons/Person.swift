// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// One of the people whose sensors this machine reads: a store, a configuration with sinks, and a name.
///
/// The user is the person without a name, whose files are `config.toml` and `history.sqlite` as if there were only one person.
/// Those of another person are in the directory `persons/NAME` beside them. The environment that is passed to
/// everything that opens files says whose they are, in `LIBRE_PERSON`.
package struct Person: Hashable, Sendable {
  /// nil for the user.
  package let name: String?

  package static let user = Person(name: nil)
  package static let userWord = "me"
  package static let variable = "LIBRE_PERSON"

  private init(name: String?) { self.name = name }

  package init?(_ word: String) {
    guard word == Self.userWord || Self.isName(word) else { return nil }
    self.init(name: word == Self.userWord ? nil : word)
  }

  package init(of environment: [String: String]) {
    self = environment[Self.variable].flatMap(Person.init(_:)) ?? .user
  }

  /// True for a name that a directory, a web address and an MQTT topic can have.
  package static func isName(_ word: String) -> Bool {
    (1...64).contains(word.utf8.count) && word.utf8.first != UInt8(ascii: "-") && word != userWord
      && word.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains)
  }

  package var word: String { name ?? Self.userWord }

  package var possessive: String { name.map { "\($0)'s" } ?? "yours" }
}

/// The user's own name for the person, which is sent with every value.
package enum ReferenceID {
  package static let key = "reference_id"
  package static let variable = "LIBRE_REFERENCE_ID"
  package static let allowed =
    "up to 128 bytes without control characters and without @, so not an e-mail address; or nothing"

  package static func accepts(_ text: String) -> Bool {
    text.utf8.count <= 128 && text.unicodeScalars.allSatisfy { SafeText.isPrintable($0) && $0 != "@" }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CommandSupport
@testable import LibreKit
@testable import SensorHistory

struct PersonTests {
  private static let home = ["HOME": "/home/u", "LIBRE_STORE": "/mine.sqlite", "LIBRE_UNIT": "mmol/L"]

  @Test(
    "a name fits into a path and an address",
    arguments: [
      ("ann-2", true), ("2", true), ("me", false), ("", false), ("-a", false), ("Ann", false), ("../x", false),
      ("ä", false), (String(repeating: "a", count: 65), false),
    ])
  func names(_ word: String, isName: Bool) { #expect(Person.isName(word) == isName) }

  @Test("the user's files are where they always were, and another person's in a directory of their own")
  func places() throws {
    let ann = try #require(Person("ann")).environment(from: Self.home)
    #expect(ConfigurationFile.path(environment: Self.home) == "/home/u/.config/libre/config.toml")
    #expect(ConfigurationFile.path(environment: ann) == "/home/u/.config/libre/persons/ann/config.toml")
    #expect(StoreFile.path(setting: "", environment: ann) == "/home/u/.local/share/libre/persons/ann/history.sqlite")
    let again = Person.user.environment(from: ann)
    #expect(ConfigurationFile.path(environment: again) == "/home/u/.config/libre/config.toml")
    #expect(Person(of: ann).name == "ann" && Person(of: again) == .user && Person("me") == .user)
    // The variables of personal settings and of secrets are the user's alone.
    var environment = Self.home
    for name in ["LIBRE_SECRET_NIGHT", "LIBRE_SERVE_SECRET", "LIBRE_REFERENCE_ID", "LIBRE_NAME"] {
      environment[name] = "x"
    }
    let personal = try #require(Person("ann")).environment(from: environment)
    #expect(personal == ["HOME": "/home/u", "LIBRE_UNIT": "mmol/L", "LIBRE_PERSON": "ann"])
    #expect(Person.user.environment(from: environment) == environment)
  }

  @Test("a person's file lies over the user's, except for what is personal")
  func layers() throws {
    let mine = try ConfigurationFile(
      path: "/mine",
      bytes: Array("unit = \"mmol/L\"\nstore = \"/mine.sqlite\"\nreference_id = \"me\"\nname = \"Me\"\n".utf8))
    let theirs = try ConfigurationFile(path: "/theirs", bytes: Array("time_zone = \"UTC\"\n".utf8))
    let configuration = try Configuration(flags: [:], environment: [:], file: theirs, shared: mine)
    #expect(configuration[.unit] == .init(text: "mmol/L", origin: .file("/mine")))
    #expect(configuration[.timeZone] == .init(text: "UTC", origin: .file("/theirs")))
    for setting in [Setting.store, .referenceID, .name] { #expect(configuration[setting].origin == .standard) }
  }
}

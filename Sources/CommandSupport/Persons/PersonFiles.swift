// SPDX-License-Identifier: Apache-2.0
import HostSystem
import SampleSync
package import SensorHistory

extension Person {
  /// Returns the environment in which this person's files are found. Variables for personal settings and for secrets
  /// are the user's: the receiver of one person must not get the secret, and their store not the values, of another.
  package func environment(from environment: [String: String]) -> [String: String] {
    var own = environment
    own[Self.variable] = name
    if name == nil { return own }
    let personal = Set(Setting.all.filter(\.isPersonal).map(\.variable) + [SecretVariable.serve])
    return own.filter { !personal.contains($0.key) && !$0.key.hasPrefix(SecretVariable.sinkPrefix) }
  }

  /// Returns the path of a file of the person an environment means; nil if no variable for its directory is set.
  static func path(of file: String, _ purpose: UserDirectories.Purpose, environment: [String: String]) -> String? {
    let folder = Person(of: environment).name.map { "\(directory)/\($0)/" } ?? ""
    return UserDirectories.path(of: folder + file, purpose, environment: environment)
  }

  static let directory = "persons"
}

extension StoreFile {
  /// The path from the setting, else the default below `XDG_DATA_HOME` or `~/.local/share`; nil if neither is known.
  package static func path(setting: String, environment: [String: String]) -> String? {
    setting.isEmpty ? Person.path(of: "history.sqlite", .data, environment: environment) : setting
  }
}

extension Session {
  /// The person's store for reading; nil if nothing was stored yet.
  package func existingStore() throws(LibreError) -> SensorStore? { try StoreFile.openIfPresent(storePath()) }
}

// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import SensorHistory
import TextFormats

/// The other people of this machine's user: a directory for each beside the user's configuration file.
package enum Persons {
  /// All persons besides the user, in alphabetical order.
  package static func all(environment: [String: String]) -> [Person] {
    guard let directory = directory(.configuration, environment) else { return [] }
    let names = ((try? FileSystem.names(in: directory)) ?? []).filter {
      Person.isName($0) && FileSystem.isFile("\(directory)/\($0)/config.toml")
    }
    return names.sorted().compactMap { Person($0) }
  }

  /// Returns an existing person; `me` is the user.
  package static func named(_ word: String, environment: [String: String]) throws(LibreError) -> Person {
    guard let person = Person(word) else { throw .person(.badName(SafeText.excerpt(word))) }
    let known = all(environment: environment)
    guard person == .user || known.contains(person) else {
      throw .person(.noSuchPerson(word, known: known.map(\.word)))
    }
    return person
  }

  /// Adds a person, with these settings of theirs. Returns the path of their configuration file.
  @discardableResult
  package static func add(
    _ word: String, settings: [Setting: String], environment: [String: String]
  ) throws(LibreError) -> String {
    let person = try new(word, environment)
    let own = person.environment(from: environment)
    let path = try ConfigurationFile.requiredPath(environment: own)
    try Files.writePrivate(
      Array("# Settings and sinks of \(word). What is not set here is as you set it for yourself.\n".utf8), to: path,
      keepsMode: false)
    for (setting, text) in settings.sorted(by: { $0.key.key < $1.key.key }) {
      try ConfigurationFile.set(setting.key, to: text, environment: own)
    }
    return path
  }

  /// Returns the person that a subject of a study becomes, and adds them: with the subject as their full name, and its
  /// letters and digits as the short one, which somebody else must not have.
  package static func subject(_ name: String, environment: [String: String]) throws(LibreError) -> Person {
    let word = name.lowercased().map { Person.isName("a\($0)") ? String($0) : "-" }.joined()
    let short = String(word.drop { $0 == "-" }.prefix(64))
    guard let person = Person(short), person != .user, Setting.name.accepts(name) else {
      throw .person(.badName(SafeText.excerpt(name)))
    }
    if all(environment: environment).contains(person) {
      let file = try ConfigurationFile.load(environment: person.environment(from: environment))
      guard file?.values[.name] == name else { throw .person(.exists(short)) }
      return person
    }
    try add(short, settings: [.name: name], environment: environment)
    return person
  }

  /// Gives a person another name. Their store, sinks and secrets stay. After an error nothing has changed.
  package static func rename(_ word: String, to newWord: String, environment: [String: String]) throws(LibreError) {
    let (person, next) = (try other(word, environment), try new(newWord, environment))
    let moves = UserDirectories.Purpose.allCases.compactMap { purpose in
      directory(purpose, environment).map { (from: "\($0)/\(person.word)", to: "\($0)/\(next.word)") }
    }.filter { FileSystem.exists($0.from) }
    var moved: [(from: String, to: String)] = []
    do throws(OutputError) {
      for move in moves {
        try FileSystem.rename(move.from, to: move.to)
        moved.append(move)
      }
    } catch {
      for move in moved.reversed() { try? FileSystem.rename(move.to, to: move.from) }
      throw .output(error)
    }
    try movePaths(in: next.environment(from: environment), moves)
  }

  package static func remove(_ word: String, environment: [String: String]) throws(LibreError) {
    let person = try other(word, environment)
    // The configuration is last: until then the person exists, and the removal can be repeated.
    for purpose in UserDirectories.Purpose.allCases.reversed() {
      guard let directory = directory(purpose, environment) else { continue }
      let folder = "\(directory)/\(person.word)"
      if FileSystem.exists(folder) { try libre(FileSystem.removeFolder(folder)) }
    }
  }

  package static func other(_ word: String, _ environment: [String: String]) throws(LibreError) -> Person {
    let person = try named(word, environment: environment)
    if person == .user { throw .person(.isUser) }
    return person
  }

  private static func new(_ word: String, _ environment: [String: String]) throws(LibreError) -> Person {
    guard let person = Person(word) else { throw .person(.badName(SafeText.excerpt(word))) }
    if person == .user { throw .person(.isUser) }
    if all(environment: environment).contains(person) { throw .person(.exists(word)) }
    return person
  }

  private static func directory(_ purpose: UserDirectories.Purpose, _ environment: [String: String]) -> String? {
    UserDirectories.path(of: Person.directory, purpose, environment: environment)
  }

  /// Changes the paths in a moved configuration file that pointed into the moved directories, as those of secrets do.
  private static func movePaths(
    in environment: [String: String], _ moves: [(from: String, to: String)]
  ) throws(LibreError) {
    guard let file = try ConfigurationFile.load(environment: environment) else { return }
    func moved(_ path: String) -> String? {
      moves.first { path.hasPrefix("\($0.from)/") }.map { $0.to + path.dropFirst($0.from.count) }
    }
    for (setting, text) in file.values {
      if let path = moved(text) { try ConfigurationFile.set(setting.key, to: path, environment: environment) }
    }
    for case (let name, .table(let table)) in file.sinks {
      for case (let key, .string(let text)) in table {
        guard let path = moved(text) else { continue }
        try ConfigurationFile.set("\(ConfigurationFile.sinksTable).\(name).\(key)", to: path, environment: environment)
      }
    }
  }
}

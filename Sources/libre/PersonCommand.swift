// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import LibreDocuments
import SampleSync
import SensorHistory

struct PersonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "person", "Keep the sensors of several people apart.",
    discussion: """
      Each person has a store, sinks and settings of their own; what is not set for them is as you set it for yourself. A \
      sensor belongs to the person who had it read first. From then on its readings go to that person, whoever holds \
      it to the reader. Every command takes --person NAME; without it a command is about you, or about the person in the \
      variable LIBRE_PERSON.

      Examples:
        libre person add ann --name "Ann Example"
        libre read --person ann
      """,
    subcommands: [
      PersonAddCommand.self, PersonListCommand.self, PersonRenameCommand.self, PersonRemoveCommand.self,
    ])
}

struct PersonAddCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "add", "Add a person.",
    discussion: """
      Name and date of birth stand on each page of their reports, and nowhere else.

      Examples:
        libre person add ann
        libre person add ben --name "Ben Example" --born 2012-03-04
      """)

  @Argument(help: .value("person", "A short name: lower-case letters, digits and -."))
  var word: String

  @Option(help: .value("text", "Full name, for reports."))
  var name: String?

  @Option(help: .value("date", "Date of birth, for reports."))
  var born: String?

  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    var settings: [Setting: String] = [:]
    for case (let setting, let text?) in [(Setting.name, name), (.born, born)] {
      guard let written = setting.written(text) else {
        throw LibreError.configuration(.badOption(name: setting.option, value: text, allowed: setting.allowed))
      }
      settings[setting] = written
    }
    let path = try Persons.add(word, settings: settings, environment: Session.environment)
    try session.write("\(word): settings and sinks in \(path)\n")
    session.remark(
      "nothing is read for \(word) yet", resolution: "libre read --person \(word), with their sensor on the reader")
  }
}

struct PersonListCommand: CommandWithDocument {
  static let configuration = CommandConfiguration(
    "list", "List the people whose sensors this computer reads.",
    discussion: """
      Examples:
        libre person list
        libre person list --json | jq -r '.persons[].person'
      """)

  @OptionGroup var document: DocumentOption
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let persons = try session.household().map { session in
      PersonSummary(
        session.person, fullName: session.configuration[.name].textIfSet, born: session.configuration[.born].textIfSet,
        storePath: try session.storePath(), sinks: session.sinkSetups.keys.map(\.self))
    }.sorted { ($0.person.name ?? "") < ($1.person.name ?? "") }
    if json { return try session.write { PersonsJSON.write(persons, to: &$0) } }
    try session.write(PersonsTable.text(of: persons, style: session.style))
    if persons.count == 1 { session.remark("there is only you", resolution: "libre person add NAME adds a person") }
  }
}

struct PersonRenameCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "rename", "Give a person another short name.",
    discussion: """
      Their store, sinks and secrets keep their content. The full name is a setting: libre config set name TEXT --person \
      NAME.

      Examples:
        libre person rename ann anna
        libre person rename anna ann-k
      """)

  @Argument(help: .value("person", "The present name."), completion: .persons)
  var word: String

  @Argument(help: .value("name", "The new name."))
  var newWord: String

  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    try Persons.rename(word, to: newWord, environment: Session.environment)
    try session.write("\(word) is \(newWord) from now on\n")
  }
}

struct PersonRemoveCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove a person, with everything that libre keeps of them.",
    discussion: """
      Their sinks are removed first, one by one (libre sink remove), because receivers keep what they got. A person with \
      values is removed only with --yes, and this cannot be undone.

      Examples:
        libre person remove ann --dry-run
        libre person remove ann --yes
      """)

  @Argument(help: .value("person", "The person."), completion: .persons)
  var word: String

  @Flag(help: "Confirm that their values are lost.")
  var yes = false

  @Flag(help: "Show what would be removed, and remove nothing.")
  var dryRun = false

  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    let person = try Persons.other(word, Session.environment)
    let theirs = try session.session(of: person)
    let sinks = theirs.sinkSetups.keys.sorted()
    if !sinks.isEmpty { throw LibreError.person(.hasSinks(word, sinks)) }
    let sensors = try theirs.existingStore()?.sensors() ?? []
    let samples = sensors.reduce(0) { $0 + $1.sampleCount }
    if !sensors.isEmpty, !yes, !dryRun {
      throw LibreError.person(.hasValues(word, sensors: sensors.count, samples: samples))
    }
    if !dryRun { try Persons.remove(word, environment: Session.environment) }
    try session.write(
      "\(word): \(sensors.count) sensors and \(samples) samples \(dryRun ? "would be removed" : "removed")\n")
  }
}

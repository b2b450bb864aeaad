// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

/// Whose a sensor is: two people, Ann and the user, and three sensors.
///
/// | sensor | started | scans, days after the start of A |
/// |---|---|---|
/// | A | day 0 | A1 at 1, A2 at 5, A3 at 13, A4 at 13.8 |
/// | B | day 3 | B1 at 3.5, B2 at 6, B3 at 13.9 |
/// | C | day 13.5 | C1 at 14; C9 is the same with the file's modification time |
///
/// One after the other: each runs the command a dozen times, which would keep all threads of the pool busy.
@Suite(.serialized)
struct SeveralPeopleTests {
  struct Situation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [String]
    /// The exit status of the last step.
    let status: Int32
    /// The sensors in the store of each.
    let me: String
    let ann: String
    /// The sensors that the user's file sink got.
    let sentForMe: String

    /// The two lines of the table: the words, and the steps with what is expected.
    init(_ words: String, _ line: String) {
      let parts = line.trimmingCharacters(in: .whitespaces).components(separatedBy: " = ")
      let facts = Dictionary(
        uniqueKeysWithValues: parts[1].components(separatedBy: ", ").map { $0.components(separatedBy: " ") }
          .map { ($0[0], $0[1]) })
      (testDescription, steps) = (words, parts[0].components(separatedBy: "; "))
      status = facts["status"].flatMap { Int32($0) } ?? 0
      (me, ann) = (facts["me"] ?? "", facts["ann"] ?? "")
      sentForMe = facts["sent"] ?? me
    }
  }

  private static let table = """
    a sensor that was started after the last reading of another one replaces it
      import A3; import C1 = me AC
    a sensor that was started before the last reading of an active one is not stored
      import A2; import B1 = status 65, me A
    with --mine it is a second sensor of the same person, and then it is known
      import A2; import B1 --mine; import B2 = me AB
    the modification time of a file proves nothing
      import A4; import C9 --read-at mtime = me AC, sent A
    --person says whose it is, and later scans go to that person by themselves
      import A2; person add ann; import B1 --person ann; import B2 = me A, ann B
    scans of the user go to the user, also where LIBRE_PERSON names the other person
      import A1; person add ann; import B1 --person ann; LIBRE_PERSON=ann import A2 = me A, ann B
    a sensor of one person is not stored for another who is named
      import A1; person add ann; import A2 --person ann = status 65, me A
    a new sensor that may be of either is not guessed
      person add ann; import A1 = status 65
    a new sensor while the other person wears one is the user's
      import A3; person add ann; import B3 --person ann; import C1 = me AC, ann B
    a new sensor while the user wears one is the other person's only if that is said
      import A4; person add ann; import B2 --person ann; import C1 = status 65, me A, ann B
    or if the command is about the other person
      import A4; person add ann; import B2 --person ann; LIBRE_PERSON=ann import C1 = me A, ann BC
    a sensor that was stored for the wrong person can be given to the right one, with later scans
      import A2; import B1 --mine; person add ann; sensor give ann B; import B2 = me A, ann B
    it can be given back
      import A2; person add ann; import B1 --person ann; sensor give me B; import B2 = me AB
    a rehearsal gives nothing
      import A2; import B1 --mine; person add ann; sensor give ann B --dry-run = me AB
    a forgotten sensor is nobody's again
      import A2; person add ann; import B1 --person ann; sensor forget B --person ann --yes; import B2 = me A, status 65
    a new name changes nothing else
      import A2; person add ben; import B1 --person ben; person rename ben ann; import B2 = me A, ann B
    the sensor of a person who was removed is nobody's
      import A2; person add ben; import B1 --person ben; person remove ben --yes; import B2 = status 65, me A
    a person with values is removed only with --yes
      person add ben; import B1 --person ben; person remove ben = status 64
    a named store does not belong to a person, and has the rule for itself
      import A2; import B1 --store other.sqlite; import A2 --store other.sqlite = status 65, me A
    if a store cannot be read, nothing unknown is stored
      import A2; person add ann; damage ann; import B1 = status 74, me A, ann ?
    but what is known is
      import A1; person add ann; damage ann; import A2 = me A, ann ?
    """

  static let situations: [Situation] = {
    let lines = table.components(separatedBy: "\n")
    return stride(from: 0, to: lines.count, by: 2).map { Situation(lines[$0], lines[$0 + 1]) }
  }()

  private static let uids: [Character: String] = [
    "A": "E007A0000025905E", "B": "E007A0000030A1B2", "C": "E007A0000041C3D4",
  ]
  /// The start of each sensor and its scans, in hours after the start of A.
  private static let starts: [Character: Double] = ["A": 0, "B": 72, "C": 324]
  private static let scans: [String: Double] = [
    "A1": 24, "A2": 120, "A3": 312, "A4": 331, "B1": 84, "B2": 144, "B3": 333, "C1": 336, "C9": 336,
  ]
  /// 2024-05-01T17:35:00Z.
  private static let start = LiteralMemory.readAt.adding(minutes: -1_000)

  private let sandbox = Sandbox.new()

  @Test("a sensor is stored, shown and sent for the person to whom it belongs", .startsProcesses, arguments: situations)
  func owner(_ situation: Situation) throws {
    try addSink(of: nil)
    var outcome: Outcome?
    for step in situation.steps {
      if let outcome { #expect(outcome.status == 0 || step.isEmpty, "before \(step): \(outcome.errors)") }
      outcome = try run(step)
    }
    #expect(outcome?.status == situation.status, "\(outcome?.errors ?? "")")
    if outcome?.status == 65 {
      let errors = outcome?.errors ?? ""
      #expect(errors.contains("is not stored") && errors.contains("\n  Try: libre "), "\(errors)")
      #expect(errors.contains("--mine") || errors.contains("libre sensor give "), "\(errors)")
    }
    #expect(try sensors(of: "me") == situation.me)
    if situation.ann != "?" { #expect(try sensors(of: "ann") == situation.ann) }
    _ = try sandbox.run("sync")
    #expect(sent("me") == situation.sentForMe)
    if situation.ann != "?" { #expect(sent("ann") == situation.ann) }
  }

  /// Runs a step of a situation. `A1` stands for a scan with what is known of it, `A` for a sensor.
  private func run(_ step: String) throws -> Outcome {
    var words = step.split(separator: " ").map(String.init)
    if words[0] == "damage" {
      try sandbox.write("not a store", to: "data/libre/persons/\(words[1])/history.sqlite")
      return try sandbox.run("--version")
    }
    var environment: [String: String] = [:]
    if words[0].hasPrefix("LIBRE_PERSON=") { environment["LIBRE_PERSON"] = String(words.removeFirst().dropFirst(13)) }
    let arguments = try words.flatMap { word in
      if Self.scans[word] != nil { return try scan(word) }
      return [Self.uids[Character(word.count == 1 ? word : "?")] ?? word]
    }
    let outcome = try sandbox.run(arguments, environment: environment)
    if words.starts(with: ["person", "add"]), words[2] == "ann" { try addSink(of: "ann") }
    if words.starts(with: ["person", "rename"]) { try addSink(of: "ann") }
    return outcome
  }

  /// Writes a scan and returns the arguments that import it.
  private func scan(_ name: String) throws -> [String] {
    let sensor = name[name.startIndex]
    let hours = try #require(Self.scans[name])
    let age = Int((hours - (Self.starts[sensor] ?? 0)) * 60)
    try sandbox.write(LiteralMemory(age: age).bytes, to: "\(name).bin")
    let readAt = Self.start.adding(minutes: Int(hours * 60)).rfc3339
    let time = name.hasSuffix("9") ? [] : ["--read-at", readAt]
    return ["\(name).bin", "--uid", Self.uids[sensor] ?? ""] + time
  }

  private func addSink(of person: String?) throws {
    let name = person ?? "me"
    let outcome = try sandbox.run(
      ["sink", "add", "copy", "file", "path=\(sandbox.path("\(name).ndjson"))", "--backfill-days", "36500"]
        + (person.map { ["--person", $0] } ?? []))
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// The letters of the sensors in a person's store.
  private func sensors(of person: String) throws -> String {
    let outcome = try sandbox.run("sensors", "--json", "--person", person)
    guard outcome.status == 0 else { return "" }
    return letters(in: outcome.text)
  }

  /// The letters of the sensors of which a person's sink got values.
  private func sent(_ person: String) -> String {
    letters(in: sandbox.text(of: "\(person).ndjson"))
  }

  private func letters(in text: String) -> String {
    Self.uids.filter { text.contains($0.value) }.map { String($0.key) }.sorted().joined()
  }

  @Test("without other persons, no output says whose a reading is")
  func onlyUser() throws {
    #expect(try run("import A1").status == 0)
    let list = try sandbox.run("person", "list")
    #expect(list.lines.count == 2 && list.errors.contains("there is only you"))
    #expect(try sandbox.run("person", "list", "--json").json()["persons"].elements.map { $0["person"].text } == ["me"])
  }

  @Test(
    "a name that cannot be used is refused with the way out", .startsProcesses,
    arguments: [
      (["person", "add", "Ann Example"], "bad_person_name"), (["person", "add", "me"], "person_is_user"),
      (["person", "add", "ann"], "person_exists"), (["person", "rename", "ben", "ann"], "no_such_person"),
      (["person", "rename", "ann", "ann"], "person_exists"), (["person", "remove", "me"], "person_is_user"),
      (["latest", "--person", "ben"], "no_such_person"),
      (["person", "add", "ben", "--born", "4.3.2012"], "bad_option"),
      (["latest", "--person", "ann", "--store", "x.sqlite"], "bad_option"),
    ])
  func refused(_ arguments: [String], code: String) throws {
    try sandbox.done("person", "add", "ann")
    let outcome = try sandbox.run(arguments, environment: ["LIBRE_LOG_FORMAT": "json"])
    let errors = try outcome.errors.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
    #expect(outcome.status == 64 && errors.last?["code"].text == code, "\(outcome.errors)")
    #expect(errors.last?["resolution"].text?.isEmpty == false)
  }

  @Test("a person with sinks is removed only after the sinks, and a new name moves the secrets")
  func sinks() throws {
    try sandbox.done("person", "add", "ann")
    try sandbox.done(
      ["sink", "add", "night", "nightscout", "url=https://ns.example", "--secret-stdin", "--person", "ann"],
      input: Array("0123456789abcdef\n".utf8))
    #expect(try sandbox.run("sink", "list", "--json").json()["sinks"].elements.isEmpty)
    let refused = try sandbox.run("person", "remove", "ann", "--yes")
    #expect(refused.status == 64 && refused.errors.contains("libre sink remove night --person ann"))
    try sandbox.done("person", "rename", "ann", "anna")
    try sandbox.done("config", "check", "--person", "anna")
    #expect(sandbox.has("config/libre/persons/anna/secrets/night"))
    try sandbox.done("sink", "remove", "night", "--person", "anna")
    try sandbox.done("person", "remove", "anna")
    #expect(!sandbox.has("config/libre/persons/anna"))
    #expect(try sandbox.run("latest", "--person", "anna").status == 64)
  }

  @Test("a secret in the user's variable is not sent to another person's receiver")
  func secretVariable() throws {
    try sandbox.done("person", "add", "ann")
    let environment = ["LIBRE_SECRET_NIGHT": "0123456789abcdef"]
    for person in ["me", "ann"] {
      let outcome = try sandbox.run(
        ["sink", "add", "night", "nightscout", "url=https://ns.example", "--person", person], environment: environment)
      #expect((outcome.status == 0) == (person == "me"), "\(outcome.errors)")
    }
  }

  @Test("each subject of a table becomes a person, and the cohort of persons is that of the subjects")
  func subjects() throws {
    let rows = (0..<3 * 192).map { row in
      "S\(row % 3 + 1),\(Self.start.adding(minutes: 15 * (row / 3)).rfc3339),\(100 + row % 97)"
    }
    try sandbox.write((["id,time,glucose_mg_dl"] + rows).map { $0 + "\n" }.joined(), to: "study.csv")
    let refused = try sandbox.run("import", "study.csv")
    #expect(refused.status == 65 && refused.errors.contains("libre import --subjects-as-persons"))
    let imported = try sandbox.run("import", "study.csv", "--subjects-as-persons")
    #expect(imported.status == 0 && imported.lines.count == 3, "\(imported.errors)")
    #expect(imported.lines.allSatisfy { $0.contains("192 new values, 0 known") }, "\(imported.text)")
    let persons = try sandbox.run("person", "list", "--json").json()["persons"].elements
    #expect(persons.map { $0["person"].text } == ["me", "s1", "s2", "s3"] && persons[1]["name"].text == "S1")
    let span = ["--from", Self.start.rfc3339, "--to", Self.start.adding(minutes: 2_879).rfc3339, "--json"]
    let bySubject = try sandbox.run(["stats", "--by", "subject", "study.csv"] + span).json()["members"].elements
    let byPerson = try sandbox.run(["stats", "--by", "person"] + span).json()["members"].elements
    #expect(byPerson.map { $0["name"].text } == ["s1", "s2", "s3"] && bySubject.count == 3)
    for (person, subject) in zip(byPerson, bySubject) {
      for part in ["total", "metrics", "profile", "first", "last"] { #expect(person[part] == subject[part], "\(part)") }
    }
    // Somebody else of this short name is not mixed up with the subject.
    try sandbox.done("config", "set", "name", "Sam", "--person", "s2")
    #expect(try sandbox.run("import", "study.csv", "--subjects-as-persons").status == 64)
    for options in [["--subject", "S1"], ["--person", "s1"], ["--store", "x.sqlite"]] {
      #expect(try sandbox.run(["import", "study.csv", "--subjects-as-persons"] + options).status == 64)
    }
  }

  @Test("the report of a person has their name and date of birth, and a report about files has not")
  func report() throws {
    try sandbox.done("person", "add", "ann", "--name", "Ann <Example>", "--born", "2012-03-04")
    #expect(try run("import A2 --person ann").status == 0)
    func page(_ arguments: String...) throws -> String {
      let outcome = try sandbox.done(["report", "--out", "-", "--from", "all"] + arguments)
      return outcome.text
    }
    let page1 = try page("--person", "ann")
    #expect(page1.contains("<p class=\"person\">Ann &lt;Example&gt;, born 2012-03-04</p>"))
    #expect(page1.contains("@page{@top-right{content:\"Ann \\3c Example\\3e \\2c  born 2012\\2d 03\\2d 04\""))
    #expect(try page("--person", "ann", "--name", "B").contains("<p class=\"person\">B, born 2012-03-04</p>"))
    #expect(!(try page("A2.bin", "--person", "ann").contains("class=\"person\"")))
    #expect(try page("A2.bin", "--name", "Ann").contains("<p class=\"person\">Ann</p>"))
    #expect(try run("import B1 --mine").status == 0)
    #expect(!(try page().contains("class=\"person\"")))
  }
}

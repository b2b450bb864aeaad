// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

/// `libre stats` of a cohort, and tables of several subjects in every command that reads histories from files.
struct CohortTests {
  private let sandbox = Sandbox.new()

  /// 2024-05-02T00:00:00Z
  private static let start = Instant(secondsSince1970: 1_714_608_000)

  /// Times and values of a simulated person with diabetes, of 3 to 7 days with gaps.
  private func rows(of subject: Int) -> [String] {
    let curve = GlucoseCurve(withDiabetes: UInt64(subject), startOfWear: 0)
    var draws = SplitMix64(seed: UInt64(subject))
    return (0..<(96 * (3 + subject % 5))).compactMap { quarter in
      guard draws.number(0...19) > 0 else { return nil }
      let minute = 15 * quarter + subject % 15
      let tenths = Int(10 * curve.milligramsPerDecilitre(atMinute: minute))
      return "\(Self.start.adding(minutes: minute).rfc3339),\(tenths / 10).\(tenths % 10)"
    }
  }

  private static let names = (1...20).map { "S\($0)" }

  /// Writes a file for each subject, and one table of all, by time.
  private func study() throws {
    var all: [(name: String, row: String)] = []
    for (index, name) in Self.names.enumerated() {
      let own = rows(of: index + 1)
      try sandbox.write("time,glucose_mg_dl\n" + own.map { $0 + "\n" }.joined(), to: "\(name).csv")
      all += own.map { (name, $0) }
    }
    all.sort { ($0.row, $0.name) < ($1.row, $1.name) }
    try sandbox.write(
      "id,time,glucose_mg_dl\n" + all.map { "\($0.name),\($0.row)\n" }.joined(), to: "study.csv")
  }

  private func stats(_ arguments: [String]) throws -> Outcome {
    let outcome = try sandbox.run(["stats"] + arguments)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
    return outcome
  }

  @Test("20 subjects in one table and in 20 files have the same figures, which are those of single runs")
  func twentySubjects() throws {
    try study()
    let files = Self.names.map { "\($0).csv" }
    let bySubject = try stats(["--by", "subject", "study.csv", "--json"]).json()
    let byFile = try stats(["--by", "file", "--json"] + files).json()
    #expect(bySubject["by"].text == "subject" && byFile["by"].text == "file")
    #expect(byFile["members"].elements.map { $0["name"].text } == files)
    #expect(Set(bySubject["members"].elements.compactMap { $0["name"].text }) == Set(Self.names))
    for (index, ofFile) in byFile["members"].elements.enumerated() {
      let name = Self.names[index]
      let ofSubject = try #require(bySubject["members"].elements.first { $0["name"].text == name })
      #expect(ofFile.keys == ofSubject.keys)
      for figure in ofFile.keys where figure != "name" {
        #expect(ofFile[figure] == ofSubject[figure], "\(name) \(figure)")
      }
      // The first five have every number of days.
      guard index < 5 || index == 19 || TestTier.current == .full else { continue }
      let alone = try stats(["\(name).csv", "--json"]).json()
      if index == 0 || index == 19 {
        #expect(try stats(["study.csv", "--subject", name, "--json"]).json() == alone)
      }
      // Every figure that a single run has, of which the document of a cohort could lack one.
      let figures = alone.keys.subtracting(
        ["schema", "from", "to", "time_zone", "by", "range_low_mg_dl", "range_high_mg_dl", "days", "groups"])
      #expect(figures.isSuperset(of: ["total", "metrics"]))
      for figure in figures { #expect(ofFile[figure] == alone[figure], "\(name) \(figure)") }
      #expect(ofFile["profile"].elements.count == (alone["days"].elements.count < 5 ? 0 : 96))
    }
    // The files of one subject are one history.
    let split = try sandbox.shell(
      "for n in 0 1; do awk -F, \"NR == 1 || /^S1,/ && NR % 2 == $n\" study.csv >$n.csv; done")
    #expect(split.status == 0, "\(split.errors)")
    let joined = try stats(["--by", "subject", "0.csv", "1.csv", "--json"]).json()["members"].elements
    #expect(joined == bySubject["members"].elements.filter { $0["name"].text == "S1" })
  }

  @Test("a row of CSV has every figure of the JSON document, and the profile has rows of its own")
  func csv() throws {
    try study()
    let options = ["--by", "subject", "study.csv", "--unit", "mmol/L"]
    let members = try stats(options + ["--json"]).json()["members"].elements
    let csv = try stats(options + ["--csv"]).lines.map {
      $0.replacing("\"iglu moving average, 5 and 32 points\"", with: "iglu").split(
        separator: ",", omittingEmptySubsequences: false
      ).map(String.init)
    }
    let header = try #require(csv.first)
    #expect(csv.count == 21 && Set(header).count == header.count && csv.allSatisfy { $0.count == header.count })
    func figures(_ object: JSONValue, _ prefix: String = "") -> [(name: String, value: JSONValue)] {
      object.keys.subtracting(["profile"]).map { (prefix + $0, object[$0]) }
    }
    for (member, cells) in zip(members, csv.dropFirst()) {
      let row = Dictionary(uniqueKeysWithValues: zip(header, cells))
      let episodes = member["metrics"]["episodes"].elements
      let all =
        figures(member) + figures(member["total"]) + figures(member["metrics"])
        + episodes.flatMap { figures($0, "episodes_\($0["kind"].text ?? "")_") }
      for (name, value) in all {
        switch value {
        case .number(let number): #expect(row[name].flatMap(Double.init) == number, "\(name)")
        case .null: #expect(row[name]?.isEmpty == true, "\(name)")
        case .bool(let flag): #expect(row[name] == "\(flag)", "\(name)")
        case .string, .array, .object: continue
        }
      }
      #expect(all.count > 50 && row["name"] == member["name"].text && row["last"] == member["last"].text)
    }
    let profile = try stats(["--by", "subject", "study.csv", "--csv", "--profile"]).lines
    #expect(profile.first == "name,time,values,p5_mg_dl,p25_mg_dl,p50_mg_dl,p75_mg_dl,p95_mg_dl")
    let quarters = members.flatMap { member in
      member["profile"].elements.map { (member["name"].text ?? "", $0) }
    }
    #expect(profile.count == quarters.count + 1 && quarters.count > 96)
    for ((name, quarter), line) in zip(quarters, profile.dropFirst()) {
      let numbers = ["values", "p5_mg_dl", "p25_mg_dl", "p50_mg_dl", "p75_mg_dl", "p95_mg_dl"].map {
        quarter[$0].number
      }
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      #expect(cells[0] == name && cells[1] == quarter["time"].text && cells.dropFirst(2).map(Double.init) == numbers)
    }
  }

  @Test("the table has a line for each file, named without its folder unless another has the same name")
  func table() throws {
    let text = "time,glucose_mg_dl\n" + rows(of: 1).map { $0 + "\n" }.joined()
    for name in ["a/S1.csv", "b/S1.csv", "a/S2.csv"] { try sandbox.write(text, to: name) }
    let lines = try stats(["--by", "file", "a/S1.csv", "a/S2.csv", "b/S1.csv"]).lines
    #expect(lines[0].hasPrefix("file") && lines[0].contains("GMI") && lines[0].contains("MAGE"))
    #expect(lines[1...3].map { $0.prefix { $0 != " " } } == ["a/S1.csv", "S2.csv", "b/S1.csv"])
    #expect(lines.contains { $0.hasPrefix("Not for treatment decisions.") })
  }

  @Test("a file that fails is reported and the others follow, and a file without values has a row without figures")
  func failures() throws {
    try study()
    try sandbox.write("time,glucose_mg_dl\n", to: "empty.csv")
    let outcome = try sandbox.run(
      "stats", "--by", "file", "S1.csv", "missing.csv", "study.csv", "empty.csv", "S2.csv", "--json")
    #expect(outcome.status == 66)
    #expect(outcome.errors.contains("missing.csv: no such file") && outcome.errors.contains("study.csv: the column id"))
    let members = try outcome.json()["members"].elements
    #expect(members.map { $0["name"].text } == ["S1.csv", "empty.csv", "S2.csv"])
    #expect(members[1]["metrics"] == .null && members[1]["profile"] == .null && members[1]["first"] == .null)
    #expect(members[1]["total"]["values"] == .number(0) && members[1]["total"]["mean_mg_dl"] == .null)
    #expect(outcome.errors.contains("empty.csv: no usable history values in empty.csv"))
    let nothing = try sandbox.run("stats", "--by", "subject", "S1.csv", "--json")
    #expect(nothing.status == 65 && nothing.output.isEmpty)
    #expect(nothing.errors.contains("the file does not say whose its values are"))
  }

  @Test(
    "a table of several subjects is refused with their names by every command that reads it",
    arguments: [["import"], ["stats"], ["compare"]])
  func refused(command: [String]) throws {
    try study()
    try ImportedStore.copy(to: ImportedStore.standard, in: sandbox)
    let outcome = try sandbox.run(command + ["study.csv"])
    #expect(outcome.status == 65 && outcome.output.isEmpty)
    #expect(
      outcome.errors.contains("study.csv: the column id has 20 subjects: S15, S16, S1, S2, S17, S18 and 14 more\n"))
    #expect(outcome.errors.contains("Try: choose one with --subject S15; "))
    try sandbox.done(command + ["study.csv", "--subject", "S2"])
  }

  @Test("stats and report of two persons' files say so")
  func differingFiles() throws {
    // The same minutes of the hour.
    for (name, subject) in [("A.csv", 3), ("B.csv", 18)] {
      try sandbox.write("time,mg_dl\n" + rows(of: subject).map { $0 + "\n" }.joined(), to: name)
    }
    for command in [["stats"], ["report", "--out", "-"]] {
      let outcome = try sandbox.run(command + ["A.csv", "B.csv"])
      #expect(outcome.status == 0 && outcome.errors.contains("A.csv and B.csv have different values in the same "))
      #expect(outcome.errors.contains("as of two persons or two sensors"))
      #expect(outcome.errors.contains(command == ["stats"] ? "--by file" : "one file at a time"))
      #expect(outcome.text.contains("A.csv and B.csv") == (command[0] == "report"))
    }
  }

  @Test("stats of two sensors that were worn at the same time says so, from files and from the store")
  func simultaneousSensors() throws {
    for (seed, name) in [("3", "one"), ("4", "two")] {
      try sandbox.done(
        "simulate", "--days", "2", "--until", "2024-05-16T10:00:00Z", "--out-dir", name, "--seed", seed)
    }
    let files = try sandbox.shell("ls one/* two/*").lines
    try sandbox.done("import", "--mine", "--recursive", "one", "two")
    for source in [["--from", "all"], files] {
      let outcome = try sandbox.run(["stats"] + source)
      #expect(outcome.status == 0 && outcome.errors.contains(" were worn at the same time, from 2024-05-1"))
      #expect(outcome.errors.contains("Try: --sensor 0M"))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

@Suite("A table with a column of subjects") struct SubjectTests {
  private static let two = """
    id,time,glucose_mg_dl
    S1,2024-05-02T10:00:00Z,101
    S2,2024-05-02T10:00:00Z,201
    S1,2024-05-02T10:15:00Z,102
    S2,2024-05-02T10:15:00Z,202

    """

  private func options(_ subject: String?) -> ImportOptions {
    var options = ImportOptions.rome
    options.subject = subject
    return options
  }

  private func values(_ text: String, _ subject: String? = nil) throws(HistoryError) -> [Double] {
    try TableReader().entries(text, options(subject)).compactMap { $0.concentration?.milligramsPerDecilitre }
  }

  /// The values of each subject, read in one pass.
  private func split(_ text: String) throws -> [String: [HistoryEntry]] {
    var found: [String: [HistoryEntry]] = [:]
    _ = try TableReader().readSubjects(of: HistoryText(text), .rome) { found[$0, default: []].append($1) }
    return found
  }

  @Test("of two subjects is refused, with their names, until one of them is chosen")
  func refused() throws {
    let subjects = FileSubjects(column: "id", names: ["S1", "S2"])
    #expect(throws: HistoryError.severalSubjects(subjects)) { try values(Self.two) }
    #expect(HistoryError.severalSubjects(subjects).message == "the column id has 2 subjects: S1, S2")
    #expect(try values(Self.two, "S1") == [101, 102] && values(Self.two, "S2") == [201, 202])
    // Upper and lower case are different: S1 and s1 may be two persons.
    for name in ["S3", "s1"] {
      #expect(throws: HistoryError.noSuchSubject(name, subjects)) { try values(Self.two, name) }
    }
    let message = HistoryError.noSuchSubject("S3", subjects).message
    #expect(message == "the column id has no values of \"S3\", only of S1, S2")
    let many = FileSubjects(column: "PtID", names: (1...20).map { "Ann \($0)" })
    #expect(
      HistoryError.severalSubjects(many).message
        == "the column PtID has 20 subjects: Ann 1, Ann 2, Ann 3, Ann 4, Ann 5, Ann 6 and 14 more")
  }

  @Test("of one subject is read as without the column, but not for another one")
  func one() throws {
    let one = Self.two.replacing("S2", with: "S1")
    let other = HistoryError.noSuchSubject("S2", FileSubjects(column: "id", names: ["S1"]))
    #expect(throws: other) { try values(one, "S2") }
    let without = one.replacing("S1,", with: "").replacing("id,", with: "")
    #expect(try TableReader().entries(one) == TableReader().entries(without))
    #expect(try values(one, "S1") == [101, 201, 102, 202])
    #expect(throws: HistoryError.noSubjects) { try values(without, "S1") }
  }

  @Test(
    "is recognized by the usual names of the column, in upper and lower case",
    arguments: ["id", "ID", "Subject_ID", "subject id", "patient-id", "PtID", "USUBJID", "# id"])
  func names(name: String) throws {
    let text = Self.two.replacing("id,", with: "\(name),")
    let subjects = try #require(try TableReader().subjects(in: HistoryText(text), .twoHoursAhead))
    #expect(subjects == FileSubjects(column: name, names: ["S1", "S2"]))
  }

  @Test("is not a table with a column of devices or of anything else", arguments: ["device", "identifier", "who"])
  func others(name: String) throws {
    let text = Self.two.replacing("id,", with: "\(name),")
    #expect(try TableReader().subjects(in: HistoryText(text), .twoHoursAhead) == nil)
    #expect(try values(text).count == 4)
  }

  @Test("a column id with another value in each row has the ids of the rows, and one with a value twice has subjects")
  func rowIDs() throws {
    let rows = (1...5).map { "\($0),2024-05-02T10:0\($0):00Z,10\($0)\n" }
    let text = "id,time,mg_dl\n" + rows.joined()
    #expect(try values(text) == [101, 102, 103, 104, 105])
    #expect(try TableReader().subjects(in: HistoryText(text), .twoHoursAhead) == nil)
    // A name that is certain leaves no doubt, and takes precedence over id.
    for subjects in [text + "5,2024-05-02T10:06:00Z,106\n", text.replacing("id,", with: "patient_id,")] {
      #expect(throws: HistoryError.self) { try values(subjects) }
    }
    let both = "id,subject,time,mg_dl\n1,S1,2024-05-02T10:00:00Z,101\n1,S2,2024-05-02T10:15:00Z,201\n"
    let subjects = try TableReader().subjects(in: HistoryText(both), .twoHoursAhead)
    #expect(subjects == FileSubjects(column: "subject", names: ["S1", "S2"]))
  }

  @Test("a row without a name is of a subject of its own, and a row without a value is of none")
  func noName() throws {
    let text = Self.two.replacing("S2", with: "") + "S3,2024-05-02T10:30:00Z,\n"
    let subjects = try #require(try TableReader().subjects(in: HistoryText(text), .twoHoursAhead))
    #expect(subjects.names == ["S1", ""])
    #expect(try values(text, "S1") == [101, 102] && values(text, "") == [201, 202])
    let message = HistoryError.severalSubjects(subjects).message
    #expect(message == "the column id has 2 subjects: S1, (no name)")
  }

  @Test("read in one pass gives each subject what a table of this subject alone gives, also in a repeated hour")
  func onePass() throws {
    // Rome, 27 October 2024: the hour from 02:00 comes twice, and only the order of one subject's rows shows which.
    let times = ["01:45", "02:00", "02:15", "02:30", "02:45", "02:00", "02:15", "02:30", "02:45", "03:00"]
    let rows = times.enumerated().flatMap { index, time in
      ["S1", "S2"].map { "\($0),2024-10-27 \(time),\(100 + index + ($0 == "S2" ? 100 : 0))\n" }
    }
    let header = "subject,time,mg_dl\n"
    let found = try split(header + rows.joined())
    #expect(found.keys.sorted() == ["S1", "S2"])
    for subject in ["S1", "S2"] {
      let alone = header + rows.filter { $0.hasPrefix(subject) }.joined()
      let expected = try TableReader().entries(alone, .rome)
      #expect(expected.count == 10 && found[subject] == expected)
      #expect(try TableReader().entries(header + rows.joined(), options(subject)) == expected)
    }
  }
}

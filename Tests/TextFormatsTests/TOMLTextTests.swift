// SPDX-License-Identifier: Apache-2.0
import Testing
import TextFormats

@Suite("Editing a TOML document") struct TOMLTextTests {
  private static let document = """
    # mine

    # about the unit
    unit = "mmol/L"  # of course
    names = [
      "one",  # first
      "two",
    ]

    [sync]  # sending
    mode = "manual"

    # about night
    [ sinks . "night" ]
    type = "file"
      path = "/x"# an old one
    # behind

    [sinks.home]
    type = "mqtt"
    """

  /// The document with the same lines in other notations.
  private static let writings: [(name: String, text: @Sendable (String) -> String)] = [
    ("line feeds", { $0 }), ("a line feed at the end", { $0 + "\n" }),
    ("carriage returns", { $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n") }),
    ("a byte order mark", { "\u{FEFF}" + $0 }),
  ]

  private func changed(_ text: String, _ change: (inout TOMLText) -> Bool) throws -> String? {
    var document = try TOMLText(text.utf8)
    let before = document.bytes
    #expect(before == Array(text.utf8), "what is not changed stays as it is")
    guard change(&document) else {
      #expect(document.bytes == before)
      return nil
    }
    return String(decoding: document.bytes, as: UTF8.self)
  }

  /// Expects that one change replaces these lines of the document, in every notation of it, and no others.
  private func expect(_ range: Range<Int>, becomes new: [String], _ change: (inout TOMLText) -> Bool) throws {
    for writing in Self.writings {
      var lines = Self.document.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      lines.replaceSubrange(range, with: new)
      let found = try changed(writing.text(Self.document), change)
      #expect(found == writing.text(lines.joined(separator: "\n")), "\(writing.name)")
    }
  }

  private static let changes: [([String], TOMLValue?, Range<Int>, [String])] = [
    // A value is replaced in place; the comment after it and the space before it are kept.
    (["unit"], .string("mg/dL"), 3..<4, ["unit = \"mg/dL\"  # of course"]),
    (["sinks", "night", "path"], .string("/a\"b"), 15..<16, ["  path = \"/a\\\"b\"# an old one"]),
    (["sync", "mode"], .boolean(true), 10..<11, ["mode = true"]),
    // One of several lines is replaced by one of one line.
    (["names"], .array([.string("three"), .integer(4)]), 4..<8, ["names = [\"three\", 4]"]),
    // A new key is added after the last one of its table, or of the top level.
    (["color"], .string("never"), 8..<8, ["color = \"never\""]),
    (["sync", "wait"], .integer(9), 11..<11, ["wait = 9"]),
    (["sinks", "night", "send"], .array([]), 16..<16, ["send = []"]),
    // There is no table of that name: a dotted key at the top level.
    (["a", "b c"], .float("1.5"), 8..<8, ["a.\"b c\" = 1.5"]),
    // A key is removed with its lines; removing an absent one changes nothing.
    (["unit"], nil, 3..<4, []), (["names"], nil, 4..<8, []), (["nothing"], nil, 0..<0, []),
    (["sinks", "nobody", "x"], nil, 0..<0, []),
  ]

  @Test("a key is set or removed, and all other lines, comments and spaces stay", arguments: changes)
  func keys(path: [String], value: TOMLValue?, range: Range<Int>, lines: [String]) throws {
    try expect(range, becomes: lines) { $0.set(path, to: value) }
  }

  @Test("a table is removed with its lines; removing an absent one changes nothing")
  func removing() throws {
    // From the line after the empty line: the comment before it is about the table, but may be about more.
    try expect(13..<16, becomes: []) { $0.remove(table: ["sinks", "night"]) }
    try expect(8..<11, becomes: []) { $0.remove(table: ["sync"]) }
    for text in [Self.document, "sinks = { nobody = {} }", "[sinks]\nnobody = {}", "sinks = 3"] {
      #expect(try changed(text) { $0.remove(table: ["sinks", "nobody"]) } == nil)
    }
    #expect(try changed(Self.inString + "c = 1\n") { $0.remove(table: ["b"]) } == String(Self.inString.dropLast(4)))
  }

  @Test(
    "a key is set or removed in texts of other forms",
    arguments: [
      // The first key of a file is written at its top, before the comment on a table.
      ("", "a", .integer(2), "a = 2\n"), ("# mine\n", "a", .integer(2), "# mine\na = 2\n"),
      ("# mine", "a", .integer(2), "# mine\na = 2\n"), ("\n", "a", .integer(2), "\na = 2\n"),
      ("[t]\n", "a", .integer(2), "a = 2\n\n[t]\n"), ("# on t\n[t]", "a", .integer(2), "a = 2\n\n# on t\n[t]"),
      ("# mine\n\n# on t\n[t]\n", "a", .integer(2), "# mine\n\na = 2\n\n# on t\n[t]\n"),
      ("# mine\r\n\r\n[t]\r\n", "a", .integer(2), "# mine\r\n\r\na = 2\r\n\r\n[t]\r\n"),
      // A line feed is added after the last key of a file if it has none.
      ("a = 1", "b", .integer(2), "a = 1\nb = 2\n"),
      ("x = 1\r\n[t]", "t.b", .integer(2), "x = 1\r\n[t]\r\nb = 2\r\n"),
      // Dotted and quoted keys match the keys that they denote.
      ("sync.mode = 1", "sync.mode", .integer(2), "sync.mode = 2"),
      ("\"sync\" . 'mode' = 1", "sync.mode", .integer(2), "\"sync\" . 'mode' = 2"),
      ("a.b = 1\n[a.c]\nd.e = 1\n", "a.c.d.e", nil, "a.b = 1\n[a.c]\n"),
      // A document that contains the key twice is invalid.
      ("sync.mode = 1\n", "sync.x", .integer(2), "sync.mode = 1\nsync.x = 2\n"),
      // Text inside a string that looks like a header or a key is ignored.
      (inString + "c = 1 # [x]\n", "b.c", .integer(2), inString + "c = 2 # [x]\n"),
      // Content that only a person can change is not changed.
      ("sinks = { night = { type = \"file\" } }", "sinks.night.type", .string("mqtt"), nil),
      ("[sinks]\nnight = { type = \"file\" }", "sinks.night.path", .string("/x"), nil),
      ("sinks = 3", "sinks.night.type", .string("mqtt"), nil),
    ] as [(String, String, TOMLValue?, String?)])
  func others(before: String, key: String, value: TOMLValue?, after: String?) throws {
    #expect(try changed(before) { $0.set(key.split(separator: ".").map(String.init), to: value) } == after)
  }

  private static let inString = "a = \"\"\"\n[b]\nc = 1\n\"\"\"\n[b]\n"

  @Test("adding and removing a table leaves the file unchanged", arguments: ["", "a = 1\n", "a = 1\r\n", "\n\n"])
  func table(text: String) throws {
    var document = try TOMLText(text.utf8)
    let isAdded = document.append(table: ["sinks", "a-1"], [("type", .string("file")), ("n", .integer(1))])
    #expect(isAdded)
    let added = String(decoding: document.bytes, as: UTF8.self)
    let end = text.utf8.contains(0x0D) ? "\r\n" : "\n"
    #expect(added.hasSuffix(["[sinks.a-1]", "type = \"file\"", "n = 1", ""].joined(separator: end)), "\(added)")
    #expect(document.values["sinks"] == .table(["a-1": .table(["type": .string("file"), "n": .integer(1)])]))
    let isAddedAgain = document.append(table: ["sinks", "a-1"], [])
    let isRemoved = document.remove(table: ["sinks", "a-1"])
    #expect(!isAddedAgain && isRemoved)
    #expect(try TOMLText(document.bytes).values == TOMLText(text.utf8).values)
    #expect(document.bytes.starts(with: text.utf8) || text == "\n\n")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing
import TextFormats

/// Python 3.11's `tomllib` accepts every document that is valid here, with the same values. It refuses every document
/// that is invalid here, except those that `TOMLReader` says it does not support.
@Suite("TOML is read, or refused with line, column and reason")
struct TOMLReaderTests {
  private typealias Table = [String: TOMLValue]

  private static func read(_ document: String) throws(TOMLError) -> Table { try TOMLReader.read(document.utf8) }

  private static let keys: [(String, Table)] = [
    ("", [:]), ("\n\r\n \t\n# [a]\n", [:]), ("\u{FEFF}a = 1", ["a": .integer(1)]),
    ("a=1#b=2\nc = 3 # é\u{85}\u{2028}\n", ["a": .integer(1), "c": .integer(3)]),
    ("A-z_0 = 1\r\n1 = 2", ["A-z_0": .integer(1), "1": .integer(2)]),
    ("\"\" = 1\n'a b' = 2\n\"\\u00e9\" = 3", ["": .integer(1), "a b": .integer(2), "é": .integer(3)]),
    ("1.2 = 3\n1 . 'x.y' = 4", ["1": .table(["2": .integer(3), "x.y": .integer(4)])]),
    ("a.b.c = 1\na.d = 2", ["a": .table(["b": .table(["c": .integer(1)]), "d": .integer(2)])]),
  ]

  private static let tables: [(String, Table)] = [
    ("[ a . 'b c' ] # d\r\ne = 1", ["a": .table(["b c": .table(["e": .integer(1)])])]),
    ("[a.b]\nx = 1\n[a]\ny = 2", ["a": .table(["b": .table(["x": .integer(1)]), "y": .integer(2)])]),
    ("[a]\nx.y = 1\n[a.x.z]", ["a": .table(["x": .table(["y": .integer(1), "z": .table([:])])])]),
    ("[a.b.c]\n[a]\nb.x = 1", ["a": .table(["b": .table(["c": .table([:]), "x": .integer(1)])])]),
    ("a = { b = 1 , 'c' = {} }", ["a": .table(["b": .integer(1), "c": .table([:])])]),
    ("a = {b='''\r\n''''',c=[\n]}", ["a": .table(["b": .string("''"), "c": .array([])])]),
  ]

  private static let strings: [(String, String)] = [
    (#""""#, ""), (#""a # 'b' é🙂""#, "a # 'b' é🙂"), (#""\b\t\n\f\r\"\\""#, "\u{8}\t\n\u{C}\r\"\\"),
    (#""\u00E9\U0001f642\U0010FFFF""#, "é🙂\u{10FFFF}"), (#"'C:\new "x"'"#, #"C:\new "x""#),
    ("\"\"\"\na\r\nb\n\"\"\"", "a\nb\n"), ("\"\"\"a\\\n \t\n  b \\ \r\n c\"\"\"", "ab c"),
    ("\"\"\"\"a\"\" \\\"\"\"\"\"\"", "\"a\"\" \"\"\""), ("''''''''", "''"), ("'''\na\\\n''b'''", "a\\\n''b"),
  ]

  private static let numbers: [(String, TOMLValue)] = [
    ("-0", .integer(0)), ("+7", .integer(7)), ("-1_000", .integer(-1000)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("0xdead_BEEF", .integer(0xDEAD_BEEF)), ("0o755", .integer(493)), ("0b1_01", .integer(5)),
    ("-1_000.5e+3", .float("-1_000.5e+3")), ("0e00", .float("0e00")), ("1E-0_1", .float("1E-0_1")),
    ("-inf", .float("-inf")), ("+nan", .float("+nan")), ("true", .boolean(true)), ("false", .boolean(false)),
  ]

  private static let arrays: [(String, [TOMLValue])] = [
    ("[]", []), ("[1,2 , 3,]", [.integer(1), .integer(2), .integer(3)]), ("[ # [\n\n '}' # ,\n\t,\n]", [.string("}")]),
    ("[[1], ['a', {b = true}]]", [.array([.integer(1)]), .array([.string("a"), .table(["b": .boolean(true)])])]),
  ]

  private static let valid: [(String, Table)] =
    keys + tables + strings.map { ("x = \($0)", ["x": .string($1)]) } + numbers.map { ("x = \($0)", ["x": $1]) }
    + arrays.map { ("x = \($0)", ["x": .array($1)]) }

  @Test("reads keys, tables, strings, numbers, booleans, arrays and inline tables", arguments: valid)
  func validDocument(document: String, expected: [String: TOMLValue]) throws {
    #expect(try Self.read(document) == expected)
    #expect(try Self.read("# first\n\(document.hasPrefix("\u{FEFF}") ? "" : document)\n").count <= expected.count)
  }

  private static let key = "expected a key: letters, digits, - and _, or quotes"
  private static let word = "expected true, false, a number of up to 64 bits, or text in quotes"
  private static let quotes = "a string has no closing quotes"
  private static let escape = #"invalid escape: use \b, \t, \n, \f, \r, \", \\, \uXXXX or \UXXXXXXXX"#

  private static func digits(_ count: Int) -> String {
    "invalid escape: expected \(count) hexadecimal digits of a character, not U+0000"
  }

  private static let invalidLines: [(String, Int, Int, String)] = [
    ("= 1", 1, 1, key), ("é = 1", 1, 1, key), ("x. = 1", 1, 4, key), ("[]", 1, 2, key), ("[a.]", 1, 4, key),
    ("x = { a = 1, }", 1, 14, key), ("x = {\na = 1}", 1, 6, key),
    ("\n x y = 1", 2, 4, "expected '=' after a key"), ("x\n= 1", 1, 2, "expected '=' after a key"),
    ("\"\"\"x\"\"\" = 1", 1, 3, "expected '=' after a key"),
    ("[a b]", 1, 4, "expected ']' after the name of a table"),
    ("[a\n]", 1, 3, "expected ']' after the name of a table"),
    ("[[a]]", 1, 2, "arrays of tables, [[name]], are not supported"),
    ("x = 1 y = 2", 1, 7, "expected the end of the line"), ("[a] b = 1", 1, 5, "expected the end of the line"),
    ("x = [1]]", 1, 8, "expected the end of the line"),
    ("x =\n1", 1, 4, "expected a value"), ("x = # 1", 1, 5, "expected a value"),
    ("x = [\n\n", 3, 1, "expected a value"), ("x = [,]", 1, 6, "expected a value"),
    ("x = [\n  {}\n  ''\n]", 3, 3, "expected ',' or ']' after a value of an array"),
    ("x = {a = 1\n}", 1, 11, "expected ',' or '}' after a value of an inline table"),
  ]

  private static let invalidValues: [(String, Int, Int, String)] =
    [
      "mmol/L", "é", "True", "+true", "1__0", "_1", "1_", "01", "-01", "+", "+-1", "1.", ".5", "1._5", "1e", "1e1.5",
      "1.2.3", "0x", "+0x1", "0X1", "0xg", "0o8", "0b2", "0x_1", "infinity", "٣", "1\u{301}", "9223372036854775808",
      "-9223372036854775809", "0xFFFFFFFFFFFFFFFF", "1'a'", "\u{FEFF}1",
    ].map { ("x = \($0)", 1, 5, word) }
    + ["1979-05-27", "1979-05-27T07:32:00Z", "07:32:00.5"].map {
      ("x = [ \($0)", 1, 7, "dates and times are not supported")
    }

  private static let invalidStrings: [(String, Int, Int, String)] = [
    ("x = \"a", 1, 5, quotes), ("x = 'a\n'", 1, 5, quotes), ("x = \"a\\\"", 1, 5, quotes), ("'a = 1", 1, 1, quotes),
    ("\nx = '''a\nb''", 2, 5, quotes), ("x = \"\\x\"", 1, 6, escape), ("x = \"a\\\n\"", 1, 7, escape),
    ("x = \"\"\"\n\\ a\"\"\"", 2, 1, escape), ("x = \"\\u12\"", 1, 6, digits(4)), ("x = \"\\u+123\"", 1, 6, digits(4)),
    ("x = \"\\uD800\"", 1, 6, digits(4)), ("x = \"\\u0000\"", 1, 6, digits(4)),
    ("x = \"\\U00110000\"", 1, 6, digits(8)),
  ]

  private static let definedTwice: [(String, Int, Int, String)] = [
    ("a = 1\na = 2", 2, 1, "'a' is defined twice"), ("a.b = 1\na.'b' = 2", 2, 3, "'a.b' is defined twice"),
    ("[a]\n[ a ]", 2, 3, "'a' is defined twice"), ("[a.b]\n[a]\nb = 1", 3, 1, "'b' is defined twice"),
    ("a.b = 1\n[a]", 2, 2, "'a' is defined twice"), ("[a]\nb.c = 1\n[a.b]", 3, 4, "'a.b' is defined twice"),
    ("x = {a = 1, a = 2}", 1, 13, "'a' is defined twice"), ("\"\\n\" = 1\n\"\\n\" = 1", 2, 1, "'?' is defined twice"),
    ("a = 1\na.b = 2", 2, 1, "'a' is defined above and cannot be extended"),
    ("a.b = {}\n[a.b.c]", 2, 4, "'a.b' is defined above and cannot be extended"),
    ("a = [{}]\n[a.b]", 2, 2, "'a' is defined above and cannot be extended"),
    ("[a.b]\n[a]\nb.c = 1", 3, 1, "'b' is defined above and cannot be extended"),
  ]

  @Test(
    "refuses the first part that is invalid or not supported, without its value, which may be a secret",
    arguments: invalidLines + invalidValues + invalidStrings + definedTwice)
  func invalidDocument(document: String, line: Int, column: Int, reason: String) {
    let error = TOMLError.invalid(line: line, column: column, reason: reason)
    #expect(throws: error) { try Self.read(document) }
    #expect(error.message == "line \(line), column \(column): \(reason)")
    // The same two lines further down, after line ends of two characters.
    #expect(throws: TOMLError.invalid(line: line + 2, column: column, reason: reason)) {
      try Self.read("# é\r\n\r\n\(document)")
    }
  }

  @Test(
    "refuses control characters anywhere, including a carriage return alone",
    arguments: [
      ("\u{0}", #"\0"#), ("\u{7F}", #"\u{7F}"#), ("\u{B}", #"\u{0B}"#), ("\r", #"\r"#), ("\u{1B}", #"\u{1B}"#),
    ])
  func controls(character: String, name: String) {
    for (before, after, column) in [
      ("# a", "b", 4), ("x = '''\n", "'''", 1), ("y = 1", "\r\n", 6), ("\"", "\" = 1", 2),
    ] {
      let line = before.contains("\n") ? 3 : 2
      let error = TOMLError.invalid(line: line, column: column, reason: "the control character \(name)")
      #expect(throws: error) { try Self.read("\n\(before)\(character)\(after)") }
    }
  }

  @Test("refuses bytes that are not UTF-8 and reports their position, also in a comment")
  func encoding() {
    for bytes in [[0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]]
    {
      let error = TOMLError.invalid(line: 2, column: 5, reason: "invalid UTF-8")
      #expect(throws: error) { try TOMLReader.read("\u{FEFF}é = 1\n# é ".utf8 + bytes) }
    }
  }

  @Test("accepts keys of 16 names and 16 nested arrays and inline tables, and refuses more")
  func depth() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "[{a=", count: count / 2) + "[" + String(repeating: "}]", count: count / 2)
    }
    func lists(_ count: Int) -> String { String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    func key(_ count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }
    #expect(TOMLReader.depthLimit == 16)
    _ = try Self.read("x = \(lists(16))\ny = [\(lists(15)), \(lists(15))]\n[\(key(16))]\n\(key(16)) = 1")
    let deep = "arrays and inline tables are nested more than 16 deep"
    #expect(throws: TOMLError.invalid(line: 1, column: 21, reason: deep)) { try Self.read("x = \(lists(17))") }
    #expect(throws: TOMLError.invalid(line: 1, column: 37, reason: deep)) { try Self.read("x = \(nested(16))") }
    for (document, column) in [("[\(key(17))]", 34), ("\(key(2000)) = 1", 33), ("x = {\(key(17)) = 1}", 38)] {
      let error = TOMLError.invalid(line: 1, column: column, reason: "a key has more than 16 names")
      #expect(throws: error) { try Self.read(document) }
    }
  }

  @Test("accepts 32 KiB and refuses one byte more")
  func size() throws {
    let comment = "#" + String(repeating: "a", count: 32_767)
    #expect(try Self.read(comment).isEmpty)
    let error = #expect(throws: TOMLError.tooLarge(limit: 32_768)) { try Self.read(comment + "\n") }
    #expect(error?.message == "it has more than 32768 bytes")
  }
}

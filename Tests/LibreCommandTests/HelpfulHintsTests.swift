// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LibreDocuments
import TestSupport
import Testing

@testable import libre

/// The fix that an error suggests works in the situation of the error.
struct HelpfulHintsTests {
  private let sandbox = Sandbox.new()

  // MARK: Each remedy of the table

  /// Those of gzip, systemctl and gpgconf.
  private static let foreignOptions: Set = ["--test", "--now", "--kill"]

  @Test("each command that a remedy names exists with its options, and each option that stands alone is one of libre's")
  func commands() throws {
    #expect(try Self.named().count > 50)
    let options = Set(
      Self.types(of: Libre.self).flatMap {
        $0.helpMessage(columns: 200).matches(of: /--[a-z][a-z-]*/).map { $0.output }
      })
    for error in EveryError.all {
      for option in error.resolution.matches(of: /(?:^|[ (])(--[a-z][a-z-]*)/).map(\.1) {
        #expect(Self.foreignOptions.contains(String(option)) || options.contains(option), "\(error.resolution)")
      }
    }
  }

  @Test("each command that a remedy names and that needs no device works, in a place that has what it asks for")
  func works() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    try sandbox.copy("young.hex", to: "unknown.hex")
    try sandbox.copy("expired.hex", to: "ann.hex")
    try sandbox.copy("torn.hex", to: "ben.hex")
    try sandbox.write(
      "subject,time,glucose_mg_dl\nS1,2024-05-02T10:15:00Z,104\nS2,2024-05-02T10:15:00Z,105\n", to: "table.csv")
    let sink = ["sink", "add", "night", "file", "path=\(sandbox.path("lines"))"]
    for arguments in [
      ["person", "add", "ann"], ["person", "add", "ben"],
      ["import", "a.hex", "--read-at", "2024-05-02T10:15:00Z", "--mine"],
      ["import", "ann.hex", "--uid", "E007A0000025905F", "--read-at", "2024-03-02T10:15:00Z", "--person", "ann"],
      ["import", "ben.hex", "--uid", "E007A00000259060", "--read-at", "2024-02-02T10:15:00Z", "--person", "ben"],
      ["add", "104", "--at", "2024-05-02T10:15:00Z"], sink, sink + ["--person", "ann"], ["sync"],
      ["add", "104", "--at", "2024-05-02T10:16:00Z", "--store", "new.sqlite"],
    ] {
      try sandbox.done(arguments)
    }
    let dump = try sandbox.bytes(of: "a.hex")
    for command in try Self.named() where !Self.needsDevice(command) {
      // Each begins in the same state.
      let place = try Sandbox()
      for name in ["config", "data", "a.hex", "unknown.hex", "table.csv", "new.sqlite"] {
        let target = place.url.appendingPathComponent(name)
        try? FileManager.default.removeItem(at: target)
        try FileManager.default.copyItem(at: sandbox.url.appendingPathComponent(name), to: target)
      }
      // The store of `EveryError`.
      try FileManager.default.copyItem(
        at: place.url.appendingPathComponent("new.sqlite"), to: place.url.appendingPathComponent("s"))
      let outcome = try place.run(command + ["--no-input"], input: dump)
      #expect(outcome.status == 0, "libre \(command.joined(separator: " ")): \(outcome.errors)")
    }
  }

  /// True for a command that waits for a reader, a meter or a client, and for one about a value that the place lacks.
  private static func needsDevice(_ arguments: [String]) -> Bool {
    ["read", "doctor", "flipper", "meter", "serve"].contains(arguments[0]) || arguments == ["readers"]
      || arguments == ["meters", "--scan", "30"] || arguments.contains("--remove")
  }

  /// The words in capitals, and the names of things that `EveryError` speaks of.
  private static let values = [
    "VALUE": "104", "TIME": "2024-05-02T09:20:00Z", "UID": "E007A0000025905E", "HEX": "DF0000000000",
    "DIGITS": "123456", "SENSOR": "E007A0000025905F", "ID": "d1f5603b-c12a-549e-be27-e59866f73323",
  ]
  private static let names: Set = [
    "FILE", "NAME", "night", "ann", "ben", "eva", "me", "1", "104", "-", "new.sqlite", "sim:meter", "Contour",
  ]

  /// The file, or the name, that a command asks for.
  private static func value(_ word: String, of arguments: [String]) -> String {
    switch (word, arguments[0], arguments.dropFirst().first) {
    case ("NAME", "person", _): "eva"
    case ("NAME", _, _): "ann"
    case ("FILE", "store", "backup"): "backup.sqlite"
    case ("FILE", "store", _), ("FILE", "history", _): "new.sqlite"
    case ("FILE", "stats", _) where arguments.contains("subject"): "table.csv"
    case ("FILE", "import", _) where arguments.contains("--subjects-as-persons"): "table.csv"
    case ("FILE", "import", _) where arguments.contains("--person") || arguments.contains("--mine"): "unknown.hex"
    case ("FILE", _, _): "a.hex"
    case (_, _, _): values[word] ?? word
    }
  }

  /// The commands in the remedies. Behind the command's name, the options with their values, the names and the words in
  /// capitals belong to it; the first other word is the sentence's.
  private static func named() throws -> Set<[String]> {
    var found: Set<[String]> = []
    for error in EveryError.all {
      for match in error.resolution.matches(of: /(?:^|[ (])libre ((?:(?!libre )[^;,()|])*)/) {
        let words = match.1.split(separator: " ").map { $0.filter { $0 != "'" } }
        let path = Array(Libre.command(of: words).path.dropFirst())
        // "libre formats lists what libre reads".
        if words.first == "reads" { continue }
        #expect(!path.isEmpty, "\(error.resolution)")
        var command = path
        var rest = words.dropFirst(path.count)
        while let word = rest.popFirst(),
          word.hasPrefix("-") || names.contains(word) || values[word] != nil || word.contains(":")
        {
          command.append(word)
          if word.hasPrefix("--"), takesValue(word, path), let value = rest.popFirst() { command.append(value) }
        }
        // "libre inspect shows the bytes" leaves its file out.
        let whole = [[], ["FILE"], ["FILE", "--to", "raw"]].map { command + $0 }.first { whole in
          isAccepted(whole.map { value($0, of: whole) }) && (path != ["stats"] || whole.last == "FILE")
        }
        // "libre serve --listen with another port".
        if whole == nil, command.last == "with" { continue }
        let complete = try #require(whole, "\(command): \(error.resolution)")
        found.insert(complete.map { value($0, of: complete) })
      }
    }
    return found
  }

  private static func isAccepted(_ arguments: [String]) -> Bool {
    (try? Libre.parseAsRoot(arguments)) != nil || arguments.last == "--help"
  }

  /// True for an option, false for a flag.
  private static func takesValue(_ option: String, _ path: [String]) -> Bool {
    do {
      _ = try Libre.parseAsRoot(path + ["\(option)=x"])
      return true
    } catch {
      return !Libre.fullMessage(for: error).contains("does not take any value")
    }
  }

  private static func types(of type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [type] + type.configuration.subcommands.flatMap(types)
  }

  // MARK: Single situations

  /// The lines on standard error of a run that fails with this status.
  private func errors(_ status: Int32, _ arguments: String...) throws -> String {
    let outcome = try sandbox.run(arguments)
    #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
    return outcome.errors
  }

  @Test("for an archive of lines that is too large for one file, the hint names --lines")
  func tooLarge() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    let made = try sandbox.shell(
      """
      line=$("$LIBRE" convert a.hex --quiet --to raw | od -An -v -tx1 | tr -d ' \\n'); yes $line | head -c 67108900 >big
      """)
    try #require(made.status == 0)
    for command in ["decode", "import"] {
      #expect(try errors(65, command, "big").contains("Try: libre decode and libre convert take each line by itself"))
    }
    // A large file of anything else has no lines to take.
    let other = try sandbox.shell("yes nothing | head -c 67108900 >big")
    #expect(other.status == 0)
    #expect(try !errors(65, "decode", "big").contains("--lines"))
  }

  @Test("what is no dump is named by its kind: stores, tables, archives, texts of other languages and encodings")
  func otherFiles() throws {
    try sandbox.done("add", "104", "--store", "s.sqlite")
    for (number, text) in ["{\"a\":1}", "<a/>", "day;value\n1;2\n"].enumerated() {
      try sandbox.write(text, to: "text\(number)")
      let errors = try errors(65, "decode", "text\(number)")
      #expect(!errors.contains("hex digit") && errors.contains("libre formats"), "\(errors)")
    }
    try sandbox.copy("active.hex", to: "a.hex")
    try sandbox.write(Array("PAR1".utf8) + [UInt8](repeating: 0, count: 400), to: "a.parquet")
    try sandbox.write(
      [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 0, count: 26) + Array("[Content_Types].xml".utf8), to: "a.xlsx")
    try sandbox.write(Array("Ger".utf8) + [0xE4] + Array("t;Wert\nLibre;x y z\n".utf8), to: "latin1.csv")
    try sandbox.write(
      [0xFF, 0xFE] + "Gerät;Wert\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, to: "utf16.csv")
    #expect(
      try sandbox.shell("echo nothing >n; tar -cf a.tar n; gzip -c a.tar >a.tgz; tar -czf whole.tgz a.hex").status == 0)
    #expect(try sandbox.run(["decode", "whole.tgz"]).text.contains("whole.tgz (found: hex at byte "))
    for (file, word) in [
      ("a.parquet", "Parquet"), ("a.xlsx", "save it as CSV"), ("latin1.csv", "iconv -f LATIN1"),
      ("utf16.csv", "iconv -f UTF-16"), ("a.tar", "tar -xf"), ("a.tgz", "tar -xf FILE"),
    ] {
      for command in ["decode", "import"] {
        #expect(try errors(65, command, file).contains(word), "\(command) \(file)")
      }
    }
    let errors = try errors(65, "decode", "s.sqlite")
    #expect(errors.contains("--store") && errors.contains("store merge"), "\(errors)")
  }

  @Test("a file name that begins with a dash is reported, also if the letters after it include the one for help")
  func dash() throws {
    try sandbox.copy("active.hex", to: "-q.hex")
    for name in ["-q.hex", "-hex"] {
      let errors = try errors(64, "decode", name)
      #expect(errors == "libre: unknown option '\(name)'\n  Try: write ./\(name) if that is a file\n")
    }
    try sandbox.done("decode", "./-q.hex")
    for help in ["-h", "-qh", "-help"] { #expect(try sandbox.run("decode", help).text.hasPrefix("OVERVIEW")) }
    #expect(try errors(64, "history", "--from", "-3h", "--rng", "x").contains("unknown option '--rng'"))
  }

  @Test("before a command waits for the other end of a named pipe it says so, and a configuration is never a pipe")
  func pipe() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    let outcome = try sandbox.shell(
      "mkfifo pipe; cat a.hex >pipe & \"$LIBRE\" decode pipe --ndjson; \"$LIBRE\" decode - --ndjson --quiet <a.hex")
    #expect(outcome.status == 0 && outcome.lines.count == 2)
    #expect(outcome.errors == "libre: pipe is a named pipe: waiting for a program that writes to it\n")
    #expect(try sandbox.shell("mkdir -p config/libre; mkfifo config/libre/config.toml").status == 0)
    #expect(try errors(78, "latest").contains("config.toml cannot be read: it is a named pipe"))
  }

  @Test("a file whose name is not UTF-8 can be named in every command and found in a directory, and is shown readably")
  func namesOfBytes() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    let outcome = try sandbox.shell(
      """
      set -e
      mkdir dumps; name=$(printf 'dumps/caf\\351.hex'); mv a.hex "$name"
      "$LIBRE" decode "$name" --ndjson | head -c 300; echo
      "$LIBRE" inspect "$name" | head -n 1
      "$LIBRE" convert "$name" --to json --out "$name.json"
      "$LIBRE" import "$name" --store "$name.sqlite"
      "$LIBRE" latest --store "$name.sqlite" >/dev/null
      "$LIBRE" decode --recursive dumps --ndjson --quiet | grep -c fingerprint
      rm -r dumps
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.first?.contains(#""path":"dumps/caf\\xE9.hex""#) == true, "\(outcome.text)")
    #expect(outcome.lines.dropFirst().first?.hasPrefix(#"dumps/caf\xE9.hex: hex, 344 bytes"#) == true)
    #expect(outcome.lines.contains { $0.hasPrefix(#"dumps/caf\xE9.hex (hex): 1 scan (1 new)"#) })
    #expect(outcome.lines.last == "2")
  }

  @Test("report writes PDF if the file name ends so, and refuses a name of another format")
  func reportFormats() throws {
    try sandbox.copy("active.hex", to: "a.hex")
    for (option, name) in [("--out", "x.jpg"), ("--png", "x.jpg"), ("--svg", "x.png")] {
      #expect(try errors(64, "report", "a.hex", option, name).contains(option))
    }
    #expect(try sandbox.run("report", "a.hex", "--out", "x.svg").errors.contains("or --svg x.svg"))
    let pdf = try sandbox.run("report", "a.hex", "--out", "x.pdf")
    if pdf.status == 0 {
      #expect(sandbox.text(of: "x.pdf").hasPrefix("%PDF-"))
    } else {
      #expect(pdf.status == 69 && pdf.errors.contains("chromium"), "\(pdf.errors)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `libre decode` on JSON lines, and on several threads.
struct DecodeLinesTests {
  private let sandbox = Sandbox.new()

  /// A dump of ours as `libre.dump/1` on one line, with its line end.
  private func line(_ name: String) throws -> String {
    try sandbox.copy("\(name).hex", to: "\(name).hex")
    let outcome = try sandbox.run("convert", "\(name).hex", "--to", "json", "--out", "\(name).json", "--force")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return sandbox.text(of: "\(name).json").split(separator: "\n").joined() + "\n"
  }

  private func decode(_ lines: String, _ arguments: String...) throws -> Outcome {
    try sandbox.run(["decode", "-", "--ndjson"] + arguments, input: Array(lines.utf8))
  }

  @Test("each line of a pipe has its answer while the pipe is open", arguments: [1, 2])
  func openPipe(jobs: Int) throws {
    try sandbox.write(try line("active"), to: "first")
    try sandbox.write(try line("expired"), to: "second")
    let outcome = try sandbox.shell(
      """
      mkfifo in out
      "$LIBRE" decode - --ndjson --jobs \(jobs) <in >out &
      exec 3>in 4<out
      for line in first second; do
        cat $line >&3
        IFS= read -r answer <&4
        printf '%s\\n' "$answer"
      done
      exec 3>&-
      wait $!
      """)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let answers = try outcome.ndjson()
    #expect(answers.map { $0["sensor"]["state"].text } == ["active", "expired"])
    #expect(answers.map { $0["source"]["line"] } == [.number(1), .number(2)])
  }

  @Test("the whole archive gives the same bytes with any number of jobs")
  func jobs() throws {
    let names = ["active", "expired", "gaps", "torn", "x-bad-body", "not-activated"]
    let lines = try names.map(line)
    // More than the pieces in which a file is read; every hundredth line is bad.
    let text = (0..<1_000).map { $0 % 100 == 99 ? "bad\n" : lines[$0 % lines.count] }.joined()
    let one = try decode(text, "--jobs", "1")
    #expect(one.status == 0 && one.lines.count == 1_000)
    for jobs in ["2", "5"] {
      let several = try decode(text, "--jobs", jobs)
      #expect(several.output == one.output && several.status == 0)
      #expect(several.errors == one.errors)
    }
  }

  @Test("a batch of which nothing can be decoded has status 65, unless --keep-going is given")
  func nothingDecoded() throws {
    #expect(try decode("a\nb\n", "--lines").status == 65)
    #expect(try decode("a\nb\n", "--lines", "--keep-going").status == 0)
    let good = try line("active")
    #expect(try decode("a\n" + good, "--lines").status == 0)
    #expect(try decode("a\n" + good, "--no-keep-going").status == 65)
    let blank = try decode("\n  \n")
    #expect(blank.status == 0 && blank.output.isEmpty && blank.errors.isEmpty)
    // A batch with bad lines ends with its totals, and --quiet leaves the text of errors to their documents.
    let text = "bad\n" + good + "bad\n"
    let outcome = try decode(text)
    #expect(outcome.errors.hasSuffix("libre: 3 lines: 1 decoded, 2 refused\n"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 5)
    let quiet = try decode(text, "--quiet")
    #expect(quiet.errors == "libre: 3 lines: 1 decoded, 2 refused\n" && quiet.output == outcome.output)
    // Without documents only standard error has the errors.
    let table = try sandbox.run(["decode", "-", "--lines", "--quiet"], input: Array(text.utf8))
    #expect(table.errors.contains("line 1") && !table.errors.contains("3 lines"), "\(table.errors)")
    #expect(try decode(good, "--quiet").errors.isEmpty)
  }

  @Test("a gzip file is answered like its content: in several members, from a pipe, with and without --lines")
  func gzip() throws {
    let names = ["active", "expired", "x-bad-body"]
    try sandbox.write(try names.map(line).joined() + "bad\n", to: "json")
    let made = try sandbox.shell(
      """
      set -e
      for name in active expired; do "$LIBRE" convert $name.hex --quiet --to raw | od -An -v -tx1 | tr -d ' \\n'; echo; done >hex
      echo bad >>hex
      for file in hex json; do head -n 1 $file | gzip -c >$file.gz; tail -n +2 $file | gzip -c >>$file.gz; done
      """)
    try #require(made.status == 0, "\(made.errors)")
    for (file, options) in [("json", []), ("json", ["--lines"]), ("hex", ["--lines"])] {
      let input = try sandbox.bytes(of: "\(file).gz")
      let plain = try sandbox.run(["decode", file, "--ndjson"] + options)
      let packed = try sandbox.run(["decode", "\(file).gz", "--ndjson"] + options)
      let piped = try sandbox.run(["decode", "-", "--ndjson"] + options, input: input)
      #expect(plain.status == 0 && packed.status == 0 && piped.status == 0)
      #expect(plain.lines.count == (file == "hex" ? 3 : 4))
      for (outcome, path) in [(packed, "\(file).gz"), (piped, "-")] {
        #expect(outcome.text.replacing("\"path\":\"\(path)\"", with: "\"path\":\"\(file)\"") == plain.text)
      }
    }
  }

  @Test("a gzip file that is cut off gives the lines before the cut, then one error with status 65")
  func cutGzip() throws {
    let good = try line("active")
    try sandbox.write(String(repeating: good, count: 200), to: "many")
    // Without compression the cut is within a line.
    #expect(try sandbox.shell("gzip -1 many && head -c 2000 many.gz >cut.gz").status == 0)
    let outcome = try sandbox.run("decode", "cut.gz", "--lines", "--ndjson")
    let codes = try outcome.ndjson().map { $0["code"].text }
    #expect(outcome.status == 65 && codes.last == "bad_gzip" && codes.count > 1)
    #expect(codes.dropLast().allSatisfy { $0 == nil })
  }

  @Test("a reader that ends early ends the command, without a message")
  func closedOutput() throws {
    let text = String(repeating: try line("active"), count: 200)
    try sandbox.write(text, to: "many.ndjson")
    let outcome = try sandbox.shell(
      """
      { "$LIBRE" decode many.ndjson --ndjson --jobs 2; echo "status $?" >&2; } | head -n 1 | cut -c 1-10
      """)
    #expect(outcome.text == "{\"schema\":\n")
    #expect(outcome.errors == "status 141\n")
  }

  /// The output lines without the member `input`, which is the last.
  private func withoutInput(_ outcome: Outcome) -> [String] {
    outcome.lines.map { line in
      guard let range = line.range(of: ",\"input\":", options: .backwards) else { return line }
      return String(line[..<range.lowerBound]) + "}"
    }
  }

  @Test("members that libre does not know are kept as they stand in the line, on readings and on errors")
  func keptMembers() throws {
    let kept = #""patient": {"id":"P-17","n":1.50},"visit" : [2, null],"id":"mine","text":"é\u0041\"""#
    let good = String(try line("active").dropLast(2)) + ",\(kept)}\n"
    let bad = "{\"patient\":\"P-18\",\"schema\":\"libre.dump\\/1\",\"read_at\":null}\n"
    let plain = try line("active")
    let text = good + bad + "no JSON\n" + "{\"patient\":\"P-19\"}\n" + plain
    let outcome = try decode(text, "--keep-members")
    #expect(outcome.status == 0)
    let inputs = try outcome.ndjson().map { $0["input"] }
    #expect(outcome.lines[0].hasSuffix(#","input":{"# + kept + "}}"))
    #expect(inputs[0]["patient"]["id"].text == "P-17" && inputs[0].keys == ["patient", "visit", "id", "text"])
    #expect(inputs[1] == .object(["patient": .string("P-18")]))
    #expect(inputs[2] == .null && outcome.lines[2].hasSuffix(",\"input\":null}"))
    #expect(inputs[3] == .object(["patient": .string("P-19")]) && inputs[4] == .object([:]))
    #expect(
      try outcome.ndjson().map { $0["schema"].text } == [
        "libre.reading/1", "libre.error/1", "libre.error/1", "libre.error/1", "libre.reading/1",
      ])
    // Nothing else changes.
    #expect(withoutInput(outcome) == (try decode(text)).lines)
    #expect(try decode(text).lines.allSatisfy { !$0.contains("\"input\"") })
  }

  @Test("an answer that is decoded again keeps what its line had kept, and objects of other programs keep the rest")
  func keptAgain() throws {
    let first = try decode(String(try line("active").dropLast(2)) + ",\"patient\":7}\n", "--keep-members")
    let again = try decode(first.text, "--keep-members").ndjson()
    #expect(again.map { $0["input"] } == [.object(["input": .object(["patient": .number(7)])])])
    let bytes = try sandbox.run("convert", "active.hex", "--to", "raw", "--force").output
    let numbers = bytes.map { "\(Int8(bitPattern: $0))" }.joined(separator: ",")
    let alarm = try decode("{\"id\":1,\"data\":{\"raw_data\":[\(numbers)]},\"visit\":2}\n", "--keep-members").ndjson()
    #expect(alarm.map { $0["source"]["format"].text } == ["librealarm"])
    #expect(alarm.map { $0["input"] } == [.object(["id": .number(1), "visit": .number(2)])])
  }
}

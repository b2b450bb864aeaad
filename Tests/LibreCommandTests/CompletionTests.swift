// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The completions that a real bash offers for a word.
struct CompletionTests {
  private let sandbox = Sandbox.new()

  private func offers(_ words: String...) throws -> [String] {
    let array = (["libre"] + words).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      shopt -s progcomp
      libre() { "$LIBRE" "$@"; }
      compopt() { :; }
      source <("$LIBRE" --generate-completion-script bash)
      COMP_WORDS=(\(array)) COMP_CWORD=\(words.count)
      COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
      _libre "$LIBRE" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try sandbox.run(program: "/bin/bash", ["-c", script])
    return outcome.lines.map { $0.split(separator: " ").joined() }.filter { !$0.isEmpty }.sorted()
  }

  @Test("file arguments complete to files, and options to their values")
  func files() throws {
    try sandbox.write("", to: "vd-1.hex")
    try sandbox.write("", to: "vd-2.hex")
    #expect(try offers("decode", "vd") == ["vd-1.hex", "vd-2.hex"])
    #expect(try offers("import", "vd-1") == ["vd-1.hex"])
    #expect(try offers("decode", "--store", "vd-2") == ["vd-2.hex"])
    #expect(try offers("latest", "--unit", "mm") == ["mmol/L"])
    #expect(try offers("simulate", "--scenario", "expi") == ["expired"])
    #expect(try offers("export", "--format", "fh") == ["fhir"])
    #expect(try offers("decode", "--calibration", "rea") == ["reader"])
  }

  @Test("sinks, sensors and sources complete to their names")
  func names() throws {
    try sandbox.done("sink", "add", "night", "file", "path=/tmp/x")
    #expect(try offers("sink", "show", "ni") == ["night"])
    try sandbox.copy("active.hex", to: "a.hex")
    try sandbox.done("import", "a.hex")
    let serial = try #require(try sandbox.run("sensors", "--json").json()["sensors"][0]["serial"].text)
    #expect(try offers("sensor", "show", String(serial.prefix(4))) == [serial])
    try sandbox.write("time,mg_dL\n2024-05-02T10:00:00Z,104\n", to: "table.csv")
    try sandbox.done("import", "table.csv")
    #expect(try offers("stats", "--source", "") == ["libre", "table"])
  }
}

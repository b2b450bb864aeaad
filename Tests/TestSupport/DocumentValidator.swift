// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Testing

/// Checks documents by other people's rules, with the `Validators/validate.py` of a test target, or with xmllint.
///
/// Every test that uses it has the trait `.startsProcesses`.
package struct DocumentValidator {
  private let target: String
  private let sandbox: Sandbox

  package init(of target: String) throws {
    self.target = target
    sandbox = try Sandbox()
  }

  /// One document's answer.
  private struct Answer: Equatable {
    var faults: [String] = []
    var records: Int?
  }

  /// Sound documents have no fault and this many records each; the first of them has one with a part of it replaced, for
  /// each of `planted`: the part, and what takes its place.
  package func check(
    _ kind: String, _ documents: [String], records: Int, planted: KeyValuePairs<String, String> = [:],
    by rules: ForeignPython.Rules,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let broken = planted.map { part, replacement in
      #expect(documents[0].contains(part), "\(kind): \(part)", sourceLocation: place)
      return documents[0].replacingOccurrences(of: part, with: replacement)
    }
    let answers = try answers(kind, documents + broken, rules)
    for answer in answers.prefix(documents.count) {
      #expect(answer == Answer(records: records), "\(kind)", sourceLocation: place)
    }
    for (answer, fault) in zip(answers.dropFirst(documents.count), planted) {
      #expect(
        !answer.faults.isEmpty, "\(kind): \(fault.value) for \(fault.key) was not found", sourceLocation: place)
    }
  }

  /// Whether xmllint finds an XML document valid: by the declarations in it, or by those of a DTD.
  package func isValidXML(_ document: String, declarations: String? = nil) throws -> Bool {
    let name = try sandbox.write(document, to: "document.xml")
    let rules = try declarations.map { ["--dtdvalid", try sandbox.write($0, to: "declarations.dtd")] } ?? ["--valid"]
    return try sandbox.run(
      program: "/usr/bin/env", ["xmllint", "--noout", "--nonet"] + rules + [name],
      environment: ["PATH": ForeignPython.path]
    ).status == 0
  }

  /// The program's answers to all documents, in one run.
  private func answers(
    _ kind: String, _ documents: [String], _ rules: ForeignPython.Rules
  ) throws -> [Answer] {
    let names = try documents.enumerated().map { try sandbox.write($0.element, to: "\($0.offset).document") }
    let outcome = try ForeignPython.run("validate.py", of: target, [kind] + names, by: rules, in: sandbox)
    #expect(outcome.status == 0, "\(outcome.errors)")
    var answers = Array(repeating: Answer(), count: documents.count)
    for line in outcome.lines {
      let (file, text) = try #require(line.wholeMatch(of: /([0-9]+)\.document: (.*)/).map { ($0.1, $0.2) })
      let index = try #require(Int(file))
      if let count = text.wholeMatch(of: /([0-9]+) records/) {
        answers[index].records = Int(count.1)
      } else {
        answers[index].faults.append(String(text))
      }
    }
    return answers
  }
}

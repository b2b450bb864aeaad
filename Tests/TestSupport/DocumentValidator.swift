// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Testing

/// Holds documents against other people's rules, by the `Validators/validate.py` of a test target.
public struct DocumentValidator {
  /// What the program imports.
  public enum Rules { case python, jsonschema, packages }

  private let program: String
  private let sandbox: Sandbox

  public init(of target: String) throws {
    program = Self.tests.appendingPathComponent("\(target)/Validators/validate.py").path
    sandbox = try Sandbox()
  }

  private static let tests = Sandbox.root.appendingPathComponent("Tests")

  /// One document's answer.
  private struct Answer: Equatable {
    var faults: [String] = []
    var records: Int?
  }

  /// Sound documents have no fault and this many records each; the first of them has one with a part of it replaced, for
  /// each of `planted`: the part, and what takes its place.
  public func check(
    _ kind: String, _ documents: [String], records: Int, planted: KeyValuePairs<String, String> = [:], by rules: Rules,
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

  /// What the program says of each document, in one run.
  private func answers(_ kind: String, _ documents: [String], _ rules: Rules) throws -> [Answer] {
    let names = try documents.enumerated().map { try sandbox.write($0.element, to: "\($0.offset).document") }
    let shared = Self.tests.appendingPathComponent("Validators").path
    let outcome = try sandbox.run(
      program: "/usr/bin/env",
      [rules == .jsonschema ? ForeignPython.withSchemas() : "python3", program, kind] + names,
      environment: ForeignPython.environment(modules: [shared], packages: rules == .packages))
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

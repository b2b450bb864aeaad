// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import LibreDocuments
import LibreKit
import Testing

/// `EveryError.txt` has the code, exit status, message and remedy of each error. `LIBRE_KEEP_ERRORS=1` writes it anew.
struct EveryErrorTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingPathExtension().deletingLastPathComponent()
    .appendingPathComponent("EveryError.txt")

  @Test("each error has the code, the exit status, the message and the remedy that are recorded")
  func recorded() throws {
    let lines = EveryError.all.flatMap { error in
      ["\(error.code) \(error.exitStatus)", "  \(error.message)", "  Try: \(error.resolution)"]
    }
    if ProcessInfo.processInfo.environment["LIBRE_KEEP_ERRORS"] != nil {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
    }
    let recorded = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
    for (line, expected) in zip(lines, recorded) { #expect(line == expected) }
    #expect(lines.count == recorded.count)
  }

  @Test("each error gives the problem and what helps, each in one line without a full stop")
  func sentences() {
    for error in EveryError.all {
      #expect(error.code.wholeMatch(of: /[a-z0-9_]+/) != nil)
      for text in [error.message, error.resolution] {
        #expect(text.count >= 5 && !text.contains("\n") && !text.hasSuffix("."), "\(text)")
      }
    }
  }

  @Test("an error of any layer is wrapped once, and equals only itself")
  func wrapping() throws {
    let wrapped = EveryError.all.compactMap { LibreError(wrapping: $0) }
    #expect(Set(wrapped).count == EveryError.all.count)
    for error in wrapped { #expect(LibreError(wrapping: error) == error && !(error.cause is LibreError)) }
    #expect(LibreError(wrapping: CancellationError()) == nil, "it explains nothing")
  }
}

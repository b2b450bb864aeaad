// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import SampleSinks
import SampleSync

/// Questions to the person at the terminal. They stand on standard error; an answer is one line.
enum Questions {
  /// Ctrl-D: no more questions are wanted.
  struct Ended: Error {}

  /// Asks questions; false if no more of them are wanted.
  static func asked(_ questions: () throws -> Void) throws -> Bool {
    // A blank line before what follows; after Ctrl-D the end of its own line.
    defer { StandardError.draw("\n") }
    do {
      try questions()
      return true
    } catch is Ended {
      return false
    }
  }

  /// The answer without spaces around it; nil for Enter alone. Throws `Ended`.
  static func answer(to question: String) throws -> String? {
    StandardError.draw(question)
    return try text(of: TerminalInput.line())
  }

  /// The same for an answer that the terminal does not show.
  static func hiddenAnswer(to question: String) throws -> String? {
    let entry = TerminalInput.hiddenLine { StandardError.draw(question) }
    // The line end was not shown either.
    StandardError.draw("\n")
    return try text(of: entry)
  }

  private static func text(of entry: TerminalInput.Entry) throws -> String? {
    switch entry {
    case .line(let line):
      let text = String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      return text.isEmpty ? nil : text
    case .end: throw Ended()
    case .interrupted: throw ExitCode(SignalHandler.exitStatus)
    }
  }
}

/// A person would have to type something, and `--no-input` says that nobody is there.
struct InputNotWanted: ExplainedError {
  let what: String
  let instead: String

  var explanation: ErrorExplanation {
    ErrorExplanation(
      "input_not_wanted", "\(what) would have to be typed at the terminal, and --no-input forbids to wait for that",
      instead)
  }

  var exitStatus: Int32 { 64 }
}

extension Session {
  /// The secret on standard input. At a terminal it is typed unseen.
  ///
  /// - Throws: `InputNotWanted` for a terminal with `--no-input`, and what `SinkSecret` throws.
  func secretOnStandardInput(of sink: String) throws -> Secret {
    guard TerminalInput.isTerminal else { return try SinkSecret.readStandardInput() }
    if asksNobody {
      throw InputNotWanted(
        what: "the secret of \(sink)",
        instead: "--secret-file FILE, --secret-command COMMAND, or --secret-stdin < FILE")
    }
    do {
      return try SinkSecret.typed(Questions.hiddenAnswer(to: "Secret of \(sink) (it is not shown): ") ?? "")
    } catch is Questions.Ended {
      return try SinkSecret.typed("")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import SampleSync
package import TextFormats

/// Questions at the terminal, on standard error; an answer is one line.
package enum Questions {
  /// The user pressed Ctrl-D, to skip all further questions.
  package struct Ended: Error {}

  /// Asks questions; false if the user pressed Ctrl-D.
  package static func asked(_ questions: () throws -> Void) throws -> Bool {
    // An empty line before the next text; after Ctrl-D the end of the current line.
    defer { StandardError.draw("\n") }
    do {
      try questions()
      return true
    } catch is Ended {
      return false
    }
  }

  /// Asks a question and returns the trimmed answer; nil for Enter alone.
  package static func answer(to question: String) throws -> String? {
    StandardError.draw(question)
    return try text(of: TerminalInput.line())
  }

  /// Asks a question and hides what is typed; nil for Enter alone.
  package static func hiddenAnswer(to question: String) throws -> String? {
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

/// Input would be needed at the terminal, but `--no-input` is given.
package struct InputNotWanted: RemediedError {
  package let what: String
  package let resolution: String

  package var explanation: (code: String, message: String) {
    ("input_not_wanted", "\(what) has to be typed at the terminal, which --no-input forbids")
  }

  package var exitStatus: Int32 { 64 }
}

extension Session {
  /// Reads the secret from standard input; at a terminal it is not shown.
  package func secretOnStandardInput(of sink: String) throws -> Secret {
    guard TerminalInput.isTerminal else { return try SinkSecret.readStandardInput() }
    if forbidsInput {
      throw InputNotWanted(
        what: "the secret of \(sink)",
        resolution: "--secret-file FILE, --secret-command COMMAND, or --secret-stdin < FILE")
    }
    do {
      return try SinkSecret.typed(Questions.hiddenAnswer(to: "Secret of \(sink) (it is not shown): ") ?? "")
    } catch is Questions.Ended {
      return try SinkSecret.typed("")
    }
  }
}

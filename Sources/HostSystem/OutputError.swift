// SPDX-License-Identifier: Apache-2.0
import CGMModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reasons why a file, a directory or a stream cannot be written.
package enum OutputError: ExplainedError {
  /// The operating system refused it, with this error number.
  case refused(path: String, number: Int32)
  /// The file is a store, which must not be overwritten by another document.
  case isStore(path: String)
  case isInput(path: String, input: String)
  /// The file holds something that the new one lacks: `loss` names it, as the object of a sentence.
  case wouldLose(path: String, loss: String)

  /// The name of standard output in place of a path.
  package static let standardOutput = "standard output"

  /// The error for a full disk, where another library writes the file.
  package static func noSpace(path: String) -> OutputError { .refused(path: path, number: ENOSPC) }

  /// True if standard output cannot be written, so that further output would not be seen.
  package var isStandardOutput: Bool {
    if case .refused(Self.standardOutput, _) = self { true } else { false }
  }

  package var explanation: (code: String, message: String) {
    switch self {
    case .refused(let path, let number): ("cannot_create_output", "cannot write \(path): \(FileSystem.text(number))")
    case .isStore(let path): ("cannot_create_output", "cannot write \(path): it is a store of libre")
    case .isInput(let path, let input):
      ("cannot_create_output", "cannot write \(path): the input \(input) is the same file")
    case .wouldLose(let path, let loss): ("would_lose_data", "cannot replace \(path): \(loss) would be lost")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import CGMModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reasons why a file, a directory or a stream cannot be written.
public enum OutputError: ExplainedError {
  /// The operating system refused it, with this error number.
  case refused(path: String, number: Int32)
  /// The file is a store, which must not be overwritten by another document.
  case isStore(path: String)
  /// The file is one of the inputs.
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
}

extension OutputError {
  public var explanation: ErrorExplanation {
    switch self {
    case .refused(let path, let number):
      ErrorExplanation(
        "cannot_create_output", "cannot write \(path): \(FileSystem.text(number))", Self.resolution(path, number))
    case .isStore(let path):
      ErrorExplanation(
        "cannot_create_output", "cannot write \(path): it is a store of libre",
        "choose another file name")
    case .isInput(let path, let input):
      ErrorExplanation(
        "cannot_create_output", "cannot write \(path): the input \(input) is the same file", "choose another file name")
    case .wouldLose(let path, let loss):
      ErrorExplanation(
        "would_lose_data", "cannot replace \(path): \(loss) would be lost",
        "choose another file name, or replace it with --force")
    }
  }

  public var exitStatus: Int32 { 73 }

  /// Returns the advice for an error number.
  private static func resolution(_ path: String, _ number: Int32) -> String {
    let directory = FileSystem.directory(of: path)
    return switch number {
    case ENOSPC where path == standardOutput, EDQUOT where path == standardOutput:
      "free some space where standard output goes, or send it to another place"
    case ENOSPC, EDQUOT, EFBIG: "free some space on the disk of \(directory), or choose another place"
    case EACCES, EPERM, EROFS: "choose a directory that you may write to; ls -ld \(directory) shows who may"
    case ENOENT, ENOTDIR: "make the directory first: mkdir -p \(directory)"
    case EISDIR: "name a file in it: \(path)/NAME"
    case ENAMETOOLONG: "choose a shorter file name"
    case EPIPE: "keep the program that reads the output running to its end"
    case EBADF where path == standardOutput: "run it with standard output open"
    default: "choose another place, or free some space"
    }
  }
}

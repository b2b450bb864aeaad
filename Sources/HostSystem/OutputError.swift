// SPDX-License-Identifier: Apache-2.0
public import CGMModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a file, a directory or a stream cannot be written.
public enum OutputError: ExplainedError {
  /// The operating system refuses it: the error number.
  case refused(path: String, number: Int32)
  /// The file is a store, which no other document may replace.
  case isStore(path: String)
  /// The file is one of those that are being read.
  case isInput(path: String, input: String)
  /// The file holds something that the new one lacks: `loss` says what, as the object of a sentence.
  case wouldLose(path: String, loss: String)

  /// Standard output in place of a path.
  public static let standardOutput = "standard output"

  /// The disk of a file that another library writes is full.
  public static func noSpace(path: String) -> OutputError { .refused(path: path, number: ENOSPC) }

  /// True if standard output cannot be written: nobody would see what comes next.
  public var isStandardOutput: Bool {
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
        "cannot_create_output", "cannot write \(path): it is a store of libre, which no other file may replace",
        "choose another file name")
    case .isInput(let path, let input):
      ErrorExplanation(
        "cannot_create_output", "cannot write \(path): it is \(input), which is being read", "choose another file name")
    case .wouldLose(let path, let loss):
      ErrorExplanation(
        "would_lose_data", "cannot replace \(path): \(loss) would be lost",
        "choose another file name, or replace it all the same with --force")
    }
  }

  public var exitStatus: Int32 { 73 }

  /// The way out for each error number that has one of its own.
  private static func resolution(_ path: String, _ number: Int32) -> String {
    let directory = FileSystem.directory(of: path)
    return switch number {
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

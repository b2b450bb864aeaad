// SPDX-License-Identifier: Apache-2.0
package import LibreKit

/// An error with its exit status and its remedy, which only the command has: a program that links the library has other
/// commands. A new error type of the package conforms here, and a `switch` has a line for each of its cases.
package protocol RemediedError: ExplainedError {
  /// The exit status of a command that ends because of this error (LibreDocuments/Contract, "Exit status").
  var exitStatus: Int32 { get }
  /// Advice for this situation, in words that may name the commands and options of libre.
  var resolution: String { get }
}

extension LibreError: RemediedError {
  package var exitStatus: Int32 { listed?.exitStatus ?? 69 }
  package var resolution: String { listed?.resolution ?? "please report this error" }

  /// The cause as an error of this table; nil for one that a program outside of the package defines.
  private var listed: (any RemediedError)? { cause as? any RemediedError }
}

/// A text as one word of a shell: quoted unless it has only letters, digits and these characters.
func shellWord(_ text: String, besides marks: String) -> String {
  let isPlain = !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }
  return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
}

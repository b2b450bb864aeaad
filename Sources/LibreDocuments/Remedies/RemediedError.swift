// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import LibreKit

/// An error with what only the command knows of it. A program that links the library gets neither.
package protocol RemediedError: ExplainedError {
  /// The exit status of a command that ends because of this error (LibreDocuments/Contract, "Exit status").
  var exitStatus: Int32 { get }
  /// What helps in this situation, in words that may name the commands and options of libre.
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

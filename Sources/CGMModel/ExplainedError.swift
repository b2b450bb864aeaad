// SPDX-License-Identifier: Apache-2.0

/// An error that states its cause, so that the terminal, JSON and a program that uses the library report the same.
public protocol ExplainedError: Error, Hashable, Sendable {
  /// A stable identifier, for scripts to compare, and the cause: what is wrong with what, with both values where there
  /// are two.
  var explanation: (code: String, message: String) { get }
}

extension ExplainedError {
  /// A stable identifier, for scripts to compare.
  public var code: String { explanation.code }
  /// The cause: what is wrong with what, with both values where there are two.
  public var message: String { explanation.message }
}
